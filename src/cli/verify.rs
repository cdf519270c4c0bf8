//! `pnet verify`

use serde_json::json;

use super::check::check_file;
use super::generation::Generation;
use super::output::{Format, Reporting, complain};
use super::watch::Terminal;
use super::{STATUS_ERROR, STATUS_REFUTED, STATUS_UNKNOWN};
use crate::driver::{self, Checked};
use crate::generate::Watch;
use crate::sema::program::CheckDef;
use crate::verify::{self, Evidence, Options, Outcome, Verdict};

/// Options of `pnet verify`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
                  pnet verify model.pnet               run the checks of a model\n  \
                  pnet verify model.pnet --set N=4     with a constant fixed\n  \
                  pnet verify model.pnet --format json one JSON object a check\n\n\
                  A verdict is `proved`, `refuted` with the reason, or `unknown` with the reason.\n\
                  Exit status: 0 all proved, 1 some refuted, 3 some unknown and none refuted,\n\
                  2 the model has errors.")]
pub(super) struct Args {
    /// The models; `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Show the relation that a proof found, as an item that can be put into the model
    #[arg(long)]
    relations: bool,
    #[command(flatten)]
    generation: Generation,
    #[command(flatten)]
    reporting: Reporting,
}

/// How many checks ended how.
#[derive(Default)]
struct Tally {
    proved: usize,
    refuted: usize,
    unknown: usize,
    errors: usize,
}

pub(super) fn run(args: &Args) -> u8 {
    let levels = match args.reporting.levels() {
        Ok(levels) => levels,
        Err(problem) => {
            complain(&problem);
            return STATUS_ERROR;
        }
    };
    let watch = Terminal::new();
    let mut tally = Tally::default();
    let options =
        Options { elaborate: args.generation.elaborate(), generate: args.generation.generate() };
    for path in &args.files {
        match check_file(path, &args.reporting, &levels) {
            Some(checked) if !checked.has_errors() => {
                verify_file(args, path, &checked, &options, &watch, &mut tally);
            }
            _ => tally.errors += 1,
        }
    }
    if args.reporting.format == Format::Human {
        println!("{}", tally.summary());
    }
    tally.status()
}

fn verify_file(
    args: &Args,
    path: &str,
    checked: &Checked,
    options: &Options,
    watch: &Terminal,
    tally: &mut Tally,
) {
    for check in driver::checks(checked) {
        let before = watch.seconds();
        let verdict = if watch.stopped() {
            Ok(Verdict::Unknown("stopped before it was looked at".to_owned()).into())
        } else {
            verify::run(checked, check, options, watch)
        };
        watch.clear();
        match verdict {
            Ok(outcome) => {
                tally.count(&outcome.verdict);
                show(args, path, checked, check, &outcome, watch.seconds() - before);
            }
            Err(problems) => {
                tally.errors += 1;
                args.reporting.write(&problems, &checked.sources);
            }
        }
    }
}

/// The text of a check, on one line.
fn text(checked: &Checked, check: &CheckDef) -> String {
    let text = checked.sources.text(check.span);
    text.split_whitespace().collect::<Vec<_>>().join(" ").trim_end_matches(';').to_owned()
}

fn show(
    args: &Args,
    path: &str,
    checked: &Checked,
    check: &CheckDef,
    outcome: &Outcome,
    seconds: f64,
) {
    let text = text(checked, check);
    let verdict = &outcome.verdict;
    let evidence = match &outcome.evidence {
        Evidence::None => None,
        Evidence::Relation(text) => args.relations.then_some(text),
        Evidence::Play(text) => Some(text),
    };
    match args.reporting.format {
        Format::Human => {
            println!("{:8} {text}: {}", verdict.word(), verdict.reason());
            for line in evidence.into_iter().flat_map(|text| text.lines()) {
                println!("         {line}");
            }
        }
        Format::Json => {
            let file = checked.sources.file_of(check.span);
            let line = file.map(|file| file.position(check.span.start).line);
            let object = json!({
                "file": path, "line": line, "check": text, "verdict": verdict.word(),
                "reason": verdict.reason(), "evidence": match &outcome.evidence {
                    Evidence::None => serde_json::Value::Null,
                    Evidence::Relation(text) => json!({ "relation": text }),
                    Evidence::Play(text) => json!({ "play": text.lines().collect::<Vec<_>>() }),
                },
                "seconds": seconds,
            });
            println!("{object}");
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

    fn status(&self) -> u8 {
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
