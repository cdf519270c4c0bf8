//! Random networks in files: what is read has the steps that the definitions of the operators give, operand by operand and
//! without vectors. And whatever is in a file, nothing panics.

use std::collections::BTreeSet;

use crate::common::Random;
use crate::common::exp::{Files, Tuples, explored, in_words, product, said};
use crate::common::seeds::{for_seeds, fuzz, seeds};
use pnetc::base::Unwatched;
use pnetc::diagnostics::Severity;
use pnetc::network::ProductLimits;

/// A system: for each state, labels and where they lead; no label is silent.
type System = Vec<Vec<(Option<&'static str>, u32)>>;

/// A behaviour.
enum Behaviour {
    File(usize),
    Hide(Choice, Box<Behaviour>),
    Cut(Choice, Box<Behaviour>),
    /// By total or gate matching, one label to another.
    Rename(bool, &'static str, &'static str, Box<Behaviour>),
    /// By labels or gates.
    Using(bool, Vec<(Vec<Option<&'static str>>, &'static str)>, Vec<Behaviour>),
    /// By labels or gates; all, or those of all; those of each operand; with infix operators if possible.
    Par(bool, Option<Vec<Element>>, Vec<Vec<Element>>, Vec<Behaviour>),
}

/// What is moved on together, and by how many.
type Element = (&'static str, Option<usize>);

/// A network has no more leaves than this.
const MOST_LEAVES: usize = 5;

/// What a pattern fits, as a function.
type Fits = fn(&str) -> bool;

/// A choice of labels.
struct Choice {
    matching: &'static str,
    all_but: bool,
    patterns: Vec<(&'static str, Fits)>,
}

const LABELS: [&str; 6] = ["A", "B !1", "B !2", "C(1)", "A !1", "exit"];
const GATES: [&str; 3] = ["A", "B", "C"];

/// Patterns, and what they fit as a whole.
const PATTERNS: [(&str, Fits); 6] = [
    ("A", |text| text == "A"),
    ("[AC]", |text| ["A", "C"].contains(&text)),
    (".*", |_| true),
    ("B.*", |text| text.starts_with('B')),
    (".* !1", |text| text.ends_with(" !1")),
    ("[^A].*1*", |text| !text.is_empty() && !text.starts_with('A')),
];

fn gate(label: &str) -> (&str, &str) {
    label.split_at(label.find(['!', '?', '(', ' ']).unwrap_or(label.len()))
}

fn system(dice: &mut Random) -> System {
    let states = dice.between(1, 3);
    let mut system = vec![Vec::new(); states];
    for _ in 0..dice.between(states, 4 * states) {
        // Few different ones, so that systems have something in common.
        let known = if dice.one_in(3) { LABELS.len() } else { 3 };
        let label = if dice.one_in(5) { None } else { Some(*dice.pick(&LABELS[..known])) };
        let (from, to) = (dice.below(states), dice.below(states));
        system[from].push((label, to as u32));
    }
    system
}

fn file(system: &System) -> String {
    let steps = system
        .iter()
        .enumerate()
        .flat_map(|(from, steps)| steps.iter().map(move |step| (from, step)));
    let line = |(from, (label, to)): (usize, &(Option<&str>, u32))| match label {
        Some(label) => format!("({from}, \"{label}\", {to})\n"),
        None => format!("({from}, tau, {to})\n"),
    };
    let lines: Vec<String> = steps.map(line).collect();
    format!("des (0, {}, {})\n{}", lines.len(), system.len(), lines.concat())
}

// ---- random behaviours ----

fn choice(dice: &mut Random) -> Choice {
    let patterns = (0..dice.below(3)).map(|_| *dice.pick(&PATTERNS)).collect();
    let matching = *dice.pick(&["gate", "total"]);
    Choice { matching, all_but: dice.one_in(4), patterns }
}

fn behaviour(dice: &mut Random, files: usize, depth: usize) -> Behaviour {
    let inside = |dice: &mut Random| Box::new(behaviour(dice, files, depth + 1));
    let kind = match depth {
        0 => dice.between(2, 7),
        1 | 2 => dice.below(8),
        _ => 0,
    };
    match kind {
        0 | 1 => Behaviour::File(dice.below(files)),
        2 => Behaviour::Hide(choice(dice), inside(dice)),
        3 => Behaviour::Cut(choice(dice), inside(dice)),
        4 => {
            let by_gate = dice.one_in(2);
            let from = if by_gate { *dice.pick(&GATES) } else { *dice.pick(&LABELS[..4]) };
            let to = *dice.pick(&["A", "D", "tau"]);
            Behaviour::Rename(by_gate, from, to, inside(dice))
        }
        _ => operands(dice, files, depth),
    }
}

fn operands(dice: &mut Random, files: usize, depth: usize) -> Behaviour {
    let least = if dice.one_in(6) { 1 } else { 2 };
    let many = dice.between(least, 3);
    let operands: Vec<Behaviour> = (0..many).map(|_| behaviour(dice, files, depth + 1)).collect();
    let by_label = dice.one_in(2);
    let name =
        |dice: &mut Random| if by_label { *dice.pick(&LABELS[..4]) } else { *dice.pick(&GATES) };
    if dice.one_in(2) {
        let vector = |dice: &mut Random| {
            let sure = dice.below(many);
            let slot =
                |at: usize, dice: &mut Random| (at == sure || dice.one_in(2)).then(|| name(dice));
            let slots = (0..many).map(|at| slot(at, dice)).collect();
            (slots, *dice.pick(&["A", "V", "W", "tau"]))
        };
        let vectors = (0..dice.between(1, 4)).map(|_| vector(dice)).collect();
        return Behaviour::Using(by_label, vectors, operands);
    }
    let element = |dice: &mut Random, most: usize| {
        let degree = if dice.one_in(3) { Some(dice.below(most + 1)) } else { None };
        (name(dice), degree)
    };
    let global = if dice.one_in(4) {
        None
    } else {
        Some((0..dice.below(3)).map(|_| element(dice, many)).collect())
    };
    let has_locals = dice.one_in(2);
    // By one and by all, so that no degree is too large.
    let locals =
        (0..many).map(|_| (0..dice.below(3)).map(|_| element(dice, 1)).collect::<Vec<_>>());
    let locals = locals.map(|local| if has_locals { local } else { Vec::new() }).collect();
    Behaviour::Par(by_label, global, locals, operands)
}

// ---- as text ----

fn selection(choice: &Choice) -> String {
    let patterns: Vec<String> =
        choice.patterns.iter().map(|(text, _)| format!("\"{text}\"")).collect();
    format!("{}{}", if choice.all_but { "all but " } else { "" }, patterns.join(", "))
}

fn elements(elements: &[Element]) -> String {
    let one = |(name, degree): &Element| match degree {
        Some(degree) => format!("\"{name}\"#{degree}"),
        None => format!("\"{name}\""),
    };
    elements.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn text(of: &Behaviour) -> String {
    match of {
        Behaviour::File(at) => format!("\"s{at}.aut\""),
        Behaviour::Hide(choice, inside) => {
            format!("{} hide {} in {} end hide", choice.matching, selection(choice), text(inside))
        }
        Behaviour::Cut(choice, inside) => {
            format!("{} cut {} in {} end cut", choice.matching, selection(choice), text(inside))
        }
        Behaviour::Rename(by_gate, from, to, inside) => {
            let matching = if *by_gate { "" } else { "total " };
            format!("{matching}rename \"{from}\" -> {to} in {} end rename", text(inside))
        }
        Behaviour::Using(by_label, vectors, operands) => {
            let slot =
                |slot: &Option<&str>| slot.map_or("_".to_owned(), |name| format!("\"{name}\""));
            let vector = |(slots, result): &(Vec<Option<&str>>, &str)| {
                let slots: Vec<String> = slots.iter().map(slot).collect();
                format!("{} -> {result}", slots.join(" * "))
            };
            let vectors: Vec<String> = vectors.iter().map(vector).collect();
            let operands: Vec<String> = operands.iter().map(text).collect();
            let unit = if *by_label { "label " } else { "" };
            format!("{unit}par using {} in {} end par", vectors.join(", "), operands.join(" || "))
        }
        Behaviour::Par(by_label, global, locals, operands) => {
            let has_locals = locals.iter().any(|local| !local.is_empty());
            let is_plain = |element: &Element| element.1.is_none();
            let is_chain = !*by_label && !has_locals && operands.len() > 1;
            if is_chain && global.iter().flatten().all(is_plain) {
                let sign = match global {
                    None => "||".to_owned(),
                    Some(all) if all.is_empty() => "|||".to_owned(),
                    Some(all) => format!("|[{}]|", elements(all)),
                };
                let operands: Vec<String> = operands.iter().map(text).collect();
                return format!("({})", operands.join(&format!(" {sign} ")));
            }
            let head = global.as_ref().map_or("all".to_owned(), |global| elements(global));
            let operand = |(local, operand): (&Vec<Element>, &Behaviour)| match local.is_empty() {
                true => text(operand),
                false => format!("{} -> {}", elements(local), text(operand)),
            };
            let operands: Vec<String> = locals.iter().zip(operands).map(operand).collect();
            let unit = if *by_label { "label " } else { "gate " };
            format!("{unit}par {head} in {} end par", operands.join(" || "))
        }
    }
}

// ---- as its definition says ----

/// A step: what is seen, if anything, and where the leaves are then.
type Step = (Option<String>, Vec<u32>);

fn leaves(of: &Behaviour) -> usize {
    match of {
        Behaviour::File(_) => 1,
        Behaviour::Hide(_, inside) | Behaviour::Cut(_, inside) | Behaviour::Rename(.., inside) => {
            leaves(inside)
        }
        Behaviour::Using(.., operands) | Behaviour::Par(.., operands) => {
            operands.iter().map(leaves).sum()
        }
    }
}

fn chosen(choice: &Choice, label: &str) -> bool {
    let about = if choice.matching == "gate" { gate(label).0 } else { label };
    choice.patterns.iter().any(|(_, fits)| fits(about)) != choice.all_but
}

fn steps(of: &Behaviour, systems: &[System], at: &[u32]) -> Vec<Step> {
    match of {
        Behaviour::File(number) => {
            let steps = systems[*number][at[0] as usize].iter();
            steps.map(|(label, to)| (label.map(str::to_owned), vec![*to])).collect()
        }
        Behaviour::Hide(choice, inside) => {
            let seen = |(label, to): Step| (label.filter(|label| !chosen(choice, label)), to);
            steps(inside, systems, at).into_iter().map(seen).collect()
        }
        Behaviour::Cut(choice, inside) => {
            let stays =
                |(label, _): &Step| label.as_ref().is_none_or(|label| !chosen(choice, label));
            steps(inside, systems, at).into_iter().filter(stays).collect()
        }
        Behaviour::Rename(by_gate, from, to, inside) => {
            let renamed = |label: String| {
                let (about, rest) = if *by_gate { gate(&label) } else { (label.as_str(), "") };
                match about == *from {
                    true if *to == "tau" => None,
                    true => Some(format!("{to}{rest}")),
                    false => Some(label),
                }
            };
            let all = steps(inside, systems, at).into_iter();
            all.map(|(label, to)| (label.and_then(renamed), to)).collect()
        }
        Behaviour::Using(by_label, vectors, operands) => {
            let by_operand = by_operand(operands, systems, at);
            let mut found = alone(&by_operand, at, |_, label| label.is_none());
            for (slots, result) in vectors {
                let who: Vec<usize> = (0..slots.len()).filter(|at| slots[*at].is_some()).collect();
                for (labels, to) in together(&by_operand, &who, at) {
                    let parts = labels
                        .iter()
                        .map(|label| if *by_label { (label.as_str(), "") } else { gate(label) });
                    let parts: Vec<(&str, &str)> = parts.collect();
                    let fits =
                        who.iter().zip(&parts).all(|(who, part)| slots[*who] == Some(part.0));
                    if fits && parts.iter().all(|part| part.1 == parts[0].1) {
                        let seen = format!("{result}{}", parts[0].1);
                        found.push((Some(seen).filter(|_| *result != "tau"), to));
                    }
                }
            }
            found
        }
        Behaviour::Par(by_label, global, locals, operands) => {
            let by_operand = by_operand(operands, systems, at);
            let mut found = alone(&by_operand, at, |_, label| label.is_none());
            let many = operands.len();
            for set in 1_usize..1 << many {
                let who: Vec<usize> = (0..many).filter(|at| set & (1 << at) != 0).collect();
                for (labels, to) in together(&by_operand, &who, at) {
                    let same = labels.iter().all(|label| *label == labels[0]);
                    if same && may(&labels[0], *by_label, global.as_deref(), locals, &who) {
                        found.push((Some(labels[0].clone()), to));
                    }
                }
            }
            found
        }
    }
}

/// Whether some operands may do something, these and no others.
fn may(
    label: &str,
    by_label: bool,
    global: Option<&[Element]>,
    locals: &[Vec<Element>],
    who: &[usize],
) -> bool {
    let about = if by_label { label } else { gate(label).0 };
    let everybody = who.len() == locals.len();
    let Some(global) = global.filter(|_| gate(label).0 != "exit") else { return everybody };
    let names = |element: &&Element| element.0 == about;
    let by_all = global
        .iter()
        .filter(names)
        .any(|(_, degree)| degree.map_or(everybody, |many| who.len() == many));
    let by_some = locals.iter().flatten().filter(names).any(|element| {
        let group: Vec<usize> =
            (0..locals.len()).filter(|at| locals[*at].contains(element)).collect();
        let inside = who.iter().all(|at| group.contains(at));
        inside && who.len() == element.1.unwrap_or(group.len())
    });
    let is_free = match who {
        [only] => !global.iter().chain(&locals[*only]).any(|element| element.0 == about),
        _ => false,
    };
    by_all || by_some || is_free
}

/// The steps of each operand, and where its leaves are.
fn by_operand(operands: &[Behaviour], systems: &[System], at: &[u32]) -> Vec<(usize, Vec<Step>)> {
    let mut from = 0;
    let mut all = Vec::new();
    for operand in operands {
        let to = from + leaves(operand);
        all.push((from, steps(operand, systems, &at[from..to])));
        from = to;
    }
    all
}

fn moved(at: &[u32], from: usize, to: &[u32]) -> Vec<u32> {
    let mut moved = at.to_vec();
    moved[from..from + to.len()].copy_from_slice(to);
    moved
}

fn alone(
    operands: &[(usize, Vec<Step>)],
    at: &[u32],
    may: impl Fn(usize, &Option<String>) -> bool,
) -> Vec<Step> {
    let mut found = Vec::new();
    for (number, (from, steps)) in operands.iter().enumerate() {
        let steps = steps.iter().filter(|(label, _)| may(number, label));
        found.extend(steps.map(|(label, to)| (label.clone(), moved(at, *from, to))));
    }
    found
}

/// What some operands can do at once, none of it silent.
fn together(
    operands: &[(usize, Vec<Step>)],
    who: &[usize],
    at: &[u32],
) -> Vec<(Vec<String>, Vec<u32>)> {
    let mut all = vec![(Vec::new(), at.to_vec())];
    for operand in who {
        let (from, steps) = &operands[*operand];
        let mut next = Vec::new();
        for (labels, now) in &all {
            for (label, to) in steps {
                if let Some(label) = label {
                    let labels: Vec<String> =
                        [labels.as_slice(), std::slice::from_ref(label)].concat();
                    next.push((labels, moved(now, *from, to)));
                }
            }
        }
        all = next;
    }
    all
}

fn defined(of: &Behaviour, systems: &[System]) -> Tuples {
    explored(vec![0; leaves(of)], |tuple| {
        let steps = steps(of, systems, tuple).into_iter();
        steps.map(|(label, to)| (label.unwrap_or("tau".to_owned()), to)).collect::<BTreeSet<_>>()
    })
}

/// A network with its files.
fn made(dice: &mut Random) -> (Files, Behaviour, Vec<System>) {
    let systems: Vec<System> = (0..dice.between(1, 3)).map(|_| system(dice)).collect();
    let mut of = behaviour(dice, systems.len(), 0);
    // More would be too many for going through all tuples.
    while leaves(&of) > MOST_LEAVES {
        of = behaviour(dice, systems.len(), 0);
    }
    let mut files = Files::default();
    for (at, system) in systems.iter().enumerate() {
        files.0.insert(format!("s{at}.aut"), file(system).into_bytes());
    }
    files.0.insert("net.exp".to_owned(), text(&of).into_bytes());
    (files, of, systems)
}

/// The files of a random network, `net.exp` among them.
pub fn random_files(dice: &mut Random) -> Files {
    made(dice).0
}

#[test]
fn networks_do_what_their_operators_say() {
    let (mut together, mut visible) = (0, 0);
    for seed in seeds(fuzz().unwrap_or(1_500)) {
        let (files, of, systems) = made(&mut Random::new(seed));
        let read = files.read("net.exp");
        let shown = text(&of);
        let Some(network) = &read.network else {
            panic!("seed {seed}: {:?}\n{shown}", said(&read))
        };
        let (found, expected) = (product(network), defined(&of, &systems));
        assert_eq!(in_words(&found), in_words(&expected), "seed {seed}\n{shown}");
        let made = pnetc::network::product(network, ProductLimits::default(), &Unwatched).unwrap();
        let sizes = (made.lts.states(), made.lts.transitions());
        assert_eq!(sizes, (found.len(), in_words(&found).len()), "seed {seed}\n{shown}");
        together += network.vectors.iter().filter(|vector| vector.members.len() > 1).count();
        visible += in_words(&found).iter().filter(|step| !step.contains("-tau->")).count();
    }
    assert!(seeds(2).count() == 1 || together > 500 && visible > 5_000, "{together} {visible}");
}

// ---- broken files ----

const PIECES: [&str; 40] = [
    "hide",
    "in",
    "end",
    "par",
    "using",
    "label",
    "gate",
    "total",
    "partial",
    "rename",
    "cut",
    "all",
    "but",
    "||",
    "|||",
    "|[",
    "]|",
    "(",
    ")",
    ",",
    "->",
    "*",
    "_",
    "#2",
    "#99999999999999999999",
    "\"",
    "\"s0.aut\"",
    "\"net.exp\"",
    "\"s9\"",
    "s0",
    "A",
    "\"[a-\"",
    "\"\\\\(\"",
    "(*",
    "*)",
    "--",
    "\n",
    "behaviour",
    "é",
    "prio",
];

/// A network with a few mistakes in it; its systems come after it, behind lines of their own.
fn mutated(dice: &mut Random) -> Vec<u8> {
    let (mut files, ..) = made(dice);
    let name = if dice.one_in(4) { "s0.aut" } else { "net.exp" };
    let mut file = files.0.remove(name).unwrap();
    for _ in 0..*dice.pick(&[1, 1, 2, 3, 8]) {
        let at = dice.below(file.len() + 1);
        let to = (at + dice.below(8)).min(file.len());
        let piece = dice.pick(&PIECES).as_bytes();
        match dice.below(6) {
            0 => _ = file.drain(at..to),
            1 => file.truncate(at),
            2 => file.insert(at, dice.next() as u8),
            3 => _ = file.splice(at..to, piece.iter().copied()),
            4 => {
                let copy = file[at..to].to_vec();
                _ = file.splice(at..at, copy);
            }
            _ => _ = file.splice(at..at, [b" ", piece, b" "].concat()),
        }
    }
    files.0.insert(name.to_owned(), file);
    let all =
        files.0.iter().flat_map(|(name, file)| [b"\x01", name.as_bytes(), b"\x02", file].concat());
    all.collect()
}

/// Reads what `mutated` made: there is a network, or an error with a place.
fn is_read(input: &[u8]) -> usize {
    let mut files = Files::default();
    for file in input.split(|byte| *byte == 1).skip(1) {
        let end = file.iter().position(|byte| *byte == 2).unwrap_or(file.len());
        let text = file.get(end + 1..).unwrap_or(&[]).to_vec();
        files.0.insert(String::from_utf8_lossy(&file[..end]).into_owned(), text);
    }
    let read = files.read("net.exp");
    let has_errors = read.diagnostics.iter().any(|one| one.severity == Severity::Error);
    assert_eq!(read.network.is_none(), has_errors, "{:?}", said(&read));
    usize::from(has_errors)
}

#[test]
fn nothing_panics_on_networks_that_are_broken_at_random() {
    let count = fuzz().unwrap_or(3_000);
    let broken = for_seeds("networks", count, mutated, is_read);
    assert!(seeds(2).count() == 1 || broken > 300, "{broken}");
}
