//! The prover: a table of terms, the oracle that is asked about them, and what was made of conditions before.

use rustc_hash::FxHashMap;

use crate::algebra::{Algebra, Evaluator, MOST_UNFOLDED, Sort, TermId, Terms};
use crate::automaton::OpenAutomaton;
use crate::base::Watch;
use crate::base::budget::is_spent;
use crate::outcome::STOPPED;
use crate::pnet::is_open;
use crate::smt::{Answer, Oracle, OracleOptions, ScriptOptions, script};

/// Answers questions about conditions.
pub struct Prover<'a> {
    /// Sorts, functions, actions and constants.
    pub algebra: &'a Algebra,
    /// The terms.
    pub terms: Terms,
    pub(crate) oracle: Oracle<'a>,
    /// Who watches, and can stop the work.
    pub(crate) watch: &'a dyn Watch,
    /// Conditions with quantifiers that were made, by what they say with placeholders for what is bound, and its sorts.
    pub(super) quantified: FxHashMap<(TermId, Vec<Sort>), TermId>,
    /// The placeholders, by place and sort.
    pub(super) placeholders: FxHashMap<(usize, Sort), TermId>,
    /// Conditions with each comparison in its one form.
    pub(super) formed: FxHashMap<TermId, TermId>,
}

impl<'a> Prover<'a> {
    /// A prover about an automaton by itself.
    pub fn about(
        automaton: &'a OpenAutomaton,
        asking: OracleOptions,
        watch: &'a dyn Watch,
    ) -> Prover<'a> {
        Prover::new(automaton, automaton.terms.clone(), is_open(&automaton.holes), asking, watch)
    }

    /// A prover about terms that an automaton declares everything for.
    pub fn new(
        automaton: &'a OpenAutomaton,
        terms: Terms,
        open_world: bool,
        asking: OracleOptions,
        watch: &'a dyn Watch,
    ) -> Prover<'a> {
        let algebra = &automaton.algebra;
        Prover {
            algebra,
            terms,
            oracle: Oracle::new(algebra, open_world, asking),
            watch,
            quantified: FxHashMap::default(),
            placeholders: FxHashMap::default(),
            formed: FxHashMap::default(),
        }
    }

    /// Whether what is said of constants can be true at all. If not, anything would follow.
    pub fn axioms_contradict(&mut self) -> bool {
        let yes = self.terms.bool(true);
        self.check(&[yes]) == Answer::Unsat
    }

    /// How many questions the solver was asked.
    pub fn queries(&self) -> usize {
        self.oracle.queries
    }

    /// From now on each question gets little time: for attempts that others follow.
    pub fn hurry(&mut self) {
        self.oracle.hurry();
    }

    /// From now on each question gets all its time again, also those that were not answered in a hurry.
    pub fn no_hurry(&mut self) {
        self.oracle.no_hurry();
    }

    /// Says how far the work is.
    pub(crate) fn searching(&self, what: &str) {
        self.watch.searching(what, self.oracle.queries);
    }

    /// A question as a script for solvers. What cannot be put to one is the question whether nothing can hold: no
    /// solver will confirm it.
    pub fn script(&mut self, conditions: &[TermId], options: ScriptOptions<'_>) -> String {
        let explicit = self.oracle.explicit(&mut self.terms);
        let all = match explicit.question(&mut self.terms, conditions) {
            Ok(question) => question.all(),
            Err(_) => Vec::new(),
        };
        script(&explicit.algebra, &self.terms, &all, options)
    }

    /// Whether conditions can hold together.
    pub fn check(&mut self, conditions: &[TermId]) -> Answer {
        if is_spent() {
            return Answer::Unknown(STOPPED.to_owned());
        }
        self.oracle.check(&mut self.terms, conditions)
    }

    /// Whether all of some conditions that must not hold together do not.
    pub fn none_holds(&mut self, conditions: &[TermId]) -> Answer {
        let no = self.terms.bool(false);
        if conditions.contains(&no) { Answer::Unsat } else { self.check(conditions) }
    }

    /// What a term comes to.
    pub(crate) fn evaluated(&mut self, term: TermId) -> TermId {
        Evaluator::new(self.algebra, MOST_UNFOLDED).evaluate(&mut self.terms, term)
    }
}
