//! Profiles: which parameters of a rule get their component inside, and which are the same component.
//!
//! A head becomes *variants*, one for each profile that occurs, so that in a variant it is known of every name where its
//! component is made: here, in one of the parts, or outside. Two names of a variant are two components. (Proposition 1
//! of Bozga, Iosif and Sifakis on verification of component-based systems with recursive architectures, with one thing more:
//! `Seats(p, p)` passes one component by two names, and an interaction of the two never happens.)

use std::collections::BTreeSet;

use indexmap::IndexSet;
use itertools::Itertools;
use rustc_hash::FxHashMap;

use super::pattern::{
    ComponentTypeId, InteractionMember, MeetingId, PatternJoin, PatternNameId, PatternRule,
    PatternRuleId, RuleHeadId, SystemPattern,
};
use super::report::{PatternReport, report};
use crate::base::{Budget, Id, IndexVec, Spent};
use crate::tagged_id;

tagged_id!(
    /// A variant of a head.
    VariantId
);

tagged_id!(
    /// A rule of a variant.
    VariantRuleId
);

tagged_id!(
    /// A name of a rule of a variant: the parameters come first.
    VariantNameId
);

tagged_id!(
    /// A head, with which of its parameters are the same component.
    ContextId
);

/// A head with a profile.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The head.
    pub head: RuleHeadId,
    /// For each parameter of the head, which parameter of the variant it is: those that are the same component are one.
    pub same: Vec<usize>,
    /// For each parameter of the variant, whether its component is made inside.
    pub inside: Vec<bool>,
    /// Its rules, in the order of the text.
    pub rules: Vec<VariantRuleId>,
}

/// A rule of a variant.
#[derive(Clone, Debug)]
pub struct VariantRule {
    /// Of which.
    pub of: VariantId,
    /// The rule that it comes from.
    pub rule: PatternRuleId,
    /// The name that each name of the rule is.
    pub names: IndexVec<PatternNameId, VariantNameId>,
    /// Where the component of each name is made.
    pub origins: IndexVec<VariantNameId, NameOrigin>,
    /// The components that are made here, in the order of the rule.
    pub components: Vec<(VariantNameId, ComponentTypeId)>,
    /// The interactions that can happen.
    pub interactions: Vec<VariantInteraction>,
    /// The parts, in the order of the rule.
    pub parts: Vec<VariantPart>,
    /// Who joins meetings.
    pub joins: Vec<VariantJoin>,
}

/// Components made by a rule of a variant that join a slot of a meeting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VariantJoin {
    /// The meeting.
    pub meeting: MeetingId,
    /// The slot.
    pub slot: usize,
    /// Which of the many they are, of those that the rule makes.
    pub unit: usize,
    /// Who.
    pub members: Vec<VariantMember>,
}

/// An interaction of a variant: its members are different components.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VariantInteraction {
    /// Its place in the rule.
    pub place: usize,
    /// Its members.
    pub members: Vec<VariantMember>,
    /// Whether it never counts as enabled.
    pub may_only: bool,
}

/// A member of an interaction of a variant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VariantMember {
    /// Who.
    pub name: VariantNameId,
    /// By which port.
    pub port: super::pattern::PatternPortId,
}

/// A part of a rule of a variant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VariantPart {
    /// What it is.
    pub of: VariantId,
    /// The names that are passed, by the parameters of the variant.
    pub arguments: Vec<VariantNameId>,
}

/// Where the component of a name is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NameOrigin {
    /// Here: the place among the components of the rule.
    Made(usize),
    /// In a part: which, and which of its parameters it is.
    Part(usize, usize),
    /// Outside: which parameter it is.
    Outer(usize),
}

/// The variants of a pattern.
#[derive(Clone, Default, Debug)]
pub struct Profiles {
    /// The variants that unfoldings are made of.
    pub variants: IndexVec<VariantId, Variant>,
    /// Their rules.
    pub rules: IndexVec<VariantRuleId, VariantRule>,
    /// Where unfoldings begin, if there are any.
    pub start: Option<VariantId>,
    /// What is strange about the pattern.
    pub report: PatternReport,
}

/// A head in a context: some of its parameters are the same component.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Context {
    pub(super) head: RuleHeadId,
    pub(super) same: Vec<usize>,
}

/// A rule in a context.
#[derive(Clone, Debug)]
pub(super) struct RuleInContext {
    pub(super) rule: PatternRuleId,
    pub(super) names: IndexVec<PatternNameId, VariantNameId>,
    /// How many names are parameters, and how many there are.
    pub(super) parameters: usize,
    pub(super) count: usize,
    pub(super) parts: Vec<(ContextId, Vec<VariantNameId>)>,
}

