//! Connectors that are kept in one piece do what their interactions do one by one: the two forms of random models begin in
//! the same configurations and have the same steps, as the fast interpreter and the plain one see them.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use pnetc::diagnostics::Severity;
use pnetc::elaborate::{ConnectorPiece, ElaborateOptions, Shape, how_many, interactions, pieces};
use pnetc::explore::compiled::Compiled;
use pnetc::explore::naive::Interpreter;
use pnetc::explore::{Configuration, Domains, Gap, Machine, Moves, Value};
use pnetc::pnet::{HoleId, PNet};

use crate::common::nets;
use crate::common::random::Random;
use crate::common::seeds::{fuzz, seeds};
use crate::common::{check_text, shrink};

/// How many configurations of a model are looked at.
const LIMIT: usize = 60;

// ---- pieces ----

fn random_shape(random: &mut Random, next: &mut usize, depth: usize) -> Shape {
    if depth == 0 || *next >= 7 || random.percent(45) {
        *next += 1;
        return Shape::Port(*next - 1);
    }
    let parts = random.between(1, 4);
    let part = |random: &mut Random, next: &mut usize| {
        (random.percent(50), random_shape(random, next, depth - 1))
    };
    Shape::Group((0..parts).map(|_| part(random, next)).collect())
}

/// The interactions of a piece, one by one.
fn of_piece(piece: &ConnectorPiece) -> Vec<Vec<usize>> {
    let mut all = vec![piece.ports.clone()];
    for one in &piece.optional {
        let inside = of_piece(one);
        let with = |before: &Vec<usize>| {
            let before = before.clone();
            let each = inside.iter().map(move |more| [&before[..], more].concat());
            each.collect::<Vec<_>>()
        };
        let more: Vec<Vec<usize>> = all.iter().flat_map(with).collect();
        all.extend(more);
    }
    all
}

#[test]
fn pieces_have_each_interaction_once() {
    let mut divided = 0;
    for seed in 0..3_000 {
        let (mut random, mut next) = (Random::new(seed), 0);
        let shape = random_shape(&mut random, &mut next, 4);
        let Some(mut wanted) = interactions(&shape, 1 << 12) else { continue };
        assert_eq!(how_many(&shape), Some(wanted.len()), "seed {seed}: {shape:?}");
        let pieces = pieces(&shape).unwrap_or_else(|| panic!("seed {seed}: {shape:?}"));
        divided += 1;
        let mut found: Vec<Vec<usize>> = pieces.iter().flat_map(of_piece).collect();
        found.iter_mut().for_each(|set| set.sort_unstable());
        found.sort();
        wanted.sort();
        assert_eq!(found, wanted, "seed {seed}: {shape:?}");
    }
    assert!(divided > 2_000, "{divided} were divided");
}

// ---- models ----

/// What somebody sees of a step.
type Seen = (Value, Vec<(HoleId, Value)>, Configuration);

/// Where a step leads, packed, and what it is.
type PackedStep = (Box<[u64]>, Seen);

/// A configuration, as both forms pack it.
type Both = (Box<[u64]>, Box<[u64]>);

#[derive(Clone, Copy, Default, Debug)]
struct Compared {
    /// Nets in which some connector was kept in one piece.
    nets: usize,
    configs: usize,
    steps: usize,
    gaps: usize,
}

pub fn built(text: &str, most_unfolded: usize) -> Result<Arc<PNet>, String> {
    let checked = check_text(text);
    if let Some(error) = checked.diagnostics.iter().find(|one| one.severity == Severity::Error) {
        return Err(error.message.clone());
    }
    let options = ElaborateOptions { most_unfolded, ..ElaborateOptions::default() };
    checked.build(None, &options).map_err(|failure| format!("{failure:?}"))
}

fn fast(machine: &Compiled<'_>, packed: &[u64]) -> Result<Vec<PackedStep>, Gap> {
    let (mut scratch, mut moves) = (machine.scratch(), Moves::new(machine.bits().div_ceil(64)));
    machine.steps(&mut scratch, packed, true, &mut moves)?;
    let found = (0..moves.len()).map(|step| {
        let (shown, holes) = machine.label(moves.label(step));
        let target: Box<[u64]> = moves.target(step).into();
        let at = machine.decode(&target);
        (target, (shown, holes, at))
    });
    Ok(found.collect())
}

