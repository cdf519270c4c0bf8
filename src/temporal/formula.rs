//! Formulas as data, with names resolved: what is said of steps, of configurations and of runs.
//!
//! Meaning. Configurations and steps are those of the open net under the most general environment. A *run* begins in a
//! configuration and goes on step by step; it ends where nothing is possible, and *may* end wherever every step that is
//! possible needs a hole, since a filling may refuse for ever. Positions of a run are its configurations; the step that
//! a position is about is the next one. At the end of a run there is no next step.

use crate::algebra::{TermId, Terms, VarId};
use crate::diagnostics::Span;
use crate::pnet::{HoleId, PltsId, VectorPlace};
use crate::tagged_id;

tagged_id! {
    /// A fixpoint of a formula.
    FixId
}

/// A formula, with the table of its terms.
#[derive(Clone, Debug)]
pub struct Formula {
    /// The terms of the net, and those of the formula.
    pub terms: Terms,
    /// The variable (of the sort of actions) that stands for what a step shows, or for what a hole does, in the terms of
    /// patterns.
    pub shown: VarId,
    /// The variables that stand for the states of leaves, as integers, in the terms of predicates.
    pub locations: Vec<(VarId, PltsId)>,
    /// What is said of each configuration in which the net begins.
    pub says: StateFormula,
    /// Which runs count: those that are fair to each of these.
    pub fair: Vec<FairPattern>,
}

/// What is said of the steps that a run makes infinitely often.
#[derive(Clone, Debug)]
pub struct FairPattern {
    /// The steps.
    pub step: StepPattern,
    /// When they must be made.
    pub kind: Fairness,
    /// Where it was written.
    pub text: Span,
}

/// Kinds of fairness.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fairness {
    /// What is possible infinitely often is done infinitely often.
    Strong,
    /// What is possible from some point on is done infinitely often.
    Weak,
}

/// Which steps are meant.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum StepPattern {
    /// All.
    Any,
    /// Those that show something of which this term is true: it speaks of [`Formula::shown`], of what was bound, and of
    /// constants, not of configurations. `tau` is the term `shown = tau`.
    Shows(TermId),
    /// Those in which this hole takes part, and does something of which this term is true; `shown` stands for what it does.
    Hole(HoleId, TermId),
    /// Those that are made with one of these vectors: of a vector or a connector, all that its text became.
    With(Vec<VectorPlace>),
    /// The others.
    Not(Box<StepPattern>),
    /// Those that all of these mean.
    And(Vec<StepPattern>),
    /// Those that one of these means.
    Or(Vec<StepPattern>),
}

/// What is said of a configuration by a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct StatePredicate {
    /// When it reads only what has a value; where it does not, the predicate is false.
    pub owed: TermId,
    /// What it says then.
    pub says: TermId,
}

/// Some steps and what is said of the configurations to which they lead.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Modality {
    /// The steps.
    pub step: StepPattern,
    /// Variables that stand for parts of what is shown in `then`: each with a term over [`Formula::shown`], which has a
    /// value for all steps that are meant.
    pub binds: Vec<(VarId, TermId)>,
    /// What is said of where they lead.
    pub then: Box<StateFormula>,
}

/// What is said of a configuration.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum StateFormula {
    /// Always, or never.
    Bool(bool),
    /// Where this is true.
    Holds(StatePredicate),
    /// Where a run may end: every step that is possible needs a hole.
    MayEnd,
    /// Not.
    Not(Box<StateFormula>),
    /// All of these.
    And(Vec<StateFormula>),
    /// One of these.
    Or(Vec<StateFormula>),
    /// If the first, then the second.
    Implies(Box<StateFormula>, Box<StateFormula>),
    /// For all values of the variables.
    Forall(Vec<VarId>, Box<StateFormula>),
    /// For some values of the variables.
    Exists(Vec<VarId>, Box<StateFormula>),
    /// `[p] f`: all such steps lead to where `f` holds.
    Box(Modality),
    /// `<p> f`: one such step is possible and leads to where `f` holds.
    Diamond(Modality),
    /// A fixpoint, where it stands; its parameters, and what they are there.
    Fix {
        /// Which.
        id: FixId,
        /// Whether it is the greatest one (`nu`), or the least (`mu`).
        greatest: bool,
        /// The parameters and their values here.
        params: Vec<(VarId, TermId)>,
        /// What it says; it speaks of itself by [`StateFormula::Again`].
        body: Box<StateFormula>,
    },
    /// A fixpoint, inside of itself, with values for its parameters. It stands under an even number of negations.
    Again(FixId, Vec<TermId>),
    /// What is said of the runs that begin here.
    Path(Runs, Box<PathFormula>),
    /// A part with its text, which messages show.
    Text(Span, Box<StateFormula>),
}

