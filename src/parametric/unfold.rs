//! Unfoldings: the finite trees of rules of a pattern, in order, and the systems that they are.
//!
//! The order is that of the number of components, then of the rules in the text, outermost first.

use itertools::Itertools;

use super::meeting::all_differ;
use super::pattern::{
    ComponentTypeId, Meeting, MeetingId, MeetingSlot, NameFormula, PatternNameId, PatternPortId,
    PatternRuleId, SystemPattern,
};
use super::profile::{NameOrigin, Profiles, VariantId, VariantNameId, VariantRuleId};
use crate::base::{Budget, IndexVec};
use crate::tagged_id;

tagged_id!(
    /// A tree of rules, among others.
    TreeId
);

tagged_id!(
    /// A node of an unfolding: the root is the first, and parts come after what they are parts of.
    UnfoldingNodeId
);

/// An unfolding, or a part of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unfolding {
    /// The nodes, from the root on, outermost first.
    pub nodes: IndexVec<UnfoldingNodeId, UnfoldingNode>,
}

/// A node of an unfolding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnfoldingNode {
    /// The rule.
    pub rule: VariantRuleId,
    /// What it is a part of.
    pub whole: Option<UnfoldingNodeId>,
    /// Its parts.
    pub parts: Vec<UnfoldingNodeId>,
}

/// Trees of rules that share their parts.
#[derive(Clone, Default, Debug)]
pub struct Forest {
    trees: IndexVec<TreeId, Tree>,
}

#[derive(Clone, Debug)]
struct Tree {
    rule: VariantRuleId,
    parts: Vec<TreeId>,
}

/// The unfoldings of a pattern, found size by size.
#[derive(Debug)]
pub struct Unfoldings<'p> {
    profiles: &'p Profiles,
    forest: Forest,
    /// By size, then by variant: the trees with so many components, in order, and the rules of each.
    sizes: Vec<IndexVec<VariantId, Vec<Ordered>>>,
    /// Whether some were left out: there were too many, or rules that make nothing go on for ever.
    complete: bool,
    most: usize,
}

#[derive(Clone, Debug)]
struct Ordered {
    rules: Vec<PatternRuleId>,
    tree: TreeId,
}

impl Forest {
    /// A tree more.
    pub fn push(&mut self, rule: VariantRuleId, parts: Vec<TreeId>) -> TreeId {
        self.trees.push(Tree { rule, parts })
    }

    /// A tree by itself.
    pub fn unfolding(&self, tree: TreeId) -> Unfolding {
        let mut nodes: IndexVec<UnfoldingNodeId, UnfoldingNode> = IndexVec::default();
        let mut open = vec![(tree, None)];
        while let Some((tree, whole)) = open.pop() {
            let Tree { rule, parts } = &self.trees[tree];
            let node = nodes.push(UnfoldingNode { rule: *rule, whole, parts: Vec::new() });
            if let Some(whole) = whole {
                nodes[whole].parts.push(node);
            }
            open.extend(parts.iter().rev().map(|&part| (part, Some(node))));
        }
        Unfolding { nodes }
    }
}

