//! The tree that the parser makes: what was written, with the place of every part, and nothing else.
//!
//! Action terms, patterns and sets of actions share [`Expr`] with data: which of them may stand where
//! is a question of names and sorts, and is answered there.

use serde::Serialize;

pub use super::architecture::{
    ArchitectureDecl, NeverDecl, RuleDecl, RuleItem, RuleKind, RuleStatement, RuleStatementKind,
    RuleUse,
};
pub use super::expression::{
    Call, Chain, Comparison, Expr, ExprKind, Let, Match, Operator, Relation, Test, With,
};
pub use super::glue::{
    Choice, ConnectDecl, Connector, ConnectorClauses, ConnectorDecl, ConnectorKind,
    ConnectorStatement, ConnectorStatementKind, ConnectorUse, FormalPort, Ordered, OrderedKind,
    Port, Priority, PriorityOrder, Transfer,
};
pub use super::invariant::{Condition, ConditionKind, InvariantDecl};
pub use super::quantified::{BoundBy, Quantified};
pub use super::reduction::{PartPath, Reducing, ReducingKind, ReducingStep, ReductionDecl};
pub use super::scenario::{ScenarioDecl, ScenarioName, Step, StepKind};
pub use super::system::SystemSource;
pub use super::temporal::{Along, FairDecl, FairStep, PropertyDecl, Temporal};
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
    /// `architecture Ring { rule Ring() { … } … }`
    Architecture(Box<ArchitectureDecl>),
    /// `connector Max(p: port(x: Int), q: port(x: Int)) { … }`
    Connector(Box<ConnectorDecl>),
    /// `property NoAsk = A[not ask W fail(true)];`
    Property(Box<PropertyDecl>),
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
    /// The sorts that it is over: `List<T>`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub params: Vec<Ident>,
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
    /// The sorts that it is over: `len<T>`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sorts: Vec<Ident>,
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
    /// `List<Int>`
    Applied(Box<(Path, Vec<Sort>)>),
    /// `sort`, for parameters that stand for sorts: `T: sort`
    AnySort,
    /// `Action(Int)`, for parameters that stand for an action with these arguments
    ActionOf(Vec<Sort>),
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
    /// `priority tick < ask;`
    Priority(Box<PriorityOrder>),
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
    /// What is claimed to be so whenever it happens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assert: Option<Expr>,
    /// What it changes: all at once, or one after the other.
    pub updates: Vec<Assignment>,
    /// Whether it changes this one after the other: `do { x := 1; y := x + 1 }`.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub in_sequence: bool,
}

/// `x := e`, `x += e`, `a[i] := e`, `m.body := e`
#[derive(Clone, Debug, Serialize)]
pub struct Assignment {
    /// What is assigned.
    pub target: Ident,
    /// The part of it that is assigned, from the outside in; all of it where there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub place: Vec<PlaceStep>,
    /// How the old value goes into the new one: `+=` and `-=`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operator: Option<Operator>,
    /// Its new value, or what is added to the old one, or taken from it.
    pub value: Expr,
}

/// A step into a value.
#[derive(Clone, Debug, Serialize)]
pub enum PlaceStep {
    /// `[i]`, with the place of its brackets
    Index(Expr, Span),
    /// `.body`
    Field(Ident),
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
    /// What it is under conditions, the first that holds: `if i == 0 then Lefty else`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<Choice>,
    /// What it is otherwise.
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
    /// What people call it: `step pass: <…> -> …;`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<Ident>,
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
    /// For which of them: `[S[i]: tick for i in 0..n when i != k]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<Box<Expr>>,
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

/// A question about nets.
#[derive(Clone, Debug, Serialize)]
pub struct CheckDecl {
    /// Whether the opposite is claimed.
    pub negated: bool,
    /// What is claimed: `bisimilar`, `always`, …
    pub kind: Ident,
    /// Of what.
    pub nets: Vec<Instance>,
    /// How many, for `at_most`.
    pub most: Option<Expr>,
    /// The property of `always`, `reaches`, `mutex` and `at_most`, the action of `live`, or the formula of `holds` and
    /// `noninterfering`.
    pub property: Option<Expr>,
    /// The figures of `size`.
    pub figures: Option<Box<(Expr, Expr)>>,
    /// The relation, the invariant or the reduction to use.
    pub by: Option<Path>,
    /// The holes to track.
    pub tracking: Option<Vec<Ident>>,
    /// Which runs count.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fair: Vec<FairDecl>,
    /// The two parts of the net, for `noninterfering`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Expr>,
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
