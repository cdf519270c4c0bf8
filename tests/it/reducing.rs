//! Reduced searches say what plain ones say: on known models, with fewer configurations, and on random ones. What they find
//! is made again by the plain interpreter.

use std::sync::Arc;

use pnetc::base::Unwatched;
use pnetc::elaborate::ElaborateOptions;
use pnetc::explore::compiled::Compiled;
use pnetc::explore::naive::Interpreter;
use pnetc::explore::search::{Ended, Goal, SearchLimits, Searched, search_reduced};
use pnetc::explore::symmetry::symmetries;
use pnetc::explore::{Domains, Machine, Preserved, Reduction};
use pnetc::pnet::PNet;
use pnetc::simulate::{self, NotFollowed};

use crate::common::nets::{self, Shape};
use crate::common::properties::property;
use crate::common::seeds::{fuzz, seeds};
use crate::common::{Random, check_text, explored, shrink};

/// How many configurations a search may keep.
const MOST_STATES: u64 = 3_000;

/// What a search came to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Found {
    /// How many steps lead to the goal.
    goal: Option<usize>,
    complete: bool,
    /// Whether the plain interpreter could not make them.
    unfollowed: bool,
    states: u64,
    reduced: bool,
}

/// Searches, and sees to it that what is found is real.
fn found<'n>(
    machine: &Compiled<'n>,
    (goal, reduction): (Goal<'_, Compiled<'n>>, &Reduction),
    interpreter: &Interpreter<'_>,
    jobs: usize,
) -> Result<Found, String> {
    let limits =
        SearchLimits { most_states: MOST_STATES, jobs, count: false, ..SearchLimits::default() };
    let searched = match search_reduced(machine, (goal, reduction), &limits, &Unwatched) {
        Ok(searched) => searched,
        Err(_) => return Ok(Found::default()),
    };
    let goal = match searched.sights.goal {
        Some(_) => Some(real_steps(machine, goal, &searched, interpreter)?),
        None => None,
    };
    let unfollowed = goal.is_some_and(|(_, followed)| !followed);
    let goal = goal.map(|(steps, _)| steps);
    let complete = searched.is_complete()
        && searched.sights.no_value.is_none()
        && searched.sights.maybe_stuck.is_none();
    let (states, reduced) = (searched.counts.states, searched.reduced);
    Ok(Found { goal, complete, unfollowed, states, reduced })
}

/// The steps to what was found, made by the plain interpreter. Where that cannot say what happens first, which the fast one
/// can, nobody looks at them.
fn real_steps<'n>(
    machine: &Compiled<'n>,
    goal: Goal<'_, Compiled<'n>>,
    searched: &Searched<'_, Compiled<'n>>,
    interpreter: &Interpreter<'_>,
) -> Result<(usize, bool), String> {
    assert_eq!(searched.ended, Ended::Found);
    let path = searched.path(searched.sights.goal.ok_or("no goal")?);
    let told: Vec<_> = path.iter().map(|packed| machine.decode(packed)).collect();
    let steps = match simulate::follow(interpreter, &told) {
        Ok(steps) => steps.len(),
        Err(NotFollowed::Unknown { .. }) => return Ok((told.len() - 1, false)),
        Err(why) => return Err(format!("{why}: {told:?}")),
    };
    let (last, packed) = (told.last().ok_or("no path")?, path.last().ok_or("no path")?);
    let is_there = match goal {
        Goal::Property(property, wanted) => {
            machine.holds(&mut machine.scratch(), property, packed) == Ok(Some(wanted))
        }
        _ => {
            let steps = interpreter.steps(last).map_err(|gap| gap.to_string())?;
            steps.steps.is_empty() && !machine.is_final(packed)
        }
    };
    if is_there { Ok((steps, true)) } else { Err(format!("{last:?} is no goal")) }
}

