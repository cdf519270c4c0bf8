//! Greatest fixpoints that speak of themselves in boxes only, as Horn clauses for Spacer: an observer that goes along with
//! the automaton, and meets what is said in each configuration.
//!
//! For each state there is a relation: where the observer may be. It is where the net begins, and goes along with each step
//! after which the fixpoint is spoken of again; it must not be where something else that is said does not hold. What is found
//! is a set that has the first configurations, and from which all that is said leads to itself. It is looked at as any other.

use super::parts::{Part, PartId};
use super::sets::Engine;
use super::{Set, Stopped, Wanted};
use crate::algebra::{TermId, VarId, VariableKind};
use crate::automaton::StateId;
use crate::base::budget::is_spent;
use crate::base::{Id, IndexVec};
use crate::pnet::is_open;
use crate::smt::{Clause, Clauses, HornFound, HornOptions, Limits, RelationId, solve_horn};

/// How long Spacer may think.
const LIMITS: Limits = Limits { milliseconds: 20_000 };

/// More clauses than this are not made.
const MOST_CLAUSES: usize = 20_000;

/// The clauses so far; relations are between the variables of the net, one for each state.
struct Stating {
    clauses: Clauses,
    vars: Vec<VarId>,
}

impl Engine<'_, '_> {
    /// A set for the fixpoint that is asked about, from which all that it says leads to itself; nothing where its form is
    /// another, or nothing was found.
    pub(super) fn by_clauses(&mut self, part: PartId) -> Result<Option<Set>, Stopped> {
        match self.root {
            Some((root, Wanted::All)) if root == part => {}
            _ => return Ok(None),
        }
        if !self.params(part).is_empty() {
            return Ok(None);
        }
        let vars: Vec<VarId> = self.system.variables.iter().map(|v| v.var).collect();
        let states = self.system.steps.len();
        let relations = IndexVec::of(states, vars.clone());
        let mut stating = Stating { clauses: Clauses { relations, clauses: Vec::new() }, vars };
        let initial: Vec<(VarId, TermId)> = self.system.initial_values().collect();
        let terms = &mut self.prover.terms;
        let conditions = initial.into_iter().map(|(var, value)| {
            let var = terms.var_term(var);
            terms.equal(var, value)
        });
        let conditions = conditions.collect();
        let head = Some((RelationId::at(0), stating.vars.clone()));
        stating.clauses.clauses.push(Clause { conditions, head, ..Clause::default() });
        let Part::Fix { body, .. } = self.parts.all[part] else { return Ok(None) };
        for state in self.system.steps.ids() {
            let known = self.facts[state].clone();
            if !self.meets((part, body), state, known, &mut stating)? {
                return Ok(None);
            }
        }
        let open = is_open(&self.system.automaton.holes);
        let algebra = (self.prover.algebra, open);
        let options = HornOptions { limits: LIMITS, merge: true };
        let found = solve_horn(algebra, &mut self.prover.terms, &stating.clauses, options);
        let Ok(HornFound::Holds(found)) = found else { return Ok(None) };
        let set: Set =
            self.system.steps.ids().map(|at| found[RelationId::at(at.index())]).collect();
        Ok(self.leads_to_itself(part, &set)?.then_some(set))
    }

    /// What the observer does in a state where it expects a part, and conditions hold; false where that has no such form.
    fn meets(
        &mut self,
        (fix, part): (PartId, PartId),
        state: StateId,
        conditions: Vec<TermId>,
        stating: &mut Stating,
    ) -> Result<bool, Stopped> {
        if is_spent() {
            return Err(Stopped);
        }
        if stating.clauses.clauses.len() > MOST_CLAUSES {
            return Ok(false);
        }
        let here = (RelationId::at(state.index()), stating.vars.clone());
        if !self.parts.free[part].contains(&fix) {
            let holds = self.set(part)?[state];
            let mut conditions = conditions;
            conditions.push(self.prover.terms.not(holds));
            stating.clauses.clauses.push(Clause { body: vec![here], conditions, head: None });
            return Ok(true);
        }
        match self.parts.all[part].clone() {
            Part::Several(true, parts) => {
                for one in parts {
                    if !self.meets((fix, one), state, conditions.clone(), stating)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Part::Several(false, parts) => {
                let (open, closed): (Vec<PartId>, Vec<PartId>) =
                    parts.into_iter().partition(|&one| self.parts.free[one].contains(&fix));
                let [open] = open.as_slice() else { return Ok(false) };
                let mut conditions = conditions;
                for one in closed {
                    let holds = self.set(one)?[state];
                    conditions.push(self.prover.terms.not(holds));
                }
                self.meets((fix, *open), state, conditions, stating)
            }
            Part::Steps { all: true, moves, then } => {
                // After the step it is the fixpoint again, and nothing else.
                if !matches!(&self.parts.all[then], Part::Again(at, args) if *at == fix && args.is_empty())
                {
                    return Ok(false);
                }
                for one in &moves[state] {
                    let step = &self.system.steps[state][one.step];
                    let mut conditions = conditions.clone();
                    conditions.extend([step.guard, one.fits]);
                    let (_, next) =
                        self.prover.terms.fresh(stating.vars.iter().copied(), VariableKind::Vector);
                    let mut after = stating.vars.clone();
                    for (place, var) in stating.vars.iter().enumerate() {
                        if let Some(&value) = step.updates.get(var) {
                            after[place] = next[place];
                            let new = self.prover.terms.var_term(next[place]);
                            conditions.push(self.prover.terms.equal(new, value));
                        }
                    }
                    let head = Some((RelationId::at(step.target.index()), after));
                    let body = vec![here.clone()];
                    stating.clauses.clauses.push(Clause { body, conditions, head });
                }
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}
