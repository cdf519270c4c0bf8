//! Whether rules make sense: their names are known, given once, and used as they are declared.

use rustc_hash::FxHashMap;

use super::super::problems::{NamesOfRule, NoFirstRule, Twice, TwiceInRule, UnknownInRule};
use super::super::text::Texts;
use super::parse::{Child, RecRule, RecSystem, RuleSet, Word};
use crate::diagnostics::{Span, closest};

/// The rules by their names.
type Sets<'s> = FxHashMap<&'s str, &'s RuleSet>;

/// Looks at all rules, and reports what is wrong; whether nothing is.
pub(super) fn check(system: &RecSystem, texts: &mut Texts<'_>) -> bool {
    let before = texts.diagnostics.len();
    let mut sets = Sets::default();
    for set in &system.sets {
        match sets.get(set.name.text.as_str()) {
            Some(first) => twice(&set.name, first.name.span, Twice::Rules, texts),
            None => _ = sets.insert(&set.name.text, set),
        }
    }
    if let Some(first) = system.sets.first().filter(|first| first.parameters.all().count() > 0) {
        texts.report(NoFirstRule { span: first.name.span, name: first.name.text.clone() });
    }
    for set in &system.sets {
        for rule in &set.rules {
            // What was broken may have been what is missing now.
            check_rule(set, rule, (&sets, system.is_whole), texts);
        }
    }
    system.is_whole && !system.sets.is_empty() && texts.diagnostics.len() == before
}

fn twice(word: &Word, first: Span, what: Twice, texts: &mut Texts<'_>) {
    texts.report(TwiceInRule { span: word.span, first, name: word.text.clone(), what });
}

/// Takes names that must be different.
fn distinct<'w>(
    words: impl Iterator<Item = &'w Word>,
    what: Twice,
    texts: &mut Texts<'_>,
) -> FxHashMap<&'w str, Span> {
    let mut known: FxHashMap<&str, Span> = FxHashMap::default();
    for word in words {
        match known.get(word.text.as_str()) {
            Some(first) => twice(word, *first, what, texts),
            None => _ = known.insert(&word.text, word.span),
        }
    }
    known
}

fn check_rule(
    set: &RuleSet,
    rule: &RecRule,
    (sets, is_whole): (&Sets<'_>, bool),
    texts: &mut Texts<'_>,
) {
    let is_first = set.rules.first().is_some_and(|first| first.id.span == rule.id.span);
    let known = match is_first {
        true => distinct(set.parameters.all().chain(&rule.locals), Twice::Declared, texts),
        false => {
            let parameters = set.parameters.all().map(|word| (word.text.as_str(), word.span));
            let mut known: FxHashMap<&str, Span> = parameters.collect();
            for word in &rule.locals {
                if let Some(first) = known.insert(&word.text, word.span) {
                    twice(word, first, Twice::Declared, texts);
                }
            }
            known
        }
    };
    let need = |word: &Word, texts: &mut Texts<'_>| {
        if !known.contains_key(word.text.as_str()) {
            let mut names: Vec<&str> = known.keys().copied().collect();
            names.sort_unstable();
            let near = closest(&word.text, names).map(str::to_owned);
            let (span, name) = (word.span, word.text.clone());
            texts.report(UnknownInRule { span, name, is_symbol: false, near });
        }
    };
    for interaction in &rule.interactions {
        interaction.iter().for_each(|(name, _)| need(name, texts));
        distinct(interaction.iter().map(|(name, _)| name), Twice::Member, texts);
    }
    for child in &rule.children {
        match child {
            Child::Component(name, _) => need(name, texts),
            Child::Part(symbol, given, span) => {
                given.all().for_each(|name| need(name, texts));
                part(symbol, given.sizes(), *span, (sets, is_whole), texts);
            }
        }
    }
    let made = rule.children.iter().filter_map(|child| match child {
        Child::Component(name, _) => Some(name),
        Child::Part(..) => None,
    });
    distinct(made, Twice::Component, texts);
}

fn part(
    symbol: &Word,
    given: (usize, usize),
    span: Span,
    (sets, is_whole): (&Sets<'_>, bool),
    texts: &mut Texts<'_>,
) {
    let name = symbol.text.clone();
    match sets.get(symbol.text.as_str()) {
        Some(set) if set.parameters.sizes() != given => {
            let (has, declared) = (set.parameters.sizes(), set.name.span);
            texts.report(NamesOfRule { span, name, has, given, declared });
        }
        Some(_) => {}
        None if !is_whole => {}
        None => {
            let mut names: Vec<&str> = sets.keys().copied().collect();
            names.sort_unstable();
            let near = closest(&name, names).map(str::to_owned);
            texts.report(UnknownInRule { span: symbol.span, name, is_symbol: true, near });
        }
    }
}
