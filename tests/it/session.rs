//! What a session computes, and what it need not: each program, net, automaton and outcome once, until a text that it
//! depends on changes.

use crate::common::Memory;
use pnetc::base::{Budget, Spent};
use pnetc::generate::{Unwatched, Watch};
use pnetc::loader::{CompareQuestion, Question};
use pnetc::model::{Checked, ModelOptions, Wanted, WorkCounts};
use pnetc::outcome::Verdict;
use pnetc::session::Session;

/// Two nets, and three checks about them.
const SHARED: &str = "action a, b;
process P<n: Int> { var x: Int = 0; init state s; s -> s : a when x < n do x := x + 1; }
net N(X: any) { sub Y = P<2>; <X: a, Y: a> -> b; }
check size(P<2>) == (1, 1);
check bisimilar(P<2>, P<3>);
check not bisimilar(P< 3 >, P<2>);
";

struct Working(Budget);

impl Watch for Working {
    fn progress(&self, _states: usize, _transitions: usize, _queries: usize) {}

    fn budget(&self) -> Budget {
        self.0.clone()
    }
}

fn open(session: &Session, files: &Memory, path: &str) -> Checked {
    let checked = session.check(files, path).unwrap();
    assert!(!checked.has_errors(), "{:?}", checked.diagnostics);
    checked
}

/// Runs all checks of a file.
fn verify(session: &Session, checked: &Checked, options: &ModelOptions) -> Vec<Verdict> {
    let run = |check| session.verify(checked, check, options, &Unwatched).unwrap().verdict;
    checked.checks().into_iter().map(run).collect()
}

/// What was done since.
fn since(session: &Session, before: WorkCounts) -> WorkCounts {
    let now = session.counts();
    WorkCounts {
        parsed: now.parsed - before.parsed,
        nets: now.nets - before.nets,
        automata: now.automata - before.automata,
        compositions: now.compositions - before.compositions,
        checks: now.checks - before.checks,
    }
}

// ---- each thing once ----

#[test]
fn checks_that_share_nets_generate_each_once() {
    let (session, files) = (Session::default(), Memory::file("model.pnet", SHARED));
    let checked = open(&session, &files, "model.pnet");
    let verdicts = verify(&session, &checked, &ModelOptions::default());
    assert_eq!(verdicts, [Verdict::Proved, Verdict::Refuted, Verdict::Proved]);
    let counts = session.counts();
    assert_eq!((counts.checks, counts.nets, counts.automata), (3, 2, 2), "{counts:?}");
}

#[test]
fn what_was_answered_is_not_asked_again() {
    let (session, files) = (Session::default(), Memory::file("model.pnet", SHARED));
    let first = verify(&session, &open(&session, &files, "model.pnet"), &ModelOptions::default());
    let before = session.counts();
    let second = verify(&session, &open(&session, &files, "model.pnet"), &ModelOptions::default());
    assert_eq!(first, second);
    assert_eq!(since(&session, before), WorkCounts::default());
}

#[test]
fn other_options_make_other_automata() {
    let (session, files) = (Session::default(), Memory::file("model.pnet", SHARED));
    let checked = open(&session, &files, "model.pnet");
    verify(&session, &checked, &ModelOptions::default());
    let before = session.counts();
    let mut options = ModelOptions::default();
    options.generate.algorithm = pnetc::generate::Algorithm::Smart;
    verify(&session, &checked, &options);
    let done = since(&session, before);
    assert_eq!((done.checks, done.nets, done.automata), (3, 0, 2), "{done:?}");
}

/// What is composed is not what is generated, and both are made once.
#[test]
fn composed_automata_are_kept_by_themselves() {
    let text = format!("{SHARED}check size(N(P<2>)) == (1, 1);\ncheck nonblocking(N(P<2>));\n");
    let (session, files) = (Session::default(), Memory::file("model.pnet", text));
    let checked = open(&session, &files, "model.pnet");
    let checks = checked.checks();
    for compose in [false, true] {
        let options = ModelOptions { compose, ..ModelOptions::default() };
        for check in &checks[3..] {
            session.verify(&checked, check, &options, &Unwatched).unwrap();
        }
    }
    let counts = session.counts();
    assert_eq!((counts.nets, counts.automata, counts.compositions), (1, 1, 1), "{counts:?}");
}

