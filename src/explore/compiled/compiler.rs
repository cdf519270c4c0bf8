//! Makes rules: facts, then a plan, then code.

use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::code::{Code, Lack, Op, Reg};
use super::expr::{Builder, Source, World};
use super::facts::{Facts, Gatherer, MayFact, RivalFact, WholeFact, may_fact};
use super::field::Field;
use super::flat::{Flattener, Tree};
use super::head::{Head, Heads};
use super::label;
use super::plan::{Endless, Plan};
use super::rule::{May, PortNumber, Rule, Site, Way, Whole, choices};
use crate::algebra::{ActionId, ConstId, Sort, TermId, Terms, VarId, VariableKind};
use crate::base::Id;
use crate::base::budget::is_spent;
use crate::diagnostics::Symbol;
use crate::pnet::{HoleSort, NodeId, PNet, PartId, PltsTransitionId, VectorPlace};

/// Where everything is in a configuration.
#[derive(Debug, Default)]
pub(super) struct Places {
    pub fields: Vec<Field>,
    /// For each leaf, the field of its state.
    pub states: Vec<u32>,
    /// For each leaf, the field of its first variable.
    pub variables: Vec<u32>,
    /// The fields of variables.
    pub of: FxHashMap<VarId, Source>,
    /// The fields of symbolic constants.
    pub constants: FxHashMap<ConstId, Source>,
    /// The axioms that say something about these constants.
    pub axioms: Vec<TermId>,
    pub words: usize,
}

/// What rules are made with.
pub(super) struct Compiler<'n> {
    pub net: &'n PNet,
    pub terms: Terms,
    pub flattener: Flattener<'n>,
    /// Actions that nobody declared, as variables.
    pub others: Vec<VarId>,
    /// What goes first: by what it asks for.
    sites: FxHashMap<RivalFact, (Arc<Site>, Vec<VarId>)>,
    /// The same with its parameters renamed, by number.
    renamed: Vec<RivalFact>,
    /// Who may take part: by what they do.
    may: FxHashMap<MayFact, (Arc<Site>, Vec<VarId>)>,
    /// The same with parameters renamed, by number.
    renamed_may: Vec<MayFact>,
    /// The ports of connectors with maximal progress: node, connector, part and action.
    ports: IndexSet<(NodeId, u32, PartId, Option<ActionId>), FxBuildHasher>,
    /// The vectors of these connectors.
    rivalling: FxHashMap<(NodeId, u32), Arc<Vec<May>>>,
}

impl<'n> Compiler<'n> {
    /// Nothing is made yet.
    pub fn new(net: &'n PNet) -> Compiler<'n> {
        let mut terms = net.terms.clone();
        terms.freeze();
        let others = net.holes.iter().filter(|hole| hole.sort == HoleSort::Any);
        let others =
            others.map(|_| terms.new_var(Symbol::new("other"), Sort::Action, VariableKind::Bound));
        let others = others.collect();
        Compiler {
            net,
            flattener: Flattener::new(net),
            terms,
            others,
            sites: FxHashMap::default(),
            renamed: Vec::new(),
            may: FxHashMap::default(),
            renamed_may: Vec::new(),
            ports: IndexSet::default(),
            rivalling: FxHashMap::default(),
        }
    }

    /// The ways in which the whole net can move.
    pub fn ways(&mut self) -> Vec<Way> {
        let offers = self.flattener.offers(&self.terms, self.net.root);
        let trees = offers.values().flatten();
        trees.filter_map(|tree| Way::new(self.net, vec![tree.clone()])).collect()
    }

    fn gatherer(&mut self) -> Gatherer<'_> {
        Gatherer { net: self.net, terms: &mut self.terms, others: &self.others }
    }

    /// The rules of a way, for these choices of transitions.
    pub fn rules(
        &mut self,
        world: World<'_>,
        places: &Places,
        way: &Way,
        chosen: Vec<Vec<PltsTransitionId>>,
    ) -> Vec<Rule> {
        let mut rules = Vec::new();
        for row in choices(chosen) {
            if is_spent() {
                rules.push(lacking(Lack::Stopped));
                break;
            }
            let Some(tree) = way.trees.first() else { break };
            let mut facts = Facts::default();
            let mut gatherer = self.gatherer();
            let shown = gatherer.tree(tree, &mut row.iter(), &mut facts);
            gatherer.settle(&mut facts);
            rules.extend(self.step(world, places, facts, shown));
        }
        rules
    }

