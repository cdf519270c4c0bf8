//! Where names stand in the texts and what they name: noted while names are resolved, in files with errors too.
//!
//! What is named is known by the place of its declaration, which is the same in all instances of what is declared.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::Sema;
use super::body::Body;
use super::leaves::Leaf;
use super::program::{ActionId, Component, Instance, LocalId, LocalKind, NetBody, NetId};
use super::scope::{Declared, Meaning, Space};
use crate::diagnostics::{Span, Symbol};
use crate::syntax::ast::{Ident, ImportNames, ItemKind};

/// What kind of thing a name names.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NameKind {
    /// A function.
    Function,
    /// A constant.
    Constant,
    /// A constructor.
    Constructor,
    /// A field of a constructor.
    Field,
    /// An action.
    Action,
    /// A sort, or a parameter that stands for one.
    Sort,
    /// An interface.
    Interface,
    /// A process.
    Process,
    /// A net.
    Net,
    /// An architecture.
    Architecture,
    /// A relation, an invariant or a reduction.
    Relation,
    /// A definition of a connector.
    Connector,
    /// A temporal property.
    Property,
    /// A state of a process.
    State,
    /// A port of a definition of a connector.
    Port,
    /// A rule of an architecture.
    Rule,
    /// A hole of a net.
    Hole,
    /// A sub-net.
    Part,
    /// A vector or a connector with a name that is no action.
    Joint,
    /// A fixpoint of a formula.
    Fixpoint,
    /// What an import is called.
    Module,
    /// A name local to a declaration.
    Local(LocalKind),
}

impl NameKind {
    /// What it is, in a word.
    pub fn in_words(self) -> &'static str {
        match self {
            NameKind::Function => "function",
            NameKind::Constant => "constant",
            NameKind::Constructor => "constructor",
            NameKind::Field => "field",
            NameKind::Action => "action",
            NameKind::Sort => "sort",
            NameKind::Interface => "interface",
            NameKind::Process => "process",
            NameKind::Net => "net",
            NameKind::Architecture => "architecture",
            NameKind::Relation => "relation",
            NameKind::Connector => "connector",
            NameKind::Property => "property",
            NameKind::State => "state",
            NameKind::Port => "port",
            NameKind::Rule => "rule",
            NameKind::Hole => "hole",
            NameKind::Part => "part",
            NameKind::Joint => "interaction",
            NameKind::Fixpoint => "fixpoint",
            NameKind::Module => "module",
            NameKind::Local(kind) => kind.in_words(),
        }
    }

    fn of(meaning: &Meaning) -> NameKind {
        match meaning {
            Meaning::Fun(_) => NameKind::Function,
            Meaning::Const(_) => NameKind::Constant,
            Meaning::Constructor(..) => NameKind::Constructor,
            Meaning::Actions(_) => NameKind::Action,
            Meaning::Abstract(_) | Meaning::Data(_) => NameKind::Sort,
            Meaning::Interface(_) => NameKind::Interface,
            Meaning::Process(_) => NameKind::Process,
            Meaning::Net(_) => NameKind::Net,
            Meaning::Architecture(_) => NameKind::Architecture,
            Meaning::Relation(_) | Meaning::Invariant(_) | Meaning::Reduction(_) => {
                NameKind::Relation
            }
            Meaning::Connector(_) => NameKind::Connector,
            Meaning::Property(_) => NameKind::Property,
        }
    }
}

/// A name in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Occurrence {
    /// The name.
    pub name: Symbol,
    /// Where it stands.
    pub span: Span,
    /// Where what it names was declared first.
    pub declared: Span,
    /// What that is.
    pub kind: NameKind,
    /// Whether it is a declaration.
    pub declares: bool,
}

/// The names in the texts, as they were noted. Most who check a program ask for none of them, so that they are put in order
/// when somebody does.
#[derive(Default, Debug)]
pub struct Occurrences {
    noted: Vec<Noted>,
    all: OnceLock<Vec<Occurrence>>,
}

/// A name, as it was noted.
#[derive(Clone, Copy, Debug)]
struct Noted {
    ident: Ident,
    declared: Span,
    kind: NameKind,
}

