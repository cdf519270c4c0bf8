//! Nothing is endless: models that are slow in one stage each end when the time is up, on Ctrl-C, and when memory runs
//! out; and what is said then is nothing that was not established.
use std::fmt::Write;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::common::nets::{self, Shape};
use crate::common::sources;
use crate::common::{Random, models};
use pnetc::base::{Budget, Spent};
use pnetc::elaborate;
use pnetc::generate::Watch;
use pnetc::model::{BuildFailure, Checked};
use pnetc::outcome::Verdict;
use pnetc::pnet::PNet;
use pnetc::verify::{self, ModelOptions};

/// What is asked for is two seconds; machines that run tests are busy.
const MARGIN: Duration = Duration::from_secs(10);

/// A model that is slow in one stage, with what to say to `pnet` before its file.
struct Slow {
    name: &'static str,
    command: &'static [&'static str],
    after: &'static [&'static str],
    model: String,
}

/// One trigger and many synchrons that count, where the most take part.
fn maximal(synchrons: usize) -> String {
    let mut model = "action p, q, bc;\n\
         process T { init state s; s -> s : p; }\n\
         process S<k: Int> { var c: Int = 0; init state s; state t;\n\
         s -> t : q when c < k do c := c + 1;\n\
         t -> s : q when c < k + 3 do c := c + 2; }\n\
         net N {\n    sub t = T;\n"
        .to_owned();
    for i in 0..synchrons {
        let _ = writeln!(model, "    sub s{i} = S<{}>;", i + 3);
    }
    let all: Vec<String> = (0..synchrons).map(|i| format!("s{i}.q")).collect();
    let _ = writeln!(model, "    connect bc : t.p' {};\n    priority maximal;\n}}", all.join(" "));
    model + "check size(N) == (1, 1);\n"
}

/// Many parts that do what they want, with data.
fn many(parts: usize) -> String {
    format!(
        "action a(Int);\n\
         process P {{ var c: Int = 0; init state s0; state s1; state s2;\n\
         s0 -> s1 : a(?x) when x > c do c := x;\n\
         s1 -> s2 : a(?x) when x > c do c := x;\n\
         s2 -> s0 : a(c); }}\n\
         net N {{ sub P[i: 0..{parts}] = P; <P[i]: a(x)> -> a(x) for i in 0..{parts}; }}\n\
         check size(N) == (1, 1);\n"
    )
}

/// Comparisons of many sums, from which variables are to be taken one by one.
fn bounds(count: usize) -> String {
    let inputs: Vec<String> = (0..count).map(|i| format!("?x{i}")).collect();
    let of = |i: usize, by: usize, more: usize| format!("x{}", (i * by + more) % count);
    let mut sums = Vec::new();
    for i in 0..count {
        let sum = (of(i, 7, 1), of(i, 5, 2), of(i, 3, 4));
        sums.push(format!("x{i} + {} <= {} + {} + v + {i}", sum.0, sum.1, sum.2));
        sums.push(format!("{} + v <= x{i} + {}", of(i, 1, 3), of(i, 1, 5)));
    }
    let process = |name: &str| {
        format!(
            "process {name} {{ var v: Int = 0; init state s; s -> s : e({}) when {} do v := v + 1; }}\n",
            inputs.join(", "),
            sums.join(" and ")
        )
    };
    let sorts = vec!["Int"; count].join(", ");
    format!("action e({sorts});\n{}{}check refines(P, Q);\n", process("P"), process("Q"))
}

/// Many vectors, each of which gives way to another: which of them do so in a circle is looked for when it is read.
fn rivals(count: usize) -> String {
    let mut model = "action a(Int), b;\nprocess P { init state s; s -> s : a(?x); }\n\
         net N {\n    sub P = P;\n"
        .to_owned();
    for i in 0..count {
        let _ = writeln!(model, "    <P: a({i})> -> b unless <P: a({})>;", i + 1);
    }
    model + "}\ncheck size(N) == (1, 1);\n"
}

