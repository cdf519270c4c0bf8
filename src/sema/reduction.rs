//! Reductions: how the system of a net is made part by part, as somebody wrote it.

use num_bigint::BigInt;

use super::Sema;
use super::body::Body;
use super::problems::{ReductionForm, TooCoarse, UnknownPart, UnknownReducing};
use super::program::{
    CheckKind, Component, Instance, ModuleId, Named, NetBody, NetId, ReductionId,
};
use super::question::{at_top, figure};
use crate::diagnostics::Span;
use crate::lts::Equivalence;
use crate::syntax::ast::{self, Ident, PartPath, ReducingKind, ReducingStep};
use crate::syntax::print::print_instance;

/// How the system of a net is made part by part.
#[derive(Debug)]
pub struct ReductionDef {
    /// Its name.
    pub named: Named,
    /// The net; nothing until it is checked.
    pub net: Option<Instance>,
    /// The net as it is printed.
    pub written: String,
    /// Parts that are made only as far as others allow, by their paths.
    pub restrict: Vec<(String, Vec<String>)>,
    /// What parts are reduced by.
    pub leaf: Option<Equivalence>,
    /// What says so.
    pub leaf_text: Option<Span>,
    /// Parts that are composed before others.
    pub first: Vec<Vec<String>>,
    /// What the result preserves.
    pub root: Option<Equivalence>,
    /// What says so.
    pub root_text: Option<Span>,
}

impl ReductionDef {
    /// One of which nothing is known but its name.
    pub(super) fn new(named: Named) -> ReductionDef {
        let (net, written, restrict, leaf, first, root) = Default::default();
        let (leaf_text, root_text) = (None, None);
        ReductionDef { named, net, written, restrict, leaf, leaf_text, first, root, root_text }
    }
}

/// The words for relations.
const RELATIONS: [(&str, Equivalence); 7] = [
    ("strong", Equivalence::Strong),
    ("dpbranching", Equivalence::DivergencePreserving),
    ("branching", Equivalence::Branching),
    ("weak", Equivalence::Weak),
    ("trace", Equivalence::Trace),
    ("weak_trace", Equivalence::WeakTrace),
    ("safety", Equivalence::Safety),
];

/// The words that statements start with.
const WORDS: [&str; 4] = ["restrict", "leaf", "compose", "root"];

/// The word for a relation.
pub fn relation_word(by: Equivalence) -> &'static str {
    RELATIONS.iter().find(|(_, one)| *one == by).map_or("", |(word, _)| word)
}

/// The coarsest relation that settles a check both ways, if there is one.
pub(super) fn needed(kind: CheckKind) -> Option<Equivalence> {
    match kind {
        CheckKind::DeadlockFree => Some(Equivalence::DivergencePreserving),
        // What holds somewhere is seen there.
        CheckKind::Reaches => Some(Equivalence::WeakTrace),
        kind if kind.is_always() => Some(Equivalence::WeakTrace),
        // Whether what refines is stuck counts in both refinements.
        CheckKind::Bisimilar | CheckKind::Refines => Some(Equivalence::Strong),
        CheckKind::WeaklyBisimilar => Some(Equivalence::Weak),
        CheckKind::WeaklyRefines => Some(Equivalence::DivergencePreserving),
        _ => None,
    }
}

/// Checks the reduction that was declared with this number.
pub(super) fn check(
    sema: &mut Sema<'_>,
    module: ModuleId,
    index: usize,
    reduction: &ast::ReductionDecl,
) {
    let mut work = at_top(sema, module, reduction.name);
    let (net, _) = work.instance(&reduction.net, &[]);
    let mut body = work.body;
    body.see_parameters(&net);
    let own = parts_of(&body, &net);
    let mut found = ReductionDef::new(body.sema.program.reductions[index].named);
    for statement in &reduction.statements {
        let ReducingKind::Does(step) = &statement.kind else { continue };
        let mut reading = Reading { body: &mut body, own: own.as_ref(), net: &reduction.net };
        reading.statement(step, &mut found);
    }
    parts_keep_what_the_root_keeps(&mut body, &found);
    found.written = print_instance(&reduction.net);
    found.net = Some(net);
    sema.program.reductions[index] = found;
}

