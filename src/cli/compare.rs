//! `pnet compare`

use serde_json::json;

use super::check::{check_watched, open_session};
use super::output::{Format, complain, write_line};
use super::systems::{NotRead, RelationArgs, SystemArgs, is_system, read_system};
use super::verify::{Checking, Model, Tally, duration, verify_last};
use super::watch::Working;
use super::{STATUS_ERROR, STATUS_REFUTED, STATUS_UNKNOWN};
use crate::diagnostics::Levels;
use crate::emit::systems as words;
use crate::loader::{CompareQuestion, Question};
use crate::lts::{self, Equivalence, LtsCompared, LtsQuestion, Seen};

/// Options of `pnet compare`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
                  pnet compare model.pnet EnableState EnableData            step by step the same?\n  \
                  pnet compare model.pnet Spec Impl --weak                  the same but for silent steps?\n  \
                  pnet compare model.pnet 'Ring<5>' 'Ring<6>' --refines     does the first do nothing else?\n  \
                  pnet compare model.pnet Small Large --refines --tracking P,Q\n  \
                  pnet compare model.pnet Impl Spec --weak --refines        the same, with internal steps?\n  \
                  pnet compare model.pnet 'Par(A, B)' C --compose           from the automata of `Par`, A and B\n  \
                  pnet compare model.pnet 'Par(A, B)' 'Par(B, A)' --relations\n\n\
                  pnet compare a.aut b.aut --branching      two labelled transition systems, and no model\n  \
                  pnet compare impl.aut spec.aut --weak-trace --refines\n  \
                  pnet compare impl.aut spec.aut --failures-divergences --refines\n\n\
                  A and B are written as in a `check` item. Two files (.aut) are compared as labelled transition\n\
                  systems: what tells them apart is a shortest trace, or a formula where no trace does: `<a>f`, a\n\
                  step with `a` leads to where f holds; `<<a>>f`, with silent steps around it; `f <a> g`, silent steps\n\
                  through where f holds, then `a` to where g holds; `<tau...>f`, silent steps for ever.\n\
                  Exit status: 0 they compare, 1 they do not, 3 not known, 2 the model or the question has errors.")]
pub(super) struct Args {
    /// The model, `-` for standard input; or a labelled transition system (.aut)
    #[arg(value_name = "FILE")]
    file: String,
    /// The first net or process, as in a `check` item; or the labelled transition system to compare with
    #[arg(value_name = "A")]
    first: String,
    /// The second net or process
    #[arg(value_name = "B")]
    second: Option<String>,
    #[command(flatten)]
    relation: RelationArgs,
    /// Stable failures: traces without silent steps, and what is refused after them (files only)
    #[arg(long, group = "model")]
    failures: bool,
    /// The same with where silent steps can be made for ever (files only)
    #[arg(long, group = "model")]
    failures_divergences: bool,
    /// Refinement: A does nothing that B does not allow, and gets stuck no more often; with `--weak`, silent steps do
    /// not count. For files: with `--trace`, `--weak-trace`, `--safety`, `--failures` or `--failures-divergences`
    #[arg(long)]
    refines: bool,
    /// With `--refines`, the holes that must do the same on both sides, `P,Q`; without it, all, which both must have
    #[arg(long, value_name = "HOLES", value_delimiter = ',', requires = "refines")]
    tracking: Option<Vec<String>>,
    #[command(flatten)]
    system: SystemArgs,
    #[command(flatten)]
    checking: Checking,
}

impl Args {
    fn question(&self, second: &str) -> Question {
        let kind = match (self.relation.weak, self.refines) {
            (true, true) => "weakly_refines",
            (true, false) => "weakly_bisimilar",
            (false, true) => "refines",
            (false, false) => "bisimilar",
        };
        let (first, second) = (self.first.clone(), second.to_owned());
        Question::Comparison(CompareQuestion {
            kind,
            first,
            second,
            tracking: self.tracking.clone(),
        })
    }

    /// What is asked about two systems, or why that cannot be.
    fn about_systems(&self) -> Result<LtsQuestion, String> {
        let by = self.relation.equivalence();
        let seen = match (self.failures, self.failures_divergences, by) {
            (true, false, None) => Some(Seen::Failures),
            (false, true, None) => Some(Seen::FailuresDivergences),
            (_, _, Some(Equivalence::Trace)) => Some(Seen::Traces),
            (_, _, Some(Equivalence::WeakTrace)) => Some(Seen::WeakTraces),
            _ => None,
        };
        if self.tracking.is_some() {
            return Err(
                "labelled transition systems have no holes: leave out `--tracking`".to_owned()
            );
        }
        if (self.failures || self.failures_divergences) && by.is_some() {
            return Err("only one relation can be asked for at a time".to_owned());
        }
        match (self.refines, seen, by) {
            (true, Some(seen), _) => Ok(LtsQuestion::Refines(seen)),
            (true, None, Some(Equivalence::Safety)) => Ok(LtsQuestion::Simulated),
            (true, None, _) => Err(ONE_WAY.to_owned()),
            (false, Some(seen), None) => Ok(LtsQuestion::SeenAlike(seen)),
            (false, _, by) => Ok(LtsQuestion::Equivalent(by.unwrap_or(Equivalence::Strong))),
        }
    }