    /// The rules of what goes first.
    pub fn rival_rules(
        &mut self,
        world: World<'_>,
        places: &Places,
        site: usize,
        trees: &[Arc<Tree>],
        chosen: Vec<Vec<PltsTransitionId>>,
    ) -> Vec<Rule> {
        let mut rules = Vec::new();
        for row in choices(chosen) {
            if is_spent() {
                rules.push(lacking(Lack::Stopped));
                break;
            }
            let fact = self.renamed[site].clone();
            let mut gatherer = self.gatherer();
            let mut facts = gatherer.rival(&fact, trees, &mut row.iter());
            gatherer.settle(&mut facts);
            let params = self.params(&fact);
            rules.extend(self.possible(world, places, facts, &params));
        }
        rules
    }

    /// The rules of members that may take part.
    pub fn may_rules(
        &mut self,
        world: World<'_>,
        places: &Places,
        site: usize,
        trees: &[Arc<Tree>],
        chosen: Vec<Vec<PltsTransitionId>>,
    ) -> Vec<Rule> {
        let mut rules = Vec::new();
        for row in choices(chosen) {
            if is_spent() {
                rules.push(lacking(Lack::Stopped));
                break;
            }
            let fact = self.renamed_may[site].clone();
            let mut gatherer = self.gatherer();
            let mut facts = gatherer.may(&fact, trees, &mut row.iter());
            gatherer.settle(&mut facts);
            let params = self.params_of_may(&fact);
            rules.extend(self.besides(world, places, facts, &params));
        }
        rules
    }

    /// All interactions of connectors with maximal progress that have this number, as members that may take part: each
    /// with its ports.
    pub fn rivalling(&mut self, node: NodeId, maximal: u32) -> Arc<Vec<May>> {
        if let Some(known) = self.rivalling.get(&(node, maximal)) {
            return known.clone();
        }
        let net = self.net;
        let mut found = Vec::new();
        for (number, vector) in net.nodes[node].vectors.enumerated() {
            if vector.maximal != Some(maximal) {
                continue;
            }
            let place = (node, number);
            let members = vector.members.iter().map(|member| (member.part, member.action));
            let members: Vec<(PartId, TermId)> = members.collect();
            let owes = vector.owes.iter().map(|owed| owed.term);
            let holds = [vector.guard].into_iter().chain(owes).collect();
            let inside = vector.optional.iter().map(|one| may_fact(place, one)).collect();
            let own = vector.variables.clone();
            let ports = self.port_numbers(place, &members);
            let fact = MayFact { place, members, holds, own, inside };
            let (site, _) = self.site_of_may(&fact);
            found.push(May { site, first: 0, ports });
        }
        let found = Arc::new(found);
        self.rivalling.insert((node, maximal), found.clone());
        found
    }

    fn builder<'a>(world: World<'a>, terms: &'a mut Terms, places: &Places) -> Builder<'a> {
        let mut builder = Builder::new(world, terms);
        builder.variables = places.of.clone();
        builder.constants = places.constants.clone();
        builder
    }

    fn facts_into(plan: &mut Plan<'_, '_>, facts: &Facts, sites: &[(u16, Vec<VarId>)]) {
        plan.never |= facts.never;
        facts.holds.iter().for_each(|&term| plan.holds(term));
        facts.same.iter().for_each(|&(a, b)| plan.same(a, b));
        sites.iter().for_each(|(number, params)| plan.rival(*number, params));
    }

