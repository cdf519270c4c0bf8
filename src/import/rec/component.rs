//! Component files: one transition a line, `state -> state : port`.

use super::super::problems::NoTransition;
use super::super::text::{Texts, beside};
use super::parse::{Child, RecSystem};
use crate::diagnostics::Span;
use indexmap::{IndexMap, IndexSet};

/// The states and transitions of a component.
#[derive(Debug, Default)]
pub(super) struct Component {
    /// States as they are met; the first one is initial.
    pub states: IndexSet<String>,
    /// Source, target and port.
    pub transitions: Vec<(String, String, String)>,
}

impl Component {
    /// The states that can be reached, in order.
    pub fn reached(&self) -> IndexSet<&str> {
        let mut reached: IndexSet<&str> =
            self.states.first().map(String::as_str).into_iter().collect();
        let mut at = 0;
        while let Some(state) = reached.get_index(at).copied() {
            let steps = self.transitions.iter().filter(|(from, _, _)| from == state);
            reached.extend(steps.map(|(_, to, _)| to.as_str()));
            at += 1;
        }
        reached
    }
}

/// All components that rules name, by their names.
pub(super) fn components(
    path: &str,
    system: &RecSystem,
    texts: &mut Texts<'_>,
) -> IndexMap<String, Component> {
    let mut components = IndexMap::new();
    let rules = system.sets.iter().flat_map(|set| &set.rules);
    for child in rules.flat_map(|rule| &rule.children) {
        if let Child::Component(_, name) = child
            && !components.contains_key(&name.text)
        {
            let read = texts.read(&beside(path, &format!("{}.aut", name.text)), name.span);
            let component = read.map(|(text, base)| component(&text, base, name.span, texts));
            components.insert(name.text.clone(), component.unwrap_or_default());
        }
    }
    components
}

fn component(text: &str, base: u32, named: Span, texts: &mut Texts<'_>) -> Component {
    let mut component = Component::default();
    let is_aldebaran = text.trim_start().starts_with("des");
    let mut at = 0;
    for whole in text.split_inclusive('\n') {
        let line = whole.trim();
        let start = base + (at + whole.len() - whole.trim_start().len()) as u32;
        at += whole.len();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match transition(line) {
            Some([from, to, port]) => {
                component.states.insert(from.clone());
                component.states.insert(to.clone());
                component.transitions.push((from, to, port));
            }
            None => {
                let span = Span::new(start, start + line.len() as u32);
                texts.report(NoTransition { span, is_aldebaran, is_empty: false });
                // One is enough for a file of another format.
                if is_aldebaran {
                    return component;
                }
            }
        }
    }
    if component.transitions.is_empty() {
        texts.report(NoTransition { span: named, is_aldebaran: false, is_empty: true });
    }
    component
}

/// Source, target and port of a line.
fn transition(line: &str) -> Option<[String; 3]> {
    let (from, rest) = line.split_once("->")?;
    let (to, port) = rest.split_once(':')?;
    let words = [from.trim(), to.trim(), port.trim()];
    let is_word = |word: &&str| {
        !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    // Rules can name only ports that begin with a letter.
    let is_port = port.trim().starts_with(|c: char| c.is_ascii_alphabetic());
    (is_port && words.iter().all(is_word)).then(|| words.map(str::to_owned))
}
