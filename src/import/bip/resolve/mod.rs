//! From clauses to a model in which all names have a meaning.

mod atom;
mod blocks;
mod compound;
mod connector;
mod expr;

use rustc_hash::FxHashMap;

use self::blocks::{Block, PackageTree, package};
use super::super::problems::{
    Misplaced, MisplacedBip, MistypedBip, Refusal, RefusedBip, TakenAsFunction, TwiceInBip,
    UnknownBip,
};
use super::super::text::{Texts, beside};
use super::followers::{Piece, drop_followers};
use super::model::{
    BipModel, ConstDef, FunctionDef, Item, Kind, PackageDef, PortTypeDef, Variable,
};
use super::parse::{Parsed, parse};
use super::term::{Ref, Term, Type};
use super::tree::{ClauseKind, Ident, PathName};
use crate::base::budget::is_spent;
use crate::diagnostics::{Span, Symbol, closest};

/// A system has no more packages.
const MOST_PACKAGES: usize = 200;

/// Names of one kind, by their packages.
type Table = FxHashMap<(usize, Symbol), (usize, Span)>;

/// How far a compound is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Waiting,
    Open,
    Done,
}

pub(super) struct Resolver<'x, 'f> {
    pub texts: &'x mut Texts<'f>,
    pub model: BipModel,
    /// The package that is looked at.
    package: usize,
    packages: FxHashMap<String, usize>,
    constants: Table,
    sorts: Table,
    functions: FxHashMap<(usize, Symbol), Vec<usize>>,
    used_functions: Vec<bool>,
    port_types: Table,
    atoms: Table,
    connectors: Table,
    compounds: Table,
    stages: Vec<Stage>,
    /// The blocks of compounds, with their packages.
    waiting: Vec<Option<(usize, Block)>>,
}

/// The model of a file, unless something is wrong with it.
pub(super) fn resolve(path: &str, texts: &mut Texts<'_>) -> Option<BipModel> {
    let mut pieces = Vec::new();
    let trees = trees(path, (texts, &mut pieces))?;
    let mut resolver = Resolver {
        texts,
        model: BipModel::default(),
        package: 0,
        packages: FxHashMap::default(),
        constants: Table::default(),
        sorts: Table::default(),
        functions: FxHashMap::default(),
        used_functions: Vec::new(),
        port_types: Table::default(),
        atoms: Table::default(),
        connectors: Table::default(),
        compounds: Table::default(),
        stages: Vec::new(),
        waiting: Vec::new(),
    };
    resolver.all(trees);
    drop_followers(&pieces, &mut resolver.texts.diagnostics);
    Some(resolver.model)
}

