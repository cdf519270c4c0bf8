//! Rules: what members do together in given states, as code.
//!
//! A *way* is a tree of vectors with leaves and holes at its ends. For each choice of the states of its leaves it has
//! rules, one for each choice of their transitions, which are made when they are needed for the first time.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use itertools::Itertools;
use rustc_hash::FxHashMap;

use super::code::{Code, Reg};
use super::flat::{Tree, transitions};
use crate::base::Id;
use crate::pnet::{PNet, PltsTransitionId, TransitionPlace, VectorPlace};

/// Ways with at most so many choices of states have a place for each of them.
const MOST_DENSE: usize = 1 << 10;
/// A state in which a leaf cannot do it.
const NOWHERE: u16 = u16::MAX;

/// One of the words of a label.
#[derive(Clone, Copy, Debug)]
pub(super) enum LabelPart {
    Word(u64),
    Register(Reg),
}

/// What members do together, each with one transition.
#[derive(Debug, Default)]
pub(super) struct Rule {
    pub code: Code,
    /// What goes first.
    pub sites: Box<[Arc<Site>]>,
    /// The variables that change, and the registers with their values.
    pub updates: Box<[(u32, Reg)]>,
    /// How the words with the states of leaves change: which one, what is cleared, what is set.
    pub states: Box<[(u32, u64, u64)]>,
    pub label: Box<[LabelPart]>,
    pub vectors: Box<[VectorPlace]>,
    pub transitions: Box<[TransitionPlace]>,
    /// Who may take part besides.
    pub wholes: Box<[Whole]>,
    /// Whether it was ever used.
    pub fired: Arc<AtomicBool>,
}

/// The number of a port, among those that maximal progress compares.
pub(super) type PortNumber = u32;

/// Those who may take part in a vector beside others.
#[derive(Debug)]
pub(super) struct Whole {
    pub place: VectorPlace,
    /// Whether the others may take part or not, too.
    pub inner: bool,
    /// The number of the connector, where only the largest interactions can happen.
    pub maximal: Option<u32>,
    /// Whether no other interaction of the connector could be larger: values do not matter, and there is one trigger.
    pub alone: bool,
    /// The ports of the others.
    pub ports: Box<[PortNumber]>,
    pub may: Box<[May]>,
}

/// Members that may take part or not.
#[derive(Debug)]
pub(super) struct May {
    pub site: Arc<Site>,
    /// Where the values begin that they get.
    pub first: Reg,
    pub ports: Box<[PortNumber]>,
}

/// What goes before a vector.
#[derive(Debug)]
pub(super) struct Site {
    pub ways: Vec<Way>,
    /// How many parameters it has.
    pub params: usize,
    /// Its number among all.
    pub number: usize,
}

/// A leaf that takes part.
#[derive(Debug)]
struct Taking {
    leaf: u32,
    /// For each state, its number among those in which it can take part.
    local: Box<[u16]>,
    /// The transitions in each of these.
    choices: Vec<Vec<PltsTransitionId>>,
    stride: usize,
}

/// Rules by the states of the leaves, where there are many.
type SparseRules = RwLock<FxHashMap<Box<[u16]>, Arc<[Rule]>>>;

/// The rules by the states of the leaves.
#[derive(Debug)]
enum Table {
    Dense(Box<[OnceLock<Box<[Rule]>>]>),
    Sparse(SparseRules),
}

/// A way in which parts can move together.
#[derive(Debug)]
pub(super) struct Way {
    pub trees: Vec<Arc<Tree>>,
    taking: Box<[Taking]>,
    table: Table,
}

/// The rules of a way in some states.
pub(super) enum Rules<'w> {
    Kept(&'w [Rule]),
    Shared(Arc<[Rule]>),
}

impl std::ops::Deref for Rules<'_> {
    type Target = [Rule];

    fn deref(&self) -> &[Rule] {
        match self {
            Rules::Kept(rules) => rules,
            Rules::Shared(rules) => rules,
        }
    }
}

