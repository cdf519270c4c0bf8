//! Checks and what proves them: the questions that a model asks about itself.

use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use super::Sema;
use super::architecture::{claims, members};
use super::body::{Body, Resolved};
use super::invariant::{self, Proof};
use super::leaves::{Leaves, Property, leaves_of};
use super::membership;
use super::net::Work;
use super::occurrence::net_of;
use super::offers::Offer;
use super::problems::{
    CheckArguments, MemberForm, MisplacedClause, NotAnAction, NotConstant, StateCount,
    UnknownCheck, UnknownHole,
};
use super::program::{
    ActionSet, CheckDef, CheckKind, Component, Expr, ExprKind, Instance, Local, ModuleId, NetId,
    PairDef, Sort,
};
use super::reduction;
use super::scope::{Meaning, Space};
use super::temporal;
use crate::base::budget::is_spent;
use crate::diagnostics::Span;
use crate::syntax::ast::{self, Ident, ItemKind, PairKind};
use crate::syntax::print::print_expr;

/// Checks all relations, invariants and reductions, then all checks.
pub(super) fn run(sema: &mut Sema<'_>) {
    let (mut relations, mut invariants, mut reductions) = (0, 0, 0);
    for (module, loaded) in sema.modules.iter().enumerate() {
        for item in &loaded.tree.items {
            if is_spent() {
                return;
            }
            let module = ModuleId(module as u32);
            match &item.kind {
                ItemKind::Relation(relation) => {
                    check_relation(sema, module, relations, relation);
                    relations += 1;
                }
                ItemKind::Invariant(one) => {
                    invariant::check(sema, module, invariants, one);
                    invariants += 1;
                }
                ItemKind::Reduction(one) => {
                    reduction::check(sema, module, reductions, one);
                    reductions += 1;
                }
                _ => {}
            }
        }
    }
    for (module, loaded) in sema.modules.iter().enumerate() {
        for item in &loaded.tree.items {
            if is_spent() {
                return;
            }
            if let ItemKind::Check(check) = &item.kind {
                let checked = check_question(sema, ModuleId(module as u32), check, item.span);
                sema.program.checks.extend(checked);
            }
        }
    }
    temporal::unused(sema);
}

/// Instances outside of every net: there are no holes to pass on.
pub(super) fn at_top<'s, 'a>(
    sema: &'s mut Sema<'a>,
    module: ModuleId,
    name: Ident,
) -> Work<'s, 'a> {
    Work {
        body: Body::new(sema, module),
        net: name,
        parts: Vec::new(),
        part_ids: FxHashMap::default(),
        passed: FxHashMap::default(),
        own_holes: 0,
        holes: Vec::new(),
        more_holes: false,
        offer: Offer::default(),
        higher: FxHashMap::default(),
        also_known: Vec::new(),
        is_made: false,
        any_size: false,
        passes_rule: false,
        glue: Default::default(),
        variables: None,
    }
}

fn check_relation(
    sema: &mut Sema<'_>,
    module: ModuleId,
    index: usize,
    relation: &ast::RelationDecl,
) {
    let mut work = at_top(sema, module, relation.name);
    let nets: Vec<Instance> = relation.nets.iter().map(|net| work.instance(net, &[]).0).collect();
    if nets.len() != 2 {
        let (check, wants) = ("relation".to_owned(), "two nets".to_owned());
        work.body.report(CheckArguments { span: relation.name.span, check, wants });
    }
    let mut body = work.body;
    let leaves = leaves(&body, &nets);
    let names: Vec<String> = relation.nets.iter().map(|net| net.head.path.to_string()).collect();
    let mut pairs = Vec::with_capacity(relation.pairs.len());
    for statement in &relation.pairs {
        let PairKind::Pair(pair) = &statement.kind else { continue };
        for (side, state) in [&pair.left, &pair.right].into_iter().enumerate() {
            if let (Some(leaves), Some(name)) = (leaves.get(side), names.get(side)) {
                states(&mut body, state, leaves, name);
            }
        }
        let name = names.join("` or `");
        let guard =
            pair.guard.as_ref().map(|guard| property(&mut body, guard, leaves.clone(), name));
        let (left, right) = (pair.left.leaves.clone(), pair.right.leaves.clone());
        pairs.push(PairDef { left, right, guard, span: statement.span });
    }
    let locals = std::mem::take(&mut body.locals);
    let def = &mut sema.program.relations[index];
    (def.nets, def.pairs, def.locals) = (nets, pairs, locals);
}

