//! Interactions that are written in vain: twice, by nobody, or each waiting for the other.

use super::net::{same_expr, same_guard};
use crate::base::budget::is_spent;
use crate::diagnostics::Span;
use crate::sema::net::Work;
use crate::sema::problems::{NoInteraction, Repeated, UnlessCycle};
use crate::sema::program::{
    ConnectorDef, ConnectorPart, ConnectorPartKind, Expr, ExprKind, FamilyDef, Local, MemberDef,
    NetBlock, Program, RivalDef, VectorDef,
};

/// Repetitions are looked for among so many neighbours.
const NEAR: usize = 32;

impl Work<'_, '_> {
    /// Vectors and connectors that are written twice, in whatever order their members stand.
    pub(super) fn repeated(&mut self, block: &NetBlock) {
        let alike = Alike { locals: &self.body.locals, program: &self.body.sema.program };
        let mut found: Vec<Repeated> = Vec::new();
        for (index, vector) in block.vectors.iter().enumerate() {
            let near = block.vectors[..index].iter().rev().take(NEAR);
            if let Some(first) = near.into_iter().find(|other| alike.vectors(other, vector)) {
                let what = "vector".to_owned();
                found.push(Repeated { span: vector.span, what, first: first.span });
            }
        }
        for (index, connector) in block.connectors.iter().enumerate() {
            let near = block.connectors[..index].iter().rev().take(NEAR);
            if let Some(first) = near.into_iter().find(|other| alike.connectors(other, connector)) {
                let what = "connector".to_owned();
                found.push(Repeated { span: connector.span, what, first: first.span });
            }
        }
        found.into_iter().for_each(|problem| self.body.report(problem));
    }

    /// Connectors in which somebody would always have to do two things at once.
    pub(super) fn without_interaction(&mut self, block: &NetBlock) {
        for connector in block.connectors.iter().filter(|connector| connector.used.is_none()) {
            let Some((one, other)) = always_twice(&connector.parts, &self.body.locals) else {
                continue;
            };
            let part = self.parts[one.part.index()].name.name.to_string();
            let (first, second) = (one.span.to(one.action.span), other.span.to(other.action.span));
            let name = connector.name.name.to_string();
            self.body.report(NoInteraction { span: second, name, part, first });
        }
    }

    /// Vectors that give way to each other in a circle.
    pub(super) fn circles(&mut self, block: &NetBlock) {
        // Priorities alone cannot form a circle: that is an error.
        if block.vectors.iter().all(|vector| vector.rivals.is_empty()) {
            return;
        }
        let count = block.vectors.len();
        let mut higher: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (low, vector) in block.vectors.iter().enumerate() {
            for rival in &vector.rivals {
                let fits = |other: &VectorDef| self.is_rival(rival, other);
                higher[low].extend((0..count).filter(|&high| fits(&block.vectors[high])));
            }
            let shown = self.shown_name(vector);
            for high in 0..count {
                if is_spent() {
                    return;
                }
                let other = self.shown_name(&block.vectors[high]);
                let mut pairs = block.priorities.iter().flat_map(|one| one.names());
                if pairs.any(|(l, h)| Some(l) == shown && Some(h) == other) {
                    higher[low].push(high);
                }
            }
        }
        for circle in circles(&higher) {
            let spans: Vec<Span> = circle.iter().map(|&at| block.vectors[at].span).collect();
            self.body.report(UnlessCycle { span: spans[0], others: spans[1..].to_vec() });
        }
    }

    fn shown_name(&self, vector: &VectorDef) -> Option<crate::diagnostics::Symbol> {
        match &vector.result.kind {
            ExprKind::Act(id, _) => Some(self.body.sema.program.actions[id.index()].named.name),
            _ => None,
        }
    }

