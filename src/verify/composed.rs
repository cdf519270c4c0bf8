//! Automata that are composed of those of the parts of a net, instead of being generated as a whole.

use super::reviews::Made;
use super::{Options, net};
use crate::diagnostics::Diagnostic;
use crate::driver::{BuildFailure, Checked, build_instance_parts};
use crate::generate::{self, Composed, Generated, Watch, generate_parts};
use crate::pnet::{PNet, Parts};
use crate::sema::program::{CheckDef, Instance};

/// The automaton of what a check is about, composed of those of its parts, with that of the net with its holes open;
/// or why it cannot be composed.
pub(super) fn composed(
    checked: &Checked,
    check: &CheckDef,
    instance: &Instance,
    options: &Options,
    watch: &dyn Watch,
) -> Result<Result<Composed, String>, Vec<Diagnostic>> {
    let whole = net(checked, check, instance, options)?;
    let parts = build_instance_parts(checked, check, instance, &options.elaborate);
    let composed = of_parts(parts, &whole, &options.generate, watch);
    if let Some(kept) = &options.kept
        && !options.compose
    {
        // What is composed has conditions of its own; what is said about a net is said about the whole.
        let text = checked.sources.text(instance.span).to_owned();
        kept.keep(Made { text, net: whole, generated: None });
    }
    Ok(composed)
}

/// The automaton of what a check is about, composed if it can be.
pub(super) fn automaton(
    checked: &Checked,
    check: &CheckDef,
    instance: &Instance,
    options: &Options,
    watch: &dyn Watch,
) -> Result<Generated, Vec<Diagnostic>> {
    match composed(checked, check, instance, options, watch)? {
        Ok(composed) => Ok(composed.whole),
        Err(why) => {
            let text = checked.sources.text(instance.span);
            watch.note(&format!("`{text}` is generated as a whole: {why}"));
            let whole = net(checked, check, instance, options)?;
            Ok(generate::generate(&whole, &options.generate, watch))
        }
    }
}

/// The automaton of a net, composed of those of its parts. Where it cannot be, it is generated as a whole, and whoever
/// watches is told.
pub fn generate_composed(
    parts: Result<Parts, BuildFailure>,
    whole: &PNet,
    options: &generate::Options,
    watch: &dyn Watch,
) -> Generated {
    match of_parts(parts, whole, options, watch) {
        Ok(composed) => composed.whole,
        Err(why) => {
            watch.note(&format!("`{}` is generated as a whole: {why}", whole.name));
            generate::generate(whole, options, watch)
        }
    }
}

fn of_parts(
    parts: Result<Parts, BuildFailure>,
    whole: &PNet,
    options: &generate::Options,
    watch: &dyn Watch,
) -> Result<Composed, String> {
    let parts = parts.map_err(|failure| match failure {
        BuildFailure::Problems(problems) => {
            problems.first().map_or_else(String::new, |problem| problem.message.clone())
        }
        BuildFailure::Errors | BuildFailure::Nothing | BuildFailure::Unknown(_) => {
            "the model has errors".to_owned()
        }
    })?;
    generate_parts(&parts, whole, options, watch).map_err(|misfit| misfit.to_string())
}
