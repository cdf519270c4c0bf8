//! A node as the text of a model.

use indexmap::{IndexMap, IndexSet};

use super::super::ImportOptions;
use super::super::name::{Names, quoted};
use super::super::text::{file_name, stem};
use super::super::write::Page;
use super::parse::{Slot, SpecEntry, SpecNode, SpecVector, Word, is_number};

/// The first and the last value.
type Bounds = (i64, i64);

/// The values that an action has at each place, by its name and how many it has.
type Actions = IndexMap<(String, usize), Vec<Bounds>>;

/// The model of a node. `has_file` says whether an entry has a system of its own.
pub(super) fn model(
    path: &str,
    node: &SpecNode,
    options: &ImportOptions,
    has_file: &dyn Fn(&str) -> bool,
) -> String {
    let writer = Writer::new(path, node, has_file);
    let mut page = Page::default();
    let mut comments = node.comments.clone();
    let start = node.entries.first().map_or(0, |entry| entry.name.span.start);
    page.comments([format!("Imported from {}.", file_name(path))]);
    page.comments(comments.before(start));
    page.gap();
    writer.actions(&mut page);
    page.gap();
    writer.entries(options, &mut page);
    page.gap();
    writer.head(&mut page);
    for vector in &node.vectors {
        page.comments(comments.before(vector.span.start));
        page.line(&writer.vector(vector));
    }
    page.comments(comments.rest());
    writer.silent(&mut page);
    page.line("}");
    page.finish()
}

struct Writer<'n> {
    node: &'n SpecNode,
    net: String,
    actions: Actions,
    /// What each entry is called, and whether it has a system of its own.
    entries: Vec<(String, bool)>,
    /// What each action is called that is an index of a vector, too.
    parameters: IndexMap<&'n str, String>,
}

