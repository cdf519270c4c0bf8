//! Unfoldings of architectures, on the command line.

use crate::base::budget;
use crate::model::Checked;
use crate::sema::program::ArchitectureDef;
use crate::sema::{MOST_COMPONENTS, unfolding_texts};

/// How many components, and which of those with so many.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnfoldSize {
    size: usize,
    number: Option<usize>,
}

/// Reads `5` or `6,0`.
pub(super) fn size(text: &str) -> Result<UnfoldSize, String> {
    let wanted =
        || "a number of components, as `5`, or with a number after it, as `6,0`".to_owned();
    let number = |text: &str| text.trim().parse::<usize>().map_err(|_| wanted());
    let (size, rest) = match text.split_once(',') {
        Some((size, rest)) => (number(size)?, Some(number(rest)?)),
        None => (number(text)?, None),
    };
    Ok(UnfoldSize { size, number: rest })
}

/// What is to be built, as an instance.
pub(super) fn named(net: Option<&str>, unfold: Option<UnfoldSize>) -> Option<String> {
    let net = net?;
    Some(match unfold {
        None => net.to_owned(),
        Some(UnfoldSize { size, number: None }) => format!("{net}<{size}>"),
        Some(UnfoldSize { size, number: Some(number) }) => format!("{net}<{size}, {number}>"),
    })
}

/// The unfoldings of an architecture, each with its rules.
pub(super) fn listed(
    checked: &Checked,
    net: Option<&str>,
    unfold: Option<UnfoldSize>,
) -> Result<String, String> {
    let name = net.unwrap_or_default();
    let def =
        architecture(checked, net).ok_or_else(|| format!("there is no architecture `{name}`"))?;
    let size = unfold.map_or(0, |unfold| unfold.size);
    if size > MOST_COMPONENTS {
        return Err(format!("unfoldings with more than {MOST_COMPONENTS} components are not made"));
    }
    let Some((texts, complete)) = unfolding_texts(def, size, &budget::here()) else {
        return Err(format!("the unfoldings of `{name}` were not found in time"));
    };
    if texts.is_empty() {
        return Err(format!("no unfolding of `{name}` has {size} components"));
    }
    let one = texts.len() == 1;
    let mut lines = String::new();
    for (at, rules) in texts.iter().enumerate() {
        let number = if one { String::new() } else { format!(", {at}") };
        lines.push_str(&format!("{name}<{size}{number}>  {rules}\n"));
    }
    if !complete {
        lines.push_str("and more: there are too many to number them\n");
    }
    Ok(lines)
}

/// The architecture of a name.
pub(super) fn architecture<'c>(
    checked: &'c Checked,
    net: Option<&str>,
) -> Option<&'c ArchitectureDef> {
    let name = net?;
    checked.architectures().into_iter().find(|one| one.named.name.as_str() == name)
}

/// What is said where an architecture is to be built, and not how large it is.
pub(super) fn lacks_size(checked: &Checked, net: Option<&str>) -> Option<String> {
    let name = net?;
    architecture(checked, net).map(|_| {
        format!(
            "`{name}` is an architecture, of any size: say which, as in `--unfold 5` or `{name}<5>`"
        )
    })
}
