//! A tree as text. What is printed parses to the same tree; how it looks is the formatter's business.

mod blocks;
mod connector;
mod expr;
mod temporal;

use super::ast::{
    Assignment, Binder, CheckDecl, Constructor, DataDecl, Expr, ExprKind, FunDecl, Ident, Import,
    ImportNames, ImportSource, Instance, Item, ItemKind, Module, Path, PriorityOrder, Range,
    Signature, Sort, SortKind,
};
use super::token::{CONTEXTUAL, needs_quotes};
use crate::diagnostics::Symbol;

/// The tree as text, in the canonical spelling. Parts that could not be parsed are left out.
pub fn print(module: &Module) -> String {
    let mut printer = Printer::default();
    for item in &module.items {
        printer.item(item);
    }
    printer.out
}

/// A range as text, as in `0..n`.
pub fn print_range(range: &Range) -> String {
    let mut printer = Printer::default();
    printer.expr_at(&range.low, expr::ADDITIVE);
    printer.put("..");
    printer.expr_at(&range.high, expr::ADDITIVE);
    printer.out
}

/// The orders of a priority as text, as in `cross(i) < stop(i) for i in 0..n`.
pub fn print_order(order: &PriorityOrder) -> String {
    let mut printer = Printer::default();
    printer.order(order);
    printer.out
}

/// An instance as text, as in `Ring<5>(P: Timer)`.
pub fn print_instance(instance: &Instance) -> String {
    let mut printer = Printer::default();
    printer.instance(instance);
    printer.out
}

/// What is assigned, as text: `r[i].y`.
pub fn print_place(assignment: &Assignment) -> String {
    let mut printer = Printer::default();
    printer.place(assignment);
    printer.out
}

/// An expression as text.
pub fn print_expr(expr: &Expr) -> String {
    let mut printer = Printer::default();
    printer.expr(expr);
    printer.out
}

#[derive(Default)]
struct Printer {
    out: String,
    /// Whether it is in the definition of a connector, where more words are no names.
    in_connector: bool,
    /// In a formula, whose words are no names: the names of its fixpoints, which are.
    in_formula: Option<Vec<Symbol>>,
}

impl Printer {
    // ---- pieces that everything is made of ----

    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn name(&mut self, name: Symbol) {
        let text = name.as_str();
        if needs_quotes(text)
            || self.in_connector && connector::is_word(text)
            || temporal::is_word(self.in_formula.as_deref(), name)
        {
            self.quoted(text);
        } else {
            self.put(text);
        }
    }

    fn quoted(&mut self, text: &str) {
        self.put("`");
        self.put(text);
        self.put("`");
    }

    fn ident(&mut self, ident: Ident) {
        self.name(ident.name);
    }

    fn path(&mut self, path: &Path) {
        self.list(".", &path.parts, |p, part| p.ident(*part));
    }

    fn list<T>(&mut self, between: &str, all: &[T], mut one: impl FnMut(&mut Printer, &T)) {
        for (at, element) in all.iter().enumerate() {
            if at > 0 {
                self.put(between);
            }
            one(self, element);
        }
    }

    fn names(&mut self, names: &[Ident]) {
        self.list(", ", names, |p, name| p.ident(*name));
    }

    /// A list between brackets, and nothing at all when it is empty.
    fn bracketed<T>(
        &mut self,
        brackets: (&str, &str),
        all: &[T],
        one: impl FnMut(&mut Printer, &T),
    ) {
        if !all.is_empty() {
            self.put(brackets.0);
            self.list(", ", all, one);
            self.put(brackets.1);
        }
    }

    fn docs(&mut self, docs: &[Symbol], indent: &str) {
        for line in docs {
            self.put(indent);
            self.put("///");
            if !line.as_str().is_empty() {
                self.put(" ");
                self.put(line.as_str());
            }
            self.put("\n");
        }
    }

    // ---- declarations ----

    fn item(&mut self, item: &Item) {
        if matches!(item.kind, ItemKind::Error) {
            return;
        }
        self.docs(&item.docs, "");
        self.item_kind(&item.kind);
        self.put("\n");
    }

    fn item_kind(&mut self, kind: &ItemKind) {
        match kind {
            ItemKind::Error => {}
            ItemKind::Module(path) => self.ended("module ", |p| p.path(path)),
            ItemKind::Import(import) => self.ended("import ", |p| p.import(import)),
            ItemKind::Sort(names) => self.ended("sort ", |p| p.names(names)),
            ItemKind::Data(data) => self.data(data),
            ItemKind::Fun(fun) => self.ended("fun ", |p| p.fun(fun)),
            ItemKind::Axiom(body) => self.ended("axiom ", |p| p.expr(body)),
            ItemKind::Const(constant) => self.ended("const ", |p| {
                p.sorted(constant.name, &constant.sort);
                p.value(constant.value.as_ref());
            }),
            ItemKind::Action(actions) => self.ended("action ", |p| p.signatures(actions)),
            ItemKind::Interface(interface) => {
                self.put("interface ");
                self.ident(interface.name);
                self.put(" { ");
                self.signatures(&interface.actions);
                self.put(" }");
            }
            ItemKind::Process(process) => self.process(process),
            ItemKind::Net(net) => self.net(net),
            ItemKind::Check(check) => self.ended("check ", |p| p.check(check)),
            ItemKind::Relation(relation) => self.relation(relation),
            ItemKind::Scenario(scenario) => self.scenario(scenario),
            ItemKind::Invariant(invariant) => self.invariant(invariant),
            ItemKind::Reduction(reduction) => self.reduction(reduction),
            ItemKind::Architecture(one) => self.architecture(one),
            ItemKind::Connector(one) => self.connector_decl(one),
            ItemKind::Property(property) => self.ended("property ", |p| p.property(property)),
        }
    }

