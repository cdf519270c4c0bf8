//! An invariant in fewer words: without conditions that follow from the others or from sorts and locations, and without
//! alternatives that the others exclude. What it says stays the same, so that it is still inductive.

use crate::algebra::{Term, TermId, Terms};
use crate::base::budget::is_spent;
use crate::smt::{Answer, Limits, Session, Unsupported};

use super::{Invariant, Problem};

/// A question may take this long.
const PATIENCE: Limits = Limits { milliseconds: 500 };

/// So many questions are asked in all.
const MOST_QUESTIONS: usize = 400;

/// The same invariant in fewer words, as far as the solver answers quickly.
pub fn shorter(problem: &Problem<'_>, invariant: &Invariant) -> Invariant {
    let mut terms = invariant.terms.clone();
    let said = parts(&terms, &invariant.conjuncts);
    let conjuncts = Shorter::new(problem, &mut terms)
        .and_then(|mut shorter| shorter.all(&mut terms, said))
        .unwrap_or_else(|_| invariant.conjuncts.clone());
    Invariant { terms, conjuncts }
}

/// The parts of conjunctions, each once, in their order.
fn parts(terms: &Terms, conjuncts: &[TermId]) -> Vec<TermId> {
    let mut found: Vec<TermId> = Vec::with_capacity(conjuncts.len());
    let mut work: Vec<TermId> = conjuncts.iter().rev().copied().collect();
    while let Some(one) = work.pop() {
        match terms.get(one) {
            Term::And(parts) => work.extend(parts.iter().rev()),
            _ if found.contains(&one) => {}
            _ => found.push(one),
        }
    }
    found
}

struct Shorter {
    session: Session,
    questions: usize,
}

impl Shorter {
    fn new(problem: &Problem<'_>, terms: &mut Terms) -> Result<Shorter, Unsupported> {
        let open_world = problem.is_open_world();
        let mut session = Session::new(&problem.net.algebra, terms, open_world, PATIENCE)?;
        for one in problem.shape(terms) {
            session.assert(terms, one)?;
        }
        Ok(Shorter { session, questions: MOST_QUESTIONS })
    }

    fn all(&mut self, terms: &mut Terms, said: Vec<TermId>) -> Result<Vec<TermId>, Unsupported> {
        let kept = self.needed(terms, said);
        let mut done = kept.clone();
        for at in 0..done.len() {
            let others: Vec<TermId> = done
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != at)
                .map(|(_, &one)| one)
                .collect();
            done[at] = self.fewer_cases(terms, done[at], &others);
        }
        Ok(done)
    }

    /// The conditions that do not follow from the others; the longest go first.
    fn needed(&mut self, terms: &mut Terms, said: Vec<TermId>) -> Vec<TermId> {
        let mut order: Vec<TermId> = said.clone();
        order.sort_by_key(|&one| std::cmp::Reverse(terms.inside([one]).count()));
        let mut kept = said;
        for one in order {
            let others: Vec<TermId> = kept.iter().copied().filter(|&other| other != one).collect();
            let not = terms.not(one);
            if self.never(terms, &others, &[not]) {
                kept = others;
            }
        }
        kept
    }

    /// A condition without the alternatives that the others exclude, or that say no more than the rest of it.
    fn fewer_cases(&mut self, terms: &mut Terms, of: TermId, others: &[TermId]) -> TermId {
        let Term::Or(cases) = terms.get(of).clone() else { return of };
        let mut left: Vec<TermId> = cases.to_vec();
        let mut order = left.clone();
        order.sort_by_key(|&one| std::cmp::Reverse(terms.inside([one]).count()));
        for case in order {
            let rest: Vec<TermId> = left.iter().copied().filter(|&other| other != case).collect();
            let says = terms.or(rest.iter().copied());
            let not = terms.not(says);
            if !rest.is_empty() && self.never(terms, others, &[case, not]) {
                left = rest;
            }
        }
        terms.or(left)
    }

    /// Whether conditions certainly exclude each other.
    fn never(&mut self, terms: &mut Terms, some: &[TermId], more: &[TermId]) -> bool {
        let Some(left) = self.questions.checked_sub(1).filter(|_| !is_spent()) else {
            return false;
        };
        self.questions = left;
        let all: Vec<TermId> = some.iter().chain(more).copied().collect();
        matches!(self.session.check_assuming(terms, &all), Answer::Unsat)
    }
}
