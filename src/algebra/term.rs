//! The forms of terms.

use num_bigint::BigInt;

use super::{ActionId, ConstId, DataId, FunId, Sort, TermId, VarId};

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
    pub(super) fn newest_inside(&self) -> Option<TermId> {
        let mut newest = None;
        self.each_inside(|inner| newest = newest.max(Some(inner)));
        newest
    }
}
