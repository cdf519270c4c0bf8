//! How a system was made part by part, in words.

use super::counted;
use crate::outcome::{MadeByParts, NotFree, Stage, StageKind};

/// What was made, line by line, and the largest of it.
pub fn composition(report: &MadeByParts) -> Vec<String> {
    let mut lines: Vec<String> = report.observed.iter().map(not_free).collect();
    if report.gives_way {
        lines.push(
            "silent steps count: there are priorities, and what gives way can tell".to_owned(),
        );
    }
    lines.extend(report.stages.iter().map(stage));
    lines.push(format!(
        "largest: {}, {}, {} for its states",
        counted(report.most_states, "state"),
        counted(report.most_transitions, "transition"),
        bytes(report.peak_bytes)
    ));
    lines
}

fn stage(stage: &Stage) -> String {
    let size =
        format!("{}, {}", counted(stage.states, "state"), counted(stage.transitions, "transition"));
    let of = &stage.of;
    match &stage.how {
        StageKind::Leaf => format!("{of}: {size}"),
        StageKind::Interface { by } => {
            format!("what {} allows {of}: {size}", by.join(" with "))
        }
        StageKind::Restricted { by } => format!("{of} with {}: {size}", by.join(" and ")),
        StageKind::Product => format!("{of} together: {size}"),
        StageKind::Reduced { by } => format!("{of} reduced by {by}: {size}"),
    }
}

/// Why silent steps of a part count.
pub fn not_free(NotFree { part, action, vector }: &NotFree) -> String {
    let why = match vector {
        Some(vector) => format!("the vector `{vector}` observes it"),
        None => "no vector lets it happen by itself".to_owned(),
    };
    format!("silent steps count: `{part}` does `{action}`, and {why}")
}

fn bytes(bytes: u64) -> String {
    match bytes {
        0..10_000 => format!("{bytes} bytes"),
        10_000..10_000_000 => format!("{} kB", bytes / 1000),
        _ => format!("{} MB", bytes / 1_000_000),
    }
}
