//! Checks about what one net can reach, answered by an engine of `safety`: by an invariant that meets its obligations, or a
//! run that the plain interpreter has made.

use super::{ModelOptions, failed, idle};
use crate::algebra::{Sort, Term, TermId, VarId, VariableKind, legible};
use crate::base::Watch;
use crate::diagnostics::{Diagnostic, Symbol};
use crate::emit::{self, Locations, Scope};
use crate::explore::naive::Interpreter;
use crate::explore::{Gap, Property};
use crate::model::{Checked, Wanted};
use crate::outcome::{
    Evidence, Found as FoundText, InvariantFound, Outcome, Reason, Statistics, Vacuity, Verdict,
};
use crate::pnet::PNet;
use crate::safety::{
    self, Bad, Bounded, Effort, Engine, Found, Invariant, Lead, Open, Problem, Reached, TooLarge,
    Unmet,
};
use crate::sema::program::{CheckDef, CheckKind};
use crate::simulate::{self, Ending, Followed, NotFollowed};
use crate::smt::Limits;
use rustc_hash::FxHashMap;

/// Who looks, and at what.
pub(super) struct Asked<'a> {
    pub checked: &'a Checked,
    pub check: &'a CheckDef,
    pub options: &'a ModelOptions,
    pub net: &'a PNet,
    pub name: &'a str,
}

/// Answers a check by one engine.
pub(super) fn check(
    checked: &Checked,
    check: &CheckDef,
    options: &ModelOptions,
    engine: &dyn Engine,
    watch: &dyn Watch,
) -> Result<Outcome, Vec<Diagnostic>> {
    with_net(checked, check, options, |asked| asked.answered(engine, watch))
}

