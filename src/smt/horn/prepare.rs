//! Clauses in which nothing is left to the sorts, and nothing has the same value everywhere by itself.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Atom, Clause, Clauses, RelationId};
use crate::algebra::{Algebra, ConstId, Sort, Term, TermId, Terms, VarId, VariableKind};
use crate::base::IndexVec;
use crate::smt::encode::{Unsupported, is_recursive};
use crate::smt::explicit::Explicit;

/// Clauses with everything spelt out.
pub(in crate::smt) struct Prepared {
    /// The algebra as the solver is to see it. Its axioms are conditions of clauses.
    pub algebra: Algebra,
    /// The relations, with variables that stand for their arguments: those of constants come last.
    pub relations: IndexVec<RelationId, Vec<VarId>>,
    /// What stands for constants.
    pub constants: Vec<(ConstId, VarId)>,
    pub clauses: Vec<PreparedClause>,
}

/// A clause with everything spelt out.
pub(in crate::smt) struct PreparedClause {
    pub body: Vec<Atom>,
    pub conditions: Vec<TermId>,
    pub head: Option<Atom>,
    /// Everything that it is for all values of.
    pub vars: Vec<VarId>,
}

/// Spells out clauses; nothing where they need functions that have no definition, or a recursive one.
pub(in crate::smt) fn prepare(
    algebra: &Algebra,
    terms: &mut Terms,
    clauses: &Clauses,
) -> Result<Option<Prepared>, Unsupported> {
    let mut explicit = Explicit::new(algebra, terms);
    let axioms: Vec<TermId> = explicit.algebra.axioms.clone();
    let plain = |axiom: &TermId| is_plain(&explicit.algebra, terms, &[*axiom]);
    // Without those that need such functions, more is possible; what is found is to be checked anyway.
    let axioms: Vec<TermId> = axioms.into_iter().filter(plain).collect();
    let mut spelt = Vec::with_capacity(clauses.clauses.len());
    for clause in &clauses.clauses {
        let atoms = clause.body.iter().chain(&clause.head);
        let args: Vec<VarId> = atoms.flat_map(|(_, args)| args.iter().copied()).collect();
        let question = explicit.question_about(terms, &clause.conditions, &args)?;
        let mut conditions = question.all();
        if clause.body.is_empty() {
            conditions.extend(&axioms);
        }
        if !is_plain(&explicit.algebra, terms, &conditions) {
            return Ok(None);
        }
        spelt.push((clause, conditions));
    }
    let algebra = std::mem::take(&mut explicit.algebra);
    let all = spelt.iter().flat_map(|(_, conditions)| conditions.iter().copied());
    let constants = constants(&algebra, terms, all.collect());
    let mut put = Putting { constants: &constants, done: FxHashMap::default() };
    let clauses_made =
        spelt.into_iter().map(|(clause, conditions)| put.clause(terms, clause, conditions));
    let clauses_made = clauses_made.collect();
    let longer = |params: &Vec<VarId>| with_constants(params, &constants);
    let relations = clauses.relations.iter().map(longer).collect();
    Ok(Some(Prepared { algebra, relations, constants, clauses: clauses_made }))
}

impl Prepared {
    /// Whether some variable is an array, or has one inside.
    pub fn has_arrays(&self, terms: &Terms) -> bool {
        let of_clauses = self.clauses.iter().flat_map(|clause| &clause.vars);
        let vars = self.relations.iter().flatten().chain(of_clauses);
        let (mut work, mut seen) = (Vec::new(), FxHashSet::default());
        work.extend(vars.map(|&var| &terms.var(var).sort));
        while let Some(sort) = work.pop() {
            match sort {
                Sort::Array(_) => return true,
                Sort::Data(data) if seen.insert(*data) => {
                    let constructors = &self.algebra.datatypes[data.index()].constructors;
                    let fields = constructors.iter().flat_map(|one| &one.fields);
                    work.extend(fields.map(|(_, sort)| sort));
                }
                _ => {}
            }
        }
        false
    }
}

/// A variable for each constant that conditions speak of, also through functions.
fn constants(algebra: &Algebra, terms: &mut Terms, roots: Vec<TermId>) -> Vec<(ConstId, VarId)> {
    let mut found: Vec<ConstId> = Vec::new();
    for id in terms.inside(roots) {
        if let Term::Const(constant) = terms.get(id) {
            found.push(*constant);
        }
    }
    found.sort_unstable_by_key(|constant| constant.index());
    found.dedup();
    let var = |id: ConstId| {
        let constant = &algebra.constants[id.index()];
        (id, terms.new_var(constant.name, constant.sort.clone(), VariableKind::State))
    };
    found.into_iter().map(var).collect()
}

fn with_constants(args: &[VarId], constants: &[(ConstId, VarId)]) -> Vec<VarId> {
    args.iter().copied().chain(constants.iter().map(|(_, var)| *var)).collect()
}

/// Puts variables in the place of constants.
struct Putting<'c> {
    constants: &'c [(ConstId, VarId)],
    done: FxHashMap<TermId, TermId>,
}

impl Putting<'_> {
    fn clause(
        &mut self,
        terms: &mut Terms,
        clause: &Clause,
        conditions: Vec<TermId>,
    ) -> PreparedClause {
        let conditions: Vec<TermId> =
            conditions.into_iter().map(|one| self.term(terms, one)).collect();
        let atom = |(relation, args): &Atom| (*relation, with_constants(args, self.constants));
        let body: Vec<Atom> = clause.body.iter().map(atom).collect();
        let head = clause.head.as_ref().map(atom);
        let args = body.iter().chain(&head).flat_map(|(_, args)| args.iter().copied());
        let own = conditions.iter().flat_map(|&one| terms.free_vars(one));
        let mut vars: Vec<VarId> = args.chain(own).collect();
        vars.sort_unstable();
        vars.dedup();
        PreparedClause { body, conditions, head, vars }
    }

    fn term(&mut self, terms: &mut Terms, root: TermId) -> TermId {
        let constants = self.constants;
        terms.bottom_up(
            root,
            &mut self.done,
            |_| true,
            |terms, id, done| match *terms.get(id) {
                Term::Const(constant) => {
                    let own = constants.iter().find(|(one, _)| *one == constant);
                    own.map_or(id, |(_, var)| terms.var_term(*var))
                }
                _ => terms.rebuilt(id, done),
            },
        )
    }
}

/// Whether all functions that conditions speak of have definitions that speak neither of themselves nor of constants.
fn is_plain(algebra: &Algebra, terms: &Terms, conditions: &[TermId]) -> bool {
    let mut seen = FxHashSet::default();
    let mut work: Vec<TermId> = Vec::new();
    let mut enter = |id: TermId, work: &mut Vec<TermId>| match terms.get(id) {
        Term::Apply(function, _) if seen.insert(*function) => {
            match algebra.functions[function.index()].body {
                Some(body) if !is_recursive(algebra, terms, *function) => work.push(body),
                _ => return false,
            }
            true
        }
        _ => true,
    };
    if !terms.inside(conditions.iter().copied()).all(|id| enter(id, &mut work)) {
        return false;
    }
    while let Some(body) = work.pop() {
        for id in terms.inside([body]) {
            if matches!(terms.get(id), Term::Const(_)) || !enter(id, &mut work) {
                return false;
            }
        }
    }
    true
}
