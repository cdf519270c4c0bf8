//! Premises: what must follow from the axioms, because there is no step that it could block.

use super::{Lowering, Scope};
use crate::algebra::{Sort, TermId};
use crate::diagnostics::Span;
use crate::pnet::{InstanceId, Owed, Premise, PremiseKind};
use crate::sema::program::{self as typed, Expr};

impl Lowering<'_> {
    /// What is owed where there is no step must follow from the axioms.
    pub fn require(&mut self, owed: Vec<Owed>, instance: Option<InstanceId>) {
        for Owed { term, text, kind, .. } in owed {
            self.premise(term, text, PremiseKind::Value(kind), instance);
        }
    }

    /// A value where there is no step to block: it must be one of its sort.
    pub fn required(
        &mut self,
        expr: &Expr,
        sort: &Sort,
        (scope, instance): (&Scope<'_>, Option<InstanceId>),
    ) -> TermId {
        let (term, owed) = self.owing(|l| {
            let term = l.term(expr, scope);
            l.fit(term, sort, expr.span)
        });
        self.require(owed, instance);
        term
    }

    fn premise(
        &mut self,
        term: TermId,
        text: Span,
        kind: PremiseKind,
        instance: Option<InstanceId>,
    ) {
        if self.terms.as_bool(term) == Some(true) {
            return;
        }
        let known = self.ledger.premises.iter().any(|one| one.term == term && one.text == text);
        if !known {
            self.ledger.premises.push(Premise { term, text, kind, instance });
        }
    }

    /// The ranges that a sort is made of have values.
    pub fn inhabited(
        &mut self,
        sort: typed::Sort,
        scope: &Scope<'_>,
        instance: Option<InstanceId>,
    ) {
        match sort {
            typed::Sort::Array(id) => {
                let (key, value) = self.program.arrays[id.index()];
                self.inhabited(key, scope, instance);
                self.inhabited(value, scope, instance);
            }
            typed::Sort::Range(id) => {
                let range = &self.program.ranges[id.index()];
                let Sort::Range(low, high) = self.sort(sort, scope) else { return };
                let has_values = self.terms.less(low, high);
                let text = range.low.span.to(range.high.span);
                self.premise(has_values, text, PremiseKind::Inhabited(low, high), instance);
                // Where it is not so, there is no net: everything else may rely on it.
                self.ledger.known.learn(self.terms, has_values);
            }
            _ => {}
        }
    }
}
