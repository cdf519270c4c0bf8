//! Nets made part by part: `pnet reduce MODEL NET --smart`.

use super::output::{Reporting, complain};
use super::simulating::{Besides, Ready, Readying};
use super::watch::Working;
use super::{STATUS_ERROR, STATUS_UNKNOWN};
use crate::compose::{
    ComposePlan, ComposedSystem, Method, NotByParts, PartialSystem, PlanOptions, Seeing, generate,
};
use crate::emit::composition::left_lines;
use crate::emit::outcome::composition;
use crate::lts::Equivalence;
use crate::network::{Network, NotGenerated};
use crate::outcome::MadeByParts;
use crate::pnet::VectorPlace;

/// How many configurations of a leaf are made by itself, before it is made under what its neighbours allow.
const MOST_OF_LEAF: usize = 100_000;

/// How a system is made part by part, and what to do with what is left where it is too large.
pub(super) struct Making<'m> {
    pub by: Equivalence,
    /// How many states a system on the way may have, if that was said.
    pub most_states: Option<usize>,
    /// Writes what is left, if that is wanted, and says how to go on.
    pub keep: &'m dyn Fn(&Network),
}

/// Makes the system of a net part by part; otherwise, the status, and what is wrong has been said.
pub(super) fn by_parts(
    asked: (&str, Option<&str>),
    making: &Making<'_>,
    readying: Readying<'_>,
    watch: &Working,
) -> Result<ComposedSystem, u8> {
    let ready = readying.ready(asked, &Besides::default()).map_err(|problem| {
        problem.iter().for_each(|problem| complain(problem));
        STATUS_ERROR
    })?;
    let seeing = Seeing { finals: false, most_states: MOST_OF_LEAF };
    let options = PlanOptions { seeing, later: &[], marking: None };
    let Ready { net, domains, name, .. } = &ready;
    let plan = ComposePlan::new((net, name), domains, options, watch)
        .map_err(|why| refused(name, &why, None))?;
    let told = |place: VectorPlace| vector(&ready, place);
    let method = Method::preserving(making.by);
    let most_states = making.most_states.unwrap_or(method.most_states);
    let method = Method { most_states, ..method };
    generate(&plan, &method, domains, watch, &told).map_err(|failed| {
        tell(&failed.report, readying.reporting);
        let status = refused(name, &failed.why, Some(&failed));
        if let Some((of, network)) = &failed.left {
            left_lines(of, network).iter().for_each(|line| readying.reporting.say(line));
            (making.keep)(network);
        }
        status
    })
}

/// The text of a vector, on one line.
fn vector(ready: &Ready, place: VectorPlace) -> String {
    let span = ready.net.origins.get(ready.net.vector(place).origin).span;
    ready.checked.sources.text(span).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Tells of every system on the way, and of the largest.
pub(super) fn tell(report: &MadeByParts, reporting: &Reporting) {
    composition(report).iter().for_each(|line| reporting.say(line));
}

/// Says why there is no system, what the best was that was made, and what may help.
fn refused(name: &str, why: &NotByParts, failed: Option<&PartialSystem>) -> u8 {
    let best = failed.and_then(|failed| failed.best.as_ref());
    let best = best.map_or_else(String::new, |(of, lts)| {
        format!("; the largest that was made is `{of}` with {} states", lts.states())
    });
    complain(&format!("there is no result: `{name}` is not made part by part: {why}{best}"));
    match why {
        NotByParts::Spent(_) => STATUS_UNKNOWN,
        NotByParts::Part {
            why: NotGenerated::TooLarge { .. } | NotGenerated::TooManySteps,
            ..
        } => {
            complain(
                "what nobody outside needs to see can be silent (`sync a`, or `Hide`), so that parts get smaller; and a \
                 `reduction` says who restricts whom, and what is composed first",
            );
            STATUS_UNKNOWN
        }
        _ => STATUS_ERROR,
    }
}
