//! Certificates: what `pnet verify --certificate` writes, `pnet recheck` confirms with more than one solver, and what
//! was changed since is not confirmed.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::common::verified;
use pnetc::verify::checksum;
use serde_json::Value;

/// What a command did.
pub struct Done {
    pub status: i32,
    pub out: String,
    pub err: String,
}

pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

pub fn pnet(args: &[&str]) -> Done {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pnet"));
    let done = command.args(args).current_dir(root()).output().unwrap();
    Done {
        status: done.status.code().expect("it was killed"),
        out: String::from_utf8(done.stdout).unwrap(),
        err: String::from_utf8(done.stderr).unwrap(),
    }
}

/// A folder of its own for a test, empty; it is gone when the test has passed.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let path =
            std::env::temp_dir().join(format!("pnet-certificates-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// One that stays, for what the whole run needs.
    fn kept(name: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub fn text(&self) -> &str {
        self.0.to_str().unwrap()
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join("001").join(name)
    }

    fn recheck(&self) -> Done {
        pnet(&["recheck", self.text()])
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }
}

/// Two lamps that do the same, one with a state and one with a variable.
const LAMPS: &str = "\
action on, off;

process States {
    init state dark;
    state lit;

    dark -> lit  : on;
    lit  -> dark : off;
}

process Data {
    var lit: Bool = false;
    init state s;

    s -> s : on  when not lit do lit := true;
    s -> s : off when lit     do lit := false;
}

check bisimilar(States, Data);
";

/// A folder with the certificate of the two lamps.
fn lamps(name: &str) -> Folder {
    let folder = Folder::new(name);
    let model = folder.0.join("lamps.pnet");
    std::fs::write(&model, LAMPS).unwrap();
    let done = pnet(&["verify", model.to_str().unwrap(), "--certificate", folder.text()]);
    assert_eq!(done.status, 0, "{}{}", done.out, done.err);
    folder
}

// ---- whole certificates ----

/// Whether a check that was proved has a certificate: all but those of sizes, and those that rest on a run, a play or
/// values.
fn has_certificate(object: &Value) -> bool {
    let check = object["check"].as_str().unwrap_or_default();
    let evidence = object["evidence"]["kind"].as_str().unwrap_or_default();
    // A formula that some run shows is certified by all configurations, like others; what it does not say, by the run alone.
    if check.starts_with("check holds(") {
        return object["verdict"] == "proved";
    }
    // Counts, and what is said of two parts, rest on nothing that is written down.
    let claim = check.trim_start_matches("check ").trim_start_matches("not ");
    let counted = ["size(", "holds(", "noninterfering("].iter().any(|word| claim.starts_with(word));
    object["verdict"] == "proved"
        && check.starts_with("check ")
        && !counted
        && !["run", "play", "failures", "values"].contains(&evidence)
}

/// How many configurations the plain interpreter goes through in these tests, which are not optimised.
const FEW: usize = 50_000;

/// Takes away the certificates with longer lists, which [`long_lists_are_confirmed`] is for, and says how many there were.
fn take_long_lists(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_long = |folder: &PathBuf| {
        let list = std::fs::read(folder.join("configurations.jsonl")).unwrap_or_default();
        list.iter().filter(|byte| **byte == b'\n').count() > FEW
    };
    let long: Vec<PathBuf> = entries.filter(is_long).collect();
    long.iter().for_each(|folder| std::fs::remove_dir_all(folder).unwrap());
    long.len()
}

#[test]
#[ignore = "minutes: the plain interpreter goes through 700,000 configurations"]
fn long_lists_are_confirmed() {
    let (model, folder) = ("examples/cache_coherence.pnet", Folder::new("long-lists"));
    let done = pnet(&["verify", model, "--certificate", folder.text()]);
    assert_eq!(done.status, 0, "{}{}", done.out, done.err);
    let done = pnet(&["recheck", folder.text(), model, "--model-timeout", "0"]);
    assert_eq!(done.status, 0, "{}{}", done.out, done.err);
    assert!(take_long_lists(&folder.0) > 0, "there is no long list");
}

#[test]
fn two_solvers_confirm_all_examples_and_laws() {
    let mut all = 0;
    for done in verified::examples() {
        let model = &done.path;
        assert!([0, 3].contains(&done.status), "{model}: {}{}", done.out, done.err);
        let proved = done.objects().iter().filter(|object| has_certificate(object)).count();
        let written = std::fs::read_dir(&done.certificates).unwrap().count();
        assert_eq!(written, proved, "{model}: one certificate for each proof");
        let proved = proved - take_long_lists(&done.certificates);
        if proved == 0 {
            continue;
        }
        all += proved;
        std::thread::scope(|scope| {
            for solver in ["z3", "cvc5"] {
                let folder = done.certificates.to_str().unwrap();
                scope.spawn(move || {
                    let args = ["recheck", folder, model, "--solver", solver];
                    // One of the two also makes everything again.
                    let args: Vec<&str> = args
                        .into_iter()
                        .filter(|arg| solver == "z3" || *arg != model.as_str())
                        .collect();
                    let done = pnet(&args);
                    // Without the model, nobody can go through configurations.
                    let left = solver != "z3" && done.out.contains("nobody went through it");
                    let status = if left { 3 } else { 0 };
                    assert_eq!(done.status, status, "{model}, {solver}: {}{}", done.out, done.err);
                    let start = format!("{proved} claim");
                    let last = done.out.lines().last().unwrap();
                    assert!(last.starts_with(&start), "{model}, {solver}: {last}");
                    assert!(last.ends_with(", 0 contradicted, 0 unknown"), "{model}: {last}");
                });
            }
        });
    }
    assert!(all >= 200, "only {all} proofs were found");
}

// ---- damage ----

fn change(path: &Path, how: impl Fn(&str) -> String) {
    let text = std::fs::read_to_string(path).unwrap();
    let changed = how(&text);
    assert_ne!(text, changed, "{} was not changed", path.display());
    std::fs::write(path, changed).unwrap();
}

/// Another character in the middle.
fn flipped(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let middle = bytes.len() / 2;
    bytes[middle] = if bytes[middle] == b'x' { b'y' } else { b'x' };
    String::from_utf8(bytes).unwrap()
}

#[test]
fn a_changed_file_is_not_confirmed() {
    let names = ["obligation-0001.smt2", "first.json", "second.json", "relation.pnet"];
    for name in names {
        let without_end = |text: &str| text[..text.len() - 10].to_owned();
        let nothing = |_: &str| String::new();
        let changes: [&dyn Fn(&str) -> String; 3] = [&flipped, &without_end, &nothing];
        for (number, how) in changes.into_iter().enumerate() {
            let folder = lamps(&format!("changed-{name}-{number}"));
            change(&folder.file(name), how);
            let done = folder.recheck();
            assert_eq!(done.status, 2, "{name}: {}", done.out);
            assert!(done.err.contains("is not as it was written: its checksum is wrong"));
            assert!(done.err.contains(name), "{}", done.err);
        }
    }
}

#[test]
fn an_obligation_with_a_condition_less_is_not_confirmed() {
    let folder = lamps("assert");
    let path = folder.file("obligation-0002.smt2");
    change(&path, |text| {
        let at = text.find("(assert").expect("an obligation asserts something");
        let end = text[at..].find('\n').unwrap();
        format!("{}{}", &text[..at], &text[at + end + 1..])
    });
    let done = folder.recheck();
    assert_eq!(done.status, 2, "{}", done.out);
    assert!(done.err.contains("its checksum is wrong"), "{}", done.err);
}

#[test]
fn a_missing_file_is_not_confirmed() {
    for name in ["obligation-0003.smt2", "first.json", "relation.pnet"] {
        let folder = lamps(&format!("missing-{name}"));
        std::fs::remove_file(folder.file(name)).unwrap();
        let done = folder.recheck();
        assert_eq!(done.status, 2, "{}", done.out);
        assert!(done.err.contains("cannot read") && done.err.contains(name), "{}", done.err);
    }
    let folder = lamps("missing-all");
    std::fs::remove_file(folder.file("certificate.json")).unwrap();
    let done = folder.recheck();
    assert_eq!(done.status, 2, "{}", done.out);
    assert!(done.err.contains("there is no certificate in"), "{}", done.err);
}

#[test]
fn a_list_that_is_none_is_not_confirmed() {
    let garbage = [
        "",
        "garbage",
        "[]",
        "{}",
        "{\"claim\": \"all is well\", \"files\": 3}",
        "{\"claim\": \"all is well\", \"files\": [7]}",
        "{\"claim\": \"all is well\", \"files\": []}",
        "{\"claim\": \"all is well\", \"obligations\": 0, \"files\": []}",
        "{\"claim\": \"all is well\", \"files\": [{\"file\": \"../../lamps.pnet\"}]}",
        "{\"claim\": \"all is well\", \"settings\": [], \"model\": [], \"files\": [], \"obligations\": 0}",
    ];
    let folder = lamps("list");
    for text in garbage {
        std::fs::write(folder.file("certificate.json"), text).unwrap();
        let done = folder.recheck();
        assert_eq!(done.status, 2, "{text}: {}", done.out);
        let said = ["is damaged: it is no list of files", "is not whole: it does not list all"];
        assert!(said.iter().any(|words| done.err.contains(words)), "{text}: {}", done.err);
    }
    let folder = lamps("list-flipped");
    change(&folder.file("certificate.json"), |text| {
        text.replacen("\"hash\": \"", "\"hash\": \"0", 1)
    });
    let done = folder.recheck();
    assert_eq!(done.status, 2, "{}", done.out);
    assert!(done.err.contains("its checksum is wrong"), "{}", done.err);
}

/// `x` is what `y` was, and what holds of `y` is told by no guess: over two steps, the claim is inductive. The hole gives any
/// number, so there are conditions with quantifiers among those of the third.
const FOLLOWERS: &str = "\
action step, one, put(Int);

interface Source {
    put(Int),
}

process Two {
    var x: Int = 1;
    var y: Int = 1;
    init state s;

    s -> s : step do x := y, y := y + 10;
    s -> s : one  do x := y, y := 2 - 5 * y;
}

process Three {
    var w: Int = 1;
    var x: Int = 1;
    var y: Int = 1;
    init state s;

    s -> s : step do w := x, x := y, y := y + 10;
    s -> s : one  do w := x, x := y, y := 2 - 5 * y;
}

process Given {
    var x: Int = 1;
    var y: Int = 1;
    init state s;

    s -> s : put(?v) when v mod 5 != 3 do x := y, y := v;
    s -> s : one     when y mod 7 == 2 do x := y + 5, y := y + 10;
}

net Open(P: Source) {
    sub G = Given;

    <P: put(v), G: put(v)> -> put(v);
    <G: one>               -> one;
}

check always(Two, x mod 5 != 3);
check always(Three, w mod 5 != 3);
check always(Open, G.x mod 5 != 3);
";

#[test]
fn two_solvers_confirm_induction_over_several_steps() {
    let folder = Folder::new("followers");
    let model = folder.0.join("followers.pnet");
    std::fs::write(&model, FOLLOWERS).unwrap();
    let model = model.to_str().unwrap();
    let engine = ["--engine", "induction"];
    let done = pnet(&[&["verify", model, "--certificate", folder.text()], &engine[..]].concat());
    assert_eq!(done.status, 0, "{}{}", done.out, done.err);
    for solver in ["z3", "cvc5"] {
        let done = pnet(&["recheck", folder.text(), model, "--solver", solver]);
        assert_eq!(done.status, 0, "{}{}", done.out, done.err);
        assert!(done.out.contains("3 claims with "), "{}", done.out);
        assert!(done.out.contains(", 0 contradicted, 0 unknown"), "{}", done.out);
    }
    // What was found says what it takes: without it, nothing is proved.
    change(&folder.file("invariant.pnet"), |text| text.replace("    y mod 5 != 3;\n", ""));
    let done = pnet(&["recheck", folder.text(), model]);
    assert_ne!(done.status, 0, "{}{}", done.out, done.err);
}

// ---- solvers ----

#[test]
fn what_can_be_satisfied_is_contradicted() {
    let folder = lamps("contradicted");
    let script = "(set-logic ALL)\n(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n";
    let path = folder.file("obligation-0002.smt2");
    let old = checksum(&std::fs::read(&path).unwrap());
    std::fs::write(&path, script).unwrap();
    let new = checksum(script.as_bytes());
    change(&folder.file("certificate.json"), |text| text.replace(&old, &new));
    for solver in ["z3", "cvc5"] {
        let done = pnet(&["recheck", folder.text(), "--solver", solver]);
        assert_eq!(done.status, 1, "{}{}", done.out, done.err);
        let line = format!("obligation-0002.smt2: `{solver}` answers sat, not unsat");
        assert!(done.out.contains(&line), "{}", done.out);
        assert!(done.out.contains(", 1 contradicted, 0 unknown"), "{}", done.out);
    }
}

#[test]
fn a_solver_that_is_not_there_or_does_not_answer() {
    let folder = lamps("solver");
    let done = pnet(&["recheck", folder.text(), "--solver", "no-such-solver --fast"]);
    assert_eq!(done.status, 2, "{}", done.out);
    assert!(done.err.contains("cannot start the solver `no-such-solver`"), "{}", done.err);
    let done = pnet(&["recheck", folder.text(), "--solver", " "]);
    assert_eq!(done.status, 2, "{}", done.out);
    assert!(done.err.contains("say which solver"), "{}", done.err);
    let done = pnet(&["recheck", folder.text(), "--solver", "true"]);
    assert_eq!(done.status, 3, "{}{}", done.out, done.err);
    assert!(done.out.contains("answers nothing that can be understood"), "{}", done.out);
}

#[test]
fn a_folder_without_certificates() {
    let folder = Folder::new("empty");
    let done = folder.recheck();
    assert_eq!(done.status, 2, "{}", done.out);
    assert!(done.err.contains("there is no certificate in"), "{}", done.err);
    let gone = folder.0.join("gone");
    let done = pnet(&["recheck", gone.to_str().unwrap()]);
    assert_eq!(done.status, 2, "{}", done.out);
    assert!(done.err.contains("cannot read"), "{}", done.err);
}

/// A second run leaves nothing of the first one, and nothing else is touched.
#[test]
fn old_certificates_are_removed() {
    let folder = Folder::new("twice");
    let (two, one) = (folder.0.join("two.pnet"), folder.0.join("one.pnet"));
    std::fs::write(&two, format!("{LAMPS}check refines(Data, States);\n")).unwrap();
    std::fs::write(&one, LAMPS).unwrap();
    let proofs = folder.0.join("proofs");
    let proofs_text = proofs.to_str().unwrap();
    let verify = |model: &std::path::Path| {
        pnet(&["verify", model.to_str().unwrap(), "--certificate", proofs_text]);
        let mut names: Vec<String> = std::fs::read_dir(&proofs)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    };
    assert_eq!(verify(&two), ["001", "002"]);
    std::fs::write(proofs.join("notes"), "mine").unwrap();
    assert_eq!(verify(&one), ["001", "notes"]);
}

// ---- manipulations ----

/// A counter to `N`, against one that counts downwards, and a lamp that is filled in.
const COUNTERS: &str = "\
const N: Int;
action tick, ring;

interface Ticks { tick }

process Up {
    var n: Int = 0;
    init state s;

    s -> s : tick when n < N do n := n + 1;
    s -> s : ring when n == N do n := 0;
}

process Down {
    var n: Int = N;
    init state s;

    s -> s : tick when n > 0 do n := n - 1;
    s -> s : ring when n == 0 do n := N;
}

process Clock {
    init state s;

    s -> s : tick;
}

net Around(P: Ticks) {
    <P: tick> -> tick;
}

check bisimilar(Up, Down);
check refines(Up, Down);
check nonblocking(Around(P: Clock));

invariant Few of Up {
    0 <= n;
    n <= N;
}

check always(Up, n <= N) by Few;
check not reaches(Up, n > N) by Few;
";

struct Proofs(Folder);

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let (path, to) = (entry.as_ref().unwrap().path(), to.join(entry.unwrap().file_name()));
        if path.is_dir() {
            copy(&path, &to);
        } else {
            std::fs::copy(&path, &to).unwrap();
        }
    }
}

