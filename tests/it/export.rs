//! Nets as files of other tools: what is imported back is bisimilar to what was exported, and what is written for mCRL2 does
//! the same by an interpreter of its own; what cannot be said is refused, with its place.

use std::collections::BTreeMap;
use std::sync::Arc;

use pnetc::base::Unwatched;
use pnetc::elaborate::ElaborateOptions;
use pnetc::explore::Domains;
use pnetc::explore::search::SearchLimits;
use pnetc::export::problems::ExportProblem;
use pnetc::export::{ExportKind, Exported, export};
use pnetc::finite::{LabelView, lts_of};
use pnetc::import::{ImportKind, ImportOptions, import};
use pnetc::lts::{LabelTable, Lts, LtsBuilder};
use pnetc::model::Checked;
use pnetc::network::{ProductLimits, product};
use pnetc::pnet::PNet;

use crate::common::exp::Files;
use crate::common::mcrl2::Spec;
use crate::common::nets::{self, Shape};
use crate::common::seeds::{fuzz, seeds};
use crate::common::sources::{self, Memory};
use crate::common::{Random, check_text, models, shrink};
use crate::import::alike;

const MOST_STATES: u64 = 1_500;

/// What came of exports.
#[derive(Clone, Copy, Default, Debug)]
struct Tried {
    same: usize,
    states: usize,
    refused: usize,
    /// With priorities.
    ordered: usize,
    /// Of several levels.
    deep: usize,
}

impl std::ops::AddAssign for Tried {
    fn add_assign(&mut self, other: Tried) {
        self.same += other.same;
        self.states += other.states;
        self.refused += other.refused;
        self.ordered += other.ordered;
        self.deep += other.deep;
    }
}

/// What a net does, where that is little and nothing was left out.
fn system(net: &PNet) -> Option<Lts> {
    let limits = SearchLimits { most_states: MOST_STATES, ..SearchLimits::default() };
    let asked = (LabelView::hiding(false), "tau");
    let (lts, limited) = lts_of((net, &Domains::default()), asked, &limits, &Unwatched).ok()?;
    (!limited).then_some(lts)
}

/// A system with other labels.
fn relabelled(lts: &Lts, new: impl Fn(&str) -> String) -> Lts {
    let mut builder = LtsBuilder::new(LabelTable::new("tau"));
    lts.ids().for_each(|state| builder.state(state));
    for state in lts.ids() {
        for step in lts.steps(state) {
            let text =
                if step.label.is_silent() { "tau".to_owned() } else { new(lts.text(step.label)) };
            let label = builder.labels.intern(&text);
            builder.add(state, label, step.to);
        }
    }
    builder.finish(lts.initial())
}

/// A label without its values.
fn bare(label: &str) -> String {
    let name = label.split('(').next().unwrap_or(label);
    name.trim_matches('`').to_owned()
}

fn exported(net: &PNet, kind: ExportKind) -> Result<Exported, Vec<ExportProblem>> {
    export((net, net.name.as_str()), kind, "part", &Unwatched)
}

/// The last net of a file that is imported.
fn imported(files: &Files, file: &str, net: &str) -> Result<Arc<PNet>, String> {
    let kind = ImportKind::of(file).unwrap();
    let text = || String::from_utf8_lossy(&files.0[file]).into_owned();
    let done = import(file, kind, &ImportOptions::default(), files, &Unwatched);
    let model = done.model.ok_or_else(|| {
        let said: Vec<String> = done.diagnostics.iter().map(|one| one.message.clone()).collect();
        format!("is not imported: {said:?}\n{}", text())
    })?;
    let all = files.0.iter();
    let memory =
        all.fold(Memory::default(), |memory, (name, bytes)| memory.and(name, bytes.clone()));
    let checked = sources::check(&memory.and("model.pnet", model.as_str()), "model.pnet");
    if checked.has_errors() {
        let said: Vec<String> = checked.diagnostics.iter().map(|one| one.message.clone()).collect();
        return Err(format!("does not check: {said:?}\n{}\n{model}", text()));
    }
    let built = checked.build(Some(net), &ElaborateOptions::default());
    built.map_err(|why| format!("is not built: {why:?}\n{model}"))
}

