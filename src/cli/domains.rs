//! `--domain`: which values are tried where there are too many.

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

    /// The domains of a net, with others that those of the command line go before, and some that go before those.
    pub fn with(
        &self,
        (others, instead): (&[NamedDomain], &[NamedDomain]),
        net: &PNet,
    ) -> Result<Domains, String> {
        let given = others.iter().chain(&self.given).chain(instead);
        let given: Vec<NamedDomain> = given.cloned().collect();
        Domains::named(&net.algebra, &given).map_err(|problem| problem.to_string())
    }
}
