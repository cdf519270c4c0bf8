//! From tokens to a tree. A mistake in a vector costs that vector; any other ends the reading, since what follows would be
//! guessed.

use super::problems::{ExpProblem, NestedTooDeep, NotRead, Unexpected};
use super::token::{Token, lex};
use super::tree::{
    Element, ExpTree, Global, Language, Matching, Name, Selection, Tree, TreeKind, Unit, VectorTree,
};
use crate::diagnostics::Span;

/// Behaviours may stand so deep in each other, in all files together.
pub(super) const MOST_DEPTH: usize = 100;

/// Words that are no names unless they stand in quotes.
const KEYWORDS: [&str; 24] = [
    "all",
    "behavior",
    "behaviour",
    "but",
    "ccs",
    "comm",
    "csp",
    "cut",
    "elotos",
    "end",
    "gate",
    "hide",
    "in",
    "label",
    "lotos",
    "mcrl",
    "multiple",
    "par",
    "partial",
    "prio",
    "rename",
    "single",
    "total",
    "using",
];

/// A mistake that was reported.
#[derive(Debug)]
pub(super) struct Broken;

type Parsed<T> = Result<T, Broken>;

/// The tree of a text that begins at an offset of all sources, already so deep in others. What is wrong is reported; then
/// there is no tree.
pub(super) fn parse(
    text: &str,
    base: u32,
    depth: usize,
    problems: &mut Vec<ExpProblem>,
) -> Option<ExpTree> {
    let before = problems.len();
    let tokens = lex(text, base, problems);
    let mut parser = Parser { text, base, tokens, at: 0, depth, problems };
    let tree = parser.file();
    tree.ok().filter(|_| problems.len() == before)
}

struct Parser<'t, 'p> {
    text: &'t str,
    base: u32,
    tokens: Vec<(Token, Span)>,
    at: usize,
    depth: usize,
    problems: &'p mut Vec<ExpProblem>,
}

