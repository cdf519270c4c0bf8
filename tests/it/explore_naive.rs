//! The plain interpreter does what nets mean: on random models it finds what the interpreter of the tests finds, and what
//! the open automaton does with the same values.

use std::collections::BTreeSet;

use crate::common::Random;
use crate::common::bordering;
use crate::common::explicit::{Concrete, Config, Explicit, Step, World};
use crate::common::explored::{self, Compared, Other};
use crate::common::nets::{self, Shape};
use crate::common::seeds::{fuzz, seeds};
use crate::common::shrink;
use crate::common::values::make::{self, Kind};
use pnetc::generate::{Options, Unwatched, generate};
use pnetc::pnet::PNet;

/// How many configurations of a model are looked at.
const LIMIT: usize = 30;

impl Other for Explicit<'_> {
    fn initial(&self) -> Option<BTreeSet<Config>> {
        Some(Explicit::initial(self).ok()?.into_iter().collect())
    }

    fn steps(&self, at: &Config) -> Option<BTreeSet<Step>> {
        Explicit::steps(self, at).ok()
    }
}

impl Other for Concrete<'_> {
    fn initial(&self) -> Option<BTreeSet<Config>> {
        Concrete::initial(self).ok()
    }

    fn steps(&self, at: &Config) -> Option<BTreeSet<Step>> {
        Concrete::steps(self, at).ok()
    }
}

/// Every step is an instance of an open transition, and every instance of one is a step.
fn against_automaton(net: &PNet) -> Result<Compared, String> {
    let automaton = generate(net, &Options::default(), &Unwatched).automaton;
    let world: World = explored::world(net);
    let leaves = explored::leaves(net);
    explored::compare(net, &world, &Concrete::new(&automaton, &world, &leaves)?, LIMIT)
}

fn against_explicit(net: &PNet) -> Result<Compared, String> {
    let world: World = explored::world(net);
    explored::compare(net, &world, &Explicit::new(net, &world), LIMIT)
}

/// Compares random models.
fn random_models(
    name: &str,
    shape: Shape,
    count: u64,
    check: impl Fn(&PNet) -> Result<Compared, String>,
) {
    let count = fuzz().unwrap_or(count);
    let (mut total, mut failures) = (Compared::default(), Vec::new());
    for seed in seeds(count) {
        let text = nets::model(&mut Random::new(seed), shape);
        let label = format!("{name}, PNET_SEED={seed}");
        let compared = shrink::tried(&label, &text, |text| match nets::accepted(text) {
            Ok(net) => check(&net),
            Err(_) => Ok(Compared::default()),
        });
        match compared {
            Ok(found) => total += found,
            Err(why) => failures.push(why),
        }
    }
    println!("{name}: {total:?}");
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
    let many = seeds(count).count() > 1;
    // A hole can bring any values, also for arrays with a place for each member: more of these are not compared.
    let not_compared = (total.troubled + total.gaps) * if shape.holes { 1 } else { 5 };
    assert!(not_compared <= total.configs || !many, "{total:?}");
    assert!(total.steps as u64 > 10 * count || !many, "{total:?}");
    assert!(total.stuck > 0 || shape.holes || !many, "{total:?}");
}

#[test]
fn closed_models_agree_with_their_definition() {
    random_models("naive closed", Shape::closed(), 60, against_explicit);
}

#[test]
fn open_models_agree_with_their_definition() {
    random_models("naive open", Shape::open(), 40, against_explicit);
}

#[test]
fn closed_models_agree_with_their_automata() {
    random_models("naive closed automata", Shape::closed(), 25, against_automaton);
}

#[test]
fn open_models_agree_with_their_automata() {
    random_models("naive open automata", Shape::open(), 15, against_automaton);
}

/// Values at the borders of their sorts, in data, arrays, functions and quantifiers, with an interpreter that knows the
/// models as they were made, before anything was elaborated.
#[test]
fn values_at_the_borders_agree_with_what_was_meant() {
    let kinds =
        [Kind::Leaf, Kind::Closed, Kind::Families, Kind::Nested, Kind::Connected, Kind::Filled];
    let (mut total, mut failures) = (Compared::default(), Vec::new());
    for seed in seeds(fuzz().unwrap_or(40)) {
        for kind in kinds {
            let mut model = make::model(&mut Random::new(seed), kind, false);
            model.right = make::copied(&model);
            match bordering::compare(&model) {
                Ok(found) => total += found,
                Err(why) => {
                    let text = model.text();
                    let label = format!("naive {kind:?}, PNET_SEED={seed}");
                    failures.push(shrink::said(&label, &text, &text, &why));
                }
            }
        }
    }
    println!("naive values: {total:?}");
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
    assert!(total.steps > 100 && total.configs > 100 || seeds(40).count() == 1, "{total:?}");
}