/// Has the net of a check looked at.
pub(super) fn with_net(
    checked: &Checked,
    check: &CheckDef,
    options: &ModelOptions,
    look: impl FnOnce(&Asked<'_>) -> Outcome,
) -> Result<Outcome, Vec<Diagnostic>> {
    let [instance] = check.nets.as_slice() else {
        return Ok(Outcome::unknown(Reason::Incomplete));
    };
    let wanted = Wanted::Instance(check, instance);
    // Where there are too many interactions to unfold, the problem of the net says so.
    let net = match checked.unfolded(wanted, &options.elaborate) {
        Ok(net) => net,
        Err(_) => checked.net(wanted, &options.elaborate).map_err(failed)?,
    };
    let name = checked.sources.text(instance.span);
    Ok(look(&Asked { checked, check, options, net: &net, name }))
}

impl Asked<'_> {
    /// The safety problem of the check, and its property.
    pub(super) fn problem(&self) -> Result<(Problem<'_>, Option<Property>), Reason> {
        let property = self.property()?;
        let bad = match (&property, self.check.kind) {
            (None, _) => Bad::Stuck,
            (Some(property), CheckKind::Reaches) => Bad::Holds(property),
            (Some(property), _) => Bad::Fails(property),
        };
        let problem = Problem::new(self.net, bad).map_err(too_large)?;
        if safety::axioms_contradict(&problem) {
            return Err(Reason::AxiomsContradict);
        }
        Ok((problem, property))
    }

    fn answered(&self, engine: &dyn Engine, watch: &dyn Watch) -> Outcome {
        let (problem, property) = match self.problem() {
            Ok(both) => both,
            Err(reason) => return Outcome::unknown(reason),
        };
        let (found, effort) = match begins_badly(&problem, watch) {
            Some(lead) => (Found::Unsafe(Box::new(lead)), Effort::default()),
            None => engine.solve(&problem, watch),
        };
        let outcome = match found {
            Found::Open(why) => Outcome::unknown(left_open(why, engine)),
            Found::Safe(invariant) => self.safe(&problem, &invariant, (engine, watch)),
            Found::Unsafe(lead) => {
                let followed = simulate::follow_lead(&problem, &lead);
                self.reached(&problem, followed, property.as_ref(), (engine, watch))
            }
            Found::Reached(run) => {
                let followed = followed(&problem, *run);
                self.reached(&problem, followed, property.as_ref(), (engine, watch))
            }
        };
        Outcome { statistics: statistics(&problem, effort), ..outcome }
    }

    /// The property of the check; nothing where it is about deadlocks.
    pub(super) fn property(&self) -> Result<Option<Property>, Reason> {
        if self.check.kind == CheckKind::DeadlockFree {
            return Ok(None);
        }
        let Some(expr) = &self.check.property else { return Err(Reason::Incomplete) };
        let asked = (expr, self.check.locals.as_slice(), &[][..]);
        let property = self.checked.property(asked, self.net, &self.options.elaborate);
        let unclear =
            |why: crate::model::UnclearProperty| Reason::UnclearProperty { why: why.to_string() };
        property.map(Some).map_err(unclear)
    }

    /// Nothing bad is reached, once the obligations of the invariant are met.
    fn safe(
        &self,
        problem: &Problem<'_>,
        found: &Invariant,
        (engine, watch): (&dyn Engine, &dyn Watch),
    ) -> Outcome {
        let invariant = match confirmed(problem, found, watch) {
            Ok(invariant) => invariant,
            Err(unmet) => return Outcome::unknown(unconfirmed(&unmet, engine)),
        };
        let never = self.check.kind == CheckKind::Reaches;
        let verdict = if never { Verdict::Refuted } else { Verdict::Proved };
        let engine = engine.name().to_owned();
        let (item, conditions) = self.item(problem, &invariant);
        let reason = Reason::InvariantFound { engine, conditions, never };
        let evidence =
            Evidence::Invariant(InvariantFound { net: self.name.to_owned(), item: item.clone() });
        let (found, obligations) = (vec![FoundText(item)], self.met(problem));
        let vacuous = self.excluded(problem, &invariant);
        Outcome { evidence, found, obligations, vacuous, ..Outcome::new(verdict, reason) }
    }

    /// The premises of the property that an invariant excludes, so that the proof says nothing about them.
    pub(super) fn excluded(&self, problem: &Problem<'_>, invariant: &Invariant) -> Vec<Vacuity> {
        let excluded = |premise: &idle::Premise| {
            let asked = (&premise.holds, self.check.locals.as_slice(), &[][..]);
            let (terms, options) = (invariant.terms.clone(), &self.options.elaborate);
            let Ok(property) = self.checked.property_in(terms, asked, self.net, options) else {
                return false;
            };
            let mut problem = problem.clone();
            problem.terms = property.terms.clone();
            let (owed, says) = (property.owed, property.says);
            let owed = problem.about_locations(&property, owed);
            let says = problem.about_locations(&property, says);
            let not = problem.terms.not(owed);
            problem.bad = problem.terms.or([not, says]);
            let invariant = Invariant { terms: problem.terms.clone(), ..invariant.clone() };
            safety::excludes(&problem, &invariant, Limits::default()).is_ok()
        };
        let all = idle::outermost(self.check, excluded);
        all.iter().map(|premise| premise.never(self.checked, self.check)).collect()
    }

    /// Something bad is reached, once the plain interpreter has made the run.
    fn reached(
        &self,
        problem: &Problem<'_>,
        followed: Result<Followed, NotFollowed>,
        property: Option<&Property>,
        (engine, watch): (&dyn Engine, &dyn Watch),
    ) -> Outcome {
        let followed = match followed {
            Ok(followed) => followed,
            Err(why) => return Outcome::unknown(Reason::NotReplayed { why: why.to_string() }),
        };
        let steps = followed.steps.len();
        let (verdict, reason, ending) = match property {
            None => match self.stuck_at_end(&followed) {
                Ok(true) => (Verdict::Refuted, Reason::Deadlock { steps }, Ending::Deadlock),
                Ok(false) => return Outcome::unknown(Reason::MaybeStuck { steps }),
                Err(gap) => {
                    return Outcome::unknown(Reason::NotReplayed { why: gap.to_string() });
                }
            },
            Some(property) => {
                let wanted = self.check.kind == CheckKind::Reaches;
                match self.holds_at_end(&followed, property) {
                    Ok(Some(holds)) if holds == wanted => {
                        if let Some(why) = self.undefined(problem, property, (engine, watch)) {
                            return Outcome::unknown(why);
                        }
                        let told = match wanted {
                            true => (Verdict::Proved, Reason::PropertyReached { steps }),
                            false => (Verdict::Refuted, Reason::PropertyFails { steps }),
                        };
                        (told.0, told.1, Ending::Property(Some(wanted), None))
                    }
                    Ok(None) => {
                        let reason = Reason::PropertyWithoutValue { steps };
                        (Verdict::Unknown, reason, Ending::Property(None, None))
                    }
                    Ok(Some(_)) => {
                        let why = "the property is not so at the end of the run".to_owned();
                        return Outcome::unknown(Reason::NotReplayed { why });
                    }
                    Err(gap) => {
                        let why = gap.to_string();
                        return Outcome::unknown(Reason::NotReplayed { why });
                    }
                }
            }
        };
        let run = (&followed.path[0], followed.steps.as_slice());
        let told = simulate::tell(self.checked, (self.net, self.name), run, ending);
        Outcome { evidence: Evidence::Run(Box::new(told)), ..Outcome::new(verdict, reason) }
    }

    /// Whether nothing is possible at the end of a run, for all values, and not all components are in final states.
    fn stuck_at_end(&self, followed: &Followed) -> Result<bool, Gap> {
        let interpreter = Interpreter::new(self.net, followed.domains.clone());
        let Some(last) = followed.path.last() else { return Ok(false) };
        let steps = interpreter.steps(last)?;
        Ok(steps.steps.is_empty() && !steps.limited && !interpreter.is_final(last))
    }

    fn holds_at_end(&self, followed: &Followed, property: &Property) -> Result<Option<bool>, Gap> {
        let interpreter = Interpreter::new(self.net, followed.domains.clone());
        followed.path.last().map_or(Ok(None), |last| interpreter.holds(last, property))
    }

    /// Why nothing can be said although a run was found: the property may have no value somewhere else.
    fn undefined(
        &self,
        problem: &Problem<'_>,
        property: &Property,
        (engine, watch): (&dyn Engine, &dyn Watch),
    ) -> Option<Reason> {
        if property.terms.as_bool(property.owed) == Some(true) {
            return None;
        }
        let mut problem = problem.clone();
        let owed = problem.about_locations(property, property.owed);
        problem.bad = problem.terms.not(owed);
        match engine.solve(&problem, watch).0 {
            Found::Safe(invariant) => match safety::check(&problem, &invariant, PATIENCE) {
                Ok(()) => None,
                Err(unmet) => Some(unconfirmed(&unmet, engine)),
            },
            Found::Unsafe(lead) => Some(Reason::PropertyWithoutValue { steps: lead.steps.len() }),
            Found::Reached(run) => {
                Some(Reason::PropertyWithoutValue { steps: run.path.len().saturating_sub(1) })
            }
            Found::Open(why) => Some(left_open(why, engine)),
        }
    }

    /// An invariant as an item of the model, and how many conditions that has.
    pub(super) fn item(&self, problem: &Problem<'_>, invariant: &Invariant) -> (String, usize) {
        let mut terms = invariant.terms.clone();
        let mut at = Vec::new();
        let mut values: FxHashMap<VarId, TermId> = FxHashMap::default();
        for component in &problem.components {
            // Of who can be in one location only, nothing need be said.
            if let [only] = component.locations.as_slice() {
                values.insert(*only, terms.bool(true));
                continue;
            }
            let var = terms.new_var(Symbol::new("at"), Sort::Int, VariableKind::State);
            at.push((var, component.plts));
            for (location, &is_there) in component.locations.enumerated() {
                let (var, number) = (terms.var_term(var), terms.int(location.index()));
                values.insert(is_there, terms.raw(Term::Equal(var, number)));
            }
        }
        let mut said = |&one: &TermId| {
            let placed = terms.substitute(one, &values);
            legible(&mut terms, placed)
        };
        let said: Vec<TermId> = invariant.conjuncts.iter().map(&mut said).collect();
        let says_much = |one: &TermId| terms.as_bool(*one) != Some(true);
        let conditions: Vec<TermId> = said.into_iter().filter(says_much).collect();
        let algebra = &self.net.algebra;
        let names = emit::paths(self.net);
        let scope = Scope { algebra, terms: &terms, names: Some(&names) };
        let declared = super::relation::names_in(self.checked, self.check.module, algebra);
        let locations = Locations::of(self.net, at);
        let named = ("Found", self.name);
        let item = emit::invariant(scope, &declared, &locations, named, &conditions);
        (item, conditions.len())
    }
}

