//! Claims of rules, as checks name them.

use crate::diagnostics::Symbol;
use crate::sema::body::Body;
use crate::sema::problems::{UnknownCheck, UnknownClaim};
use crate::sema::program::{ArchitectureId, Component, Instance};
use crate::sema::question::known_checks;
use crate::syntax::ast::{self, Ident};

/// Whether what `never` asks about is a property, and no claim of rules.
pub(in crate::sema) fn is_property(
    body: &Body<'_, '_>,
    check: &ast::CheckDecl,
    net: Option<&Instance>,
) -> bool {
    let Some(expr) = &check.property else { return false };
    let unclear = net.is_some_and(|net| matches!(net.component, Component::Error));
    let rules = net.and_then(|net| with_rules(body, net));
    named(expr).is_none() || rules.is_none() && !unclear
}

/// The architecture that a net is, or is an unfolding of.
fn with_rules(body: &Body<'_, '_>, net: &Instance) -> Option<ArchitectureId> {
    match net.component {
        Component::Architecture(id) => Some(id),
        Component::Net(id) => {
            body.sema.program.nets[id.index()].from.as_ref().map(|from| from.architecture)
        }
        _ => None,
    }
}

/// The name that stands alone.
fn named(expr: &ast::Expr) -> Option<Ident> {
    match expr.kind {
        ast::ExprKind::Name(name) => Some(Ident { name, span: expr.span }),
        _ => None,
    }
}

/// The name of the claims that a check is about: `neighbours` in `never(A, neighbours)`.
pub(in crate::sema) fn label(
    body: &mut Body<'_, '_>,
    check: &ast::CheckDecl,
    net: &Instance,
) -> Option<Ident> {
    if matches!(net.component, Component::Error) {
        return None;
    }
    let Some(id) = with_rules(body, net) else { return no_rules(body, check) };
    let name = check.property.as_ref().and_then(named)?;
    let known = labels(body, id);
    if known.contains(&name.name) || body.is_unparsed(name.name) {
        return Some(name);
    }
    let architecture = body.sema.program.architectures[id.index()].named.name.to_string();
    let similar = body.sema.similar(name.name, known.iter().map(|one| one.as_str()));
    let known = known.iter().map(|one| one.to_string()).collect();
    let (span, name) = (name.span, name.name.to_string());
    body.report(UnknownClaim { span, name, architecture, similar, known });
    None
}

/// The names of the claims of an architecture.
fn labels(body: &Body<'_, '_>, id: ArchitectureId) -> Vec<Symbol> {
    let mut all: Vec<Symbol> = Vec::new();
    let rules = &body.sema.program.architectures[id.index()].rules;
    for label in rules.iter().flat_map(|rule| &rule.nevers).filter_map(|claim| claim.label) {
        if !all.contains(&label.name) {
            all.push(label.name);
        }
    }
    all
}

/// Of a net that is no unfolding, there is nothing that rules claim: who writes this means something else.
fn no_rules(body: &mut Body<'_, '_>, check: &ast::CheckDecl) -> Option<Ident> {
    let (span, name) = (check.kind.span, check.kind.name.to_string());
    let (similar, negated, known) = (None, check.negated, known_checks());
    body.report(UnknownCheck { span, name, similar, negated, known });
    None
}
