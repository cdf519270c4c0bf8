//! What a package of BIP2 says, as a tree: clause by clause.

use crate::diagnostics::{Span, Symbol};

/// Expressions that are nested deeper are not read.
const MAX_DEPTH: usize = 120;

/// A name, and where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::import::bip) struct Ident {
    pub name: Symbol,
    pub span: Span,
}

impl Ident {
    pub fn text(&self) -> &'static str {
        self.name.as_str()
    }
}

/// Names with dots between them, at least one.
#[derive(Clone, Debug)]
pub(in crate::import::bip) struct PathName(pub Vec<Ident>);

impl PathName {
    pub fn span(&self) -> Span {
        let first = self.0.first().map(|one| one.span).unwrap_or_default();
        self.0.iter().fold(first, |span, one| span.to(one.span))
    }

    pub fn text(&self) -> String {
        let parts: Vec<&str> = self.0.iter().map(|one| one.text()).collect();
        parts.join(".")
    }

    /// The name, if it is only one.
    pub fn single(&self) -> Option<Ident> {
        match self.0.as_slice() {
            [one] => Some(*one),
            _ => None,
        }
    }

    /// Two names with a dot between them.
    pub fn pair(&self) -> Option<(Ident, Ident)> {
        match self.0.as_slice() {
            [one, two] => Some((*one, *two)),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(in crate::import::bip) enum Operator {
    OrOr,
    AndAnd,
    /// One of those on the bits of numbers.
    Bits,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Not,
    Negate,
    Plus,
}

impl Operator {
    /// Whether it makes a number of numbers.
    pub fn is_sum(self) -> bool {
        matches!(
            self,
            Operator::Add
                | Operator::Subtract
                | Operator::Multiply
                | Operator::Divide
                | Operator::Remainder
        )
    }
}

#[derive(Clone, Debug)]
pub(in crate::import::bip) struct Expr {
    pub kind: ExprKind,
    pub span: Span,
    pub depth: usize,
}

#[derive(Clone, Debug)]
pub(in crate::import::bip) enum ExprKind {
    Int(Symbol),
    Float,
    Text,
    Bool(bool),
    Path(PathName),
    Call(PathName, Vec<Expr>),
    Unary(Operator, Box<Expr>),
    Binary(Operator, Box<(Expr, Expr)>),
    /// What is nested too deep; it is reported when it is looked at.
    TooDeep,
}

impl Expr {
    pub fn leaf(kind: ExprKind, start: u32, end: u32) -> Expr {
        Expr { kind, span: Span::new(start, end), depth: 1 }
    }

    fn over(kind: ExprKind, span: Span, inner: usize) -> Expr {
        match inner < MAX_DEPTH {
            true => Expr { kind, span, depth: inner + 1 },
            false => Expr { kind: ExprKind::TooDeep, span, depth: 1 },
        }
    }

    pub fn binary(op: Operator, left: Expr, right: Expr) -> Expr {
        let (span, depth) = (left.span.to(right.span), left.depth.max(right.depth));
        Expr::over(ExprKind::Binary(op, Box::new((left, right))), span, depth)
    }

    pub fn unary(op: Operator, inner: Expr, start: u32) -> Expr {
        let (span, depth) = (Span::new(start, inner.span.end), inner.depth);
        Expr::over(ExprKind::Unary(op, Box::new(inner)), span, depth)
    }

    pub fn call(callee: PathName, args: Vec<Expr>, start: u32, end: u32) -> Expr {
        let depth = args.iter().map(|one| one.depth).max().unwrap_or(0);
        Expr::over(ExprKind::Call(callee, args), Span::new(start, end), depth)
    }
}

#[derive(Clone, Debug)]
pub(in crate::import::bip) struct Statement {
    pub kind: StatementKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(in crate::import::bip) enum StatementKind {
    Assign(PathName, Expr),
    Call(PathName, Vec<Expr>),
    If(Expr, Vec<Statement>, Vec<Statement>),
}

/// One side of a priority.
#[derive(Clone, Debug)]
pub(in crate::import::bip) struct Side {
    pub kind: SideKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(in crate::import::bip) enum SideKind {
    /// A port of an atom.
    Port(Ident),
    /// Any port of an atom.
    Any,
    /// Any interaction of any connector.
    All,
    /// Any interaction of a connector.
    Connector(Ident),
    /// One interaction of a connector, by its ports.
    Interaction(Ident, Vec<PathName>),
}

/// What connects ports: triggers are marked.
#[derive(Clone, Debug)]
pub(in crate::import::bip) enum Glue {
    Port(Ident, bool),
    Group(Vec<Glue>, bool),
}

/// A clause, and where it stands.
#[derive(Clone, Debug)]
pub(in crate::import::bip) struct Clause {
    pub kind: ClauseKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(in crate::import::bip) enum ClauseKind {
    Package(PathName),
    Use(PathName),
    End,
    Const {
        kind: PathName,
        name: Ident,
        value: Expr,
    },
    ExternType(Ident),
    ExternFunction {
        result: Option<PathName>,
        name: Ident,
        kinds: Vec<PathName>,
    },
    ExternOperator(Span),
    PortType {
        name: Ident,
        parameters: Vec<(PathName, Ident)>,
    },
    Atom {
        name: Ident,
        parameters: Vec<(PathName, Ident)>,
    },
    Connector {
        name: Ident,
        ports: Vec<(PathName, Ident)>,
    },
    Compound {
        name: Ident,
        parameters: Vec<(PathName, Ident)>,
    },
    Data {
        is_exported: bool,
        kind: PathName,
        names: Vec<Ident>,
    },
    Port {
        is_exported: bool,
        kind: PathName,
        ports: Vec<(Ident, Vec<Ident>)>,
        merged: Option<Ident>,
    },
    Place(Vec<Ident>),
    Initial {
        to: Vec<Ident>,
        action: Vec<Statement>,
    },
    /// Without a port it is internal.
    Transition {
        port: Option<Ident>,
        from: Vec<Ident>,
        to: Vec<Ident>,
        guard: Option<Expr>,
        action: Vec<Statement>,
    },
    Priority {
        name: Ident,
        low: Side,
        high: Side,
        guard: Option<Expr>,
    },
    Invariant {
        name: Ident,
        at: Vec<Ident>,
        guard: Expr,
    },
    Define(Vec<Glue>),
    Interaction {
        ports: Vec<Ident>,
        guard: Option<Expr>,
        up: Vec<Statement>,
        down: Vec<Statement>,
    },
    Component {
        kind: PathName,
        all: Vec<(Ident, Vec<Expr>)>,
    },
    ConnectorUse {
        kind: PathName,
        all: Vec<(Ident, Vec<PathName>)>,
    },
    ExportPort {
        from: Vec<PathName>,
        name: Ident,
    },
    ExportData {
        from: PathName,
        name: Ident,
    },
}
