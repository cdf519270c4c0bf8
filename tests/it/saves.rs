//! `pnet watch`: a file is saved again and again, and what it says each time is what is different.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

const MODEL: &str = "\
action tick;

process Clock {
    var n: Int = 0;
    init state s;

    s -> s : tick when n < 3 do n := n + 1;
}

check always(Clock, n <= 3);
";

/// How long to wait for a line: others work, too.
const PATIENCE: Duration = Duration::from_secs(60);

struct Watched {
    child: Child,
    path: PathBuf,
    lines: Receiver<String>,
}

impl Watched {
    fn new(name: &str, text: &str, more: &[&str]) -> Watched {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("saves_{name}.pnet"));
        std::fs::write(&path, text).unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_pnet"))
            .arg("watch")
            .arg(&path)
            .args(more)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (send, lines) = channel();
        let (out, err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        let theirs = send.clone();
        std::thread::spawn(move || {
            BufReader::new(out).lines().map_while(Result::ok).for_each(|line| _ = send.send(line));
        });
        std::thread::spawn(move || {
            BufReader::new(err)
                .lines()
                .map_while(Result::ok)
                .for_each(|line| _ = theirs.send(line));
        });
        Watched { child, path, lines }
    }

    fn save(&self, text: &str) {
        std::fs::write(&self.path, text).unwrap();
    }

    /// What is said up to a line that begins so.
    fn until(&self, start: &str) -> Vec<String> {
        let mut said = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => said.push(line),
                Err(why) => panic!("no line begins with `{start}` ({why}): {said:#?}"),
            }
            if said.last().is_some_and(|line| line.starts_with(start)) {
                return said;
            }
        }
    }

    /// What is said up to lines that begin so, in any order: one may be on standard output, and one on standard error.
    fn both(&self, one: &str, other: &str) -> Vec<String> {
        let mut said = Vec::new();
        let has = |said: &[String], start: &str| said.iter().any(|line| line.starts_with(start));
        while !has(&said, one) || !has(&said, other) {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => said.push(line),
                Err(why) => panic!("no lines begin with `{one}` and `{other}` ({why}): {said:#?}"),
            }
        }
        said
    }

    /// Ctrl-C; whether that was the end, and all was well.
    fn interrupt(mut self) -> bool {
        let id = self.child.id().to_string();
        Command::new("kill").args(["-INT", &id]).status().unwrap();
        let started = Instant::now();
        while started.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.success();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill();
        false
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn what_a_save_changes_is_told() {
    let watched = Watched::new("changes", MODEL, &[]);
    watched.until("watching ");
    watched.until("no problems");
    watched.save(&MODEL.replace(": tick when", ": tock when"));
    let said = watched.until("1 error: 1 new, 0 gone");
    assert!(said.iter().any(|line| line.contains("error[N0203]")), "{said:#?}");
    // A line more: what it says is what it said.
    watched.save(&MODEL.replace(": tick when", ": tock when").replace("\n\ncheck", "\n\n\ncheck"));
    let said = watched.until("1 error, as before");
    assert_eq!(said.len(), 1, "{said:#?}");
    watched.save(MODEL);
    let said = watched.until("no problems: 0 new, 1 gone");
    assert!(said[0].starts_with("gone: [N0203]"), "{said:#?}");
    assert!(watched.interrupt());
}

#[test]
fn verdicts_that_are_different_are_told() {
    let watched = Watched::new("verdicts", MODEL, &["--verify"]);
    watched.until("proved   check always(Clock, n <= 3): ");
    watched.save(&MODEL.replace("when n < 3", "when n < 4"));
    let said =
        watched.both("refuted  check always(Clock, n <= 3): ", "1 check: 1 different, 0 as before");
    assert!(said.iter().any(|line| line.ends_with(" (was proved)")), "{said:#?}");
    watched.save(&MODEL.replace("when n < 3", "when n < 5"));
    let said = watched.until("1 check: 0 different, 1 as before");
    assert!(!said.iter().any(|line| line.starts_with("refuted")), "{said:#?}");
    assert!(watched.interrupt());
}

/// A check that would take long does not keep the next save waiting.
#[test]
fn a_save_stops_what_runs() {
    let long =
        MODEL.replace("when n < 3 ", "when n < 100000000 ").replace("n <= 3", "n <= 99999999");
    let watched = Watched::new("stops", &long, &["--verify", "--timeout", "0"]);
    watched.until("no problems");
    std::thread::sleep(Duration::from_millis(500));
    watched.save(MODEL);
    watched.until("proved   check always(Clock, n <= 3): ");
    assert!(watched.interrupt());
}

#[test]
fn a_file_that_goes_and_comes_back() {
    let watched = Watched::new("gone", MODEL, &[]);
    watched.until("no problems");
    std::fs::remove_file(&watched.path).unwrap();
    watched.until("`");
    watched.save(&MODEL.replace("var n: Int", "var m: Int"));
    let said = watched.until("3 errors, 1 warning: 4 new, 0 gone");
    assert!(said.iter().any(|line| line.contains("error[")), "{said:#?}");
    assert!(watched.interrupt());
}

#[test]
fn what_cannot_be_watched() {
    for file in ["-", "no_such_model.pnet", "some.aut"] {
        let done = Command::new(env!("CARGO_BIN_EXE_pnet")).args(["watch", file]).output().unwrap();
        assert_eq!(done.status.code(), Some(2), "{file}");
        assert!(String::from_utf8_lossy(&done.stderr).contains(file), "{file}");
    }
}

/// An import that is saved, goes and comes back.
#[test]
fn imports_are_watched() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let library = folder.join("saves_imported.pnet");
    std::fs::write(&library, "module imported;\naction tick;\n").unwrap();
    let model = MODEL.replace("action tick;", "import \"./saves_imported.pnet\";");
    let watched = Watched::new("importing", &model, &[]);
    watched.until("no problems");
    std::fs::write(&library, "module imported;\naction tock;\n").unwrap();
    let said = watched.until("1 error: 1 new, 0 gone");
    assert!(said.iter().any(|line| line.contains("error[N0203]")), "{said:#?}");
    std::fs::remove_file(&library).unwrap();
    let said = watched.until("1 error: 1 new, 1 gone");
    assert!(said.iter().any(|line| line.contains("error[N0101]")), "{said:#?}");
    std::fs::write(&library, "module imported;\naction tick;\n").unwrap();
    watched.until("no problems: 0 new, 1 gone");
    assert!(watched.interrupt());
}

