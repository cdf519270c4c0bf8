//! The largest relation, as a greatest fixpoint: in each round a pair of states gets a weaker claim to be related, by
//! what the round before cannot answer.
//!
//! `lost(k)` of a pair says for which values of the variables the challenger wins within `k` rounds. It only grows.
//! When it stops growing, its opposite is a bisimulation (or simulation), the largest there is. When the initial
//! configurations are in it, they are told apart within `k` rounds.

use rustc_hash::{FxHashMap, FxHashSet};

use super::SideId;
use super::game::{Challenge, FIRST, Game, Pair};
use crate::algebra::{Term, TermId, conjunction, simplified_where};
use crate::base::budget::is_spent;
use crate::outcome::{Asked, Reason};
use crate::smt::Answer;

/// What was found.
#[derive(Debug)]
pub enum Fixpoint {
    /// A relation: for each pair the condition under which its states are related.
    Relation(Vec<(Pair, TermId)>),
    /// The initial configurations are told apart: for each number of rounds, who wins where.
    Apart(Vec<FxHashMap<Pair, TermId>>),
    /// Nothing, and why; what the rounds so far ask for may be part of a relation.
    Nothing(Reason, Vec<TermId>),
}

impl Game<'_, '_> {
    /// Looks for the largest relation, within some rounds, and more as long as in each of them fewer pairs change than in
    /// one of the two before: then the end is near. Gives up when a condition is made of more terms than `most_terms`.
    pub fn largest(&mut self, most_rounds: usize, most_terms: usize) -> Fixpoint {
        let pairs = self.pairs();
        let no = self.prover.terms.bool(false);
        let mut rounds: Vec<FxHashMap<Pair, TermId>> =
            vec![pairs.iter().map(|&pair| (pair, no)).collect()];
        let mut changed: FxHashSet<Pair> = pairs.iter().copied().collect();
        let mut round = 0;
        let mut fewer = true;
        let mut before_last = 0;
        while round < most_rounds || fewer {
            if is_spent() {
                return Fixpoint::Nothing(Reason::Stopped, Vec::new());
            }
            let before = rounds[round].clone();
            let mut now = before.clone();
            let related: FxHashMap<Pair, TermId> =
                before.iter().map(|(&pair, &lost)| (pair, self.prover.terms.not(lost))).collect();
            let mut grown: FxHashSet<Pair> = FxHashSet::default();
            for &pair in &pairs {
                let mut challenges = self.challenges(pair);
                if round > 0 {
                    // What a challenge asks for is what it asked for before, where all that it leads to is as before.
                    challenges.retain(|&challenge| self.leads_to(pair, challenge, &changed));
                }
                if round > 0 && challenges.is_empty() {
                    continue;
                }
                match self.grows(pair, challenges, &before, &related) {
                    Ok(None) => {}
                    Ok(Some(lost)) if self.prover.terms.is_larger(&[lost], most_terms) => {
                        let why = Reason::ConditionsGrow { terms: most_terms };
                        return Fixpoint::Nothing(why, self.asked_for(&rounds));
                    }
                    Ok(Some(lost)) => {
                        now.insert(pair, lost);
                        grown.insert(pair);
                    }
                    Err(why) => return Fixpoint::Nothing(why, self.asked_for(&rounds)),
                }
                self.prover.searching(&format!("round {} of {} pairs", round + 1, pairs.len()));
            }
            rounds.push(now);
            if grown.contains(&FIRST) {
                match self.initially(&rounds[round + 1]) {
                    Answer::Sat => return Fixpoint::Apart(rounds),
                    Answer::Unsat => {}
                    Answer::Unknown(why) => {
                        return Fixpoint::Nothing(Reason::solver(why), self.asked_for(&rounds));
                    }
                }
            }
            if grown.is_empty() {
                let mut related = Vec::with_capacity(pairs.len());
                for pair in pairs {
                    let lost = rounds[round + 1].get(&pair).copied().unwrap_or(no);
                    let kept = self.prover.terms.not(lost);
                    let parts = [kept].into_iter().chain(self.invariant(pair)).collect();
                    let parts = conjunction(&mut self.prover.terms, parts);
                    let condition = match parts {
                        Some(parts) => self.prover.terms.and(parts),
                        None => no,
                    };
                    related.push((pair, condition));
                }
                return Fixpoint::Relation(related);
            }
            fewer = grown.len() < changed.len().max(before_last);
            before_last = changed.len();
            changed = grown;
            round += 1;
        }
        let why = Reason::NoRelation { rounds: round };
        Fixpoint::Nothing(why, self.asked_for(&rounds))
    }

