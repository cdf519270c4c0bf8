//! All engines on random models with all forms of the language: what each says is what there is.
//!
//! What there is, is found by the plain interpreter, configuration by configuration. An invariant must hold in each of
//! these, as an evaluator of the tests sees it, which shares nothing with the library; a run must lead to one of them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use pnetc::algebra::Sort;
use pnetc::base::{Budget, Spent, Watch};
use pnetc::elaborate::ElaborateOptions;
use pnetc::explore::naive::Interpreter;
use pnetc::explore::{Configuration, Domains, EngineChoice, Property, Value};
use pnetc::model::{Checked, Wanted};
use pnetc::outcome::{Note, Outcome, Reason, Verdict};
use pnetc::pnet::PNet;
use pnetc::safety::{
    Abstraction, Bad, Bounded, Directed, Engine, Found, Horn, Induction, Invariant, Lead, Open,
    Problem, Unmet, check,
};
use pnetc::sema::program::{CheckDef, CheckKind};
use pnetc::simulate::{NotFollowed, follow, follow_lead};
use pnetc::smt::Limits;
use pnetc::verify::{self, ModelOptions};

use crate::common::explicit::{self, Context, World};
use crate::common::seeds::{fuzz, seeds};
use crate::common::{Random, explored, mixed, shrink};

/// How many configurations are gone through.
const MOST_CONFIGURATIONS: usize = 200;
/// How long the runs are that bounded search looks at.
const MOST_DEPTH: usize = 6;
/// How long the solver may think about a question.
const LIMITS: Limits = Limits { milliseconds: 300 };
/// How much work somebody may do on a check, and for how long: nothing is claimed about who is done by then.
const WORK: u64 = 20_000;
const LONGEST: Duration = Duration::from_millis(350);

// ---- what there is ----

/// What going through configurations says of a check.
struct Truth {
    /// All that were reached, level by level.
    reached: Vec<Configuration>,
    /// How many steps lead to something bad: where the check fails, or reads what has no value.
    bad: Option<usize>,
    /// Whether the property has no value somewhere.
    undefined: bool,
    /// Whether nothing was left out.
    complete: bool,
}

fn is_bad(
    interpreter: &Interpreter<'_>,
    at: &Configuration,
    (property, kind): (Option<&Property>, CheckKind),
) -> Option<(bool, bool)> {
    let Some(property) = property else {
        let steps = interpreter.steps(at).ok()?;
        let stuck = steps.steps.is_empty() && !interpreter.is_final(at);
        return (!stuck || !steps.limited).then_some((stuck, false));
    };
    Some(match interpreter.holds(at, property).ok()? {
        None => (true, true),
        Some(holds) => (holds == (kind == CheckKind::Reaches), false),
    })
}

/// How many arrays may begin with any values: each has dozens, and all of them together are beyond what can be gone through.
const MOST_FREE_ARRAYS: usize = 3;

/// Goes through configurations; nothing where the interpreter cannot even begin.
fn truth(net: &PNet, asked: (Option<&Property>, CheckKind)) -> Option<Truth> {
    let free =
        net.plts.iter().flat_map(|plts| &plts.variables).filter(|(_, value)| value.is_none());
    let arrays = free.filter(|(var, _)| matches!(net.terms.var(*var).sort, Sort::Array(..)));
    if arrays.count() > MOST_FREE_ARRAYS {
        return None;
    }
    let mut domains = explored::domains(net);
    if let Some(property) = asked.0 {
        domains = domains.about(property.constants(&net.algebra));
    }
    let interpreter = Interpreter::new(net, domains);
    let initial = interpreter.initial().ok()?;
    let mut found = Truth { reached: Vec::new(), bad: None, undefined: false, complete: true };
    found.complete &= !initial.limited;
    let mut seen: BTreeSet<Configuration> = initial.configurations.iter().cloned().collect();
    let mut work: VecDeque<(Configuration, usize)> =
        initial.configurations.into_iter().map(|at| (at, 0)).collect();
    while let Some((at, depth)) = work.pop_front() {
        if found.reached.len() >= MOST_CONFIGURATIONS {
            found.complete = false;
            break;
        }
        match is_bad(&interpreter, &at, asked) {
            Some((bad, undefined)) => {
                found.bad = found.bad.or(bad.then_some(depth));
                found.undefined |= undefined;
            }
            None => found.complete = false,
        }
        match interpreter.steps(&at) {
            Err(_) => found.complete = false,
            Ok(steps) => {
                found.complete &= !steps.limited;
                let new = steps.steps.into_iter().map(|step| step.target);
                work.extend(new.filter(|at| seen.insert(at.clone())).map(|at| (at, depth + 1)));
            }
        }
        found.reached.push(at);
    }
    Some(found)
}

