//! Synchronisation vectors, and what the members' offers make of them.

use rustc_hash::FxHashSet;

use super::action::Place;
use super::body::Strangers;
use super::net::{Seen, Work};
use super::offers::{self, Certainty, Head, Offer, Origin, Source};
use super::problems::{
    EmptyVector, FamilyIndex, HoleUsedTwice, MemberTwice, NeverOffered, OutsideInterface,
    SingleUse, SynchronisedAgain, UnboundCondition, UnboundIndex, UnknownPart,
};
use super::program::{
    Expr, ExprKind, FamilyDef, LocalId, LocalKind, MemberDef, PartId, RivalDef, Sort, VectorDef,
};
use crate::diagnostics::{Span, Symbol};
use crate::syntax::ast;

impl Work<'_, '_> {
    /// A vector.
    pub fn vector(&mut self, vector: &ast::Vector, span: Span) -> Option<VectorDef> {
        if vector.members.is_empty() {
            self.body.report(EmptyVector { span: vector.members_span });
            return None;
        }
        let mark = self.body.enter();
        let first = self.body.locals.len();
        let failed = std::mem::replace(&mut self.body.failed, false);
        self.body.marks_in_vector(vector);
        let repeat = self.repeat(&vector.repeat);
        self.body.strangers = Strangers::Variables;
        let mut members: Vec<MemberDef> = Vec::with_capacity(vector.members.len());
        for member in &vector.members {
            if let Some(checked) = self.member_of(member) {
                self.member_twice(&members, &checked);
                members.push(checked);
            }
        }
        self.body.strangers = Strangers::UnboundInGuard;
        let mut guard = vector.guard.as_ref().map(|guard| self.body.guard(guard));
        self.body.strangers = Strangers::UnboundInResult;
        let mut result = self.body.action_value(&vector.result);
        let mut rivals: Vec<RivalDef> =
            vector.rivals.iter().map(|rival| self.rival(rival)).collect();
        self.body.strangers = Strangers::Unknown;
        self.body.leave(mark);
        self.body.settle(first);
        self.finish_members(&mut members);
        guard.iter_mut().for_each(|guard| self.body.finish(guard));
        self.body.finish(&mut result);
        for rival in &mut rivals {
            self.finish_members(&mut rival.members);
            rival.guard.iter_mut().for_each(|guard| self.finish_guard_of_parts(guard));
        }
        if members.len() > 1 || members.iter().any(|member| !member.repeat.is_empty()) {
            self.synchronised_again(&members);
        }
        let all: Vec<&MemberDef> = members.iter().collect();
        self.unbound_indices(&all);
        let outside = members.iter().filter(|member| member.repeat.is_empty());
        let outside: Vec<&MemberDef> = outside.collect();
        let given = members.iter().chain(rivals.iter().flat_map(|rival| &rival.members));
        for member in given {
            self.unbound_condition(member.condition.as_ref(), &outside, &rivals);
        }
        if !self.body.failed {
            self.single_uses(first);
        }
        self.look_at_members(&members);
        rivals.iter().for_each(|rival| self.look_at_rival(&rival.members));
        self.offer_of(&members, guard.as_ref(), &result);
        self.body.failed |= failed;
        let members_span = vector.members_span;
        let name = vector.name;
        Some(VectorDef { name, members, result, guard, rivals, repeat, span, members_span })
    }

    /// What goes before a vector; its own variables mean "some value".
    pub fn rival(&mut self, rival: &ast::Rival) -> RivalDef {
        let mark = self.body.enter();
        self.body.strangers = Strangers::Variables;
        let mut members: Vec<MemberDef> = Vec::with_capacity(rival.members.len());
        for member in &rival.members {
            if let Some(checked) = self.member_of(member) {
                self.member_twice(&members, &checked);
                members.push(checked);
            }
        }
        self.body.strangers = Strangers::UnboundInGuard;
        let guard = rival.guard.as_ref().map(|guard| self.guard_of_parts(guard));
        self.body.leave(mark);
        RivalDef { members, guard, span: rival.span }
    }

    /// The guard of what goes first, which may read variables of parts: `C.load > 3`.
    pub fn guard_of_parts(&mut self, guard: &ast::Expr) -> Expr {
        let outside = std::mem::replace(&mut self.body.property, self.variables.clone());
        let checked = self.body.guard(guard);
        self.body.property = outside;
        checked
    }

    /// Settles the sorts of such a guard, and looks whether the members that it reads are there.
    pub fn finish_guard_of_parts(&mut self, guard: &mut Expr) {
        self.body.finish(guard);
        if let Some(property) = self.variables.clone() {
            self.body.members_exist(guard, &property);
        }
    }

