//! Pictures of labelled transition systems: well-formed, the same every time, nothing on top of anything else, nothing left
//! out. Overviews against clusters as they are defined.
//!
//! `golden/systems/NAME.svg` and its neighbours are what is expected. `PNET_BLESS=1 cargo test lts_pictures::` writes them
//! anew; look at the pictures before you believe it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use pnetc::base::Watch;
use pnetc::emit::lts::{dot, svg};
use pnetc::lts::{Distances, LabelTable, Lts, LtsBuilder, LtsState, OverviewSize, overview};

use crate::common::Random;
use crate::common::seeds::{fuzz, seeds};
use crate::common::systems::{Stops, larger, random, read, written};
use crate::pictures_support::xml::{Element, Rect, parse, rect, room};

/// As many states as `pnet draw` draws one by one.
const FULL: usize = 300;

fn system(steps: impl IntoIterator<Item = (u32, String, u32)>) -> Lts {
    let mut builder = LtsBuilder::new(LabelTable::new("tau"));
    for (from, label, to) in steps {
        let label = builder.labels.intern(&label);
        builder.add(LtsState(from), label, LtsState(to));
    }
    builder.finish(LtsState(0))
}

fn chain(states: u32) -> Lts {
    system((0..states - 1).map(|at| (at, "step".to_owned(), at + 1)))
}

fn cycle(states: u32) -> Lts {
    let label = |at: u32| if at.is_multiple_of(3) { "tau" } else { "next" };
    system((0..states).map(|at| (at, label(at).to_owned(), (at + 1) % states)))
}

fn tree(depth: u32) -> Lts {
    let inner = (1 << depth) - 1;
    let both =
        |at: u32| [(at, "left".to_owned(), 2 * at + 1), (at, "right".to_owned(), 2 * at + 2)];
    system((0..inner).flat_map(both))
}

fn de_bruijn(letters: u32) -> Lts {
    let states = 1 << letters;
    let both = |at: u32| [0, 1].map(|one| (at, one.to_string(), (2 * at + one) % states));
    system((0..states).flat_map(both))
}

/// Each state leads to half of the others, by several labels, some of which are long.
fn dense(states: u32) -> Lts {
    let labels = [
        "tau",
        "a",
        "b",
        "send(frame(1, data), ack)",
        "a label <that> nobody reads & nobody \"writes\"",
    ];
    let mut random = Random::new(7);
    let mut steps = Vec::new();
    for from in 0..states {
        for to in (0..states).filter(|_| random.percent(50)).collect::<Vec<_>>() {
            let many = *random.pick(&[1, 1, 2, 5]);
            let first = random.below(labels.len());
            steps.extend(
                (0..many).map(|at| (from, labels[(first + at) % labels.len()].to_owned(), to)),
            );
        }
    }
    system(steps)
}

/// Philosophers who take the left fork first: 0 thinks, 1 has the left one, 2 eats.
fn philosophers(count: usize) -> Lts {
    let mut numbers = BTreeMap::from([(vec![0; count], 0_u32)]);
    let (mut open, mut steps, mut next) = (vec![vec![0; count]], Vec::new(), 0);
    while let Some(now) = open.get(next).cloned() {
        next += 1;
        for (at, state) in now.iter().enumerate() {
            let (left, right) = (now[(at + count - 1) % count], now[(at + 1) % count]);
            let (label, new) = match state {
                0 if left != 2 => (format!("take_left({at})"), 1),
                1 if right == 0 => (format!("take_right({at})"), 2),
                2 => (format!("release({at})"), 0),
                _ => continue,
            };
            let mut then = now.clone();
            then[at] = new;
            let number = numbers.len() as u32;
            let to = *numbers.entry(then.clone()).or_insert(number);
            if to == number {
                open.push(then);
            }
            steps.push((numbers[&now], label, to));
        }
    }
    system(steps)
}

/// Twelve branches of different lengths, some of which come back.
fn brush() -> Lts {
    let mut random = Random::new(5);
    let (mut steps, mut next) = (Vec::new(), 1);
    for branch in 0..12 {
        let mut last = 0;
        for _ in 0..random.between(3, 60) {
            steps.push((last, format!("go{branch}"), next));
            (last, next) = (next, next + 1);
        }
        if branch % 3 == 0 {
            steps.push((last, "again".to_owned(), 0));
        }
    }
    system(steps)
}

