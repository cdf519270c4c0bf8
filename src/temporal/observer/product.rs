//! A net together with an observer: each vector of the root with each move that may go along with it.
//!
//! What a move asks of the configuration before the step is asked as priorities ask: the vector gives way where it is not so. Of
//! leaves whose state it asks about, a variable knows the state.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::places::{Bad, Move, Places};
use super::{Failure, Observed};
use crate::algebra::{ActionId, Signature, Sort, Term, TermId, Terms, VarId, VariableKind};
use crate::base::IndexVec;
use crate::diagnostics::Symbol;
use crate::explore::Property;
use crate::pnet::{
    Composite, Condition, Content, HoleId, Member, NodeId, PNet, Part, PartId, PartName, Plts,
    PltsId, PltsStateId, PltsTransitionId, Rival, State, Transition, Vector, VectorPlace,
};
use crate::temporal::formula::{Formula, StepPattern};

/// More vectors than this are not made.
const MOST_VECTORS: usize = 4_000;

/// What must always hold of a net by itself.
pub(super) fn alone(
    net: &PNet,
    formula: &Formula,
    mut terms: Terms,
    places: &Places<'_>,
) -> Observed {
    let failures: Vec<Failure> =
        places.bad.iter().map(|bad| failure(&mut terms, bad, None)).collect();
    let claim = claim(terms, &failures, formula.locations.clone());
    let variables = net.plts.iter().map(|plts| plts.variables.len()).collect();
    Observed { net: net.clone(), claim, failures, observer: None, variables }
}

/// A net with an observer; nothing where a move asks for what cannot be seen of a vector, or there are too many.
pub(super) fn together(
    net: &PNet,
    formula: &Formula,
    terms: Terms,
    places: &Places<'_>,
) -> Option<Observed> {
    let variables = net.plts.iter().map(|plts| plts.variables.len()).collect();
    let mut made = net.clone();
    made.terms = terms;
    let root = root_of(&mut made)?;
    let vectors = &made.nodes[root].vectors;
    if vectors.iter().any(|vector| vector.maximal.is_some()) {
        return None;
    }
    if vectors.len().saturating_mul(places.moves.len()) > MOST_VECTORS {
        return None;
    }
    let mut making = Making::new(made, (formula, places, root))?;
    making.moves(places)?;
    Some(making.finished(places, variables))
}

/// What fails at a place, where it is known what stands for what the formula binds, and that the observer is there.
fn failure(terms: &mut Terms, bad: &Bad, observer: Option<(&Stored, VarId)>) -> Failure {
    let mut when = terms.and(bad.when.iter().copied());
    if let Some((stored, at)) = observer {
        when = terms.substitute(when, stored);
        let (at, number) = (terms.var_term(at), terms.int(bad.at));
        let is_there = terms.equal(at, number);
        when = terms.and([is_there, when]);
    }
    let (text, opposite) = bad.text.map_or((None, false), |(text, not)| (Some(text), not));
    Failure { when, text, opposite, by_step: false }
}

fn claim(mut terms: Terms, failures: &[Failure], locations: Vec<(VarId, PltsId)>) -> Property {
    let fails = terms.or(failures.iter().map(|one| one.when));
    let (says, owed) = (terms.not(fails), terms.bool(true));
    Property { terms, owed, reads: Vec::new(), says, locations, given: Vec::new() }
}

/// The node at the root; of a leaf by itself, one is made around it.
fn root_of(net: &mut PNet) -> Option<NodeId> {
    let leaf = match net.root {
        Content::Node(node) => return Some(node),
        Content::Leaf(leaf) => leaf,
        Content::Hole(_) => return None,
    };
    let Plts { name, origin, .. } = net.plts[leaf];
    let part = Part { name: PartName { name, index: None }, content: net.root };
    let mut shapes: Vec<TermId> = Vec::new();
    let mut vectors = IndexVec::default();
    let actions: Vec<(TermId, crate::diagnostics::Span)> = net.plts[leaf]
        .transitions
        .iter()
        .map(|transition| (transition.action, transition.action_text))
        .collect();
    for (action, text) in actions {
        if shapes.iter().any(|&shape| crate::algebra::can_be_same(&net.terms, shape, action)) {
            continue;
        }
        let (shape, variables) = shape_of(net, action)?;
        shapes.push(shape);
        let member = Member { part: PartId(0), action: shape, text };
        vectors.push(Vector {
            members: [member].into_iter().collect(),
            result: shape,
            guard: net.terms.bool(true),
            conditions: IndexVec::default(),
            variables,
            owes: IndexVec::default(),
            rivals: IndexVec::default(),
            optional: Vec::new(),
            maximal: None,
            origin,
        });
    }
    let parts = [part].into_iter().collect();
    let node = net.nodes.push(Composite { name: net.name, parts, vectors, origin });
    net.root = Content::Node(node);
    Some(node)
}

