//! What can be wrong with networks in files.

crate::diagnostics::problems! {
    /// A problem of a network in the EXP format.
    ExpProblem {
        f0201_broken_text::BrokenText,
        f0202_unexpected::Unexpected,
        f0203_nested_too_deep::NestedTooDeep,
        f0204_not_read::NotRead,
        f0205_broken_pattern::BrokenPattern,
        f0206_misfit_vector::MisfitVector,
        f0207_unread_file::UnreadFile,
        f0208_own_file::OwnFile,
        f0209_loose_file::LooseFile,
        f0210_silent_partner::SilentPartner,
        f0211_too_many_vectors::TooManyVectors,
        f0212_unknown_label::UnknownLabel,
        f0213_gate_with_offers::GateWithOffers,
        f0214_blocked_label::BlockedLabel,
        f0215_lonely_gate::LonelyGate,
    }
}

pub use f0201_broken_text::TextFlaw;
pub use f0206_misfit_vector::Misfit;
