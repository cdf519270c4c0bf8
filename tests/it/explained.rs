//! Contradictions that are put into models on purpose are explained by exactly the texts that contradict each
//! other.
//!
//! Two conditions that cannot hold together are added to transitions and vectors of random models; other kinds
//! of contradictions are written into a small net, with random names, values and levels, that stands beside a
//! random one.
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use crate::common::nets::{self, Shape};
use crate::common::seeds::{fuzz, keep, seeds};
use crate::common::{Random, check_text};
use pnetc::diagnostics::{Diagnostic, Severity, Span};
use pnetc::elaborate;
use pnetc::generate::{Generated, Options, Unwatched, generate};
use pnetc::model::Checked;
use pnetc::pnet::{OriginId, PNet};

/// A model with its automaton and what is said about it.
struct Reviewed {
    text: String,
    checked: Checked,
    net: Arc<PNet>,
    generated: Generated,
    found: Vec<Diagnostic>,
}

fn reviewed(text: &str) -> Result<Reviewed, String> {
    let checked = check_text(text);
    let error = checked.diagnostics.iter().find(|one| one.severity == Severity::Error);
    if let Some(error) = error {
        return Err(crate::common::models::in_short(&checked, error));
    }
    let net = checked
        .build(None, &elaborate::ElaborateOptions::default())
        .map_err(|failure| format!("{failure:?}"))?;
    let options = Options::default();
    let generated = generate(&net, &options, &Unwatched);
    let found = checked.review(&net, &generated, &options, &Unwatched);
    Ok(Reviewed { text: text.to_owned(), checked, net, generated, found })
}

impl Reviewed {
    fn range(&self, span: Span) -> Range<usize> {
        self.checked.sources.file_of(span).unwrap().range(span)
    }

    fn origin(&self, origin: OriginId) -> Range<usize> {
        self.range(self.net.origins.get(origin).span)
    }

    /// All places that a diagnostic shows, but those of instances that led there.
    fn labels(&self, one: &Diagnostic) -> BTreeSet<(usize, usize)> {
        let led = |message: &str| message.ends_with("made here");
        let labels = std::iter::once(&one.primary).chain(&one.secondary);
        let labels = labels.filter(|label| !led(&label.message));
        labels.map(|label| self.range(label.span)).map(|range| (range.start, range.end)).collect()
    }

    fn said(&self) -> String {
        let line = |one: &Diagnostic| {
            let labels = std::iter::once(&one.primary).chain(&one.secondary);
            let labels = labels.map(|label| {
                let text = self.checked.sources.text(label.span);
                format!("\n    `{text}` {}", label.message)
            });
            format!("\n  {} {}{}", one.entry.code, one.message, labels.collect::<String>())
        };
        self.found.iter().map(line).collect()
    }

    /// That one of these codes is reported and shows exactly these places. Where nothing happens any more, one
    /// message has all reasons.
    fn expect(&self, codes: &[&str], places: &[Range<usize>]) -> Result<(), String> {
        let expected: BTreeSet<(usize, usize)> =
            places.iter().map(|range| (range.start, range.end)).collect();
        let fits = |one: &&Diagnostic| match one.entry.code {
            "A0108" => self.labels(one).is_superset(&expected),
            code => codes.contains(&code) && self.labels(one) == expected,
        };
        if self.found.iter().any(|one| fits(&one)) {
            return Ok(());
        }
        let wanted: Vec<&str> = places.iter().map(|range| &self.text[range.clone()]).collect();
        Err(format!("expected {codes:?} on {wanted:?}, found:{}", self.said()))
    }
}

/// Runs a planting for each seed; it returns nothing where there is nothing to plant.
fn plantings(
    name: &str,
    count: u64,
    plant: impl Fn(&mut Random) -> Option<(String, Result<(), String>)>,
) {
    let count = fuzz().unwrap_or(count);
    let mut planted = 0;
    let mut failures = Vec::new();
    let mut seed = seeds(1).start;
    let only = seeds(2).count() == 1;
    while planted < count {
        if let Some((text, result)) = plant(&mut Random::new(seed)) {
            planted += 1;
            if let Err(why) = result {
                let path = keep(&format!("explained, {name}, PNET_SEED={seed}"), text.as_bytes());
                failures.push(format!("PNET_SEED={seed}, {}: {why}", path.display()));
            }
        }
        seed += 1;
        if only {
            break;
        }
        assert!(
            seed < 50 * count + 50,
            "{name}: only {planted} of {seed} models can be planted in"
        );
    }
    println!("{name}: {planted} planted in {seed} models");
    let many = failures.len();
    failures.truncate(5);
    assert!(failures.is_empty(), "{name}: {many} of {planted}:\n{}", failures.join("\n"));
}

