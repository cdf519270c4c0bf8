//! What a system does, step by step, with concrete values.

use std::collections::{BTreeMap, BTreeSet};

use super::connect::{interactions, name_of};
use super::eval::{Env, Result, Stop, Value, World, wrapped};
use super::{
    Arg, Connector, Expr, Hole, Index, Label, Member, Model, Net, Pattern, Place, Process, Res,
    Side, Sub, Vector, Wrap,
};

/// A state and the values of the variables.
type State = (usize, Vec<Value>);
/// One for each leaf.
pub type Config = Vec<State>;
/// What the holes do, and what is seen.
pub type Seen = (Vec<(String, Value)>, Value);

/// All configurations with their steps.
#[derive(Clone, Debug, Default)]
pub struct Lts {
    pub initial: Vec<usize>,
    pub steps: Vec<Vec<(Seen, usize)>>,
    pub configs: Vec<Config>,
}

const MOST_CONFIGS: usize = 120;
const MOST_STEPS: usize = 8_000;

/// A process with the values of its parameters.
struct Leaf<'m> {
    process: &'m Process,
    params: Env,
    world: World<'m>,
}

/// A net with the values of its parameters.
struct Node<'m> {
    net: &'m Net,
    params: Env,
    world: World<'m>,
    parts: Vec<Part<'m>>,
}

/// A part of a net; one of a family has an index.
struct Part<'m> {
    name: &'m str,
    index: Option<i64>,
    is: Is<'m>,
}

enum Is<'m> {
    /// By its number.
    Leaf(usize),
    Net(Node<'m>),
    /// What it is called from outside, and all that it may do.
    Hole(String, Vec<Value>),
}

/// What a part does, and the leaves that it changes.
#[derive(Clone, Default)]
struct Move {
    holes: Vec<(String, Value)>,
    action: Option<Value>,
    next: Vec<(usize, State)>,
}

/// What members were matched with: their variables, who they are, and what they do.
#[derive(Clone, Default)]
struct Together {
    env: Env,
    who: Vec<usize>,
    does: Move,
}

/// A step of a net, with the connector and the ports that it is made of.
struct Step<'m> {
    connector: Option<&'m str>,
    ports: BTreeSet<(usize, String)>,
    shown: Value,
    does: Move,
}

/// Leaves, in order, and what is made of them.
pub struct System<'m> {
    leaves: Vec<Leaf<'m>>,
    root: Is<'m>,
}

/// A value that is not paid is no value.
fn paid<T>(result: Result<T>) -> Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Stop::Owed) => Ok(None),
        Err(other) => Err(other),
    }
}

/// Puts a system together.
struct Builder<'m> {
    side: &'m Side,
    world: World<'m>,
    leaves: Vec<Leaf<'m>>,
}

/// The values of a family's index; a family is never empty.
fn family(index: Option<&Index>, world: &World<'_>) -> Result<Vec<Option<i64>>> {
    let Some((_, low, high)) = index else { return Ok(vec![None]) };
    let all: Vec<Option<i64>> = (world.bound(*low)?..world.bound(*high)?).map(Some).collect();
    if all.is_empty() { Err(Stop::Owed) } else { Ok(all) }
}

fn with_index(env: &Env, index: Option<&Index>, value: Option<i64>) -> Env {
    let mut env = env.clone();
    if let (Some((name, ..)), Some(value)) = (index, value) {
        env.insert(name.clone(), Value::Int(value));
    }
    env
}