/// All contexts that occur.
#[derive(Clone, Default, Debug)]
pub(super) struct Contexts {
    pub(super) all: IndexVec<ContextId, Context>,
    pub(super) rules: IndexVec<ContextId, Vec<RuleInContext>>,
    known: FxHashMap<Context, ContextId>,
}

/// How often each parameter gets a component: a number for each, 2 for more than one.
pub(super) type Counts = Vec<u8>;

/// What contexts can give.
pub(super) type KnownCounts = IndexVec<ContextId, BTreeSet<Counts>>;

/// The profiles of a pattern that passes [`SystemPattern::check`].
pub fn profiles(pattern: &SystemPattern, budget: &Budget) -> Result<Profiles, Spent> {
    let Some(start) = pattern.start else { return Ok(Profiles::default()) };
    let contexts = Contexts::from(pattern, start);
    let proper = all_counts(pattern, &contexts, true, budget);
    let any = all_counts(pattern, &contexts, false, budget);
    let mut making = Making::new(pattern, &contexts, &proper);
    making.run(budget);
    let mut done = making.done;
    done.report = report(pattern, &contexts, &any, &done);
    budget.spent().map_or(Ok(done), Err)
}

impl Contexts {
    fn from(pattern: &SystemPattern, start: RuleHeadId) -> Contexts {
        let mut contexts = Contexts::default();
        contexts.intern(Context { head: start, same: Vec::new() });
        while contexts.rules.len() < contexts.all.len() {
            let context = contexts.all[ContextId::at(contexts.rules.len())].clone();
            let own = pattern.rules.enumerated().filter(|(_, rule)| rule.head == context.head);
            let rules = own.map(|(id, rule)| contexts.rule(id, rule, &context)).collect();
            contexts.rules.push(rules);
        }
        contexts
    }

    fn intern(&mut self, context: Context) -> ContextId {
        if let Some(&known) = self.known.get(&context) {
            return known;
        }
        let id = self.all.push(context.clone());
        self.known.insert(context, id);
        id
    }

    fn rule(&mut self, id: PatternRuleId, rule: &PatternRule, context: &Context) -> RuleInContext {
        let parameters = context.same.iter().max().map_or(0, |last| last + 1);
        let same = context.same.iter().map(|&class| VariantNameId::at(class));
        let new = rule.names.len().saturating_sub(context.same.len());
        let new = (0..new).map(|place| VariantNameId::at(parameters + place));
        let names: IndexVec<PatternNameId, VariantNameId> = same.chain(new).collect();
        let mut parts = Vec::new();
        for part in &rule.parts {
            let passed: Vec<VariantNameId> =
                part.arguments.iter().map(|&name| names[name]).collect();
            let mut classes: IndexSet<VariantNameId> = IndexSet::new();
            let same = passed.iter().map(|&name| classes.insert_full(name).0).collect();
            let context = self.intern(Context { head: part.head, same });
            parts.push((context, classes.into_iter().collect()));
        }
        let count = parameters + names.len() - context.same.len();
        RuleInContext { rule: id, names, parameters, count, parts }
    }
}

impl RuleInContext {
    /// What the parts can give: all combinations of one for each.
    pub(super) fn choices<'k>(&self, known: &'k KnownCounts) -> Vec<Vec<&'k Counts>> {
        let each = self.parts.iter().map(|(context, _)| known[*context].iter());
        match self.parts.is_empty() {
            true => vec![Vec::new()],
            false => each.multi_cartesian_product().collect(),
        }
    }

    /// Whether each new name gets one component, and no parameter two.
    pub(super) fn is_proper(&self, counts: &[u8]) -> bool {
        let (parameters, new) = counts.split_at(self.parameters);
        parameters.iter().all(|&count| count < 2) && new.iter().all(|&count| count == 1)
    }

    /// How often each name gets a component, where the parts give these.
    pub(super) fn counts(&self, pattern: &SystemPattern, parts: &[&Counts]) -> Counts {
        let mut counts = vec![0u8; self.count];
        for made in &pattern.rules[self.rule].components {
            counts[self.names[made.name].index()] += 1;
        }
        for ((_, passed), given) in self.parts.iter().zip(parts) {
            for (name, more) in passed.iter().zip(*given) {
                counts[name.index()] += more;
            }
        }
        counts.into_iter().map(|count| count.min(2)).collect()
    }
}

/// What each context can give its parameters: where `proper`, by unfoldings in which no name gets two components, and each
/// new name one.
fn all_counts(
    pattern: &SystemPattern,
    contexts: &Contexts,
    proper: bool,
    budget: &Budget,
) -> KnownCounts {
    let mut known: KnownCounts = IndexVec::of(contexts.all.len(), BTreeSet::new());
    loop {
        let mut found = Vec::new();
        for (context, rules) in contexts.rules.enumerated() {
            for rule in rules {
                for choice in rule.choices(&known) {
                    let counts = rule.counts(pattern, &choice);
                    if !budget.is_spent() && (!proper || rule.is_proper(&counts)) {
                        found.push((context, counts[..rule.parameters].to_vec()));
                    }
                }
            }
        }
        let new = found.into_iter().filter(|(at, one)| known[*at].insert(one.clone())).count();
        if new == 0 || budget.is_spent() {
            return known;
        }
    }
}

