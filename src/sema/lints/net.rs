//! What a net silently switches off: parts in no vector, actions that nothing lets through, vectors written twice;
//! and, when asked for, silent actions that the net observes (Ameur-Boulifa et al., JLAMP 2023, Definition 15).

use crate::sema::net::{Part, Work};
use crate::sema::offers::{Head, Offer};
use crate::sema::problems::{ObservesSilent, UnconnectedPort, UnusedHole, UnusedPart};
use crate::sema::program::{
    ActionSet, Expr, ExprKind, Local, LocalId, LocalKind, MemberDef, NetBlock, PartId, Pattern,
    PatternKind, VectorDef,
};
use crate::syntax::ast::Operator;

impl Work<'_, '_> {
    /// Warnings about a net without errors.
    pub(in crate::sema) fn lints(&mut self, block: &NetBlock) {
        for index in 0..self.parts.len() {
            if !self.body.is_unparsed(self.parts[index].name.name) {
                self.look_at_part_use(index);
            }
        }
        self.repeated(block);
        self.without_interaction(block);
        self.circles(block);
        self.observed_silence(block);
    }

    fn look_at_part_use(&mut self, index: usize) {
        let part = &self.parts[index];
        let (span, name) = (part.name.span, part.name.name.to_string());
        let net = self.net.name.to_string();
        // A hole that is passed on to a sub-net is the sub-net's business.
        if part.is_hole && self.passed.contains_key(&index) {
            return;
        }
        // What does nothing by itself is not switched off here: it may be there for its values.
        let does_nothing = !part.is_hole && part.offer.is_empty();
        if !part.seen.at_all && does_nothing {
            return;
        }
        if !part.seen.at_all {
            let vector = repeated(part, "?a", "a");
            if part.is_hole {
                self.body.report(UnusedHole { span, name, net, vector: Some(vector) });
            } else {
                self.body.report(UnusedPart { span, name, net, vector });
            }
            return;
        }
        let offered: Vec<Head> = match part.interface {
            Some(id) => {
                Offer::of_interface(&self.body.sema.program.interfaces[id.index()]).certain()
            }
            None if part.is_hole => Vec::new(),
            None => part.offer.certain(),
        };
        // Of what a hole may do silently nobody knows here: that is reported on request.
        let silent = if part.is_hole { Vec::new() } else { part.offer.certain_silent() };
        let missed: Vec<Head> = offered
            .into_iter()
            .chain(silent)
            .filter(|head| !self.parts[index].seen.takes(*head))
            .collect();
        for head in missed {
            let declared =
                head.action().map(|id| self.body.sema.program.actions[id.index()].named.span);
            let action = self.show_head(head);
            let (part, component) = (name.clone(), self.parts[index].component.clone());
            let vector = self.vector_to_add(index, head);
            self.body.report(UnconnectedPort {
                span,
                action,
                part,
                component,
                declared,
                vector,
                net: None,
            });
        }
    }

    /// The vector that lets an action of a part through as it is.
    fn vector_to_add(&self, index: usize, head: Head) -> String {
        let (shown, taken) = match head {
            // Which one it is, is not known: `?a` takes them all.
            Head::Sync(None) => ("a".to_owned(), "?a".to_owned()),
            _ => {
                let action = self.show_head_with(head, arguments);
                (action.clone(), action)
            }
        };
        let test = if head == Head::Sync(None) { " when a is sync _" } else { "" };
        repeated(&self.parts[index], &taken, &format!("{shown}{test}"))
    }

    /// Definition 15: silent actions pass alone, and nothing else reacts to them.
    fn observed_silence(&mut self, block: &NetBlock) {
        let net = self.net.name.to_string();
        let mut reported: Vec<PartId> = Vec::new();
        for vector in &block.vectors {
            let reacting = vector.members.iter().find(|member| {
                self.parts[member.part.index()].is_hole && reacts_to_silence(vector, member)
            });
            if let Some(member) = reacting {
                reported.push(member.part);
                let part = self.parts[member.part.index()].name.name.to_string();
                let kind = format!("this vector reacts to the silent actions of `{part}`");
                let (span, net) = (vector.members_span, net.clone());
                self.body.report(ObservesSilent { span, net, part, kind });
            }
        }
        for index in 0..self.parts.len() {
            let part = &self.parts[index];
            let id = PartId(index as u32);
            let passed_on = part.is_hole && self.passed.contains_key(&index);
            if !part.silent || passed_on || reported.contains(&id) {
                continue;
            }
            let passing =
                |silence| block.vectors.iter().any(|vector| lets_pass(vector, id, silence));
            let vector = match (passing(Silence::Tau), passing(Silence::Sync)) {
                (true, true) => continue,
                (false, _) => repeated(part, "tau", "tau"),
                (true, false) => repeated(part, "sync ?a", "sync a"),
            };
            let kind = format!("has no vector `{}`", vector.trim_end_matches(';'));
            let (span, part) = (part.name.span, part.name.name.to_string());
            self.body.report(ObservesSilent { span, net: net.clone(), part, kind });
        }
    }
}

