//! Reads the Aldebaran format, piece by piece as it comes.
//!
//! `des (INITIAL, TRANSITIONS, STATES)`, and a line for each transition: `(FROM, LABEL, TO)`. A label goes from the first
//! comma to the last one, so that it may have commas in it, with or without quotes. The counts of the header are not
//! relied on.

use std::ops::Range;
use std::sync::Arc;

use super::line::{self, Flaw};
use super::problems::{
    AutProblem, BrokenHeader, BrokenTransition, OtherSilent, TooMany, WrongCounts,
};
use crate::diagnostics::{Diagnostic, Excerpt, SourceMap, Span};
use crate::lts::system::{LabelTable, Lts, LtsBuilder, LtsLabel, LtsState};

/// After so many problems nobody wants to see more.
const MOST_PROBLEMS: usize = 20;

/// Not more than this is shown of a line.
const LONGEST_SHOWN: usize = 2000;

/// So many states of which no transition speaks may be there, whatever else is.
const MOST_UNUSED: u64 = 1 << 16;

/// How some editors begin a file.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// Names that tools have for the silent action.
pub const SILENT_NAMES: [&str; 2] = ["tau", "i"];

/// What came of reading a file.
#[derive(Debug)]
pub struct AutRead {
    /// The system, unless something is broken.
    pub lts: Option<Lts>,
    /// How many lines there were for transitions. The system has fewer where some are the same.
    pub lines: u64,
    /// What is wrong or odd.
    pub diagnostics: Vec<Diagnostic>,
    /// The pieces of the file that these are about.
    pub sources: SourceMap,
}

/// The first line.
#[derive(Clone, Debug)]
struct Header {
    initial: u32,
    transitions: u64,
    states: u64,
    line: Place,
}

/// A line of the file, to be shown.
#[derive(Clone, Debug)]
struct Place {
    excerpt: Excerpt,
    text: Arc<str>,
}

/// Reads a file that is given piece by piece.
#[derive(Debug)]
pub struct AutReader {
    name: String,
    header: Option<Header>,
    builder: LtsBuilder,
    /// A line whose end has not come yet.
    rest: Vec<u8>,
    /// Where the next line begins.
    at: Excerpt,
    /// The largest state so far, and the line that speaks of it.
    farthest: Option<(u32, Place)>,
    /// A label that other tools have for the silent action: where it was met first.
    other_silent: Option<(Place, Range<usize>, &'static str)>,
    problems: Vec<AutProblem>,
    sources: SourceMap,
}

impl AutReader {
    /// `name` is what the file is called in messages; `silent` are the names of the silent action, at least one.
    pub fn new(name: &str, silent: &[String]) -> AutReader {
        let mut labels = LabelTable::new(silent.first().map_or("tau", String::as_str));
        silent.iter().for_each(|name| labels.also_silent(name));
        AutReader {
            name: name.to_owned(),
            header: None,
            builder: LtsBuilder::new(labels),
            rest: Vec::new(),
            at: Excerpt::default(),
            farthest: None,
            other_silent: None,
            problems: Vec::new(),
            sources: SourceMap::default(),
        }
    }

    /// What is shown of the file is put behind these sources, so that several files can be told of together.
    #[must_use]
    pub fn telling_in(mut self, sources: SourceMap) -> AutReader {
        self.sources = sources;
        self
    }

    /// The sources, where the file does not come to its end.
    pub fn into_sources(self) -> SourceMap {
        self.sources
    }

    /// The next piece of the file; whether it is worth going on.
    pub fn push(&mut self, piece: &[u8]) -> bool {
        let mut piece = piece;
        while let Some(end) = piece.iter().position(|byte| *byte == b'\n') {
            let (line, after) = (&piece[..end], &piece[end + 1..]);
            if self.rest.is_empty() {
                self.line(line, false);
            } else {
                let mut whole = std::mem::take(&mut self.rest);
                whole.extend_from_slice(line);
                self.line(&whole, false);
            }
            piece = after;
        }
        self.rest.extend_from_slice(piece);
        self.problems.len() < MOST_PROBLEMS
    }

