//! Paths of the tree, made again with symbolic values: a run, or why there is none.

use rustc_hash::FxHashMap;

use super::place::{self, Effect, Move, Place, parts};
use super::post::Abstract;
use super::predicate::Stamp;
use super::tree::{NodeId, Tree};
use crate::algebra::{TermId, VarId, VariableKind};
use crate::safety::{Lead, LeadStep};
use crate::smt::{Answer, Model, Unsupported, Value};
use std::rc::Rc;

/// Minimal reasons are looked for only among so many conditions.
const MOST_MINIMISED: usize = 60;

/// A path, move by move: places and moves alternate, with a place at both ends.
pub(super) struct Path {
    pub places: Vec<Place>,
    pub moves: Vec<Move>,
    /// The node that each place belongs to, or the last one before it.
    pub nodes: Vec<NodeId>,
    /// When each place was looked at.
    pub stamps: Vec<Stamp>,
    /// What each move does.
    pub effects: Vec<Rc<Effect>>,
}

/// A condition of a path, and where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Needed {
    /// The number of the move, or of moves in all where it is about the end.
    pub at: usize,
    /// The condition, over the variables there.
    pub condition: TermId,
}

/// What comes of a path.
pub(super) enum Made {
    Run(Box<Lead>),
    /// These conditions contradict each other and the values at the beginning.
    Impossible(Vec<Needed>),
    Unknown(String),
}

impl Path {
    /// The path to a node.
    pub fn to(abstraction: &mut Abstract<'_, '_>, tree: &Tree, id: NodeId) -> Path {
        let mut at = place::begin(abstraction.problem);
        let mut path = Path {
            places: vec![at.clone()],
            moves: Vec::new(),
            nodes: Vec::new(),
            stamps: Vec::new(),
            effects: Vec::new(),
        };
        let Abstract { problem, terms, folding, .. } = abstraction;
        let stamp = |node: NodeId| tree.nodes[node].cell.stamp;
        let line = tree.path(id);
        for (place, (node, together)) in line.iter().enumerate() {
            let next = line.get(place + 1).map_or(id, |(next, _)| *next);
            for (number, one) in together.iter().enumerate() {
                path.effects.push(folding.effect(problem, terms, one, &at));
                at = place::after(problem, one, &at);
                path.places.push(at.clone());
                path.moves.push(one.clone());
                path.nodes.push(*node);
                // What lies between two nodes was looked at when the second one was made.
                path.stamps.push(stamp(if number == 0 { *node } else { next }));
            }
        }
        path.nodes.push(id);
        path.stamps.push(stamp(id));
        path
    }
}

/// The values along a path, as terms over values at the beginning and choices.
struct Run {
    /// For each place, the value of each variable.
    values: Vec<FxHashMap<VarId, TermId>>,
    /// For each move, what stands for its own variables.
    locals: Vec<FxHashMap<VarId, VarId>>,
    /// All conditions, as they stand in the path and with the values put in.
    conditions: Vec<(Needed, TermId)>,
}

impl Abstract<'_, '_> {
    /// Makes a path to something bad with symbolic values.
    pub fn make(&mut self, path: &Path) -> Result<Made, Unsupported> {
        let run = self.run(path);
        self.session.push();
        let made = self.decide(path, &run);
        self.session.pop();
        made
    }

    fn decide(&mut self, path: &Path, run: &Run) -> Result<Made, Unsupported> {
        let all: Vec<TermId> = run.conditions.iter().map(|(_, condition)| *condition).collect();
        match self.session.check_assuming(&mut self.terms, &all) {
            Answer::Sat => {
                for condition in all {
                    self.session.assert(&mut self.terms, condition)?;
                }
                self.lead(path, run)
            }
            Answer::Unsat => {
                let core = self.session.core();
                let core = self.smaller(core);
                let needed = run.conditions.iter().filter(|(_, one)| core.contains(one));
                Ok(Made::Impossible(needed.map(|(needed, _)| *needed).collect()))
            }
            Answer::Unknown(why) => Ok(Made::Unknown(why)),
        }
    }

    /// Leaves out conditions without which the others still contradict each other, the first ones first.
    fn smaller(&mut self, core: Vec<TermId>) -> Vec<TermId> {
        if core.len() > MOST_MINIMISED {
            return core;
        }
        let mut kept = core;
        let mut at = 0;
        while at < kept.len() {
            let mut fewer = kept.clone();
            fewer.remove(at);
            match self.session.check_assuming(&mut self.terms, &fewer) {
                Answer::Unsat => kept = fewer,
                _ => at += 1,
            }
        }
        kept
    }

