//! Reduced searches say what plain ones say: on known models, with fewer configurations, and on random ones. What they find
//! is made again by the plain interpreter; and all that they meet is compared with all that there is (`all_is_kept`).
//!
//! Whether these tests can fail was tried by breaking the reductions on purpose, one mutant at a time, with `PNET_FUZZ` of 60 to 300:
//!
//! | broken in `compiled/order.rs`, `compiled/role.rs`, `search/reduced.rs` | noticed by |
//! | --- | --- |
//! | ways whose rivals read what a possible way moves are left out | loose nets, nearly symmetric nets |
//! | ways that move what the rivals of a possible way read are left out | loose nets, nearly symmetric nets |
//! | the same for a way that is not possible | loose nets |
//! | rivals of inner vectors are not read | loose nets |
//! | rivals of what goes first are not read | `what_keeps_back_what_goes_first_is_read` |
//! | rivals read nothing | loose nets, with holes and without; nearly symmetric nets |
//! | a way that moves what the property reads may be chosen; or as long as the set does not begin with it | loose nets, with holes and without; nearly symmetric nets |
//! | no proviso: steps wait for ever; or the proviso is content with this level | closed and open nets |
//! | ways that share a component with a possible way are left out | closed nets, circles, philosophers |
//! | for a way that is not possible: those are left out that change its values | `who_changes_a_value_is_waited_for` |
//! | those that lead a component to where it can take part: all, or those of no single role, or another role's | loose nets, `who_comes_by_two_ways_is_waited_for` |
//! | a component that can take part is taken for one that cannot; or what has to happen first for what never happens | loose nets |
//! | only the first way of the set is made | loose nets, nearly symmetric nets |
//!
//! | broken in `symmetry/`, `compiled/canonical.rs` | noticed by |
//! | --- | --- |
//! | the property is not looked at; or its values are not | closed nets, open nets, circles; nearly symmetric nets |
//! | rivals are not looked at; or their guards are not | nearly symmetric nets |
//! | guards of vectors, targets or updates of transitions, vectors of inner nets are not | nearly symmetric nets |
//! | actions of members, or what transitions say | `who_is_different_stays_where_it_is` |
//! | what inner nets show, final states, sorts of holes | `members_that_differ_in_one_thing_stay_where_they_are`, `holes_of_different_sorts_are_different` |
//! | all that can be turned may stand in any order; or neither is tried | circles, philosophers, nearly symmetric nets |
//! | states change places, and values stay | nearly symmetric nets |
//!
//! Not noticed, since nothing false follows: to reduce where values were left out (such a search is not complete anyway);
//! ways of one hole as independent (a hole has no state); what is owed left out (it follows from terms and sorts that are
//! compared); a component in two symmetries (each alone is one). Initial values are not compared at all: where a search
//! begins need not be symmetric.

use std::collections::BTreeSet;
use std::sync::Arc;

use pnetc::algebra::{Sort, TermId, VariableKind};
use pnetc::base::Unwatched;
use pnetc::diagnostics::Symbol;
use pnetc::elaborate::ElaborateOptions;
use pnetc::explore::compiled::Compiled;
use pnetc::explore::naive::Interpreter;
use pnetc::explore::search::{Ended, Goal, Numbering, SearchLimits, Searched, search_reduced};
use pnetc::explore::symmetry::symmetries;
use pnetc::explore::{Domains, Machine, Moves, Packed, Preserved, Property, Reduction, Symmetry};
use pnetc::pnet::{PNet, PltsId};
use pnetc::simulate::{self, NotFollowed};

use crate::common::nets::{self, Shape};
use crate::common::seeds::{fuzz, seeds};
use crate::common::{Random, check_text, explored, loose, shrink};
use crate::wholes;

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
    /// Configurations of searches that were compared as a whole.
    kept: usize,
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
        self.kept += more.kept;
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
        kept: 0,
    })
}

