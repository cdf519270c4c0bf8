//! Questions to a solver as texts in SMT-LIB 2.6, which stock solvers read.
//!
//! A script says what it needs and nothing else: sorts, datatypes, functions and constants that the question
//! mentions, directly or not. The datatype `Action` comes whole, because which actions there are matters for
//! the answer; and so do the axioms, because they hold whether the question mentions them or not.
//!
//! Large terms are cut into definitions, `t!1` and so on: what is used more than once is written once, and
//! nothing is nested deeper than a solver's parser can bear. A piece that has bound variables in it is a
//! definition with parameters.

mod declare;
mod define;
mod horn;
mod names;
mod plan;
mod reserved;
mod used;
mod vmt;
mod write;

use rustc_hash::FxHashMap;

pub use self::horn::horn_script;
use self::names::Names;
use self::plan::Plan;
use self::used::Used;
pub use self::vmt::{VmtSystem, vmt_script};
use self::write::Writer;
use crate::algebra::{Algebra, Term, TermId, Terms, VarId};

/// How a script is written.
#[derive(Clone, Copy, Debug)]
pub struct ScriptOptions<'o> {
    /// Lines of comment for the top.
    pub comment: &'o [String],
    /// Whether there are actions that nobody declared: a constructor of its own stands for them.
    pub open_world: bool,
    /// Names for variables, where those that they have would not tell enough.
    pub names: Option<&'o FxHashMap<VarId, String>>,
    /// The answer, where it is known.
    pub expected: Option<Expected>,
}

impl Default for ScriptOptions<'_> {
    /// No comment, an open world, the variables' own names, and no known answer.
    fn default() -> Self {
        ScriptOptions { comment: &[], open_world: true, names: None, expected: None }
    }
}

/// The answer to a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expected {
    /// All conditions can hold together.
    Sat,
    /// They cannot.
    Unsat,
}

/// One question: can all of these hold together? Nothing is left to the sorts: see [`super::Explicit`].
pub fn script(
    algebra: &Algebra,
    terms: &Terms,
    conditions: &[TermId],
    options: ScriptOptions<'_>,
) -> String {
    let used = Used::by(algebra, terms, conditions);
    let plan = Plan::of(terms, &used);
    let names = Names::of(algebra, terms, &used, &options);
    let mut writer = Writer::new(algebra, terms, &used, &plan, names);
    writer.head(&options, "ALL");
    writer.sorts(options.open_world);
    writer.symbols();
    writer.variables();
    writer.functions();
    for &axiom in &algebra.axioms {
        writer.assert(axiom);
    }
    for &condition in conditions {
        writer.assert(condition);
    }
    writer.finish()
}

impl Writer<'_> {
    fn head(&mut self, options: &ScriptOptions<'_>, logic: &str) {
        for line in options.comment.iter().flat_map(|comment| comment.lines()) {
            self.line(format!("; {line}").trim_end());
        }
        self.line("(set-info :smt-lib-version 2.6)");
        match options.expected {
            Some(Expected::Sat) => self.line("(set-info :status sat)"),
            Some(Expected::Unsat) => self.line("(set-info :status unsat)"),
            None => {}
        }
        self.line(&format!("(set-logic {logic})"));
    }

    /// The free variables.
    fn variables(&mut self) {
        for &var in &self.used.free {
            let sort = self.sort(&self.terms.var(var).sort);
            let line = format!("(declare-const {} {sort})", self.names.var(var));
            self.line(&line);
        }
    }

    /// Says that a condition holds; several that hold together are said one by one.
    fn assert(&mut self, condition: TermId) {
        let terms = self.terms;
        let parts = match terms.get(condition) {
            Term::And(parts) => parts,
            _ => std::slice::from_ref(&condition),
        };
        for &part in parts {
            self.define(&[part]);
            let text = self.text_of(part);
            self.line(&format!("(assert {text})"));
        }
    }

    fn finish(mut self) -> String {
        self.line("(check-sat)");
        self.text
    }
}
