//! `pnet lsp`: claims are verified from lenses, with progress, and can be stopped; verdicts are never stale.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::lsp::{Editor, able, covered};

/// One claim holds and one does not; a third one is a scenario.
const MODEL: &str = "\
action go, stop;

process Light {
    var n: Int = 0;
    init state red;
    state green;

    red   -> green : go   when n < 3 do n := n + 1;
    green -> red   : stop;
}

net Lights { sub L = Light; <L: go> -> go; <L: stop> -> stop; }

check always(Lights, L.n <= 3);
check always(Lights, L in red);

scenario once of Lights {
    go;
    stop;
}
";

/// A claim whose answer takes longer than anybody waits, by its size.
const LONG: &str = "\
action tick;

process Clock {
    var n: Int = 0;
    init state s;

    s -> s : tick when n < 1000000000 do n := n + 1;
}

net Many { sub C[i: 0..6] = Clock; <C[i]: tick> -> tick for i in 0..6; }

check always(Many, C[0].n * C[1].n * C[2].n + C[3].n * C[4].n * C[5].n != 998244353);
";

fn titles(editor: &mut Editor, file: &str) -> Vec<String> {
    let lenses = editor.ask("textDocument/codeLens", editor.about(file));
    let all = lenses.as_array().unwrap().iter();
    all.map(|one| one["command"]["title"].as_str().unwrap().to_owned()).collect()
}

/// The lens of this title, pressed.
fn press(editor: &mut Editor, file: &str, title: &str, nth: usize) -> Result<Value, String> {
    let lenses = editor.ask("textDocument/codeLens", editor.about(file));
    let all = lenses.as_array().unwrap().iter();
    let mut own = all.filter(|one| one["command"]["title"].as_str().unwrap().starts_with(title));
    let lens = own.nth(nth).unwrap_or_else(|| panic!("no lens `{title}` in {lenses:#?}"));
    let command = lens["command"]["command"].as_str().unwrap();
    editor.run(command, lens["command"]["arguments"].clone())
}

#[test]
fn verdicts_come_to_lenses_and_go_when_the_text_changes() {
    let mut editor = Editor::new("verdicts");
    assert_eq!(editor.open("a.pnet", MODEL), Vec::<Value>::new());
    let nets = ["picture", "automaton", "explore"];
    let with_nets = |first: &[&str]| -> Vec<String> {
        first.iter().chain(&nets).map(|one| (*one).to_owned()).collect()
    };
    assert_eq!(titles(&mut editor, "a.pnet"), with_nets(&["verify"; 3]));
    let statuses = press(&mut editor, "a.pnet", "verify", 0).unwrap();
    assert_eq!(statuses[0]["status"], "proved");
    assert_eq!(statuses[1]["status"], "unchecked");
    editor.wait(|one| one["method"] == "workspace/codeLens/refresh");
    let all = editor.run("pnet.verify", json!([editor.uri("a.pnet")])).unwrap();
    assert_eq!(all[1]["status"], "refuted");
    assert_eq!(all[2]["status"], "proved");
    let seen = titles(&mut editor, "a.pnet");
    assert!(seen[0].starts_with("proved · "), "{seen:?}");
    assert_eq!(seen[1], "refuted: show the play");
    // The play is shown as a text.
    let play = press(&mut editor, "a.pnet", "refuted", 0).unwrap();
    assert!(play["text"].as_str().unwrap().contains("1. `go`"), "{play}");
    let shown = editor.wait(|one| one["method"] == "window/showDocument");
    assert_eq!(shown["params"]["uri"], play["uri"]);
    // Another text, other verdicts: what was found is old, and no diagnostic says that it is refuted.
    let other = MODEL.replace("n < 3", "n < 4");
    let wrong = editor.change("a.pnet", 2, &other);
    assert_eq!(wrong, Vec::<Value>::new());
    let seen = titles(&mut editor, "a.pnet");
    assert_eq!(seen[0], "old (proved): verify again");
    assert_eq!(seen[1], "old (refuted): verify again");
    // The text as it was has the verdicts that it had.
    editor.change("a.pnet", 3, MODEL);
    assert_eq!(titles(&mut editor, "a.pnet")[1], "refuted: show the play");
    // With errors there is nothing to verify.
    editor.change("a.pnet", 4, &MODEL.replace("n <= 3", "m <= 3"));
    let why = editor.run("pnet.verify", json!([editor.uri("a.pnet"), 0])).unwrap_err();
    assert_eq!(why, "the model has errors: mend them first");
    assert_eq!(editor.end(), 0);
}

