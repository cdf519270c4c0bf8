//! Atoms: variables, ports, places, transitions, priorities and invariants.

use super::super::super::problems::{BadGlue, Misplaced, WrongGlue};
use super::super::model::{
    AtomDef, AtomPort, AtomRule, DataDef, Face, InvariantDef, TransitionDef, Variable,
};
use super::super::term::{Ref, Term, Type};
use super::super::tree::{Clause, ClauseKind, Ident, PathName, Side, SideKind};
use super::Resolver;
use super::blocks::Block;
use crate::diagnostics::Span;

pub(super) fn empty(name: Ident) -> AtomDef {
    AtomDef {
        name,
        parameters: Vec::new(),
        data: Vec::new(),
        ports: Vec::new(),
        faces: Vec::new(),
        places: Vec::new(),
        initial: Vec::new(),
        start: Vec::new(),
        transitions: Vec::new(),
        rules: Vec::new(),
        invariants: Vec::new(),
    }
}

/// What a name is in an atom: a variable, or a parameter.
fn known(atom: &AtomDef, path: &PathName) -> Option<(Ref, Type)> {
    let name = path.single()?.name;
    let data = atom.data.iter().position(|one| one.variable.name.name == name);
    if let Some(at) = data {
        return Some((Ref::Data(at), atom.data[at].variable.kind));
    }
    let at = atom.parameters.iter().position(|one| one.name.name == name)?;
    Some((Ref::Param(at), atom.parameters[at].kind))
}

impl Resolver<'_, '_> {
    pub(super) fn atom(&mut self, which: usize, block: &Block) {
        let ClauseKind::Atom { name, parameters } = &block.head.kind else { return };
        let mut atom = empty(*name);
        atom.parameters = self.variables(parameters);
        for clause in &block.body {
            self.atom_part(&mut atom, clause);
        }
        let names = atom.parameters.iter().map(|one| one.name);
        let data = atom.data.iter().map(|one| one.variable.name);
        self.distinct(names.chain(data).collect::<Vec<_>>());
        self.distinct(atom.ports.iter().map(|one| one.name).collect::<Vec<_>>());
        self.distinct(atom.faces.iter().map(|one| one.name).collect::<Vec<_>>());
        self.distinct(atom.places.clone());
        let mut has_initial = false;
        for clause in &block.body {
            self.atom_behaviour(&mut atom, clause, &mut has_initial);
        }
        // What is missing may be what could not be read.
        let is_read = !self.texts.diagnostics.iter().any(|one| block.span.contains(one.span()));
        if atom.places.is_empty() && is_read {
            self.misplaced(name.span, Misplaced::Missing("places"));
        } else if !has_initial && is_read {
            self.misplaced(name.span, Misplaced::Missing("`initial to`"));
        }
        self.model.atoms[which] = atom;
    }

    /// What is declared.
    fn atom_part(&mut self, atom: &mut AtomDef, clause: &Clause) {
        match &clause.kind {
            ClauseKind::Data { is_exported, kind, names } => {
                let kind = self.kind(kind).unwrap_or(Type::Int);
                atom.data.extend(names.iter().map(|name| DataDef {
                    variable: Variable { name: *name, kind },
                    is_exported: *is_exported,
                }));
            }
            ClauseKind::Port { is_exported, kind, ports, merged } => {
                let Some(kind) = self.port_type(kind) else { return };
                if let Some(name) = merged {
                    atom.faces.push(Face { name: *name, kind });
                }
                for (name, variables) in ports {
                    let face = match (is_exported, merged) {
                        (false, _) => None,
                        (true, Some(_)) => Some(atom.faces.len() - 1),
                        (true, None) => {
                            atom.faces.push(Face { name: *name, kind });
                            Some(atom.faces.len() - 1)
                        }
                    };
                    let data = self.port_data(atom, *name, kind, variables);
                    atom.ports.push(AtomPort { name: *name, data, face });
                }
            }
            ClauseKind::Place(names) => atom.places.extend(names),
            _ => {}
        }
    }

