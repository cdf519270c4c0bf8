//! What somebody asks about a file, from outside. Each piece is a text of its own, parsed by itself: messages point into
//! what was written, and nothing can be put around it.

use super::{QUESTION, Unreadable};
use crate::diagnostics::{Diagnostic, SourceFile, SourceMap, Span, Symbol};
use crate::syntax::ast::{CheckDecl, Expr, Ident, Instance, Item, ItemKind};
use crate::syntax::problems::SyntaxProblem;
use crate::syntax::{
    Alone, parse, parse_check, parse_claim, parse_instance, parse_name, parse_property,
};

/// What is asked.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Question {
    /// About an instance: `Ring<5>(P: Timer)`.
    Instance(String),
    /// Whether an instance can come to where a property holds.
    Property {
        /// The instance.
        net: String,
        /// The property.
        property: String,
    },
    /// How two instances compare.
    Comparison(CompareQuestion),
    /// Checks, each without `;`, and without the word `check` if one likes: `not always(Ring<5>, S[0].holds)`.
    Checks(Vec<String>),
    /// Whether a check holds because of a relation.
    Claim {
        /// The check, without `;`.
        check: String,
        /// The relation, as an item.
        relation: String,
    },
}

/// Two instances to compare.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CompareQuestion {
    /// The word of the check: `bisimilar`.
    pub kind: &'static str,
    /// The first instance.
    pub first: String,
    /// The second one.
    pub second: String,
    /// The names of the holes to track.
    pub tracking: Option<Vec<String>>,
}

/// Takes in the texts of questions.
pub(super) struct Asking<'m> {
    pub map: &'m mut SourceMap,
    pub diagnostics: &'m mut Vec<Diagnostic>,
}

impl Asking<'_> {
    /// The items that a question comes to; where something is wrong with it, there are fewer.
    pub fn items(&mut self, question: &Question) -> Result<Vec<Item>, Unreadable> {
        match question {
            // Nothing is claimed of it, it is only named.
            Question::Instance(text) => {
                let instance = self.read(text, parse_instance)?;
                Ok(instance
                    .map(|net| item("deadlock_free", vec![net], None, None))
                    .into_iter()
                    .collect())
            }
            Question::Property { net, property } => {
                let net = self.read(net, parse_instance)?;
                let property = self.read(property, parse_property)?;
                let (Some(net), Some(property)) = (net, property) else { return Ok(Vec::new()) };
                Ok(vec![item("reaches", vec![net], Some(property), None)])
            }
            Question::Comparison(asked) => self.comparison(asked),
            Question::Checks(checks) => self.checks(checks),
            Question::Claim { check, relation } => self.claim(check, relation),
        }
    }

    fn comparison(&mut self, asked: &CompareQuestion) -> Result<Vec<Item>, Unreadable> {
        let first = self.read(&asked.first, parse_instance)?;
        let second = self.read(&asked.second, parse_instance)?;
        let mut tracking = asked.tracking.as_ref().map(|_| Vec::new());
        for hole in asked.tracking.iter().flatten() {
            let hole = self.read(hole, parse_name)?;
            tracking.iter_mut().for_each(|all: &mut Vec<Ident>| all.extend(hole));
        }
        let (Some(first), Some(second)) = (first, second) else { return Ok(Vec::new()) };
        Ok(vec![item(asked.kind, vec![first, second], None, tracking)])
    }

    fn checks(&mut self, checks: &[String]) -> Result<Vec<Item>, Unreadable> {
        let mut items = Vec::with_capacity(checks.len());
        for text in checks {
            // Whoever copies a check from a model copies its end.
            let text = text.trim_end();
            let text = text.strip_suffix(';').unwrap_or(text);
            let Alone { found, span, problems } = parse_claim(text, self.add(text)?);
            self.report(&problems);
            let kind = found.map(|check| ItemKind::Check(Box::new(check)));
            items.extend(kind.map(|kind| Item { docs: Vec::new(), kind, span }));
        }
        Ok(items)
    }

    fn claim(&mut self, check: &str, relation: &str) -> Result<Vec<Item>, Unreadable> {
        let Alone { found, span, problems } = parse_check(check, self.add(check)?);
        self.report(&problems);
        let kind = found.map(|check| ItemKind::Check(Box::new(check)));
        let check = kind.map(|kind| Item { docs: Vec::new(), kind, span });
        let parsed = parse(relation, self.add(relation)?);
        self.report(&parsed.problems);
        Ok(check.into_iter().chain(parsed.module.items).collect())
    }

    fn read<T>(
        &mut self,
        text: &str,
        parse: fn(&str, u32) -> Alone<T>,
    ) -> Result<Option<T>, Unreadable> {
        let Alone { found, problems, .. } = parse(text, self.add(text)?);
        self.report(&problems);
        Ok(found)
    }

    fn add(&mut self, text: &str) -> Result<u32, Unreadable> {
        let added = self.map.add(QUESTION.to_owned(), text.into());
        let index = added.map_err(|_| Unreadable::TooLarge)?;
        Ok(self.map.file(index).map_or(0, SourceFile::base))
    }

    fn report(&mut self, problems: &[SyntaxProblem]) {
        self.diagnostics.extend(problems.iter().map(SyntaxProblem::diagnose));
    }
}

/// A check of this kind, which stands where its nets do.
fn item(
    kind: &'static str,
    nets: Vec<Instance>,
    property: Option<Expr>,
    tracking: Option<Vec<Ident>>,
) -> Item {
    let places = nets.iter().map(|net| net.span);
    let span = places.reduce(Span::to).unwrap_or_default();
    let check = CheckDecl {
        fair: Vec::new(),
        parts: Vec::new(),
        negated: false,
        kind: Ident { name: Symbol::new(kind), span },
        nets,
        most: None,
        property,
        figures: None,
        by: None,
        tracking,
    };
    Item { docs: Vec::new(), kind: ItemKind::Check(Box::new(check)), span }
}
