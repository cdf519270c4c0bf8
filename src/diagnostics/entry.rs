//! Codes: each kind of problem has an entry with its long explanation and two models, one that shows
//! the problem and one that mends it.

use super::Severity;

/// A kind of problem, as `pnet explain` and the error index show it.
///
/// In `wrong`, `«` and `»` stand around the text that the primary label must underline; they are taken
/// out before the model is used. The tests check that `wrong` gives exactly this code at exactly this
/// place and that `right` gives nothing at all.
#[derive(Debug)]
pub struct Entry {
    /// The code: a letter for the stage and four digits.
    pub code: &'static str,
    /// What is wrong, in a few words.
    pub title: &'static str,
    /// How grave it is unless asked otherwise.
    pub severity: Severity,
    /// Whether it is only reported when asked for with `--warn` or `--deny`.
    pub on_request: bool,
    /// Why it is a problem and what to do.
    pub explanation: &'static str,
    /// A model that shows it.
    pub wrong: &'static str,
    /// The same model, mended.
    pub right: &'static str,
}

impl Entry {
    /// The wrong model as people would write it, without the marks.
    pub fn wrong_model(&self) -> String {
        self.wrong.replace(['«', '»'], "")
    }
}

/// Declares a stage's problems: one small module per code with one struct in it, and the enum over all.
macro_rules! problems {
    ($(#[$doc:meta])* $stage:ident { $($module:ident :: $problem:ident),* $(,)? }) => {
        $(mod $module; pub use $module::$problem;)*

        $(#[$doc])*
        #[derive(Clone, Debug)]
        #[allow(missing_docs, reason = "each variant is documented at the struct it holds")]
        pub enum $stage { $($problem($problem)),* }

        impl $stage {
            /// The entry of this kind of problem.
            pub fn entry(&self) -> &'static $crate::diagnostics::Entry {
                match self { $($stage::$problem(_) => &$module::ENTRY),* }
            }

            /// Where it is.
            pub fn span(&self) -> $crate::diagnostics::Span {
                match self { $($stage::$problem(problem) => problem.span),* }
            }

            /// The problem in words, with its places.
            pub fn diagnose(&self) -> $crate::diagnostics::Diagnostic {
                match self { $($stage::$problem(problem) => problem.diagnose(&$module::ENTRY)),* }
            }
        }

        $(impl From<$problem> for $stage {
            fn from(problem: $problem) -> $stage { $stage::$problem(problem) }
        })*

        /// All kinds of problems of this stage.
        pub const ENTRIES: &[&$crate::diagnostics::Entry] = &[$(&$module::ENTRY),*];
    };
}
pub(crate) use problems;