/// Of which runs something is said.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Runs {
    /// `A`: of all.
    All,
    /// `E`: of some.
    Some,
}

/// What is said of a position of a run.
///
/// At the end of a run there is no next step: [`PathFormula::Step`] is false there, but true where it stands, by Boolean
/// operators alone, inside of `G` or to the left of `W` (or, under a negation, of their opposites): `G (a or b)` says of each
/// step that there is that it is one of these.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum PathFormula {
    /// What is said of the configuration.
    State(StateFormula),
    /// The next step is one of these.
    Step(StepPattern),
    /// Not.
    Not(Box<PathFormula>),
    /// All of these.
    And(Vec<PathFormula>),
    /// One of these.
    Or(Vec<PathFormula>),
    /// If the first, then the second.
    Implies(Box<PathFormula>, Box<PathFormula>),
    /// For all values of the variables.
    Forall(Vec<VarId>, Box<PathFormula>),
    /// For some values of the variables.
    Exists(Vec<VarId>, Box<PathFormula>),
    /// `X`: there is a next position, and there it holds.
    Next(Box<PathFormula>),
    /// `F`: at some position from here on.
    Finally(Box<PathFormula>),
    /// `G`: at all positions from here on.
    Globally(Box<PathFormula>),
    /// `U`: the first until the second, which comes.
    Until(Box<PathFormula>, Box<PathFormula>),
    /// `W`: the first until the second, or for ever.
    WeakUntil(Box<PathFormula>, Box<PathFormula>),
    /// A part with its text, which messages show.
    Text(Span, Box<PathFormula>),
}

impl StepPattern {
    /// The other steps.
    #[must_use]
    pub fn negated(self) -> StepPattern {
        match self {
            StepPattern::Not(inner) => *inner,
            none if none.is_none() => StepPattern::Any,
            other => StepPattern::Not(Box::new(other)),
        }
    }

    /// No step.
    pub fn none() -> StepPattern {
        StepPattern::Or(Vec::new())
    }

    /// Those that both mean.
    #[must_use]
    pub fn and(self, other: StepPattern) -> StepPattern {
        match (self, other) {
            (StepPattern::Any, one) | (one, StepPattern::Any) => one,
            (one, other) => StepPattern::And(vec![one, other]),
        }
    }

    /// Whether no step is meant, as far as its form says.
    pub fn is_none(&self) -> bool {
        match self {
            StepPattern::Or(parts) => parts.iter().all(StepPattern::is_none),
            StepPattern::And(parts) => parts.iter().any(StepPattern::is_none),
            StepPattern::Not(inner) => **inner == StepPattern::Any,
            _ => false,
        }
    }

    /// Whether it speaks of vectors or connectors.
    pub fn names_vectors(&self) -> bool {
        match self {
            StepPattern::With(_) => true,
            StepPattern::Not(inner) => inner.names_vectors(),
            StepPattern::And(parts) | StepPattern::Or(parts) => {
                parts.iter().any(StepPattern::names_vectors)
            }
            _ => false,
        }
    }
}

impl Modality {
    /// Such steps, without names for what they show.
    pub fn plain(step: StepPattern, then: StateFormula) -> Modality {
        Modality { step, binds: Vec::new(), then: Box::new(then) }
    }
}

impl StateFormula {
    /// The opposite.
    #[must_use]
    pub fn negated(self) -> StateFormula {
        match self {
            StateFormula::Bool(value) => StateFormula::Bool(!value),
            StateFormula::Not(inner) => *inner,
            other => StateFormula::Not(Box::new(other)),
        }
    }

