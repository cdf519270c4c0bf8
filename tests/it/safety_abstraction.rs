//! Lazy abstraction: what it finds is real, with interactions done together and without, on known models and on random ones.

use std::sync::Arc;

use pnetc::algebra::{Sort, TermId, VariableKind};
use pnetc::base::{Budget, Unwatched};
use pnetc::diagnostics::Symbol;
use pnetc::elaborate::ElaborateOptions;
use pnetc::explore::compiled::Compiled;
use pnetc::explore::naive::Interpreter;
use pnetc::explore::search::{Goal, SearchLimits, search_reduced};
use pnetc::explore::{Machine, Property, Reduction};
use pnetc::model::Wanted;
use pnetc::pnet::PNet;
use pnetc::safety::{Abstraction, Bad, Effort, Engine, Found, Problem, check};
use pnetc::sema::program::CheckKind;
use pnetc::simulate::{NotFollowed, follow_lead};
use pnetc::smt::Limits;

use crate::common::nets::{self, Shape};
use crate::common::seeds::{fuzz, seeds};
use crate::common::{Random, check_text, explored, shrink};

fn both() -> [Abstraction; 2] {
    [Abstraction::default(), Abstraction::full()]
}

/// Nothing is done after all that was left out: what it does not find has been left out wrongly, or is not there.
fn alone() -> Abstraction {
    Abstraction { completes: false, ..Abstraction::default() }
}

/// The first check of a model: its net, and its property unless it is about deadlocks.
fn asked(text: &str) -> (Arc<PNet>, Option<Property>, CheckKind) {
    let checked = check_text(text);
    assert!(!checked.has_errors(), "{:?}", checked.diagnostics);
    let check = checked.checks()[0];
    let options = ElaborateOptions::default();
    let net = checked.net(Wanted::Instance(check, &check.nets[0]), &options);
    let net = net.unwrap_or_else(|why| panic!("{why:?}"));
    let property = check.property.as_ref().map(|expr| {
        checked.property((expr, check.locals.as_slice(), &[]), &net, &options).unwrap()
    });
    (net, property, check.kind)
}

/// What an engine makes of a problem, once it was looked at: how many steps lead to something bad, none if nothing does,
/// or why that is not known.
enum Verdict {
    Safe,
    Unsafe(usize),
    Open(String),
}

/// Solves, and sees to it that invariants meet their obligations and that runs can be made.
fn solved(
    problem: &Problem<'_>,
    bad: Bad<'_>,
    engine: Abstraction,
) -> Result<(Verdict, Effort), String> {
    let (found, effort) = engine.solve(problem, &Unwatched);
    let verdict = match found {
        Found::Open(why) => Verdict::Open(format!("{why:?}")),
        Found::Safe(invariant) => {
            check(problem, &invariant, Limits::default())
                .map_err(|unmet| format!("{}: no invariant: {unmet:?}", engine.name()))?;
            Verdict::Safe
        }
        Found::Reached(run) => return Err(format!("{}: {run:?}", engine.name())),
        Found::Unsafe(lead) => {
            let followed = match follow_lead(problem, &lead) {
                Ok(followed) => followed,
                Err(NotFollowed::Unknown { .. }) => {
                    return Ok((Verdict::Unsafe(lead.steps.len()), effort));
                }
                Err(why) => return Err(format!("{}: {why}: {lead:?}", engine.name())),
            };
            let interpreter = Interpreter::new(problem.net, followed.domains.clone());
            let last = followed.path.last().ok_or("no path")?;
            let is_bad = match bad {
                Bad::Stuck => interpreter.can_step(last).map(|can| Some(!can)),
                Bad::Fails(property) => {
                    interpreter.holds(last, property).map(|holds| holds.map(|holds| !holds))
                }
                Bad::Holds(property) | Bad::Undefined(property) => {
                    interpreter.holds(last, property)
                }
            };
            match is_bad {
                Ok(Some(true)) | Err(_) => Verdict::Unsafe(lead.steps.len()),
                other => {
                    return Err(format!("{}: {other:?} at the end of {lead:?}", engine.name()));
                }
            }
        }
    };
    Ok((verdict, effort))
}