    fn step(
        &mut self,
        world: World<'_>,
        places: &Places,
        mut facts: Facts,
        shown: TermId,
    ) -> Option<Rule> {
        facts.holes.sort_by_key(|(hole, _)| *hole);
        let (sites, numbered) = self.sites(&facts);
        let others = self.others.clone();
        let about = label::About { terms: &self.terms, others: &others };
        let label = about.parts(shown, &facts.holes);
        let mut needed: Vec<VarId> = Vec::new();
        let data = label.iter().filter_map(|part| part.term());
        for term in data.chain(facts.updates.iter().map(|(_, term)| *term)) {
            needed.extend(self.terms.free_vars(term));
        }
        let wholes = self.wholes(&facts.wholes);
        needed.extend(wholes.iter().flat_map(|(_, params)| params.iter().flatten()));
        let mut builder = Compiler::builder(world, &mut self.terms, places);
        let mut plan = Plan::new(&mut builder, facts.variables.iter().copied(), Endless::Tried);
        Compiler::facts_into(&mut plan, &facts, &numbered);
        plan.solve(&needed);
        if plan.never {
            return None;
        }
        let level = plan.level();
        let updates = changed(&mut plan, (self.net, world, places), &facts);
        let wholes = with_values(&mut plan, wholes);
        let skip = plan.builder.ops.len();
        plan.builder.ops.push(Op::Unlabelled(u32::MAX));
        let parts: Vec<_> = label.iter().map(|part| part.made(plan.builder)).collect();
        for part in &parts {
            if let super::rule::LabelPart::Register(on) = *part {
                plan.builder.ops.push(Op::Needs { on, level });
            }
        }
        plan.builder.land(&[skip]);
        plan.builder.ops.push(Op::Emit);
        plan.close();
        let code = builder.finish().unwrap_or_else(too_large);
        Some(Rule {
            code,
            sites,
            updates: updates.into(),
            states: moved(places, &facts),
            label: parts.into(),
            vectors: facts.vectors.into(),
            transitions: facts.transitions.into(),
            wholes,
            ..Rule::default()
        })
    }

    /// The rule of members that take part beside others, with the values that they get from these.
    fn besides(
        &mut self,
        world: World<'_>,
        places: &Places,
        facts: Facts,
        params: &[VarId],
    ) -> Option<Rule> {
        let (sites, numbered) = self.sites(&facts);
        let wholes = self.wholes(&facts.wholes);
        let mut needed: Vec<VarId> = Vec::new();
        for &(_, term) in &facts.updates {
            needed.extend(self.terms.free_vars(term));
        }
        needed.extend(wholes.iter().flat_map(|(_, params)| params.iter().flatten()));
        let mut builder = Compiler::builder(world, &mut self.terms, places);
        for &param in params {
            let register = builder.register();
            builder.variables.insert(param, Source::Register(register));
        }
        let mut plan = Plan::new(&mut builder, facts.variables.iter().copied(), Endless::Tried);
        Compiler::facts_into(&mut plan, &facts, &numbered);
        plan.solve(&needed);
        if plan.never {
            return None;
        }
        let updates = changed(&mut plan, (self.net, world, places), &facts);
        let wholes = with_values(&mut plan, wholes);
        plan.builder.ops.push(Op::Emit);
        plan.close();
        let code = builder.finish().unwrap_or_else(too_large);
        Some(Rule {
            code,
            sites,
            updates: updates.into(),
            states: moved(places, &facts),
            vectors: facts.vectors.into(),
            transitions: facts.transitions.into(),
            wholes,
            ..Rule::default()
        })
    }

    fn possible(
        &mut self,
        world: World<'_>,
        places: &Places,
        facts: Facts,
        params: &[VarId],
    ) -> Option<Rule> {
        let (sites, numbered) = self.sites(&facts);
        // Whoever may take part or not decides nothing, but where only the largest interactions can happen.
        let decides = |one: &&WholeFact| self.net.vector(one.place).maximal.is_some();
        let decisive: Vec<WholeFact> = facts.wholes.iter().filter(decides).cloned().collect();
        let wholes = self.wholes(&decisive);
        let needed: Vec<VarId> =
            wholes.iter().flat_map(|(_, params)| params.iter().flatten().copied()).collect();
        let mut builder = Compiler::builder(world, &mut self.terms, places);
        for &param in params {
            let register = builder.register();
            builder.variables.insert(param, Source::Register(register));
        }
        let mut plan = Plan::new(&mut builder, facts.variables.iter().copied(), Endless::Unknown);
        Compiler::facts_into(&mut plan, &facts, &numbered);
        plan.solve(&needed);
        if plan.never {
            return None;
        }
        let wholes = with_values(&mut plan, wholes);
        plan.builder.ops.push(Op::Emit);
        plan.close();
        let code = builder.finish().unwrap_or_else(too_large);
        Some(Rule { code, sites, wholes, ..Rule::default() })
    }

    // ---- who may take part ----

