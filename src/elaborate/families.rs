//! How many members families have, and how often vectors are repeated.

use num_traits::ToPrimitive;

use super::build::Builder;
use super::lower::Scope;
use super::problems::{EmptyFamily, TooManyInstances, UnknownSize};
use crate::pnet::InstanceId;
use crate::sema::program::RangeId;

impl<'p> Builder<'p> {
    /// The indices of a family, which must have members.
    pub fn indices(
        &mut self,
        range: RangeId,
        env: (&Scope<'p>, Option<InstanceId>),
    ) -> Option<std::ops::Range<i64>> {
        let indices = self.repeated(range, env)?;
        if indices.is_empty() {
            let def = &self.program.ranges[range.index()];
            let (span, chain) = (def.low.span.to(def.high.span), self.chain(env.1));
            let (low, high) = (indices.start.to_string(), indices.end.to_string());
            self.report(EmptyFamily { span, low, high, chain });
            return None;
        }
        Some(indices)
    }

    /// The indices for which something is repeated: there may be none.
    pub fn repeated(
        &mut self,
        range: RangeId,
        env: (&Scope<'p>, Option<InstanceId>),
    ) -> Option<std::ops::Range<i64>> {
        let (scope, instance) = env;
        let def = &self.program.ranges[range.index()];
        let (low, high) = (self.term(&def.low, scope), self.term(&def.high, scope));
        let span = def.low.span.to(def.high.span);
        let (Some(low), Some(high)) =
            (self.terms.as_int(low).cloned(), self.terms.as_int(high).cloned())
        else {
            let (chain, constants) = (self.chain(instance), self.not_set(range, scope));
            self.report(UnknownSize { span, constants, chain });
            return None;
        };
        match (low.to_i64(), high.to_i64()) {
            (Some(from), Some(to)) if to <= from => Some(from..to),
            _ if high <= low => Some(0..0),
            (Some(from), Some(to))
                if i64::try_from(i128::from(to) - i128::from(from))
                    .is_ok_and(|count| count as u64 <= self.options.most_instances as u64) =>
            {
                Some(from..to)
            }
            _ => {
                self.report(TooManyInstances { span, limit: self.options.most_instances });
                None
            }
        }
    }
}
