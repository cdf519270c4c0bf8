//! What a check came to, with the reason in words.

use pnetc::emit::outcome as words;
use pnetc::outcome::{Outcome, Verdict};

/// A verdict with its reason in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Said {
    Proved(String),
    Refuted(String),
    Unknown(String),
}

impl Said {
    pub fn word(&self) -> &'static str {
        match self {
            Said::Proved(_) => "proved",
            Said::Refuted(_) => "refuted",
            Said::Unknown(_) => "unknown",
        }
    }
}

impl From<&Outcome> for Said {
    fn from(outcome: &Outcome) -> Said {
        let reason = words::reason(&outcome.reason);
        match outcome.verdict {
            Verdict::Proved => Said::Proved(reason),
            Verdict::Refuted => Said::Refuted(reason),
            Verdict::Unknown => Said::Unknown(reason),
        }
    }
}

/// The reason of an outcome in words.
pub fn reason(outcome: &Outcome) -> String {
    words::reason(&outcome.reason)
}

/// What backs an outcome, line by line.
pub fn evidence(outcome: &Outcome) -> String {
    words::evidence(&outcome.evidence).unwrap_or_default()
}
