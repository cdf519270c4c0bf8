//! Instances: a process or net with its arguments, and whether what fills a hole fits it (Ameur-Boulifa et al., JLAMP
//! 2023, Definition 4: the sort of what fills is included in the sort of the hole).

use rustc_hash::FxHashSet;

use super::body::Resolved;
use super::net::{MOST_HOLES, OpenHole, Work};
use super::offers::{Certainty, Head, Offer, Origin, Source};
use super::problems::{
    Duplicate, FamilyIndex, HoleCount, HoleUsedTwice, IndexOutOfFamily, PassedPart,
    SortNotIncluded, UnconnectedPort, UnknownComponent, UnknownHole, ValueCount,
};
use super::program::{
    Argument, Component, Expr, ExprKind, FillDef, FillIndex, Instance, InterfaceId, LocalKind,
    NetId, RangeId, Sort,
};
use super::scope::{Meaning, Space};
use crate::diagnostics::{Span, Symbol};
use crate::syntax::ast::{self, Ident};
use crate::syntax::walk::walk;

impl Work<'_, '_> {
    /// Notes the name of a hole or sub-net.
    pub fn names_part(&mut self, ident: Ident, id: super::program::PartId) {
        let part = &self.parts[id.index()];
        let kind = if part.is_hole { super::NameKind::Hole } else { super::NameKind::Part };
        let declared = part.name.span;
        self.body.sema.occurs(ident, declared, kind);
    }

    /// An instance. Holes that it leaves open become holes of this net, behind the names of `prefix`.
    pub fn instance(&mut self, instance: &ast::Instance, prefix: &[Symbol]) -> (Instance, Offer) {
        if let Some(ident) = instance.head.path.as_name()
            && let Some(&part) = self.part_ids.get(&ident.name)
            && self.parts[part.index()].is_hole
        {
            self.names_part(ident, part);
            return self.passed_hole(instance, part.index());
        }
        if let Some(index) = &instance.head.index {
            let index = self.body.expr(index);
            let name = instance.head.path.to_string();
            let span = index.span;
            self.body.report(FamilyIndex { span, name, family: false, declared: None });
        }
        let path = &instance.head.path;
        let (component, ident) = match self.body.resolve(Space::Components, path) {
            Resolved::Known(declared, ident, []) => (declared.meaning, ident),
            Resolved::Known(_, _, rest) => return self.unknown(instance, rest[0]),
            Resolved::NotIn(ident) => return self.unknown(instance, ident),
            Resolved::Unknown if path.parts.len() > 1 => {
                self.body.unknown_module(path.parts[0]);
                return self.failed(instance);
            }
            Resolved::Unknown => return self.unknown(instance, path.parts[0]),
        };
        match component {
            Meaning::Process(id) => {
                let declared = self.body.sema.program.processes[id.index()].named.span;
                let Some(taken) = self.taken_process(instance, ident, id) else {
                    return self.failed(instance);
                };
                let id = taken.id;
                let values = self.values(instance, ident, &taken.values, &taken.sorts, declared);
                if let Some(fill) = instance.fills.first()
                    && !self.body.is_unparsed(ident.name)
                {
                    self.hole_count(fill.instance.span, ident, 0, instance.fills.len(), declared);
                }
                let offer = &self.body.sema.offers[id.index()];
                let offer = offer.apply(&self.body.sema.program, &values, &[]);
                let component = Component::Process(id);
                (Instance { component, values, fills: Vec::new(), span: instance.span }, offer)
            }
            Meaning::Net(id) => self.net_instance(instance, ident, id, prefix),
            Meaning::Architecture(id) => self.unfolding(instance, ident, id),
            _ => self.unknown(instance, ident),
        }
    }

    pub fn hole_count(
        &mut self,
        span: Span,
        ident: Ident,
        expected: usize,
        found: usize,
        declared: Span,
    ) {
        let (name, declared) = (ident.name.to_string(), Some(declared));
        self.body.report(HoleCount { span, name, expected, found, declared });
    }