impl Way {
    /// A way without rules; nothing if some leaf can never do its part.
    pub fn new(net: &PNet, trees: Vec<Arc<Tree>>) -> Option<Way> {
        let mut leaves = Vec::new();
        trees.iter().for_each(|tree| tree.leaves(&mut leaves));
        let mut taking = Vec::with_capacity(leaves.len());
        let mut size = Some(1_usize);
        for (leaf, head) in leaves {
            let mut local = Vec::new();
            let mut choices: Vec<Vec<PltsTransitionId>> = Vec::new();
            for numbers in transitions(net, leaf, &head) {
                let is_here = !numbers.is_empty();
                local.push(if is_here { choices.len() as u16 } else { NOWHERE });
                if is_here {
                    let ids = numbers.iter().map(|&number| PltsTransitionId::at(number as usize));
                    choices.push(ids.collect());
                }
            }
            if choices.is_empty() || choices.len() >= usize::from(NOWHERE) {
                return None;
            }
            let stride = size.unwrap_or(0);
            size = size.and_then(|size| size.checked_mul(choices.len()));
            size = size.filter(|&size| size <= MOST_DENSE);
            taking.push(Taking { leaf: leaf.0, local: local.into(), choices, stride });
        }
        let table = match size {
            Some(size) => Table::Dense((0..size).map(|_| OnceLock::new()).collect()),
            None => Table::Sparse(RwLock::default()),
        };
        Some(Way { trees, taking: taking.into(), table })
    }

    /// The leaves that take part, each with the states in which it can.
    pub fn leaves(&self) -> impl Iterator<Item = (usize, Vec<usize>)> + '_ {
        self.taking.iter().map(|taking| {
            let states = taking.local.iter().enumerate();
            let states = states.filter(|(_, local)| **local != NOWHERE);
            (taking.leaf as usize, states.map(|(state, _)| state).collect())
        })
    }

    /// The rules in these states of all leaves.
    #[inline]
    pub fn rules(
        &self,
        states: &[u32],
        make: impl FnOnce(&Way, Vec<Vec<PltsTransitionId>>) -> Vec<Rule>,
    ) -> Option<Rules<'_>> {
        match &self.table {
            Table::Dense(table) => {
                let mut at = 0;
                for taking in &self.taking {
                    let local = taking.local[states[taking.leaf as usize] as usize];
                    if local == NOWHERE {
                        return None;
                    }
                    at += usize::from(local) * taking.stride;
                }
                let rules = match table[at].get() {
                    Some(rules) => rules,
                    None => table[at].get_or_init(|| make(self, self.chosen(states)).into()),
                };
                Some(Rules::Kept(rules))
            }
            Table::Sparse(table) => self.sparse(table, states, make),
        }
    }

    fn sparse(
        &self,
        table: &SparseRules,
        states: &[u32],
        make: impl FnOnce(&Way, Vec<Vec<PltsTransitionId>>) -> Vec<Rule>,
    ) -> Option<Rules<'_>> {
        let mut key = Vec::with_capacity(self.taking.len());
        for taking in &self.taking {
            match taking.local[states[taking.leaf as usize] as usize] {
                NOWHERE => return None,
                local => key.push(local),
            }
        }
        let known = table.read().unwrap_or_else(PoisonError::into_inner).get(&key[..]).cloned();
        if let Some(rules) = known {
            return Some(Rules::Shared(rules));
        }
        let rules: Arc<[Rule]> = make(self, self.chosen(states)).into();
        let mut table = table.write().unwrap_or_else(PoisonError::into_inner);
        Some(Rules::Shared(table.entry(key.into()).or_insert(rules).clone()))
    }

    /// The transitions that the leaves can make in these states.
    fn chosen(&self, states: &[u32]) -> Vec<Vec<PltsTransitionId>> {
        let chosen = |taking: &Taking| {
            let local = taking.local[states[taking.leaf as usize] as usize];
            taking.choices.get(usize::from(local)).cloned().unwrap_or_default()
        };
        self.taking.iter().map(chosen).collect()
    }

    /// Calls a function for each rule that was made.
    pub fn each_rule(&self, mut f: impl FnMut(&Rule)) {
        match &self.table {
            Table::Dense(table) => {
                table.iter().filter_map(OnceLock::get).flatten().for_each(&mut f);
            }
            Table::Sparse(table) => {
                let table = table.read().unwrap_or_else(PoisonError::into_inner);
                table.values().flat_map(|rules| rules.iter()).for_each(&mut f);
            }
        }
    }
}

/// Every choice of one transition for each leaf.
pub(super) fn choices(
    chosen: Vec<Vec<PltsTransitionId>>,
) -> impl Iterator<Item = Vec<PltsTransitionId>> {
    let none = chosen.is_empty().then(Vec::new);
    let all = chosen.into_iter().multi_cartesian_product();
    // Recent versions of the product have one row where there are no columns.
    let all = all.filter(|row| !row.is_empty());
    none.into_iter().chain(all)
}
