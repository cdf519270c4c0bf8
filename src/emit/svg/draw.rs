//! Writes what was laid out as SVG. All coordinates are absolute, so that the text can be read, and tested.

use std::fmt::Write;

use super::automaton::{Arrow, Automaton, Pill, Point, StateKind, Taken};
use super::boxes::{Block, Inside, PAD, TITLE, TITLE_SIZE};
use super::circle::Wiring;
use super::comments::Comments;
use super::table::{self, ROW, Table};
use super::text::{LINE, Line, SMALL, width};

/// The text of a picture while it is written.
pub(super) struct Canvas {
    /// What was written so far.
    pub(super) out: String,
    /// What people wrote about what is drawn.
    pub(super) comments: Comments,
}

/// A text for XML.
pub(in crate::emit) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// A number with at most one digit after the point.
pub(super) fn num(value: f64) -> String {
    let text = format!("{value:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

fn points(list: &[Point]) -> String {
    list.iter().map(|(x, y)| format!("{} {}", num(*x), num(*y))).collect::<Vec<_>>().join(" ")
}

impl Canvas {
    /// A box with everything in it.
    pub(super) fn block(&mut self, block: &Block, around: Point) {
        let at = (around.0 + block.x, around.1 + block.y);
        let class = match &block.inside {
            Inside::Leaf { .. } | Inside::Named => "leaf",
            Inside::Open { .. } => "leaf open",
            Inside::Node { .. } => "node",
            Inside::Closed(_) => "node closed",
            Inside::Hole { .. } => "hole",
            Inside::Gap => "gap",
        };
        let _ = writeln!(self.out, "<g class=\"{class}\" data-path=\"{}\">", escape(&block.path));
        if let Some(comment) = self.comments.part(&block.path) {
            let _ = writeln!(self.out, "<title>{}</title>", escape(comment));
        }
        match &block.inside {
            Inside::Hole { radius, sort } => self.hole(block, at, *radius, sort),
            Inside::Gap => {
                let middle = at.0 + block.width / 2.0;
                self.centred((middle, at.1 + 14.0), &Line::new("muted dots", "…"));
                self.centred((middle, at.1 + 32.0), &Line::new("muted", &block.name));
            }
            inside => {
                self.frame(block, at);
                self.inside(inside, block, at);
            }
        }
        self.out.push_str("</g>\n");
    }

    fn frame(&mut self, block: &Block, at: Point) {
        let size = (block.width, block.height);
        self.rect("box", at, size, 8.0);
        let (x, y) = (at.0 + PAD, at.1 + 19.0);
        let _ = write!(self.out, "<text class=\"title\" x=\"{}\" y=\"{}\">", num(x), num(y));
        let _ = write!(self.out, "<tspan class=\"name\">{}</tspan>", escape(&block.name));
        if let Some(component) = &block.component {
            let _ = write!(self.out, "<tspan class=\"of\"> : {}</tspan>", escape(component));
        }
        let _ = writeln!(self.out, "<title>{}</title></text>", escape(&block.path));
    }

    fn inside(&mut self, inside: &Inside, block: &Block, at: Point) {
        match inside {
            Inside::Leaf { variables, drawing } => {
                self.lines(variables, at);
                let top = at.1 + TITLE + 6.0 + LINE * variables.len() as f64;
                let room = at.1 + block.height - PAD - top;
                match drawing {
                    Ok(automaton) => {
                        let x = at.0 + (block.width - automaton.width) / 2.0;
                        self.automaton(automaton, (x, top + (room - automaton.height) / 2.0));
                    }
                    Err(why) => self.note(&why.to_string(), block, at),
                }
            }
            Inside::Node { parts, table, wiring, notes } => {
                self.lines(notes, at);
                self.wires(wiring, at);
                for part in parts {
                    self.block(part, at);
                }
                self.hubs(wiring, at);
                if let Some((x, y, table)) = table {
                    self.table(table, (at.0 + x, at.1 + y));
                }
            }
            Inside::Open { facts, drawing, tables, room } => {
                self.lines(facts, at);
                let (x, y) = (at.0 + PAD, at.1 + TITLE + 10.0 + LINE * facts.len() as f64);
                match drawing {
                    Ok(automaton) => {
                        self.automaton(automaton, (x + (room - automaton.width) / 2.0, y))
                    }
                    Err(why) => {
                        let line = Line::new("muted", &why.to_string());
                        self.centred((x + room / 2.0, y + SMALL), &line);
                    }
                }
                for (x, y, table) in tables {
                    self.table(table, (at.0 + x, at.1 + y));
                }
            }
            Inside::Closed(text) => self.note(text, block, at),
            Inside::Hole { .. } | Inside::Gap | Inside::Named => {}
        }
    }

    /// Lines under the title of a box.
    fn lines(&mut self, lines: &[Line], at: Point) {
        let mut y = at.1 + TITLE + 9.0;
        for line in lines {
            self.line((at.0 + PAD, y), line, "start");
            y += LINE;
        }
    }

    fn note(&mut self, text: &str, block: &Block, at: Point) {
        let middle = (at.0 + block.width / 2.0, at.1 + (TITLE + block.height) / 2.0);
        self.centred(middle, &Line::new("muted", text));
    }

    fn hole(&mut self, block: &Block, at: Point, radius: f64, sort: &[Line]) {
        let (x, y) = (at.0 + block.width / 2.0, at.1 + radius);
        let (cx, cy, r) = (num(x), num(y), num(radius - 1.0));
        let _ =
            writeln!(self.out, "<circle class=\"hole-ring\" cx=\"{cx}\" cy=\"{cy}\" r=\"{r}\"/>");
        let name = escape(&block.name);
        let base = num(y + TITLE_SIZE * 0.36);
        let path = escape(&block.path);
        let _ = writeln!(
            self.out,
            "<text class=\"title hole-name\" x=\"{cx}\" y=\"{base}\" text-anchor=\"middle\">{name}<title>{path}</title></text>"
        );
        for (place, line) in sort.iter().enumerate() {
            self.centred((x, y + radius + 13.0 + LINE * place as f64), line);
        }
    }

    // ---- who talks to whom ----

    /// The lines, under the parts.
    fn wires(&mut self, wiring: &Wiring, at: Point) {
        let moved = |point: Point| (point.0 + at.0, point.1 + at.1);
        for (number, (parts, told, passes, text)) in wiring.links.iter().enumerate() {
            let parts = escape(&parts.join(" "));
            let _ = write!(self.out, "<g class=\"link\" data-parts=\"{parts}\">");
            let comment = text.and_then(|text| self.comments.text(text));
            let comment = comment.map_or_else(String::new, |text| format!("{text}\n\n"));
            let _ = writeln!(self.out, "<title>{}</title>", escape(&(comment + told)));
            for wire in wiring.wires.iter().filter(|wire| wire.link == number) {
                let class = if *passes { "passed" } else { "wire" };
                self.rule(class, moved(wire.ends[0]), moved(wire.ends[1]));
            }
            self.out.push_str("</g>\n");
        }
        for [low, high] in &wiring.orders {
            // Both ends lie outside the names.
            let (dx, dy) = (high.0 - low.0, high.1 - low.1);
            let far = dx.hypot(dy).max(0.001);
            let (x, y) = (dx / far * 16.0, dy / far * 16.0);
            let ends = [moved((low.0 + x, low.1 + y)), moved((high.0 - x, high.1 - y))];
            let (from, to) = (points(&ends[..1]), points(&ends[1..]));
            let _ = writeln!(
                self.out,
                "<path class=\"order\" d=\"M{from}L{to}\" marker-end=\"url(#tip)\"/>"
            );
        }
    }

    /// Where lines meet, and the signs at their ends: triangles for triggers, bullets for the others.
    fn hubs(&mut self, wiring: &Wiring, at: Point) {
        let moved = |point: Point| (point.0 + at.0, point.1 + at.1);
        for wire in &wiring.wires {
            let [hub, end] = wire.ends.map(moved);
            match wire.trigger {
                None => {}
                Some(false) => self.dot("synchron", end, 4.0),
                Some(true) => self.triangle(end, hub),
            }
        }
        for hub in &wiring.hubs {
            let (x, y) = moved(hub.at);
            let Some(name) = &hub.name else {
                self.dot("hub", (x, y), 3.0);
                continue;
            };
            let line = Line::new("connector", name);
            let wide = line.width() + 14.0;
            self.rect("hub-name", (x - wide / 2.0, y - 9.0), (wide, 18.0), 9.0);
            self.centred((x, y + SMALL * 0.34), &line);
        }
    }

    pub(super) fn dot(&mut self, class: &str, (x, y): Point, radius: f64) {
        let (x, y, r) = (num(x), num(y), num(radius));
        let _ = writeln!(self.out, "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/>");
    }

    /// A trigger: a triangle that stands on its part and points to what it triggers.
    fn triangle(&mut self, (x, y): Point, to: Point) {
        let (dx, dy) = (to.0 - x, to.1 - y);
        let far = dx.hypot(dy).max(0.001);
        let (dx, dy) = (dx / far, dy / far);
        let corners = [
            (x - dy * 6.0, y + dx * 6.0),
            (x + dx * 10.0, y + dy * 10.0),
            (x + dy * 6.0, y - dx * 6.0),
        ];
        let path = corners.map(|corner| points(&[corner])).join("L");
        let _ = writeln!(self.out, "<path class=\"trigger\" d=\"M{path}Z\"/>");
    }

    // ---- automata ----

    fn automaton(&mut self, automaton: &Automaton, at: Point) {
        for arrow in &automaton.arrows {
            self.arrow(automaton, arrow, at);
        }
        for pill in &automaton.states {
            self.pill(pill, at);
        }
        for arrow in &automaton.arrows {
            self.label(arrow, at);
        }
        for (line, (x, y)) in &automaton.notes {
            self.centred((at.0 + x, at.1 + y), line);
        }
        let (lines, (x, y)) = &automaton.start;
        for (place, line) in lines.iter().enumerate() {
            self.line((at.0 + x, at.1 + y + LINE * place as f64), line, "end");
        }
    }

    /// Labels of several lines and lists of numbers are written like code, others are centred.
    fn label(&mut self, arrow: &Arrow, at: Point) {
        let mut firsts = arrow.lines.iter().filter_map(|line| line.pieces.first());
        let code = firsts.any(|(class, text)| text == " " || *class == "number");
        let (x, mut y) = (arrow.text.0 + at.0, arrow.text.1 + at.1 - 4.0);
        let left = x - width(&arrow.lines) / 2.0;
        for line in &arrow.lines {
            y += LINE + line.lead;
            if code {
                self.line((left, y), line, "start");
            } else {
                self.centred((x, y), line);
            }
        }
    }

    fn arrow(&mut self, automaton: &Automaton, arrow: &Arrow, (x, y): Point) {
        let moved = |point: Point| (point.0 + x, point.1 + y);
        let Some(first) = arrow.curves.first() else { return };
        let mut path = format!("M{}", points(&[moved(first[0])]));
        for [from, pull, push, to] in &arrow.curves {
            if from == to {
                continue;
            }
            let _ = match from.1 == to.1 && pull.1 == from.1 {
                true => write!(path, "L{}", points(&[moved(*to)])),
                false => write!(path, "C{}", points(&[moved(*pull), moved(*push), moved(*to)])),
            };
        }
        let class = if arrow.silent { "arrow silent" } else { "arrow" };
        let taken = Taken::class(arrow.taken);
        let name = |at: usize| automaton.states.get(at).map_or_else(String::new, Pill::called);
        let (from, to) = (escape(&name(arrow.ends.0)), escape(&name(arrow.ends.1)));
        let _ = writeln!(
            self.out,
            "<path class=\"{class}{taken}\" data-from=\"{from}\" data-to=\"{to}\" d=\"{path}\" marker-end=\"url(#tip)\"/>"
        );
    }

    fn pill(&mut self, pill: &Pill, (x, y): Point) {
        let (cx, cy) = (pill.at.0 + x, pill.at.1 + y);
        let (width, height) = (pill.width, pill.height);
        let corner = (cx - width / 2.0, cy - height / 2.0);
        let _ = writeln!(self.out, "<g class=\"place\" data-state=\"{}\">", escape(&pill.called()));
        if pill.is_final {
            let outer = (corner.0 - 3.0, corner.1 - 3.0);
            self.rect("state final", outer, (width + 6.0, height + 6.0), height / 2.0 + 3.0);
        }
        let class = match (pill.kind, pill.initial) {
            (StateKind::Deadlock | StateKind::ManyDeadlocks, _) => "state deadlock",
            (_, true) => "state initial",
            (_, false) => "state",
        };
        let class = &format!("{class}{}", Taken::class(pill.taken));
        self.rect(class, corner, (width, height), pill.radius());
        if pill.initial {
            let tip = corner.0 - if pill.is_final { 3.0 } else { 0.0 };
            let (start, end) = ((tip - 20.0, cy), (tip, cy));
            let path = points(&[start]);
            let _ = writeln!(
                self.out,
                "<circle class=\"start\" cx=\"{}\" cy=\"{}\" r=\"2.5\"/>",
                num(start.0),
                num(cy)
            );
            let _ = writeln!(
                self.out,
                "<path class=\"arrow\" d=\"M{path}L{}\" marker-end=\"url(#tip)\"/>",
                points(&[end])
            );
        }
        let mut base = cy + SMALL * 0.34 - LINE * pill.name.len().saturating_sub(1) as f64 / 2.0;
        for line in &pill.name {
            self.centred((cx, base), line);
            base += LINE;
        }
        self.out.push_str("</g>\n");
    }

    // ---- tables ----

    fn table(&mut self, table: &Table, at: Point) {
        let (x, right) = (at.0, at.0 + table.width);
        self.out.push_str("<g class=\"vectors\">\n");
        self.rect("sheet", at, (table.width, table.height), 5.0);
        let mut y = at.1;
        let heads: Vec<Vec<Line>> =
            table.columns.iter().map(|column| vec![column.head.clone()]).collect();
        self.cells(table, &heads, (x, y), ROW);
        y += ROW;
        for (number, (height, cells)) in table.rows.iter().enumerate() {
            let class = if y - at.1 <= ROW { "rule strong" } else { "rule" };
            self.rule(class, (x, y), (right, y));
            self.out.push_str("<g class=\"vector\">");
            let text = table.texts.get(number).copied().flatten();
            if let Some(comment) = text.and_then(|text| self.comments.text(text)) {
                let _ = writeln!(self.out, "<title>{}</title>", escape(comment));
            }
            self.rect("hover", (x, y), (table.width, *height), 0.0);
            self.cells(table, cells, (x, y), *height);
            self.out.push_str("</g>\n");
            y += height;
        }
        if let Some(more) = &table.more {
            self.rule("rule", (x, y), (right, y));
            self.line((x + table::PAD, y + 14.5), &Line::new("muted", more), "start");
        }
        let mut border = x;
        for column in &table.columns {
            if column.ruled {
                self.rule("rule", (border, at.1), (border, y));
            }
            border += column.width;
        }
        self.out.push_str("</g>\n");
    }

    fn cells(&mut self, table: &Table, cells: &[Vec<Line>], at: Point, height: f64) {
        let mut x = at.0;
        for (column, lines) in table.columns.iter().zip(cells) {
            let block = LINE * lines.len().saturating_sub(1) as f64;
            let mut y = at.1 + (height - block) / 2.0 + SMALL * 0.36;
            for line in lines {
                self.line((x + table::PAD, y), line, "start");
                y += LINE;
            }
            x += column.width;
        }
    }

    // ---- pieces ----

    pub(super) fn rule(&mut self, class: &str, from: Point, to: Point) {
        let _ = writeln!(
            self.out,
            "<path class=\"{class}\" d=\"M{}L{}\"/>",
            points(&[from]),
            points(&[to])
        );
    }

    /// A rectangle with round corners.
    pub(super) fn rect(
        &mut self,
        class: &str,
        (x, y): Point,
        (width, height): (f64, f64),
        radius: f64,
    ) {
        let (x, y, w, h, r) = (num(x), num(y), num(width), num(height), num(radius));
        let _ = writeln!(
            self.out,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"{r}\"/>"
        );
    }

    pub(super) fn centred(&mut self, at: Point, line: &Line) {
        self.line(at, line, "middle");
    }

    pub(super) fn line(&mut self, at: Point, line: &Line, anchor: &str) {
        self.text("code", at, line, anchor);
    }

    /// A line that stands on something.
    pub(super) fn halo(&mut self, at: Point, line: &Line, anchor: &str) {
        self.text("code halo", at, line, anchor);
    }

    fn text(&mut self, class: &str, (x, y): Point, line: &Line, anchor: &str) {
        let _ = write!(
            self.out,
            "<text class=\"{class}\" x=\"{}\" y=\"{}\" text-anchor=\"{anchor}\">",
            num(x),
            num(y)
        );
        for (class, text) in &line.pieces {
            let _ = write!(self.out, "<tspan class=\"{class}\">{}</tspan>", escape(text));
        }
        if let Some(whole) = &line.whole {
            let _ = write!(self.out, "<title>{}</title>", escape(whole));
        }
        self.out.push_str("</text>\n");
    }
}
