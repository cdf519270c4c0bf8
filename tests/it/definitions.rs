//! Definitions of connectors mean the vectors that one could write by hand: those of examples, and of random trees of
//! connectors that a twin writes out by itself.

use std::fmt::Write as _;
use std::sync::Arc;

use pnetc::elaborate::ElaborateOptions;
use pnetc::pnet::{PNet, same};

use crate::common::check_text;
use crate::common::random::Random;
use crate::common::seeds::{fuzz, seeds};

const PARTS: &str = "action tick, say(Int), hear(Int), out(Int, Int), go, told(Int);

process Member {
    var v: Int = 0;
    init state s;

    s -> s : tick;
    s -> s : hear(?x) do v := x;
    s -> s : say(v) do v := v + 1;
    s -> s : out(v, ?w) do v := w;
}
";

/// The net of a body, over parts `A`, `B`, `C` and `V[0]` to `V[2]`.
fn net(definitions: &str, body: &str) -> Arc<PNet> {
    let subs = "sub A = Member;\nsub B = Member;\nsub C = Member;\nsub V[i: 0..3] = Member;\n";
    let text = format!("{PARTS}\n{definitions}\nnet Main {{\n{subs}\n{body}\n}}\n");
    let checked = check_text(text.as_str());
    assert!(!checked.has_errors(), "{text}\n{:?}", checked.diagnostics);
    // Each interaction is a vector, as its twin writes it.
    let options = ElaborateOptions::default().unfolding();
    let built = checked.build(Some("Main"), &options);
    built.unwrap_or_else(|failure| panic!("{text}\n{failure:?}"))
}

#[track_caller]
fn means(definitions: &str, short: &str, long: &str) {
    if let Err(difference) = same(&net(definitions, short), &net("", long)) {
        panic!("`{definitions}` `{short}` is not `{long}`: {difference}");
    }
}

const TELL: &str = "connector Tell(s: port(x: Int), r: port(y: Int)) {
    s' r;
    on s r when s.x > 0 down r.y := s.x + 1;
}
";

#[test]
fn a_clause_is_for_one_interaction() {
    means(
        TELL,
        "connect told(s.x) : Tell(A.say, B.hear);",
        "<A: say(x)> -> told(x);\n<A: say(x), B: hear(x + 1)> -> told(x) when x > 0;",
    );
}

const OVER_SORTS: &str = "connector Pass<T: sort>(s: port(x: T), r: port(y: T)) {
    s r down r.y := s.x;
}

connector Spread<n: Int, T: sort>(s: port(x: T), r[i: 0..n]: port(y: T)) shows top(m: T) {
    s' [r[i] for i in 0..n] up top.m := s.x down [r[i].y := s.x for i in 0..n];
}
";

#[test]
fn a_definition_over_sorts_is_one_for_each_sort() {
    let by_hand = "<A: say(x), B: hear(x)> -> told(x);";
    means(OVER_SORTS, "connect told(s.x) : Pass(A.say, B.hear);", by_hand);
    means(OVER_SORTS, "connect told(s.x) : Pass<Int>(A.say, B.hear);", by_hand);
    means(OVER_SORTS, "connect told(s.x) : Pass<_>(A.say, B.hear);", by_hand);
}

#[test]
fn what_a_port_shows_tells_the_sorts_above_it() {
    let by_hand = "<A: say(x), C: hear(x)> -> told(x);\n\
                   <A: say(x), V[0]: hear(x), V[1]: hear(x), C: hear(x)> -> told(x);";
    let use_below = "connect low : Spread<2>(A.say, [V[i].hear for i in 0..2]);";
    let use_above = "connect told(s.x) : Pass(low.top, C.hear);";
    // Whichever is written first.
    means(OVER_SORTS, &format!("{use_below}\n{use_above}"), by_hand);
    means(OVER_SORTS, &format!("{use_above}\n{use_below}"), by_hand);
}

