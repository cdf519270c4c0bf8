//! Random formulas over all sorts, and whether two of them hold for the same values: Z3 is asked.
//!
//! Formulas are made twice from the same numbers: as they stand (`raw`), and by the constructors of terms, which simplify.
//! What the sorts of variables mean is put into the question here, without the library.

use pnetc::algebra::{Algebra, DataId, Sort, Term, TermId, Terms, VarId, VariableKind};
use pnetc::diagnostics::Symbol;
use pnetc::elaborate::ElaborateOptions;
use pnetc::smt::{Answer, Limits, Solver, Theory};

use super::Random;
use super::sources;

const MODEL: &str = "\
data Color { Red, Green, Blue }
data List { Nil, Cons(head: Int, tail: List) }
action a(Int, List), b(Color);
process P { var c: Color = Red; var l: List = Nil; init state s; s -> s : a(1, l); s -> s : b(c); }
";

/// Sorts, terms and variables for formulas.
pub struct Formulas {
    pub algebra: Algebra,
    pub terms: Terms,
    pub random: Random,
    /// Whether terms are left as they are made.
    pub raw: bool,
    pub ints: Vec<VarId>,
    pub ranges: Vec<VarId>,
    pub bools: Vec<VarId>,
    colors: Vec<VarId>,
    lists: Vec<VarId>,
    arrays: Vec<VarId>,
    bound: Vec<VarId>,
    color: DataId,
    list: DataId,
}

impl Formulas {
    /// Formulas whose variables are of this kind.
    pub fn new(seed: u64, kind: VariableKind) -> Formulas {
        let net = sources::check_all(MODEL).build(Some("P"), &ElaborateOptions::default()).unwrap();
        let at = |name: &str| {
            let mut all = net.algebra.datatypes.iter();
            DataId(all.position(|one| one.name.as_str() == name).unwrap() as u32)
        };
        let (color, list) = (at("Color"), at("List"));
        let mut terms = net.terms.clone();
        let mut vars = |names: &[&str], sort: &dyn Fn(&mut Terms, usize) -> Sort| -> Vec<VarId> {
            let new = |(at, name): (usize, &&str)| {
                let sort = sort(&mut terms, at);
                terms.new_var(Symbol::new(name), sort, kind)
            };
            names.iter().enumerate().map(new).collect()
        };
        let ints = vars(&["x", "y", "z"], &|_, _| Sort::Int);
        let ranges = vars(&["r", "s", "t"], &|terms, at| {
            let (low, high) = [(0, 4), (-2, 3), (1, 2)][at];
            Sort::Range(terms.int(low), terms.int(high))
        });
        let bools = vars(&["p", "q"], &|_, _| Sort::Bool);
        let colors = vars(&["c", "d"], &|_, _| Sort::Data(color));
        let lists = vars(&["l", "k"], &|_, _| Sort::Data(list));
        let arrays = vars(&["m", "n"], &|_, _| Sort::Array(Box::new((Sort::Int, Sort::Int))));
        let random = Random::new(seed);
        let (bound, algebra) = (Vec::new(), net.algebra.clone());
        #[rustfmt::skip]
        let made = Formulas { algebra, terms, random, raw: true, ints, ranges, bools, colors, lists, arrays, bound, color, list };
        made
    }

    /// What this makes, as it stands and by the constructors.
    pub fn twice<R>(&mut self, make: impl Fn(&mut Formulas) -> R) -> (R, R) {
        let before = self.random.clone();
        self.raw = true;
        let raw = make(self);
        (self.random, self.raw) = (before, false);
        let made = make(self);
        self.raw = true;
        (raw, made)
    }

    fn var(&mut self, all: fn(&Formulas) -> &Vec<VarId>) -> TermId {
        let at = self.random.below(all(self).len());
        self.terms.var_term(all(self)[at])
    }

    pub fn number(&mut self) -> TermId {
        let value = *self.random.pick(&[-7, -3, -2, -1, 0, 0, 1, 1, 2, 3, 4, 10]);
        self.terms.int(value)
    }

