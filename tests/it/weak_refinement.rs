//! Weak refinement: what it says, what it says it by, and where an implementation goes on silently for ever.
//!
//! Random pairs, with random holes that are tracked, are compared by `verify` and by going through all their
//! configurations.

use std::path::PathBuf;
use std::process::Command;

use crate::common::nets::Shape;
use crate::common::pairs::{Kind, Lts, Pair, Tracking, diverges, pair, weakly_refines};
use crate::common::said::{Said, evidence};
use crate::common::seeds::{fuzz, seeds};
use crate::common::{Patience, Random, check_text};
use pnetc::diagnostics::Severity;
use pnetc::elaborate::ElaborateOptions;
use pnetc::emit::outcome as words;
use pnetc::outcome::{Divergence, Evidence, Note, ObligationKind, Outcome, Status, Verdict};
use pnetc::verify;

/// What comes out of all checks of a text that has no errors.
#[track_caller]
fn outcomes(text: &str) -> Vec<Outcome> {
    let checked = check_text(text);
    let errors = checked.diagnostics.iter().filter(|found| found.severity == Severity::Error);
    assert_eq!(errors.count(), 0, "{:?}\n{text}", checked.diagnostics);
    let options = verify::ModelOptions::default();
    let run = |check| verify::run(&checked, check, &options, &Patience::default()).unwrap();
    checked.program.checks.iter().map(run).collect()
}

#[track_caller]
fn verdicts(text: &str) -> Vec<&'static str> {
    outcomes(text).iter().map(|outcome| outcome.verdict.word()).collect()
}

fn divergence(outcome: &Outcome) -> Option<(bool, Divergence)> {
    outcome.notes.iter().find_map(|note| match note {
        Note::Diverges { with_holes, known, .. } => Some((*with_holes, *known)),
        _ => None,
    })
}

// ---- random pairs ----

/// A pair without its checks, and one check with random holes that are tracked.
fn asked(random: &mut Random, pair: &Pair) -> (String, Option<Vec<String>>) {
    let model: Vec<&str> = pair.text.lines().filter(|line| !line.starts_with("check ")).collect();
    let model = model.join("\n");
    let claim = format!("check weakly_refines({}, {})", pair.left, pair.right);
    let plain = format!("{model}\n{claim};\n");
    let holes = holes(&plain, &pair.left);
    if holes.is_empty() || random.percent(30) {
        return (plain, None);
    }
    let tracked: Vec<String> = holes.into_iter().filter(|_| random.percent(50)).collect();
    (format!("{model}\n{claim} tracking {{ {} }};\n", tracked.join(", ")), Some(tracked))
}

/// The names of the holes of a net, those of families once.
fn holes(text: &str, net: &str) -> Vec<String> {
    let net = check_text(text).build(Some(net), &ElaborateOptions::default()).unwrap();
    let name = |path: &str| path.split(['[', '.']).next().unwrap_or(path).to_owned();
    let mut names: Vec<String> = net.holes.iter().map(|hole| name(&hole.path)).collect();
    names.dedup();
    names
}

/// What is wrong with an outcome, where all configurations were looked at.
fn wrong(outcome: &Outcome, sides: &[Lts; 2], tracking: Tracking<'_>) -> Option<String> {
    let [left, right] = sides;
    let fact = weakly_refines(left, right, tracking);
    let verdict_is_wrong = match outcome.verdict {
        Verdict::Proved => !fact,
        Verdict::Refuted => fact,
        Verdict::Unknown => false,
    };
    if verdict_is_wrong {
        return Some(format!("it is {fact}, but {:?}", Said::from(outcome)));
    }
    let goes_on = |lts: &Lts, with_holes: bool| diverges(lts, tracking, with_holes);
    let alone = [false, true].into_iter().find(|&with_holes| goes_on(left, with_holes));
    let alone = alone.filter(|&with_holes| !goes_on(right, with_holes));
    match (alone, divergence(outcome)) {
        (None, None) => None,
        (Some(one), Some((other, _))) if one == other => None,
        // It may be said that something is not known.
        (None, Some((_, Divergence::First | Divergence::NotSecond))) => None,
        (alone, said) => Some(format!("one goes on alone: {alone:?}, and it is said: {said:?}")),
    }
}