#[test]
fn an_interaction_that_is_never_wanted_is_left_out() {
    let definition = "connector Some(s: port, r: port, t: port) {
    s' r t;
    on s when false;
    on s r t when false;
}
";
    let by_hand = "<A: tick, B: tick> -> go;\n<A: tick, C: tick> -> go;";
    means(definition, "connect go : Some(A.tick, B.tick, C.tick);", by_hand);
    let text = format!(
        "{PARTS}\n{definition}\nnet Main {{\nsub A = Member;\nsub B = Member;\nsub C = Member;\nconnect go : Some(A.tick, B.tick, C.tick);\n}}\n"
    );
    let said = check_text(text.as_str()).diagnostics;
    assert!(said.iter().all(|one| one.entry.code != "W0312"), "{said:?}");
}

#[test]
fn a_use_is_repeated_and_gives_way() {
    means(
        TELL,
        "connect go : Tell(V[i].say, B.hear) unless <A: tick> for i in 0..2;",
        "<V[0]: say(x)> -> go unless <A: tick>;\n<V[0]: say(x), B: hear(x + 1)> -> go when x > 0 unless <A: tick>;
         <V[1]: say(x)> -> go unless <A: tick>;\n<V[1]: say(x), B: hear(x + 1)> -> go when x > 0 unless <A: tick>;",
    );
}

/// The general clauses hold where there are none for the interaction; what goes to who is not there is left out.
#[test]
fn general_clauses_and_single_ones() {
    means(
        "connector Some(s: port(x: Int), r: port(y: Int), t: port(y: Int)) {
            s' r t when s.x > 1 down r.y := s.x, t.y := 2;
            on s t down t.y := 3;
        }",
        "connect go : Some(A.say, B.hear, C.hear);",
        "<A: say(x)> -> go when x > 1;
         <A: say(x), B: hear(x)> -> go when x > 1;
         <A: say(x), C: hear(3)> -> go;
         <A: say(x), B: hear(x), C: hear(2)> -> go when x > 1;",
    );
}

const MAX: &str = "connector Max(p: port(x: Int, in y: Int), q: port(x: Int, in y: Int)) shows top(m: Int, in r: Int) {
    p q when p.x != q.x up top.m := if p.x > q.x then p.x else q.x down p.y := top.r, q.y := top.r + 1;
}
";

/// Guards and `up` from the bottom, `down` from the top.
#[test]
fn shown_ports_nest() {
    means(
        MAX,
        "connect two : Max(A.out, B.out);\nconnect told(top.m) : Max(two.top, C.out);",
        "<A: out(a, if (if a > b then a else b) > c then (if a > b then a else b) else c),
          B: out(b, (if (if a > b then a else b) > c then (if a > b then a else b) else c) + 1),
          C: out(c, (if (if a > b then a else b) > c then (if a > b then a else b) else c) + 1)>
          -> told(if (if a > b then a else b) > c then (if a > b then a else b) else c)
          when a != b and (if a > b then a else b) != c;",
    );
}

/// The order in which connectors are written does not matter, and one that is repeated shows a port for each index.
#[test]
fn shown_ports_of_repeated_connectors() {
    means(
        "connector Up(p: port(x: Int)) shows top(m: Int) { p up top.m := p.x + 1; }
         connector Same<n: Int>(r[i: 0..n]: port(x: Int)) { [r[i] for i in 0..n] when r[0].x == r[n - 1].x; }",
        "connect go : Same<3>([one[i].top for i in 0..3]);\nconnect one : Up(V[i].say) for i in 0..3;",
        "<V[0]: say(a), V[1]: say(b), V[2]: say(c)> -> go when a + 1 == c + 1;",
    );
}

#[test]
fn what_nobody_writes_is_what_was_shown() {
    means(
        "connector Keep(p: port(x: Int, in y: Int), q: port(x: Int)) { p' q; on p q down p.y := q.x; }",
        "connect go : Keep(A.out, B.say);",
        "<A: out(a, a)> -> go;\n<A: out(a, b), B: say(b)> -> go;",
    );
}

