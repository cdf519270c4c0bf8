//! Random processes and nets over a few actions, and others that are made of them.

use crate::common::Random;
use crate::common::pairs::{delay, mutate, shuffle, split};

/// A process or net: its lines.
pub type Item = Vec<String>;

/// What everything is made over.
const HEAD: &str = "action a, b, c(0..2);\ninterface Plain { a, b, c(0..2) }\n";

/// Whether silent steps of parts can be seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quiet {
    /// Silent steps of parts are silent steps of the net, and nothing else: nobody can see them.
    Yes,
    /// Some nets react to them, or do not let them happen.
    No,
}

/// A model of these processes and nets.
pub fn text(items: &[&Item]) -> String {
    let lines: Vec<&str> = items.iter().flat_map(|item| item.iter()).map(String::as_str).collect();
    format!("{HEAD}{}\n", lines.join("\n"))
}

/// The same with other names: each of these words has the ending.
pub fn renamed(item: &Item, words: &[&str], ending: &str) -> Item {
    let line = |line: &String| {
        let mut out = String::new();
        for word in line.split_inclusive(|c: char| !c.is_alphanumeric()) {
            let plain = word.trim_end_matches(|c: char| !c.is_alphanumeric());
            out += plain;
            if words.contains(&plain) {
                out += ending;
            }
            out += &word[plain.len()..];
        }
        out
    };
    item.iter().map(line).collect()
}

/// Makes them.
pub struct Maker<'r> {
    pub random: &'r mut Random,
    pub quiet: Quiet,
}

impl Maker<'_> {
    /// A process of up to three states and one variable.
    pub fn process(&mut self, name: &str) -> Item {
        let states = self.random.between(1, 3);
        let has_variable = self.random.percent(50);
        let mut lines = vec![format!("process {name} {{")];
        if has_variable {
            lines.push("    var v: 0..2 = 0;".to_owned());
        }
        for state in 0..states {
            let mark = if state == 0 { "init " } else { "" };
            lines.push(format!("    {mark}state s{state};"));
        }
        let mut ways: Vec<(usize, usize)> = (0..states).map(|at| (at, (at + 1) % states)).collect();
        for _ in 0..self.random.below(3) {
            ways.push((self.random.below(states), self.random.below(states)));
        }
        // Not all of them come back.
        if states > 1 && self.random.percent(25) {
            ways.remove(states - 1);
        }
        for (source, target) in ways {
            let rest = self.label(has_variable);
            lines.push(format!("    s{source} -> s{target} : {rest};"));
        }
        lines.push("}".to_owned());
        lines
    }

    /// An action with a guard and updates.
    fn label(&mut self, has_variable: bool) -> String {
        let data = if has_variable { ["c(v)", "c(?x)", "c(1)"] } else { ["c(0)", "c(?x)", "c(1)"] };
        let action = match self.random.below(10) {
            0..3 => "a",
            3..6 => "b",
            6 => "tau",
            _ => *self.random.pick(&data),
        };
        let mut text = action.to_owned();
        if has_variable && self.random.percent(30) {
            let reads_input = action == "c(?x)" && self.random.percent(50);
            let guards = if reads_input { ["v != x", "v == x"] } else { ["v == 0", "v == 1"] };
            text += &format!(" when {}", self.random.pick(&guards));
        }
        if has_variable && self.random.percent(50) {
            let values = if action == "c(?x)" { ["x", "1 - x"] } else { ["1 - v", "1"] };
            text += &format!(" do v := {}", self.random.pick(&values));
        }
        text
    }

    /// A net with a process `S` inside, and holes.
    pub fn net(&mut self, name: &str, inside: &str, holes: &[&str]) -> Item {
        let declared: Vec<String> = holes.iter().map(|hole| format!("{hole}: Plain")).collect();
        let mut lines = vec![format!("net {name}({}) {{", declared.join(", "))];
        lines.push(format!("    sub S = {inside};"));
        let mut vectors: Vec<String> = Vec::new();
        for part in holes.iter().chain(&["S"]) {
            if self.quiet == Quiet::Yes || self.random.percent(60) {
                vectors.push(format!("<{part}: tau> -> tau"));
                vectors.push(format!("<{part}: sync ?x> -> sync x"));
            }
        }
        // What stands alone, with the process, and with another hole.
        for (place, hole) in holes.iter().enumerate() {
            for _ in 0..self.random.between(1, 3) {
                let other = match self.random.below(4) {
                    0 | 1 => None,
                    2 if place > 0 => Some(holes[0]),
                    _ => Some("S"),
                };
                vectors.push(self.vector(hole, other));
            }
        }
        for _ in 0..self.random.between(1, 2) {
            vectors.push(self.vector("S", None));
        }
        vectors.sort();
        vectors.dedup();
        lines.extend(vectors.iter().map(|vector| format!("    {vector};")));
        lines.push("}".to_owned());
        lines
    }

    fn vector(&mut self, one: &str, other: Option<&str>) -> String {
        let observing = self.quiet == Quiet::No && self.random.percent(15);
        let (action, values) = match self.random.below(6) {
            _ if observing => (*self.random.pick(&["tau", "?z"]), ["a", "tau"]),
            0 | 1 => ("a", ["a", "b"]),
            2 | 3 => ("b", ["b", "c(1)"]),
            4 => ("c(x)", ["c(x)", "a"]),
            _ => ("c(1)", ["c(0)", "tau"]),
        };
        let shown = if action == "?z" { "z" } else { *self.random.pick(&values) };
        let Some(other) = other else { return format!("<{one}: {action}> -> {shown}") };
        let theirs = match action {
            "c(x)" => *self.random.pick(&["c(x)", "a", "b"]),
            "tau" => "a",
            _ => *self.random.pick(&["a", "b", "c(0)"]),
        };
        format!("<{one}: {action}, {other}: {theirs}> -> {shown}")
    }

    /// The same but for a state that is there twice, and the order of things: it does the same.
    pub fn alike(&mut self, items: &mut [Item]) {
        split(self.random, items);
        shuffle(self.random, items);
    }

    /// A silent step more: but for silent steps, it mostly does the same.
    pub fn slower(&mut self, items: &mut [Item]) {
        delay(self.random, items);
    }

    /// A small change.
    pub fn changed(&mut self, items: &mut [Item]) {
        for _ in 0..10 {
            if mutate(self.random, items) {
                return;
            }
        }
    }

    /// A transition or a vector more: it does the same, and perhaps more.
    pub fn larger(&mut self, items: &mut [Item]) {
        let at = self.random.below(items.len());
        let lines = &mut items[at];
        let end = lines.len() - 1;
        if lines[0].starts_with("net") {
            let hole = lines[0].split(['(', ':']).nth(1).unwrap_or("S").to_owned();
            let part = if self.random.percent(50) { &hole } else { "S" };
            let vector = self.vector(part, None);
            lines.insert(end, format!("    {vector};"));
            return;
        }
        let has_variable = lines.iter().any(|line| line.contains("var v"));
        let declared = lines.iter().filter_map(|line| line.split_once("state "));
        let states: Vec<String> =
            declared.map(|(_, name)| name.trim_end_matches(';').to_owned()).collect();
        let (source, target) = (self.random.pick(&states), self.random.pick(&states));
        let rest = self.label(has_variable);
        lines.insert(end, format!("    {source} -> {target} : {rest};"));
    }
}
