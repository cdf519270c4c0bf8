//! Checks that are answered by a system that was made part by part.
//!
//! Input: a net and a method. Output: what was settled, with the relation that carried it and every size on the way. What a
//! relation preserves holds of the net where it holds of the reduced system; what is refuted is refuted by a run of the
//! whole net, which is looked for along what the reduced system shows, and made again by the plain interpreter.

use crate::base::Watch;
use crate::compose::{
    AtEnd, ComposePlan, ComposedSystem, FOUND, Guide, Marking, Method, NotByParts, PartialSystem,
    PlanOptions, Seeing, generate, guided_run, shortest,
};
use crate::diagnostics::Diagnostic;
use crate::explore::compiled::Compiled;
use crate::explore::{Configuration, Domains, Gap, Machine};
use crate::lts::Equivalence;
use crate::model::{Checked, ModelOptions, Wanted};
use crate::outcome::{MadeByParts, Note, Outcome, Reason, Statistics, Verdict};
use crate::pnet::{PNet, VectorPlace};
use crate::sema::program::{CheckDef, CheckKind, ReductionId};
use crate::simulate::Ending;

use super::explored::{Subject, Tried, told_gap, with_subject};

/// How many configurations of a leaf are made by itself, before it is made under what its neighbours allow.
pub(super) const MOST_OF_LEAF: usize = 100_000;

/// How many configurations are looked at for a run.
pub(super) const MOST_OF_RUN: usize = 2_000_000;

/// The method that answers a check where none is said.
pub(super) fn method_of(kind: CheckKind) -> Option<Method> {
    match kind {
        CheckKind::DeadlockFree => Some(Method::preserving(Equivalence::DivergencePreserving)),
        kind if kind.is_safety() => Some(Method::preserving(Equivalence::Branching)),
        CheckKind::WeaklyBisimilar => Some(Method::preserving(Equivalence::Branching)),
        CheckKind::WeaklyRefines => Some(Method::preserving(Equivalence::DivergencePreserving)),
        CheckKind::Bisimilar | CheckKind::Refines => Some(Method::preserving(Equivalence::Strong)),
        _ => None,
    }
}

/// The method that a reduction says; what it does not say is chosen by the check.
pub(super) fn written(checked: &Checked, check: &CheckDef, id: ReductionId) -> Method {
    let said = &checked.program.reductions[id.index()];
    let chosen = method_of(check.kind).map_or(Equivalence::Strong, |method| method.root);
    // The result preserves no more than its parts do.
    let chosen = said.leaf.filter(|leaf| !leaf.is_finer(chosen)).unwrap_or(chosen);
    Method {
        parts: said.leaf,
        restrict: said.restrict.clone(),
        first: said.first.clone(),
        ..Method::preserving(said.root.unwrap_or(chosen))
    }
}

