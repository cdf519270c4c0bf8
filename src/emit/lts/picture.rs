//! What is drawn of a labelled transition system, and what is said about it.

use std::collections::BTreeMap;

use crate::base::IndexVec;
use crate::lts::{
    Distances, Lts, LtsCluster, LtsLabel, LtsState, Overview, OverviewSize, overview,
};

/// How large an overview is.
const OVERVIEW: OverviewSize = OverviewSize { columns: 24, rows: 6 };
/// So many deadlocks are named.
const MOST_NAMED: usize = 12;
/// So many labels are listed beside an overview.
pub(super) const MOST_LABELS: usize = 24;

/// A state, or several that are drawn as one.
pub(super) struct Node {
    /// What it is called.
    pub(super) name: String,
    /// What else is said in it, each line with its kind.
    pub(super) more: Vec<(&'static str, String)>,
    /// Whether nothing follows, after some of its states at least.
    pub(super) is_stuck: bool,
    /// Whether it stands for several states.
    pub(super) is_many: bool,
}

/// What is said at an arrow.
#[derive(Default)]
pub(super) struct Said {
    /// The labels, or how many steps there are.
    pub(super) texts: Vec<String>,
    /// Whether the first of them is the silent action.
    pub(super) silent: bool,
}

impl Said {
    /// Whether nobody sees any of it.
    pub(super) fn is_silent(&self) -> bool {
        self.silent && self.texts.len() == 1
    }
}

/// What is drawn. The first node is, or has, the initial state.
pub(super) struct Picture {
    pub(super) facts: Vec<(&'static str, String)>,
    pub(super) nodes: Vec<Node>,
    pub(super) arrows: BTreeMap<(usize, usize), Said>,
    /// How often each label is used, where arrows do not say it.
    pub(super) labels: Vec<(String, usize)>,
}

impl Picture {
    /// A system of at most so many states state by state, or a larger one from far away.
    pub(super) fn new(lts: &Lts, full: usize) -> Picture {
        let distances = Distances::new(lts);
        if distances.order.len() <= full {
            state_by_state(lts, &distances)
        } else {
            from_far_away(lts, &distances)
        }
    }
}

/// What is so in a state of a part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PartMark {
    /// All that follows is drawn.
    Whole,
    /// More follows than what is drawn.
    Cut,
    /// Nothing follows, and that is no end.
    Deadlock,
}

impl Picture {
    /// A part of a system, state by state. What the whole has is not known, so nothing is said of it.
    pub(super) fn part(lts: &Lts, marks: &[PartMark]) -> Picture {
        let distances = Distances::new(lts);
        let mut picture = state_by_state(lts, &distances);
        picture.facts.clear();
        for (node, state) in picture.nodes.iter_mut().zip(&distances.order) {
            let mark = marks.get(state.0 as usize).copied().unwrap_or(PartMark::Cut);
            node.is_stuck = mark == PartMark::Deadlock;
            if mark == PartMark::Cut {
                node.more.push(("muted", "…".to_owned()));
            }
        }
        picture
    }
}

/// `1,234,567`
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut told = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            told.push(',');
        }
        told.push(digit);
    }
    told
}

/// `1 step`, `2 steps`
fn several(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{} {what}s", grouped(number)) }
}

/// How large it is.
fn sizes(lts: &Lts, distances: &Distances) -> Vec<(&'static str, String)> {
    let reached = distances.order.len();
    let steps: usize = distances.order.iter().map(|state| lts.steps(*state).len()).sum();
    let silent: usize = distances.order.iter().map(|state| lts.silent_steps(*state).len()).sum();
    let mut states = grouped(reached);
    if reached < lts.states() {
        states.push_str(&format!(
            " that can be reached; {} more cannot, and are left out",
            grouped(lts.states() - reached)
        ));
    }
    let mut transitions = grouped(steps);
    if silent > 0 {
        transitions.push_str(&format!(", {} of them silent", grouped(silent)));
    }
    vec![("states", states), ("transitions", transitions)]
}

// ---- state by state ----

