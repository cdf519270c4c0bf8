//! The shape of a text: what it declares, what can be folded, and what stands around a place.

use crate::diagnostics::Span;
use crate::model::Checked;
use crate::sema::NameKind;
use crate::syntax::ast::{Ident, Item, ItemKind, NetBody, NetStatementKind, ProcessStatementKind};
use crate::syntax::token::{Token, lex};

/// Something that is declared.
#[derive(Clone, Debug)]
pub struct Outlined {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: NameKind,
    /// All of it.
    pub span: Span,
    /// Its name in the text.
    pub place: Span,
    /// What is declared inside of it.
    pub inside: Vec<Outlined>,
}

impl Outlined {
    fn new(ident: Ident, kind: NameKind, span: Span, inside: Vec<Outlined>) -> Outlined {
        Outlined { name: ident.name.to_string(), kind, span, place: ident.span, inside }
    }
}

/// What the file that was asked for declares.
pub fn outline(checked: &Checked) -> Vec<Outlined> {
    checked.tree.items.iter().flat_map(item).collect()
}

fn item(item: &Item) -> Vec<Outlined> {
    let span = item.span;
    let one = |ident: Ident, kind| vec![Outlined::new(ident, kind, span, Vec::new())];
    match &item.kind {
        ItemKind::Sort(names) => names
            .iter()
            .map(|name| Outlined::new(*name, NameKind::Sort, name.span, Vec::new()))
            .collect(),
        ItemKind::Data(data) => {
            let all = data.constructors.iter();
            let inside = all
                .map(|c| Outlined::new(c.name, NameKind::Constructor, c.name.span, Vec::new()))
                .collect();
            vec![Outlined::new(data.name, NameKind::Sort, span, inside)]
        }
        ItemKind::Fun(fun) => one(fun.name, NameKind::Function),
        ItemKind::Const(constant) => one(constant.name, NameKind::Constant),
        ItemKind::Action(all) => all
            .iter()
            .map(|a| Outlined::new(a.name, NameKind::Action, a.name.span, Vec::new()))
            .collect(),
        ItemKind::Interface(interface) => one(interface.name, NameKind::Interface),
        ItemKind::Process(process) => {
            let mut inside = Vec::new();
            for statement in &process.body {
                match &statement.kind {
                    ProcessStatementKind::State(states) => {
                        inside.extend(states.names.iter().map(|name| {
                            Outlined::new(*name, NameKind::State, name.span, Vec::new())
                        }));
                    }
                    ProcessStatementKind::Var(var) => {
                        let kind = NameKind::Local(crate::sema::program::LocalKind::Variable);
                        inside.push(Outlined::new(var.name, kind, statement.span, Vec::new()));
                    }
                    _ => {}
                }
            }
            vec![Outlined::new(process.name, NameKind::Process, span, inside)]
        }
        ItemKind::Net(net) => {
            let holes = net.holes.iter();
            let mut inside: Vec<Outlined> = holes
                .map(|hole| Outlined::new(hole.name, NameKind::Hole, hole.name.span, Vec::new()))
                .collect();
            if let NetBody::Block(statements) = &net.body {
                for statement in statements {
                    if let NetStatementKind::Sub(sub) = &statement.kind {
                        let (name, span) = (sub.name, statement.span);
                        inside.push(Outlined::new(name, NameKind::Part, span, Vec::new()));
                    }
                }
            }
            vec![Outlined::new(net.name, NameKind::Net, span, inside)]
        }
        ItemKind::Relation(relation) => one(relation.name, NameKind::Relation),
        ItemKind::Invariant(invariant) => one(invariant.name, NameKind::Relation),
        ItemKind::Reduction(reduction) => one(reduction.name, NameKind::Relation),
        ItemKind::Architecture(architecture) => one(architecture.name, NameKind::Architecture),
        ItemKind::Connector(connector) => one(connector.name, NameKind::Connector),
        ItemKind::Property(property) => one(property.name, NameKind::Property),
        ItemKind::Error
        | ItemKind::Module(_)
        | ItemKind::Import(_)
        | ItemKind::Axiom(_)
        | ItemKind::Check(_)
        | ItemKind::Scenario(_) => Vec::new(),
    }
}

/// The texts between braces, from the one to the other.
fn braces(text: &str, base: u32) -> Vec<Span> {
    let (lexed, _) = lex(text, base);
    let (mut open, mut all) = (Vec::new(), Vec::new());
    for (token, span) in lexed.tokens.iter().zip(&lexed.spans) {
        match token {
            Token::OpenBrace => open.push(span.start),
            Token::CloseBrace => all.extend(open.pop().map(|start| Span::new(start, span.end))),
            _ => {}
        }
    }
    all
}

/// What can be folded: blocks, and comments of several lines.
pub fn folds(text: &str) -> Vec<(Span, bool)> {
    let mut all: Vec<(Span, bool)> = braces(text, 0).into_iter().map(|one| (one, false)).collect();
    let mut comment: Option<Span> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let next = at + line.len() as u32;
        if line.trim_start().starts_with("//") {
            let start = comment.map_or(at, |known| known.start);
            comment = Some(Span::new(start, at + line.trim_end().len() as u32));
        } else {
            all.extend(comment.take().map(|one| (one, true)));
        }
        at = next;
    }
    all.extend(comment.map(|one| (one, true)));
    all.sort_by_key(|(span, _)| (span.start, span.end));
    all
}

/// What stands around an offset of a text, from the inside out.
pub fn selections(checked: &Checked, offset: u32) -> Vec<Span> {
    let Some(file) = super::root(checked) else { return Vec::new() };
    let here = Span::new(offset, offset);
    let mut all: Vec<Span> = braces(file.text(), file.base());
    all.extend(super::name_at(checked, offset).map(|one| one.span));
    for item in &checked.tree.items {
        all.push(item.span);
        match &item.kind {
            ItemKind::Process(process) => all.extend(process.body.iter().map(|one| one.span)),
            ItemKind::Net(net) => {
                if let NetBody::Block(statements) = &net.body {
                    all.extend(statements.iter().map(|one| one.span));
                }
            }
            _ => {}
        }
    }
    all.push(file.span());
    all.retain(|one| one.contains(here));
    all.sort_by_key(|one| one.end - one.start);
    all.dedup();
    // Each is inside of the next.
    let mut nested: Vec<Span> = Vec::with_capacity(all.len());
    for one in all {
        if nested.last().is_none_or(|inner| one.contains(*inner)) {
            nested.push(one);
        }
    }
    nested
}