/// Answers a check by a method.
pub(super) fn check(
    checked: &Checked,
    check: &CheckDef,
    method: &Method,
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Result<Outcome, Vec<Diagnostic>> {
    // Parts are put together by vectors, one for each interaction.
    let unfolding = ModelOptions { elaborate: options.elaborate.unfolding(), ..options.clone() };
    let options = if has_optional(checked, check, options) { &unfolding } else { options };
    let answered = with_subject((checked, check), options, |subject| {
        let marking = match &subject.property {
            None => None,
            Some(property) => {
                let wanted = check.kind == CheckKind::Reaches;
                match Marking::new(subject.net, property, wanted) {
                    Ok(marking) => Some(marking),
                    Err(why) => {
                        return Outcome::unknown(Reason::NotComposed { why: why.to_string() });
                    }
                }
            }
        };
        Composing { subject, method, marking, watch }.answered()
    })?;
    Ok(answered.unwrap_or_else(Outcome::unknown))
}

/// Whether a net of a check has members that may take part or not.
fn has_optional(checked: &Checked, check: &CheckDef, options: &ModelOptions) -> bool {
    check.nets.iter().any(|instance| {
        let net = checked.net(Wanted::Instance(check, instance), &options.elaborate);
        net.is_ok_and(|net| net.has_optional())
    })
}

/// Why a system was not made, and how far it came.
pub(super) type NotMade = Box<(NotByParts, Option<MadeByParts>)>;

/// Makes the system of a net by a method.
pub(super) fn made(
    (checked, net, name): (&Checked, &PNet, &str),
    (method, domains): (&Method, &Domains),
    (seeing, marking): (Seeing, Option<&Marking>),
    watch: &dyn Watch,
) -> Result<ComposedSystem, NotMade> {
    let later: Vec<String> = method.restrict.iter().map(|(part, _)| part.clone()).collect();
    let options = PlanOptions { seeing, later: &later, marking };
    let plan = ComposePlan::new((net, name), domains, options, watch)
        .map_err(|why| Box::new((why, None)))?;
    let told = |place: VectorPlace| {
        let span = net.origins.get(net.vector(place).origin).span;
        checked.sources.text(span).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    generate(&plan, method, domains, watch, &told).map_err(|failed| {
        let PartialSystem { why, report, .. } = *failed;
        Box::new((why, Some(report)))
    })
}

/// What is to be said where a system was not made.
pub(super) fn not_made(why: NotByParts, report: Option<MadeByParts>) -> Outcome {
    let mut outcome = Outcome::unknown(match why {
        NotByParts::Spent(_) => Reason::Stopped,
        why => Reason::NotComposed { why: why.to_string() },
    });
    outcome.notes.extend(report.map(Note::Composed));
    outcome
}

struct Composing<'c> {
    subject: &'c Subject<'c>,
    method: &'c Method,
    /// What is looked for, where it is no deadlock.
    marking: Option<Marking>,
    watch: &'c dyn Watch,
}

impl Composing<'_> {
    fn answered(&self) -> Outcome {
        match self.composed() {
            Ok(system) => self.judged(system),
            Err(failed) => {
                let (why, report) = *failed;
                not_made(why, report)
            }
        }
    }

    fn composed(&self) -> Result<ComposedSystem, NotMade> {
        let Subject { checked, net, name, domains, options, .. } = self.subject;
        let most_states = MOST_OF_LEAF.min(options.explore.most_states as usize);
        let seeing = Seeing { finals: self.marking.is_none(), most_states };
        let seen = (seeing, self.marking.as_ref());
        made((checked, net, name), (self.method, domains), seen, self.watch)
    }

    fn judged(&self, system: ComposedSystem) -> Outcome {
        let ComposedSystem { lts, report, .. } = system;
        let is_wanted = |state| match self.marking {
            None => lts.steps(state).is_empty(),
            Some(_) => lts.steps(state).iter().any(|step| lts.text(step.label) == FOUND),
        };
        let never = self.subject.check.kind == CheckKind::Reaches;
        let mut outcome = match shortest(&lts, is_wanted) {
            None => {
                let relation = report.relation.clone();
                let (states, most) = (lts.states(), report.most_states);
                let verdict = if never { Verdict::Refuted } else { Verdict::Proved };
                Outcome::new(verdict, Reason::Composed { relation, states, most, never })
            }
            Some(trace) => {
                let run = self.run(&trace);
                run.unwrap_or_else(|gap| Outcome::unknown(told_gap(&gap, 0)))
            }
        };
        outcome.statistics = Statistics {
            states: lts.states(),
            transitions: lts.transitions(),
            ..Statistics::default()
        };
        outcome.notes.push(Note::Composed(report));
        outcome
    }

    /// A run of the whole net to what is looked for.
    fn run(&self, trace: &[String]) -> Result<Outcome, Gap> {
        let Subject { net, domains, check, property, .. } = self.subject;
        let machine = Compiled::new(net, domains);
        let wanted = check.kind == CheckKind::Reaches;
        let property = property.as_ref().map(|one| machine.property(one)).transpose()?;
        let mut scratch = machine.scratch();
        let is_wanted = |end: AtEnd<'_>| match &property {
            Some(property) => Ok(machine.holds(&mut scratch, property, end.at)? == Some(wanted)),
            None => Ok(end.is_stuck),
        };
        let guide = Guide { trace, hides: self.method.root.hides(), most: MOST_OF_RUN };
        let Some(path) = guided_run((net, &machine), guide, is_wanted, self.watch)? else {
            let trace = trace.to_vec();
            return Ok(Outcome::unknown(Reason::RunNotFound { trace }));
        };
        let path: Vec<Configuration> = path.iter().map(|packed| machine.decode(packed)).collect();
        let steps = path.len() - 1;
        let (ending, verdict) = match check.kind {
            CheckKind::Reaches => (
                Ending::Property(Some(true), None),
                (Verdict::Proved, Reason::PropertyReached { steps }),
            ),
            kind if kind.is_always() => (
                Ending::Property(Some(false), None),
                (Verdict::Refuted, Reason::PropertyFails { steps }),
            ),
            _ => (Ending::Deadlock, (Verdict::Refuted, Reason::Deadlock { steps })),
        };
        Ok(match self.subject.by_configurations(&path, ending, verdict) {
            Tried::Settled(outcome) => outcome,
            Tried::Open(why) => Outcome::unknown(why),
        })
    }
}
