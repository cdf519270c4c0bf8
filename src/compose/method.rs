//! How a system is made part by part: what is preserved, who is restricted by whom, and what goes together first.

use crate::lts::Equivalence;

/// How a system is made part by part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Method {
    /// What the result preserves.
    pub root: Equivalence,
    /// What leaves and what is composed of them is reduced by; none where it is chosen by what `root` preserves.
    pub parts: Option<Equivalence>,
    /// Parts that are made only as far as their neighbours allow: by their paths.
    pub restrict: Vec<(String, Vec<String>)>,
    /// Parts that are composed before others, by their paths.
    pub first: Vec<Vec<String>>,
    /// How many states a system on the way may have.
    pub most_states: usize,
}

impl Method {
    /// Nothing is said but what is preserved.
    pub fn preserving(root: Equivalence) -> Method {
        let most_states = u32::MAX as usize - 1;
        Method { root, parts: None, restrict: Vec::new(), first: Vec::new(), most_states }
    }

    /// What parts are reduced by: what is preserved, or something finer that is quicker to find. `hides`: whether silent
    /// steps of parts are free, so that they need not count.
    pub fn of_parts(&self, hides: bool) -> Equivalence {
        let by = self.parts.unwrap_or(match self.root {
            Equivalence::Strong | Equivalence::Trace => Equivalence::Strong,
            Equivalence::DivergencePreserving => Equivalence::DivergencePreserving,
            Equivalence::Branching
            | Equivalence::Weak
            | Equivalence::WeakTrace
            | Equivalence::Safety => Equivalence::Branching,
        });
        if hides { by } else { Equivalence::Strong }
    }
}