fn answer(text: &str, engine: Abstraction) -> (Verdict, Effort) {
    let (net, property, kind) = asked(text);
    let bad = match (&property, kind) {
        (None, _) => Bad::Stuck,
        (Some(property), CheckKind::Reaches) => Bad::Holds(property),
        (Some(property), _) => Bad::Fails(property),
    };
    let problem = Problem::new(&net, bad).unwrap();
    solved(&problem, bad, engine).unwrap_or_else(|why| panic!("{why}\n{text}"))
}

/// That nothing bad is reached; the nodes with interactions done together, and one after the other.
fn is_safe(text: &str) -> [usize; 2] {
    both().map(|engine| match answer(text, engine) {
        (Verdict::Safe, effort) => effort.nodes,
        (Verdict::Unsafe(steps), _) => panic!("{}: {steps} steps\n{text}", engine.name()),
        (Verdict::Open(why), effort) => panic!("{}: {why}, {effort:?}\n{text}", engine.name()),
    })
}

/// That something bad is reached; the nodes with interactions done together, and one after the other.
fn is_unsafe(text: &str) -> [usize; 2] {
    let (found, effort) = answer(text, alone());
    assert!(matches!(found, Verdict::Unsafe(_)), "left out, {effort:?}\n{text}");
    both().map(|engine| match answer(text, engine) {
        (Verdict::Unsafe(_), effort) => effort.nodes,
        (Verdict::Safe, _) => panic!("{}: safe\n{text}", engine.name()),
        (Verdict::Open(why), effort) => panic!("{}: {why}, {effort:?}\n{text}", engine.name()),
    })
}

// ---- what can be done together ----

/// Looking one interaction ahead is not enough: `α` and `α'` seem to have nothing to do with each other, but `α`, `β1`, `β2`
/// leads to the error, and `β2` depends on `α'`.
#[test]
fn dependence_through_the_future_counts() {
    is_unsafe(
        "action x, y, one, two, go;
        process A { init state a0; state a1, a2; a0 -> a1 : x; a1 -> a2 : one; }
        process B { init state b0; state b1, b2; b0 -> b2 : y; b0 -> b1 : two; }
        process C { init state c0; state c1, err; c0 -> c1 : one; c1 -> err : two; }
        net S { sub a = A; sub b = B; sub c = C;
            <a: x> -> go; <b: y> -> go; <a: one, c: one> -> go; <c: two, b: two> -> go; }
        check always(S, not (c in err));",
    );
}

/// What is only possible in a cell is no part of all its configurations: with `x + y <= 0` known, `β` needs `x > 0`, and after
/// it `y >= 0` is out of the question; but with `x = y = 0` there is `α`, `γ`.
#[test]
fn what_is_only_possible_is_not_done_together() {
    is_unsafe(
        "action alpha, beta, gamma, begin(Int, Int), go; interface Any { begin(Int, Int) }
        process A { var y: Int = 0; init state z; state a0, a1, err;
            z -> a0 : begin(?u, ?v) do y := v; a0 -> a1 : alpha; a1 -> err : gamma when y >= 0; }
        process B { var x: Int = 0; init state z; state b0, b1;
            z -> b0 : begin(?u, ?v) do x := u; b0 -> b1 : beta when x > 0; }
        net S(P: Any) { sub a = A; sub b = B;
            <P: begin(u, v), a: begin(u, v), b: begin(u, v)> -> go when u + v <= 0;
            <a: alpha> -> go; <b: beta> -> go; <a: gamma> -> go; }
        check always(S, not (a in err));",
    );
}

#[test]
fn what_is_seen_together_is_not_done_together() {
    is_unsafe(
        "action a, b, go; process A { init state s; state t; s -> t : a; }
        process B { init state s; state t; s -> t : b; }
        net S { sub p = A; sub q = B; <p: a> -> go; <q: b> -> go; }
        check always(S, not (p in t and q in s));",
    );
}

#[test]
fn a_loop_does_not_put_off_the_rest() {
    is_unsafe(
        "action a, b, go; process A { var n: Int = 0; init state s; s -> s : a do n := n + 1; }
        process B { init state s; state t, u; s -> t : b; s -> s : a; t -> u : b; }
        net S { sub p = A; sub q = B; <p: a> -> go; <q: b> -> go; <q: a> -> go; }
        check always(S, not (q in u));",
    );
}

