//! The tree that the parser makes: what was written, with the place of every part, and nothing else.
//!
//! Action terms, patterns and sets of actions share [`Expr`] with data: which of them may stand where
//! is a question of names and sorts, and is answered there.

use serde::Serialize;

pub use super::invariant::{Condition, ConditionKind, InvariantDecl};
pub use super::reduction::{PartPath, Reducing, ReducingKind, ReducingStep, ReductionDecl};
pub use super::scenario::{ScenarioDecl, ScenarioName, Step, StepKind};
pub use super::system::SystemSource;
use crate::diagnostics::{Span, Symbol};

/// How deep expressions, sorts, instances and connectors may be nested. Whoever walks the tree may
/// recurse: the parser sees to it that no tree is deeper.
pub const MAX_DEPTH: u16 = 200;

/// A name where it was written.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Ident {
    /// The name.
    pub name: Symbol,
    /// Where it stands.
    pub span: Span,
}

/// A name with the modules it is reached through, or a variable with its selectors: `timer.Tick`.
#[derive(Clone, Debug, Serialize)]
pub struct Path {
    /// The names between the dots; at least one.
    pub parts: Vec<Ident>,
}

/// One file.
#[derive(Debug, Default, Serialize)]
pub struct Module {
    /// What it declares, in order.
    pub items: Vec<Item>,
    /// Names in pieces of text that could not be parsed: nobody should call these unused.
    #[serde(skip)]
    pub unparsed_names: Vec<Symbol>,
}

/// The lines of the doc comments before something, without their marks.
pub type Docs = Vec<Symbol>;

/// Something with its documentation and its place.
#[derive(Clone, Debug, Serialize)]
pub struct Documented<K> {
    /// Its doc comments.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub docs: Docs,
    /// What it is.
    pub kind: K,
    /// Where it stands, from its first token to its last.
    pub span: Span,
}

/// A declaration of a module.
pub type Item = Documented<ItemKind>;
/// A statement of a process.
pub type ProcessStatement = Documented<ProcessStatementKind>;
/// A statement of a net.
pub type NetStatement = Documented<NetStatementKind>;
/// A pair of a relation.
pub type RelationPair = Documented<PairKind>;

/// The kinds of declarations.
#[derive(Clone, Debug, Serialize)]
pub enum ItemKind {
    /// Could not be parsed; it has been reported.
    Error,
    /// `module enable;`
    Module(Path),
    /// `import std.lotos;`
    Import(Box<Import>),
    /// `sort Data;`
    Sort(Vec<Ident>),
    /// `enum Light { … }` or `data Msg { … }`
    Data(Box<DataDecl>),
    /// `fun f(x: Int): Int = x + 1;`
    Fun(Box<FunDecl>),
    /// `axiom forall d: Data . g(d) >= 0;`
    Axiom(Box<Expr>),
    /// `const N: Int = 4;`
    Const(Box<ConstDecl>),
    /// `action fail(Bool), tick;`
    Action(Vec<Signature>),
    /// `interface Operand { fail(Bool) }`
    Interface(Box<InterfaceDecl>),
    /// `process Timer<max: Int> { … }`
    Process(Box<ProcessDecl>),
    /// `net Enable(P: any) { … }` or `net E(P: any) = Enable(P);`
    Net(Box<NetDecl>),
    /// `check bisimilar(A, B);`
    Check(Box<CheckDecl>),
    /// `relation R(A, B) { … }`
    Relation(Box<RelationDecl>),
    /// `scenario handover of Ring5 { … }`
    Scenario(Box<ScenarioDecl>),
    /// `invariant Tickets of Mutex<2> { … }`
    Invariant(Box<InvariantDecl>),
    /// `reduction Smart of System { … }`
    Reduction(Box<ReductionDecl>),
}

/// An import.
#[derive(Clone, Debug, Serialize)]
pub struct Import {
    /// Where from.
    pub source: ImportSource,
    /// Where the source is written.
    pub source_span: Span,
    /// What it brings in.
    pub names: ImportNames,
}

/// Where an import comes from.
#[derive(Clone, Debug, Serialize)]
pub enum ImportSource {
    /// `std.lotos`
    Library(Path),
    /// `"./timer.pnet"`
    File(Symbol),
}

/// What an import brings in.
#[derive(Clone, Debug, Serialize)]
pub enum ImportNames {
    /// Every name.
    All,
    /// `as timer`: every name, behind `timer.`
    Under(Ident),
    /// `(Timer, Tick)`: these names.
    Listed(Vec<Ident>),
}