    /// All of these.
    pub fn and(parts: impl IntoIterator<Item = StateFormula>) -> StateFormula {
        let mut all = Vec::new();
        for part in parts {
            match part {
                StateFormula::Bool(true) => {}
                StateFormula::Bool(false) => return part,
                part if all.contains(&part) => {}
                part => all.push(part),
            }
        }
        match all.len() {
            0 => StateFormula::Bool(true),
            1 => all.swap_remove(0),
            _ => StateFormula::And(all),
        }
    }

    /// One of these.
    pub fn or(parts: impl IntoIterator<Item = StateFormula>) -> StateFormula {
        StateFormula::and(parts.into_iter().map(StateFormula::negated)).not_deeply()
    }

    /// The opposite, of a conjunction of opposites as a disjunction.
    fn not_deeply(self) -> StateFormula {
        match self {
            StateFormula::And(parts) => {
                StateFormula::Or(parts.into_iter().map(StateFormula::negated).collect())
            }
            other => other.negated(),
        }
    }

    /// What it says of all configurations, as far as its form says.
    pub fn truth(&self) -> Option<bool> {
        match self {
            StateFormula::Bool(value) => Some(*value),
            StateFormula::Text(_, inner) => inner.truth(),
            StateFormula::Not(inner) => inner.truth().map(|value| !value),
            _ => None,
        }
    }

    /// The formulas directly inside.
    pub fn inside(&self) -> Vec<&StateFormula> {
        match self {
            StateFormula::Bool(_)
            | StateFormula::Holds(_)
            | StateFormula::MayEnd
            | StateFormula::Again(..) => Vec::new(),
            StateFormula::Not(inner)
            | StateFormula::Forall(_, inner)
            | StateFormula::Exists(_, inner)
            | StateFormula::Text(_, inner)
            | StateFormula::Fix { body: inner, .. } => vec![inner],
            StateFormula::And(parts) | StateFormula::Or(parts) => parts.iter().collect(),
            StateFormula::Implies(one, other) => vec![one, other],
            StateFormula::Box(modality) | StateFormula::Diamond(modality) => vec![&modality.then],
            StateFormula::Path(_, path) => path.states(),
        }
    }

    /// The same with others in the place of the formulas directly inside. What is said of runs has other formulas for
    /// configurations.
    pub(super) fn with_inside<E>(
        &self,
        on: &mut dyn FnMut(&StateFormula) -> Result<StateFormula, E>,
    ) -> Result<StateFormula, E> {
        let modality = |one: &Modality, then| Modality { then: Box::new(then), ..one.clone() };
        Ok(match self {
            StateFormula::Bool(_)
            | StateFormula::Holds(_)
            | StateFormula::MayEnd
            | StateFormula::Again(..) => self.clone(),
            StateFormula::Not(inner) => on(inner)?.negated(),
            StateFormula::Text(span, inner) => StateFormula::Text(*span, Box::new(on(inner)?)),
            StateFormula::Forall(vars, inner) => {
                StateFormula::Forall(vars.clone(), Box::new(on(inner)?))
            }
            StateFormula::Exists(vars, inner) => {
                StateFormula::Exists(vars.clone(), Box::new(on(inner)?))
            }
            StateFormula::Implies(one, other) => {
                StateFormula::Implies(Box::new(on(one)?), Box::new(on(other)?))
            }
            StateFormula::And(parts) => {
                StateFormula::And(parts.iter().map(on).collect::<Result<_, _>>()?)
            }
            StateFormula::Or(parts) => {
                StateFormula::Or(parts.iter().map(on).collect::<Result<_, _>>()?)
            }
            StateFormula::Box(one) => StateFormula::Box(modality(one, on(&one.then)?)),
            StateFormula::Diamond(one) => StateFormula::Diamond(modality(one, on(&one.then)?)),
            StateFormula::Fix { id, greatest, params, body } => StateFormula::Fix {
                id: *id,
                greatest: *greatest,
                params: params.clone(),
                body: Box::new(on(body)?),
            },
            StateFormula::Path(runs, path) => {
                StateFormula::Path(*runs, Box::new(path.with_states(on)?))
            }
        })
    }

    /// Whether it speaks of itself, or of a part, with all that is inside, as a function says.
    pub fn any(&self, is_so: &mut dyn FnMut(&StateFormula) -> bool) -> bool {
        is_so(self) || self.inside().into_iter().any(|inner| inner.any(is_so))
    }

