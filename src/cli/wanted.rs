//! What is to be built: a net by its name, or an instance as in a `check` item.

use std::sync::Arc;

use super::output::Reporting;
use crate::emit;
use crate::loader::Question;
use crate::model::{BuildFailure, Checked, ModelOptions, Wanted};
use crate::pnet::PNet;

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

/// What is taken for granted of parameters that stand for any value, in words.
pub(super) fn granted(net: &PNet) -> Option<String> {
    let mut granted: Vec<String> = Vec::with_capacity(net.granted.len());
    for term in &net.granted {
        let text = format!("`{}`", emit::label::term(net, *term));
        if !granted.contains(&text) {
            granted.push(text);
        }
    }
    (!granted.is_empty()).then(|| {
        let name = net.name;
        let granted = granted.join(", ");
        format!("`{name}` is built for all values of its parameters with {granted}: without, it has no meaning")
    })
}

/// The net that was asked for; an error without words has been reported.
pub(super) fn elaborated(
    checked: &Checked,
    (file, name): (&str, Option<&str>),
    wanted: Wanted<'_>,
    options: &ModelOptions,
    reporting: &Reporting,
) -> Result<Arc<PNet>, Option<String>> {
    checked.net(wanted, &options.elaborate).map_err(|failure| match failure {
        BuildFailure::Problems(problems) => {
            reporting.write(&problems, &checked.sources);
            None
        }
        BuildFailure::Errors => None,
        BuildFailure::Nothing => Some(format!("`{file}` declares no net and no process")),
        BuildFailure::Unknown(similar) => {
            let name = name.unwrap_or("");
            let hint = similar.map_or_else(String::new, |name| format!("; did you mean `{name}`?"));
            Some(format!(
                "`{file}` declares no net `{name}`{hint} (`pnet build {file} --list` shows what there is)"
            ))
        }
    })
}
