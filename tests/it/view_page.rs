//! `pnet view`: the guards by raw requests, answers as the page gets them, and that what it copies is a run.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::common::served::Served;

#[test]
fn who_may_ask() {
    let served = Served::of(&["examples/philosophers.pnet", "Stubborn<3>"]);
    let (port, token) = (served.port, &served.token);
    assert_eq!(token.len(), 32);
    let host = format!("Host: 127.0.0.1:{port}\r\n");
    let given = format!("X-Pnet-Token: {token}\r\n");
    let status = |headers: &str| served.asked("open", headers, "{}").0;
    assert_eq!(status(&format!("{host}{given}")), 200);
    assert_eq!(status(&format!("{host}{given}Origin: http://127.0.0.1:{port}\r\n")), 200);
    // No token, a wrong one, two of them.
    assert_eq!(status(&host), 403);
    assert_eq!(status(&format!("{host}X-Pnet-Token: {}\r\n", "0".repeat(32))), 403);
    assert_eq!(status(&format!("{host}{given}{given}")), 403);
    // Another host (a name that was made lead here), none, two.
    assert_eq!(status(&format!("Host: evil.example:{port}\r\n{given}")), 403);
    assert_eq!(status(&given), 403);
    assert_eq!(status(&format!("{host}{host}{given}")), 403);
    // Other pages.
    assert_eq!(status(&format!("{host}{given}Origin: http://evil.example\r\n")), 403);
    assert_eq!(status(&format!("{host}{given}Origin: null\r\n")), 403);
    assert_eq!(status(&format!("{host}{given}Sec-Fetch-Site: cross-site\r\n")), 403);
    // Files are guarded by their host, and nothing else is a file.
    assert_eq!(served.raw("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n").0, 403);
    let (status, page) = served.raw(&format!("GET / HTTP/1.1\r\n{host}\r\n"));
    assert_eq!(status, 200);
    for header in ["default-src 'none'", "frame-ancestors 'none'", "nosniff", "no-referrer"] {
        assert!(page.contains(header), "{header}");
    }
    assert!(!page.contains("Access-Control-Allow") && !page.contains("unsafe-inline"));
    for path in [
        "/../Cargo.toml",
        "/etc/passwd",
        "/%2e%2e/Cargo.toml",
        "/page/main.js",
        "//",
        "/main.js/",
        "/examples/philosophers.pnet",
        "/main.js%00",
    ] {
        assert_eq!(served.raw(&format!("GET {path} HTTP/1.1\r\n{host}\r\n")).0, 404, "{path}");
    }
    // Methods: files by GET, questions by POST as JSON; nobody is told what others may ask.
    for method in ["HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "POST"] {
        let (status, answer) = served.raw(&format!("{method} / HTTP/1.1\r\n{host}\r\n"));
        assert_eq!(status, 405, "{method}");
        assert!(!answer.contains("Access-Control"), "{answer}");
    }
    let get = served.raw(&format!("GET /api/fresh HTTP/1.1\r\n{host}{given}\r\n"));
    assert_eq!(get.0, 405);
    let plain = "Content-Type: text/plain\r\nContent-Length: 2\r\n";
    let form = served.raw(&format!("POST /api/fresh HTTP/1.1\r\n{host}{given}{plain}\r\n{{}}"));
    assert_eq!(form.0, 405);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let served = Served::of(&["examples/philosophers.pnet", "Stubborn<3>"]);
    let own = served.own();
    assert_eq!(served.raw("nonsense\r\n\r\n").0, 400);
    assert_eq!(served.raw(&format!("GET / HTTP/1.1\r\n{}: x\r\n\r\n", "a".repeat(20_000))).0, 431);
    let post = |more: &str| served.raw(&format!("POST /api/open HTTP/1.1\r\n{own}{more}\r\n")).0;
    assert_eq!(post("Content-Length: 99999999\r\n"), 413);
    assert_eq!(post("Content-Length: -1\r\n"), 400);
    assert_eq!(post("Content-Length: 1\r\nContent-Length: 2\r\n"), 400);
    assert_eq!(post("Transfer-Encoding: chunked\r\n"), 400);
    assert_eq!(served.asked("open", &own, "{").0, 400);
    let refused = |name: &str, body: &Value| {
        let told = served.told(name, body);
        assert!(told["refused"]["problem"].is_string(), "{name} {body}: {told}");
        told["refused"].clone()
    };
    refused("nothing", &json!({}));
    refused("at", &json!({}));
    assert_eq!(refused("at", &json!({ "id": 99 }))["gone"], json!(true));
    let id = served.open(&json!({}))["id"].clone();
    for walk in [
        json!({ "choices": [99] }),
        json!({ "choices": ["x"] }),
        json!({ "choices": [-1] }),
        json!({ "choices": [0] }),
        json!({ "also": ["x"] }),
        json!({ "also": ["9".repeat(1_000)] }),
        json!({ "choices": vec![1; 6_000] }),
        json!(7),
    ] {
        refused("at", &json!({ "id": id, "walk": walk }));
    }
    refused("load", &json!({ "id": id, "text": "nonsense" }));
    refused("why", &json!({ "id": id, "action": "nobody" }));
    refused("hole", &json!({ "id": id, "hole": "H", "action": "take" }));
    refused("job", &json!({ "job": 7_000 }));
    for net in ["Nowhere", "Stubborn<", "Stubborn<0 - 1>", "../philosophers", &"x".repeat(5_000)] {
        let told = served.worked("open", &json!({ "net": net }));
        assert!(told["refused"]["problem"].is_string(), "{net}: {told}");
    }
    for domains in [json!(["x"]), json!(["Int=3"]), json!(["Nobody=2"]), json!(["Int=9..3"])] {
        let told = served.worked("open", &json!({ "domains": domains }));
        assert!(told["refused"]["problem"].is_string(), "{domains}: {told}");
    }
    // The same net is opened once.
    assert_eq!(served.open(&json!({}))["id"], id);
}

