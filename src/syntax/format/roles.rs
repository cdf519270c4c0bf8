//! What can be said about a piece: its role, the column it starts, where a line may be broken.

/// What a piece is, as far as the white space around it is concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// A keyword.
    Word,
    /// A name, a number, or the like.
    Operand,
    /// An opening bracket.
    Open,
    /// An opening bracket that belongs to what stands before it.
    OpenGlued,
    /// A closing bracket.
    Close,
    /// The `]` of `[K]V`, which belongs to what stands after it.
    ClosePrefix,
    /// `{`
    OpenBrace,
    /// `}`
    CloseBrace,
    /// `,`
    Comma,
    /// `;`
    Semicolon,
    /// `.` in a path, or `..`
    Dot,
    /// The `:` after a name.
    Colon,
    /// An operator between two operands, and whatever else has a space on both sides.
    Binary,
    /// `?`, or the `-` of a negative number.
    Prefix,
    /// `'`
    Quote,
    /// `// …`
    LineComment,
    /// `/// …`
    DocComment,
    /// `/* … */` on one line.
    BlockComment,
    /// `/* … */` on several lines.
    TallComment,
}

impl Role {
    /// Whether this is a comment.
    pub fn is_comment(self) -> bool {
        self.ends_line() || self == Role::BlockComment || self == Role::TallComment
    }

    /// Whether nothing can stand after this on its line.
    pub fn ends_line(self) -> bool {
        matches!(self, Role::LineComment | Role::DocComment)
    }

    /// Whether an operator can follow.
    pub fn ends_operand(self) -> bool {
        matches!(self, Role::Operand | Role::Close | Role::CloseBrace)
    }

    /// Whether there is a space between a piece of this role and the next.
    pub fn space_before(self, next: Role) -> bool {
        use Role::*;
        // The `..` of a scenario is a step of its own.
        if matches!((self, next), (Semicolon | OpenBrace, Dot)) {
            return true;
        }
        !matches!(self, Open | OpenGlued | ClosePrefix | Dot | Prefix)
            && !matches!(next, OpenGlued | Close | ClosePrefix | Comma | Semicolon | Dot)
            && !matches!(next, Colon | Quote)
            && !matches!((self, next), (OpenBrace, CloseBrace))
    }
}

/// A place in the tables that transitions, vectors and connectors are written as.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Column {
    /// No column starts here.
    None,
    /// A member of a vector after its first.
    Member,
    /// `->`
    Arrow,
    /// `:`
    Colon,
    /// `when`
    When,
    /// `do`
    Do,
    /// `for`
    For,
}

/// What kind of statement this is, as far as it matters here.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Kind {
    /// Any that is not listed.
    #[default]
    Plain,
    /// What can have a block: `process`, `net`, `architecture`.
    Head,
    /// `relation`
    Relation,
    /// `enum`, `data`, `interface`
    List,
    /// `fun`
    Function,
    /// `import`
    Import,
    /// `check`
    Check,
    /// `scenario`, `invariant`, `reduction`
    Scenario,
    /// `rule`
    Rule,
    /// `sub`
    Sub,
    /// `s -> t : a;`
    Transition,
    /// `<P: a> -> b;`
    Vector,
    /// `connect c : P.a;`
    Connect,
    /// `(s, t) when g;`
    Pair,
}

/// What braces stand around.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BraceKind {
    /// The statements of a process, net or relation.
    Block,
    /// The steps of a scenario, which stay on one line where they were written so.
    Steps,
    /// The statements of a rule, which stay on one line where they were written so.
    Rule,
    /// The list of an `enum`, `data` or `interface`.
    List,
    /// The arms of a `match`.
    Match,
    /// The assignments of a step, one after the other.
    Sequence,
    /// A set, which is never put on several lines.
    Set,
}

impl BraceKind {
    /// Whether a statement goes on after them.
    pub fn is_inside(self) -> bool {
        matches!(self, BraceKind::Match | BraceKind::Sequence)
    }

    /// Whether statements stand in them that may share a line.
    pub fn has_short_statements(self) -> bool {
        matches!(self, BraceKind::Steps | BraceKind::Rule)
    }

    /// Whether statements stand in them.
    pub fn has_statements(self) -> bool {
        self == BraceKind::Block || self.has_short_statements()
    }
}

/// Where a line may be broken, the outermost first: see [`level`].
pub type BreakLevel = u32;

/// Where a line may not be broken.
pub const NO_BREAK: BreakLevel = BreakLevel::MAX;

/// What to break at first, in one pair of brackets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Rank {
    Clause,
    Binder,
    List,
    Branch,
    Implication,
    Disjunction,
    Conjunction,
    Comparison,
    Sum,
    Product,
}

const RANKS: u32 = 16;

/// The level of what stands inside so many brackets.
pub fn level(depth: usize, rank: Rank) -> BreakLevel {
    (depth as u32).saturating_mul(RANKS).saturating_add(rank as u32).min(NO_BREAK - 1)
}

/// Whether at this level as much is put on a line as it can hold; else each part has its own line.
pub fn fills(level: BreakLevel) -> bool {
    let rank = level % RANKS;
    rank == Rank::List as u32 || rank >= Rank::Comparison as u32
}

/// Whether this is where a clause starts.
pub fn is_clause(level: BreakLevel) -> bool {
    level != NO_BREAK && level % RANKS == Rank::Clause as u32
}
