//! Names in properties and relations: variables and states of the leaves of a net, by any end of their path
//! that only one of them has.

use super::Sema;
use super::body::Body;
use super::problems::{AmbiguousPath, UnknownPath, UnknownState};
use super::program::{
    Component, Expr, ExprKind, Instance, LeafPath, LeafTest, LeafVariable, LocalId, NetBody,
    ProcessId, Sort, StateId,
};
use super::scope::Space;
use crate::diagnostics::{Span, Symbol};
use crate::syntax::ast::{self, Ident};

/// The nets that a property speaks of.
#[derive(Clone, Debug)]
pub(super) struct Property {
    /// The leaves of each.
    pub nets: Vec<Leaves>,
    /// What they are called.
    pub name: String,
}

/// The leaves of a net.
#[derive(Clone, Debug, Default)]
pub(super) struct Leaves {
    /// Each leaf, in order.
    pub all: Vec<Leaf>,
    /// Whether something keeps them from being counted: an error, too many of them, a family.
    pub unclear: bool,
    /// How much was looked at.
    steps: usize,
}

/// A leaf: a process somewhere in a net.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// The way to it.
    pub path: Vec<Symbol>,
    /// What it is.
    pub process: ProcessId,
}

impl Leaf {
    fn show(&self) -> String {
        let names: Vec<&str> = self.path.iter().map(|name| name.as_str()).collect();
        names.join(".")
    }
}

/// More leaves than this are left to elaboration.
const MOST_LEAVES: usize = 2_000;
/// Larger and deeper hierarchies too.
const MOST_STEPS: usize = 20_000;
const MOST_LEVELS: usize = 100;

/// The leaves of an instance.
pub(super) fn leaves_of(sema: &Sema<'_>, instance: &Instance) -> Leaves {
    let mut leaves = Leaves::default();
    let mut path = Vec::new();
    collect(sema, instance, None, &mut path, &mut leaves, 0);
    leaves
}

/// What fills the holes of the net around, and what fills theirs.
struct Around<'i> {
    instance: &'i Instance,
    outer: Option<&'i Around<'i>>,
}

fn collect(
    sema: &Sema<'_>,
    instance: &Instance,
    around: Option<&Around<'_>>,
    path: &mut Vec<Symbol>,
    leaves: &mut Leaves,
    level: usize,
) {
    leaves.steps += 1;
    if leaves.all.len() >= MOST_LEAVES || leaves.steps >= MOST_STEPS || level >= MOST_LEVELS {
        leaves.unclear = true;
        return;
    }
    match &instance.component {
        Component::Error => leaves.unclear = true,
        Component::Process(id) => {
            leaves.unclear |= sema.program.processes[id.index()].has_errors;
            leaves.all.push(Leaf { path: path.clone(), process: *id });
        }
        Component::Hole(number, index) => {
            leaves.unclear |= index.is_some();
            let Some(around) = around else { return };
            fill_of(sema, around, *number, path, leaves, level);
        }
        Component::Net(id) => {
            let net = &sema.program.nets[id.index()];
            leaves.unclear |= net.has_errors;
            let inside = Around { instance, outer: around };
            match &net.body {
                NetBody::Error => leaves.unclear = true,
                NetBody::Alias(alias) => {
                    collect(sema, alias, Some(&inside), path, leaves, level + 1)
                }
                NetBody::Block(block) => {
                    for (number, hole) in net.holes.iter().enumerate() {
                        leaves.unclear |= hole.family.is_some();
                        path.push(hole.name.name);
                        fill_of(sema, &inside, number, path, leaves, level + 1);
                        path.pop();
                    }
                    for sub in &block.subs {
                        leaves.unclear |= sub.family.is_some();
                        path.push(sub.name.name);
                        collect(sema, &sub.instance, Some(&inside), path, leaves, level + 1);
                        path.pop();
                    }
                }
            }
        }
    }
}

/// The leaves of what fills a hole.
fn fill_of(
    sema: &Sema<'_>,
    around: &Around<'_>,
    number: usize,
    path: &mut Vec<Symbol>,
    leaves: &mut Leaves,
    level: usize,
) {
    let Component::Net(id) = around.instance.component else { return };
    let Some(hole) = sema.program.nets[id.index()].holes.get(number) else { return };
    let fills = around.instance.fills.iter().filter(|fill| fill.hole == [hole.name.name]);
    for fill in fills {
        collect(sema, &fill.instance, around.outer, path, leaves, level + 1);
    }
    // Holes of parts that this net leaves open can be filled from further out; that is rare, and left to
    // elaboration.
    leaves.unclear |= around.instance.fills.iter().any(|fill| fill.hole.len() > 1);
}

