//! Who takes part besides: members of a vector that may take part or not.
//!
//! Those who have to take part decide for each of them by itself what it can do, so nobody goes through sets of members that
//! cannot happen. With maximal progress whoever can take part does; and an interaction that is left happens where none of
//! its connector could, for other values or with another trigger, that has all its ports and more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::{FxHashMap, FxHashSet};

use super::Compiled;
use super::code::Lack;
use super::field::Field;
use super::rule::{May, PortNumber, Rule, Way, Whole};
use super::run::{Run, Sink, Work};
use crate::base::budget::is_spent;
use crate::explore::MOST_AT_ONCE;
use crate::pnet::{NodeId, VectorPlace};

/// What those who take part besides change.
#[derive(Clone, Debug, Default)]
pub(super) struct Done {
    states: Vec<(u32, u64, u64)>,
    fields: Vec<(u32, u64)>,
    /// Their ports, in no order.
    ports: Vec<PortNumber>,
    fired: Vec<Arc<AtomicBool>>,
}

/// The ports of interactions, each in order.
type PortSets = Arc<Vec<Vec<PortNumber>>>;

/// What was found out about a configuration.
#[derive(Debug, Default)]
pub(super) struct Around {
    /// The interactions that connectors with maximal progress could have.
    possible: FxHashMap<(NodeId, u32), PortSets>,
    /// Whether there are values that were not tried.
    pub limited: bool,
}

impl Done {
    fn and(&self, other: &Done) -> Done {
        let mut both = self.clone();
        both.states.extend(&other.states);
        both.fields.extend(&other.fields);
        both.ports.extend(&other.ports);
        both.fired.extend(other.fired.iter().cloned());
        both
    }

    /// Changes a configuration.
    pub fn apply(&self, fields: &[Field], target: &mut [u64]) {
        for &(word, clear, set) in &self.states {
            let word = &mut target[word as usize];
            *word = (*word & !clear) | set;
        }
        for &(field, bits) in &self.fields {
            fields[field as usize].put(target, bits);
        }
    }

    /// Notes that it happened.
    pub fn fire(&self) {
        self.fired.iter().for_each(|fired| fired.store(true, Ordering::Relaxed));
    }
}

/// All that one of these and one of those do.
fn product(these: &[Done], those: &[Done], place: VectorPlace) -> Result<Vec<Done>, Lack> {
    if these.len().saturating_mul(those.len()) > MOST_AT_ONCE {
        return Err(Lack::Many(place));
    }
    if is_spent() {
        return Err(Lack::Stopped);
    }
    let pairs = these.iter().flat_map(|one| those.iter().map(move |other| one.and(other)));
    Ok(pairs.collect())
}

/// Whether the first has all ports of the second, and more.
fn is_larger(large: &[PortNumber], small: &[PortNumber]) -> bool {
    large.len() > small.len() && small.iter().all(|port| large.binary_search(port).is_ok())
}

/// Who gathers what members do that take part besides.
struct Besides<'a, 'n> {
    machine: &'a Compiled<'n>,
    rule: &'a Rule,
    ports: &'a [PortNumber],
    states: &'a [u32],
    around: &'a mut Around,
    found: &'a mut Vec<Done>,
}

impl Sink for Besides<'_, '_> {
    fn labels(&self) -> bool {
        false
    }

    fn emit(&mut self, run: &Run<'_>, work: &mut Work, base: usize) -> Result<bool, Lack> {
        if let Some((_, why)) = work.unknown {
            return Err(why);
        }
        let mut done = Done {
            states: self.rule.states.to_vec(),
            fields: Vec::with_capacity(self.rule.updates.len()),
            ports: self.ports.to_vec(),
            fired: vec![self.rule.fired.clone()],
        };
        for &(number, register) in &self.rule.updates {
            let value = work.registers[base + register as usize];
            // What values owe has been tested; a value that is none of its sort makes no step.
            let field = run.fields[number as usize];
            let Some(bits) = field.to_bits(value, run.values.pool) else { return Ok(true) };
            done.fields.push((number, bits));
        }
        if self.rule.wholes.is_empty() {
            self.found.push(done);
            return Ok(true);
        }
        let both = (run, work);
        let inside = self.machine.besides(self.rule, self.states, both, base, self.around)?;
        self.found.extend(inside.iter().map(|inside| done.and(inside)));
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
        let both = (run, work);
        self.machine.is_possible(site, self.states, both, (params, free), self.around)
    }

