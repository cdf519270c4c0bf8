//! Writes a chart that was laid out.

use std::fmt::Write;

use super::layout::{BELOW, HEAD, LOOP, NAMES, NUMBERS, Placed, STATE, head_width, state_width};
use super::rows::{Life, News, Row, Shape, name};
use super::{MOST_LIVES, MOST_STEPS};
use crate::emit::outcome::ended_shortly;
use crate::emit::svg::automaton::Point;
use crate::emit::svg::boxes::TITLE_SIZE;
use crate::emit::svg::comments::Comments;
use crate::emit::svg::draw::{Canvas, escape, num};
use crate::emit::svg::measure::sans;
use crate::emit::svg::style::STYLE;
use crate::emit::svg::text::{LINE, Line, SMALL};
use crate::emit::svg::{MARGIN, TIP};
use crate::outcome::{RunEnd, Trace};

/// The room for the title.
const TITLE: f64 = 30.0;

/// What charts have besides the looks of other pictures.
pub(in crate::emit::svg) const MORE_STYLE: &str = r#".life { stroke: #94a3b8; stroke-width: 1; stroke-dasharray: 4 4; }
.head { fill: #eff6ff; stroke: #94a3b8; }
.hole-head { fill: #fef3c7; stroke: #d97706; stroke-dasharray: 5 3; }
.kind { font-size: 11px; fill: #64748b; }
.message { fill: none; stroke: #1f2937; stroke-width: 1.3; }
.message-tip { fill: #1f2937; }
.member { fill: #0f766e; stroke: #ffffff; stroke-width: 0.8; }
.join { fill: none; stroke: #0f766e; stroke-width: 1.6; }
.halo { paint-order: stroke; stroke: #ffffff; stroke-width: 4px; stroke-linejoin: round; }
.end { stroke: #94a3b8; stroke-width: 1.2; }
.bad { fill: #b91c1c; }
@media (prefers-color-scheme: dark) {
.life { stroke: #475569; }
.head { fill: #172a4a; stroke: #475569; }
.hole-head { fill: #3b2a0a; stroke: #f59e0b; }
.kind { fill: #94a3b8; }
.message { stroke: #e5e7eb; }
.message-tip { fill: #e5e7eb; }
.member { fill: #5eead4; stroke: #0f172a; }
.join { stroke: #5eead4; }
.halo { stroke: #0f172a; }
.end { stroke: #475569; }
.bad { fill: #fca5a5; }
}
"#;

const MESSAGE_TIP: &str = "<defs><marker id=\"sent\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"8\" \
    markerHeight=\"8\" orient=\"auto\"><path class=\"message-tip\" d=\"M0 1L10 5L0 9L2.5 5Z\"/></marker></defs>\n";

pub(super) fn written(trace: &Trace, placed: &Placed) -> String {
    let notes = notes(trace, placed);
    let least = notes.iter().map(Line::width).fold(sans(&trace.net, TITLE_SIZE), f64::max);
    let width = (placed.width.max(least + NUMBERS) + 2.0 * MARGIN).ceil();
    let bottom = TITLE + MARGIN + placed.bottom;
    let height = (bottom + 10.0 + LINE * notes.len() as f64 + MARGIN).ceil();
    let mut drawing = Drawing {
        canvas: Canvas { out: String::new(), comments: Comments::default() },
        placed,
        origin: (MARGIN, MARGIN + TITLE),
        right: width - MARGIN,
    };
    drawing.page(&trace.net, (width, height));
    drawing.lives();
    if let RunEnd::Loop { start, .. } | RunEnd::Alike { start, .. } = trace.end {
        drawing.round(start);
    }
    for row in &placed.rows.rows {
        drawing.row(row);
    }
    drawing.end(&notes, bottom);
    drawing.canvas.out.push_str("</svg>\n");
    drawing.canvas.out
}

/// What is said below the chart.
fn notes(trace: &Trace, placed: &Placed) -> Vec<Line> {
    let is_bad = matches!(trace.end, RunEnd::Deadlock { .. } | RunEnd::Blocked { .. });
    let class = if is_bad { "bad" } else { "act" };
    let mut notes = vec![Line::new(class, &ended_shortly(&trace.end, trace.steps.len()))];
    let drawn = placed.rows.rows.len();
    if trace.steps.len() > drawn {
        let text = format!("only the first {MOST_STEPS} of {} steps are drawn", trace.steps.len());
        notes.insert(0, Line::new("muted", &text));
    }
    if placed.rows.left_out > 0 {
        let text = format!(
            "only {MOST_LIVES} of {} lifelines are drawn",
            MOST_LIVES + placed.rows.left_out
        );
        notes.push(Line::new("muted", &text));
    }
    if !trace.with.is_empty() {
        let with: Vec<String> =
            trace.with.iter().map(|one| format!("{} = {}", one.what, one.value.text)).collect();
        notes.extend(Line::several("muted", &format!("with {}", with.join(", ")), 90));
    }
    if !placed.rows.idle.is_empty() {
        let text = format!("not moving: {}", placed.rows.idle.join(", "));
        notes.extend(Line::several("muted", &text, 90));
    }
    notes
}

struct Drawing<'p> {
    canvas: Canvas,
    placed: &'p Placed,
    origin: Point,
    /// Where the page ends.
    right: f64,
}

impl Drawing<'_> {
    fn page(&mut self, net: &str, (width, height): (f64, f64)) {
        let title = escape(net);
        let out = &mut self.canvas.out;
        let _ = writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" xml:space=\"preserve\">\n<title>a run of {title}</title>"
        );
        let _ = write!(out, "<style>\n{STYLE}{MORE_STYLE}</style>\n{TIP}{MESSAGE_TIP}");
        self.canvas.rect("page", (0.0, 0.0), (width, height), 0.0);
        let (x, y) = (num(MARGIN), num(MARGIN + TITLE_SIZE));
        let _ = writeln!(
            self.canvas.out,
            "<text class=\"title\" x=\"{x}\" y=\"{y}\"><tspan class=\"of\">a run of </tspan>\
             <tspan class=\"name\">{title}</tspan></text>"
        );
    }

    fn at(&self, x: f64, y: f64) -> Point {
        (self.origin.0 + x, self.origin.1 + y)
    }

    // ---- lifelines ----

    fn lives(&mut self) {
        let placed = self.placed;
        for life in &placed.rows.lives {
            let (from, to) = (self.at(life.x, placed.top), self.at(life.x, placed.bottom));
            self.canvas.rule("life", from, to);
        }
        for life in &placed.rows.lives {
            self.head(life, 0.0, HEAD);
            if let Some(begins) = &life.begins {
                self.news(begins, placed.top + 8.0);
            }
        }
        for &y in &placed.again {
            for life in &placed.rows.lives {
                self.head(life, y, NAMES - 12.0);
            }
        }
    }

    /// A box with the name of a lifeline, and with its process where there is room.
    fn head(&mut self, life: &Life, y: f64, high: f64) {
        let wide = head_width(life);
        let class = if life.process.is_some() { "head" } else { "hole-head" };
        let corner = self.at(life.x - wide / 2.0, y);
        self.canvas.rect(class, corner, (wide, high), 6.0);
        let kind = life.process.as_deref().unwrap_or("hole");
        let both = high >= HEAD && kind != name(&life.path);
        let base = if both { y + 16.0 } else { y + high / 2.0 + TITLE_SIZE * 0.36 };
        let class = if life.process.is_some() { "title name" } else { "title hole-name" };
        self.word(class, self.at(life.x, base), name(&life.path));
        if both {
            self.word("kind", self.at(life.x, y + 31.0), kind);
        }
    }

    fn word(&mut self, class: &str, (x, y): Point, text: &str) {
        let _ = writeln!(
            self.canvas.out,
            "<text class=\"{class}\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            num(x),
            num(y),
            escape(text)
        );
    }

    /// A new state and new values on a lifeline.
    fn news(&mut self, news: &News, y: f64) {
        let Some(life) = self.placed.rows.lives.get(news.life) else { return };
        let mut top = y;
        if let Some(state) = &news.state {
            let wide = state_width(news);
            let corner = self.at(life.x - wide / 2.0, top);
            self.canvas.rect("state", corner, (wide, STATE), STATE / 2.0);
            self.canvas.centred(self.at(life.x, top + STATE / 2.0 + SMALL * 0.34), state);
            top += STATE + 3.0;
        }
        for value in &news.values {
            self.canvas.halo(self.at(life.x, top + SMALL - 1.0), value, "middle");
            top += LINE;
        }
    }

    // ---- steps ----

    fn row(&mut self, row: &Row) {
        let lives = &self.placed.rows.lives;
        let x = |life: usize| lives.get(life).map_or(0.0, |life| life.x);
        let _ = writeln!(self.canvas.out, "<g class=\"step\" data-step=\"{}\">", row.number);
        let number = Line::new("number", &row.number.to_string());
        self.canvas.line(self.at(NUMBERS - 18.0, row.y + SMALL * 0.36), &number, "end");
        let below = match &row.shape {
            Shape::Nobody => {
                self.canvas.line(self.at(NUMBERS, row.y), &row.label, "start");
                0.0
            }
            Shape::Alone(one) => {
                self.own(x(*one), row);
                8.0
            }
            Shape::Arrow { from, to, also } => {
                let (from, to) = (x(*from), to.iter().map(|&life| x(life)).collect::<Vec<_>>());
                self.arrows(from, &to, row.y);
                self.members(&also.iter().map(|&life| x(life)).collect::<Vec<_>>(), row.y);
                self.label(row);
                0.0
            }
            Shape::Bar(all) => {
                let all: Vec<f64> = all.iter().map(|&life| x(life)).collect();
                let left = all.iter().copied().fold(f64::MAX, f64::min);
                let right = all.iter().copied().fold(0.0, f64::max);
                self.canvas.rule("join", self.at(left, row.y), self.at(right, row.y));
                self.members(&all, row.y);
                self.label(row);
                0.0
            }
        };
        for news in &row.news {
            self.news(news, row.y + BELOW - 2.0 + below);
        }
        self.canvas.out.push_str("</g>\n");
    }

    /// What somebody does alone: a loop at the lifeline.
    fn own(&mut self, x: f64, row: &Row) {
        let [start, first, second, end] = [
            self.at(x, row.y - 4.0),
            self.at(x + LOOP, row.y - 6.0),
            self.at(x + LOOP, row.y + 8.0),
            self.at(x + 2.0, row.y + 5.0),
        ];
        let points = [start, first, second, end].map(|(x, y)| format!("{} {}", num(x), num(y)));
        let [start, first, second, end] = points;
        let _ = writeln!(
            self.canvas.out,
            "<path class=\"message\" d=\"M{start}C{first} {second} {end}\" marker-end=\"url(#sent)\"/>"
        );
        self.canvas.halo(self.at(x + LOOP - 2.0, row.y + SMALL * 0.36), &row.label, "start");
    }

    /// Arrows from one to others, each side as far as the farthest.
    fn arrows(&mut self, from: f64, to: &[f64], y: f64) {
        for &x in to {
            let end = if x < from { x + 1.0 } else { x - 1.0 };
            let (start, end) = (self.at(from, y), self.at(end, y));
            let _ = writeln!(
                self.canvas.out,
                "<path class=\"message\" d=\"M{} {}L{} {}\" marker-end=\"url(#sent)\"/>",
                num(start.0),
                num(start.1),
                num(end.0),
                num(end.1)
            );
        }
    }

    fn members(&mut self, all: &[f64], y: f64) {
        for &x in all {
            let at = self.at(x, y);
            self.canvas.dot("member", at, 4.0);
        }
    }

    /// The label, in the middle above the line.
    fn label(&mut self, row: &Row) {
        let lives = row.shape.lives();
        let x = |life: Option<&usize>| {
            life.and_then(|&life| self.placed.rows.lives.get(life)).map_or(0.0, |life| life.x)
        };
        let middle = (x(lives.first()) + x(lives.last())) / 2.0;
        self.canvas.halo(self.at(middle, row.y - 6.0), &row.label, "middle");
    }

    // ---- the end ----

    /// A run that goes round for ever: an arrow back to where the loop begins.
    fn round(&mut self, start: usize) {
        let rows = &self.placed.rows.rows;
        let first = rows.get(start).map_or(self.placed.bottom, |row| row.y - 16.0);
        let (x, low) = (6.0, self.placed.bottom - 8.0);
        let points =
            [self.at(x + 12.0, low), self.at(x, low), self.at(x, first), self.at(x + 12.0, first)];
        let points = points.map(|(x, y)| format!("{} {}", num(x), num(y)));
        let _ = writeln!(
            self.canvas.out,
            "<path class=\"arrow\" d=\"M{}\" marker-end=\"url(#tip)\"/>",
            points.join("L")
        );
    }

    fn end(&mut self, notes: &[Line], bottom: f64) {
        self.canvas.rule("end", (MARGIN, bottom), (self.right, bottom));
        let mut y = bottom + 4.0 + LINE;
        for note in notes {
            self.canvas.line((MARGIN, y), note, "start");
            y += LINE;
        }
    }
}