impl Proofs {
    fn new(name: &str) -> Proofs {
        static FIRST: OnceLock<Proofs> = OnceLock::new();
        let folder = Folder::new(name);
        copy(&FIRST.get_or_init(|| Proofs::made(Folder::kept("certificates"))).0.0, &folder.0);
        Proofs(folder)
    }

    /// Proofs that others are copies of.
    fn made(folder: Folder) -> Proofs {
        std::fs::write(folder.0.join("model.pnet"), COUNTERS).unwrap();
        let proofs = Proofs(folder);
        let (model, out) = (proofs.path("model.pnet"), proofs.path("proofs"));
        let done = pnet(&["verify", &model, "--set", "N=3", "--certificate", &out]);
        assert_eq!(done.status, 0, "{}{}", done.out, done.err);
        assert!(proofs.0.0.join("proofs/005/certificate.json").exists(), "{}", done.out);
        proofs
    }

    fn path(&self, name: &str) -> String {
        self.0.0.join(name).to_str().unwrap().to_owned()
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.0.join("proofs").join(name)
    }

    fn recheck(&self) -> Done {
        pnet(&["recheck", &self.path("proofs"), &self.path("model.pnet")])
    }

    fn list(&self, number: &str) -> Value {
        let path = self.file(number).join("certificate.json");
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
    }

