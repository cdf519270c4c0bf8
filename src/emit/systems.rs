//! Words and JSON for labelled transition systems: what they are, and what tells two apart.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::lts::{
    Difference, Equivalence, Excess, LabelTable, Lts, LtsCompared, LtsInfo, LtsLabel, LtsQuestion,
    Seen, Side, Then, ToldApart,
};
use crate::network::{Network, NetworkPart};

/// Longer formulas are not shown.
const LONGEST_FORMULA: usize = 4000;

/// The same for programs: a formula in which much occurs twice can be very long.
const LONGEST_IN_JSON: usize = 1_000_000;

/// How many labels are listed for people.
const MOST_LABELS: usize = 40;

/// The name of an equivalence, as options and JSON have it.
pub fn equivalence(by: Equivalence) -> &'static str {
    match by {
        Equivalence::Strong => "strong",
        Equivalence::Branching => "branching",
        Equivalence::DivergencePreserving => "dpbranching",
        Equivalence::Weak => "weak",
        Equivalence::Trace => "trace",
        Equivalence::WeakTrace => "weak-trace",
        Equivalence::Safety => "safety",
    }
}

fn seen(seen: Seen) -> &'static str {
    match seen {
        Seen::Traces => "trace",
        Seen::WeakTraces => "weak-trace",
        Seen::Failures => "failures",
        Seen::FailuresDivergences => "failures-divergences",
    }
}

/// What an equivalence says in words: "the two are …".
fn said(by: Equivalence) -> &'static str {
    match by {
        Equivalence::Strong => "strongly bisimilar",
        Equivalence::Branching => "branching bisimilar",
        Equivalence::DivergencePreserving => "branching bisimilar, silent steps for ever included",
        Equivalence::Weak => "weakly bisimilar",
        Equivalence::Trace => "alike by their traces",
        Equivalence::WeakTrace => "alike by their traces without silent steps",
        Equivalence::Safety => "alike in what can happen (each simulates the other)",
    }
}

/// What is asked about two systems, in words: as a claim, and as its opposite.
fn claims(question: LtsQuestion, first: &str, second: &str) -> (String, String) {
    let both = |what: &str| {
        (
            format!("`{first}` and `{second}` are {what}"),
            format!("`{first}` and `{second}` are not {what}"),
        )
    };
    let one = |what: &str| {
        let claim = |word: &str| format!("`{first}` {word} `{second}` by {what}");
        (claim("refines"), claim("does not refine"))
    };
    let model = |by: Seen| match by {
        Seen::Traces => "traces",
        Seen::WeakTraces => "traces without silent steps",
        Seen::Failures => "stable failures",
        Seen::FailuresDivergences => "failures and divergences",
    };
    match question {
        LtsQuestion::Equivalent(by) => both(said(by)),
        LtsQuestion::SeenAlike(by) => both(&format!("alike by their {}", model(by))),
        LtsQuestion::Refines(by) => one(model(by)),
        LtsQuestion::Simulated => one("simulation"),
    }
}

