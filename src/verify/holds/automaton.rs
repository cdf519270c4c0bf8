//! Formulas where there is no end of values: by sets of configurations, as conditions on the states of the open automaton.
//!
//! What is proved rests on these sets, whose obligations were put to the solver again; what is refuted on a run that the plain
//! interpreter makes again.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::{
    Asked, MATTERS, MOST_STRONGER, Told, is_at_first, observed, one_line, told_of, written,
};
use crate::algebra::{TermId, VarId};
use crate::automaton::{StateId, VariableNames, variable_names};
use crate::base::Watch;
use crate::emit::{Scope, label, outcome as words};
use crate::explore::Property;
use crate::explore::naive::Interpreter;
use crate::generate::{Generated, generate};
use crate::model::{Checked, ModelOptions, UnclearProperty, Wanted};
use crate::outcome::{
    Evidence, FixpointLayer, FixpointSets, Obligation, ObligationKind, Outcome, Reason, RunEnd,
    StateClaim, Statistics, Status, Trace, Verdict,
};
use crate::pnet::PNet;
use crate::sema::program::{CheckDef, Instance};
use crate::simulate::{self, Ending, NotFollowed, RunGoal};
use crate::system::{Prover, System};
use crate::temporal::symbolic::{
    Decided, Found, Layer, NotGiven, Proof, ProofDuty, RunShown, Set, Shown, Undetermined, decide,
    obligations as obligations_of, soon,
};
use crate::temporal::{Formula, StateFormula};
use crate::verify::refusal::NoCertificate;
use crate::verify::remake::Remade;
use crate::verify::{automaton, story};

/// The net and the formula of a check, with each interaction as a vector of its own.
pub(super) struct Unfolded {
    pub net: Arc<PNet>,
    pub formula: Formula,
    /// The net that it stands for, and the variables that stay as they begin in the one that is looked at.
    pub stands_for: Option<(Arc<PNet>, Vec<VarId>)>,
}

impl Unfolded {
    pub fn of(
        checked: &Checked,
        (check, instance): (&CheckDef, &Instance),
        options: &ModelOptions,
    ) -> Result<Unfolded, Reason> {
        let wanted = Wanted::Instance(check, instance);
        let net = checked.unfolded(wanted, &options.elaborate).map_err(|_| Reason::Incomplete)?;
        let unclear = |why: UnclearProperty| Reason::UnclearProperty { why: why.to_string() };
        let formula = checked.formula(check, &net, &options.elaborate).map_err(unclear)?;
        let formula = formula.ok_or(Reason::Incomplete)?;
        let stilled = checked.stilled(check, (&net, &formula), &options.elaborate);
        Ok(match stilled.map_err(unclear)? {
            Some((stilled, formula)) => {
                let stands_for = Some((net, stilled.still));
                Unfolded { net: Arc::new(stilled.net), formula, stands_for }
            }
            None => Unfolded { net, formula, stands_for: None },
        })
    }

    /// The net that is told of, where it is another one.
    pub fn told(&self) -> Option<Told<'_>> {
        self.stands_for.as_ref().map(|(net, still)| Told { net, still })
    }
}

/// The open automaton of such a net.
struct OnAutomaton {
    generated: Arc<Generated>,
    unfolded: Unfolded,
}

impl OnAutomaton {
    fn of(
        checked: &Checked,
        (check, instance): (&CheckDef, &Instance),
        options: &ModelOptions,
        watch: &dyn Watch,
    ) -> Result<OnAutomaton, Reason> {
        let unfolded = Unfolded::of(checked, (check, instance), options)?;
        if unfolded.stands_for.is_some() {
            let generated = made(&unfolded.net, options, watch)?;
            return Ok(OnAutomaton { generated, unfolded });
        }
        let generated = automaton(checked, check, instance, options, watch);
        let generated = generated.map_err(|_| Reason::Incomplete)?;
        if generated.stopped {
            return Err(Reason::Stopped);
        }
        Ok(OnAutomaton { generated, unfolded })
    }
}

