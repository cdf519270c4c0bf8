//! Checks that are answered by exploration: configuration by configuration, with values.
//!
//! Input: a net and a claim. Output: what was settled, or why nothing was. A claim about all configurations is settled where
//! all were looked at, with all values; one about some, where one was found. What is found by the compiled net is made again
//! by the plain interpreter before anybody sees it.

use std::sync::Arc;

use itertools::Itertools;
use rustc_hash::FxHashMap;

use crate::base::Watch;
use crate::diagnostics::Diagnostic;
use crate::explore::compiled::Compiled;
use crate::explore::naive::Interpreter;
use crate::explore::search::{
    self, DepthSearched, Ended, Goal, Ref, SearchLimits, Sights, find_cycle, never_again,
};
use crate::explore::{
    Configuration, Constants, Domains, ExploreOptions, Gap, Machine, Packed, Property, Reduction,
    Step, Value,
};
use crate::model::{Checked, ModelOptions, UnclearProperty, Wanted};
use crate::outcome::{
    Evidence, ExploreLimit, Extent, Outcome, Reason, Statistics, Vacuity, Verdict,
};
use crate::pnet::PNet;
use crate::sema::program::{CheckDef, CheckKind};
use crate::simulate::{self, Ending};
use crate::temporal::Formula;

use super::actions::{Asked, Fitting};
use super::looked::{Looked, Quest, extent_of};
use super::{failed, holds, reduced};

/// What came of an attempt.
#[allow(clippy::large_enum_variant, reason = "there is one at a time")]
pub(super) enum Tried {
    /// The claim is settled, as far as it can be.
    Settled(Outcome),
    /// It is not, and why.
    Open(Reason),
}

use Tried::{Open, Settled};

/// How much is tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    pub most_states: u64,
    pub most_transitions: u64,
    /// How many threads may work.
    pub most_jobs: usize,
}

impl Effort {
    /// As much as it takes.
    pub const ALL: Effort =
        Effort { most_states: u64::MAX, most_transitions: u64::MAX, most_jobs: usize::MAX };
    /// The same beside others who work.
    pub const BESIDE: Effort = Effort { most_jobs: 1, ..Effort::ALL };
    /// As much as fits into the memory of most machines, where it is not known whether there is an end.
    pub const MUCH: Effort =
        Effort { most_states: 2_000_000, most_transitions: 20_000_000, ..Effort::ALL };
    /// What takes a moment.
    pub const SOME: Effort =
        Effort { most_states: 200_000, most_transitions: 2_000_000, ..Effort::ALL };
}

/// Explores the net of a check.
pub(super) fn check(
    checked: &Checked,
    check: &CheckDef,
    options: &ModelOptions,
    effort: Effort,
    watch: &dyn Watch,
) -> Result<Tried, Vec<Diagnostic>> {
    with_subject((checked, check), options, |subject| {
        subject.answered(&limits_of(&options.explore, effort), watch)
    })
    .map(|tried| tried.unwrap_or_else(Open))
}

