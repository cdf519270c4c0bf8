//! What to say about a token that does not fit: the mistake that was probably made, in words.

use super::cut::{self, Unpaired};
use super::elsewhere;
use super::problems::{
    ChainedComparison, KeywordAsName, SyntaxProblem, UnclosedBracket, UnexpectedToken,
    UnmatchedBracket, WrongEquals,
};
use super::statement::Misfit;
use super::token::{CONTEXTUAL, FormulaWord, Token, is_formula_word};
use crate::diagnostics::Span;

/// The statement in which something did not fit.
#[derive(Clone, Copy)]
pub struct Context<'t> {
    /// Its tokens.
    pub tokens: &'t [Token],
    /// Their places.
    pub spans: &'t [Span],
    /// The place just after it, and the token there.
    pub next: (Span, Option<Token>),
    /// The text of the file, and the offset of its first byte.
    pub source: (&'t str, u32),
    /// What the end of the text is called.
    pub ends: &'static str,
    /// The `;` of the transition before it, and what to write there for an assignment to follow.
    pub joint: Option<(Span, &'static str)>,
}

impl Context<'_> {
    /// The index of the token at this place.
    pub fn index(&self, span: Span) -> Option<usize> {
        // Where something was mended, tokens may stand out of order.
        self.spans.iter().position(|one| *one == span)
    }

    /// The text at a place.
    pub fn text(&self, span: Span) -> String {
        let (text, base) = self.source;
        let range = (span.start - base) as usize..(span.end - base) as usize;
        text.get(range).unwrap_or_default().to_owned()
    }

    fn found(&self, misfit: &Misfit) -> (Span, Option<Token>) {
        let known = misfit.at.and_then(|span| Some((span, *self.tokens.get(self.index(span)?)?)));
        known.map_or(self.next, |(span, token)| (span, Some(token)))
    }
}

/// A token that would make the statement fit, with the problem to report.
pub fn replacement(misfit: &Misfit, context: Context<'_>) -> Option<(usize, Token, SyntaxProblem)> {
    let span = misfit.at?;
    let index = context.index(span)?;
    let found = context.tokens[index];
    let expects = |terminal: &str| expects(misfit, terminal);
    let meant = match found {
        Token::Equal | Token::EqualEqual if expects(":=") => Token::Assign,
        Token::Equal if expects("==") => Token::EqualEqual,
        Token::EqualEqual | Token::Assign if expects("=") => Token::Equal,
        Token::Assign if expects("==") => Token::EqualEqual,
        _ => return None,
    };
    let problem = WrongEquals { span, meant: meant.to_string(), found: found.to_string() };
    Some((index, meant, problem.into()))
}

/// The problem to report for a misfit that nothing mends.
pub fn describe(misfit: &Misfit, context: Context<'_>) -> SyntaxProblem {
    let (span, found) = context.found(misfit);
    if let Some(token) = found
        && token.is_keyword()
        && wants_only_a_name(misfit)
    {
        return KeywordAsName { span, word: token.to_string() }.into();
    }
    // The `{` at the end of a head is closed further down.
    let bracketed = match context.tokens {
        [head @ .., Token::OpenBrace] => head,
        all => all,
    };
    match cut::unpaired(bracketed) {
        Some(Unpaired::Open(index)) => {
            let open = context.tokens[index];
            let close = cut::partner(open).map(|close| close.to_string()).unwrap_or_default();
            let (noticed, open) = (span, open.to_string());
            return UnclosedBracket { span: context.spans[index], open, close, noticed }.into();
        }
        Some(Unpaired::Close(index)) => {
            let close = context.tokens[index].to_string();
            return UnmatchedBracket { span: context.spans[index], close, closes: None }.into();
        }
        None => {}
    }
    let seems_chained = found.is_some_and(compares) && expects(misfit, "and");
    if seems_chained && part_like_word(context).is_none() {
        return ChainedComparison { span }.into();
    }
    let note = note_for(found, misfit, context);
    let found = found.map_or_else(|| context.ends.to_owned(), |token| in_words(Some(token)));
    UnexpectedToken { span, found, expected: expectations(misfit), note }.into()
}

