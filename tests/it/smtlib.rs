//! Scripts in SMT-LIB: what they look like, and that two solvers that know nothing of pnet read them and agree.
//!
//! `smtlib/NAME.smt2` is the script of all guards of `smtlib/NAME.pnet` together, and the first line of the
//! model says what the answer is. `PNET_BLESS=1 cargo test smtlib::` writes the scripts anew.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use crate::common::sources;
use pnetc::algebra::{
    Algebra, FunId, Function, Sort, Term, TermId, Terms, VarId, VariableKind, sort_of,
};
use pnetc::diagnostics::{Severity, Symbol};
use pnetc::elaborate::ElaborateOptions;
use pnetc::generate;
use pnetc::pnet::PNet;
use pnetc::sema::program::{ConstId, Sort as TypedSort};
use pnetc::smt::{Expected, Explicit, ScriptOptions, script};
use rustc_hash::{FxHashMap, FxHashSet};

// ---- solvers ----

/// What a solver says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Answer {
    Sat,
    Unsat,
    Unknown,
}

/// Seconds that a solver gets for a question.
const LIMIT: u32 = 10;

const SOLVERS: [&str; 2] = ["z3", "cvc5"];

/// Lets a solver read a script.
fn start(solver: &str, path: &Path, seconds: u32) -> Child {
    let mut command = Command::new(solver);
    match solver {
        "z3" => command.arg(format!("-T:{seconds}")),
        _ => command.arg(format!("--tlimit={seconds}000")).arg("--dt-nested-rec"),
    };
    let started = command.arg(path).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    started.unwrap_or_else(|problem| {
        panic!(
            "{solver} does not run ({problem}): install it, with `apt install {solver}` on Debian"
        )
    })
}

/// What a solver says; anything but an answer fails the test.
fn answer(solver: &str, running: Child, script: &str) -> Answer {
    let run = running.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&run.stdout).into_owned();
    let complaint = String::from_utf8_lossy(&run.stderr).into_owned();
    match said.trim() {
        "sat" => Answer::Sat,
        "unsat" => Answer::Unsat,
        "unknown" | "timeout" => Answer::Unknown,
        "" if complaint.contains("interrupted by timeout") => Answer::Unknown,
        _ => panic!("{solver}: {said}{complaint}\n{script}"),
    }
}

/// What both solvers say, in the order of [`SOLVERS`]; they never contradict each other.
fn ask_both(name: &str, script: &str, seconds: u32) -> [Answer; 2] {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.smt2"));
    std::fs::write(&path, script).unwrap();
    let running = SOLVERS.map(|solver| (solver, start(solver, &path, seconds)));
    let answers = running.map(|(solver, running)| answer(solver, running, script));
    let contradiction = answers.contains(&Answer::Sat) && answers.contains(&Answer::Unsat);
    assert!(!contradiction, "{name}: z3 and cvc5 disagree: {answers:?}\n{script}");
    answers
}

/// Both solvers must know the answer.
fn must_be(name: &str, script: &str, answer: Answer) {
    assert_eq!(ask_both(name, script, LIMIT), [answer; 2], "{name}: z3, cvc5\n{script}");
}

// ---- nets ----

/// The guards of a net, without those that are always true.
fn guards(net: &PNet) -> Vec<TermId> {
    let transitions = net.plts.iter().flat_map(|plts| &plts.transitions).map(|one| one.guard);
    let vectors = net.nodes.iter().flat_map(|node| &node.vectors).map(|one| one.guard);
    let mut seen = FxHashSet::default();
    let all = transitions.chain(vectors).filter(|&guard| net.terms.as_bool(guard).is_none());
    all.filter(|&guard| seen.insert(guard)).collect()
}

/// All nets of a file that can be built by themselves.
fn nets(path: &str) -> Vec<PNet> {
    let checked = sources::check(&sources::PROJECT, path);
    let severe = checked.diagnostics.iter().filter(|one| one.severity == Severity::Error);
    let errors: Vec<&str> = severe.map(|one| one.message.as_str()).collect();
    assert_eq!(errors, [""; 0], "{path}");
    let mut options = ElaborateOptions::default();
    for (at, constant) in checked.program.consts.iter().enumerate() {
        let is_number = matches!(constant.sort, TypedSort::Int | TypedSort::Range(_));
        if path.starts_with("examples") && constant.body.is_none() && is_number {
            options.set.insert(ConstId(at as u32), 3);
        }
    }
    let names = checked.targets();
    names
        .iter()
        .filter_map(|(name, _)| {
            checked.build(Some(name.as_str()), &options).ok().map(Arc::unwrap_or_clone)
        })
        .collect()
}

fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let mut found: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|found| found == ending)).collect();
    found.sort();
    found
}

fn example_nets() -> Vec<(String, PNet)> {
    let paths =
        ["examples", "examples/tutorial"].into_iter().flat_map(|folder| files(folder, "pnet"));
    let named = |path: PathBuf| {
        let path = path.to_str().unwrap().to_owned();
        nets(&path).into_iter().map(move |net| (path.clone(), net)).collect::<Vec<_>>()
    };
    paths.flat_map(named).collect()
}

// ---- what scripts look like ----

/// The answer that the first line of a model tells.
fn told(model: &Path) -> Answer {
    match std::fs::read_to_string(model).unwrap().lines().next().unwrap() {
        "// sat" => Answer::Sat,
        "// unsat" => Answer::Unsat,
        other => panic!("{}: `{other}`", model.display()),
    }
}

/// A question about a net in which nothing is left to the sorts.
fn explicit(
    algebra: &Algebra,
    terms: &Terms,
    conditions: &[TermId],
    options: ScriptOptions<'_>,
) -> String {
    let mut terms = terms.clone();
    let mut explicit = Explicit::new(algebra, &mut terms);
    let question = explicit.question(&mut terms, conditions).unwrap();
    script(&explicit.algebra, &terms, &question.all(), options)
}

fn golden(model: &Path) -> (String, String) {
    let name = model.file_stem().unwrap().to_str().unwrap().to_owned();
    let net = nets(model.to_str().unwrap()).pop().unwrap();
    let expected = if told(model) == Answer::Sat { Expected::Sat } else { Expected::Unsat };
    let options = ScriptOptions {
        comment: &[format!("can all guards of `{}` hold together?", net.name)],
        expected: Some(expected),
        ..ScriptOptions::default()
    };
    (name, explicit(&net.algebra, &net.terms, &guards(&net), options))
}

#[test]
fn scripts_are_as_expected() {
    let bless = std::env::var_os("PNET_BLESS").is_some();
    let models = files("tests/smtlib", "pnet");
    assert!(models.len() >= 6);
    for model in models {
        let (name, found) = golden(&model);
        let path = model.with_extension("smt2");
        if bless {
            std::fs::write(&path, &found).unwrap();
        }
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(found, expected, "{name}: PNET_BLESS=1 renews it");
        assert_eq!(golden(&model).1, found, "{name}: not the same twice");
    }
}

#[test]
fn both_solvers_know_the_answers() {
    for model in files("tests/smtlib", "pnet") {
        let (name, text) = golden(&model);
        must_be(&format!("golden_{name}"), &text, told(&model));
    }
}

#[test]
fn undeclared_actions_matter() {
    let net = nets("tests/smtlib/actions.pnet").pop().unwrap();
    let none_of_them = guards(&net)[0];
    let ask = |open_world| {
        let options = ScriptOptions { open_world, ..ScriptOptions::default() };
        explicit(&net.algebra, &net.terms, &[none_of_them], options)
    };
    must_be("open_world", &ask(true), Answer::Sat);
    must_be("closed_world", &ask(false), Answer::Unsat);
}

#[test]
fn only_what_is_used_is_declared() {
    let net = nets("tests/smtlib/data.pnet").pop().unwrap();
    let text = explicit(&net.algebra, &net.terms, &guards(&net)[2..], ScriptOptions::default());
    assert!(text.contains("Light") && text.contains("after"), "{text}");
    assert!(
        !text.contains("Msg") && !text.contains("Action") && !text.contains("larger"),
        "{text}"
    );
    let nothing = explicit(&net.algebra, &net.terms, &[], ScriptOptions::default());
    assert_eq!(nothing, "(set-info :smt-lib-version 2.6)\n(set-logic ALL)\n(check-sat)\n");
}

#[test]
fn variables_get_the_names_they_are_given() {
    let mut terms = Terms::default();
    let (x, y) = (int_var(&mut terms, "x"), int_var(&mut terms, "x"));
    let (a, b) = (terms.var_term(x), terms.var_term(y));
    let less = terms.less(a, b);
    let names: FxHashMap<VarId, String> =
        [(x, "P[0].x|\n".to_owned()), (y, "and".to_owned())].into_iter().collect();
    let comment = ["one\ntwo".to_owned(), String::new()];
    let options = ScriptOptions { names: Some(&names), comment: &comment, ..Default::default() };
    let text = script(&Algebra::default(), &terms, &[less], options);
    assert!(text.starts_with("; one\n; two\n"), "{text}");
    assert!(text.contains("(assert (< |P[0].x__| and!1))"), "{text}");
    must_be("given_names", &text, Answer::Sat);
}

