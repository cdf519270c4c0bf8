//! What Z3 answers about relations, read back as terms.
//!
//! The crate shows no bodies of quantifiers, so answers are read from their text. What cannot be read is left out: nobody
//! takes what is read here for true without asking the solver again.

use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use crate::algebra::{Algebra, ConstId, DataId, FunId, Term, TermId, Terms, VarId};
use crate::base::IndexVec;
use crate::tagged_id;

tagged_id! {
    /// A piece of text in brackets, or a word.
    PieceId
}

/// Pieces that are further inside are not read.
const MOST_DEPTH: usize = 300;

enum Piece<'t> {
    Word(&'t str),
    List(Vec<PieceId>),
}

/// What the names in a text stand for.
pub(super) struct Names<'a> {
    pub algebra: &'a Algebra,
    pub terms: &'a mut Terms,
    /// The number of the session.
    pub number: u64,
}

/// What some relations are, as conditions on the variables that are given for their arguments.
pub(super) fn relations(
    names: &mut Names<'_>,
    text: &str,
    wanted: &FxHashMap<String, Vec<VarId>>,
) -> FxHashMap<String, TermId> {
    let mut found = FxHashMap::default();
    let Some((pieces, root)) = cut(text) else { return found };
    let mut reading = Reading { names, pieces: &pieces, scopes: Vec::new() };
    let mut work = vec![root];
    while let Some(piece) = work.pop() {
        if let Some(("and", parts)) = headed(&pieces, piece) {
            work.extend(parts.iter().rev());
            continue;
        }
        if let Some((name, term)) = reading.relation(piece, wanted) {
            found.insert(name, term);
        }
    }
    found
}

/// A text as pieces; the last is the outermost.
fn cut(text: &str) -> Option<(IndexVec<PieceId, Piece<'_>>, PieceId)> {
    let mut pieces = IndexVec::default();
    let mut open: Vec<Vec<PieceId>> = vec![Vec::new()];
    for word in words(text) {
        match word {
            "(" => open.push(Vec::new()),
            ")" => {
                let inside = open.pop()?;
                let id = pieces.push(Piece::List(inside));
                open.last_mut()?.push(id);
            }
            _ => {
                let id = pieces.push(Piece::Word(word));
                open.last_mut()?.push(id);
            }
        }
    }
    match (open.len(), open.first()?.as_slice()) {
        (1, &[only]) => Some((pieces, only)),
        _ => None,
    }
}

/// The words and brackets of a text. Names between bars lose them.
fn words(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let (word, after) = match first {
            '(' | ')' => rest.split_at(1),
            '|' => {
                let (word, after) = rest[1..].split_once('|').unwrap_or((&rest[1..], ""));
                (word, after)
            }
            _ => {
                let ends = |c: char| c.is_whitespace() || c == '(' || c == ')';
                rest.split_at(rest.find(ends).unwrap_or(rest.len()))
            }
        };
        found.push(word);
        rest = after.trim_start();
    }
    found
}

fn word<'t>(pieces: &IndexVec<PieceId, Piece<'t>>, id: PieceId) -> Option<&'t str> {
    match pieces[id] {
        Piece::Word(word) => Some(word),
        Piece::List(_) => None,
    }
}

/// A list that begins with a word: the word, and the rest.
fn headed<'p, 't>(
    pieces: &'p IndexVec<PieceId, Piece<'t>>,
    id: PieceId,
) -> Option<(&'t str, &'p [PieceId])> {
    let Piece::List(inside) = &pieces[id] else { return None };
    let (&first, rest) = inside.split_first()?;
    Some((word(pieces, first)?, rest))
}

struct Reading<'a, 'b, 't> {
    names: &'a mut Names<'b>,
    pieces: &'a IndexVec<PieceId, Piece<'t>>,
    /// What names stand for, the innermost last.
    scopes: Vec<FxHashMap<&'t str, TermId>>,
}

