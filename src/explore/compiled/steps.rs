//! All steps from a configuration.

use std::sync::atomic::Ordering;

use super::Compiled;
use super::canonical::Sorting;
use super::code::Lack;
use super::order::Closing;
use super::rule::{LabelPart, Rule, Site, Way};
use super::run::{Run, Sink, Work};
use super::whole::Around;
use crate::explore::{Gap, Moves};

/// What one thread works with.
#[derive(Debug)]
pub struct Scratch {
    pub(super) work: Work,
    /// The states of all leaves.
    states: Vec<u32>,
    target: Vec<u64>,
    label: Vec<u64>,
    pub(super) closing: Closing,
    pub(super) sorting: Sorting,
}

impl Scratch {
    pub(super) fn new(leaves: usize, words: usize) -> Scratch {
        Scratch {
            work: Work::default(),
            states: vec![0; leaves],
            target: vec![0; words],
            label: Vec::new(),
            closing: Closing::default(),
            sorting: Sorting::default(),
        }
    }
}

/// Who gathers steps.
struct Gathering<'a, 'n> {
    machine: &'a Compiled<'n>,
    rule: &'a Rule,
    states: &'a [u32],
    target: &'a mut [u64],
    label: &'a mut Vec<u64>,
    labels: bool,
    moves: &'a mut Moves,
    around: &'a mut Around,
}

impl Sink for Gathering<'_, '_> {
    fn labels(&self) -> bool {
        self.labels
    }

    fn emit(&mut self, run: &Run<'_>, work: &mut Work, base: usize) -> Result<bool, Lack> {
        if let Some((_, why)) = work.unknown {
            return Err(why);
        }
        self.target.copy_from_slice(run.from);
        for &(word, clear, set) in &self.rule.states {
            let word = &mut self.target[word as usize];
            *word = (*word & !clear) | set;
        }
        for &(field, register) in &self.rule.updates {
            let field = run.fields[field as usize];
            let value = work.registers[base + register as usize];
            // What values owe has been tested; a value that is none of its sort makes no step.
            let Some(bits) = field.to_bits(value, run.values.pool) else { return Ok(true) };
            field.put(self.target, bits);
        }
        self.label.clear();
        if self.labels {
            let words = self.rule.label.iter().map(|part| match part {
                LabelPart::Word(word) => *word,
                LabelPart::Register(register) => work.registers[base + *register as usize] as u64,
            });
            self.label.extend(words);
        }
        if !self.rule.wholes.is_empty() {
            return self.with_others(run, work, base);
        }
        self.moves.push(self.target, self.label);
        self.fire();
        Ok(true)
    }

    fn rival(
        &mut self,
        run: &Run<'_>,
        work: &mut Work,
        site: usize,
        params: usize,
        free: usize,
    ) -> Result<Option<bool>, Lack> {
        let site = &self.rule.sites[site];
        self.machine.is_possible(site, self.states, (run, work), (params, free), self.around)
    }

    fn limited(&mut self) {
        self.moves.limited = true;
    }
}

impl Gathering<'_, '_> {
    fn fire(&self) {
        if !self.rule.fired.load(Ordering::Relaxed) {
            self.rule.fired.store(true, Ordering::Relaxed);
        }
    }

    /// The steps in which others take part, too.
    fn with_others(&mut self, run: &Run<'_>, work: &mut Work, base: usize) -> Result<bool, Lack> {
        let both = (run, work);
        let all = self.machine.besides(self.rule, self.states, both, base, self.around)?;
        let before = self.target.to_vec();
        for one in &all {
            self.target.copy_from_slice(&before);
            one.apply(run.fields, self.target);
            self.moves.push(self.target, self.label);
            one.fire();
            self.fire();
        }
        Ok(true)
    }
}

/// Who wants to know whether something is possible.
struct Possible<'a, 'n> {
    machine: &'a Compiled<'n>,
    rule: &'a Rule,
    states: &'a [u32],
    around: &'a mut Around,
    found: bool,
    unknown: Option<Lack>,
}

impl Sink for Possible<'_, '_> {
    fn labels(&self) -> bool {
        false
    }