/// Pairs that have nothing to do with each other.
fn pairs(count: usize, property: &str) -> String {
    format!(
        "action put(Int), go(Int);
        process A {{ var n: Int = 0; init state s; state t, u; s -> t : put(n); t -> u : go(0); u -> s : go(1) do n := n + 1; }}
        process B {{ var m: Int = 0; init state s; state t; s -> t : put(?x) do m := x; t -> s : go(0); }}
        net S {{ sub a[i: 0..{count}] = A; sub b[i: 0..{count}] = B;
            <a[i]: put(x), b[i]: put(x)> -> go(i) for i in 0..{count};
            <a[i]: go(0), b[i]: go(0)> -> go(i) for i in 0..{count};
            <a[i]: go(1)> -> go(i) for i in 0..{count}; }}
        check {property};"
    )
}

#[test]
fn pairs_that_do_not_meet_cost_less_together() {
    let safe = pairs(3, "always(S, forall i: 0..3 . a[i].n >= b[i].m and b[i].m >= 0)");
    let [together, full] = is_safe(&safe);
    assert!(together < full, "{together} nodes and {full}");
    let bad = pairs(3, "always(S, not (a[1].n == 2 and b[1].m == 2))");
    let [together, full] = is_unsafe(&bad);
    assert!(together < full, "{together} nodes and {full}");
}

// ---- known models ----

#[test]
fn predicates_are_found_where_they_are_missing() {
    let counters = "action a, b; process A { var n: Int = 0; var m: Int = 0; init state s; state t;
        s -> t : a do n := n + 1; t -> s : b do m := m + 1; }";
    is_safe(&format!("{counters} check always(A, n >= m and n <= m + 1);"));
    is_safe(&format!("{counters} check always(A, A in s => n == m);"));
    is_safe(&format!("{counters} check deadlock_free(A);"));
    is_unsafe(&format!("{counters} check always(A, m < 3);"));
}

#[test]
fn values_that_are_transferred_are_compared() {
    let text = "action put(Int), ok, bad;
        process A { var n: Int = 0; init state s; s -> s : put(n) do n := n + 1; }
        process B { var last: Int = -1; init state s; state err;
            s -> s : put(?x) when x > last do last := x; s -> err : put(?x) when x <= last; }
        net S { sub p = A; sub q = B; <p: put(x), q: put(x)> -> ok; }
        check always(S, not (q in err));";
    is_safe(text);
    is_unsafe(&text.replace("n := n + 1", "n := if n == 3 then 1 else n + 1"));
}

#[test]
fn priorities_block_only_what_they_surely_block() {
    let text = "action low, high, c, d;
        process A { var n: Int = 0; init state s; state t; s -> s : high when n < 3 do n := n + 1; s -> t : low; }
        net S { sub B = A; connect c : B.low; connect d : B.high; priority c < d; }
        check always(S, not (B in t and B.n < 3));";
    is_safe(text);
    is_unsafe(&text.replace("B in t and B.n < 3", "B in t"));
}

#[test]
fn constants_data_arrays_and_ranges() {
    is_safe(
        "action up; const N: Int; axiom N > 3;
        process A { var n: Int = 0; init state s; s -> s : up when n < N do n := n + 1; }
        check always(A, n <= N and N >= 4);",
    );
    is_unsafe(
        "action up; const N: Int; axiom N > 3;
        process A { var n: Int = 0; init state s; s -> s : up when n < N do n := n + 1; }
        check always(A, n < 4);",
    );
    is_safe(
        "data M { P, Q(a: Int, b: Bool) } action go, back;
        process A { var m: M = P; var k: 0..4 = 0; init state s;
            s -> s : go when m is P do m := Q(k, true), k := (k + 1) mod 4;
            s -> s : back when m is Q(_, _) and m.b do m := P; }
        check always(A, m is P or m.b and m.a >= 0);",
    );
    is_unsafe(
        "action go; process A { var a: [0..3]Int = [_]Int(0); var k: 0..3 = 0; init state s;
            s -> s : go do a := a[k := a[k] + 1], k := (k + 1) mod 3; }
        check always(A, a[1] < 1);",
    );
}

