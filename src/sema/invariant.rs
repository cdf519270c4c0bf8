//! Invariants: what holds in all configurations of a net, as somebody wrote it for a proof.

use super::Sema;
use super::body::{Body, Resolved};
use super::problems::{EmptyInvariant, InvariantOfAnother, UnknownRelation, WrongProof};
use super::program::{
    ActionSet, Argument, CheckKind, Component, Expr, ExprKind, FillIndex, Instance, InvariantId,
    Local, ModuleId, Named, ReductionDef, ReductionId, RelationId, UsedReduction,
};
use super::question::{at_top, leaves, property};
use super::reduction;
use super::scope::{Meaning, Space};
use crate::diagnostics::Span;
use crate::syntax::ast::{self, ConditionKind};
use crate::syntax::print::print_instance;

/// What is claimed to hold in all configurations of a net.
#[derive(Debug)]
pub struct InvariantDef {
    /// Its name.
    pub named: Named,
    /// The net; nothing until it is checked.
    pub net: Option<Instance>,
    /// The net as it is printed.
    pub written: String,
    /// What holds: all of these.
    pub conditions: Vec<ConditionDef>,
    /// Its local names.
    pub locals: Vec<Local>,
}

/// A condition of an invariant.
#[derive(Debug)]
pub struct ConditionDef {
    /// What holds.
    pub holds: Expr,
    /// Where it was written.
    pub span: Span,
}

/// What the `by` of a check names.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Proof {
    pub relation: Option<RelationId>,
    pub invariant: Option<InvariantId>,
    pub reduction: Option<UsedReduction>,
}

/// Checks the invariant that was declared with this number.
pub(super) fn check(
    sema: &mut Sema<'_>,
    module: ModuleId,
    index: usize,
    invariant: &ast::InvariantDecl,
) {
    let mut work = at_top(sema, module, invariant.name);
    let (net, _) = work.instance(&invariant.net, &[]);
    let mut body = work.body;
    body.see_parameters(&net);
    let nets = [net];
    let about = leaves(&body, &nets);
    let name = invariant.net.head.path.to_string();
    let mut conditions = Vec::with_capacity(invariant.conditions.len());
    for condition in &invariant.conditions {
        let ConditionKind::Holds(expr) = &condition.kind else { continue };
        let holds = property(&mut body, expr, about.clone(), name.clone());
        conditions.push(ConditionDef { holds, span: condition.span });
    }
    if invariant.conditions.is_empty() {
        let (span, name) = (invariant.name.span, invariant.name.name.to_string());
        body.report(EmptyInvariant { span, name });
    }
    let locals = std::mem::take(&mut body.locals);
    let def = &mut sema.program.invariants[index];
    let [net] = nets;
    (def.net, def.conditions, def.locals) = (Some(net), conditions, locals);
    def.written = print_instance(&invariant.net);
}

/// What is wanted after `by`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Relation,
    Invariant,
}

impl Wanted {
    fn of(kind: CheckKind) -> Option<Wanted> {
        match kind {
            CheckKind::Bisimilar
            | CheckKind::WeaklyBisimilar
            | CheckKind::Refines
            | CheckKind::WeaklyRefines => Some(Wanted::Relation),
            kind if kind.is_safety() => Some(Wanted::Invariant),
            _ => None,
        }
    }

    fn in_words(self) -> &'static str {
        match self {
            Wanted::Relation => "a relation",
            Wanted::Invariant => "an invariant",
        }
    }
}

impl CheckKind {
    /// Whether a relation or an invariant can prove it, which `by` names.
    pub(super) fn takes_proof(self) -> bool {
        Wanted::of(self).is_some()
    }
}

/// What the `by` of a check names, if it is what the check wants.
pub(super) fn find(
    body: &mut Body<'_, '_>,
    path: &ast::Path,
    kind: CheckKind,
    (check, nets): (&ast::CheckDecl, &[Instance]),
) -> Proof {
    let Some(wanted) = Wanted::of(kind) else { return Proof::default() };
    let declared = match body.resolve(Space::Relations, path) {
        Resolved::Known(declared, _, []) => declared,
        _ => {
            unknown(body, path, wanted);
            return Proof::default();
        }
    };
    match (&declared.meaning, wanted) {
        (Meaning::Relation(id), Wanted::Relation) => {
            Proof { relation: Some(*id), ..Proof::default() }
        }
        (Meaning::Invariant(id), Wanted::Invariant) => {
            let of = Of::invariant(body, *id);
            of_same_net(body, path, &of, (check, nets));
            Proof { invariant: Some(*id), ..Proof::default() }
        }
        (Meaning::Reduction(id), _) if reduction::needed(kind).is_some() => {
            let of = Of::reduction(body, *id);
            let of = of_same_net(body, path, &of, (check, nets));
            reduction::is_fine_enough(body, (path.span(), *id), kind);
            Proof { reduction: Some(UsedReduction { id: *id, of }), ..Proof::default() }
        }
        _ => {
            let (span, name) = (path.span(), path.to_string());
            let invariant = wanted == Wanted::Invariant;
            let (found, check, declared) =
                (declared.meaning.in_words(), kind.word(), declared.span);
            body.report(WrongProof { span, name, invariant, found, check, declared });
            Proof::default()
        }
    }
}

