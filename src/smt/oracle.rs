//! The oracle: whoever has a question about conditions asks it. The cache comes first, then one solver, or several at once.
//!
//! It owns no terms: a table of terms is lent to it with each question, and always the same one.

use itertools::Itertools;
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};

use super::pool::Pool;
use super::{Answer, Cache, Core, Explicit, Key, Limits, Model, Reads, Solver, Splitter, Theory};
use crate::algebra::{Algebra, Sort, TermId, Terms, VarId};
use crate::base::budget;

/// With fewer questions than this at once, one solver is quicker than several.
const WORTH_SHARING: usize = 4;

/// A question is not asked in more cases than this.
const MOST_CASES: usize = 100;

/// In a hurry, a question gets this part of its time.
const HURRIED: u32 = 20;

const LOST: &str = "the question was lost";

/// A question that was asked, with its answer.
#[derive(Clone, Debug)]
pub struct Query {
    /// What had to hold.
    pub conditions: Vec<TermId>,
    /// Whether it can.
    pub answer: Answer,
}

/// How questions are asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OracleOptions {
    /// How long a question may take.
    pub limits: Limits,
    /// How many solvers work at once.
    pub jobs: usize,
    /// Whether a question that is like an earlier one is not asked again.
    pub remember: bool,
    /// Whether all questions are kept.
    pub keep_questions: bool,
}

impl Default for OracleOptions {
    fn default() -> OracleOptions {
        OracleOptions { limits: Limits::default(), jobs: 1, remember: true, keep_questions: false }
    }
}

/// Asks the solver, remembers, and counts.
pub(crate) struct Oracle<'n> {
    algebra: &'n Algebra,
    open_world: bool,
    limits: Limits,
    jobs: usize,
    /// Says what sorts leave unsaid; made when it is first needed.
    explicit: Option<Explicit>,
    solver: Option<Solver>,
    pool: Option<Pool>,
    cache: Cache,
    reads: Reads,
    splitter: Splitter,
    /// The answers to parts of questions that were asked with these very conditions.
    settled: FxHashMap<Vec<TermId>, Answer>,
    remember: bool,
    /// Whether questions get little time, and how many were not answered in it.
    hurried: Option<usize>,
    /// Everything that was asked, in order; kept only where somebody wants it.
    pub asked: Option<Vec<Query>>,
    pub queries: usize,
}