// ---- conditions in random models ----

/// Two conditions on a name that contradict each other, whatever the name stands for.
fn opposites(random: &mut Random, name: &str, sort: &str) -> Option<[String; 2]> {
    let pairs: &[[&str; 2]] = match sort {
        "Int" => &[["x > 5", "x < 3"], ["x == 4", "x == 2"], ["x >= 7", "x != x + 0 or x < 7"]],
        "Bool" => &[["x", "not x"]],
        "Colour" => &[["x == Red", "x == Blue"], ["x != Green", "x == Green"]],
        _ => return None,
    };
    let pair = random.pick(pairs);
    let named = |text: &str| {
        let words = text.split(' ').map(|word| if word == "x" { name } else { word });
        words.collect::<Vec<_>>().join(" ")
    };
    Some(pair.map(named))
}

/// Adds a guard of two conditions before what follows the head of a statement; their places.
fn with_guard(
    text: &str,
    statement: Range<usize>,
    before: &[&str],
    pair: &[String; 2],
) -> (String, [Range<usize>; 2]) {
    let inside = &text[statement.clone()];
    let ends = before.iter().filter_map(|word| inside.find(word)).min();
    let at = statement.start + ends.unwrap_or(inside.trim_end_matches(';').len());
    let [one, other] = pair;
    // Whatever else it is, each of them is one condition.
    let guard = format!(" when ({one}) and ({other})");
    let first = at + " when (".len();
    let second = first + one.len() + ") and (".len();
    let edited = format!("{}{guard}{}", &text[..at], &text[at..]);
    (edited, [first..first + one.len(), second..second + other.len()])
}

/// The variables of the process around a place, with their sorts.
fn variables_at(text: &str, at: usize) -> Vec<(String, String)> {
    let start = text[..at].rfind("process ").unwrap();
    let lines = text[start..at].lines().filter_map(|line| line.trim().strip_prefix("var "));
    let variables = lines.filter_map(|line| {
        let (name, rest) = line.trim_end_matches(';').split_once(": ")?;
        let sort = rest.split(" = ").next()?;
        Some((name.to_owned(), sort.to_owned()))
    });
    variables.collect()
}

fn in_transition(random: &mut Random) -> Option<(String, Result<(), String>)> {
    let text = nets::model(random, Shape::closed());
    let base = reviewed(&text).unwrap();
    let mut live: Vec<Range<usize>> = Vec::new();
    for transition in &base.generated.automaton.transitions {
        for &(leaf, number) in &transition.used.transitions {
            let plts = &base.net.plts[leaf];
            let one = &plts.transitions[number];
            let range = base.origin(one.origin);
            // A condition of its own may contradict the new ones as well, and so may the range of a sum. A loop
            // leads to a state that is reached anyway.
            let does = text[range.clone()].split_once(':').map_or("", |(_, does)| does);
            let free = !does.contains(" when ") && !does.contains(['+', '-']);
            if free && one.source == one.target {
                live.push(range);
            }
        }
    }
    let statement = random.pick_some(&live)?.clone();
    let variables = variables_at(&text, statement.start);
    let (name, sort) = random.pick_some(&variables)?.clone();
    let pair = opposites(random, &name, &sort)?;
    let (edited, places) = with_guard(&text, statement, &[" do "], &pair);
    let result = reviewed(&edited).and_then(|found| found.expect(&["A0107"], &places));
    Some((edited, result))
}

#[test]
fn conditions_of_transitions() {
    plantings("transitions", 15, in_transition);
}

/// The variables of a vector that members bind to an argument of an action, with their sorts.
fn arguments_of(text: &str, vector: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let members = vector.split_once("> ->").map_or("", |(members, _)| members);
    for member in members.trim_start_matches('<').split(": ").skip(1) {
        let Some((name, rest)) = member.split_once('(') else { continue };
        let arguments: Vec<&str> = rest.split(')').next().unwrap().split(", ").collect();
        let declared = text.lines().find_map(|line| {
            let sorts = line.strip_prefix(&format!("action {name}("))?.strip_suffix(");")?;
            let sorts: Vec<&str> = sorts.split(", ").collect();
            (sorts.len() == arguments.len()).then_some(sorts)
        });
        for (argument, sort) in arguments.into_iter().zip(declared.unwrap_or_default()) {
            if argument.starts_with('x') {
                found.push((argument.to_owned(), sort.to_owned()));
            }
        }
    }
    found
}