#[test]
fn a_refuted_check_is_a_diagnostic_with_the_steps_of_its_play() {
    let mut editor = Editor::new("refuted");
    editor.open("a.pnet", MODEL);
    editor.run("pnet.verify", json!([editor.uri("a.pnet"), 1])).unwrap();
    let wrong = editor.diagnostics("a.pnet");
    assert_eq!(wrong.len(), 1, "{wrong:#?}");
    assert_eq!((&wrong[0]["code"], &wrong[0]["severity"]), (&json!("refuted"), &json!(1)));
    assert!(covered(MODEL, &wrong[0]["range"]).starts_with("check always(Lights, L in red)"));
    let steps = wrong[0]["relatedInformation"].as_array().unwrap();
    assert!(steps[0]["message"].as_str().unwrap().starts_with("1. `go`"), "{steps:#?}");
    let texts: Vec<&str> =
        steps.iter().map(|one| covered(MODEL, &one["location"]["range"])).collect();
    assert!(texts.iter().any(|text| text.starts_with("net Lights")), "{texts:?}");
    assert!(texts.iter().any(|text| text.starts_with("red   -> green")), "{texts:?}");
    assert_eq!(editor.end(), 0);
}

#[test]
fn verdicts_depend_on_imports_open_or_not() {
    let mut editor = Editor::new("imports");
    let part = "action go;\nprocess P { var n: Int = 0; init state s; s -> s : go when n < 3 do n := n + 1; }\n";
    let root = "import \"./part.pnet\";\ncheck always(P, n <= 3);\n";
    editor.write("part.pnet", part);
    editor.open("root.pnet", root);
    let arguments = json!([editor.uri("root.pnet")]);
    let status = |editor: &mut Editor| {
        editor.run("pnet.checks", arguments.clone()).unwrap()[0]["status"].clone()
    };
    assert_eq!(editor.run("pnet.verify", arguments.clone()).unwrap()[0]["status"], "proved");
    // The file changes on the disk, and nobody says so.
    editor.write("part.pnet", &part.replace("n < 3", "n < 5"));
    assert_eq!(status(&mut editor), "old");
    editor.write("part.pnet", part);
    assert_eq!(status(&mut editor), "proved");
    // It is opened, and edited without being saved.
    editor.open("part.pnet", &part.replace("n < 3", "n < 7"));
    assert_eq!(status(&mut editor), "old");
    assert_eq!(editor.run("pnet.verify", arguments.clone()).unwrap()[0]["status"], "refuted");
    editor.tell(
        "textDocument/didClose",
        json!({ "textDocument": { "uri": editor.uri("part.pnet") } }),
    );
    editor.diagnostics("part.pnet");
    assert_eq!(status(&mut editor), "old");
    assert_eq!(editor.run("pnet.verify", arguments).unwrap()[0]["status"], "proved");
    assert_eq!(editor.end(), 0);
}

#[test]
fn work_is_told_of_and_can_be_stopped_while_typing_goes_on() {
    let mut editor = Editor::new("stopped");
    editor.open("long.pnet", LONG);
    editor.open("a.pnet", MODEL);
    let long = json!([editor.uri("long.pnet")]);
    let verify = json!({ "command": "pnet.verify", "arguments": long, "workDoneToken": "mine" });
    let id = editor.begin("workspace/executeCommand", verify);
    let is_begun = |token: &'static str| {
        move |one: &Value| {
            one["method"] == "$/progress"
                && one["params"]["token"] == token
                && one["params"]["value"]["kind"] == "begin"
        }
    };
    let begun = editor.wait(is_begun("mine"));
    assert_eq!(begun["params"]["value"]["cancellable"], true);
    assert_eq!(titles(&mut editor, "long.pnet")[0], "being verified …");
    // Typing and asking go on.
    for version in 2..12 {
        let started = Instant::now();
        editor.change("a.pnet", version, &MODEL.replace("n < 3", &format!("n < {version}")));
        editor.ask("textDocument/hover", editor.at("a.pnet", MODEL, "Light {", 1));
        assert!(started.elapsed() < Duration::from_secs(20), "typing waits");
    }
    editor.tell("$/cancelRequest", json!({ "id": id }));
    assert_eq!(editor.answer(id).unwrap_err(), "stopped");
    assert_eq!(titles(&mut editor, "long.pnet")[0], "verify");
    // Without a token of its own, the server makes one, by which the work can be stopped, too.
    let params = json!({ "command": "pnet.verify", "arguments": long });
    let id = editor.begin("workspace/executeCommand", params.clone());
    let made = editor.wait(|one| one["method"] == "window/workDoneProgress/create");
    let token = made["params"]["token"].clone();
    editor.tell("window/workDoneProgress/cancel", json!({ "token": token }));
    assert_eq!(editor.answer(id).unwrap_err(), "stopped");
    // A change of the text stops it: the answer would be about another one.
    let id = editor.begin("workspace/executeCommand", params.clone());
    editor.wait(|one| one["method"] == "window/workDoneProgress/create");
    editor.change("long.pnet", 2, &format!("{LONG}\n"));
    assert_eq!(editor.answer(id).unwrap_err(), "stopped");
    // One that waits behind another is stopped before it begins.
    let first = editor.begin("workspace/executeCommand", params.clone());
    let second = editor.begin("workspace/executeCommand", params.clone());
    editor.tell("$/cancelRequest", json!({ "id": second }));
    editor.tell("$/cancelRequest", json!({ "id": first }));
    assert_eq!(editor.answer(first).unwrap_err(), "stopped");
    assert_eq!(editor.answer(second).unwrap_err(), "stopped");
    // And the end of the server stops it.
    editor.begin("workspace/executeCommand", params);
    let started = Instant::now();
    assert_eq!(editor.end(), 0);
    assert!(started.elapsed() < Duration::from_secs(30), "it ends too late");
}

