//! Mistakes in tokens and in the shape of statements.

use std::ops::Range;

use pnetc::diagnostics::Span;
use pnetc::syntax::ast::ItemKind;
use pnetc::syntax::token::Token;

use super::{Base, Kind, Plant, Statement, What, range};
use crate::common::Random;

pub const KINDS: &[Kind] = &[
    ("missing semicolon", missing_semicolon),
    ("missing }", missing_close_brace),
    ("missing {", missing_open_brace),
    ("missing )", missing_close_paren),
    ("superfluous )", extra_close_paren),
    ("superfluous }", extra_close_brace),
    ("missing comma", missing_comma),
    ("missing colon", missing_colon),
    ("wrong arrow", wrong_arrow),
    ("misspelt keyword of a declaration", misspelt_item_keyword),
    ("misspelt keyword of a statement", misspelt_statement_keyword),
    ("misspelt keyword of a clause", misspelt_clause_keyword),
    ("= for :=", equals_for_assign),
    ("= for ==", equals_for_equality),
    ("&& for and", foreign_logic),
    ("/ for div", foreign_arithmetic),
    ("keyword as a name", keyword_as_name),
    ("strange character", strange_character),
    ("letters in a number", bad_number),
    ("unclosed string", unclosed_string),
    ("unclosed comment", unclosed_comment),
    ("chained comparison", chained_comparison),
    ("statement in the wrong block", misplaced_statement),
];

