//! Whether an invariant is one: all its obligations, each put to the solver by itself.

use rustc_hash::FxHashMap;

use super::{Invariant, Problem, problem::InteractionId};
use crate::algebra::{TermId, Terms, VarId, VariableKind};
use crate::smt::{Answer, Limits, Session, Unsupported};

/// What an invariant does not do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unmet {
    /// One of its conditions does not hold where the net begins.
    Initial(usize),
    /// An interaction breaks one of its conditions.
    Kept(InteractionId, usize),
    /// It does not exclude what is bad.
    Bad,
    /// The solver does not know, and why.
    Unknown(String),
}

/// Variables for the state after a step.
pub(super) fn primed(
    problem: &Problem<'_>,
    terms: &mut Terms,
) -> (FxHashMap<VarId, VarId>, FxHashMap<VarId, TermId>) {
    let vars = problem.state_variables();
    let (_, fresh) = terms.fresh(vars.iter().copied(), VariableKind::State);
    let next: FxHashMap<VarId, VarId> = vars.iter().copied().zip(fresh).collect();
    let after = next.iter().map(|(&var, &new)| (var, terms.var_term(new))).collect();
    (next, after)
}

/// Only what an interaction changes is another variable after it.
pub(super) fn after(
    problem: &Problem<'_>,
    id: InteractionId,
    all: &FxHashMap<VarId, TermId>,
) -> FxHashMap<VarId, TermId> {
    let changes = problem.changes(id);
    changes.into_iter().filter_map(|var| Some((var, *all.get(&var)?))).collect()
}

/// Puts the obligations of an invariant to the solver: it holds at first, every interaction keeps it, and it excludes what
/// is bad.
pub fn check(problem: &Problem<'_>, invariant: &Invariant, limits: Limits) -> Result<(), Unmet> {
    Checking::new(problem, invariant, limits)?.all()
}

/// Whether an invariant excludes what is bad.
pub fn excludes(problem: &Problem<'_>, invariant: &Invariant, limits: Limits) -> Result<(), Unmet> {
    let mut checking = Checking::new(problem, invariant, limits)?;
    checking.assume()?;
    checking.excludes()
}

/// Whether what is said of constants cannot be true at all: then anything would follow.
pub fn axioms_contradict(problem: &Problem<'_>) -> bool {
    let mut terms = problem.terms.clone();
    let (algebra, open_world) = (&problem.net.algebra, problem.is_open_world());
    let session = Session::new(algebra, &mut terms, open_world, Limits::default());
    session.is_ok_and(|mut session| session.check() == Answer::Unsat)
}

struct Checking<'c, 'n> {
    problem: &'c Problem<'n>,
    conjuncts: &'c [TermId],
    terms: Terms,
    session: Session,
}

impl<'c, 'n> Checking<'c, 'n> {
    fn new(
        problem: &'c Problem<'n>,
        invariant: &'c Invariant,
        limits: Limits,
    ) -> Result<Checking<'c, 'n>, Unmet> {
        let mut terms = invariant.terms.clone();
        let (algebra, open_world) = (&problem.net.algebra, problem.is_open_world());
        let session = Session::new(algebra, &mut terms, open_world, limits)?;
        let conjuncts = &invariant.conjuncts;
        let mut checking = Checking { problem, conjuncts, terms, session };
        for one in problem.shape(&mut checking.terms) {
            checking.session.assert(&mut checking.terms, one)?;
        }
        Ok(checking)
    }

    fn all(&mut self) -> Result<(), Unmet> {
        self.session.push();
        for &one in &self.problem.initial {
            self.session.assert(&mut self.terms, one)?;
        }
        let here = self.conjuncts.iter().copied().enumerate().collect();
        self.none_broken(here, Unmet::Initial)?;
        self.session.pop();
        self.assume()?;
        let (next, after_all) = primed(self.problem, &mut self.terms);
        for id in self.problem.interactions.ids() {
            self.session.push();
            for part in self.problem.step(&mut self.terms, id, &next) {
                self.session.assert(&mut self.terms, part)?;
            }
            let after = after(self.problem, id, &after_all);
            let mut then = Vec::with_capacity(self.conjuncts.len());
            for (place, &conjunct) in self.conjuncts.iter().enumerate() {
                let later = self.terms.substitute(conjunct, &after);
                if later != conjunct {
                    then.push((place, later));
                }
            }
            self.none_broken(then, |place| Unmet::Kept(id, place))?;
            self.session.pop();
        }
        self.excludes()
    }

    /// From now on, the invariant holds.
    fn assume(&mut self) -> Result<(), Unmet> {
        for &conjunct in self.conjuncts {
            self.session.assert(&mut self.terms, conjunct)?;
        }
        Ok(())
    }

    fn excludes(&mut self) -> Result<(), Unmet> {
        none(self.session.check_assuming(&mut self.terms, &[self.problem.bad]), Unmet::Bad)
    }

    /// That all conditions hold: all at once, and where that is not known one by one.
    fn none_broken(
        &mut self,
        all: Vec<(usize, TermId)>,
        unmet: impl Fn(usize) -> Unmet,
    ) -> Result<(), Unmet> {
        let broken: Vec<TermId> = all.iter().map(|(_, one)| self.terms.not(*one)).collect();
        let any = self.terms.or(broken.iter().copied());
        if self.session.check_assuming(&mut self.terms, &[any]) == Answer::Unsat {
            return Ok(());
        }
        for ((place, _), broken) in all.into_iter().zip(broken) {
            let answer = self.session.check_assuming(&mut self.terms, &[broken]);
            none(answer, unmet(place))?;
        }
        Ok(())
    }
}

impl From<Unsupported> for Unmet {
    fn from(why: Unsupported) -> Unmet {
        Unmet::Unknown(why.to_string())
    }
}

fn none(answer: Answer, unmet: Unmet) -> Result<(), Unmet> {
    match answer {
        Answer::Unsat => Ok(()),
        Answer::Sat => Err(unmet),
        Answer::Unknown(why) => Err(Unmet::Unknown(why)),
    }
}
