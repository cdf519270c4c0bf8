//! Vectors and connectors in which all members of a family are at once, or that are repeated for two indices: *meetings*. Who takes
//! part in them is said without a word about who else does, so that there may be any number.
//!
//! Claim: of two indices that go through families, it only matters of each whether it is near an end, and whether the two are
//! the same. For all members are at an index itself, or at a place that is fixed; what is compared are an index and a place, or two
//! indices by `!=`; and no index is sent as data. So in sizes that are large enough, those who join are as in other sizes, and
//! whether all pairs are meant, or all pairs of different ones, can be read off.

use std::collections::BTreeMap;

use super::glue::Parts;
use super::recognise::{Outside, Recogniser, Scope, Settled, WhyOutside};
use super::shape::Shape;
use crate::diagnostics::Span;
use crate::sema::program::{ConnectorPart, ConnectorPartKind, Expr, FamilyDef, LocalId, MemberDef};

/// A slot of a meeting, as it is written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum WrittenSlot {
    /// A part, or a member at a fixed place.
    Fixed,
    /// A member at an index, by its number.
    Index(usize),
    /// All members.
    All,
    /// A member that may take part or not.
    Any,
}

/// A meeting: the slot of each member, by the text of its action.
pub(super) type WrittenMeeting = BTreeMap<Span, WrittenSlot>;

/// A member of a vector or connector, with the indices of the brackets around it, and what they are meant for.
#[derive(Clone, Debug)]
pub(super) struct Taker<'a> {
    member: &'a MemberDef,
    repeat: Vec<&'a FamilyDef>,
    conditions: Vec<&'a Expr>,
}

impl<'a> Taker<'a> {
    pub fn of(member: &'a MemberDef) -> Self {
        let (repeat, conditions) = (member.repeat.iter(), member.condition.iter());
        Taker { member, repeat: repeat.collect(), conditions: conditions.collect() }
    }
}

/// The brackets around something.
type Brackets<'a> = (Vec<&'a FamilyDef>, Vec<&'a Expr>);

/// The members of a connector, and where it has triggers.
pub(super) fn takers_of<'a>(
    parts: &'a [ConnectorPart],
    around: &Brackets<'a>,
    takers: &mut Vec<Taker<'a>>,
    triggers: &mut Vec<Span>,
) {
    for part in parts {
        triggers.extend(part.trigger.then_some(part.span));
        match &part.kind {
            ConnectorPartKind::Port(member) => {
                let mut taker = Taker::of(member);
                taker.repeat.extend(&around.0);
                taker.conditions.extend(&around.1);
                takers.push(taker);
            }
            ConnectorPartKind::Shown(..) => {}
            ConnectorPartKind::Group(inner) => takers_of(inner, around, takers, triggers),
            ConnectorPartKind::Each(inner, families, condition) => {
                let mut around = around.clone();
                around.0.extend(families);
                around.1.extend(condition);
                takers_of(inner, &around, takers, triggers);
            }
        }
    }
}

impl Recogniser<'_> {
    /// The indices of symbolic range that something is repeated for. Where there are several of them, or all members of a
    /// family are in it at once, it is a meeting.
    pub(super) fn indices(
        &mut self,
        repeat: &[FamilyDef],
        takers: &[Taker<'_>],
        scope: &mut Scope,
    ) -> Settled<Vec<LocalId>> {
        let free = !scope.indexed;
        scope.meets = free;
        let mut indices = Vec::new();
        for family in repeat {
            if self.repeated(family, scope)? {
                indices.push(family.index);
            }
        }
        let mut all = false;
        for taker in takers {
            let mut inside = scope.clone();
            for family in &taker.repeat {
                all |= self.repeated(family, &mut inside)?;
            }
        }
        scope.meets = free && (indices.len() > 1 || all);
        Ok(indices)
    }

    /// That a meeting says the same of all members that are not near an end.
    pub(super) fn meeting(
        &mut self,
        span: Span,
        indices: &[LocalId],
        takers: &[Taker<'_>],
        (scope, parts): (&Scope, Parts<'_>),
    ) -> Settled<()> {
        let mut written = WrittenMeeting::new();
        for taker in takers {
            let slot = self.taker(taker, indices, scope, parts)?;
            written.insert(taker.member.action.span, slot);
        }
        // More would need more than pairs; and what nobody has an index of would be said several times.
        let is_used = |at: usize| written.values().any(|slot| *slot == WrittenSlot::Index(at));
        if indices.len() > 2 || !(0..indices.len()).all(is_used) {
            return Err(Outside { span, why: WhyOutside::Indices });
        }
        self.meetings.insert(span, written);
        Ok(())
    }

    /// The slot of a member.
    fn taker(
        &mut self,
        taker: &Taker<'_>,
        indices: &[LocalId],
        scope: &Scope,
        parts: Parts<'_>,
    ) -> Settled<WrittenSlot> {
        let (member, mut scope) = (taker.member, scope.clone());
        let mut own = None;
        for family in &taker.repeat {
            let symbolic = self.repeated(family, &mut scope)?;
            own = own.or(symbolic.then_some(family.index));
        }
        let all = Outside { span: member.span, why: WhyOutside::Broadcast };
        if taker.repeat.len() > 1 && own.is_some() {
            return Err(all);
        }
        taker.conditions.iter().try_for_each(|condition| self.plain(condition, &scope))?;
        self.sent(&member.action, parts.locals, &scope)?;
        let family = parts.sizes.get(member.part.index()).copied().flatten();
        let shape = match &member.index {
            Some(index) => Some((self.shape(index, &scope)?, index.span)),
            None => None,
        };
        let slot = match shape {
            None => WrittenSlot::Fixed,
            Some((Shape::Sum(sum), span)) if sum.index == 0 => {
                let is_place = family.map_or(sum.is_number(), |family| sum.is_place_in(family));
                if !is_place {
                    return Err(Outside { span, why: WhyOutside::Index });
                }
                self.reaches(sum, span)?;
                WrittenSlot::Fixed
            }
            Some((Shape::Sum(sum), span)) if sum.is_index() && Some(sum.of) == family => {
                match indices.iter().position(|index| *index == sum.var) {
                    Some(at) => WrittenSlot::Index(at),
                    None if own == Some(sum.var) => WrittenSlot::All,
                    None => return Err(Outside { span, why: WhyOutside::Meeting }),
                }
            }
            Some((_, span)) => return Err(Outside { span, why: WhyOutside::Meeting }),
        };
        match (slot, own) {
            (WrittenSlot::All, _) | (_, None) => Ok(slot),
            (_, Some(_)) => Err(all),
        }
    }
}
