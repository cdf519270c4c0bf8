//! Interactions of a compound as connectors and vectors.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::super::super::name::{Names, quoted};
use super::super::super::write::Page;
use super::super::term::{Ref, Term, Type};
use super::Writer;
use super::compound::{NetPage, OwnNames, net_ref};
use super::glue::{Glue, Interaction, Writes};
use super::order::Rival;
use super::plan::{Arg, Shown, above};

/// How a value that a port of a component gets is written: component, port, variable and value.
type Transfer<'t, W> =
    &'t mut dyn FnMut(&mut W, &mut Variables, (usize, usize, usize), &Term) -> String;

/// The variables of a vector.
#[derive(Default)]
pub(super) struct Variables {
    names: Names,
    given: FxHashMap<(Ref, bool), String>,
}

impl Variables {
    /// The variable of a reference; with `is_new`, of what it gets.
    fn name(&mut self, one: Ref, is_new: bool, wanted: impl FnOnce() -> String) -> String {
        let names = &mut self.names;
        let name = self.given.entry((one, is_new)).or_insert_with(|| names.fresh(&wanted()));
        quoted(name)
    }
}

impl Writer<'_> {
    pub fn vector_variables(&self, net: &NetPage<'_>) -> Variables {
        let mut variables = Variables { names: net.names.clone(), given: FxHashMap::default() };
        self.actions.values().for_each(|name| variables.names.take(name));
        variables
    }

    /// What a reference is called in a vector.
    pub fn variable(
        &self,
        net: &NetPage<'_>,
        variables: &mut Variables,
        one: Ref,
        is_new: bool,
    ) -> String {
        let wanted = || match one {
            Ref::Out(component, face, at) => {
                let kind = net.compound.components[component].kind;
                let port = &self.model.port_types[self.model.faces(kind)[face].kind];
                let name = format!("{}_{}", net.subs[component], port.parameters[at].name.text());
                if is_new { format!("new_{name}") } else { name }
            }
            _ => "from_above".to_owned(),
        };
        variables.name(one, is_new, wanted)
    }

    /// The members of an interaction: which values are used is known from the terms that are shown later.
    fn members(
        &mut self,
        net: &NetPage<'_>,
        variables: &mut Variables,
        interaction: &Interaction,
        writes: &Writes,
        used: &BTreeSet<Ref>,
        transfer: Transfer<'_, Self>,
    ) -> Vec<(String, String)> {
        let mut members = Vec::new();
        for (component, face) in &interaction.leaves {
            let kind = net.compound.components[*component].kind;
            let mut shown = Vec::new();
            for (arg, _) in self.plan.arguments(self.model, kind, *face) {
                shown.push(match arg {
                    Arg::Out(at) => {
                        let one = Ref::Out(*component, *face, at);
                        match used.contains(&one) {
                            true => self.variable(net, variables, one, false),
                            false => "_".to_owned(),
                        }
                    }
                    Arg::In(at) => {
                        let place = (*component, *face, at);
                        let found = writes.iter().find(|(one, _)| *one == place);
                        let kept = Term::Ref(Ref::Out(*component, *face, at));
                        let term = found.map_or(&kept, |(_, term)| term);
                        match term {
                            Term::Ref(one @ Ref::In(_)) => {
                                self.variable(net, variables, *one, true)
                            }
                            term if *term == kept => self.variable(
                                net,
                                variables,
                                Ref::Out(*component, *face, at),
                                false,
                            ),
                            term => transfer(self, variables, place, term),
                        }
                    }
                });
            }
            let action = quoted(&self.face_action(kind, *face));
            let action = match shown.is_empty() {
                true => action,
                false => format!("{action}({})", shown.join(", ")),
            };
            members.push((quoted(&net.subs[*component]), action));
        }
        members
    }

    /// The references that a vector needs names for.
    fn used(&self, net: &NetPage<'_>, writes: &Writes, terms: &[&Term]) -> BTreeSet<Ref> {
        let mut used = BTreeSet::new();
        terms.iter().for_each(|term| term.refs(&mut |one| _ = used.insert(one)));
        for ((component, face, at), term) in writes {
            let kind = net.compound.components[*component].kind;
            let arguments = self.plan.arguments(self.model, kind, *face);
            if arguments.iter().any(|(arg, _)| *arg == Arg::In(*at)) {
                term.refs(&mut |one| _ = used.insert(one));
            }
        }
        used
    }

    /// One interaction as a connector of its own.
    pub fn connect(
        &mut self,
        net: &NetPage<'_>,
        name: &str,
        interaction: &Interaction,
        page: &mut Page,
    ) {
        let glue = Glue { model: self.model, compound: net.compound };
        // What is wrong with it was told when it was planned.
        let Ok(writes) = glue.writes(interaction, None) else { return };
        let mut variables = self.vector_variables(net);
        let used = self.used(net, &writes, &[&interaction.guard]);
        let mut moved: Vec<(String, Term)> = Vec::new();
        let mut transfer = |of: &mut Self,
                            variables: &mut Variables,
                            place: (usize, usize, usize),
                            term: &Term| {
            let name = of.variable(net, variables, Ref::Out(place.0, place.1, place.2), true);
            moved.push((name.clone(), term.clone()));
            name
        };
        let members = self.members(net, &mut variables, interaction, &writes, &used, &mut transfer);
        let ports: Vec<String> =
            members.iter().map(|(sub, action)| format!("{sub}.{action}")).collect();
        let mut line = format!("connect {} : {}", quoted(name), ports.join(" "));
        if interaction.guard != Term::Bool(true) {
            let guard = self.vector_term(net, &mut variables, &interaction.guard);
            line.push_str(&format!(" when {guard}"));
        }
        if !moved.is_empty() {
            let moved: Vec<String> = moved
                .iter()
                .map(|(name, term)| {
                    format!("{name} := {}", self.vector_term(net, &mut variables, term))
                })
                .collect();
            line.push_str(&format!(" do {}", moved.join(", ")));
        }
        page.line(&format!("{line};"));
    }

    fn vector_term(&mut self, net: &NetPage<'_>, variables: &mut Variables, term: &Term) -> String {
        let mut given: FxHashMap<Ref, String> = FxHashMap::default();
        let mut refs = Vec::new();
        term.refs(&mut |one| refs.push(one));
        for one in refs {
            let name = match one {
                Ref::Param(_) => net_ref(one, net),
                Ref::In(_) => self.variable(net, variables, one, true),
                Ref::Exported(..) => self.guard(net, &Term::Ref(one)),
                _ => self.variable(net, variables, one, false),
            };
            given.insert(one, name);
        }
        self.shown(term, &|one| given.get(&one).cloned().unwrap_or_default())
    }

    /// One interaction as a vector for each way in which it is seen.
    pub fn vectors(
        &mut self,
        net: &mut NetPage<'_>,
        (own, at): (&OwnNames, usize),
        interaction: &Interaction,
        rivals: &[Rival],
        page: &mut Page,
    ) {
        match &net.plan.tops[at].shown {
            Shown::Own => {
                let name = own.tops.get(at).cloned().flatten().unwrap_or_default();
                self.vector(net, (None, &name), interaction, rivals, page);
            }
            Shown::Faces(faces) => {
                for face in faces.clone() {
                    let name = self.face_action(net.key.0, face);
                    self.vector(net, (Some(face), &name), interaction, rivals, page);
                }
            }
        }
    }

    fn vector(
        &mut self,
        net: &mut NetPage<'_>,
        (face, name): (Option<usize>, &str),
        interaction: &Interaction,
        rivals: &[Rival],
        page: &mut Page,
    ) -> Option<()> {
        let (model, plan) = (self.model, self.plan);
        let glue = Glue { model, compound: net.compound };
        let above = match face {
            Some(face) => {
                let arguments = plan.arguments(model, net.key.0, face);
                let is_in = |at: usize| arguments.iter().any(|(arg, _)| *arg == Arg::In(at));
                Some(above(&glue, interaction, &is_in).ok()?)
            }
            None => None,
        };
        let writes = glue.writes(interaction, above.as_deref()).ok()?;
        let exported = glue.exported(interaction).unwrap_or_default();
        let arguments = face.map_or(Vec::new(), |face| plan.arguments(model, net.key.0, face));
        let mut read: Vec<&Term> = vec![&interaction.guard];
        read.extend(arguments.iter().filter_map(|(arg, _)| match arg {
            Arg::Out(at) => exported.get(*at),
            _ => None,
        }));
        let mut variables = self.vector_variables(net);
        let used = self.used(net, &writes, &read);
        let mut transfer =
            |of: &mut Self, variables: &mut Variables, _: (usize, usize, usize), term: &Term| {
                of.vector_term(net, variables, term)
            };
        let mut members =
            self.members(net, &mut variables, interaction, &writes, &used, &mut transfer);
        // Values from above that no component takes as they are.
        let mut helped: FxHashMap<Type, usize> = FxHashMap::default();
        for (arg, kind) in &arguments {
            let Arg::In(at) = arg else { continue };
            if writes.iter().any(|(_, term)| *term == Term::Ref(Ref::In(*at))) {
                continue;
            }
            let count = helped.entry(*kind).or_insert(0);
            *count += 1;
            let sub = net.helper(*kind, *count);
            let value = self.variable(net, &mut variables, Ref::In(*at), true);
            let action = self.helper_action(*kind);
            members.push((quoted(&sub), format!("{}({value})", quoted(&action))));
        }
        let members: Vec<String> =
            members.iter().map(|(sub, action)| format!("{sub}: {action}")).collect();
        let shown: Vec<String> = arguments
            .iter()
            .map(|(arg, _)| match arg {
                Arg::Out(at) => {
                    let term = exported.get(*at).cloned().unwrap_or(Term::Bool(false));
                    self.vector_term(net, &mut variables, &term)
                }
                Arg::In(at) => self.variable(net, &mut variables, Ref::In(*at), true),
            })
            .collect();
        let result = match shown.is_empty() {
            true => quoted(name),
            false => format!("{}({})", quoted(name), shown.join(", ")),
        };
        let mut line = format!("<{}> -> {result}", members.join(", "));
        if interaction.guard != Term::Bool(true) {
            let guard = self.vector_term(net, &mut variables, &interaction.guard);
            line.push_str(&format!(" when {guard}"));
        }
        let mut others = Vec::new();
        for rival in rivals {
            if let Some(text) = self.rival(net, &mut variables, rival)
                && !others.contains(&text)
            {
                others.push(text);
            }
        }
        if !others.is_empty() {
            line.push_str(&format!(" unless {}", others.join(", ")));
        }
        page.line(&format!("{line};"));
        Some(())
    }

    /// What a vector gives way to.
    fn rival(
        &mut self,
        net: &NetPage<'_>,
        variables: &mut Variables,
        rival: &Rival,
    ) -> Option<String> {
        let (top, at) = rival.high;
        let interaction = &net.plan.tops[top].interactions[at];
        let is_offered = self.is_offered(net.compound, net.plan, interaction);
        let guard = interaction.guard.clone().and(rival.guard.clone());
        if !is_offered || guard == Term::Bool(false) {
            return None;
        }
        // Its variables are its own.
        let mut own = Variables { names: variables.names.clone(), given: FxHashMap::default() };
        let mut used = BTreeSet::new();
        guard.refs(&mut |one| _ = used.insert(one));
        let mut members = Vec::new();
        for (component, face) in &interaction.leaves {
            let kind = net.compound.components[*component].kind;
            let mut shown = Vec::new();
            for (arg, _) in self.plan.arguments(self.model, kind, *face) {
                let one = match arg {
                    Arg::Out(at) => Some(Ref::Out(*component, *face, at)),
                    Arg::In(_) => None,
                };
                shown.push(match one.filter(|one| used.contains(one)) {
                    Some(one) => self.variable(net, &mut own, one, false),
                    None => "_".to_owned(),
                });
            }
            let action = quoted(&self.face_action(kind, *face));
            let sub = quoted(&net.subs[*component]);
            members.push(match shown.is_empty() {
                true => format!("{sub}: {action}"),
                false => format!("{sub}: {action}({})", shown.join(", ")),
            });
        }
        let mut text = format!("<{}>", members.join(", "));
        if guard != Term::Bool(true) {
            text.push_str(&format!(" when {}", self.vector_term(net, &mut own, &guard)));
        }
        variables.names = own.names;
        Some(text)
    }
}
