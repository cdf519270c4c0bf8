//! Writes a term with as few parentheses as it needs.

use std::fmt::Write;

use crate::algebra::{DataId, Sort, Term, TermId, VarId};
use crate::diagnostics::Symbol;
use crate::emit::Scope;
use crate::emit::names::{called, quoted};

/// Beyond so many bytes nobody reads on.
const LONGEST: usize = 2000;
/// Beyond so many levels nobody understands.
const DEEPEST: usize = 100;

// How tightly things bind, as in the grammar.
const ANY: u8 = 0;
const DISJUNCTION: u8 = 1;
const CONJUNCTION: u8 = 2;
const NEGATION: u8 = 3;
const COMPARISON: u8 = 4;
const SUM: u8 = 5;
const PRODUCT: u8 = 6;
const OPERAND: u8 = 7;
const POSTFIX: u8 = 8;
const TERM: u8 = 9;

/// A term, with a `?` before some variables.
pub(super) fn marked(scope: Scope<'_>, id: TermId, marks: &[VarId]) -> String {
    let mut writer = Writer { scope, out: String::new(), marks, bound: Vec::new() };
    writer.term(id, ANY, 0);
    writer.out
}

/// A sort.
pub(super) fn written(scope: Scope<'_>, of: &Sort) -> String {
    let mut writer = Writer { scope, out: String::new(), marks: &[], bound: Vec::new() };
    writer.sort(of, 0);
    writer.out
}

struct Writer<'a> {
    scope: Scope<'a>,
    out: String,
    /// The variables to write with a `?`.
    marks: &'a [VarId],
    /// The variables of the formulas around, with their names here.
    bound: Vec<(VarId, String)>,
}

