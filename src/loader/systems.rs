//! Processes that come from files: `process Medium = lts "medium.aut";` gets the states and transitions of the file.
//!
//! Input: the tree of a module whose imports are known, and the text of each file. Output: the same tree, in which such a
//! process has a body as if somebody had written it, with places in the text of the file. States are `s0`, `s1` and so on
//! by their numbers; those that cannot be reached are left out. What a label is:
//!
//! - a name of the silent action is `tau`;
//! - `gate(v1, v2)`, or `GATE !v1 !v2`, with the name of an action that the module knows and as many values as it has, is that
//!   action: whether the values are of its sorts is looked at like everything else. A gate in capitals is also the action
//!   that differs from it in nothing but that;
//! - everything else is an action without values, which is declared with the process. Its name is the label, with `_` for
//!   what names are not made of, and a number where another action has this name.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::follow::Loader;
use super::paths::join;
use super::problems::UnreadableSystem;
use super::{LoadedModule, Unreadable};
use crate::base::IndexVec;
use crate::base::budget::is_spent;
use crate::diagnostics::{Diagnostic, Label, Severity, SourceFile, SourceMap, Span, Symbol};
use crate::lts::aut::{AutReader, lines};
use crate::lts::{Lts, LtsState};
use crate::syntax::ast::{
    Documented, Expr, ExprKind, Ident, ImportNames, Item, ItemKind, ProcessDecl,
    ProcessStatementKind, Signature, StateDecl, SystemSource, Transition,
};
use crate::syntax::token::BROKEN_TEXT;
use crate::syntax::{Builder, parse_property};

/// Names of the silent action where nothing is said.
const SILENT: [&str; 2] = ["tau", "i"];

/// The actions that a module knows, by their names and how many values they have.
type Known = FxHashSet<(Symbol, usize)>;

impl Loader<'_> {
    /// Gives processes that come from files their bodies.
    pub(super) fn systems(&mut self, module: &mut LoadedModule) {
        let is_system =
            |item: &Item| matches!(&item.kind, ItemKind::Process(p) if p.system.is_some());
        if !module.tree.items.iter().any(is_system) {
            return;
        }
        let mut known = self.known_actions(module);
        let (file, mut declared) = (module.file.clone(), Vec::new());
        for item in &mut module.tree.items {
            if let ItemKind::Process(process) = &mut item.kind
                && let Some(system) = process.system
            {
                let body = self.body(&file, &system, (&mut known, &mut declared));
                process.body = body.unwrap_or_else(|| gap(process));
            }
        }
        module.tree.items.extend(declared);
    }

    /// The actions that a module declares, and those that its imports bring.
    fn known_actions(&self, module: &LoadedModule) -> Known {
        let mut known = Known::default();
        let mut take = |module: &LoadedModule, wanted: &dyn Fn(Symbol) -> bool| {
            let items = module.tree.items.iter();
            let actions = items.filter_map(|item| match &item.kind {
                ItemKind::Action(actions) => Some(actions),
                _ => None,
            });
            let actions = actions.flatten().filter(|action| wanted(action.name.name));
            known.extend(actions.map(|action| (action.name.name, action.sorts.len())));
        };
        take(module, &|_| true);
        let prelude = self.modules.iter().filter(|module| module.is_prelude);
        prelude.for_each(|module| take(module, &|_| true));
        let imports = module.tree.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Import(import) => Some(&import.names),
            _ => None,
        });
        for (names, id) in imports.zip(&module.imports) {
            let Some(from) = id.and_then(|id| self.modules.get(id.index())) else { continue };
            match names {
                ImportNames::All => take(from, &|_| true),
                ImportNames::Under(_) => {}
                ImportNames::Listed(all) => {
                    take(from, &|name| all.iter().any(|one| one.name == name));
                }
            }
        }
        known
    }

    /// The states and transitions of a file; nothing where it cannot be read, which is reported.
    fn body(
        &mut self,
        importer: &str,
        system: &SystemSource,
        (known, declared): (&mut Known, &mut Vec<Item>),
    ) -> Option<Vec<Documented<ProcessStatementKind>>> {
        if system.file.as_str() == BROKEN_TEXT {
            return None;
        }
        let path = join(importer, system.file.as_str());
        let (text, base) = match self.system_text(&path) {
            Ok(found) => found,
            Err(why) => {
                let reason = why.to_string();
                self.report(UnreadableSystem { span: system.span, path, reason, at: None });
                return None;
            }
        };
        let lts = self.system(system, &path, (&text, base))?;
        let mut labels = Labels {
            silent: silent_names(system),
            text: &text,
            base,
            known,
            declared,
            made: FxHashMap::default(),
        };
        Some(statements(&lts, system.span, &mut labels))
    }

    /// The text of a file, and where it stands among all texts.
    fn system_text(&mut self, path: &str) -> Result<(Arc<str>, u32), Unreadable> {
        let (text, _) = self.read_file(path).map_err(Unreadable::Missing)?;
        let added = self.map.add(path.to_owned(), Arc::clone(&text));
        let index = added.map_err(|_| Unreadable::TooLarge)?;
        Ok((text, self.map.file(index).map_or(0, SourceFile::base)))
    }

    /// The system of a file; what is wrong with it is reported.
    fn system(
        &mut self,
        system: &SystemSource,
        path: &str,
        (text, base): (&str, u32),
    ) -> Option<Lts> {
        let mut reader = AutReader::new(path, &silent_names(system));
        reader.push(text.as_bytes());
        let read = reader.finish();
        let moved = |span: Span| moved(&read.sources, span, base);
        let is_error = |one: &&Diagnostic| one.severity == Severity::Error;
        if let Some(first) = read.diagnostics.iter().find(is_error) {
            let (span, path) = (system.span, path.to_owned());
            let at = Some((moved(first.primary.span), first.primary.message.clone()));
            let reason = first.message.clone();
            self.report(UnreadableSystem { span, path, reason, at });
            return None;
        }
        for mut odd in read.diagnostics {
            // It is said where the file is named: that is the text of whoever asks.
            let place = Label { span: moved(odd.primary.span), ..odd.primary };
            odd.primary = Label { span: system.span, message: "in this file".to_owned() };
            odd.secondary = vec![place];
            self.diagnostics.push(odd);
        }
        read.lts
    }
}