    fn emit(&mut self, run: &Run<'_>, work: &mut Work, base: usize) -> Result<bool, Lack> {
        match work.unknown {
            Some((_, why)) => self.unknown = Some(why),
            None if self.rule.wholes.is_empty() => self.found = true,
            None => {
                let both = (run, work);
                let all = self.machine.besides(self.rule, self.states, both, base, self.around)?;
                self.found = !all.is_empty();
            }
        }
        Ok(!self.found)
    }

    fn rival(
        &mut self,
        run: &Run<'_>,
        work: &mut Work,
        site: usize,
        params: usize,
        free: usize,
    ) -> Result<Option<bool>, Lack> {
        let site = &self.rule.sites[site];
        self.machine.is_possible(site, self.states, (run, work), (params, free), self.around)
    }

    fn limited(&mut self) {}

    fn unknown(&mut self, why: Lack) {
        self.unknown = Some(why);
    }
}

impl<'n> Compiled<'n> {
    pub(super) fn all_steps(
        &self,
        scratch: &mut Scratch,
        from: &[u64],
        labels: bool,
        moves: &mut Moves,
    ) -> Result<(), Gap> {
        let Scratch { work, states, target, label, .. } = scratch;
        for (leaf, state) in states.iter_mut().enumerate() {
            *state = self.state(leaf, from) as u32;
        }
        let run = self.run(from);
        let mut around = Around::default();
        let mut look = |number: u32| {
            let way = &self.ways[number as usize];
            moves.in_way(number);
            let make =
                |way: &Way, chosen| self.compiler().rules(self.world(), &self.places, way, chosen);
            let Some(rules) = way.rules(states, make) else { return Ok(()) };
            for rule in rules.iter() {
                work.begin();
                let mut sink = Gathering {
                    machine: self,
                    rule,
                    states,
                    target,
                    label,
                    labels,
                    moves: &mut *moves,
                    around: &mut around,
                };
                run.go(&rule.code, 0, work, &mut sink).map_err(|lack| self.gap(lack))?;
            }
            Ok(())
        };
        for (ways, &state) in self.by_state.iter().zip(&*states) {
            for &way in &ways[state as usize] {
                look(way)?;
            }
        }
        self.without_leaves.iter().try_for_each(|&way| look(way))?;
        moves.limited |= around.limited;
        Ok(())
    }

    /// Whether something could happen that goes first; nothing where that is not known.
    pub(super) fn is_possible(
        &self,
        site: &Site,
        states: &[u32],
        (run, work): (&Run<'_>, &mut Work),
        (params, free): (usize, usize),
        around: &mut Around,
    ) -> Result<Option<bool>, Lack> {
        let before = work.unknown.take();
        let mut unknown = None;
        let mut found = false;
        'ways: for way in &site.ways {
            let make = |way: &Way, chosen| {
                let mut compiler = self.compiler();
                compiler.rival_rules(self.world(), &self.places, site.number, &way.trees, chosen)
            };
            let Some(rules) = way.rules(states, make) else { continue };
            for rule in rules.iter() {
                work.unknown = None;
                work.reserve(free + site.params);
                work.registers.copy_within(params..params + site.params, free);
                let around = &mut *around;
                let mut sink =
                    Possible { machine: self, rule, states, around, found: false, unknown: None };
                let ended = run.go(&rule.code, free, work, &mut sink);
                (found, unknown) = (sink.found, sink.unknown.or(unknown));
                ended?;
                if found {
                    break 'ways;
                }
            }
        }
        work.unknown = before;
        Ok(match unknown {
            _ if found => Some(true),
            None => Some(false),
            Some(why) => {
                work.why = why;
                None
            }
        })
    }

    /// A hash of a configuration with values in the pool.
    pub(super) fn pooled_hash(&self, packed: &[u64]) -> u64 {
        let mut hash = 0;
        let mut plain = packed.to_vec();
        for &number in &self.pooled {
            let field = self.places.fields[number as usize];
            if let Some(value) = field.hash(packed, &self.pool) {
                field.put(&mut plain, 0);
                hash = super::word::mixed(hash, value ^ u64::from(number));
            }
        }
        super::word::mixed(hash, super::field::hash(&plain))
    }
}
