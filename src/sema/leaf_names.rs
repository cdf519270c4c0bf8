//! Names in properties and relations: variables and states of the leaves of nets, by any end of their path that only
//! one of them has.
//!
//! A whole path goes before the end of another. In a relation, `first` and `second` before a path say which of the two
//! nets is meant; where a path with these words in it fits by itself, it is that path.

use super::body::Body;
use super::leaves::{Leaf, Property};
use super::problems::{
    AmbiguousPath, FamilyIndex, HidesParameter, PathHint, UnknownPath, UnknownState,
};
use super::program::{
    Expr, ExprKind, LeafPath, LeafTest, LeafVariable, LocalId, ProcessId, Sort, StateId,
};
use super::scope::Space;
use crate::diagnostics::{Span, Symbol};
use crate::syntax::ast::{self, Ident};

/// What says which net of a relation is meant.
pub(super) const SIDES: [&str; 2] = ["first", "second"];

/// A path as it was written: names, some of which have an index.
pub(super) type Written<'e> = Vec<(Ident, Option<WrittenIndex<'e>>)>;

/// An index of a path.
#[derive(Clone)]
pub(super) enum WrittenIndex<'e> {
    /// As it was written.
    Text(&'e ast::Expr),
    /// Of the way to a member that a quantifier goes through.
    Known(Expr),
}

impl<'e> WrittenIndex<'e> {
    /// As it was written.
    pub fn text(&self) -> Option<&'e ast::Expr> {
        match self {
            WrittenIndex::Text(expr) => Some(expr),
            WrittenIndex::Known(_) => None,
        }
    }

    fn span(&self) -> Span {
        match self {
            WrittenIndex::Text(expr) => expr.span,
            WrittenIndex::Known(expr) => expr.span,
        }
    }
}

/// Something that a path fits: a leaf of one of the nets, or a variable of it.
#[derive(Clone)]
struct Fit {
    net: usize,
    leaf: Leaf,
    variable: Option<LocalId>,
    /// Other processes that may stand there, with their variables.
    also: Vec<(ProcessId, Option<LocalId>)>,
}

/// What a path fits, and how many of its names are not part of it: the word for a net.
struct Fits {
    all: Vec<Fit>,
    skipped: usize,
}

/// `left.C.v`, `S[2].v`: the names of a path, if the expression is one.
pub(super) fn written(expr: &ast::Expr) -> Option<Written<'_>> {
    match &expr.kind {
        ast::ExprKind::Name(name) => Some(vec![(Ident { name: *name, span: expr.span }, None)]),
        ast::ExprKind::Path(path) => Some(path.parts.iter().map(|&part| (part, None)).collect()),
        ast::ExprKind::Field(field) => {
            let mut path = written(&field.0)?;
            path.push((field.1, None));
            Some(path)
        }
        ast::ExprKind::Index(both) => {
            let mut path = written(&both.0)?;
            let last = path.last_mut()?;
            if last.1.is_some() {
                return None;
            }
            last.1 = Some(WrittenIndex::Text(&both.1));
            Some(path)
        }
        _ => None,
    }
}

impl Body<'_, '_> {
    /// Whether this is a property or a relation, in which every name may be one of a leaf.
    pub fn is_property(&self) -> bool {
        self.property.as_ref().is_some_and(|property| !property.of_parts)
    }

    /// Whether a path that begins like this may be one of a leaf.
    pub fn names_leaf(&self, first: Symbol) -> bool {
        let Some(property) = &self.property else { return false };
        let mut leaves = property.nets.iter().flat_map(|leaves| &leaves.all);
        !property.of_parts
            || self.is_member(first)
            || leaves.any(|leaf| leaf.path.first() == Some(&first))
    }