    fn unknown(&mut self, instance: &ast::Instance, ident: Ident) -> (Instance, Offer) {
        self.body.failed = true;
        if !self.body.is_unparsed(ident.name) {
            let mut known = self.body.names_in(Space::Components, |_| true);
            known.extend(self.parts.iter().filter(|p| p.is_hole).map(|p| p.name.name.as_str()));
            let similar = self.body.sema.similar(ident.name, known);
            let excused = self.body.is_excused(similar.as_ref());
            if let Some(part) = self.as_part(instance) {
                let (span, name, similar) = (ident.span, ident.name.to_string(), None);
                let (parts, is_rule) = (vec![part], false);
                self.body.report(UnknownComponent { span, name, similar, parts, is_rule });
            } else if !excused
                && (similar.is_some() || !self.body.wrong_kind(ident, "a process or net"))
            {
                let name = ident.name.to_string();
                let (span, parts, is_rule) = (ident.span, Vec::new(), self.passes_rule);
                let similar = similar.filter(|_| !is_rule);
                self.body.report(UnknownComponent { span, name, similar, parts, is_rule });
            }
        }
        self.failed(instance)
    }

    /// The sub-net of this net that somebody takes for a component.
    fn as_part(&self, instance: &ast::Instance) -> Option<PassedPart> {
        let name = instance.head.path.as_name()?.name;
        let part = &self.parts[self.part_ids.get(&name)?.index()];
        (!part.is_hole).then(|| PassedPart {
            span: instance.head.span,
            name: name.to_string(),
            declared: part.name.span,
            component: part.component.clone(),
            plain: part.plain,
        })
    }

    /// Whether there is a component of the name that stands here.
    fn is_component(&mut self, instance: &ast::Instance) -> bool {
        let path = &instance.head.path;
        matches!(self.body.resolve(Space::Components, path), Resolved::Known(..))
    }

    /// Sub-nets that are passed on as if they were components: one mistake, however many they are.
    fn passed_parts(&mut self, instance: &ast::Instance) -> FxHashSet<Span> {
        let mut parts = Vec::new();
        for fill in &instance.fills {
            if let Some(part) = self.as_part(&fill.instance)
                && !self.is_component(&fill.instance)
            {
                parts.push(part);
            }
        }
        let spans = parts.iter().map(|part| part.span).collect();
        if let Some(first) = parts.first() {
            self.body.failed = true;
            let (span, name, similar) = (first.span, first.name.clone(), None);
            let is_rule = false;
            self.body.report(UnknownComponent { span, name, similar, parts, is_rule });
        }
        spans
    }

    /// An instance of something unknown: its arguments may still be looked at.
    fn failed(&mut self, instance: &ast::Instance) -> (Instance, Offer) {
        // The names that are passed to a rule are no components.
        let fills = if self.passes_rule { &[][..] } else { &instance.fills };
        for fill in fills {
            self.instance(&fill.instance, &[]);
        }
        instance.values.iter().for_each(|value| self.use_mentioned(value));
        let (values, fills) = (Vec::new(), Vec::new());
        let component = Component::Error;
        (Instance { component, values, fills, span: instance.span }, Offer::unclear())
    }

    /// Actions that the arguments of something unknown mention are not called unused.
    fn use_mentioned(&mut self, value: &ast::Expr) {
        let mut names: Vec<Symbol> = Vec::new();
        walk(value, &mut |expr| match &expr.kind {
            ast::ExprKind::Name(name) => names.push(*name),
            ast::ExprKind::Call(call) => {
                names.extend(call.callee.as_name().map(|ident| ident.name))
            }
            _ => {}
        });
        for name in names {
            if let Some(declared) = self.body.lookup(Space::Values, name)
                && let Meaning::Actions(actions) = declared.meaning
            {
                actions.into_iter().for_each(|(_, id)| self.body.use_action(id));
            }
        }
    }

    /// A hole of this net, passed on to another.
    fn passed_hole(&mut self, instance: &ast::Instance, number: usize) -> (Instance, Offer) {
        let ident = self.parts[number].name;
        let use_span = instance.head.span;
        let index =
            instance.head.index.as_ref().map(|index| self.body.expr_of(index, Sort::Int, None));
        let family = self.parts[number].family;
        if let (Some(index), Some(range)) = (&index, family) {
            self.index_in_family(ident, index, range);
        }
        if index.is_some() && family.is_none() {
            let (name, declared) = (ident.name.to_string(), Some(ident.span));
            self.body.report(FamilyIndex { span: use_span, name, family: false, declared });
        }
        // Members of a family are different holes.
        if (index.is_none() || family.is_none())
            && let Some(&first) = self.passed.get(&number)
        {
            let name = ident.name.to_string();
            self.body.report(HoleUsedTwice { span: use_span, name, first });
        }
        self.passed.entry(number).or_insert(use_span);
        self.parts[number].seen.at_all = true;
        if let Some(fill) = instance.fills.first() {
            self.hole_count(fill.instance.span, ident, 0, instance.fills.len(), ident.span);
        }
        if let Some(value) = instance.values.first() {
            let (name, declared) = (ident.name.to_string(), Some(ident.span));
            let (expected, found) = (0, instance.values.len());
            self.body.report(ValueCount { span: value.span, name, expected, found, declared });
        }
        let component = Component::Hole(number, index.map(Box::new));
        let (values, fills) = (Vec::new(), Vec::new());
        let offer = self.parts[number].offer.clone();
        (Instance { component, values, fills, span: instance.span }, offer)
    }

