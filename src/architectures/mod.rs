//! Architectures as patterns: the second front door of `src/parametric/`.
//!
//! Input: a checked architecture, and what is asked of all its unfoldings. Output: a pattern with the same rules, and the goal.
//!
//! A component is made of its states and moves by `crate::moving`. What a vector or connector of a rule comes to depends on
//! who stands behind its names: for each choice there is a small net that does this alone, and what its interactions come to
//! are interactions of the rule by ports that only these components have. A component that is a net becomes one component for
//! each of its leaves, and a name one name for each leaf of anything that can stand behind it; where one lacks a leaf that
//! another has, somebody stands there who does nothing and may always rest.
//!
//! **Claim:** the unfoldings of the pattern are those of the architecture, tree by tree, and each step of an unfolding is one
//! of the pattern's. Priorities of the rules are left out: they take steps away, and only where another one is possible.

mod data;
mod goal;
mod picture;
mod types;

use std::collections::BTreeMap;
use std::sync::Arc;

use thiserror::Error;

pub use goal::NoGoal;
pub use picture::{ShownJoin, ShownName, ShownRule, ShownRules, rules_dot, shown_rules};

use self::types::{Kinds, Leaf};
use crate::algebra::{Evaluator, MOST_UNFOLDED};
use crate::base::budget::is_spent;
use crate::elaborate::Settings;
use crate::moving::{Moving, Space};
use crate::parametric::{
    InteractionMember, MadeComponent, NameFormula, NeverClaim, PatternGoal, PatternInteraction,
    PatternNameId, PatternPart, PatternRule, RuleHead, RuleHeadId, SystemPattern,
};
use crate::pnet::{PNet, leaves_of_parts};
use crate::safety::{Bad, Problem};
use crate::sema::program::{
    ArchitectureDef, ArchitectureId, CheckDef, JoinDef, NetId, NeverFormula, Program, RuleDef,
};

/// What is asked of all unfoldings.
#[derive(Clone, Copy, Debug)]
pub struct ArchitectureQuestion<'p> {
    /// The program.
    pub program: &'p Program,
    /// The architecture.
    pub architecture: ArchitectureId,
    /// The check.
    pub check: &'p CheckDef,
    /// Values for symbolic constants.
    pub set: &'p Settings,
}

/// An architecture as a pattern, with what is asked.
#[derive(Clone, Debug)]
pub struct AnyUnfolding {
    /// The pattern: its rules are those of the architecture, in their order.
    pub pattern: SystemPattern,
    /// What is bad.
    pub goal: PatternGoal,
    /// The variables that are forgotten.
    pub forgotten: Vec<String>,
}

/// Why there is no pattern.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum NoPattern {
    /// A component has too many states.
    #[error("a component has more than {} states", crate::parametric::MOST_STATES)]
    States,
    /// There are too many ways to move together.
    #[error("there are too many ways in which components can move together")]
    Ways,
    /// What is asked is too much.
    #[error(transparent)]
    Goal(#[from] NoGoal),
    /// The budget is spent.
    #[error("stopped")]
    Stopped,
}

/// The pattern of an architecture, with what is asked. `net` makes the net with a number.
pub fn any_unfolding<E>(
    question: ArchitectureQuestion<'_>,
    mut net: impl FnMut(NetId) -> Result<Arc<PNet>, E>,
) -> Result<Result<AnyUnfolding, NoPattern>, E> {
    let def = &question.program.architectures[question.architecture.index()];
    let mut nets: BTreeMap<u32, Arc<PNet>> = BTreeMap::new();
    let joins = def.rules.iter().flat_map(|rule| &rule.joins);
    let small = joins.flat_map(|join| join.nets.iter().map(|(_, net)| *net));
    for id in def.kinds.iter().filter_map(|kind| kind.net).chain(small) {
        nets.insert(id.0, net(id)?);
        if is_spent() {
            return Ok(Err(NoPattern::Stopped));
        }
    }
    Ok(Making::new(def, &nets).and_then(|making| making.finish(&question)))
}

/// A pattern in the making.
struct Making<'p> {
    def: &'p ArchitectureDef,
    nets: &'p BTreeMap<u32, Arc<PNet>>,
    kinds: Kinds,
    pattern: SystemPattern,
}

