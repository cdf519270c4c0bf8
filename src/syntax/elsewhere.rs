//! Temporal formulas as other languages write them, and what is written for them here.

use super::token::{FormulaWord, Token};

/// What to write for a word or sign of another language, at the place of the token that does not fit, or before it.
pub(super) fn note(tokens: &[Token], at: usize) -> Option<String> {
    let is_formula =
        |token: &Token| matches!(token, Token::Formula(FormulaWord::Property | FormulaWord::Holds));
    if !tokens.iter().any(is_formula) {
        return None;
    }
    let before = at.checked_sub(1).and_then(|at| tokens.get(at));
    let found = tokens.get(at);
    if before == Some(&Token::Star) && is_in_steps(&tokens[..at]) {
        let note = "steps are not repeated here: `[true*] f` is `AG f`, `<true*> f` is `EF f`, and `[true*.a] f` is `AG [a] f`";
        return Some(note.to_owned());
    }
    let infix = found.and_then(|token| token.as_name()).and_then(|name| infix(name.as_str()));
    let word = before.and_then(|token| token.as_name());
    infix.map(str::to_owned).or_else(|| word.and_then(|name| prefix(name.as_str())))
}

/// Whether the brackets of a modality are open at the end.
fn is_in_steps(tokens: &[Token]) -> bool {
    let open = tokens.iter().filter(|one| matches!(one, Token::OpenBox | Token::OpenDiamond));
    open.count() > 0
}

/// Words between two operands.
fn infix(word: &str) -> Option<&'static str> {
    Some(match word {
        "until" => "`p until q` is written `p U q`, and `p W q` where `q` need not come",
        "unless" | "weak" | "weakuntil" | "weak_until" => {
            "`p W q` says that `p` holds until `q`, which need not come"
        }
        "R" | "V" | "release" | "releases" => "`p R q` of other languages is `q W (p and q)` here",
        "leads" | "leadsto" | "leads_to" => {
            "that each `p` is followed by a `q` is written `responds(p, q)`, or `A[G (p => F q)]`"
        }
        _ => return None,
    })
}

/// Words before an operand.
fn prefix(word: &str) -> Option<String> {
    let told = match word {
        "always" => "write `always(p)`, with parentheses, or `A[G p]`",
        "never" => "write `never(p)`, with parentheses, or `A[G not p]`",
        "eventually" => "write `eventually(p)`, with parentheses, or `A[F p]`",
        "globally" | "henceforth" => "at all positions of a run is written `G p`, as in `A[G p]`",
        "finally" | "future" | "sometime" | "sometimes" => {
            "at some position of a run is written `F p`, as in `A[F p]`"
        }
        "next" | "nexttime" => "at the next position of a run is written `X p`, as in `A[X p]`",
        _ => return joined(word),
    };
    Some(told.to_owned())
}

/// Operators that were written as one word: `GF`, `AGEF`.
fn joined(word: &str) -> Option<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut letters = word.chars().peekable();
    while let Some(letter) = letters.next() {
        parts.push(match (letter, letters.peek()) {
            ('A' | 'E', Some(next @ ('G' | 'F' | 'X'))) => {
                let part = format!("{letter}{next}");
                letters.next();
                part
            }
            ('G' | 'F' | 'X', _) => letter.to_string(),
            _ => return None,
        });
    }
    let many = parts.len() > 1;
    many.then(|| format!("operators are words of their own: write `{} p`", parts.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::joined;

    #[test]
    fn joined_operators_are_taken_apart() {
        assert!(joined("GF").is_some_and(|told| told.contains("`G F p`")));
        assert!(joined("AGEF").is_some_and(|told| told.contains("`AG EF p`")));
        assert_eq!(joined("GFa"), None);
        assert_eq!(joined("G"), None);
        assert_eq!(joined("AA"), None);
    }
}
