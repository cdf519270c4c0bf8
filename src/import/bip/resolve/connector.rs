//! Connector types: what they connect, and what is done when.

use super::super::super::problems::{BadGlue, Misplaced, Refusal, WrongGlue};
use super::super::model::{ConnectorDef, GlueDef, InteractionDef, Variable};
use super::super::term::{Ref, Term, Type};
use super::super::tree::{Clause, ClauseKind, Glue, Ident, PathName};
use super::Resolver;
use super::blocks::Block;

/// Of connector types with more interactions, not all are gone through.
const MOST_INTERACTIONS: usize = 4_096;

/// Connector types with more smallest interactions are not translated.
const MOST_SMALLEST: usize = 256;

pub(super) fn empty(name: Ident) -> ConnectorDef {
    ConnectorDef {
        name,
        ports: Vec::new(),
        locals: Vec::new(),
        export: None,
        glue: Vec::new(),
        interactions: Vec::new(),
        is_large: false,
        clauses: Vec::new(),
    }
}

impl Resolver<'_, '_> {
    pub(super) fn connector(&mut self, which: usize, block: &Block) {
        let ClauseKind::Connector { name, ports } = &block.head.kind else { return };
        let mut connector = empty(*name);
        self.distinct(ports.iter().map(|(_, name)| *name).collect::<Vec<_>>());
        for (kind, name) in ports {
            if let Some(kind) = self.port_type(kind) {
                connector.ports.push((*name, kind));
            }
        }
        let is_whole = connector.ports.len() == ports.len();
        for clause in &block.body {
            match &clause.kind {
                ClauseKind::Data { is_exported: false, kind, names } => {
                    let kind = self.kind(kind).unwrap_or(Type::Int);
                    connector
                        .locals
                        .extend(names.iter().map(|name| Variable { name: *name, kind }));
                }
                ClauseKind::Port { is_exported: true, kind, ports, merged: None } => {
                    self.export(&mut connector, clause, kind, ports);
                }
                ClauseKind::Define(glue) => {
                    if !connector.glue.is_empty() {
                        self.misplaced(clause.span, Misplaced::Again);
                    }
                    connector.glue = self.glue(&connector, glue, &mut Vec::new());
                }
                ClauseKind::Interaction { .. } => {}
                _ => self.misplaced(clause.span, Misplaced::Clause),
            }
        }
        let names = connector.locals.iter().map(|one| one.name);
        let names: Vec<Ident> =
            names.chain(connector.ports.iter().map(|(name, _)| *name)).collect();
        self.distinct(names);
        if is_whole {
            let is_read = !self.texts.diagnostics.iter().any(|one| block.span.contains(one.span()));
            self.all_ports(*name, &connector, is_read);
            match interactions(&connector.glue) {
                Some(all) => connector.interactions = all,
                None => connector.is_large = true,
            }
            for clause in &block.body {
                self.interaction(&mut connector, clause);
            }
            if connector.is_large {
                self.representatives(&mut connector);
            }
        }
        self.model.connectors[which] = connector;
    }

    fn export(
        &mut self,
        connector: &mut ConnectorDef,
        clause: &Clause,
        kind: &PathName,
        ports: &[(Ident, Vec<Ident>)],
    ) {
        let ([(name, variables)], None) = (ports, &connector.export) else {
            return self.misplaced(clause.span, Misplaced::Again);
        };
        let Some(kind) = self.port_type(kind) else { return };
        let wanted: Vec<Type> =
            self.model.port_types[kind].parameters.iter().map(|one| one.kind).collect();
        if wanted.len() != variables.len() {
            let (has, wants) = (variables.len(), wanted.len());
            self.mistyped::<()>(
                name.span,
                format!("a port with {has} variables"),
                format!("one with {wants}"),
            );
            return;
        }
        let names: Vec<Ident> = connector.locals.iter().map(|one| one.name).collect();
        let mut carried = Vec::new();
        for (variable, wanted) in variables.iter().zip(wanted) {
            let Some(at) = self.find("variable of the connector", *variable, &names) else {
                return;
            };
            let kind = connector.locals[at].kind;
            if kind != wanted {
                let (found, wanted) = (self.told(kind), self.told(wanted));
                self.mistyped::<()>(variable.span, found, wanted);
            }
            carried.push(at);
        }
        connector.export = Some((*name, kind, carried));
    }