impl Noted {
    /// The name where it stands; none of what was made by the compiler, which has the place of something else.
    fn occurrence(self) -> Option<Occurrence> {
        let Noted { ident, declared, kind } = self;
        let (long, name) = (ident.span.end - ident.span.start, ident.name.as_str().len() as u32);
        let span = match long.checked_sub(name)? {
            0 | 2 => ident.span,
            // `?x`: the mark is no part of the name.
            1 | 3 => Span::new(ident.span.start + 1, ident.span.end),
            _ => return None,
        };
        let declares = span == declared || ident.span == declared;
        let declared = if declares { span } else { declared };
        Some(Occurrence { name: ident.name, span, declared, kind, declares })
    }
}

impl Occurrences {
    fn note(&mut self, ident: Ident, declared: Span, kind: NameKind) {
        self.noted.push(Noted { ident, declared, kind });
    }

    /// Names that stand in the texts as they are called, and are called so where they are declared, each once, in the order of the
    /// texts. What stands for a name, as the variable of a quantifier for a member or a parameter for an action, is another one.
    pub fn all<'t>(&self, text: impl Fn(Span) -> &'t str) -> &[Occurrence] {
        let is_so = |one: &Occurrence| {
            let stands = |span: Span| text(span).trim_matches('`') == one.name.as_str();
            stands(one.span) && (one.declares || stands(one.declared))
        };
        self.all.get_or_init(|| {
            let mut all = self.in_order();
            all.retain(is_so);
            all
        })
    }

    /// Each name once, in the order of the texts.
    fn in_order(&self) -> Vec<Occurrence> {
        let mut last: FxHashMap<(Span, Symbol), Occurrence> = FxHashMap::default();
        for one in self.noted.iter().filter_map(|one| one.occurrence()) {
            // What is known better is noted later.
            let key = (one.span, one.name);
            if last.get(&key).is_none_or(|known| !known.declares || one.declares) {
                last.insert(key, one);
            }
        }
        let mut all: Vec<Occurrence> = last.into_values().collect();
        all.sort_unstable_by_key(|one| (one.span.start, one.span.end, one.name.as_str()));
        all
    }
}

impl Sema<'_> {
    /// Notes a name.
    pub(super) fn occurs(&mut self, ident: Ident, declared: Span, kind: NameKind) {
        self.program.occurrences.note(ident, declared, kind);
    }

    /// Notes a name that means something that was declared.
    pub(super) fn names(&mut self, ident: Ident, declared: &Declared) {
        let place = match &declared.meaning {
            Meaning::Actions(all) => match all.first() {
                Some((_, id)) => self.program.actions[id.index()].named.span,
                None => declared.span,
            },
            _ => declared.span,
        };
        self.occurs(ident, place, NameKind::of(&declared.meaning));
    }

    /// Notes what an import is called.
    pub(super) fn names_alias(&mut self, module: super::program::ModuleId, ident: Ident) {
        let alias = |item: &crate::syntax::ast::Item| match &item.kind {
            ItemKind::Import(import) => match import.names {
                ImportNames::Under(alias) if alias.name == ident.name => Some(alias.span),
                _ => None,
            },
            _ => None,
        };
        let declared = self.modules[module.index()].tree.items.iter().find_map(alias);
        if let Some(declared) = declared {
            self.occurs(ident, declared, NameKind::Module);
        }
    }

    /// Notes the names on the way to a hole.
    pub(super) fn names_hole_of(&mut self, mut net: NetId, way: &[Ident]) {
        let Some((ident, rest)) = way.split_first() else { return };
        for _ in 0..self.program.nets.len() {
            let def = &self.program.nets[net.index()];
            let hole =
                def.holes.iter().find(|hole| rest.is_empty() && hole.name.name == ident.name);
            if let Some(declared) = hole.map(|hole| hole.name.span) {
                return self.occurs(*ident, declared, NameKind::Hole);
            }
            match &def.body {
                // What an alias leaves open has the names of what it is another name of.
                NetBody::Alias(Instance { component: Component::Net(inner), .. }) => net = *inner,
                NetBody::Block(block) => {
                    let sub = block.subs.iter().find(|sub| sub.name.name == ident.name);
                    let Some(sub) = sub else { return };
                    let (declared, inner) = (sub.name.span, net_of(sub.instances().next()));
                    self.occurs(*ident, declared, NameKind::Part);
                    if let Some(inner) = inner {
                        self.names_hole_of(inner, rest);
                    }
                    return;
                }
                _ => return,
            }
        }
    }

    /// Notes the name of an action.
    pub(super) fn names_action(&mut self, ident: Ident, id: ActionId) {
        let declared = self.program.actions[id.index()].named.span;
        self.occurs(ident, declared, NameKind::Action);
    }

    /// Notes a name of a rule of an architecture, which stands for a component.
    pub(super) fn names_component(&mut self, ident: Ident, declared: Ident) {
        self.occurs(ident, declared.span, NameKind::Part);
    }
}

