//! What is known where an expression is evaluated: the conditions on the way there.
//!
//! `if`, `match` and quantifiers say something about what stands inside them, and `and`, `or` and `=>` about
//! what stands to the right: where the left part decides, the value does not depend on the right one, and nor
//! do the calls there.

use super::linear::{Facts, Linear, Work};
use super::term::{Form, TermId, Terms, is_sized};
use crate::sema::program::{DataId, Expr, ExprKind, Pattern, PatternKind, Program, Sort};
use crate::syntax::ast::{Operator, Relation};

/// One of the cases that are told apart.
#[derive(Clone, Debug, Default)]
pub(super) struct Case {
    pub facts: Facts,
    /// What is known of the constructors that made values.
    made: Vec<(TermId, Made)>,
}

#[derive(Clone, Debug)]
enum Made {
    By(u32),
    NotBy(Vec<u32>),
}

/// What is known: one of these cases.
pub(super) type Path = Vec<Case>;

/// More cases than this are not told apart.
const MOST_CASES: usize = 24;

/// Reads the expressions of one function.
pub(super) struct Reader<'p> {
    pub program: &'p Program,
    /// The place of the function among those that call each other.
    pub function: usize,
    pub terms: &'p mut Terms,
    pub work: &'p mut Work,
    /// What the names that patterns bind stand for.
    pub names: rustc_hash::FxHashMap<crate::sema::program::LocalId, TermId>,
}

