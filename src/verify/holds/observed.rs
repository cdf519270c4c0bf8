//! What formulas say of all runs, by the engines for unbounded data: a net with an observer, of which something must always hold.
//!
//! Exploration is asked first, up to a share of the time, then sets on the open automaton and all engines at once. What an engine
//! finds is an invariant of the net and its observer, whose obligations are put to the solver again, or a run, which the plain
//! interpreter makes again, with the observer and without it.

use super::automaton::Unfolded;
use super::written::{self, FixpointsFile};
use super::{Asked, is_at_first, one_line, told_of};
use crate::algebra::VarId;
use crate::base::Watch;
use crate::emit;
use crate::explore::naive::Interpreter;
use crate::explore::{Configuration, EngineChoice, Property, Step};
use crate::model::{Checked, ModelOptions};
use crate::outcome::{
    Evidence, Found as FoundText, InvariantFound, Outcome, Reason, Statistics, Trace, Verdict,
};
use crate::safety::{self, Bad, Directed, Effort, Engine, Found, Invariant, Problem};
use crate::sema::program::{CheckDef, Instance};
use crate::simulate::{self, Ending, Followed, NotFollowed};
use crate::temporal::Observed;
use crate::verify::engines;
use crate::verify::portfolio::{self, Attempt};
use crate::verify::refusal::NoCertificate;
use crate::verify::remake::Remade;
use crate::verify::safety::{
    EXPLORATION, Limited, MOST_COMBINATIONS, SOME_DIRECTED, combinations, engine,
};

/// How often the quick look for sets may look at its budget.
const QUICK: u64 = 20_000;

/// The quick look for sets has one of so many shares of what is left of the time.
const SETS: u32 = 3;

/// A net that is observed, with what it was made of.
pub(super) struct OfCheck<'a> {
    check: &'a CheckDef,
    unfolded: Unfolded,
    observed: Observed,
}

