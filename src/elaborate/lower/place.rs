//! What transitions change: whole variables, elements of arrays and fields, all at once or one after the other; and values
//! with other fields.

use super::scope::Value;
use super::{Lowering, Scope};
use crate::algebra::{DataId, Sort, Term, TermId, VarId, sort_of};
use crate::diagnostics::{Span, Symbol};
use crate::pnet::OwedKind;
use crate::sema::program::{Expr, LocalId, PlacePart, TransitionDef};
use crate::syntax::ast::Ident;

/// A step into a value, with its index as a term.
#[derive(Clone, Copy)]
enum Into {
    Index(TermId, Span),
    Field(DataId, u32, u32),
}

impl Lowering<'_> {
    /// The new values of the variables that a transition changes.
    ///
    /// All at once, every right-hand side and every index sees the values from before the step. In a sequence each sees
    /// what those before it made, so the result is the same as that of one simultaneous assignment.
    pub fn updates(
        &mut self,
        transition: &TransitionDef,
        scope: &Scope<'_>,
    ) -> Vec<(VarId, TermId)> {
        let mut made: Vec<(VarId, TermId)> = Vec::with_capacity(transition.updates.len());
        let mut places: Vec<(VarId, Vec<Into>)> = Vec::new();
        let mut seen = scope.clone();
        for (number, update) in transition.updates.iter().enumerate() {
            let since = self.owed_so_far();
            let Some(target) = self.target(update.target, scope) else { continue };
            let steps = self.steps(&update.place, &seen);
            let value = self.term(&update.value, &seen);
            if !transition.in_sequence && !steps.is_empty() {
                let others = places.iter().filter(|(other, _)| *other == target);
                for (_, other) in others {
                    self.owe_apart(other, &steps, update.place.span);
                }
                places.push((target, steps.clone()));
            }
            let own = self.terms.var_term(target);
            let known = made.iter().position(|(other, _)| *other == target);
            let old = known.map_or(own, |at| made[at].1);
            let new = self.put(old, &steps, (value, update.value.span), update.place.span, target);
            match known {
                Some(at) => made[at].1 = new,
                None => made.push((target, new)),
            }
            if transition.in_sequence {
                seen.set(update.target, new);
                // What is assigned again is a value on the way.
                let mut later = transition.updates[number + 1..].iter();
                if later.any(|later| later.target == update.target) {
                    self.owed[since..].iter_mut().for_each(|owed| owed.on_the_way = true);
                }
            }
        }
        made
    }

    /// The new value of the variable that says whether an `assert` has failed. One that reads what has no value fails.
    pub fn noted(
        &mut self,
        assert: &Expr,
        failed: LocalId,
        scope: &Scope<'_>,
    ) -> Option<(VarId, TermId)> {
        let target = self.target(failed, scope)?;
        let (says, owed) = self.owing(|lowering| lowering.term(assert, scope));
        let holds = self.terms.and(owed.iter().map(|owed| owed.term).chain([says]));
        let old = self.terms.var_term(target);
        let fails = self.terms.not(holds);
        let new = self.terms.or([old, fails]);
        (new != old).then_some((target, new))
    }

    fn target(&self, local: LocalId, scope: &Scope<'_>) -> Option<VarId> {
        let Some(Value::Term(target)) = scope.values.get(&local) else { return None };
        match *self.terms.get(*target) {
            Term::Var(target) => Some(target),
            _ => None,
        }
    }

    fn steps(&mut self, place: &Expr, scope: &Scope<'_>) -> Vec<Into> {
        let steps = place.steps().into_iter().map(|step| match step {
            PlacePart::Index(index) => Into::Index(self.term(index, scope), index.span),
            PlacePart::Field(data, index, field) => Into::Field(data, index, field),
        });
        steps.collect()
    }

    /// That two places of one variable differ, where that is not seen.
    fn owe_apart(&mut self, a: &[Into], b: &[Into], text: Span) {
        let mut apart = Vec::new();
        for (a, b) in a.iter().zip(b) {
            match (a, b) {
                (Into::Index(a, _), Into::Index(b, _)) => {
                    let same = self.terms.equal(*a, *b);
                    apart.push(self.terms.not(same));
                }
                (Into::Field(_, a, x), Into::Field(_, b, y)) if (a, x) != (b, y) => return,
                _ => {}
            }
        }
        let term = self.terms.or(apart);
        self.owe(term, text, OwedKind::Apart);
    }

    /// A variable with a new value for a part of it.
    fn put(
        &mut self,
        old: TermId,
        steps: &[Into],
        value: (TermId, Span),
        text: Span,
        target: VarId,
    ) -> TermId {
        if steps.is_empty() {
            let sort = self.terms.var(target).sort.clone();
            return self.fit(value.0, &sort, value.1);
        }
        self.put_into(old, steps, value, text)
    }

    fn put_into(
        &mut self,
        old: TermId,
        steps: &[Into],
        value: (TermId, Span),
        text: Span,
    ) -> TermId {
        let [first, rest @ ..] = steps else { return value.0 };
        match *first {
            Into::Index(index, place) => {
                self.owe_index(old, index, place);
                let inner = self.terms.index(old, index);
                let new = self.put_into(inner, rest, value, text);
                let new = match sort_of(self.algebra, self.terms, old) {
                    Sort::Array(both) if rest.is_empty() => self.fit(new, &both.1, value.1),
                    _ => new,
                };
                self.terms.raw(Term::Update(old, index, new))
            }
            Into::Field(data, index, field) => {
                let inner = self.selected((data, index, field), old);
                let new = self.put_into(inner, rest, value, text);
                let of = &self.program.datas[data.index()];
                let name = of.constructors[index as usize].fields[field as usize].0.name;
                // What was put into a part of it fits already.
                let text_of_value = rest.is_empty().then_some(value.1);
                self.with_fields(data, old, &[(name, new, text_of_value)], text)
            }
        }
    }

    /// `m with { body := 3, seen := true }`
    pub(super) fn with(
        &mut self,
        data: DataId,
        (record, fields): &(Expr, Vec<(Ident, Expr)>),
        text: Span,
        scope: &Scope<'_>,
    ) -> TermId {
        let record = self.term(record, scope);
        let mut values = Vec::with_capacity(fields.len());
        for (name, value) in fields {
            values.push((name.name, self.term(value, scope), Some(value.span)));
        }
        self.with_fields(data, record, &values, text)
    }

    /// A value that differs in some fields, made by the constructor that made it, which must have them.
    fn with_fields(
        &mut self,
        data: DataId,
        of: TermId,
        fields: &[(Symbol, TermId, Option<Span>)],
        text: Span,
    ) -> TermId {
        let names: Vec<Symbol> = fields.iter().map(|(name, ..)| *name).collect();
        let declared = &self.program.datas[data.index()];
        let fitting: Vec<u32> = declared.with_fields(&names).collect();
        let tests: Vec<TermId> =
            fitting.iter().map(|&index| self.terms.is_constructor(data, index, of)).collect();
        if fitting.len() < declared.constructors.len() {
            let one = self.terms.or(tests.iter().copied());
            self.owe(one, text, OwedKind::Field);
        }
        let mut made: Option<TermId> = None;
        for (&index, &test) in fitting.iter().zip(&tests).rev() {
            let since = self.owed_so_far();
            let own = self.remade((data, index), of, fields);
            if tests.len() > 1 {
                self.owed_under(test, since);
            }
            made = Some(match made {
                Some(others) => self.terms.if_then_else(test, own, others),
                None => own,
            });
        }
        made.unwrap_or(of)
    }

    /// The same constructor with other values for some fields.
    fn remade(
        &mut self,
        (data, index): (DataId, u32),
        of: TermId,
        fields: &[(Symbol, TermId, Option<Span>)],
    ) -> TermId {
        let program = self.program;
        let declared = &program.datas[data.index()].constructors[index as usize].fields;
        let made = &self.algebra.datatypes[data.index()].constructors[index as usize];
        let sorts: Vec<Sort> = made.fields.iter().map(|(_, sort)| sort.clone()).collect();
        let mut args = Vec::with_capacity(sorts.len());
        for (place, ((name, _), sort)) in declared.iter().zip(&sorts).enumerate() {
            let new = fields.iter().find(|(field, ..)| *field == name.name);
            args.push(match new {
                Some((_, value, Some(text))) => self.fit(*value, sort, *text),
                Some((_, value, None)) => *value,
                None => self.terms.select(data, index, place as u32, of),
            });
        }
        self.terms.raw(Term::Construct(data, index, args.into()))
    }
}
