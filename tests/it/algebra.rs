//! What rewrites conditions keeps their meaning: on random formulas over all sorts, Z3 is asked whether a condition
//! before and after can differ (`common/formulas.rs`). `PNET_FUZZ` and `PNET_SEED` work as elsewhere.

use rustc_hash::FxHashMap;

use crate::common::formulas::Formulas;
use crate::common::seeds::{fuzz, seeds};
use pnetc::algebra::{
    Evaluator, Known, Term, TermId, Unifier, VarId, VariableKind, both_ways, can_be_same,
    conjunction, eliminated, holds_by_sorts, in_one_form, legible, normal, possible,
    simplified_where, solved, tightened, ways,
};

/// Two conditions that hold for the same values where the given ones hold.
struct Claim {
    before: TermId,
    after: TermId,
    given: Vec<TermId>,
}

fn claim(before: TermId, after: TermId) -> Claim {
    Claim { before, after, given: Vec::new() }
}

/// A conjunction that may be false.
fn joined(all: &mut Formulas, parts: Option<Vec<TermId>>) -> TermId {
    match parts {
        Some(parts) => all.all(&parts),
        None => all.terms.bool(false),
    }
}

/// Tries a law on formulas. Of these, at least one in `one_in` must be rewritten to something else, and most
/// answers must be known, so that something is tried.
fn law(
    name: &str,
    kind: VariableKind,
    count: u64,
    one_in: usize,
    make: impl Fn(&mut Formulas) -> Option<Claim>,
) {
    let (mut tried, mut changed, mut unknown, mut failures) = (0, 0, 0, Vec::new());
    for seed in seeds(fuzz().unwrap_or(count)) {
        let mut all = Formulas::new(seed, kind);
        tried += 1;
        let Some(Claim { before, after, given }) = make(&mut all) else { continue };
        if before == after {
            continue;
        }
        changed += 1;
        match all.same(before, after, &given) {
            Some(true) => {}
            None => unknown += 1,
            Some(false) => {
                let given: Vec<String> = given.iter().map(|&part| all.shown(part)).collect();
                let (before, after) = (all.shown(before), all.shown(after));
                failures
                    .push(format!("PNET_SEED={seed}:\n  {before}\n  {after}\n  given {given:?}"));
            }
        }
    }
    println!("{name}: {tried} tried, {changed} rewritten, {unknown} unknown");
    assert!(failures.is_empty(), "{name}: {} differ\n{}", failures.len(), failures.join("\n"));
    assert!(tried < 20 || changed * one_in >= tried, "{name}: {changed} of {tried} are rewritten");
    assert!(tried < 20 || unknown * 4 <= changed, "{name}: {unknown} of {changed} are unknown");
}

fn conditions(all: &mut Formulas, most: usize, depth: usize) -> Vec<TermId> {
    let count = all.random.between(1, most);
    (0..count).map(|_| all.bool(depth)).collect()
}

/// Comparisons of small sums with small numbers, which meet each other often.
fn bounds(all: &mut Formulas, most: usize) -> Vec<TermId> {
    let count = all.random.between(2, most);
    let one = |all: &mut Formulas| {
        let (side, number) = (all.int(1), all.number());
        let (a, b) = if all.random.one_in(2) { (side, number) } else { (number, side) };
        let part = match all.random.below(4) {
            0 => Term::Equal(a, b),
            1 => Term::Less(a, b),
            _ => Term::LessEqual(a, b),
        };
        let part = all.terms.raw(part);
        if all.random.one_in(3) { all.terms.raw(Term::Not(part)) } else { part }
    };
    (0..count).map(|_| one(all)).collect()
}

const STATE: VariableKind = VariableKind::State;

#[test]
fn constructors_mean_what_they_say() {
    law("constructors", STATE, 75, 3, |all| {
        let (raw, made) = all.twice(|all| all.bool(3));
        Some(claim(raw, made))
    });
    law("numbers", STATE, 50, 3, |all| {
        let (raw, made) = all.twice(|all| all.int(3));
        Some(claim(all.terms.raw(Term::Equal(raw, made)), all.terms.bool(true)))
    });
}

#[test]
fn remainders_are_those_of_the_solver() {
    law("modulo", STATE, 40, 2, |all| {
        let inner = all.int(2);
        let size = *all.random.pick(&[-4, -3, -1, 1, 2, 3, 5, 0]);
        let size = all.terms.int(size);
        let more = all.int(1);
        let (within, factor) = (all.terms.raw(Term::Mod(inner, size)), all.number());
        let times = all.terms.multiply([factor, within]);
        let sum = all.terms.add([times, more]);
        let (raw, made) = (all.terms.raw(Term::Mod(sum, size)), all.terms.modulo(sum, size));
        Some(claim(all.terms.raw(Term::Equal(raw, made)), all.terms.bool(true)))
    });
    law("places", STATE, 40, 3, |all| {
        let size = *all.random.pick(&[-5, -4, 2, 3, 4, 5]);
        let size = all.terms.int(size);
        let place = |all: &mut Formulas| {
            let (at, step) = (*all.random.pick(&all.ranges.clone()), all.number());
            let at = all.terms.var_term(at);
            let sum = all.terms.add([at, step]);
            if all.random.one_in(3) { at } else { all.terms.raw(Term::Mod(sum, size)) }
        };
        let (a, b) = (place(all), place(all));
        Some(claim(all.terms.raw(Term::Equal(a, b)), all.terms.equal_places(a, b)))
    });
}

