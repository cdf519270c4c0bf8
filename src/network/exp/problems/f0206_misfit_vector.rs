//! `F0206`: vector or interface that does not fit its operands.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// What does not fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Misfit {
    /// How many places there are in a vector, and how many operands.
    Length {
        /// Places.
        places: usize,
        /// Operands.
        operands: usize,
    },
    /// All places are empty.
    Nobody,
    /// How many are to move together, and how many there are.
    Degree {
        /// How many are to.
        degree: usize,
        /// How many could.
        operands: usize,
    },
}

/// A vector or interface that does not fit the operands of its `par`.
#[derive(Clone, Debug)]
pub struct MisfitVector {
    /// Where.
    pub span: Span,
    /// What does not fit.
    pub misfit: Misfit,
}

pub(super) const ENTRY: Entry = Entry {
    code: "F0206",
    title: "vector or interface that does not fit its operands",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A vector of `par using` says for each operand what it does, in the order of the
operands after `in`: a gate or label, or `_` if it does nothing. So it has as many
places as there are operands, and somebody moves.

In an interface, `G#2` means that two of those operands move together that name it; there
must be as many.
",
    wrong: "label par using\n  «\"PUT !1\" -> \"PASS\"»,\n  \"ACK\" * \"ACK\" -> \"ACK\"\nin\n  \"sender.aut\" || \"receiver.aut\"\nend par\n",
    right: "label par using\n  \"PUT !1\" * \"GET !1\" -> \"PASS\",\n  \"ACK\" * \"ACK\" -> \"ACK\"\nin\n  \"sender.aut\" || \"receiver.aut\"\nend par\n",
};

impl MisfitVector {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let many = |count: usize, what: &str| match count {
            1 => format!("1 {what}"),
            more => format!("{more} {what}s"),
        };
        let found = |message: String| Diagnostic::new(entry, self.span, message);
        match self.misfit {
            Misfit::Length { places, operands } => {
                let message = format!("this vector has {}, for {}", many(places, "place"), many(operands, "operand"));
                found(message).note("write `_` for an operand that does nothing")
            }
            Misfit::Nobody => {
                let message = "nobody moves in this vector".to_owned();
                found(message).note("leave it out, or name what an operand does")
            }
            Misfit::Degree { degree, operands } => {
                let message = format!("{} are to move together, of {}", many(degree, "operand"), many(operands, "operand"));
                found(message).note("only operands of this `par` count, and only those that name it if it stands before `->`")
            }
        }
    }
}
