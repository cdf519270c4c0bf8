//! A net, run as its definition says.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use pnetc::algebra::{Sort, VarId};
use pnetc::base::IndexVec;
use pnetc::pnet::{Composite, Content, Member, NodeId, PNet, PltsId, Rival, Vector, VectorId};

use super::orders::Orders;
use super::{Config, Context, Env, Step, Trouble, Value, World};

/// A net with what it is played with.
#[derive(Debug)]
pub struct Explicit<'a> {
    net: &'a PNet,
    context: Context<'a>,
    /// The leaves with their paths.
    leaves: Vec<(String, PltsId)>,
    /// The place of each leaf.
    places: BTreeMap<PltsId, usize>,
    /// Priorities that the net does not know of.
    orders: Option<&'a Orders>,
}

/// What was found by going from the initial configurations.
#[derive(Debug, Default)]
pub struct Reached {
    /// The configurations with their steps, in the order in which they were reached; none where there is
    /// trouble.
    pub configs: Vec<(Config, Option<BTreeSet<Step>>)>,
    /// Whether these are all.
    pub complete: bool,
}

impl Reached {
    /// The number of steps.
    pub fn steps(&self) -> usize {
        self.configs.iter().flat_map(|(_, steps)| steps).map(BTreeSet::len).sum()
    }

    /// The number of configurations in trouble.
    pub fn in_trouble(&self) -> usize {
        self.configs.iter().filter(|(_, steps)| steps.is_none()).count()
    }
}

/// What a part of the net does.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Move {
    action: Value,
    holes: Vec<(u32, Value)>,
    /// The leaves that move, each with its next state and values.
    leaves: Vec<(usize, usize, Vec<Value>)>,
}

/// What was matched so far: the values of variables, what is to be computed, and who moves.
#[derive(Clone, Default)]
struct Joined<'m> {
    env: Env,
    later: Vec<(pnetc::algebra::TermId, Value)>,
    moves: Vec<&'m Move>,
}