/// What a part has forgotten, the result cannot preserve.
fn parts_keep_what_the_root_keeps(body: &mut Body<'_, '_>, found: &ReductionDef) {
    let (Some(leaf), Some(root), Some(span)) = (found.leaf, found.root, found.leaf_text) else {
        return;
    };
    if leaf.is_finer(root) {
        return;
    }
    let (leaf, root, declared) = (relation_word(leaf), relation_word(root), found.root_text);
    let name = found.named.name.to_string();
    body.report(TooCoarse {
        span,
        name,
        check: format!("root {root}"),
        word: "leaf",
        found: leaf,
        needed: root,
        declared,
    });
}

/// Whether a reduction preserves what a check asks, its parts as well as its root; reports it where it does not.
pub(super) fn is_fine_enough(
    body: &mut Body<'_, '_>,
    (span, id): (Span, ReductionId),
    kind: CheckKind,
) {
    let Some(needed) = needed(kind) else { return };
    let reduction = &body.sema.program.reductions[id.index()];
    let name = reduction.named.name.to_string();
    let said = [
        ("root", reduction.root, reduction.root_text),
        ("leaf", reduction.leaf, reduction.leaf_text),
    ];
    let coarse = said.into_iter().find_map(|(word, by, declared)| {
        Some((word, by.filter(|by| !by.is_finer(needed))?, declared))
    });
    let Some((word, found, declared)) = coarse else { return };
    let (found, needed) = (relation_word(found), relation_word(needed));
    let check = kind.word().to_owned();
    body.report(TooCoarse { span, name, check, word, found, needed, declared });
}

/// The parts of a net, with its name.
#[derive(Default)]
struct OwnParts {
    net: String,
    names: Vec<String>,
    /// Where they are declared.
    declared: Vec<(Ident, super::NameKind)>,
}

/// The parts of what is made part by part; nothing where that is not known.
fn parts_of(body: &Body<'_, '_>, instance: &Instance) -> Option<OwnParts> {
    let mut at = instance;
    for _ in 0..body.sema.program.nets.len() + 1 {
        let id = match &at.component {
            Component::Net(id) => *id,
            Component::Process(_) => {
                return Some(OwnParts::default());
            }
            Component::Error | Component::Hole(..) | Component::Architecture(_) => return None,
        };
        match &body.sema.program.nets[id.index()].body {
            NetBody::Block(_) => return named_parts(body, id),
            NetBody::Alias(inner) => at = inner,
            NetBody::Error => return None,
        }
    }
    None
}

fn named_parts(body: &Body<'_, '_>, id: NetId) -> Option<OwnParts> {
    let net = &body.sema.program.nets[id.index()];
    let NetBody::Block(block) = &net.body else { return None };
    let holes = net.holes.iter().map(|hole| hole.name.name.to_string());
    let subs = block.subs.iter().map(|sub| sub.name.name.to_string());
    let names = holes.chain(subs).collect();
    let holes = net.holes.iter().map(|hole| (hole.name, super::NameKind::Hole));
    let declared = holes.chain(block.subs.iter().map(|sub| (sub.name, super::NameKind::Part)));
    let declared = declared.collect();
    (!net.has_errors).then(|| OwnParts { net: net.named.name.to_string(), names, declared })
}

/// A statement that is being read.
struct Reading<'r, 's, 'a> {
    body: &'r mut Body<'s, 'a>,
    own: Option<&'r OwnParts>,
    net: &'r ast::Instance,
}

