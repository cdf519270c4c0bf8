//! Temporal formulas of open nets with data: known verdicts, and random nets against all their configurations.

use std::sync::Arc;

use indexmap::IndexSet;
use pnetc::algebra::{ActionId, Sort, Term, TermId, Terms, VarId, VariableKind};
use pnetc::base::{Id, Watch};
use pnetc::diagnostics::Symbol;
use pnetc::elaborate::ElaborateOptions;
use pnetc::explore::naive::Interpreter;
use pnetc::explore::{Configuration, Domains, Gap, Property, Value};
use pnetc::generate::{Options, generate};
use pnetc::lts::{LtsState, Rows};
use pnetc::model::{Checked, Wanted};
use pnetc::pnet::{HoleId, LeafId, PNet, VectorPlace};
use pnetc::system::System;
use pnetc::temporal::symbolic::{Decided, RunShown, Shown, decide};
use pnetc::temporal::{
    Atoms, Bindings, Decider, Fairness, FiniteSystem, FixId, Fixes, Formula, Modality, MoveId,
    PathFormula as P, StateFormula as F, StatePredicate, StepPattern, after_each,
};

use crate::common::nets::{self, Shape};
use crate::common::sayings::{Sayings, all, always, eventually, implies, some, until, weak_until};
use crate::common::seeds::{fuzz, seeds};
use crate::common::{Memory, Patience, Random, check_files, check_text};

/// What is said of a formula, with the steps of the run that shows it.
#[derive(Debug)]
struct Said {
    word: &'static str,
    steps: Vec<String>,
    given: Vec<String>,
    shown: Option<Shown>,
    why: String,
}

fn said(net: &PNet, formula: &Formula) -> Said {
    let watch = Patience::default();
    let automaton = generate(net, &Options::default(), &watch).automaton;
    let _here = watch.budget().enter();
    let (system, mut facts, mut prover) =
        System::alone(&automaton, Options::default().asking(), &watch);
    let decided = decide(net, (&system, &mut prover), &mut facts, formula);
    let nothing = Said { word: "", steps: vec![], given: vec![], shown: None, why: String::new() };
    match decided {
        Decided::Proved(proof) => {
            assert!(!proof.duties.is_empty());
            Said { word: "proved", ..nothing }
        }
        Decided::Unknown(why) => Said { word: "unknown", why: why.to_string(), ..nothing },
        Decided::Refuted(_, shown) => {
            let RunShown { run, then, .. } = *shown;
            let names = |term| written(&system, &prover.terms, term);
            let steps = run.steps.iter().map(|(step, _)| names(step.action)).collect();
            let given = run
                .given
                .iter()
                .map(|&(what, value)| format!("{} = {}", names(what), names(value)));
            let given = given.collect();
            Said { word: "refuted", steps, given, shown: Some(then), why: String::new() }
        }
    }
}

fn written(system: &System<'_>, terms: &Terms, term: TermId) -> String {
    let algebra = &system.automaton.algebra;
    match terms.get(term) {
        Term::Act(action, args) => {
            let name = algebra.actions[action.index()].name;
            let args: Vec<String> = args.iter().map(|&arg| written(system, terms, arg)).collect();
            if args.is_empty() { name.to_string() } else { format!("{name}({})", args.join(", ")) }
        }
        Term::Bool(value) => value.to_string(),
        Term::Int(value) => value.to_string(),
        Term::Const(id) => algebra.constants[id.index()].name.to_string(),
        Term::Tau => "tau".to_owned(),
        other => format!("{other:?}"),
    }
}

fn example(name: &str) -> String {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(root.join("examples").join(name)).unwrap()
}

fn net(checked: &Checked, name: &str) -> Arc<PNet> {
    assert!(!checked.has_errors());
    checked.net(Wanted::Named(Some(name)), &ElaborateOptions::default()).unwrap()
}

/// The monitor, with what is known of its limit.
fn monitor(axiom: &str) -> Checked {
    check_text(format!("{}\n{axiom}\n", example("failure_monitor.pnet")))
}

fn step(pattern: StepPattern) -> P {
    P::Step(pattern)
}

fn not(path: P) -> P {
    P::Not(Box::new(path))
}

/// `E[not (reset or resume(_)) U ask]`
fn can_ask(say: &mut Sayings<'_>) -> F {
    let (reset, resume, ask) = (say.act("reset"), say.act("resume"), say.act("ask"));
    some(until(not(step(StepPattern::Or(vec![reset, resume]))), step(ask)))
}

