//! Runs of a problem as formulas, step by step, in one conversation with the solver.
//!
//! After each step there is a copy of every variable that the step may have changed; the others are the same as before. One
//! truth value for each interaction says that it is the one that happens. Interactions that cannot happen yet, because no
//! run so short leads to the locations where they start, are left out: so early steps are small.

use rustc_hash::{FxHashMap, FxHashSet};

use super::problem::{InteractionId, ParticipantId, Problem, TurnId, way_taken};
use super::{Lead, LeadStep};
use crate::algebra::{Sort, TermId, Terms, VarId, VariableKind};
use crate::base::IndexVec;
use crate::diagnostics::Symbol;
use crate::pnet::PltsStateId;
use crate::smt::{Limits, Model, Session, Unsupported};
use crate::tagged_id;

tagged_id! {
    /// A configuration of a run: the first, the one after the first step, and so on.
    FrameId
}

/// A run that becomes longer.
pub(super) struct Unrolling<'p, 'n> {
    problem: &'p Problem<'n>,
    pub terms: Terms,
    pub session: Session,
    /// For each configuration, what stands for the variables of the state.
    frames: IndexVec<FrameId, FxHashMap<VarId, VarId>>,
    steps: IndexVec<FrameId, Unrolled>,
    /// The locations where components can be by now.
    reached: FxHashSet<VarId>,
}

/// A step of a run.
struct Unrolled {
    /// The interactions that may happen, each with what says that it does.
    choices: Vec<(InteractionId, VarId)>,
    /// What stands for the own variables of interactions.
    locals: FxHashMap<VarId, VarId>,
}

impl<'p, 'n> Unrolling<'p, 'n> {
    /// A run without steps, that begins where the net does.
    pub fn new(problem: &'p Problem<'n>, limits: Limits) -> Result<Unrolling<'p, 'n>, Unsupported> {
        Unrolling::among(problem, problem.terms.clone(), limits)
    }

    /// The same, among terms that are more than those of the problem.
    pub fn among(
        problem: &'p Problem<'n>,
        terms: Terms,
        limits: Limits,
    ) -> Result<Unrolling<'p, 'n>, Unsupported> {
        let begins = |component: &super::Component| component.locations[component.initial];
        let reached = problem.components.iter().map(begins).collect();
        Unrolling::where_it_is(problem, terms, limits, (&problem.initial, reached))
    }

    /// A run without steps, that begins anywhere.
    pub fn anywhere(
        problem: &'p Problem<'n>,
        mut terms: Terms,
        limits: Limits,
    ) -> Result<Unrolling<'p, 'n>, Unsupported> {
        let all = problem.components.iter().flat_map(|component| component.locations.iter());
        let (reached, shape) = (all.copied().collect(), problem.shape(&mut terms));
        Unrolling::where_it_is(problem, terms, limits, (&shape, reached))
    }

    fn where_it_is(
        problem: &'p Problem<'n>,
        mut terms: Terms,
        limits: Limits,
        (begins, reached): (&[TermId], FxHashSet<VarId>),
    ) -> Result<Unrolling<'p, 'n>, Unsupported> {
        let open_world = problem.is_open_world();
        let mut session = Session::new(&problem.net.algebra, &mut terms, open_world, limits)?;
        for &one in begins {
            session.assert(&mut terms, one)?;
        }
        session.know(&mut terms, &problem.state_variables())?;
        let first = problem.state_variables().into_iter().map(|var| (var, var)).collect();
        let frames = IndexVec::from_iter([first]);
        let steps = IndexVec::default();
        Ok(Unrolling { problem, terms, session, frames, steps, reached })
    }

    /// How many steps it has.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// A condition on the last configuration.
    pub fn at_end(&mut self, condition: TermId) -> TermId {
        let Some(last) = self.frames.last() else { return condition };
        let here = renaming(&self.terms, last.iter().map(|(&var, &own)| (var, own)));
        self.terms.substitute(condition, &here)
    }

    /// Has a condition hold in the last configuration.
    pub fn assert_at_end(&mut self, condition: TermId) -> Result<(), Unsupported> {
        let condition = self.at_end(condition);
        self.session.assert(&mut self.terms, condition)
    }

    /// In the last configuration, components are in these locations and in no others.
    pub fn is_only_at(&mut self, locations: Vec<VarId>) {
        self.reached = locations.into_iter().collect();
    }

