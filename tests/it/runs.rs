//! `pnet run`, `pnet step` and `pnet replay`, from outside. `tests/runs/NAME.out` is what a command says, and
//! `tests/runs/NAME.svg` the chart of a run; `PNET_BLESS=1 cargo test runs::` writes them anew.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::pictures_support::xml;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder for the files of a test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("runs").join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// What a command did: its status, what it wrote and what it said.
fn pnet_with(args: &[&str], input: &str) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pnet"));
    command.args(args).current_dir(root());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = command.spawn().unwrap();
    let _ = running.stdin.take().unwrap().write_all(input.as_bytes());
    let done = running.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (done.status.code().expect("it was killed"), text(done.stdout), text(done.stderr))
}

fn pnet(args: &[&str]) -> (i32, String, String) {
    pnet_with(args, "")
}

/// Compares with a file in `tests/runs`.
#[track_caller]
fn golden(name: &str, found: &str) {
    let path = root().join("tests/runs").join(name);
    if std::env::var_os("PNET_BLESS").is_some() {
        std::fs::write(&path, found).unwrap();
    }
    assert_eq!(found, std::fs::read_to_string(&path).unwrap_or_default(), "{name}");
}

/// Compares all that a command does.
#[track_caller]
fn says(name: &str, args: &[&str], input: &str) {
    let (status, out, err) = pnet_with(args, input);
    golden(&format!("{name}.out"), &format!("{out}--- said\n{err}--- status {status}\n"));
}

const LINE: &str = "tests/runs/line.pnet";
const TABLE: &str = "tests/runs/table.pnet";
const SHOP: &str = "tests/runs/shop.pnet";

// ---- on a terminal ----

#[test]
fn runs_are_shown_in_lanes() {
    says("line", &["run", LINE, "--seed", "3", "--steps", "30"], "");
    says("table", &["run", TABLE, "--seed", "5", "--steps", "30"], "");
    says("shop", &["run", SHOP, "--seed", "2", "--domain", "Good=2"], "");
}

#[test]
fn many_components_are_a_list() {
    says("table_large", &["run", TABLE, "Table<10>", "--seed", "5", "--steps", "40"], "");
}

#[test]
fn no_line_is_too_long() {
    for net in ["Table<2>", "Table<4>", "Table<7>", "Table<10>"] {
        let (status, out, _) = pnet(&["run", TABLE, net, "--seed", "5", "--steps", "200"]);
        assert_eq!(status, 0);
        for line in out.lines() {
            assert!(line.chars().count() <= 100, "{line}");
        }
    }
}

#[test]
fn what_is_missing_is_said() {
    says("shop_without_domain", &["run", SHOP, "--seed", "2"], "");
    says("shop_wrong_domain", &["run", SHOP, "--domain", "Goods=2"], "");
    let (status, _, err) = pnet(&["run", SHOP, "--domain", "Good=0..3"]);
    assert!(status == 2 && err.contains("`Good=3`"), "{err}");
    let (status, _, err) = pnet(&["run", SHOP, "--domain", "Int"]);
    assert!(status == 2 && err.contains("`Int=0..3`"), "{err}");
}

#[test]
fn many_runs_have_statistics() {
    says("many", &["run", TABLE, "--many", "50", "--seed", "1", "--steps", "100"], "");
    says("many_short", &["run", LINE, "--many", "5", "--seed", "1", "--steps", "2"], "");
    let args = ["run", LINE, "--many", "5", "--seed", "1", "--steps", "2", "--format", "json"];
    let told: Value = serde_json::from_str(&pnet(&args).1).unwrap();
    assert_eq!((&told["runs"], &told["steps"]), (&5.into(), &10.into()));
    let never = told["transitions"]["never"].as_array().unwrap();
    let seen = told["transitions"]["seen"].as_u64().unwrap() as usize;
    assert_eq!(never.len() + seen, told["transitions"]["all"].as_u64().unwrap() as usize);
}

