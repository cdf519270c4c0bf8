//! Variables and states of leaves in properties. Where a value chooses the member of a family, this is a choice over its
//! members, and the value owes that it is the index of one.

use num_traits::ToPrimitive;

use super::names::{Chosen, Fitting, LeafNames};
use super::{Leaves, Lowering, Scope};
use crate::algebra::{Sort, TermId, sort_of};
use crate::base::Id;
use crate::diagnostics::{Span, Symbol};
use crate::pnet::OwedKind;
use crate::sema::program::{Expr, ExprKind, LeafPath, LeafTest, LeafVariable};

/// An index of a path: what it stands for, and where it was written.
type Index = (TermId, Span);

impl<'a> Lowering<'a> {
    /// What a leaf's variable stands for; any value where nobody says.
    pub(super) fn leaf(
        &mut self,
        variable: &LeafVariable,
        expr: &Expr,
        scope: &Scope<'_>,
    ) -> TermId {
        let known = self.leaves.and_then(|leaves| {
            let names = leaves.variables(variable.net);
            self.member(leaves, (names, &variable.path), scope, |_, id| {
                leaves.variable(variable.net, id)
            })
        });
        known.unwrap_or_else(|| self.fresh(Symbol::new("_"), expr, scope))
    }

    /// Whether a leaf is in one of several states.
    pub(super) fn state_of_leaf(&mut self, test: &LeafTest, scope: &Scope<'_>) -> TermId {
        let known = self.leaves.and_then(|leaves| {
            let names = leaves.leaves(test.net);
            self.member(leaves, (names, &test.path), scope, |lowering, id| {
                if test.any_of.is_empty() {
                    return leaves.in_state(test.net, id, &test.states, lowering.terms);
                }
                let named = test.any_of.iter();
                let states = named.filter_map(|&name| leaves.state_named(test.net, id, name));
                leaves.in_state(test.net, id, &states.collect::<Vec<_>>(), lowering.terms)
            })
        });
        known.unwrap_or_else(|| self.terms.bool(false))
    }

    /// What the member of a family stands for that a path means, or the only thing that it means.
    fn member<I: Id>(
        &mut self,
        leaves: &dyn Leaves,
        (names, path): (&LeafNames<'_, I>, &LeafPath),
        scope: &Scope<'_>,
        mut term: impl FnMut(&mut Lowering<'a>, I) -> TermId,
    ) -> Option<TermId> {
        let mut indices: Vec<Index> = Vec::new();
        let mut way: Vec<(&str, Option<Chosen>)> = Vec::with_capacity(path.len());
        for (name, index) in path {
            let chosen = index.as_ref().map(|index| {
                let value = self.term(index, scope);
                indices.push((value, index.span));
                self.chosen(index, value)
            });
            way.push((name.name.as_str(), chosen));
        }
        let fitting = names.fitting(&way);
        let is_open = way.iter().any(|(_, chosen)| *chosen == Some(Chosen::Open));
        if is_open || matches!(fitting, Ok(Fitting::Outside(_))) {
            note_families(leaves, names.families(&way), &indices);
        }
        let members = match fitting {
            Ok(Fitting::Members(members)) => members,
            Ok(Fitting::Outside(other)) => {
                // Nothing is read: the place where it is read owes that it does not happen.
                let never = self.terms.bool(false);
                let text = indices.first().map(|(_, text)| *text).unwrap_or_default();
                self.owe(never, text, OwedKind::Member);
                return Some(term(self, other));
            }
            Err(why) => {
                leaves.unclear(why, text_of(path));
                return None;
            }
        };
        let made = members.iter().map(|(id, _)| term(self, *id)).collect::<Vec<_>>();
        self.choice_of(&indices, members.into_iter().map(|(_, at)| at).zip(made).collect())
    }

    fn chosen(&self, index: &Expr, value: TermId) -> Chosen {
        match (&index.kind, self.terms.as_int(value)) {
            (ExprKind::Int(number), _) => Chosen::Written(*number),
            (_, Some(number)) => Chosen::Known(number.to_i64()),
            (_, None) => Chosen::Open,
        }
    }

    /// The member that indices choose, and that they choose one.
    fn choice_of(
        &mut self,
        indices: &[Index],
        mut members: Vec<(Vec<i64>, TermId)>,
    ) -> Option<TermId> {
        if let [(_, only)] = members.as_slice()
            && indices.iter().all(|(value, _)| self.terms.as_int(*value).is_some())
        {
            return Some(*only);
        }
        self.owe_members(indices, &members);
        let (_, last) = members.pop()?;
        let sort = sort_of(self.algebra, self.terms, last);
        // Arrays of different places are no values of one sort.
        let differs = |other: &TermId| {
            matches!(sort, Sort::Array(_)) && sort_of(self.algebra, self.terms, *other) != sort
        };
        if members.iter().any(|(_, term)| differs(term)) {
            return None;
        }
        let mut choice = last;
        for (at, term) in members.into_iter().rev() {
            let is_this = self.is_at(indices, &at);
            choice = self.terms.if_then_else(is_this, term, choice);
        }
        Some(choice)
    }

    fn is_at(&mut self, indices: &[Index], at: &[i64]) -> TermId {
        let mut all = Vec::with_capacity(at.len());
        for ((value, _), number) in indices.iter().zip(at) {
            let number = self.terms.int(*number);
            all.push(self.terms.equal(*value, number));
        }
        self.terms.and(all)
    }

    /// That indices are those of a member: they lie between the first and the last, where there is one for each.
    fn owe_members(&mut self, indices: &[Index], members: &[(Vec<i64>, TermId)]) {
        let text = indices.first().map(|(_, text)| *text).unwrap_or_default();
        if let ([(value, _)], Some((low, high))) = (indices, whole_range(members)) {
            let (low, high) = (self.terms.int(low), self.terms.int(high));
            return self.owe_place(*value, &Sort::Range(low, high), text, OwedKind::Member);
        }
        let ats: Vec<TermId> = members.iter().map(|(at, _)| self.is_at(indices, at)).collect();
        let one = self.terms.or(ats);
        self.owe(one, text, OwedKind::Member);
    }
}

/// Notes the families of a path, where something is owed for an index.
fn note_families(leaves: &dyn Leaves, families: Vec<(&str, String)>, indices: &[Index]) {
    for ((family, all), (_, text)) in families.into_iter().zip(indices) {
        leaves.indexed(*text, family, &all);
    }
}

/// The text of a path, up to its last name.
fn text_of(path: &LeafPath) -> Span {
    let text = |(name, index): &(crate::syntax::ast::Ident, Option<Expr>)| {
        index.as_ref().map_or(name.span, |index| name.span.to(index.span))
    };
    match path.as_slice() {
        [] => Span::default(),
        [first, rest @ ..] => text(first).to(text(rest.last().unwrap_or(first))),
    }
}

/// The range of the indices of a family that has one index and all members.
fn whole_range(members: &[(Vec<i64>, TermId)]) -> Option<(i64, i64)> {
    let mut all = Vec::with_capacity(members.len());
    for (at, _) in members {
        let [index] = at.as_slice() else { return None };
        all.push(*index);
    }
    let (low, high) = (*all.iter().min()?, all.iter().max()?.checked_add(1)?);
    let distance = usize::try_from(high.checked_sub(low)?).ok()?;
    (distance == all.len()).then_some((low, high))
}
