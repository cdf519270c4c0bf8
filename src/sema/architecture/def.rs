//! Architectures as later stages see them.

use crate::diagnostics::{Span, Symbol};
use crate::sema::program::{ArchitectureId, Expr, Instance, Named, NetId, ProcessId, StateId};
use crate::syntax::ast::Ident;

/// Systems of any size: rules that make components, let them interact, and use each other.
#[derive(Debug)]
pub struct ArchitectureDef {
    /// Its name.
    pub named: Named,
    /// The names of its rules, in the order of the text; the first is that of the architecture.
    pub heads: Vec<HeadDef>,
    /// Its rules, in the order of the text.
    pub rules: Vec<RuleDef>,
    /// The kinds of components that rules make.
    pub kinds: Vec<KindDef>,
    /// What can stand behind names that are passed to each other: the kinds of components.
    pub classes: Vec<Vec<usize>>,
    /// Whether the ways in which components meet were written out: a check asks about all sizes.
    pub is_asked: bool,
    /// Whether something in it is wrong, and was reported.
    pub has_errors: bool,
}

impl ArchitectureDef {
    /// An architecture of which nothing but its name is known.
    pub fn new(named: Named) -> ArchitectureDef {
        ArchitectureDef {
            named,
            heads: Vec::new(),
            rules: Vec::new(),
            kinds: Vec::new(),
            classes: Vec::new(),
            is_asked: false,
            has_errors: false,
        }
    }

    /// The rules of a name.
    pub fn head(&self, name: Symbol) -> Option<usize> {
        self.heads.iter().position(|head| head.name.name == name)
    }
}

/// What the rules of one name have in common.
#[derive(Clone, Copy, Debug)]
pub struct HeadDef {
    /// The name, where it stands first.
    pub name: Ident,
    /// How many parameters they have.
    pub parameters: usize,
}

/// A kind of components.
#[derive(Debug)]
pub struct KindDef {
    /// What it is.
    pub instance: Instance,
    /// The same as text: `Station<3>`.
    pub text: String,
    /// Its leaves, with the ways to them.
    pub processes: Vec<(Vec<Symbol>, ProcessId)>,
    /// A net with one such component, that does nothing: made where a check asks about all sizes.
    pub net: Option<NetId>,
}

/// A rule.
#[derive(Debug)]
pub struct RuleDef {
    /// Which of the heads it is a rule of.
    pub head: usize,
    /// Its names: the parameters, then the new ones.
    pub names: Vec<RuleName>,
    /// How many names are parameters.
    pub parameters: usize,
    /// The components that are made here.
    pub made: Vec<MadeDef>,
    /// How components move together.
    pub joins: Vec<JoinDef>,
    /// The parts that other rules describe.
    pub parts: Vec<PartDef>,
    /// What is claimed about the names.
    pub nevers: Vec<NeverDef>,
    /// Where it was written.
    pub span: Span,
}

/// A name of a rule.
#[derive(Clone, Copy, Debug)]
pub struct RuleName {
    /// The name, where it is introduced.
    pub ident: Ident,
    /// The class of names that it is passed to, or got from.
    pub class: usize,
}

/// A component that a rule makes.
#[derive(Clone, Copy, Debug)]
pub struct MadeDef {
    /// For which name.
    pub name: usize,
    /// Of which kind.
    pub kind: usize,
    /// Where the name stands.
    pub span: Span,
}

/// A vector or connector of a rule.
#[derive(Debug)]
pub struct JoinDef {
    /// The names in it, each once; those that always move together come first.
    pub names: Vec<usize>,
    /// How many of them move together whenever it happens.
    pub together: usize,
    /// For each choice of kinds for these names, a net with one part for each, in this order, that does this alone.
    pub nets: Vec<(Vec<usize>, NetId)>,
    /// What each does, as it was written.
    pub members: Vec<JoinMember>,
    /// The name of a connector.
    pub name: Option<Ident>,
    /// What is shown.
    pub shows: Span,
    /// What stands after it: when it can happen, and what goes before it.
    pub clauses: Span,
    /// Where it was written.
    pub span: Span,
}

