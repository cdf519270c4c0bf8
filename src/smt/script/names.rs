//! Names for everything in a script: those that people gave, as far as SMT-LIB can have them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::ScriptOptions;
use super::reserved::is_reserved;
use super::used::Used;
use crate::algebra::{AbstractId, ActionId, Algebra, ConstId, DataId, FunId, Terms, VarId};

/// The names of everything in a script, as they are written there.
#[derive(Default)]
pub(super) struct Names {
    /// Names of sorts that are taken, without quotes.
    sorts: Taken,
    /// Names of everything else that are taken, without quotes.
    values: Taken,
    abstracts: FxHashMap<AbstractId, String>,
    datatypes: FxHashMap<DataId, (String, Vec<Constructor>)>,
    actions: Vec<Constructor>,
    constants: FxHashMap<ConstId, String>,
    functions: FxHashMap<FunId, String>,
    vars: FxHashMap<VarId, String>,
    /// What the algebra of actions is made of.
    pub own: Own,
}

/// A constructor with its selectors.
pub(super) struct Constructor {
    pub name: String,
    pub fields: Vec<String>,
}

/// Names that are the same in every script.
pub(super) struct Own {
    pub action: &'static str,
    pub tau: &'static str,
    pub sync: &'static str,
    pub co: &'static str,
    pub other: &'static str,
    pub inside: &'static str,
}

impl Default for Own {
    fn default() -> Own {
        Own {
            action: "Action",
            tau: "tau",
            sync: "sync",
            co: "co",
            other: "Other",
            inside: "inside",
        }
    }
}

/// Names that are taken.
#[derive(Default)]
struct Taken {
    names: FxHashSet<String>,
    /// The next number to try for a name that is wanted again.
    next: FxHashMap<String, usize>,
}

impl Taken {
    /// The name that is wanted, or one like it that is free.
    fn pick(&mut self, wanted: &str) -> String {
        let wanted = speakable(wanted);
        if !is_reserved(&wanted) && self.names.insert(wanted.clone()) {
            return quoted(wanted);
        }
        let next = self.next.entry(wanted.clone()).or_default();
        loop {
            *next += 1;
            let tried = format!("{wanted}!{next}");
            if self.names.insert(tried.clone()) {
                return quoted(tried);
            }
        }
    }
}

/// A text without the characters that no name can have, not even between bars, and without the first
/// characters that solvers keep for themselves.
fn speakable(text: &str) -> String {
    let allowed = |c: char| if c == '|' || c == '\\' || c.is_control() { '_' } else { c };
    let text: String = text.chars().map(allowed).collect();
    match text.chars().next() {
        None | Some('@' | '.') => format!("_{text}"),
        Some(_) => text,
    }
}

/// A text that needs no bars, with the numbers of those characters that do.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    for c in text.chars() {
        if is_simple(c) {
            plain.push(c);
        } else {
            plain.push_str(&format!("~{:x}", u32::from(c)));
        }
    }
    if plain.starts_with(|c: char| c.is_ascii_digit()) { format!("_{plain}") } else { plain }
}

/// Whether a character can stand in a name without bars.
fn is_simple(c: char) -> bool {
    c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c)
}

/// A name as it is written: between bars, if it needs them.
fn quoted(name: String) -> String {
    let is_plain = name.chars().all(is_simple) && !name.starts_with(|c: char| c.is_ascii_digit());
    if is_plain { name } else { format!("|{name}|") }
}

impl Names {
    /// Names for all that is used. The order decides who gets the better name.
    pub fn of(algebra: &Algebra, terms: &Terms, used: &Used, options: &ScriptOptions<'_>) -> Names {
        let mut names = Names::default();
        let own = Own::default();
        names.sorts.names.insert(own.action.to_owned());
        for name in [own.tau, own.sync, own.co, own.other, own.inside] {
            names.values.names.insert(name.to_owned());
            names.values.names.insert(format!("{name}!0"));
        }
        names.data(algebra, used);
        names.symbols(algebra, used);
        let wanted = |var: VarId| {
            let given = options.names.and_then(|names| names.get(&var));
            given.map_or_else(|| terms.var(var).name.as_str(), String::as_str)
        };
        for &var in used.free.iter().chain(&used.bound) {
            let name = names.values.pick(wanted(var));
            names.vars.insert(var, name);
        }
        names
    }

