//! The plain interpreter of the library beside the interpreters of the tests, which share nothing with it but nets.
//!
//! Both are given the same numbers, the same values of abstract sorts, and the same actions of holes; what one finds is
//! put into the words of the other.

use std::collections::{BTreeSet, VecDeque};

use pnetc::algebra::AbstractId;
use pnetc::base::Id;
use pnetc::explore::naive::Interpreter;
use pnetc::explore::{Configuration, Domains, Gap, Step, Value};
use pnetc::pnet::{Hole, HoleSort, PNet, PltsId, path_inside};

use super::explicit::{self, Config, Context, World};

/// The numbers that are played with.
pub const WINDOW: (i64, i64) = (-2, 6);
/// How many values abstract sorts have.
const ATOMS: u32 = 2;

/// Where holes can do more together, going through all of it takes too long.
const MOST_TOGETHER: usize = 50_000;

/// The domains that say what the world says.
pub fn domains(net: &PNet) -> Domains {
    let abstracts = (0..net.algebra.abstracts.len() as u32).map(|id| (AbstractId(id), ATOMS));
    let integers = Some((WINDOW.0.into(), (WINDOW.1 + 1).into()));
    Domains { integers, abstracts: abstracts.collect(), ..Domains::default() }
}

/// A world in which holes do everything that they may, with all values that are played with.
pub fn world(net: &PNet) -> World {
    let mut world = World { ints: WINDOW, atoms: ATOMS, ..World::of(net) };
    world.holes = net.holes.iter().map(|hole| offers(net, &world, hole)).collect();
    world
}

/// What a hole may do: actions of its sort, `tau`, and `sync` of every action: of declared ones, of one undeclared for each
/// hole of sort `any`, and of their complements where the model speaks of any.
fn offers(net: &PNet, world: &World, hole: &Hole) -> Vec<explicit::Value> {
    let context = Context::of_net(net, world);
    let (mut known, mut own) = (Vec::new(), Vec::new());
    for (id, signature) in net.algebra.actions.iter().enumerate() {
        let arguments = context.products(&signature.sorts).unwrap_or_default().into_iter();
        let actions = arguments.map(|all| explicit::Value::Act(signature.name.as_str(), all));
        let actions: Vec<explicit::Value> = actions.collect();
        let may = match &hole.sort {
            HoleSort::Any => false,
            HoleSort::Actions(allowed) => allowed.iter().any(|action| action.index() == id),
        };
        own.extend(actions.iter().filter(|_| may).cloned());
        known.extend(actions);
    }
    let count = net.holes.iter().filter(|hole| hole.sort == HoleSort::Any).count();
    known.extend((0..count as u32).map(explicit::Value::Other));
    if net.terms.has_complements() {
        let co: Vec<_> = known.iter().cloned().map(explicit::Value::co).collect();
        known.extend(co);
    }
    if hole.sort == HoleSort::Any {
        own.extend(known.iter().cloned());
    }
    own.push(explicit::Value::Tau);
    own.extend(known.into_iter().map(explicit::Value::sync));
    own
}

/// A value in the words of the tests; nothing where a number is not played with.
pub fn value(net: &PNet, value: &Value) -> Option<explicit::Value> {
    let all = |values: &[Value]| -> Option<Vec<explicit::Value>> {
        values.iter().map(|one| self::value(net, one)).collect()
    };
    Some(match value {
        Value::Bool(value) => explicit::Value::Bool(*value),
        Value::Int(value) => {
            let number = i64::try_from(value).ok()?;
            return (WINDOW.0..=WINDOW.1).contains(&number).then_some(explicit::Value::Int(number));
        }
        Value::Abstract(sort, number) => {
            explicit::Value::Atom(net.algebra.abstracts[sort.index()].as_str(), *number)
        }
        Value::Data(data, index, fields) => {
            let constructors = &net.algebra.datatypes[data.index()].constructors;
            explicit::Value::Data(constructors[*index as usize].name.as_str(), all(fields)?)
        }
        Value::Act(id, args) => {
            explicit::Value::Act(net.algebra.action(*id).name.as_str(), all(args)?)
        }
        Value::Tau => explicit::Value::Tau,
        Value::Sync(inner) => self::value(net, inner)?.sync(),
        Value::Co(inner) => self::value(net, inner)?.co(),
        Value::Other(number) => explicit::Value::Other(*number),
        Value::Array(_) => panic!("no model here has arrays"),
    })
}

/// A configuration in the words of the tests.
pub fn config(net: &PNet, at: &Configuration) -> Option<Config> {
    let leaves = net.leaves();
    let states = leaves.iter().map(|(_, id)| at.states[*id].place()).collect();
    let values =
        leaves.iter().map(|(_, id)| at.values[*id].iter().map(|one| value(net, one)).collect());
    Some(Config { states, values: values.collect::<Option<_>>()? })
}

