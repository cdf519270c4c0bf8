//! The heads of actions: what is known of an action before anything runs.

use rustc_hash::FxHashMap;

use crate::algebra::{ActionId, Term, TermId, Terms, VarId};

/// An action without its arguments.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Head {
    Tau,
    Act(ActionId),
    /// An action that nobody declared.
    Other(u32),
    Sync(Box<Head>),
    Co(Box<Head>),
    /// It depends on values.
    Open,
}

/// The heads of the actions that variables stand for.
pub(super) type Heads = FxHashMap<VarId, Head>;

impl Head {
    /// The head of a term, with what is known of variables.
    pub fn of(terms: &Terms, id: TermId, known: &Heads) -> Head {
        match terms.get(id) {
            Term::Tau => Head::Tau,
            Term::Act(action, _) => Head::Act(*action),
            Term::Sync(inner) => Head::Sync(Box::new(Head::of(terms, *inner, known))),
            Term::Co(inner) => Head::Co(Box::new(Head::of(terms, *inner, known))),
            Term::Var(var) => known.get(var).cloned().unwrap_or(Head::Open),
            _ => Head::Open,
        }
    }

    /// Whether it is known as a whole.
    pub fn is_known(&self) -> bool {
        match self {
            Head::Tau | Head::Act(_) | Head::Other(_) => true,
            Head::Sync(inner) | Head::Co(inner) => inner.is_known(),
            Head::Open => false,
        }
    }

    /// Whether an action with this head can fit a pattern; notes what its variables stand for then.
    pub fn fits(&self, terms: &Terms, pattern: TermId, known: &mut Heads) -> bool {
        match (terms.get(pattern), self) {
            (_, Head::Open) => true,
            (Term::Var(var), head) => match known.get(var) {
                Some(before) => !before.is_known() || !head.is_known() || before == head,
                None => {
                    known.insert(*var, head.clone());
                    true
                }
            },
            (Term::Tau, head) => *head == Head::Tau,
            (Term::Act(action, _), head) => *head == Head::Act(*action),
            (Term::Sync(pattern), Head::Sync(inner)) | (Term::Co(pattern), Head::Co(inner)) => {
                inner.fits(terms, *pattern, known)
            }
            (Term::Sync(_) | Term::Co(_), _) => false,
            _ => true,
        }
    }
}
