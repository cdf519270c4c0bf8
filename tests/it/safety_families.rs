//! The families of safety problems: what each system is made of in each size, that every problem can be asked, and what
//! is known of the smallest ones.

use std::process::Command;
use std::sync::Arc;

use pnetc::diagnostics::Levels;
use pnetc::elaborate::ElaborateOptions;
use pnetc::loader::Question;
use pnetc::model::{Checked, Wanted};
use pnetc::pnet::{Content, PNet};
use pnetc::session::Session;
use serde_json::Value;

use crate::common::sources::PROJECT;

#[allow(dead_code, reason = "the bench looks at the rest")]
#[path = "../../benches/safety_problems.rs"]
mod safety_problems;

use safety_problems::{Counts, Kind, Problem, families, problems};

fn asked(file: &str, question: &Question) -> Checked {
    let checked = Session::default().ask(&PROJECT, file, Some(question)).unwrap();
    let said = checked.diagnostics.clone().into_iter();
    let said: Vec<_> = said.filter_map(|found| Levels::default().apply(found)).collect();
    assert!(said.is_empty(), "{file}, {question:?}: {said:?}");
    checked
}

fn built(file: &str, instance: &str) -> Arc<PNet> {
    let checked = asked(file, &Question::Instance(instance.to_owned()));
    let check = checked.checks().into_iter().find(|check| checked.is_asked(check.span)).unwrap();
    let wanted = Wanted::Instance(check, &check.nets[0]);
    checked.net(wanted, &ElaborateOptions::default()).unwrap_or_else(|e| panic!("{e:?}"))
}

/// What a net of one node over leaves is made of.
fn counted(net: &PNet) -> Counts {
    let Content::Node(root) = net.root else { panic!("a node") };
    let node = &net.nodes[root];
    assert!(node.parts.iter().all(|part| matches!(part.content, Content::Leaf(_))));
    assert!(net.holes.is_empty());
    let sum = |of: fn(&pnetc::pnet::Plts) -> usize| net.plts.iter().map(of).sum::<usize>() as u32;
    Counts {
        atoms: net.plts.len() as u32,
        variables: sum(|leaf| leaf.variables.len()),
        locations: sum(|leaf| leaf.states.len()),
        interactions: node.vectors.len() as u32,
    }
}

#[test]
fn every_size_has_the_counts_of_the_table() {
    for family in families() {
        for k in family.sizes.clone() {
            for instance in family.instances(k) {
                let net = built(&family.file(), &instance);
                assert_eq!(counted(&net), (family.counts)(k), "{instance}");
                let sorts = net.plts.iter().flat_map(|leaf| &leaf.variables);
                let mut sorts = sorts.map(|(variable, _)| &net.terms.var(*variable).sort);
                assert!(sorts.all(|sort| *sort == pnetc::algebra::Sort::Int), "{instance}");
            }
        }
    }
}

#[test]
fn there_are_all_rows_and_each_can_be_asked() {
    let all = problems();
    let rows = |kind: Kind| all.iter().filter(|problem| problem.kind == kind).count();
    assert_eq!((rows(Kind::Safe), rows(Kind::Unsafe)), (55, 55));
    assert!(rows(Kind::Further) > 55);
    for family in families() {
        let of_family = all.iter().filter(|problem| problem.family == family.name);
        let checks: Vec<String> = of_family.map(|problem| problem.check.clone()).collect();
        let checked = asked(&family.file(), &Question::Checks(checks.clone()));
        let own = checked.checks().into_iter().filter(|check| checked.is_asked(check.span));
        assert_eq!(own.count(), checks.len(), "{}", family.name);
    }
}

fn verify(problem: &Problem, more: &[&str]) -> Value {
    let done = Command::new(env!("CARGO_BIN_EXE_pnet"))
        .args(["verify", &problem.file, "--check", &problem.check, "--format", "json"])
        .args(more)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let out = String::from_utf8(done.stdout).unwrap();
    serde_json::from_str(out.trim()).unwrap_or_else(|_| panic!("{}: {out}", problem.check))
}

/// What is broken is found by exploration, after as many steps as it takes.
#[test]
fn small_ones_are_broken_after_as_many_steps_as_it_takes() {
    for family in families() {
        // Thousands of steps.
        if family.name == "temperature_control" {
            continue;
        }
        let all = family.problems(1);
        let problem = all.iter().find(|problem| problem.kind == Kind::Unsafe).unwrap();
        let said = verify(problem, &["--engine", "explicit", "--reduce", "none"]);
        assert_eq!(said["verdict"], "refuted", "{}: {said}", problem.check);
        let steps = said["evidence"]["steps"].as_array().unwrap().len() as u64;
        assert_eq!(Some(steps), (family.shortest)(1), "{}", problem.check);
    }
}

/// Those that are finite are explored to their ends.
#[test]
fn finite_ones_hold() {
    for family in families() {
        if !["leader_election", "railway_control"].contains(&family.name) {
            continue;
        }
        for problem in family.problems(2).iter().filter(|problem| problem.holds) {
            let said = verify(problem, &["--engine", "explicit"]);
            assert_eq!(said["verdict"], "proved", "{}: {said}", problem.check);
        }
    }
}
