//! Small models with all that glues parts together: definitions of connectors with families, data and clauses for single
//! interactions, ports that are shown and used above, priorities of single interactions, and guards of priorities that read
//! variables of parts. Data is finite.

use super::Random;

const HEAD: &str = "\
action say(0..3), hear(0..3), tick, one(0..3), two, three, four(0..3);
";

/// A model; its last net is the one to build.
pub fn model(random: &mut Random) -> String {
    let (speakers, listeners) = (random.between(1, 2), random.between(1, 3));
    let mut text = HEAD.to_owned();
    text += &speaker(random);
    text += &listener(random);
    text += &tell(random);
    text += &pair(random);
    text += &pass(random);
    text += "\nnet Main {\n";
    text += &format!("    sub S[j: 0..{speakers}] = Speaker<j>;\n");
    text += &format!("    sub L[i: 0..{listeners}] = Listener<i mod 3>;\n\n");
    text += &body(random, speakers, listeners);
    text + "}\n"
}

fn speaker(random: &mut Random) -> String {
    let guard = *random.pick(&["", " when v < 2", " when v != 1"]);
    let change = *random.pick(&["", " do v := (v + 1) mod 3"]);
    let more = *random.pick(&["", "    s -> t : tick;\n", "    t -> s : tick;\n"]);
    format!(
        "\nprocess Speaker<k: Int> {{\n    var v: 0..3 = k;\n    init state s;\n    state t;\n\n    \
         s -> t : say(v){guard}{change};\n    t -> s : say((v + 2) mod 3);\n{more}}}\n"
    )
}

fn listener(random: &mut Random) -> String {
    let guard = *random.pick(&["", " when x != v", " when v < 2"]);
    let change = *random.pick(&[" do v := x", " do v := (x + v) mod 3", ""]);
    let to = *random.pick(&["s", "t"]);
    let back = *random.pick(&["tick", "hear(?y)"]);
    format!(
        "\nprocess Listener<k: Int> {{\n    var v: 0..3 = k;\n    init state s;\n    state t;\n\n    \
         s -> {to} : hear(?x){guard}{change};\n    s -> t : tick;\n    t -> s : {back} do v := 0;\n}}\n"
    )
}

/// A sender and a family, with clauses for all interactions, and perhaps for one of them.
fn tell(random: &mut Random) -> String {
    let receiver = *random.pick(&["r[i]'", "r[i]"]);
    let joined = match random.below(3) {
        0 => format!("s' [{receiver} for i in 0..n]'"),
        1 => format!("s [{receiver} for i in 0..n]"),
        _ => format!("s' [{receiver} for i in 0..n]"),
    };
    // Where others can begin, the sender may not be there.
    let (value, guard) = match joined.ends_with('\'') {
        true => ("i mod 2", ""),
        false => (
            *random.pick(&["s.x", "(s.x + i) mod 3", "i mod 2"]),
            *random.pick(&["", " when s.x < 2", " when s.x != 0"]),
        ),
    };
    let mut text =
        "\nconnector Tell<n: Int>(s: port(x: Int), r[i: 0..n]: port(y: Int)) {\n".to_owned();
    text += &format!("    {joined}{guard} down [r[i].y := {value} for i in 0..n];\n");
    if receiver == "r[i]'" && random.percent(50) {
        let guard = *random.pick(&["", " when s.x > 0"]);
        text += &format!("    on s r[0]{guard} down r[0].y := {};\n", random.below(3));
    }
    text + "}\n"
}

/// Two ports, and one above.
fn pair(random: &mut Random) -> String {
    let (joined, both) = *random.pick(&[("p q", true), ("p' q", true), ("p' q'", false)]);
    let up = if both { *random.pick(&["p.x", "(p.x + 1) mod 3"]) } else { "1" };
    let guard = if both { *random.pick(&["", " when p.x != 1"]) } else { "" };
    let down = *random.pick(&["top.m", "2 - top.m", "1"]);
    let mut text =
        "\nconnector Pair(p: port(x: Int), q: port(y: Int)) shows top(m: Int) {\n".to_owned();
    text += &format!("    {joined}{guard} up top.m := {up} down q.y := {down};\n");
    if joined != "p q" && random.percent(40) {
        text += "    on p up top.m := 2 - p.x;\n";
    }
    text + "}\n"
}

/// A definition over a sort, of which one interaction may be left out.
fn pass(random: &mut Random) -> String {
    let joined = *random.pick(&["a b", "a' b", "a' b'"]);
    let down = if joined == "a' b'" { "" } else { " down b.y := a.x" };
    let mut text = "\nconnector Pass<T: sort>(a: port(x: T), b: port(y: T)) {\n".to_owned();
    text += &format!("    {joined}{down};\n");
    if joined != "a b" && random.percent(50) {
        text += "    on a when false;\n";
    }
    text + "}\n"
}

fn body(random: &mut Random, speakers: usize, listeners: usize) -> String {
    let mut text = String::new();
    let shown = *random.pick(&["two", "one(1)"]);
    text += &format!(
        "    connect {shown} : Tell<{listeners}>(S[j].say, [L[i].hear for i in 0..{listeners}]) for j in 0..{speakers};\n"
    );
    let nested = random.percent(60);
    if nested {
        // The one below joins two parts, the one above what that shows and somebody else.
        text += "    connect low : Pair(S[0].say, L[0].hear);\n";
        let other = if listeners > 1 { "L[1].hear" } else { "L[0].tick" };
        match other {
            "L[1].hear" => text += &format!("    connect three : Pair(low.top, {other});\n"),
            _ => text = text.replace("    connect low : ", "    connect three : "),
        }
    }
    if random.percent(60) {
        let shown = *random.pick(&["four(1)", "four(2)"]);
        let sort = *random.pick(&["", "<Int>", "<_>"]);
        let (j, i) = (random.below(speakers), random.below(listeners));
        text += &format!("    connect {shown} : Pass{sort}(S[{j}].say, L[{i}].hear);\n");
        if random.percent(50) {
            text += &format!("    priority four < {};\n", shown_name(random, nested));
        }
    }
    text += &format!("    <L[i]: tick> -> tick for i in 0..{listeners};\n");
    if random.percent(50) {
        text += &format!("    <S[j]: tick> -> tick for j in 0..{speakers};\n");
    }
    text += &priorities(random, shown, nested, speakers, listeners);
    text
}

/// What a definition over a sort may give way to.
fn shown_name(random: &mut Random, nested: bool) -> &'static str {
    let all: &[&str] = if nested { &["tick", "three"] } else { &["tick"] };
    all[random.below(all.len())]
}

/// What goes before what: never in a circle, since each is above those before it.
fn priorities(
    random: &mut Random,
    shown: &str,
    nested: bool,
    speakers: usize,
    listeners: usize,
) -> String {
    let name = shown.split('(').next().unwrap_or(shown);
    let mut text = String::new();
    let guards = ["", " when L[0].v > 0", " when S[0].v != 1", " when L[0].v == S[0].v"];
    if random.percent(40) {
        text += &format!("    priority {name} < tick{};\n", random.pick(&guards));
    }
    if nested && random.percent(40) {
        text += &format!("    priority three < {name}{};\n", random.pick(&guards));
    }
    if listeners > 1 && random.percent(30) {
        // Single interactions, where there are these.
        let guard = random.pick(&guards);
        text += &format!(
            "    priority {name}[S[j].say L[0].hear] < {name}[S[j].say L[1].hear]{guard} for j in 0..{speakers};\n"
        );
    }
    if random.percent(40) {
        text += "    priority maximal;\n";
    }
    text
}
