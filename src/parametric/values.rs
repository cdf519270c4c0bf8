//! What an invariant needs to know of a component and its part `Z` of a set of states: a value for each port.

use super::bits::StateBits;
use super::pattern::{ComponentMove, ComponentStateId, ComponentType, PatternPortId};

/// The families of structural invariants. Let `Z` be a set of states of components, and `pre` and `post` the states of those
/// who move, before and after a step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum InvariantFamily {
    /// What was in `Z` before is not empty ⇒ nor is it after; it is not empty to begin with. So `Z` never is.
    Trap,
    /// At least two were in `Z`, or as many are as were; to begin with one is. So always one is.
    One,
    /// As many are in `Z` as were. So always as many are as to begin with.
    Flow,
    /// What is in `Z` after is not empty ⇒ nor was it before; it is empty to begin with. So `Z` always is.
    Siphon,
}

impl InvariantFamily {
    /// All of them.
    pub const ALL: [InvariantFamily; 4] = [
        InvariantFamily::Trap,
        InvariantFamily::One,
        InvariantFamily::Flow,
        InvariantFamily::Siphon,
    ];

    /// A letter for it.
    pub fn letter(self) -> char {
        match self {
            InvariantFamily::Trap => 't',
            InvariantFamily::One => 'o',
            InvariantFamily::Flow => 'f',
            InvariantFamily::Siphon => 's',
        }
    }

    /// What people call it.
    pub fn label(self) -> &'static str {
        match self {
            InvariantFamily::Trap => "trap",
            InvariantFamily::One => "one",
            InvariantFamily::Flow => "flow",
            InvariantFamily::Siphon => "siphon",
        }
    }
}

/// The best that a port can be for traps and siphons: whatever the others do, this member sees to it.
pub const BEST: u8 = 0;
/// It does no harm, and no good.
pub const HARMLESS: u8 = 1;
/// It does harm, unless another sees to it.
pub const HARM: u8 = 2;

/// The two ends of a move as a family sees them: siphons are traps of what goes backwards.
pub fn ends(step: &ComponentMove, backwards: bool) -> (ComponentStateId, ComponentStateId) {
    if backwards { (step.to, step.from) } else { (step.from, step.to) }
}

/// The value of a port for traps, or for siphons where it goes backwards.
pub fn closed_value(
    of: &ComponentType,
    port: PatternPortId,
    set: &StateBits,
    backwards: bool,
) -> u8 {
    let mut steps = of.moves_by(port).map(|step| ends(step, backwards));
    let leaves = |(from, to)| set.has(from) && !set.has(to);
    match steps.clone().all(|(_, to)| set.has(to)) {
        true => BEST,
        false if steps.any(leaves) => HARM,
        false => HARMLESS,
    }
}

/// Whether an interaction of members with these values keeps a trap or siphon.
pub fn is_closed(mut values: impl Iterator<Item = u8> + Clone) -> bool {
    values.clone().any(|value| value == BEST) || values.all(|value| value != HARM)
}

/// The value of a port for what is counted: which pairs of (is in `Z` before, is in `Z` after) its moves have, as four bits.
pub fn counted_value(of: &ComponentType, port: PatternPortId, set: &StateBits) -> u8 {
    let pair = |step: &ComponentMove| 2 * u8::from(set.has(step.from)) + u8::from(set.has(step.to));
    of.moves_by(port).fold(0, |mask, step| mask | 1 << pair(step))
}

/// Whether an interaction of members with these values keeps the count. It need not where two were in the set before, and
/// `loose` says that this does not matter.
///
/// What matters of the members so far is how many were in the set (up to two), and how many more are: at most as many more or
/// fewer as there are members, so that what is possible is a small table. Its rows are the bits of three numbers.
pub fn is_counted(values: impl ExactSizeIterator<Item = u8> + Clone, loose: bool) -> bool {
    let members = values.len();
    if members > MOST_IN_A_ROW {
        return is_counted_of_many(values, loose);
    }
    let none = 1u128 << members;
    let mut possible = [none, 0, 0];
    for mask in values {
        let mut next = [0; 3];
        for pair in (0..4).filter(|pair| mask >> pair & 1 == 1) {
            let (before, after) = (pair / 2, pair % 2);
            for (row, bits) in possible.iter().enumerate() {
                next[(row + before).min(2)] |= bits << after >> before;
            }
        }
        possible = next;
    }
    let [no_one, one, two] = possible;
    (no_one | one) & !none == 0 && (loose || two & !none == 0)
}

