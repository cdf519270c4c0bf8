//! An action as somebody asks for it: `put`, `put(3)`, `put(_, Some(true))`, `sync put`, `tau`. Names and values are written
//! as runs show them.

use num_bigint::BigInt;
use thiserror::Error;

use crate::algebra::{AbstractId, ActionId, Algebra, Sort};
use crate::diagnostics::closest;
use crate::explore::Value;
use crate::explore::naive::AskedAction;

/// Values inside of values are read so deep.
const DEEPEST: usize = 50;

/// What is wrong with an action that somebody asks for.
#[derive(Clone, PartialEq, Eq, Error, Debug)]
pub enum NoAction {
    /// There is no such action.
    #[error("there is no action `{name}`{}", hint(.similar))]
    Unknown {
        /// What was written.
        name: String,
        /// What was probably meant.
        similar: Option<&'static str>,
    },
    /// It has another number of arguments.
    #[error("`{name}` has {}, and not {found}; `_` stands for any", arguments(*.wanted))]
    Arguments {
        /// The action or constructor.
        name: String,
        /// How many there are.
        wanted: usize,
        /// How many were written.
        found: usize,
    },
    /// A value is not one of its sort.
    #[error("`{found}` is no value of {sort}; `_` stands for any")]
    NoValue {
        /// What was written.
        found: String,
        /// The sort.
        sort: String,
    },
    /// It cannot be read.
    #[error("`{0}` is no action: write `put`, `put(3)` or `put(_, true)`")]
    Form(String),
}

fn arguments(count: usize) -> String {
    if count == 1 { "1 argument".to_owned() } else { format!("{count} arguments") }
}

fn hint(similar: &Option<&'static str>) -> String {
    similar.map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

/// The actions that a text asks for: several, where a name without arguments is that of several.
pub fn asked(algebra: &Algebra, text: &str) -> Result<Vec<AskedAction>, NoAction> {
    let tokens = tokens(text).ok_or_else(|| NoAction::Form(text.to_owned()))?;
    let mut reader = Reader { algebra, text, tokens: &tokens, at: 0 };
    let wanted = reader.action(0)?;
    if reader.at < tokens.len() { Err(reader.wrong()) } else { Ok(wanted) }
}

/// Words, numbers, and marks.
fn tokens(text: &str) -> Option<Vec<&str>> {
    let (mut found, mut rest) = (Vec::new(), text.trim_start());
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '#';
    while let Some(first) = rest.chars().next() {
        let end = match first {
            '`' => rest[1..].find('`')? + 2,
            '(' | ')' | ',' | '-' => 1,
            c if is_word(c) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            _ => return None,
        };
        found.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    Some(found)
}

struct Reader<'a> {
    algebra: &'a Algebra,
    text: &'a str,
    tokens: &'a [&'a str],
    at: usize,
}

impl<'a> Reader<'a> {
    fn wrong(&self) -> NoAction {
        NoAction::Form(self.text.to_owned())
    }