    /// Writes a list in which all files that are there are listed, with their hashes.
    fn adjust(&self, number: &str, mut list: Value) {
        let folder = self.file(number);
        let mut names: Vec<String> = std::fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name != "certificate.json")
            .collect();
        names.sort();
        let file = |name: &String| {
            let hash = checksum(&std::fs::read(folder.join(name)).unwrap());
            serde_json::json!({ "file": name, "hash": hash })
        };
        list["obligations"] = names.iter().filter(|name| name.ends_with(".smt2")).count().into();
        list["files"] = names.iter().map(file).collect();
        std::fs::write(folder.join("certificate.json"), format!("{list:#}\n")).unwrap();
    }

    /// Whether the solver alone confirms it, and the model does not.
    #[track_caller]
    fn is_noticed(&self, words: &str) {
        let done = self.recheck();
        assert_ne!(done.status, 0, "{}", done.out);
        let all = format!("{}{}", done.out, done.err);
        assert!(all.contains(words), "it does not say {words:?}: {all}");
    }
}

fn rename(folder: &Path, from: &str, to: &str) {
    std::fs::rename(folder.join(from), folder.join(to)).unwrap();
}

#[test]
fn what_was_not_changed_is_confirmed() {
    let proofs = Proofs::made(Folder::new("unchanged"));
    let done = proofs.recheck();
    assert_eq!(done.status, 0, "{}{}", done.out, done.err);
    assert!(done.out.starts_with("check bisimilar(Up, Down) with N=3\n"), "{}", done.out);
    assert!(!done.out.contains("only the solver's part"), "{}", done.out);
    assert!(!done.out.contains("without a certificate"), "{}", done.out);
    let alone = pnet(&["recheck", &proofs.path("proofs")]);
    assert_eq!(alone.status, 0, "{}{}", alone.out, alone.err);
    assert!(alone.out.contains("only the solver's part was checked"), "{}", alone.out);
    // The same again is the same, byte for byte.
    let again = proofs.path("again");
    pnet(&["verify", &proofs.path("model.pnet"), "--set", "N=3", "--certificate", &again]);
    for number in ["001", "002", "003", "004", "005"] {
        for entry in std::fs::read_dir(proofs.file(number)).unwrap() {
            let path = entry.unwrap().path();
            let other = Path::new(&again).join(number).join(path.file_name().unwrap());
            assert_eq!(std::fs::read(&path).unwrap(), std::fs::read(other).unwrap());
        }
    }
}

