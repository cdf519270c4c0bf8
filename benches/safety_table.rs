//! The tables of `docs/benchmarks-safety.md`, and the plots beside them, from the answers of the engines.

use std::fmt::Write;
use std::path::Path;

use crate::safety_plot::{Cumulative, Dot, Scatter};
use crate::safety_problems::{Kind, Problem, families};
use crate::{Answer, Answers, ENGINES};

/// Where the tables stand, and where the figures of growth.
const TABLES: [&str; 2] = ["<!-- safety: begin -->", "<!-- safety: end -->"];
const GROWTH: [&str; 2] = ["<!-- growth: begin -->", "<!-- growth: end -->"];

/// The abstraction with simultaneous sets, and without.
const REDUCED: &str = "abstraction";
const FULL: &str = "abstraction-full";

/// Answers, and the engines that have any.
struct Tables<'a> {
    problems: &'a [Problem],
    answers: &'a Answers,
    engines: Vec<(&'static str, u64)>,
}

/// Writes the tables in the place of those of the last run, and the plots.
pub fn write_down(problems: &[Problem], answers: &Answers) {
    let asked = |(engine, _): &(&str, u64)| answers.keys().any(|(_, by)| by == engine);
    let engines: Vec<(&str, u64)> = ENGINES.into_iter().filter(asked).collect();
    if engines.is_empty() {
        return;
    }
    let tables = Tables { problems, answers, engines };
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    for (name, svg) in tables.plots() {
        std::fs::write(docs.join("plots").join(name), svg).expect("a plot is written");
    }
    let path = docs.join("benchmarks-safety.md");
    let text = std::fs::read_to_string(&path).expect("the document is there");
    let text = between(&text, TABLES, &tables.text());
    let text = between(&text, GROWTH, &tables.growth());
    std::fs::write(&path, text).expect("the document is written");
}

/// A text with something else between two marks.
fn between(text: &str, [begin, end]: [&str; 2], new: &str) -> String {
    let (before, rest) = text.split_once(begin).expect("a mark where it begins");
    let (_, after) = rest.split_once(end).expect("a mark where it ends");
    format!("{before}{begin}\n\n{}\n\n{end}{after}", new.trim_end())
}

