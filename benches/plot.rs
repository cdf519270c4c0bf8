//! Plots of seconds over something that grows, both on logarithmic scales, as SVG.
//!
//! A power is a straight line in such a plot, and its exponent the slope. Each line has its name at its end.

use std::fmt::Write;

/// One plot.
pub struct Plot<'a> {
    /// What it shows.
    pub title: &'a str,
    /// What grows.
    pub across: &'a str,
    pub lines: Vec<Line<'a>>,
    /// The values of what grows that are written at the axis; the first and the last are its ends.
    pub ticks: Vec<f64>,
}

/// One line of a plot, from left to right.
pub struct Line<'a> {
    pub name: &'a str,
    pub role: Role,
    pub points: Vec<(f64, f64)>,
}

/// How a line looks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Role {
    First,
    Second,
    Third,
    /// Not measured: a slope to compare with.
    Guide,
}

impl Role {
    fn class(self) -> &'static str {
        match self {
            Role::First => "first",
            Role::Second => "second",
            Role::Third => "third",
            Role::Guide => "guide",
        }
    }
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 420.0;
/// The field that the lines are in.
const LEFT: f64 = 72.0;
const RIGHT: f64 = 640.0;
const TOP: f64 = 58.0;
const BOTTOM: f64 = 360.0;
/// The least distance between two names.
const APART: f64 = 17.0;

