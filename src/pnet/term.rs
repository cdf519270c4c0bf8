//! Terms, hash-consed: equal terms have equal ids, so that they are cheap to copy, compare and share.
//!
//! The constructors of [`Terms`] simplify what can be simplified at once: constants are folded, `and` and `or`
//! are flat, double negations vanish.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};
use rustc_hash::FxBuildHasher;

use super::{ActionId, ConstId, DataId, FunId, Sort};
use crate::diagnostics::Symbol;

/// A term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TermId(u32);

/// A variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VarId(u32);

impl TermId {
    /// The place in the table.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl VarId {
    /// The place in the table.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A variable: of a process, a transition, a vector, a function, or bound in a formula.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name, as it was written.
    pub name: Symbol,
    /// Its sort.
    pub sort: Sort,
    /// What it is.
    pub kind: VariableKind,
}

/// The kinds of variables.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VariableKind {
    /// Of a process.
    State,
    /// An input of a transition.
    Input,
    /// Of a vector.
    Vector,
    /// A parameter of a function.
    Parameter,
    /// Bound by a quantifier.
    Bound,
}

/// The forms of terms.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(Box<BigInt>),
    /// A variable.
    Var(VarId),
    /// A symbolic constant.
    Const(ConstId),
    /// A function applied.
    Apply(FunId, Box<[TermId]>),
    /// A constructor applied.
    Construct(DataId, u32, Box<[TermId]>),
    /// The field of a constructor.
    Select(DataId, u32, u32, TermId),
    /// Whether a value is made by a constructor.
    IsConstructor(DataId, u32, TermId),
    /// `m[i]`
    Index(TermId, TermId),
    /// `m[i := v]`
    Update(TermId, TermId, TermId),
    /// The array of this sort that is the same everywhere.
    ConstArray(Sort, TermId),
    /// Not.
    Not(TermId),
    /// All of these.
    And(Box<[TermId]>),
    /// One of these.
    Or(Box<[TermId]>),
    /// The sum.
    Add(Box<[TermId]>),
    /// The product.
    Multiply(Box<[TermId]>),
    /// The quotient; the remainder is never negative.
    Div(TermId, TermId),
    /// The remainder.
    Mod(TermId, TermId),
    /// The same.
    Equal(TermId, TermId),
    /// Less.
    Less(TermId, TermId),
    /// Less or the same.
    LessEqual(TermId, TermId),
    /// If, then, else.
    If(TermId, TermId, TermId),
    /// For all values of the variables.
    Forall(Box<[VarId]>, TermId),
    /// For some values of the variables.
    Exists(Box<[VarId]>, TermId),
    /// An action.
    Act(ActionId, Box<[TermId]>),
    /// The silent action.
    Tau,
    /// An action that has been synchronised.
    Sync(TermId),
    /// The complement of an action.
    Co(TermId),
    /// Whether an action is this one, whatever its arguments.
    IsAct(ActionId, TermId),
    /// Whether an action is `sync` of something.
    IsSync(TermId),
    /// Whether an action is `co` of something.
    IsCo(TermId),
    /// An argument of an action.
    Argument(ActionId, u32, TermId),
    /// What is inside `sync` or `co`.
    Inner(TermId),
}

impl Term {
    /// Calls a function on each of the terms directly inside this one, in order.
    pub fn each_inside(&self, mut f: impl FnMut(TermId)) {
        match self {
            Term::Bool(_) | Term::Int(_) | Term::Var(_) | Term::Const(_) | Term::Tau => {}
            Term::Apply(_, args)
            | Term::Construct(_, _, args)
            | Term::Act(_, args)
            | Term::And(args)
            | Term::Or(args)
            | Term::Add(args)
            | Term::Multiply(args) => args.iter().copied().for_each(f),
            Term::Select(_, _, _, inner)
            | Term::IsConstructor(_, _, inner)
            | Term::ConstArray(_, inner)
            | Term::Not(inner)
            | Term::Forall(_, inner)
            | Term::Exists(_, inner)
            | Term::Sync(inner)
            | Term::Co(inner)
            | Term::IsAct(_, inner)
            | Term::IsSync(inner)
            | Term::IsCo(inner)
            | Term::Argument(_, _, inner)
            | Term::Inner(inner) => f(*inner),
            Term::Index(a, b)
            | Term::Div(a, b)
            | Term::Mod(a, b)
            | Term::Equal(a, b)
            | Term::Less(a, b)
            | Term::LessEqual(a, b) => [*a, *b].into_iter().for_each(f),
            Term::Update(a, b, c) | Term::If(a, b, c) => [*a, *b, *c].into_iter().for_each(f),
        }
    }