fn domains() -> Domains {
    Domains { integers: Some(((-1).into(), 3.into())), ..Domains::default() }
}

/// Compares both forms of a model.
fn compare(text: &str) -> Result<Compared, String> {
    let mut compared = Compared::default();
    let Ok(unfolded) = built(text, usize::MAX) else { return Ok(compared) };
    let whole = built(text, 0).map_err(|why| format!("has no form in one piece: {why}"))?;
    if !whole.has_optional() {
        return Ok(compared);
    }
    compared.nets = 1;
    let (ours, theirs) = (Compiled::new(&whole, &domains()), Compiled::new(&unfolded, &domains()));
    let plain = Interpreter::new(&whole, domains());
    let (Ok(begins), Ok(wanted)) = (ours.initial(), theirs.initial()) else { return Ok(compared) };
    let decoded = |machine: &Compiled<'_>, all: &[Box<[u64]>]| -> Vec<Configuration> {
        all.iter().map(|packed| machine.decode(packed)).collect()
    };
    if decoded(&ours, &begins.0) != decoded(&theirs, &wanted.0) {
        return Err("begins elsewhere".to_owned());
    }
    let mut seen: BTreeSet<Configuration> = decoded(&ours, &begins.0).into_iter().collect();
    let mut work: VecDeque<Both> = begins.0.into_iter().zip(wanted.0).collect();
    while let Some((packed, other)) = work.pop_front() {
        if compared.configs + compared.gaps >= LIMIT {
            break;
        }
        let at = ours.decode(&packed);
        let (found, wanted) = match (fast(&ours, &packed), fast(&theirs, &other)) {
            (Ok(found), Ok(wanted)) => (found, wanted),
            (Err(_), Err(_)) => {
                compared.gaps += 1;
                continue;
            }
            (Err(gap), Ok(_)) => return Err(format!("has a gap in {at:?}: {gap}")),
            (Ok(_), Err(gap)) => return Err(format!("has no gap in {at:?}: {gap}")),
        };
        same(&at, &found, &wanted)?;
        if let Ok(steps) = plain.steps(&at) {
            let steps = steps.steps.into_iter();
            let steps: BTreeSet<Seen> =
                steps.map(|step| (step.action, step.holes, step.target)).collect();
            let wanted: BTreeSet<Seen> = wanted.iter().map(|(_, seen)| seen.clone()).collect();
            differ(&at, "plain", &steps, &wanted)?;
        }
        compared.configs += 1;
        compared.steps += wanted.len();
        for (target, (_, _, configuration)) in &wanted {
            if seen.insert(configuration.clone()) {
                let own = found.iter().find(|(_, one)| one.2 == *configuration);
                let own = own.map(|(own, _)| own.clone()).ok_or("a target is lost")?;
                work.push_back((own, target.clone()));
            }
        }
    }
    Ok(compared)
}

fn same(at: &Configuration, found: &[PackedStep], wanted: &[PackedStep]) -> Result<(), String> {
    let set = |all: &[PackedStep]| -> BTreeSet<Seen> {
        all.iter().map(|(_, seen)| seen.clone()).collect()
    };
    differ(at, "fast", &set(found), &set(wanted))
}

fn differ(
    at: &Configuration,
    who: &str,
    found: &BTreeSet<Seen>,
    wanted: &BTreeSet<Seen>,
) -> Result<(), String> {
    if found == wanted {
        return Ok(());
    }
    let missing: Vec<_> = wanted.difference(found).take(2).collect();
    let extra: Vec<_> = found.difference(wanted).take(2).collect();
    Err(format!("{who} differs in {at:?}\nmissing {missing:?}\ntoo much {extra:?}"))
}

