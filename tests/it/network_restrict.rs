//! Restriction: semi-composition and refined interfaces, against their definitions, and the examples of Lang, "Refined
//! Interfaces for Compositional Verification" (RR-5996). Its figures are lost in the text; the systems here fit every sentence.
//!
//! Mistakes that Theorem 1 must notice are planted in the plain twin of Definition 6 ([`Mistake`]).

use std::collections::BTreeSet;
use std::sync::Arc;

use pnetc::base::{Spent, Unwatched};
use pnetc::lts::{
    Equivalence, LabelTable, Lts, LtsLabel, LtsQuestion, LtsState, LtsStep, ReduceLimits, compare,
};
use pnetc::network::{
    Behaviour, Controls, Interface, Network, NetworkPart, NetworkPartId, NetworkVector,
    NotGenerated, ProductLimits, RefinedInterface, Restricted, Synchron, product,
    refined_interface, restrict,
};

use crate::common::Random;
use crate::common::networks::interfaces::{
    Left, Mistake, Plain, is_unchanged, left_of, refined, semi,
};
use crate::common::networks::{Wanted, naive, random, shown};
use crate::common::seeds::{fuzz, seeds};
use crate::common::systems::{self, Stops, read, written};

const ANY: ProductLimits = ProductLimits { most_states: usize::MAX };

fn controlled(labels: &[&str]) -> Controls {
    Controls::Only(labels.iter().map(|label| (*label).to_owned()).collect())
}

fn restricted(part: &Lts, by: &Interface) -> Restricted {
    let mut part: &Lts = part;
    restrict(&mut part, by, ANY, &Unwatched).unwrap()
}

/// What is left, in the order of states: `0 a 1`.
fn told(left: &Left) -> Vec<String> {
    left.iter().map(|(from, label, to)| format!("{} {label} {}", from.0, to.0)).collect()
}

// ---- the definitions on random systems ----

#[test]
fn semi_composition_is_that_of_the_definition() {
    let (mut smaller, mut same) = (0, 0);
    for seed in seeds(fuzz().unwrap_or(2000)) {
        let mut dice = Random::new(seed);
        let (part, by) = (systems::random(&mut dice), systems::random(&mut dice));
        let names = ["a", "b", "c"];
        let chosen: Vec<&str> = names.into_iter().filter(|_| !dice.one_in(3)).collect();
        let expected = semi(&part, &Plain::of(&by, &chosen, &[&part, &by]));
        let interface = Interface { lts: by, controls: controlled(&chosen), foreseen: None };
        let found = restricted(&part, &interface);
        let shown = || format!("seed {seed}\n{}\n{}", written(&part), written(&interface.lts));
        assert_eq!(left_of(&found), expected, "{}", shown());
        assert_eq!(systems::naive::reached(&found.lts).len(), found.lts.states(), "{}", shown());
        let again = restricted(&found.lts, &interface);
        assert_eq!(written(&again.lts), written(&found.lts), "a second time: {}", shown());
        let whole = systems::naive::reached(&part).len();
        *if found.lts.states() < whole { &mut smaller } else { &mut same } += 1;
    }
    assert!(
        fuzz().is_some() || seeds(2).count() == 1 || smaller > 50 && same > 50,
        "{smaller} {same}"
    );
}

/// A network with a part to restrict and neighbours to restrict it by.
struct Case {
    network: Network,
    part: NetworkPartId,
    neighbours: Vec<NetworkPartId>,
}

fn case(seed: u64) -> Option<Case> {
    let mut dice = Random::new(seed);
    let wanted = Wanted { admissible: dice.one_in(2), priorities: dice.one_in(2) };
    let network = random(&mut dice, wanted);
    let parts: Vec<NetworkPartId> = network.parts.ids().collect();
    let part = *dice.pick(&parts);
    let others = parts.into_iter().filter(|other| *other != part);
    let neighbours: Vec<NetworkPartId> = others.filter(|_| !dice.one_in(3)).collect();
    (!neighbours.is_empty()).then_some(Case { network, part, neighbours })
}

impl Case {
    fn interface(&self) -> RefinedInterface {
        refined_interface(&self.network, self.part, &self.neighbours, ANY, &Unwatched).unwrap()
    }

