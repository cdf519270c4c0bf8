//! Priorities between interactions of a compound: what gives way to what.
//!
//! The language orders connectors as a whole (`priority a < b`), and the interactions of one by what they contain (`priority
//! maximal`). Where a rule is about single interactions, or has a guard, all interactions below it are written as vectors
//! with everything that they give way to, by whatever way through the rules.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::super::super::problems::{PriorityCircle, Refusal, RefusedBip};
use super::super::super::text::Texts;
use super::super::model::SideDef;
use super::super::term::Term;
use super::glue::Glue;
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
    pub span: Span,
}

#[derive(Debug, Default)]
pub(super) struct Order {
    /// Connectors that give way to others as a whole.
    pub named: Vec<(usize, usize)>,
    /// For each connector that is written as vectors, what its interactions give way to.
    rivals: FxHashMap<usize, Vec<Vec<Rival>>>,
}

impl Order {
    /// The rivals of the interactions of a connector, if they are written as vectors.
    pub fn rivals(&self, top: usize) -> Option<&[Vec<Rival>]> {
        self.rivals.get(&top).map(Vec::as_slice)
    }

    /// The order of whole connectors without some of them; what went through these goes on.
    pub fn named_without(&self, gone: &BTreeSet<usize>) -> BTreeSet<(usize, usize)> {
        let mut pairs = BTreeSet::new();
        for (low, _) in self.named.iter().filter(|(low, _)| !gone.contains(low)) {
            let (mut work, mut seen) = (vec![*low], BTreeSet::new());
            while let Some(at) = work.pop() {
                for (_, high) in self.named.iter().filter(|(below, _)| *below == at) {
                    match gone.contains(high) {
                        false => _ = pairs.insert((*low, *high)),
                        true if seen.insert(*high) => work.push(*high),
                        true => {}
                    }
                }
            }
        }
        pairs
    }

    /// All rivals that are written.
    pub fn explicit(&self) -> impl Iterator<Item = &Rival> {
        self.rivals.values().flatten().flatten()
    }

    pub fn new(glue: &Glue<'_>, tops: &[Top], texts: &mut Texts<'_>) -> Option<Order> {
        let nodes = Nodes::new(glue, tops);
        if let Some(circle) = nodes.circle(glue, tops) {
            texts.report(circle);
            return None;
        }
        let rules = &glue.compound.rules;
        // A rule between whole connectors without a guard is one of the language.
        let whole = |side: &SideDef| match side {
            SideDef::All => None,
            SideDef::Connector(at) => Some(*at),
            SideDef::Interaction(at, _) => {
                (glue.type_of(*at).interactions.len() == 1).then_some(*at)
            }
        };
        let is_own = |top: &Top| top.shown == Shown::Own;
        let is_named = rules.iter().all(|rule| {
            let sides = (whole(&rule.low), whole(&rule.high));
            rule.guard == Term::Bool(true) && sides.0.is_some() && sides.1.is_some()
        }) && tops.iter().all(is_own);
        let mut order = Order::default();
        if is_named {
            let top_of = |side: &SideDef| {
                let at = whole(side)?;
                tops.iter().position(|top| top.connector == at)
            };
            let pairs =
                rules.iter().filter_map(|rule| Some((top_of(&rule.low)?, top_of(&rule.high)?)));
            order.named = pairs.collect();
        }
        for (at, top) in tops.iter().enumerate() {
            let is_low = !is_named && nodes.has_rule_below(at);
            if is_low || !is_own(top) || !glue.is_simple(top.connector) {
                let Some(rivals) = nodes.all_rivals(at, tops) else {
                    let span = glue.compound.connectors[top.connector].name.span;
                    let refusal = Refusal::TooLarge("the priorities of this connector");
                    texts.report(RefusedBip { span, refusal });
                    return None;
                };
                order.rivals.insert(at, rivals);
            }
        }
        Some(order)
    }
}

/// What goes before something, under which guard, and where it says so; maximal progress says so nowhere.
type Edge = (usize, Term, Option<Span>);

/// Interactions by the ports of their connectors, and what goes before what.
struct Nodes {
    /// Connector and ports.
    all: Vec<(usize, Vec<usize>)>,
    /// For each: what goes before it.
    above: Vec<Vec<Edge>>,
}

impl Nodes {
    fn new(glue: &Glue<'_>, tops: &[Top]) -> Nodes {
        let mut all = Vec::new();
        for (at, top) in tops.iter().enumerate() {
            let ports = glue.type_of(top.connector).interactions.iter();
            all.extend(ports.map(|ports| (at, ports.clone())));
        }
        let mut above: Vec<Vec<Edge>> = vec![Vec::new(); all.len()];
        let mut starts = vec![all.len(); tops.len() + 1];
        for (at, (top, _)) in all.iter().enumerate().rev() {
            starts[*top] = at;
        }
        for (low, (top, ports)) in all.iter().enumerate() {
            let end = all.iter().skip(low).take_while(|(other, _)| other == top).count() + low;
            for (high, (_, larger)) in all.iter().enumerate().take(end).skip(starts[*top]) {
                let contains =
                    larger.len() > ports.len() && ports.iter().all(|port| larger.contains(port));
                if contains {
                    above[low].push((high, Term::Bool(true), None));
                }
            }
        }
        let is_in = |side: &SideDef, node: &(usize, Vec<usize>)| match side {
            SideDef::All => true,
            SideDef::Connector(at) => tops[node.0].connector == *at,
            SideDef::Interaction(at, ports) => tops[node.0].connector == *at && node.1 == *ports,
        };
        for rule in &glue.compound.rules {
            let one_is_any = rule.low == SideDef::All || rule.high == SideDef::All;
            let lows: Vec<usize> =
                (0..all.len()).filter(|at| is_in(&rule.low, &all[*at])).collect();
            let highs: Vec<usize> =
                (0..all.len()).filter(|at| is_in(&rule.high, &all[*at])).collect();
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
    fn all_rivals(&self, top: usize, tops: &[Top]) -> Option<Vec<Vec<Rival>>> {
        let mut known: FxHashMap<&[usize], Vec<Edge>> = FxHashMap::default();
        for (at, (of, ports)) in self.all.iter().enumerate() {
            if *of == top {
                known.insert(ports, self.above_all(at)?);
            }
        }
        let rivals = tops[top].interactions.iter().map(|interaction| {
            let mut rivals = Vec::new();
            for (node, guard, span) in known.get(interaction.ports.as_slice()).into_iter().flatten()
            {
                let (high, ports) = &self.all[*node];
                let each = tops[*high].interactions.iter().enumerate();
                for (at, _) in each.filter(|(_, one)| one.ports == *ports) {
                    let span = span.unwrap_or(interaction.span);
                    rivals.push(Rival { high: (*high, at), guard: guard.clone(), span });
                }
            }
            rivals
        });
        Some(rivals.collect())
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
