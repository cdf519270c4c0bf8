//! Interpolants along a path that nobody can go: what is to be remembered at each place to see that.
//!
//! Z3's interface has no interpolants, but Spacer does: the path is stated as linear Horn clauses with one relation for each
//! place, and the answer is a condition for each. By default the clauses would be put into each other, and the answer would
//! be all that can be known; so this is switched off.
//!
//! What comes out is a proposal. Whoever uses it as a predicate of an abstraction need not trust it.

use rustc_hash::FxHashMap;
use z3::ast::{Ast, Bool, Dynamic};
use z3::{Fixedpoint, FuncDecl, Params, SatResult, Sort as Z3Sort};

use super::decode::{self, Names};
use super::encode::{Encoder, Unsupported};
use super::explicit::Explicit;
use super::solver::Limits;
use super::watchdog::Watchdog;
use crate::algebra::{Algebra, TermId, Terms, VarId};
use crate::base::budget;

/// A part of a path: what holds there, and the values with which it goes on.
#[derive(Clone, Debug, Default)]
pub struct PathStep {
    /// What must hold at this place to go on, over its variables and others that nobody else speaks of.
    pub conditions: Vec<TermId>,
    /// For each variable that matters at the next place, its value there.
    pub next: Vec<(VarId, TermId)>,
}

/// Conditions for the places of a path, over the variables that matter there: the first after the first step. They follow
/// one from the other, and the conditions of the last step contradict the last of them. Nothing where none were found.
pub fn interpolants(
    algebra: &Algebra,
    terms: &mut Terms,
    open_world: bool,
    limits: Limits,
    steps: &[PathStep],
) -> Option<Vec<TermId>> {
    if budget::is_spent() {
        return None;
    }
    let explicit = Explicit::new(algebra, terms);
    let encoder = Encoder::new(algebra, open_world).ok()?;
    let mut stating = Stating { encoder, explicit, terms, fixedpoint: Fixedpoint::new() };
    stating.fixedpoint.set_params(&params());
    let relations = stating.state(steps).ok()?;
    let bad = relations.last()?;
    let watchdog = Watchdog::of_this_thread();
    let ask = || stating.fixedpoint.query_relations(&[&bad.decl]);
    let (answer, late) = watchdog.within(limits.milliseconds, ask);
    if late || answer != SatResult::Unsat {
        return None;
    }
    let text = stating.fixedpoint.get_answer()?.to_string();
    let number = stating.encoder.number();
    let wanted: FxHashMap<String, Vec<VarId>> =
        relations.iter().map(|one| (one.decl.name(), one.vars.clone())).collect();
    let mut names = Names { algebra, terms, number };
    let found = decode::relations(&mut names, &text, &wanted);
    let places = &relations[..relations.len() - 1];
    let mut all = Vec::with_capacity(places.len());
    for place in places {
        all.push(match found.get(&place.decl.name()) {
            Some(&condition) => condition,
            None => terms.bool(true),
        });
    }
    Some(all)
}

fn params() -> Params {
    let mut params = Params::new();
    params.set_symbol("engine", "spacer");
    params.set_u32("spacer.random_seed", 0);
    for name in ["xform.inline_eager", "xform.inline_linear", "xform.slice", "ctrl_c"] {
        params.set_bool(name, false);
    }
    params
}

/// A relation, and the variables that it is about.
struct Relation {
    decl: FuncDecl,
    vars: Vec<VarId>,
}

struct Stating<'a> {
    encoder: Encoder,
    explicit: Explicit,
    terms: &'a mut Terms,
    fixedpoint: Fixedpoint,
}

