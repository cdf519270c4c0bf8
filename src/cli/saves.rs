//! `pnet watch`: checks a model again whenever it is saved, or something that it imports, and tells what is different.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::json;

use super::STATUS_ERROR;
use super::check::{counted, open_session};
use super::files::{self, Disk};
use super::output::{Format, Reporting, complain, write_line};
use super::systems::is_system;
use super::verify::{duration, patience};
use super::watch::{Terminal, Working, is_interrupted};
use crate::base::{Spent, Watch};
use crate::diagnostics::{Changes, Diagnostic, Levels, Severity, Told};
use crate::emit::outcome as words;
use crate::loader::Reads;
use crate::model::{Checked, ModelOptions};
use crate::outcome::{Outcome, Reason, Verdict};
use crate::session::Session;
use crate::verify::{self, ModelClaim};

/// How often files are looked at.
const PAUSE: Duration = Duration::from_millis(300);

/// A file that is as it was for so long has been written to its end: many programs empty a file before they write it.
const SETTLED: Duration = Duration::from_millis(80);

/// Who writes a file again and again is not waited for longer than so many times.
const MOST_CHANGES: usize = 20;

/// A file that is gone for so many looks is gone; for fewer, an editor is about to write it.
const PATIENCE: usize = 5;

/// Options of `pnet watch`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
                  pnet watch model.pnet             what each save changes, until Ctrl-C\n  \
                  pnet watch model.pnet --verify    and which verdicts are different\n\n\
                  The first time everything is shown, and then only what is new and what is gone.\n\
                  A check that runs when a file is saved is stopped, and begins again.")]
pub(super) struct Args {
    /// The model
    #[arg(value_name = "FILE")]
    file: String,
    /// Run the checks of the model, too
    #[arg(long)]
    verify: bool,
    /// How long a check may take, in seconds; 0 for any time
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = patience)]
    timeout: f64,
    #[command(flatten)]
    reporting: Reporting,
}

pub(super) fn run(args: &'static Args) -> u8 {
    let levels = match args.reporting.levels() {
        Ok(levels) => levels,
        Err(problem) => {
            complain(&problem);
            return STATUS_ERROR;
        }
    };
    if args.file == "-" || is_system(&args.file) {
        complain(&format!("`{}` cannot be watched: give the name of a model", args.file));
        return STATUS_ERROR;
    }
    let (terminal, session) = (Terminal::new(None), open_session());
    let mut watching = Watching { args, levels, terminal, session, told: None, verdicts: None };
    if let Err(why) = session.check(&Disk, &args.file) {
        args.reporting.unreadable(&args.file, &why.to_string());
        return STATUS_ERROR;
    }
    args.reporting.say(&format!("watching `{}` and what it imports; Ctrl-C ends it", args.file));
    watching.go_on();
    0
}

/// What comes of looking at a file.
enum Looked {
    Checked(Arc<Checked>),
    /// It took too long; what was read, where that is known.
    Late(Option<Reads>),
    /// It cannot be read.
    Gone,
}

/// What somebody who watches knows.
struct Watching {
    args: &'static Args,
    levels: Levels,
    terminal: Terminal,
    session: &'static Session,
    /// What was told last time; nothing the first time.
    told: Option<Vec<Told>>,
    /// The verdicts of last time, by the texts of what was asked.
    verdicts: Option<Vec<(String, Verdict)>>,
}

impl Watching {
    fn go_on(&mut self) {
        let mut missing = 0;
        while !is_interrupted() {
            if self.told.is_some() {
                self.settle();
            }
            // What is saved while it is looked at is different from this.
            let before = files::read(&self.args.file).ok();
            match self.look() {
                Looked::Checked(checked) => {
                    missing = 0;
                    while !is_interrupted() && checked.reads.are_current(&Disk) {
                        std::thread::sleep(PAUSE);
                    }
                    self.session.changed(&Disk, &self.args.file);
                }
                // The same text would take as long again: only another one is tried.
                Looked::Late(reads) => {
                    missing = 0;
                    let is_same = || {
                        let now = files::read(&self.args.file).ok();
                        now == before && reads.as_ref().is_none_or(|reads| reads.are_current(&Disk))
                    };
                    while !is_interrupted() && is_same() {
                        std::thread::sleep(PAUSE);
                    }
                    self.session.changed(&Disk, &self.args.file);
                }
                Looked::Gone => {
                    missing += 1;
                    if missing == PATIENCE {
                        let name = &self.args.file;
                        self.args.reporting.say(&format!("`{name}` is gone; waiting for it"));
                    }
                    std::thread::sleep(PAUSE);
                }
            }
        }
    }

