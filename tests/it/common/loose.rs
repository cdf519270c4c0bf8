//! Nets for reductions: components that seldom meet, wait for each other, and give way to each other; and families whose
//! members are alike, or nearly.
//!
//! (Those of `nets` have few components, which mostly meet, so that there is little to leave out.)

use super::{Random, nets};

/// The actions, with the arguments that a component takes or gives.
const ACTIONS: &str = "action a, b, c, d, m(0..3), shown(Int);\n";

/// A process with some states, which mostly go forward, and seldom back.
fn process(random: &mut Random, name: &str, me: bool) -> String {
    let states = random.between(2, 4);
    let (has_var, ends) = (random.percent(60), random.percent(30));
    let head = if me { format!("{name}<me: Int>") } else { name.to_owned() };
    let mut text = format!("process {head} {{");
    if has_var {
        let first = if me && random.one_in(3) { "me mod 3" } else { "0" };
        text += &format!(" var x: 0..3 = {first};");
    }
    text += " init state s0;";
    for at in 1..states {
        let mark = if ends && at + 1 == states { " final" } else { "" };
        text += &format!("{mark} state s{at};");
    }
    let more = random.between(0, 4);
    for number in 0..states - 1 + more {
        let (from, to) = match number {
            forward if forward < states - 1 => (forward, forward + 1),
            _ => (random.below(states), random.below(states)),
        };
        text += &transition(random, (from, to), has_var, me);
    }
    text + " }\n"
}

fn transition(random: &mut Random, (from, to): (usize, usize), has_var: bool, me: bool) -> String {
    let (action, takes) = match random.below(9) {
        0 | 1 => ("a", false),
        2 | 3 => ("b", false),
        4 => ("c", false),
        5 | 6 => ("d", false),
        7 if has_var => ("m(x)", false),
        7 => ("m(1)", false),
        _ => ("m(?v)", true),
    };
    let mut guards: Vec<&str> = Vec::new();
    if has_var && random.one_in(3) {
        guards.push(*random.pick(&["x < 2", "x == 0", "x > 0"]));
    }
    if takes && has_var && random.one_in(3) {
        guards.push("v != x");
    }
    if me && random.one_in(6) {
        guards.push(*random.pick(&["me == 0", "me != 1", "me < 2"]));
    }
    let change = match random.below(4) {
        0 if has_var => " do x := (x + 1) mod 3",
        1 if has_var && takes => " do x := v",
        // This may leave the range.
        2 if has_var && random.one_in(2) => " do x := x + 1",
        3 if has_var && me && random.one_in(3) => " do x := me mod 2",
        _ => "",
    };
    let guard =
        if guards.is_empty() { String::new() } else { format!(" when {}", guards.join(" and ")) };
    format!(" s{from} -> s{to} : {action}{guard}{change};")
}

/// A part of a net, and the names of the actions that it shows.
#[derive(Clone)]
struct Part {
    name: String,
    shows: Vec<&'static str>,
}

/// The actions that a text shows.
fn shows(text: &str, before: &str) -> Vec<&'static str> {
    let mut all = vec!["a", "b", "c", "d", "m"];
    all.retain(|name| {
        let [plain, data] = [" ", "("].map(|end| text.contains(&format!("{before} {name}{end}")));
        plain || data || text.contains(&format!("{before} {name};"))
    });
    all
}

/// What a part does in a vector; whatever it is with `m`, this stands in place of its data.
fn does(random: &mut Random, part: &Part, data: &str) -> String {
    match random.pick_some(&part.shows) {
        Some(&"m") => format!("{}: m({data})", part.name),
        Some(name) => format!("{}: {name}", part.name),
        None => format!("{}: a", part.name),
    }
}

/// Other vectors that go first.
fn rival(random: &mut Random, parts: &[Part]) -> String {
    if !random.one_in(4) {
        return String::new();
    }
    let (first, second) = (random.pick(parts).clone(), random.pick(parts).clone());
    let (one, two) = (does(random, &first, "_"), does(random, &second, "_"));
    match first.name == second.name || random.one_in(2) {
        true if one.contains("(_)") && random.one_in(2) => {
            format!(" unless <{}> when w > 0", one.replace("(_)", "(w)"))
        }
        true => format!(" unless <{one}>"),
        false => format!(" unless <{one}, {two}>"),
    }
}