/// An action with variables for its arguments, which stands for all of its name.
fn shape_of(net: &mut PNet, action: TermId) -> Option<(TermId, Vec<VarId>)> {
    match net.terms.get(action).clone() {
        Term::Tau => Some((action, Vec::new())),
        Term::Sync(inner) => {
            let (inner, variables) = shape_of(net, inner)?;
            Some((net.terms.raw(Term::Sync(inner)), variables))
        }
        Term::Co(inner) => {
            let (inner, variables) = shape_of(net, inner)?;
            Some((net.terms.raw(Term::Co(inner)), variables))
        }
        Term::Act(id, _) => {
            let sorts = net.algebra.action(id).sorts.clone();
            let name = Symbol::new("x");
            let variables: Vec<VarId> = sorts
                .into_iter()
                .map(|sort| net.terms.new_var(name, sort, VariableKind::Vector))
                .collect();
            let args = variables.iter().map(|var| net.terms.var_term(*var)).collect();
            Some((net.terms.raw(Term::Act(id, args)), variables))
        }
        _ => None,
    }
}

/// What stands for what a formula binds.
type Stored = FxHashMap<VarId, TermId>;

/// Puts an observer into a net.
struct Making<'f> {
    net: PNet,
    formula: &'f Formula,
    root: NodeId,
    part: PartId,
    leaf: PltsId,
    failed: PltsStateId,
    /// The variables of the observer for those that the formula binds.
    stored: BTreeMap<VarId, VarId>,
    /// The variable that knows the state of a leaf, where one is asked for.
    known: FxHashMap<PltsId, VarId>,
    /// All that can be read of configurations.
    state: FxHashSet<VarId>,
    vectors: Vec<Vector>,
}

