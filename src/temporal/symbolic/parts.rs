//! Formulas as parts, with negations at their atoms, in the prover's table and state by state of the automaton.
//!
//! What a formula binds gets a variable of its own wherever it is bound, so that nothing is captured where one part is put
//! into another.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Set;
use crate::algebra::{ImportMap, Term, TermId, Terms, VarId, VariableKind};
use crate::automaton::StateId;
use crate::base::IndexVec;
use crate::diagnostics::Span;
use crate::pnet::{LeafId, PNet, PltsId};
use crate::system::{Prover, Step, StepId, System};
use crate::tagged_id;
use crate::temporal::explicit::Undecided;
use crate::temporal::formula::{FixId, Formula, Modality, StateFormula, StepPattern};

tagged_id! {
    /// A part of a formula.
    PartId
}

/// A step of a state that a pattern may mean.
#[derive(Clone, Debug)]
pub(super) struct Move {
    /// The step.
    pub step: StepId,
    /// When it is meant.
    pub fits: TermId,
    /// What is bound, by what it is then.
    pub binds: FxHashMap<VarId, TermId>,
}

/// A part of a formula.
#[derive(Clone, Debug)]
pub(super) enum Part {
    Bool(bool),
    /// Where conditions hold.
    Holds(Set),
    /// Where a run may end, or may not.
    MayEnd(bool),
    /// All of these, or one of these.
    Several(bool, Vec<PartId>),
    /// For all values, or for some.
    Values(bool, Vec<VarId>, PartId),
    /// All such steps, or one.
    Steps {
        all: bool,
        moves: IndexVec<StateId, Vec<Move>>,
        then: PartId,
    },
    Fix {
        id: FixId,
        greatest: bool,
        /// The parameters, and what they are where it stands.
        params: Vec<(VarId, TermId)>,
        body: PartId,
    },
    /// A fixpoint again, with values for its parameters.
    Again(PartId, Vec<TermId>),
}

/// The parts of formulas about one system.
pub(super) struct Parts {
    pub all: IndexVec<PartId, Part>,
    /// The fixpoints around each that it speaks of.
    pub free: IndexVec<PartId, Vec<PartId>>,
    /// The texts of parts that have one, and whether the part is the opposite of what it says.
    pub texts: FxHashMap<PartId, (Span, bool)>,
    /// The variables that stand for what is bound, in the order in which they were made.
    pub bound: Vec<VarId>,
}

/// Makes parts of a formula.
pub(super) struct Builder<'b, 'a> {
    pub system: &'b System<'a>,
    pub prover: &'b mut Prover<'a>,
    formula: &'b Formula,
    done: ImportMap,
    /// What stands for the variables of the formula's table, once they are taken over.
    known: FxHashMap<VarId, TermId>,
    /// The variable for what a step shows.
    shown: VarId,
    /// The variables for the states of leaves.
    locations: Vec<(VarId, LeafId)>,
    parts: Parts,
    fixes: Vec<(FixId, bool, PartId)>,
}

impl<'b, 'a> Builder<'b, 'a> {
    /// A builder for a formula about a net, whose automaton the system is.
    pub fn new(
        net: &PNet,
        system: &'b System<'a>,
        prover: &'b mut Prover<'a>,
        formula: &'b Formula,
    ) -> Builder<'b, 'a> {
        let mut done = ImportMap::default();
        let mut known = FxHashMap::default();
        let leaves = net.leaves();
        for (path, plts) in &leaves {
            for (var, _) in &net.plts[*plts].variables {
                let name = net.terms.var(*var).name;
                let path =
                    if path.is_empty() { name.to_string() } else { format!("{path}.{name}") };
                let Some(here) = system.variables.iter().find(|variable| variable.path == path)
                else {
                    continue;
                };
                let new = prover.terms.import_var(&formula.terms, *var, &mut done);
                known.insert(new, prover.terms.var_term(here.var));
            }
        }
        let leaf = |plts: PltsId| leaves.enumerated().find(|(_, (_, id))| *id == plts);
        let locations = formula.locations.iter().filter_map(|(var, plts)| {
            let (leaf, _) = leaf(*plts)?;
            Some((prover.terms.import_var(&formula.terms, *var, &mut done), leaf))
        });
        let locations = locations.collect();
        let shown = prover.terms.import_var(&formula.terms, formula.shown, &mut done);
        let parts = Parts {
            all: IndexVec::default(),
            free: IndexVec::default(),
            texts: FxHashMap::default(),
            bound: Vec::new(),
        };
        Builder { system, prover, formula, done, known, shown, locations, parts, fixes: Vec::new() }
    }

    /// The parts.
    pub fn finish(self) -> Parts {
        self.parts
    }