    /// One more step; whether there is an interaction that may happen.
    pub fn extend(&mut self) -> Result<bool, Unsupported> {
        let problem = self.problem;
        let ids = problem.interactions.ids();
        let possible: Vec<InteractionId> = ids.filter(|&id| self.is_possible(id)).collect();
        let Some(before) = self.frames.last().cloned() else { return Ok(false) };
        let mut after = before.clone();
        let mut changed_by: FxHashMap<VarId, Vec<TermId>> = FxHashMap::default();
        let mut choices = Vec::with_capacity(possible.len());
        for &id in &possible {
            let name = Symbol::new(&format!("step {} is {}", self.len() + 1, choices.len()));
            let fires = self.terms.new_var(name, Sort::Bool, VariableKind::State);
            choices.push((id, fires));
            for var in problem.changes(id) {
                changed_by.entry(var).or_default().push(self.terms.var_term(fires));
            }
        }
        let mut changed: Vec<VarId> = changed_by.keys().copied().collect();
        changed.sort_unstable();
        let (_, fresh) = self.terms.fresh(changed.iter().copied(), VariableKind::State);
        after.extend(changed.iter().copied().zip(fresh));
        let mut locals = FxHashMap::default();
        for &(id, fires) in &choices {
            self.happens(id, fires, (&before, &after), &mut locals)?;
        }
        for var in changed {
            let (old, new) = (self.terms.var_term(before[&var]), self.terms.var_term(after[&var]));
            let same = self.terms.equal(old, new);
            let causes = changed_by.remove(&var).unwrap_or_default();
            let kept = self.terms.or(causes.into_iter().chain([same]));
            self.session.assert(&mut self.terms, kept)?;
        }
        self.one_happens(&choices)?;
        let any = !choices.is_empty();
        self.frames.push(after);
        self.steps.push(Unrolled { choices, locals });
        self.reach(&possible);
        Ok(any)
    }

    /// What an interaction is, if it happens.
    fn happens(
        &mut self,
        id: InteractionId,
        fires: VarId,
        (before, after): (&FxHashMap<VarId, VarId>, &FxHashMap<VarId, VarId>),
        locals: &mut FxHashMap<VarId, VarId>,
    ) -> Result<(), Unsupported> {
        let problem = self.problem;
        let own = problem.interactions[id].locals.iter().copied();
        let missing: Vec<VarId> = own.filter(|var| !locals.contains_key(var)).collect();
        let (_, fresh) = self.terms.fresh(missing.iter().copied(), VariableKind::Vector);
        self.session.know(&mut self.terms, &fresh)?;
        locals.extend(missing.into_iter().zip(fresh));
        let fires = self.terms.var_term(fires);
        let not = self.terms.not(fires);
        // What is new after the step is no variable of the state, so that both can be put in at once.
        let parts = problem.step(&mut self.terms, id, after);
        let both = before.iter().chain(locals.iter()).map(|(&var, &own)| (var, own));
        let here = renaming(&self.terms, both);
        let mut done = FxHashMap::default();
        for part in parts {
            let part = self.terms.substitute_with(part, &here, &mut done);
            let then = self.terms.or([not, part]);
            self.session.assert(&mut self.terms, then)?;
        }
        Ok(())
    }

    /// Exactly one interaction happens: once one of those before has happened, none of the rest does.
    fn one_happens(&mut self, choices: &[(InteractionId, VarId)]) -> Result<(), Unsupported> {
        let fires: Vec<TermId> = choices.iter().map(|&(_, var)| self.terms.var_term(var)).collect();
        let mut parts = vec![self.terms.or(fires.iter().copied())];
        let mut earlier: Option<TermId> = None;
        for &one in &fires {
            let none = self.terms.not(one);
            if let Some(earlier) = earlier {
                let not = self.terms.not(earlier);
                parts.push(self.terms.or([not, none]));
            }
            let name = Symbol::new("happened");
            let by_now = self.terms.new_var(name, Sort::Bool, VariableKind::State);
            let by_now = self.terms.var_term(by_now);
            parts.push(self.terms.or([none, by_now]));
            if let Some(earlier) = earlier {
                let not = self.terms.not(earlier);
                parts.push(self.terms.or([not, by_now]));
            }
            earlier = Some(by_now);
        }
        parts.into_iter().try_for_each(|part| self.session.assert(&mut self.terms, part))
    }

    // ---- locations ----

    fn is_reached(&self, id: super::ComponentId, location: PltsStateId) -> bool {
        self.reached.contains(&self.problem.components[id].locations[location])
    }

    /// Whether all participants can be where they have to be by now.
    fn is_possible(&self, id: InteractionId) -> bool {
        self.problem.interactions[id].participants.iter().all(|participant| {
            let mut ways = participant.ways.iter();
            ways.any(|way| self.is_reached(participant.component, way.from))
        })
    }

