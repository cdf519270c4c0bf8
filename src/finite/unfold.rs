//! All configurations of a net, with numbers, and the steps between them.

use std::ops::ControlFlow;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use thiserror::Error;

use crate::base::{Id, IndexVec, Spent, Watch};
use crate::emit::aut;
use crate::explore::compiled::Compiled;
use crate::explore::search::{
    Ended, Goal, Numbering, Ref, SearchLimits, Searched, each_line, search,
};
use crate::explore::{Configuration, Constants, Domains, Gap, Machine, Packed, Value};
use crate::lts::{LabelTable, Lts, LtsBuilder, LtsLabel, LtsState, Rows};
use crate::pnet::{HoleId, PNet};
use crate::tagged_id;

tagged_id!(
    /// Something that is done in steps: the same in all steps that show the same.
    DoneId
);

/// What is done in a step: what it shows, and what holes do, in the order of the holes.
pub type Done = (Value, Vec<(HoleId, Value)>);

/// What is seen of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LabelView {
    /// Everything: `sync a` is an action like others.
    All,
    /// What is not silent: `sync a` is `tau`, and what holes do silently is left out.
    Visible,
}

impl LabelView {
    /// What is seen where silent steps are hidden, or are not.
    pub fn hiding(hides: bool) -> LabelView {
        if hides { LabelView::Visible } else { LabelView::All }
    }
}

/// Why a net has no labelled transition system.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum NotUnfolded {
    /// It is not known what is possible somewhere.
    #[error("{0}")]
    Gap(#[from] Gap),
    /// There are no configurations.
    #[error("it has no configuration: the axioms, or the values that are tried, allow none")]
    Nothing,
    /// More configurations than were allowed.
    #[error("it has more than {most} configurations")]
    TooMany {
        /// How many were allowed.
        most: u64,
    },
    /// It can begin in several configurations, and a labelled transition system in one.
    #[error(
        "it can begin in {many} configurations, and a labelled transition system in one: fix what has no value with `--set`"
    )]
    Begins {
        /// In how many.
        many: usize,
    },
    /// Two actions have the same label, since what is written of them is cut off.
    #[error("the label `{text}` is too long to be told from others")]
    Label {
        /// The label, as far as it is written.
        text: String,
    },
    /// An action is called like the silent one.
    #[error(
        "it has an action with the label `{text}`, which is that of the silent one: choose another with `--tau`"
    )]
    Silent {
        /// The label.
        text: String,
    },
    /// The budget was spent.
    #[error("{0}")]
    Spent(Spent),
}

/// All configurations of a net and the steps between them. Configurations are numbered as they are reached.
pub struct Unfolded<'m, 'n> {
    searched: Searched<'m, Compiled<'n>>,
    machine: &'m Compiled<'n>,
    places: Vec<Ref>,
    net: &'m PNet,
    /// What is done, each once.
    pub done: IndexVec<DoneId, Done>,
    /// The steps of each configuration: what is done, and where they lead.
    pub steps: Rows<LtsState, (DoneId, LtsState)>,
    /// Where it begins, with the values of symbolic constants.
    pub begins: Vec<(Constants, LtsState)>,
    /// Whether values were left out: there may be more.
    pub limited: bool,
}

/// Goes through all configurations of a net.
pub fn unfold<'m, 'n: 'm>(
    (net, machine): (&'m PNet, &'m Compiled<'n>),
    limits: &SearchLimits,
    watch: &dyn Watch,
) -> Result<Unfolded<'m, 'n>, NotUnfolded> {
    // Steps are made again below, so that nobody need count them now.
    let searched =
        search(machine, Goal::Everything, &SearchLimits { count: false, ..*limits }, watch)?;
    complete(&searched, limits)?;
    let numbering = Numbering::of(&searched);
    let (done, steps) = all_steps(machine, &searched, &numbering)?;
    if let Some(spent) = watch.budget().spent() {
        return Err(NotUnfolded::Spent(spent));
    }
    let places: Vec<Ref> = numbering.each().collect();
    let begins = places.iter().take(searched.begins).enumerate();
    let begins = begins.map(|(number, at)| {
        (machine.decode(&searched.packed(*at)).constants, LtsState::at(number))
    });
    let (begins, limited) = (begins.collect(), searched.limited);
    Ok(Unfolded { machine, places, net, done, steps, begins, limited, searched })
}

/// Whether everything was looked at.
fn complete(
    searched: &Searched<'_, Compiled<'_>>,
    limits: &SearchLimits,
) -> Result<(), NotUnfolded> {
    if let Some((_, gap)) = &searched.sights.gap {
        return Err(gap.clone().into());
    }
    let most = limits.most_states.min(u64::from(u32::MAX) - 1);
    match searched.ended {
        Ended::Spent(spent) => Err(NotUnfolded::Spent(spent)),
        Ended::States | Ended::Depth => Err(NotUnfolded::TooMany { most }),
        Ended::Complete | Ended::Found if searched.counts.states > most => {
            Err(NotUnfolded::TooMany { most })
        }
        Ended::Complete | Ended::Found if searched.begins == 0 => Err(NotUnfolded::Nothing),
        Ended::Complete | Ended::Found => Ok(()),
    }
}

