//! Tokens, and the lexer that makes them.

use std::fmt;

use logos::Logos;
use rustc_hash::FxHashMap;

use super::characters::{block_comment, first_stranger, is_prose, number};
use super::problems::{
    BadCharacter, BadNumber, SyntaxProblem, UnclosedComment, UnclosedRawName, UnclosedString,
};
use crate::diagnostics::{Span, Symbol};

pub use super::characters::{is_name, is_quotable};

pub use super::foreign::Foreign;
pub use super::formulas::{FormulaWord, is_formula_word};

/// A token of the language, without its place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs, reason = "the names say it; `Display` has the texts")]
pub enum Token {
    Name(Symbol),
    Number(Symbol),
    Text(Symbol),

    Module,
    Import,
    As,
    Sort,
    Enum,
    Data,
    Fun,
    Axiom,
    Const,
    Action,
    Interface,
    Process,
    Net,
    Check,
    Relation,
    Var,
    Init,
    Final,
    State,
    When,
    Unless,
    Do,
    Sub,
    For,
    In,
    Is,
    Connect,
    Priority,
    Forall,
    Exists,
    If,
    Then,
    Else,
    Match,
    Not,
    And,
    Or,
    Div,
    Mod,
    True,
    False,
    Tau,
    Sync,
    Co,
    Any,
    // These are keywords only where the grammar wants them, and names everywhere else.
    By,
    Tracking,
    Maximal,
    Always,
    Reaches,
    Live,
    Mutex,
    AtMost,
    Decreases,
    Scenario,
    Invariant,
    Reduction,
    Of,
    Lts,
    Quot,
    Rem,
    Let,
    With,
    Valid,
    Assert,
    Architecture,
    Rule,
    New,
    Never,
    Step,
    Connector,
    Port,
    Shows,
    On,
    Up,
    Down,

    /// A word of temporal formulas, in one.
    Formula(FormulaWord),
    /// The `[` of `A[…]`.
    OpenRuns,
    /// The `[` of `[p] f`.
    OpenBox,
    /// The `<` of `<p> f`.
    OpenDiamond,
    /// Its `>`.
    CloseDiamond,
    /// The `:` between a hole and what it does in a step.
    StepColon,
    /// A `[` that opens a group of ports in the definition of a connector, and no index.
    OpenGroup,
    /// A `.` between the name of an import and that of a definition that a connector uses: `L.Max(A.out, B.out)`.
    ModuleDot,
    /// A `.` with white space on a side: it ends the variables of a quantifier, and is never part of a
    /// path.
    SpacedDot,
    Semicolon,
    Comma,
    Colon,
    Dot,
    DotDot,
    Assign,
    PlusAssign,
    MinusAssign,
    Equal,
    EqualEqual,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Implies,
    Arrow,
    Plus,
    Minus,
    Star,
    Question,
    Quote,
    Underscore,
    OpenParen,
    CloseParen,
    OpenBracket,
    CloseBracket,
    OpenBrace,
    CloseBrace,

    /// `&&`, `||`, `!`, `/`, `%`: operators of other languages, reported with ours.
    Foreign(Foreign),
    /// `Action` before the sorts of its arguments, in the parameters of a process or net.
    ActionOf,

    // Not written by anybody: the parser puts one of these first, to say what it wants to be parsed.
    StartItem,
    StartHead,
    StartProcess,
    StartNet,
    StartRelation,
    StartScenario,
    StartInvariant,
    StartReduction,
    StartRule,
    StartConnector,
    StartInstance,
    StartCheck,
    StartClaim,
    StartProperty,
}