impl<'t> Reading<'_, '_, 't> {
    /// `(forall (…) (= (P …) body))`, perhaps with remarks, or without arguments.
    fn relation(
        &mut self,
        piece: PieceId,
        wanted: &FxHashMap<String, Vec<VarId>>,
    ) -> Option<(String, TermId)> {
        let pieces = self.pieces;
        let mut inner = piece;
        while let Some((head, rest)) = headed(pieces, inner) {
            inner = match (head, rest) {
                ("forall", [_, body]) => *body,
                ("!", [body, ..]) => *body,
                _ => break,
            };
        }
        let (head, body) = match headed(pieces, inner) {
            Some(("=", &[head, body])) => (head, Some(body)),
            _ => (inner, None),
        };
        let (name, args) = match headed(pieces, head) {
            Some((name, args)) => (name, args),
            None => (word(pieces, head)?, &[][..]),
        };
        let vars = wanted.get(name)?;
        if vars.len() != args.len() {
            return None;
        }
        let mut scope = FxHashMap::default();
        for (&arg, &var) in args.iter().zip(vars) {
            scope.insert(word(pieces, arg)?, self.names.terms.var_term(var));
        }
        self.scopes.push(scope);
        let term = match body {
            Some(body) => self.term(body, 0),
            None => Some(self.names.terms.bool(true)),
        };
        self.scopes.clear();
        Some((name.to_owned(), term?))
    }

    fn term(&mut self, piece: PieceId, depth: usize) -> Option<TermId> {
        if depth > MOST_DEPTH {
            return None;
        }
        let pieces = self.pieces;
        match &pieces[piece] {
            Piece::Word(word) => self.word(word),
            Piece::List(inside) => {
                let (&first, rest) = inside.split_first()?;
                match word(pieces, first) {
                    Some("let") => self.with_names(rest, depth),
                    Some("!") => self.term(*rest.first()?, depth + 1),
                    Some(head) => {
                        let args = self.all(rest, depth)?;
                        self.applied(head, &args)
                    }
                    None => self.tested(first, rest, depth),
                }
            }
        }
    }

    fn all(&mut self, pieces: &[PieceId], depth: usize) -> Option<Vec<TermId>> {
        pieces.iter().map(|&piece| self.term(piece, depth + 1)).collect()
    }

    /// `(let ((x …) …) body)`: the values do not see the names.
    fn with_names(&mut self, rest: &[PieceId], depth: usize) -> Option<TermId> {
        let &[bindings, body] = rest else { return None };
        let pieces = self.pieces;
        let Piece::List(bindings) = &pieces[bindings] else { return None };
        let mut scope = FxHashMap::default();
        for &binding in bindings {
            let (name, value) = headed(pieces, binding)?;
            let value = self.term(*value.first()?, depth + 1)?;
            scope.insert(name, value);
        }
        self.scopes.push(scope);
        let term = self.term(body, depth + 1);
        self.scopes.pop();
        term
    }

    /// `((_ is C) x)`
    fn tested(&mut self, first: PieceId, rest: &[PieceId], depth: usize) -> Option<TermId> {
        let pieces = self.pieces;
        let ("_", &[is, name]) = headed(pieces, first)? else { return None };
        if word(pieces, is)? != "is" {
            return None;
        }
        let name = match word(pieces, name) {
            Some(name) => name,
            // Names of constructors may come with their sorts.
            None => word(pieces, *headed(pieces, name)?.1.first().or(Some(&name))?)?,
        };
        let (data, index) = pair(self.own(name)?.strip_prefix('d')?)?;
        let arg = self.term(*rest.first()?, depth + 1)?;
        Some(self.names.terms.is_constructor(DataId(data), index, arg))
    }