    /// A term of the formula, as it is here.
    fn term(&mut self, term: TermId) -> TermId {
        let here = self.prover.terms.import(&self.formula.terms, term, &mut self.done);
        self.prover.terms.substitute(here, &self.known)
    }

    /// A formula, or its opposite.
    pub fn add(&mut self, formula: &StateFormula, not: bool) -> Result<PartId, Undecided> {
        let part = match formula {
            StateFormula::Bool(value) => Part::Bool(*value != not),
            StateFormula::Holds(says) => {
                let (owed, says) = (self.term(says.owed), self.term(says.says));
                let holds = self.prover.terms.and([owed, says]);
                let holds = if not { self.prover.terms.not(holds) } else { holds };
                Part::Holds(self.by_state(holds))
            }
            StateFormula::MayEnd => Part::MayEnd(!not),
            StateFormula::Not(inner) => return self.add(inner, !not),
            StateFormula::Text(span, inner) => {
                let part = self.add(inner, not)?;
                self.parts.texts.insert(part, (*span, not));
                return Ok(part);
            }
            StateFormula::And(parts) => self.several(!not, parts.iter().map(|one| (one, not)))?,
            StateFormula::Or(parts) => self.several(not, parts.iter().map(|one| (one, not)))?,
            StateFormula::Implies(one, other) => {
                self.several(not, [(&**one, !not), (&**other, not)].into_iter())?
            }
            StateFormula::Forall(vars, inner) | StateFormula::Exists(vars, inner) => {
                let all = matches!(formula, StateFormula::Forall(..)) != not;
                let (bound, before) = self.bind(vars.iter().copied());
                let inner = self.add(inner, not);
                self.known = before;
                Part::Values(all, bound, inner?)
            }
            StateFormula::Box(modality) | StateFormula::Diamond(modality) => {
                let all = matches!(formula, StateFormula::Box(_)) != not;
                self.steps(all, modality, not)?
            }
            StateFormula::Fix { id, greatest, params, body } => {
                return self.fixpoint(*id, *greatest != not, params, body, not);
            }
            StateFormula::Again(id, args) => {
                let known = self.fixes.iter().rev().find(|(known, ..)| known == id);
                let &(_, polarity, at) = known.ok_or(Undecided::Unbound)?;
                if polarity != not {
                    return Err(Undecided::NotMonotone);
                }
                Part::Again(at, args.iter().map(|&arg| self.term(arg)).collect())
            }
            StateFormula::Path(..) => return Err(Undecided::Mixed),
        };
        Ok(self.push(part))
    }

    fn push(&mut self, part: Part) -> PartId {
        let mut free: Vec<PartId> = match &part {
            Part::Several(_, parts) => {
                parts.iter().flat_map(|&one| self.parts.free[one].clone()).collect()
            }
            Part::Values(_, _, inner) | Part::Steps { then: inner, .. } => {
                self.parts.free[*inner].clone()
            }
            Part::Again(fix, _) => vec![*fix],
            _ => Vec::new(),
        };
        free.sort_unstable();
        free.dedup();
        self.parts.free.push(free);
        self.parts.all.push(part)
    }

    fn several<'f>(
        &mut self,
        all: bool,
        parts: impl Iterator<Item = (&'f StateFormula, bool)>,
    ) -> Result<Part, Undecided> {
        let parts = parts.map(|(part, not)| self.add(part, not)).collect::<Result<_, _>>()?;
        Ok(Part::Several(all, parts))
    }

    fn fixpoint(
        &mut self,
        id: FixId,
        greatest: bool,
        params: &[(VarId, TermId)],
        body: &StateFormula,
        not: bool,
    ) -> Result<PartId, Undecided> {
        let values: Vec<TermId> = params.iter().map(|&(_, value)| self.term(value)).collect();
        let at = self.push(Part::Bool(false));
        let (bound, before) = self.bind(params.iter().map(|(var, _)| *var));
        self.fixes.push((id, not, at));
        let body = self.add(body, not);
        self.fixes.pop();
        self.known = before;
        let body = body?;
        let params = bound.into_iter().zip(values).collect();
        self.parts.all[at] = Part::Fix { id, greatest, params, body };
        let free = self.parts.free[body].iter().copied().filter(|fix| *fix != at);
        self.parts.free[at] = free.collect();
        Ok(at)
    }

    /// New variables for those that are bound; also what was known before.
    fn bind(
        &mut self,
        vars: impl Iterator<Item = VarId>,
    ) -> (Vec<VarId>, FxHashMap<VarId, TermId>) {
        let before = self.known.clone();
        let taken: Vec<VarId> = vars
            .map(|var| self.prover.terms.import_var(&self.formula.terms, var, &mut self.done))
            .collect();
        let (_, fresh) = self.prover.terms.fresh(taken.iter().copied(), VariableKind::Vector);
        self.parts.bound.extend(&fresh);
        for (var, new) in taken.iter().zip(&fresh) {
            self.known.insert(*var, self.prover.terms.var_term(*new));
        }
        (fresh, before)
    }

