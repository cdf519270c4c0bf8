//! Certificates for every size: what the engine proves is confirmed by going through it naively, and what was changed is not.

use pnetc::base::Budget;
use pnetc::parametric::{
    CERTIFICATE_VERSION, CertifiedEntry, CertifiedSet, CertifiedVariant, Included, InclusionLimits,
    InvariantFamily, PatternGoal, SizesCertificate, SystemPattern, WrongCertificate, certificate,
    included, profiles, recheck,
};

use crate::common::Random;
use crate::common::patterns::random::{goal, random, with_meetings};
use crate::common::patterns::{known, pattern, states};
use crate::common::seeds::{fuzz, seeds};

/// The certificate, if it is proved; as it comes back from a text.
fn certified(
    pattern: &SystemPattern,
    goal: &PatternGoal,
    families: &[InvariantFamily],
) -> Option<SizesCertificate> {
    let budget = Budget::default();
    let profiles = profiles(pattern, &budget).unwrap();
    // Every other one guesses what components outside are.
    let many_facts = 1 + 4 * (pattern.rules.len() % 2);
    let limits =
        InclusionLimits { entries: 1000, steps: 200_000, many_facts, ..InclusionLimits::default() };
    let Included::Proved(found) = included(pattern, &profiles, goal, families, limits, &budget)
    else {
        return None;
    };
    let text = serde_json::to_string(&certificate(pattern, &profiles, goal, families, &found));
    Some(serde_json::from_str(&text.unwrap()).unwrap())
}

fn confirmed(
    pattern: &SystemPattern,
    goal: &PatternGoal,
    certificate: &SizesCertificate,
) -> Result<usize, WrongCertificate> {
    recheck(pattern, goal, certificate, &Budget::default())
}

#[test]
fn proofs_of_the_known_models_are_confirmed() {
    let ring = known::ring();
    let mutex = PatternGoal::mutex(states(&ring, &["busy"]));
    let two = known::two_holders();
    let at_most = PatternGoal::at_most(2, states(&two, &["busy"]));
    let asked = [
        (ring.clone(), mutex.clone(), InvariantFamily::One),
        (ring, PatternGoal::deadlock(), InvariantFamily::Trap),
        (two, at_most, InvariantFamily::Flow),
        (known::sync_table(), PatternGoal::never(None), InvariantFamily::One),
        (known::tree_back_root(), PatternGoal::deadlock(), InvariantFamily::Trap),
    ];
    for (at, (pattern, goal, family)) in asked.iter().enumerate() {
        let certificate = certified(pattern, goal, &[*family]).unwrap();
        let cases = confirmed(pattern, goal, &certificate).unwrap();
        assert!(cases > 0);
        // Every entry is needed: without it something is not covered.
        let tried = if at < 2 { certificate.entries.len() } else { 0 };
        for at in 0..tried {
            let mut less = certificate.clone();
            less.entries.remove(at);
            assert!(confirmed(pattern, goal, &less).is_err(), "without {at}: {less:?}");
        }
    }
    let ring = known::ring();
    let certificate = certified(&ring, &mutex, &[InvariantFamily::One]).unwrap();
    let found = confirmed(&known::two_holders(), &mutex, &certificate);
    assert!(found.is_err(), "{found:?}");
    let found = confirmed(&known::star(), &mutex, &certificate);
    assert!(matches!(found, Err(WrongCertificate::OtherPattern(_))), "{found:?}");
}

#[test]
fn sets_that_are_not_there_are_not_believed() {
    // Two stations can be busy here, and whoever says that a set excludes it must make one up.
    let two = known::two_holders();
    let deadlock = PatternGoal::deadlock();
    let mut forged = certified(&two, &deadlock, &[InvariantFamily::Trap]).unwrap();
    assert!(confirmed(&two, &deadlock, &forged).is_ok());
    for entry in &mut forged.entries {
        for set in &mut entry.sets {
            set.first = 1;
        }
    }
    let found = confirmed(&two, &deadlock, &forged);
    assert!(matches!(found, Err(WrongCertificate::Uncovered { .. })), "{found:?}");
}