#[test]
fn substitution_puts_in_what_is_equal() {
    law("substitution", STATE, 60, 3, |all| {
        let (var, value) = (*all.random.pick(&all.ints.clone()), all.int(1));
        let before = all.bool(3);
        let values: FxHashMap<VarId, TermId> = [(var, value)].into_iter().collect();
        let after = all.terms.substitute(before, &values);
        let this = all.terms.var_term(var);
        let given = vec![all.terms.raw(Term::Equal(this, value))];
        Some(Claim { before, after, given })
    });
}

#[test]
fn evaluation_keeps_the_value() {
    law("evaluation", STATE, 60, 3, |all| {
        let before = all.bool(3);
        let after = Evaluator::new(&all.algebra, 100).evaluate(&mut all.terms, before);
        Some(claim(before, after))
    });
}

#[test]
fn comparisons_in_one_form_are_the_same() {
    law("normal", STATE, 60, 3, |all| {
        let atom = all.atom(2);
        let before = if all.random.one_in(2) { all.terms.raw(Term::Not(atom)) } else { atom };
        Some(claim(before, normal(&mut all.terms, before)))
    });
    law("legible", STATE, 60, 3, |all| {
        let before = all.bool(3);
        Some(claim(before, legible(&mut all.terms, before)))
    });
    law("in one form", STATE, 60, 3, |all| {
        let before = all.bool(3);
        let after = in_one_form(&mut all.terms, before, &mut FxHashMap::default());
        Some(claim(before, after))
    });
    law("both ways", STATE, 40, 3, |all| {
        let (a, b) = (all.int(2), all.int(1));
        let one = all.terms.raw(Term::LessEqual(a, b));
        let less = all.terms.raw(Term::Less(a, b));
        let other = all.terms.raw(Term::Not(less));
        let after = both_ways(&mut all.terms, one, other)?;
        Some(claim(all.all(&[one, other]), after))
    });
    law("by sorts", STATE, 150, 30, |all| {
        let before = bounds(all, 2)[0];
        let holds = holds_by_sorts(&all.terms, before);
        holds.then(|| claim(before, all.terms.bool(true)))
    });
}

#[test]
fn conjunctions_are_made_smaller() {
    law("conjunction", STATE, 60, 2, |all| {
        let parts = conditions(all, 4, 2);
        let before = all.all(&parts);
        let after = conjunction(&mut all.terms, parts);
        Some(claim(before, joined(all, after)))
    });
    law("tightened", STATE, 75, 5, |all| {
        let parts = bounds(all, 6);
        let before = all.all(&parts);
        let after = tightened(&mut all.terms, parts);
        Some(claim(before, joined(all, after)))
    });
    law("where others hold", STATE, 60, 3, |all| {
        let parts = conditions(all, 3, 1);
        let mut inside = parts.clone();
        inside.push(all.bool(2));
        all.random.shuffle(&mut inside);
        let before = all.terms.raw(Term::Or(inside.into()));
        let after = simplified_where(&mut all.terms, before, &parts);
        Some(Claim { before, after, given: parts })
    });
}

#[test]
fn a_conjunction_is_one_of_its_ways() {
    law("ways", STATE, 50, 2, |all| {
        let parts = conditions(all, 3, 2);
        let before = all.all(&parts);
        let vars = [all.ints.clone(), all.ranges.clone()].concat();
        let found = ways(&mut all.terms, &vars, parts);
        let found: Vec<TermId> = found.into_iter().map(|way| all.all(&way)).collect();
        let after = all.terms.raw(Term::Or(found.into()));
        Some(claim(before, after))
    });
}

/// An equation between sums in which a variable may stand alone, or several times.
#[test]
fn an_equation_gives_the_value_of_a_variable() {
    law("solved", STATE, 75, 4, |all| {
        let var = *all.random.pick(&all.ints.clone());
        let (rest, b, factor) = (all.int(2), all.int(2), *all.random.pick(&[-1, 1, 1, 2, -3]));
        let (factor, this) = (all.terms.int(factor), all.terms.var_term(var));
        let times = all.terms.multiply([factor, this]);
        let a = all.terms.add([times, rest]);
        let before = all.terms.raw(Term::Equal(a, b));
        let value = solved(&mut all.terms, before, var)?;
        Some(claim(before, all.terms.raw(Term::Equal(this, value))))
    });
}

