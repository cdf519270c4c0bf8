//! The nets of a model. A net that was made has a meaning: its premises follow from the axioms.

use std::sync::Arc;

use super::Checked;
use super::made::{NetKey, What};
use crate::diagnostics::{Diagnostic, closest};
use crate::elaborate::problems::ElaborationProblem;
use crate::elaborate::{self, ElaborateOptions, Target};
use crate::pnet::{PNet, Parts, at_hand};
use crate::premises;
use crate::sema::program::{CheckDef, Instance, Local, ModuleId, NetId, ScenarioDef};
use crate::syntax::token::lex;

/// What is to be built.
#[derive(Clone, Copy, Debug)]
pub enum Wanted<'a> {
    /// The net (or process) with this name, or the last one; its parameters stand for any value.
    Named(Option<&'a str>),
    /// An instance that a check is about.
    Instance(&'a CheckDef, &'a Instance),
    /// What a scenario is about.
    Scenario(&'a ScenarioDef),
}

/// Why a net could not be built.
#[derive(Debug)]
pub enum BuildFailure {
    /// The file declares nothing of this name; what it was probably meant to be.
    Unknown(Option<&'static str>),
    /// The file declares nothing that can be built.
    Nothing,
    /// The file has errors, which were reported: there is nothing to elaborate.
    Errors,
    /// Elaboration found problems.
    Problems(Vec<Diagnostic>),
}

impl From<Vec<ElaborationProblem>> for BuildFailure {
    fn from(problems: Vec<ElaborationProblem>) -> BuildFailure {
        BuildFailure::Problems(problems.iter().map(ElaborationProblem::diagnose).collect())
    }
}

/// What is elaborated: names are resolved.
enum Resolved<'a> {
    Target(Target),
    /// With the local names that it stands among, in this module.
    Instance(&'a Instance, &'a [Local], ModuleId),
}

/// Whether a connector has too many interactions for each to be a vector, unless only those are that are ever at hand.
fn are_too_many(problem: &ElaborationProblem) -> bool {
    matches!(problem, ElaborationProblem::TooManyInteractions(_))
}

impl Checked {
    /// The net with this name, or the last one.
    pub fn build(
        &self,
        name: Option<&str>,
        options: &ElaborateOptions,
    ) -> Result<Arc<PNet>, BuildFailure> {
        self.net(Wanted::Named(name), options)
    }

    /// What is shown in the place of a net that is not whole without what it is given, such as its size: the first instance that
    /// a claim of the file is about. Without a name, of the last net.
    pub fn instead(&self, name: Option<&str>, options: &ElaborateOptions) -> Option<String> {
        let is_whole = |why: &BuildFailure| {
            !matches!(why, BuildFailure::Problems(_) | BuildFailure::Unknown(_))
        };
        if self.build(name, options).map_or_else(|why| is_whole(&why), |_| true) {
            return None;
        }
        let last = || {
            let target = self.target(None).ok()?;
            let mut known = self.targets().into_iter();
            known.find(|(_, one)| *one == target).map(|(name, _)| name.to_string())
        };
        let name = name.map(str::to_owned).or_else(last)?;
        let checks = self.checks().into_iter().flat_map(|check| &check.nets);
        let all = checks.chain(self.scenarios().into_iter().map(|scenario| &scenario.net));
        all.map(|one| self.sources.text(one.span)).find_map(|text| {
            let given = text.strip_prefix(&name)?;
            let mut level = 0;
            let end = given.char_indices().find(|(_, letter)| {
                level += i32::from(*letter == '<') - i32::from(*letter == '>');
                level <= 0 && !letter.is_whitespace()
            });
            // What fills its holes is not told.
            let (end, _) = end.filter(|(_, letter)| *letter == '>')?;
            text.get(..name.len() + end + 1).map(str::to_owned)
        })
    }

    /// A net. Problems are found again for whoever asks again: they are shown where it was asked.
    pub fn net(
        &self,
        wanted: Wanted<'_>,
        options: &ElaborateOptions,
    ) -> Result<Arc<PNet>, BuildFailure> {
        self.made_of(self.resolve(wanted)?, options)
    }

    /// The same, where each interaction of a connector is a vector of its own: for those who do not know members that may
    /// take part or not. Where there are too many interactions, the problem says so.
    pub fn unfolded(
        &self,
        wanted: Wanted<'_>,
        options: &ElaborateOptions,
    ) -> Result<Arc<PNet>, BuildFailure> {
        let net = self.net(wanted, options)?;
        if net.has_optional() { self.net(wanted, &options.unfolding()) } else { Ok(net) }
    }

    /// How the net is elaborated that [`Checked::unfolded`] gives, if it was made.
    pub(super) fn unfolding(
        &self,
        wanted: Wanted<'_>,
        options: &ElaborateOptions,
    ) -> Option<ElaborateOptions> {
        let net = self.made.net(&self.key_of(wanted, options)?)?;
        Some(if net.has_optional() { options.unfolding() } else { options.clone() })
    }

    fn made_of(
        &self,
        resolved: Resolved<'_>,
        options: &ElaborateOptions,
    ) -> Result<Arc<PNet>, BuildFailure> {
        let key = self.key(&resolved, options);
        if let Some(net) = self.made.net(&key) {
            return Ok(net);
        }
        let net = match self.elaborated(&resolved, options) {
            Err(problems) if options.is_unfolding() && problems.iter().all(are_too_many) => {
                let whole = self.elaborated(&resolved, &options.keeping())?;
                let net = if whole.has_optional() { at_hand(&whole) } else { Some(whole) };
                net.ok_or(problems)?
            }
            elaborated => elaborated?,
        };
        match premises::unmet(&net, &self.program, options) {
            problems if problems.is_empty() => Ok(self.made.keep_net(key, net)),
            problems => Err(problems.into()),
        }
    }

    /// A net with values of constants that the axioms do not allow: without those axioms that are false with them. What is said about
    /// it is said about more values than there are.
    pub fn beyond_axioms(
        &self,
        wanted: Wanted<'_>,
        options: &ElaborateOptions,
    ) -> Result<Arc<PNet>, BuildFailure> {
        let mut net = self.elaborated(&self.resolve(wanted)?, options)?;
        let PNet { terms, algebra, .. } = &mut net;
        algebra.axioms.retain(|axiom| terms.as_bool(*axiom) != Some(false));
        match premises::unmet(&net, &self.program, options) {
            problems if problems.is_empty() => Ok(Arc::new(net)),
            problems => Err(problems.into()),
        }
    }

    fn elaborated(
        &self,
        resolved: &Resolved<'_>,
        options: &ElaborateOptions,
    ) -> Result<PNet, Vec<ElaborationProblem>> {
        match *resolved {
            Resolved::Target(target) => elaborate::elaborate(&self.program, target, options),
            Resolved::Instance(instance, locals, _) => {
                elaborate::elaborate_instance(&self.program, instance, locals, options)
            }
        }
    }

    /// A net of the program, by its number.
    pub fn net_by_id(
        &self,
        id: NetId,
        options: &ElaborateOptions,
    ) -> Result<Arc<PNet>, BuildFailure> {
        self.made_of(Resolved::Target(Target::Net(id)), options)
    }

    /// The same in parts: see [`elaborate::elaborate_parts`].
    pub fn parts(
        &self,
        wanted: Wanted<'_>,
        options: &ElaborateOptions,
    ) -> Result<Parts, BuildFailure> {
        let parts = match self.resolve(wanted)? {
            Resolved::Target(target) => elaborate::elaborate_parts(&self.program, target, options),
            Resolved::Instance(instance, locals, _) => {
                elaborate::elaborate_instance_parts(&self.program, instance, locals, options)
            }
        }?;
        let problems = parts.all().flat_map(|net| premises::unmet(net, &self.program, options));
        match problems.collect::<Vec<_>>() {
            problems if problems.is_empty() => Ok(parts),
            problems => Err(problems.into()),
        }
    }

    /// What the net is called for whom it is made; nothing where there is none.
    pub(super) fn key_of(&self, wanted: Wanted<'_>, options: &ElaborateOptions) -> Option<NetKey> {
        self.resolve(wanted).ok().map(|resolved| self.key(&resolved, options))
    }

    fn resolve<'a>(&self, wanted: Wanted<'a>) -> Result<Resolved<'a>, BuildFailure> {
        match wanted {
            _ if self.has_errors() => Err(BuildFailure::Errors),
            Wanted::Named(name) => Ok(Resolved::Target(self.target(name)?)),
            Wanted::Instance(check, instance) => {
                Ok(Resolved::Instance(instance, &check.locals, check.module))
            }
            Wanted::Scenario(scenario) => {
                Ok(Resolved::Instance(&scenario.net, &scenario.locals, scenario.module))
            }
        }
    }

    /// What has this name; without one, the last net, or the last process where there are no nets.
    pub(super) fn target(&self, name: Option<&str>) -> Result<Target, BuildFailure> {
        let targets = self.targets();
        let (_, target) = match name {
            Some(name) => {
                let found = targets.iter().find(|(known, _)| known.as_str() == name);
                found.ok_or_else(|| {
                    let known = targets.iter().map(|(known, _)| known.as_str());
                    BuildFailure::Unknown(closest(name, known))
                })?
            }
            None => {
                let is_net = |(_, target): &&(_, Target)| matches!(target, Target::Net(_));
                let net = targets.iter().rev().find(is_net);
                net.or(targets.last()).ok_or(BuildFailure::Nothing)?
            }
        };
        Ok(*target)
    }

    /// Instances of a module that are written with the same tokens are the same: all that they name is named there.
    fn key(&self, resolved: &Resolved<'_>, options: &ElaborateOptions) -> NetKey {
        let what = match *resolved {
            Resolved::Target(target) => What::Target(target),
            Resolved::Instance(instance, _, module) => {
                let (lexed, _) = lex(self.sources.text(instance.span), 0);
                What::Instance(module, lexed.tokens)
            }
        };
        NetKey { what, options: options.clone() }
    }
}
