//! Conditions without the parts that their other parts imply: what the rounds of a search are made of, and what people
//! see of it.
//!
//! Each part is looked at where it stands. In `a and (b or c)` the rest need only be right where `a` holds, in
//! `a or (b and c)` where it does not; so `n > 1 and (n < 1 or b)` is `n > 1 and b`. Only the parts that are made of no
//! others are used for this: they say the most, and keep the questions small.

use rustc_hash::FxHashSet;

use super::prover::Prover;
use crate::algebra::{Term, TermId, Terms, normal, tightened};
use crate::smt::Answer;

/// A condition that is made of others: whether all of them are to hold, and which.
struct Made {
    all: bool,
    parts: Vec<TermId>,
}

impl Prover<'_> {
    /// A condition that holds for the same values wherever what is known does, without the parts that the others imply.
    pub fn fewer_parts(&mut self, condition: TermId, known: &[TermId]) -> TermId {
        let Some(Made { all, mut parts }) = self.made_of(condition) else { return condition };
        if !self.tighten(all, &mut parts) {
            return self.terms.bool(!all);
        }
        self.leave_out_longer(all, &mut parts);
        if let Some(condition) = self.factored(all, &parts) {
            return self.fewer_parts(condition, known);
        }
        self.leave_out_implied(all, &mut parts, known);
        let mut changed = false;
        for at in 0..parts.len() {
            if self.made_of(parts[at]).is_some() {
                let known = self.known_beside(all, &parts, at, known);
                let fewer = self.fewer_parts(parts[at], &known);
                changed |= fewer != parts[at];
                parts[at] = fewer;
            }
        }
        if changed {
            self.leave_out_implied(all, &mut parts, known);
        }
        let whole = self.put_together(all, parts);
        match self.made_of(whole) {
            // What is simple by now may say more together.
            Some(Made { all: same, mut parts }) if changed && same == all => {
                match self.tighten(all, &mut parts) {
                    true => self.put_together(all, parts),
                    false => self.terms.bool(!all),
                }
            }
            _ => whole,
        }
    }

    fn put_together(&mut self, all: bool, parts: Vec<TermId>) -> TermId {
        if all { self.terms.and(parts) } else { self.terms.or(parts) }
    }

    /// Keeps the strongest comparisons of a conjunction, or the weakest of alternatives; false where a conjunction cannot
    /// hold, or alternatives always do.
    fn tighten(&mut self, all: bool, parts: &mut Vec<TermId>) -> bool {
        let terms = &mut self.terms;
        let turned = |terms: &mut Terms, parts: Vec<TermId>| -> Vec<TermId> {
            let turn = |part: TermId| {
                let not = terms.not(part);
                normal(terms, not)
            };
            if all { parts } else { parts.into_iter().map(turn).collect() }
        };
        let conjunction = turned(terms, std::mem::take(parts));
        let Some(found) = tightened(terms, conjunction) else { return false };
        *parts = turned(terms, found);
        true
    }

    /// What all alternatives ask for, before them; or what all parts of a conjunction allow, beside it. Nothing where
    /// they have nothing in common.
    fn factored(&mut self, all: bool, parts: &[TermId]) -> Option<TermId> {
        let mut inside: Vec<Vec<TermId>> = Vec::with_capacity(parts.len());
        for &part in parts {
            inside.push(match self.made_of(part) {
                Some(made) if made.all != all => made.parts,
                _ => vec![part],
            });
        }
        let (first, others) = inside.split_first().filter(|(_, others)| !others.is_empty())?;
        let is_common = |part: &&TermId| others.iter().all(|other| other.contains(part));
        let common: Vec<TermId> = first.iter().filter(is_common).copied().collect();
        if common.is_empty() {
            return None;
        }
        let mut rest: Vec<TermId> = Vec::with_capacity(inside.len());
        for mut parts in inside {
            parts.retain(|part| !common.contains(part));
            rest.push(self.put_together(!all, parts));
        }
        let rest = self.put_together(all, rest);
        Some(self.put_together(!all, common.into_iter().chain([rest]).collect()))
    }

    /// The parts of a condition; those of `not (a and b)` are `not a` and `not b`.
    fn made_of(&mut self, condition: TermId) -> Option<Made> {
        let terms = &mut self.terms;
        match terms.get(condition).clone() {
            Term::And(parts) => {
                let parts = parts.iter().map(|&part| normal(terms, part)).collect();
                Some(Made { all: true, parts })
            }
            Term::Or(parts) => {
                let parts = parts.iter().map(|&part| normal(terms, part)).collect();
                Some(Made { all: false, parts })
            }
            Term::Not(inner) => match terms.get(inner).clone() {
                Term::And(parts) | Term::Or(parts) => {
                    let all = matches!(terms.get(inner), Term::Or(_));
                    let turn = |&part: &TermId| {
                        let not = terms.not(part);
                        normal(terms, not)
                    };
                    let parts = parts.iter().map(turn).collect();
                    Some(Made { all, parts })
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// What is known where a part matters: what was known before, and that the simple parts beside it hold, or do not.
    fn known_beside(
        &mut self,
        all: bool,
        parts: &[TermId],
        at: usize,
        known: &[TermId],
    ) -> Vec<TermId> {
        let mut more = known.to_vec();
        for (other, &part) in parts.iter().enumerate() {
            if other != at && self.made_of(part).is_none() {
                more.push(if all { part } else { self.terms.not(part) });
            }
        }
        more
    }

    /// Leaves out alternatives that ask for all that another one asks for, and more; or parts of a conjunction that allow
    /// all that another one does, and more. That is plain to see, and need not be asked.
    fn leave_out_longer(&mut self, all: bool, parts: &mut Vec<TermId>) {
        let sets: Vec<FxHashSet<TermId>> = parts
            .iter()
            .map(|&part| match self.made_of(part) {
                Some(made) if made.all != all => made.parts.into_iter().collect(),
                _ => [part].into_iter().collect(),
            })
            .collect();
        let is_longer = |at: usize| {
            let shorter = |other: usize| {
                let (mine, theirs) = (&sets[at], &sets[other]);
                let same = mine.len() == theirs.len();
                other != at && (!same || other < at) && theirs.is_subset(mine)
            };
            (0..sets.len()).any(shorter)
        };
        let longer: Vec<bool> = (0..sets.len()).map(is_longer).collect();
        let mut longer = longer.into_iter();
        parts.retain(|_| !longer.next().unwrap_or(false));
    }

    /// Leaves out parts that the others imply, one after the other.
    fn leave_out_implied(&mut self, all: bool, parts: &mut Vec<TermId>, known: &[TermId]) {
        let mut at = 0;
        while at < parts.len() && parts.len() > 1 {
            let mut question = known.to_vec();
            for (other, &part) in parts.iter().enumerate() {
                let holds = (other == at) != all;
                question.push(if holds { part } else { self.terms.not(part) });
            }
            if self.check(&question) == Answer::Unsat {
                parts.remove(at);
            } else {
                at += 1;
            }
        }
    }
}