#[test]
fn holes_do_what_they_like() {
    let text = "action put(Int), got; interface Any { put(Int) }
        process A { var n: Int = 0; init state s; s -> s : put(?x) when x > n do n := x; }
        net S(P: Any) { sub B = A; <P: put(x), B: put(x)> -> put(x); <P: put(x)> -> got; }
        check always(S, n >= 0);";
    is_safe(text);
    is_unsafe(&text.replace("n >= 0", "n != 4711"));
}

// ---- random models ----

/// A property that speaks of the locations and variables of some leaves.
fn property(net: &PNet, random: &mut Random) -> Property {
    let mut terms = net.terms.clone();
    let locations: Vec<_> = net
        .plts
        .ids()
        .map(|leaf| (terms.new_var(Symbol::new("at"), Sort::Int, VariableKind::Bound), leaf))
        .collect();
    let mut parts: Vec<TermId> = Vec::new();
    for &(at, leaf) in &locations {
        if !random.one_in(locations.len().div_ceil(2)) {
            continue;
        }
        let plts = &net.plts[leaf];
        let (at, state) = (terms.var_term(at), terms.int(random.below(plts.states.len())));
        let mut says = terms.equal(at, state);
        if let Some(&(var, Some(initial))) = plts.variables.first()
            && random.one_in(2)
        {
            let var = terms.var_term(var);
            let begins = terms.equal(var, initial);
            let differs = terms.not(begins);
            says = terms.and([says, differs]);
        }
        parts.push(says);
    }
    let says = if random.one_in(2) { terms.and(parts) } else { terms.or(parts) };
    let owed = terms.bool(true);
    Property { terms, owed, reads: Vec::new(), says, locations, given: Vec::new() }
}

#[derive(Clone, Copy, Default, Debug)]
struct Compared {
    problems: usize,
    safe: usize,
    reached: usize,
    open: usize,
    /// Problems that an exploration to the end settles as well.
    explored: usize,
    /// The nodes of problems that both settle, together and one after the other.
    nodes: [usize; 2],
}

impl std::ops::AddAssign for Compared {
    fn add_assign(&mut self, more: Compared) {
        self.problems += more.problems;
        self.safe += more.safe;
        self.reached += more.reached;
        self.open += more.open;
        self.explored += more.explored;
        self.nodes[0] += more.nodes[0];
        self.nodes[1] += more.nodes[1];
    }
}

/// Whether an exploration finds something bad; nothing where it does not know.
fn by_exploring(net: &PNet, bad: Bad<'_>) -> Option<bool> {
    let machine = Compiled::new(net, &explored::domains(net));
    let limits = SearchLimits { most_states: 2_000, count: false, ..SearchLimits::default() };
    let reduction = Reduction::default();
    let asked;
    let goal = match bad {
        Bad::Holds(property) => {
            asked = machine.property(property).ok()?;
            Goal::Property(&asked, true)
        }
        _ => Goal::Deadlock,
    };
    let searched = search_reduced(&machine, (goal, &reduction), &limits, &Unwatched).ok()?;
    let sure = searched.sights.no_value.is_none() && searched.sights.maybe_stuck.is_none();
    match searched.sights.goal {
        Some(_) => Some(true),
        None if searched.is_complete() && sure => Some(false),
        None => None,
    }
}

fn compare(net: &PNet, bad: Bad<'_>) -> Result<Compared, String> {
    let Ok(problem) = Problem::new(net, bad) else { return Ok(Compared::default()) };
    let known = by_exploring(net, bad);
    let mut compared =
        Compared { problems: 1, explored: usize::from(known.is_some()), ..Compared::default() };
    let mut said = [None; 2];
    for (place, mut engine) in both().into_iter().enumerate() {
        engine.limits = Limits { milliseconds: 400 };
        let budget = Budget::of_work(3_000);
        let _here = budget.enter();
        let (verdict, effort) = solved(&problem, bad, engine)?;
        said[place] = match verdict {
            Verdict::Safe => Some(false),
            Verdict::Unsafe(_) => Some(true),
            Verdict::Open(_) => None,
        };
        if said[place].is_some() && known.is_some() && said[place] != known {
            return Err(format!("{} says {:?}, exploring {known:?}", engine.name(), said[place]));
        }
        compared.nodes[place] = effort.nodes;
    }
    if said[1] == Some(true) {
        let budget = Budget::of_work(3_000);
        let _here = budget.enter();
        let engine = Abstraction { limits: Limits { milliseconds: 400 }, ..alone() };
        let (verdict, effort) = solved(&problem, bad, engine)?;
        if !matches!(verdict, Verdict::Unsafe(_)) && budget.spent().is_none() {
            return Err(format!("something bad is left out: {effort:?}"));
        }
    }
    match said {
        [Some(one), Some(other)] if one != other => return Err(format!("{said:?}")),
        [Some(true), Some(true)] => compared.reached = 1,
        [Some(false), Some(false)] => compared.safe = 1,
        _ => {
            compared.open = 1;
            compared.nodes = [0; 2];
        }
    }
    Ok(compared)
}

