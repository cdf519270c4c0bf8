//! Connectors of a compound as uses of definitions.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::super::name::{Names, quoted};
use super::super::super::problems::{Refusal, RefusedBip};
use super::super::super::text::Texts;
use super::super::super::write::Page;
use super::super::model::End;
use super::Writer;
use super::compound::{NetPage, OwnNames};
use super::glue::{Glue, Interaction};
use super::order::Rivals;
use super::plan::{Arg, Shown, Top};

/// How the interactions of a connector are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// It can never happen, or nobody sees it.
    Not,
    /// As a use of its definition.
    Use,
    /// Each as a connector of its own.
    Apart,
    /// Each as a vector: it takes values from outside.
    Vectors,
}

impl Writer<'_> {
    /// All connectors of a compound, and their order.
    pub fn connectors(
        &mut self,
        net: &mut NetPage<'_>,
        own: &OwnNames,
        page: &mut Page,
        texts: &mut Texts<'_>,
    ) -> Option<()> {
        let forms: Vec<Form> = net.plan.tops.iter().map(|top| self.form(net, top)).collect();
        let glue = Glue { model: self.model, compound: net.compound };
        let orders = match net.plan.order.planned() {
            Some(_) => None,
            None => self.orders(net, own, &forms),
        };
        let rivals = match (&orders, net.plan.order.planned()) {
            (Some(_), _) => Rivals::default(),
            (None, Some(planned)) => planned.clone(),
            (None, None) => net.plan.order.unless(&glue, &net.plan.tops, texts)?,
        };
        self.are_small(net, &forms, &rivals, texts)?;
        self.inner_connectors(net, own, (&forms, &rivals), page);
        let mut is_told = false;
        for (at, form) in forms.iter().enumerate() {
            let top = &net.plan.tops[at];
            self.tell_missing(net, top, *form, page);
            match rivals.get(&at) {
                Some(rivals) => {
                    let has_rivals = rivals.iter().any(|one| !one.is_empty());
                    if *form != Form::Not && has_rivals && !std::mem::replace(&mut is_told, true) {
                        page.comments(["Written out as vectors: `unless` has the order of BIP between single interactions."]);
                    }
                    for (interaction, rivals) in top.interactions.iter().zip(rivals) {
                        if self.happens(net.compound, net.plan, interaction) {
                            self.vectors(net, (own, at), interaction, rivals, page);
                        }
                    }
                }
                None => self.top(net, own, at, *form, page),
            }
        }
        match orders {
            Some(lines) => lines.iter().for_each(|line| page.line(line)),
            None => {
                let apart = forms.iter().enumerate().filter(|(at, _)| !rivals.contains_key(at));
                let many = |at: usize| self.is_many(net, &net.plan.tops[at]);
                if apart.into_iter().any(|(at, form)| *form != Form::Not && many(at)) {
                    page.line("priority maximal;");
                }
            }
        }
        Some(())
    }

    /// Refuses connectors with very many interactions where each is needed by itself.
    fn are_small(
        &self,
        net: &NetPage<'_>,
        forms: &[Form],
        rivals: &Rivals,
        texts: &mut Texts<'_>,
    ) -> Option<()> {
        let given: FxHashSet<usize> =
            rivals.values().flatten().flatten().map(|one| one.high.0).collect();
        for (at, top) in net.plan.tops.iter().enumerate().filter(|(_, top)| top.is_large) {
            let is_apart = matches!(forms[at], Form::Apart | Form::Vectors);
            if is_apart || given.contains(&at) || rivals.contains_key(&at) && forms[at] != Form::Not
            {
                let span = net.compound.connectors[top.connector].name.span;
                let why =
                    "this connector has more than 4096 interactions, and each is needed by itself";
                texts.report(RefusedBip { span, refusal: Refusal::TooLarge(why) });
                return None;
            }
        }
        Some(())
    }

    /// Whether several interactions of a connector can happen, as far as that is known.
    pub fn is_many(&self, net: &NetPage<'_>, top: &Top) -> bool {
        top.is_large || self.count(net, top) > 1
    }

    /// How many interactions of a connector can happen.
    fn count(&self, net: &NetPage<'_>, top: &Top) -> usize {
        let happens = |one: &&Interaction| self.happens(net.compound, net.plan, one);
        top.interactions.iter().filter(happens).count()
    }

    fn tell_missing(&self, net: &NetPage<'_>, top: &Top, form: Form, page: &mut Page) {
        let left = top.interactions.len() - self.count(net, top);
        // A definition says by itself what it leaves out.
        let is_some = top.is_large && form != Form::Not;
        if left > 0 && !is_some && form != Form::Use && top.shown != Shown::Faces(Vec::new()) {
            let name = net.compound.connectors[top.connector].name.text();
            let what = match form {
                Form::Not => format!("{name} can never happen."),
                _ => format!("{left} of the interactions of {name} can never happen."),
            };
            page.comments([what]);
        }
    }

    fn form(&self, net: &NetPage<'_>, top: &Top) -> Form {
        let never = match top.is_large {
            true => !self.end_offers(net.compound, net.plan, End::Connector(top.connector)),
            false => self.count(net, top) == 0,
        };
        if never || top.shown == Shown::Faces(Vec::new()) {
            return Form::Not;
        }
        let is_said = |one: &Interaction| {
            self.happens(net.compound, net.plan, one) || self.is_left_out(net, one)
        };
        let is_use = self.is_all_defined(net, top.connector)
            && (top.is_large || top.interactions.iter().all(is_said));
        match &top.shown {
            Shown::Own if is_use => Form::Use,
            Shown::Own => Form::Apart,
            Shown::Faces(faces) => {
                let gets = |face: &usize| {
                    let arguments = self.plan.arguments(self.model, net.key.0, *face);
                    arguments.iter().any(|(arg, _)| matches!(arg, Arg::In(_)))
                };
                match is_use && !faces.iter().any(gets) {
                    true => Form::Use,
                    false => Form::Vectors,
                }
            }
        }
    }

    /// Whether the definition of a connector, or of one below it, leaves an interaction out.
    fn is_left_out(&self, net: &NetPage<'_>, interaction: &Interaction) -> bool {
        interaction.any(&|one| {
            let kind = net.compound.connectors[one.connector].kind;
            let all = self.model.connectors[kind].interactions.iter();
            let moves = self.plan.carried.moves(kind).unwrap_or_default();
            let mut own = all.zip(moves).filter(|(ports, _)| **ports == one.ports);
            own.any(|(_, moves)| moves.is_never())
        })
    }

    /// Whether a connector and those below it have definitions.
    fn is_all_defined(&self, net: &NetPage<'_>, connector: usize) -> bool {
        let used = &net.compound.connectors[connector];
        self.is_defined(used.kind)
            && used.ends.iter().all(|end| match end {
                End::Component(..) => true,
                End::Connector(inner) => self.is_all_defined(net, *inner),
            })
    }

    // ---- uses ----

    /// Connectors that others use.
    fn inner_connectors(
        &mut self,
        net: &mut NetPage<'_>,
        own: &OwnNames,
        (forms, rivals): (&[Form], &Rivals),
        page: &mut Page,
    ) {
        let mut needed: BTreeSet<usize> = BTreeSet::new();
        let tops = net.plan.tops.iter().enumerate();
        let tops = tops.filter(|(at, _)| forms[*at] == Form::Use && !rivals.contains_key(at));
        let mut work: Vec<usize> = tops.map(|(_, top)| top.connector).collect();
        while let Some(at) = work.pop() {
            for end in &net.compound.connectors[at].ends {
                if let End::Connector(inner) = end
                    && needed.insert(*inner)
                {
                    work.push(*inner);
                }
            }
        }
        let mut names = Names::default();
        net.subs.iter().for_each(|name| names.take(name));
        own.all().iter().for_each(|name| names.take(name));
        for face in &net.key.1 {
            names.take(&self.face_action(net.key.0, *face));
        }
        for at in &needed {
            let name = names.fresh(net.compound.connectors[*at].name.text());
            net.inner.insert(*at, name);
        }
        for at in needed {
            let name = quoted(&net.inner[&at]);
            let line = self.use_of(net, at);
            page.line(&format!("connect {name} : {line};"));
        }
    }

    fn top(
        &mut self,
        net: &mut NetPage<'_>,
        own: &OwnNames,
        at: usize,
        form: Form,
        page: &mut Page,
    ) {
        let top = &net.plan.tops[at];
        if form == Form::Use {
            let text = self.use_of(net, top.connector);
            for shows in self.shows(net, own, at) {
                page.line(&format!("connect {shows} : {text};"));
            }
            return;
        }
        for interaction in &top.interactions {
            if form == Form::Not || !self.happens(net.compound, net.plan, interaction) {
                continue;
            }
            match own.tops.get(at).cloned().flatten().filter(|_| form == Form::Apart) {
                Some(name) => self.connect(net, &name, interaction, page),
                None => self.vectors(net, (own, at), interaction, &[], page),
            }
        }
    }

    /// What a connector shows, with its values, for each way in which it is seen.
    fn shows(&mut self, net: &NetPage<'_>, own: &OwnNames, at: usize) -> Vec<String> {
        let top = &net.plan.tops[at];
        let names = self.names_of(net, own, at);
        let Shown::Faces(faces) = &top.shown else {
            return names.iter().map(|name| quoted(name)).collect();
        };
        let data = self.shown_values(net.compound.connectors[top.connector].kind);
        let each = faces.iter().zip(names).map(|(face, name)| {
            let arguments = self.plan.arguments(self.model, net.key.0, *face);
            let values = arguments.iter().filter_map(|(arg, _)| match arg {
                Arg::Out(at) => data.get(*at).cloned(),
                Arg::In(_) => None,
            });
            let values: Vec<String> = values.collect();
            match values.is_empty() {
                true => quoted(&name),
                false => format!("{}({})", quoted(&name), values.join(", ")),
            }
        });
        each.collect()
    }

    /// What a connector is seen as.
    pub fn names_of(&mut self, net: &NetPage<'_>, own: &OwnNames, at: usize) -> Vec<String> {
        match &net.plan.tops[at].shown {
            Shown::Own => own.tops.get(at).cloned().flatten().into_iter().collect(),
            Shown::Faces(faces) => {
                faces.iter().map(|face| self.face_action(net.key.0, *face)).collect()
            }
        }
    }

    /// A definition with what stands at its ports.
    fn use_of(&mut self, net: &NetPage<'_>, connector: usize) -> String {
        let used = &net.compound.connectors[connector];
        let mut ends = Vec::new();
        for end in &used.ends {
            ends.push(match end {
                End::Component(component, face) => self.port_of(net, (*component, *face)),
                End::Connector(inner) => {
                    let name = net.inner.get(inner).map_or(String::new(), |name| quoted(name));
                    let port = self.shown_port(net.compound.connectors[*inner].kind);
                    format!("{name}.{port}")
                }
            });
        }
        format!("{}({})", quoted(&self.plan.definitions[used.kind]), ends.join(", "))
    }

    /// A port of a part.
    pub fn port_of(&mut self, net: &NetPage<'_>, (component, face): (usize, usize)) -> String {
        let kind = net.compound.components[component].kind;
        let action = quoted(&self.face_action(kind, face));
        format!("{}.{action}", quoted(&net.subs[component]))
    }
}

/// Names of connectors that others use.
pub(super) type InnerNames = FxHashMap<usize, String>;