    /// The indices a vector or connector is repeated for.
    pub fn repeat(&mut self, repeat: &[ast::Family]) -> Vec<FamilyDef> {
        let mut all = Vec::with_capacity(repeat.len());
        for family in repeat {
            let range = self.body.repeated_range(&family.range);
            let index = self.body.bind(family.index, Sort::Range(range), LocalKind::Index);
            all.push(FamilyDef { index, range });
        }
        all
    }

    /// A member of a vector, for all the indices that it stands for.
    fn member_of(&mut self, member: &ast::Member) -> Option<MemberDef> {
        let (repeat, mark) = self.together(&member.repeat);
        let checked =
            self.member(&member.part, |work| work.body.action(&member.action, Place::Member));
        let condition = self.condition(member.condition.as_deref());
        self.body.forget(mark, repeat.len());
        checked.map(|checked| MemberDef { repeat, condition, ..checked })
    }

    /// Which of the indices inside of brackets are meant.
    pub fn condition(&mut self, condition: Option<&ast::Expr>) -> Option<Expr> {
        // A part there is meant for its variables, which nobody sees.
        self.body.parts = self.parts.iter().map(|part| part.name.name).collect();
        let checked = condition.map(|condition| self.body.expr_of(condition, Sort::Bool, None));
        self.body.parts.clear();
        checked
    }

    /// Indices inside of brackets, whose ranges have no names of the vector in them, and the mark to forget them by:
    /// what else is introduced in the brackets is seen outside.
    pub fn together(&mut self, repeat: &[ast::Family]) -> (Vec<FamilyDef>, usize) {
        let strangers = std::mem::replace(&mut self.body.strangers, Strangers::Unknown);
        let mark = self.body.enter();
        let repeat = self.repeat(repeat);
        self.body.strangers = strangers;
        (repeat, mark)
    }

    /// A part with its action.
    pub fn member(
        &mut self,
        part: &ast::Part,
        action: impl FnOnce(&mut Self) -> Expr,
    ) -> Option<MemberDef> {
        let id = self.find_part(part);
        let index = part.index.as_ref().map(|index| self.body.expr_of(index, Sort::Int, None));
        let action = action(self);
        let id = id?;
        let (name, family) = (self.parts[id.index()].name, self.parts[id.index()].family);
        if let Some(&first) = self.passed.get(&id.index())
            && self.parts[id.index()].is_hole
        {
            let name = name.name.to_string();
            self.body.report(HoleUsedTwice { span: part.span, name, first });
        }
        // A variable that is an index chooses a member: it says something even when it stands alone.
        if let Some(Expr { kind: ExprKind::Local(local), .. }) = index {
            self.body.reads[local.index()] += 1;
        }
        match (&index, family) {
            (Some(index), Some(range)) => self.index_in_family(name, index, range),
            (None, None) => {}
            (index, _) => {
                let family = index.is_none();
                let (text, declared) = (name.name.to_string(), Some(name.span));
                self.body.report(FamilyIndex { span: part.span, name: text, family, declared });
            }
        }
        let (repeat, condition) = (Vec::new(), None);
        Some(MemberDef { part: id, index, action, repeat, condition, span: part.span })
    }

    pub fn finish_members(&mut self, members: &mut [MemberDef]) {
        for member in members {
            self.body.finish(&mut member.action);
            member.index.iter_mut().for_each(|index| self.body.finish(index));
            member.condition.iter_mut().for_each(|condition| self.body.finish(condition));
        }
    }

    fn find_part(&mut self, part: &ast::Part) -> Option<PartId> {
        let ident = part.name;
        if let Some(&id) = self.part_ids.get(&ident.name) {
            self.parts[id.index()].seen.at_all = true;
            self.names_part(ident, id);
            return Some(id);
        }
        self.body.failed = true;
        if self.body.is_unparsed(ident.name) {
            return None;
        }
        let known: Vec<String> = self.parts.iter().map(|part| part.name.name.to_string()).collect();
        let similar = self.body.sema.similar(ident.name, known.iter().map(String::as_str));
        if let Some(similar) = &similar
            && let Some(&id) = self.part_ids.get(&Symbol::new(similar))
        {
            self.parts[id.index()].seen.at_all = true;
        }
        let (name, net) = (ident.name.to_string(), self.net.name.to_string());
        self.body.report(UnknownPart { span: ident.span, name, net, similar, known });
        None
    }

