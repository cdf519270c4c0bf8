//! What is to be built: a net by its name, or an instance as in a `check` item.

use crate::loader::Question;
use crate::model::{Checked, Wanted};

/// Whether a text is a name, and not an instance with arguments or of another module.
fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// The question by which the checker gets to see an instance; nothing for a name.
pub(super) fn question(net: Option<&str>) -> Option<Question> {
    net.filter(|text| !is_name(text)).map(|text| Question::Instance(text.to_owned()))
}

/// Whether something is wrong with the question.
pub(super) fn is_wrong(checked: &Checked) -> bool {
    checked.diagnostics.iter().any(|found| checked.is_asked(found.span()))
}

/// What was asked for, of a file that was checked with the question and has no errors.
pub(super) fn wanted<'a>(checked: &'a Checked, net: Option<&'a str>) -> Wanted<'a> {
    let asked = checked.checks().into_iter().find(|check| checked.is_asked(check.span));
    let instance = asked.and_then(|check| Some(Wanted::Instance(check, check.nets.first()?)));
    instance.unwrap_or(Wanted::Named(net))
}