/// Makes the variants that the start needs, from above.
struct Making<'p> {
    pattern: &'p SystemPattern,
    contexts: &'p Contexts,
    counts: &'p KnownCounts,
    known: FxHashMap<(ContextId, Counts), VariantId>,
    wanted: Vec<(ContextId, Counts)>,
    done: Profiles,
}

impl<'p> Making<'p> {
    fn new(pattern: &'p SystemPattern, contexts: &'p Contexts, counts: &'p KnownCounts) -> Self {
        let (known, wanted, done) = (FxHashMap::default(), Vec::new(), Profiles::default());
        Making { pattern, contexts, counts, known, wanted, done }
    }

    fn run(&mut self, budget: &Budget) {
        let start = ContextId::at(0);
        if !self.counts[start].contains(&Vec::new()) {
            return;
        }
        self.done.start = Some(self.variant(start, &Vec::new()));
        let mut next = 0;
        while next < self.wanted.len() && !budget.is_spent() {
            let (context, inside) = self.wanted[next].clone();
            for rule in &self.contexts.rules[context] {
                self.rules(VariantId::at(next), rule, &inside, budget);
            }
            next += 1;
        }
    }

    /// The variant of a context with a profile.
    fn variant(&mut self, context: ContextId, inside: &Counts) -> VariantId {
        let key = (context, inside.clone());
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let Context { head, same } = self.contexts.all[context].clone();
        let inside = inside.iter().map(|&count| count == 1).collect();
        let id = self.done.variants.push(Variant { head, same, inside, rules: Vec::new() });
        self.known.insert(key.clone(), id);
        self.wanted.push(key);
        id
    }

    /// The rules of a variant that one rule comes to: one for each profile of its parts.
    fn rules(&mut self, of: VariantId, rule: &RuleInContext, inside: &Counts, budget: &Budget) {
        for choice in rule.choices(self.counts) {
            let counts = rule.counts(self.pattern, &choice);
            let fits = rule.is_proper(&counts) && counts[..rule.parameters] == inside[..];
            if budget.is_spent() || !fits {
                continue;
            }
            let made = self.rule(of, rule, &choice);
            let id = self.done.rules.push(made);
            self.done.variants[of].rules.push(id);
        }
    }

    fn rule(&mut self, of: VariantId, rule: &RuleInContext, choice: &[&Counts]) -> VariantRule {
        let text = &self.pattern.rules[rule.rule];
        let components: Vec<_> =
            text.components.iter().map(|made| (rule.names[made.name], made.of)).collect();
        let mut origins: IndexVec<VariantNameId, NameOrigin> =
            (0..rule.count).map(NameOrigin::Outer).collect();
        for (place, (name, _)) in components.iter().enumerate() {
            origins[*name] = NameOrigin::Made(place);
        }
        let mut parts = Vec::new();
        for (place, ((context, passed), given)) in rule.parts.iter().zip(choice).enumerate() {
            for (at, _) in given.iter().enumerate().filter(|(_, count)| **count == 1) {
                origins[passed[at]] = NameOrigin::Part(place, at);
            }
            parts
                .push(VariantPart { of: self.variant(*context, given), arguments: passed.clone() });
        }
        let (names, interactions) = (rule.names.clone(), interactions(text, &rule.names));
        let join = |join: &PatternJoin| VariantJoin {
            meeting: join.meeting,
            slot: join.slot,
            unit: join.unit,
            members: join.members.iter().map(|one| member(one, &names)).collect(),
        };
        let joins = text.joins.iter().map(join).collect();
        VariantRule { of, rule: rule.rule, names, origins, components, interactions, parts, joins }
    }
}

fn member(
    one: &InteractionMember,
    names: &IndexVec<PatternNameId, VariantNameId>,
) -> VariantMember {
    VariantMember { name: names[one.name], port: one.port }
}

/// The interactions whose members are different components.
fn interactions(
    rule: &PatternRule,
    names: &IndexVec<PatternNameId, VariantNameId>,
) -> Vec<VariantInteraction> {
    let all = rule.interactions.iter().enumerate().map(|(place, one)| VariantInteraction {
        place,
        members: one.members.iter().map(|one| member(one, names)).collect(),
        may_only: one.may_only,
    });
    let differ = |one: &VariantInteraction| {
        one.members.iter().map(|member| member.name).collect::<BTreeSet<_>>().len()
            == one.members.len()
    };
    all.filter(differ).collect()
}
