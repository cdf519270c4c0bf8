//! The default algorithm: what a part can do is computed once for each state of that part, solved at once, and
//! joined on an index by the heads of actions, so that only moves which can fit ever meet.
//!
//! - A part's state has a number of its own. What a vector makes depends on the states of its members alone, and
//!   is kept under these.
//! - Moves are solved at every level: an impossible one is left out where it arises, and goes no further up.
//! - Global states are explored as they are reached, a layer at a time; the questions of a layer are asked
//!   together, each once.

use std::rc::Rc;

use indexmap::IndexSet;
use itertools::Itertools;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::explore::{self, Explorable, Explored, InLayer, Layer, Successors};
use super::literal::reason;
use super::priority::{GivesWay, blocked};
use super::rules::{Claim, Fact, Open, Rules};
use super::solve::{Solved, solve};
use super::{Found, Watch};
use crate::algebra::{ActionId, Term, TermId, Terms};
use crate::automaton::Used;
use crate::base::budget::is_spent;
use crate::base::{Id, IndexVec};
use crate::pnet::{
    Content, NodeId, Part, PartId, PltsId, PltsStateId, PltsStates, PltsTransitionId, Vector,
    VectorId, VectorPlace,
};
use crate::smt::Answer;
use crate::smt::Oracle;
use crate::tagged_id;

/// When the work is stopped, no more transitions than this are shown of what was found so far.
const MOST_WHEN_STOPPED: usize = 20_000;

tagged_id! {
    /// A move of a part, in the table of all moves.
    MoveId
}

tagged_id! {
    /// A state of a part, among those of that part: for a leaf, the state of its pLTS.
    Local
}

tagged_id! {
    /// Something that a part can do in one of its states.
    OfferId
}

/// A move, solved, with what it was made of.
struct Made {
    /// What it does, with conditions as its only facts.
    open: Open,
    /// What it was made of, to make it again as the rules say.
    parts: Parts,
    unknown: Option<String>,
}

enum Parts {
    Leaf(PltsId, PltsTransitionId),
    Node { node: NodeId, vector: VectorId, moves: Vec<MoveId>, blocked: Vec<GivesWay> },
}

/// What a part can do in one of its states.
struct Offers {
    /// The moves, each with the state of the part after it.
    moves: IndexVec<OfferId, (MoveId, Local)>,
    /// Their places, by the heads of their actions.
    by_head: FxHashMap<Head, Vec<OfferId>>,
    /// Those whose action is not known before values are.
    headless: Vec<OfferId>,
}

/// What is visible of an action before values are known.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Head {
    Tau,
    Act(ActionId),
    Sync,
    Co,
}

fn head(terms: &Terms, action: TermId) -> Option<Head> {
    match terms.get(action) {
        Term::Tau => Some(Head::Tau),
        Term::Act(id, _) => Some(Head::Act(*id)),
        Term::Sync(_) => Some(Head::Sync),
        Term::Co(_) => Some(Head::Co),
        _ => None,
    }
}

/// The new states of the members of a vector that are not holes.
type Changes = Vec<(PartId, Local)>;

/// What a vector makes of its members' states: moves, each with the new states.
type VectorMoves = Rc<Vec<(MoveId, Changes)>>;

/// A state of a node: one of each part.
type PartStates = IndexVec<PartId, Local>;

/// The states of one node that have been met: tuples of those of its parts.
type Locals = IndexSet<PartStates, FxBuildHasher>;

fn numbered(locals: &mut Locals, tuple: PartStates) -> Local {
    Local::at(locals.insert_full(tuple).0)
}

/// What the moves of a vector depend on: the states of some parts.
type VectorKey = (VectorPlace, Box<[Local]>);

struct Fast<'a, 'n> {
    rules: &'a mut Rules<'n>,
    oracle: &'a mut Oracle<'n>,
    table: IndexVec<MoveId, Made>,
    /// How many moves of the root were built, possible or not.
    built: usize,
    leaf_offers: FxHashMap<(PltsId, Local), Rc<Offers>>,
    node_offers: FxHashMap<(NodeId, Local), Rc<Offers>>,
    locals: IndexVec<NodeId, Locals>,
    vector_moves: FxHashMap<VectorKey, VectorMoves>,
}