impl Tables<'_> {
    fn answer(&self, problem: &Problem, engine: &str) -> Option<&Answer> {
        self.answers.get(&(problem.check.clone(), engine.to_owned()))
    }

    fn text(&self) -> String {
        let mut text = self.totals();
        text.push_str(&self.side_by_side());
        for family in families() {
            self.family(family.name, &mut text);
        }
        text
    }

    /// A row for each engine. Who does not know has taken its whole limit.
    fn totals(&self) -> String {
        let mut text = String::from(
            "### All problems\n\nHow many were asked and solved, and how long that took: what is not solved counts with its \
             limit. Bounded and directed search, which prove nothing, are not asked about what is safe, nor induction, which \
             finds no runs, about what is not; and who has not answered two sizes in a row is not asked about larger ones. \
             These count as not solved. Nodes and predicates are those of solved problems.\n\n\
             | engine | limit | asked | safe | unsafe | further | seconds | nodes | predicates |\n\
             | :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
        );
        for &(engine, limit) in &self.engines {
            let asked: Vec<(&Problem, &Answer)> = self.asked(engine).collect();
            let solved = || asked.iter().filter(|(problem, answer)| answer.solves(problem));
            let kinds = Kind::ALL.map(|kind| {
                let all = asked.iter().filter(|(problem, _)| problem.kind == kind).count();
                let done = solved().filter(|(problem, _)| problem.kind == kind).count();
                format!("{done} of {all}")
            });
            let time = |(problem, answer): &(&Problem, &Answer)| match answer.solves(problem) {
                true => answer.seconds,
                false => limit as f64,
            };
            let seconds: f64 = asked.iter().map(time).sum();
            let nodes: u64 = solved().filter_map(|(_, answer)| answer.nodes).sum();
            let predicates: u64 = solved().filter_map(|(_, answer)| answer.predicates).sum();
            writeln!(
                text,
                "| {engine} | {limit} s | {} | {} | {seconds:.0} | {} | {} |",
                asked.len(),
                kinds.join(" | "),
                some(nodes),
                some(predicates)
            )
            .unwrap();
        }
        for (name, what) in PLOTS {
            write!(text, "\n![{what}](plots/{name})\n").unwrap();
        }
        text
    }

    /// What two engines make of the same problems.
    fn side_by_side(&self) -> String {
        let pairs = [(REDUCED, FULL), ("auto", "horn")];
        let mut text = String::from(
            "\n### Beside each other\n\nThe abstraction with simultaneous sets beside the one without, and `auto` beside \
             Spacer alone (`horn`), on the problems that both were asked about, further claims included. *Both* are those \
             that both solved: nodes and seconds are of these alone.\n\n\
             | engines | which | asked | solved | both | seconds | nodes |\n\
             | :--- | :--- | ---: | ---: | ---: | ---: | ---: |\n",
        );
        for pair in pairs {
            for (which, holds) in [("safe", true), ("unsafe", false)] {
                self.pair(pair, (which, holds), &mut text);
            }
        }
        text
    }

    /// A row for two engines, over what holds or what does not.
    fn pair(&self, (one, other): (&str, &str), (which, holds): (&str, bool), text: &mut String) {
        let both = self.problems.iter().filter(|problem| problem.holds == holds);
        let both: Vec<(&Problem, [&Answer; 2])> = both
            .filter_map(|problem| {
                let answers = [self.answer(problem, one)?, self.answer(problem, other)?];
                Some((problem, answers))
            })
            .collect();
        let solved = |engine: usize| {
            both.iter().filter(|(problem, answers)| answers[engine].solves(problem)).count()
        };
        let shared: Vec<[&Answer; 2]> = both
            .iter()
            .filter(|(problem, answers)| answers.iter().all(|answer| answer.solves(problem)))
            .map(|(_, answers)| *answers)
            .collect();
        let seconds = |engine: usize| -> f64 { shared.iter().map(|of| of[engine].seconds).sum() };
        let nodes =
            |engine: usize| -> u64 { shared.iter().filter_map(|of| of[engine].nodes).sum() };
        let nodes = match one == REDUCED {
            true => format!("{}, {}", nodes(0), nodes(1)),
            false => String::new(),
        };
        writeln!(
            text,
            "| {one}, {other} | {which} | {} | {}, {} | {} | {:.1}, {:.1} | {nodes} |",
            both.len(),
            solved(0),
            solved(1),
            shared.len(),
            seconds(0),
            seconds(1)
        )
        .unwrap();
    }

    /// How long an engine takes as a family grows: a row for each family, engine and kind of row.
    fn growth(&self) -> String {
        let mut text = String::from(
            "Seconds of the rows *safe* and *unsafe* as `k` grows. *Power*: the slope of a straight line through the \
             logarithms of seconds over those of the number of components, by least squares, over sizes that took half a \
             second or more (where there are three such); what is below is mostly reading the model and starting.\n\n\
             | family | row | engine | solved up to k | seconds for k = 1, 2, … | power |\n\
             | :--- | :--- | :--- | ---: | :--- | ---: |\n",
        );
        for family in families() {
            for kind in [Kind::Safe, Kind::Unsafe] {
                for &(engine, _) in &self.engines {
                    self.growth_of(family.name, kind, engine, &mut text);
                }
            }
        }
        text
    }

    fn growth_of(&self, family: &str, kind: Kind, engine: &str, text: &mut String) {
        let rows = self.rows().filter(|problem| problem.family == family && problem.kind == kind);
        let solved: Vec<(u32, f64)> = rows
            .filter_map(|problem| {
                let answer = self.answer(problem, engine)?;
                answer.solves(problem).then_some((problem.k, answer.seconds))
            })
            .collect();
        let Some(most) = solved.iter().map(|(k, _)| *k).max() else { return };
        let seconds: Vec<String> = (1..=most)
            .map(|k| match solved.iter().find(|(size, _)| *size == k) {
                Some((_, seconds)) => format!("{seconds:.1}"),
                None => "–".to_owned(),
            })
            .collect();
        let power = power(&solved).map_or(String::new(), |power| format!("{power:.1}"));
        let (word, seconds) = (kind.word(), seconds.join(", "));
        writeln!(text, "| {family} | {word} | {engine} | {most} | {seconds} | {power} |").unwrap();
    }

    fn asked<'s>(&'s self, engine: &'s str) -> impl Iterator<Item = (&'s Problem, &'s Answer)> {
        self.problems
            .iter()
            .filter_map(move |problem| Some((problem, self.answer(problem, engine)?)))
    }

    /// A row for each problem of a family.
    fn family(&self, name: &str, text: &mut String) {
        let asked = |problem: &&Problem| {
            problem.family == name
                && self.engines.iter().any(|(e, _)| self.answer(problem, e).is_some())
        };
        let problems: Vec<&Problem> = self.problems.iter().filter(asked).collect();
        if problems.is_empty() {
            return;
        }
        let engines: Vec<&str> = self.engines.iter().map(|(engine, _)| *engine).collect();
        write!(
            text,
            "\n### {name}\n\nSeconds, and in brackets nodes and predicates. `–`: no answer; `…`: not asked yet.\n\n\
             | k | claim | {} |\n| ---: | :--- |{}\n",
            engines.join(" | "),
            " ---: |".repeat(engines.len())
        )
        .unwrap();
        for problem in problems {
            let cells = engines.iter().map(|engine| self.cell(problem, engine));
            let cells: Vec<String> = cells.collect();
            let claim = match problem.kind {
                Kind::Further => format!("`{}`", problem.check.replace('|', "\\|")),
                kind => kind.word().to_owned(),
            };
            writeln!(text, "| {} | {claim} | {} |", problem.k, cells.join(" | ")).unwrap();
        }
    }

    fn cell(&self, problem: &Problem, engine: &str) -> String {
        let Some(answer) = self.answer(problem, engine) else { return "…".to_owned() };
        if answer.is_wrong(problem) {
            return format!("**{}**", answer.verdict);
        }
        if !answer.solves(problem) {
            return "–".to_owned();
        }
        let mut cell = format!("{:.2}", answer.seconds);
        let counts = [answer.nodes, answer.predicates].into_iter().flatten();
        let counts: Vec<String> = counts.map(|count| count.to_string()).collect();
        if !counts.is_empty() {
            write!(cell, " ({})", counts.join(", ")).unwrap();
        }
        if let (Some(by), true) = (&answer.by, engine == "auto") {
            write!(cell, " {by}").unwrap();
        }
        cell
    }

    /// The rows of the table: further claims are not in the plots.
    fn rows(&self) -> impl Iterator<Item = &Problem> {
        self.problems.iter().filter(|problem| problem.kind != Kind::Further)
    }

    fn plots(&self) -> Vec<(&'static str, String)> {
        let solved = |engine: &str, of: fn(&Answer) -> Option<f64>| -> Vec<f64> {
            let rows = self.rows().filter_map(|problem| {
                let answer = self.answer(problem, engine)?;
                answer.solves(problem).then(|| of(answer))?
            });
            rows.collect()
        };
        let lines = |of: fn(&Answer) -> Option<f64>| {
            let lines = self.engines.iter().map(|&(engine, _)| (engine, solved(engine, of)));
            lines.filter(|(_, values)| !values.is_empty()).collect::<Vec<_>>()
        };
        let time: fn(&Answer) -> Option<f64> = |answer| Some(answer.seconds.max(0.001));
        let nodes: fn(&Answer) -> Option<f64> =
            |answer| answer.nodes.map(|nodes| nodes.max(1) as f64);
        let limit =
            ENGINES.iter().find(|(engine, _)| *engine == FULL).map_or(20, |(_, limit)| *limit);
        let seconds = "seconds for all of them together";
        let created = "nodes for all of them together";
        let of_time = Cumulative { title: PLOTS[0].1, across: seconds, lines: lines(time) };
        // Others count something else: candidates for an invariant, say.
        let mut of_trees = lines(nodes);
        of_trees.retain(|(engine, _)| [REDUCED, FULL].contains(engine));
        let of_nodes = Cumulative { title: PLOTS[2].1, across: created, lines: of_trees };
        let times = Scatter {
            title: PLOTS[1].1,
            across: "seconds without simultaneous sets",
            up: "seconds with them",
            dots: self.dots(time, Some(limit as f64)),
        };
        let both = Scatter {
            title: PLOTS[3].1,
            across: "nodes without simultaneous sets",
            up: "nodes with them",
            dots: self.dots(nodes, None),
        };
        let svgs = [of_time.svg(), times.svg(), of_nodes.svg(), both.svg()];
        PLOTS.into_iter().zip(svgs).map(|((name, _), svg)| (name, svg)).collect()
    }

    /// A dot for each row that the abstraction was asked about with simultaneous sets and without. What was not solved
    /// has what it lacks: its limit, or no dot.
    fn dots(&self, of: fn(&Answer) -> Option<f64>, unsolved: Option<f64>) -> Vec<Dot> {
        let value = |problem: &Problem, engine: &str| {
            let answer = self.answer(problem, engine)?;
            if answer.solves(problem) { of(answer) } else { unsolved }
        };
        let dot = |problem: &Problem| {
            let (across, up) = (value(problem, FULL)?, value(problem, REDUCED)?);
            Some(Dot { across, up, safe: problem.kind == Kind::Safe })
        };
        self.rows().filter_map(dot).collect()
    }
}