#[test]
fn random_proofs_are_confirmed() {
    let mut found = 0;
    for seed in seeds(fuzz().unwrap_or(20)) {
        let dice = &mut Random::new(seed ^ 0x6365_7274);
        // Every other one has meetings.
        let pattern = if seed % 2 == 0 { random(dice) } else { with_meetings(dice) };
        let goal = goal(dice, &pattern);
        let families = match dice.below(5) {
            at @ 0..4 => vec![InvariantFamily::ALL[at]],
            _ => InvariantFamily::ALL.to_vec(),
        };
        let Some(certificate) = certified(&pattern, &goal, &families) else { continue };
        if certificate.entries.len() > 12 {
            continue;
        }
        found += 1;
        let confirmed = confirmed(&pattern, &goal, &certificate);
        assert!(confirmed.is_ok(), "seed {seed}: {confirmed:?}\n{certificate:#?}\n{pattern:#?}");
    }
    println!("{found} proofs");
    assert!(seeds(2).count() < 2 || found > 5, "{found}");
}

/// Makes a certificate say more: that sets are marked, that counts are narrower, that less is demanded, or that entries stand for
/// others.
fn forged(dice: &mut Random, honest: &SizesCertificate) -> SizesCertificate {
    let mut forged = honest.clone();
    for _ in 0..dice.between(1, 6) {
        let at = dice.below(forged.entries.len());
        let other = forged.entries[dice.below(forged.entries.len())].clone();
        let entry = &mut forged.entries[at];
        let set = dice.below(entry.sets.len().max(1));
        match dice.below(9) {
            0 if !entry.values.is_empty() => {
                let at = dice.below(entry.values.len());
                entry.values[at] = dice.below(2) as u8;
            }
            1 => {
                let at = dice.below(entry.flags.len());
                entry.flags[at] = dice.below(5) as u8;
            }
            2 => entry.sets.extend(other.sets),
            3 if set < entry.sets.len() => {
                let set = &mut entry.sets[set];
                set.first = dice.below(3) as u8;
                set.least = Some(dice.below(3) as i32);
                set.most = set.least;
            }
            5 if !entry.meets.is_empty() => {
                let at = dice.below(entry.meets.len());
                entry.meets[at] = dice.below(2) as u8;
            }
            6 if set < entry.sets.len() && !entry.sets[set].meets.is_empty() => {
                let meets = &mut entry.sets[set].meets;
                let at = dice.below(meets.len());
                meets[at] = dice.below(8) as u8;
            }
            4 if set < entry.sets.len() && !entry.sets[set].values.is_empty() => {
                let values = &mut entry.sets[set].values;
                let at = dice.below(values.len());
                values[at] = dice.below(20) as u8;
            }
            7 if set < entry.sets.len() => {
                entry.sets[set].family = *dice.pick(&['t', 'o', 'f', 's', 'x'])
            }
            _ => forged.entries.push(other),
        }
    }
    forged
}

#[test]
fn nothing_makes_a_proof_of_what_is_false() {
    let deadlock = PatternGoal::deadlock();
    let (ring, two) = (known::ring(), known::two_holders());
    let mutex = |pattern: &SystemPattern| PatternGoal::mutex(states(pattern, &["busy"]));
    let one = [InvariantFamily::One];
    let asked = [
        (certified(&known::table(true), &deadlock, &one), known::table(false), deadlock),
        (certified(&ring, &mutex(&ring), &one), two.clone(), mutex(&two)),
        (certified(&ring, &mutex(&ring), &[InvariantFamily::Flow]), two.clone(), mutex(&two)),
    ];
    let (mut deep, tried) = (0, fuzz().unwrap_or(150));
    for (honest, pattern, goal) in asked {
        let honest = honest.unwrap();
        for seed in seeds(tried) {
            let forged = forged(&mut Random::new(seed ^ 0x666f_7267), &honest);
            let found = confirmed(&pattern, &goal, &forged);
            assert!(found.is_err(), "seed {seed}: {forged:#?}");
            deep += usize::from(matches!(found, Err(WrongCertificate::Uncovered { .. })));
        }
    }
    // They are not all refused because of their form.
    assert!(seeds(2).count() < 2 || deep > 10, "{deep}");
}

/// A certificate with these variants and entries, as somebody might write it down.
fn written(
    goal: &PatternGoal,
    variants: Vec<CertifiedVariant>,
    entries: Vec<CertifiedEntry>,
) -> SizesCertificate {
    SizesCertificate {
        version: CERTIFICATE_VERSION,
        pattern: "test".to_owned(),
        goal: goal.label.clone(),
        families: vec!["trap".to_owned()],
        facts: Vec::new(),
        variants,
        sets: Vec::new(),
        entries,
    }
}

