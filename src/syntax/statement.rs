//! One statement through the grammar, and what to say when it does not fit.

use lalrpop_util::{ErrorRecovery, ParseError};

use super::ast::{
    Binder, ConnectorDecl, ConnectorStatementKind, Expr, Hole, Ident, Instance, InvariantDecl,
    ItemKind, NetStatementKind, PairKind, ProcessStatementKind, ReducingStep, ReductionDecl,
    RuleStatementKind, ScenarioDecl, StepKind,
};
use super::build::Builder;
use super::token::Token;
use crate::diagnostics::Span;

/// What the grammar made of one statement.
#[derive(Debug)]
pub enum Parsed {
    /// A declaration, or a `net … = …;`
    Item(ItemKind),
    /// What stands before the `{` of a process, net, relation, scenario, invariant, reduction, architecture, rule or connector.
    Head(BlockHead),
    /// A statement of a process.
    Process(ProcessStatementKind),
    /// A statement of a net.
    Net(NetStatementKind),
    /// A pair of a relation.
    Pair(PairKind),
    /// A step of a scenario.
    Step(StepKind),
    /// A condition of an invariant.
    Condition(Box<Expr>),
    /// A statement of a reduction.
    Reducing(Box<ReducingStep>),
    /// A statement of a rule.
    Rule(RuleStatementKind),
    /// A statement of the definition of a connector.
    Joint(Box<ConnectorStatementKind>),
    /// An instance by itself.
    Instance(Box<Instance>),
    /// A property by itself.
    Property(Box<Expr>),
}

/// What stands before the `{` of a process, net, relation, scenario, invariant, reduction, architecture, rule or connector.
#[derive(Debug)]
pub enum BlockHead {
    /// Name and value parameters.
    Process(Ident, Vec<Binder>),
    /// Name, value parameters and holes.
    Net(Ident, Vec<Binder>, Vec<Hole>),
    /// Name and the two nets.
    Relation(Ident, Vec<Instance>),
    /// All but the steps.
    Scenario(Box<ScenarioDecl>),
    /// All but the conditions.
    Invariant(Box<InvariantDecl>),
    /// All but the statements.
    Reduction(Box<ReductionDecl>),
    /// Name.
    Architecture(Ident),
    /// Name and parameters.
    Rule(Ident, Vec<Ident>),
    /// All but the statements.
    Connector(Box<ConnectorDecl>),
}

/// A mistake inside a list that the grammar went past.
pub(super) type Recovery = ErrorRecovery<u32, Token, ()>;
type Failure = ParseError<u32, Token, ()>;

/// Where a statement stopped making sense.
#[derive(Debug)]
pub struct Misfit {
    /// The token that did not fit; none when the statement ended too early.
    pub at: Option<Span>,
    /// The terminals that would have fitted, as the grammar names them.
    pub expected: Vec<String>,
}

thread_local! {
    // The generated parser holds nothing but tables; making it once per thread is enough.
    static PARSER: grammar::StatementParser = grammar::StatementParser::new();
}

/// Parses one statement of the kind that `start` stands for.
pub fn parse(
    start: Token,
    tokens: &[Token],
    spans: &[Span],
    build: &mut Builder,
) -> Result<Parsed, Misfit> {
    let at = spans.first().map_or(0, |span| span.start);
    let all = std::iter::once(Ok((at, start, at)))
        .chain(tokens.iter().zip(spans).map(|(&token, span)| Ok((span.start, token, span.end))));
    PARSER.with(|parser| parser.parse(build, all)).map_err(|failure| misfit(&failure))
}

fn misfit(failure: &Failure) -> Misfit {
    match failure {
        ParseError::UnrecognizedToken { token, expected } => {
            Misfit { at: Some(Span::new(token.0, token.2)), expected: expected.clone() }
        }
        ParseError::ExtraToken { token } => {
            Misfit { at: Some(Span::new(token.0, token.2)), expected: Vec::new() }
        }
        ParseError::UnrecognizedEof { expected, .. } => {
            Misfit { at: None, expected: expected.clone() }
        }
        ParseError::InvalidToken { location } => {
            Misfit { at: Some(Span::new(*location, *location)), expected: Vec::new() }
        }
        ParseError::User { .. } => Misfit { at: None, expected: Vec::new() },
    }
}

/// What was wrong where the grammar went past a mistake.
pub(super) fn skipped(recovery: &Recovery) -> Misfit {
    misfit(&recovery.error)
}

#[allow(
    clippy::all,
    clippy::unwrap_used,
    clippy::panic,
    clippy::expect_used,
    missing_docs,
    unused_imports,
    unused_extern_crates,
    unreachable_pub,
    reason = "generated from grammar/pnet.lalrpop"
)]
mod grammar {
    include!(concat!(env!("OUT_DIR"), "/pnet.rs"));
}