/// The leaves of nets; unclear where something about the nets is wrong.
pub(super) fn leaves(body: &Body<'_, '_>, nets: &[Instance]) -> Vec<Leaves> {
    let mut all: Vec<Leaves> = nets.iter().map(|net| leaves_of(body.sema, net)).collect();
    all.iter_mut().for_each(|leaves| leaves.give_up_if(body.failed));
    all
}

/// One state for each leaf.
fn states(body: &mut Body<'_, '_>, state: &ast::NetState, leaves: &Leaves, net: &str) {
    if leaves.unclear {
        return; // elaboration will know
    }
    let (expected, found) = (leaves.all.len(), state.leaves.len());
    if expected != found {
        let leaf_name = |process: super::program::ProcessId| {
            body.sema.program.processes[process.index()].named.name.to_string()
        };
        let leaves = leaves.all.iter().map(|leaf| leaf_name(leaf.process)).collect();
        let (span, net) = (state.span, net.to_owned());
        body.report(StateCount { span, net, expected, found, leaves });
        return;
    }
    for (leaf, &state) in leaves.all.iter().zip(&state.leaves) {
        body.find_state_of(leaf.process, state);
    }
}

/// A truth about the variables and states of nets.
pub(super) fn property(
    body: &mut Body<'_, '_>,
    expr: &ast::Expr,
    nets: Vec<Leaves>,
    name: String,
) -> Expr {
    body.property = Some(Property { nets: nets.into(), name, of_parts: false });
    let first = body.locals.len();
    let mut checked = body.expr_of(expr, Sort::Bool, None);
    body.settle(first);
    body.finish(&mut checked);
    if let Some(property) = body.property.take() {
        body.members_exist(&checked, &property);
    }
    checked
}

/// A truth about data alone.
fn about_data(body: &mut Body<'_, '_>, expr: &ast::Expr) -> Expr {
    let first = body.locals.len();
    let mut checked = body.expr_of(expr, Sort::Bool, None);
    body.settle(first);
    body.finish(&mut checked);
    checked
}

/// The actions of `live`: a pattern, or a set of them.
fn shown_actions(body: &mut Body<'_, '_>, expr: &ast::Expr) -> ActionSet {
    if is_claim(expr) {
        body.report(NotAnAction { span: expr.span, found: "Bool".to_owned() });
        return ActionSet::Error;
    }
    let is_set = match &expr.kind {
        ast::ExprKind::Set(_) => true,
        ast::ExprKind::Name(name) => {
            let interface = body.lookup(Space::Sorts, *name);
            body.lookup(Space::Values, *name).is_none()
                && interface.is_some_and(|it| matches!(it.meaning, Meaning::Interface(_)))
        }
        ast::ExprKind::Path(path) => {
            matches!(body.resolve(Space::Sorts, path), Resolved::Known(_, _, []))
        }
        _ => false,
    };
    let first = body.locals.len();
    let mut shown = match is_set {
        true => body.action_set(expr),
        false => ActionSet::Patterns(vec![body.test_pattern(expr, Sort::Action)]),
    };
    body.settle(first);
    shown.each_value_mut(&mut |value| body.finish(value));
    shown
}

/// Whether an expression is a claim about values, as `always` takes, whatever its names mean.
fn is_claim(expr: &ast::Expr) -> bool {
    use ast::ExprKind::{Compare, Implies, In, Is, Not, Quantified};
    matches!(expr.kind, Compare(_) | Implies(_) | In(_) | Is(_) | Not(_) | Quantified(_))
}

/// What each kind of check wants.
struct Form {
    word: &'static str,
    kind: CheckKind,
    nets: usize,
    tracking: bool,
}