/// An enumeration or a datatype.
#[derive(Clone, Debug, Serialize)]
pub struct DataDecl {
    /// Whether it was written `enum`, whose constructors carry nothing.
    pub is_enum: bool,
    /// Its name.
    pub name: Ident,
    /// Its constructors.
    pub constructors: Vec<Constructor>,
}

/// A constructor of a datatype.
#[derive(Clone, Debug, Serialize)]
pub struct Constructor {
    /// Its name.
    pub name: Ident,
    /// What it carries.
    pub fields: Vec<Binder>,
}

/// A name with its sort: a field or a parameter.
#[derive(Clone, Debug, Serialize)]
pub struct Binder {
    /// The name.
    pub name: Ident,
    /// The sort.
    pub sort: Sort,
}

/// A function, defined or uninterpreted.
#[derive(Clone, Debug, Serialize)]
pub struct FunDecl {
    /// Its name.
    pub name: Ident,
    /// Its parameters.
    pub params: Vec<Binder>,
    /// The sort of its result.
    pub result: Sort,
    /// What `decreases` names: what becomes smaller in each recursive call, the first part first.
    pub measures: Vec<Expr>,
    /// Its definition; none when it is uninterpreted.
    pub body: Option<Expr>,
}

/// A constant, with a value or symbolic.
#[derive(Clone, Debug, Serialize)]
pub struct ConstDecl {
    /// Its name.
    pub name: Ident,
    /// Its sort.
    pub sort: Sort,
    /// Its value; none when it is symbolic.
    pub value: Option<Expr>,
}

/// An action with the sorts of its arguments.
#[derive(Clone, Debug, Serialize)]
pub struct Signature {
    /// Its name.
    pub name: Ident,
    /// The sorts of its arguments.
    pub sorts: Vec<Sort>,
}

/// A set of action signatures.
#[derive(Clone, Debug, Serialize)]
pub struct InterfaceDecl {
    /// Its name.
    pub name: Ident,
    /// Its actions.
    pub actions: Vec<Signature>,
}

/// A sort as it was written.
#[derive(Clone, Debug, Serialize)]
pub struct Sort {
    /// Which.
    pub kind: SortKind,
    /// Where it stands.
    pub span: Span,
    #[serde(skip)]
    pub(super) depth: u16,
}

/// The kinds of sorts.
#[derive(Clone, Debug, Serialize)]
pub enum SortKind {
    /// Nested too deeply; it has been reported.
    Error,
    /// `Int`, `Data`
    Named(Path),
    /// `0..n`
    Range(Box<Range>),
    /// `[K]V`
    Array(Box<(Sort, Sort)>),
    /// `actions`: a set of actions, for parameters of nets
    Actions,
}

/// The integers from `low` to just before `high`.
#[derive(Clone, Debug, Serialize)]
pub struct Range {
    /// The first.
    pub low: Expr,
    /// One past the last.
    pub high: Expr,
}

/// A parameterised automaton.
#[derive(Clone, Debug, Serialize)]
pub struct ProcessDecl {
    /// Its name.
    pub name: Ident,
    /// Its value parameters.
    pub params: Vec<Binder>,
    /// The file that it comes from: `= lts "medium.aut"`. Whoever reads the file puts its states and transitions into the body.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system: Option<SystemSource>,
    /// Its statements.
    pub body: Vec<ProcessStatement>,
}

/// The kinds of statements of a process.
#[derive(Clone, Debug, Serialize)]
pub enum ProcessStatementKind {
    /// Could not be parsed; it has been reported.
    Error,
    /// `var t: Int = 0;`
    Var(Box<VarDecl>),
    /// `init state s;`
    State(Box<StateDecl>),
    /// `s -> t : tick when g do t := 0;`
    Transition(Box<Transition>),
}

/// A variable of a process.
#[derive(Clone, Debug, Serialize)]
pub struct VarDecl {
    /// Its name.
    pub name: Ident,
    /// Its sort.
    pub sort: Sort,
    /// Its initial value; none when it can be any.
    pub value: Option<Expr>,
}

/// States of a process.
#[derive(Clone, Debug, Serialize)]
pub struct StateDecl {
    /// Whether they are marked `init`.
    pub init: bool,
    /// Whether they are marked `final`.
    pub is_final: bool,
    /// Their names.
    pub names: Vec<Ident>,
}

