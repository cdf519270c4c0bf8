//! A part of a product with all steps inside of it: where runs that count begin, and shortest ones.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Lasso;
use super::product::{Product, has_mark, join};
use crate::base::budget::is_spent;
use crate::lts::LtsState;
use crate::temporal::explicit::{MoveId, Undecided};
use crate::temporal::game::components;
use crate::temporal::ground::Ground;

/// A step inside of a part.
#[derive(Clone, Copy)]
struct Edge {
    done: MoveId,
    to: u32,
    way: u32,
}

/// No place.
const NOWHERE: u32 = u32::MAX;

/// Nodes of a product, with the steps between them. A node of the part is its place.
#[derive(Default)]
pub(super) struct Part {
    nodes: Vec<u32>,
    places: FxHashMap<u32, u32>,
    /// The places of the nodes of the product with these numbers, where many of them belong to it.
    table: Vec<u32>,
    starts: Vec<u32>,
    edges: Vec<Edge>,
    /// Whether a run may end in a node.
    ends: Vec<bool>,
    /// Whether nothing more is owed in a node, whatever comes.
    opens: Vec<bool>,
    whole: bool,
}

impl Part {
    /// What is reached from some nodes, level by level, until there are so many.
    pub fn reached(
        product: &mut Product,
        ground: &mut dyn Ground,
        begins: &[u32],
        most: usize,
    ) -> Result<Part, Undecided> {
        let mut part = Part { starts: vec![0], whole: true, ..Part::default() };
        begins.iter().for_each(|&node| _ = part.place(node));
        let mut at = 0;
        while let Some(&node) = part.nodes.get(at) {
            if at.is_multiple_of(256) && is_spent() {
                return Err(Undecided::Stopped);
            }
            let state = product.state(node);
            let shape = product.shape(ground, node)?;
            part.ends.push(shape.ends && ground.may_end(state)?);
            part.opens.push(shape.free);
            for way in shape.ways {
                for place in 0..ground.row(state).len() {
                    let (done, to) = ground.row(state)[place];
                    if !product.takes(ground, way, done)? {
                        continue;
                    }
                    let to = product.target(to, way)?;
                    if product.is_over(to) {
                        continue;
                    }
                    if part.nodes.len() >= most && part.at(to).is_none() {
                        part.whole = false;
                        continue;
                    }
                    let to = part.place(to);
                    part.edges.push(Edge { done, to, way });
                }
            }
            part.end_row()?;
            at += 1;
        }
        Ok(part)
    }

    /// Some nodes, and the steps between them.
    pub fn among(
        product: &mut Product,
        ground: &mut dyn Ground,
        nodes: &[u32],
    ) -> Result<Part, Undecided> {
        let mut part = Part { starts: vec![0], whole: true, ..Part::default() };
        if nodes.len() * 8 > product.len() {
            part.table = vec![NOWHERE; product.len()];
        }
        nodes.iter().for_each(|&node| _ = part.place(node));
        for (at, &node) in nodes.iter().enumerate() {
            if at.is_multiple_of(256) && is_spent() {
                return Err(Undecided::Stopped);
            }
            let state = product.state(node);
            let shape = product.shape(ground, node)?;
            part.ends.push(shape.ends && ground.may_end(state)?);
            part.opens.push(shape.free);
            for way in shape.ways {
                for place in 0..ground.row(state).len() {
                    let (done, to) = ground.row(state)[place];
                    if !product.takes(ground, way, done)? {
                        continue;
                    }
                    if let Some(to) = product.known(to, way).and_then(|to| part.at(to)) {
                        part.edges.push(Edge { done, to, way });
                    }
                }
            }
            part.end_row()?;
        }
        Ok(part)
    }

    fn place(&mut self, node: u32) -> u32 {
        let next = self.nodes.len() as u32;
        let place = match self.table.get_mut(node as usize) {
            Some(place) if *place == NOWHERE => {
                *place = next;
                next
            }
            Some(place) => *place,
            None => *self.places.entry(node).or_insert(next),
        };
        if place == next {
            self.nodes.push(node);
        }
        place
    }

    /// The place of a node that belongs to it.
    fn at(&self, node: u32) -> Option<u32> {
        match self.table.get(node as usize) {
            Some(place) => Some(*place).filter(|place| *place != NOWHERE),
            None => self.places.get(&node).copied(),
        }
    }

    fn end_row(&mut self) -> Result<(), Undecided> {
        self.starts.push(u32::try_from(self.edges.len()).map_err(|_| Undecided::TooMany)?);
        Ok(())
    }

    /// Whether nothing is left out that is reached.
    pub fn is_whole(&self) -> bool {
        self.whole
    }

    /// Its nodes.
    pub fn nodes(&self) -> impl Iterator<Item = u32> {
        self.nodes.iter().copied()
    }

    /// The node at a place.
    pub fn node(&self, place: usize) -> u32 {
        self.nodes[place]
    }

    fn edges(&self, place: usize) -> &[Edge] {
        &self.edges[self.starts[place] as usize..self.starts[place + 1] as usize]
    }

