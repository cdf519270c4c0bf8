//! `check always(S, e)`, `check reaches(S, e)` and `check deadlock_free(S)`: whether configurations can be reached.
//!
//! For all values of constants and of variables without an initial value, and whatever holes do: `always` is refuted, and
//! `reaches` proved, by a run for some of them; the other way round by a reachability predicate that keeps away. A
//! configuration is stuck where no step is possible, and not all components are in final states.

use super::predicate::{claims, item, met};
use super::refusal::Unclear;
use super::{ModelOptions, automaton, failed, relation, story, vacuous};
use crate::algebra::{Term, TermId};
use crate::automaton::{OpenAutomaton, StateId};
use crate::base::IndexVec;
use crate::diagnostics::Diagnostic;
use crate::generate::Watch;
use crate::model::{Checked, Wanted};
use crate::outcome::{
    Evidence, Found, Outcome, Predicate, Reason, RunEnd, Statistics, Trace, Verdict,
};
use crate::pnet::PNet;
use crate::sema::program::{CheckDef, CheckKind, Expr};
use crate::simulate::{self, Ending, NotFollowed, RunGoal};
use crate::system::{Facts, Prover, Reached, SymbolicRun, System, duties, reaches};

/// A condition for each state.
pub(super) type Conditions = IndexVec<StateId, TermId>;

pub(super) fn check(
    checked: &Checked,
    check: &CheckDef,
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Result<Outcome, Vec<Diagnostic>> {
    let [instance] = check.nets.as_slice() else {
        return Ok(Outcome::unknown(Reason::Incomplete));
    };
    let generated = automaton(checked, check, instance, options, watch)?;
    if generated.stopped {
        return Ok(Outcome::unknown(Reason::Stopped));
    }
    let net = &generated.automaton;
    let (system, facts, mut prover) = System::alone(net, options.generate.asking(), watch);
    if prover.axioms_contradict() {
        return Ok(Outcome::unknown(Reason::AxiomsContradict));
    }
    let name = checked.sources.text(instance.span);
    let whole = checked.unfolded(Wanted::Instance(check, instance), &options.elaborate);
    let whole = whole.map_err(failed)?;
    let mut search = Search { checked, check, system: &system, facts, name, net: &whole, options };
    let outcome = match (check.kind, &check.property) {
        (CheckKind::DeadlockFree, _) => search.deadlock_free(&mut prover),
        (_, Some(property)) => search.property(property, &mut prover, options),
        (_, None) => Outcome::unknown(Reason::Incomplete),
    };
    let statistics = Statistics {
        states: net.states.len(),
        transitions: net.transitions.len(),
        queries: prover.queries(),
        ..Statistics::default()
    };
    let proved = outcome.verdict == Verdict::Proved && check.kind != CheckKind::Reaches;
    let vacuous = if proved { vacuous::alone(name, net) } else { Vec::new() };
    Ok(Outcome { statistics, vacuous, ..outcome })
}

/// A search for bad configurations of one system.
struct Search<'s, 'a> {
    checked: &'s Checked,
    check: &'s CheckDef,
    system: &'s System<'a>,
    facts: Facts,
    name: &'s str,
    net: &'s PNet,
    options: &'s ModelOptions,
}

impl<'a> Search<'_, 'a> {
    fn deadlock_free(&mut self, prover: &mut Prover<'a>) -> Outcome {
        let system = self.system;
        let bad = stuck(system, prover);
        match self.reaches(prover, &bad) {
            Reached::Unknown(why) => Outcome::unknown(why),
            Reached::By(run) => {
                let end = RunEnd::Deadlock { state: system.state_name(run.last) };
                let reason = Reason::Deadlock { steps: run.steps.len() };
                self.by_run(prover, (Verdict::Refuted, reason), &run, end)
            }
            Reached::Never(predicate) => self.never(prover, Verdict::Proved, predicate, &bad),
        }
    }

    fn property(
        &mut self,
        property: &Expr,
        prover: &mut Prover<'a>,
        options: &ModelOptions,
    ) -> Outcome {
        let asked = (self.check, property);
        let (owed, term) = match lowered(self.checked, asked, (self.system, prover), options) {
            Ok(parts) => parts,
            Err(why) => return Outcome::unknown(why),
        };
        // A property that reads what has no value somewhere says nothing, not even where it does not.
        let without = opposite(prover, &owed);
        let defined = match self.reaches(prover, &without) {
            Reached::Unknown(why) => return Outcome::unknown(why),
            Reached::By(run) => {
                let end = self.end(&run, None);
                let reason = Reason::PropertyWithoutValue { steps: run.steps.len() };
                return self.by_run(prover, (Verdict::Unknown, reason), &run, end);
            }
            Reached::Never(predicate) => predicate,
        };
        let wanted = self.check.kind == CheckKind::Reaches;
        let bad = if wanted { term } else { opposite(prover, &term) };
        match self.reaches(prover, &bad) {
            Reached::Unknown(why) => Outcome::unknown(why),
            Reached::By(run) => {
                let (end, steps) = (self.end(&run, Some(wanted)), run.steps.len());
                let told = match wanted {
                    true => (Verdict::Proved, Reason::PropertyReached { steps }),
                    false => (Verdict::Refuted, Reason::PropertyFails { steps }),
                };
                self.by_run(prover, told, &run, end)
            }
            Reached::Never(predicate) => {
                let both = predicate.iter().zip(&defined).zip(without.iter().zip(&bad));
                let (kept, away): (Vec<TermId>, Vec<TermId>) = both
                    .map(|((&one, &other), (&without, &bad))| {
                        (prover.terms.and([one, other]), prover.terms.or([without, bad]))
                    })
                    .unzip();
                let verdict = if wanted { Verdict::Refuted } else { Verdict::Proved };
                self.never(prover, verdict, kept.into(), &away.into())
            }
        }
    }

    fn reaches(&mut self, prover: &mut Prover<'a>, bad: &Conditions) -> Reached {
        let variables: Vec<_> = self.system.variables.iter().map(|v| v.var).collect();
        reaches(self.system, prover, &mut self.facts, &variables, bad)
    }

    fn end(&self, run: &SymbolicRun, holds: Option<bool>) -> RunEnd {
        RunEnd::Property { state: self.system.state_name(run.last), holds, property: None }
    }

    fn by_run(
        &self,
        prover: &Prover<'a>,
        (verdict, reason): (Verdict, Reason),
        run: &SymbolicRun,
        end: RunEnd,
    ) -> Outcome {
        let teller = story::Teller::alone(self.system, prover, self.checked, self.name);
        let told = teller.run(run, end);
        match self.made_again(&told) {
            Ok(told) => {
                Outcome { evidence: Evidence::Run(Box::new(told)), ..Outcome::new(verdict, reason) }
            }
            // Functions without a definition, for example, are known to the solver only.
            Err(NotFollowed::Unknown { .. } | NotFollowed::NoValue { .. }) => {
                Outcome { evidence: Evidence::Run(Box::new(told)), ..Outcome::new(verdict, reason) }
            }
            Err(why) => Outcome::unknown(Reason::NotReplayed { why: why.to_string() }),
        }
    }

    /// A run as the plain interpreter makes it.
    fn made_again(&self, told: &Trace) -> Result<Trace, NotFollowed> {
        let teller = simulate::Teller::new(self.checked, self.net, self.name);
        let property = match &self.check.property {
            Some(expr) => {
                let asked = (expr, self.check.locals.as_slice(), &[][..]);
                let property = self.checked.property(asked, self.net, &self.options.elaborate);
                let unclear = |_| NotFollowed::NoValue { name: "the property".to_owned() };
                Some(property.map_err(unclear)?)
            }
            None => None,
        };
        let goal = match (&property, &told.end) {
            (Some(property), RunEnd::Property { holds, .. }) => RunGoal::Property(property, *holds),
            _ => RunGoal::Deadlock,
        };
        let made = simulate::made_again(&teller, told, goal)?;
        let again = teller.trace((&made.path[0], &made.steps), Ending::Open);
        Ok(Trace { end: told.end.clone(), ..again })
    }

    /// What a predicate shows that keeps away from what is bad, once all its duties are met.
    fn never(
        &self,
        prover: &mut Prover<'a>,
        verdict: Verdict,
        predicate: Conditions,
        bad: &Conditions,
    ) -> Outcome {
        let duties = duties(self.system, prover, &predicate, bad);
        let obligations = match met((self.system, prover), &duties) {
            Ok(obligations) => obligations,
            Err(why) => return Outcome::unknown(why),
        };
        let asked = (self.checked, self.check);
        let item = item(asked, (self.net, self.name), (self.system, prover), &predicate);
        let claims = claims((self.system, prover), &predicate);
        let evidence = Evidence::Predicate(Predicate { item: item.clone(), ..claims });
        let found = item.map(Found).into_iter().collect();
        let obligations_met = duties.len();
        let reason = match verdict {
            Verdict::Refuted => Reason::PropertyNever { obligations: obligations_met },
            _ => Reason::PredicateFound { obligations: obligations_met },
        };
        Outcome { evidence, found, obligations, ..Outcome::new(verdict, reason) }
    }
}