/// A transition of a process.
#[derive(Clone, Debug, Serialize)]
pub struct Transition {
    /// Where it starts.
    pub source: Ident,
    /// Where it ends.
    pub target: Ident,
    /// What it shows.
    pub action: Expr,
    /// When it can happen.
    pub guard: Option<Expr>,
    /// What it changes, all at once.
    pub updates: Vec<Assignment>,
}

/// `x := e`
#[derive(Clone, Debug, Serialize)]
pub struct Assignment {
    /// What is assigned.
    pub target: Ident,
    /// Its new value.
    pub value: Expr,
}

/// A composition.
#[derive(Clone, Debug, Serialize)]
pub struct NetDecl {
    /// Its name.
    pub name: Ident,
    /// Its value parameters.
    pub params: Vec<Binder>,
    /// Its holes.
    pub holes: Vec<Hole>,
    /// What it is made of.
    pub body: NetBody,
}

/// What a net is made of.
#[derive(Clone, Debug, Serialize)]
pub enum NetBody {
    /// `{ … }`
    Block(Vec<NetStatement>),
    /// `= Enable(P, Q);`
    Alias(Instance),
}

/// A part that nobody has written yet.
#[derive(Clone, Debug, Serialize)]
pub struct Hole {
    /// Its name.
    pub name: Ident,
    /// Its index, when it stands for many.
    pub family: Option<Family>,
    /// What may fill it.
    pub sort: HoleSort,
}

/// What may fill a hole.
#[derive(Clone, Debug, Serialize)]
pub enum HoleSort {
    /// `any`
    Any(Span),
    /// An interface.
    Interface(Path),
}

/// The index of a family: `[i: 0..n]`.
#[derive(Clone, Debug, Serialize)]
pub struct Family {
    /// The name of the index.
    pub index: Ident,
    /// Its values.
    pub range: Range,
}

/// The kinds of statements of a net.
#[derive(Clone, Debug, Serialize)]
pub enum NetStatementKind {
    /// Could not be parsed; it has been reported.
    Error,
    /// `sub C = CState;`
    Sub(Box<SubDecl>),
    /// `<P: ?a, C: l> -> a when g for i in 0..n;`
    Vector(Box<Vector>),
    /// `connect fail : B.fail' [C.fail T.start];`
    Connect(Box<ConnectDecl>),
    /// `priority tick < ask;`
    Priority(Box<Priority>),
}

/// A part of a net.
#[derive(Clone, Debug, Serialize)]
pub struct SubDecl {
    /// Its name.
    pub name: Ident,
    /// Its index, when it stands for many.
    pub family: Option<Family>,
    /// What it is.
    pub instance: Instance,
}

/// A process or net with its arguments: `Timer<4>`, `Enable(P, Q: Receiver)`, or a hole, `P[i]`.
#[derive(Clone, Debug, Serialize)]
pub struct Instance {
    /// What is instantiated.
    pub head: Head,
    /// The value arguments.
    pub values: Vec<Expr>,
    /// What fills the holes.
    pub fills: Vec<Fill>,
    /// Where it stands.
    pub span: Span,
    #[serde(skip)]
    pub(super) depth: u16,
}

/// A name, with an index when it is one of a family.
#[derive(Clone, Debug, Serialize)]
pub struct Head {
    /// The name.
    pub path: Path,
    /// The index.
    pub index: Option<Box<Expr>>,
    /// Where it stands, with its index.
    pub span: Span,
}

/// What fills a hole.
#[derive(Clone, Debug, Serialize)]
pub struct Fill {
    /// Which hole, when it is named.
    pub hole: Option<Head>,
    /// With what.
    pub instance: Instance,
}

/// A synchronisation vector.
#[derive(Clone, Debug, Serialize)]
pub struct Vector {
    /// Who takes part, and with which action.
    pub members: Vec<Member>,
    /// What is shown outside.
    pub result: Expr,
    /// When it can happen.
    pub guard: Option<Expr>,
    /// It can happen only where none of these could.
    pub rivals: Vec<Rival>,
    /// The indices it is repeated for.
    pub repeat: Vec<Family>,
    /// From `<` to `>`.
    pub members_span: Span,
}

/// What goes before a vector: `unless <C: ask, T: timeout> when g`.
#[derive(Clone, Debug, Serialize)]
pub struct Rival {
    /// Who would take part, and with which action.
    pub members: Vec<Member>,
    /// When it could happen.
    pub guard: Option<Expr>,
    /// From `<` to `>`.
    pub span: Span,
}

