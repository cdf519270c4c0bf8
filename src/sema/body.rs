//! What is shared by everything that is checked inside one declaration: its local names, the sorts that
//! are being inferred, and how names are looked up.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Sema;
use super::joint::Ports;
use super::leaves::Property;
use super::membership::Member;
use super::parameters::SeenParameter;
use super::problems::{
    ActionAsData, PathHint, SemaProblem, Shadowing, SortAsValue, UnknownModule, UnknownName,
    WrongKind,
};
use super::program::{ActionId, Local, LocalId, LocalKind, ModuleId, Sort};
use super::scope::{Declared, Meaning, Space};
use crate::diagnostics::{Severity, Span, Symbol};
use crate::syntax::ast::{Ident, Path};

/// The work on one declaration.
pub(super) struct Body<'s, 'a> {
    pub sema: &'s mut Sema<'a>,
    pub module: ModuleId,
    /// All local names so far.
    pub locals: Vec<Local>,
    /// How often each local name was read.
    pub reads: Vec<u32>,
    /// What each name means: in this declaration, and in each text of another one that is read as a part of it.
    texts: Vec<FxHashMap<Symbol, LocalId>>,
    /// Which of them is read.
    text: usize,
    /// What the names of a text meant outside, to go back to.
    outer: Vec<(usize, Symbol, Option<LocalId>)>,
    /// The sorts that are being inferred: what each turned out to be.
    pub unknowns: Vec<Option<Sort>>,
    /// Those that are numbers, and no range.
    pub firm: FxHashSet<u32>,
    /// How names that nobody declared are treated here.
    pub strangers: Strangers,
    /// Parts of the net, which no variable is called by where a condition in brackets is read.
    pub parts: Vec<Symbol>,
    /// The nets whose variables can be named, in properties and relations.
    pub property: Option<Property>,
    /// What the index that is being read is for, in a property.
    pub index_of: Option<PathHint>,
    /// What the variables of quantifiers over members stand for.
    pub members: FxHashMap<LocalId, Member>,
    /// The parameters of the net that is asked about.
    pub parameters: Vec<SeenParameter>,
    /// The ports whose data can be named.
    pub ports: Option<Ports>,
    /// Whether patterns of actions bind names that mean nothing else.
    pub binds: bool,
    /// Whether an error was reported.
    pub failed: bool,
    /// How many `let` and `with` stand around what is looked at.
    pub spreads: u32,
    /// The names that stand for sorts here.
    pub sort_names: FxHashMap<Symbol, Sort>,
    /// The names that stand for actions with data here, each with its place.
    pub action_names: FxHashMap<Symbol, (Meaning, Span)>,
}

/// How names that nobody declared are treated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Strangers {
    /// They are unknown.
    Unknown,
    /// They are variables of the vector.
    Variables,
    /// They are unknown in the guard of a vector, or in what it shows.
    UnboundInGuard,
    UnboundInResult,
}

impl<'s, 'a> Body<'s, 'a> {
    pub fn new(sema: &'s mut Sema<'a>, module: ModuleId) -> Body<'s, 'a> {
        Body {
            sema,
            module,
            locals: Vec::new(),
            reads: Vec::new(),
            texts: vec![FxHashMap::default()],
            text: 0,
            outer: Vec::new(),
            unknowns: Vec::new(),
            firm: FxHashSet::default(),
            strangers: Strangers::Unknown,
            parts: Vec::new(),
            property: None,
            index_of: None,
            members: FxHashMap::default(),
            parameters: Vec::new(),
            ports: None,
            binds: false,
            failed: false,
            spreads: 0,
            sort_names: FxHashMap::default(),
            action_names: FxHashMap::default(),
        }
    }

    pub fn report(&mut self, problem: impl Into<SemaProblem>) {
        let problem = problem.into();
        self.failed |= problem.entry().severity == Severity::Error;
        self.sema.problems.push(problem);
    }

    // ---- local names ----

