//! Plots of how many problems are solved with how much, and of one way to solve them against another, as SVG.
//!
//! What is spent is on a logarithmic scale: it differs by powers of ten from problem to problem.

use std::fmt::Write;

/// How many problems are solved, over what the easiest so many take together.
pub struct Cumulative<'a> {
    pub title: &'a str,
    /// What is spent.
    pub across: &'a str,
    /// Names, each with what every solved problem took.
    pub lines: Vec<(&'a str, Vec<f64>)>,
}

/// A dot for each problem, one way across and the other up: below the diagonal, the second way is better.
pub struct Scatter<'a> {
    pub title: &'a str,
    pub across: &'a str,
    pub up: &'a str,
    pub dots: Vec<Dot>,
}

/// One problem.
pub struct Dot {
    pub across: f64,
    pub up: f64,
    pub safe: bool,
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 460.0;
/// The field that lines and dots are in.
const LEFT: f64 = 72.0;
const RIGHT: f64 = 560.0;
const TOP: f64 = 58.0;
const BOTTOM: f64 = 400.0;
/// The least distance between two names.
const APART: f64 = 17.0;

/// The colours of lines, by day and by night.
const COLOURS: [(&str, &str); 8] = [
    ("#b45309", "#fbbf24"),
    ("#7c3aed", "#c4b5fd"),
    ("#2563eb", "#60a5fa"),
    ("#15803d", "#4ade80"),
    ("#be123c", "#fb7185"),
    ("#0e7490", "#22d3ee"),
    ("#a16207", "#fde047"),
    ("#1f2937", "#e5e7eb"),
];

const STYLE: &str = r#"text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Liberation Sans", sans-serif; font-size: 12px; fill: #64748b; }
.page { fill: #ffffff; }
.title { font-size: 15px; font-weight: 600; fill: #1f2937; }
.name { font-size: 13px; font-weight: 600; }
.grid { stroke: #e2e8f0; stroke-width: 1; }
.axis { stroke: #94a3b8; stroke-width: 1; fill: none; }
.guide { stroke: #94a3b8; stroke-width: 1.5; stroke-dasharray: 2 5; }
polyline { fill: none; stroke-width: 2; stroke-linejoin: round; }
"#;

const NIGHT: &str = "@media (prefers-color-scheme: dark) {
text { fill: #94a3b8; }
.page { fill: #0f172a; }
.title { fill: #e5e7eb; }
.grid { stroke: #263349; }
.axis { stroke: #475569; }
";

/// A logarithmic scale, from one power of ten to another.
struct Powers {
    low: i32,
    high: i32,
    places: (f64, f64),
}

impl Powers {
    fn of(values: impl Iterator<Item = f64>, places: (f64, f64)) -> Powers {
        let (least, most) = values.fold((f64::INFINITY, 0f64), |(least, most), value| {
            (least.min(value), most.max(value))
        });
        if most == 0.0 {
            return Powers { low: 0, high: 1, places };
        }
        let low = least.log10().floor() as i32;
        Powers { low, high: (most.log10().ceil() as i32).max(low + 1), places }
    }

    fn place(&self, value: f64) -> f64 {
        let share = (value.log10() - f64::from(self.low)) / f64::from(self.high - self.low);
        self.places.0 + share * (self.places.1 - self.places.0)
    }

    fn ticks(&self) -> impl Iterator<Item = (String, f64)> {
        (self.low..=self.high).map(|power| {
            let value = 10f64.powi(power);
            (format!("{value}"), self.place(value))
        })
    }
}

/// The page with its title, and the classes `c0`, `c1` and so on for so many colours.
fn page(title: &str, colours: usize) -> String {
    let class = |at: usize, colour: &str| {
        format!(
            "polyline.c{at} {{ stroke: {colour}; }}\ntext.c{at}, circle.c{at} {{ fill: {colour}; }}\n"
        )
    };
    let colour = |at: usize| COLOURS[at % COLOURS.len()];
    let day: String = (0..colours).map(|at| class(at, colour(at).0)).collect();
    let night: String = (0..colours).map(|at| class(at, colour(at).1)).collect();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
         height=\"{HEIGHT}\" role=\"img\">\n<title>{title}</title>\n<style>\n{STYLE}{day}{NIGHT}{night}}}\n</style>\n\
         <rect class=\"page\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>\n\
         <text class=\"title\" x=\"24\" y=\"32\">{title}</text>\n\
         <path class=\"axis\" d=\"M{LEFT} {TOP}V{BOTTOM}H{RIGHT}\"/>\n"
    )
}

/// The ticks of the axis below, with what it shows.
fn below(svg: &mut String, ticks: impl Iterator<Item = (String, f64)>, what: &str) {
    for (text, x) in ticks {
        writeln!(
            svg,
            "<line class=\"grid\" x1=\"{x:.1}\" y1=\"{TOP}\" x2=\"{x:.1}\" y2=\"{BOTTOM}\"/>\n\
             <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{text}</text>",
            BOTTOM + 20.0
        )
        .unwrap();
    }
    let (x, y) = ((LEFT + RIGHT) / 2.0, BOTTOM + 42.0);
    writeln!(svg, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{what}</text>").unwrap();
}

/// The ticks of the axis on the left.
fn left(svg: &mut String, ticks: impl Iterator<Item = (String, f64)>) {
    for (text, y) in ticks {
        writeln!(
            svg,
            "<line class=\"grid\" x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{RIGHT}\" y2=\"{y:.1}\"/>\n\
             <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>",
            LEFT - 8.0,
            y + 4.0
        )
        .unwrap();
    }
}

/// What the easiest one, two, three… take together.
fn sums(values: &[f64]) -> Vec<f64> {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    let mut sum = 0.0;
    let add = |value: f64| {
        sum += value;
        sum
    };
    values.into_iter().map(add).collect()
}

impl Cumulative<'_> {
    pub fn svg(&self) -> String {
        let lines: Vec<(&str, Vec<f64>)> =
            self.lines.iter().map(|(name, values)| (*name, sums(values))).collect();
        let across =
            Powers::of(lines.iter().flat_map(|(_, sums)| sums.iter().copied()), (LEFT, RIGHT));
        let most = lines.iter().map(|(_, sums)| sums.len()).max().unwrap_or(0).max(1);
        let step =
            [1, 2, 5, 10, 20, 50, 100].into_iter().find(|step| most / step <= 12).unwrap_or(200);
        let top = most.div_ceil(step) * step;
        let up = |count: usize| BOTTOM - (BOTTOM - TOP) * count as f64 / top as f64;
        let mut svg = page(self.title, lines.len());
        below(&mut svg, across.ticks(), self.across);
        left(&mut svg, (0..=top / step).map(|at| ((at * step).to_string(), up(at * step))));
        for (at, (_, sums)) in lines.iter().enumerate() {
            let points = sums.iter().enumerate();
            let points = points
                .map(|(count, &sum)| format!("{:.1},{:.1}", across.place(sum), up(count + 1)));
            let points: Vec<String> = points.collect();
            writeln!(svg, "<polyline class=\"c{at}\" points=\"{}\"/>", points.join(" ")).unwrap();
        }
        self.names(&mut svg, up);
        svg.push_str("</svg>\n");
        svg
    }

    /// The names, on the right at the heights that the lines get to, none over another.
    fn names(&self, svg: &mut String, up: impl Fn(usize) -> f64) {
        let mut names: Vec<(usize, &str, usize)> = Vec::new();
        for (at, (name, values)) in self.lines.iter().enumerate() {
            names.push((at, name, values.len()));
        }
        names.sort_by_key(|(_, _, count)| std::cmp::Reverse(*count));
        let mut free = TOP;
        for (at, name, count) in names {
            let y = up(count).max(free);
            free = y + APART;
            writeln!(
                svg,
                "<text class=\"name c{at}\" x=\"{}\" y=\"{:.1}\">{name}: {count}</text>",
                RIGHT + 10.0,
                y + 4.0
            )
            .unwrap();
        }
    }
}

impl Scatter<'_> {
    pub fn svg(&self) -> String {
        let values = || self.dots.iter().flat_map(|dot| [dot.across, dot.up]);
        let across = Powers::of(values(), (LEFT, RIGHT));
        let up = Powers::of(values(), (BOTTOM, TOP));
        let mut svg = page(self.title, 2);
        below(&mut svg, across.ticks(), self.across);
        left(&mut svg, up.ticks());
        writeln!(
            svg,
            "<text x=\"{LEFT}\" y=\"{}\">{}</text>\n\
             <line class=\"guide\" x1=\"{LEFT}\" y1=\"{BOTTOM}\" x2=\"{RIGHT}\" y2=\"{TOP}\"/>",
            TOP - 8.0,
            self.up
        )
        .unwrap();
        for dot in &self.dots {
            let class = usize::from(!dot.safe);
            let (x, y) = (across.place(dot.across), up.place(dot.up));
            writeln!(svg, "<circle class=\"c{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>")
                .unwrap();
        }
        for (at, name) in ["safe", "unsafe"].into_iter().enumerate() {
            let y = TOP + 4.0 + APART * at as f64;
            writeln!(
                svg,
                "<text class=\"name c{at}\" x=\"{}\" y=\"{y}\">{name}</text>",
                RIGHT + 10.0
            )
            .unwrap();
        }
        svg.push_str("</svg>\n");
        svg
    }
}