    /// Reports an index that is certainly outside its family.
    pub fn index_in_family(&mut self, ident: Ident, index: &Expr, range: RangeId) {
        let Some((low, high)) = self.body.sema.program.ranges[range.index()].known.clone() else {
            return;
        };
        let Some((least, most)) = self.body.folder().interval(index) else { return };
        // Every value of a repeated index occurs: one that leads outside is enough.
        let exact = self.body.takes_every_value(index);
        let outside = if exact { least < low || most >= high } else { most < low || least >= high };
        if low < high && outside {
            let index_text = match () {
                () if least == most => least.to_string(),
                () if exact && most >= high => most.to_string(),
                () if exact => least.to_string(),
                () => format!("{least}..{}", most + 1),
            };
            self.body.report(IndexOutOfFamily {
                span: index.span,
                name: ident.name.to_string(),
                index: index_text,
                range: format!("{low}..{high}"),
                declared: Some(ident.span),
            });
        }
    }

    // ---- value arguments ----

    fn values(
        &mut self,
        instance: &ast::Instance,
        ident: Ident,
        values: &[&ast::Expr],
        sorts: &[Sort],
        declared: Span,
    ) -> Vec<Argument> {
        let count = values.len();
        if count != sorts.len() && !self.body.is_unparsed(ident.name) {
            self.body.report(ValueCount {
                span: instance.span,
                name: ident.name.to_string(),
                expected: sorts.len(),
                found: count,
                declared: Some(declared),
            });
        }
        let wanted = sorts.iter().copied().chain(std::iter::repeat(Sort::Error));
        let values = values.iter().zip(wanted);
        values.map(|(value, sort)| self.argument(value, sort, declared)).collect()
    }

    pub(super) fn argument(&mut self, value: &ast::Expr, sort: Sort, declared: Span) -> Argument {
        match sort {
            Sort::Actions => {
                let mut set = self.body.action_set(value);
                self.body.finish_set(&mut set);
                Argument::Set(set)
            }
            Sort::Action => {
                let mut action = self.body.action_value(value);
                self.body.finish(&mut action);
                Argument::Value(action)
            }
            Sort::Error => Argument::Value(Expr::error(value.span)),
            sort => {
                let because = Some((declared, "it is declared here".to_owned()));
                let mut checked = self.body.expr_of(value, sort, because);
                self.body.check_range(&checked, sort, None);
                self.body.finish(&mut checked);
                Argument::Value(checked)
            }
        }
    }

    // ---- filling holes ----

    fn net_instance(
        &mut self,
        instance: &ast::Instance,
        ident: Ident,
        id: NetId,
        prefix: &[Symbol],
    ) -> (Instance, Offer) {
        let facts = &self.body.sema.net_facts[id.index()];
        let declared = self.body.sema.program.nets[id.index()].named.span;
        if !facts.ready {
            // It contains itself, which is reported.
            self.body.failed = true;
            return self.failed(instance);
        }
        let Some(taken) = self.taken_net(instance, ident, id) else {
            return self.failed(instance);
        };
        let id = taken.id;
        let values = self.values(instance, ident, &taken.values, &taken.sorts, declared);
        let facts = &self.body.sema.net_facts[id.index()];
        let (holes, more) = (facts.holes.clone(), facts.more_holes);
        let mut filled: Vec<Option<Offer>> = vec![None; holes.len()];
        let mut whole = vec![false; holes.len()];
        let mut filled_at: Vec<Vec<(Option<i64>, Span)>> = vec![Vec::new(); holes.len()];
        let mut fills = Vec::with_capacity(instance.fills.len());
        let passed = self.passed_parts(instance);
        for (position, fill) in instance.fills.iter().enumerate() {
            let is_part = passed.contains(&fill.instance.head.span);
            let Some((number, index)) = self.fill_target(fill, position, ident, id, &holes, more)
            else {
                if !is_part {
                    self.instance(&fill.instance, &[]);
                }
                continue;
            };
            let mark = self.body.enter();
            let (index, one) = self.fill_index(fill, index, &holes[number]);
            let path = holes[number].path.clone();
            let inside: Vec<Symbol> = prefix.iter().copied().chain(path.names()).collect();
            let (with, offer) = match is_part {
                true => self.failed(&fill.instance),
                false => self.instance(&fill.instance, &inside),
            };
            self.body.leave(mark);
            self.fits(&fill.instance, &offer, &holes[number]);
            self.is_silenced(&fill.instance, &offer, &holes[number]);
            self.filled_twice(fill, &index, &holes[number], &mut filled_at[number]);
            whole[number] |= !one;
            match &mut filled[number] {
                Some(known) => known.extend(offer),
                unfilled => *unfilled = Some(offer),
            }
            fills.push(FillDef { hole: path.names(), index, instance: with });
        }
        let offers = self.open_holes(&holes, filled, &whole, prefix);
        self.more_holes |= more;
        let offer = &self.body.sema.net_facts[id.index()].offer;
        let offer = offer.apply(&self.body.sema.program, &values, &offers);
        let component = Component::Net(id);
        (Instance { component, values, fills, span: instance.span }, offer)
    }