/// The reserved words, with their tokens. A model can still use one as a name between back-quotes.
pub const KEYWORDS: &[(&str, Token)] = &[
    ("module", Token::Module),
    ("import", Token::Import),
    ("as", Token::As),
    ("sort", Token::Sort),
    ("enum", Token::Enum),
    ("data", Token::Data),
    ("fun", Token::Fun),
    ("axiom", Token::Axiom),
    ("const", Token::Const),
    ("action", Token::Action),
    ("interface", Token::Interface),
    ("process", Token::Process),
    ("net", Token::Net),
    ("check", Token::Check),
    ("relation", Token::Relation),
    ("var", Token::Var),
    ("init", Token::Init),
    ("final", Token::Final),
    ("state", Token::State),
    ("when", Token::When),
    ("unless", Token::Unless),
    ("do", Token::Do),
    ("sub", Token::Sub),
    ("for", Token::For),
    ("in", Token::In),
    ("is", Token::Is),
    ("connect", Token::Connect),
    ("priority", Token::Priority),
    ("forall", Token::Forall),
    ("exists", Token::Exists),
    ("if", Token::If),
    ("then", Token::Then),
    ("else", Token::Else),
    ("match", Token::Match),
    ("not", Token::Not),
    ("and", Token::And),
    ("or", Token::Or),
    ("div", Token::Div),
    ("mod", Token::Mod),
    ("true", Token::True),
    ("false", Token::False),
    ("tau", Token::Tau),
    ("sync", Token::Sync),
    ("co", Token::Co),
    ("any", Token::Any),
];

/// Words that are keywords only in their place.
pub const CONTEXTUAL: &[(&str, Token)] = &[
    ("by", Token::By),
    ("tracking", Token::Tracking),
    ("maximal", Token::Maximal),
    ("always", Token::Always),
    ("reaches", Token::Reaches),
    ("live", Token::Live),
    ("mutex", Token::Mutex),
    ("at_most", Token::AtMost),
    ("decreases", Token::Decreases),
    ("scenario", Token::Scenario),
    ("invariant", Token::Invariant),
    ("reduction", Token::Reduction),
    ("of", Token::Of),
    ("lts", Token::Lts),
    ("quot", Token::Quot),
    ("rem", Token::Rem),
    ("let", Token::Let),
    ("with", Token::With),
    ("valid", Token::Valid),
    ("assert", Token::Assert),
    ("architecture", Token::Architecture),
    ("rule", Token::Rule),
    ("new", Token::New),
    ("never", Token::Never),
    ("step", Token::Step),
    ("connector", Token::Connector),
    ("port", Token::Port),
    ("shows", Token::Shows),
    ("on", Token::On),
    ("up", Token::Up),
    ("down", Token::Down),
];

/// Signs, with their tokens.
const SIGNS: &[(&str, Token)] = &[
    (";", Token::Semicolon),
    (",", Token::Comma),
    (":", Token::Colon),
    (".", Token::Dot),
    ("..", Token::DotDot),
    (":=", Token::Assign),
    ("+=", Token::PlusAssign),
    ("-=", Token::MinusAssign),
    ("=", Token::Equal),
    ("==", Token::EqualEqual),
    ("!=", Token::NotEqual),
    ("<", Token::Less),
    ("<=", Token::LessEqual),
    (">", Token::Greater),
    (">=", Token::GreaterEqual),
    ("=>", Token::Implies),
    ("->", Token::Arrow),
    ("+", Token::Plus),
    ("-", Token::Minus),
    ("*", Token::Star),
    ("?", Token::Question),
    ("'", Token::Quote),
    ("_", Token::Underscore),
    ("(", Token::OpenParen),
    (")", Token::CloseParen),
    ("[", Token::OpenBracket),
    ("]", Token::CloseBracket),
    ("{", Token::OpenBrace),
    ("}", Token::CloseBrace),
];

/// Whether a name has to be written between back-quotes.
pub fn needs_quotes(name: &str) -> bool {
    KEYWORDS.iter().any(|(word, _)| *word == name) || !is_name(name) && is_quotable(name)
}

