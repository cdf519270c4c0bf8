//! A tree of connectors as one: all ports of parts by number, and how they are joined.
//!
//! Where a port is one that another connector shows, what takes part there is an interaction of that one: its shape stands in the
//! place of the port. A clause for a single interaction is about which ports of its own connector take part, whoever takes part
//! elsewhere. So pieces ([`super::super::whole`]) are divided further until each has the interactions of one clause, or
//! none of it: there is a piece for each place at which others differ, and nothing goes through sets of ports.

use std::ops::Range;
use std::rc::Rc;

use super::super::connector::Shape;
use super::super::whole::{ConnectorPiece, pieces};
use super::{End, Happening, Port, Tree};
use crate::base::budget::is_spent;
use crate::sema::program::MemberDef;

use super::super::lower::Scope;

/// More pieces, counted with their ports, are not made.
const MOST_PORTS: usize = 1 << 18;

/// A tree with numbers for the ports of parts: those of a connector below follow each other.
pub(super) struct Flat<'p> {
    tree: Rc<Tree<'p>>,
    /// For each port of the tree: the numbers at it, and the connector below.
    ports: Vec<(Range<usize>, Option<Flat<'p>>)>,
}

/// What a clause asks for: which ports of a connector take part, and which do not.
#[derive(Clone)]
struct Asked {
    /// The numbers at each port, and whether one of them takes part.
    ports: Rc<Vec<(Range<usize>, bool)>>,
}

/// Whether the interactions of a piece are those of a clause.
enum Answer {
    /// All, or none.
    Clear,
    /// It depends on what may take part: this one.
    Open(usize),
}

