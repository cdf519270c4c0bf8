//! What has to hold for a relation to be what it claims: one question for each pair and step, which must have no
//! solution.

use rustc_hash::FxHashMap;

use super::SideId;
use super::game::{Challenge, FIRST, Game, Pair};
use crate::algebra::{TermId, VarId};
use crate::automaton::StateId;
use crate::base::budget::is_spent;
use crate::outcome::{self, Failure, ObligationKind, Status};
use crate::smt::Answer;
use crate::system::{Change, Step, Valuation};

/// For each pair of states, the condition under which they are related; other pairs are not.
pub type Relation = Vec<(Pair, TermId)>;

/// What an obligation is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum About {
    /// The initial configurations are related.
    Initial,
    /// A step is answered.
    Step(Pair, Challenge),
    /// Where the left side is stuck, the right one is, or can get stuck silently.
    Stuck(Pair),
}

/// Where a relation fails.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The values of the variables of both.
    pub values: Vec<(VarId, TermId)>,
    /// The step that is made, with values.
    pub step: Step,
    /// What it changes.
    pub changes: Vec<Change>,
    /// Values of symbolic constants and uninterpreted functions.
    pub given: Vec<(TermId, TermId)>,
    /// Whether it can be answered at all: then no answer leads to related configurations.
    pub answered: bool,
}

/// A question that must have no solution.
#[derive(Clone, Debug)]
pub struct VerificationCondition {
    /// What it is about.
    pub about: About,
    /// What must not hold together.
    pub conditions: Vec<TermId>,
}

impl Game<'_, '_> {
    /// All obligations of a relation.
    pub fn obligations(&mut self, relation: &Relation) -> Vec<VerificationCondition> {
        let no = self.prover.terms.bool(false);
        let related: FxHashMap<Pair, TermId> = relation.iter().copied().collect();
        let mut all = Vec::new();
        let first = related.get(&FIRST).copied().unwrap_or(no);
        let apart: Vec<TermId> = self.apart(first).into_iter().map(|(_, apart)| apart).collect();
        let apart = self.prover.terms.or(apart);
        all.push(VerificationCondition { about: About::Initial, conditions: vec![apart] });
        for &(pair, condition) in relation {
            if self.prover.terms.as_bool(condition) == Some(false) {
                continue;
            }
            for challenge in self.challenges(pair) {
                if is_spent() {
                    return all;
                }
                let then = |next: Pair| related.get(&next).copied().unwrap_or(no);
                let parts = self.unanswered(pair, challenge, &then);
                let mut conditions = vec![condition];
                conditions.extend(parts.unwrap_or_else(|| vec![no]));
                all.push(VerificationCondition { about: About::Step(pair, challenge), conditions });
            }
            if self.rules.deadlocks {
                let stuck = self.stuck(pair);
                let about = About::Stuck(pair);
                all.push(VerificationCondition { about, conditions: vec![condition, stuck] });
            }
        }
        all
    }

    /// When the initial configurations are not related: one side begins with values to which none that the other
    /// side could begin with are related. For each side that challenges, a condition on its variables that have
    /// no initial value.
    pub(super) fn apart(&mut self, related: TermId) -> Vec<(SideId, TermId)> {
        let initial = self.sides.initial_values();
        let related = self.prover.terms.substitute(related, &initial);
        let sides: &[SideId] =
            if self.rules.both { &[SideId::Left, SideId::Right] } else { &[SideId::Left] };
        let mut found = Vec::with_capacity(sides.len());
        for &side in sides {
            let free = self.sides[side.other()].free_at_first();
            let answered =
                if free.is_empty() { related } else { self.prover.exists(&free, vec![related]) };
            found.push((side, self.prover.terms.not(answered)));
        }
        found
    }

    /// Whether an obligation is met: *unsat* means yes.
    pub fn meets(&mut self, obligation: &VerificationCondition) -> Answer {
        self.prover.none_holds(&obligation.conditions)
    }

