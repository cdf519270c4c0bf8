//! Terms, sorts and declarations.

use super::{Comparison, Declared, Difference, Found, alike, equal, within};
use crate::algebra::{ActionId, DataId, FunId, Sort, Term, TermId, VarId, VariableKind};
use crate::pnet::PNet;

impl Comparison<'_> {
    /// Begins a scope: no variables are known.
    pub(super) fn scope(&mut self) {
        self.free.clear();
        self.back.clear();
        self.bound.clear();
        self.equal.clear();
    }

    // ---- variables ----

    /// Two variables that stand for each other from here on.
    pub(super) fn pair(&mut self, a: VarId, b: VarId) -> Found {
        let (one, other) = (self.a.terms.var(a), self.b.terms.var(b));
        if one.kind != other.kind {
            return Err(Difference::Kinds { one: one.name, other: other.name });
        }
        let (first, second) = (&one.sort, &other.sort);
        // The sorts of these are inferred, and nothing depends on whether a range was.
        let sorts = match one.kind {
            VariableKind::Vector => self.base_sort(first, second),
            _ => self.sort(first, second),
        };
        within(|| format!("variable `{}`", one.name), sorts)?;
        self.free.insert(a, b);
        self.back.insert(b, a);
        Ok(())
    }

    /// Two variables where they are used.
    pub(super) fn variable(&mut self, a: VarId, b: VarId) -> Found {
        let here = self.bound.iter().rev().find(|(one, other)| *one == a || *other == b);
        let fits = match here {
            Some(pair) => *pair == (a, b),
            None => match (self.free.get(&a), self.back.get(&b)) {
                (None, None) => return self.pair(a, b),
                (Some(known), Some(back)) => *known == b && *back == a,
                _ => false,
            },
        };
        if fits {
            return Ok(());
        }
        let (one, other) = (self.a.terms.var(a).name, self.b.terms.var(b).name);
        Err(Difference::Variables { one, other })
    }

    // ---- terms ----

    /// Two terms, in the scope that was begun.
    pub(super) fn term(&mut self, a: TermId, b: TermId) -> Found {
        if self.equal.contains(&(a, b)) {
            return Ok(());
        }
        self.forms(a, b)?;
        self.equal.insert((a, b));
        Ok(())
    }

    fn forms(&mut self, a: TermId, b: TermId) -> Found {
        let (one, other) = (self.a.terms.get(a), self.b.terms.get(b));
        match (one, other) {
            (Term::Bool(x), Term::Bool(y)) => return equal(x, y, "different truth values"),
            (Term::Int(x), Term::Int(y)) => return equal(x, y, "different integers"),
            (Term::Var(x), Term::Var(y)) => return self.variable(*x, *y),
            (Term::Const(x), Term::Const(y)) => {
                self.declare(Declared::Constant(*x, *y));
                return Ok(());
            }
            (Term::Multiply(_), Term::Multiply(_)) => {
                let (x, y) = (factors(self.a, a), factors(self.b, b));
                return self.terms(&x, &y);
            }
            (Term::Forall(x, p), Term::Forall(y, q)) | (Term::Exists(x, p), Term::Exists(y, q)) => {
                return self.quantified((x, *p), (y, *q));
            }
            (Term::ConstArray(s, x), Term::ConstArray(t, y)) => {
                self.base_sort(s, t)?;
                return self.term(*x, *y);
            }
            _ => {}
        }
        self.heads(one, other)?;
        let (x, y) = (self.a.terms.children(a), self.b.terms.children(b));
        self.terms(&x, &y)
    }

    /// What terms are before their operands are looked at.
    fn heads(&mut self, a: &Term, b: &Term) -> Found {
        if std::mem::discriminant(a) != std::mem::discriminant(b) {
            return Err(Difference::Terms { one: kind(a), other: kind(b) });
        }
        match (a, b) {
            (Term::Apply(x, _), Term::Apply(y, _)) => {
                self.declare(Declared::Function(*x, *y));
                Ok(())
            }
            (Term::Construct(x, i, _), Term::Construct(y, j, _))
            | (Term::IsConstructor(x, i, _), Term::IsConstructor(y, j, _)) => {
                self.declare(Declared::Data(*x, *y));
                equal(i, j, "different constructors")
            }
            (Term::Select(x, i, f, _), Term::Select(y, j, g, _)) => {
                self.declare(Declared::Data(*x, *y));
                equal(i, j, "different constructors")?;
                equal(f, g, "different fields")
            }
            (Term::Act(x, _), Term::Act(y, _)) | (Term::IsAct(x, _), Term::IsAct(y, _)) => {
                self.action(*x, *y)
            }
            (Term::Argument(x, i, _), Term::Argument(y, j, _)) => {
                equal(i, j, "different arguments")?;
                self.action(*x, *y)
            }
            _ => Ok(()),
        }
    }

    fn terms(&mut self, a: &[TermId], b: &[TermId]) -> Found {
        equal(a.len(), b.len(), "the numbers of operands differ")?;
        a.iter().zip(b).try_for_each(|(&one, &other)| self.term(one, other))
    }

    fn quantified(&mut self, (x, p): (&[VarId], TermId), (y, q): (&[VarId], TermId)) -> Found {
        equal(x.len(), y.len(), "the numbers of bound variables differ")?;
        for (&one, &other) in x.iter().zip(y) {
            let (a, b) = (self.a, self.b);
            self.sort(a.sort_of(one), b.sort_of(other))?;
            self.bound.push((one, other));
        }
        let found = self.term(p, q);
        self.bound.truncate(self.bound.len() - x.len());
        found
    }

    // ---- sorts ----

    pub(super) fn sort(&mut self, a: &Sort, b: &Sort) -> Found {
        match (a, b) {
            (Sort::Range(low, high), Sort::Range(other_low, other_high)) => {
                self.term(*low, *other_low)?;
                self.term(*high, *other_high)
            }
            (Sort::Array(x), Sort::Array(y)) => {
                self.sort(&x.0, &y.0)?;
                self.sort(&x.1, &y.1)
            }
            (Sort::Abstract(x), Sort::Abstract(y)) => {
                let (x, y) =
                    (self.a.algebra.abstracts[x.index()], self.b.algebra.abstracts[y.index()]);
                alike(x.as_str(), y.as_str(), "the sorts differ")
            }
            (Sort::Data(x), Sort::Data(y)) => {
                self.declare(Declared::Data(*x, *y));
                let name = |net: &PNet, id: DataId| net.algebra.datatypes[id.index()].name.as_str();
                alike(name(self.a, *x), name(self.b, *y), "the sorts differ")
            }
            _ if a == b => Ok(()),
            _ => Err(Difference::Sorts),
        }
    }

    /// Two sorts without the bounds of their ranges.
    fn base_sort(&mut self, a: &Sort, b: &Sort) -> Found {
        let is_integer = |sort: &Sort| matches!(sort, Sort::Int | Sort::Range(..));
        match (a, b) {
            _ if is_integer(a) && is_integer(b) => Ok(()),
            (Sort::Array(x), Sort::Array(y)) => {
                self.base_sort(&x.0, &y.0)?;
                self.base_sort(&x.1, &y.1)
            }
            _ => self.sort(a, b),
        }
    }

    // ---- declarations ----

    /// Notes that two declarations must be the same.
    fn declare(&mut self, declared: Declared) {
        if self.declared.insert(declared) {
            self.waiting.push(declared);
        }
    }

    /// Two actions: they are known by name and arity.
    pub(super) fn action(&mut self, a: ActionId, b: ActionId) -> Found {
        self.declare(Declared::Action(a, b));
        let (x, y) = (self.a.algebra.action(a), self.b.algebra.action(b));
        equal(x.name.as_str(), y.name.as_str(), "the actions differ")?;
        let what = format!("the arities of `{}` differ", x.name);
        equal(x.sorts.len(), y.sorts.len(), &what)
    }

    pub(super) fn declaration(&mut self, declared: Declared) -> Found {
        self.scope();
        let (a, b) = (&self.a.algebra, &self.b.algebra);
        match declared {
            Declared::Action(x, y) => {
                let (x, y) = (a.action(x), b.action(y));
                let sorts = x.sorts.iter().zip(&y.sorts).try_for_each(|(s, t)| self.sort(s, t));
                within(|| format!("action `{}`", x.name), sorts)
            }
            Declared::Constant(x, y) => {
                let (x, y) = (&a.constants[x.index()], &b.constants[y.index()]);
                alike(x.name.as_str(), y.name.as_str(), "the constants differ")?;
                within(|| format!("constant `{}`", x.name), self.sort(&x.sort, &y.sort))
            }
            Declared::Data(x, y) => self.datatype(x, y),
            Declared::Function(x, y) => {
                let name = a.functions[x.index()].name;
                within(|| format!("function `{name}`"), self.function(x, y))
            }
        }
    }

    fn datatype(&mut self, a: DataId, b: DataId) -> Found {
        let (a, b) = (&self.a.algebra.datatypes[a.index()], &self.b.algebra.datatypes[b.index()]);
        alike(a.name.as_str(), b.name.as_str(), "the sorts differ")?;
        let here = || format!("sort `{}`", a.name);
        let (x, y) = (&a.constructors, &b.constructors);
        within(here, equal(x.len(), y.len(), "the numbers of constructors differ"))?;
        for (one, other) in x.iter().zip(y) {
            let names = alike(one.name.as_str(), other.name.as_str(), "the constructors differ");
            within(here, names)?;
            let count = equal(one.fields.len(), other.fields.len(), "the numbers of fields differ");
            within(here, count)?;
            for ((field, sort), (other, other_sort)) in one.fields.iter().zip(&other.fields) {
                within(here, alike(field.as_str(), other.as_str(), "the fields differ"))?;
                within(here, self.sort(sort, other_sort))?;
            }
        }
        Ok(())
    }

    fn function(&mut self, a: FunId, b: FunId) -> Found {
        let (a, b) = (&self.a.algebra.functions[a.index()], &self.b.algebra.functions[b.index()]);
        alike(a.name.as_str(), b.name.as_str(), "the functions differ")?;
        equal(a.params.len(), b.params.len(), "the numbers of parameters differ")?;
        for (&one, &other) in a.params.iter().zip(&b.params) {
            self.pair(one, other)?;
        }
        self.sort(&a.result, &b.result)?;
        self.option(a.body, b.body)
    }
}

