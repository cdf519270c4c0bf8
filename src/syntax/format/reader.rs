//! What each token is for: a `<` may compare or open a list, a `[` may follow an array or start a
//! sort, a `:` may stand between the columns of a table or after a name.
//!
//! This reads the tokens of a text that is known to parse, from left to right, with a stack of the open
//! brackets. If it erred, a space would be in the wrong place; nothing else depends on it.

use super::super::token::{FormulaWord, Token};
use super::roles::{BraceKind, BreakLevel, Column, Kind, NO_BREAK, Rank, Role, level};

/// The word before `fair`.
const WEAKLY: Token = Token::Formula(FormulaWord::Weakly);

/// What was found out about a token.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// Its role.
    pub role: Role,
    /// Whether the line may be broken before it.
    pub before: BreakLevel,
    /// Whether the line may be broken after it.
    pub after: BreakLevel,
    /// The column that starts with it.
    pub column: Column,
    /// The column that starts after it.
    pub next_column: Column,
    /// For a brace, or a comma directly in braces, or a `;` in those of a scenario or a sequence: which.
    pub brace: Option<BraceKind>,
    /// For a `;`: the kind of the statement it ends.
    pub kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum BracketKind {
    Paren,
    Index,
    /// `[` of a sort or a constant array
    Prefix,
    /// `[` of a sub-connector
    Group,
    Angle,
    Brace(BraceKind),
}

#[derive(Clone, Copy)]
struct Bracket {
    kind: BracketKind,
    /// Whether instances stand in it, with value arguments in angle brackets.
    instances: bool,
}

/// What is known about the statement that is being read.
#[derive(Clone, Copy, Default)]
struct Statement {
    kind: Kind,
    /// How many of its tokens have been read.
    count: usize,
    /// How many brackets are open around it.
    depth: usize,
    colon: bool,
    equal: bool,
    paren: bool,
    clause: bool,
    /// Whether it is a check of a property.
    property: bool,
    /// Whether the condition of a part is being read.
    condition: bool,
    /// Whether it is a check about data alone.
    data: bool,
    /// Whether it is a claim of a rule.
    claim: bool,
    /// Whether it declares actions, with sorts in parentheses.
    signature: bool,
}

/// Reads tokens from left to right.
pub struct Reader<'t> {
    tokens: &'t [Token],
    at: usize,
    /// The role of the token before.
    before: Role,
    stack: Vec<Bracket>,
    /// How many brackets are open around each `let` that waits for its `in`.
    lets: Vec<usize>,
    statement: Statement,
}

