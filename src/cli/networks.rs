//! Networks of labelled transition systems from files, and their products.

use std::path::Path;

use super::files::Disk;
use super::output::Reporting;
use super::systems::{NotRead, SystemArgs, read_pieces};
use super::watch::Working;
use crate::base::Watch;
use crate::diagnostics::{Levels, Severity};
use crate::lts::{Lts, NotReduced, TooLarge};
use crate::network::exp::{self, ExpFiles, Unread};
use crate::network::{Network, NotGenerated, product};

impl ExpFiles for Disk {
    fn read(&self, path: &str, take: &mut dyn FnMut(&[u8]) -> bool) -> Result<(), Unread> {
        match self.has(path) {
            true => read_pieces(path, take).map_err(Unread::Failed),
            false => Err(Unread::Missing),
        }
    }

    fn has(&self, path: &str) -> bool {
        Path::new(path).exists()
    }
}

/// Whether a name is that of a file with a network.
pub(super) fn is_network(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("exp"))
}

/// Reads a network with all its files, and reports what is wrong or odd about them.
pub(super) fn read_network(
    path: &str,
    args: &SystemArgs,
    (reporting, levels): (&Reporting, &Levels),
    watch: &Working,
) -> Result<Network, NotRead> {
    if !Disk.has(path) {
        reporting.unreadable(path, "there is no such file");
        return Err(NotRead::Reported);
    }
    let read = exp::read(path, &args.tau, &Disk, watch);
    if let Some(spent) = watch.budget().spent() {
        return Err(NotRead::Stopped(spent.into()));
    }
    let diagnostics: Vec<_> =
        read.diagnostics.into_iter().filter_map(|one| levels.apply(one)).collect();
    reporting.write(&diagnostics, &read.sources);
    let has_errors = diagnostics.iter().any(|one| one.severity == Severity::Error);
    read.network.filter(|_| !has_errors).ok_or(NotRead::Reported)
}

/// What can be reached in a network.
pub(super) fn product_of(
    network: &Network,
    args: &SystemArgs,
    watch: &Working,
) -> Result<Lts, NotRead> {
    let limits = args.product_limits();
    product(network, limits, watch).map(|product| product.lts).map_err(|why| {
        NotRead::Stopped(match why {
            NotGenerated::Spent(spent) => spent.into(),
            NotGenerated::NotReduced(why) => why,
            NotGenerated::TooLarge { most } => TooLarge::Product { most }.into(),
            _ => NotReduced::TooLarge(TooLarge::ProductSteps),
        })
    })
}
