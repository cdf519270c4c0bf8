//! Plays and runs as data: who moved, by which text of the model, and what changed.

use crate::algebra::{TermId, VarId};
use crate::automaton::{Leaf, OpenTransition, StateId, VariableNames};
use crate::base::IndexVec;
use crate::diagnostics::{SourceMap, Span};
use crate::emit::{self, Scope, label};
use crate::equivalence::{Counterexample, Game, Pair, SideId, Sides, SymbolicPlay};
use crate::model::Checked;
use crate::outcome::{
    self, By, ByPart, ByVector, Changed, Component, Equation, FailedStep, Place, PlayMove, Reply,
    RunEnd, Trace, TraceStep, Value,
};
use crate::pnet::{Hole, HoleId, PltsStateId};
use crate::system::{Change, Prover, Step, SymbolicRun, System};

/// What is needed to tell of the steps of one or two systems.
pub(super) struct Teller<'a> {
    systems: Vec<&'a System<'a>>,
    holes: &'a IndexVec<HoleId, Hole>,
    prover: &'a Prover<'a>,
    names: VariableNames,
    sources: &'a SourceMap,
    root: &'a str,
    nets: Vec<&'a str>,
}

/// A play.
pub(super) fn told(
    game: &Game<'_, '_>,
    play: &SymbolicPlay,
    checked: &Checked,
    nets: (&str, &str),
) -> outcome::Play {
    let teller = Teller::new(game.sides, game.prover, checked, nets);
    let moves = play.moves.iter().map(|made| {
        let other = made.side.other();
        let net = teller.net(other).to_owned();
        let reply = match &made.answer {
            None => Reply::None { net },
            Some(answer) if answer.silent && answer.step.made_of.is_empty() => Reply::Stays { net },
            Some(answer) => {
                Reply::Step(teller.step(other, (&answer.step, &answer.changes), answer.silent))
            }
        };
        let step = teller.step(made.side, (&made.step, &made.changes), false);
        PlayMove { at: game.pair_names(made.pair), step, reply }
    });
    outcome::Play {
        nets: (nets.0.to_owned(), nets.1.to_owned()),
        with: teller.equations(&play.given),
        begins: teller.variables(&play.begun),
        needs: play.needed.iter().map(|&one| teller.term(one)).collect(),
        moves: moves.collect(),
        stuck: play.stuck.map(|pair| game.pair_names(pair)),
        weak: game.rules.weak.is_some(),
    }
}

/// A step that nothing answers, where a relation fails.
pub(super) fn failed(
    game: &Game<'_, '_>,
    (pair, side): (Pair, SideId),
    found: &Counterexample,
    checked: &Checked,
    nets: (&str, &str),
) -> FailedStep {
    let teller = Teller::new(game.sides, game.prover, checked, nets);
    let mut with = teller.equations(&found.given);
    with.extend(teller.variables(&found.values));
    FailedStep {
        at: game.pair_names(pair),
        with,
        step: teller.step(side, (&found.step, &found.changes), false),
        other: teller.net(side.other()).to_owned(),
        answered: found.answered,
    }
}

