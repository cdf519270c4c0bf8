//! Words for claims about every size.

use crate::outcome::{OneSize, SizeModel, SizedBy};

/// `for every `n` from 2 on: up to 3 one by one, the others by traps`
pub(super) fn every(of: &SizedBy, searched: Option<i64>, invariants: &[String]) -> String {
    let (all, alone) = match of {
        SizedBy::Constant { name, from, to: Some(to) } => {
            return format!("for every `{name}` from {from} to {to}, one by one");
        }
        SizedBy::Constant { name, from, to: None } => {
            let alone = searched.map(|up_to| match up_to == *from {
                true => format!("`{name} = {from}` by itself"),
                false => format!("up to {up_to} one by one"),
            });
            (format!("for every `{name}` from {from} on"), alone)
        }
        SizedBy::Constants { sizes } if invariants.is_empty() => {
            return format!("for every {}, one by one", ranges(sizes));
        }
        SizedBy::Constants { sizes } => {
            let alone = sizes.iter().filter_map(|size| {
                let OneSize { name, from, alone, .. } = size;
                alone.map(|up_to| match up_to == *from {
                    true => format!("`{name} = {from}`"),
                    false => format!("`{name}` up to {up_to}"),
                })
            });
            let alone = alone.collect::<Vec<_>>().join(" and ");
            let alone = (!alone.is_empty()).then(|| format!("{alone} one by one"));
            (format!("for every {}", ranges(sizes)), alone)
        }
        SizedBy::Architecture { name } => {
            let alone = searched.map(|up_to| format!("up to {up_to} components one by one"));
            (format!("for every unfolding of `{name}`"), alone)
        }
    };
    let by = invariants.iter().map(|kind| kind_of(kind)).collect::<Vec<_>>().join(", ");
    match alone {
        None => format!("{all}, by {by}"),
        Some(alone) => format!("{all}: {alone}, the others by {by}"),
    }
}

/// ``n` from 2 on and `m` from 1 to 4`
fn ranges(sizes: &[OneSize]) -> String {
    let range = |size: &OneSize| match size.to {
        Some(to) => format!("`{}` from {} to {to}", size.name, size.from),
        None => format!("`{}` from {} on", size.name, size.from),
    };
    sizes.iter().map(range).collect::<Vec<_>>().join(" and ")
}

/// Who decided, where that is worth a word.
pub(super) fn decided(engine: Option<&str>) -> &'static str {
    match engine {
        Some("MONA") => "; MONA decided that they do",
        _ => "",
    }
}

/// Invariants of a kind.
fn kind_of(kind: &str) -> &str {
    match kind {
        "trap" => "traps (places of which one is always taken)",
        "one" => "sets of places of which exactly one is always taken",
        "flow" => "sets of places of which as many are taken as at first",
        "siphon" => "siphons (places that are never taken)",
        other => other,
    }
}

/// Why something is not known of every size.
pub(super) fn not_every(
    of: &SizedBy,
    why: Option<&str>,
    fine: Option<i64>,
    model: Option<&SizeModel>,
) -> String {
    let mut all: Vec<String> = why.iter().map(|why| (*why).to_owned()).collect();
    if let Some(SizeModel { instance, components }) = model {
        let shown = components.join(", ");
        all.push(format!(
            "no invariant excludes, for `{instance}`: {shown}; whether this can be reached is not known"
        ));
    }
    let name = match of {
        SizedBy::Constant { name, .. } | SizedBy::Architecture { name } => name.clone(),
        SizedBy::Constants { sizes } => {
            sizes.iter().map(|size| size.name.clone()).collect::<Vec<_>>().join("` and `")
        }
    };
    if let Some(fine) = fine {
        all.push(match of {
            SizedBy::Constant { .. } | SizedBy::Constants { .. } => {
                format!("up to `{name} = {fine}` nothing was found")
            }
            SizedBy::Architecture { .. } => {
                format!("in unfoldings of up to {fine} components nothing was found")
            }
        });
    }
    if all.is_empty() {
        all.push(match of {
            SizedBy::Constant { .. } | SizedBy::Constants { .. } => {
                format!("it is not known for every `{name}`")
            }
            SizedBy::Architecture { .. } => {
                format!("it is not known for every unfolding of `{name}`")
            }
        });
    }
    all.join("; ")
}
