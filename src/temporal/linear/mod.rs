//! What is said of runs, on finite systems: the product with an automaton that is made on the way (Couvreur, FM 1999), and
//! its strongly connected components, without those in which no run is fair (Emerson and Lei, 1987).
//!
//! A node of the product is a configuration and what is owed there. What is owed is taken apart (`owed.rs`) into what holds
//! here, what the next step must be, and what is owed then; an until that is put off is a promise, and a run that goes on for ever
//! must not put it off for ever. A run that ends owes nothing more at its end. Nodes are made as somebody comes to them
//! (`product.rs`). First `part.rs` has what is near, where a shortest run is looked for. Then `deep.rs` goes through them until it has
//! seen a run that counts, in turns with making all configurations, many at once; as soon as all of these are known, `wide.rs`
//! goes through the nodes at once, and keeps no more of them than it needs.

mod deep;
mod owed;
mod part;
mod product;
mod wide;

use rustc_hash::FxHashMap;

use super::explicit::{Bindings, MoveId, Undecided};
use super::formula::{PathFormula, Runs};
use super::ground::Ground;
use super::modal::Decider;
use crate::base::Id;
use crate::lts::LtsState;

use self::deep::{Deep, Sight, Went};
use self::part::Part;
use self::product::Product;
use self::wide::Met;

/// So many nodes are looked at one level after the other, so that what is near is found by a short run.
const NEAR: usize = 10_000;

/// So many nodes are visited in the first turn of going deep; in each turn twice as many as in the one before.
const TURN: usize = 2_500;

/// For each node that is visited in a turn, so many configurations are made after it.
const GROWS: usize = 32;

/// A run that shows something: it ends, or goes round for ever.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lasso {
    /// Where it begins.
    pub begins: LtsState,
    /// The steps before the loop: what is done, and where they lead.
    pub stem: Vec<(MoveId, LtsState)>,
    /// The steps of the loop, which leads back to where it begins; empty where the run ends.
    pub round: Vec<(MoveId, LtsState)>,
    /// Whether it need not end where it does: however it goes on, it shows the same.
    pub open: bool,
}

/// Where all runs, or some run, are as is said.
pub(super) fn set(
    decider: &mut Decider<'_>,
    runs: Runs,
    path: &PathFormula,
    bound: &Bindings,
) -> Result<Vec<bool>, Undecided> {
    let mut product = Product::new(decider, (path, runs == Runs::All), bound)?;
    let states = decider.system.len();
    let mut begins = Vec::with_capacity(states);
    for at in 0..states {
        begins.push(product.begin(LtsState::at(at))?);
    }
    let part = Part::reached(&mut product, decider, &begins, usize::MAX)?;
    let good = part.good(&mut product, decider)?.0;
    // The first nodes of the part are those with which it began.
    Ok((0..states).map(|at| good[at] != (runs == Runs::All)).collect())
}

/// A run from a configuration in which the system begins that is not as is said; nothing where there is none.
pub fn counterexample(
    decider: &mut Decider<'_>,
    path: &PathFormula,
) -> Result<Option<Lasso>, Undecided> {
    counterexample_near(decider, path, NEAR)
}