    /// Those who may take part, each with the variables whose values they get.
    fn wholes(&mut self, facts: &[WholeFact]) -> Vec<(Whole, Vec<Vec<VarId>>)> {
        let mut found = Vec::with_capacity(facts.len());
        for fact in facts {
            let vector = self.net.vector(fact.place);
            let (mut may, mut params) = (Vec::new(), Vec::new());
            for one in &fact.may {
                let (site, of_site) = self.site_of_may(one);
                if site.ways.is_empty() {
                    continue;
                }
                let ports = self.port_numbers(fact.place, &one.members);
                may.push(May { site, first: 0, ports });
                params.push(of_site);
            }
            let members = vector.members.iter().map(|member| (member.part, member.action));
            let members: Vec<(PartId, TermId)> = members.collect();
            let ports = match fact.inner {
                true => Box::default(),
                false => self.port_numbers(fact.place, &members),
            };
            let (place, inner, maximal) = (fact.place, fact.inner, vector.maximal);
            let vectors = self.net.nodes[place.0].vectors.iter();
            let alone = vectors.filter(|other| other.maximal == maximal).count() == 1
                && fact.may.iter().all(|one| self.is_free(one));
            found.push((Whole { place, inner, maximal, alone, ports, may: may.into() }, params));
        }
        found
    }

    /// Whether members, and all inside, take part whatever values others have.
    fn is_free(&self, fact: &MayFact) -> bool {
        self.params_of_may(fact).is_empty() && fact.inside.iter().all(|one| self.is_free(one))
    }

    /// The numbers of ports, where maximal progress compares them.
    fn port_numbers(
        &mut self,
        place: VectorPlace,
        members: &[(PartId, TermId)],
    ) -> Box<[PortNumber]> {
        let Some(maximal) = self.net.vector(place).maximal else { return Box::default() };
        let mut numbers = Vec::with_capacity(members.len());
        for &(part, action) in members {
            let action = crate::pnet::name_of(&self.terms, action);
            numbers.push(self.ports.insert_full((place.0, maximal, part, action)).0 as PortNumber);
        }
        numbers.into()
    }

    fn params_of_may(&self, fact: &MayFact) -> Vec<VarId> {
        let (mut found, mut own): (Vec<VarId>, Vec<VarId>) = (Vec::new(), Vec::new());
        let mut work = vec![fact];
        while let Some(fact) = work.pop() {
            own.extend(&fact.own);
            let actions = fact.members.iter().map(|(_, action)| *action);
            for var in actions
                .chain(fact.holds.iter().copied())
                .flat_map(|term| self.terms.free_vars(term))
            {
                let of = self.terms.var(var);
                if !of.kind.is_state() && of.sort != Sort::Action && !found.contains(&var) {
                    found.push(var);
                }
            }
            work.extend(fact.inside.iter().rev());
        }
        found.retain(|var| !own.contains(var));
        found
    }

    fn site_of_may(&mut self, fact: &MayFact) -> (Arc<Site>, Vec<VarId>) {
        if let Some((site, params)) = self.may.get(fact) {
            return (site.clone(), params.clone());
        }
        let params = self.params_of_may(fact);
        let (values, _) = self.terms.fresh(params.iter().copied(), VariableKind::Parameter);
        let renamed = self.renamed_fact(fact, &values);
        let joined =
            self.flattener.joined(&self.terms, fact.place.0, &renamed.members, Heads::default());
        let ways = joined.into_iter().filter_map(|(trees, _)| Way::new(self.net, trees)).collect();
        let number = self.renamed_may.len();
        self.renamed_may.push(renamed);
        let site = Arc::new(Site { ways, params: params.len(), number });
        self.may.insert(fact.clone(), (site.clone(), params.clone()));
        (site, params)
    }

    fn renamed_fact(&mut self, fact: &MayFact, values: &FxHashMap<VarId, TermId>) -> MayFact {
        let mut renamed = fact.clone();
        for (_, action) in &mut renamed.members {
            *action = self.terms.substitute(*action, values);
        }
        for term in &mut renamed.holds {
            *term = self.terms.substitute(*term, values);
        }
        renamed.inside = fact.inside.iter().map(|one| self.renamed_fact(one, values)).collect();
        renamed
    }

    // ---- what goes first ----

    /// The sites of all rivals, and their numbers with the variables whose values they get.
    #[allow(clippy::type_complexity, reason = "it is said above")]
    fn sites(&mut self, facts: &Facts) -> (Box<[Arc<Site>]>, Vec<(u16, Vec<VarId>)>) {
        let mut sites = Vec::new();
        let mut numbered = Vec::new();
        for rival in &facts.rivals {
            let (site, params) = self.site(rival);
            if site.ways.is_empty() {
                continue;
            }
            numbered.push((sites.len() as u16, params));
            sites.push(site);
        }
        (sites.into(), numbered)
    }

