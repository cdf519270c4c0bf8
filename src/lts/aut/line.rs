//! One line of a file in the Aldebaran format.

use std::ops::Range;

use thiserror::Error;

/// What is wrong with a line.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
pub enum Flaw {
    /// There is no line at all.
    #[error("the file is empty")]
    NoHeader,
    /// It does not begin as a header does.
    #[error("a header begins with `des (`")]
    NoDes,
    /// The three numbers of a header are not there.
    #[error("a header has three numbers in parentheses: initial state, transitions, states")]
    NoNumbers,
    /// It does not begin with a parenthesis.
    #[error("a transition begins with `(`")]
    NoOpening,
    /// It does not end with a parenthesis.
    #[error("a transition ends with `)`")]
    NoClosing,
    /// Where it comes from is no number.
    #[error("the number of a state is expected here")]
    NoSource,
    /// There is no comma.
    #[error("a comma is expected after the number of the state")]
    NoComma,
    /// There is only one comma.
    #[error("a label and a second comma are expected")]
    NoSecondComma,
    /// Nothing stands between the commas.
    #[error("there is no label between the commas")]
    NoLabel,
    /// Quotes are opened and not closed.
    #[error("the quotes are not closed before the last comma")]
    OpenQuotes,
    /// The label is no text.
    #[error("this is no UTF-8")]
    NoText,
    /// Where it leads is no number.
    #[error("the number of a state is expected after the last comma")]
    NoTarget,
    /// It leads to several states, with probabilities.
    #[error("a transition with probabilities: only a single state can be read here")]
    Probabilities,
    /// A state that is further away than all states that the file speaks of.
    #[error("most states below this number would be in no transition")]
    FarState,
    /// A number does not fit.
    #[error("this number is too large")]
    TooLarge,
}

type Flawed<T> = Result<T, (Range<usize>, Flaw)>;

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

/// Whether nothing stands on a line.
pub(super) fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| is_space(*byte))
}

/// Goes along a line.
struct Scan<'l> {
    line: &'l [u8],
    at: usize,
}

impl Scan<'_> {
    fn skip_spaces(&mut self) {
        while self.line.get(self.at).is_some_and(|byte| is_space(*byte)) {
            self.at += 1;
        }
    }

    /// Goes past a text, and blanks before it.
    fn eat(&mut self, text: &[u8]) -> bool {
        self.skip_spaces();
        let found = self.line[self.at..].starts_with(text);
        if found {
            self.at += text.len();
        }
        found
    }

    /// The rest of the line, to be underlined; something, where nothing is left.
    fn rest(&self) -> Range<usize> {
        let end = self.line.iter().rposition(|byte| !is_space(*byte)).map_or(0, |at| at + 1);
        self.at.min(end.saturating_sub(1))..end
    }

    /// A number that is less than a limit. No number at all is `None`.
    fn number(&mut self, limit: u64) -> Flawed<Option<u64>> {
        self.skip_spaces();
        let start = self.at;
        let mut number: u64 = 0;
        while let Some(digit) = self.line.get(self.at).map(|byte| byte.wrapping_sub(b'0')) {
            if digit > 9 {
                break;
            }
            number = number.saturating_mul(10).saturating_add(u64::from(digit));
            self.at += 1;
        }
        match (self.at > start, number < limit) {
            (false, _) => Ok(None),
            (true, true) => Ok(Some(number)),
            (true, false) => Err((start..self.at, Flaw::TooLarge)),
        }
    }
}

/// States have numbers below this one.
const MOST_STATES: u64 = u32::MAX as u64;

/// The initial state, and how many transitions and states a header says that there are.
pub(super) fn header(line: &[u8]) -> Flawed<(u32, u64, u64)> {
    let mut scan = Scan { line, at: 0 };
    if !scan.eat(b"des") || !scan.eat(b"(") {
        return Err((scan.rest(), Flaw::NoDes));
    }
    let initial = scan.number(MOST_STATES)?;
    let mut numbers = [0; 2];
    for number in &mut numbers {
        if !scan.eat(b",") {
            return Err((scan.rest(), Flaw::NoNumbers));
        }
        *number = scan.number(u64::MAX)?.ok_or_else(|| (scan.rest(), Flaw::NoNumbers))?;
    }
    let closed = scan.eat(b")");
    scan.skip_spaces();
    match initial {
        Some(initial) if closed && scan.at == line.len() => {
            Ok((initial as u32, numbers[0], numbers[1]))
        }
        _ => Err((scan.rest(), Flaw::NoNumbers)),
    }
}

/// Where a transition comes from, its label without quotes, and where it leads.
pub(super) fn transition(line: &[u8]) -> Flawed<(u32, &str, u32)> {
    let mut scan = Scan { line, at: 0 };
    if !scan.eat(b"(") {
        return Err((scan.rest(), Flaw::NoOpening));
    }
    let from = scan.number(MOST_STATES)?.ok_or_else(|| (scan.rest(), Flaw::NoSource))?;
    if !scan.eat(b",") {
        return Err((scan.rest(), Flaw::NoComma));
    }
    let first = scan.at;
    let last = line[first..].iter().rposition(|byte| *byte == b',').map(|at| first + at);
    let Some(last) = last else {
        scan.skip_spaces();
        return Err((scan.rest(), Flaw::NoSecondComma));
    };
    let to = target(line, last + 1)?;
    Ok((from as u32, label(line, first, last)?, to))
}

fn target(line: &[u8], from: usize) -> Flawed<u32> {
    let mut scan = Scan { line, at: from };
    let number = scan.number(MOST_STATES)?.ok_or_else(|| (scan.rest(), Flaw::NoTarget))?;
    let after = scan.at;
    if scan.eat(b")") {
        scan.skip_spaces();
        if scan.at == line.len() {
            return Ok(number as u32);
        }
        return Err((scan.rest(), Flaw::NoClosing));
    }
    let has_more = line[after..].iter().any(|byte| byte.is_ascii_digit());
    let flaw = if has_more { Flaw::Probabilities } else { Flaw::NoClosing };
    Err((if has_more { from..scan.rest().end } else { scan.rest() }, flaw))
}

fn label(line: &[u8], from: usize, to: usize) -> Flawed<&str> {
    let bytes = line[from..to].trim_ascii();
    let bare = match bytes {
        [b'"', inside @ .., b'"'] => inside,
        [b'"', ..] => return Err((from..to, Flaw::OpenQuotes)),
        [] => return Err((from.saturating_sub(1)..to + 1, Flaw::NoLabel)),
        bare => bare,
    };
    std::str::from_utf8(bare).map_err(|_| (from..to, Flaw::NoText))
}