#[test]
fn families_have_their_data_in_places() {
    means(
        "connector All<n: Int>(r[i: 0..n]: port(x: Int)) shows top(m: Int) {
            [r[i] for i in 0..n] when r[0].x > 0 and r[n - 1].x > 0 up top.m := r[0].x + r[n - 1].x;
        }",
        "connect told(top.m) : All<2>([A.say B.say]);",
        "<A: say(a), B: say(b)> -> told(a + b) when a > 0 and b > 0;",
    );
    means(
        "connector Tell<n: Int>(s: port(x: Int), r[i: 0..n]: port(y: Int)) {
            s' [r[i]' for i in 0..n when i != 1] r[1] down [r[i].y := s.x + i for i in 0..n when i != 0];
            on s [r[i] for i in 0..n];
        }",
        "connect go : Tell<3>(A.say, [V[i].hear for i in 0..3]);",
        "<A: say(x)> -> go;
         <A: say(x), V[0]: hear(a)> -> go;
         <A: say(x), V[2]: hear(x + 2)> -> go;
         <A: say(x), V[1]: hear(x + 1)> -> go;
         <A: say(x), V[0]: hear(a), V[2]: hear(x + 2)> -> go;
         <A: say(x), V[0]: hear(a), V[1]: hear(x + 1)> -> go;
         <A: say(x), V[2]: hear(x + 2), V[1]: hear(x + 1)> -> go;
         <A: say(x), V[0]: hear(a), V[2]: hear(b), V[1]: hear(c)> -> go;",
    );
}

/// What is shown has the values at the end, also those that were written.
#[test]
fn data_of_families_is_shown() {
    means(
        "connector All<n: Int>(r[i: 0..n]: port(x: Int), s: port(y: Int)) {
            [r[i] for i in 0..n] s down s.y := r[0].x;
        }",
        "connect told(r[1].x - r[0].x + s.y) : All<2>([A.say B.say], C.hear);",
        "<A: say(a), B: say(b), C: hear(a)> -> told(b - a + a);",
    );
    means(
        "connector Tell<n: Int>(s: port(x: Int), r[i: 0..n]: port(y: Int)) {
            s [r[i] for i in 0..n] down [r[i].y := s.x + i for i in 0..n];
        }",
        "connect told(r[2].y) : Tell<3>(A.say, [V[i].hear for i in 0..3]);",
        "<A: say(x), V[0]: hear(x), V[1]: hear(x + 1), V[2]: hear(x + 2)> -> told(x + 2);",
    );
}

#[test]
fn data_that_may_be_missing_is_not_shown() {
    let text = format!(
        "{PARTS}
connector All<n: Int>(r[i: 0..n]: port(x: Int)) {{
    r[0]' [r[i] for i in 1..n];
}}

net Main {{
    sub A = Member;
    sub B = Member;

    connect told(r[1].x) : All<2>([A.say B.say]);
}}
"
    );
    let checked = check_text(text.as_str());
    assert!(!checked.has_errors(), "{:?}", checked.diagnostics);
    let failure = checked.build(Some("Main"), &ElaborateOptions::default()).unwrap_err();
    assert!(format!("{failure:?}").contains("E0124"), "{failure:?}");
}

#[test]
fn a_guard_quantifies_over_a_family() {
    means(
        "connector All<n: Int>(r[i: 0..n]: port(x: Int)) {
            [r[i] for i in 0..n] when forall i: 0..n . r[i].x > 0;
        }",
        "connect go : All<2>([V[i].say for i in 0..2]);",
        "<[V[i]: say(v[i]) for i in 0..2]> -> go when forall i: 0..2 . v[i] > 0;",
    );
}

#[test]
fn the_larger_interaction_goes_first_through_nesting() {
    means(
        "connector Link(p: port, q: port) shows first { p' q; }",
        "connect low : Link(B.tick, C.tick);\nconnect go : Link(A.tick, low.first);\npriority maximal;",
        "connect go : A.tick' [B.tick' C.tick];\npriority maximal;",
    );
}

#[test]
fn words_of_definitions_are_names_elsewhere() {
    let text = "action connector, port, shows, on, up(Int), down;

process Door {
    var on: Int = 0;
    init state port;
    state shows;

    port  -> shows : up(on)    do on := 1;
    shows -> port  : down;
    port  -> port  : connector;
}

net House {
    sub up = Door;

    connect connector : up.connector;
    connect down      : up.down;
    connect on        : up.up(x);
}

check reaches(House, up in shows and up.on == 1);
";
    let checked = check_text(text);
    let errors: Vec<_> = checked.diagnostics.iter().map(|one| one.message.clone()).collect();
    assert!(!checked.has_errors(), "{errors:?}");
}