impl<'a> Asked<'a> {
    /// The net with an observer of the formula; nothing where that has another form.
    pub(super) fn observed(&self) -> Option<OfCheck<'a>> {
        let (check, instance) = self.about?;
        OfCheck::new(self.checked, (check, instance), self.options).ok().flatten()
    }

    /// Asks what is cheap first, and then all others at once.
    pub(super) fn by_whoever_can(
        &self,
        of: &OfCheck<'_>,
        watch: &dyn Watch,
    ) -> Result<Outcome, Reason> {
        let choice = self.options.explore.engine;
        if choice == EngineChoice::Explicit {
            return self.by_configurations(watch);
        }
        if choice == EngineChoice::Symbolic {
            return self.by_automaton(watch);
        }
        if let Some(engine) = engine(choice, self.options) {
            return self.by(&*engine, of, watch);
        }
        let share = watch.budget().share_of_time(EXPLORATION);
        let first = {
            let (_here, limited) = (share.enter(), Limited { watch, budget: share.clone() });
            self.by_configurations(&limited)
        };
        // What was found when the share was over may rest on work that was not done to its end.
        let hurried = share.spent().is_some();
        let first = match first {
            Ok(outcome) if !hurried => return Ok(outcome),
            Ok(_) => Reason::Stopped,
            Err(why) => why,
        };
        if watch.budget().spent().is_some() {
            return Err(first);
        }
        let mut ways = vec![first];
        // Where sets are found soon, nobody else is asked, so that the same is said each time.
        let by_sets = match of.is_small() {
            true => {
                let budget = watch.budget().share_of_time(SETS).part_of_work(QUICK);
                let quick = Limited { watch, budget: budget.clone() };
                let found = {
                    let _here = budget.enter();
                    self.by_automaton(&quick)
                };
                match (found, budget.spent()) {
                    (Ok(outcome), None) => return Ok(outcome),
                    (Err(why), None) => {
                        ways.push(why);
                        false
                    }
                    (_, Some(_)) => true,
                }
            }
            false => true,
        };
        ways.retain(|why| *why != Reason::Stopped);
        match portfolio::first(self.at_once(of, (by_sets, hurried)), watch) {
            Ok(outcome) => return Ok(outcome),
            Err(open) => ways.extend(open.into_iter().filter(|why| *why != Reason::Stopped)),
        }
        Err(match ways.len() {
            0 => Reason::Stopped,
            1 => ways.remove(0),
            _ => Reason::Tried { ways },
        })
    }

    /// The ways that are tried at once.
    fn at_once<'s>(
        &'s self,
        of: &'s OfCheck<'_>,
        (by_sets, hurried): (bool, bool),
    ) -> Vec<Vec<Attempt<'s>>> {
        // Each has a question of its own, since where a run came to is noted there.
        let asked = || Asked { last: Default::default(), ..*self };
        let by = |choice: EngineChoice| -> Attempt<'s> {
            let asked = asked();
            Box::new(move |watch| {
                let engine = engine(choice, asked.options);
                let outcome = engine.ok_or(Reason::Incomplete);
                settled(outcome.and_then(|engine| asked.by(&*engine, of, watch)))
            })
        };
        let (searching, symbolic, plain) = (asked(), asked(), asked());
        let directed: Attempt<'s> = Box::new(move |watch| {
            settled(searching.by(&Directed { most: SOME_DIRECTED }, of, watch))
        });
        let mut others: Vec<Attempt<'s>> = Vec::new();
        if by_sets {
            others.push(Box::new(move |watch| settled(symbolic.by_automaton(watch))));
        }
        if hurried {
            others.push(Box::new(move |watch| settled(plain.by_configurations(watch))));
        }
        vec![
            others,
            vec![by(EngineChoice::Induction), by(EngineChoice::Abstraction)],
            vec![directed, by(EngineChoice::Bounded)],
            vec![by(EngineChoice::Horn)],
        ]
    }

    /// Has an engine look.
    fn by(
        &self,
        engine: &dyn Engine,
        of: &OfCheck<'_>,
        watch: &dyn Watch,
    ) -> Result<Outcome, Reason> {
        let problem = of.problem()?;
        let (found, effort) = match engines::begins_badly(&problem, watch) {
            Some(lead) => (Found::Unsafe(Box::new(lead)), Effort::default()),
            None => engine.solve(&problem, watch),
        };
        let outcome = match found {
            Found::Open(why) => return Err(engines::left_open(why, engine)),
            Found::Safe(invariant) => self.safe(of, (&problem, &invariant), (engine, watch))?,
            Found::Unsafe(lead) => self.fails(of, simulate::follow_lead(&problem, &lead))?,
            Found::Reached(run) => self.fails(of, engines::followed(&problem, *run))?,
        };
        let statistics: Statistics = engines::statistics(&problem, effort);
        Ok(Outcome { statistics, ..outcome })
    }

    /// What was found always holds, once its obligations are met.
    fn safe(
        &self,
        of: &OfCheck<'_>,
        (problem, found): (&Problem<'_>, &Invariant),
        (engine, watch): (&dyn Engine, &dyn Watch),
    ) -> Result<Outcome, Reason> {
        let invariant = engines::confirmed(problem, found, watch)
            .map_err(|unmet| engines::unconfirmed(&unmet, engine))?;
        let asked = of.asked((self.checked, self.options), self.name);
        let (mut item, conditions) = asked.item(problem, &invariant);
        if of.observed.observer.is_some() {
            item.insert_str(0, OBSERVER);
        }
        let engine = engine.name().to_owned();
        let reason = Reason::InvariantFound { engine, conditions, never: false };
        let evidence = Evidence::Invariant(InvariantFound { net: self.name.to_owned(), item });
        let file =
            written::written_invariant(&invariant.terms, &variables(problem), &invariant.conjuncts);
        let (found, obligations) = (vec![FoundText(written::text(&file))], asked.met(problem));
        Ok(Outcome { evidence, found, obligations, ..Outcome::new(Verdict::Proved, reason) })
    }

    /// A run that shows what fails, as one of the net without the observer.
    fn fails(
        &self,
        of: &OfCheck<'_>,
        followed: Result<Followed, NotFollowed>,
    ) -> Result<Outcome, Reason> {
        let lost = |why: &str| Reason::NotReplayed { why: why.to_owned() };
        let followed = followed.map_err(|why| lost(&why.to_string()))?;
        let (observed, unfolded) = (&of.observed, &of.unfolded);
        let interpreter = Interpreter::new(&observed.net, followed.domains.clone());
        let last = followed.path.last().ok_or_else(|| lost("the run is empty"))?;
        let fails = observed.failures.iter().find(|failure| {
            let asked = Property { says: failure.when, ..observed.claim.clone() };
            interpreter.holds(last, &asked) == Ok(Some(true))
        });
        let failure = fails.ok_or_else(|| lost("nothing fails at the end of the run"))?;
        let again = Interpreter::new(&unfolded.net, followed.domains.clone());
        let begin = observed.without(&followed.path[0]);
        let mut steps: Vec<Step> = Vec::with_capacity(followed.steps.len());
        for step in &followed.steps {
            let at = steps.last().map_or(&begin, |step| &step.target);
            let target = observed.without(&step.target);
            let possible = again.steps(at).map_err(|gap| lost(&gap.to_string()))?.steps;
            let same = |one: &Step| {
                one.target == target && one.action == step.action && one.holes == step.holes
            };
            let same = possible.into_iter().find(same);
            steps.push(same.ok_or_else(|| lost("the net does not do so without the observer"))?);
        }
        let ending = match failure.text.filter(|_| !failure.by_step) {
            Some(text) => {
                let text = one_line(self.checked.sources.text(text));
                Ending::Decided(text, failure.opposite)
            }
            None => Ending::Open,
        };
        let end: &Configuration = steps.last().map_or(&begin, |step| &step.target);
        self.last.replace(Some(end.clone()));
        let count = steps.len();
        let told = unfolded.told().or(self.told);
        let run = (&begin, steps, &followed.domains);
        let (net, begin, steps, ending) = told_of(told, &unfolded.net, run, ending)
            .ok_or_else(|| lost("the run is none of the whole net"))?;
        let teller = simulate::Teller::new(self.checked, net, self.name);
        let trace: Trace = teller.trace((&begin, &steps), ending);
        let reason = match is_at_first(&trace, &self.formula.says) {
            true => Reason::FalseAtFirst,
            false => Reason::OneRun { steps: count, round: 0, shows: false },
        };
        let evidence = Evidence::Run(Box::new(trace));
        Ok(Outcome { evidence, ..Outcome::new(Verdict::Refuted, reason) })
    }
}

