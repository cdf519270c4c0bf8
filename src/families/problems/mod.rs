//! What keeps a proof from being about every size: A-codes from 0201 on.

crate::diagnostics::problems! {
    /// Something that is not looked at where a system has any size.
    FamilyProblem {
        a0201_forgotten::ForgottenData,
        a0202_outside::OutsideForms,
        a0203_many_states::ManyStates,
    }
}