fn variant(head: &str, inside: &[bool], ports: &[(usize, &str)]) -> CertifiedVariant {
    CertifiedVariant {
        head: head.to_owned(),
        same: (0..inside.len()).collect(),
        inside: inside.to_vec(),
        ports: ports.iter().map(|(at, port)| (*at, (*port).to_owned())).collect(),
        facts: Vec::new(),
    }
}

fn entry(variant: usize, flags: &[u8], sets: &[(char, &[u8], u8)]) -> CertifiedEntry {
    let set = |(family, values, first): &(char, &[u8], u8)| CertifiedSet {
        family: *family,
        values: values.to_vec(),
        first: *first,
        least: (*family == 'x').then_some(1),
        most: (*family == 'x').then_some(1),
        meets: Vec::new(),
    };
    let sets = sets.iter().map(set).collect();
    CertifiedEntry { variant, values: Vec::new(), flags: flags.to_vec(), meets: Vec::new(), sets }
}

/// What has no meaning is refused, since it might be taken for something that is fine: these claims are all false.
#[test]
fn what_has_no_meaning_is_refused() {
    // Somebody is not at rest, twice over.
    let stuck = pattern("component A *a go b; rule S; T x; rule T x; x = A");
    let deadlock = PatternGoal::deadlock();
    let forged = written(
        &deadlock,
        vec![variant("S", &[], &[]), variant("T", &[true], &[])],
        vec![entry(1, &[2], &[]), entry(0, &[0], &[])],
    );
    assert_eq!(confirmed(&stuck, &deadlock, &forged), Err(WrongCertificate::Meaningless(0)));
    // A family of invariants that there is not.
    let moves =
        pattern("component A *a go b, b back a; rule S; T x; rule T x; x = A; go x; back x");
    let never = PatternGoal::at_most(0, states(&moves, &["b"]));
    let both = |variant| [[0, 0], [1, 0]].map(|flags| entry(variant, &flags, &[('x', &[][..], 1)]));
    let forged = written(
        &never,
        vec![variant("S", &[], &[]), variant("T", &[true], &[])],
        both(0).into_iter().chain(both(1)).collect(),
    );
    assert_eq!(confirmed(&moves, &never, &forged), Err(WrongCertificate::Meaningless(0)));
    // More than harm, which is demanded and not looked at.
    let asks = pattern(
        "component A *a go b; component M *m stop n
        rule S; m = M; T x m; rule T x m; x = A; go x, stop m",
    );
    let never = PatternGoal::at_most(0, states(&asks, &["n"]));
    let forged = |demanded: u8| {
        let low = entry(1, &[0, 0], &[('t', &[demanded][..], 0)]);
        let whole = [entry(0, &[0, 0], &[]), entry(0, &[1, 0], &[('t', &[][..], 1)])];
        let variants = vec![variant("S", &[], &[]), variant("T", &[true, false], &[(1, "stop")])];
        written(&never, variants, [low].into_iter().chain(whole).collect())
    };
    assert_eq!(confirmed(&asks, &never, &forged(3)), Err(WrongCertificate::Meaningless(0)));
    // The same with harm is looked at.
    let found = confirmed(&asks, &never, &forged(2));
    assert!(matches!(found, Err(WrongCertificate::Uncovered { .. })), "{found:?}");
}

/// Of components with many states, a certificate has the sets that are needed: without one of them, or with another, it is none.
#[test]
fn sets_of_many_states_are_named() {
    let ring = known::long_ring(20);
    let deadlock = PatternGoal::deadlock();
    for family in [InvariantFamily::Trap, InvariantFamily::One] {
        let Some(honest) = certified(&ring, &deadlock, &[family]) else {
            assert_ne!(family, InvariantFamily::Trap);
            continue;
        };
        assert!(confirmed(&ring, &deadlock, &honest).is_ok());
        assert!(!honest.sets.is_empty());
        for at in 0..honest.sets.len() {
            let mut less = honest.clone();
            less.sets[at].sets.clear();
            assert!(confirmed(&ring, &deadlock, &less).is_err(), "{less:?}");
            let mut odd = honest.clone();
            odd.sets[at].sets.push(vec![7, 7, 5000]);
            assert!(confirmed(&ring, &deadlock, &odd).is_ok(), "one that is not used does no harm");
        }
    }
}