/// The vector in which a part takes one action, and another is shown; one for each member of a family.
fn repeated(part: &Part, taken: &str, shown: &str) -> String {
    let name = part.name.name;
    match &part.indices {
        None => format!("<{name}: {taken}> -> {shown};"),
        Some(range) => format!("<{name}[i]: {taken}> -> {shown} for i in {range};"),
    }
}

/// Names for so many arguments.
fn arguments(count: usize) -> String {
    let names = ["x", "y", "z"];
    let name = |place: usize| match names.get(place) {
        Some(name) if count <= names.len() => (*name).to_owned(),
        _ => format!("x{}", place + 1),
    };
    (0..count).map(name).collect::<Vec<_>>().join(", ")
}

/// The two kinds of silent actions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Silence {
    Tau,
    Sync,
}

/// Whether a vector shows every silent action of a kind of a part as it is.
fn lets_pass(vector: &VectorDef, part: PartId, silence: Silence) -> bool {
    let [member] = vector.members.as_slice() else { return false };
    if member.part != part || !member.repeat.is_empty() {
        return false;
    }
    match (&member.action.kind, &vector.result.kind) {
        (ExprKind::Tau, ExprKind::Tau) => silence == Silence::Tau && vector.guard.is_none(),
        (ExprKind::Sync(a), ExprKind::Sync(b)) => {
            let same =
                matches!((&a.kind, &b.kind), (ExprKind::Local(a), ExprKind::Local(b)) if a == b);
            silence == Silence::Sync && same && vector.guard.is_none()
        }
        (ExprKind::Local(a), ExprKind::Local(b)) if a == b => vector
            .guard
            .as_ref()
            .is_none_or(|guard| is_for(guard, *a, silence) || !may_exclude_silence(guard, *a)),
        _ => false,
    }
}

/// Whether a guard asks for a silent action of this kind, whichever it is, and for nothing else: `a is sync _`.
fn is_for(guard: &Expr, variable: LocalId, silence: Silence) -> bool {
    let ExprKind::Is(both, false) = &guard.kind else { return false };
    let is_it = matches!(both.0.kind, ExprKind::Local(id) if id == variable);
    is_it
        && match (&both.1.kind, silence) {
            (PatternKind::Tau, Silence::Tau) => true,
            (PatternKind::Sync(inner), Silence::Sync) => {
                matches!(inner.kind, PatternKind::Wildcard)
            }
            _ => false,
        }
}

/// Whether a vector does more with a silent action of a member than to let it pass.
fn reacts_to_silence(vector: &VectorDef, member: &MemberDef) -> bool {
    let alone = vector.members.len() == 1 && member.repeat.is_empty();
    match &member.action.kind {
        ExprKind::Tau | ExprKind::Sync(_) => {
            !alone || !matches!(vector.result.kind, ExprKind::Tau | ExprKind::Sync(_))
        }
        ExprKind::Wildcard => {
            !alone || !matches!(vector.result.kind, ExprKind::Tau | ExprKind::Sync(_))
        }
        ExprKind::Local(id) => {
            // What has a complement is not silent.
            let complemented = vector.members.iter().any(|other| match &other.action.kind {
                ExprKind::Co(inner) => matches!(inner.kind, ExprKind::Local(bound) if bound == *id),
                _ => false,
            });
            let excluded = complemented
                || vector.guard.as_ref().is_some_and(|guard| excludes_silence(guard, *id));
            let passes = matches!(&vector.result.kind, ExprKind::Local(shown) if shown == id)
                || matches!(vector.result.kind, ExprKind::Tau | ExprKind::Sync(_));
            !(excluded || alone && passes)
        }
        _ => false,
    }
}

/// The parts of a guard that are joined by `and`.
fn conjuncts(guard: &Expr) -> Vec<&Expr> {
    match &guard.kind {
        ExprKind::Chain(chain)
            if chain.1.iter().all(|(operator, _)| *operator == Operator::And) =>
        {
            let operands =
                std::iter::once(&chain.0).chain(chain.1.iter().map(|(_, operand)| operand));
            operands.flat_map(conjuncts).collect()
        }
        _ => vec![guard],
    }
}

fn is_silent(pattern: &Pattern) -> bool {
    matches!(pattern.kind, PatternKind::Tau | PatternKind::Sync(_) | PatternKind::Wildcard)
}