fn unknown(body: &mut Body<'_, '_>, path: &ast::Path, wanted: Wanted) {
    let ident = path.parts[path.parts.len() - 1];
    body.failed = true;
    if body.is_unparsed(ident.name) {
        return;
    }
    let fits = |meaning: &Meaning| match wanted {
        Wanted::Relation => matches!(meaning, Meaning::Relation(_) | Meaning::Reduction(_)),
        Wanted::Invariant => matches!(meaning, Meaning::Invariant(_) | Meaning::Reduction(_)),
    };
    let known = body.names_in(Space::Relations, fits);
    let similar = body.sema.similar(ident.name, known);
    let excused = body.is_excused(similar.as_ref());
    if !excused && (similar.is_some() || !body.wrong_kind(ident, wanted.in_words())) {
        let (span, name) = (ident.span, ident.name.to_string());
        let invariant = wanted == Wanted::Invariant;
        body.report(UnknownRelation { span, name, similar, invariant });
    }
}

/// What an invariant or a reduction is about.
struct Of {
    what: &'static str,
    net: Option<Instance>,
    written: String,
}

impl Of {
    fn invariant(body: &Body<'_, '_>, id: InvariantId) -> Of {
        let InvariantDef { net, written, .. } = &body.sema.program.invariants[id.index()];
        Of { what: "an invariant", net: net.clone(), written: written.clone() }
    }

    fn reduction(body: &Body<'_, '_>, id: ReductionId) -> Of {
        let ReductionDef { net, written, .. } = &body.sema.program.reductions[id.index()];
        Of { what: "a reduction", net: net.clone(), written: written.clone() }
    }
}

/// Which nets of a check an invariant or a reduction is of; reports it where it is of none.
fn of_same_net(
    body: &mut Body<'_, '_>,
    path: &ast::Path,
    of: &Of,
    (check, nets): (&ast::CheckDecl, &[Instance]),
) -> [bool; 2] {
    let mut found = [false; 2];
    let Some(own) = &of.net else { return found };
    let clear = |one: &Instance| !matches!(one.component, Component::Error);
    let texts: Vec<String> = check.nets.iter().map(print_instance).collect();
    for ((net, text), found) in nets.iter().zip(&texts).zip(&mut found) {
        *found = same_component(own, net) && *text == of.written || same(own, net);
    }
    let is_known = clear(own) && nets.iter().all(clear) && nets.len() == texts.len();
    if let (true, false, Some(first)) = (is_known, found.contains(&true), check.nets.first()) {
        let (name, its_net, what) = (path.to_string(), of.written.clone(), of.what);
        let span = if nets.len() == 1 { first.span } else { path.span() };
        body.report(InvariantOfAnother { span, what, name, nets: texts, its_net, own: own.span });
    }
    found
}

fn same_component(a: &Instance, b: &Instance) -> bool {
    match (&a.component, &b.component) {
        (Component::Process(a), Component::Process(b)) => a == b,
        (Component::Net(a), Component::Net(b)) => a == b,
        _ => false,
    }
}

/// Whether two instances are certainly the same, however they are written. Constants are compared by their names: what
/// they stand for can be set.
fn same(a: &Instance, b: &Instance) -> bool {
    let values = a.values.len() == b.values.len();
    let fills = a.fills.len() == b.fills.len();
    let same_index = |a: &FillIndex, b: &FillIndex| match (a, b) {
        (FillIndex::Whole, FillIndex::Whole) => true,
        (FillIndex::One(a), FillIndex::One(b)) => same_value(a, b),
        _ => false,
    };
    same_component(a, b)
        && values
        && fills
        && a.values.iter().zip(&b.values).all(|(a, b)| same_argument(a, b))
        && a.fills.iter().zip(&b.fills).all(|(a, b)| {
            a.hole == b.hole && same_index(&a.index, &b.index) && same(&a.instance, &b.instance)
        })
}

fn same_argument(a: &Argument, b: &Argument) -> bool {
    match (a, b) {
        (Argument::Value(a), Argument::Value(b)) => same_value(a, b),
        (Argument::Set(ActionSet::Interface(a)), Argument::Set(ActionSet::Interface(b))) => a == b,
        _ => false,
    }
}

fn same_value(a: &Expr, b: &Expr) -> bool {
    let all = |a: &[Expr], b: &[Expr]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_value(a, b))
    };
    match (&a.kind, &b.kind) {
        (ExprKind::Bool(a), ExprKind::Bool(b)) => a == b,
        (ExprKind::Int(a), ExprKind::Int(b)) => a == b,
        (ExprKind::BigInt(a), ExprKind::BigInt(b)) => a == b,
        (ExprKind::Const(a), ExprKind::Const(b)) => a == b,
        (ExprKind::Tau, ExprKind::Tau) => true,
        (ExprKind::Act(f, a), ExprKind::Act(g, b)) => f == g && all(a, b),
        (ExprKind::Construct(f, i, a), ExprKind::Construct(g, j, b)) => {
            (f, i) == (g, j) && all(a, b)
        }
        (ExprKind::Negate(a), ExprKind::Negate(b)) => same_value(a, b),
        _ => false,
    }
}
