//! The two interpreters of the library beside each other.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use pnetc::explore::compiled::Compiled;
use pnetc::explore::naive::Interpreter;
use pnetc::explore::{Configuration, Domains, Gap, Machine, Moves, Value};
use pnetc::pnet::{HoleId, PNet};

/// What a step shows and what holes do, and where it leads.
type Shown = (Value, Vec<(HoleId, Value)>, Configuration);

/// What was compared.
#[derive(Clone, Copy, Default, Debug)]
pub struct Agreed {
    pub models: usize,
    pub configs: usize,
    pub steps: usize,
    pub stuck: usize,
    pub ended: usize,
    /// Configurations of which both cannot say anything.
    pub gaps: usize,
    /// Configurations of which only the plain one cannot say anything, and only the fast one.
    pub gaps_of_one: [usize; 2],
    /// Models in which domains limit something.
    pub limited: usize,
}

impl std::ops::AddAssign for Agreed {
    fn add_assign(&mut self, other: Agreed) {
        self.models += other.models;
        self.configs += other.configs;
        self.steps += other.steps;
        self.stuck += other.stuck;
        self.ended += other.ended;
        self.gaps += other.gaps;
        self.limited += other.limited;
        self.gaps_of_one[0] += other.gaps_of_one[0];
        self.gaps_of_one[1] += other.gaps_of_one[1];
    }
}

/// One answer beside the other. Where one of them cannot say anything, the other may: it may have solved what the first
/// did not. What both say must be the same.
fn both<A, B>(plain: Result<A, Gap>, fast: Result<B, Gap>, agreed: &mut Agreed) -> Option<(A, B)> {
    match (plain, fast) {
        (Ok(plain), Ok(fast)) => Some((plain, fast)),
        (Err(_), Err(_)) => {
            agreed.gaps += 1;
            None
        }
        (Err(_), Ok(_)) => {
            agreed.gaps_of_one[0] += 1;
            None
        }
        (Ok(_), Err(_)) => {
            agreed.gaps_of_one[1] += 1;
            None
        }
    }
}

/// Compares the first configurations that a net reaches.
pub fn compare(net: &PNet, domains: &Domains, most: usize) -> Result<Agreed, String> {
    let mut agreed = Agreed { models: 1, ..Agreed::default() };
    let plain = Interpreter::new(net, domains.clone());
    let initial = plain.initial();
    let fast = Compiled::new(net, domains);
    let Some((ours, (theirs, limited))) = both(initial, fast.initial(), &mut agreed) else {
        return Ok(agreed);
    };
    agreed.limited += usize::from(ours.limited);
    if ours.limited && !limited {
        return Err("the fast one does not say that domains limit where it begins".to_owned());
    }
    let decoded: Vec<Configuration> = theirs.iter().map(|packed| fast.decode(packed)).collect();
    if ours.configurations != decoded {
        let (ours, theirs) = (ours.configurations, decoded);
        return Err(format!("begins differently: {ours:#?}\nfast: {theirs:#?}"));
    }
    let mut scratch = fast.scratch();
    let mut moves = Moves::new(fast.bits().div_ceil(64));
    let mut seen: BTreeMap<Configuration, Box<[u64]>> = BTreeMap::new();
    let mut work: VecDeque<(Configuration, Box<[u64]>)> = decoded.into_iter().zip(theirs).collect();
    seen.extend(work.iter().cloned());
    while let Some((at, packed)) = work.pop_front() {
        if agreed.configs >= most {
            break;
        }
        if plain.is_final(&at) != fast.is_final(&packed) {
            return Err(format!("is final for one of them in {at:?}"));
        }
        agreed.ended += usize::from(plain.is_final(&at));
        moves.clear();
        let theirs = fast.steps(&mut scratch, &packed, true, &mut moves);
        let Some((ours, ())) = both(plain.steps(&at), theirs, &mut agreed) else { continue };
        let ours_are: BTreeSet<Shown> =
            ours.steps.into_iter().map(|step| (step.action, step.holes, step.target)).collect();
        let mut theirs_are: BTreeSet<Shown> = BTreeSet::new();
        for step in 0..moves.len() {
            let (action, holes) = fast.label(moves.label(step));
            let target = fast.decode(moves.target(step));
            if !seen.contains_key(&target) {
                let packed: Box<[u64]> = moves.target(step).into();
                seen.insert(target.clone(), packed.clone());
                work.push_back((target.clone(), packed));
            } else if *seen[&target] != *moves.target(step) {
                return Err(format!("is packed in two ways: {target:?}"));
            }
            theirs_are.insert((action, holes, target));
        }
        if ours_are != theirs_are {
            return Err(format!("differs in {at:?}:{}", difference(&ours_are, &theirs_are)));
        }
        if ours.limited && !moves.limited {
            return Err(format!("does not say that domains limit what happens in {at:?}"));
        }
        agreed.configs += 1;
        agreed.steps += ours_are.len();
        agreed.stuck += usize::from(ours_are.is_empty());
    }
    Ok(agreed)
}

fn difference(plain: &BTreeSet<Shown>, fast: &BTreeSet<Shown>) -> String {
    let missing = plain.difference(fast).take(3).map(|step| format!("\n  fast lacks {step:?}"));
    let extra = fast.difference(plain).take(3).map(|step| format!("\n  only fast has {step:?}"));
    missing.chain(extra).collect()
}