#[test]
fn nothing_is_asked_for_before_a_failure() {
    for axiom in ["axiom Max >= 0;", ""] {
        let checked = monitor(axiom);
        let net = net(&checked, "FailureMonitor");
        let mut say = Sayings::of(&net);
        let ask = say.act("ask");
        let failed = say.act_with("fail", 0, |terms| terms.bool(true));
        let formula = say.formula(all(weak_until(not(step(ask)), step(failed))));
        let said = said(&net, &formula);
        assert_eq!(said.word, "proved", "{said:?}");
    }
}

#[test]
fn a_failure_can_be_asked_about() {
    let checked = monitor("axiom Max >= 0;");
    let net = net(&checked, "FailureMonitor");
    let mut say = Sayings::of(&net);
    let can = can_ask(&mut say);
    let failed = say.at("C", "s1");
    let formula = say.formula(always(implies(failed, can)));
    let said = said(&net, &formula);
    assert_eq!(said.word, "proved", "{said:?}");
}

/// With a limit below zero no timer runs out.
#[test]
fn constants_have_all_values() {
    let checked = monitor("");
    let net = net(&checked, "FailureMonitor");
    let mut say = Sayings::of(&net);
    let can = can_ask(&mut say);
    let failed = say.at("C", "s1");
    let formula = say.formula(always(implies(failed, can)));
    let said = said(&net, &formula);
    assert_eq!(said.word, "refuted", "{said:?}");
    assert_eq!(said.steps, ["fail(true)"]);
    assert_eq!(said.given, ["Max = -1"]);
}

/// As it is printed: where a reset was asked for, the operand still fails alone, and nothing is asked for then.
#[test]
fn the_printed_claim_does_not_hold() {
    let checked = monitor("axiom Max >= 0;");
    let net = net(&checked, "FailureMonitor");
    let mut say = Sayings::of(&net);
    let can = can_ask(&mut say);
    let fail = say.act("fail");
    let says = after_each(fail, can, &mut Fixes::after(&F::Bool(true)));
    let formula = say.formula(says);
    let said = said(&net, &formula);
    assert_eq!(said.word, "refuted", "{said:?}");
    assert_eq!(said.steps, ["fail(true)", "ask", "fail(false)"]);
}

// ---- two monitors ----

/// Two monitors, with what is known of their limits; `mended`: a timer that does not run, or has run out, lets time pass.
fn two_monitors(axioms: &str, mended: bool) -> Checked {
    let mut one = example("failure_monitor.pnet");
    if mended {
        let idle = "t0 -> t0 : tick; t1 -> t1 : tick when t >= max; t1 -> t0 : timeout";
        one = one.replace("t1 -> t0 : timeout", idle);
    }
    let two = format!(
        "{}\n{axioms}\nnet Asked(B1: Operand, B2: Operand) = Two<Max1, Max2>(B1, B2);\n",
        example("two_monitors.pnet")
    );
    let mut files = Memory::file("two_monitors.pnet", two);
    files.0.insert("failure_monitor.pnet".to_owned(), one.into_bytes());
    check_files(&files, "two_monitors.pnet")
}

/// `AG (M1.C in s1 or M2.C in s1 => E[not (reset or resume(_, _)) U ask])`, or its opposite.
fn either_can_ask(axioms: &str, mended: bool, opposite: bool) -> Said {
    let checked = two_monitors(axioms, mended);
    let net = net(&checked, "Asked");
    let mut say = Sayings::of(&net);
    // The actions of the two have a number.
    let (reset, ask) = (say.act("reset"), say.act("ask"));
    let resume = say.last_act("resume");
    let can = some(until(not(step(StepPattern::Or(vec![reset, resume]))), step(ask)));
    let either = F::Or(vec![say.at("M1.C", "s1"), say.at("M2.C", "s1")]);
    let says = always(implies(either, can));
    let says = if opposite { F::Not(Box::new(says)) } else { says };
    let formula = say.formula(says);
    said(&net, &formula)
}

#[test]
fn two_monitors_with_different_limits_interfere() {
    let natural = "axiom Max1 >= 0 and Max2 >= 0 and Max1 != Max2;";
    let said = either_can_ask(natural, false, false);
    assert_eq!(said.word, "refuted", "{said:?}");
    // For all limits that differ, not for some.
    let said = either_can_ask(natural, false, true);
    assert_eq!(said.word, "proved", "{said:?}");
}

