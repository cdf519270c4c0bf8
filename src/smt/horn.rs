//! Horn clauses, for Z3's Spacer: relations that make all of them true, or that there are none.
//!
//! Spacer knows no constants that have the same value everywhere, so relations have the symbolic constants that matter as
//! further arguments, and axioms are conditions of the clauses from which everything else follows. It knows no functions
//! without a definition, and none that speak of themselves: nothing is said about clauses that need them.
//!
//! What is found is not to be believed: Spacer is asked for formulas, which whoever asked has to check.

use rustc_hash::{FxHashMap, FxHashSet};
use z3::ast::{Ast, Bool, Dynamic};
use z3::{Fixedpoint, FuncDecl, Params, SatResult, Sort as Z3Sort};

use super::decode::{Decoder, Defined, NotRead};
use super::encode::{Encoder, Unsupported, is_recursive};
use super::explicit::Explicit;
use super::solver::Limits;
use super::watchdog::Watchdog;
use crate::algebra::{Algebra, ConstId, Term, TermId, Terms, VarId};
use crate::base::{IndexVec, budget};
use crate::tagged_id;

tagged_id! {
    /// A relation that is looked for.
    RelationId
}

/// A relation between some variables.
pub type Atom = (RelationId, Vec<VarId>);

/// For all values of all variables: if all relations of the body and all conditions hold, so does the head. Without a head,
/// they do not hold together.
#[derive(Clone, Debug, Default)]
pub struct Clause {
    /// Relations that hold.
    pub body: Vec<Atom>,
    /// What else holds.
    pub conditions: Vec<TermId>,
    /// What follows.
    pub head: Option<Atom>,
}

/// Clauses about relations.
#[derive(Clone, Debug, Default)]
pub struct Clauses {
    /// The relations, with variables that stand for their arguments.
    pub relations: IndexVec<RelationId, Vec<VarId>>,
    /// The clauses.
    pub clauses: Vec<Clause>,
}

/// How clauses are solved.
#[derive(Clone, Copy, Debug)]
pub struct HornOptions {
    /// How long it may take.
    pub limits: Limits,
    /// Whether Spacer may put relations together before it begins. That is quicker; without, what it finds for clauses that
    /// follow one another are interpolants.
    pub merge: bool,
}

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HornFound {
    /// Relations that make all clauses true: for each, a condition on the variables for its arguments and on constants.
    Holds(IndexVec<RelationId, TermId>),
    /// There are no such relations.
    Fails,
    /// It is not known, and why.
    Unknown(String),
}

/// Looks for relations that make all clauses true.
pub fn solve(
    (algebra, open_world): (&Algebra, bool),
    terms: &mut Terms,
    clauses: &Clauses,
    options: HornOptions,
) -> Result<HornFound, Unsupported> {
    if budget::is_spent() {
        return Ok(HornFound::Unknown("stopped".to_owned()));
    }
    let mut asked = Asked::new((algebra, open_world), terms, clauses, options)?;
    for clause in &clauses.clauses {
        match asked.prepared(terms, clause)? {
            Some(prepared) => asked.prepared.push(prepared),
            None => {
                let why = "Horn clauses with functions that have no definition, or a recursive one";
                return Ok(HornFound::Unknown(why.to_owned()));
            }
        }
    }
    asked.declare(terms)?;
    for place in 0..asked.prepared.len() {
        asked.add(terms, place)?;
    }
    Ok(asked.answer(terms))
}

/// A clause with everything spelt out.
struct Prepared {
    body: Vec<Atom>,
    conditions: Vec<TermId>,
    head: Option<Atom>,
    /// Everything that it is for all values of, but constants.
    vars: Vec<VarId>,
}

struct Asked<'c> {
    encoder: Encoder,
    explicit: Explicit,
    fixedpoint: Fixedpoint,
    watchdog: Watchdog,
    clauses: &'c Clauses,
    options: HornOptions,
    prepared: Vec<Prepared>,
    /// What is known of constants, as far as it can be said.
    axioms: Vec<TermId>,
    /// The constants that matter.
    constants: Vec<ConstId>,
    relations: Vec<FuncDecl>,
    goal: FuncDecl,
}

