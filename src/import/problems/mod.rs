//! What can be wrong with files of other tools that are imported.

crate::diagnostics::problems! {
    /// A problem of an import.
    ImportProblem {
        f0301_unreadable_text::UnreadableText,
        f0302_unexpected_text::UnexpectedText,
        f0303_unread_import::UnreadImport,
        f0304_no_transition::NoTransition,
        f0305_unknown_in_rule::UnknownInRule,
        f0306_names_of_rule::NamesOfRule,
        f0307_twice_in_rule::TwiceInRule,
        f0308_no_first_rule::NoFirstRule,
        f0321_slots::WrongSlots,
        f0322_no_range::NoRange,
        f0323_member_of_family::MemberOfFamily,
        f0341_labels_alike::LabelsAlike,
        f0401_broken_bip::BrokenBip,
        f0402_not_in_bip::NotInBip,
        f0403_misplaced_bip::MisplacedBip,
        f0404_unknown_bip::UnknownBip,
        f0405_twice_in_bip::TwiceInBip,
        f0406_mistyped_bip::MistypedBip,
        f0407_refused_bip::RefusedBip,
        f0408_wrong_glue::BadGlue,
        f0409_unsafe_place::UnsafePlace,
        f0410_priority_circle::PriorityCircle,
        f0411_read_unset::ReadUnset,
        f0412_taken_as_function::TakenAsFunction,
        f0413_never_connected::NeverConnected,
        f0414_same_port_twice::SamePortTwice,
    }
}

pub use f0301_unreadable_text::ImportFlaw;
pub use f0307_twice_in_rule::Twice;
pub use f0401_broken_bip::BipFlaw;
pub use f0403_misplaced_bip::Misplaced;
pub use f0407_refused_bip::Refusal;
pub use f0408_wrong_glue::WrongGlue;