impl<'n> Oracle<'n> {
    /// An oracle about an algebra; `open_world`: whether there are actions that nobody declared.
    pub fn new(algebra: &'n Algebra, open_world: bool, options: OracleOptions) -> Oracle<'n> {
        Oracle {
            algebra,
            open_world,
            limits: options.limits,
            jobs: options.jobs.max(1),
            explicit: None,
            solver: None,
            pool: None,
            cache: Cache::default(),
            reads: Reads::default(),
            splitter: Splitter::new(algebra),
            settled: FxHashMap::default(),
            remember: options.remember,
            hurried: None,
            asked: options.keep_questions.then(Vec::new),
            queries: 0,
        }
    }

    pub fn cache_hits(&self) -> usize {
        self.cache.hits
    }

    fn solver(&mut self) -> &mut Solver {
        let (algebra, open_world, limits) = (self.algebra, self.open_world, self.limits);
        self.solver.get_or_insert_with(|| Solver::new(algebra, open_world, limits))
    }

    /// From now on questions get little time, until there is [`Self::no_hurry`]: for attempts that others follow.
    pub fn hurry(&mut self) {
        self.hurried = Some(0);
        let milliseconds = self.limits.milliseconds / HURRIED;
        self.solver().limit(Limits { milliseconds });
    }

    /// From now on questions get all their time again; what was not answered in a hurry may be now.
    pub fn no_hurry(&mut self) {
        if self.hurried.take().is_some() {
            let limits = self.limits;
            self.solver().limit(limits);
            self.cache.forget_unknown();
            self.settled.retain(|_, answer| !matches!(answer, Answer::Unknown(_)));
        }
    }

    /// From now on, what is not answered in a hurry is counted anew.
    pub fn count_anew(&mut self) {
        self.hurried = self.hurried.map(|_| 0);
    }

    /// Whether something was not answered in a hurry.
    pub fn was_too_hurried(&self) -> bool {
        self.hurried.is_some_and(|unknown| unknown > 0)
    }

    /// Counts what is not answered in a hurry.
    fn count(&mut self, answer: &Answer) {
        if let (Some(unknown), Answer::Unknown(_)) = (&mut self.hurried, answer) {
            *unknown += 1;
        }
    }

    /// What says what sorts leave unsaid.
    pub fn explicit(&mut self, terms: &mut Terms) -> &mut Explicit {
        let algebra = self.algebra;
        self.explicit.get_or_insert_with(|| Explicit::new(algebra, terms))
    }

    /// Which of several conditions contradict each other.
    pub fn core(&mut self, terms: &mut Terms, conditions: &[TermId]) -> Core {
        self.solver();
        let question = match self.explicit(terms).question(terms, conditions) {
            Ok(question) => question,
            Err(why) => return Core::None(Answer::Unknown(why.to_string())),
        };
        let (Some(explicit), Some(solver)) = (&self.explicit, &mut self.solver) else {
            return Core::None(Answer::Unknown(LOST.to_owned()));
        };
        solver.core(Theory { algebra: &explicit.algebra, terms }, &question)
    }

    /// Values under which conditions hold together; not those of an earlier question that is like this one.
    pub fn model(
        &mut self,
        terms: &mut Terms,
        conditions: &[TermId],
        vars: &[VarId],
    ) -> Result<Model, Answer> {
        let key = Key::new(terms, conditions);
        if let Some(answer) = self.cache.get(&key)
            && answer != Answer::Sat
        {
            return Err(answer);
        }
        self.queries += 1;
        let found = self.model_of(terms, conditions, vars);
        if let Err(answer) = &found {
            self.count(answer);
            self.cache.put(key, answer.clone());
        }
        found
    }

    fn model_of(
        &mut self,
        terms: &mut Terms,
        conditions: &[TermId],
        vars: &[VarId],
    ) -> Result<Model, Answer> {
        self.solver();
        let question = self.explicit(terms).question_about(terms, conditions, vars);
        let question = question.map_err(|why| Answer::Unknown(why.to_string()))?;
        let (Some(explicit), Some(solver)) = (&self.explicit, &mut self.solver) else {
            return Err(Answer::Unknown(LOST.to_owned()));
        };
        let theory = Theory { algebra: &explicit.algebra, terms };
        solver.model(theory, &question.all(), vars)
    }

    /// Whether conditions can hold together.
    pub fn check(&mut self, terms: &mut Terms, conditions: &[TermId]) -> Answer {
        let mut answers = self.check_all(terms, vec![conditions.to_vec()]);
        answers.pop().unwrap_or(Answer::Sat)
    }

    /// The same for several questions, in order.
    pub fn check_all(&mut self, terms: &mut Terms, questions: Vec<Vec<TermId>>) -> Vec<Answer> {
        if budget::is_spent() {
            return vec![stopped(); questions.len()];
        }
        if !self.remember {
            let asked: Vec<&[TermId]> = questions.iter().map(Vec::as_slice).collect();
            return self.ask(terms, &asked);
        }
        self.check_parts(terms, &questions, Cases::Tried)
    }

    /// Asks about the parts of questions that have nothing to do with each other, each part once.
    fn check_parts(
        &mut self,
        terms: &mut Terms,
        questions: &[Vec<TermId>],
        cases: Cases,
    ) -> Vec<Answer> {
        let mut parts: Vec<Vec<Vec<TermId>>> = Vec::with_capacity(questions.len());
        let mut open: Vec<(Key, Vec<TermId>)> = Vec::new();
        let mut pending: FxHashSet<Key> = FxHashSet::default();
        for question in questions {
            if budget::is_spent() {
                return vec![stopped(); questions.len()];
            }
            let mine = match question.as_slice() {
                [] => Vec::new(),
                conditions => {
                    let conditions = self.reads.replaced(terms, conditions);
                    self.splitter.parts(terms, &conditions)
                }
            };
            for part in &mine {
                if self.settled.contains_key(part) {
                    self.cache.hits += 1;
                    continue;
                }
                let key = Key::new(terms, part);
                if let Some(known) = self.cache.get(&key) {
                    self.settled.insert(part.clone(), known);
                } else if pending.insert(key.clone()) {
                    open.push((key, part.clone()));
                } else {
                    self.cache.hits += 1;
                }
            }
            parts.push(mine);
        }
        self.ask_open(terms, open, cases);
        parts.into_iter().map(|mine| self.together(terms, mine)).collect()
    }

    /// Asks what is not known yet.
    fn ask_open(&mut self, terms: &mut Terms, open: Vec<(Key, Vec<TermId>)>, cases: Cases) {
        let asked: Vec<&[TermId]> = open.iter().map(|(_, part)| part.as_slice()).collect();
        let found = self.ask(terms, &asked);
        for ((key, part), answer) in open.into_iter().zip(found) {
            let answer = match answer {
                Answer::Unknown(_) if cases == Cases::Tried => {
                    self.case_by_case(terms, &part).unwrap_or(answer)
                }
                answer => answer,
            };
            self.count(&answer);
            self.cache.put(key, answer.clone());
            self.settled.insert(part, answer);
        }
    }

    /// What the solver does not know of some values it may know of each: asks about all values of variables that have
    /// few of them. Nothing where there are none, or where one of the cases is not known either.
    fn case_by_case(&mut self, terms: &mut Terms, part: &[TermId]) -> Option<Answer> {
        let vars = few_values(terms, part);
        if vars.is_empty() {
            return None;
        }
        for values in vars.iter().map(|(_, _, count)| 0..*count).multi_cartesian_product() {
            if budget::is_spent() {
                return None;
            }
            let mut case: FxHashMap<VarId, TermId> = FxHashMap::default();
            for ((var, low, _), value) in vars.iter().zip(values) {
                case.insert(*var, terms.int(low + value));
            }
            let question = part.iter().map(|&one| terms.substitute(one, &case)).collect();
            match self.check_parts(terms, &[question], Cases::NotTried).pop() {
                Some(Answer::Unsat) => {}
                Some(Answer::Sat) => return Some(Answer::Sat),
                Some(Answer::Unknown(_)) | None => return None,
            }
        }
        Some(Answer::Unsat)
    }

    /// The answer to a question all of whose parts are known.
    fn together(&mut self, terms: &Terms, parts: Vec<Vec<TermId>>) -> Answer {
        let mut answer = Answer::Sat;
        for part in parts {
            let known = match self.settled.get(&part) {
                Some(known) => known.clone(),
                None => self.like_another(terms, part),
            };
            match known {
                Answer::Unsat => return Answer::Unsat,
                Answer::Unknown(_) if answer == Answer::Sat => answer = known,
                Answer::Sat | Answer::Unknown(_) => {}
            }
        }
        answer
    }

    /// The answer to a part that is like another one that was asked just now.
    fn like_another(&mut self, terms: &Terms, part: Vec<TermId>) -> Answer {
        let known = self.cache.known(&Key::new(terms, &part));
        let known = known.unwrap_or_else(|| Answer::Unknown(LOST.to_owned()));
        self.settled.insert(part, known.clone());
        known
    }

    fn ask(&mut self, terms: &mut Terms, questions: &[&[TermId]]) -> Vec<Answer> {
        self.queries += questions.len();
        let mut answers: Vec<Answer> = Vec::with_capacity(questions.len());
        let mut explicit: Vec<(usize, Vec<TermId>)> = Vec::with_capacity(questions.len());
        for (at, question) in questions.iter().enumerate() {
            answers.push(match self.explicit(terms).question(terms, question) {
                Ok(question) => {
                    explicit.push((at, question.all()));
                    Answer::Unknown(LOST.to_owned())
                }
                Err(why) => Answer::Unknown(why.to_string()),
            });
        }
        for (at, answer) in self.ask_explicit(terms, explicit) {
            answers[at] = answer;
        }
        if let Some(asked) = &mut self.asked {
            asked.extend(questions.iter().zip(&answers).map(|(question, answer)| Query {
                conditions: question.to_vec(),
                answer: answer.clone(),
            }));
        }
        answers
    }

    fn ask_explicit(
        &mut self,
        terms: &mut Terms,
        questions: Vec<(usize, Vec<TermId>)>,
    ) -> Vec<(usize, Answer)> {
        self.solver();
        let (Some(explicit), Some(solver)) = (&self.explicit, &mut self.solver) else {
            return Vec::new();
        };
        let algebra = &explicit.algebra;
        if self.jobs == 1 || questions.len() < WORTH_SHARING || self.hurried.is_some() {
            let theory = Theory { algebra, terms };
            let answer =
                |(at, question): (usize, Vec<TermId>)| (at, solver.check(theory, &question));
            return questions.into_iter().map(answer).collect();
        }
        let (open_world, limits, jobs) = (self.open_world, self.limits, self.jobs);
        let pool = self.pool.get_or_insert_with(|| Pool::new(algebra, open_world, limits, jobs));
        pool.ask(terms, questions)
    }
}

/// Whether a question that the solver does not know is asked case by case.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cases {
    Tried,
    NotTried,
}

/// The variables of a question whose sorts have few values, with the smallest and how many there are, as long as there
/// are not too many cases.
fn few_values(terms: &Terms, part: &[TermId]) -> Vec<(VarId, BigInt, usize)> {
    let mut found: Vec<(VarId, BigInt, usize)> = Vec::new();
    let mut cases = 1;
    for var in part.iter().flat_map(|&condition| terms.free_vars(condition)) {
        let Sort::Range(low, high) = terms.var(var).sort else { continue };
        let Some((low, high)) = terms.as_int(low).zip(terms.as_int(high)) else { continue };
        let count = usize::try_from(high - low).unwrap_or(0);
        let is_new = !found.iter().any(|(known, ..)| *known == var);
        if is_new && count > 0 && cases * count <= MOST_CASES {
            cases *= count;
            found.push((var, low.clone(), count));
        }
    }
    found
}

/// The answer when there is no time for another one.
fn stopped() -> Answer {
    Answer::Unknown("stopped".to_owned())
}
