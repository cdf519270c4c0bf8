//! Horn clauses, for Z3's Spacer: relations that make all of them true, or that there are none.
//!
//! Spacer knows no constants that have the same value everywhere, so relations have the symbolic constants that matter as
//! further arguments, and axioms are conditions of the clauses from which everything else follows. It knows no functions
//! without a definition, and none that speak of themselves: nothing is said about clauses that need them.
//!
//! What is found is not to be believed: Spacer is asked for formulas, which whoever asked has to check.

mod prepare;
mod refute;

use rustc_hash::FxHashMap;
use z3::ast::{Ast, Bool, forall_const};
use z3::{Fixedpoint, FuncDecl, Params, SatResult, Sort as Z3Sort};

pub(super) use self::prepare::{Prepared, PreparedClause, prepare};
use super::decode::{Decoder, Defined, NotRead};
use super::encode::{Encoder, Unsupported};
use super::sexpr::{Sexpr, parse};
use super::solver::Limits;
use super::watchdog::Watchdog;
use crate::algebra::{Algebra, Term, TermId, Terms, VarId};
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

/// Something that has to hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fact {
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
    Fails(Vec<Fact>),
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
    let Some(prepared) = prepare(algebra, terms, clauses)? else {
        let why =
            "Horn clauses cannot have functions without a definition, or with a recursive one";
        return Ok(HornFound::Unknown(why.to_owned()));
    };
    let mut asked = Asked::new((algebra, open_world), terms, prepared, options)?;
    for place in 0..asked.prepared.clauses.len() {
        asked.add(terms, place)?;
    }
    Ok(asked.answer(terms))
}

struct Asked {
    prepared: Prepared,
    encoder: Encoder,
    fixedpoint: Fixedpoint,
    watchdog: Watchdog,
    options: HornOptions,
    relations: IndexVec<RelationId, FuncDecl>,
    /// What follows from clauses without a head.
    goal: FuncDecl,
}

impl Asked {
    fn new(
        (algebra, open_world): (&Algebra, bool),
        terms: &Terms,
        prepared: Prepared,
        options: HornOptions,
    ) -> Result<Asked, Unsupported> {
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
    fn add(&mut self, terms: &Terms, place: usize) -> Result<(), Unsupported> {
        let Prepared { algebra, clauses, .. } = &self.prepared;
        let PreparedClause { body, conditions, head, vars } = &clauses[place];
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

    fn answer(&mut self, terms: &mut Terms) -> HornFound {
        let time = self.options.limits.milliseconds;
        let ask = || self.fixedpoint.query_relations(&[&self.goal]);
        let (result, late) = self.watchdog.within(time, ask);
        match result {
            SatResult::Sat => HornFound::Fails(self.facts(terms)),
            SatResult::Unsat => self.relations_found(terms),
            SatResult::Unknown if late => HornFound::Unknown("the time was up".to_owned()),
            // Spacer says `ok` where it has no words for it.
            SatResult::Unknown => match self.fixedpoint.get_reason_unknown() {
                why if why == "ok" => HornFound::Unknown("Spacer gave up".to_owned()),
                why => HornFound::Unknown(why),
            },
        }
    }

    fn relations_found(&mut self, terms: &mut Terms) -> HornFound {
        let Some(answer) = self.fixedpoint.get_answer() else {
            return HornFound::Unknown("the solver does not say which relations".to_owned());
        };
        match self.read(terms, &answer.to_string()) {
            Ok(all) => HornFound::Holds(all),
            Err(why) => HornFound::Unknown(why.to_string()),
        }
    }

    /// The facts from which a contradiction follows, the first one first.
    fn facts(&self, terms: &mut Terms) -> Vec<Fact> {
        let Prepared { algebra, relations, .. } = &self.prepared;
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
            found.push(Fact { relation, says });
        }
        found.reverse();
        found
    }

    /// What the variables for constants stand for.
    fn constants(&self, terms: &mut Terms) -> FxHashMap<VarId, TermId> {
        let constants = self.prepared.constants.iter();
        constants.map(|&(id, var)| (var, terms.raw(Term::Const(id)))).collect()
    }

    /// The relations of an answer, over the variables for their arguments and over constants.
    fn read(
        &mut self,
        terms: &mut Terms,
        answer: &str,
    ) -> Result<IndexVec<RelationId, TermId>, NotRead> {
        let Prepared { algebra, relations, .. } = &self.prepared;
        let mut decoder = Decoder { encoder: &self.encoder, algebra, terms };
        let defined = decoder.relations(answer)?;
        let defined: FxHashMap<&str, &Defined> =
            defined.iter().map(|one| (one.name.as_str(), one)).collect();
        let back = self.constants(terms);
        let mut found: IndexVec<RelationId, Option<TermId>> = IndexVec::default();
        for (id, params) in relations.enumerated() {
            let one = defined.get(relation_name(&self.encoder, id).as_str());
            found.push(one.map(|one| {
                let own = params.iter().map(|&param| terms.var_term(param));
                let values = one.params.iter().copied().zip(own).collect();
                terms.substitute(one.holds, &values)
            }));
        }
        let found = self.completed(terms, found);
        Ok(found.iter().map(|&holds| terms.substitute(holds, &back)).collect())
    }

    /// Spacer leaves out relations that never hold, and those that nothing depends on. The former are those that cannot
    /// begin to hold while the others are as they are.
    fn completed(
        &mut self,
        terms: &mut Terms,
        found: IndexVec<RelationId, Option<TermId>>,
    ) -> IndexVec<RelationId, TermId> {
        let no = terms.bool(false);
        let mut all: IndexVec<RelationId, TermId> =
            found.iter().map(|holds| holds.unwrap_or(no)).collect();
        loop {
            let mut changed = false;
            for place in 0..self.prepared.clauses.len() {
                let Some((head, _)) = self.prepared.clauses[place].head else { continue };
                let never = found[head].is_none() && all[head] == no;
                if never && !budget::is_spent() && self.may_follow(terms, place, &all) {
                    all[head] = terms.bool(true);
                    changed = true;
                }
            }
            if !changed {
                return all;
            }
        }
    }

    /// Whether the body of a clause can hold; also where that is not known.
    fn may_follow(
        &mut self,
        terms: &mut Terms,
        place: usize,
        all: &IndexVec<RelationId, TermId>,
    ) -> bool {
        let Prepared { algebra, clauses, relations, .. } = &self.prepared;
        let clause = &clauses[place];
        let mut parts = clause.conditions.clone();
        for (relation, args) in &clause.body {
            let args = args.iter().map(|&arg| terms.var_term(arg));
            let values = relations[*relation].iter().copied().zip(args).collect();
            parts.push(terms.substitute(all[*relation], &values));
        }
        let whole = terms.and(parts);
        if let Some(known) = terms.as_bool(whole) {
            return known;
        }
        let Ok(encoded) = self.encoder.bool(algebra, terms, whole) else { return true };
        let solver = z3::Solver::new();
        solver.assert(&encoded);
        let time = Limits::default().milliseconds;
        self.watchdog.within(time, || solver.check()).0 != SatResult::Unsat
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