    /// Why a relation cannot be asked for between nets of a model.
    fn only_for_systems(&self) -> Option<&'static str> {
        let by = self.relation.equivalence();
        let is_known = matches!(by, None | Some(Equivalence::Strong | Equivalence::Weak));
        if self.relation.strong && self.refines {
            Some("`--refines` is a relation of its own: leave out `--strong`")
        } else if !is_known || self.failures || self.failures_divergences {
            Some(ONLY_FILES)
        } else {
            None
        }
    }
}

const ONE_WAY: &str = "`--refines` needs a relation that goes one way: `--trace`, `--weak-trace`, `--safety`, \
                       `--failures` or `--failures-divergences`";

const ONLY_FILES: &str = "this relation is for labelled transition systems: write the nets as such \
                          (`pnet explore MODEL NET --emit aut -o a.aut`), and compare the two files";

pub(super) fn run(args: &'static Args) -> u8 {
    match &args.second {
        Some(second) => compare_nets(args, second),
        None if is_system(&args.file) && is_system(&args.first) => compare_systems(args),
        None => {
            complain("compare two nets of a model, `FILE A B`, or two files, `A.aut B.aut`");
            STATUS_ERROR
        }
    }
}

/// Two files are compared.
fn compare_systems(args: &'static Args) -> u8 {
    let (levels, question) = match (args.checking.reporting.levels(), args.about_systems()) {
        (Ok(levels), Ok(question)) => (levels, question),
        (Err(problem), _) | (_, Err(problem)) => {
            complain(&problem);
            return STATUS_ERROR;
        }
    };
    let (watch, time) = (args.checking.terminal(), duration(args.checking.timeout));
    match watch.run(time, move |working| systems(args, question, &levels, working)) {
        Ok(status) => status,
        Err(left) => unknown(args, question, &left.told()),
    }
}

fn systems(args: &Args, question: LtsQuestion, levels: &Levels, watch: &Working) -> u8 {
    let reporting = (&args.checking.reporting, levels);
    let read = |path: &str| read_system(path, &args.system, reporting, watch);
    let both = read(&args.file).and_then(|first| Ok((first, read(&args.first)?)));
    let (first, second) = match both {
        Ok((first, second)) => (first.lts, second.lts),
        Err(NotRead::Reported) => return STATUS_ERROR,
        Err(NotRead::Stopped(why)) => return unknown(args, question, &why.to_string()),
    };
    match lts::compare(first, second, question, args.system.limits(), watch) {
        Ok(found) => tell(args, question, &found),
        Err(why) => unknown(args, question, &why.to_string()),
    }
}

fn tell(args: &Args, question: LtsQuestion, found: &LtsCompared) -> u8 {
    let names = (args.file.as_str(), args.first.as_str());
    match args.checking.reporting.format {
        Format::Json => write_line(&words::compared_object(found, question, names).to_string()),
        Format::Human => {
            words::compared_lines(found, question, names).iter().for_each(|line| write_line(line));
        }
    }
    if found.holds { 0 } else { STATUS_REFUTED }
}

fn unknown(args: &Args, question: LtsQuestion, why: &str) -> u8 {
    let (first, second) = (&args.file, &args.first);
    match args.checking.reporting.format {
        Format::Json => write_line(
            &json!({
                "first": first, "second": second, "relation": words::relation(question),
                "verdict": "unknown", "reason": why,
            })
            .to_string(),
        ),
        Format::Human => write_line(&format!("unknown: {why}")),
    }
    STATUS_UNKNOWN
}

/// Two nets of a model are compared.
fn compare_nets(args: &'static Args, second: &str) -> u8 {
    if let Some(problem) = args.only_for_systems() {
        complain(problem);
        return STATUS_ERROR;
    }
    let levels = match args.checking.reporting.levels() {
        Ok(levels) => levels,
        Err(problem) => {
            complain(&problem);
            return STATUS_ERROR;
        }
    };
    let watch = args.checking.terminal();
    let reporting = &args.checking.reporting;
    let within = (&watch, duration(args.checking.timeout));
    let (session, asked) = (open_session(), (args.file.as_str(), Some(args.question(second))));
    let mut checked = match check_watched(session, asked, reporting, &levels, within) {
        Ok(checked) => checked,
        Err(status) => return status,
    };
    if checked.has_errors() {
        return STATUS_ERROR;
    }
    args.checking.prepare();
    let mut tally = Tally::default();
    let Some(settings) = args.checking.settings(&mut [&mut checked]) else { return STATUS_ERROR };
    let model = Model {
        session,
        path: &args.file,
        checked: Box::leak(Box::new(checked)),
        settings: settings.into_iter().next().unwrap_or_default(),
        explore: crate::explore::ExploreOptions::default(),
        traces: None,
    };
    verify_last((&args.checking, &levels), &model, &watch, &mut tally);
    tally.status()
}
