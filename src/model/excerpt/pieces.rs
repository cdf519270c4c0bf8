//! Texts in pieces: what they declare, each with its comments.

use std::ops::Range;

use rustc_hash::FxHashSet;

use crate::diagnostics::{SourceFile, Span, Symbol};
use crate::sema::program::ModuleInfo;
use crate::syntax::ast::{Ident, Import, Item, ItemKind, Signature};
use crate::syntax::parse;
use crate::syntax::token::{Lexed, Token};

/// What declarations of actions begin with.
const ACTION: &str = "action";

/// A text in pieces.
pub(super) struct Text<'c> {
    pub module: &'c ModuleInfo,
    /// Its first lines, up to `module m;`.
    pub head: Option<String>,
    pub imports: Vec<Import>,
    pub pieces: Vec<Piece>,
    names: FxHashSet<Symbol>,
    /// Those of them that are names of anything but actions, and so hide what is imported.
    hiding: FxHashSet<Symbol>,
}

/// Something that a text declares.
pub(super) struct Piece {
    /// The names that it declares, and what else it is known by; each with its place, and the text of its declaration where it
    /// is one of several.
    names: Vec<Declared>,
    /// All names that stand in it.
    pub uses: Vec<Symbol>,
    /// Comments before it, itself, and a comment behind it.
    before: String,
    text: String,
    after: String,
    /// What several declarations begin with: `action`, `sort`.
    word: Option<&'static str>,
    pub is_axiom: bool,
    /// Whether something of it stands in a file of another kind.
    pub is_outside: bool,
}

struct Declared {
    name: Symbol,
    span: Span,
    text: String,
    uses: Vec<Symbol>,
}

impl<'c> Text<'c> {
    /// The pieces of a file, which calls other files of the excerpt by these names.
    pub fn new(file: &SourceFile, module: &'c ModuleInfo, files: &[Symbol]) -> Text<'c> {
        let parsed = parse(file.text(), file.base());
        let reader = Reader { file, files, lexed: &parsed.lexed };
        let mut text = Text {
            module,
            head: None,
            imports: Vec::new(),
            pieces: Vec::new(),
            names: FxHashSet::default(),
            hiding: FxHashSet::default(),
        };
        let mut end = 0;
        for item in &parsed.module.items {
            let before = end;
            end = reader.end_of(item);
            match &item.kind {
                ItemKind::Module(_) => {
                    let (comments, own, behind) = reader.around(before, item, end);
                    text.head = Some(comments + &own + &behind);
                }
                ItemKind::Import(import) => text.imports.push((**import).clone()),
                _ => text.pieces.extend(reader.piece(before, item, end)),
            }
        }
        text.names = text.pieces.iter().flat_map(Piece::names).collect();
        let others = text.pieces.iter().filter(|piece| piece.word != Some(ACTION));
        text.hiding = others.flat_map(Piece::names).collect();
        text
    }

    /// Whether a name means what is declared here, whatever is imported: actions of one name stand beside each other.
    pub fn hides(&self, name: Symbol) -> bool {
        self.hiding.contains(&name)
    }

    pub fn declares(&self, name: Symbol) -> bool {
        self.names.contains(&name)
    }
}

impl Piece {
    pub fn names(&self) -> impl Iterator<Item = Symbol> {
        self.names.iter().map(|declared| declared.name)
    }

    /// Whether the name of what it declares stands here.
    pub fn is_at(&self, span: Span) -> bool {
        self.names.iter().any(|declared| declared.span == span)
    }

    /// The names that stand in what is declared with a name.
    pub fn uses_of(&self, name: Symbol) -> impl Iterator<Item = Symbol> {
        let several = self.word.is_some();
        let own = self.names.iter().filter(move |one| several && one.name == name);
        let own = own.flat_map(|one| one.uses.iter().copied());
        own.chain(self.uses.iter().copied().filter(move |_| !several))
    }

    /// What is written of it; nothing where none of its names is needed. A constant has the value that it is set to.
    pub fn written(
        &self,
        is_kept: impl Fn(Symbol) -> bool,
        set: &dyn Fn(Span) -> Option<String>,
    ) -> Option<String> {
        let kept: Vec<&Declared> = self.names.iter().filter(|one| is_kept(one.name)).collect();
        if kept.is_empty() && !self.is_axiom {
            return None;
        }
        let text = match self.word {
            Some(word) if kept.len() < self.names.len() => {
                let texts: Vec<&str> = kept.iter().map(|one| one.text.as_str()).collect();
                format!("{word} {};", texts.join(", "))
            }
            _ => match kept.first().and_then(|one| set(one.span)) {
                Some(value) => format!("{} = {value};", self.text.trim_end_matches(';')),
                None => self.text.clone(),
            },
        };
        Some(format!("{}{text}{}", self.before, self.after))
    }
}

/// Reads pieces of a text.
struct Reader<'r> {
    file: &'r SourceFile,
    /// What other files are called here.
    files: &'r [Symbol],
    lexed: &'r Lexed,
}