/// The paths of the leaves, each with those of its variables.
pub fn leaves(net: &PNet) -> Vec<(String, Vec<String>)> {
    let leaf = |(path, id): (String, PltsId)| {
        let variables = net.plts[id].variables.iter();
        let names = variables.map(|(var, _)| path_inside(&path, net.terms.var(*var).name.as_str()));
        let names = names.collect();
        (path, names)
    };
    net.leaves().into_iter().map(leaf).collect()
}

/// A step in the words of the tests.
pub fn step(net: &PNet, step: &Step) -> Option<explicit::Step> {
    let holes = step.holes.iter().map(|(hole, does)| Some((hole.0, value(net, does)?)));
    Some(explicit::Step {
        action: value(net, &step.action)?,
        holes: holes.collect::<Option<_>>()?,
        next: config(net, &step.target)?,
    })
}

/// Whether the constants of a configuration are those of a world.
fn has_constants(net: &PNet, world: &World, at: &Configuration) -> bool {
    net.algebra.constants.iter().zip(at.constants.iter()).all(|(constant, given)| match given {
        Some(given) => value(net, given).as_ref() == world.constants.get(constant.name.as_str()),
        None => true,
    })
}

/// What was compared.
#[derive(Clone, Copy, Default, Debug)]
pub struct Compared {
    pub configs: usize,
    pub steps: usize,
    /// Where the other interpreter can say nothing.
    pub troubled: usize,
    /// Where the one of the library can say nothing.
    pub gaps: usize,
    /// Configurations in which nothing can happen.
    pub stuck: usize,
}

impl std::ops::AddAssign for Compared {
    fn add_assign(&mut self, other: Compared) {
        self.configs += other.configs;
        self.steps += other.steps;
        self.troubled += other.troubled;
        self.gaps += other.gaps;
        self.stuck += other.stuck;
    }
}

/// Somebody else who knows what happens in a configuration.
pub trait Other {
    fn initial(&self) -> Option<BTreeSet<Config>>;
    fn steps(&self, at: &Config) -> Option<BTreeSet<explicit::Step>>;
}

/// Compares the first configurations that a net reaches.
pub fn compare(
    net: &PNet,
    world: &World,
    other: &dyn Other,
    most: usize,
) -> Result<Compared, String> {
    let interpreter = Interpreter::new(net, domains(net));
    let mut compared = Compared::default();
    let together = world.holes.iter().map(Vec::len).try_fold(1_usize, usize::checked_mul);
    if together.is_none_or(|together| together > MOST_TOGETHER) {
        return Ok(Compared { troubled: 1, ..compared });
    }
    let Some(theirs) = other.initial() else { return Ok(compared) };
    let initial =
        interpreter.initial().map_err(|gap| format!("initially there is a gap: {gap}"))?;
    let mut work: VecDeque<Configuration> =
        initial.configurations.into_iter().filter(|at| has_constants(net, world, at)).collect();
    let ours: BTreeSet<Config> = work.iter().filter_map(|at| config(net, at)).collect();
    if ours != theirs {
        return Err(format!("begins in {ours:?}, should in {theirs:?}"));
    }
    let mut seen: BTreeSet<Configuration> = work.iter().cloned().collect();
    while let Some(at) = work.pop_front() {
        if compared.configs + compared.troubled + compared.gaps >= most {
            break;
        }
        let Some(place) = config(net, &at) else { continue };
        let (ours, theirs) = (interpreter.steps(&at), other.steps(&place));
        let (ours, theirs) = match (ours, theirs) {
            (_, None) => {
                compared.troubled += 1;
                continue;
            }
            // Values that are not tried have a say in whether something goes first.
            (Err(Gap::Rival { .. }), Some(_)) => {
                compared.gaps += 1;
                continue;
            }
            (Err(gap), Some(_)) => return Err(format!("has a gap in {place}: {gap}")),
            (Ok(ours), Some(theirs)) => (ours, theirs),
        };
        let shown: BTreeSet<explicit::Step> =
            ours.steps.iter().filter_map(|one| step(net, one)).collect();
        if shown != theirs {
            return Err(format!("differs in {place}:{}", difference(&shown, &theirs)));
        }
        compared.configs += 1;
        compared.steps += shown.len();
        compared.stuck += usize::from(shown.is_empty());
        for step in ours.steps {
            if seen.insert(step.target.clone()) {
                work.push_back(step.target);
            }
        }
    }
    Ok(compared)
}

fn difference(ours: &BTreeSet<explicit::Step>, theirs: &BTreeSet<explicit::Step>) -> String {
    let missing = theirs.difference(ours).take(5).map(|step| format!("\n  is missing: {step}"));
    let extra = ours.difference(theirs).take(5).map(|step| format!("\n  is too much: {step}"));
    missing.chain(extra).collect()
}