/// Has the net of a check looked at, with what is asked of it; or says why that is not possible.
pub(super) fn with_subject<T>(
    (checked, check): (&Checked, &CheckDef),
    options: &ModelOptions,
    look: impl FnOnce(&Subject<'_>) -> T,
) -> Result<Result<T, Reason>, Vec<Diagnostic>> {
    let [instance] = check.nets.as_slice() else { return Ok(Err(Reason::Incomplete)) };
    let net = checked.net(Wanted::Instance(check, instance), &options.elaborate).map_err(failed)?;
    let (net, formula) = match counting(checked, check, net, options) {
        Ok(both) => both,
        Err(why) => return Ok(Err(Reason::UnclearProperty { why: why.to_string() })),
    };
    let (domains, tried) = domains_of(&net, &options.explore);
    let property = match property_of(checked, check, &net, options) {
        Ok(property) => property,
        Err(why) => return Ok(Err(Reason::UnclearProperty { why: why.to_string() })),
    };
    let asked = Asked { checked, locals: &check.locals, options, net: &net };
    let domains = domains.about(match (&property, &check.shown, &formula) {
        (Some(property), ..) => property.constants(&net.algebra),
        (None, Some(shown), _) => asked.constants_of_set(shown),
        (None, None, Some(formula)) => holds::constants(&net, formula),
        (None, None, None) => Default::default(),
    });
    let name = checked.sources.text(instance.span);
    let subject =
        Subject { checked, check, options, net: &net, name, property, formula, domains, tried };
    Ok(Ok(look(&subject)))
}

/// The formula of a check, if it has one, with the net in which only what counts for it changes.
fn counting(
    checked: &Checked,
    check: &CheckDef,
    net: Arc<PNet>,
    options: &ModelOptions,
) -> Result<(Arc<PNet>, Option<Formula>), UnclearProperty> {
    let Some(formula) = checked.formula(check, &net, &options.elaborate)? else {
        return Ok((net, None));
    };
    Ok(match checked.stilled(check, (&net, &formula), &options.elaborate)? {
        Some((stilled, formula)) => (Arc::new(stilled.net), Some(formula)),
        None => (net, Some(formula)),
    })
}

/// What a check says of configurations, if it does.
fn property_of(
    checked: &Checked,
    check: &CheckDef,
    net: &PNet,
    options: &ModelOptions,
) -> Result<Option<Property>, UnclearProperty> {
    let Some(expr) = &check.property else { return Ok(None) };
    let asked = (expr, check.locals.as_slice(), &[][..]);
    checked.property(asked, net, &options.elaborate).map(Some)
}

/// How far a search goes.
pub(super) fn limits_of(explore: &ExploreOptions, effort: Effort) -> SearchLimits {
    SearchLimits {
        most_states: explore.most_states.min(effort.most_states),
        most_transitions: effort.most_transitions,
        most_depth: explore.most_depth,
        jobs: explore.jobs.min(effort.most_jobs),
        count: false,
        thorough: false,
    }
}

/// The domains that fit a net, and how they were given: those of sorts that it does not have are for other nets.
pub(super) fn domains_of(net: &PNet, options: &ExploreOptions) -> (Domains, Vec<String>) {
    let fits = |one: &&crate::explore::NamedDomain| {
        Domains::named(&net.algebra, std::slice::from_ref(one)).is_ok()
    };
    let named: Vec<_> = options.domains.iter().filter(fits).cloned().collect();
    let domains = Domains::named(&net.algebra, &named).unwrap_or_default();
    (domains, named.iter().map(ToString::to_string).collect())
}

/// What is explored, and what for.
pub(super) struct Subject<'a> {
    pub checked: &'a Checked,
    pub check: &'a CheckDef,
    pub options: &'a ModelOptions,
    pub net: &'a PNet,
    pub name: &'a str,
    /// What is asked of configurations.
    pub property: Option<Property>,
    /// What is said of runs.
    pub formula: Option<Formula>,
    pub domains: Domains,
    tried: Vec<String>,
}