/// A member of a vector with its action.
#[derive(Clone, Debug, Serialize)]
pub struct Member {
    /// Which part.
    pub part: Part,
    /// Its action.
    pub action: Expr,
    /// The indices it stands for, all together: `[S[i]: tick for i in 0..n]`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub repeat: Vec<Family>,
}

/// A sub-net or hole, with an index when it is one of a family.
#[derive(Clone, Debug, Serialize)]
pub struct Part {
    /// Its name.
    pub name: Ident,
    /// Its index.
    pub index: Option<Box<Expr>>,
    /// Where it stands, with its index.
    pub span: Span,
}

/// A connector.
#[derive(Clone, Debug, Serialize)]
pub struct ConnectDecl {
    /// The action that it shows.
    pub name: Ident,
    /// The data it exports.
    pub exports: Vec<Expr>,
    /// Its ports and sub-connectors.
    pub parts: Vec<Connector>,
    /// When its interactions can happen.
    pub guard: Option<Expr>,
    /// The data it transfers.
    pub transfer: Vec<Assignment>,
    /// The indices it is repeated for.
    pub repeat: Vec<Family>,
}

/// A port or a sub-connector.
#[derive(Clone, Debug, Serialize)]
pub struct Connector {
    /// Which.
    pub kind: ConnectorKind,
    /// Whether it is marked `'`: it can start an interaction.
    pub trigger: bool,
    /// Where it stands.
    pub span: Span,
    #[serde(skip)]
    pub(super) depth: u16,
}

/// The kinds of connectors.
#[derive(Clone, Debug, Serialize)]
pub enum ConnectorKind {
    /// Nested too deeply; it has been reported.
    Error,
    /// `T.start(x)`
    Port(Box<Port>),
    /// `[C.fail T.start]`
    Group(Vec<Connector>),
    /// `[S[i].tick for i in 0..n]`: a group of what is repeated
    Each(Vec<Connector>, Vec<Family>),
}

/// A port of a part: one of its actions.
#[derive(Clone, Debug, Serialize)]
pub struct Port {
    /// Which part.
    pub part: Part,
    /// The action.
    pub action: Ident,
    /// Its data.
    pub args: Vec<Expr>,
}

/// Which interactions go before which.
#[derive(Clone, Debug, Serialize)]
pub enum Priority {
    /// `priority maximal;`
    Maximal,
    /// `priority tick < ask < reset;`: each goes before those to its left.
    Order(Vec<Vec<Ident>>),
}

/// A question about nets.
#[derive(Clone, Debug, Serialize)]
pub struct CheckDecl {
    /// Whether the opposite is claimed.
    pub negated: bool,
    /// What is claimed: `bisimilar`, `always`, …
    pub kind: Ident,
    /// Of what.
    pub nets: Vec<Instance>,
    /// The property of `always` and `reaches`, or the action of `live`.
    pub property: Option<Expr>,
    /// The figures of `size`.
    pub figures: Option<Box<(Expr, Expr)>>,
    /// The relation, the invariant or the reduction to use.
    pub by: Option<Path>,
    /// The holes to track.
    pub tracking: Option<Vec<Ident>>,
}

/// A relation between the states of two nets.
#[derive(Clone, Debug, Serialize)]
pub struct RelationDecl {
    /// Its name.
    pub name: Ident,
    /// The nets it relates.
    pub nets: Vec<Instance>,
    /// Its pairs.
    pub pairs: Vec<RelationPair>,
}

/// A pair of a relation, or a text that could not be parsed.
#[derive(Clone, Debug, Serialize)]
pub enum PairKind {
    /// Could not be parsed; it has been reported.
    Error,
    /// `(b1, s1.m0.r0) when b_msg == s_msg;`
    Pair(Box<Pair>),
}

/// Related states: of each side, the state of each leaf.
#[derive(Clone, Debug, Serialize)]
pub struct Pair {
    /// A state of the first net.
    pub left: NetState,
    /// A state of the second net.
    pub right: NetState,
    /// When they are related.
    pub guard: Option<Expr>,
}

/// A state of a net: `s0.t1`, or `-` if it has no leaves.
#[derive(Clone, Debug, Serialize)]
pub struct NetState {
    /// The state of each leaf, in order.
    pub leaves: Vec<Ident>,
    /// Where it stands.
    pub span: Span,
}

impl NetState {
    /// The states of leaves, written as a path.
    pub fn of_leaves(path: Path) -> NetState {
        NetState { span: path.span(), leaves: path.parts }
    }
}