/// A property that speaks of the states and variables of some leaves, or of all leaves in the same way; and which it reads.
fn property(net: &PNet, random: &mut Random) -> (Property, Vec<PltsId>) {
    let mut terms = net.terms.clone();
    let ids: Vec<PltsId> = net.plts.ids().collect();
    let locations: Vec<_> = ids
        .iter()
        .map(|&leaf| (terms.new_var(Symbol::new("at"), Sort::Int, VariableKind::Bound), leaf))
        .collect();
    let mut read = Vec::new();
    let mut parts: Vec<TermId> = Vec::new();
    let number = random.below(3);
    let every = random.one_in(3);
    // Of all leaves in the same way, but for the values of the first, or with those of all.
    let (with_first, with_all) = (every && random.one_in(3), every && random.one_in(3));
    for &(at, leaf) in &locations {
        if !every && !random.one_in(ids.len().div_ceil(2)) {
            continue;
        }
        read.push(leaf);
        let plts = &net.plts[leaf];
        let state = if every { number } else { random.below(plts.states.len()) };
        let (at, state) = (terms.var_term(at), terms.int(state));
        let mut says = terms.equal(at, state);
        if let Some(&(var, Some(initial))) = plts.variables.first()
            && (with_all || with_first && read.len() == 1 || !every && random.one_in(2))
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
    (Property { terms, owed, reads: Vec::new(), says, locations, given: Vec::new() }, read)
}

// ---- all that is reached ----

/// All configurations that a search meets; nothing where it does not come to an end.
fn met<'n>(
    machine: &Compiled<'n>,
    wanted: (Goal<'_, Compiled<'n>>, &Reduction),
) -> Option<Vec<Packed>> {
    let most_states = MOST_STATES;
    let limits = SearchLimits { most_states, count: false, thorough: true, ..Default::default() };
    let searched = search_reduced(machine, wanted, &limits, &Unwatched).ok()?;
    let open = searched.sights.no_value.is_some() || searched.sights.maybe_stuck.is_some();
    let all = || Numbering::of(&searched).each().map(|at| searched.packed(at)).collect();
    (searched.is_complete() && !open).then(all)
}

/// Those that stand for these.
fn stand_ins(machine: &Compiled<'_>, all: &[Packed], symmetries: &[Symmetry]) -> BTreeSet<Packed> {
    let mut scratch = machine.scratch();
    let stand_in = |packed: &Packed| {
        let mut packed = packed.clone();
        machine.stand_in(&mut scratch, symmetries, &mut packed);
        packed
    };
    all.iter().map(stand_in).collect()
}

/// Those that are deadlocks.
fn deadlocks(machine: &Compiled<'_>, all: &[Packed]) -> Vec<Packed> {
    let mut scratch = machine.scratch();
    let is_deadlock = |packed: &&Packed| {
        let mut moves = Moves::new(packed.len());
        machine.steps(&mut scratch, packed, false, &mut moves).is_ok()
            && moves.is_empty()
            && !machine.is_final(packed)
    };
    all.iter().filter(is_deadlock).cloned().collect()
}

/// What some leaves are like.
fn seen_of(machine: &Compiled<'_>, all: &[Packed], read: &[PltsId]) -> BTreeSet<String> {
    let part = |packed: &Packed| {
        let at = machine.decode(packed);
        let leaves = read.iter().map(|&leaf| (at.states[leaf], &at.values[leaf]));
        format!("{:?}, {:?}", at.constants, leaves.collect::<Vec<_>>())
    };
    all.iter().map(part).collect()
}

/// Whether each configuration has the value that what stands for it has.
fn keeps_values<'n>(
    machine: &Compiled<'n>,
    goal: Goal<'_, Compiled<'n>>,
    all: &[Packed],
    symmetries: &[Symmetry],
) -> Result<(), String> {
    let mut scratch = machine.scratch();
    for packed in all {
        let mut like = packed.clone();
        machine.stand_in(&mut scratch, symmetries, &mut like);
        let mut value = |packed: &Packed| match goal {
            Goal::Property(property, _) => machine.holds(&mut scratch, property, packed).ok(),
            _ => Some(Some(machine.is_final(packed))),
        };
        if value(packed) != value(&like) {
            let [at, like] = [packed, &like].map(|packed| machine.decode(packed));
            return Err(format!("{like:?} stands for {at:?}, which is different"));
        }
    }
    Ok(())
}

