//! Horn clauses, for Z3's Spacer: relations that make all of them true, or that there are none.
//!
//! Spacer knows no constants that have the same value everywhere, so relations have the symbolic constants that matter as
//! further arguments, and axioms are conditions of the clauses from which everything else follows. It knows no functions
//! without a definition, and none that speak of themselves: nothing is said about clauses that need them.
//!
//! What is found is not to be believed: Spacer is asked for formulas, which whoever asked has to check.

mod complete;
mod prepare;
mod refute;

use rustc_hash::FxHashMap;
use z3::ast::{Ast, Bool, forall_const};
use z3::{Fixedpoint, FuncDecl, Params, SatResult, Sort as Z3Sort};

use self::complete::{broken, completed};
pub(super) use self::prepare::{Prepared, PreparedClause, prepare};
use super::decode::{Decoder, Defined, NotRead};
use super::encode::{Encoder, Unsupported};
use super::sexpr::{Sexpr, parse};
use super::solver::Limits;
use super::watchdog::Watchdog;
use crate::algebra::{Algebra, Term, TermId, Terms, VarId};
use crate::base::{IndexVec, budget};
use crate::tagged_id;

/// Spacer needs so much stack.
const STACK: usize = 64 << 20;

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

/// Something that has to hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HornFact {
    /// The relation.
    pub relation: RelationId,
    /// For what it holds: values of the variables for its arguments and of constants, as far as they can be written down.
    pub says: Vec<TermId>,
}

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HornFound {
    /// Relations that make all clauses true: for each, a condition on the variables for its arguments and on constants.
    Holds(IndexVec<RelationId, TermId>),
    /// There are no such relations, because of facts that follow from each other, each from the one before. There are none
    /// where these cannot be told.
    Fails(Vec<HornFact>),
    /// It is not known, and why.
    Unknown(String),
}

/// Looks for relations that make all clauses true.
///
/// Spacer works in a thread of its own, with a Z3 of its own: one in which it was interrupted stays so, and whoever used it
/// next would lose what they assert.
pub fn solve(
    algebra: (&Algebra, bool),
    terms: &mut Terms,
    clauses: &Clauses,
    options: HornOptions,
) -> Result<HornFound, Unsupported> {
    let budget = budget::here();
    let work = || {
        let _here = budget.enter();
        Watchdog::while_here(|| solve_here(algebra, terms, clauses, options))
    };
    let done = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        thread.spawn_scoped(scope, work).ok().and_then(|working| working.join().ok())
    });
    done.unwrap_or_else(|| Ok(HornFound::Unknown("there is no thread for Spacer".to_owned())))
}

fn solve_here(
    (algebra, open_world): (&Algebra, bool),
    terms: &mut Terms,
    clauses: &Clauses,
    options: HornOptions,
) -> Result<HornFound, Unsupported> {
    if budget::is_spent() {
        return Ok(HornFound::Unknown("stopped".to_owned()));
    }
    let Some(prepared) = prepare(algebra, terms, clauses)? else {
        let why =
            "Horn clauses cannot have functions without a definition, or with a recursive one";
        return Ok(HornFound::Unknown(why.to_owned()));
    };
    // On some of these, Spacer of Z3 4.8.12 ends the whole program (`mbp_arrays.cpp`), which nobody can catch.
    if prepared.has_arrays(terms) {
        let why = "Spacer does not get along with arrays, so it is not asked about them";
        return Ok(HornFound::Unknown(why.to_owned()));
    }
    let mut ask = |options: HornOptions| {
        let mut asked = Asked::new((algebra, open_world), terms, &prepared, options)?;
        for clause in &prepared.clauses {
            asked.add(terms, clause)?;
        }
        Ok(asked.answer(terms))
    };
    match ask(options)? {
        // Of relations that were put together, Spacer may know too little to tell them apart again.
        None if options.merge => {
            let found = ask(HornOptions { merge: false, ..options })?;
            Ok(found.unwrap_or_else(unsolved))
        }
        found => Ok(found.unwrap_or_else(unsolved)),
    }
}

fn unsolved() -> HornFound {
    HornFound::Unknown("what Spacer found does not solve the clauses".to_owned())
}

struct Asked<'p> {
    prepared: &'p Prepared,
    encoder: Encoder,
    fixedpoint: Fixedpoint,
    watchdog: Watchdog,
    options: HornOptions,
    relations: IndexVec<RelationId, FuncDecl>,
    /// What follows from clauses without a head.
    goal: FuncDecl,
}

