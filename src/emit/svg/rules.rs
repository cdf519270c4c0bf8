//! The rules of an architecture as a picture: a box for each rule, in it the components that it makes as boxes, names that are made
//! elsewhere as holes, the parts that other rules describe as closed boxes, and what joins them as lines and as a table.

use std::collections::BTreeSet;

use crate::architectures::{ShownJoin, ShownName, ShownRule, ShownRules};
use crate::pnet::PartId;

use super::boxes::{Block, arrange, gap, joined, named_hole, node, plain};
use super::links::{End, Link};
use super::table::{Column, LONGEST_ACTION, LONGEST_GUARD, Table, measured};
use super::text::Line;

/// At most so many rules are drawn, and so many rows of their tables.
const MOST_RULES: usize = 40;
const MOST_ROWS: usize = 40;

/// The rules as an SVG picture.
pub fn rules_svg(shown: &ShownRules) -> String {
    let name = shown.name.as_str();
    let drawn = shown.rules.iter().take(MOST_RULES);
    let mut rules: Vec<Block> = drawn.map(|rule| block(rule, name)).collect();
    if shown.rules.len() > MOST_RULES {
        rules.push(gap(name, shown.rules.len() - MOST_RULES));
    }
    let size = arrange(&mut rules, None);
    let whole = node((name, Some("architecture")), name, (rules, None), (None, size), Vec::new());
    super::page(name, &whole)
}

/// The box of a rule.
fn block(rule: &ShownRule, around: &str) -> Block {
    let path = format!("{around}/{}", rule.title);
    let mut parts: Vec<Block> = rule.names.iter().map(|name| component(name, &path)).collect();
    for (head, names) in &rule.parts {
        let names: Vec<&str> = names.iter().map(|&at| rule.names[at].text.as_str()).collect();
        parts.push(plain(head, &path, None, Some(&format!("({})", names.join(", ")))));
    }
    let table = table(rule);
    let (wiring, size) = match joined(&mut parts, links(rule), table.as_ref()) {
        Some((wiring, size)) => (Some(wiring), size),
        None => (None, arrange(&mut parts, table.as_ref())),
    };
    let notes = rule.claims.iter().map(|text| Line::new("cond", text)).collect();
    node((&rule.title, None), &path, (parts, table), (wiring, size), notes)
}

/// A component that is made here, or a name that gets one elsewhere.
fn component(name: &ShownName, path: &str) -> Block {
    match &name.made {
        Some(kind) => plain(&name.text, path, Some(kind), None),
        None => named_hole(&name.text, path, &name.kinds),
    }
}

/// What joins names, and which names parts get.
fn links(rule: &ShownRule) -> Vec<(Link, Vec<String>)> {
    let name = |at: usize| rule.names[at].text.clone();
    let mut links: Vec<(Link, Vec<String>)> = Vec::new();
    for join in &rule.joins {
        let members = join.members.iter();
        let ends: Vec<End> =
            members.map(|(at, _, trigger)| End::Part(PartId(*at as u32), *trigger)).collect();
        let known = links.iter_mut().find(|(link, _)| link.name.is_none() && link.ends == ends);
        match known.filter(|_| join.name.is_none()) {
            Some((link, _)) => link.told.push(join.text.clone()),
            None => {
                let names = join.members.iter().map(|(at, ..)| name(*at)).collect();
                let (told, passes) = (vec![join.text.clone()], false);
                links.push((
                    Link { name: join.name.clone(), ends, told, text: None, passes },
                    names,
                ));
            }
        }
    }
    for (place, (head, names)) in rule.parts.iter().enumerate() {
        let own = PartId((rule.names.len() + place) as u32);
        for &at in BTreeSet::from_iter(names) {
            let ends = vec![End::Part(own, None), End::Part(PartId(at as u32), None)];
            let told = vec![format!("{head} gets {}", name(at))];
            let link = Link { name: None, ends, told, text: None, passes: true };
            links.push((link, vec![head.clone(), name(at)]));
        }
    }
    links.retain(|(link, _)| link.parts().len() > 1);
    links
}

/// The vectors: a column for each name, what is shown, and when.
fn table(rule: &ShownRule) -> Option<Table> {
    if rule.joins.is_empty() {
        return None;
    }
    let is_used = |at: &usize| rule.joins.iter().any(|join| does(join, *at).next().is_some());
    let names: Vec<usize> = (0..rule.names.len()).filter(is_used).collect();
    let heading = |&at: &usize| {
        let class = if rule.names[at].made.is_some() { "th" } else { "th hole-name" };
        Column::new(Line::new(class, &rule.names[at].text), false)
    };
    let mut columns: Vec<Column> = names.iter().map(heading).collect();
    columns.push(Column::new(Line::new("th", "result"), true));
    let any = rule.joins.iter().any(|join| !join.clauses.is_empty());
    if any {
        columns.push(Column::new(Line::new("th", "where"), true));
    }
    let mut rows = Vec::new();
    for join in rule.joins.iter().take(MOST_ROWS) {
        let mut cells: Vec<Vec<Line>> = names.iter().map(|&name| cell(join, name)).collect();
        cells.push(Line::several("result", &join.shows, LONGEST_ACTION));
        if any {
            cells.push(Line::several("cond", &join.clauses, LONGEST_GUARD));
        }
        rows.push(cells);
    }
    Some(measured(columns, rows, rule.joins.len().saturating_sub(MOST_ROWS)))
}

/// What a name does in a vector or connector.
fn does(join: &ShownJoin, name: usize) -> impl Iterator<Item = &(usize, String, Option<bool>)> {
    join.members.iter().filter(move |(at, ..)| *at == name)
}

fn cell(join: &ShownJoin, name: usize) -> Vec<Line> {
    let lines = does(join, name).flat_map(|(_, action, trigger)| {
        let mark = if *trigger == Some(true) { "'" } else { "" };
        Line::several("act", &format!("{action}{mark}"), LONGEST_ACTION)
    });
    let lines: Vec<Line> = lines.collect();
    if lines.is_empty() { vec![Line::new("dash", "–")] } else { lines }
}
