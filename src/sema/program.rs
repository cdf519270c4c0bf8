//! The typed program: what the later stages see. Every name is resolved and every sort is known.
//!
//! Names local to a process, a net or another declaration are [`LocalId`]s into that declaration's table of [`Local`]s.

use num_bigint::BigInt;

pub use super::architecture::def::{
    ArchitectureDef, HeadDef, JoinDef, JoinMember, KindDef, MadeDef, MemberData, MemberFormula,
    MemberSet, NeverDef, NeverFormula, NeverTest, PartDef, RuleDef, RuleName, UnfoldedFrom,
};
pub(crate) use super::changes::PlacePart;
pub use super::changes::UpdateDef;
pub use super::check::{CheckDef, CheckKind, CheckedPart, UsedReduction};
pub use super::component::StandsFor;
pub use super::fields::{ConstructorDef, DataDef};
pub use super::glue::{
    ConnectorDef, ConnectorPart, ConnectorPartKind, OrderedDef, OrderedDefKind, PriorityDef,
    ProcessOrderDef, UseDef,
};
pub use super::invariant::{ConditionDef, InvariantDef};
pub use super::joint::{
    ClausesDef, ConnectorTypeDef, DatumDef, FormalDef, JointDef, JointKind, OnDef, TransferDef,
};
pub use super::leaves::{LeafPath, LeafTest, LeafVariable};
pub use super::membership::{AtMost, CountedMembers};
pub use super::reduction::{ReductionDef, relation_word};
pub use super::related::{PairDef, RelationDef};
pub use super::scenario::{ScenarioDef, ScenarioStep, ScenarioStepKind};
pub use super::temporal::{FairDef, FormulaDef, PropertyDef, Said, SaidKind, SaidStep};
use crate::diagnostics::{Span, Symbol};
pub use crate::loader::ModuleId;
use crate::syntax::ast::{Ident, Operator, Relation};

/// Declares the types of indices, one per table, so that they cannot be mixed up.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// The place in the table.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// An abstract sort.
    AbstractId,
    /// An enumeration or a datatype.
    DataId,
    /// A sort of arrays.
    ArrayId,
    /// A range sort.
    RangeId,
    /// A parameter that stands for a sort.
    SortParamId,
    /// A function.
    FunId,
    /// A constant.
    ConstId,
    /// An action: a name with its arity.
    ActionId,
    /// An interface.
    InterfaceId,
    /// A process.
    ProcessId,
    /// A net.
    NetId,
    /// A relation.
    RelationId,
    /// An invariant.
    InvariantId,
    /// A reduction.
    ReductionId,
    /// An architecture.
    ArchitectureId,
    /// A definition of a connector.
    ConnectorTypeId,
    /// A temporal property.
    PropertyId,
    /// A name local to a declaration.
    LocalId,
    /// A state of a process.
    StateId,
    /// A part of a net: its own holes first, then its sub-nets.
    PartId,
}

/// A sort.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Integers.
    Int,
    /// Actions.
    Action,
    /// Sets of actions, for parameters.
    Actions,
    /// An abstract sort.
    Abstract(AbstractId),
    /// An enumeration or a datatype.
    Data(DataId),
    /// Arrays.
    Array(ArrayId),
    /// A part of the integers.
    Range(RangeId),
    /// Whatever a parameter stands for; only in what is over sorts.
    Parameter(SortParamId),
    /// Not known yet; only while sorts are inferred.
    Unknown(u32),
    /// Wrong, and reported.
    Error,
}