impl Token {
    /// The text of a keyword or sign; `None` for names, numbers and texts.
    pub fn spelling(self) -> Option<&'static str> {
        match self {
            Token::Foreign(foreign) => return Some(foreign.spellings().0),
            Token::SpacedDot | Token::ModuleDot => return Some("."),
            Token::ActionOf => return Some("Action"),
            Token::OpenGroup | Token::OpenRuns | Token::OpenBox => return Some("["),
            Token::OpenDiamond => return Some("<"),
            Token::CloseDiamond => return Some(">"),
            Token::StepColon => return Some(":"),
            Token::Formula(word) => return word.spelling(),
            _ => {}
        }
        let known = KEYWORDS.iter().chain(CONTEXTUAL).chain(SIGNS);
        known.into_iter().find(|(_, token)| *token == self).map(|(text, _)| *text)
    }

    /// Whether this is a reserved word.
    pub fn is_keyword(self) -> bool {
        KEYWORDS.iter().any(|(_, token)| *token == self)
    }

    /// The name this token can stand for: a name, or a word that is a keyword only in its place.
    pub fn as_name(self) -> Option<Symbol> {
        match self {
            Token::Name(name) => Some(name),
            Token::ActionOf => Some(Symbol::new("Action")),
            _ => {
                let word = CONTEXTUAL.iter().find(|(_, token)| *token == self)?;
                Some(Symbol::new(word.0))
            }
        }
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Name(name) if needs_quotes(name.as_str()) => write!(f, "`{name}`"),
            Token::Name(name) | Token::Number(name) => write!(f, "{name}"),
            Token::Text(text) => write!(f, "\"{text}\""),
            token => f.write_str(token.spelling().unwrap_or("")),
        }
    }
}

/// A piece of text that is no token: a comment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Comment {
    /// Where it stands, with its marks and without the end of its line.
    pub span: Span,
    /// Which kind it is.
    pub kind: CommentKind,
}

/// The three kinds of comments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommentKind {
    /// `// to the end of the line`
    Line,
    /// `/* … */`, which nests
    Block,
    /// `/// documents what follows`
    Doc,
}

/// A text cut into tokens.
#[derive(Debug, Default)]
pub struct Lexed {
    /// The tokens, in order.
    pub tokens: Vec<Token>,
    /// The place of each token.
    pub spans: Vec<Span>,
    /// The comments, in order.
    pub comments: Vec<Comment>,
}

#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip r"[ \t\r\n\x0C]+")]
enum Raw {
    #[regex(r"[A-Za-z_\u{80}-\u{10FFFF}][A-Za-z0-9_\u{80}-\u{10FFFF}]*")]
    Word,
    #[regex(r"[0-9][0-9_]*")]
    Number,
    #[regex(r"[0-9][0-9_]*[A-Za-z\u{80}-\u{10FFFF}][A-Za-z0-9_\u{80}-\u{10FFFF}]*")]
    #[regex(r"[0-9][0-9_]*\.[0-9][0-9_]*")]
    NumberWithLetters,
    #[regex(r"`[^`\r\n]*`")]
    QuotedName,
    #[token("`")]
    OpenQuote,
    #[regex(r#""[^"\r\n]*""#)]
    Text,
    #[regex(r#""[^"\r\n]*"#)]
    OpenText,
    #[regex(r"//[^\r\n]*", allow_greedy = true)]
    LineComment,
    #[token("/*")]
    BlockComment,
    #[token(";")]
    Semicolon,
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    #[token(".")]
    Dot,
    #[token("..")]
    DotDot,
    #[token(":=")]
    Assign,
    #[token("+=")]
    PlusAssign,
    #[token("-=")]
    MinusAssign,
    #[token("=")]
    Equal,
    #[token("==")]
    EqualEqual,
    #[token("!=")]
    NotEqual,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEqual,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterEqual,
    #[token("=>")]
    Implies,
    #[token("->")]
    Arrow,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("?")]
    Question,
    #[token("'")]
    Quote,
    #[token("(")]
    OpenParen,
    #[token(")")]
    CloseParen,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token("&&")]
    ForeignAnd,
    #[token("||")]
    ForeignOr,
    #[token("!")]
    ForeignNot,
    #[token("/")]
    ForeignDivide,
    #[token("%")]
    ForeignRemainder,
    #[token("/\\")]
    ForeignWedge,
    #[token("\\/")]
    ForeignVee,
    #[token("~")]
    ForeignTilde,
    #[token("=<")]
    ForeignEqualLess,
    #[token("===")]
    ForeignSame,
    #[token("-->")]
    ForeignLongArrow,
    #[token("==>")]
    ForeignLongImplies,
    #[token("|")]
    ForeignBar,
    #[token("/=")]
    ForeignSlashEqual,
    #[token("=/=")]
    ForeignSlashedEqual,
    #[token("~=")]
    ForeignTildeEqual,
    #[token("~>")]
    ForeignLeadsTo,
    #[regex(r"\\\*[^\r\n]*", allow_greedy = true)]
    BackslashComment,
    #[token("#")]
    Hash,
    #[token("\\in")]
    #[token("\\A")]
    #[token("\\E")]
    #[token("\\land")]
    #[token("\\lor")]
    #[token("\\lnot")]
    #[token("\\leq")]
    #[token("\\geq")]
    Backslash,
}

