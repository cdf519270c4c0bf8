//! Questions about arrays that are only read, as questions about what is read (Ackermann's reduction, where the
//! places surely differ).
//!
//! To a solver, `m[i]` and `m[j]` are two values if `i` and `j` differ, and it has to find out. With `k` places of a
//! circle, `m[(i + 1) mod n]`, `m[(i + 2) mod n]` and so on, it tries their arrangements, and takes twice as long
//! with each of them. That they differ is plain to see, so each is a variable of its own.
//!
//! Claim: the conditions can hold together before exactly if they can after.
//!
//! - What is read of an array that was written to is what was written, or what was there before.
//! - An array that is only read, at places that differ whatever its variables are and that are inside of its bounds, has
//!   any value in each of them.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::algebra::{BottomUp, Sort, Term, TermId, Terms, VarId};

/// More places of one array than this are not compared with each other.
const MOST_PLACES: usize = 32;

/// Replaces reads, all of one table of terms.
#[derive(Default, Debug)]
pub struct Reads {
    /// Terms in which no array is read that was written to.
    resolved: FxHashMap<TermId, TermId>,
    /// What stands for what is read.
    read: FxHashMap<TermId, TermId>,
    /// Whether two places differ whatever the variables are.
    differ: FxHashMap<(TermId, TermId), bool>,
    /// Whether a condition speaks of arrays.
    arrays: FxHashMap<TermId, bool>,
}

/// How the arrays of a question are used, in a fixed order, and the variables of its quantifiers.
#[derive(Default)]
struct Uses {
    arrays: Vec<(VarId, Used)>,
    bound: FxHashSet<VarId>,
}

/// How an array is used.
#[derive(Default)]
struct Used {
    /// The places where it is read, and the terms that do.
    places: Vec<(TermId, TermId)>,
    /// Whether it is used in some other way.
    otherwise: bool,
}

impl Reads {
    /// The conditions without the arrays that are only read.
    pub fn replaced(&mut self, terms: &mut Terms, conditions: &[TermId]) -> Vec<TermId> {
        if !conditions.iter().any(|&condition| self.speaks_of_arrays(terms, condition)) {
            return conditions.to_vec();
        }
        let resolved: Vec<TermId> =
            conditions.iter().map(|&condition| self.resolve(terms, condition)).collect();
        let mut known: FxHashMap<TermId, TermId> = FxHashMap::default();
        let Uses { arrays, bound } = uses(terms, &resolved);
        for (var, used) in arrays {
            if self.only_apart(terms, var, &used, &bound) {
                for &(_, read) in &used.places {
                    known.insert(read, self.variable(terms, var, read));
                }
            }
        }
        if known.is_empty() {
            return conditions.to_vec();
        }
        let none = FxHashMap::default();
        resolved.into_iter().map(|one| terms.substitute_with(one, &none, &mut known)).collect()
    }

    fn speaks_of_arrays(&mut self, terms: &Terms, condition: TermId) -> bool {
        *self.arrays.entry(condition).or_insert_with(|| {
            let vars = terms.free_vars(condition);
            vars.into_iter().any(|var| matches!(terms.var(var).sort, Sort::Array(_)))
        })
    }

    /// A term in which what is read of an array that was written to is what was written, or what was there before.
    fn resolve(&mut self, terms: &mut Terms, root: TermId) -> TermId {
        let mut walk = BottomUp::from(root);
        while let Some(id) = walk.next(terms, |id| self.resolved.contains_key(&id)) {
            let new = terms.rebuilt(id, &self.resolved);
            let new = written_or_before(terms, new);
            self.resolved.insert(id, new);
        }
        self.resolved.get(&root).copied().unwrap_or(root)
    }

