//! Labelled transition systems from files, and what the commands share that work on them.

use std::io::{Read, Write};
use std::ops::ControlFlow;

use super::domains::DomainArgs;
use super::files::in_words;
use super::generation::Generation;
use super::memory::Memory;
use super::networks::{is_network, product_of, read_network};
use super::output::Reporting;
use super::simulating::Readying;
use super::streamed::Streamed;
use super::verify::patience;
use super::watch::Working;
use crate::base::Watch;
use crate::diagnostics::{Levels, Severity};
use crate::lts::aut::{self, AutReader};
use crate::lts::{Equivalence, Lts, NotReduced, ReduceLimits};
use crate::network::ProductLimits;

/// So much is read at once.
const PIECE: usize = 1 << 16;

/// The relation that counts.
#[derive(clap::Args)]
#[group(multiple = false)]
pub(super) struct RelationArgs {
    /// Strong bisimilarity: step by step the same, silent steps like all others
    #[arg(long)]
    pub strong: bool,
    /// Branching bisimilarity: silent steps that change nothing do not count
    #[arg(long)]
    pub branching: bool,
    /// Branching bisimilarity that preserves divergence: going on silently for ever counts
    #[arg(long, visible_alias = "divbranching")]
    pub dpbranching: bool,
    /// Weak bisimilarity: silent steps do not count
    #[arg(long, visible_alias = "observational")]
    pub weak: bool,
    /// The same traces, silent steps like all others
    #[arg(long)]
    pub trace: bool,
    /// The same traces, silent steps left out
    #[arg(long, visible_alias = "weaktrace")]
    pub weak_trace: bool,
    /// The same safety properties: each does what the other does, silent steps before a step left out
    #[arg(long)]
    pub safety: bool,
}

impl RelationArgs {
    /// The relation that was asked for.
    pub fn equivalence(&self) -> Option<Equivalence> {
        let all = [
            (self.strong, Equivalence::Strong),
            (self.branching, Equivalence::Branching),
            (self.dpbranching, Equivalence::DivergencePreserving),
            (self.weak, Equivalence::Weak),
            (self.trace, Equivalence::Trace),
            (self.weak_trace, Equivalence::WeakTrace),
            (self.safety, Equivalence::Safety),
        ];
        all.into_iter().find(|(is_asked, _)| *is_asked).map(|(_, by)| by)
    }
}

/// What the silent action is called, and how far to go.
#[derive(clap::Args)]
pub(super) struct SystemArgs {
    /// What the silent action is called in files: `tau`, `i` for CADP, or several, `i,tau`; the first one is written
    #[arg(long, value_name = "NAME", default_value = "tau", value_delimiter = ',')]
    pub tau: Vec<String>,
    /// How many states a deterministic system may have on the way, or how many pairs are looked at for a trace; a million,
    /// if it is not said. How many states the product of a network or a net may have; any number, if it is not said
    #[arg(long, value_name = "N")]
    most_states: Option<usize>,
}

impl SystemArgs {
    /// How many states there may be, where somebody says so.
    pub fn most_states(&self) -> Option<usize> {
        self.most_states
    }

    pub fn limits(&self) -> ReduceLimits {
        let usual = ReduceLimits::default();
        ReduceLimits { most_states: self.most_states.unwrap_or(usual.most_states) }
    }

    /// How large products may be.
    pub fn product_limits(&self) -> ProductLimits {
        let usual = ProductLimits::default();
        ProductLimits { most_states: self.most_states.unwrap_or(usual.most_states) }
    }

    /// The name that is written for the silent action.
    pub fn silent(&self) -> &str {
        self.tau.first().map_or("tau", String::as_str)
    }
}

/// How much a command may take, and how it reports.
#[derive(clap::Args)]
pub(super) struct SystemWork {
    /// How long it may take, in seconds; 0 for any time
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = patience)]
    pub timeout: f64,
    #[command(flatten)]
    pub memory: Memory,
    #[command(flatten)]
    domains: DomainArgs,
    #[command(flatten)]
    generation: Generation,
    #[command(flatten)]
    pub reporting: Reporting,
}

