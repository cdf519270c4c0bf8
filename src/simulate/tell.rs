//! Runs as data: configurations and steps in the words of the model.

use rustc_hash::FxHashMap;

use crate::algebra::Term;
use crate::automaton::Movers;
use crate::base::IndexVec;
use crate::diagnostics::{SourceMap, Span};
use crate::emit::{label, outcome::concrete};
use crate::explore::{self, Configuration, Step};
use crate::model::Checked;
use crate::outcome::{
    By, ByPart, ByVector, Changed, Component, Equation, Place, Role, RunEnd, Trace, TraceStep,
    Value,
};
use crate::pnet::{
    Content, LeafId, NodeId, PNet, PltsId, Transition, TransitionPlace, path_inside,
};

/// What is said of a text of the model is at most so long.
const LONGEST: usize = 90;

/// What is so at the end of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Nothing is possible, and not all components are in final states.
    Deadlock,
    /// Nothing is possible, and all components are in final states.
    Finished,
    /// Nothing is possible with the values that are tried.
    Untried,
    /// Nothing: it could go on.
    Open,
    /// A property is true or false, or has no value; its text where it is not that of a check.
    Property(Option<bool>, Option<String>),
    /// These two steps show the same and lead to different configurations.
    Choice(Box<(Step, Step)>),
    /// What was asked for can never happen again.
    NeverAgain,
    /// Every step that is possible needs a hole.
    Waits,
    /// A formula is true, or false, whatever happens from there on.
    Decided(String, bool),
    /// The last configuration is the one that so many steps lead to.
    Loop(usize),
    /// The last configuration differs from the one that so many steps lead to only in these variables, on which nothing depends.
    Alike(usize, Vec<String>),
}

/// What is needed to tell of what a net does.
pub struct Teller<'a> {
    net: &'a PNet,
    /// What somebody called the net.
    name: String,
    leaves: IndexVec<LeafId, (String, PltsId)>,
    movers: Movers,
    nodes: FxHashMap<NodeId, String>,
    sources: &'a SourceMap,
    root: &'a str,
}

/// A run: where it begins, the steps, and what is so at the end.
pub fn tell(
    checked: &Checked,
    (net, name): (&PNet, &str),
    (begin, steps): (&Configuration, &[Step]),
    ending: Ending,
) -> Trace {
    Teller::new(checked, net, name).trace((begin, steps), ending)
}

