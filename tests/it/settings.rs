//! `--set`: values of all sorts that have some, errors with a place, and several files at once.

use std::path::{Path, PathBuf};
use std::process::Command;

/// What a command did.
struct Done {
    status: i32,
    out: String,
    err: String,
}

impl Done {
    #[track_caller]
    fn says(&self, status: i32, words: &[&str]) -> &Done {
        let all = format!("{}{}", self.out, self.err);
        assert_eq!(self.status, status, "{all}");
        for word in words {
            assert!(all.contains(word), "it does not say {word:?}:\n{all}");
        }
        self
    }

    #[track_caller]
    fn never_says(&self, words: &[&str]) -> &Done {
        let all = format!("{}{}", self.out, self.err);
        for word in words {
            assert!(!all.contains(word), "it says {word:?}:\n{all}");
        }
        self
    }
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("settings").join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        for (file, text) in files {
            std::fs::write(path.join(file), text).unwrap();
        }
        Folder(path)
    }

    fn pnet(&self, args: &[&str]) -> Done {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pnet"));
        let done = command.args(args).current_dir(&self.0).output().unwrap();
        Done {
            status: done.status.code().expect("it was killed"),
            out: String::from_utf8(done.stdout).unwrap(),
            err: String::from_utf8(done.stderr).unwrap(),
        }
    }
}

/// What it can do depends on each of its constants.
const MODEL: &str = "\
enum Mode { idle, fast, slow }
data Message { Ping, Pkt(seq: Int) }
sort Key;

const N: Int;
const loud: Bool;
const mode: Mode;
const message: Message;
const key: Key;
const known: Int = 3;

action number, horn, quick, packet;

process Machine {
    init state s;

    s -> s : number when N == -2;
    s -> s : horn   when loud;
    s -> s : quick  when mode == fast;
    s -> s : packet when message == Pkt(7);
}
";

fn machine(name: &str) -> Folder {
    Folder::new(name, &[("machine.pnet", MODEL)])
}

#[test]
fn values_of_each_sort() {
    let folder = machine("values");
    let size = |settings: &[&str]| {
        let mut args = vec!["build", "machine.pnet", "--emit", "stats"];
        for setting in settings {
            args.extend(["--set", setting]);
        }
        let done = folder.pnet(&args);
        assert_eq!(done.status, 0, "{settings:?}: {}", done.err);
        let stats: serde_json::Value = serde_json::from_str(&done.out).unwrap();
        stats["transitions"].as_u64().unwrap()
    };
    assert_eq!(size(&[]), 4);
    let off = ["N=2", "loud=false", "mode=slow", "message=Ping"];
    let on = ["N=-2", "loud=true", "mode=fast", "message=Pkt(7)"];
    for at in 0..off.len() {
        assert_eq!(size(&[off[at]]), 3, "{}", off[at]);
        let mut others = off.to_vec();
        others[at] = on[at];
        assert_eq!(size(&others), 1, "{others:?}");
    }
    assert_eq!(size(&["N = 2 * 3 - 8", "loud=not false", "mode= fast", "message=Pkt(3 + 4)"]), 4);
}