/// An expression, an action term, a pattern or a set of actions.
#[derive(Clone, Debug, Serialize)]
pub struct Expr {
    /// Which.
    pub kind: ExprKind,
    /// Where it stands, without the parentheses around it.
    pub span: Span,
    #[serde(skip)]
    pub(super) depth: u16,
}

/// The kinds of expressions.
#[derive(Clone, Debug, Serialize)]
pub enum ExprKind {
    /// Could not be parsed; it has been reported.
    Error,
    /// `true`
    Bool(bool),
    /// `42`, as its digits
    Int(Symbol),
    /// `x`
    Name(Symbol),
    /// `timer.max`, `m.seq`
    Path(Box<Path>),
    /// `_`
    Wildcard,
    /// `?x`
    Input(Ident),
    /// `tau`
    Tau,
    /// `sync a`
    Sync(Box<Expr>),
    /// `co a`
    Co(Box<Expr>),
    /// `f(x)`, `Pkt(1, d)`, `delta(x)`
    Call(Box<Call>),
    /// `f(x).seq`
    Field(Box<(Expr, Ident)>),
    /// `m[i]`
    Index(Box<(Expr, Expr)>),
    /// `m[i := v]`
    Update(Box<(Expr, Expr, Expr)>),
    /// `[_]Int(0)`
    ConstArray(Box<(Sort, Expr)>),
    /// `{ delta(_), acc(_) }`
    Set(Vec<Expr>),
    /// `not b`
    Not(Box<Expr>),
    /// `- n`
    Negate(Box<Expr>),
    /// `a + b - c`: operators of one level, from left to right
    Chain(Box<Chain>),
    /// `a < b`
    Compare(Box<Comparison>),
    /// `a => b`
    Implies(Box<(Expr, Expr)>),
    /// `m is not Pkt(_, _)`
    Is(Box<Test>),
    /// `a not in G`
    In(Box<Test>),
    /// `if c then a else b`
    If(Box<(Expr, Expr, Expr)>),
    /// `match m { Ping => 0, Pkt(s, _) => s }`
    Match(Box<Match>),
    /// `forall d: Data . g(d) >= 0`
    Quantified(Box<Quantified>),
}

/// A use of a function, constructor or action.
#[derive(Clone, Debug, Serialize)]
pub struct Call {
    /// Of what.
    pub callee: Path,
    /// With what.
    pub args: Vec<Expr>,
}

/// Operators of one level, from left to right.
#[derive(Clone, Debug, Serialize)]
pub struct Chain {
    /// The first operand.
    pub first: Expr,
    /// The operators, each with its place and its right operand; at least one.
    pub rest: Vec<(Operator, Span, Expr)>,
}

/// The operators of chains.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Operator {
    And,
    Or,
    Add,
    Subtract,
    Multiply,
    Div,
    Mod,
}

impl Operator {
    /// How it is written.
    pub fn spelling(self) -> &'static str {
        match self {
            Operator::And => "and",
            Operator::Or => "or",
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::Div => "div",
            Operator::Mod => "mod",
        }
    }
}

/// A comparison.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// Which.
    pub relation: Relation,
    /// Where its sign stands.
    pub sign: Span,
    /// What is compared.
    pub left: Expr,
    /// With what.
    pub right: Expr,
}

/// The signs of comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Relation {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Relation {
    /// How it is written.
    pub fn spelling(self) -> &'static str {
        match self {
            Relation::Equal => "==",
            Relation::NotEqual => "!=",
            Relation::Less => "<",
            Relation::LessEqual => "<=",
            Relation::Greater => ">",
            Relation::GreaterEqual => ">=",
        }
    }
}

/// A test of what something is, or where it belongs.
#[derive(Clone, Debug, Serialize)]
pub struct Test {
    /// What is tested.
    pub subject: Expr,
    /// Whether the opposite is asked.
    pub negated: bool,
    /// The pattern, or the set.
    pub against: Expr,
}

/// A choice by the form of a value.
#[derive(Clone, Debug, Serialize)]
pub struct Match {
    /// What is looked at.
    pub subject: Expr,
    /// The forms, and the value for each.
    pub arms: Vec<(Expr, Expr)>,
}

/// A quantified formula.
#[derive(Clone, Debug, Serialize)]
pub struct Quantified {
    /// Whether it is `forall`; else `exists`.
    pub universal: bool,
    /// The variables, with their sorts where these are written.
    pub variables: Vec<(Ident, Option<Sort>)>,
    /// What is claimed of them.
    pub body: Expr,
}
