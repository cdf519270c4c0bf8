//! Planting mistakes: a model without mistakes gets some, each in a statement of its own, with the codes and the
//! lines by which it should be reported.
//!
//! Places are found in the tree of the model, so that models made by hand and by a generator are treated alike. No
//! edit adds or removes a line: a line of the model is the same line with the mistakes in it.

mod forms;
mod names;
mod sorts;
mod syntax;

use rustc_hash::FxHashSet;
use std::ops::Range;

use pnetc::diagnostics::Span;
use pnetc::syntax::ast::{
    ConnectDecl, Expr, Ident, ImportNames, ItemKind, Module, NetBody, NetStatementKind, Pair,
    PairKind, Priority, ProcessStatementKind, StateDecl, SubDecl, Transition, VarDecl, Vector,
};
use pnetc::syntax::parse;
use pnetc::syntax::token::{Lexed, Token, is_name, needs_quotes};

use super::Random;

/// A model without mistakes.
pub struct Base {
    pub text: String,
    pub module: Module,
    pub lexed: Lexed,
    /// All names in it.
    names: FxHashSet<String>,
}

/// A mistake.
#[derive(Clone, Debug)]
pub struct Plant {
    pub kind: &'static str,
    /// The texts that are replaced, and by what.
    pub edits: Vec<(Range<usize>, String)>,
    /// The texts that no other mistake may touch.
    pub regions: Vec<Range<usize>>,
    /// The codes by which it may be reported, and the lines.
    pub codes: &'static [&'static str],
    pub lines: Vec<Range<usize>>,
}

/// A kind of mistake: finds a place for one, if there is any.
pub type Kind = (&'static str, fn(&Base, &mut Random) -> Option<Plant>);

/// All kinds of mistakes.
pub fn kinds() -> Vec<Kind> {
    [syntax::KINDS, names::KINDS, sorts::KINDS, forms::KINDS].concat()
}

/// A statement of a block, or a declaration without a block.
pub struct Statement<'b> {
    /// With its `;`.
    pub range: Range<usize>,
    /// The number of the declaration it stands in.
    pub item: usize,
    pub what: What<'b>,
}

