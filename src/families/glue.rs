//! Vectors, connectors and priorities: whether they say the same of all members that are not near an end.

use super::carried::is_vector_data;
use super::meets::{Taker, takers_of};
use super::recognise::{Outside, Recogniser, Scope, Settled, WhyOutside};
use super::shape::Shape;
use crate::sema::program::{
    ConnectorDef, ConnectorPart, ConnectorPartKind, Local, MemberDef, OrderedDefKind, PriorityDef,
    VectorDef,
};

/// The parts of a net, as its vectors see them.
#[derive(Clone, Copy)]
pub(super) struct Parts<'a> {
    /// The number of the size that a family has, if it is a symbolic one.
    pub sizes: &'a [Option<usize>],
    pub locals: &'a [Local],
}

impl Recogniser<'_> {
    /// That a priority says the same of all members that are not near an end.
    pub(super) fn priority(
        &mut self,
        priority: &PriorityDef,
        mut scope: Scope,
        parts: Parts<'_>,
    ) -> Settled<()> {
        for family in &priority.repeat {
            self.repeated(family, &mut scope)?;
        }
        priority.guard.iter().try_for_each(|guard| self.plain(guard, &scope))?;
        for ordered in priority.orders.iter().flatten() {
            match &ordered.kind {
                OrderedDefKind::Act(_, args) => {
                    args.iter().try_for_each(|arg| self.plain(arg, &scope))?;
                }
                OrderedDefKind::Ports(_, ports) => {
                    for (port, _) in ports {
                        self.member(port, scope.clone(), parts)?;
                    }
                }
                OrderedDefKind::Name(_) | OrderedDefKind::Tau | OrderedDefKind::All => {}
            }
        }
        Ok(())
    }

    pub(super) fn vector(
        &mut self,
        vector: &VectorDef,
        mut scope: Scope,
        parts: Parts<'_>,
        outermost: bool,
    ) -> Settled<()> {
        let takers: Vec<Taker<'_>> = vector.members.iter().map(Taker::of).collect();
        let indices = self.indices(&vector.repeat, &takers, &mut scope)?;
        match scope.meets {
            true => self.meeting(vector.span, &indices, &takers, (&scope, parts))?,
            false => self.members(&vector.members, &scope, parts)?,
        }
        let locals = parts.locals;
        for rival in &vector.rivals {
            self.members(&rival.members, &scope, parts)?;
            rival.guard.iter().try_for_each(|guard| self.condition(guard, locals, &scope))?;
        }
        vector.guard.iter().try_for_each(|guard| self.condition(guard, locals, &scope))?;
        // What the outermost net shows does not matter.
        if outermost { Ok(()) } else { self.sent(&vector.result, locals, &scope) }
    }

    fn members(&mut self, members: &[MemberDef], scope: &Scope, parts: Parts<'_>) -> Settled<()> {
        members.iter().try_for_each(|member| self.member(member, scope.clone(), parts))
    }

    fn member(&mut self, member: &MemberDef, mut scope: Scope, parts: Parts<'_>) -> Settled<()> {
        for family in &member.repeat {
            if self.repeated(family, &mut scope)? {
                return Err(Outside { span: member.span, why: WhyOutside::Broadcast });
            }
        }
        member.condition.iter().try_for_each(|condition| self.plain(condition, &scope))?;
        self.sent(&member.action, parts.locals, &scope)?;
        let Some(index) = &member.index else { return Ok(()) };
        let family = parts.sizes.get(member.part.index()).copied().flatten();
        let outside = Outside { span: index.span, why: WhyOutside::Index };
        let shape = self.shape(index, &scope).map_err(|found| match found.why {
            WhyOutside::Data => outside.clone(),
            _ => found,
        });
        match shape? {
            Shape::Sum(sum) if family.is_some_and(|family| sum.is_place_in(family)) => {
                self.reaches(sum, index.span)
            }
            Shape::Sum(sum) if family.is_none() && sum.is_number() => Ok(()),
            // Data choose the member.
            Shape::Plain | Shape::Data(_) if is_vector_data(index, parts.locals) => {
                self.carries(0, family, index.span)
            }
            Shape::Sum(_) | Shape::Plain | Shape::Data(_) => Err(outside),
        }
    }

    pub(super) fn connector(
        &mut self,
        connector: &ConnectorDef,
        mut scope: Scope,
        parts: Parts<'_>,
        outermost: bool,
    ) -> Settled<()> {
        if let Some(used) = &connector.used {
            return Err(Outside { span: used.span, why: WhyOutside::Definition });
        }
        let (mut takers, mut triggers) = (Vec::new(), Vec::new());
        takers_of(&connector.parts, &(Vec::new(), Vec::new()), &mut takers, &mut triggers);
        let indices = self.indices(&connector.repeat, &takers, &mut scope)?;
        match scope.meets {
            false => self.parts(&connector.parts, &scope, parts)?,
            true => self.meeting(connector.span, &indices, &takers, (&scope, parts))?,
        }
        if scope.meets && !triggers.is_empty() {
            self.open.insert(connector.span);
        }
        let locals = parts.locals;
        connector.guard.iter().try_for_each(|guard| self.condition(guard, locals, &scope))?;
        for rival in &connector.rivals {
            self.members(&rival.members, &scope, parts)?;
            rival.guard.iter().try_for_each(|guard| self.plain(guard, &scope))?;
        }
        connector.transfer.iter().try_for_each(|(_, value)| self.plain(value, &scope))?;
        if outermost { Ok(()) } else { self.sent(&connector.shows, locals, &scope) }
    }

    fn parts(&mut self, all: &[ConnectorPart], scope: &Scope, symbolic: Parts<'_>) -> Settled<()> {
        for part in all {
            match &part.kind {
                ConnectorPartKind::Port(member) => self.member(member, scope.clone(), symbolic)?,
                ConnectorPartKind::Shown(..) => {}
                ConnectorPartKind::Group(inner) => self.parts(inner, scope, symbolic)?,
                ConnectorPartKind::Each(inner, families, condition) => {
                    let mut scope = scope.clone();
                    for family in families {
                        if self.repeated(family, &mut scope)? {
                            return Err(Outside { span: part.span, why: WhyOutside::Broadcast });
                        }
                    }
                    condition.iter().try_for_each(|condition| self.plain(condition, &scope))?;
                    self.parts(inner, &scope, symbolic)?;
                }
            }
        }
        Ok(())
    }
}