/// Compares random models: so many of a hundred at least have something in one piece.
fn random_models(name: &str, count: u64, least: u64, make: impl Fn(&mut Random) -> String) {
    let count = fuzz().unwrap_or(count);
    let (mut total, mut failures) = (Compared::default(), Vec::new());
    for seed in seeds(count) {
        let text = make(&mut Random::new(seed));
        let label = format!("{name}, PNET_SEED={seed}");
        match shrink::tried(&label, &text, compare) {
            Ok(one) => {
                total.nets += one.nets;
                total.configs += one.configs;
                total.steps += one.steps;
                total.gaps += one.gaps;
            }
            Err(why) => failures.push(why),
        }
    }
    println!("{name}: {total:?}");
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
    let is_one = seeds(count).count() == 1;
    let enough = total.nets as u64 * 100 >= least * count;
    assert!(is_one || enough && total.steps > total.nets, "{total:?}");
}

#[test]
fn connectors_of_random_models_do_what_their_interactions_do() {
    random_models("closed", 60, 20, |random| nets::model(random, nets::Shape::closed()));
    random_models("open", 40, 5, |random| nets::model(random, nets::Shape::open()));
}

// ---- connectors with much in them ----

/// A process with some of the ports, which give or take a number, or wait for one.
fn process(random: &mut Random, name: usize) -> String {
    let states = random.between(1, 3);
    let mut text = format!("process P{name} {{\n    var v: 0..3 = {};\n", random.between(0, 2));
    for state in 0..states {
        text += &format!("    {}state s{state};\n", if state == 0 { "init " } else { "" });
    }
    for _ in 0..random.between(2, 5) {
        let (from, to) = (random.between(0, states - 1), random.between(0, states - 1));
        let port = ["a", "b"][random.between(0, 1)];
        let action = match random.between(0, 3) {
            0 => format!("{port}(v)"),
            1 => format!("{port}({})", random.between(0, 2)),
            _ => format!("{port}(?y)"),
        };
        let takes = action.contains('?');
        let guard = match random.between(0, 3) {
            0 => " when v < 2",
            1 if takes => " when y != v",
            _ => "",
        };
        let change = match random.between(0, 2) {
            0 if takes => " do v := y",
            1 => " do v := (v + 1) mod 3",
            _ => "",
        };
        text += &format!("    s{from} -> s{to} : {action}{guard}{change};\n");
    }
    text + "}\n\n"
}

/// Ports in random groups, of parts that differ; `x` is the data of the first, which others may share.
fn group(random: &mut Random, ports: &[usize], depth: usize, first: &mut bool) -> String {
    let mut at = 0;
    let mut shown = Vec::new();
    while at < ports.len() {
        let many = if depth == 0 { 1 } else { random.between(1, ports.len() - at) };
        let trigger = if *first && random.percent(70) || random.percent(25) { "'" } else { "" };
        if many == 1 {
            let part = ports[at];
            let data = match random.between(0, 5) {
                _ if *first => "x".to_owned(),
                0 => "_".to_owned(),
                1 => format!("y{part}"),
                2 => "z".to_owned(),
                3 => "w".to_owned(),
                _ => "x".to_owned(),
            };
            *first = false;
            let port = ["a", "b"][random.between(0, 1)];
            shown.push(format!("P{part}.{port}({data}){trigger}"));
        } else {
            let inside = group(random, &ports[at..at + many], depth - 1, first);
            shown.push(format!("[{inside}]{trigger}"));
        }
        at += many;
    }
    shown.join(" ")
}

pub fn connectors(random: &mut Random) -> String {
    let parts = random.between(3, 6);
    let mut text = "action a(0..3), b(0..3), one(0..3), two, all;\n\n".to_owned();
    (0..parts).for_each(|name| text += &process(random, name));
    text += "net Inner {\n";
    (0..parts).for_each(|part| text += &format!("    sub P{part} = P{part};\n"));
    for name in ["one(x)", "two"] {
        let all: Vec<usize> = (0..parts).collect();
        let many = random.between(2, parts);
        let from = random.between(0, parts - many);
        let ports = group(random, &all[from..from + many], 2, &mut true);
        let guard = match random.between(0, 4) {
            0 => " when x < 2",
            1 => " when x != 1",
            _ => "",
        };
        let transfer = if ports.contains("(w)") { " do w := (x + 1) mod 3" } else { "" };
        let unless = if random.percent(15) { " unless <P0: a(1)>" } else { "" };
        text += &format!("    connect {name} : {ports}{guard}{transfer}{unless};\n");
    }
    text += &format!("    <P{}: a(_)> -> two;\n", random.between(0, parts - 1));
    if random.percent(50) {
        text += "    priority maximal;\n";
    }
    if random.percent(30) {
        text += ["    priority one < two;\n", "    priority two < one;\n"][random.between(0, 1)];
    }
    text += "}\n\nnet Outer {\n    sub I = Inner;\n    sub J = P0;\n";
    text += match random.between(0, 2) {
        0 => "    connect all : I.one(x)' J.a(x) J2.two;\n    sub J2 = Inner;\n",
        1 => "    <I: one(x), J: a(x)> -> all;\n    <I: two> -> two;\n",
        _ => {
            "    <I: one(x)> -> one(x) unless <J: b(x)>;\n    <I: two> -> all;\n    <J: b(_)> -> tau;\n"
        }
    };
    if random.percent(40) {
        text += "    priority maximal;\n";
    }
    text + "}\n"
}

