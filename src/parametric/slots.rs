//! Slots: which facts about its parameters a variant tells those around it, or demands of them.
//!
//! Nobody needs paths through an unfolding: a name carries its facts along the edges that pass it, and what is said about
//! several names is looked at in the rule that says it, where all of them are known. A *fact* is a number that whoever asks
//! has a meaning for: a port, or a set of states.

use std::collections::BTreeSet;

use super::profile::{
    NameOrigin, Profiles, VariantId, VariantNameId, VariantPart, VariantRule, VariantRuleId,
};
use crate::base::{Id, IndexVec};

/// A fact about something.
pub type Fact = u32;

/// A fact about a parameter of a variant. Those made inside *tell* it, of others it is *demanded*.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FactSlot {
    /// The parameter.
    pub parameter: usize,
    /// The fact.
    pub fact: Fact,
    /// Whether the component is made inside.
    pub inside: bool,
}

/// The facts that a rule has to do with, and where they come from and go to.
#[derive(Clone, Default, Debug)]
pub struct RuleFacts {
    /// A cell for each fact about a name, in order.
    pub cells: Vec<(VariantNameId, Fact)>,
    /// For each slot of each part, its cell.
    pub parts: Vec<Vec<usize>>,
    /// For each slot of the variant, its cell.
    pub own: Vec<usize>,
}

impl RuleFacts {
    /// The cell of a fact about a name.
    pub fn cell(&self, name: VariantNameId, fact: Fact) -> usize {
        self.cells.binary_search(&(name, fact)).unwrap_or(usize::MAX)
    }

    /// The cells of a name.
    pub fn of(&self, name: VariantNameId) -> std::ops::Range<usize> {
        let from = self.cells.partition_point(|(one, _)| *one < name);
        from..self.cells.partition_point(|(one, _)| *one <= name)
    }
}

/// The slots of variants, and the facts of rules.
#[derive(Clone, Default, Debug)]
pub struct Slots {
    /// The slots of each variant, in order.
    pub of: IndexVec<VariantId, Vec<FactSlot>>,
    /// The facts of each rule.
    pub rules: IndexVec<VariantRuleId, RuleFacts>,
}

type Needed = IndexVec<VariantId, BTreeSet<(usize, Fact)>>;

/// The slots, where each rule looks at these facts about its names.
pub fn slots(
    profiles: &Profiles,
    looks: &IndexVec<VariantRuleId, Vec<(VariantNameId, Fact)>>,
) -> Slots {
    let below = needed_below(profiles, looks);
    let above = needed_above(profiles, looks, &below);
    let of: IndexVec<VariantId, Vec<FactSlot>> = profiles
        .variants
        .enumerated()
        .map(|(id, variant)| {
            let all = below[id].iter().chain(&above[id]);
            let slot = |&(parameter, fact): &(usize, Fact)| FactSlot {
                parameter,
                fact,
                inside: variant.inside[parameter],
            };
            BTreeSet::from_iter(all.map(slot)).into_iter().collect()
        })
        .collect();
    let rules = profiles.rules.enumerated();
    let rules = rules.map(|(id, rule)| rule_facts(rule, &looks[id], &of)).collect();
    Slots { of, rules }
}

/// What a part has to do with a name: the parameters that it is, with whether it is made inside.
fn passed(
    profiles: &Profiles,
    part: &VariantPart,
    name: VariantNameId,
    inside: bool,
) -> impl Iterator<Item = usize> {
    let variant = &profiles.variants[part.of];
    let places = part.arguments.iter().enumerate().filter(move |(_, one)| **one == name);
    places.map(|(place, _)| place).filter(move |&place| variant.inside[place] == inside)
}

/// Facts about outer parameters that are looked at below.
fn needed_below(
    profiles: &Profiles,
    looks: &IndexVec<VariantRuleId, Vec<(VariantNameId, Fact)>>,
) -> Needed {
    let mut needed: Needed = IndexVec::of(profiles.variants.len(), BTreeSet::new());
    loop {
        let mut found = Vec::new();
        for (id, rule) in profiles.rules.enumerated() {
            let outer = |name: VariantNameId| match rule.origins[name] {
                NameOrigin::Outer(parameter) => Some(parameter),
                _ => None,
            };
            let own = looks[id].iter().map(|(name, fact)| (outer(*name), *fact));
            found.extend(own.map(|(name, fact)| (rule.of, name, fact)));
            for part in &rule.parts {
                let below = needed[part.of].iter();
                found.extend(below.map(|(at, fact)| (rule.of, outer(part.arguments[*at]), *fact)));
            }
        }
        let is_new = |(of, name, fact): (VariantId, Option<usize>, Fact)| {
            name.is_some_and(|parameter| needed[of].insert((parameter, fact)))
        };
        if found.into_iter().map(is_new).filter(|new| *new).count() == 0 {
            return needed;
        }
    }
}

