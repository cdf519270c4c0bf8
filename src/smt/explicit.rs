//! Questions in which nothing is left to the sorts.
//!
//! To a solver a range is all integers, an array over a range has places outside of it, a field that a value does not
//! have is anything, and so is what an abstract function gives. Here all of this is spelt out, once, so that what
//! writes questions for Z3 and for other solvers need not know of it:
//!
//! - variables, also those of quantifiers, and constants satisfy the invariants of their sorts;
//! - a field of a value that does not have it, and the result of an abstract function, are values of their sorts: where
//!   the solver would take another one, some fixed value stands instead;
//! - an array over a few places is the same everywhere else: so two of them are equal where they agree on these places,
//!   to the solver too, also inside of other values. The equality of arrays with other bounds is spelt out; inside of
//!   values that are compared as a whole it cannot be.
//!
//! Data that contain themselves are looked into as deep as a question does, and one level more: what is further inside can
//! be exchanged for anything, and the answer stays. Where a recursive function goes into them to the end, the invariant
//! does so, too.
//!
//! Claim: for values that the model can have, a question has the same answer before and after.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::encode::Unsupported;
use crate::algebra::{
    Algebra, BY_PREDICATE, BottomUp, Sort, SortsOf, Term, TermId, Terms, VarId, VariableKind,
    places,
};
use crate::diagnostics::Symbol;

/// Questions that look deeper into data have them looked into to the end.
const MOST_LEVELS: usize = 6;

/// A question as the solver is to see it.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// What is asked, condition by condition.
    pub conditions: Vec<TermId>,
    /// What is assumed of the variables.
    pub assumed: Vec<TermId>,
}

impl Question {
    /// Everything that must hold together.
    pub fn all(&self) -> Vec<TermId> {
        self.conditions.iter().chain(&self.assumed).copied().collect()
    }
}

/// Makes questions about one algebra explicit.
pub struct Explicit {
    /// The algebra as the solver is to see it: its axioms say what is assumed of constants, too.
    pub algebra: Algebra,
    done: FxHashMap<TermId, TermId>,
    variables: FxHashMap<TermId, Rc<[VarId]>>,
    assumed: FxHashMap<(VarId, usize), Option<TermId>>,
    /// For each function, whether it speaks of itself.
    recursive: Vec<bool>,
    sorts: SortsOf,
    /// What arrays over a range are outside of it, by the sort of their elements.
    outside: FxHashMap<Sort, VarId>,
    /// What is wrong with the algebra itself.
    trouble: Option<Unsupported>,
}

impl Explicit {
    /// For questions about this algebra, with terms of this table.
    pub fn new(algebra: &Algebra, terms: &mut Terms) -> Explicit {
        let mut explicit = Explicit {
            algebra: algebra.clone(),
            done: FxHashMap::default(),
            variables: FxHashMap::default(),
            assumed: FxHashMap::default(),
            recursive: Vec::new(),
            sorts: SortsOf::default(),
            outside: FxHashMap::default(),
            trouble: None,
        };
        let ids = (0..algebra.functions.len()).map(|index| crate::algebra::FunId(index as u32));
        explicit.recursive =
            ids.map(|id| super::encode::is_recursive(algebra, terms, id)).collect();
        let mut axioms = Vec::with_capacity(algebra.axioms.len());
        for (index, constant) in algebra.constants.iter().enumerate() {
            if constant.value.is_none() {
                let name = terms.raw(Term::Const(crate::algebra::ConstId(index as u32)));
                axioms.extend(algebra.assumed_of(terms, &constant.sort, name));
            }
        }
        axioms.extend(&algebra.axioms);
        explicit.algebra.axioms = axioms.into_iter().map(|one| explicit.own(terms, one)).collect();
        for index in 0..algebra.functions.len() {
            let body = explicit.inside(algebra, terms, index);
            explicit.algebra.functions[index].body = body.map(|body| explicit.own(terms, body));
        }
        for index in 0..algebra.constants.len() {
            let value = algebra.constants[index].value;
            explicit.algebra.constants[index].value = value.map(|value| explicit.own(terms, value));
        }
        explicit
    }