/// What is done, and the steps of each configuration.
type AllSteps = (IndexVec<DoneId, Done>, Rows<LtsState, (DoneId, LtsState)>);

fn all_steps(
    machine: &Compiled<'_>,
    searched: &Searched<'_, Compiled<'_>>,
    numbering: &Numbering,
) -> Result<AllSteps, NotUnfolded> {
    let mut known: FxHashMap<Box<[u64]>, DoneId> = FxHashMap::default();
    let mut done: IndexSet<Done, FxBuildHasher> = IndexSet::default();
    let states = searched.counts.states as usize;
    let mut steps: Rows<LtsState, (DoneId, LtsState)> = Rows::with_capacity(states, states);
    each_line(searched, numbering, |line| {
        while (steps.len() as u64) < line.from {
            steps.end_row();
        }
        let label = match known.get(line.label) {
            Some(label) => *label,
            None => {
                let label = DoneId::at(done.insert_full(machine.label(line.label)).0);
                known.insert(line.label.into(), label);
                label
            }
        };
        steps.push((label, LtsState::at(line.to as usize)));
        ControlFlow::Continue(())
    })?;
    while steps.len() < states {
        steps.end_row();
    }
    Ok((done.into_iter().collect(), steps))
}

impl<'n> Unfolded<'_, 'n> {
    /// How many configurations there are.
    pub fn states(&self) -> usize {
        self.steps.len()
    }

    /// All configurations.
    pub fn ids(&self) -> impl Iterator<Item = LtsState> + use<> {
        (0..self.states()).map(LtsState::at)
    }

    /// The path of a hole.
    pub fn hole_path(&self, hole: HoleId) -> &str {
        &self.net.holes[hole].path
    }

    /// The net that was made ready to run.
    pub fn machine(&self) -> &Compiled<'n> {
        self.machine
    }

    /// A configuration, packed.
    pub fn packed(&self, state: LtsState) -> Option<Packed> {
        Some(self.searched.packed(*self.places.get(state.index())?))
    }

    /// A configuration as data.
    pub fn configuration(&self, state: LtsState) -> Option<Configuration> {
        let at = self.places.get(state.index())?;
        Some(self.machine.decode(&self.searched.packed(*at)))
    }

    /// What is seen of something that is done; nothing where it is silent.
    pub fn seen(&self, done: DoneId, view: LabelView) -> Option<Done> {
        let (action, holes) = &self.done[done];
        let (action, holes) = match view {
            LabelView::All => (action.clone(), holes.clone()),
            LabelView::Visible => {
                let loud = holes.iter().filter(|(_, does)| !does.is_silent()).cloned();
                let shown = if action.is_silent() { Value::Tau } else { action.clone() };
                (shown, loud.collect())
            }
        };
        (action != Value::Tau || !holes.is_empty()).then_some((action, holes))
    }

    /// The label of all that is done.
    fn labels(
        &self,
        view: LabelView,
        tau: &str,
        table: &mut LabelTable,
    ) -> Result<Vec<LtsLabel>, NotUnfolded> {
        let mut meant: FxHashMap<LtsLabel, Done> = FxHashMap::default();
        let mut labels = Vec::with_capacity(self.done.len());
        for done in self.done.ids() {
            let Some(seen) = self.seen(done, view) else {
                labels.push(LtsLabel::SILENT);
                continue;
            };
            let text = aut::label_text(&self.net.algebra, &self.net.holes, &seen, tau);
            let label = table.intern(&text);
            if label.is_silent() {
                return Err(NotUnfolded::Silent { text });
            }
            if meant.entry(label).or_insert_with(|| seen.clone()) != &seen {
                return Err(NotUnfolded::Label { text });
            }
            labels.push(label);
        }
        Ok(labels)
    }

    /// The labelled transition system: actions with their arguments, and what holes do, are labels.
    pub fn lts(&self, view: LabelView, tau: &str) -> Result<Lts, NotUnfolded> {
        let [(_, initial)] = self.begins.as_slice() else {
            return Err(NotUnfolded::Begins { many: self.begins.len() });
        };
        let mut builder = LtsBuilder::new(LabelTable::new(tau));
        builder.reserve(self.steps.items());
        let labels = self.labels(view, tau, &mut builder.labels)?;
        for from in self.ids() {
            builder.state(from);
            for (done, to) in self.steps.row(from) {
                builder.add(from, labels[done.index()], *to);
            }
        }
        Ok(builder.finish(*initial))
    }
}

/// A net as a labelled transition system, and whether values were left out.
pub fn lts_of(
    (net, domains): (&PNet, &Domains),
    (view, tau): (LabelView, &str),
    limits: &SearchLimits,
    watch: &dyn Watch,
) -> Result<(Lts, bool), NotUnfolded> {
    let machine = Compiled::new(net, domains);
    let unfolded = unfold((net, &machine), limits, watch)?;
    Ok((unfolded.lts(view, tau)?, unfolded.limited))
}
