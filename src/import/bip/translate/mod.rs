//! The model of a system of BIP2 as a text.

mod atom;
mod behaviour;
mod carried;
mod clause;
mod compound;
mod connects;
mod definition;
mod glue;
mod names;
mod order;
mod plan;
mod priorities;
mod show;
mod vector;

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::text::{Texts, file_name};
use super::super::write::Page;
use super::model::{BipModel, Item, Kind};
use super::term::{Ref, Term, Type};
use crate::diagnostics::Severity;
use behaviour::{Behaviour, behaviour};
use compound::OwnNames;
use names::ActionTable;
use plan::{Plan, VariantKey};

/// The text of a model; what cannot be translated is reported.
pub(super) fn translate(path: &str, model: &BipModel, texts: &mut Texts<'_>) -> Option<String> {
    let plan = Plan::new(model, texts)?;
    let mut writer = Writer {
        model,
        plan: &plan,
        behaviours: behaviours(model, &plan, texts)?,
        actions: ActionTable::new(model),
        parameters: used_parameters(model),
        own: FxHashMap::default(),
        helped: FxHashSet::default(),
        looked: FxHashMap::default(),
    };
    writer.look_around(texts);
    if has_errors(texts) {
        return None;
    }
    let mut body = Page::default();
    let mut checks = Vec::new();
    for package in &model.packages {
        let mut comments = package.comments.clone();
        if model.packages.len() > 1 {
            body.gap();
            body.comments([format!("Package {}.", package.name)]);
        }
        for (item, span) in &package.items {
            let own = comments.before(span.start);
            match item {
                Item::PortType(_) => {
                    // Comments inside of what is left out are kept as well.
                    body.gap();
                    body.comments(own);
                    body.comments(comments.before(span.end));
                }
                Item::Connector(at) => {
                    body.gap();
                    body.comments(own);
                    body.comments(comments.before(span.end));
                    writer.definition(*at, &mut body);
                }
                Item::Atom(at) => {
                    body.gap();
                    body.comments(own);
                    let inside = comments.before(span.end);
                    writer.atoms(*at, inside, &mut body, texts);
                }
                Item::Compound(at) => {
                    body.gap();
                    body.comments(own);
                    let inside = comments.before(span.end);
                    writer.compounds(*at, inside, (&mut body, &mut checks), texts);
                }
                _ => {
                    body.comments(own);
                    writer.simple(*item, &mut body);
                }
            }
        }
        body.comments(comments.rest());
    }
    // An order may turn out to be too large only while it is written.
    if has_errors(texts) {
        return None;
    }
    let mut page = Page::default();
    page.comments([
        format!("Imported from {}.", file_name(path)),
        "BIP's `int` is a machine integer; here numbers have no bounds.".to_owned(),
    ]);
    page.gap();
    writer.actions.declare(&body, &mut page);
    page.gap();
    page.append(body);
    page.gap();
    checks.iter().for_each(|check| page.line(check));
    Some(page.finish())
}

fn has_errors(texts: &Texts<'_>) -> bool {
    texts.diagnostics.iter().any(|one| one.severity == Severity::Error)
}

/// For each type, the parameters that something depends on.
fn used_parameters(model: &BipModel) -> FxHashMap<Kind, Vec<usize>> {
    let mut used: FxHashMap<Kind, Vec<usize>> = FxHashMap::default();
    let take = |term: &Term, all: &mut BTreeSet<usize>| {
        term.refs(&mut |one| {
            if let Ref::Param(at) = one {
                all.insert(at);
            }
        });
    };
    for (at, atom) in model.atoms.iter().enumerate() {
        let mut all = BTreeSet::new();
        atom.terms(&mut |term| take(term, &mut all));
        used.insert(Kind::Atom(at), all.into_iter().collect());
    }
    // Compounds after those that they contain.
    let mut work: Vec<usize> = (0..model.compounds.len()).collect();
    while let Some(at) = work.pop() {
        let compound = &model.compounds[at];
        let missing = compound.components.iter().filter_map(|one| match one.kind {
            Kind::Compound(inner) if !used.contains_key(&one.kind) => Some(inner),
            _ => None,
        });
        let missing: Vec<usize> = missing.collect();
        if !missing.is_empty() {
            work.push(at);
            work.extend(missing);
            continue;
        }
        let mut all = BTreeSet::new();
        for component in &compound.components {
            let inner = used.get(&component.kind).into_iter().flatten();
            inner
                .filter_map(|at| component.arguments.get(*at))
                .for_each(|term| take(term, &mut all));
        }
        used.insert(Kind::Compound(at), all.into_iter().collect());
    }
    used
}