// ---- random trees, and their twin ----

/// What a port of a definition carries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Carries {
    Nothing,
    Shows,
    Takes,
    Both,
}

/// A shape over the ports of a definition.
enum Shape {
    Port(usize),
    Group(Vec<(bool, Shape)>),
}

/// What can be read where a value is written.
#[derive(Clone)]
enum Value {
    Number(i64),
    /// What a port shows.
    Port(usize),
    /// What came from above.
    Above,
    Sum(Box<Value>, Box<Value>),
    Larger(Box<Value>, Box<Value>),
}

struct Clauses {
    guard: Option<(Value, i64)>,
    up: Value,
    down: Vec<(usize, Value)>,
}

struct Tree {
    name: usize,
    ports: Vec<(Carries, End)>,
    shape: Vec<(bool, Shape)>,
    shows: bool,
    general: Clauses,
    clauses: Vec<(Vec<usize>, Clauses)>,
}

enum End {
    Part(usize),
    Tree(Box<Tree>),
}

struct Maker<'r> {
    random: &'r mut Random,
    parts: usize,
    trees: usize,
}

impl Maker<'_> {
    fn tree(&mut self, depth: usize, shows: bool) -> Tree {
        let name = self.trees;
        self.trees += 1;
        let count = self.random.between(1, 4);
        let mut ports = Vec::new();
        for _ in 0..count {
            if depth > 0 && self.random.percent(30) {
                ports.push((Carries::Both, End::Tree(Box::new(self.tree(depth - 1, true)))));
            } else {
                let all = [Carries::Nothing, Carries::Shows, Carries::Takes, Carries::Both];
                self.parts += 1;
                ports.push((*self.random.pick(&all), End::Part(self.parts - 1)));
            }
        }
        let mut order: Vec<usize> = (0..count).collect();
        self.random.shuffle(&mut order);
        let shape = self.shape(&order, 2);
        let mut clauses = Vec::new();
        for set in sets(count).into_iter().filter(|set| happens(&shape, set)) {
            if self.random.percent(60) {
                let made = self.clauses(&ports, &set, shows);
                clauses.push((set, made));
            }
        }
        // What holds in general reads nothing that may be missing.
        let takers = (0..count).filter(|&at| takes(ports[at].0)).collect::<Vec<_>>();
        let down = takers.into_iter().filter(|_| self.random.percent(30));
        let down = down.map(|at| (at, Value::Number(at as i64))).collect();
        let general = Clauses { guard: None, up: Value::Number(7), down };
        Tree { name, ports, shape, shows, general, clauses }
    }

    fn shape(&mut self, ports: &[usize], depth: usize) -> Vec<(bool, Shape)> {
        let mut all = Vec::new();
        let mut rest = ports;
        while let [first, others @ ..] = rest {
            let trigger = self.random.percent(40);
            if depth > 0 && others.len() > 1 && self.random.percent(40) {
                let size = self.random.between(2, others.len() + 1);
                all.push((trigger, Shape::Group(self.shape(&rest[..size], depth - 1))));
                rest = &rest[size..];
            } else {
                all.push((trigger, Shape::Port(*first)));
                rest = others;
            }
        }
        all
    }

    fn clauses(&mut self, ports: &[(Carries, End)], set: &[usize], shows: bool) -> Clauses {
        let readable = |at: &&usize| matches!(ports[**at].0, Carries::Shows | Carries::Both);
        let seen: Vec<usize> = set.iter().filter(readable).copied().collect();
        let guard = (!seen.is_empty() && self.random.percent(50))
            .then(|| (self.value(&seen, false, 1), self.random.below(4) as i64));
        let up = self.value(&seen, false, 2);
        let mut down = Vec::new();
        for &at in set.iter().filter(|at| takes(ports[**at].0)) {
            if self.random.percent(70) {
                down.push((at, self.value(&seen, shows, 2)));
            }
        }
        Clauses { guard, up, down }
    }

    fn value(&mut self, seen: &[usize], above: bool, depth: usize) -> Value {
        let both = |maker: &mut Self| {
            let one = Box::new(maker.value(seen, above, depth - 1));
            (one, Box::new(maker.value(seen, above, depth - 1)))
        };
        match self.random.below(6) {
            0 if above => Value::Above,
            1 if depth > 0 => {
                let (a, b) = both(self);
                Value::Sum(a, b)
            }
            2 if depth > 0 => {
                let (a, b) = both(self);
                Value::Larger(a, b)
            }
            3 => Value::Number(self.random.below(5) as i64),
            _ => self.random.pick_some(seen).map_or(Value::Number(1), |at| Value::Port(*at)),
        }
    }
}