/// An invariant that meets its obligations, in few words; in the words in which it was found, where the solver prefers them.
pub(super) fn confirmed(
    problem: &Problem<'_>,
    found: &Invariant,
    watch: &dyn Watch,
) -> Result<Invariant, Unmet> {
    let share = watch.budget().share_of_time(WORDS);
    let short = {
        let _here = share.enter();
        safety::shorter(problem, found)
    };
    match safety::check(problem, &short, PATIENCE) {
        Ok(()) => Ok(short),
        Err(_) => safety::check(problem, found, PATIENCE).map(|()| found.clone()),
    }
}

/// One of so many shares of the time that is left goes into saying an invariant in fewer words.
const WORDS: u32 = 10;

/// Where the net already begins with what is bad: then no engine has to look, and all say the same.
pub(super) fn begins_badly(problem: &Problem<'_>, watch: &dyn Watch) -> Option<Lead> {
    let at_first = Bounded { most_depth: 0, limits: Limits::default() };
    match at_first.solve(problem, watch).0 {
        Found::Unsafe(lead) => Some(*lead),
        _ => None,
    }
}

/// How long the solver may think about an obligation.
pub(super) const PATIENCE: Limits = Limits { milliseconds: 60_000 };

/// A run made again by the plain interpreter.
pub(super) fn followed(problem: &Problem<'_>, run: Reached) -> Result<Followed, NotFollowed> {
    let Reached { path, domains } = run;
    let steps = simulate::follow(&Interpreter::new(problem.net, domains.clone()), &path)?;
    Ok(Followed { path, steps, domains })
}