/// A token of this kind in a statement, with the statement.
fn token_in(
    base: &Base,
    random: &mut Random,
    fits: impl Fn(&Statement<'_>, Token) -> bool,
) -> Option<(Range<usize>, Token, Span)> {
    let mut found = Vec::new();
    for statement in base.statements() {
        for (token, span) in base.tokens(&statement.range) {
            if fits(&statement, token) {
                found.push((statement.range.clone(), token, span));
            }
        }
    }
    random.pick_some(&found).cloned()
}

fn in_block(statement: &Statement<'_>) -> bool {
    !matches!(statement.what, What::Item(_))
}

/// The start of the first token after a place.
fn next_token(base: &Base, at: usize) -> usize {
    let next = base.lexed.spans.iter().find(|span| range(**span).start >= at);
    next.map_or(base.text.len(), |span| range(*span).start)
}

fn missing_semicolon(base: &Base, random: &mut Random) -> Option<Plant> {
    let (statement, _, span) = token_in(base, random, |_, token| token == Token::Semicolon)?;
    let at = range(span);
    let mut plant = base.in_statement(
        "missing semicolon",
        &statement,
        (at.clone(), String::new()),
        &["P0002", "P0001"],
    );
    // It may be noticed at the next token.
    let next = next_token(base, at.end);
    plant.lines = vec![base.line(at.start)..base.line(next) + 1];
    plant.regions.push(at.end..next + 1);
    Some(plant)
}

/// A declaration with a block: its number, its head, and its `}`.
fn block(base: &Base, random: &mut Random) -> Option<(usize, Range<usize>, Range<usize>)> {
    let all: Vec<_> = (0..base.module.items.len())
        .filter_map(|item| {
            let end = range(base.module.items[item].span).end;
            Some((item, base.head(item)?, end - 1..end))
        })
        .collect();
    random.pick_some(&all).cloned()
}

fn missing_close_brace(base: &Base, random: &mut Random) -> Option<Plant> {
    let (_, head, close) = block(base, random)?;
    let next = next_token(base, close.end);
    let next_line_end =
        base.text[next..].find('\n').map_or(base.text.len(), |length| next + length);
    Some(Plant {
        kind: "missing }",
        edits: vec![(close.clone(), String::new())],
        // What comes next is where it becomes clear.
        regions: vec![head.clone(), close, next..next_line_end],
        codes: &["P0003", "P0001", "P0004"],
        lines: vec![base.lines(&head), base.line(next)..base.line(next) + 1],
    })
}

fn missing_open_brace(base: &Base, random: &mut Random) -> Option<Plant> {
    let (_, head, _) = block(base, random)?;
    let next = next_token(base, head.end);
    let next_line_end =
        base.text[next..].find('\n').map_or(base.text.len(), |length| next + length);
    Some(Plant {
        kind: "missing {",
        edits: vec![(head.end - 1..head.end, String::new())],
        regions: vec![head.clone(), next..next_line_end],
        codes: &["P0001", "P0003"],
        lines: vec![base.line(head.start)..base.line(next) + 1],
    })
}

fn missing_close_paren(base: &Base, random: &mut Random) -> Option<Plant> {
    let (statement, _, span) = token_in(base, random, |_, token| token == Token::CloseParen)?;
    let codes = &["P0003", "P0001", "P0004"];
    Some(base.in_statement("missing )", &statement, (range(span), String::new()), codes))
}

fn extra_close_paren(base: &Base, random: &mut Random) -> Option<Plant> {
    let (statement, _, span) = token_in(base, random, |_, token| token.as_name().is_some())?;
    let at = range(span).end;
    let codes = &["P0004", "P0001", "P0003"];
    Some(base.in_statement("superfluous )", &statement, (at..at, ")".to_owned()), codes))
}

fn extra_close_brace(base: &Base, random: &mut Random) -> Option<Plant> {
    let (_, _, close) = block(base, random)?;
    let at = close.end;
    let line = base.line(close.start);
    Some(Plant {
        kind: "superfluous }",
        edits: vec![(at..at, " }".to_owned())],
        regions: vec![close],
        codes: &["P0004", "P0001"],
        lines: vec![line..line + 1],
    })
}

fn missing_comma(base: &Base, random: &mut Random) -> Option<Plant> {
    let (statement, _, span) = token_in(base, random, |_, token| token == Token::Comma)?;
    // `a, -1` without its comma is a subtraction, `a, (b)` a call.
    let next = base.text[range(span).end..].trim_start();
    if next.starts_with(['-', '(', '[', '<']) {
        return None;
    }
    let codes = &["P0001", "P0003", "P0002"];
    Some(base.in_statement("missing comma", &statement, (range(span), " ".to_owned()), codes))
}

fn missing_colon(base: &Base, random: &mut Random) -> Option<Plant> {
    let (statement, _, span) = token_in(base, random, |_, token| token == Token::Colon)?;
    let codes = &["P0001", "P0003"];
    Some(base.in_statement("missing colon", &statement, (range(span), " ".to_owned()), codes))
}

fn wrong_arrow(base: &Base, random: &mut Random) -> Option<Plant> {
    let (statement, _, span) = token_in(base, random, |_, token| token == Token::Arrow)?;
    let sign = *random.pick(&["=>", "-", ">"]);
    let codes = &["P0001", "P0003", "P0012", "P0014"];
    Some(base.in_statement("wrong arrow", &statement, (range(span), sign.to_owned()), codes))
}

/// A keyword with a letter too few, too many, or in the wrong place.
fn misspelt_word(random: &mut Random, word: &str) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    let at = random.below(letters.len() - 1);
    match random.below(3) {
        0 if letters.len() > 3 => {
            letters.remove(at + 1);
        }
        1 if letters[at] != letters[at + 1] => letters.swap(at, at + 1),
        _ => letters.insert(at + 1, letters[at]),
    }
    letters.into_iter().collect()
}

fn misspelt_item_keyword(base: &Base, random: &mut Random) -> Option<Plant> {
    let kind = "misspelt keyword of a declaration";
    let item = random.below(base.module.items.len());
    let whole = range(base.module.items[item].span);
    if matches!(base.module.items[item].kind, ItemKind::Axiom(_)) {
        return None;
    }
    let (token, span) = *base.tokens(&whole).first()?;
    let word = misspelt_word(random, token.spelling()?);
    let region = base.head(item).unwrap_or(whole);
    let codes = &["P0013", "P0001", "P0002", "P0008"];
    let mut plant = base.in_statement(kind, &region, (range(span), word), codes);
    let line = base.line(region.start);
    plant.lines = vec![line..line + 1];
    Some(plant)
}