/// What all variants of atoms do; nothing where one cannot be translated.
fn behaviours(
    model: &BipModel,
    plan: &Plan,
    texts: &mut Texts<'_>,
) -> Option<FxHashMap<VariantKey, Behaviour>> {
    let mut all = FxHashMap::default();
    let mut is_well = true;
    for key in plan.variants.keys() {
        let (Kind::Atom(at), live) = key else { continue };
        let atom = &model.atoms[*at];
        let is_live = |port: usize| atom.ports[port].face.is_none_or(|face| live.contains(&face));
        let is_input = |port: usize, at: usize| {
            let face = atom.ports[port].face;
            face.is_some_and(|face| plan.face_use(key.0, face).is_in(at))
        };
        match behaviour(atom, &is_live, &is_input, texts) {
            Some(behaviour) => _ = all.insert(key.clone(), behaviour),
            None => is_well = false,
        }
    }
    is_well.then_some(all)
}

/// What is written so far, but for the text.
struct Writer<'m> {
    model: &'m BipModel,
    plan: &'m Plan,
    /// What each variant of an atom does.
    behaviours: FxHashMap<VariantKey, Behaviour>,
    actions: ActionTable,
    /// The parameters of each type that something depends on.
    parameters: FxHashMap<Kind, Vec<usize>>,
    /// What each variant of a compound does by itself.
    own: FxHashMap<VariantKey, OwnNames>,
    /// The processes that take any value of a sort, as far as they are written.
    helped: FxHashSet<String>,
    /// The data of variants of atoms that priorities look at.
    looked: FxHashMap<VariantKey, BTreeSet<usize>>,
}

impl Writer<'_> {
    /// Writes all compounds for nobody, to see at which data priorities look: atoms are written before them.
    fn look_around(&mut self, texts: &mut Texts<'_>) {
        let rules = self.model.compounds.iter().flat_map(|one| &one.rules);
        let mut reads = false;
        for rule in rules {
            rule.guard.refs(&mut |one| reads |= matches!(one, Ref::Exported(..)));
        }
        let actions = self.actions.clone();
        for which in (0..self.model.compounds.len()).filter(|_| reads) {
            let (mut page, mut checks) = (Page::default(), Vec::new());
            self.compounds(which, Vec::new(), (&mut page, &mut checks), texts);
        }
        self.actions = actions;
        self.own.clear();
        self.helped.clear();
    }

    fn simple(&mut self, item: Item, page: &mut Page) {
        match item {
            Item::Const(at) => {
                let constant = &self.model.constants[at];
                let value = self.shown(&constant.value, &|_| String::new());
                let (name, sort) = (self.actions.constant(at), self.sort(constant.kind));
                page.line(&format!("const {name}: {sort} = {value};"));
            }
            Item::Sort(at) => page.line(&format!("sort {};", self.actions.sort(at))),
            Item::Function(at) if self.model.functions[at].result.is_some() => {
                let function = &self.model.functions[at];
                let sorts = function.parameters.iter().enumerate();
                let sorts: Vec<String> =
                    sorts.map(|(at, kind)| format!("x{}: {}", at + 1, self.sort(*kind))).collect();
                let result = function.result.map_or(String::new(), |kind| self.sort(kind));
                match sorts.is_empty() {
                    true => page.line(&format!("const {}: {result};", self.actions.function(at))),
                    false => {
                        let name = self.actions.function(at);
                        page.line(&format!("fun {name}({}): {result};", sorts.join(", ")));
                    }
                }
            }
            _ => {}
        }
    }

    /// A type as it is written.
    fn sort(&self, kind: Type) -> String {
        match kind {
            Type::Bool => "Bool".to_owned(),
            Type::Int => "Int".to_owned(),
            Type::Extern(at) => self.actions.sort(at),
        }
    }

    /// A variant of a type of components, as it is called.
    fn component(&self, kind: Kind, live: &[usize]) -> String {
        self.plan.name(kind, live)
    }
}
