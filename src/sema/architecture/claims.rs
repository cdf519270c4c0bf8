//! Claims of rules, as checks name them.

use crate::diagnostics::Symbol;
use crate::sema::body::Body;
use crate::sema::problems::{CheckArguments, UnknownCheck, UnknownClaim};
use crate::sema::program::{ArchitectureId, Component, Instance};
use crate::sema::question::known_checks;
use crate::syntax::ast::{self, Ident};

/// The name of the claims that a check is about: `neighbours` in `never(A, neighbours)`.
pub(in crate::sema) fn label(
    body: &mut Body<'_, '_>,
    check: &ast::CheckDecl,
    net: &Instance,
) -> Option<Ident> {
    let id = match net.component {
        Component::Architecture(id) => id,
        Component::Net(id) => match &body.sema.program.nets[id.index()].from {
            Some(from) => from.architecture,
            None => return no_rules(body, check),
        },
        Component::Error => return None,
        Component::Process(_) | Component::Hole(..) => return no_rules(body, check),
    };
    let written = check.nets.get(1)?;
    let name = written.head.path.as_name();
    let plain = written.values.is_empty() && written.fills.is_empty();
    let Some(name) = name.filter(|_| plain && written.head.index.is_none()) else {
        return no_claims(body, check);
    };
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

fn no_claims(body: &mut Body<'_, '_>, check: &ast::CheckDecl) -> Option<Ident> {
    let wants =
        "an architecture, or an unfolding of one, and a claim of its rules after it if one likes";
    let (check_word, wants) = (check.kind.name.to_string(), wants.to_owned());
    body.report(CheckArguments { span: check.kind.span, check: check_word, wants });
    None
}

/// Of a net that is no unfolding, there is nothing that rules claim: who writes this means something else.
fn no_rules(body: &mut Body<'_, '_>, check: &ast::CheckDecl) -> Option<Ident> {
    let (span, name) = (check.kind.span, check.kind.name.to_string());
    let (similar, negated, known) = (None, check.negated, known_checks());
    body.report(UnknownCheck { span, name, similar, negated, known });
    None
}