    /// A statement with its first word and its `;`.
    fn ended(&mut self, start: &str, inside: impl FnOnce(&mut Printer)) {
        self.put(start);
        inside(self);
        self.put(";");
    }

    fn import(&mut self, import: &Import) {
        match &import.source {
            ImportSource::Library(path) => self.path(path),
            ImportSource::File(name) => {
                self.put("\"");
                self.put(name.as_str());
                self.put("\"");
            }
        }
        match &import.names {
            ImportNames::All => {}
            ImportNames::Under(name) => {
                self.put(" as ");
                self.ident(*name);
            }
            ImportNames::Listed(names) => {
                self.put(" (");
                self.names(names);
                self.put(")");
            }
        }
    }

    fn data(&mut self, data: &DataDecl) {
        self.put(if data.is_enum { "enum " } else { "data " });
        self.ident(data.name);
        self.sort_names(&data.params);
        self.put(" { ");
        self.list(", ", &data.constructors, Printer::constructor);
        self.put(" }");
    }

    /// The sorts that data or a function is over.
    fn sort_names(&mut self, names: &[Ident]) {
        self.bracketed(("<", ">"), names, |p, name| p.ident(*name));
    }

    fn constructor(&mut self, constructor: &Constructor) {
        self.ident(constructor.name);
        self.bracketed(("(", ")"), &constructor.fields, Printer::binder);
    }

    fn fun(&mut self, fun: &FunDecl) {
        self.ident(fun.name);
        self.sort_names(&fun.sorts);
        self.put("(");
        self.list(", ", &fun.params, Printer::binder);
        self.put("): ");
        self.sort(&fun.result);
        self.measures(&fun.measures);
        self.value(fun.body.as_ref());
    }

    fn measures(&mut self, measures: &[Expr]) {
        if let [only] = measures
            && !matches!(only.kind, ExprKind::Tuple(_))
        {
            self.put(" decreases ");
            self.expr_at(only, expr::ADDITIVE);
        } else {
            self.bracketed((" decreases (", ")"), measures, Printer::expr);
        }
    }

    fn binder(&mut self, binder: &Binder) {
        self.sorted(binder.name, &binder.sort);
    }

    fn sorted(&mut self, name: Ident, sort: &Sort) {
        self.ident(name);
        self.put(": ");
        self.sort(sort);
    }

    fn signatures(&mut self, signatures: &[Signature]) {
        self.list(", ", signatures, |p, signature| {
            p.ident(signature.name);
            p.bracketed(("(", ")"), &signature.sorts, Printer::sort);
        });
    }

    fn sort(&mut self, sort: &Sort) {
        match &sort.kind {
            SortKind::Error => {}
            SortKind::Named(path) => self.path(path),
            SortKind::Actions => self.put("actions"),
            SortKind::AnySort => self.put("sort"),
            SortKind::Applied(all) => {
                self.path(&all.0);
                self.bracketed(("<", ">"), &all.1, Printer::sort);
            }
            SortKind::ActionOf(sorts) => {
                self.put("Action(");
                self.list(", ", sorts, Printer::sort);
                self.put(")");
            }
            SortKind::Range(range) => self.range(range),
            SortKind::Array(both) => {
                self.put("[");
                self.sort(&both.0);
                self.put("]");
                self.sort(&both.1);
            }
        }
    }

    fn check(&mut self, check: &CheckDecl) {
        if check.negated {
            self.put("not ");
        }
        self.check_kind(check);
        self.put("(");
        self.list(", ", &check.nets, Printer::instance);
        let listed = !check.nets.is_empty();
        for part in &check.parts {
            self.put(", ");
            self.expr(part);
        }
        for property in check.most.iter().chain(&check.property) {
            if listed {
                self.put(", ");
            }
            match temporal::takes_formula(check) {
                true => self.formula(property),
                false => self.expr(property),
            }
        }
        self.put(")");
        self.fair(check);
        if let Some(figures) = &check.figures {
            self.put(" == (");
            self.expr(&figures.0);
            self.put(", ");
            self.expr(&figures.1);
            self.put(")");
        }
        if let Some(by) = &check.by {
            self.put(" by ");
            self.path(by);
        }
        if let Some(holes) = &check.tracking {
            self.put(" tracking { ");
            self.names(holes);
            self.put(" }");
        }
    }

    /// `always`, `reaches`, `live`, `mutex` and `at_most` take a property or an action; where such a word stands without, it was quoted.
    fn check_kind(&mut self, check: &CheckDecl) {
        let word = check.kind.name.as_str();
        // `never(A)` asks about the claims of its rules.
        let about_claims = word == "never" && check.nets.len() == 1 && check.figures.is_none();
        if check.property.is_none()
            && !about_claims
            && CONTEXTUAL.iter().any(|(known, _)| *known == word)
        {
            self.quoted(word);
        } else {
            self.ident(check.kind);
        }
    }
}
