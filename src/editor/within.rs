//! Where in a component, with what it is given and what fills its holes, the words before a place end.

use super::wanted::Wanted;

/// What is around a place in a component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Within {
    /// A component.
    Component,
    /// The condition of `if`.
    Condition,
    /// What is given, between `<` and `>`.
    Arguments,
    /// A set of actions.
    Actions,
    /// An index, or data of an action.
    Value,
    /// The component is over, with the bracket around it.
    Behind,
}

/// Where the words end.
#[derive(Clone, Copy, Debug)]
pub(super) struct At {
    /// Inside of what.
    pub within: Within,
    /// Whether something begins here.
    begins: bool,
    /// Where the comma is behind the first component, in the words.
    pub argument_ends: Option<usize>,
}

impl At {
    /// What fits there.
    pub fn wanted(self) -> Wanted {
        match self.within {
            Within::Component if self.begins => Wanted::Component,
            Within::Component | Within::Behind => Wanted::Nothing,
            Within::Arguments => Wanted::Argument,
            Within::Actions if self.begins => Wanted::ActionName,
            Within::Condition | Within::Actions | Within::Value => Wanted::Value,
        }
    }
}

/// Where words end that begin where a component does: at its end, or at a comma outside of all brackets.
pub(super) fn component(words: &[&str]) -> At {
    let mut around = vec![Within::Component];
    let mut before = "";
    for (at, word) in words.iter().enumerate() {
        let within = around.last().copied().unwrap_or(Within::Behind);
        let is_named =
            before.ends_with(|one: char| one.is_alphanumeric() || one == '_' || one == '`');
        match (*word, within) {
            ("if", Within::Component) => around.push(Within::Condition),
            ("then", Within::Condition) => _ = around.pop(),
            ("<", Within::Component | Within::Arguments) if is_named => {
                around.push(Within::Arguments);
            }
            (">", Within::Arguments) => _ = around.pop(),
            ("(", Within::Component) => around.push(Within::Component),
            ("(" | "[", _) => around.push(Within::Value),
            ("{", _) => around.push(Within::Actions),
            (")" | "]" | "}", _) => _ = around.pop(),
            (",", Within::Component) if around.len() == 1 => {
                return At { within, begins: false, argument_ends: Some(at) };
            }
            _ => {}
        }
        if around.is_empty() {
            return At { within: Within::Behind, begins: false, argument_ends: None };
        }
        before = word;
    }
    let begins = matches!(before, "" | "(" | "," | ":" | "then" | "else" | "{");
    let within = around.last().copied().unwrap_or(Within::Behind);
    At { within, begins, argument_ends: None }
}