/// Explores.
pub(super) fn explore<'n>(
    rules: &mut Rules<'n>,
    oracle: &mut Oracle<'n>,
    watch: &dyn Watch,
) -> Found {
    let mut fast = Fast::new(rules, oracle);
    let root = fast.rules.net.root;
    let first = fast.initial(root);
    let Explored { states, mut moves, stopped } = explore::explore(first, &mut fast, watch);
    if is_spent() {
        // To write down what was found is work, too.
        moves.truncate(MOST_WHEN_STOPPED);
    }
    Found {
        states: states.into_iter().map(|state| fast.leaves(root, state)).collect(),
        moves: fast.with_all_facts(moves),
        built: fast.built,
        stopped,
    }
}

impl Successors for Fast<'_, '_> {
    type State = Local;
    type Move = MoveId;

    fn from(&mut self, layer: &Layer<Local>, at: InLayer) -> Vec<(Local, MoveId)> {
        let root = self.rules.net.root;
        if at == InLayer::FIRST {
            self.prepare(root, layer.as_slice());
        }
        let offers = self.offers(root, layer[at]);
        offers.moves.iter().map(|&(made, target)| (target, made)).collect()
    }

    fn queries(&self) -> usize {
        self.oracle.queries
    }
}

impl<'a, 'n> Fast<'a, 'n> {
    fn new(rules: &'a mut Rules<'n>, oracle: &'a mut Oracle<'n>) -> Fast<'a, 'n> {
        let nodes = rules.net.nodes.len();
        Fast {
            rules,
            oracle,
            table: IndexVec::default(),
            built: 0,
            leaf_offers: FxHashMap::default(),
            node_offers: FxHashMap::default(),
            locals: (0..nodes).map(|_| Locals::default()).collect(),
            vector_moves: FxHashMap::default(),
        }
    }

    /// Moves of the whole net as the rules say, each made once.
    fn with_all_facts(
        &mut self,
        moves: Vec<Explorable<MoveId>>,
    ) -> Vec<Explorable<(Rc<Open>, Option<String>)>> {
        let mut again: FxHashMap<MoveId, Rc<Open>> = FxHashMap::default();
        let mut open = |made: MoveId| {
            let open = again.entry(made).or_insert_with(|| Rc::new(self.as_the_rules_say(made)));
            (Rc::clone(open), self.table[made].unknown.clone())
        };
        moves.into_iter().map(|one| one.map(&mut open)).collect()
    }

    // ---- states ----

    fn initial(&mut self, content: Content) -> Local {
        match content {
            Content::Hole(_) => Local(0),
            Content::Leaf(leaf) => Local(self.rules.net.plts[leaf].initial.0),
            Content::Node(node) => {
                let parts = &self.rules.net.nodes[node].parts;
                let tuple = parts.iter().map(|part| self.initial(part.content)).collect();
                numbered(&mut self.locals[node], tuple)
            }
        }
    }

    /// The states of all leaves.
    fn leaves(&self, root: Content, local: Local) -> PltsStates {
        let mut states = IndexVec::of(self.rules.net.plts.len(), PltsStateId(0));
        let mut work = vec![(root, local)];
        while let Some((content, local)) = work.pop() {
            match content {
                Content::Hole(_) => {}
                Content::Leaf(leaf) => states[leaf] = PltsStateId(local.0),
                Content::Node(node) => {
                    let tuple = &self.locals[node][local.index()];
                    let parts = &self.rules.net.nodes[node].parts;
                    work.extend(parts.iter().map(|part| part.content).zip(tuple.iter().copied()));
                }
            }
        }
        states
    }

    // ---- moves ----

    fn offers(&mut self, content: Content, local: Local) -> Rc<Offers> {
        match content {
            Content::Hole(_) => Rc::new(self.indexed(IndexVec::default())),
            Content::Leaf(leaf) => self.leaf(leaf, local),
            Content::Node(node) => self.node(node, local),
        }
    }

    fn indexed(&self, moves: IndexVec<OfferId, (MoveId, Local)>) -> Offers {
        let mut offers = Offers { moves, by_head: FxHashMap::default(), headless: Vec::new() };
        for (place, &(made, _)) in offers.moves.enumerated() {
            match head(&self.rules.terms, self.table[made].open.action) {
                Some(head) => offers.by_head.entry(head).or_default().push(place),
                None => offers.headless.push(place),
            }
        }
        offers
    }