    fn limited(&mut self) {
        self.around.limited = true;
    }
}

impl Compiled<'_> {
    /// All that those do together who may take part beside a rule, whose registers begin at `base`.
    pub(super) fn besides(
        &self,
        rule: &Rule,
        states: &[u32],
        (run, work): (&Run<'_>, &mut Work),
        base: usize,
        around: &mut Around,
    ) -> Result<Vec<Done>, Lack> {
        let before = work.unknown.take();
        let places = (base, base + rule.code.registers);
        let mut all = vec![Done::default()];
        for whole in &rule.wholes {
            let of_whole = self.of_whole(whole, states, (run, work), places, around)?;
            all = product(&all, &of_whole, whole.place)?;
        }
        work.unknown = before;
        Ok(all)
    }

    fn of_whole(
        &self,
        whole: &Whole,
        states: &[u32],
        (run, work): (&Run<'_>, &mut Work),
        (base, free): (usize, usize),
        around: &mut Around,
    ) -> Result<Vec<Done>, Lack> {
        let mut all = vec![Done::default()];
        for may in &whole.may {
            let places = (base + may.first as usize, free);
            let mut done = self.done_by(may, states, (run, work), places, around)?;
            if whole.maximal.is_none() {
                done.insert(0, Done::default());
            }
            if !done.is_empty() {
                all = product(&all, &done, whole.place)?;
            }
        }
        if whole.inner {
            return Ok(all);
        }
        if let Some(maximal) = whole.maximal.filter(|_| !whole.alone) {
            let key = (whole.place.0, maximal);
            let possible = self.possible_ports(key, states, (run, work), free, around)?;
            all.retain(|one| {
                let mut ports: Vec<PortNumber> = one.ports.clone();
                ports.extend(&whole.ports);
                ports.sort_unstable();
                !possible.iter().any(|other| is_larger(other, &ports))
            });
        }
        // Who is inside another vector is no port of this one.
        all.iter_mut().for_each(|one| one.ports.clear());
        Ok(all)
    }

    /// All that members can do that may take part, with the values in registers from the first on; those from `free` on
    /// are not used.
    fn done_by(
        &self,
        may: &May,
        states: &[u32],
        (run, work): (&Run<'_>, &mut Work),
        (params, free): (usize, usize),
        around: &mut Around,
    ) -> Result<Vec<Done>, Lack> {
        let mut found = Vec::new();
        let (site, ports) = (&may.site, &may.ports[..]);
        for way in &site.ways {
            let make = |way: &Way, chosen| {
                let mut compiler = self.compiler();
                compiler.may_rules(self.world(), &self.places, site.number, &way.trees, chosen)
            };
            let Some(rules) = way.rules(states, make) else { continue };
            for rule in rules.iter() {
                work.unknown = None;
                work.reserve(free + site.params);
                work.registers.copy_within(params..params + site.params, free);
                let (around, found) = (&mut *around, &mut found);
                let mut sink = Besides { machine: self, rule, ports, states, around, found };
                run.go(&rule.code, free, work, &mut sink)?;
            }
        }
        work.unknown = None;
        Ok(found)
    }

    /// The ports of all interactions that a connector with maximal progress could have here, for whatever values: for each
    /// choice of values, of the largest.
    fn possible_ports(
        &self,
        key: (NodeId, u32),
        states: &[u32],
        (run, work): (&Run<'_>, &mut Work),
        free: usize,
        around: &mut Around,
    ) -> Result<PortSets, Lack> {
        if let Some(known) = around.possible.get(&key) {
            return Ok(known.clone());
        }
        let all = self.compiler().rivalling(key.0, key.1);
        let mut sets: FxHashSet<Vec<PortNumber>> = FxHashSet::default();
        for may in all.iter() {
            for done in self.done_by(may, states, (run, work), (free, free), around)? {
                let mut ports = done.ports;
                ports.sort_unstable();
                sets.insert(ports);
            }
        }
        let sets: PortSets = Arc::new(sets.into_iter().collect());
        around.possible.insert(key, sets.clone());
        Ok(sets)
    }
}