/// The seed of the shortest deadlock of many leads there by itself.
#[test]
fn a_run_of_many_can_be_made_again() {
    let args = ["run", TABLE, "--many", "50", "--seed", "7", "--steps", "300", "--format", "json"];
    let told: Value = serde_json::from_str(&pnet(&args).1).unwrap();
    let (seed, steps) = (&told["deadlocks"]["seed"], &told["deadlocks"]["steps"]);
    let seed = seed.as_u64().expect("a deadlock").to_string();
    let args = ["run", TABLE, "--seed", &seed, "--steps", "300", "--format", "json"];
    let run: Value = serde_json::from_str(&pnet(&args).1).unwrap();
    assert_eq!(run["end"]["kind"], "deadlock");
    assert_eq!(run["steps"].as_array().unwrap().len() as u64, steps.as_u64().unwrap());
}

#[test]
fn a_seed_is_a_run() {
    let run = |seed: &str| pnet(&["run", TABLE, "Table<6>", "--seed", seed, "--steps", "50"]).1;
    assert_eq!(run("11"), run("11"));
    assert_ne!(run("11"), run("12"));
    let (status, _, err) = pnet(&["run", TABLE]);
    assert!(status == 0 && err.contains("`--seed "), "{err}");
}

#[test]
fn a_run_goes_on_until_a_property_holds() {
    let args = ["run", TABLE, "--seed", "5", "--steps", "500", "--until", "P[1] in eating"];
    says("until", &args, "");
    says("until_wrong", &["run", TABLE, "--until", "P[1] in sleeping"], "");
    says("until_no_property", &["run", TABLE, "--until", "P[1] in"], "");
    let folder = folder("until");
    let file = folder.join("run.json");
    let file = file.to_str().unwrap();
    let (status, _, err) = pnet(&[&args[..], &["--emit", "trace", "-o", file]].concat());
    assert_eq!(status, 0, "{err}");
    assert_eq!(pnet(&["replay", file, TABLE]).0, 0);
    // The end is looked at, too.
    let text = std::fs::read_to_string(file).unwrap();
    std::fs::write(file, text.replace("P[1] in eating", "P[1] in hungry")).unwrap();
    let (status, _, err) = pnet(&["replay", file, TABLE]);
    assert!(status == 1 && err.contains("its end is not what it says"), "{err}");
    let args = ["run", TABLE, "--many", "20", "--seed", "5", "--steps", "50", "--until"];
    let (status, out, _) = pnet(&[&args[..], &["P[1] in eating"]].concat());
    assert!(status == 0 && out.contains("met what was looked for"), "{out}");
}

// ---- step by step ----

#[test]
fn sessions_from_a_file() {
    let script = "\
# a comment, and then the first step
1
2
show C
show last
show
back
forward
do send(Pkt(Data, 1))
trace
goto 0
goto 4
";
    says("step_line", &["step", LINE], script);
    let choices = "2\nshow Limit\nback\n1\nback 2\nshow\nrandom 30\n";
    says("step_shop", &["step", SHOP, "--domain", "Good=2"], choices);
}

#[test]
fn what_is_only_shown_as_synchronised_is_asked_about_as_such() {
    let script = "why receive(Ack(1))\nwhy sync receive(Ack(1))\nwhy lose\nwhy get\n";
    let (_, out, err) = pnet_with(&["step", "examples/abp.pnet"], script);
    for action in ["receive(Ack(1))", "lose"] {
        let hint = format!("nothing in the net ever shows `{action}`; ask about `sync {action}`\n");
        assert!(out.contains(&hint), "{out}{err}");
    }
    assert!(out.contains("`sync receive(Ack(1))` is not possible now:\n"), "{out}{err}");
    assert!(out.contains("nothing in the net ever shows `get`\n"), "{out}{err}");
}