    /// What each hole of an instance shows; those that stay open become holes of this net.
    fn open_holes(
        &mut self,
        holes: &[OpenHole],
        filled: Vec<Option<Offer>>,
        whole: &[bool],
        prefix: &[Symbol],
    ) -> Vec<Offer> {
        let mut offers = Vec::with_capacity(holes.len());
        for ((hole, filled), &whole) in holes.iter().zip(filled).zip(whole) {
            if let (Some(offer), true) = (&filled, whole) {
                offers.push(offer.clone());
                continue;
            }
            let number = self.holes.len();
            let mut offer = filled.unwrap_or_default();
            if number >= MOST_HOLES {
                self.more_holes = true;
                offer.unclear = true;
            } else {
                let path =
                    prefix.iter().rev().fold(hole.path.clone(), |path, name| path.behind(*name));
                self.holes.push(OpenHole { path, ..hole.clone() });
                offer.add(Source::plain(Origin::Hole(number)));
            }
            offers.push(offer);
        }
        offers
    }

    /// Which hole is filled, by its number, and the index if one was written.
    fn fill_target<'f>(
        &mut self,
        fill: &'f ast::Fill,
        position: usize,
        ident: Ident,
        id: NetId,
        holes: &[OpenHole],
        more: bool,
    ) -> Option<(usize, Option<&'f ast::Expr>)> {
        let declared = self.body.sema.program.nets[id.index()].named.span;
        let Some(target) = &fill.hole else {
            if position < holes.len() {
                return Some((position, None));
            }
            if !more && !self.body.is_unparsed(ident.name) {
                self.hole_count(fill.instance.span, ident, holes.len(), position + 1, declared);
            }
            return None;
        };
        let names: Vec<Symbol> = target.path.parts.iter().map(|part| part.name).collect();
        if let Some(number) = holes.iter().position(|hole| hole.path.names() == names) {
            self.body.sema.names_hole_of(id, &target.path.parts);
            return Some((number, target.index.as_deref()));
        }
        self.body.failed = true;
        if !more && !self.body.is_unparsed(ident.name) {
            let known: Vec<String> = holes.iter().map(|hole| hole.path.show()).collect();
            let written = Symbol::new(&target.path.to_string());
            let similar = self.body.sema.similar(written, known.iter().map(String::as_str));
            let (name, net) = (written.to_string(), ident.name.to_string());
            self.body.report(UnknownHole { span: target.path.span(), name, net, similar, known });
        }
        None
    }

    /// Which members of a family are filled, and whether it is only one.
    fn fill_index(
        &mut self,
        fill: &ast::Fill,
        index: Option<&ast::Expr>,
        hole: &OpenHole,
    ) -> (FillIndex, bool) {
        let Some(index) = index else { return (FillIndex::Whole, false) };
        let Some(range) = hole.family else {
            let (name, declared) = (hole.path.show(), Some(hole.span));
            let span = fill.hole.as_ref().map_or(index.span, |target| target.span);
            self.body.report(FamilyIndex { span, name, family: false, declared });
            return (FillIndex::Whole, false);
        };
        if let ast::ExprKind::Name(name) = index.kind
            && self.body.local(name).is_none()
            && self.body.lookup(Space::Values, name).is_none()
        {
            let ident = Ident { name, span: index.span };
            let id = self.body.bind(ident, Sort::Range(range), LocalKind::Index);
            self.body.reads[id.index()] = 1;
            return (FillIndex::Each(id), false);
        }
        let index = self.body.expr_of(index, Sort::Int, None);
        let ident = Ident { name: hole.path.name, span: hole.span };
        self.index_in_family(ident, &index, range);
        (FillIndex::One(index), true)
    }

    /// Reports a hole that is filled twice.
    fn filled_twice(
        &mut self,
        fill: &ast::Fill,
        index: &FillIndex,
        hole: &OpenHole,
        before: &mut Vec<(Option<i64>, Span)>,
    ) {
        let member = match index {
            FillIndex::Whole | FillIndex::Each(_) => None,
            FillIndex::One(Expr { kind: ExprKind::Int(value), .. }) => Some(*value),
            FillIndex::One(_) => return,
        };
        let span = fill.hole.as_ref().map_or(fill.instance.span, |target| target.span);
        // One member and all the others are two things.
        if let Some((_, first)) = before.iter().find(|known| known.0 == member) {
            let (what, name, first) = ("filling of the hole".to_owned(), hole.path.show(), *first);
            self.body.report(Duplicate { span, what, name, first });
        }
        before.push((member, span));
    }

    /// Reports what fills a hole although it can show what the hole does not allow.
    fn fits(&mut self, fill: &ast::Instance, offer: &Offer, hole: &OpenHole) {
        let Some(interface) = hole.interface else { return };
        let allowed = Offer::of_interface(&self.body.sema.program.interfaces[interface.index()]);
        let mut extra: Vec<String> = Vec::new();
        for head in offer.certain() {
            if allowed.has(head) == Certainty::No {
                extra.push(self.show_head(head));
            }
        }
        for source in offer.sources.iter().filter(|source| source.tests.is_empty()) {
            let Origin::Hole(passed) = source.origin else { continue };
            match self.holes.get(passed).map(|hole| hole.interface) {
                Some(None) => extra.push("any action".to_owned()),
                Some(Some(other)) if other != interface => {
                    extra.extend(self.not_included(other, &allowed));
                }
                _ => {}
            }
        }
        if extra.is_empty() {
            return;
        }
        self.body.report(SortNotIncluded {
            span: fill.span,
            hole: hole.path.show(),
            interface: self.body.sema.program.interfaces[interface.index()].named.name.to_string(),
            extra,
            declared: Some(hole.span),
        });
    }

    /// Reports silent actions of what fills a hole, where the net around the hole lets none of them through.
    fn is_silenced(&mut self, fill: &ast::Instance, offer: &Offer, hole: &OpenHole) {
        let Some(taken) = hole.taken.clone() else { return };
        let (seen, net) = &*taken;
        for head in offer.certain_silent().into_iter().filter(|head| !seen.takes(*head)) {
            let (part, action) = (hole.path.show(), self.show_head(head));
            let own = hole.path.names().last().map_or_else(String::new, Symbol::to_string);
            let own = if hole.family.is_some() { format!("{own}[i]") } else { own };
            let repeated = if hole.family.is_some() { " for i in 0..n" } else { "" };
            let vector = match head {
                Head::Sync(_) => format!("<{own}: sync ?a> -> sync a{repeated};"),
                _ => format!("<{own}: {action}> -> {action}{repeated};"),
            };
            self.body.report(UnconnectedPort {
                span: fill.span,
                action,
                part,
                component: fill
                    .head
                    .path
                    .parts
                    .last()
                    .map_or_else(String::new, |ident| ident.name.to_string()),
                declared: None,
                vector,
                net: Some(net.to_string()),
            });
        }
    }

    fn not_included(&self, other: InterfaceId, allowed: &Offer) -> Vec<String> {
        let actions = &self.body.sema.program.interfaces[other.index()].actions;
        let heads = actions.iter().map(|&id| Head::Plain(id));
        heads
            .filter(|head| allowed.has(*head) == Certainty::No)
            .map(|head| self.show_head(head))
            .collect()
    }

    /// An action with places for its arguments, as people would write it.
    pub fn show_head(&self, head: Head) -> String {
        self.show_head_with(head, |place| vec!["_"; place].join(", "))
    }

    /// A head with arguments, given how many there are.
    pub fn show_head_with(&self, head: Head, arguments: impl Fn(usize) -> String) -> String {
        let around = match head {
            Head::Plain(_) => "",
            Head::Co(_) => "co ",
            Head::Sync(_) => "sync ",
            Head::Tau => return "tau".to_owned(),
        };
        let Some(id) = head.action() else { return format!("{around}{}", arguments(1)) };
        let action = &self.body.sema.program.actions[id.index()];
        let name = action.named.name;
        match action.sorts.len() {
            0 => format!("{around}{name}"),
            count => format!("{around}{name}({})", arguments(count)),
        }
    }
}
