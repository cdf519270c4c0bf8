//! Why an action is not possible.
//!
//! Everything that could show the action is looked at: the vectors of the net, and inside of them what their members do;
//! or the transitions, where the net is a process. What must hold is added piece by piece, and the first piece without
//! which it would still be possible is what stands in the way.

use super::attempt::{Attempt, Demand, Side};
use super::evaluate::Seen;
use super::partial::Partial;
use super::rivals::Any;
use super::solve::solve;
use super::store::Source;
use super::ways::Ways;
use crate::algebra::{ActionId, Sort, TermId};
use crate::diagnostics::Span;
use crate::explore::{Gap, Value};
use crate::pnet::{
    Condition, Content, MemberId, NodeId, Owed, OwedKind, PartId, PltsId, PltsStateId,
    PltsTransitionId, RivalId, TransitionPlace, VectorPlace, path_inside,
};

/// An action that somebody asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AskedAction {
    /// An action, with values for some of its arguments.
    Act(ActionId, Vec<Option<Value>>),
    /// The silent action.
    Tau,
    /// An action that has been synchronised: this one, or any.
    Sync(Option<Box<AskedAction>>),
    /// The complement of an action: of this one, or of any.
    Co(Option<Box<AskedAction>>),
}

/// Something that could show an action, and what stands in its way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Obstacle {
    /// What could show it.
    pub rule: Way,
    /// What stands in the way; nothing where it is possible.
    pub blocks: Vec<Block>,
}

/// What shows an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// A vector.
    Vector(VectorPlace),
    /// A transition of a process.
    Transition(TransitionPlace),
}

/// What stands in the way of something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Block {
    /// The process is in another state than the one where the transition starts.
    State {
        /// The process.
        leaf: PltsId,
        /// Where it is.
        is: PltsStateId,
        /// Where it would have to be.
        needs: PltsStateId,
    },
    /// A member does not do what the vector asks of it.
    Member {
        /// The node.
        node: NodeId,
        /// The member.
        member: MemberId,
        /// The part.
        part: PartId,
        /// What asks for it.
        text: Span,
        /// The transitions of processes in it that start where they are.
        offers: Vec<TransitionPlace>,
        /// What in it could do it, and what stands in the way there.
        inside: Vec<Obstacle>,
    },
    /// A member does what is asked of it, but not with the values of the members before it.
    Disagree {
        /// The node.
        node: NodeId,
        /// The member.
        member: MemberId,
        /// What asks for it.
        text: Span,
    },
    /// A condition does not hold.
    Condition {
        /// The text that says it.
        text: Span,
        /// What it depends on, with values.
        values: Vec<(String, Value)>,
    },
    /// A value would not be one of the sort that it goes into.
    Owed {
        /// The text of the value.
        text: Span,
        /// What it is for.
        kind: OwedKind,
        /// What it depends on, with values.
        values: Vec<(String, Value)>,
    },
    /// Something goes first.
    Rival {
        /// Which.
        rival: RivalId,
        /// The text that says so.
        text: Span,
    },
    /// Nothing can be said.
    Unclear(Gap),
}

/// A piece of what must hold.
enum Piece<'n> {
    Condition(&'n Condition),
    Owed(&'n Owed),
}

impl Piece<'_> {
    fn term(&self) -> TermId {
        match self {
            Piece::Condition(condition) => condition.term,
            Piece::Owed(owed) => owed.term,
        }
    }
}

