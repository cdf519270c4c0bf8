//! Runs of random models: the same for the same seed, told, written, read, and followed again; and what is no run is not
//! followed.

use crate::common::nets::{self, Shape};
use crate::common::seeds::{fuzz, seeds};
use crate::common::{Random, check_text, shrink};
use pnetc::base::{Budget, Id};
use pnetc::emit::trace::{self, Look, Recorded};
use pnetc::explore::naive::Interpreter;
use pnetc::explore::{Configuration, Domain, Domains, NamedDomain};
use pnetc::pnet::PltsStateId;
use pnetc::simulate::{self, Dice, NotFollowed, Teller, Unplayable};

/// What was done in all.
#[derive(Default, Debug)]
struct Done {
    runs: usize,
    steps: usize,
    skipped: usize,
}

fn domains(net: &pnetc::pnet::PNet) -> Domains {
    let range = Domain::Range((-1).into(), 3.into());
    let integers = NamedDomain { sort: "Int".to_owned(), domain: range };
    let counted = net
        .algebra
        .abstracts
        .iter()
        .map(|sort| NamedDomain { sort: sort.to_string(), domain: Domain::Count(2) });
    let all: Vec<NamedDomain> = std::iter::once(integers).chain(counted).collect();
    Domains::named(&net.algebra, &all).unwrap()
}

/// A run of a model, through all that can be done with it, if that does not take too long.
fn around(text: &str, seed: u64) -> Result<Done, String> {
    let budget = Budget::of_work(300_000);
    let _here = budget.enter();
    let done = through(text, seed);
    if budget.spent().is_some() { Ok(Done { skipped: 1, ..Done::default() }) } else { done }
}

fn through(text: &str, seed: u64) -> Result<Done, String> {
    let checked = check_text(text);
    let Ok(net) = nets::accepted(text) else { return Ok(Done::default()) };
    let interpreter = Interpreter::new(&net, domains(&net));
    let play = || simulate::play(&interpreter, None, (12, seed));
    let skipped = Ok(Done { skipped: 1, ..Done::default() });
    let played = match play() {
        Ok(played) if played.gap.is_none() => played,
        Ok(_) | Err(Unplayable::Gap(_) | Unplayable::NoBeginning) => return skipped,
    };
    if play().map(|again| again.steps) != Ok(played.steps.clone()) {
        return Err("another run for the same seed".to_owned());
    }
    // Along the configurations.
    let mut path: Vec<Configuration> = vec![played.begin.clone()];
    path.extend(played.steps.iter().map(|step| step.target.clone()));
    match simulate::follow(&interpreter, &path) {
        Ok(steps) if steps.len() == played.steps.len() => {}
        other => return Err(format!("not followed: {other:?}")),
    }
    // Through a file.
    let teller = Teller::new(&checked, &net, "N");
    let told = teller.trace((&played.begin, &played.steps), played.ending.clone());
    let written = trace::saved(&told);
    let read = match trace::read(&written) {
        Ok(Recorded::Trace(read)) => *read,
        other => return Err(format!("not read: {other:?}")),
    };
    if read != told {
        return Err(format!("what was read is another run:\n{read:#?}\n{told:#?}"));
    }
    let by = (&interpreter, &teller);
    let replayed = simulate::replay(by, &read, None).map_err(|why| format!("not a run: {why}"))?;
    if replayed.steps.len() != played.steps.len() {
        return Err("not as many steps".to_owned());
    }
    simulate::replay_itf(by, &trace::itf(&told))
        .map_err(|why| format!("not a run in ITF: {why}"))?;
    for width in [40, 100, 300] {
        let lines = trace::lanes(&told, Look { width, colour: false });
        if let Some(long) = lines.iter().find(|line| line.chars().count() > width.max(60)) {
            return Err(format!("{} columns in {width}: {long}", long.chars().count()));
        }
    }
    Ok(Done { runs: 1, steps: played.steps.len(), skipped: 0 })
}

fn random_models(name: &str, shape: Shape, count: u64) {
    let count = fuzz().unwrap_or(count);
    let mut total = Done::default();
    let mut failures = Vec::new();
    for seed in seeds(count) {
        let text = nets::model(&mut Random::new(seed), shape);
        let label = format!("{name}, PNET_SEED={seed}");
        match shrink::tried(&label, &text, |text| around(text, seed)) {
            Ok(done) => {
                total.runs += done.runs;
                total.steps += done.steps;
                total.skipped += done.skipped;
            }
            Err(why) => failures.push(why),
        }
    }
    println!("{name}: {total:?}");
    assert!(failures.is_empty(), "{} fail:\n{}", failures.len(), failures.join("\n"));
    if seeds(count).count() > 1 {
        assert!(total.runs > 2 * total.skipped, "{total:?}");
        assert!(total.steps > total.runs, "{total:?}");
    }
}

#[test]
fn closed_models() {
    random_models("closed runs", Shape::closed(), 60);
}

#[test]
fn open_models() {
    random_models("open runs", Shape::open(), 60);
}

/// Where a path leaves what the net does, it is said.
#[test]
fn wrong_paths_are_not_followed() {
    let text = std::fs::read_to_string("tests/runs/table.pnet").unwrap();
    let net = nets::accepted(&text).unwrap();
    let interpreter = Interpreter::new(&net, Domains::default());
    let played = simulate::play(&interpreter, None, (8, 3)).unwrap();
    let mut path = vec![played.begin.clone()];
    path.extend(played.steps.iter().map(|step| step.target.clone()));
    assert_eq!(simulate::follow(&interpreter, &path), Ok(played.steps));
    assert_eq!(simulate::follow(&interpreter, &[]), Err(NotFollowed::Empty));
    assert_eq!(simulate::follow(&interpreter, &path[1..]), Err(NotFollowed::Begin));
    let mut jump = path.clone();
    jump.remove(4);
    assert_eq!(simulate::follow(&interpreter, &jump), Err(NotFollowed::Step { number: 4 }));
    let leaf = path[5].states.ids().next().unwrap();
    path[5].states[leaf] = PltsStateId::at((path[5].states[leaf].index() + 1) % 3);
    assert_eq!(simulate::follow(&interpreter, &path), Err(NotFollowed::Step { number: 5 }));
}

#[test]
fn dice_fall_everywhere() {
    let mut dice = Dice::new(1);
    let mut counts = [0; 6];
    (0..6000).for_each(|_| counts[dice.below(6)] += 1);
    assert!(counts.iter().all(|&count| (850..1150).contains(&count)), "{counts:?}");
    assert_eq!(dice.below(0), 0);
    assert_eq!(dice.below(1), 0);
}