    fn glue(
        &mut self,
        connector: &ConnectorDef,
        glue: &[Glue],
        seen: &mut Vec<usize>,
    ) -> Vec<GlueDef> {
        let names: Vec<Ident> = connector.ports.iter().map(|(name, _)| *name).collect();
        let mut all = Vec::new();
        for part in glue {
            match part {
                Glue::Port(name, trigger) => {
                    let Some(at) = self.find("port of the connector", *name, &names) else {
                        continue;
                    };
                    if seen.contains(&at) {
                        let what = WrongGlue::PortTwice(name.text().to_owned());
                        self.texts.report(BadGlue { span: name.span, what });
                    }
                    seen.push(at);
                    all.push(GlueDef::Port(at, *trigger));
                }
                Glue::Group(parts, trigger) => {
                    all.push(GlueDef::Group(self.glue(connector, parts, seen), *trigger));
                }
            }
        }
        all
    }

    /// Each port stands in `define`.
    fn all_ports(&mut self, name: Ident, connector: &ConnectorDef, is_read: bool) {
        if connector.glue.is_empty() {
            if is_read {
                self.misplaced(name.span, Misplaced::Missing("`define`"));
            }
            return;
        }
        let mut used = Vec::new();
        ports_of(&connector.glue, &mut used);
        // One that stands there twice was reported.
        let is_double = (1..used.len()).any(|at| used[..at].contains(&used[at]));
        for (at, (name, _)) in connector.ports.iter().enumerate() {
            if !used.contains(&at) && !is_double {
                let what = WrongGlue::PortMissing(name.text().to_owned());
                self.texts.report(BadGlue { span: name.span, what });
            }
        }
    }

    /// The interactions that tell what many others do: those with clauses, the smallest ones, and the largest.
    fn representatives(&mut self, connector: &mut ConnectorDef) {
        let Some(mut all) = smallest(&connector.glue) else {
            let refusal = Refusal::TooLarge("this connector has more than 4096 interactions");
            return self.refuse(connector.name.span, refusal).unwrap_or(());
        };
        let mut largest = Vec::new();
        ports_of(&connector.glue, &mut largest);
        largest.sort_unstable();
        all.push(largest);
        all.extend(connector.clauses.iter().map(|one| one.ports.clone()));
        all.sort_by_key(|ports| (ports.len(), ports.clone()));
        all.dedup();
        connector.interactions = all;
    }

    fn interaction(&mut self, connector: &mut ConnectorDef, clause: &Clause) {
        let ClauseKind::Interaction { ports, guard, up, down } = &clause.kind else { return };
        let names: Vec<Ident> = connector.ports.iter().map(|(name, _)| *name).collect();
        let found: Vec<Option<usize>> =
            ports.iter().map(|name| self.find("port of the connector", *name, &names)).collect();
        let Some(mut which) = found.into_iter().collect::<Option<Vec<usize>>>() else { return };
        which.sort_unstable();
        which.dedup();
        let span = ports.iter().fold(ports[0].span, |span, name| span.to(name.span));
        if !connector.allows(&which) && !connector.glue.is_empty() {
            self.texts.report(BadGlue { span, what: WrongGlue::NoInteraction });
        }
        if connector.clauses.iter().any(|one| one.ports == which) {
            self.texts.report(BadGlue { span, what: WrongGlue::Twice });
        }
        let own = connector.clone();
        let types: Vec<Vec<Variable>> = own
            .ports
            .iter()
            .map(|(_, kind)| self.model.port_types[*kind].parameters.clone())
            .collect();
        let meant = |path: &PathName| meaning(&own, &types, &which, path);
        let scope = |path: &PathName| meant(path).map(|(one, kind)| (Term::Ref(one), kind));
        let writer = |is_up: bool| {
            let meant = &meant;
            move |of: &mut Self, path: &PathName| match meant(path) {
                // What goes up goes into the variables of the connector.
                Some((Ref::Port(..), _)) if is_up => {
                    let what = WrongGlue::NotAssignable(path.text());
                    of.texts.report(BadGlue { span: path.span(), what });
                    None
                }
                Some(found) => Some(found),
                None => of.unknown("variable", path.span(), &path.text(), &[]),
            }
        };
        let guard = self.condition(guard.as_ref(), &scope);
        let up = self.actions(up, &scope, &mut writer(true));
        let down = self.actions(down, &scope, &mut writer(false));
        if let Some(guard) = guard {
            connector.clauses.push(InteractionDef {
                ports: which,
                guard,
                up,
                down,
                span: clause.span,
            });
        }
    }
}

/// What a name is in a connector, where some ports take part.
fn meaning(
    connector: &ConnectorDef,
    types: &[Vec<Variable>],
    which: &[usize],
    path: &PathName,
) -> Option<(Ref, Type)> {
    if let Some(name) = path.single() {
        let at = connector.locals.iter().position(|one| one.name.name == name.name)?;
        return Some((Ref::Local(at), connector.locals[at].kind));
    }
    let (port, variable) = path.pair()?;
    let port = connector.ports.iter().position(|(name, _)| name.name == port.name)?;
    let port = which.contains(&port).then_some(port)?;
    let at = types[port].iter().position(|one| one.name.name == variable.name)?;
    Some((Ref::Port(port, at), types[port][at].kind))
}