/// What a proof by sets of configurations rests on, as a text; or why there is none.
pub(in crate::verify) fn fixpoints(
    checked: &Checked,
    check: &CheckDef,
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Result<String, NoCertificate> {
    let instance = check.nets.first().ok_or(Reason::Incomplete)?;
    let on = OnAutomaton::of(checked, (check, instance), options, watch)?;
    let (system, mut facts, mut prover) =
        System::alone(&on.generated.automaton, options.generate.asking(), watch);
    match decide(&on.unfolded.net, (&system, &mut prover), &mut facts, &on.unfolded.formula) {
        Decided::Proved(proof) => {
            let file = written::written(&prover.terms, &variables(&system), &proof);
            Ok(written::text(&file))
        }
        Decided::Refuted(..) => Err(NoCertificate::NotUnderstood),
        Decided::Unknown(why) => Err(reason(&why).into()),
    }
}

/// What a proof of a formula rests on, made anew from the model and the text of its sets; or why it cannot be. Nothing is
/// searched: each obligation is for a solver.
pub(in crate::verify) fn remade(
    checked: &Checked,
    check: &CheckDef,
    text: &str,
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Result<Remade, NoCertificate> {
    let file = written::parsed(text).map_err(NoCertificate::Fixpoints)?;
    let instance = check.nets.first().ok_or(Reason::Incomplete)?;
    if file.has_invariant() {
        return observed::remade(checked, (check, instance), (&file, text), options);
    }
    let on = OnAutomaton::of(checked, (check, instance), options, watch)?;
    let automaton = &on.generated.automaton;
    let (system, _, mut prover) = System::alone(automaton, options.generate.asking(), watch);
    let (state, algebra) = (variables(&system), prover.algebra);
    let Unfolded { net, formula, .. } = &on.unfolded;
    let duties = obligations_of(net, (&system, &mut prover), formula, |terms, bound| {
        written::read(&file, (algebra, terms), automaton.states.len(), (&state, bound))
    });
    let duties = duties.map_err(|why| match why {
        NotGiven::Undetermined(why) => NoCertificate::from(reason(&why)),
        why => NoCertificate::Fixpoints(why.to_string()),
    })?;
    let named = |(duty, conditions): (ProofDuty, Vec<TermId>)| {
        (words::obligation(&kind_of(&system, duty)), conditions)
    };
    let duties: Vec<(String, Vec<TermId>)> = duties.into_iter().map(named).collect();
    Ok(Remade::of_fixpoints((&system, &mut prover), written::text(&file), &duties))
}

/// The variables of a net, by which a text names them.
fn variables(system: &System<'_>) -> Vec<VarId> {
    system.variables.iter().map(|variable| variable.var).collect()
}

impl Asked<'_> {
    /// Looks for sets of configurations, for all values at once.
    pub(super) fn by_automaton(&self, watch: &dyn Watch) -> Result<Outcome, Reason> {
        let (checked, options) = (self.checked, self.options);
        let on = match self.about {
            Some(about) => OnAutomaton::of(checked, about, options, watch)?,
            None => {
                let generated = made(self.net, options, watch)?;
                let (net, formula) = (Arc::new(self.net.clone()), self.formula.clone());
                OnAutomaton { generated, unfolded: Unfolded { net, formula, stands_for: None } }
            }
        };
        let Unfolded { net, formula, .. } = &on.unfolded;
        let automaton = &on.generated.automaton;
        let (system, mut facts, mut prover) =
            System::alone(automaton, options.generate.asking(), watch);
        let decided = decide(net, (&system, &mut prover), &mut facts, formula);
        let outcome = match decided {
            Decided::Proved(proof) => {
                let found = proved((&system, &prover), &proof);
                let mut holds = |says: &StateFormula| {
                    let asked = Formula { says: says.clone(), ..formula.clone() };
                    soon(net, (&system, &mut prover), &facts, &asked)
                };
                // What holds is known: it is not lost when the time is up.
                let budget = watch.budget().share_of_time(MATTERS);
                let _here = budget.enter();
                let vacuous =
                    self.no_matter(self.stronger(formula).take(MOST_STRONGER), &mut holds);
                Outcome { vacuous, ..found }
            }
            Decided::Refuted(proof, shown) => {
                self.refuted((&system, &prover), &on, &proof, &shown)?
            }
            Decided::Unknown(why) => return Err(reason(&why)),
        };
        let statistics = Statistics {
            states: automaton.states.len(),
            transitions: automaton.transitions.len(),
            queries: prover.queries(),
            ..Statistics::default()
        };
        Ok(Outcome { statistics, ..outcome })
    }

    /// A run that the plain interpreter makes again, with what is to be seen at its end.
    fn refuted(
        &self,
        (system, prover): (&System<'_>, &Prover<'_>),
        on: &OnAutomaton,
        proof: &Proof,
        shown: &RunShown,
    ) -> Result<Outcome, Reason> {
        let (net, formula) = (&*on.unfolded.net, &on.unfolded.formula);
        let teller = story::Teller::alone(system, prover, self.checked, self.name);
        let last = RunEnd::Open { state: system.state_name(shown.run.last) };
        let told = teller.run(&shown.run, last);
        let teller = simulate::Teller::new(self.checked, net, self.name);
        let anything = anything(formula);
        let goal = RunGoal::Property(&anything, Some(true));
        let made = match simulate::made_again(&teller, &told, goal) {
            Ok(made) => made,
            Err(why) => return Err(not_made(&why)),
        };
        let lost = || Reason::NotReplayed { why: format!("`{}` does not end so", self.name) };
        let last = made.path.last().ok_or_else(lost)?;
        let steps = made.steps.len();
        let (ending, before, round) = match (shown.then, shown.text) {
            (Shown::Loop(start), _) if made.path.get(start) == Some(last) => {
                (Ending::Loop(start), start, steps - start)
            }
            (Shown::Loop(_), _) => return Err(lost()),
            (Shown::End, _) => {
                let interpreter = Interpreter::new(net, made.domains.clone());
                (ended(&interpreter, last).ok_or_else(lost)?, steps, 0)
            }
            (Shown::Here | Shown::Rest, Some((text, holds))) => {
                let text = one_line(self.checked.sources.text(text));
                (Ending::Decided(text, holds), steps, 0)
            }
            (Shown::Here | Shown::Rest, None) => (Ending::Open, steps, 0),
        };
        self.last.replace(Some(last.clone()));
        let told = on.unfolded.told().or(self.told);
        let run = (&made.path[0], made.steps, &made.domains);
        let (net, begin, steps, ending) = told_of(told, net, run, ending).ok_or_else(lost)?;
        let shown = simulate::Teller::new(self.checked, net, self.name);
        let trace: Trace = shown.trace((&begin, &steps), ending);
        let reason = match is_at_first(&trace, &formula.says) {
            true => Reason::FalseAtFirst,
            false => Reason::OneRun { steps: before, round, shows: false },
        };
        let obligations = obligations(system, proof);
        let evidence = Evidence::Run(Box::new(trace));
        Ok(Outcome { evidence, obligations, ..Outcome::new(Verdict::Refuted, reason) })
    }
}

/// The open automaton of a net, all of it.
fn made(net: &PNet, options: &ModelOptions, watch: &dyn Watch) -> Result<Arc<Generated>, Reason> {
    let generated = Arc::new(generate(net, &options.generate, watch));
    if generated.stopped { Err(Reason::Stopped) } else { Ok(generated) }
}

/// How a run ends, where every step that is possible needs a hole; nothing where one does not.
fn ended(interpreter: &Interpreter<'_>, last: &crate::explore::Configuration) -> Option<Ending> {
    let possible = interpreter.steps(last).ok()?;
    if possible.steps.iter().any(|step| step.holes.is_empty()) {
        return None;
    }
    Some(match (possible.steps.is_empty(), interpreter.is_final(last)) {
        (false, _) => Ending::Waits,
        (true, true) => Ending::Finished,
        (true, false) => Ending::Deadlock,
    })
}

/// What holds everywhere: a run that is made again need only be one. It speaks of the constants that the formula speaks of.
fn anything(formula: &Formula) -> Property {
    let mut terms = formula.terms.clone();
    let says = terms.bool(true);
    let locations = formula.locations.clone();
    Property { terms, owed: says, reads: Vec::new(), says, locations, given: Vec::new() }
}

fn not_made(why: &NotFollowed) -> Reason {
    Reason::NotReplayed { why: why.to_string() }
}

fn reason(why: &Undetermined) -> Reason {
    match why {
        Undetermined::Stopped => Reason::Stopped,
        Undetermined::AxiomsContradict => Reason::AxiomsContradict,
        Undetermined::Calls => Reason::PropertyCalls,
        Undetermined::NoFixpoint { rounds } => Reason::NoFixpoints { rounds: *rounds },
        Undetermined::NoRun => Reason::FormulaWithoutRun,
        Undetermined::Form(_) | Undetermined::Meaning(_) => {
            Reason::UnclearProperty { why: why.to_string() }
        }
    }
}

fn proved((system, prover): (&System<'_>, &Prover<'_>), proof: &Proof) -> Outcome {
    let mut sets = Vec::with_capacity(proof.fixes.len());
    let names = names_of((system, prover), proof);
    for fix in &proof.fixes {
        let layers = match &fix.sets {
            Found::Greatest(set) => vec![layer((system, prover), &names, &[], set)],
            Found::Least(layers) => {
                let told = |one: &Layer| layer((system, prover), &names, &one.ranks, &one.set);
                layers.iter().map(told).collect()
            }
        };
        sets.push(FixpointSets { greatest: fix.greatest, layers });
    }
    let reason = Reason::FixpointsFound { obligations: proof.duties.len() };
    let obligations = obligations(system, proof);
    let evidence = Evidence::Fixpoints { sets };
    Outcome { evidence, obligations, ..Outcome::new(Verdict::Proved, reason) }
}

/// What variables are called in sets: what a formula binds has other names than the variables of the net.
fn names_of((system, prover): (&System<'_>, &Prover<'_>), proof: &Proof) -> VariableNames {
    let mut names: VariableNames = variable_names(system.automaton);
    let taken: FxHashSet<String> = names.values().cloned().collect();
    for &var in &proof.bound {
        let mut name = prover.terms.var(var).name.to_string();
        while taken.contains(&name) {
            name.push('\'');
        }
        names.insert(var, name);
    }
    names
}

/// A layer, or the set of a greatest fixpoint.
fn layer(
    (system, prover): (&System<'_>, &Prover<'_>),
    names: &VariableNames,
    ranks: &[crate::algebra::VarId],
    set: &Set,
) -> FixpointLayer {
    let mut names = names.clone();
    let rank = |place: usize| match ranks.len() {
        1 => "rank".to_owned(),
        _ => format!("rank{}", place + 1),
    };
    names.extend(ranks.iter().enumerate().map(|(place, var)| (*var, rank(place))));
    let scope = Scope { algebra: prover.algebra, terms: &prover.terms, names: Some(&names) };
    let claim = |(at, &condition): (StateId, &crate::algebra::TermId)| {
        let nowhere = prover.terms.as_bool(condition) == Some(false);
        let (state, holds) = (system.state_name(at), label::condition(scope, condition));
        (!nowhere).then_some(StateClaim { state, holds })
    };
    let ranks = (0..ranks.len()).map(rank).collect();
    FixpointLayer { ranks, states: set.enumerated().filter_map(claim).collect() }
}

/// What the sets had to meet, all of it met.
fn obligations(system: &System<'_>, proof: &Proof) -> Vec<Obligation> {
    let about = |duty: &ProofDuty| kind_of(system, *duty);
    let met =
        |(duty, _): &(ProofDuty, Vec<_>)| Obligation { about: about(duty), status: Status::Met };
    proof.duties.iter().map(met).collect()
}

/// What something that has to be met is about.
fn kind_of(system: &System<'_>, duty: ProofDuty) -> ObligationKind {
    let state = |at: StateId| system.state_name(at);
    match duty {
        ProofDuty::KnownAtFirst => ObligationKind::HoldsFirst,
        ProofDuty::Known(at, step) => {
            ObligationKind::Kept { state: state(at), step: step.index() + 1 }
        }
        ProofDuty::Greatest(fix, at) => {
            ObligationKind::FixpointKept { fixpoint: fix + 1, state: state(at) }
        }
        ProofDuty::Layer(fix, layer, at) => {
            ObligationKind::LayerReached { fixpoint: fix + 1, layer: layer + 1, state: state(at) }
        }
        ProofDuty::First => ObligationKind::FormulaFirst,
    }
}
