//! What a component can show: the sort of a pNet (Ameur-Boulifa et al., JLAMP 2023, Definition 3), as far as its text
//! tells.
//!
//! The offer of a net is computed once, with its holes and parameters left open, and applied to the arguments of each
//! instance. Silent actions are part of it where they are certain, although no interface limits them: whatever fills
//! a hole may do them.

use rustc_hash::FxHashSet;

use super::program::{
    ActionId, ActionSet, Argument, Expr, ExprKind, InterfaceDef, LocalId, Pattern, PatternKind,
    Program,
};
use crate::syntax::ast::Operator;

/// An action that can be shown, without its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Head {
    /// An action.
    Plain(ActionId),
    /// The complement of an action.
    Co(ActionId),
    /// The silent action.
    Tau,
    /// An action that has been synchronised, where it is known which.
    Sync(Option<ActionId>),
}

impl Head {
    /// Whether it is a silent action.
    pub fn is_silent(self) -> bool {
        matches!(self, Head::Tau | Head::Sync(_))
    }

    /// The action that it is made of.
    pub fn action(self) -> Option<ActionId> {
        match self {
            Head::Plain(id) | Head::Co(id) => Some(id),
            Head::Sync(id) => id,
            Head::Tau => None,
        }
    }
}

/// Where offered actions come from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    /// This action.
    Head(Head),
    /// The action that this parameter stands for.
    Parameter(LocalId),
    /// Whatever the hole with this number shows.
    Hole(usize),
    /// Anything: nobody knows.
    Anything,
}

/// A set of heads, or a parameter that stands for one.
#[derive(Clone, Debug)]
pub(super) enum Heads {
    /// These, and whether all actions with that head are meant.
    Known(Vec<(Head, bool)>),
    /// A parameter.
    Parameter(LocalId),
    /// A set that is wrong or not understood.
    Unclear,
}

/// Offered actions that pass some tests.
#[derive(Clone, Debug)]
pub(super) struct Source {
    /// Where they come from.
    pub origin: Origin,
    /// The sets they are (or, when true, are not) in.
    pub tests: Vec<(Heads, bool)>,
}

/// What a component can show.
#[derive(Clone, Debug, Default)]
pub(super) struct Offer {
    /// All sources of it.
    pub sources: Vec<Source>,
    /// Whether it was cut short: then nothing certain can be said.
    pub unclear: bool,
}

/// Nets that repeat their parts can offer the same in very many ways; past this nobody counts.
const MOST_SOURCES: usize = 2_000;

/// How certain it is that something is offered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Certainty {
    /// It is not.
    No,
    /// It may be.
    Maybe,
    /// It is.
    Yes,
}

impl Offer {
    /// An offer about which nothing is known.
    pub fn unclear() -> Offer {
        Offer { sources: Vec::new(), unclear: true }
    }

    /// The actions of an interface.
    pub fn of_interface(interface: &InterfaceDef) -> Offer {
        let source = |&id: &ActionId| Source::plain(Origin::Head(Head::Plain(id)));
        Offer { sources: interface.actions.iter().map(source).collect(), unclear: false }
    }

    pub fn add(&mut self, source: Source) {
        let simple = source.tests.is_empty();
        let known = self.sources.iter().any(|s| s.tests.is_empty() && s.origin == source.origin);
        if simple && known {
            return;
        }
        if self.sources.len() >= MOST_SOURCES {
            self.unclear = true;
            return;
        }
        self.sources.push(source);
    }

    pub fn extend(&mut self, other: Offer) {
        self.unclear |= other.unclear;
        other.sources.into_iter().for_each(|source| self.add(source));
    }

    /// Only what passes a test as well.
    pub fn tested(mut self, tests: &[(Heads, bool)]) -> Offer {
        self.sources.iter_mut().for_each(|source| source.tests.extend_from_slice(tests));
        self
    }

