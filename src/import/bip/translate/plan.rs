//! What has to be written: which variants of components there are, and what their ports carry.
//!
//! A component whose ports are not all connected is a variant of its own without those, since they can never happen: the
//! language would warn of them. A port has an argument for each variable that is read, and one for each that is written.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::super::name::Names;
use super::super::super::problems::{NeverConnected, Refusal, RefusedBip};
use super::super::super::text::Texts;
use super::super::model::{BipModel, CompoundDef, End, Kind, SideDef};
use super::super::term::{Ref, Term, Type};
use super::carried::{Carried, Carrier};
use super::glue::{Glue, Interaction, NoGlue};
use super::order::Order;
use crate::base::budget::is_spent;

/// Compounds with more components inside are not translated.
const MOST_COMPONENTS: usize = 100_000;

/// Compounds that do more by themselves are not translated.
const MOST_OWN: usize = 20_000;

/// An argument of a port.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arg {
    /// What a variable has.
    Out(usize),
    /// What it gets.
    In(usize),
}

/// What is done with the variables of a port, by all connectors.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct FaceUse {
    pub read: BTreeSet<usize>,
    written: BTreeSet<usize>,
    /// Those that some interaction leaves as they are.
    kept: BTreeSet<usize>,
}

impl FaceUse {
    pub fn is_out(&self, variable: usize) -> bool {
        let is_kept = self.written.contains(&variable) && self.kept.contains(&variable);
        self.read.contains(&variable) || is_kept
    }

    pub fn is_in(&self, variable: usize) -> bool {
        self.written.contains(&variable)
    }

    /// Notes that an interaction writes a variable, or leaves it as it is.
    pub fn left(&mut self, variable: usize, is_written: bool) {
        match is_written {
            true => self.written.insert(variable),
            false => self.kept.insert(variable),
        };
    }

    /// Notes that some interaction leaves all of so many variables as they are.
    pub fn keep(&mut self, many: usize) {
        self.kept.extend(0..many);
    }

    /// Notes everything that another one says.
    pub fn add(&mut self, other: &FaceUse) {
        self.read.extend(&other.read);
        self.written.extend(&other.written);
        self.kept.extend(&other.kept);
    }
}

/// What an interaction of a compound is seen as.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Shown {
    /// It happens by itself.
    Own,
    /// It happens as a part of what is connected to these ports.
    Faces(Vec<usize>),
}

/// A connector that is connected to no other one inside its compound.
#[derive(Debug)]
pub(super) struct Top {
    pub connector: usize,
    pub shown: Shown,
    pub interactions: Vec<Interaction>,
    /// Whether these are only some of many.
    pub is_large: bool,
}

/// A compound whose exported ports are connected as its variant says.
#[derive(Debug)]
pub(super) struct CompoundPlan {
    pub tops: Vec<Top>,
    pub order: Order,
    /// The ports of each component that are connected.
    pub live: Vec<Vec<usize>>,
}

impl CompoundPlan {
    /// The variant of a component.
    pub fn key(&self, compound: &CompoundDef, component: usize) -> VariantKey {
        (compound.components[component].kind, self.live[component].clone())
    }
}

/// A type of components, and which of its ports are connected.
pub(super) type VariantKey = (Kind, Vec<usize>);

#[derive(Debug, Default)]
pub(super) struct Plan {
    /// What each variant is called.
    pub variants: IndexMap<VariantKey, String>,
    /// What is done with the ports of components, one by one.
    uses: FxHashMap<(Kind, usize), FaceUse>,
    /// What ports carry, where all that stand at one port of a connector type carry the same.
    pub carried: Carried,
    /// What the definition of each connector type is called.
    pub definitions: Vec<String>,
    pub compounds: FxHashMap<VariantKey, CompoundPlan>,
    /// Compounds that are in no other one.
    pub roots: Vec<usize>,
}

impl Plan {
    pub fn new(model: &BipModel, texts: &mut Texts<'_>) -> Option<Plan> {
        let mut planning = Planning { model, texts, plan: Plan::default() };
        planning.is_small_enough()?;
        planning.variants()?;
        planning.uses()?;
        planning.plan.carried = Carried::new(model, &planning.plan.uses);
        planning.names();
        Some(planning.plan)
    }

    pub fn name(&self, kind: Kind, live: &[usize]) -> String {
        self.variants.get(&(kind, live.to_vec())).cloned().unwrap_or_default()
    }

    /// A name that no component has.
    pub fn helper_name(&self, wanted: &str) -> String {
        let mut names = Names::default();
        self.variants.values().chain(&self.definitions).for_each(|name| names.take(name));
        names.fresh(wanted)
    }

