//! `check holds(S, f)`: what formulas come to in the whole, from the text of a model to the verdict, the run that shows why, and
//! the messages about mistakes; and random formulas of random nets against sets that are computed as they are defined.

use std::path::Path;
use std::process::Command;

use pnetc::base::Dice;

use crate::common::seeds::{fuzz, seeds};

struct Done {
    status: i32,
    out: String,
    err: String,
}

fn pnet(name: &str, model: &str, command: &str, args: &[&str]) -> Done {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("holds").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("model.pnet"), model).unwrap();
    let mut process = Command::new(env!("CARGO_BIN_EXE_pnet"));
    let process = process.arg(command).arg("model.pnet").args(args).current_dir(&folder);
    let done = process.output().unwrap();
    Done {
        status: done.status.code().expect("it was killed"),
        out: String::from_utf8(done.stdout).unwrap(),
        err: String::from_utf8(done.stderr).unwrap(),
    }
}

const MODEL: &str = "\
action a, b, c, put(Int);

process P {
    var n: 0..3 = 0;
    init state s;
    state t, u;

    s -> t : a;
    t -> u : b;
    u -> s : c do n := (n + 1) mod 3;
    t -> s : c;
    u -> u : put(n);
}

net Open(H: any) {
    sub Q = P;

    <Q: a,      H: a> -> a;
    step beside: <Q: b> -> b;
    <Q: c>            -> c;
    <Q: put(x)>       -> put(x);
}
";