impl<'m> Builder<'m> {
    fn leaf(&mut self, process: &'m Process, params: Env) -> Result<Is<'m>> {
        let world = self.world.inside(&params);
        for (_, sort, _) in &process.vars {
            world.not_empty(sort)?;
        }
        self.leaves.push(Leaf { process, params, world });
        Ok(Is::Leaf(self.leaves.len() - 1))
    }

    /// A process or a net of this name, with values for its parameters.
    fn instance(
        &mut self,
        name: &str,
        values: &[Expr],
        env: &Env,
        fills: &'m [(String, String)],
        path: &str,
    ) -> Result<Is<'m>> {
        let side = self.side;
        let process = side.processes.iter().find(|p| p.name == name);
        let net = side.all_nets().find(|net| net.name == name);
        let params = match (process, net) {
            (Some(process), _) => &process.params,
            (_, Some(net)) => &net.params,
            _ => return Err(Stop::Skip("no such component")),
        };
        let mut given = Env::new();
        for (e, (param, sort)) in values.iter().zip(params) {
            given.insert(param.clone(), self.world.eval_into(e, env, sort)?);
        }
        match (process, net) {
            (Some(process), _) => self.leaf(process, given),
            (_, Some(net)) => Ok(Is::Net(self.net(net, given, fills, path)?)),
            _ => Err(Stop::Skip("no such component")),
        }
    }

    fn net(
        &mut self,
        net: &'m Net,
        params: Env,
        fills: &'m [(String, String)],
        path: &str,
    ) -> Result<Node<'m>> {
        let world = self.world.inside(&params);
        let mut node = Node { net, params, world, parts: Vec::new() };
        for sub in &net.subs {
            for index in family(sub.family.as_ref(), &node.world)? {
                let is = self.sub(sub, index, &node.params, path)?;
                node.parts.push(Part { name: &sub.name, index, is });
            }
        }
        for hole in &net.holes {
            for index in family(hole.family.as_ref(), &node.world)? {
                let fill = fills.iter().find(|(name, _)| *name == hole.name);
                let is = match fill {
                    Some((_, process)) => self.instance(process, &[], &Env::new(), &[], path)?,
                    None => self.hole(hole, index, path)?,
                };
                node.parts.push(Part { name: &hole.name, index, is });
            }
        }
        Ok(node)
    }

    fn sub(
        &mut self,
        sub: &'m Sub,
        index: Option<i64>,
        params: &Env,
        path: &str,
    ) -> Result<Is<'m>> {
        let env = with_index(params, sub.family.as_ref(), index);
        let path = format!("{path}{}.", called(&sub.name, index));
        self.instance(&sub.of, &sub.values, &env, &sub.fills, &path)
    }

    fn hole(&self, hole: &Hole, index: Option<i64>, path: &str) -> Result<Is<'m>> {
        let name = format!("{path}{}", called(&hole.name, index));
        Ok(Is::Hole(name, self.offers(self.world.model, hole.sort)?))
    }

    /// Everything that a hole may do.
    fn offers(&self, model: &Model, sort: Option<usize>) -> Result<Vec<Value>> {
        let sync = |action: Value| wrapped(Wrap::Sync, action);
        let mut all = vec![Value::Tau, sync(Value::Tau), sync(sync(Value::Tau))];
        for (name, sorts) in &model.actions {
            let allowed = sort.is_none_or(|i| model.interfaces[i].1.contains(name));
            for (at, row) in self.world.products(sorts)?.into_iter().enumerate() {
                let action = Value::Act(name.clone(), row);
                if at == 0 {
                    all.push(sync(wrapped(Wrap::Co, action.clone())));
                    all.push(sync(sync(action.clone())));
                }
                all.push(sync(action.clone()));
                if sort.is_none() {
                    all.push(wrapped(Wrap::Co, action.clone()));
                }
                if allowed {
                    all.push(action);
                }
            }
        }
        // Where all holes have interfaces, there is nothing that nobody has declared.
        if sort.is_none() {
            all.push(sync(Value::Other));
            all.push(Value::Other);
            all.push(wrapped(Wrap::Co, Value::Other));
        }
        Ok(all)
    }
}

fn called(name: &str, index: Option<i64>) -> String {
    index.map_or(name.to_owned(), |index| format!("{name}[{index}]"))
}

