//! The fast interpreter does what the plain one does: on random models both begin in the same configurations, and in each
//! that is reached have the same steps.

use crate::common::agreeing::{Agreed, compare};
use crate::common::explored::domains;
use crate::common::nets::{self, Shape};
use crate::common::seeds::{fuzz, seeds};
use crate::common::{Random, shrink};

/// How many configurations of a model are looked at.
const LIMIT: usize = 30;

fn random_models(name: &str, shape: Shape, count: u64) {
    let count = fuzz().unwrap_or(count);
    let (mut total, mut failures) = (Agreed::default(), Vec::new());
    for seed in seeds(count) {
        let text = nets::model(&mut Random::new(seed), shape);
        let label = format!("{name}, PNET_SEED={seed}");
        let found = shrink::tried(&label, &text, |text| match nets::accepted(text) {
            Ok(net) => compare(&net, &domains(&net), LIMIT),
            Err(_) => Ok(Agreed::default()),
        });
        match found {
            Ok(found) => total += found,
            Err(why) => failures.push(why),
        }
    }
    println!("{name}: {total:?}");
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
    let gaps = total.gaps + total.gaps_of_one[0] + total.gaps_of_one[1];
    assert!(gaps * 10 <= total.configs || seeds(count).count() == 1, "{total:?}");
}

#[test]
fn closed_models_agree() {
    random_models("agree, closed", Shape::closed(), 60);
}

#[test]
fn open_models_agree() {
    random_models("agree, open", Shape::open(), 25);
}
