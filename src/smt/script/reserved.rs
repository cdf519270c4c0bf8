//! Words that mean something to some solver.

/// Whether a name means something to some solver already.
pub(super) fn is_reserved(name: &str) -> bool {
    RESERVED.binary_search(&name).is_ok()
}

const RESERVED: &[&str] = &["_", "and"];