/// `1 step`, `2 steps`
pub(super) fn counted(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// How large a system is.
pub fn size(lts: &Lts) -> String {
    format!("{}, {}", counted(lts.states(), "state"), counted(lts.transitions(), "transition"))
}

fn listed(labels: &[LtsLabel], table: &LabelTable) -> String {
    labels.iter().map(|label| format!("`{}`", table.text(*label))).collect::<Vec<_>>().join(", ")
}

/// What a network is made of, for people: systems with how often each is there, and how many vectors there are.
pub fn network_lines(network: &Network) -> Vec<String> {
    let mut parts: Vec<(&NetworkPart, usize)> = Vec::new();
    for part in network.parts.iter() {
        match parts.iter_mut().find(|(known, _)| Arc::ptr_eq(&known.lts, &part.lts)) {
            Some((_, many)) => *many += 1,
            None => parts.push((part, 1)),
        }
    }
    let (count, vectors) = (network.parts.len(), visible(network));
    let mut told = vec![format!("{}, {}:", counted(count, "part"), counted(vectors, "vector"))];
    let part = |(part, many): &(&NetworkPart, usize)| {
        let times = if *many > 1 { format!(", {many} times") } else { String::new() };
        format!("  {} ({}){times}", part.name, size(&part.lts))
    };
    told.extend(parts.iter().take(MOST_LABELS).map(part));
    if parts.len() > MOST_LABELS {
        told.push(format!("  … and {} more", parts.len() - MOST_LABELS));
    }
    told
}

/// How many vectors there are, but for those by which silent steps happen by themselves.
fn visible(network: &Network) -> usize {
    network.vectors.iter().filter(|vector| !vector.is_free_silence()).count()
}

/// What a network is made of, for programs.
pub fn network_object(network: &Network) -> Value {
    let part = |part: &NetworkPart| json!({ "name": part.name, "states": part.lts.states(), "transitions": part.lts.transitions() });
    let parts: Vec<Value> = network.parts.iter().map(part).collect();
    json!({ "parts": parts, "vectors": visible(network) })
}

/// Figures of a system, for people.
pub fn info_lines(info: &LtsInfo, lts: &Lts, lines: u64) -> Vec<String> {
    let table = lts.labels();
    let mut told = vec![format!(
        "{}, {}, at most {} away",
        counted(info.states, "state"),
        counted(info.transitions, "transition"),
        counted(info.depth, "step")
    )];
    if lines > info.transitions as u64 {
        told.push(format!(
            "{} more say what others say",
            counted(lines as usize - info.transitions, "line")
        ));
    }
    if info.reached < info.states {
        told.push(format!("{} cannot be reached", counted(info.states - info.reached, "state")));
    }
    let way = |to: &Option<Vec<LtsLabel>>| match to.as_deref() {
        None => String::new(),
        Some([]) => ", the initial state".to_owned(),
        Some(labels) => format!(", the nearest after {}", shortened(labels, table)),
    };
    told.push(match info.deadlocks {
        0 => "no deadlocks".to_owned(),
        many => format!("{}{}", counted(many, "deadlock"), way(&info.to_deadlock)),
    });
    told.push(match (info.silent, info.diverging) {
        (0, _) => "no silent steps".to_owned(),
        (many, 0) => format!("{}, no silent circles", counted(many, "silent step")),
        (many, on) => format!(
            "{}, {} on silent circles{}",
            counted(many, "silent step"),
            counted(on, "state"),
            way(&info.to_divergence)
        ),
    });
    told.push(match info.undecided {
        0 => "deterministic".to_owned(),
        many => format!(
            "not deterministic: {} with a silent step, or with two of the same label",
            counted(many, "state")
        ),
    });
    told.push(format!("{}:", counted(info.labels.len(), "label")));
    let label = |(label, count): &(LtsLabel, usize)| format!("  {} ({count})", table.text(*label));
    told.extend(info.labels.iter().take(MOST_LABELS).map(label));
    if info.labels.len() > MOST_LABELS {
        told.push(format!(
            "  … and {} more; `--format json` has all",
            info.labels.len() - MOST_LABELS
        ));
    }
    told
}

/// A trace that may be long.
fn shortened(labels: &[LtsLabel], table: &LabelTable) -> String {
    match labels.len() {
        0..=20 => listed(labels, table),
        many => format!("{} … ({many} steps)", listed(&labels[..20], table)),
    }
}

/// Figures of a system, for programs.
pub fn info_object(info: &LtsInfo, lts: &Lts, lines: u64) -> Value {
    let table = lts.labels();
    let way = |to: &Option<Vec<LtsLabel>>| to.as_ref().map(|labels| texts(labels, table));
    let labels = info.labels.iter();
    let labels: Vec<Value> = labels
        .map(|(label, count)| json!({ "label": table.text(*label), "silent": label.is_silent(), "transitions": count }))
        .collect();
    json!({
        "states": info.states,
        "transitions": info.transitions,
        "lines": lines,
        "initial": lts.initial().0,
        "reached": { "states": info.reached, "transitions": info.steps, "depth": info.depth },
        "silent": info.silent,
        "deadlocks": info.deadlocks,
        "to_deadlock": way(&info.to_deadlock),
        "diverging": info.diverging,
        "to_divergence": way(&info.to_divergence),
        "deterministic": info.undecided == 0,
        "labels": labels,
    })
}

fn texts<'t>(labels: &[LtsLabel], table: &'t LabelTable) -> Vec<&'t str> {
    labels.iter().map(|label| table.text(*label)).collect()
}

/// How the states of a reduced system are told apart, for people.
pub fn told_apart(apart: &ToldApart, states: usize) -> String {
    match apart.splits.len() {
        0 => format!("{} cannot be fewer", counted(states, "state")),
        many => format!(
            "no two of {} could be one: {} any two apart",
            counted(states, "state"),
            if many == 1 { "1 formula tells".to_owned() } else { format!("{many} formulas tell") }
        ),
    }
}

/// The formulas by which the states of a reduced system are told apart, a line of JSON for each: the formula, and in which of the
/// states that are together so far it holds, and in which it does not.
pub fn formula_lines(apart: &ToldApart, labels: &LabelTable) -> String {
    let numbers = |states: &[crate::lts::LtsState]| -> Vec<u32> {
        states.iter().map(|state| state.0).collect()
    };
    let line = |split: &crate::lts::Splitting| {
        let text = apart.formulas.text(split.formula, labels, LONGEST_IN_JSON);
        let (holds, fails) = (numbers(&split.holds), numbers(&split.fails));
        json!({ "formula": text, "holds": holds, "fails": fails }).to_string() + "\n"
    };
    apart.splits.iter().map(line).collect()
}

