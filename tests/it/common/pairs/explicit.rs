//! Comparing two nets by going through all their configurations, one by one.

use std::collections::{BTreeMap, BTreeSet};

use super::refining::{Tracking, diverges, weakly_refines};
use pnetc::pnet::{HoleId, HoleSort, PNet};

use crate::common::explicit::{Config, Context, Explicit, Value, World};

/// What is seen of a step: what the holes do, by their paths, and the result.
pub type Label = (Vec<(String, Value)>, Value);

/// All configurations with their steps.
#[derive(Clone, Debug, Default)]
pub struct Lts {
    pub initial: Vec<usize>,
    pub steps: Vec<Vec<(Label, usize)>>,
}

/// What is true of two nets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Facts {
    pub bisimilar: bool,
    pub weakly_bisimilar: bool,
    pub refines: bool,
    pub weakly_refines: bool,
}

/// More than this is not gone through.
const MOST_CONFIGS: usize = 14;
const MOST_STEPS: usize = 1_500;
const MOST_OFFERS: usize = 60;

/// Every action that a hole may do, as far as labels can tell them apart.
pub fn world(net: &PNet) -> Option<World> {
    let mut world = World { ints: (-1, 8), ..World::default() };
    let mut declared = Vec::new();
    {
        let context = Context::of_net(net, &world);
        for signature in &net.algebra.actions {
            let name = signature.name.as_str();
            let rows = context.products(&signature.sorts).ok()?;
            declared.extend(rows.into_iter().map(|row| Value::Act(name, row)));
        }
    }
    let mut all = vec![Value::Tau];
    all.extend(declared.iter().cloned());
    all.push(Value::Other(0));
    all.push(Value::Other(1));
    let wrapped: Vec<Value> = all[1..].to_vec();
    all.extend(wrapped.iter().cloned().map(Value::co));
    // What is silent can be told apart by those who look at it.
    all.extend(wrapped.into_iter().map(Value::sync));
    let mut holes = Vec::new();
    for hole in &net.holes {
        let context = Context::of_net(net, &world);
        let mut mine = Vec::new();
        for action in &all {
            if context.may_do(hole, action).ok()? {
                mine.push(action.clone());
            }
        }
        let most = if hole.sort == HoleSort::Any { 2 * MOST_OFFERS } else { MOST_OFFERS };
        if mine.len() > most {
            return None;
        }
        holes.push(mine);
    }
    world.holes = holes;
    Some(world)
}

impl Lts {
    /// All of a net; nothing when it is too large, or when it is not known what it does.
    pub fn of(net: &PNet) -> Option<Lts> {
        let world = world(net)?;
        let explicit = Explicit::new(net, &world);
        let mut places: BTreeMap<Config, usize> = BTreeMap::new();
        let mut all: Vec<Config> = Vec::new();
        let mut lts = Lts::default();
        let mut place = |config: Config, all: &mut Vec<Config>| {
            *places.entry(config.clone()).or_insert_with(|| {
                all.push(config);
                all.len() - 1
            })
        };
        for config in explicit.initial().ok()? {
            lts.initial.push(place(config, &mut all));
        }
        let mut count = 0;
        while lts.steps.len() < all.len() {
            let config = all[lts.steps.len()].clone();
            let mut mine = Vec::new();
            for step in explicit.steps(&config).ok()? {
                let holes = step.holes.into_iter();
                let mut holes: Vec<(String, Value)> = holes
                    .map(|(hole, action)| (net.holes[HoleId(hole)].path.to_string(), action))
                    .collect();
                holes.sort();
                mine.push(((holes, step.action), place(step.next, &mut all)));
            }
            count += mine.len();
            if all.len() > MOST_CONFIGS || count > MOST_STEPS {
                return None;
            }
            lts.steps.push(mine);
        }
        Some(lts)
    }