    /// The same form with other terms inside.
    #[must_use]
    pub fn with_inside(self, new: impl Fn(TermId) -> TermId) -> Term {
        let all = |args: Box<[TermId]>| args.iter().map(|&arg| new(arg)).collect::<Box<[TermId]>>();
        match self {
            Term::Bool(_) | Term::Int(_) | Term::Var(_) | Term::Const(_) | Term::Tau => self,
            Term::Apply(fun, args) => Term::Apply(fun, all(args)),
            Term::Construct(data, index, args) => Term::Construct(data, index, all(args)),
            Term::Act(action, args) => Term::Act(action, all(args)),
            Term::And(args) => Term::And(all(args)),
            Term::Or(args) => Term::Or(all(args)),
            Term::Add(args) => Term::Add(all(args)),
            Term::Multiply(args) => Term::Multiply(all(args)),
            Term::Select(data, index, field, a) => Term::Select(data, index, field, new(a)),
            Term::IsConstructor(data, index, a) => Term::IsConstructor(data, index, new(a)),
            Term::ConstArray(sort, a) => Term::ConstArray(sort, new(a)),
            Term::Not(a) => Term::Not(new(a)),
            Term::Forall(vars, a) => Term::Forall(vars, new(a)),
            Term::Exists(vars, a) => Term::Exists(vars, new(a)),
            Term::Sync(a) => Term::Sync(new(a)),
            Term::Co(a) => Term::Co(new(a)),
            Term::IsAct(action, a) => Term::IsAct(action, new(a)),
            Term::IsSync(a) => Term::IsSync(new(a)),
            Term::IsCo(a) => Term::IsCo(new(a)),
            Term::Argument(action, index, a) => Term::Argument(action, index, new(a)),
            Term::Inner(a) => Term::Inner(new(a)),
            Term::Index(a, b) => Term::Index(new(a), new(b)),
            Term::Div(a, b) => Term::Div(new(a), new(b)),
            Term::Mod(a, b) => Term::Mod(new(a), new(b)),
            Term::Equal(a, b) => Term::Equal(new(a), new(b)),
            Term::Less(a, b) => Term::Less(new(a), new(b)),
            Term::LessEqual(a, b) => Term::LessEqual(new(a), new(b)),
            Term::Update(a, b, c) => Term::Update(new(a), new(b), new(c)),
            Term::If(a, b, c) => Term::If(new(a), new(b), new(c)),
        }
    }

    /// The newest of the terms inside it.
    fn newest_inside(&self) -> Option<TermId> {
        let mut newest = None;
        self.each_inside(|inner| newest = newest.max(Some(inner)));
        newest
    }
}

/// All terms and variables of a net.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    terms: Vec<Term>,
    table: Table,
    vars: Vec<Variable>,
    /// Each variable as a term.
    var_terms: Vec<TermId>,
    /// Whether complements are spoken of.
    complements: bool,
    /// The integers from zero on as terms, as far as they have been used in order: indices of families.
    counted: Vec<TermId>,
}

/// Where terms are found again.
///
/// A large net makes millions of terms, most of them from terms made just before. So a term is kept in a short
/// list at the newest of the terms inside it, which is near in memory; only what has none, or finds that list
/// full, is kept in a hash table.
#[derive(Clone, Debug, Default)]
struct Table {
    /// For each term, the last in its list.
    last: Vec<Link>,
    /// Places of terms, each with a part of its hash: a table that grows need not look at the terms again.
    hashed: HashTable<(u32, u32)>,
}

/// What is known of one term's list, and of its place in the list of another.
#[derive(Clone, Copy, Debug)]
struct Link {
    /// The last in its own list.
    last: u32,
    /// The one before it in the list that it is in.
    before: u32,
}

const NOWHERE: u32 = u32::MAX;
const LONGEST_LIST: usize = 8;

impl Table {
    /// Where a term is, or will be when it is put at the end of `terms`.
    fn find_or_add(&mut self, terms: &[Term], term: &Term) -> u32 {
        let new = terms.len() as u32;
        let near = term.newest_inside().map(TermId::index);
        if let Some(near) = near {
            let (mut at, mut length) = (self.last[near].last, 0);
            while at != NOWHERE {
                if terms[at as usize] == *term {
                    return at;
                }
                at = self.last[at as usize].before;
                length += 1;
            }
            if length < LONGEST_LIST {
                let before = std::mem::replace(&mut self.last[near].last, new);
                self.add(before);
                return new;
            }
        }
        let hash = (FxBuildHasher.hash_one(term) >> 32) as u32;
        let spread = |hash: u32| u64::from(hash).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let entry = self.hashed.entry(
            spread(hash),
            |&(other, place)| other == hash && terms[place as usize] == *term,
            |&(hash, _)| spread(hash),
        );
        match entry {
            hashbrown::hash_table::Entry::Occupied(found) => found.get().1,
            hashbrown::hash_table::Entry::Vacant(gap) => {
                gap.insert((hash, new));
                self.add(NOWHERE);
                new
            }
        }
    }