    /// What is done with the variables of a port of a component itself.
    pub fn face_use(&self, kind: Kind, face: usize) -> FaceUse {
        self.uses.get(&(kind, face)).cloned().unwrap_or_default()
    }

    /// The arguments of a port, each with its type.
    pub fn arguments(&self, model: &BipModel, kind: Kind, face: usize) -> Vec<(Arg, Type)> {
        let Some(used) = self.carried.used(Carrier::Face(kind, face)) else { return Vec::new() };
        let port = &model.port_types[model.faces(kind)[face].kind];
        let mut arguments = Vec::new();
        for (at, variable) in port.parameters.iter().enumerate() {
            if used.is_out(at) {
                arguments.push((Arg::Out(at), variable.kind));
            }
            if used.is_in(at) {
                arguments.push((Arg::In(at), variable.kind));
            }
        }
        arguments
    }
}

struct Planning<'p, 'f> {
    model: &'p BipModel,
    texts: &'p mut Texts<'f>,
    plan: Plan,
}

impl Planning<'_, '_> {
    fn refuse<T>(&mut self, span: crate::diagnostics::Span, refusal: Refusal) -> Option<T> {
        self.texts.report(RefusedBip { span, refusal });
        None
    }

    fn no_glue<T>(&mut self, compound: &CompoundDef, why: NoGlue) -> Option<T> {
        match why {
            NoGlue::TooMany(span) => self
                .refuse(span, Refusal::TooLarge("this connector has more than 4096 interactions")),
            NoGlue::TooLarge(span) => {
                self.refuse(span, Refusal::TooLarge("what these statements compute"))
            }
            NoGlue::Unset(span, at) => {
                let connectors =
                    compound.connectors.iter().map(|one| &self.model.connectors[one.kind]);
                let mut of = connectors.filter(|one| {
                    one.clauses.iter().any(|clause| clause.span == span) || one.locals.len() > at
                });
                let name = of.next().and_then(|one| one.locals.get(at));
                let name = name.map_or(String::new(), |one| one.name.text().to_owned());
                self.refuse(span, Refusal::Unset(name))
            }
        }
    }

    // ---- variants ----

    /// Refuses compounds with more components inside than anybody could look at.
    fn is_small_enough(&mut self) -> Option<()> {
        // How many components, and how many interactions by themselves, there are in a compound at most.
        let mut sizes: FxHashMap<usize, (usize, usize)> = FxHashMap::default();
        let mut work: Vec<usize> = (0..self.model.compounds.len()).collect();
        while let Some(at) = work.pop() {
            let compound = &self.model.compounds[at];
            let (mut missing, mut components, mut own) =
                (Vec::new(), 1_usize, compound.connectors.len());
            for component in &compound.components {
                let inner = match component.kind {
                    Kind::Atom(atom) => {
                        let ports = self.model.atoms[atom].ports.iter();
                        Some((1, ports.filter(|port| port.face.is_none()).count()))
                    }
                    Kind::Compound(inner) => {
                        let known = sizes.get(&inner).copied();
                        if known.is_none() {
                            missing.push(inner);
                        }
                        known
                    }
                };
                let (more, passed) = inner.unwrap_or((0, 0));
                (components, own) = (components.saturating_add(more), own.saturating_add(passed));
            }
            if !missing.is_empty() {
                work.push(at);
                work.extend(missing);
                continue;
            }
            if components > MOST_COMPONENTS || own > MOST_OWN {
                return self.refuse(
                    compound.name.span,
                    Refusal::TooLarge("what is inside of this compound"),
                );
            }
            sizes.insert(at, (components, own));
        }
        Some(())
    }

    fn variants(&mut self) -> Option<()> {
        let inner: FxHashSet<Kind> = self
            .model
            .compounds
            .iter()
            .flat_map(|one| &one.components)
            .map(|one| one.kind)
            .collect();
        let all = 0..self.model.compounds.len();
        self.plan.roots = all.filter(|at| !inner.contains(&Kind::Compound(*at))).collect();
        let mut work: Vec<VariantKey> =
            self.plan.roots.iter().rev().map(|at| (Kind::Compound(*at), Vec::new())).collect();
        // Atoms that nobody uses are written as they are.
        for (at, atom) in self.model.atoms.iter().enumerate() {
            if !inner.contains(&Kind::Atom(at)) {
                work.insert(0, (Kind::Atom(at), (0..atom.faces.len()).collect()));
            }
        }
        let mut is_well = true;
        while let Some(key) = work.pop() {
            if is_spent() {
                return None;
            }
            if self.plan.variants.contains_key(&key) {
                continue;
            }
            self.plan.variants.insert(key.clone(), String::new());
            if let (Kind::Compound(at), live) = &key {
                let Some(plan) = self.compound(*at, live) else {
                    is_well = false;
                    continue;
                };
                let components = self.model.compounds[*at].components.iter();
                let inner = components.zip(&plan.live).map(|(one, live)| (one.kind, live.clone()));
                work.extend(inner.rev());
                self.plan.compounds.insert(key, plan);
            }
        }
        is_well.then_some(())
    }