    fn shown(&self) -> String {
        format!("{:?} by {:?}\n{}", self.part, self.neighbours, shown(&self.network))
    }

    fn lts(&self) -> &Lts {
        &self.network.parts[self.part].lts
    }
}

/// Refined interfaces leave of a part what Definition 6 leaves of it, whatever was reduced on the way, and Theorem 1 holds.
#[test]
fn theorem_1_holds() {
    let (mut smaller, mut tried) = (0, 0);
    for seed in seeds(fuzz().unwrap_or(2800)) {
        let Some(case) = case(seed) else { continue };
        let found = left_of(&restricted(case.lts(), &case.interface().interface));
        let plain = refined(&case.network, case.part, &case.neighbours, Mistake::None);
        assert_eq!(found, semi(case.lts(), &plain), "seed {seed}: {}", case.shown());
        let unchanged = is_unchanged(&case.network, case.part, &found);
        assert!(unchanged, "seed {seed}: {}", case.shown());
        let whole = systems::naive::reached(case.lts());
        let whole: usize = whole.iter().map(|state| case.lts().steps(*state).len()).sum();
        smaller += usize::from(found.len() < whole);
        tried += 1;
    }
    assert!(
        fuzz().is_some() || seeds(2).count() == 1 || tried >= 2000 && smaller > 500,
        "{tried} {smaller}"
    );
}

/// Each planted mistake is noticed by Theorem 1 on the same networks.
#[test]
fn mistakes_in_interfaces_are_noticed() {
    let mistakes = [
        Mistake::LosesSilent,
        Mistake::LosesUncontrolled,
        Mistake::LosesAnyTime,
        Mistake::LosesOthers,
        Mistake::ShowsResult,
        Mistake::Stays,
        Mistake::LosesRivals,
        Mistake::KeepsPriorities,
    ];
    let breaks = |seed: u64, mistake: Mistake| {
        case(seed).is_some_and(|case| {
            let plain = refined(&case.network, case.part, &case.neighbours, mistake);
            !is_unchanged(&case.network, case.part, &semi(case.lts(), &plain))
        })
    };
    for mistake in mistakes {
        assert!((0..2600).any(|seed| breaks(seed, mistake)), "{mistake:?} is not noticed");
    }
    assert!(!(0..500).any(|seed| breaks(seed, Mistake::None)));
}

// ---- the examples ----

/// `S1` of Example 1, and `S3` of Example 2.
const BUFFER: &str =
    "des (0, 6, 3)\n(0, a, 1)\n(1, a, 2)\n(2, c, 1)\n(1, c, 0)\n(0, d, 0)\n(1, d, 1)\n";

fn network(parts: &[Lts], vectors: &[(&[&str], &str)]) -> Network {
    let mut network = Network::new(LabelTable::new("tau"));
    for (at, lts) in parts.iter().enumerate() {
        let name = format!("S{}", at + 1);
        network.parts.push(NetworkPart { name, lts: Arc::new(lts.clone()) });
    }
    for (texts, result) in vectors {
        let member = |(part, text): (NetworkPartId, &&str)| {
            let label = || network.parts[part].lts.labels().get(text).unwrap();
            (*text != "_").then(|| Synchron { part, label: label() })
        };
        let members = network.parts.ids().zip(texts.iter()).filter_map(member).collect();
        let result = network.labels.intern(result);
        network.vectors.push(NetworkVector::new(members, result));
    }
    network
}

/// `refint` by the number of the part and of its neighbours, from 1 on.
fn refint(network: &Network, part: u32, neighbours: &[u32]) -> RefinedInterface {
    let neighbours: Vec<_> = neighbours.iter().map(|at| NetworkPartId(at - 1)).collect();
    refined_interface(network, NetworkPartId(part - 1), &neighbours, ANY, &Unwatched).unwrap()
}