/// Facts about inner parameters that are looked at above, or in another part.
fn needed_above(
    profiles: &Profiles,
    looks: &IndexVec<VariantRuleId, Vec<(VariantNameId, Fact)>>,
    below: &Needed,
) -> Needed {
    let mut needed: Needed = IndexVec::of(profiles.variants.len(), BTreeSet::new());
    loop {
        let mut found: Vec<(VariantId, usize, Fact)> = Vec::new();
        for (id, rule) in profiles.rules.enumerated() {
            for (name, fact) in wanted(rule, &looks[id], below, &needed[rule.of]) {
                for part in &rule.parts {
                    let places = passed(profiles, part, name, true);
                    found.extend(places.map(|place| (part.of, place, fact)));
                }
            }
        }
        let is_new = |(of, place, fact)| needed[of].insert((place, fact));
        if found.into_iter().map(is_new).filter(|new| *new).count() == 0 {
            return needed;
        }
    }
}

/// The facts about names that a rule looks at, that its parts demand, or that are told above.
fn wanted(
    rule: &VariantRule,
    looks: &[(VariantNameId, Fact)],
    below: &Needed,
    above: &BTreeSet<(usize, Fact)>,
) -> BTreeSet<(VariantNameId, Fact)> {
    let parts = rule.parts.iter();
    let demanded =
        parts.flat_map(|part| below[part.of].iter().map(|(at, fact)| (part.arguments[*at], *fact)));
    let told = above.iter().map(|(at, fact)| (VariantNameId::at(*at), *fact));
    looks.iter().copied().chain(demanded).chain(told).collect()
}

fn rule_facts(
    rule: &VariantRule,
    looks: &[(VariantNameId, Fact)],
    of: &IndexVec<VariantId, Vec<FactSlot>>,
) -> RuleFacts {
    let own: Vec<_> =
        of[rule.of].iter().map(|slot| (VariantNameId::at(slot.parameter), slot.fact)).collect();
    let part = |part: &VariantPart| -> Vec<_> {
        of[part.of].iter().map(|slot| (part.arguments[slot.parameter], slot.fact)).collect()
    };
    let parts: Vec<Vec<_>> = rule.parts.iter().map(part).collect();
    let all = own.iter().chain(parts.iter().flatten()).chain(looks);
    let cells: Vec<_> = BTreeSet::from_iter(all.copied()).into_iter().collect();
    let mut facts = RuleFacts { cells, parts: Vec::new(), own: Vec::new() };
    let cells = |all: &[(VariantNameId, Fact)]| -> Vec<usize> {
        all.iter().map(|(name, fact)| facts.cell(*name, *fact)).collect()
    };
    let (parts, own) = (parts.iter().map(|part| cells(part)).collect(), cells(&own));
    (facts.parts, facts.own) = (parts, own);
    facts
}

/// Where a component is made: the rule, and the place among its components.
pub type Maker = (VariantRuleId, usize);

/// Who can make the components behind the names of each rule.
pub type Makers = IndexVec<VariantRuleId, IndexVec<VariantNameId, BTreeSet<Maker>>>;

/// Who can make the components behind the names of each rule.
pub fn makers(profiles: &Profiles) -> Makers {
    let rules = profiles.rules.iter();
    let mut behind: Makers =
        rules.map(|rule| IndexVec::of(rule.origins.len(), BTreeSet::new())).collect();
    loop {
        let mut found = Vec::new();
        for (id, rule) in profiles.rules.enumerated() {
            let own = rule.components.iter().enumerate();
            found.extend(own.map(|(place, (name, _))| (id, *name, (id, place))));
            for part in &rule.parts {
                for &below in &profiles.variants[part.of].rules {
                    found.extend(exchanged(profiles, &behind, id, part, below));
                }
            }
        }
        let is_new = |(id, name, maker): (VariantRuleId, VariantNameId, Maker)| {
            behind[id][name].insert(maker)
        };
        if found.into_iter().map(is_new).filter(|new| *new).count() == 0 {
            return behind;
        }
    }
}

/// What a rule and a rule of one of its parts tell each other about who makes what.
fn exchanged(
    profiles: &Profiles,
    behind: &Makers,
    above: VariantRuleId,
    part: &VariantPart,
    below: VariantRuleId,
) -> Vec<(VariantRuleId, VariantNameId, Maker)> {
    let inside = &profiles.variants[part.of].inside;
    let each = part.arguments.iter().enumerate().flat_map(|(place, &name)| {
        let parameter = VariantNameId::at(place);
        let (from, to) = match inside[place] {
            true => ((below, parameter), (above, name)),
            false => ((above, name), (below, parameter)),
        };
        behind[from.0][from.1].iter().map(move |&maker| (to.0, to.1, maker))
    });
    each.collect()
}

/// Goes through all choices of one for each level, where level `l` has `counts[l]`. `visit(Some((level, choice)))` makes one,
/// and says whether it is possible with those made before; `visit(None)` is told that all are made.
pub fn each_choice(counts: &[usize], mut visit: impl FnMut(Option<(usize, usize)>) -> bool) {
    let mut chosen = vec![0; counts.len() + 1];
    let mut level = 0;
    loop {
        if level < counts.len() && chosen[level] < counts[level] {
            match visit(Some((level, chosen[level]))) {
                true => level += 1,
                false => chosen[level] += 1,
            }
            continue;
        }
        if level == counts.len() {
            visit(None);
        }
        chosen[level] = 0;
        if level == 0 {
            return;
        }
        level -= 1;
        chosen[level] += 1;
    }
}