/// Colours and fonts, by day and by night, as in the pictures of nets.
const STYLE: &str = r#"text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Liberation Sans", sans-serif; font-size: 12px; fill: #64748b; }
.page { fill: #ffffff; }
.title { font-size: 15px; font-weight: 600; fill: #1f2937; }
.name { font-size: 13px; font-weight: 600; }
.grid { stroke: #e2e8f0; stroke-width: 1; }
.axis { stroke: #94a3b8; stroke-width: 1; }
polyline { fill: none; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
polyline.first { stroke: #b45309; }
polyline.second { stroke: #7c3aed; }
polyline.third { stroke: #2563eb; }
polyline.guide { stroke: #94a3b8; stroke-width: 1.5; stroke-dasharray: 2 5; }
circle { stroke: #ffffff; stroke-width: 1.5; }
circle.first, text.first { fill: #b45309; }
circle.second, text.second { fill: #7c3aed; }
circle.third, text.third { fill: #2563eb; }
@media (prefers-color-scheme: dark) {
text { fill: #94a3b8; }
.page { fill: #0f172a; }
.title { fill: #e5e7eb; }
.grid { stroke: #263349; }
.axis { stroke: #475569; }
polyline.first { stroke: #fbbf24; }
polyline.second { stroke: #c4b5fd; }
polyline.third { stroke: #60a5fa; }
polyline.guide { stroke: #64748b; }
circle { stroke: #0f172a; }
circle.first, text.first { fill: #fbbf24; }
circle.second, text.second { fill: #c4b5fd; }
circle.third, text.third { fill: #60a5fa; }
}
"#;

/// A scale from values to places.
struct Scale {
    from: f64,
    to: f64,
    places: (f64, f64),
}

impl Scale {
    fn place(&self, value: f64) -> f64 {
        let share = (value / self.from).ln() / (self.to / self.from).ln();
        self.places.0 + share * (self.places.1 - self.places.0)
    }
}

/// A power of ten, in seconds.
fn duration(power: i32) -> String {
    let (unit, less) = match power {
        0.. => ("s", 0),
        -3..=-1 => ("ms", -3),
        _ => ("µs", -6),
    };
    format!("{:.0} {unit}", 10f64.powi(power - less))
}

impl Plot<'_> {
    pub fn svg(&self) -> String {
        let times = || self.lines.iter().flat_map(|line| line.points.iter().map(|point| point.1));
        let low = times().fold(f64::INFINITY, f64::min).log10().floor() as i32;
        let high = times().fold(0.0, f64::max).log10().ceil() as i32;
        let up = Scale {
            from: 10f64.powi(low),
            to: 10f64.powi(high.max(low + 1)),
            places: (BOTTOM, TOP),
        };
        let (first, last) = (self.ticks[0], self.ticks[self.ticks.len() - 1]);
        let across = Scale { from: first, to: last, places: (LEFT + 12.0, RIGHT - 12.0) };

        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             width=\"{WIDTH}\" height=\"{HEIGHT}\" role=\"img\">\n\
             <title>{}</title>\n<style>\n{STYLE}</style>\n\
             <rect class=\"page\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>\n\
             <text class=\"title\" x=\"24\" y=\"32\">{}</text>\n",
            self.title, self.title
        );
        for power in low..=high.max(low + 1) {
            let y = up.place(10f64.powi(power));
            let class = if power == low { "axis" } else { "grid" };
            writeln!(
                svg,
                "<line class=\"{class}\" x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{RIGHT}\" y2=\"{y:.1}\"/>\n\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 8.0,
                y + 4.0,
                duration(power)
            )
            .unwrap();
        }
        for &tick in &self.ticks {
            let x = across.place(tick);
            writeln!(
                svg,
                "<line class=\"axis\" x1=\"{x:.1}\" y1=\"{BOTTOM}\" x2=\"{x:.1}\" y2=\"{}\"/>\n\
                 <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{tick}</text>",
                BOTTOM + 5.0,
                BOTTOM + 20.0
            )
            .unwrap();
        }
        let middle = (LEFT + RIGHT) / 2.0;
        writeln!(
            svg,
            "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            BOTTOM + 42.0,
            self.across
        )
        .unwrap();
        for line in &self.lines {
            self.line(&mut svg, line, &across, &up);
        }
        self.names(&mut svg, &across, &up);
        svg.push_str("</svg>\n");
        svg
    }

    fn line(&self, svg: &mut String, line: &Line<'_>, across: &Scale, up: &Scale) {
        let class = line.role.class();
        let places = line.points.iter().map(|&(x, y)| (across.place(x), up.place(y)));
        let places: Vec<(f64, f64)> = places.collect();
        let text: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        writeln!(svg, "<polyline class=\"{class}\" points=\"{}\"/>", text.join(" ")).unwrap();
        if line.role == Role::Guide {
            return;
        }
        for (x, y) in places {
            writeln!(svg, "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>")
                .unwrap();
        }
    }

    /// The names at the ends of the lines, none over another.
    fn names(&self, svg: &mut String, across: &Scale, up: &Scale) {
        let ends = self.lines.iter().filter_map(|line| Some((line, line.points.last()?)));
        let mut names: Vec<(&Line<'_>, f64, f64)> =
            ends.map(|(line, &(x, y))| (line, across.place(x) + 10.0, up.place(y))).collect();
        names.sort_by(|a, b| a.2.total_cmp(&b.2));
        for at in 1..names.len() {
            let (_, x, y) = names[at - 1];
            if (names[at].1 - x).abs() < 60.0 {
                names[at].2 = names[at].2.max(y + APART);
            }
        }
        for (line, x, y) in names {
            let class = line.role.class();
            let others = self.lines.iter().filter(|other| other.name != line.name);
            let crossed = others.flat_map(|other| other.points.windows(2)).any(|pair| {
                let ends = [pair[0], pair[1]].map(|(x, y)| (across.place(x), up.place(y)));
                crosses(ends, (x, x + 50.0), (y - 9.0, y + 9.0))
            });
            let (x, anchor) = if crossed { (x - 20.0, "end") } else { (x, "start") };
            writeln!(
                svg,
                "<text class=\"name {class}\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{}</text>",
                y + 4.0,
                line.name
            )
            .unwrap();
        }
    }
}

/// Whether a segment goes through a box, looked at in small steps.
fn crosses([from, to]: [(f64, f64); 2], across: (f64, f64), up: (f64, f64)) -> bool {
    (0..=100).any(|step| {
        let share = f64::from(step) / 100.0;
        let (x, y) = (from.0 + share * (to.0 - from.0), from.1 + share * (to.1 - from.1));
        (across.0..across.1).contains(&x) && (up.0..up.1).contains(&y)
    })
}