    /// How many transitions there were so far.
    pub fn transitions(&self) -> usize {
        self.builder.transitions()
    }

    /// The file has ended.
    pub fn finish(mut self) -> AutRead {
        let last = std::mem::take(&mut self.rest);
        if !last.is_empty() {
            self.line(&last, true);
        }
        if self.header.is_none() && self.problems.is_empty() {
            let (span, _) = self.show(b"", 0..0);
            self.report(BrokenHeader { span, flaw: Flaw::NoHeader });
        }
        self.look_at_farthest();
        let is_whole = self.problems.is_empty();
        let lines = self.builder.transitions() as u64;
        if let (true, Some(header)) = (is_whole, self.header.take()) {
            self.builder.state(LtsState(header.initial));
            self.keep_said(header.states);
            self.look_at_counts(&header, lines);
            self.look_at_silent();
            let lts = self.builder.finish(LtsState(header.initial));
            return AutRead { lts: Some(lts), ..told(lines, &self.problems, self.sources) };
        }
        told(lines, &self.problems, self.sources)
    }

    fn line(&mut self, line: &[u8], is_cut: bool) {
        let line = match self.at.byte {
            0 => line.strip_prefix(MARK).unwrap_or(line),
            _ => line,
        };
        if self.problems.len() < MOST_PROBLEMS && !line::is_blank(line) {
            if self.header.is_none() {
                self.header(line);
            } else {
                self.transition(line, is_cut);
            }
        }
        self.at.line += 1;
        self.at.byte += line.len() as u64 + 1;
    }

    fn header(&mut self, line: &[u8]) {
        match line::header(line) {
            Ok((initial, transitions, states)) => {
                let excerpt = self.at;
                let text = shown(line).into();
                // A broken count is no reason to ask for all memory there is.
                self.builder.reserve(transitions.min(1 << 20) as usize);
                let line = Place { excerpt, text };
                self.header = Some(Header { initial, transitions, states, line });
            }
            Err((range, flaw)) => {
                let (span, _) = self.show(line, range);
                self.report(BrokenHeader { span, flaw });
                // What comes after a header that is not understood may still be.
                let line = Place { excerpt: self.at, text: "".into() };
                self.header = Some(Header { initial: 0, transitions: 0, states: 0, line });
            }
        }
    }

    fn transition(&mut self, line: &[u8], is_cut: bool) {
        match line::transition(line) {
            Ok((from, label, to)) if self.builder.transitions() < u32::MAX as usize => {
                let id = self.label(line, label);
                self.builder.add(LtsState(from), id, LtsState(to));
                self.note_farthest(from.max(to), line);
            }
            Ok(_) => {
                let (span, _) = self.show(line, 0..line.len());
                self.report(TooMany { span, what: "transitions" });
            }
            Err((range, Flaw::TooLarge)) => {
                let (span, _) = self.show(line, range);
                self.report(TooMany { span, what: "states" });
            }
            Err((range, flaw)) => {
                let (span, _) = self.show(line, range);
                self.report(BrokenTransition { span, flaw, is_cut });
            }
        }
    }

    /// Only states beyond those that may be without transitions are of interest, and mostly there are none.
    fn note_farthest(&mut self, state: u32, line: &[u8]) {
        let before = self.farthest.as_ref().map_or(MOST_UNUSED as u32, |(before, _)| *before);
        // Where states come in order, each is farther than the last: they are looked at in steps.
        if state > before.saturating_mul(2) || self.farthest.is_none() && state > before {
            let place = Place { excerpt: self.at, text: shown(line).into() };
            self.farthest = Some((state, place));
        }
    }

