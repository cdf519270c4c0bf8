//! Nets as networks of labelled transition systems: the product of the network that is made of a node is what the node
//! does, on random nets, on the examples and on those of the documents. The product is a plain one of its own here.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use pnetc::base::{Id, IndexVec, Unwatched};
use pnetc::compose::{
    Alone, ComposePlan, FOUND, Labels, Marking, Method, NotByParts, PlanOptions, Seeing, Silence,
    generate,
};
use pnetc::elaborate::ElaborateOptions;
use pnetc::explore::compiled::Compiled;
use pnetc::explore::search::{Ended, Goal, SearchLimits, search};
use pnetc::explore::{Domains, EngineChoice, Machine, Property};
use pnetc::lts::{
    Equivalence, Lts, LtsBuilder, LtsLabel, LtsQuestion, LtsState, ReduceLimits, compare,
};
use pnetc::network::{Network, NetworkPartId, NetworkVector, NotGenerated, Synchron};
use pnetc::outcome::{Evidence, Note, Outcome, Reason, Verdict};
use pnetc::pnet::{Content, PNet, PartId};
use pnetc::verify::{self, ModelOptions};

use crate::common::nets::{self, Shape};
use crate::common::properties;
use crate::common::seeds::{fuzz, seeds};
use crate::common::values::make::{self, Kind};
use crate::common::values::twin::twin;
use crate::common::{Random, check_text, models, shrink};

const OPTIONS: PlanOptions<'static> = PlanOptions { seeing: SEEING, later: &[], marking: None };
const SEEING: Seeing = Seeing { finals: true, most_states: 3_000 };

/// What was compared.
#[derive(Clone, Copy, Default, Debug)]
struct Compared {
    nets: usize,
    states: usize,
    priorities: usize,
    free: usize,
    observed: usize,
    refused: usize,
}

type Tuple = Vec<LtsState>;

fn can(network: &Network, at: &Tuple, members: &[Synchron]) -> bool {
    members.iter().all(|member| {
        let lts = &network.parts[member.part].lts;
        !lts.steps_by(at[member.part.index()], member.label).is_empty()
    })
}

/// All ways in which members can move.
fn targets(network: &Network, at: &Tuple, members: &[Synchron]) -> Vec<Tuple> {
    let mut all = vec![at.clone()];
    for member in members {
        let lts = &network.parts[member.part].lts;
        let steps = lts.steps_by(at[member.part.index()], member.label);
        let moved = |tuple: &Tuple| -> Vec<Tuple> {
            let one = |step: &pnetc::lts::LtsStep| {
                let mut tuple = tuple.clone();
                tuple[member.part.index()] = step.to;
                tuple
            };
            steps.iter().map(one).collect()
        };
        all = all.iter().flat_map(moved).collect();
    }
    all
}

/// The product of a network as it is defined, tuple by tuple; nothing where it is too large.
fn product(network: &Network) -> Option<Lts> {
    let initial: Tuple = network.parts.iter().map(|part| part.lts.initial()).collect();
    let mut numbers = BTreeMap::from([(initial.clone(), LtsState(0))]);
    let mut work = VecDeque::from([initial]);
    let mut builder = LtsBuilder::new(network.labels.clone());
    builder.state(LtsState(0));
    while let Some(at) = work.pop_front() {
        let possible = |vector: &&NetworkVector| {
            can(network, &at, &vector.members)
                && !vector.rivals.iter().any(|rival| can(network, &at, rival))
        };
        for vector in network.vectors.iter().filter(possible) {
            for target in targets(network, &at, &vector.members) {
                let next = LtsState::at(numbers.len());
                let to = *numbers.entry(target.clone()).or_insert(next);
                if to == next {
                    work.push_back(target);
                }
                builder.add(numbers[&at], vector.result, to);
            }
        }
        if numbers.len() > 4 * SEEING.most_states {
            return None;
        }
    }
    Some(builder.finish(LtsState(0)))
}

/// The system of a part, composed of those inside of it.
fn composed(plan: &ComposePlan<'_>, silence: Silence) -> Option<Arc<Lts>> {
    let mut made: BTreeMap<String, Arc<Lts>> = BTreeMap::new();
    let key = |content: Content| format!("{content:?}");
    for (_, content) in plan.from_below() {
        let lts = match content {
            Content::Leaf(id) => plan.leaf(id, silence)?,
            Content::Node(id) => {
                let parts = plan.net.nodes[id].parts.iter();
                let systems: IndexVec<PartId, Arc<Lts>> =
                    parts.map(|part| made[&key(part.content)].clone()).collect();
                Arc::new(product(&plan.network(id, &systems, silence))?)
            }
            Content::Hole(_) => return None,
        };
        made.insert(key(content), lts);
    }
    made.remove(&key(plan.net.root))
}

