//! Labelled transition systems in memory: labels are numbers, and the steps of each state stand side by side.

use rustc_hash::FxHashMap;

use super::rows::Rows;
use crate::base::{Id, IndexVec};
use crate::tagged_id;

tagged_id!(
    /// A state of a labelled transition system.
    LtsState
);

tagged_id!(
    /// A label of a labelled transition system.
    LtsLabel
);

impl LtsLabel {
    /// The silent action. Every system has this label, whether it is used or not.
    pub const SILENT: LtsLabel = LtsLabel(0);

    /// Whether it is the silent action.
    pub fn is_silent(self) -> bool {
        self == LtsLabel::SILENT
    }
}

/// A step: what is done, and where it leads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LtsStep {
    /// What is done.
    pub label: LtsLabel,
    /// Where it leads.
    pub to: LtsState,
}

/// The labels of a system by their texts.
#[derive(Clone, Debug)]
pub struct LabelTable {
    texts: IndexVec<LtsLabel, Box<str>>,
    known: FxHashMap<Box<str>, LtsLabel>,
}

impl LabelTable {
    /// Only the silent action, under a name by which it is told from others.
    pub fn new(silent: &str) -> LabelTable {
        let mut table = LabelTable { texts: IndexVec::default(), known: FxHashMap::default() };
        table.intern(silent);
        table
    }

    /// One more name of the silent action.
    pub fn also_silent(&mut self, text: &str) {
        self.known.insert(text.into(), LtsLabel::SILENT);
    }

    /// The label with this text, which is new or known.
    pub fn intern(&mut self, text: &str) -> LtsLabel {
        if let Some(known) = self.known.get(text) {
            return *known;
        }
        let label = self.texts.push(text.into());
        self.known.insert(text.into(), label);
        label
    }

    /// The label with this text, if there is one.
    pub fn get(&self, text: &str) -> Option<LtsLabel> {
        self.known.get(text).copied()
    }

    /// The text of a label.
    pub fn text(&self, label: LtsLabel) -> &str {
        &self.texts[label]
    }

    /// How many there are, the silent action included.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Never: there is always the silent action.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// All labels, the silent action first.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = LtsLabel> + use<> {
        self.texts.ids()
    }

    /// The rank of each label by its text, the silent action first: an order that does not depend on what was read first.
    pub fn ranks(&self) -> IndexVec<LtsLabel, u32> {
        let mut order: Vec<LtsLabel> = self.ids().collect();
        order.sort_by_key(|label| (!label.is_silent(), self.text(*label)));
        let mut ranks = IndexVec::of(self.len(), 0);
        order.iter().enumerate().for_each(|(rank, label)| ranks[*label] = rank as u32);
        ranks
    }

    /// The labels that are used, in the order of their ranks, and the new label of each rank.
    pub(super) fn in_order(
        &self,
        ranks: &IndexVec<LtsLabel, u32>,
        used: &IndexVec<LtsLabel, bool>,
    ) -> (LabelTable, Vec<LtsLabel>) {
        let mut by_rank = vec![LtsLabel::SILENT; self.len()];
        ranks.enumerated().for_each(|(label, rank)| by_rank[*rank as usize] = label);
        let mut table = LabelTable::new(self.text(LtsLabel::SILENT));
        let new = by_rank.iter().map(|label| match used[*label] {
            true => table.intern(self.text(*label)),
            false => LtsLabel::SILENT,
        });
        let new = new.collect();
        (table, new)
    }
}

/// A labelled transition system.
///
/// The steps of each state are in order and different from each other; that is what makes two systems with the same
/// states the same.
#[derive(Clone, Debug)]
pub struct Lts {
    labels: LabelTable,
    initial: LtsState,
    rows: Rows<LtsState, LtsStep>,
}

impl Lts {
    /// A system from the steps of all its states.
    pub fn new(labels: LabelTable, initial: LtsState, mut rows: Rows<LtsState, LtsStep>) -> Lts {
        rows.sort_and_dedup();
        Lts { labels, initial, rows }
    }

    /// The labels.
    pub fn labels(&self) -> &LabelTable {
        &self.labels
    }

    /// The text of a label.
    pub fn text(&self, label: LtsLabel) -> &str {
        self.labels.text(label)
    }

    /// Where it begins.
    pub fn initial(&self) -> LtsState {
        self.initial
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.rows.len()
    }

    /// How many transitions there are.
    pub fn transitions(&self) -> usize {
        self.rows.items()
    }

