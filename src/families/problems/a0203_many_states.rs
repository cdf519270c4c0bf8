//! `A0203`: component with too many states.

use crate::diagnostics::{Diagnostic, Entry, Severity, Span};
use crate::parametric::MOST_STATES;

/// A process with more states than are looked at where a system has any size.
#[derive(Clone, Debug)]
pub struct ManyStates {
    /// Its name.
    pub span: Span,
    /// Its name.
    pub name: String,
    /// How many states it has.
    pub states: usize,
}

pub(super) const ENTRY: Entry = Entry {
    code: "A0203",
    title: "component with too many states",
    severity: Severity::Warning,
    on_request: false,
    explanation: "\
A proof for every size looks at up to 64 states of each component, its variables left
out. A process that has more is not looked at, and the check stays unknown.

Split the process into parts that take turns, or check single sizes:
`pnet verify --set n=5`.
",
    wrong: "\
const n: Int;
axiom n >= 2;
action step;

process «Long» {
    init state s0;
    state s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15, s16, s17, s18, s19, s20,
            s21, s22, s23, s24, s25, s26, s27, s28, s29, s30, s31, s32, s33, s34, s35, s36, s37,
            s38, s39, s40, s41, s42, s43, s44, s45, s46, s47, s48, s49, s50, s51, s52, s53, s54,
            s55, s56, s57, s58, s59, s60, s61, s62, s63, s64;

    s0  -> s1  : step;
    s1  -> s2  : step;
    s2  -> s3  : step;
    s3  -> s4  : step;
    s4  -> s5  : step;
    s5  -> s6  : step;
    s6  -> s7  : step;
    s7  -> s8  : step;
    s8  -> s9  : step;
    s9  -> s10 : step;
    s10 -> s11 : step;
    s11 -> s12 : step;
    s12 -> s13 : step;
    s13 -> s14 : step;
    s14 -> s15 : step;
    s15 -> s16 : step;
    s16 -> s17 : step;
    s17 -> s18 : step;
    s18 -> s19 : step;
    s19 -> s20 : step;
    s20 -> s21 : step;
    s21 -> s22 : step;
    s22 -> s23 : step;
    s23 -> s24 : step;
    s24 -> s25 : step;
    s25 -> s26 : step;
    s26 -> s27 : step;
    s27 -> s28 : step;
    s28 -> s29 : step;
    s29 -> s30 : step;
    s30 -> s31 : step;
    s31 -> s32 : step;
    s32 -> s33 : step;
    s33 -> s34 : step;
    s34 -> s35 : step;
    s35 -> s36 : step;
    s36 -> s37 : step;
    s37 -> s38 : step;
    s38 -> s39 : step;
    s39 -> s40 : step;
    s40 -> s41 : step;
    s41 -> s42 : step;
    s42 -> s43 : step;
    s43 -> s44 : step;
    s44 -> s45 : step;
    s45 -> s46 : step;
    s46 -> s47 : step;
    s47 -> s48 : step;
    s48 -> s49 : step;
    s49 -> s50 : step;
    s50 -> s51 : step;
    s51 -> s52 : step;
    s52 -> s53 : step;
    s53 -> s54 : step;
    s54 -> s55 : step;
    s55 -> s56 : step;
    s56 -> s57 : step;
    s57 -> s58 : step;
    s58 -> s59 : step;
    s59 -> s60 : step;
    s60 -> s61 : step;
    s61 -> s62 : step;
    s62 -> s63 : step;
    s63 -> s64 : step;
    s64 -> s0  : step;
}

net Row {
    sub L[i: 0..n] = Long;

    <L[i]: step> -> step for i in 0..n;
}

check deadlock_free(Row);
",
    right: "\
const n: Int;
axiom n >= 2;
action step;

process Short {
    init state s0;
    state s1;

    s0 -> s1 : step;
    s1 -> s0 : step;
}

net Row {
    sub L[i: 0..n] = Short;

    <L[i]: step> -> step for i in 0..n;
}

check deadlock_free(Row);
",
};

impl ManyStates {
    pub(super) fn diagnose(&self, entry: &'static Entry) -> Diagnostic {
        let (name, states) = (&self.name, self.states);
        let said = format!("`{name}` has {states} states, too many where every size is looked at");
        Diagnostic::new(entry, self.span, said)
            .label(format!("more than {MOST_STATES} states"))
            .note("split it into parts that take turns, or look at one size with `--set`")
    }
}