    /// A number, or a name of one.
    fn simple(&mut self) -> TermId {
        match self.random.below(8) {
            0 | 1 => self.number(),
            2..5 => self.var(|all| &all.ints),
            5 if !self.bound.is_empty() => self.var(|all| &all.bound),
            _ => self.var(|all| &all.ranges),
        }
    }

    /// A quotient or remainder that is rounded towards zero; raw, by cases.
    fn truncated(
        &mut self,
        a: TermId,
        b: TermId,
        made: fn(&mut Terms, TermId, TermId) -> TermId,
        form: fn(TermId, TermId) -> Term,
    ) -> TermId {
        let terms = &mut self.terms;
        if !self.raw {
            return made(terms, a, b);
        }
        let (zero, minus) = (terms.int(0), terms.int(-1));
        let opposite = terms.raw(Term::Multiply([minus, a].into()));
        let (yes, no) = (terms.raw(form(a, b)), terms.raw(form(opposite, b)));
        let no = terms.raw(Term::Multiply([minus, no].into()));
        let is_positive = terms.raw(Term::LessEqual(zero, a));
        terms.raw(Term::If(is_positive, yes, no))
    }

    /// A number that is computed.
    pub fn int(&mut self, depth: usize) -> TermId {
        if depth == 0 || self.random.one_in(3) {
            return self.simple();
        }
        let next = depth - 1;
        match self.random.below(15) {
            13 => {
                let (a, b) = (self.int(next), self.divisor(next));
                self.truncated(a, b, Terms::quotient, Term::Div)
            }
            14 => {
                let (a, b) = (self.int(next), self.divisor(next));
                self.truncated(a, b, Terms::rest, Term::Mod)
            }
            0..4 => {
                let parts: Vec<TermId> = (0..2 + next).map(|_| self.int(next)).collect();
                self.join(parts, Terms::add, Term::Add)
            }
            4..7 => {
                let factor = self.number();
                let parts = vec![factor, self.int(next)];
                self.join(parts, Terms::multiply, Term::Multiply)
            }
            7 => {
                let (a, b) = (self.int(next), self.divisor(next));
                self.both(a, b, Terms::div, Term::Div)
            }
            8 | 9 => {
                let (a, b) = (self.int(next), self.divisor(next));
                self.both(a, b, Terms::modulo, Term::Mod)
            }
            10 => {
                let (c, a, b) = (self.bool(next), self.int(next), self.int(next));
                let raw = self.raw;
                let terms = &mut self.terms;
                if raw { terms.raw(Term::If(c, a, b)) } else { terms.if_then_else(c, a, b) }
            }
            11 => {
                let (array, at) = (self.array(next), self.int(next));
                self.both(array, at, Terms::index, Term::Index)
            }
            _ => {
                let (list, data) = (self.data_list(next), self.list);
                let raw = self.raw;
                let terms = &mut self.terms;
                if raw {
                    terms.raw(Term::Select(data, 1, 0, list))
                } else {
                    terms.select(data, 1, 0, list)
                }
            }
        }
    }

    /// What is divided by: a number, also a negative one, and rarely something else.
    fn divisor(&mut self, depth: usize) -> TermId {
        if self.random.one_in(12) {
            return self.int(depth);
        }
        let value = *self.random.pick(&[-4, -3, -2, -1, 1, 2, 3, 4, 5]);
        self.terms.int(value)
    }

    fn data_list(&mut self, depth: usize) -> TermId {
        let list = self.list;
        match self.random.below(if depth == 0 { 2 } else { 4 }) {
            0 | 1 => self.var(|all| &all.lists),
            2 => self.terms.raw(Term::Construct(list, 0, [].into())),
            _ => {
                let parts = [self.int(depth - 1), self.data_list(depth - 1)];
                self.terms.raw(Term::Construct(list, 1, parts.into()))
            }
        }
    }

    fn data_color(&mut self) -> TermId {
        match self.random.below(3) {
            0 => {
                let (color, which) = (self.color, self.random.below(3) as u32);
                self.terms.raw(Term::Construct(color, which, [].into()))
            }
            _ => self.var(|all| &all.colors),
        }
    }

