//! Warnings that need a look at a whole process, net or module: what is never used, never reached, or
//! silently switched off.

mod interactions;
mod module;
mod net;
mod process;

use super::Sema;

/// Looks at everything that has no errors.
pub(super) fn run(sema: &mut Sema<'_>) {
    process::run(sema);
    module::run(sema);
}