/// Who says nothing, or not all of it, keeps nobody else waiting for long; too many are told so.
#[test]
fn slow_requests_end() {
    let served = Served::of(&["examples/philosophers.pnet", "Stubborn<3>"]);
    let started = Instant::now();
    let slow: Vec<TcpStream> = (0..80)
        .map(|number| {
            let mut stream = TcpStream::connect(("127.0.0.1", served.port)).unwrap();
            let _ = stream.write_all(&b"GET / HTTP/1.1\r\n"[..number % 16]);
            stream
        })
        .collect();
    let page = format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", served.port);
    let mut busy = 0;
    loop {
        match served.raw(&page).0 {
            200 => break,
            503 | 0 => busy += 1,
            other => panic!("{other}"),
        }
        assert!(started.elapsed() < Duration::from_secs(30));
        std::thread::sleep(Duration::from_millis(200));
    }
    assert!(busy > 0);
    for mut stream in slow {
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
    }
}

/// The process has ended within some seconds.
fn ends(id: u32) -> bool {
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(20) {
        let state = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        // Who has ended and is not yet waited for is a zombie.
        if state.is_empty() || state.contains(") Z ") {
            return true;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    false
}

#[test]
fn it_ends_when_it_is_asked_to() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        let served = Served::of(&["examples/philosophers.pnet", "Stubborn<3>"]);
        // Also while it works.
        let id = served.open(&json!({}))["id"].clone();
        served.ask("check", &json!({ "id": id, "place": 0 }));
        let process = served.child.id();
        Command::new("kill").args([signal, &process.to_string()]).status().unwrap();
        assert!(ends(process), "{signal}");
    }
}