    fn array(&mut self, depth: usize) -> TermId {
        match self.random.below(if depth == 0 { 1 } else { 5 }) {
            0..3 => self.var(|all| &all.arrays),
            3 => {
                let (array, at) = (self.array(depth - 1), self.simple());
                let value = self.int(depth - 1);
                self.terms.raw(Term::Update(array, at, value))
            }
            _ => {
                let (sort, value) = (Sort::Array(Box::new((Sort::Int, Sort::Int))), self.simple());
                self.terms.raw(Term::ConstArray(sort, value))
            }
        }
    }

    /// An action, for unification.
    pub fn action(&mut self, depth: usize) -> TermId {
        let action = |at: u32| pnetc::algebra::ActionId(at);
        match self.random.below(8) {
            0..5 => {
                let parts = [self.int(depth), self.data_list(depth)];
                self.terms.raw(Term::Act(action(0), parts.into()))
            }
            5 | 6 => {
                let part = self.data_color();
                self.terms.raw(Term::Act(action(1), [part].into()))
            }
            _ => {
                let inner = self.action(depth);
                self.terms.raw(Term::Sync(inner))
            }
        }
    }

    /// A comparison, or another condition without conditions inside.
    pub fn atom(&mut self, depth: usize) -> TermId {
        match self.random.below(12) {
            0..3 => {
                let (a, b) = (self.int(depth), self.int(depth));
                self.both(a, b, Terms::less_equal, Term::LessEqual)
            }
            3 | 4 => {
                let (a, b) = (self.int(depth), self.int(depth));
                self.both(a, b, Terms::less, Term::Less)
            }
            5..8 => {
                let (a, b) = (self.int(depth), self.int(depth));
                self.both(a, b, Terms::equal, Term::Equal)
            }
            8 => {
                let (a, b) = match self.random.below(3) {
                    0 => (self.data_color(), self.data_color()),
                    1 => (self.data_list(depth), self.data_list(depth)),
                    _ => (self.array(depth), self.array(depth)),
                };
                self.both(a, b, Terms::equal, Term::Equal)
            }
            9 => {
                let (color, list) = (self.color, self.list);
                let (data, which, value) = match self.random.below(2) {
                    0 => (color, self.random.below(3) as u32, self.data_color()),
                    _ => (list, self.random.below(2) as u32, self.data_list(depth)),
                };
                let raw = self.raw;
                let terms = &mut self.terms;
                match raw {
                    true => terms.raw(Term::IsConstructor(data, which, value)),
                    false => terms.is_constructor(data, which, value),
                }
            }
            _ => self.var(|all| &all.bools),
        }
    }

    /// A condition.
    pub fn bool(&mut self, depth: usize) -> TermId {
        if depth == 0 || self.random.one_in(4) {
            return self.atom(depth);
        }
        let next = depth - 1;
        match self.random.below(9) {
            0 | 1 => {
                let parts: Vec<TermId> = (0..2 + next).map(|_| self.bool(next)).collect();
                self.join(parts, Terms::and, Term::And)
            }
            2 | 3 => {
                let parts: Vec<TermId> = (0..2 + next).map(|_| self.bool(next)).collect();
                self.join(parts, Terms::or, Term::Or)
            }
            4..7 => {
                let inner = self.bool(next);
                if self.raw { self.terms.raw(Term::Not(inner)) } else { self.terms.not(inner) }
            }
            7 => self.quantified(next),
            _ => {
                let (a, b) = (self.bool(next), self.bool(next));
                self.both(a, b, Terms::equal, Term::Equal)
            }
        }
    }

    fn quantified(&mut self, depth: usize) -> TermId {
        let universal = self.random.one_in(2);
        let sort = match self.random.below(3) {
            0 => Sort::Int,
            _ => Sort::Range(self.terms.int(-1), self.terms.int(3)),
        };
        let var = self.terms.new_var(Symbol::new("i"), sort, VariableKind::Bound);
        self.bound.push(var);
        let body = self.bool(depth);
        self.bound.pop();
        match (self.raw, universal) {
            (false, _) => self.terms.quantified(universal, [var].into(), body),
            (true, true) => self.terms.raw(Term::Forall([var].into(), body)),
            (true, false) => self.terms.raw(Term::Exists([var].into(), body)),
        }
    }