impl<'t> Parser<'t, '_> {
    fn token(&self) -> &Token {
        self.tokens.get(self.at).map_or(&Token::End, |(token, _)| token)
    }

    fn span(&self) -> Span {
        self.tokens.get(self.at).or(self.tokens.last()).map_or(Span::default(), |(_, span)| *span)
    }

    /// What was read last.
    fn last(&self) -> Span {
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        before.map_or(self.span(), |(_, span)| *span)
    }

    /// The text of what comes next.
    fn written(&self) -> &'t str {
        let (span, base) = (self.span(), self.base);
        self.text.get((span.start - base) as usize..(span.end - base) as usize).unwrap_or("")
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.token(), Token::Sign(found) if *found == sign)
    }

    fn is_word(&self, word: &str) -> bool {
        *self.token() == Token::Word && self.written() == word
    }

    fn eat_sign(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        self.at += usize::from(found);
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        self.at += usize::from(found);
        found
    }

    fn unexpected<T>(&mut self, expected: &'static str) -> Parsed<T> {
        let (span, found) = (self.span(), self.written().to_owned());
        self.problems.push(Unexpected { span, expected, found }.into());
        Err(Broken)
    }

    fn sign(&mut self, sign: &str, expected: &'static str) -> Parsed<()> {
        if self.eat_sign(sign) { Ok(()) } else { self.unexpected(expected) }
    }

    fn word(&mut self, word: &str, expected: &'static str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { self.unexpected(expected) }
    }

    fn refuse<T>(&mut self, span: Span, form: &'static str, instead: &'static str) -> Parsed<T> {
        self.problems.push(NotRead { span, form, instead }.into());
        Err(Broken)
    }

    // ---- the file ----

    fn file(&mut self) -> Parsed<ExpTree> {
        let language = self.language()?;
        let root = self.behaviour()?;
        match self.token() {
            Token::End => Ok(ExpTree { language, root }),
            _ => self.unexpected("the end of the file, or an operator between two behaviours"),
        }
    }

    fn language(&mut self) -> Parsed<Language> {
        let named =
            ["lotos", "elotos", "ccs", "csp", "mcrl"].into_iter().find(|word| self.eat_word(word));
        let header = self.last();
        let is_headed = self.eat_word("behaviour") || self.eat_word("behavior");
        if named.is_some() && !is_headed {
            return self.unexpected("`behaviour`");
        }
        match named {
            Some("mcrl") => self.refuse(
                header,
                "networks of mCRL",
                "here, `||` is the operator of LOTOS; use `par using`",
            ),
            None if !is_headed => Ok(Language { is_upper: false, termination: Some("exit") }),
            None | Some("lotos") => Ok(Language { is_upper: true, termination: Some("exit") }),
            Some("elotos") => Ok(Language { is_upper: false, termination: Some("exit") }),
            Some("csp") => Ok(Language { is_upper: true, termination: Some("delta") }),
            Some(_) => Ok(Language { is_upper: true, termination: None }),
        }
    }

    // ---- behaviours ----

    /// One or more behaviours with infix operators between them.
    fn behaviour(&mut self) -> Parsed<Tree> {
        let first = self.single()?;
        let mut rest = Vec::new();
        while let Some(global) = self.infix()? {
            rest.push((global, self.single()?));
        }
        self.look_for_other_operators()?;
        let span = first.span.to(self.last());
        match rest.is_empty() {
            true => Ok(first),
            false => {
                Ok(Tree { kind: TreeKind::Chain(Box::new(first), rest), span, is_loose: true })
            }
        }
    }

    fn infix(&mut self) -> Parsed<Option<Global>> {
        if self.eat_sign("||") {
            Ok(Some(Global::All))
        } else if self.eat_sign("|||") {
            Ok(Some(Global::These(Vec::new())))
        } else if self.eat_sign("|[") {
            let names = self.names("]|")?;
            self.sign("]|", "`,` or `]|`")?;
            let element = |name: Name| Element { name, degree: None };
            Ok(Some(Global::These(names.into_iter().map(element).collect())))
        } else {
            Ok(None)
        }
    }

    /// Operators of languages that are not read.
    fn look_for_other_operators(&mut self) -> Parsed<()> {
        let other = match self.token() {
            Token::Sign("|") => "the parallel operator of CCS",
            Token::Sign("\\") => "restriction as in CCS, and hiding as in CSP",
            Token::Sign("[") => "relabelling as in CCS, and parallel operators of CSP",
            Token::Sign("[[") => "relabelling as in CSP",
            Token::Sign("[|") => "the parallel operator of CSP",
            _ => return Ok(()),
        };
        let span = self.span();
        self.refuse(span, other, "write it with `par using`, `|[…]|`, `hide`, `rename` or `cut`")
    }

    /// A behaviour without infix operators at its top.
    fn single(&mut self) -> Parsed<Tree> {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            let span = self.span();
            self.problems.push(NestedTooDeep { span }.into());
            return Err(Broken);
        }
        let start = self.span();
        let (kind, is_loose) = self.single_kind()?;
        self.depth -= 1;
        Ok(Tree { kind, span: start.to(self.last()), is_loose })
    }

    fn single_kind(&mut self) -> Parsed<(TreeKind, bool)> {
        if self.eat_sign("(") {
            let inside = self.behaviour()?;
            self.sign(")", "`)`, or an operator between two behaviours")?;
            return Ok((inside.kind, false));
        }
        let start = self.at;
        let prefix = ["gate", "label", "total", "partial", "single", "multiple"]
            .into_iter()
            .find(|word| self.eat_word(word));
        for operator in ["hide", "cut", "rename", "par", "prio"] {
            if self.eat_word(operator) {
                return self.operator(operator, prefix, start);
            }
        }
        match prefix {
            Some(_) => self.unexpected("`hide`, `rename`, `cut` or `par`"),
            None if self.is_word("comm") => {
                let span = self.span();
                self.refuse(span, "communication as in mCRL", "use `par using`")
            }
            None => Ok((
                TreeKind::File(
                    self.name("a behaviour: a file, `hide`, `rename`, `cut`, `par` or `(`")?,
                ),
                false,
            )),
        }
    }

    fn operator(
        &mut self,
        operator: &'static str,
        prefix: Option<&'static str>,
        start: usize,
    ) -> Parsed<(TreeKind, bool)> {
        let is_known = match operator {
            "hide" | "cut" | "prio" => matches!(prefix, None | Some("gate" | "total" | "partial")),
            "rename" => matches!(prefix, None | Some("gate" | "total" | "single" | "multiple")),
            _ => matches!(prefix, None | Some("gate" | "label")),
        };
        if !is_known {
            self.at = start + 1;
            return self.unexpected(match operator {
                "rename" => "`gate`, `total`, `single` or `multiple` before `rename`",
                "par" => "`gate` or `label` before `par`",
                _ => "`gate`, `total` or `partial` before `hide` and `cut`",
            });
        }
        let matching = match prefix {
            None | Some("gate") => Matching::Gate,
            Some("total") => Matching::Total,
            Some("multiple") => Matching::Multiple,
            Some(_) => Matching::Partial,
        };
        let unit = if prefix == Some("label") { Unit::Label } else { Unit::Gate };
        match operator {
            "hide" => self.hide(matching),
            "cut" => self.cut(matching).map(|kind| (kind, false)),
            "rename" => self.rename(matching).map(|kind| (kind, false)),
            "par" => self.par(unit).map(|kind| (kind, false)),
            _ => {
                let span = self.last();
                self.refuse(span, "priorities", "use a model: vectors of nets have `priority`")
            }
        }
    }

    fn hide(&mut self, matching: Matching) -> Parsed<(TreeKind, bool)> {
        let selection = self.selection(matching)?;
        let inside = self.behaviour()?;
        // As in LOTOS, it may go on to the end of what it stands in.
        let is_ended = self.eat_word("end");
        if is_ended {
            self.word("hide", "`hide` after `end`")?;
        }
        Ok((TreeKind::Hide(selection, Box::new(inside)), !is_ended))
    }

    fn cut(&mut self, matching: Matching) -> Parsed<TreeKind> {
        let selection = self.selection(matching)?;
        let inside = self.behaviour()?;
        self.end("cut", "`end cut`")?;
        Ok(TreeKind::Cut(selection, Box::new(inside)))
    }

    fn end(&mut self, word: &str, expected: &'static str) -> Parsed<()> {
        self.word("end", expected)?;
        self.word(word, expected)
    }

    fn no_rules_from_files(&mut self) -> Parsed<()> {
        let span = self.span();
        match self.is_word("using") {
            true => {
                self.refuse(span, "rules from a file", "write them here: `hide \"A\", \"B\" in`")
            }
            false => Ok(()),
        }
    }

    fn selection(&mut self, matching: Matching) -> Parsed<Selection> {
        self.no_rules_from_files()?;
        let all_but = self.eat_word("all");
        if all_but {
            self.word("but", "`but` after `all`")?;
        }
        let patterns = if self.is_word("in") { Vec::new() } else { self.names("in")? };
        self.word("in", "`,` or `in`")?;
        Ok(Selection { matching, all_but, patterns })
    }

    fn rename(&mut self, matching: Matching) -> Parsed<TreeKind> {
        self.no_rules_from_files()?;
        let mut rules = Vec::new();
        loop {
            let from = self.name("a label or pattern")?;
            self.sign("->", "`->`")?;
            rules.push((from, self.name("the label that it is renamed to")?));
            if !self.eat_sign(",") {
                break;
            }
        }
        self.word("in", "`,` or `in`")?;
        let inside = self.behaviour()?;
        self.end("rename", "`end rename`")?;
        Ok(TreeKind::Rename(matching, rules, Box::new(inside)))
    }

    // ---- parallel composition ----

    fn par(&mut self, unit: Unit) -> Parsed<TreeKind> {
        let kind = if self.eat_word("using") { self.using(unit)? } else { self.shared(unit)? };
        self.end("par", "`||` and one more behaviour, or `end par`")?;
        Ok(kind)
    }

    fn using(&mut self, unit: Unit) -> Parsed<TreeKind> {
        let mut vectors = Vec::new();
        loop {
            match self.vector() {
                Ok(vector) => vectors.push(vector),
                Err(Broken) => self.skip_vector(),
            }
            if !self.eat_sign(",") {
                break;
            }
        }
        self.word("in", "`,` and one more vector, or `in`")?;
        let mut operands = vec![self.single()?];
        while self.eat_sign("||") {
            operands.push(self.single()?);
        }
        Ok(TreeKind::Using(unit, vectors, operands))
    }

    /// Goes to where the next vector begins, or what comes after all of them.
    fn skip_vector(&mut self) {
        while !self.is_sign(",") && !self.is_word("in") && *self.token() != Token::End {
            self.at += 1;
        }
    }

    fn vector(&mut self) -> Parsed<VectorTree> {
        let start = self.span();
        let mut slots = Vec::new();
        loop {
            slots.push(match self.eat_sign("_") {
                true => None,
                false => Some(self.name("a gate or label, or `_`")?),
            });
            if !self.eat_sign("*") && !self.eat_sign("||") {
                break;
            }
        }
        self.sign("->", "`*` and what the next operand does, or `->` and the result")?;
        let result = self.name("the label that results")?;
        Ok(VectorTree { slots, span: start.to(result.span), result })
    }

    /// Operands that move together on what an interface names; with `[S in]`, all of them.
    fn shared(&mut self, unit: Unit) -> Parsed<TreeKind> {
        let start = self.at;
        let global = if self.eat_word("all") {
            self.word("in", "`in` after `all`")?;
            Global::All
        } else {
            Global::These(self.interface_before(start, |parser| parser.eat_word("in"))?)
        };
        let mut operands = vec![self.operand()?];
        while self.eat_sign("||") {
            operands.push(self.operand()?);
        }
        Ok(TreeKind::Par(unit, global, operands))
    }

    fn operand(&mut self) -> Parsed<(Vec<Element>, Tree)> {
        let start = self.at;
        let local = self.interface_before(start, |parser| parser.eat_sign("->"))?;
        Ok((local, self.single()?))
    }

    /// The elements before some token; none, where that does not follow, since it was a behaviour then.
    fn interface_before(
        &mut self,
        start: usize,
        eat: impl Fn(&mut Self) -> bool,
    ) -> Parsed<Vec<Element>> {
        let before = self.problems.len();
        let elements = if eat(self) { return Ok(Vec::new()) } else { self.elements() };
        match elements {
            Ok(elements) if eat(self) => Ok(elements),
            _ => {
                self.problems.truncate(before);
                self.at = start;
                Ok(Vec::new())
            }
        }
    }

    fn elements(&mut self) -> Parsed<Vec<Element>> {
        let mut elements = Vec::new();
        loop {
            let name = self.name("a gate or label")?;
            let degree = if self.eat_sign("#") { Some(self.number()?) } else { None };
            elements.push(Element { name, degree });
            if !self.eat_sign(",") {
                return Ok(elements);
            }
        }
    }

    fn number(&mut self) -> Parsed<usize> {
        let number = self.written().parse().ok().filter(|_| *self.token() == Token::Number);
        self.at += usize::from(number.is_some());
        match number {
            Some(number) => Ok(number),
            None => self.unexpected("how many operands, as a number"),
        }
    }

    // ---- names ----

    /// Names with commas between them, up to something; there may be none.
    fn names(&mut self, end: &str) -> Parsed<Vec<Name>> {
        if self.is_sign(end) {
            return Ok(Vec::new());
        }
        let mut names = vec![self.name("a gate or label")?];
        while self.eat_sign(",") {
            names.push(self.name("a gate or label")?);
        }
        Ok(names)
    }

    fn name(&mut self, expected: &'static str) -> Parsed<Name> {
        let (span, written) = (self.span(), self.written());
        let (text, is_quoted): (Box<str>, bool) = match self.token() {
            Token::Quoted(text) => (text.clone(), true),
            Token::Word if !KEYWORDS.contains(&written) => (written.into(), false),
            _ => return self.unexpected(expected),
        };
        self.at += 1;
        Ok(Name { text, span, is_quoted })
    }
}