#[test]
fn a_time_limit_leaves_an_answer_that_is_not_known() {
    let mut editor = Editor::greeting("timeout", able(), json!({ "timeout": 0.5 }));
    editor.open("long.pnet", LONG);
    let found = editor.run("pnet.verify", json!([editor.uri("long.pnet")]));
    // Either it listened, and says that it is not known, or it was left behind.
    match found {
        Ok(found) => assert_eq!(found[0]["status"], "unknown", "{found}"),
        Err(why) => assert!(why.contains("time was up"), "{why}"),
    }
    assert_eq!(editor.end(), 0);
}

#[test]
fn saving_verifies_where_that_is_set() {
    let mut editor = Editor::greeting("saving", able(), json!({ "verifyOnSave": true }));
    editor.open("a.pnet", MODEL);
    editor.tell("textDocument/didSave", json!({ "textDocument": { "uri": editor.uri("a.pnet") } }));
    let wrong = editor.diagnostics("a.pnet");
    assert_eq!(wrong[0]["code"], "refuted");
    assert_eq!(editor.end(), 0);
    // Otherwise proofs start on request.
    let mut editor = Editor::new("saving_not");
    editor.open("a.pnet", MODEL);
    editor.tell("textDocument/didSave", json!({ "textDocument": { "uri": editor.uri("a.pnet") } }));
    let checks = editor.run("pnet.checks", json!([editor.uri("a.pnet")])).unwrap();
    assert!(checks.as_array().unwrap().iter().all(|one| one["status"] == "unchecked"), "{checks}");
    assert_eq!(editor.end(), 0);
}

#[test]
fn lenses_can_be_turned_off() {
    let mut editor = Editor::greeting("lenses", able(), json!({ "pnet": { "lenses": false } }));
    editor.open("a.pnet", MODEL);
    assert_eq!(titles(&mut editor, "a.pnet"), Vec::<String>::new());
    editor.tell(
        "workspace/didChangeConfiguration",
        json!({ "settings": { "pnet": { "lenses": true } } }),
    );
    editor.wait(|one| one["method"] == "workspace/codeLens/refresh");
    assert_eq!(titles(&mut editor, "a.pnet").len(), 6);
    assert_eq!(editor.end(), 0);
}

