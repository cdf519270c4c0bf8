//! What is said, word for word where it matters: nobody is sent the wrong way, and nothing is said twice.

use std::process::Command;

/// What a command says about a model, without the frames of its messages.
fn said(command: &[&str], name: &str, model: &str) -> String {
    let folder = std::env::temp_dir().join(format!("pnet-words-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("m.pnet"), model).unwrap();
    let mut run = Command::new(env!("CARGO_BIN_EXE_pnet"));
    let [verb, rest @ ..] = command else { panic!("no command") };
    let done = run.arg(verb).arg("m.pnet").args(rest).current_dir(&folder).output().unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let texts = [done.stdout, done.stderr].map(|text| String::from_utf8(text).unwrap());
    texts.concat()
}

/// Each of these texts is said once.
fn once(said: &str, texts: &[&str]) {
    for text in texts {
        assert_eq!(said.matches(text).count(), 1, "`{text}` in\n{said}");
    }
}

/// None of these texts is said.
fn never(said: &str, texts: &[&str]) {
    for text in texts {
        assert!(!said.contains(text), "`{text}` in\n{said}");
    }
}

/// A net with two holes.
const SPEC: &str = "\
action a, b;

interface Client { a }

interface Server { b }

process Double {
    init state s;

    s -> s : b;
}

net Spec(C: Client, S: Server) {
    <C: a, S: b> -> a;
    <C: tau>     -> tau;
    <S: tau>     -> tau;
}
";

#[test]
fn nets_are_named_as_in_the_check() {
    let model = format!("{SPEC}\ncheck refines(Spec(S: Double), Spec);\n");
    let said = said(&["verify"], "refines", &model);
    once(&said, &["`Spec` has a hole `S`, and `Spec(S: Double)` has none", "`tracking { C }`"]);
}

#[test]
fn what_is_proposed_for_tracking_works() {
    let model = format!("{SPEC}\ncheck refines(Spec(S: Double), Spec) tracking {{ C }};\n");
    once(&said(&["verify"], "tracking", &model), &["proved   check refines"]);
}

#[test]
fn bisimilarity_has_no_tracking() {
    let model = format!("{SPEC}\ncheck bisimilar(Spec(S: Double), Spec);\n");
    let said = said(&["verify"], "bisimilar", &model);
    once(&said, &["fill it on both sides, or on neither"]);
    never(&said, &["tracking"]);
}

/// The name that is proposed for an input is not that of the variable, nor of another one.
#[test]
fn inputs_get_names_of_their_own() {
    let model = "\
action get(Int), put(Int, Int);

process P {
    var x: Int = 0;
    var v: Int = 0;
    init state s;

    s -> s : get(?x);
    s -> s : put(x, v);
}
";
    let said = said(&["check"], "inputs", model);
    once(&said, &["write `?y` and `do x := y`"]);
}

/// A counter whose author expects that a range has its end.
const COUNTER: &str = "\
const CAP: Int = 3;
action inc, full;

process P {
    var n: 0..CAP = 0;
    init state s;

    s -> s : inc when n < CAP do n := n + 1;
    s -> s : full when n == CAP;
}

check size(P) == (1, 2);
";

#[test]
fn ranges_are_said_to_end_before_their_end() {
    let said = said(&["verify"], "ranges", COUNTER);
    assert_eq!(said.matches("`n: 0..CAP` ends with 2").count(), 3, "{said}");
    assert_eq!(said.matches("write `0..CAP + 1` if 3 is meant").count(), 3, "{said}");
    never(&said, &["leave it out", "use `mod`"]);
}

/// A guard that another instance of the same text needs is not said to be needless.
#[test]
fn a_guard_over_a_parameter_is_needed_by_other_instances() {
    let model = "action go;
        process P<me: Int> { init state s; state a, b; s -> a : go when me == 0; s -> b : go when me != 0; }
        net N { sub Q[i: 0..2] = P<i>; <Q[i]: go> -> go for i in 0..2; }
        check always(N, Q[1] not in a);";
    never(&said(&["verify"], "parameters", model), &["A0106"]);
}

/// What is said before anything is built is not said again after it.
#[test]
fn a_guard_is_said_to_be_constant_once() {
    let said = said(&["verify"], "guards", COUNTER);
    once(&said, &["this guard is always true", "this guard is never true"]);
    never(&said, &["A0106", "A0103"]);
}

#[test]
fn what_is_proposed_for_a_range_works() {
    let mended = COUNTER.replace("0..CAP ", "0..CAP + 1 ");
    let said = said(&["verify"], "mended", &mended);
    once(&said, &["proved   check size(P)"]);
    never(&said, &["warning"]);
}

/// Where something is received, its declaration is the place for the range.
#[test]
fn received_values_get_their_range_from_the_action() {
    let model = "\
const N: Int = 2;
action enter(Bool, Int), out(Int);

process P {
    var who: 0..N = 0;
    init state s;

    s -> s : enter(true, ?i) do who := i;
    s -> s : out(who);
}

check size(P) == (1, 2);
";
    let first = said(&["verify"], "received", model);
    once(&first, &["declare `action enter(Bool, 0..N);`", "`who: 0..N` ends with 1"]);
    never(&first, &["`mod`"]);
    let mended = model.replace("enter(Bool, Int)", "enter(Bool, 0..N)");
    never(&said(&["verify"], "declared", &mended), &["A0109"]);
}

/// What has nothing to do with the end of a range is said as before.
#[test]
fn other_values_that_leave_their_range_need_a_condition() {
    let model = "\
action dec(Int);

process P {
    var n: 0..3 = 2;
    init state s;

    s -> s : dec(n) do n := n - 1;
}

check size(P) == (1, 1);
";
    let said = said(&["verify"], "below", model);
    once(&said, &["add a condition that keeps it inside", "`n: 0..3` ends with 2"]);
    never(&said, &["`0..4`"]);
}

/// What is wrong with the settings is said once, and every check is counted.
#[test]
fn a_contradiction_is_said_once() {
    let model = "\
const N: Int;
axiom N > 3;
action tick(Int);

process P {
    var n: 0..N = 0;
    init state s;

    s -> s : tick(n) do n := (n + 1) mod N;
}

check size(P) == (1, 1);
check bisimilar(P, P);
";
    let said = said(&["verify", "--set", "N=2"], "contradiction", model);
    once(&said, &["error[E0122]"]);
}

/// One check that is answered, and one that is not because of an error.
#[test]
fn checks_with_errors_are_counted() {
    let model = "\
const N: Int;
action tick;

process P {
    init state s;

    s -> s : tick;
}

net Row {
    sub p[i: 0..N] = P;

    <p[i]: tick> -> tick for i in 0..N;
}

check size(P) == (1, 1);
check size(Row) == (1, 1);
";
    let said = said(&["verify"], "counted", model);
    once(&said, &["2 checks: 1 proved, 1 with errors", "`--set N=3`"]);
}

/// The state of a process that is asked about by itself can be named.
#[test]
fn a_lone_process_has_its_own_name() {
    let model = "\
action tick;

process P {
    var n: Int = 0;
    init state s;

    s -> s : tick do n := n + 1;
}

check always(P, P in s);
check always(P, P.n >= 0 and n >= 0);
check reaches(P, Q in s);
";
    let said = said(&["check"], "lone", model);
    once(&said, &["error[", "`P` has no process `Q`"]);
}

/// What was asked on the command line is all that is shown of it.
#[test]
fn nobody_is_told_of_a_check_that_they_did_not_write() {
    let model = "\
action tick;

process P<n: Int> {
    init state s;

    s -> s : tick when n > 0;
}
";
    let said = said(&["build", "P<m>", "--emit", "automaton"], "build", model);
    once(&said, &["unknown name `m`", "│ P<m>"]);
    never(&said, &["check deadlock_free"]);
}

/// What the reference says about asking for safety and deadlocks with `refines` is so.
#[test]
fn safety_and_deadlocks_can_be_asked_for_with_refines() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/language.md"));
    let text = text.unwrap();
    let from = text.find("action left, right, done;").unwrap();
    let model = &text[from..from + text[from..].find("```").unwrap()];
    let said = said(&["verify"], "instead", model);
    once(&said, &["3 checks: 3 proved"]);
}

/// Where several things are wrong with a statement, each is said.
#[test]
fn guards_in_brackets_and_assignments_after_slashes() {
    let model = "\
action b(Int);

process P {
    var x: Int = 0;
    init state s;

    s -> s : [x < 3] b(x) / x := 2;
}
";
    let said = said(&["check"], "several", model);
    once(
        &said,
        &["the guard stands after the action", "`/` does not start assignments", "2 errors"],
    );
}

/// Connectors move data of ports, and no fields.
#[test]
fn connectors_are_not_told_about_fields() {
    let model = "\
action a(Int), c(Int), go;

process P {
    var x: Int = 0;
    init state s;

    s -> s : a(x);
    s -> s : c(?v) do x := v;
}

net N {
    sub p = P;
    sub q = P;

    connect go : p.a(v) q.c(w) do q.x := p.x;
}
";
    let said = said(&["check"], "connectors", model);
    once(&said, &["error[", "name the data at the ports"]);
}

/// A head that is mended is shown as it is to be written.
#[test]
fn what_is_proposed_for_a_head_has_its_keyword() {
    let model = "action go;\nactive proctype P() { init state s; s -> s : go; }\n";
    let said = said(&["check"], "head", model);
    once(&said, &["write `process P`"]);
}
