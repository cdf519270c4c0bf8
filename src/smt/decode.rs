//! What Z3 writes, read back as terms: formulas that it finds, such as the relations that solve Horn clauses.
//!
//! Z3 is asked for a text, because what is inside a quantifier cannot be had otherwise. Names are those that `encode` has
//! given, or bound in the text.

use std::rc::Rc;
use std::str::FromStr;

use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use thiserror::Error;

use super::encode::{Encoder, Named};
use super::sexpr::{Sexpr, parse};
use crate::algebra::{Algebra, Sort, Term, TermId, Terms, VarId, VariableKind};
use crate::diagnostics::Symbol;

/// Formulas that are nested deeper are not read.
const MOST_NESTED: usize = 2_000;

/// Why a formula cannot be read back.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum NotRead {
    /// It is not written as it should be.
    #[error("what the solver wrote cannot be read")]
    Text,
    /// It is nested too deep.
    #[error("what the solver wrote is nested too deep")]
    Deep,
    /// It uses what terms do not have.
    #[error("the solver wrote `{0}`, which has no counterpart")]
    Name(String),
}

type Read<T> = Result<T, NotRead>;

/// Names that are bound in a text, the innermost last.
type Scope = Option<Rc<Bound>>;

struct Bound {
    names: FxHashMap<String, TermId>,
    outer: Scope,
}

/// Reads formulas of one conversation.
pub(super) struct Decoder<'a> {
    pub encoder: &'a Encoder,
    pub algebra: &'a Algebra,
    pub terms: &'a mut Terms,
}

/// A relation as Z3 defines it: its name, its parameters as variables, and when it holds.
pub(super) struct Defined {
    pub name: String,
    pub params: Vec<VarId>,
    pub holds: TermId,
}