/// The whole program: all modules that were read, in one set of tables.
#[derive(Debug, Default)]
pub struct Program {
    /// The modules, those that others import first.
    pub modules: Vec<ModuleInfo>,
    /// Abstract sorts.
    pub abstracts: Vec<Named>,
    /// Parameters that stand for sorts.
    pub sort_params: Vec<Named>,
    /// Enumerations and datatypes.
    pub datas: Vec<DataDef>,
    /// Sorts of arrays: keys and values.
    pub arrays: Vec<(Sort, Sort)>,
    /// Range sorts.
    pub ranges: Vec<RangeDef>,
    /// Functions.
    pub funs: Vec<FunDef>,
    /// Constants.
    pub consts: Vec<ConstDef>,
    /// Axioms.
    pub axioms: Vec<AxiomDef>,
    /// Actions.
    pub actions: Vec<ActionDef>,
    /// Interfaces.
    pub interfaces: Vec<InterfaceDef>,
    /// Processes.
    pub processes: Vec<ProcessDef>,
    /// Nets.
    pub nets: Vec<NetDef>,
    /// Relations.
    pub relations: Vec<RelationDef>,
    /// Invariants.
    pub invariants: Vec<InvariantDef>,
    /// Reductions.
    pub reductions: Vec<ReductionDef>,
    /// Architectures.
    pub architectures: Vec<ArchitectureDef>,
    /// Definitions of connectors.
    pub connectors: Vec<ConnectorTypeDef>,
    /// Temporal properties.
    pub properties: Vec<PropertyDef>,
    /// Checks, in the order they were written.
    pub checks: Vec<CheckDef>,
    /// Scenarios, in the order they were written.
    pub scenarios: Vec<ScenarioDef>,
    /// Where names stand in the texts.
    pub occurrences: super::Occurrences,
}

/// A module.
#[derive(Debug)]
pub struct ModuleInfo {
    /// The name of its file as people see it.
    pub file: String,
    /// Whether it was asked for, and not only imported.
    pub is_root: bool,
    /// What it calls the modules that it imports with `as`, by name.
    pub aliases: Vec<(Symbol, ModuleId)>,
}

impl ModuleInfo {
    /// What a module is called here, if it has a name.
    pub fn alias_of(&self, module: ModuleId) -> Option<Symbol> {
        self.aliases.iter().find(|(_, known)| *known == module).map(|(alias, _)| *alias)
    }
}

/// A name that was declared.
#[derive(Clone, Copy, Debug)]
pub struct Named {
    /// The name.
    pub name: Symbol,
    /// Where it was declared.
    pub span: Span,
    /// In which module.
    pub module: ModuleId,
}

/// The integers from `low` to just before `high`.
#[derive(Debug)]
pub struct RangeDef {
    /// The first.
    pub low: Expr,
    /// One past the last.
    pub high: Expr,
    /// Both, where they are known without the value of a parameter or symbolic constant.
    pub known: Option<(BigInt, BigInt)>,
}

/// A function.
#[derive(Debug)]
pub struct FunDef {
    /// Its name.
    pub named: Named,
    /// The sorts that it is over.
    pub sorts: Vec<SortParamId>,
    /// The function that it is an instance of, with the sorts that it is for.
    pub instance: Option<(FunId, Vec<Sort>)>,
    /// Its parameters, the first locals.
    pub params: Vec<Sort>,
    /// The sort of its result.
    pub result: Sort,
    /// What `decreases` names: what becomes smaller in each recursive call, the first part first.
    pub measures: Vec<Expr>,
    /// Its definition; none when it is uninterpreted.
    pub body: Option<Expr>,
    /// Its local names.
    pub locals: Vec<Local>,
}

/// A constant.
#[derive(Debug)]
pub struct ConstDef {
    /// Its name.
    pub named: Named,
    /// Its sort.
    pub sort: Sort,
    /// Its definition; none when it is symbolic.
    pub body: Option<Expr>,
    /// Its value, where folding finds one.
    pub value: Option<Value>,
    /// Its local names.
    pub locals: Vec<Local>,
}

/// The value of a constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(BigInt),
}

/// An axiom.
#[derive(Debug)]
pub struct AxiomDef {
    /// What is claimed.
    pub body: Expr,
    /// Its local names.
    pub locals: Vec<Local>,
}

/// An action.
#[derive(Debug)]
pub struct ActionDef {
    /// Its name, where it was first declared.
    pub named: Named,
    /// The sorts of its arguments.
    pub sorts: Vec<Sort>,
}

/// A set of actions.
#[derive(Debug)]
pub struct InterfaceDef {
    /// Its name.
    pub named: Named,
    /// Its actions.
    pub actions: Vec<ActionId>,
}

/// A name local to a declaration.
#[derive(Clone, Copy, Debug)]
pub struct Local {
    /// The name.
    pub name: Symbol,
    /// Its sort.
    pub sort: Sort,
    /// Where it was introduced.
    pub span: Span,
    /// As what.
    pub kind: LocalKind,
}