fn takes(carries: Carries) -> bool {
    matches!(carries, Carries::Takes | Carries::Both)
}

fn sets(count: usize) -> Vec<Vec<usize>> {
    (1u32..1 << count)
        .map(|bits| (0..count).filter(|port| bits >> port & 1 == 1).collect())
        .collect()
}

fn ports_of(shape: &Shape) -> Vec<usize> {
    match shape {
        Shape::Port(port) => vec![*port],
        Shape::Group(parts) => parts.iter().flat_map(|(_, part)| ports_of(part)).collect(),
    }
}

/// The definition of interactions, read for one set of ports.
fn happens(parts: &[(bool, Shape)], set: &[usize]) -> bool {
    let inside: Vec<(bool, &Shape, Vec<usize>)> = parts
        .iter()
        .map(|(trigger, part)| {
            let own = ports_of(part);
            (*trigger, part, set.iter().copied().filter(|port| own.contains(port)).collect())
        })
        .collect();
    let fits = |part: &Shape, own: &[usize]| match part {
        Shape::Port(port) => own == [*port],
        Shape::Group(parts) => !own.is_empty() && happens(parts, own),
    };
    match parts.iter().any(|(trigger, _)| *trigger) {
        true => {
            inside.iter().all(|(_, part, own)| own.is_empty() || fits(part, own))
                && inside.iter().any(|(trigger, _, own)| *trigger && !own.is_empty())
        }
        false => inside.iter().all(|(_, part, own)| fits(part, own)),
    }
}

fn shown(value: &Value, port: &dyn Fn(usize) -> String, above: &str) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::Port(at) => port(*at),
        Value::Above => above.to_owned(),
        Value::Sum(a, b) => format!("({} + {})", shown(a, port, above), shown(b, port, above)),
        Value::Larger(a, b) => {
            let (a, b) = (shown(a, port, above), shown(b, port, above));
            format!("(if {a} > {b} then {a} else {b})")
        }
    }
}

// ---- as definitions ----

fn definition(tree: &Tree, out: &mut String) {
    for (_, end) in &tree.ports {
        if let End::Tree(inner) = end {
            definition(inner, out);
        }
    }
    let ports = tree.ports.iter().enumerate().map(|(at, (carries, _))| {
        let data = match carries {
            Carries::Nothing => "",
            Carries::Shows => "(x: Int)",
            Carries::Takes => "(y: Int)",
            Carries::Both => "(x: Int, in y: Int)",
        };
        format!("p{at}: port{data}")
    });
    let shows = if tree.shows { " shows top(m: Int, in r: Int)" } else { "" };
    let ports = ports.collect::<Vec<_>>().join(", ");
    writeln!(out, "connector D{}({ports}){shows} {{", tree.name).unwrap();
    writeln!(out, "    {}{};", joints(&tree.shape), clause_text(tree, &tree.general)).unwrap();
    for (set, clauses) in &tree.clauses {
        let ports: Vec<String> = set.iter().map(|at| format!("p{at}")).collect();
        writeln!(out, "    on {}{};", ports.join(" "), clause_text(tree, clauses)).unwrap();
    }
    out.push_str("}\n\n");
}

fn joints(parts: &[(bool, Shape)]) -> String {
    let one = |(trigger, part): &(bool, Shape)| {
        let text = match part {
            Shape::Port(at) => format!("p{at}"),
            Shape::Group(parts) => format!("[{}]", joints(parts)),
        };
        format!("{text}{}", if *trigger { "'" } else { "" })
    };
    parts.iter().map(one).collect::<Vec<_>>().join(" ")
}

