//! Horn clauses as texts that solvers of such clauses read: `(set-logic HORN)`. They are satisfiable where there are relations
//! that make all clauses true.

use rustc_hash::FxHashMap;

use super::ScriptOptions;
use super::names::Names;
use super::plan::Plan;
use super::used::Used;
use super::write::Writer;
use crate::algebra::{FunId, Function, Sort, Term, TermId, Terms};
use crate::base::IndexVec;
use crate::diagnostics::Symbol;
use crate::smt::encode::Unsupported;
use crate::smt::horn::{Atom, Clauses, Prepared, RelationId, prepare};

/// Horn clauses as a text; nothing where they need functions that have no definition, or a recursive one.
pub fn horn_script(
    algebra: &crate::algebra::Algebra,
    terms: &mut Terms,
    (clauses, relations): (&Clauses, &IndexVec<RelationId, String>),
    options: ScriptOptions<'_>,
) -> Result<Option<String>, Unsupported> {
    let Some(mut prepared) = prepare(algebra, terms, clauses)? else { return Ok(None) };
    prepared.algebra.axioms.clear();
    let functions = declared(&mut prepared, relations);
    let roots = spoken_of(terms, &prepared, &functions);
    let Prepared { algebra, clauses, .. } = &prepared;
    let used = Used::by(algebra, terms, &roots);
    let plan = Plan::of(terms, &used);
    let names = Names::of(algebra, terms, &used, &options);
    let mut writer = Writer::new(algebra, terms, &used, &plan, names);
    writer.has_constant_arrays = true;
    writer.defines_testers = true;
    writer.head(&options, "HORN");
    writer.sorts(options.open_world);
    writer.symbols();
    writer.functions();
    for clause in clauses {
        writer.define(&clause.conditions);
        let atom = |atom: &Atom| applied(&writer, &functions, atom);
        let body = clause.body.iter().map(atom);
        let conditions = clause.conditions.iter().map(|&one| writer.text_of(one));
        let body: Vec<String> = body.chain(conditions).collect();
        let head = clause.head.as_ref().map_or_else(|| "false".to_owned(), atom);
        let body = match body.as_slice() {
            [] => "true".to_owned(),
            [one] => one.clone(),
            all => format!("(and {})", all.join("\n           ")),
        };
        let implies = format!("(=> {body}\n      {head})");
        let line = match clause.vars.is_empty() {
            true => format!("(assert {implies})"),
            false => format!("(assert (forall {}\n  {implies}))", writer.binders(&clause.vars)),
        };
        writer.line(&line);
    }
    Ok(Some(writer.finish()))
}

/// Declares a function for each relation.
fn declared(
    prepared: &mut Prepared,
    names: &IndexVec<RelationId, String>,
) -> FxHashMap<RelationId, FunId> {
    let mut functions = FxHashMap::default();
    for (id, params) in prepared.relations.enumerated() {
        functions.insert(id, FunId(prepared.algebra.functions.len() as u32));
        prepared.algebra.functions.push(Function {
            name: Symbol::new(names.get(id).map_or("reached", String::as_str)),
            params: params.clone(),
            result: Sort::Bool,
            measures: Vec::new(),
            body: None,
        });
    }
    functions
}

/// Clauses as terms: what has to be declared, and which variables are bound.
fn spoken_of(
    terms: &mut Terms,
    prepared: &Prepared,
    functions: &FxHashMap<RelationId, FunId>,
) -> Vec<TermId> {
    let mut roots = Vec::with_capacity(prepared.clauses.len());
    for clause in &prepared.clauses {
        let mut parts = clause.conditions.clone();
        for (relation, args) in clause.body.iter().chain(&clause.head) {
            let args = args.iter().map(|&arg| terms.var_term(arg)).collect();
            parts.push(terms.raw(Term::Apply(functions[relation], args)));
        }
        let all = terms.raw(Term::And(parts.into()));
        roots.push(terms.raw(Term::Forall(clause.vars.clone().into(), all)));
    }
    roots
}

fn applied(
    writer: &Writer<'_>,
    functions: &FxHashMap<RelationId, FunId>,
    (relation, args): &Atom,
) -> String {
    let name = writer.names.function(functions[relation]);
    if args.is_empty() {
        return name.to_owned();
    }
    let args: Vec<&str> = args.iter().map(|&arg| writer.names.var(arg)).collect();
    format!("({name} {})", args.join(" "))
}
