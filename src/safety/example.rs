//! Why an invariant is none, as an example: a configuration, which need not be reachable, with the step that breaks it.
//!
//! A solver has no taste, and its values may be anything. So the example is brought near to where the net begins, one
//! component and one variable after the other, as long as it stays one: what is unusual about it then matters.

use rustc_hash::FxHashMap;

use super::check::{Unmet, after, primed};
use super::unroll::ways_taken;
use super::{ComponentId, InteractionId, Invariant, Lead, LeadStep, Problem};
use crate::algebra::{Sort, TermId, Terms, VarId};
use crate::base::budget::is_spent;
use crate::smt::{Answer, Limits, Model, Session, Unsupported};

/// No more wishes than these are tried.
const MOST_WISHES: usize = 2_000;

/// A wish may take this long; the first that takes longer is the last.
const PATIENCE: Limits = Limits { milliseconds: 1_000 };

/// Numbers are small rather than large: at most this, if they cannot be what they are at first.
const SMALL: [u32; 3] = [2, 10, 100];

/// A configuration and, where a step breaks something, this step.
#[derive(Clone, Debug)]
pub struct Example {
    /// The configuration, and at most one step.
    pub lead: Lead,
    /// The components that are as they begin.
    pub resting: Vec<ComponentId>,
}

/// An example of what an invariant does not do; nothing where the solver finds none.
pub fn example(
    problem: &Problem<'_>,
    invariant: &Invariant,
    unmet: &Unmet,
    limits: Limits,
) -> Option<Example> {
    let mut search = Search::new(problem, invariant, limits).ok()?;
    search.found(&invariant.conjuncts, unmet).ok().flatten()
}

struct Search<'p, 'n> {
    problem: &'p Problem<'n>,
    terms: Terms,
    session: Session,
    /// The variables after a step.
    next: FxHashMap<VarId, VarId>,
    after_all: FxHashMap<VarId, TermId>,
    /// What is wished for and possible.
    granted: Vec<TermId>,
    /// Whether one more wish may be tried.
    wishes: bool,
    limits: Limits,
}

impl<'p, 'n> Search<'p, 'n> {
    fn new(
        problem: &'p Problem<'n>,
        invariant: &Invariant,
        limits: Limits,
    ) -> Result<Search<'p, 'n>, Unsupported> {
        let mut terms = invariant.terms.clone();
        let (algebra, open_world) = (&problem.net.algebra, problem.is_open_world());
        let mut session = Session::new(algebra, &mut terms, open_world, limits)?;
        for one in problem.shape(&mut terms) {
            session.assert(&mut terms, one)?;
        }
        let (next, after_all) = primed(problem, &mut terms);
        let granted = Vec::new();
        Ok(Search { problem, terms, session, next, after_all, granted, wishes: true, limits })
    }

    fn found(
        &mut self,
        conjuncts: &[TermId],
        unmet: &Unmet,
    ) -> Result<Option<Example>, Unsupported> {
        let before = match unmet {
            Unmet::Unknown(_) => return Ok(None),
            Unmet::Initial(_) => &self.problem.initial,
            Unmet::Kept(..) | Unmet::Bad => conjuncts,
        };
        for &one in before {
            self.session.assert(&mut self.terms, one)?;
        }
        let wrong = self.what_is_wrong(conjuncts, unmet)?;
        self.session.assert(&mut self.terms, wrong)?;
        if self.session.check() != Answer::Sat {
            return Ok(None);
        }
        let step = match unmet {
            Unmet::Kept(id, _) => Some(*id),
            _ => None,
        };
        self.session.limit(PATIENCE);
        let resting = self.near_the_beginning(step);
        self.session.limit(self.limits);
        let granted = self.granted.clone();
        if self.session.check_assuming(&mut self.terms, &granted) != Answer::Sat {
            return Ok(None);
        }
        Ok(self.read(step)?.map(|lead| Example { lead, resting }))
    }

