//! What a formula looks at: variables of components, and arguments of steps.

use super::formula::{Formula, StateFormula, StepPattern};
use crate::algebra::{Term, TermId};
use crate::pnet::{Content, Watched};

impl Formula {
    /// What it looks at in a net with this root.
    pub fn watched(&self, root: Content) -> Watched {
        let mut looking = Looking { formula: self, root, found: Watched::default() };
        looking.state(&self.says);
        self.fair.iter().for_each(|fair| looking.step(&fair.step));
        // What is bound and never spoken of is not looked at.
        looking.binds(&self.says);
        looking.found
    }
}

struct Looking<'f> {
    formula: &'f Formula,
    root: Content,
    found: Watched,
}

impl Looking<'_> {
    fn state(&mut self, formula: &StateFormula) {
        match formula {
            StateFormula::Holds(predicate) => {
                self.term(predicate.owed, self.root);
                self.term(predicate.says, self.root);
            }
            StateFormula::Fix { params, .. } => {
                params.iter().for_each(|(_, value)| self.term(*value, self.root));
            }
            StateFormula::Again(_, values) => {
                values.iter().for_each(|value| self.term(*value, self.root));
            }
            _ => {}
        }
        formula.steps().into_iter().for_each(|step| self.step(step));
        formula.inside().into_iter().for_each(|inner| self.state(inner));
    }

    fn step(&mut self, step: &StepPattern) {
        match step {
            StepPattern::Any | StepPattern::With(_) => {}
            StepPattern::Shows(term) => self.term(*term, self.root),
            StepPattern::Hole(hole, term) => self.term(*term, Content::Hole(*hole)),
            StepPattern::Not(inner) => self.step(inner),
            StepPattern::And(parts) | StepPattern::Or(parts) => {
                parts.iter().for_each(|part| self.step(part));
            }
        }
    }

    fn binds(&mut self, formula: &StateFormula) {
        if let StateFormula::Box(modality) | StateFormula::Diamond(modality) = formula {
            for (var, part) in &modality.binds {
                if self.found.variables.contains(var) {
                    self.term(*part, self.root);
                }
            }
        }
        formula.inside().into_iter().for_each(|inner| self.binds(inner));
    }

    /// What a term reads, where `shown` is what `whose` does.
    fn term(&mut self, term: TermId, whose: Content) {
        let terms = &self.formula.terms;
        self.found.variables.extend(terms.free_vars(term));
        if self.is_shown(term) {
            self.found.wholly.insert(whose);
        }
        for inner in terms.inside([term]) {
            match terms.get(inner) {
                Term::Argument(action, at, of) if self.is_shown(*of) => {
                    self.found.arguments.insert((whose, *action, *at));
                }
                // Which action it is, is no argument.
                Term::IsAct(..) | Term::IsSync(_) | Term::IsCo(_) | Term::Inner(_) => {}
                Term::Equal(one, other) if self.is_shown(*one) || self.is_shown(*other) => {
                    let is = if self.is_shown(*one) { *other } else { *one };
                    self.equal(is, whose);
                }
                other => {
                    let mut wholly = false;
                    other.each_inside(|part| wholly |= self.is_shown(part));
                    if wholly {
                        self.found.wholly.insert(whose);
                    }
                }
            }
        }
    }

    /// What is shown is compared with this.
    fn equal(&mut self, mut is: TermId, whose: Content) {
        let terms = &self.formula.terms;
        while let Term::Sync(inner) | Term::Co(inner) = terms.get(is) {
            is = *inner;
        }
        match terms.get(is) {
            Term::Tau => {}
            Term::Act(action, args) => {
                let arguments = (0..args.len()).map(|at| (whose, *action, at as u32));
                self.found.arguments.extend(arguments);
            }
            _ => {
                self.found.wholly.insert(whose);
            }
        }
    }

    /// Whether a term is what is shown, or what is inside of its `sync` or `co`.
    fn is_shown(&self, mut term: TermId) -> bool {
        let terms = &self.formula.terms;
        while let Term::Inner(inner) = terms.get(term) {
            term = *inner;
        }
        matches!(terms.get(term), Term::Var(var) if *var == self.formula.shown)
    }
}