    /// The definition of a function for arguments in their ranges. A recursive one is known to end for these alone;
    /// for others it is anything.
    fn inside(&mut self, algebra: &Algebra, terms: &mut Terms, index: usize) -> Option<TermId> {
        let function = &algebra.functions[index];
        let body = function.body?;
        let mut inside = Vec::new();
        for &param in &function.params {
            let (sort, value) = (terms.var(param).sort.clone(), terms.var_term(param));
            // Whether recursion ends rests on the ranges of parameters, not on those inside values.
            if matches!(sort, Sort::Range(..)) {
                inside.extend(algebra.assumed_of(terms, &sort, value));
            }
        }
        let id = crate::algebra::FunId(index as u32);
        if inside.is_empty() || !super::encode::is_recursive(algebra, terms, id) {
            return Some(body);
        }
        let outside = crate::algebra::FunId(self.algebra.functions.len() as u32);
        let args = function.params.iter().map(|&param| terms.var_term(param)).collect();
        self.algebra.functions.push(crate::algebra::Function { body: None, ..function.clone() });
        let inside = terms.and(inside);
        let anything = terms.raw(Term::Apply(outside, args));
        Some(terms.if_then_else(inside, body, anything))
    }

    /// A term of the algebra itself.
    fn own(&mut self, terms: &mut Terms, term: TermId) -> TermId {
        self.term(terms, term).unwrap_or_else(|why| {
            self.trouble = Some(why);
            term
        })
    }

    /// A question as the solver is to see it.
    pub fn question(
        &mut self,
        terms: &mut Terms,
        conditions: &[TermId],
    ) -> Result<Question, Unsupported> {
        if let Some(trouble) = &self.trouble {
            return Err(*trouble);
        }
        let levels = self.levels(terms, conditions);
        let mut question = Question::default();
        let mut seen = rustc_hash::FxHashSet::default();
        for &condition in conditions {
            question.conditions.push(self.term(terms, condition)?);
            for &var in self.variables_of(terms, condition).iter() {
                if seen.insert(var) {
                    question.assumed.extend(self.assumed(terms, var, levels)?);
                }
            }
        }
        Ok(question)
    }

    /// The same, with what is assumed of some more variables.
    pub fn question_about(
        &mut self,
        terms: &mut Terms,
        conditions: &[TermId],
        vars: &[VarId],
    ) -> Result<Question, Unsupported> {
        let levels = self.levels(terms, conditions);
        let mut question = self.question(terms, conditions)?;
        for &var in vars {
            let assumed = self.assumed(terms, var, levels)?;
            question.assumed.extend(assumed.filter(|one| !question.assumed.contains(one)));
        }
        Ok(question)
    }

    fn variables_of(&mut self, terms: &Terms, condition: TermId) -> Rc<[VarId]> {
        let vars = self.variables.entry(condition);
        Rc::clone(vars.or_insert_with(|| terms.free_vars(condition).into()))
    }

    /// What is assumed of a variable.
    fn assumed(
        &mut self,
        terms: &mut Terms,
        var: VarId,
        levels: usize,
    ) -> Result<Option<TermId>, Unsupported> {
        if let Some(&known) = self.assumed.get(&(var, levels)) {
            return Ok(known);
        }
        let assumed = match self.algebra.assumed(terms, var, levels) {
            Some(assumed) => Some(self.term(terms, assumed)?),
            None => None,
        };
        self.assumed.insert((var, levels), assumed);
        Ok(assumed)
    }

    /// How deep conditions look into data that contain themselves, and one level more.
    fn levels(&self, terms: &Terms, conditions: &[TermId]) -> usize {
        if !self.algebra.has_predicates() {
            return BY_PREDICATE;
        }
        let mut deepest = 0;
        let mut seen: FxHashMap<TermId, usize> = FxHashMap::default();
        let mut work: Vec<(TermId, usize)> = conditions.iter().map(|&one| (one, 0)).collect();
        while let Some((id, depth)) = work.pop() {
            if seen.get(&id).is_some_and(|&known| known >= depth) {
                continue;
            }
            seen.insert(id, depth);
            let term = terms.get(id);
            if matches!(term, Term::Apply(fun, _) if self.recursive.get(fun.index()) == Some(&true))
            {
                return BY_PREDICATE;
            }
            let depth = match term {
                Term::Select(..) | Term::Construct(..) => depth + 1,
                _ => depth,
            };
            deepest = deepest.max(depth);
            if deepest > MOST_LEVELS {
                return BY_PREDICATE;
            }
            term.each_inside(|inner| work.push((inner, depth)));
        }
        deepest + 1
    }