/// What a local name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LocalKind {
    /// A parameter in angle brackets, or of a function.
    Parameter,
    /// A variable of a process.
    Variable,
    /// An input of a transition.
    Input,
    /// A variable of a vector or a connector, for data.
    VectorData,
    /// A variable of a vector for an action, `?a`.
    VectorAction,
    /// The index of a family or of `for`.
    Index,
    /// Bound by a quantifier.
    Quantified,
    /// Bound by a quantifier to the members of a family.
    Member,
    /// Bound by a pattern.
    Pattern,
}

/// A process.
#[derive(Debug)]
pub struct ProcessDef {
    /// Its name.
    pub named: Named,
    /// What each of its parameters stands for, where some are no values.
    pub over: Vec<StandsFor>,
    /// The process that it is an instance of.
    pub generic: Option<ProcessId>,
    /// Whether some of its parameters stand for nothing yet: it is no component.
    pub is_open: bool,
    /// Its local names: the parameters first, then the variables, then those of its transitions.
    pub locals: Vec<Local>,
    /// How many of the locals are parameters.
    pub parameters: usize,
    /// Its variables.
    pub variables: Vec<VariableDef>,
    /// The variable that says whether an `assert` has failed; none where there are no such claims.
    pub failed: Option<LocalId>,
    /// Its states.
    pub states: Vec<StateDef>,
    /// The initial state.
    pub initial: Option<StateId>,
    /// Its transitions.
    pub transitions: Vec<TransitionDef>,
    /// Which of its actions give way to which.
    pub priorities: Vec<ProcessOrderDef>,
    /// Whether something in it is wrong, and was reported.
    pub has_errors: bool,
}

/// A variable of a process.
#[derive(Debug)]
pub struct VariableDef {
    /// Which local it is.
    pub local: LocalId,
    /// Its initial value; none when it can be any.
    pub initial: Option<Expr>,
}

/// A state of a process.
#[derive(Clone, Copy, Debug)]
pub struct StateDef {
    /// Its name.
    pub name: Ident,
    /// Whether stopping here is success.
    pub is_final: bool,
}

/// A transition of a process.
#[derive(Debug)]
pub struct TransitionDef {
    /// Where it starts.
    pub source: StateId,
    /// Where it ends.
    pub target: StateId,
    /// What it shows; inputs are [`ExprKind::Input`].
    pub action: Expr,
    /// When it can happen.
    pub guard: Option<Expr>,
    /// What is claimed to be so whenever it happens.
    pub assert: Option<Expr>,
    /// What it changes: all at once, or one after the other.
    pub updates: Vec<UpdateDef>,
    /// Whether each change sees those before it.
    pub in_sequence: bool,
    /// Where it was written.
    pub span: Span,
}

/// A net.
#[derive(Debug)]
pub struct NetDef {
    /// Its name.
    pub named: Named,
    /// What each of its parameters stands for, where some are no values.
    pub over: Vec<StandsFor>,
    /// The net that it is an instance of.
    pub generic: Option<NetId>,
    /// Whether some of its parameters stand for nothing yet: it is no component.
    pub is_open: bool,
    /// Its local names: the parameters first.
    pub locals: Vec<Local>,
    /// How many of the locals are parameters.
    pub parameters: usize,
    /// Its own holes.
    pub holes: Vec<HoleDef>,
    /// What it is made of.
    pub body: NetBody,
    /// Whether something in it is wrong, and was reported.
    pub has_errors: bool,
    /// Whether nobody has written it: it was made of rules.
    pub is_made: bool,
    /// What it is an unfolding of.
    pub from: Option<UnfoldedFrom>,
}

/// A hole.
#[derive(Debug)]
pub struct HoleDef {
    /// Its name.
    pub name: Ident,
    /// Its index, when it stands for many.
    pub family: Option<FamilyDef>,
    /// The interface that limits it; none for `any`.
    pub interface: Option<InterfaceId>,
}

/// The index of a family, or of `for`.
#[derive(Debug)]
pub struct FamilyDef {
    /// The index.
    pub index: LocalId,
    /// Its values.
    pub range: RangeId,
}

