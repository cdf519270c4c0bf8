//! Members of families in properties: quantifiers over them, and how many of them are in some states.
//!
//! A path without the index of a family means all its members: each index that is left out is a variable of its own. So what is
//! said of members comes to what is said of indices.

use num_traits::Signed;

use super::body::Body;
use super::leaf_names::{SIDES, Written, WrittenIndex, show, show_written, written};
use super::leaves::{Family, Leaf, Leaves, Property};
use super::problems::{
    AmbiguousPath, CountForm, CountMistake, EachMember, EachMistake, FamilyIndex, MemberUse,
    NotConstant, UnknownPath,
};
use super::program::{
    Expr, ExprKind, LeafPath, LeafTest, LocalId, LocalKind, ProcessId, RangeDef, RangeId, Sort,
};
use crate::diagnostics::{Span, Symbol};
use crate::syntax::ast::{self, Ident, Operator, PartPath, Relation};

/// That no more than so many members are in some states.
#[derive(Clone, Debug)]
pub struct AtMost {
    /// How many may be.
    pub most: Expr,
    /// Which members: where one is meant twice, it counts once.
    pub members: Vec<CountedMembers>,
}

/// Members that are counted.
#[derive(Clone, Debug)]
pub struct CountedMembers {
    /// The indices that go through the members; none for a component in no family.
    pub indices: Vec<LocalId>,
    /// The states in which one counts. The path is the whole way from the net.
    pub test: LeafTest,
}

/// What the variable of a quantifier over members stands for.
#[derive(Clone, Debug)]
pub(super) struct Member {
    /// The whole way to it.
    path: LeafPath,
    /// Which of the nets it is found in.
    net: usize,
}

/// What a path without indices leads to: members, or parts of them.
struct Place {
    net: usize,
    path: Vec<Symbol>,
    families: Vec<Option<Family>>,
    process: Option<ProcessId>,
}

/// Members that were found, and the indices that go through them.
struct Found {
    net: usize,
    path: LeafPath,
    indices: Vec<LocalId>,
    process: Option<ProcessId>,
}

impl Place {
    fn of(net: usize, leaf: &Leaf, length: usize) -> Place {
        let process = (length == leaf.path.len()).then_some(leaf.process);
        let (path, families) = (leaf.path[..length].to_vec(), leaf.families[..length].to_vec());
        Place { net, path, families, process }
    }
}

/// That no more than so many members are in some states; one, where nobody says how many.
pub(super) fn counted(
    body: &mut Body<'_, '_>,
    (expr, most): (&ast::Expr, Option<&ast::Expr>),
    nets: Vec<Leaves>,
    name: String,
) -> Expr {
    body.property = Some(Property { nets: nets.into(), name, of_parts: false });
    let first = body.locals.len();
    // The number first, and then what is counted: one message says so.
    if let Some(ast::Expr { kind: ast::ExprKind::In(_), span, .. }) = most {
        body.report(CountForm { span: *span, mistake: CountMistake::Order });
        return Expr::error(expr.span);
    }
    let most = match most {
        Some(most) => body.count(most),
        None => Expr { kind: ExprKind::Int(1), sort: Sort::Int, span: expr.span },
    };
    let mut members = Vec::new();
    let complete = body.counted(expr, &mut members);
    body.settle(first);
    let kind = match complete {
        true => ExprKind::AtMost(Box::new(AtMost { most, members })),
        false => ExprKind::Error,
    };
    let mut checked = Expr { kind, sort: Sort::Bool, span: expr.span };
    body.finish(&mut checked);
    if let Some(property) = body.property.take() {
        body.members_exist(&checked, &property);
    }
    checked
}

impl Body<'_, '_> {
    /// How many members there may be.
    fn count(&mut self, most: &ast::Expr) -> Expr {
        let checked = self.expr_of(most, Sort::Int, None);
        if self.folder().integer(&checked).is_some_and(|count| count.is_negative()) {
            self.report(CountForm { span: most.span, mistake: CountMistake::Negative });
        }
        checked
    }

