//! What a net is played with: the integers, the values of symbolic constants, and what the holes do.

use std::collections::BTreeMap;

use pnetc::algebra::{Algebra, Sort, Terms};
use pnetc::pnet::{Hole, HoleSort, PNet};

use super::{Context, Trouble, Value};

/// What a net is played with.
#[derive(Clone, Debug)]
pub struct World {
    /// The values of symbolic constants, by their names.
    pub constants: BTreeMap<String, Value>,
    /// The integers from the first to the second, both included.
    pub ints: (i64, i64),
    /// How many values an abstract sort has.
    pub atoms: u32,
    /// What each hole can do, in every state.
    pub holes: Vec<Vec<Value>>,
}

/// How many actions with one head a hole does, and how many at all.
const MOST_ARGUMENTS: usize = 8;
const MOST_ACTIONS: usize = 30;

impl Default for World {
    fn default() -> World {
        World { constants: BTreeMap::new(), ints: (-2, 6), atoms: 2, holes: Vec::new() }
    }
}

impl World {
    /// The usual world of a net: numbers that are not given are 2, and holes do a bit of everything they may.
    pub fn of(net: &PNet) -> World {
        let mut world = World::default();
        for constant in net.algebra.constants.iter().filter(|c| c.value.is_none()) {
            let value = match &constant.sort {
                Sort::Int | Sort::Range(..) => Some(Value::Int(2)),
                sort => {
                    let context = Context::of_net(net, &world);
                    context.domain(sort).ok().and_then(|all| all.into_iter().next())
                }
            };
            world.constants.extend(value.map(|value| (constant.name.to_string(), value)));
        }
        world.holes = net.holes.iter().map(|hole| world.usual(net, hole)).collect();
        world
    }

    /// The same world with a value for a constant.
    pub fn with(mut self, constant: &str, value: Value) -> World {
        self.constants.insert(constant.to_owned(), value);
        self
    }

    fn usual(&self, net: &PNet, hole: &Hole) -> Vec<Value> {
        let context = Context::of_net(net, self);
        let mut actions = Vec::new();
        for signature in &net.algebra.actions {
            let Ok(mut arguments) = context.products(&signature.sorts) else { continue };
            let every = arguments.len().div_ceil(MOST_ARGUMENTS).max(1);
            arguments = arguments.into_iter().step_by(every).collect();
            let name = signature.name.as_str();
            actions.extend(arguments.into_iter().map(|arguments| Value::Act(name, arguments)));
        }
        let mut all = actions.clone();
        all.retain(|action| context.may_do(hole, action).unwrap_or(false));
        all.truncate(MOST_ACTIONS);
        let sync = actions.first().cloned().map(Value::sync);
        all.extend([Value::Tau].into_iter().chain(sync));
        if hole.sort == HoleSort::Any {
            all.extend(actions.iter().step_by(3).cloned().map(Value::co));
            all.push(Value::Other(0));
        }
        all
    }
}

impl<'a> Context<'a> {
    pub fn of_net(net: &'a PNet, world: &'a World) -> Context<'a> {
        Context { terms: &net.terms, algebra: &net.algebra, world }
    }

    pub fn new(terms: &'a Terms, algebra: &'a Algebra, world: &'a World) -> Context<'a> {
        Context { terms, algebra, world }
    }

    /// Whether what fills a hole may do an action: one of its sort, or a silent one.
    pub fn may_do(&self, hole: &Hole, action: &Value) -> Result<bool, Trouble> {
        if !self.fits(action, &Sort::Action)? {
            return Ok(false);
        }
        Ok(match (&hole.sort, action) {
            (HoleSort::Any, _) | (_, Value::Tau | Value::Sync(_)) => true,
            (HoleSort::Actions(allowed), Value::Act(name, arguments)) => {
                allowed.iter().any(|&id| {
                    let signature = self.algebra.action(id);
                    signature.name.as_str() == *name && signature.sorts.len() == arguments.len()
                })
            }
            _ => false,
        })
    }

    /// What a hole does in every state.
    pub fn offers(&self, holes: &[Hole], hole: usize) -> Result<Vec<Value>, Trouble> {
        let mut found = Vec::new();
        for action in self.world.holes.get(hole).into_iter().flatten() {
            if self.may_do(&holes[hole], action)? {
                found.push(action.clone());
            }
        }
        Ok(found)
    }
}
