//! Questions and answers: can all of these hold together?

use z3::ast::Bool;
use z3::{Params, SatResult};

use super::encode::{Encoder, Unsupported};
use super::explicit::Question;
use super::value::{self, Model};
use super::watchdog::Watchdog;
use crate::algebra::{Algebra, TermId, Terms, VarId};
use crate::base::budget;

/// What a question is about. Nothing is left to the sorts: see [`super::Explicit`].
#[derive(Clone, Copy)]
pub struct Theory<'a> {
    /// Sorts, functions, constants and what is known of them.
    pub algebra: &'a Algebra,
    /// The terms.
    pub terms: &'a Terms,
}

/// An answer. *Unknown* is one of its own, and never taken for another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// They can.
    Sat,
    /// They cannot.
    Unsat,
    /// The solver does not know, and why.
    Unknown(String),
}

/// Why nothing is known where one question took longer than it may.
pub(super) const TOO_LONG: &str =
    "the solver did not answer one question within its time; raise `--solver-timeout`";

/// Why several things cannot hold together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Core {
    /// These alone, by their places, contradict each other; without any of them they would not.
    Contradiction(Vec<usize>),
    /// They do not contradict each other, or it is not known.
    None(Answer),
}

/// How long the solver may think about one question.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Limits {
    /// In thousandths of a second.
    pub milliseconds: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { milliseconds: 5000 }
    }
}

/// A conversation with Z3, about one algebra. Terms may be added while it lasts.
pub struct Solver {
    encoder: Result<Encoder, Unsupported>,
    solver: z3::Solver,
    watchdog: Watchdog,
    limits: Limits,
    /// What holds always: the axioms; none before the first question.
    always: Option<Vec<Bool>>,
}

/// Z3 does not read more than this many steps of a term in a model: a recursive function of a value that the model leaves
/// open, as a field that a constructor does not have, would be unfolded for ever, and nothing interrupts that.
const MOST_READING: &str = "200000";

/// How Z3 is to work.
pub(super) fn params() -> Params {
    static READING: std::sync::Once = std::sync::Once::new();
    READING.call_once(|| z3::set_global_param("model_evaluator.max_steps", MOST_READING));
    let mut params = Params::new();
    // The same question always gets the same answer.
    params.set_u32("random_seed", 0);
    // Z3 would take Ctrl-C for itself, give up on the question, and nobody else would hear of it.
    params.set_bool("ctrl_c", false);
    params
}

impl Solver {
    /// A new conversation. In an open world there are actions that nobody declared.
    pub fn new(algebra: &Algebra, open_world: bool, limits: Limits) -> Solver {
        Solver::watched(algebra, open_world, limits, Watchdog::of_this_thread())
    }

    /// The same on a thread that comes and goes, with the watchdog that it has meanwhile.
    pub(crate) fn watched(
        algebra: &Algebra,
        open_world: bool,
        limits: Limits,
        watchdog: Watchdog,
    ) -> Solver {
        let solver = z3::Solver::new();
        solver.set_params(&params());
        let encoder = Encoder::new(algebra, open_world);
        Solver { encoder, solver, watchdog, limits, always: None }
    }