/// What is reached with and without reductions. With symmetries alone: what stands for all that is reached plainly. Where
/// steps wait: all deadlocks; or whatever the leaves can be like that the property reads. This asks for more than whether
/// there is a goal at all, which in most nets there is.
fn all_is_kept<'n>(
    machine: &Compiled<'n>,
    goal: Goal<'_, Compiled<'n>>,
    all: &Reduction,
) -> Result<usize, String> {
    let Some(plain) = met(machine, (goal, &Reduction::default())) else { return Ok(0) };
    keeps_values(machine, goal, &plain, &all.symmetries)?;
    let not_met = |what: &str| format!("{what}: the search does not come to an end");
    let symmetric = Reduction { order: None, ..all.clone() };
    let like = met(machine, (goal, &symmetric)).ok_or_else(|| not_met("symmetry"))?;
    let like: BTreeSet<Packed> = like.into_iter().collect();
    if like != stand_ins(machine, &plain, &all.symmetries) {
        return Err(format!("{} configurations stand for {}", like.len(), plain.len()));
    }
    for symmetries in [Vec::new(), all.symmetries.clone()] {
        let few = Reduction { order: all.order.clone(), symmetries };
        let some = met(machine, (goal, &few)).ok_or_else(|| not_met("order"))?;
        let [plain_stuck, stuck] = [&plain, &some]
            .map(|met| stand_ins(machine, &deadlocks(machine, met), &few.symmetries));
        if plain_stuck != stuck {
            return Err(format!("{} deadlocks of {}", stuck.len(), plain_stuck.len()));
        }
        if let Some(Preserved::Property(read)) = &few.order
            && few.symmetries.is_empty()
            && seen_of(machine, &plain, read) != seen_of(machine, &some, read)
        {
            return Err(format!("{read:?} are not seen as they can be"));
        }
    }
    Ok(plain.len())
}

/// Compares searches of a net for deadlocks and for properties.
fn agrees(net: &PNet, domains: &Domains, seed: u64) -> Result<Compared, String> {
    let machine = Compiled::new(net, domains);
    let interpreter = Interpreter::new(net, domains.clone());
    let all = Reduction { order: Some(Preserved::Deadlocks), symmetries: symmetries(net, None) };
    let mut total = compare(&machine, Goal::Deadlock, &all, &interpreter)?;
    total.kept += all_is_kept(&machine, Goal::Deadlock, &all)?;
    let mut random = Random::new(seed);
    for _ in 0..4 {
        let (property, read) = property(net, &mut random);
        let Ok(asked) = machine.property(&property) else { continue };
        let symmetries = symmetries(net, Some(&property));
        let all = Reduction { order: Some(Preserved::Property(read)), symmetries };
        let goal = Goal::Property(&asked, true);
        total += compare(&machine, goal, &all, &interpreter)?;
        total.kept += all_is_kept(&machine, goal, &all)?;
    }
    Ok(total)
}

fn random_models(name: &str, count: u64, make: impl Fn(&mut Random) -> String) -> Compared {
    random_nets(name, count, make, &nets::accepted)
}

