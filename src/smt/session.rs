//! A conversation with Z3 in which much stays the same: what is asserted is kept until it is taken back, questions assume
//! more, and a model that was found can be asked about any term.
//!
//! Nothing is left to the sorts: what is asserted goes through [`Explicit`] first.

use rustc_hash::FxHashMap;
use z3::SatResult;
use z3::ast::Bool;

use super::encode::{Encoder, Unsupported};
use super::explicit::Explicit;
use super::solver::{Answer, Limits, TOO_LONG, Theory, params, reason, stopped};
use super::value::{self, Model, Value};
use super::watchdog::Watchdog;
use crate::algebra::{Algebra, ConstId, TermId, Terms, VarId};
use crate::base::budget;

/// A conversation about one algebra, with terms of one table.
pub struct Session {
    encoder: Encoder,
    explicit: Explicit,
    solver: z3::Solver,
    watchdog: Watchdog,
    limits: Limits,
    /// For each level, what stands for conditions that were assumed on it.
    proxies: Vec<FxHashMap<TermId, Bool>>,
    made: u64,
    /// What was assumed last, for the core.
    assumed: Vec<(TermId, Bool)>,
    model: Option<z3::Model>,
    /// How many questions were asked.
    pub queries: usize,
}

impl Session {
    /// A new conversation; the axioms of the algebra hold in it.
    pub fn new(
        algebra: &Algebra,
        terms: &mut Terms,
        open_world: bool,
        limits: Limits,
    ) -> Result<Session, Unsupported> {
        let watchdog = Watchdog::of_this_thread();
        let explicit = Explicit::new(algebra, terms);
        let mut session = Session {
            encoder: Encoder::new(algebra, open_world)?,
            explicit,
            solver: z3::Solver::new(),
            watchdog,
            limits,
            proxies: vec![FxHashMap::default()],
            made: 0,
            assumed: Vec::new(),
            model: None,
            queries: 0,
        };
        session.solver.set_params(&params());
        for axiom in session.explicit.algebra.axioms.clone() {
            let axiom = session.encoder.bool(&session.explicit.algebra, terms, axiom)?;
            session.solver.assert(&axiom);
        }
        Ok(session)
    }

    /// From now on, what is asserted can be taken back.
    pub fn push(&mut self) {
        self.solver.push();
        self.proxies.push(FxHashMap::default());
    }

    /// Takes back what was asserted since the last [`Session::push`].
    pub fn pop(&mut self) {
        if self.proxies.len() > 1 {
            self.solver.pop(1);
            self.proxies.pop();
        }
    }

    /// Has a condition hold from now on.
    pub fn assert(&mut self, terms: &mut Terms, condition: TermId) -> Result<(), Unsupported> {
        let encoded = self.encoded(terms, condition)?;
        self.solver.assert(&encoded);
        Ok(())
    }

    /// From now on variables are values of their sorts, also where nothing that is asserted speaks of them: a model that is
    /// found has values for them all the same.
    pub fn know(&mut self, terms: &mut Terms, vars: &[VarId]) -> Result<(), Unsupported> {
        for assumed in self.explicit.question_about(terms, &[], vars)?.assumed {
            let assumed = self.encoder.bool(&self.explicit.algebra, terms, assumed)?;
            self.solver.assert(&assumed);
        }
        Ok(())
    }

    /// A condition as Z3 sees it, with what is assumed of its variables.
    fn encoded(&mut self, terms: &mut Terms, condition: TermId) -> Result<Bool, Unsupported> {
        let question = self.explicit.question(terms, &[condition])?;
        let algebra = &self.explicit.algebra;
        for assumed in question.assumed {
            // What is assumed of variables holds whatever is asked.
            let assumed = self.encoder.bool(algebra, terms, assumed)?;
            self.solver.assert(&assumed);
        }
        match question.conditions.as_slice() {
            [one] => self.encoder.bool(algebra, terms, *one),
            _ => Err(Unsupported::Misfit),
        }
    }

    /// Whether all that is asserted can hold.
    pub fn check(&mut self) -> Answer {
        self.assumed.clear();
        self.ask()
    }

