//! Questions to the solver: the cache first, then one session, or several at once.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use rustc_hash::FxHashMap;

use crate::base::budget;
use crate::pnet::{Algebra, TermId, Terms, VarId};
use crate::smt::{Answer, Cache, Key, Limits, Model, Session, Theory, Watchdog};

/// With fewer questions than this at once, one session is quicker than several.
const WORTH_SHARING: usize = 4;

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
    session: Option<Session>,
    pool: Option<Pool>,
    cache: Cache,
    remember: bool,
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
            session: None,
            pool: None,
            cache: Cache::default(),
            remember,
            asked: options.keep_questions.then(Vec::new),
            queries: 0,
        }
    }

    pub fn cache_hits(&self) -> usize {
        self.cache.hits
    }

    /// The session, for questions of other kinds.
    pub fn session(&mut self) -> &mut Session {
        let (algebra, open_world, limits) = (self.algebra, self.open_world, self.limits);
        self.session.get_or_insert_with(|| Session::new(algebra, open_world, limits))
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
        let algebra = self.algebra;
        let found = self.session().model(Theory { algebra, terms }, conditions, vars);
        if let Err(answer) = &found {
            self.cache.put(key, answer.clone());
        }
        found
    }

    /// Whether conditions can hold together.
    pub fn check(&mut self, terms: &mut Terms, conditions: &[TermId]) -> Answer {
        let mut answers = self.check_all(terms, vec![conditions.to_vec()]);
        answers.pop().unwrap_or(Answer::Sat)
    }

    /// The same for several questions, in order.
    pub fn check_all(&mut self, terms: &mut Terms, questions: Vec<Vec<TermId>>) -> Vec<Answer> {
        if budget::is_spent() {
            return vec![Answer::Unknown("stopped".to_owned()); questions.len()];
        }
        let mut answers: Vec<Option<Answer>> = Vec::with_capacity(questions.len());
        let mut open: Vec<(Key, usize)> = Vec::new();
        let mut first: FxHashMap<Key, usize> = FxHashMap::default();
        for (at, question) in questions.iter().enumerate() {
            if !self.remember {
                answers.push(None);
                open.push((Key::new(terms, &[]), at));
                continue;
            }
            if question.is_empty() {
                answers.push(Some(Answer::Sat));
                continue;
            }
            let key = Key::new(terms, question);
            let known = self.cache.get(&key);
            if known.is_none() && !first.contains_key(&key) {
                first.insert(key.clone(), at);
                open.push((key, at));
            } else if known.is_none() {
                self.cache.hits += 1;
            }
            answers.push(known);
        }
        let asked: Vec<&[TermId]> = open.iter().map(|(_, at)| questions[*at].as_slice()).collect();
        let found = self.ask(terms, &asked);
        for ((key, at), answer) in open.into_iter().zip(found) {
            if let Some(asked) = &mut self.asked {
                asked.push(Asked { conditions: questions[at].clone(), answer: answer.clone() });
            }
            answers[at] = Some(answer.clone());
            if self.remember {
                self.cache.put(key, answer);
            }
        }
        let mut all = Vec::with_capacity(answers.len());
        for (at, answer) in answers.into_iter().enumerate() {
            // What is left is like another question that was asked just now.
            all.push(answer.unwrap_or_else(|| {
                let key = Key::new(terms, &questions[at]);
                let known = self.cache.get(&key);
                self.cache.hits -= usize::from(known.is_some());
                known.unwrap_or_else(|| Answer::Unknown("the question was lost".to_owned()))
            }));
        }
        all
    }

    fn ask(&mut self, terms: &mut Terms, questions: &[&[TermId]]) -> Vec<Answer> {
        self.queries += questions.len();
        if self.jobs == 1 || questions.len() < WORTH_SHARING {
            let algebra = self.algebra;
            let session = self.session();
            let theory = Theory { algebra, terms };
            return questions.iter().map(|question| session.check(theory, question)).collect();
        }
        let (algebra, open_world, limits, jobs) =
            (self.algebra, self.open_world, self.limits, self.jobs);
        let pool = self.pool.get_or_insert_with(|| Pool::new(algebra, open_world, limits, jobs));
        pool.ask(terms, questions)
    }
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

    fn ask(&mut self, terms: &mut Terms, questions: &[&[TermId]]) -> Vec<Answer> {
        let shared = Arc::new(std::mem::take(terms));
        let workers = self.jobs.len();
        let mut found: Vec<Answer> =
            vec![Answer::Unknown("a worker stopped".to_owned()); questions.len()];
        let mut expected = 0;
        for (number, job) in self.jobs.iter().enumerate() {
            let mine = questions.iter().enumerate().filter(|(at, _)| at % workers == number);
            let mine: Vec<_> = mine.map(|(at, question)| (at, question.to_vec())).collect();
            let count = mine.len();
            if count > 0 && job.send(Job { terms: Arc::clone(&shared), questions: mine }).is_ok() {
                expected += count;
            }
        }
        for _ in 0..expected {
            match self.answers.recv() {
                Ok((at, answer)) => found[at] = answer,
                Err(_) => break,
            }
        }
        // Everybody has answered and dropped the terms; a copy is made should somebody hang on to them.
        *terms = Arc::try_unwrap(shared).unwrap_or_else(|shared| (*shared).clone());
        found
    }
}
