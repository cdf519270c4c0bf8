//! What holes have to do with a verdict: what they did in a run that refutes a claim, what they can do to variables that a
//! property speaks of, and what freedom from deadlocks means for whatever fills them.

use super::ModelOptions;
use super::engines::{self, Asked};
use super::idle::within;
use crate::algebra::{Term, VarId};
use crate::base::{Budget, Spent, Watch};
use crate::emit::{self, Scope, label};
use crate::model::Checked;
use crate::outcome::{Data, Evidence, HoleAction, Note, Outcome, Reason, Trace, Verdict};
use crate::pnet::{HoleId, PNet};
use crate::safety::{Bad, Bounded, Engine, Found, Interaction, Problem};
use crate::sema::program::{CheckDef, CheckKind};
use crate::simulate::{self, Teller};
use crate::smt::Limits;

/// Longer runs are not tried to find where only silent steps of holes are left.
const DEEPEST: usize = 12;

/// How long the solver may think about one of them.
const PATIENCE: Limits = Limits { milliseconds: 2_000 };

/// How often making the safety problem once more may look at its budget.
const LITTLE: u64 = 20_000;

/// No more actions of holes than these are told.
const MOST: usize = 4;

/// What is to be known about the holes of a net, once a check of it is answered.
pub(super) fn notes(
    checked: &Checked,
    check: &CheckDef,
    outcome: &Outcome,
    options: &ModelOptions,
    watch: &dyn Watch,
) -> Vec<Note> {
    let mut found = Vec::new();
    let claimed = if check.negated { outcome.verdict.opposite() } else { outcome.verdict };
    let looked = engines::with_net(checked, check, options, |asked| {
        if !asked.net.holes.is_empty() {
            found = match (check.kind, claimed) {
                (kind, Verdict::Refuted) if kind.is_always() => did(&outcome.evidence),
                (kind, Verdict::Unknown) if kind.is_always() => asked.gives(watch),
                (CheckKind::DeadlockFree, Verdict::Proved) => asked.kept_going(watch),
                _ => Vec::new(),
            };
        }
        Outcome::unknown(Reason::Incomplete)
    });
    if looked.is_err() { Vec::new() } else { found }
}

// ---- what a hole did ----

/// The last thing that each hole did in a run, but for silent steps.
fn did(evidence: &Evidence) -> Vec<Note> {
    let Evidence::Run(run) = evidence else { return Vec::new() };
    let last = |hole: &String| last_of(run, hole);
    let does: Vec<HoleAction> = run.holes.iter().filter_map(last).take(MOST).collect();
    if does.is_empty() { Vec::new() } else { vec![Note::HolesDid { does }] }
}

fn last_of(run: &Trace, hole: &str) -> Option<HoleAction> {
    let steps = run.steps.iter().enumerate().rev();
    let mut all = steps.flat_map(|(number, step)| step.holes.iter().map(move |did| (number, did)));
    let (number, did) =
        all.find(|(_, did)| did.what == hole && !is_silent(did.value.data.as_ref()))?;
    Some(HoleAction { hole: hole.to_owned(), action: did.value.text.clone(), step: number + 1 })
}

fn is_silent(action: Option<&Data>) -> bool {
    match action {
        Some(Data::Action { action, .. }) => action == "tau",
        Some(Data::Sync { .. }) => true,
        _ => false,
    }
}

