//! Comparisons configuration by configuration, written down: the configurations of both nets that are related, and which with
//! which, so that others can go through them.
//!
//! Input: a comparison that was proved by a game on pairs (`pairwise`). Output: two lists of configurations and one of pairs.
//! What is read is believed in nothing: the plain interpreter makes the steps of both configurations of each pair, and looks for
//! answers among the pairs (`replay.rs`). A relation need not be the largest one, nor need it have all configurations: that each
//! step has an answer in it, and that it has where the nets begin, is the whole proof.

mod replay;
mod text;

pub use self::replay::NotRelated;
pub use self::text::PairsFault;

use super::listing::listing_options;
use super::listing::table::{Columns, Gathering, Lookup, Table};
use super::listing::text::{self as listed_text, Lines};
use super::pairwise::{Comparing, RelatedPairs, with_nets};
use super::refusal::NoCertificate;
use super::remake::Remade;
use super::{COMPARED, ModelOptions};
use crate::base::Watch;
use crate::emit;
use crate::explore::Configuration;
use crate::explore::naive::Interpreter;
use crate::model::Checked;
use crate::outcome::Reason;
use crate::sema::program::CheckDef;

/// A relation between the configurations of two nets.
pub(super) struct PairTable {
    /// The configurations.
    pub tables: [Table; 2],
    /// The rows of those that are related, in order.
    pub pairs: Vec<(u32, u32)>,
}

/// The texts of a list of pairs: the configurations of both nets, and the pairs.
pub struct PairTexts<'l> {
    /// The lists of configurations.
    pub lists: [Lines<'l>; 2],
    /// The pairs.
    pub pairs: Lines<'l>,
}

/// A relation that proves a comparison, as texts: of both lists, and of the pairs.
pub(super) fn listed(
    checked: &Checked,
    check: &CheckDef,
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Result<[String; 3], NoCertificate> {
    let options = listing_options(options);
    about(checked, check, &options, |comparing| {
        let related = comparing.related(watch)?.ok_or(NoCertificate::PairsOnly)?;
        written(comparing, &gathered(comparing, &related)?)
    })
}

/// What a comparison rests on, made from lists. They are gone through where they are not just being written.
pub(super) fn remade(
    checked: &Checked,
    check: &CheckDef,
    (texts, gone_through): (PairTexts<'_>, bool),
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Result<Remade, NoCertificate> {
    let options = listing_options(options);
    about(checked, check, &options, |comparing| {
        let table = read(comparing, texts)?;
        if gone_through {
            comparing.can_be_answered()?;
            replay::go_through(comparing, &table, watch).map_err(PairsFault::from)?;
        }
        let nets = comparing.nets.map(|net| format!("{:#}\n", emit::json(net, None)));
        Ok(Remade::of_pairs(nets, written(comparing, &table)?))
    })
}

/// Has the nets of a comparison looked at.
fn about<T>(
    checked: &Checked,
    check: &CheckDef,
    options: &ModelOptions,
    look: impl FnOnce(&Comparing<'_>) -> Result<T, NoCertificate>,
) -> Result<T, NoCertificate> {
    match with_nets((checked, check), options, look) {
        Ok(Some(made)) => made,
        Ok(None) | Err(_) => Err(Reason::Incomplete.into()),
    }
}

/// Configurations in order, and the pairs by their rows.
fn gathered(comparing: &Comparing<'_>, related: &RelatedPairs) -> Result<PairTable, NoCertificate> {
    let table = |side: usize| -> Result<Table, NoCertificate> {
        let all = &related.configurations[side];
        let first = all.first().ok_or(NoCertificate::Nowhere)?;
        let mut gathering = Gathering::new(Columns::of(comparing.nets[side], first, false));
        all.iter().for_each(|at| gathering.add(at, 0));
        Ok(gathering.sorted())
    };
    let tables = [table(0)?, table(1)?];
    let rows = |side: usize| -> Vec<u32> {
        let lookup = Lookup::new(&tables[side]);
        let row = |at: &Configuration| lookup.find(at).unwrap_or_default() as u32;
        related.configurations[side].iter().map(row).collect()
    };
    let rows = [rows(0), rows(1)];
    let row = |(one, two): &(u32, u32)| (rows[0][*one as usize], rows[1][*two as usize]);
    let mut pairs: Vec<(u32, u32)> = related.couples.iter().map(row).collect();
    pairs.sort_unstable();
    Ok(PairTable { tables, pairs })
}

fn written(comparing: &Comparing<'_>, table: &PairTable) -> Result<[String; 3], NoCertificate> {
    let list = |side: usize| {
        let (net, name) = (comparing.nets[side], comparing.names[side]);
        listed_text::written(&table.tables[side], net, name).ok_or(NoCertificate::Unwritten)
    };
    Ok([list(0)?, list(1)?, text::written(table, comparing.names)])
}

fn read(comparing: &Comparing<'_>, texts: PairTexts<'_>) -> Result<PairTable, NoCertificate> {
    let domains = comparing.domains();
    let list = |side: usize, lines: Lines<'_>| -> Result<Table, NoCertificate> {
        let net = comparing.nets[side];
        let initial = Interpreter::new(net, domains[side].clone()).initial();
        let initial = initial.map_err(NoCertificate::Unlisted)?;
        let first = initial.configurations.first().ok_or(NoCertificate::Nowhere)?;
        let columns = Columns::of(net, first, false);
        listed_text::read(columns, (net, comparing.names[side]), lines)
            .map_err(|fault| NoCertificate::Compared(COMPARED[side], fault))
    };
    let [first, second] = texts.lists;
    let tables = [list(0, first)?, list(1, second)?];
    let pairs = text::read(&tables, comparing.names, texts.pairs)?;
    Ok(PairTable { tables, pairs })
}