/// Programs that empty a file before they write it are not told that all its problems are gone.
#[test]
fn a_file_that_is_being_written() {
    let wrong = MODEL.replace(": tick when", ": tock when");
    let watched = Watched::new("written", &wrong, &[]);
    watched.until("1 error");
    for turn in 0..12 {
        watched.save("");
        std::thread::sleep(Duration::from_millis(30));
        watched.save(&format!("{wrong}// {turn}\n"));
        std::thread::sleep(Duration::from_millis(170));
    }
    watched.save(MODEL);
    let said = watched.until("no problems: 0 new, 1 gone");
    let gone = said.iter().filter(|line| line.starts_with("gone: ")).count();
    assert_eq!(gone, 1, "{said:#?}");
    assert!(watched.interrupt());
}

/// A model that takes too long is said to be late once, and is looked at again when it is saved.
#[test]
fn a_model_that_is_late() {
    let watched = Watched::new("late", MODEL, &["--verify", "--timeout", "0.4"]);
    watched.until("proved   check always(Clock, n <= 3): ");
    let long = MODEL
        .replace("when n < 3 ", "when n < 1000000000 ")
        .replace("always(Clock, n <= 3)", "deadlock_free(Clock)");
    watched.save(&long);
    watched.until("unknown  check deadlock_free(Clock): ");
    watched.save(MODEL);
    watched.until("proved   check always(Clock, n <= 3): ");
    assert!(watched.interrupt());
}