impl<'a> Explicit<'a> {
    pub fn new(net: &'a PNet, world: &'a World) -> Explicit<'a> {
        let leaves: Vec<_> = net.leaves().into_iter().collect();
        let places = leaves.iter().enumerate().map(|(place, (_, id))| (*id, place)).collect();
        Explicit { net, context: Context::of_net(net, world), leaves, places, orders: None }
    }

    /// The same with priorities as they were written, for a net that was built without them.
    pub fn with(self, orders: &'a Orders) -> Explicit<'a> {
        Explicit { orders: Some(orders), ..self }
    }

    /// The leaves with their paths.
    pub fn leaves(&self) -> &[(String, PltsId)] {
        &self.leaves
    }

    /// The variables of a leaf.
    pub fn variables(&self, leaf: usize) -> &[(VarId, Option<pnetc::algebra::TermId>)] {
        &self.net.plts[self.leaves[leaf].1].variables
    }

    /// The initial configurations: one, unless variables have no initial values.
    pub fn initial(&self) -> Result<Vec<Config>, Trouble> {
        let mut all = vec![Config { states: Vec::new(), values: Vec::new() }];
        for (_, id) in &self.leaves {
            let plts = &self.net.plts[*id];
            let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
            for (var, initial) in &plts.variables {
                let sort = self.net.sort_of(*var);
                let values = match initial {
                    Some(term) => vec![self.context.eval(*term, &Env::new())?],
                    None => self.context.domain(sort)?,
                };
                let mut next = Vec::new();
                for value in values {
                    if self.context.fits(&value, sort)? {
                        next.extend(
                            rows.iter()
                                .map(|row| [&row[..], std::slice::from_ref(&value)].concat()),
                        );
                    }
                }
                rows = next;
            }
            let extended = all.iter().flat_map(|config| {
                rows.iter().map(|row| {
                    let mut config = config.clone();
                    config.states.push(plts.initial.index());
                    config.values.push(row.clone());
                    config
                })
            });
            all = extended.collect();
        }
        Ok(all)
    }

    /// Everything that can happen in a configuration.
    pub fn steps(&self, config: &Config) -> Result<BTreeSet<Step>, Trouble> {
        let moves = self.moves(self.net.root, config)?;
        let step = |one: Move| {
            let mut next = config.clone();
            for (leaf, state, values) in one.leaves {
                next.states[leaf] = state;
                next.values[leaf] = values;
            }
            Step { action: one.action, holes: one.holes, next }
        };
        Ok(moves.into_iter().map(step).collect())
    }

    /// The first configurations that are reached, up to so many.
    pub fn reachable(&self, limit: usize) -> Result<Reached, Trouble> {
        let mut seen: BTreeSet<Config> = BTreeSet::new();
        let mut work: VecDeque<Config> = VecDeque::new();
        for config in self.initial()? {
            if seen.insert(config.clone()) {
                work.push_back(config);
            }
        }
        let mut reached = Reached::default();
        while reached.configs.len() < limit
            && let Some(config) = work.pop_front()
        {
            let steps = self.steps(&config).ok();
            for step in steps.iter().flatten() {
                if seen.insert(step.next.clone()) {
                    work.push_back(step.next.clone());
                }
            }
            reached.configs.push((config, steps));
        }
        reached.complete = work.is_empty();
        Ok(reached)
    }

    fn moves(&self, content: Content, config: &Config) -> Result<BTreeSet<Move>, Trouble> {
        match content {
            Content::Leaf(id) => self.leaf(id, config),
            Content::Node(id) => self.node(id, config),
            Content::Hole(id) => {
                let offers = self.context.offers(self.net.holes.as_slice(), id.index())?;
                let one = |action: Value| Move {
                    action: action.clone(),
                    holes: vec![(id.0, action)],
                    leaves: Vec::new(),
                };
                Ok(offers.into_iter().map(one).collect())
            }
        }
    }

    /// A pLTS: its transitions, for all values of their inputs.
    fn leaf(&self, id: PltsId, config: &Config) -> Result<BTreeSet<Move>, Trouble> {
        let (plts, place) = (&self.net.plts[id], self.places[&id]);
        let vars = plts.variables.iter().map(|(var, _)| *var);
        let own: Env = vars.zip(config.values[place].iter().cloned()).collect();
        let mut found = BTreeSet::new();
        for transition in
            plts.transitions.iter().filter(|t| t.source.index() == config.states[place])
        {
            'choices: for env in self.context.choices(&transition.inputs, &own)? {
                if !self.context.holds(transition.guard, &env)? {
                    continue;
                }
                let action = self.context.eval(transition.action, &env)?;
                if !self.context.fits(&action, &Sort::Action)? {
                    continue;
                }
                let mut values = config.values[place].clone();
                for (var, term) in &transition.updates {
                    let value = self.context.eval(*term, &env)?;
                    if !self.context.fits(&value, self.net.sort_of(*var))? {
                        continue 'choices;
                    }
                    let at = plts.variables.iter().position(|(own, _)| own == var);
                    values[at.expect("a variable of the process")] = value;
                }
                let leaves = vec![(place, transition.target.index(), values)];
                found.insert(Move { action, holes: Vec::new(), leaves });
            }
        }
        Ok(found)
    }

    /// A node: its vectors, for all that its parts do.
    fn node(&self, id: NodeId, config: &Config) -> Result<BTreeSet<Move>, Trouble> {
        let node: &Composite = &self.net.nodes[id];
        let parts = node.parts.iter().map(|part| self.moves(part.content, config));
        let parts: Vec<BTreeSet<Move>> = parts.collect::<Result<_, _>>()?;
        let mut found = BTreeSet::new();
        let state = self.state(config);
        for vector in &node.vectors {
            self.vector(vector, vector.rivals.as_slice(), (&parts, &state), &mut found)?;
        }
        if let Some(orders) = self.orders
            && orders.order(node.name.as_str()).is_some()
        {
            return self.in_order(id, orders, (&parts, &state));
        }
        Ok(found)
    }

    /// The values of the variables of all leaves, where something that goes first reads them.
    fn state(&self, config: &Config) -> Env {
        let mut state = Env::new();
        for (id, plts) in self.net.plts.enumerated().filter(|_| self.net.has_readers()) {
            let values = config.values[self.places[&id]].iter().cloned();
            state.extend(plts.variables.iter().map(|(var, _)| *var).zip(values));
        }
        state
    }

    /// The moves of a node that give way to no other. Where something goes first, it is enough that it could happen
    /// by itself, whatever it gives way to.
    fn in_order(
        &self,
        id: NodeId,
        orders: &Orders,
        parts: (&[BTreeSet<Move>], &Env),
    ) -> Result<BTreeSet<Move>, Trouble> {
        let node: &Composite = &self.net.nodes[id];
        let order = orders.order(node.name.as_str()).expect("a net with priorities");
        let mut could: IndexVec<VectorId, BTreeSet<Move>> = IndexVec::default();
        for vector in &node.vectors {
            let mut moves = BTreeSet::new();
            self.vector(vector, &[], parts, &mut moves)?;
            could.push(moves);
        }
        let mut found = BTreeSet::new();
        for (low, vector) in node.vectors.enumerated() {
            let mut moves = BTreeSet::new();
            self.vector(vector, vector.rivals.as_slice(), parts, &mut moves)?;
            let smaller = order.maximal
                && could.ids().any(|high| {
                    !could[high].is_empty() && orders.is_larger(self.net, id, high, low)
                });
            moves.retain(|one| {
                let mut higher = could.iter().flatten();
                !smaller && !higher.any(|high| order.is_below(&one.action, &high.action))
            });
            found.extend(moves);
        }
        Ok(found)
    }

    fn vector(
        &self,
        vector: &Vector,
        rivals: &[Rival],
        (parts, state): (&[BTreeSet<Move>], &Env),
        found: &mut BTreeSet<Move>,
    ) -> Result<(), Trouble> {
        for joined in self.join(vector.members.as_slice(), state, parts)? {
            for env in self.context.settle(&joined.env, &vector.variables, &joined.later)? {
                if !self.context.holds(vector.guard, &env)?
                    || self.gives_way(rivals, &env, parts)?
                {
                    continue;
                }
                let action = self.context.eval(vector.result, &env)?;
                if !self.context.fits(&action, &Sort::Action)? {
                    continue;
                }
                let mut holes: Vec<_> = joined.moves.iter().flat_map(|m| m.holes.clone()).collect();
                holes.sort();
                let mut leaves: Vec<_> =
                    joined.moves.iter().flat_map(|m| m.leaves.clone()).collect();
                leaves.sort();
                found.insert(Move { action, holes, leaves });
            }
        }
        Ok(())
    }

    /// Every choice of what the members do that fits their actions.
    fn join<'m>(
        &self,
        members: &[Member],
        env: &Env,
        parts: &'m [BTreeSet<Move>],
    ) -> Result<Vec<Joined<'m>>, Trouble> {
        let mut all = vec![Joined { env: env.clone(), ..Joined::default() }];
        for member in members {
            let mut next = Vec::new();
            for joined in &all {
                for one in &parts[member.part.index()] {
                    let mut joined = joined.clone();
                    let (env, later) = (&mut joined.env, &mut joined.later);
                    if self.context.fit(member.action, &one.action, env, later)? {
                        joined.moves.push(one);
                        next.push(joined);
                    }
                }
            }
            all = next;
        }
        Ok(all)
    }

    /// Whether one of the rivals could happen: names that it shares with the vector have the vector's values.
    fn gives_way(
        &self,
        rivals: &[Rival],
        env: &Env,
        parts: &[BTreeSet<Move>],
    ) -> Result<bool, Trouble> {
        for rival in rivals {
            for joined in self.join(rival.members.as_slice(), env, parts)? {
                for env in self.context.settle(&joined.env, &rival.variables, &joined.later)? {
                    if self.context.holds(rival.guard, &env)? {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }
}