#[test]
fn a_net_is_the_same_whoever_asks() {
    let (session, files) = (Session::default(), Memory::file("model.pnet", SHARED));
    let checked = open(&session, &files, "model.pnet");
    let checks = checked.checks();
    let (options, net) = (ModelOptions::default().elaborate, |at: usize, side: usize| {
        Wanted::Instance(checks[at], &checks[at].nets[side])
    });
    let nets = [net(0, 0), net(1, 0), net(2, 1), net(1, 1)]
        .map(|wanted| checked.net(wanted, &options).unwrap());
    assert!(std::sync::Arc::ptr_eq(&nets[0], &nets[1]));
    assert!(std::sync::Arc::ptr_eq(&nets[0], &nets[2]));
    assert!(!std::sync::Arc::ptr_eq(&nets[0], &nets[3]));
}

// ---- budgets ----

/// A check whose time is up leaves nothing half made to the next.
#[test]
fn what_was_not_made_to_its_end_is_made_again() {
    let (session, files) = (Session::default(), Memory::file("model.pnet", SHARED));
    let checked = open(&session, &files, "model.pnet");
    let (check, options) = (checked.checks()[1], ModelOptions::default());
    let plenty = Working(Budget::default());
    Session::default().verify(&checked.anew(), check, &options, &plenty).unwrap();
    let mut stopped = 0;
    let step = (plenty.0.looks() as usize / 20).max(1);
    for work in (0..plenty.0.looks()).step_by(step) {
        let checked = checked.anew();
        let little = Working(Budget::of_work(work));
        let first = session.verify(&checked, check, &options, &little).unwrap().verdict;
        if little.0.spent().is_some() {
            assert_eq!(first, Verdict::Unknown, "{work}");
            stopped += 1;
        }
        let second = session.verify(&checked, check, &options, &Unwatched).unwrap().verdict;
        assert_eq!(second, Verdict::Refuted, "{work}");
    }
    assert!(stopped > 5, "{stopped}");
}

#[test]
fn a_file_that_was_not_checked_to_its_end_is_checked_again() {
    let (session, files) = (Session::default(), Memory::file("model.pnet", SHARED));
    let spent = Budget::default();
    spent.spend(Spent::Interrupted);
    {
        let _here = spent.enter();
        assert!(session.check(&files, "model.pnet").unwrap().stopped.is_some());
    }
    let checked = open(&session, &files, "model.pnet");
    assert_eq!(checked.checks().len(), 3);
}

// ---- texts that change ----

const PARTS: &str = "action a;\nprocess P { init state s; s -> s : a; }\n";
const USER: &str = "import \"parts.pnet\";\ncheck size(P) == (1, 1);\n";

fn project() -> Memory {
    let files = Memory::file("parts.pnet", PARTS).and("user.pnet", USER);
    files.and("alone.pnet", SHARED).and("other.pnet", "import \"./parts.pnet\";\n")
}

#[test]
fn a_changed_file_costs_what_depends_on_it() {
    let (session, files) = (Session::default(), project());
    for path in ["user.pnet", "alone.pnet", "other.pnet"] {
        verify(&session, &open(&session, &files, path), &ModelOptions::default());
    }
    let changed = files.and("parts.pnet", PARTS.replace("s -> s : a;", ""));
    session.changed(&changed, "parts.pnet");
    let before = session.counts();
    verify(&session, &open(&session, &changed, "alone.pnet"), &ModelOptions::default());
    assert_eq!(since(&session, before), WorkCounts::default());
    let verdicts =
        verify(&session, &open(&session, &changed, "user.pnet"), &ModelOptions::default());
    assert_eq!(verdicts, [Verdict::Refuted]);
    // The prelude, the file and what it imports.
    let once = WorkCounts { parsed: 3, nets: 1, automata: 1, checks: 1, ..WorkCounts::default() };
    assert_eq!(since(&session, before), once);
    open(&session, &changed, "other.pnet");
    assert_eq!(since(&session, before), WorkCounts { parsed: 6, ..once });
}