#[test]
fn other_settings_and_options_are_noticed() {
    let proofs = Proofs::new("settings");
    let whole = proofs.list("001");
    for settings in [serde_json::json!(["N=4"]), serde_json::json!([])] {
        let mut list = whole.clone();
        list["settings"] = settings;
        proofs.adjust("001", list);
        proofs.is_noticed("is not confirmed");
    }
    for settings in [serde_json::json!(["M=4"]), serde_json::json!(["N=four"])] {
        let mut list = whole.clone();
        list["settings"] = settings;
        proofs.adjust("001", list);
        proofs.is_noticed("the settings do not fit the model");
    }
    let mut list = whole;
    list["options"]["refine"] = "much".into();
    proofs.adjust("001", list);
    proofs.is_noticed("is not confirmed");
}

#[test]
fn another_model_is_noticed() {
    let proofs = Proofs::new("model");
    change(&proofs.0.0.join("model.pnet"), |text| text.replace("n == N do", "n >= N do"));
    proofs.is_noticed("it was written for another model");
    // With the hash of the changed model, what follows from it is not what is there.
    let model = std::fs::read(proofs.0.0.join("model.pnet")).unwrap();
    let mut list = proofs.list("001");
    for file in list["model"].as_array_mut().unwrap() {
        if file["file"].as_str().unwrap().ends_with("model.pnet") {
            file["hash"] = checksum(&model).into();
        }
    }
    proofs.adjust("001", list);
    proofs.is_noticed("is not what the model comes to");
}