/// The factors of a product, also those of products in it.
fn factors(net: &PNet, id: TermId) -> Vec<TermId> {
    match net.terms.get(id) {
        Term::Multiply(all) => all.iter().flat_map(|&factor| factors(net, factor)).collect(),
        _ => vec![id],
    }
}

/// What kind of term this is, in a word.
fn kind(term: &Term) -> &'static str {
    match term {
        Term::Bool(_) => "a truth value",
        Term::Int(_) => "an integer",
        Term::Var(_) => "a variable",
        Term::Const(_) => "a constant",
        Term::Apply(..) => "a function applied",
        Term::Construct(..) => "a constructor applied",
        Term::Select(..) => "a field",
        Term::IsConstructor(..) => "a test of a constructor",
        Term::Index(..) => "an element of an array",
        Term::Update(..) => "an array with a change",
        Term::ConstArray(..) => "an array that is the same everywhere",
        Term::Not(_) => "not",
        Term::And(_) => "and",
        Term::Or(_) => "or",
        Term::Add(_) => "+",
        Term::Multiply(_) => "*",
        Term::Div(..) => "div",
        Term::Mod(..) => "mod",
        Term::Equal(..) => "==",
        Term::Less(..) => "<",
        Term::LessEqual(..) => "<=",
        Term::If(..) => "if",
        Term::Forall(..) => "forall",
        Term::Exists(..) => "exists",
        Term::Act(..) => "an action",
        Term::Tau => "tau",
        Term::Sync(_) => "sync",
        Term::Co(_) => "co",
        Term::IsAct(..) => "a test of an action",
        Term::IsSync(_) => "a test for sync",
        Term::IsCo(_) => "a test for co",
        Term::Argument(..) => "an argument of an action",
        Term::Inner(_) => "what is inside sync or co",
    }
}