    /// What is possible in the configuration at a place.
    fn possible(
        &self,
        product: &mut Product,
        ground: &mut dyn Ground,
        place: usize,
    ) -> Result<Vec<u64>, Undecided> {
        let mut found = vec![0; product.marks.width];
        let state = product.state(self.nodes[place]);
        product.marks.possible(ground, state, &mut found)?;
        Ok(found)
    }

    /// From which places a run begins that counts; and the components in which it can go round for ever.
    #[allow(clippy::type_complexity, reason = "where, and among which places")]
    pub fn good(
        &self,
        product: &mut Product,
        ground: &mut dyn Ground,
    ) -> Result<(Vec<bool>, Vec<Vec<usize>>), Undecided> {
        let fair = self.fair(product, ground)?;
        let mut starts = vec![0_u32; self.nodes.len() + 1];
        self.edges.iter().for_each(|edge| starts[edge.to as usize + 1] += 1);
        (1..starts.len()).for_each(|at| starts[at] += starts[at - 1]);
        let (mut next, mut before) = (starts.clone(), vec![0_u32; self.edges.len()]);
        for place in 0..self.nodes.len() {
            for edge in self.edges(place) {
                let free = &mut next[edge.to as usize];
                before[*free as usize] = place as u32;
                *free += 1;
            }
        }
        let stops = (0..self.nodes.len()).filter(|&place| self.ends[place] || self.opens[place]);
        let mut work: Vec<usize> = fair.iter().flatten().copied().chain(stops).collect();
        let mut good = vec![false; self.nodes.len()];
        while let Some(place) = work.pop() {
            if !std::mem::replace(&mut good[place], true) {
                let range = starts[place] as usize..starts[place + 1] as usize;
                work.extend(before[range].iter().map(|&from| from as usize));
            }
        }
        Ok((good, fair))
    }

    /// The components in which some run goes round for ever, keeps its promises and is fair.
    pub fn fair(
        &self,
        product: &mut Product,
        ground: &mut dyn Ground,
    ) -> Result<Vec<Vec<usize>>, Undecided> {
        let width = product.marks.width;
        let mut found = Vec::new();
        let mut work = self.components_of(&(0..self.nodes.len()).collect::<Vec<_>>());
        let mut marks = vec![0; width];
        // The number of the component that was looked at last, for each place.
        let (mut of, mut number) = (vec![0_u32; self.nodes.len()], 0);
        while let Some(part) = work.pop() {
            if let [alone] = part.as_slice()
                && !self.edges(*alone).iter().any(|edge| edge.to as usize == *alone)
            {
                continue;
            }
            if is_spent() {
                return Err(Undecided::Stopped);
            }
            number += 1;
            part.iter().for_each(|&place| of[place] = number);
            let (mut met, mut possible, mut round) = (vec![0; width], vec![0; width], false);
            for &place in &part {
                let here = self.possible(product, ground, place)?;
                join(&mut possible, &here);
                for edge in self.edges(place) {
                    if of[edge.to as usize] == number {
                        round = true;
                        product.marks_of(ground, (edge.way, edge.done), &here, &mut marks)?;
                        join(&mut met, &marks);
                    }
                }
            }
            if !round || !product.marks.counts_weakly(&met) {
                continue;
            }
            if product.marks.counts(&met, &possible) {
                found.push(part);
                continue;
            }
            // Where something is possible that is never done, no run can be again and again.
            let unmet = product.marks.unmet(&met, &possible);
            let mut rest = Vec::new();
            for &place in &part {
                let here = self.possible(product, ground, place)?;
                if here.iter().zip(&unmet).all(|(here, unmet)| here & unmet == 0) {
                    rest.push(place);
                }
            }
            work.extend(self.components_of(&rest));
        }
        Ok(found)
    }

    /// The strongly connected components among some places.
    fn components_of(&self, places: &[usize]) -> Vec<Vec<usize>> {
        if places.len() == self.nodes.len() {
            let next = |place: usize, at: usize| self.edges(place).get(at).map(|edge| edge.to);
            return components(places.len(), &next);
        }
        let numbers: FxHashMap<usize, u32> =
            places.iter().enumerate().map(|(number, &place)| (place, number as u32)).collect();
        let (mut starts, mut moves) = (vec![0], Vec::new());
        for &place in places {
            let inside = self.edges(place).iter();
            moves.extend(inside.filter_map(|edge| numbers.get(&(edge.to as usize)).copied()));
            starts.push(moves.len());
        }
        let next = |node: usize, at: usize| moves[starts[node]..starts[node + 1]].get(at).copied();
        let found = components(places.len(), &next);
        found.into_iter().map(|one| one.into_iter().map(|at| places[at]).collect()).collect()
    }

