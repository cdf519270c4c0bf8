//! Which values are tried where a net is run, and there may be no end of them.

use crate::algebra::AbstractId;
use crate::explore::Domains;
use crate::pnet::PNet;

/// First all values, for nets in which they are finitely many; then a few.
pub(super) fn tried(net: &PNet) -> [Domains; 2] {
    let kinds = 0..net.algebra.abstracts.len() as u32;
    let few = Domains {
        integers: Some(((-2).into(), 6.into())),
        abstracts: kinds.map(|kind| (AbstractId(kind), 3)).collect(),
        ..Domains::default()
    };
    [Domains::default(), few]
}