/// What is called silent in a file.
fn silent_names(system: &SystemSource) -> Vec<String> {
    match system.silent {
        Some(name) => vec![name.to_string()],
        None => SILENT.map(str::to_owned).to_vec(),
    }
}

/// A place in a piece of a file that was shown by itself, in the whole file.
fn moved(pieces: &SourceMap, span: Span, base: u32) -> Span {
    let Some(piece) = pieces.file_of(span) else { return Span::new(base, base) };
    let offset = |at: u32| base + piece.excerpt().byte as u32 + (at - piece.base());
    Span::new(offset(span.start), offset(span.end))
}

/// A body of which nothing is known.
fn gap(process: &ProcessDecl) -> Vec<Documented<ProcessStatementKind>> {
    let span = process.system.map_or(process.name.span, |system| system.span);
    vec![Documented { docs: Vec::new(), kind: ProcessStatementKind::Error, span }]
}

/// The states that can be reached.
fn reached(lts: &Lts) -> IndexVec<LtsState, bool> {
    let mut reached = IndexVec::of(lts.states(), false);
    reached[lts.initial()] = true;
    let mut work = vec![lts.initial()];
    while let Some(state) = work.pop().filter(|_| !is_spent()) {
        for step in lts.steps(state) {
            if !reached[step.to] {
                reached[step.to] = true;
                work.push(step.to);
            }
        }
    }
    reached
}

/// What labels come to.
struct Labels<'l> {
    silent: Vec<String>,
    text: &'l str,
    base: u32,
    known: &'l mut Known,
    declared: &'l mut Vec<Item>,
    /// The actions of labels that were met.
    made: FxHashMap<&'l str, Expr>,
}

/// The states of a system that can be reached, and its transitions, each once.
fn statements(
    lts: &Lts,
    span: Span,
    labels: &mut Labels<'_>,
) -> Vec<Documented<ProcessStatementKind>> {
    let reached = reached(lts);
    let state = |number: u32| Ident { name: Symbol::new(&format!("s{number}")), span };
    let of = |kind, span| Documented { docs: Vec::new(), kind, span };
    let initial = lts.initial();
    let others = lts.ids().filter(|one| reached[*one] && *one != initial);
    let others: Vec<Ident> = others.map(|one| state(one.0)).collect();
    let states = |init: bool, names: Vec<Ident>| {
        of(ProcessStatementKind::State(Box::new(StateDecl { init, is_final: false, names })), span)
    };
    let mut body = vec![states(true, vec![state(initial.0)])];
    if !others.is_empty() {
        body.push(states(false, others));
    }
    let mut seen: FxHashSet<(u32, &str, u32)> = FxHashSet::default();
    let text = labels.text;
    for line in lines(text) {
        if is_spent() {
            break;
        }
        let Some(label) = text.get(line.label.clone()) else { continue };
        let is_reached = reached.get(LtsState(line.from)).is_some_and(|reached| *reached);
        if !is_reached || !seen.insert((line.from, label, line.to)) {
            continue;
        }
        let place = |at: usize| labels.base + at as u32;
        let whole = Span::new(place(line.all.start), place(line.all.end));
        let ident = |number: u32| Ident { span: whole, ..state(number) };
        let transition = Transition {
            source: ident(line.from),
            target: ident(line.to),
            action: labels.action(label, line.label.start),
            guard: None,
            updates: Vec::new(),
            assert: None,
            in_sequence: false,
        };
        body.push(of(ProcessStatementKind::Transition(Box::new(transition)), whole));
    }
    body
}