/// What comes back does what was exported.
fn back(net: &PNet, kind: ExportKind) -> Result<Option<Tried>, String> {
    let Some(own) = system(net) else { return Ok(None) };
    let refused = Tried { refused: 1, ..Tried::default() };
    let Ok(written) = exported(net, kind) else { return Ok(Some(refused)) };
    let name = format!("made.{}", kind.ending());
    let mut files = Files::new(&[(name.as_str(), written.text.as_str())]);
    for (file, text) in &written.beside {
        files.0.insert(file.clone(), text.clone().into_bytes());
    }
    let (own, other) = match kind {
        ExportKind::Mcrl2 => {
            let names: BTreeMap<String, String> = written.labels.iter().cloned().collect();
            let spec = Spec::read(&written.text);
            let other = spec
                .explored(MOST_STATES as usize * 2)
                .ok_or_else(|| format!("has more states\n{}", written.text))?;
            let named = |label: &str| {
                let name = bare(label);
                label.replacen(&name, names.get(&name).unwrap_or(&name), 1)
            };
            let plain = |label: &str| {
                label.replace("sync ", "sync_").replace("co ", "co_").replace('`', "")
            };
            (relabelled(&own, plain), relabelled(&other, named))
        }
        ExportKind::Exp => {
            // `pnet import` calls labels that are no actions otherwise; here they are what they are.
            let network = files.read_as(&name, &["i"]).network.ok_or("is not read")?;
            let made = product(&network, ProductLimits::default(), &Unwatched);
            let other = made.map_err(|why| format!("has no product: {why}"))?.lts;
            (relabelled(&own, str::to_owned), relabelled(&other, str::to_owned))
        }
        // Where nothing is connected, nothing happens.
        ExportKind::Bip if written.labels.is_empty() => {
            let none = relabelled(&own, str::to_owned);
            return match none.transitions() {
                0 => Ok(Some(Tried { same: 1, states: 1, ..Tried::default() })),
                _ => Err(format!("does something\n{}", written.text)),
            };
        }
        ExportKind::Bip => {
            let names: BTreeMap<String, String> = written.labels.iter().cloned().collect();
            let root = format!("{}_system", net.name);
            // A compound in which no component can ever do anything is imported as a net without parts, which is none.
            let back = match imported(&files, &name, &root) {
                Err(why) if why.contains("has neither holes nor sub-nets") => return Ok(None),
                other => other?,
            };
            let lts = system(&back).ok_or("has no system")?;
            let is_open = names.values().any(|label| label.contains('_'));
            let plain = |label: &str| if is_open { bare(label) } else { label.replace('`', "") };
            let shown = |label: &str| {
                let label = label.replace('`', "");
                plain(names.get(&label).unwrap_or(&label))
            };
            (relabelled(&own, plain), relabelled(&lts, shown))
        }
    };
    let states = own.states();
    if !alike(own, other) {
        return Err(format!("is not the same\n{}", written.text));
    }
    let ordered = net.nodes.iter().flat_map(|node| &node.vectors).any(|one| !one.rivals.is_empty());
    let (ordered, deep) = (usize::from(ordered), usize::from(net.nodes.len() > 1));
    Ok(Some(Tried { same: 1, states, refused: 0, ordered, deep }))
}

fn last_net(text: &str) -> Option<(Checked, Arc<PNet>)> {
    let checked = check_text(text);
    if checked.has_errors() {
        return None;
    }
    let net = checked.build(None, &ElaborateOptions::default()).ok()?;
    Some((checked, net))
}

fn random_nets(kind: ExportKind, count: u64, shape: Shape) -> Tried {
    let (mut total, mut failures) = (Tried::default(), Vec::new());
    for seed in seeds(fuzz().unwrap_or(count)) {
        let text = nets::model(&mut Random::new(seed), shape);
        let tried = |text: &str| match last_net(text) {
            Some((_, net)) => back(&net, kind),
            None => Ok(None),
        };
        let label = format!("{}, PNET_SEED={seed}", kind.ending());
        match shrink::tried(&label, &text, tried) {
            Ok(found) => total += found.unwrap_or_default(),
            Err(why) => failures.push(why),
        }
        if failures.len() > 3 {
            break;
        }
    }
    println!("{kind:?}: {total:?}");
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
    total
}

/// Finite data, of numbers and truth values.
fn plain() -> Shape {
    Shape { ints: false, constants: false, data: false, ..Shape::closed() }
}

/// Enough was compared, where not somebody says how much is tried.
fn enough(total: Tried, same: usize, deep: usize) {
    assert!(fuzz().is_some() || total.same > same && total.deep > deep, "{total:?}");
}

#[test]
fn networks_come_back() {
    let shape = Shape { data: true, priorities: false, ..plain() };
    enough(random_nets(ExportKind::Exp, 100, shape), 20, 5);
}

#[test]
fn systems_of_bip_come_back() {
    let total = random_nets(ExportKind::Bip, 100, plain());
    enough(total, 10, 0);
    assert!(fuzz().is_some() || total.ordered > 3, "{total:?}");
    enough(random_nets(ExportKind::Bip, 100, Shape { priorities: false, ..plain() }), 10, 5);
}

#[test]
fn processes_of_mcrl2_do_the_same() {
    let shape = Shape { data: true, priorities: false, ..plain() };
    enough(random_nets(ExportKind::Mcrl2, 100, shape), 40, 10);
}

