//! Questions to the solver: the cache first, then one session, or several at once.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};

use super::digits::next;
use crate::algebra::{Algebra, Sort, TermId, Terms, VarId};
use crate::base::budget;
use crate::smt::{
    Answer, Cache, Core, Explicit, Key, Limits, Model, Reads, Session, Splitter, Theory, Watchdog,
};

/// With fewer questions than this at once, one session is quicker than several.
const WORTH_SHARING: usize = 4;

/// A question is not asked in more cases than this.
const MOST_CASES: usize = 100;

/// In a hurry, a question gets this part of its time.
const HURRIED: u32 = 20;

const LOST: &str = "the question was lost";

/// A question that was asked, with its answer.
#[derive(Clone, Debug)]
pub struct Asked {
    /// What had to hold.
    pub conditions: Vec<TermId>,
    /// Whether it can.
    pub answer: Answer,
}

/// Asks the solver, and counts.
pub(crate) struct Asker<'n> {
    algebra: &'n Algebra,
    open_world: bool,
    limits: Limits,
    jobs: usize,
    /// Says what sorts leave unsaid; made when it is first needed.
    explicit: Option<Explicit>,
    session: Option<Session>,
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
    pub asked: Option<Vec<Asked>>,
    pub queries: usize,
}

impl<'n> Asker<'n> {
    /// `remember`: whether a question that is like an earlier one is not asked again.
    pub fn new(
        algebra: &'n Algebra,
        open_world: bool,
        options: &super::Options,
        remember: bool,
    ) -> Asker<'n> {
        Asker {
            algebra,
            open_world,
            limits: options.limits,
            jobs: options.jobs.max(1),
            explicit: None,
            session: None,
            pool: None,
            cache: Cache::default(),
            reads: Reads::default(),
            splitter: Splitter::new(algebra),
            settled: FxHashMap::default(),
            remember,
            hurried: None,
            asked: options.keep_questions.then(Vec::new),
            queries: 0,
        }
    }

    pub fn cache_hits(&self) -> usize {
        self.cache.hits
    }

    fn session(&mut self) -> &mut Session {
        let (algebra, open_world, limits) = (self.algebra, self.open_world, self.limits);
        self.session.get_or_insert_with(|| Session::new(algebra, open_world, limits))
    }

    /// From now on questions get little time, until there is [`Self::no_hurry`]: for attempts that others follow.
    pub fn hurry(&mut self) {
        self.hurried = Some(0);
        let milliseconds = self.limits.milliseconds / HURRIED;
        self.session().limit(Limits { milliseconds });
    }

    /// From now on questions get all their time again; what was not answered in a hurry may be now.
    pub fn no_hurry(&mut self) {
        if self.hurried.take().is_some() {
            let limits = self.limits;
            self.session().limit(limits);
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
        self.session();
        let question = match self.explicit(terms).question(terms, conditions) {
            Ok(question) => question,
            Err(why) => return Core::None(Answer::Unknown(why.0.to_owned())),
        };
        let (Some(explicit), Some(session)) = (&self.explicit, &mut self.session) else {
            return Core::None(Answer::Unknown(LOST.to_owned()));
        };
        session.core(Theory { algebra: &explicit.algebra, terms }, &question)
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
        self.session();
        let question = self.explicit(terms).question_about(terms, conditions, vars);
        let question = question.map_err(|why| Answer::Unknown(why.0.to_owned()))?;
        let (Some(explicit), Some(session)) = (&self.explicit, &mut self.session) else {
            return Err(Answer::Unknown(LOST.to_owned()));
        };
        let theory = Theory { algebra: &explicit.algebra, terms };
        session.model(theory, &question.all(), vars)
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
        let mut values = vec![0usize; vars.len()];
        while !vars.is_empty() && !budget::is_spent() {
            let mut case: FxHashMap<VarId, TermId> = FxHashMap::default();
            for ((var, low, _), value) in vars.iter().zip(&values) {
                case.insert(*var, terms.int(low + *value));
            }
            let question = part.iter().map(|&one| terms.substitute(one, &case)).collect();
            match self.check_parts(terms, &[question], Cases::NotTried).pop() {
                Some(Answer::Unsat) => {}
                Some(Answer::Sat) => return Some(Answer::Sat),
                Some(Answer::Unknown(_)) | None => return None,
            }
            if !next(&mut values, |place| vars[place].2) {
                return Some(Answer::Unsat);
            }
        }
        None
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
                Err(why) => Answer::Unknown(why.0.to_owned()),
            });
        }
        for (at, answer) in self.ask_explicit(terms, explicit) {
            answers[at] = answer;
        }
        if let Some(asked) = &mut self.asked {
            asked.extend(questions.iter().zip(&answers).map(|(question, answer)| Asked {
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
        self.session();
        let (Some(explicit), Some(session)) = (&self.explicit, &mut self.session) else {
            return Vec::new();
        };
        let algebra = &explicit.algebra;
        if self.jobs == 1 || questions.len() < WORTH_SHARING || self.hurried.is_some() {
            let theory = Theory { algebra, terms };
            let answer =
                |(at, question): (usize, Vec<TermId>)| (at, session.check(theory, &question));
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

/// Workers, each with a Z3 of its own.
struct Pool {
    jobs: Vec<Sender<Job>>,
    answers: Receiver<(usize, Answer)>,
}

struct Job {
    terms: Arc<Terms>,
    questions: Vec<(usize, Vec<TermId>)>,
}

impl Pool {
    fn new(algebra: &Algebra, open_world: bool, limits: Limits, workers: usize) -> Pool {
        let (answer, answers) = channel();
        let algebra = Arc::new(algebra.clone());
        let mut jobs = Vec::with_capacity(workers);
        for _ in 0..workers {
            let (job, todo) = channel::<Job>();
            let (algebra, answer) = (Arc::clone(&algebra), answer.clone());
            let budget = budget::here();
            let work = move |watchdog: Watchdog| {
                let _here = budget.enter();
                let mut session = Session::watched(&algebra, open_world, limits, watchdog);
                for Job { terms, questions } in todo {
                    let theory = Theory { algebra: &algebra, terms: &terms };
                    let found: Vec<(usize, Answer)> = questions
                        .iter()
                        .map(|(at, question)| (*at, session.check(theory, question)))
                        .collect();
                    // The terms go back before the answers: whoever waits for these needs them whole.
                    drop(terms);
                    for one in found {
                        if answer.send(one).is_err() {
                            return;
                        }
                    }
                }
            };
            std::thread::spawn(move || Watchdog::during(work));
            jobs.push(job);
        }
        Pool { jobs, answers }
    }

    fn ask(
        &mut self,
        terms: &mut Terms,
        questions: Vec<(usize, Vec<TermId>)>,
    ) -> Vec<(usize, Answer)> {
        let shared = Arc::new(std::mem::take(terms));
        let workers = self.jobs.len();
        let mut shares: Vec<Vec<(usize, Vec<TermId>)>> = vec![Vec::new(); workers];
        let mut expected = questions.len();
        for (number, question) in questions.into_iter().enumerate() {
            shares[number % workers].push(question);
        }
        for (job, mine) in self.jobs.iter().zip(shares) {
            let count = mine.len();
            let sent =
                count > 0 && job.send(Job { terms: Arc::clone(&shared), questions: mine }).is_ok();
            expected -= if sent { 0 } else { count };
        }
        let mut found = Vec::with_capacity(expected);
        for _ in 0..expected {
            match self.answers.recv() {
                Ok(answer) => found.push(answer),
                Err(_) => break,
            }
        }
        // Everybody has answered and dropped the terms; a copy is made should somebody hang on to them.
        *terms = Arc::try_unwrap(shared).unwrap_or_else(|shared| (*shared).clone());
        found
    }
}
