//! Why a question of the page is not answered.

use serde_json::{Value, json};

use crate::view::ViewProblem;

/// What is said in place of an answer.
#[derive(Clone, Debug, Default)]
pub(super) struct Refusal {
    /// What is wrong, on one line.
    problem: String,
    /// More about it, as the terminal shows it.
    details: Option<String>,
    /// The sort whose values have to be named first.
    needs: Option<String>,
    /// Whether what was asked about is no longer kept, and has to be opened again.
    gone: bool,
}

impl Refusal {
    /// With the messages that the terminal shows.
    pub fn with(problem: String, details: Option<String>) -> Refusal {
        Refusal { problem, details, ..Refusal::default() }
    }

    /// What was asked about is no longer kept.
    pub fn gone() -> Refusal {
        let problem = "this is no longer kept; it is opened again".to_owned();
        Refusal { problem, gone: true, ..Refusal::default() }
    }

    /// For the page.
    pub fn told(&self) -> Value {
        let Refusal { problem, details, needs, gone } = self;
        json!({ "problem": problem, "details": details, "needs": needs, "gone": gone })
    }
}

impl From<String> for Refusal {
    fn from(problem: String) -> Refusal {
        Refusal { problem, ..Refusal::default() }
    }
}

impl From<&str> for Refusal {
    fn from(problem: &str) -> Refusal {
        problem.to_owned().into()
    }
}

impl From<ViewProblem> for Refusal {
    fn from(problem: ViewProblem) -> Refusal {
        let needs = problem.needs().map(str::to_owned);
        Refusal { problem: problem.to_string(), needs, ..Refusal::default() }
    }
}