impl<'a> Teller<'a> {
    /// Tells of two systems.
    pub(super) fn new(
        sides: &'a Sides<'a>,
        prover: &'a Prover<'a>,
        checked: &'a Checked,
        nets: (&'a str, &'a str),
    ) -> Teller<'a> {
        Teller::of(sides.iter().collect(), &sides.holes, prover, checked, vec![nets.0, nets.1])
    }

    /// Tells of one system.
    pub(super) fn alone(
        system: &'a System<'a>,
        prover: &'a Prover<'a>,
        checked: &'a Checked,
        net: &'a str,
    ) -> Teller<'a> {
        Teller::of(vec![system], &system.automaton.holes, prover, checked, vec![net])
    }

    fn of(
        systems: Vec<&'a System<'a>>,
        holes: &'a IndexVec<HoleId, Hole>,
        prover: &'a Prover<'a>,
        checked: &'a Checked,
        nets: Vec<&'a str>,
    ) -> Teller<'a> {
        let mut names = VariableNames::default();
        for system in &systems {
            names.extend(system.variables.iter().map(|v| (v.var, v.path.clone())));
        }
        let (sources, root) = (&checked.sources, &*checked.root);
        Teller { systems, holes, prover, names, sources, root, nets }
    }

    fn net(&self, side: SideId) -> &'a str {
        self.nets.get(side as usize).copied().unwrap_or_default()
    }

    fn system(&self, side: SideId) -> &'a System<'a> {
        self.systems.get(side as usize).copied().unwrap_or(self.systems[0])
    }

    fn scope(&self) -> Scope<'_> {
        let Prover { algebra, terms, .. } = self.prover;
        Scope { algebra, terms, names: Some(&self.names) }
    }

    fn term(&self, term: TermId) -> String {
        label::term(self.scope(), term)
    }

    fn value(&self, term: TermId) -> Value {
        emit::outcome::value(self.scope(), term)
    }

    /// A run of the first system.
    pub(super) fn run(&self, run: &SymbolicRun, end: RunEnd) -> Trace {
        let step =
            |(step, changes): &(Step, Vec<Change>)| self.step(SideId::Left, (step, changes), false);
        Trace {
            net: self.net(SideId::Left).to_owned(),
            set: Vec::new(),
            domains: Vec::new(),
            with: self.equations(&run.given),
            begins: self.variables(&run.begun),
            components: self.begun(run),
            holes: self
                .system(SideId::Left)
                .automaton
                .holes
                .iter()
                .map(|hole| hole.path.clone())
                .collect(),
            steps: run.steps.iter().map(step).collect(),
            end,
        }
    }

    /// The components of the first system where a run begins.
    fn begun(&self, run: &SymbolicRun) -> Vec<Component> {
        let system = self.system(SideId::Left);
        self.components(system.automaton.initial, |var| {
            let begun = run.begun.iter().find(|(known, _)| *known == var);
            let initial = || system.variables.iter().find(|v| v.var == var)?.initial;
            begun.map(|(_, value)| *value).or_else(initial)
        })
    }

    /// The components of the first system in a state, with the values of their variables.
    pub(super) fn components(
        &self,
        at: StateId,
        value: impl Fn(VarId) -> Option<TermId>,
    ) -> Vec<Component> {
        let (system, automaton) = (self.system(SideId::Left), self.system(SideId::Left).automaton);
        let leaves = automaton.leaves.iter().zip(&automaton.states[at].leaves);
        let component = |(leaf, &at): (&Leaf, &PltsStateId)| {
            let variables = system.variables.iter().filter_map(|variable| {
                let value = value(variable.var)?;
                let (path, what) = variable.path.rsplit_once('.').unwrap_or(("", &variable.path));
                let here = path == leaf.path;
                here.then(|| Equation { what: what.to_owned(), value: self.value(value) })
            });
            let instances = automaton.origins.chain(leaf.origin);
            let process = instances.first().map_or(automaton.name, |instance| instance.component);
            Component {
                path: leaf.path.clone(),
                process: process.to_string(),
                state: leaf.states[at].name.to_string(),
                variables: variables.collect(),
            }
        };
        leaves.map(component).collect()
    }

    /// Values of constants and functions.
    pub(super) fn equations(&self, given: &[(TermId, TermId)]) -> Vec<Equation> {
        let one = |&(what, value): &(TermId, TermId)| Equation {
            what: self.term(what),
            value: self.value(value),
        };
        given.iter().map(one).collect()
    }

    /// Values of variables of both, which are told apart where they have the same path.
    pub(super) fn variables(&self, values: &[(VarId, TermId)]) -> Vec<Equation> {
        let one = |&(var, value): &(VarId, TermId)| Equation {
            what: self.path(var),
            value: self.value(value),
        };
        values.iter().map(one).collect()
    }

    /// The path of a variable, with the side where both have it.
    fn path(&self, var: VarId) -> String {
        let sides = self.systems.iter().enumerate();
        let mut all = sides.flat_map(|(side, one)| one.variables.iter().map(move |v| (side, v)));
        let Some((side, path)) = all.find(|(_, v)| v.var == var).map(|(side, v)| (side, &v.path))
        else {
            return "_".to_owned();
        };
        let has = |system: &System<'_>| system.variables.iter().any(|v| v.path == *path);
        match self.systems.iter().filter(|system| has(system)).count() {
            1 => path.clone(),
            _ => format!("{}.{path}", ["first", "second"][side.min(1)]),
        }
    }

    /// A step of the first system.
    pub(super) fn alone_step(&self, step: &Step, changes: &[Change]) -> TraceStep {
        self.step(SideId::Left, (step, changes), false)
    }

    /// A step; whether nobody looks at what it shows.
    pub(super) fn step(
        &self,
        side: SideId,
        (step, changes): (&Step, &[Change]),
        silent: bool,
    ) -> TraceStep {
        let automaton = self.system(side).automaton;
        let state = |at: StateId| automaton.state_name(at);
        let hole = |&(hole, action): &(HoleId, TermId)| Equation {
            what: self.holes[hole].path.clone(),
            value: self.value(action),
        };
        let by = step
            .made_of
            .iter()
            .filter_map(|&(place, times)| self.by(side, automaton.transitions.get(place)?, times));
        let name = |var: VarId| self.names.get(&var).cloned().unwrap_or_else(|| "_".to_owned());
        let change = |change: &Change| Changed {
            variable: name(change.var),
            before: change.before.map(|value| self.value(value)),
            after: self.value(change.after),
        };
        TraceStep {
            net: self.net(side).to_owned(),
            action: (!silent).then(|| self.value(step.action)),
            from: state(step.source),
            to: state(step.target),
            holes: step.holes.iter().map(hole).collect(),
            by: by.collect(),
            changes: changes.iter().map(change).collect(),
        }
    }

    fn by(&self, side: SideId, made: &OpenTransition, times: Option<TermId>) -> Option<By> {
        let movers = &self.system(side).automaton.movers;
        let vectors = made.used.vectors.iter().rev().filter_map(|&vector| {
            let vector = movers.vector(vector)?;
            let connector = vector.connector.map(|name| name.to_string());
            let (net, step) = (vector.path.to_owned(), vector.step.map(|name| name.to_string()));
            Some(ByVector { net, connector, step, at: self.place(vector.text)? })
        });
        let parts = made.used.transitions.iter().filter_map(|&transition| {
            let mover = movers.transition(transition)?;
            Some(ByPart {
                part: mover.path.to_owned(),
                from: mover.source.to_string(),
                to: mover.target.to_string(),
                at: self.place(mover.text)?,
                action: None,
                role: None,
            })
        });
        let (vectors, parts): (Vec<_>, Vec<_>) = (vectors.collect(), parts.collect());
        let times = times.map(|times| self.value(times)).filter(|times| times.text != "1");
        (!vectors.is_empty() || !parts.is_empty()).then_some(By { vectors, parts, times })
    }

    fn place(&self, text: Span) -> Option<Place> {
        place(self.sources, self.root, text)
    }
}

/// The place of a text, as it is seen from the file of the check.
pub(super) fn place(sources: &SourceMap, root: &str, text: Span) -> Option<Place> {
    let file = sources.file_of(text)?;
    let other = (file.name() != root).then(|| file.name().to_owned());
    Some(Place { file: other, line: file.position(text.start).line })
}