const fn form(word: &'static str, kind: CheckKind, nets: usize) -> Form {
    Form { word, kind, nets, tracking: kind.is_refinement() }
}

/// The check that no `assert` fails.
const ASSERTS: &str = "asserts";

impl Form {
    /// Whether it can be asked of an architecture, and so of all sizes.
    fn any_size(&self) -> bool {
        self.kind.is_safety() || self.kind == CheckKind::Never
    }
}

const FORMS: &[Form] = &[
    form("bisimilar", CheckKind::Bisimilar, 2),
    form("weakly_bisimilar", CheckKind::WeaklyBisimilar, 2),
    form("refines", CheckKind::Refines, 2),
    form("weakly_refines", CheckKind::WeaklyRefines, 2),
    form("deadlock_free", CheckKind::DeadlockFree, 1),
    form("nonblocking", CheckKind::Nonblocking, 1),
    form("always", CheckKind::Always, 1),
    form("reaches", CheckKind::Reaches, 1),
    form("deterministic", CheckKind::Deterministic, 1),
    form("terminates", CheckKind::Terminates, 1),
    form("live", CheckKind::Live, 1),
    form("valid", CheckKind::Valid, 0),
    // A property like any other, which nobody has to write.
    form(ASSERTS, CheckKind::Always, 1),
    form("size", CheckKind::Size, 1),
    form("mutex", CheckKind::Mutex, 1),
    form("at_most", CheckKind::AtMost, 1),
    form("never", CheckKind::Never, 1),
    form("holds", CheckKind::Holds, 1),
    form("noninterfering", CheckKind::Noninterfering, 1),
];

/// The words of all checks.
pub fn known_checks() -> Vec<String> {
    FORMS.iter().map(|form| form.word.to_owned()).collect()
}

impl CheckKind {
    /// Whether it compares two nets.
    pub const fn is_comparison(self) -> bool {
        matches!(self, CheckKind::Bisimilar | CheckKind::WeaklyBisimilar) || self.is_refinement()
    }

    /// Whether it asks for a refinement.
    pub const fn is_refinement(self) -> bool {
        matches!(self, CheckKind::Refines | CheckKind::WeaklyRefines)
    }

    /// Whether it claims something of all configurations.
    pub const fn is_always(self) -> bool {
        matches!(self, CheckKind::Always | CheckKind::Mutex | CheckKind::AtMost)
    }

    /// Whether it asks about what can be reached, so that an invariant can settle it.
    pub const fn is_safety(self) -> bool {
        matches!(self, CheckKind::Reaches | CheckKind::DeadlockFree) || self.is_always()
    }

    /// The word for it: `bisimilar`.
    pub fn word(self) -> &'static str {
        FORMS.iter().find(|form| form.kind == self).map_or("", |form| form.word)
    }
}

/// The unfolding of an architecture that a check is about; none of it where it is about all of them.
fn unfolded(body: &Body<'_, '_>, nets: &[Instance]) -> Option<Option<NetId>> {
    match nets.first()?.component {
        Component::Architecture(_) => Some(None),
        Component::Net(id) => body.sema.program.nets[id.index()].from.as_ref().map(|_| Some(id)),
        _ => None,
    }
}