impl Subject<'_> {
    fn answered(&self, limits: &SearchLimits, watch: &dyn Watch) -> Tried {
        let machine = Compiled::new(self.net, &self.domains);
        let found = match self.check.kind {
            CheckKind::Always | CheckKind::Reaches | CheckKind::Mutex | CheckKind::AtMost => {
                self.property(&machine, limits, watch)
            }
            CheckKind::DeadlockFree => self.deadlock_free(&machine, limits, watch),
            CheckKind::Deterministic => self.deterministic(&machine, limits, watch),
            CheckKind::Terminates => self.terminates(&machine, limits, watch),
            CheckKind::Live => self.live(&machine, limits, watch),
            _ => Ok(Open(Reason::Incomplete)),
        };
        found.unwrap_or_else(|gap| Open(told_gap(&gap, 0)))
    }

    /// How something is looked for.
    fn quest<'q, 'm, 'n>(
        &self,
        machine: &'m Compiled<'n>,
        limits: &'q SearchLimits,
        watch: &'q dyn Watch,
    ) -> Quest<'q, 'm, 'n> {
        Quest { machine, limits, in_depth: self.options.explore.in_depth, watch }
    }

    /// What may be left out when a property is looked at, or deadlocks are looked for.
    fn reduction(&self, property: Option<&Property>) -> Reduction {
        reduced::reduction(self.net, property, &self.options.explore)
    }

    fn property(
        &self,
        machine: &Compiled<'_>,
        limits: &SearchLimits,
        watch: &dyn Watch,
    ) -> Result<Tried, Gap> {
        let Some(property) = &self.property else { return Ok(Open(Reason::Incomplete)) };
        let asked = machine.property(property)?;
        let wanted = self.check.kind == CheckKind::Reaches;
        // Where it may have no value, all must be looked at before anything is said.
        let limits = SearchLimits { thorough: may_lack_value(property), ..*limits };
        let (goal, reduction) = (Goal::Property(&asked, wanted), self.reduction(Some(property)));
        let all_steps = Reduction { order: None, ..reduction.clone() };
        let quest = self.quest(machine, &limits, watch);
        let mut searched = quest.in_turns(goal, (&reduction, &all_steps))?;
        if reduction.order.is_some() {
            searched = quest.nearer(searched, goal, &all_steps)?;
        }
        if let Some(at) = searched.sights().no_value {
            let ending = Ending::Property(None, None);
            return Ok(self.by_run(machine, &searched, at, ending, |steps| {
                (Verdict::Unknown, Reason::PropertyWithoutValue { steps })
            }));
        }
        if let Some(at) = searched.sights().goal {
            let ending = Ending::Property(Some(wanted), None);
            return Ok(self.by_run(machine, &searched, at, ending, |steps| match wanted {
                true => (Verdict::Proved, Reason::PropertyReached { steps }),
                false => (Verdict::Refuted, Reason::PropertyFails { steps }),
            }));
        }
        let all = match wanted {
            true => (Verdict::Refuted, Reason::NeverHolds as fn(Extent) -> Reason),
            false => (Verdict::Proved, Reason::Explored as fn(Extent) -> Reason),
        };
        Ok(self.without_find(&searched, all))
    }

    fn deadlock_free(
        &self,
        machine: &Compiled<'_>,
        limits: &SearchLimits,
        watch: &dyn Watch,
    ) -> Result<Tried, Gap> {
        let reduction = self.reduction(None);
        let searched = self.quest(machine, limits, watch).go(Goal::Deadlock, &reduction)?;
        if let Some(at) = searched.sights().goal {
            return Ok(self.by_run(machine, &searched, at, Ending::Deadlock, |steps| {
                (Verdict::Refuted, Reason::Deadlock { steps })
            }));
        }
        if let Some(at) = searched.sights().maybe_stuck {
            return Ok(Open(Reason::MaybeStuck { steps: searched.steps_to(at) }));
        }
        Ok(self.without_find(&searched, (Verdict::Proved, Reason::Explored)))
    }

    fn deterministic(
        &self,
        machine: &Compiled<'_>,
        limits: &SearchLimits,
        watch: &dyn Watch,
    ) -> Result<Tried, Gap> {
        let reduction = Reduction::default();
        let searched = self.quest(machine, limits, watch).go(Goal::Choice, &reduction)?;
        if let Some(at) = searched.sights().goal {
            let configuration = machine.decode(&searched.packed(at));
            let Some(both) = self.choice(&configuration)? else {
                let why = "the two steps were not found".to_owned();
                return Ok(Open(Reason::NotReplayed { why }));
            };
            let ending = Ending::Choice(Box::new(both));
            return Ok(self.by_run(machine, &searched, at, ending, |steps| {
                (Verdict::Refuted, Reason::Choice { steps })
            }));
        }
        Ok(self.without_find(&searched, (Verdict::Proved, Reason::Explored)))
    }

    fn choice(&self, at: &Configuration) -> Result<Option<(Step, Step)>, Gap> {
        let interpreter = Interpreter::new(self.net, self.domains.clone());
        Ok(choice_of(&interpreter.steps(at)?.steps))
    }

    fn terminates(
        &self,
        machine: &Compiled<'_>,
        limits: &SearchLimits,
        watch: &dyn Watch,
    ) -> Result<Tried, Gap> {
        let searched = find_cycle(machine, limits, watch)?;
        if let (Some(way), Some(back)) = (&searched.way, searched.back_to) {
            return Ok(self.by_circle(machine, way, back, &searched));
        }
        let DepthSearched { counts, ended, limited, sights, .. } = searched;
        let extent = extent_of(&counts);
        Ok(match self.incomplete(extent, ended, limited, &sights, |_| 0) {
            Some(why) => Open(why),
            None => Settled(self.outcome(Verdict::Proved, Reason::Explored(extent), extent)),
        })
    }

    fn live(
        &self,
        machine: &Compiled<'_>,
        limits: &SearchLimits,
        watch: &dyn Watch,
    ) -> Result<Tried, Gap> {
        if self.check.shown.is_none() {
            return Ok(Open(Reason::Incomplete));
        }
        // What can still happen is asked of all that was met, so it is the same in which order that was.
        let searched = search::search(machine, Goal::Everything, limits, watch)?;
        let extent = extent_of(&searched.counts);
        let steps_to = |at: Ref| searched.path(at).len() - 1;
        let open =
            self.incomplete(extent, searched.ended, searched.limited, &searched.sights, steps_to);
        if let Some(why) = open {
            return Ok(Open(why));
        }
        let interpreter = Interpreter::new(self.net, self.domains.clone());
        let mut wanted = WantedSteps::new(self, &interpreter);
        let never = never_again(&searched, |from, label| wanted.is(machine, from, label))?;
        if let Some(gap) = wanted.gap {
            return Err(gap);
        }
        Ok(match never {
            Some(at) => {
                self.by_run(machine, &Looked::Levels(searched), at, Ending::NeverAgain, |steps| {
                    (Verdict::Refuted, Reason::NeverAgain { steps })
                })
            }
            None => Settled(self.outcome(Verdict::Proved, Reason::Explored(extent), extent)),
        })
    }

    // ---- what is told ----

    /// Nothing was found: that settles a claim where all was looked at.
    fn without_find(
        &self,
        searched: &Looked<'_, '_>,
        (verdict, reason): (Verdict, fn(Extent) -> Reason),
    ) -> Tried {
        let (extent, (ended, limited)) = (searched.extent(), searched.ended());
        let steps_to = |at: Ref| searched.steps_to(at);
        match self.incomplete(extent, ended, limited, searched.sights(), steps_to) {
            Some(why) => Open(why),
            None => Settled(self.outcome(verdict, reason(extent), extent)),
        }
    }

    /// Why not everything was looked at, if it was not.
    fn incomplete(
        &self,
        extent: Extent,
        ended: Ended,
        limited: bool,
        sights: &Sights,
        steps_to: impl Fn(Ref) -> usize,
    ) -> Option<Reason> {
        // Values that are not tried may be the ones that the axioms allow.
        if extent.states == 0 && !limited {
            return Some(Reason::AxiomsContradict);
        }
        if let Some((at, gap)) = &sights.gap {
            return Some(told_gap(gap, steps_to(*at)));
        }
        let limit = match ended {
            Ended::Complete | Ended::Found if !limited => return None,
            Ended::Complete | Ended::Found => ExploreLimit::Domains(self.tried.clone()),
            Ended::States => ExploreLimit::States,
            Ended::Depth => ExploreLimit::Depth,
            // What is said then is said by whoever has the budget.
            Ended::Spent(_) => ExploreLimit::Budget,
        };
        Some(Reason::NotFound { extent, limit })
    }

    fn outcome(&self, verdict: Verdict, reason: Reason, extent: Extent) -> Outcome {
        let statistics = Statistics {
            states: extent.states as usize,
            transitions: extent.transitions as usize,
            queries: 0,
            ..Statistics::default()
        };
        let idle = extent.transitions == 0 && verdict == Verdict::Proved;
        let vacuous = match idle && self.check.kind != CheckKind::Reaches {
            true => vec![Vacuity::NoTransitions { net: self.name.to_owned() }],
            false => Vec::new(),
        };
        Outcome { statistics, vacuous, ..Outcome::new(verdict, reason) }
    }

    /// A claim that is settled by a run, once the plain interpreter has made it again.
    fn by_run(
        &self,
        machine: &Compiled<'_>,
        searched: &Looked<'_, '_>,
        to: Ref,
        ending: Ending,
        verdict: impl FnOnce(usize) -> (Verdict, Reason),
    ) -> Tried {
        let path: Vec<Configuration> =
            searched.path(to).iter().map(|packed| machine.decode(packed)).collect();
        let extent = Extent { reduced: false, ..searched.extent() };
        self.by_path(&path, ending, extent, verdict(path.len() - 1))
    }

    fn by_circle(
        &self,
        machine: &Compiled<'_>,
        way: &[Packed],
        back: usize,
        searched: &DepthSearched,
    ) -> Tried {
        let mut path: Vec<Configuration> =
            way.iter().map(|packed| machine.decode(packed)).collect();
        let (steps, round) = (back, path.len() - back);
        path.push(path[back].clone());
        let extent = extent_of(&searched.counts);
        let verdict = (Verdict::Refuted, Reason::Circle { steps, round });
        self.by_path(&path, Ending::Loop(back), extent, verdict)
    }

    /// The same for a run that was found in another way.
    pub fn by_configurations(
        &self,
        path: &[Configuration],
        ending: Ending,
        verdict: (Verdict, Reason),
    ) -> Tried {
        let extent = Extent { states: 0, transitions: 0, depth: 0, reduced: false };
        self.by_path(path, ending, extent, verdict)
    }

    fn by_path(
        &self,
        path: &[Configuration],
        ending: Ending,
        extent: Extent,
        (verdict, reason): (Verdict, Reason),
    ) -> Tried {
        let interpreter = Interpreter::new(self.net, self.domains.clone());
        let steps = match simulate::follow(&interpreter, path) {
            Ok(steps) => steps,
            Err(why) => return Open(Reason::NotReplayed { why: why.to_string() }),
        };
        let run = (&path[0], steps.as_slice());
        let told = simulate::tell(self.checked, (self.net, self.name), run, ending);
        let outcome = self.outcome(verdict, reason, extent);
        Settled(Outcome { evidence: Evidence::Run(Box::new(told)), ..outcome })
    }
}

