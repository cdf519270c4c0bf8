//! What can be wrong with files of other tools.

crate::diagnostics::problems! {
    /// A problem of a file in the Aldebaran format.
    AutProblem {
        f0101_broken_header::BrokenHeader,
        f0102_broken_transition::BrokenTransition,
        f0103_too_many::TooMany,
        f0104_wrong_counts::WrongCounts,
        f0105_other_silent::OtherSilent,
    }
}