/// Where a system is stuck, though not all its components are in final states.
pub(super) fn stuck(system: &System<'_>, prover: &mut Prover<'_>) -> Conditions {
    let no = prover.terms.bool(false);
    let stuck = |state: StateId| match all_final(system.automaton, state) {
        true => no,
        false => {
            let can = system.can_move(prover, state);
            prover.terms.not(can)
        }
    };
    system.steps.ids().map(stuck).collect()
}

/// What the property of a check says in each state, in two parts; or why nothing can be said about it.
pub(super) fn lowered(
    checked: &Checked,
    (check, property): (&CheckDef, &Expr),
    (system, prover): (&System<'_>, &mut Prover<'_>),
    options: &ModelOptions,
) -> Result<(Conditions, Conditions), Reason> {
    let (mut owed, mut term) = (Conditions::default(), Conditions::default());
    for state in system.steps.ids() {
        let written = (property, check.locals.as_slice());
        let about = (system, &mut *prover);
        let (needs, says) = relation::property(checked, written, about, state, options)
            .map_err(|why| Reason::UnclearProperty { why: unclear(&why) })?;
        let is_call = |id: TermId| matches!(prover.terms.get(id), Term::Apply(fun, _) if prover.algebra.functions[fun.index()].body.is_some());
        if prover.terms.inside([needs, says]).any(is_call) {
            return Err(Reason::PropertyCalls);
        }
        owed.push(needs);
        term.push(says);
    }
    Ok((owed, term))
}

/// The opposite in each state.
pub(super) fn opposite(prover: &mut Prover<'_>, of: &Conditions) -> Conditions {
    of.iter().map(|&condition| prover.terms.not(condition)).collect()
}

/// Whether all components are in final states.
fn all_final(automaton: &OpenAutomaton, state: StateId) -> bool {
    let leaves = automaton.leaves.iter().zip(&automaton.states[state].leaves);
    let mut finals = leaves.map(|(leaf, &at)| leaf.states[at].is_final);
    !automaton.leaves.is_empty() && finals.all(|is_final| is_final)
}

fn unclear(why: &Unclear) -> String {
    match why {
        Unclear::Text(text) => format!("it is not known what `{text}` in the property means"),
        Unclear::Name(name) => format!("the property does not mean one thing: {name}"),
    }
}