impl<'p> Flat<'p> {
    pub fn new(tree: &Rc<Tree<'p>>) -> Flat<'p> {
        Flat::from(tree, 0)
    }

    fn from(tree: &Rc<Tree<'p>>, mut first: usize) -> Flat<'p> {
        let mut ports = Vec::with_capacity(tree.ports.len());
        for port in &tree.ports {
            let below = match tree.end(*port) {
                End::Part(..) => None,
                End::Shown(inner) => Some(Flat::from(inner, first)),
            };
            let end = below.as_ref().map_or(first + 1, |below| below.end(first));
            ports.push((first..end, below));
            first = end;
        }
        Flat { tree: Rc::clone(tree), ports }
    }

    fn end(&self, first: usize) -> usize {
        self.ports.last().map_or(first, |(numbers, _)| numbers.end)
    }

    /// All ports of parts, by number.
    pub fn leaves(&self) -> Vec<(&'p MemberDef, &Scope<'p>)> {
        let mut found = Vec::new();
        self.collect(&mut found);
        found
    }

    fn collect<'s>(&'s self, found: &mut Vec<(&'p MemberDef, &'s Scope<'p>)>) {
        for (port, (_, below)) in self.tree.ports.iter().zip(&self.ports) {
            match (below, self.tree.end(*port)) {
                (Some(below), _) => below.collect(found),
                (None, End::Part(member, around)) => found.push((member, around)),
                (None, End::Shown(_)) => {}
            }
        }
    }

    /// How all ports of parts are joined.
    pub fn shape(&self) -> Shape {
        self.shape_of(&self.tree.shape)
    }

    fn shape_of(&self, shape: &Shape) -> Shape {
        match shape {
            Shape::Port(port) => match &self.ports[*port] {
                (numbers, None) => Shape::Port(numbers.start),
                (_, Some(below)) => below.shape(),
            },
            Shape::Group(parts) => {
                let parts = parts.iter().map(|(trigger, part)| (*trigger, self.shape_of(part)));
                Shape::Group(parts.collect())
            }
        }
    }

    /// The interaction of some ports, which are in order.
    pub fn happening(&self, leaves: &[usize]) -> Happening<'p> {
        let mut parts: Vec<(Port, Option<Rc<Happening<'p>>>)> = Vec::new();
        let mut own = Vec::new();
        let mut rest = leaves;
        while let Some(&first) = rest.first() {
            let at = self.ports.partition_point(|(numbers, _)| numbers.end <= first);
            let Some((numbers, below)) = self.ports.get(at) else { break };
            let many = rest.partition_point(|number| numbers.contains(number)).max(1);
            let below = below.as_ref().map(|below| Rc::new(below.happening(&rest[..many])));
            parts.push((self.tree.ports[at], below));
            own.push(at);
            rest = &rest[many..];
        }
        let clause = self.tree.clauses.get(&own).copied();
        Happening { tree: Rc::clone(&self.tree), parts, clause }
    }

    /// What the clauses of all connectors ask for.
    fn asked(&self, found: &mut Vec<Asked>) {
        let mut own: Vec<(&Vec<usize>, &usize)> = self.tree.clauses.iter().collect();
        own.sort_unstable();
        for (set, _) in own {
            let ports = self.ports.iter().enumerate();
            let ports = ports.map(|(at, (numbers, _))| (numbers.clone(), set.contains(&at)));
            found.push(Asked { ports: Rc::new(ports.collect()) });
        }
        for below in self.ports.iter().filter_map(|(_, below)| below.as_ref()) {
            below.asked(found);
        }
    }

    /// Pieces that have each interaction once, in each of which all interactions have the same clauses; nothing where there is
    /// no small number of them.
    pub fn pieces(&self, shape: &Shape) -> Option<Vec<ConnectorPiece>> {
        let mut asked = Vec::new();
        self.asked(&mut asked);
        let mut found = Vec::new();
        let mut size = 0;
        let mut work: Vec<(ConnectorPiece, Vec<Asked>)> =
            pieces(shape)?.into_iter().rev().map(|piece| (piece, asked.clone())).collect();
        while let Some((piece, mut asked)) = work.pop() {
            let mut open = None;
            asked.retain(|one| match answer(&piece, one) {
                Answer::Clear => false,
                Answer::Open(at) => {
                    open = open.or(Some(at));
                    true
                }
            });
            let Some(open) = open else {
                size += piece.size();
                found.push(piece);
                if size > MOST_PORTS {
                    return None;
                }
                continue;
            };
            if is_spent() {
                return None;
            }
            let (mut without, mut with) = (piece.clone(), piece);
            without.optional.remove(open);
            let taken = with.optional.remove(open);
            with.ports.extend(taken.ports);
            with.optional.extend(taken.optional);
            work.push((without, asked.clone()));
            work.push((with, asked));
        }
        Some(found)
    }
}

/// Whether the interactions of a piece are those of a clause.
fn answer(piece: &ConnectorPiece, asked: &Asked) -> Answer {
    let at = |number: &usize| asked.ports.partition_point(|(numbers, _)| numbers.end <= *number);
    let of = |number: &usize| {
        let port = at(number);
        asked.ports.get(port).filter(|(numbers, _)| numbers.contains(number)).map(|_| port)
    };
    let mut taking = vec![false; asked.ports.len()];
    for port in piece.ports.iter().filter_map(of) {
        taking[port] = true;
    }
    // Who takes part for certain, and should not.
    if taking.iter().zip(asked.ports.iter()).any(|(taking, (_, wanted))| *taking && !wanted) {
        return Answer::Clear;
    }
    let mut may = vec![false; asked.ports.len()];
    let mut open = None;
    for (number, one) in piece.optional.iter().enumerate() {
        let mut work = vec![one];
        while let Some(one) = work.pop() {
            for port in one.ports.iter().filter_map(of) {
                may[port] = true;
                if !taking[port] {
                    open = open.or(Some(number));
                }
            }
            work.extend(&one.optional);
        }
    }
    let missing = |port: usize| asked.ports[port].1 && !taking[port] && !may[port];
    match ((0..taking.len()).any(missing), open) {
        (false, Some(open)) => Answer::Open(open),
        _ => Answer::Clear,
    }
}