    /// A shortest run that counts, from the first node.
    pub fn lasso(
        &self,
        product: &mut Product,
        ground: &mut dyn Ground,
    ) -> Result<Option<Lasso>, Undecided> {
        let fair = self.fair(product, ground)?;
        let mut part_of: FxHashMap<usize, usize> = FxHashMap::default();
        for (number, part) in fair.iter().enumerate() {
            part.iter().for_each(|&place| _ = part_of.insert(place, number));
        }
        let is_goal =
            |place: usize| self.ends[place] || self.opens[place] || part_of.contains_key(&place);
        let Some((stem, last)) = self.way(0, &|_| true, &is_goal) else { return Ok(None) };
        let begins = product.state(self.nodes[0]);
        let stem = self.told(product, &stem);
        // Where nothing is owed any more, it does not matter how it goes on.
        let open = self.opens[last];
        let Some(part) = part_of.get(&last).filter(|_| !self.ends[last] && !open) else {
            return Ok(Some(Lasso { begins, stem, round: Vec::new(), open }));
        };
        let inside: FxHashSet<usize> = fair[*part].iter().copied().collect();
        let round = self.round_in(product, ground, last, &|place| inside.contains(&place))?;
        Ok(round.map(|round| Lasso { begins, stem, round: self.told(product, &round), open }))
    }

    /// A way around this part, which is a component, back to the node where it begins, that keeps all promises and is fair.
    pub fn round(
        &self,
        product: &mut Product,
        ground: &mut dyn Ground,
        begin: u32,
    ) -> Result<Option<Vec<(MoveId, LtsState)>>, Undecided> {
        let Some(place) = self.at(begin) else { return Ok(None) };
        let round = self.round_in(product, ground, place as usize, &|_| true)?;
        Ok(round.map(|round| self.told(product, &round)))
    }

    /// Steps, by their places among all.
    fn told(&self, product: &Product, path: &[usize]) -> Vec<(MoveId, LtsState)> {
        let steps = path.iter().map(|&at| self.edges[at]);
        steps.map(|edge| (edge.done, product.state(self.nodes[edge.to as usize]))).collect()
    }

    fn row(&self, place: usize) -> std::ops::Range<usize> {
        self.starts[place] as usize..self.starts[place + 1] as usize
    }

    fn round_in(
        &self,
        product: &mut Product,
        ground: &mut dyn Ground,
        begin: usize,
        counts: &dyn Fn(usize) -> bool,
    ) -> Result<Option<Vec<usize>>, Undecided> {
        // The marks of all steps inside, each asked for once.
        let width = product.marks.width;
        let mut marks = vec![0; width * self.edges.len()];
        for place in (0..self.nodes.len()).filter(|&place| counts(place)) {
            let here = self.possible(product, ground, place)?;
            for at in self.row(place) {
                let edge = self.edges[at];
                let own = &mut marks[at * width..(at + 1) * width];
                product.marks_of(ground, (edge.way, edge.done), &here, own)?;
            }
        }
        let of = |at: usize| &marks[at * width..(at + 1) * width];
        let stays = |at: usize| counts(self.edges[at].to as usize);
        let (mut round, mut last) = (Vec::new(), begin);
        let mut met = vec![0; width];
        for mark in 0..product.marks.count() {
            // What is met on the way need not be looked for again.
            if has_mark(&met, mark) {
                continue;
            }
            let fits = |at: usize| stays(at) && has_mark(of(at), mark);
            let goal = |place: usize| self.row(place).any(fits);
            let Some((more, place)) = self.way(last, counts, &goal) else {
                // What is strongly fair need not be done where it is never possible.
                if product.marks.is_strong(mark) {
                    continue;
                }
                return Ok(None);
            };
            let Some(step) = self.row(place).find(|&at| fits(at)) else { return Ok(None) };
            let before = round.len();
            round.extend(more);
            round.push(step);
            round[before..].iter().for_each(|&at| join(&mut met, of(at)));
            last = self.edges[step].to as usize;
        }
        if round.is_empty() {
            let Some(first) = self.row(begin).find(|&at| stays(at)) else { return Ok(None) };
            round.push(first);
            last = self.edges[first].to as usize;
        }
        let back = self.way(last, counts, &|place| place == begin);
        Ok(back.map(|(more, _)| round.into_iter().chain(more).collect()))
    }

    /// A shortest way to a place of some kind: its steps, by their places among all, and where it leads.
    fn way(
        &self,
        from: usize,
        counts: &dyn Fn(usize) -> bool,
        is_goal: &dyn Fn(usize) -> bool,
    ) -> Option<(Vec<usize>, usize)> {
        let mut before: FxHashMap<usize, (usize, usize)> = FxHashMap::default();
        let mut all = vec![from];
        let mut next = 0;
        while let Some(&place) = all.get(next) {
            next += 1;
            if is_goal(place) {
                let (mut steps, mut back) = (Vec::new(), place);
                while let Some((earlier, step)) = before.get(&back).filter(|_| back != from) {
                    steps.push(*step);
                    back = *earlier;
                }
                steps.reverse();
                return Some((steps, place));
            }
            for at in self.row(place) {
                let to = self.edges[at].to as usize;
                if counts(to) && to != from && !before.contains_key(&to) {
                    before.insert(to, (place, at));
                    all.push(to);
                }
            }
        }
        None
    }
}
