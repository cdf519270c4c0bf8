//! SPIN, as a yardstick: the verifier that it makes of a model, and what that says.
//!
//! The verifier is made as for a full search of all states: without its reduction, and without looking for cycles. What
//! compiling takes is not counted.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::process::{Spent, run};

/// A verifier that SPIN made.
pub struct Pan(PathBuf);

/// What a verifier says.
#[derive(Clone, Copy, Debug)]
pub struct Verified {
    pub states: u64,
    pub transitions: u64,
    /// What it calls the actual memory usage for states, in bytes.
    pub bytes: f64,
    pub spent: Spent,
}

/// Whether a command is there.
fn have(command: &str) -> bool {
    let mut asked = Command::new(command);
    let silent = asked.arg("-V").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    silent.status().is_ok()
}

/// What is missing, in words.
pub fn missing() -> Option<String> {
    let missing: Vec<&str> = ["spin", "gcc"].into_iter().filter(|name| !have(name)).collect();
    (!missing.is_empty()).then(|| format!("{} missing: `make setup-bench`", missing.join(" and ")))
}

impl Pan {
    /// Makes the verifier of `benches/models/promela/MODEL.pml`, with these macros.
    pub fn new(model: &str, name: &str, macros: &[&str]) -> Pan {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("spin").join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/models/promela");
        std::fs::copy(models.join(format!("{model}.pml")), folder.join("model.pml")).unwrap();
        made(Command::new("spin").current_dir(&folder).arg("-a").args(macros).arg("model.pml"));
        let flags = ["-O2", "-w", "-DNOREDUCE", "-DSAFETY", "-o", "pan", "pan.c"];
        made(Command::new("gcc").current_dir(&folder).args(flags));
        Pan(folder.join("pan"))
    }

    /// A full search.
    pub fn verify(&self) -> Verified {
        let mut command = Command::new(&self.0);
        command.current_dir(self.0.parent().unwrap()).args(["-E", "-m5000000"]);
        let (said, spent) = run(&mut command);
        let number = |after: &str| number_before(&said, after);
        Verified {
            states: number(" states, stored") as u64,
            transitions: number(" transitions (= stored+matched)") as u64,
            bytes: number("actual memory usage for states") * f64::from(1 << 20),
            spent,
        }
    }
}

fn made(command: &mut Command) {
    let done = command.stdin(Stdio::null()).output().unwrap();
    assert!(done.status.success(), "{command:?}: {}", String::from_utf8_lossy(&done.stderr));
}

/// The number that stands before some words.
fn number_before(said: &str, words: &str) -> f64 {
    let line = said.lines().find(|line| line.contains(words));
    let line =
        line.unwrap_or_else(|| panic!("`{words}` is not in what the verifier says:\n{said}"));
    let before = line.split(words).next().unwrap_or_default();
    before.split_whitespace().last().unwrap_or_default().parse().unwrap()
}