impl Body<'_, '_> {
    /// `left.C.v`, `S[2].v`: the names of a path, if the expression is one.
    pub fn leaf_path(&mut self, expr: &ast::Expr) -> Option<LeafPath> {
        match &expr.kind {
            ast::ExprKind::Name(name) => Some(vec![(Ident { name: *name, span: expr.span }, None)]),
            ast::ExprKind::Path(path) => {
                Some(path.parts.iter().map(|&part| (part, None)).collect())
            }
            ast::ExprKind::Field(field) => {
                let mut path = self.leaf_path(&field.0)?;
                path.push((field.1, None));
                Some(path)
            }
            ast::ExprKind::Index(both) => {
                let mut path = self.leaf_path(&both.0)?;
                let last = path.last_mut()?;
                if last.1.is_some() {
                    return None;
                }
                last.1 = Some(self.expr_of(&both.1, Sort::Int, None));
                Some(path)
            }
            _ => None,
        }
    }

    /// A variable of a leaf.
    pub fn leaf_variable(&mut self, path: LeafPath, span: Span) -> Expr {
        let Some(property) = self.property.clone() else { return Expr::error(span) };
        let mut found: Vec<(usize, &Leaf, LocalId)> = Vec::new();
        let names: Vec<Symbol> = path.iter().map(|(ident, _)| ident.name).collect();
        let (variable, leaf_names) =
            names.split_last().map_or((None, &[][..]), |(l, r)| (Some(*l), r));
        for (net, leaves) in property.nets.iter().enumerate() {
            for leaf in leaves.all.iter().filter(|leaf| leaf.path.ends_with(leaf_names)) {
                let local = variable.and_then(|name| self.variable_of(leaf.process, name));
                found.extend(local.map(|local| (net, leaf, local)));
            }
        }
        match found.as_slice() {
            [(net, leaf, local)] => {
                let sort = self.read_leaf(leaf.process, *local);
                let kind =
                    LeafVariable { path, net: *net, process: leaf.process, variable: *local };
                Expr { kind: ExprKind::Leaf(Box::new(kind)), sort, span }
            }
            [] => self.no_leaf_variable(&property, &path, span),
            several => {
                let name = show(&names);
                let candidates = several.iter().map(|(_, leaf, local)| {
                    let local =
                        self.sema.program.processes[leaf.process.index()].locals[local.index()];
                    format!("{}.{}", leaf.show(), local.name)
                });
                let candidates = candidates.collect();
                for (_, leaf, local) in several {
                    self.read_leaf(leaf.process, *local);
                }
                self.report(AmbiguousPath { span, name, candidates });
                Expr::error(span)
            }
        }
    }

    fn variable_of(&self, process: ProcessId, name: Symbol) -> Option<LocalId> {
        let process = &self.sema.program.processes[process.index()];
        let mut variables = process.variables.iter().map(|variable| variable.local);
        variables.find(|local| process.locals[local.index()].name == name)
    }

    /// Reads a variable of a leaf, and gives its sort.
    fn read_leaf(&mut self, process: ProcessId, local: LocalId) -> Sort {
        if let Some(reads) = self.sema.process_facts[process.index()].reads.get_mut(local.index()) {
            *reads += 1;
        }
        let sort = self.sema.program.processes[process.index()].locals[local.index()].sort;
        // The bounds of a range may use parameters of the process, which mean nothing here.
        super::infer::base(sort)
    }

