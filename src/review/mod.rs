//! What is to be said about an automaton: parts of the model that never do anything, and why.
//!
//! A vector, transition or state that is switched off by mistake is silent: the automaton simply lacks it. Here
//! everything that the model has and the automaton has not is traced to the facts that contradict each other,
//! by the solver's unsatisfiable cores, and these to the texts they come from.
//!
//! Several parts of the core can come from one text: a vector of a family, a net that is used twice. Such a text
//! is reported only when nothing that comes from it ever happens.

mod blame;
mod dead;
mod guards;
mod offers;
pub mod problems;
mod texts;

use rustc_hash::{FxHashMap, FxHashSet};

use self::problems::{AutomatonProblem, NoInstance, UnknownTransition};
use crate::algebra::VarId;
use crate::automaton::StateId;
use crate::automaton::definitions::Sources;
use crate::base::IndexVec;
use crate::generate::rules::Rules;
use crate::generate::{Generated, Options, Watch};
use crate::pnet::is_open_world;
use crate::pnet::{
    Content, NodeId, PNet, PartId, PltsStateId, PltsStates, TransitionPlace, VectorPlace,
};
use crate::smt::{Oracle, OracleOptions};

/// Larger automata are not looked through for guards that say nothing: it takes a question for each.
const MOST_TRANSITIONS: usize = 2000;

/// What is worth saying about a net, now that its automaton is known; in the order of the text.
pub fn review(
    net: &PNet,
    generated: &Generated,
    options: &Options,
    watch: &dyn Watch,
) -> Vec<AutomatonProblem> {
    let mut problems = Vec::new();
    unknown(net, generated, &mut problems);
    let absent = net.origins.without_interaction();
    problems.extend(absent.map(|span| AutomatonProblem::NoInstance(NoInstance { span })));
    let _here = watch.budget().enter();
    if generated.stopped || generated.composed {
        // What was not found may only not have been found yet; and the conditions of a composed automaton are not
        // terms of the net.
        return problems;
    }
    let mut rules = Rules::new(net);
    // The conditions that were found are terms of the automaton: go on with these.
    rules.terms = generated.automaton.terms.clone();
    let asking = OracleOptions { keep_questions: false, ..options.asking() };
    let oracle = Oracle::new(&net.algebra, is_open_world(net), asking);
    let mut reviewer = Reviewer::new(rules, oracle, generated);
    if generated.automaton.transitions.is_empty() {
        // Nothing ever happens: one message with the reasons says it all.
        reviewer.stuck(&mut problems);
        return problems;
    }
    reviewer.holes(&mut problems);
    reviewer.vectors(&mut problems);
    reviewer.states(&mut problems);
    reviewer.transitions(&mut problems);
    if generated.automaton.transitions.len() <= MOST_TRANSITIONS {
        reviewer.conditions(&mut problems);
        reviewer.ranges(&mut problems);
    }
    problems.sort_by_key(|problem| problem.span().start);
    problems
}

/// Transitions of which it is not known whether they can happen.
fn unknown(net: &PNet, generated: &Generated, problems: &mut Vec<AutomatonProblem>) {
    for (place, why) in &generated.unknown {
        let transition = &generated.automaton.transitions[*place];
        let outermost = transition.used.vectors.last().copied();
        let origin = match (outermost, transition.used.transitions.first()) {
            (Some(vector), _) => net.vector(vector).origin,
            (None, Some(&transition)) => net.transition(transition).origin,
            (None, None) => continue,
        };
        problems.push(AutomatonProblem::UnknownTransition(UnknownTransition {
            span: net.origins.get(origin).span,
            number: place.index() + 1,
            source: generated.automaton.state_name(transition.source),
            target: generated.automaton.state_name(transition.target),
            why: why.clone(),
        }));
    }
}

/// Everything that is known while an automaton is reviewed.
struct Reviewer<'n> {
    rules: Rules<'n>,
    oracle: Oracle<'n>,
    generated: &'n Generated,
    /// The reachable states, as states of all pLTSs.
    states: IndexVec<StateId, PltsStates>,
    offers: offers::Offers,
    /// The assignments that reach each state, by variable.
    values: FxHashMap<VarId, FxHashMap<StateId, Sources>>,
    live_vectors: FxHashSet<VectorPlace>,
    live_transitions: FxHashSet<TransitionPlace>,
    /// Where each node or leaf stands: the node around it, and which of its parts it is.
    around: FxHashMap<Content, (NodeId, PartId)>,
    /// The paths of all parts.
    paths: FxHashMap<Content, String>,
}

impl<'n> Reviewer<'n> {
    fn new(rules: Rules<'n>, oracle: Oracle<'n>, generated: &'n Generated) -> Reviewer<'n> {
        let net = rules.net;
        let leaves = net.leaves();
        let states = generated.automaton.states.iter().map(|state| {
            let mut all = IndexVec::of(net.plts.len(), PltsStateId(0));
            leaves.iter().zip(&state.leaves).for_each(|(&(_, leaf), &at)| all[leaf] = at);
            all
        });
        let mut live_vectors = FxHashSet::default();
        let mut live_transitions = FxHashSet::default();
        for transition in &generated.automaton.transitions {
            live_vectors.extend(transition.used.vectors.iter().copied());
            live_transitions.extend(transition.used.transitions.iter().copied());
        }
        let (around, paths) = texts::places(net);
        Reviewer {
            states: states.collect(),
            rules,
            oracle,
            generated,
            offers: offers::Offers::default(),
            values: FxHashMap::default(),
            live_vectors,
            live_transitions,
            around,
            paths,
        }
    }
}