impl<'a> Teller<'a> {
    /// Tells of a net of a model.
    pub fn new(checked: &'a Checked, net: &'a PNet, name: &str) -> Teller<'a> {
        let mut nodes = FxHashMap::default();
        net.walk(|path, content| {
            if let Content::Node(id) = content {
                nodes.insert(id, path.to_owned());
            }
        });
        Teller {
            net,
            nodes,
            name: name.to_owned(),
            leaves: net.leaves(),
            movers: Movers::of(net),
            sources: &checked.sources,
            root: &checked.root,
        }
    }

    /// The net.
    pub fn net(&self) -> &'a PNet {
        self.net
    }

    /// What somebody called the net.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The leaves with their paths, in order.
    pub fn leaves(&self) -> &IndexVec<LeafId, (String, PltsId)> {
        &self.leaves
    }

    /// A run.
    pub fn trace(&self, (begin, steps): (&Configuration, &[Step]), ending: Ending) -> Trace {
        let last = steps.last().map_or(begin, |step| &step.target);
        let before = std::iter::once(begin).chain(steps.iter().map(|step| &step.target));
        Trace {
            net: self.name.clone(),
            set: Vec::new(),
            domains: Vec::new(),
            with: self.constants(begin),
            begins: self.begins(begin),
            components: self.components(begin),
            holes: self.net.holes.iter().map(|hole| hole.path.clone()).collect(),
            steps: before.zip(steps).map(|(from, step)| self.step(from, step)).collect(),
            end: self.end(last, ending),
        }
    }

    /// What is so at the end of a run.
    pub fn end(&self, last: &Configuration, ending: Ending) -> RunEnd {
        let state = self.state(last);
        match ending {
            Ending::Deadlock => RunEnd::Deadlock { state },
            Ending::Finished => RunEnd::Finished { state },
            Ending::Untried => RunEnd::Untried { state },
            Ending::Open => RunEnd::Open { state },
            Ending::NeverAgain => RunEnd::NeverAgain { state },
            Ending::Choice(both) => RunEnd::Choice {
                state,
                one: Box::new(self.step(last, &both.0)),
                other: Box::new(self.step(last, &both.1)),
            },
            Ending::Property(holds, property) => RunEnd::Property { state, holds, property },
            Ending::Waits => RunEnd::Waits { state },
            Ending::Decided(formula, holds) => RunEnd::Decided { state, formula, holds },
            Ending::Loop(start) => RunEnd::Loop { state, start },
            Ending::Alike(start, but) => RunEnd::Alike { state, start, but },
        }
    }

    /// The states of all leaves, as automata name them.
    pub fn state(&self, at: &Configuration) -> String {
        let names = self.leaves.iter().map(|(_, leaf)| self.state_of(*leaf, at));
        let joined = names.collect::<Vec<_>>().join(".");
        if joined.is_empty() { "-".to_owned() } else { joined }
    }

    fn state_of(&self, leaf: PltsId, at: &Configuration) -> &'static str {
        self.net.plts[leaf].states[at.states[leaf]].name.as_str()
    }

    /// A value.
    pub fn value(&self, of: &explore::Value) -> Value {
        concrete(&self.net.algebra, of)
    }

    /// The values of symbolic constants.
    pub fn constants(&self, at: &Configuration) -> Vec<Equation> {
        let all = self.net.algebra.constants.iter().zip(at.constants.iter());
        all.filter_map(|(constant, value)| {
            let value = self.value(value.as_ref()?);
            Some(Equation { what: constant.name.to_string(), value })
        })
        .collect()
    }

    /// The values that variables without an initial value begin with.
    pub fn begins(&self, at: &Configuration) -> Vec<Equation> {
        let of_leaf = |(path, leaf): &(String, PltsId)| {
            let variables = self.net.plts[*leaf].variables.iter().zip(&at.values[*leaf]);
            let free = variables.filter(|((_, initial), _)| initial.is_none());
            let told = free.map(|((var, _), value)| Equation {
                what: path_inside(path, self.net.terms.var(*var).name.as_str()),
                value: self.value(value),
            });
            told.collect::<Vec<_>>()
        };
        self.leaves.iter().flat_map(of_leaf).collect()
    }

    /// The components in a configuration.
    pub fn components(&self, at: &Configuration) -> Vec<Component> {
        let component = |(path, leaf): &(String, PltsId)| {
            let plts = &self.net.plts[*leaf];
            let variables = plts.variables.iter().zip(&at.values[*leaf]);
            let variables = variables.map(|((var, _), value)| Equation {
                what: self.net.terms.var(*var).name.to_string(),
                value: self.value(value),
            });
            Component {
                path: path.clone(),
                process: plts.name.to_string(),
                state: self.state_of(*leaf, at).to_owned(),
                variables: variables.collect(),
            }
        };
        self.leaves.iter().map(component).collect()
    }

    /// A step from a configuration.
    pub fn step(&self, from: &Configuration, step: &Step) -> TraceStep {
        let vectors = step.vectors.iter().filter_map(|&vector| {
            let joining = self.movers.vector(vector)?;
            let connector = joining.connector.map(|name| name.to_string());
            let step = joining.step.map(|name| name.to_string());
            Some(ByVector {
                net: joining.path.to_owned(),
                connector,
                step,
                at: self.place(joining.text)?,
            })
        });
        let parts = step.transitions.iter().filter_map(|&transition| self.part(transition));
        let holes = step.holes.iter().map(|(hole, action)| Equation {
            what: self.net.holes[*hole].path.clone(),
            value: self.value(action),
        });
        TraceStep {
            net: self.name.clone(),
            action: Some(self.value(&step.action)),
            from: self.state(from),
            to: self.state(&step.target),
            holes: holes.collect(),
            by: vec![By { vectors: vectors.collect(), parts: parts.collect(), times: None }],
            changes: self.changes(from, &step.target),
        }
    }

    fn part(&self, place: TransitionPlace) -> Option<ByPart> {
        let mover = self.movers.transition(place)?;
        let transition = self.net.transition(place);
        Some(ByPart {
            part: mover.path.to_owned(),
            from: mover.source.to_string(),
            to: mover.target.to_string(),
            at: self.place(mover.text)?,
            action: Some(label::transition(self.net, transition).action),
            role: self.role(transition),
        })
    }

    /// What a transition does with the values of its action, where there are any.
    fn role(&self, transition: &Transition) -> Option<Role> {
        let mut action = transition.action;
        while let Term::Sync(inner) | Term::Co(inner) = self.net.terms.get(action) {
            action = *inner;
        }
        match self.net.terms.get(action) {
            _ if !transition.inputs.is_empty() => Some(Role::Takes),
            Term::Act(_, args) if !args.is_empty() => Some(Role::Gives),
            _ => None,
        }
    }

    /// The variables that have other values in another configuration.
    fn changes(&self, from: &Configuration, to: &Configuration) -> Vec<Changed> {
        let of_leaf = |(path, leaf): &(String, PltsId)| {
            let variables = self.net.plts[*leaf].variables.iter();
            let values = from.values[*leaf].iter().zip(&to.values[*leaf]);
            let changed = variables.zip(values).filter(|(_, (before, after))| before != after);
            let told = changed.map(|((var, _), (before, after))| Changed {
                variable: path_inside(path, self.net.terms.var(*var).name.as_str()),
                before: Some(self.value(before)),
                after: self.value(after),
            });
            told.collect::<Vec<_>>()
        };
        self.leaves.iter().flat_map(of_leaf).collect()
    }

    /// The path of a leaf.
    pub fn path(&self, leaf: PltsId) -> &str {
        self.leaves.iter().find(|(_, id)| *id == leaf).map_or("", |(path, _)| path)
    }

    /// The path of a node.
    pub fn path_of(&self, node: NodeId) -> &str {
        self.nodes.get(&node).map_or("", String::as_str)
    }

    /// A text of the model on one line, cut where it is long.
    pub fn text(&self, of: Span) -> String {
        let words: Vec<&str> = self.sources.text(of).split_whitespace().collect();
        let text = words.join(" ");
        match text.char_indices().nth(LONGEST) {
            None => text,
            Some((at, _)) => format!("{}…", text[..at].trim_end()),
        }
    }

    /// The line of a text.
    pub fn place(&self, text: Span) -> Option<Place> {
        let file = self.sources.file_of(text)?;
        let other = (file.name() != self.root).then(|| file.name().to_owned());
        Some(Place { file: other, line: file.position(text.start).line })
    }
}