    /// Notes one more term.
    fn add(&mut self, before: u32) {
        self.last.push(Link { last: NOWHERE, before });
    }
}

impl Terms {
    /// The form of a term.
    pub fn get(&self, id: TermId) -> &Term {
        &self.terms[id.index()]
    }

    /// Whether some term speaks of the complement of an action.
    pub fn has_complements(&self) -> bool {
        self.complements
    }

    /// From now on, complements are spoken of.
    pub fn speak_of_complements(&mut self) {
        self.complements = true;
    }

    /// How many different terms there are.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Whether some terms are made of more different ones than `most`.
    pub fn is_larger(&self, roots: &[TermId], most: usize) -> bool {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut open = roots.to_vec();
        while let Some(term) = open.pop() {
            if seen.insert(term) {
                self.get(term).each_inside(|inside| open.push(inside));
            }
            if seen.len() > most {
                return true;
            }
        }
        false
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// A variable.
    pub fn var(&self, id: VarId) -> &Variable {
        &self.vars[id.index()]
    }

    /// How many variables there are.
    pub fn var_count(&self) -> usize {
        self.vars.len()
    }

    /// A new variable.
    pub fn new_var(&mut self, name: Symbol, sort: Sort, kind: VariableKind) -> VarId {
        self.vars.push(Variable { name, sort, kind });
        let id = VarId(self.vars.len() as u32 - 1);
        self.var_terms.push(TermId(self.terms.len() as u32));
        self.terms.push(Term::Var(id));
        self.table.add(NOWHERE);
        id
    }

    /// The term of this form, as it is.
    pub fn raw(&mut self, term: Term) -> TermId {
        if let Term::Var(id) = term {
            return self.var_term(id);
        }
        self.complements |= matches!(term, Term::Co(_) | Term::IsCo(_));
        let place = self.table.find_or_add(&self.terms, &term);
        if place as usize == self.terms.len() {
            self.terms.push(term);
        }
        TermId(place)
    }

    /// A variable as a term.
    pub fn var_term(&self, id: VarId) -> TermId {
        self.var_terms[id.index()]
    }

    /// A truth value.
    pub fn bool(&mut self, value: bool) -> TermId {
        self.raw(Term::Bool(value))
    }

    /// An integer.
    pub fn int(&mut self, value: impl Into<BigInt>) -> TermId {
        let value: BigInt = value.into();
        let small = value.to_usize();
        if let Some(&known) = small.and_then(|small| self.counted.get(small)) {
            return known;
        }
        let id = self.raw(Term::Int(Box::new(value)));
        if small == Some(self.counted.len()) {
            self.counted.push(id);
        }
        id
    }

    /// The truth value that a term is, if it is one.
    pub fn as_bool(&self, id: TermId) -> Option<bool> {
        match self.get(id) {
            Term::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The integer that a term is, if it is one.
    pub fn as_int(&self, id: TermId) -> Option<&BigInt> {
        match self.get(id) {
            Term::Int(value) => Some(value),
            _ => None,
        }
    }

    /// The opposite.
    pub fn not(&mut self, inner: TermId) -> TermId {
        match self.get(inner) {
            Term::Bool(value) => {
                let value = !*value;
                self.bool(value)
            }
            Term::Not(twice) => *twice,
            _ => self.raw(Term::Not(inner)),
        }
    }

    /// All of these.
    pub fn and(&mut self, operands: impl IntoIterator<Item = TermId>) -> TermId {
        self.junction(operands, true)
    }

    /// One of these.
    pub fn or(&mut self, operands: impl IntoIterator<Item = TermId>) -> TermId {
        self.junction(operands, false)
    }

    fn junction(&mut self, operands: impl IntoIterator<Item = TermId>, neutral: bool) -> TermId {
        let mut flat: Vec<TermId> = Vec::new();
        for operand in operands {
            match (self.get(operand), neutral) {
                (Term::Bool(value), _) if *value == neutral => {}
                (Term::Bool(_), _) => return self.bool(!neutral),
                (Term::And(inner), true) | (Term::Or(inner), false) => flat.extend(inner.iter()),
                _ => flat.push(operand),
            }
        }
        let mut seen = rustc_hash::FxHashSet::default();
        flat.retain(|id| seen.insert(*id));
        match flat.as_slice() {
            [] => self.bool(neutral),
            [only] => *only,
            _ if neutral => self.raw(Term::And(flat.into())),
            _ => self.raw(Term::Or(flat.into())),
        }
    }

    /// The first implies the second.
    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let not_a = self.not(a);
        self.or([not_a, b])
    }

    /// The sum.
    pub fn add(&mut self, operands: impl IntoIterator<Item = TermId>) -> TermId {
        let mut constant = BigInt::zero();
        let mut rest: Vec<TermId> = Vec::new();
        for operand in operands {
            match self.get(operand) {
                Term::Int(value) => constant += &**value,
                Term::Add(inner) => {
                    for part in inner.clone() {
                        match self.as_int(part) {
                            Some(value) => constant += value,
                            None => rest.push(part),
                        }
                    }
                }
                _ => rest.push(operand),
            }
        }
        if !constant.is_zero() || rest.is_empty() {
            let constant = self.int(constant);
            rest.push(constant);
        }
        match rest.as_slice() {
            [only] => *only,
            _ => self.raw(Term::Add(rest.into())),
        }
    }

    /// The product.
    pub fn multiply(&mut self, operands: impl IntoIterator<Item = TermId>) -> TermId {
        let mut constant = BigInt::from(1);
        let mut rest: Vec<TermId> = Vec::new();
        for operand in operands {
            match self.get(operand) {
                Term::Int(value) => constant *= &**value,
                _ => rest.push(operand),
            }
        }
        if constant.is_zero() || rest.is_empty() {
            return self.int(constant);
        }
        if constant != BigInt::from(1) {
            let constant = self.int(constant);
            rest.insert(0, constant);
        }
        match rest.as_slice() {
            [only] => *only,
            _ => self.raw(Term::Multiply(rest.into())),
        }
    }

    /// The opposite number.
    pub fn negate(&mut self, inner: TermId) -> TermId {
        let minus_one = self.int(-1);
        self.multiply([minus_one, inner])
    }

    /// Quotient and remainder where both numbers are known: the remainder is never negative.
    pub(super) fn divided(&self, a: TermId, b: TermId) -> Option<(BigInt, BigInt)> {
        let (a, b) = (self.as_int(a)?, self.as_int(b)?);
        if b.is_zero() {
            return None;
        }
        let remainder = a.mod_floor(&b.abs());
        Some(((a - &remainder) / b, remainder))
    }

    /// The quotient.
    pub fn div(&mut self, a: TermId, b: TermId) -> TermId {
        match self.divided(a, b) {
            Some((quotient, _)) => self.int(quotient),
            None => self.raw(Term::Div(a, b)),
        }
    }

    /// Whether a term is a value: nothing else can be equal to it but itself.
    pub fn is_value(&self, id: TermId) -> bool {
        match self.get(id) {
            Term::Bool(_) | Term::Int(_) | Term::Tau => true,
            Term::Construct(_, _, args) | Term::Act(_, args) => {
                args.iter().all(|&a| self.is_value(a))
            }
            Term::Sync(inner) | Term::Co(inner) => self.is_value(*inner),
            _ => false,
        }
    }

    /// Whether two terms are the same.
    pub fn equal(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return self.bool(true);
        }
        if self.is_value(a) && self.is_value(b) {
            return self.bool(false);
        }
        if let Some(equal) = self.equal_actions(a, b) {
            return equal;
        }
        if let Some(same) = self.same_numbers(a, b) {
            return self.bool(same);
        }
        match (self.as_bool(a), self.as_bool(b)) {
            (Some(true), _) => b,
            (_, Some(true)) => a,
            (Some(false), _) => self.not(b),
            (_, Some(false)) => self.not(a),
            _ => self.raw(Term::Equal(a, b)),
        }
    }

    /// When two actions are equal whose forms are known.
    fn equal_actions(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        match (self.get(a).clone(), self.get(b).clone()) {
            (Term::Act(p, xs), Term::Act(q, ys)) if p == q => {
                let pairs = xs.iter().zip(&*ys);
                let all: Vec<TermId> = pairs.map(|(&x, &y)| self.equal(x, y)).collect();
                Some(self.and(all))
            }
            (Term::Sync(x), Term::Sync(y)) | (Term::Co(x), Term::Co(y)) => Some(self.equal(x, y)),
            (
                Term::Act(..) | Term::Tau | Term::Sync(_) | Term::Co(_),
                Term::Act(..) | Term::Tau | Term::Sync(_) | Term::Co(_),
            ) => Some(self.bool(false)),
            _ => None,
        }
    }

    /// Less.
    pub fn less(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.as_int(a), self.as_int(b)) {
            (Some(x), Some(y)) => {
                let value = x < y;
                self.bool(value)
            }
            _ if a == b => self.bool(false),
            _ => self.raw(Term::Less(a, b)),
        }
    }

