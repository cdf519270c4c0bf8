//! A net of which only those configurations are made that somebody asks for.

use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap};
use thiserror::Error;

use super::side::{ShownId, Shows};
use super::unfold::LabelView;
use crate::base::{Id, Spent};
use crate::explore::compiled::{Compiled, Scratch};
use crate::explore::{Configuration, Gap, Machine, Moves, Packed, Value};
use crate::lts::LtsState;
use crate::pnet::PNet;

/// Steps from a configuration: what is shown, and where they lead.
pub type StepList = Arc<[(ShownId, LtsState)]>;

/// Why something was not found out in the net itself.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum NotLifted {
    /// It is not known what is possible somewhere.
    #[error("{0}")]
    Gap(#[from] Gap),
    /// Not all values were tried.
    #[error("not all values were tried")]
    Limited,
    /// It can begin in several configurations.
    #[error("it can begin in {many} configurations")]
    Begins {
        /// In how many.
        many: usize,
    },
    /// More configurations than may be looked at.
    #[error("more than {most} configurations would have to be looked at")]
    TooMany {
        /// How many there may be.
        most: usize,
    },
    /// The net does not do what the reduced system does. This is a mistake of the program.
    #[error("the net does not do what the reduced system does")]
    Differs,
    /// The budget is spent.
    #[error("{0}")]
    Spent(Spent),
}

/// A closed net, configuration by configuration as they are asked for.
pub struct OnDemand<'m, 'n> {
    net: &'m PNet,
    machine: &'m Compiled<'n>,
    scratch: Scratch,
    moves: Moves,
    view: LabelView,
    states: IndexSet<Packed, FxBuildHasher>,
    rows: FxHashMap<LtsState, (StepList, usize)>,
    words: FxHashMap<Box<[u64]>, ShownId>,
    most: usize,
}

impl<'m, 'n> OnDemand<'m, 'n> {
    /// A net of which at most so many configurations are looked at.
    pub fn new(
        (net, machine): (&'m PNet, &'m Compiled<'n>),
        view: LabelView,
        most: usize,
    ) -> Result<OnDemand<'m, 'n>, NotLifted> {
        let (initial, limited) = machine.initial()?;
        let many = initial.len();
        if limited || many != 1 {
            return Err(NotLifted::Begins { many });
        }
        let (scratch, moves) = (machine.scratch(), Moves::new(machine.bits().div_ceil(64)));
        let (rows, words) = Default::default();
        let states = initial.into_iter().collect();
        Ok(OnDemand { net, machine, scratch, moves, view, states, rows, words, most })
    }

    /// Where it begins.
    pub fn initial(&self) -> LtsState {
        LtsState::at(0)
    }

    /// The net.
    pub fn net(&self) -> &'m PNet {
        self.net
    }

    /// A configuration as data.
    pub fn configuration(&self, at: LtsState) -> Option<Configuration> {
        self.states.get_index(at.index()).map(|packed| self.machine.decode(packed))
    }

    /// How many steps a configuration has, where they were asked for.
    pub fn many(&self, at: LtsState) -> Option<usize> {
        self.rows.get(&at).map(|(_, many)| *many)
    }

    /// The steps of a configuration.
    pub fn steps(&mut self, at: LtsState, shows: &Shows) -> Result<StepList, NotLifted> {
        if let Some((known, _)) = self.rows.get(&at) {
            return Ok(Arc::clone(known));
        }
        let from = self.states.get_index(at.index()).cloned().ok_or(NotLifted::Differs)?;
        self.moves.clear();
        self.machine.steps(&mut self.scratch, &from, true, &mut self.moves)?;
        if self.moves.limited {
            return Err(NotLifted::Limited);
        }
        let moves = std::mem::take(&mut self.moves);
        let mut all = IndexMap::<_, _, FxBuildHasher>::default();
        for step in 0..moves.len() {
            let (label, target) = (moves.label(step), moves.target(step));
            let found = (self.shown(label, shows)?, self.number(target));
            all.insert((Box::<[u64]>::from(label), found.1), found);
        }
        self.moves = moves;
        if self.states.len() > self.most {
            return Err(NotLifted::TooMany { most: self.most });
        }
        let mut steps: Vec<(ShownId, LtsState)> = all.values().copied().collect();
        steps.sort_unstable();
        steps.dedup();
        let steps: StepList = steps.into();
        self.rows.insert(at, (Arc::clone(&steps), all.len()));
        Ok(steps)
    }

    fn number(&mut self, packed: &[u64]) -> LtsState {
        match self.states.get_index_of(packed) {
            Some(known) => LtsState::at(known),
            None => LtsState::at(self.states.insert_full(packed.into()).0),
        }
    }

    /// What is shown: something that the system that stands for the net shows as well.
    fn shown(&mut self, words: &[u64], shows: &Shows) -> Result<ShownId, NotLifted> {
        if let Some(known) = self.words.get(words) {
            return Ok(*known);
        }
        let (action, _) = self.machine.label(words);
        let is_silent = match self.view {
            LabelView::All => action == Value::Tau,
            LabelView::Visible => action.is_silent(),
        };
        let shown = shows.get(&(!is_silent).then(|| (action, Vec::new())));
        let shown = shown.ok_or(NotLifted::Differs)?;
        self.words.insert(words.into(), shown);
        Ok(shown)
    }
}
