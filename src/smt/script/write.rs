//! Terms and sorts as texts.

use std::fmt::Write;

use num_bigint::{BigInt, Sign};
use rustc_hash::FxHashMap;

use super::names::Names;
use super::plan::Plan;
use super::used::{Used, is_small_value};
use crate::algebra::{Algebra, Sort, SortsOf, Term, TermId, Terms, VarId};

/// Writes one script.
pub(super) struct Writer<'a> {
    pub algebra: &'a Algebra,
    pub terms: &'a Terms,
    pub used: &'a Used,
    pub plan: &'a Plan,
    pub names: Names,
    pub sorts_of: SortsOf,
    /// The terms that have been defined, as they are written from then on.
    pub defined: FxHashMap<TermId, String>,
    /// How many terms have been defined.
    pub count: usize,
    /// Whether arrays that are the same everywhere are written in solvers' own form, whatever they are made of.
    pub has_constant_arrays: bool,
    /// Whether testers of constructors are functions with a definition: some solvers know no other under `HORN`.
    pub defines_testers: bool,
    /// The functions that make arrays, by the sorts of the arrays.
    pub arrays: FxHashMap<String, String>,
    /// What is written so far.
    pub text: String,
}

/// What is still to be written of a term.
enum Piece {
    /// A term, by its name if it has one.
    Term(TermId),
    /// A term in full.
    Whole(TermId),
    /// A term in full, and everything inside it too.
    Value(TermId),
    /// Something between terms.
    Text(&'static str),
}

impl<'a> Writer<'a> {
    pub fn new(
        algebra: &'a Algebra,
        terms: &'a Terms,
        used: &'a Used,
        plan: &'a Plan,
        names: Names,
    ) -> Writer<'a> {
        Writer {
            algebra,
            terms,
            used,
            plan,
            names,
            sorts_of: SortsOf::default(),
            defined: FxHashMap::default(),
            count: 0,
            has_constant_arrays: false,
            defines_testers: false,
            arrays: FxHashMap::default(),
            text: String::new(),
        }
    }

    pub fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// A sort; integers for a range.
    pub fn sort(&self, sort: &Sort) -> String {
        match sort {
            Sort::Bool => "Bool".to_owned(),
            Sort::Int | Sort::Range(..) => "Int".to_owned(),
            Sort::Action => self.names.own.action.to_owned(),
            Sort::Abstract(id) => self.names.abstract_sort(*id).to_owned(),
            Sort::Data(id) => self.names.datatype(*id).to_owned(),
            // Sorts come from the text of a model, which is not deep.
            Sort::Array(both) => format!("(Array {} {})", self.sort(&both.0), self.sort(&both.1)),
        }
    }

    /// Variables with their sorts, as quantifiers and functions have them.
    pub fn binders(&self, vars: &[VarId]) -> String {
        let one = |&var: &VarId| {
            format!("({} {})", self.names.var(var), self.sort(&self.terms.var(var).sort))
        };
        format!("({})", vars.iter().map(one).collect::<Vec<_>>().join(" "))
    }

    /// A term, by its name if it has one.
    pub fn text_of(&self, id: TermId) -> String {
        self.pieces(Piece::Term(id))
    }

    /// A term in full; what is inside it by its names.
    pub fn definition_of(&self, id: TermId) -> String {
        self.pieces(Piece::Whole(id))
    }

    /// Terms can be deep: a stack of its own, not the thread's.
    fn pieces(&self, first: Piece) -> String {
        let mut text = String::new();
        let mut work = vec![first];
        while let Some(piece) = work.pop() {
            match piece {
                Piece::Text(between) => text.push_str(between),
                Piece::Whole(id) => self.open(id, &mut text, &mut work),
                Piece::Value(id) => {
                    let first = work.len();
                    self.open(id, &mut text, &mut work);
                    for piece in &mut work[first..] {
                        if let Piece::Term(inner) = *piece {
                            *piece = Piece::Value(inner);
                        }
                    }
                }
                Piece::Term(id) => match self.defined.get(&id) {
                    Some(name) => text.push_str(name),
                    None => self.open(id, &mut text, &mut work),
                },
            }
        }
        text
    }

