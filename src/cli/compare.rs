//! `pnet compare`

use super::STATUS_ERROR;
use super::check::{check_watched, open_session};
use super::output::complain;
use super::verify::{Checking, Model, Tally, duration, verify_last};
use crate::loader::{CompareQuestion, Question};

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
                  A and B are written as in a `check` item. Exit status: 0 they compare, 1 they do not, 3 not known,\n\
                  2 the model or the question has errors.")]
pub(super) struct Args {
    /// The model; `-` for standard input
    #[arg(value_name = "FILE")]
    file: String,
    /// The first net or process, as in a `check` item
    #[arg(value_name = "A")]
    first: String,
    /// The second one
    #[arg(value_name = "B")]
    second: String,
    /// Strong bisimilarity: each does what the other does, step by step (the default)
    #[arg(long, conflicts_with_all = ["weak", "refines"])]
    strong: bool,
    /// Weak bisimilarity: silent steps do not count
    #[arg(long)]
    weak: bool,
    /// Refinement: A does nothing that B does not allow, and gets stuck no more often; with `--weak`, silent steps do
    /// not count
    #[arg(long)]
    refines: bool,
    /// With `--refines`, the holes that must do the same on both sides, `P,Q`; without it, all, which both must have
    #[arg(long, value_name = "HOLES", value_delimiter = ',', requires = "refines")]
    tracking: Option<Vec<String>>,
    #[command(flatten)]
    checking: Checking,
}

impl Args {
    fn question(&self) -> Question {
        let kind = match (self.weak, self.refines) {
            (true, true) => "weakly_refines",
            (true, false) => "weakly_bisimilar",
            (false, true) => "refines",
            (false, false) => "bisimilar",
        };
        let (first, second) = (self.first.clone(), self.second.clone());
        Question::Comparison(CompareQuestion {
            kind,
            first,
            second,
            tracking: self.tracking.clone(),
        })
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
    let watch = args.checking.terminal();
    let reporting = &args.checking.reporting;
    let within = (&watch, duration(args.checking.timeout));
    let (session, asked) = (open_session(), (args.file.as_str(), Some(args.question())));
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