impl Stating<'_> {
    /// States a path; the relations of its places, and at the end that of having gone all of it.
    fn state(&mut self, steps: &[PathStep]) -> Result<Vec<Relation>, Unsupported> {
        let mut relations: Vec<Relation> = Vec::with_capacity(steps.len());
        for (place, step) in steps.iter().enumerate() {
            let vars: Vec<VarId> = step.next.iter().map(|(var, _)| *var).collect();
            let relation = self.relation(place, vars)?;
            self.fixedpoint.register_relation(&relation.decl);
            let before = relations.last();
            let rule = self.rule(before, step, &relation)?;
            self.fixedpoint.add_rule(&rule, None);
            relations.push(relation);
        }
        Ok(relations)
    }

    fn relation(&self, place: usize, vars: Vec<VarId>) -> Result<Relation, Unsupported> {
        let sorts = vars.iter().map(|&var| self.encoder.sort(&self.terms.var(var).sort));
        let sorts = sorts.collect::<Result<Vec<Z3Sort>, Unsupported>>()?;
        let domain: Vec<&Z3Sort> = sorts.iter().collect();
        let name = format!("s{}!place{place}", self.encoder.number());
        Ok(Relation { decl: FuncDecl::new(name, &domain, &Z3Sort::bool()), vars })
    }

    fn rule(
        &mut self,
        before: Option<&Relation>,
        step: &PathStep,
        after: &Relation,
    ) -> Result<Bool, Unsupported> {
        let (mut body, mut bound) = (Vec::new(), Vec::new());
        if let Some(before) = before {
            let args: Vec<Dynamic> = self.variables(&before.vars)?;
            body.push(applied(&before.decl, &args)?);
        }
        let mut asked = step.conditions.clone();
        let mut used: Vec<VarId> = before.map(|before| before.vars.clone()).unwrap_or_default();
        let mut head = Vec::with_capacity(step.next.len());
        for &(var, value) in &step.next {
            // A variable for the value, of the same sort, so that what is assumed of the sort is assumed.
            let (put, fresh) = self.terms.fresh([var], crate::algebra::VariableKind::State);
            let value = self.terms.equal(put[&var], value);
            asked.push(value);
            head.extend(fresh);
        }
        let question = self.explicit.question(self.terms, &asked)?;
        for &condition in question.conditions.iter().chain(&question.assumed) {
            used.extend(self.terms.free_vars(condition));
            body.push(self.encoder.bool(&self.explicit.algebra, self.terms, condition)?);
        }
        for &axiom in &self.explicit.algebra.axioms.clone() {
            body.push(self.encoder.bool(&self.explicit.algebra, self.terms, axiom)?);
        }
        used.extend(&head);
        used.sort_unstable();
        used.dedup();
        bound.extend(self.variables(&used)?);
        let head = applied(&after.decl, &self.variables(&head)?)?;
        let rule = Bool::and(&body).implies(&head);
        let bound: Vec<&dyn Ast> = bound.iter().map(|one| one as &dyn Ast).collect();
        Ok(z3::ast::forall_const(&bound, &[], &rule))
    }

    fn variables(&self, vars: &[VarId]) -> Result<Vec<Dynamic>, Unsupported> {
        vars.iter().map(|&var| self.encoder.var(self.terms, var)).collect()
    }
}

fn applied(decl: &FuncDecl, args: &[Dynamic]) -> Result<Bool, Unsupported> {
    let args: Vec<&dyn Ast> = args.iter().map(|arg| arg as &dyn Ast).collect();
    decl.apply(&args).as_bool().ok_or(Unsupported::Misfit)
}

#[cfg(test)]
mod tests {
    use super::{PathStep, interpolants};
    use crate::algebra::{Algebra, Sort, Terms, VariableKind};
    use crate::diagnostics::Symbol;
    use crate::smt::{Limits, Solver, Theory, Answer};

    /// `x` and `y` are counted together, twice; then `x < y` cannot be.
    #[test]
    fn what_to_remember_on_a_path() {
        let (algebra, mut terms) = (Algebra::default(), Terms::default());
        let vars = ["x", "y"].map(|name| {
            terms.new_var(Symbol::new(name), Sort::Int, VariableKind::State)
        });
        let [x, y] = vars.map(|var| terms.var_term(var));
        let (zero, one) = (terms.int(0), terms.int(1));
        let begin = PathStep { conditions: vec![], next: vec![(vars[0], zero), (vars[1], zero)] };
        let (more_x, more_y) = (terms.add([x, one]), terms.add([y, one]));
        let count = PathStep { conditions: vec![], next: vec![(vars[0], more_x), (vars[1], more_y)] };
        let less = terms.less(x, y);
        let end = PathStep { conditions: vec![less], next: vec![] };
        let steps = [begin, count.clone(), count, end];
        let found = interpolants(&algebra, &mut terms, false, Limits::default(), &steps);
        let found = found.unwrap_or_default();
        assert_eq!(found.len(), 3);
        let mut solver = Solver::new(&algebra, false, Limits::default());
        let theory = Theory { algebra: &algebra, terms: &terms };
        assert_eq!(solver.check(theory, &[found[2], less]), Answer::Unsat);
        assert_eq!(solver.check(theory, &[found[0]]), Answer::Sat);
    }
}