    /// Less or the same.
    pub fn less_equal(&mut self, a: TermId, b: TermId) -> TermId {
        match (self.as_int(a), self.as_int(b)) {
            (Some(x), Some(y)) => {
                let value = x <= y;
                self.bool(value)
            }
            _ if a == b => self.bool(true),
            _ => self.raw(Term::LessEqual(a, b)),
        }
    }

    /// If, then, else.
    pub fn if_then_else(&mut self, condition: TermId, yes: TermId, no: TermId) -> TermId {
        match self.as_bool(condition) {
            Some(true) => yes,
            Some(false) => no,
            None if yes == no => yes,
            None => self.raw(Term::If(condition, yes, no)),
        }
    }

    /// Whether a value is made by a constructor.
    pub fn is_constructor(&mut self, data: DataId, index: u32, value: TermId) -> TermId {
        match self.get(value) {
            Term::Construct(_, made_by, _) => {
                let same = *made_by == index;
                self.bool(same)
            }
            _ => self.raw(Term::IsConstructor(data, index, value)),
        }
    }

    /// The field of a constructor.
    pub fn select(&mut self, data: DataId, index: u32, field: u32, value: TermId) -> TermId {
        match self.get(value) {
            Term::Construct(_, made_by, args) if *made_by == index => args[field as usize],
            _ => self.raw(Term::Select(data, index, field, value)),
        }
    }