/// What a quantifier binds is nothing that a leaf could choose.
#[test]
fn quantifiers_in_vectors_mean_the_same() {
    let text = |condition: &str| {
        format!(
            "action all, b, d(0..3);\n\
             process Cell<me: Int> {{\n    var v: 0..3 = me mod 3;\n    init state s;\n\n    \
             s -> s : d((v + 1) mod 3);\n    s -> s : b do v := (v + 1) mod 3;\n}}\n\
             process One {{\n    init state s;\n    state t;\n\n    s -> t : b;\n}}\n\
             net N {{\n    sub A = One;\n    sub S[i: 0..2] = Cell<i>;\n\n    \
             <S[0]: b> -> b;\n    \
             <A: b, [S[j]: d(v[j]) for j in 0..2]> -> sync all when {condition};\n}}\n"
        )
    };
    let conditions = [
        "forall q: 0..2 . v[q] == v[0]",
        "exists q: 0..2 . v[q] == 2",
        "forall q: 0..2, r: 0..3 . v[q] == r => r < 2",
    ];
    for condition in conditions {
        let (_, net) = last_net(&text(condition)).unwrap();
        for kind in [ExportKind::Mcrl2, ExportKind::Bip] {
            let tried = back(&net, kind).unwrap_or_else(|why| panic!("{condition} {why}")).unwrap();
            assert_eq!(tried.same, 1, "{condition}: {tried:?}");
        }
    }
    // Over many values it stays a quantifier, which BIP does not have.
    let (_, net) = last_net(&text("not (exists q: 0..100 . q == v[0] + v[1] + 1)")).unwrap();
    let written = exported(&net, ExportKind::Mcrl2).unwrap().text;
    assert!(written.contains("exists q") && !written.contains("sum q"), "{written}");
    assert!(exported(&net, ExportKind::Bip).is_err());
}

#[test]
fn examples_come_back() {
    for kind in ExportKind::ALL {
        let mut total = Tried::default();
        for (place, text) in models::models() {
            let checked = check_text(text.as_str());
            if checked.has_errors() {
                continue;
            }
            for (name, _) in checked.targets() {
                let Ok(net) = checked.build(Some(name.as_str()), &ElaborateOptions::default())
                else {
                    continue;
                };
                match back(&net, kind) {
                    Ok(tried) => total += tried.unwrap_or_default(),
                    Err(why) => panic!("{place}: {name} as {kind:?} {why}"),
                }
            }
        }
        println!("{kind:?}: {total:?}");
        assert!(total.same > 10, "{kind:?}: {total:?}");
    }
}

// ---- what is written ----

const PASSING: &str = "\
action put(Int);
action get(Int, Int);
action pass(Int);
action full;

process Sender {
    var x: Int = 0;
    init state s;

    s -> s : put(x) when x < 3 do x := x + 1;
}

process Receiver {
    var sum: Int = 0;
    init state open;
    state closed;

    open -> open : get(?v, sum) when v + sum < 5 do sum := sum + v;
    open -> closed : full when sum > 2;
}

net Line {
    sub S = Sender;
    sub R = Receiver;

    <S: put(x), R: get(x, y)> -> pass(x) when x >= y - 3;
    <R: full>                 -> full;
}
";

#[track_caller]
fn text_of(model: &str, kind: ExportKind) -> String {
    let (_, net) = last_net(model).unwrap();
    exported(&net, kind).unwrap().text
}

#[test]
fn the_text_of_a_system_of_bip() {
    let text = text_of(PASSING, ExportKind::Bip);
    for piece in [
        "port type Val_int(int v1)",
        "export port Val_int put(x)",
        "on put from s to s provided (x < 3) do { x = x + 1; }",
        "on get from open to open do { sum = sum + get_v; get_v = 0; }",
        "on p1 p2 provided (p2.v1 - 3 <= p1.v1 && p1.v1 + p2.v1 < 5) down { p2.v2 = p1.v1; }",
        "connector Do_pass pass(S.put, R.get)",
        "connector Alone full(R.full)",
    ] {
        assert!(text.contains(piece), "{piece}\n{text}");
    }
}

#[test]
fn the_text_of_processes_of_mcrl2() {
    let model = PASSING.replace("-> pass(x) when x >= y - 3", "-> tau when x >= y - 3");
    let text = text_of(&model, ExportKind::Mcrl2);
    for piece in
        ["hide({silent},", "allow({full, silent},", "proc S_s(x: Int) =", "|on_tau_R -> silent"]
    {
        assert!(text.contains(piece), "{piece}\n{text}");
    }
    let (_, net) = last_net(&model).unwrap();
    assert_eq!(back(&net, ExportKind::Mcrl2).unwrap().unwrap().same, 1);
}

