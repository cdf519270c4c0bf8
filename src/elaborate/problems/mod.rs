//! What can be wrong while a net is elaborated: the E-codes.

crate::diagnostics::problems! {
    /// A problem of elaboration.
    ElaborationProblem {
        e0101_unknown_size::UnknownSize,
        e0102_empty_family::EmptyFamily,
        e0103_too_many_instances::TooManyInstances,
        e0104_index_outside::IndexOutside,
        e0105_too_nested::TooNested,
        e0106_absent_port::AbsentPort,
        e0107_transfer_read::TransferRead,
        e0108_priority_on_hole::PriorityOnHole,
        e0109_cannot_set::CannotSet,
        e0110_needs_set::NeedsSet,
        e0111_too_many_interactions::TooManyInteractions,
        e0112_no_such_member::NoSuchMember,
        e0113_no_size::NoSize,
        e0114_member_again::MemberAgain,
        e0115_unbound_place::UnboundPlace,
        e0116_unclear_choice::UnclearChoice,
        e0117_priority_circle::PriorityCircle,
        e0118_no_such_interaction::NoSuchInteraction,
        e0119_too_many_orders::TooManyOrders,
        e0120_value_outside::ValueOutside,
        e0121_empty_sort::EmptySort,
        e0122_contradiction::ContradictingSettings,
        e0123_unclear_condition::UnclearCondition,
        e0124_no_port_value::NoPortValue,
        e0125_family_of_ports::FamilyOfPorts,
        e0126_no_interaction_of_ports::NoInteractionOfPorts,
        e0127_clause_twice::ClauseTwice,
        e0128_written_twice::WrittenTwice,
        e0136_unclear_reading::UnclearReading,
        e0140_one_of_many::OneOfMany,
    }
}

pub use e0109_cannot_set::WhyNotSet;
