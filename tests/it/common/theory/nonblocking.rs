//! Non-blocking composition (Definition 10 of the SEFM paper), by going through all configurations.
//!
//! Where the net with its hole open can make some step, for some action that the sort of the hole allows, the net with
//! the hole filled can make one, too. Only configurations that the filled net reaches count, and that is a
//! reachability predicate, the strongest.

use pnetc::elaborate;

use crate::common::check_text;
use crate::common::explicit::{Config, Explicit};
use crate::common::pairs::world;

/// More than this is not gone through.
const MOST_CONFIGS: usize = 200;

/// Whether filling some holes of a net blocks nothing; both nets stand in the text. Nothing when there is too much to
/// go through.
pub fn is_nonblocking(text: &str, open: &str, filled: &str) -> Option<bool> {
    let checked = check_text(text);
    let build = |name: &str| {
        checked.build(Some(name), &elaborate::ElaborateOptions::default()).expect("a net")
    };
    let (open, filled) = (build(open), build(filled));
    let (open_world, filled_world) = (world(&open)?, world(&filled)?);
    let outer = Explicit::new(&open, &open_world);
    let whole = Explicit::new(&filled, &filled_world);
    let places: Vec<usize> = outer
        .leaves()
        .iter()
        .map(|(path, _)| whole.leaves().iter().position(|(other, _)| other == path))
        .collect::<Option<_>>()?;
    let reached = whole.reachable(MOST_CONFIGS).ok()?;
    if !reached.complete {
        return None;
    }
    for (config, steps) in &reached.configs {
        let part = Config {
            states: places.iter().map(|&at| config.states[at]).collect(),
            values: places.iter().map(|&at| config.values[at].clone()).collect(),
        };
        if steps.as_ref()?.is_empty() && !outer.steps(&part).ok()?.is_empty() {
            return Some(false);
        }
    }
    Some(true)
}