fn clause_text(tree: &Tree, clauses: &Clauses) -> String {
    let port = |at: usize| format!("p{at}.x");
    let mut text = String::new();
    if let Some((value, least)) = &clauses.guard {
        write!(text, " when {} > {least}", shown(value, &port, "")).unwrap();
    }
    if tree.shows {
        write!(text, " up top.m := {}", shown(&clauses.up, &port, "")).unwrap();
    }
    for (at, (target, value)) in clauses.down.iter().enumerate() {
        let sign = if at == 0 { " down" } else { "," };
        write!(text, "{sign} p{target}.y := {}", shown(value, &port, "top.r")).unwrap();
    }
    text
}

fn uses(tree: &Tree, name: &str, out: &mut String) {
    let mut ends = Vec::new();
    for (carries, end) in &tree.ports {
        ends.push(match end {
            End::Part(at) => format!("P{at}.{}", action(*carries)),
            End::Tree(inner) => {
                let name = format!("c{}", inner.name);
                uses(inner, &name, out);
                format!("{name}.top")
            }
        });
    }
    writeln!(out, "connect {name} : D{}({});", tree.name, ends.join(", ")).unwrap();
}

fn action(carries: Carries) -> &'static str {
    match carries {
        Carries::Nothing => "tick",
        Carries::Shows => "say",
        Carries::Takes => "hear",
        Carries::Both => "out",
    }
}

// ---- as vectors ----

/// An interaction with those below it.
#[derive(Clone)]
struct Interaction<'t> {
    tree: &'t Tree,
    parts: Vec<(usize, Option<Interaction<'t>>)>,
}

fn all<'t>(tree: &'t Tree) -> Vec<Interaction<'t>> {
    let order: Vec<usize> = tree.shape.iter().flat_map(|(_, part)| ports_of(part)).collect();
    let place = |port: usize| order.iter().position(|one| *one == port).unwrap();
    let mut found: Vec<Vec<usize>> =
        sets(tree.ports.len()).into_iter().filter(|set| happens(&tree.shape, set)).collect();
    found.iter_mut().for_each(|set| set.sort_by_key(|port| place(*port)));
    found.sort_by_key(|set| (set.len(), set.iter().map(|port| place(*port)).collect::<Vec<_>>()));
    found.iter().flat_map(|set| rows(tree, set)).collect()
}

/// The interactions of a set of ports: each way in which what stands below them happens.
fn rows<'t>(tree: &'t Tree, set: &[usize]) -> Vec<Interaction<'t>> {
    let mut found = vec![Interaction { tree, parts: Vec::new() }];
    for port in set {
        let below: Vec<Option<Interaction<'t>>> = match &tree.ports[*port].1 {
            End::Part(_) => vec![None],
            End::Tree(inner) => all(inner).into_iter().map(Some).collect(),
        };
        let each = |row: &Interaction<'t>| {
            let next = below.iter().map(|one| {
                let mut parts = row.parts.clone();
                parts.push((*port, one.clone()));
                Interaction { tree, parts }
            });
            next.collect::<Vec<_>>()
        };
        found = found.iter().flat_map(each).collect();
    }
    found
}

/// How many interactions there are, without making them.
fn count(tree: &Tree) -> usize {
    let each = tree.ports.iter().map(|(_, end)| match end {
        End::Part(_) => 1,
        End::Tree(inner) => count(inner),
    });
    let each: Vec<usize> = each.collect();
    let happening = sets(each.len()).into_iter().filter(|set| happens(&tree.shape, set));
    let ways = |set: Vec<usize>| set.iter().fold(1usize, |all, at| all.saturating_mul(each[*at]));
    happening.map(ways).fold(0, usize::saturating_add)
}