#[test]
fn why_not() {
    let script = "\
why deliver
why deliver(2)
why send(Pkt(Data, 0))
why send(Pkt(Data, 3))
why send
why tau
1
why tick
why send(_)
why delivre
why send(3)
why send(Pkt(Data, 0), 1)
why send(
why sync
";
    says("step_why", &["step", LINE], script);
    let script =
        "why sold(_, 1)\n1\nwhy close\nwhy sold(Good#1, 1)\ndo bring(Good#0)\nwhy bring(Good#7)\n";
    says("step_why_open", &["step", SHOP, "--domain", "Good=2", "--set", "Limit=1"], script);
    says(
        "step_why_family",
        &["step", TABLE, "Table<3>"],
        "1\nwhy left\nwhy done(0)\nwhy right(2)\n",
    );
}

#[test]
fn mistakes_say_what_to_do_and_the_rest_goes_on() {
    let script = "foo\nbakc\n9\nback\nforward\ngoto\ngoto x\ngoto 3\nshow Z\nshow c\ndo lose\nsave\nload nowhere.json\nquit now\nrandom 1000\n1\nquit\n1\n";
    says("step_mistakes", &["step", LINE], script);
}

#[test]
fn runs_are_saved_and_loaded() {
    let folder = folder("saved");
    let file = folder.join("run.json");
    let file = file.to_str().unwrap();
    let (status, out, err) =
        pnet_with(&["step", LINE], &format!("random 5\nsave {file}\nback 3\nload {file}\ntrace\n"));
    assert_eq!((status, err.as_str()), (0, ""));
    assert!(out.contains("5 steps saved to"), "{out}");
    assert!(out.contains("after 5 steps, it can go on"), "{out}");
    assert_eq!(pnet(&["replay", file, LINE]).0, 0);
    // A run of another net is none of this one, and nothing is lost.
    let (status, out, err) = pnet_with(&["step", TABLE], &format!("1\nload {file}\ntrace\n"));
    assert_eq!(status, 2);
    assert!(err.contains("line 2") && err.contains("it is not a run of this net"), "{err}");
    assert!(out.contains("after 1 step, it can go on"), "{out}");
}

// ---- as files ----

#[test]
fn charts_look_as_they_did() {
    let cases: [(&str, &[&str]); 3] = [
        ("line", &[LINE, "--seed", "3", "--steps", "30"]),
        ("shop", &[SHOP, "--seed", "2", "--domain", "Good=2"]),
        ("table", &[TABLE, "Table<3>", "--seed", "4", "--steps", "60"]),
    ];
    for (name, args) in cases {
        let (status, out, _) = pnet(&[&["run"], args, &["--emit", "msc"]].concat());
        assert_eq!(status, 0);
        golden(&format!("{name}.svg"), &out);
        let elements = xml::parse(&out);
        assert_eq!(elements[0].name, "svg");
        let steps = elements.iter().filter(|one| one.has_class("step")).count();
        assert!(steps > 0, "{name}");
    }
}

/// On the picture of the automaton: all of it where it is small, or else what the run comes through; what goes round is told apart.
#[test]
fn runs_are_drawn_on_automata() {
    let args = ["run", LINE, "--seed", "3", "--steps", "30", "--emit", "automaton"];
    let (status, out, err) = pnet(&args);
    assert_eq!(status, 0, "{err}");
    golden("line_automaton.svg", &out);
    let (status, out, _) = pnet(&["run", TABLE, "Table<5>", "--seed", "4", "--emit", "automaton"]);
    assert_eq!(status, 0);
    let elements = xml::parse(&out);
    let all: usize =
        out.split(" of ").nth(1).and_then(|text| text.split(' ').next()?.parse().ok()).unwrap();
    let places = elements.iter().filter(|one| one.has_class("place")).count();
    assert!((2..all).contains(&places), "{places} of {all}");
    assert!(
        elements
            .iter()
            .filter(|one| one.has_class("arrow"))
            .all(|one| one.has_class("taken") || one.get("data-from").is_empty())
    );

    let folder = folder("lasso");
    let model = folder.join("lasso.pnet");
    let text = "action go, back, out, on;\nprocess P {\n    init state s;\n    state t, u, v;\n    s -> t : on;\n    t -> u : go;\n    \
                u -> t : back;\n    u -> v : out;\n}\ncheck holds(P, A[F P in v]);\n";
    std::fs::write(&model, text).unwrap();
    let (model, traces) = (model.to_str().unwrap(), folder.to_str().unwrap());
    assert_eq!(pnet(&["verify", model, "--traces", traces]).0, 1);
    let run = folder.join("001.json");
    let (status, out, err) = pnet(&["replay", run.to_str().unwrap(), model, "--emit", "automaton"]);
    assert_eq!(status, 0, "{err}");
    golden("lasso_automaton.svg", &out);
    let elements = xml::parse(&out);
    let with = |class: &str| {
        elements.iter().filter(|one| one.has_class("arrow") && one.has_class(class)).count()
    };
    assert_eq!((with("taken"), with("round")), (3, 2), "{out}");
}

#[test]
fn itf_looks_as_it_did() {
    golden("line.itf.json", &pnet(&["run", LINE, "--seed", "3", "--emit", "itf"]).1);
    let args = ["run", SHOP, "--seed", "2", "--domain", "Good=2", "--emit", "itf"];
    golden("shop.itf.json", &pnet(&args).1);
}

/// What is written is a run of the model, in both forms, and is written again as it was.
#[test]
fn what_is_written_can_be_replayed() {
    let folder = folder("replayed");
    let models: [(&str, &[&str]); 4] = [
        (LINE, &[]),
        (TABLE, &["Table<3>"]),
        (SHOP, &["--domain", "Good=2"]),
        (SHOP, &["--domain", "Good=3", "--set", "Limit=2"]),
    ];
    for (number, (model, args)) in models.iter().enumerate() {
        for (form, seed) in [("trace", "1"), ("trace", "2"), ("itf", "1"), ("itf", "9")] {
            let file = folder.join(format!("{number}.{form}.{seed}"));
            let file = file.to_str().unwrap();
            let more = ["--seed", seed, "--emit", form, "-o", file];
            let (status, _, err) = pnet(&[&["run", model], *args, &more].concat());
            assert_eq!(status, 0, "{err}");
            let (status, again, err) = pnet(&["replay", file, model, "--emit", form]);
            assert_eq!(status, 0, "{err}");
            assert_eq!(again, std::fs::read_to_string(file).unwrap(), "{model} {form}");
        }
    }
}

/// Everything in a value that is no object or list, with the way there.
fn leaves(value: &Value, way: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(name, inner)| leaves(inner, &format!("{way}/{name}"), found));
        }
        Value::Array(items) => {
            let all = items.iter().enumerate();
            all.for_each(|(at, inner)| leaves(inner, &format!("{way}/{at}"), found));
        }
        _ => found.push(way.to_owned()),
    }
}

