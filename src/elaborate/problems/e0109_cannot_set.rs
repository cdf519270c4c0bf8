//! `E0109`: `--set` of something that cannot be set.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// `--set` of something that cannot be set.
#[derive(Clone, Debug)]
pub struct CannotSet {
    /// Where it is: in the text of the setting.
    pub span: Span,
    /// What was to be set.
    pub name: String,
    /// WhyNotSet it cannot be.
    pub why: WhyNotSet,
}

/// WhyNotSet something cannot be set.
#[derive(Clone, Debug)]
pub enum WhyNotSet {
    /// No such constant is declared.
    Unknown {
        /// The files that were looked at.
        files: Vec<String>,
        /// The constant that was probably meant.
        similar: Option<String>,
    },
    /// Several modules that are imported declare one.
    Several(Vec<Span>),
    /// It has a value already.
    Valued(Span),
    /// It was set before.
    Twice(Span),
    /// What was given is no value of its sort.
    Misfit {
        /// What was given.
        given: String,
        /// The sort.
        sort: String,
        /// Values that would do, in words.
        values: String,
        /// The value that was probably meant.
        similar: Option<String>,
        /// Where the constant is declared.
        declared: Span,
    },
    /// Values of its sort cannot be written.
    Unwritten {
        /// The sort.
        sort: String,
        /// Where the constant is declared.
        declared: Span,
    },
}

pub(super) const ENTRY: Entry = Entry {
    code: "E0109",
    title: "`--set` of something that cannot be set",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
`--set N=4` fixes a symbolic constant: one that is declared without a value, `const N:
Int;`, and stands for any value otherwise. Constants that have a value keep it: remove
the value from the declaration, or change it there.

The value is one of the constant's sort: a whole number, `true` or `false`, or what the
constructors of an enumeration or a datatype make, `--set mode=fast`. Abstract sorts and
arrays have no values that can be written.

A constant of an imported module that has a name of its own is set behind it, `--set
timer.N=4`. With several files, at least one of them has to declare the constant.
",
    wrong: "",
    right: "",
};

/// `a`, `b` and `c`, in back-quotes.
fn listed(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

impl CannotSet {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, new) = (&self.name, |text: String| Diagnostic::new(entry, self.span, text));
        match &self.why {
            WhyNotSet::Unknown { files, similar } => {
                let text = format!("there is no constant `{name}` to set in {}", listed(files));
                new(text)
                    .did_you_mean(self.span, similar.as_deref())
                    .note("only symbolic constants, as in `const N: Int;`, can be set")
            }
            WhyNotSet::Several(places) => {
                let first = new(format!("there are several constants `{name}` to set"));
                let all = places.iter().fold(first, |found, &at| found.also(at, "one of them"));
                all.note(format!(
                    "import the module that is meant with a name, and write `--set MODULE.{name}=VALUE`"
                ))
            }
            WhyNotSet::Valued(declared) => new(format!("`{name}` cannot be set: it has a value already"))
                .also(*declared, "declared with a value here")
                .note(format!("leave out the value where `{name}` is declared, or change it there")),
            WhyNotSet::Twice(before) => new(format!("`{name}` is set twice"))
                .also(*before, "set before")
                .note("leave out one of the two"),
            WhyNotSet::Misfit { given, sort, values, similar, declared } => {
                new(format!("`{given}` is no value of `{name}`, which is of sort `{sort}`"))
                    .also(*declared, "declared here")
                    .did_you_mean(self.span, similar.as_deref())
                    .note(format!("give {values}"))
            }
            WhyNotSet::Unwritten { sort, declared } => new(format!(
                "`{name}` cannot be set: values of sort `{sort}` cannot be written"
            ))
            .also(*declared, "declared here")
            .note("numbers, truth values and what constructors make can be set"),
        }
    }
}
