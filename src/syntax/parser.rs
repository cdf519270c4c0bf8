//! From text to tree. The text is cut into statements first, and each is parsed by itself: a mistake
//! costs the statement it stands in, and nothing else.

mod defined;

use super::ast::{Docs, Item, ItemKind, Module};
use super::body::{Block, Body};
use super::build::Builder;
use super::contextual;
use super::cut::{self, Ending};
use super::formulas;
use super::habits;
use super::joints;
use super::keywords;
use super::misfit::{self, Context};
use super::problems::{
    MisplacedModule, MisplacedStatement, MissingSemicolon, MisspeltKeyword, StrayDoc,
    SyntaxProblem, TooDeep, UnclosedBracket, UnexpectedToken,
};
use super::statement::{self, BlockHead, Parsed};
use super::token::{CONTEXTUAL, CommentKind, KEYWORDS, Lexed, Token, lex};
use crate::base::budget::is_spent;
use crate::diagnostics::{Span, Symbol, closest};

/// Brackets may be nested this deep. The tree is limited anyway; this keeps the search for a way past a
/// mistake short.
const MOST_BRACKETS: usize = 1_000;

/// How often one statement may be mended by replacing a token.
const MOST_REPLACEMENTS: usize = 8;

/// A file as it was read.
#[derive(Debug)]
pub struct ParsedFile {
    /// The tree.
    pub module: Module,
    /// The tokens and comments it was made from.
    pub lexed: Lexed,
    /// What is wrong with it.
    pub problems: Vec<SyntaxProblem>,
}

/// Parses a file. Whatever the text, there is a tree of the parts that make sense.
pub fn parse(text: &str, base: u32) -> ParsedFile {
    let (mut lexed, problems) = tokens(text, base);
    let mut parser = Parser::new((text, base), &mut lexed, problems);
    parser.run();
    let Parser { module, problems, .. } = parser;
    ParsedFile { module, lexed, problems }
}

/// The tokens of a text, as they are meant.
pub(super) fn tokens(text: &str, base: u32) -> (Lexed, Vec<SyntaxProblem>) {
    let (mut lexed, mut problems) = lex(text, base);
    joints::settle(&mut lexed);
    contextual::settle(&mut lexed.tokens);
    formulas::settle(&mut lexed);
    keywords::as_names(&mut lexed);
    habits::resolve(&mut lexed, &mut problems);
    (lexed, problems)
}

pub(super) struct Parser<'t> {
    text: &'t str,
    base: u32,
    /// The end of the file.
    end: Span,
    pub(super) lexed: &'t mut Lexed,
    pub(super) at: usize,
    next_comment: usize,
    pub(super) module: Module,
    pub(super) problems: Vec<SyntaxProblem>,
    /// What the end of the text is called.
    pub(super) ends: &'static str,
    /// Where something was reported already, in order: a statement with one of these in it is not said to be
    /// wrong once more.
    excuses: Vec<u32>,
    /// Whether the last statement was wrong because it ended too early: then its rest is no statement.
    ended_early: bool,
    /// How many texts in a row were no declarations.
    pub(super) garbage: usize,
}

impl<'t> Parser<'t> {
    /// At the beginning of a text with its first offset, with what is wrong with its tokens.
    pub(super) fn new(
        (text, base): (&'t str, u32),
        lexed: &'t mut Lexed,
        problems: Vec<SyntaxProblem>,
    ) -> Parser<'t> {
        let end = base + text.len() as u32;
        let mut excuses: Vec<u32> = problems.iter().map(|problem| problem.span().start).collect();
        excuses.sort_unstable();
        Parser {
            excuses,
            ended_early: false,
            garbage: 0,
            text,
            base,
            end: Span::new(end, end),
            lexed,
            at: 0,
            next_comment: 0,
            module: Module::default(),
            problems,
            ends: "the end of the file",
        }
    }
}