fn tampered(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(format!("{text}x")),
        Value::Number(number) => (number.as_i64().unwrap() + 1).into(),
        Value::Bool(value) => (!value).into(),
        _ => Value::Bool(true),
    }
}

/// Nothing in a trace can be changed unnoticed but lines and what the net is called.
#[test]
fn tampered_traces_are_rejected() {
    let folder = folder("tampered");
    let file = folder.join("run.json");
    let file = file.to_str().unwrap();
    let args =
        ["run", SHOP, "--seed", "2", "--steps", "4", "--domain", "Good=2", "--emit", "trace"];
    let trace: Value = serde_json::from_str(&pnet(&args).1).unwrap();
    let mut ways = Vec::new();
    leaves(&trace, "", &mut ways);
    let free =
        |way: &String| way.contains("/at/") || way.ends_with("/net") || way.starts_with("/domains");
    ways.retain(|way| !free(way));
    assert!(ways.len() > 60, "{ways:?}");
    for way in ways {
        let mut changed = trace.clone();
        let place = changed.pointer_mut(&way).unwrap();
        *place = tampered(place);
        std::fs::write(file, changed.to_string()).unwrap();
        let (status, _, err) = pnet(&["replay", file, SHOP]);
        assert!([1, 2].contains(&status), "{way}: {status} {err}");
        assert!(err.contains("error: "), "{way}: {err}");
    }
}