impl Reader<'_> {
    // ---- conditions ----

    /// The path on which a condition holds, or does not.
    pub fn assume(&mut self, condition: &Expr, truth: bool, path: Path) -> Path {
        if !self.work.spend(1 + path.len()) {
            return path;
        }
        match &condition.kind {
            ExprKind::Bool(value) if *value == truth => path,
            ExprKind::Bool(_) => Vec::new(),
            ExprKind::Not(inner) => self.assume(inner, !truth, path),
            ExprKind::Chain(chain) => {
                let operator = chain.1.first().map_or(Operator::And, |rest| rest.0);
                let operands = std::iter::once(&chain.0).chain(chain.1.iter().map(|rest| &rest.1));
                let operands: Vec<(&Expr, bool)> = operands.map(|one| (one, truth)).collect();
                if (operator == Operator::And) == truth {
                    self.all(&operands, path)
                } else {
                    self.one(&operands, path)
                }
            }
            ExprKind::Implies(both) if truth => {
                self.one(&[(&both.0, false), (&both.1, true)], path)
            }
            ExprKind::Implies(both) => self.all(&[(&both.0, true), (&both.1, false)], path),
            ExprKind::If(all) => {
                let yes = self.all(&[(&all.0, true), (&all.1, truth)], path.clone());
                let no = self.all(&[(&all.0, false), (&all.2, truth)], path.clone());
                self.either(path, vec![yes, no])
            }
            ExprKind::Compare(relation, both) => {
                self.compare(*relation, &both.0, &both.1, truth, path)
            }
            ExprKind::Is(test, negated) => {
                let mut path = path;
                let subject = self.value(&test.0, &mut path);
                self.fits(subject, &test.1, truth != *negated, path)
            }
            _ => {
                let mut path = path;
                let value = self.number(condition, &mut path);
                self.related(&value, Relation::Equal, &Linear::number(i128::from(truth)), path)
            }
        }
    }

    fn all(&mut self, conditions: &[(&Expr, bool)], path: Path) -> Path {
        conditions.iter().fold(path, |path, (one, truth)| self.assume(one, *truth, path))
    }

    fn one(&mut self, conditions: &[(&Expr, bool)], path: Path) -> Path {
        if conditions.len() > MOST_CASES {
            return path;
        }
        let ways = conditions.iter().map(|(one, truth)| self.assume(one, *truth, path.clone()));
        let ways = ways.collect();
        self.either(path, ways)
    }

    /// The cases of one of several paths, those left out that cannot be; all that was known before, where these
    /// are too many.
    pub fn either(&mut self, before: Path, ways: Vec<Path>) -> Path {
        let mut cases: Path = ways.into_iter().flatten().collect();
        if cases.len() > MOST_CASES * 4 {
            return before;
        }
        self.prune(&mut cases);
        if cases.len() > MOST_CASES { before } else { cases }
    }

    /// Leaves out the cases that cannot be.
    pub fn prune(&mut self, path: &mut Path) {
        path.retain(|case| !case.facts.refuted(self.work));
    }

    fn compare(
        &mut self,
        relation: Relation,
        left: &Expr,
        right: &Expr,
        truth: bool,
        path: Path,
    ) -> Path {
        let mut path = path;
        if is_number(left.sort) {
            let (a, b) = (self.number(left, &mut path), self.number(right, &mut path));
            let relation = if truth { relation } else { opposite(relation) };
            return self.related(&a, relation, &b, path);
        }
        let (a, b) = (self.value(left, &mut path), self.value(right, &mut path));
        let same = truth == (relation == Relation::Equal);
        match left.sort {
            Sort::Data(_) if same => {
                self.same(a, b, &mut path);
                path
            }
            Sort::Data(_) => {
                self.differ(a, b, &mut path);
                path
            }
            _ => path,
        }
    }

    /// Two numbers stand in a relation.
    pub fn related(&mut self, a: &Linear, relation: Relation, b: &Linear, path: Path) -> Path {
        let more = |by: i128| a.minus(b).and_then(|more| more.add(-by));
        let less = |by: i128| b.minus(a).and_then(|less| less.add(-by));
        let with = |fact: Option<Linear>| {
            let mut path = path.clone();
            path.iter_mut().for_each(|case| case.facts.add(fact.clone()));
            path
        };
        match relation {
            Relation::Less => with(less(1)),
            Relation::LessEqual => with(less(0)),
            Relation::Greater => with(more(1)),
            Relation::GreaterEqual => with(more(0)),
            Relation::Equal => {
                let mut path = path;
                path.iter_mut().for_each(|case| case.facts.equal(a, b));
                path
            }
            Relation::NotEqual => {
                let ways = vec![with(less(1)), with(more(1))];
                self.either(path, ways)
            }
        }
    }

    // ---- values of datatypes ----

    /// Two values of a datatype are the same.
    fn same(&mut self, a: TermId, b: TermId, path: &mut Path) {
        if let (Some(x), Some(y)) = (self.size(a, path), self.size(b, path)) {
            path.iter_mut().for_each(|case| case.facts.equal(&x, &y));
        }
        for (made, other) in [(a, b), (b, a)] {
            let Form::Construct(data, index, args) = self.terms.get(made).clone() else { continue };
            self.made_by(other, data, index, path);
            for (field, arg) in args.into_iter().enumerate() {
                let part = self.terms.select(data, index, field as u32, other);
                let sort = self.field_sort(data, index, field);
                if is_number(sort) {
                    let (x, y) = (self.terms.number(part), self.terms.number(arg));
                    path.iter_mut().for_each(|case| case.facts.equal(&x, &y));
                }
            }
        }
    }

    fn differ(&mut self, a: TermId, b: TermId, path: &mut Path) {
        for (made, other) in [(a, b), (b, a)] {
            if let Form::Construct(data, index, args) = self.terms.get(made).clone()
                && args.is_empty()
            {
                self.not_made_by(other, data, index, path);
            }
        }
    }

    fn field_sort(&self, data: DataId, index: u32, field: usize) -> Sort {
        self.program.datas[data.index()].constructors[index as usize].fields[field].1
    }

    /// The size of a value; all sizes are at least one.
    pub fn size(&mut self, value: TermId, path: &mut Path) -> Option<Linear> {
        let size = self.terms.size(self.program, value)?;
        for (atom, _) in &size.parts {
            let positive = Linear::atom(*atom).add(-1);
            path.iter_mut().for_each(|case| case.facts.add(positive.clone()));
        }
        Some(size)
    }

    /// A value was made by this constructor: so it is larger than its parts.
    fn made_by(&mut self, value: TermId, data: DataId, index: u32, path: &mut Path) {
        path.retain_mut(|case| case.made_by(value, index));
        if let Form::Construct(_, by, _) = self.terms.get(value) {
            if *by != index {
                path.clear();
            }
            return;
        }
        let fields = &self.program.datas[data.index()].constructors[index as usize].fields;
        let sized = fields.iter().enumerate().filter(|(_, (_, sort))| is_sized(*sort));
        let mut total = Some(Linear::number(1));
        for (field, _) in sized {
            let part = self.terms.select(data, index, field as u32, value);
            let size = self.size(part, path);
            total = total.zip(size).and_then(|(total, size)| total.plus(1, &size));
        }
        if let (Some(size), Some(total)) = (self.size(value, path), total) {
            path.iter_mut().for_each(|case| case.facts.equal(&size, &total));
        }
    }

    fn not_made_by(&mut self, value: TermId, data: DataId, index: u32, path: &mut Path) {
        if let Form::Construct(_, by, _) = self.terms.get(value) {
            if *by == index {
                path.clear();
            }
            return;
        }
        let count = self.program.datas[data.index()].constructors.len() as u32;
        let mut done = Vec::with_capacity(path.len());
        for mut case in path.drain(..) {
            match case.not_made_by(value, index, count) {
                Left::None => {}
                Left::Several => done.push(case),
                Left::Only(only) => {
                    let mut one = vec![case];
                    self.made_by(value, data, only, &mut one);
                    done.extend(one);
                }
            }
        }
        *path = done;
    }

    // ---- patterns ----

    /// The path on which a value fits a pattern, or does not. Names of the pattern stand for its parts.
    pub fn fits(&mut self, value: TermId, pattern: &Pattern, truth: bool, path: Path) -> Path {
        let number = |number: i128| Linear::number(number);
        match &pattern.kind {
            PatternKind::Wildcard | PatternKind::Error if truth => path,
            PatternKind::Wildcard | PatternKind::Error => Vec::new(),
            PatternKind::Bind(id) => {
                self.names.insert(*id, value);
                if truth { path } else { Vec::new() }
            }
            PatternKind::Bool(literal) => {
                let value = self.terms.number(value);
                self.related(&value, relation(truth), &number(i128::from(*literal)), path)
            }
            PatternKind::Int(literal) => match i128::try_from(literal) {
                Ok(literal) => {
                    let value = self.terms.number(value);
                    self.related(&value, relation(truth), &number(literal), path)
                }
                Err(_) => path,
            },
            PatternKind::Value(other) if is_number(other.sort) => {
                let mut path = path;
                let other = self.number(other, &mut path);
                let value = self.terms.number(value);
                self.related(&value, relation(truth), &other, path)
            }
            PatternKind::Value(other) if truth && is_sized(other.sort) => {
                let mut path = path;
                let other = self.value(other, &mut path);
                self.same(value, other, &mut path);
                path
            }
            PatternKind::Construct(data, index, inner) if truth => {
                let mut path = path;
                self.made_by(value, *data, *index, &mut path);
                for (field, pattern) in inner.iter().enumerate() {
                    let part = self.terms.select(*data, *index, field as u32, value);
                    path = self.fits(part, pattern, true, path);
                }
                path
            }
            PatternKind::Construct(data, index, inner) => {
                self.fits_not((*data, *index), value, inner, path)
            }
            _ => path,
        }
    }

    fn fits_not(
        &mut self,
        (data, index): (DataId, u32),
        value: TermId,
        inner: &[Pattern],
        path: Path,
    ) -> Path {
        let mut other = path.clone();
        self.not_made_by(value, data, index, &mut other);
        let mut ways = vec![other];
        let mut here = path.clone();
        self.made_by(value, data, index, &mut here);
        for (field, pattern) in inner.iter().enumerate() {
            let part = self.terms.select(data, index, field as u32, value);
            ways.push(self.fits(part, pattern, false, here.clone()));
            if here.is_empty() || ways.len() > MOST_CASES {
                break;
            }
        }
        if ways.len() > MOST_CASES { path } else { self.either(path, ways) }
    }
}