    /// How long questions may take from now on.
    pub fn limit(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Lets a solver think for half of the time that a question may take; says whether it was interrupted.
    fn half_time(&self, solver: &z3::Solver) -> (SatResult, bool) {
        self.watchdog.within(self.limits.milliseconds / 2, || solver.check())
    }

    /// Whether all conditions can hold together, for some values of their variables and of the constants.
    pub fn check(&mut self, theory: Theory<'_>, conditions: &[TermId]) -> Answer {
        if budget::is_spent() {
            return stopped();
        }
        let asserted = match self.asserted(theory, conditions) {
            Ok(asserted) => asserted,
            Err(why) => return Answer::Unknown(why.to_string()),
        };
        self.solver.push();
        asserted.iter().for_each(|condition| self.solver.assert(condition));
        // Half of the time for the quick way, which remembers; the rest for the thorough one.
        let (result, _) = self.half_time(&self.solver);
        self.solver.pop(1);
        match result {
            SatResult::Sat => Answer::Sat,
            SatResult::Unsat => Answer::Unsat,
            SatResult::Unknown => self.thorough(&asserted).0,
        }
    }

    /// Asks a solver of its own, which may use what the remembering one cannot.
    fn thorough(&self, asserted: &[Bool]) -> (Answer, z3::Solver) {
        let solver = z3::Solver::new();
        if budget::is_spent() {
            return (stopped(), solver);
        }
        solver.set_params(&params());
        let always = self.always.iter().flatten();
        always.chain(asserted).for_each(|condition| solver.assert(condition));
        let answer = match self.half_time(&solver) {
            (SatResult::Sat, _) => Answer::Sat,
            (SatResult::Unsat, _) => Answer::Unsat,
            (SatResult::Unknown, true) => Answer::Unknown(TOO_LONG.to_owned()),
            (SatResult::Unknown, false) => Answer::Unknown(reason(&solver)),
        };
        (answer, solver)
    }

    /// Which of the conditions contradict each other. The smallest such set that can be found by leaving out
    /// one after the other. What is assumed is no part of it.
    pub fn core(&mut self, theory: Theory<'_>, question: &Question) -> Core {
        let Question { conditions, assumed } = question;
        let answer = self.check(theory, &question.all());
        if answer != Answer::Unsat {
            return Core::None(answer);
        }
        let mut kept: Vec<usize> = (0..conditions.len()).collect();
        let mut at = 0;
        while at < kept.len() {
            let mut fewer = kept.clone();
            fewer.remove(at);
            let conditions = fewer.iter().map(|&place| conditions[place]);
            let terms: Vec<TermId> = conditions.chain(assumed.iter().copied()).collect();
            if self.check(theory, &terms) == Answer::Unsat {
                kept = fewer;
            } else {
                at += 1;
            }
        }
        Core::Contradiction(kept)
    }

    /// Values for variables under which all conditions hold, checked against them.
    pub fn model(
        &mut self,
        theory: Theory<'_>,
        conditions: &[TermId],
        vars: &[VarId],
    ) -> Result<Model, Answer> {
        if budget::is_spent() {
            return Err(stopped());
        }
        let unsupported = |why: Unsupported| Answer::Unknown(why.to_string());
        let asserted = self.asserted(theory, conditions).map_err(unsupported)?;
        let model = self.z3_model(&asserted)?;
        let Solver { encoder, watchdog, always, limits, .. } = self;
        let encoder = encoder.as_mut().map_err(|problem| unsupported(*problem))?;
        let mut facts = always.iter().flatten().chain(&asserted);
        // Recursive functions are unfolded for as long as they go on.
        let (found, late) = watchdog.within(limits.milliseconds / 2, || {
            let value = |fact| model.eval(fact, true).and_then(|value: Bool| value.as_bool());
            let fits = facts.all(|fact| !budget::is_spent() && value(fact) != Some(false));
            fits.then(|| value::read(encoder, theory, &model, vars))
        });
        match found {
            _ if late || budget::is_spent() => Err(Answer::Unknown(TOO_LONG.to_owned())),
            Some(values) => values.map_err(unsupported),
            None => {
                let why = "the solver's values do not answer the question";
                Err(Answer::Unknown(why.to_owned()))
            }
        }
    }

    fn z3_model(&self, asserted: &[Bool]) -> Result<z3::Model, Answer> {
        let lost = || Answer::Unknown("the solver found values and did not say which".to_owned());
        self.solver.push();
        asserted.iter().for_each(|condition| self.solver.assert(condition));
        let (result, _) = self.half_time(&self.solver);
        // Who asks for the values of a question that was interrupted may bring Z3 down.
        let is_sat = result == SatResult::Sat;
        let quick = if is_sat { self.solver.get_model() } else { None };
        self.solver.pop(1);
        match result {
            SatResult::Sat => quick.ok_or_else(lost),
            SatResult::Unsat => Err(Answer::Unsat),
            SatResult::Unknown => match self.thorough(asserted) {
                (Answer::Sat, solver) => solver.get_model().ok_or_else(lost),
                (answer, _) => Err(answer),
            },
        }
    }

    /// Conditions as Z3 sees them.
    fn asserted(
        &mut self,
        theory: Theory<'_>,
        conditions: &[TermId],
    ) -> Result<Vec<Bool>, Unsupported> {
        let Theory { algebra, terms } = theory;
        self.prepare(theory)?;
        let encoder = self.encoder.as_mut().map_err(|problem| *problem)?;
        conditions.iter().map(|&condition| encoder.bool(algebra, terms, condition)).collect()
    }

    /// Tells the solver what holds always.
    fn prepare(&mut self, theory: Theory<'_>) -> Result<(), Unsupported> {
        if self.always.is_some() {
            return Ok(());
        }
        let Theory { algebra, terms } = theory;
        let encoder = self.encoder.as_mut().map_err(|problem| *problem)?;
        let axioms = algebra.axioms.iter();
        let always = axioms.map(|&axiom| encoder.bool(algebra, terms, axiom));
        let always = always.collect::<Result<Vec<Bool>, Unsupported>>()?;
        always.iter().for_each(|fact| self.solver.assert(fact));
        self.always = Some(always);
        Ok(())
    }
}

/// The answer when there is no time for another one.
pub(super) fn stopped() -> Answer {
    Answer::Unknown("stopped".to_owned())
}

/// Why the solver does not know, in words.
pub(super) fn reason(solver: &z3::Solver) -> String {
    match solver.get_reason_unknown().as_deref() {
        Some(other) if !other.is_empty() => format!("the solver gave up: {other}"),
        _ => "the solver gave up".to_owned(),
    }
}