// ---- invariants, as the tests see them ----

/// A value in the words of the tests; nothing where a number is too large for them.
fn value(net: &PNet, of: &Value) -> Option<explicit::Value> {
    let all = |values: &[Value]| values.iter().map(|one| value(net, one)).collect::<Option<_>>();
    Some(match of {
        Value::Bool(value) => explicit::Value::Bool(*value),
        Value::Int(number) => explicit::Value::Int(i64::try_from(number).ok()?),
        Value::Abstract(sort, number) => {
            explicit::Value::Atom(net.algebra.abstracts[sort.index()].as_str(), *number)
        }
        Value::Data(data, index, fields) => {
            let constructors = &net.algebra.datatypes[data.index()].constructors;
            explicit::Value::Data(constructors[*index as usize].name.as_str(), all(fields)?)
        }
        // What is not at a place of a finite array is never looked at.
        Value::Array(array) => {
            let places = array.places.iter();
            let places = places.map(|(key, one)| Some((value(net, key)?, value(net, one)?)));
            let rest = array.rest.as_ref().or(array.places.values().next())?;
            let rest = value(net, rest)?;
            let places: Option<BTreeMap<_, _>> = places.collect();
            let differ = places?.into_iter().filter(|(_, one)| *one != rest).collect();
            explicit::Value::Array(Box::new(rest), differ)
        }
        _ => return None,
    })
}

/// Whether an invariant holds in a configuration; nothing where that cannot be told. The second number is the condition
/// that does not.
fn holds_in(
    problem: &Problem<'_>,
    invariant: &Invariant,
    at: &Configuration,
) -> Option<Result<(), usize>> {
    let net = problem.net;
    let mut world = World::default();
    for (constant, given) in net.algebra.constants.iter().zip(at.constants.iter()) {
        let given = given.as_ref().and_then(|given| value(net, given));
        world.constants.extend(given.map(|given| (constant.name.to_string(), given)));
    }
    let mut env = explicit::Env::new();
    for component in &problem.components {
        for (location, var) in component.locations.enumerated() {
            let there = at.states[component.plts] == location;
            env.insert(*var, explicit::Value::Bool(there));
        }
        for ((var, _), own) in component.variables.iter().zip(&at.values[component.plts]) {
            env.insert(*var, value(net, own)?);
        }
    }
    let context = Context::new(&invariant.terms, &net.algebra, &world);
    let mut unsure = false;
    for (place, &one) in invariant.conjuncts.iter().enumerate() {
        match context.holds(one, &env) {
            Ok(true) => {}
            Ok(false) => return Some(Err(place)),
            Err(_) => unsure = true,
        }
    }
    (!unsure).then_some(Ok(()))
}

// ---- what is compared ----

/// What somebody said, how often.
#[derive(Clone, Copy, Default, Debug)]
struct Tally {
    /// That nothing bad is reached; that something is; nothing.
    safe: usize,
    unsafe_: usize,
    open: usize,
    /// Of the first two, those that going through all configurations settles as well.
    known: usize,
    /// Runs that the plain interpreter does not know how to make, and invariants that the solver does not know about.
    unsure: usize,
}

#[derive(Clone, Default, Debug)]
struct Compared {
    /// Checks, those that going through all configurations settles, and those that are bad.
    checks: usize,
    settled: usize,
    bad: usize,
    /// Configurations in which an invariant was looked at, and those in which it could not be told.
    seen: usize,
    untold: usize,
    /// Certificates that were made, and proofs that have none.
    certified: usize,
    uncertified: usize,
    by: BTreeMap<&'static str, Tally>,
}

impl std::ops::AddAssign for Compared {
    fn add_assign(&mut self, more: Compared) {
        self.checks += more.checks;
        self.settled += more.settled;
        self.bad += more.bad;
        self.seen += more.seen;
        self.untold += more.untold;
        self.certified += more.certified;
        self.uncertified += more.uncertified;
        for (name, other) in more.by {
            let one = self.by.entry(name).or_default();
            one.safe += other.safe;
            one.unsafe_ += other.unsafe_;
            one.open += other.open;
            one.known += other.known;
            one.unsure += other.unsure;
        }
    }
}

/// A budget that is spent when the work took too long.
struct Hurried(Budget);

impl Watch for Hurried {
    fn progress(&self, _states: usize, _transitions: usize, _queries: usize) {}

    fn budget(&self) -> Budget {
        self.0.clone()
    }
}

