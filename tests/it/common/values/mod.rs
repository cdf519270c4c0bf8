//! Models made of values at the borders of their sorts, with an interpreter that knows what they mean.
//!
//! Nothing here is shared with the compiler: a model is a structure of its own ([`Model`]), which is printed as text
//! for the compiler ([`print`]) and run with concrete values ([`eval`], [`steps`]); two models are compared by going
//! through all their configurations ([`facts`]).
//!
//! The rule is the one of the reference, "Values": what comes in is in its sort, what an expression puts into a sort
//! is *owed*. What the rule leaves open, or what the interpreter decides for itself:
//!
//! - A step happens where its guard is true and nothing of it (guard, arguments, assignments, the result and the guard
//!   of a vector) fails to be paid. The parts are a conjunction: the assignments are looked at only where the guard
//!   holds, but an assignment that cannot be paid there blocks the step.
//! - Arguments of functions, fields and elements are computed before they are used: `f(a[7])` owes what `a[7]` owes
//!   even if `f` does not look at its argument, and `f(7)` owes that 7 is in the sort of the parameter.
//! - Under a quantifier every value of the sort is looked at, even when an earlier one has already decided.
//! - The arms of a `match` and the branches of an `if` owe only where they are taken.
//! - An abstract function, a symbolic constant and a field that a constructor does not have are each some function into
//!   their sort: a claim holds if it holds for all of them that the axioms allow. They are enumerated as they are
//!   needed, value by value. The missing field is a function of the whole value.
//! - What a pattern of a vector (`a(x + 1)`, `m(Pkt(x))`) owes holds by itself where it matches a value.
//! - A rival of `unless` owes its members and its guard; it has no result. A rival by `priority` owes its result, too.
//! - Whatever its sort, a hole can do `tau`, `sync a`, and also `sync tau`, `sync co a` and `sync sync a`: a net that
//!   shows `sync x` of what it does not look into does. What nobody has declared is there only if a hole of the net has
//!   the sort `any`.
//! - `Int` is a window of numbers around all that models mention; recursive data is taken to a depth of three. Whoever
//!   leaves the window makes the model a skipped one.
//! - An initial value or a parameter that can leave its sort, for some values that the axioms allow, is an error.
//! - A constant that is set outside its sort, or against the axioms, is an error.
//! - `--set` for an abstract function does not exist: tables are given by axioms.
//! - A member `S[e]` of a family is the part with that index. The index may be made of what any member binds, the member
//!   itself included; outside of the family, there is no step. Nobody takes part twice.
//! - A connector is one vector for each of its interactions. A variable that is written has the value of its expression,
//!   as a member that takes part understands it: a value outside of the sort is taken by nobody.
//! - Who goes first is asked of all steps before anybody gives way. `priority maximal` compares ports, which are parts
//!   with the names of actions, among connectors of one name.
//! - A name that a vector has bound has the same value in its `unless`.
//! - A family and the sorts of variables are not empty, for the parameters of each instance: else it is an error.

pub mod connect;
pub mod eval;
pub mod exprs;
pub mod facts;
pub mod make;
pub mod nets;
pub mod print;
pub mod rewire;
pub mod shrink;
pub mod steps;
pub mod twin;

/// A bound of a range: a number, or the constant `N` plus a number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Bound {
    Lit(i64),
    N(i64),
    /// The parameter `n` of the process or net around, plus a number.
    Param(i64),
}

/// The name of the parameter that bounds can be made of.
pub const PARAM: &str = "n";

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Sort {
    Bool,
    Int,
    Range(Bound, Bound),
    /// By its place among the datatypes.
    Data(usize),
    /// Over the places of a range.
    Array(Bound, Bound, Box<Sort>),
}

impl Sort {
    pub fn is_int(&self) -> bool {
        matches!(self, Sort::Int | Sort::Range(..))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Quot,
    Rem,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    And,
    Or,
    Implies,
}

/// How an action is wrapped.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Wrap {
    Plain,
    Sync,
    Co,
}

