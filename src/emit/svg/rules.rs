//! The rules of an architecture as a picture: a box for each rule, in it the components that it makes as boxes, names that are made
//! elsewhere as holes, the parts that other rules describe as closed boxes, and what joins them as lines and as a table.

use std::collections::BTreeSet;

use crate::diagnostics::SourceMap;
use crate::pnet::PartId;
use crate::sema::program::{ArchitectureDef, JoinDef, RuleDef};

use super::boxes::{Block, arrange, gap, joined, named_hole, node, plain};
use super::links::{End, Link};
use super::table::{Column, LONGEST_ACTION, LONGEST_GUARD, Table, measured};
use super::text::Line;

/// At most so many rules are drawn, and so many rows of their tables.
const MOST_RULES: usize = 40;
const MOST_ROWS: usize = 40;

/// The rules as an SVG picture.
pub fn rules_svg(def: &ArchitectureDef, sources: &SourceMap) -> String {
    let name = def.named.name.as_str();
    let mut rules: Vec<Block> = Vec::new();
    for rule in def.rules.iter().take(MOST_RULES) {
        rules.push(Drawn { def, rule, sources }.block(name));
    }
    if def.rules.len() > MOST_RULES {
        rules.push(gap(name, def.rules.len() - MOST_RULES));
    }
    let size = arrange(&mut rules, None);
    let whole = node((name, Some("architecture")), name, (rules, None), (None, size), Vec::new());
    super::page(name, &whole)
}

/// A rule that is drawn.
struct Drawn<'d> {
    def: &'d ArchitectureDef,
    rule: &'d RuleDef,
    sources: &'d SourceMap,
}

