//! The engine on random patterns: what it proves is never contradicted by searching unfoldings, and what it says about a family
//! of invariants is what all sets of states of an instance say, one by one.
//!
//! Mutants of the engine, each tried with the tests of `parametric_` and their usual numbers of seeds:
//!
//! | mutant | noticed by |
//! | --- | --- |
//! | order of the demands of closed sets reversed | `certificate` |
//! | a demand of a bad situation not checked | `agrees`, `certificate`, `known` |
//! | demands of closed sets by parts ignored | `agrees`, `certificate` |
//! | an interaction in which a component is twice is kept | `agrees`, `unfold` |
//! | memo of counted steps without the letter | `agrees`, `certificate`, `decide`, `known` |
//! | one in the set before is enough for *loose* | all |
//! | sets of covered entries compared the wrong way | `agrees`, `certificate`, `decide`, `known` |
//! | flags of bad situations ignored by the order | `agrees`, `certificate`, `decide`, `known`, `mona` |
//! | an entry is not combined with itself | `agrees`, `certificate`, `known`, `mona` |
//! | every count excludes | all |
//! | what only may happen counts as enabled | `agrees`, `decide` |
//! | counts to begin with are not cut at one | nobody: such states are never completed, it only takes longer |
//! | facts about outer names not passed on from parts of parts | `directed` |
//! | of several parts only the first is useful when trimming | `directed` |
//! | bounds of flows off by one | the unit tests of `counted.rs` |
//! | counted demands between parts not checked | `directed` |
//! | no port does harm, in the naive checker of certificates | `directed` |
//! | a known harm forgotten where something is demanded of others | `directed` |
//! | one of several beginnings is enough to mark a set | `directed` |
//! | sets to count may hold one beginning without another | `directed` |
//! | interactions of one alone do not bind its sets | `directed` |
//! | members here and in parts not added up | `directed` |
//! | claims violated in the first part only | `directed` |
//! | who may rest preferred to who may not | `directed` |
//! | facts not told upwards through two rules | `directed` |
//! | nobody is known to stand behind outer names | `directed` |
//! | exact demands never fail; only one guess about outer names | `directed` |
//! | of outer members only the first can be the one that is not ready | `directed` |
//! | sets may hold the current state; marked in the first part only | `directed` |
//! | the last of several demands of one name counts, closed or counted | `directed` |
//! | what parts have to do with each other is not looked at | `directed` |
//! | few sets: none of one state, or none of all but one | `steps` |
//! | sets of one component: intersection for difference | the unit tests of `bits.rs` |
//! | what follows from demands: the least set not closed | `steps` |
//! | what follows from demands: that of one kind counts for all kinds | `steps` |
//! | what follows from demands: a move that stays needs no closure | `agrees`, `certificate`, `directed`, `steps` |
//! | demands that nobody can meet are kept; siphons may hold beginnings there | nobody: they are met nowhere, it only takes longer |
//! | sets of a component: only the largest; those of smaller sets without its own interactions | `agrees`, `certificate` |
//! | guesses: only the first that fits; only what is equal; whatever there is | `steps`, `agrees` |
//! | counted sets: none chosen; one that excludes nothing; letters from the other end; known steps kept | `agrees`, `steps` |
//! | counted sets: those that are not chosen count as well | `certificate`, `steps` |
//! | no new beginning after a set is chosen | `agrees` |
//! | work that ends while entries are compared is a proof | `steps` |
//! | slots: facts of outer names of parts left out, cells of names end too early | `agrees`, `directed` |
//! | siphons go forwards; a port that leaves by some moves is harmless | `agrees` |
//! | counting in rows of bits with one member too many | the unit tests of `values.rs` |
//! | trimming: unfoldings need not begin with one | `agrees` |
//! | trimming: useful states passed on once only | nobody yet: fewer invariants are found, and no wrong ones; a test is missing |
//! | certificates: values without a meaning; no sets named; all sets named | `certificate` |
//! | certificates: sets of one component not asked for its own interactions | nobody: these are looked at again with all others |
//! | few sets are all there is | `steps` |

use pnetc::base::Budget;
use pnetc::parametric::search::{Searched, is_bad, search};
use pnetc::parametric::{
    Included, InclusionLimits, InvariantFamily, PatternGoal, PatternInstance, Profiles,
    SystemPattern, Unfoldings, WhyOpen, included, profiles,
};

use crate::common::Random;
use crate::common::patterns::random::{
    bits, excludes, goal, invariants, random, situations, width, with_meetings,
};
use crate::common::seeds::{fuzz, seeds};

fn many() -> u64 {
    fuzz().unwrap_or(200)
}

/// The largest instances whose sets of states are gone through.
const WIDEST: usize = 12;

/// The unfoldings with up to so many components.
fn instances(pattern: &SystemPattern, profiles: &Profiles, up_to: usize) -> Vec<PatternInstance> {
    let budget = Budget::default();
    let mut unfoldings = Unfoldings::new(profiles, 30);
    let all = (0..=up_to).flat_map(|size| unfoldings.of_size(size, &budget));
    let all: Vec<_> = all.collect();
    all.iter().map(|one| PatternInstance::of(pattern, profiles, one)).collect()
}

