//! Names of the model: actions, constants, functions and sorts, which share a namespace or two.

use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use super::super::super::name::{Names, quoted};
use super::super::super::write::Page;
use super::super::model::BipModel;

/// All names of values and sorts.
#[derive(Clone, Debug)]
pub(super) struct ActionTable {
    values: Names,
    constants: Vec<String>,
    functions: Vec<String>,
    sorts: Vec<String>,
    /// The sorts of each action, by its name and how many values it has.
    actions: IndexMap<(String, usize), Vec<String>>,
    /// What actions are called that wanted a name, with these sorts.
    given: FxHashMap<(String, Vec<String>), String>,
}

impl ActionTable {
    pub fn new(model: &BipModel) -> ActionTable {
        let (mut values, mut sorts) = (Names::default(), Names::default());
        ["quot", "rem"].iter().for_each(|name| values.take(name));
        ["Int", "Bool", "Action"].iter().for_each(|name| sorts.take(name));
        let constants = model.constants.iter().map(|one| values.fresh(one.name.text())).collect();
        let functions = model.functions.iter().map(|one| values.fresh(one.name.text())).collect();
        let sorts = model.sorts.iter().map(|one| sorts.fresh(one.text())).collect();
        let (actions, given) = (IndexMap::new(), FxHashMap::default());
        ActionTable { values, constants, functions, sorts, actions, given }
    }

    pub fn constant(&self, at: usize) -> String {
        self.constants.get(at).map_or(String::new(), |name| quoted(name))
    }

    pub fn function(&self, at: usize) -> String {
        self.functions.get(at).map_or(String::new(), |name| quoted(name))
    }

    pub fn sort(&self, at: usize) -> String {
        self.sorts.get(at).map_or(String::new(), |name| quoted(name))
    }

    /// The names of constants and functions, for which a variable would be taken.
    pub fn values(&self) -> impl Iterator<Item = &str> {
        self.constants.iter().chain(&self.functions).map(String::as_str)
    }

    /// An action with values of these sorts, called like this if possible; without back-quotes.
    pub fn action(&mut self, wanted: &str, sorts: &[String]) -> String {
        let key = (wanted.to_owned(), sorts.to_vec());
        if let Some(given) = self.given.get(&key) {
            return given.clone();
        }
        let numbered = (2..).map(|number: usize| format!("{wanted}_{number}"));
        for name in std::iter::once(wanted.to_owned()).chain(numbered) {
            if self.values.has(&name) {
                continue;
            }
            let known =
                self.actions.entry((name.clone(), sorts.len())).or_insert_with(|| sorts.to_vec());
            if known == sorts {
                self.given.insert(key, name.clone());
                return name;
            }
        }
        wanted.to_owned()
    }

    /// Declares the actions that a text has.
    pub fn declare(&self, body: &Page, page: &mut Page) {
        let used = body.names();
        let mut plain = Vec::new();
        let all = self.actions.iter().filter(|((name, _), _)| used.contains(name.as_str()));
        for ((name, _), sorts) in all {
            match sorts.is_empty() {
                true => plain.push(quoted(name)),
                false => page.line(&format!("action {}({});", quoted(name), sorts.join(", "))),
            }
        }
        if !plain.is_empty() {
            page.line(&format!("action {};", plain.join(", ")));
        }
    }
}
