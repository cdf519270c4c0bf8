//! Conditions without the parts that their other parts imply: what the rounds of a search are made of, and what people
//! see of it.
//!
//! Each part is looked at where it stands. In `a and (b or c)` the rest need only be right where `a` holds, in
//! `a or (b and c)` where it does not; so `n > 1 and (n < 1 or b)` is `n > 1 and b`. Only the parts that are made of no
//! others are used for this: they say the most, and keep the questions small.

use rustc_hash::FxHashSet;

use super::game::Game;
use super::linear::both_ways;
use crate::pnet::{Term, TermId};
use crate::smt::Answer;

/// A condition that is made of others: whether all of them are to hold, and which.
struct Made {
    all: bool,
    parts: Vec<TermId>,
}

impl Game<'_, '_> {
    /// A condition that holds for the same values wherever what is known does, without the parts that the others imply.
    pub fn fewer_parts(&mut self, condition: TermId, known: &[TermId]) -> TermId {
        let Some(Made { all, mut parts }) = self.made_of(condition) else { return condition };
        self.leave_out_longer(all, &mut parts);
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
        self.join_comparisons(all, &mut parts);
        if all { self.world.terms.and(parts) } else { self.world.terms.or(parts) }
    }

    /// The parts of a condition; those of `not (a and b)` are `not a` and `not b`.
    fn made_of(&mut self, condition: TermId) -> Option<Made> {
        let terms = &mut self.world.terms;
        match terms.get(condition).clone() {
            Term::And(parts) => Some(Made { all: true, parts: parts.to_vec() }),
            Term::Or(parts) => Some(Made { all: false, parts: parts.to_vec() }),
            Term::Not(inner) => match terms.get(inner).clone() {
                Term::And(parts) | Term::Or(parts) => {
                    let all = matches!(terms.get(inner), Term::Or(_));
                    let parts = parts.iter().map(|&part| terms.not(part)).collect();
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
                more.push(if all { part } else { self.world.terms.not(part) });
            }
        }
        more
    }

    /// Puts one equation for two comparisons that come to it: for `a <= b and b <= a`, and for `a < b or b < a` its
    /// opposite.
    fn join_comparisons(&mut self, all: bool, parts: &mut Vec<TermId>) {
        let terms = &mut self.world.terms;
        let mut at = 0;
        while at < parts.len() {
            let found = (at + 1..parts.len()).find_map(|other| {
                let mut two = [parts[at], parts[other]];
                if !all {
                    two = two.map(|part| terms.not(part));
                }
                Some((other, both_ways(terms, two[0], two[1])?))
            });
            if let Some((other, equation)) = found {
                parts[at] = if all { equation } else { terms.not(equation) };
                parts.remove(other);
            }
            at += 1;
        }
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
                question.push(if holds { part } else { self.world.terms.not(part) });
            }
            if self.world.check(&question) == Answer::Unsat {
                parts.remove(at);
            } else {
                at += 1;
            }
        }
    }
}
