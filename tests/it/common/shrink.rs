//! Smaller inputs that fail in the same way: what a failing random test shows.
//!
//! [`smallest`] is the search, for anything that can be made smaller; [`reduced`] is it on models as texts, of which
//! statements are left out, alone or in blocks, where the library's own cutter finds them. [`report`] is what a test
//! says of a model that fails.

use std::cell::Cell;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;
use std::time::{Duration, Instant};

use pnetc::syntax::cut;
use pnetc::syntax::token::{Token, lex};

use super::seeds::keep;

/// More candidates than this are not tried, nor for longer.
const MOST_TRIES: usize = 1_500;
const LONGEST: Duration = Duration::from_secs(20);

/// What can be left out is left out, as long as `fails` says that what is left still does.
///
/// Candidates are tried in the order in which `smaller` gives them, each turn from where the last one stopped: what
/// could not be left out a moment ago mostly still cannot. It ends when a whole turn finds nothing.
pub fn smallest<T: Clone>(
    first: &T,
    smaller: impl Fn(&T) -> Vec<T>,
    mut fails: impl FnMut(&T) -> bool,
) -> T {
    let (mut best, mut from, mut tries, started) = (first.clone(), 0, 0, Instant::now());
    loop {
        let all = smaller(&best);
        let turn = (0..all.len()).map(|at| (at + from) % all.len());
        let found = turn.into_iter().find(|&at| {
            tries += 1;
            tries <= MOST_TRIES && started.elapsed() < LONGEST && fails(&all[at])
        });
        match found {
            Some(at) => (best, from) = (all[at].clone(), at),
            None => return best,
        }
    }
}

/// The statements of a text as ranges of bytes, in order: declarations, and after each what stands in its block.
pub fn statements(text: &str) -> Vec<Range<usize>> {
    let (lexed, _) = lex(text, 0);
    let tokens = &lexed.tokens;
    let (mut all, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        let inner = block(tokens, at);
        let end = match (&inner, tokens[at]) {
            (Some((_, end)), _) => *end,
            (None, Token::Enum | Token::Data | Token::Interface) => cut::braced_end(tokens, at).0,
            (None, _) => cut::item_end(tokens, at).0,
        };
        let end = end.max(at + 1);
        all.push(at..end);
        all.extend(inner.into_iter().flat_map(|(inner, _)| inner));
        at = end;
    }
    // What stands before a statement, as its comments do, goes with it.
    let end = |at: usize| lexed.spans[at].end as usize;
    let byte = |range: Range<usize>| range.start.checked_sub(1).map_or(0, end)..end(range.end - 1);
    all.into_iter().map(byte).collect()
}

/// The statements in the block of a process, net, relation, scenario or invariant, and where it ends.
fn block(tokens: &[Token], start: usize) -> Option<(Vec<Range<usize>>, usize)> {
    let is_block = match tokens[start] {
        Token::Process
        | Token::Relation
        | Token::Scenario
        | Token::Invariant
        | Token::Reduction
        | Token::Connector
        | Token::Architecture => true,
        Token::Net => !cut::is_alias(tokens, start),
        _ => false,
    };
    let mut at = cut::block_start(tokens, start).filter(|_| is_block)? + 1;
    let mut all = Vec::new();
    while at < tokens.len() && tokens[at] != Token::CloseBrace {
        let (end, _) = match tokens[start] {
            Token::Scenario => cut::step_end(tokens, at),
            Token::Invariant => cut::condition_end(tokens, at),
            Token::Architecture if tokens[at] == Token::Rule => rule_end(tokens, at),
            first => cut::inner_end(tokens, at, first == Token::Relation),
        };
        let end = end.max(at + 1);
        all.push(at..end);
        at = end;
    }
    Some((all, (at + 1).min(tokens.len())))
}

