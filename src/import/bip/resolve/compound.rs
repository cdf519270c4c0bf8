//! Compounds: components, connectors, priorities and exports. Those that a compound contains come first.

use rustc_hash::FxHashSet;

use super::super::super::problems::{BadGlue, Misplaced, MisplacedBip, Refusal, WrongGlue};
use super::super::model::{
    ComponentDef, CompoundDef, CompoundRule, ConnectorUse, End, Face, Kind, SideDef,
};
use super::super::term::{Ref, Term, Type};
use super::super::tree::{Clause, ClauseKind, Expr, Ident, PathName, Side, SideKind};
use super::blocks::Block;
use super::expr::ALL;
use super::{Resolver, Stage};
use crate::diagnostics::Span;

pub(super) fn empty(name: Ident) -> CompoundDef {
    CompoundDef {
        name,
        parameters: Vec::new(),
        components: Vec::new(),
        connectors: Vec::new(),
        rules: Vec::new(),
        faces: Vec::new(),
        exports: Vec::new(),
        data: Vec::new(),
    }
}

/// How deep compounds may be in each other.
const MAX_DEPTH: usize = 100;

impl Resolver<'_, '_> {
    /// Resolves a compound, if it is not yet.
    pub(super) fn compound_first(&mut self, which: usize, used: Span) {
        match self.stages[which] {
            Stage::Done => return,
            Stage::Waiting => {}
            Stage::Open => {
                let name = self.model.compounds[which].name.text().to_owned();
                let what = WrongGlue::InItself(name);
                return self.texts.report(BadGlue { span: used, what });
            }
        }
        if self.stages.iter().filter(|stage| **stage == Stage::Open).count() > MAX_DEPTH {
            let why = Refusal::TooLarge("compounds are more than 100 deep in each other");
            return self.refuse(used, why).unwrap_or(());
        }
        let Some((package, block)) = self.waiting[which].take() else { return };
        self.stages[which] = Stage::Open;
        let before = std::mem::replace(&mut self.package, package);
        self.compound(which, &block);
        self.package = before;
        self.stages[which] = Stage::Done;
    }

    fn compound(&mut self, which: usize, block: &Block) {
        let ClauseKind::Compound { name, parameters } = &block.head.kind else { return };
        let mut compound = empty(*name);
        compound.parameters = self.variables(parameters);
        for clause in &block.body {
            if let ClauseKind::Component { kind, all } = &clause.kind {
                self.components(&mut compound, kind, all);
            }
        }
        self.distinct(compound.components.iter().map(|one| one.name).collect::<Vec<_>>());
        self.connector_uses(&mut compound, block);
        let uses = compound.connectors.iter().map(|one| one.name);
        let names: Vec<Ident> =
            compound.components.iter().map(|one| one.name).chain(uses).collect();
        self.distinct(names);
        for clause in &block.body {
            self.compound_rest(&mut compound, clause);
        }
        self.distinct(compound.faces.iter().map(|one| one.name).collect::<Vec<_>>());
        let is_read = !self.texts.diagnostics.iter().any(|one| block.span.contains(one.span()));
        if compound.components.is_empty() && is_read {
            self.misplaced(name.span, Misplaced::Missing("components"));
        }
        self.model.compounds[which] = compound;
    }

    fn components(
        &mut self,
        compound: &mut CompoundDef,
        kind: &PathName,
        all: &[(Ident, Vec<Expr>)],
    ) {
        let Some(component) = self.component_kind(kind) else { return };
        if let Kind::Compound(inner) = component {
            self.compound_first(inner, kind.span());
        }
        let wanted: Vec<Type> = match component {
            // A compound that is still open was reported.
            Kind::Compound(inner) if self.stages[inner] == Stage::Open => return,
            _ => self.model.parameters_of(component).iter().map(|one| one.kind).collect(),
        };
        let own = compound.clone();
        let scope = |path: &PathName| {
            let name = path.single()?.name;
            let at = own.parameters.iter().position(|one| one.name.name == name)?;
            Some((Term::Ref(Ref::Param(at)), own.parameters[at].kind))
        };
        for (name, arguments) in all {
            if arguments.len() != wanted.len() {
                let (has, wants) = (arguments.len(), wanted.len());
                let found = format!("a component with {}", many(has, "argument"));
                self.mistyped::<()>(name.span, found, format!("one with {wants}"));
            }
            let terms = arguments.iter().zip(&wanted);
            let terms: Vec<Option<Term>> =
                terms.map(|(one, kind)| self.expr(one, *kind, &scope, ALL)).collect();
            let arguments = terms.into_iter().flatten().collect();
            compound.components.push(ComponentDef { name: *name, kind: component, arguments });
        }
    }