#[test]
fn steps_cannot_be_left_out_or_put_elsewhere() {
    let folder = folder("shuffled");
    let file = folder.join("run.json");
    let file = file.to_str().unwrap();
    let args = ["run", LINE, "--seed", "3", "--emit", "trace"];
    let trace: Value = serde_json::from_str(&pnet(&args).1).unwrap();
    let count = trace["steps"].as_array().unwrap().len();
    for at in 0..count - 1 {
        let mut without = trace.clone();
        without["steps"].as_array_mut().unwrap().remove(at);
        let mut swapped = trace.clone();
        swapped["steps"].as_array_mut().unwrap().swap(at, at + 1);
        for changed in [without, swapped] {
            std::fs::write(file, changed.to_string()).unwrap();
            let (status, _, err) = pnet(&["replay", file, LINE]);
            assert_eq!(status, 1, "{at}: {err}");
            assert!(err.contains("is not possible there"), "{at}: {err}");
        }
    }
}

#[test]
fn files_that_are_no_traces() {
    let folder = folder("wrong");
    let file = folder.join("run.json");
    let path = file.to_str().unwrap();
    let written = pnet(&["run", LINE, "--seed", "3", "--emit", "trace"]).1;
    let cases: [(&str, String, &str); 7] = [
        ("cut off", written[..written.len() / 2].to_owned(), "it was cut off"),
        ("empty", String::new(), "it was cut off"),
        ("no JSON", "step 1".to_owned(), "line 1, column 1"),
        ("something else", "{}".to_owned(), "neither a trace of pnet"),
        ("a list", "[1, 2]".to_owned(), "neither a trace of pnet"),
        ("a later version", written.replace("\"version\": 1", "\"version\": 2"), "of version 2"),
        (
            "a field is missing",
            written.replace("\"steps\": [", "\"stops\": ["),
            "missing field `steps`",
        ),
    ];
    for (name, text, said) in cases {
        std::fs::write(&file, text).unwrap();
        let (status, _, err) = pnet(&["replay", path, LINE]);
        assert!(status == 2 && err.contains(said), "{name}: {status} {err}");
    }
    std::fs::write(&file, b"\xff\xfe").unwrap();
    let (status, _, err) = pnet(&["replay", path, LINE]);
    assert!(status == 2 && err.contains("not text"), "{err}");
    let (status, _, err) = pnet(&["replay", "gone.json", LINE]);
    assert!(status == 2 && err.contains("there is no such file"), "{err}");
    // Of another model.
    std::fs::write(&file, &written).unwrap();
    let (status, _, err) = pnet(&["replay", path, TABLE]);
    assert!(status == 2 && err.contains("declares no net `Line`"), "{err}");
    let (status, _, err) = pnet(&["replay", path, TABLE, "Four"]);
    assert!(status == 1 && err.contains("it is not a run of this net"), "{err}");
}

#[test]
fn itf_is_compared_state_by_state() {
    let folder = folder("itf");
    let file = folder.join("run.itf.json");
    let path = file.to_str().unwrap();
    let text = pnet(&["run", LINE, "--seed", "3", "--emit", "itf"]).1;
    let trace: Value = serde_json::from_str(&text).unwrap();
    let mut ways = Vec::new();
    leaves(&trace["states"], "/states", &mut ways);
    ways.retain(|way| !way.contains("#meta") && way != "/states/0/mbt::actionTaken");
    assert!(ways.len() > 100);
    for way in ways.iter().step_by(7) {
        let mut changed = trace.clone();
        let place = changed.pointer_mut(way).unwrap();
        *place = tampered(place);
        std::fs::write(&file, changed.to_string()).unwrap();
        let (status, _, err) = pnet(&["replay", path, LINE]);
        assert!(status == 1, "{way}: {status} {err}");
    }
    let mut changed = trace;
    changed["states"] = Value::Array(Vec::new());
    std::fs::write(&file, changed.to_string()).unwrap();
    let (status, _, err) = pnet(&["replay", path, LINE]);
    assert!(status == 2 && err.contains("it has no states"), "{err}");
}