/// A few components that are alike, and others that broadcast to them.
pub fn broadcasts(random: &mut Random) -> String {
    let (cells, speakers) = (random.between(2, 4), random.between(1, 2));
    let mut text = "action say, hear, own, tell, rest;\n\nprocess Cell {\n".to_owned();
    text += "    init state idle;\n    state busy, done;\n";
    for (from, to, action) in
        [("idle", "busy", "hear"), ("busy", "done", "own"), ("done", "idle", "rest")]
    {
        text += &format!("    {from} -> {to} : {action};\n");
    }
    if random.percent(50) {
        text += "    busy -> idle : hear;\n";
    }
    if random.percent(30) {
        text += "    idle -> done : hear;\n";
    }
    text += "}\n\nprocess Speaker {\n    init state s;\n    state t;\n    s -> t : say;\n";
    text += ["    t -> s : say;\n", "    t -> s : rest;\n", ""][random.between(0, 2)];
    text += "}\n\nnet Hall {\n";
    text += &format!("    sub C[i: 0..{cells}] = Cell;\n    sub S[i: 0..{speakers}] = Speaker;\n");
    let trigger = ["'", ""][random.between(0, 1)];
    text += &format!(
        "    connect tell : S[j].say' [C[i].hear' for i in 0..{cells}]{trigger} for j in 0..{speakers};\n"
    );
    text += &format!("    <C[i]: own> -> own for i in 0..{cells};\n");
    text += &format!("    <C[i]: rest> -> rest for i in 0..{cells};\n");
    if random.percent(50) {
        text += &format!("    <S[j]: rest> -> rest for j in 0..{speakers};\n");
    }
    if random.percent(60) {
        text += "    priority maximal;\n";
    }
    if random.percent(30) {
        text += ["    priority tell < own;\n", "    priority own < tell;\n"][random.between(0, 1)];
    }
    text + "}\n"
}

#[test]
fn broadcasts_do_what_their_interactions_do() {
    random_models("broadcasts", 60, 80, broadcasts);
}

/// Ports of a definition in random groups.
fn joined(random: &mut Random, ports: &[usize], depth: usize) -> String {
    let mut at = 0;
    let mut shown = Vec::new();
    while at < ports.len() {
        let many = if depth == 0 { 1 } else { random.between(1, ports.len() - at) };
        let trigger = if random.percent(40) { "'" } else { "" };
        shown.push(match many {
            1 => format!("p{}{trigger}", ports[at]),
            _ => format!("[{}]{trigger}", joined(random, &ports[at..at + many], depth - 1)),
        });
        at += many;
    }
    shown.join(" ")
}

