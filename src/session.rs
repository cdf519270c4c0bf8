//! The one façade of the command line, the tests and editors: what was loaded, elaborated, generated and answered,
//! computed once for each file, instance and options.
//!
//! A session may live long. A program is kept as long as all texts that were read for it are as they were; with it goes
//! what was made of it, and nothing else. Where texts come from is not its business.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

use crate::base::budget;
use crate::diagnostics::Diagnostic;
use crate::generate::Watch;
use crate::loader::{Question, Sources, Unreadable};
use crate::model::{self, Checked, Counting, Made, ModelOptions, WorkCounts};
use crate::outcome::Outcome;
use crate::sema::program::CheckDef;
use crate::verify;

/// A file, and what is asked about it.
type Asked = (String, Option<Question>);

/// What was computed so far.
#[derive(Debug, Default)]
pub struct Session {
    programs: Mutex<FxHashMap<Asked, Checked>>,
    counts: Arc<Counting>,
}

impl Session {
    /// Reads a file with all it imports, and checks it. An error means that the file itself cannot be read.
    pub fn check(&self, sources: &dyn Sources, path: &str) -> Result<Checked, Unreadable> {
        self.ask(sources, path, None)
    }

    /// The same with a question about the file.
    pub fn ask(
        &self,
        sources: &dyn Sources,
        path: &str,
        question: Option<&Question>,
    ) -> Result<Checked, Unreadable> {
        let asked = (path.to_owned(), question.cloned());
        let known = self.programs().get(&asked).cloned();
        if let Some(known) = known.filter(|known| known.reads.are_current(sources)) {
            return Ok(known);
        }
        let made = Made::counted(Arc::clone(&self.counts));
        let checked = model::check(sources, path, question, made)?;
        if checked.stopped.is_none() && budget::here().spent().is_none() {
            self.programs().insert(asked, checked.clone());
        }
        Ok(checked)
    }

    /// A file may have changed, have come or have gone: drops the programs that depend on it, and what was made of them,
    /// if it is not as it was.
    pub fn changed(&self, sources: &dyn Sources, path: &str) {
        let depend: Vec<(Asked, Checked)> = {
            let all = self.programs();
            let depend = all.iter().filter(|(_, known)| known.reads.has(path));
            depend.map(|(asked, known)| (asked.clone(), known.clone())).collect()
        };
        for (asked, known) in depend {
            if !known.reads.are_current(sources) {
                self.programs().remove(&asked);
            }
        }
    }

    /// Nobody is interested in a file any more: drops its programs, and what was made of them.
    pub fn forget(&self, path: &str) {
        self.programs().retain(|(asked, _), _| asked != path);
    }

    /// Runs a check of a file, unless that was done. An error means that the nets it speaks of cannot be elaborated.
    pub fn verify(
        &self,
        checked: &Checked,
        check: &CheckDef,
        options: &ModelOptions,
        watch: &dyn Watch,
    ) -> Result<Outcome, Vec<Diagnostic>> {
        if let Some(known) = checked.made.outcome(check.span, options) {
            return Ok((*known).clone());
        }
        self.counts.checked();
        let outcome = verify::run(checked, check, options, watch)?;
        if watch.budget().spent().is_none() {
            checked.made.keep_outcome(check.span, options, outcome.clone());
        }
        Ok(outcome)
    }

    /// How much work was done so far.
    pub fn counts(&self) -> WorkCounts {
        self.counts.so_far()
    }

    fn programs(&self) -> MutexGuard<'_, FxHashMap<Asked, Checked>> {
        self.programs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
