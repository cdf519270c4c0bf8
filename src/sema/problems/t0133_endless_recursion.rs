//! `T0133`: a function that may never end.

use super::cycle;
use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A recursive call that makes nothing smaller.
#[derive(Clone, Debug)]
pub struct EndlessRecursion {
    /// The call.
    pub span: Span,
    /// The function that it stands in.
    pub caller: String,
    /// The function that is called.
    pub callee: String,
    /// Why it is not known to end.
    pub why: EndlessWhy,
    /// Those that call each other; the last is the first again.
    pub cycle: Vec<String>,
    /// The other calls of the circle, with what is called.
    pub others: Vec<(Span, String)>,
    /// What `decreases` names.
    pub named: Option<Span>,
    /// The sign of a comparison, and what to write in its place.
    pub edit: Option<(Span, String)>,
}

/// Why recursion is not known to end.
#[derive(Clone, Debug)]
pub enum EndlessWhy {
    /// The arguments are those of the caller.
    Same,
    /// This becomes smaller, but it may do so for ever.
    Unbounded(String),
    /// A part is taken of a value that may not have it.
    UnknownPart {
        /// The part.
        part: String,
        /// What it is taken from.
        whole: String,
        /// The form that has it.
        test: String,
    },
    /// Nothing becomes smaller.
    NotSmaller,
    /// A constant or a sort in the circle.
    NoCall,
    /// It could not be found out.
    TooComplex,
}

pub(super) const ENTRY: Entry = Entry {
    code: "T0133",
    title: "recursion that may never end",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
A function that is defined by itself has a meaning only if this ends: each
recursive call must make something smaller that cannot become smaller for ever.
Else there may be no such function at all (`f(x) = 1 + f(x)`), and from what does
not exist everything follows.

Something is smaller when it is a part of a value of a datatype (a name that
`match` binds; `l.tail` where `l is Cons(_, _)` is known), or when it is a term
like `n` or `n - i` that is less than before and has a lower bound under the
conditions of the call. `a mod b` is less than `b` where `b > 0` is known. With
several arguments it is enough that one of them becomes smaller and those before
it do not change; functions that call each other are looked at together.

Test for `n <= 0` rather than `n == 0`: a negative number never comes to zero. Or
give the parameter a range, as in `n: 0..100`. If pnet does not find what becomes
smaller, name it: `fun f(i: Int, n: Int): Int decreases n - i = …`, or several
terms, `decreases (a, b)`, of which the first that changes becomes smaller.

A function that cannot be defined like this can be described: leave out its
definition, `fun f(n: Int): Int;`, and write what is known as axioms.
",
    wrong: "\
fun sum(n: Int): Int = if n == 0 then 0 else n + «sum(n - 1)»;
",
    right: "\
fun sum(n: Int): Int = if n <= 0 then 0 else n + sum(n - 1);
",
};

impl EndlessRecursion {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let message = match self.why {
            EndlessWhy::TooComplex => {
                format!("it is too complex to see that the recursion of `{}` ends", self.caller)
            }
            EndlessWhy::NoCall => {
                format!("`{}` is defined by itself, and this never ends", self.callee)
            }
            _ => format!("this call of `{}` may never end", self.callee),
        };
        let mut diagnostic = Diagnostic::new(entry, self.span, message).label(self.label());
        if let Some(named) = self.named
            && !matches!(self.why, EndlessWhy::TooComplex | EndlessWhy::NoCall)
        {
            diagnostic = diagnostic.also(named, "this must become smaller in each call");
        }
        for (span, name) in &self.others {
            diagnostic = diagnostic.also(*span, format!("leads on to `{name}`"));
        }
        if self.cycle.len() > 2 {
            diagnostic = diagnostic.note(format!("the circle is {}", cycle(&self.cycle)));
        }
        match &self.edit {
            Some((sign, text)) => diagnostic.suggest(
                format!("with `{text}` it ends for every value"),
                *sign,
                text.clone(),
            ),
            None => diagnostic.note(self.advice()),
        }
    }

    fn label(&self) -> String {
        match &self.why {
            EndlessWhy::Same => "called with the same arguments".to_owned(),
            EndlessWhy::Unbounded(term) => {
                format!("`{term}` becomes smaller, but nothing here says where it stops")
            }
            EndlessWhy::UnknownPart { part, whole, test } => {
                format!("`{part}` is smaller only where `{whole} is {test}` is known")
            }
            EndlessWhy::NotSmaller if self.named.is_some() => {
                "what `decreases` names does not become smaller here".to_owned()
            }
            EndlessWhy::NotSmaller => "nothing becomes smaller here".to_owned(),
            EndlessWhy::NoCall => "needed to say what it is".to_owned(),
            EndlessWhy::TooComplex => "a recursive call".to_owned(),
        }
    }

    fn advice(&self) -> String {
        match &self.why {
            EndlessWhy::Unbounded(term) => format!(
                "call it only where `{term}` is above some bound, or give the parameters ranges"
            ),
            EndlessWhy::UnknownPart { whole, test, .. } => {
                format!("call it only where `{whole} is {test}`, or use `match`")
            }
            EndlessWhy::NoCall => "define one of them without the others".to_owned(),
            EndlessWhy::TooComplex => {
                "name what becomes smaller with `decreases`, or cut the function into several"
                    .to_owned()
            }
            EndlessWhy::Same | EndlessWhy::NotSmaller => {
                "make an argument smaller, name what becomes smaller with `decreases`, or leave out \
                 the definition and write axioms"
                    .to_owned()
            }
        }
    }
}
