//! `N0215`: path that leads nowhere.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A path in a property that fits nothing in the system.
#[derive(Clone, Debug)]
pub struct UnknownPath {
    /// The path.
    pub span: Span,
    /// The path.
    pub name: String,
    /// The system.
    pub net: String,
    /// What was looked for: `variable`, `leaf`, `family`.
    pub what: String,
    /// The last name of the path that was probably meant.
    pub similar: Option<String>,
    /// The whole path that was probably meant.
    pub whole: Option<String>,
    /// What else is known of the mistake.
    pub hint: Option<PathHint>,
}

/// What a path that leads nowhere was meant for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PathHint {
    /// The index of a family, which nothing binds.
    Index {
        /// The family.
        family: String,
    },
    /// The index of a family all of whose members are counted.
    Counted {
        /// The family.
        family: String,
        /// The member that was written, where it ends what was written.
        member: Option<Span>,
    },
    /// A state of a process, which is no variable.
    State {
        /// The state.
        state: String,
        /// The process.
        process: String,
        /// A component that can be in it.
        place: String,
    },
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0215",
    title: "path that leads nowhere",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
In a property of a system, a name is a variable of one of the processes it is made
of, or such a process itself, named by its path: `T.t` is the variable `t` of the
part `T`, and `S[2].v` a variable of one member of a family. Nothing in this
system has a path that ends like this.

An index, as in `S[i] in busy`, needs a quantifier that binds it: `forall i: 0..n .
S[i] in busy`. Where members are counted, it is left out: `mutex(N, S in busy)` is
about all members of `S`.

Holes have no variables: only what is inside a process can be asked about.
",
    wrong: "\
action tick;

process Clock {
    var hour: Int = 0;
    init state s;

    s -> s : tick when hour < 12 do hour := hour + 1;
}

check always(Clock, «huor» <= 12);
",
    right: "\
action tick;

process Clock {
    var hour: Int = 0;
    init state s;

    s -> s : tick when hour < 12 do hour := hour + 1;
}

check always(Clock, hour <= 12);
",
};

impl UnknownPath {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, net) = (&self.name, &self.net);
        // What is proposed is a last name: the path before it stays.
        let length = name.rsplit('.').next().unwrap_or(name).len() as u32;
        let last =
            Span::new(self.span.start.max(self.span.end.saturating_sub(length)), self.span.end);
        let (what, example) = match self.what.as_str() {
            "leaf" => ("process", "`C`, `left.C` or `S[2]`"),
            "family" => ("family", "`S` or `left.S`"),
            other => (other, "`t`, `T.t` or `S[2].v`"),
        };
        let diagnostic =
            Diagnostic::new(entry, self.span, format!("`{net}` has no {what} `{name}`"));
        let diagnostic = match &self.hint {
            None => diagnostic
                .label(format!("no {what} with a path that ends like this"))
                .note(format!("write the end of its path, such as {example}")),
            Some(PathHint::Index { family }) => diagnostic
                .label("nothing binds it")
                .note(format!(
                    "for all members write `forall x in {family} . x in s`, or `forall {name}: 0..n . …` with the range of `{family}`"
                )),
            Some(PathHint::Counted { family, member }) => {
                let counted = diagnostic
                    .label("nothing binds it")
                    .note(format!("all members of `{family}` are counted by `{family} in s`"));
                match member {
                    Some(member) => {
                        counted.suggest(format!("count them: `{family}`"), *member, family.as_str())
                    }
                    None => counted,
                }
            }
            Some(PathHint::State { state, process, place }) => diagnostic
                .label(format!("`{state}` is a state of `{process}`"))
                .note(format!("whether a component is in it is written `{place} in {state}`")),
        };
        diagnostic
            .did_you_mean(last, self.similar.as_deref())
            .did_you_mean(self.span, self.whole.as_deref())
    }
}