impl<'t> Reader<'t> {
    /// A reader before the first token.
    pub fn new(tokens: &'t [Token]) -> Reader<'t> {
        let (stack, statement) = (Vec::new(), Statement::default());
        let lets = Vec::new();
        Reader { tokens, at: 0, before: Role::Semicolon, stack, lets, statement }
    }

    /// Reads the next token.
    pub fn read(&mut self) -> Found {
        let token = self.tokens[self.at];
        if self.statement.count == 0 {
            self.statement.kind = self.kind(token);
            self.statement.claim = token == Token::Never;
            self.statement.signature = matches!(token, Token::Action | Token::Interface);
        }
        let mut found = self.found(token);
        if self.starts_part(token) {
            found.before = level(self.stack.len(), Rank::List);
        }
        self.change(token, &mut found);
        if token == Token::Comma {
            found.after = level(self.stack.len(), Rank::List);
        }
        self.at += 1;
        self.before = found.role;
        found
    }

    fn token(&self, at: Option<usize>) -> Option<Token> {
        self.tokens.get(at?).copied()
    }

    fn token_before(&self) -> Option<Token> {
        self.token(self.at.checked_sub(1))
    }

    fn kind(&self, first: Token) -> Kind {
        match first {
            Token::Process | Token::Net | Token::Architecture | Token::Connector => Kind::Head,
            Token::Rule => Kind::Rule,
            Token::Relation => Kind::Relation,
            Token::Enum | Token::Data | Token::Interface => Kind::List,
            Token::Fun => Kind::Function,
            Token::Import => Kind::Import,
            Token::Check => Kind::Check,
            Token::Scenario | Token::Invariant | Token::Reduction => Kind::Scenario,
            Token::Sub => Kind::Sub,
            Token::Less => Kind::Vector,
            Token::Step if self.tokens.get(self.at + 3) == Some(&Token::Less) => Kind::Vector,
            Token::Connect => Kind::Connect,
            Token::OpenParen => Kind::Pair,
            _ if self.tokens.get(self.at + 1) == Some(&Token::Arrow) => Kind::Transition,
            _ => Kind::Plain,
        }
    }

    fn is_outermost(&self) -> bool {
        self.stack.len() == self.statement.depth
    }

    /// Whether instances stand here, whose `<` opens their value arguments.
    fn in_instances(&self) -> bool {
        if self.is_outermost() {
            self.statement.equal
                && !self.statement.condition
                && matches!(self.statement.kind, Kind::Sub | Kind::Head | Kind::Scenario)
        } else {
            self.stack.last().is_some_and(|bracket| bracket.instances)
        }
    }

    // ---- the role of a token, before it changes anything ----

    fn found(&self, token: Token) -> Found {
        let (role, before) = self.role(token);
        let column = if self.is_outermost() { self.column(token) } else { Column::None };
        let after = match token {
            Token::Equal if self.is_outermost() && !self.names_value() => {
                level(self.stack.len(), Rank::Clause)
            }
            Token::In if self.ends_let() => level(self.stack.len(), Rank::Branch),
            Token::SpacedDot => level(self.stack.len(), Rank::Binder),
            _ => NO_BREAK,
        };
        let kind = self.statement.kind;
        Found { role, before, after, column, next_column: Column::None, brace: None, kind }
    }

    /// Whether the name of a `let` stands before this.
    fn names_value(&self) -> bool {
        self.token(self.at.checked_sub(2)) == Some(Token::Let)
    }

    /// Whether an `in` here is that of a `let`.
    fn ends_let(&self) -> bool {
        self.lets.last() == Some(&self.stack.len())
    }

    fn role(&self, token: Token) -> (Role, BreakLevel) {
        use Token::*;
        let ranked = |role, rank| (role, level(self.stack.len(), rank));
        let role = match token {
            Semicolon => Role::Semicolon,
            Comma => Role::Comma,
            Token::Dot | ModuleDot | DotDot => Role::Dot,
            Question => Role::Prefix,
            Token::Quote => Role::Quote,
            When | Unless | Do | For | Up | Down => return ranked(Role::Word, Rank::Clause),
            OpenGroup => return ranked(Role::Open, Rank::List),
            OpenRuns => Role::OpenGlued,
            OpenBox | OpenDiamond => Role::Open,
            CloseDiamond => Role::Close,
            StepColon => Role::Colon,
            Formula(FormulaWord::Until | FormulaWord::WeakUntil) => {
                return ranked(Role::Binary, Rank::Implication);
            }
            Formula(FormulaWord::Fair) if self.token_before() != Some(WEAKLY) => {
                return ranked(Role::Word, Rank::Clause);
            }
            WEAKLY => return ranked(Role::Word, Rank::Clause),
            Formula(_) => Role::Word,
            Decreases if self.is_clause_of_function() => {
                return ranked(Role::Word, Rank::Clause);
            }
            Assert if self.statement.kind == Kind::Transition && self.before.ends_operand() => {
                return ranked(Role::Word, Rank::Clause);
            }
            Then | Else => return ranked(Role::Word, Rank::Branch),
            Implies => return ranked(Role::Binary, Rank::Implication),
            Or => return ranked(Role::Binary, Rank::Disjunction),
            And => return ranked(Role::Binary, Rank::Conjunction),
            EqualEqual | NotEqual | LessEqual | GreaterEqual => {
                return ranked(Role::Binary, Rank::Comparison);
            }
            Plus => return ranked(Role::Binary, Rank::Sum),
            Star | Div | Mod => return ranked(Role::Binary, Rank::Product),
            Quot | Rem if self.before.ends_operand() => {
                return ranked(Role::Binary, Rank::Product);
            }
            With if self.before.ends_operand() => Role::Word,
            Let if matches!(self.tokens.get(self.at + 1), Some(Name(_))) => Role::Word,
            Minus if self.before.ends_operand() => return ranked(Role::Binary, Rank::Sum),
            Minus => Role::Prefix,
            Less if !self.opens_angle() => return ranked(Role::Binary, Rank::Comparison),
            Greater if !self.in_angle() => return ranked(Role::Binary, Rank::Comparison),
            Token::Colon if self.is_wide_colon() => Role::Binary,
            Token::Colon => Role::Colon,
            OpenParen | OpenBracket | Less => self.opening(token),
            CloseParen | Greater => Role::Close,
            CloseBracket => self.closing_bracket(),
            Token::OpenBrace => Role::OpenBrace,
            Token::CloseBrace => Role::CloseBrace,
            SpacedDot | Assign | PlusAssign | MinusAssign | Equal | Arrow => Role::Binary,
            Scenario | Invariant | Reduction | Of | Architecture | Rule => Role::Word,
            Connector | Shows | On => Role::Word,
            New | Never if self.starts_in_rule(token) => Role::Word,
            Name(_) | Number(_) | Text(_) | Underscore | True | False | Tau | Any => Role::Operand,
            _ if token.as_name().is_some() => Role::Operand,
            _ => Role::Word,
        };
        (role, NO_BREAK)
    }

    fn column(&self, token: Token) -> Column {
        match token {
            Token::Arrow => Column::Arrow,
            Token::Colon if self.is_wide_colon() => Column::Colon,
            Token::When => Column::When,
            Token::Do => Column::Do,
            Token::For => Column::For,
            _ => Column::None,
        }
    }

    /// The `:` of a transition or a connector.
    fn is_wide_colon(&self) -> bool {
        matches!(self.statement.kind, Kind::Transition | Kind::Connect)
            && self.is_outermost()
            && !self.statement.colon
    }

    /// Whether this word starts a statement of a rule.
    fn starts_in_rule(&self, token: Token) -> bool {
        let inside = self.stack.last().map(|bracket| bracket.kind);
        let in_rule = inside == Some(BracketKind::Brace(BraceKind::Rule));
        let next = self.tokens.get(self.at + 1);
        let used = token == Token::New && next == Some(&Token::OpenParen);
        in_rule && self.statement.count == 0 && !used
    }

    /// The word `decreases` after the sort of a function's result, where no name can stand.
    fn is_clause_of_function(&self) -> bool {
        let Statement { kind, colon, equal, .. } = self.statement;
        kind == Kind::Function
            && colon
            && !equal
            && self.is_outermost()
            && self.before.ends_operand()
    }

    fn opens_angle(&self) -> bool {
        match (self.statement.kind, self.statement.count) {
            (Kind::Vector, 0) | (Kind::Head, 2) => true,
            // `data List<T>`, `fun len<T>`
            (Kind::List | Kind::Function, 2) => true,
            _ if self.applies_sort() => true,
            // The members of a vector that has a name.
            (Kind::Vector, 3) if self.token_before() == Some(Token::Colon) => true,
            // What a vector or connector gives way to, after `unless`.
            (Kind::Vector | Kind::Connect, _)
                if self.is_outermost()
                    && matches!(self.token_before(), Some(Token::Unless | Token::Comma)) =>
            {
                true
            }
            // The values of a definition that is used: `connect c : Bcast<3>(…)`, `connect c : L.Bcast<3>(…)`.
            (Kind::Connect, _) if self.is_outermost() && !self.statement.clause => {
                matches!(self.token(self.at.checked_sub(2)), Some(Token::Colon | Token::ModuleDot))
            }
            _ => self.in_instances(),
        }
    }

    /// Whether the name of a sort stands before this, whose arguments follow.
    fn applies_sort(&self) -> bool {
        let mut at = self.at;
        while at >= 1 && self.tokens[at - 1].as_name().is_some() {
            at -= 1;
            if at == 0 || self.tokens[at - 1] != Token::Dot {
                break;
            }
            at -= 1;
            // A field of something that is no name: `P[i].l < 2`.
            if at == 0 || self.tokens[at - 1].as_name().is_none() {
                return false;
            }
        }
        if at == self.at || at == 0 {
            return false;
        }
        let inside = self.stack.last().map(|bracket| bracket.kind);
        match self.tokens[at - 1] {
            Token::CloseBracket => true,
            Token::Colon => !self.statement.claim,
            // The key of an array; what is demanded in a scenario stands in brackets as well.
            Token::OpenBracket => {
                let starts = matches!(
                    self.token(at.checked_sub(2)),
                    None | Some(Token::Semicolon | Token::OpenBrace | Token::CloseBrace)
                );
                inside == Some(BracketKind::Prefix) && !starts
            }
            Token::Less => inside == Some(BracketKind::Angle),
            Token::OpenParen | Token::Comma => {
                inside == Some(BracketKind::Angle) || self.statement.signature
            }
            _ => false,
        }
    }

    fn in_angle(&self) -> bool {
        self.stack.last().is_some_and(|bracket| bracket.kind == BracketKind::Angle)
    }

    fn opening(&self, token: Token) -> Role {
        let glued = match token {
            Token::OpenParen => {
                let after_list = matches!(self.token_before(), Some(Token::Greater))
                    && self.before == Role::Close
                    || self.token_before() == Some(Token::CloseBracket);
                self.statement.kind != Kind::Import
                    && (after_list || self.follows_name() || self.follows_formula_check())
            }
            Token::OpenBracket => self.bracket_kind() == BracketKind::Index,
            _ => self.statement.count > 0 && self.follows_name(),
        };
        if glued { Role::OpenGlued } else { Role::Open }
    }

    fn closing_bracket(&self) -> Role {
        match self.stack.last() {
            Some(Bracket { kind: BracketKind::Prefix, .. }) => Role::ClosePrefix,
            _ => Role::Close,
        }
    }

    /// Whether the word of a check of a formula stands before.
    fn follows_formula_check(&self) -> bool {
        use FormulaWord::{Holds, Noninterfering};
        matches!(self.token_before(), Some(Token::Formula(Holds | Noninterfering)))
    }

    fn follows_name(&self) -> bool {
        self.before != Role::Word
            && self.token_before().is_some_and(|token| token.as_name().is_some())
    }

    // ---- brackets ----

    /// Whether ports and sub-connectors stand here.
    fn in_parts(&self) -> bool {
        let Statement { kind, colon, clause, .. } = self.statement;
        let grouped = matches!(self.stack.last(), Some(Bracket { kind: BracketKind::Group, .. }));
        kind == Kind::Connect && colon && !clause && (self.is_outermost() || grouped)
    }

    /// Whether a port or sub-connector that is not the first starts here.
    fn starts_part(&self, token: Token) -> bool {
        if !self.in_parts() || matches!(self.before, Role::Binary | Role::Open | Role::Dot) {
            return false;
        }
        match token {
            Token::OpenBracket => self.bracket_kind() == BracketKind::Group,
            _ => token.as_name().is_some(),
        }
    }

    /// What a `[` here is.
    fn bracket_kind(&self) -> BracketKind {
        if self.in_parts() {
            let is_part =
                self.follows_name() && self.token(self.at.checked_sub(2)) != Some(Token::Dot);
            return if is_part { BracketKind::Index } else { BracketKind::Group };
        }
        if self.before.ends_operand() { BracketKind::Index } else { BracketKind::Prefix }
    }

    fn brace_kind(&self) -> BraceKind {
        match self.statement.kind {
            Kind::Head | Kind::Relation if self.is_outermost() => BraceKind::Block,
            Kind::Scenario if self.is_outermost() => BraceKind::Steps,
            Kind::Rule if self.is_outermost() => BraceKind::Rule,
            Kind::List if self.is_outermost() => BraceKind::List,
            Kind::Check if self.is_outermost() => BraceKind::Set,
            Kind::Transition if self.token_before() == Some(Token::Do) => BraceKind::Sequence,
            _ if self.before.ends_operand() => BraceKind::Match,
            _ => BraceKind::Set,
        }
    }

    fn opens_instances(&self) -> bool {
        let of_item = matches!(self.statement.kind, Kind::Check | Kind::Relation)
            && self.is_outermost()
            && !self.statement.paren
            && !self.statement.data;
        of_item || self.in_instances()
    }

    // ---- what a token changes ----

    fn change(&mut self, token: Token, found: &mut Found) {
        self.statement.count += 1;
        match token {
            Token::Semicolon => {
                let inside = self.stack.last().map(|bracket| bracket.kind);
                match inside {
                    Some(BracketKind::Brace(kind @ BraceKind::Sequence)) => {
                        (found.brace, found.kind) = (Some(kind), Kind::Plain);
                    }
                    Some(BracketKind::Brace(kind)) if kind.has_short_statements() => {
                        found.brace = Some(kind);
                        self.begin_statement();
                    }
                    _ => self.begin_statement(),
                }
            }
            Token::Comma => self.comma(found),
            Token::Let if found.role == Role::Word => self.lets.push(self.stack.len()),
            Token::In if self.ends_let() => drop(self.lets.pop()),
            Token::Colon => self.statement.colon |= self.is_outermost(),
            // What follows is an instance.
            Token::Equal | Token::Of => self.statement.equal |= self.is_outermost(),
            // `sub P = if n < 3 then A<n> else B;`
            Token::If | Token::Then if self.is_outermost() => {
                self.statement.condition = token == Token::If;
            }
            Token::When | Token::Do | Token::For => self.statement.clause = true,
            Token::Always | Token::Reaches | Token::Live | Token::Mutex | Token::AtMost
                if self.is_outermost() =>
            {
                self.statement.property = true;
            }
            Token::Formula(FormulaWord::Holds | FormulaWord::Noninterfering) => {
                self.statement.property = true;
            }
            // What follows in parentheses is no instance.
            Token::Valid if self.is_outermost() && !self.statement.paren => {
                self.statement.data = true;
            }
            Token::OpenParen => {
                let instances = self.opens_instances();
                self.statement.paren |= self.is_outermost();
                self.stack.push(Bracket { kind: BracketKind::Paren, instances });
            }
            Token::OpenBracket => self.push(self.bracket_kind()),
            Token::OpenGroup => self.push(BracketKind::Group),
            Token::OpenRuns | Token::OpenBox | Token::OpenDiamond => self.push(BracketKind::Index),
            Token::CloseDiamond => self.pop(found),
            Token::Less if found.role != Role::Binary => self.push(BracketKind::Angle),
            Token::OpenBrace => {
                let kind = self.brace_kind();
                found.brace = Some(kind);
                self.push(BracketKind::Brace(kind));
                if kind.has_statements() {
                    self.begin_statement();
                }
            }
            Token::CloseParen | Token::CloseBracket | Token::CloseBrace => self.pop(found),
            Token::Greater if found.role != Role::Binary => self.pop(found),
            _ => {}
        }
    }

    fn push(&mut self, kind: BracketKind) {
        self.stack.push(Bracket { kind, instances: false });
    }

    fn pop(&mut self, found: &mut Found) {
        if let Some(Bracket { kind: BracketKind::Brace(kind), .. }) = self.stack.pop() {
            found.brace = Some(kind);
            if kind.has_statements() || kind == BraceKind::List {
                self.begin_statement();
            }
        }
    }

    fn begin_statement(&mut self) {
        self.lets.clear();
        self.statement = Statement { depth: self.stack.len(), ..Statement::default() };
    }

    fn comma(&mut self, found: &mut Found) {
        let statement = self.statement;
        let outermost = self.stack.len() == statement.depth + 1;
        let Some(bracket) = self.stack.last_mut() else { return };
        match bracket.kind {
            BracketKind::Brace(kind @ (BraceKind::List | BraceKind::Match)) => {
                found.brace = Some(kind);
            }
            BracketKind::Angle if statement.kind == Kind::Vector && outermost => {
                found.next_column = Column::Member;
            }
            // What follows the net in `always(net, property)` is an expression.
            BracketKind::Paren if statement.property && outermost => bracket.instances = false,
            _ => {}
        }
    }
}