fn random_pairs(name: &str, shape: Shape, kind: Kind, count: u64) {
    let (mut failures, mut unknown, mut noted) = (Vec::new(), Vec::new(), 0);
    let mut counts = [0; 3];
    let count = fuzz().unwrap_or(count);
    for seed in seeds(count) {
        let mut random = Random::new(seed);
        let (text, tracked, sides) = loop {
            let pair = pair(&mut random, shape, kind);
            let (text, tracked) = asked(&mut random, &pair);
            let checked = check_text(text.as_str());
            let lts = |net: &str| {
                let net = checked.build(Some(net), &ElaborateOptions::default()).ok()?;
                Lts::of(&net)
            };
            if let (Some(left), Some(right)) = (lts(&pair.left), lts(&pair.right)) {
                break (text, tracked, [left, right]);
            }
        };
        let outcome = &outcomes(&text)[0];
        counts[outcome.verdict as usize] += 1;
        noted += usize::from(divergence(outcome).is_some());
        if let Said::Unknown(why) = Said::from(outcome) {
            unknown.push(format!("PNET_SEED={seed}: {why}"));
        }
        let tracking = Tracking(tracked.as_deref());
        if let Some(why) = wrong(outcome, &sides, tracking) {
            failures.push(format!("{name}, PNET_SEED={seed}: {why}\n{text}"));
        }
    }
    println!(
        "{name}: proved, refuted, unknown {counts:?}, {noted} with a note\n  {}",
        unknown.join("\n  ")
    );
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
    assert!(count < 12 || unknown.len() as u64 * 10 <= count, "too much is unknown: {counts:?}");
}

fn closed() -> Shape {
    Shape { ints: false, constants: false, depth: 1, ..Shape::closed() }
}

fn open() -> Shape {
    Shape { holes: true, depth: 1, ..closed() }
}

#[test]
fn closed_pairs() {
    random_pairs("mutated, closed", closed(), Kind::Mutated, 15);
    random_pairs("delayed, closed", closed(), Kind::Delayed, 15);
    random_pairs("independent, closed", closed(), Kind::Independent, 15);
}

#[test]
fn open_pairs_with_tracked_holes() {
    random_pairs("mutated, open", open(), Kind::Mutated, 15);
    random_pairs("delayed, open", open(), Kind::Delayed, 15);
    random_pairs("independent, open", open(), Kind::Independent, 15);
}

// ---- deadlocks ----

/// A buffer of one place, and what takes its time.
const BUFFERS: &str = "action put(Int), get(Int);
    process Buffer {
        var held: Int = 0;
        init state empty; state full;
        empty -> full : put(?x) do held := x;
        full -> empty : get(held);
    }
    process Slow {
        var kept: Int = 0;
        init state free; state thinking, ready, tired;
        free -> thinking : put(?x) do kept := x;
        thinking -> ready : tau;
        ready -> tired : get(kept);
        tired -> free : tau;
    }
    process Stops {
        var kept: Int = 0;
        init state free; state thinking, ready, stuck;
        free -> thinking : put(?x) do kept := x;
        thinking -> ready : tau;
        thinking -> stuck : tau when kept > 3;
        ready -> free : get(kept);
    }
    process MayStop {
        var held: Int = 0;
        init state empty; state full, far, gone;
        empty -> full : put(?x) do held := x;
        full -> empty : get(held);
        full -> far : tau when held > 2;
        far -> gone : tau when held > 3;
        far -> empty : get(held);
    }
";

#[test]
fn internal_steps_are_no_difference() {
    let checks = "check weakly_refines(Slow, Buffer);
        check weakly_refines(Buffer, Slow);
        check refines(Slow, Buffer);
        check not weakly_refines(Slow, Buffer);
        check not weakly_refines(Stops, Buffer);";
    let said = verdicts(&format!("{BUFFERS}{checks}"));
    assert_eq!(said, ["proved", "proved", "refuted", "refuted", "proved"]);
}

/// A deadlock that comes after silent steps is shown by a play, with the value that it needs.
#[test]
fn a_deadlock_after_silent_steps_is_found() {
    let outcomes = outcomes(&format!("{BUFFERS}check weakly_refines(Stops, Buffer);"));
    assert_eq!(outcomes[0].verdict, Verdict::Refuted);
    let Evidence::Play(play) = &outcomes[0].evidence else { panic!("{:?}", outcomes[0]) };
    assert_eq!(play.stuck, Some(("stuck".to_owned(), "full".to_owned())));
    assert!(play.weak);
    let told = evidence(&outcomes[0]);
    let end = "3. in (stuck, full), `Stops` can do nothing more, and `Buffer` can, whatever it does silently";
    assert_eq!(told.lines().last(), Some(end), "{told}");
    assert!(told.contains("`Stops` does `put(4)`"), "{told}");
}