    /// Whether an action is this one, whatever its arguments.
    pub fn is_act(&mut self, id: ActionId, action: TermId) -> TermId {
        match self.get(action) {
            Term::Act(other, _) => {
                let same = *other == id;
                self.bool(same)
            }
            Term::Tau | Term::Sync(_) | Term::Co(_) => self.bool(false),
            _ => self.raw(Term::IsAct(id, action)),
        }
    }

    /// Whether an action is `sync` of something.
    pub fn is_sync(&mut self, action: TermId) -> TermId {
        match self.get(action) {
            Term::Sync(_) => self.bool(true),
            Term::Tau | Term::Act(..) | Term::Co(_) => self.bool(false),
            _ => self.raw(Term::IsSync(action)),
        }
    }

    /// Whether an action is `co` of something.
    pub fn is_co(&mut self, action: TermId) -> TermId {
        match self.get(action) {
            Term::Co(_) => self.bool(true),
            Term::Tau | Term::Act(..) | Term::Sync(_) => self.bool(false),
            _ => self.raw(Term::IsCo(action)),
        }
    }

    /// An argument of an action.
    pub fn argument(&mut self, id: ActionId, index: u32, action: TermId) -> TermId {
        match self.get(action) {
            Term::Act(other, args) if *other == id => args[index as usize],
            _ => self.raw(Term::Argument(id, index, action)),
        }
    }

    /// What is inside `sync` or `co`.
    pub fn inner(&mut self, action: TermId) -> TermId {
        match self.get(action) {
            Term::Sync(inner) | Term::Co(inner) => *inner,
            _ => self.raw(Term::Inner(action)),
        }
    }

    /// The terms directly inside a term.
    pub fn children(&self, id: TermId) -> Vec<TermId> {
        let mut found = Vec::new();
        self.get(id).each_inside(|inner| found.push(inner));
        found
    }

    /// The variables of a term that are not bound in it, in the order they are met.
    pub fn free_vars(&self, id: TermId) -> Vec<VarId> {
        let mut found = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut bound = rustc_hash::FxHashSet::default();
        let mut work = vec![id];
        while let Some(id) = work.pop() {
            if !seen.insert(id) {
                continue;
            }
            match self.get(id) {
                // Bound variables are different from all others, so one look at each term is enough.
                Term::Forall(vars, _) | Term::Exists(vars, _) => bound.extend(vars.iter().copied()),
                Term::Var(var) => found.push(*var),
                _ => {}
            }
            work.extend(self.children(id).into_iter().rev());
        }
        let mut once = rustc_hash::FxHashSet::default();
        found.retain(|var| !bound.contains(var) && once.insert(*var));
        found
    }
}