    /// Whether nothing at all is offered.
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty() && !self.unclear
    }

    /// Whether an action is offered. Holes that are left open offer anything in their interface.
    pub fn has(&self, head: Head) -> Certainty {
        let mut best = if self.unclear { Certainty::Maybe } else { Certainty::No };
        for source in &self.sources {
            let certainty = source.has(head);
            if certainty == Certainty::Yes {
                return Certainty::Yes;
            }
            if certainty == Certainty::Maybe {
                best = Certainty::Maybe;
            }
        }
        best
    }

    /// The visible actions that are certainly offered, in the order they are found; none where something is
    /// unclear.
    pub fn certain(&self) -> Vec<Head> {
        self.certain_ones().into_iter().filter(|head| !head.is_silent()).collect()
    }

    /// The silent actions that are certainly offered; none where something is unclear.
    pub fn certain_silent(&self) -> Vec<Head> {
        self.certain_ones().into_iter().filter(|head| head.is_silent()).collect()
    }

    fn certain_ones(&self) -> Vec<Head> {
        if self.unclear {
            return Vec::new();
        }
        let mut seen = FxHashSet::default();
        let heads = self.sources.iter().filter_map(|source| match source.origin {
            Origin::Head(head) if source.has(head) == Certainty::Yes => Some(head),
            _ => None,
        });
        heads.filter(|head| seen.insert(*head)).collect()
    }

    /// The offer of an instance: parameters and holes replaced by what they stand for.
    pub fn apply(&self, program: &Program, values: &[Argument], holes: &[Offer]) -> Offer {
        let mut applied = Offer { sources: Vec::new(), unclear: self.unclear };
        for source in &self.sources {
            let tests: Vec<_> = source
                .tests
                .iter()
                .map(|(heads, not)| (heads.apply(program, values), *not))
                .collect();
            match &source.origin {
                Origin::Head(_) | Origin::Anything => {
                    applied.add(Source { origin: source.origin.clone(), tests });
                }
                Origin::Parameter(id) => match values.get(id.index()) {
                    Some(Argument::Value(value)) => {
                        applied.extend(of_action(value, &Offer::unclear()).tested(&tests));
                    }
                    _ => applied.unclear = true,
                },
                Origin::Hole(index) => match holes.get(*index) {
                    Some(offer) => applied.extend(offer.clone().tested(&tests)),
                    None => applied.unclear = true,
                },
            }
        }
        applied
    }
}

impl Source {
    pub fn plain(origin: Origin) -> Source {
        Source { origin, tests: Vec::new() }
    }

    fn has(&self, head: Head) -> Certainty {
        let mut certainty = match &self.origin {
            Origin::Head(own) if *own == head => Certainty::Yes,
            Origin::Head(_) => return Certainty::No,
            Origin::Parameter(_) | Origin::Hole(_) | Origin::Anything => Certainty::Maybe,
        };
        for (heads, negated) in &self.tests {
            match heads.passes(head, *negated) {
                Certainty::No => return Certainty::No,
                Certainty::Maybe => certainty = Certainty::Maybe,
                Certainty::Yes => {}
            }
        }
        certainty
    }
}

impl Heads {
    /// Whether actions with this head are in the set (or, when negated, outside).
    fn passes(&self, head: Head, negated: bool) -> Certainty {
        let Heads::Known(known) = self else { return Certainty::Maybe };
        let is_sync = |(one, _): &(Head, bool)| matches!(one, Head::Sync(Some(_)));
        if head == Head::Sync(None) && known.iter().any(is_sync) {
            return Certainty::Maybe;
        }
        let covers =
            |one: Head| one == head || one == Head::Sync(None) && matches!(head, Head::Sync(_));
        let found = known.iter().filter(|(one, _)| covers(*one));
        let (mut inside, mut whole) = (false, false);
        for (_, all) in found {
            inside = true;
            whole |= all;
        }
        match (inside, whole, negated) {
            (false, _, negated) => {
                if negated {
                    Certainty::Yes
                } else {
                    Certainty::No
                }
            }
            (true, true, negated) => {
                if negated {
                    Certainty::No
                } else {
                    Certainty::Yes
                }
            }
            (true, false, _) => Certainty::Yes,
        }
    }