impl<'m> System<'m> {
    /// One side of a model; with its holes open if they are not to be filled.
    pub fn new(world: &World<'m>, side: &'m Side, filled: bool) -> Result<System<'m>> {
        let mut builder = Builder { side, world: world.clone(), leaves: Vec::new() };
        let fills: &'m [(String, String)] = if filled { &side.fills } else { &[] };
        let name = match &side.net {
            Some(net) => &net.name,
            None => &side.processes[0].name,
        };
        let root = builder.instance(name, &side.values, &Env::new(), fills, "")?;
        Ok(System { leaves: builder.leaves, root })
    }

    fn initial(&self) -> Result<Vec<Config>> {
        let mut all: Vec<Config> = vec![Vec::new()];
        for leaf in &self.leaves {
            let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
            for (_, sort, value) in &leaf.process.vars {
                let values = match value {
                    Some(e) => vec![leaf.world.eval_into(e, &leaf.params, sort)?],
                    None => leaf.world.domain(sort)?,
                };
                let longer = |row: Vec<Value>| {
                    values.iter().map(move |v| [row.clone(), vec![v.clone()]].concat())
                };
                rows = rows.into_iter().flat_map(longer).collect();
                if rows.len() > MOST_CONFIGS {
                    return Err(Stop::Skip("many beginnings"));
                }
            }
            let longer = |config: Config| {
                rows.iter().map(move |row| [config.clone(), vec![(0, row.clone())]].concat())
            };
            all = all.into_iter().flat_map(longer).collect();
            if all.len() > MOST_CONFIGS {
                return Err(Stop::Skip("many beginnings"));
            }
        }
        Ok(all)
    }

    fn moves(&self, is: &Is<'m>, config: &Config) -> Result<Vec<Move>> {
        match is {
            Is::Leaf(at) => self.leaves[*at].moves(*at, config),
            Is::Hole(name, offers) => {
                let does = |action: &Value| Move {
                    holes: vec![(name.clone(), action.clone())],
                    action: Some(action.clone()),
                    next: Vec::new(),
                };
                Ok(offers.iter().map(does).collect())
            }
            Is::Net(node) => {
                let mut parts = Vec::new();
                for part in &node.parts {
                    parts.push(self.moves(&part.is, config)?);
                }
                node.moves(&parts)
            }
        }
    }

    /// What can be seen of a configuration, and where it leads.
    pub fn steps(&self, config: &Config) -> Result<Vec<(Seen, Config)>> {
        let mut found = Vec::new();
        for Move { mut holes, action, next } in self.moves(&self.root, config)? {
            let mut after = config.clone();
            for (at, state) in next {
                after[at] = state;
            }
            holes.sort();
            found.extend(action.map(|action| ((holes, action), after)));
        }
        Ok(found)
    }
}

impl Leaf<'_> {
    fn moves(&self, at: usize, config: &Config) -> Result<Vec<Move>> {
        let (state, values) = &config[at];
        let mut env = self.params.clone();
        let names = self.process.vars.iter().map(|(name, ..)| name.clone());
        env.extend(names.zip(values.iter().cloned()));
        let mut found = Vec::new();
        for trans in self.process.trans.iter().filter(|t| t.from == *state) {
            for (action, env) in self.labels(&trans.label, &env)? {
                let step = || {
                    if !self.world.holds(trans.guard.as_ref(), &env)? {
                        return Ok(None);
                    }
                    let mut next = values.clone();
                    for (name, e) in &trans.updates {
                        let var = self.process.vars.iter().position(|(var, ..)| var == name);
                        let Some(var) = var else { return Err(Stop::Skip("no variable")) };
                        next[var] = self.world.eval_into(e, &env, &self.process.vars[var].1)?;
                    }
                    Ok(Some(next))
                };
                if let Some(next) = paid(step())?.flatten() {
                    let next = vec![(at, (trans.to, next))];
                    found.push(Move { holes: Vec::new(), action: Some(action), next });
                }
            }
        }
        Ok(found)
    }

    /// What a label can be, with the inputs.
    fn labels(&self, label: &Label, env: &Env) -> Result<Vec<(Value, Env)>> {
        let Label::Act(how, name, args) = label else { return Ok(vec![(Value::Tau, env.clone())]) };
        let mut rows = vec![(Vec::new(), env.clone())];
        for (arg, sort) in args.iter().zip(self.world.model.sorts_of(name)) {
            let values = match arg {
                Arg::Out(e) => paid(self.world.eval_into(e, env, sort))?.into_iter().collect(),
                Arg::In(_) | Arg::Any => self.world.domain(sort)?,
            };
            let mut longer = Vec::new();
            for (row, env) in &rows {
                for value in &values {
                    let mut env = env.clone();
                    if let Arg::In(name) = arg {
                        env.insert(name.clone(), value.clone());
                    }
                    longer.push(([row.clone(), vec![value.clone()]].concat(), env));
                }
            }
            rows = longer;
        }
        let action = |(row, env)| (wrapped(*how, Value::Act(name.clone(), row)), env);
        Ok(rows.into_iter().map(action).collect())
    }
}