/// What stands before an invariant that speaks of an observer.
const OBSERVER: &str = "/// No item of the model: `observer` goes along with the formula, and stands at what it expects next.\n";

fn settled(outcome: Result<Outcome, Reason>) -> Outcome {
    outcome.unwrap_or_else(Outcome::unknown)
}

/// The variables of a problem, by which a text names them.
fn variables(problem: &Problem<'_>) -> Vec<VarId> {
    let each = problem.components.iter().flat_map(|component| {
        let locations = component.locations.iter().copied();
        locations.chain(component.variables.iter().map(|(var, _)| *var))
    });
    each.collect()
}

impl<'a> OfCheck<'a> {
    fn new(
        checked: &Checked,
        (check, instance): (&'a CheckDef, &Instance),
        options: &ModelOptions,
    ) -> Result<Option<OfCheck<'a>>, Reason> {
        let unfolded = Unfolded::of(checked, (check, instance), options)?;
        let observed = Observed::new(&unfolded.net, &unfolded.formula);
        Ok(observed.map(|observed| OfCheck { check, unfolded, observed }))
    }

    /// Whether the open automaton of the net can have few states only.
    fn is_small(&self) -> bool {
        combinations(&self.unfolded.net) <= MOST_COMBINATIONS
    }

    fn problem(&self) -> Result<Problem<'_>, Reason> {
        let Observed { net, claim, .. } = &self.observed;
        let problem = Problem::new(net, Bad::Fails(claim)).map_err(engines::too_large)?;
        if safety::axioms_contradict(&problem) {
            return Err(Reason::AxiomsContradict);
        }
        Ok(problem)
    }

    fn asked<'s>(
        &'s self,
        (checked, options): (&'s Checked, &'s ModelOptions),
        name: &'s str,
    ) -> engines::Asked<'s> {
        engines::Asked { checked, check: self.check, options, net: &self.observed.net, name }
    }
}

/// What a proof by an invariant of a net and its observer rests on, made anew from the model and the text of the invariant.
pub(super) fn remade(
    checked: &Checked,
    (check, instance): (&CheckDef, &Instance),
    (file, text): (&FixpointsFile, &str),
    options: &ModelOptions,
) -> Result<Remade, NoCertificate> {
    let none = || NoCertificate::Fixpoints("the formula has no observer".to_owned());
    let of = OfCheck::new(checked, (check, instance), options)?.ok_or_else(none)?;
    let problem = of.problem()?;
    let mut terms = problem.terms.clone();
    let algebra = &of.observed.net.algebra;
    let conjuncts = written::read_invariant(file, (algebra, &mut terms), &variables(&problem));
    let invariant = Invariant { conjuncts: conjuncts.map_err(NoCertificate::Fixpoints)?, terms };
    let name = checked.sources.text(instance.span);
    let scripts = of.asked((checked, options), name).scripts(&problem, &invariant);
    let net = format!("{:#}\n", emit::json(&of.observed.net, None));
    Ok(Remade::of_observed(net, text.to_owned(), scripts))
}