fn note_for(found: Option<Token>, misfit: &Misfit, context: Context<'_>) -> Option<String> {
    if is_filled_with_value(found, misfit, context) {
        let note = "values stand in angle brackets, as in `Clock<3>`; in parentheses stands what fills holes";
        return Some(note.to_owned());
    }
    if let Some(word) = part_like_word(context) {
        return Some(format!(
            "`{word}` is a word of formulas: a part of this name is written `` `{word}`[…] ``"
        ));
    }
    let in_quantifier = context.tokens.iter().any(|t| matches!(t, Token::Forall | Token::Exists));
    let note = match found {
        Some(Token::SpacedDot) if !is_repeated(misfit, context) => {
            "a path has no white space around its dots"
        }
        Some(Token::If | Token::Forall | Token::Exists) => {
            "put the `if` or the quantifier in parentheses to use it as an operand"
        }
        _ if in_quantifier && expects(misfit, " . ") => {
            "put white space around the `.` that ends the variables of a quantifier"
        }
        Some(Token::CloseBracket | Token::CloseDiamond) if is_empty_modality(misfit, context) => {
            "`[]` and `<>` of other languages are `G` (always) and `F` (some time) here"
        }
        Some(Token::And | Token::Or | Token::Implies) if has_until(context) => {
            "`U` and `W` stand between two operands: write parentheses, as in `(p and q) U r`"
        }
        Some(Token::Formula(FormulaWord::Until | FormulaWord::WeakUntil))
            if has_until_before(misfit, context) =>
        {
            "`U` and `W` stand between two operands: write parentheses, as in `p U (q U r)`"
        }
        Some(Token::Formula(FormulaWord::Mu | FormulaWord::Nu | FormulaWord::After)) => {
            "put the fixpoint, or `after p => f`, in parentheses to use it as an operand"
        }
        _ => {
            let at = misfit.at.and_then(|span| context.index(span));
            let at = at.unwrap_or(context.tokens.len());
            return elsewhere::note(context.tokens, at)
                .or_else(|| count_form(context).map(str::to_owned))
                .or_else(|| holds_form(at, misfit, context).map(str::to_owned));
        }
    };
    Some(note.to_owned())
}

/// A word of formulas that seems to be meant as a family: `A[i].x`, `F[0] in s`.
fn part_like_word(context: Context<'_>) -> Option<String> {
    let (text, base) = context.source;
    let is_part = |span: Span| -> Option<bool> {
        let inside = text.get((span.end - base) as usize..)?.strip_prefix('[')?;
        let mut depth = 1;
        let end = inside.find(|sign: char| {
            depth += i32::from(sign == '[') - i32::from(sign == ']');
            depth == 0 || sign == ';'
        })?;
        let after = inside.get(end..)?.strip_prefix(']')?;
        let is_name = |sign: char| sign.is_alphabetic() || sign == '_' || sign == '`';
        let has_part = after.strip_prefix('.').is_some_and(|rest| rest.starts_with(is_name));
        Some(has_part || after.trim_start().starts_with("in "))
    };
    let words = context.tokens.iter().zip(context.spans);
    let mut words =
        words.filter(|(token, _)| matches!(token, Token::Formula(word) if word.is_operator()));
    words.find(|(_, span)| is_part(**span) == Some(true)).map(|(_, span)| context.text(*span))
}

/// Whether a `*` stands before what does not fit.
fn is_repeated(misfit: &Misfit, context: Context<'_>) -> bool {
    let at = misfit.at.and_then(|span| context.index(span));
    let before = at.and_then(|at| at.checked_sub(1)).and_then(|at| context.tokens.get(at));
    before == Some(&Token::Star)
}

/// Whether the brackets of a modality have nothing between them.
fn is_empty_modality(misfit: &Misfit, context: Context<'_>) -> bool {
    let at = misfit.at.and_then(|span| context.index(span));
    let before = at.and_then(|at| at.checked_sub(1)).and_then(|at| context.tokens.get(at));
    matches!(before, Some(Token::OpenBox | Token::OpenDiamond))
}

fn has_until(context: Context<'_>) -> bool {
    use FormulaWord::{Until, WeakUntil};
    context.tokens.iter().any(|token| matches!(token, Token::Formula(Until | WeakUntil)))
}

/// Whether an `U` or `W` stands before what does not fit.
fn has_until_before(misfit: &Misfit, context: Context<'_>) -> bool {
    use FormulaWord::{Until, WeakUntil};
    let at = misfit.at.and_then(|span| context.index(span)).unwrap_or(context.tokens.len());
    let mut before = context.tokens.iter().take(at);
    before.any(|token| matches!(token, Token::Formula(Until | WeakUntil)))
}

