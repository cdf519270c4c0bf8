//! `check valid(e)`: claims about data alone.
//!
//! A claim holds if it does for all values of the variables of its outermost `forall`, whatever symbolic constants and
//! uninterpreted functions are, as far as the axioms allow. It is proved by the solver at once, or by structural induction
//! on one of the variables: for each constructor, it holds of what the constructor makes where it holds of the parts that
//! have the same sort. It is refuted by values that were put in its place, and for which it comes to false.

mod refute;

use super::ModelOptions;
use super::refusal::NoCertificate;
use super::remake::Remade;
use crate::algebra::{Sort, Term, TermId, Terms, VarId, VariableKind};
use crate::base::budget::is_spent;
use crate::diagnostics::{Diagnostic, Symbol};
use crate::elaborate::{self, DataClaim};
use crate::emit;
use crate::model::Checked;
use crate::outcome::{Equation, Evidence, Found, Outcome, Reason, Verdict};
use crate::premises;
use crate::sema::program::{CheckDef, DataId};
use crate::smt::{Answer, Expected, Oracle, ScriptOptions, script};
use rustc_hash::FxHashMap;

/// How a claim is proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Method {
    /// The variable of the induction; none where the solver sees it at once.
    on: Option<VarId>,
    /// Whether the claim is taken for all values of the other variables, and not for these.
    general: bool,
}

/// At first, the solver has so many milliseconds for a question: what induction settles at once need not wait until the
/// solver gives up to see the whole at once.
const AT_FIRST: u32 = 400;

const DIRECT: Method = Method { on: None, general: false };

/// Something that must not be possible, with what it is about.
type Obligation = (String, Vec<TermId>);

/// A claim with whoever is asked about it.
struct Asked<'c> {
    claim: &'c DataClaim,
    terms: Terms,
    oracle: Oracle<'c>,
}

pub(super) fn check(
    checked: &Checked,
    check: &CheckDef,
    options: &ModelOptions,
) -> Result<Outcome, Vec<Diagnostic>> {
    let claim = made(checked, check, options)?;
    let mut asked = Asked::new(&claim, options);
    let yes = asked.terms.bool(true);
    if asked.oracle.check(&mut asked.terms, &[yes]) == Answer::Unsat {
        return Ok(Outcome::unknown(Reason::AxiomsContradict));
    }
    if let Some(values) = asked.small_values() {
        return Ok(asked.refuted(&values));
    }
    let usual = options.generate.limits;
    let mut hasty = options.clone();
    hasty.generate.limits.milliseconds = AT_FIRST.min(usual.milliseconds);
    let outcome = Asked::new(&claim, &hasty).settled();
    let is_open = matches!(outcome.reason, Reason::ValidityOpen { .. });
    Ok(if is_open && hasty.generate.limits != usual { asked.settled() } else { outcome })
}

impl Asked<'_> {
    /// What comes out with the time that the solver has for a question.
    fn settled(&mut self) -> Outcome {
        let seems_false = match self.by_solver() {
            BySolver::Proved => return self.proved(DIRECT, 1),
            BySolver::Refuted(values) => return self.refuted(&values),
            BySolver::SeemsFalse => true,
            BySolver::Unknown => false,
        };
        for method in self.inductions() {
            if is_spent() {
                return Outcome::unknown(Reason::Stopped);
            }
            let obligations = self.obligations(method);
            if self.meets(&obligations) {
                return self.proved(method, obligations.len());
            }
        }
        Outcome::unknown(Reason::ValidityOpen { seems_false })
    }
}

/// What a proof rests on, made anew from the model and the text of the method; or why it cannot be.
pub(super) fn remade(
    checked: &Checked,
    check: &CheckDef,
    (found, meets): (&str, bool),
    options: &ModelOptions,
) -> Result<Remade, NoCertificate> {
    let claim = made(checked, check, options).map_err(|_| NoCertificate::NotUnderstood)?;
    let mut asked = Asked::new(&claim, options);
    let method = asked.read(found).ok_or(NoCertificate::NotUnderstood)?;
    let obligations = asked.obligations(method);
    if meets && !asked.meets(&obligations) {
        return Err(NoCertificate::NotUnderstood);
    }
    let net = format!("{:#}\n", emit::json(&claim.net, None));
    let text = asked.written(method);
    let scripts = obligations.into_iter().map(|(about, conditions)| {
        let script = asked.script(&conditions);
        (about, script)
    });
    Ok(Remade::of_data(net, text, scripts.collect()))
}

