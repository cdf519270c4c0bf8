//! A net by itself as a labelled transition system that is made on the way: its configurations are the states, and its
//! actions with their values the labels.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::alphabet::{Alphabet, FINAL};
use crate::base::{Id, Watch};
use crate::explore::compiled::{Compiled, Scratch};
use crate::explore::{Domains, Gap, Machine, Moves, Packed};
use crate::lts::{LabelTable, Lts, LtsBuilder, LtsLabel, LtsState, LtsStep};
use crate::network::{Behaviour, NotGenerated};
use crate::pnet::PNet;

/// What of a net is seen besides its actions, and how far to go.
#[derive(Clone, Copy, Debug)]
pub struct Seeing {
    /// Whether a configuration in which all leaves are final shows that it is.
    pub finals: bool,
    /// How many configurations there may be.
    pub most_states: usize,
}

/// A net by itself.
#[derive(Debug)]
pub struct Alone<'n> {
    net: &'n PNet,
    machine: Compiled<'n>,
    scratch: Scratch,
    moves: Moves,
    states: IndexSet<Packed, FxBuildHasher>,
    /// The labels by the machine's words for them.
    words: FxHashMap<Box<[u64]>, LtsLabel>,
    alphabet: Alphabet,
    seeing: Seeing,
}

impl<'n> Alone<'n> {
    /// A net without holes, with labels that are known already; others are added as they are met.
    pub fn new(net: &'n PNet, domains: &Domains, alphabet: Alphabet, seeing: Seeing) -> Alone<'n> {
        let machine = Compiled::new(net, domains);
        let (scratch, moves) = (machine.scratch(), Moves::new(machine.bits().div_ceil(64)));
        let (states, words) = Default::default();
        Alone { net, machine, scratch, moves, states, words, alphabet, seeing }
    }

    /// All of it, numbered as it is met, level by level.
    pub fn explored(mut self, watch: &dyn Watch) -> Result<(Lts, Alphabet, u64), NotGenerated> {
        let initial = self.initial()?;
        let (mut steps, mut all) = (Vec::new(), Vec::new());
        let mut at = 0;
        while at < self.states.len() {
            if let Some(spent) = watch.budget().spent() {
                return Err(spent.into());
            }
            let from = LtsState::at(at);
            self.steps(from, &mut steps)?;
            all.extend(steps.drain(..).map(|step| (from, step)));
            at += 1;
            if at % 1024 == 0 {
                watch.exploring(at as u64, all.len() as u64, 0);
            }
        }
        let mut builder = LtsBuilder::new(self.alphabet.table().clone());
        all.iter().for_each(|(from, step)| builder.add(*from, step.label, step.to));
        let bytes = self.bytes();
        Ok((builder.finish(initial), self.alphabet, bytes))
    }

    /// The labels so far, with their actions.
    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// How many bytes the configurations take, with their entries in tables.
    pub fn bytes(&self) -> u64 {
        // A configuration, where it stands, its hash, and its place among the hashes.
        let each = self.machine.bits().div_ceil(64) * 8 + 16 + 8 + 8;
        (self.states.len() * each) as u64
    }

    fn made(
        &mut self,
        from: &[u64],
        moves: &mut Moves,
        steps: &mut Vec<LtsStep>,
    ) -> Result<(), NotGenerated> {
        moves.clear();
        self.machine.steps(&mut self.scratch, from, true, moves).map_err(refused)?;
        if moves.limited {
            return Err(NotGenerated::Gap { why: LIMITED.to_owned() });
        }
        for step in 0..moves.len() {
            let label = self.label(moves.label(step));
            steps.push(LtsStep { label, to: self.state(moves.target(step))? });
        }
        Ok(())
    }

    fn state(&mut self, packed: &[u64]) -> Result<LtsState, NotGenerated> {
        if let Some(known) = self.states.get_index_of(packed) {
            return Ok(LtsState::at(known));
        }
        if self.states.len() >= self.seeing.most_states {
            return Err(NotGenerated::TooLarge { most: self.seeing.most_states });
        }
        let (place, _) = self.states.insert_full(packed.into());
        Ok(LtsState::at(place))
    }

    fn label(&mut self, words: &[u64]) -> LtsLabel {
        if let Some(known) = self.words.get(words) {
            return *known;
        }
        let (action, _) = self.machine.label(words);
        let label = self.alphabet.label(&self.net.algebra, &action);
        self.words.insert(words.into(), label);
        label
    }
}

impl Behaviour for Alone<'_> {
    fn labels(&self) -> &LabelTable {
        self.alphabet.table()
    }

    fn initial(&mut self) -> Result<LtsState, NotGenerated> {
        let (initial, limited) = self.machine.initial().map_err(refused)?;
        match initial.as_slice() {
            [only] if !limited => self.state(only),
            all => Err(NotGenerated::Gap {
                why: format!(
                    "it can begin in {} configurations, and a labelled transition system in one: fix what has no value \
                     with `--set`",
                    if limited { "any number of".to_owned() } else { all.len().to_string() }
                ),
            }),
        }
    }

    fn steps(&mut self, state: LtsState, steps: &mut Vec<LtsStep>) -> Result<(), NotGenerated> {
        let Some(from) = self.states.get_index(state.place()).cloned() else { return Ok(()) };
        let mut moves = std::mem::take(&mut self.moves);
        let made = self.made(&from, &mut moves, steps);
        self.moves = moves;
        if self.seeing.finals && self.machine.is_final(&from) {
            steps.push(LtsStep { label: self.alphabet.mark(FINAL), to: state });
        }
        made
    }
}

const LIMITED: &str =
    "not all values of its inputs can be tried; give them ranges, such as `0..8`, as their sorts";

/// Why a part by itself says nothing.
fn refused(gap: Gap) -> NotGenerated {
    let why = match gap {
        Gap::NeedsDomain { name, sort } => format!(
            "by itself, there is no end of values of sort `{sort}` for `{name}`; give it a range, such as `0..8`, as its \
             sort"
        ),
        gap => gap.to_string(),
    };
    NotGenerated::Gap { why }
}
