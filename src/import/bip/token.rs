//! Cuts a package of BIP2 into tokens and comments.

use logos::Logos;

use super::super::comments::Remark;
use super::super::problems::{BipFlaw, BrokenBip};
use super::super::text::Texts;
use crate::diagnostics::{Span, Symbol};

/// A token. Words of the language are not names.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip r"[ \t\r\n\x0C]+")]
pub(in crate::import::bip) enum Token {
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*", |lex| Symbol::new(lex.slice()))]
    Name(Symbol),
    #[regex(r"[0-9]+", |lex| Symbol::new(lex.slice()))]
    Number(Symbol),
    #[regex(r"[0-9]+\.[0-9]*([eE][+-]?[0-9]+)?")]
    #[regex(r"[0-9]+[eE][+-]?[0-9]+")]
    Float,
    #[regex(r#""([^"\\\r\n]|\\[^\r\n])*""#)]
    Text,
    #[regex(r#""([^"\\\r\n]|\\[^\r\n])*"#)]
    OpenText,
    #[regex(r"//[^\r\n]*", allow_greedy = true)]
    LineComment,
    #[token("/*")]
    BlockComment,
    #[token("package")]
    Package,
    #[token("use")]
    Use,
    #[token("const")]
    Const,
    #[token("data")]
    Data,
    #[token("extern")]
    Extern,
    #[token("type")]
    Type,
    #[token("refine")]
    Refine,
    #[token("as")]
    As,
    #[token("function")]
    Function,
    #[token("operator")]
    Operator,
    #[token("port")]
    Port,
    #[token("atom")]
    Atom,
    #[token("export")]
    Export,
    #[token("clock")]
    Clock,
    #[token("place")]
    #[token("places")]
    Place,
    #[token("initial")]
    Initial,
    #[token("to")]
    To,
    #[token("do")]
    Do,
    #[token("on")]
    On,
    #[token("internal")]
    Internal,
    #[token("from")]
    From,
    #[token("provided")]
    Provided,
    #[token("priority")]
    Priority,
    #[token("invariant")]
    Invariant,
    #[token("at")]
    At,
    #[token("end")]
    End,
    #[token("connector")]
    Connector,
    #[token("define")]
    Define,
    #[token("up")]
    Up,
    #[token("down")]
    Down,
    #[token("compound")]
    Compound,
    #[token("component")]
    Component,
    #[token("if")]
    If,
    #[token("then")]
    Then,
    #[token("else")]
    Else,
    #[token("fi")]
    Fi,
    #[token("true")]
    True,
    #[token("false")]
    False,
    #[token(";")]
    Semicolon,
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    #[token(".")]
    Dot,
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
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("&&")]
    AndAnd,
    #[token("||")]
    OrOr,
    #[token("!")]
    Not,
    #[token("&")]
    And,
    #[token("|")]
    Or,
    #[token("^")]
    Xor,
    #[token("~")]
    Tilde,
    #[token("'")]
    Quote,
    #[token("(")]
    OpenParen,
    #[token(")")]
    CloseParen,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token("@")]
    Annotation,
}

/// The tokens and comments of a text; what cannot be read is reported.
pub(super) fn lex(
    text: &str,
    base: u32,
    texts: &mut Texts<'_>,
) -> (Vec<(Token, Span)>, Vec<Remark>) {
    let (mut tokens, mut remarks) = (Vec::new(), Vec::new());
    let mut lexer = Token::lexer(text);
    if text.starts_with('\u{FEFF}') {
        lexer.bump('\u{FEFF}'.len_utf8());
    }
    let place = |from: usize, to: usize| Span::new(base + from as u32, base + to as u32);
    while let Some(found) = lexer.next() {
        let range = lexer.span();
        let span = place(range.start, range.end);
        match found {
            Ok(Token::LineComment) => {
                let inside = lexer.slice().trim_start_matches('/');
                remarks.push(Remark::new(span, inside));
            }
            Ok(Token::BlockComment) => {
                let rest = text.get(range.end..).unwrap_or("");
                let inside = rest.find("*/");
                let Some(length) = inside else {
                    texts.report(BrokenBip { span, flaw: BipFlaw::OpenComment });
                    break;
                };
                lexer.bump(length + 2);
                let span = place(range.start, range.end + length + 2);
                remarks.push(Remark::new(span, rest.get(..length).unwrap_or("")));
            }
            Ok(Token::OpenText) => {
                texts.report(BrokenBip { span, flaw: BipFlaw::OpenText });
                tokens.push((Token::Text, span));
            }
            Ok(token) => tokens.push((token, span)),
            Err(()) => texts.report(BrokenBip { span, flaw: BipFlaw::Strange }),
        }
    }
    (tokens, remarks)
}
