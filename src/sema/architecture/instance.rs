//! Architectures where components stand: unfoldings, and whole architectures where a check is about all sizes.

use num_traits::ToPrimitive;

use crate::diagnostics::Span;
use crate::sema::net::Work;
use crate::sema::offers::Offer;
use crate::sema::problems::{AnySizeHere, NotConstant, ValueCount};
use crate::sema::program::{ArchitectureId, Component, Instance, Sort};
use crate::syntax::ast::{self, Ident};

impl Work<'_, '_> {
    /// An architecture, or one of its unfoldings.
    pub(in crate::sema) fn unfolding(
        &mut self,
        instance: &ast::Instance,
        ident: Ident,
        id: ArchitectureId,
    ) -> (Instance, Offer) {
        let declared = self.body.sema.program.architectures[id.index()].named.span;
        if let Some(fill) = instance.fills.first() {
            let count = instance.fills.len();
            self.hole_count(fill.instance.span, ident, 0, count, declared);
        }
        let span = instance.span;
        if instance.values.is_empty() {
            if self.any_size && !self.is_made {
                self.body.sema.ask_architecture(id);
                let facts = &self.body.sema.architecture_facts[id.index()];
                self.body.failed |= !facts.ready;
                return (of(Component::Architecture(id), span), Offer::unclear());
            }
            let name = ident.name.to_string();
            self.body.report(AnySizeHere { span, name });
            return (of(Component::Error, span), Offer::unclear());
        }
        if instance.values.len() > 2 {
            let (name, found) = (ident.name.to_string(), instance.values.len());
            let (expected, declared) = (2, Some(declared));
            self.body.report(ValueCount { span, name, expected, found, declared });
            return (of(Component::Error, span), Offer::unclear());
        }
        let numbers: Option<Vec<usize>> =
            instance.values.iter().map(|value| self.number(value)).collect();
        let ready = self.body.sema.architecture_facts[id.index()].ready;
        let net = numbers.filter(|_| ready).and_then(|numbers| {
            let number = numbers.get(1).copied();
            self.body.sema.unfolding(id, (numbers[0], number), span)
        });
        let Some(net) = net else {
            self.body.failed = true;
            return (of(Component::Error, span), Offer::unclear());
        };
        let offer = self.body.sema.net_facts[net.index()].offer.clone();
        (of(Component::Net(net), span), offer)
    }

    /// A number that is known here.
    fn number(&mut self, value: &ast::Expr) -> Option<usize> {
        let failed = self.body.failed;
        let mut checked = self.body.expr_of(value, Sort::Int, None);
        self.body.finish(&mut checked);
        let number = self.body.folder().integer(&checked);
        if number.is_none() && self.body.failed == failed {
            self.body.report(NotConstant { span: value.span });
        }
        // A number that is less than 0, or larger than any, is a size that nothing has.
        number.map(|number| {
            number.to_usize().unwrap_or(if number.to_i64() < Some(0) { 0 } else { usize::MAX })
        })
    }
}

fn of(component: Component, span: Span) -> Instance {
    Instance { component, values: Vec::new(), fills: Vec::new(), span }
}
