//! Regular expressions as hiding, renaming and cutting have them: those of `ed`, in which only single characters are
//! repeated. So a pattern is a row of pieces, and whether what is left of it fits what is left of a text depends on these
//! two alone: each such pair is looked at once, and nothing takes longer than the text times the pattern.

use thiserror::Error;

/// What is wrong with a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Error, Debug)]
pub enum PatternFlaw {
    /// There is nothing to repeat.
    #[error("nothing stands before this `*` that could be repeated")]
    NothingToRepeat,
    /// A group is repeated.
    #[error("only single characters can be repeated, not groups")]
    RepeatedGroup,
    /// A set is not closed.
    #[error("this `[` is not closed by `]`")]
    OpenSet,
    /// A range goes backwards.
    #[error("this range goes backwards")]
    BackwardRange,
    /// A class of characters by its name.
    #[error("classes of characters by their names are not read: write a range, `[a-z]`")]
    NamedClass,
    /// A group is not closed.
    #[error("this `\\(` is not closed by `\\)`")]
    OpenGroup,
    /// A group is closed that is not open.
    #[error("no `\\(` stands before this `\\)`")]
    NoGroup,
    /// More groups than there are digits.
    #[error("there can be no more than nine groups")]
    TooManyGroups,
    /// A group is meant again in the pattern.
    #[error("a group can be named in what a label is renamed to, not in the pattern")]
    BackReference,
    /// What is put in names a group that is not there.
    #[error("the pattern has no group with this number")]
    NoSuchGroup,
    /// Another form of regular expressions.
    #[error("this form of regular expressions is not read")]
    Unknown,
    /// What fits is meant in what is put in.
    #[error(
        "write `\\&` for the character itself; to put in all that fits, put `\\(` and `\\)` around the pattern and write `\\1`"
    )]
    Ampersand,
}

/// A flaw, and where in the text of the pattern it is.
pub(super) type Flawed<T> = Result<T, (std::ops::Range<usize>, PatternFlaw)>;

/// Which characters fit.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Chars {
    Any,
    One(char),
    Set { ranges: Vec<(char, char)>, is_negative: bool },
}

