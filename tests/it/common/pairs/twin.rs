//! Pairs: a random model, and another one that is made from it, or is not.

use super::Pair;
use crate::common::nets::{self, Shape};
use crate::common::{Random, check_text};
use pnetc::diagnostics::Severity;

/// How the second model comes from the first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// It is the same one.
    Same,
    /// A small change.
    Mutated,
    /// Nothing but the declarations, and the holes if there are some.
    Independent,
    /// Some states are there twice, and things stand in another order: it does the same.
    Split,
    /// The same, and a hole of both is filled with the same process.
    Filled,
    /// A silent step comes before or after another.
    Delayed,
}

/// A process or net: its lines.
type Item = Vec<String>;

/// A pair of nets; the first is random.
pub fn pair(random: &mut Random, shape: Shape, kind: Kind) -> Pair {
    loop {
        let text = nets::model(random, shape);
        let (mut head, mut items) = parse(&text);
        if kind == Kind::Delayed {
            let_silent_steps_through(&mut items);
        }
        let mut other = items.clone();
        let changed = match kind {
            Kind::Same => true,
            Kind::Mutated => mutate(random, &mut other),
            Kind::Independent if shape.holes => {
                (0..random.between(3, 7)).all(|_| mutate(random, &mut other))
            }
            Kind::Independent => {
                let [declared, one, two] = nets::two_candidates(random, shape);
                head = declared.lines().map(str::to_owned).collect();
                items = parse(&one).1;
                other = parse(&two).1;
                true
            }
            Kind::Split | Kind::Filled => {
                let done = split(random, &mut other);
                shuffle(random, &mut other);
                done
            }
            Kind::Delayed => delay(random, &mut other),
        };
        if !changed {
            continue;
        }
        let mut first = items.concat();
        let mut second: Vec<String> = other.concat().iter().map(|line| renamed(line)).collect();
        let last = |lines: &[String]| {
            let line = lines.iter().rfind(|line| line.starts_with("net ")).unwrap();
            line[4..].split(['(', ' ', '{']).next().unwrap().to_owned()
        };
        let (mut left, mut right) = (last(&first), last(&second));
        if kind == Kind::Filled {
            let Some(filler) = filler(random, &first) else { continue };
            first.push(format!("net FilledA = {left}({filler});"));
            second.push(format!("net FilledB = {right}({filler});"));
            (left, right) = ("FilledA".to_owned(), "FilledB".to_owned());
        }
        let text = [head, first, second].concat().join("\n") + "\n";
        let text = format!(
            "{text}check bisimilar({left}, {right});\ncheck weakly_bisimilar({left}, {right});\n\
             check refines({left}, {right});\ncheck weakly_refines({left}, {right});\n"
        );
        let checked = check_text(text.as_str());
        if checked.diagnostics.iter().all(|found| found.severity != Severity::Error) {
            return Pair { text, left, right };
        }
    }
}

/// The declarations, and then the processes and nets.
fn parse(text: &str) -> (Vec<String>, Vec<Item>) {
    let (mut head, mut items) = (Vec::new(), Vec::<Item>::new());
    for line in text.lines() {
        let line = line.to_owned();
        if line.starts_with("process ") || line.starts_with("net ") {
            items.push(vec![line]);
        } else if let Some(item) = items.last_mut() {
            item.push(line);
        } else {
            head.push(line);
        }
    }
    (head, items)
}

/// What one hole of the last net can be filled with.
fn filler(random: &mut Random, lines: &[String]) -> Option<String> {
    let net = lines.iter().rfind(|line| line.starts_with("net "))?;
    let hole = net.split(['(', ' ', ',', ')']).zip(net.split(['(', ' ', ',', ')']).skip(1));
    let hole = hole.into_iter().find(|(name, sort)| name.ends_with(':') && *sort == "any")?.0;
    let processes = lines.iter().filter_map(|line| line.strip_prefix("process "));
    let plain: Vec<&str> = processes
        .filter(|name| !name.contains('<'))
        .map(|name| name.trim_end_matches(" {"))
        .collect();
    random.pick_some(&plain).map(|process| format!("{hole} {process}"))
}