fn in_vector(random: &mut Random) -> Option<(String, Result<(), String>)> {
    // What gives way has a guard that nobody wrote.
    let shape = Shape { priorities: false, families: false, ..Shape::closed() };
    let text = nets::model(random, shape);
    let base = reviewed(&text).unwrap();
    let mut live: Vec<Range<usize>> = Vec::new();
    for transition in &base.generated.automaton.transitions {
        for &(node, number) in &transition.used.vectors {
            let vector = &base.net.nodes[node].vectors[number];
            let range = base.origin(vector.origin);
            let inside = &text[range.clone()];
            let free = !inside.contains(" when ") && !inside.contains(['+', '[']);
            if free && inside.starts_with('<') && !arguments_of(&text, inside).is_empty() {
                live.push(range);
            }
        }
    }
    let statement = random.pick_some(&live)?.clone();
    let names = arguments_of(&text, &text[statement.clone()]);
    let (name, sort) = random.pick_some(&names)?.clone();
    let pair = opposites(random, &name, &sort)?;
    let (edited, places) = with_guard(&text, statement, &[], &pair);
    let result = reviewed(&edited).and_then(|found| found.expect(&["A0107"], &places));
    Some((edited, result))
}

#[test]
fn conditions_of_vectors() {
    plantings("vectors", 15, in_vector);
}

// ---- contradictions beside a random model ----

/// A small net `Planted` in which `«` and `»` stand around the texts that contradict each other.
struct Planted {
    text: String,
    codes: &'static [&'static str],
    /// Whether it has a hole `P`.
    open: bool,
}

/// Puts a small net beside a random model, some levels deep, and looks whether it is explained.
fn beside(
    random: &mut Random,
    planted: impl Fn(&mut Random) -> Planted,
) -> Option<(String, Result<(), String>)> {
    let base = nets::model(random, Shape::closed());
    let root = nets::accepted(&base).unwrap().name;
    let Planted { text: marked, codes, open } = planted(random);
    let (hole, filled) = if open { ("(P: any)", "(P)") } else { ("", "") };
    let mut text = base;
    let mut places = Vec::new();
    let mut rest = marked.as_str();
    while let Some((before, after)) = rest.split_once('«') {
        let (inside, after) = after.split_once('»').unwrap();
        text.push_str(before);
        places.push(text.len()..text.len() + inside.len());
        text.push_str(inside);
        rest = after;
    }
    text.push_str(rest);
    let mut inner = "Planted".to_owned();
    for level in 0..random.below(3) {
        let name = format!("Level{level}");
        text += &format!("net {name}{hole} {{ sub I = {inner}{filled}; <I: ?b> -> b; }}\n");
        inner = name;
    }
    let parts = [format!("sub R = {root};"), format!("sub T = {inner}{filled};")];
    let order = if random.one_in(2) { [0, 1] } else { [1, 0] };
    let parts = order.map(|at| parts[at].as_str()).join(" ");
    text += &format!("net Whole{hole} {{ {parts} <R: ?b> -> b; <T: ?b> -> b; }}\n");
    let result = reviewed(&text).and_then(|found| found.expect(codes, &places));
    Some((text, result))
}

fn two_numbers(random: &mut Random) -> (usize, usize) {
    let one = random.below(20);
    (one, (one + 1 + random.below(18)) % 20)
}

/// Lines in some order.
fn shuffled<const N: usize>(random: &mut Random, mut lines: [String; N]) -> String {
    random.shuffle(&mut lines);
    lines.map(|line| format!("    {line}\n")).concat()
}

/// A vector asks for a value that the leaf does not show: its member, the leaf's action, and the condition.
fn another_value(random: &mut Random) -> Planted {
    let (shown, wanted) = two_numbers(random);
    let condition = match random.below(3) {
        0 => format!("«x == {wanted}»"),
        1 => format!("«x > {shown}»"),
        _ => format!("y >= 0 and «x < {shown}» and y < 9"),
    };
    let transitions =
        shuffled(random, [format!("s -> s : «t_out({shown}, 7)»;"), "s -> s : t_tick;".to_owned()]);
    let vectors = shuffled(
        random,
        [
            format!("<L: «t_out(x, y)»> -> t_out(x, y) when {condition};"),
            "<L: t_tick> -> t_tick;".to_owned(),
        ],
    );
    let text = format!(
        "action t_out(Int, Int), t_tick;\nprocess Leaf {{\n    init state s;\n{transitions}}}\n\
        net Planted {{\n    sub L = Leaf;\n{vectors}}}\n"
    );
    Planted { text, codes: &["A0102"], open: false }
}

#[test]
fn values_that_a_leaf_does_not_show() {
    plantings("another value", 15, |random| beside(random, another_value));
}