impl Reading<'_, '_, '_> {
    fn statement(&mut self, step: &ReducingStep, found: &mut ReductionDef) {
        match step.word.name.as_str() {
            "restrict" => self.restrict(step, found),
            "leaf" => {
                if let Some((by, span)) = self.relation(step) {
                    (found.leaf, found.leaf_text) = (Some(by), Some(span));
                }
            }
            "root" => {
                if let Some((by, span)) = self.relation(step) {
                    (found.root, found.root_text) = (Some(by), Some(span));
                }
            }
            "compose" => self.compose(step, found),
            _ => self.unknown(step.word, &WORDS),
        }
    }

    fn restrict(&mut self, step: &ReducingStep, found: &mut ReductionDef) {
        let ([part], false, None) = (step.what.as_slice(), step.by.is_empty(), step.last) else {
            return self.form(step, "restrict Directory by Agent[1]");
        };
        let part = self.part(part);
        let by: Option<Vec<String>> = step.by.iter().map(|one| self.part(one)).collect();
        found.restrict.extend(part.zip(by));
    }

    fn compose(&mut self, step: &ReducingStep, found: &mut ReductionDef) {
        let is_first = step.last.is_some_and(|last| last.name.as_str() == "first");
        if !is_first || !step.by.is_empty() || step.what.len() < 2 {
            return self.form(step, "compose Agent[1], Directory first");
        }
        let parts: Option<Vec<String>> = step.what.iter().map(|one| self.part(one)).collect();
        found.first.extend(parts);
    }

    /// The relation of `leaf` and `root`.
    fn relation(&mut self, step: &ReducingStep) -> Option<(Equivalence, Span)> {
        let only = match step.what.as_slice() {
            [PartPath { steps, .. }] if step.by.is_empty() && step.last.is_none() => {
                steps.as_slice()
            }
            _ => &[],
        };
        let [(name, None)] = only else {
            let example =
                if step.word.name.as_str() == "leaf" { "leaf strong" } else { "root branching" };
            self.form(step, example);
            return None;
        };
        let known = RELATIONS.iter().find(|(word, _)| *word == name.name.as_str());
        if known.is_none() {
            self.unknown(*name, &RELATIONS.map(|(word, _)| word));
        }
        known.map(|(_, by)| (*by, name.span))
    }

    /// The path of a part, as it is called in the elaborated net.
    fn part(&mut self, path: &PartPath) -> Option<String> {
        let (first, _) = path.steps.first()?;
        if let Some(own) = self.own
            && !own.names.iter().any(|name| name == first.name.as_str())
        {
            self.unknown_part(*first);
            return None;
        }
        let declared = self.own.iter().flat_map(|own| &own.declared);
        for (ident, kind) in declared.filter(|(ident, _)| ident.name == first.name) {
            self.body.sema.occurs(*first, ident.span, *kind);
        }
        let mut names = Vec::with_capacity(path.steps.len());
        for (name, index) in &path.steps {
            let index: Option<BigInt> = match index {
                Some(index) => Some(figure(self.body, index)?),
                None => None,
            };
            names.push(
                index.map_or_else(|| name.name.to_string(), |at| format!("{}[{at}]", name.name)),
            );
        }
        Some(names.join("."))
    }

    fn unknown_part(&mut self, ident: Ident) {
        let Some(own) = self.own else { return };
        if self.body.is_unparsed(ident.name) {
            return;
        }
        let similar = self.body.sema.similar(ident.name, own.names.iter().map(String::as_str));
        let net = if own.net.is_empty() { print_instance(self.net) } else { own.net.clone() };
        let (name, known) = (ident.name.to_string(), own.names.clone());
        self.body.report(UnknownPart { span: ident.span, name, net, similar, known });
    }

    fn unknown(&mut self, ident: Ident, known: &[&'static str]) {
        let similar = self.body.sema.similar(ident.name, known.iter().copied());
        let (span, name) = (ident.span, ident.name.to_string());
        let known = known.iter().map(|word| (*word).to_owned()).collect();
        self.body.report(UnknownReducing { span, name, similar, known });
    }

    fn form(&mut self, step: &ReducingStep, example: &'static str) {
        let (span, word) = (step.word.span, step.word.name.to_string());
        self.body.report(ReductionForm { span, word, example });
    }
}