/// Whether a guard is certainly false for silent actions.
fn excludes_silence(guard: &Expr, variable: LocalId) -> bool {
    let is_it = |expr: &Expr| matches!(expr.kind, ExprKind::Local(id) if id == variable);
    let (mut no_tau, mut no_sync) = (false, false);
    for test in conjuncts(guard) {
        match &test.kind {
            ExprKind::Is(both, false) if is_it(&both.0) => {
                let silent = is_silent(&both.1);
                no_tau |= !silent;
                no_sync |= !silent;
            }
            ExprKind::Is(both, true) if is_it(&both.0) => {
                no_tau |= matches!(both.1.kind, PatternKind::Tau);
                no_sync |= matches!(both.1.kind, PatternKind::Sync(_));
            }
            ExprKind::In(both, false) if is_it(&both.0) => {
                let silent =
                    matches!(&both.1, ActionSet::Patterns(all) if all.iter().any(is_silent));
                no_tau |= !silent;
                no_sync |= !silent;
            }
            _ => {}
        }
    }
    no_tau && no_sync
}

/// Whether a guard may be false for a silent action.
fn may_exclude_silence(guard: &Expr, variable: LocalId) -> bool {
    let is_it = |expr: &Expr| matches!(expr.kind, ExprKind::Local(id) if id == variable);
    !conjuncts(guard).into_iter().all(|test| match &test.kind {
        ExprKind::Is(both, true) => is_it(&both.0) && !is_silent(&both.1),
        ExprKind::In(both, true) => {
            is_it(&both.0)
                && !matches!(&both.1, ActionSet::Patterns(all) if all.iter().any(is_silent))
        }
        _ => false,
    })
}

/// Whether two optional expressions are written alike.
pub(super) fn same_guard(locals: &[Local], a: Option<&Expr>, b: Option<&Expr>) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => same_expr(locals, a, b),
        _ => false,
    }
}

/// Whether two expressions are written alike; names that belong to one statement count by their text.
pub(super) fn same_expr(locals: &[Local], a: &Expr, b: &Expr) -> bool {
    let same = |x: &Expr, y: &Expr| same_expr(locals, x, y);
    let all =
        |x: &[Expr], y: &[Expr]| x.len() == y.len() && x.iter().zip(y).all(|(x, y)| same(x, y));
    let same_local = |x: LocalId, y: LocalId| {
        let (x_local, y_local) = (locals[x.index()], locals[y.index()]);
        let shared = matches!(x_local.kind, LocalKind::Parameter | LocalKind::Variable);
        if shared { x == y } else { x_local.name == y_local.name && x_local.kind == y_local.kind }
    };
    match (&a.kind, &b.kind) {
        (ExprKind::Bool(x), ExprKind::Bool(y)) => x == y,
        (ExprKind::Int(x), ExprKind::Int(y)) => x == y,
        (ExprKind::BigInt(x), ExprKind::BigInt(y)) => x == y,
        (ExprKind::Const(x), ExprKind::Const(y)) => x == y,
        (ExprKind::Local(x), ExprKind::Local(y)) | (ExprKind::Input(x), ExprKind::Input(y)) => {
            same_local(*x, *y)
        }
        (ExprKind::Tau, ExprKind::Tau) | (ExprKind::Wildcard, ExprKind::Wildcard) => true,
        (ExprKind::Act(f, x), ExprKind::Act(g, y)) => f == g && all(x, y),
        (ExprKind::Apply(f, x), ExprKind::Apply(g, y)) => f == g && all(x, y),
        (ExprKind::Construct(f, i, x), ExprKind::Construct(g, j, y)) => {
            f == g && i == j && all(x, y)
        }
        (ExprKind::Sync(x), ExprKind::Sync(y))
        | (ExprKind::Co(x), ExprKind::Co(y))
        | (ExprKind::Not(x), ExprKind::Not(y))
        | (ExprKind::Negate(x), ExprKind::Negate(y)) => same(x, y),
        (ExprKind::Select(_, i, j, x), ExprKind::Select(_, k, l, y)) => {
            i == k && j == l && same(x, y)
        }
        (ExprKind::Compare(r, x), ExprKind::Compare(s, y)) => {
            r == s && same(&x.0, &y.0) && same(&x.1, &y.1)
        }
        (ExprKind::Chain(x), ExprKind::Chain(y)) => {
            same(&x.0, &y.0)
                && x.1.len() == y.1.len()
                && x.1.iter().zip(&y.1).all(|((f, x), (g, y))| f == g && same(x, y))
        }
        // Whatever else there is counts as different: a missed repetition does no harm.
        _ => false,
    }
}