/// A process of many states.
fn long(states: usize) -> String {
    let mut model = "action a(Int);\nprocess P {\n    init state s0;\n".to_owned();
    for i in 1..states {
        let _ = writeln!(model, "    state s{i};");
    }
    for i in 0..states {
        let _ = writeln!(model, " s{i} -> s{} : a({i});", (i + 1) % states);
    }
    model + "}\n"
}

/// A connector with very many interactions, each of which gives way to larger ones.
fn connector(ports: usize) -> String {
    let mut model = "action p, q, bc;\nprocess T { init state s; s -> s : p; }\n\
         process S { init state s; s -> s : q; }\nnet N {\n    sub t = T;\n"
        .to_owned();
    for i in 0..ports {
        let _ = writeln!(model, "    sub s{i} = S;");
    }
    let all: Vec<String> = (0..ports).map(|i| format!("s{i}.q")).collect();
    let _ = writeln!(model, "    connect bc : t.p' {};\n    priority maximal;\n}}", all.join(" "));
    model + "check size(N) == (1, 1);\n"
}

/// A family, and vectors for its members, of so many indices each.
fn family(members: usize, repeated: &str) -> String {
    format!(
        "action a(Int);\nprocess P {{ init state s; s -> s : a(?x); }}\n\
         net N {{ sub P[i: 0..{members}] = P; <P[i]: a(x)> -> a(x) for i in 0..{members}{repeated}; }}\n\
         check size(N) == (1, 1);\n"
    )
}

/// Functions that call each other, and end.
fn functions(count: usize) -> String {
    let mut model = String::new();
    for i in 0..count {
        let (first, second) = ((i + 1) % count, (i * 7 + 3) % count);
        let _ = writeln!(
            model,
            "fun f{i}(n: Int, m: Int): Int = if n <= 0 then m else f{first}(n - 1, m) + f{second}(n - 2, m + 1);"
        );
    }
    model + "process P { init state s; s -> s : tau; }\ncheck size(P) == (1, 1);\n"
}

/// Functions each of which calls the next.
fn chain(count: usize) -> String {
    let mut model = format!("fun f{count}(n: Int): Int = n;\n");
    for i in 0..count {
        let _ = writeln!(model, "fun f{i}(n: Int): Int = f{}(n) + 1;", i + 1);
    }
    model + "process P { init state s; s -> s : tau; }\n"
}

fn slow() -> Vec<Slow> {
    let verify = &["verify"];
    let patient = &["--solver-timeout", "1000"];
    let cubes = "action e(Int, Int, Int);\n\
         process P { init state s; s -> s : e(?x, ?y, ?z)\n\
         when x > 1 and y > 1 and z > 1 and x * x * x + y * y * y == z * z * z; }\n\
         check size(P) == (1, 1);\n";
    let unfolded = "fun f(n: Int): Int = if n <= 0 then 0 else f(n - 1) + f(n - 2) mod 7;\n\
         action e(Int);\n\
         process P { init state s; s -> s : e(?x) when x > 40 and f(x) == 123456; }\n\
         check size(P) == (1, 1);\n";
    let filled = "action a(Int), b(Int);\n\
         process P { var c: Int = 0; init state s0; state s1; state s2;\n\
         s0 -> s1 : a(?x) when x > c do c := x;\n\
         s1 -> s2 : a(?x) when x > c do c := x;\n\
         s2 -> s0 : b(c); }\n\
         net Pair(A: any, B: any) { <A: ?x> -> x; <B: ?x> -> x; }\n\
         net Four(A: any, B: any, C: any, D: any) { sub L = Pair(A: A, B: B); sub R = Pair(A: C, B: D); \
         <L: ?x> -> x; <R: ?x> -> x; }\n\
         net Eight(A: any, B: any) { sub L = Pair(A: A, B: P); sub R = Pair(A: B, B: P); <L: ?x> -> x; <R: ?x> -> x; }\n\
         check nonblocking(Pair(A: Pair(A: Pair(A: Eight(P, P), B: P), B: Pair(A: P, B: P)), \
         B: Pair(A: Pair(A: P, B: P), B: Pair(A: P, B: P))));\n";
    let cells = "import std.buffers;\ncheck weakly_bisimilar(FifoCells<9>, Fifo<9>);\n";
    let family = "action a(Int), b;\n\
         process P { init state s; s -> s : a(?x); }\n\
         net N { sub P[i: 0..3000] = P; <P[i]: a(x), P[(i + j + 1) mod 3000]: a(x)> -> a(x) \
         for i in 0..3000, j in 0..2900; }\n\
         check size(N) == (1, 1);\n";
    let one =
        |name, command, after, model: &str| Slow { name, command, after, model: model.into() };
    vec![
        one("priority maximal", verify, &[], &maximal(9)),
        one("naive generation", verify, &["--algorithm", "naive"], &many(14)),
        one("generation", &["build", "--emit", "stats"], &[], &many(14)),
        one("composition", verify, &[], filled),
        one("weak saturation", verify, &[], cells),
        one("sums", verify, &[], &bounds(24)),
        one("nonlinear numbers", verify, patient, cubes),
        one("unfolding", verify, patient, unfolded),
        one("elaboration", verify, &["--most-instances", "100000000"], family),
        one("instances", verify, &["--most-instances", "100000000"], &self::family(2_000_000, "")),
        one("connectors", verify, &[], &connector(12)),
        one("reading", verify, &[], &rivals(12_000)),
        one("reading to build", &["build", "--emit", "pnet"], &[], &rivals(12_000)),
    ]
}