impl Parser<'_> {
    fn run(&mut self) {
        while let Some(token) = self.peek() {
            if is_spent() {
                return;
            }
            let docs = self.docs();
            if cut::starts_item(token) {
                self.garbage = 0;
                self.item(docs);
            } else if !self.belongs_to_last_block(token)
                && !self.other_declaration(&docs, token)
                && !self.misspelt(docs, token)
            {
                self.unexpected_at_top(token);
            }
        }
        self.stray_docs(self.end);
    }

    pub(super) fn peek(&self) -> Option<Token> {
        self.lexed.tokens.get(self.at).copied()
    }

    pub(super) fn span_at(&self, index: usize) -> Span {
        self.lexed.spans.get(index).copied().unwrap_or(self.end)
    }

    pub(super) fn token_at(&self, index: usize) -> Option<Token> {
        self.lexed.tokens.get(index).copied()
    }

    pub(super) fn report(&mut self, problem: impl Into<SyntaxProblem>) {
        self.problems.push(problem.into());
    }

    /// Whether only white space and comments stand before this token on its line.
    fn is_first_on_line(&self, index: usize) -> bool {
        let Some(before) = index.checked_sub(1) else { return true };
        let from = (self.span_at(before).end - self.base) as usize;
        let to = (self.span_at(index).start - self.base) as usize;
        self.text.get(from..to).is_some_and(|between| between.contains('\n'))
    }

    // ---- doc comments ----

    /// The doc comments before the current token.
    fn docs(&mut self) -> Docs {
        let mut docs = Vec::new();
        let here = self.span_at(self.at).start;
        while let Some(comment) = self.lexed.comments.get(self.next_comment) {
            if comment.span.start >= here {
                break;
            }
            if comment.kind == CommentKind::Doc {
                let from = (comment.span.start - self.base) as usize + "///".len();
                let to = (comment.span.end - self.base) as usize;
                let line = self.text.get(from..to).unwrap_or("");
                docs.push(Symbol::new(line.strip_prefix(' ').unwrap_or(line).trim_end()));
            }
            self.next_comment += 1;
        }
        docs
    }

    /// Reports doc comments that stand before `end` and document nothing.
    pub(super) fn stray_docs(&mut self, end: Span) {
        while let Some(comment) = self.lexed.comments.get(self.next_comment).copied() {
            if comment.span.start >= end.start && end != self.end {
                break;
            }
            if comment.kind == CommentKind::Doc {
                self.report(StrayDoc { span: comment.span });
            }
            self.next_comment += 1;
        }
    }

    // ---- items ----

    pub(super) fn item(&mut self, docs: Docs) {
        let start = self.at;
        let token = self.lexed.tokens[start];
        match token {
            Token::Process if !cut::is_system(&self.lexed.tokens, start) => {
                self.block(docs, Block::Process);
            }
            Token::Relation => self.block(docs, Block::Relation),
            Token::Scenario => self.block(docs, Block::Scenario),
            Token::Invariant => self.block(docs, Block::Invariant),
            Token::Reduction => self.block(docs, Block::Reduction),
            Token::Architecture => self.block(docs, Block::Architecture),
            Token::Connector => self.block(docs, Block::Connector),
            Token::Net if !cut::is_alias(&self.lexed.tokens, start) => self.block(docs, Block::Net),
            _ => {
                let braced = matches!(token, Token::Enum | Token::Data | Token::Interface);
                let (end, ending) = if braced {
                    cut::braced_end(&self.lexed.tokens, start)
                } else {
                    cut::item_end(&self.lexed.tokens, start)
                };
                let ending = if braced { Ending::Proper } else { ending };
                let kind = match self.statement(Token::StartItem, end, ending) {
                    Some(Parsed::Item(kind)) => kind,
                    _ => ItemKind::Error,
                };
                if matches!(kind, ItemKind::Module(_)) && !self.module.items.is_empty() {
                    self.report(MisplacedModule { span: self.span_at(start) });
                }
                self.push(docs, kind, start);
            }
        }
    }

    pub(super) fn push(&mut self, docs: Docs, kind: ItemKind, start: usize) {
        let span = self.span_since(start);
        self.module.items.push(Item { docs, kind, span });
    }

    /// From the token with this index to the last one read.
    pub(super) fn span_since(&self, start: usize) -> Span {
        let last = self.at.saturating_sub(1).max(start);
        self.span_at(start).to(self.span_at(last))
    }

    fn block(&mut self, docs: Docs, block: Block) {
        let start = self.at;
        let has_block = cut::block_start(&self.lexed.tokens, start).is_some();
        if !has_block && block == Block::Invariant && self.defined_invariant(&docs) {
            return;
        }
        let (head, open) = self.block_head(start, block);
        let mut body = Body::default();
        self.body(block, &mut body, open);
        let kind = head.map_or(ItemKind::Error, |head| body.into_item(head));
        self.push(docs, kind, start);
    }

    /// What stands before the `{` of a block, and where that stands.
    pub(super) fn block_head(&mut self, start: usize, block: Block) -> (Option<BlockHead>, Span) {
        let open = cut::block_start(&self.lexed.tokens, start);
        let head = match open {
            Some(open) => self.statement(Token::StartHead, open + 1, Ending::Proper),
            None => self.head_without_brace(start),
        };
        let open = self.span_at(self.at.saturating_sub(1));
        let head = match head {
            Some(Parsed::Head(head)) => Some(head),
            _ => self.guessed_head(start, block),
        };
        (head, open)
    }

    /// A head whose `{` is missing: it ends with its line, or where the first statement starts.
    fn head_without_brace(&mut self, start: usize) -> Option<Parsed> {
        let ends = |at: usize| {
            self.is_first_on_line(at)
                || self.token_at(at).is_none_or(|t| {
                    cut::starts_inner(t) || matches!(t, Token::Semicolon | Token::CloseBrace)
                })
        };
        let end = (start + 1..=self.lexed.tokens.len()).find(|&at| ends(at))?;
        let (span, found) = (self.span_at(end), self.token_at(end));
        self.report(UnexpectedToken {
            span,
            found: misfit::in_words(found),
            expected: vec!["`{`".to_owned()],
            note: None,
        });
        let mut tokens = self.lexed.tokens[start..end].to_vec();
        let mut spans = self.lexed.spans[start..end].to_vec();
        tokens.push(Token::OpenBrace);
        spans.push(self.span_at(end - 1).after());
        self.at = end;
        if found == Some(Token::Semicolon) {
            self.at += 1;
        }
        let mut build = Builder::default();
        let parsed = statement::parse(Token::StartHead, &tokens, &spans, &mut build).ok();
        if parsed.is_none() {
            self.note_names(start, end);
        }
        parsed
    }

    /// The head of a block whose real head could not be parsed: its name, so that others can use it.
    fn guessed_head(&self, start: usize, block: Block) -> Option<BlockHead> {
        let name = self.token_at(start + 1)?.as_name()?;
        let name = super::ast::Ident { name, span: self.span_at(start + 1) };
        match block {
            Block::Process => Some(BlockHead::Process(name, Vec::new())),
            Block::Net => Some(BlockHead::Net(name, Vec::new(), Vec::new())),
            Block::Architecture => Some(BlockHead::Architecture(name)),
            Block::Relation
            | Block::Scenario
            | Block::Invariant
            | Block::Reduction
            | Block::Connector
            | Block::Rule => None,
        }
    }

    // ---- blocks ----

    /// The statements of a block, up to and with its `}`; whether there is one.
    pub(super) fn body(&mut self, block: Block, body: &mut Body, open: Span) -> bool {
        while !is_spent() {
            let docs = self.docs();
            let unclosed = |noticed| UnclosedBracket {
                span: open,
                open: "{".to_owned(),
                close: "}".to_owned(),
                noticed,
            };
            match self.peek() {
                None => {
                    // A comment that is never closed has swallowed the `}`.
                    let swallowed =
                        |p: &SyntaxProblem| matches!(p, SyntaxProblem::UnclosedComment(_));
                    if !body.open_inside && !self.problems.iter().any(swallowed) {
                        self.report(unclosed(self.end));
                    }
                    return false;
                }
                Some(Token::CloseBrace) => {
                    if !docs.is_empty() {
                        self.report(StrayDoc { span: self.last_doc() });
                    }
                    self.at += 1;
                    return true;
                }
                Some(token)
                    if cut::starts_item(token) && !self.belongs_here(block)
                        || block == Block::Rule && token == Token::Rule =>
                {
                    if !body.open_inside {
                        self.report(unclosed(self.span_at(self.at)));
                    }
                    // The comments belong to the item that comes now.
                    self.unread_docs(docs.len());
                    return false;
                }
                Some(token) => self.inner_statement(block, body, docs, token),
            }
        }
        false
    }

    /// Whether the word of an item is a habit of whoever writes a statement of this block.
    fn belongs_here(&self, block: Block) -> bool {
        let rest = self.lexed.tokens.get(self.at..).unwrap_or_default();
        block == Block::Net && habits::belongs_to_net(rest)
    }

    fn last_doc(&self) -> Span {
        let read = self.lexed.comments[..self.next_comment].iter().rev();
        read.into_iter().find(|c| c.kind == CommentKind::Doc).map_or(self.end, |c| c.span)
    }

    fn unread_docs(&mut self, count: usize) {
        let mut left = count;
        while left > 0 && self.next_comment > 0 {
            self.next_comment -= 1;
            if self.lexed.comments[self.next_comment].kind == CommentKind::Doc {
                left -= 1;
            }
        }
    }

    fn inner_statement(&mut self, block: Block, body: &mut Body, docs: Docs, token: Token) {
        let start = self.at;
        if token == Token::Semicolon {
            self.report(stray_semicolon(self.span_at(start)));
            self.at += 1;
            return;
        }
        let token = match block {
            Block::Architecture => return self.in_architecture(body, docs, token),
            Block::Scenario | Block::Invariant | Block::Reduction | Block::Connector => token,
            Block::Rule => self.mend_word_in_rule(token),
            _ if self.belongs_here(block) => token,
            Block::Process | Block::Net | Block::Relation => self.mend_inner_keyword(token),
        };
        let (end, ending) = match block {
            Block::Scenario => cut::step_end(&self.lexed.tokens, start),
            Block::Invariant => cut::condition_end(&self.lexed.tokens, start),
            Block::Rule => self.rule_statement_end(start),
            Block::Connector => cut::joint_end(&self.lexed.tokens, start),
            _ => cut::inner_end(&self.lexed.tokens, start, block == Block::Relation),
        };
        if let Some(problem) = self.misplaced(block, token) {
            self.report(problem);
            self.note_names(start, end);
            self.at = end.max(start + 1);
            return;
        }
        let mark = match block {
            Block::Process => Token::StartProcess,
            Block::Net => Token::StartNet,
            Block::Relation => Token::StartRelation,
            Block::Scenario => Token::StartScenario,
            Block::Invariant => Token::StartInvariant,
            Block::Reduction => Token::StartReduction,
            Block::Connector => Token::StartConnector,
            Block::Rule | Block::Architecture => Token::StartRule,
        };
        // A `}` or the like where a statement should start: step over it.
        let end = end.max(start + 1);
        let parsed = self.statement(mark, end, ending);
        body.push(block, docs, parsed, self.span_since(start), ending);
    }

    /// Mends `stat running;`: a name before a name is a misspelt keyword.
    fn mend_inner_keyword(&mut self, token: Token) -> Token {
        let Some(found) = token.as_name() else { return token };
        let follows = self.token_at(self.at + 1);
        if !follows.is_some_and(|next| next.as_name().is_some() || next == Token::State) {
            return token;
        }
        if let Some(meant) = habits::variable(found.as_str()) {
            // `initial s;` lacks more than the keyword, which is said at once.
            if meant == "init" && follows != Some(Token::State) {
                self.lexed.tokens[self.at] = Token::Init;
                return Token::Init;
            }
            return self.replace_keyword(found, meant);
        }
        if habits::names_sort(found.as_str()).is_some() {
            return token;
        }
        let inner = KEYWORDS.iter().filter(|(_, token)| cut::starts_inner(*token));
        let Some(meant) = closest(found.as_str(), inner.map(|(word, _)| *word)) else {
            return token;
        };
        self.replace_keyword(found, meant)
    }

    pub(super) fn replace_keyword(&mut self, found: Symbol, meant: &str) -> Token {
        let span = self.span_at(self.at);
        let (found, meant_text) = (found.to_string(), meant.to_owned());
        self.report(MisspeltKeyword { span, found, meant: meant_text });
        self.put_keyword(meant)
    }

    /// Puts a keyword for the current token.
    pub(super) fn put_keyword(&mut self, meant: &str) -> Token {
        let word = KEYWORDS.iter().chain(CONTEXTUAL).find(|(word, _)| *word == meant);
        let token = word.map_or(Token::Semicolon, |(_, token)| *token);
        self.lexed.tokens[self.at] = token;
        if matches!(token, Token::Scenario | Token::Invariant | Token::Reduction) {
            contextual::start(&mut self.lexed.tokens, self.at);
        }
        token
    }

    /// A statement of a process in a net, or the other way round.
    fn misplaced(&self, block: Block, token: Token) -> Option<SyntaxProblem> {
        // Both kinds of blocks have priorities.
        if (block, token) == (Block::Process, Token::Priority) {
            return None;
        }
        let in_rule = match block {
            Block::Process | Block::Net => self.kind_in_rule(token),
            _ => None,
        };
        let known = in_rule.map(|what| (what, "a rule of an architecture"));
        let (what, belongs) = known.or_else(|| self.kind_of_statement(token))?;
        let place = match (block, belongs) {
            (Block::Process, "a net") | (Block::Process, "a rule of an architecture") => {
                "a process"
            }
            (Block::Net, "a process") | (Block::Net, "a rule of an architecture") => "a net",
            (Block::Rule, "a process") => "a rule",
            (Block::Relation, _) => "a relation",
            (Block::Scenario, _) => "a scenario",
            (Block::Invariant, _) => "an invariant",
            (Block::Reduction, _) => "a reduction",
            (Block::Connector, _) => "the definition of a connector",
            _ => return None,
        };
        let span = self.span_at(self.at);
        let (what, place, belongs) = (what.to_owned(), place.to_owned(), belongs.to_owned());
        Some(MisplacedStatement { span, what, place, belongs }.into())
    }

    /// What kind of statement starts at the current token, and where such statements belong.
    pub(super) fn kind_of_statement(&self, token: Token) -> Option<(&'static str, &'static str)> {
        Some(match token {
            Token::Var => ("a variable", "a process"),
            Token::Init | Token::Final | Token::State => ("a state", "a process"),
            Token::Sub => ("a sub-net", "a net"),
            Token::Connect => ("a connector", "a net"),
            Token::Priority => ("a priority", "a net"),
            Token::Less => ("a vector", "a net"),
            Token::Rule => ("a rule", "an architecture"),
            _ if token.as_name().is_some() && self.token_at(self.at + 1) == Some(Token::Arrow) => {
                ("a transition", "a process")
            }
            _ => return None,
        })
    }

    // ---- what was reported, and what was not understood ----

    /// Whether something in these tokens, or between them, was reported already.
    pub(super) fn is_excused(&self, start: usize, end: usize) -> bool {
        let from = self.span_at(start).start;
        // A strange character may stand right before the first token.
        let from = start.checked_sub(1).map_or(from, |before| self.span_at(before).end);
        let to = self.span_at(end.saturating_sub(1)).end;
        let first = self.excuses.partition_point(|&at| at < from);
        self.excuses.get(first).is_some_and(|&at| at <= to)
    }

    /// Remembers the names of a text that was not understood.
    pub(super) fn note_names(&mut self, start: usize, end: usize) {
        let names = self.lexed.tokens[start..end.min(self.lexed.tokens.len())].iter();
        // A keyword may have been meant as a name, which has quotes elsewhere.
        let name = |token: &Token| {
            let word = || token.spelling().filter(|_| token.is_keyword()).map(Symbol::new);
            token.as_name().or_else(word)
        };
        self.module.unparsed_names.extend(names.filter_map(name));
    }

    // ---- one statement ----

    /// Parses the tokens up to `end`, and reports what is wrong with them.
    pub(super) fn statement(&mut self, mark: Token, end: usize, ending: Ending) -> Option<Parsed> {
        let start = self.at;
        self.at = end;
        self.stray_docs_inside(start, end);
        if let Some(deep) = cut::deeper_than(&self.lexed.tokens[start..end], MOST_BRACKETS) {
            self.report(TooDeep { span: self.span_at(start + deep) });
            self.note_names(start, end);
            return None;
        }
        if ending == Ending::Proper {
            let (tokens, spans) = (&self.lexed.tokens[start..end], &self.lexed.spans[start..end]);
            let mut build = Builder::default();
            if let Ok(parsed) = statement::parse(mark, tokens, spans, &mut build) {
                self.ended_early = false;
                if build.skipped.is_empty() {
                    self.problems.extend(build.problems);
                    return Some(parsed);
                }
            }
        }
        self.mend(mark, start, end, ending)
    }

    fn stray_docs_inside(&mut self, start: usize, end: usize) {
        let limit = self.span_at(end.saturating_sub(1).max(start)).start;
        while let Some(comment) = self.lexed.comments.get(self.next_comment).copied() {
            if comment.span.start >= limit {
                break;
            }
            if comment.kind == CommentKind::Doc {
                self.report(StrayDoc { span: comment.span });
            }
            self.next_comment += 1;
        }
    }

    /// Takes over what was found while a statement was parsed.
    fn take(&mut self, build: Builder, start: usize, end: usize) {
        if !build.skipped.is_empty() {
            self.note_names(start, end);
        }
        let described = {
            let context = self.context(start, end);
            build
                .skipped
                .iter()
                .map(|skipped| misfit::describe(skipped, context))
                .collect::<Vec<_>>()
        };
        self.problems.extend(build.problems);
        self.problems.extend(described);
    }

    fn context(&self, start: usize, end: usize) -> Context<'_> {
        Context {
            tokens: &self.lexed.tokens[start..end],
            spans: &self.lexed.spans[start..end],
            next: (self.span_at(end), self.token_at(end)),
            source: (self.text, self.base),
            ends: self.ends,
            joint: habits::joint(self.lexed, start),
        }
    }

    /// A statement that does not parse as it is: adds a missing `;`, puts the right sign for a wrong one,
    /// or reports what does not fit and gives it up.
    fn mend(&mut self, mark: Token, start: usize, end: usize, ending: Ending) -> Option<Parsed> {
        let (end, ending) = match habits::longer(&self.lexed.tokens, start, end) {
            Some(longer) if self.lexed.tokens[longer - 1] == Token::Semicolon => {
                (longer, Ending::Proper)
            }
            Some(longer) => (longer, Ending::Missing),
            None => (end, ending),
        };
        self.at = self.at.max(end);
        let mut tokens = self.lexed.tokens[start..end].to_vec();
        let mut spans = self.lexed.spans[start..end].to_vec();
        let mut ended = ending == Ending::Proper;
        if ending == Ending::Missing {
            tokens.push(Token::Semicolon);
            spans.push(self.span_at(end.saturating_sub(1)).after());
        }
        let mut found: Vec<SyntaxProblem> = Vec::new();
        for _ in 0..MOST_REPLACEMENTS {
            let mut build = Builder::default();
            let parsed = statement::parse(mark, &tokens, &spans, &mut build);
            let next = (self.span_at(end), self.token_at(end));
            let (source, joint) = ((self.text, self.base), habits::joint(self.lexed, start));
            let ends = self.ends;
            let context = Context { tokens: &tokens, spans: &spans, next, source, ends, joint };
            let mut misfits = build.skipped.iter().chain(parsed.as_ref().err());
            let cure = misfits.find_map(|misfit| habits::recognise(mark, misfit, context));
            if let Some(cure) = cure {
                if cure.splice.is_some() || !self.is_excused(start, end) {
                    found.extend(cure.problem);
                }
                ended |= cure.ends;
                let Some(splice) = cure.splice else { break };
                let (new, places): (Vec<Token>, Vec<Span>) = splice.with.into_iter().unzip();
                tokens.splice(splice.range.clone(), new);
                spans.splice(splice.range, places);
                continue;
            }
            let misfit = match parsed {
                Ok(parsed) => {
                    if !ended {
                        let (span, next) = (spans[spans.len() - 1], self.span_at(end));
                        found.push(MissingSemicolon { span, next }.into());
                    }
                    self.problems.append(&mut found);
                    self.take(build, start, end);
                    return Some(parsed);
                }
                Err(misfit) => misfit,
            };
            if let Some((index, token, problem)) = misfit::replacement(&misfit, context) {
                tokens[index] = token;
                found.push(problem);
                continue;
            }
            // The added `;` is not there for anybody else.
            let real = end - start;
            let real = real.min(tokens.len());
            let context = Context { tokens: &tokens[..real], spans: &spans[..real], ..context };
            let last = context.spans.last().map(|span| span.start);
            let at_end = misfit.at.is_none() || misfit.at.map(|at| at.start) == last;
            let rest_of_last = std::mem::replace(&mut self.ended_early, at_end && real > 1);
            let is_short = real <= 3;
            if !(self.is_excused(start, end) || rest_of_last && is_short) {
                found
                    .extend(build.skipped.iter().map(|skipped| misfit::describe(skipped, context)));
                found.push(misfit::describe(&misfit, context));
            }
            break;
        }
        self.problems.append(&mut found);
        self.note_names(start, end);
        None
    }
}

pub(super) fn stray_semicolon(span: Span) -> UnexpectedToken {
    UnexpectedToken {
        span,
        found: "`;`".to_owned(),
        expected: vec!["a statement".to_owned()],
        note: Some("remove it: blocks and lists in braces take no `;` after them".to_owned()),
    }
}