fn check_question<'a>(
    sema: &mut Sema<'a>,
    module: ModuleId,
    check: &'a ast::CheckDecl,
    span: Span,
) -> Option<CheckDef> {
    let mut work = at_top(sema, module, check.kind);
    work.any_size =
        FORMS.iter().any(|form| form.word == check.kind.name.as_str() && form.any_size());
    let (nets, mut offers): (Vec<Instance>, Vec<Offer>) =
        check.nets.iter().map(|net| work.instance(net, &[])).unzip();
    let holes: Vec<String> = work.holes.iter().map(|hole| hole.path.show()).collect();
    let more_holes = work.more_holes;
    let mut body = work.body;
    // That a property never holds is that nothing reaches it. What follows the net in `never(A, neighbours)` is the name of
    // a claim, if there are claims.
    let is_never = check.kind.name.as_str() == CheckKind::Never.word();
    let is_property = is_never && claims::is_property(&body, check, nets.first());
    let word = if is_property { CheckKind::Reaches.word() } else { check.kind.name.as_str() };
    let is_never = is_never && !is_property;
    let Some(form) = FORMS.iter().find(|form| form.word == word) else {
        let known = known_checks();
        let similar = body.sema.similar(check.kind.name, FORMS.iter().map(|form| form.word));
        let name = check.kind.name.to_string();
        let (span, negated) = (check.kind.span, check.negated);
        body.report(UnknownCheck { span, name, similar, negated, known });
        return None;
    };
    arguments(&mut body, check, form);
    if let [instance] = nets.as_slice() {
        body.see_parameters(instance);
    }
    let leaves = leaves(&body, &nets);
    let name = check.nets.first().map_or_else(String::new, |net| net.head.path.to_string());
    let (mut property_of, mut shown, mut members_of, mut formula_of) = (None, None, None, None);
    let mut parts_of = Vec::new();
    let unfolding = unfolded(&body, &nets);
    let mut is_written_out = false;
    match &check.property {
        _ if is_never => {}
        Some(_) if form.kind == CheckKind::Holds => {
            let joints = nets.first().map_or_else(Vec::new, |net| temporal::joints(&body, net));
            let (holes, offer) = (&holes, offers.drain(..).next());
            let net = net_of(nets.first());
            let about = temporal::About { leaves, name, holes, net, joints, offer };
            formula_of = temporal::formula(&mut body, check, about);
        }
        Some(_) if form.kind == CheckKind::Noninterfering => {
            parts_of = temporal::parts(&mut body, check, leaves.first());
            if let [first, _] = parts_of.as_slice() {
                let name = check.parts.first().map(print_expr);
                let (leaves, holes) = temporal::inside(leaves, &holes, first);
                let (name, joints, holes) = (name.unwrap_or_default(), Vec::new(), &holes);
                let net = temporal::net_of_part(&body, nets.first(), first);
                let about = temporal::About { leaves, name, holes, net, joints, offer: None };
                formula_of = temporal::formula(&mut body, check, about);
            }
        }
        Some(expr) if form.kind == CheckKind::Live => {
            let set = shown_actions(&mut body, expr);
            if let (ActionSet::Patterns(patterns), Some(offer)) = (&set, offers.pop()) {
                body.never_shown(patterns, &offer, &name);
            }
            shown = Some(set);
        }
        Some(expr) if form.kind == CheckKind::Valid => {
            property_of = Some(about_data(&mut body, expr));
        }
        Some(expr) if unfolding.is_some_and(|net| net.is_none()) => {
            let mut reading = members::Reading::new(&mut body, name.clone());
            members_of = Some(reading.property(expr, form.kind, check.most.as_ref()));
        }
        Some(expr)
            if unfolding.is_some() && members::speaks_of_members(&mut body, expr, form.kind) =>
        {
            let mut reading = members::Reading::new(&mut body, name.clone());
            let formula = reading.property(expr, form.kind, check.most.as_ref());
            let leaves = leaves.first().map_or(&[][..], |leaves| &leaves.all);
            property_of = members::Writing::new(leaves, expr.span).written(&formula);
            is_written_out = true;
            if property_of.is_none() {
                body.report(MemberForm { span: expr.span, too_large: true });
            }
        }
        Some(expr) if matches!(form.kind, CheckKind::Mutex | CheckKind::AtMost) => {
            let asked = (expr, check.most.as_ref());
            property_of = Some(membership::counted(&mut body, asked, leaves, name));
        }
        Some(expr) => property_of = Some(property(&mut body, expr, leaves, name)),
        None if form.word == ASSERTS => {
            let span = check.kind.span;
            property_of = Some(Expr { kind: ExprKind::Asserts, sort: Sort::Bool, span });
        }
        None => {}
    }
    let label = match nets.first() {
        Some(net) if is_never => claims::label(&mut body, check, net),
        _ => None,
    };
    if let (true, Some(Component::Net(id))) = (is_never, nets.first().map(|net| &net.component)) {
        property_of = Some(body.sema.claims_of(*id, label.map(|label| label.name), span));
    }
    let figures = check.figures.as_ref().and_then(|both| {
        let (states, transitions) = (figure(&mut body, &both.0), figure(&mut body, &both.1));
        states.zip(transitions)
    });
    let Proof { relation, invariant, reduction } = match &check.by {
        Some(path) => invariant::find(&mut body, path, form.kind, (check, &nets)),
        None => Proof::default(),
    };
    if let Some(tracking) = &check.tracking
        && !more_holes
        && !body.failed
    {
        tracked(&mut body, check, (tracking, &nets), &holes);
    }
    let locals: Vec<Local> = std::mem::take(&mut body.locals);
    // Of one unfolding, claims of rules are a property like any other.
    let counts = matches!(form.kind, CheckKind::Mutex | CheckKind::AtMost);
    let is_always = is_never && property_of.is_some() || counts && is_written_out;
    let kind = if is_always { CheckKind::Always } else { form.kind };
    Some(CheckDef {
        negated: check.negated != is_property,
        kind,
        nets,
        property: property_of,
        members: members_of,
        formula: formula_of.map(Box::new),
        parts: parts_of,
        label,
        shown,
        figures,
        relation,
        invariant,
        reduction,
        tracking: check.tracking.clone(),
        locals,
        span,
        module,
    })
}