#[test]
fn another_relation_is_noticed() {
    for (number, weaker) in [("001", "(s, s);"), ("003", "")] {
        let proofs = Proofs::new(&format!("relation-{number}"));
        change(&proofs.file(number).join("relation.pnet"), |text| {
            let open = text.find('{').unwrap();
            format!("{}{{\n    {weaker}\n}}\n", &text[..open])
        });
        proofs.adjust(number, proofs.list(number));
        proofs.is_noticed("is not confirmed");
    }
    // Nothing else comes in with it.
    let proofs = Proofs::new("relation-more");
    change(&proofs.file("001").join("relation.pnet"), |text| format!("axiom false;\n{text}"));
    proofs.adjust("001", proofs.list("001"));
    proofs.is_noticed("is not one relation");
}

#[test]
fn another_invariant_is_noticed() {
    let proofs = Proofs::new("invariant");
    let whole = proofs.list("004");
    for (claim, words) in [
        ("check always(Up, n < N) by Few", "is not confirmed"),
        ("check always(Down, n <= N) by Few", "is not confirmed"),
        ("check not always(Up, n <= N) by Few", "has no certificate"),
        ("check reaches(Up, n <= N) by Few", "have no certificates"),
        ("check not reaches(Up, n <= N) by Few", "is not confirmed"),
        ("check deadlock_free(Up) by Few", "is not confirmed"),
    ] {
        let mut list = whole.clone();
        list["claim"] = claim.into();
        proofs.adjust("004", list);
        proofs.is_noticed(words);
    }
    proofs.adjust("004", whole);
    assert_eq!(proofs.recheck().status, 0);
    change(&proofs.file("004").join("invariant.pnet"), |text| text.replace("0 <= n", "1 <= n"));
    proofs.adjust("004", proofs.list("004"));
    proofs.is_noticed("is not what the model comes to");
}

