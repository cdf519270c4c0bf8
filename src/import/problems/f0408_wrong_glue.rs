//! `F0408`: connector of BIP that connects wrongly.

use thiserror::Error;

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// What is wrong with a connector.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum WrongGlue {
    /// A port twice.
    #[error("`{0}` stands here for the second time")]
    PortTwice(String),
    /// A port that is not there.
    #[error("the port `{0}` is missing in `define`")]
    PortMissing(String),
    /// No such interaction.
    #[error("`define` does not allow this interaction")]
    NoInteraction,
    /// Two clauses for one interaction.
    #[error("there is another `on` for this interaction")]
    Twice,
    /// A component is reached on two ways.
    #[error("this connector reaches `{0}` twice")]
    ReachedTwice(String),
    /// A compound that is made of itself.
    #[error("the compound `{0}` contains itself")]
    InItself(String),
    /// Connectors lead to each other.
    #[error("this connector is connected to itself")]
    Circle,
    /// A variable that must not be written there.
    #[error("`{0}` cannot be assigned here")]
    NotAssignable(String),
    /// A connector that has no port of its own.
    #[error("the connector `{0}` exports no port called `{1}`")]
    NoExport(String, String),
}

/// A connector that connects wrongly.
#[derive(Clone, Debug)]
pub struct BadGlue {
    /// Where.
    pub span: Span,
    /// What is wrong.
    pub what: WrongGlue,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0408",
    title: "connector of BIP that connects wrongly",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
In `define`, each port of a connector type stands once. An `on` of a connector is about one
of the interactions that `define` allows, and there is one `on` for each at most. In a
compound, one connector reaches a component once, also through other connectors, since a
component does one thing at a time. A compound is made of other ones, and never of itself.
",
    wrong: "package P\n  port type Sig()\n  connector type C(Sig a, Sig b)\n    define a «a»\n  end\nend\n",
    right: "package P\n  port type Sig()\n  connector type C(Sig a, Sig b)\n    define a b\n  end\nend\n",
};

impl BadGlue {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        Diagnostic::new(entry, self.span, self.what.to_string())
    }
}