/// The same for commands that have no limit of time.
fn slow_without_limit() -> Vec<Slow> {
    let one = |name, command, model| Slow { name, command, after: &[], model };
    vec![one("check", &["check"], rivals(12_000)), one("fmt", &["fmt", "--check"], long(400_000))]
}

/// Starts `pnet`, and interrupts it after half a second if that is wanted. Says what it wrote and how long it took.
fn run(slow: &Slow, more: &[&str], interrupt: bool) -> (Output, Duration) {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let name: String = slow.name.chars().map(|c| if c == ' ' { '_' } else { c }).collect();
    let path = folder.join(format!("slow_{name}_{}.pnet", more.concat()));
    std::fs::write(&path, &slow.model).unwrap();
    let started = Instant::now();
    let child = Command::new(env!("CARGO_BIN_EXE_pnet"))
        .args(slow.command)
        .arg(&path)
        .args(slow.after)
        .args(more)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let id = child.id().to_string();
    let waiting = std::thread::spawn(move || child.wait_with_output().unwrap());
    if interrupt {
        std::thread::sleep(Duration::from_millis(500));
        Command::new("kill").args(["-INT", &id]).status().unwrap();
    }
    while !waiting.is_finished() {
        if started.elapsed() > MARGIN + Duration::from_secs(5) {
            Command::new("kill").args(["-KILL", &id]).status().unwrap();
            panic!("{}: it did not end", slow.name);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    (waiting.join().unwrap(), started.elapsed())
}

/// That nothing is said but that it is not known, and why.
fn assert_unknown(slow: &Slow, (output, took): &(Output, Duration), why: &str) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let said = text(&output.stdout) + &text(&output.stderr);
    println!("{}: {took:?}", slow.name);
    assert!(*took < Duration::from_secs(1) + MARGIN, "{}: {took:?}\n{said}", slow.name);
    let decided = ["proved ", "refuted ", "1 proved", "1 refuted"];
    assert!(!decided.iter().any(|word| said.contains(word)), "{}: {said}", slow.name);
    assert_eq!(output.status.code(), Some(3), "{}: {said}", slow.name);
    assert!(said.contains(why), "{}: {said}", slow.name);
}

#[test]
fn every_stage_ends_when_the_time_is_up() {
    for slow in slow() {
        let found = run(&slow, &["--timeout", "0.5"], false);
        assert_unknown(&slow, &found, "the time was up after 0.5 s");
    }
}

#[test]
fn every_stage_ends_on_ctrl_c() {
    for slow in slow().into_iter().chain(slow_without_limit()) {
        let found = run(&slow, &[], true);
        assert_unknown(&slow, &found, "stopped");
    }
}

#[test]
fn recheck_ends_on_ctrl_c_and_confirms_nothing() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("slow_certificate");
    let small = folder.with_extension("pnet");
    std::fs::write(&small, "process P { init state s; s -> s : tau; }\ncheck bisimilar(P, P);\n")
        .unwrap();
    let made = Command::new(env!("CARGO_BIN_EXE_pnet"))
        .args(["verify", "--certificate"])
        .args([&folder, &small])
        .output()
        .unwrap();
    assert_eq!(made.status.code(), Some(0), "{made:?}");
    let command = ["recheck", folder.to_str().unwrap()].map(|word| &*word.to_owned().leak());
    let command = &*command.to_vec().leak();
    let slow = Slow { name: "recheck", command, after: &[], model: rivals(12_000) };
    assert_unknown(&slow, &run(&slow, &[], true), "stopped");
    assert_unknown(
        &slow,
        &run(&slow, &["--model-timeout", "1"], false),
        "was not checked to its end: the time was up after 1 s",
    );
}