/// The verdicts on some formulas, each of a net.
fn verdicts(name: &str, asked: &[(&str, &str)]) -> Vec<String> {
    let checks = asked.iter().map(|(net, formula)| format!("check holds({net}, {formula};\n"));
    let model = format!("{MODEL}\n{}", checks.collect::<String>());
    let done = pnet(name, &model, "verify", &["--color", "never"]);
    assert!(done.status == 0 || done.status == 1, "{}{}", done.out, done.err);
    let told = done.out.lines().filter(|line| line.contains("check holds("));
    told.map(|line| line.split_whitespace().next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn formulas_have_their_meanings() {
    let asked: &[(&str, &str, bool)] = &[
        ("P", "A[not b W a])", true),
        ("P", "A[not a W b])", false),
        ("P", "AG (n < 3))", true),
        ("P", "AG (n < 2))", false),
        ("P", "EF n == 2)", true),
        ("P", "E[n == 0 U <put(0)> true])", true),
        ("P", "G F a)", false),
        ("P", "G F a) fair { c }", true),
        ("P", "G F b) fair { b, c }", true),
        ("P", "G F b) weakly fair { b, c }", false),
        ("P", "AG (after b => AF c))", false),
        ("P", "AG (after b => AF (c or put(_))))", true),
        ("P", "AG (after put(x) => x < 3))", true),
        ("P", "AG [put(x) and x > 1] false)", false),
        ("P", "AG [put(x)] <put(x)> true)", true),
        ("P", "forall i: 0..3 . EF <put(i)> true)", true),
        ("P", "exists i: 0..5 . AG [put(i)] false)", true),
        ("P", "nu X . <any> true and [any] X)", true),
        ("P", "mu X . [any] X)", false),
        ("P", "nu X(k: Int = 0) . k < 9 and [c] X((k + 1) mod 3) and [not c] X(k))", true),
        ("P", "AG (P in s => AX P in t))", true),
        ("P", "AG (P in t => AX P in u))", false),
        ("P", "precedes(a, put(_)))", true),
        ("P", "responds(a, b or c))", true),
        ("P", "never(put(3)))", true),
        ("P", "if n == 0 then EF put(2) else AG put(7))", true),
        // What needs a hole need not happen.
        ("Open", "eventually(a))", false),
        ("Open", "AG (after a => AF (b or c)))", true),
        ("Open", "AG (after H: a => Q in t))", true),
        ("Open", "EF put(2))", true),
        ("Open", "AG [beside] Q in u)", true),
        ("Open", "AG [not beside] not Q in u)", false),
        ("Open", "A[not beside W H: a])", true),
    ];
    let texts: Vec<(&str, &str)> = asked.iter().map(|(net, text, _)| (*net, *text)).collect();
    let found = verdicts("meanings", &texts);
    assert_eq!(found.len(), asked.len());
    for ((net, text, holds), verdict) in asked.iter().zip(found) {
        let expected = if *holds { "proved" } else { "refuted" };
        assert_eq!(verdict, expected, "holds({net}, {text}");
    }
}

#[test]
fn runs_that_refute_are_shown_and_replayed() {
    let model = format!(
        "{MODEL}\ncheck holds(P, G F b);\ncheck holds(P, responds(a, b));\ncheck holds(Open, eventually(a));\n"
    );
    let done = pnet("runs", &model, "verify", &["--color", "never", "--traces", "runs"]);
    assert_eq!(done.status, 1, "{}", done.err);
    for part in [
        "a run does otherwise, after one step and then round for ever in 2 steps",
        "after 3 steps, it is where it was after 1 step, and can go round for ever",
        "all that is possible needs a hole, which may refuse for ever",
    ] {
        assert!(done.out.contains(part), "{part:?} is missing in\n{}", done.out);
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("holds/runs");
    let runs = std::fs::read_dir(folder.join("runs")).unwrap();
    let mut replayed = 0;
    for run in runs.map(|entry| entry.unwrap().path()) {
        let name = run.to_string_lossy().into_owned();
        if name.ends_with(".json") && !name.ends_with(".itf.json") {
            let mut again = Command::new(env!("CARGO_BIN_EXE_pnet"));
            let again = again.arg("replay").arg(&run).arg("model.pnet").current_dir(&folder);
            let done = again.output().unwrap();
            let told = String::from_utf8_lossy(&done.stderr).into_owned();
            assert!(done.status.success(), "{}: {told}", run.display());
            replayed += 1;
        }
    }
    assert_eq!(replayed, 3);
}

#[test]
fn mistakes_in_formulas_are_told() {
    let asked: &[(&str, &str, &str)] = &[
        ("AG aa", "N0203", "aa"),
        ("AG [F a] true", "T0191", "F a"),
        ("nu X . not X", "T0192", "X"),
        ("a U b and c", "P0001", "and"),
        ("A[a W]", "P0001", "W"),
        ("[] a", "P0001", "]"),
        ("<> a", "P0001", ">"),
        ("<a> t", "N0215", "t"),
        ("AG (n == a)", "T0125", "a"),
        ("forall i . EF <put(i)> true", "T0191", "i"),
        ("H: a", "N0209", "H"),
        ("put", "N0204", "put"),
        ("always(n < 3, n < 2)", "T0102", "always(n < 3, n < 2)"),
        ("respond(a, b)", "N0203", "respond"),
        ("never(put(i) and n == i)", "T0191", "n == i"),
        ("[put(i) and P in s] true", "T0191", "P in s"),
        ("nu X(k: Int = 0) . X", "T0102", "X"),
    ];
    for (number, (formula, code, place)) in asked.iter().enumerate() {
        let model = format!("{MODEL}\ncheck holds(P, {formula});\n");
        let done = pnet(&format!("mistake{number}"), &model, "check", &["--format", "json"]);
        assert_eq!(done.status, 2, "{formula}: {}{}", done.out, done.err);
        let first = done.out.lines().next().unwrap_or_default();
        let told: serde_json::Value = serde_json::from_str(first).unwrap();
        assert_eq!(told["code"], *code, "{formula}: {first}");
        let at = |end: &str| told["span"][end]["byte"].as_u64().unwrap() as usize;
        assert_eq!(&model[at("start")..at("end")], *place, "{formula}");
    }
}

// ---- random formulas ----

/// A random formula over the model above; `depth` bounds it.
fn formula(dice: &mut Dice, depth: usize) -> String {
    let atom = |dice: &mut Dice| {
        let all = ["P in s", "P in t", "n == 1", "n < 2", "true", "P in u"];
        all[dice.below(all.len())].to_owned()
    };
    if depth == 0 {
        return atom(dice);
    }
    let step = |dice: &mut Dice| {
        let all =
            ["a", "b", "c", "put(_)", "put(1)", "any", "not a", "b or c", "not (put(0) or b)"];
        all[dice.below(all.len())].to_owned()
    };
    let one = formula(dice, depth - 1);
    let other = formula(dice, depth - 1);
    match dice.below(12) {
        0 => format!("not ({one})"),
        1 => format!("(({one}) and ({other}))"),
        2 => format!("(({one}) or ({other}))"),
        3 => format!("(({one}) => ({other}))"),
        4 => format!("[{}] ({one})", step(dice)),
        5 => format!("<{}> ({one})", step(dice)),
        6 => format!("{}{} ({one})", ["A", "E"][dice.below(2)], ["G", "F", "X"][dice.below(3)]),
        7 => format!(
            "{}[({one}) {} ({other})]",
            ["A", "E"][dice.below(2)],
            ["U", "W"][dice.below(2)]
        ),
        8 => format!("A[{} {} ({other})]", step_operand(&step(dice)), ["U", "W"][dice.below(2)]),
        9 => format!("E[({one}) U {}]", step_operand(&step(dice))),
        10 => format!("nu X . ({one}) and [{}] X", step(dice)),
        _ => format!("mu X . ({one}) or <{}> X", step(dice)),
    }
}

fn step_operand(step: &str) -> String {
    format!("({step})")
}

/// Says the same in two ways.
type TwoWays = fn(&str, &str) -> (String, String);

#[test]
fn laws_hold_of_random_formulas() {
    // Each pair says the same in two ways.
    let pairs: &[TwoWays] = &[
        |f, _| (format!("AG ({f})"), format!("not EF not ({f})")),
        |f, _| (format!("AF ({f})"), format!("not EG not ({f})")),
        |f, g| {
            (format!("A[({f}) W ({g})]"), format!("not E[not ({g}) U (not ({f}) and not ({g}))]"))
        },
        |f, _| (format!("[a] ({f})"), format!("not <a> not ({f})")),
        |f, _| (format!("AG ({f})"), format!("nu X . ({f}) and [any] X")),
        |f, g| (format!("E[({f}) U ({g})]"), format!("mu X . ({g}) or ({f}) and <any> X")),
        |f, g| (format!("A[G (({f}) => F ({g}))]"), format!("AG (({f}) => AF ({g}))")),
        |f, _| (format!("A[G F ({f})]"), format!("AG AF ({f})")),
    ];
    let mut both = [0_usize; 2];
    for seed in seeds(fuzz().unwrap_or(40)) {
        let dice = &mut Dice::new(seed);
        let mut texts = Vec::new();
        for pair in pairs {
            let depth = 1 + dice.below(2);
            let (one, other) = (formula(dice, depth), formula(dice, depth - 1));
            let (first, second) = pair(&one, &other);
            texts.extend([first, second]);
        }
        let asked: Vec<(&str, String)> =
            texts.iter().map(|text| ("P", format!("{text})"))).collect();
        let asked: Vec<(&str, &str)> =
            asked.iter().map(|(net, text)| (*net, text.as_str())).collect();
        let found = verdicts(&format!("laws{seed}"), &asked);
        assert_eq!(found.len(), texts.len(), "seed {seed}");
        for (pair, verdicts) in texts.chunks(2).zip(found.chunks(2)) {
            assert_eq!(verdicts[0], verdicts[1], "seed {seed}: {pair:?}");
            both[usize::from(verdicts[0] == "proved")] += 1;
        }
    }
    assert!(fuzz().is_some() || both.iter().all(|&count| count > 20), "{both:?}");
}