    /// No leaf has such a variable: a constant of the module, or a mistake.
    fn no_leaf_variable(&mut self, property: &Property, path: &LeafPath, span: Span) -> Expr {
        let (first, only) = (path[0].0, path.len() == 1);
        let is_value = self.lookup(Space::Values, first.name).is_some()
            || !only && self.lookup(Space::Sorts, first.name).is_some();
        let plain = path.iter().all(|(_, index)| index.is_none());
        if is_value && plain {
            let outside = self.property.take();
            let parts: Vec<Ident> = path.iter().map(|(ident, _)| *ident).collect();
            let kind = if only {
                ast::ExprKind::Name(first.name)
            } else {
                ast::ExprKind::Path(Box::new(ast::Path { parts }))
            };
            let value = self.expr(&ast::Expr::leaf(kind, span));
            self.property = outside;
            return value;
        }
        self.failed = true;
        if property.nets.iter().any(|leaves| leaves.unclear) || self.is_unparsed(first.name) {
            // Elaboration will know.
            return Expr::error(span);
        }
        let mut known: Vec<&str> = Vec::new();
        for leaf in property.nets.iter().flat_map(|leaves| &leaves.all) {
            let process = &self.sema.program.processes[leaf.process.index()];
            let variables = process.variables.iter();
            known.extend(variables.map(|v| process.locals[v.local.index()].name.as_str()));
        }
        let names: Vec<Symbol> = path.iter().map(|(ident, _)| ident.name).collect();
        let last = names[names.len() - 1];
        let similar = self.sema.similar(last, known);
        let (name, net, what) = (show(&names), property.name.clone(), "variable".to_owned());
        self.report(UnknownPath { span, name, net, what, similar });
        Expr::error(span)
    }

    /// `C in failed`, `C in { s0, s1 }`
    pub fn state_test(&mut self, test: &ast::Test, span: Span) -> Expr {
        let Some(property) = self.property.clone() else { return Expr::error(span) };
        let Some(path) = self.leaf_path(&test.subject) else {
            return self.no_leaf(&property, test.subject.span, Symbol::new("this"));
        };
        let names: Vec<Symbol> = path.iter().map(|(ident, _)| ident.name).collect();
        let leaves = property.nets.iter().flat_map(|leaves| &leaves.all);
        let found: Vec<&Leaf> = leaves.filter(|leaf| leaf.path.ends_with(&names)).collect();
        let leaf = match found.as_slice() {
            [leaf] => *leaf,
            [] => return self.no_leaf(&property, test.subject.span, Symbol::new(&show(&names))),
            several => {
                let candidates = several.iter().map(|leaf| leaf.show()).collect();
                let (name, span) = (show(&names), test.subject.span);
                self.report(AmbiguousPath { span, name, candidates });
                return Expr::error(span);
            }
        };
        let named: Vec<&ast::Expr> = match &test.against.kind {
            ast::ExprKind::Set(states) => states.iter().collect(),
            _ => vec![&test.against],
        };
        let states =
            named.into_iter().filter_map(|state| self.state_of(leaf.process, state)).collect();
        let kind = LeafTest { path, process: leaf.process, states };
        Expr { kind: ExprKind::InState(Box::new(kind), test.negated), sort: Sort::Bool, span }
    }

    fn state_of(&mut self, process: ProcessId, state: &ast::Expr) -> Option<StateId> {
        let ast::ExprKind::Name(name) = state.kind else {
            let (what, allowed) =
                ("this".to_owned(), "no test of a state: write its name".to_owned());
            let span = state.span;
            self.report(super::problems::MisplacedPattern { span, what, allowed });
            return None;
        };
        self.find_state_of(process, Ident { name, span: state.span })
    }

    /// A state of a process by its name.
    pub fn find_state_of(&mut self, process: ProcessId, ident: Ident) -> Option<StateId> {
        let def = &self.sema.program.processes[process.index()];
        let position = def.states.iter().position(|state| state.name.name == ident.name);
        if let Some(index) = position {
            return Some(StateId(index as u32));
        }
        self.failed = true;
        let gaps = self.sema.process_facts[process.index()].has_gaps;
        if !gaps && !self.is_unparsed(ident.name) {
            let known: Vec<&str> =
                def.states.iter().map(|state| state.name.name.as_str()).collect();
            let process = def.named.name.to_string();
            let similar = self.sema.similar(ident.name, known);
            let name = ident.name.to_string();
            self.report(UnknownState { span: ident.span, name, process, similar });
        }
        None
    }

    fn no_leaf(&mut self, property: &Property, span: Span, name: Symbol) -> Expr {
        self.failed = true;
        if property.nets.iter().any(|leaves| leaves.unclear) || self.is_unparsed(name) {
            return Expr::error(span);
        }
        let leaves = property.nets.iter().flat_map(|leaves| &leaves.all);
        let known: Vec<&str> = leaves.filter_map(|leaf| Some(leaf.path.last()?.as_str())).collect();
        let similar = self.sema.similar(name, known);
        let (net, what) = (property.name.clone(), "leaf".to_owned());
        self.report(UnknownPath { span, name: name.to_string(), net, what, similar });
        Expr::error(span)
    }
}

fn show(names: &[Symbol]) -> String {
    let names: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
    names.join(".")
}