    /// A term in which nothing is left to the sorts.
    fn term(&mut self, terms: &mut Terms, root: TermId) -> Result<TermId, Unsupported> {
        let mut walk = BottomUp::from(root);
        while let Some(id) = walk.next(terms, |id| self.done.contains_key(&id)) {
            let new = self.form(terms, id)?;
            self.done.insert(id, new);
        }
        Ok(self.done.get(&root).copied().unwrap_or(root))
    }

    /// A term whose inner terms are done.
    fn form(&mut self, terms: &mut Terms, id: TermId) -> Result<TermId, Unsupported> {
        match terms.get(id).clone() {
            Term::Equal(a, b) => return self.equality(terms, id, (a, b)),
            Term::Forall(vars, _) => return self.quantified(terms, id, &vars),
            Term::Exists(vars, _) => return self.quantified(terms, id, &vars),
            _ => {}
        }
        let new = terms.rebuilt(id, &self.done);
        Ok(match terms.get(new).clone() {
            Term::Select(data, index, field, value) => {
                let constructor =
                    &self.algebra.datatypes[data.index()].constructors[index as usize];
                let sort = constructor.fields[field as usize].1.clone();
                if !self.algebra.is_restricted(&sort) {
                    return Ok(new);
                }
                let has_it = terms.is_constructor(data, index, value);
                self.value_of(terms, &sort, new, has_it)?
            }
            Term::Argument(action, place, value) => {
                let sort = self.algebra.action(action).sorts[place as usize].clone();
                if !self.algebra.is_restricted(&sort) {
                    return Ok(new);
                }
                let has_it = terms.is_act(action, value);
                self.value_of(terms, &sort, new, has_it)?
            }
            Term::Apply(fun, _) if self.algebra.functions[fun.index()].body.is_none() => {
                let sort = self.algebra.functions[fun.index()].result.clone();
                let no = terms.bool(false);
                self.value_of(terms, &sort, new, no)?
            }
            Term::ConstArray(sort, value) => self.constant_array(terms, &sort, value, new),
            _ => new,
        })
    }

    /// What the solver takes for a value, where this is one of its sort or known to be; else some other value of it.
    fn value_of(
        &mut self,
        terms: &mut Terms,
        sort: &Sort,
        value: TermId,
        sure: TermId,
    ) -> Result<TermId, Unsupported> {
        let Some(fits) = self.algebra.assumed_of(terms, sort, value) else { return Ok(value) };
        // What is said of the value is said of what the solver takes for it, and elsewhere of what stands for that.
        let done = std::mem::replace(&mut self.done, [(value, value)].into_iter().collect());
        let fits = self.term(terms, fits);
        self.done = done;
        let (fits, other) = (fits?, self.algebra.some_value(terms, sort));
        let other = self.term(terms, other)?;
        let fits = terms.or([sure, fits]);
        Ok(terms.if_then_else(fits, value, other))
    }

    /// An array that is the same everywhere inside its range; outside it is like all others.
    fn constant_array(
        &mut self,
        terms: &mut Terms,
        sort: &Sort,
        value: TermId,
        plain: TermId,
    ) -> TermId {
        let Sort::Array(both) = sort else { return plain };
        let Some(places) = places(terms, &both.0) else { return plain };
        let mut array = self.outside(terms, &both.1);
        for place in places {
            let place = terms.int(place);
            array = terms.raw(Term::Update(array, place, value));
        }
        array
    }

    /// What all arrays over a range with elements of a sort are outside of their ranges.
    fn outside(&mut self, terms: &mut Terms, element: &Sort) -> TermId {
        let var = self.outside.entry(element.clone()).or_insert_with(|| {
            let sort = Sort::Array(Box::new((Sort::Int, element.clone())));
            terms.new_var(Symbol::new("outside"), sort, VariableKind::Vector)
        });
        terms.var_term(*var)
    }

    fn quantified(
        &mut self,
        terms: &mut Terms,
        id: TermId,
        vars: &[VarId],
    ) -> Result<TermId, Unsupported> {
        let levels = self.levels(terms, &[id]);
        let mut conditions = Vec::with_capacity(vars.len() + 1);
        for &var in vars {
            conditions.extend(self.assumed(terms, var, levels)?);
        }
        let done = |body: &TermId| self.done.get(body).copied().unwrap_or(*body);
        Ok(match terms.get(id) {
            Term::Forall(_, body) => {
                let (body, all) = (done(body), terms.and(conditions));
                let body = terms.implies(all, body);
                terms.raw(Term::Forall(vars.into(), body))
            }
            Term::Exists(_, body) => {
                conditions.push(done(body));
                let body = terms.and(conditions);
                terms.raw(Term::Exists(vars.into(), body))
            }
            _ => id,
        })
    }

