//! Semi-composition: of a part, what is left of it in company with an interface (Krimm & Mounier; Lang, RR-5996, Definition 4).
//!
//! What goes in: a part, which may be made on the way, and an interface: a system, and which labels of the part it controls. What
//! comes out: the states and transitions of the part that occur when both go together, controlled labels only together. The
//! part is never asked for anything else: what the interface forbids costs nothing.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::behaviour::{Behaviour, NotGenerated, look};
use super::product::ProductLimits;
use super::tuples::{Layout, TupleStore};
use crate::base::{Id, IndexVec, Watch};
use crate::lts::{LabelTable, Lts, LtsLabel, LtsState, LtsStep, Rows};

/// The labels that an interface controls: a part does them only together with it. Silent steps are never controlled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Controls {
    /// All but these.
    AllBut(BTreeSet<String>),
    /// Only these.
    Only(BTreeSet<String>),
}

impl Controls {
    /// Whether a label is controlled.
    pub fn has(&self, label: &str) -> bool {
        match self {
            Controls::AllBut(free) => !free.contains(label),
            Controls::Only(controlled) => controlled.contains(label),
        }
    }
}

/// An interface.
#[derive(Clone, Debug)]
pub struct Interface {
    /// What it does. Silent steps, and others that it does not control, are its own.
    pub lts: Lts,
    /// What it controls: what it never does of that, the part never does either.
    pub controls: Controls,
    /// The labels that the part was said to have, if the interface is right only for such a part.
    pub foreseen: Option<LabelTable>,
}

impl Interface {
    /// For each label of a part: how it is controlled.
    fn rules(&self, labels: &LabelTable) -> IndexVec<LtsLabel, Rule> {
        let is_foreseen = |text| self.foreseen.as_ref().is_none_or(|all| all.get(text).is_some());
        let rule = |label: LtsLabel| match labels.text(label) {
            _ if label.is_silent() => Rule::Free,
            text if !is_foreseen(text) => Rule::Unforeseen,
            text if !self.controls.has(text) => Rule::Free,
            text => self.lts.labels().get(text).map_or(Rule::Never, Rule::Together),
        };
        labels.ids().map(rule).collect()
    }

    /// For each of its own labels: whether it does it by itself.
    fn alone(&self) -> IndexVec<LtsLabel, bool> {
        let labels = self.lts.labels();
        let is_alone =
            |label: LtsLabel| label.is_silent() || !self.controls.has(labels.text(label));
        labels.ids().map(is_alone).collect()
    }
}

/// How a label of a part is controlled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Rule {
    Free,
    Together(LtsLabel),
    Never,
    /// The interface was made for a part without it.
    Unforeseen,
}

/// What is left of a part.
#[derive(Clone, Debug)]
pub struct Restricted {
    /// The states and transitions that occur, numbered as they are met; the labels are those of the part.
    pub lts: Lts,
    /// What each state is called by the part.
    pub origin: IndexVec<LtsState, LtsState>,
    /// In how many pairs of a state of the part and one of the interface.
    pub pairs: usize,
    /// How many bytes the pairs took.
    pub store_bytes: usize,
}

/// What is left of a part in company with an interface.
pub fn restrict(
    part: &mut dyn Behaviour,
    interface: &Interface,
    limits: ProductLimits,
    watch: &dyn Watch,
) -> Result<Restricted, NotGenerated> {
    let rules = interface.rules(part.labels());
    Walk::new(part, interface, rules)?.go(limits, watch)
}

/// A state of the part or of the interface, as a field of a pair.
const PART: Field = Field(0);
const INTERFACE: Field = Field(1);

#[derive(Clone, Copy)]
struct Field(usize);

impl Id for Field {
    fn at(place: usize) -> Field {
        Field(place)
    }

    fn place(self) -> usize {
        self.0
    }
}

/// A state of the part that was met.
#[derive(Default)]
struct Met {
    /// The steps that occur so far, by their labels.
    steps: Vec<LtsStep>,
    /// The controlled labels that the part was asked about, in order; all that is free was asked at once.
    asked: Vec<LtsLabel>,
    is_asked: bool,
}

struct Walk<'w> {
    part: &'w mut dyn Behaviour,
    interface: &'w Interface,
    rules: IndexVec<LtsLabel, Rule>,
    /// The labels of the part by the labels of the interface that control them.
    of_interface: IndexVec<LtsLabel, Option<LtsLabel>>,
    /// What the interface does by itself.
    alone: IndexVec<LtsLabel, bool>,
    number: FxHashMap<LtsState, LtsState>,
    origin: IndexVec<LtsState, LtsState>,
    met: IndexVec<LtsState, Met>,
    layout: Layout<Field>,
    pairs: TupleStore,
    /// Pairs that were met from the one that is looked at.
    found: Vec<(LtsState, LtsState)>,
}