    /// Waits until nobody writes the file any more.
    fn settle(&self) {
        let read = || files::read(&self.args.file).ok();
        let mut before = read();
        for _ in 0..MOST_CHANGES {
            std::thread::sleep(SETTLED);
            let now = read();
            if now == before || is_interrupted() {
                return;
            }
            before = now;
        }
    }

    /// Checks once and tells what is different.
    fn look(&mut self) -> Looked {
        let (session, file) = (self.session, &self.args.file);
        let time = duration(self.args.timeout);
        let checked = self.terminal.run(time, move |_: &Working| session.check(&Disk, file));
        let mut checked = match checked {
            Ok(Ok(checked)) => checked,
            Ok(Err(_)) => return Looked::Gone,
            Err(left) => {
                self.late(&left.told());
                return Looked::Late(None);
            }
        };
        if let Some(spent) = &checked.stopped {
            self.late(&spent.to_string());
            return Looked::Late(Some(checked.reads));
        }
        let all = std::mem::take(&mut checked.diagnostics).into_iter();
        checked.diagnostics = all.filter_map(|one| self.levels.apply(one)).collect();
        self.tell(&checked);
        let checked = Arc::new(checked);
        if self.args.verify && !is_interrupted() {
            self.verify(&checked);
        }
        Looked::Checked(checked)
    }

    /// Says that a file was not checked to its end.
    fn late(&self, why: &str) {
        if is_interrupted() {
            return;
        }
        let file = &self.args.file;
        self.args.reporting.say(&format!(
            "`{file}` was not checked: {why}; it is tried again when it is saved (`--timeout` gives it more time)"
        ));
    }

    /// Tells what is new and what is gone.
    fn tell(&mut self, checked: &Checked) {
        let now = checked.diagnostics.iter().map(|one| Told::of(one, &checked.sources));
        let now: Vec<Told> = now.collect();
        let is_first = self.told.is_none();
        let before = self.told.replace(now.clone()).unwrap_or_default();
        let changes = Changes::between(&before, &now);
        let reporting = &self.args.reporting;
        let new: Vec<Diagnostic> =
            changes.new.iter().map(|&place| checked.diagnostics[place].clone()).collect();
        reporting.write(&new, &checked.sources);
        let gone: Vec<&Told> = changes.gone.iter().map(|&place| &before[place]).collect();
        if reporting.format == Format::Json {
            let gone: Vec<_> = gone
                .iter()
                .map(|told| json!({ "code": told.code, "message": told.message, "file": told.file, "line": told.line }))
                .collect();
            let object = json!({ "file": self.args.file, "new": new.len(), "gone": gone, "kept": changes.kept });
            write_line(&object.to_string());
            return;
        }
        for told in gone {
            let Told { code, message, file, line, .. } = told;
            reporting.say(&format!("gone: [{code}] {message} ({file}:{line})"));
        }
        let is_error = |told: &&Told| told.severity == Severity::Error;
        let errors = now.iter().filter(is_error).count();
        let counted = counted(errors, now.len() - errors);
        reporting.say(&match (is_first, changes.is_empty()) {
            (true, _) => counted,
            (false, true) => format!("{counted}, as before"),
            (false, false) => {
                format!("{counted}: {} new, {} gone", changes.new.len(), changes.gone.len())
            }
        });
    }