/// Whether a check has the arguments and clauses it should have.
fn arguments(body: &mut Body<'_, '_>, check: &ast::CheckDecl, form: &Form) {
    let wants_figures = form.kind == CheckKind::Size;
    let lacks_claim = form.kind == CheckKind::Valid && check.property.is_none();
    if check.nets.len() != form.nets || lacks_claim || wants_figures && check.figures.is_none() {
        let wants = match (form.nets, wants_figures) {
            (0, _) => "a claim about data, as in `valid(forall x: Int . x * x >= 0)`",
            (2, _) => "two nets",
            (_, true) => "one net, and `== (states, transitions)` after it",
            _ => "one net",
        };
        let (word, wants) = (form.word.to_owned(), wants.to_owned());
        body.report(CheckArguments { span: check.kind.span, check: word, wants });
    }
    let mut misplaced = |clause: &str, span: Span| {
        let (clause, check) = (clause.to_owned(), form.word.to_owned());
        body.report(MisplacedClause { span, clause, check });
    };
    if let Some(path) = &check.by
        && !form.kind.takes_proof()
    {
        misplaced("by", path.span());
    }
    if let Some(tracking) = &check.tracking
        && !form.tracking
    {
        let span = tracking.first().zip(tracking.last()).map(|(a, b)| a.span.to(b.span));
        misplaced("tracking", span.unwrap_or(check.kind.span));
    }
    if let Some(figures) = &check.figures
        && !wants_figures
    {
        misplaced("== (states, transitions)", figures.0.span.to(figures.1.span));
    }
}

pub(super) fn figure(body: &mut Body<'_, '_>, expr: &ast::Expr) -> Option<BigInt> {
    let failed = body.failed;
    let checked = body.expr_of(expr, Sort::Int, None);
    let value = body.folder().integer(&checked);
    if value.is_none() && body.failed == failed {
        body.report(NotConstant { span: expr.span });
    }
    value
}

/// Whether the holes to track are holes of the nets.
fn tracked(
    body: &mut Body<'_, '_>,
    check: &ast::CheckDecl,
    (tracking, nets): (&[Ident], &[Instance]),
    holes: &[String],
) {
    for ident in tracking {
        for net in nets.iter().rev().filter_map(|net| net_of(Some(net))) {
            body.sema.names_hole_of(net, std::slice::from_ref(ident));
        }
        if holes.iter().any(|hole| hole == ident.name.as_str()) || body.is_unparsed(ident.name) {
            continue;
        }
        let mut known: Vec<String> = holes.to_vec();
        known.sort();
        known.dedup();
        let similar = body.sema.similar(ident.name, known.iter().map(String::as_str));
        let net = check.nets.first().map_or_else(String::new, |net| net.head.path.to_string());
        let name = ident.name.to_string();
        body.report(UnknownHole { span: ident.span, name, net, similar, known });
    }
}
