//! A net by itself as a labelled transition system that is made on the way: its configurations are the states, and its
//! actions with their values the labels.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::alphabet::{Alphabet, FINAL};
use super::marks::{Valuation, mark_text};
use super::networks::Silence;
use crate::base::{Id, Watch};
use crate::explore::compiled::{Compiled, Ready, Scratch};
use crate::explore::{Domains, Gap, Machine, Moves, Packed, Property};
use crate::lts::{LabelTable, Lts, LtsBuilder, LtsLabel, LtsState, LtsStep};
use crate::network::{Behaviour, NotGenerated};
use crate::pnet::{PNet, PltsId};

/// What of a net is seen besides its actions, and how far to go.
#[derive(Clone, Copy, Debug)]
pub struct Seeing {
    /// Whether a configuration in which all leaves are final shows that it is.
    pub finals: bool,
    /// How many configurations there may be.
    pub most_states: usize,
}

/// Which labels a net by itself has.
#[derive(Clone, Debug)]
pub enum Labels {
    /// Those that are met, each `sync a` with its own.
    Met,
    /// These and no others; what is silent has one label if silent steps do not count.
    These(Alphabet, Silence),
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
    /// Whether there are no other labels.
    fixed: bool,
    silence: Silence,
    seeing: Seeing,
    /// What is shown of each configuration, and the leaf that it is about in the whole.
    atoms: Vec<Ready>,
    leaf: PltsId,
}

impl<'n> Alone<'n> {
    /// A net without holes.
    pub fn new(net: &'n PNet, domains: &Domains, labels: Labels, seeing: Seeing) -> Alone<'n> {
        let machine = Compiled::new(net, domains);
        let (scratch, moves) = (machine.scratch(), Moves::new(machine.bits().div_ceil(64)));
        let (states, words) = Default::default();
        let (fixed, (alphabet, silence)) = match labels {
            Labels::Met => (false, (Alphabet::default(), Silence::Counts)),
            Labels::These(alphabet, silence) => (true, (alphabet, silence)),
        };
        let (atoms, leaf) = (Vec::new(), PltsId(0));
        Alone {
            net,
            machine,
            scratch,
            moves,
            states,
            words,
            alphabet,
            fixed,
            silence,
            seeing,
            atoms,
            leaf,
        }
    }

    /// The same, where each configuration shows which of these properties hold; it is this leaf of the whole.
    pub fn showing(mut self, leaf: PltsId, atoms: &[Property]) -> Result<Alone<'n>, NotGenerated> {
        let ready: Result<Vec<Ready>, Gap> =
            atoms.iter().map(|atom| self.machine.property(atom)).collect();
        (self.atoms, self.leaf) = (ready.map_err(refused)?, leaf);
        Ok(self)
    }

    /// The mark that says which properties hold in a configuration.
    fn mark(&mut self, at: &[u64]) -> Result<LtsLabel, NotGenerated> {
        let mut holds = 0;
        for (place, atom) in self.atoms.iter().enumerate() {
            match self.machine.holds(&mut self.scratch, atom, at).map_err(refused)? {
                Some(value) => holds |= u32::from(value) << place,
                None => return Err(refused(Gap::Undefined)),
            }
        }
        Ok(self.alphabet.mark(&mark_text(&Valuation::from([(self.leaf, holds)]))))
    }

    /// All of it, numbered as it is met, level by level.
    pub fn explored(mut self, watch: &dyn Watch) -> Result<(Lts, Alphabet, u64), NotGenerated> {
        let initial = self.initial()?;
        let (mut steps, mut all, budget) = (Vec::new(), Vec::new(), watch.budget());
        let mut at = 0;
        while at < self.states.len() {
            if budget.is_spent() {
                budget.spent().map_or(Ok(()), |spent| Err(NotGenerated::from(spent)))?;
            }
            let from = LtsState::at(at);
            self.steps(from, &|_| true, &mut steps)?;
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
        (wanted, steps): (&dyn Fn(LtsLabel) -> bool, &mut Vec<LtsStep>),
    ) -> Result<(), NotGenerated> {
        moves.clear();
        self.machine.steps(&mut self.scratch, from, true, moves).map_err(refused)?;
        if moves.limited {
            return Err(NotGenerated::Gap { why: LIMITED.to_owned() });
        }
        for step in 0..moves.len() {
            let label = self.label(moves.label(step))?;
            if wanted(label) {
                steps.push(LtsStep { label, to: self.state(moves.target(step))? });
            }
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

    fn label(&mut self, words: &[u64]) -> Result<LtsLabel, NotGenerated> {
        if let Some(known) = self.words.get(words) {
            return Ok(*known);
        }
        let (action, _) = self.machine.label(words);
        let known = match self.silence == Silence::Free && action.is_silent() {
            true => Some(LtsLabel::SILENT),
            false => self.alphabet.get(&action),
        };
        let label = match known {
            Some(known) => known,
            None if self.fixed => {
                let label = crate::emit::outcome::concrete(&self.net.algebra, &action).text;
                return Err(NotGenerated::Unforeseen { label });
            }
            None => self.alphabet.label(&self.net.algebra, &action),
        };
        self.words.insert(words.into(), label);
        Ok(label)
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

    fn steps(
        &mut self,
        state: LtsState,
        wanted: &dyn Fn(LtsLabel) -> bool,
        steps: &mut Vec<LtsStep>,
    ) -> Result<(), NotGenerated> {
        let Some(from) = self.states.get_index(state.place()).cloned() else { return Ok(()) };
        let mut moves = std::mem::take(&mut self.moves);
        let made = self.made(&from, &mut moves, (wanted, steps));
        self.moves = moves;
        if self.seeing.finals && self.machine.is_final(&from) {
            let label = self.alphabet.mark(FINAL);
            steps.extend(wanted(label).then_some(LtsStep { label, to: state }));
        }
        if !self.atoms.is_empty() {
            let label = self.mark(&from)?;
            steps.extend(wanted(label).then_some(LtsStep { label, to: state }));
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