    /// Whether it speaks of steps or runs.
    pub fn speaks_of_steps(&self) -> bool {
        self.any(&mut |part| {
            matches!(part, StateFormula::Box(_) | StateFormula::Diamond(_) | StateFormula::Path(..))
        })
    }

    /// The patterns of steps directly in it: of a modality, and of what is said of runs.
    pub fn steps(&self) -> Vec<&StepPattern> {
        match self {
            StateFormula::Box(modality) | StateFormula::Diamond(modality) => vec![&modality.step],
            StateFormula::Path(_, path) => path.steps(),
            _ => Vec::new(),
        }
    }
}

impl PathFormula {
    /// The opposite.
    #[must_use]
    pub fn negated(self) -> PathFormula {
        match self {
            PathFormula::Not(inner) => *inner,
            other => PathFormula::Not(Box::new(other)),
        }
    }

    /// What is directly inside.
    pub fn inside(&self) -> Vec<&PathFormula> {
        match self {
            PathFormula::State(_) | PathFormula::Step(_) => Vec::new(),
            PathFormula::Not(inner)
            | PathFormula::Forall(_, inner)
            | PathFormula::Exists(_, inner)
            | PathFormula::Next(inner)
            | PathFormula::Finally(inner)
            | PathFormula::Globally(inner)
            | PathFormula::Text(_, inner) => vec![inner],
            PathFormula::And(parts) | PathFormula::Or(parts) => parts.iter().collect(),
            PathFormula::Implies(one, other)
            | PathFormula::Until(one, other)
            | PathFormula::WeakUntil(one, other) => vec![one, other],
        }
    }

    /// The same with others in the place of what it says of configurations.
    pub(super) fn with_states<E>(
        &self,
        on: &mut dyn FnMut(&StateFormula) -> Result<StateFormula, E>,
    ) -> Result<PathFormula, E> {
        let mut inside = |inner: &PathFormula| Ok(Box::new(inner.with_states(on)?));
        Ok(match self {
            PathFormula::Step(_) => self.clone(),
            PathFormula::Not(inner) => PathFormula::Not(inside(inner)?),
            PathFormula::Implies(one, other) => PathFormula::Implies(inside(one)?, inside(other)?),
            PathFormula::Forall(vars, inner) => PathFormula::Forall(vars.clone(), inside(inner)?),
            PathFormula::Exists(vars, inner) => PathFormula::Exists(vars.clone(), inside(inner)?),
            PathFormula::Next(inner) => PathFormula::Next(inside(inner)?),
            PathFormula::Finally(inner) => PathFormula::Finally(inside(inner)?),
            PathFormula::Globally(inner) => PathFormula::Globally(inside(inner)?),
            PathFormula::Until(one, other) => PathFormula::Until(inside(one)?, inside(other)?),
            PathFormula::WeakUntil(one, other) => {
                PathFormula::WeakUntil(inside(one)?, inside(other)?)
            }
            PathFormula::Text(span, inner) => PathFormula::Text(*span, inside(inner)?),
            PathFormula::State(formula) => PathFormula::State(on(formula)?),
            PathFormula::And(parts) => PathFormula::And(
                parts.iter().map(|part| part.with_states(on)).collect::<Result<_, _>>()?,
            ),
            PathFormula::Or(parts) => PathFormula::Or(
                parts.iter().map(|part| part.with_states(on)).collect::<Result<_, _>>()?,
            ),
        })
    }

    /// What it says of configurations.
    pub fn states(&self) -> Vec<&StateFormula> {
        match self {
            PathFormula::State(formula) => vec![formula],
            other => other.inside().into_iter().flat_map(PathFormula::states).collect(),
        }
    }

    /// The steps that it speaks of.
    pub fn steps(&self) -> Vec<&StepPattern> {
        match self {
            PathFormula::Step(step) => vec![step],
            other => other.inside().into_iter().flat_map(PathFormula::steps).collect(),
        }
    }

    /// Whether it is about one position: it has no operators on runs.
    pub fn is_position(&self) -> bool {
        let about_runs = matches!(
            self,
            PathFormula::Next(_)
                | PathFormula::Finally(_)
                | PathFormula::Globally(_)
                | PathFormula::Until(..)
                | PathFormula::WeakUntil(..)
        );
        !about_runs && self.inside().into_iter().all(PathFormula::is_position)
    }
}
