//! The plain interpreter: as close to the definitions of pLTSs, vectors and pNets as it can be.
//!
//! Input: a net, and the values to try where there are too many. Output: where it may begin, what it can do in a
//! configuration, whether a property holds there, and why something is not possible. It is not fast: whatever it claims
//! should be clear from the text of a module and the definitions. It replays what the fast one finds.
//!
//! A step is a choice of a vector, of what its members do for it, and so on down to leaves and holes (`ways.rs`), together
//! with values for all variables such that everything holds that must (`attempt.rs`, `settle.rs`). Values that follow
//! are found; the others are tried one by one (`choices.rs`, `solve.rs`). At last, nothing must go first (`rivals.rs`).
//! `optional.rs` has members that may take part or not.
//! `instances.rs` has the vectors of one node, where it is known what each part may do, and `declared.rs` what a leaf may do
//! as far as its text says.

mod attempt;
mod choices;
mod combine;
mod declared;
mod evaluate;
mod initial;
mod instances;
mod optional;
mod partial;
mod rivals;
mod settle;
mod solve;
mod sorts;
mod store;
mod ways;
mod why;
mod world;

pub use self::initial::Initial;
pub use self::instances::{Instance, OfferId, Offered, Offers};
pub use self::why::{AskedAction, Block, Obstacle, Way};

use self::attempt::Attempt;
use self::evaluate::{Reader, Seen, is_too_deep};
use self::initial::settled;
use self::rivals::{All, Any};
use self::solve::solve;
use self::ways::Ways;
use self::world::{Known, World};
use super::{Configuration, Domains, Gap, Property, Step, Steps, Value};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use crate::algebra::{AbstractId, TermId, VarId};
use crate::base::IndexVec;
use crate::pnet::{HoleId, PNet, PltsId};

/// A net that is run as its definition says.
#[derive(Debug)]
pub struct Interpreter<'n> {
    net: &'n PNet,
    domains: Domains,
    /// The paths of the leaves.
    paths: IndexVec<PltsId, String>,
}

impl<'n> Interpreter<'n> {
    /// A net, with the values that are tried where there are too many.
    pub fn new(net: &'n PNet, domains: Domains) -> Interpreter<'n> {
        let mut paths = IndexVec::of(net.plts.len(), String::new());
        for (path, id) in net.leaves() {
            paths[id] = path;
        }
        Interpreter { net, domains, paths }
    }

    /// The same net, with some more integers that are tried where there are too many.
    pub fn trying(&self, integers: impl IntoIterator<Item = BigInt>) -> Interpreter<'n> {
        let Interpreter { net, domains, paths } = self;
        let mut domains = domains.clone();
        domains.also.extend(integers);
        Interpreter { net, domains, paths: paths.clone() }
    }

    /// The same net, where at least so many values of abstract sorts are tried.
    pub fn knowing(mut self, counts: impl IntoIterator<Item = (AbstractId, u32)>) -> Self {
        for (sort, count) in counts {
            let known = self.domains.abstracts.entry(sort).or_default();
            *known = count.max(*known);
        }
        self
    }