/// Codes with the texts that they are about.
fn refused(model: &str, kind: ExportKind) -> Vec<String> {
    let (checked, net) = last_net(model).unwrap();
    let found = exported(&net, kind).err().unwrap_or_default();
    let one = |problem: &ExportProblem| {
        format!("{} `{}`", problem.entry().code, checked.sources.text(problem.span()))
    };
    found.iter().map(one).collect()
}

#[test]
fn what_cannot_be_said_is_refused() {
    let hidden = PASSING.replace("-> pass(x) when", "-> full when");
    let pass = "F0336 `<S: put(x), R: get(x, y)> -> full when x >= y - 3`";
    assert_eq!(refused(&hidden, ExportKind::Mcrl2), [pass]);
    for kind in [ExportKind::Bip, ExportKind::Mcrl2] {
        assert_eq!(refused(PASSING, kind), [""; 0]);
    }
    let open = hidden.replace("var sum: Int = 0", "var sum: Int");
    assert_eq!(refused(&open, ExportKind::Bip), ["F0334 `sum`"]);
    assert_eq!(refused(&open, ExportKind::Mcrl2)[0], pass);
    let array = "action go;\nprocess P {\n    var a: [0..2]Int = [_]Int(0);\n    init state s;\n\n    s -> s : go when a[0] == 0;\n}\n";
    assert_eq!(refused(array, ExportKind::Bip), ["F0332 `a`"]);
    assert_eq!(refused(array, ExportKind::Mcrl2), ["F0332 `a`"]);
    let set = "const N: Int;\naction go;\nprocess P {\n    var x: Int = 0;\n    init state s;\n\n    s -> s : go when x < N do x := x + 1;\n}\n";
    assert_eq!(refused(set, ExportKind::Bip), ["F0333 `s -> s : go when x < N do x := x + 1`"]);
    let hole = "action go;\nnet Line(S: any) {\n    <S: go> -> go;\n}\n";
    for kind in ExportKind::ALL {
        assert_eq!(refused(hole, kind), ["F0331 `S`"], "{kind:?}");
    }
}

#[test]
fn priorities_are_said_in_bip_and_nowhere_else() {
    let model = "\
action a, b;
process P {
    init state s;
    state t;
    s -> s : a;
    s -> t : b;
    t -> s : a;
}
net Two {
    sub X = P;
    sub Y = P;
    <X: a> -> a;
    <Y: b> -> b;
    <X: b> -> b;
    <Y: a> -> a;
    priority a < b;
}
";
    let (_, net) = last_net(model).unwrap();
    let tried = back(&net, ExportKind::Bip).unwrap().unwrap();
    assert_eq!((tried.same, tried.ordered), (1, 1));
    assert!(text_of(model, ExportKind::Bip).contains("priority order a:* < b:*"));
    assert_eq!(refused(model, ExportKind::Mcrl2)[0], "F0335 `<X: a> -> a`");
    assert_eq!(refused(model, ExportKind::Exp), ["F0337 `Two`"]);
}

// ---- what others say ----

/// Nets of examples, and what they are as processes of mCRL2. The texts in `tests/merc/mcrl2` were parsed by `merc_syntax`;
/// where the oracle is built (`make oracles`), it is asked again.
const PARSED: [(&str, &str); 6] = [
    ("examples/parking.pnet", "Park"),
    ("examples/rounds.pnet", "Rounds"),
    ("examples/medium.pnet", "System"),
    ("examples/traffic_light.pnet", "Full"),
    ("examples/unbounded.pnet", "Counters"),
    ("examples/tutorial/09_connectors.pnet", "Kitchen"),
];

#[test]
fn processes_of_mcrl2_are_parsed_by_merc() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    for (file, name) in PARSED {
        let checked = sources::check(&Examples(root), file);
        let net = checked.build(Some(name), &ElaborateOptions::default()).unwrap();
        let written = exported(&net, ExportKind::Mcrl2).unwrap().text;
        let path = root.join(format!("tests/merc/mcrl2/{name}.mcrl2"));
        if std::env::var_os("PNET_BLESS").is_some() {
            std::fs::write(&path, &written).unwrap();
        }
        let known = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(
            known, written,
            "{name}: `PNET_BLESS=1` writes it anew; have the oracle look at it"
        );
        paths.push(path);
    }
    let program = root.join("oracles/merc/target/release/merc-oracle");
    if !program.exists() {
        return;
    }
    let said = std::process::Command::new(program).arg("parse").args(&paths).output().unwrap();
    let said = String::from_utf8(said.stdout).unwrap();
    assert_eq!(said, "yes\n".repeat(paths.len()));
}

/// The files of the project.
struct Examples<'r>(&'r std::path::Path);

impl pnetc::loader::Sources for Examples<'_> {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        std::fs::read(self.0.join(path)).map_err(|why| why.to_string())
    }
}