fn made(
    checked: &Checked,
    check: &CheckDef,
    options: &ModelOptions,
) -> Result<DataClaim, Vec<Diagnostic>> {
    let Some(property) = &check.property else { return Err(Vec::new()) };
    let options = &options.elaborate;
    let claim = elaborate::data_claim(&checked.program, (property, &check.locals), options);
    let unmet = match &claim {
        Ok(claim) => premises::unmet(&claim.net, &checked.program, options),
        Err(_) => Vec::new(),
    };
    match claim {
        Ok(claim) if unmet.is_empty() => Ok(claim),
        Ok(_) => Err(unmet.iter().map(|problem| problem.diagnose()).collect()),
        Err(problems) => Err(problems.iter().map(|problem| problem.diagnose()).collect()),
    }
}

/// What the solver says at once.
enum BySolver {
    Proved,
    Refuted(Vec<(VarId, TermId)>),
    /// It has values for which the claim seems to fail, but what they come to is not known.
    SeemsFalse,
    Unknown,
}

impl<'c> Asked<'c> {
    fn new(claim: &'c DataClaim, options: &ModelOptions) -> Asked<'c> {
        let oracle = Oracle::new(&claim.net.algebra, false, options.generate.asking());
        Asked { claim, terms: claim.net.terms.clone(), oracle }
    }

    fn by_solver(&mut self) -> BySolver {
        let fails = self.terms.not(self.claim.holds);
        let model = self.oracle.model(&mut self.terms, &[fails], &self.claim.variables);
        match model {
            Err(Answer::Unsat) => BySolver::Proved,
            Err(_) => BySolver::Unknown,
            Ok(model) => match self.confirmed(&model) {
                Some(values) => BySolver::Refuted(values),
                None => BySolver::SeemsFalse,
            },
        }
    }

    /// The ways of induction, those first that assume less.
    fn inductions(&self) -> Vec<Method> {
        let is_recursive = |var: &VarId| match self.terms.var(*var).sort {
            Sort::Data(data) => self.parts(data).into_iter().flatten().count() > 0,
            _ => false,
        };
        let on: Vec<VarId> = self.claim.variables.iter().copied().filter(is_recursive).collect();
        let method = |general: bool| {
            on.iter().map(move |&var| Method { on: Some(var), general }).collect::<Vec<_>>()
        };
        let mut all = method(false);
        if self.claim.variables.len() > 1 {
            all.extend(method(true));
        }
        all
    }

    /// For each constructor, the places of its fields that have the datatype itself as their sort.
    fn parts(&self, data: DataId) -> Vec<Vec<usize>> {
        let constructors = self.claim.net.algebra.datatypes[data.index()].constructors.iter();
        let own = constructors.map(|constructor| {
            let fields = constructor.fields.iter().enumerate();
            let same = fields.filter(|(_, (_, sort))| *sort == Sort::Data(data));
            same.map(|(place, _)| place).collect()
        });
        own.collect()
    }

    /// What must not be possible if the method proves the claim.
    fn obligations(&mut self, method: Method) -> Vec<Obligation> {
        let Some(on) = method.on else {
            let fails = self.terms.not(self.claim.holds);
            return vec![("the claim".to_owned(), vec![fails])];
        };
        let Sort::Data(data) = self.terms.var(on).sort else { return Vec::new() };
        let (parts, algebra) = (self.parts(data), &self.claim.net.algebra);
        let mut all = Vec::with_capacity(parts.len());
        for (index, own) in parts.into_iter().enumerate() {
            let constructor = &algebra.datatypes[data.index()].constructors[index];
            let (name, on_name) = (constructor.name, self.terms.var(on).name);
            let mut fields = Vec::with_capacity(constructor.fields.len());
            for (field, sort) in &constructor.fields {
                let field = Symbol::new(&format!("{on_name}_{field}"));
                let var = self.terms.new_var(field, sort.clone(), VariableKind::State);
                fields.push(self.terms.var_term(var));
            }
            let made = Term::Construct(data, index as u32, fields.clone().into());
            let made = self.terms.raw(made);
            let mut conditions = Vec::new();
            for place in own {
                conditions.push(self.assumed(on, fields[place], method.general));
            }
            let goal = self.claimed_of(on, made);
            conditions.push(self.terms.not(goal));
            all.push((format!("the claim for `{on_name}` made by `{name}`"), conditions));
        }
        all
    }

    /// The claim with something in the place of a variable.
    fn claimed_of(&mut self, var: VarId, value: TermId) -> TermId {
        let values = FxHashMap::from_iter([(var, value)]);
        self.terms.substitute(self.claim.holds, &values)
    }

    /// What is assumed of a part: the claim, for the values of the other variables or for all.
    fn assumed(&mut self, on: VarId, part: TermId, general: bool) -> TermId {
        if !general {
            return self.claimed_of(on, part);
        }
        let mut values = FxHashMap::from_iter([(on, part)]);
        let mut bound = Vec::new();
        for &var in self.claim.variables.iter().filter(|var| **var != on) {
            let variable = self.terms.var(var).clone();
            let new = self.terms.new_var(variable.name, variable.sort, VariableKind::Bound);
            bound.push(new);
            values.insert(var, self.terms.var_term(new));
        }
        let claimed = self.terms.substitute(self.claim.holds, &values);
        self.terms.quantified(true, bound.into(), claimed)
    }

    fn meets(&mut self, obligations: &[Obligation]) -> bool {
        obligations.iter().all(|(_, conditions)| {
            !is_spent() && self.oracle.check(&mut self.terms, conditions) == Answer::Unsat
        })
    }

    fn script(&mut self, conditions: &[TermId]) -> String {
        let explicit = self.oracle.explicit(&mut self.terms);
        let all = match explicit.question(&mut self.terms, conditions) {
            Ok(question) => question.all(),
            Err(_) => Vec::new(),
        };
        let expected = Some(Expected::Unsat);
        let options = ScriptOptions { comment: &[], open_world: false, names: None, expected };
        script(&explicit.algebra, &self.terms, &all, options)
    }

    // ---- what comes out ----

    fn proved(&self, method: Method, obligations: usize) -> Outcome {
        let on = method.on.map(|var| self.terms.var(var).name.to_string());
        let outcome = Outcome::new(Verdict::Proved, Reason::Valid { on, obligations });
        Outcome { found: vec![Found(self.written(method))], ..outcome }
    }

    fn refuted(&self, values: &[(VarId, TermId)]) -> Outcome {
        let scope =
            emit::Scope { algebra: &self.claim.net.algebra, terms: &self.terms, names: None };
        let one = |&(var, value): &(VarId, TermId)| Equation {
            what: self.terms.var(var).name.to_string(),
            value: emit::outcome::value(scope, value),
        };
        let values: Vec<Equation> = values.iter().map(one).collect();
        let outcome = Outcome::new(Verdict::Refuted, Reason::NotValid);
        Outcome { evidence: Evidence::Values { values }, ..outcome }
    }

    /// The method as a certificate has it.
    fn written(&self, method: Method) -> String {
        match method.on {
            None => "by the solver\n".to_owned(),
            Some(var) => {
                let place = self.claim.variables.iter().position(|one| *one == var);
                let name = self.terms.var(var).name;
                let all = if method.general { ", for all values of the others" } else { "" };
                format!("by induction on variable {}, `{name}`{all}\n", place.unwrap_or(0) + 1)
            }
        }
    }

    /// The method that a text says; nothing where it says none.
    fn read(&self, text: &str) -> Option<Method> {
        let ways = self.inductions();
        std::iter::once(DIRECT).chain(ways).find(|method| self.written(*method) == text)
    }
}
