//! The fast interpreter does what the plain one does: on random models, on the examples and on those of the documents
//! both begin in the same configurations, and have the same steps from each.

use std::collections::{BTreeSet, VecDeque};

use pnetc::algebra::AbstractId;
use pnetc::elaborate::ElaborateOptions;
use pnetc::explore::compiled::Compiled;
use pnetc::explore::naive::Interpreter;
use pnetc::explore::{Configuration, Domains, Gap, Machine, Moves, Value};
use pnetc::pnet::{HoleId, PNet};
use rustc_hash::FxHashSet;

use crate::common::nets::{self, Shape};
use crate::common::seeds::{fuzz, seeds};
use crate::common::values::make::{self, Kind};
use crate::common::values::twin::twin;
use crate::common::{Random, check_text, models, shrink};

/// How many configurations of a model are looked at.
const LIMIT: usize = 40;

/// What somebody sees of a step.
type Seen = (Value, Vec<(HoleId, Value)>, Configuration);

/// What was compared.
#[derive(Clone, Copy, Default, Debug)]
struct Compared {
    nets: usize,
    configs: usize,
    steps: usize,
    /// Configurations of which neither can say anything.
    gaps: usize,
    /// Configurations of which only the fast one can say something.
    more: usize,
    /// Those of which only the plain one can, which gives up later on quantifiers over endless sorts; and those in which it
    /// sees that values that are left out make no difference, and the fast one does not. Both leave a check unknown.
    less: usize,
    /// Configurations in which values are left out.
    limited: usize,
    stuck: usize,
}

impl std::ops::AddAssign for Compared {
    fn add_assign(&mut self, other: Compared) {
        self.nets += other.nets;
        self.configs += other.configs;
        self.steps += other.steps;
        self.gaps += other.gaps;
        self.more += other.more;
        self.less += other.less;
        self.limited += other.limited;
        self.stuck += other.stuck;
    }
}

/// A few numbers, and two values of each abstract sort.
fn few(net: &PNet) -> Domains {
    let abstracts = (0..net.algebra.abstracts.len() as u32).map(|id| (AbstractId(id), 2));
    Domains {
        integers: Some(((-1).into(), 3.into())),
        abstracts: abstracts.collect(),
        ..Domains::default()
    }
}

/// Where a step leads, packed, and what it is.
type PackedStep = (Box<[u64]>, Seen);

/// What the fast one says about a configuration.
fn fast_steps(machine: &Compiled<'_>, packed: &[u64]) -> Result<(Vec<PackedStep>, bool), Gap> {
    let (mut scratch, mut moves) = (machine.scratch(), Moves::new(machine.bits().div_ceil(64)));
    machine.steps(&mut scratch, packed, true, &mut moves)?;
    let mut without = Moves::new(machine.bits().div_ceil(64));
    machine.steps(&mut scratch, packed, false, &mut without)?;
    assert_eq!(moves.len(), without.len(), "labels change nothing");
    let found = (0..moves.len()).map(|step| {
        assert_eq!(moves.target(step), without.target(step));
        let (shown, holes) = machine.label(moves.label(step));
        let target: Box<[u64]> = moves.target(step).into();
        let at = machine.decode(&target);
        (target, (shown, holes, at))
    });
    Ok((found.collect(), moves.limited))
}

