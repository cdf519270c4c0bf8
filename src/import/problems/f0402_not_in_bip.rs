//! `F0402`: clause that does not fit the grammar of BIP.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A word or sign that does not fit in a clause.
#[derive(Clone, Debug)]
pub struct NotInBip {
    /// Where.
    pub span: Span,
    /// What stands there; nothing at the end of the clause.
    pub found: String,
    /// The word that the clause begins with.
    pub clause: String,
    /// What would have fitted, in words.
    pub expected: Vec<String>,
    /// How it is written, if it can be guessed.
    pub hint: Option<&'static str>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0402",
    title: "clause that does not fit the grammar of BIP",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A clause of BIP2 begins with a word such as `port`, `atom`, `data`, `place`, `on`,
`connector` or `priority`, and goes on as the grammar of the language has it. Here it does
not: the label shows the word or sign that does not fit. Other clauses are read all the
same. Files of the older BIP1 have other forms: `atomic type`, `define [a b]`, types
without `()`, and `do` without braces are not read.
",
    wrong: "package P\n  port type Sig()\n  atom type A()\n    place S\n    initial to S «{» }\n  end\nend\n",
    right: "package P\n  port type Sig()\n  atom type A()\n    place S\n    initial to S do { }\n  end\nend\n",
};

impl NotInBip {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let clause = self.clause.replace('`', "'");
        let message = match self.found.as_str() {
            "" => format!("this clause, which begins with `{clause}`, is not complete"),
            found if found == self.clause => format!("`{clause}` begins no clause"),
            found => format!("`{}` does not fit in a clause of `{clause}`", found.replace('`', "'")),
        };
        let diagnostic = Diagnostic::new(entry, self.span, message);
        if let Some(hint) = self.hint {
            return diagnostic.note(hint);
        }
        match self.expected.as_slice() {
            [] => diagnostic,
            [only] => diagnostic.note(format!("expected {only}")),
            [first @ .., last] => {
                diagnostic.note(format!("expected one of {} and {last}", first.join(", ")))
            }
        }
    }
}