#[test]
fn what_was_saved_without_a_change_costs_nothing() {
    let (session, files) = (Session::default(), project());
    verify(&session, &open(&session, &files, "user.pnet"), &ModelOptions::default());
    let before = session.counts();
    session.changed(&files, "parts.pnet");
    session.changed(&files, "./user.pnet");
    verify(&session, &open(&session, &files, "user.pnet"), &ModelOptions::default());
    assert_eq!(since(&session, before), WorkCounts::default());
}

/// Nobody has to say that something changed: a text is looked at before anything that was made of it is used.
#[test]
fn nothing_is_said_about_a_text_that_is_gone() {
    let (session, files) = (Session::default(), project());
    open(&session, &files, "user.pnet");
    let changed = files.and("parts.pnet", "action a;\n");
    assert!(session.check(&changed, "user.pnet").unwrap().has_errors());
    let back = changed.and("parts.pnet", PARTS);
    open(&session, &back, "user.pnet");
}

#[test]
fn a_file_that_comes_is_noticed() {
    let (session, files) = (Session::default(), Memory::file("user.pnet", USER));
    assert!(session.check(&files, "user.pnet").unwrap().has_errors());
    let files = files.and("parts.pnet", PARTS);
    session.changed(&files, "parts.pnet");
    open(&session, &files, "user.pnet");
}

/// What somebody does to their copy is theirs.
#[test]
fn copies_do_not_see_each_other() {
    let (session, files) = (Session::default(), Memory::file("model.pnet", SHARED));
    let mut one = open(&session, &files, "model.pnet");
    one.sources.add("mine".to_owned(), "text".into()).unwrap();
    let other = open(&session, &files, "model.pnet");
    assert_eq!(one.sources.files().len(), other.sources.files().len() + 1);
}

// ---- questions ----

fn compared(first: &str, second: &str, tracking: Option<Vec<String>>) -> Question {
    let kind = if tracking.is_some() { "refines" } else { "bisimilar" };
    let (first, second) = (first.to_owned(), second.to_owned());
    Question::Comparison(CompareQuestion { kind, first, second, tracking })
}

/// The codes of what is wrong with a question, each with the text it points at.
fn said(question: &Question) -> Vec<(&'static str, String)> {
    let files = Memory::file("model.pnet", SHARED);
    let checked = Session::default().ask(&files, "model.pnet", Some(question)).unwrap();
    let said = checked.diagnostics.iter().filter(|one| checked.is_asked(one.span()));
    said.map(|one| (one.entry.code, checked.sources.text(one.span()).to_owned())).collect()
}

#[test]
fn messages_point_into_what_was_asked() {
    assert_eq!(said(&compared("P<2>", "P<3>", None)), []);
    assert_eq!(said(&compared("P<2>", "Q", None)), [("N0205", "Q".to_owned())]);
    assert_eq!(said(&compared("N(Y: P<1>)", "P<3>", None)), [("N0209", "Y".to_owned())]);
    assert_eq!(said(&compared("P(1)", "P<3>", None)), [("P0001", "1".to_owned())]);
    assert_eq!(said(&compared("", "P<3>", None)), [("P0001", String::new())]);
    let instance = |text: &str| said(&Question::Instance(text.to_owned()));
    assert_eq!(instance("N(P<1>"), [("P0003", "(".to_owned())]);
    assert_eq!(instance("P<1>, P<2>"), [("P0001", ",".to_owned())]);
    assert_eq!(instance("P<1> // the first"), []);
}

/// Nothing can be put after a question or around it.
#[test]
fn a_question_is_one_question() {
    let closing = [("P0004", ")".to_owned())];
    assert_eq!(said(&compared("P<2>); check bisimilar(P<2>", "P<2>", None)), closing);
    assert_eq!(said(&compared("P<2>", "P<2>); check bisimilar(P<2>, P<2>", None)), closing);
    let instance = Question::Instance("P<2>); check deadlock_free(P<2>".to_owned());
    assert_eq!(said(&instance), closing);
    let hole = "X }; check size(P<2>) == (1".to_owned();
    let tracked = said(&compared("P<2>", "P<2>", Some(vec![hole.clone()])));
    assert_eq!(tracked, [("P0001", hole)]);
    let (check, relation) = ("check size(P<2>) == (1, 1); check size(P<2>) == (2, 2)", "");
    let claim = Question::Claim { check: check.to_owned(), relation: relation.to_owned() };
    assert_eq!(said(&claim), [("P0001", ";".to_owned())]);
}
