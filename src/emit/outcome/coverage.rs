//! What many random runs came to, in words.

use super::counted;
use super::evidence::place;
use crate::outcome::{Coverage, Covered, Ended, NeverSeen};

/// So many texts that were never seen are listed.
const MOST: usize = 40;

/// What many runs came to, line by line.
pub fn coverage(told: &Coverage) -> Vec<String> {
    let mean = told.steps as f64 / told.runs.max(1) as f64;
    let mut lines = vec![format!(
        "{} of `{}`: {}, from {} to {} a run, {mean:.1} in the mean",
        counted(told.runs, "run"),
        told.net,
        counted(told.steps, "step"),
        told.shortest,
        told.longest
    )];
    let ends = [
        (&told.met, "met what was looked for"),
        (&told.deadlocks, "ended in a deadlock"),
        (&told.finished, "ended with all components in final states"),
        (&told.untried, "ended where nothing is possible with the values that are tried"),
        (&told.open, "could go on"),
    ];
    for (ended, what) in ends.iter().filter(|(ended, _)| ended.runs > 0) {
        lines.push(end(ended, what));
    }
    let kinds = [
        (&told.transitions, "transition"),
        (&told.states, "state"),
        (&told.vectors, "vector or connector"),
    ];
    for (covered, what) in kinds {
        lines.extend(seen(covered, what));
    }
    lines
}

fn end(ended: &Ended, what: &str) -> String {
    let shortest = match (ended.seed, ended.steps) {
        (Some(seed), Some(steps)) => {
            format!(" (the shortest with `--seed {seed}`, after {})", counted(steps, "step"))
        }
        _ => String::new(),
    };
    format!("{} {what}{shortest}", counted(ended.runs, "run"))
}

fn seen(covered: &Covered, what: &str) -> Vec<String> {
    let mut lines = vec![format!("{} of {} seen", covered.seen, plural(covered.all, what))];
    for one in covered.never.iter().take(MOST) {
        lines.push(format!("  never: {}", never_seen(one)));
    }
    if covered.never.len() > MOST {
        lines.push(format!("  … and {} more", covered.never.len() - MOST));
    }
    lines
}

/// A text of which nothing was ever seen, with where it stands.
pub fn never_seen(text: &NeverSeen) -> String {
    let at = text.at.as_ref().map_or_else(String::new, |at| format!(", {}", place(at)));
    format!("{} (`{}`{at})", text.what, text.of)
}

fn plural(number: usize, what: &str) -> String {
    match (number, what.split_once(" or ")) {
        (1, _) | (_, None) => counted(number, what),
        (_, Some((one, other))) => format!("{number} {one}s and {other}s"),
    }
}
