//! Random models with definitions of connectors, families of ports, shown ports, priorities of single interactions and guards
//! that read parts: explorer, automata and the definition of nets agree, and what is printed is the same net.

use pnetc::elaborate::ElaborateOptions;
use pnetc::explore::compiled::Compiled;
use pnetc::explore::naive::Interpreter;
use pnetc::explore::{Domains, Machine, Moves};
use pnetc::generate::{Options, Unwatched, generate};
use pnetc::pnet::{PNet, same};

use crate::common::explicit::{Agreement, World, compare};
use crate::common::seeds::{fuzz, seeds};
use crate::common::{Random, check_text, glue, nets, shrink};

/// A model that elaborates: single interactions that it orders may not be there.
fn model(random: &mut Random) -> String {
    loop {
        let text = glue::model(random);
        match nets::accepted(&text) {
            Ok(_) => return text,
            Err(why) => assert!(is_expected(&why), "{why}\n{text}"),
        }
    }
}

/// Whether a model has no meaning for a reason that the generator does not rule out.
fn is_expected(why: &str) -> bool {
    ["E0118", "E0112", "E0126", "W0117", "E0117"].iter().any(|code| why.contains(code))
}

fn agree(text: &str) -> Result<Agreement, String> {
    let Ok(net) = nets::accepted(text) else { return Ok(Agreement::default()) };
    let automaton = generate(&net, &Options::default(), &Unwatched).automaton;
    let found = compare(&net, &automaton, &World::of(&net), 40)?;
    explorers(&net)?;
    Ok(found)
}

/// The explorer that computes on packed configurations does what the plain one does.
fn explorers(net: &PNet) -> Result<(), String> {
    let fast = Compiled::new(net, &Domains::default());
    let plain = Interpreter::new(net, Domains::default());
    let Ok((mut work, _)) = fast.initial() else { return Ok(()) };
    let mut seen = work.clone();
    while let Some(packed) = work.pop() {
        if seen.len() > 60 {
            return Ok(());
        }
        let at = fast.decode(&packed);
        let (mut scratch, mut moves) = (fast.scratch(), Moves::new(fast.bits().div_ceil(64)));
        if fast.steps(&mut scratch, &packed, true, &mut moves).is_err() {
            return Ok(());
        }
        let mut found: Vec<String> = (0..moves.len())
            .map(|step| {
                let (shown, _) = fast.label(moves.label(step));
                format!("{shown:?} {:?}", fast.decode(moves.target(step)))
            })
            .collect();
        let Ok(steps) = plain.steps(&at) else { return Ok(()) };
        let steps = steps.steps.into_iter();
        let mut wanted: Vec<String> =
            steps.map(|step| format!("{:?} {:?}", step.action, step.target)).collect();
        found.sort();
        found.dedup();
        wanted.sort();
        wanted.dedup();
        if found != wanted {
            return Err(format!("in {at:?}: {found:?}, but {wanted:?}"));
        }
        for step in 0..moves.len() {
            let target: Box<[u64]> = moves.target(step).into();
            if !seen.contains(&target) {
                seen.push(target.clone());
                work.push(target);
            }
        }
    }
    Ok(())
}

#[test]
fn explorers_and_automata_do_what_nets_do() {
    let count = fuzz().unwrap_or(80);
    let (mut total, mut failures) = (Agreement::default(), Vec::new());
    for seed in seeds(count) {
        let text = model(&mut Random::new(seed));
        match shrink::tried(&format!("glue, PNET_SEED={seed}"), &text, agree) {
            Ok(found) => {
                total.configs += found.configs;
                total.steps += found.steps;
                total.skipped += found.skipped;
            }
            Err(why) => failures.push(why),
        }
    }
    println!("glue: {total:?}");
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
    assert!(total.skipped * 10 <= total.configs, "{total:?}");
    assert!(total.steps as u64 > 5 * count || seeds(count).count() == 1, "{total:?}");
}

/// Both ways of printing give the same net again; the excerpt keeps what was written.
fn printed(text: &str) -> Result<usize, String> {
    let checked = check_text(text);
    let options = ElaborateOptions::default();
    let Ok(net) = checked.build(None, &options) else { return Ok(0) };
    let again = |printed: &str| -> Result<(), String> {
        let twin = nets::accepted(printed).map_err(|why| format!("{why}\n{printed}"))?;
        same(&net, &twin).map_err(|why| format!("{why}\n{printed}"))
    };
    again(&pnetc::emit::text(&net))?;
    let wanted = pnetc::model::Wanted::Named(None);
    let excerpt = checked.excerpt(wanted, &net, &options).ok_or("there is no excerpt")?;
    again(&excerpt)?;
    let kept = ["connector Tell", "sub S[j: 0..", "connect "];
    match kept.iter().find(|kept| !excerpt.contains(*kept)) {
        Some(lost) => Err(format!("`{lost}` is not in\n{excerpt}")),
        None => Ok(1),
    }
}

#[test]
fn printed_glue_is_the_same_glue() {
    let (mut compared, mut failures) = (0, Vec::new());
    let count = fuzz().unwrap_or(60);
    for seed in seeds(count) {
        let text = model(&mut Random::new(seed));
        match printed(&text) {
            Ok(one) => compared += one,
            Err(why) => failures.push(format!("PNET_SEED={seed}: {why}\n{text}")),
        }
    }
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
    assert!(compared as u64 * 2 > count, "{compared}");
}