/// Comparisons of sums in which a variable has these factors.
fn sums(all: &mut Formulas, var: VarId, factors: &[i32]) -> Vec<TermId> {
    let count = all.random.between(1, 5);
    let one = |all: &mut Formulas| {
        let (factor, rest, other) = (*all.random.pick(factors), all.int(1), all.int(1));
        let (factor, this) = (all.terms.int(factor), all.terms.var_term(var));
        let times = all.terms.multiply([factor, this]);
        let sum = all.terms.add([times, rest]);
        let part = match all.random.below(4) {
            0 => Term::Less(sum, other),
            1 => Term::Less(other, sum),
            2 => Term::LessEqual(other, sum),
            _ => Term::LessEqual(sum, other),
        };
        let part = all.terms.raw(part);
        if all.random.one_in(4) { all.terms.raw(Term::Not(part)) } else { part }
    };
    (0..count).map(|_| one(all)).collect()
}

#[test]
fn elimination_is_there_is_some_value() {
    let factors: [&[i32]; 2] = [&[-1, 0, 1], &[-1, 0, 1, 1, 2, -3]];
    for (name, factors, one_in) in [("eliminated", factors[0], 3), ("factors", factors[1], 12)] {
        law(name, STATE, 60, one_in, |all| {
            let var = *all.random.pick(&all.ints.clone());
            let parts = sums(all, var, factors);
            let body = all.all(&parts);
            let after = eliminated(&mut all.terms, &parts, var)?;
            let before = all.terms.raw(Term::Exists([var].into(), body));
            Some(claim(before, all.all(&after)))
        });
    }
}

/// Pairs to be made the same, and conditions.
fn unification(all: &mut Formulas) -> (Vec<(TermId, TermId)>, Vec<TermId>) {
    let count = all.random.between(1, 2);
    let pairs: Vec<_> = (0..count).map(|_| (all.action(1), all.action(1))).collect();
    (pairs, conditions(all, 3, 1))
}

fn equations(all: &mut Formulas, pairs: &[(TermId, TermId)]) -> Vec<TermId> {
    pairs.iter().map(|&(a, b)| all.terms.raw(Term::Equal(a, b))).collect()
}

#[test]
fn unification_loses_nothing() {
    law("unifier", VariableKind::Input, 75, 2, |all| {
        let (pairs, conditions) = unification(all);
        let before = [equations(all, &pairs), conditions.clone()].concat();
        let before = all.all(&before);
        let rigid = [*all.random.pick(&all.ints.clone())];
        let mut unifier = Unifier::new(&mut all.terms, &rigid);
        let mut clash = pairs.iter().any(|&(a, b)| unifier.unify(a, b).is_none());
        unifier.conditions.extend(&conditions);
        let left = if clash { None } else { unifier.settle() };
        clash |= left.is_none();
        let mut values: Vec<(VarId, TermId)> = unifier.values.clone().into_iter().collect();
        values.sort();
        let values: Vec<_> =
            values.into_iter().map(|(var, value)| (all.terms.var_term(var), value)).collect();
        let mut after = equations(all, &values);
        after.extend(left.unwrap_or_default());
        let after = if clash { all.terms.bool(false) } else { all.all(&after) };
        Some(claim(before, after))
    });
    law("can be same", VariableKind::Input, 75, 4, |all| {
        let (a, b) = (all.action(2), all.action(2));
        let no = !can_be_same(&all.terms, a, b);
        no.then(|| claim(all.terms.raw(Term::Equal(a, b)), all.terms.bool(false)))
    });
}

#[test]
fn what_is_possible_is_there_are_some_values() {
    law("possible", VariableKind::Input, 75, 2, |all| {
        let (pairs, conditions) = unification(all);
        let before = [equations(all, &pairs), conditions.clone()].concat();
        let body = all.all(&before);
        let rigid = [all.ints[0], all.ranges[0]];
        let free = all.terms.free_vars(body).into_iter();
        let (renamed, bound) =
            all.terms.fresh(free.filter(|var| !rigid.contains(var)), VariableKind::Bound);
        let body = all.terms.substitute(body, &renamed);
        let before =
            if bound.is_empty() { body } else { all.terms.raw(Term::Exists(bound.into(), body)) };
        let after = possible(&mut all.terms, &pairs, &conditions, &rigid);
        Some(claim(before, after.unwrap_or_else(|| all.terms.bool(false))))
    });
}

#[test]
fn what_surely_holds_is_left_out() {
    law("known", STATE, 125, 8, |all| {
        let facts = bounds(all, 4);
        let mut known = Known::default();
        facts.iter().for_each(|&fact| known.learn(&all.terms, fact));
        let mut parts = bounds(all, 4);
        parts.push(*all.random.pick(&facts));
        let before = all.all(&parts);
        let after = known.left_of(&all.algebra, &mut all.terms, before);
        Some(Claim { before, after, given: facts })
    });
}

/// The laws can fail: what is no law does.
#[test]
#[should_panic(expected = "differ")]
fn what_is_no_law_is_found() {
    law("a wrong one", STATE, 40, 2, |all| {
        let (a, b) = (all.int(2), all.int(2));
        let (one, other) = (Term::Less(a, b), Term::LessEqual(a, b));
        Some(claim(all.terms.raw(one), all.terms.raw(other)))
    });
}