    /// Whether a rival is this vector: the same parts do the same actions, under no other condition.
    fn is_rival(&self, rival: &RivalDef, vector: &VectorDef) -> bool {
        let locals = &self.body.locals;
        let alike = Alike { locals, program: &self.body.sema.program };
        let same = |a: &MemberDef, b: &MemberDef| alike.member(a, b);
        let guard = rival.guard.is_none()
            || same_guard(locals, rival.guard.as_ref(), vector.guard.as_ref());
        guard && same_in_any_order(&rival.members, &vector.members, same)
    }
}

/// The circles of a graph, each once, from its first vector on.
fn circles(higher: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut found: Vec<Vec<usize>> = Vec::new();
    let mut done = vec![false; higher.len()];
    for start in 0..higher.len() {
        if is_spent() {
            break;
        }
        if done[start] {
            continue;
        }
        // The shortest way back to where it starts.
        let mut came_from: Vec<Option<usize>> = vec![None; higher.len()];
        let mut work = std::collections::VecDeque::from([start]);
        'search: while let Some(at) = work.pop_front() {
            for &next in &higher[at] {
                if next == start {
                    let mut circle = vec![at];
                    let mut at = at;
                    while let Some(before) = came_from[at] {
                        circle.push(before);
                        at = before;
                    }
                    circle.reverse();
                    circle.iter().for_each(|&at| done[at] = true);
                    found.push(circle);
                    break 'search;
                }
                if came_from[next].is_none() {
                    came_from[next] = Some(at);
                    work.push_back(next);
                }
            }
        }
    }
    found
}

/// Two ports of one part that every interaction of these parts has; nothing where one has not.
fn always_twice<'c>(
    parts: &'c [ConnectorPart],
    locals: &[Local],
) -> Option<(&'c MemberDef, &'c MemberDef)> {
    // What every interaction has is in each of the sets of ports that must be there: all synchrons, or one trigger.
    let has_trigger = parts.iter().any(|part| part.trigger);
    if has_trigger {
        let mut clash = None;
        for part in parts.iter().filter(|part| part.trigger) {
            clash = Some(match &part.kind {
                ConnectorPartKind::Port(_)
                | ConnectorPartKind::Shown(..)
                | ConnectorPartKind::Each(..) => return None,
                ConnectorPartKind::Group(inner) => always_twice(inner, locals)?,
            });
        }
        return clash;
    }
    let mut always: Vec<&MemberDef> = Vec::new();
    for part in parts {
        match &part.kind {
            ConnectorPartKind::Port(port) => always.push(port),
            ConnectorPartKind::Group(inner) => {
                if let Some(clash) = always_twice(inner, locals) {
                    return Some(clash);
                }
                always.extend(always_there(inner));
            }
            // Which these are is known only with the values of indices.
            ConnectorPartKind::Each(..) | ConnectorPartKind::Shown(..) => {}
        }
    }
    let same = |a: &MemberDef, b: &MemberDef| {
        a.part == b.part && same_guard(locals, a.index.as_ref(), b.index.as_ref())
    };
    always.iter().enumerate().find_map(|(at, &one)| {
        always[..at].iter().find(|other| same(one, other)).map(|&other| (other, one))
    })
}

/// The ports that every interaction has.
fn always_there(parts: &[ConnectorPart]) -> Vec<&MemberDef> {
    let triggers = parts.iter().filter(|part| part.trigger).count();
    let needed = parts.iter().filter(|part| match triggers {
        0 => true,
        1 => part.trigger,
        _ => false,
    });
    let ports = needed.flat_map(|part| match &part.kind {
        ConnectorPartKind::Port(port) => vec![port],
        ConnectorPartKind::Group(inner) => always_there(inner),
        ConnectorPartKind::Each(..) | ConnectorPartKind::Shown(..) => Vec::new(),
    });
    ports.collect()
}

/// What counts as the same: names that belong to one statement count by their text.
struct Alike<'a> {
    locals: &'a [Local],
    program: &'a Program,
}

