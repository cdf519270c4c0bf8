//! Plays and runs in words: who moved, by which text of the model, and what changed.

use serde::Serialize;

use crate::automaton::{OpenTransition, StateId, VariableNames};
use crate::diagnostics::{SourceMap, Span};
use crate::driver::Checked;
use crate::emit::{Scope, label};
use crate::equivalence::{
    Change, Counterexample, Game, Pair, Play, Run, Side, SideId, Step, World,
};
use crate::pnet::{TermId, VarId};

/// A play, a run, or what fails: for people, and step by step for programs.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Story {
    /// All of it, line by line.
    #[serde(skip)]
    pub text: String,
    /// The values of symbolic constants, and of uninterpreted functions where they matter.
    pub with: Vec<Equation>,
    /// The values that variables without an initial value begin with.
    pub begins: Vec<Equation>,
    /// What is done, one after the other.
    pub steps: Vec<Told>,
}

/// What something is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Equation {
    /// What it is about.
    pub what: String,
    /// Its value.
    pub value: String,
}

/// A step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Told {
    /// Which net makes it.
    pub net: String,
    /// Whether it answers the step before.
    pub answers: bool,
    /// What it shows; nothing when it is silent and nobody looks.
    pub action: Option<String>,
    /// Where it starts.
    pub from: String,
    /// Where it ends.
    pub to: String,
    /// What holes do.
    pub holes: Vec<Equation>,
    /// Who moved: for each transition of the automaton, the vectors, connectors and parts.
    pub by: Vec<By>,
    /// What changes.
    pub changes: Vec<Changed>,
}

/// Who makes a transition of an automaton.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct By {
    /// The vectors, the outermost first.
    pub vectors: Vec<ByVector>,
    /// The parts that move.
    pub parts: Vec<ByPart>,
    /// How many times, where it is gone round.
    pub times: Option<String>,
}

/// A vector that moved.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ByVector {
    /// The net it belongs to; empty at the top.
    pub net: String,
    /// The connector that it is an interaction of.
    pub connector: Option<String>,
    /// Where it stands.
    pub at: Place,
}

/// A part that moved.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ByPart {
    /// Its path; empty when it is the whole.
    pub part: String,
    /// Where it was.
    pub from: String,
    /// Where it is then.
    pub to: String,
    /// Where its transition stands.
    pub at: Place,
}

/// A place in a text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Place {
    /// The file, when it is not that of the check.
    pub file: Option<String>,
    /// The line.
    pub line: usize,
}

/// A variable that changes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Changed {
    /// The variable.
    pub variable: String,
    /// What it was, if that is known.
    pub before: Option<String>,
    /// What it is then.
    pub after: String,
}

/// What is needed to tell of the steps of two automata.
pub(super) struct Teller<'a> {
    world: &'a World<'a>,
    names: VariableNames,
    sources: &'a SourceMap,
    root: &'a str,
    nets: (&'a str, &'a str),
}

/// A play as lines that one can follow.
pub(super) fn told(
    game: &Game<'_, '_>,
    play: &Play,
    checked: &Checked,
    nets: (&str, &str),
) -> Story {
    let teller = Teller::new(game.world, checked, nets);
    let mut story = teller.begun(&play.given, &play.begun);
    let mut lines: Vec<String> = story.text.lines().map(str::to_owned).collect();
    if !play.needed.is_empty() {
        let parts: Vec<String> = play.needed.iter().map(|&one| teller.term(one)).collect();
        lines.push(format!("this needs {}", parts.join(" and ")));
    }
    for (number, made) in play.moves.iter().enumerate() {
        let place = game.pair_name(made.pair);
        let step = teller.step(made.side, (&made.step, &made.changes), (false, false));
        let what = format!("in {place}, `{}` does {}", step.net, step.does());
        lines.push(format!("{}. {what}", number + 1));
        lines.extend(step.more());
        story.steps.push(step);
        let other = made.side.other();
        let name = teller.net(other);
        let Some(answer) = &made.answer else {
            lines.push(format!("   `{name}` has no answer"));
            continue;
        };
        if answer.silent && answer.step.made_of.is_empty() {
            lines.push(format!("   `{name}` can only stay where it is"));
            continue;
        }
        let step = teller.step(other, (&answer.step, &answer.changes), (true, answer.silent));
        lines.push(format!("   `{name}` answers with {}", step.does()));
        lines.extend(step.more());
        story.steps.push(step);
    }
    if let Some(pair) = play.stuck {
        let (number, place) = (play.moves.len() + 1, game.pair_name(pair));
        let (left, right) = nets;
        lines
            .push(format!("{number}. in {place}, `{left}` can do nothing more, and `{right}` can"));
    }
    story.text = lines.join("\n");
    story
}