fn agrees(net: &PNet, seed: u64) -> Result<Compared, String> {
    let mut total = compare(net, Bad::Stuck)?;
    let mut random = Random::new(seed);
    for _ in 0..2 {
        total += compare(net, Bad::Holds(&property(net, &mut random)))?;
    }
    Ok(total)
}

fn random_models(name: &str, count: u64, make: impl Fn(&mut Random) -> String) {
    let count = fuzz().unwrap_or(count);
    let (mut total, mut failures) = (Compared::default(), Vec::new());
    for seed in seeds(count) {
        let text = make(&mut Random::new(seed));
        let label = format!("{name}, PNET_SEED={seed}");
        let compared = shrink::tried(&label, &text, |text| match nets::accepted(text) {
            Ok(net) => agrees(&net, seed),
            Err(_) => Ok(Compared::default()),
        });
        match compared {
            Ok(found) => total += found,
            Err(why) => failures.push(why),
        }
    }
    println!("{name}: {total:?}");
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
    let many = seeds(count).count() > 1;
    assert!(!many || (total.safe > 0 && total.reached > 0 && total.explored > 0), "{total:?}");
    assert!(!many || total.open * 2 <= total.problems, "{total:?}");
}

#[test]
fn abstractions_of_closed_nets_agree() {
    random_models("abstraction closed", 40, |random| nets::model(random, Shape::closed()));
}

#[test]
fn abstractions_of_open_nets_agree() {
    random_models("abstraction open", 20, |random| nets::model(random, Shape::open()));
}

/// Components that mostly do something by themselves, and sometimes meet.
fn side_by_side(random: &mut Random) -> String {
    let mut text = "action a, b, put(Int), get(Int), go;\n".to_owned();
    let count = random.between(2, 4);
    for number in 0..count {
        let states = random.between(2, 3);
        let names: Vec<String> = (1..states).map(|at| format!("s{at}")).collect();
        text += &format!(
            "process P{number} {{ var x: Int = 0; init state s0; state {};",
            names.join(", ")
        );
        for _ in 0..random.between(2, 5) {
            let (from, to) = (random.below(states), random.below(states));
            let action = *random.pick(&["a", "b", "put(x)", "get(?v)"]);
            let guard = *random.pick(&["", "", " when x < 2", " when x >= 1", " when x == 0"]);
            let change = match (action, random.below(3)) {
                ("get(?v)", 0 | 1) => " do x := v",
                (_, 0) => " do x := if x < 3 then x + 1 else 0",
                (_, 1) => " do x := 0",
                _ => "",
            };
            text += &format!(" s{from} -> s{to} : {action}{guard}{change};");
        }
        text += " }\n";
    }
    text += "net N {";
    (0..count).for_each(|number| text += &format!(" sub p{number} = P{number};"));
    let rival = |random: &mut Random| match random.one_in(4) {
        true => format!(" unless <p{}: b>", random.below(count)),
        false => String::new(),
    };
    for number in 0..count {
        let rival = rival(random);
        text += &format!(" <p{number}: {}> -> go{rival};", random.pick(&["a", "b"]));
        let other = (number + 1 + random.below(count - 1)) % count;
        text += &match random.below(4) {
            0 => format!(" <p{number}: b, p{other}: a> -> go;"),
            1 => format!(" <p{number}: put(v), p{other}: get(v)> -> go;"),
            _ => String::new(),
        };
    }
    text + " }\n"
}

#[test]
fn abstractions_of_components_side_by_side_agree() {
    random_models("abstraction side by side", 60, side_by_side);
}
