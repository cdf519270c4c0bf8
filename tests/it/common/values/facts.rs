//! What is true of two systems, found by looking at everything.

use std::collections::{BTreeMap, BTreeSet};

use super::eval::{Result, Stop, Value, World};
use super::steps::{Lts, Seen, System};
use super::{Model, Question, Wrap};

/// What is true of two systems: of each question, if it was not too much to find out.
pub type Facts = BTreeMap<Question, Option<bool>>;

/// What should come out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Truth {
    Facts(Facts),
    /// Something that goes in at the beginning can leave its sort.
    Error,
    /// No values meet the axioms.
    Contradiction,
    Skipped(&'static str),
}

const MOST_WORLDS: usize = 200;
const MOST_WEAK: usize = 30_000;

/// What is true of a model: for all that can be chosen.
pub fn truth(model: &Model) -> Truth {
    let mut facts: Option<Facts> = None;
    let mut worlds = vec![World::new(model)];
    let mut count = 0;
    let mut error = false;
    while let Some(world) = worlds.pop() {
        count += 1;
        if count > MOST_WORLDS {
            return Truth::Skipped("many worlds");
        }
        match in_world(&world) {
            Ok(Some(here)) => {
                facts = Some(match facts {
                    Some(old) => both(old, here),
                    None => here,
                });
            }
            Ok(None) => {}
            Err(Stop::Owed) => error = true,
            Err(Stop::Skip(why)) => return Truth::Skipped(why),
            Err(Stop::Need(key, values)) => {
                for value in values {
                    let mut world = world.clone();
                    world.choices.insert(key.clone(), value);
                    worlds.push(world);
                }
            }
        }
    }
    match facts {
        _ if error => Truth::Error,
        Some(facts) => Truth::Facts(facts),
        None => Truth::Contradiction,
    }
}

/// Whether the left side does something worth comparing: in a world, the first that comes.
pub fn lively(model: &Model) -> bool {
    let mut world = World::new(model);
    for _ in 0..50 {
        match Lts::of(&world, &model.left) {
            Ok(lts) => {
                let labels: BTreeSet<&Seen> =
                    lts.steps.iter().flatten().map(|(seen, _)| seen).collect();
                return labels.len() > 1;
            }
            Err(Stop::Need(key, values)) => match values.into_iter().next_back() {
                Some(value) => drop(world.choices.insert(key, value)),
                None => return false,
            },
            // What is wrong at the beginning is worth comparing, too.
            Err(Stop::Owed) => return true,
            Err(Stop::Skip(_)) => return true,
        }
    }
    false
}

/// What holds in both worlds.
fn both(a: Facts, b: Facts) -> Facts {
    let one = |(question, here): (Question, Option<bool>)| {
        let both = match (here, b.get(&question).copied().flatten()) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        };
        (question, both)
    };
    a.into_iter().map(one).collect()
}

/// Nothing where the axioms do not hold.
fn in_world(world: &World<'_>) -> Result<Option<Facts>> {
    for axiom in &world.model.axioms {
        if !world.holds(Some(axiom), &BTreeMap::new())? {
            return Ok(None);
        }
    }
    for (name, _) in &world.model.set {
        let c = world.model.consts.iter().find(|c| c.name == *name);
        let Some(c) = c else { return Err(Stop::Skip("no constant")) };
        world.into(world.constant(name)?, &c.sort)?;
    }
    let left = Lts::of(world, &world.model.left)?;
    let right = Lts::of(world, &world.model.right)?;
    let mut facts = Facts::new();
    for question in world.model.questions() {
        let holds = match question {
            Question::Bisimilar => Some(bisimilar(&left, &right)),
            Question::WeaklyBisimilar if bisimilar(&left, &right) => Some(true),
            Question::WeaklyBisimilar => weakly_bisimilar(&left, &right),
            Question::Refines => Some(refines(&left, &right)),
            Question::Tracking => {
                let tracked = &world.model.tracked;
                Some(refines(&tracking(&left, tracked), &tracking(&right, tracked)))
            }
            Question::WeaklyRefines if !world.model.tracked.is_empty() => {
                let tracked = &world.model.tracked;
                weakly_refines(&tracking(&left, tracked), &tracking(&right, tracked))
            }
            Question::WeaklyRefines => weakly_refines(&left, &right),
            Question::Nonblocking => Some(nonblocking(world, &left)?),
        };
        facts.insert(question, holds);
    }
    Ok(Some(facts))
}

fn bisimilar(left: &Lts, right: &Lts) -> bool {
    related(left, right, left, right, true, false)
}

fn refines(left: &Lts, right: &Lts) -> bool {
    related(left, right, left, right, false, true)
}

fn weakly_bisimilar(left: &Lts, right: &Lts) -> Option<bool> {
    let (weak_left, weak_right) = (weak(left)?, weak(right)?);
    Some(related(&quietly(left), &quietly(right), &weak_left, &weak_right, true, false))
}

fn weakly_refines(left: &Lts, right: &Lts) -> Option<bool> {
    let (quiet_left, weak_right) = (quietly(left), weak(right)?);
    let answers = by_label(&weak_right);
    let nothing: Seen = (Vec::new(), Value::Tau);
    let stops = |r: usize| answers[r][&nothing].iter().any(|&end| right.steps[end].is_empty());
    let mut holds = vec![vec![true; right.steps.len()]; left.steps.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for (l, mine) in quiet_left.steps.iter().enumerate() {
            for r in 0..right.steps.len() {
                let answered = |(label, target): &(Seen, usize)| {
                    let found = answers[r].get(label);
                    found.is_some_and(|all| all.iter().any(|&other| holds[*target][other]))
                };
                let kept = mine.iter().all(answered) && (!mine.is_empty() || stops(r));
                changed |= holds[l][r] && !kept;
                holds[l][r] &= kept;
            }
        }
    }
    Some(left.initial.iter().all(|&l| right.initial.iter().any(|&r| holds[l][r])))
}