    /// Introduces a local name.
    pub fn bind(&mut self, ident: Ident, sort: Sort, kind: LocalKind) -> LocalId {
        self.warn_of_shadowing(ident, kind);
        self.sema.occurs(ident, ident.span, super::NameKind::Local(kind));
        let id = LocalId(self.locals.len() as u32);
        self.locals.push(Local { name: ident.name, sort, span: ident.span, kind });
        self.reads.push(0);
        let outer = self.texts[self.text].insert(ident.name, id);
        self.outer.push((self.text, ident.name, outer));
        id
    }

    /// Introduces a local that has no name to be looked up by.
    pub fn anonymous(&mut self, span: Span, sort: Sort, kind: LocalKind) -> LocalId {
        let id = LocalId(self.locals.len() as u32);
        self.locals.push(Local { name: Symbol::new("_"), sort, span, kind });
        self.reads.push(1);
        id
    }

    /// A point to come back to with [`Body::leave`].
    pub fn enter(&self) -> usize {
        self.outer.len()
    }

    /// Forgets the names introduced since `mark`.
    pub fn leave(&mut self, mark: usize) {
        while self.outer.len() > mark {
            if let Some(gone) = self.outer.pop() {
                self.restore(gone);
            }
        }
    }

    /// Forgets so many names that were introduced after `mark`, and keeps those that came later.
    pub fn forget(&mut self, mark: usize, count: usize) {
        let gone: Vec<_> = self.outer.drain(mark..mark + count).collect();
        gone.into_iter().rev().for_each(|gone| self.restore(gone));
    }

    fn restore(&mut self, (text, name, outer): (usize, Symbol, Option<LocalId>)) {
        match outer {
            Some(outer) => self.texts[text].insert(name, outer),
            None => self.texts[text].remove(&name),
        };
    }

    /// Reads another text from now on, which has names of its own; the one that was read before.
    pub fn read_text(&mut self, text: usize) -> usize {
        if self.texts.len() <= text {
            self.texts.resize_with(text + 1, FxHashMap::default);
        }
        std::mem::replace(&mut self.text, text)
    }

    pub fn local(&self, name: Symbol) -> Option<LocalId> {
        self.texts[self.text].get(&name).copied()
    }