impl Chars {
    fn has(&self, found: char) -> bool {
        match self {
            Chars::Any => found != '\n',
            Chars::One(wanted) => *wanted == found,
            Chars::Set { ranges, is_negative } => {
                ranges.iter().any(|(low, high)| (*low..=*high).contains(&found)) != *is_negative
            }
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Piece {
    Once(Chars),
    Repeated(Chars),
    Open(usize),
    Close(usize),
    Start,
    End,
}

/// A pattern that is understood.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    pieces: Vec<Piece>,
    groups: usize,
}

/// Where a pattern fits a text, in characters: from, to, and its groups.
#[derive(Clone, Debug)]
pub(super) struct Fit {
    pub from: usize,
    pub to: usize,
    groups: Vec<(usize, usize)>,
}

impl Pattern {
    /// Understands a pattern.
    pub fn new(text: &str) -> Flawed<Pattern> {
        let mut reader = Reader { text, at: 0, pieces: Vec::new(), open: Vec::new(), groups: 0 };
        while reader.at < text.len() {
            reader.piece()?;
        }
        match reader.open.pop() {
            Some((_, at)) => Err((at..at + 2, PatternFlaw::OpenGroup)),
            None => Ok(Pattern { pieces: reader.pieces, groups: reader.groups }),
        }
    }

    /// Whether it fits all of a text.
    pub fn fits_all(&self, text: &str) -> bool {
        let text: Vec<char> = text.chars().collect();
        self.fit_all(&text).is_some()
    }

    /// How it fits all of a text.
    pub fn fit_all(&self, text: &[char]) -> Option<Fit> {
        self.fit_at(text, 0, &Possible::new(self, text, true))
    }

    /// The first place from some character on where it fits; there, as much of the text as its repetitions take, the
    /// first one first.
    pub fn fit(&self, text: &[char], from: usize) -> Option<Fit> {
        let possible = Possible::new(self, text, false);
        (from..=text.len()).find_map(|at| self.fit_at(text, at, &possible))
    }

    fn fit_at(&self, text: &[char], from: usize, possible: &Possible) -> Option<Fit> {
        if !possible.is(0, from) {
            return None;
        }
        let (mut groups, mut at) = (vec![(from, from); self.groups], from);
        for (number, piece) in self.pieces.iter().enumerate() {
            match piece {
                Piece::Once(_) => at += 1,
                Piece::Repeated(chars) => {
                    let all = text.iter().skip(at).take_while(|found| chars.has(**found)).count();
                    let goes_on = |many: &usize| possible.is(number + 1, at + many);
                    at += (0..=all).rev().find(goes_on).unwrap_or(0);
                }
                Piece::Open(group) => groups[*group].0 = at,
                Piece::Close(group) => groups[*group].1 = at,
                Piece::Start | Piece::End => {}
            }
        }
        Some(Fit { from, to: at, groups })
    }
}

/// From which places of a text what is left of a pattern fits.
struct Possible {
    width: usize,
    pairs: Vec<bool>,
}

impl Possible {
    /// From the last piece to the first, and from the end of the text to its start.
    fn new(pattern: &Pattern, text: &[char], to_end: bool) -> Possible {
        let (width, last) = (text.len() + 1, pattern.pieces.len());
        let mut possible = Possible { width, pairs: vec![false; width * (last + 1)] };
        for at in 0..width {
            possible.pairs[last * width + at] = !to_end || at == text.len();
        }
        for (number, piece) in pattern.pieces.iter().enumerate().rev() {
            for at in (0..width).rev() {
                let goes_on = |at: usize| possible.is(number + 1, at);
                let has = |chars: &Chars| text.get(at).is_some_and(|found| chars.has(*found));
                possible.pairs[number * width + at] = match piece {
                    Piece::Once(chars) => has(chars) && goes_on(at + 1),
                    Piece::Repeated(chars) => {
                        goes_on(at) || has(chars) && possible.is(number, at + 1)
                    }
                    Piece::Open(_) | Piece::Close(_) => goes_on(at),
                    Piece::Start => at == 0 && goes_on(at),
                    Piece::End => at == text.len() && goes_on(at),
                };
            }
        }
        possible
    }

    fn is(&self, piece: usize, at: usize) -> bool {
        self.pairs[piece * self.width + at]
    }
}

/// Goes along the text of a pattern.
struct Reader<'t> {
    text: &'t str,
    at: usize,
    pieces: Vec<Piece>,
    /// The groups that are open, and where.
    open: Vec<(usize, usize)>,
    groups: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn piece(&mut self) -> Flawed<()> {
        let from = self.at;
        let Some(first) = self.rest().chars().next() else { return Ok(()) };
        self.at += first.len_utf8();
        let chars = match first {
            '\\' => match self.escape(from)? {
                Some(meant) => Chars::One(meant),
                None => return Ok(()),
            },
            '^' if from == 0 => return self.anchor(Piece::Start),
            '$' if self.at == self.text.len() => return self.anchor(Piece::End),
            '*' => return Err((from..self.at, PatternFlaw::NothingToRepeat)),
            '[' => self.set(from)?,
            '.' => Chars::Any,
            other => Chars::One(other),
        };
        let is_repeated = self.rest().starts_with('*');
        self.at += usize::from(is_repeated);
        self.pieces.push(if is_repeated { Piece::Repeated(chars) } else { Piece::Once(chars) });
        Ok(())
    }

    fn anchor(&mut self, piece: Piece) -> Flawed<()> {
        self.pieces.push(piece);
        Ok(())
    }

    /// What stands behind a backslash: a character that means itself, or a group.
    fn escape(&mut self, from: usize) -> Flawed<Option<char>> {
        let after = self.rest().chars().next();
        self.at += after.map_or(0, char::len_utf8);
        let here = from..self.at;
        match after {
            Some('(') if self.groups == 9 => Err((here, PatternFlaw::TooManyGroups)),
            Some('(') => {
                self.open.push((self.groups, from));
                self.pieces.push(Piece::Open(self.groups));
                self.groups += 1;
                Ok(None)
            }
            Some(')') => self.close(here).map(|()| None),
            Some('1'..='9') => Err((here, PatternFlaw::BackReference)),
            Some('{' | '}' | '<' | '>') | None => Err((here, PatternFlaw::Unknown)),
            Some(other) if other.is_ascii_alphanumeric() => Err((here, PatternFlaw::Unknown)),
            Some(other) => Ok(Some(other)),
        }
    }

    fn close(&mut self, here: std::ops::Range<usize>) -> Flawed<()> {
        let Some((group, _)) = self.open.pop() else { return Err((here, PatternFlaw::NoGroup)) };
        self.pieces.push(Piece::Close(group));
        match self.rest().starts_with('*') {
            true => Err((here.end..here.end + 1, PatternFlaw::RepeatedGroup)),
            false => Ok(()),
        }
    }

    /// A set of characters; `]` stands for itself where it comes first.
    fn set(&mut self, from: usize) -> Flawed<Chars> {
        let is_negative = self.rest().starts_with('^');
        self.at += usize::from(is_negative);
        let (mut ranges, mut is_first) = (Vec::new(), true);
        loop {
            let rest = self.rest();
            let Some(low) = rest.chars().next() else {
                return Err((from..from + 1, PatternFlaw::OpenSet));
            };
            if low == ']' && !is_first {
                self.at += 1;
                return Ok(Chars::Set { ranges, is_negative });
            }
            if ["[:", "[.", "[="].iter().any(|class| rest.starts_with(class)) {
                return Err((self.at..self.at + 2, PatternFlaw::NamedClass));
            }
            ranges.push(self.range(low)?);
            is_first = false;
        }
    }

    /// A character, or a range that begins with it.
    fn range(&mut self, low: char) -> Flawed<(char, char)> {
        let from = self.at;
        self.at += low.len_utf8();
        let after = self.rest().strip_prefix('-').and_then(|rest| rest.chars().next());
        let Some(high) = after.filter(|high| *high != ']') else { return Ok((low, low)) };
        self.at += 1 + high.len_utf8();
        if low > high { Err((from..self.at, PatternFlaw::BackwardRange)) } else { Ok((low, high)) }
    }
}

/// What is put in the place of what fits: texts and groups.
#[derive(Clone, Debug)]
pub(super) struct Replacement {
    pieces: Vec<Put>,
}

#[derive(Clone, Debug)]
enum Put {
    Char(char),
    Group(usize),
}

impl Replacement {
    /// Understands what is put in where a pattern fits.
    pub fn new(text: &str, of: &Pattern) -> Flawed<Replacement> {
        let mut pieces = Vec::new();
        let mut chars = text.char_indices().peekable();
        while let Some((at, found)) = chars.next() {
            let after = chars.peek().map(|(_, after)| *after);
            pieces.push(match (found, after) {
                ('&', _) => return Err((at..at + 1, PatternFlaw::Ampersand)),
                ('\\', Some(digit @ '1'..='9')) => {
                    chars.next();
                    let group = digit as usize - '1' as usize;
                    if group >= of.groups {
                        return Err((at..at + 2, PatternFlaw::NoSuchGroup));
                    }
                    Put::Group(group)
                }
                ('\\', Some(other)) => {
                    chars.next();
                    Put::Char(other)
                }
                (other, _) => Put::Char(other),
            });
        }
        Ok(Replacement { pieces })
    }

    /// Writes what is put in where the pattern fits like this.
    pub fn put(&self, fit: &Fit, text: &[char], into: &mut String) {
        for piece in &self.pieces {
            match piece {
                Put::Char(one) => into.push(*one),
                Put::Group(group) => {
                    let (from, to) = fit.groups[*group];
                    into.extend(text.get(from..to).unwrap_or(&[]));
                }
            }
        }
    }
}