    /// A path that begins with a variable of a leaf, and how many of its names are the path of that variable; what is
    /// left selects from its value.
    pub fn leaf_names(&self, path: &Written<'_>) -> Option<usize> {
        let property = self.property.as_ref()?;
        let is_data = |fit: &Fit| {
            let Some(local) = fit.variable else { return false };
            let process = &self.sema.program.processes[fit.leaf.process.index()];
            matches!(process.locals[local.index()].sort, Sort::Data(_) | Sort::Array(_))
        };
        (1..=path.len()).rev().find(|&count| {
            let fits = self.fits(property, &path[..count], true);
            let whole = count == path.len();
            !fits.all.is_empty() && (whole || fits.all.iter().any(is_data))
        })
    }

    /// A variable of a leaf.
    pub fn leaf_variable(&mut self, path: &Written<'_>, span: Span) -> Expr {
        let Some(property) = self.property.clone() else { return Expr::error(span) };
        let fits = self.fits(&property, path, true);
        // A member of a family is told apart by its index, which a bare name does not have.
        if let ([(ident, None)], [Fit { leaf, .. }]) = (path.as_slice(), fits.all.as_slice())
            && leaf.is_member()
            && let Some(value) = self.seen_parameter(ident.name, span)
        {
            return value;
        }
        match fits.all.as_slice() {
            [Fit { net, leaf, variable: Some(local), also }] => {
                let sort = self.read_leaf(leaf.process, *local);
                for &(process, local) in also {
                    local.map(|local| self.read_leaf(process, local));
                }
                self.hides_parameter(path, leaf, span);
                let (skipped, path) = path.split_at(fits.skipped);
                let way: Vec<Ident> = path[..path.len() - 1].iter().map(|(one, _)| *one).collect();
                let clear = self.has_indices(&path[..path.len() - 1], leaf)
                    && self.is_one_member(leaf, (&way, Some(path[path.len() - 1].0)), span);
                if !clear {
                    return Expr::error(span);
                }
                self.names_lone(skipped.first().map(|(word, _)| *word), leaf);
                self.names_leaf_variable(path, leaf, *local);
                let path = self.leaf_path(path, None);
                let (net, process, variable) = (*net, leaf.process, *local);
                let kind = LeafVariable { path, net, process, variable };
                Expr { kind: ExprKind::Leaf(Box::new(kind)), sort, span }
            }
            [] => self.no_leaf_variable(&property, path, span),
            several => {
                for fit in several {
                    if let Some(local) = fit.variable {
                        self.read_leaf(fit.leaf.process, local);
                    }
                }
                self.ambiguous(path, &fits, span)
            }
        }
    }