/// Tells which steps show what a check asks for.
pub(super) struct WantedSteps<'s, 'a> {
    subject: &'s Subject<'a>,
    interpreter: &'s Interpreter<'s>,
    known: FxHashMap<(Constants, Packed), bool>,
    /// Why it could not be told of some.
    pub gap: Option<Gap>,
}

impl<'s, 'a> WantedSteps<'s, 'a> {
    pub fn new(subject: &'s Subject<'a>, interpreter: &'s Interpreter<'s>) -> WantedSteps<'s, 'a> {
        WantedSteps { subject, interpreter, known: FxHashMap::default(), gap: None }
    }

    /// Whether a step of a compiled net does, by where it starts and by its label.
    pub fn is(&mut self, machine: &Compiled<'_>, from: &[u64], label: &[u64]) -> bool {
        let at = machine.decode(from);
        let key = (Constants::clone(&at.constants), Packed::from(label));
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let shows = self.shows(&at, &machine.label(label).0).unwrap_or_else(|why| {
            self.gap.get_or_insert(why);
            false
        });
        self.known.insert(key, shows);
        shows
    }

    /// Whether an action is one of those that are asked for.
    pub fn shows(&self, at: &Configuration, action: &Value) -> Result<bool, Gap> {
        let Subject { checked, check, options, .. } = *self.subject;
        let Some(shown) = &check.shown else { return Ok(false) };
        let (locals, interpreter) = (check.locals.as_slice(), self.interpreter);
        Fitting { checked, locals, options, interpreter, at }.is_in(shown, action)
    }
}

/// Two steps that show the same and lead to different configurations.
pub(super) fn choice_of(steps: &[Step]) -> Option<(Step, Step)> {
    let differ = |[one, other]: &[&Step; 2]| {
        (&one.action, &one.holes) == (&other.action, &other.holes) && one.target != other.target
    };
    let found = steps.iter().array_combinations().find(differ);
    found.map(|[one, other]| (one.clone(), other.clone()))
}

/// Whether a property may read what has no value.
fn may_lack_value(property: &Property) -> bool {
    property.terms.as_bool(property.owed) != Some(true)
}

pub(super) fn told_gap(gap: &Gap, steps: usize) -> Reason {
    match gap {
        Gap::Stopped => Reason::Stopped,
        gap => Reason::Gap { why: gap.to_string(), steps },
    }
}