#[test]
fn example_1() {
    let (s1, s2) = (read(BUFFER), read("des (0, 3, 2)\n(0, a, 1)\n(1, c, 0)\n(0, d, 0)\n"));
    let by = Interface { lts: s2, controls: controlled(&["a", "c", "d"]), foreseen: None };
    let s3 = restricted(&s1, &by);
    assert_eq!(told(&left_of(&s3)), ["0 a 1", "0 d 0", "1 c 0"]);
    assert_eq!(s3.lts.states(), 2);
    // Law (1): restricting once more changes nothing; so does what is not controlled.
    assert_eq!(written(&restricted(&s3.lts, &by).lts), written(&s3.lts));
    let free = Interface { controls: controlled(&[]), ..by };
    assert_eq!(left_of(&restricted(&s1, &free)).len(), 6);
}

/// The synchronisation set of law (2) of Krimm & Mounier, by which the first system can be restricted in
/// `(first ||inner second) ||outer third`.
fn law_2<'l>(first: &Lts, inner: &[&str], second: &Lts, outer: &[&'l str]) -> Vec<&'l str> {
    let has = |lts: &Lts, text: &str| lts.labels().get(text).is_some();
    let is_kept = |text: &str| inner.contains(&text) || has(first, text) && !has(second, text);
    outer.iter().copied().filter(|text| is_kept(text)).collect()
}

fn example_2_parts() -> [Lts; 3] {
    let s1 = read("des (0, 3, 2)\n(0, a, 1)\n(1, b, 0)\n(0, d, 0)\n");
    let s2 = read("des (0, 3, 2)\n(0, c, 1)\n(1, b, 0)\n(0, d, 0)\n");
    [s1, s2, read(BUFFER)]
}

/// By the laws of Krimm & Mounier, nothing of `S3` goes away: neither by `S1` nor by `S2` alone.
#[test]
fn example_2() {
    let [s1, s2, s3] = example_2_parts();
    let by_s1 = law_2(&s3, &["c", "d"], &s2, &["a", "b", "d"]);
    assert_eq!(by_s1, ["a", "d"]);
    let left = |by: Lts, controls: &[&str]| {
        let by = Interface { lts: by, controls: controlled(controls), foreseen: None };
        left_of(&restricted(&s3, &by)).len()
    };
    assert_eq!((left(s1, &by_s1), left(s2, &["c", "d"])), (6, 6));
}

#[test]
fn example_3() {
    let [s1, s2, s3] = example_3_parts();
    let by_s1 = law_2(&s2, &["a"], &s3, &["a", "b"]);
    assert_eq!(by_s1, ["a"]);
    let by = Interface { lts: s1, controls: controlled(&by_s1), foreseen: None };
    assert_eq!(restricted(&s2, &by).lts.transitions(), s2.transitions());
}

fn example_3_parts() -> [Lts; 3] {
    let s1 = read("des (0, 3, 2)\n(0, a, 0)\n(0, b, 1)\n(1, a, 0)\n");
    let s2 =
        read("des (0, 6, 3)\n(0, a, 0)\n(0, b, 1)\n(1, a, 0)\n(1, b, 2)\n(2, a, 2)\n(2, b, 2)\n");
    [s1, s2, read("des (0, 3, 1)\n(0, a, 0)\n(0, b, 0)\n(0, c, 0)\n")]
}

/// Parallel composition is a network: synchronised labels together, others alone.
fn parallel(first: &Lts, second: &Lts, together: &[&str]) -> Network {
    let mut both = network(&[first.clone(), second.clone()], &[]);
    let parts = [NetworkPartId(0), NetworkPartId(1)];
    for (part, lts) in parts.into_iter().zip([first, second]) {
        for label in lts.labels().ids() {
            let text = lts.text(label);
            let mut members = vec![Synchron { part, label }];
            if together.contains(&text) {
                let Some(other) = second.labels().get(text).filter(|_| part == parts[0]) else {
                    continue;
                };
                members.push(Synchron { part: parts[1], label: other });
            }
            let result = both.labels.intern(text);
            both.vectors.push(NetworkVector::new(members, result));
        }
    }
    both
}

#[test]
fn example_4() {
    for seed in seeds(300) {
        let mut dice = Random::new(seed);
        let (first, second) = (systems::random(&mut dice), systems::random(&mut dice));
        let names = ["a", "b", "c"];
        let together: Vec<&str> = names.into_iter().filter(|_| dice.one_in(2)).collect();
        let found = naive(&parallel(&first, &second, &together));
        assert_eq!(found.0, composed(&first, &second, &together), "seed {seed}");
    }
}