impl Body<'_, '_> {
    /// What a name that stands in the text means in this module.
    pub fn lookup_at(&mut self, space: Space, ident: Ident) -> Option<Declared> {
        let found = self.lookup(space, ident.name)?;
        self.sema.names(ident, &found);
        Some(found)
    }

    /// Notes a local name.
    pub fn names_local(&mut self, id: LocalId, span: Span) {
        let local = self.locals[id.index()];
        let kind = NameKind::Local(local.kind);
        self.sema.occurs(Ident { name: local.name, span }, local.span, kind);
    }

    /// Notes the name of a constructor.
    pub fn names_constructor(&mut self, ident: Ident, data: super::program::DataId, index: u32) {
        let def = &self.sema.program.datas[data.index()];
        if let Some(constructor) = def.constructors.get(index as usize) {
            let declared = constructor.name.span;
            self.sema.occurs(ident, declared, NameKind::Constructor);
        }
    }

    /// Notes the word in front of a path: a process that is asked about by itself is called by its own name.
    pub fn names_lone(&mut self, word: Option<Ident>, leaf: &Leaf) {
        let process = &self.sema.program.processes[leaf.process.index()].named;
        if let Some(ident) = word.filter(|word| leaf.path.is_empty() && word.name == process.name) {
            let declared = process.span;
            self.sema.occurs(ident, declared, NameKind::Process);
        }
    }

    /// Notes the names on the way to a leaf, or at the end of it.
    pub fn names_way(&mut self, way: &[Ident], leaf: &Leaf) {
        let skipped = leaf.declared.len().saturating_sub(way.len());
        for (ident, declared) in way.iter().zip(&leaf.declared[skipped..]) {
            self.sema.occurs(*ident, *declared, NameKind::Part);
        }
    }

    /// Notes a variable of a leaf, and the way to it.
    pub fn names_leaf_variable<T>(&mut self, path: &[(Ident, T)], leaf: &Leaf, local: LocalId) {
        let Some(((ident, _), way)) = path.split_last() else { return };
        let way: Vec<Ident> = way.iter().map(|(one, _)| *one).collect();
        self.names_way(&way, leaf);
        let local = self.sema.program.processes[leaf.process.index()].locals[local.index()];
        self.sema.occurs(*ident, local.span, NameKind::Local(local.kind));
    }

    /// Notes a port of a definition of a connector.
    pub fn names_port(&mut self, ident: Ident, declared: Ident) {
        self.sema.occurs(ident, declared.span, NameKind::Port);
    }

    /// Notes a variable of a port.
    pub fn names_datum(&mut self, ident: Ident, declared: Ident) {
        self.sema.occurs(ident, declared.span, NameKind::Local(LocalKind::VectorData));
    }

    /// Notes the fields that the constructors of a datatype declare; those of one name are one.
    pub fn declares_fields(&mut self, id: usize) {
        let def = &self.sema.program.datas[id];
        let all = def.constructors.iter().flat_map(|one| &one.fields);
        let all: Vec<Ident> = all.map(|(ident, _)| *ident).collect();
        for ident in &all {
            let first = all.iter().find(|one| one.name == ident.name).unwrap_or(ident);
            self.sema.occurs(*ident, first.span, NameKind::Field);
        }
    }

    /// Notes the name of a field of a datatype.
    pub fn names_field(&mut self, ident: Ident, data: super::program::DataId) {
        let def = &self.sema.program.datas[data.index()];
        let Some((index, field)) = def.first(ident.name) else { return };
        let declared = def.constructors[index as usize].fields[field as usize].0.span;
        self.sema.occurs(ident, declared, NameKind::Field);
    }
}

/// The net that stands somewhere.
pub(super) fn net_of(instance: Option<&Instance>) -> Option<NetId> {
    match instance?.component {
        Component::Net(net) => Some(net),
        _ => None,
    }
}