// ---- the outside world ----

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    for form in ["trace", "itf", "msc", "automaton"] {
        let args = ["run", LINE, "--seed", "3", "--emit", form, "-o", "/dev/full"];
        let (status, _, err) = pnet(&args);
        assert!(status == 2 && err.contains("cannot write `/dev/full`"), "{form}: {err}");
    }
    let (status, out, err) = pnet_with(&["step", LINE], "1\nsave /dev/full\n1\n");
    assert!(status == 2 && err.contains("line 2: cannot write `/dev/full`"), "{err}");
    assert!(out.lines().any(|line| line.starts_with("2  ")), "it went on: {out}");
    for command in [&["run", LINE, "--seed", "3"][..], &["step", LINE]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut pnet = Command::new(env!("CARGO_BIN_EXE_pnet"));
        pnet.args(command).current_dir(root()).stdin(Stdio::null()).stdout(full);
        let done = pnet.output().unwrap();
        let err = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(2), "{err}");
        assert!(err.contains("cannot write to standard output"), "{err}");
    }
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_reason_to_complain() {
    for command in [&["run", TABLE, "--seed", "3", "--steps", "3000"][..], &["step", LINE]] {
        let mut pnet = Command::new(env!("CARGO_BIN_EXE_pnet"));
        pnet.args(command).current_dir(root()).stdin(Stdio::null());
        let mut running = pnet.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(running.stdout.take());
        let done = running.wait_with_output().unwrap();
        let err = String::from_utf8(done.stderr).unwrap();
        assert!(!err.contains("panic") && !err.contains("error"), "{err}");
    }
}

#[test]
fn a_run_ends_when_its_time_is_up() {
    let args = ["run", TABLE, "Table<10>", "--seed", "3", "--many", "1000000", "--timeout", "1"];
    let (status, out, err) = pnet(&args);
    assert_eq!(status, 3, "{err}");
    assert!(out.contains(" runs of `Table<10>`") && err.contains("the time was up"), "{out}{err}");
}

/// A hole that may do anything has no end of values. A run names those that it needs, and what else the hole could do does not
/// matter, whoever found the run.
#[test]
fn runs_of_open_nets_over_abstract_sorts_are_replayed() {
    let (model, asked) = ("examples/simple_protocol.pnet", "reaches(Impl, R in r1 and r_ec == 2)");
    for engine in ["symbolic", "bounded", "directed", "horn"] {
        let traces = folder(&format!("open-{engine}"));
        let within = traces.to_str().unwrap();
        let (status, _, err) =
            pnet(&["verify", model, "--check", asked, "--engine", engine, "--traces", within]);
        assert_eq!(status, 0, "{engine}: {err}");
        for file in ["001.json", "001.itf.json"] {
            let (status, _, err) = pnet(&["replay", &format!("{within}/{file}"), model]);
            assert_eq!(status, 0, "{engine}, {file}: {err}");
        }
        // Without its second step, it is no run any more, and that is known.
        let text = std::fs::read_to_string(traces.join("001.json")).unwrap();
        let mut trace: Value = serde_json::from_str(&text).unwrap();
        trace["steps"].as_array_mut().unwrap().remove(1);
        let shorter = traces.join("shorter.json");
        std::fs::write(&shorter, trace.to_string()).unwrap();
        let (status, _, err) = pnet(&["replay", shorter.to_str().unwrap(), model]);
        assert_eq!(status, 1, "{engine}: {err}");
        assert!(err.contains("step 2"), "{engine}: {err}");
    }
}