impl<'f> Making<'f> {
    fn new(
        mut net: PNet,
        (formula, places, root): (&'f Formula, &Places<'_>, NodeId),
    ) -> Option<Making<'f>> {
        let origin = net.nodes[root].origin;
        let text = net.origins.get(origin).span;
        let state = |name: String| State { name: Symbol::new(&name), is_final: true, text };
        let mut states: IndexVec<PltsStateId, State> =
            (0..places.count()).map(|at| state(format!("expects{}", at + 1))).collect();
        let failed = states.push(state("failed".to_owned()));
        let mut all: FxHashSet<VarId> = FxHashSet::default();
        for plts in &net.plts {
            all.extend(plts.variables.iter().map(|(var, _)| *var));
        }
        all.extend(formula.locations.iter().map(|(var, _)| *var));
        let mut stored = BTreeMap::new();
        let mut variables = Vec::new();
        for var in bound(&net.terms, places, &all, formula.shown) {
            let (name, sort) = (net.terms.var(var).name, net.terms.var(var).sort.clone());
            // A parameter may be given what is not in its range, until somebody looks.
            if matches!(sort, Sort::Range(..)) && is_given(places, var) {
                return None;
            }
            let own = net.terms.new_var(name, sort, VariableKind::State);
            variables.push((own, places.begins.get(&var).copied()));
            stored.insert(var, own);
        }
        let variable_texts = vec![text; variables.len()];
        let name = Symbol::new("observer");
        let leaf = net.plts.push(Plts {
            name,
            states,
            initial: PltsStateId(0),
            variables,
            variable_texts,
            transitions: IndexVec::default(),
            origin,
        });
        let name = unused(&net.nodes[root]);
        let part = Part { name: PartName { name, index: None }, content: Content::Leaf(leaf) };
        let part = net.nodes[root].parts.push(part);
        let known = FxHashMap::default();
        let vectors = Vec::new();
        Some(Making { net, formula, root, part, leaf, failed, stored, known, state: all, vectors })
    }

    /// Puts each move together with each vector.
    fn moves(&mut self, places: &Places<'_>) -> Option<()> {
        for one in &places.moves {
            let (action, told) = self.transition(one, places);
            for number in self.net.nodes[self.root].vectors.ids() {
                self.vector(one, (self.root, number), (action, &told))?;
            }
        }
        Some(())
    }

    /// What a move reads of the observer, what it is told, and which of this may be anything.
    fn told(&self, one: &Move<'_>, places: &Places<'_>) -> Told {
        let terms = &self.net.terms;
        let sets: Vec<(VarId, TermId)> = match one.to {
            Some(_) => {
                one.sets.iter().filter(|(var, _)| self.stored.contains_key(var)).copied().collect()
            }
            None => Vec::new(),
        };
        let read = one.conditions.iter().copied().chain(sets.iter().map(|(_, value)| *value));
        let mut read: Vec<VarId> =
            read.chain(terms_of(one.step)).flat_map(|term| terms.free_vars(term)).collect();
        read.retain(|var| self.stored.contains_key(var));
        read.sort_unstable();
        read.dedup();
        let given: FxHashSet<VarId> = sets.iter().map(|(var, _)| *var).collect();
        let chosen = one.to.map(|to| places.chosen[to].as_slice()).unwrap_or_default();
        let is_free = |var: &&VarId| self.stored.contains_key(var) && !given.contains(var);
        let chosen = chosen.iter().filter(is_free).copied().collect();
        Told { read, sets, chosen }
    }

    /// The transition of the observer that is a move, and its action.
    fn transition(&mut self, one: &Move<'_>, places: &Places<'_>) -> (ActionId, Told) {
        let told = self.told(one, places);
        let targets: Vec<VarId> =
            told.sets.iter().map(|(var, _)| *var).chain(told.chosen.iter().copied()).collect();
        let terms = &mut self.net.terms;
        let sort = |var: &VarId| terms.var(*var).sort.clone();
        let sorts: Vec<Sort> = told.read.iter().chain(&targets).map(sort).collect();
        let action = ActionId(self.net.algebra.actions.len() as u32);
        let name = Symbol::new(&format!("observe{}", action.index() + 1));
        self.net.algebra.actions.push(Signature { name, sorts });
        let mut args: Vec<TermId> =
            told.read.iter().map(|var| terms.var_term(self.stored[var])).collect();
        let (mut inputs, mut updates) = (Vec::new(), Vec::new());
        for var in &targets {
            let (name, sort) = (terms.var(*var).name, terms.var(*var).sort.clone());
            let input = terms.new_var(name, sort, VariableKind::Input);
            inputs.push(input);
            args.push(terms.var_term(input));
            updates.push((self.stored[var], terms.var_term(input)));
        }
        let action_term = terms.raw(Term::Act(action, args.into()));
        let guard = terms.bool(true);
        let text = self.net.origins.get(self.net.nodes[self.root].origin).span;
        let target = one.to.map_or(self.failed, numbered);
        let leaf = &mut self.net.plts[self.leaf];
        let origin = leaf.origin;
        let _: PltsTransitionId = leaf.transitions.push(Transition {
            source: numbered(one.from),
            target,
            action: action_term,
            inputs,
            guard,
            conditions: IndexVec::default(),
            updates,
            owes: IndexVec::default(),
            action_text: text,
            origin,
        });
        (action, told)
    }

    /// A vector with a move that goes along.
    fn vector(
        &mut self,
        one: &Move<'_>,
        place: VectorPlace,
        (action, told): (ActionId, &Told),
    ) -> Option<()> {
        let mut vector = self.net.vector(place).clone();
        let shown = [(self.formula.shown, vector.result)].into_iter().collect();
        // What the observer knows, by variables of the vector.
        let mut knows: Stored = FxHashMap::default();
        let terms = &mut self.net.terms;
        for &var in told.read.iter().chain(&told.chosen) {
            let (name, sort) = (terms.var(var).name, terms.var(var).sort.clone());
            let own = terms.new_var(name, sort, VariableKind::Vector);
            vector.variables.push(own);
            knows.insert(var, terms.var_term(own));
        }
        let fits = self.fits(one.step, place)?;
        let mut conditions = vec![fits];
        conditions.extend(&one.conditions);
        let text = self.net.origins.get(vector.origin).span;
        for condition in conditions {
            let here = self.net.terms.substitute(condition, &knows);
            for term in conjuncts(&self.net.terms, here) {
                match self.net.terms.as_bool(term) {
                    Some(true) => continue,
                    Some(false) => return Some(()),
                    None => {}
                }
                if !self.net.terms.free_vars(term).iter().any(|var| self.state.contains(var)) {
                    vector.guard = self.net.terms.and([vector.guard, term]);
                    vector.conditions.push(Condition { term, text });
                    continue;
                }
                let term = self.by_known_states(term);
                let guard = self.net.terms.not(term);
                let members = IndexVec::default();
                vector.rivals.push(Rival { members, guard, variables: Vec::new(), text });
            }
        }
        let terms = &mut self.net.terms;
        let mut args: Vec<TermId> = told.read.iter().map(|var| knows[var]).collect();
        for &(_, value) in &told.sets {
            let value = terms.substitute(value, &shown);
            let value = terms.substitute(value, &knows);
            // What is kept of a configuration would have to be told to the observer.
            if terms.free_vars(value).iter().any(|var| self.state.contains(var)) {
                return None;
            }
            args.push(value);
        }
        args.extend(told.chosen.iter().map(|var| knows[var]));
        let action = terms.raw(Term::Act(action, args.into()));
        vector.members.push(Member { part: self.part, action, text });
        self.vectors.push(vector);
        (self.vectors.len() <= MOST_VECTORS).then_some(())
    }

    /// When a step with a vector fits a pattern, over variables of the vector and those of the formula.
    fn fits(&mut self, pattern: &StepPattern, place: VectorPlace) -> Option<TermId> {
        let vector = self.net.vector(place);
        let shown = |action: TermId| [(self.formula.shown, action)].into_iter().collect();
        Some(match pattern {
            StepPattern::Any => self.net.terms.bool(true),
            StepPattern::Shows(term) => {
                let shown = shown(vector.result);
                self.net.terms.substitute(*term, &shown)
            }
            StepPattern::Hole(hole, term) => match self.does(*hole, vector)? {
                Some(action) => {
                    let shown = shown(action);
                    self.net.terms.substitute(*term, &shown)
                }
                None => self.net.terms.bool(false),
            },
            StepPattern::With(all) => {
                if all.iter().any(|(node, _)| *node != self.root) {
                    return None;
                }
                self.net.terms.bool(all.contains(&place))
            }
            StepPattern::Not(inner) => {
                let inner = self.fits(inner, place)?;
                self.net.terms.not(inner)
            }
            StepPattern::And(parts) => {
                let parts = parts.iter().map(|part| self.fits(part, place));
                let parts: Vec<TermId> = parts.collect::<Option<_>>()?;
                self.net.terms.and(parts)
            }
            StepPattern::Or(parts) => {
                let parts = parts.iter().map(|part| self.fits(part, place));
                let parts: Vec<TermId> = parts.collect::<Option<_>>()?;
                self.net.terms.or(parts)
            }
        })
    }

    /// What a hole does in a vector of the root, if it takes part; nothing where it stands further inside.
    fn does(&self, hole: HoleId, vector: &Vector) -> Option<Option<TermId>> {
        let parts = self.net.nodes[self.root].parts.enumerated();
        let mut parts = parts.filter(|(_, part)| part.content == Content::Hole(hole));
        let (part, _) = parts.next()?;
        let member = vector.members.iter().find(|member| member.part == part);
        Some(member.map(|member| member.action))
    }

    /// A condition on states of leaves, by variables that know them.
    fn by_known_states(&mut self, term: TermId) -> TermId {
        let read = self.net.terms.free_vars(term);
        let mut here: Stored = FxHashMap::default();
        for &(var, leaf) in &self.formula.locations {
            if read.contains(&var) {
                let known = self.knowing(leaf);
                here.insert(var, self.net.terms.var_term(known));
            }
        }
        self.net.terms.substitute(term, &here)
    }

    /// The variable of a leaf that knows its state.
    fn knowing(&mut self, leaf: PltsId) -> VarId {
        if let Some(&known) = self.known.get(&leaf) {
            return known;
        }
        let PNet { plts, terms, origins, .. } = &mut self.net;
        let plts = &mut plts[leaf];
        let var = terms.new_var(Symbol::new("state"), Sort::Int, VariableKind::State);
        plts.variables.push((var, Some(terms.int(plts.initial.index()))));
        plts.variable_texts.push(origins.get(plts.origin).span);
        for transition in plts.transitions.iter_mut() {
            if transition.target != transition.source {
                transition.updates.push((var, terms.int(transition.target.index())));
            }
        }
        self.known.insert(leaf, var);
        var
    }

    fn finished(self, places: &Places<'_>, variables: Vec<usize>) -> Observed {
        let Making { mut net, formula, root, leaf, failed, stored, vectors, .. } = self;
        net.nodes[root].vectors = vectors.into_iter().collect();
        net.terms.freeze();
        let mut terms = net.terms.clone();
        let at = terms.new_var(Symbol::new("observer"), Sort::Int, VariableKind::Bound);
        let mut locations = formula.locations.clone();
        locations.push((at, leaf));
        let stored: Stored =
            stored.into_iter().map(|(var, own)| (var, terms.var_term(own))).collect();
        let mut failures: Vec<Failure> =
            places.bad.iter().map(|bad| failure(&mut terms, bad, Some((&stored, at)))).collect();
        let fails = places.moves.iter().filter(|one| one.to.is_none());
        if let Some(first) = fails.clone().next() {
            let (at, number) = (terms.var_term(at), terms.int(failed.index()));
            let when = terms.equal(at, number);
            // Which of several was not to happen is not remembered.
            let text = if fails.count() == 1 { first.text } else { None };
            let (text, opposite) = text.map_or((None, false), |(text, not)| (Some(text), not));
            failures.push(Failure { when, text, opposite, by_step: true });
        }
        let claim = claim(terms, &failures, locations);
        Observed { net, claim, failures, observer: Some(leaf), variables }
    }
}