#[test]
fn two_monitors_with_one_limit_interfere() {
    let same = "axiom Max1 == Max2 and Max1 >= 1;";
    let said = either_can_ask(same, false, false);
    assert_eq!(said.word, "refuted", "{said:?}");
    assert!(said.steps.len() <= 4, "{said:?}");
    let said = either_can_ask(same, false, true);
    assert_eq!(said.word, "proved", "{said:?}");
}

#[test]
fn two_monitors_without_time_do_not_interfere() {
    let said = either_can_ask("axiom Max1 == 0 and Max2 == 0;", false, false);
    assert_eq!(said.word, "proved", "{said:?}");
}

#[test]
fn two_mended_monitors_do_not_interfere() {
    let said = either_can_ask("axiom Max1 >= 0 and Max2 >= 0;", true, false);
    assert_eq!(said.word, "proved", "{said:?}");
}

// ---- what comes in the end ----

const COUNTERS: &str = "const Max: Int; action inc, dec, again(Int), idle, done;
    interface Helper { done }
    process Up { var n: Int = 0; init state s; state t;
        s -> s : inc when n < Max do n := n + 1; s -> t : done when n >= Max; t -> t : idle; }
    process Idles { var n: Int = 0; init state s; state t;
        s -> s : inc when n < Max do n := n + 1; s -> s : idle; s -> t : done when n >= Max; t -> t : idle; }
    process Nested { var i: Int; var j: Int; init state s; state t;
        s -> s : dec when j > 0 do j := j - 1;
        s -> s : again(?x) when j <= 0 and i > 0 do i := i - 1, j := x;
        s -> t : done when i <= 0 and j <= 0; t -> t : idle; }
    process TwoPlaces { var n: Int; init state s; state t, u;
        s -> u : dec when n > 0 do n := n - 2; u -> s : inc do n := n + 1;
        s -> t : done when n <= 0; t -> t : idle; }
    process Wild { var n: Int; init state s; state t;
        s -> s : dec when n != 0 do n := n - 1; s -> t : done when n == 0; t -> t : idle; }
    net Waits(H: Helper) { sub P = Up; <P: inc> -> inc; <P: done, H: done> -> done; <P: idle> -> idle; }\n";

/// Whether `done` comes in the end.
fn done_in_the_end(name: &str) -> Said {
    let checked = check_text(COUNTERS);
    let net = net(&checked, name);
    let mut say = Sayings::of(&net);
    let done = say.act("done");
    let formula = say.formula(all(eventually(step(done))));
    said(&net, &formula)
}

#[test]
fn what_counts_comes_to_an_end() {
    for name in ["Up", "Nested", "TwoPlaces"] {
        let said = done_in_the_end(name);
        assert_eq!(said.word, "proved", "{name}: {said:?}");
    }
}

#[test]
fn what_may_idle_need_not_come_to_an_end() {
    let said = done_in_the_end("Idles");
    assert_eq!(said.word, "refuted", "{said:?}");
    assert!(matches!(said.shown, Some(Shown::Loop(_))), "{said:?}");
    let said = done_in_the_end("Wild");
    assert_eq!(said.word, "refuted", "{said:?}");
}

/// A hole may refuse for ever.
#[test]
fn what_needs_a_hole_need_not_come() {
    let said = done_in_the_end("Waits");
    assert_eq!((said.word, said.shown), ("refuted", Some(Shown::End)));
}

/// What is possible again and again is done in the end, where that is fair.
#[test]
fn fair_runs_come_to_an_end() {
    let checked = check_text(COUNTERS);
    let net = net(&checked, "Idles");
    let mut say = Sayings::of(&net);
    let done = say.act("done");
    let inc = say.act("inc");
    for kind in [Fairness::Weak, Fairness::Strong] {
        say.fair.clear();
        say.fairly(inc.clone(), kind);
        say.fairly(done.clone(), kind);
        let formula = say.formula(all(eventually(step(done.clone()))));
        let said = said(&net, &formula);
        assert_eq!(said.word, "proved", "{kind:?}: {said:?}");
    }
    // Counting alone is not enough.
    say.fair.clear();
    say.fairly(inc, Fairness::Strong);
    let formula = say.formula(all(eventually(step(done))));
    let said = said(&net, &formula);
    assert_eq!(said.word, "refuted", "{said:?}");
}

// ---- random nets, and all their configurations ----