/// The product of all leaves at once.
fn without_levels(plan: &ComposePlan<'_>) -> Option<Lts> {
    let flat = plan.flat(Silence::Counts)?;
    let systems = flat.leaves.iter().map(|(_, id)| plan.leaf(*id, Silence::Counts));
    let systems: Option<Vec<Arc<Lts>>> = systems.collect();
    product(&flat.network(plan, &systems?))
}

fn alike(first: &Lts, second: &Lts, by: Equivalence) -> bool {
    let question = LtsQuestion::Equivalent(by);
    let limits = ReduceLimits::default();
    compare(first.clone(), second.clone(), question, limits, &Unwatched).unwrap().holds
}

/// The direct system with `sync a` as silent.
fn hidden(lts: &Lts) -> Lts {
    let mut builder = LtsBuilder::new(lts.labels().clone());
    for from in lts.ids() {
        for step in lts.steps(from) {
            let is_silent = lts.text(step.label).starts_with("sync ");
            builder.add(from, if is_silent { LtsLabel::SILENT } else { step.label }, step.to);
        }
    }
    builder.state(LtsState::at(lts.states() - 1));
    builder.finish(lts.initial())
}

fn same(net: &PNet, total: &mut Compared) -> Result<(), String> {
    let domains = Domains::default();
    let plan = match ComposePlan::new((net, "N"), &domains, OPTIONS, &Unwatched) {
        Ok(plan) => plan,
        Err(NotByParts::Part { .. } | NotByParts::Vectors { .. } | NotByParts::Later { .. })
        | Err(NotByParts::Hole { .. } | NotByParts::Beginning { .. }) => {
            total.refused += 1;
            return Ok(());
        }
        Err(why) => return Err(why.to_string()),
    };
    let direct = Alone::new(net, &domains, Labels::Met, SEEING).explored(&Unwatched);
    let Some(made) = composed(&plan, Silence::Counts) else { return Ok(()) };
    let direct = match direct {
        Ok((direct, ..)) => direct,
        // Parts that can be made by themselves make a whole that can be made.
        Err(NotGenerated::TooLarge { .. }) => return Ok(()),
        Err(why) => return Err(format!("cannot be made: {why}")),
    };
    let sizes = |lts: &Lts| (lts.states(), lts.transitions());
    if sizes(&made) != sizes(&direct) {
        return Err(format!("has {:?} states and steps, not {:?}", sizes(&made), sizes(&direct)));
    }
    if !alike(&made, &direct, Equivalence::Strong) {
        return Err("is not strongly bisimilar to the product of its parts".to_owned());
    }
    if let Some(made) = without_levels(&plan)
        && (sizes(&made) != sizes(&direct) || !alike(&made, &direct, Equivalence::Strong))
    {
        return Err("is not what it is without levels".to_owned());
    }
    total.nets += 1;
    total.states += direct.states();
    total.priorities += usize::from(plan.has_priorities());
    if plan.has_priorities() {
        return Ok(());
    }
    if !plan.observed().is_empty() {
        total.observed += 1;
        return Ok(());
    }
    total.free += 1;
    let Some(free) = composed(&plan, Silence::Free) else { return Ok(()) };
    match alike(&free, &hidden(&direct), Equivalence::Strong) {
        true => Ok(()),
        false => Err("is another system once silent steps are alike".to_owned()),
    }
}

fn whole_text(text: &str) -> Result<Compared, String> {
    let checked = check_text(text);
    let mut total = Compared::default();
    if checked.has_errors() {
        return Ok(total);
    }
    for (name, _) in checked.targets() {
        let Ok(net) = checked.build(Some(name.as_str()), &ElaborateOptions::default()) else {
            continue;
        };
        same(&net, &mut total).map_err(|why| format!("{name} {why}"))?;
    }
    Ok(total)
}

impl std::ops::AddAssign for Compared {
    fn add_assign(&mut self, other: Compared) {
        self.nets += other.nets;
        self.states += other.states;
        self.priorities += other.priorities;
        self.free += other.free;
        self.observed += other.observed;
        self.refused += other.refused;
    }
}

fn random_texts(name: &str, count: u64, make: impl Fn(&mut Random) -> String) -> Compared {
    let (mut total, mut failures) = (Compared::default(), Vec::new());
    for seed in seeds(fuzz().unwrap_or(count)) {
        let text = make(&mut Random::new(seed));
        match shrink::tried(&format!("{name}, PNET_SEED={seed}"), &text, whole_text) {
            Ok(found) => total += found,
            Err(why) => failures.push(why),
        }
    }
    println!("{name}: {total:?}");
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
    total
}

