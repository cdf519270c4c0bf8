//! What somebody says who makes a run step by step, a line at a time.

use thiserror::Error;

use crate::diagnostics::closest;

/// A command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StepCommand {
    /// Make a step, by its number.
    Take(usize),
    /// Make the step that shows this.
    Do(String),
    /// Say where we are, and what is possible.
    List,
    /// Say why an action is not possible.
    Why(String),
    /// Go back so many steps.
    Back(usize),
    /// Go forward again so many steps.
    Forward(usize),
    /// Go to where so many steps were made.
    Goto(usize),
    /// Show components or variables; all, where none is named.
    Show(Option<String>),
    /// Make so many random steps.
    Random(usize),
    /// Show the run so far.
    Trace,
    /// Save the run to a file.
    Save(String),
    /// Go on with the run in a file.
    Load(String),
    /// Say what can be said.
    Help,
    /// End.
    Quit,
}

/// The words of commands, with what follows each and what it does.
pub const COMMANDS: [(&str, &str, &str); 14] = [
    ("", "NUMBER", "make the step with this number"),
    ("do", "ACTION", "make the step that shows this action, as in `do put(3)`"),
    ("list", "", "say again what is possible (an empty line does the same)"),
    ("why", "ACTION", "say why an action is not possible now: `why put`, `why put(3)`"),
    ("back", "[N]", "take back a step, or N steps"),
    ("forward", "[N]", "make again what was taken back"),
    ("goto", "N", "go to where N steps were made; 0 is the beginning"),
    ("show", "[NAME]", "show a component, a variable or a constant; all without a name"),
    ("random", "[N]", "make a random step, or N of them"),
    ("trace", "", "show the run so far"),
    ("save", "FILE", "save the run so far; `pnet replay` checks it"),
    ("load", "FILE", "go on with a run that was saved"),
    ("help", "", "this list"),
    ("quit", "", "end (so does the end of the input)"),
];

/// What is wrong with a command.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum BadCommand {
    /// There is no such command.
    #[error("there is no command `{word}`{}", hint(.similar))]
    Unknown {
        /// What was written.
        word: String,
        /// What was probably meant.
        similar: Option<&'static str>,
    },
    /// Something has to follow.
    #[error("`{word}` needs {what}: `{word} {example}`")]
    Needs {
        /// The command.
        word: &'static str,
        /// What has to follow.
        what: &'static str,
        /// For example.
        example: &'static str,
    },
    /// It has to be a number.
    #[error("`{found}` is no number of steps: write `{word} 3`")]
    NoNumber {
        /// The command.
        word: String,
        /// What was written.
        found: String,
    },
    /// Nothing may follow.
    #[error("nothing follows `{word}`; `help` says more")]
    Nothing {
        /// The command.
        word: String,
    },
}

fn hint(similar: &Option<&'static str>) -> String {
    match similar {
        Some(word) => format!("; did you mean `{word}`?"),
        None => "; `help` lists all".to_owned(),
    }
}

/// The command on a line; nothing where it is a comment, behind `#`.
pub fn command(line: &str) -> Result<Option<StepCommand>, BadCommand> {
    let line = line.trim();
    if line.starts_with('#') {
        return Ok(None);
    }
    if let Ok(number) = line.parse::<usize>() {
        return Ok(Some(StepCommand::Take(number)));
    }
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let some = |what: &'static str, word: &'static str, example: &'static str| match rest {
        "" => Err(BadCommand::Needs { word, what, example }),
        text => Ok(text.to_owned()),
    };
    let number = || match rest {
        "" => Ok(1),
        text => text
            .parse()
            .map_err(|_| BadCommand::NoNumber { word: word.to_owned(), found: text.to_owned() }),
    };
    let alone = |command: StepCommand| match rest {
        "" => Ok(command),
        _ => Err(BadCommand::Nothing { word: word.to_owned() }),
    };
    let command = match word {
        "" | "list" | "ls" | "l" => alone(StepCommand::List)?,
        "do" => StepCommand::Do(some("an action", "do", "put(3)")?),
        "why" => StepCommand::Why(some("an action", "why", "put(3)")?),
        "back" | "b" => StepCommand::Back(number()?),
        "forward" | "f" => StepCommand::Forward(number()?),
        "goto" | "g" => {
            some("a number of steps", "goto", "3")?;
            StepCommand::Goto(number()?)
        }
        "show" | "s" => StepCommand::Show((!rest.is_empty()).then(|| rest.to_owned())),
        "random" | "r" => StepCommand::Random(number()?),
        "trace" | "t" => alone(StepCommand::Trace)?,
        "save" => StepCommand::Save(some("a file", "save", "run.json")?),
        "load" => StepCommand::Load(some("a file", "load", "run.json")?),
        "help" | "h" | "?" => alone(StepCommand::Help)?,
        "quit" | "q" | "exit" => alone(StepCommand::Quit)?,
        word => {
            let words = COMMANDS.iter().map(|(word, ..)| *word).filter(|word| !word.is_empty());
            return Err(BadCommand::Unknown {
                word: word.to_owned(),
                similar: closest(word, words),
            });
        }
    };
    Ok(Some(command))
}
