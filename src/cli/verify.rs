//! `pnet verify`

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::json;

use super::check::{check_watched, open_session};
use super::comparison;
use super::domains::DomainArgs;
use super::exploring::Answering;
use super::files::in_words;
use super::generation::Generation;
use super::memory::Memory;
use super::mona;
use super::output::{Format, Reporting, complain, write_line, write_result};
use super::simulating::{Plainly, Readying, look};
use super::watch::{Terminal, Working, is_interrupted};
use super::{STATUS_ERROR, STATUS_REFUTED, STATUS_UNKNOWN};
use crate::base::Spent;
use crate::diagnostics::{Diagnostic, Levels, Severity};
use crate::elaborate::Settings;
use crate::emit::outcome as words;
use crate::emit::trace::{Look, lanes};
use crate::explore::{EngineChoice, ExploreOptions};
use crate::loader::Question;
use crate::model::{Checked, ModelOptions};
use crate::outcome::{Evidence, Note, Outcome, Reason, RunEnd, Verdict};
use crate::parametric::MonaProgram;
use crate::session::Session;
use crate::verify::{self, Certificate, ModelClaim, Reviews};

/// Options of `pnet verify`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
                  pnet verify model.pnet               run the checks of a model\n  \
                  pnet verify model.pnet --set N=4     with a constant fixed\n  \
                  pnet verify model.pnet --format json one JSON object a check\n  \
                  pnet verify model.pnet --compose     from the automata of the parts\n  \
                  pnet verify model.pnet --check 'always(Ring<5>, S[0].steps >= 0)'    what the model does not ask\n  \
                  pnet verify model.pnet --invariant   and show what each proof rests on\n  \
                  pnet verify model.pnet --engine bounded --timeout 60   look for runs only, with a solver\n\n\
                  A verdict is `proved`, `refuted` with the reason, or `unknown` with the reason.\n\
                  A claim that holds because there is nothing it speaks of is said to be vacuous.\n\
                  Exit status: 0 all proved, or no checks, 1 some refuted, 3 some unknown and none refuted,\n\
                  2 the model has errors.")]
pub(super) struct Args {
    /// The models; `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Answer this check, and not those of the file; can be repeated
    #[arg(long = "check", value_name = "CHECK")]
    checks: Vec<String>,
    #[command(flatten)]
    answering: Answering,
    /// Write each run that a verdict rests on into this folder: `001.json`, which `pnet replay` reads, `001.itf.json`, and
    /// `001.svg`, a sequence chart
    #[arg(long, value_name = "DIR")]
    traces: Option<String>,
    #[command(flatten)]
    checking: Checking,
}

/// How checks are run, and what is shown and written of them.
#[derive(clap::Args)]
pub(super) struct Checking {
    /// Write what each proof rests on into this folder; `pnet recheck` replays it
    #[arg(long, value_name = "DIR")]
    pub certificate: Option<String>,
    /// Show what a proof found: the relation or the invariant, as an item that can be put into the model, or the reachability predicate
    #[arg(long, visible_alias = "invariant")]
    relations: bool,
    /// How long a check may take, and reading a file, in seconds; 0 for any time
    #[arg(long, value_name = "SECONDS", default_value = "300", value_parser = patience)]
    pub timeout: f64,
    #[command(flatten)]
    memory: Memory,
    #[command(flatten)]
    generation: Generation,
    #[command(flatten)]
    pub reporting: Reporting,
}

/// Seconds; 0 for any time.
pub(super) fn patience(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=1_000_000_000.0).contains(&seconds) => Ok(seconds),
        _ => Err("give a time in seconds, for example 60, or 0 for any time".to_owned()),
    }
}

impl Checking {
    fn options(&self, settings: &Settings) -> ModelOptions {
        self.generation.options(settings.clone())
    }

    /// What an earlier run wrote is not mixed with what this one writes.
    pub fn prepare(&self) {
        if let Some(folder) = &self.certificate {
            remove_certificates(Path::new(folder));
        }
    }

    /// What is set in each of these files; nothing where something is wrong with it, which has been reported.
    pub fn settings(&self, files: &mut [&mut Checked]) -> Option<Vec<Settings>> {
        self.generation.settings(files, &self.reporting)
    }