    /// Runs the checks and scenarios, and tells whose verdicts are different.
    fn verify(&mut self, checked: &Arc<Checked>) {
        if checked.has_errors() {
            self.args.reporting.say("the checks are not run: the model has errors");
            return;
        }
        let count = verify::claims(checked).len();
        let mut now = Vec::with_capacity(count);
        let mut different = 0;
        for place in 0..count {
            let Some(outcome) = self.verdict(checked, place) else { return };
            let claims = verify::claims(checked);
            let Some(claim) = claims.get(place) else { continue };
            let text = claim.text(checked);
            let known = self.verdicts.as_ref().and_then(|all| {
                all.iter().find(|(one, _)| *one == text).map(|(_, verdict)| *verdict)
            });
            if known != Some(outcome.verdict) {
                different += 1;
                self.show(&text, *claim, &outcome, known);
            }
            now.push((text, outcome.verdict));
        }
        let is_first = self.verdicts.is_none();
        let gone = self.verdicts.iter().flatten();
        let gone = gone.filter(|(text, _)| !now.iter().any(|(one, _)| one == text)).count();
        if !is_first {
            let same = now.len() - different;
            let checks = |many: usize| {
                if many == 1 { "1 check".to_owned() } else { format!("{many} checks") }
            };
            let removed =
                if gone > 0 { format!(", {gone} no longer asked") } else { String::new() };
            self.args.reporting.say(&format!(
                "{}: {different} different, {same} as before{removed}",
                checks(now.len())
            ));
        }
        self.verdicts = Some(now);
    }

    fn show(&self, text: &str, claim: ModelClaim<'_>, outcome: &Outcome, known: Option<Verdict>) {
        if self.args.reporting.format == Format::Json {
            let place = (self.args.file.as_str(), None);
            let object = words::object(place, (text, claim.denied()), outcome, 0.0);
            return write_line(&object.to_string());
        }
        let was = known.map_or_else(String::new, |known| format!(" (was {})", known.word()));
        let reason = words::answer(outcome, claim.denied());
        write_line(&format!("{:8} {text}: {reason}{was}", outcome.verdict.word()));
    }

    /// What is found of a claim; nothing where a file was saved meanwhile, or somebody wants to end it.
    fn verdict(&self, checked: &Arc<Checked>, place: usize) -> Option<Outcome> {
        let (session, theirs) = (self.session, Arc::clone(checked));
        let saved = Arc::new(AtomicBool::new(false));
        let noticed = Arc::clone(&saved);
        let work = move |working: &Working| {
            let options = ModelOptions::default();
            let claims = verify::claims(&theirs);
            let claim = claims.get(place)?;
            stop_when_saved(&theirs, working, &noticed, || match claim {
                ModelClaim::Check(check) => session.verify(&theirs, check, &options, working),
                ModelClaim::Scenario(scenario) => {
                    verify::scenario::run(&theirs, scenario, &options, working)
                }
            })
            .into()
        };
        let found = self.terminal.run(duration(self.args.timeout), work);
        if saved.load(Ordering::SeqCst) || is_interrupted() {
            return None;
        }
        match found {
            Ok(Some(Ok(outcome))) => Some(outcome),
            Ok(Some(Err(problems))) => {
                self.args.reporting.write(&problems, &checked.sources);
                Some(Outcome::unknown(Reason::NotLookedAt))
            }
            Ok(None) => None,
            Err(left) => Some(Outcome::unknown(Reason::LeftBehind { why: left.told() })),
        }
    }
}

/// Does something, and has it end when one of the files is saved.
fn stop_when_saved<R>(
    checked: &Checked,
    working: &Working,
    saved: &AtomicBool,
    work: impl FnOnce() -> R,
) -> R {
    let (reads, budget) = (checked.reads.clone(), working.budget());
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::SeqCst) {
                if !reads.are_current(&Disk) {
                    saved.store(true, Ordering::SeqCst);
                    budget.spend(Spent::Interrupted);
                    return;
                }
                std::thread::park_timeout(PAUSE);
            }
        });
        let found = work();
        done.store(true, Ordering::SeqCst);
        found
    })
}