    fn next(&mut self) -> Result<&'a str, NoAction> {
        let token = self.tokens.get(self.at).copied().ok_or_else(|| self.wrong())?;
        self.at += 1;
        Ok(token)
    }

    fn takes(&mut self, token: &str) -> bool {
        let fits = self.tokens.get(self.at) == Some(&token);
        self.at += usize::from(fits);
        fits
    }

    fn action(&mut self, depth: usize) -> Result<Vec<AskedAction>, NoAction> {
        if depth > DEEPEST {
            return Err(self.wrong());
        }
        let around: fn(Option<Box<AskedAction>>) -> AskedAction = match self.next()? {
            "tau" => return Ok(vec![AskedAction::Tau]),
            "sync" => AskedAction::Sync,
            "co" => AskedAction::Co,
            name => return self.named(name.trim_matches('`')),
        };
        if self.at == self.tokens.len() || self.takes("_") {
            return Ok(vec![around(None)]);
        }
        Ok(self.action(depth + 1)?.into_iter().map(|one| around(Some(Box::new(one)))).collect())
    }

    fn named(&mut self, name: &str) -> Result<Vec<AskedAction>, NoAction> {
        let all =
            self.algebra.actions.iter().enumerate().filter(|(_, it)| it.name.as_str() == name);
        let all: Vec<(ActionId, usize)> =
            all.map(|(at, it)| (ActionId(at as u32), it.sorts.len())).collect();
        let Some(&(_, wanted)) = all.first() else {
            let known = self.algebra.actions.iter().map(|it| it.name.as_str());
            let similar = closest(name, known.chain(["tau"]));
            return Err(NoAction::Unknown { name: name.to_owned(), similar });
        };
        if !self.takes("(") {
            return Ok(all
                .iter()
                .map(|&(id, arity)| AskedAction::Act(id, vec![None; arity]))
                .collect());
        }
        let start = self.at;
        let found = self.count()?;
        let Some(&(id, _)) = all.iter().find(|(_, arity)| *arity == found) else {
            return Err(NoAction::Arguments { name: name.to_owned(), wanted, found });
        };
        self.at = start;
        let sorts = self.algebra.action(id).sorts.clone();
        let mut values = Vec::with_capacity(sorts.len());
        for (at, sort) in sorts.iter().enumerate() {
            if at > 0 && !self.takes(",") {
                return Err(self.wrong());
            }
            values.push(if self.takes("_") { None } else { Some(self.value(sort, 0)?) });
        }
        if self.takes(")") { Ok(vec![AskedAction::Act(id, values)]) } else { Err(self.wrong()) }
    }

    /// How many arguments follow, up to the parenthesis that closes.
    fn count(&mut self) -> Result<usize, NoAction> {
        let (mut depth, mut count) = (0usize, 1);
        if self.takes(")") {
            return Ok(0);
        }
        loop {
            match (self.next()?, depth) {
                ("(", _) => depth += 1,
                (")", 0) => return Ok(count),
                (")", _) => depth -= 1,
                (",", 0) => count += 1,
                _ => {}
            }
        }
    }

    fn value(&mut self, sort: &Sort, depth: usize) -> Result<Value, NoAction> {
        if depth > DEEPEST {
            return Err(self.wrong());
        }
        let token = self.next()?;
        let no_value =
            |sort: &str| NoAction::NoValue { found: token.to_owned(), sort: sort.to_owned() };
        match sort {
            Sort::Bool => token.parse().map(Value::Bool).map_err(|_| no_value("`Bool`")),
            Sort::Int | Sort::Range(..) => {
                let negative = token == "-";
                let digits = if negative { self.next()? } else { token };
                let number: BigInt = digits.parse().map_err(|_| no_value("`Int`"))?;
                Ok(Value::Int(if negative { -number } else { number }))
            }
            Sort::Abstract(id) => {
                let name = self.algebra.abstracts[id.index()].as_str();
                let number = token.split_once('#').filter(|(sort, _)| *sort == name);
                let number = number.and_then(|(_, number)| number.parse().ok());
                let number: u32 =
                    number.ok_or_else(|| no_value(&format!("`{name}`, as `{name}#0` is")))?;
                Ok(Value::Abstract(AbstractId(id.0), number))
            }
            Sort::Data(id) => {
                let datatype = &self.algebra.datatypes[id.index()];
                let name = token.trim_matches('`');
                let found = datatype.constructors.iter().position(|it| it.name.as_str() == name);
                let at = found.ok_or_else(|| no_value(&format!("`{}`", datatype.name)))?;
                let sorts: Vec<Sort> =
                    datatype.constructors[at].fields.iter().map(|(_, sort)| sort.clone()).collect();
                Ok(Value::Data(*id, at as u32, self.fields(&sorts, depth)?))
            }
            Sort::Array(_) => Err(no_value("an array that can be written here")),
            Sort::Action => Err(no_value("an action that can be written here")),
        }
    }

    fn fields(&mut self, sorts: &[Sort], depth: usize) -> Result<Vec<Value>, NoAction> {
        let mut values = Vec::with_capacity(sorts.len());
        for (at, sort) in sorts.iter().enumerate() {
            if !self.takes(if at == 0 { "(" } else { "," }) {
                return Err(self.wrong());
            }
            values.push(self.value(sort, depth + 1)?);
        }
        if !sorts.is_empty() && !self.takes(")") {
            return Err(self.wrong());
        }
        Ok(values)
    }
}