impl<'p> Unfoldings<'p> {
    /// The unfoldings; at most so many trees of each variant and size are looked at.
    pub fn new(profiles: &'p Profiles, most: usize) -> Unfoldings<'p> {
        let (forest, sizes) = (Forest::default(), Vec::new());
        Unfoldings { profiles, forest, sizes, complete: true, most }
    }

    /// Whether all unfoldings of the sizes asked for so far were found.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// The unfoldings with so many components, in order.
    pub fn of_size(&mut self, components: usize, budget: &Budget) -> Vec<Unfolding> {
        while self.sizes.len() <= components {
            self.next_size(budget);
        }
        let Some(start) = self.profiles.start else { return Vec::new() };
        let found = &self.sizes[components][start];
        found.iter().map(|one| self.forest.unfolding(one.tree)).collect()
    }

    /// Finds the trees that are one component larger. Rules that make nothing and have one part that is not empty are as
    /// large as this part: so it goes round, at most as often as there are variants.
    fn next_size(&mut self, budget: &Budget) {
        let size = self.sizes.len();
        self.sizes.push(IndexVec::of(self.profiles.variants.len(), Vec::new()));
        for _ in 0..=self.profiles.variants.len() {
            let found: Vec<(VariantId, Vec<Ordered>)> = self
                .profiles
                .variants
                .ids()
                .map(|variant| (variant, self.trees(variant, size, budget)))
                .collect();
            let same = found.iter().all(|(id, all)| all.len() == self.sizes[size][*id].len());
            for (variant, all) in found {
                self.sizes[size][variant] = all;
            }
            if same || budget.is_spent() {
                return;
            }
        }
        self.complete = false;
    }

    /// The trees of a variant with so many components, of the parts that are known.
    fn trees(&mut self, variant: VariantId, size: usize, budget: &Budget) -> Vec<Ordered> {
        let mut found = Vec::new();
        for &rule in &self.profiles.variants[variant].rules {
            let own = self.profiles.rules[rule].components.len();
            let parts = self.profiles.rules[rule].parts.len();
            let Some(rest) = size.checked_sub(own) else { continue };
            for sizes in shares(rest, parts) {
                self.with_parts(rule, &sizes, &mut found, budget);
            }
        }
        found.sort_by(|one, other| one.rules.cmp(&other.rules));
        found
    }

    /// The trees of a rule whose parts are so large.
    fn with_parts(
        &mut self,
        rule: VariantRuleId,
        sizes: &[usize],
        found: &mut Vec<Ordered>,
        budget: &Budget,
    ) {
        let text = &self.profiles.rules[rule];
        let each = text.parts.iter().zip(sizes);
        let each = each.map(|(part, &size)| self.sizes[size][part.of].clone());
        let choices: Box<dyn Iterator<Item = Vec<Ordered>>> = match sizes.is_empty() {
            true => Box::new(std::iter::once(Vec::new())),
            false => Box::new(each.multi_cartesian_product()),
        };
        for parts in choices {
            if found.len() >= self.most || budget.is_spent() {
                self.complete = false;
                return;
            }
            let below = parts.iter().flat_map(|part| &part.rules).copied();
            let rules = std::iter::once(text.rule).chain(below).collect();
            let parts = parts.iter().map(|part| part.tree).collect();
            found.push(Ordered { rules, tree: self.forest.push(rule, parts) });
        }
    }
}

/// The ways to share out a number.
fn shares(total: usize, among: usize) -> Vec<Vec<usize>> {
    if among == 0 {
        return if total == 0 { vec![Vec::new()] } else { Vec::new() };
    }
    let mut all = vec![Vec::new()];
    for place in 0..among {
        let mut next = Vec::new();
        for share in all {
            let left = total - share.iter().sum::<usize>();
            let from = if place + 1 == among { left } else { 0 };
            next.extend((from..=left).map(|one| share.iter().copied().chain([one]).collect()));
        }
        all = next;
    }
    all
}

/// The system that an unfolding is.
#[derive(Clone, Debug)]
pub struct PatternInstance {
    /// The components, outermost first.
    pub components: Vec<InstanceComponent>,
    /// The interactions.
    pub interactions: Vec<InstanceInteraction>,
    /// The claims of rules.
    pub claims: Vec<InstanceClaim>,
    /// Whether there are more interactions: meetings of any members have very many.
    pub has_more: bool,
}

/// A component of an instance.
#[derive(Clone, Debug)]
pub struct InstanceComponent {
    /// Of which type.
    pub of: ComponentTypeId,
    /// Where it is made, and its place among the components of the rule.
    pub made: (UnfoldingNodeId, usize),
    /// The rules on the way to where it is made, and its name there: `Ring/Chain/Chain.x`.
    pub path: String,
    /// Its name, with a number: `x1`.
    pub short: String,
}

/// An interaction of an instance.
#[derive(Clone, Debug)]
pub struct InstanceInteraction {
    /// What people call it.
    pub label: String,
    /// The rule that it is in, and its place there; of meetings, the first rule and no place.
    pub from: (UnfoldingNodeId, usize),
    /// Who moves, by the place among the components, and by which port.
    pub members: Vec<(usize, PatternPortId)>,
    /// Whether it never counts as enabled.
    pub may_only: bool,
}

/// A claim of a rule, in an instance.
#[derive(Clone, Debug)]
pub struct InstanceClaim {
    /// What people call it.
    pub label: String,
    /// What never is.
    pub bad: NameFormula,
    /// The component of each name.
    pub names: IndexVec<PatternNameId, usize>,
}

impl PatternInstance {
    /// The system that an unfolding is.
    pub fn of(pattern: &SystemPattern, profiles: &Profiles, unfolding: &Unfolding) -> Self {
        let mut instance = PatternInstance {
            components: components(pattern, profiles, unfolding),
            interactions: Vec::new(),
            claims: Vec::new(),
            has_more: false,
        };
        let owners = owners(profiles, unfolding);
        for (at, node) in unfolding.nodes.enumerated() {
            let rule = &profiles.rules[node.rule];
            let text = &pattern.rules[rule.rule];
            let own = &owners[at];
            instance.interactions.extend(rule.interactions.iter().map(|one| InstanceInteraction {
                label: text.interactions[one.place].label.clone(),
                from: (at, one.place),
                members: one.members.iter().map(|who| (own[who.name], who.port)).collect(),
                may_only: one.may_only,
            }));
            instance.claims.extend(text.nevers.iter().map(|claim| InstanceClaim {
                label: claim.label.clone(),
                bad: claim.bad.clone(),
                names: rule.names.iter().map(|&name| own[name]).collect(),
            }));
        }
        for (id, meeting) in pattern.meetings.enumerated() {
            let joined = joined(profiles, unfolding, &owners, id);
            instance.meet(meeting, &joined);
        }
        instance
    }
}

/// Components that join a slot of a meeting: which slot, which unit, and who, by which ports.
type Joined = (usize, (UnfoldingNodeId, usize), Vec<(usize, PatternPortId)>);

/// More interactions of an instance by meetings are not written down.
const MOST_MEETINGS: usize = 20_000;

/// Who joins a meeting.
fn joined(
    profiles: &Profiles,
    unfolding: &Unfolding,
    owners: &IndexVec<UnfoldingNodeId, IndexVec<VariantNameId, usize>>,
    meeting: MeetingId,
) -> Vec<Joined> {
    let mut all = Vec::new();
    for (at, node) in unfolding.nodes.enumerated() {
        let joins = profiles.rules[node.rule].joins.iter().filter(|join| join.meeting == meeting);
        all.extend(joins.map(|join| {
            let who = join.members.iter().map(|who| (owners[at][who.name], who.port)).collect();
            (join.slot, (at, join.unit), who)
        }));
    }
    all
}

impl PatternInstance {
    /// Writes down the interactions of a meeting, one by one.
    fn meet(&mut self, meeting: &Meeting, joined: &[Joined]) {
        let of = |slot: usize| joined.iter().filter(move |join| join.0 == slot).collect_vec();
        let mut chosen: Vec<Vec<&Joined>> = vec![Vec::new()];
        for (slot, _) in meeting.slots.iter().enumerate().filter(|(_, kind)| is_one(kind)) {
            let more = of(slot);
            let both = chosen.iter().cartesian_product(&more);
            chosen =
                both.map(|(chosen, one)| chosen.iter().chain([one]).copied().collect()).collect();
        }
        for chosen in chosen {
            let apart = |join: &&&Joined| meeting.slots[join.0] == MeetingSlot::One { apart: true };
            if !all_differ(chosen.iter().filter(apart).map(|join| join.1)) {
                continue;
            }
            let is_in = |join: &&Joined| match meeting.slots[join.0] {
                MeetingSlot::All { but } => {
                    !chosen.iter().any(|one| Some(one.0) == but && one.1 == join.1)
                }
                _ => false,
            };
            let all = joined.iter().filter(is_in).chain(chosen.iter().copied());
            let members: Vec<(usize, PatternPortId)> =
                all.flat_map(|join| join.2.clone()).collect();
            let any = joined.iter().filter(|join| meeting.slots[join.0] == MeetingSlot::Any);
            let any: Vec<&Joined> = any.collect();
            if any.len() > MOST_MEETINGS.ilog2() as usize {
                self.has_more = true;
                continue;
            }
            for more in any.into_iter().powerset() {
                let more = more.into_iter().flat_map(|join| join.2.clone());
                let members: Vec<_> = members.iter().copied().chain(more).collect();
                self.add_meeting(meeting, members);
            }
        }
    }