    fn connector_uses(&mut self, compound: &mut CompoundDef, block: &Block) {
        let mut written: Vec<(Ident, usize, &[PathName])> = Vec::new();
        for clause in &block.body {
            let ClauseKind::ConnectorUse { kind, all } = &clause.kind else { continue };
            let Some(kind) = self.look_up("type of connectors", kind, |of| &of.connectors) else {
                continue;
            };
            written.extend(all.iter().map(|(name, ends)| (*name, kind, ends.as_slice())));
        }
        let uses =
            |ends| written.iter().map(|(name, kind, _)| (*name, *kind, ends)).collect::<Vec<_>>();
        let others: Vec<(Ident, usize, ())> = uses(());
        for (name, kind, ends) in &written {
            let ports = self.model.connectors[*kind].ports.clone();
            if ends.len() != ports.len() {
                let (has, wants) = (ends.len(), ports.len());
                let found = format!("a connector of {}", many(has, "port"));
                self.mistyped::<()>(name.span, found, format!("one of {wants}"));
            }
            let mut found = Vec::new();
            for (path, (_, wanted)) in ends.iter().zip(&ports) {
                let Some((end, kind)) = self.end(compound, &others, path) else { continue };
                if kind != *wanted {
                    let name = |kind: usize| self.model.port_types[kind].name.text();
                    let texts = (
                        format!("a port of `{}`", name(kind)),
                        format!("one of `{}`", name(*wanted)),
                    );
                    self.mistyped::<()>(path.span(), texts.0, texts.1);
                }
                found.push(end);
            }
            compound.connectors.push(ConnectorUse { name: *name, kind: *kind, ends: found });
        }
        self.reached_once(compound);
    }

    /// What a path leads to, and the type of the port.
    fn end(
        &mut self,
        compound: &CompoundDef,
        connectors: &[(Ident, usize, ())],
        path: &PathName,
    ) -> Option<(End, usize)> {
        let Some((owner, port)) = path.pair() else {
            return self.unknown("port", path.span(), &path.text(), &[]);
        };
        let at = compound.components.iter().position(|one| one.name.name == owner.name);
        if let Some(at) = at {
            let faces = self.model.faces(compound.components[at].kind).to_vec();
            let names: Vec<Ident> = faces.iter().map(|one| one.name).collect();
            let face = self.find("exported port", port, &names)?;
            return Some((End::Component(at, face), faces[face].kind));
        }
        let at = connectors.iter().position(|(name, _, ())| name.name == owner.name);
        let Some(at) = at else {
            let names = compound.components.iter().map(|one| one.name.text());
            let names: Vec<&str> =
                names.chain(connectors.iter().map(|(name, _, ())| name.text())).collect();
            return self.unknown("component or connector", owner.span, owner.text(), &names);
        };
        let export = self.model.connectors[connectors[at].1].export.clone();
        match export.filter(|(name, _, _)| name.name == port.name) {
            Some((_, kind, _)) => Some((End::Connector(at), kind)),
            None => {
                let what = WrongGlue::NoExport(owner.text().to_owned(), port.text().to_owned());
                self.texts.report(BadGlue { span: path.span(), what });
                None
            }
        }
    }

    /// No connector leads to itself, or to a component twice.
    fn reached_once(&mut self, compound: &CompoundDef) {
        for (at, connector) in compound.connectors.iter().enumerate() {
            let (mut components, mut connectors) = (FxHashSet::default(), FxHashSet::default());
            let mut work = connector.ends.clone();
            let mut flaw = None;
            while let Some(end) = work.pop() {
                match end {
                    End::Component(which, _) if !components.insert(which) => {
                        let name = compound.components[which].name.text().to_owned();
                        flaw = Some(WrongGlue::ReachedTwice(name));
                    }
                    End::Component(..) => {}
                    End::Connector(which) if which == at => flaw = Some(WrongGlue::Circle),
                    End::Connector(which) => match connectors.insert(which) {
                        true => work.extend(&compound.connectors[which].ends),
                        false => {
                            let name = compound.connectors[which].name.text().to_owned();
                            flaw = Some(WrongGlue::ReachedTwice(name));
                        }
                    },
                }
            }
            if let Some(what) = flaw {
                self.texts.report(BadGlue { span: connector.name.span, what });
            }
        }
    }