/// Of the holes, only these are seen; a family as a whole.
fn tracking(lts: &Lts, tracked: &[String]) -> Lts {
    let mut lts = lts.clone();
    let is_tracked = |hole: &str| tracked.iter().any(|name| hole.split('[').next() == Some(name));
    for ((holes, _), _) in lts.steps.iter_mut().flatten() {
        holes.retain(|(hole, _)| is_tracked(hole));
    }
    lts
}

/// Whether the left side can do something wherever it could with its holes open.
fn nonblocking(world: &World<'_>, whole: &Lts) -> Result<bool> {
    let open = System::new(world, &world.model.left, false)?;
    for (config, steps) in whole.configs.iter().zip(&whole.steps) {
        if steps.is_empty() && !open.steps(config)?.is_empty() {
            return Ok(false);
        }
    }
    Ok(true)
}

fn is_silent(action: &Value) -> bool {
    matches!(action, Value::Tau | Value::Wrapped(Wrap::Sync, _))
}

fn quiet((holes, action): &Seen) -> Seen {
    let loud = holes.iter().filter(|(_, action)| !is_silent(action)).cloned().collect();
    (loud, if is_silent(action) { Value::Tau } else { action.clone() })
}

fn quietly(lts: &Lts) -> Lts {
    let steps = lts.steps.iter().map(|mine| {
        let quiet: BTreeSet<(Seen, usize)> =
            mine.iter().map(|(seen, to)| (quiet(seen), *to)).collect();
        quiet.into_iter().collect()
    });
    Lts { initial: lts.initial.clone(), steps: steps.collect(), configs: Vec::new() }
}

/// The weak steps: silent steps do not count, and each hole does at most one thing that counts.
fn weak(lts: &Lts) -> Option<Lts> {
    let quiet = quietly(lts);
    let mut steps = Vec::new();
    let mut count = 0;
    for start in 0..quiet.steps.len() {
        let nothing: Seen = (Vec::new(), Value::Tau);
        let mut seen: BTreeSet<(Seen, usize)> = BTreeSet::from([(nothing.clone(), start)]);
        let mut work = vec![(nothing, start)];
        while let Some((so_far, at)) = work.pop() {
            for (label, target) in &quiet.steps[at] {
                let Some(longer) = together(&so_far, label) else { continue };
                if seen.insert((longer.clone(), *target)) {
                    work.push((longer, *target));
                }
            }
            if count + seen.len() > MOST_WEAK {
                return None;
            }
        }
        count += seen.len();
        steps.push(seen.into_iter().collect());
    }
    Some(Lts { initial: lts.initial.clone(), steps, configs: Vec::new() })
}

/// One after the other.
fn together(first: &Seen, second: &Seen) -> Option<Seen> {
    let action = match (&first.1, &second.1) {
        (Value::Tau, other) | (other, Value::Tau) => other.clone(),
        _ => return None,
    };
    let mut holes = first.0.clone();
    for (hole, action) in &second.0 {
        if holes.iter().any(|(other, _)| other == hole) {
            return None;
        }
        holes.push((hole.clone(), action.clone()));
    }
    holes.sort();
    Some((holes, action))
}

type Answers<'l> = Vec<BTreeMap<&'l Seen, Vec<usize>>>;

fn by_label(lts: &Lts) -> Answers<'_> {
    let mut all = Vec::new();
    for mine in &lts.steps {
        let mut map: BTreeMap<&Seen, Vec<usize>> = BTreeMap::new();
        for (label, target) in mine {
            map.entry(label).or_default().push(*target);
        }
        all.push(map);
    }
    all
}

/// Whether the beginnings are related, in the largest relation such that steps of the left one are answered by those
/// of the right one (and the other way round, with `both`), and where one is stuck the other is (with `deadlocks`).
fn related(
    left: &Lts,
    right: &Lts,
    left_answers: &Lts,
    right_answers: &Lts,
    both: bool,
    deadlocks: bool,
) -> bool {
    let (answers_left, answers_right) = (by_label(left_answers), by_label(right_answers));
    let mut holds = vec![vec![true; right.steps.len()]; left.steps.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for l in 0..left.steps.len() {
            for r in 0..right.steps.len() {
                if !holds[l][r] {
                    continue;
                }
                let forth = left.steps[l].iter().all(|(label, target)| {
                    let found = answers_right[r].get(label);
                    found.is_some_and(|all| all.iter().any(|&other| holds[*target][other]))
                });
                let back = !both
                    || right.steps[r].iter().all(|(label, target)| {
                        let found = answers_left[l].get(label);
                        found.is_some_and(|all| all.iter().any(|&other| holds[other][*target]))
                    });
                let stuck = deadlocks && left.steps[l].is_empty() && !right.steps[r].is_empty();
                if !forth || !back || stuck {
                    holds[l][r] = false;
                    changed = true;
                }
            }
        }
    }
    let covered = left.initial.iter().all(|&l| right.initial.iter().any(|&r| holds[l][r]));
    let back = right.initial.iter().all(|&r| left.initial.iter().any(|&l| holds[l][r]));
    covered && (!both || back)
}
