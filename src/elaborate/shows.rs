//! What parts can show, as far as it is known before values are: the forms of actions, each with a hole on which it
//! depends whether it is offered.
//!
//! A vector that shows what a member does (`<P: ?q> -> q`) shows an action of some name only in some cases. Priorities
//! need to know these cases; and where a case depends on an open hole, nobody can know it.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::build::Builder;
use crate::algebra::{ActionId, Sort, Term, TermId, VarId, VariableKind};
use crate::base::IndexVec;
use crate::base::budget::is_spent;
use crate::diagnostics::Symbol;
use crate::pnet::{Content, HoleId, HoleSort, Members, PartId};

/// The form of an action: what is visible of it without its arguments.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Form {
    Tau,
    Act(ActionId),
    Sync(Box<Form>),
    Co(Box<Form>),
    /// An action that no priority has a name for: one that nobody declared, or `sync sync a`.
    Other,
    /// Not known: what a parameter stands for.
    Any,
}

/// By which name a priority knows actions of a form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Named {
    /// This one.
    Yes(Symbol),
    /// None.
    No,
    /// It depends on values.
    Open,
}

/// Forms of actions, each with a hole it depends on, if there is one.
pub(super) type Forms = BTreeMap<Form, Option<HoleId>>;

/// What parts of a net can show, as far as it was asked.
pub(super) type Shown = FxHashMap<Content, Rc<Forms>>;

/// Actions of forms, with variables for their arguments.
pub(super) type Templates = FxHashMap<Form, TermId>;

/// What stands in the place of variables.
type Values = FxHashMap<VarId, TermId>;

/// A case in which a vector may be possible.
#[derive(Clone, Default)]
pub(super) struct Case {
    /// What its variables for whole actions are, as far as that is known.
    pub values: Values,
    /// A hole that has a say in it.
    pub hole: Option<HoleId>,
}

/// More cases of one vector are not told apart.
const MOST_CASES: usize = 1 << 12;

/// What stands in the parts of a node.
pub(super) type Contents = IndexVec<PartId, Content>;