    /// What a condition says in each state, with the states of leaves in it.
    fn by_state(&mut self, condition: TermId) -> Set {
        let states = &self.system.automaton.states;
        let mut set = Set::default();
        for state in states {
            let mut here = FxHashMap::default();
            for &(var, leaf) in &self.locations {
                let number = self.prover.terms.int(state.leaves[leaf].index());
                here.insert(var, number);
            }
            set.push(self.prover.terms.substitute(condition, &here));
        }
        set
    }

    fn steps(&mut self, all: bool, modality: &Modality, not: bool) -> Result<Part, Undecided> {
        let binds: Vec<TermId> = modality.binds.iter().map(|&(_, term)| self.term(term)).collect();
        let system = self.system;
        let mut moves: IndexVec<StateId, Vec<Move>> = IndexVec::default();
        let mut known: FxHashMap<&StepPattern, TermId> = FxHashMap::default();
        for steps in &system.steps {
            let mut meant = Vec::new();
            for (place, step) in steps.enumerated() {
                let fits = self.fits(&modality.step, step, &mut known);
                if self.prover.terms.as_bool(fits) != Some(false) {
                    meant.push((place, fits));
                }
            }
            let bound = |(step, fits)| Move { step, fits, binds: FxHashMap::default() };
            moves.push(meant.into_iter().map(bound).collect());
        }
        let (vars, before) = self.bind(modality.binds.iter().map(|(var, _)| *var));
        for (steps, meant) in system.steps.iter().zip(&mut moves) {
            for one in meant {
                let shown = [(self.shown, steps[one.step].action)].into_iter().collect();
                for (&var, &term) in vars.iter().zip(&binds) {
                    one.binds.insert(var, self.prover.terms.substitute(term, &shown));
                }
            }
        }
        let then = self.add(&modality.then, not);
        self.known = before;
        Ok(Part::Steps { all, moves, then: then? })
    }

    /// When a step is meant by a pattern.
    fn fits<'p>(
        &mut self,
        pattern: &'p StepPattern,
        step: &Step,
        known: &mut FxHashMap<&'p StepPattern, TermId>,
    ) -> TermId {
        let on = |builder: &mut Self, term: TermId, action: TermId, known: &mut FxHashMap<_, _>| {
            let term = match known.get(pattern) {
                Some(&term) => term,
                None => builder.term(term),
            };
            known.insert(pattern, term);
            let shown = [(builder.shown, action)].into_iter().collect();
            builder.prover.terms.substitute(term, &shown)
        };
        match pattern {
            StepPattern::Any => self.prover.terms.bool(true),
            StepPattern::Shows(term) => on(self, *term, step.action, known),
            StepPattern::Hole(hole, term) => match step.hole(*hole) {
                Some(action) => on(self, *term, action, known),
                None => self.prover.terms.bool(false),
            },
            StepPattern::With(places) => {
                let transitions = &self.system.automaton.transitions;
                let used = step.made_of.iter().flat_map(|(at, _)| &transitions[*at].used.vectors);
                let is = used.into_iter().any(|vector| places.contains(vector));
                self.prover.terms.bool(is)
            }
            StepPattern::Not(inner) => {
                let inner = self.fits(inner, step, known);
                self.prover.terms.not(inner)
            }
            StepPattern::And(parts) => {
                let parts: Vec<TermId> =
                    parts.iter().map(|part| self.fits(part, step, known)).collect();
                self.prover.terms.and(parts)
            }
            StepPattern::Or(parts) => {
                let parts: Vec<TermId> =
                    parts.iter().map(|part| self.fits(part, step, known)).collect();
                self.prover.terms.or(parts)
            }
        }
    }
}

/// Whether one of some terms applies a function that has a definition: what is inferred without unfolding it may be wrong.
pub(super) fn calls(prover: &Prover<'_>, parts: &Parts) -> bool {
    let mut roots: FxHashSet<TermId> = FxHashSet::default();
    for part in &parts.all {
        match part {
            Part::Holds(set) => roots.extend(set.iter().copied()),
            Part::Steps { moves, .. } => {
                for one in moves.iter().flatten() {
                    roots.insert(one.fits);
                    roots.extend(one.binds.values().copied());
                }
            }
            Part::Again(_, args) => roots.extend(args.iter().copied()),
            Part::Fix { params, .. } => roots.extend(params.iter().map(|(_, value)| *value)),
            _ => {}
        }
    }
    let terms: &Terms = &prover.terms;
    let is_call = |id: TermId| matches!(terms.get(id), Term::Apply(fun, _) if prover.algebra.functions[fun.index()].body.is_some());
    terms.inside(roots).any(is_call)
}