impl<'n> Writer<'n> {
    fn new(path: &str, node: &'n SpecNode, has_file: &dyn Fn(&str) -> bool) -> Writer<'n> {
        let (mut parts, mut components) = (Names::default(), Names::default());
        let net = components.fresh(&stem(path));
        let mut entries = Vec::new();
        for entry in &node.entries {
            entries.push((parts.fresh(&entry.name.text), has_file(&entry.name.text)));
        }
        let actions = actions(node);
        // A variable of a vector must not be taken for the action of its name, or for a part.
        let mut names = Names::default();
        actions.keys().for_each(|(name, _)| names.take(name));
        let parameters =
            node.ranges.keys().map(|name| (name.as_str(), names.fresh(name))).collect();
        Writer { node, net, actions, entries, parameters }
    }

    fn bounds(&self, word: &Word) -> Bounds {
        bounds(self.node, word)
    }

    fn actions(&self, page: &mut Page) {
        for ((name, _), places) in &self.actions {
            let sorts: Vec<String> = places.iter().map(|bounds| range(*bounds)).collect();
            match sorts.is_empty() {
                true => page.line(&format!("action {};", quoted(name))),
                false => page.line(&format!("action {}({});", quoted(name), sorts.join(", "))),
            }
        }
    }

    /// An interface for each hole, and a process for each entry with a system.
    fn entries(&self, options: &ImportOptions, page: &mut Page) {
        for (at, entry) in self.node.entries.iter().enumerate() {
            let (name, has_file) = &self.entries[at];
            if !entry.values.is_empty() {
                let values: Vec<&str> =
                    entry.values.iter().map(|word| word.text.as_str()).collect();
                page.comments([format!("{}({})", entry.name.text, values.join(", "))]);
            }
            if *has_file {
                let file = format!("{}{}.aut", options.folder, entry.name.text);
                page.line(&format!("process {} = lts \"{file}\";", quoted(name)));
                continue;
            }
            let mut offered = IndexSet::new();
            for slot in self.node.vectors.iter().filter_map(|vector| vector.slots[at].as_ref()) {
                let places = &self.actions[&(slot.action.text.clone(), slot.values.len())];
                let sorts: Vec<String> = places.iter().map(|bounds| range(*bounds)).collect();
                offered.insert(match sorts.is_empty() {
                    true => quoted(&slot.action.text),
                    false => format!("{}({})", quoted(&slot.action.text), sorts.join(", ")),
                });
            }
            let offered: Vec<String> = offered.into_iter().collect();
            page.line(&format!("interface {} {{ {} }}", quoted(name), offered.join(", ")));
        }
    }

    fn head(&self, page: &mut Page) {
        let is_hole = |at: usize| !self.entries[at].1;
        let family = |entry: &SpecEntry| match &entry.index {
            Some(index) => format!("[i: {}]", range(self.bounds(index))),
            None => String::new(),
        };
        let entries = || self.node.entries.iter().enumerate();
        let holes = entries().filter(|(at, _)| is_hole(*at)).map(|(at, entry)| {
            let name = quoted(&self.entries[at].0);
            format!("{name}{}: {name}", family(entry))
        });
        let holes: Vec<String> = holes.collect();
        let net = quoted(&self.net);
        match holes.is_empty() {
            true => page.line(&format!("net {net} {{")),
            false => page.line(&format!("net {net}({}) {{", holes.join(", "))),
        }
        for (at, entry) in entries().filter(|(at, _)| !is_hole(*at)) {
            let name = quoted(&self.entries[at].0);
            page.line(&format!("sub {name}{} = {name};", family(entry)));
        }
        page.gap();
    }

    /// What parts do silently, they do by themselves.
    fn silent(&self, page: &mut Page) {
        page.gap();
        for (entry, (name, _)) in self.node.entries.iter().zip(&self.entries) {
            let name = quoted(name);
            match &entry.index {
                None => page.line(&format!("<{name}: tau> -> tau;")),
                Some(index) => {
                    let range = range(self.bounds(index));
                    page.line(&format!("<{name}[i]: tau> -> tau for i in {range};"));
                }
            }
        }
    }

    fn vector(&self, vector: &SpecVector) -> String {
        let slots = || vector.slots.iter().flatten();
        let parameters: IndexSet<&str> = slots()
            .chain([&vector.result])
            .flat_map(|slot| slot.values.iter().chain(&slot.member))
            .map(|word| word.text.as_str())
            .filter(|word| !is_number(word))
            .collect();
        let in_members = |name: &str| {
            slots().flat_map(|slot| &slot.values).filter(|word| word.text == name).count()
        };
        let is_index = |name: &str| {
            let is_member =
                slots().filter_map(|slot| slot.member.as_ref()).any(|one| one.text == name);
            is_member || in_members(name) == 0
        };
        let in_result =
            |name: &str| vector.result.values.iter().filter(|word| word.text == name).count();
        let is_single = |name: &str| !is_index(name) && in_members(name) + in_result(name) == 1;
        let shown = |word: &Word| match () {
            () if is_number(&word.text) => word.text.clone(),
            () if is_single(&word.text) && self.is_wide(vector, &word.text) => "_".to_owned(),
            () => quoted(&self.parameters[word.text.as_str()]),
        };
        let action = |slot: &Slot| {
            let values: Vec<String> = slot.values.iter().map(shown).collect();
            match values.is_empty() {
                true => quoted(&slot.action.text),
                false => format!("{}({})", quoted(&slot.action.text), values.join(", ")),
            }
        };
        let members = vector.slots.iter().zip(&self.entries).filter_map(|(slot, (name, _))| {
            let slot = slot.as_ref()?;
            let member =
                slot.member.as_ref().map_or(String::new(), |word| format!("[{}]", shown(word)));
            Some(format!("{}{member}: {}", quoted(name), action(slot)))
        });
        let members: Vec<String> = members.collect();
        let mut text = format!("<{}> -> {}", members.join(", "), action(&vector.result));
        let narrow =
            parameters.iter().filter(|name| !is_index(name) && !self.is_wide(vector, name));
        let conditions: Vec<String> = narrow
            .map(|name| {
                let ((first, last), name) =
                    (self.node.ranges[*name], quoted(&self.parameters[*name]));
                format!("{first} <= {name} and {name} <= {last}")
            })
            .collect();
        if !conditions.is_empty() {
            text.push_str(&format!(" when {}", conditions.join(" and ")));
        }
        let repeated: Vec<String> = parameters
            .iter()
            .filter(|name| is_index(name))
            .map(|name| {
                format!("{} in {}", quoted(&self.parameters[*name]), range(self.node.ranges[*name]))
            })
            .collect();
        if !repeated.is_empty() {
            text.push_str(&format!(" for {}", repeated.join(", ")));
        }
        text.push(';');
        text
    }

    /// Whether a parameter has all values that the actions of a vector have where it stands.
    fn is_wide(&self, vector: &SpecVector, name: &str) -> bool {
        let own = self.node.ranges[name];
        vector.slots.iter().flatten().any(|slot| {
            let places = &self.actions[&(slot.action.text.clone(), slot.values.len())];
            let mut found = slot.values.iter().zip(places);
            found.any(|(word, bounds)| word.text == name && *bounds == own)
        })
    }
}

fn bounds(node: &SpecNode, word: &Word) -> Bounds {
    match word.text.parse::<i64>() {
        Ok(number) => (number, number),
        Err(_) => node.ranges.get(&word.text).copied().unwrap_or((0, 0)),
    }
}

/// All actions, with what values they can have.
fn actions(node: &SpecNode) -> Actions {
    let mut actions = Actions::new();
    for vector in &node.vectors {
        for slot in vector.slots.iter().flatten().chain([&vector.result]) {
            let own: Vec<Bounds> = slot.values.iter().map(|word| bounds(node, word)).collect();
            let key = (slot.action.text.clone(), own.len());
            let known = actions.entry(key).or_insert_with(|| own.clone());
            for (known, own) in known.iter_mut().zip(own) {
                *known = (known.0.min(own.0), known.1.max(own.1));
            }
        }
    }
    actions
}

/// A range as it is written: without its end.
fn range((first, last): Bounds) -> String {
    format!("{first}..{}", last + 1)
}