    fn member_twice(&mut self, members: &[MemberDef], new: &MemberDef) {
        let same = members.iter().find(|member| {
            let single = member.repeat.is_empty() && new.repeat.is_empty();
            let same = || same_index(member.index.as_ref(), new.index.as_ref());
            member.part == new.part && single && same()
        });
        if let Some(first) = same.map(|member| member.span) {
            let name = self.parts[new.part.index()].name.name.to_string();
            self.body.report(MemberTwice { span: new.span, name, first });
        }
    }

    fn synchronised_again(&mut self, members: &[MemberDef]) {
        for member in members {
            if matches!(member.action.kind, ExprKind::Sync(_)) {
                self.body.report(SynchronisedAgain { span: member.action.span });
            }
        }
    }

    /// Reports indices whose variables get a value from no member's action.
    pub fn unbound_indices(&mut self, members: &[&MemberDef]) {
        let mut bound: FxHashSet<LocalId> = FxHashSet::default();
        for member in members {
            member.action.each_local(&mut |id| {
                bound.insert(id);
            });
        }
        for member in members {
            let Some(index) = &member.index else { continue };
            let mut unbound: Vec<LocalId> = Vec::new();
            index.each_local(&mut |id| {
                let kind = self.body.locals[id.index()].kind;
                if kind == LocalKind::VectorData && bound.insert(id) {
                    unbound.push(id);
                }
            });
            let range = self.parts[member.part.index()].family;
            let range =
                range.filter(|id| self.body.sema.program.ranges[id.index()].known.is_some());
            let range = range.map(|id| self.body.sema.program.sort_name(Sort::Range(id)));
            for id in unbound {
                let span = index.place_of(id).unwrap_or(index.span);
                let name = self.body.locals[id.index()].name.to_string();
                self.body.report(UnboundIndex { span, name, range: range.clone() });
            }
        }
    }

    /// Reports variables of a condition in brackets that no member outside of brackets gives a value to.
    pub fn unbound_condition(
        &mut self,
        condition: Option<&Expr>,
        outside: &[&MemberDef],
        rivals: &[RivalDef],
    ) {
        let Some(condition) = condition else { return };
        let mut unbound: Vec<LocalId> = Vec::new();
        condition.each_local(&mut |id| {
            let kind = self.body.locals[id.index()].kind;
            if matches!(kind, LocalKind::VectorData | LocalKind::VectorAction) {
                unbound.push(id);
            }
        });
        let inside = rivals.iter().flat_map(|rival| &rival.members);
        let inside = inside.filter(|member| member.repeat.is_empty());
        for member in outside.iter().copied().chain(inside) {
            member.action.each_local(&mut |id| unbound.retain(|one| *one != id));
        }
        unbound.dedup();
        for id in unbound {
            let span = condition.place_of(id).unwrap_or(condition.span);
            let name = self.body.locals[id.index()].name.to_string();
            self.body.report(UnboundCondition { span, name });
        }
    }

    /// Reports variables that are used once, and so say nothing.
    pub fn single_uses(&mut self, first: usize) {
        for index in first..self.body.locals.len() {
            let local = self.body.locals[index];
            let variable = matches!(local.kind, LocalKind::VectorData | LocalKind::VectorAction);
            let quiet = local.name.as_str().starts_with('_') || self.body.is_unparsed(local.name);
            if variable && self.body.reads[index] == 1 && !quiet {
                // `?a`: the mark goes with the name.
                let mark = u32::from(local.kind == LocalKind::VectorAction);
                let span = Span::new(local.span.start - mark.min(local.span.start), local.span.end);
                let name = local.name.to_string();
                self.body.report(SingleUse { span, name });
            }
        }
    }

    /// What only a rival mentions is there to be looked at: it is not lost by mistake. Of holes, only what is taken counts.
    fn look_at_rival(&mut self, members: &[MemberDef]) {
        for member in members {
            let part = &mut self.parts[member.part.index()];
            if part.is_hole {
                continue;
            }
            match head_of(&member.action) {
                Asked::Anything => part.seen.anything = true,
                Asked::Silent(head) | Asked::Head(head) => _ = part.seen.heads.insert(head),
                Asked::Wrong => {}
            }
        }
    }

    /// Compares what the members are asked for with what they offer.
    pub fn look_at_members(&mut self, members: &[MemberDef]) {
        for member in members {
            let part = &mut self.parts[member.part.index()];
            match head_of(&member.action) {
                Asked::Anything => part.seen.anything = true,
                Asked::Silent(head) => {
                    part.seen.heads.insert(head);
                }
                Asked::Wrong => {}
                Asked::Head(head) => {
                    part.seen.heads.insert(head);
                    let span = member.action.span;
                    self.is_offered(member.part, head, span);
                }
            }
        }
    }