    /// The obligations that are not met, each with the answer.
    pub fn unmet(
        &mut self,
        obligations: &[VerificationCondition],
    ) -> Vec<(VerificationCondition, Answer)> {
        let mut unmet = Vec::new();
        for obligation in obligations {
            let answer = self.meets(obligation);
            self.prover.searching(&format!("{} obligations", obligations.len()));
            if answer != Answer::Unsat {
                unmet.push((obligation.clone(), answer));
            }
        }
        unmet
    }

    /// Values for which an obligation is not met: those of the variables of both, and the step that is made with them.
    pub fn counterexample(&mut self, obligation: &VerificationCondition) -> Option<Counterexample> {
        let About::Step(pair, challenge) = obligation.about else { return None };
        let made = self.step(pair, challenge);
        let own: Vec<VarId> = self.sides.variables();
        let all: Vec<VarId> = own.iter().chain(&made.locals).copied().collect();
        let values = self.prover.model(&obligation.conditions, &all).ok()?;
        let position = Valuation { values: values.clone(), ..Valuation::default() };
        let yes = self.prover.terms.bool(true);
        let mut answered = false;
        for answer in self.answers(pair, challenge) {
            if let Some(fits) = self.covers(made, &answer, yes) {
                answered |= self.prover.asked(fits, &position) != Answer::Unsat;
            }
        }
        let step = self.prover.with_values(made, &values);
        let values: Vec<(VarId, TermId)> =
            own.into_iter().filter_map(|var| Some((var, *values.get(&var)?))).collect();
        Some(self.settled_counterexample(obligation, values, &step, answered))
    }

    /// The same with values of all that it is about, and what changes.
    fn settled_counterexample(
        &mut self,
        obligation: &VerificationCondition,
        values: Vec<(VarId, TermId)>,
        step: &Step,
        answered: bool,
    ) -> Counterexample {
        let values_now = values.iter().copied().collect();
        let mut facts = Valuation { values: values_now, ..Valuation::default() };
        self.prover.remember(&mut facts, &obligation.conditions);
        let settled = self.prover.settle(&facts.facts, &step.terms());
        let step = self.prover.put_step(&settled, step);
        let variables = self.sides.variables();
        let changes = self.prover.changes(&step, &variables, &facts.values);
        Counterexample { values, step, changes, answered, given: settled.given }
    }

    /// What an obligation is about.
    pub fn obligation_kind(&self, about: &About) -> ObligationKind {
        match about {
            About::Initial => ObligationKind::Initial,
            About::Step(pair, challenge) => ObligationKind::Answered {
                at: self.pair_names(*pair),
                of_first: challenge.side == SideId::Left,
                step: challenge.step.index() + 1,
            },
            About::Stuck(pair) if self.rules.weak.is_some() => {
                ObligationKind::StuckSilently { at: self.pair_names(*pair) }
            }
            About::Stuck(pair) => ObligationKind::StuckTogether { at: self.pair_names(*pair) },
        }
    }

    /// An obligation with what became of it.
    pub fn status(&self, about: &About, answer: &Answer) -> outcome::Obligation {
        let status = match answer {
            Answer::Unsat => Status::Met,
            Answer::Sat => Status::Failed,
            Answer::Unknown(why) => Status::Unknown(why.clone()),
        };
        outcome::Obligation { about: self.obligation_kind(about), status }
    }

    /// What failed.
    pub fn failed(&self, about: &About, answer: &Answer) -> Failure {
        let goes = match about {
            About::Step(pair, challenge) => {
                let side = &self.sides[challenge.side];
                let step = self.step(*pair, *challenge);
                let state = |at: StateId| side.state_name(at);
                let name = side.automaton.name.to_string();
                Some((name, state(step.source), state(step.target)))
            }
            About::Initial | About::Stuck(_) => None,
        };
        Failure { obligation: self.status(about, answer), goes, step: None }
    }

    /// The names of a pair of states.
    pub fn pair_names(&self, (left, right): Pair) -> (String, String) {
        let name = |side: SideId, state: StateId| self.sides[side].state_name(state);
        (name(SideId::Left, left), name(SideId::Right, right))
    }
}
