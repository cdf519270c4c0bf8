//! Core terms in the syntax of the language, with parentheses only where the grammar needs them. What is
//! printed elaborates to the same term.

use rustc_hash::{FxHashMap, FxHashSet};

use super::invariant::Locations;
use super::names::{self, Names, Unique, called, quoted};
use super::scope::Scope;
use crate::algebra::{ActionId, DataId, Sort, Term, TermId, VarId};

// How tightly a text binds, as in the grammar, loosest first.
/// `if`, quantifiers, `=>`: they stand alone.
pub(super) const ANY: u8 = 0;
const DISJUNCTION: u8 = 1;
const CONJUNCTION: u8 = 2;
const NEGATION: u8 = 3;
pub(super) const COMPARISON: u8 = 4;
pub(super) const ADDITIVE: u8 = 5;
const MULTIPLICATIVE: u8 = 6;
/// Signs and `sync` and all that binds tighter: also what stands for an action.
pub(super) const OPERAND: u8 = 7;
/// Names and paths.
const POSTFIX: u8 = 8;
/// What carries its own brackets.
pub(super) const TERM: u8 = 9;

/// A text and how tightly it binds.
pub(super) type Piece = (String, u8);

/// A term in the syntax of the language.
pub fn term<'a>(scope: impl Into<Scope<'a>>, id: TermId) -> String {
    let scope = scope.into();
    let mut printer = Printer::new(scope, None);
    for variable in scope.terms.free_vars(id) {
        printer.taken.insert(scope.variable(variable).to_owned());
    }
    printer.at(id, ANY)
}

/// A condition on the variables of a scope, as it can stand in a model: what it binds hides nothing.
pub fn formula<'a>(scope: impl Into<Scope<'a>>, names: &'a Names, id: TermId) -> String {
    formula_printer(scope.into(), names).at(id, ANY)
}

/// What prints such conditions.
pub(super) fn formula_printer<'a>(scope: Scope<'a>, names: &'a Names) -> Printer<'a> {
    let mut printer = Printer::new(scope, Some(names));
    let algebra = scope.algebra;
    let mut taken: Vec<&str> = algebra.constants.iter().map(|known| known.name.as_str()).collect();
    taken.extend(algebra.functions.iter().map(|known| known.name.as_str()));
    taken.extend(algebra.actions.iter().map(|known| known.name.as_str()));
    let constructors = algebra.datatypes.iter().flat_map(|data| &data.constructors);
    taken.extend(constructors.map(|known| known.name.as_str()));
    // A path begins with a name that must not be bound.
    let variables = scope.names.into_iter().flatten();
    taken.extend(variables.filter_map(|(_, name)| name.split(['.', '[']).next()));
    printer.taken = taken.into_iter().map(|name| name.trim_matches('`').to_owned()).collect();
    printer
}

/// Prints terms of one scope.
pub(super) struct Printer<'n> {
    pub scope: Scope<'n>,
    /// The names of declarations; without, they are called as they were.
    names: Option<&'n Names>,
    /// What variables are called; those that are missing, as they were.
    pub variables: FxHashMap<VarId, String>,
    /// The names that variables bound in formulas must not hide.
    pub taken: FxHashSet<String>,
    /// Variables that have a `?` where they stand.
    pub marked: FxHashSet<VarId>,
    /// Names for parts of actions that have no other way to be spoken of.
    pub(super) stand_ins: Vec<(TermId, String)>,
    /// Whether a term has parts of actions in it.
    pub(super) takes_apart: FxHashMap<TermId, bool>,
    /// The variables that stand for where leaves are.
    pub(super) locations: Option<&'n Locations>,
}