/// More configurations are not looked at.
const MOST_CONFIGURATIONS: usize = 300;

/// What is done in a step: what it shows, what holes do, and the vectors.
type Move = (Value, Vec<(HoleId, Value)>, Vec<VectorPlace>);

/// All configurations of a net with finite data.
struct Whole<'n> {
    interpreter: Interpreter<'n>,
    configurations: IndexSet<Configuration>,
    /// What is done in steps, with where it was done.
    moves: IndexSet<Move>,
    formula: &'n Formula,
}

impl<'n> Whole<'n> {
    /// Nothing where there are too many, or values without end.
    fn of(net: &'n PNet, formula: &'n Formula) -> Option<(Whole<'n>, FiniteSystem)> {
        let interpreter = Interpreter::new(net, Domains::default());
        let initial = interpreter.initial().ok()?;
        if initial.limited {
            return None;
        }
        let begins = (0..initial.configurations.len()).map(LtsState::at).collect();
        let mut configurations: IndexSet<Configuration> =
            initial.configurations.into_iter().collect();
        let mut moves = IndexSet::new();
        let mut rows = Rows::with_capacity(0, 0);
        let mut at = 0;
        while let Some(here) = configurations.get_index(at) {
            if configurations.len() > MOST_CONFIGURATIONS {
                return None;
            }
            let steps = interpreter.steps(here).ok()?;
            if steps.limited {
                return None;
            }
            for step in steps.steps {
                let done = moves.insert_full((step.action, step.holes, step.vectors)).0;
                let to = configurations.insert_full(step.target).0;
                rows.push((MoveId::at(done), LtsState::at(to)));
            }
            rows.end_row();
            at += 1;
        }
        let whole = Whole { interpreter, configurations, moves, formula };
        Some((whole, FiniteSystem { begins, steps: rows }))
    }

    fn truth(
        &self,
        at: usize,
        (owed, says): (TermId, TermId),
        given: Bindings,
    ) -> Result<bool, Gap> {
        let Formula { terms, locations, .. } = self.formula;
        let (terms, locations) = (terms.clone(), locations.clone());
        let property = Property { terms, owed, reads: Vec::new(), says, locations, given };
        Ok(self.interpreter.holds(&self.configurations[at], &property)? == Some(true))
    }
}

impl Atoms for Whole<'_> {
    fn holds(
        &mut self,
        at: LtsState,
        says: &StatePredicate,
        bound: &Bindings,
    ) -> Result<bool, Gap> {
        self.truth(at.index(), (says.owed, says.says), bound.clone())
    }

    fn fits(&mut self, done: MoveId, step: &StepPattern, bound: &Bindings) -> Result<bool, Gap> {
        let (action, holes, vectors) = &self.moves[done.index()];
        let (action, term) = match step {
            StepPattern::Shows(term) => (Some(action), *term),
            StepPattern::Hole(hole, term) => {
                (holes.iter().find(|(one, _)| one == hole).map(|(_, action)| action), *term)
            }
            StepPattern::With(places) => return Ok(vectors.iter().any(|one| places.contains(one))),
            _ => return Err(Gap::Undefined),
        };
        let Some(action) = action else { return Ok(false) };
        let mut given = bound.clone();
        given.push((self.formula.shown, action.clone()));
        // What is shown is not about configurations.
        self.truth(0, (term, term), given)
    }

    fn value(&mut self, done: Option<MoveId>, term: TermId, _: &Bindings) -> Result<Value, Gap> {
        let (Some(done), Term::Argument(_, place, _)) = (done, self.formula.terms.get(term)) else {
            return Err(Gap::Undefined);
        };
        match &self.moves[done.index()].0 {
            Value::Act(_, args) => args.get(*place as usize).cloned().ok_or(Gap::Undefined),
            _ => Err(Gap::Undefined),
        }
    }

    fn values(&mut self, _: VarId) -> Result<Vec<Value>, Gap> {
        Ok(vec![Value::Bool(false), Value::Bool(true)])
    }

    fn needs_hole(&self, done: MoveId) -> bool {
        !self.moves[done.index()].1.is_empty()
    }
}

/// Random formulas about a net.
struct Making<'m, 'n> {
    say: Sayings<'n>,
    random: &'m mut Random,
    fixes: u32,
    /// What was bound.
    bound: Vec<TermId>,
}

