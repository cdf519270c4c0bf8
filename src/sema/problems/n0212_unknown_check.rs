//! `N0212`: unknown kind of check.

use super::list;
use crate::diagnostics::{Diagnostic, Entry, Severity, Span};

/// A check of a kind that does not exist.
#[derive(Clone, Debug)]
pub struct UnknownCheck {
    /// The name.
    pub span: Span,
    /// The name.
    pub name: String,
    /// The kind of check that was probably meant.
    pub similar: Option<String>,
    /// Whether `not` stands before it.
    pub negated: bool,
    /// The kinds of checks there are.
    pub known: Vec<String>,
}

pub(super) const ENTRY: Entry = Entry {
    code: "N0212",
    title: "unknown kind of check",
    severity: Severity::Error,
    on_request: false,
    explanation: "\
After `check` stands what is to be established: that two systems behave the same
(`bisimilar`, `weakly_bisimilar`), that one does nothing the other could not
(`refines`, `weakly_refines`), that a system never gets stuck (`deadlock_free`,
`nonblocking`), that something holds in every state (`always`) or in some state
(`reaches`), that a step leads to one state only (`deterministic`), that every run
ends (`terminates`), that an action stays possible (`live`), or how large the
system is (`size`). There is no check of this name.
",
    wrong: "\
action tick;

process Clock {
    init state s;

    s -> s : tick;
}

check «deadlockfree»(Clock);
",
    right: "\
action tick;

process Clock {
    init state s;

    s -> s : tick;
}

check deadlock_free(Clock);
",
};

impl UnknownCheck {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        // There is such a check, and it asks something else.
        let (message, label) = match self.name.as_str() {
            "never" => ("`never` with no property asks about the claims of an architecture".to_owned(), "not of a net"),
            name => (format!("there is no check called `{name}`"), "unknown kind of check"),
        };
        let diagnostic = Diagnostic::new(entry, self.span, message)
            .label(label)
            .note(format!("the checks are {}", list(&self.known, "and")));
        match (&self.similar, elsewhere(&self.name)) {
            (None, Some((note, meant))) => {
                diagnostic.note(note).did_you_mean(self.span, meant.filter(|_| !self.negated))
            }
            (similar, _) => diagnostic.did_you_mean(self.span, similar.as_deref()),
        }
    }
}

/// What other tools call a check, with what to ask here, and the word for it if there is one.
fn elsewhere(name: &str) -> Option<(&'static str, Option<&'static str>)> {
    let name = name.to_lowercase();
    Some(match name.as_str() {
        "never" => (
            "`never(S, p)` says that no run of `S` gets to a state with `p`",
            None,
        ),
        "unreachable" | "forbidden" => (
            "`never(S, p)` says that no run of `S` gets to a state with `p`",
            Some("never"),
        ),
        "globally" | "invariant" | "invariantly" | "safe" | "safety" | "ag" | "box" | "holds"
        | "henceforth" => (
            "`always(S, p)` says that `p` holds in every state that `S` can reach",
            Some("always"),
        ),
        "possible" | "possibly" | "reachable" | "ef" | "exists" | "can_reach" => {
            ("`reaches(S, p)` says that some run of `S` gets to a state with `p`", Some("reaches"))
        }
        "eventually" | "finally" | "leads_to" | "leadsto" | "until" | "ltl" | "ctl" | "ctlstar"
        | "mucalculus" | "af" | "ax" | "ex" | "eg" | "next" | "inevitably" | "temporal" => (
            "what is said of runs is a temporal formula: `holds(S, eventually(p))` says that every run gets to `p`, `holds(S, responds(a, b))` that each `a` is followed by a `b`; `reaches(S, p)` that some run gets there, `always(S, p)` that `p` holds everywhere",
            None,
        ),
        "progress" | "liveness" | "agef" | "home" | "enabled" => (
            "`live(S, a)` says that wherever `S` gets, a step that shows `a` can still be reached",
            None,
        ),
        "deterministic_system" | "determinism" | "determinate" | "confluent" => (
            "`deterministic(S)` says that no two steps of `S` with the same action lead to different states",
            (name != "confluent").then_some("deterministic"),
        ),
        "termination" | "terminating" | "halts" | "convergent" | "finite" => (
            "`terminates(S)` says that every run of `S` ends",
            (name != "finite").then_some("terminates"),
        ),
        "weak_refines" | "weak_refinement" | "weakly_simulates" | "weakly_implements" => (
            "`weakly_refines(A, B)` says that `A` refines `B` up to silent steps",
            Some("weakly_refines"),
        ),
        "deadlock" | "deadlockfreedom" | "no_deadlock" | "stuck" => (
            "`deadlock_free(S)` says that `S` never gets stuck",
            (name == "no_deadlock" || name == "deadlockfreedom").then_some("deadlock_free"),
        ),
        "equivalent" | "equal" | "equiv" | "same" | "congruent" | "bisim" => {
            ("`bisimilar(A, B)` says that two systems behave the same", Some("bisimilar"))
        }
        "traces" | "trace_included" | "simulates" | "simulated" | "implements" | "satisfies" => {
            ("`refines(A, B)` says that `A` does nothing that `B` could not", Some("refines"))
        }
        _ => return None,
    })
}