    fn leaf(&mut self, leaf: PltsId, local: Local) -> Rc<Offers> {
        if let Some(known) = self.leaf_offers.get(&(leaf, local)) {
            return Rc::clone(known);
        }
        let net = self.rules.net;
        let transitions = net.plts[leaf].transitions.enumerated();
        let mut pending = Vec::new();
        for (number, transition) in transitions {
            if transition.source.0 == local.0 {
                let open = self.rules.leaf(leaf, number);
                let target = Local(transition.target.0);
                pending.push((open, Parts::Leaf(leaf, number), target));
            }
        }
        let is_root = net.root == Content::Leaf(leaf);
        let made = self.keep_possible(pending, is_root);
        let offers = Rc::new(self.indexed(made.into()));
        self.leaf_offers.insert((leaf, local), Rc::clone(&offers));
        offers
    }

    /// Solves moves, asks about those that are not clear, and puts what is possible into the table.
    fn keep_possible<T>(
        &mut self,
        pending: Vec<(Open, Parts, T)>,
        is_root: bool,
    ) -> Vec<(MoveId, T)> {
        if is_root {
            self.built += pending.len();
        }
        let mut solved = Vec::with_capacity(pending.len());
        let mut questions = Vec::with_capacity(pending.len());
        for (open, parts, rest) in pending {
            if is_spent() {
                break;
            }
            let Some(done) = solve(&mut self.rules.terms, &open) else { continue };
            let mut question = done.conditions.clone();
            for fact in self.rules.holes_keep_to_sorts(&done.holes) {
                if let Claim::Holds(term) = fact.claim {
                    question.push(term);
                }
            }
            questions.push(question);
            solved.push((as_open(&open, done), parts, rest));
        }
        let answers = self.oracle.check_all(&mut self.rules.terms, questions);
        let mut kept = Vec::with_capacity(solved.len());
        for ((open, parts, rest), answer) in solved.into_iter().zip(answers) {
            if answer != Answer::Unsat {
                let made = self.table.push(Made { open, parts, unknown: reason(answer) });
                kept.push((made, rest));
            }
        }
        kept
    }

    fn node(&mut self, node: NodeId, local: Local) -> Rc<Offers> {
        if let Some(known) = self.node_offers.get(&(node, local)) {
            return Rc::clone(known);
        }
        self.prepare(Content::Node(node), &[local]);
        let tuple = self.locals[node][local.index()].clone();
        let mut moves = IndexVec::default();
        for number in self.rules.net.nodes[node].vectors.ids() {
            let key = self.key((node, number), &tuple);
            let Some(made) = self.vector_moves.get(&key).cloned() else { continue };
            for (made, changes) in made.iter() {
                let mut after = tuple.clone();
                changes.iter().for_each(|&(part, to)| after[part] = to);
                moves.push((*made, numbered(&mut self.locals[node], after)));
            }
        }
        let offers = Rc::new(self.indexed(moves));
        self.node_offers.insert((node, local), Rc::clone(&offers));
        offers
    }

    /// What a vector's moves depend on: the states of its members, and of those it gives way to.
    fn key(&self, place: VectorPlace, tuple: &PartStates) -> VectorKey {
        let vector = self.rules.net.vector(place);
        let rivals = vector.rivals.iter().flat_map(|rival| &rival.members);
        let states = vector.members.iter().chain(rivals).map(|member| tuple[member.part]);
        (place, states.collect())
    }

    /// Makes the moves of a node's vectors in several of its states, and asks about all of them together.
    fn prepare(&mut self, content: Content, states: &[Local]) {
        let Content::Node(node) = content else { return };
        let net = self.rules.net;
        let composite = &net.nodes[node];
        let mut keys = Vec::new();
        let mut pending = Vec::new();
        for &local in states {
            if is_spent() {
                break;
            }
            if self.node_offers.contains_key(&(node, local)) {
                continue;
            }
            let tuple = self.locals[node][local.index()].clone();
            for (number, vector) in composite.vectors.enumerated() {
                let key = self.key((node, number), &tuple);
                if self.vector_moves.contains_key(&key) {
                    continue;
                }
                self.vector_moves.insert(key.clone(), Rc::default());
                for (open, parts, changes) in self.join((node, number), vector, &tuple) {
                    pending.push((open, parts, (keys.len(), changes)));
                }
                keys.push(key);
            }
        }
        let is_root = net.root == content;
        let kept = self.keep_possible(pending, is_root);
        let mut made: Vec<Vec<(MoveId, Changes)>> = vec![Vec::new(); keys.len()];
        for (id, (place, changes)) in kept {
            made[place].push((id, changes));
        }
        for (key, made) in keys.into_iter().zip(made) {
            self.vector_moves.insert(key, Rc::new(made));
        }
    }

