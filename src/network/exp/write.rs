//! Writes a network: one file with its vectors, and one for each system.

use std::fmt::Write;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use thiserror::Error;

use crate::lts::{LabelTable, Lts, LtsLabel};
use crate::network::{Network, NetworkPartId, NetworkVector};

/// Why a network cannot be written.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum NotWritten {
    /// It has no parts.
    #[error("there are no parts")]
    NoParts,
    /// Some vectors give way to others.
    #[error("it has priorities, and no form of this format says which vectors give way to which")]
    Priorities,
    /// A vector has a silent step of a part in it, which cannot be said.
    #[error(
        "silent steps of `{part}` move together with others or are seen, and in this format they happen by themselves"
    )]
    TouchedSilence {
        /// The part.
        part: String,
    },
    /// The silent steps of a part never happen, which cannot be said.
    #[error("silent steps of `{part}` never happen, and in this format they happen by themselves")]
    CutSilence {
        /// The part.
        part: String,
    },
    /// Two labels are the same when they are written.
    #[error("the labels `{one}` and `{other}` are written alike; rename one of them")]
    SameText {
        /// One of them.
        one: String,
        /// The other.
        other: String,
    },
}

/// A network as files.
#[derive(Clone, Debug)]
pub struct ExpWritten {
    /// The text of the network.
    pub network: String,
    /// The systems that it names: the name of a file beside it, and what is in it.
    pub systems: Vec<(String, Arc<Lts>)>,
}

/// The files of a network, with a name for the silent action, and one that the names of all files begin with. Parts that
/// share their system share its file.
pub fn write(network: &Network, silent: &str, stem: &str) -> Result<ExpWritten, NotWritten> {
    can_be_written(network)?;
    let (of_part, systems) = systems(network, stem);
    let results = texts(&network.labels, silent)?;
    let labels: Result<Vec<_>, _> =
        systems.iter().map(|(_, lts)| texts(lts.labels(), silent)).collect();
    let labels = labels?;
    let place = |part: NetworkPartId, vector: &NetworkVector| match vector.label_of(part) {
        Some(label) => labels[of_part[part.index()]][label.index()].clone(),
        None => "_".to_owned(),
    };
    let row = |vector: &NetworkVector| {
        let places = network.parts.ids().map(|part| place(part, vector)).collect();
        (places, results[vector.result.index()].as_str())
    };
    let visible = network.vectors.iter().filter(|vector| !vector.is_free_silence());
    let rows: Vec<(Vec<String>, &str)> = visible.map(row).collect();
    let mut text = comment(network, &of_part, &systems);
    let names: Vec<String> =
        of_part.iter().map(|system| format!("\"{}\"", systems[*system].0)).collect();
    match rows.is_empty() {
        // At least one vector is asked for, and here nothing but silent steps happens.
        true => _ = writeln!(text, "cut \".*\" in\n  {}\nend cut", names.join("\n  ||| ")),
        false => {
            text.push_str("label par using\n");
            lay_out(&rows, &mut text);
            _ = writeln!(text, "in\n  {}\nend par", names.join("\n  || "));
        }
    }
    Ok(ExpWritten { network: text, systems })
}

fn can_be_written(network: &Network) -> Result<(), NotWritten> {
    let name = |part: NetworkPartId| network.parts[part].name.clone();
    if network.parts.is_empty() {
        return Err(NotWritten::NoParts);
    }
    if network.has_priorities() {
        return Err(NotWritten::Priorities);
    }
    let (vectors, parts) = network.not_admissible();
    let touched = vectors
        .first()
        .and_then(|id| network.vectors[*id].members.iter().find(|member| member.label.is_silent()));
    match (touched, parts.first()) {
        (Some(member), _) => Err(NotWritten::TouchedSilence { part: name(member.part) }),
        (None, Some(part)) => Err(NotWritten::CutSilence { part: name(*part) }),
        (None, None) => Ok(()),
    }
}

/// The system of each part, and their files.
fn systems(network: &Network, stem: &str) -> (Vec<usize>, Vec<(String, Arc<Lts>)>) {
    let mut systems: Vec<(String, Arc<Lts>)> = Vec::new();
    let mut known: FxHashMap<*const Lts, usize> = FxHashMap::default();
    let mut of_part = Vec::new();
    for part in network.parts.iter() {
        let next = systems.len();
        let at = *known.entry(Arc::as_ptr(&part.lts)).or_insert(next);
        if at == next {
            systems.push((format!("{stem}_{}.aut", next + 1), Arc::clone(&part.lts)));
        }
        of_part.push(at);
    }
    (of_part, systems)
}

/// The labels as they are written in both formats.
fn texts(labels: &LabelTable, silent: &str) -> Result<Vec<String>, NotWritten> {
    let mut known: FxHashMap<String, LtsLabel> = FxHashMap::default();
    let silent_text = quoted(silent);
    known.insert(silent_text, LtsLabel::SILENT);
    let mut texts = vec![silent.to_owned()];
    for label in labels.ids().filter(|label| !label.is_silent()) {
        let text = quoted(labels.text(label));
        if let Some(other) = known.insert(text.clone(), label) {
            let shown = |label: LtsLabel| match label.is_silent() {
                true => silent.to_owned(),
                false => labels.text(label).to_owned(),
            };
            return Err(NotWritten::SameText { one: shown(other), other: shown(label) });
        }
        texts.push(text);
    }
    Ok(texts)
}

/// Who is who.
fn comment(network: &Network, of_part: &[usize], systems: &[(String, Arc<Lts>)]) -> String {
    let mut text = String::new();
    for (part, system) in network.parts.iter().zip(of_part) {
        let name = part.name.replace(|c: char| c.is_control(), " ");
        let _ = writeln!(text, "-- {}: {name}", systems[*system].0);
    }
    text
}

/// Vectors one below the other, with their places in columns.
fn lay_out(rows: &[(Vec<String>, &str)], text: &mut String) {
    let columns = rows.first().map_or(0, |(places, _)| places.len());
    let width = |at: usize| rows.iter().map(|(places, _)| places[at].chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|at| width(at).unwrap_or(0)).collect();
    for (number, (places, result)) in rows.iter().enumerate() {
        let padded = places.iter().zip(&widths).map(|(place, width)| format!("{place:width$}"));
        let comma = if number + 1 < rows.len() { "," } else { "" };
        let padded: Vec<String> = padded.collect();
        let _ = writeln!(text, "  {} -> {result}{comma}", padded.join(" * "));
    }
}

/// A label as networks have them: in quotes, with those inside of it escaped.
fn quoted(label: &str) -> String {
    format!("\"{}\"", label.replace('\\', "\\\\").replace('"', "\\\""))
}