impl Decoder<'_> {
    /// The relations that an answer defines: a conjunction of `(forall (…) (= (relation …) formula))`.
    pub fn relations(&mut self, text: &str) -> Read<Vec<Defined>> {
        let read = parse(text).ok_or(NotRead::Text)?;
        let parts = match read.list() {
            Some([Sexpr::Atom(and), parts @ ..]) if and == "and" => parts.to_vec(),
            _ => vec![read],
        };
        let mut found = Vec::with_capacity(parts.len());
        for part in &parts {
            found.extend(self.relation(part)?);
        }
        Ok(found)
    }

    /// A value; nothing where it cannot be written down, as one of an abstract sort.
    pub fn value(&mut self, text: &Sexpr) -> Option<TermId> {
        self.term(text, &None, 0).ok()
    }

    fn relation(&mut self, part: &Sexpr) -> Read<Option<Defined>> {
        if part.atom() == Some("true") {
            return Ok(None);
        }
        let (binders, body) = match part.list() {
            Some([Sexpr::Atom(forall), Sexpr::List(binders), body]) if forall == "forall" => {
                (binders.as_slice(), unmarked(body))
            }
            _ => (&[][..], part),
        };
        let (vars, scope) = self.bound(binders, &None)?;
        let (head, holds) = match body.list() {
            Some([Sexpr::Atom(same), head, holds]) if same == "=" => (head, Some(holds)),
            _ => (body, None),
        };
        let (name, args) = match head {
            Sexpr::Atom(name) => (name, &[][..]),
            Sexpr::List(all) => match all.as_slice() {
                [Sexpr::Atom(not), inner] if not == "not" => return self.never(inner, &vars),
                [Sexpr::Atom(name), args @ ..] => (name, args),
                _ => return Err(NotRead::Text),
            },
        };
        let holds = match holds {
            Some(holds) => self.term(holds, &scope, 0)?,
            None => self.terms.bool(true),
        };
        let params = self.params(args, &scope)?;
        Ok(Some(Defined { name: name.clone(), params, holds }))
    }

    /// A relation that never holds is written as its negation.
    fn never(&mut self, head: &Sexpr, vars: &[VarId]) -> Read<Option<Defined>> {
        let name = head.atom().or_else(|| head.list()?.first()?.atom()).ok_or(NotRead::Text)?;
        let holds = self.terms.bool(false);
        Ok(Some(Defined { name: name.to_owned(), params: vars.to_vec(), holds }))
    }

    fn params(&mut self, args: &[Sexpr], scope: &Scope) -> Read<Vec<VarId>> {
        let var = |arg: &Sexpr| {
            let term = looked_up(arg.atom()?, scope)?;
            match self.terms.get(term) {
                Term::Var(var) => Some(*var),
                _ => None,
            }
        };
        args.iter().map(|arg| var(arg).ok_or(NotRead::Text)).collect()
    }

    // ---- names ----

    /// New variables for those of a quantifier.
    fn bound(&mut self, binders: &[Sexpr], outer: &Scope) -> Read<(Vec<VarId>, Scope)> {
        let (mut vars, mut names) = (Vec::new(), FxHashMap::default());
        for binder in binders {
            let Some([Sexpr::Atom(name), sort]) = binder.list() else { return Err(NotRead::Text) };
            let sort = self.sort(sort)?;
            let var = self.terms.new_var(Symbol::new(name), sort, VariableKind::Bound);
            vars.push(var);
            names.insert(name.clone(), self.terms.var_term(var));
        }
        Ok((vars, Some(Rc::new(Bound { names, outer: outer.clone() }))))
    }

    fn sort(&self, text: &Sexpr) -> Read<Sort> {
        match text {
            Sexpr::Atom(name) if name == "Int" => Ok(Sort::Int),
            Sexpr::Atom(name) if name == "Bool" => Ok(Sort::Bool),
            Sexpr::Atom(name) => {
                self.encoder.sort_named(name).ok_or_else(|| NotRead::Name(name.clone()))
            }
            Sexpr::List(inside) => match inside.as_slice() {
                [Sexpr::Atom(array), key, value] if array == "Array" => {
                    Ok(Sort::Array(Box::new((self.sort(key)?, self.sort(value)?))))
                }
                _ => Err(NotRead::Text),
            },
        }
    }

    fn name(&mut self, name: &str, scope: &Scope) -> Read<TermId> {
        if let Some(known) = looked_up(name, scope) {
            return Ok(known);
        }
        match name {
            "true" | "false" => return Ok(self.terms.bool(name == "true")),
            _ if name.starts_with(|c: char| c.is_ascii_digit()) => {
                let digits = name.strip_suffix(".0").unwrap_or(name);
                let number =
                    BigInt::from_str(digits).map_err(|_| NotRead::Name(name.to_owned()))?;
                return Ok(self.terms.int(number));
            }
            _ => {}
        }
        self.applied(name, Vec::new())
    }

    // ---- terms ----

    fn term(&mut self, text: &Sexpr, scope: &Scope, depth: usize) -> Read<TermId> {
        if depth > MOST_NESTED {
            return Err(NotRead::Deep);
        }
        let inside = match text {
            Sexpr::Atom(name) => return self.name(name, scope),
            Sexpr::List(inside) => inside.as_slice(),
        };
        match inside {
            [Sexpr::Atom(word), Sexpr::List(bound), body] if word == "let" => {
                let scope = self.let_scope(bound, scope, depth)?;
                self.term(body, &scope, depth + 1)
            }
            [Sexpr::Atom(word), body, ..] if word == "!" => self.term(body, scope, depth + 1),
            [Sexpr::Atom(word), Sexpr::List(bound), body]
                if word == "forall" || word == "exists" =>
            {
                let (vars, scope) = self.bound(bound, scope)?;
                let body = self.term(body, &scope, depth + 1)?;
                let vars = vars.into_boxed_slice();
                let quantified = match word.as_str() {
                    "forall" => Term::Forall(vars, body),
                    _ => Term::Exists(vars, body),
                };
                Ok(self.terms.raw(quantified))
            }
            [head, args @ ..] => {
                let all = args.iter().map(|arg| self.term(arg, scope, depth + 1));
                let args = all.collect::<Read<Vec<TermId>>>()?;
                match head {
                    Sexpr::Atom(name) => self.applied(name, args),
                    Sexpr::List(head) => self.indexed(head, args),
                }
            }
            [] => Err(NotRead::Text),
        }
    }

    fn let_scope(&mut self, bound: &[Sexpr], scope: &Scope, depth: usize) -> Read<Scope> {
        let mut names = FxHashMap::default();
        for one in bound {
            let Some([Sexpr::Atom(name), value]) = one.list() else { return Err(NotRead::Text) };
            let value = self.term(value, scope, depth + 1)?;
            names.insert(name.clone(), value);
        }
        Ok(Some(Rc::new(Bound { names, outer: scope.clone() })))
    }

    /// What has more than a name: `(_ is constructor)`, `(as const sort)`.
    fn indexed(&mut self, head: &[Sexpr], args: Vec<TermId>) -> Read<TermId> {
        let text = || NotRead::Name(format!("{head:?}"));
        match (head, args.as_slice()) {
            ([Sexpr::Atom(under), Sexpr::Atom(is), constructor], &[inner])
                if under == "_" && is == "is" =>
            {
                let name = match constructor {
                    Sexpr::Atom(name) => name,
                    // `(_ is (constructor (fields) sort))`
                    Sexpr::List(signature) => match signature.first() {
                        Some(Sexpr::Atom(name)) => name,
                        _ => return Err(text()),
                    },
                };
                self.is(name, inner)
            }
            ([Sexpr::Atom(keyword), Sexpr::Atom(kind), sort], &[value])
                if keyword == "as" && kind == "const" =>
            {
                let sort = self.sort(sort)?;
                Ok(self.terms.raw(Term::ConstArray(sort, value)))
            }
            ([Sexpr::Atom(under), Sexpr::Atom(divisible), Sexpr::Atom(by)], &[inner])
                if under == "_" && divisible == "divisible" =>
            {
                let by = BigInt::from_str(by).map_err(|_| text())?;
                let (by, zero) = (self.terms.int(by), self.terms.int(0));
                let rest = self.terms.modulo(inner, by);
                Ok(self.terms.equal(rest, zero))
            }
            _ => Err(text()),
        }
    }

    fn is(&mut self, constructor: &str, inner: TermId) -> Read<TermId> {
        let terms = &mut *self.terms;
        Ok(match self.encoder.named(constructor, self.algebra) {
            Some(Named::Construct(data, index)) => {
                terms.raw(Term::IsConstructor(data, index, inner))
            }
            Some(Named::Act(action)) => terms.is_act(action, inner),
            Some(Named::Tau) => {
                let tau = terms.raw(Term::Tau);
                terms.equal(inner, tau)
            }
            Some(Named::Sync) => terms.is_sync(inner),
            Some(Named::Co) => terms.is_co(inner),
            _ => return Err(NotRead::Name(constructor.to_owned())),
        })
    }

    fn applied(&mut self, name: &str, args: Vec<TermId>) -> Read<TermId> {
        if let Some(known) = self.encoder.named(name, self.algebra) {
            return self.declared(known, name, args);
        }
        let terms = &mut *self.terms;
        Ok(match (name, args.as_slice()) {
            ("and", _) => terms.and(args),
            ("or", _) => terms.or(args),
            ("not", &[a]) => terms.not(a),
            ("=>", [premises @ .., conclusion]) => {
                let premise = terms.and(premises.iter().copied());
                terms.implies(premise, *conclusion)
            }
            ("xor", &[a, b]) => {
                let same = terms.equal(a, b);
                terms.not(same)
            }
            ("=", [first, rest @ ..]) => {
                let same: Vec<TermId> = rest.iter().map(|&one| terms.equal(*first, one)).collect();
                terms.and(same)
            }
            ("distinct", all) => distinct(terms, all),
            ("ite", &[a, b, c]) => terms.if_then_else(a, b, c),
            ("+", _) => terms.add(args),
            ("-", &[a]) => terms.negate(a),
            ("-", [first, rest @ ..]) => {
                let less: Vec<TermId> = rest.iter().map(|&one| terms.negate(one)).collect();
                terms.add(std::iter::once(*first).chain(less))
            }
            ("*", _) => terms.multiply(args),
            ("div", &[a, b]) => terms.div(a, b),
            ("mod", &[a, b]) => terms.modulo(a, b),
            ("<", &[a, b]) => terms.less(a, b),
            (">", &[a, b]) => terms.less(b, a),
            ("<=", &[a, b]) => terms.less_equal(a, b),
            (">=", &[a, b]) => terms.less_equal(b, a),
            ("select", &[a, b]) => terms.raw(Term::Index(a, b)),
            ("store", &[a, b, c]) => terms.raw(Term::Update(a, b, c)),
            // There are only integers; where Z3 makes reals of them, it does so on both sides.
            ("to_real" | "to_int", &[a]) => a,
            _ => return Err(NotRead::Name(name.to_owned())),
        })
    }

    /// Something that was declared to Z3.
    fn declared(&mut self, known: Named, name: &str, args: Vec<TermId>) -> Read<TermId> {
        let count = args.len();
        let terms = &mut *self.terms;
        Ok(match (known, args.as_slice()) {
            (Named::Var(index), []) => {
                let var = terms.var_at(index).ok_or_else(|| NotRead::Name(name.to_owned()))?;
                terms.var_term(var)
            }
            (Named::Const(id), []) => terms.raw(Term::Const(id)),
            (Named::Fun(id), _) => terms.raw(Term::Apply(id, args.into())),
            (Named::Construct(data, index), _) => {
                terms.raw(Term::Construct(data, index, args.into()))
            }
            (Named::Select(data, index, field), &[inner]) => {
                terms.raw(Term::Select(data, index, field, inner))
            }
            (Named::Act(action), _) => terms.raw(Term::Act(action, args.into())),
            (Named::Argument(action, place), &[inner]) => {
                terms.raw(Term::Argument(action, place, inner))
            }
            (Named::Tau, []) => terms.raw(Term::Tau),
            (Named::Sync, &[inner]) => terms.raw(Term::Sync(inner)),
            (Named::Co, &[inner]) => terms.raw(Term::Co(inner)),
            (Named::Inner, &[inner]) => terms.raw(Term::Inner(inner)),
            _ => return Err(NotRead::Name(format!("{name} with {count} arguments"))),
        })
    }
}

/// A term without what is said about it: `(! term :weight 0)`.
fn unmarked(text: &Sexpr) -> &Sexpr {
    match text.list() {
        Some([Sexpr::Atom(mark), body, ..]) if mark == "!" => body,
        _ => text,
    }
}

fn looked_up(name: &str, scope: &Scope) -> Option<TermId> {
    let mut scope = scope.as_ref();
    while let Some(bound) = scope {
        if let Some(&known) = bound.names.get(name) {
            return Some(known);
        }
        scope = bound.outer.as_ref();
    }
    None
}

fn distinct(terms: &mut Terms, all: &[TermId]) -> TermId {
    let mut parts = Vec::new();
    for (place, &one) in all.iter().enumerate() {
        for &other in &all[..place] {
            let same = terms.equal(one, other);
            parts.push(terms.not(same));
        }
    }
    terms.and(parts)
}