/// Where a relation fails, in words.
pub(super) fn failed(
    game: &Game<'_, '_>,
    (pair, side): (Pair, SideId),
    found: &Counterexample,
    checked: &Checked,
    nets: (&str, &str),
) -> String {
    let teller = Teller::new(game.world, checked, nets);
    let other = teller.net(side.other());
    let why = match found.answered {
        true => format!("no answer of `{other}` leads to related configurations"),
        false => format!("`{other}` has no answer"),
    };
    let step = teller.step(side, (&found.step, &found.changes), (false, false));
    let mut known = teller.equations(&found.given);
    known.extend(teller.variables(&found.values));
    let place = game.pair_name(pair);
    let mut text =
        format!("in {place}{}, `{}` does {}: {why}", with(&known), step.net, step.does());
    step.more().iter().for_each(|line| text.push_str(&format!("\n{line}")));
    text
}

/// A run of the first automaton, and what it leads to.
pub(super) fn run(teller: &Teller<'_>, run: &Run) -> Story {
    let mut story = teller.begun(&run.given, &run.begun);
    let mut lines: Vec<String> = story.text.lines().map(str::to_owned).collect();
    for (number, (step, changes)) in run.steps.iter().enumerate() {
        let step = teller.step(SideId::Left, (step, changes), (false, false));
        lines.push(format!("{}. {}", number + 1, step.does()));
        lines.extend(step.more());
        story.steps.push(step);
    }
    story.text = lines.join("\n");
    story
}

impl<'a> Teller<'a> {
    /// Tells of the two automata of a world.
    pub(super) fn new(
        world: &'a World<'_>,
        checked: &'a Checked,
        nets: (&'a str, &'a str),
    ) -> Teller<'a> {
        let mut names = VariableNames::default();
        for side in &world.sides {
            names.extend(side.variables.iter().map(|v| (v.var, v.path.clone())));
        }
        Teller { world, names, sources: &checked.sources, root: &checked.root, nets }
    }

    fn net(&self, side: SideId) -> &'a str {
        if side == SideId::Left { self.nets.0 } else { self.nets.1 }
    }

    fn term(&self, term: TermId) -> String {
        let World { algebra, terms, .. } = self.world;
        label::term(Scope { algebra, terms, names: Some(&self.names) }, term)
    }

    /// What a play or a run begins with, in a line or two.
    fn begun(&self, given: &[(TermId, TermId)], begun: &[(VarId, TermId)]) -> Story {
        let (with_these, begins) = (self.equations(given), self.variables(begun));
        let mut lines = Vec::new();
        if !with_these.is_empty() {
            lines.push(with(&with_these).trim_start().to_owned());
        }
        if !begins.is_empty() {
            lines.push(format!("say they begin{}", with(&begins)));
        }
        Story { text: lines.join("\n"), with: with_these, begins, steps: Vec::new() }
    }

    fn equations(&self, given: &[(TermId, TermId)]) -> Vec<Equation> {
        let one = |&(what, value): &(TermId, TermId)| Equation {
            what: self.term(what),
            value: self.term(value),
        };
        given.iter().map(one).collect()
    }

    /// Values of variables of both, which are told apart where they have the same path.
    fn variables(&self, values: &[(VarId, TermId)]) -> Vec<Equation> {
        let [first, second] = &self.world.sides;
        let find = |side: &Side, var: VarId| {
            side.variables.iter().find(|v| v.var == var).map(|v| v.path.clone())
        };
        let has = |side: &Side, path: &str| side.variables.iter().any(|v| v.path == path);
        let path = |var: VarId| match (find(first, var), find(second, var)) {
            (Some(path), _) if has(second, &path) => format!("first.{path}"),
            (None, Some(path)) if has(first, &path) => format!("second.{path}"),
            (Some(path), _) | (_, Some(path)) => path,
            (None, None) => "_".to_owned(),
        };
        let one =
            |&(var, value): &(VarId, TermId)| Equation { what: path(var), value: self.term(value) };
        values.iter().map(one).collect()
    }

    /// A step; whether it answers another one, and whether nobody looks at what it shows.
    pub(super) fn step(
        &self,
        side: SideId,
        (step, changes): (&Step, &[Change]),
        (answers, silent): (bool, bool),
    ) -> Told {
        let automaton = &self.world.side(side).automaton;
        let state = |at: usize| automaton.state_name(StateId(at as u32));
        let hole = |&(hole, action): &(usize, TermId)| Equation {
            what: self.world.holes[hole].path.clone(),
            value: self.term(action),
        };
        let by = step
            .made_of
            .iter()
            .filter_map(|&(place, times)| self.by(side, automaton.transitions.get(place)?, times));
        let name = |var: VarId| self.names.get(&var).cloned().unwrap_or_else(|| "_".to_owned());
        let change = |change: &Change| Changed {
            variable: name(change.var),
            before: change.before.map(|value| self.term(value)),
            after: self.term(change.after),
        };
        Told {
            net: self.net(side).to_owned(),
            answers,
            action: (!silent).then(|| self.term(step.action)),
            from: state(step.source),
            to: state(step.target),
            holes: step.holes.iter().map(hole).collect(),
            by: by.collect(),
            changes: changes.iter().map(change).collect(),
        }
    }

    fn by(&self, side: SideId, made: &OpenTransition, times: Option<TermId>) -> Option<By> {
        let movers = &self.world.side(side).automaton.movers;
        let vectors = made.used.vectors.iter().rev().filter_map(|&vector| {
            let vector = movers.vector(vector)?;
            let connector = vector.connector.map(|name| name.to_string());
            Some(ByVector { net: vector.path.to_owned(), connector, at: self.place(vector.text)? })
        });
        let parts = made.used.transitions.iter().filter_map(|&transition| {
            let mover = movers.transition(transition)?;
            Some(ByPart {
                part: mover.path.to_owned(),
                from: mover.source.to_string(),
                to: mover.target.to_string(),
                at: self.place(mover.text)?,
            })
        });
        let (vectors, parts): (Vec<_>, Vec<_>) = (vectors.collect(), parts.collect());
        let times = times.map(|times| self.term(times)).filter(|times| times != "1");
        (!vectors.is_empty() || !parts.is_empty()).then_some(By { vectors, parts, times })
    }

    fn place(&self, text: Span) -> Option<Place> {
        let file = self.sources.file_of(text)?;
        let other = (file.name() != self.root).then(|| file.name().to_owned());
        Some(Place { file: other, line: file.position(text.start).line })
    }
}