impl Ways<'_> {
    /// Everything that could show an action, each with what stands in its way.
    pub fn obstacles(&self, wanted: &AskedAction) -> Vec<Obstacle> {
        let mut attempt = Attempt::new(Default::default());
        let wanted = Side::Is(self.pattern(wanted, &mut attempt));
        self.why(self.world.net.root, &attempt, &wanted)
    }

    fn pattern(&self, wanted: &AskedAction, attempt: &mut Attempt) -> Partial {
        let mut inside = |inner: &Option<Box<AskedAction>>| match inner {
            Some(inner) => self.pattern(inner, attempt),
            None => attempt.unknown("_".to_owned(), Sort::Action, Source::Vector),
        };
        match wanted {
            AskedAction::Tau => Partial::Whole(Value::Tau),
            AskedAction::Sync(inner) => Partial::sync(inside(inner)),
            AskedAction::Co(inner) => Partial::co(inside(inner)),
            AskedAction::Act(id, args) => {
                let sorts = &self.world.net.algebra.action(*id).sorts;
                let args = sorts.iter().enumerate().map(|(place, sort)| match args.get(place) {
                    Some(Some(value)) => Partial::Whole(value.clone()),
                    _ => attempt.unknown("_".to_owned(), sort.clone(), Source::Vector),
                });
                Partial::act(*id, args.collect())
            }
        }
    }

    fn why(&self, content: Content, before: &Attempt, wanted: &Side) -> Vec<Obstacle> {
        match content {
            Content::Leaf(id) => {
                let all = self.world.net.plts[id].transitions.ids();
                all.filter_map(|at| self.why_transition((id, at), before, wanted)).collect()
            }
            Content::Node(id) => {
                let all = self.world.net.nodes[id].vectors.ids();
                all.filter_map(|at| self.why_vector((id, at), before, wanted)).collect()
            }
            Content::Hole(_) => Vec::new(),
        }
    }

    /// A transition that could show what is wanted.
    fn why_transition(
        &self,
        place: (PltsId, PltsTransitionId),
        before: &Attempt,
        wanted: &Side,
    ) -> Option<Obstacle> {
        let transition = self.world.net.transition(place);
        let mut attempt = self.with_inputs(place, before);
        attempt.demand(Demand::Same(Side::Term(transition.action), wanted.clone()));
        attempt.settle(self.world).ok()?;
        let (leaf, is) = (place.0, self.states[place.0]);
        let blocks = if transition.source != is {
            vec![Block::State { leaf, is, needs: transition.source }]
        } else {
            let conditions = transition.conditions.iter().map(Piece::Condition);
            let pieces = conditions.chain(transition.owes.iter().map(Piece::Owed));
            let stopped = self.first_that_fails(vec![attempt], pieces);
            stopped.err().into_iter().collect()
        };
        Some(Obstacle { rule: Way::Transition(place), blocks })
    }

    /// A vector that could show what is wanted.
    fn why_vector(&self, place: VectorPlace, before: &Attempt, wanted: &Side) -> Option<Obstacle> {
        let vector = self.world.net.vector(place);
        let mut attempt = before.clone();
        self.declare(&vector.variables, &mut attempt);
        attempt.demand(Demand::Same(Side::Term(vector.result), wanted.clone()));
        attempt.settle(self.world).ok()?;
        let mut blocks: Vec<Block> = vector
            .members
            .ids()
            .filter_map(|member| self.why_member(place, member, &attempt))
            .collect();
        if blocks.is_empty() {
            blocks.extend(self.why_together(place, attempt).err());
        }
        Some(Obstacle { rule: Way::Vector(place), blocks })
    }

    /// Why a member does not do what a vector asks of it, whatever the others do.
    fn why_member(
        &self,
        (node, vector): VectorPlace,
        number: MemberId,
        attempt: &Attempt,
    ) -> Option<Block> {
        let member = self.world.net.nodes[node].vectors[vector].members[number];
        let content = self.world.net.nodes[node].parts[member.part].content;
        let asked = Side::Term(member.action);
        let attempts = self.of(content, attempt, Some(&asked));
        match attempts.and_then(|attempts| self.is_possible(&attempts)) {
            Ok(true) => None,
            Ok(false) => Some(Block::Member {
                node,
                member: number,
                part: member.part,
                text: member.text,
                offers: self.offers(content),
                inside: self.why(content, attempt, &asked),
            }),
            Err(gap) => Some(Block::Unclear(gap)),
        }
    }

    /// Why members that do what is asked of them do not do it together.
    fn why_together(&self, place: VectorPlace, attempt: Attempt) -> Result<(), Block> {
        let vector = self.world.net.vector(place);
        let parts = &self.world.net.nodes[place.0].parts;
        let mut all = vec![attempt];
        for (number, member) in vector.members.enumerated() {
            let asked = Side::Term(member.action);
            let mut next = Vec::new();
            for attempt in &all {
                let content = parts[member.part].content;
                next.extend(self.of(content, attempt, Some(&asked)).map_err(Block::Unclear)?);
            }
            if !self.is_possible(&next).map_err(Block::Unclear)? {
                return Err(Block::Disagree { node: place.0, member: number, text: member.text });
            }
            all = next;
        }
        let conditions = vector.conditions.iter().map(Piece::Condition);
        let pieces = conditions.chain(vector.owes.iter().map(Piece::Owed));
        let all = self.first_that_fails(all, pieces)?;
        self.why_rivals(place, all)
    }

    /// What goes before a vector that would be possible.
    fn why_rivals(&self, place: VectorPlace, mut all: Vec<Attempt>) -> Result<(), Block> {
        let free = solve(self.world, all.clone(), &Any(self)).map_err(Block::Unclear)?;
        all.iter_mut().for_each(|attempt| attempt.vectors.push(place));
        if self.is_possible(&all).map_err(Block::Unclear)? {
            return Ok(());
        }
        let Some(one) = free.found.first() else { return Ok(()) };
        match self.gives_way(place, &one.known, true) {
            Ok(Some(rival)) => {
                let text = self.world.net.vector(place).rivals[rival].text;
                Err(Block::Rival { rival, text })
            }
            Ok(None) => Ok(()),
            Err(gap) => Err(Block::Unclear(gap)),
        }
    }

    /// The attempts with all pieces; or the first piece with which none is possible.
    fn first_that_fails<'n>(
        &self,
        mut all: Vec<Attempt>,
        pieces: impl Iterator<Item = Piece<'n>>,
    ) -> Result<Vec<Attempt>, Block> {
        for piece in pieces {
            let before = all.clone();
            for attempt in &mut all {
                match &piece {
                    Piece::Condition(condition) => attempt.demand(Demand::True(condition.term)),
                    Piece::Owed(owed) => attempt.owe(owed.term),
                }
            }
            if !self.is_possible(&all).map_err(Block::Unclear)? {
                let values = self.values(&before, piece.term());
                return Err(match piece {
                    Piece::Condition(condition) => {
                        Block::Condition { text: condition.text, values }
                    }
                    Piece::Owed(owed) => Block::Owed { text: owed.text, kind: owed.kind, values },
                });
            }
        }
        Ok(all)
    }

    fn is_possible(&self, attempts: &[Attempt]) -> Result<bool, Gap> {
        Ok(!solve(self.world, attempts.to_vec(), &Any(self))?.found.is_empty())
    }

    /// The values that a condition depends on, as far as they are known.
    fn values(&self, attempts: &[Attempt], term: TermId) -> Vec<(String, Value)> {
        let world = self.world;
        let Ok(solved) = solve(world, attempts.to_vec(), &Any(self)) else { return Vec::new() };
        let Some(attempt) = solved.found.first() else { return Vec::new() };
        let known = world.terms.free_vars(term).into_iter().filter_map(|var| {
            let seen = attempt.see(world, world.terms.var_term(var));
            let Seen::Is(Partial::Whole(value)) = seen else { return None };
            let owner = world
                .net
                .plts
                .enumerated()
                .find(|(_, plts)| plts.variables.iter().any(|(own, _)| *own == var));
            let path = owner.map_or("", |(leaf, _)| self.paths[leaf].as_str());
            Some((path_inside(path, world.terms.var(var).name.as_str()), value))
        });
        known.collect()
    }

    /// The transitions of processes in a part that start where these are.
    fn offers(&self, content: Content) -> Vec<TransitionPlace> {
        let (mut found, mut work) = (Vec::new(), vec![content]);
        while let Some(content) = work.pop() {
            match content {
                Content::Leaf(id) => {
                    let all = self.world.net.plts[id].transitions.enumerated();
                    let here = all.filter(|(_, one)| one.source == self.states[id]);
                    found.extend(here.map(|(at, _)| (id, at)));
                }
                Content::Node(id) => {
                    let parts = self.world.net.nodes[id].parts.iter();
                    work.extend(parts.rev().map(|part| part.content));
                }
                Content::Hole(_) => {}
            }
        }
        found
    }
}