impl<'l> Labels<'l> {
    /// The action of a label that stands at a place of the text.
    fn action(&mut self, label: &'l str, at: usize) -> Expr {
        if let Some(made) = self.made.get(label) {
            return made.clone();
        }
        let base = self.base + at as u32;
        let span = Span::new(base, base + label.len() as u32);
        let action = if self.silent.iter().any(|silent| silent == label) {
            Builder::default().expr(ExprKind::Tau, span.start, span.end)
        } else {
            let declared = self.called(label, base).or_else(|| self.offered(label, base));
            declared.unwrap_or_else(|| self.new_action(label, span))
        };
        self.made.insert(label, action.clone());
        action
    }

    /// `gate(v1, v2)`, or `sync gate`, as the language has it.
    fn called(&self, label: &str, base: u32) -> Option<Expr> {
        let parsed = parse_property(label, base);
        parsed.found.filter(|found| parsed.problems.is_empty() && self.is_known(found))
    }

    fn is_known(&self, action: &Expr) -> bool {
        match &action.kind {
            ExprKind::Name(name) => self.known.contains(&(*name, 0)),
            ExprKind::Call(call) => match call.callee.parts.as_slice() {
                [name] => {
                    let is_known = self.known.contains(&(name.name, call.args.len()));
                    is_known && call.args.iter().all(is_value)
                }
                _ => false,
            },
            ExprKind::Sync(inner) | ExprKind::Co(inner) => self.is_known(inner),
            _ => false,
        }
    }

    /// `GATE !v1 !v2`, as LOTOS has it.
    fn offered(&self, label: &str, base: u32) -> Option<Expr> {
        let mut pieces = label.split('!');
        let gate = pieces.next()?;
        let mut at = gate.len() + 1;
        let mut args = Vec::new();
        for piece in pieces {
            let parsed = parse_property(piece, base + at as u32);
            args.push(parsed.found.filter(|found| parsed.problems.is_empty() && is_value(found))?);
            at += piece.len() + 1;
        }
        let name = self.gate(gate.trim_end(), args.len())?;
        let span = Span::new(base, base + gate.trim_end().len() as u32);
        let (ident, end) = (Ident { name, span }, base + label.len() as u32);
        let mut build = Builder::default();
        Some(match args.is_empty() {
            true => build.path_expr((ident, Vec::new())),
            false => build.call((ident, Vec::new()).into(), args, end),
        })
    }

    /// The action that a gate is: the one of its name, or of its name in small letters if it is in capitals.
    fn gate(&self, gate: &str, values: usize) -> Option<Symbol> {
        let name = Symbol::new(gate);
        if self.known.contains(&(name, values)) {
            return Some(name);
        }
        if gate.chars().any(char::is_lowercase) {
            return None;
        }
        let mut alike = self
            .known
            .iter()
            .filter(|(name, many)| *many == values && name.as_str().to_uppercase() == gate);
        alike.next().filter(|_| alike.next().is_none()).map(|(name, _)| *name)
    }

    /// An action that nobody declared.
    fn new_action(&mut self, label: &str, span: Span) -> Expr {
        let name = self.free_name(label);
        let ident = Ident { name, span };
        let kind = ItemKind::Action(vec![Signature { name: ident, sorts: Vec::new() }]);
        self.declared.push(Item { docs: Vec::new(), kind, span });
        Builder::default().path_expr((ident, Vec::new()))
    }

    /// A name for a label that no action without values has yet.
    fn free_name(&mut self, label: &str) -> Symbol {
        let plain = as_name(label);
        let first = std::iter::once(Symbol::new(&plain));
        let numbered = (2u32..).map(|number| Symbol::new(&format!("{plain}_{number}")));
        let mut names = first.chain(numbered);
        let free = names.find(|name| self.known.insert((*name, 0)));
        free.unwrap_or_else(|| Symbol::new(&plain))
    }
}

/// A label as a name: what names are not made of is `_`.
fn as_name(label: &str) -> String {
    let mut name = String::with_capacity(label.len());
    for c in label.chars() {
        if unicode_ident::is_xid_continue(c) {
            name.push(c);
        } else if !name.ends_with('_') {
            name.push('_');
        }
    }
    let name = name.trim_end_matches('_');
    // A lone `_` is no name.
    if name.is_empty() {
        return "label".to_owned();
    }
    let begins = name.chars().next().is_some_and(unicode_ident::is_xid_start);
    if begins { name.to_owned() } else { format!("_{name}") }
}

/// Whether an expression is a value, as far as its form tells.
fn is_value(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Name(_) | ExprKind::Path(_) => true,
        ExprKind::Call(call) => call.args.iter().all(is_value),
        ExprKind::Negate(inner) => is_value(inner),
        _ => false,
    }
}