impl Alike<'_> {
    fn vectors(&self, a: &VectorDef, b: &VectorDef) -> bool {
        let rival = |x: &RivalDef, y: &RivalDef| {
            self.members(&x.members, &y.members) && self.option(x.guard.as_ref(), y.guard.as_ref())
        };
        self.members(&a.members, &b.members)
            && self.repeats(&a.repeat, &b.repeat)
            && same_expr(self.locals, &a.result, &b.result)
            && self.option(a.guard.as_ref(), b.guard.as_ref())
            && same_in_any_order(&a.rivals, &b.rivals, rival)
    }

    fn connectors(&self, a: &ConnectorDef, b: &ConnectorDef) -> bool {
        let named = |id: crate::sema::program::LocalId| self.locals[id.index()].name;
        // What definitions make of two uses is not compared.
        a.used.is_none()
            && b.used.is_none()
            && same_expr(self.locals, &a.shows, &b.shows)
            && self.repeats(&a.repeat, &b.repeat)
            && self.option(a.guard.as_ref(), b.guard.as_ref())
            && same_in_any_order(&a.rivals, &b.rivals, |x, y| {
                self.members(&x.members, &y.members)
                    && self.option(x.guard.as_ref(), y.guard.as_ref())
            })
            && self.parts(&a.parts, &b.parts)
            && same_in_any_order(&a.transfer, &b.transfer, |x, y| {
                named(x.0) == named(y.0) && same_expr(self.locals, &x.1, &y.1)
            })
    }

    fn parts(&self, a: &[ConnectorPart], b: &[ConnectorPart]) -> bool {
        same_in_any_order(a, b, |x, y| {
            x.trigger == y.trigger
                && match (&x.kind, &y.kind) {
                    (ConnectorPartKind::Port(x), ConnectorPartKind::Port(y)) => self.member(x, y),
                    (ConnectorPartKind::Group(x), ConnectorPartKind::Group(y)) => self.parts(x, y),
                    (
                        ConnectorPartKind::Each(x, these, a),
                        ConnectorPartKind::Each(y, those, b),
                    ) => {
                        self.parts(x, y)
                            && self.repeats(these, those)
                            && self.option(a.as_ref(), b.as_ref())
                    }
                    _ => false,
                }
        })
    }

    fn members(&self, a: &[MemberDef], b: &[MemberDef]) -> bool {
        same_in_any_order(a, b, |x, y| self.member(x, y))
    }

    fn member(&self, a: &MemberDef, b: &MemberDef) -> bool {
        a.part == b.part
            && self.option(a.index.as_ref(), b.index.as_ref())
            && self.repeats(&a.repeat, &b.repeat)
            && self.option(a.condition.as_ref(), b.condition.as_ref())
            && same_expr(self.locals, &a.action, &b.action)
    }

    fn repeats(&self, a: &[FamilyDef], b: &[FamilyDef]) -> bool {
        let same = |x: &FamilyDef, y: &FamilyDef| {
            let ranges = &self.program.ranges;
            let (one, other) = (&ranges[x.range.index()], &ranges[y.range.index()]);
            self.locals[x.index.index()].name == self.locals[y.index.index()].name
                && same_expr(self.locals, &one.low, &other.low)
                && same_expr(self.locals, &one.high, &other.high)
        };
        a.len() == b.len() && a.iter().zip(b).all(|(x, y)| same(x, y))
    }

    fn option(&self, a: Option<&Expr>, b: Option<&Expr>) -> bool {
        same_guard(self.locals, a, b)
    }
}

/// Whether two lists have the same in them, in whatever order.
fn same_in_any_order<T>(a: &[T], b: &[T], same: impl Fn(&T, &T) -> bool) -> bool {
    let mut taken = vec![false; b.len()];
    a.len() == b.len()
        && a.iter().all(|one| {
            let place = (0..b.len()).find(|&at| !taken[at] && same(one, &b[at]));
            place.map(|at| taken[at] = true).is_some()
        })
}