/// What is left of the constructors that can have made a value.
enum Left {
    None,
    Only(u32),
    Several,
}

impl Case {
    fn made(&mut self, value: TermId) -> &mut Made {
        let at = match self.made.iter().position(|known| known.0 == value) {
            Some(at) => at,
            None => {
                self.made.push((value, Made::NotBy(Vec::new())));
                self.made.len() - 1
            }
        };
        &mut self.made[at].1
    }

    /// Notes that a value was made by a constructor; false if it was not.
    fn made_by(&mut self, value: TermId, index: u32) -> bool {
        let known = self.made(value);
        let possible = match known {
            Made::By(other) => *other == index,
            Made::NotBy(others) => !others.contains(&index),
        };
        *known = Made::By(index);
        possible
    }

    fn not_made_by(&mut self, value: TermId, index: u32, count: u32) -> Left {
        match self.made(value) {
            Made::By(other) if *other == index => Left::None,
            Made::By(_) => Left::Several,
            Made::NotBy(others) => {
                if !others.contains(&index) {
                    others.push(index);
                }
                match count as usize - others.len() {
                    0 => Left::None,
                    1 => match (0..count).find(|one| !others.contains(one)) {
                        Some(only) => Left::Only(only),
                        None => Left::Several,
                    },
                    _ => Left::Several,
                }
            }
        }
    }

    /// Whether a value is known to be made by a constructor.
    pub fn is_made_by(&self, value: TermId, index: u32) -> bool {
        self.made
            .iter()
            .any(|(one, made)| *one == value && matches!(made, Made::By(by) if *by == index))
    }
}

/// Whether the values of a sort are treated as numbers: true is one, and false is zero.
pub(super) fn is_number(sort: Sort) -> bool {
    matches!(sort, Sort::Int | Sort::Range(_) | Sort::Bool)
}

fn relation(same: bool) -> Relation {
    if same { Relation::Equal } else { Relation::NotEqual }
}

fn opposite(relation: Relation) -> Relation {
    match relation {
        Relation::Equal => Relation::NotEqual,
        Relation::NotEqual => Relation::Equal,
        Relation::Less => Relation::GreaterEqual,
        Relation::LessEqual => Relation::Greater,
        Relation::Greater => Relation::LessEqual,
        Relation::GreaterEqual => Relation::Less,
    }
}
