//! S-expressions: the texts that solvers write.

/// An s-expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Sexpr {
    /// A name or a number. Names between bars have none.
    Atom(String),
    /// `( … )`
    List(Vec<Sexpr>),
}

impl Sexpr {
    /// The name, if it is one.
    pub fn atom(&self) -> Option<&str> {
        match self {
            Sexpr::Atom(name) => Some(name),
            Sexpr::List(_) => None,
        }
    }

    /// What is inside, if it is a list.
    pub fn list(&self) -> Option<&[Sexpr]> {
        match self {
            Sexpr::Atom(_) => None,
            Sexpr::List(inside) => Some(inside),
        }
    }
}

/// The s-expression that a text begins with; nothing where it is not one.
pub(super) fn parse(text: &str) -> Option<Sexpr> {
    let mut open: Vec<Vec<Sexpr>> = Vec::new();
    let mut rest = text.trim_start();
    while let Some(next) = rest.chars().next() {
        let one = match next {
            '(' => {
                open.push(Vec::new());
                rest = &rest[1..];
                None
            }
            ')' => {
                rest = &rest[1..];
                Some(Sexpr::List(open.pop()?))
            }
            '|' => {
                let (name, after) = rest[1..].split_once('|')?;
                rest = after;
                Some(Sexpr::Atom(name.to_owned()))
            }
            ';' => {
                rest = rest.split_once('\n').map_or("", |(_, after)| after);
                None
            }
            _ => {
                let ends = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '|' | ';');
                let end = rest.find(ends).unwrap_or(rest.len());
                let (name, after) = rest.split_at(end);
                rest = after;
                Some(Sexpr::Atom(name.to_owned()))
            }
        };
        if let Some(one) = one {
            match open.last_mut() {
                Some(list) => list.push(one),
                None => return Some(one),
            }
        }
        rest = rest.trim_start();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Sexpr, parse};

    fn shown(one: &Sexpr) -> String {
        match one {
            Sexpr::Atom(name) => name.clone(),
            Sexpr::List(inside) => {
                format!("({})", inside.iter().map(shown).collect::<Vec<_>>().join(" "))
            }
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let read = |text: &str| parse(text).map(|one| shown(&one));
        assert_eq!(read(" (and a\n (not |b c|) ()) rest"), Some("(and a (not b c) ())".to_owned()));
        assert_eq!(read("(a ; no )\n b)"), Some("(a b)".to_owned()));
        assert_eq!(read("17"), Some("17".to_owned()));
        assert_eq!((read("(a (b)"), read(")"), read("(|a)"), read("")), (None, None, None, None));
    }
}