impl<'p> Making<'p> {
    fn new(
        def: &'p ArchitectureDef,
        nets: &'p BTreeMap<u32, Arc<PNet>>,
    ) -> Result<Making<'p>, NoPattern> {
        let mut pattern = SystemPattern::new(def.named.name.as_str());
        let kinds = Kinds::of(def, nets, &mut pattern)?;
        for head in &def.heads {
            let label = head.name.name.to_string();
            pattern.heads.push(RuleHead { label, parameters: 0 });
        }
        pattern.start = Some(RuleHeadId(0));
        Ok(Making { def, nets, kinds, pattern })
    }

    fn finish(mut self, question: &ArchitectureQuestion<'_>) -> Result<AnyUnfolding, NoPattern> {
        let def = self.def;
        for rule in &def.rules {
            let made = self.rule(rule)?;
            let parameters = self.names(rule).filter(|(name, _)| *name < rule.parameters).count();
            self.pattern.heads[RuleHeadId(rule.head as u32)].parameters = parameters;
            self.pattern.rules.push(made);
        }
        let goal = goal::goal(question, &self.kinds)?;
        let forgotten = self.kinds.forgotten();
        Ok(AnyUnfolding { pattern: self.pattern, goal, forgotten })
    }

    /// The names of a rule in the pattern: each with a leaf.
    fn names<'r>(&'r self, rule: &'r RuleDef) -> impl Iterator<Item = (usize, &'r Leaf)> {
        let each = rule.names.iter().enumerate();
        each.flat_map(|(at, name)| self.kinds.leaves[name.class].iter().map(move |leaf| (at, leaf)))
    }

    fn id(&self, rule: &RuleDef, name: usize, leaf: &str) -> Option<PatternNameId> {
        let at = self.names(rule).position(|(one, known)| (one, known.as_str()) == (name, leaf))?;
        Some(PatternNameId(at as u32))
    }

    fn rule(&mut self, rule: &RuleDef) -> Result<PatternRule, NoPattern> {
        let mut components = Vec::new();
        for made in &rule.made {
            let class = rule.names[made.name].class;
            for leaf in &self.kinds.leaves[class] {
                let of = self.kinds.type_of(made.kind, leaf);
                let name = self.id(rule, made.name, leaf).unwrap_or(PatternNameId(0));
                components.push(MadeComponent { name, of });
            }
        }
        let parts = rule.parts.iter().map(|part| PatternPart {
            head: RuleHeadId(part.head as u32),
            arguments: self.arguments(rule, &part.names),
        });
        let parts = parts.collect();
        let nevers = rule.nevers.iter().map(|claim| NeverClaim {
            label: claim.label.map_or_else(String::new, |label| label.name.to_string()),
            bad: self.formula(rule, &claim.bad),
        });
        let nevers = nevers.collect();
        let names = self.names(rule).map(|(name, leaf)| {
            crate::pnet::path_inside(rule.names[name].ident.name.as_str(), leaf)
        });
        let names = names.collect();
        let mut interactions = Vec::new();
        for join in &rule.joins {
            if join.nets.is_empty() && !join.names.is_empty() && self.can_stand(rule, join) {
                return Err(NoPattern::Ways);
            }
            for (choice, net) in &join.nets {
                self.interactions(rule, join, (choice, *net), &mut interactions)?;
            }
        }
        let head = RuleHeadId(rule.head as u32);
        Ok(PatternRule { head, names, components, interactions, parts, nevers, joins: Vec::new() })
    }

    /// The names that are passed to a part, leaf by leaf.
    fn arguments(&self, rule: &RuleDef, names: &[usize]) -> Vec<PatternNameId> {
        let mut arguments = Vec::new();
        for &name in names {
            let leaves = &self.kinds.leaves[rule.names[name].class];
            arguments.extend(leaves.iter().filter_map(|leaf| self.id(rule, name, leaf)));
        }
        arguments
    }

    /// Whether somebody can stand behind all names of a vector.
    fn can_stand(&self, rule: &RuleDef, join: &JoinDef) -> bool {
        join.names.iter().all(|&name| !self.def.classes[rule.names[name].class].is_empty())
    }

    /// What a vector comes to, where components of some kinds stand behind its names.
    fn interactions(
        &mut self,
        rule: &RuleDef,
        join: &JoinDef,
        (choice, net): (&[usize], NetId),
        found: &mut Vec<PatternInteraction>,
    ) -> Result<(), NoPattern> {
        let net = &self.nets[&net.0];
        let problem = Problem::new(net, Bad::Stuck).map_err(|_| NoPattern::Ways)?;
        let mut terms = problem.terms.clone();
        let mut spaces = Vec::new();
        for component in &problem.components {
            spaces.push(Space::of(net, &mut terms, component).ok_or(NoPattern::States)?);
        }
        let places = leaves_of_parts(net);
        let evaluator = Evaluator::new(&net.algebra, MOST_UNFOLDED);
        let mut moving =
            Moving { problem: &problem, terms: &mut terms, evaluator, spaces: &spaces };
        for interaction in &problem.interactions {
            let together = moving.together(interaction).ok_or(NoPattern::Ways)?;
            let label = types::label(net, interaction.action);
            let must = together.must.iter().map(|block| (block, false));
            for (block, may_only) in must.chain(together.may.iter().map(|block| (block, true))) {
                let mut members = Vec::with_capacity(block.len());
                for (participant, moves) in interaction.participants.iter().zip(block) {
                    let plts = problem.components[participant.component].plts;
                    let Some((part, leaf)) = places.get(&plts) else { return Err(NoPattern::Ways) };
                    let of = self.kinds.type_of(choice[*part], leaf);
                    let port = self.kinds.port(&mut self.pattern, of, moves);
                    let name = self.id(rule, join.names[*part], leaf).ok_or(NoPattern::Ways)?;
                    members.push(InteractionMember { name, port });
                }
                let label = label.clone();
                found.push(PatternInteraction { label, members, may_only });
            }
            if is_spent() {
                return Err(NoPattern::Stopped);
            }
        }
        Ok(())
    }

    fn formula(&self, rule: &RuleDef, formula: &NeverFormula) -> NameFormula {
        let all =
            |parts: &[NeverFormula]| parts.iter().map(|one| self.formula(rule, one)).collect();
        match formula {
            NeverFormula::Truth(true) => NameFormula::And(Vec::new()),
            NeverFormula::Truth(false) => NameFormula::Or(Vec::new()),
            NeverFormula::Not(one) => NameFormula::Not(Box::new(self.formula(rule, one))),
            NeverFormula::And(parts) => NameFormula::And(all(parts)),
            NeverFormula::Or(parts) => NameFormula::Or(all(parts)),
            NeverFormula::In(test) => {
                let path = test.path.iter();
                let leaf = path.fold(String::new(), |leaf, one| {
                    crate::pnet::path_inside(&leaf, one.name.as_str())
                });
                let class = rule.names[test.name].class;
                let Some(name) = self.id(rule, test.name, &leaf) else {
                    return NameFormula::Or(Vec::new());
                };
                let kinds = &self.def.classes[class];
                let states = self.kinds.states(kinds, &leaf, &test.states);
                NameFormula::In(name, states)
            }
        }
    }
}
