//! `pnet explain`

use super::STATUS_ERROR;
use super::output::{complain, write_result};
use crate::diagnostics::closest;
use crate::explain;

/// Options of `pnet explain`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  pnet explain N0203\n  pnet explain        list all codes")]
pub(super) struct Args {
    /// The codes, such as N0203; none to list them all
    #[arg(value_name = "CODE")]
    codes: Vec<String>,
}

pub(super) fn run(args: &Args) -> u8 {
    if args.codes.is_empty() {
        return finish(write_result(&explain::list(), None));
    }
    let mut texts = Vec::new();
    for code in &args.codes {
        match explain::entry(code) {
            Some(entry) => texts.push(explain::explain(entry)),
            None => {
                let codes = explain::entries().map(|entry| entry.code);
                let hint = closest(&code.to_uppercase(), codes)
                    .map_or_else(String::new, |code| format!(", did you mean `{code}`?"));
                complain(&format!(
                    "there is no code `{code}`{hint} (`pnet explain` lists all codes)"
                ));
                return STATUS_ERROR;
            }
        }
    }
    finish(write_result(&texts.join("\n"), None))
}

fn finish(done: Result<(), String>) -> u8 {
    match done {
        Ok(()) => 0,
        Err(problem) => {
            complain(&problem);
            STATUS_ERROR
        }
    }
}