impl Raw {
    /// The token of a sign.
    fn sign(self) -> Option<Token> {
        Some(match self {
            Raw::Semicolon => Token::Semicolon,
            Raw::Comma => Token::Comma,
            Raw::Colon => Token::Colon,
            Raw::DotDot => Token::DotDot,
            Raw::Assign => Token::Assign,
            Raw::PlusAssign => Token::PlusAssign,
            Raw::MinusAssign => Token::MinusAssign,
            Raw::Equal => Token::Equal,
            Raw::EqualEqual => Token::EqualEqual,
            Raw::NotEqual => Token::NotEqual,
            Raw::Less => Token::Less,
            Raw::LessEqual => Token::LessEqual,
            Raw::Greater => Token::Greater,
            Raw::GreaterEqual => Token::GreaterEqual,
            Raw::Implies => Token::Implies,
            Raw::Arrow => Token::Arrow,
            Raw::Plus => Token::Plus,
            Raw::Minus => Token::Minus,
            Raw::Star => Token::Star,
            Raw::Question => Token::Question,
            Raw::Quote => Token::Quote,
            Raw::OpenParen => Token::OpenParen,
            Raw::CloseParen => Token::CloseParen,
            Raw::OpenBracket => Token::OpenBracket,
            Raw::CloseBracket => Token::CloseBracket,
            Raw::OpenBrace => Token::OpenBrace,
            Raw::CloseBrace => Token::CloseBrace,
            Raw::ForeignAnd => Token::Foreign(Foreign::And),
            Raw::ForeignOr => Token::Foreign(Foreign::Or),
            Raw::ForeignNot => Token::Foreign(Foreign::Not),
            Raw::ForeignDivide => Token::Foreign(Foreign::Divide),
            Raw::ForeignRemainder => Token::Foreign(Foreign::Remainder),
            Raw::ForeignWedge => Token::Foreign(Foreign::Wedge),
            Raw::ForeignVee => Token::Foreign(Foreign::Vee),
            Raw::ForeignTilde => Token::Foreign(Foreign::Tilde),
            Raw::ForeignEqualLess => Token::Foreign(Foreign::EqualLess),
            Raw::ForeignSame => Token::Foreign(Foreign::Same),
            Raw::ForeignLongArrow => Token::Foreign(Foreign::LongArrow),
            Raw::ForeignLongImplies => Token::Foreign(Foreign::LongImplies),
            Raw::ForeignBar => Token::Foreign(Foreign::Bar),
            Raw::ForeignSlashEqual => Token::Foreign(Foreign::SlashEqual),
            Raw::ForeignSlashedEqual => Token::Foreign(Foreign::SlashedEqual),
            Raw::ForeignTildeEqual => Token::Foreign(Foreign::TildeEqual),
            Raw::ForeignLeadsTo => Token::Foreign(Foreign::LeadsTo),
            _ => return None,
        })
    }
}

/// What stands for a text whose quotes are not closed: nothing more is said about it.
pub const BROKEN_TEXT: &str = "\0";

/// Cuts a text into tokens and comments. `base` is the offset of its first byte in the shared space.
pub fn lex(text: &str, base: u32) -> (Lexed, Vec<SyntaxProblem>) {
    let mut lexer = Lexer { base, words: words(), out: Lexed::default(), problems: Vec::new() };
    lexer.out.tokens.reserve(text.len() / 5);
    lexer.out.spans.reserve(text.len() / 5);
    let start = if text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
    lexer.run(text, start);
    (lexer.out, lexer.problems)
}

/// The words that are not names.
fn words() -> FxHashMap<&'static str, Token> {
    let mut words: FxHashMap<_, _> = KEYWORDS.iter().chain(CONTEXTUAL).copied().collect();
    words.insert("_", Token::Underscore);
    words
}