#[test]
fn the_product_of_the_parts_is_the_net() {
    let finite = Shape { ints: false, constants: false, ..Shape::closed() };
    let total = random_texts("closed", 60, |random| nets::model(random, finite));
    assert!(total.nets > 100 && total.priorities > 5 && total.free > 5, "{total:?}");
    assert!(total.refused * 2 < total.nets, "{total:?}");
    random_texts("with integers", 30, |random| nets::model(random, Shape::closed()));
}

#[test]
fn values_at_the_borders_are_labels() {
    for kind in [Kind::Closed, Kind::Families, Kind::Nested, Kind::Connected, Kind::Filled] {
        random_texts(&format!("{kind:?}"), 8, |random| {
            let mut model = make::model(random, kind, false);
            twin(random, &mut model);
            model.text()
        });
    }
}

#[test]
fn examples_are_networks() {
    let mut total = Compared::default();
    for (place, text) in models::models() {
        total += whole_text(&text).unwrap_or_else(|why| panic!("{place}: {why}"));
    }
    println!("{total:?}");
    assert!(total.nets > 30, "{total:?}");
}

/// The parts of a net that is written down here.
fn network_of(text: &str) -> Network {
    let checked = check_text(text);
    let net = checked.build(None, &ElaborateOptions::default()).unwrap();
    let plan = ComposePlan::new((&net, "N"), &Domains::default(), OPTIONS, &Unwatched).unwrap();
    let Content::Node(id) = net.root else { panic!("a net") };
    let systems = net.nodes[id].parts.iter().map(|part| match part.content {
        Content::Leaf(leaf) => plan.leaf(leaf, Silence::Counts).unwrap(),
        _ => panic!("a leaf"),
    });
    plan.network(id, &systems.collect(), Silence::Counts)
}

#[test]
fn vectors_are_written_out_for_what_parts_do() {
    let network = network_of(
        "action put(0..3), get(0..3), pass(0..4);
         process A { var n: 0..3 = 0; init state s; s -> s : put(n) do n := n + 1; }
         process B { init state s; s -> s : get(?x); }
         net N { sub A = A; sub B = B; <A: put(x), B: get(x)> -> pass(x + 1) when x > 0; }",
    );
    let texts: Vec<&str> =
        network.vectors.iter().map(|one| network.labels.text(one.result)).collect();
    // The last value is put nowhere: there is no number after it.
    assert_eq!(texts, ["pass(2)"], "{network:?}");
    assert_eq!(network.vectors.iter().next().unwrap().members.len(), 2);
}

#[test]
fn priorities_become_rivals() {
    let network = network_of(
        "action a, b, c;
         process P { init state s; s -> s : a; s -> s : b; }
         net N { sub P = P; sub Q = P; <P: a> -> a unless <Q: b>; <Q: b> -> b; }",
    );
    assert!(network.has_priorities());
    let with: Vec<_> = network.vectors.iter().filter(|one| !one.rivals.is_empty()).collect();
    assert_eq!(with.len(), 1);
    assert_eq!(with[0].rivals[0][0].part, NetworkPartId(1));
}

// ---- systems made part by part ----

const RELATIONS: [Equivalence; 6] = [
    Equivalence::Strong,
    Equivalence::DivergencePreserving,
    Equivalence::Branching,
    Equivalence::Weak,
    Equivalence::WeakTrace,
    Equivalence::Safety,
];

fn generated(
    net: &PNet,
    method: &Method,
    marking: Option<&Marking>,
) -> Option<Result<Lts, NotByParts>> {
    let later: Vec<String> = method.restrict.iter().map(|(part, _)| part.clone()).collect();
    let seeing = Seeing { finals: marking.is_none(), ..SEEING };
    let options = PlanOptions { seeing, later: &later, marking };
    let plan = ComposePlan::new((net, "N"), &Domains::default(), options, &Unwatched).ok()?;
    let told = |_| "vector".to_owned();
    let made = generate(&plan, method, &Domains::default(), &Unwatched, &told);
    Some(made.map(|made| made.lts).map_err(|failed| failed.why))
}

