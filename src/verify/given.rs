//! `check … by I`: whether an invariant that somebody wrote proves a claim about what one net can reach.
//!
//! It does if it holds at first, if every step that can be made where it holds leads to where it holds, and if it implies
//! what is claimed. An invariant that does not is no proof; it says nothing against the claim, which stays unknown. A
//! configuration that shows why need not be reachable.

use super::predicate::failed_first;
use super::reach::{self, Conditions};
use super::refusal::{NoCertificate, Unclear};
use super::remake::Remade;
use super::{ModelOptions, automaton, engines, relation, story, vacuous};
use crate::algebra::{TermId, VarId};
use crate::automaton::StateId;
use crate::diagnostics::{Diagnostic, Span};
use crate::emit::{self, outcome as words};
use crate::generate::Watch;
use crate::model::Checked;
use crate::outcome::{
    Broken, BrokenCondition, Evidence, Fails, Found, Obligation, ObligationKind, Outcome, Reason,
    Statistics, Status, Verdict,
};
use crate::sema::program::{CheckDef, CheckKind, InvariantDef};
use crate::smt::Answer;
use crate::syntax::parse_property;
use crate::syntax::print::print_expr;
use crate::system::{Duty, Prover, Sample, Step, System, duties};
use rustc_hash::FxHashMap;