    /// Writes the beginning of a term, and leaves the rest to be done.
    fn open(&self, id: TermId, text: &mut String, work: &mut Vec<Piece>) {
        let names = &self.names;
        match self.terms.get(id) {
            Term::Bool(value) => text.push_str(if *value { "true" } else { "false" }),
            Term::Int(value) => number(value, text),
            Term::Var(var) => text.push_str(names.var(*var)),
            Term::Const(id) => text.push_str(names.constant(*id)),
            Term::Tau => text.push_str(names.own.tau),
            Term::Apply(id, args) => applied(names.function(*id), args, text, work),
            Term::Construct(data, index, args) => {
                applied(&names.constructors(*data)[*index as usize].name, args, text, work);
            }
            Term::Act(id, args) => applied(&names.action(*id).name, args, text, work),
            Term::Select(data, index, field, inner) => {
                let constructor = &names.constructors(*data)[*index as usize];
                applied(&constructor.fields[*field as usize], &[*inner], text, work);
            }
            Term::Argument(action, place, inner) => {
                applied(&names.action(*action).fields[*place as usize], &[*inner], text, work);
            }
            Term::IsConstructor(data, index, inner) => {
                let name = &names.constructors(*data)[*index as usize].name;
                applied(&self.tester(name), &[*inner], text, work);
            }
            Term::IsAct(id, inner) => {
                applied(&self.tester(&names.action(*id).name), &[*inner], text, work);
            }
            Term::IsSync(inner) => applied(&self.tester(names.own.sync), &[*inner], text, work),
            Term::IsCo(inner) => applied(&self.tester(names.own.co), &[*inner], text, work),
            Term::Sync(inner) => applied(names.own.sync, &[*inner], text, work),
            Term::Co(inner) => applied(names.own.co, &[*inner], text, work),
            Term::Inner(inner) => applied(names.own.inside, &[*inner], text, work),
            Term::Index(a, b) => applied("select", &[*a, *b], text, work),
            Term::Update(a, b, c) => applied("store", &[*a, *b, *c], text, work),
            Term::ConstArray(sort, value) => self.constant_array(sort, *value, text, work),
            Term::Not(inner) => applied("not", &[*inner], text, work),
            Term::And(args) => combined("and", "true", args, text, work),
            Term::Or(args) => combined("or", "false", args, text, work),
            Term::Add(args) => combined("+", "0", args, text, work),
            Term::Multiply(args) => combined("*", "1", args, text, work),
            Term::Div(a, b) => applied("div", &[*a, *b], text, work),
            Term::Mod(a, b) => applied("mod", &[*a, *b], text, work),
            Term::Equal(a, b) => applied("=", &[*a, *b], text, work),
            Term::Less(a, b) => applied("<", &[*a, *b], text, work),
            Term::LessEqual(a, b) => applied("<=", &[*a, *b], text, work),
            Term::If(a, b, c) => applied("ite", &[*a, *b, *c], text, work),
            Term::Forall(vars, body) => self.quantified("forall", vars, *body, text, work),
            Term::Exists(vars, body) => self.quantified("exists", vars, *body, text, work),
        }
    }

    /// What tells whether something is made by a constructor.
    pub fn tester(&self, constructor: &str) -> String {
        match self.defines_testers {
            true => format!("is!{constructor}"),
            false => format!("(_ is {constructor})"),
        }
    }

    /// An array that is the same everywhere. A value goes into solvers' own form of it; all else needs a
    /// function, because not every solver takes it.
    fn constant_array(&self, sort: &Sort, value: TermId, text: &mut String, work: &mut Vec<Piece>) {
        let sort = self.sort(sort);
        if is_small_value(self.terms, value) {
            _ = write!(text, "((as const {sort})");
            work.extend([Piece::Text(")"), Piece::Value(value), Piece::Text(" ")]);
        } else if self.has_constant_arrays {
            _ = write!(text, "((as const {sort})");
            work.extend([Piece::Text(")"), Piece::Term(value), Piece::Text(" ")]);
        } else {
            applied(self.arrays.get(&sort).map_or("", String::as_str), &[value], text, work);
        }
    }

    fn quantified(
        &self,
        quantifier: &str,
        vars: &[VarId],
        body: TermId,
        text: &mut String,
        work: &mut Vec<Piece>,
    ) {
        // Without variables it is no quantifier.
        if vars.is_empty() {
            return work.push(Piece::Term(body));
        }
        _ = write!(text, "({quantifier} {} ", self.binders(vars));
        work.extend([Piece::Text(")"), Piece::Term(body)]);
    }
}

/// `(name arguments)`, or the name alone where there are none.
fn applied(name: &str, args: &[TermId], text: &mut String, work: &mut Vec<Piece>) {
    if args.is_empty() {
        return text.push_str(name);
    }
    _ = write!(text, "({name}");
    work.push(Piece::Text(")"));
    for &arg in args.iter().rev() {
        work.extend([Piece::Term(arg), Piece::Text(" ")]);
    }
}

/// An operation on any number of arguments.
fn combined(name: &str, neutral: &str, args: &[TermId], text: &mut String, work: &mut Vec<Piece>) {
    match args {
        [] => text.push_str(neutral),
        [only] => work.push(Piece::Term(*only)),
        _ => applied(name, args, text, work),
    }
}

/// Negative numbers have no notation of their own.
fn number(value: &BigInt, text: &mut String) {
    _ = match value.sign() {
        Sign::Minus => write!(text, "(- {})", value.magnitude()),
        _ => write!(text, "{value}"),
    };
}
