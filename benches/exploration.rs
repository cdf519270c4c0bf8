//! How fast configurations are explored: the yardsticks of explicit model checkers, on one core.
//!
//! Run it with `cargo bench --bench exploration`. Machines differ and are noisy: compare figures of one run only.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a program for people, not part of the product"
)]

use std::sync::Arc;
use std::time::Instant;

use hashbrown::HashTable;
use pnetc::elaborate::ElaborateOptions;
use pnetc::explore::compiled::Compiled;
use pnetc::explore::{Domains, Machine, Moves};
use pnetc::loader::Sources;
use pnetc::pnet::PNet;
use pnetc::session::Session;

/// The same allocator as the command's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A name, a text, an instance, and how many states and steps there are, where it is known.
type Yardstick = (&'static str, &'static str, &'static str, Option<(usize, usize)>);

/// The models: text, instance, and how many states and steps there are, where it is known.
const MODELS: &[Yardstick] = &[
    ("dining_any 8", include_str!("models/dining_any.pnet"), "Dining<8>", Some((117_485, 800_368))),
    (
        "dining_lr 12",
        include_str!("models/dining_lr.pnet"),
        "Dining<12>",
        Some((531_440, 4_251_516)),
    ),
    ("ring 16", include_str!("models/ring.pnet"), "Ring<16>", Some((1_572_864, 14_417_920))),
    (
        "cyclic 500 2",
        include_str!("models/cyclic.pnet"),
        "Cyclic<500, 2>",
        Some((251_001, 502_002)),
    ),
    ("filter 4", include_str!("models/filter.pnet"), "Filter<4>", Some((4_576_632, 16_921_020))),
    ("leader 7", include_str!("models/leader.pnet"), "Leader", Some((1_394_109, 7_580_670))),
    ("filter 3", include_str!("models/filter.pnet"), "Filter<3>", Some((26_208, 72_894))),
];

/// A model that is not in a file.
struct Model(String);

impl Sources for Model {
    fn read(&self, _: &str) -> Result<Vec<u8>, String> {
        Ok(self.0.clone().into_bytes())
    }
}

fn net(text: &str, instance: &str) -> Arc<PNet> {
    let model = Model(format!("{text}\nnet Main = {instance};\n"));
    let checked = Session::default().check(&model, "model.pnet").expect("it can be read");
    assert!(!checked.has_errors(), "the model should be fine");
    checked.build(Some("Main"), &ElaborateOptions::default()).expect("it elaborates")
}

/// States and steps, by a plain search.
fn explore(machine: &impl Machine) -> (usize, usize) {
    let words = machine.bits() / 64;
    let mut table: HashTable<u32> = HashTable::new();
    let mut states: Vec<u64> = Vec::new();
    let mut count = 0;
    let add =
        |packed: &[u64], states: &mut Vec<u64>, table: &mut HashTable<u32>, count: &mut usize| {
            let hash = machine.hash(packed);
            let at = |place: u32| place as usize * words..(place as usize + 1) * words;
            if table.find(hash, |&place| &states[at(place)] == packed).is_none() {
                let place = *count as u32;
                states.extend_from_slice(packed);
                *count += 1;
                table.insert_unique(hash, place, |&other| machine.hash(&states[at(other)]));
            }
        };
    for packed in machine.initial().expect("initial configurations").0 {
        add(&packed, &mut states, &mut table, &mut count);
    }
    let (mut scratch, mut moves) = (machine.scratch(), Moves::new(words));
    let (mut next, mut steps) = (0, 0);
    let mut from = vec![0; words];
    while next < count {
        from.copy_from_slice(&states[next * words..(next + 1) * words]);
        next += 1;
        moves.clear();
        machine.steps(&mut scratch, &from, false, &mut moves).expect("steps");
        steps += moves.len();
        for step in 0..moves.len() {
            add(moves.target(step), &mut states, &mut table, &mut count);
        }
    }
    (count, steps)
}

fn main() {
    let only: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    for &(name, text, instance, expected) in MODELS {
        if !only.is_empty() && !only.iter().any(|only| name.contains(only.as_str())) {
            continue;
        }
        let net = net(text, instance);
        let machine = Compiled::new(&net, &Domains::default());
        let start = Instant::now();
        let (states, steps) = explore(&machine);
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{name:14} {states:9} states {steps:9} steps {seconds:7.3} s {:10.0} states/s {:10.0} steps/s {:3} bytes",
            states as f64 / seconds,
            steps as f64 / seconds,
            machine.bits() / 8
        );
        if let Some(expected) = expected {
            assert_eq!((states, steps), expected, "{name}");
        }
    }
}