// ---- examples ----

#[test]
fn guards_of_examples_are_understood() {
    let mut asked = FxHashSet::default();
    for (path, net) in example_nets() {
        let all = guards(&net);
        for conditions in all.iter().map(std::slice::from_ref).chain([all.as_slice()]) {
            let text = explicit(&net.algebra, &net.terms, conditions, ScriptOptions::default());
            if asked.insert(text.clone()) {
                let answers = ask_both("example", &text, LIMIT);
                // Under quantifiers, and of functions that call themselves, a solver may not know; what it does not
                // understand would be an error.
                let hard = ["(exists", "(forall", "(define-fun-rec", "(define-funs-rec"];
                let hard = hard.iter().any(|form| text.contains(form));
                let unknown = answers.contains(&Answer::Unknown) && !hard;
                assert!(!unknown, "{path}: {answers:?}\n{text}");
            }
        }
    }
    assert!(asked.len() > 20, "only {} different questions", asked.len());
}

/// What generation asks about the examples, and what it was told, is what stock solvers say; they may not know.
#[test]
fn questions_of_generation_are_answered_alike() {
    let mut asked = FxHashSet::default();
    let mut counts = [0; 3];
    for (path, net) in example_nets() {
        for algorithm in [generate::Algorithm::Smart, generate::Algorithm::Fast] {
            let literal = algorithm != generate::Algorithm::Fast;
            // The algorithms of the paper ask thousands of questions about large nets.
            if literal && net.plts.len() + net.holes.len() > 4 {
                continue;
            }
            let options =
                generate::Options { algorithm, keep_questions: true, ..Default::default() };
            let generated = generate::generate(&net, &options, &generate::Unwatched);
            let automaton = &generated.automaton;
            for question in &generated.asked {
                let open_world = pnetc::pnet::is_open_world(&net);
                let options = ScriptOptions { open_world, ..ScriptOptions::default() };
                let text =
                    explicit(&automaton.algebra, &automaton.terms, &question.conditions, options);
                if !asked.insert(text.clone()) {
                    continue;
                }
                let ours = match question.answer {
                    pnetc::smt::Answer::Sat => Answer::Sat,
                    pnetc::smt::Answer::Unsat => Answer::Unsat,
                    pnetc::smt::Answer::Unknown(_) => Answer::Unknown,
                };
                for theirs in ask_both("generation", &text, LIMIT) {
                    let both = [ours, theirs];
                    let differ = both.contains(&Answer::Sat) && both.contains(&Answer::Unsat);
                    assert!(!differ, "{path}: {ours:?} here, but {theirs:?}\n{text}");
                    counts[theirs as usize] += 1;
                }
            }
        }
    }
    println!("{} questions, answers {counts:?}", asked.len());
    let [sat, unsat, unknown] = counts;
    assert!(sat > 50 && unsat > 20 && unknown * 20 < sat + unsat, "{counts:?}");
}

#[test]
fn solvers_agree_on_random_questions() {
    let mut random = crate::common::Random::new(7);
    let own =
        files("tests/smtlib", "pnet").into_iter().flat_map(|path| nets(path.to_str().unwrap()));
    let nets: Vec<PNet> = example_nets().into_iter().map(|(_, net)| net).chain(own).collect();
    let mut nets: Vec<PNet> = nets.into_iter().filter(|net| guards(net).len() > 1).collect();
    let mut counts = [0; 3];
    for _ in 0..60 {
        let at = random.below(nets.len());
        let all = guards(&nets[at]);
        let terms = &mut nets[at].terms;
        let conditions: Vec<TermId> = (0..random.between(2, 4))
            .map(|_| {
                let guard = *random.pick(&all);
                if random.percent(40) { terms.not(guard) } else { guard }
            })
            .collect();
        let net = &nets[at];
        let text = explicit(&net.algebra, &net.terms, &conditions, ScriptOptions::default());
        for answer in ask_both("random", &text, 1) {
            counts[answer as usize] += 1;
        }
    }
    let [sat, unsat, unknown] = counts;
    assert!(sat > 20 && unsat > 20 && unknown < 20, "{counts:?}");
}

// ---- large terms ----

fn int_var(terms: &mut Terms, name: &str) -> VarId {
    terms.new_var(Symbol::new(name), Sort::Int, VariableKind::State)
}

/// A function of two integers of which nothing is known.
fn some_function(terms: &mut Terms) -> Algebra {
    let param = |terms: &mut Terms, name: &str| {
        terms.new_var(Symbol::new(name), Sort::Int, VariableKind::Parameter)
    };
    let params = vec![param(terms, "x"), param(terms, "y")];
    let function = Function {
        name: Symbol::new("f"),
        params,
        result: Sort::Int,
        measures: Vec::new(),
        body: None,
    };
    Algebra { functions: vec![function], ..Algebra::default() }
}