/// What a net is made of.
#[derive(Debug)]
pub enum NetBody {
    /// Sub-nets and how they synchronise.
    Block(NetBlock),
    /// Another net, or a process, with arguments.
    Alias(Instance),
    /// Nothing that makes sense; it has been reported.
    Error,
}

/// Sub-nets and how they synchronise.
#[derive(Debug, Default)]
pub struct NetBlock {
    /// The sub-nets.
    pub subs: Vec<SubDef>,
    /// The vectors.
    pub vectors: Vec<VectorDef>,
    /// The connectors.
    pub connectors: Vec<ConnectorDef>,
    /// What `priority` orders.
    pub priorities: Vec<PriorityDef>,
    /// Where `priority maximal` stands.
    pub maximal: Option<Span>,
}

/// A sub-net.
#[derive(Debug)]
pub struct SubDef {
    /// Its name.
    pub name: Ident,
    /// Its index, when it stands for many.
    pub family: Option<FamilyDef>,
    /// What it is under conditions, the first that holds.
    pub choices: Vec<(Expr, Instance)>,
    /// What it is otherwise.
    pub instance: Instance,
}

impl SubDef {
    /// All that it may be.
    pub fn instances(&self) -> impl Iterator<Item = &Instance> {
        self.choices.iter().map(|(_, instance)| instance).chain([&self.instance])
    }
}

/// A process or net with its arguments, or a hole.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Of what.
    pub component: Component,
    /// The value arguments.
    pub values: Vec<Argument>,
    /// What fills the holes.
    pub fills: Vec<FillDef>,
    /// Where it was written.
    pub span: Span,
}

/// What can be instantiated.
#[derive(Clone, Debug)]
pub enum Component {
    /// Unknown, and reported.
    Error,
    /// A process.
    Process(ProcessId),
    /// A net.
    Net(NetId),
    /// A hole of the net around, by its place among the holes, with an index when it is a family.
    Hole(usize, Option<Box<Expr>>),
    /// An architecture, with any number of components: only a check can be about one.
    Architecture(ArchitectureId),
}

/// A value argument.
#[derive(Clone, Debug)]
pub enum Argument {
    /// A value, or an action.
    Value(Expr),
    /// A set of actions.
    Set(ActionSet),
}

/// What fills a hole.
#[derive(Clone, Debug)]
pub struct FillDef {
    /// The path of the hole in the net that is instantiated.
    pub hole: Vec<Symbol>,
    /// Its index.
    pub index: FillIndex,
    /// With what.
    pub instance: Instance,
}

/// Which members of a family of holes are filled.
#[derive(Clone, Debug)]
pub enum FillIndex {
    /// The hole, or all members of the family alike.
    Whole,
    /// Each member; the local is its index.
    Each(LocalId),
    /// One member.
    One(Expr),
}

/// A synchronisation vector.
#[derive(Debug)]
pub struct VectorDef {
    /// What people call it.
    pub name: Option<Ident>,
    /// Who takes part, and with which action.
    pub members: Vec<MemberDef>,
    /// What is shown outside.
    pub result: Expr,
    /// When it can happen.
    pub guard: Option<Expr>,
    /// It can happen only where none of these could.
    pub rivals: Vec<RivalDef>,
    /// The indices it is repeated for.
    pub repeat: Vec<FamilyDef>,
    /// Where it was written.
    pub span: Span,
    /// From `<` to `>`.
    pub members_span: Span,
}

/// What goes before a vector.
#[derive(Debug)]
pub struct RivalDef {
    /// Who would take part, and with which action.
    pub members: Vec<MemberDef>,
    /// When it could happen.
    pub guard: Option<Expr>,
    /// Where it was written.
    pub span: Span,
}

/// A member of a vector.
#[derive(Debug)]
pub struct MemberDef {
    /// Which part.
    pub part: PartId,
    /// Its index, when it is one of a family.
    pub index: Option<Expr>,
    /// Its action.
    pub action: Expr,
    /// The indices it stands for, all together.
    pub repeat: Vec<FamilyDef>,
    /// For which of them.
    pub condition: Option<Expr>,
    /// Where the part is named.
    pub span: Span,
}