/// A method that restricts some leaf by some of its neighbours, and puts two parts together first.
fn some_method(net: &PNet, random: &mut Random, by: Equivalence) -> Method {
    let mut method = Method { most_states: 20_000, ..Method::preserving(by) };
    let Content::Node(id) = net.root else { return method };
    let parts: Vec<_> = net.nodes[id].parts.iter().collect();
    let names: Vec<String> = parts.iter().map(|part| part.name.to_string()).collect();
    let leaf = parts.iter().position(|part| matches!(part.content, Content::Leaf(_)));
    if let (Some(leaf), true) = (leaf, random.one_in(2)) {
        let others = names.iter().filter(|name| **name != names[leaf]);
        let by: Vec<String> = others.filter(|_| random.one_in(2)).cloned().collect();
        method.restrict.push((names[leaf].clone(), by));
    }
    if names.len() > 2 && random.one_in(2) {
        method.first.push(vec![names[0].clone(), names[1].clone()]);
    }
    method
}

/// What is preserved of a net, compared with the net as it is.
fn preserved(text: &str, seed: u64) -> Result<usize, String> {
    let Ok(net) = nets::accepted(text) else { return Ok(0) };
    let alone = Alone::new(&net, &Domains::default(), Labels::Met, SEEING);
    let Ok((direct, ..)) = alone.explored(&Unwatched) else { return Ok(0) };
    let mut random = Random::new(seed);
    let mut compared = 0;
    for by in RELATIONS {
        let method = some_method(&net, &mut random, by);
        let made = match generated(&net, &method, None) {
            None => continue,
            Some(Ok(made)) => made,
            Some(Err(NotByParts::Part { why: NotGenerated::TooLarge { .. }, .. })) => continue,
            Some(Err(why)) => return Err(format!("{by:?} {method:?}: {why}")),
        };
        let whole = if by.hides() { hidden(&direct) } else { direct.clone() };
        if !alike(&made, &whole, by) {
            return Err(format!("{by:?} is not preserved by {method:?}"));
        }
        compared += 1;
    }
    Ok(compared)
}

#[test]
fn what_is_made_part_by_part_preserves_what_it_says() {
    let finite = Shape { ints: false, constants: false, ..Shape::closed() };
    let (mut compared, mut failures) = (0, Vec::new());
    for seed in seeds(fuzz().unwrap_or(60)) {
        let text = nets::model(&mut Random::new(seed), finite);
        let label = format!("part by part, PNET_SEED={seed}");
        match shrink::tried(&label, &text, |text| preserved(text, seed)) {
            Ok(found) => compared += found,
            Err(why) => failures.push(why),
        }
    }
    println!("{compared} systems");
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
    assert!(compared > 100 || fuzz().is_some(), "{compared}");
}

/// Whether some configuration of a net has a property.
fn has(net: &PNet, property: &Property, wanted: bool) -> Option<bool> {
    let machine = Compiled::new(net, &Domains::default());
    let limits = SearchLimits { most_states: 3_000, ..SearchLimits::default() };
    let ready = machine.property(property).ok()?;
    let searched = search(&machine, Goal::Property(&ready, wanted), &limits, &Unwatched).ok()?;
    match (searched.sights.goal, searched.ended) {
        (Some(_), _) => Some(true),
        (None, Ended::Complete) if searched.sights.gap.is_none() => Some(false),
        _ => None,
    }
}

fn found(text: &str, seed: u64) -> Result<[usize; 2], String> {
    let Ok(net) = nets::accepted(text) else { return Ok([0; 2]) };
    let mut random = Random::new(seed);
    let mut counts = [0; 2];
    for _ in 0..3 {
        let (property, _) = properties::property(&net, &mut random);
        let wanted = random.one_in(2);
        let Ok(marking) = Marking::new(&net, &property, wanted) else { continue };
        let Some(expected) = has(&net, &property, wanted) else { continue };
        let by = *random.pick(&RELATIONS);
        let method = some_method(&net, &mut random, by);
        let Some(Ok(made)) = generated(&net, &method, Some(&marking)) else { continue };
        let is_node = matches!(net.root, Content::Node(_));
        let seen = made
            .ids()
            .any(|state| made.steps(state).iter().any(|step| made.text(step.label) == FOUND));
        if is_node && seen != expected {
            return Err(format!("{by:?} by {method:?}: found {seen}, should be {expected}"));
        }
        counts[usize::from(expected)] += usize::from(is_node);
    }
    Ok(counts)
}

#[test]
fn properties_are_seen_in_what_is_made_part_by_part() {
    let finite = Shape { ints: false, constants: false, ..Shape::closed() };
    let (mut counts, mut failures) = ([0; 2], Vec::new());
    for seed in seeds(fuzz().unwrap_or(60)) {
        let text = nets::model(&mut Random::new(seed), finite);
        let label = format!("properties, PNET_SEED={seed}");
        match shrink::tried(&label, &text, |text| found(text, seed)) {
            Ok(found) => (0..2).for_each(|at| counts[at] += found[at]),
            Err(why) => failures.push(why),
        }
    }
    println!("{counts:?}");
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
    assert!(counts.iter().all(|count| *count > 10) || fuzz().is_some(), "{counts:?}");
}