/// Systems of all shapes, and from how many states on there is an overview.
fn all() -> Vec<(&'static str, Lts, usize)> {
    let unreached = "des (2, 3, 5)\n(2, \"a\", 1)\n(1, tau, 1)\n(3, \"b\", 4)\n";
    vec![
        ("one", read("des (0, 0, 1)\n"), FULL),
        ("offers", read(include_str!("../../examples/systems/offers.aut")), FULL),
        ("unreached", read(unreached), FULL),
        ("chain", chain(200), FULL),
        ("cycle", cycle(8), FULL),
        ("long_cycle", cycle(100), FULL),
        ("tree", tree(5), FULL),
        ("de_bruijn", de_bruijn(6), FULL),
        ("dense", dense(7), FULL),
        ("very_dense", dense(25), FULL),
        ("philosophers", philosophers(3), FULL),
        ("more_philosophers", philosophers(5), FULL),
        ("chain_far", chain(5000), FULL),
        ("tree_far", tree(9), FULL),
        ("de_bruijn_far", de_bruijn(10), FULL),
        ("philosophers_far", philosophers(6), FULL),
        ("brush_far", brush(), 0),
        ("one_far", read("des (0, 0, 1)\n"), 0),
    ]
}

#[test]
#[ignore = "writes the pictures to the folder that PICTURES names"]
fn pictures_can_be_looked_at() {
    let folder = std::env::var("PICTURES").expect("PICTURES names a folder");
    for (name, lts, full) in all() {
        std::fs::write(format!("{folder}/{name}.svg"), svg(&lts, name, full)).unwrap();
        std::fs::write(format!("{folder}/{name}.dot"), dot(&lts, name, full)).unwrap();
    }
}

#[test]
fn pictures_are_as_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/systems");
    let bless = std::env::var_os("PNET_BLESS").is_some();
    let mut complaints = Vec::new();
    for (name, lts, full) in all() {
        if !["offers", "cycle", "philosophers", "dense", "brush_far"].contains(&name) {
            continue;
        }
        for (extension, found) in [("svg", svg(&lts, name, full)), ("dot", dot(&lts, name, full))] {
            let path = folder.join(format!("{name}.{extension}"));
            if bless {
                std::fs::create_dir_all(&folder).unwrap();
                std::fs::write(&path, &found).unwrap();
            }
            if found != std::fs::read_to_string(&path).unwrap_or_default() {
                complaints.push(format!("{name}.{extension}:\n{found}"));
            }
        }
    }
    assert!(complaints.is_empty(), "PNET_BLESS=1 renews them\n{}", complaints.join("\n"));
}

#[test]
fn pictures_are_the_same_every_time() {
    for ((name, a, full), (_, b, _)) in all().into_iter().zip(all()) {
        assert_eq!(svg(&a, name, full), svg(&b, name, full), "{name}");
        assert_eq!(dot(&a, name, full), dot(&b, name, full), "{name}");
    }
}

// ---- geometry ----

fn is_state(element: &Element) -> bool {
    element.name == "rect" && element.has_class("state")
}

/// That nothing lies on anything else, and everything on the page. Texts may stand in a state.
fn check_places(name: &str, picture: &str) {
    let elements = parse(picture);
    assert_eq!(elements.iter().filter(|one| one.parent.is_none()).count(), 1, "{name}");
    let (right, bottom) = (elements[0].number("width"), elements[0].number("height"));
    let page = Rect { x: 0.0, y: 0.0, right, bottom };
    let states: Vec<Rect> = elements.iter().filter(|one| is_state(one)).map(rect).collect();
    let mut solid: Vec<(Rect, String)> = Vec::new();
    for (at, element) in elements.iter().enumerate() {
        let group = element.parent.map(|group| &elements[group]);
        let in_table = |one: &Element| one.has_class("vector") || one.has_class("vectors");
        let inner = match element.name.as_str() {
            "rect" if element.has_class("sheet") || is_state(element) => rect(element),
            "text" if element.has_class("code") && !group.is_some_and(in_table) => {
                room(&elements, at)
            }
            _ => continue,
        };
        assert!(page.contains(&inner), "{name}: {element:?} lies outside");
        let in_state = element.name == "text" && states.iter().any(|state| state.contains(&inner));
        if !in_state {
            solid.push((inner, format!("{element:?}")));
        }
    }
    for (at, (one, what)) in solid.iter().enumerate() {
        for (other, other_what) in &solid[at + 1..] {
            assert!(!one.overlaps(other), "{name}: {what} lies on {other_what}");
        }
    }
    for path in elements.iter().filter(|one| one.has_class("arrow")) {
        for point in points(path.get("d")) {
            let dot = Rect { x: point.0, y: point.1, right: point.0, bottom: point.1 };
            assert!(page.contains(&dot), "{name}: {path:?} goes outside");
        }
    }
}

/// The points that a path goes by.
fn points(path: &str) -> Vec<(f64, f64)> {
    let numbers: Vec<f64> = path
        .split(|c: char| c.is_ascii_alphabetic() || c == ' ')
        .filter(|text| !text.is_empty())
        .map(|text| text.parse().unwrap())
        .collect();
    numbers.chunks(2).map(|two| (two[0], two[1])).collect()
}