    /// What nets are made ready with.
    pub fn readying<'a>(&'a self, domains: &'a DomainArgs) -> Readying<'a> {
        let (generation, reporting) = (&self.generation, &self.reporting);
        Readying { domains, generation, reporting, unfolding: false }
    }

    /// How many threads work.
    pub fn threads(&self) -> usize {
        self.generation.threads()
    }

    /// Who watches over the checks.
    pub fn terminal(&self) -> Terminal {
        Terminal::new(self.memory.limit())
    }
}

/// A time in seconds; 0 for any.
pub(super) fn duration(seconds: f64) -> Option<Duration> {
    (seconds > 0.0).then(|| Duration::from_secs_f64(seconds))
}

/// A file without errors, and what is set in it.
pub(super) struct Model {
    pub session: &'static Session,
    pub path: &'static str,
    pub checked: &'static Checked,
    pub settings: Settings,
    pub explore: ExploreOptions,
    /// Who runs MONA, if it is asked.
    pub mona: Option<MonaProgram>,
    /// Where runs are written.
    pub traces: Option<&'static str>,
}

/// How many checks and scenarios ended how.
#[derive(Default)]
pub(super) struct Tally {
    checks: usize,
    scenarios: usize,
    proved: usize,
    refuted: usize,
    unknown: usize,
    /// Checks that have no answer because something is wrong with what they are about.
    failed: usize,
    errors: usize,
    /// How many files were not checked to their ends.
    stopped: usize,
    certificates: usize,
    traces: usize,
}

impl Args {
    /// What is asked in the place of the checks of the files.
    fn question(&self) -> Option<Question> {
        (!self.checks.is_empty()).then(|| Question::Checks(self.checks.clone()))
    }
}

