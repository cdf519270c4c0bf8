//! Explorations that do not come to their end: limits, Ctrl-C, a full disk, a closed pipe. What is said then is clear, the
//! status is right, and nothing half-written has the name of something whole.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// Counters that go round freely, very many of them, or few.
const CYCLIC: &str = "benches/models/cyclic.pnet";

/// How long something may take that should come soon; machines that run tests are busy.
const PATIENCE: Duration = Duration::from_secs(300);

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("explore_ends").join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn command(args: &[&str]) -> Command {
    let mut pnet = Command::new(env!("CARGO_BIN_EXE_pnet"));
    pnet.args(args).current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null());
    pnet.stdout(Stdio::piped()).stderr(Stdio::piped());
    pnet
}

/// The status, what was written and what was said.
fn done(output: Output) -> (i32, String, String) {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().expect("it was killed"), text(output.stdout), text(output.stderr))
}

fn pnet(args: &[&str]) -> (i32, String, String) {
    done(command(args).output().unwrap())
}

/// Starts it, interrupts it once something is so, and waits for its end.
fn interrupted(args: &[&str], mut ready: impl FnMut() -> bool) -> (i32, String, String) {
    let child = command(args).spawn().unwrap();
    let (id, started) = (child.id().to_string(), Instant::now());
    let waiting = std::thread::spawn(move || child.wait_with_output().unwrap());
    let mut sent = false;
    while !waiting.is_finished() {
        if !sent && ready() {
            Command::new("kill").args(["-INT", &id]).status().unwrap();
            sent = true;
        }
        if started.elapsed() > PATIENCE {
            Command::new("kill").args(["-KILL", &id]).status().unwrap();
            panic!("it did not end");
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    assert!(sent, "it ended before it could be interrupted");
    done(waiting.join().unwrap())
}

/// After half a second.
fn soon() -> impl FnMut() -> bool {
    let started = Instant::now();
    move || started.elapsed() > Duration::from_millis(500)
}

/// What ends an exploration that would take years, and what is said then.
const LIMITS: [(&[&str], &str); 4] = [
    (&["--timeout", "0.5"], "the time was up after 0.5 s"),
    (&["--most-states", "1000"], "`--most-states` allows no more"),
    (&["--depth", "5"], "`--depth` allows no more"),
    (&["--memory", "60M"], "memory ran out: "),
];

/// Those that can be tried here: how much memory is used is known on Linux.
fn limits() -> impl Iterator<Item = (&'static [&'static str], &'static str)> {
    let known = cfg!(target_os = "linux");
    LIMITS.into_iter().filter(move |(args, _)| known || args[0] != "--memory")
}

const ENDLESS: &str = "Cyclic<250, 30>";

// ---- figures ----

#[test]
fn a_limit_is_named_and_nothing_is_called_complete() {
    for (limit, why) in limits() {
        let (status, out, err) = pnet(&[&["explore", CYCLIC, ENDLESS], limit].concat());
        assert_eq!(status, 3, "{limit:?}: {out}{err}");
        assert!(out.contains(" so far, "), "{limit:?}: {out}");
        assert!(out.contains(&format!("not everything was looked at: {why}")), "{limit:?}: {out}");
        assert_eq!(err, "", "{limit:?}");
    }
}

#[test]
fn a_limit_is_named_for_programs() {
    for (limit, why) in limits() {
        let asked = ["explore", CYCLIC, ENDLESS, "--format", "json"];
        let (status, out, err) = pnet(&[&asked[..], limit].concat());
        assert_eq!(status, 3, "{limit:?}: {out}{err}");
        let told: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(told["complete"], false, "{limit:?}");
        assert!(told["ended"].as_str().unwrap().starts_with(why), "{limit:?}: {out}");
        assert!(told["states"].as_u64().unwrap() >= 30, "{limit:?}: {out}");
    }
}

#[test]
fn a_limit_on_states_is_kept_to() {
    let told = |limit: &str| {
        let asked = ["explore", CYCLIC, "Cyclic<9, 2>", "--format", "json", "--most-states", limit];
        let (status, out, _) = pnet(&asked);
        (status, serde_json::from_str::<Value>(&out).unwrap())
    };
    for enough in ["101", "100"] {
        let (status, all) = told(enough);
        assert_eq!(
            (status, &all["complete"]),
            (0, &true.into()),
            "there are a hundred, and no more"
        );
        assert_eq!(all["states"], 100, "{all}");
    }
    let (status, some) = told("99");
    assert_eq!((status, &some["complete"]), (3, &false.into()));
    assert!(some["states"].as_u64().unwrap() <= 100, "{some}");
}

#[test]
fn ctrl_c_ends_an_exploration_with_what_was_seen() {
    for more in [&[][..], &["--depth-first"], &["--jobs", "2"]] {
        let args = [&["explore", CYCLIC, ENDLESS], more].concat();
        let (status, out, err) = interrupted(&args, soon());
        assert_eq!(status, 3, "{more:?}: {out}{err}");
        assert!(out.contains(" so far, "), "{more:?}: {out}{err}");
        assert!(out.contains("not everything was looked at: stopped"), "{more:?}: {out}{err}");
    }
}

// ---- checks ----

/// A file with a claim about counters that would take years to settle by looking at all configurations.
fn claims(name: &str) -> String {
    let model = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(CYCLIC));
    let model = model.unwrap() + "check always(Cyclic<250, 30>, C[0].c + C[1].c < 400);\n";
    let path = folder(name).join("claims.pnet");
    std::fs::write(&path, model).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn checks_that_meet_a_limit_are_unknown() {
    let path = claims("checks");
    for (limit, why) in limits() {
        for more in [&[][..], &["--depth-first"]] {
            let asked = ["verify", &path, "--engine", "explicit", "--reduce", "none"];
            let (status, out, err) = pnet(&[&asked[..], limit, more].concat());
            assert_eq!(status, 3, "{limit:?}: {out}{err}");
            assert!(!out.contains("proved ") && !out.contains("refuted "), "{limit:?}: {out}");
            let why = match limit[0] {
                "--most-states" | "--depth" => "looked at",
                _ => why,
            };
            assert!(out.contains(why), "{limit:?} {more:?}: {out}{err}");
        }
    }
}

#[test]
fn ctrl_c_leaves_a_check_unknown() {
    let path = claims("interrupted_check");
    let args = ["verify", &path, "--engine", "explicit", "--reduce", "none"];
    let (status, out, err) = interrupted(&args, soon());
    assert_eq!(status, 3, "{out}{err}");
    assert!(out.contains("stopped"), "{out}{err}");
}

// ---- labelled transition systems ----

/// That a file is as it was, and nothing stands beside it.
#[track_caller]
fn untouched(file: &Path, before: Option<&str>) {
    assert_eq!(std::fs::read_to_string(file).ok().as_deref(), before);
    let beside = std::fs::read_dir(file.parent().unwrap()).unwrap().count();
    assert_eq!(beside, usize::from(before.is_some()), "something is left");
}

#[test]
fn what_meets_a_limit_writes_no_system() {
    let folder = folder("limits");
    let file = folder.join("system.aut");
    for before in [None, Some("what was there\n")] {
        before.into_iter().for_each(|text| std::fs::write(&file, text).unwrap());
        for (limit, why) in limits() {
            let path = file.to_str().unwrap();
            let asked = ["explore", CYCLIC, ENDLESS, "--emit", "aut", "-o", path];
            let (status, out, err) = pnet(&[&asked[..], limit].concat());
            assert_eq!((status, out.as_str()), (3, ""), "{limit:?}: {err}");
            let said = "nothing was written, since not everything was looked at: ";
            assert!(err.contains(&format!("{said}{why}")), "{limit:?}: {err}");
            untouched(&file, before);
        }
    }
}

#[test]
fn ctrl_c_while_a_system_is_written_leaves_no_file() {
    let folder = folder("interrupted");
    let (file, part) = (folder.join("system.aut"), folder.join("system.aut.part"));
    let writing = || std::fs::metadata(&part).is_ok_and(|known| known.len() > 0);
    let args = ["explore", CYCLIC, "Cyclic<600, 2>", "--emit", "aut", "-o", file.to_str().unwrap()];
    let (status, out, err) = interrupted(&args, writing);
    assert_eq!((status, out.as_str()), (3, ""), "{err}");
    assert!(err.contains("nothing was written: stopped"), "{err}");
    untouched(&file, None);
}

#[test]
fn a_whole_system_has_its_name() {
    let folder = folder("whole");
    let file = folder.join("system.aut");
    let path = file.to_str().unwrap();
    let (status, out, err) =
        pnet(&["explore", CYCLIC, "Cyclic<9, 2>", "--emit", "aut", "-o", path]);
    assert_eq!((status, out.as_str(), err.as_str()), (0, "", ""));
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(text.lines().next(), Some("des (0, 200, 100)"));
    assert_eq!(text.lines().count(), 201);
    untouched(&file, Some(&text));
}

// ---- the outside world ----

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    let small = ["explore", CYCLIC, "Cyclic<9, 2>"];
    let large = ["explore", CYCLIC, "Cyclic<200, 2>", "--emit", "aut"];
    let onto = [&large[..], &["-o", "/dev/full"]].concat();
    let (status, out, err) = pnet(&onto);
    assert_eq!((status, out.as_str()), (2, ""), "{err}");
    assert!(err.contains("cannot write `/dev/full`: "), "{err}");
    let device = std::fs::metadata("/dev/full").unwrap();
    assert!(!device.is_file() && !Path::new("/dev/full.part").exists(), "a device stays one");
    let json = [&small[..], &["--format", "json"]].concat();
    for args in [&small[..], &json, &[&small[..], &["--emit", "aut"]].concat(), &large] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let (status, _, err) = done(command(args).stdout(full).output().unwrap());
        assert_eq!(status, 2, "{args:?}: {err}");
        assert!(err.contains("cannot write to standard output: "), "{args:?}: {err}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_fills_the_disk_leaves_no_file() {
    let folder = folder("full");
    let file = folder.join("system.aut");
    for before in [None, Some("what was there\n")] {
        before.into_iter().for_each(|text| std::fs::write(&file, text).unwrap());
        // A file may have eight blocks; then writing fails, as it does where there is no more room.
        let limited = "trap '' XFSZ; ulimit -f 8; exec \"$@\"";
        let mut shell = Command::new("sh");
        shell.args(["-c", limited, "sh", env!("CARGO_BIN_EXE_pnet")]);
        shell.args(["explore", CYCLIC, "Cyclic<200, 2>", "--emit", "aut", "-o"]).arg(&file);
        shell.current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null());
        let (status, out, err) = done(shell.output().unwrap());
        assert_eq!((status, out.as_str()), (2, ""), "{err}");
        assert!(err.contains(&format!("cannot write `{}`: ", file.display())), "{err}");
        untouched(&file, before);
    }
}