impl Making<'_, '_> {
    fn pattern(&mut self, depth: usize) -> StepPattern {
        let net = self.say.net;
        let two = |making: &mut Self| vec![making.pattern(depth - 1), making.pattern(depth - 1)];
        match self.random.below(if depth == 0 { 6 } else { 9 }) {
            0 => StepPattern::Any,
            1 if !net.holes.is_empty() => {
                let hole = HoleId(self.random.below(net.holes.len()) as u32);
                let action = self.random.pick(&net.algebra.actions).name;
                match self.say.act(action.as_str()) {
                    StepPattern::Shows(term) => StepPattern::Hole(hole, term),
                    other => other,
                }
            }
            1..6 => {
                let action = self.random.pick(&net.algebra.actions).name;
                self.say.act(action.as_str())
            }
            6 => StepPattern::Not(Box::new(self.pattern(depth - 1))),
            7 => StepPattern::And(two(self)),
            _ => StepPattern::Or(two(self)),
        }
    }

    fn atom(&mut self) -> F {
        let (net, leaves) = (self.say.net, self.say.net.leaves());
        if !self.bound.is_empty() && self.random.one_in(2) {
            let value = *self.random.pick(&self.bound);
            return self.say.holds(value);
        }
        if leaves.is_empty() || self.random.one_in(8) {
            return F::MayEnd;
        }
        let leaf = LeafId(self.random.below(leaves.len()) as u32);
        let plts = &net.plts[leaves[leaf].1];
        if let Some(&(var, initial)) = plts.variables.first()
            && self.random.one_in(2)
        {
            let var = self.say.terms.var_term(var);
            let value = match (initial, net.terms.var(plts.variables[0].0).sort.clone()) {
                (_, Sort::Bool) => self.say.terms.bool(true),
                (_, Sort::Range(..)) => self.say.terms.int(1),
                (Some(initial), _) => initial,
                _ => return F::MayEnd,
            };
            let says = self.say.terms.equal(var, value);
            return self.say.holds(says);
        }
        let state = &plts.states.as_slice()[self.random.below(plts.states.len())];
        self.say.at(&leaves[leaf].0, state.name.as_str())
    }

    fn formula(&mut self, depth: usize, free: &mut Vec<(FixId, bool)>) -> F {
        if depth == 0 {
            let usable: Vec<FixId> =
                free.iter().filter(|(_, not)| !not).map(|(id, _)| *id).collect();
            return match usable.is_empty() || self.random.one_in(3) {
                true => self.atom(),
                false => F::Again(*self.random.pick(&usable), Vec::new()),
            };
        }
        let inner = |making: &mut Self, free: &mut Vec<(FixId, bool)>| {
            Box::new(making.formula(depth - 1, free))
        };
        match self.random.below(10) {
            0 => {
                free.iter_mut().for_each(|(_, not)| *not = !*not);
                let inside = inner(self, free);
                free.iter_mut().for_each(|(_, not)| *not = !*not);
                F::Not(inside)
            }
            1 => F::And(vec![*inner(self, free), *inner(self, free)]),
            2 => F::Or(vec![*inner(self, free), *inner(self, free)]),
            3 => self.stepping(true, inner, free),
            4 => self.stepping(false, inner, free),
            5 | 6 => {
                let id = FixId(self.fixes);
                self.fixes += 1;
                free.push((id, false));
                let body = inner(self, free);
                free.pop();
                F::Fix { id, greatest: self.random.one_in(2), params: Vec::new(), body }
            }
            7 if free.is_empty() => {
                let var = self.say.terms.new_var(Symbol::new("b"), Sort::Bool, VariableKind::Bound);
                self.bound.push(self.say.terms.var_term(var));
                let inside = inner(self, free);
                self.bound.pop();
                match self.random.one_in(2) {
                    true => F::Forall(vec![var], inside),
                    false => F::Exists(vec![var], inside),
                }
            }
            _ if free.is_empty() => {
                let left = self.position(depth - 1);
                let right = self.position(depth - 1);
                let path = match self.random.below(3) {
                    0 => weak_until(left, right),
                    _ => until(left, right),
                };
                if self.random.one_in(2) { all(path) } else { some(path) }
            }
            _ => self.stepping(self.fixes.is_multiple_of(2), inner, free),
        }
    }