    fn compound(&mut self, which: usize, live: &[usize]) -> Option<CompoundPlan> {
        let compound = &self.model.compounds[which];
        let glue = Glue { model: self.model, compound };
        let mut tops = Vec::new();
        let mut is_well = true;
        for (at, connector) in compound.connectors.iter().enumerate() {
            let is_exported = glue.type_of(at).export.is_some();
            let is_inner =
                compound.connectors.iter().any(|one| one.ends.contains(&End::Connector(at)));
            let faces = compound.exports.iter().enumerate();
            let faces: Vec<usize> = faces
                .filter(|(_, ends)| ends.contains(&End::Connector(at)))
                .map(|(face, _)| face)
                .collect();
            let shown = match (is_exported, faces.is_empty()) {
                (false, _) => Shown::Own,
                (true, false) => {
                    Shown::Faces(faces.into_iter().filter(|face| live.contains(face)).collect())
                }
                (true, true) if is_inner => continue,
                (true, true) => {
                    let (span, name) = (connector.name.span, connector.name.text().to_owned());
                    self.texts.report(NeverConnected { span, name });
                    continue;
                }
            };
            match glue.interactions(at) {
                Ok(interactions) => {
                    let is_large = glue.is_large(at);
                    tops.push(Top { connector: at, shown, interactions, is_large });
                }
                Err(why) => {
                    is_well = false;
                    self.no_glue::<()>(compound, why);
                }
            }
        }
        self.orders_are_small(compound, &tops)?;
        let order = Order::new(&glue, &tops, self.texts)?;
        let live = live_ports(compound, &tops, &order, live);
        is_well.then_some(CompoundPlan { tops, order, live })
    }

    /// Refuses an order between single interactions of a connector with very many.
    fn orders_are_small(&mut self, compound: &CompoundDef, tops: &[Top]) -> Option<()> {
        let large = |side: &SideDef| match side {
            SideDef::Interaction(at, _) => {
                tops.iter().any(|top| top.connector == *at && top.is_large)
            }
            SideDef::All | SideDef::Connector(_) => false,
        };
        let refused = compound.rules.iter().find(|rule| large(&rule.low) || large(&rule.high));
        let Some(rule) = refused else { return Some(()) };
        let why = "single interactions of a connector that has more than 4096";
        self.refuse(rule.span, Refusal::TooLarge(why))
    }

    // ---- what ports carry ----

    fn uses(&mut self) -> Option<()> {
        loop {
            let before = self.plan.uses.clone();
            let keys: Vec<VariantKey> = self.plan.variants.keys().cloned().collect();
            for key in keys {
                if let Some(plan) = self.plan.compounds.remove(&key) {
                    let done = self.uses_of(&key, &plan);
                    self.plan.compounds.insert(key, plan);
                    done?;
                }
            }
            if before == self.plan.uses {
                return Some(());
            }
            if is_spent() {
                return None;
            }
        }
    }

    fn uses_of(&mut self, key: &VariantKey, plan: &CompoundPlan) -> Option<()> {
        let (Kind::Compound(which), live) = key else { return Some(()) };
        let compound = &self.model.compounds[*which];
        let glue = Glue { model: self.model, compound };
        for top in &plan.tops {
            for interaction in &top.interactions {
                let done = match &top.shown {
                    Shown::Own => self.moved(&glue, interaction, None),
                    Shown::Faces(faces) => faces
                        .iter()
                        .try_for_each(|face| self.moved(&glue, interaction, Some((key.0, *face)))),
                };
                if let Err(why) = done {
                    return self.no_glue(compound, why);
                }
            }
        }
        // Of many interactions, some leave data as it is.
        for top in plan.tops.iter().filter(|top| top.is_large) {
            for (component, inner) in top.interactions.iter().flat_map(|one| &one.leaves) {
                let kind = compound.components[*component].kind;
                let port = self.model.faces(kind)[*inner].kind;
                let many = self.model.port_types[port].parameters.len();
                self.plan.uses.entry((kind, *inner)).or_default().keep(many);
            }
        }
        for face in live {
            for end in &compound.exports[*face] {
                if let End::Component(component, inner) = end {
                    let outer = self.plan.uses.get(&(key.0, *face)).cloned().unwrap_or_default();
                    let kind = compound.components[*component].kind;
                    let own = self.plan.uses.entry((kind, *inner)).or_default();
                    let port = &self.model.port_types[compound.faces[*face].kind];
                    own.add(&outer);
                    for at in (0..port.parameters.len()).filter(|at| !outer.is_in(*at)) {
                        own.kept.insert(at);
                    }
                }
            }
        }
        Some(())
    }