    fn apply(&self, program: &Program, values: &[Argument]) -> Heads {
        match self {
            Heads::Parameter(id) => match values.get(id.index()) {
                Some(Argument::Set(set)) => heads_of_set(program, set),
                _ => Heads::Unclear,
            },
            other => other.clone(),
        }
    }
}

/// The heads of a set of actions.
pub(super) fn heads_of_set(program: &Program, set: &ActionSet) -> Heads {
    match set {
        ActionSet::Error => Heads::Unclear,
        ActionSet::Parameter(id) => Heads::Parameter(*id),
        ActionSet::Interface(id) => {
            let actions = program.interfaces[id.index()].actions.iter();
            Heads::Known(actions.map(|&id| (Head::Plain(id), true)).collect())
        }
        ActionSet::Patterns(patterns) => patterns
            .iter()
            .map(pattern_head)
            .collect::<Option<Vec<_>>>()
            .map_or(Heads::Unclear, Heads::Known),
    }
}

/// The head of a pattern and whether it stands for all actions with that head; nothing where it is unclear.
fn pattern_head(pattern: &Pattern) -> Option<(Head, bool)> {
    let whole = |inner: &[Pattern]| inner.iter().all(|p| matches!(p.kind, PatternKind::Wildcard));
    match &pattern.kind {
        PatternKind::Act(id, inner) => Some((Head::Plain(*id), whole(inner))),
        PatternKind::Co(inner) => match &inner.kind {
            PatternKind::Act(id, args) => Some((Head::Co(*id), whole(args))),
            _ => None,
        },
        PatternKind::Tau => Some((Head::Tau, true)),
        PatternKind::Sync(inner) => Some(match &inner.kind {
            PatternKind::Act(id, args) => (Head::Sync(Some(*id)), whole(args)),
            other => (Head::Sync(None), matches!(other, PatternKind::Wildcard)),
        }),
        _ => None,
    }
}

/// What an action term can show; `variable` is what its variable, if it is one, can be.
pub(super) fn of_action(action: &Expr, variable: &Offer) -> Offer {
    let one = |origin| Offer { sources: vec![Source::plain(origin)], unclear: false };
    match &action.kind {
        ExprKind::Act(id, _) => one(Origin::Head(Head::Plain(*id))),
        ExprKind::Co(inner) => match &inner.kind {
            ExprKind::Act(id, _) => one(Origin::Head(Head::Co(*id))),
            _ => Offer::unclear(),
        },
        ExprKind::Tau => one(Origin::Head(Head::Tau)),
        ExprKind::Sync(inner) => one(Origin::Head(Head::Sync(match inner.kind {
            ExprKind::Act(id, _) => Some(id),
            _ => None,
        }))),
        ExprKind::Local(_) => variable.clone(),
        _ => Offer::unclear(),
    }
}

/// The tests that a guard makes on an action variable, as far as they are plain: `a is …`, `a not in …`,
/// joined by `and`.
pub(super) fn tests_on(program: &Program, guard: &Expr, variable: LocalId) -> Vec<(Heads, bool)> {
    let is_it = |expr: &Expr| matches!(expr.kind, ExprKind::Local(id) if id == variable);
    match &guard.kind {
        ExprKind::Chain(chain) if chain.1.iter().all(|(op, _)| *op == Operator::And) => {
            let operands = std::iter::once(&chain.0).chain(chain.1.iter().map(|(_, e)| e));
            operands.flat_map(|operand| tests_on(program, operand, variable)).collect()
        }
        ExprKind::Is(test, negated) if is_it(&test.0) => {
            let set = ActionSet::Patterns(vec![test.1.clone()]);
            vec![(heads_of_set(program, &set), *negated)]
        }
        ExprKind::In(test, negated) if is_it(&test.0) => {
            vec![(heads_of_set(program, &test.1), *negated)]
        }
        ExprKind::Bool(true) => Vec::new(),
        // What else is asked may or may not let it pass.
        _ if guard.place_of(variable).is_some() => vec![(Heads::Unclear, false)],
        _ => Vec::new(),
    }
}
