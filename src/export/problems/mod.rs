//! What other formats cannot say.

crate::diagnostics::problems! {
    /// A reason why a net is not exported.
    ExportProblem {
        f0331_hole_in_export::HoleInExport,
        f0332_sort_in_export::SortInExport,
        f0333_term_in_export::TermInExport,
        f0334_open_value::OpenValue,
        f0335_order_in_export::OrderInExport,
        f0336_unshown_value::UnshownValue,
        f0337_no_network::NoNetwork,
        f0338_too_many_joint::TooManyJoint,
    }
}

pub use f0335_order_in_export::NoOrder;
