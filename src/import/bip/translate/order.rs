//! Priorities between interactions of a compound: what gives way to what.
//!
//! The language has forms for nearly all of them (`priorities.rs`). Where it has none, interactions are written as vectors with
//! everything that they give way to, by whatever way through the rules.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::super::problems::{PriorityCircle, Refusal, RefusedBip};
use super::super::super::text::Texts;
use super::super::model::SideDef;
use super::super::term::Term;
use super::glue::{Glue, Interaction, Leaf};
use super::plan::{Shown, Top};
use crate::diagnostics::Span;

/// So many ways through the rules are followed.
const MOST_WAYS: usize = 20_000;

/// An interaction: the connector, and the interaction of it.
pub(super) type Place = (usize, usize);

/// What an interaction gives way to, where a condition on exported data holds.
#[derive(Clone, Debug)]
pub(super) struct Rival {
    pub high: Place,
    pub guard: Term,
}

/// What the interactions of connectors give way to, for each connector that is written as vectors.
pub(super) type Rivals = FxHashMap<usize, Vec<Vec<Rival>>>;

#[derive(Debug)]
pub(super) struct Order {
    nodes: Nodes,
    /// What is written as vectors, where it is known already that the language has no form for the order.
    rivals: Option<Rivals>,
}

impl Order {
    /// What gives way to what by `unless`, where it is known already that this is needed.
    pub fn planned(&self) -> Option<&Rivals> {
        self.rivals.as_ref()
    }

    /// Connectors that something gives way to by `unless`.
    pub fn asked(&self) -> FxHashSet<usize> {
        let all = self.rivals.iter().flat_map(FxHashMap::values).flatten().flatten();
        all.map(|rival| rival.high.0).collect()
    }

    /// The order of a compound; circles are reported.
    pub fn new(glue: &Glue<'_>, tops: &[Top], texts: &mut Texts<'_>) -> Option<Order> {
        let nodes = Nodes::new(glue, tops);
        if let Some(circle) = nodes.circle(glue, tops) {
            texts.report(circle);
            return None;
        }
        let mut order = Order { nodes, rivals: None };
        // Nobody sees what is exported and not connected, but others give way to it.
        let is_hidden = |top: &Top| top.shown == Shown::Faces(Vec::new());
        let rules = &glue.compound.rules;
        let is_named = |top: &Top| {
            let is_in = |side: &SideDef| match side {
                SideDef::All => false,
                SideDef::Connector(at) | SideDef::Interaction(at, _) => *at == top.connector,
            };
            rules
                .iter()
                .any(|rule| is_in(&rule.low) || is_in(&rule.high) || rule.high == SideDef::All)
        };
        if tops.iter().any(|top| is_hidden(top) && is_named(top)) {
            order.rivals = Some(order.unless(glue, tops, texts)?);
        }
        Some(order)
    }

    /// What gives way to what, interaction by interaction. What happens by itself and only has to be the largest of its connector
    /// stays a connector.
    pub fn unless(&self, glue: &Glue<'_>, tops: &[Top], texts: &mut Texts<'_>) -> Option<Rivals> {
        let mut all = Rivals::default();
        for (at, top) in tops.iter().enumerate() {
            let is_low = self.nodes.has_rule_below(at);
            if is_low || top.shown != Shown::Own {
                let Some(rivals) = self.nodes.all_rivals(at) else {
                    let span = glue.compound.connectors[top.connector].name.span;
                    let refusal = Refusal::TooLarge("the priorities of this connector");
                    texts.report(RefusedBip { span, refusal });
                    return None;
                };
                all.insert(at, rivals);
            }
        }
        Some(all)
    }
}

/// What goes before something, under which guard, and where it says so; maximal progress says so nowhere.
type Edge = (usize, Term, Option<Span>);

/// Interactions, with those of the connectors below, and what goes before what.
#[derive(Debug)]
struct Nodes {
    all: Vec<Place>,
    /// For each: what goes before it.
    above: Vec<Vec<Edge>>,
}

impl Nodes {
    fn new(glue: &Glue<'_>, tops: &[Top]) -> Nodes {
        let mut all: Vec<Place> = Vec::new();
        let mut above: Vec<Vec<Edge>> = Vec::new();
        for (at, top) in tops.iter().enumerate() {
            let start = all.len();
            for (number, larger) in larger(&top.interactions).into_iter().enumerate() {
                all.push((at, number));
                let yes = Term::Bool(true);
                above.push(larger.iter().map(|high| (start + high, yes.clone(), None)).collect());
            }
        }
        let is_in = |side: &SideDef, (top, number): Place| match side {
            SideDef::All => true,
            SideDef::Connector(at) => tops[top].connector == *at,
            SideDef::Interaction(at, ports) => {
                tops[top].connector == *at && tops[top].interactions[number].ports == *ports
            }
        };
        for rule in &glue.compound.rules {
            let one_is_any = rule.low == SideDef::All || rule.high == SideDef::All;
            let lows: Vec<usize> = (0..all.len()).filter(|at| is_in(&rule.low, all[*at])).collect();
            let highs: Vec<usize> =
                (0..all.len()).filter(|at| is_in(&rule.high, all[*at])).collect();
            for low in &lows {
                for high in &highs {
                    // All others, where all are meant.
                    let is_other = match one_is_any {
                        true => all[*low].0 != all[*high].0,
                        false => true,
                    };
                    if is_other {
                        above[*low].push((*high, rule.guard.clone(), Some(rule.span)));
                    }
                }
            }
        }
        Nodes { all, above }
    }