#[test]
fn memory_has_a_limit() {
    let slow =
        Slow { name: "memory", command: &["verify"], after: &["--jobs", "1"], model: many(14) };
    if std::path::Path::new("/proc/self/status").exists() {
        let found = run(&slow, &["--memory", "60M"], false);
        assert_unknown(&slow, &found, "memory ran out:");
    }
}

#[test]
fn a_circle_of_equations_ends() {
    let model = "action e(Int, Int);\n\
         process P { init state s; s -> s : e(?x, ?y) when x + 1 == 2 * y and y + 1 == 2 * x; }\n\
         check size(P) == (1, 1);\n";
    let slow = Slow { name: "circle", command: &["verify"], after: &[], model: model.to_owned() };
    let (output, _) = run(&slow, &["--timeout", "5"], false);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

// ---- every stage looks ----

/// Builds the last net of a model with so much work.
fn built(model: &str, work: u64) -> (Budget, Result<Arc<PNet>, BuildFailure>) {
    let checked = sources::check_all(model);
    let budget = Budget::of_work(work);
    let _here = budget.enter();
    let options = elaborate::ElaborateOptions { most_instances: usize::MAX, ..Default::default() };
    // Connectors with many interactions are only made interaction by interaction for those who ask for it.
    let options = options.unfolding();
    let built = checked.build(None, &options);
    (budget, built)
}

#[test]
fn elaboration_looks_at_the_budget_and_reports_nothing_when_it_is_spent() {
    let models = [
        ("a family", family(1_000_000, "")),
        ("repeated vectors", family(2, ", j in 0..1000000")),
        ("vectors of repeated indices", family(2, ", j in 0..1000, k in 0..1000, l in 0..1000")),
        ("interactions", connector(11)),
        ("too many interactions", connector(60)),
        ("functions", chain(600)),
    ];
    for (name, model) in models {
        let started = Instant::now();
        let (budget, built) = built(&model, 500);
        assert!(budget.spent().is_some(), "{name}");
        assert!(
            matches!(&built, Err(BuildFailure::Problems(problems)) if problems.is_empty()),
            "{name}: {built:?}"
        );
        assert!(started.elapsed() < MARGIN, "{name}: {:?}", started.elapsed());
    }
}

#[test]
fn reading_looks_at_the_budget_and_reports_nothing_when_it_is_spent() {
    let wrong = "process P { init state s; s -> s : unknown; }\n";
    for model in [rivals(3_000), long(20_000), functions(200), wrong.repeat(500)] {
        let budget = Budget::of_work(400);
        let checked = {
            let _here = budget.enter();
            sources::check_all(model.as_str())
        };
        assert!(checked.stopped.is_some() && checked.stopped == budget.spent());
        assert!(checked.has_errors(), "nothing may be built on it");
        assert!(checked.diagnostics.is_empty(), "{:?}", checked.diagnostics);
        assert!(matches!(checked.build(None, &Default::default()), Err(BuildFailure::Errors)));
    }
}

/// Reads and builds a model with less work than that takes: it comes out as it does with any work, or not at all.
fn read_anywhere(text: &str, random: &mut Random) -> usize {
    let said = |checked: &Checked| -> Vec<String> {
        checked.diagnostics.iter().map(|one| format!("{one:?}")).collect()
    };
    let whole = |budget: &Budget| {
        let _here = budget.enter();
        let checked = sources::check_all(text);
        let built = checked.build(None, &Default::default());
        (said(&checked), built.map(|net| pnetc::emit::text(&net)))
    };
    let all = Budget::default();
    let expected = whole(&all);
    let mut stopped = 0;
    for _ in 0..6 {
        let some = Budget::of_work(random.below(all.looks() as usize + 2) as u64);
        let (said, built) = whole(&some);
        if some.spent().is_none() {
            assert_eq!(format!("{:?}", (said, built)), format!("{expected:?}"), "{text}");
            continue;
        }
        stopped += 1;
        assert!(said.is_empty() || said == expected.0, "{said:?}\n{text}");
        match built {
            Err(BuildFailure::Problems(problems)) => {
                assert!(problems.is_empty() || expected.1.is_err(), "{problems:?}\n{text}");
            }
            Err(BuildFailure::Errors) => assert!(said.is_empty() || !expected.0.is_empty()),
            Err(other) => assert!(expected.1.is_err(), "{other:?}\n{text}"),
            Ok(net) => assert_eq!(Some(net), expected.1.as_ref().ok().cloned(), "{text}"),
        }
    }
    stopped
}

#[test]
fn what_is_read_and_built_with_too_little_work_makes_no_errors() {
    let mut random = Random::new(3);
    let small = models().into_iter().filter(|(_, text)| text.len() < 3000);
    let stopped: usize = small.map(|(_, text)| read_anywhere(&text, &mut random)).sum();
    println!("{stopped} were stopped");
    assert!(stopped > 50, "{stopped}");
}

// ---- stopped anywhere ----

/// A budget of so much work.
struct Work(Budget);

impl Watch for Work {
    fn progress(&self, _states: usize, _transitions: usize, _queries: usize) {}

    fn budget(&self) -> Budget {
        self.0.clone()
    }
}

/// Runs the checks of a model with less work than they need: each comes out as it does with any work, or unknown.
fn stopped_anywhere(text: &str, random: &mut Random) -> usize {
    let checked = sources::check_all(text);
    assert!(!checked.has_errors());
    let mut compared = 0;
    for check in checked.checks() {
        let all = Work(Budget::default());
        let options = ModelOptions::default();
        let expected = verify::run(&checked.anew(), check, &options, &all).unwrap().verdict;
        let needed = all.0.looks();
        for _ in 0..3 {
            let some = Work(Budget::of_work(random.below(needed as usize + 2) as u64));
            let found = verify::run(&checked.anew(), check, &options, &some).unwrap().verdict;
            match (some.0.spent(), &found) {
                (None, found) => assert_eq!(*found, expected, "{text}"),
                (Some(Spent::Work { .. }), Verdict::Unknown) => compared += 1,
                (spent, found) => panic!("{spent:?}, and yet {found:?}: {text}"),
            }
        }
    }
    compared
}

#[test]
fn what_is_stopped_anywhere_says_nothing_that_was_not_established() {
    let mut compared = 0;
    let mut random = Random::new(1);
    for (path, text) in models() {
        if path.contains("examples")
            && text.contains("check ")
            && text.len() < 3000
            && !text.contains("import")
            && !text.contains("lts \"")
            // One of them is as good as all.
            && (!path.contains("any_size") || path.contains("star"))
        {
            compared += stopped_anywhere(&text, &mut random);
        }
    }
    for seed in 0..6 {
        let shape = Shape { depth: 1, ..Shape::closed() };
        let text = nets::model(&mut Random::new(seed), shape);
        let net = nets::accepted(&text).unwrap();
        let text = format!("{text}\ncheck bisimilar({0}, {0});\n", net.name);
        compared += stopped_anywhere(&text, &mut random);
    }
    println!("{compared} were stopped");
    assert!(compared > 20, "{compared}");
}
