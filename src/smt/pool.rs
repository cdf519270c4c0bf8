//! Several solvers at once: workers, each with a Z3 of its own.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use super::{Answer, Limits, Solver, Theory, Watchdog};
use crate::algebra::{Algebra, TermId, Terms};
use crate::base::budget;

/// The workers.
pub(super) struct Pool {
    jobs: Vec<Sender<Job>>,
    answers: Receiver<(usize, Answer)>,
}

struct Job {
    terms: Arc<Terms>,
    questions: Vec<(usize, Vec<TermId>)>,
}

impl Pool {
    pub fn new(algebra: &Algebra, open_world: bool, limits: Limits, workers: usize) -> Pool {
        let (answer, answers) = channel();
        let algebra = Arc::new(algebra.clone());
        let mut jobs = Vec::with_capacity(workers);
        for _ in 0..workers {
            let (job, todo) = channel::<Job>();
            let (algebra, answer) = (Arc::clone(&algebra), answer.clone());
            let budget = budget::here();
            let work = move |watchdog: Watchdog| {
                let _here = budget.enter();
                let mut solver = Solver::watched(&algebra, open_world, limits, watchdog);
                for Job { terms, questions } in todo {
                    let theory = Theory { algebra: &algebra, terms: &terms };
                    let found: Vec<(usize, Answer)> = questions
                        .iter()
                        .map(|(at, question)| (*at, solver.check(theory, question)))
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

    pub fn ask(
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