    /// Adds an interaction, if nobody is in it twice.
    fn add_meeting(&mut self, meeting: &Meeting, members: Vec<(usize, PatternPortId)>) {
        if !all_differ(members.iter().map(|(who, _)| who)) {
            return;
        }
        if self.interactions.len() > MOST_MEETINGS {
            self.has_more = true;
            return;
        }
        let from = (UnfoldingNodeId(0), usize::MAX);
        let (label, may_only) = (meeting.label.clone(), meeting.may_only);
        self.interactions.push(InstanceInteraction { label, from, members, may_only });
    }
}

fn is_one(slot: &MeetingSlot) -> bool {
    matches!(slot, MeetingSlot::One { .. })
}

fn components(
    pattern: &SystemPattern,
    profiles: &Profiles,
    unfolding: &Unfolding,
) -> Vec<InstanceComponent> {
    let mut paths: IndexVec<UnfoldingNodeId, String> = IndexVec::default();
    let mut made = Vec::new();
    let mut numbers = std::collections::BTreeMap::new();
    for (at, node) in unfolding.nodes.enumerated() {
        let rule = &profiles.rules[node.rule];
        let text = &pattern.rules[rule.rule];
        let head = &pattern.heads[text.head].label;
        let path = node.whole.map_or(head.clone(), |whole| {
            let among = &unfolding.nodes[whole].parts;
            let place = among.iter().position(|&part| part == at).unwrap_or(0);
            let number = if among.len() > 1 { format!("[{place}]") } else { String::new() };
            format!("{}/{head}{number}", paths[whole])
        });
        for (place, one) in text.components.iter().enumerate() {
            let name = &text.names[one.name];
            let number = numbers.entry(name.clone()).or_insert(0);
            *number += 1;
            let (path, short) = (format!("{path}.{name}"), format!("{name}{number}"));
            made.push(InstanceComponent { of: one.of, made: (at, place), path, short });
        }
        paths.push(path);
    }
    made
}

/// The component of each name of each node: first what is made inside, then what comes from outside.
fn owners(
    profiles: &Profiles,
    unfolding: &Unfolding,
) -> IndexVec<UnfoldingNodeId, IndexVec<VariantNameId, usize>> {
    let mut first = 0;
    let mut owners: IndexVec<UnfoldingNodeId, IndexVec<VariantNameId, usize>> = IndexVec::default();
    for node in &unfolding.nodes {
        let rule = &profiles.rules[node.rule];
        let own = rule.origins.iter().map(|origin| match origin {
            NameOrigin::Made(place) => first + place,
            _ => usize::MAX,
        });
        owners.push(own.collect());
        first += rule.components.len();
    }
    for (at, node) in unfolding.nodes.enumerated().rev() {
        for (name, origin) in profiles.rules[node.rule].origins.enumerated() {
            if let NameOrigin::Part(part, parameter) = *origin {
                owners[at][name] = owners[node.parts[part]][VariantNameId(parameter as u32)];
            }
        }
    }
    for (at, node) in unfolding.nodes.enumerated() {
        for (part, &below) in profiles.rules[node.rule].parts.iter().zip(&node.parts) {
            for (parameter, &name) in part.arguments.iter().enumerate() {
                owners[below][VariantNameId(parameter as u32)] = owners[at][name];
            }
        }
    }
    owners
}