pub(super) fn run(args: &'static Args) -> u8 {
    let levels = match args.checking.reporting.levels() {
        Ok(levels) => levels,
        Err(problem) => {
            complain(&problem);
            return STATUS_ERROR;
        }
    };
    let (watch, session) = (args.checking.terminal(), open_session());
    let mut tally = Tally::default();
    let mut read: Vec<(&'static str, Checked)> = Vec::with_capacity(args.files.len());
    for path in &args.files {
        let (reporting, time) = (&args.checking.reporting, duration(args.checking.timeout));
        let asked = (path.as_str(), args.question());
        match check_watched(session, asked, reporting, &levels, (&watch, time)) {
            Ok(checked) => read.push((path, checked)),
            Err(STATUS_UNKNOWN) => tally.stopped += 1,
            Err(_) => tally.errors += 1,
        }
    }
    // Files with errors count as well: what they declare is not unknown.
    let mut files: Vec<&mut Checked> = read.iter_mut().map(|(_, checked)| checked).collect();
    let Some(settings) = args.checking.settings(&mut files) else { return STATUS_ERROR };
    let explore = args.answering.options(args.checking.generation.threads());
    let mona = match explore.engine {
        EngineChoice::Mona => match mona::program(args.checking.memory.limit()) {
            Ok(mona) => Some(mona),
            Err(problem) => {
                complain(&problem);
                return STATUS_ERROR;
            }
        },
        _ => None,
    };
    let models = read.into_iter().zip(settings);
    // What was checked is never given back: work that is left behind may still look at it.
    let models = models.map(|((path, checked), settings)| Model {
        session,
        path,
        checked: Box::leak(Box::new(checked)),
        settings,
        explore: explore.clone(),
        mona,
        traces: args.traces.as_deref(),
    });
    let models: Vec<Model> = models.collect();
    verify_all((&args.checking, &levels), &models, (args.files.len() > 1, &watch), &mut tally);
    // Where nothing was checked, the reason has been said.
    if args.checking.reporting.format == Format::Human && tally.answered() > 0 {
        write_line(&tally.summary());
    }
    tally.status()
}

/// Runs the checks of all files; where there are several, each is named.
fn verify_all(
    (shown, levels): (&'static Checking, &Levels),
    models: &[Model],
    (several, watch): (bool, &Terminal),
    tally: &mut Tally,
) {
    shown.prepare();
    for model in models {
        if model.checked.has_errors() {
            tally.errors += 1;
            continue;
        }
        let mut claims = verify::claims(model.checked);
        if claims.iter().any(|claim| model.checked.is_asked(claim.span())) {
            claims.retain(|claim| model.checked.is_asked(claim.span()));
        }
        let human = shown.reporting.format == Format::Human;
        if claims.is_empty() {
            let object = json!({ "file": model.path, "checks": 0 });
            let line = format!("no checks in {}", model.path);
            write_line(&if human { line } else { object.to_string() });
            continue;
        }
        if several && human {
            write_line(&format!("{}:", model.path));
        }
        verify_claims((shown, levels), model, &claims, watch, tally);
    }
}

/// Runs the last check of a file.
pub(super) fn verify_last(
    (shown, levels): (&'static Checking, &Levels),
    model: &Model,
    watch: &Terminal,
    tally: &mut Tally,
) {
    let checks = model.checked.checks();
    let last: Vec<ModelClaim<'_>> =
        checks.last().copied().map(ModelClaim::Check).into_iter().collect();
    verify_claims((shown, levels), model, &last, watch, tally);
}

fn verify_claims(
    (shown, levels): (&'static Checking, &Levels),
    model: &Model,
    claims: &[ModelClaim<'static>],
    watch: &Terminal,
    tally: &mut Tally,
) {
    let reviews: Arc<Mutex<Reviews>> = Arc::default();
    // What is wrong with the model itself is wrong for every check.
    let mut reported: Vec<Diagnostic> = Vec::new();
    for &claim in claims {
        let before = watch.seconds();
        let verdict = if is_interrupted() {
            Ok((Outcome::unknown(Reason::NotLookedAt), None))
        } else {
            let (session, checked, shared) = (model.session, model.checked, Arc::clone(&reviews));
            let mut options = shown.options(&model.settings);
            options.explore = model.explore.clone();
            options.mona = model.mona;
            let run = move |working: &Working| {
                let check = match claim {
                    ModelClaim::Check(check) => check,
                    ModelClaim::Scenario(scenario) => {
                        let outcome = verify::scenario::run(checked, scenario, &options, working);
                        return outcome.map(|outcome| (outcome, None));
                    }
                };
                let outcome = session.verify(checked, check, &options, working);
                let certified = shown.certificate.is_some().then(|| match &outcome {
                    Ok(outcome) => verify::certify(checked, check, &options, outcome, working),
                    Err(_) => None,
                });
                let mut reviews = shared.lock().unwrap_or_else(PoisonError::into_inner);
                reviews.look(checked, check, &options, working);
                if let Ok(outcome) = &outcome {
                    reviews.sizes(checked, check, outcome, &options, working);
                }
                outcome.map(|outcome| with_certificate(outcome, certified.flatten()))
            };
            let found = watch.run(duration(shown.timeout), run);
            found.unwrap_or_else(|left| {
                make_room(model.checked, left.spent);
                Ok((Outcome::unknown(Reason::LeftBehind { why: left.told() }), None))
            })
        };
        match verdict {
            Ok((outcome, certificate)) => {
                if let Reason::Spent { spent, .. } = outcome.reason {
                    make_room(model.checked, spent);
                }
                tally.count(claim, outcome.verdict);
                if let (Some(folder), Some(certificate)) = (&shown.certificate, certificate) {
                    tally.certificates += 1;
                    let place = format!("{folder}/{:03}", tally.certificates);
                    if let Err(problem) = write_certificate(&place, &certificate) {
                        complain(&problem);
                        tally.errors += 1;
                    }
                }
                if let Err(problem) = write_traces(model, claim, &outcome, tally) {
                    complain(&problem);
                    tally.errors += 1;
                }
                show(shown, model, claim, &outcome, watch.seconds() - before);
            }
            Err(problems) => {
                tally.failed += 1;
                tally.look_at(claim);
                tally.errors += 1;
                let new = |one: &Diagnostic| !reported.iter().any(|known| is_same(known, one));
                let problems: Vec<Diagnostic> = problems.into_iter().filter(new).collect();
                shown.reporting.write(&problems, &model.checked.sources);
                reported.extend(problems);
            }
        }
    }
    // Work that was left behind may hold on to what it reviews: then there is nothing to say of it.
    let said = reviews.try_lock().map_or_else(|_| Vec::new(), |all| all.problems(model.checked));
    let said = said.into_iter();
    let said: Vec<Diagnostic> = said.filter_map(|problem| levels.apply(problem)).collect();
    shown.reporting.write(&said, &model.checked.sources);
    tally.errors += said.iter().filter(|one| one.severity == Severity::Error).count();
}

/// Where a check needs more memory than there is, what was made has to go, so that those who come next have some.
fn make_room(checked: &Checked, spent: Spent) {
    if matches!(spent, Spent::Memory { .. }) {
        checked.made.forget();
    }
}

/// Whether two say the same about one text.
fn is_same(one: &Diagnostic, other: &Diagnostic) -> bool {
    one.entry.code == other.entry.code
        && one.span() == other.span()
        && one.message == other.message
        && one
            .secondary
            .iter()
            .map(|label| label.span)
            .eq(other.secondary.iter().map(|label| label.span))
}

/// An outcome with its certificate, or with the note that there is none.
fn with_certificate(
    mut outcome: Outcome,
    certified: Option<Result<Certificate, Note>>,
) -> (Outcome, Option<Certificate>) {
    match certified {
        None => (outcome, None),
        Some(Ok(certificate)) => (outcome, Some(certificate)),
        Some(Err(note)) => {
            outcome.notes.push(note);
            (outcome, None)
        }
    }
}

/// Removes the certificates of an earlier run: nothing but what these list.
fn remove_certificates(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for place in entries.filter_map(Result::ok).map(|entry| entry.path()) {
        let name = place.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let number = name.strip_prefix("alone-").unwrap_or(name);
        if number.len() < 3 || !number.bytes().all(|b| b.is_ascii_digit()) {
            continue;
        }
        let manifest = place.join(verify::MANIFEST);
        let Ok(text) = std::fs::read_to_string(&manifest) else { continue };
        let Ok(list) = serde_json::from_str::<serde_json::Value>(&text) else { continue };
        if list["format"] != "pnet-certificate" && list["format"] != comparison::FORMAT {
            continue;
        }
        let names = list["files"].as_array().into_iter().flatten();
        for name in names.filter_map(|file| file["file"].as_str()) {
            if !name.contains(['/', '\\']) {
                let _ = std::fs::remove_file(place.join(name));
            }
        }
        let _ = std::fs::remove_file(&manifest);
        remove_certificates(&place);
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
    for (name, part) in &certificate.parts {
        write_certificate(&format!("{folder}/{name}"), part)?;
    }
    Ok(())
}

/// Writes the run that a verdict rests on, where that is wanted.
fn write_traces(
    model: &Model,
    claim: ModelClaim<'_>,
    outcome: &Outcome,
    tally: &mut Tally,
) -> Result<(), String> {
    let (Some(folder), Evidence::Run(trace)) = (model.traces, &outcome.evidence) else {
        return Ok(());
    };
    if trace.components.is_empty() {
        return Ok(());
    }
    tally.traces += 1;
    // A run of one size of many is one with that size.
    let of_size = outcome.notes.iter().find_map(|note| match note {
        Note::Instance { set } => Some(set.clone()),
        _ => None,
    });
    let trace = crate::outcome::Trace {
        set: of_size.unwrap_or_else(|| model.settings.texts(&model.checked.program)),
        domains: model.explore.domains.iter().map(ToString::to_string).collect(),
        end: with_property(model.checked, claim, &trace.end),
        ..(**trace).clone()
    };
    std::fs::create_dir_all(folder)
        .map_err(|problem| format!("cannot write `{folder}`: {}", in_words(&problem)))?;
    for (emit, ending) in
        [(Plainly::Trace, "json"), (Plainly::Itf, "itf.json"), (Plainly::Msc, "svg")]
    {
        let path = format!("{folder}/{:03}.{ending}", tally.traces);
        write_result(&emit.write(&trace), Some(&path))?;
    }
    Ok(())
}

/// The end of a run, with the property that is said to be true or false there: whoever replays it has to know which.
fn with_property(checked: &Checked, claim: ModelClaim<'_>, end: &RunEnd) -> RunEnd {
    let mut end = end.clone();
    if let (RunEnd::Property { property, .. }, ModelClaim::Check(check)) = (&mut end, claim)
        && property.is_none()
    {
        *property = verify::property_text(checked, check);
    }
    end
}

/// What backs a verdict, line by line; a run with a lane for each component, where they are known.
fn evidence(shown: &Checking, evidence: &Evidence) -> Vec<String> {
    match evidence {
        Evidence::Run(trace) if !trace.components.is_empty() => {
            let look = look(&shown.reporting);
            lanes(trace, Look { width: look.width.saturating_sub(INDENT).max(40), ..look })
        }
        evidence => {
            let text = words::evidence(evidence).unwrap_or_default();
            text.lines().map(str::to_owned).collect()
        }
    }
}

/// How far evidence is indented.
const INDENT: usize = 9;

fn show(shown: &Checking, model: &Model, claim: ModelClaim<'_>, outcome: &Outcome, seconds: f64) {
    let (path, checked) = (model.path, model.checked);
    let text = claim.text(checked);
    match shown.reporting.format {
        Format::Human => {
            let reason = words::answer(outcome, claim.denied());
            write_line(&format!("{:8} {text}: {reason}", outcome.verdict.word()));
            let found = matches!(
                outcome.evidence,
                Evidence::Relation(_)
                    | Evidence::Predicate(_)
                    | Evidence::Fixpoints { .. }
                    | Evidence::Invariant(_)
                    | Evidence::Sizes { .. }
            );
            // That a scenario runs, or does not, is what was expected.
            let expected =
                matches!(claim, ModelClaim::Scenario(_)) && outcome.verdict == Verdict::Proved;
            if shown.relations || !found && !expected {
                evidence(shown, &outcome.evidence)
                    .iter()
                    .for_each(|line| write_line(&format!("         {line}")));
            }
            for why in &outcome.vacuous {
                write_line(&format!("         note: vacuous: {}", words::vacuity(why)));
            }
            for note in &outcome.notes {
                write_line(&format!("         note: {}", words::note(note)));
            }
        }
        Format::Json => {
            // What was asked on the command line has no line in the file.
            let file = checked.sources.file_of(claim.span()).filter(|file| file.name() == path);
            let line = file.map(|file| file.position(claim.span().start).line);
            write_line(
                &words::object((path, line), (&text, claim.denied()), outcome, seconds).to_string(),
            );
        }
    }
}

impl Tally {
    fn look_at(&mut self, claim: ModelClaim<'_>) {
        match claim {
            ModelClaim::Check(_) => self.checks += 1,
            ModelClaim::Scenario(_) => self.scenarios += 1,
        }
    }

    fn count(&mut self, claim: ModelClaim<'_>, verdict: Verdict) {
        self.look_at(claim);
        match verdict {
            Verdict::Proved => self.proved += 1,
            Verdict::Refuted => self.refuted += 1,
            Verdict::Unknown => self.unknown += 1,
        }
    }

    fn answered(&self) -> usize {
        self.proved + self.refuted + self.unknown
    }

    fn summary(&self) -> String {
        let kinds = [(self.checks, "check"), (self.scenarios, "scenario")];
        let kinds = kinds.iter().filter(|(count, _)| *count > 0);
        let kinds = kinds.map(|(count, what)| match count {
            1 => format!("1 {what}"),
            _ => format!("{count} {what}s"),
        });
        let claims = kinds.collect::<Vec<_>>().join(" and ");
        let mut parts = vec![format!("{} proved", self.proved)];
        let others =
            [(self.refuted, "refuted"), (self.unknown, "unknown"), (self.failed, "with errors")];
        parts.extend(others.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")));
        format!("{claims}: {}", parts.join(", "))
    }

    pub(super) fn status(&self) -> u8 {
        if self.errors > 0 {
            STATUS_ERROR
        } else if self.refuted > 0 {
            STATUS_REFUTED
        } else if self.unknown + self.stopped > 0 {
            STATUS_UNKNOWN
        } else {
            0
        }
    }
}