/// What was compared.
#[derive(Clone, Copy, Default, Debug)]
struct Compared {
    searches: usize,
    found: usize,
    /// Those of them that the plain interpreter could not follow.
    unfollowed: usize,
    /// Searches in which steps waited.
    ordered: usize,
    /// Searches in which configurations stood for others.
    symmetric: usize,
    /// Plain searches that say nothing.
    open: usize,
    /// All configurations of plain searches, and of reduced ones.
    states: (u64, u64),
}

impl std::ops::AddAssign for Compared {
    fn add_assign(&mut self, more: Compared) {
        self.searches += more.searches;
        self.found += more.found;
        self.unfollowed += more.unfollowed;
        self.ordered += more.ordered;
        self.symmetric += more.symmetric;
        self.open += more.open;
        self.states.0 += more.states.0;
        self.states.1 += more.states.1;
    }
}

/// Compares plain and reduced searches for a goal.
fn compare<'n>(
    machine: &Compiled<'n>,
    goal: Goal<'_, Compiled<'n>>,
    all: &Reduction,
    interpreter: &Interpreter<'_>,
) -> Result<Compared, String> {
    let search = |reduction: &Reduction, jobs| found(machine, (goal, reduction), interpreter, jobs);
    let plain = search(&Reduction::default(), 1)?;
    let order = Reduction { order: all.order.clone(), ..Reduction::default() };
    let symmetry = Reduction { symmetries: all.symmetries.clone(), ..Reduction::default() };
    let [order, symmetry] = [search(&order, 1)?, search(&symmetry, 1)?];
    let both = search(all, 1)?;
    if both != search(all, 3)? {
        return Err(format!("{both:?} is something else with three threads"));
    }
    for few in [&order, &symmetry, &both] {
        let said = match plain.goal {
            Some(_) => few.goal.is_some() || !few.complete,
            None => !plain.complete || (few.goal.is_none() && few.complete),
        };
        let fewer = plain.goal.is_some() || !plain.complete || few.states <= plain.states;
        if !said || !fewer {
            return Err(format!("plain {plain:?}, reduced {few:?}"));
        }
    }
    // Only a property can be farther away when steps wait.
    let near = if matches!(goal, Goal::Deadlock) { &both } else { &symmetry };
    if plain.goal.is_some() && near.goal.is_some() && plain.goal != near.goal {
        return Err(format!("plain {plain:?}, reduced {near:?}"));
    }
    Ok(Compared {
        searches: 1,
        found: usize::from(plain.goal.is_some()),
        unfollowed: usize::from(both.unfollowed),
        ordered: usize::from(order.reduced),
        symmetric: usize::from(symmetry.reduced),
        open: usize::from(plain.goal.is_none() && !plain.complete),
        states: (plain.states, both.states),
    })
}

/// Compares searches of a net for deadlocks and for properties.
fn agrees(net: &PNet, domains: &Domains, seed: u64) -> Result<Compared, String> {
    let machine = Compiled::new(net, domains);
    let interpreter = Interpreter::new(net, domains.clone());
    let all = Reduction { order: Some(Preserved::Deadlocks), symmetries: symmetries(net, None) };
    let mut total = compare(&machine, Goal::Deadlock, &all, &interpreter)?;
    let mut random = Random::new(seed);
    for _ in 0..4 {
        let (property, read) = property(net, &mut random);
        let Ok(asked) = machine.property(&property) else { continue };
        let symmetries = symmetries(net, Some(&property));
        let all = Reduction { order: Some(Preserved::Property(read)), symmetries };
        total += compare(&machine, Goal::Property(&asked, true), &all, &interpreter)?;
    }
    Ok(total)
}