    fn compound_rest(&mut self, compound: &mut CompoundDef, clause: &Clause) {
        let connectors: Vec<(Ident, usize, ())> =
            compound.connectors.iter().map(|one| (one.name, one.kind, ())).collect();
        match &clause.kind {
            ClauseKind::Component { .. } | ClauseKind::ConnectorUse { .. } => {}
            ClauseKind::Priority { name, low, high, guard } => {
                let own = compound.clone();
                let data = self.exported_data(&own);
                let scope = |path: &PathName| {
                    let (owner, name) = path.pair()?;
                    let at = own.components.iter().position(|one| one.name.name == owner.name)?;
                    let (_, data, kind) =
                        data[at].iter().find(|(one, _, _)| one.name == name.name)?;
                    Some((Term::Ref(Ref::Exported(at, *data)), *kind))
                };
                let guard = self.condition(guard.as_ref(), &scope);
                let (low_side, high_side) = (self.side(compound, low), self.side(compound, high));
                let (Some(guard), Some(low), Some(high)) = (guard, low_side, high_side) else {
                    return;
                };
                if low == SideDef::All && high == SideDef::All {
                    return self.misplaced(clause.span, Misplaced::Clause);
                }
                let (name, span) = (*name, clause.span);
                compound.rules.push(CompoundRule { name, low, high, guard, span });
            }
            ClauseKind::ExportPort { from, name } => {
                let ends: Vec<Option<(End, usize)>> =
                    from.iter().map(|path| self.end(compound, &connectors, path)).collect();
                let Some(ends) = ends.into_iter().collect::<Option<Vec<_>>>() else { return };
                let kind = ends[0].1;
                if let Some(at) = ends.iter().position(|(_, other)| *other != kind) {
                    let name = |kind: usize| self.model.port_types[kind].name.text();
                    let texts = (
                        format!("a port of `{}`", name(ends[at].1)),
                        format!("one of `{}`", name(kind)),
                    );
                    self.mistyped::<()>(from[at].span(), texts.0, texts.1);
                }
                compound.faces.push(Face { name: *name, kind });
                compound.exports.push(ends.into_iter().map(|(end, _)| end).collect());
            }
            ClauseKind::ExportData { from, name } => {
                let data = self.exported_data(compound);
                let found = from.pair().and_then(|(owner, wanted)| {
                    let at =
                        compound.components.iter().position(|one| one.name.name == owner.name)?;
                    let (_, which, _) =
                        data[at].iter().find(|(one, _, _)| one.name == wanted.name)?;
                    Some((at, *which))
                });
                match found {
                    Some((at, which)) => compound.data.push((*name, at, which)),
                    None => {
                        self.unknown("exported data", from.span(), &from.text(), &[]).unwrap_or(())
                    }
                }
            }
            ClauseKind::Data { .. } | ClauseKind::Port { .. } | ClauseKind::Place(_) => {
                self.texts.report(MisplacedBip { span: clause.span, what: Misplaced::Clause });
            }
            _ => self.misplaced(clause.span, Misplaced::Clause),
        }
    }

    /// The exported data of each component: name, place and type.
    fn exported_data(&self, compound: &CompoundDef) -> Vec<Vec<(Ident, usize, Type)>> {
        let of = |kind: Kind| match kind {
            Kind::Atom(at) => {
                let data = self.model.atoms[at].data.iter().enumerate();
                let exported = data.filter(|(_, one)| one.is_exported);
                exported.map(|(at, one)| (one.variable.name, at, one.variable.kind)).collect()
            }
            Kind::Compound(at) => {
                let data = self.model.compounds[at].data.iter().enumerate();
                let typed = data.filter_map(|(which, (name, _, _))| {
                    Some((*name, which, self.model.data_type(kind, which)?))
                });
                typed.collect()
            }
        };
        compound.components.iter().map(|one| of(one.kind)).collect()
    }

    fn side(&mut self, compound: &CompoundDef, side: &Side) -> Option<SideDef> {
        let names: Vec<Ident> = compound.connectors.iter().map(|one| one.name).collect();
        match &side.kind {
            SideKind::All | SideKind::Any => Some(SideDef::All),
            SideKind::Connector(name) => {
                self.find("connector", *name, &names).map(SideDef::Connector)
            }
            SideKind::Port(name) => {
                self.find("connector", *name, &names)?;
                self.mistyped(name.span, "a connector", "some of its interactions, as `k:*`,")
            }
            SideKind::Interaction(name, paths) => {
                let which = self.find("connector", *name, &names)?;
                let connectors: Vec<(Ident, usize, ())> =
                    compound.connectors.iter().map(|one| (one.name, one.kind, ())).collect();
                let ends: Vec<Option<(End, usize)>> =
                    paths.iter().map(|path| self.end(compound, &connectors, path)).collect();
                let ends: Vec<End> = ends
                    .into_iter()
                    .collect::<Option<Vec<_>>>()?
                    .into_iter()
                    .map(|(end, _)| end)
                    .collect();
                let connector = &compound.connectors[which];
                let ports: Option<Vec<usize>> = ends
                    .iter()
                    .map(|end| connector.ends.iter().position(|one| one == end))
                    .collect();
                let mut ports = ports.unwrap_or_default();
                ports.sort_unstable();
                if !self.model.connectors[connector.kind].allows(&ports) {
                    self.texts.report(BadGlue { span: side.span, what: WrongGlue::NoInteraction });
                    return None;
                }
                Some(SideDef::Interaction(which, ports))
            }
        }
    }
}

/// So many of something.
fn many(count: usize, what: &str) -> String {
    match count {
        0 => format!("no {what}s"),
        1 => format!("one {what}"),
        _ => format!("{count} {what}s"),
    }
}