/// What came of a comparison, for people; the first line is the verdict.
pub fn compared_lines(
    found: &LtsCompared,
    question: LtsQuestion,
    (first, second): (&str, &str),
) -> Vec<String> {
    let (claim, opposite) = claims(question, first, second);
    if found.holds {
        return vec![format!(
            "proved: {claim}; reduced together, they have {}",
            counted(found.reduced, "state")
        )];
    }
    let name = |side: Side| if side == Side::First { first } else { second };
    let mut lines = vec![format!("refuted: {opposite}")];
    match &found.difference {
        None => lines.push("what tells them apart is too large to be shown".to_owned()),
        Some(Difference::Seen { of, excess }) => {
            lines.push(excess_told(excess, name(*of), &found.labels))
        }
        Some(Difference::Formula { of, formulas, formula }) => {
            let text = formulas.text(*formula, &found.labels, LONGEST_FORMULA);
            lines.push(match text {
                Some(text) => format!("no trace tells them apart; only in `{}` holds:\n  {text}", name(*of)),
                None => format!("no trace tells them apart; a formula does that is too long to be shown ({} parts)", formulas.len()),
            });
        }
    }
    lines
}

fn excess_told(Excess { trace, then }: &Excess, name: &str, table: &LabelTable) -> String {
    let after = match trace.as_slice() {
        [] => "at the beginning".to_owned(),
        labels => format!("after {}", listed(labels, table)),
    };
    match then {
        Then::Stuck => format!("only `{name}` does: {}", listed(trace, table)),
        Then::Diverges => format!("{after}, only `{name}` can go on silently for ever"),
        Then::Refuses { offers } if offers.is_empty() => {
            format!("{after}, only `{name}` can come to rest where it does nothing at all")
        }
        Then::Refuses { offers } => {
            format!(
                "{after}, only `{name}` can come to rest where it does nothing but {}",
                listed(offers, table)
            )
        }
    }
}

/// What came of a comparison, for programs.
pub fn compared_object(
    found: &LtsCompared,
    question: LtsQuestion,
    (first, second): (&str, &str),
) -> Value {
    json!({
        "first": first,
        "second": second,
        "relation": relation(question),
        "refines": is_one_way(question),
        "verdict": if found.holds { "proved" } else { "refuted" },
        "reduced": found.reduced,
        "difference": found.difference.as_ref().map(|difference| difference_object(difference, &found.labels)),
    })
}

/// Whether something is asked one way.
pub fn is_one_way(question: LtsQuestion) -> bool {
    matches!(question, LtsQuestion::Refines(_) | LtsQuestion::Simulated)
}

/// The question that has a name, one way or not; nothing where there is none.
pub fn question(name: &str, one_way: bool) -> Option<LtsQuestion> {
    use {Equivalence as By, LtsQuestion as Asked};
    let equivalences = [
        By::Strong,
        By::Branching,
        By::DivergencePreserving,
        By::Weak,
        By::Trace,
        By::WeakTrace,
        By::Safety,
    ];
    let seen = [Seen::Traces, Seen::WeakTraces, Seen::Failures, Seen::FailuresDivergences];
    let equivalent = equivalences.into_iter().map(Asked::Equivalent);
    let alike = seen.into_iter().map(Asked::SeenAlike);
    let refines = seen.into_iter().map(Asked::Refines).chain([Asked::Simulated]);
    let mut all = equivalent.chain(alike).chain(refines);
    all.find(|one| relation(*one) == name && is_one_way(*one) == one_way)
}

/// The name of what is asked, as an option has it.
pub fn relation(question: LtsQuestion) -> &'static str {
    match question {
        LtsQuestion::Equivalent(by) => equivalence(by),
        LtsQuestion::Simulated => "safety",
        LtsQuestion::Refines(by) | LtsQuestion::SeenAlike(by) => seen(by),
    }
}

fn difference_object(difference: &Difference, table: &LabelTable) -> Value {
    let side = |side: Side| if side == Side::First { "first" } else { "second" };
    match difference {
        Difference::Seen { of, excess } => {
            let (then, offers) = match &excess.then {
                Then::Stuck => ("trace", None),
                Then::Refuses { offers } => ("refusal", Some(texts(offers, table))),
                Then::Diverges => ("divergence", None),
            };
            json!({ "only": side(*of), "kind": then, "trace": texts(&excess.trace, table), "offers": offers })
        }
        Difference::Formula { of, formulas, formula } => {
            let text = formulas.text(*formula, table, LONGEST_IN_JSON);
            json!({ "only": side(*of), "kind": "formula", "formula": text })
        }
    }
}