impl<'p> Asked<'p> {
    fn new(
        (algebra, open_world): (&Algebra, bool),
        terms: &Terms,
        prepared: &'p Prepared,
        options: HornOptions,
    ) -> Result<Asked<'p>, Unsupported> {
        let watchdog = Watchdog::of_this_thread();
        let encoder = Encoder::new(algebra, open_world)?;
        let fixedpoint = Fixedpoint::new();
        fixedpoint.set_params(&params(options));
        let mut relations = IndexVec::default();
        for (id, params) in prepared.relations.enumerated() {
            let sorts = params.iter().map(|&param| encoder.sort(&terms.var(param).sort));
            let sorts = sorts.collect::<Result<Vec<Z3Sort>, Unsupported>>()?;
            let domain: Vec<&Z3Sort> = sorts.iter().collect();
            let name = relation_name(&encoder, id);
            let relation = FuncDecl::new(name, &domain, &Z3Sort::bool());
            fixedpoint.register_relation(&relation);
            relations.push(relation);
        }
        let goal = FuncDecl::new(format!("s{}!goal", encoder.number()), &[], &Z3Sort::bool());
        fixedpoint.register_relation(&goal);
        Ok(Asked { prepared, encoder, fixedpoint, watchdog, options, relations, goal })
    }

    /// Tells Spacer of a clause.
    fn add(&mut self, terms: &Terms, clause: &PreparedClause) -> Result<(), Unsupported> {
        let PreparedClause { body, conditions, head, vars } = clause;
        let mut parts = Vec::with_capacity(body.len() + conditions.len());
        for atom in body {
            parts.push(self.atom(terms, atom)?);
        }
        for &condition in conditions {
            parts.push(self.encoder.bool(&self.prepared.algebra, terms, condition)?);
        }
        let then = match head {
            Some(atom) => self.atom(terms, atom)?,
            None => self.goal.apply(&[]).as_bool().ok_or(Unsupported::Misfit)?,
        };
        let bound = vars.iter().map(|&var| self.encoder.var(terms, var));
        let bound = bound.collect::<Result<Vec<_>, Unsupported>>()?;
        let bound: Vec<&dyn Ast> = bound.iter().map(|one| one as &dyn Ast).collect();
        let rule = Bool::and(&parts).implies(&then);
        let rule = if bound.is_empty() { rule } else { forall_const(&bound, &[], &rule) };
        self.fixedpoint.add_rule(&rule, None);
        Ok(())
    }

    fn atom(&self, terms: &Terms, (relation, args): &Atom) -> Result<Bool, Unsupported> {
        let args = args.iter().map(|&arg| self.encoder.var(terms, arg));
        let args = args.collect::<Result<Vec<_>, Unsupported>>()?;
        let args: Vec<&dyn Ast> = args.iter().map(|one| one as &dyn Ast).collect();
        self.relations[*relation].apply(&args).as_bool().ok_or(Unsupported::Misfit)
    }

    /// What was found; nothing where it does not solve the clauses.
    fn answer(&mut self, terms: &mut Terms) -> Option<HornFound> {
        let time = self.options.limits.milliseconds;
        let ask = || self.fixedpoint.query_relations(&[&self.goal]);
        let (result, late) = self.watchdog.within(time, ask);
        Some(match result {
            SatResult::Sat => HornFound::Fails(self.facts(terms)),
            SatResult::Unsat => return self.relations_found(terms),
            SatResult::Unknown if late => {
                HornFound::Unknown("Spacer did not answer in its time".to_owned())
            }
            // Spacer says `ok` where it has no words for it.
            SatResult::Unknown => match self.fixedpoint.get_reason_unknown() {
                why if why == "ok" => HornFound::Unknown("Spacer gave up".to_owned()),
                why => HornFound::Unknown(why),
            },
        })
    }

    fn relations_found(&mut self, terms: &mut Terms) -> Option<HornFound> {
        let Some(answer) = self.fixedpoint.get_answer() else {
            return Some(HornFound::Unknown("the solver does not say which relations".to_owned()));
        };
        let all = match self.read(terms, &answer.to_string()) {
            Ok(all) => all,
            Err(why) => return Some(HornFound::Unknown(why.to_string())),
        };
        if !self.is_solution(terms, &all) {
            return None;
        }
        let back = self.constants(terms);
        let mut done = FxHashMap::default();
        let told = all.iter().map(|&holds| terms.substitute_with(holds, &back, &mut done));
        Some(HornFound::Holds(told.collect()))
    }

    /// Whether relations make all clauses true, as far as a quick look tells.
    fn is_solution(&mut self, terms: &mut Terms, all: &IndexVec<RelationId, TermId>) -> bool {
        let prepared = self.prepared;
        prepared.clauses.iter().all(|clause| {
            let broken = broken(prepared, terms, clause, all);
            !budget::is_spent()
                && !can_hold(&mut self.encoder, &self.watchdog, (prepared, terms), broken)
        })
    }

    /// The facts from which a contradiction follows, the first one first.
    fn facts(&self, terms: &mut Terms) -> Vec<HornFact> {
        let Prepared { algebra, relations, .. } = self.prepared;
        let answer = self.fixedpoint.get_answer().map(|answer| answer.to_string());
        let Some(proof) = answer.and_then(|answer| parse(&answer)) else { return Vec::new() };
        let back = self.constants(terms);
        let named = relations.ids().map(|id| (relation_name(&self.encoder, id), id));
        let named: FxHashMap<String, RelationId> = named.collect();
        let mut found = Vec::new();
        for fact in refute::facts(&proof) {
            let (name, args) = match fact {
                Sexpr::Atom(name) => (name, &[][..]),
                Sexpr::List(inside) => match inside.as_slice() {
                    [Sexpr::Atom(name), args @ ..] => (name, args),
                    _ => continue,
                },
            };
            let Some(&relation) = named.get(name) else { continue };
            let mut says = Vec::with_capacity(args.len());
            for (&param, arg) in relations[relation].iter().zip(args) {
                let value = Decoder { encoder: &self.encoder, algebra, terms }.value(arg);
                let own = back.get(&param).copied().unwrap_or_else(|| terms.var_term(param));
                says.extend(value.map(|value| terms.equal(own, value)));
            }
            found.push(HornFact { relation, says });
        }
        found.reverse();
        found
    }

    /// What the variables for constants stand for.
    fn constants(&self, terms: &mut Terms) -> FxHashMap<VarId, TermId> {
        let constants = self.prepared.constants.iter();
        constants.map(|&(id, var)| (var, terms.raw(Term::Const(id)))).collect()
    }

    /// The relations of an answer, over the variables for their arguments.
    fn read(
        &mut self,
        terms: &mut Terms,
        answer: &str,
    ) -> Result<IndexVec<RelationId, TermId>, NotRead> {
        let Prepared { algebra, relations, .. } = self.prepared;
        let mut decoder = Decoder { encoder: &self.encoder, algebra, terms };
        let defined = decoder.relations(answer)?;
        let defined: FxHashMap<&str, &Defined> =
            defined.iter().map(|one| (one.name.as_str(), one)).collect();
        let mut found: IndexVec<RelationId, Option<TermId>> = IndexVec::default();
        for (id, params) in relations.enumerated() {
            let one = defined.get(relation_name(&self.encoder, id).as_str());
            found.push(one.map(|one| {
                let own = params.iter().map(|&param| terms.var_term(param));
                let values = one.params.iter().copied().zip(own).collect();
                terms.substitute(one.holds, &values)
            }));
        }
        let prepared = self.prepared;
        let (encoder, watchdog) = (&mut self.encoder, &self.watchdog);
        let can_hold = |terms: &Terms, condition: TermId| {
            can_hold(encoder, watchdog, (prepared, terms), condition)
        };
        Ok(completed(prepared, terms, found, can_hold))
    }
}

/// Whether a condition can hold; also where that is not known.
fn can_hold(
    encoder: &mut Encoder,
    watchdog: &Watchdog,
    (prepared, terms): (&Prepared, &Terms),
    condition: TermId,
) -> bool {
    if let Some(known) = terms.as_bool(condition) {
        return known;
    }
    let Ok(encoded) = encoder.bool(&prepared.algebra, terms, condition) else { return true };
    let solver = z3::Solver::new();
    solver.assert(&encoded);
    let time = Limits::default().milliseconds;
    watchdog.within(time, || solver.check()).0 != SatResult::Unsat
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