    /// Collects what is counted; whether all of it is clear.
    fn counted(&mut self, expr: &ast::Expr, all: &mut Vec<CountedMembers>) -> bool {
        match &expr.kind {
            ast::ExprKind::Chain(chain)
                if chain.rest.iter().all(|(operator, ..)| *operator == Operator::Or) =>
            {
                let rest = chain.rest.iter().map(|(_, _, operand)| operand);
                let parts = std::iter::once(&chain.first).chain(rest);
                // All of them, whatever was wrong before: each is told.
                let mut complete = true;
                for part in parts {
                    complete &= self.counted(part, all);
                }
                complete
            }
            ast::ExprKind::In(test) if !test.negated => match self.counted_in(test) {
                Some(one) => {
                    all.push(one);
                    true
                }
                None => false,
            },
            ast::ExprKind::Error => false,
            _ => {
                self.report(CountForm { span: expr.span, mistake: CountMistake::Form });
                false
            }
        }
    }

    fn counted_in(&mut self, test: &ast::Test) -> Option<CountedMembers> {
        let property = self.property.clone()?;
        let span = test.subject.span;
        let Some(path) = written(&test.subject) else {
            self.no_leaf(&property, span, Symbol::new("this"));
            return None;
        };
        let Found { net, path, indices, process } = self.members_at(&path, None, span, true)?;
        let process = process?;
        let is_fixed = |index: &Expr| {
            let mut fixed = true;
            index.each(&mut |part| {
                let changes = matches!(part.kind, ExprKind::Leaf(_) | ExprKind::Local(_));
                fixed &=
                    !changes || matches!(part.kind, ExprKind::Local(id) if indices.contains(&id));
            });
            fixed
        };
        let changing = path.iter().filter_map(|(_, index)| index.as_ref()).find(|at| !is_fixed(at));
        if let Some(index) = changing {
            self.report(NotConstant { span: index.span });
            return None;
        }
        let states = self.states_of(process, &test.against);
        Some(CountedMembers {
            indices,
            test: LeafTest { path, net, process, states, any_of: Vec::new() },
        })
    }

    /// Binds the variable of a quantifier to the members of a family; nothing where it is not clear which.
    pub fn bind_member(&mut self, ident: Ident, path: &PartPath) -> Option<Vec<LocalId>> {
        if self.property.is_none() {
            let (span, name) = (path.span, ident.name.to_string());
            self.report(EachMember { span, name, mistake: EachMistake::NoProperty });
            return None;
        }
        let steps = path.steps.iter();
        let steps = steps.map(|(name, index)| (*name, index.as_ref().map(WrittenIndex::Text)));
        let found = self.members_at(&steps.collect(), Some(ident), path.span, false)?;
        let id = self.local(ident.name)?;
        self.members.insert(id, Member { path: found.path, net: found.net });
        Some(found.indices)
    }

    /// Whether a name is a family of the nets that are asked about.
    pub fn is_family(&self, name: Symbol) -> bool {
        let nets = self.property.iter().flat_map(|property| property.nets.iter());
        let mut each = nets.flat_map(|leaves| &leaves.all).flat_map(|leaf| {
            let families = leaf.path.iter().zip(&leaf.families);
            families.filter(|(_, family)| family.is_some())
        });
        each.any(|(known, _)| *known == name)
    }

    /// Whether a name is the variable of a quantifier over members.
    pub fn is_member(&self, name: Symbol) -> bool {
        self.local(name).is_some_and(|id| self.members.contains_key(&id))
    }