    /// Where components can be after one more step.
    fn reach(&mut self, possible: &[InteractionId]) {
        let mut new = Vec::new();
        for &id in possible {
            for participant in &self.problem.interactions[id].participants {
                let component = &self.problem.components[participant.component];
                let ways = participant.ways.iter();
                let from = ways.filter(|way| self.is_reached(participant.component, way.from));
                new.extend(from.map(|way| component.locations[way.to]));
            }
        }
        self.reached.extend(new);
    }

    // ---- what the solver found ----

    /// The run of the model that was found.
    pub fn lead(&mut self) -> Result<Lead, Unsupported> {
        let mut vars: FxHashSet<VarId> =
            self.frames.iter().flat_map(|frame| frame.values().copied()).collect();
        vars.extend(self.steps.iter().flat_map(|step| step.locals.values().copied()));
        let mut vars: Vec<VarId> = vars.into_iter().collect();
        vars.sort_unstable();
        let (values, constants) = self.session.valuation(&self.terms, &vars)?;
        let begin = self.frames.iter().next().map(|first| read(&values, first)).unwrap_or_default();
        let mut steps = Vec::with_capacity(self.steps.len());
        for number in self.steps.ids() {
            steps.push(self.lead_step(number, &values).ok_or(Unsupported::Misfit)?);
        }
        Ok(Lead { constants, begin, steps })
    }

    fn lead_step(&mut self, number: FrameId, values: &Model) -> Option<LeadStep> {
        let choices = self.steps[number].choices.clone();
        let mut happened = None;
        for (id, fires) in choices {
            let fires = self.terms.var_term(fires);
            if self.session.holds(&mut self.terms, fires) == Some(true) {
                happened = Some(id);
            }
        }
        let interaction = happened?;
        let own = &self.problem.interactions[interaction].locals;
        let copies = &self.steps[number].locals;
        let locals =
            own.iter().filter_map(|var| Some((*var, values.get(copies.get(var)?)?.clone())));
        let locals = locals.collect();
        let after = read(values, &self.frames[FrameId(number.0 + 1)]);
        let ways = self.ways(number, interaction)?;
        Some(LeadStep { interaction, ways, locals, after })
    }

    /// What each participant does.
    fn ways(
        &mut self,
        number: FrameId,
        interaction: InteractionId,
    ) -> Option<IndexVec<ParticipantId, TurnId>> {
        let next = self.frames[FrameId(number.0 + 1)].clone();
        let here = self.frames[number].iter().chain(&self.steps[number].locals);
        let here = renaming(&self.terms, here.map(|(&var, &own)| (var, own)));
        let asked = (&mut self.terms, &mut self.session);
        ways_taken(self.problem, interaction, asked, (&here, &next))
    }
}

/// What each participant of an interaction does in the model that a session found. `here` is put in for variables before the
/// step, and `next` has those after it.
pub(super) fn ways_taken(
    problem: &Problem<'_>,
    interaction: InteractionId,
    (terms, session): (&mut Terms, &mut Session),
    (here, next): (&FxHashMap<VarId, TermId>, &FxHashMap<VarId, VarId>),
) -> Option<IndexVec<ParticipantId, TurnId>> {
    let changed = problem.changes(interaction);
    let mut found = IndexVec::default();
    for participant in &problem.interactions[interaction].participants {
        let component = &problem.components[participant.component];
        let own = problem.variables_of(participant.component).into_iter();
        let own: Vec<VarId> = own.filter(|var| changed.binary_search(var).is_ok()).collect();
        let mut taken = None;
        for (id, way) in participant.ways.enumerated() {
            let this = way_taken(terms, component, way, &own, next);
            let this = terms.substitute(this, here);
            if session.holds(terms, this) == Some(true) {
                taken = Some(id);
                break;
            }
        }
        found.push(taken?);
    }
    Some(found)
}

/// What is put in for variables.
fn renaming(
    terms: &Terms,
    pairs: impl Iterator<Item = (VarId, VarId)>,
) -> FxHashMap<VarId, TermId> {
    let others = pairs.filter(|(var, own)| var != own);
    others.map(|(var, own)| (var, terms.var_term(own))).collect()
}

/// The values of variables, from those of their copies.
fn read(values: &Model, copies: &FxHashMap<VarId, VarId>) -> Model {
    let each = copies.iter().filter_map(|(var, own)| Some((*var, values.get(own)?.clone())));
    each.collect()
}
