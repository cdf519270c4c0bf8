//! What is to be built: a net by its name, or an instance as in a `check` item.

use crate::diagnostics::Span;
use crate::driver::{self, BuildFailure, Checked};
use crate::elaborate::Options;
use crate::pnet::{PNet, Parts};
use crate::sema::program::{CheckDef, Instance};

/// What is to be built.
pub(super) enum Wanted<'a> {
    /// The net (or process) with this name, or the last one; its parameters stand for any value.
    Net(Option<&'a str>),
    /// An instance, in the check that was made of it.
    Instance(&'a CheckDef, &'a Instance),
}

/// Whether a text is a name, and not an instance with arguments or of another module.
fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// The question by which the checker gets to see an instance; nothing for a name. What was written stands on a line of
/// its own, and is all that messages show.
pub(super) fn question(net: Option<&str>) -> Option<String> {
    net.filter(|text| !is_name(text)).map(|text| format!("check deadlock_free(\n{text}\n);"))
}

/// Whether a text is that of the question.
fn is_asked(checked: &Checked, span: Span) -> bool {
    checked.sources.file_of(span).is_some_and(|file| file.name() == driver::QUESTION)
}

/// Whether something is wrong with the question.
pub(super) fn is_wrong(checked: &Checked) -> bool {
    checked.diagnostics.iter().any(|found| is_asked(checked, found.span()))
}

impl<'a> Wanted<'a> {
    /// What was asked for, of a file that was checked with the question; or what is wrong with it.
    pub fn of(checked: &'a Checked, net: Option<&'a str>) -> Result<Wanted<'a>, String> {
        let Some(text) = net.filter(|text| !is_name(text)) else { return Ok(Wanted::Net(net)) };
        let asked = |check: &&CheckDef| is_asked(checked, check.span);
        let checks: Vec<&CheckDef> = driver::checks(checked).into_iter().filter(asked).collect();
        match checks.as_slice() {
            [check] if check.property.is_none() && check.nets.len() == 1 => {
                Ok(Wanted::Instance(check, &check.nets[0]))
            }
            _ => Err(format!("`{text}` is not one instance; write it as in a `check` item")),
        }
    }

    /// The net.
    pub fn net(&self, checked: &Checked, options: &Options) -> Result<PNet, BuildFailure> {
        match self {
            Wanted::Net(name) => driver::build(checked, *name, options),
            Wanted::Instance(check, instance) => {
                driver::build_instance(checked, check, instance, options)
            }
        }
    }

    /// The net in parts.
    pub fn parts(&self, checked: &Checked, options: &Options) -> Result<Parts, BuildFailure> {
        match self {
            Wanted::Net(name) => driver::build_parts(checked, *name, options),
            Wanted::Instance(check, instance) => {
                driver::build_instance_parts(checked, check, instance, options)
            }
        }
    }
}