impl Drawn<'_> {
    /// The box of the rule.
    fn block(&self, around: &str) -> Block {
        let parameters: Vec<&str> = (0..self.rule.parameters).map(|at| self.name(at)).collect();
        let head = self.def.heads[self.rule.head].name.name;
        let title = format!("{head}({})", parameters.join(", "));
        let path = format!("{around}/{title}");
        let mut parts: Vec<Block> =
            (0..self.rule.names.len()).map(|name| self.component(name, &path)).collect();
        for part in &self.rule.parts {
            let names: Vec<&str> = part.names.iter().map(|&name| self.name(name)).collect();
            let head = self.def.heads[part.head].name.name;
            parts.push(plain(head.as_str(), &path, None, Some(&format!("({})", names.join(", ")))));
        }
        let table = self.table();
        let drawn = joined(&mut parts, self.links(), table.as_ref());
        let (wiring, size) = match drawn {
            Some((wiring, size)) => (Some(wiring), size),
            None => (None, arrange(&mut parts, table.as_ref())),
        };
        node((&title, None), &path, (parts, table), (wiring, size), self.notes())
    }

    fn name(&self, at: usize) -> &str {
        self.rule.names[at].ident.name.as_str()
    }

    /// A component that is made here, or a name that gets one elsewhere.
    fn component(&self, name: usize, path: &str) -> Block {
        match self.rule.made.iter().find(|made| made.name == name) {
            Some(made) => {
                let kind = self.def.kinds[made.kind].text.as_str();
                plain(self.name(name), path, Some(kind), None)
            }
            None => {
                let kinds = self.def.classes[self.rule.names[name].class].iter();
                let kinds: Vec<String> =
                    kinds.map(|&kind| self.def.kinds[kind].text.clone()).collect();
                named_hole(self.name(name), path, &kinds)
            }
        }
    }

    /// What joins names, and which names parts get.
    fn links(&self) -> Vec<(Link, Vec<String>)> {
        let mut links: Vec<(Link, Vec<String>)> = Vec::new();
        for join in &self.rule.joins {
            let told = self.told(join);
            let ends: Vec<End> = join
                .members
                .iter()
                .map(|member| End::Part(PartId(member.name as u32), member.trigger))
                .collect();
            let name = join.name.map(|name| name.name.to_string());
            let known = links.iter_mut().find(|(link, _)| link.name.is_none() && link.ends == ends);
            match known.filter(|_| name.is_none()) {
                Some((link, _)) => link.told.push(told),
                None => {
                    let names = join.members.iter().map(|one| self.name(one.name).to_owned());
                    let link = Link { name, ends, told: vec![told], passes: false };
                    links.push((link, names.collect()));
                }
            }
        }
        for (place, part) in self.rule.parts.iter().enumerate() {
            let head = self.def.heads[part.head].name.name.to_string();
            let own = PartId((self.rule.names.len() + place) as u32);
            for &name in BTreeSet::from_iter(&part.names) {
                let ends = vec![End::Part(own, None), End::Part(PartId(name as u32), None)];
                let told = vec![format!("{head} gets {}", self.name(name))];
                let link = Link { name: None, ends, told, passes: true };
                links.push((link, vec![head.clone(), self.name(name).to_owned()]));
            }
        }
        links.retain(|(link, _)| link.parts().len() > 1);
        links
    }

    fn told(&self, join: &JoinDef) -> String {
        one_line(self.sources.text(join.span))
    }

    /// The vectors: a column for each name, what is shown, and when.
    fn table(&self) -> Option<Table> {
        if self.rule.joins.is_empty() {
            return None;
        }
        let names: Vec<usize> = (0..self.rule.names.len())
            .filter(|name| self.rule.joins.iter().any(|join| join.names.contains(name)))
            .collect();
        let is_made = |name: usize| self.rule.made.iter().any(|made| made.name == name);
        let heading = |&name: &usize| {
            let class = if is_made(name) { "th" } else { "th hole-name" };
            Column::new(Line::new(class, self.name(name)), false)
        };
        let mut columns: Vec<Column> = names.iter().map(heading).collect();
        columns.push(Column::new(Line::new("th", "result"), true));
        let clauses: Vec<String> = self.rule.joins.iter().map(|join| self.clauses(join)).collect();
        let any = clauses.iter().any(|text| !text.is_empty());
        if any {
            columns.push(Column::new(Line::new("th", "where"), true));
        }
        let mut rows = Vec::new();
        for (join, clauses) in self.rule.joins.iter().zip(&clauses).take(MOST_ROWS) {
            let mut cells: Vec<Vec<Line>> =
                names.iter().map(|&name| self.cell(join, name)).collect();
            let shown = one_line(self.sources.text(join.shows));
            cells.push(Line::several("result", &shown, LONGEST_ACTION));
            if any {
                cells.push(Line::several("cond", clauses, LONGEST_GUARD));
            }
            rows.push(cells);
        }
        Some(measured(columns, rows, self.rule.joins.len().saturating_sub(MOST_ROWS)))
    }

    fn cell(&self, join: &JoinDef, name: usize) -> Vec<Line> {
        let own = join.members.iter().filter(|member| member.name == name);
        let lines = own.flat_map(|member| {
            let mark = if member.trigger == Some(true) { "'" } else { "" };
            let text = one_line(self.sources.text(member.action)) + mark;
            Line::several("act", &text, LONGEST_ACTION)
        });
        let lines: Vec<Line> = lines.collect();
        if lines.is_empty() { vec![Line::new("dash", "–")] } else { lines }
    }

    /// What stands after a vector or connector: when it can happen, and what goes before it.
    fn clauses(&self, join: &JoinDef) -> String {
        let text = one_line(self.sources.text(join.clauses));
        text.trim_end_matches(';').trim().to_owned()
    }

    /// What the rule claims.
    fn notes(&self) -> Vec<Line> {
        let claims = self.rule.nevers.iter();
        let texts = claims.map(|claim| one_line(self.sources.text(claim.span)));
        texts.map(|text| Line::new("cond", text.trim_end_matches(';'))).collect()
    }
}

/// A text without what is between its lines.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
