//! `E0101`: size of a family that is not known.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// Size of a family that is not known.
#[derive(Clone, Debug)]
pub struct UnknownSize {
    /// Where it is.
    pub span: Span,
    /// The symbolic constants that it depends on.
    pub constants: Vec<String>,
    /// The instances that led here.
    pub chain: Vec<(Span, String)>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "E0101",
    title: "size of a family that is not known",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A family is unfolded into its members when a net is elaborated, so its bounds must be
numbers by then. A symbolic constant, or a parameter of the net that is being
elaborated, stands for any value at all.

Fix the constant on the command line with `--set N=4`, or elaborate a net that
gives a value for the parameter. `pnet verify` answers for every size where an
axiom says how small the constant can be: `axiom N >= 2;`.
",
    wrong: "\
const N: Int;
action a(Int);

process Station<i: Int> {
    init state s;

    s -> s : a(i);
}

net Ring {
    sub S[i: «0..N»] = Station<i>;

    <S[0]: a(x)> -> a(x);
}
",
    right: "\
const N: Int = 3;
action a(Int);

process Station<i: Int> {
    init state s;

    s -> s : a(i);
}

net Ring {
    sub S[i: 0..N] = Station<i>;

    <S[0]: a(x)> -> a(x);
}
",
};

impl UnknownSize {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let diagnostic = Diagnostic::new(entry, self.span, "the size of this family is not known")
            .label("has to be a number here");
        let diagnostic = diagnostic.note(match self.constants.as_slice() {
            [] => "give a value for the parameter".to_owned(),
            names => {
                let set: Vec<String> = names.iter().map(|name| format!("--set {name}=3")).collect();
                format!(
                    "give a value on the command line, as in `{}`; checks are answered for every value \
                     where an axiom says how small it can be, as in `axiom {} >= 2;`",
                    set.join(" "),
                    names[0]
                )
            }
        });
        self.chain.iter().fold(diagnostic, |diagnostic, (span, text)| diagnostic.also(*span, text.clone()))
    }
}