/// A line in which processes and nets have other names.
fn renamed(line: &str) -> String {
    let mut out = String::new();
    let mut word = String::new();
    for c in line.chars().chain(['\n']) {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        let number = word.strip_prefix("Net").or_else(|| word.strip_prefix('P'));
        let is_name =
            number.is_some_and(|n| !n.is_empty() && n.chars().all(|c| c.is_ascii_digit()));
        out += &word;
        if is_name {
            out.push('b');
        }
        word.clear();
        if c != '\n' {
            out.push(c);
        }
    }
    out
}

fn is_transition(line: &str) -> bool {
    line.starts_with("    s") && line.contains(" -> s") && line.contains(" : ")
}

fn transitions(items: &[Item]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for (at, item) in items.iter().enumerate().filter(|(_, i)| i[0].starts_with("process")) {
        let lines = item.iter().enumerate().filter(|(_, line)| is_transition(line));
        found.extend(lines.map(|(line, _)| (at, line)));
    }
    found
}

/// The source, the target and the rest of a transition.
fn parts(line: &str) -> (String, String, String) {
    let (way, rest) = line.trim().split_once(" : ").unwrap();
    let (source, target) = way.split_once(" -> ").unwrap();
    (source.to_owned(), target.to_owned(), rest.to_owned())
}

fn transition(source: &str, target: &str, rest: &str) -> String {
    format!("    {source} -> {target} : {rest}")
}

fn states(item: &Item) -> Vec<String> {
    let lines = item.iter().filter_map(|line| line.split_once("state s"));
    lines.map(|(_, rest)| format!("s{}", rest.trim_end_matches(';'))).collect()
}

/// One small change; false if nothing was changed.
pub fn mutate(random: &mut Random, items: &mut [Item]) -> bool {
    let all = transitions(items);
    let Some(&(item, line)) = random.pick_some(&all) else { return false };
    let states = states(&items[item]);
    let (source, target, rest) = parts(&items[item][line]);
    let old = items[item][line].clone();
    match random.below(8) {
        0 => {
            items[item].remove(line);
            return true;
        }
        1 => {
            let new =
                transition(random.pick::<String>(&states), random.pick::<String>(&states), &rest);
            items[item].insert(line, new);
            return true;
        }
        2 => items[item][line] = transition(&source, random.pick::<String>(&states), &rest),
        3 => {
            // A guard changed, or lost.
            let Some((before, after)) = rest.split_once(" when ") else { return false };
            let (guard, updates) = match after.split_once(" do ") {
                Some((guard, updates)) => (guard.to_owned(), format!(" do {updates}")),
                None => (after.trim_end_matches(';').to_owned(), ";".to_owned()),
            };
            let rest = match random.below(3) {
                0 => format!("{before}{updates}"),
                1 => format!("{before} when not ({guard}){updates}"),
                _ => {
                    let swapped = [(" < ", " <= "), (" > ", " >= "), (" == ", " != "), ("1", "0")];
                    let (from, to) = *random.pick(&swapped);
                    format!("{before} when {}{updates}", guard.replacen(from, to, 1))
                }
            };
            items[item][line] = transition(&source, &target, &rest);
        }
        4 => {
            // An initial value.
            let lines = items[item].iter().enumerate();
            let vars: Vec<usize> =
                lines.filter(|(_, l)| l.starts_with("    var ")).map(|(at, _)| at).collect();
            let Some(&at) = random.pick_some(&vars) else { return false };
            let pairs = [("= 0", "= 1"), ("= 1", "= 0"), ("false", "true"), ("true", "false")];
            let more =
                [("Red", "Green"), ("Blue", "Red"), ("Green", "Blue"), ("Ping", "Pkt(0, true)")];
            let old = items[item][at].clone();
            let (from, to) = *random.pick(&[pairs, more].concat());
            items[item][at] = old.replacen(from, to, 1);
            return items[item][at] != old;
        }
        5 => {
            // Another action without arguments.
            let swap = [("a", "b"), ("b", "a")];
            let (from, to) = *random.pick(&swap);
            let end = rest.find([' ', ';']).unwrap_or(rest.len());
            if &rest[..end] != from {
                return false;
            }
            items[item][line] = transition(&source, &target, &format!("{to}{}", &rest[end..]));
        }
        6 => {
            // An update lost.
            let Some((before, _)) = rest.split_once(" do ") else { return false };
            items[item][line] = transition(&source, &target, &format!("{before};"));
        }
        _ => {
            // A vector shows something else, or is not there.
            let nets = items.iter().enumerate().filter(|(_, i)| i[0].starts_with("net "));
            let vectors = nets.flat_map(|(at, item)| {
                let lines = item.iter().enumerate().filter(|(_, l)| l.starts_with("    <"));
                lines.map(move |(line, _)| (at, line)).collect::<Vec<_>>()
            });
            let vectors: Vec<(usize, usize)> = vectors.collect();
            let Some(&(at, line)) = random.pick_some(&vectors) else { return false };
            if random.percent(30) {
                items[at].remove(line);
                return true;
            }
            let old = items[at][line].clone();
            let pairs = [("> -> a", "> -> b"), ("> -> b", "> -> a"), ("> -> tau", "> -> a")];
            let (from, to) = *random.pick(&pairs);
            items[at][line] = old.replacen(from, to, 1);
            return items[at][line] != old;
        }
    }
    items[item][line] != old
}