impl<'w> Walk<'w> {
    fn new(
        part: &'w mut dyn Behaviour,
        interface: &'w Interface,
        rules: IndexVec<LtsLabel, Rule>,
    ) -> Result<Walk<'w>, NotGenerated> {
        let mut of_interface = IndexVec::of(interface.lts.labels().len(), None);
        for (label, rule) in rules.enumerated() {
            if let Rule::Together(own) = rule {
                of_interface[*own] = Some(label);
            }
        }
        let layout = Layout::new([u32::MAX as usize, interface.lts.states()]);
        let pairs = TupleStore::new(&layout);
        let initial = part.initial()?;
        let mut walk = Walk {
            part,
            interface,
            rules,
            of_interface,
            alone: interface.alone(),
            number: FxHashMap::default(),
            origin: IndexVec::default(),
            met: IndexVec::default(),
            layout,
            pairs,
            found: Vec::new(),
        };
        let first = walk.state(initial);
        walk.meet(first, interface.lts.initial());
        Ok(walk)
    }

    /// The number of a state of the part.
    fn state(&mut self, of_part: LtsState) -> LtsState {
        let (origin, met) = (&mut self.origin, &mut self.met);
        *self.number.entry(of_part).or_insert_with(|| {
            met.push(Met::default());
            origin.push(of_part)
        })
    }

    fn meet(&mut self, state: LtsState, own: LtsState) {
        let mut words = [0; 2];
        self.layout.set(&mut words, PART, state);
        self.layout.set(&mut words, INTERFACE, own);
        self.pairs.number(&words[..self.layout.words()]);
    }

    fn go(mut self, limits: ProductLimits, watch: &dyn Watch) -> Result<Restricted, NotGenerated> {
        let (mut next, budget, mut words) = (0, watch.budget(), [0; 2]);
        let width = self.layout.words();
        while next < self.pairs.len() {
            look(&budget)?;
            self.pairs.read(next, &mut words[..width]);
            let state = self.layout.get(&words, PART);
            let own = self.layout.get(&words, INTERFACE);
            self.ask(state, own)?;
            self.follow(state, own);
            if self.pairs.len() > limits.most_states {
                return Err(NotGenerated::TooLarge { most: limits.most_states });
            }
            next += 1;
            if next.is_multiple_of(1 << 10) {
                watch.progress(self.origin.len(), next, 0);
            }
        }
        Ok(self.finish())
    }

    /// Asks the part for what can be done in a pair, as far as it was not asked before.
    fn ask(&mut self, state: LtsState, own: LtsState) -> Result<(), NotGenerated> {
        let offered = self.interface.lts.visible_steps(own).iter();
        let mut new: Vec<LtsLabel> =
            offered.filter_map(|step| self.of_interface[step.label]).collect();
        let met = &self.met[state];
        new.retain(|label| met.asked.binary_search(label).is_err());
        new.sort_unstable();
        new.dedup();
        let is_first = !met.is_asked;
        if new.is_empty() && !is_first {
            return Ok(());
        }
        let rules = &self.rules;
        let wanted = |label: LtsLabel| match rules[label] {
            Rule::Free | Rule::Unforeseen => is_first,
            Rule::Together(_) => new.binary_search(&label).is_ok(),
            Rule::Never => false,
        };
        let mut steps = Vec::new();
        self.part.steps(self.origin[state], &wanted, &mut steps)?;
        steps.retain(|step| wanted(step.label));
        let unforeseen = steps.iter().find(|step| self.rules[step.label] == Rule::Unforeseen);
        if let Some(step) = unforeseen {
            let label = self.part.labels().text(step.label).to_owned();
            return Err(NotGenerated::Unforeseen { label });
        }
        for step in &mut steps {
            step.to = self.state(step.to);
        }
        let met = &mut self.met[state];
        met.steps.append(&mut steps);
        met.steps.sort_unstable();
        met.steps.dedup();
        met.asked.append(&mut new);
        met.asked.sort_unstable();
        met.is_asked = true;
        Ok(())
    }

    /// The pairs that a pair leads to.
    fn follow(&mut self, state: LtsState, own: LtsState) {
        let mut found = std::mem::take(&mut self.found);
        let interface = &self.interface.lts;
        let alone = interface.steps(own).iter().filter(|step| self.alone[step.label]);
        found.extend(alone.map(|step| (state, step.to)));
        for step in &self.met[state].steps {
            match self.rules[step.label] {
                Rule::Free => found.push((step.to, own)),
                Rule::Together(label) => {
                    let together = interface.steps_by(own, label).iter();
                    found.extend(together.map(|other| (step.to, other.to)));
                }
                Rule::Never | Rule::Unforeseen => {}
            }
        }
        found.drain(..).for_each(|(state, own)| self.meet(state, own));
        self.found = found;
    }

    fn finish(self) -> Restricted {
        let (pairs, store_bytes) = (self.pairs.len(), self.pairs.bytes());
        let mut rows = Rows::with_capacity(self.met.len(), 0);
        for met in self.met {
            met.steps.into_iter().for_each(|step| rows.push(step));
            rows.end_row();
        }
        let lts = Lts::new(self.part.labels().clone(), LtsState::at(0), rows);
        Restricted { lts, origin: self.origin, pairs, store_bytes }
    }
}
