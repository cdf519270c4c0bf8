//! The plain interpreter does what nets mean: on random models it finds what the interpreter of the tests finds, and what
//! the open automaton does with the same values.

use std::collections::BTreeSet;

use crate::common::Random;
use crate::common::explicit::{Config, Explicit, Step, World};
use crate::common::explored::{self, Compared, Other};
use crate::common::nets::{self, Shape};
use crate::common::seeds::{fuzz, seeds};
use crate::common::shrink;
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
    assert!((total.troubled + total.gaps) * 5 <= total.configs || !many, "{total:?}");
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