/// Definition 3, as it is written.
fn composed(
    first: &Lts,
    second: &Lts,
    together: &[&str],
) -> std::collections::BTreeMap<Vec<LtsState>, BTreeSet<(String, Vec<LtsState>)>> {
    let mut open = vec![vec![first.initial(), second.initial()]];
    let mut all = std::collections::BTreeMap::new();
    while let Some(pair) = open.pop() {
        if all.contains_key(&pair) {
            continue;
        }
        let mut own = BTreeSet::new();
        for one in first.steps(pair[0]) {
            let text = first.text(one.label);
            if !together.contains(&text) {
                own.insert((text.to_owned(), vec![one.to, pair[1]]));
                continue;
            }
            let others = second.steps(pair[1]).iter();
            let others = others.filter(|other| second.text(other.label) == text);
            own.extend(others.map(|other| (text.to_owned(), vec![one.to, other.to])));
        }
        for other in second.steps(pair[1]) {
            let text = second.text(other.label);
            if !together.contains(&text) {
                own.insert((text.to_owned(), vec![pair[0], other.to]));
            }
        }
        open.extend(own.iter().map(|(_, to)| to.clone()));
        all.insert(pair, own);
    }
    all
}

#[test]
fn example_5() {
    let parts = [
        read("des (0, 2, 1)\n(0, a1, 0)\n(0, c1, 0)\n"),
        read("des (0, 3, 1)\n(0, a2, 0)\n(0, b2, 0)\n(0, c2, 0)\n"),
        read("des (0, 2, 2)\n(0, b3, 1)\n(1, a3, 0)\n"),
        read("des (0, 1, 1)\n(0, a4, 0)\n"),
    ];
    let vectors: [(&[&str], &str); 3] = [
        (&["a1", "a2", "a3", "a4"], "a"),
        (&["_", "b2", "b3", "_"], "b"),
        (&["c1", "c2", "_", "_"], "c"),
    ];
    let found = refint(&network(&parts, &vectors), 1, &[3, 4]);
    // `b` is silent to `S1`; `c1` needs neither `S3` nor `S4`, so that they do not control it.
    assert_eq!(written(&found.interface.lts), "des (0, 1, 1)\n(0, \"a1\", 0)\n");
    assert_eq!(found.interface.controls, Controls::AllBut(["c1".to_owned()].into()));
    // `S3` does `b3` by itself as far as `S1` sees, so that it has one state once it is reduced.
    assert_eq!((found.neighbours[0].before.states, found.neighbours[0].after.states), (2, 1));
    assert_eq!((found.product.states, found.product.transitions), (1, 1));
}

#[test]
fn example_6() {
    let vectors: [(&[&str], &str); 4] = [
        (&["a", "_", "a"], "a"),
        (&["b", "b", "_"], "b"),
        (&["_", "c", "c"], "c"),
        (&["d", "d", "d"], "d"),
    ];
    let parts = example_2_parts();
    let whole = network(&parts, &vectors);
    let found = refint(&whole, 3, &[1, 2]);
    let left = left_of(&restricted(&parts[2], &found.interface));
    assert_eq!(told(&left), ["0 a 1", "0 d 0", "1 c 0"]);
    assert!(is_unchanged(&whole, NetworkPartId(2), &left));
}

#[test]
fn example_7() {
    let vectors: [(&[&str], &str); 4] = [
        (&["a", "a", "a"], "a"),
        (&["b", "b", "_"], "b"),
        (&["b", "_", "b"], "b"),
        (&["_", "_", "c"], "c"),
    ];
    let parts = example_3_parts();
    let found = refint(&network(&parts, &vectors), 2, &[1]);
    assert_eq!((found.size.states, found.size.transitions), (2, 3));
    assert_eq!(found.by, Equivalence::Safety);
    let left = restricted(&parts[1], &found.interface);
    assert_eq!(told(&left_of(&left)), ["0 a 0", "0 b 1", "1 a 0"]);
    assert_eq!(written(&left.lts), written(&parts[0]));
}

// ---- parts that are made on the way ----

/// A part that counts without end, and notes what it was asked for.
struct Counts {
    labels: LabelTable,
    asked: BTreeSet<(LtsState, LtsLabel)>,
}

