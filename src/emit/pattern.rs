//! Tests of actions. The core has testers and parts (`IsAct`, `Argument`, …); the language has patterns, which
//! elaborate to conjunctions of these. Here such conjunctions are found again.

use super::term::{ADDITIVE, ANY, OPERAND, Piece, Printer};
use crate::algebra::{Sort, Term, TermId};

/// What a pattern is matched against.
type Subject<'s> = &'s dyn Fn(&Term, TermId) -> bool;

impl Printer<'_> {
    /// The test that begins at a place of a conjunction: its subject and its pattern. The place moves past it.
    pub fn test(&mut self, all: &[TermId], at: &mut usize) -> Option<(TermId, String)> {
        let first = *all.get(*at)?;
        let subject = self.tested(first)?;
        if let Some(found) = self.deeper_test(all, at, subject) {
            return Some(found);
        }
        let is_tester = matches!(
            self.scope.terms.get(first),
            Term::IsAct(..) | Term::IsSync(_) | Term::IsCo(_) | Term::IsConstructor(..)
        );
        if !is_tester || self.takes_apart(subject) {
            return None;
        }
        let pattern = self.pattern(all, at, &|_, id| id == subject)?;
        Some((subject, pattern))
    }

    /// What a condition looks at.
    fn tested(&self, condition: TermId) -> Option<TermId> {
        match self.scope.terms.get(condition) {
            Term::IsAct(_, subject)
            | Term::IsSync(subject)
            | Term::IsCo(subject)
            | Term::IsConstructor(_, _, subject)
            | Term::Equal(subject, _)
            | Term::Not(subject) => Some(*subject),
            Term::Argument(..) => Some(condition),
            _ => None,
        }
    }

    /// The pattern that begins at a place of a conjunction, if it is one for this subject.
    fn pattern(&mut self, all: &[TermId], at: &mut usize, subject: Subject<'_>) -> Option<String> {
        let scope = self.scope;
        let first = *all.get(*at)?;
        let is = |id: TermId| subject(scope.terms.get(id), id);
        match scope.terms.get(first) {
            Term::IsAct(action, inner) if is(*inner) => {
                *at += 1;
                let arity = scope.algebra.action(*action).sorts.len();
                let args: Vec<String> = (0..arity)
                    .map(|index| {
                        let part =
                            |term: &Term, _| *term == Term::Argument(*action, index as u32, *inner);
                        self.pattern(all, at, &part).unwrap_or_else(any)
                    })
                    .collect();
                Some(call(self.action(*action), &args))
            }
            Term::IsSync(inner) if is(*inner) => Some(self.inside("sync", *inner, all, at)),
            Term::IsCo(inner) if is(*inner) => Some(self.inside("co", *inner, all, at)),
            Term::IsConstructor(data, index, inner) if is(*inner) => {
                *at += 1;
                let constructor =
                    &scope.algebra.datatypes[data.index()].constructors[*index as usize];
                // `m.seq` is there for the parts of data, but not for data inside of an action.
                let needed = self.takes_apart(*inner);
                let args: Vec<String> = (0..constructor.fields.len())
                    .map(|field| {
                        let selected = Term::Select(*data, *index, field as u32, *inner);
                        let part = |term: &Term, _| *term == selected;
                        let found = if needed { self.pattern(all, at, &part) } else { None };
                        found.unwrap_or_else(any)
                    })
                    .collect();
                Some(call(self.constructor(*data, *index), &args))
            }
            Term::Equal(part, value) if is(*part) && !self.takes_apart(*value) => {
                *at += 1;
                Some(self.value(*value))
            }
            Term::Not(part) if is(*part) => {
                *at += 1;
                Some("false".to_owned())
            }
            _ if is(first) => {
                *at += 1;
                Some("true".to_owned())
            }
            _ => None,
        }
    }

    fn inside(&mut self, word: &str, outer: TermId, all: &[TermId], at: &mut usize) -> String {
        *at += 1;
        let part = |term: &Term, _| *term == Term::Inner(outer);
        let inner = self.pattern(all, at, &part).unwrap_or_else(any);
        format!("{word} {inner}")
    }

    /// A value in a pattern. What looks like a constructor with its fields would be one, so it is disguised.
    fn value(&mut self, id: TermId) -> String {
        let algebra = &self.scope.algebra;
        let looks_like_pattern = match self.scope.terms.get(id) {
            Term::Construct(..) => true,
            Term::Apply(function, _) => {
                matches!(algebra.functions[function.index()].result, Sort::Data(_))
            }
            Term::Const(constant) => {
                matches!(algebra.constants[constant.index()].sort, Sort::Data(_))
            }
            _ => false,
        };
        let value = self.at(id, ANY);
        if looks_like_pattern { format!("match true {{ _ => {value} }}") } else { value }
    }

    /// A condition on a part of an action whose testers stood further left: the pattern from the outside.
    fn deeper_test(
        &mut self,
        all: &[TermId],
        at: &mut usize,
        subject: TermId,
    ) -> Option<(TermId, String)> {
        if !self.takes_apart(subject) {
            return None;
        }
        let before = &all[..*at];
        let mut shells = Vec::new();
        let root = self.unwrapped(before, subject, &mut shells)?;
        let mut inner = self.pattern(all, at, &|_, id| id == subject)?;
        for (head, place, arity) in shells {
            inner = match head.as_str() {
                "sync" | "co" => format!("{head} {inner}"),
                _ => {
                    let mut args: Vec<String> = (0..arity).map(|_| any()).collect();
                    args[place] = inner;
                    call(head, &args)
                }
            };
        }
        Some((root, inner))
    }

    /// The action that something is a part of, with what is around it from the inside out.
    fn unwrapped(
        &self,
        before: &[TermId],
        part: TermId,
        shells: &mut Vec<(String, usize, usize)>,
    ) -> Option<TermId> {
        let terms = &self.scope.terms;
        let knows = |tester: &Term| before.iter().any(|&one| terms.get(one) == tester);
        let outer = match terms.get(part) {
            Term::Argument(action, index, outer) if knows(&Term::IsAct(*action, *outer)) => {
                let arity = self.scope.algebra.action(*action).sorts.len();
                shells.push((self.action(*action), *index as usize, arity));
                *outer
            }
            Term::Inner(outer) if knows(&Term::IsSync(*outer)) => {
                shells.push(("sync".to_owned(), 0, 1));
                *outer
            }
            Term::Inner(outer) if knows(&Term::IsCo(*outer)) => {
                shells.push(("co".to_owned(), 0, 1));
                *outer
            }
            Term::Select(data, index, field, outer)
                if knows(&Term::IsConstructor(*data, *index, *outer)) =>
            {
                let fields =
                    &self.scope.algebra.datatypes[data.index()].constructors[*index as usize];
                let arity = fields.fields.len();
                shells.push((self.constructor(*data, *index), *field as usize, arity));
                *outer
            }
            _ => return None,
        };
        if self.scope.terms.children(outer).is_empty() {
            return Some(outer);
        }
        self.unwrapped(before, outer, shells)
    }

    /// A condition that is one test and nothing else.
    pub fn whole_test(&mut self, id: TermId) -> Option<(TermId, String)> {
        let scope = self.scope;
        let only = [id];
        let all: &[TermId] = match scope.terms.get(id) {
            Term::And(all) => all,
            _ => &only,
        };
        let mut at = 0;
        let found = self.test(all, &mut at)?;
        (at == all.len()).then_some(found)
    }

    /// A disjunction of tests of one action, as a set.
    pub fn set_test(&mut self, id: TermId) -> Option<(TermId, String)> {
        match self.scope.terms.get(id) {
            Term::Or(all) => self.set_of(all),
            _ => None,
        }
    }

    /// Tests of one action, as a set.
    pub fn set_of(&mut self, all: &[TermId]) -> Option<(TermId, String)> {
        let mut patterns = Vec::with_capacity(all.len());
        let mut subject = None;
        for &one in all {
            let (tested, pattern) = self.whole_test(one)?;
            if *subject.get_or_insert(tested) != tested || self.is_data_test(one) {
                return None;
            }
            patterns.push(pattern);
        }
        subject.map(|subject| (subject, patterns.join(", ")))
    }

    fn is_data_test(&self, id: TermId) -> bool {
        let terms = &self.scope.terms;
        match terms.get(id) {
            Term::And(all) => all.first().is_some_and(|&first| self.is_data_test(first)),
            term => matches!(term, Term::IsConstructor(..)),
        }
    }

    // ---- what patterns cannot say ----

    /// Whether a term has parts of actions in it that have no name.
    pub fn takes_apart(&mut self, id: TermId) -> bool {
        if self.stand_ins.iter().any(|(known, _)| *known == id) {
            return false;
        }
        if let Some(&known) = self.takes_apart.get(&id) {
            return known;
        }
        let found = matches!(self.scope.terms.get(id), Term::Argument(..) | Term::Inner(_))
            || self.scope.terms.children(id).into_iter().any(|child| self.takes_apart(child));
        self.takes_apart.insert(id, found);
        found
    }

    /// A condition on a part of an action that no pattern can express: `exists x . a == delta(x) and x > 3`.
    pub fn in_other_words(&mut self, id: TermId) -> Option<Piece> {
        let is_condition = match self.scope.terms.get(id) {
            Term::Equal(..) | Term::Less(..) | Term::LessEqual(..) => true,
            Term::IsAct(..) | Term::IsSync(_) | Term::IsCo(_) | Term::IsConstructor(..) => true,
            Term::Argument(action, index, _) => {
                self.scope.algebra.action(*action).sorts[*index as usize] == Sort::Bool
            }
            _ => false,
        };
        if !is_condition || !self.takes_apart(id) {
            return None;
        }
        let part = self.innermost(id)?;
        let (binders, whole, names) = self.named_parts(part)?;
        self.takes_apart.clear();
        let condition = self.at(id, super::term::COMPARISON);
        self.stand_ins.pop();
        self.takes_apart.clear();
        for name in names {
            self.taken.remove(&name);
        }
        Some((format!("exists {binders} . {whole} and {condition}"), ANY))
    }

    /// Names for the parts of an action: their declaration, and the equation that says what they are.
    fn named_parts(&mut self, part: TermId) -> Option<(String, String, Vec<String>)> {
        let scope = self.scope;
        match scope.terms.get(part) {
            Term::Argument(action, index, outer) => {
                let sorts = &scope.algebra.action(*action).sorts;
                let names: Vec<String> = sorts.iter().map(|_| self.fresh("x")).collect();
                let binders: Vec<String> = names
                    .iter()
                    .zip(sorts)
                    .map(|(name, sort)| format!("{name}: {}", self.sort(sort)))
                    .collect();
                let head = self.action(*action);
                let whole = format!("{} == {}", self.at(*outer, ADDITIVE), call(head, &names));
                self.stand_ins.push((part, names[*index as usize].clone()));
                Some((binders.join(", "), whole, names))
            }
            Term::Inner(outer) => {
                let name = self.fresh("x");
                let whole = format!("{} == sync {name}", self.at(*outer, OPERAND));
                self.stand_ins.push((part, name.clone()));
                Some((format!("{name}: Action"), whole, vec![name]))
            }
            _ => None,
        }
    }

    /// A part of an action inside a term that has no other part in it.
    fn innermost(&mut self, id: TermId) -> Option<TermId> {
        let mut at = id;
        let mut found = None;
        while self.takes_apart(at) {
            if matches!(self.scope.terms.get(at), Term::Argument(..) | Term::Inner(_)) {
                found = Some(at);
            }
            let next =
                self.scope.terms.children(at).into_iter().find(|child| self.takes_apart(*child));
            match next {
                Some(next) => at = next,
                None => break,
            }
        }
        found
    }
}

fn any() -> String {
    "_".to_owned()
}

fn call(name: String, args: &[String]) -> String {
    if args.is_empty() { name } else { format!("{name}({})", args.join(", ")) }
}