/// The end of a rule of an architecture.
fn rule_end(tokens: &[Token], start: usize) -> (usize, cut::Ending) {
    let mut braces = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        match token {
            Token::OpenBrace => braces += 1,
            Token::CloseBrace if braces <= 1 => return (at + 1, cut::Ending::Proper),
            Token::CloseBrace => braces -= 1,
            _ => {}
        }
    }
    (tokens.len(), cut::Ending::Missing)
}

/// A text without some ranges, which may overlap, and without the lines that are empty then.
fn without(text: &str, ranges: &[Range<usize>]) -> String {
    let (mut left, mut at) = (String::new(), 0);
    for range in ranges {
        left.push_str(&text[at..range.start.max(at)]);
        at = at.max(range.end);
    }
    left.push_str(&text[at..]);
    let lines = left.lines().filter(|line| !line.trim().is_empty());
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// The texts with some statements left out that stand together: large blocks first, and the last ones first, as what
/// is declared is used further down.
fn shorter(text: &str) -> Vec<String> {
    let all = statements(text);
    let sizes = std::iter::successors(Some(all.len() / 2), |size| Some(size / 2));
    // All texts are there at once: of a large one, only few.
    let fits = |size: &usize| (all.len() / size + 1) * text.len() < 1 << 28;
    let sizes: Vec<usize> = sizes.take_while(|&size| size > 1).chain([1]).filter(fits).collect();
    let blocks = |size: usize| all.chunks(size).rev().map(|block| without(text, block));
    if all.is_empty() { Vec::new() } else { sizes.into_iter().flat_map(blocks).collect() }
}

/// What kind of failure it is: its words up to what is particular to a model. A smaller model that fails with other
/// words shows something else.
fn kind(why: &str) -> String {
    why.chars().take_while(|c| c.is_alphabetic() || matches!(c, ' ' | ',' | '-')).collect()
}

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Does something that may panic many times, and whose panics were all shown before.
fn quietly<R>(work: impl FnOnce() -> R) -> R {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let shown = take_hook();
        set_hook(Box::new(move |panic| {
            if !QUIET.get() {
                shown(panic);
            }
        }));
    });
    QUIET.set(true);
    let found = work();
    QUIET.set(false);
    found
}

/// How a text fails, where it does; a panic is a failure, too.
fn failure(text: &str, check: &impl Fn(&str) -> Result<(), String>) -> Option<String> {
    match quietly(|| catch_unwind(AssertUnwindSafe(|| check(text)))) {
        Ok(result) => result.err(),
        Err(panic) => Some(match panic.downcast_ref::<String>() {
            Some(words) => format!("panics with {words}"),
            None => format!("panics with {}", panic.downcast_ref::<&str>().unwrap_or(&"something")),
        }),
    }
}

/// The text with statements left out, as long as `check` fails on it in the same way as on the whole; the whole text
/// where it does not fail. What is no model any more must pass.
pub fn reduced(text: &str, check: impl Fn(&str) -> Result<(), String>) -> String {
    let Some(why) = failure(text, &check) else { return text.to_owned() };
    let kind_of = kind(&why);
    let same = |text: &String| failure(text, &check).is_some_and(|why| kind(&why) == kind_of);
    smallest(&text.to_owned(), |text| shorter(text), same)
}

/// Checks a model. Where that fails or panics: what a test says of it, with the smallest text that fails in the same
/// way, and where the whole model is. `check` passes what is no model.
pub fn tried<R>(
    label: &str,
    text: &str,
    check: impl Fn(&str) -> Result<R, String>,
) -> Result<R, String> {
    let result = catch_unwind(AssertUnwindSafe(|| check(text)));
    if let Ok(Ok(found)) = result {
        return Ok(found);
    }
    let check = |text: &str| check(text).map(drop);
    let why = failure(text, &check).unwrap_or_else(|| "does not fail again".to_owned());
    Err(said(label, text, &reduced(text, check), &why))
}

/// What is said of a model that fails.
pub fn said(label: &str, whole: &str, small: &str, why: &str) -> String {
    let path = keep(label, whole.as_bytes()).display().to_string();
    format!("{label}: {why}\nthe whole model is in {path}; of it, this is enough:\n{small}")
}