    /// The same net, where steps that would need values that nobody names are left out.
    pub fn leaving_out(&self) -> Interpreter<'n> {
        let mut other = self.trying([]);
        other.domains.only_these = true;
        other
    }

    /// The net.
    pub fn net(&self) -> &'n PNet {
        self.net
    }

    /// Where it may begin: each configuration once, in order.
    pub fn initial(&self) -> Result<Initial, Gap> {
        initial::initial(self.net, &self.domains, &self.paths)
    }

    /// Whether it may begin in a configuration: the axioms allow its constants, and all values are what they have to be.
    pub fn begins_at(&self, at: &Configuration) -> Result<bool, Gap> {
        initial::begins_at(self.net, &self.domains, at)
    }

    /// Where it may begin with these values of symbolic constants, and of variables that have no initial value.
    pub fn beginning(
        &self,
        constants: &[Option<Value>],
        free: FxHashMap<VarId, Value>,
    ) -> Result<Initial, Gap> {
        initial::beginning(self.net, &self.domains, constants, free)
    }

    /// What can happen in a configuration, in order, each once.
    pub fn steps(&self, at: &Configuration) -> Result<Steps, Gap> {
        self.steps_given(at, FxHashMap::default())
    }

    /// What can happen in a configuration where some inputs and variables of vectors have these values; what goes first
    /// may have any.
    pub fn steps_given(
        &self,
        at: &Configuration,
        given: FxHashMap<VarId, Value>,
    ) -> Result<Steps, Gap> {
        self.steps_by(at, given, None)
    }

    /// The same, of steps in which these holes take part and no others, where that is said.
    pub fn steps_by(
        &self,
        at: &Configuration,
        given: FxHashMap<VarId, Value>,
        holes: Option<&[HoleId]>,
    ) -> Result<Steps, Gap> {
        let world = World::at(self.net, &self.domains, at);
        let ways = Ways { world: &world, states: &at.states, paths: &self.paths };
        let mut attempts = ways.of(self.net.root, &Attempt::with_given(given), None)?;
        if let Some(wanted) = holes {
            let is_one = |(hole, _): &(HoleId, _)| wanted.contains(hole);
            attempts.retain(|one| one.holes.len() == wanted.len() && one.holes.iter().all(is_one));
        }
        let solved = solve(&world, attempts, &All(&ways))?;
        let mut steps = Vec::with_capacity(solved.found.len());
        for attempt in &solved.found {
            steps.push(self.step(&world, at, attempt)?);
        }
        steps.sort();
        steps.dedup();
        Ok(Steps { steps, limited: solved.limited.is_some() })
    }

    /// Whether a property holds in a configuration; nothing where it reads what has no value.
    pub fn holds(&self, at: &Configuration, property: &Property) -> Result<Option<bool>, Gap> {
        match self.seen(at, property)? {
            Some(says) => Ok(says.as_bool()),
            None => Ok(None),
        }
    }

    /// The value of what a property says, which need be no truth; nothing where it reads what has no value.
    pub fn value(&self, at: &Configuration, property: &Property) -> Result<Option<Value>, Gap> {
        match self.seen(at, property)? {
            Some(Seen::Is(partial)) => Ok(partial.value().cloned()),
            _ => Ok(None),
        }
    }

    fn seen(&self, at: &Configuration, property: &Property) -> Result<Option<Seen>, Gap> {
        let mut world = World::at(self.net, &self.domains, at);
        world.terms = &property.terms;
        for (var, leaf) in &property.locations {
            let state = Value::Int(at.states[*leaf].index().into());
            world.state.insert(*var, state.into());
        }
        for (var, value) in &property.given {
            world.state.insert(*var, value.clone().into());
        }
        let known = Known::default();
        let see = |term: TermId| Reader { world: &world, known: &known }.see(term);
        match see(property.owed) {
            Seen::Gap(gap) => Err(gap),
            owed if owed.as_bool() != Some(true) => Ok(None),
            _ => match see(property.says) {
                Seen::Gap(gap) => Err(gap),
                says => Ok(Some(says)),
            },
        }
    }

    /// Whether something can happen in a configuration, for some values of what comes from outside. Unlike
    /// [`Interpreter::steps`], values that nothing depends on are not needed for it.
    pub fn can_step(&self, at: &Configuration) -> Result<bool, Gap> {
        let world = World::at(self.net, &self.domains, at);
        let ways = Ways { world: &world, states: &at.states, paths: &self.paths };
        let attempts = ways.of(self.net.root, &Attempt::new(Known::default()), None)?;
        let solved = solve(&world, attempts, &Any(&ways))?;
        match (solved.found.is_empty(), solved.limited) {
            (false, _) => Ok(true),
            (true, None) => Ok(false),
            (true, Some(name)) => Err(Gap::NeedsDomain { name, sort: "Int".to_owned() }),
        }
    }

    /// Whether all components are in final states, and there are some.
    pub fn is_final(&self, at: &Configuration) -> bool {
        let mut leaves = self.net.plts.enumerated();
        !self.net.plts.is_empty() && leaves.all(|(id, plts)| plts.states[at.states[id]].is_final)
    }

    /// Why an action is not possible in a configuration: everything that could show it, each with what stands in its
    /// way. Nothing stands in the way of what is possible.
    pub fn why_not(&self, at: &Configuration, wanted: &AskedAction) -> Vec<Obstacle> {
        let world = World::at(self.net, &self.domains, at);
        let ways = Ways { world: &world, states: &at.states, paths: &self.paths };
        ways.obstacles(wanted)
    }

    /// The step that an attempt is, where everything in it is known.
    fn step(&self, world: &World<'_>, at: &Configuration, attempt: &Attempt) -> Result<Step, Gap> {
        let mut target = at.clone();
        for &(leaf, number) in &attempt.transitions {
            let plts = &self.net.plts[leaf];
            let transition = &plts.transitions[number];
            target.states[leaf] = transition.target;
            for (var, term) in &transition.updates {
                let value = settled(attempt.see(world, *term))?;
                if is_too_deep(&value) {
                    return Err(Gap::TooDeep { name: world.terms.var(*var).name.to_string() });
                }
                let place = plts.variables.iter().position(|(own, _)| own == var);
                place.into_iter().for_each(|place| target.values[leaf][place] = value.clone());
            }
        }
        let action = settled(attempt.see_side(world, &attempt.shown))?;
        let mut holes = Vec::with_capacity(attempt.holes.len());
        for (hole, does) in &attempt.holes {
            holes.push((*hole, settled(Seen::Is(attempt.known.store.resolve(does)))?));
        }
        holes.sort();
        let (vectors, transitions) = (attempt.vectors.clone(), attempt.transitions.clone());
        Ok(Step { action, holes, target, vectors, transitions })
    }
}