    /// A state that is far beyond all others would take memory for all those between.
    fn look_at_farthest(&mut self) {
        let (said, spoken) = (self.header.as_ref(), 2 * self.builder.transitions() as u64 + 1);
        let most = spoken.saturating_add(spoken.max(MOST_UNUSED));
        if let Some((state, place)) = self.farthest.take()
            && u64::from(state) >= most
        {
            let (_, span) = self.show_at(&place, 0..0);
            self.report(BrokenTransition { span, flaw: Flaw::FarState, is_cut: false });
        } else if let Some(header) = said.filter(|header| u64::from(header.initial) >= most) {
            let place = header.line.clone();
            let (_, span) = self.show_at(&place, 0..0);
            self.report(BrokenHeader { span, flaw: Flaw::FarState });
        }
    }

    fn label(&mut self, line: &[u8], label: &str) -> LtsLabel {
        let before = self.builder.labels.len();
        let id = self.builder.labels.intern(label);
        if self.builder.labels.len() > before && self.other_silent.is_none() {
            let other = SILENT_NAMES.into_iter().find(|name| *name == label);
            let at = other
                .and_then(|other| line.windows(other.len()).rposition(|w| w == other.as_bytes()));
            if let (Some(other), Some(at)) = (other, at) {
                let place = Place { excerpt: self.at, text: shown(line).into() };
                self.other_silent = Some((place, at..at + other.len(), other));
            }
        }
        id
    }

    /// Takes in a line to be shown, with a part of it.
    fn show(&mut self, line: &[u8], range: Range<usize>) -> (Span, Span) {
        let text = shown(line);
        self.show_at(&Place { excerpt: self.at, text: text.into() }, range)
    }

    /// The part, and the whole line.
    fn show_at(&mut self, place: &Place, range: Range<usize>) -> (Span, Span) {
        let added =
            self.sources.add_excerpt(self.name.clone(), Arc::clone(&place.text), place.excerpt);
        // There are few of them, and they are short.
        let whole = added
            .ok()
            .and_then(|at| self.sources.file(at))
            .map_or(Span::default(), |file| file.span());
        let clip = |at: usize| whole.start + (at as u32).min(whole.end - whole.start);
        (Span::new(clip(range.start), clip(range.end)), whole)
    }

    fn report(&mut self, problem: impl Into<AutProblem>) {
        self.problems.push(problem.into());
    }

    /// States that no transition speaks of are kept, unless there are so many that this must be a mistake.
    fn keep_said(&mut self, said: u64) {
        let found = self.builder.states() as u64;
        if found < said && said - found <= found.max(MOST_UNUSED) {
            self.builder.state(LtsState(said as u32 - 1));
        }
    }

    fn look_at_counts(&mut self, header: &Header, lines: u64) {
        let states = self.builder.states() as u64;
        if (header.transitions, header.states) == (lines, states) {
            return;
        }
        let end = header.line.text.trim_end().len();
        let (span, _) = self.show_at(&header.line, 0..end);
        let said = (header.transitions, header.states);
        self.report(WrongCounts { span, said, found: (lines, states) });
    }

    fn look_at_silent(&mut self) {
        // Where some steps are silent, the names of silent actions were chosen well.
        if let (false, Some((place, range, name))) =
            (self.builder.has_silent(), self.other_silent.take())
        {
            let (span, _) = self.show_at(&place, range);
            let silent = self.builder.labels.text(LtsLabel::SILENT).to_owned();
            self.report(OtherSilent { span, name, silent });
        }
    }
}

fn told(lines: u64, problems: &[AutProblem], sources: SourceMap) -> AutRead {
    let diagnostics = problems.iter().map(AutProblem::diagnose).collect();
    AutRead { lts: None, lines, diagnostics, sources }
}

/// A line as a text, not more of it than can be shown.
fn shown(line: &[u8]) -> String {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let clipped = &line[..line.len().min(LONGEST_SHOWN)];
    // One character for each byte that is none, so that places stay where they are for all that is ASCII.
    String::from_utf8_lossy(clipped).replace(char::REPLACEMENT_CHARACTER, "?")
}
