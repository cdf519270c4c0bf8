//! The parts of a net that `noninterfering` asks about, and what a formula about one of them speaks of.

use super::super::body::Body;
use super::super::leaves::Leaves;
use super::super::occurrence::{NameKind, net_of};
use super::super::problems::{InterferingParts, PartMistake};
use super::super::program::{CheckedPart, Instance, NetBody, NetId};
use super::super::question::figure;
use crate::diagnostics::Span;
use crate::syntax::ast::{self, ExprKind, Ident};
use crate::syntax::print::print_expr;

/// The parts that a check names; none where one is not there.
pub(in super::super) fn parts(
    body: &mut Body<'_, '_>,
    check: &ast::CheckDecl,
    leaves: Option<&Leaves>,
) -> Vec<CheckedPart> {
    let mut known: Vec<String> = Vec::new();
    for leaf in leaves.into_iter().flat_map(|leaves| &leaves.all) {
        let Some(first) = leaf.path.first() else { continue };
        let name = match leaf.families.first() {
            Some(Some(_)) => format!("{first}[i]"),
            _ => first.to_string(),
        };
        if !known.contains(&name) {
            known.push(name);
        }
    }
    let mut found: Vec<CheckedPart> = Vec::new();
    for written in &check.parts {
        let part = match &written.kind {
            ExprKind::Name(name) => {
                Some(CheckedPart { name: *name, index: None, span: written.span })
            }
            ExprKind::Index(both) => match &both.0.kind {
                ExprKind::Name(name) => {
                    let Some(index) = figure(body, &both.1) else { return Vec::new() };
                    Some(CheckedPart { name: *name, index: Some(index), span: written.span })
                }
                _ => None,
            },
            _ => None,
        };
        let is_there = |part: &CheckedPart| {
            let shown = match part.index {
                Some(_) => format!("{}[i]", part.name),
                None => part.name.to_string(),
            };
            known.contains(&shown) || leaves.is_none_or(|leaves| leaves.partial)
        };
        let once = |part: &CheckedPart| {
            !found.iter().any(|one| (one.name, &one.index) == (part.name, &part.index))
        };
        match part {
            Some(part) if is_there(&part) && once(&part) => {
                if let (Some(first), Some(leaves)) = (found.first(), leaves)
                    && !leaves.partial
                    && !are_alike(leaves, first, &part)
                {
                    let (span, text) = (written.span, print_expr(written));
                    let mistake = PartMistake::Other(print_expr(&check.parts[0]));
                    body.report(InterferingParts { span, text, known, mistake });
                    return Vec::new();
                }
                let declared = leaves.and_then(|leaves| {
                    let inside =
                        leaves.all.iter().find(|leaf| leaf.path.first() == Some(&part.name));
                    inside?.declared.first().copied()
                });
                if let Some(declared) = declared {
                    let long = part.name.as_str().len() as u32;
                    let span = Span::new(part.span.start, part.span.start + long);
                    body.sema.occurs(Ident { name: part.name, span }, declared, NameKind::Part);
                }
                found.push(part);
            }
            part => {
                let twice = part.is_some_and(|part| is_there(&part));
                let (span, text) = (written.span, print_expr(written));
                let mistake = if twice { PartMistake::Twice } else { PartMistake::NoPart };
                body.report(InterferingParts { span, text, known, mistake });
                return Vec::new();
            }
        }
    }
    found
}

/// Whether two parts have the same processes in the same places, so that a formula means the same of both.
fn are_alike(leaves: &Leaves, one: &CheckedPart, other: &CheckedPart) -> bool {
    let inside = |part: &CheckedPart| {
        let own = leaves.all.iter().filter(|leaf| leaf.path.first() == Some(&part.name));
        own.map(|leaf| (leaf.path[1..].to_vec(), leaf.process)).collect::<Vec<_>>()
    };
    inside(one) == inside(other)
}

/// The net that stands in another one as one of its parts.
pub(in super::super) fn net_of_part(
    body: &Body<'_, '_>,
    net: Option<&Instance>,
    part: &CheckedPart,
) -> Option<NetId> {
    let NetBody::Block(block) = &body.sema.program.nets[net_of(net)?.index()].body else {
        return None;
    };
    let sub = block.subs.iter().find(|sub| sub.name.name == part.name)?;
    net_of(sub.instances().next())
}

/// What a formula about one part of a net speaks of: the leaves and holes of the part, by the ways inside of it.
pub(in super::super) fn inside(
    mut leaves: Vec<Leaves>,
    holes: &[String],
    part: &CheckedPart,
) -> (Vec<Leaves>, Vec<String>) {
    for leaves in &mut leaves {
        leaves.all.retain(|leaf| leaf.path.first() == Some(&part.name));
        for leaf in &mut leaves.all {
            leaf.path.remove(0);
            leaf.declared.remove(0);
            leaf.families.remove(0);
        }
    }
    let before = match &part.index {
        Some(index) => format!("{}[{index}].", part.name),
        None => format!("{}.", part.name),
    };
    let holes = holes.iter().filter_map(|hole| hole.strip_prefix(&before)).map(str::to_owned);
    (leaves, holes.collect())
}
