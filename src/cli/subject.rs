//! Labelled transition systems that commands work on: from files, and of nets of models.

use super::output::complain;
use super::simulating::{Besides, Readying};
use super::systems::{NotRead, SystemArgs, SystemRead, is_system, read_system};
use super::watch::Working;
use crate::diagnostics::Levels;
use crate::explore::search::SearchLimits;
use crate::finite::{LabelView, NotUnfolded, lts_of};
use crate::pnet::HoleSort;

/// Where a system comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Subject<'a> {
    /// A file with a system.
    File(&'a str),
    /// A net of a model; the last one where none is named.
    Net { model: &'a str, net: Option<&'a str> },
}

/// How labels of actions begin that a net has synchronised: where silent steps are hidden, they are.
const SYNCHRONISED: &str = "sync ";

/// What is to be known where values were left out.
pub(super) const LIMITED: &str =
    "only the values of `--domain` were tried: with others there may be more";

/// A system, and what is to be known of it.
pub(super) struct SubjectRead {
    pub read: SystemRead,
    /// Whether values were left out.
    pub limited: bool,
    /// A hole that may do what nobody declared: what it does has no label by which it could be compared.
    pub undeclared: Option<String>,
}

impl SubjectRead {
    /// The same as a model reads it: steps that are synchronised are silent.
    #[must_use]
    pub fn like_models(self) -> SubjectRead {
        let lts = self.read.lts.hiding(|label| label.starts_with(SYNCHRONISED));
        SubjectRead { read: SystemRead { lts, ..self.read }, ..self }
    }
}

impl<'a> Subject<'a> {
    /// What one command works on: a file with a system, or a model and perhaps a net of it.
    pub fn of(file: &'a str, net: Option<&'a str>) -> Subject<'a> {
        match net {
            None if file == "-" || is_system(file) => Subject::File(file),
            net => Subject::Net { model: file, net },
        }
    }

    /// What two things are compared: a file with a system is one, and after a model comes a net of it.
    pub fn two(all: &'a [String]) -> Result<[Subject<'a>; 2], &'static str> {
        let (mut model, mut is_used, mut found) = (None, true, Vec::new());
        for one in all.iter().map(String::as_str) {
            match model {
                _ if is_system(one) => found.push(Subject::File(one)),
                Some(model) if !one.ends_with(".pnet") => {
                    is_used = true;
                    found.push(Subject::Net { model, net: Some(one) });
                }
                _ if !is_used => return Err(TWO),
                _ => (model, is_used) = (Some(one), false),
            }
        }
        match found.as_slice() {
            [first, second] if is_used => Ok([*first, *second]),
            _ => Err(TWO),
        }
    }

    /// Whether it is a net of a model.
    pub fn is_net(&self) -> bool {
        matches!(self, Subject::Net { .. })
    }

    /// What it is called.
    pub fn name(&self) -> &'a str {
        match *self {
            Subject::File(path) => path,
            Subject::Net { model, net } => net.unwrap_or(model),
        }
    }

    /// Reads it, or makes it; what is wrong has been reported.
    pub fn read(
        &self,
        args: &SystemArgs,
        view: LabelView,
        (readying, levels): (Readying<'_>, &Levels),
        watch: &Working,
    ) -> Result<SubjectRead, NotRead> {
        match *self {
            Subject::File(path) => {
                let read = read_system(path, args, (readying.reporting, levels), watch)?;
                Ok(SubjectRead { read, limited: false, undeclared: None })
            }
            Subject::Net { model, net } => of_net((model, net), args, view, readying, watch),
        }
    }
}

/// How two things are said that are to be compared.
const TWO: &str = "compare two nets of a model, `FILE A B`, two files, `A.aut B.aut`, or one of each, `FILE A B.aut`; nets of \
                   two models are `FILE A OTHER.pnet B`";

/// The system of a net.
fn of_net(
    asked: (&str, Option<&str>),
    args: &SystemArgs,
    view: LabelView,
    readying: Readying<'_>,
    watch: &Working,
) -> Result<SubjectRead, NotRead> {
    let ready = readying.ready(asked, &Besides::default()).map_err(|problem| {
        problem.iter().for_each(|problem| complain(problem));
        NotRead::Reported
    })?;
    let jobs = readying.generation.threads();
    let most_states = args.most_states().map_or(u64::MAX, |most| most as u64);
    let limits = SearchLimits { jobs, most_states, ..SearchLimits::default() };
    let made = lts_of((&ready.net, &ready.domains), (view, args.silent()), &limits, watch);
    match made {
        Ok((lts, limited)) => {
            let open = ready.net.holes.iter().find(|hole| hole.sort == HoleSort::Any);
            let undeclared = open.map(|hole| hole.path.clone());
            let lines = lts.transitions() as u64;
            Ok(SubjectRead { read: SystemRead { lts, lines }, limited, undeclared })
        }
        Err(NotUnfolded::Spent(spent)) => Err(NotRead::Stopped(spent.into())),
        Err(why) => {
            complain(&format!("`{}` is no labelled transition system: {why}", ready.name));
            Err(NotRead::Reported)
        }
    }
}
