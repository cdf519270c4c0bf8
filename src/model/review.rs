//! What is to be said about the nets of a model, in the words of its file.

use super::{Checked, span_of};
use crate::diagnostics::{Diagnostic, Span};
use crate::generate::{self, Generated, Watch};
use crate::pnet::PNet;
use crate::review;
use crate::review::problems::AutomatonProblem;

impl Checked {
    /// What is to be said about a net of a file, now that its automaton is known.
    ///
    /// As with all warnings, only what the file itself can do something about.
    pub fn review(
        &self,
        net: &PNet,
        generated: &Generated,
        options: &generate::Options,
        watch: &dyn Watch,
    ) -> Vec<Diagnostic> {
        let asked_for = span_of(&self.sources, &self.root);
        let mut problems = review::review(net, generated, options, watch);
        problems.retain(|problem| asked_for.contains(problem.span()) && !was_said(self, problem));
        for problem in &mut problems {
            let text = problem.span();
            match problem {
                AutomatonProblem::LeavesRange(one) => {
                    one.assigned = self.program.assigned_at(text);
                }
                AutomatonProblem::AlwaysTrue(one) => one.end = self.program.compared_at(text),
                _ => {}
            }
        }
        problems.iter().map(AutomatonProblem::diagnose).collect()
    }
}

/// Whether it was said before anything was built: that a connector has no interaction, or that a guard is always the
/// same.
fn was_said(checked: &Checked, problem: &AutomatonProblem) -> bool {
    let text = problem.span();
    let said = |code: &str, about: &dyn Fn(Span) -> bool| {
        let mut said = checked.diagnostics.iter().filter(|one| one.entry.code == code);
        said.any(|one| about(one.span()))
    };
    match problem {
        AutomatonProblem::NoInstance(_) => said("W0315", &|connector| text.contains(connector)),
        AutomatonProblem::AlwaysTrue(_) | AutomatonProblem::DeadTransition(_) => {
            said("W0312", &|guard| guard.contains(text))
        }
        _ => false,
    }
}
