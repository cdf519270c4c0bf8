//! A problem for other tools: Horn clauses in SMT-LIB, and VMT.

use rustc_hash::FxHashMap;
use thiserror::Error;

use super::Problem;
use super::horn::{MOST_TUPLES, state};
use crate::algebra::{TermId, VarId, VariableKind};
use crate::smt::{ScriptOptions, Unsupported, VmtSystem, horn_script, vmt_script};

/// Why a problem cannot be written for other tools.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum NotWritten {
    /// It needs what Horn clauses do not have.
    #[error(
        "Horn clauses cannot have functions without a definition, or with a recursive one; `--emit vmt` can"
    )]
    Functions,
    /// It cannot be put to a solver.
    #[error(transparent)]
    Unsupported(#[from] Unsupported),
}

/// A problem as Horn clauses: satisfiable where nothing bad can be reached. `names`: what variables are called.
pub fn horn_text(
    problem: &Problem<'_>,
    names: &FxHashMap<VarId, String>,
    comment: &[String],
) -> Result<String, NotWritten> {
    let mut terms = problem.terms.clone();
    let stated = state(problem, &mut terms, MOST_TUPLES);
    let relations = stated.names(problem);
    let open_world = problem.is_open_world();
    let options = ScriptOptions { comment, open_world, names: Some(names), expected: None };
    let algebra = &problem.net.algebra;
    let text = horn_script(algebra, &mut terms, (stated.clauses(), &relations), options)?;
    text.ok_or(NotWritten::Functions)
}

/// A problem as a transition system in VMT: what is not bad is claimed to hold always.
pub fn vmt_text(
    problem: &Problem<'_>,
    names: &FxHashMap<VarId, String>,
    comment: &[String],
) -> Result<String, NotWritten> {
    let mut terms = problem.terms.clone();
    let here = problem.state_variables();
    let (_, fresh) = terms.fresh(here.iter().copied(), VariableKind::State);
    let vars: Vec<(VarId, VarId)> = here.into_iter().zip(fresh).collect();
    let next: FxHashMap<VarId, VarId> = vars.iter().copied().collect();
    let mut steps: Vec<Vec<TermId>> = Vec::with_capacity(problem.interactions.len());
    for id in problem.interactions.ids() {
        let mut parts = problem.step(&mut terms, id, &next);
        let changed = problem.changes(id);
        for &(var, after) in vars.iter().filter(|(var, _)| changed.binary_search(var).is_err()) {
            let (var, after) = (terms.var_term(var), terms.var_term(after));
            parts.push(terms.equal(after, var));
        }
        steps.push(parts);
    }
    let claim = terms.not(problem.bad);
    let system = VmtSystem { vars, initial: problem.initial.clone(), steps, claim };
    let open_world = problem.is_open_world();
    let options = ScriptOptions { comment, open_world, names: Some(names), expected: None };
    Ok(vmt_script(&problem.net.algebra, &mut terms, &system, options)?)
}
