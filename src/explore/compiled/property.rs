//! Properties made ready, and asked.

use super::Compiled;
use super::code::{Code, Lack, Op};
use super::expr::{Builder, Source, World};
use super::layout::{Layouts, Sorts};
use super::run::Run;
use super::setup::lay_out;
use super::steps::Scratch;
use super::values::Values;
use super::word::NONE;
use crate::base::Id;
use crate::explore::{Gap, Property};

/// A property that is ready to be asked.
#[derive(Debug)]
pub struct Ready {
    /// The sorts of the net, and those of the property.
    layouts: Layouts,
    owed: Code,
    says: Code,
}

impl Compiled<'_> {
    pub(super) fn ready(&self, property: &Property) -> Result<Ready, Gap> {
        let mut terms = property.terms.clone();
        let mut layouts = self.layouts.clone();
        let sorts = Sorts { algebra: &self.net.algebra, terms: &property.terms };
        lay_out(&mut layouts, sorts, &[property.owed, property.says]);
        let mut made = |term| {
            let world = World { layouts: &layouts, ..self.world() };
            let mut builder = Builder::new(world, &mut terms);
            builder.variables = self.places.of.clone();
            builder.constants = self.places.constants.clone();
            for &(var, leaf) in &property.locations {
                let field = self.places.states[leaf.place()];
                builder.variables.insert(var, Source::Field(field));
            }
            let result = builder.term(term);
            builder.ops.push(Op::Return(result));
            builder.finish().ok_or_else(|| self.gap(Lack::Deep))
        };
        let (owed, says) = (made(property.owed)?, made(property.says)?);
        Ok(Ready { layouts, owed, says })
    }

    pub(super) fn is_true(
        &self,
        scratch: &mut Scratch,
        property: &Ready,
        packed: &[u64],
    ) -> Result<Option<bool>, Gap> {
        let values = Values { layouts: &property.layouts, ..self.values() };
        let run = Run { values, ..self.run(packed) };
        let work = &mut scratch.work;
        let mut ask = |code: &Code| {
            work.begin();
            work.why = Lack::Undefined;
            match run.value(code, work).map_err(|lack| self.gap(lack))? {
                NONE if work.why == Lack::Undefined => Ok(None),
                NONE => Err(self.gap(work.why)),
                value => Ok(Some(value == 1)),
            }
        };
        if ask(&property.owed)? != Some(true) {
            return Ok(None);
        }
        ask(&property.says)
    }
}