#[test]
fn nothing_lies_on_anything_else() {
    for (name, lts, full) in all() {
        check_places(name, &svg(&lts, name, full));
    }
}

#[test]
fn nothing_lies_on_anything_else_in_random_systems() {
    for seed in seeds(fuzz().unwrap_or(60)) {
        let mut dice = Random::new(seed);
        let lts = if dice.percent(50) { larger(&mut dice) } else { random(&mut dice) };
        for full in [FULL, 0] {
            check_places(&format!("seed {seed}"), &svg(&lts, "random", full));
        }
    }
}

// ---- what is shown ----

/// The texts of a picture, one for each line.
fn texts(elements: &[Element]) -> Vec<String> {
    let lines = elements.iter().enumerate().filter(|(_, one)| one.name == "text");
    let inner = |at: usize| elements.iter().filter(move |one| one.parent == Some(at));
    lines
        .map(|(at, _)| {
            inner(at).filter(|one| one.name == "tspan").map(|one| one.text.as_str()).collect()
        })
        .collect()
}

#[test]
fn states_arrows_and_deadlocks_are_there() {
    for (name, lts, full) in all() {
        let reached = Distances::new(&lts).order;
        if reached.len() > full {
            continue;
        }
        let elements = parse(&svg(&lts, name, full));
        let count = |class: &str| elements.iter().filter(|one| one.has_class(class)).count();
        let stuck = reached.iter().filter(|state| lts.steps(**state).is_empty()).count();
        assert_eq!((count("state"), count("deadlock")), (reached.len(), stuck), "{name}");
        let pairs: BTreeSet<(u32, u32)> = reached
            .iter()
            .flat_map(|from| lts.steps(*from).iter().map(|step| (from.0, step.to.0)))
            .collect();
        // One arrow leads to the initial state; the others are arrows or words below states.
        let far: usize = texts(&elements)
            .iter()
            .filter_map(|text| text.split_once(" → "))
            .map(|(_, to)| to.split(", ").count())
            .sum();
        let cut =
            texts(&elements).iter().any(|text| text.contains("… to ") || text.ends_with(", …"));
        assert!(
            cut || count("arrow") - 1 + far == pairs.len(),
            "{name}: {far} and {}",
            count("arrow")
        );
        let only_silent = |(from, to): &&(u32, u32)| {
            lts.steps(LtsState(*from))
                .iter()
                .filter(|step| step.to.0 == *to)
                .all(|step| step.label.is_silent())
        };
        let silent = pairs.iter().filter(only_silent).count();
        assert!(
            if far == 0 { count("silent") == silent } else { count("silent") <= silent },
            "{name}"
        );
    }
}

#[test]
fn labels_share_arrows_and_are_never_lost() {
    let lts = system(["a", "b", "tau"].map(|label| (0, label.to_owned(), 1)));
    let picture = svg(&lts, "three", FULL);
    assert!(texts(&parse(&picture)).contains(&"tau, a, b".to_owned()), "{picture}");
    let long = "x".repeat(80);
    let lts = system((0..60).map(|at| (0, format!("label {at} {long}"), 1)));
    let picture = svg(&lts, "many", FULL);
    assert!(
        picture.contains("… 60 in all") && picture.contains(&format!("label 59 {long}")),
        "{picture}"
    );
    let graph = dot(&lts, "many", FULL);
    assert_eq!(graph.matches("s0 -> s1").count(), 1, "{graph}");
    assert_eq!(graph.matches(&long).count(), 60);
}

#[test]
fn what_cannot_be_reached_is_left_out_and_said_so() {
    let lts = read("des (2, 3, 5)\n(2, \"a\", 1)\n(1, tau, 1)\n(3, \"b\", 4)\n");
    let told = texts(&parse(&svg(&lts, "unreached", FULL)));
    let states = "states       2 that can be reached; 3 more cannot, and are left out";
    assert!(told.contains(&states.to_owned()), "{told:?}");
    assert!(told.contains(&"transitions  2, 1 of them silent".to_owned()), "{told:?}");
}

#[test]
fn long_systems_go_on_below() {
    let elements = parse(&svg(&chain(200), "chain", FULL));
    let (wide, high) = (elements[0].number("width"), elements[0].number("height"));
    assert!(wide < 3.0 * high && high < 2.0 * wide, "{wide} {high}");
    let told = texts(&elements);
    assert!(told.iter().any(|text| text.starts_with("step → ")), "{told:?}");
}

// ---- overviews ----

