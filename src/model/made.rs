//! What was made of a program: nets, automata and outcomes, each once, for whoever asks.
//!
//! Nothing is made under a lock, so that work which is left behind holds up nobody. Two who make the same at the same
//! time both make it, and the first is kept. What was not made to its end is not kept: who asks next tries again.

use std::hash::Hash;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

use super::{Composition, ModelOptions, NotComposed};
use crate::base::budget;
use crate::diagnostics::Span;
use crate::elaborate::{self, Target};
use crate::generate::{self, Generated};
use crate::loader::ModuleId;
use crate::outcome::Outcome;
use crate::pnet::PNet;
use crate::syntax::token::Token;

/// What a net is made from, and how.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct NetKey {
    pub what: What,
    pub options: elaborate::ElaborateOptions,
}

/// What a net is made from.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum What {
    /// A component whose parameters stand for any value.
    Target(Target),
    /// An instance as it is written in a module.
    Instance(ModuleId, Vec<Token>),
}

/// The net of an automaton, and how that is generated.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct AutomatonKey(pub NetKey, pub generate::Options);

/// Values by their keys.
#[derive(Debug)]
struct Table<K, V>(Mutex<FxHashMap<K, Arc<V>>>);

impl<K, V> Default for Table<K, V> {
    fn default() -> Table<K, V> {
        Table(Mutex::default())
    }
}

impl<K: Eq + Hash, V> Table<K, V> {
    fn all(&self) -> MutexGuard<'_, FxHashMap<K, Arc<V>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn get(&self, key: &K) -> Option<Arc<V>> {
        self.all().get(key).cloned()
    }

    /// Keeps a value, unless there is one.
    fn keep(&self, key: K, value: Arc<V>) -> Arc<V> {
        Arc::clone(self.all().entry(key).or_insert(value))
    }
}

/// What was made of a program.
#[derive(Debug, Default)]
pub struct Made {
    nets: Table<NetKey, PNet>,
    automata: Table<AutomatonKey, Generated>,
    compositions: Table<AutomatonKey, Result<Composition, NotComposed>>,
    outcomes: Table<(Span, ModelOptions), Outcome>,
    pub(super) counts: Arc<Counting>,
}

impl Made {
    /// Nothing yet; what is made is counted here.
    pub fn counted(counts: Arc<Counting>) -> Made {
        Made { counts, ..Made::default() }
    }

    /// Forgets all that was made, to have its memory back.
    pub fn forget(&self) {
        self.nets.all().clear();
        self.automata.all().clear();
        self.compositions.all().clear();
        self.outcomes.all().clear();
    }

    pub(super) fn net(&self, key: &NetKey) -> Option<Arc<PNet>> {
        self.nets.get(key)
    }

    pub(super) fn keep_net(&self, key: NetKey, net: PNet) -> Arc<PNet> {
        self.counts.nets.add(1);
        let net = Arc::new(net);
        if budget::here().spent().is_some() {
            return net;
        }
        self.nets.keep(key, net)
    }

    pub(super) fn automaton(&self, key: &AutomatonKey) -> Option<Arc<Generated>> {
        self.automata.get(key)
    }

    pub(super) fn keep_automaton(&self, key: AutomatonKey, automaton: Arc<Generated>) {
        self.automata.keep(key, automaton);
    }

    pub(super) fn composition(
        &self,
        key: &AutomatonKey,
    ) -> Option<Arc<Result<Composition, NotComposed>>> {
        self.compositions.get(key)
    }

    pub(super) fn keep_composition(
        &self,
        key: AutomatonKey,
        composition: Result<Composition, NotComposed>,
    ) {
        self.compositions.keep(key, Arc::new(composition));
    }

    /// What came out of the check at this place.
    pub fn outcome(&self, check: Span, options: &ModelOptions) -> Option<Arc<Outcome>> {
        self.outcomes.get(&(check, options.clone()))
    }

    /// Keeps what came out of the check at this place.
    pub fn keep_outcome(&self, check: Span, options: &ModelOptions, outcome: Outcome) {
        self.outcomes.keep((check, options.clone()), Arc::new(outcome));
    }
}

/// How much work was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WorkCounts {
    /// Texts that were parsed, with those of the library.
    pub parsed: usize,
    /// Nets that were elaborated.
    pub nets: usize,
    /// Automata that were generated as a whole.
    pub automata: usize,
    /// Automata that were composed.
    pub compositions: usize,
    /// Checks that were run.
    pub checks: usize,
}

/// Counts work as it is done.
#[derive(Debug, Default)]
pub struct Counting {
    parsed: Count,
    nets: Count,
    automata: Count,
    compositions: Count,
    checks: Count,
}

#[derive(Debug, Default)]
struct Count(AtomicUsize);

impl Count {
    fn add(&self, more: usize) {
        self.0.fetch_add(more, Ordering::Relaxed);
    }

    fn get(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

impl Counting {
    /// What was counted so far.
    pub fn so_far(&self) -> WorkCounts {
        WorkCounts {
            parsed: self.parsed.get(),
            nets: self.nets.get(),
            automata: self.automata.get(),
            compositions: self.compositions.get(),
            checks: self.checks.get(),
        }
    }

    /// Counts a check.
    pub fn checked(&self) {
        self.checks.add(1);
    }

    pub(super) fn parsed(&self, texts: usize) {
        self.parsed.add(texts);
    }

    pub(super) fn generated(&self) {
        self.automata.add(1);
    }

    pub(super) fn composed(&self) {
        self.compositions.add(1);
    }
}