    // ---- equality ----

    fn equality(
        &mut self,
        terms: &mut Terms,
        id: TermId,
        (a, b): (TermId, TermId),
    ) -> Result<TermId, Unsupported> {
        let sort = self.sorts.of(&self.algebra, terms, a);
        if !self.algebra.is_loose(terms, &sort) {
            return Ok(terms.rebuilt(id, &self.done));
        }
        let done = |term: &TermId| self.done.get(term).copied().unwrap_or(*term);
        let (a, b) = (done(&a), done(&b));
        self.spelt_out(terms, &sort, a, b)
    }

    /// That two values of a sort are the same, where the solver would look at places that arrays do not have.
    fn spelt_out(
        &mut self,
        terms: &mut Terms,
        sort: &Sort,
        a: TermId,
        b: TermId,
    ) -> Result<TermId, Unsupported> {
        if a == b {
            return Ok(terms.bool(true));
        }
        if !self.algebra.is_loose(terms, sort) {
            return Ok(terms.equal(a, b));
        }
        match (sort, terms.get(a).clone(), terms.get(b).clone()) {
            (Sort::Array(both), ..) => self.same_elements(terms, both, a, b),
            (Sort::Action, Term::Act(x, xs), Term::Act(y, ys)) => {
                if x != y {
                    return Ok(terms.bool(false));
                }
                let sorts = self.algebra.action(x).sorts.clone();
                self.all_spelt_out(terms, &sorts, &xs, &ys)
            }
            (Sort::Action, Term::Sync(a), Term::Sync(b))
            | (Sort::Action, Term::Co(a), Term::Co(b)) => self.spelt_out(terms, sort, a, b),
            (Sort::Action, x, y) if is_action_form(&x) && is_action_form(&y) => {
                Ok(terms.bool(x == y))
            }
            (Sort::Data(data), Term::Construct(_, x, xs), Term::Construct(_, y, ys)) => {
                if x != y {
                    return Ok(terms.bool(false));
                }
                let constructor = &self.algebra.datatypes[data.index()].constructors[x as usize];
                let sorts: Vec<Sort> =
                    constructor.fields.iter().map(|(_, sort)| sort.clone()).collect();
                self.all_spelt_out(terms, &sorts, &xs, &ys)
            }
            _ => Err(Unsupported::Loose),
        }
    }

    fn all_spelt_out(
        &mut self,
        terms: &mut Terms,
        sorts: &[Sort],
        a: &[TermId],
        b: &[TermId],
    ) -> Result<TermId, Unsupported> {
        let mut all = Vec::with_capacity(sorts.len());
        for ((sort, &a), &b) in sorts.iter().zip(a).zip(b) {
            all.push(self.spelt_out(terms, sort, a, b)?);
        }
        Ok(terms.and(all))
    }

    fn same_elements(
        &mut self,
        terms: &mut Terms,
        both: &(Sort, Sort),
        a: TermId,
        b: TermId,
    ) -> Result<TermId, Unsupported> {
        if let Some(places) = places(terms, &both.0) {
            let mut all = Vec::with_capacity(places.len());
            for place in places {
                let place = terms.int(place);
                let (a, b) = (terms.index(a, place), terms.index(b, place));
                all.push(self.spelt_out(terms, &both.1, a, b)?);
            }
            return Ok(terms.and(all));
        }
        let place = terms.new_var(Symbol::new("i"), both.0.clone(), VariableKind::Bound);
        let at = terms.var_term(place);
        let (a, b) = (terms.index(a, at), terms.index(b, at));
        let same = self.spelt_out(terms, &both.1, a, b)?;
        let body = match self.assumed(terms, place, BY_PREDICATE)? {
            Some(inside) => terms.implies(inside, same),
            None => same,
        };
        Ok(terms.raw(Term::Forall([place].into(), body)))
    }
}

fn is_action_form(term: &Term) -> bool {
    matches!(term, Term::Act(..) | Term::Tau | Term::Sync(_) | Term::Co(_))
}
