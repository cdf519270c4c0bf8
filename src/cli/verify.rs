//! `pnet verify`

use std::time::Duration;

use serde_json::json;

use super::check::check_file;
use super::files::in_words;
use super::generation::Generation;
use super::output::{Format, Reporting, complain, write_line};
use super::watch::Terminal;
use super::{STATUS_ERROR, STATUS_REFUTED, STATUS_UNKNOWN};
use crate::driver::{self, Checked};
use crate::sema::program::CheckDef;
use crate::verify::{self, Certificate, Evidence, Options, Outcome, Verdict};

/// Options of `pnet verify`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
                  pnet verify model.pnet               run the checks of a model\n  \
                  pnet verify model.pnet --set N=4     with a constant fixed\n  \
                  pnet verify model.pnet --format json one JSON object a check\n  \
                  pnet verify model.pnet --compose     from the automata of the parts\n\n\
                  A verdict is `proved`, `refuted` with the reason, or `unknown` with the reason.\n\
                  Exit status: 0 all proved, 1 some refuted, 3 some unknown and none refuted,\n\
                  2 the model has errors.")]
pub(super) struct Args {
    /// The models; `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    #[command(flatten)]
    checking: Checking,
}

/// How checks are run, and what is shown and written of them.
#[derive(clap::Args)]
pub(super) struct Checking {
    /// Write what each proof rests on into this folder; `pnet recheck` replays it
    #[arg(long, value_name = "DIR")]
    certificate: Option<String>,
    /// Show what a proof found: the relation, as an item that can be put into the model, or the reachability predicate
    #[arg(long)]
    relations: bool,
    /// How long a check may take, in seconds; 0 for any time
    #[arg(long, value_name = "SECONDS", default_value = "300", value_parser = patience)]
    timeout: f64,
    #[command(flatten)]
    generation: Generation,
    #[command(flatten)]
    pub reporting: Reporting,
}

/// Seconds; 0 for any time.
fn patience(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=1_000_000_000.0).contains(&seconds) => Ok(seconds),
        _ => Err("give a time in seconds, for example 60, or 0 for any time".to_owned()),
    }
}

impl Checking {
    fn options(&self) -> Options {
        Options {
            elaborate: self.generation.elaborate(),
            generate: self.generation.generate(),
            certificates: self.certificate.is_some(),
            compose: self.generation.compose,
        }
    }

    /// What an earlier run wrote is not mixed with what this one writes.
    pub fn prepare(&self) {
        if let Some(folder) = &self.certificate {
            remove_certificates(folder);
        }
    }

    fn time(&self) -> Option<Duration> {
        (self.timeout > 0.0).then(|| Duration::from_secs_f64(self.timeout))
    }
}

/// How many checks ended how.
#[derive(Default)]
pub(super) struct Tally {
    proved: usize,
    refuted: usize,
    unknown: usize,
    errors: usize,
    certificates: usize,
}

pub(super) fn run(args: &Args) -> u8 {
    let levels = match args.checking.reporting.levels() {
        Ok(levels) => levels,
        Err(problem) => {
            complain(&problem);
            return STATUS_ERROR;
        }
    };
    let watch = Terminal::new();
    let mut tally = Tally::default();
    let shown = &args.checking;
    args.checking.prepare();
    for path in &args.files {
        match check_file(path, None, &args.checking.reporting, &levels) {
            Some(checked) if !checked.has_errors() => {
                let checks = driver::checks(&checked);
                verify_checks(shown, path, &checked, &checks, &watch, &mut tally);
            }
            _ => tally.errors += 1,
        }
    }
    if args.checking.reporting.format == Format::Human {
        write_line(&tally.summary());
    }
    tally.status()
}

/// Runs the last check of a file.
pub(super) fn verify_last(
    shown: &Checking,
    path: &str,
    checked: &Checked,
    watch: &Terminal,
    tally: &mut Tally,
) {
    let checks = driver::checks(checked);
    let last = checks.len().saturating_sub(1);
    verify_checks(shown, path, checked, &checks[last..], watch, tally);
}

fn verify_checks(
    shown: &Checking,
    path: &str,
    checked: &Checked,
    checks: &[&CheckDef],
    watch: &Terminal,
    tally: &mut Tally,
) {
    let options = shown.options();
    for &check in checks {
        let before = watch.seconds();
        watch.within(shown.time());
        let verdict = if watch.is_interrupted() {
            Ok(Verdict::Unknown("stopped before it was looked at".to_owned()).into())
        } else {
            verify::run(checked, check, &options, watch)
        };
        watch.clear();
        match verdict {
            Ok(mut outcome) => {
                if let Verdict::Unknown(why) = &mut outcome.verdict
                    && watch.is_late()
                {
                    *why = format!("the time was up after {} s: {why}", shown.timeout);
                }
                tally.count(&outcome.verdict);
                if let (Some(folder), Some(certificate)) =
                    (&shown.certificate, &outcome.certificate)
                {
                    tally.certificates += 1;
                    let place = format!("{folder}/{:03}", tally.certificates);
                    if let Err(problem) = write_certificate(&place, certificate) {
                        complain(&problem);
                        tally.errors += 1;
                    }
                }
                show(shown, path, checked, check, &outcome, watch.seconds() - before);
            }
            Err(problems) => {
                tally.errors += 1;
                shown.reporting.write(&problems, &checked.sources);
            }
        }
    }
}