    fn data(&mut self, algebra: &Algebra, used: &Used) {
        for &id in &used.abstracts {
            let name = self.sorts.pick(algebra.abstracts[id.index()].as_str());
            self.abstracts.insert(id, name);
        }
        for &id in &used.datatypes {
            let datatype = &algebra.datatypes[id.index()];
            let name = self.sorts.pick(datatype.name.as_str());
            let constructors = datatype.constructors.iter().map(|constructor| {
                let name = constructor.name;
                let fields = constructor.fields.iter().map(|(field, _)| format!("{name}.{field}"));
                self.constructor(name.as_str(), fields.collect())
            });
            let constructors = constructors.collect();
            self.datatypes.insert(id, (name, constructors));
        }
        if used.actions {
            for action in &algebra.actions {
                let name = format!("{}.{}", action.name, action.sorts.len());
                let fields = (0..action.sorts.len()).map(|place| format!("{name}!{place}"));
                let fields = fields.collect();
                let constructor = self.constructor(&name, fields);
                self.actions.push(constructor);
            }
        }
    }

    /// Names for a constructor and its selectors. Constructors stand in testers, where solvers are known to
    /// trip over names between bars.
    fn constructor(&mut self, name: &str, fields: Vec<String>) -> Constructor {
        let name = self.values.pick(&plain(name));
        let fields = fields.iter().map(|field| self.values.pick(&plain(field))).collect();
        Constructor { name, fields }
    }

    fn symbols(&mut self, algebra: &Algebra, used: &Used) {
        for &id in &used.constants {
            let name = self.values.pick(algebra.constants[id.index()].name.as_str());
            self.constants.insert(id, name);
        }
        for &id in &used.functions {
            let name = self.values.pick(algebra.functions[id.index()].name.as_str());
            self.functions.insert(id, name);
        }
    }

    /// A name for a definition.
    pub fn fresh(&mut self, number: usize) -> String {
        self.values.pick(&format!("t!{number}"))
    }

    /// A name for the function that makes arrays of some sort.
    pub fn constant_array(&mut self) -> String {
        self.values.pick("everywhere")
    }

    pub fn abstract_sort(&self, id: AbstractId) -> &str {
        found(&self.abstracts, &id)
    }

    pub fn datatype(&self, id: DataId) -> &str {
        self.datatypes.get(&id).map_or("", |(name, _)| name)
    }

    pub fn constructors(&self, id: DataId) -> &[Constructor] {
        self.datatypes.get(&id).map_or(&[], |(_, constructors)| constructors)
    }

    pub fn actions(&self) -> &[Constructor] {
        &self.actions
    }

    pub fn action(&self, id: ActionId) -> &Constructor {
        &self.actions[id.index()]
    }

    pub fn constant(&self, id: ConstId) -> &str {
        found(&self.constants, &id)
    }

    pub fn function(&self, id: FunId) -> &str {
        found(&self.functions, &id)
    }

    pub fn var(&self, id: VarId) -> &str {
        found(&self.vars, &id)
    }
}

/// The name of something that is used, and so has one.
fn found<'n, K: std::hash::Hash + Eq>(names: &'n FxHashMap<K, String>, key: &K) -> &'n str {
    names.get(key).map_or("", String::as_str)
}

#[cfg(test)]
mod tests {
    use super::Taken;

    #[test]
    fn names_are_quoted_and_never_clash() {
        let mut taken = Taken::default();
        let mut pick = |wanted: &str| taken.pick(wanted);
        assert_eq!(pick("x"), "x");
        assert_eq!(pick("x"), "x!1");
        assert_eq!(pick("x!1"), "x!1!1");
        assert_eq!(pick("x"), "x!2");
        assert_eq!(pick("and"), "and!1");
        assert_eq!(pick("größe"), "|größe|");
        assert_eq!(pick("P[0].v"), "|P[0].v|");
        assert_eq!(pick("a|b\\c"), "a_b_c");
        assert_eq!(pick("@x"), "_@x");
        assert_eq!(pick("1st"), "|1st|");
        assert_eq!(pick(""), "_!1");
    }
}