impl<'n> Printer<'n> {
    pub fn new(scope: Scope<'n>, names: Option<&'n Names>) -> Printer<'n> {
        Printer {
            scope,
            names,
            variables: scope.names.cloned().unwrap_or_default(),
            taken: FxHashSet::default(),
            marked: FxHashSet::default(),
            stand_ins: Vec::new(),
            takes_apart: FxHashMap::default(),
            locations: None,
        }
    }

    /// A term where only those stand that bind at least as tightly as `least`.
    pub fn at(&mut self, id: TermId, least: u8) -> String {
        let piece = self.show(id);
        fitted(piece, least)
    }

    /// A list of terms.
    pub fn list(&mut self, terms: &[TermId]) -> String {
        let all: Vec<String> = terms.iter().map(|&term| self.at(term, ANY)).collect();
        all.join(", ")
    }

    // ---- names ----

    pub fn variable(&self, id: VarId) -> String {
        match self.variables.get(&id) {
            Some(name) if name == "_" => "_".to_owned(),
            Some(name) => quoted(name).into_owned(),
            None => quoted(self.scope.terms.var(id).name.as_str()).into_owned(),
        }
    }

    pub fn constructor(&self, id: DataId, index: u32) -> String {
        let own =
            || self.scope.algebra.datatypes[id.index()].constructors[index as usize].name.as_str();
        let name = self.names.and_then(|names| names.constructor(id, index)).unwrap_or_else(own);
        quoted(name).into_owned()
    }

    fn selector(&self, id: DataId, index: u32, field: u32) -> String {
        let fields = &self.scope.algebra.datatypes[id.index()].constructors[index as usize].fields;
        let own = || fields[field as usize].0.as_str();
        let name =
            self.names.and_then(|names| names.selector(id, index, field)).unwrap_or_else(own);
        quoted(name).into_owned()
    }

    pub fn action(&self, id: ActionId) -> String {
        quoted(names::action(self.scope.algebra, id)).into_owned()
    }

    /// A sort.
    pub fn sort(&mut self, sort: &Sort) -> String {
        match sort {
            Sort::Bool => "Bool".to_owned(),
            Sort::Int => "Int".to_owned(),
            Sort::Action => "Action".to_owned(),
            Sort::Abstract(id) => {
                let own = || self.scope.algebra.abstracts[id.index()].as_str();
                let name =
                    self.names.and_then(|names| names.abstract_sort(*id)).unwrap_or_else(own);
                quoted(name).into_owned()
            }
            Sort::Data(id) => {
                let own = || self.scope.algebra.datatypes[id.index()].name.as_str();
                let name = self.names.and_then(|names| names.datatype(*id)).unwrap_or_else(own);
                quoted(name).into_owned()
            }
            Sort::Range(low, high) => {
                format!("{}..{}", self.at(*low, ADDITIVE), self.at(*high, ADDITIVE))
            }
            Sort::Array(both) => format!("[{}]{}", self.sort(&both.0), self.sort(&both.1)),
        }
    }

    // ---- terms ----

    /// A term, and how tightly it binds.
    pub fn show(&mut self, id: TermId) -> Piece {
        let scope = self.scope;
        if let Some((_, name)) = self.stand_ins.iter().find(|(known, _)| *known == id) {
            return (name.clone(), POSTFIX);
        }
        if let Some(piece) = self.location(id).or_else(|| self.in_other_words(id)) {
            return piece;
        }
        match scope.terms.get(id) {
            Term::Bool(value) => (value.to_string(), TERM),
            Term::Int(value) if value.sign() == num_bigint::Sign::Minus => {
                (value.to_string(), OPERAND)
            }
            Term::Int(value) => (value.to_string(), TERM),
            Term::Var(variable) => self.show_variable(*variable),
            Term::Const(constant) => {
                let own = || scope.algebra.constants[constant.index()].name.as_str();
                let name =
                    self.names.and_then(|names| names.constant(*constant)).unwrap_or_else(own);
                (quoted(name).into_owned(), POSTFIX)
            }
            Term::Apply(function, args) => {
                let own = || called(scope.algebra.functions[function.index()].name.as_str());
                let name =
                    self.names.and_then(|names| names.function(*function)).unwrap_or_else(own);
                (format!("{}({})", quoted(name), self.list(args)), TERM)
            }
            Term::Construct(data, index, args) => {
                let name = self.constructor(*data, *index);
                self.applied(name, args)
            }
            Term::Act(action, args) => {
                let name = self.action(*action);
                self.applied(name, args)
            }
            Term::Select(data, index, field, inner) => {
                let name = self.selector(*data, *index, *field);
                match self.show(*inner) {
                    // A name with a selector is a path, and so is one with several.
                    (inner, POSTFIX) => (format!("{inner}.{name}"), POSTFIX),
                    piece => (format!("{}.{name}", fitted(piece, TERM)), TERM),
                }
            }
            Term::Index(array, index) => {
                (format!("{}[{}]", self.at(*array, POSTFIX), self.at(*index, ANY)), TERM)
            }
            Term::Update(array, index, value) => {
                let (index, value) = (self.at(*index, ANY), self.at(*value, ANY));
                (format!("{}[{index} := {value}]", self.at(*array, POSTFIX)), TERM)
            }
            Term::ConstArray(sort, value) => {
                let sort = self.values_of(sort);
                (format!("[_]{sort}({})", self.at(*value, ANY)), TERM)
            }
            Term::Not(inner) => self.negation(*inner),
            Term::And(all) => self.conjunction(all),
            Term::Or(all) => self.disjunction(all),
            Term::Add(all) => self.sum(all),
            Term::Multiply(all) => self.product(all),
            Term::Div(a, b) => {
                let (a, b) = (self.at(*a, MULTIPLICATIVE), self.at(*b, OPERAND));
                (format!("{a} div {b}"), MULTIPLICATIVE)
            }
            Term::Mod(a, b) => {
                let (a, b) = (self.at(*a, MULTIPLICATIVE), self.at(*b, OPERAND));
                (format!("{a} mod {b}"), MULTIPLICATIVE)
            }
            Term::Equal(a, b) => self.comparison(*a, "==", *b),
            Term::Less(a, b) => self.comparison(*a, "<", *b),
            Term::LessEqual(a, b) => self.comparison(*a, "<=", *b),
            Term::If(..) if scope.terms.truncated(id).is_some() => self.truncated(id),
            Term::If(condition, yes, no) => {
                let condition = self.at(*condition, ANY);
                let (yes, no) = (self.at(*yes, ANY), self.at(*no, ANY));
                (format!("if {condition} then {yes} else {no}"), ANY)
            }
            Term::Forall(variables, body) => self.quantified("forall", variables, *body),
            Term::Exists(variables, body) => self.quantified("exists", variables, *body),
            Term::Tau => ("tau".to_owned(), TERM),
            Term::Sync(inner) => (format!("sync {}", self.at(*inner, OPERAND)), OPERAND),
            Term::Co(inner) => (format!("co {}", self.at(*inner, OPERAND)), OPERAND),
            Term::IsAct(..) | Term::IsSync(_) | Term::IsCo(_) | Term::IsConstructor(..) => {
                self.conjunction(&[id])
            }
            // Only outside formulas, where nothing else can be done.
            Term::Argument(action, index, inner) => {
                let name = self.action(*action);
                (format!("{name}_{index}({})", self.at(*inner, ANY)), TERM)
            }
            Term::Inner(inner) => (format!("inner({})", self.at(*inner, ANY)), TERM),
        }
    }

    /// `a quot b`, `a rem b`
    fn truncated(&mut self, id: TermId) -> Piece {
        let Some(truncated) = self.scope.terms.truncated(id) else { return (String::new(), TERM) };
        let (a, b) = (self.at(truncated.a, MULTIPLICATIVE), self.at(truncated.b, OPERAND));
        (format!("{a} {} {b}", truncated.word()), MULTIPLICATIVE)
    }

    fn show_variable(&self, id: VarId) -> Piece {
        let name = self.variable(id);
        if name != "_" && self.marked.contains(&id) {
            return (format!("?{name}"), TERM);
        }
        (name, POSTFIX)
    }

    fn applied(&mut self, name: String, args: &[TermId]) -> Piece {
        if args.is_empty() {
            (name, POSTFIX)
        } else {
            (format!("{name}({})", self.list(args)), TERM)
        }
    }

    /// The sort of the values of an array, as `[_]V(v)` wants it: ranges are integers there.
    fn values_of(&mut self, sort: &Sort) -> String {
        match sort {
            Sort::Array(both) if matches!(both.1, Sort::Range(..)) => "Int".to_owned(),
            Sort::Array(both) => self.sort(&both.1),
            other => self.sort(other),
        }
    }

    fn comparison(&mut self, a: TermId, sign: &str, b: TermId) -> Piece {
        let (a, b) = (self.at(a, ADDITIVE), self.at(b, ADDITIVE));
        (format!("{a} {sign} {b}"), COMPARISON)
    }

    fn negation(&mut self, inner: TermId) -> Piece {
        if let Term::Equal(a, b) = self.scope.terms.get(inner) {
            return self.comparison(*a, "!=", *b);
        }
        // An invariant is for people; elsewhere terms are written as they are.
        match self.scope.terms.get(inner) {
            Term::Less(a, b) if self.locations.is_some() => return self.comparison(*a, ">=", *b),
            Term::LessEqual(a, b) if self.locations.is_some() => {
                return self.comparison(*a, ">", *b);
            }
            _ => {}
        }
        if let Some((subject, pattern)) = self.whole_test(inner) {
            return (format!("{} is not {pattern}", self.at(subject, ADDITIVE)), COMPARISON);
        }
        if let Some((subject, set)) = self.set_test(inner) {
            return (format!("{} not in {{ {set} }}", self.at(subject, ADDITIVE)), COMPARISON);
        }
        (format!("not {}", self.at(inner, NEGATION)), NEGATION)
    }

    /// A conjunction; operands that together are one test are shown as one.
    pub fn conjunction(&mut self, all: &[TermId]) -> Piece {
        let mut pieces = Vec::with_capacity(all.len());
        let mut at = 0;
        while at < all.len() {
            if let Some((subject, pattern)) = self.test(all, &mut at) {
                let subject = self.at(subject, ADDITIVE);
                pieces.push((format!("{subject} is {pattern}"), COMPARISON));
            } else {
                pieces.push(self.show(all[at]));
                at += 1;
            }
        }
        joined(pieces, " and ", CONJUNCTION)
    }

    fn disjunction(&mut self, all: &[TermId]) -> Piece {
        let terms = &self.scope.terms;
        if let [first, second] = all
            && let Term::Not(condition) = terms.get(*first)
            && !matches!(terms.get(*second), Term::Not(_))
        {
            let condition = self.at(*condition, DISJUNCTION);
            return (format!("{condition} => {}", self.at(*second, ANY)), ANY);
        }
        if let [first, rest @ ..] = all
            && let Term::Not(place) = terms.get(*first)
            && !rest.is_empty()
            && self.is_place(*place)
        {
            let place = self.at(*place, DISJUNCTION);
            return (format!("{place} => {}", fitted(self.disjunction(rest), ANY)), ANY);
        }
        if let Some((subject, set)) = self.set_of(all) {
            return (format!("{} in {{ {set} }}", self.at(subject, ADDITIVE)), COMPARISON);
        }
        let pieces = self.one_of(all);
        joined(pieces, " or ", DISJUNCTION)
    }

    fn sum(&mut self, all: &[TermId]) -> Piece {
        let mut text = String::new();
        for (place, &one) in all.iter().enumerate() {
            match (place, self.negated(one)) {
                (0, _) => text.push_str(&self.at(one, MULTIPLICATIVE)),
                (_, Some(opposite)) => {
                    text.push_str(" - ");
                    text.push_str(&fitted(opposite, MULTIPLICATIVE));
                }
                (_, None) => {
                    text.push_str(" + ");
                    text.push_str(&self.at(one, MULTIPLICATIVE));
                }
            }
        }
        (text, ADDITIVE)
    }

    /// The opposite of what has a minus.
    fn negated(&mut self, id: TermId) -> Option<Piece> {
        match self.scope.terms.get(id) {
            Term::Int(value) if value.sign() == num_bigint::Sign::Minus => {
                Some(((-&**value).to_string(), TERM))
            }
            Term::Multiply(factors) => match factors.as_ref() {
                [sign, inner] if self.is_minus_one(*sign) => Some(self.show(*inner)),
                _ => None,
            },
            _ => None,
        }
    }

    fn is_minus_one(&self, id: TermId) -> bool {
        self.scope.terms.as_int(id).is_some_and(|value| *value == num_bigint::BigInt::from(-1))
    }

    fn product(&mut self, all: &[TermId]) -> Piece {
        if let [sign, inner] = all
            && self.is_minus_one(*sign)
        {
            let inner = self.at(*inner, OPERAND);
            let inner = if inner.starts_with('-') { format!("({inner})") } else { inner };
            return (format!("-{inner}"), OPERAND);
        }
        let least = |place| if place == 0 { MULTIPLICATIVE } else { OPERAND };
        let factors = all.iter().enumerate().map(|(place, &one)| self.at(one, least(place)));
        (factors.collect::<Vec<_>>().join(" * "), MULTIPLICATIVE)
    }

    fn quantified(&mut self, word: &str, variables: &[VarId], body: TermId) -> Piece {
        let chosen = self.bind(variables);
        let binders: Vec<String> = variables
            .iter()
            .map(|&variable| {
                let sort = self.sort(self.scope.sort_of(variable));
                format!("{}: {sort}", self.variable(variable))
            })
            .collect();
        let body = self.at(body, ANY);
        for (variable, name) in chosen {
            self.variables.remove(&variable);
            self.taken.remove(&name);
        }
        (format!("{word} {} . {body}", binders.join(", ")), ANY)
    }

    /// Picks names for variables of a formula.
    fn bind(&mut self, variables: &[VarId]) -> Vec<(VarId, String)> {
        let mut chosen = Vec::with_capacity(variables.len());
        for &variable in variables {
            let name = self.fresh(self.scope.terms.var(variable).name.as_str());
            self.variables.insert(variable, name.clone());
            chosen.push((variable, name));
        }
        chosen
    }

    /// A name that nothing else has here.
    pub(super) fn fresh(&mut self, wanted: &str) -> String {
        let values = self.names.map(|names| &names.values);
        let name = Unique::besides(values.into_iter().chain([&self.taken])).pick(wanted);
        self.taken.insert(name.clone());
        name
    }
}

/// A text between parentheses where it binds too loosely.
fn fitted((text, level): Piece, least: u8) -> String {
    if level >= least { text } else { format!("({text})") }
}

fn joined(mut pieces: Vec<Piece>, between: &str, level: u8) -> Piece {
    if pieces.len() == 1 {
        return pieces.remove(0);
    }
    let fitted: Vec<String> = pieces.into_iter().map(|piece| fitted(piece, level + 1)).collect();
    (fitted.join(between), level)
}