    /// A circle of rules that always hold.
    fn circle(&self, glue: &Glue<'_>, tops: &[Top]) -> Option<PriorityCircle> {
        // 0: not seen, 1: on the way, 2: done.
        let mut state = vec![0_u8; self.all.len()];
        for start in 0..self.all.len() {
            let mut way: Vec<(usize, usize)> = Vec::new();
            if state[start] == 0 {
                state[start] = 1;
                way.push((start, 0));
            }
            while let Some((node, next)) = way.last_mut() {
                let edges = &self.above[*node];
                let Some((high, guard, span)) = edges.get(*next) else {
                    state[*node] = 2;
                    way.pop();
                    continue;
                };
                *next += 1;
                if *guard != Term::Bool(true) {
                    continue;
                }
                match state[*high] {
                    0 => {
                        state[*high] = 1;
                        way.push((*high, 0));
                    }
                    1 => {
                        let from = way.iter().position(|(one, _)| one == high).unwrap_or(0);
                        let on_way: Vec<usize> = way[from..].iter().map(|(one, _)| *one).collect();
                        return Some(self.told(&on_way, *span, glue, tops));
                    }
                    _ => {}
                }
            }
        }
        None
    }

    fn told(
        &self,
        way: &[usize],
        span: Option<Span>,
        glue: &Glue<'_>,
        tops: &[Top],
    ) -> PriorityCircle {
        let rules = way.iter().flat_map(|at| &self.above[*at]).filter_map(|(_, _, span)| *span);
        let span = span.or(rules.max()).unwrap_or_default();
        let name = |at: &usize| {
            glue.compound.connectors[tops[self.all[*at].0].connector].name.text().to_owned()
        };
        let mut way: Vec<String> = way.iter().map(name).collect();
        way.dedup();
        PriorityCircle { span, way }
    }

    /// Whether some rule of the compound makes a connector give way.
    fn has_rule_below(&self, top: usize) -> bool {
        let own = self.all.iter().zip(&self.above).filter(|((of, _), _)| *of == top);
        own.flat_map(|(_, edges)| edges).any(|(_, _, span)| span.is_some())
    }

    /// What each interaction of a connector gives way to; nothing if there are too many ways.
    fn all_rivals(&self, top: usize) -> Option<Vec<Vec<Rival>>> {
        let own = self.all.iter().enumerate().filter(|(_, (of, _))| *of == top);
        let rivals = own.map(|(at, _)| {
            let above = self.above_all(at)?.into_iter();
            Some(above.map(|(high, guard, _)| Rival { high: self.all[high], guard }).collect())
        });
        rivals.collect()
    }

    /// Everything above an interaction, by whatever way, and the condition that there is one.
    fn above_all(&self, start: usize) -> Option<Vec<Edge>> {
        let mut found: Vec<Edge> = Vec::new();
        let mut ways = 0;
        let mut work: Vec<(Vec<usize>, Term, Option<Span>)> =
            vec![(vec![start], Term::Bool(true), None)];
        while let Some((way, guard, told)) = work.pop() {
            ways += 1;
            if ways > MOST_WAYS {
                return None;
            }
            let Some(last) = way.last() else { continue };
            for (high, own, span) in &self.above[*last] {
                if way.contains(high) {
                    continue;
                }
                let (guard, told) = (guard.clone().and(own.clone()), told.or(*span));
                match found.iter_mut().find(|(one, _, _)| one == high) {
                    // What always goes before needs no other way.
                    Some((_, Term::Bool(true), _)) => continue,
                    Some((_, known, _)) if *known == guard => continue,
                    Some((_, known, _)) => *known = known.clone().or(guard.clone()),
                    None => found.push((*high, guard.clone(), told)),
                }
                let mut longer = way.clone();
                longer.push(*high);
                work.push((longer, guard, told));
            }
        }
        found.sort_by_key(|(at, _, _)| *at);
        Some(found)
    }
}

/// For each of some interactions, the larger ones among them: those with the same ports of components, and more. It does not
/// matter which connectors lie between: BIP orders all interactions of a connector and of those below it together.
pub(super) fn larger(all: &[Interaction]) -> Vec<Vec<usize>> {
    let mut leaves: Vec<Leaf> = all.iter().flat_map(|one| &one.leaves).copied().collect();
    leaves.sort_unstable();
    leaves.dedup();
    let words = leaves.len().div_ceil(64);
    let sets: Vec<Vec<u64>> = all
        .iter()
        .map(|one| {
            let mut set = vec![0_u64; words];
            for at in one.leaves.iter().filter_map(|leaf| leaves.binary_search(leaf).ok()) {
                set[at / 64] |= 1 << (at % 64);
            }
            set
        })
        .collect();
    let is_within = |small: &[u64], large: &[u64]| {
        small != large && small.iter().zip(large).all(|(small, large)| small & !large == 0)
    };
    sets.iter()
        .map(|low| (0..sets.len()).filter(|high| is_within(low, &sets[*high])).collect())
        .collect()
}