fn compare(net: &PNet, domains: &Domains) -> Result<Compared, String> {
    let (machine, plain) = (Compiled::new(net, domains), Interpreter::new(net, domains.clone()));
    let mut compared = Compared { nets: 1, ..Compared::default() };
    let (fast, initial) = match (machine.initial(), plain.initial()) {
        (Ok(fast), Ok(plain)) => (fast, plain),
        (Err(_), Err(_)) => {
            compared.gaps += 1;
            return Ok(compared);
        }
        (Ok(_), Err(_)) => {
            compared.more += 1;
            return Ok(compared);
        }
        (Err(gap), Ok(_)) => return Err(format!("initially there is a gap: {gap}")),
    };
    let begins: Vec<Configuration> = fast.0.iter().map(|packed| machine.decode(packed)).collect();
    // The fast one sees where no value at all is possible, however many there are.
    if begins != initial.configurations || fast.1 && !initial.limited {
        return Err(format!("begins in {begins:?} ({}), should in {initial:?}", fast.1));
    }
    let mut seen: FxHashSet<Box<[u64]>> = fast.0.iter().cloned().collect();
    let mut work: VecDeque<Box<[u64]>> = fast.0.into();
    while let Some(packed) = work.pop_front() {
        if compared.configs + compared.gaps + compared.more + compared.less >= LIMIT {
            break;
        }
        let at = machine.decode(&packed);
        if machine.is_final(&packed) != plain.is_final(&at) {
            return Err(format!("is not as final as it should be in {at:?}"));
        }
        let (ours, theirs) = match (fast_steps(&machine, &packed), plain.steps(&at)) {
            (Ok(ours), Ok(theirs)) => (ours, theirs),
            (Err(_), Err(_)) => {
                compared.gaps += 1;
                continue;
            }
            (Ok(_), Err(_)) => {
                compared.more += 1;
                continue;
            }
            (Err(Gap::Quantifier { .. }), Ok(_)) => {
                compared.less += 1;
                continue;
            }
            (Err(gap), Ok(_)) => return Err(format!("has a gap in {at:?}: {gap}")),
        };
        let shown: BTreeSet<Seen> = ours.0.iter().map(|(_, seen)| seen.clone()).collect();
        let wanted: BTreeSet<Seen> =
            theirs.steps.into_iter().map(|step| (step.action, step.holes, step.target)).collect();
        if shown != wanted {
            let missing: Vec<_> = wanted.difference(&shown).take(3).collect();
            let extra: Vec<_> = shown.difference(&wanted).take(3).collect();
            return Err(format!(
                "differs in {at:?}: {} steps for {}\nmissing {missing:?}\ntoo much {extra:?}",
                shown.len(),
                wanted.len()
            ));
        }
        // The plain one mostly does not see that a value which nobody looks at makes no difference.
        compared.less += usize::from(ours.1 && !theirs.limited);
        compared.configs += 1;
        compared.steps += shown.len();
        compared.limited += usize::from(ours.1);
        compared.stuck += usize::from(shown.is_empty());
        for (target, _) in ours.0 {
            if seen.insert(target.clone()) {
                work.push_back(target);
            }
        }
    }
    Ok(compared)
}

/// Compares everything that can be built of a model.
fn whole_text(text: &str) -> Result<Compared, String> {
    let checked = check_text(text);
    let mut compared = Compared::default();
    if checked.has_errors() {
        return Ok(compared);
    }
    for (name, _) in checked.targets() {
        let Ok(net) = checked.build(Some(name.as_str()), &ElaborateOptions::default()) else {
            continue;
        };
        for domains in [few(&net), Domains::default()] {
            compared += compare(&net, &domains).map_err(|why| format!("{name} {why}"))?;
        }
    }
    Ok(compared)
}

fn random_texts(name: &str, count: u64, make: impl Fn(&mut Random) -> String) -> Compared {
    let (mut total, mut failures) = (Compared::default(), Vec::new());
    for seed in seeds(fuzz().unwrap_or(count)) {
        let text = make(&mut Random::new(seed));
        match shrink::tried(&format!("{name}, PNET_SEED={seed}"), &text, whole_text) {
            Ok(found) => total += found,
            Err(why) => failures.push(why),
        }
    }
    println!("{name}: {total:?}");
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
    let many = seeds(fuzz().unwrap_or(count)).count() > 1;
    assert!(total.less * 100 <= total.configs || !many, "{total:?}");
    total
}

#[test]
fn random_nets_do_the_same() {
    for (name, shape, count) in [("closed", Shape::closed(), 40), ("open", Shape::open(), 100)] {
        let total = random_texts(name, count, |random| nets::model(random, shape));
        assert!(total.steps > 1_000, "{total:?}");
        assert!(total.stuck > 0 || name == "open", "{total:?}");
    }
}

#[test]
fn values_at_the_borders_do_the_same() {
    for kind in [
        Kind::Leaf,
        Kind::Closed,
        Kind::Open,
        Kind::Families,
        Kind::Nested,
        Kind::Connected,
        Kind::Filled,
    ] {
        for symbolic in [false, true] {
            let name = format!("{kind:?}, symbolic: {symbolic}");
            random_texts(&name, 12, |random| {
                let mut model = make::model(random, kind, symbolic);
                twin(random, &mut model);
                model.text()
            });
        }
    }
}

#[test]
fn examples_and_documents_do_the_same() {
    let mut total = Compared::default();
    for (place, text) in models::models() {
        total += whole_text(&text).unwrap_or_else(|why| panic!("{place}: {why}"));
    }
    println!("{total:?}");
    assert!(total.nets > 100 && total.steps > 1_000, "{total:?}");
}