fn misspelt_statement_keyword(base: &Base, random: &mut Random) -> Option<Plant> {
    let kind = "misspelt keyword of a statement";
    let words =
        [Token::State, Token::Var, Token::Sub, Token::Connect, Token::Priority, Token::Init];
    let is_word = |_: &Statement<'_>, token: Token| words.contains(&token);
    let (statement, token, span) = token_in(base, random, is_word)?;
    let word = misspelt_word(random, token.spelling()?);
    let codes = &["P0013", "P0001", "P0002"];
    Some(base.in_statement(kind, &statement, (range(span), word), codes))
}

fn misspelt_clause_keyword(base: &Base, random: &mut Random) -> Option<Plant> {
    let kind = "misspelt keyword of a clause";
    let words =
        [Token::When, Token::Do, Token::For, Token::Then, Token::Else, Token::Match, Token::And];
    let is_word = |_: &Statement<'_>, token: Token| words.contains(&token);
    let (statement, token, span) = token_in(base, random, is_word)?;
    let word = misspelt_word(random, token.spelling()?);
    let codes = &["P0001", "P0013", "P0002", "P0003"];
    Some(base.in_statement(kind, &statement, (range(span), word), codes))
}

fn equals_for_assign(base: &Base, random: &mut Random) -> Option<Plant> {
    let (statement, _, span) = token_in(base, random, |_, token| token == Token::Assign)?;
    Some(base.in_statement("= for :=", &statement, (range(span), "=".to_owned()), &["P0007"]))
}

fn equals_for_equality(base: &Base, random: &mut Random) -> Option<Plant> {
    let is_sign = |s: &Statement<'_>, token: Token| token == Token::EqualEqual && in_block(s);
    let (statement, _, span) = token_in(base, random, is_sign)?;
    Some(base.in_statement(
        "= for ==",
        &statement,
        (range(span), "=".to_owned()),
        &["P0007", "P0001"],
    ))
}

fn foreign_logic(base: &Base, random: &mut Random) -> Option<Plant> {
    let fits = |_: &Statement<'_>, token: Token| matches!(token, Token::And | Token::Or);
    let (statement, token, span) = token_in(base, random, fits)?;
    let sign = if token == Token::And { "&&" } else { "||" };
    Some(base.in_statement("&& for and", &statement, (range(span), sign.to_owned()), &["P0012"]))
}

fn foreign_arithmetic(base: &Base, random: &mut Random) -> Option<Plant> {
    let fits = |_: &Statement<'_>, token: Token| matches!(token, Token::Div | Token::Mod);
    let (statement, token, span) = token_in(base, random, fits)?;
    let sign = if token == Token::Div { "/" } else { "%" };
    Some(base.in_statement("/ for div", &statement, (range(span), sign.to_owned()), &["P0012"]))
}

fn keyword_as_name(base: &Base, random: &mut Random) -> Option<Plant> {
    const WORDS: &[&str] =
        &["is", "for", "do", "any", "when", "match", "then", "not", "and", "mod", "forall", "true"];
    let statements = base.statements();
    let fits = |s: &&Statement<'_>| {
        matches!(s.what, What::Var(_) | What::State(_) | What::Item(ItemKind::Action(_)))
    };
    let statements: Vec<_> = statements.iter().filter(fits).collect();
    let statement = random.pick_some(&statements)?;
    let word = *random.pick(WORDS);
    let text = match statement.what {
        What::Var(_) => format!("var {word}: Int = 0;"),
        What::State(_) => format!("state {word};"),
        _ => format!("action {word};"),
    };
    Some(base.after("keyword as a name", &statement.range, text, &["P0006", "P0001"]))
}

