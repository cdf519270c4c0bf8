//! Weak refinement and divergence as they are defined, by going through all configurations: nothing is saturated
//! beforehand, each answer is looked for by itself.

use std::collections::{BTreeMap, BTreeSet};

use super::explicit::{Label, Lts};
use crate::common::explicit::Value;

/// What an answer has to show once, besides silent things: what the tracked holes do, and the result.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Wanted {
    holes: BTreeMap<String, Value>,
    action: Option<Value>,
}

/// The holes that are compared; all of them, where nothing is said.
#[derive(Clone, Copy, Debug)]
pub struct Tracking<'t>(pub Option<&'t [String]>);

impl Tracking<'_> {
    fn of(self, hole: &str) -> bool {
        let name = hole.split('[').next().unwrap_or(hole);
        self.0.is_none_or(|names| names.iter().any(|tracked| tracked == name))
    }

    fn wanted(self, (holes, action): &Label) -> Wanted {
        let loud = holes.iter().filter(|(hole, does)| self.of(hole) && !is_silent(does));
        Wanted {
            holes: loud.cloned().collect(),
            action: (!is_silent(action)).then(|| action.clone()),
        }
    }
}

fn is_silent(action: &Value) -> bool {
    matches!(action, Value::Tau | Value::Sync(_))
}

impl Wanted {
    fn nothing() -> Wanted {
        Wanted { holes: BTreeMap::new(), action: None }
    }

    /// What is still to be shown after some of it was; nothing when something else was shown, or twice the same.
    fn after(&self, shown: &Wanted) -> Option<Wanted> {
        let mut left = self.clone();
        for (hole, does) in &shown.holes {
            (left.holes.remove(hole)? == *does).then_some(())?;
        }
        if let Some(action) = &shown.action {
            (left.action.take()? == *action).then_some(())?;
        }
        Some(left)
    }
}

/// Where a configuration can be after it has shown what is wanted, and nothing else.
fn answers(lts: &Lts, from: usize, wanted: &Wanted, tracking: Tracking<'_>) -> BTreeSet<usize> {
    let mut seen = BTreeSet::from([(from, wanted.clone())]);
    let mut work = vec![(from, wanted.clone())];
    while let Some((at, left)) = work.pop() {
        for (label, next) in &lts.steps[at] {
            let Some(left) = left.after(&tracking.wanted(label)) else { continue };
            if seen.insert((*next, left.clone())) {
                work.push((*next, left));
            }
        }
    }
    let done = seen.into_iter().filter(|(_, left)| *left == Wanted::nothing());
    done.map(|(at, _)| at).collect()
}

/// Whether the left one weakly refines the right one.
pub fn weakly_refines(left: &Lts, right: &Lts, tracking: Tracking<'_>) -> bool {
    let mut known: BTreeMap<(usize, Wanted), BTreeSet<usize>> = BTreeMap::new();
    let mut answered = |r: usize, wanted: Wanted| {
        let found = known.entry((r, wanted.clone()));
        found.or_insert_with(|| answers(right, r, &wanted, tracking)).clone()
    };
    let mut related: BTreeSet<(usize, usize)> = BTreeSet::new();
    for l in 0..left.steps.len() {
        for r in 0..right.steps.len() {
            let silently = answered(r, Wanted::nothing());
            let stops = silently.iter().any(|&end| right.steps[end].is_empty());
            if !left.steps[l].is_empty() || stops {
                related.insert((l, r));
            }
        }
    }
    loop {
        let mut kept = |&(l, r): &(usize, usize)| {
            left.steps[l].iter().all(|(label, next)| {
                let found = answered(r, tracking.wanted(label));
                found.iter().any(|&other| related.contains(&(*next, other)))
            })
        };
        let next: BTreeSet<(usize, usize)> =
            related.iter().copied().filter(|pair| kept(pair)).collect();
        if next.len() == related.len() {
            break;
        }
        related = next;
    }
    let begins = |&l: &usize| right.initial.iter().any(|&r| related.contains(&(l, r)));
    left.initial.iter().all(begins)
}

/// Whether one can go on silently for ever: by itself, or with holes that move without being seen.
pub fn diverges(lts: &Lts, tracking: Tracking<'_>, with_holes: bool) -> bool {
    let silent = |label: &Label| {
        tracking.wanted(label) == Wanted::nothing() && (with_holes || label.0.is_empty())
    };
    let mut left: BTreeSet<usize> = (0..lts.steps.len()).collect();
    loop {
        let goes_on = |&at: &usize| {
            lts.steps[at].iter().any(|(label, next)| silent(label) && left.contains(next))
        };
        let next: BTreeSet<usize> = left.iter().copied().filter(goes_on).collect();
        if next.len() == left.len() {
            return !left.is_empty();
        }
        left = next;
    }
}
