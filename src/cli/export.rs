//! `pnet export`

use std::path::Path;

use clap::ValueEnum;

use super::check::{check_file, open_session};
use super::generation::Generation;
use super::memory::Memory;
use super::output::{Reporting, complain, replaces_nothing, write_result};
use super::verify::{duration, patience};
use super::wanted::{elaborated, granted, is_wrong, question, wanted};
use super::watch::{Terminal, Working};
use super::{STATUS_ERROR, STATUS_UNKNOWN};
use crate::base::Watch;
use crate::export::{ExportKind, Exported, export};

/// The formats.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum To {
    /// Processes of mCRL2
    Mcrl2,
    /// A package of BIP2
    Bip,
    /// A network of CADP, with its systems as AUT files beside it
    Exp,
}

/// Options of `pnet export`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
                  pnet export model.pnet Ring --to bip -o ring.bip       a system of BIP2\n  \
                  pnet export model.pnet 'Ring<4>' --to exp -o ring.exp  a network of CADP, with its systems (.aut)\n  \
                  pnet export model.pnet --to mcrl2                      the last net, as processes of mCRL2\n\n\
                  Only closed nets are exported. What the format cannot say is refused, with its place and the\n\
                  reason, and nothing is written.\n\
                  Exit status: 0 it is exported, 2 the model has errors, or something is refused, 3 the work was\n\
                  stopped before its end.")]
pub(super) struct Args {
    /// The model; `-` for standard input
    #[arg(value_name = "FILE")]
    file: String,
    /// The net (or process) to export, by its name or as an instance; without it, the last net of the file
    #[arg(value_name = "NET")]
    net: Option<String>,
    /// The format
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: To,
    /// Where to write, instead of standard output
    #[arg(short, long, value_name = "PATH")]
    output: Option<String>,
    /// Stop after this many seconds; 0 for any time
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = patience)]
    timeout: f64,
    #[command(flatten)]
    memory: Memory,
    #[command(flatten)]
    generation: Generation,
    #[command(flatten)]
    reporting: Reporting,
}

pub(super) fn run(args: &'static Args) -> u8 {
    let watch = Terminal::new(args.memory.limit());
    let time = duration(args.timeout);
    match watch.run(time, move |working| (work(args, working), working.budget().spent())) {
        Ok((_, Some(spent))) => {
            complain(&format!("nothing was written: {spent}"));
            STATUS_UNKNOWN
        }
        Ok((Ok(()), None)) => 0,
        Ok((Err(problem), None)) => {
            problem.iter().for_each(|problem| complain(problem));
            STATUS_ERROR
        }
        Err(left) => {
            complain(&format!("nothing was written: {}", left.told()));
            STATUS_UNKNOWN
        }
    }
}

/// Exports; an error without words has been reported already.
fn work(args: &Args, watch: &Working) -> Result<(), Option<String>> {
    let levels = args.reporting.levels()?;
    let net = args.net.as_deref();
    let output = args.output.as_deref().filter(|output| *output != "-");
    if args.to == To::Exp && output.is_none() {
        return Err(Some(
            "`--to exp` writes several files; say where with `-o FILE.exp`".to_owned(),
        ));
    }
    replaces_nothing(output, &args.file)?;
    let question = question(net);
    let asked = (args.file.as_str(), question.as_ref());
    let mut checked = check_file(open_session(), asked, &args.reporting, &levels).ok_or(None)?;
    if checked.has_errors() {
        if let (Some(net), true) = (net, is_wrong(&checked)) {
            args.reporting
                .say(&format!("`{net}` is read as an instance, as a `check` item has it"));
        }
        return Err(None);
    }
    let settings = args.generation.settings(&mut [&mut checked], &args.reporting).ok_or(None)?;
    let mut options = args.generation.options(settings.into_iter().next().unwrap_or_default());
    // Other tools have each interaction by itself.
    options.elaborate = options.elaborate.unfolding();
    let subject = (args.file.as_str(), net);
    let made = elaborated(&checked, subject, wanted(&checked, net), &options, &args.reporting)?;
    granted(&made).iter().for_each(|granted| args.reporting.say(granted));
    let name = net.unwrap_or_else(|| made.name.as_str());
    let stem = output.and_then(|output| Path::new(output).file_stem());
    let stem = stem.map_or_else(|| "part".into(), |stem| stem.to_string_lossy());
    match export((&made, name), kind(args.to), &stem, watch) {
        // Only a part may have been made.
        _ if watch.budget().is_spent() => Err(None),
        Ok(exported) => write(&exported, output).map_err(Some),
        Err(problems) => {
            let found: Vec<_> = problems.iter().map(|problem| problem.diagnose()).collect();
            args.reporting.write(&found, &checked.sources);
            Err(None)
        }
    }
}

fn kind(to: To) -> ExportKind {
    match to {
        To::Mcrl2 => ExportKind::Mcrl2,
        To::Bip => ExportKind::Bip,
        To::Exp => ExportKind::Exp,
    }
}

/// Writes the files beside it first, so that what names them comes when they are there.
fn write(exported: &Exported, output: Option<&str>) -> Result<(), String> {
    for (file, text) in &exported.beside {
        let path = Path::new(output.unwrap_or("")).with_file_name(file);
        write_result(text, Some(&path.to_string_lossy()))?;
    }
    write_result(&exported.text, output)
}
