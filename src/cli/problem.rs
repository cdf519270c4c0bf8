//! `pnet build --emit horn` and `--emit vmt`: the safety problem of a net, for other tools.

use super::build::Emit;
use crate::emit;
use crate::explore::Property;
use crate::model::{Checked, ModelOptions};
use crate::pnet::PNet;
use crate::safety::{self, Bad, Problem, TooLarge};
use crate::sema::program::{CheckDef, CheckKind};

/// What a check claims of a net: a property, or that it has no deadlock.
struct Claim<'c> {
    kind: CheckKind,
    property: Option<Property>,
    /// As it is written.
    text: &'c str,
}

/// The safety problem of a net as a text.
pub(super) fn problem_text(
    emit: Emit,
    checked: &Checked,
    (net, name): (&PNet, &str),
    options: &ModelOptions,
) -> Result<String, String> {
    let asked = checked.checks().into_iter().find(|check| checked.is_asked(check.span));
    let claim = asked.map(|check| claimed(checked, check, net, options)).transpose()?;
    let bad = match &claim {
        Some(Claim { kind: CheckKind::Reaches, property: Some(property), .. }) => {
            Bad::Holds(property)
        }
        Some(Claim { property: Some(property), .. }) => Bad::Fails(property),
        _ => Bad::Stuck,
    };
    let problem = Problem::new(net, bad).map_err(|why| match why {
        TooLarge::Interactions => format!("`{name}` has too many interactions"),
        TooLarge::Stopped => "stopped".to_owned(),
    })?;
    let told = match &claim {
        Some(claim) => claim.text.to_owned(),
        None => format!("deadlock_free({name})"),
    };
    let names = emit::paths(net);
    let written = match emit {
        Emit::Vmt => safety::vmt_text(&problem, &names, &[format!("VMT: {told}")]),
        _ => {
            let answer = match bad {
                Bad::Holds(_) => "sat: the property is never reached; unsat: it is",
                Bad::Fails(_) | Bad::Undefined(_) => {
                    "sat: the property always holds; unsat: it does not"
                }
                Bad::Stuck => "sat: there is no deadlock; unsat: there is one",
            };
            let comment = [format!("Horn clauses: {told}"), answer.to_owned()];
            safety::horn_text(&problem, &names, &comment)
        }
    };
    written.map_err(|why| format!("`{name}` cannot be written: {why}"))
}

fn claimed<'c>(
    checked: &'c Checked,
    check: &CheckDef,
    net: &PNet,
    options: &ModelOptions,
) -> Result<Claim<'c>, String> {
    let text = checked.sources.text(check.span);
    let property = match (check.kind, &check.property) {
        (CheckKind::DeadlockFree, _) => None,
        (kind, Some(expr)) if kind == CheckKind::Reaches || kind.is_always() => {
            let asked = (expr, check.locals.as_slice(), &[][..]);
            let property = checked.property(asked, net, &options.elaborate);
            Some(property.map_err(|why| format!("`{text}` is not clear: {why}"))?)
        }
        _ => {
            return Err(format!(
                "`{text}` is no safety problem; ask for `always`, `mutex`, `at_most`, `reaches` or `deadlock_free`"
            ));
        }
    };
    Ok(Claim { kind: check.kind, property, text })
}