    /// The variables that a port carries, which have the types of its own.
    fn port_data(
        &mut self,
        atom: &AtomDef,
        port: Ident,
        kind: usize,
        variables: &[Ident],
    ) -> Vec<usize> {
        let wanted: Vec<Type> =
            self.model.port_types[kind].parameters.iter().map(|one| one.kind).collect();
        if wanted.len() != variables.len() {
            let (has, wants) = (variables.len(), wanted.len());
            self.mistyped::<()>(
                port.span,
                format!("a port with {has} variables"),
                format!("one with {wants}"),
            );
        }
        let names: Vec<Ident> = atom.data.iter().map(|one| one.variable.name).collect();
        let mut data = Vec::new();
        for (name, wanted) in variables.iter().zip(wanted) {
            let Some(at) = self.find("variable", *name, &names) else { continue };
            let kind = atom.data[at].variable.kind;
            if kind != wanted {
                let (found, wanted) = (self.told(kind), self.told(wanted));
                self.mistyped::<()>(name.span, found, wanted);
            }
            if data.contains(&at) {
                let what = WrongGlue::PortTwice(name.text().to_owned());
                self.texts.report(BadGlue { span: name.span, what });
            }
            data.push(at);
        }
        data
    }

    fn places(&mut self, atom: &AtomDef, names: &[Ident]) -> Vec<(usize, Span)> {
        let found: Vec<_> = names
            .iter()
            .map(|name| self.find("place", *name, &atom.places).map(|at| (at, name.span)))
            .collect();
        self.distinct(names.to_vec());
        found.into_iter().flatten().collect()
    }

    /// What is done.
    fn atom_behaviour(&mut self, atom: &mut AtomDef, clause: &Clause, has_initial: &mut bool) {
        let own = atom.clone();
        let scope = |path: &PathName| known(&own, path).map(|(one, kind)| (Term::Ref(one), kind));
        let mut target = |of: &mut Self, path: &PathName| match known(&own, path) {
            Some((one @ Ref::Data(_), kind)) => Some((one, kind)),
            Some(_) => {
                let what = WrongGlue::NotAssignable(path.text());
                of.texts.report(BadGlue { span: path.span(), what });
                None
            }
            None => {
                let names: Vec<&str> =
                    own.data.iter().map(|one| one.variable.name.text()).collect();
                of.unknown("variable", path.span(), &path.text(), &names)
            }
        };
        match &clause.kind {
            ClauseKind::Data { .. } | ClauseKind::Port { .. } | ClauseKind::Place(_) => {}
            ClauseKind::Initial { to, action } => {
                if std::mem::replace(has_initial, true) {
                    self.misplaced(clause.span, Misplaced::Again);
                }
                atom.initial = self.places(&own, to).into_iter().map(|(at, _)| at).collect();
                atom.start = self.actions(action, &scope, &mut target);
            }
            ClauseKind::Transition { port, from, to, guard, action } => {
                let names: Vec<Ident> = own.ports.iter().map(|one| one.name).collect();
                let port = match port {
                    Some(name) => match self.find("port", *name, &names) {
                        Some(at) => Some(at),
                        None => return,
                    },
                    None => None,
                };
                let from = self.places(&own, from).into_iter().map(|(at, _)| at).collect();
                let to = self.places(&own, to);
                let guard = self.condition(guard.as_ref(), &scope);
                let action = self.actions(action, &scope, &mut target);
                if let Some(guard) = guard {
                    atom.transitions.push(TransitionDef {
                        port,
                        from,
                        to,
                        guard,
                        action,
                        span: clause.span,
                    });
                }
            }
            ClauseKind::Priority { low, high, guard, .. } => {
                let guard = self.condition(guard.as_ref(), &scope);
                let (low, high) = (self.atom_side(&own, low), self.atom_side(&own, high));
                let (Some(guard), Some(low), Some(high)) = (guard, low, high) else { return };
                let all = || 0..own.ports.len();
                let pick =
                    |side: Option<usize>| all().filter(move |at| side.is_none_or(|one| one == *at));
                // Any other port does not mean the port itself.
                let is_named = low.is_some() && high.is_some();
                for low in pick(low) {
                    for high in pick(high).filter(|high| *high != low || is_named) {
                        let (guard, span) = (guard.clone(), clause.span);
                        atom.rules.push(AtomRule { low, high, guard, span });
                    }
                }
            }
            ClauseKind::Invariant { name, at, guard } => {
                let at = self.places(&own, at).into_iter().map(|(at, _)| at).collect();
                if let Some(guard) = self.condition(Some(guard), &scope) {
                    atom.invariants.push(InvariantDef { name: *name, at, guard });
                }
            }
            _ => self.misplaced(clause.span, Misplaced::Clause),
        }
    }

    /// A port, or any.
    fn atom_side(&mut self, atom: &AtomDef, side: &Side) -> Option<Option<usize>> {
        let names: Vec<Ident> = atom.ports.iter().map(|one| one.name).collect();
        match &side.kind {
            SideKind::Any => Some(None),
            SideKind::Port(name) => self.find("port", *name, &names).map(Some),
            _ => {
                self.misplaced(side.span, Misplaced::Clause);
                None
            }
        }
    }
}
