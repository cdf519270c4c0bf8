//! Automata of what is counted, without states that lead nowhere.

use super::bits::StateBits;
use super::counted::CountedState;
use super::meeting::{MeetingSums, Sums};
use super::profile::{Profiles, VariantId, VariantRuleId};
use super::slots::FactSlot;
use crate::base::IndexVec;

/// A transition: states of the parts, sets of states of the components made, and a state.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CountedTransition {
    /// The states of the parts.
    pub parts: Vec<u32>,
    /// Of each component made, what is in the set.
    pub sets: Vec<StateBits>,
    /// The state.
    pub to: u32,
}

/// An automaton on trees of rules, as tables.
#[derive(Clone, Default, Debug)]
pub struct CountedTable {
    /// The states of each variant.
    pub states: IndexVec<VariantId, Vec<CountedState>>,
    /// The transitions of each rule.
    pub transitions: IndexVec<VariantRuleId, Vec<CountedTransition>>,
    /// The slots that values of states are for.
    pub slots: IndexVec<VariantId, Vec<FactSlot>>,
    /// Whether a whole unfolding has to have one in the set to begin with.
    pub one: bool,
    /// The sums of meetings.
    pub meetings: MeetingSums,
}

impl CountedTable {
    /// Whether a whole unfolding may have this state.
    pub fn ends(&self, of: VariantId, state: u32) -> bool {
        let kind = if self.one { Sums::One } else { Sums::Flow };
        self.states[of].get(state as usize).is_some_and(|state| {
            (!self.one || state.first == 1) && self.meetings.are_kept(kind, &state.meets)
        })
    }

    /// Without states that no whole unfolding has: those of the start count one to begin with, where that is wanted.
    pub(super) fn trimmed(self, profiles: &Profiles) -> CountedTable {
        let useful = self.useful(profiles);
        let new: IndexVec<VariantId, Vec<Option<u32>>> = useful
            .iter()
            .map(|all| {
                let numbers = all.iter().scan(0, |next, keep| {
                    let number = keep.then_some(*next);
                    *next += u32::from(*keep);
                    Some(number)
                });
                numbers.collect()
            })
            .collect();
        let keep = |(of, all): (VariantId, Vec<CountedState>)| {
            all.into_iter()
                .zip(&useful[of])
                .filter(|(_, keep)| **keep)
                .map(|(one, _)| one)
                .collect()
        };
        let numbered = useful.ids().zip(self.states);
        let transitions = self.transitions.into_iter().zip(&profiles.rules).map(|(all, rule)| {
            let renamed = |one: CountedTransition| {
                let to = new[rule.of][one.to as usize]?;
                let parts = one.parts.iter().zip(&rule.parts);
                let parts = parts.map(|(state, part)| new[part.of][*state as usize]);
                Some(CountedTransition { parts: parts.collect::<Option<_>>()?, sets: one.sets, to })
            };
            all.into_iter().filter_map(renamed).collect()
        });
        CountedTable {
            states: numbered.map(keep).collect(),
            transitions: transitions.collect(),
            slots: self.slots,
            one: self.one,
            meetings: self.meetings,
        }
    }

    /// The states from which the whole can be completed. All of them are reached from below.
    fn useful(&self, profiles: &Profiles) -> IndexVec<VariantId, Vec<bool>> {
        let mut useful: IndexVec<VariantId, Vec<bool>> =
            self.states.iter().map(|all| vec![false; all.len()]).collect();
        if let Some(start) = profiles.start {
            let count = self.states[start].len() as u32;
            useful[start] = (0..count).map(|state| self.ends(start, state)).collect();
        }
        loop {
            let mut changed = false;
            for (rule, all) in profiles.rules.iter().zip(&self.transitions) {
                for one in all {
                    if !useful[rule.of][one.to as usize] {
                        continue;
                    }
                    for (part, &state) in rule.parts.iter().zip(&one.parts) {
                        changed |= !useful[part.of][state as usize];
                        useful[part.of][state as usize] = true;
                    }
                }
            }
            if !changed {
                return useful;
            }
        }
    }
}
