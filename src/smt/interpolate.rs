//! Interpolants along a path that nobody can go: what is to be remembered at each place to see that.
//!
//! Z3's interface has no interpolants, but Spacer does: the path is stated as Horn clauses that follow one another, with one
//! relation for each place, and the answer is a condition for each. What comes out is a proposal: whoever uses it as a
//! predicate of an abstraction need not trust it.

use super::horn::{Atom, Clause, Clauses, HornFound, HornOptions, solve};
use super::solver::Limits;
use crate::algebra::{Algebra, TermId, Terms, VarId, VariableKind};

/// A part of a path: what holds there, and the values with which it goes on.
#[derive(Clone, Debug, Default)]
pub struct PathStep {
    /// What must hold at this place to go on, over its variables and others that nobody else speaks of.
    pub conditions: Vec<TermId>,
    /// For each variable that matters at the next place, its value there.
    pub next: Vec<(VarId, TermId)>,
}

/// Conditions for the places of a path, over the variables that matter there: the first after the first step. They follow
/// one from the other, and the conditions of the last step contradict the last of them. Nothing where none were found.
pub fn interpolants(
    about: (&Algebra, bool),
    terms: &mut Terms,
    steps: &[PathStep],
    limits: Limits,
) -> Option<Vec<TermId>> {
    let mut clauses = Clauses::default();
    let mut before: Option<Atom> = None;
    for (number, step) in steps.iter().enumerate() {
        let (mut conditions, mut args) = (step.conditions.clone(), Vec::new());
        for &(var, value) in &step.next {
            let (put, fresh) = terms.fresh([var], VariableKind::State);
            conditions.push(terms.equal(put[&var], value));
            args.extend(fresh);
        }
        let vars: Vec<VarId> = step.next.iter().map(|(var, _)| *var).collect();
        let is_last = number + 1 == steps.len();
        let head = (!is_last).then(|| (clauses.relations.push(vars.clone()), args));
        let after = head.as_ref().map(|(id, _)| (*id, vars));
        let body = std::mem::replace(&mut before, after).into_iter().collect();
        clauses.clauses.push(Clause { body, conditions, head });
    }
    let options = HornOptions { limits, merge: false };
    match solve(about, terms, &clauses, options) {
        Ok(HornFound::Holds(found)) => Some(found.into_iter().collect()),
        Ok(HornFound::Fails(_) | HornFound::Unknown(_)) | Err(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{PathStep, interpolants};
    use crate::algebra::{Algebra, Sort, Terms, VariableKind};
    use crate::diagnostics::Symbol;
    use crate::smt::{Answer, Limits, Solver, Theory};

    /// `x` and `y` are counted together, twice; then `x < y` cannot be.
    #[test]
    fn what_to_remember_on_a_path() {
        let (algebra, mut terms) = (Algebra::default(), Terms::default());
        let vars =
            ["x", "y"].map(|name| terms.new_var(Symbol::new(name), Sort::Int, VariableKind::State));
        let [x, y] = vars.map(|var| terms.var_term(var));
        let (zero, one) = (terms.int(0), terms.int(1));
        let begin = PathStep { conditions: vec![], next: vec![(vars[0], zero), (vars[1], zero)] };
        let (more_x, more_y) = (terms.add([x, one]), terms.add([y, one]));
        let count =
            PathStep { conditions: vec![], next: vec![(vars[0], more_x), (vars[1], more_y)] };
        let less = terms.less(x, y);
        let end = PathStep { conditions: vec![less], next: vec![] };
        let steps = [begin, count.clone(), count, end];
        let found = interpolants((&algebra, false), &mut terms, &steps, Limits::default());
        let found = found.unwrap_or_default();
        assert_eq!(found.len(), 3);
        let mut solver = Solver::new(&algebra, false, Limits::default());
        let theory = Theory { algebra: &algebra, terms: &terms };
        assert_eq!(solver.check(theory, &[found[2], less]), Answer::Unsat);
        assert_eq!(solver.check(theory, &[found[0]]), Answer::Sat);
    }
}