struct Lexer<'t> {
    base: u32,
    /// Keywords, and every name met so far: the global table of names is asked once per name.
    words: FxHashMap<&'t str, Token>,
    out: Lexed,
    problems: Vec<SyntaxProblem>,
}

impl<'t> Lexer<'t> {
    fn run(&mut self, text: &'t str, start: usize) {
        let mut raw = Raw::lexer(text);
        raw.bump(start);
        while let Some(found) = raw.next() {
            let range = raw.span();
            let span = self.span(range.start, range.end);
            if let Some(mark) = self.comment_mark(found, &text[range.start..]) {
                let line =
                    text[range.start..].find(['\r', '\n']).unwrap_or(text.len() - range.start);
                self.bad(mark, self.span(range.start, range.start + mark.len()));
                raw.bump(line - (range.end - range.start));
                continue;
            }
            match found {
                Ok(Raw::Word) => self.word(raw.slice(), span),
                Ok(Raw::BlockComment) => {
                    let length = block_comment(&text[range.start..]);
                    let whole = self.span(range.start, range.start + length.unwrap_or(2));
                    match length {
                        Some(length) => raw.bump(length - 2),
                        None => {
                            self.problems.push(UnclosedComment { span }.into());
                            raw.bump(text.len() - range.end);
                            let rest = self.span(range.start, text.len());
                            self.comment(rest, CommentKind::Block);
                            continue;
                        }
                    }
                    self.comment(whole, CommentKind::Block);
                }
                Ok(Raw::Dot) => {
                    let tight = |side: Option<char>| side.is_some_and(|c| !c.is_whitespace());
                    let before = tight(text[..range.start].chars().next_back());
                    let after = tight(text[range.end..].chars().next());
                    let token = if before && after { Token::Dot } else { Token::SpacedDot };
                    self.token(token, span);
                }
                Ok(kind) => self.other(kind, raw.slice(), span),
                Err(()) => self.bad(raw.slice(), span),
            }
        }
    }