/// What goes between a vector and the observer.
struct Told {
    /// Variables that the vector reads.
    read: Vec<VarId>,
    /// Variables that get a value.
    sets: Vec<(VarId, TermId)>,
    /// Variables that get any value.
    chosen: Vec<VarId>,
}

/// The variables that a formula binds, as far as somebody reads them later.
fn bound(terms: &Terms, places: &Places<'_>, state: &FxHashSet<VarId>, shown: VarId) -> Vec<VarId> {
    let mut read: Vec<TermId> =
        places.bad.iter().flat_map(|bad| bad.when.iter().copied()).collect();
    for one in &places.moves {
        read.extend(&one.conditions);
        read.extend(one.sets.iter().map(|(_, value)| *value));
        read.extend(terms_of(one.step));
    }
    let mut found: Vec<VarId> = read.into_iter().flat_map(|term| terms.free_vars(term)).collect();
    found.retain(|var| !state.contains(var) && *var != shown);
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether a variable gets values by terms.
fn is_given(places: &Places<'_>, var: VarId) -> bool {
    let sets = places.moves.iter().flat_map(|one| &one.sets);
    places.begins.contains_key(&var) || sets.into_iter().any(|(one, _)| *one == var)
}

/// The terms of a pattern.
fn terms_of(pattern: &StepPattern) -> Vec<TermId> {
    match pattern {
        StepPattern::Any | StepPattern::With(_) => Vec::new(),
        StepPattern::Shows(term) | StepPattern::Hole(_, term) => vec![*term],
        StepPattern::Not(inner) => terms_of(inner),
        StepPattern::And(parts) | StepPattern::Or(parts) => {
            parts.iter().flat_map(terms_of).collect()
        }
    }
}

fn conjuncts(terms: &Terms, term: TermId) -> Vec<TermId> {
    match terms.get(term) {
        Term::And(parts) => parts.to_vec(),
        _ => vec![term],
    }
}

fn numbered(place: usize) -> PltsStateId {
    PltsStateId(place as u32)
}

/// A name that no part has.
fn unused(node: &Composite) -> Symbol {
    let mut name = "observer".to_owned();
    while node.parts.iter().any(|part| part.name.name.as_str() == name) {
        name.push('_');
    }
    Symbol::new(&name)
}