impl<'m> Node<'m> {
    /// Whether a value fits a pattern; what it binds.
    fn fits(&self, pattern: &Pattern, value: &Value, env: &mut Env) -> Result<bool> {
        let mut bind = |name: &String, value: Value| {
            *env.entry(name.clone()).or_insert_with(|| value.clone()) == value
        };
        Ok(match (pattern, value) {
            (Pattern::Any, _) => true,
            (Pattern::Var(name), _) => bind(name, value.clone()),
            (Pattern::Plus(name, n), Value::Int(v)) => bind(name, Value::Int(v - n)),
            (Pattern::Con(_, con, args), Value::Con(_, c, values)) => {
                if con != c {
                    return Ok(false);
                }
                for (pattern, value) in args.iter().zip(values) {
                    if !self.fits(pattern, value, env)? {
                        return Ok(false);
                    }
                }
                true
            }
            (Pattern::Lit(e), _) => paid(self.world.eval(e, &Env::new()))?.as_ref() == Some(value),
            _ => false,
        })
    }

    fn member(&self, member: &Member, action: &Value, env: &Env) -> Result<Option<Env>> {
        let mut env = env.clone();
        let fine = match (member, action) {
            (Member::Tau, Value::Tau) => true,
            (Member::Whole(how, name), _) => {
                let inside = match (how, action) {
                    (Wrap::Plain, _) => action,
                    (_, Value::Wrapped(other, inside)) if other == how => inside,
                    _ => return Ok(None),
                };
                *env.entry(name.clone()).or_insert_with(|| inside.clone()) == *inside
            }
            (Member::Act(how, name, args), _) => {
                let inside = match (how, action) {
                    (Wrap::Plain, action) => action,
                    (_, Value::Wrapped(other, inside)) if other == how => inside,
                    _ => return Ok(None),
                };
                let Value::Act(head, values) = inside else { return Ok(None) };
                let mut fine = head == name;
                for (pattern, value) in args.iter().zip(values) {
                    fine = fine && self.fits(pattern, value, &mut env)?;
                }
                fine
            }
            _ => false,
        };
        Ok(fine.then_some(env))
    }

    /// All ways in which members can move together, with what is known of the variables already.
    fn together(
        &self,
        members: &[(Place, Member)],
        known: &Env,
        moves: &[Vec<Move>],
    ) -> Result<Vec<Together>> {
        let mut all = vec![Together { env: known.clone(), ..Together::default() }];
        for (place, member) in members {
            let mut longer = Vec::new();
            for so_far in &all {
                for at in self.places(place, so_far) {
                    for does in &moves[at] {
                        longer.extend(self.one_more(so_far, member, at, does)?);
                    }
                }
            }
            all = longer;
            if all.len() > MOST_STEPS {
                return Err(Stop::Skip("many ways"));
            }
        }
        let mut found = Vec::new();
        for one in all {
            if self.are_meant(members, &one)? {
                found.push(one);
            }
        }
        Ok(found)
    }