/// The plots: over all problems and for each of them, of time and of nodes.
const PLOTS: [(&str, &str); 4] = [
    ("safety-time.svg", "Problems solved over time"),
    ("safety-time-each.svg", "Seconds for each problem, without and with simultaneous sets"),
    ("safety-nodes.svg", "Problems solved over nodes"),
    ("safety-nodes-each.svg", "Nodes for each problem, without and with simultaneous sets"),
];

fn some(count: u64) -> String {
    if count == 0 { String::new() } else { count.to_string() }
}

/// The exponent with which seconds grow with the number of components, which is `k + 1` up to what all sizes have.
fn power(solved: &[(u32, f64)]) -> Option<f64> {
    let long = solved.iter().filter(|(_, seconds)| *seconds >= 0.5);
    let dots: Vec<(f64, f64)> =
        long.map(|(k, seconds)| (f64::from(k + 1).ln(), seconds.ln())).collect();
    if dots.len() < 3 {
        return None;
    }
    let many = dots.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| dots.iter().map(of).sum::<f64>() / many;
    let (across, up) = (mean(|dot| dot.0), mean(|dot| dot.1));
    let spread: f64 = dots.iter().map(|dot| (dot.0 - across).powi(2)).sum();
    let shared: f64 = dots.iter().map(|dot| (dot.0 - across) * (dot.1 - up)).sum();
    Some(shared / spread)
}