    /// What is so in an example; the step is asserted.
    fn what_is_wrong(
        &mut self,
        conjuncts: &[TermId],
        unmet: &Unmet,
    ) -> Result<TermId, Unsupported> {
        let (place, after) = match unmet {
            Unmet::Bad | Unmet::Unknown(_) => return Ok(self.problem.bad),
            Unmet::Initial(place) => (*place, FxHashMap::default()),
            Unmet::Kept(id, place) => {
                for part in self.problem.step(&mut self.terms, *id, &self.next) {
                    self.session.assert(&mut self.terms, part)?;
                }
                (*place, after(self.problem, *id, &self.after_all))
            }
        };
        let broken = *conjuncts.get(place).ok_or(Unsupported::Misfit)?;
        let broken = self.terms.substitute(broken, &after);
        Ok(self.terms.not(broken))
    }

    // ---- wishes ----

    /// Whether a wish can come true together with those that were granted; then it is.
    fn wish(&mut self, wish: TermId) -> bool {
        if !self.wishes || is_spent() || self.session.queries > MOST_WISHES {
            return false;
        }
        self.granted.push(wish);
        let answer = self.session.check_assuming(&mut self.terms, &self.granted);
        self.wishes = !matches!(answer, Answer::Unknown(_));
        if answer != Answer::Sat {
            self.granted.pop();
        }
        answer == Answer::Sat
    }

    /// Has components be as they begin, and numbers be small; the components that are as they begin.
    fn near_the_beginning(&mut self, step: Option<InteractionId>) -> Vec<ComponentId> {
        let problem = self.problem;
        let mut resting = Vec::new();
        for (id, component) in problem.components.enumerated() {
            let mut rests = self.wish(problem.is_at(id, component.initial));
            for &(var, initial) in &component.variables {
                rests &= self.is_as_it_begins(var, initial);
            }
            if rests {
                resting.push(id);
            }
        }
        let locals = step.map_or(&[][..], |id| &problem.interactions[id].locals);
        locals.iter().for_each(|&var| _ = self.is_small(var));
        resting
    }

    /// Has a variable have its initial value, if it can.
    fn is_as_it_begins(&mut self, var: VarId, initial: Option<TermId>) -> bool {
        let Some(initial) = initial else {
            self.is_small(var);
            return false;
        };
        let is = self.terms.var_term(var);
        let same = self.terms.equal(is, initial);
        let granted = self.wish(same);
        if !granted {
            self.is_small(var);
        }
        granted
    }

    fn is_small(&mut self, var: VarId) -> bool {
        if !matches!(self.terms.var(var).sort, Sort::Int | Sort::Range(..)) {
            return false;
        }
        let value = self.terms.var_term(var);
        SMALL.into_iter().any(|most| {
            let (low, high) = (self.terms.int(0), self.terms.int(most));
            let both = [self.terms.less_equal(low, value), self.terms.less_equal(value, high)];
            let small = self.terms.and(both);
            self.wish(small)
        })
    }

    // ---- what the solver found ----

    fn read(&mut self, step: Option<InteractionId>) -> Result<Option<Lead>, Unsupported> {
        let problem = self.problem;
        let state = problem.state_variables();
        let mut vars = state.clone();
        if let Some(id) = step {
            vars.extend(state.iter().map(|var| self.next[var]));
            vars.extend(problem.interactions[id].locals.iter().copied());
        }
        let (values, constants) = self.session.valuation(&self.terms, &vars)?;
        let of = |var: VarId, is: VarId| Some((var, values.get(&is)?.clone()));
        let begin: Model = state.iter().filter_map(|&var| of(var, var)).collect();
        let mut lead = Lead { constants, begin, steps: Vec::new() };
        if let Some(interaction) = step {
            let changed = problem.changes(interaction);
            let is_then = |var: &VarId| match changed.binary_search(var) {
                Ok(_) => self.next[var],
                Err(_) => *var,
            };
            let after = state.iter().filter_map(|var| of(*var, is_then(var))).collect();
            let own = problem.interactions[interaction].locals.iter();
            let locals = own.filter_map(|&var| of(var, var)).collect();
            let here = FxHashMap::default();
            let asked = (&mut self.terms, &mut self.session);
            let Some(ways) = ways_taken(problem, interaction, asked, (&here, &self.next)) else {
                return Ok(None);
            };
            lead.steps.push(LeadStep { interaction, ways, locals, after });
        }
        Ok(Some(lead))
    }
}
