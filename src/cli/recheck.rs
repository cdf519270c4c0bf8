//! `pnet recheck`

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::files::in_words;
use super::output::{complain, write_line};
use super::watch::{is_interrupted, listen};
use super::{STATUS_ERROR, STATUS_REFUTED, STATUS_UNKNOWN};
use crate::verify::{MANIFEST, checksum};

/// Options of `pnet recheck`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
                  pnet verify model.pnet --certificate proofs   prove, and write down what the proofs rest on\n  \
                  pnet recheck proofs                           have z3 confirm every obligation\n  \
                  pnet recheck proofs --solver cvc5             have another solver do it\n  \
                  pnet recheck proofs --solver \"yices-smt2 --incremental\"\n\n\
                  Exit status: 0 everything is confirmed, 1 something is not, 3 a solver did not know,\n\
                  2 the certificate cannot be read or is not whole.")]
pub(super) struct Args {
    /// The folder that `pnet verify --certificate` wrote
    #[arg(value_name = "DIR")]
    folder: String,
    /// The solver: `z3`, `cvc5` (which is asked with `--enum-inst`), or a command that takes a file
    #[arg(long, default_value = "z3", value_name = "COMMAND")]
    solver: String,
    /// How long the solver may think about one obligation, in seconds
    #[arg(long, default_value_t = 30, value_name = "SECONDS")]
    timeout: u64,
}

#[derive(Default)]
struct Tally {
    confirmed: usize,
    contradicted: usize,
    unknown: usize,
}

pub(super) fn run(args: &Args) -> u8 {
    listen();
    let mut tally = Tally::default();
    match recheck(args, &mut tally) {
        Err(problem) => {
            complain(&problem);
            STATUS_ERROR
        }
        Ok(claims) => {
            let total = tally.confirmed + tally.contradicted + tally.unknown;
            write_line(&format!(
                "{} with {}: {} confirmed by `{}`, {} contradicted, {} unknown",
                counted(claims, "claim"),
                counted(total, "obligation"),
                tally.confirmed,
                args.solver,
                tally.contradicted,
                tally.unknown
            ));
            match (tally.contradicted, tally.unknown) {
                (0, 0) => 0,
                (0, _) => STATUS_UNKNOWN,
                _ => STATUS_REFUTED,
            }
        }
    }
}

/// `1 claim`, `2 claims`
fn counted(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// Replays all certificates in a folder; says how many claims there are.
fn recheck(args: &Args, tally: &mut Tally) -> Result<usize, String> {
    let root = Path::new(&args.folder);
    let mut folders: Vec<PathBuf> = vec![root.to_path_buf()];
    let entries = std::fs::read_dir(root)
        .map_err(|problem| format!("cannot read `{}`: {}", args.folder, in_words(&problem)))?;
    folders.extend(entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()));
    folders.sort();
    folders.retain(|folder| folder.join(MANIFEST).is_file());
    if folders.is_empty() {
        return Err(format!(
            "there is no certificate in `{}`; `pnet verify FILE --certificate DIR` writes one",
            args.folder
        ));
    }
    for folder in &folders {
        one(args, folder, tally)?;
    }
    Ok(folders.len())
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path)
        .map_err(|problem| format!("cannot read `{}`: {}", path.display(), in_words(&problem)))
}

/// Replays one certificate.
fn one(args: &Args, folder: &Path, tally: &mut Tally) -> Result<(), String> {
    let path = folder.join(MANIFEST);
    let damaged = || format!("`{}` is damaged: it is no list of files", path.display());
    let manifest: serde_json::Value =
        serde_json::from_slice(&read(&path)?).map_err(|_| damaged())?;
    let claim = manifest["claim"].as_str().ok_or_else(damaged)?;
    let files = manifest["files"].as_array().ok_or_else(damaged)?;
    let scripts = files.iter().filter_map(|file| file["file"].as_str());
    let scripts = scripts.filter(|name| name.ends_with(".smt2")).count();
    if scripts == 0 || manifest["obligations"].as_u64() != Some(scripts as u64) {
        return Err(format!("`{}` is not whole: it does not list all obligations", path.display()));
    }
    write_line(claim);
    for file in files {
        let name = file["file"].as_str().ok_or_else(damaged)?;
        let plain = !name.contains(['/', '\\']) && name != "..";
        if !plain {
            return Err(damaged());
        }
        let path = folder.join(name);
        if file["checksum"].as_str() != Some(checksum(&read(&path)?).as_str()) {
            return Err(format!(
                "`{}` is not as it was written: its checksum is wrong",
                path.display()
            ));
        }
        if name.ends_with(".smt2") {
            let answer = ask(args, &path)?;
            match answer.as_str() {
                "unsat" => tally.confirmed += 1,
                "sat" => tally.contradicted += 1,
                _ => tally.unknown += 1,
            }
            if answer != "unsat" {
                write_line(&format!("  {name}: `{}` answers {answer}, not unsat", args.solver));
            }
        }
    }
    Ok(())
}

/// What a solver answers about a script: the first word of its output that is an answer.
fn ask(args: &Args, path: &Path) -> Result<String, String> {
    if is_interrupted() {
        return Ok("nothing, since it was stopped".to_owned());
    }
    // By itself, cvc5 gives up on some conditions with quantifiers that it can decide.
    let solver = if args.solver.trim() == "cvc5" { "cvc5 --enum-inst" } else { &args.solver };
    let mut words = solver.split_whitespace();
    let program = words.next().ok_or("say which solver, for example `--solver cvc5`")?;
    let mut running = Command::new(program)
        .args(words)
        .arg(path)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|problem| {
            format!("cannot start the solver `{program}`: {}", in_words(&problem))
        })?;
    let started = Instant::now();
    let limit = Duration::from_secs(args.timeout);
    while matches!(running.try_wait(), Ok(None)) {
        if started.elapsed() > limit || is_interrupted() {
            let _ = running.kill();
            let _ = running.wait();
            let why =
                if is_interrupted() { "nothing before it was stopped" } else { "nothing in time" };
            return Ok(why.to_owned());
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let output = running.wait_with_output().map_err(|problem| in_words(&problem))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let answer =
        text.lines().map(str::trim).find(|line| ["sat", "unsat", "unknown"].contains(line));
    Ok(answer.unwrap_or("nothing that can be understood").to_owned())
}
