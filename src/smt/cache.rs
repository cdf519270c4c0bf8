//! The cache: questions that are alike up to the names of their variables (α-equivalent) are asked once.

use rustc_hash::FxHashMap;

use super::Answer;
use crate::algebra::{BottomUp, Sort, Term, TermId, Terms, VarId};

/// A question up to the names of its variables.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Key(Box<[u32]>);

/// The answers that are known.
#[derive(Default, Debug)]
pub struct Cache {
    answers: FxHashMap<Key, Answer>,
    /// How often an answer was known already.
    pub hits: usize,
}

impl Cache {
    /// The answer, where it is known.
    pub fn get(&mut self, key: &Key) -> Option<Answer> {
        let known = self.known(key);
        self.hits += usize::from(known.is_some());
        known
    }

    /// The same without counting.
    pub fn known(&self, key: &Key) -> Option<Answer> {
        self.answers.get(key).cloned()
    }

    /// Forgets what was not known: with more time it may be.
    pub fn forget_unknown(&mut self) {
        self.answers.retain(|_, answer| !matches!(answer, Answer::Unknown(_)));
    }

    /// Remembers an answer.
    pub fn put(&mut self, key: Key, answer: Answer) {
        self.answers.insert(key, answer);
    }
}

impl Key {
    /// The key of a conjunction. Each variable is replaced by the order in which it is met, with its sort; each
    /// term by the order in which it is done, so that shared terms cost nothing.
    pub fn new(terms: &Terms, conditions: &[TermId]) -> Key {
        let mut writer =
            Writer { terms, done: FxHashMap::default(), vars: FxHashMap::default(), out: vec![] };
        let mut ordered: Vec<TermId> = conditions.to_vec();
        ordered.dedup();
        for &condition in &ordered {
            writer.term(condition);
        }
        for &condition in &ordered {
            let place = writer.done.get(&condition).copied().unwrap_or_default();
            writer.out.push(place);
        }
        Key(writer.out.into())
    }
}

struct Writer<'a> {
    terms: &'a Terms,
    done: FxHashMap<TermId, u32>,
    vars: FxHashMap<VarId, u32>,
    out: Vec<u32>,
}

impl Writer<'_> {
    fn term(&mut self, root: TermId) {
        let mut walk = BottomUp::from(root);
        while let Some(id) = walk.next(self.terms, |id| self.done.contains_key(&id)) {
            self.form(id);
            let place = self.done.len() as u32;
            self.done.insert(id, place);
        }
    }

    fn form(&mut self, id: TermId) {
        let start = self.out.len();
        self.out.push(0);
        match self.terms.get(id) {
            Term::Var(var) => {
                self.var(*var);
                self.out[start] = 1;
            }
            // Terms without variables are the same in all questions.
            Term::Bool(_) | Term::Int(_) | Term::Const(_) | Term::Tau => {
                self.out.extend([2, id.index() as u32]);
            }
            term => {
                self.head(term);
                let terms = self.terms;
                let mut inside = Vec::new();
                terms.get(id).each_inside(|inner| inside.push(inner));
                self.out.push(inside.len() as u32);
                for inner in inside {
                    let place = self.done.get(&inner).copied().unwrap_or_default();
                    self.out.push(place);
                }
            }
        }
    }

    fn var(&mut self, var: VarId) {
        let next = self.vars.len() as u32;
        let number = *self.vars.entry(var).or_insert(next);
        let sort = &self.terms.var(var).sort;
        let mut key = vec![number];
        sort_key(sort, &mut key);
        self.out.extend(key);
    }

    /// What a term is, without what is inside.
    fn head(&mut self, term: &Term) {
        let tag = match term {
            Term::Apply(fun, _) => vec![10, fun.0],
            Term::Construct(data, index, _) => vec![11, data.0, *index],
            Term::Select(data, index, field, _) => vec![12, data.0, *index, *field],
            Term::IsConstructor(data, index, _) => vec![13, data.0, *index],
            Term::Index(..) => vec![14],
            Term::Update(..) => vec![15],
            Term::ConstArray(sort, _) => {
                let mut key = vec![16];
                sort_key(sort, &mut key);
                key
            }
            Term::Not(_) => vec![17],
            Term::And(_) => vec![18],
            Term::Or(_) => vec![19],
            Term::Add(_) => vec![20],
            Term::Multiply(_) => vec![21],
            Term::Div(..) => vec![22],
            Term::Mod(..) => vec![23],
            Term::Equal(..) => vec![24],
            Term::Less(..) => vec![25],
            Term::LessEqual(..) => vec![26],
            Term::If(..) => vec![27],
            Term::Act(action, _) => vec![30, action.0],
            Term::Sync(_) => vec![31],
            Term::Co(_) => vec![32],
            Term::IsAct(action, _) => vec![33, action.0],
            Term::IsSync(_) => vec![34],
            Term::IsCo(_) => vec![35],
            Term::Argument(action, index, _) => vec![36, action.0, *index],
            Term::Inner(_) => vec![37],
            Term::Forall(..) | Term::Exists(..) => Vec::new(),
            Term::Bool(_) | Term::Int(_) | Term::Var(_) | Term::Const(_) | Term::Tau => Vec::new(),
        };
        self.out.extend(tag);
        if let Term::Forall(vars, _) | Term::Exists(vars, _) = term {
            let universal = matches!(term, Term::Forall(..));
            self.out.extend([if universal { 28 } else { 29 }, vars.len() as u32]);
            vars.iter().for_each(|&var| self.var(var));
        }
    }
}

fn sort_key(sort: &Sort, key: &mut Vec<u32>) {
    match sort {
        Sort::Bool => key.push(1),
        Sort::Int => key.push(2),
        Sort::Action => key.push(3),
        Sort::Abstract(id) => key.extend([4, id.0]),
        Sort::Data(id) => key.extend([5, id.0]),
        // Bounds have no variables: equal bounds are equal terms.
        Sort::Range(low, high) => key.extend([6, low.index() as u32, high.index() as u32]),
        Sort::Array(both) => {
            key.push(7);
            sort_key(&both.0, key);
            sort_key(&both.1, key);
        }
    }
}