/// Some state is there twice: everything that leads to it may lead to its copy.
pub fn split(random: &mut Random, items: &mut [Item]) -> bool {
    let processes: Vec<usize> =
        (0..items.len()).filter(|&at| items[at][0].starts_with("process")).collect();
    let Some(&at) = random.pick_some(&processes) else { return false };
    let item = items[at].clone();
    let states = states(&item);
    let chosen = random.pick::<String>(&states).clone();
    let copy = format!("s{}", states.len() + 7);
    let mut new: Item = Vec::new();
    for line in &item {
        if is_transition(line) {
            let (source, target, rest) = parts(line);
            let sources: Vec<&str> =
                if source == chosen { vec![&source, &copy] } else { vec![&source] };
            for source in sources {
                let how = if target == chosen { random.below(3) } else { 0 };
                if how != 1 {
                    new.push(transition(source, &target, &rest));
                }
                if how != 0 {
                    new.push(transition(source, &copy, &rest));
                }
            }
            continue;
        }
        new.push(line.clone());
        if line.trim_start().trim_start_matches("init ").trim_start_matches("final ")
            == format!("state {chosen};")
        {
            let mark = if line.contains("final ") { "final " } else { "" };
            new.push(format!("    {mark}state {copy};"));
        }
    }
    items[at] = new;
    true
}

/// Transitions and vectors stand in another order.
pub fn shuffle(random: &mut Random, items: &mut [Item]) {
    for item in items {
        let movable = |line: &String| is_transition(line) || line.starts_with("    <");
        let mut lines: Vec<String> = item.iter().filter(|line| movable(line)).cloned().collect();
        random.shuffle(&mut lines);
        for line in item.iter_mut().rev().filter(|line| movable(line)) {
            if let Some(other) = lines.pop() {
                *line = other;
            }
        }
    }
}

/// Whatever parts do silently, nets do silently.
fn let_silent_steps_through(items: &mut [Item]) {
    for item in items.iter_mut().filter(|item| item[0].starts_with("net ")) {
        let mut more = Vec::new();
        for line in item.iter() {
            let Some((name, _)) =
                line.trim().strip_prefix("sub ").and_then(|l| l.split_once(" = "))
            else {
                continue;
            };
            match name.split_once("[i: ") {
                Some((name, range)) => {
                    let range = range.trim_end_matches(']');
                    more.push(format!("    <{name}[i]: tau> -> tau for i in {range};"));
                }
                None => more.push(format!("    <{name}: tau> -> tau;")),
            }
        }
        let end = item.iter().position(|line| line == "}").unwrap_or(item.len());
        item.splice(end..end, more);
    }
}

/// A silent step before or after another.
pub fn delay(random: &mut Random, items: &mut [Item]) -> bool {
    let all = transitions(items);
    let Some(&(item, line)) = random.pick_some(&all) else { return false };
    let (source, target, rest) = parts(&items[item][line]);
    let between = format!("s{}", states(&items[item]).len() + 7);
    let (first, second) = if random.percent(50) {
        (transition(&source, &between, "tau;"), transition(&between, &target, &rest))
    } else {
        (transition(&source, &between, &rest), transition(&between, &target, "tau;"))
    };
    items[item].splice(line..=line, [first, second]);
    let declared = items[item].iter().rposition(|line| line.contains("state s")).unwrap();
    items[item].insert(declared + 1, format!("    state {between};"));
    true
}
