//! What a system does, step by step, with concrete values.

use std::collections::BTreeMap;

use super::eval::{Env, Result, Stop, Value, World, wrapped};
use super::{Arg, Expr, Label, Member, Model, Net, Pattern, Process, Res, Side, Vector, Wrap};

/// A state and the values of the variables, for each leaf.
pub type Config = Vec<(usize, Vec<Value>)>;
/// An action of a leaf, and where it leads.
type Move = (Value, (usize, Vec<Value>));
/// What the holes do, and what is seen.
pub type Seen = (Vec<(String, Value)>, Value);

/// All configurations with their steps.
#[derive(Clone, Debug, Default)]
pub struct Lts {
    pub initial: Vec<usize>,
    pub steps: Vec<Vec<(Seen, usize)>>,
}

const MOST_CONFIGS: usize = 60;
const MOST_STEPS: usize = 8_000;

/// A process with the values of its parameters.
struct Leaf<'m> {
    name: String,
    process: &'m Process,
    params: Env,
}

struct System<'w, 'm> {
    world: &'w World<'m>,
    leaves: Vec<Leaf<'m>>,
    net: Option<&'m Net>,
    offers: BTreeMap<String, Vec<Value>>,
}

/// What a vector was matched with: its variables, who moved, the holes' actions.
#[derive(Clone, Default)]
struct Joined {
    env: Env,
    moved: Vec<(usize, (usize, Vec<Value>))>,
    holes: Vec<(String, Value)>,
}

/// A value that is not paid is no value.
fn paid<T>(result: Result<T>) -> Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Stop::Owed) => Ok(None),
        Err(other) => Err(other),
    }
}

impl<'w, 'm> System<'w, 'm> {
    fn new(world: &'w World<'m>, side: &'m Side) -> Result<System<'w, 'm>> {
        let mut leaves = Vec::new();
        let find = |name: &str| side.processes.iter().find(|p| p.name == name);
        match &side.net {
            None => leaves.push(Leaf {
                name: String::new(),
                process: &side.processes[0],
                params: Env::new(),
            }),
            Some(net) => {
                for (name, process, values) in &net.subs {
                    let Some(process) = find(process) else { return Err(Stop::Skip("no process")) };
                    let mut params = Env::new();
                    for (e, (param, sort)) in values.iter().zip(&process.params) {
                        params.insert(param.clone(), world.eval_into(e, &Env::new(), sort)?);
                    }
                    leaves.push(Leaf { name: name.clone(), process, params });
                }
            }
        }
        let net = side.net.as_ref();
        let mut system = System { world, leaves, net, offers: BTreeMap::new() };
        for (hole, sort) in net.map_or(&[][..], |net| &net.holes) {
            let offers = system.hole(world.model, *sort)?;
            system.offers.insert(hole.clone(), offers);
        }
        Ok(system)
    }

