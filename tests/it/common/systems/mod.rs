//! Labelled transition systems for tests: random ones, and each relation between their states as its definition says,
//! pair by pair.

pub mod naive;

use pnetc::base::{Budget, Watch};
use pnetc::lts::aut::{AutReader, write};
use pnetc::lts::{LabelTable, Lts, LtsBuilder, LtsLabel, LtsState};

use super::Random;

/// A system from the text of a file.
pub fn read(text: &str) -> Lts {
    let mut reader = AutReader::new("test.aut", &["tau".to_owned()]);
    reader.push(text.as_bytes());
    let read = reader.finish();
    read.lts.unwrap_or_else(|| panic!("{:?}", read.diagnostics))
}

/// A system as a file.
pub fn written(lts: &Lts) -> String {
    let mut text = Vec::new();
    let _ = write(lts, "tau", |piece| {
        text.extend_from_slice(piece);
        std::ops::ControlFlow::Continue(())
    });
    String::from_utf8(text).unwrap()
}

/// A small system: with silent circles, states that are not reached, and a few labels.
pub fn random(random: &mut Random) -> Lts {
    let states = random.between(1, 9);
    let transitions = random.below(states * 3);
    made(random, states, transitions)
}

/// A system of some dozens of states.
pub fn larger(random: &mut Random) -> Lts {
    let states = random.between(10, 60);
    let transitions = random.between(states, states * 5 / 2);
    made(random, states, transitions)
}

fn made(random: &mut Random, states: usize, transitions: usize) -> Lts {
    let labels = random.between(1, 3);
    let silent = *random.pick(&[0, 20, 40, 60, 90]);
    let mut builder = LtsBuilder::new(LabelTable::new("tau"));
    let all: Vec<LtsLabel> =
        (0..labels).map(|at| builder.labels.intern(["a", "b", "c"][at])).collect();
    let state = |random: &mut Random| LtsState(random.below(states) as u32);
    for _ in 0..transitions {
        let label = if random.percent(silent) { LtsLabel::SILENT } else { *random.pick(&all) };
        let (from, to) = (state(random), state(random));
        builder.add(from, label, to);
    }
    builder.state(LtsState(states as u32 - 1));
    let initial = state(random);
    builder.finish(initial)
}

/// A system that differs a little, or only in how its states are numbered.
pub fn changed(lts: &Lts, random: &mut Random) -> Lts {
    let mut names: Vec<u32> = (0..lts.states() as u32).collect();
    random.shuffle(&mut names);
    let mut builder = LtsBuilder::new(lts.labels().clone());
    let keeps = random.one_in(3);
    for from in lts.ids() {
        for step in lts.steps(from) {
            let to = if !keeps && random.one_in(8) {
                random.below(names.len())
            } else {
                step.to.index()
            };
            let is_kept = keeps || !random.one_in(12);
            let label = match step.label.is_silent() {
                false if !keeps && random.one_in(10) => LtsLabel::SILENT,
                _ => step.label,
            };
            if is_kept {
                builder.add(LtsState(names[from.index()]), label, LtsState(names[to]));
            }
        }
    }
    names.iter().for_each(|name| builder.state(LtsState(*name)));
    builder.finish(LtsState(names[lts.initial().index()]))
}

/// Somebody who has work stopped after it was looked at so often.
pub struct Stops(pub Budget);

impl Stops {
    pub fn after(looks: u64) -> Stops {
        Stops(Budget::of_work(looks))
    }
}

impl Watch for Stops {
    fn progress(&self, _states: usize, _transitions: usize, _queries: usize) {}

    fn budget(&self) -> Budget {
        self.0.clone()
    }
}