/// All packages that a file needs.
fn trees(
    path: &str,
    (texts, pieces): (&mut Texts<'_>, &mut Vec<Piece>),
) -> Option<Vec<PackageTree>> {
    let mut trees = Vec::new();
    let mut known: Vec<String> = Vec::new();
    let mut wanted: Vec<(String, Span)> = vec![(path.to_owned(), Span::default())];
    while let Some((file, span)) = wanted.pop() {
        if is_spent() || trees.len() > MOST_PACKAGES {
            return None;
        }
        let Some((text, base)) = texts.read(&file, span) else { continue };
        let Parsed { clauses, comments, pieces: more } = parse(&text, base, texts);
        pieces.extend(more);
        // Nothing of it can be read: that is told.
        if clauses.is_empty() && pieces.iter().any(|piece| piece.is_broken) {
            return None;
        }
        let tree = package(clauses, comments, texts);
        if trees.is_empty() {
            known.push(tree.name.clone());
        }
        for name in &tree.uses {
            if !known.contains(&name.text()) {
                known.push(name.text());
                let nested = beside(path, &format!("{}.bip", name.text().replace('.', "/")));
                let flat = beside(path, &format!("{}.bip", name.text()));
                let file = if texts.has(&nested) { nested } else { flat };
                wanted.push((file, name.span()));
            }
        }
        trees.push(tree);
    }
    Some(trees)
}

impl Resolver<'_, '_> {
    // ---- telling ----

    fn twice(&mut self, name: Ident, first: Span) {
        let (span, text) = (name.span, name.text().to_owned());
        self.texts.report(TwiceInBip { span, first, name: text });
    }

    fn unknown<T>(
        &mut self,
        what: &'static str,
        span: Span,
        name: &str,
        all: &[&str],
    ) -> Option<T> {
        let mut all = all.to_vec();
        all.sort_unstable();
        let near = closest(name, all).map(str::to_owned);
        self.texts.report(UnknownBip { span, what, name: name.to_owned(), near });
        None
    }

    fn refuse<T>(&mut self, span: Span, refusal: Refusal) -> Option<T> {
        self.texts.report(RefusedBip { span, refusal });
        None
    }

    fn misplaced(&mut self, span: Span, what: Misplaced) {
        self.texts.report(MisplacedBip { span, what });
    }

    fn mistyped<T>(
        &mut self,
        span: Span,
        found: impl Into<String>,
        wanted: impl Into<String>,
    ) -> Option<T> {
        let (found, wanted) = (found.into(), wanted.into());
        self.texts.report(MistypedBip { span, found, wanted });
        None
    }

    /// The place of a name in a list of names; unknown ones are reported.
    fn find(&mut self, what: &'static str, name: Ident, all: &[Ident]) -> Option<usize> {
        let at = all.iter().position(|one| one.name == name.name);
        if at.is_none() {
            let all: Vec<&str> = all.iter().map(|one| one.text()).collect();
            return self.unknown(what, name.span, name.text(), &all);
        }
        at
    }

    /// Reports names that are there twice.
    fn distinct(&mut self, names: impl IntoIterator<Item = Ident>) {
        let mut known: FxHashMap<Symbol, Span> = FxHashMap::default();
        for name in names {
            match known.get(&name.name) {
                Some(first) => self.twice(name, *first),
                None => _ = known.insert(name.name, name.span),
            }
        }
    }

    // ---- packages ----

    fn all(&mut self, trees: Vec<PackageTree>) {
        let mut later = Vec::new();
        for (at, tree) in trees.into_iter().enumerate() {
            self.packages.insert(tree.name.clone(), at);
            self.package = at;
            let mut package =
                PackageDef { name: tree.name, comments: tree.comments, items: Vec::new() };
            for block in tree.blocks {
                if let Some(item) = self.declare(&block) {
                    package.items.push((item, block.span));
                    later.push((at, item, block));
                }
            }
            self.model.packages.push(package);
        }
        // What others need first.
        for wanted in 0..3 {
            for (at, item, block) in &later {
                self.package = *at;
                match (wanted, item) {
                    (0, Item::Const(_) | Item::Function(_) | Item::PortType(_)) => {
                        self.simple(*item, block)
                    }
                    (1, Item::Atom(which)) => self.atom(*which, block),
                    (1, Item::Connector(which)) => self.connector(*which, block),
                    _ => {}
                }
            }
        }
        for (at, item, block) in later {
            if let Item::Compound(which) = item {
                self.waiting[which] = Some((at, block));
            }
        }
        for which in 0..self.waiting.len() {
            self.compound_first(which, Span::default());
        }
        for (at, is_used) in self.used_functions.clone().into_iter().enumerate() {
            if is_used {
                let name = self.model.functions[at].name;
                let (span, name) = (name.span, name.text().to_owned());
                self.texts.report(TakenAsFunction { span, name });
            }
        }
    }

    /// Gives a block its place among the things of its kind.
    fn declare(&mut self, block: &Block) -> Option<Item> {
        let package = self.package;
        let claim = |table: &mut Table, name: Ident, at: usize| -> Option<Span> {
            let first = table.get(&(package, name.name)).map(|(_, span)| *span);
            if first.is_none() {
                table.insert((package, name.name), (at, name.span));
            }
            first
        };
        let model = &mut self.model;
        let (name, first, item) = match &block.head.kind {
            ClauseKind::Const { name, .. } => {
                let at = model.constants.len();
                model.constants.push(ConstDef {
                    name: *name,
                    kind: Type::Int,
                    value: Term::Bool(false),
                });
                (*name, claim(&mut self.constants, *name, at), Item::Const(at))
            }
            ClauseKind::ExternType(name) => {
                model.sorts.push(*name);
                let at = model.sorts.len() - 1;
                (*name, claim(&mut self.sorts, *name, at), Item::Sort(at))
            }
            ClauseKind::ExternFunction { name, .. } => {
                let at = model.functions.len();
                model.functions.push(FunctionDef {
                    name: *name,
                    parameters: Vec::new(),
                    result: None,
                });
                self.used_functions.push(false);
                self.functions.entry((package, name.name)).or_default().push(at);
                (*name, None, Item::Function(at))
            }
            ClauseKind::ExternOperator(span) => return self.refuse(*span, Refusal::Operator),
            ClauseKind::PortType { name, .. } => {
                let at = model.port_types.len();
                model.port_types.push(PortTypeDef { name: *name, parameters: Vec::new() });
                (*name, claim(&mut self.port_types, *name, at), Item::PortType(at))
            }
            ClauseKind::Atom { name, .. } => {
                let at = model.atoms.len();
                model.atoms.push(atom::empty(*name));
                let other = self.compounds.get(&(package, name.name)).map(|(_, span)| *span);
                (*name, claim(&mut self.atoms, *name, at).or(other), Item::Atom(at))
            }
            ClauseKind::Connector { name, .. } => {
                let at = model.connectors.len();
                model.connectors.push(connector::empty(*name));
                (*name, claim(&mut self.connectors, *name, at), Item::Connector(at))
            }
            ClauseKind::Compound { name, .. } => {
                let at = model.compounds.len();
                model.compounds.push(compound::empty(*name));
                self.stages.push(Stage::Waiting);
                self.waiting.push(None);
                let other = self.atoms.get(&(package, name.name)).map(|(_, span)| *span);
                (*name, claim(&mut self.compounds, *name, at).or(other), Item::Compound(at))
            }
            _ => {
                self.misplaced(block.head.span, Misplaced::Clause);
                return None;
            }
        };
        if let Some(first) = first {
            self.twice(name, first);
        }
        Some(item)
    }

    /// Constants, functions and port types.
    fn simple(&mut self, item: Item, block: &Block) {
        match (&block.head.kind, item) {
            (ClauseKind::Const { kind, value, .. }, Item::Const(at)) => {
                let Some(kind) = self.kind(kind) else { return };
                // Constants see those before them.
                let term = self.expr(value, kind, &|_: &PathName| None, at);
                self.model.constants[at].kind = kind;
                if let Some(term) = term {
                    self.model.constants[at].value = term;
                }
            }
            (ClauseKind::ExternFunction { result, kinds, .. }, Item::Function(at)) => {
                let result = result.as_ref().and_then(|kind| self.kind(kind));
                let parameters: Vec<Option<Type>> =
                    kinds.iter().map(|kind| self.kind(kind)).collect();
                self.model.functions[at].result = result;
                self.model.functions[at].parameters = parameters.into_iter().flatten().collect();
            }
            (ClauseKind::PortType { parameters, .. }, Item::PortType(at)) => {
                self.model.port_types[at].parameters = self.variables(parameters);
            }
            _ => {}
        }
    }

    fn variables(&mut self, parameters: &[(PathName, Ident)]) -> Vec<Variable> {
        self.distinct(parameters.iter().map(|(_, name)| *name));
        let mut all = Vec::new();
        for (kind, name) in parameters {
            // What has no type was reported; it is taken for a number.
            let kind = self.kind(kind).unwrap_or(Type::Int);
            all.push(Variable { name: *name, kind });
        }
        all
    }

    // ---- names ----

    /// The package and the name that a path means.
    fn place(&self, path: &PathName) -> Option<(usize, Ident)> {
        let (last, before) = path.0.split_last()?;
        if before.is_empty() {
            return Some((self.package, *last));
        }
        let name = PathName(before.to_vec()).text();
        self.packages.get(&name).map(|package| (*package, *last))
    }

    fn look_up(
        &mut self,
        what: &'static str,
        path: &PathName,
        table: impl Fn(&Self) -> &Table,
    ) -> Option<usize> {
        let found = self
            .place(path)
            .and_then(|(package, name)| table(self).get(&(package, name.name)).map(|(at, _)| *at));
        if found.is_none() {
            let names: Vec<&str> = table(self)
                .keys()
                .filter(|(package, _)| *package == self.package)
                .map(|(_, name)| name.as_str())
                .collect();
            return self.unknown(what, path.span(), &path.text(), &names);
        }
        found
    }

    /// A type of values.
    fn kind(&mut self, path: &PathName) -> Option<Type> {
        match path.text().as_str() {
            "int" => Some(Type::Int),
            "bool" => Some(Type::Bool),
            "float" | "double" => self.refuse(path.span(), Refusal::Float),
            "string" => self.refuse(path.span(), Refusal::Text),
            _ => self.look_up("type of data", path, |of| &of.sorts).map(Type::Extern),
        }
    }

    fn port_type(&mut self, path: &PathName) -> Option<usize> {
        self.look_up("port type", path, |of| &of.port_types)
    }

    /// The type of a component.
    fn component_kind(&mut self, path: &PathName) -> Option<Kind> {
        let place = self.place(path);
        let compound = place.and_then(|(package, name)| self.compounds.get(&(package, name.name)));
        if let Some((at, _)) = compound {
            return Some(Kind::Compound(*at));
        }
        self.look_up("type of components", path, |of| &of.atoms).map(Kind::Atom)
    }

    /// A constant of the package by its name, of those before a place.
    fn constant(&self, name: Ident, before: usize) -> Option<(Term, Type)> {
        let (at, _) = self.constants.get(&(self.package, name.name))?;
        let constant = self.model.constants.get(*at).filter(|_| *at < before)?;
        Some((Term::Ref(Ref::Const(*at)), constant.kind))
    }

    /// What people call a type.
    fn told(&self, kind: Type) -> String {
        match kind {
            Type::Bool => "a `bool`".to_owned(),
            Type::Int => "an `int`".to_owned(),
            Type::Extern(at) => {
                format!("a value of `{}`", self.model.sorts.get(at).map_or("", |name| name.text()))
            }
        }
    }
}
