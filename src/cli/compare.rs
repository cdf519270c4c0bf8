//! `pnet compare`

use super::STATUS_ERROR;
use super::check::check_file;
use super::generation::Generation;
use super::output::{Reporting, complain};
use super::verify::{Shown, Tally, verify_last};
use super::watch::Terminal;

/// Options of `pnet compare`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
                  pnet compare model.pnet EnableState EnableData            step by step the same?\n  \
                  pnet compare model.pnet Spec Impl --weak                  the same but for silent steps?\n  \
                  pnet compare model.pnet 'Ring<5>' 'Ring<6>' --refines     does the first do nothing else?\n  \
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
    #[arg(long, conflicts_with = "refines")]
    weak: bool,
    /// Refinement: A does nothing that B does not allow, and gets stuck no more often
    #[arg(long)]
    refines: bool,
    /// Show the relation that a proof found
    #[arg(long)]
    relations: bool,
    /// Write what a proof rests on into this folder
    #[arg(long, value_name = "DIR")]
    certificate: Option<String>,
    #[command(flatten)]
    generation: Generation,
    #[command(flatten)]
    reporting: Reporting,
}

pub(super) fn run(args: &Args) -> u8 {
    let levels = match args.reporting.levels() {
        Ok(levels) => levels,
        Err(problem) => {
            complain(&problem);
            return STATUS_ERROR;
        }
    };
    let kind = match (args.weak, args.refines) {
        (true, _) => "weakly_bisimilar",
        (_, true) => "refines",
        _ => "bisimilar",
    };
    let question = format!("check {kind}({}, {});", args.first, args.second);
    let Some(checked) = check_file(&args.file, Some(&question), &args.reporting, &levels) else {
        return STATUS_ERROR;
    };
    if checked.has_errors() {
        return STATUS_ERROR;
    }
    let watch = Terminal::new();
    let shown = Shown {
        relations: args.relations,
        certificate: args.certificate.as_deref(),
        generation: &args.generation,
        reporting: &args.reporting,
    };
    let mut tally = Tally::default();
    verify_last(&shown, &args.file, &checked, &watch, &mut tally);
    tally.status()
}
