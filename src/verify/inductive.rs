//! Invariants of nets whose open automaton would be too large: whether one that is written proves a claim is asked of the
//! safety problem, interaction by interaction. Certificates are made in the same way.

use super::engines::Asked;
use super::refusal::NoCertificate;
use super::remake::Remade;
use crate::emit::{self, label};
use crate::outcome::{Fails, Found, Obligation, ObligationKind, Outcome, Reason, Status, Verdict};
use crate::safety::{self, InteractionId, Invariant, Obligations, Obliged, Problem, Unmet};
use crate::sema::program::{CheckKind, InvariantDef};
use crate::smt::{Expected, ScriptOptions};

impl Asked<'_> {
    /// Whether an invariant that is written proves the claim.
    pub(super) fn proved_by(&self, written: &InvariantDef) -> Outcome {
        let (problem, invariant) = match self.with_invariant(written) {
            Ok(both) => both,
            Err(why) => return Outcome::unknown(why),
        };
        if let Err(unmet) = safety::check(&problem, &invariant, super::engines::PATIENCE) {
            return self.broken((&problem, &invariant), written, &unmet);
        }
        let never = self.check.kind == CheckKind::Reaches;
        let verdict = if never { Verdict::Refuted } else { Verdict::Proved };
        let obligations = self.met(&problem);
        let reason = Reason::InvariantMeets { obligations: obligations.len(), never };
        let found = vec![Found(self.item_of(written))];
        let vacuous = self.excluded(&problem, &invariant);
        Outcome { obligations, found, vacuous, ..Outcome::new(verdict, reason) }
    }

    /// What the proof rests on, made anew.
    pub(super) fn remade_by(
        &self,
        written: &InvariantDef,
        meets: bool,
    ) -> Result<Remade, NoCertificate> {
        let (problem, invariant) = self.with_invariant(written)?;
        if meets && let Err(unmet) = safety::check(&problem, &invariant, super::engines::PATIENCE) {
            return Err(self.fails(&problem, written, &unmet).into());
        }
        let net = format!("{:#}\n", emit::json(self.net, None));
        let obligations = self.scripts(&problem, &invariant);
        Ok(Remade::of_net(net, self.item_of(written), obligations))
    }

    /// The obligations of an invariant, each with what it is about, as scripts.
    pub(super) fn scripts(
        &self,
        problem: &Problem<'_>,
        invariant: &Invariant,
    ) -> Vec<(String, String)> {
        let mut names = emit::paths(self.net);
        for component in &problem.components {
            for &var in &component.locations {
                names.insert(var, problem.terms.var(var).name.to_string());
            }
        }
        let options = ScriptOptions {
            comment: &[],
            open_world: problem.is_open_world(),
            names: None,
            expected: Some(Expected::Unsat),
        };
        let scripts = Obligations::of(problem, invariant).scripts(problem, &names, options);
        let told = |(obliged, script)| (self.told(problem, obliged), script);
        scripts.into_iter().map(told).collect()
    }

    /// The problem of the claim, and what the invariant says in its terms.
    fn with_invariant(&self, written: &InvariantDef) -> Result<(Problem<'_>, Invariant), Reason> {
        let mut problem = self.problem()?.0;
        let mut conjuncts = Vec::with_capacity(written.conditions.len());
        for condition in &written.conditions {
            let asked = (&condition.holds, written.locals.as_slice(), &[][..]);
            let terms = problem.terms.clone();
            let elaborate = &self.options.elaborate;
            let property = self
                .checked
                .property_in(terms, asked, self.net, elaborate)
                .map_err(|why| Reason::UnclearInvariant { why: why.to_string() })?;
            problem.terms = property.terms.clone();
            let owed = problem.about_locations(&property, property.owed);
            let says = problem.about_locations(&property, property.says);
            // A condition that reads what has no value does not hold.
            conjuncts.push(problem.terms.and([owed, says]));
        }
        let terms = problem.terms.clone();
        Ok((problem, Invariant { terms, conjuncts }))
    }

    /// The obligations of an invariant, all of them met.
    pub(super) fn met(&self, problem: &Problem<'_>) -> Vec<Obligation> {
        let kept = problem.interactions.ids().map(Obliged::Kept);
        let all = std::iter::once(Obliged::First).chain(kept).chain([Obliged::Excludes]);
        let met = |obliged| Obligation { about: self.kind(problem, obliged), status: Status::Met };
        all.map(met).collect()
    }

    fn kind(&self, problem: &Problem<'_>, obliged: Obliged) -> ObligationKind {
        match obliged {
            Obliged::First => ObligationKind::InvariantFirst,
            Obliged::Excludes => ObligationKind::InvariantExcludes,
            Obliged::Kept(id) => {
                ObligationKind::InvariantKeptBy { interaction: self.interaction(problem, id) }
            }
        }
    }

    fn told(&self, problem: &Problem<'_>, obliged: Obliged) -> String {
        emit::outcome::obligation(&self.kind(problem, obliged))
    }

    /// Who takes part in an interaction, and what it shows.
    fn interaction(&self, problem: &Problem<'_>, id: InteractionId) -> String {
        let interaction = &problem.interactions[id];
        let who = interaction.participants.iter();
        let who: Vec<&str> =
            who.map(|one| problem.components[one.component].path.as_str()).collect();
        let names = emit::paths(self.net);
        let scope =
            emit::Scope { algebra: &self.net.algebra, terms: &problem.terms, names: Some(&names) };
        let shown = label::term(scope, interaction.action);
        match who.as_slice() {
            [] | [""] => shown,
            who => format!("{shown} of {}", who.join(", ")),
        }
    }

    /// What an invariant that is written does not do, in short.
    pub(super) fn fails(
        &self,
        problem: &Problem<'_>,
        written: &InvariantDef,
        unmet: &Unmet,
    ) -> Reason {
        let condition = self.condition(written, unmet).map(|condition| condition.text);
        match unmet {
            Unmet::Unknown(why) => {
                let obligation = ObligationKind::InvariantExcludes;
                Reason::UnsureObligation { obligation, why: why.clone() }
            }
            Unmet::Initial(_) => Reason::InvariantFails { fails: Fails::First, condition },
            Unmet::Kept(id, _) => {
                Reason::InvariantBroken { condition, by: self.interaction(problem, *id) }
            }
            Unmet::Bad => Reason::InvariantFails { fails: self.claimed(), condition },
        }
    }

    /// The obligation that is not met.
    pub(super) fn unmet(&self, problem: &Problem<'_>, unmet: &Unmet) -> Option<Obligation> {
        let obliged = match unmet {
            Unmet::Unknown(_) => return None,
            Unmet::Initial(_) => Obliged::First,
            Unmet::Kept(id, _) => Obliged::Kept(*id),
            Unmet::Bad => Obliged::Excludes,
        };
        Some(Obligation { about: self.kind(problem, obliged), status: Status::Failed })
    }

    fn item_of(&self, written: &InvariantDef) -> String {
        let conditions = written.conditions.iter();
        let texts: Vec<String> = conditions
            .map(|condition| super::given::condition_text(self.checked, condition.span))
            .collect();
        emit::invariant_item("Found", self.name, &texts)
    }
}
