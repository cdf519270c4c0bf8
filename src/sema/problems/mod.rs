//! The problems of names (`N`), sorts (`T`) and well-formedness (`W`), one file per code.

crate::diagnostics::problems! {
    /// What can be wrong with a model that could be parsed: names, sorts and composition.
    SemaProblem {
        n0101_missing_file::MissingFile,
        n0102_import_cycle::ImportCycle,
        n0103_unknown_library::UnknownLibrary,
        n0104_import_clash::ImportClash,
        n0105_not_exported::NotExported,
        n0201_unknown_sort::UnknownSort,
        n0202_unknown_name::UnknownName,
        n0203_unknown_action::UnknownAction,
        n0204_wrong_arity::WrongArity,
        n0205_unknown_component::UnknownComponent,
        n0206_unknown_part::UnknownPart,
        n0207_unknown_state::UnknownState,
        n0208_unknown_interface::UnknownInterface,
        n0209_unknown_hole::UnknownHole,
        n0210_unknown_selector::UnknownSelector,
        n0211_unknown_relation::UnknownRelation,
        n0212_unknown_check::UnknownCheck,
        n0213_unknown_constructor::UnknownConstructor,
        n0214_ambiguous_path::AmbiguousPath,
        n0215_unknown_path::UnknownPath,
        n0216_unknown_interaction::UnknownInteraction,
        n0217_wrong_kind::WrongKind,
        n0218_unknown_module::UnknownModule,
        n0301_duplicate::Duplicate,
        n0302_action_clash::ActionClash,
        t0101_mismatch::Mismatch,
        t0102_argument_count::ArgumentCount,
        t0103_not_callable::NotCallable,
        t0104_cannot_infer::CannotInfer,
        t0105_not_array::NotArray,
        t0106_not_data::NotData,
        t0107_not_exhaustive::NotExhaustive,
        t0108_unreachable_arm::UnreachableArm,
        t0109_infinite_sort::InfiniteSort,
        t0110_empty_datatype::EmptyDatatype,
        t0111_constant_cycle::ConstantCycle,
        t0112_division_by_zero::DivisionByZero,
        t0113_out_of_range::OutOfRange,
        t0114_empty_range::EmptyRange,
        t0115_not_constant::NotConstant,
        t0116_value_count::ValueCount,
        t0117_hole_count::HoleCount,
        t0118_sort_not_included::SortNotIncluded,
        t0119_not_a_set::NotASet,
        t0120_misplaced_set::MisplacedSet,
        t0121_untestable::Untestable,
        t0122_not_assignable::NotAssignable,
        t0123_state_count::StateCount,
        t0124_check_arguments::CheckArguments,
        t0125_action_as_data::ActionAsData,
        t0126_not_an_action::NotAnAction,
        t0127_misplaced_pattern::MisplacedPattern,
        t0128_family_index::FamilyIndex,
        t0129_double_complement::DoubleComplement,
        t0130_misplaced_clause::MisplacedClause,
        t0131_bad_pattern::BadPattern,
        t0132_index_out_of_family::IndexOutOfFamily,
        t0133_endless_recursion::EndlessRecursion,
        t0134_unbound_index::UnboundIndex,
        t0135_initial_value::UnsettledInitial,
        w0101_no_initial_state::NoInitialState,
        w0102_two_initial_states::TwoInitialStates,
        w0103_input_in_output::InputInOutput,
        w0104_input_shadows::InputShadows,
        w0105_input_twice::InputTwice,
        w0106_assigned_twice::AssignedTwice,
        w0107_empty_net::EmptyNet,
        w0108_unbound_result::UnboundResult,
        w0109_unbound_guard::UnboundGuard,
        w0110_member_twice::MemberTwice,
        w0111_empty_vector::EmptyVector,
        w0112_outside_interface::OutsideInterface,
        w0113_never_offered::NeverOffered,
        w0114_synchronised_again::SynchronisedAgain,
        w0115_recursive_net::RecursiveNet,
        w0116_hole_used_twice::HoleUsedTwice,
        w0117_priority_cycle::PriorityCycle,
        w0118_port_twice::PortTwice,
        w0119_transfer_target::TransferTarget,
        w0201_observes_silent::ObservesSilent,
        w0301_unreachable_state::UnreachableState,
        w0302_unused_action::UnusedAction,
        w0303_unused_variable::UnusedVariable,
        w0304_unused_part::UnusedPart,
        w0305_unused_hole::UnusedHole,
        w0306_never_read::NeverRead,
        w0307_shadowing::Shadowing,
        w0308_single_use::SingleUse,
        w0309_unused_import::UnusedImport,
        w0310_unused_parameter::UnusedParameter,
        w0311_unconnected_port::UnconnectedPort,
        w0312_constant_guard::ConstantGuard,
        w0313_repeated::Repeated,
        w0314_useless_assignment::UselessAssignment,
        w0315_no_interaction::NoInteraction,
        w0316_unless_cycle::UnlessCycle,
    }
}

pub use n0205_unknown_component::PassedPart;
pub use t0133_endless_recursion::EndlessWhy;

/// Names as a list: `` `a`, `b` and `c` ``, with the joining word that is given.
fn list(names: &[String], joined: &str) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.as_slice() {
        [] => "nothing".to_owned(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} {joined} {last}", first.join(", ")),
    }
}

/// A number of things: `no arguments`, `1 argument`, `2 arguments`.
fn count(number: usize, thing: &str) -> String {
    match number {
        0 => format!("no {thing}s"),
        1 => format!("1 {thing}"),
        _ => format!("{number} {thing}s"),
    }
}

/// A cycle: `` `a` → `b` → `a` ``.
fn cycle(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(" → ")
}