    /// The names of the locals that can be seen, of these kinds.
    pub fn local_names(&self, kinds: &[LocalKind]) -> Vec<&'static str> {
        if self.sema.names_left == 0 {
            return Vec::new();
        }
        let visible = self.texts[self.text]
            .iter()
            .filter(|(_, id)| kinds.is_empty() || kinds.contains(&self.locals[id.index()].kind));
        visible.map(|(name, _)| name.as_str()).collect()
    }

    /// The local names that can be used here, in the order in which they were introduced.
    pub fn visible(&self) -> Vec<Local> {
        let mut ids: Vec<LocalId> = self.texts[self.text].values().copied().collect();
        ids.sort_unstable_by_key(|id| id.index());
        ids.into_iter().map(|id| self.locals[id.index()]).collect()
    }

    fn warn_of_shadowing(&mut self, ident: Ident, kind: LocalKind) {
        if kind == LocalKind::Input {
            return; // an error of its own
        }
        if let Some(outer) = self.local(ident.name) {
            let Local { span: first, kind, .. } = self.locals[outer.index()];
            let what = kind.in_words().to_owned();
            self.report(Shadowing { span: ident.span, name: ident.name.to_string(), what, first });
            return;
        }
        if let Some(parameter) = self.parameters.iter().find(|one| one.name == ident.name) {
            let (first, what) = (parameter.declared, "parameter".to_owned());
            self.report(Shadowing { span: ident.span, name: ident.name.to_string(), what, first });
            return;
        }
        let action_variable = kind == LocalKind::VectorAction;
        let declaration = self.lookup(Space::Values, ident.name);
        let Some(declared) = declaration else { return };
        let what = match &declared.meaning {
            Meaning::Actions(_) if !action_variable => return,
            Meaning::Fun(_) if action_variable => return,
            meaning => meaning.in_words().split_once(' ').map_or("name", |(_, noun)| noun),
        };
        let what = what.to_owned();
        let first = declared.span;
        self.report(Shadowing { span: ident.span, name: ident.name.to_string(), what, first });
    }

    // ---- names of the module ----

    /// What a name means in this module; the import that brought it counts as used.
    pub fn lookup(&mut self, space: Space, name: Symbol) -> Option<Declared> {
        let given = self.given_action(space, name);
        given.or_else(|| self.sema.lookup(self.module, space, name))
    }

    /// Whether nothing should be said about a name, because a text that has it could not be parsed.
    pub fn is_unparsed(&self, name: Symbol) -> bool {
        self.sema.scopes[self.module.index()].unparsed.contains(&name)
    }

    /// Whether nothing should be said about a name that nobody knows and that is like no other.
    pub fn is_excused(&self, similar: Option<&String>) -> bool {
        similar.is_none() && self.sema.scopes[self.module.index()].missing_import
    }

    /// What a path of one or two names means; the rest of it is returned.
    pub fn resolve<'p>(&mut self, space: Space, path: &'p Path) -> Resolved<'p> {
        let [first, rest @ ..] = path.parts.as_slice() else { return Resolved::Unknown };
        let alias = self.sema.scopes[self.module.index()].aliases.get(&first.name).copied();
        if let (Some((module, import)), [second, rest @ ..]) = (alias, rest) {
            self.sema.scopes[self.module.index()].used_imports[import] = true;
            self.sema.names_alias(self.module, *first);
            let own = &self.sema.scopes[module.index()].own;
            return match own.get(&(space, second.name)).cloned() {
                Some(declared) => {
                    self.sema.names(*second, &declared);
                    Resolved::Known(declared, *second, rest)
                }
                None => Resolved::NotIn(*second),
            };
        }
        match self.lookup_at(space, *first) {
            Some(declared) => Resolved::Known(declared, *first, rest),
            None => Resolved::Unknown,
        }
    }

    /// All names of a kind that can be seen, for "did you mean".
    pub fn names_in(&self, space: Space, wanted: impl Fn(&Meaning) -> bool) -> Vec<&'static str> {
        if self.sema.names_left == 0 {
            return Vec::new();
        }
        let scope = &self.sema.scopes[self.module.index()];
        let own = scope.own.iter().map(|(key, declared)| (key, &declared.meaning));
        let imported = scope.imported.iter().map(|(key, i)| (key, &i.declared.meaning));
        let prelude = self.sema.prelude().into_iter().flat_map(|module| {
            let own = &self.sema.scopes[module.index()].own;
            own.iter().map(|(key, declared)| (key, &declared.meaning))
        });
        own.chain(imported)
            .chain(prelude)
            .filter(|((one, _), meaning)| *one == space && wanted(meaning))
            .map(|((_, name), _)| name.as_str())
            .collect()
    }

    /// Reports a module that no import is called.
    pub fn unknown_module(&mut self, ident: Ident) {
        self.failed = true;
        if self.is_unparsed(ident.name) {
            return;
        }
        let aliases = &self.sema.scopes[self.module.index()].aliases;
        let known: Vec<&str> = aliases.keys().map(|name| name.as_str()).collect();
        let similar = self.sema.similar(ident.name, known);
        self.report(UnknownModule { span: ident.span, name: ident.name.to_string(), similar });
    }

    /// Reports a name that means something of another kind, if it does.
    pub fn wrong_kind(&mut self, ident: Ident, wanted: &str) -> bool {
        for space in Space::ALL {
            if let Some(declared) = self.lookup(space, ident.name) {
                let found = declared.meaning.in_words().to_owned();
                let (name, wanted) = (ident.name.to_string(), wanted.to_owned());
                let declared = Some(declared.span);
                self.report(WrongKind { span: ident.span, name, found, wanted, declared });
                return true;
            }
        }
        false
    }

    /// Reports a value that nobody declared.
    pub fn unknown_value(&mut self, ident: Ident) {
        self.unknown(ident, false);
    }

    /// Reports an argument of an action that nobody declared; whether it was probably meant to be received.
    pub fn unknown_argument(&mut self, ident: Ident) -> bool {
        self.unknown(ident, true)
    }

    fn unknown(&mut self, ident: Ident, receives: bool) -> bool {
        if self.is_unparsed(ident.name) {
            self.failed = true;
            return false;
        }
        if self.sort_names.contains_key(&ident.name) {
            self.report(SortAsValue { span: ident.span, name: ident.name.to_string() });
            return false;
        }
        let mut known = self.local_names(&[]);
        known.extend(self.parameters.iter().map(|one| one.name.as_str()));
        known.extend(["true", "false"]);
        known.extend(self.names_in(Space::Values, |m| !matches!(m, Meaning::Actions(_))));
        let similar = self.sema.similar(ident.name, known);
        if similar.is_none() && self.wrong_kind(ident, "a value") {
            return false;
        }
        self.failed = true;
        if self.is_excused(similar.as_ref()) {
            return false;
        }
        // What was probably meant is not called unused as well.
        if let Some(id) = similar.as_deref().and_then(|meant| self.local(Symbol::new(meant))) {
            self.reads[id.index()] += 1;
        }
        let (span, name, input) =
            (ident.span, ident.name.to_string(), receives && similar.is_none());
        self.report(UnknownName { span, name, similar, input });
        input
    }

    /// Reports an action where data is wanted.
    pub fn action_as_data(&mut self, name: impl ToString, span: Span) {
        self.report(ActionAsData { span, name: name.to_string() });
    }

    /// Remembers that an action is used.
    pub fn use_action(&mut self, id: ActionId) {
        self.sema.used_actions[id.index()] = true;
    }
}