    fn run(&mut self, path: &Path) -> Run {
        let problem = self.problem;
        let mut here: FxHashMap<VarId, TermId> = FxHashMap::default();
        for &(var, value) in problem.components.iter().flat_map(|one| &one.variables) {
            here.insert(var, value.unwrap_or_else(|| self.terms.var_term(var)));
        }
        let (mut values, mut locals, mut conditions) = (Vec::new(), Vec::new(), Vec::new());
        for (at, effect) in path.effects.iter().enumerate() {
            let own = problem.interactions[path.moves[at].interaction].locals.iter().copied();
            let own: Vec<VarId> = own.collect();
            let (_, fresh) = self.terms.fresh(own.iter().copied(), VariableKind::Vector);
            let renamed: FxHashMap<VarId, VarId> = own.into_iter().zip(fresh).collect();
            let mut put = here.clone();
            put.extend(renamed.iter().map(|(&var, &new)| (var, self.terms.var_term(new))));
            let mut done = FxHashMap::default();
            for &condition in &effect.conditions {
                let then = self.terms.substitute_with(condition, &put, &mut done);
                conditions.push((Needed { at, condition }, then));
            }
            let mut next = here.clone();
            for (&var, &value) in &effect.updates {
                next.insert(var, self.terms.substitute_with(value, &put, &mut done));
            }
            values.push(std::mem::replace(&mut here, next));
            locals.push(renamed);
        }
        let at = path.moves.len();
        for condition in self.bad_at(&path.places[at]) {
            let then = self.terms.substitute(condition, &here);
            conditions.push((Needed { at, condition }, then));
        }
        values.push(here);
        Run { values, locals, conditions }
    }

    /// What is bad at a place.
    pub fn bad_at(&mut self, place: &Place) -> Vec<TermId> {
        let Abstract { problem, terms, folding, .. } = self;
        let bad = folding.condition(problem, terms, problem.bad, place);
        parts(terms, bad)
    }

    /// The run that a path is, with values. All its conditions are asserted.
    fn lead(&mut self, path: &Path, run: &Run) -> Result<Made, Unsupported> {
        // A name for each value, so that the model can be asked for it.
        let mut names: Vec<FxHashMap<VarId, VarId>> = Vec::with_capacity(run.values.len());
        for values in &run.values {
            let mut vars: Vec<VarId> = values.keys().copied().collect();
            vars.sort_unstable();
            let (_, fresh) = self.terms.fresh(vars.iter().copied(), VariableKind::State);
            for (&var, &name) in vars.iter().zip(&fresh) {
                let named = self.terms.var_term(name);
                let same = self.terms.equal(named, values[&var]);
                self.session.assert(&mut self.terms, same)?;
            }
            names.push(vars.into_iter().zip(fresh).collect());
        }
        let chosen: Vec<VarId> = run.locals.iter().flat_map(|all| all.values().copied()).collect();
        self.session.know(&mut self.terms, &chosen)?;
        match self.session.check() {
            Answer::Sat => {}
            Answer::Unsat => return Ok(Made::Unknown("values leave their ranges".to_owned())),
            Answer::Unknown(why) => return Ok(Made::Unknown(why)),
        }
        let asked: Vec<VarId> =
            names.iter().chain(&run.locals).flat_map(|all| all.values().copied()).collect();
        let (model, constants) = self.session.valuation(&self.terms, &asked)?;
        let said = |names: &FxHashMap<VarId, VarId>| -> Model {
            names.iter().filter_map(|(&var, name)| Some((var, model.get(name)?.clone()))).collect()
        };
        let mut states = names.iter().zip(&path.places).map(|(names, place)| {
            let mut state = said(names);
            state.extend(self.locations(place));
            state
        });
        let begin = states.next().unwrap_or_default();
        let steps = path.moves.iter().zip(&run.locals).zip(states);
        let steps = steps.map(|((one, locals), after)| LeadStep {
            interaction: one.interaction,
            ways: one.ways.clone(),
            locals: said(locals),
            after,
        });
        Ok(Made::Run(Box::new(Lead { constants, begin, steps: steps.collect() })))
    }

    fn locations(&self, place: &Place) -> Vec<(VarId, Value)> {
        let each = |(id, &here)| {
            let locations = self.problem.components[id].locations.enumerated();
            locations.map(move |(location, &var)| (var, Value::Bool(location == here)))
        };
        place.enumerated().flat_map(each).collect()
    }
}
