//! Settings, `--set N=4`, read for the files that declare the constants.

use super::Checked;
use crate::diagnostics::{Diagnostic, SourceFile, Span};
use crate::elaborate::problems::{CannotSet, ElaborationProblem, WhyNotSet};
use crate::elaborate::{self, Settings};

/// What a setting is called as a text: it is no part of the file.
pub const SETTING: &str = "--set";

/// What `--set` comes to in each of several files, and what is wrong with it.
///
/// A constant that only some of the files declare is set in these.
#[derive(Debug, Default)]
pub struct Settled {
    /// The settings of each file.
    pub settings: Vec<Settings>,
    /// What is wrong, with the place of the file whose sources show it.
    pub problems: Vec<(usize, Diagnostic)>,
}

/// Reads settings, `N=4`, for files.
pub fn settle(files: &mut [&mut Checked], texts: &[String]) -> Settled {
    let mut settled =
        Settled { settings: vec![Settings::default(); files.len()], problems: vec![] };
    for text in texts {
        let name = elaborate::set_name(text);
        let somewhere = files.iter().any(|file| elaborate::has_constant(&file.program, name));
        if !somewhere && let Some(problem) = nowhere(files, text) {
            settled.problems.push((0, problem));
        }
        for (at, file) in files.iter_mut().enumerate() {
            if elaborate::has_constant(&file.program, name)
                && let Err(problem) = read_setting(file, text, &mut settled.settings[at])
            {
                settled.problems.push((at, *problem));
            }
        }
    }
    settled
}

/// That no file has the constant of a setting, said at its text.
fn nowhere(files: &mut [&mut Checked], text: &str) -> Option<Diagnostic> {
    let name = elaborate::set_name(text);
    let similar = files.iter().find_map(|file| elaborate::similar_constant(&file.program, name));
    let names = files.iter().map(|file| file.root.clone()).collect();
    let first = files.first_mut()?;
    let base = add_setting(first, text)? + (text.len() - text.trim_start().len()) as u32;
    let why = WhyNotSet::Unknown { files: names, similar: similar.map(str::to_owned) };
    let span = Span::new(base, base + name.len() as u32);
    let problem: ElaborationProblem = CannotSet { span, name: name.to_owned(), why }.into();
    Some(problem.diagnose())
}

/// Takes in the text of a setting; nothing where there is no room for it.
fn add_setting(file: &mut Checked, text: &str) -> Option<u32> {
    let index = file.sources.add(SETTING.to_owned(), text.into()).ok()?;
    file.sources.file(index).map(SourceFile::base)
}

fn read_setting(
    file: &mut Checked,
    text: &str,
    into: &mut Settings,
) -> Result<(), Box<Diagnostic>> {
    let base = add_setting(file, text).unwrap_or_default();
    into.read(&file.program, text, base)
        .map_err(|problem| Box::new(ElaborationProblem::from(*problem).diagnose()))
}