/// What is stuck refines what can get stuck silently: with two silent steps, and only with these values.
#[test]
fn the_second_may_have_to_get_stuck_silently() {
    let strict = "process Strict {
            var held: Int = 0;
            init state empty; state full, far, gone;
            empty -> full : put(?x) do held := x;
            full -> empty : get(held);
            full -> far : tau when held > 2;
            far -> gone : tau when held > 4;
            far -> empty : get(held);
        }
        process Never {
            var held: Int = 0;
            init state empty; state full, far;
            empty -> full : put(?x) do held := x;
            full -> empty : get(held);
            full -> far : tau;
            far -> full : tau;
        }";
    let checks = "check weakly_refines(Stops, MayStop);
        check weakly_refines(Stops, Strict);
        check weakly_refines(Stops, Never);
        check weakly_refines(MayStop, Stops);";
    let said = verdicts(&format!("{BUFFERS}{strict}{checks}"));
    assert_eq!(said, ["proved", "refuted", "refuted", "proved"]);
}

/// Where silent steps cannot all be followed, something can be proved, and nothing is refuted.
#[test]
fn what_cannot_be_followed_is_not_refuted() {
    let text = "action see(Int), go;
        process Odd { init state s; s -> s : go; s -> s : see(7); }
        process Doubles {
            var n: Int = 1;
            init state s;
            s -> s : tau do n := 2 * n;
            s -> s : see(n);
            s -> s : go;
        }
        process Go { init state s; s -> s : go; }
        process Doubled { init state s; s -> s : see(8); }
        check weakly_refines(Odd, Doubles);
        check weakly_refines(Go, Doubles);
        check weakly_refines(Doubles, Go);";
    assert_eq!(verdicts(text), ["unknown", "proved", "refuted"]);
}

/// Loops that count are gone round in one step: `Up` stops when it likes, wherever it is.
#[test]
fn loops_that_count_are_followed() {
    let text = "action see(Int);
        process Up { var n: Int = 0; init state s; state t; s -> s : tau do n := n + 1; s -> t : see(n); }
        process Sees { init state s; state t; s -> t : see(?x) when x >= 0; }
        process Seven { init state s; state t; s -> t : see(7); }
        process Below { init state s; state t; s -> t : see(-1); }
        process Even { var n: Int = 0; init state s; state t; s -> s : tau do n := n + 2; s -> t : see(n); }
        check weakly_refines(Up, Sees);
        check weakly_refines(Sees, Up);
        check weakly_refines(Seven, Up);
        check weakly_refines(Below, Up);
        check weakly_refines(Seven, Even);
        check weakly_refines(Even, Up);";
    let said = verdicts(text);
    assert_eq!(said, ["proved", "proved", "proved", "refuted", "refuted", "proved"]);
}

// ---- holes ----

/// What tracked holes do is compared, once for each step; others may do anything, and as often as they like.
#[test]
fn only_tracked_holes_are_compared() {
    let text = "action a, b, c;
        interface Plain { a, b }
        process Once { init state s; state t; s -> t : c; }
        process Twice { init state s; state t, u; s -> t : a; t -> u : c; }
        net Direct(P: Plain, Q: Plain) { sub S = Once; <S: c, P: a> -> c; }
        net Late(P: Plain, Q: Plain) { sub S = Twice; <S: a, P: a> -> tau; <S: c> -> c; }
        net Helped(P: Plain, Q: Plain) {
            sub S = Twice;
            <S: a, Q: a> -> tau;
            <S: c, P: a, Q: a> -> c;
        }
        check weakly_refines(Direct, Late);
        check weakly_refines(Direct, Helped);
        check weakly_refines(Direct, Helped) tracking { P };
        check weakly_refines(Direct, Helped) tracking { Q };
        check weakly_refines(Direct, Helped) tracking {};
        check weakly_refines(Late, Direct);
        check weakly_refines(Late, Direct) tracking {};
        check weakly_refines(Helped, Direct) tracking { P };";
    let said = verdicts(text);
    // `Late` does first what `Direct` does at once, so that `Direct` has no answer to the silent step with `P: a`.
    let expected =
        ["proved", "refuted", "proved", "refuted", "proved", "refuted", "proved", "proved"];
    assert_eq!(said, expected);
}