    /// The parts of this name that do nothing yet: nobody takes part twice.
    fn places(&self, place: &Place, so_far: &Together) -> Vec<usize> {
        let mine = self.parts.iter().enumerate().filter(|(_, part)| part.name == place.name);
        mine.map(|(at, _)| at).filter(|at| !so_far.who.contains(at)).collect()
    }

    fn one_more(
        &self,
        so_far: &Together,
        member: &Member,
        at: usize,
        does: &Move,
    ) -> Result<Option<Together>> {
        let Some(action) = &does.action else { return Ok(None) };
        let Some(env) = self.member(member, action, &so_far.env)? else { return Ok(None) };
        let mut one = Together { env, ..so_far.clone() };
        one.who.push(at);
        one.does.holes.extend(does.holes.iter().cloned());
        one.does.next.extend(does.next.iter().cloned());
        Ok(Some(one))
    }

    /// Whether those who move have the indices that are asked for.
    fn are_meant(&self, members: &[(Place, Member)], one: &Together) -> Result<bool> {
        for ((place, _), who) in members.iter().zip(&one.who) {
            let Some(index) = &place.index else { continue };
            let wanted = paid(self.world.eval(index, &one.env))?;
            if wanted != self.parts[*who].index.map(Value::Int) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What is shown, where a guard holds and all is paid.
    fn shown(&self, guard: Option<&Expr>, result: &Res, env: &Env) -> Result<Option<Value>> {
        let show = || {
            if !self.world.holds(guard, env)? {
                return Ok(None);
            }
            Ok(Some(match result {
                Res::Tau => Value::Tau,
                Res::Act(how, name, args) => self.world.action(*how, name, args, env)?,
                Res::Whole(name) => env[name].clone(),
            }))
        };
        Ok(paid(show())?.flatten())
    }

    /// Whether something that a vector gives way to is possible, with the variables of the vector.
    fn has_rival(&self, vector: &Vector, env: &Env, moves: &[Vec<Move>]) -> Result<bool> {
        for (members, guard) in &vector.unless {
            for rival in self.together(members, env, moves)? {
                if paid(self.world.holds(guard.as_ref(), &rival.env))? == Some(true) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// The parameters with each value of indices.
    fn repetitions(&self, repeat: &[Index]) -> Result<Vec<Env>> {
        let mut all = vec![self.params.clone()];
        for index in repeat {
            let values = self.world.bound(index.1)?..self.world.bound(index.2)?;
            let longer =
                |env: Env| values.clone().map(move |at| with_index(&env, Some(index), Some(at)));
            all = all.into_iter().flat_map(longer).collect();
        }
        Ok(all)
    }

    fn by_vector(
        &self,
        vector: &'m Vector,
        moves: &[Vec<Move>],
        found: &mut Vec<Step<'m>>,
    ) -> Result<()> {
        for env in self.repetitions(&vector.repeat)? {
            for one in self.together(&vector.members, &env, moves)? {
                let shown = self.shown(vector.guard.as_ref(), &vector.result, &one.env)?;
                let Some(shown) = shown else { continue };
                if !self.has_rival(vector, &one.env, moves)? {
                    let ports = BTreeSet::new();
                    found.push(Step { connector: None, ports, shown, does: one.does });
                }
            }
        }
        Ok(())
    }

    fn by_connector(
        &self,
        connector: &'m Connector,
        moves: &[Vec<Move>],
        found: &mut Vec<Step<'m>>,
    ) -> Result<()> {
        let result = Res::Act(Wrap::Plain, connector.name.clone(), connector.exports.clone());
        for env in self.repetitions(&connector.repeat)? {
            for ports in interactions(&connector.joints) {
                let members: Vec<(Place, Member)> =
                    ports.iter().map(|port| port.member()).collect();
                for one in self.together(&members, &env, moves)? {
                    if !self.is_transferred(connector, &one.env)? {
                        continue;
                    }
                    let shown = self.shown(connector.guard.as_ref(), &result, &one.env)?;
                    let Some(shown) = shown else { continue };
                    let actions = ports.iter().map(|port| port.action.to_owned());
                    let ports = one.who.iter().copied().zip(actions).collect();
                    let connector = Some(connector.name.as_str());
                    found.push(Step { connector, ports, shown, does: one.does });
                }
            }
        }
        Ok(())
    }

    /// Whether those who take part take the values that are written.
    fn is_transferred(&self, connector: &Connector, env: &Env) -> Result<bool> {
        for (name, e) in &connector.transfers {
            let Some(taken) = env.get(name) else { continue };
            if paid(self.world.eval(e, env))?.as_ref() != Some(taken) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What goes before a name, directly or not.
    fn above(&self, name: &str) -> BTreeSet<&'m str> {
        let mut found: BTreeSet<&str> = BTreeSet::new();
        let mut work = vec![name.to_owned()];
        while let Some(name) = work.pop() {
            for (low, high) in &self.net.priorities {
                if *low == name && found.insert(high) {
                    work.push(high.clone());
                }
            }
        }
        found
    }

    /// Whether another step goes before this one.
    fn gives_way(&self, step: &Step<'m>, all: &[Step<'m>]) -> bool {
        let above = name_of(&step.shown).map(|name| self.above(name)).unwrap_or_default();
        all.iter().any(|other| {
            let larger = self.net.maximal
                && step.connector.is_some()
                && step.connector == other.connector
                && step.ports.len() < other.ports.len()
                && step.ports.is_subset(&other.ports);
            larger || name_of(&other.shown).is_some_and(|name| above.contains(name))
        })
    }

    fn moves(&self, parts: &[Vec<Move>]) -> Result<Vec<Move>> {
        let mut all: Vec<Step<'m>> = Vec::new();
        for vector in &self.net.vectors {
            self.by_vector(vector, parts, &mut all)?;
        }
        for connector in &self.net.connectors {
            self.by_connector(connector, parts, &mut all)?;
        }
        if all.len() > MOST_STEPS {
            return Err(Stop::Skip("many ways"));
        }
        let allowed: Vec<bool> = all.iter().map(|step| !self.gives_way(step, &all)).collect();
        let found = all.into_iter().zip(allowed).filter(|(_, allowed)| *allowed);
        Ok(found.map(|(step, _)| Move { action: Some(step.shown), ..step.does }).collect())
    }
}

impl Lts {
    /// All of one side of a model.
    pub fn of(world: &World<'_>, side: &Side) -> Result<Lts> {
        let system = System::new(world, side, true)?;
        let mut places: BTreeMap<Config, usize> = BTreeMap::new();
        let mut all: Vec<Config> = Vec::new();
        let mut lts = Lts::default();
        let mut place = |config: Config, all: &mut Vec<Config>| {
            *places.entry(config.clone()).or_insert_with(|| {
                all.push(config);
                all.len() - 1
            })
        };
        for config in system.initial()? {
            lts.initial.push(place(config, &mut all));
        }
        let mut count = 0;
        while lts.steps.len() < all.len() {
            let config = all[lts.steps.len()].clone();
            // An initial value is not owed here: what is not paid is no step.
            let steps = system.steps(&config)?;
            let mine: Vec<(Seen, usize)> =
                steps.into_iter().map(|(seen, next)| (seen, place(next, &mut all))).collect();
            count += mine.len();
            if all.len() > MOST_CONFIGS || count > MOST_STEPS {
                return Err(Stop::Skip("many configurations"));
            }
            lts.steps.push(mine);
        }
        lts.configs = all;
        Ok(lts)
    }
}