    fn params(&self, fact: &RivalFact) -> Vec<VarId> {
        let mut found: Vec<VarId> = Vec::new();
        let all = fact.members.iter().map(|(_, action)| *action).chain([fact.guard]);
        for var in all.flat_map(|term| self.terms.free_vars(term)) {
            let of = self.terms.var(var);
            let is_param = !of.kind.is_state() && of.sort != Sort::Action;
            if is_param && !fact.own.contains(&var) && !found.contains(&var) {
                found.push(var);
            }
        }
        found
    }

    fn site(&mut self, rival: &RivalFact) -> (Arc<Site>, Vec<VarId>) {
        if let Some((site, params)) = self.sites.get(rival) {
            return (site.clone(), params.clone());
        }
        let params = self.params(rival);
        let (values, _) = self.terms.fresh(params.iter().copied(), VariableKind::Parameter);
        let mut renamed = rival.clone();
        for (_, action) in &mut renamed.members {
            *action = self.terms.substitute(*action, &values);
        }
        renamed.guard = self.terms.substitute(renamed.guard, &values);
        let mut heads = Heads::default();
        for (number, &var) in self.others.iter().enumerate() {
            heads.insert(var, Head::Other(number as u32));
        }
        let joined = self.flattener.joined(&self.terms, rival.node, &renamed.members, heads);
        let ways = joined.into_iter().filter_map(|(trees, _)| Way::new(self.net, trees)).collect();
        let number = self.renamed.len();
        self.renamed.push(renamed);
        let site = Arc::new(Site { ways, params: params.len(), number });
        self.sites.insert(rival.clone(), (site.clone(), params.clone()));
        (site, params)
    }
}

/// The variables that change, and the registers with their values.
fn changed(
    plan: &mut Plan<'_, '_>,
    (net, world, places): (&PNet, World<'_>, &Places),
    facts: &Facts,
) -> Vec<(u32, Reg)> {
    let level = plan.level();
    let mut updates = Vec::with_capacity(facts.updates.len());
    for &(var, term) in &facts.updates {
        let layout = world.layouts.known(net.sort_of(var));
        let register = plan.builder.term_into(term, layout);
        plan.builder.ops.push(Op::Needs { on: register, level });
        if let Some(Source::Field(field)) = places.of.get(&var) {
            updates.push((*field, register));
        }
    }
    updates
}

/// Those who may take part, with registers for the values that they get.
fn with_values(plan: &mut Plan<'_, '_>, wholes: Vec<(Whole, Vec<Vec<VarId>>)>) -> Box<[Whole]> {
    let mut found = Vec::with_capacity(wholes.len());
    for (mut whole, params) in wholes {
        // Most get the same values.
        let mut known: FxHashMap<Vec<VarId>, Reg> = FxHashMap::default();
        for (may, params) in whole.may.iter_mut().zip(params) {
            may.first = *known.entry(params).or_insert_with_key(|params| plan.in_row(params));
        }
        found.push(whole);
    }
    found.into()
}

/// How the words change in which the states of leaves are.
fn moved(places: &Places, facts: &Facts) -> Box<[(u32, u64, u64)]> {
    let mut words: Vec<(u32, u64, u64)> = Vec::new();
    for &(leaf, target) in &facts.targets {
        let field = places.fields[places.states[leaf.place()] as usize];
        let (clear, set) = field.in_place(target.place() as u64);
        match words.iter_mut().find(|(word, ..)| *word == field.word) {
            Some((_, cleared, sets)) => {
                *cleared |= clear;
                *sets |= set;
            }
            None => words.push((field.word, clear, set)),
        }
    }
    words.retain(|(_, clear, _)| *clear != 0);
    words.into()
}

/// Code of something that is too large.
pub(super) fn too_large() -> Code {
    lacking(Lack::Deep).code
}

/// A rule that says why nothing is known.
fn lacking(why: Lack) -> Rule {
    let ops = vec![Op::Lacks(0, why), Op::Needs { on: 0, level: 0 }, Op::Emit];
    Rule { code: Code { ops: ops.into(), registers: 1 }, ..Rule::default() }
}