    fn both(
        &mut self,
        a: TermId,
        b: TermId,
        made: fn(&mut Terms, TermId, TermId) -> TermId,
        raw: fn(TermId, TermId) -> Term,
    ) -> TermId {
        if self.raw { self.terms.raw(raw(a, b)) } else { made(&mut self.terms, a, b) }
    }

    fn join(
        &mut self,
        parts: Vec<TermId>,
        made: fn(&mut Terms, Vec<TermId>) -> TermId,
        raw: fn(Box<[TermId]>) -> Term,
    ) -> TermId {
        if self.raw { self.terms.raw(raw(parts.into())) } else { made(&mut self.terms, parts) }
    }

    pub fn all(&mut self, parts: &[TermId]) -> TermId {
        self.terms.raw(Term::And(parts.into()))
    }

    // ---- the question ----

    /// That a number is in its range.
    fn in_sort(&mut self, var: VarId) -> Option<TermId> {
        let Sort::Range(low, high) = self.terms.var(var).sort else { return None };
        let this = self.terms.var_term(var);
        let (above, below) =
            (self.terms.raw(Term::LessEqual(low, this)), self.terms.raw(Term::Less(this, high)));
        Some(self.all(&[above, below]))
    }

    /// A formula whose quantifiers say what the sorts of their variables mean.
    fn explicit(&mut self, id: TermId) -> TermId {
        let term = self.terms.get(id).clone();
        let mut inside = Vec::new();
        term.each_inside(|inner| inside.push(inner));
        let new: Vec<TermId> = inside.iter().map(|&inner| self.explicit(inner)).collect();
        let at = |inner: TermId| new[inside.iter().position(|&one| one == inner).unwrap()];
        match term.with_inside(at) {
            Term::Forall(vars, body) => {
                let not = self.terms.raw(Term::Not(body));
                let counter = self.bounded(&vars, not);
                let some = self.terms.raw(Term::Exists(vars, counter));
                self.terms.raw(Term::Not(some))
            }
            Term::Exists(vars, body) => {
                let body = self.bounded(&vars, body);
                self.terms.raw(Term::Exists(vars, body))
            }
            other => self.terms.raw(other),
        }
    }

    fn bounded(&mut self, vars: &[VarId], body: TermId) -> TermId {
        let mut parts: Vec<TermId> = vars.iter().filter_map(|&var| self.in_sort(var)).collect();
        parts.push(body);
        self.all(&parts)
    }

    /// Whether two conditions hold for the same values, where others hold; nothing when Z3 does not know.
    pub fn same(&mut self, one: TermId, other: TermId, given: &[TermId]) -> Option<bool> {
        let mut all: Vec<TermId> = given.iter().map(|&part| self.explicit(part)).collect();
        let (one, other) = (self.explicit(one), self.explicit(other));
        let same = self.terms.raw(Term::Equal(one, other));
        all.push(self.terms.raw(Term::Not(same)));
        let together = self.all(&all);
        let free = self.terms.free_vars(together);
        all.extend(free.into_iter().filter_map(|var| self.in_sort(var)));
        let mut solver = Solver::new(&self.algebra, false, Limits { milliseconds: 200 });
        let theory = Theory { algebra: &self.algebra, terms: &self.terms };
        match solver.check(theory, &all) {
            Answer::Unsat => Some(true),
            Answer::Sat => Some(false),
            Answer::Unknown(_) => None,
        }
    }

    /// A term in prefix form.
    pub fn shown(&self, id: TermId) -> String {
        let term = self.terms.get(id);
        let head = match term {
            Term::Int(value) => value.to_string(),
            Term::Var(var) => format!("{}{}", self.terms.var(*var).name, var.index()),
            Term::Construct(data, which, _) => format!("con{}.{which}", data.0),
            other => format!("{other:?}").split(['(', ' ']).next().unwrap_or_default().to_owned(),
        };
        let mut inside = Vec::new();
        term.each_inside(|inner| inside.push(self.shown(inner)));
        if inside.is_empty() { head } else { format!("{head}({})", inside.join(", ")) }
    }
}