    /// Whether all that is asserted can hold together with some more conditions.
    pub fn check_assuming(&mut self, terms: &mut Terms, conditions: &[TermId]) -> Answer {
        let mut assumed = Vec::with_capacity(conditions.len());
        for &condition in conditions {
            match self.proxy(terms, condition) {
                Ok(proxy) => assumed.push((condition, proxy)),
                Err(why) => return Answer::Unknown(why.to_string()),
            }
        }
        self.assumed = assumed;
        self.ask()
    }

    fn proxy(&mut self, terms: &mut Terms, condition: TermId) -> Result<Bool, Unsupported> {
        let known = self.proxies.iter().find_map(|level| level.get(&condition));
        if let Some(known) = known {
            return Ok(known.clone());
        }
        let encoded = self.encoded(terms, condition)?;
        self.made += 1;
        let proxy = Bool::new_const(format!("assumed!{}!{}", self.encoder.number(), self.made));
        self.solver.assert(proxy.implies(&encoded));
        if let Some(level) = self.proxies.last_mut() {
            level.insert(condition, proxy.clone());
        }
        Ok(proxy)
    }

    fn ask(&mut self) -> Answer {
        self.model = None;
        if budget::is_spent() {
            return stopped();
        }
        self.queries += 1;
        let assumed: Vec<Bool> = self.assumed.iter().map(|(_, proxy)| proxy.clone()).collect();
        let ask = |solver: &z3::Solver| match assumed.is_empty() {
            true => solver.check(),
            false => solver.check_assumptions(&assumed),
        };
        let (result, late) = self.watchdog.within(self.limits.milliseconds, || ask(&self.solver));
        match result {
            // Z3 says `sat` also where it was interrupted before it knew.
            _ if late => Answer::Unknown(TOO_LONG.to_owned()),
            SatResult::Unsat => Answer::Unsat,
            SatResult::Sat => {
                self.model = self.solver.get_model();
                Answer::Sat
            }
            SatResult::Unknown => Answer::Unknown(reason(&self.solver)),
        }
    }

    /// Which of the conditions that were assumed contradict each other and what is asserted: not the fewest, but often few.
    pub fn core(&self) -> Vec<TermId> {
        let core = self.solver.get_unsat_core();
        let is_in = |proxy: &Bool| core.iter().any(|one| one.ast_eq(proxy));
        self.assumed.iter().filter(|(_, proxy)| is_in(proxy)).map(|(term, _)| *term).collect()
    }

    /// The values of some variables in the model that was found.
    pub fn values(&mut self, terms: &Terms, vars: &[VarId]) -> Result<Model, Unsupported> {
        let Some(model) = &self.model else { return Err(Unsupported::Misfit) };
        let theory = Theory { algebra: &self.explicit.algebra, terms };
        value::read(&mut self.encoder, theory, model, vars)
    }

    /// The values of some variables and of all symbolic constants in the model that was found. Values of abstract sorts have
    /// the same numbers in all of them.
    pub fn valuation(
        &mut self,
        terms: &Terms,
        vars: &[VarId],
    ) -> Result<(Model, Vec<(ConstId, Value)>), Unsupported> {
        let Some(model) = &self.model else { return Err(Unsupported::Misfit) };
        let algebra = &self.explicit.algebra;
        let constants = algebra.constants.iter().enumerate();
        let symbolic = constants.filter(|(_, constant)| constant.value.is_none());
        let symbolic: Vec<ConstId> = symbolic.map(|(index, _)| ConstId(index as u32)).collect();
        let theory = Theory { algebra, terms };
        value::read_all(&mut self.encoder, theory, model, vars, &symbolic)
    }

    /// Whether a condition holds in the model that was found; nothing where it is not known.
    pub fn holds(&mut self, terms: &mut Terms, condition: TermId) -> Option<bool> {
        let question = self.explicit.question(terms, &[condition]).ok()?;
        let condition = *question.conditions.first()?;
        let encoded = self.encoder.bool(&self.explicit.algebra, terms, condition).ok()?;
        self.model.as_ref()?.eval(&encoded, true)?.as_bool()
    }

    /// How long questions may take from now on.
    pub fn limit(&mut self, limits: Limits) {
        self.limits = limits;
    }
}