/// Has something done that may not take too long.
fn hurried<R>(work: impl FnOnce(&Hurried) -> R) -> R {
    let budget = Budget::of_work(WORK);
    let (done, ended) = channel::<()>();
    let theirs = budget.clone();
    let timer = std::thread::spawn(move || {
        if ended.recv_timeout(LONGEST) == Err(RecvTimeoutError::Timeout) {
            theirs.spend(Spent::Interrupted);
        }
    });
    let found = {
        let _here = budget.enter();
        work(&Hurried(budget.clone()))
    };
    drop(done);
    let _ = timer.join();
    found
}

/// A check, and what is known about it.
struct Asked<'a> {
    checked: &'a Checked,
    check: &'a CheckDef,
    net: &'a PNet,
    property: Option<&'a Property>,
    truth: &'a Truth,
}

impl Asked<'_> {
    fn bad(&self) -> Bad<'_> {
        match (self.property, self.check.kind) {
            (None, _) => Bad::Stuck,
            (Some(property), CheckKind::Reaches) => Bad::Holds(property),
            (Some(property), _) => Bad::Fails(property),
        }
    }

    /// What an engine says.
    fn engine(&self, problem: &Problem<'_>, engine: &dyn Engine) -> Result<Compared, String> {
        let name = engine.name();
        let found = hurried(|watch| engine.solve(problem, watch).0);
        let mut all = Compared::default();
        let mut tally = Tally::default();
        match found {
            Found::Safe(invariant) => {
                match check(problem, &invariant, LIMITS) {
                    Ok(()) => {}
                    Err(Unmet::Unknown(_)) => tally.unsure += 1,
                    Err(unmet) => return Err(format!("{name}: no invariant: {unmet:?}")),
                }
                if let Some(steps) = self.truth.bad {
                    return Err(format!("{name}: safe, but {steps} steps lead there"));
                }
                for at in &self.truth.reached {
                    all.seen += 1;
                    match holds_in(problem, &invariant, at) {
                        None => all.untold += 1,
                        Some(Ok(())) => {}
                        Some(Err(place)) => {
                            return Err(format!("{name}: condition {place} is false in {at:?}"));
                        }
                    }
                }
                tally.safe += 1;
                tally.known += usize::from(self.truth.complete);
            }
            Found::Unsafe(lead) => {
                tally.unsafe_ += 1;
                tally.known += usize::from(self.truth.complete);
                tally.unsure += usize::from(!self.is_real(problem, name, &lead)?);
            }
            Found::Reached(run) => {
                tally.unsafe_ += 1;
                tally.known += usize::from(self.truth.complete);
                let interpreter = Interpreter::new(problem.net, run.domains.clone());
                let real = match follow(&interpreter, &run.path) {
                    Ok(steps) => self.ends_badly(name, (&run.path, run.domains), steps.len())?,
                    Err(NotFollowed::Unknown { .. } | NotFollowed::NoValue { .. }) => false,
                    Err(why) => return Err(format!("{name}: not followed, {why}: {run:?}")),
                };
                tally.unsure += usize::from(!real);
            }
            Found::Open(Open::GaveUp)
                if name == "directed" && self.truth.complete && self.truth.bad.is_some() =>
            {
                return Err(format!("{name}: nothing, but {:?} steps do", self.truth.bad));
            }
            Found::Open(Open::Depth(depth)) if self.truth.bad.is_some_and(|bad| bad <= depth) => {
                let bad = self.truth.bad;
                return Err(format!("{name}: nothing in {depth} steps, but in {bad:?}"));
            }
            Found::Open(_) => tally.open += 1,
        }
        all.by.insert(name, tally);
        Ok(all)
    }

    /// Whether a run can be made; an error where it cannot.
    fn is_real(&self, problem: &Problem<'_>, name: &str, lead: &Lead) -> Result<bool, String> {
        let followed = match follow_lead(problem, lead) {
            Ok(followed) => followed,
            Err(NotFollowed::Unknown { .. } | NotFollowed::NoValue { .. }) => return Ok(false),
            // The solver has holes do `sync sync a` where anything silent will do; the interpreter tries `sync a` at most.
            Err(_) if format!("{lead:?}").contains("Sync(Sync(") => return Ok(false),
            Err(why) => return Err(format!("{name}: not followed, {why}: {lead:?}")),
        };
        self.ends_badly(name, (&followed.path, followed.domains), lead.steps.len())
    }

    /// Whether the end of a run is bad, and it is not too short or too long.
    fn ends_badly(
        &self,
        name: &str,
        (path, domains): (&[Configuration], Domains),
        steps: usize,
    ) -> Result<bool, String> {
        match self.truth.bad {
            None if self.truth.complete => {
                return Err(format!("{name}: a run of {steps} steps, but there is none"));
            }
            Some(least) if least > steps && self.truth.complete => {
                return Err(format!("{name}: a run of {steps} steps, but it takes {least}"));
            }
            Some(least) if least < steps && name == "bounded" => {
                return Err(format!("{name}: a run of {steps} steps, but {least} do"));
            }
            _ => {}
        }
        let interpreter = Interpreter::new(self.net, domains);
        let last = path.last().ok_or("a run without a beginning")?;
        match is_bad(&interpreter, last, (self.property, self.check.kind)) {
            Some((false, _)) => Err(format!("{name}: the end is not bad: {path:?}")),
            Some((true, _)) => Ok(true),
            None => Ok(false),
        }
    }

    /// What `verify` says with an engine.
    fn verified(&self, name: &'static str, choice: EngineChoice) -> Result<Compared, String> {
        let mut options = ModelOptions::default();
        options.explore.engine = choice;
        options.explore.most_states = 5_000;
        options.explore.most_depth = if choice == EngineChoice::Bounded { 6 } else { 1_000 };
        let outcome = hurried(|watch| verify::run(self.checked, self.check, &options, watch));
        let mut all = Compared::default();
        let mut tally = Tally::default();
        let outcome = match outcome {
            Ok(outcome) => outcome,
            // Where parts differ by their index, members that are not there are found when the net is made.
            Err(problems) if problems.iter().all(|one| one.entry.code == "E0112") => {
                tally.open += 1;
                all.by.insert(name, tally);
                return Ok(all);
            }
            Err(problems) => return Err(format!("{name}: {problems:?}")),
        };
        self.is_no_slip(name, &outcome)?;
        // Whether nothing bad is reached, as the verdict has it.
        let never = self.check.kind == CheckKind::Reaches;
        let says = match (outcome.verdict, self.check.negated != never) {
            (Verdict::Unknown, _) => None,
            (Verdict::Proved, opposite) => Some(!opposite),
            (Verdict::Refuted, opposite) => Some(opposite),
        };
        match says {
            None => tally.open += 1,
            // Where something is reached, it does not matter that it has no value elsewhere.
            Some(safe) if self.truth.undefined && (safe || !never) => {
                return Err(format!(
                    "{name}: {outcome:?}, but the property has no value somewhere"
                ));
            }
            Some(true) if self.truth.bad.is_some() => {
                let bad = self.truth.bad;
                return Err(format!(
                    "{name}: says that nothing bad is reached, but {bad:?} steps do"
                ));
            }
            Some(false) if self.truth.bad.is_none() && self.truth.complete => {
                return Err(format!("{name}: says that something bad is reached, but nothing is"));
            }
            Some(true) => tally.safe += 1,
            Some(false) => tally.unsafe_ += 1,
        }
        tally.known += usize::from(says.is_some() && self.truth.complete);
        if says.is_some() {
            let made = hurried(|watch| {
                verify::certify(self.checked, self.check, &options, &outcome, watch)
            });
            match made {
                None => {}
                Some(Ok(_)) => all.certified += 1,
                Some(Err(Note::NoCertificate { why })) if is_late(&why) => {}
                Some(Err(why)) => {
                    if std::env::var_os("PNET_WHY").is_some() {
                        println!("{name}: no certificate: {why:?}");
                    }
                    all.uncertified += 1;
                }
            }
        }
        all.by.insert(name, tally);
        Ok(all)
    }

    /// What an engine found was not confirmed although everybody knows enough: it was wrong.
    fn is_no_slip(&self, name: &str, outcome: &Outcome) -> Result<(), String> {
        let wrong = |reason: &Reason| match reason {
            Reason::InvariantUnconfirmed { why, .. } => why.is_none(),
            Reason::PredicateFails | Reason::NoRun => true,
            _ => false,
        };
        let reasons = match &outcome.reason {
            Reason::Tried { ways } => ways.iter().collect(),
            other => vec![other],
        };
        match reasons.into_iter().find(|reason| wrong(reason)) {
            Some(reason) => Err(format!("{name}: {reason:?}")),
            None => Ok(()),
        }
    }
}

