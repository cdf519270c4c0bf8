//! Patterns for tests: a short notation, the models that are known, and random ones.

pub mod known;
pub mod random;
pub mod text;

use pnetc::parametric::{
    ComponentMove, ComponentState, ComponentStateId, ComponentType, GoalFormula, InteractionMember,
    MadeComponent, NameFormula, NeverClaim, PatternInteraction, PatternNameId, PatternPart,
    PatternRule, StateSet, SystemPattern,
};

/// A pattern in a short notation, one statement a line or after `;`:
///
/// ```text
/// component Station *idle recv busy, busy send idle.     `*`: initial, `.`: final, `?` after a port: it may, not must
/// rule Chain x y                                         the first rule is the start; names not seen before are new
/// x = Station                                            a component
/// send x, recv z                                         an interaction; with `?` before it, one that may only
/// Chain z y                                              a part
/// never near: x busy | y busy & z busy                   a claim: `|` binds more than `&`; `!x busy` is not
/// ```
pub fn pattern(text: &str) -> SystemPattern {
    let mut pattern = SystemPattern::new("test");
    let lines = text.split(['\n', ';']).map(str::trim).filter(|line| !line.is_empty());
    let heads: Vec<&str> = lines.clone().filter_map(|line| line.strip_prefix("rule ")).collect();
    for head in heads {
        let mut words = head.split_whitespace();
        let label = words.next().unwrap();
        pattern.head(label, words.count());
    }
    for line in lines {
        if let Some(text) = line.strip_prefix("component ") {
            component(&mut pattern, text);
        } else if let Some(head) = line.strip_prefix("rule ") {
            let mut words = head.split_whitespace();
            let id = pattern.head(words.next().unwrap(), 0);
            pattern.start = pattern.start.or(Some(id));
            pattern.rules.push(PatternRule {
                head: id,
                names: words.map(str::to_owned).collect(),
                components: Vec::new(),
                interactions: Vec::new(),
                parts: Vec::new(),
                nevers: Vec::new(),
                joins: Vec::new(),
            });
        } else {
            statement(&mut pattern, line);
        }
    }
    pattern.check().unwrap();
    pattern
}

fn component(pattern: &mut SystemPattern, text: &str) {
    let (label, text) = text.split_once(' ').unwrap();
    let mut one = ComponentType { label: label.to_owned(), ..ComponentType::default() };
    for step in text.split(',') {
        let words: Vec<&str> = step.split_whitespace().collect();
        let from = state(&mut one, words[0]);
        let [_, port, to] = words[..] else { continue };
        let to = state(&mut one, to);
        let (label, must) = (port.trim_end_matches('?'), !port.ends_with('?'));
        one.moves.push(ComponentMove { port: pattern.port(label), from, to, must });
    }
    pattern.types.push(one);
}

fn state(one: &mut ComponentType, text: &str) -> ComponentStateId {
    let label = text.trim_start_matches('*').trim_end_matches('.');
    let known = one.states.find(|state| state.label == label);
    let id = known.unwrap_or_else(|| {
        one.states.push(ComponentState { label: label.to_owned(), ..ComponentState::default() })
    });
    one.states[id].initial |= text.starts_with('*');
    one.states[id].is_final |= text.ends_with('.');
    id
}

fn statement(pattern: &mut SystemPattern, line: &str) {
    let first = line.split_whitespace().next().unwrap();
    if let Some((name, of)) = line.split_once(" = ") {
        let of = pattern.types.find(|one| one.label == of.trim()).unwrap();
        let name = name_of(pattern, name);
        last(pattern).components.push(MadeComponent { name, of });
    } else if let Some(text) = line.strip_prefix("never ") {
        let (label, text) = text.split_once(':').unwrap();
        let bad = NameFormula::And(text.split('&').map(|one| either(pattern, one)).collect());
        last(pattern).nevers.push(NeverClaim { label: label.to_owned(), bad });
    } else if let Some(head) = pattern.heads.find(|head| head.label == first) {
        let names: Vec<&str> = line.split_whitespace().skip(1).collect();
        let arguments = names.into_iter().map(|name| name_of(pattern, name)).collect();
        last(pattern).parts.push(PatternPart { head, arguments });
    } else {
        let (may_only, text) = (line.starts_with('?'), line.trim_start_matches('?'));
        let members = text.split(',').map(|text| member(pattern, text)).collect();
        let label = text.to_owned();
        last(pattern).interactions.push(PatternInteraction { label, members, may_only });
    }
}

fn last(pattern: &mut SystemPattern) -> &mut PatternRule {
    pattern.rules.last_mut().unwrap()
}

fn name_of(pattern: &mut SystemPattern, name: &str) -> PatternNameId {
    let names = &mut last(pattern).names;
    let name = name.trim();
    names.find(|known| known == name).unwrap_or_else(|| names.push(name.to_owned()))
}

fn member(pattern: &mut SystemPattern, text: &str) -> InteractionMember {
    let (port, name) = text.trim().split_once(' ').unwrap();
    InteractionMember { port: pattern.port(port), name: name_of(pattern, name) }
}

fn either(pattern: &mut SystemPattern, text: &str) -> NameFormula {
    NameFormula::Or(text.split('|').map(|one| test(pattern, one.trim())).collect())
}

fn test(pattern: &mut SystemPattern, text: &str) -> NameFormula {
    let (name, label) = text.trim_start_matches('!').split_once(' ').unwrap();
    let name = name_of(pattern, name);
    let formula = NameFormula::In(name, states(pattern, &[label]));
    if text.starts_with('!') { NameFormula::Not(Box::new(formula)) } else { formula }
}

/// All states with these labels, or with `Type.label`.
pub fn states(pattern: &SystemPattern, labels: &[&str]) -> StateSet {
    let mut set = StateSet::new();
    for (of, one) in pattern.types.enumerated() {
        for (id, state) in one.states.enumerated() {
            let long = format!("{}.{}", one.label, state.label);
            if labels.contains(&state.label.as_str()) || labels.contains(&long.as_str()) {
                set.add(of, id);
            }
        }
    }
    assert!(set != StateSet::new(), "no state is called {labels:?}");
    set
}

/// At least so many components are in states with these labels.
pub fn at_least(pattern: &SystemPattern, many: usize, labels: &[&str]) -> GoalFormula {
    GoalFormula::AtLeast(many, states(pattern, labels))
}
