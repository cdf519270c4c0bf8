//! `pnet build`

use clap::ValueEnum;

use super::STATUS_ERROR;
use super::check::check_file;
use super::output::{Reporting, complain, write_result};

/// What can be written.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Emit {
    /// The tree as it was parsed, as JSON
    Ast,
}

/// Options of `pnet build`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
                  pnet build model.pnet --emit ast\n  \
                  pnet build model.pnet --emit ast -o model.json\n\n\
                  The tree is written when the model has no errors; spans are byte offsets.")]
pub(super) struct Args {
    /// The model; `-` for standard input
    #[arg(value_name = "FILE")]
    file: String,
    /// What to write
    #[arg(long, value_enum)]
    emit: Emit,
    /// Where to write it, instead of standard output
    #[arg(short, long, value_name = "PATH")]
    output: Option<String>,
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
    let Some(checked) = check_file(&args.file, &args.reporting, &levels) else {
        return STATUS_ERROR;
    };
    if checked.has_errors() {
        return STATUS_ERROR;
    }
    let text = match args.emit {
        Emit::Ast => serde_json::to_string_pretty(&checked.relative_tree()),
    };
    let done = match text {
        Ok(text) => write_result(&format!("{text}\n"), args.output.as_deref()),
        Err(problem) => Err(problem.to_string()),
    };
    match done {
        Ok(()) => 0,
        Err(problem) => {
            complain(&problem);
            STATUS_ERROR
        }
    }
}