    /// What the data of an interaction needs of ports. `face` is the port as which it is seen.
    fn moved(
        &mut self,
        glue: &Glue<'_>,
        interaction: &Interaction,
        face: Option<(Kind, usize)>,
    ) -> Result<(), NoGlue> {
        let mut reads: Vec<Term> = vec![interaction.guard.clone()];
        let above = self.above(glue, interaction, face)?;
        if let Some(face) = face {
            let used = self.plan.uses.entry(face).or_default().clone();
            let exported = glue.exported(interaction)?.into_iter().enumerate();
            reads.extend(exported.filter(|(at, _)| used.is_out(*at)).map(|(_, term)| term));
        }
        for ((component, inner, at), term) in glue.writes(interaction, above.as_deref())? {
            let kind = glue.compound.components[component].kind;
            let used = self.plan.uses.entry((kind, inner)).or_default();
            match term == Term::Ref(Ref::Out(component, inner, at)) {
                true => _ = used.kept.insert(at),
                false => {
                    used.written.insert(at);
                    reads.push(term);
                }
            }
        }
        for term in reads {
            term.refs(&mut |one| {
                if let Ref::Out(component, inner, at) = one {
                    let kind = glue.compound.components[component].kind;
                    self.plan.uses.entry((kind, inner)).or_default().read.insert(at);
                }
            });
        }
        Ok(())
    }

    fn above(
        &self,
        glue: &Glue<'_>,
        interaction: &Interaction,
        face: Option<(Kind, usize)>,
    ) -> Result<Option<Vec<Term>>, NoGlue> {
        let Some(face) = face else { return Ok(None) };
        let used = self.plan.uses.get(&face);
        above(glue, interaction, &|at| used.is_some_and(|used| used.is_in(at))).map(Some)
    }

    // ---- names ----

    fn names(&mut self) {
        let mut names = Names::default();
        let mut keys: Vec<VariantKey> = self.plan.variants.keys().cloned().collect();
        // The variant with most ports has the name of the type.
        keys.sort_by_key(|(kind, live)| (*kind, std::cmp::Reverse(live.len()), live.clone()));
        let mut given: FxHashMap<VariantKey, String> = FxHashMap::default();
        let mut last: Option<Kind> = None;
        let is_first = |kind: Kind, last: &mut Option<Kind>| last.replace(kind) != Some(kind);
        // First those that keep their names.
        for key in &keys {
            if is_first(key.0, &mut last) {
                given.insert(key.clone(), names.fresh(self.model.name_of(key.0).text()));
            }
        }
        for key in keys {
            let name = self.model.name_of(key.0).text();
            given.entry(key).or_insert_with(|| names.fresh(name));
        }
        let connectors = self.model.connectors.iter();
        self.plan.definitions = connectors.map(|one| names.fresh(one.name.text())).collect();
        for (key, name) in &mut self.plan.variants {
            *name = given.remove(key).unwrap_or_default();
        }
    }
}

/// The values that an exported port gets: what comes from above, or what it showed.
pub(super) fn above(
    glue: &Glue<'_>,
    interaction: &Interaction,
    is_in: &dyn Fn(usize) -> bool,
) -> Result<Vec<Term>, NoGlue> {
    let shown = glue.exported(interaction)?.into_iter().enumerate();
    Ok(shown.map(|(at, term)| if is_in(at) { Term::Ref(Ref::In(at)) } else { term }).collect())
}

/// The ports of each component that are connected or exported, or that a priority asks about.
fn live_ports(
    compound: &CompoundDef,
    tops: &[Top],
    order: &Order,
    live: &[usize],
) -> Vec<Vec<usize>> {
    let mut all: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); compound.components.len()];
    let asked = order.asked();
    for (at, top) in tops.iter().enumerate() {
        if top.shown == Shown::Faces(Vec::new()) && !asked.contains(&at) {
            continue;
        }
        for (component, face) in top.interactions.iter().flat_map(|one| &one.leaves) {
            all[*component].insert(*face);
        }
    }
    for end in live.iter().flat_map(|face| &compound.exports[*face]) {
        if let End::Component(component, face) = end {
            all[*component].insert(*face);
        }
    }
    all.into_iter().map(|set| set.into_iter().collect()).collect()
}