    /// Whether an array is only read, at places that surely differ and are inside of its bounds.
    fn only_apart(
        &mut self,
        terms: &mut Terms,
        var: VarId,
        used: &Used,
        bound: &FxHashSet<VarId>,
    ) -> bool {
        let Sort::Array(both) = terms.var(var).sort.clone() else { return false };
        let Sort::Range(low, high) = both.0 else { return false };
        let Some((low, high)) = terms.as_int(low).cloned().zip(terms.as_int(high).cloned()) else {
            return false;
        };
        let inside = |terms: &Terms, place: TermId| {
            terms.bounds_of(place).is_some_and(|(least, most)| low <= least && most < high)
        };
        let is_free = |terms: &Terms, place: TermId| {
            terms.free_vars(place).iter().all(|var| !bound.contains(var))
        };
        if used.otherwise || bound.contains(&var) || used.places.len() > MOST_PLACES {
            return false;
        }
        let places: Vec<TermId> = used.places.iter().map(|(place, _)| *place).collect();
        places.iter().all(|&place| inside(terms, place) && is_free(terms, place))
            && places.iter().enumerate().all(|(at, &place)| {
                places[at + 1..].iter().all(|&other| self.differ(terms, place, other))
            })
    }

    fn differ(&mut self, terms: &mut Terms, a: TermId, b: TermId) -> bool {
        let key = (a.min(b), a.max(b));
        *self.differ.entry(key).or_insert_with(|| {
            let equal = terms.equal_places(a, b);
            terms.as_bool(equal) == Some(false)
        })
    }

    /// The variable that stands for what is read of an array: the same in all questions.
    fn variable(&mut self, terms: &mut Terms, array: VarId, read: TermId) -> TermId {
        if let Some(&known) = self.read.get(&read) {
            return known;
        }
        let of = terms.var(array);
        let (name, kind, sort) = (of.name, of.kind, of.sort.clone());
        let Sort::Array(both) = sort else { return read };
        let var = terms.new_var(name, both.1.clone(), kind);
        let var = terms.var_term(var);
        self.read.insert(read, var);
        var
    }
}

/// What is read of an array that was written to.
fn written_or_before(terms: &mut Terms, read: TermId) -> TermId {
    let Term::Index(array, place) = *terms.get(read) else { return read };
    let mut ways: Vec<(TermId, TermId)> = Vec::new();
    let mut array = array;
    while let Term::Update(before, at, value) = *terms.get(array) {
        let same = terms.equal_places(at, place);
        ways.push((same, value));
        array = before;
    }
    if ways.is_empty() {
        return read;
    }
    let mut found = terms.index(array, place);
    for (same, value) in ways.into_iter().rev() {
        found = terms.if_then_else(same, value, found);
    }
    found
}

fn uses(terms: &Terms, conditions: &[TermId]) -> Uses {
    let mut found = Uses::default();
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let mut work: Vec<TermId> = conditions.to_vec();
    let array = |id: TermId| match terms.get(id) {
        Term::Var(var) if matches!(terms.var(*var).sort, Sort::Array(_)) => Some(*var),
        _ => None,
    };
    while let Some(id) = work.pop() {
        if !seen.insert(id) {
            continue;
        }
        let term = terms.get(id);
        if let Term::Forall(vars, _) | Term::Exists(vars, _) = term {
            found.bound.extend(vars.iter().copied());
        }
        if let Term::Index(of, place) = *term
            && let Some(var) = array(of)
        {
            used(&mut found.arrays, var).places.push((place, id));
            work.push(place);
            continue;
        }
        term.each_inside(|inner| match array(inner) {
            Some(var) => used(&mut found.arrays, var).otherwise = true,
            None => work.push(inner),
        });
    }
    found
}

fn used(found: &mut Vec<(VarId, Used)>, var: VarId) -> &mut Used {
    let at = found.iter().position(|(known, _)| *known == var).unwrap_or_else(|| {
        found.push((var, Used::default()));
        found.len() - 1
    });
    &mut found[at].1
}

#[cfg(test)]
mod tests {
    use super::Reads;
    use crate::algebra::{Sort, Term, TermId, Terms, VariableKind};
    use crate::diagnostics::Symbol;

    /// A table with an array of four places, an index into it, and a number.
    struct Table {
        terms: Terms,
        array: TermId,
        index: TermId,
        number: TermId,
    }

    fn table() -> Table {
        let mut terms = Terms::default();
        let (low, high) = (terms.int(0), terms.int(4));
        let places = Sort::Range(low, high);
        let array = Sort::Array(Box::new((places.clone(), Sort::Int)));
        let mut var = |name: &str, sort: Sort| {
            let var = terms.new_var(Symbol::new(name), sort, VariableKind::State);
            terms.var_term(var)
        };
        let (array, index, number) = (var("m", array), var("i", places), var("x", Sort::Int));
        Table { terms, array, index, number }
    }