/// Families by themselves and together.
fn asked(dice: &mut Random) -> Vec<InvariantFamily> {
    match dice.below(6) {
        at @ 0..4 => vec![InvariantFamily::ALL[at]],
        4 => vec![InvariantFamily::Trap, InvariantFamily::One],
        _ => InvariantFamily::ALL.to_vec(),
    }
}

/// Whether an instance says that a situation cannot be, by sets one after the other.
fn is_excluded(
    pattern: &SystemPattern,
    instance: &PatternInstance,
    families: &[InvariantFamily],
    situation: u64,
) -> bool {
    families
        .iter()
        .any(|&family| excludes(&invariants(pattern, instance, family), family, situation))
}

/// What came of one pattern: proved, a counter-model, or neither.
#[derive(Default, Debug)]
struct Tally {
    empty: usize,
    proved: usize,
    models: usize,
    checked: usize,
    open: usize,
}

fn try_one(seed: u64, make: fn(&mut Random) -> SystemPattern, tally: &mut Tally) {
    let dice = &mut Random::new(seed);
    let pattern = make(dice);
    pattern.check().unwrap();
    let (goal, families) = (goal(dice, &pattern), asked(dice));
    let budget = Budget::default();
    let profiles = profiles(&pattern, &budget).unwrap();
    if profiles.start.is_none() {
        tally.empty += 1;
        return;
    }
    // Every other time it is guessed what components outside are, however little is asked about them.
    let many_facts = if seed.is_multiple_of(2) { 1 } else { InclusionLimits::default().many_facts };
    let limits =
        InclusionLimits { entries: 3000, steps: 500_000, many_facts, ..InclusionLimits::default() };
    let said = format!("seed {seed}: {} by {families:?}\n{pattern:#?}", goal.label);
    match included(&pattern, &profiles, &goal, &families, limits, &budget) {
        Included::Proved(_) => {
            tally.proved += 1;
            proved(&pattern, &profiles, &goal, &families, &said);
        }
        Included::Model(model) => {
            tally.models += 1;
            let instance = PatternInstance::of(&pattern, &profiles, &model.unfolding);
            assert!(is_bad(&pattern, &instance, &goal, &model.situation), "not bad: {said}");
            if width(&pattern, &instance) <= WIDEST && !families.contains(&InvariantFamily::Flow) {
                tally.checked += 1;
                let situation = bits(&pattern, &instance, &model.situation);
                let excluded = is_excluded(&pattern, &instance, &families, situation);
                assert!(!excluded, "is excluded: {model:?} {said}");
            }
        }
        Included::GaveUp(WhyOpen::Entries(_) | WhyOpen::Spent(_)) => tally.open += 1,
        Included::GaveUp(why) => panic!("{why}: {said}"),
    }
}

/// What was proved is so in all small unfoldings, and each bad situation is excluded.
fn proved(
    pattern: &SystemPattern,
    profiles: &Profiles,
    goal: &PatternGoal,
    families: &[InvariantFamily],
    said: &str,
) {
    for instance in instances(pattern, profiles, 6) {
        let found = search(pattern, &instance, goal, 3000, &Budget::default());
        assert!(!matches!(found, Searched::Bad(_)), "{found:?} in {instance:#?}: {said}");
        if width(pattern, &instance) > WIDEST.min(9) {
            continue;
        }
        let all: Vec<_> = families
            .iter()
            .map(|family| (*family, invariants(pattern, &instance, *family)))
            .collect();
        for situation in situations(pattern, &instance) {
            if is_bad(pattern, &instance, goal, &situation) {
                let taken = bits(pattern, &instance, &situation);
                let excluded = all.iter().any(|(family, sets)| excludes(sets, *family, taken));
                assert!(excluded, "{situation:?} is not excluded in {instance:#?}: {said}");
            }
        }
    }
}

#[test]
fn random_patterns_are_what_all_sets_say() {
    let mut tally = Tally::default();
    seeds(many()).for_each(|seed| try_one(seed, random, &mut tally));
    println!("{tally:?}");
    if seeds(2).count() > 1 {
        let total = many() as usize;
        assert!(tally.proved * 20 > total && tally.models * 10 > total, "{tally:?}");
        assert!(tally.open * 50 < total && tally.checked * 20 > total, "{tally:?}");
    }
}

/// All members at once, pairs of any members, and any members: sums of those who join are what all of them do.
#[test]
fn random_meetings_are_what_all_sets_say() {
    let mut tally = Tally::default();
    seeds(many()).for_each(|seed| try_one(seed, with_meetings, &mut tally));
    println!("{tally:?}");
    if seeds(2).count() > 1 {
        let total = many() as usize;
        assert!(tally.proved * 20 > total && tally.models * 10 > total, "{tally:?}");
        assert!(tally.open * 20 < total && tally.checked * 20 > total, "{tally:?}");
    }
}