#[test]
fn nets_are_drawn_and_explored() {
    let mut editor = Editor::new("drawn");
    editor.write("a.pnet", MODEL);
    editor.open("a.pnet", MODEL);
    let uri = editor.uri("a.pnet");
    let picture = press(&mut editor, "a.pnet", "picture", 0).unwrap();
    assert!(picture["text"].as_str().unwrap().contains("<svg"));
    let shown = editor.wait(|one| one["method"] == "window/showDocument");
    assert_eq!(shown["params"]["uri"], picture["uri"]);
    assert_eq!(shown["params"]["external"], true);
    let automaton = press(&mut editor, "a.pnet", "automaton", 0).unwrap();
    assert!(automaton["text"].as_str().unwrap().contains("go"), "{automaton}");
    assert_eq!(editor.run("pnet.nets", json!([uri])).unwrap()[0]["name"], "Lights");
    let page = press(&mut editor, "a.pnet", "explore", 0).unwrap();
    let address = page["uri"].as_str().unwrap().to_owned();
    assert!(address.starts_with("http://127.0.0.1:"), "{address}");
    // The page's questions go through the server, for editors that show the page themselves.
    let opened = editor.run("pnet.ask", json!([address, "open", {}])).unwrap();
    assert_eq!(opened["status"], 200);
    let job = opened["body"]["job"].clone();
    let mut model = opened;
    for _ in 0..200 {
        model = editor.run("pnet.ask", json!([address, "job", { "job": job }])).unwrap();
        if model["body"].to_string().contains("Lights") {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert!(model["body"].to_string().contains("Lights"), "{model}");
    let wrong = editor.run("pnet.ask", json!([address, "nonsense", {}])).unwrap();
    assert!(wrong["body"]["refused"].is_object(), "{wrong}");
    // An editor that shows things itself is not asked to.
    editor.kept.clear();
    let uri_again = editor.run("pnet.explore", json!([uri, "Lights", { "quiet": true }])).unwrap();
    assert_eq!(uri_again["uri"], address);
    assert!(editor.kept.iter().all(|one| one["method"] != "window/showDocument"));
    let why = editor.run("pnet.ask", json!(["http://127.0.0.1:1/#token=0", "model", {}]));
    assert_eq!(why.unwrap_err(), "there is no such page: open it again");
    // What cannot be drawn is told.
    let why = editor.run("pnet.picture", json!([uri, "Nobody"])).unwrap_err();
    assert_eq!(why, "the model declares no net `Nobody`");
    let why = editor.run("pnet.picture", json!([uri, "Lights<3>"])).unwrap_err();
    assert!(why.starts_with("`Lights<3>`: "), "{why}");
    assert_eq!(editor.end(), 0);
    // With the server the page ends.
    let port = address.split([':', '/']).nth(4).unwrap();
    let started = Instant::now();
    while std::net::TcpStream::connect(format!("127.0.0.1:{port}")).is_ok() {
        assert!(started.elapsed() < Duration::from_secs(20), "the page is still there");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// A net whose size is not known is shown as the first claim has it.
#[test]
fn families_are_shown_by_an_instance_that_is_checked() {
    let mut editor = Editor::new("families");
    let text = "action go(Int), go;\n\nprocess P { init state s; s -> s : go; }\n\n\
                net Many<n: Int> { sub P[i: 0..n] = P; <P[i]: go> -> go(i) for i in 0..n; }\n\n";
    editor.open("a.pnet", text);
    let why = press(&mut editor, "a.pnet", "picture", 0).unwrap_err();
    assert_eq!(why, "the size of this family is not known");
    let text = format!("{text}check deadlock_free(Many<2>);\ncheck deadlock_free(Many<3>);\n");
    editor.change("a.pnet", 2, &text);
    let picture = press(&mut editor, "a.pnet", "picture", 0).unwrap();
    let picture = picture["text"].as_str().unwrap();
    assert!(picture.contains("P[1]") && !picture.contains("P[2]"), "{picture}");
    assert_eq!(editor.end(), 0);
}

#[test]
fn editors_that_can_do_little_are_told_in_messages() {
    let mut editor = Editor::greeting("little", json!({}), json!({}));
    editor.open("a.pnet", MODEL);
    editor.run("pnet.verify", json!([editor.uri("a.pnet"), 1])).unwrap();
    let play = editor.run("pnet.play", json!([editor.uri("a.pnet"), 1])).unwrap();
    let said = editor.wait(|one| one["method"] == "window/showMessage");
    assert_eq!(said["params"]["message"], play["text"]);
    let why = editor.run("pnet.play", json!([editor.uri("a.pnet"), 0])).unwrap_err();
    assert_eq!(why, "this check was not verified: verify it first");
    let asked = |one: &Value| one.get("id").is_some() && one.get("method").is_some();
    assert!(!editor.kept.iter().any(asked), "{:#?}", editor.kept);
    assert_eq!(editor.end(), 0);
}

/// Work in a queue is answered when it is taken back, and not when its turn would come.
#[test]
fn what_waits_is_answered_at_once_when_it_is_taken_back() {
    let mut editor = Editor::new("queue");
    editor.open("long.pnet", LONG);
    let params = json!({ "command": "pnet.verify", "arguments": [editor.uri("long.pnet")] });
    let first = editor.begin("workspace/executeCommand", params.clone());
    editor.wait(|one| one["params"]["value"]["kind"] == "begin");
    let second = editor.begin("workspace/executeCommand", params);
    editor.tell("$/cancelRequest", json!({ "id": second }));
    assert_eq!(editor.answer(second).unwrap_err(), "stopped");
    // The first one still works, and nobody has answered it.
    assert_eq!(titles(&mut editor, "long.pnet")[0], "being verified …");
    assert!(editor.kept.iter().all(|one| one["id"] != first), "{:#?}", editor.kept);
    editor.tell("$/cancelRequest", json!({ "id": first }));
    assert_eq!(editor.answer(first).unwrap_err(), "stopped");
    // Each is answered once.
    editor.kept.clear();
    assert_eq!(
        editor.run("pnet.nets", json!([editor.uri("long.pnet")])).unwrap()[0]["name"],
        "Many"
    );
    std::thread::sleep(Duration::from_millis(500));
    editor.ask("textDocument/codeLens", editor.about("long.pnet"));
    let again = |one: &Value| one["id"] == first || one["id"] == second;
    assert!(!editor.kept.iter().any(again), "{:#?}", editor.kept);
    assert_eq!(editor.end(), 0);
}

/// A text that is saved again as it was is not verified again, whatever was found; another text is.
#[test]
fn saving_the_same_text_again_verifies_nothing() {
    let settings = json!({ "verifyOnSave": true, "timeout": 0.5 });
    let mut editor = Editor::greeting("saved_again", able(), settings);
    let text = format!("{LONG}{MODEL}");
    editor.open("a.pnet", &text);
    let save = |editor: &mut Editor| {
        let uri = editor.uri("a.pnet");
        editor.tell("textDocument/didSave", json!({ "textDocument": { "uri": uri } }));
    };
    let is_over = |one: &Value| one["params"]["value"]["kind"] == "end";
    save(&mut editor);
    editor.wait(is_over);
    let found = editor.run("pnet.checks", json!([editor.uri("a.pnet")])).unwrap();
    assert_eq!(found[0]["status"], "unknown", "{found:#}");
    editor.kept.clear();
    save(&mut editor);
    editor.ask("textDocument/codeLens", editor.about("a.pnet"));
    std::thread::sleep(Duration::from_millis(300));
    editor.ask("textDocument/codeLens", editor.about("a.pnet"));
    let begins = |one: &Value| one["params"]["value"]["kind"] == "begin";
    assert!(!editor.kept.iter().any(begins), "{:#?}", editor.kept);
    editor.change("a.pnet", 2, &format!("{text}\n"));
    save(&mut editor);
    editor.wait(begins);
    assert_eq!(editor.end(), 0);
}

/// Pages end with the server that has opened them, also where it has no time to end them.
#[test]
#[cfg(unix)]
fn pages_end_with_a_server_that_gets_a_signal() {
    // Whoever runs the tests under `nohup` has SIGHUP ignored by all that they start.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    let signals = ["-TERM", "-HUP", "-KILL"];
    for signal in signals.into_iter().filter(|one| *one != "-HUP" || ignored & 1 == 0) {
        let mut editor = Editor::new("signal");
        editor.write("a.pnet", MODEL);
        editor.open("a.pnet", MODEL);
        let arguments = json!([editor.uri("a.pnet"), "Lights", { "quiet": true }]);
        let page = editor.run("pnet.explore", arguments).unwrap();
        let address = page["uri"].as_str().unwrap().to_owned();
        let host = address.trim_start_matches("http://").split('/').next().unwrap().to_owned();
        assert!(std::net::TcpStream::connect(&host).is_ok());
        let server = editor.child.id().to_string();
        assert!(
            std::process::Command::new("kill").args([signal, &server]).status().unwrap().success()
        );
        let started = Instant::now();
        while std::net::TcpStream::connect(&host).is_ok() {
            assert!(
                started.elapsed() < Duration::from_secs(20),
                "{signal}: the page is still there"
            );
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// An editor that does not read what it is told, and then goes.
#[test]
fn a_server_that_nobody_reads_ends() {
    use std::io::Write;
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_pnet"))
        .arg("lsp")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut send = |message: Value| {
        let text = message.to_string();
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
    };
    send(
        json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": { "capabilities": {} } }),
    );
    let document =
        json!({ "uri": "untitled:a", "version": 1, "text": "const x: Int = y;\n".repeat(2000) });
    send(
        json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": document } }),
    );
    for id in 1..30 {
        let params = json!({ "textDocument": { "uri": "untitled:a" } });
        send(
            json!({ "jsonrpc": "2.0", "id": id, "method": "textDocument/semanticTokens/full", "params": params }),
        );
    }
    std::thread::sleep(Duration::from_millis(500));
    drop(input);
    let started = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if started.elapsed() > Duration::from_secs(30) {
            let _ = child.kill();
            panic!("the server does not end");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}