    /// What a path fits. Where it fits not exactly one thing, a word for one of two nets before it may help.
    fn fits(
        &self,
        property: &Property,
        path: &[(Ident, Option<WrittenIndex<'_>>)],
        variables: bool,
    ) -> Fits {
        let names: Vec<Symbol> = path.iter().map(|(ident, _)| ident.name).collect();
        let plain = self.fits_in(property, &names, None, variables);
        if plain.len() != 1
            && let [(word, None), _, ..] = path
            && property.nets.len() == SIDES.len()
            && let Some(net) = SIDES.iter().position(|side| *side == word.name.as_str())
        {
            let chosen = self.fits_in(property, &names[1..], Some(net), variables);
            if chosen.len() == 1 || plain.is_empty() {
                return Fits { all: chosen, skipped: 1 };
            }
        }
        // A process that is asked about by itself can be named, although there is no way to go.
        if plain.is_empty()
            && let Some((word, None)) = path.first()
            && path.len() > usize::from(variables)
            && let Some(net) = self.lone_process(property, word.name)
        {
            let all = self.fits_in(property, &names[1..], Some(net), variables);
            return Fits { all, skipped: 1 };
        }
        Fits { all: plain, skipped: 0 }
    }

    /// The net that is nothing but the process of this name.
    fn lone_process(&self, property: &Property, name: Symbol) -> Option<usize> {
        property.nets.iter().position(|leaves| match leaves.all.as_slice() {
            [leaf] if leaf.path.is_empty() => {
                self.sema.program.processes[leaf.process.index()].named.name == name
            }
            _ => false,
        })
    }

    /// What names fit in one of the nets, or in all: whole paths, or, if there are none, ends of paths.
    fn fits_in(
        &self,
        property: &Property,
        names: &[Symbol],
        only: Option<usize>,
        variables: bool,
    ) -> Vec<Fit> {
        let (variable, way) = match names.split_last() {
            Some((last, rest)) if variables => (Some(*last), rest),
            _ => (None, names),
        };
        let mut all: Vec<Fit> = Vec::new();
        let nets = property.nets.iter().enumerate();
        for (net, leaves) in nets.filter(|(net, _)| only.is_none_or(|only| only == *net)) {
            for leaf in leaves.all.iter().filter(|leaf| leaf.path.ends_with(way)) {
                let local = variable.map(|name| self.variable_of(leaf.process, name));
                if local != Some(None) {
                    let variable = local.flatten();
                    all.push(Fit { net, leaf: leaf.clone(), variable, also: Vec::new() });
                }
            }
        }
        if all.iter().any(|fit| fit.leaf.path.len() == way.len()) {
            all.retain(|fit| fit.leaf.path.len() == way.len());
        }
        self.in_one_place(all)
    }

    /// Different processes that may stand in one place are one leaf, if what is asked for is alike in all of them.
    fn in_one_place(&self, all: Vec<Fit>) -> Vec<Fit> {
        let mut places: Vec<Fit> = Vec::with_capacity(all.len());
        let process = |id: ProcessId| &self.sema.program.processes[id.index()];
        let sort = |id: ProcessId, local: Option<LocalId>| {
            local.map(|local| super::infer::base(process(id).locals[local.index()].sort))
        };
        for fit in all {
            let (new, local) = (fit.leaf.process, fit.variable);
            let alike = |known: &&mut Fit| {
                known.net == fit.net
                    && known.leaf.path == fit.leaf.path
                    && sort(known.leaf.process, known.variable) == sort(new, local)
            };
            match places.iter_mut().find(alike) {
                Some(known) if known.leaf.process == new => {}
                Some(known) => known.also.push((new, local)),
                None => places.push(fit),
            }
        }
        places
    }

    /// The leaf that names fit in one of the nets, if there is one only.
    pub fn only_leaf(
        &self,
        property: &Property,
        names: &[Symbol],
        net: usize,
        variable: bool,
    ) -> Option<Leaf> {
        match self.fits_in(property, names, Some(net), variable).as_slice() {
            [fit] => Some(fit.leaf.clone()),
            _ => None,
        }
    }

    /// A path with its indices, whose values are known where they can be.
    pub fn leaf_path(
        &mut self,
        path: &[(Ident, Option<WrittenIndex<'_>>)],
        counted: Option<Span>,
    ) -> LeafPath {
        let mut done = LeafPath::with_capacity(path.len());
        for (at, (ident, index)) in path.iter().enumerate() {
            let is_last = at + 1 == path.len();
            let index = index.as_ref().map(|index| {
                let text = match index {
                    WrittenIndex::Text(text) => text,
                    WrittenIndex::Known(index) => return index.clone(),
                };
                let family = ident.name.to_string();
                let hint = match counted {
                    None => PathHint::Index { family },
                    Some(span) => {
                        let member = Span::new(ident.span.start, span.end);
                        PathHint::Counted { family, member: is_last.then_some(member) }
                    }
                };
                let outside = self.index_of.replace(hint);
                let mut index = self.expr_of(text, Sort::Int, None);
                self.index_of = outside;
                let value = self.folder().integer(&index);
                if let Some(value) = value.and_then(|value| i64::try_from(value).ok()) {
                    index.kind = ExprKind::Int(value);
                }
                index
            });
            done.push((*ident, index));
        }
        done
    }

    /// Reports a path that fits several things, with texts that fit one of them.
    fn ambiguous(&mut self, path: &Written<'_>, fits: &Fits, span: Span) -> Expr {
        let several = &fits.all;
        let whole = |fit: &Fit| match fit.variable {
            None => fit.leaf.show(),
            Some(local) => {
                let process = &self.sema.program.processes[fit.leaf.process.index()];
                let name = process.locals[local.index()].name;
                let way = fit.leaf.path.iter().chain([&name]);
                show(&way.copied().collect::<Vec<_>>())
            }
        };
        let paths: Vec<String> = several.iter().map(whole).collect();
        let in_both = |path: &String| {
            let alike = several.iter().zip(&paths).filter(|(_, other)| *other == path);
            let mut nets: Vec<usize> = alike.map(|(fit, _)| fit.net).collect();
            nets.dedup();
            nets.len() > 1
        };
        let shown = several.iter().zip(&paths).map(|(fit, path)| match SIDES.get(fit.net) {
            Some(side) if fits.skipped > 0 || in_both(path) => format!("{side}.{path}"),
            _ => path.clone(),
        });
        let (name, candidates) = (show_written(path), shown.collect());
        self.report(AmbiguousPath { span, name, candidates });
        Expr::error(span)
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
    fn no_leaf_variable(&mut self, property: &Property, path: &Written<'_>, span: Span) -> Expr {
        let (first, only) = (path[0].0, path.len() == 1);
        if let Some(value) = self.seen_parameter(first.name, first.span)
            && path.iter().all(|(_, index)| index.is_none())
        {
            let rest: Vec<Ident> = path[1..].iter().map(|(ident, _)| *ident).collect();
            return self.fields(value, &rest);
        }
        let is_module = self.sema.scopes[self.module.index()].aliases.contains_key(&first.name);
        let is_value = !only && is_module
            || self.lookup(Space::Values, first.name).is_some()
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
        if property.nets.iter().any(|leaves| leaves.partial) || self.is_unparsed(first.name) {
            // Verification says so.
            return Expr::error(span);
        }
        let whole = self.whole_path(property, path);
        let mut known: Vec<&str> = self.parameters.iter().map(|one| one.name.as_str()).collect();
        for leaf in property.nets.iter().flat_map(|leaves| &leaves.all) {
            known.extend(self.variables_of(leaf).map(|name| name.as_str()));
        }
        let last = path[path.len() - 1].0.name;
        let similar = if whole.is_some() { None } else { self.sema.similar(last, known) };
        let (name, net, what) = (show_written(path), property.name.clone(), "variable".to_owned());
        let hint = match similar.is_none() && whole.is_none() {
            true => {
                self.index_of.clone().filter(|_| only).or_else(|| self.state_hint(property, path))
            }
            false => None,
        };
        self.report(UnknownPath { span, name, net, what, similar, whole, hint });
        Expr::error(span)
    }

    /// `C.busy`, where `busy` is a state of `C`.
    fn state_hint(&self, property: &Property, path: &Written<'_>) -> Option<PathHint> {
        let names: Vec<Symbol> = path.iter().map(|(ident, _)| ident.name).collect();
        let (&state, owner) = names.split_last()?;
        let mut leaves = property.nets.iter().flat_map(|leaves| &leaves.all);
        let has = |leaf: &&Leaf| leaf.path.ends_with(owner) && self.has_state(leaf.process, state);
        let leaf = leaves.find(has)?;
        let process = self.sema.program.processes[leaf.process.index()].named.name.to_string();
        let place = if leaf.path.is_empty() { process.clone() } else { leaf.example() };
        Some(PathHint::State { state: state.to_string(), process, place })
    }

    /// The names of the variables of a leaf.
    fn variables_of(&self, leaf: &Leaf) -> impl Iterator<Item = Symbol> {
        let process = &self.sema.program.processes[leaf.process.index()];
        process.variables.iter().map(|variable| process.locals[variable.local.index()].name)
    }

    /// The path of a variable that was probably meant: the name is known, and the component is another one; or it is the
    /// component's only variable. Where several components have it, the process may say which.
    fn whole_path(&self, property: &Property, path: &Written<'_>) -> Option<String> {
        let last = path[path.len() - 1].0.name;
        let leaves = || property.nets.iter().flat_map(|leaves| &leaves.all);
        let has = |leaf: &&Leaf| self.variables_of(leaf).any(|name| name == last);
        let process = |leaf: &&Leaf| self.sema.program.processes[leaf.process.index()].named.name;
        let owners: Vec<&Leaf> = leaves().filter(has).collect();
        let owner = match (owners.as_slice(), path.len()) {
            ([only], _) => Some(*only),
            (several, 2..) => {
                let written = path[path.len() - 2].0.name;
                several.iter().copied().find(|leaf| process(leaf) == written)
            }
            _ => None,
        };
        if let Some(owner) = owner {
            return Some(owner.show_member(last));
        }
        let named: Vec<&Leaf> = leaves().filter(|leaf| leaf.path.last() == Some(&last)).collect();
        let [component] = named.as_slice() else { return None };
        let mut variables = self.variables_of(component);
        let only = variables.next().filter(|_| variables.next().is_none());
        only.map(|name| component.show_member(name))
    }

    /// Whether families on the way to a leaf have an index, and nothing else has; reports the first that is wrong.
    fn has_indices(&mut self, way: &[(Ident, Option<WrittenIndex<'_>>)], leaf: &Leaf) -> bool {
        let families = &leaf.families[leaf.families.len().saturating_sub(way.len())..];
        let wrong = way
            .iter()
            .zip(families)
            .find(|((_, index), family)| index.is_some() != family.is_some());
        if let Some(((ident, index), family)) = wrong {
            let end = index.as_ref().map(WrittenIndex::span);
            let span = end.map_or(ident.span, |end| ident.span.to(end));
            let (name, declared) = (ident.name.to_string(), None);
            let family = family.is_some();
            self.report(FamilyIndex { span, name, family, declared });
        }
        wrong.is_none()
    }

    /// Whether a name is that of a value, and no leaf is meant.
    pub fn is_value(&mut self, ident: Ident) -> bool {
        self.parameters.iter().any(|one| one.name == ident.name)
            || self.lookup(Space::Values, ident.name).is_some()
    }

    /// Warns where the end of a path is also the name of a parameter of the net.
    fn hides_parameter(&mut self, path: &Written<'_>, leaf: &Leaf, span: Span) {
        let [(ident, None)] = path.as_slice() else { return };
        let parameter = self.parameters.iter().find(|one| one.name == ident.name);
        if let Some(first) = parameter.map(|one| one.declared)
            && !leaf.path.is_empty()
        {
            let (name, leaf) = (ident.name.to_string(), leaf.show());
            self.report(HidesParameter { span, name, leaf, first });
        }
    }

    /// `C in failed`, `C in { s0, s1 }`
    pub fn state_test(&mut self, test: &ast::Test, span: Span) -> Expr {
        let Some(property) = self.property.clone() else { return Expr::error(span) };
        let subject = test.subject.span;
        let Some(path) = written(&test.subject) else {
            return self.no_leaf(&property, subject, Symbol::new("this"));
        };
        let path = self.way_of_member(path);
        let fits = self.fits(&property, &path, false);
        let also: Vec<ProcessId>;
        let (net, process) = match fits.all.as_slice() {
            [fit] => {
                let way = &path[fits.skipped..];
                let names: Vec<Ident> = way.iter().map(|(one, _)| *one).collect();
                let clear = self.has_indices(way, &fit.leaf)
                    && self.is_one_member(&fit.leaf, (&names, None), subject);
                if !clear {
                    return Expr::error(span);
                }
                let word = path[..fits.skipped].first().map(|(word, _)| *word);
                self.names_lone(word, &fit.leaf);
                self.names_way(&names, &fit.leaf);
                also = fit.also.iter().map(|(process, _)| *process).collect();
                (fit.net, fit.leaf.process)
            }
            [] => return self.no_leaf(&property, subject, Symbol::new(&show_written(&path))),
            _ => return self.ambiguous(&path, &fits, subject),
        };
        let named: Vec<&ast::Expr> = match &test.against.kind {
            ast::ExprKind::Set(states) => states.iter().collect(),
            _ => vec![&test.against],
        };
        let mut any_of: Vec<Symbol> = Vec::new();
        if !also.is_empty() {
            // A state that only some of them have is one that the others are never in.
            any_of.extend(named.iter().filter_map(|state| match state.kind {
                ast::ExprKind::Name(name) => Some(name),
                _ => None,
            }));
        }
        let is_of_another = |body: &Self, state: &ast::Expr| {
            matches!(state.kind, ast::ExprKind::Name(name)
                if also.iter().any(|&other| body.has_state(other, name)))
        };
        let named = named.into_iter().filter(|state| {
            let ast::ExprKind::Name(name) = state.kind else { return true };
            self.has_state(process, name) || !is_of_another(self, state)
        });
        let named: Vec<&ast::Expr> = named.collect();
        let states = named.into_iter().filter_map(|state| self.state_of(process, state)).collect();
        let path = self.leaf_path(&path[fits.skipped..], None);
        let kind = LeafTest { path, net, process, states, any_of };
        Expr { kind: ExprKind::InState(Box::new(kind), test.negated), sort: Sort::Bool, span }
    }

    /// One state of a process, or several in braces.
    pub fn states_of(&mut self, process: ProcessId, against: &ast::Expr) -> Vec<StateId> {
        let named: Vec<&ast::Expr> = match &against.kind {
            ast::ExprKind::Set(states) => states.iter().collect(),
            _ => vec![against],
        };
        named.into_iter().filter_map(|state| self.state_of(process, state)).collect()
    }

    fn has_state(&self, process: ProcessId, name: Symbol) -> bool {
        let states = &self.sema.program.processes[process.index()].states;
        states.iter().any(|state| state.name.name == name)
    }

    fn state_of(&mut self, process: ProcessId, state: &ast::Expr) -> Option<StateId> {
        let ast::ExprKind::Name(name) = state.kind else {
            let (what, allowed) =
                ("this".to_owned(), "no test of a state: write its name".to_owned());
            let span = state.span;
            self.report(super::problems::MisplacedPattern {
                span,
                what,
                allowed,
                marks: Vec::new(),
            });
            return None;
        };
        self.find_state_of(process, Ident { name, span: state.span })
    }

    /// A state of a process by its name.
    pub fn find_state_of(&mut self, process: ProcessId, ident: Ident) -> Option<StateId> {
        let def = &self.sema.program.processes[process.index()];
        let position = def.states.iter().position(|state| state.name.name == ident.name);
        if let Some(index) = position {
            let declared = def.states[index].name.span;
            self.sema.occurs(ident, declared, super::NameKind::State);
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

    pub fn no_leaf(&mut self, property: &Property, span: Span, name: Symbol) -> Expr {
        self.failed = true;
        if property.nets.iter().any(|leaves| leaves.partial) || self.is_unparsed(name) {
            return Expr::error(span);
        }
        let leaves = property.nets.iter().flat_map(|leaves| &leaves.all);
        let known: Vec<&str> = leaves.filter_map(|leaf| Some(leaf.path.last()?.as_str())).collect();
        let whole = self.member_of_process(property, name);
        let similar = self.sema.similar(name, known).filter(|_| whole.is_none());
        let (net, what) = (property.name.clone(), "leaf".to_owned());
        let (name, hint) = (name.to_string(), None);
        self.report(UnknownPath { span, name, net, what, similar, whole, hint });
        Expr::error(span)
    }

    /// Who in a net is an instance of the process of a name: in a net, members go by the names of their parts.
    pub fn member_of_process(&self, property: &Property, name: Symbol) -> Option<String> {
        let leaves = property.nets.iter().flat_map(|leaves| &leaves.all);
        let is_one = |leaf: &&Leaf| {
            let process = &self.sema.program.processes[leaf.process.index()];
            process.named.name == name
        };
        leaves.filter(is_one).map(Leaf::show).next()
    }
}

pub(super) fn show(names: &[Symbol]) -> String {
    let names: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
    names.join(".")
}

pub(super) fn show_written(path: &Written<'_>) -> String {
    show(&path.iter().map(|(ident, _)| ident.name).collect::<Vec<_>>())
}