#[test]
fn what_cannot_be_set_is_said_with_its_place() {
    let folder = machine("errors");
    let cases: &[(&str, &[&str])] = &[
        ("nr=4", &["there is no constant `nr` to set in `machine.pnet`", "--set:1:1"]),
        ("laud=true", &["there is no constant `laud`", "did you mean `loud`?"]),
        ("known=4", &["`known` cannot be set: it has a value already", "machine.pnet:10:7"]),
        ("N=four", &["`four` is no value of `N`, which is of sort `Int`", "a whole number"]),
        ("N=true", &["`true` is no value of `N`"]),
        ("N=4 5", &["`4 5` is no value of `N`"]),
        ("N=4; const X: Int = 3", &["is no value of `N`"]),
        ("N=1 div 0", &["`1 div 0` is no value of `N`"]),
        ("loud=1", &["`1` is no value of `loud`, which is of sort `Bool`", "`true` or `false`"]),
        ("mode=quick", &["`quick` is no value of `mode`", "`idle`, `fast`, `slow`"]),
        ("mode=fsst", &["did you mean `fast`?"]),
        ("message=Pkt", &["`Pkt` is no value of `message`"]),
        ("message=Pkt(true)", &["`Pkt(true)` is no value of `message`"]),
        ("key=k", &["values of sort `Key` cannot be written"]),
    ];
    for (setting, words) in cases {
        let done = folder.pnet(&["build", "machine.pnet", "--emit", "stats", "--set", setting]);
        done.says(2, &["error[E0109]"]).says(2, words).never_says(&["std.prelude"]);
    }
    let twice = ["build", "machine.pnet", "--emit", "stats", "--set", "N=1", "--set", "N=2"];
    folder.pnet(&twice).says(2, &["`N` is set twice"]);
}

#[test]
fn constants_of_imported_modules() {
    let one = "const N: Int; const M: Int;\n";
    let two = "const M: Int;\n";
    let model = "import \"one.pnet\" as one; import \"two.pnet\" as two;
        action a; process P { init state s; s -> s : a when one.N + one.M + two.M == 6; }";
    let folder =
        Folder::new("imported", &[("one.pnet", one), ("two.pnet", two), ("m.pnet", model)]);
    let stats = |settings: &[&str]| {
        let mut args = vec!["build", "m.pnet", "--emit", "stats"];
        settings.iter().for_each(|setting| args.extend(["--set", setting]));
        folder.pnet(&args)
    };
    stats(&["N=1", "one.M=2", "two.M=3"]).says(0, &["\"transitions\": 1"]);
    stats(&["N=1", "one.M=2", "two.M=4"]).says(0, &["\"transitions\": 0"]);
    let several = ["there are several constants `M` to set", "one.pnet:1:21", "two.pnet:1:7"];
    stats(&["M=2"]).says(2, &several);
    stats(&["three.M=2"]).says(2, &["there is no constant `three.M` to set"]);
}

const COUNTER: &str = "\
const N: Int;
action tick;

process Counter {
    init state s;

    s -> s : tick when N == 2;
}

check size(Counter) == (1, 1);
";

const LAMP: &str = "\
action on;

process Lamp {
    init state dark;
    state lit;

    dark -> lit : on;
}

check size(Lamp) == (2, 1);
";

#[test]
fn several_files_of_which_some_have_the_constant() {
    let folder = Folder::new("several", &[("counter.pnet", COUNTER), ("lamp.pnet", LAMP)]);
    let done = folder.pnet(&["verify", "lamp.pnet", "counter.pnet", "--set", "N=2"]);
    let expected = "\
lamp.pnet:
proved   check size(Lamp) == (2, 1): 2 states and 1 open transition
counter.pnet:
proved   check size(Counter) == (1, 1): 1 state and 1 open transition
2 checks: 2 proved
";
    assert_eq!((done.status, done.out.as_str()), (0, expected), "{}", done.err);
    let done = folder.pnet(&["verify", "lamp.pnet", "counter.pnet", "--set", "N=3"]);
    done.says(1, &["refuted  check size(Counter)", "proved   check size(Lamp)"]);
    let done = folder.pnet(&["verify", "lamp.pnet", "counter.pnet", "--set", "M=3"]);
    done.says(2, &["there is no constant `M` to set in `lamp.pnet`, `counter.pnet`"]);
    done.never_says(&["proved", "refuted"]);
    assert_eq!(done.err.matches("error[E0109]").count(), 1, "{}", done.err);
    // One file needs no name.
    let done = folder.pnet(&["verify", "counter.pnet", "--set", "N=2"]);
    done.says(0, &["1 check: 1 proved"]).never_says(&["counter.pnet:\n"]);
}