fn state_by_state(lts: &Lts, distances: &Distances) -> Picture {
    let mut number: IndexVec<LtsState, usize> = IndexVec::of(lts.states(), 0);
    distances.order.iter().enumerate().for_each(|(at, state)| number[*state] = at);
    let ranks = lts.labels().ranks();
    let mut arrows: BTreeMap<(usize, usize), Said> = BTreeMap::new();
    for (from, state) in distances.order.iter().enumerate() {
        let mut steps = lts.steps(*state).to_vec();
        steps.sort_by_key(|step| ranks[step.label]);
        for step in steps {
            let said = arrows.entry((from, number[step.to])).or_default();
            said.silent |= step.label.is_silent();
            said.texts.push(lts.text(step.label).to_owned());
        }
    }
    let node = |state: &LtsState| Node {
        name: state.0.to_string(),
        more: Vec::new(),
        is_stuck: lts.steps(*state).is_empty(),
        is_many: false,
    };
    let mut facts = sizes(lts, distances);
    facts.extend(deadlocks(lts, distances));
    let nodes = distances.order.iter().map(node).collect();
    Picture { facts, nodes, arrows, labels: Vec::new() }
}

/// Which states are deadlocks.
fn deadlocks(lts: &Lts, distances: &Distances) -> Option<(&'static str, String)> {
    let mut stuck: Vec<u32> = distances
        .order
        .iter()
        .filter(|state| lts.steps(**state).is_empty())
        .map(|state| state.0)
        .collect();
    stuck.sort_unstable();
    if stuck.is_empty() {
        return None;
    }
    let named = stuck.iter().take(MOST_NAMED).map(u32::to_string).collect::<Vec<_>>().join(", ");
    let rest = if stuck.len() > MOST_NAMED { ", …" } else { "" };
    let word = if stuck.len() == 1 { "state" } else { "states" };
    Some(("deadlocks", format!("{}: {word} {named}{rest}", stuck.len())))
}

// ---- from far away ----

fn from_far_away(lts: &Lts, distances: &Distances) -> Picture {
    let found = overview(lts, distances, OVERVIEW);
    let mut facts = sizes(lts, distances);
    let stuck: usize = found.clusters.iter().map(|cluster| cluster.deadlocks).sum();
    if stuck > 0 {
        facts.push(("deadlocks", grouped(stuck)));
    }
    facts.push(("depth", several(distances.depth(), "step")));
    let told = "states by how many steps they are away from the initial one; apart if they lead to no common \
                state farther on";
    facts.push(("boxes", told.to_owned()));
    let nodes = (0..found.clusters.len()).map(|at| cluster_node(&found, at)).collect();
    let arrow = |(ends, count): (&(usize, usize), &usize)| {
        (*ends, Said { texts: vec![grouped(*count)], silent: false })
    };
    let arrows = found.links.iter().map(arrow).collect();
    Picture { facts, nodes, arrows, labels: labels(lts, distances) }
}

fn cluster_node(found: &Overview, at: usize) -> Node {
    let cluster = &found.clusters[at];
    let mut more = vec![("muted", away(found, at))];
    if cluster.together > 1 {
        more.push(("muted", format!("{} boxes", grouped(cluster.together))));
    }
    if cluster.inside > 0 {
        more.push(("muted", format!("{} inside", several(cluster.inside, "step"))));
    }
    if cluster.back > 0 {
        more.push(("muted", format!("{} back", several(cluster.back, "step"))));
    }
    if cluster.deadlocks > 0 {
        more.push(("stuck", several(cluster.deadlocks, "deadlock")));
    }
    let is_stuck = cluster.deadlocks > 0;
    Node { name: several(cluster.states, "state"), more, is_stuck, is_many: true }
}

/// How far the states of a cluster are away, with a letter where a column has several.
fn away(found: &Overview, at: usize) -> String {
    let cluster = &found.clusters[at];
    let mates: Vec<usize> = (0..found.clusters.len())
        .filter(|other| found.clusters[*other].column == cluster.column)
        .collect();
    let place = mates.iter().position(|mate| *mate == at).unwrap_or(0);
    let letter = match mates.len() {
        1 => String::new(),
        _ => format!(" {}", char::from(b'a' + (place % 26) as u8)),
    };
    let (least, most) = column_of(found, cluster);
    match least == most {
        true => format!("after {least}{letter}"),
        false => format!("after {least}–{most}{letter}"),
    }
}

fn column_of(found: &Overview, cluster: &LtsCluster) -> (usize, usize) {
    found.columns.get(cluster.column).copied().unwrap_or_default()
}

/// How often each label is used, the most used first.
fn labels(lts: &Lts, distances: &Distances) -> Vec<(String, usize)> {
    let mut used: IndexVec<LtsLabel, usize> = IndexVec::of(lts.labels().len(), 0);
    for state in &distances.order {
        lts.steps(*state).iter().for_each(|step| used[step.label] += 1);
    }
    let mut labels: Vec<(String, usize)> = used
        .enumerated()
        .filter(|(_, count)| **count > 0)
        .map(|(label, count)| (lts.text(label).to_owned(), *count))
        .collect();
    labels.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    labels
}
