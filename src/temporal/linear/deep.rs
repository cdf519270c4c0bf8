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
    /// A run goes round among these nodes, all of them, and counts; or among others of these.
    Rounds(Vec<Vec<u32>>),
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

/// What came of going on.
pub(super) enum Went {
    /// What is seen first of a run that counts, and a way to it.
    Seen(Sight, Steps),
    /// There is none: all that was visited is over.
    Nowhere,
    /// It may go on.
    Paused,
}

/// A search that is on its way, and can be left and taken up again.
pub(super) struct Deep {
    begin: u32,
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

/// The product, and what it is made of.
struct On<'d> {
    product: &'d mut Product,
    ground: &'d mut dyn Ground,
}

impl Deep {
    /// A search from a node, which did not begin yet.
    pub fn new(product: &Product, begin: u32) -> Deep {
        Deep {
            begin,
            frames: Vec::new(),
            possible: Vec::new(),
            roots: Vec::new(),
            inside: Vec::new(),
            live: Vec::new(),
            count: 0,
            width: product.marks.width,
        }
    }

    /// Goes on, to so many more nodes.
    pub fn go(
        &mut self,
        product: &mut Product,
        ground: &mut dyn Ground,
        most: usize,
    ) -> Result<Went, Undecided> {
        let mut on = On { product: &mut *product, ground: &mut *ground };
        let last = u32::try_from(most).map_or(u32::MAX, |most| self.count.saturating_add(most));
        let Some(sight) = self.run(&mut on, last)? else {
            return Ok(if self.frames.is_empty() { Went::Nowhere } else { Went::Paused });
        };
        let path = self.frames.iter().skip(1).map(|frame| (frame.done, frame.node)).collect();
        self.leave_all(product);
        Ok(Went::Seen(sight, path))
    }

    /// Others may come by here again, and begin anew.
    pub fn leave_all(&mut self, product: &mut Product) {
        std::mem::take(&mut self.live).into_iter().for_each(|node| product.visit(node, 0));
    }

    fn run(&mut self, on: &mut On<'_>, last: u32) -> Result<Option<Sight>, Undecided> {
        let mut marks = vec![0; self.width];
        if self.count == 0
            && let Some(sight) = self.enter(on, self.begin, MoveId(0), &marks)?
        {
            return Ok(Some(sight));
        }
        while let Some(frame) = self.frames.last_mut().filter(|_| self.count < last) {
            let Some(way) = frame.ways.clone().next() else {
                if let Some(sight) = self.leave(on)? {
                    return Ok(Some(sight));
                }
                continue;
            };
            let state = on.product.state(frame.node);
            let Some(&(done, to)) = on.ground.row(state).get(frame.place) else {
                frame.ways.start += 1;
                frame.place = 0;
                continue;
            };
            frame.place += 1;
            if !on.product.takes(on.ground, way, done)? {
                continue;
            }
            let node = on.product.target(to, way)?;
            if on.product.is_over(node) {
                continue;
            }
            let possible = &self.possible[self.possible.len() - self.width..];
            on.product.marks_of(on.ground, (way, done), possible, &mut marks)?;
            let seen = match on.product.visited(node) {
                0 => self.enter(on, node, done, &marks)?,
                number => self.join(on, number, &marks),
            };
            if seen.is_some() {
                return Ok(seen);
            }
        }
        Ok(None)
    }

    /// Visits a node.
    fn enter(
        &mut self,
        on: &mut On<'_>,
        node: u32,
        done: MoveId,
        arc: &[u64],
    ) -> Result<Option<Sight>, Undecided> {
        if self.count.is_multiple_of(1024) && is_spent() {
            return Err(Undecided::Stopped);
        }
        self.count += 1;
        on.product.visit(node, self.count);
        self.live.push(node);
        let shape = on.product.shape(on.ground, node)?;
        let state = on.product.state(node);
        let ends = shape.ends && on.ground.may_end(state)?;
        self.frames.push(Frame { node, done, ways: shape.ways, place: 0 });
        if ends || shape.free {
            return Ok(Some(Sight::Stops));
        }
        let start = self.possible.len();
        self.possible.resize(start + self.width, 0);
        on.product.marks.possible(on.ground, state, &mut self.possible[start..])?;
        self.roots.push(Root { first: self.count, round: false });
        self.inside.resize(self.inside.len() + self.width, 0);
        self.inside.extend_from_slice(&self.possible[start..]);
        self.inside.extend_from_slice(arc);
        Ok(None)
    }

    /// A step leads back to a node whose component is not known: all between belong together.
    fn join(&mut self, on: &On<'_>, number: u32, marks: &[u64]) -> Option<Sight> {
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
        on.product
            .marks
            .counts(met, possible)
            .then(|| Sight::Rounds(vec![self.since(on.product, first)]))
    }

    /// The nodes whose components are not known that were visited from one on.
    fn since(&self, product: &Product, first: u32) -> Vec<u32> {
        let start = self.live.partition_point(|&node| product.visited(node) < first);
        self.live[start..].to_vec()
    }

    /// All of a node was looked at.
    fn leave(&mut self, on: &mut On<'_>) -> Result<Option<Sight>, Undecided> {
        let Some(frame) = self.frames.last() else { return Ok(None) };
        let number = on.product.visited(frame.node);
        let is_first = self.roots.last().is_some_and(|root| root.first == number);
        if is_first {
            let start = self.inside.len() - 3 * self.width;
            let round = self.roots.last().is_some_and(|root| root.round);
            let met = &self.inside[start..start + self.width];
            // With strong fairness, a part of a component may do where the whole does not.
            let maybe = round && on.product.marks.is_fair();
            if maybe && on.product.marks.counts_weakly(met) {
                let nodes = self.since(on.product, number);
                let part = Part::among(on.product, on.ground, &nodes)?;
                if let Some(nodes) = part.fair(on.product, on.ground)?.into_iter().next() {
                    let nodes = nodes.into_iter().map(|place| part.node(place)).collect();
                    return Ok(Some(Sight::Rounds(vec![nodes])));
                }
            }
            self.roots.pop();
            self.inside.truncate(start);
            let first = self.live.partition_point(|&node| on.product.visited(node) < number);
            for node in self.live.split_off(first) {
                on.product.end(node);
            }
        }
        self.frames.pop();
        self.possible.truncate(self.possible.len() - self.width);
        Ok(None)
    }
}