/// Definitions of connectors with data that goes from the first port, or one that is there with it, to others.
pub fn definitions(random: &mut Random) -> String {
    let parts = random.between(3, 6);
    let mut text = "action a(0..3), b(0..3), one(0..3), two;\n\n".to_owned();
    (0..parts).for_each(|name| text += &process(random, name));
    let all: Vec<usize> = (1..parts).collect();
    let formals: Vec<String> = (0..parts).map(|port| format!("p{port}: port(x: Int)")).collect();
    let rest = joined(random, &all, 2);
    let first = if random.percent(85) { "p0'" } else { "[p0 p1]'" };
    let rest = if first == "p0'" { rest } else { joined(random, &all[1..], 2) };
    let guard = *random.pick(&["", "", " when p0.x < 2", " when p0.x != 1"]);
    let mut moves = Vec::new();
    for port in 1..parts {
        match random.between(0, 5) {
            0 | 1 => moves.push(format!("p{port}.x := p0.x")),
            2 => moves.push(format!("p{port}.x := (p0.x + {port}) mod 3")),
            3 => moves.push(format!("p{port}.x := p0.x + 1")),
            4 if port > 1 && random.percent(20) => {
                moves.push(format!("p{port}.x := p{}.x", port - 1));
            }
            _ => {}
        }
    }
    let down = if moves.is_empty() { String::new() } else { format!(" down {}", moves.join(", ")) };
    text += &format!("connector D({}) {{\n    {first} {rest}{guard}{down};\n", formals.join(", "));
    if random.percent(15) {
        text += "    on p0 when p0.x > 0;\n";
    }
    text += "}\n\nconnector Cast<n: Int>(s: port(x: Int), r[i: 0..n]: port(y: Int)) {\n";
    let listener = *random.pick(&["r[i]'", "r[i]"]);
    let value = *random.pick(&["s.x", "(s.x + i) mod 3", "i mod 2", "r[i].y"]);
    let down = match value {
        "r[i].y" => String::new(),
        value => format!(" down [r[i].y := {value} for i in 0..n]"),
    };
    text += &format!("    s' [{listener} for i in 0..n]{down};\n}}\n\nnet Main {{\n");
    (0..parts).for_each(|part| text += &format!("    sub P{part} = P{part};\n"));
    let port =
        |random: &mut Random, part: usize| format!("P{part}.{}", ["a", "b"][random.between(0, 1)]);
    let ends: Vec<String> = (0..parts).map(|part| port(random, part)).collect();
    text += &format!("    connect one(p0.x) : D({});\n", ends.join(", "));
    let ends: Vec<String> = (1..parts).map(|part| port(random, part)).collect();
    let unless = if random.percent(15) { " unless <P0: a(1)>" } else { "" };
    text +=
        &format!("    connect two : Cast<{}>(P0.a, [{}]){unless};\n", parts - 1, ends.join(" "));
    if random.percent(50) {
        text += "    priority maximal;\n";
    }
    if random.percent(30) {
        text += ["    priority one < two;\n", "    priority two < one;\n"][random.between(0, 1)];
    }
    text + "}\n"
}

#[test]
fn uses_of_definitions_do_what_their_interactions_do() {
    random_models("definitions", 100, 25, definitions);
    random_models("glue", 60, 5, crate::common::glue::model);
}

// ---- definitions with clauses for single interactions ----

fn shape_text(shape: &Shape, name: &str) -> String {
    match shape {
        Shape::Port(port) => format!("{name}{port}"),
        Shape::Group(parts) => {
            let part = |(trigger, part): &(bool, Shape)| {
                let mark = if *trigger { "'" } else { "" };
                format!("{}{mark}", shape_text(part, name))
            };
            format!("[{}]", parts.iter().map(part).collect::<Vec<_>>().join(" "))
        }
    }
}

/// How some ports are joined; the first is always there if it is to be.
fn glued(random: &mut Random, count: usize, first: bool) -> Shape {
    fn some(random: &mut Random, ports: &[usize], depth: usize) -> Vec<(bool, Shape)> {
        let mut parts = Vec::new();
        let mut at = 0;
        while at < ports.len() {
            let many = if depth == 0 { 1 } else { random.between(1, ports.len() - at) };
            let part = match many {
                1 => Shape::Port(ports[at]),
                _ => Shape::Group(some(random, &ports[at..at + many], depth - 1)),
            };
            parts.push((random.percent(50), part));
            at += many;
        }
        parts
    }
    let all: Vec<usize> = (usize::from(first)..count).collect();
    let mut parts = some(random, &all, 2);
    if first {
        parts.iter_mut().for_each(|part| part.0 = false);
        parts.insert(0, (true, Shape::Port(0)));
    }
    Shape::Group(parts)
}