/// Whether the time was up.
fn is_late(why: &str) -> bool {
    why.contains("interrupt") || why.contains("time") || why.contains("canceled")
}

/// Those who are asked through `verify` each time, and those of whom one is.
const ALWAYS: [(&str, EngineChoice); 3] = [
    ("verify: explicit", EngineChoice::Explicit),
    ("verify: symbolic", EngineChoice::Symbolic),
    ("verify: auto", EngineChoice::Auto),
];
const ONE_BY_ONE: [(&str, EngineChoice); 6] = [
    ("verify: directed", EngineChoice::Directed),
    ("verify: induction", EngineChoice::Induction),
    ("verify: bounded", EngineChoice::Bounded),
    ("verify: abstraction", EngineChoice::Abstraction),
    ("verify: abstraction-full", EngineChoice::AbstractionFull),
    ("verify: horn", EngineChoice::Horn),
];

fn agrees(checked: &Checked, seed: u64) -> Result<Compared, String> {
    let mut total = Compared::default();
    let options = ElaborateOptions::default();
    for check in checked.checks() {
        let Ok(net) = checked.net(Wanted::Instance(check, &check.nets[0]), &options) else {
            continue;
        };
        let property = check.property.as_ref();
        let property = property
            .map(|expr| checked.property((expr, check.locals.as_slice(), &[]), &net, &options))
            .transpose();
        let Ok(property) = property else { continue };
        let Some(truth) = truth(&net, (property.as_ref(), check.kind)) else { continue };
        let asked = Asked { checked, check, net: &net, property: property.as_ref(), truth: &truth };
        total.checks += 1;
        total.settled += usize::from(truth.complete);
        total.bad += usize::from(truth.bad.is_some());
        let said = |why: String| format!("{why}\n{}", verify::claim(checked, check));
        total += asked.all(seed as usize).map_err(said)?;
    }
    Ok(total)
}