/// The clusters of each column as they are defined: states that are joined by steps which do not lead back, through
/// states that are at least as far away.
fn naive(lts: &Lts) -> Vec<BTreeSet<BTreeSet<LtsState>>> {
    let found = Distances::new(lts);
    let far = |state: LtsState| {
        let place = found.order.iter().position(|one| *one == state).unwrap();
        found.starts.partition_point(|start| *start <= place) - 1
    };
    let columns = (0..=found.depth()).map(|column| {
        let steps: Vec<(LtsState, LtsState)> = found
            .order
            .iter()
            .flat_map(|from| lts.steps(*from).iter().map(|step| (*from, step.to)))
            .filter(|(from, to)| column <= far(*from) && far(*from) <= far(*to))
            .collect();
        let own = found.order.iter().copied().filter(|state| far(*state) == column);
        own.map(|state| {
            let mut with = BTreeSet::from([state]);
            loop {
                let joined = |(from, to): &(LtsState, LtsState)| {
                    if with.contains(from) { Some(*to) } else { with.contains(to).then_some(*from) }
                };
                let more: BTreeSet<LtsState> = steps.iter().filter_map(joined).collect();
                if more.is_subset(&with) {
                    break;
                }
                with.extend(more);
            }
            with.into_iter().filter(|one| far(*one) == column).collect()
        })
        .collect()
    });
    columns.collect()
}

#[test]
fn clusters_are_as_defined() {
    let (mut several, all) = (0, OverviewSize { columns: 1000, rows: 1000 });
    for seed in seeds(fuzz().unwrap_or(300)) {
        let lts = larger(&mut Random::new(seed));
        let found = overview(&lts, &Distances::new(&lts), all);
        for (column, expected) in naive(&lts).into_iter().enumerate() {
            let sizes = |state: &BTreeSet<LtsState>| {
                let stuck = state.iter().filter(|one| lts.steps(**one).is_empty()).count();
                (state.len(), stuck)
            };
            let mut expected: Vec<(usize, usize)> = expected.iter().map(sizes).collect();
            let own = found.clusters.iter().filter(|one| one.column == column);
            let mut own: Vec<(usize, usize)> = own.map(|one| (one.states, one.deadlocks)).collect();
            expected.sort_unstable();
            own.sort_unstable();
            several += usize::from(own.len() > 1);
            assert_eq!(own, expected, "seed {seed}, column {column} of\n{}", written(&lts));
        }
    }
    assert!(several > 20, "{several} columns with several clusters");
}

#[test]
fn overviews_count_everything_however_small_they_are() {
    for seed in seeds(fuzz().unwrap_or(300)) {
        let lts = larger(&mut Random::new(seed));
        let distances = Distances::new(&lts);
        let size = OverviewSize { columns: 1 + seed as usize % 7, rows: 1 + seed as usize % 4 };
        let found = overview(&lts, &distances, size);
        let sum =
            |of: fn(&pnetc::lts::LtsCluster) -> usize| found.clusters.iter().map(of).sum::<usize>();
        assert_eq!(sum(|one| one.states), distances.order.len(), "seed {seed}");
        let stuck = distances.order.iter().filter(|state| lts.steps(**state).is_empty()).count();
        assert_eq!(sum(|one| one.deadlocks), stuck, "seed {seed}");
        let steps: usize = distances.order.iter().map(|state| lts.steps(*state).len()).sum();
        let between: usize = found.links.values().sum();
        assert_eq!(sum(|one| one.inside) + sum(|one| one.back) + between, steps, "seed {seed}");
        assert!(found.columns.len() <= size.columns, "seed {seed}");
        for column in 0..found.columns.len() {
            let own = found.clusters.iter().filter(|one| one.column == column).count();
            assert!((1..=size.rows).contains(&own), "seed {seed}: {own} in column {column}");
        }
        for (from, to) in found.links.keys() {
            assert_eq!(found.clusters[*from].column + 1, found.clusters[*to].column, "seed {seed}");
        }
    }
}

#[test]
fn large_systems_are_drawn_quickly() {
    let started = std::time::Instant::now();
    for lts in [chain(200_000), tree(16), de_bruijn(16)] {
        let picture = svg(&lts, "large", FULL);
        assert!(picture.len() < 200_000, "{}", picture.len());
        let stuck = lts.ids().filter(|state| lts.steps(*state).is_empty()).count();
        assert_eq!(stuck > 0, picture.contains("class=\"state deadlock\""));
    }
    assert!(started.elapsed().as_secs() < 30, "{:?}", started.elapsed());
}

#[test]
fn drawing_ends_when_the_budget_is_spent() {
    for looks in [0, 1, 5, 50, 500] {
        for (name, lts, full) in all() {
            let stops = Stops::after(looks);
            let _entered = stops.budget().enter();
            parse(&svg(&lts, name, full));
            parse(&svg(&lts, name, 0));
        }
    }
}