impl Interaction<'_> {
    fn clauses(&self) -> &Clauses {
        let mut set: Vec<usize> = self.parts.iter().map(|(port, _)| *port).collect();
        set.sort_unstable();
        let own = self.tree.clauses.iter().find(|(one, _)| *one == set);
        own.map_or(&self.tree.general, |(_, clauses)| clauses)
    }

    /// What a port shows.
    fn seen(&self, port: usize) -> String {
        let below =
            self.parts.iter().find(|(one, _)| *one == port).and_then(|(_, below)| below.as_ref());
        match (below, &self.tree.ports[port].1) {
            (Some(below), _) => shown(&below.clauses().up, &|at| below.seen(at), ""),
            (None, End::Part(at)) => format!("x{at}"),
            (None, End::Tree(_)) => unreachable!(),
        }
    }

    fn guards(&self, found: &mut Vec<String>) {
        self.parts.iter().filter_map(|(_, below)| below.as_ref()).for_each(|one| one.guards(found));
        if let Some((value, least)) = &self.clauses().guard {
            found.push(format!("{} > {least}", shown(value, &|at| self.seen(at), "")));
        }
    }

    fn members(&self, above: &str, found: &mut Vec<String>) {
        for (port, below) in &self.parts {
            let written = self.clauses().down.iter().find(|(target, _)| target == port);
            let written = written.map(|(_, value)| shown(value, &|at| self.seen(at), above));
            match (below, &self.tree.ports[*port]) {
                (Some(below), _) => {
                    below.members(&written.unwrap_or_else(|| self.seen(*port)), found)
                }
                (None, (carries, End::Part(at))) => found.push(match carries {
                    Carries::Nothing => format!("P{at}: tick"),
                    Carries::Shows => format!("P{at}: say(x{at})"),
                    Carries::Takes => {
                        format!("P{at}: hear({})", written.unwrap_or_else(|| format!("y{at}")))
                    }
                    Carries::Both => {
                        format!(
                            "P{at}: out(x{at}, {})",
                            written.unwrap_or_else(|| format!("x{at}"))
                        )
                    }
                }),
                (None, (_, End::Tree(_))) => unreachable!(),
            }
        }
    }

    fn vector(&self) -> String {
        let (mut members, mut guards) = (Vec::new(), Vec::new());
        let top = shown(&self.clauses().up, &|at| self.seen(at), "");
        self.members(&top, &mut members);
        self.guards(&mut guards);
        let guard = match guards.is_empty() {
            true => String::new(),
            false => format!(" when {}", guards.join(" and ")),
        };
        format!("<{}> -> go{guard};", members.join(", "))
    }
}

fn built(text: &str) -> Arc<PNet> {
    let checked = check_text(text);
    let said: Vec<String> = checked.diagnostics.iter().map(|one| one.message.clone()).collect();
    assert!(!checked.has_errors(), "{text}\n{said:?}");
    // Each interaction is a vector, as its twin writes it.
    let built = checked.build(Some("Main"), &ElaborateOptions::default().unfolding());
    built.unwrap_or_else(|failure| panic!("{text}\n{failure:?}"))
}

#[test]
fn random_trees_mean_what_their_twin_writes_out() {
    let (mut nested, mut largest, mut compared, mut left_out) = (0, 0, 0, 0);
    for seed in seeds(fuzz().unwrap_or(300)) {
        let mut random = Random::new(seed);
        let mut maker = Maker { random: &mut random, parts: 0, trees: 0 };
        let shows = maker.random.percent(30);
        let tree = maker.tree(2, shows);
        let (parts, trees) = (maker.parts, maker.trees);
        if count(&tree) > 300 {
            left_out += 1;
            continue;
        }
        let interactions = all(&tree);
        assert_eq!(interactions.len(), count(&tree));
        let subs: String = (0..parts).map(|at| format!("sub P{at} = Member;\n")).collect();
        let (mut defined, mut used) = (String::new(), String::new());
        definition(&tree, &mut defined);
        uses(&tree, "go", &mut used);
        let vectors: Vec<String> = interactions.iter().map(Interaction::vector).collect();
        let short = format!("{PARTS}\n{defined}net Main {{\n{subs}\n{used}}}\n");
        let long = format!("{PARTS}\nnet Main {{\n{subs}\n{}\n}}\n", vectors.join("\n"));
        let (one, other) = (built(&short), built(&long));
        if let Err(difference) = same(&one, &other) {
            panic!("seed {seed}: {difference}\n{short}\n{long}");
        }
        compared += 1;
        nested += usize::from(trees > 1);
        largest = largest.max(interactions.len());
    }
    println!(
        "definitions: {compared} compared, {nested} nested, {largest} interactions at most, {left_out} too large"
    );
    assert!(left_out * 10 < compared + left_out || compared < 20, "{left_out} left out");
    assert!(nested > 0 && largest > 3, "{nested} nested, {largest} interactions at most");
}