impl Asked<'_> {
    fn all(&self, turn: usize) -> Result<Compared, String> {
        let mut total = Compared::default();
        if let Ok(problem) = Problem::new(self.net, self.bad()) {
            let bounded = Bounded { most_depth: MOST_DEPTH, limits: LIMITS };
            let horn = Horn { limits: LIMITS, ..Horn::default() };
            let whole = Horn { most_tuples: 0, ..horn };
            let together = Abstraction { limits: LIMITS, ..Abstraction::default() };
            let full = Abstraction { limits: LIMITS, ..Abstraction::full() };
            let (induction, directed) = (Induction::default(), Directed { most: 20_000 });
            let engines: [&dyn Engine; 7] =
                [&bounded, &directed, &induction, &together, &full, &horn, &whole];
            for engine in engines {
                total += self.engine(&problem, engine)?;
            }
        }
        let one = ONE_BY_ONE[turn % ONE_BY_ONE.len()];
        for (name, choice) in ALWAYS.into_iter().chain([one]) {
            total += self.verified(name, choice)?;
        }
        Ok(total)
    }
}

/// What was found, and how often each form was in a model.
#[derive(Default)]
struct Tallied {
    total: Compared,
    models: usize,
    forms: BTreeMap<&'static str, usize>,
    failures: Vec<String>,
}

fn one(seed: u64, all: &Mutex<Tallied>) {
    let made = mixed::model(&mut Random::new(seed));
    if std::env::var_os("PNET_WHY").is_some() {
        println!("{}", made.text);
    }
    let label = format!("safety mixed, PNET_SEED={seed}");
    let compared = shrink::tried(&label, &made.text, |text| match mixed::accepted(text) {
        Some(checked) => agrees(&checked, seed),
        None => Ok(Compared::default()),
    });
    let mut all = all.lock().unwrap();
    all.models += 1;
    made.forms.iter().for_each(|form| *all.forms.entry(form).or_default() += 1);
    match compared {
        Ok(found) => all.total += found,
        Err(why) => {
            println!("{why}");
            all.failures.push(why);
        }
    }
    if all.models.is_multiple_of(100) {
        println!("{} models: {:?}", all.models, all.total);
    }
}

#[test]
fn all_engines_agree_on_models_with_all_forms() {
    let seeds: Vec<u64> = seeds(fuzz().unwrap_or(16)).collect();
    let (all, next) = (Mutex::new(Tallied::default()), AtomicUsize::new(0));
    let work = || {
        while let Some(&seed) = seeds.get(next.fetch_add(1, Ordering::Relaxed)) {
            one(seed, &all);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..2 {
            let worker = std::thread::Builder::new().stack_size(8 << 20);
            worker.spawn_scoped(scope, work).unwrap();
        }
    });
    let Tallied { total, forms, failures, .. } = all.into_inner().unwrap();
    println!("forms: {forms:?}\n{total:#?}");
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
    let many = seeds.len() >= 16;
    assert!(!many || total.settled > 0 && total.bad > 0 && total.seen > total.untold, "{total:?}");
    let said = |tally: &Tally| tally.safe + tally.unsafe_ > 0;
    assert!(!many || total.by.values().filter(|tally| said(tally)).count() > 7, "{total:?}");
}