impl Reader<'_> {
    fn text(&self, range: Range<usize>) -> &str {
        self.file.text().get(range).unwrap_or("")
    }

    /// Where an item ends, with its semicolon.
    fn end_of(&self, item: &Item) -> usize {
        let end = self.file.range(item.span).end;
        let rest = self.text(end..self.file.text().len());
        match rest.trim_start().starts_with(';') {
            true => end + rest.find(';').map_or(0, |at| at + 1),
            false => end,
        }
    }

    /// The comments that belong to an item, its own text, and a comment behind it on its line.
    fn around(&self, before: usize, item: &Item, end: usize) -> (String, String, String) {
        let start = self.file.range(item.span).start;
        let mut gap = self.text(before..start);
        if before > 0 {
            // The rest of a line belongs to what stands on it.
            gap = gap.find('\n').map_or("", |at| &gap[at + 1..]);
        }
        let mut lines: Vec<&str> = gap.split('\n').collect();
        lines.pop();
        let blank = lines.iter().rposition(|line| line.trim().is_empty());
        let comments: String =
            lines[blank.map_or(0, |at| at + 1)..].iter().map(|line| format!("{line}\n")).collect();
        let rest = self.text(end..self.file.text().len());
        let behind = rest.lines().next().unwrap_or_default();
        let behind = if behind.trim_start().starts_with("//") {
            format!(" {}", behind.trim())
        } else {
            String::new()
        };
        (comments, self.unqualified(start..end), behind)
    }

    fn piece(&self, before: usize, item: &Item, end: usize) -> Option<Piece> {
        let (names, word) = match &item.kind {
            ItemKind::Sort(names) => {
                (names.iter().map(|name| self.sort(*name)).collect(), Some("sort"))
            }
            ItemKind::Action(all) => {
                (all.iter().map(|one| self.action(one)).collect(), Some(ACTION))
            }
            ItemKind::Data(data) => {
                let made = data.constructors.iter().map(|constructor| constructor.name);
                ([data.name].into_iter().chain(made).map(whole).collect(), None)
            }
            ItemKind::Fun(fun) => (vec![whole(fun.name)], None),
            ItemKind::Const(constant) => (vec![whole(constant.name)], None),
            ItemKind::Interface(interface) => (vec![whole(interface.name)], None),
            ItemKind::Process(process) => (vec![whole(process.name)], None),
            ItemKind::Net(net) => (vec![whole(net.name)], None),
            ItemKind::Connector(connector) => (vec![whole(connector.name)], None),
            ItemKind::Axiom(_) => (Vec::new(), None),
            // What is asked of nets is no part of them.
            _ => return None,
        };
        let (comments, text, after) = self.around(before, item, end);
        Some(Piece {
            names,
            uses: self.names_in(item.span),
            before: comments,
            text,
            after,
            word,
            is_axiom: matches!(item.kind, ItemKind::Axiom(_)),
            is_outside: matches!(&item.kind, ItemKind::Process(process) if process.system.is_some()),
        })
    }

    fn sort(&self, name: Ident) -> Declared {
        Declared { text: self.text(self.file.range(name.span)).to_owned(), ..whole(name) }
    }

    fn action(&self, action: &Signature) -> Declared {
        let mut range = self.file.range(action.name.span);
        if let Some(last) = action.sorts.last() {
            let end = self.file.range(last.span).end;
            let rest = self.text(end..self.file.text().len());
            range.end = end + rest.find(')').map_or(0, |at| at + 1);
        }
        let span =
            action.sorts.last().map_or(action.name.span, |last| action.name.span.to(last.span));
        Declared { text: self.unqualified(range), uses: self.names_in(span), ..whole(action.name) }
    }

    /// The tokens in a place, by number.
    fn tokens(&self, span: Span) -> Range<usize> {
        let spans = &self.lexed.spans;
        let from = spans.partition_point(|one| one.start < span.start);
        from..spans.partition_point(|one| one.start < span.end)
    }

    fn names_in(&self, span: Span) -> Vec<Symbol> {
        let tokens = self.tokens(span).filter(|at| !is_word(&self.lexed.tokens, *at));
        let names = tokens.filter_map(|at| self.lexed.tokens[at].as_name());
        let names: FxHashSet<Symbol> = names.collect();
        let mut names: Vec<Symbol> = names.into_iter().collect();
        names.sort_by_key(|name| name.as_str());
        names
    }

    /// A text without the names of files that it is reached through: what these declare stands in the same text.
    fn unqualified(&self, range: Range<usize>) -> String {
        let base = self.file.base();
        let span = Span::new(base + range.start as u32, base + range.end as u32);
        let (mut out, mut at) = (String::new(), range.start);
        for token in self.tokens(span) {
            let follows =
                matches!(self.lexed.tokens.get(token + 1), Some(Token::Dot | Token::ModuleDot));
            if !follows
                || !self.lexed.tokens[token]
                    .as_name()
                    .is_some_and(|name| self.files.contains(&name))
            {
                continue;
            }
            let start = self.file.range(self.lexed.spans[token]).start;
            let Some(dot) = self.lexed.spans.get(token + 1) else { continue };
            out.push_str(self.text(at..start));
            at = self.file.range(*dot).end;
        }
        out + self.text(at..range.end)
    }
}

/// Whether a word that can be a name is none here.
fn is_word(tokens: &[Token], at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| tokens[before]);
    match tokens[at] {
        Token::Quot | Token::Rem => match before {
            Some(Token::Number(_) | Token::CloseParen | Token::CloseBracket) => true,
            other => other.and_then(Token::as_name).is_some(),
        },
        Token::Let => tokens.get(at + 2) == Some(&Token::Equal),
        Token::With => tokens.get(at + 1) == Some(&Token::OpenBrace),
        Token::Assert => !matches!(
            before,
            None | Some(
                Token::Colon
                    | Token::Arrow
                    | Token::Comma
                    | Token::Dot
                    | Token::OpenBrace
                    | Token::Less
                    | Token::Semicolon
            )
        ),
        _ => false,
    }
}

fn whole(name: Ident) -> Declared {
    Declared { name: name.name, span: name.span, text: String::new(), uses: Vec::new() }
}