/// What one does in a vector or connector.
#[derive(Clone, Copy, Debug)]
pub struct JoinMember {
    /// The name.
    pub name: usize,
    /// What it does.
    pub action: Span,
    /// Whether it is a trigger, where there are any.
    pub trigger: Option<bool>,
}

impl JoinDef {
    /// The names of those that move together whenever it happens.
    pub fn together(&self) -> &[usize] {
        &self.names[..self.together]
    }
}

/// A part that other rules describe.
#[derive(Clone, Debug)]
pub struct PartDef {
    /// Which.
    pub head: usize,
    /// The names that are passed.
    pub names: Vec<usize>,
    /// Where it was written.
    pub span: Span,
}

/// A claim of a rule.
#[derive(Clone, Debug)]
pub struct NeverDef {
    /// What people call it.
    pub label: Option<Ident>,
    /// What never is.
    pub bad: NeverFormula,
    /// Where it was written.
    pub span: Span,
}

/// What is claimed of the members of processes, in whatever unfolding.
#[derive(Clone, Debug)]
pub enum MemberFormula {
    /// Always, or never.
    Truth(bool),
    /// The member that a variable stands for is in one of these states.
    In(usize, MemberSet),
    /// Two variables stand for the same member.
    Same(usize, usize),
    /// A truth about variables of members.
    Data(MemberData),
    /// No more than so many members are in one of these states.
    AtMost(usize, Vec<MemberSet>),
    /// For all members, or for one.
    Each {
        /// Whether for all.
        universal: bool,
        /// The variable.
        variable: usize,
        /// What it goes through: all members of a process.
        members: MemberSet,
        /// What is claimed of it.
        body: Box<MemberFormula>,
    },
    /// Not this.
    Not(Box<MemberFormula>),
    /// All of these.
    And(Vec<MemberFormula>),
    /// One of these.
    Or(Vec<MemberFormula>),
}

/// A truth about the variables of members: `x.count > y.count`.
#[derive(Clone, Debug)]
pub struct MemberData {
    /// What is claimed. The variables are those of leaves whose ways begin with the names of members.
    pub truth: Expr,
    /// The names of members in it, with their variables.
    pub names: Vec<(Symbol, usize)>,
}

/// Members of a process in some states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemberSet {
    /// The process.
    pub process: ProcessId,
    /// The states.
    pub states: Vec<StateId>,
}

/// A formula about the states of the components of names.
#[derive(Clone, Debug)]
pub enum NeverFormula {
    /// Always, or never.
    Truth(bool),
    /// The component of a name is in one of these states.
    In(NeverTest),
    /// Not this.
    Not(Box<NeverFormula>),
    /// All of these.
    And(Vec<NeverFormula>),
    /// One of these.
    Or(Vec<NeverFormula>),
}

/// A test of the state of a component.
#[derive(Clone, Debug)]
pub struct NeverTest {
    /// The name.
    pub name: usize,
    /// The way to a leaf, where the component is a net.
    pub path: Vec<Ident>,
    /// The states. Where a component has none of them, it is in none of them.
    pub states: Vec<Symbol>,
    /// Where it was written.
    pub span: Span,
}

/// What a net is an unfolding of.
#[derive(Clone, Debug)]
pub struct UnfoldedFrom {
    /// The architecture.
    pub architecture: ArchitectureId,
    /// How many components it has.
    pub size: usize,
    /// Which of those with so many it is.
    pub number: usize,
    /// For each node of the tree, its rule, and the components of the names of the rule.
    pub names: Vec<(usize, Vec<Symbol>)>,
    /// Where each component is made: `Ring/Chain/Chain.x`.
    pub paths: Vec<String>,
}