impl Writer<'_> {
    fn term(&mut self, id: TermId, at_least: u8, depth: usize) {
        if self.out.len() > LONGEST || depth > DEEPEST {
            if !self.out.ends_with('…') {
                self.out.push('…');
            }
            return;
        }
        let parentheses = self.level(id) < at_least;
        if parentheses {
            self.out.push('(');
        }
        self.bare(id, depth + 1);
        if parentheses {
            self.out.push(')');
        }
    }

    fn level(&self, id: TermId) -> u8 {
        match self.scope.terms.get(id) {
            Term::If(..) if self.scope.terms.truncated(id).is_some() => PRODUCT,
            Term::If(..) | Term::Forall(..) | Term::Exists(..) => ANY,
            Term::Or(args) if self.alternatives(args).is_some() => COMPARISON,
            Term::Or(args) if self.premise(args).is_some() => ANY,
            Term::Or(_) => DISJUNCTION,
            Term::And(_) => CONJUNCTION,
            Term::Not(inner) => match self.level(*inner) {
                COMPARISON => COMPARISON,
                _ => NEGATION,
            },
            Term::Equal(..) | Term::Less(..) | Term::LessEqual(..) => COMPARISON,
            Term::IsAct(..) | Term::IsSync(_) | Term::IsCo(_) | Term::IsConstructor(..) => {
                COMPARISON
            }
            Term::Add(_) => SUM,
            Term::Multiply(args) if matches!(self.opposite(args), Some([_])) => OPERAND,
            Term::Multiply(_) | Term::Div(..) | Term::Mod(..) => PRODUCT,
            Term::Sync(_) | Term::Co(_) => OPERAND,
            Term::Int(value) if value.sign() == num_bigint::Sign::Minus => OPERAND,
            Term::Index(..) | Term::Update(..) | Term::Select(..) => POSTFIX,
            Term::Argument(..) | Term::Inner(_) => POSTFIX,
            _ => TERM,
        }
    }

    fn bare(&mut self, id: TermId, depth: usize) {
        let scope = self.scope;
        match scope.terms.get(id) {
            Term::Bool(value) => self.word(value),
            Term::Int(value) => self.word(value),
            Term::Var(variable) => {
                let name = self.variable(*variable);
                if self.marks.contains(variable) && name != "_" {
                    self.out.push('?');
                }
                self.word(name);
            }
            Term::Const(id) => self.name(scope.algebra.constants[id.index()].name),
            Term::Apply(id, args) => {
                let name = called(scope.algebra.functions[id.index()].name.as_str());
                self.call(Symbol::new(name), args, depth)
            }
            Term::Construct(data, index, args) => {
                self.call(self.constructor(*data, *index).0, args, depth)
            }
            Term::Act(id, args) => self.call(scope.algebra.action(*id).name, args, depth),
            Term::Tau => self.word("tau"),
            Term::Sync(inner) => self.prefix("sync ", *inner, OPERAND, depth),
            Term::Co(inner) => self.prefix("co ", *inner, OPERAND, depth),
            Term::Select(data, index, field, inner) => {
                self.term(*inner, POSTFIX, depth);
                let constructor =
                    &scope.algebra.datatypes[data.index()].constructors[*index as usize];
                self.word(".");
                self.name(constructor.fields[*field as usize].0);
            }
            Term::Argument(_, index, inner) => {
                self.term(*inner, POSTFIX, depth);
                let _ = write!(self.out, ".{index}");
            }
            Term::Inner(inner) => {
                self.term(*inner, POSTFIX, depth);
                self.word(".inner");
            }
            Term::Index(array, key) => {
                self.term(*array, POSTFIX, depth);
                self.around("[", *key, "]", depth);
            }
            Term::Update(array, key, value) => {
                self.term(*array, POSTFIX, depth);
                self.around("[", *key, " := ", depth);
                self.around("", *value, "]", depth);
            }
            Term::ConstArray(of, value) => {
                match of {
                    Sort::Array(of) => {
                        self.word("[_]");
                        self.sort(&of.1, depth);
                    }
                    other => self.sort(other, depth),
                }
                self.around("(", *value, ")", depth);
            }
            Term::If(..) if scope.terms.truncated(id).is_some() => self.operator(id, depth),
            Term::If(condition, yes, no) => {
                self.around("if ", *condition, " then ", depth);
                self.around("", *yes, " else ", depth);
                self.term(*no, ANY, depth);
            }
            Term::Forall(variables, inner) => self.quantified("forall ", variables, *inner, depth),
            Term::Exists(variables, inner) => self.quantified("exists ", variables, *inner, depth),
            _ => self.operator(id, depth),
        }
    }

    fn operator(&mut self, id: TermId, depth: usize) {
        let scope = self.scope;
        match scope.terms.get(id) {
            Term::Not(inner) => self.negated(*inner, depth),
            Term::And(args) => self.chain(" and ", args, NEGATION, depth),
            Term::Or(args) => {
                if let Some(subject) = self.alternatives(args) {
                    self.among(subject, args, " in {", depth);
                } else if let Some(premise) = self.premise(args) {
                    self.term(premise, DISJUNCTION, depth);
                    self.word(" => ");
                    let level = if args.len() == 2 { ANY } else { CONJUNCTION };
                    self.chain(" or ", &args[1..], level, depth);
                } else {
                    self.chain(" or ", args, CONJUNCTION, depth);
                }
            }
            Term::Add(args) => self.sum(args, depth),
            Term::Multiply(args) => match self.opposite(args) {
                Some([inner]) => self.prefix("-", *inner, OPERAND, depth),
                _ => self.chain(" * ", args, OPERAND, depth),
            },
            Term::Div(a, b) => self.chain(" div ", &[*a, *b], OPERAND, depth),
            Term::Mod(a, b) => self.chain(" mod ", &[*a, *b], OPERAND, depth),
            Term::If(..) => {
                if let Some(made) = scope.terms.truncated(id) {
                    let sign = if made.is_rest { " rem " } else { " quot " };
                    self.chain(sign, &[made.a, made.b], OPERAND, depth);
                }
            }
            Term::Equal(a, b) => self.compare(*a, " == ", *b, depth),
            Term::Less(a, b) if self.is_number(*a) => self.compare(*b, " > ", *a, depth),
            Term::Less(a, b) => self.compare(*a, " < ", *b, depth),
            Term::LessEqual(a, b) if self.is_number(*a) => self.compare(*b, " >= ", *a, depth),
            Term::LessEqual(a, b) => self.compare(*a, " <= ", *b, depth),
            Term::IsAct(..) | Term::IsConstructor(..) | Term::IsSync(_) | Term::IsCo(_) => {
                self.tested(id, " is ", depth);
            }
            _ => {}
        }
    }

    fn negated(&mut self, inner: TermId, depth: usize) {
        let scope = self.scope;
        match scope.terms.get(inner) {
            Term::Equal(a, b) => self.compare(*a, " != ", *b, depth),
            Term::Less(a, b) if self.is_number(*a) => self.compare(*b, " <= ", *a, depth),
            Term::Less(a, b) => self.compare(*a, " >= ", *b, depth),
            Term::LessEqual(a, b) if self.is_number(*a) => self.compare(*b, " < ", *a, depth),
            Term::LessEqual(a, b) => self.compare(*a, " > ", *b, depth),
            Term::IsAct(..) | Term::IsConstructor(..) | Term::IsSync(_) | Term::IsCo(_) => {
                self.tested(inner, " is not ", depth);
            }
            Term::Or(args) => match self.alternatives(args) {
                Some(subject) => self.among(subject, args, " not in {", depth),
                None => self.prefix("not ", inner, NEGATION, depth),
            },
            _ => self.prefix("not ", inner, NEGATION, depth),
        }
    }

    /// What is tested, if all of these test the action of one subject.
    fn alternatives(&self, args: &[TermId]) -> Option<TermId> {
        let subject = |id: &TermId| match self.scope.terms.get(*id) {
            Term::IsAct(_, inner) => Some(*inner),
            _ => None,
        };
        let first = args.first().and_then(subject)?;
        (args.len() > 1 && args.iter().all(|arg| subject(arg) == Some(first))).then_some(first)
    }

    /// The premise, if this disjunction reads better as an implication.
    fn premise(&self, args: &[TermId]) -> Option<TermId> {
        match self.scope.terms.get(*args.first()?) {
            Term::Not(inner) if args.len() > 1 => Some(*inner),
            _ => None,
        }
    }

    fn among(&mut self, subject: TermId, args: &[TermId], word: &str, depth: usize) {
        self.term(subject, SUM, depth);
        self.word(word);
        for (at, arg) in args.iter().enumerate() {
            self.word(if at == 0 { "" } else { ", " });
            self.pattern(*arg);
        }
        self.word("}");
    }

    fn tested(&mut self, id: TermId, word: &str, depth: usize) {
        for subject in self.scope.terms.children(id) {
            self.term(subject, SUM, depth);
        }
        self.word(word);
        self.pattern(id);
    }

    fn pattern(&mut self, id: TermId) {
        let (name, arity) = match self.scope.terms.get(id) {
            Term::IsAct(id, _) => {
                let it = self.scope.algebra.action(*id);
                (it.name, it.sorts.len())
            }
            Term::IsConstructor(data, index, _) => self.constructor(*data, *index),
            Term::IsSync(_) => return self.word("sync _"),
            Term::IsCo(_) => return self.word("co _"),
            _ => return,
        };
        self.name(name);
        if arity > 0 {
            let _ = write!(self.out, "({})", vec!["_"; arity].join(", "));
        }
    }

    fn constructor(&self, data: DataId, index: u32) -> (Symbol, usize) {
        let it = &self.scope.algebra.datatypes[data.index()].constructors[index as usize];
        (it.name, it.fields.len())
    }

    fn sum(&mut self, args: &[TermId], depth: usize) {
        for (at, arg) in args.iter().enumerate() {
            match self.scope.terms.get(*arg) {
                Term::Int(value) if at > 0 && value.sign() == num_bigint::Sign::Minus => {
                    let _ = write!(self.out, " - {}", value.magnitude());
                }
                Term::Multiply(inner) if at > 0 && self.opposite(inner).is_some() => {
                    self.word(" - ");
                    self.chain(" * ", &inner[1..], OPERAND, depth);
                }
                _ => {
                    self.word(if at == 0 { "" } else { " + " });
                    self.term(*arg, PRODUCT, depth);
                }
            }
        }
    }

    fn chain(&mut self, operator: &str, args: &[TermId], level: u8, depth: usize) {
        for (at, arg) in args.iter().enumerate() {
            self.word(if at == 0 { "" } else { operator });
            self.term(*arg, level, depth);
        }
    }

    fn compare(&mut self, a: TermId, operator: &str, b: TermId, depth: usize) {
        self.chain(operator, &[a, b], SUM, depth);
    }

    fn prefix(&mut self, word: &str, inner: TermId, level: u8, depth: usize) {
        self.word(word);
        self.term(inner, level, depth);
    }

    fn around(&mut self, before: &str, inner: TermId, after: &str, depth: usize) {
        self.word(before);
        self.term(inner, ANY, depth);
        self.word(after);
    }

    fn call(&mut self, name: Symbol, args: &[TermId], depth: usize) {
        self.name(name);
        if !args.is_empty() {
            self.word("(");
            self.chain(", ", args, ANY, depth);
            self.word(")");
        }
    }

    fn quantified(&mut self, word: &str, variables: &[VarId], inner: TermId, depth: usize) {
        self.word(word);
        let around = self.bound.len();
        for (at, variable) in variables.iter().enumerate() {
            let name = self.fresh(*variable);
            let _ = write!(self.out, "{}{}: ", if at == 0 { "" } else { ", " }, quoted(&name));
            self.bound.push((*variable, name));
            self.sort(self.scope.sort_of(*variable), depth);
        }
        self.around(" . ", inner, "", depth);
        self.bound.truncate(around);
    }

    /// A name for a variable of a formula that hides no other.
    fn fresh(&self, variable: VarId) -> String {
        let taken = |name: &str| {
            let mut named = self.scope.names.into_iter().flat_map(|names| names.values());
            self.bound.iter().any(|(_, known)| known == name) || named.any(|known| known == name)
        };
        let own = self.scope.terms.var(variable).name.as_str();
        let numbered = (2..).map(|number: u32| format!("{own}_{number}"));
        std::iter::once(own.to_owned())
            .chain(numbered)
            .find(|name| !taken(name))
            .unwrap_or_default()
    }

    fn variable(&self, id: VarId) -> String {
        let bound = self.bound.iter().find(|(known, _)| *known == id);
        let name = bound.map_or_else(|| self.scope.variable(id), |(_, name)| name);
        if name == "_" { name.to_owned() } else { quoted(name).into_owned() }
    }

    fn sort(&mut self, of: &Sort, depth: usize) {
        match of {
            _ if depth > DEEPEST => self.word("…"),
            Sort::Bool => self.word("Bool"),
            Sort::Int => self.word("Int"),
            Sort::Action => self.word("action"),
            Sort::Abstract(id) => self.name(self.scope.algebra.abstracts[id.index()]),
            Sort::Data(id) => self.name(self.scope.algebra.datatypes[id.index()].name),
            Sort::Range(from, to) => {
                self.term(*from, SUM, depth);
                self.word("..");
                self.term(*to, SUM, depth);
            }
            Sort::Array(of) => {
                self.word("[");
                self.sort(&of.0, depth + 1);
                self.word("]");
                self.sort(&of.1, depth + 1);
            }
        }
    }

    fn is_number(&self, id: TermId) -> bool {
        matches!(self.scope.terms.get(id), Term::Int(_))
    }

    /// The other factors, if the first one is -1.
    fn opposite<'a>(&self, factors: &'a [TermId]) -> Option<&'a [TermId]> {
        let (first, rest) = factors.split_first()?;
        let minus_one = num_bigint::BigInt::from(-1);
        (self.scope.terms.as_int(*first) == Some(&minus_one) && !rest.is_empty()).then_some(rest)
    }

    /// A name as it is written: a keyword stands between back-quotes.
    fn name(&mut self, name: Symbol) {
        self.out.push_str(&quoted(name.as_str()));
    }

    fn word(&mut self, text: impl std::fmt::Display) {
        let _ = write!(self.out, "{text}");
    }
}