    fn is_offered(&mut self, part: PartId, head: Head, span: Span) {
        let part = &self.parts[part.index()];
        let (name, component) = (part.name.name.to_string(), part.component.clone());
        if let Some(interface) = part.interface {
            let def = &self.body.sema.program.interfaces[interface.index()];
            let allowed = Offer::of_interface(def);
            if allowed.has(head) == Certainty::No {
                let declared = def.named.span;
                let similar = self.similar_head(head, &allowed);
                let (action, hole) = (self.show_head(head), name);
                let interface = component;
                self.body.report(OutsideInterface {
                    span,
                    action,
                    hole,
                    interface,
                    declared,
                    similar,
                });
            }
            return;
        }
        if !part.is_hole && !self.is_made && part.offer.has(head) == Certainty::No {
            let offer = part.offer.clone();
            let declared = part.name.span;
            let similar = self.similar_head(head, &offer);
            let (action, part) = (self.show_head(head), name);
            self.body.report(NeverOffered { span, action, part, component, similar, declared });
        }
    }

    fn similar_head(&mut self, head: Head, offer: &Offer) -> Option<String> {
        let name_of = |head: Head, work: &Self| {
            let id = head.action()?;
            Some(work.body.sema.program.actions[id.index()].named.name)
        };
        let known = offer.certain().into_iter().filter_map(|head| name_of(head, self));
        let known: Vec<&str> = known.map(Symbol::as_str).collect();
        let written = name_of(head, self)?;
        self.body.sema.similar(written, known)
    }

    /// Adds what a vector shows to what the net shows.
    fn offer_of(&mut self, members: &[MemberDef], guard: Option<&Expr>, result: &Expr) {
        let variable = match result.kind {
            ExprKind::Local(id) => {
                let binds =
                    |m: &&MemberDef| matches!(m.action.kind, ExprKind::Local(bound) if bound == id);
                let program = &self.body.sema.program;
                let tests = guard.map(|g| offers::tests_on(program, g, id)).unwrap_or_default();
                match members.iter().find(binds) {
                    Some(member) => self.parts[member.part.index()].offer.clone().tested(&tests),
                    // A parameter, or something inside `sync` or `co`.
                    None if id.index() < self.body.locals.len()
                        && self.body.locals[id.index()].kind == LocalKind::Parameter =>
                    {
                        let source = Source::plain(Origin::Parameter(id));
                        Offer { sources: vec![source], unclear: false }
                    }
                    None => Offer::unclear(),
                }
            }
            _ => Offer::unclear(),
        };
        self.offer.extend(offers::of_action(result, &variable));
    }
}

/// What a member is asked for.
enum Asked {
    /// Whatever it does.
    Anything,
    /// A silent action.
    Silent(Head),
    /// This action.
    Head(Head),
    /// Something that is wrong, and reported.
    Wrong,
}

fn head_of(action: &Expr) -> Asked {
    match &action.kind {
        ExprKind::Act(id, _) => Asked::Head(Head::Plain(*id)),
        ExprKind::Co(inner) => match &inner.kind {
            ExprKind::Act(id, _) => Asked::Head(Head::Co(*id)),
            ExprKind::Error => Asked::Wrong,
            _ => Asked::Anything,
        },
        ExprKind::Tau => Asked::Silent(Head::Tau),
        ExprKind::Sync(inner) => Asked::Silent(Head::Sync(match inner.kind {
            ExprKind::Act(id, _) => Some(id),
            _ => None,
        })),
        ExprKind::Local(_) | ExprKind::Wildcard => Asked::Anything,
        _ => Asked::Wrong,
    }
}

/// Whether two indices are certainly the same.
fn same_index(a: Option<&Expr>, b: Option<&Expr>) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => match (&a.kind, &b.kind) {
            (ExprKind::Int(a), ExprKind::Int(b)) => a == b,
            (ExprKind::Local(a), ExprKind::Local(b)) => a == b,
            (ExprKind::Const(a), ExprKind::Const(b)) => a == b,
            _ => false,
        },
        _ => false,
    }
}

impl Seen {
    /// Whether some vector takes this action.
    pub fn takes(&self, head: Head) -> bool {
        let same = |one: &Head| match (head, one) {
            // Which one is not known, or whichever it is.
            (Head::Sync(None), Head::Sync(_)) | (Head::Sync(_), Head::Sync(None)) => true,
            _ => head == *one,
        };
        self.anything || self.heads.iter().any(same)
    }
}
