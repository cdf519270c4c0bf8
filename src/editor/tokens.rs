//! What the words of a text are, for colours.

use crate::diagnostics::Span;
use crate::model::Checked;
use crate::sema::NameKind;
use crate::syntax::token::lex;

/// The kinds of words, by the names that editors have for them.
pub const TOKEN_KINDS: [&str; 14] = [
    "keyword",
    "comment",
    "function",
    "enumMember",
    "property",
    "event",
    "type",
    "interface",
    "class",
    "namespace",
    "variable",
    "parameter",
    "number",
    "string",
];

/// A word: where it stands, its place in [`TOKEN_KINDS`], and whether it is declared there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextToken {
    /// Where.
    pub span: Span,
    /// Which kind.
    pub kind: usize,
    /// Whether it is a declaration.
    pub declares: bool,
}

/// The words of the file that was asked for, in order.
pub fn tokens(checked: &Checked) -> Vec<TextToken> {
    let Some(file) = super::root(checked) else { return Vec::new() };
    let (lexed, _) = lex(file.text(), file.base());
    let words = lexed.tokens.iter().zip(&lexed.spans).filter(|(token, _)| token.is_keyword());
    let mut all: Vec<TextToken> =
        words.map(|(_, span)| TextToken { span: *span, kind: 0, declares: false }).collect();
    let comments = lexed.comments.iter();
    all.extend(comments.map(|one| TextToken { span: one.span, kind: 1, declares: false }));
    let text = file.span();
    let names = checked.names();
    let start = names.partition_point(|one| one.span.start < text.start);
    for one in names[start..].iter().take_while(|one| one.span.end <= text.end) {
        all.push(TextToken { span: one.span, kind: kind(one.kind), declares: one.declares });
    }
    all.sort_by_key(|one| (one.span.start, one.span.end));
    all.dedup_by(|a, b| a.span.start < b.span.end);
    all
}

fn kind(kind: NameKind) -> usize {
    let word = match kind {
        NameKind::Function => "function",
        NameKind::Constant | NameKind::Part | NameKind::Joint | NameKind::Fixpoint => "variable",
        NameKind::Constructor | NameKind::State => "enumMember",
        NameKind::Field => "property",
        NameKind::Action => "event",
        NameKind::Sort => "type",
        NameKind::Interface => "interface",
        NameKind::Process | NameKind::Net | NameKind::Architecture | NameKind::Connector => "class",
        NameKind::Relation | NameKind::Property => "function",
        NameKind::Hole | NameKind::Port => "parameter",
        NameKind::Rule => "function",
        NameKind::Module => "namespace",
        NameKind::Local(crate::sema::program::LocalKind::Parameter) => "parameter",
        NameKind::Local(_) => "variable",
    };
    TOKEN_KINDS.iter().position(|one| *one == word).unwrap_or(0)
}