/// What a path leads to.
pub(super) enum Resolved<'p> {
    /// Something declared, the name of it in the path, and what follows.
    Known(Declared, Ident, &'p [Ident]),
    /// The module is known, but it declares no such name.
    NotIn(Ident),
    /// Nothing.
    Unknown,
}

impl LocalKind {
    /// What it is, in a word.
    pub fn in_words(self) -> &'static str {
        match self {
            LocalKind::Parameter => "parameter",
            LocalKind::Variable => "variable",
            LocalKind::Input => "input",
            LocalKind::VectorData | LocalKind::VectorAction => "vector variable",
            LocalKind::Index => "index",
            LocalKind::Quantified => "quantified variable",
            LocalKind::Member => "member",
            LocalKind::Pattern => "pattern variable",
        }
    }
}

impl Sema<'_> {
    /// The module that every other sees.
    pub(super) fn prelude(&self) -> Option<ModuleId> {
        let index = self.modules.iter().position(|module| module.is_prelude)?;
        Some(ModuleId(index as u32))
    }

    /// What a name means in a module: its own, then what it imports, then the prelude's.
    pub(super) fn lookup(
        &mut self,
        module: ModuleId,
        space: Space,
        name: Symbol,
    ) -> Option<Declared> {
        let prelude = self.prelude();
        let key = (space, name);
        let scope = &mut self.scopes[module.index()];
        let imported = scope.imported.get(&key);
        let mut found = match (scope.own.get(&key), imported) {
            (Some(own), _) if !matches!(own.meaning, Meaning::Actions(_)) => Some(own.clone()),
            (Some(own), Some(imported)) => Some(merge_actions(own, &imported.declared)),
            (Some(own), None) => Some(own.clone()),
            (None, Some(imported)) => {
                let import = imported.import;
                let found = Some(imported.declared.clone());
                if let Some(used) = scope.used_imports.get_mut(import) {
                    *used = true;
                }
                found
            }
            (None, None) => None,
        };
        if found.is_none() {
            found = prelude.and_then(|p| self.scopes[p.index()].own.get(&key).cloned());
        }
        found
    }
}

/// Actions of one name from two modules: those of both.
fn merge_actions(own: &Declared, imported: &Declared) -> Declared {
    let mut all = own.clone();
    if let (Meaning::Actions(have), Meaning::Actions(more)) = (&mut all.meaning, &imported.meaning)
    {
        have.extend(more.iter().filter(|(arity, _)| !own_has(own, *arity)));
    }
    all
}

fn own_has(own: &Declared, arity: usize) -> bool {
    matches!(&own.meaning, Meaning::Actions(have) if have.iter().any(|(one, _)| *one == arity))
}
