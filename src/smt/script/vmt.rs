//! Transition systems as texts in VMT: SMT-LIB with `:next`, `:init`, `:trans` and `:invar-property`.

use rustc_hash::FxHashMap;

use super::ScriptOptions;
use super::names::Names;
use super::plan::Plan;
use super::used::Used;
use super::write::Writer;
use crate::algebra::{Algebra, ConstId, Term, TermId, Terms, VarId, VariableKind};
use crate::smt::encode::Unsupported;
use crate::smt::explicit::Explicit;

/// A transition system.
#[derive(Clone, Debug)]
pub struct VmtSystem {
    /// The variables of the state, each with the one for its value after a step.
    pub vars: Vec<(VarId, VarId)>,
    /// Where it begins.
    pub initial: Vec<TermId>,
    /// The kinds of steps, each with its conditions. Other variables than those of the state are inputs.
    pub steps: Vec<Vec<TermId>>,
    /// What is claimed to hold always.
    pub claim: TermId,
}

/// A transition system as a text.
pub fn vmt_script(
    algebra: &Algebra,
    terms: &mut Terms,
    system: &VmtSystem,
    options: ScriptOptions<'_>,
) -> Result<String, Unsupported> {
    let mut explicit = Explicit::new(algebra, terms);
    let spelt = Spelt::of(&mut explicit, terms, system)?;
    let mut algebra = std::mem::take(&mut explicit.algebra);
    algebra.axioms.clear();
    let roots = [spelt.initial, spelt.step, spelt.claim];
    let copies = spelt.vars.iter().flat_map(|&(var, next)| [var, next]);
    let copies: Vec<TermId> = copies.map(|var| terms.var_term(var)).collect();
    let all: Vec<TermId> = roots.into_iter().chain(copies).collect();
    let used = Used::by(&algebra, terms, &all);
    let plan = Plan::of(terms, &used);
    let given = spelt.names(terms, options.names);
    let options = ScriptOptions { names: Some(&given), ..options };
    let names = Names::of(&algebra, terms, &used, &options);
    let mut writer = Writer::new(&algebra, terms, &used, &plan, names);
    writer.has_constant_arrays = true;
    writer.head(&options, "ALL");
    writer.sorts(options.open_world);
    writer.symbols();
    writer.variables();
    writer.functions();
    for (place, &(var, next)) in spelt.vars.iter().enumerate() {
        let sort = writer.sort(&writer.terms.var(var).sort);
        let (var, next) = (writer.names.var(var), writer.names.var(next));
        writer.line(&format!("(define-fun sv!{place} () {sort} (! {var} :next {next}))"));
    }
    let marks =
        [("init!", ":init true"), ("trans!", ":trans true"), ("prop!", ":invar-property 0")];
    for (root, (name, mark)) in roots.into_iter().zip(marks) {
        writer.define(&[root]);
        let text = writer.text_of(root);
        writer.line(&format!("(define-fun {name} () Bool (! {text} {mark}))"));
    }
    Ok(writer.text)
}

/// A system with everything spelt out.
struct Spelt {
    vars: Vec<(VarId, VarId)>,
    initial: TermId,
    step: TermId,
    claim: TermId,
}

impl Spelt {
    fn of(
        explicit: &mut Explicit,
        terms: &mut Terms,
        system: &VmtSystem,
    ) -> Result<Spelt, Unsupported> {
        let mut vars = system.vars.clone();
        let here: Vec<VarId> = vars.iter().map(|(var, _)| *var).collect();
        let both: Vec<VarId> = vars.iter().flat_map(|&(var, next)| [var, next]).collect();
        let mut initial = explicit.question_about(terms, &system.initial, &here)?.all();
        let kinds = system.steps.iter().map(|parts| terms.and(parts.iter().copied()));
        let kinds: Vec<TermId> = kinds.collect();
        let any = terms.or(kinds);
        let mut step = explicit.question_about(terms, &[any], &both)?.all();
        let claim = explicit.question(terms, &[system.claim])?.conditions;
        initial.extend(&explicit.algebra.axioms);
        step.extend(&explicit.algebra.axioms);
        let mut parts = [terms.and(initial), terms.and(step), terms.and(claim)];
        let constants = constants(&explicit.algebra, terms, &parts);
        let mut done = FxHashMap::default();
        let known: FxHashMap<ConstId, VarId> =
            constants.iter().map(|&(id, (var, _))| (id, var)).collect();
        for part in &mut parts {
            *part = terms.bottom_up(
                *part,
                &mut done,
                |_| true,
                |terms, id, done| match terms.get(id) {
                    Term::Const(constant) => {
                        known.get(constant).map_or(id, |&var| terms.var_term(var))
                    }
                    _ => terms.rebuilt(id, done),
                },
            );
        }
        // Constants have no other value after a step.
        let mut kept = vec![parts[1]];
        for &(_, (var, next)) in &constants {
            let (var, next) = (terms.var_term(var), terms.var_term(next));
            kept.push(terms.equal(var, next));
        }
        vars.extend(constants.iter().map(|(_, both)| *both));
        let [initial, _, claim] = parts;
        Ok(Spelt { vars, initial, step: terms.and(kept), claim })
    }

    /// What variables are called: those for values after a step have a mark.
    fn names(
        &self,
        terms: &Terms,
        given: Option<&FxHashMap<VarId, String>>,
    ) -> FxHashMap<VarId, String> {
        let mut names = given.cloned().unwrap_or_default();
        for &(var, next) in &self.vars {
            let own = names.get(&var).cloned();
            let own = own.unwrap_or_else(|| terms.var(var).name.to_string());
            names.insert(next, format!("{own}'"));
            names.insert(var, own);
        }
        names
    }
}

/// Variables in the place of the constants that conditions speak of, each with the one for its value after a step.
fn constants(
    algebra: &Algebra,
    terms: &mut Terms,
    roots: &[TermId],
) -> Vec<(ConstId, (VarId, VarId))> {
    let mut found: Vec<ConstId> = Vec::new();
    for id in terms.inside(roots.iter().copied()) {
        if let Term::Const(constant) = terms.get(id) {
            found.push(*constant);
        }
    }
    found.sort_unstable_by_key(|constant| constant.index());
    found.dedup();
    let mut var = |id: ConstId| {
        let constant = &algebra.constants[id.index()];
        terms.new_var(constant.name, constant.sort.clone(), VariableKind::State)
    };
    found.into_iter().map(|id| (id, (var(id), var(id)))).collect()
}