/// `f(f(x, x), f(x, x))` and so on, as a graph with so many nodes.
fn full_tree(terms: &mut Terms, number: TermId, depth: usize) -> TermId {
    (0..depth).fold(number, |tree, _| terms.raw(Term::Apply(FunId(0), [tree, tree].into())))
}

/// `x - 1 - 1 …`, one inside the other.
fn nested(terms: &mut Terms, number: TermId, times: usize) -> TermId {
    let minus_one = terms.int(-1);
    (0..times).fold(number, |sum, _| terms.raw(Term::Add([sum, minus_one].into())))
}

#[test]
fn shared_terms_are_written_once() {
    let mut terms = Terms::default();
    let algebra = some_function(&mut terms);
    let vars = ["x", "y"].map(|name| int_var(&mut terms, name));
    let [x, y] = vars.map(|var| terms.var_term(var));
    let [of_x, of_y] = [x, y].map(|leaf| full_tree(&mut terms, leaf, 60));
    let same = terms.equal(x, y);
    let different = terms.less(of_x, of_y);
    let ask =
        |conditions: &[TermId]| script(&algebra, &terms, conditions, ScriptOptions::default());
    assert!(ask(&[different]).len() < 6_000);
    must_be("shared", &ask(&[different]), Answer::Sat);
    must_be("shared_not", &ask(&[same, different]), Answer::Unsat);
}

#[test]
fn shared_terms_with_bound_variables_are_written_once() {
    let mut terms = Terms::default();
    let algebra = some_function(&mut terms);
    let x = terms.new_var(Symbol::new("x"), Sort::Int, VariableKind::Bound);
    let y = int_var(&mut terms, "y");
    let [x_term, y_term] = [x, y].map(|var| terms.var_term(var));
    let mut ask = |depth| {
        let [of_x, of_y] = [x_term, y_term].map(|leaf| full_tree(&mut terms, leaf, depth));
        let zero = terms.int(0);
        let negative = terms.less(of_x, zero);
        let all_negative = terms.quantified(true, [x].into(), negative);
        let positive = terms.less(zero, of_y);
        script(&algebra, &terms, &[all_negative, positive], ScriptOptions::default())
    };
    assert!(ask(60).len() < 10_000);
    // Finding the witness is hard for solvers when it is deep.
    let text = ask(4);
    assert!(text.contains("(define-fun t!1 ((x Int)) Int"), "{text}");
    must_be("shared_bound", &text, Answer::Unsat);
}

#[test]
fn deep_terms_need_no_stack() {
    let work = || {
        let mut terms = Terms::default();
        let (x, y) = (int_var(&mut terms, "x"), int_var(&mut terms, "y"));
        let bound = terms.new_var(Symbol::new("i"), Sort::Int, VariableKind::Bound);
        let starts = [x, bound].map(|var| terms.var_term(var));
        let [free, open] = starts.map(|start| nested(&mut terms, start, 100_000));
        let (x, y) = (terms.var_term(x), terms.var_term(y));
        let less = terms.less(free, x);
        let is_y = terms.equal(open, y);
        let some = terms.quantified(false, [bound].into(), is_y);
        let choice = (0..100_000).fold(x, |no, _| terms.raw(Term::If(less, y, no)));
        let equal = terms.equal(choice, y);
        assert_eq!(sort_of(&Algebra::default(), &terms, choice), Sort::Int);
        script(&Algebra::default(), &terms, &[less, some, equal], ScriptOptions::default())
    };
    let text = std::thread::Builder::new().stack_size(128 << 10).spawn(work).unwrap();
    let text = text.join().unwrap();
    let deepest = text.lines().map(depth).max().unwrap();
    assert!(deepest < 200, "{deepest}");
}

/// How deep parentheses are nested.
fn depth(line: &str) -> usize {
    let mut deep = (0usize, 0usize);
    for c in line.chars() {
        match c {
            '(' => deep.0 += 1,
            ')' => deep.0 = deep.0.saturating_sub(1),
            _ => {}
        }
        deep.1 = deep.1.max(deep.0);
    }
    deep.1
}

#[test]
fn solvers_read_deep_terms() {
    let mut terms = Terms::default();
    let x = int_var(&mut terms, "x");
    let x = terms.var_term(x);
    let deep = nested(&mut terms, x, 3_000);
    let same = terms.equal(deep, x);
    let text = script(&Algebra::default(), &terms, &[same], ScriptOptions::default());
    must_be("deep", &text, Answer::Unsat);
}
