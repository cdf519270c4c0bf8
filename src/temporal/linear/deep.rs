//! Goes through a product in depth until it has seen a run that counts: components are joined as they are found (Couvreur, FM
//! 1999), with the marks that are met inside, and one that has all of them is enough. Nothing recurses.

use super::part::Part;
use super::product::{Product, join};
use crate::base::budget::is_spent;
use crate::temporal::explicit::{MoveId, Undecided};
use crate::temporal::ground::Ground;

/// What was seen.
pub(super) enum Sight {
    /// A run stops in the last node of the way: it ends there, or need not be told further.
    Stops,
    /// A run goes round among these nodes, all of them, and counts.
    Round(Vec<u32>),
}

/// Steps, with the nodes to which they lead.
type Steps = Vec<(MoveId, u32)>;

/// A node on the way, and what of it was looked at.
struct Frame {
    node: u32,
    /// The step that led to it.
    done: MoveId,
    /// The way that is looked at, and those that are left.
    ways: std::ops::Range<u32>,
    /// How many of the steps by this way were looked at.
    place: usize,
}

/// A component, as far as it is known: nodes that were visited from its first one on.
struct Root {
    first: u32,
    /// Whether it goes round at all.
    round: bool,
}

struct Deep<'d> {
    product: &'d mut Product,
    ground: &'d mut dyn Ground,
    frames: Vec<Frame>,
    /// What is possible in the configuration of each frame.
    possible: Vec<u64>,
    roots: Vec<Root>,
    /// For each root: the marks inside, what is possible inside, and the marks of the step that led to it.
    inside: Vec<u64>,
    /// Nodes that are visited and whose components are not known, in the order in which they were visited.
    live: Vec<u32>,
    count: u32,
    width: usize,
}

/// What is seen first of a run that counts, and a way to it. Where there is none, all that was visited is over.
pub(super) fn search(
    product: &mut Product,
    ground: &mut dyn Ground,
    begin: u32,
) -> Result<Option<(Sight, Steps)>, Undecided> {
    let width = product.marks.width;
    let mut deep = Deep {
        product,
        ground,
        frames: Vec::new(),
        possible: Vec::new(),
        roots: Vec::new(),
        inside: Vec::new(),
        live: Vec::new(),
        count: 0,
        width,
    };
    let Some(sight) = deep.run(begin)? else { return Ok(None) };
    let path = deep.frames.iter().skip(1).map(|frame| (frame.done, frame.node)).collect();
    // Others may come by here again, and begin anew.
    for node in std::mem::take(&mut deep.live) {
        deep.product.visit(node, 0);
    }
    Ok(Some((sight, path)))
}

impl Deep<'_> {
    fn run(&mut self, begin: u32) -> Result<Option<Sight>, Undecided> {
        let nothing = vec![0; self.width];
        if let Some(sight) = self.enter(begin, MoveId(0), &nothing)? {
            return Ok(Some(sight));
        }
        let mut marks = nothing;
        while let Some(frame) = self.frames.last_mut() {
            let Some(way) = frame.ways.clone().next() else {
                if let Some(sight) = self.leave()? {
                    return Ok(Some(sight));
                }
                continue;
            };
            let state = self.product.state(frame.node);
            let Some(&(done, to)) = self.ground.row(state).get(frame.place) else {
                frame.ways.start += 1;
                frame.place = 0;
                continue;
            };
            frame.place += 1;
            if !self.product.takes(self.ground, way, done)? {
                continue;
            }
            let node = self.product.target(to, way)?;
            if self.product.is_over(node) {
                continue;
            }
            let possible = &self.possible[self.possible.len() - self.width..];
            self.product.marks_of(self.ground, (way, done), possible, &mut marks)?;
            let seen = match self.product.visited(node) {
                0 => self.enter(node, done, &marks)?,
                number => self.join(number, &marks),
            };
            if seen.is_some() {
                return Ok(seen);
            }
        }
        Ok(None)
    }

    /// Visits a node.
    fn enter(&mut self, node: u32, done: MoveId, arc: &[u64]) -> Result<Option<Sight>, Undecided> {
        if self.count.is_multiple_of(1024) && is_spent() {
            return Err(Undecided::Stopped);
        }
        self.count += 1;
        self.product.visit(node, self.count);
        self.live.push(node);
        let shape = self.product.shape(self.ground, node)?;
        let state = self.product.state(node);
        let ends = shape.ends && self.ground.may_end(state)?;
        self.frames.push(Frame { node, done, ways: shape.ways, place: 0 });
        if ends || shape.free {
            return Ok(Some(Sight::Stops));
        }
        let start = self.possible.len();
        self.possible.resize(start + self.width, 0);
        self.product.marks.possible(self.ground, state, &mut self.possible[start..])?;
        self.roots.push(Root { first: self.count, round: false });
        self.inside.resize(self.inside.len() + self.width, 0);
        self.inside.extend_from_slice(&self.possible[start..]);
        self.inside.extend_from_slice(arc);
        Ok(None)
    }

    /// A step leads back to a node whose component is not known: all between belong together.
    fn join(&mut self, number: u32, marks: &[u64]) -> Option<Sight> {
        let (width, each) = (self.width, 3 * self.width);
        while self.roots.last().is_some_and(|root| root.first > number) {
            self.roots.pop();
            let upper = self.inside.split_off(self.inside.len() - each);
            let lower = self.inside.len() - each;
            let under = &mut self.inside[lower..];
            join(&mut under[..width], &upper[..width]);
            join(&mut under[width..2 * width], &upper[width..2 * width]);
            // The step that led to it is inside now.
            join(&mut under[..width], &upper[2 * width..]);
        }
        let root = self.roots.last_mut()?;
        root.round = true;
        let first = root.first;
        let start = self.inside.len() - each;
        let inside = &mut self.inside[start..];
        join(&mut inside[..width], marks);
        let (met, possible) = inside[..2 * width].split_at(width);
        self.product.marks.counts(met, possible).then(|| Sight::Round(self.since(first)))
    }

    /// The nodes whose components are not known that were visited from one on.
    fn since(&self, first: u32) -> Vec<u32> {
        let product = &self.product;
        let start = self.live.partition_point(|&node| product.visited(node) < first);
        self.live[start..].to_vec()
    }

    /// All of a node was looked at.
    fn leave(&mut self) -> Result<Option<Sight>, Undecided> {
        let Some(frame) = self.frames.last() else { return Ok(None) };
        let number = self.product.visited(frame.node);
        let is_first = self.roots.last().is_some_and(|root| root.first == number);
        if is_first {
            let start = self.inside.len() - 3 * self.width;
            let round = self.roots.last().is_some_and(|root| root.round);
            let met = &self.inside[start..start + self.width];
            // With strong fairness, a part of a component may do where the whole does not.
            let maybe = round && self.product.marks.is_fair();
            if maybe && self.product.marks.counts_weakly(met) {
                let nodes = self.since(number);
                let part = Part::among(self.product, self.ground, &nodes)?;
                if let Some(nodes) = part.fair(self.product, self.ground)?.into_iter().next() {
                    let nodes = nodes.into_iter().map(|place| part.node(place)).collect();
                    return Ok(Some(Sight::Round(nodes)));
                }
            }
            self.roots.pop();
            self.inside.truncate(start);
            let first = self.live.partition_point(|&node| self.product.visited(node) < number);
            for node in self.live.split_off(first) {
                self.product.end(node);
            }
        }
        self.frames.pop();
        self.possible.truncate(self.possible.len() - self.width);
        Ok(None)
    }
}