fn ports_of(glue: &[GlueDef], ports: &mut Vec<usize>) {
    for part in glue {
        match part {
            GlueDef::Port(at, _) => ports.push(*at),
            GlueDef::Group(parts, _) => ports_of(parts, ports),
        }
    }
}

/// How many of some ports take part in glue.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Share {
    Nobody,
    /// Those are an interaction of it.
    Whole,
    Broken,
}

impl ConnectorDef {
    /// Whether just these ports, which are in order, are an interaction.
    pub(in super::super) fn allows(&self, ports: &[usize]) -> bool {
        match self.is_large {
            true => share(&self.glue, ports) == Share::Whole,
            false => self.interactions.iter().any(|one| one == ports),
        }
    }
}

fn share(glue: &[GlueDef], ports: &[usize]) -> Share {
    let (mut nobody, mut somebody, mut started, mut has_trigger) = (false, false, false, false);
    for part in glue {
        let (of_part, trigger) = match part {
            GlueDef::Port(at, trigger) if ports.binary_search(at).is_ok() => {
                (Share::Whole, *trigger)
            }
            GlueDef::Port(_, trigger) => (Share::Nobody, *trigger),
            GlueDef::Group(parts, trigger) => (share(parts, ports), *trigger),
        };
        has_trigger |= trigger;
        match of_part {
            Share::Nobody => nobody = true,
            Share::Whole => (somebody, started) = (true, started || trigger),
            Share::Broken => return Share::Broken,
        }
    }
    match (somebody, if has_trigger { started } else { !nobody }) {
        (false, _) => Share::Nobody,
        (true, true) => Share::Whole,
        (true, false) => Share::Broken,
    }
}

/// The interactions that contain no other one; nothing where there are too many.
fn smallest(glue: &[GlueDef]) -> Option<Vec<Vec<usize>>> {
    let of_part = |part: &GlueDef| match part {
        GlueDef::Port(at, _) => Some(vec![vec![*at]]),
        GlueDef::Group(parts, _) => smallest(parts),
    };
    let is_trigger =
        |part: &&GlueDef| matches!(part, GlueDef::Port(_, true) | GlueDef::Group(_, true));
    let mut all: Vec<Vec<usize>> = Vec::new();
    if glue.iter().any(|part| is_trigger(&part)) {
        for part in glue.iter().filter(is_trigger) {
            all.extend(of_part(part)?);
        }
        return (all.len() <= MOST_SMALLEST).then_some(all);
    }
    all.push(Vec::new());
    for part in glue {
        let own = of_part(part)?;
        if all.len() * own.len() > MOST_SMALLEST {
            return None;
        }
        let pairs =
            all.iter().flat_map(|one| own.iter().map(move |more| [&one[..], more].concat()));
        all = pairs.collect();
    }
    all.iter_mut().for_each(|ports| ports.sort_unstable());
    Some(all)
}

/// All interactions that glue allows, each as its ports in order; nothing where there are too many.
fn interactions(glue: &[GlueDef]) -> Option<Vec<Vec<usize>>> {
    let mut all = subsets(glue)?;
    all.sort_by_key(|ports: &Vec<usize>| (ports.len(), ports.clone()));
    all.dedup();
    Some(all)
}

fn subsets(glue: &[GlueDef]) -> Option<Vec<Vec<usize>>> {
    let has_trigger =
        glue.iter().any(|part| matches!(part, GlueDef::Port(_, true) | GlueDef::Group(_, true)));
    // What was taken so far, and whether a trigger is in it.
    let mut all: Vec<(Vec<usize>, bool)> = vec![(Vec::new(), false)];
    for part in glue {
        let (own, trigger) = match part {
            GlueDef::Port(at, trigger) => (vec![vec![*at]], *trigger),
            GlueDef::Group(parts, trigger) => (subsets(parts)?, *trigger),
        };
        let mut next = Vec::new();
        for (taken, triggered) in &all {
            if has_trigger {
                next.push((taken.clone(), *triggered));
            }
            for one in &own {
                let mut ports = taken.clone();
                ports.extend(one);
                ports.sort_unstable();
                ports.dedup();
                next.push((ports, *triggered || trigger));
            }
        }
        if next.len() > MOST_INTERACTIONS {
            return None;
        }
        all = next;
    }
    let allowed = all
        .into_iter()
        .filter(|(ports, triggered)| !ports.is_empty() && (!has_trigger || *triggered));
    Some(allowed.map(|(ports, _)| ports).collect())
}