fn vectors(random: &mut Random, parts: &[Part]) -> String {
    let mut text = String::new();
    for part in parts {
        for name in &part.shows {
            if random.percent(25) {
                continue;
            }
            let data = if *name == "m" { "(_)" } else { "" };
            let shown = *random.pick(&["a", "b", "c", "d", "tau", "m(1)"]);
            let rival = rival(random, parts);
            text += &format!("<{}: {name}{data}> -> {shown}{rival};\n", part.name);
        }
    }
    for _ in 0..random.between(0, 3) {
        let (first, second) = (random.pick(parts).clone(), random.pick(parts).clone());
        if first.name == second.name {
            continue;
        }
        let (one, two) = (does(random, &first, "v"), does(random, &second, "w"));
        let both = one.contains('(') && two.contains('(');
        let guard = match random.below(3) {
            0 if both => " when v == w",
            1 if both => " when v < w",
            _ => "",
        };
        let [one, two] = match guard {
            "" => [one.replace("(v)", "(_)"), two.replace("(w)", "(_)")],
            _ => [one, two],
        };
        let shown = *random.pick(&["a", "b", "c", "d", "tau"]);
        text += &format!("<{one}, {two}> -> {shown}{guard}{};\n", rival(random, parts));
    }
    if random.one_in(3) {
        text +=
            *random.pick(&["priority a < b;\n", "priority c < a < d;\n", "priority tau < a;\n"]);
    }
    text
}

/// A model of a kind that checks and elaborates.
pub fn accepted(random: &mut Random, make: impl Fn(&mut Random) -> String) -> String {
    loop {
        let text = make(random);
        if nets::accepted(&text).is_ok() {
            return text;
        }
    }
}

/// Components side by side, some of them in a net of their own.
pub fn loose(random: &mut Random) -> String {
    let mut text = ACTIONS.to_owned();
    let count = random.between(2, 4);
    let mut parts: Vec<Part> = Vec::new();
    for number in 0..count {
        let one = process(random, &format!("P{number}"), false);
        parts.push(Part { name: format!("p{number}"), shows: shows(&one, " :") });
        text += &one;
    }
    let subs = |from: usize, to: usize| -> String {
        (from..to).map(|number| format!("sub p{number} = P{number};\n")).collect()
    };
    if count > 2 && random.one_in(2) {
        let inner = vectors(random, &parts[..2]);
        text += &format!("net Inner {{\n{}{inner}}}\n", subs(0, 2));
        let mut outer = parts[2..].to_vec();
        outer.push(Part { name: "inner".to_owned(), shows: shows(&inner, " ->") });
        let around = vectors(random, &outer);
        let silent = if inner.contains("-> tau") { "<inner: tau> -> tau;\n" } else { "" };
        text += &format!("net N {{\nsub inner = Inner;\n{}{around}{silent}}}\n", subs(2, count));
    } else {
        let all = vectors(random, &parts);
        text += &format!("net N {{\n{}{all}}}\n", subs(0, count));
    }
    text
}

/// Components beside holes.
pub fn open(random: &mut Random) -> String {
    let mut text =
        ACTIONS.to_owned() + "interface Small { a, b, m(0..3) }\ninterface Tiny { c, d }\n";
    let mut parts: Vec<Part> = Vec::new();
    for number in 0..2 {
        let one = process(random, &format!("P{number}"), false);
        parts.push(Part { name: format!("p{number}"), shows: shows(&one, " :") });
        text += &one;
    }
    let mut holes: Vec<String> = Vec::new();
    for number in 0..random.between(1, 2) {
        let small = random.percent(60);
        let (sort, shows) =
            if small { ("Small", vec!["a", "b", "m"]) } else { ("Tiny", vec!["c", "d"]) };
        holes.push(format!("H{number}: {sort}"));
        parts.push(Part { name: format!("H{number}"), shows });
    }
    let all = vectors(random, &parts);
    text + &format!("net N({}) {{\nsub p0 = P0;\nsub p1 = P1;\n{all}}}\n", holes.join(", "))
}