#[derive(Clone, Copy)]
pub enum What<'b> {
    Var(&'b VarDecl),
    State(&'b StateDecl),
    Transition(&'b Transition),
    Sub(&'b SubDecl),
    Vector(&'b Vector),
    Connect(&'b ConnectDecl),
    Priority(&'b Priority),
    Pair(&'b Pair),
    Item(&'b ItemKind),
}

/// A span as a range of bytes.
pub fn range(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

impl Base {
    pub fn new(text: String) -> Base {
        let parsed = parse(&text, 0);
        let names = parsed.lexed.tokens.iter().filter_map(|token| token.as_name());
        let names = names.map(|name| name.as_str().to_owned()).collect();
        Base { module: parsed.module, lexed: parsed.lexed, names, text }
    }

    pub fn slice(&self, span: Span) -> &str {
        &self.text[range(span)]
    }

    /// The line of a byte, from 1.
    pub fn line(&self, at: usize) -> usize {
        1 + self.text[..at].matches('\n').count()
    }

    /// The lines of a text, from its first to one past its last.
    pub fn lines(&self, range: &Range<usize>) -> Range<usize> {
        self.line(range.start)..self.line(range.end) + 1
    }

    /// All statements of blocks, and all declarations without a block.
    pub fn statements(&self) -> Vec<Statement<'_>> {
        let mut all = Vec::new();
        for (item, declaration) in self.module.items.iter().enumerate() {
            let mut add = |span: Span, what| {
                let mut range = range(span);
                range.end += usize::from(self.text[range.end..].starts_with(';'));
                all.push(Statement { range, item, what });
            };
            match &declaration.kind {
                ItemKind::Process(process) => {
                    for statement in &process.body {
                        let what = match &statement.kind {
                            ProcessStatementKind::Var(var) => What::Var(var),
                            ProcessStatementKind::State(state) => What::State(state),
                            ProcessStatementKind::Transition(one) => What::Transition(one),
                            ProcessStatementKind::Error | ProcessStatementKind::Priority(_) => {
                                continue;
                            }
                        };
                        add(statement.span, what);
                    }
                }
                ItemKind::Net(net) if matches!(net.body, NetBody::Block(_)) => {
                    let NetBody::Block(statements) = &net.body else { continue };
                    for statement in statements {
                        let what = match &statement.kind {
                            NetStatementKind::Sub(sub) => What::Sub(sub),
                            NetStatementKind::Vector(vector) => What::Vector(vector),
                            NetStatementKind::Connect(connect) => What::Connect(connect),
                            NetStatementKind::Priority(priority) => What::Priority(priority),
                            NetStatementKind::Error => continue,
                        };
                        add(statement.span, what);
                    }
                }
                ItemKind::Relation(relation) => {
                    for statement in &relation.pairs {
                        if let PairKind::Pair(pair) = &statement.kind {
                            add(statement.span, What::Pair(pair));
                        }
                    }
                }
                ItemKind::Scenario(_)
                | ItemKind::Invariant(_)
                | ItemKind::Reduction(_)
                | ItemKind::Architecture(_)
                | ItemKind::Connector(_) => {}
                kind => add(declaration.span, What::Item(kind)),
            }
        }
        all
    }

    /// The head of a declaration with a block: up to and with its `{`.
    pub fn head(&self, item: usize) -> Option<Range<usize>> {
        let declaration = &self.module.items[item];
        let is_block = match &declaration.kind {
            ItemKind::Process(_)
            | ItemKind::Relation(_)
            | ItemKind::Scenario(_)
            | ItemKind::Invariant(_)
            | ItemKind::Reduction(_)
            | ItemKind::Architecture(_)
            | ItemKind::Connector(_) => true,
            ItemKind::Net(net) => matches!(net.body, NetBody::Block(_)),
            _ => false,
        };
        let whole = range(declaration.span);
        let mut depth = 0;
        for (token, span) in self.tokens(&whole) {
            match token {
                Token::OpenParen => depth += 1,
                Token::CloseParen => depth -= 1,
                Token::OpenBrace if depth == 0 && is_block => {
                    return Some(whole.start..range(span).end);
                }
                _ => {}
            }
        }
        None
    }

    /// The tokens inside a text.
    pub fn tokens(&self, inside: &Range<usize>) -> Vec<(Token, Span)> {
        let all = self.lexed.tokens.iter().copied().zip(self.lexed.spans.iter().copied());
        all.filter(|(_, span)| inside.start <= range(*span).start && range(*span).end <= inside.end)
            .collect()
    }

    /// The expressions of a statement of a process, with all that is inside them.
    pub fn expressions<'b>(what: &What<'b>) -> Vec<&'b Expr> {
        let mut roots: Vec<&Expr> = Vec::new();
        match what {
            What::Transition(transition) => {
                roots.extend(&transition.guard);
                roots.extend(transition.updates.iter().map(|update| &update.value));
            }
            What::Item(ItemKind::Fun(fun)) => roots.extend(&fun.body),
            _ => {}
        }
        let mut all = Vec::new();
        for root in roots {
            pnetc::syntax::walk::walk(root, &mut |expr| all.push(expr));
        }
        all
    }

    /// A name like this one that the model does not have.
    pub fn misspelt(&self, random: &mut Random, name: &str) -> Option<String> {
        if name.starts_with('`') {
            return None;
        }
        let letters: Vec<char> = name.chars().collect();
        for _ in 0..20 {
            let mut other = letters.clone();
            // The first letter stays: its case says what kind of name it is.
            let at = if other.len() > 1 { random.between(1, other.len() - 1) } else { 0 };
            match random.below(3) {
                0 if other.len() > 3 => {
                    other.remove(at);
                }
                1 if at + 1 < other.len() => other.swap(at, at + 1),
                _ => other.insert(at + 1, *random.pick(&['e', 'a', 'o', 'n', 'r', 't'])),
            }
            let other: String = other.into_iter().collect();
            if is_name(&other)
                && !needs_quotes(&other)
                && !self.names.contains(&other)
                && other != name
            {
                return Some(other);
            }
        }
        None
    }

    // ---- making plants ----

    /// A mistake in a statement, by one edit, to be reported in the statement's lines.
    fn in_statement(
        &self,
        kind: &'static str,
        statement: &Range<usize>,
        edit: (Range<usize>, String),
        codes: &'static [&'static str],
    ) -> Plant {
        let lines = vec![self.lines(statement)];
        Plant { kind, edits: vec![edit], regions: vec![statement.clone()], codes, lines }
    }

    /// Something inserted after a statement, to be reported in its last line.
    fn after(
        &self,
        kind: &'static str,
        statement: &Range<usize>,
        text: String,
        codes: &'static [&'static str],
    ) -> Plant {
        let end = statement.end;
        let line = self.line(end);
        let lines = vec![line..line + 1];
        let edits = vec![(end..end, format!(" {text}"))];
        Plant { kind, edits, regions: vec![statement.clone()], codes, lines }
    }

    /// A misspelt name in one of some places.
    fn misspelling(
        &self,
        random: &mut Random,
        kind: &'static str,
        places: &[(Range<usize>, Span)],
        codes: &'static [&'static str],
    ) -> Option<Plant> {
        let (statement, span) = random.pick_some(places)?.clone();
        let name = self.misspelt(random, self.slice(span))?;
        let line = self.line(range(span).start);
        let mut plant = self.in_statement(kind, &statement, (range(span), name), codes);
        plant.lines = vec![line..line + 1];
        Some(plant)
    }
}

impl Base {
    /// Whether two mistakes have to do with each other: they stand in one statement, or one stands in the
    /// declaration of what the other's statement uses.
    fn depend(&self, a: &Plant, b: &Plant) -> bool {
        a.touches(b)
            || self.mentions(b, &self.declared_in(a))
            || self.mentions(a, &self.declared_in(b))
    }

    fn mentions(&self, plant: &Plant, names: &FxHashSet<String>) -> bool {
        let inside = plant.regions.iter().flat_map(|region| self.tokens(region));
        let mut used = inside.filter_map(|(token, _)| token.as_name());
        used.any(|name| names.contains(name.as_str()))
    }

    /// The names that are declared by the declaration in which a mistake stands.
    fn declared_in(&self, plant: &Plant) -> FxHashSet<String> {
        let mut names = FxHashSet::default();
        for item in &self.module.items {
            let whole = range(item.span);
            if !plant.regions.iter().any(|r| r.start < whole.end && whole.start < r.end) {
                continue;
            }
            let mut add = |ident: &Ident| {
                names.insert(ident.name.as_str().to_owned());
            };
            match &item.kind {
                ItemKind::Sort(all) => all.iter().for_each(&mut add),
                ItemKind::Data(data) => {
                    add(&data.name);
                    for constructor in &data.constructors {
                        add(&constructor.name);
                        constructor.fields.iter().for_each(|field| add(&field.name));
                    }
                }
                ItemKind::Fun(fun) => add(&fun.name),
                ItemKind::Const(constant) => add(&constant.name),
                ItemKind::Action(all) => all.iter().for_each(|action| add(&action.name)),
                ItemKind::Interface(interface) => add(&interface.name),
                ItemKind::Import(import) => match &import.names {
                    ImportNames::Under(name) => add(name),
                    ImportNames::Listed(names) => names.iter().for_each(&mut add),
                    ImportNames::All => {}
                },
                _ => {}
            }
        }
        names
    }
}

impl Plant {
    fn touches(&self, other: &Plant) -> bool {
        let overlap = |a: &Range<usize>, b: &Range<usize>| a.start <= b.end && b.start <= a.end;
        self.regions.iter().any(|a| other.regions.iter().any(|b| overlap(a, b)))
    }

    /// Whether a message with this code in this line is about this mistake.
    pub fn explains(&self, code: &str, line: usize) -> bool {
        self.codes.contains(&code) && self.lines.iter().any(|lines| lines.contains(&line))
    }
}

/// Plants so many mistakes of different kinds; fewer, if there are no more places.
pub fn plant(base: &Base, random: &mut Random, count: usize) -> (String, Vec<Plant>) {
    let mut kinds = kinds();
    random.shuffle(&mut kinds);
    let mut plants: Vec<Plant> = Vec::new();
    for (_, find) in kinds {
        if plants.len() == count {
            break;
        }
        for _ in 0..4 {
            let Some(found) = find(base, random) else { continue };
            if plants.iter().all(|plant| !base.depend(plant, &found)) {
                plants.push(found);
                break;
            }
        }
    }
    (apply(base, &plants), plants)
}

/// The model with the mistakes in it.
pub fn apply(base: &Base, plants: &[Plant]) -> String {
    let mut edits: Vec<&(Range<usize>, String)> =
        plants.iter().flat_map(|plant| &plant.edits).collect();
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let mut text = base.text.clone();
    for (range, new) in edits.into_iter().rev() {
        text.replace_range(range.clone(), new);
    }
    text
}
