//! Profiles and unfoldings, against trees of rules that are put together without any: by names alone.

use std::collections::BTreeSet;

use pnetc::base::Budget;
use pnetc::parametric::search::{Searched, search};
use pnetc::parametric::{
    PatternGoal, PatternInstance, PatternNameId, PatternRuleId, RuleHeadId, SystemPattern,
    Unfolding, Unfoldings, profiles,
};

use crate::common::Random;
use crate::common::patterns::random::random;
use crate::common::patterns::{known, pattern};
use crate::common::seeds::{fuzz, seeds};

/// The instances of a pattern with so many components.
fn instances(pattern: &SystemPattern, components: usize) -> Vec<PatternInstance> {
    let budget = Budget::default();
    let profiles = profiles(pattern, &budget).unwrap();
    let mut unfoldings = Unfoldings::new(&profiles, 10_000);
    let found = unfoldings.of_size(components, &budget);
    found.iter().map(|one| PatternInstance::of(pattern, &profiles, one)).collect()
}

fn sizes(pattern: &SystemPattern, up_to: usize) -> Vec<usize> {
    (0..=up_to).map(|size| instances(pattern, size).len()).collect()
}

#[test]
fn sizes_are_those_of_the_models() {
    assert_eq!(sizes(&known::ring(), 5), [0, 0, 1, 1, 1, 1]);
    assert_eq!(sizes(&known::star(), 4), [0, 0, 1, 1, 1]);
    assert_eq!(sizes(&known::table(false), 7), [0, 0, 0, 0, 1, 0, 1, 0]);
    assert_eq!(sizes(&known::tree_dfs(), 8), [0, 0, 1, 0, 1, 0, 2, 0, 5]);
    assert_eq!(sizes(&known::tree_linked_leaves(), 9), [0, 0, 0, 0, 0, 1, 0, 0, 0, 1]);
}

#[test]
fn components_have_paths_and_numbers() {
    let ring = known::ring();
    let instance = &instances(&ring, 3)[0];
    let paths: Vec<&str> = instance.components.iter().map(|one| one.path.as_str()).collect();
    assert_eq!(paths, ["Ring/Chain.x", "Ring/Chain/Chain.x", "Ring/Chain/Chain.y"]);
    let short: Vec<&str> = instance.components.iter().map(|one| one.short.as_str()).collect();
    assert_eq!(short, ["x1", "x2", "y1"]);
    let members: Vec<Vec<usize>> = instance
        .interactions
        .iter()
        .map(|one| one.members.iter().map(|(who, _)| *who).collect())
        .collect();
    assert_eq!(members, [vec![2, 0], vec![0, 1], vec![1, 2]]);
}

#[test]
fn symmetric_philosophers_are_stuck_after_two_steps() {
    let table = known::table(false);
    let instance = &instances(&table, 4)[0];
    let found = search(&table, instance, &PatternGoal::deadlock(), 1000, &Budget::default());
    let Searched::Bad(run) = found else { panic!("{found:?}") };
    assert_eq!(run.steps.len(), 2);
}

#[test]
fn one_component_by_two_names_takes_part_once() {
    // `p` and `q` of `Pair` are one component: they never meet.
    let text = |passed: &str| {
        format!(
            "component A *s p s, s q s; rule Start; x = A; y = A; Pair {passed}; rule Pair a b; p a, q b"
        )
    };
    let different = pattern(&text("x y"));
    let same = pattern(&text("x x"));
    assert_eq!(instances(&different, 2)[0].interactions.len(), 1);
    assert_eq!(instances(&same, 2)[0].interactions.len(), 0);
    let report = profiles(&same, &Budget::default()).unwrap().report;
    assert_eq!(report.impossible, [(PatternRuleId(1), 0)]);
}

#[test]
fn what_is_strange_is_reported() {
    let report = |text: &str| profiles(&pattern(text), &Budget::default()).unwrap().report;
    let endless = report("component A *s p s; rule Start; x = A; More x; rule More x; p x; More x");
    assert_eq!(endless.endless.len(), 2);
    assert_eq!(endless.unused.len(), 2);
    let none = report("component A *s p s; rule Start; x = A; p x, p y");
    assert!(none.counts.len() == 1 && none.counts[0].never(), "{none:?}");
    let two = report("component A *s p s; rule Start; x = A; Own x; rule Own x; x = A");
    assert!(two.counts.len() == 1 && two.counts[0].always_two(), "{two:?}");
    assert_eq!(two.counts[0].places.len(), 2);
    let some = report("component A *s p s; rule Start; One x; rule One x; x = A; rule One x; p x");
    assert!(some.counts.len() == 1 && some.counts[0].leaves_out(), "{some:?}");
    assert_eq!(some.unused, [PatternRuleId(2)]);
    let fine = profiles(&known::table(true), &Budget::default()).unwrap().report;
    assert_eq!(fine, Default::default());
}

// ---- trees of rules, by names alone ----

/// A tree of rules that need not be an unfolding.
#[derive(Clone)]
struct Plain {
    rule: PatternRuleId,
    parts: Vec<Plain>,
}

