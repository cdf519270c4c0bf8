//! The nets that pages look at, each as it was when its files were read. Several pages may look at several of them.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHasher;

use super::Args;
use super::refusal::Refusal;
use crate::cli::files::{self, Disk};
use crate::cli::simulating::{Besides, Ready};
use crate::cli::wanted::{question, wanted};
use crate::diagnostics::{Diagnostic, Severity, SourceMap, Style, render};
use crate::explore::NamedDomain;
use crate::model::{BuildFailure, ModelOptions};
use crate::session::Session;
use crate::view::{View, Viewed};

/// So many nets are kept.
const MOST_KEPT: usize = 12;
/// So many problems of a model are shown.
const MOST_SHOWN: usize = 12;
/// Names and domains are at most so long.
const LONGEST: usize = 2_000;
/// At most so many domains are given.
const MOST_DOMAINS: usize = 20;

/// What somebody wants to look at.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Asked {
    /// The net as it was asked for; nothing for the last one.
    pub net: Option<String>,
    /// Which values are tried, in place of those of the command line.
    pub domains: Vec<String>,
}

/// A net that is kept.
pub(super) struct Held {
    pub id: u64,
    pub asked: Asked,
    pub viewed: Arc<Viewed>,
    pub options: ModelOptions,
    view: Mutex<View>,
}

/// All that are kept; the one that was asked about last stands last.
pub(super) struct Views {
    args: &'static Args,
    all: Mutex<(u64, Vec<Arc<Held>>)>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Held {
    /// Asks something. Others need not wait for the answer.
    pub fn ask<R>(&self, question: impl FnOnce(&mut View) -> R) -> R {
        let mut view = lock(&self.view).clone();
        let answer = question(&mut view);
        *lock(&self.view) = view;
        answer
    }

    /// Whether the files are as they were.
    pub fn is_fresh(&self) -> bool {
        self.viewed.checked.reads.are_current(&Disk)
    }

    /// A number that is another one when the files are other ones.
    pub fn files_now(&self) -> String {
        let mut hasher = FxHasher::default();
        let all = self.viewed.checked.sources.files().iter();
        for file in all.filter(|file| self.viewed.is_own(file)) {
            files::read(file.name()).ok().hash(&mut hasher);
        }
        format!("{:x}", hasher.finish())
    }
}

impl Asked {
    /// The domains, read.
    pub fn domains(&self) -> Result<Vec<NamedDomain>, Refusal> {
        if self.domains.len() > MOST_DOMAINS {
            return Err("there are too many domains".into());
        }
        let read = |text: &String| {
            let wrong = |why| format!("`{text}`: {why}");
            text.parse::<NamedDomain>().map_err(wrong)
        };
        Ok(self.domains.iter().map(read).collect::<Result<_, _>>()?)
    }
}

impl Views {
    /// The first one.
    pub fn new(args: &'static Args, ready: Ready) -> Views {
        let views = Views { args, all: Mutex::default() };
        views.keep(Asked { net: args.net.clone(), domains: Vec::new() }, ready);
        views
    }

    /// One that was opened.
    pub fn get(&self, id: u64) -> Result<Arc<Held>, Refusal> {
        let mut all = lock(&self.all);
        let place = all.1.iter().position(|held| held.id == id).ok_or_else(Refusal::gone)?;
        let held = all.1.remove(place);
        all.1.push(Arc::clone(&held));
        Ok(held)
    }

    fn keep(&self, asked: Asked, ready: Ready) -> Arc<Held> {
        let set = ready.set().to_vec();
        let Ready { checked, net, domains, name, options, .. } = ready;
        let viewed = Arc::new(Viewed { checked, net, name, domains, set });
        let mut all = lock(&self.all);
        all.0 += 1;
        let view = Mutex::new(View::new(Arc::clone(&viewed)));
        let held = Arc::new(Held { id: all.0, asked, viewed, options, view });
        if all.1.len() >= MOST_KEPT {
            all.1.remove(0);
        }
        all.1.push(Arc::clone(&held));
        held
    }

    /// Opens a net. Files are read again where they have changed.
    pub fn open(&self, mut asked: Asked) -> Result<Arc<Held>, Refusal> {
        asked.net = asked.net.or_else(|| self.args.net.clone());
        if asked.net.iter().chain(&asked.domains).any(|text| text.len() > LONGEST) {
            return Err("the name is too long".into());
        }
        let known = lock(&self.all).1.iter().rev().find(|held| held.asked == asked).cloned();
        if let Some(known) = known.filter(|held| held.is_fresh()) {
            return self.get(known.id);
        }
        let besides = Besides { instead: asked.domains()?, ..Besides::default() };
        let ready = self.ready(asked.net.as_deref(), &besides)?;
        Ok(self.keep(asked, ready))
    }

    /// Makes a net ready, or says why not.
    pub fn ready(&self, net: Option<&str>, besides: &Besides) -> Result<Ready, Refusal> {
        let file = self.args.file.as_str();
        let instead = instead(self.args, net);
        let net = instead.as_deref().or(net);
        self.args.simulating.ready((file, net), besides).map_err(|why| match why {
            Some(why) => why.into(),
            None => explained(file, net),
        })
    }
}

/// The instance that is shown in the place of a net whose size is not known.
pub(super) fn instead(args: &Args, net: Option<&str>) -> Option<String> {
    let checked = Session::default().ask(&Disk, &args.file, None).ok()?;
    if checked.has_errors() || question(net).is_some() || args.simulating.sets() {
        return None;
    }
    checked.instead(net, &ModelOptions::default().elaborate)
}

/// What is wrong with a model, or with what was asked about it, with the messages that the terminal shows.
fn explained(file: &str, net: Option<&str>) -> Refusal {
    let asked = question(net);
    let checked = match Session::default().ask(&Disk, file, asked.as_ref()) {
        Ok(checked) => checked,
        Err(why) => return format!("`{file}` cannot be read: {why}").into(),
    };
    let is_error = |one: &&Diagnostic| one.severity == Severity::Error;
    let errors: Vec<Diagnostic> = checked.diagnostics.iter().filter(is_error).cloned().collect();
    if !errors.is_empty() {
        return told(file, &errors, &checked.sources);
    }
    let options = ModelOptions::default();
    match checked.net(wanted(&checked, net), &options.elaborate) {
        Err(BuildFailure::Problems(problems)) => told(file, &problems, &checked.sources),
        _ => "it cannot be shown; the terminal says why".into(),
    }
}

fn told(file: &str, problems: &[Diagnostic], sources: &SourceMap) -> Refusal {
    let one = |problem: &Diagnostic| render(problem, sources, Style { colour: false });
    let mut details: String = problems.iter().take(MOST_SHOWN).map(one).collect();
    let more = problems.len().saturating_sub(MOST_SHOWN);
    if more > 0 {
        details.push_str(&format!("… and {more} more\n"));
    }
    let errors = if problems.len() == 1 { "an error" } else { "errors" };
    Refusal::with(format!("`{file}` has {errors}"), Some(details))
}
