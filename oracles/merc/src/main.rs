//! Asks MERC: `merc-oracle reduce RELATION IN.aut OUT.aut` reduces a labelled transition system, and `merc-oracle answer`
//! reads questions, one a line: `RELATION A.aut B.aut` is answered with `yes` or `no`, and so is `holds F.mcf A.aut`, which asks for
//! a formula of the modal mu-calculus. `merc-oracle parse FILE.mcrl2…` says of each file whether it is a specification of mCRL2.
//!
//! The silent action is `tau`. A preorder asks whether the first system refines the second one.

use std::error::Error;
use std::fs::File;
use std::io::{BufRead, Write};

use merc_lts::{LTS, LabelledTransitionSystem, read_mcrl2_aut, write_mcrl2_aut};
use merc_reduction::{Equivalence, compare_lts, reduce_lts};
use merc_refinement::{ExplorationStrategy, RefinementType, refines};
use merc_syntax::{UntypedProcessSpecification, UntypedStateFrmSpec};
use merc_utilities::Timing;
use merc_vpg::{solve_priority_promotion, solve_zielonka, translate};

type Answer<T> = Result<T, Box<dyn Error>>;

/// MERC walks along silent steps by recursion.
const STACK: usize = 4 << 30;

fn main() {
    let work = std::thread::Builder::new().stack_size(STACK).spawn(|| {
        if let Err(problem) = run() {
            eprintln!("{problem}");
            std::process::exit(2);
        }
    });
    if work.map(|work| work.join().is_err()).unwrap_or(true) {
        std::process::exit(2);
    }
}

fn run() -> Answer<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.as_slice() {
        ["reduce", relation, from, to] => reduce(relation, from, to),
        ["answer"] => answer_all(),
        ["parse", files @ ..] => parse(files),
        _ => {
            Err("usage: merc-oracle reduce RELATION IN.aut OUT.aut | answer | parse FILE.mcrl2…"
                .into())
        }
    }
}

/// Says of each file whether it is a specification of mCRL2.
fn parse(files: &[&str]) -> Answer<()> {
    for file in files {
        let text = std::fs::read_to_string(file)?;
        match UntypedProcessSpecification::parse(&text) {
            Ok(_) => println!("yes"),
            Err(problem) => println!("no {}", problem.to_string().replace('\n', " ")),
        }
    }
    Ok(())
}

fn read(path: &str) -> Answer<LabelledTransitionSystem<String>> {
    Ok(read_mcrl2_aut(File::open(path)?).map_err(|problem| problem.to_string())?)
}

fn reduce(relation: &str, from: &str, to: &str) -> Answer<()> {
    let equivalence = equivalence(relation).ok_or("no such relation")?;
    let first = relation == "weak-after-branching";
    let reduced = reduce_lts(read(from)?, equivalence, first, &Timing::new());
    println!("{} {}", reduced.num_of_states(), reduced.num_of_transitions());
    let mut out = File::create(to)?;
    Ok(write_mcrl2_aut(&mut out, &reduced).map_err(|problem| problem.to_string())?)
}

fn equivalence(relation: &str) -> Option<Equivalence> {
    Some(match relation {
        "strong" => Equivalence::StrongBisim,
        "branching" => Equivalence::BranchingBisim,
        "dpbranching" => Equivalence::BranchingBisimDivergencePreserving,
        "weak" | "weak-after-branching" => Equivalence::WeakBisim,
        _ => return None,
    })
}

fn refinement(relation: &str) -> Option<RefinementType> {
    Some(match relation {
        "trace" => RefinementType::Trace,
        "weak-trace" => RefinementType::Weaktrace,
        "failures" => RefinementType::StableFailures,
        "failures-divergences" => RefinementType::FailuresDivergences,
        _ => return None,
    })
}

/// Whether a formula holds of a system, by two ways to solve the game.
fn holds(formula: &str, system: &str) -> Answer<bool> {
    let text = std::fs::read_to_string(formula)?;
    let formula = UntypedStateFrmSpec::parse(&text).map_err(|problem| problem.to_string())?;
    let game = translate(&read(system)?, &formula.formula).map_err(|problem| problem.to_string())?;
    let (promoted, _) = solve_priority_promotion(&game, false);
    let (recursive, _) = solve_zielonka(&game, false);
    match (promoted[0][0], recursive[0][0]) {
        (one, other) if one == other => Ok(one),
        _ => Err("MERC's own solvers differ".into()),
    }
}

fn answer_all() -> Answer<()> {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split(' ').collect();
        let [relation, first, second] = words.as_slice() else { return Err("no question".into()) };
        writeln!(out, "{}", if answer(relation, first, second)? { "yes" } else { "no" })?;
        out.flush()?;
    }
    Ok(())
}

fn answer(relation: &str, first: &str, second: &str) -> Answer<bool> {
    if relation == "holds" {
        return holds(first, second);
    }
    let (first, second, mut timing) = (read(first)?, read(second)?, Timing::new());
    if let Some(equivalence) = equivalence(relation) {
        return Ok(compare_lts(equivalence, first, second, false, &mut timing));
    }
    let refinement = refinement(relation).ok_or("no such relation")?;
    let strategy = ExplorationStrategy::BFS;
    Ok(refines(first, second, refinement, strategy, false, false, &mut timing).0)
}
