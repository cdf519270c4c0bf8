//! `T0183`: too many instances.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// More instances of functions than anybody wrote.
#[derive(Clone, Debug)]
pub struct ManyInstances {
    /// The text.
    pub span: Span,
    /// The function that was to have one more.
    pub name: String,
    /// How many there can be.
    pub limit: usize,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0183",
    title: "too many instances",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
Each instance of a function over sorts is made by itself. Functions that call each
other for several sorts each can need very many of them.

Call them for fewer sorts, or put what they are called for into one datatype.
",
    wrong: "\
fun f0<T>(x: T): Int = f1((x, 1)) + f1((x, true));
fun f1<T>(x: T): Int = f2((x, 1)) + f2((x, true));
fun f2<T>(x: T): Int = f3((x, 1)) + f3((x, true));
fun f3<T>(x: T): Int = f4((x, 1)) + f4((x, true));
fun f4<T>(x: T): Int = f5((x, 1)) + f5((x, true));
fun f5<T>(x: T): Int = f6((x, 1)) + f6((x, true));
fun f6<T>(x: T): Int = f7((x, 1)) + f7((x, true));
fun f7<T>(x: T): Int = f8((x, 1)) + f8((x, true));
fun f8<T>(x: T): Int = f9((x, 1)) + f9((x, true));
fun f9<T>(x: T): Int = f10((x, 1)) + f10((x, true));
fun f10<T>(x: T): Int = f11((x, 1)) + f11((x, true));
fun «f11»<T>(x: T): Int = f12((x, 1)) + f12((x, true));
fun f12<T>(x: T): Int = if x == x then 1 else 0;

const ALL: Int = f0(1);
",
    right: "\
fun f0<T>(x: T): Int = f1((x, 1)) + f1((x, true));
fun f1<T>(x: T): Int = if x == x then 1 else 0;

const ALL: Int = f0(1);
",
};

impl ManyInstances {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, limit) = (&self.name, self.limit);
        Diagnostic::new(entry, self.span, format!("there are more than {limit} instances of functions"))
            .label(format!("one more of `{name}`"))
            .note("call functions over sorts for fewer sorts")
    }
}
