//! Proofs by exploration, written down: all configurations of a net, as a table that others can go through.
//!
//! Where there are few, a solver can confirm them, too: that the net is in one of them is an invariant, with the same
//! obligations as any other (`formula.rs`). Where there are many, or the claim is none about single configurations,
//! the plain interpreter goes through them (`replay.rs`). A table is made by the fast one (`collect.rs`), and nothing of it is
//! believed.

mod collect;
pub(super) mod formula;
mod replay;
mod runs;
pub(super) mod table;
pub(super) mod text;

pub use self::replay::NotClosed;
pub use self::text::{Lines, ListingFault};

use self::table::{Columns, Table};
use super::engines;
use super::explored::{Subject, with_subject};
use super::refusal::NoCertificate;
use super::remake::Remade;
use crate::base::Watch;
use crate::emit;
use crate::explore::ExploreOptions;
use crate::explore::naive::Interpreter;
use crate::model::{Checked, ModelOptions};
use crate::outcome::Reason;
use crate::safety::{self, Invariant, Problem, Unmet};
use crate::sema::program::{CheckDef, CheckKind};
use crate::smt::Limits;

/// A solver is asked about so many configurations at most.
const MOST_FOR_SOLVERS: usize = 10_000;

/// How long the solver may think about an obligation before nobody is asked to.
const PATIENCE: Limits = Limits { milliseconds: 10_000 };

/// Options for a list: which values were tried, and what was left out, is no part of it.
pub(super) fn listing_options(options: &ModelOptions) -> ModelOptions {
    let explore = ExploreOptions { jobs: options.explore.jobs, ..ExploreOptions::default() };
    ModelOptions { explore, ..options.clone() }
}

/// What is to be done with a list that is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Listing {
    /// It was just written: obligations are made where the solver can meet them.
    New,
    /// Obligations are made from it, for a solver.
    Obligations,
    /// It is gone through.
    GoneThrough,
}

/// All configurations of the net of a check, as a text.
pub(super) fn listed(
    checked: &Checked,
    check: &CheckDef,
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Result<String, NoCertificate> {
    let options = listing_options(options);
    about(checked, check, &options, |subject| {
        let table = collect::collected(subject, watch)?;
        text::written(&table, subject.net, subject.name).ok_or(NoCertificate::Unwritten)
    })
}

/// What a proof by exploration rests on, made from a list of configurations; or why it is none.
pub(super) fn remade(
    checked: &Checked,
    check: &CheckDef,
    (lines, listing): (Lines<'_>, Listing),
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Result<Remade, NoCertificate> {
    let options = listing_options(options);
    about(checked, check, &options, |subject| {
        let table = read(subject, lines)?;
        let text = text::written(&table, subject.net, subject.name);
        let text = text.ok_or(NoCertificate::Unwritten)?;
        let obligations = match listing {
            Listing::GoneThrough => {
                replay::go_through(subject, &table, watch)?;
                Vec::new()
            }
            Listing::New if !is_for_solvers(check, &table) => Vec::new(),
            Listing::New | Listing::Obligations => {
                let meets = listing == Listing::New;
                subject.obligations((&table, meets), watch)?.unwrap_or_default()
            }
        };
        let net = format!("{:#}\n", emit::json(subject.net, None));
        Ok(Remade::of_list(net, text, obligations))
    })
}

/// Has the net of a check looked at.
fn about<T>(
    checked: &Checked,
    check: &CheckDef,
    options: &ModelOptions,
    look: impl FnOnce(&Subject<'_>) -> Result<T, NoCertificate>,
) -> Result<T, NoCertificate> {
    match with_subject((checked, check), options, look) {
        Ok(Ok(made)) => made,
        Ok(Err(why)) => Err(why.into()),
        Err(_) => Err(Reason::Incomplete.into()),
    }
}

fn read(subject: &Subject<'_>, lines: Lines<'_>) -> Result<Table, NoCertificate> {
    let interpreter = Interpreter::new(subject.net, subject.domains.clone());
    let initial = interpreter.initial().map_err(NoCertificate::Unlisted)?;
    let first = initial.configurations.first().ok_or(NoCertificate::Nowhere)?;
    let ranked = matches!(subject.check.kind, CheckKind::Terminates | CheckKind::Live);
    let columns = Columns::of(subject.net, first, ranked);
    Ok(text::read(columns, (subject.net, subject.name), lines)?)
}

/// Whether a solver can be asked about a list.
fn is_for_solvers(check: &CheckDef, table: &Table) -> bool {
    let kind = check.kind.is_safety();
    kind && table.len() <= MOST_FOR_SOLVERS
}

impl Subject<'_> {
    /// The obligations of being in one of the configurations of a table. Where they are to be met, nothing if the solver does
    /// not know whether they are.
    fn obligations(
        &self,
        (table, meets): (&Table, bool),
        watch: &dyn Watch,
    ) -> Result<Option<Vec<(String, String)>>, NoCertificate> {
        if !is_for_solvers(self.check, table) {
            return Err(NoCertificate::NotForSolvers(MOST_FOR_SOLVERS));
        }
        let Subject { checked, check, options, net, name, .. } = *self;
        let asked = engines::Asked { checked, check, options, net, name };
        let made = asked.problem().map_err(NoCertificate::from).and_then(|(problem, _)| {
            let invariant =
                formula::invariant(&problem, table).ok_or(NoCertificate::NotForSolvers(0))?;
            Ok((problem, invariant))
        });
        let (problem, invariant) = match made {
            Ok(both) => both,
            Err(_) if meets => return Ok(None),
            Err(why) => return Err(why),
        };
        if meets && !are_met(&problem, &invariant, watch)? {
            return Ok(None);
        }
        Ok(Some(asked.scripts(&problem, &invariant)))
    }
}

/// Whether the solver confirms an invariant that exploration found; nobody may contradict it.
fn are_met(
    problem: &Problem<'_>,
    invariant: &Invariant,
    watch: &dyn Watch,
) -> Result<bool, NoCertificate> {
    watch.searching("asking the solver about all configurations", 0);
    match safety::check(problem, invariant, PATIENCE) {
        Ok(()) => Ok(true),
        Err(Unmet::Unknown(_)) => Ok(false),
        Err(Unmet::Initial(_) | Unmet::Kept(..) | Unmet::Bad) => Err(NoCertificate::Contradicted),
    }
}