fn random_nets(
    name: &str,
    count: u64,
    make: impl Fn(&mut Random) -> String,
    build: &dyn Fn(&str) -> Result<Arc<PNet>, String>,
) -> Compared {
    let count = fuzz().unwrap_or(count);
    let (mut total, mut failures) = (Compared::default(), Vec::new());
    for seed in seeds(count) {
        let text = make(&mut Random::new(seed));
        let label = format!("{name}, PNET_SEED={seed}");
        let compared = shrink::tried(&label, &text, |text| match build(text) {
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

/// Connectors in one piece, with members that may take part or not.
#[test]
fn reduced_searches_of_connectors_in_one_piece_agree() {
    let build = |text: &str| wholes::built(text, 0);
    random_nets("reducing wholes", 60, wholes::connectors, &build);
    let alike = random_nets("reducing broadcasts", 60, wholes::broadcasts, &build);
    assert!(alike.symmetric > 0 || seeds(60).count() == 1, "{alike:?}");
}

/// Components that seldom meet: here much can be left out, and much can go wrong.
#[test]
fn reduced_searches_of_loose_nets_agree() {
    random_models("reducing loose", 150, |random| loose::accepted(random, loose::loose));
}

#[test]
fn reduced_searches_of_loose_nets_with_holes_agree() {
    random_models("reducing loose open", 60, |random| loose::accepted(random, loose::open));
}

#[test]
fn reduced_searches_of_nearly_symmetric_nets_agree() {
    let total = random_models("reducing nearly alike", 150, |random| {
        loose::accepted(random, loose::nearly_alike)
    });
    let many = seeds(fuzz().unwrap_or(150)).count() > 1;
    assert!(total.symmetric * 20 > total.searches || !many, "{total:?}");
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

/// What goes first can itself be kept back by something else: `b` gives way to `a`, which gives way to `c`. So `d`, after
/// which there is no `c`, decides whether there is a `b`.
#[test]
fn what_keeps_back_what_goes_first_is_read() {
    let text = "action a, b, c, d;
        process X { init state s; state t; s -> t : b; }
        process P { init state s; s -> s : a; }
        process Q { init state s; state t; s -> s : c; s -> t : d; }
        net Inner { sub p = P; sub q = Q; <p: a> -> a unless <q: c>; <q: d> -> d; }
        net N { sub x = X; sub inner = Inner; <x: b> -> b unless <inner: a>; <inner: d> -> d; }";
    assert_eq!(deadlocks_kept(text), 2);
}

/// How many deadlocks a net has, all of which are found whatever is left out.
fn deadlocks_kept(text: &str) -> usize {
    let net = build(text, "N");
    let machine = Compiled::new(&net, &Domains::default());
    let all = Reduction { order: Some(Preserved::Deadlocks), symmetries: symmetries(&net, None) };
    let met = met(&machine, (Goal::Deadlock, &Reduction::default())).unwrap();
    assert_eq!(all_is_kept(&machine, Goal::Deadlock, &all), Ok(met.len()));
    deadlocks(&machine, &met).len()
}

/// `c` waits for `P`, which comes to where it can do it in two ways: `e` must not be made before either is tried.
#[test]
fn who_comes_by_two_ways_is_waited_for() {
    let text = "action a, b, c, d, e;
        process P { init state s; state t, u, v; s -> t : a; s -> t : b; t -> u : c; u -> v : d; }
        process Q { init state s; state t, u; s -> t : c; s -> u : e; }
        net N { sub p = P; sub q = Q; <p: a> -> a; <p: b> -> b; <p: c, q: c> -> c; <p: d> -> d; <q: e> -> e; }";
    assert_eq!(deadlocks_kept(text), 2);
}

/// `c` waits for a value, not for a state, wherever it stands.
#[test]
fn who_changes_a_value_is_waited_for() {
    let processes = "action a, c, e;
        process P { var x: 0..2 = 0; init state s; state t; s -> s : a when x == 0 do x := 1; s -> t : c when x == 1; }
        process Q { init state s; state t, u; s -> t : c; s -> u : e; }";
    let lines = ["sub p = P; <p: a> -> a;", "sub q = Q; <q: e> -> e;"];
    for [first, second] in [lines, [lines[1], lines[0]]] {
        let net = format!("{processes} net N {{ {first} {second} <p: c, q: c> -> c; }}");
        assert_eq!(deadlocks_kept(&net), 2);
    }
}

/// Members that end in other states, show something else, or have other holes, are no others' likes.
#[test]
fn members_that_differ_in_one_thing_stay_where_they_are() {
    let filled = |end: &str| {
        format!(
            "action a; process P {{ init state s; final state t; s -> t : a; }}
            process Q {{ init state s; {end} state t; s -> t : a; }}
            net F(h[i: 0..2]: any) {{ <h[i]: a> -> a for i in 0..2; }}
            net N = F(h[0]: P, h[1]: Q);"
        )
    };
    let shown = |what: &str| {
        format!(
            "action a, m(Int); process P {{ init state s; state t; s -> t : a; }}
            net Cell<me: Int> {{ sub p = P; <p: a> -> m({what}); }}
            net N {{ sub h[i: 0..2] = Cell<i>; <h[i]: m(v)> -> a when v < 1 for i in 0..2; }}"
        )
    };
    let count = |text: &str| symmetries(&build(text, "N"), None).len();
    assert_eq!((count(&filled("final")), count(&filled(""))), (1, 0));
    assert_eq!((count(&shown("0")), count(&shown("me"))), (1, 0));
    assert_eq!((deadlocks_kept(&filled("")), deadlocks_kept(&shown("me"))), (1, 1));
}

/// Members with holes of different sorts are different.
#[test]
fn holes_of_different_sorts_are_different() {
    let model = |second: &str| {
        format!(
            "action a, b, c; interface A {{ a, c }} interface B {{ b, c }}
            process P {{ init state s; s -> s : c; }}
            net Both(h[i: 0..2]: any) {{ <h[i]: c> -> c for i in 0..2; }}
            net N(X: A, Y: {second}) = Both(h[0]: Three(H: X), h[1]: Three(H: Y));
            net Three(H: any) {{ sub p = P; <H: c, p: c> -> c; }}"
        )
    };
    let count = |second: &str| symmetries(&build(&model(second), "N"), None).len();
    assert_eq!((count("A"), count("B")), (1, 0));
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