/// What is done with the data of some ports: `up` goes to the port that is shown.
fn done(random: &mut Random, set: &[usize], name: &str, shows: bool) -> String {
    let one = |random: &mut Random| set[random.between(0, set.len() - 1)];
    let mut text = String::new();
    if random.percent(40) {
        text += &format!(" when {name}{}.x < {}", one(random), random.between(1, 2));
    }
    if shows {
        text += &format!(" up top.m := {name}{}.x", one(random));
    }
    let (from, to) = (one(random), one(random));
    if from != to && random.percent(60) {
        text += &format!(" down {name}{to}.x := {name}{from}.x");
    }
    text
}

fn with_clauses(random: &mut Random, shape: &Shape, name: &str, shows: bool) -> String {
    let all = interactions(shape, 1 << 12).unwrap();
    let mut text = shape_text(shape, name);
    if all.iter().all(|set| set.contains(&0)) {
        text += &done(random, &[0], name, shows);
    }
    text += ";\n";
    let mut seen = BTreeSet::new();
    for _ in 0..random.between(0, 4) {
        let set = random.pick(&all).clone();
        if !seen.insert(set.clone()) {
            continue;
        }
        let ports: Vec<String> = set.iter().map(|port| format!("{name}{port}")).collect();
        let clause = match random.percent(15) && all.len() > 1 {
            true => " when false".to_owned(),
            false => done(random, &set, name, shows),
        };
        text += &format!("    on {}{clause};\n", ports.join(" "));
    }
    text
}

/// Definitions in which single interactions have clauses of their own, and a connector above another one.
pub fn clauses(random: &mut Random) -> String {
    let (below, above) = (random.between(2, 3), random.between(2, 4));
    let parts = below + above - 1;
    let mut text = "action a(0..3), b(0..3), one, two;\n\n".to_owned();
    (0..parts).for_each(|name| text += &process(random, name));
    let shows = random.percent(50);
    let ports = |name: &str, count: usize| {
        let ports = (0..count).map(|port| format!("{name}{port}: port(x: Int)"));
        ports.collect::<Vec<_>>().join(", ")
    };
    let shape = glued(random, below, shows);
    let inside = with_clauses(random, &shape, "q", shows);
    let top = if shows { "top(m: Int)" } else { "top" };
    text += &format!("connector In({}) shows {top} {{\n    {inside}}}\n\n", ports("q", below));
    // The data of a port that carries none cannot be read: then the last one stays out of clauses that do.
    let own = above - 1;
    let first = random.percent(70);
    let shape = glued(random, above, first);
    let mut outside = with_clauses(random, &shape, "p", false);
    let last = format!("p{own}");
    if !shows {
        let lines = outside.lines().map(|line| match line.contains(&format!("{last}.x")) {
            true => {
                format!("{};", line.split(" when ").next().unwrap_or(line).trim_end_matches(';'))
            }
            false => line.to_owned(),
        });
        let lines = lines.map(|line| match line.contains(&format!("{last}.x")) {
            true => {
                format!("{};", line.split(" down ").next().unwrap_or(&line).trim_end_matches(';'))
            }
            false => line,
        });
        outside = lines.map(|line| line + "\n").collect();
    }
    let shown = if shows { "port(x: Int)" } else { "port" };
    let formals = match own {
        0 => format!("{last}: {shown}"),
        _ => format!("{}, {last}: {shown}", ports("p", own)),
    };
    text += &format!("connector Out({formals}) {{\n    {outside}}}\n\nnet Main {{\n");
    (0..parts).for_each(|part| text += &format!("    sub P{part} = P{part};\n"));
    let mut ends: Vec<String> =
        (0..parts).map(|part| format!("P{part}.{}", ["a", "b"][random.between(0, 1)])).collect();
    let under = ends.split_off(own);
    text += &format!("    connect in_ : In({});\n", under.join(", "));
    ends.push("in_.top".to_owned());
    text += &format!("    connect one : Out({});\n", ends.join(", "));
    if random.percent(50) {
        text += "    priority maximal;\n";
    }
    text + "}\n"
}

#[test]
fn clauses_for_single_interactions_hold_where_there_are_many() {
    random_models("clauses", 50, 25, clauses);
}

