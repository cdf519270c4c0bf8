//! The cone of influence: a net in which what does not count stays as it is does the same, as far as anybody looks.
//!
//! Both nets are gone through by the plain interpreter, and compared by refinement as bisimilarity is defined.

use std::collections::{BTreeMap, BTreeSet};

use pnetc::algebra::ActionId;
use pnetc::base::Id;
use pnetc::elaborate::ElaborateOptions;
use pnetc::explore::naive::Interpreter;
use pnetc::explore::{Configuration, Domains, Value};
use pnetc::model::Wanted;
use pnetc::pnet::{Content, PNet, Watched};

use crate::common::seeds::{fuzz, seeds};
use crate::common::{Random, mixed};

/// No more configurations of a net are compared.
const MOST: usize = 400;

/// What a step shows, as far as it is watched.
fn seen(value: &Value, whose: Content, watched: &Watched) -> String {
    match value {
        Value::Sync(inner) => format!("sync {}", seen(inner, whose, watched)),
        Value::Co(inner) => format!("co {}", seen(inner, whose, watched)),
        Value::Act(action, args) => {
            let is_watched = |at: &usize| watched.arguments.contains(&(whose, *action, *at as u32));
            let args = args.iter().enumerate();
            let args: Vec<String> = args
                .map(|(at, arg)| if is_watched(&at) { format!("{arg:?}") } else { "_".to_owned() })
                .collect();
            format!("{action:?}({})", args.join(","))
        }
        other => format!("{other:?}"),
    }
}

/// The steps of all configurations, with the first ones as targets of one more; nothing if there are too many, or values are left out.
fn system(net: &PNet, watched: &Watched) -> Option<Vec<Vec<(String, usize)>>> {
    let domains = Domains { also: vec![0.into()], only_these: true, ..Domains::default() };
    let interpreter = Interpreter::new(net, domains);
    let mut known: BTreeMap<Configuration, usize> = BTreeMap::new();
    let mut all: Vec<Configuration> = Vec::new();
    let mut number = |at: &Configuration, all: &mut Vec<Configuration>| {
        *known.entry(at.clone()).or_insert_with(|| {
            all.push(at.clone());
            all.len()
        })
    };
    let begins = interpreter.initial().ok()?.configurations;
    let begin = |at: &Configuration| format!("{:?}", at.constants);
    let mut steps = vec![begins.iter().map(|at| (begin(at), number(at, &mut all))).collect()];
    let mut next = 0;
    while next < all.len() {
        if all.len() > MOST {
            return None;
        }
        let here = interpreter.steps(&all[next].clone()).ok()?;
        next += 1;
        let told = here.steps.iter().map(|step| {
            let holes = step.holes.iter().map(|(hole, does)| {
                format!("{hole:?}: {}", seen(does, Content::Hole(*hole), watched))
            });
            let holes: Vec<String> = holes.collect();
            let shown = seen(&step.action, net.root, watched);
            let label = format!("{shown} {} {:?}", holes.join(" "), step.vectors);
            (label, number(&step.target, &mut all))
        });
        steps.push(told.collect());
    }
    Some(steps)
}

/// Whether the first states of two systems are bisimilar, by refining blocks until nothing changes.
fn bisimilar(one: &[Vec<(String, usize)>], other: &[Vec<(String, usize)>]) -> bool {
    let shift = one.len();
    let shifted = other.iter().map(|steps| {
        steps.iter().map(|(label, to)| (label.clone(), to + shift)).collect::<Vec<_>>()
    });
    let all: Vec<Vec<(String, usize)>> = one.iter().cloned().chain(shifted).collect();
    let mut blocks = vec![0; all.len()];
    let mut count = 1;
    loop {
        let mut numbers = BTreeMap::new();
        let next: Vec<usize> = all
            .iter()
            .zip(&blocks)
            .map(|(steps, block)| {
                let does: BTreeSet<(&str, usize)> =
                    steps.iter().map(|(label, to)| (label.as_str(), blocks[*to])).collect();
                let fresh = numbers.len();
                *numbers.entry((*block, does)).or_insert(fresh)
            })
            .collect();
        if numbers.len() == count {
            return blocks[0] == blocks[shift];
        }
        (count, blocks) = (numbers.len(), next);
    }
}

#[test]
fn random_nets_do_the_same_with_less() {
    let (mut compared, mut smaller) = (0, 0);
    for seed in seeds(fuzz().unwrap_or(300)) {
        let mut random = Random::new(seed);
        let model = mixed::model(&mut random);
        let checked = mixed::accepted(&model.text).unwrap();
        let Some(check) = checked.checks().first() else { continue };
        let wanted = Wanted::Instance(check, &check.nets[0]);
        let net = checked.net(wanted, &ElaborateOptions::default()).unwrap();
        let mut watched = Watched::default();
        for (action, declared) in net.algebra.actions.iter().enumerate() {
            let args = (0..declared.sorts.len()).filter(|_| random.below(3) == 0);
            let args = args.map(|at| (net.root, ActionId::at(action), at as u32));
            watched.arguments.extend(args.collect::<Vec<_>>());
        }
        for plts in &net.plts {
            let all = plts.variables.iter().map(|(var, _)| *var);
            watched.variables.extend(all.filter(|_| random.below(6) == 0));
        }
        let Some(stilled) = net.stilled(&watched) else { continue };
        let both = (system(&net, &watched), system(&stilled.net, &watched));
        let (Some(whole), Some(less)) = both else { continue };
        assert!(bisimilar(&whole, &less), "PNET_SEED={seed}\n{}", model.text);
        compared += 1;
        smaller += usize::from(less.len() < whole.len());
    }
    eprintln!("{compared} compared, {smaller} smaller");
    assert!(fuzz().is_some() || (compared >= 20 && smaller >= 5), "{compared}, {smaller}");
}