/// The server ends with its terminal, also where it does not get to hear of it by a signal.
#[test]
fn it_ends_with_its_terminal() {
    if Command::new("script").arg("--version").output().is_err() {
        eprintln!("skipped: `script` is missing, which makes terminals");
        return;
    }
    let mut command = Command::new("script");
    let pnet = env!("CARGO_BIN_EXE_pnet");
    let view =
        format!("trap '' HUP; {pnet} view examples/philosophers.pnet 'Stubborn<3>' --no-open");
    command.args(["-q", "-c", &view, "/dev/null"]);
    let mut served = Served::by(command);
    assert_eq!(
        served.raw(&format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", served.port)).0,
        200
    );
    served.child.kill().unwrap();
    served.child.wait().unwrap();
    let started = Instant::now();
    while TcpStream::connect(("127.0.0.1", served.port)).is_ok() {
        assert!(started.elapsed() < Duration::from_secs(20), "it is still there");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// `--timeout` bounds what the page has worked on, and opening at the start.
#[test]
fn work_ends_in_time() {
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("view_late.pnet");
    let model = "action tick;\nprocess Clock {\n    var n: Int = 0;\n    init state s;\n    \
                 s -> s : tick when n < 1000000000 do n := n + 1;\n}\ncheck deadlock_free(Clock);\n";
    std::fs::write(&path, model).unwrap();
    let served = Served::of(&[path.to_str().unwrap(), "--timeout", "1.5"]);
    let id = served.open(&json!({}))["id"].clone();
    let told = served.worked("check", &json!({ "id": id, "place": 0 }));
    assert_eq!(told["result"]["verdict"], "unknown", "{told}");
    let told = served.worked("goal", &json!({ "id": id, "property": "n == 999999999" }));
    assert!(told["refused"]["problem"].as_str().unwrap().contains("no way was found"), "{told}");
    // What is stopped by hand is unknown, too.
    let job = served.ask("check", &json!({ "id": id, "place": 0 }))["job"].clone();
    served.ask("stop", &json!({ "job": job }));
    let started = Instant::now();
    while served.ask("job", &json!({ "job": job }))["done"] != json!(true) {
        assert!(started.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The way to a goal is not told of another text than the one that is walked through.
#[test]
fn goals_of_changed_files_are_refused() {
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("view_changed.pnet");
    let model = |first: &str, second: &str| {
        format!(
            "action a, b;\nprocess Q {{\n    init state s;\n    state t, w;\n    \
             s -> t : {first};\n    s -> w : {second};\n}}\n"
        )
    };
    std::fs::write(&path, model("a", "b")).unwrap();
    let served = Served::of(&[path.to_str().unwrap()]);
    let id = served.open(&json!({}))["id"].clone();
    let goal = json!({ "id": id, "property": "Q in w" });
    assert!(served.worked("goal", &goal)["refused"].is_null());
    std::fs::write(&path, model("b", "a").replace("state t, w", "state w, t")).unwrap();
    let told = served.worked("goal", &goal);
    assert!(told["refused"]["problem"].as_str().unwrap().contains("have changed"), "{told}");
}

/// A net with thousands of transitions and of steps: answers are bounded.
#[test]
fn large_nets_get_bounded_answers() {
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("view_large.pnet");
    let mut model = "action go(Int);\nprocess Many {\n    init state s0;\n".to_owned();
    let states: Vec<String> = (1..60).map(|number| format!("s{number}")).collect();
    model.push_str(&format!("    state {};\n", states.join(", ")));
    for number in 0..3_000 {
        let (from, to) = (number % 60, (number * 7 + 1) % 60);
        model.push_str(&format!("    s{from} -> s{to} : go({number});\n"));
    }
    for number in 3_000..5_000 {
        model.push_str(&format!("    s0 -> s1 : go({number});\n"));
    }
    model.push_str("}\nnet Pair {\n    sub A = Many;\n    sub B = Many;\n    <A: go(x)> -> go(x);\n    <B: go(x)> -> go(x);\n}\n");
    std::fs::write(&path, model).unwrap();
    let served = Served::of(&[path.to_str().unwrap()]);
    let started = Instant::now();
    let opened = served.open(&json!({}));
    let id = opened["id"].clone();
    assert!(opened["drawn"].to_string().len() < 500_000, "{}", opened["drawn"].to_string().len());
    let at = served.ask("at", &json!({ "id": id }));
    assert!(at["count"].as_u64() > Some(4_000));
    assert_eq!(at["steps"].as_array().unwrap().len(), 300);
    for question in ["not", "around", "chart"] {
        let told = served.ask(question, &json!({ "id": id })).to_string();
        assert!(told.len() < 3_000_000, "{question}: {}", told.len());
    }
    assert!(started.elapsed() < Duration::from_secs(60));
}

#[test]
fn a_walk_is_answered_and_what_is_copied_is_a_run() {
    let served = Served::of(&["examples/philosophers.pnet", "Stubborn<3>"]);
    let model = served.open(&json!({}));
    let (id, picture) = (&model["id"], model["drawn"]["picture"].as_str().unwrap());
    assert!(picture.contains("data-state=") && !picture.contains("<style"));
    let walk = served.ask("random", &json!({ "id": id, "count": 5, "seed": 3 }));
    assert!(!walk["choices"].as_array().unwrap().is_empty());
    let there = served.ask("at", &json!({ "id": id, "walk": walk }));
    assert_eq!(there["walk"], walk);
    // Each step says who moves, with the place in the source.
    let step = &there["last"];
    assert!(
        step["moves"].as_array().unwrap().iter().all(|one| one["at"]["line"].is_u64()),
        "{step}"
    );
    let labels = served.ask("labels", &json!({ "id": id, "walk": walk }));
    assert_eq!(
        labels["labels"].as_array().unwrap().len(),
        walk["choices"].as_array().unwrap().len()
    );
    served.ask("not", &json!({ "id": id, "walk": walk }));
    let text = served.ask("text", &json!({ "id": id, "walk": walk }));
    // The text leads back to the same walk, and `pnet replay` takes it.
    let again = served.ask("load", &json!({ "id": id, "text": text["text"] }));
    assert_eq!(again, walk);
    let file = std::env::temp_dir().join(format!("pnet-view-{}.json", std::process::id()));
    std::fs::write(&file, text["text"].as_str().unwrap()).unwrap();
    let replayed = Command::new(env!("CARGO_BIN_EXE_pnet"))
        .arg("replay")
        .arg(&file)
        .arg("examples/philosophers.pnet")
        .output()
        .unwrap();
    let _ = std::fs::remove_file(&file);
    assert!(replayed.status.success(), "{}", String::from_utf8_lossy(&replayed.stderr));
    for question in ["around", "chart"] {
        let drawn = served.ask(question, &json!({ "id": id, "walk": walk }));
        assert!(drawn["picture"].as_str().unwrap().starts_with("<svg"));
    }
    // Another net, and back: what is looked at has a number of its own.
    let other = served.open(&json!({ "net": "Ordered<3>" }));
    assert_ne!(other["id"], *id);
    assert_eq!(served.ask("at", &json!({ "id": id, "walk": walk }))["state"], there["state"]);
}

/// A formula that is refuted by a run that goes round for ever is walked through, and told to go round.
#[test]
fn a_run_that_goes_round_is_walked_through() {
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("view_lasso.pnet");
    let model = "action go, back, out;\nprocess P {\n    init state s;\n    state t, u;\n    s -> t : go;\n    t -> s : back;\n    \
                 t -> u : out;\n    u -> t : back;\n}\ncheck holds(P, A[F P in u]);\n";
    std::fs::write(&path, model).unwrap();
    let served = Served::of(&[path.to_str().unwrap()]);
    let id = served.open(&json!({}))["id"].clone();
    let told = served.worked("check", &json!({ "id": id, "place": 0 }));
    assert_eq!(told["result"]["verdict"], "refuted", "{told}");
    let walk = served.ask("load", &json!({ "id": id, "text": told["result"]["run"]["text"] }));
    let there = served.ask("at", &json!({ "id": id, "walk": walk }));
    let again = "after 2 steps, it is where it was at the beginning, and can go round for ever";
    assert_eq!(there["again"], again, "{there}");
    // Between which states it went, for the picture of the automaton.
    let went = json!([{ "from": "s", "to": "t", "round": true }, { "from": "t", "to": "s", "round": true }]);
    assert_eq!(there["went"], went, "{there}");
    let drawn = served.ask("chart", &json!({ "id": id, "walk": walk }));
    assert!(drawn["lanes"].as_str().unwrap().contains("round for ever"), "{drawn}");
    assert!(drawn["picture"].as_str().unwrap().contains("round for ever"), "{drawn}");
    // Half of the way, it is nowhere where it was.
    let one = json!({ "choices": [walk["choices"][0]], "also": walk["also"] });
    let there = served.ask("at", &json!({ "id": id, "walk": one }));
    assert_eq!(there["again"], Value::Null);
    assert_eq!(there["went"], json!([{ "from": "s", "to": "t", "round": false }]));
}

/// A net whose size is not known is shown as the first check has it; one that is asked for, as it is asked for.
#[test]
fn families_are_shown_by_an_instance_that_is_checked() {
    let served = Served::of(&["examples/philosophers.pnet"]);
    let name = |body: &Value| served.open(body)["name"].clone();
    assert_eq!(name(&json!({})), "Ordered<5>");
    assert_eq!(name(&json!({ "net": "Stubborn" })), "Stubborn<3>");
    assert_eq!(name(&json!({ "net": "Stubborn<4>" })), "Stubborn<4>");
    assert_eq!(name(&json!({ "net": "Fork" })), "Fork");
    // It is no instance of a net that is whole by itself.
    let served = Served::of(&["examples/two_monitors.pnet"]);
    assert_eq!(served.open(&json!({}))["name"], "TwoStrict");
}

/// Where there is no open automaton, it is said why.
#[test]
fn an_automaton_that_cannot_be_has_a_reason() {
    let served = Served::of(&["examples/sensor_field.pnet"]);
    let id = served.open(&json!({}))["id"].clone();
    let told = served.worked("automaton", &json!({ "id": id }));
    let problem = told["refused"]["problem"].as_str().unwrap();
    assert_eq!(problem, "it has no open automaton: this connector has more than 4096 interactions");
}