    /// The weak steps: silent steps do not count, nor do silent actions of holes, and each hole does at most
    /// one thing that counts.
    fn weak(&self) -> Option<Lts> {
        let mut steps = Vec::new();
        let mut count = 0;
        for start in 0..self.steps.len() {
            let nothing: Label = (Vec::new(), Value::Tau);
            let mut seen: BTreeSet<(Label, usize)> = BTreeSet::from([(nothing.clone(), start)]);
            let mut work = vec![(nothing, start)];
            while let Some((so_far, at)) = work.pop() {
                for (label, target) in &self.steps[at] {
                    let Some(longer) = together(&so_far, &quiet(label)) else { continue };
                    if seen.insert((longer.clone(), *target)) {
                        work.push((longer, *target));
                    }
                }
                if seen.len() > 4 * MOST_STEPS {
                    return None;
                }
            }
            count += seen.len();
            if count > 10 * MOST_STEPS {
                return None;
            }
            steps.push(seen.into_iter().collect());
        }
        Some(Lts { initial: self.initial.clone(), steps })
    }

    /// The same steps, with what is silent left out of the labels.
    fn quiet(&self) -> Lts {
        let steps = self.steps.iter().map(|mine| {
            mine.iter().map(|(label, target)| (quiet(label), *target)).collect::<Vec<_>>()
        });
        Lts { initial: self.initial.clone(), steps: steps.collect() }
    }
}

fn is_silent(action: &Value) -> bool {
    matches!(action, Value::Tau | Value::Sync(_))
}

fn quiet((holes, action): &Label) -> Label {
    let loud = holes.iter().filter(|(_, action)| !is_silent(action)).cloned().collect();
    (loud, if is_silent(action) { Value::Tau } else { action.clone() })
}

/// One after the other.
fn together(first: &Label, second: &Label) -> Option<Label> {
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

/// What is true of two; nothing when they are too large.
pub fn facts(left: &Lts, right: &Lts) -> Option<Facts> {
    let bisimilar = related(left, right, left, right, true, false);
    let refines = related(left, right, left, right, false, true);
    let (weak_left, weak_right) = (left.weak()?, right.weak()?);
    let (quiet_left, quiet_right) = (left.quiet(), right.quiet());
    let weakly_bisimilar = related(&quiet_left, &quiet_right, &weak_left, &weak_right, true, false);
    let all = Tracking(None);
    let weakly_refines = weakly_refines(left, right, all);
    // What is defined in two ways must at least fit together.
    assert!(!refines || weakly_refines, "refinement is weak refinement");
    let ends = !diverges(left, all, true) && !diverges(right, all, true);
    assert!(
        !(weakly_bisimilar && ends) || weakly_refines,
        "weakly bisimilar, and both come to an end"
    );
    Some(Facts { bisimilar, weakly_bisimilar, refines, weakly_refines })
}

/// Whether each initial configuration of the one is related to one of the other: in the largest relation such
/// that steps of the left one are answered by those of the right one (and the other way round, with `both`).
fn related(
    left: &Lts,
    right: &Lts,
    left_answers: &Lts,
    right_answers: &Lts,
    both: bool,
    deadlocks: bool,
) -> bool {
    // Answers by label, so that they are found.
    type Answers<'l> = Vec<BTreeMap<&'l Label, Vec<usize>>>;
    fn by_label(lts: &Lts) -> Answers<'_> {
        lts.steps
            .iter()
            .map(|mine| {
                let mut map: BTreeMap<&Label, Vec<usize>> = BTreeMap::new();
                for (label, target) in mine {
                    map.entry(label).or_default().push(*target);
                }
                map
            })
            .collect()
    }
    let (answers_left, answers_right) = (by_label(left_answers), by_label(right_answers));
    let (rows, columns) = (left.steps.len(), right.steps.len());
    let mut holds = vec![vec![true; columns]; rows];
    loop {
        let mut changed = false;
        for l in 0..rows {
            for r in 0..columns {
                if !holds[l][r] {
                    continue;
                }
                let answered = left.steps[l].iter().all(|(label, target)| {
                    let found = answers_right[r].get(label);
                    found.is_some_and(|all| all.iter().any(|&other| holds[*target][other]))
                }) && (!both
                    || right.steps[r].iter().all(|(label, target)| {
                        let found = answers_left[l].get(label);
                        found.is_some_and(|all| all.iter().any(|&other| holds[other][*target]))
                    }));
                let stuck = deadlocks && left.steps[l].is_empty() && !right.steps[r].is_empty();
                if !answered || stuck {
                    holds[l][r] = false;
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    let covered = left.initial.iter().all(|&l| right.initial.iter().any(|&r| holds[l][r]));
    let back = right.initial.iter().all(|&r| left.initial.iter().any(|&l| holds[l][r]));
    covered && (!both || back)
}