/// The verdicts of all checks of a text, with what they rest on.
fn verdicts(text: &str, engine: EngineChoice) -> Vec<Outcome> {
    let checked = check_text(text);
    assert!(!checked.has_errors(), "{:?}", checked.diagnostics);
    let mut options = ModelOptions::default();
    options.explore.engine = engine;
    let run = |check| verify::run(&checked, check, &options, &Unwatched).unwrap();
    checked.checks().into_iter().map(run).collect()
}

/// Two who take two things one after the other, in this order.
fn takers(second: &str) -> String {
    format!(
        "action take(0..2, 0..2), put(0..2, 0..2), done(0..2);

process Taker<me: Int, first: Int, other: Int> {{
    init state s;
    state one, both, late;

    s    -> one  : take(me, first);
    one  -> both : take(me, other);
    both -> both : done(me);
    both -> late : put(me, other);
    late -> s    : put(me, first);
}}

process Thing<me: Int> {{
    init state free;
    state taken;

    free  -> taken : take(_, me);
    taken -> free  : put(_, me);
}}

net All {{
    sub A = Taker<0, 0, 1>;
    sub B = Taker<1, {second}>;
    sub Thing[i: 0..2] = Thing<i>;

    <A: take(x, i), Thing[i]: take(x, i)> -> sync take(x, i) for i in 0..2;
    <B: take(x, i), Thing[i]: take(x, i)> -> sync take(x, i) for i in 0..2;
    <A: put(x, i),  Thing[i]: put(x, i)>  -> sync put(x, i)  for i in 0..2;
    <B: put(x, i),  Thing[i]: put(x, i)>  -> sync put(x, i)  for i in 0..2;
    <A: done(x)>                          -> done(x);
    <B: done(x)>                          -> done(x);
}}

reduction Small of All {{
    restrict Thing[0] by A;
    leaf dpbranching;
    compose A, Thing[1] first;
    root dpbranching;
}}

reduction Strong of All {{
    root strong;
}}

check deadlock_free(All) by Small;
check deadlock_free(All) by Strong;
check always(All, not (A in both and B in both)) by Small;
check always(All, not (A in one and B in one)) by Small;
check reaches(All, A in one and B in one) by Strong;
check reaches(All, A in both and B in both) by Strong;
"
    )
}

#[test]
fn checks_are_answered_by_reductions() {
    use Verdict::{Proved, Refuted};
    let said = |text: &str| -> Vec<Verdict> {
        verdicts(text, EngineChoice::Auto).iter().map(|one| one.verdict).collect()
    };
    // Who takes the other thing first can get stuck.
    assert_eq!(said(&takers("1, 0")), [Refuted, Refuted, Proved, Refuted, Proved, Refuted]);
    assert_eq!(said(&takers("0, 1")), [Proved, Proved, Proved, Proved, Refuted, Refuted]);
    for outcome in verdicts(&takers("1, 0"), EngineChoice::Auto) {
        let report = outcome.notes.iter().find_map(|note| match note {
            Note::Composed(report) => Some(report),
            _ => None,
        });
        assert!(!report.unwrap().stages.is_empty());
        let by_run = matches!(outcome.evidence, Evidence::Run(_));
        let composed = matches!(outcome.reason, Reason::Composed { .. });
        assert!(by_run != composed, "{:?}", outcome.reason);
    }
}

#[test]
fn composition_agrees_with_exploration() {
    let finite = Shape { ints: false, constants: false, ..Shape::closed() };
    let mut counts = [0; 2];
    for seed in seeds(fuzz().unwrap_or(30)) {
        let text = nets::model(&mut Random::new(seed), finite);
        let net = nets::accepted(&text).unwrap();
        let text = format!("{text}\ncheck deadlock_free({});\n", net.name);
        let checked = check_text(text.as_str());
        if checked.has_errors() {
            continue;
        }
        let [explored, composed] = [EngineChoice::Explicit, EngineChoice::Composition]
            .map(|engine| verdicts(&text, engine).pop().unwrap().verdict);
        if explored != Verdict::Unknown && composed != Verdict::Unknown {
            assert_eq!(explored, composed, "PNET_SEED={seed}\n{text}");
            counts[usize::from(composed == Verdict::Proved)] += 1;
        }
    }
    println!("{counts:?}");
    assert!(counts.iter().sum::<usize>() > 5 || fuzz().is_some(), "{counts:?}");
}