/// The same, where only so many nodes are looked at level by level before it is gone deeper.
pub fn counterexample_near(
    decider: &mut Decider<'_>,
    path: &PathFormula,
    near: usize,
) -> Result<Option<Lasso>, Undecided> {
    let mut runner = Runner::new(decider, (path, true), &Vec::new())?;
    for at in decider.system.begins.clone() {
        if let Some(found) = runner.run_near(decider, at, near)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Looks for runs that are as is said. What it went through for one beginning is not gone through again for another.
pub(super) struct Runner {
    product: Product,
    /// Nodes that were met where all configurations were known, and from which no run counts.
    over: Met,
}

/// What was seen of a run, and a way to it, if one is known.
type Seen = (Sight, Option<Vec<(MoveId, u32)>>);

impl Runner {
    /// Runs that are as is said, or, with `not`, that are not.
    pub fn new(
        ground: &mut dyn Ground,
        says: (&PathFormula, bool),
        bound: &Bindings,
    ) -> Result<Runner, Undecided> {
        Ok(Runner { product: Product::new(ground, says, bound)?, over: Met::default() })
    }

    /// A run from a configuration; nothing where there is none.
    pub fn run(
        &mut self,
        ground: &mut dyn Ground,
        at: LtsState,
    ) -> Result<Option<Lasso>, Undecided> {
        self.run_near(ground, at, NEAR)
    }

    fn run_near(
        &mut self,
        ground: &mut dyn Ground,
        at: LtsState,
        near: usize,
    ) -> Result<Option<Lasso>, Undecided> {
        let product = &mut self.product;
        let begin = product.begin(at)?;
        if product.is_over(begin) || self.over.has(product.key(begin)) {
            return Ok(None);
        }
        let part = Part::reached(product, ground, &[begin], near)?;
        if let Some(found) = part.lasso(product, ground)? {
            return Ok(Some(found));
        }
        if part.is_whole() {
            part.nodes().for_each(|node| product.end(node));
            return Ok(None);
        }
        let Some(seen) = self.seen_far(ground, begin)? else { return Ok(None) };
        self.far(ground, (begin, at), seen)
    }

    /// What is seen of a run from a node, by going deep and making all configurations in turns.
    fn seen_far(&mut self, ground: &mut dyn Ground, begin: u32) -> Result<Option<Seen>, Undecided> {
        let product = &mut self.product;
        let mut deep = Deep::new(product, begin);
        let (mut turn, mut whole) = (TURN, ground.is_whole());
        while !whole {
            match deep.go(product, ground, turn)? {
                Went::Seen(sight, path) => return Ok(Some((sight, Some(path)))),
                Went::Nowhere => return Ok(None),
                Went::Paused => {}
            }
            // Where not all can be known, some run may still be seen.
            match ground.grow(turn.saturating_mul(GROWS)) {
                Ok(all) => whole = all,
                Err(Undecided::Stopped) => return Err(Undecided::Stopped),
                Err(_) => turn = usize::MAX / GROWS,
            }
            turn = turn.saturating_mul(2);
        }
        deep.leave_all(product);
        let sight = wide::search(product, ground, begin, &mut self.over)?;
        Ok(sight.map(|sight| (sight, None)))
    }

    /// A run to what was seen far away, and round.
    fn far(
        &mut self,
        ground: &mut dyn Ground,
        (begin, at): (u32, LtsState),
        (sight, path): Seen,
    ) -> Result<Option<Lasso>, Undecided> {
        let product = &mut self.product;
        let (rounds, stops) = match sight {
            Sight::Stops => (Vec::new(), true),
            Sight::Rounds(rounds) => (rounds, false),
        };
        let mut round_of: FxHashMap<u32, usize> = FxHashMap::default();
        for (number, nodes) in rounds.iter().enumerate() {
            nodes.iter().for_each(|&node| _ = round_of.insert(node, number));
        }
        // What is found by going deep is far away: a shorter way is worth as much work again, and where all is known, any.
        let most = if path.is_none() { usize::MAX } else { 4 * (product.len() + NEAR) };
        let is_goal = |node: u32| round_of.contains_key(&node);
        let shorter = product.shortest(ground, begin, &is_goal, most)?;
        let stem = match (shorter, path) {
            (Some(shorter), _) => shorter,
            (None, Some(path)) if stops => path,
            (None, Some(path)) => until(path, begin, &is_goal),
            (None, None) => return Err(Undecided::Stopped),
        };
        let last = stem.last().map_or(begin, |step| step.1);
        let open = product.shape(ground, last)?.free;
        let round = match round_of.get(&last) {
            Some(&number) if !product.stops(ground, last)? => {
                Part::among(product, ground, &rounds[number])?.round(product, ground, last)?
            }
            _ => Some(Vec::new()),
        };
        let stem = product.told(&stem);
        Ok(round.map(|round| Lasso { begins: at, stem, round, open }))
    }
}

/// A way as far as the first node of some kind.
fn until(
    path: Vec<(MoveId, u32)>,
    begin: u32,
    is_goal: &dyn Fn(u32) -> bool,
) -> Vec<(MoveId, u32)> {
    let many = match is_goal(begin) {
        true => 0,
        false => path.iter().take_while(|step| !is_goal(step.1)).count() + 1,
    };
    path.into_iter().take(many).collect()
}
