//! What can be said about an automaton: the A-codes.

crate::diagnostics::problems! {
    /// A problem that an automaton shows.
    AutomatonProblem {
        a0101_unknown_transition::UnknownTransition,
        a0102_dead_vector::DeadVector,
        a0103_dead_transition::DeadTransition,
        a0104_unreachable_state::NeverReached,
        a0105_still_hole::StillHole,
        a0106_always_true::AlwaysTrue,
        a0107_contradiction::Contradiction,
        a0108_stuck_initially::StuckInitially,
        a0109_leaves_range::LeavesRange,
        a0110_no_instance::NoInstance,
    }
}