    /// A path that starts with the variable of a quantifier over members, as the whole way.
    pub fn way_of_member<'e>(&mut self, mut path: Written<'e>) -> Written<'e> {
        let Some((first, None)) = path.first() else { return path };
        let (span, local) = (first.span, self.local(first.name));
        let Some(id) = local else { return path };
        if !self.members.contains_key(&id) {
            return path;
        }
        self.names_local(id, span);
        let Some(member) = self.members.get(&id) else { return path };
        let known = |(name, index): &(Ident, Option<Expr>)| {
            let index = index.clone().map(|index| WrittenIndex::Known(Expr { span, ..index }));
            (Ident { span, ..*name }, index)
        };
        let mut whole: Written<'e> = member.path.iter().map(known).collect();
        let sides = self.property.as_ref().is_some_and(|all| all.nets.len() == SIDES.len());
        if let Some(side) = SIDES.get(member.net).filter(|_| sides) {
            whole.insert(0, (Ident { name: Symbol::new(side), span }, None));
        }
        self.reads[id.index()] += 1;
        whole.extend(path.drain(1..));
        whole
    }

    /// The variable of a quantifier over members where a value should be.
    pub fn member_as_value(&mut self, id: LocalId, ident: Ident) -> Expr {
        let family = self.members.get(&id).map(Member::show).unwrap_or_default();
        let (span, name) = (ident.span, ident.name.to_string());
        self.report(MemberUse { span, name, family, other: None });
        Expr::error(span)
    }

    /// `x == y` of members of one family: whether they have the same index.
    pub fn same_member(&mut self, comparison: &ast::Comparison, span: Span) -> Option<Expr> {
        let equal = match comparison.relation {
            Relation::Equal => true,
            Relation::NotEqual => false,
            _ => return None,
        };
        let (one, other) = (self.member(&comparison.left)?, self.member(&comparison.right)?);
        let names =
            |path: &LeafPath| -> Vec<Symbol> { path.iter().map(|(name, _)| name.name).collect() };
        if (one.net, names(&one.path)) != (other.net, names(&other.path)) {
            let text = |expr: &ast::Expr| match expr.kind {
                ast::ExprKind::Name(name) => name.to_string(),
                _ => String::new(),
            };
            let (name, family) = (text(&comparison.left), one.show());
            let other = Some((text(&comparison.right), other.show()));
            self.report(MemberUse { span, name, family, other });
            return Some(Expr::error(span));
        }
        for side in [&comparison.left, &comparison.right] {
            if let ast::ExprKind::Name(name) = side.kind
                && let Some(id) = self.local(name)
            {
                self.reads[id.index()] += 1;
                self.names_local(id, side.span);
            }
        }
        let truth = |kind: ExprKind| Expr { kind, sort: Sort::Bool, span };
        let indices = one.path.iter().zip(&other.path);
        let indices = indices.filter_map(|((_, a), (_, b))| a.clone().zip(b.clone()));
        let mut same =
            indices.map(|both| truth(ExprKind::Compare(Relation::Equal, Box::new(both))));
        let all = match same.next() {
            None => truth(ExprKind::Bool(true)),
            Some(first) => {
                let rest: Vec<_> = same.map(|one| (Operator::And, one)).collect();
                match rest.is_empty() {
                    true => first,
                    false => truth(ExprKind::Chain(Box::new((first, rest)))),
                }
            }
        };
        Some(if equal { all } else { truth(ExprKind::Not(Box::new(all))) })
    }

    fn member(&self, expr: &ast::Expr) -> Option<Member> {
        let ast::ExprKind::Name(name) = expr.kind else { return None };
        self.members.get(&self.local(name)?).cloned()
    }

    /// The members that a path leads to, with an index for each family on the way that has none. The last of them gets the
    /// name, if there is one. Only processes are looked for where `leaves` says so.
    fn members_at(
        &mut self,
        path: &Written<'_>,
        name: Option<Ident>,
        span: Span,
        leaves: bool,
    ) -> Option<Found> {
        let property = self.property.clone()?;
        let path = self.way_of_member(path.clone());
        let (place, skipped) = self.place(&property, &path, span, leaves)?;
        let path = &path[skipped..];
        let left_out = place.path.len() - path.len();
        for ((ident, _), family) in path.iter().zip(&place.families[left_out..]) {
            if let Some(family) = family {
                self.sema.occurs(*ident, family.declared, super::NameKind::Part);
            }
        }
        let misplaced = path.iter().zip(&place.families[left_out..]);
        let mut misplaced =
            misplaced.filter(|((_, index), family)| index.is_some() && family.is_none());
        if let Some(((ident, _), _)) = misplaced.next() {
            let (span, name) = (ident.span, ident.name.to_string());
            self.report(FamilyIndex { span, name, family: false, declared: None });
            return None;
        }
        let ranges = self.ranges(&place, (path, left_out), span)?;
        let mut whole: LeafPath = Vec::with_capacity(place.path.len());
        let outer = place.path[..left_out].iter();
        whole.extend(outer.map(|&name| (Ident { name, span }, None)));
        whole.extend(self.leaf_path(path, leaves.then_some(span)));
        let last = ranges.iter().rposition(Option::is_some);
        let mut indices = Vec::new();
        for (at, range) in ranges.into_iter().enumerate() {
            let Some(range) = range else { continue };
            let sort = Sort::Range(range);
            let id = match name.filter(|_| last == Some(at)) {
                Some(name) => self.bind(name, sort, LocalKind::Member),
                None => self.anonymous(span, sort, LocalKind::Member),
            };
            indices.push(id);
            whole[at].1 = Some(Expr { kind: ExprKind::Local(id), sort, span });
        }
        // One component that is in no family.
        if let (Some(name), None) = (name, last) {
            self.bind(name, Sort::Int, LocalKind::Member);
        }
        Some(Found { net: place.net, path: whole, indices, process: place.process })
    }

    /// The ranges of the families on the way to a place that have no index.
    fn ranges(
        &mut self,
        place: &Place,
        (path, left_out): (&[(Ident, Option<WrittenIndex<'_>>)], usize),
        span: Span,
    ) -> Option<Vec<Option<RangeId>>> {
        let mut ranges = Vec::with_capacity(place.families.len());
        for (at, family) in place.families.iter().enumerate() {
            let index = at.checked_sub(left_out).and_then(|at| path.get(at)?.1.as_ref());
            let Some(family) = family.as_ref().filter(|_| index.is_none()) else {
                ranges.push(None);
                continue;
            };
            let Some((low, high)) = family.range.clone() else {
                let name = place.path[at].to_string();
                let mistake = EachMistake::Differs { declared: family.declared };
                self.report(EachMember { span, name, mistake });
                return None;
            };
            let id = RangeId(self.sema.program.ranges.len() as u32);
            let known = family.known.clone();
            self.sema.program.ranges.push(RangeDef { low, high, known });
            ranges.push(Some(id));
        }
        Some(ranges)
    }

    /// The only place that a path leads to, and how many of its names are not part of it.
    fn place(
        &mut self,
        property: &Property,
        path: &Written<'_>,
        span: Span,
        leaves: bool,
    ) -> Option<(Place, usize)> {
        let names: Vec<Symbol> = path.iter().map(|(name, _)| name.name).collect();
        let mut all = places(property, &names, None, leaves);
        let mut skipped = 0;
        if all.len() != 1
            && property.nets.len() == SIDES.len()
            && names.len() > 1
            && let Some(net) = SIDES.iter().position(|side| *side == names[0].as_str())
        {
            let chosen = places(property, &names[1..], Some(net), leaves);
            if chosen.len() == 1 || all.is_empty() {
                (all, skipped) = (chosen, 1);
            }
        }
        if all.len() > 1 {
            let candidates = all.iter().map(|place| show(&place.path)).collect();
            self.report(AmbiguousPath { span, name: show_written(path), candidates });
            return None;
        }
        if all.is_empty() {
            self.no_place(property, path, span, leaves);
        }
        all.pop().map(|place| (place, skipped))
    }

    fn no_place(&mut self, property: &Property, path: &Written<'_>, span: Span, leaves: bool) {
        let name = show_written(path);
        self.failed = true;
        if leaves {
            self.no_leaf(property, span, Symbol::new(&name));
            return;
        }
        let first = path.first().map(|(ident, _)| ident.name);
        if property.nets.iter().any(|leaves| leaves.partial)
            || first.is_some_and(|first| self.is_unparsed(first))
        {
            return;
        }
        let all = property.nets.iter().flat_map(|leaves| &leaves.all);
        let of_families = all.flat_map(|leaf| {
            let families = leaf.path.iter().zip(&leaf.families);
            families.filter(|(_, family)| family.is_some()).map(|(name, _)| name.as_str())
        });
        let known: Vec<&str> = of_families.collect();
        let last = path.last().map_or(Symbol::new(""), |(ident, _)| ident.name);
        let whole = self.member_of_process(property, last);
        let similar = self.sema.similar(last, known).filter(|_| whole.is_none());
        let (net, what, hint) = (property.name.clone(), "family".to_owned(), None);
        self.report(UnknownPath { span, name, net, what, similar, whole, hint });
    }
}

impl Member {
    fn show(&self) -> String {
        show(&self.path.iter().map(|(name, _)| name.name).collect::<Vec<_>>())
    }
}

/// Where names lead to in one of the nets, or in all: whole paths, or, if there are none, ends of paths.
fn places(property: &Property, names: &[Symbol], only: Option<usize>, leaves: bool) -> Vec<Place> {
    let mut all: Vec<Place> = Vec::new();
    let nets = property.nets.iter().enumerate();
    for (net, found) in nets.filter(|(net, _)| only.is_none_or(|only| only == *net)) {
        for leaf in &found.all {
            let least = if leaves { leaf.path.len() } else { 1 };
            for length in least..=leaf.path.len() {
                let path = &leaf.path[..length];
                let is_known = |known: &Place| known.net == net && known.path == path;
                if path.ends_with(names) && !all.iter().any(is_known) {
                    all.push(Place::of(net, leaf, length));
                }
            }
        }
    }
    if all.iter().any(|place| place.path.len() == names.len()) {
        all.retain(|place| place.path.len() == names.len());
    }
    all
}
