//! `pnet import`

use std::path::{Component, Path, PathBuf};

use super::STATUS_ERROR;
use super::files::Disk;
use super::output::{Reporting, complain, replaces_nothing, write_result};
use super::verify::duration;
use super::watch::{Terminal, Working};
use crate::base::Watch;
use crate::diagnostics::{Levels, Severity};
use crate::import::{ImportKind, ImportOptions, import};

/// Options of `pnet import`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
                  pnet import ring.rec -o ring.pnet       rules of rtab, with their component files\n  \
                  pnet import node.spec -o node.pnet      a parameterised node of VerCors\n  \
                  pnet import net.exp -o net.pnet         a network of CADP, with its systems (.aut)\n  \
                  pnet import bank.bip -o bank.pnet       a system of BIP2, with the packages that it uses\n  \
                  pnet import bank.bip --check            only say what would be refused\n\n\
                  The ending of the name says what the file is; `--from` says it where the name does not.\n\
                  What cannot be translated is refused, with its place and the reason, and nothing is written.\n\
                  Exit status: 0 it is imported (warnings allowed), 2 the file has errors, or something is refused,\n\
                  3 the work was stopped before its end.")]
pub(super) struct Args {
    /// The file; `-` for standard input
    #[arg(value_name = "FILE")]
    file: String,
    /// Where to write the model, instead of standard output
    #[arg(short, long, value_name = "PATH", conflicts_with = "check")]
    output: Option<String>,
    /// Write nothing; say what is wrong, and what would be refused
    #[arg(long)]
    check: bool,
    /// What the file is, whatever it is called
    #[arg(long, value_name = "FORMAT", value_parser = ["rec", "spec", "exp", "bip"])]
    from: Option<String>,
    /// What the silent action is called in the systems of a network; `i` and `tau`, if it is not said
    #[arg(long, value_name = "NAME")]
    tau: Option<String>,
    /// Stop after this many seconds; 0: never
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0)]
    timeout: f64,
    #[command(flatten)]
    reporting: Reporting,
}

pub(super) fn run(args: &'static Args) -> u8 {
    let (levels, kind) = match (args.reporting.levels(), kind(args)) {
        (Ok(levels), Ok(kind)) => (levels, kind),
        (Err(problem), _) | (_, Err(problem)) => {
            complain(&problem);
            return STATUS_ERROR;
        }
    };
    if let Err(problem) = replaces_nothing(args.output.as_deref(), &args.file) {
        complain(&problem);
        return STATUS_ERROR;
    }
    let watch = Terminal::new(None);
    let done = watch.run(duration(args.timeout), move |working| work(args, kind, &levels, working));
    done.unwrap_or_else(|_| {
        complain("stopped before the end");
        super::STATUS_UNKNOWN
    })
}

/// What kind of file is meant.
fn kind(args: &Args) -> Result<ImportKind, String> {
    let named = |name: &String| ImportKind::ALL.into_iter().find(|kind| kind.ending() == name);
    let kind = args.from.as_ref().and_then(named).or_else(|| ImportKind::of(&args.file));
    kind.ok_or_else(|| {
        let file = &args.file;
        format!(
            "the name `{file}` does not say what it is: rec, spec, exp or bip; say it with `--from`"
        )
    })
}

fn work(args: &Args, kind: ImportKind, levels: &Levels, watch: &Working) -> u8 {
    let mut options = ImportOptions { folder: folder(args), ..ImportOptions::default() };
    if let Some(tau) = &args.tau {
        options.silent = vec![tau.clone()];
    }
    let imported = import(&args.file, kind, &options, &Disk, watch);
    if watch.budget().is_spent() {
        complain("stopped before the end");
        return super::STATUS_UNKNOWN;
    }
    let diagnostics: Vec<_> =
        imported.diagnostics.into_iter().filter_map(|one| levels.apply(one)).collect();
    args.reporting.write(&diagnostics, &imported.sources);
    let has_errors = diagnostics.iter().any(|one| one.severity == Severity::Error);
    let Some(model) = imported.model.filter(|_| !has_errors) else { return STATUS_ERROR };
    if args.check {
        return 0;
    }
    match write_result(&model, args.output.as_deref()) {
        Ok(()) => 0,
        Err(problem) => {
            complain(&problem);
            STATUS_ERROR
        }
    }
}

/// What leads from where the model is written to the folder of the file.
fn folder(args: &Args) -> String {
    let whole = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let parent = |path: &str| {
        let path = whole(Path::new(path));
        path.parent().map_or_else(PathBuf::new, Path::to_path_buf)
    };
    let to = parent(&args.file);
    let from = match args.output.as_deref() {
        Some(output) if output != "-" => parent(output),
        _ => whole(Path::new(".")),
    };
    let parts = |path: &Path| -> Vec<String> {
        let parts = path.components().filter(|part| *part != Component::CurDir);
        parts.map(|part| part.as_os_str().to_string_lossy().into_owned()).collect()
    };
    let (from, to) = (parts(&from), parts(&to));
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let ups = std::iter::repeat_n("../".to_owned(), from.len() - common);
    ups.chain(to.into_iter().skip(common).map(|part| format!("{part}/"))).collect()
}