/// ` with x = 1 and y = 2`; nothing when there is nothing.
fn with(all: &[Equation]) -> String {
    let one = |equation: &Equation| format!("{} = {}", equation.what, equation.value);
    match all {
        [] => String::new(),
        all => format!(" with {}", all.iter().map(one).collect::<Vec<_>>().join(" and ")),
    }
}

impl Told {
    /// What it does, in words: what it shows, where it leads, and what holes do meanwhile.
    pub(super) fn does(&self) -> String {
        let mut text = match &self.action {
            Some(action) => format!("`{action}`"),
            None => "silently".to_owned(),
        };
        if self.from != self.to {
            text.push_str(&format!(", {} to {}", self.from, self.to));
        }
        if !self.holes.is_empty() {
            let holes =
                self.holes.iter().map(|hole| format!("`{}` does `{}`", hole.what, hole.value));
            text.push_str(&format!(" while {}", holes.collect::<Vec<_>>().join(" and ")));
        }
        text
    }

    /// Who moved and what changes, a line for each.
    pub(super) fn more(&self) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for (at, by) in self.by.iter().enumerate() {
            let word = if at == 0 { "by" } else { "then by" };
            lines.push(format!("     {word} {}", by.words()));
        }
        if !self.changes.is_empty() {
            let all: Vec<String> = self.changes.iter().map(Changed::words).collect();
            lines.push(format!("     with {}", all.join(", ")));
        }
        lines
    }
}

impl Changed {
    fn words(&self) -> String {
        let was = self.before.as_ref().map(|before| format!(" (was {before})"));
        format!("{} := {}{}", self.variable, self.after, was.unwrap_or_default())
    }
}

impl By {
    /// `connector `pay` in line 12: `C` idle to busy (line 5), `M` s0 to s1 (line 9)`
    fn words(&self) -> String {
        let vectors: Vec<String> = self.vectors.iter().map(ByVector::words).collect();
        let parts: Vec<String> = self.parts.iter().map(ByPart::words).collect();
        let mut text = match (vectors.is_empty(), parts.is_empty()) {
            (false, false) => format!("{}: {}", vectors.join(", "), parts.join(", ")),
            _ => vectors.into_iter().chain(parts).collect::<Vec<_>>().join(", "),
        };
        if let Some(times) = &self.times {
            text.push_str(&format!(", {times} times"));
        }
        text
    }
}

impl ByVector {
    fn words(&self) -> String {
        let what = match &self.connector {
            Some(name) => format!("connector `{name}`"),
            None => "the vector".to_owned(),
        };
        let inside =
            if self.net.is_empty() { String::new() } else { format!(" of `{}`", self.net) };
        format!("{what}{inside} in {}", self.at.words())
    }
}

impl ByPart {
    fn words(&self) -> String {
        match self.part.as_str() {
            "" => format!("its transition in {}", self.at.words()),
            part if self.from == self.to => {
                format!("`{part}` in {} ({})", self.from, self.at.words())
            }
            part => format!("`{part}` {} to {} ({})", self.from, self.to, self.at.words()),
        }
    }
}

impl Place {
    fn words(&self) -> String {
        match &self.file {
            Some(file) => format!("line {} of {file}", self.line),
            None => format!("line {}", self.line),
        }
    }
}