/// All trees of rules of a head with at most so many components, so deep; nothing if there are too many.
fn plain(
    pattern: &SystemPattern,
    head: RuleHeadId,
    most: usize,
    depth: usize,
) -> Option<Vec<Plain>> {
    let mut all = Vec::new();
    for (id, rule) in pattern.rules.enumerated().filter(|(_, rule)| rule.head == head) {
        let own = rule.components.len();
        if own > most || depth == 0 {
            continue;
        }
        let mut choices = vec![Vec::new()];
        for part in &rule.parts {
            let below = plain(pattern, part.head, most - own, depth - 1)?;
            let more = choices.iter().flat_map(|known: &Vec<Plain>| {
                below.iter().map(move |one| known.iter().cloned().chain([one.clone()]).collect())
            });
            choices = more.collect();
        }
        all.extend(choices.into_iter().map(|parts| Plain { rule: id, parts }));
        if all.len() > 500 {
            return None;
        }
    }
    Some(all)
}

/// A system that is put together by names: who has which components, and who interacts.
#[derive(Default)]
struct Ground {
    names: usize,
    components: Vec<(usize, u32)>,
    interactions: Vec<Vec<(usize, u32)>>,
}

fn ground(pattern: &SystemPattern, tree: &Plain, passed: &[usize], system: &mut Ground) {
    let rule = &pattern.rules[tree.rule];
    let new = rule.names.len() - passed.len();
    let names: Vec<usize> =
        passed.iter().copied().chain(system.names..system.names + new).collect();
    system.names += new;
    let of = |name: PatternNameId| names[name.index()];
    system.components.extend(rule.components.iter().map(|made| (of(made.name), made.of.0)));
    for one in &rule.interactions {
        system
            .interactions
            .push(one.members.iter().map(|who| (of(who.name), who.port.0)).collect());
    }
    for (part, below) in rule.parts.iter().zip(&tree.parts) {
        let passed: Vec<usize> = part.arguments.iter().map(|name| of(*name)).collect();
        ground(pattern, below, &passed, system);
    }
}

/// The system in words, if each name has exactly one component; an interaction with a component twice is none.
fn in_words(system: &Ground) -> Option<String> {
    let owner = |name: usize| {
        let mut owns = system.components.iter().enumerate().filter(|(_, one)| one.0 == name);
        let first = owns.next().map(|(at, _)| at);
        if owns.next().is_some() { None } else { first }
    };
    let owners: Option<Vec<usize>> = (0..system.names).map(owner).collect();
    let owners = owners?;
    let types: Vec<u32> = system.components.iter().map(|(_, of)| *of).collect();
    let members = system
        .interactions
        .iter()
        .map(|one| one.iter().map(|(name, port)| (owners[*name], *port)).collect::<Vec<_>>());
    let differ = |one: &Vec<(usize, u32)>| {
        one.iter().map(|(who, _)| who).collect::<BTreeSet<_>>().len() == one.len()
    };
    Some(format!("{types:?} {:?}", members.filter(differ).collect::<Vec<_>>()))
}

fn instance_in_words(instance: &PatternInstance) -> String {
    let types: Vec<u32> = instance.components.iter().map(|one| one.of.0).collect();
    let interactions = instance.interactions.iter();
    let members = interactions
        .map(|one| one.members.iter().map(|(who, port)| (*who, port.0)).collect::<Vec<_>>());
    format!("{types:?} {:?}", members.collect::<Vec<_>>())
}

#[test]
fn unfoldings_are_the_trees_in_which_each_name_has_one_component() {
    const DEPTH: usize = 6;
    let (mut tried, mut systems) = (0, 0);
    for seed in seeds(fuzz().unwrap_or(300)) {
        let pattern = random(&mut Random::new(seed ^ 0x7472_6565));
        let Some(trees) = plain(&pattern, pattern.start.unwrap(), 4, DEPTH) else { continue };
        let expected: BTreeSet<String> = trees
            .iter()
            .filter_map(|tree| {
                let mut system = Ground::default();
                ground(&pattern, tree, &[], &mut system);
                in_words(&system).filter(|_| system.components.len() <= 4)
            })
            .collect();
        let budget = Budget::default();
        let profiles = profiles(&pattern, &budget).unwrap();
        let mut unfoldings = Unfoldings::new(&profiles, 3000);
        let all: Vec<Unfolding> =
            (0..=4).flat_map(|size| unfoldings.of_size(size, &budget)).collect();
        // Rules that make nothing go on for ever: these trees are deeper than those that are known.
        let depth = |one: &Unfolding| {
            let mut depths = vec![];
            for node in &one.nodes {
                depths.push(node.whole.map_or(1, |whole| depths[whole.index()] + 1));
            }
            depths.into_iter().max().unwrap_or(0)
        };
        if !unfoldings.is_complete() || all.iter().any(|one| depth(one) > DEPTH) {
            continue;
        }
        let found = all.iter().map(|one| PatternInstance::of(&pattern, &profiles, one));
        let found: BTreeSet<String> = found.map(|one| instance_in_words(&one)).collect();
        assert_eq!(found, expected, "seed {seed}\n{pattern:#?}");
        tried += 1;
        systems += found.len();
    }
    println!("{tried} patterns with {systems} systems");
    assert!(seeds(2).count() < 2 || (tried > 50 && systems > 50), "{tried} {systems}");
}