#[test]
fn a_folder_that_is_not_there_is_reported() {
    let file = folder("missing").join("nowhere").join("system.aut");
    let path = file.to_str().unwrap();
    let (status, _, err) = pnet(&["explore", CYCLIC, "Cyclic<9, 2>", "--emit", "aut", "-o", path]);
    assert_eq!(status, 2, "{err}");
    assert!(err.contains(&format!("cannot write `{path}`: ")), "{err}");
}

#[test]
fn a_closed_pipe_is_no_reason_to_complain() {
    let figures = ["explore", CYCLIC, "Cyclic<9, 2>"];
    let system = ["explore", CYCLIC, "Cyclic<200, 2>", "--emit", "aut"];
    for (args, expected) in [(&figures[..], 2), (&system, 0)] {
        let mut running = command(args).spawn().unwrap();
        drop(running.stdout.take());
        let (status, _, err) = done(running.wait_with_output().unwrap());
        assert_eq!((status, err.as_str()), (expected, ""), "{args:?}");
    }
}

#[test]
fn a_system_is_not_written_in_depth() {
    let asked = ["explore", CYCLIC, "Cyclic<9, 2>", "--emit", "aut", "--depth-first"];
    let (status, out, err) = pnet(&asked);
    assert_eq!((status, out.as_str()), (2, ""), "{err}");
    assert!(err.contains("--emit") && err.contains("--depth-first"), "{err}");
}

/// Digits take memory, too: a number that doubles in every step is told, and does not take all of it.
#[test]
fn numbers_that_double_end_the_exploration() {
    let file = folder("doubles").join("doubles.pnet");
    let text = "action see(Int);
        process Doubles { var n: Int = 1; init state s; s -> s : tau do n := 2 * n; s -> s : see(n); }
        check always(Doubles, n >= 1);";
    std::fs::write(&file, text).unwrap();
    let (status, said, err) = pnet(&["explore", &file.display().to_string(), "Doubles"]);
    assert_eq!(status, 3, "{said}{err}");
    assert!(said.contains("an integer grows beyond 30,000 bits"), "{said}{err}");
    let (status, answer, _) = pnet(&["verify", &file.display().to_string()]);
    assert_eq!(status, 0, "{answer}");
}
