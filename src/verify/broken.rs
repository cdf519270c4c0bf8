//! Why an invariant that somebody wrote is no proof, shown: a configuration of the net in which it holds, and the step that
//! leads out of it. The solver finds it, and the plain interpreter makes the step; nobody says that the net can get there.

use itertools::Itertools;

use super::engines::{Asked, PATIENCE};
use super::{given, story};
use crate::explore::naive::Interpreter;
use crate::outcome::{Broken, BrokenCondition, Component, Evidence, Fails, Outcome, Reason};
use crate::safety::{self, ComponentId, Example, Invariant, Problem, Unmet};
use crate::sema::program::{CheckKind, InvariantDef};
use crate::simulate::{self, Followed, Teller};

/// Of so many components all are shown.
const FEW: usize = 6;

impl Asked<'_> {
    /// Why an invariant that is written is no proof: with values, where there are any.
    pub(super) fn broken(
        &self,
        (problem, invariant): (&Problem<'_>, &Invariant),
        written: &InvariantDef,
        unmet: &Unmet,
    ) -> Outcome {
        let named = self.fails(problem, written, unmet);
        let obligations = self.unmet(problem, unmet).into_iter().collect();
        let example = safety::example(problem, invariant, unmet, PATIENCE);
        let followed =
            example.and_then(|it| Some((simulate::follow_from(problem, &it.lead).ok()?, it)));
        let Some((followed, example)) = followed else {
            return Outcome { obligations, ..Outcome::unknown(named) };
        };
        let fails = self.how(unmet, &followed);
        let condition = self.condition(written, unmet);
        let about = self.spoken_of(problem, invariant, unmet);
        let teller = Teller::new(self.checked, self.net, self.name);
        let (components, resting) = shown((problem, &teller), &followed, &example, &about);
        let begin = &followed.path[0];
        let broken = Broken {
            invariant: written.named.name.to_string(),
            fails,
            condition: condition.clone(),
            with: teller.constants(begin),
            components,
            resting,
            begins: self.begins(&followed),
            step: followed.steps.first().map(|step| teller.step(begin, step)),
        };
        let condition = condition.map(|condition| condition.text);
        let reason = Reason::InvariantFails { fails, condition };
        let evidence = Evidence::Broken(Box::new(broken));
        Outcome { evidence, obligations, ..Outcome::unknown(reason) }
    }

    /// What an invariant does not do, once a configuration shows it.
    fn how(&self, unmet: &Unmet, followed: &Followed) -> Fails {
        match unmet {
            Unmet::Initial(_) => Fails::First,
            Unmet::Kept(..) => Fails::Kept,
            Unmet::Bad | Unmet::Unknown(_) if self.lacks_value(followed) => Fails::Value,
            Unmet::Bad | Unmet::Unknown(_) => self.claimed(),
        }
    }

    /// What an invariant must do about the claim.
    pub(super) fn claimed(&self) -> Fails {
        match self.check.kind {
            CheckKind::DeadlockFree => Fails::Deadlock,
            CheckKind::Reaches => Fails::Excludes,
            _ => Fails::Implies,
        }
    }

    /// Whether the property reads what has no value in a configuration.
    fn lacks_value(&self, followed: &Followed) -> bool {
        let Ok(Some(property)) = self.property() else { return false };
        let interpreter = Interpreter::new(self.net, followed.domains.clone());
        interpreter.holds(&followed.path[0], &property) == Ok(None)
    }

    /// Whether a configuration is one in which the net begins.
    fn begins(&self, followed: &Followed) -> bool {
        let interpreter = Interpreter::new(self.net, followed.domains.clone());
        interpreter.begins_at(&followed.path[0]) == Ok(true)
    }

    /// The components of which the condition speaks that is broken, or else the property.
    fn spoken_of(
        &self,
        problem: &Problem<'_>,
        invariant: &Invariant,
        unmet: &Unmet,
    ) -> Vec<ComponentId> {
        let term = match unmet {
            Unmet::Initial(place) | Unmet::Kept(_, place) => invariant.conjuncts.get(*place),
            // That nothing is possible speaks of all of them.
            _ => Some(&problem.bad).filter(|_| self.check.kind != CheckKind::DeadlockFree),
        };
        let owners = problem.owners();
        let vars = term.map(|&term| invariant.terms.free_vars(term)).unwrap_or_default();
        let about = vars.iter().filter_map(|var| owners.get(var).copied());
        let about: Vec<ComponentId> = about.sorted_unstable().dedup().collect();
        // What speaks of a whole family says nothing of one more than of another.
        if about.len() > FEW { Vec::new() } else { about }
    }

    /// The condition of an invariant that does not hold.
    pub(super) fn condition(
        &self,
        written: &InvariantDef,
        unmet: &Unmet,
    ) -> Option<BrokenCondition> {
        let (Unmet::Initial(place) | Unmet::Kept(_, place)) = unmet else { return None };
        let span = written.conditions.get(*place)?.span;
        let at = story::place(&self.checked.sources, &self.checked.root, span);
        Some(BrokenCondition { text: given::condition_text(self.checked, span), at })
    }
}

/// The components that are worth a look, and how many more there are: of many, those that are as they begin, do not move and
/// are not spoken of are left out.
fn shown(
    (problem, teller): (&Problem<'_>, &Teller<'_>),
    followed: &Followed,
    example: &Example,
    about: &[ComponentId],
) -> (Vec<Component>, usize) {
    let all = teller.components(&followed.path[0]);
    if all.len() <= FEW {
        return (all, 0);
    }
    let count = all.len();
    let moved = example.lead.steps.iter().flat_map(|step| {
        let participants = &problem.interactions[step.interaction].participants;
        participants.iter().map(|participant| participant.component)
    });
    let moved: Vec<ComponentId> = moved.collect();
    let matters = |id: &ComponentId| {
        !example.resting.contains(id) || moved.contains(id) || about.contains(id)
    };
    let both = problem.components.ids().zip(all);
    let kept: Vec<Component> = both.filter(|(id, _)| matters(id)).map(|(_, one)| one).collect();
    let resting = count - kept.len();
    (kept, resting)
}
