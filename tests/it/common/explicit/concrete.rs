//! An open automaton, run with concrete values.

use std::collections::{BTreeMap, BTreeSet};

use pnetc::algebra::{Sort, TermId, VarId};
use pnetc::automaton::{GlobalState, OpenAutomaton, OpenTransition};

use super::{Config, Context, Env, Step, Trouble, Value, World};

/// An automaton with what it is played with.
#[derive(Debug)]
pub struct Concrete<'a> {
    automaton: &'a OpenAutomaton,
    context: Context<'a>,
    /// Where each variable is in a configuration: its leaf, and its place there.
    places: BTreeMap<VarId, (usize, usize)>,
    /// The states, by those of the leaves.
    states: BTreeMap<Vec<usize>, usize>,
}

impl<'a> Concrete<'a> {
    /// An automaton whose configurations are made of these leaves: paths, each with the paths of its variables.
    pub fn new(
        automaton: &'a OpenAutomaton,
        world: &'a World,
        leaves: &[(String, Vec<String>)],
    ) -> Result<Concrete<'a>, String> {
        let paths: Vec<&str> = automaton.leaves.iter().map(|leaf| leaf.path.as_str()).collect();
        if !paths.iter().eq(leaves.iter().map(|(path, _)| path)) {
            return Err(format!("the automaton has the leaves {paths:?}, the net {leaves:?}"));
        }
        let mut wanted: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for (leaf, (_, variables)) in leaves.iter().enumerate() {
            wanted.extend(variables.iter().enumerate().map(|(at, path)| (&**path, (leaf, at))));
        }
        let mut places = BTreeMap::new();
        for variable in &automaton.variables {
            let Some(place) = wanted.remove(variable.path.as_str()) else {
                return Err(format!("the automaton has a variable {}", variable.path));
            };
            places.insert(variable.var, place);
        }
        if !wanted.is_empty() {
            return Err(format!("the automaton does not have the variables {wanted:?}"));
        }
        let tuple = |state: &GlobalState| -> Vec<usize> {
            state.leaves.iter().map(|state| state.index()).collect()
        };
        let states = automaton.states.iter().enumerate().map(|(at, state)| (tuple(state), at));
        let states = states.collect();
        let context = Context::new(&automaton.terms, &automaton.algebra, world);
        Ok(Concrete { automaton, context, places, states })
    }

    /// The initial configurations.
    pub fn initial(&self) -> Result<BTreeSet<Config>, Trouble> {
        let state = &self.automaton.states[self.automaton.initial];
        let states: Vec<usize> = state.leaves.iter().map(|state| state.index()).collect();
        let values = (0..states.len())
            .map(|leaf| self.places.values().filter(|place| place.0 == leaf).count())
            .map(|count| vec![Value::Tau; count])
            .collect();
        let mut all = BTreeSet::from([Config { states, values }]);
        for variable in &self.automaton.variables {
            let (leaf, at) = self.places[&variable.var];
            let sort = &self.automaton.terms.var(variable.var).sort;
            let domain = match variable.initial {
                Some(term) => vec![self.context.eval(term, &Env::new())?],
                None => self.context.domain(sort)?,
            };
            let mut next = BTreeSet::new();
            for value in domain {
                if self.context.fits(&value, sort)? {
                    next.extend(all.iter().map(|config| {
                        let mut config = config.clone();
                        config.values[leaf][at] = value.clone();
                        config
                    }));
                }
            }
            all = next;
        }
        Ok(all)
    }

    /// Whether the automaton has the state of a configuration.
    pub fn has_state(&self, config: &Config) -> bool {
        self.states.contains_key(&config.states)
    }

    /// Everything that can happen in a configuration; nothing if the automaton does not have its state.
    pub fn steps(&self, config: &Config) -> Result<BTreeSet<Step>, Trouble> {
        let mut found = BTreeSet::new();
        let Some(&at) = self.states.get(&config.states) else { return Ok(found) };
        let own: Env = self
            .places
            .iter()
            .map(|(var, (leaf, at))| (*var, config.values[*leaf][*at].clone()))
            .collect();
        for transition in self.automaton.transitions.iter().filter(|t| t.source.index() == at) {
            for (env, holes) in self.hole_actions(transition, &own)? {
                found.extend(self.step(transition, &env, holes, config)?);
            }
        }
        Ok(found)
    }

    /// Values for all variables of a transition, with what the holes do.
    #[allow(clippy::type_complexity, reason = "it is said above")]
    fn hole_actions(
        &self,
        transition: &OpenTransition,
        own: &Env,
    ) -> Result<Vec<(Env, Vec<(u32, Value)>)>, Trouble> {
        type Matched = (Env, Vec<(TermId, Value)>, Vec<(u32, Value)>);
        let mut all: Vec<Matched> = vec![(own.clone(), Vec::new(), Vec::new())];
        for (hole, pattern) in &transition.holes {
            let offers = self.context.offers(self.automaton.holes.as_slice(), hole.index())?;
            let mut next = Vec::new();
            for (env, later, done) in &all {
                for offer in &offers {
                    let (mut env, mut later) = (env.clone(), later.clone());
                    if self.context.fit(*pattern, offer, &mut env, &mut later)? {
                        let mut done = done.clone();
                        done.push((hole.0, offer.clone()));
                        next.push((env, later, done));
                    }
                }
            }
            all = next;
        }
        let vars = transition.free_vars(self.automaton);
        let mut settled = Vec::new();
        for (env, later, done) in all {
            let envs = self.context.settle(&env, &vars, &later)?;
            settled.extend(envs.into_iter().map(|env| (env, done.clone())));
        }
        Ok(settled)
    }

    fn step(
        &self,
        transition: &OpenTransition,
        env: &Env,
        mut holes: Vec<(u32, Value)>,
        config: &Config,
    ) -> Result<Option<Step>, Trouble> {
        if !self.context.holds(transition.guard, env)? {
            return Ok(None);
        }
        let action = self.context.eval(transition.action, env)?;
        if !self.context.fits(&action, &Sort::Action)? {
            return Ok(None);
        }
        let target = &self.automaton.states[transition.target];
        let mut next = config.clone();
        next.states = target.leaves.iter().map(|state| state.index()).collect();
        for (var, term) in &transition.updates {
            let value = self.context.eval(*term, env)?;
            if !self.context.fits(&value, &self.automaton.terms.var(*var).sort)? {
                return Ok(None);
            }
            let (leaf, at) = self.places[var];
            next.values[leaf][at] = value;
        }
        holes.sort();
        Ok(Some(Step { action, holes, next }))
    }
}
