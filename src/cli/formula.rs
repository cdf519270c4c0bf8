//! `pnet build --emit mona`: a claim about every size as a formula for MONA.

use super::build::{Args, options};
use super::check::{check_file, open_session};
use super::watch::Working;
use crate::diagnostics::Levels;
use crate::elaborate::Target;
use crate::loader::Question;
use crate::parametric::{InvariantFamily, NoFormula};
use crate::verify::{NoSizesFormula, sizes_formula};

/// The formula; an error without words has been reported.
pub(super) fn text(
    args: &Args,
    levels: &Levels,
    watch: &Working,
) -> Result<String, Option<String>> {
    let families = families(&args.invariants)?;
    let claim = claim(args, levels)?;
    let question = Question::Checks(vec![claim.clone()]);
    let asked = (args.file.as_str(), Some(&question));
    let mut checked = check_file(open_session(), asked, &args.reporting, levels).ok_or(None)?;
    if checked.has_errors() {
        return Err(None);
    }
    let options = options(args, &mut checked)?;
    let check = checked.checks().into_iter().find(|check| checked.is_asked(check.span));
    let check = check.ok_or_else(|| format!("`{claim}` is no check"))?;
    sizes_formula(&checked, check, &options, &families, watch).map_err(|why| match why {
        NoSizesFormula::Problems(problems) => {
            args.reporting.write(&problems, &checked.sources);
            None
        }
        why => Some(format!("there is no formula for `{claim}`: {why}")),
    })
}

/// What is claimed, as a check. Without a net, it is the last one of the file.
fn claim(args: &Args, levels: &Levels) -> Result<String, Option<String>> {
    if let Some(check) = &args.check {
        return Ok(check.clone());
    }
    if args.goal != "deadlock" {
        if !args.goal.contains('(') {
            return Err(Some(format!(
                "`{}` is no goal; say `deadlock`, or a claim like `always(Ring, forall i: 0..n . not S[i] in busy)`",
                args.goal
            )));
        }
        return Ok(args.goal.clone());
    }
    if let Some(net) = &args.net {
        return Ok(format!("deadlock_free({net})"));
    }
    let asked = (args.file.as_str(), None);
    let checked = check_file(open_session(), asked, &args.reporting, levels).ok_or(None)?;
    let mut nets = checked.targets().into_iter().filter(|(_, of)| matches!(of, Target::Net(_)));
    match nets.next_back() {
        Some((name, _)) => Ok(format!("deadlock_free({name})")),
        None => Err(Some(format!("`{}` declares no net", args.file))),
    }
}

/// The families of invariants, by their letters.
fn families(letters: &str) -> Result<Vec<InvariantFamily>, String> {
    let mut families = Vec::new();
    for letter in letters.chars() {
        let family = InvariantFamily::ALL.into_iter().find(|family| family.letter() == letter);
        match family {
            Some(InvariantFamily::Flow) => return Err(NoFormula::Flow.to_string()),
            Some(family) if families.contains(&family) => {}
            Some(family) => families.push(family),
            None => {
                return Err(format!(
                    "`{letter}` is no letter of invariants; there are `t`, `o` and `s`, as in `--invariants to`"
                ));
            }
        }
    }
    match families.is_empty() {
        true => Err("say by which invariants, for example `--invariants to`".to_owned()),
        false => Ok(families),
    }
}
