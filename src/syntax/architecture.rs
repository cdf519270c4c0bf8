//! The tree of an architecture: rules that put any number of components together.

use serde::Serialize;

use super::ast::{Documented, Expr, Ident, NetStatementKind};

/// Systems of any size, described by rules in the manner of recursive data types.
#[derive(Clone, Debug, Serialize)]
pub struct ArchitectureDecl {
    /// Its name, which is that of its first rule.
    pub name: Ident,
    /// Its rules; those of one name are alternatives.
    pub rules: Vec<RuleItem>,
}

/// A rule of an architecture.
pub type RuleItem = Documented<RuleKind>;
/// A statement of a rule.
pub type RuleStatement = Documented<RuleStatementKind>;

/// A rule, or a text that could not be parsed.
#[derive(Clone, Debug, Serialize)]
pub enum RuleKind {
    /// Could not be parsed; it has been reported.
    Error,
    /// `rule Chain(x, y) { … }`
    Makes(Box<RuleDecl>),
}

/// One way in which a part can be made.
#[derive(Clone, Debug, Serialize)]
pub struct RuleDecl {
    /// Its name, which it may share with others.
    pub name: Ident,
    /// The components that it is told of, or that it gives somebody.
    pub params: Vec<Ident>,
    /// Its statements.
    pub body: Vec<RuleStatement>,
}

/// The kinds of statements of a rule.
#[derive(Clone, Debug, Serialize)]
pub enum RuleStatementKind {
    /// Could not be parsed; it has been reported.
    Error,
    /// `new x, y;`
    New(Vec<Ident>),
    /// What nets have, too: `sub x = Station;`, `<x: send, y: recv> -> pass;`
    Net(NetStatementKind),
    /// `Chain(x, y);`
    Part(Box<RuleUse>),
    /// `never both: x in busy and y in busy;`
    Never(Box<NeverDecl>),
}

/// A part that a rule describes.
#[derive(Clone, Debug, Serialize)]
pub struct RuleUse {
    /// The name of the rules.
    pub rule: Ident,
    /// The names that are passed.
    pub names: Vec<Ident>,
}

/// What is claimed never to be so.
#[derive(Clone, Debug, Serialize)]
pub struct NeverDecl {
    /// What people call the claim.
    pub label: Option<Ident>,
    /// What never is.
    pub bad: Expr,
}