pub(super) fn check(
    checked: &Checked,
    check: &CheckDef,
    invariant: &InvariantDef,
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Result<Outcome, Vec<Diagnostic>> {
    if !super::safety::is_tiny(checked, check, options)? {
        return engines::with_net(checked, check, options, |asked| asked.proved_by(invariant));
    }
    let looked =
        look(checked, (check, invariant), options, watch, |given, prover| given.judged(prover))?;
    Ok(match looked {
        Err(reason) => Outcome::unknown(reason),
        Ok((outcome, statistics, _)) if matches!(outcome.reason, Reason::InvariantFails { .. }) => {
            let shown = nearer(checked, (check, invariant), options)?;
            Outcome { statistics, ..shown.unwrap_or(outcome) }
        }
        Ok((outcome, statistics, vacuous)) => {
            let proved = outcome.verdict == Verdict::Proved;
            let vacuous = if proved { vacuous } else { Vec::new() };
            Outcome { statistics, vacuous, ..outcome }
        }
    })
}

/// Where an invariant is no proof, a configuration near to where the net begins shows it, if the plain interpreter can make
/// the step that breaks it.
fn nearer(
    checked: &Checked,
    (check, invariant): (&CheckDef, &InvariantDef),
    options: &ModelOptions,
) -> Result<Option<Outcome>, Vec<Diagnostic>> {
    let outcome = engines::with_net(checked, check, options, |asked| asked.proved_by(invariant))?;
    let shows = matches!(outcome.evidence, Evidence::Broken(_));
    Ok(shows.then_some(outcome))
}

/// What a proof by an invariant rests on, made anew from the model and the text of the invariant; or why it cannot be.
pub(super) fn remade(
    checked: &Checked,
    check: &CheckDef,
    (invariant, meets): (&InvariantDef, bool),
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Result<Remade, NoCertificate> {
    if let Ok(false) = super::safety::is_tiny(checked, check, options) {
        let mut made = Err(NoCertificate::PredicateNotLookedAt);
        let _ = engines::with_net(checked, check, options, |asked| {
            made = asked.remade_by(invariant, meets);
            Outcome::unknown(Reason::Incomplete)
        });
        return made;
    }
    let looked = look(checked, (check, invariant), options, watch, |given, prover| {
        let duties = given.duties(prover);
        if meets && let Some((unmet, answer)) = failed_first(prover, &duties) {
            return Err(given.unmet(prover, unmet, answer).reason.into());
        }
        let name = |duty: Duty| words::obligation(&given.kind(duty));
        let duties: Vec<(String, Vec<TermId>)> =
            duties.into_iter().map(|(duty, all)| (name(duty), all)).collect();
        Ok(Remade::alone((given.system, prover), given.item(), &duties))
    });
    match looked {
        Ok(Ok((made, ..))) => made,
        Ok(Err(reason)) => Err(reason.into()),
        Err(_) => Err(NoCertificate::PredicateNotLookedAt),
    }
}

/// What was made of a net and its invariant, with how large the net is, and why a proof would say little.
type Looked<T> = Result<(T, Statistics, Vec<crate::outcome::Vacuity>), Reason>;

/// Makes the system of a net, with what the invariant and the claim say in each state, and has it looked at; or says why
/// that is not possible.
fn look<T>(
    checked: &Checked,
    (check, invariant): (&CheckDef, &InvariantDef),
    options: &ModelOptions,
    watch: &dyn Watch,
    look: impl FnOnce(&Given<'_, '_>, &mut Prover<'_>) -> T,
) -> Result<Looked<T>, Vec<Diagnostic>> {
    let [instance] = check.nets.as_slice() else { return Ok(Err(Reason::Incomplete)) };
    let generated = automaton(checked, check, instance, options, watch)?;
    if generated.stopped {
        return Ok(Err(Reason::Stopped));
    }
    let net = &generated.automaton;
    let (system, _, mut prover) = System::alone(net, options.generate.asking(), watch);
    if prover.axioms_contradict() {
        return Ok(Err(Reason::AxiomsContradict));
    }
    let lowered = says(checked, invariant, (&system, &mut prover), options)
        .and_then(|says| Ok((says, Claim::of(checked, check, (&system, &mut prover), options)?)));
    let (says, claim) = match lowered {
        Ok(both) => both,
        Err(why) => return Ok(Err(why)),
    };
    let name = checked.sources.text(instance.span);
    let holds = conjunctions(&says, &system, &mut prover);
    let given = Given { checked, check, invariant, system: &system, says, holds, claim, name };
    let looked = look(&given, &mut prover);
    let statistics = Statistics {
        states: net.states.len(),
        transitions: net.transitions.len(),
        queries: prover.queries(),
        ..Statistics::default()
    };
    Ok(Ok((looked, statistics, vacuous::alone(name, net))))
}

/// What each condition of an invariant says in each state; or why that is not clear.
fn says(
    checked: &Checked,
    invariant: &InvariantDef,
    (system, prover): (&System<'_>, &mut Prover<'_>),
    options: &ModelOptions,
) -> Result<Vec<Conditions>, Reason> {
    let mut all = Vec::with_capacity(invariant.conditions.len());
    for condition in &invariant.conditions {
        let mut here = Conditions::default();
        for state in system.steps.ids() {
            let written = (&condition.holds, invariant.locals.as_slice());
            let about = (system, &mut *prover);
            let (owed, says) = relation::property(checked, written, about, state, options)
                .map_err(|why| Reason::UnclearInvariant { why: unclear(&why) })?;
            // A condition that reads what has no value does not hold.
            here.push(prover.terms.and([owed, says]));
        }
        all.push(here);
    }
    Ok(all)
}

fn conjunctions(says: &[Conditions], system: &System<'_>, prover: &mut Prover<'_>) -> Conditions {
    let all = system.steps.ids().map(|state| {
        let here: Vec<TermId> = says.iter().map(|condition| condition[state]).collect();
        prover.terms.and(here)
    });
    all.collect()
}

/// What must not meet an invariant, state by state.
struct Claim {
    /// Where the property reads what has no value; nothing where there is no property.
    without_value: Option<Conditions>,
    /// Where what is claimed does not hold, or has no value.
    bad: Conditions,
}

impl Claim {
    fn of(
        checked: &Checked,
        check: &CheckDef,
        (system, prover): (&System<'_>, &mut Prover<'_>),
        options: &ModelOptions,
    ) -> Result<Claim, Reason> {
        let property = match (check.kind, &check.property) {
            (CheckKind::DeadlockFree, _) => {
                return Ok(Claim { without_value: None, bad: reach::stuck(system, prover) });
            }
            (_, Some(property)) => property,
            (_, None) => return Err(Reason::Incomplete),
        };
        let asked = (check, property);
        let (owed, says) = reach::lowered(checked, asked, (system, prover), options)?;
        let without = reach::opposite(prover, &owed);
        let wanted = check.kind == CheckKind::Reaches;
        let fails = if wanted { says } else { reach::opposite(prover, &says) };
        let both = without.iter().zip(&fails);
        let bad = both.map(|(&without, &fails)| prover.terms.or([without, fails])).collect();
        Ok(Claim { without_value: Some(without), bad })
    }
}

/// An invariant of a system, and what it is to prove.
struct Given<'s, 'a> {
    checked: &'s Checked,
    check: &'s CheckDef,
    invariant: &'s InvariantDef,
    system: &'s System<'a>,
    /// What each of its conditions says.
    says: Vec<Conditions>,
    /// What they say together.
    holds: Conditions,
    claim: Claim,
    name: &'s str,
}

impl<'a> Given<'_, 'a> {
    /// What has to be met, in the order in which people want to hear of it: first, steps, claim.
    fn duties(&self, prover: &mut Prover<'_>) -> Vec<(Duty, Vec<TermId>)> {
        let mut all = duties(self.system, prover, &self.holds, &self.claim.bad);
        all.sort_by_key(|(duty, _)| match duty {
            Duty::First => 0,
            Duty::Kept(..) => 1,
            Duty::Away(_) => 2,
        });
        all
    }

    fn judged(&self, prover: &mut Prover<'_>) -> Outcome {
        let duties = self.duties(prover);
        if let Some((unmet, answer)) = failed_first(prover, &duties) {
            return self.unmet(prover, unmet, answer);
        }
        let met = |(duty, _): &(Duty, Vec<TermId>)| Obligation {
            about: self.kind(*duty),
            status: Status::Met,
        };
        let obligations: Vec<Obligation> = duties.iter().map(met).collect();
        let count = obligations.len();
        let never = self.check.kind == CheckKind::Reaches;
        let verdict = if never { Verdict::Refuted } else { Verdict::Proved };
        let reason = Reason::InvariantMeets { obligations: count, never };
        let found = vec![Found(self.item())];
        Outcome { obligations, found, ..Outcome::new(verdict, reason) }
    }

    /// What has to be met.
    fn kind(&self, duty: Duty) -> ObligationKind {
        let state = |at: StateId| self.system.state_name(at);
        match duty {
            Duty::First => ObligationKind::InvariantFirst,
            Duty::Kept(at, step) => {
                ObligationKind::InvariantKept { state: state(at), step: step.index() + 1 }
            }
            Duty::Away(at) => ObligationKind::InvariantImplies { state: state(at) },
        }
    }

    /// Why it is no proof: with values, where there are any.
    fn unmet(&self, prover: &mut Prover<'_>, duty: Duty, answer: Answer) -> Outcome {
        let about = self.kind(duty);
        if let Answer::Unknown(why) = answer {
            return Outcome::unknown(Reason::UnsureObligation { obligation: about, why });
        }
        let (fails, at, place) = self.shown(prover, duty);
        let condition = place.and_then(|place| self.invariant.conditions.get(place));
        let condition = condition.map(|condition| self.condition(condition.span));
        let evidence = match at {
            None => Evidence::None,
            Some((at, sample)) => {
                let teller = story::Teller::alone(self.system, prover, self.checked, self.name);
                Evidence::Broken(Box::new(Broken {
                    invariant: self.invariant.named.name.to_string(),
                    fails,
                    condition: condition.clone(),
                    with: teller.equations(&sample.given),
                    components: teller.components(at, |var| sample.values.get(&var).copied()),
                    resting: 0,
                    begins: false,
                    step: sample
                        .step
                        .as_ref()
                        .map(|(step, changes)| teller.alone_step(step, changes)),
                }))
            }
        };
        let condition = condition.map(|condition| condition.text);
        let reason = Reason::InvariantFails { fails, condition };
        let obligations = vec![Obligation { about, status: Status::Failed }];
        Outcome { evidence, obligations, ..Outcome::unknown(reason) }
    }

    /// How a duty fails: a configuration, and which of the conditions does not hold.
    fn shown(
        &self,
        prover: &mut Prover<'_>,
        duty: Duty,
    ) -> (Fails, Option<(StateId, Sample)>, Option<usize>) {
        match duty {
            Duty::First => {
                let initial: FxHashMap<VarId, TermId> = self.system.initial_values().collect();
                let at = StateId::FIRST;
                let (place, sample) = self.broken(prover, (at, &initial), (&[], None), &initial);
                (Fails::First, sample.map(|sample| (at, sample)), place)
            }
            Duty::Kept(at, step) => {
                let step = &self.system.steps[at][step];
                let (there, updates) = (step.target, &step.updates);
                let before = [self.holds[at], step.guard];
                let made = (before.as_slice(), Some(step));
                let known = FxHashMap::default();
                let (place, sample) = self.broken(prover, (there, updates), made, &known);
                (Fails::Kept, sample.map(|sample| (at, sample)), place)
            }
            Duty::Away(at) => {
                let (fails, bad) = self.why_bad(prover, at);
                let conditions = [self.holds[at], bad];
                let known = FxHashMap::default();
                let sample = self.system.sample(prover, known, (&conditions, None));
                (fails, sample.map(|sample| (at, sample)), None)
            }
        }
    }

    /// The first condition that can be false in a state where variables have been given values, with an example.
    fn broken(
        &self,
        prover: &mut Prover<'_>,
        (there, updates): (StateId, &FxHashMap<VarId, TermId>),
        (before, step): (&[TermId], Option<&Step>),
        known: &FxHashMap<VarId, TermId>,
    ) -> (Option<usize>, Option<Sample>) {
        for (place, condition) in self.says.iter().enumerate() {
            let then = prover.terms.substitute(condition[there], updates);
            let mut question = before.to_vec();
            question.push(prover.terms.not(then));
            if prover.none_holds(&question) == Answer::Sat {
                let sample = self.system.sample(prover, known.clone(), (&question, step));
                return (Some(place), sample);
            }
        }
        (None, None)
    }

    /// What does not follow: that the property has a value, or what is claimed.
    fn why_bad(&self, prover: &mut Prover<'_>, at: StateId) -> (Fails, TermId) {
        if let Some(without) = &self.claim.without_value
            && prover.none_holds(&[self.holds[at], without[at]]) == Answer::Sat
        {
            return (Fails::Value, without[at]);
        }
        let fails = match self.check.kind {
            CheckKind::DeadlockFree => Fails::Deadlock,
            CheckKind::Reaches => Fails::Excludes,
            _ => Fails::Implies,
        };
        (fails, self.claim.bad[at])
    }

    fn condition(&self, span: Span) -> BrokenCondition {
        let at = story::place(&self.checked.sources, &self.checked.root, span);
        BrokenCondition { text: self.text(span), at }
    }

    /// A condition as it is printed: on one line, without comments.
    fn text(&self, span: Span) -> String {
        condition_text(self.checked, span)
    }

    /// The invariant as an item.
    fn item(&self) -> String {
        let conditions = self.invariant.conditions.iter();
        let texts: Vec<String> = conditions.map(|condition| self.text(condition.span)).collect();
        emit::invariant_item("Found", self.name, &texts)
    }
}

/// A condition as it is printed: on one line, without comments.
pub(super) fn condition_text(checked: &Checked, span: Span) -> String {
    let written = checked.sources.text(span);
    let parsed = parse_property(written, 0).found;
    parsed.map_or_else(|| written.to_owned(), |expr| print_expr(&expr))
}

fn unclear(why: &Unclear) -> String {
    match why {
        Unclear::Text(text) => format!("it is not known what `{text}` in the invariant means"),
        Unclear::Name(name) => format!("the invariant does not mean one thing: {name}"),
    }
}