impl Asked<'_> {
    // ---- what a hole can do ----

    /// The variables of the property that a hole can give any value.
    fn gives(&self, watch: &dyn Watch) -> Vec<Note> {
        // Where the time was up, this little is still done; whoever stopped the work wants nothing more.
        let small = match watch.budget().spent() {
            None => watch.budget().part_of_work(LITTLE),
            Some(Spent::Time { .. }) => Budget::of_work(LITTLE),
            Some(_) => return Vec::new(),
        };
        let _here = small.enter();
        let Ok((problem, Some(property))) = self.problem() else { return Vec::new() };
        let asked = property.terms.free_vars(property.says);
        let mut found: Vec<Note> = Vec::new();
        for interaction in &problem.interactions {
            for (hole, action) in &interaction.holes {
                for var in given_by(&problem, interaction).filter(|var| asked.contains(var)) {
                    let note = Note::HoleGives {
                        hole: self.net.holes[*hole].path.clone(),
                        action: self.shown(&problem, *action),
                        variable: path_of(self.net, var),
                    };
                    if !found.contains(&note) && found.len() < MOST {
                        found.push(note);
                    }
                }
            }
        }
        found
    }

    fn shown(&self, problem: &Problem<'_>, action: crate::algebra::TermId) -> String {
        let names = emit::paths(self.net);
        let scope =
            Scope { algebra: &self.net.algebra, terms: &problem.terms, names: Some(&names) };
        label::term(scope, action)
    }

    // ---- what keeps a net going ----

    /// What freedom from deadlocks means where there are holes.
    fn kept_going(&self, watch: &dyn Watch) -> Vec<Note> {
        let mut notes = vec![Note::ForFillings];
        notes.extend(within(watch, |watch| self.only_silent(watch)).flatten());
        notes
    }

    /// Where nothing is left but silent steps of holes, if there is such a place nearby.
    fn only_silent(&self, watch: &dyn Watch) -> Option<Note> {
        let mut problem = Problem::new(self.net, Bad::Stuck).ok()?;
        problem.stuck_but(is_idle);
        let holes = holes_of(&problem);
        if holes.is_empty() {
            return None;
        }
        let bounded = Bounded { most_depth: DEEPEST, limits: PATIENCE };
        let Found::Unsafe(lead) = bounded.solve(&problem, watch).0 else { return None };
        let followed = simulate::follow_lead(&problem, &lead).ok()?;
        let teller = Teller::new(self.checked, self.net, self.name);
        let state = followed.path.last().map(|last| teller.state(last))?;
        let name = |hole: &HoleId| self.net.holes[*hole].path.clone();
        let holes = holes.iter().map(name).collect();
        Some(Note::OnlySilent { holes, state, steps: followed.steps.len() })
    }
}

/// Whether an interaction is nothing but silent actions of holes.
fn is_idle(problem: &Problem<'_>, interaction: &Interaction) -> bool {
    let silent = |action| matches!(problem.terms.get(action), Term::Tau | Term::Sync(_));
    interaction.participants.is_empty()
        && !interaction.holes.is_empty()
        && interaction.holes.iter().all(|(_, action)| silent(*action))
}

/// The holes that have silent steps of their own.
fn holes_of(problem: &Problem<'_>) -> Vec<HoleId> {
    let idle = problem.interactions.iter().filter(|one| is_idle(problem, one));
    let mut all: Vec<HoleId> = idle.flat_map(|one| one.holes.iter().map(|(id, _)| *id)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The variables that become, in an interaction, what somebody else chooses freely: nothing is asked of it.
fn given_by<'p>(
    problem: &'p Problem<'_>,
    interaction: &'p Interaction,
) -> impl Iterator<Item = VarId> + 'p {
    let ways = || interaction.participants.iter().flat_map(|one| one.ways.iter());
    let conditions = ways().flat_map(|way| way.conditions.iter()).chain(&interaction.guard);
    let asked: Vec<VarId> =
        conditions.flat_map(|&condition| problem.terms.free_vars(condition)).collect();
    let chosen = move |value: crate::algebra::TermId| match problem.terms.get(value) {
        Term::Var(var) => interaction.locals.contains(var) && !asked.contains(var),
        _ => false,
    };
    let updates = ways().flat_map(|way| way.updates.iter());
    updates.filter(move |(_, value)| chosen(*value)).map(|(var, _)| *var)
}

fn path_of(net: &PNet, var: VarId) -> String {
    emit::paths(net).get(&var).cloned().unwrap_or_else(|| net.terms.var(var).name.to_string())
}