#[test]
fn a_definition_with_clauses_and_many_ports_is_explored_in_one_piece() {
    let text = |many: usize| {
        format!(
            "\
action say(Int), hear(Int), join, more, tell;

connector Pair(p: port, q: port) shows top {{
    p' q;
}}

connector Cast<n: Int>(s: port(x: Int), r[i: 0..n]: port(y: Int), both: port) {{
    s' [r[i]' for i in 0..n] both down [r[i].y := s.x for i in 0..n];
    on s when s.x > 5;
    on s r[0] when s.x > 0 down r[0].y := s.x + 1;
    on s r[1] both when false;
}}

process Speaker {{
    var n: Int = 0;
    init state s;

    s -> s : say(n) do n := (n + 1) mod 3;
}}

process Listener {{
    var last: Int = 0;
    init state s;

    s -> s : hear(?v) when v != 1 do last := v;
}}

process Other {{
    init state s;

    s -> s : join;
    s -> s : more;
}}

net Hall {{
    sub S = Speaker;
    sub L[i: 0..{many}] = Listener;
    sub O = Other;
    sub Q = Other;

    connect pair : Pair(O.join, Q.more);
    connect tell : Cast<{many}>(S.say, [L[i].hear for i in 0..{many}], pair.top);
}}
"
        )
    };
    // Anybody with `s`, and nobody, `O`, or `O` and `Q`; where `n` is 0, `s` alone and with the first does not happen.
    let first = |many: usize, most: usize| {
        let net = built(&text(many), most).unwrap();
        let machine = Compiled::new(&net, &domains());
        let begin = machine.initial().unwrap().0.remove(0);
        (net.has_optional(), fast(&machine, &begin).unwrap().len())
    };
    assert_eq!(first(4, usize::MAX), (false, 3 * 16 - 2 - 2));
    assert_eq!(first(4, 4), (true, 3 * 16 - 2 - 2));
    assert_eq!(first(12, 256), (true, 3 * 4096 - 2 - 2));
}

#[test]
fn a_definition_with_many_ports_is_explored_in_one_piece() {
    let text = "\
import std.glue;

action say(0..3), hear(0..3), tell;

process Speaker {
    var n: 0..3 = 0;
    init state s;

    s -> s : say(n) do n := (n + 1) mod 3;
}

process Listener {
    var last: 0..3 = 0;
    init state s;

    s -> s : hear(?v) when v != 1 do last := v;
}

net Hall {
    sub S = Speaker;
    sub L[i: 0..60] = Listener;

    connect tell : Tell<60>(S.say, [L[i].hear for i in 0..60]);
    priority maximal;
}
";
    let net = built(text, 256).unwrap();
    assert!(net.has_optional());
    let machine = Compiled::new(&net, &domains());
    let begin = machine.initial().unwrap().0.remove(0);
    // 0, and then nobody hears 1: one step each.
    let first = fast(&machine, &begin).unwrap();
    assert_eq!(first.len(), 1);
    assert_eq!(fast(&machine, &first[0].0).unwrap().len(), 1);
    // Where each interaction is needed by itself, it is told what can be done.
    let checked = check_text(text);
    let options = ElaborateOptions { most_unfolded: usize::MAX, ..ElaborateOptions::default() };
    let Err(failure) = checked.build(None, &options) else { panic!("there are 2^60 interactions") };
    assert!(format!("{failure:?}").contains("each is needed by itself here"), "{failure:?}");
}

#[test]
fn single_interactions_of_one_piece_are_told_of_as_such() {
    let text = "\
action say, hear, tell;

process Speaker {
    init state s;

    s -> s : say;
}

process Listener {
    init state s;

    s -> s : hear;
}

net Hall {
    sub S = Speaker;
    sub L[i: 0..20] = Listener;

    connect tell : S.say' [L[i].hear' for i in 0..20];
    priority tell[S.say L[0].hear] < tell[S.say L[1].hear];
}
";
    let Err(why) = built(text, 256) else { panic!("it is built") };
    assert!(why.contains("E0140"), "{why}");
}

#[test]
fn connectors_with_data_guards_and_priorities_do_what_their_interactions_do() {
    random_models("connectors", 100, 40, connectors);
}