impl Counts {
    fn new() -> Counts {
        let mut labels = LabelTable::new("tau");
        for text in ["up", "down", "jump"] {
            labels.intern(text);
        }
        Counts { labels, asked: BTreeSet::new() }
    }
}

impl Behaviour for Counts {
    fn labels(&self) -> &LabelTable {
        &self.labels
    }

    fn initial(&mut self) -> Result<LtsState, NotGenerated> {
        Ok(LtsState(0))
    }

    fn steps(
        &mut self,
        state: LtsState,
        wanted: &dyn Fn(LtsLabel) -> bool,
        steps: &mut Vec<LtsStep>,
    ) -> Result<(), NotGenerated> {
        let by =
            [("up", state.0 + 1), ("down", state.0.saturating_sub(1)), ("jump", state.0 * 2 + 100)];
        for (text, to) in by {
            let label = self.labels.get(text).unwrap();
            if wanted(label) {
                assert!(self.asked.insert((state, label)), "{text} of {state:?} is asked twice");
                steps.push(LtsStep { label, to: LtsState(to) });
            }
        }
        Ok(())
    }
}

fn up_to_two() -> Lts {
    read("des (0, 4, 3)\n(0, up, 1)\n(1, up, 2)\n(2, down, 1)\n(1, down, 0)\n")
}

/// The part has no end, and is asked for nothing that the interface does not allow.
#[test]
fn a_part_without_end_is_restricted() {
    let mut part = Counts::new();
    let by =
        Interface { lts: up_to_two(), controls: Controls::AllBut(BTreeSet::new()), foreseen: None };
    let left = restrict(&mut part, &by, ANY, &Unwatched).unwrap();
    assert_eq!((left.lts.states(), left.lts.transitions(), left.pairs), (3, 4, 3));
    assert_eq!(part.asked.len(), 4);
}

#[test]
fn restricting_ends_where_it_has_to() {
    let by =
        || Interface { lts: up_to_two(), controls: controlled(&["jump", "down"]), foreseen: None };
    let most = ProductLimits { most_states: 50 };
    let why = restrict(&mut Counts::new(), &by(), most, &Unwatched).unwrap_err();
    assert_eq!(why, NotGenerated::TooLarge { most: 50 });
    let why = restrict(&mut Counts::new(), &by(), ANY, &Stops::after(70)).unwrap_err();
    assert_eq!(why, NotGenerated::Spent(Spent::Work { limit: 70 }));
}

/// An interface was made for a part that was said to do less than it does.
#[test]
fn an_abstraction_that_lacks_a_label_is_noticed() {
    let abstraction = read("des (0, 1, 1)\n(0, up, 0)\n");
    let neighbour = read("des (0, 2, 2)\n(0, up, 1)\n(1, more, 0)\n");
    let vectors: [(&[&str], &str); 2] = [(&["up", "up"], "up"), (&["_", "more"], "more")];
    let made_for = refint(&network(&[abstraction, neighbour], &vectors), 1, &[2]);
    let why = restrict(&mut Counts::new(), &made_for.interface, ANY, &Unwatched).unwrap_err();
    let said = "the part does `down`, which its abstraction lacks; add this label there";
    assert_eq!(why.to_string(), said);
}

/// What is seen of the whole network does not change: here by the fast product and comparison, on networks that are admissible.
#[test]
fn products_with_restricted_parts_are_the_same() {
    for seed in seeds(300) {
        let Some(case) = case(seed) else { continue };
        let left = restricted(case.lts(), &case.interface().interface);
        let mut other = case.network.clone();
        other.parts[case.part].lts = Arc::new(left.lts);
        let made = |network: &Network| product(network, ANY, &Unwatched).unwrap();
        let (one, two) = (made(&case.network), made(&other));
        assert_eq!(one.figures.states, two.figures.states, "seed {seed}: {}", case.shown());
        assert_eq!(one.figures.transitions, two.figures.transitions, "seed {seed}");
        let strong = LtsQuestion::Equivalent(Equivalence::Strong);
        let same = compare(one.lts, two.lts, strong, ReduceLimits::default(), &Unwatched).unwrap();
        assert!(same.holds, "seed {seed}: {}", case.shown());
    }
}