/// What a hole does silently is not compared, tracked or not.
#[test]
fn silent_actions_of_holes_pass() {
    let text = "action a;
        interface Plain { a }
        net Plainly(P: Plain) { <P: a> -> a; }
        net Quietly(P: Plain) { <P: a> -> a; <P: tau> -> tau; <P: sync ?x> -> sync x; }
        net Seen(P: Plain) { <P: a> -> a; <P: tau> -> a; }
        check weakly_refines(Quietly, Plainly);
        check weakly_refines(Plainly, Quietly);
        check weakly_refines(Quietly, Plainly) tracking {};
        check weakly_refines(Seen, Plainly);
        check weakly_refines(Seen, Plainly) tracking {};
        check refines(Quietly, Plainly);";
    let said = verdicts(text);
    assert_eq!(said, ["proved", "proved", "proved", "refuted", "proved", "refuted"]);
}

// ---- divergence ----

#[test]
fn divergence_is_noted() {
    let text = "action work, go;
        process Stops { init state s; state t; s -> t : work; t -> t : go; }
        process Spins { init state s; state t; s -> t : work; t -> t : go; t -> t : tau; }
        process Counts {
            var n: 0..5 = 0;
            init state s; state t;
            s -> t : work;
            t -> t : go;
            t -> t : tau when n < 4 do n := n + 1;
        }
        process Down {
            var n: Int = 9;
            init state s; state t;
            s -> t : work;
            t -> t : go;
            t -> t : tau when n > 0 do n := n - 1;
        }
        process Forever {
            var n: Int = 9;
            init state s; state t;
            s -> t : work;
            t -> t : go;
            t -> t : tau do n := n + 1;
        }
        process Guarded {
            var n: Bool = false;
            init state s; state t;
            s -> t : work;
            t -> t : go;
            t -> t : tau when n;
        }
        check weakly_refines(Spins, Stops);
        check weakly_refines(Stops, Spins);
        check weakly_refines(Spins, Forever);
        check weakly_refines(Counts, Stops);
        check weakly_refines(Down, Stops);
        check weakly_refines(Forever, Stops);
        check weakly_refines(Forever, Counts);
        check weakly_refines(Guarded, Stops);
        check not weakly_refines(Spins, Stops);
        check weakly_bisimilar(Spins, Stops);";
    let all = outcomes(text);
    let said: Vec<Option<(bool, Divergence)>> = all.iter().map(divergence).collect();
    let alone = Some((false, Divergence::FirstAlone));
    assert_eq!(said, [alone, None, None, None, None, alone, alone, None, alone, None]);
    assert!(all[..8].iter().all(|outcome| outcome.verdict == Verdict::Proved));
    let note = "`Spins` can go on silently for ever by itself, and `Stops` cannot: \
                a weak refinement does not see this";
    assert_eq!(words::note(&all[0].notes[0]), note);
}

/// A long way to where it goes on for ever, and one that no value leads along.
#[test]
fn divergence_is_found_where_it_can_be_reached() {
    let chain = |name: &str, end: &str| {
        let states: Vec<String> = (1..=30).map(|at| format!("s{at}")).collect();
        let steps: Vec<String> =
            (0..30).map(|at| format!("s{at} -> s{} : go do n := {at};", at + 1)).collect();
        let (states, steps) = (states.join(", "), steps.join(" "));
        format!(
            "process {name} {{ var n: Int = 0; init state s0; state {states}; {steps} {end} }}\n"
        )
    };
    let spec = chain("Spec", "s30 -> s30 : go;");
    let far = chain("Far", "s30 -> s30 : go; s30 -> s30 : tau when n == 29;");
    let never = chain("Never", "s30 -> s30 : go; s30 -> s30 : tau when n == 28;");
    let checks = "check weakly_refines(Far, Spec); check weakly_refines(Never, Spec);";
    let said: Vec<_> = outcomes(&format!("action go;\n{spec}{far}{never}{checks}"))
        .iter()
        .map(divergence)
        .collect();
    assert_eq!(said, [Some((false, Divergence::FirstAlone)), None]);
}