fn strange_character(base: &Base, random: &mut Random) -> Option<Plant> {
    // White space beside the dot of a path would be a mistake of its own.
    let (statement, _, span) = token_in(base, random, |_, _| true)?;
    let at = range(span).start;
    if base.text[..at].ends_with('.') || base.text[at..].starts_with('.') {
        return None;
    }
    let sign = *random.pick(&["§", "$", "€", "¶"]);
    let mut plant = base.in_statement(
        "strange character",
        &statement,
        (at..at, format!(" {sign} ")),
        &["L0001"],
    );
    plant.lines = vec![base.line(at)..base.line(at) + 1];
    Some(plant)
}

fn bad_number(base: &Base, random: &mut Random) -> Option<Plant> {
    let (statement, _, span) =
        token_in(base, random, |_, token| matches!(token, Token::Number(_)))?;
    let at = range(span).end;
    Some(base.in_statement(
        "letters in a number",
        &statement,
        (at..at, "km".to_owned()),
        &["L0005"],
    ))
}

/// Where another declaration can be put: after a declaration of the head of the file.
fn among_first(base: &Base, random: &mut Random) -> Option<Range<usize>> {
    let statements = base.statements();
    let fits = |s: &&Statement<'_>| {
        matches!(
            s.what,
            What::Item(
                ItemKind::Import(_) | ItemKind::Module(_) | ItemKind::Sort(_) | ItemKind::Const(_)
            )
        )
    };
    let fitting: Vec<_> = statements.iter().filter(fits).collect();
    Some(random.pick_some(&fitting)?.range.clone())
}

fn unclosed_string(base: &Base, random: &mut Random) -> Option<Plant> {
    let statement = among_first(base, random)?;
    let text = "import \"./more.pnet;".to_owned();
    Some(base.after("unclosed string", &statement, text, &["L0004", "P0001", "P0002"]))
}

fn unclosed_comment(base: &Base, _: &mut Random) -> Option<Plant> {
    // The last declaration, if it is only a check: nothing else is lost with it.
    let last = base.module.items.last()?;
    let start = range(last.span).start;
    let line = base.line(start);
    matches!(last.kind, ItemKind::Check(_)).then(|| Plant {
        kind: "unclosed comment",
        edits: vec![(start..start, "/* ".to_owned())],
        regions: vec![start..base.text.len()],
        codes: &["L0002"],
        lines: vec![line..line + 1],
    })
}

fn chained_comparison(base: &Base, random: &mut Random) -> Option<Plant> {
    use pnetc::syntax::ast::{ExprKind, Relation};
    let mut found = Vec::new();
    for statement in base.statements() {
        for expr in Base::expressions(&statement.what) {
            if let ExprKind::Compare(comparison) = &expr.kind
                && !matches!(comparison.relation, Relation::Equal | Relation::NotEqual)
            {
                found.push((statement.range.clone(), range(expr.span).end));
            }
        }
    }
    let (statement, at) = random.pick_some(&found)?.clone();
    Some(base.in_statement(
        "chained comparison",
        &statement,
        (at..at, " < 99".to_owned()),
        &["P0009", "P0001"],
    ))
}

fn misplaced_statement(base: &Base, random: &mut Random) -> Option<Plant> {
    let statements = base.statements();
    let inner: Vec<_> =
        statements.iter().filter(|s| in_block(s) && !matches!(s.what, What::Pair(_))).collect();
    let statement = random.pick_some(&inner)?;
    let text = match statement.what {
        What::Var(_) | What::State(_) | What::Transition(_) => {
            *random.pick(&["sub Extra = Nothing;", "connect extra : Nobody.go;"])
        }
        _ => *random.pick(&["var extra: Int = 0;", "state extra;", "s0 -> s1 : tau;"]),
    };
    Some(base.after("statement in the wrong block", &statement.range, text.to_owned(), &["P0008"]))
}