fn random_models(name: &str, count: u64, make: impl Fn(&mut Random) -> String) -> Compared {
    let count = fuzz().unwrap_or(count);
    let (mut total, mut failures) = (Compared::default(), Vec::new());
    for seed in seeds(count) {
        let text = make(&mut Random::new(seed));
        let label = format!("{name}, PNET_SEED={seed}");
        let compared = shrink::tried(&label, &text, |text| match nets::accepted(text) {
            Ok(net) => agrees(&net, &explored::domains(&net), seed),
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
    assert!(total.found > 20 * total.unfollowed || !many, "{total:?}");
    assert!(total.ordered > 0 || !many, "{total:?}");
    assert!(total.open * 3 <= total.searches * 2 || !many, "{total:?}");
    total
}

#[test]
fn reduced_searches_of_closed_nets_agree() {
    random_models("reducing closed", 60, |random| nets::model(random, Shape::closed()));
}

#[test]
fn reduced_searches_of_open_nets_agree() {
    random_models("reducing open", 30, |random| nets::model(random, Shape::open()));
}

// ---- nets with symmetries ----

/// A process with random transitions over some actions.
fn process(random: &mut Random, name: &str, actions: &[&str]) -> String {
    let states = random.between(2, 3);
    let names: Vec<String> = (1..states).map(|at| format!("s{at}")).collect();
    let mut text = format!("process {name} {{ var x: 0..3 = 0; init state s0;");
    text +=
        &format!(" {} state {};", if random.one_in(3) { "final" } else { "" }, names.join(", "));
    for _ in 0..random.between(3, 6) {
        let (from, to) = (random.below(states), random.below(states));
        let action = *random.pick(actions);
        let argument = if action == "put" {
            "(x)"
        } else if action == "get" {
            "(?v)"
        } else {
            ""
        };
        let guard = if random.one_in(3) { " when x < 2" } else { "" };
        let change = match (action, random.below(3)) {
            ("get", 0 | 1) => " do x := v",
            (_, 0) => " do x := (x + 1) mod 3",
            _ => "",
        };
        text += &format!(" s{from} -> s{to} : {action}{argument}{guard}{change};");
    }
    text + " }\n"
}

/// Families that stand in a circle, or side by side, alone or in nets that stand so; seldom with a member that is different.
fn circle(random: &mut Random) -> String {
    let mut text = "action a, b, c, put(0..3), get(0..3), shown(Int);\n".to_owned();
    text += &process(random, "P", &["a", "b", "put", "get"]);
    text += &process(random, "Q", &["a", "c", "put", "get"]);
    let n = random.between(2, 4);
    text += &format!("net N {{ sub p[i: 0..{n}] = P; sub q[i: 0..{n}] = Q;\n");
    let rival =
        if random.one_in(3) { format!(" unless <q[(i + 1) mod {n}]: c>") } else { String::new() };
    for _ in 0..random.between(2, 5) {
        let k = random.below(n);
        let other = format!("[(i + {k}) mod {n}]");
        let shown = *random.pick(&["tau", "a", "shown(i)"]);
        text += &match random.below(6) {
            0 => format!("<p[i]: a, q{other}: a> -> {shown}{rival} for i in 0..{n};\n"),
            1 => format!("<p[i]: b> -> {shown}{rival} for i in 0..{n};\n"),
            2 => format!("<q[i]: c> -> {shown} for i in 0..{n};\n"),
            3 => format!("<p[i]: put(v), q{other}: get(v)> -> {shown}{rival} for i in 0..{n};\n"),
            4 => {
                format!("<q[i]: put(v), p{other}: get(v)> -> {shown} when v < 2 for i in 0..{n};\n")
            }
            _ => format!("<p[i]: a> -> {shown} for i in 0..{n};\n"),
        };
    }
    if random.one_in(6) {
        text += "<p[0]: a> -> a;\n";
    }
    text += "}\n";
    if random.one_in(3) {
        let count = random.between(2, 3);
        text += &format!("net Outer {{ sub m[i: 0..{count}] = N;\n");
        text += &format!("<m[i]: tau> -> tau for i in 0..{count};\n");
        text += &format!("<m[i]: a, m[(i + 1) mod {count}]: a> -> a for i in 0..{count}; }}\n");
    }
    text
}

#[test]
fn reduced_searches_of_symmetric_nets_agree() {
    let total = random_models("reducing circles", 80, circle);
    let many = seeds(fuzz().unwrap_or(80)).count() > 1;
    assert!(total.symmetric * 8 > total.searches || !many, "{total:?}");
}

// ---- known models ----

fn build(text: &str, net: &str) -> Arc<PNet> {
    let checked = check_text(text);
    assert!(!checked.has_errors(), "{:?}", checked.diagnostics);
    checked.build(Some(net), &ElaborateOptions::default()).unwrap()
}

fn model(file: &str, more: &str) -> String {
    std::fs::read_to_string(file).unwrap() + more
}

/// The configurations of searches for deadlocks: plain, with steps that wait, with symmetries, and with both.
fn states(net: &PNet) -> [u64; 4] {
    let machine = Compiled::new(net, &Domains::default());
    let (order, all) = (Some(Preserved::Deadlocks), symmetries(net, None));
    let limits = SearchLimits { thorough: true, count: false, ..SearchLimits::default() };
    let count = |reduction: Reduction| {
        let wanted = (Goal::Deadlock, &reduction);
        let searched = search_reduced(&machine, wanted, &limits, &Unwatched).unwrap();
        assert!(searched.is_complete());
        searched.counts.states
    };
    [
        count(Reduction::default()),
        count(Reduction { order: order.clone(), symmetries: Vec::new() }),
        count(Reduction { order: None, symmetries: all.clone() }),
        count(Reduction { order, symmetries: all }),
    ]
}

#[test]
fn counters_that_do_not_meet_count_one_after_the_other() {
    let text = "action up; process C { var n: 0..5 = 0; init state s; s -> s : up when n < 4 do n := n + 1; }
        net N { sub c[i: 0..5] = C; <c[i]: up> -> up for i in 0..5; }";
    // Sorted, there are as many as choices of 5 out of 5 with repetition: 9 over 4.
    assert_eq!(states(&build(text, "N")), [3125, 21, 126, 21]);
}

#[test]
fn philosophers_can_be_turned_round() {
    let net = build(&model("benches/models/dining_lr.pnet", "net D = Dining<6>;"), "D");
    let all = symmetries(&net, None);
    assert_eq!(all.len(), 1);
    assert!(!all[0].any_order);
    assert_eq!((all[0].columns.len(), all[0].columns[0].len()), (6, 2));
    let [plain, order, symmetry, both] = states(&net);
    assert!(order < plain && symmetry * 5 < plain && both < order && both < symmetry);
}

#[test]
fn who_is_different_stays_where_it_is() {
    let lefty = "net D { sub F[i: 0..3] = Fork; sub P[i: 0..3] = Philosopher;
        <P[i]: left, F[i]: take> -> take for i in 1..3;
        <P[0]: left, F[1]: take> -> take; <P[0]: right, F[0]: take> -> take;
        <P[i]: right, F[(i + 1) mod 3]: take> -> take for i in 1..3;
        <P[i]: put_left, F[i]: release> -> release for i in 0..3;
        <P[i]: put_right, F[(i + 1) mod 3]: release> -> release for i in 0..3; }";
    let net = build(&model("benches/models/dining_lr.pnet", lefty), "D");
    assert!(symmetries(&net, None).is_empty());
    let index = "action a(Int); process C<me: Int> { init state s; s -> s : a(me); }
        net N { sub c[i: 0..3] = C<i>; <c[i]: a(x)> -> a(x) for i in 0..3; }";
    assert!(symmetries(&build(index, "N"), None).is_empty());
}

/// Prints the configurations of larger models: `cargo test --release --test it reducing_figures -- --ignored --nocapture`.
#[test]
#[ignore = "figures"]
fn reducing_figures() {
    for (file, more) in [
        ("benches/models/dining_any.pnet", "net It = Dining<8>;"),
        ("benches/models/dining_lr.pnet", "net It = Dining<10>;"),
        ("benches/models/ring.pnet", "net It = Ring<12>;"),
        ("examples/filter.pnet", "net It = Filter<3>;"),
    ] {
        println!("{file} {more} {:?}", states(&build(&model(file, more), "It")));
    }
}