/// Removes the certificates of an earlier run: nothing but what these list.
fn remove_certificates(folder: &str) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for place in entries.filter_map(Result::ok).map(|entry| entry.path()) {
        let number = place.file_name().and_then(|name| name.to_str());
        if !number.is_some_and(|name| name.len() >= 3 && name.bytes().all(|b| b.is_ascii_digit())) {
            continue;
        }
        let manifest = place.join(verify::MANIFEST);
        let Ok(text) = std::fs::read_to_string(&manifest) else { continue };
        let Ok(list) = serde_json::from_str::<serde_json::Value>(&text) else { continue };
        if list["format"] != "pnet-certificate" {
            continue;
        }
        let names = list["files"].as_array().into_iter().flatten();
        for name in names.filter_map(|file| file["file"].as_str()) {
            if !name.contains(['/', '\\']) {
                let _ = std::fs::remove_file(place.join(name));
            }
        }
        let _ = std::fs::remove_file(&manifest);
        // Only if nothing else is in it.
        let _ = std::fs::remove_dir(&place);
    }
}

/// Writes the files of a certificate.
fn write_certificate(folder: &str, certificate: &Certificate) -> Result<(), String> {
    let complain = |path: &str, problem: &std::io::Error| {
        format!("cannot write `{path}`: {}", in_words(problem))
    };
    std::fs::create_dir_all(folder).map_err(|problem| complain(folder, &problem))?;
    for (name, text) in &certificate.files {
        let path = format!("{folder}/{name}");
        std::fs::write(&path, text).map_err(|problem| complain(&path, &problem))?;
    }
    Ok(())
}

fn show(
    shown: &Checking,
    path: &str,
    checked: &Checked,
    check: &CheckDef,
    outcome: &Outcome,
    seconds: f64,
) {
    let text = verify::claim(checked, check);
    let verdict = &outcome.verdict;
    let evidence = match &outcome.evidence {
        Evidence::None => None,
        Evidence::Relation(text) | Evidence::Predicate(text) => shown.relations.then_some(text),
        Evidence::Play(story) => Some(&story.text),
    };
    match shown.reporting.format {
        Format::Human => {
            write_line(&format!("{:8} {text}: {}", verdict.word(), verdict.reason()));
            for line in evidence.into_iter().flat_map(|text| text.lines()) {
                write_line(&format!("         {line}"));
            }
            for note in &outcome.notes {
                write_line(&format!("         note: {note}"));
            }
        }
        Format::Json => {
            // What was asked on the command line has no line in the file.
            let file = checked.sources.file_of(check.span).filter(|file| file.name() == path);
            let line = file.map(|file| file.position(check.span.start).line);
            let object = json!({
                "file": path, "line": line, "check": text, "verdict": verdict.word(),
                "reason": verdict.reason(), "evidence": match &outcome.evidence {
                    Evidence::None => serde_json::Value::Null,
                    Evidence::Relation(text) => json!({ "relation": text }),
                    Evidence::Predicate(text) => json!({ "predicate": text.lines().collect::<Vec<_>>() }),
                    Evidence::Play(story) => json!({
                        "play": story.text.lines().collect::<Vec<_>>(), "with": story.with,
                        "begins": story.begins, "steps": story.steps,
                    }),
                },
                "notes": outcome.notes, "seconds": seconds,
            });
            write_line(&object.to_string());
        }
    }
}

impl Tally {
    fn count(&mut self, verdict: &Verdict) {
        match verdict {
            Verdict::Proved(_) => self.proved += 1,
            Verdict::Refuted(_) => self.refuted += 1,
            Verdict::Unknown(_) => self.unknown += 1,
        }
    }

    fn summary(&self) -> String {
        let total = self.proved + self.refuted + self.unknown;
        let checks = if total == 1 { "1 check".to_owned() } else { format!("{total} checks") };
        let mut parts = vec![format!("{} proved", self.proved)];
        let others =
            [(self.refuted, "refuted"), (self.unknown, "unknown"), (self.errors, "with errors")];
        parts.extend(others.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")));
        format!("{checks}: {}", parts.join(", "))
    }

    pub(super) fn status(&self) -> u8 {
        if self.errors > 0 {
            STATUS_ERROR
        } else if self.refuted > 0 {
            STATUS_REFUTED
        } else if self.unknown > 0 {
            STATUS_UNKNOWN
        } else {
            0
        }
    }
}
