//! The plain interpreter of the library beside the one for values at the borders of their sorts, which knows models as
//! they were made.
//!
//! Configurations are numbered by each in its own way, so what is compared is how many there are, and what can be seen
//! of each.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use pnetc::elaborate::ElaborateOptions;
use pnetc::explore::naive::Interpreter;
use pnetc::explore::{Configuration, Constants, Value};
use pnetc::model::Wanted;
use pnetc::pnet::PNet;

use super::check_text;
use super::explored::{Compared, domains};
use super::values::eval::{self, World};
use super::values::steps::Lts;
use super::values::{Model, Wrap};

/// No more configurations are looked at.
const MOST: usize = 200;

/// How often each row of things that can be seen from one configuration is there.
type Rows = BTreeMap<Vec<(String, bool)>, usize>;

fn list(head: &str, parts: Vec<String>) -> String {
    if parts.is_empty() { head.to_owned() } else { format!("{head}({})", parts.join(",")) }
}

/// A value of the library as text.
fn ours(net: &PNet, value: &Value) -> String {
    let all = |parts: &[Value]| parts.iter().map(|part| ours(net, part)).collect::<Vec<_>>();
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Data(data, index, fields) => {
            let constructors = &net.algebra.datatypes[data.index()].constructors;
            list(constructors[*index as usize].name.as_str(), all(fields))
        }
        Value::Array(array) => {
            list("array", array.places.values().map(|one| ours(net, one)).collect())
        }
        Value::Act(id, args) => list(net.algebra.action(*id).name.as_str(), all(args)),
        Value::Tau => "tau".to_owned(),
        Value::Sync(inner) => format!("sync {}", ours(net, inner)),
        Value::Co(inner) => format!("co {}", ours(net, inner)),
        other => format!("{other:?}"),
    }
}

/// A value of the tests as text.
fn theirs(model: &Model, value: &eval::Value) -> String {
    let all =
        |parts: &[eval::Value]| parts.iter().map(|one| theirs(model, one)).collect::<Vec<_>>();
    match value {
        eval::Value::Bool(value) => value.to_string(),
        eval::Value::Int(value) => value.to_string(),
        eval::Value::Con(data, con, fields) => {
            list(&model.datas[*data].constructors[*con].name, all(fields))
        }
        eval::Value::Arr(_, values) => list("array", all(values)),
        eval::Value::Act(name, args) => list(name, all(args)),
        eval::Value::Tau => "tau".to_owned(),
        eval::Value::Wrapped(Wrap::Sync, inner) => format!("sync {}", theirs(model, inner)),
        eval::Value::Wrapped(Wrap::Co, inner) => format!("co {}", theirs(model, inner)),
        other => format!("{other:?}"),
    }
}

/// Compares all configurations of the left side of a model that has no holes, for each choice of its constants.
pub fn compare(model: &Model) -> Result<Compared, String> {
    let mut compared = Compared::default();
    let skipped = Compared { troubled: 1, ..Compared::default() };
    let checked = check_text(model.text());
    if checked.has_errors() {
        return Ok(skipped);
    }
    let check = &checked.program.checks[0];
    let wanted = Wanted::Instance(check, &check.nets[0]);
    let Ok(net) = checked.net(wanted, &ElaborateOptions::default()) else { return Ok(skipped) };
    let interpreter = Interpreter::new(&net, domains(&net));
    let Ok(initial) = interpreter.initial() else { return Ok(skipped) };
    if !net.holes.is_empty() {
        return Ok(skipped);
    }
    let mut choices: BTreeMap<Constants, Vec<Configuration>> = BTreeMap::new();
    for at in initial.configurations {
        choices.entry(at.constants.clone()).or_default().push(at);
    }
    for (constants, begins) in choices {
        let mut world = World::new(model);
        for (constant, value) in net.algebra.constants.iter().zip(constants.iter()) {
            if let Some(Value::Int(value)) = value {
                let value = eval::Value::Int(i64::try_from(value).unwrap());
                world.choices.insert(constant.name.to_string(), value);
            }
        }
        compared += match Lts::of(&world, &model.left) {
            Ok(lts) => same(model, &lts, &interpreter, begins)?,
            Err(_) => skipped,
        };
    }
    Ok(compared)
}

/// Compares the configurations that are reached from some with all that there should be.
fn same(
    model: &Model,
    lts: &Lts,
    interpreter: &Interpreter<'_>,
    begins: Vec<Configuration>,
) -> Result<Compared, String> {
    let mut compared = Compared { configs: lts.steps.len(), ..Compared::default() };
    let mut meant: Rows = Rows::new();
    for (at, steps) in lts.steps.iter().enumerate() {
        let mut row: Vec<(String, usize)> =
            steps.iter().map(|((_, shown), next)| (theirs(model, shown), *next)).collect();
        row.sort();
        row.dedup();
        compared.steps += row.len();
        compared.stuck += usize::from(row.is_empty());
        count(&mut meant, row.into_iter().map(|(shown, next)| (shown, next == at)).collect());
    }
    let initial = begins.len();
    match reached(interpreter, begins)? {
        None => Ok(Compared { gaps: 1, ..Compared::default() }),
        Some(found) if (initial, &found) == (lts.initial.len(), &meant) => Ok(compared),
        Some(found) => {
            let begins = lts.initial.len();
            Err(format!(
                "begins in {initial} and does {found:?}, should in {begins} and do {meant:?}"
            ))
        }
    }
}

fn count(rows: &mut Rows, mut row: Vec<(String, bool)>) {
    row.sort();
    *rows.entry(row).or_default() += 1;
}

/// What can be seen of each configuration that is reached, also whether it stays there; nothing where there is a gap.
fn reached(
    interpreter: &Interpreter<'_>,
    begins: Vec<Configuration>,
) -> Result<Option<Rows>, String> {
    let mut seen: BTreeSet<Configuration> = begins.iter().cloned().collect();
    let mut work: VecDeque<Configuration> = begins.into();
    let mut rows = Rows::new();
    while let Some(at) = work.pop_front() {
        if seen.len() > MOST {
            return Err(format!("goes on for more than {MOST} configurations"));
        }
        let Ok(steps) = interpreter.steps(&at) else { return Ok(None) };
        let shown = steps.steps.into_iter();
        let shown = shown.map(|step| (ours(interpreter.net(), &step.action), step.target));
        let mut row: Vec<(String, Configuration)> = shown.collect();
        row.sort();
        row.dedup();
        for (_, target) in &row {
            if seen.insert(target.clone()) {
                work.push_back(target.clone());
            }
        }
        count(&mut rows, row.into_iter().map(|(shown, next)| (shown, next == at)).collect());
    }
    Ok(Some(rows))
}
