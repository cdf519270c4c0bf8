//! `--domain`: which values are tried where there are too many.

use super::output::complain;
use crate::explore::{Domains, NamedDomain};
use crate::pnet::PNet;

/// Which values are tried.
#[derive(clap::Args)]
pub(super) struct DomainArgs {
    /// Which values to try where anything may come from outside: `--domain Int=0..3` for 0, 1 and 2, `--domain Data=3`
    /// for three values of the abstract sort `Data`
    #[arg(long = "domain", value_name = "SORT=VALUES")]
    given: Vec<NamedDomain>,
}

impl DomainArgs {
    /// As they were given.
    pub fn given(&self) -> &[NamedDomain] {
        &self.given
    }

    /// The domains of a net, with others that those of the command line go before; nothing where something is wrong with
    /// them, which has been said.
    pub fn with(&self, others: &[NamedDomain], net: &PNet) -> Option<Domains> {
        let given: Vec<NamedDomain> = others.iter().chain(&self.given).cloned().collect();
        DomainArgs { given }.of(net)
    }

    /// The domains of a net; nothing where something is wrong with them, which has been said.
    pub fn of(&self, net: &PNet) -> Option<Domains> {
        match Domains::named(&net.algebra, &self.given) {
            Ok(domains) => Some(domains),
            Err(problem) => {
                complain(&problem.to_string());
                None
            }
        }
    }
}
