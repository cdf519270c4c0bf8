//! The automata of the nets of a model, generated as a whole or composed of those of their parts.

use std::sync::Arc;

use thiserror::Error;

use super::made::{AutomatonKey, NetKey};
use super::{BuildFailure, Checked, Wanted};
use crate::base::budget;
use crate::elaborate;
use crate::explore::ExploreOptions;
use crate::generate::{self, Generated, Misfit, Watch, generate_parts};
use crate::parametric::MonaProgram;
use crate::pnet::{HoleId, PNet};

/// How nets are made, and their automata.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct ModelOptions {
    /// How nets are elaborated.
    pub elaborate: elaborate::ElaborateOptions,
    /// How automata are generated.
    pub generate: generate::Options,
    /// Whether the automata of parts are composed, instead of generating those of whole nets.
    pub compose: bool,
    /// How nets are explored.
    pub explore: ExploreOptions,
    /// Who runs MONA, where it is to decide claims about every size.
    pub mona: Option<MonaProgram>,
}

/// An automaton composed of those of the parts of a net.
#[derive(Clone, Debug)]
pub struct Composition {
    /// The automaton of the net with its holes open.
    pub context: Arc<Generated>,
    /// Its holes that are filled in the whole.
    pub filled: Vec<HoleId>,
    /// The automaton of the whole.
    pub whole: Arc<Generated>,
}

/// Why an automaton cannot be composed of those of the parts of a net.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum NotComposed {
    /// Its parts have no nets of their own; the first problem, in words.
    #[error("{0}")]
    Problem(String),
    /// There is no net.
    #[error("the model has errors")]
    Errors,
    /// The automata of the parts do not fit together.
    #[error(transparent)]
    Misfit(#[from] Misfit),
}

impl From<BuildFailure> for NotComposed {
    fn from(failure: BuildFailure) -> NotComposed {
        match failure {
            BuildFailure::Problems(problems) => {
                let first = problems.into_iter().next();
                NotComposed::Problem(first.map(|problem| problem.message).unwrap_or_default())
            }
            BuildFailure::Errors | BuildFailure::Nothing | BuildFailure::Unknown(_) => {
                NotComposed::Errors
            }
        }
    }
}

impl Checked {
    /// The automaton of a net. Where it is to be composed and cannot be, it is generated as a whole, and whoever watches
    /// is told.
    pub fn automaton(
        &self,
        wanted: Wanted<'_>,
        options: &ModelOptions,
        watch: &dyn Watch,
    ) -> Result<Arc<Generated>, BuildFailure> {
        if options.compose {
            match self.composed(wanted, options, watch)? {
                Ok(composed) => return Ok(composed.whole),
                Err(why) => self.note_whole(wanted, options, &why, watch)?,
            }
        }
        let net = self.unfolded(wanted, &options.elaborate)?;
        let elaborate = self.unfolding(wanted, &options.elaborate);
        let elaborate = elaborate.as_ref().unwrap_or(&options.elaborate);
        let Some(key) = self.key_of(wanted, elaborate) else {
            return Err(BuildFailure::Errors);
        };
        Ok(self.generated(key, &net, &options.generate, watch))
    }

    /// Whether an automaton of a net was made, in one way or the other.
    pub fn is_made(&self, wanted: Wanted<'_>, options: &ModelOptions) -> bool {
        let elaborate = self.unfolding(wanted, &options.elaborate);
        let elaborate = elaborate.as_ref().unwrap_or(&options.elaborate);
        self.key_of(wanted, elaborate).is_some_and(|key| {
            let key = AutomatonKey(key, options.generate.clone());
            self.made.automaton(&key).is_some() || self.made.composition(&key).is_some()
        })
    }

    /// The automaton of a net, composed of those of its parts, with that of the net with its holes open; or why it
    /// cannot be composed.
    pub fn composed(
        &self,
        wanted: Wanted<'_>,
        options: &ModelOptions,
        watch: &dyn Watch,
    ) -> Result<Result<Composition, NotComposed>, BuildFailure> {
        let whole = self.unfolded(wanted, &options.elaborate)?;
        let elaborate = self.unfolding(wanted, &options.elaborate);
        let elaborate = elaborate.as_ref().unwrap_or(&options.elaborate);
        let Some(key) = self.key_of(wanted, elaborate) else {
            return Err(BuildFailure::Errors);
        };
        let key = AutomatonKey(key, options.generate.clone());
        if let Some(known) = self.made.composition(&key) {
            return Ok((*known).clone());
        }
        let composed = self.compose(wanted, &whole, options, watch);
        let stopped = |made: &Composition| made.whole.stopped || made.context.stopped;
        if !was_spent(watch) && !composed.as_ref().is_ok_and(stopped) {
            self.made.keep_composition(key, composed.clone());
        }
        Ok(composed)
    }

    fn compose(
        &self,
        wanted: Wanted<'_>,
        whole: &PNet,
        options: &ModelOptions,
        watch: &dyn Watch,
    ) -> Result<Composition, NotComposed> {
        let mut parts = self.parts(wanted, &options.elaborate)?;
        if parts.all().any(PNet::has_optional) {
            parts = self.parts(wanted, &options.elaborate.unfolding())?;
        }
        self.made.counts.composed();
        let made = generate_parts(&parts, whole, &options.generate, watch)?;
        let (context, whole) = (Arc::new(made.context), Arc::new(made.whole));
        Ok(Composition { context, filled: made.filled, whole })
    }

    /// Generates an automaton, unless that was done.
    fn generated(
        &self,
        key: NetKey,
        net: &PNet,
        options: &generate::Options,
        watch: &dyn Watch,
    ) -> Arc<Generated> {
        let key = AutomatonKey(key, options.clone());
        if let Some(known) = self.made.automaton(&key) {
            return known;
        }
        self.made.counts.generated();
        let generated = Arc::new(generate::generate(net, options, watch));
        if !generated.stopped && !was_spent(watch) {
            self.made.keep_automaton(key, Arc::clone(&generated));
        }
        generated
    }

    /// Says that a net is generated as a whole.
    fn note_whole(
        &self,
        wanted: Wanted<'_>,
        options: &ModelOptions,
        why: &NotComposed,
        watch: &dyn Watch,
    ) -> Result<(), BuildFailure> {
        let name = match wanted {
            Wanted::Named(_) => self.net(wanted, &options.elaborate)?.name.to_string(),
            Wanted::Instance(_, instance) => self.sources.text(instance.span).to_owned(),
            Wanted::Scenario(scenario) => self.sources.text(scenario.net.span).to_owned(),
        };
        watch.note(&format!("`{name}` is generated as a whole: {why}"));
        Ok(())
    }
}

/// Whether the budget was spent: what was made then may not have been made to its end.
fn was_spent(watch: &dyn Watch) -> bool {
    watch.budget().spent().is_some() || budget::here().spent().is_some()
}