/// An expression or an action term.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Which.
    pub kind: ExprKind,
    /// Its sort.
    pub sort: Sort,
    /// Where it was written.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// Wrong, and reported.
    Error,
    /// `true`
    Bool(bool),
    /// `42`, when it fits
    Int(i64),
    /// A larger integer.
    BigInt(Box<BigInt>),
    /// A local name.
    Local(LocalId),
    /// A variable of a leaf, in a property or a relation.
    Leaf(Box<LeafVariable>),
    /// A constant.
    Const(ConstId),
    /// A function applied.
    Apply(FunId, Vec<Expr>),
    /// A constructor applied, by its place in the datatype.
    Construct(DataId, u32, Vec<Expr>),
    /// A selector applied: the place of the constructor and of the field.
    Select(DataId, u32, u32, Box<Expr>),
    /// An action.
    Act(ActionId, Vec<Expr>),
    /// `tau`
    Tau,
    /// `sync a`
    Sync(Box<Expr>),
    /// `co a`
    Co(Box<Expr>),
    /// `_`: any value.
    Wildcard,
    /// `?x` in a transition: a value from outside.
    Input(LocalId),
    /// `m[i]`
    Index(Box<(Expr, Expr)>),
    /// `m[i := v]`
    Update(Box<(Expr, Expr, Expr)>),
    /// `m with { body := 3 }`
    With(DataId, Box<(Expr, Vec<(Ident, Expr)>)>),
    /// `[_]V(v)`
    ConstArray(Box<Expr>),
    /// `not b`
    Not(Box<Expr>),
    /// `- n`
    Negate(Box<Expr>),
    /// Operators of one level, from left to right.
    Chain(Box<(Expr, Vec<(Operator, Expr)>)>),
    /// A comparison.
    Compare(Relation, Box<(Expr, Expr)>),
    /// `a => b`
    Implies(Box<(Expr, Expr)>),
    /// `if c then a else b`
    If(Box<(Expr, Expr, Expr)>),
    /// `match m { … }`
    Match(Box<(Expr, Vec<(Pattern, Expr)>)>),
    /// `forall x . p` (true) or `exists x . p`
    Quantified(bool, Vec<LocalId>, Box<Expr>),
    /// `m is P` (or, when true, `is not`)
    Is(Box<(Expr, Pattern)>, bool),
    /// `a in G` (or, when true, `not in`)
    In(Box<(Expr, ActionSet)>, bool),
    /// `C in { s0, s1 }` in a property (or, when true, `not in`)
    InState(Box<LeafTest>, bool),
    /// No `assert` of a net has failed.
    Asserts,
    /// How many members are in some states, for `mutex` and `at_most`.
    AtMost(Box<AtMost>),
}

/// A pattern.
#[derive(Clone, Debug)]
pub struct Pattern {
    /// Which.
    pub kind: PatternKind,
    /// Where it was written.
    pub span: Span,
}

/// The kinds of patterns.
#[derive(Clone, Debug)]
pub enum PatternKind {
    /// Wrong, and reported.
    Error,
    /// `_`
    Wildcard,
    /// A name for what is there.
    Bind(LocalId),
    /// `true`
    Bool(bool),
    /// `42`
    Int(BigInt),
    /// A value that must be there: an expression over what is bound elsewhere.
    Value(Box<Expr>),
    /// A constructor.
    Construct(DataId, u32, Vec<Pattern>),
    /// An action.
    Act(ActionId, Vec<Pattern>),
    /// `tau`
    Tau,
    /// `sync a`
    Sync(Box<Pattern>),
    /// `co a`
    Co(Box<Pattern>),
}

/// A set of actions.
#[derive(Clone, Debug)]
pub enum ActionSet {
    /// Wrong, and reported.
    Error,
    /// `{ delta(_), tick }`
    Patterns(Vec<Pattern>),
    /// An interface.
    Interface(InterfaceId),
    /// A parameter of sort `actions`.
    Parameter(LocalId),
}

impl Expr {
    /// An expression that stands for something wrong.
    pub fn error(span: Span) -> Expr {
        Expr { kind: ExprKind::Error, sort: Sort::Error, span }
    }
}