#[test]
fn divergence_of_holes_is_told_apart() {
    let text = "action a;
        interface Plain { a }
        process Loop { init state s; s -> s : tau; }
        process Still { init state s; }
        net Plainly(P: Plain) { <P: a> -> a; }
        net Quietly(P: Plain) { <P: a> -> a; <P: tau> -> tau; }
        net Busy(P: Plain) { sub L = Loop; <P: a> -> a; <P: tau> -> tau; <L: tau> -> tau; }
        net Hidden(P: Plain) { <P: a> -> a; <P: a> -> tau; }
        check weakly_refines(Quietly, Plainly);
        check weakly_refines(Busy, Quietly);
        check weakly_refines(Hidden, Plainly) tracking {};
        check weakly_refines(Plainly, Hidden);";
    let said: Vec<_> = outcomes(text).iter().map(divergence).collect();
    let (with_holes, alone) =
        (Some((true, Divergence::FirstAlone)), Some((false, Divergence::FirstAlone)));
    assert_eq!(said, [with_holes, alone, with_holes, None]);
}

// ---- relations ----

#[test]
fn a_relation_is_judged() {
    let relations = "relation Same(Slow, Buffer) {
            (free, empty);
            (thinking, full) when kept == held;
            (ready, full) when kept == held;
            (tired, empty);
        }
        relation Short(Slow, Buffer) {
            (free, empty);
            (thinking, full) when kept == held;
            (ready, full);
            (tired, empty);
        }
        relation Stuck(Stops, Buffer) {
            (free, empty);
            (thinking, full) when kept == held;
            (ready, full) when kept == held;
            (stuck, full);
        }
        relation Fits(Stops, MayStop) {
            (free, empty);
            (thinking, full) when kept == held;
            (ready, full) when kept == held;
            (stuck, full) when held > 3;
        }
        relation Loose(Stops, MayStop) {
            (free, empty);
            (thinking, full) when kept == held;
            (ready, full) when kept == held;
            (stuck, full);
        }
        check weakly_refines(Slow, Buffer) by Same;
        check weakly_refines(Slow, Buffer) by Short;
        check weakly_refines(Stops, Buffer) by Stuck;
        check weakly_refines(Stops, MayStop) by Fits;
        check weakly_refines(Stops, MayStop) by Loose;
        check not weakly_refines(Stops, Buffer) by Stuck;
        check refines(Slow, Buffer) by Same;";
    let all = outcomes(&format!("{BUFFERS}{relations}"));
    let said: Vec<&str> = all.iter().map(|outcome| outcome.verdict.word()).collect();
    let expected = ["proved", "refuted", "refuted", "proved", "refuted", "proved", "refuted"];
    assert_eq!(said, expected);
    let failed = all[2].obligations.iter().find(|one| one.status == Status::Failed).unwrap();
    let at = ("stuck".to_owned(), "full".to_owned());
    assert_eq!(failed.about, ObligationKind::StuckSilently { at });
    let told = evidence(&all[2]);
    let expected =
        "in (stuck, full) the first can be stuck where the second cannot silently get stuck";
    assert_eq!(told, expected);
}

// ---- the command, and certificates ----

/// What a command says, and its exit status.
fn pnet(args: &[&str]) -> (i32, String) {
    let done = Command::new(env!("CARGO_BIN_EXE_pnet")).args(args).output().unwrap();
    let said = [done.stdout, done.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
    (done.status.code().expect("it was killed"), said)
}

/// A folder with a model, in which a proof is written; it is gone when the test has passed.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, model: &str) -> Folder {
        let name = format!("pnet-weak-refinement-{}-{name}", std::process::id());
        let folder = Folder(std::env::temp_dir().join(name));
        let _ = std::fs::remove_dir_all(&folder.0);
        std::fs::create_dir_all(&folder.0).unwrap();
        std::fs::write(folder.0.join("model.pnet"), model).unwrap();
        folder
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    fn recheck(&self) -> (i32, String) {
        pnet(&["recheck", &self.path("proofs"), &self.path("model.pnet")])
    }

    /// Changes a file, and its hash in the list.
    fn change(&self, name: &str, how: impl Fn(&str) -> String) {
        let list = self.0.join("proofs/001/certificate.json");
        let path = self.0.join("proofs/001").join(name);
        let old = std::fs::read_to_string(&path).unwrap();
        let new = how(&old);
        assert_ne!(old, new, "{name} was not changed");
        std::fs::write(&path, &new).unwrap();
        let (old, new) = (verify::checksum(old.as_bytes()), verify::checksum(new.as_bytes()));
        let text = std::fs::read_to_string(&list).unwrap();
        std::fs::write(&list, text.replace(&old, &new)).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }
}

/// A folder with the proof that what stops refines what may stop.
fn proved(name: &str) -> Folder {
    let check = "check weakly_refines(Stops, MayStop);\n";
    let folder = Folder::new(name, &format!("{BUFFERS}{check}"));
    let (model, proofs) = (folder.path("model.pnet"), folder.path("proofs"));
    let (status, said) = pnet(&["verify", &model, "--certificate", &proofs]);
    assert_eq!(status, 0, "{said}");
    folder
}