    /// What the first rounds ask for, one by one.
    fn asked_for(&mut self, rounds: &[FxHashMap<Pair, TermId>]) -> Vec<TermId> {
        const ROUNDS: usize = 3;
        const MOST: usize = 60;
        let mut found = Vec::new();
        for round in rounds.iter().take(ROUNDS + 1) {
            let mut pairs: Vec<(&Pair, &TermId)> = round.iter().collect();
            pairs.sort_unstable();
            for (_, &lost) in pairs {
                let ways = match self.prover.terms.get(lost).clone() {
                    Term::Or(ways) => ways.to_vec(),
                    _ => vec![lost],
                };
                for way in ways {
                    let kept = self.prover.terms.not(way);
                    if self.prover.terms.as_bool(kept).is_none() && !found.contains(&kept) {
                        found.push(kept);
                    }
                }
            }
        }
        found.truncate(MOST);
        found
    }

    fn leads_to(&self, pair: Pair, challenge: Challenge, changed: &FxHashSet<Pair>) -> bool {
        let made = self.step(pair, challenge);
        let answers = self.answers(pair, challenge);
        answers.iter().any(|answer| changed.contains(&self.next(challenge.side, made, answer)))
    }

    /// What is lost in one more round, by one of some challenges, if it is more than before.
    fn grows(
        &mut self,
        pair: Pair,
        challenges: Vec<Challenge>,
        before: &FxHashMap<Pair, TermId>,
        related: &FxHashMap<Pair, TermId>,
    ) -> Result<Option<TermId>, Reason> {
        let no = self.prover.terms.bool(false);
        let old = before.get(&pair).copied().unwrap_or(no);
        let kept = self.prover.terms.not(old);
        let mut new: Vec<TermId> = Vec::new();
        let stuck = self.stuck(pair);
        let mut more = vec![stuck];
        for challenge in challenges {
            if is_spent() {
                return Err(Reason::Stopped);
            }
            let then = |next: Pair| related.get(&next).copied().unwrap_or(no);
            let Some(parts) = self.unanswered(pair, challenge, &then) else { continue };
            let locals = &self.step(pair, challenge).locals;
            more.push(self.prover.exists(locals, parts));
        }
        let here = [kept].into_iter().chain(self.invariant(pair)).collect();
        let Some(here) = conjunction(&mut self.prover.terms, here) else { return Ok(None) };
        for lost in more {
            // What is lost already need not be said again.
            let lost = simplified_where(&mut self.prover.terms, lost, &here);
            if self.prover.terms.as_bool(lost) == Some(false) || lost == old {
                continue;
            }
            let invariant = self.invariant(pair);
            let question: Vec<TermId> = [kept, lost].into_iter().chain(invariant).collect();
            match self.prover.check(&question) {
                Answer::Unsat => {}
                Answer::Sat => new.push(lost),
                Answer::Unknown(why) => {
                    return Err(Reason::Solver { asked: Some(Asked::CompareRounds), why });
                }
            }
        }
        if new.is_empty() {
            return Ok(None);
        }
        let all = self.prover.terms.or([old].into_iter().chain(new));
        Ok(Some(self.shorter(pair, all)))
    }

    /// The same condition in fewer words: `true` where nothing else is left, and without alternatives that the
    /// others cover.
    fn shorter(&mut self, pair: Pair, lost: TermId) -> TermId {
        let invariant = self.invariant(pair);
        let kept = self.prover.terms.not(lost);
        let mut question = vec![kept];
        question.extend(&invariant);
        if self.prover.check(&question) == Answer::Unsat {
            return self.prover.terms.bool(true);
        }
        self.prover.fewer_parts(lost, &invariant)
    }

    /// What always holds of the variables in a pair of states.
    pub fn invariant(&self, (left, right): Pair) -> Vec<TermId> {
        let (first, second) = (&self.facts[SideId::Left], &self.facts[SideId::Right]);
        first[left].iter().chain(&second[right]).copied().collect()
    }

    /// Whether the initial configurations can be lost.
    pub fn initially(&mut self, lost: &FxHashMap<Pair, TermId>) -> Answer {
        let no = self.prover.terms.bool(false);
        let lost = lost.get(&FIRST).copied().unwrap_or(no);
        let related = self.prover.terms.not(lost);
        let apart: Vec<TermId> = self.apart(related).into_iter().map(|(_, apart)| apart).collect();
        let apart = self.prover.terms.or(apart);
        if self.prover.terms.as_bool(apart) == Some(false) {
            return Answer::Unsat;
        }
        self.prover.check(&[apart])
    }
}
