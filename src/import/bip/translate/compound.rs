//! Compounds as nets.

use super::super::super::name::{Names, quoted};
use super::super::super::text::Texts;
use super::super::super::write::Page;
use super::super::model::{CompoundDef, End, Kind};
use super::super::term::{Ref, Term, Type};
use super::Writer;
use super::connects::InnerNames;
use super::glue::Interaction;
use super::plan::{Arg, CompoundPlan, Shown, Top, VariantKey};
use super::vector::Variables;

/// What a net does by itself: the names of its connectors, and of what it passes on.
#[derive(Clone, Debug, Default)]
pub(super) struct OwnNames {
    /// For each connector that happens by itself.
    pub tops: Vec<Option<String>>,
    /// Component, its action, and what it is seen as.
    pub passed: Vec<(usize, String, String)>,
}

impl OwnNames {
    /// All names.
    pub fn all(&self) -> Vec<String> {
        let tops = self.tops.iter().flatten().cloned();
        tops.chain(self.passed.iter().map(|(_, _, name)| name.clone())).collect()
    }
}

/// A net that is being written.
pub(super) struct NetPage<'n> {
    pub compound: &'n CompoundDef,
    pub plan: &'n CompoundPlan,
    pub key: &'n VariantKey,
    parameters: Vec<String>,
    pub subs: Vec<String>,
    pub names: Names,
    /// Helpers that take any value, by the sort.
    helpers: Vec<(Type, String)>,
    /// What connectors are called whose ports others use.
    pub inner: InnerNames,
}