impl<'c> Asked<'c> {
    fn new(
        (algebra, open_world): (&Algebra, bool),
        terms: &mut Terms,
        clauses: &'c Clauses,
        options: HornOptions,
    ) -> Result<Asked<'c>, Unsupported> {
        let watchdog = Watchdog::of_this_thread();
        let explicit = Explicit::new(algebra, terms);
        let encoder = Encoder::new(algebra, open_world)?;
        let goal = FuncDecl::new(format!("s{}!goal", encoder.number()), &[], &Z3Sort::bool());
        let fixedpoint = Fixedpoint::new();
        fixedpoint.set_params(&params(options));
        let axioms = explicit.algebra.axioms.iter().copied();
        let axioms = axioms.filter(|&axiom| is_plain(&explicit.algebra, terms, &[axiom])).collect();
        let (prepared, constants, relations) = Default::default();
        Ok(Asked {
            encoder,
            explicit,
            fixedpoint,
            watchdog,
            clauses,
            options,
            prepared,
            axioms,
            constants,
            relations,
            goal,
        })
    }

    /// A clause with everything spelt out; nothing where it needs what Spacer does not know.
    fn prepared(
        &mut self,
        terms: &mut Terms,
        clause: &Clause,
    ) -> Result<Option<Prepared>, Unsupported> {
        // What is assumed of arguments counts, whether or not a condition speaks of them.
        let atoms = clause.body.iter().chain(&clause.head);
        let args: Vec<VarId> = atoms.flat_map(|(_, args)| args.iter().copied()).collect();
        let question = self.explicit.question_about(terms, &clause.conditions, &args)?;
        let mut conditions = question.all();
        if clause.body.is_empty() {
            conditions.extend(&self.axioms);
        }
        if !is_plain(&self.explicit.algebra, terms, &conditions) {
            return Ok(None);
        }
        let inside = terms.inside(conditions.iter().copied());
        self.constants.extend(inside.filter_map(|id| match terms.get(id) {
            Term::Const(constant) => Some(*constant),
            _ => None,
        }));
        self.constants.sort_unstable_by_key(|constant| constant.index());
        self.constants.dedup();
        let mut vars: Vec<VarId> =
            conditions.iter().flat_map(|&one| terms.free_vars(one)).chain(args).collect();
        vars.sort_unstable();
        vars.dedup();
        let (body, head) = (clause.body.clone(), clause.head.clone());
        Ok(Some(Prepared { body, conditions, head, vars }))
    }

    /// Tells Spacer of the relations.
    fn declare(&mut self, terms: &Terms) -> Result<(), Unsupported> {
        let algebra = &self.explicit.algebra;
        for (id, params) in self.clauses.relations.enumerated() {
            let mut sorts = Vec::with_capacity(params.len() + self.constants.len());
            for &param in params {
                sorts.push(self.encoder.sort(&terms.var(param).sort)?);
            }
            for constant in &self.constants {
                sorts.push(self.encoder.sort(&algebra.constants[constant.index()].sort)?);
            }
            let domain: Vec<&Z3Sort> = sorts.iter().collect();
            let name = relation_name(&self.encoder, id);
            let relation = FuncDecl::new(name, &domain, &Z3Sort::bool());
            self.fixedpoint.register_relation(&relation);
            self.relations.push(relation);
        }
        self.fixedpoint.register_relation(&self.goal);
        Ok(())
    }

    /// Tells Spacer of a clause.
    fn add(&mut self, terms: &Terms, place: usize) -> Result<(), Unsupported> {
        let Prepared { body, conditions, head, vars } = &self.prepared[place];
        let algebra = &self.explicit.algebra;
        let mut parts = Vec::with_capacity(body.len() + conditions.len());
        for atom in body {
            parts.push(self.atom(terms, atom)?);
        }
        for &condition in conditions {
            parts.push(self.encoder.bool(algebra, terms, condition)?);
        }
        let then = match head {
            Some(atom) => self.atom(terms, atom)?,
            None => self.goal.apply(&[]).as_bool().ok_or(Unsupported::Misfit)?,
        };
        let mut bound = self.constants_as_terms()?;
        for &var in vars {
            bound.push(self.encoder.var(terms, var)?);
        }
        let bound: Vec<&dyn Ast> = bound.iter().map(|one| one as &dyn Ast).collect();
        let rule = Bool::and(&parts).implies(&then);
        let rule = if bound.is_empty() { rule } else { z3::ast::forall_const(&bound, &[], &rule) };
        self.fixedpoint.add_rule(&rule, None);
        Ok(())
    }

    fn constants_as_terms(&self) -> Result<Vec<Dynamic>, Unsupported> {
        let algebra = &self.explicit.algebra;
        self.constants.iter().map(|&one| self.encoder.constant(algebra, one)).collect()
    }

    fn atom(&self, terms: &Terms, (relation, args): &Atom) -> Result<Bool, Unsupported> {
        let mut all = Vec::with_capacity(args.len() + self.constants.len());
        for &arg in args {
            all.push(self.encoder.var(terms, arg)?);
        }
        all.extend(self.constants_as_terms()?);
        let all: Vec<&dyn Ast> = all.iter().map(|one| one as &dyn Ast).collect();
        let applied = self.relations[relation.index()].apply(&all);
        applied.as_bool().ok_or(Unsupported::Misfit)
    }

    fn answer(&mut self, terms: &mut Terms) -> HornFound {
        let time = self.options.limits.milliseconds;
        let ask = || self.fixedpoint.query_relations(&[&self.goal]);
        let (result, late) = self.watchdog.within(time, ask);
        match result {
            SatResult::Sat => HornFound::Fails,
            SatResult::Unsat => self.relations_found(terms),
            SatResult::Unknown if late => HornFound::Unknown("the time was up".to_owned()),
            SatResult::Unknown => HornFound::Unknown(self.fixedpoint.get_reason_unknown()),
        }
    }

    fn relations_found(&self, terms: &mut Terms) -> HornFound {
        let Some(answer) = self.fixedpoint.get_answer() else {
            return HornFound::Unknown("the solver does not say which relations".to_owned());
        };
        match self.read(terms, &answer.to_string()) {
            Ok(all) => HornFound::Holds(all),
            Err(why) => HornFound::Unknown(why.to_string()),
        }
    }

    /// The relations of an answer, over the variables for their arguments and over constants.
    fn read(
        &self,
        terms: &mut Terms,
        answer: &str,
    ) -> Result<IndexVec<RelationId, TermId>, NotRead> {
        let mut decoder =
            Decoder { encoder: &self.encoder, algebra: &self.explicit.algebra, terms };
        let mut defined: FxHashMap<String, Defined> = FxHashMap::default();
        for one in decoder.relations(answer)? {
            defined.insert(one.name.clone(), one);
        }
        let matters = self.matters();
        let mut found = IndexVec::default();
        for (id, params) in self.clauses.relations.enumerated() {
            found.push(match defined.get(&relation_name(&self.encoder, id)) {
                Some(one) => {
                    let constants = self.constants.iter().map(|&id| terms.raw(Term::Const(id)));
                    let constants: Vec<TermId> = constants.collect();
                    let own = params.iter().map(|&param| terms.var_term(param));
                    let values = one.params.iter().copied().zip(own.chain(constants)).collect();
                    terms.substitute(one.holds, &values)
                }
                // Spacer leaves out what never holds, and what nothing depends on.
                None => terms.bool(!matters.contains(&id)),
            });
        }
        Ok(found)
    }

    /// The relations from which a contradiction could follow.
    fn matters(&self) -> FxHashSet<RelationId> {
        let mut found: FxHashSet<RelationId> = FxHashSet::default();
        loop {
            let before = found.len();
            for clause in &self.prepared {
                if clause.head.as_ref().is_none_or(|(head, _)| found.contains(head)) {
                    found.extend(clause.body.iter().map(|(relation, _)| *relation));
                }
            }
            if found.len() == before {
                return found;
            }
        }
    }
}

fn relation_name(encoder: &Encoder, id: RelationId) -> String {
    format!("s{}!r{}", encoder.number(), id.index())
}

fn params(options: HornOptions) -> Params {
    let mut params = Params::new();
    params.set_symbol("engine", "spacer");
    params.set_bool("xform.slice", false);
    if !options.merge {
        params.set_bool("xform.inline_linear", false);
        params.set_bool("xform.inline_eager", false);
    }
    params
}

/// Whether all functions that conditions speak of have definitions that do not speak of themselves.
fn is_plain(algebra: &Algebra, terms: &Terms, conditions: &[TermId]) -> bool {
    let mut seen = FxHashSet::default();
    let mut work: Vec<TermId> = conditions.to_vec();
    while let Some(root) = work.pop() {
        for id in terms.inside([root]) {
            let Term::Apply(function, _) = terms.get(id) else { continue };
            if !seen.insert(*function) {
                continue;
            }
            match algebra.functions[function.index()].body {
                Some(body) if !is_recursive(algebra, terms, *function) => work.push(body),
                _ => return false,
            }
        }
    }
    true
}