/// A family whose members are alike, or nearly: they know their numbers, are filled with different things, or somebody
/// treats one in another way.
pub fn nearly_alike(random: &mut Random) -> String {
    let mut text = ACTIONS.to_owned();
    let knows = random.one_in(4);
    let one = process(random, "P", knows);
    let (shown, cells) = (shows(&one, " :"), ["a", "b", "c", "d", "m"]);
    text += &one;
    // Another one that differs in a detail.
    let other = differing(random, &text);
    let n = random.between(2, 3);
    let p = if knows { "P<i>" } else { "P" };
    match random.below(5) {
        0 | 4 => {
            text += &other;
            let (odd, pick) = (random.below(n), if knows { "<0>" } else { "" });
            let vectors = family(random, n, &shown);
            text += &format!("net F(h[i: 0..{n}]: any) {{\n{vectors}}}\n");
            let fills = (0..n)
                .map(|at| format!("h[{at}]: {}{pick}", if at == odd { "Other" } else { "P" }));
            text += &format!("net N = F({});\n", fills.collect::<Vec<_>>().join(", "));
        }
        1 => {
            let cell = cell(random, &shown);
            text += &format!(
                "net Cell<me: Int> {{ sub p = P{};\n{cell}}}\n",
                if knows { "<me>" } else { "" }
            );
            let vectors = family(random, n, &cells);
            text += &format!("net N {{ sub h[i: 0..{n}] = Cell<i>;\n{vectors}}}\n");
        }
        _ => {
            let vectors = family(random, n, &shown);
            text += &format!("net N {{ sub h[i: 0..{n}] = {p};\n{vectors}}}\n");
        }
    }
    text
}

/// The process `P` of a text as `Other`, with something changed.
fn differing(random: &mut Random, text: &str) -> String {
    let start = text.find("process P").unwrap_or(0);
    let same = text[start..].replacen("process P", "process Other", 1);
    match random.below(7) {
        0 | 6 => same.replacen(" final state", " state", 1),
        1 => same.replacen(" do x := (x + 1) mod 3", "", 1),
        2 => same.replacen(" when x < 2", "", 1),
        3 => same.replacen("-> s1 :", "-> s0 :", 1),
        4 => same.replacen(": a", ": b", 1),
        _ => same,
    }
}

/// The vectors of a net that knows its number.
fn cell(random: &mut Random, shown: &[&'static str]) -> String {
    let mut text = String::new();
    for name in shown {
        let data = if *name == "m" { "(_)" } else { "" };
        let shown = *random.pick(&["a", "b", "c", "d", "m(me mod 3)", "m(1)"]);
        let guard = *random.pick(&["", "", "", "", "", " when me == 0", " when me < 2"]);
        text += &format!("<p: {name}{data}> -> {shown}{guard};\n");
    }
    text
}

/// The vectors of a family, which mostly treat all members in the same way.
fn family(random: &mut Random, n: usize, shown: &[&'static str]) -> String {
    let mut text = String::new();
    for name in shown {
        for _ in 0..random.between(1, 2) {
            text += &repeated(random, n, shown, name);
        }
    }
    text
}

/// A vector for each member.
fn repeated(random: &mut Random, n: usize, all: &[&'static str], name: &str) -> String {
    let (by, data) = (random.below(n), name == "m");
    let part = |member: &str, var: &str| match data {
        true => format!("{member}: m({var})"),
        false => format!("{member}: {name}"),
    };
    let next = format!("h[(i + {by}) mod {n}]");
    let other = random.pick_some(all).copied().unwrap_or("a").replace('m', "m(_)");
    let show = *random.pick(&["tau", "a", "shown(i)"]);
    let rival = match random.below(10) {
        0 | 1 => format!(" unless <h[(i + 1) mod {n}]: {other}>"),
        2 => format!(" unless <h[0]: {other}>"),
        3 if all.contains(&"m") => {
            let test = *random.pick(&["w < 2", "w > i", "i == 0 and w < 3"]);
            format!(" unless <h[(i + 1) mod {n}]: m(w)> when {test}")
        }
        _ => String::new(),
    };
    let own = if random.one_in(10) { *random.pick(&[" when i == 0", " when i != 1"]) } else { "" };
    let last = format!("{rival} for i in 0..{n};\n");
    match random.below(6) {
        0 if data && by > 0 => {
            format!("<{}, {}> -> {show} when v < w{last}", part("h[i]", "v"), part(&next, "w"))
        }
        1 if data => {
            let most = *random.pick(&["2", "2", "i", "1"]);
            format!("<{}> -> {show} when v < {most}{last}", part("h[i]", "v"))
        }
        2 if by > 0 => format!("<{}, {next}: {other}> -> {show}{own}{last}", part("h[i]", "_")),
        _ => format!("<{}> -> {show}{own}{last}", part("h[i]", "_")),
    }
}