    /// Something answers something, again and again.
    fn response(&mut self) -> F {
        let finally = eventually(self.position(1));
        let inside = match self.random.below(3) {
            0 => finally,
            1 => P::Or(vec![self.position(1), finally]),
            _ => P::Implies(Box::new(self.position(1)), Box::new(finally)),
        };
        match self.random.below(3) {
            0 => all(inside),
            1 => some(P::Not(Box::new(P::Globally(Box::new(inside))))),
            _ => all(P::Globally(Box::new(inside))),
        }
    }

    fn position(&mut self, depth: usize) -> P {
        match self.random.below(4) {
            0 => not(step(self.pattern(1))),
            1 => step(self.pattern(1)),
            2 => P::State(self.formula(depth.min(1), &mut Vec::new())),
            _ => P::Or(vec![step(self.pattern(0)), P::State(self.atom())]),
        }
    }

    /// A box or a diamond, which may bind an argument that is a truth value.
    fn stepping(
        &mut self,
        all: bool,
        inner: impl Fn(&mut Self, &mut Vec<(FixId, bool)>) -> Box<F>,
        free: &mut Vec<(FixId, bool)>,
    ) -> F {
        let actions = &self.say.net.algebra.actions;
        let fitting = actions.iter().position(|action| action.sorts.first() == Some(&Sort::Bool));
        let modality = match fitting {
            Some(place) if self.random.one_in(3) => {
                // Actions of one name differ in how many arguments they have.
                let action = ActionId(place as u32);
                let shown = self.say.terms.var_term(self.say.shown);
                let var = self.say.terms.new_var(Symbol::new("x"), Sort::Bool, VariableKind::Bound);
                let value = self.say.terms.argument(action, 0, shown);
                let step = StepPattern::Shows(self.say.terms.is_act(action, shown));
                self.bound.push(self.say.terms.var_term(var));
                let then = inner(self, free);
                self.bound.pop();
                Modality { step, binds: vec![(var, value)], then }
            }
            _ => Modality { step: self.pattern(1), binds: Vec::new(), then: inner(self, free) },
        };
        if all { F::Box(modality) } else { F::Diamond(modality) }
    }
}

/// What came out, by how often.
#[derive(Default, Debug)]
struct Agreed {
    proved: usize,
    refuted: usize,
    unknown: usize,
    runs: usize,
}

#[test]
fn random_nets_say_what_their_configurations_say() {
    let shapes = [
        Shape { ints: false, data: false, priorities: false, depth: 1, ..Shape::open() },
        Shape { ints: false, depth: 2, ..Shape::open() },
        Shape { ints: false, data: false, depth: 1, ..Shape::closed() },
    ];
    let mut agreed = Agreed::default();
    for seed in seeds(fuzz().unwrap_or(30)) {
        let random = &mut Random::new(seed);
        let shape = shapes[seed as usize % shapes.len()];
        let text = nets::model(random, shape);
        let Ok(net) = nets::accepted(&text) else { continue };
        if net.has_optional() {
            continue;
        }
        for _ in 0..4 {
            let mut making = Making { say: Sayings::of(&net), random, fixes: 0, bound: Vec::new() };
            let says = match making.random.below(4) {
                0 => making.response(),
                _ => making.formula(3, &mut Vec::new()),
            };
            for _ in 0..making.random.below(5).saturating_sub(2) {
                let (step, strong) = (making.pattern(0), making.random.one_in(2));
                let kind = if strong { Fairness::Strong } else { Fairness::Weak };
                making.say.fairly(step, kind);
            }
            let formula = making.say.formula(says);
            let Some((mut whole, explicit)) = Whole::of(&net, &formula) else { continue };
            let mut decider = Decider::new(&explicit, &mut whole, &formula.fair);
            let Ok(first) = decider.at_first(&formula.says) else { continue };
            let holds = first.iter().all(|holds| *holds);
            let said = said(&net, &formula);
            let wrong = match said.word {
                "proved" => !holds,
                "refuted" => holds,
                _ => false,
            };
            assert!(!wrong, "PNET_SEED={seed}: {said:?}\n{text}\n{:?}", formula.says);
            match said.word {
                "proved" => agreed.proved += 1,
                "refuted" => agreed.refuted += 1,
                _ => {
                    assert!(!said.why.is_empty(), "{said:?}");
                    agreed.unknown += 1;
                }
            }
            agreed.runs += usize::from(!said.steps.is_empty());
        }
    }
    println!("{agreed:?}");
    // What cannot fail shows nothing.
    assert!(agreed.proved > 0 && agreed.refuted > 0 && agreed.runs > 0, "{agreed:?}");
}