impl SystemWork {
    /// What nets are made ready with.
    pub fn readying(&self) -> Readying<'_> {
        let SystemWork { domains, generation, reporting, .. } = self;
        Readying { domains, generation, reporting, unfolding: false }
    }
}

/// Why there is no system.
pub(super) enum NotRead {
    /// Something is wrong with the file; it has been reported.
    Reported,
    /// The work was to end.
    Stopped(NotReduced),
}

/// A system that was read.
pub(super) struct SystemRead {
    pub lts: Lts,
    /// How many lines there were for transitions.
    pub lines: u64,
}

/// Reads a file, and reports what is wrong or odd about it. Of a network, the product is made.
pub(super) fn read_system(
    path: &str,
    args: &SystemArgs,
    (reporting, levels): (&Reporting, &Levels),
    watch: &Working,
) -> Result<SystemRead, NotRead> {
    if is_network(path) {
        let network = read_network(path, args, (reporting, levels), watch)?;
        let lts = product_of(&network, args, watch)?;
        return Ok(SystemRead { lines: lts.transitions() as u64, lts });
    }
    let mut reader = AutReader::new(path, &args.tau);
    read_pieces(path, |piece| {
        let more = reader.push(piece);
        watch.searching(&format!("reading `{path}`, {} transitions", reader.transitions()), 0);
        more && !watch.budget().is_spent()
    })
    .map_err(|why| {
        reporting.unreadable(path, &why);
        NotRead::Reported
    })?;
    if let Some(spent) = watch.budget().spent() {
        return Err(NotRead::Stopped(spent.into()));
    }
    let read = reader.finish();
    let diagnostics: Vec<_> =
        read.diagnostics.into_iter().filter_map(|one| levels.apply(one)).collect();
    reporting.write(&diagnostics, &read.sources);
    let has_errors = diagnostics.iter().any(|one| one.severity == Severity::Error);
    match read.lts {
        Some(lts) if !has_errors => Ok(SystemRead { lts, lines: read.lines }),
        _ => Err(NotRead::Reported),
    }
}

/// Gives on what is in a file, or on standard input, as long as it is wanted.
pub(super) fn read_pieces(path: &str, mut take: impl FnMut(&[u8]) -> bool) -> Result<(), String> {
    let mut file: Box<dyn Read> = if path == "-" {
        Box::new(std::io::stdin().lock())
    } else if std::path::Path::new(path).is_dir() {
        return Err("it is a folder, not a file".to_owned());
    } else {
        Box::new(std::fs::File::open(path).map_err(|problem| in_words(&problem))?)
    };
    let mut piece = vec![0; PIECE];
    loop {
        match file.read(&mut piece) {
            Ok(0) => return Ok(()),
            Ok(many) if take(&piece[..many]) => {}
            Ok(_) => return Ok(()),
            Err(problem) if problem.kind() == std::io::ErrorKind::Interrupted => {}
            Err(problem) => return Err(in_words(&problem)),
        }
    }
}

/// Whether a name is that of a file with a labelled transition system, or with a network of them.
pub(super) fn is_system(path: &str) -> bool {
    let is_aut = |ending: &std::ffi::OsStr| ending.eq_ignore_ascii_case("aut");
    is_network(path) || std::path::Path::new(path).extension().is_some_and(is_aut)
}

/// Writes a system; whether it came to its end.
pub(super) fn write_system(
    path: Option<&str>,
    silent: &str,
    lts: &Lts,
    watch: &Working,
) -> Result<bool, String> {
    let mut out = Streamed::new(path)?;
    let (mut done, budget) = (Ok(()), watch.budget());
    let ended = aut::write(lts, silent, |piece| {
        done = out.write_all(piece);
        if done.is_ok() && !budget.is_spent() {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    match (done, ended) {
        (Err(problem), _) => out.give_up(Some(&problem)).map_or(Ok(true), Err),
        (Ok(()), ControlFlow::Break(())) => {
            out.give_up(None);
            Ok(false)
        }
        (Ok(()), ControlFlow::Continue(())) => out.finish().map(|()| true),
    }
}