impl Builder<'_> {
    /// What a part can show.
    pub fn forms(&mut self, content: Content) -> Rc<Forms> {
        if let Some(known) = self.draft.shown.get(&content) {
            return Rc::clone(known);
        }
        let forms = match content {
            Content::Hole(hole) => self.forms_of_hole(hole),
            Content::Leaf(leaf) => {
                let transitions = self.draft.plts[leaf].transitions.iter();
                transitions.map(|one| (self.form(one.action), None)).collect()
            }
            Content::Node(node) => {
                let node = self.draft.nodes[node].clone();
                let parts: Contents = node.parts.iter().map(|part| part.content).collect();
                let mut forms = Forms::new();
                for vector in &node.vectors {
                    for case in self.cases(&vector.members, vector.guard, &parts) {
                        let shown = self.terms.substitute(vector.result, &case.values);
                        add(&mut forms, self.form(shown), case.hole);
                    }
                }
                forms
            }
        };
        let forms = Rc::new(forms);
        self.draft.shown.insert(content, Rc::clone(&forms));
        forms
    }

    fn forms_of_hole(&self, hole: HoleId) -> Forms {
        let all = (0..self.algebra.actions.len() as u32).map(|id| Form::Act(ActionId(id)));
        let all: Vec<Form> = all.chain([Form::Other]).collect();
        let complements: Vec<Form> =
            all.iter().cloned().map(|one| Form::Co(Box::new(one))).collect();
        // Silent actions are always allowed.
        let done = all.iter().chain(&complements).cloned().map(|one| Form::Sync(Box::new(one)));
        let mut forms: Vec<Form> = done.chain([Form::Tau]).collect();
        match &self.draft.holes[hole].sort {
            HoleSort::Any => forms.extend(all.into_iter().chain(complements)),
            HoleSort::Actions(actions) => forms.extend(actions.iter().map(|&id| Form::Act(id))),
        }
        forms.into_iter().map(|form| (form, Some(hole))).collect()
    }

    /// The form of an action.
    pub fn form(&self, action: TermId) -> Form {
        match self.terms.get(action) {
            Term::Tau => Form::Tau,
            Term::Act(id, _) => Form::Act(*id),
            Term::Sync(inner) => Form::Sync(Box::new(self.form(*inner))),
            Term::Co(inner) => Form::Co(Box::new(self.form(*inner))),
            _ if self.templates.get(&Form::Other) == Some(&action) => Form::Other,
            _ => Form::Any,
        }
    }

    /// The cases in which members with these parts may do something together. What can be told apart by forms alone
    /// is: an impossible case is left out.
    pub fn cases(&mut self, members: &Members, guard: TermId, parts: &Contents) -> Vec<Case> {
        let mut cases = vec![Case::default()];
        for member in members {
            let forms = self.forms(parts[member.part]);
            let mut next: Vec<Case> = Vec::new();
            for case in &cases {
                if is_spent() {
                    return Vec::new();
                }
                self.extend(case, member.action, &forms, &mut next);
            }
            cases = next;
            if cases.len() > MOST_CASES {
                return self.undivided(members, parts);
            }
        }
        let mut possible = |case: &Case| {
            let guard = self.terms.substitute(guard, &case.values);
            self.terms.as_bool(guard) != Some(false)
        };
        cases.retain(|case| possible(case));
        cases
    }

    /// The cases that one member makes of a case: one for each form that is put for a variable, or one for all.
    fn extend(&mut self, case: &Case, action: TermId, forms: &Forms, next: &mut Vec<Case>) {
        let action = self.terms.substitute(action, &case.values);
        let mut plain: Option<Option<HoleId>> = None;
        for (form, hole) in forms {
            let mut values = Values::default();
            if !self.fits(action, form, &mut values) {
                continue;
            }
            if values.is_empty() {
                plain = Some(plain.flatten().or(*hole));
                continue;
            }
            values.extend(case.values.iter().map(|(&var, &term)| (var, term)));
            next.push(Case { values, hole: case.hole.or(*hole) });
        }
        if let Some(hole) = plain {
            next.push(Case { values: case.values.clone(), hole: case.hole.or(hole) });
        }
    }

    /// All cases as one, of which nothing is known.
    fn undivided(&mut self, members: &Members, parts: &Contents) -> Vec<Case> {
        let mut hole = None;
        for member in members {
            let forms = self.forms(parts[member.part]);
            hole = hole.or_else(|| forms.values().flatten().next().copied());
        }
        vec![Case { values: Values::default(), hole }]
    }

    /// Whether an action may have a form; `values` gets what a variable is then.
    fn fits(&mut self, action: TermId, form: &Form, values: &mut Values) -> bool {
        match (self.terms.get(action).clone(), form) {
            (_, Form::Any) => true,
            (Term::Var(var), form) => {
                let template = self.template(form);
                values.insert(var, template);
                true
            }
            (Term::Act(id, _), Form::Act(other)) => id == *other,
            (Term::Tau, Form::Tau) => true,
            (Term::Sync(inner), Form::Sync(form)) | (Term::Co(inner), Form::Co(form)) => {
                self.fits(inner, form, values)
            }
            (Term::Act(..) | Term::Tau | Term::Sync(_) | Term::Co(_), _) => false,
            _ => true,
        }
    }

    /// An action of a form, with variables for its arguments: the same for every mention.
    fn template(&mut self, form: &Form) -> TermId {
        if let Some(&known) = self.templates.get(form) {
            return known;
        }
        let term = match form {
            Form::Tau => Term::Tau,
            Form::Act(id) => {
                let sorts = self.algebra.actions[id.index()].sorts.clone();
                Term::Act(*id, sorts.into_iter().map(|sort| self.some("x", sort)).collect())
            }
            Form::Sync(inner) => Term::Sync(self.template(inner)),
            Form::Co(inner) => Term::Co(self.template(inner)),
            Form::Other | Form::Any => {
                let term = self.some("z", Sort::Action);
                self.templates.insert(form.clone(), term);
                return term;
            }
        };
        let term = self.terms.raw(term);
        self.templates.insert(form.clone(), term);
        term
    }

    fn some(&mut self, name: &str, sort: Sort) -> TermId {
        let var = self.terms.new_var(Symbol::new(name), sort, VariableKind::Vector);
        self.terms.var_term(var)
    }

    // ---- names ----

    /// The name that a priority has for actions of a form: that of `a`, `co a`, `sync a` and `sync co a` is `a`.
    pub fn named(&self, form: &Form) -> Named {
        let form = if let Form::Sync(inner) = form { inner } else { form };
        let form = if let Form::Co(inner) = form { inner } else { form };
        match form {
            Form::Act(id) => Named::Yes(self.program.actions[id.index()].named.name),
            Form::Any => Named::Open,
            Form::Tau | Form::Other | Form::Sync(_) | Form::Co(_) => Named::No,
        }
    }

    /// Whether an action has a form.
    pub fn has_form(&mut self, action: TermId, form: &Form) -> TermId {
        let (around, inner) = match form {
            Form::Other | Form::Any => return self.terms.bool(true),
            Form::Act(id) => return self.terms.is_act(*id, action),
            Form::Tau => {
                let tau = self.terms.raw(Term::Tau);
                return self.terms.equal(action, tau);
            }
            Form::Sync(inner) => (self.terms.is_sync(action), inner),
            Form::Co(inner) => (self.terms.is_co(action), inner),
        };
        if self.terms.as_bool(around) == Some(false) {
            return around;
        }
        let inside = self.terms.inner(action);
        let inside = self.has_form(inside, inner);
        self.terms.and([around, inside])
    }

    /// Whether an action has a name, whatever it turns out to be.
    pub fn has_name(&mut self, action: TermId, name: Symbol) -> TermId {
        let actions = self.program.actions.iter().enumerate();
        let called = actions.filter(|(_, action)| action.named.name == name);
        let ids: Vec<ActionId> = called.map(|(index, _)| ActionId(index as u32)).collect();
        let mut all = Vec::new();
        for id in ids {
            let plain = Form::Act(id);
            let co = Form::Co(Box::new(plain.clone()));
            let done = [Form::Sync(Box::new(plain.clone())), Form::Sync(Box::new(co.clone()))];
            for form in [plain, co].iter().chain(&done) {
                all.push(self.has_form(action, form));
            }
        }
        self.terms.or(all)
    }
}

fn add(forms: &mut Forms, form: Form, hole: Option<HoleId>) {
    let known = forms.entry(form).or_insert(hole);
    *known = known.or(hole);
}