pub(super) fn too_large(why: TooLarge) -> Reason {
    match why {
        TooLarge::Stopped => Reason::Stopped,
        TooLarge::Interactions => Reason::TooManyInteractions,
    }
}

pub(super) fn left_open(why: Open, engine: &dyn Engine) -> Reason {
    match why {
        Open::Stopped => Reason::Stopped,
        Open::Solver(why) => Reason::solver(why),
        Open::GaveUp => Reason::GaveUp { engine: engine.name().to_owned(), depth: None },
        Open::Depth(depth) => {
            Reason::GaveUp { engine: engine.name().to_owned(), depth: Some(depth) }
        }
    }
}

/// An engine was wrong, or the solver does not know.
pub(super) fn unconfirmed(unmet: &Unmet, engine: &dyn Engine) -> Reason {
    let why = match unmet {
        Unmet::Unknown(why) => Some(why.clone()),
        Unmet::Initial(_) | Unmet::Kept(..) | Unmet::Bad => None,
    };
    Reason::InvariantUnconfirmed { engine: engine.name().to_owned(), why }
}

pub(super) fn statistics(problem: &Problem<'_>, effort: Effort) -> Statistics {
    let locations = problem.components.iter().map(|component| component.locations.len());
    Statistics {
        states: locations.sum(),
        transitions: problem.interactions.len(),
        queries: effort.queries,
        nodes: effort.nodes,
        predicates: effort.predicates,
        refinements: effort.refinements,
    }
}