    /// A name of this session without what all of them have in front.
    fn own<'n>(&self, name: &'n str) -> Option<&'n str> {
        let rest = name.strip_prefix('s')?;
        rest.strip_prefix(&self.names.number.to_string())?.strip_prefix('!')
    }

    fn word(&mut self, word: &'t str) -> Option<TermId> {
        if let Some(known) = self.scopes.iter().rev().find_map(|scope| scope.get(word)) {
            return Some(*known);
        }
        match word {
            "true" => return Some(self.names.terms.bool(true)),
            "false" => return Some(self.names.terms.bool(false)),
            _ => {}
        }
        if let Ok(number) = word.parse::<BigInt>() {
            return Some(self.names.terms.int(number));
        }
        let name = self.own(word)?;
        if let Some(number) = name.strip_prefix('c') {
            let id = ConstId(number.parse().ok()?);
            self.names.algebra.constants.get(id.index())?;
            return Some(self.names.terms.raw(Term::Const(id)));
        }
        let (data, index) = pair(name.strip_prefix('d')?)?;
        self.construct(data, index, &[])
    }

    fn construct(&mut self, data: u32, index: u32, args: &[TermId]) -> Option<TermId> {
        let constructors = &self.names.algebra.datatypes.get(data as usize)?.constructors;
        let fields = &constructors.get(index as usize)?.fields;
        if fields.len() != args.len() {
            return None;
        }
        Some(self.names.terms.raw(Term::Construct(DataId(data), index, args.into())))
    }

    fn applied(&mut self, head: &str, args: &[TermId]) -> Option<TermId> {
        let terms = &mut *self.names.terms;
        Some(match (head, args) {
            ("and", _) => terms.and(args.iter().copied()),
            ("or", _) => terms.or(args.iter().copied()),
            ("+", _) => terms.add(args.iter().copied()),
            ("*", _) => terms.multiply(args.iter().copied()),
            ("-", &[one]) => terms.negate(one),
            ("-", &[one, ref rest @ ..]) => {
                let rest: Vec<TermId> = rest.iter().map(|&part| terms.negate(part)).collect();
                terms.add(std::iter::once(one).chain(rest))
            }
            ("not", &[one]) => terms.not(one),
            ("=>", &[a, b]) => terms.implies(a, b),
            ("=", &[a, b]) => terms.equal(a, b),
            ("distinct" | "xor", &[a, b]) => {
                let same = terms.equal(a, b);
                terms.not(same)
            }
            ("<", &[a, b]) => terms.less(a, b),
            (">", &[a, b]) => terms.less(b, a),
            ("<=", &[a, b]) => terms.less_equal(a, b),
            (">=", &[a, b]) => terms.less_equal(b, a),
            ("div", &[a, b]) => terms.div(a, b),
            ("mod", &[a, b]) => terms.modulo(a, b),
            ("ite", &[condition, yes, no]) => terms.if_then_else(condition, yes, no),
            ("select", &[array, index]) => terms.index(array, index),
            ("store", &[array, index, value]) => terms.raw(Term::Update(array, index, value)),
            _ => return self.named(head, args),
        })
    }

    /// A constructor, a field or a function applied.
    fn named(&mut self, head: &str, args: &[TermId]) -> Option<TermId> {
        let name = self.own(head)?;
        if let Some(number) = name.strip_prefix('f') {
            let id = FunId(number.parse().ok()?);
            let function = self.names.algebra.functions.get(id.index())?;
            let fits = function.params.len() == args.len();
            return fits.then(|| self.names.terms.raw(Term::Apply(id, args.into())));
        }
        let name = name.strip_prefix('d')?;
        if let Some((data, index)) = pair(name) {
            return self.construct(data, index, args);
        }
        let (rest, field) = name.rsplit_once('!')?;
        let ((data, index), &[value]) = (pair(rest)?, args) else { return None };
        let field = field.parse().ok()?;
        Some(self.names.terms.select(DataId(data), index, field, value))
    }
}

/// Two numbers with `!` between them.
fn pair(text: &str) -> Option<(u32, u32)> {
    let (one, other) = text.split_once('!')?;
    Some((one.parse().ok()?, other.parse().ok()?))
}
