//! Networks of labelled transition systems as files: `pnet build --emit exp`, a net as a network, for CADP; and what is left of a
//! network that was too large to be put together.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;

use super::streamed::Streamed;
use super::watch::Working;
use crate::base::Watch;
use crate::compose::{ComposePlan, PlanOptions, Seeing, root_network};
use crate::explore::Domains;
use crate::lts::{Lts, aut};
use crate::network::{Network, ProductLimits, exp};
use crate::pnet::PNet;

/// What CADP calls the silent action.
const SILENT: &str = "i";

/// Writes a network into a file, and its systems beside it.
pub(super) fn write_network(
    (net, name): (&PNet, &str),
    output: Option<&str>,
    watch: &Working,
) -> Result<(), String> {
    let Some(output) = output.filter(|output| *output != "-") else {
        return Err("`--emit exp` writes several files; say where with `-o FILE.exp`".to_owned());
    };
    let most_states = ProductLimits::default().most_states;
    let seeing = Seeing { finals: false, most_states };
    let options = PlanOptions { seeing, later: &[], marking: None };
    let told = |why: &dyn std::fmt::Display| format!("`{name}` is no network: {why}");
    let plan = ComposePlan::new((net, name), &Domains::default(), options, watch)
        .map_err(|why| told(&why))?;
    let network = root_network(&plan, ProductLimits::default(), watch).map_err(|why| told(&why))?;
    let Some(network) = network else {
        return Err(format!(
            "`{name}` is a process and has no parts; `pnet explore --emit aut` writes it as one system"
        ));
    };
    let budget = watch.budget();
    write_files(&network, (output, SILENT), &|| !budget.is_spent())
        .map_err(|why| format!("{}; `pnet explore --emit aut` writes it as one system", told(&why)))
}

/// Writes a network into a file, and its systems beside it, as long as it goes on.
fn write_files(
    network: &Network,
    (output, silent): (&str, &str),
    goes_on: &dyn Fn() -> bool,
) -> Result<(), String> {
    let path = Path::new(output);
    let stem = path.file_stem().map_or_else(|| "part".into(), |stem| stem.to_string_lossy());
    let written = exp::write(network, silent, &stem).map_err(|why| why.to_string())?;
    for (file, lts) in &written.systems {
        let beside = path.with_file_name(file);
        write_system(&beside.to_string_lossy(), (lts, silent), goes_on)?;
    }
    let mut out = Streamed::new(Some(output))?;
    match out.write_all(written.network.as_bytes()) {
        Ok(()) => out.finish(),
        Err(problem) => out.give_up(Some(&problem)).map_or(Ok(()), Err),
    }
}

/// Writes what is left of a network that was not put together to its end, beside where the result should have gone: where, and
/// how to go on. It is written although the budget is spent.
pub(super) fn write_left(
    network: &Network,
    (output, silent): (&str, &str),
) -> Result<String, String> {
    let path = Path::new(output).with_extension("exp").to_string_lossy().into_owned();
    let cannot = |why: String| format!("what is left cannot be written as a network: {why}");
    write_files(network, (&path, silent), &|| true).map_err(cannot)?;
    Ok(path)
}

fn write_system(
    path: &str,
    (lts, silent): (&Lts, &str),
    goes_on: &dyn Fn() -> bool,
) -> Result<(), String> {
    let (mut out, mut done) = (Streamed::new(Some(path))?, Ok(()));
    let ended = aut::write(lts, silent, |piece| {
        done = out.write_all(piece);
        match done.is_ok() && goes_on() {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    });
    match (done, ended) {
        (Ok(()), ControlFlow::Continue(())) => out.finish(),
        (Ok(()), ControlFlow::Break(())) => {
            out.give_up(None);
            Ok(())
        }
        (Err(problem), _) => out.give_up(Some(&problem)).map_or(Ok(()), Err),
    }
}