#[test]
fn a_solver_confirms_a_weak_refinement() {
    let folder = proved("confirmed");
    let (status, said) = folder.recheck();
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("check weakly_refines(Stops, MayStop)"), "{said}");
    assert!(said.contains("16 confirmed by `z3`, 0 contradicted, 0 unknown"), "{said}");
}

#[test]
fn what_was_tampered_with_is_not_confirmed() {
    let noticed = |name: &str, file: &str, words: &str, how: &dyn Fn(&str) -> String| {
        let folder = proved(name);
        match file {
            "model.pnet" => {
                let path = folder.0.join(file);
                std::fs::write(&path, how(&std::fs::read_to_string(&path).unwrap())).unwrap();
            }
            _ => folder.change(file, how),
        }
        let (status, said) = folder.recheck();
        assert!([1, 2].contains(&status) && said.contains(words), "{name}: {status}, {said}");
    };
    // A step that it needs to get stuck is missing.
    noticed("model", "model.pnet", "it was written for another model", &|text| {
        text.replace("far -> gone : tau when held > 3;", "")
    });
    noticed("claim", "certificate.json", "the kind of claim", &|text| {
        text.replace("weakly_refines", "refines")
    });
    noticed("other", "certificate.json", "is a relation of `Stops` and `MayStop`", &|text| {
        text.replace("weakly_refines(Stops, MayStop)", "weakly_refines(Stops, Buffer)")
    });
    noticed("relation", "relation.pnet", "is not what the model comes to", &|text| {
        let stuck = text.lines().find(|line| line.contains("(stuck, full)")).expect("a pair");
        text.replace(stuck, "    (stuck, full);")
    });
    noticed(
        "obligation",
        "obligation-0003.smt2",
        "`obligation-0003.smt2` is not what the model",
        &|text| text.replace("(check-sat)", "(assert false)\n(check-sat)"),
    );
}

#[test]
fn compare_asks_for_it() {
    let folder = Folder::new("compare", BUFFERS);
    let compare = |first: &str, second: &str, more: &[&str]| {
        let model = folder.path("model.pnet");
        pnet(&[&["compare", &model, first, second, "--weak", "--refines"], more].concat())
    };
    let (status, said) = compare("Slow", "Buffer", &["--relations"]);
    assert_eq!(status, 0, "{said}");
    assert!(said.starts_with("proved   check weakly_refines(Slow, Buffer)"), "{said}");
    assert!(said.contains("(thinking, full) when kept == held"), "{said}");
    let (status, said) = compare("Stops", "Buffer", &[]);
    assert_eq!(status, 1, "{said}");
    let (status, said) = compare("Slow", "Buffer", &["--strong"]);
    assert_eq!(status, 2, "{said}");
    let proofs = folder.path("proofs");
    let (status, said) = compare("Stops", "MayStop", &["--certificate", &proofs]);
    assert_eq!(status, 0, "{said}");
    assert_eq!(folder.recheck().0, 0);
}

#[test]
fn compare_tracks_holes() {
    let model = "action a, b;
        interface Plain { a, b }
        process Once { init state s; state t; s -> t : a; }
        net One(P: Plain) { sub S = Once; <S: a, P: a> -> a; }
        net Two(P: Plain, Q: Plain) { sub S = Once; <S: a, P: a> -> a; <Q: b> -> tau; }
        net Three(P: Plain, Q: Plain) { sub S = Once; <S: a, Q: a> -> a; }\n";
    let folder = Folder::new("tracking", model);
    let compare = |first: &str, second: &str, more: &[&str]| {
        let model = folder.path("model.pnet");
        pnet(&[&["compare", &model, first, second, "--weak", "--refines"], more].concat())
    };
    let (status, said) = compare("Two", "One", &[]);
    assert_eq!(status, 3, "{said}");
    assert!(said.contains("write `tracking { P }` after the check"), "{said}");
    // `Two` is never stuck, and goes on silently with its hole.
    let (status, said) = compare("Two", "One", &["--tracking", "P"]);
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("silently for ever as long as its holes move"), "{said}");
    // After `a`, `One` is stuck, and `Two` never is.
    assert_eq!(compare("One", "Two", &["--tracking", "P"]).0, 1);
    assert_eq!(compare("One", "Three", &["--tracking", "P"]).0, 1);
}