    /// Everything that a hole may do.
    fn hole(&self, model: &Model, sort: Option<usize>) -> Result<Vec<Value>> {
        let mut all = vec![Value::Tau, wrapped(Wrap::Sync, Value::Tau)];
        for (name, sorts) in &model.actions {
            let allowed = sort.is_none_or(|i| model.interfaces[i].1.contains(name));
            for (at, row) in self.world.products(sorts)?.into_iter().enumerate() {
                let action = Value::Act(name.clone(), row);
                if at == 0 {
                    all.push(wrapped(Wrap::Sync, wrapped(Wrap::Co, action.clone())));
                }
                all.push(wrapped(Wrap::Sync, action.clone()));
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
            all.push(wrapped(Wrap::Sync, Value::Other));
            all.push(Value::Other);
            all.push(wrapped(Wrap::Co, Value::Other));
        }
        Ok(all)
    }

    fn initial(&self) -> Result<Vec<Config>> {
        let mut all: Vec<Config> = vec![Vec::new()];
        for leaf in &self.leaves {
            let mut rows: Vec<Vec<Value>> = vec![Vec::new()];
            for (_, sort, value) in &leaf.process.vars {
                let values = match value {
                    Some(e) => vec![self.world.eval_into(e, &leaf.params, sort)?],
                    None => self.world.domain(sort)?,
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
        }
        Ok(all)
    }

    /// The actions of a leaf, each with where it leads.
    fn leaf(&self, at: usize, config: &Config) -> Result<Vec<Move>> {
        let leaf = &self.leaves[at];
        let (state, values) = &config[at];
        let mut env = leaf.params.clone();
        env.extend(
            leaf.process.vars.iter().map(|(name, ..)| name.clone()).zip(values.iter().cloned()),
        );
        let mut found = Vec::new();
        for trans in leaf.process.trans.iter().filter(|t| t.from == *state) {
            for (action, env) in self.labels(&trans.label, &env)? {
                let step = || {
                    if !self.world.holds(trans.guard.as_ref(), &env)? {
                        return Ok(None);
                    }
                    let mut next = values.clone();
                    for (name, e) in &trans.updates {
                        let var = leaf.process.vars.iter().position(|(var, ..)| var == name);
                        let Some(var) = var else { return Err(Stop::Skip("no variable")) };
                        next[var] = self.world.eval_into(e, &env, &leaf.process.vars[var].1)?;
                    }
                    Ok(Some(next))
                };
                if let Some(next) = paid(step())?.flatten() {
                    found.push((action, (trans.to, next)));
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

    /// All ways in which members can move together.
    fn joined(&self, members: &[(String, Member)], leaves: &[Vec<Move>]) -> Result<Vec<Joined>> {
        let mut all = vec![Joined::default()];
        for (part, member) in members {
            let mut longer = Vec::new();
            for joined in &all {
                if let Some(at) = self.leaves.iter().position(|leaf| leaf.name == *part) {
                    for (action, next) in &leaves[at] {
                        if let Some(env) = self.member(member, action, &joined.env)? {
                            let mut joined = Joined { env, ..joined.clone() };
                            joined.moved.push((at, next.clone()));
                            longer.push(joined);
                        }
                    }
                }
                for action in self.offers.get(part).into_iter().flatten() {
                    if let Some(env) = self.member(member, action, &joined.env)? {
                        let mut joined = Joined { env, ..joined.clone() };
                        joined.holes.push((part.clone(), action.clone()));
                        longer.push(joined);
                    }
                }
            }
            all = longer;
            if all.len() > MOST_STEPS {
                return Err(Stop::Skip("many ways"));
            }
        }
        Ok(all)
    }

    /// What a vector shows, where its guard holds and all is paid.
    fn shown(&self, vector: &Vector, joined: &Joined) -> Result<Option<Value>> {
        let show = || {
            if !self.world.holds(vector.guard.as_ref(), &joined.env)? {
                return Ok(None);
            }
            Ok(Some(match &vector.result {
                Res::Tau => Value::Tau,
                Res::Act(how, name, args) => self.world.action(*how, name, args, &joined.env)?,
                Res::Whole(name) => joined.env[name].clone(),
            }))
        };
        Ok(paid(show())?.flatten())
    }

    fn can(
        &self,
        members: &[(String, Member)],
        guard: Option<&Expr>,
        leaves: &[Vec<Move>],
    ) -> Result<bool> {
        for joined in self.joined(members, leaves)? {
            if paid(self.world.holds(guard, &joined.env))? == Some(true) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn steps(&self, config: &Config) -> Result<Vec<(Seen, Config)>> {
        let mut leaves = Vec::new();
        for at in 0..self.leaves.len() {
            leaves.push(self.leaf(at, config)?);
        }
        let Some(net) = self.net else {
            let own = leaves.remove(0).into_iter();
            return Ok(own.map(|(action, next)| ((Vec::new(), action), vec![next])).collect());
        };
        let mut found: Vec<(Seen, Config)> = Vec::new();
        for vector in &net.vectors {
            let mut rival = false;
            for (members, guard) in &vector.unless {
                rival = rival || self.can(members, guard.as_ref(), &leaves)?;
            }
            if rival {
                continue;
            }
            for joined in self.joined(&vector.members, &leaves)? {
                let Some(shown) = self.shown(vector, &joined)? else { continue };
                let mut next = config.clone();
                for (at, leaf) in &joined.moved {
                    next[*at] = leaf.clone();
                }
                let mut holes = joined.holes.clone();
                holes.sort();
                found.push(((holes, shown), next));
            }
        }
        let head =
            |action: &Value, name: &str| matches!(action, Value::Act(head, _) if head == name);
        let shows = |name: &str| found.iter().any(|((_, action), _)| head(action, name));
        let lower: Vec<&String> =
            net.priorities.iter().filter(|(_, high)| shows(high)).map(|(low, _)| low).collect();
        found.retain(|((_, action), _)| !lower.iter().any(|low| head(action, low)));
        Ok(found)
    }
}

impl Lts {
    /// All of one side of a model.
    pub fn of(world: &World<'_>, side: &Side) -> Result<Lts> {
        let system = System::new(world, side)?;
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
        Ok(lts)
    }
}