/// A vector asks for `f(true)`, and the leaf does `f(false)`: the member, and what the leaf does.
fn another_action(random: &mut Random) -> Planted {
    let (wanted, shown) = match random.below(3) {
        0 => ("t_f(true)".to_owned(), "t_f(false)".to_owned()),
        1 => ("t_f(false)".to_owned(), "t_f(true)".to_owned()),
        _ => {
            let (one, other) = two_numbers(random);
            (format!("t_h({one}, _)"), format!("t_h({other}, ?y)"))
        }
    };
    let transitions =
        shuffled(random, [format!("s -> s : «{shown}»;"), "s -> s : t_tick;".to_owned()]);
    let vectors = shuffled(
        random,
        [format!("<L: «{wanted}»> -> t_done;"), "<L: t_tick> -> t_tick;".to_owned()],
    );
    let text = format!(
        "action t_f(Bool), t_h(Int, Int), t_tick, t_done;\nprocess Leaf {{\n    init state s;\n\
        {transitions}}}\nnet Planted {{\n    sub L = Leaf;\n{vectors}}}\n"
    );
    Planted { text, codes: &["A0102"], open: false }
}

#[test]
fn actions_that_a_leaf_does_not_do() {
    plantings("another action", 15, |random| beside(random, another_action));
}

/// An inner net forbids what the outer one needs: the outer member, and the inner condition.
fn forbidden(random: &mut Random) -> Planted {
    let condition = random.pick(&[
        "«a is not t_delta(_)»",
        "«a not in { t_delta(_), t_other }»",
        "a is not t_other and «a is not t_delta(_)»",
    ]);
    let result = random.pick(&["t_done(x)", "sync t_delta(x)", "tau"]);
    let wanted = if *result == "tau" { "t_delta(_)" } else { "t_delta(x)" };
    let vectors = shuffled(
        random,
        [format!("<E: «{wanted}»> -> {result};"), "<E: t_tick> -> t_tick;".to_owned()],
    );
    let text = format!(
        "action t_delta(Int), t_done(Int), t_other, t_tick;\n\
        net Inner(P: any) {{\n    <P: ?a> -> a when {condition};\n}}\n\
        net Planted(P: any) {{\n    sub E = Inner(P);\n{vectors}}}\n"
    );
    Planted { text, codes: &["A0102"], open: true }
}

#[test]
fn what_an_inner_net_forbids() {
    plantings("forbidden", 15, |random| beside(random, forbidden));
}

/// A variable never has the value that a guard asks for: the guard, and the declaration.
fn never_so(random: &mut Random) -> Planted {
    let (initial, wanted) = two_numbers(random);
    let other = (0..).find(|number| *number != wanted).unwrap();
    let update = match random.below(3) {
        0 => String::new(),
        1 => "do m := not m".to_owned(),
        _ => format!("do n := {other}"),
    };
    let change = match random.below(2) {
        0 => "s -> s : t_set;".to_owned(),
        _ => format!("s -> s : t_set do n := {other};"),
    };
    let guard = match random.below(2) {
        0 => format!("«n == {wanted}»"),
        _ => format!("m and «n == {wanted}»"),
    };
    let transitions = shuffled(
        random,
        [
            format!("s -> s : t_go when {guard} {update};"),
            change,
            "s -> s : t_turn do m := not m;".to_owned(),
        ],
    );
    let text = format!(
        "action t_go, t_set, t_turn;\nprocess Leaf {{\n    var «n»: Int = {initial};\n    \
        var m: Bool = true;\n    init state s;\n{transitions}}}\n\
        net Planted {{\n    sub L = Leaf;\n    <L: ?a> -> a;\n}}\n"
    );
    Planted { text, codes: &["A0103"], open: false }
}

#[test]
fn values_that_a_variable_never_has() {
    plantings("never so", 15, |random| beside(random, never_so));
}

/// Where a vector's own conditions contradict each other, that is no fault of the transitions it would need.
#[test]
fn conditions_of_a_vector_are_no_fault_of_its_members() {
    let text = "action a, b, go;
        process Control { init state s; s -> s : b; s -> s : go; }
        net Gate(P: any) {
            sub C = Control;
            <P: ?x, C: go> -> x when x is a and x is not a;
            <P: a,  C: b>  -> b;
        }";
    let found = reviewed(text).unwrap();
    let codes: Vec<&str> = found.found.iter().map(|one| one.entry.code).collect();
    assert_eq!(codes, ["A0107"], "{}", found.said());
    let places = ["x is a", "x is not a"].map(|part| {
        let start = text.find(part).unwrap();
        start..start + part.len()
    });
    assert_eq!(found.expect(&["A0107"], &places), Ok(()));
}