#[test]
fn another_claim_is_noticed() {
    let proofs = Proofs::new("claim");
    let whole = proofs.list("002");
    for (claim, words) in [
        ("check bisimilar(Up, Down)", "is not confirmed"),
        ("check refines(Down, Up)", "is not confirmed"),
        ("check refines(Up, Clock)", "is not confirmed"),
        ("check refines(Up, Down); axiom false", "is no check"),
        ("check  refines(Up, Down)", "is not written as it would be"),
        ("check not refines(Up, Down)", "has no certificate"),
        ("check size(Up) == (1, 2)", "have no certificates"),
        ("all is well", "is no check"),
    ] {
        let mut list = whole.clone();
        list["claim"] = claim.into();
        proofs.adjust("002", list);
        proofs.is_noticed(words);
    }
    let mut list = whole;
    list["asked"] = "compare".into();
    proofs.adjust("002", list);
    proofs.is_noticed("the kind of claim");
}

#[test]
fn obligations_that_are_dropped_repeated_or_swapped_are_noticed() {
    let last = |proofs: &Proofs, number: &str| {
        let count = proofs.list(number)["obligations"].as_u64().unwrap();
        format!("obligation-{count:04}.smt2")
    };
    for number in ["001", "003"] {
        let proofs = Proofs::new(&format!("dropped-{number}"));
        std::fs::remove_file(proofs.file(number).join(last(&proofs, number))).unwrap();
        proofs.adjust(number, proofs.list(number));
        proofs.is_noticed("is not confirmed");

        let proofs = Proofs::new(&format!("repeated-{number}"));
        let folder = proofs.file(number);
        std::fs::copy(folder.join("obligation-0001.smt2"), folder.join(last(&proofs, number)))
            .unwrap();
        proofs.adjust(number, proofs.list(number));
        proofs.is_noticed("is not what the model comes to");

        let proofs = Proofs::new(&format!("more-{number}"));
        let folder = proofs.file(number);
        std::fs::copy(folder.join("obligation-0001.smt2"), folder.join("obligation-9999.smt2"))
            .unwrap();
        proofs.adjust(number, proofs.list(number));
        proofs.is_noticed("is not confirmed");
    }
    let proofs = Proofs::new("swapped");
    let (one, two) = (proofs.file("001"), proofs.file("002"));
    rename(&one, "obligation-0002.smt2", "kept");
    std::fs::copy(two.join("obligation-0002.smt2"), one.join("obligation-0002.smt2")).unwrap();
    std::fs::copy(one.join("kept"), two.join("obligation-0002.smt2")).unwrap();
    std::fs::remove_file(one.join("kept")).unwrap();
    proofs.adjust("001", proofs.list("001"));
    proofs.adjust("002", proofs.list("002"));
    proofs.is_noticed("is not what the model comes to");
}