type B = Box<Expr>;

#[derive(Clone, PartialEq, Debug)]
pub enum Expr {
    Bool(bool),
    Int(i64),
    Name(String),
    Bin(Op, B, B),
    Not(B),
    If(B, B, B),
    /// A datatype, a constructor, its fields.
    Con(usize, usize, Vec<Expr>),
    /// `e is C(_, …)`; false: `is not`.
    Is(B, usize, usize, bool),
    /// A datatype and the name of a field of one of its constructors.
    Field(B, usize, String),
    /// An arm for each constructor.
    Match(B, usize, Vec<(Vec<String>, Expr)>),
    Call(String, Vec<Expr>),
    Read(B, B),
    /// With the sort of the elements.
    Store(B, B, B, Sort),
    /// `[_]V(e)`, over the places of a range.
    Fill(Bound, Bound, Sort, B),
    /// `forall` if true.
    Quant(bool, String, Sort, B),
    /// `x is a(_, 0)` of a whole action; false: `is not`.
    ActIs(String, bool, Shape),
    /// `x in I`.
    ActIn(String, bool, usize),
    /// `x == a(e)`.
    ActEq(String, bool, String, Vec<Expr>),
}

/// What an action looks like.
#[derive(Clone, PartialEq, Debug)]
pub enum Shape {
    Tau,
    AnySync,
    AnyCo,
    Act(String, Vec<Option<i64>>),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Constructor {
    pub name: String,
    pub fields: Vec<(String, Sort)>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Data {
    pub name: String,
    pub constructors: Vec<Constructor>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Fun {
    pub name: String,
    pub params: Vec<(String, Sort)>,
    pub result: Sort,
    pub body: Option<Expr>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Const {
    pub name: String,
    pub sort: Sort,
    pub value: Option<Expr>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Arg {
    Out(Expr),
    In(String),
    Any,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Label {
    Tau,
    Act(Wrap, String, Vec<Arg>),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Trans {
    pub from: usize,
    pub to: usize,
    pub label: Label,
    pub guard: Option<Expr>,
    pub updates: Vec<(String, Expr)>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Process {
    pub name: String,
    pub params: Vec<(String, Sort)>,
    pub vars: Vec<(String, Sort, Option<Expr>)>,
    pub states: usize,
    pub trans: Vec<Trans>,
}

/// What an argument of a member must be.
#[derive(Clone, PartialEq, Debug)]
pub enum Pattern {
    Any,
    Var(String),
    /// A variable plus a number.
    Plus(String, i64),
    Con(usize, usize, Vec<Pattern>),
    Lit(Expr),
}

#[derive(Clone, PartialEq, Debug)]
pub enum Member {
    Tau,
    Act(Wrap, String, Vec<Pattern>),
    Whole(Wrap, String),
}

#[derive(Clone, PartialEq, Debug)]
pub enum Res {
    Tau,
    Act(Wrap, String, Vec<Expr>),
    Whole(String),
}

/// Who takes part: a part, or one of a family.
#[derive(Clone, PartialEq, Debug)]
pub struct Place {
    pub name: String,
    /// Made of indices, parameters, or the variables of the members.
    pub index: Option<Expr>,
}

impl Place {
    pub fn one(name: &str) -> Place {
        Place { name: name.to_owned(), index: None }
    }
}

type Members = Vec<(Place, Member)>;

/// An index with its first and its last value, which is left out.
pub type Index = (String, Bound, Bound);

#[derive(Clone, PartialEq, Debug)]
pub struct Vector {
    pub members: Members,
    pub result: Res,
    pub guard: Option<Expr>,
    pub unless: Vec<(Members, Option<Expr>)>,
    /// `for i in 0..2`.
    pub repeat: Vec<Index>,
}

/// A part of a connector.
#[derive(Clone, PartialEq, Debug)]
pub struct Joint {
    pub trigger: bool,
    pub what: Joined,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Joined {
    /// A part, an action, its arguments.
    Port(Place, String, Vec<Pattern>),
    Group(Vec<Joint>),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Connector {
    /// The action that is shown, with its arguments.
    pub name: String,
    pub exports: Vec<Expr>,
    pub joints: Vec<Joint>,
    pub guard: Option<Expr>,
    /// Variables that are written, each with its value.
    pub transfers: Vec<(String, Expr)>,
    pub repeat: Vec<Index>,
}

/// A hole with its interface; without one it is `any`.
#[derive(Clone, PartialEq, Debug)]
pub struct Hole {
    pub name: String,
    pub sort: Option<usize>,
    pub family: Option<Index>,
}

/// A sub-net: an instance of a process or a net, with values and with what fills holes.
#[derive(Clone, PartialEq, Debug)]
pub struct Sub {
    pub name: String,
    pub family: Option<Index>,
    pub of: String,
    pub values: Vec<Expr>,
    pub fills: Vec<(String, String)>,
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Net {
    pub name: String,
    pub params: Vec<(String, Sort)>,
    pub holes: Vec<Hole>,
    pub subs: Vec<Sub>,
    pub vectors: Vec<Vector>,
    pub connectors: Vec<Connector>,
    /// What gives way, and what to.
    pub priorities: Vec<(String, String)>,
    pub maximal: bool,
}

/// A process or a net.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Side {
    pub processes: Vec<Process>,
    /// Those that are used by others.
    pub nets: Vec<Net>,
    /// Without a net, the first process is meant.
    pub net: Option<Net>,
    /// The values of its parameters, and what fills its holes.
    pub values: Vec<Expr>,
    pub fills: Vec<(String, String)>,
}

/// Two systems over the same declarations.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Model {
    pub datas: Vec<Data>,
    pub consts: Vec<Const>,
    pub funs: Vec<Fun>,
    pub axioms: Vec<Expr>,
    pub actions: Vec<(String, Vec<Sort>)>,
    /// Names with actions.
    pub interfaces: Vec<(String, Vec<String>)>,
    pub left: Side,
    pub right: Side,
    /// What `--set` is given.
    pub set: Vec<(String, i64)>,
    /// The holes that `refines … tracking` is asked of.
    pub tracked: Vec<String>,
}

/// What is asked of a model.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Question {
    Bisimilar,
    WeaklyBisimilar,
    Refines,
    /// `refines`, where some holes count.
    Tracking,
    /// With the holes that count, if there are some.
    WeaklyRefines,
    /// Of the left side.
    Nonblocking,
}

impl Side {
    pub fn all_nets(&self) -> impl Iterator<Item = &Net> {
        self.nets.iter().chain(&self.net)
    }

    pub fn all_nets_mut(&mut self) -> impl Iterator<Item = &mut Net> {
        self.nets.iter_mut().chain(&mut self.net)
    }
}

impl Model {
    /// What is asked, in the order of the text.
    pub fn questions(&self) -> Vec<Question> {
        let mut all = vec![Question::Bisimilar, Question::WeaklyBisimilar, Question::Refines];
        if !self.tracked.is_empty() {
            all.push(Question::Tracking);
        }
        all.push(Question::WeaklyRefines);
        if !self.left.fills.is_empty() {
            all.push(Question::Nonblocking);
        }
        all
    }

    pub fn sorts_of(&self, action: &str) -> &[Sort] {
        self.actions.iter().find(|(name, _)| name == action).map_or(&[], |(_, sorts)| sorts)
    }

    /// The constructors that have a field, and where.
    pub fn field(&self, data: usize, field: &str) -> Option<(usize, usize, &Sort)> {
        let found = self.datas[data].constructors.iter().enumerate().find_map(|(c, con)| {
            con.fields.iter().position(|(name, _)| name == field).map(|f| (c, f))
        });
        found.map(|(c, f)| (c, f, &self.datas[data].constructors[c].fields[f].1))
    }
}