/// How a check is written that counts, where something does not fit in it.
fn count_form(context: Context<'_>) -> Option<&'static str> {
    let is_before = |token: &&Token| matches!(token, Token::Check | Token::Not);
    match context.tokens.iter().find(|token| !is_before(token))? {
        Token::Mutex => Some(
            "it is written `mutex(S, P in s)`, or `mutex(S, P in s or Q in t)` to count several",
        ),
        Token::AtMost => Some("it is written `at_most(S, 2, P in s)`"),
        _ => None,
    }
}

/// How a check of a formula is written, where the formula or the braces of what is fair are missing.
fn holds_form(at: usize, misfit: &Misfit, context: Context<'_>) -> Option<&'static str> {
    let before = at.checked_sub(1).and_then(|at| context.tokens.get(at))?;
    let checks = context.tokens.contains(&Token::Formula(FormulaWord::Holds));
    if matches!(before, Token::Formula(FormulaWord::Fair)) && expects(misfit, "{") {
        return Some("what is fair stands in braces, as in `fair { go, pass(_) }`");
    }
    (checks && expects(misfit, ",") && context.tokens.get(at) == Some(&Token::CloseParen))
        .then_some("it is written `holds(S, f)`, where `f` is what is claimed of `S`, as in `holds(S, G not fail)`")
}

/// Whether a value stands where the holes of an instance are filled: `Semaphore(0)`.
fn is_filled_with_value(found: Option<Token>, misfit: &Misfit, context: Context<'_>) -> bool {
    let is_value = matches!(found, Some(Token::Number(_) | Token::True | Token::False));
    let at = misfit.at.and_then(|span| context.index(span));
    let before = |back: usize| at?.checked_sub(back).and_then(|at| context.tokens.get(at));
    is_value
        && expects(misfit, "name")
        && !expects(misfit, "number")
        && before(1) == Some(&Token::OpenParen)
        && before(2).is_some_and(|token| token.as_name().is_some())
}

/// Whether this terminal would have fitted.
pub fn expects(misfit: &Misfit, terminal: &str) -> bool {
    misfit.expected.iter().any(|one| one.trim_matches('"') == terminal)
}

fn compares(token: Token) -> bool {
    use Token::*;
    matches!(token, EqualEqual | NotEqual | Less | LessEqual | Greater | GreaterEqual | In | Is)
}

fn is_contextual(terminal: &str) -> bool {
    CONTEXTUAL.iter().any(|(word, _)| *word == terminal)
}

fn wants_only_a_name(misfit: &Misfit) -> bool {
    let mut all = misfit.expected.iter().map(|one| one.trim_matches('"'));
    let names = |one: &str| one == "name" || is_contextual(one);
    expects(misfit, "name") && all.all(|one| names(one) || matches!(one, "}" | ")" | ">"))
}

/// A token in words.
pub fn in_words(token: Option<Token>) -> String {
    match token {
        None => "the end of the file".to_owned(),
        Some(Token::Number(digits)) => format!("the number `{digits}`"),
        Some(token) if token.is_keyword() => format!("the keyword `{token}`"),
        Some(token) => format!("`{token}`"),
    }
}

/// What would have fitted, in words: the many tokens that start or go on with an expression are one thing.
fn expectations(misfit: &Misfit) -> Vec<String> {
    let expression = expects(misfit, "number") && expects(misfit, "true");
    let operator = expects(misfit, "+") && expects(misfit, "*");
    let starts_expression = |one: &str| {
        matches!(
            one,
            "number"
                | "true"
                | "false"
                | "tau"
                | "?"
                | "_"
                | "("
                | "{"
                | "["
                | "match"
                | "sync"
                | "co"
                | "-"
                | "if"
                | "forall"
                | "exists"
                | "let"
                | "not"
                | "name"
        )
    };
    let goes_on = |one: &str| {
        matches!(
            one,
            "+" | "-"
                | "*"
                | "div"
                | "mod"
                | "quot"
                | "rem"
                | "with"
                | "and"
                | "or"
                | "=>"
                | "=="
                | "!="
                | "<"
                | "<="
                | ">="
                | "is"
                | "in"
                | "not"
                | "["
                | "."
                | "("
        )
    };
    let mut words: Vec<String> = Vec::new();
    if expression {
        words.push("an expression".to_owned());
    }
    let mut signs: Vec<String> = Vec::new();
    for one in misfit.expected.iter().map(|one| one.trim_matches('"')) {
        // Words and brackets of formulas are told by the rest, outside of formulas they do not stand at all.
        let hidden = is_contextual(one) && expects(misfit, "name")
            || is_formula_word(one)
            || one.contains("of ")
            || one == "any" && expression
            || one.starts_with('«')
            || expression && starts_expression(one)
            || operator && goes_on(one);
        match one {
            _ if hidden => {}
            "name" => words.push("a name".to_owned()),
            "number" => words.push("a number".to_owned()),
            "text" => words.push("a text between quotes".to_owned()),
            " . " => signs.push("`.`".to_owned()),
            // An opening bracket is one, whatever it opens.
            " [" if expects(misfit, "[") => {}
            " [" => signs.push("`[`".to_owned()),
            _ => signs.push(format!("`{one}`")),
        }
    }
    if operator {
        words.push("an operator".to_owned());
    }
    words.extend(signs);
    words
}