#[test]
fn an_automaton_that_was_edited_is_noticed() {
    for number in ["001", "003"] {
        for name in ["first.json", "second.json"] {
            let proofs = Proofs::new(&format!("automaton-{number}-{name}"));
            change(&proofs.file(number).join(name), |text| text.replacen("tick", "ring", 1));
            proofs.adjust(number, proofs.list(number));
            proofs.is_noticed("is not what the model comes to");
        }
    }
}

#[test]
fn a_certificate_of_another_check_is_noticed() {
    let proofs = Proofs::new("copied");
    let (one, two) = (proofs.file("001"), proofs.file("002"));
    std::fs::remove_dir_all(&two).unwrap();
    std::fs::create_dir(&two).unwrap();
    for entry in std::fs::read_dir(&one).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, two.join(path.file_name().unwrap())).unwrap();
    }
    proofs.is_noticed("this one is repeated");
    std::fs::remove_dir_all(&two).unwrap();
    let done = proofs.recheck();
    assert_eq!(done.status, 0, "{}{}", done.out, done.err);
    assert!(done.out.contains("without a certificate: check refines(Up, Down)"), "{}", done.out);
}

#[test]
fn bytes_that_are_nothing_are_errors() {
    let deep = "[".repeat(100_000);
    for (at, bytes) in
        [&b""[..], b"\xff\xfe\x00", deep.as_bytes(), b"{\"claim\": "].into_iter().enumerate()
    {
        for name in ["certificate.json", "relation.pnet", "first.json", "obligation-0001.smt2"] {
            let proofs = Proofs::new(&format!("bytes-{at}-{name}"));
            let list = proofs.list("001");
            std::fs::write(proofs.file("001").join(name), bytes).unwrap();
            if name != "certificate.json" {
                proofs.adjust("001", list);
            }
            let done = proofs.recheck();
            assert_eq!(done.status, 2, "{name}: {}{}", done.out, done.err);
        }
    }
    let proofs = Proofs::new("folder");
    std::fs::remove_file(proofs.file("001/first.json")).unwrap();
    std::fs::create_dir(proofs.file("001/first.json")).unwrap();
    proofs.is_noticed("it is no file");
}