impl Writer<'_> {
    /// All variants of a compound.
    pub fn compounds(
        &mut self,
        which: usize,
        comments: Vec<String>,
        (page, checks): (&mut Page, &mut Vec<String>),
        texts: &mut Texts<'_>,
    ) {
        let keys = self.plan.variants.keys().filter(|(kind, _)| *kind == Kind::Compound(which));
        let mut keys: Vec<VariantKey> = keys.cloned().collect();
        keys.sort_by_key(|(_, live)| (std::cmp::Reverse(live.len()), live.clone()));
        let most = keys.first().map_or(Vec::new(), |(_, live)| live.clone());
        for (at, key) in keys.iter().enumerate() {
            if at == 0 {
                page.comments(&comments);
            } else {
                page.gap();
                let faces = &self.model.compounds[which].faces;
                let missing = most.iter().filter(|face| !key.1.contains(face));
                let missing: Vec<&str> = missing.map(|face| faces[*face].name.text()).collect();
                page.comments([format!(
                    "The same where nothing is connected to {}.",
                    missing.join(", ")
                )]);
            }
            self.compound(which, key, page, texts);
        }
        if self.plan.roots.contains(&which) && self.model.compounds[which].parameters.is_empty() {
            let key = (Kind::Compound(which), Vec::new());
            let name = quoted(&self.component(key.0, &key.1));
            self.invariants(&key, &name, ("", &[]), checks);
        }
    }

    /// The parameters of a type that something depends on.
    pub fn used_parameters(&self, kind: Kind) -> Vec<usize> {
        self.parameters.get(&kind).cloned().unwrap_or_default()
    }

    /// Whether a component ever does something at a port.
    fn offers(&self, key: &VariantKey, face: usize) -> bool {
        match key.0 {
            Kind::Atom(at) => {
                let atom = &self.model.atoms[at];
                let steps = self.behaviours.get(key).map_or(&[][..], |one| &one.steps);
                steps.iter().any(|step| atom.ports[step.port].face == Some(face))
            }
            Kind::Compound(at) => {
                let compound = &self.model.compounds[at];
                let Some(planned) = self.plan.compounds.get(key) else { return false };
                compound.exports[face].iter().any(|end| self.end_offers(compound, planned, *end))
            }
        }
    }

    pub fn end_offers(&self, compound: &CompoundDef, planned: &CompoundPlan, end: End) -> bool {
        match end {
            End::Component(component, face) => self.offers(&planned.key(compound, component), face),
            End::Connector(at) => {
                let connector = &compound.connectors[at];
                let interactions = &self.model.connectors[connector.kind].interactions;
                interactions.iter().any(|ports| {
                    ports
                        .iter()
                        .all(|port| self.end_offers(compound, planned, connector.ends[*port]))
                })
            }
        }
    }

    /// What a variant of a component does by itself.
    fn own(&mut self, key: &VariantKey) -> Vec<String> {
        match key.0 {
            Kind::Atom(at) => {
                let model = self.model;
                let atom = &model.atoms[at];
                let ports = atom.ports.iter().enumerate().filter(|(_, port)| port.face.is_none());
                let ports: Vec<usize> = ports.map(|(port, _)| port).collect();
                let steps = self.behaviours.get(key).map_or(&[][..], |one| &one.steps);
                let moved = |port: &usize| steps.iter().any(|step| step.port == *port);
                let ports: Vec<usize> = ports.into_iter().filter(moved).collect();
                ports.into_iter().map(|port| self.inner_action(at, port)).collect()
            }
            Kind::Compound(_) => self.own_names(key).all(),
        }
    }

    /// What a variant of a compound does by itself.
    pub fn own_names(&mut self, key: &VariantKey) -> OwnNames {
        if let Some(known) = self.own.get(key) {
            return known.clone();
        }
        let own = self.new_own_names(key);
        self.own.insert(key.clone(), own.clone());
        own
    }

    fn new_own_names(&mut self, key: &VariantKey) -> OwnNames {
        let (Kind::Compound(which), live) = key else { return OwnNames::default() };
        let (plan, model) = (self.plan, self.model);
        let Some(planned) = plan.compounds.get(key) else { return OwnNames::default() };
        let compound = &model.compounds[*which];
        let mut names = Names::default();
        for face in live {
            names.take(&self.face_action(key.0, *face));
        }
        let mut own = OwnNames::default();
        for top in &planned.tops {
            let happens = |one: &Interaction| self.happens(compound, planned, one);
            let any = |top: &Top| match top.is_large {
                true => self.end_offers(compound, planned, End::Connector(top.connector)),
                false => top.interactions.iter().any(happens),
            };
            let is_own = top.shown == Shown::Own && any(top);
            let name = is_own.then(|| {
                let wanted = compound.connectors[top.connector].name.text();
                self.fresh_action(&mut names, wanted)
            });
            own.tops.push(name);
        }
        for (at, component) in compound.components.iter().enumerate() {
            let inner = (component.kind, planned.live[at].clone());
            for action in self.own(&inner) {
                let name =
                    self.fresh_action(&mut names, &format!("{}_{action}", component.name.text()));
                own.passed.push((at, action, name));
            }
        }
        own
    }

    /// An action without values that nothing else of a net is seen as.
    fn fresh_action(&mut self, names: &mut Names, wanted: &str) -> String {
        loop {
            let name = names.fresh(wanted);
            if self.actions.action(&name, &[]) == name {
                return name;
            }
        }
    }

    fn compound(
        &mut self,
        which: usize,
        key: &VariantKey,
        page: &mut Page,
        texts: &mut Texts<'_>,
    ) -> Option<()> {
        let (model, plan) = (self.model, self.plan);
        let planned = plan.compounds.get(key)?;
        let compound = &model.compounds[which];
        let mut names = Names::default();
        let parameters: Vec<String> =
            compound.parameters.iter().map(|one| names.fresh(one.name.text())).collect();
        let mut parts = Names::default();
        let subs = compound.components.iter().map(|one| parts.fresh(one.name.text())).collect();
        let (helpers, inner) = (Vec::new(), InnerNames::default());
        let mut net =
            NetPage { compound, plan: planned, key, parameters, subs, names, helpers, inner };
        let mut body = Page::default();
        let own = self.own_names(key);
        self.connectors(&mut net, &own, &mut body, texts)?;
        self.exports(&net, &mut body);
        for (component, action, name) in &own.passed {
            let sub = quoted(&net.subs[*component]);
            body.line(&format!("<{sub}: {}> -> {};", quoted(action), quoted(name)));
        }
        self.head(&net, &own, page);
        for (at, (kind, helper)) in net.helpers.iter().enumerate() {
            if at == 0 {
                page.comments(["Takes any value: what comes from outside goes through it."]);
            }
            let process = self.helper(*kind);
            page.line(&format!("sub {} = {};", quoted(helper), quoted(&process)));
        }
        page.gap();
        page.append(body);
        page.line("}");
        for kind in net.helpers.iter().map(|(kind, _)| *kind).collect::<Vec<_>>() {
            self.helper_process(kind, page);
        }
        Some(())
    }

    fn head(&mut self, net: &NetPage<'_>, own: &OwnNames, page: &mut Page) {
        let used = self.used_parameters(net.key.0);
        let parameters = used.iter().map(|at| {
            format!(
                "{}: {}",
                quoted(&net.parameters[*at]),
                self.sort(net.compound.parameters[*at].kind)
            )
        });
        let parameters: Vec<String> = parameters.collect();
        let name = quoted(&self.component(net.key.0, &net.key.1));
        match parameters.is_empty() {
            true => page.line(&format!("net {name} {{")),
            false => page.line(&format!("net {name}<{}> {{", parameters.join(", "))),
        }
        let all = 0..net.compound.components.len();
        let is_still = !all.clone().any(|at| self.does_something(net, own, at));
        let is_kept = |writer: &Self, at: usize| {
            let key = net.plan.key(net.compound, at);
            writer.does_something(net, own, at) || writer.is_seen(&key)
        };
        // A net has parts, also where nothing ever happens.
        let keeps_all = is_still && !all.clone().any(|at| is_kept(self, at));
        for (at, component) in net.compound.components.iter().enumerate() {
            let live = &net.plan.live[at];
            if !self.does_something(net, own, at) {
                page.comments([format!("{} never does anything.", component.name.text())]);
            }
            if !keeps_all && !is_kept(self, at) {
                continue;
            }
            let arguments: Vec<String> = self
                .used_parameters(component.kind)
                .into_iter()
                .filter_map(|used| component.arguments.get(used))
                .map(|term| {
                    let text = self.shown(term, &|one| net_ref(one, net));
                    // Values are expressions at the level of sums.
                    match term {
                        Term::Not(_) | Term::If(_) => format!("({text})"),
                        Term::Binary(op, _) if !op.is_sum() => format!("({text})"),
                        _ => text,
                    }
                })
                .collect();
            let process = quoted(&self.component(component.kind, live));
            let sub = quoted(&net.subs[at]);
            match arguments.is_empty() {
                true => page.line(&format!("sub {sub} = {process};")),
                false => page.line(&format!("sub {sub} = {process}<{}>;", arguments.join(", "))),
            }
        }
    }

    /// Whether somebody asks for the values of a component, or of what is inside of it: a priority, or an invariant.
    fn is_seen(&self, key: &VariantKey) -> bool {
        match key.0 {
            Kind::Atom(at) => {
                self.looked.contains_key(key) || !self.model.atoms[at].invariants.is_empty()
            }
            Kind::Compound(at) => {
                let compound = &self.model.compounds[at];
                let Some(planned) = self.plan.compounds.get(key) else { return false };
                let mut all = 0..compound.components.len();
                all.any(|inner| self.is_seen(&planned.key(compound, inner)))
            }
        }
    }

    /// Whether a component ever does something.
    pub fn does_something(&self, net: &NetPage<'_>, own: &OwnNames, at: usize) -> bool {
        let key = net.plan.key(net.compound, at);
        own.passed.iter().any(|(one, _, _)| *one == at)
            || key.1.iter().any(|face| self.offers(&key, *face))
    }

    /// Whether an interaction can happen at all.
    pub fn happens(
        &self,
        compound: &CompoundDef,
        plan: &CompoundPlan,
        interaction: &Interaction,
    ) -> bool {
        interaction.guard != Term::Bool(false) && self.is_offered(compound, plan, interaction)
    }

    /// Whether all components that take part ever do.
    pub fn is_offered(
        &self,
        compound: &CompoundDef,
        plan: &CompoundPlan,
        interaction: &Interaction,
    ) -> bool {
        let mut leaves = interaction.leaves.iter();
        leaves.all(|(component, face)| self.offers(&plan.key(compound, *component), *face))
    }

    // ---- ports and data of the net ----

    /// Ports of components that the compound exports as they are.
    fn exports(&mut self, net: &NetPage<'_>, page: &mut Page) {
        for face in &net.key.1 {
            for end in &net.compound.exports[*face] {
                let End::Component(component, inner) = end else { continue };
                let kind = net.compound.components[*component].kind;
                if !self.offers(&net.plan.key(net.compound, *component), *inner) {
                    continue;
                }
                let mut variables = self.vector_variables(net);
                let outer = self.plan.arguments(self.model, net.key.0, *face);
                let own = self.plan.arguments(self.model, kind, *inner);
                let shows = |arg: Arg| outer.iter().any(|(one, _)| *one == arg);
                let gets = |arg: Arg| own.iter().any(|(one, _)| *one == arg);
                let name = |of: &Self, variables: &mut Variables, at: usize, is_new: bool| {
                    of.variable(net, variables, Ref::Out(*component, *inner, at), is_new)
                };
                let mut values = Vec::new();
                for (arg, _) in &own {
                    values.push(match arg {
                        Arg::Out(at)
                            if shows(Arg::Out(*at))
                                || (gets(Arg::In(*at)) && !shows(Arg::In(*at))) =>
                        {
                            name(self, &mut variables, *at, false)
                        }
                        Arg::In(at) => name(self, &mut variables, *at, shows(Arg::In(*at))),
                        _ => "_".to_owned(),
                    });
                }
                let shown: Vec<String> = outer
                    .iter()
                    .map(|(arg, _)| match arg {
                        Arg::Out(at) => name(self, &mut variables, *at, false),
                        Arg::In(at) => name(self, &mut variables, *at, true),
                    })
                    .collect();
                let (action, result) =
                    (self.face_action(kind, *inner), self.face_action(net.key.0, *face));
                let call = |name: &str, values: &[String]| match values.is_empty() {
                    true => quoted(name),
                    false => format!("{}({})", quoted(name), values.join(", ")),
                };
                let sub = quoted(&net.subs[*component]);
                page.line(&format!(
                    "<{sub}: {}> -> {};",
                    call(&action, &values),
                    call(&result, &shown)
                ));
            }
        }
    }

    // ---- helpers ----

    fn helper(&self, kind: Type) -> String {
        self.plan.helper_name(&format!("Any{}", self.sort(kind).trim_matches('`')))
    }

    pub fn helper_action(&mut self, kind: Type) -> String {
        let sort = self.sort(kind);
        self.actions.action("any_value", &[sort])
    }

    fn helper_process(&mut self, kind: Type, page: &mut Page) {
        let (name, action) = (self.helper(kind), self.helper_action(kind));
        if self.helped.insert(name.clone()) {
            page.gap();
            page.line(&format!("process {} {{", quoted(&name)));
            page.line("init state ready;");
            page.gap();
            page.line(&format!("ready -> ready : {}(_);", quoted(&action)));
            page.line("}");
        }
    }

    // ---- invariants ----

    /// A check for each invariant of each atom.
    fn invariants(
        &mut self,
        key: &VariantKey,
        root: &str,
        (path, arguments): (&str, &[String]),
        checks: &mut Vec<String>,
    ) {
        match key.0 {
            Kind::Atom(at) => {
                let model = self.model;
                for invariant in &model.atoms[at].invariants {
                    let claim = self.invariant(at, &invariant.guard, path, arguments);
                    let states = self.states_with(key, at, &invariant.at);
                    let claim = match invariant.at.is_empty() {
                        true => claim,
                        false => format!("{path} in {{ {} }} => ({claim})", states.join(", ")),
                    };
                    if !invariant.at.is_empty() && states.is_empty() {
                        continue;
                    }
                    checks.push(format!("/// Invariant {} of {path}.", invariant.name.text()));
                    checks.push(format!("check always({root}, {claim});"));
                }
            }
            Kind::Compound(which) => {
                let (model, plan) = (self.model, self.plan);
                let Some(planned) = plan.compounds.get(key) else { return };
                for (at, component) in model.compounds[which].components.iter().enumerate() {
                    let name = quoted(component.name.text());
                    let path = if path.is_empty() { name } else { format!("{path}.{name}") };
                    let inner: Vec<String> = component
                        .arguments
                        .iter()
                        .map(|term| {
                            let text = self.shown(term, &|one| match one {
                                Ref::Param(at) => arguments.get(at).cloned().unwrap_or_default(),
                                _ => String::new(),
                            });
                            format!("({text})")
                        })
                        .collect();
                    let key = (component.kind, planned.live[at].clone());
                    self.invariants(&key, root, (&path, &inner), checks);
                }
            }
        }
    }
}

impl NetPage<'_> {
    /// The helper of a sort, of which a vector needs several.
    pub fn helper(&mut self, kind: Type, number: usize) -> String {
        let own = self.helpers.iter().filter(|(of, _)| *of == kind);
        if let Some((_, name)) = own.clone().nth(number - 1) {
            return name.clone();
        }
        let mut names = Names::default();
        self.subs.iter().for_each(|name| names.take(name));
        self.helpers.iter().for_each(|(_, name)| names.take(name));
        let name = names.fresh("outside");
        self.helpers.push((kind, name.clone()));
        name
    }
}

pub(super) fn net_ref(one: Ref, net: &NetPage<'_>) -> String {
    match one {
        Ref::Param(at) => quoted(&net.parameters[at]),
        _ => String::new(),
    }
}