    /// What other languages start a comment with, where a statement could start.
    fn comment_mark(&self, found: Result<Raw, ()>, rest: &str) -> Option<&'static str> {
        let mark = match found {
            Ok(Raw::Minus) if rest.starts_with("--") => "--",
            Ok(Raw::ForeignRemainder) => "%",
            Ok(Raw::Hash) if !self.compares(&rest[1..]) => return Some("#"),
            _ => return None,
        };
        let between = match self.out.tokens.last() {
            None | Some(Token::Semicolon) => true,
            // An expression can go on after a brace, and `--x` is one.
            Some(Token::OpenBrace | Token::CloseBrace) => mark != "--" || is_prose(&rest[2..]),
            _ => false,
        };
        between.then_some(mark)
    }

    /// Whether a `#` stands between two operands of a condition: after an operand, in a statement that asks for
    /// something, and before what goes on to the end of that statement.
    fn compares(&self, rest: &str) -> bool {
        let line = rest.lines().next().unwrap_or_default().trim_start();
        let starts =
            line.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '(' | '-'));
        let ended = |token: &&Token| {
            !matches!(token, Token::Semicolon | Token::OpenBrace | Token::CloseBrace)
        };
        let asks = |token: &Token| {
            matches!(
                token,
                Token::When | Token::If | Token::Axiom | Token::Equal | Token::SpacedDot
            )
        };
        let operand = self.out.tokens.last().is_some_and(|token| {
            matches!(token, Token::Number(_) | Token::CloseParen | Token::CloseBracket)
                || token.as_name().is_some()
        });
        let goes_on = line.contains(';') || line.contains(')');
        operand && starts && goes_on && self.out.tokens.iter().rev().take_while(ended).any(asks)
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.base + start as u32, self.base + end as u32)
    }

    fn token(&mut self, token: Token, span: Span) {
        self.out.tokens.push(token);
        self.out.spans.push(span);
    }

    fn comment(&mut self, span: Span, kind: CommentKind) {
        self.out.comments.push(Comment { span, kind });
    }

    fn word(&mut self, text: &'t str, span: Span) {
        if let Some(&token) = self.words.get(text) {
            return self.token(token, span);
        }
        if first_stranger(text).is_some() {
            return self.word_with_strangers(text, span);
        }
        let token = Token::Name(Symbol::new(text));
        self.words.insert(text, token);
        self.token(token, span);
    }

    /// A word with characters that no name can have: what stands between them are words of their own.
    fn word_with_strangers(&mut self, text: &'t str, span: Span) {
        let (mut rest, mut start) = (text, span.start);
        while let Some(cut) = first_stranger(rest) {
            if cut > 0 {
                self.word(&rest[..cut], Span::new(start, start + cut as u32));
            }
            let length = rest[cut..].chars().next().map_or(1, char::len_utf8);
            let at = start + cut as u32;
            self.bad(&rest[cut..cut + length], Span::new(at, at + length as u32));
            rest = &rest[cut + length..];
            // Digits cannot start a name: they go with the strange character before them.
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            rest = &rest[digits..];
            start = span.end - rest.len() as u32;
        }
        if !rest.is_empty() {
            self.word(rest, Span::new(start, span.end));
        }
    }

    fn other(&mut self, kind: Raw, text: &'t str, span: Span) {
        if let Some(sign) = kind.sign() {
            return self.token(sign, span);
        }
        match kind {
            Raw::Number => self.token(Token::Number(number(text)), span),
            Raw::NumberWithLetters => {
                let digits = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '_');
                let digits = &text[..text.len() - digits.len()];
                self.problems.push(BadNumber { span, text: text.to_owned() }.into());
                self.token(Token::Number(number(digits)), span);
            }
            Raw::QuotedName => {
                let name = &text[1..text.len() - 1];
                if is_quotable(name) {
                    self.token(Token::Name(Symbol::new(name)), span);
                } else {
                    self.problems.push(UnclosedRawName { span, closed: true }.into());
                    // With its quotes it is like no other name, and the same wherever it stands: nothing else is said.
                    self.token(Token::Name(Symbol::new(text)), span);
                }
            }
            Raw::OpenQuote => {
                self.problems.push(UnclosedRawName { span, closed: false }.into());
            }
            Raw::Text => {
                self.token(Token::Text(Symbol::new(&text[1..text.len() - 1])), span);
            }
            Raw::Hash => self.token(Token::Foreign(Foreign::Hash), span),
            Raw::Backslash => self.backslash(text, span),
            // The rest of the line was meant to be a comment.
            Raw::BackslashComment => self.bad("\\*", Span::new(span.start, span.start + 2)),
            Raw::OpenText => self.open_text(text, span),
            Raw::LineComment => {
                let doc = text.starts_with("///") && !text.starts_with("////");
                self.comment(span, if doc { CommentKind::Doc } else { CommentKind::Line });
            }
            _ => self.bad(text, span),
        }
    }

    /// An operator as TLA+ and TeX write it.
    fn backslash(&mut self, text: &str, span: Span) {
        use Foreign::*;
        let all = [In, Forall, Exists, Land, Lor, Lnot, Leq, Geq];
        match all.into_iter().find(|foreign| foreign.spellings().0 == text) {
            Some(foreign) => self.token(Token::Foreign(foreign), span),
            None => self.bad(text, span),
        }
    }

    /// A quote without its partner: the text goes to the end of the line, or to the `;` there.
    fn open_text(&mut self, text: &str, span: Span) {
        self.problems.push(UnclosedString { span: Span::new(span.start, span.start + 1) }.into());
        let trimmed = text.trim_end();
        let content = trimmed.strip_suffix(';').unwrap_or(trimmed);
        let end = span.start + content.len() as u32;
        self.token(Token::Text(Symbol::new(BROKEN_TEXT)), Span::new(span.start, end));
        if content.len() < trimmed.len() {
            self.token(Token::Semicolon, Span::new(end, end + 1));
        }
    }

    fn bad(&mut self, text: &str, span: Span) {
        // Neighbouring strange characters are one mistake.
        if let Some(SyntaxProblem::BadCharacter(last)) = self.problems.last_mut()
            && last.span.end == span.start
        {
            last.span.end = span.end;
            last.text.push_str(text);
            return;
        }
        self.problems.push(BadCharacter { span, text: text.to_owned() }.into());
    }
}