/// How many members can have differences that are bits of one number.
const MOST_IN_A_ROW: usize = 63;

/// The same of interactions with very many members.
fn is_counted_of_many(values: impl ExactSizeIterator<Item = u8>, loose: bool) -> bool {
    let members = values.len();
    let width = 2 * members + 1;
    let mut possible = vec![false; 3 * width];
    possible[members] = true;
    for mask in values {
        let mut next = vec![false; 3 * width];
        for at in (0..possible.len()).filter(|&at| possible[at]) {
            let (before, more) = (at / width, at % width);
            for pair in (0..4).filter(|pair| mask >> pair & 1 == 1) {
                let before = (before + pair / 2).min(2);
                next[before * width + more + pair % 2 - pair / 2] = true;
            }
        }
        possible = next;
    }
    let is_kept = |at: usize| at % width == members || (loose && at / width == 2);
    (0..possible.len()).all(|at| !possible[at] || is_kept(at))
}

#[cfg(test)]
mod tests {
    use super::{BEST, HARM, HARMLESS, is_closed, is_counted, is_counted_of_many};
    use itertools::Itertools;

    /// All choices of pairs, one by one.
    fn naive(masks: &[u8], keeps: impl Fn(usize, usize) -> bool) -> bool {
        let pairs = |mask: u8| (0..4usize).filter(move |pair| mask >> pair & 1 == 1);
        let mut all = masks.iter().map(|&mask| pairs(mask).collect_vec()).multi_cartesian_product();
        all.all(|choice| {
            let before = choice.iter().map(|pair| pair / 2).sum();
            keeps(before, choice.iter().map(|pair| pair % 2).sum())
        })
    }

    #[test]
    fn counting_is_what_all_choices_say() {
        for masks in
            (1..=3).flat_map(|many| vec![0..16u8; many].into_iter().multi_cartesian_product())
        {
            let one = naive(&masks, |before, after| before >= 2 || before == after);
            assert_eq!(is_counted(masks.iter().copied(), true), one, "{masks:?}");
            let flow = naive(&masks, |before, after| before == after);
            assert_eq!(is_counted(masks.iter().copied(), false), flow, "{masks:?}");
            for (loose, expected) in [(true, one), (false, flow)] {
                let many = is_counted_of_many(masks.iter().copied(), loose);
                assert_eq!(many, expected, "{masks:?}");
            }
        }
    }

    /// Where differences are the bits of one number, all of them are.
    #[test]
    fn many_members_are_counted_as_few_are() {
        let (joins, leaves, stays) = (0b0010u8, 0b0100u8, 0b1001u8);
        for many in 60..70 {
            for (first, others) in
                [(joins, joins), (leaves, leaves), (stays, leaves), (joins, leaves)]
            {
                // The last ones make up for the first, or not quite.
                for back in [many / 2, many / 2 + 1] {
                    let masks: Vec<u8> =
                        (0..many).map(|at| if at < back { first } else { others }).collect();
                    let mut turned = masks.clone();
                    turned.reverse();
                    for (masks, loose) in [(&masks, true), (&masks, false), (&turned, false)] {
                        let found = is_counted(masks.iter().copied(), loose);
                        let expected = is_counted_of_many(masks.iter().copied(), loose);
                        assert_eq!(found, expected, "{many} {masks:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn one_member_can_see_to_it() {
        assert!(is_closed([HARM, BEST].into_iter()));
        assert!(is_closed([HARMLESS, HARMLESS].into_iter()));
        assert!(!is_closed([HARM, HARMLESS].into_iter()));
    }
}