    /// All states.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = LtsState> + Clone + use<> {
        (0..self.states()).map(LtsState::at)
    }

    /// The steps of a state, by their labels and then by where they lead.
    pub fn steps(&self, state: LtsState) -> &[LtsStep] {
        self.rows.row(state)
    }

    /// The silent steps of a state.
    pub fn silent_steps(&self, state: LtsState) -> &[LtsStep] {
        let steps = self.steps(state);
        &steps[..steps.partition_point(|step| step.label.is_silent())]
    }

    /// The steps of a state that can be seen.
    pub fn visible_steps(&self, state: LtsState) -> &[LtsStep] {
        let steps = self.steps(state);
        &steps[steps.partition_point(|step| step.label.is_silent())..]
    }

    /// The steps of a state with one label.
    pub fn steps_by(&self, state: LtsState, label: LtsLabel) -> &[LtsStep] {
        let steps = self.steps(state);
        let from = steps.partition_point(|step| step.label < label);
        let to = steps.partition_point(|step| step.label <= label);
        &steps[from..to]
    }

    /// Whether some step is silent.
    pub fn has_silent_steps(&self) -> bool {
        self.ids().any(|state| !self.silent_steps(state).is_empty())
    }

    /// The same with these labels silent, too.
    #[must_use]
    pub fn hiding(self, is_hidden: impl Fn(&str) -> bool) -> Lts {
        let hidden: Vec<bool> =
            self.labels.ids().map(|label| is_hidden(self.labels.text(label))).collect();
        if !hidden.contains(&true) {
            return self;
        }
        let mut made = LtsBuilder::new(self.labels.clone());
        made.reserve(self.transitions());
        for from in self.ids() {
            made.state(from);
            for step in self.steps(from) {
                let is_hidden = hidden.get(step.label.index()).is_some_and(|hidden| *hidden);
                let label = if is_hidden { LtsLabel::SILENT } else { step.label };
                made.add(from, label, step.to);
            }
        }
        made.finish(self.initial)
    }

    /// The same, with the labels apart.
    pub fn into_parts(self) -> (LabelTable, LtsState, Rows<LtsState, LtsStep>) {
        (self.labels, self.initial, self.rows)
    }

    /// The steps that lead to each state, by their labels and then by where they come from, which is `to` here.
    pub fn backwards(&self) -> Rows<LtsState, LtsStep> {
        let count = |counts: &mut Rows<LtsState, LtsStep>| {
            for state in self.ids() {
                self.steps(state).iter().for_each(|step| counts.count(step.to));
            }
        };
        let none = LtsStep { label: LtsLabel::SILENT, to: self.initial };
        let mut rows = Rows::counted(self.states(), none, count, |put| {
            for from in self.ids() {
                for step in self.steps(from) {
                    put(step.to, LtsStep { label: step.label, to: from });
                }
            }
        });
        rows.sort_and_dedup();
        rows
    }
}

/// Takes in transitions in any order, and makes a system of them.
#[derive(Debug)]
pub struct LtsBuilder {
    /// The labels, which whoever adds transitions may intern in.
    pub labels: LabelTable,
    from: Vec<LtsState>,
    steps: Vec<LtsStep>,
    states: u32,
    /// Whether all transitions so far came in the order of their sources.
    in_order: bool,
}

impl LtsBuilder {
    /// No transitions yet.
    pub fn new(labels: LabelTable) -> LtsBuilder {
        LtsBuilder { labels, from: Vec::new(), steps: Vec::new(), states: 0, in_order: true }
    }

    /// There will be so many transitions, perhaps.
    pub fn reserve(&mut self, transitions: usize) {
        self.from.reserve(transitions);
        self.steps.reserve(transitions);
    }

    /// Sees to it that there is this state.
    pub fn state(&mut self, state: LtsState) {
        self.states = self.states.max(state.0 + 1);
    }

    /// One more transition.
    pub fn add(&mut self, from: LtsState, label: LtsLabel, to: LtsState) {
        self.in_order &= self.from.last().is_none_or(|last| *last <= from);
        self.states = self.states.max(from.0.max(to.0) + 1);
        self.from.push(from);
        self.steps.push(LtsStep { label, to });
    }

    /// How many transitions were added.
    pub fn transitions(&self) -> usize {
        self.steps.len()
    }

    /// Whether some step so far is silent.
    pub fn has_silent(&self) -> bool {
        self.steps.iter().any(|step| step.label.is_silent())
    }

    /// How many states there are so far.
    pub fn states(&self) -> usize {
        self.states as usize
    }

    /// The system.
    pub fn finish(mut self, initial: LtsState) -> Lts {
        self.state(initial);
        let states = self.states as usize;
        let rows = if self.in_order {
            Rows::of_sorted(states, &self.from, self.steps)
        } else {
            Rows::of_unsorted(states, self.from, self.steps)
        };
        Lts::new(self.labels, initial, rows)
    }
}