    impl Table {
        /// `m[(i + steps) mod 4]`
        fn read(&mut self, array: TermId, steps: i32) -> TermId {
            let place = self.place(steps);
            self.terms.index(array, place)
        }

        fn place(&mut self, steps: i32) -> TermId {
            let (steps, four) = (self.terms.int(steps), self.terms.int(4));
            let sum = self.terms.add([self.index, steps]);
            self.terms.modulo(sum, four)
        }

        fn has_arrays(&self, conditions: &[TermId]) -> bool {
            let free = conditions.iter().flat_map(|&one| self.terms.free_vars(one));
            free.into_iter().any(|var| matches!(self.terms.var(var).sort, Sort::Array(_)))
        }
    }

    #[test]
    fn what_is_read_at_places_that_differ_is_a_variable() {
        let mut t = table();
        let reads = [t.terms.index(t.array, t.index), t.read(t.array, 1), t.read(t.array, 6)];
        let conditions = reads.map(|read| t.terms.equal(read, t.number));
        let found = Reads::default().replaced(&mut t.terms, &conditions);
        assert!(!t.has_arrays(&found));
        let mut vars: Vec<_> = found.iter().flat_map(|&one| t.terms.free_vars(one)).collect();
        vars.sort_unstable();
        vars.dedup();
        assert_eq!(vars.len(), 4, "`x` and one for each place");
    }

    #[test]
    fn what_is_read_after_writing_was_written_or_there_before() {
        let mut t = table();
        let next = t.place(1);
        let written = t.terms.raw(Term::Update(t.array, next, t.number));
        let (same, other) = (t.read(written, 1), t.read(written, 2));
        assert_eq!(same, t.number);
        let before = t.read(t.array, 2);
        assert_eq!(other, before);
        // Which place a number of steps leads to is told apart by the number alone.
        let any = Sort::Range(t.terms.int(0), t.terms.int(4));
        let steps = t.terms.new_var(Symbol::new("n"), any, VariableKind::State);
        let steps = t.terms.var_term(steps);
        let (sum, four) = (t.terms.add([t.index, steps]), t.terms.int(4));
        let somewhere = t.terms.modulo(sum, four);
        let written = t.terms.raw(Term::Update(t.array, somewhere, t.number));
        let read = t.read(written, 1);
        let condition = t.terms.equal(read, t.number);
        let found = Reads::default().replaced(&mut t.terms, &[condition]);
        assert!(!t.has_arrays(&found));
        assert!(
            found.iter().all(|&one| !t.terms.free_vars(one).contains(&var_of(&t.terms, t.index)))
        );
    }

    fn var_of(terms: &Terms, id: TermId) -> crate::algebra::VarId {
        terms.free_vars(id)[0]
    }

    #[test]
    fn arrays_stay_where_places_may_be_the_same_or_outside() {
        let mut t = table();
        let other = t.terms.new_var(Symbol::new("j"), Sort::Int, VariableKind::State);
        let other = t.terms.var_term(other);
        let (here, there) = (t.read(t.array, 1), t.terms.index(t.array, other));
        for reads in [[here, there], [there, there]] {
            let conditions = reads.map(|read| t.terms.equal(read, t.number));
            let found = Reads::default().replaced(&mut t.terms, &conditions);
            assert!(t.has_arrays(&found));
        }
    }

    #[test]
    fn arrays_stay_that_quantifiers_speak_of_or_that_are_compared() {
        let mut t = table();
        let read = t.read(t.array, 1);
        let (array, index) = (var_of(&t.terms, t.array), var_of(&t.terms, t.index));
        let equal = t.terms.equal(read, t.number);
        let about_all = t.terms.quantified(true, [index].into(), equal);
        let other = t.terms.var(array).sort.clone();
        let other = t.terms.new_var(Symbol::new("k"), other, VariableKind::State);
        let other = t.terms.var_term(other);
        let compared = t.terms.equal(t.array, other);
        let whole = t.terms.quantified(false, [array].into(), equal);
        for question in [vec![about_all], vec![equal, compared]] {
            let found = Reads::default().replaced(&mut t.terms, &question);
            assert!(t.has_arrays(&found));
        }
        assert_eq!(Reads::default().replaced(&mut t.terms, &[whole]), vec![whole]);
    }
}