    /// Everything that a vector can do in one state of its node, not solved yet.
    fn join(
        &mut self,
        (node, number): VectorPlace,
        vector: &Vector,
        tuple: &PartStates,
    ) -> Vec<(Open, Parts, Changes)> {
        let net = self.rules.net;
        let parts = &net.nodes[node].parts;
        let members: Vec<_> = self.rules.inner_members(node, &vector.members).collect();
        let mut choices: Vec<(PartId, Rc<Offers>, Vec<OfferId>)> =
            Vec::with_capacity(members.len());
        for member in &members {
            let offers = self.offers(parts[member.part].content, tuple[member.part]);
            let fitting = match head(&self.rules.terms, member.action) {
                None => offers.moves.ids().collect(),
                Some(head) => {
                    let same = offers.by_head.get(&head).into_iter().flatten();
                    same.chain(&offers.headless).copied().collect::<Vec<OfferId>>()
                }
            };
            if fitting.is_empty() {
                return Vec::new();
            }
            choices.push((member.part, offers, fitting));
        }
        let conditions = self.give_way((node, number), parts, tuple);
        let mut made = Vec::new();
        let choices = choices.iter().map(|(part, offers, fitting)| {
            fitting.iter().map(move |&place| {
                let (id, to) = offers.moves[place];
                (*part, id, to)
            })
        });
        for chosen in choices.multi_cartesian_product().take_while(|_| !is_spent()) {
            let opens = chosen.iter().map(|(_, id, _)| &self.table[*id].open);
            let open = self.rules.node(node, number, opens, &conditions);
            let moves = chosen.iter().map(|(_, id, _)| *id).collect();
            let changes = chosen.iter().map(|&(part, _, to)| (part, to)).collect();
            let parts = Parts::Node { node, vector: number, moves, blocked: conditions.clone() };
            made.push((open, parts, changes));
        }
        made
    }

    /// The conditions under which nothing is possible that goes before a vector.
    fn give_way(
        &mut self,
        place: VectorPlace,
        parts: &IndexVec<PartId, Part>,
        tuple: &PartStates,
    ) -> Vec<GivesWay> {
        let vector = self.rules.net.vector(place);
        if vector.rivals.is_empty() {
            return Vec::new();
        }
        let mut offered: FxHashMap<PartId, Rc<Offers>> = FxHashMap::default();
        for member in vector.rivals.iter().flat_map(|rival| &rival.members) {
            let part = member.part;
            offered.entry(part).or_insert_with(|| self.offers(parts[part].content, tuple[part]));
        }
        let table = &self.table;
        blocked(self.rules, place, &|part| {
            let moves = offered.get(&part).map(|offers| offers.moves.as_slice());
            moves.unwrap_or_default().iter().map(|(id, _)| &table[*id].open).collect()
        })
    }

    /// A move made again as the rules say, with all facts.
    fn as_the_rules_say(&mut self, id: MoveId) -> Open {
        // Hierarchies are at most some hundred levels deep.
        match &self.table[id].parts {
            Parts::Leaf(leaf, number) => {
                let (leaf, number) = (*leaf, *number);
                self.rules.leaf(leaf, number)
            }
            Parts::Node { node, vector, moves, blocked } => {
                let (node, vector) = (*node, *vector);
                let (moves, blocked) = (moves.clone(), blocked.clone());
                let opens: Vec<Open> =
                    moves.into_iter().map(|id| self.as_the_rules_say(id)).collect();
                self.rules.node(node, vector, &opens, &blocked)
            }
        }
    }
}

/// A move with its conditions as its only facts, and no more than others need to be made of it. What it assigns,
/// where it leads and what it used is found when it is made again, once, for the whole net.
fn as_open(open: &Open, solved: Solved) -> Open {
    let because = super::rules::Because::Solved;
    let facts = solved.conditions.into_iter();
    let facts = facts.map(|term| Fact { claim: Claim::Holds(term), because }).collect();
    Open {
        facts,
        holes: solved.holes,
        action: solved.action,
        updates: Vec::new(),
        moves: Vec::new(),
        last: open.last,
        used: Used::default(),
    }
}
