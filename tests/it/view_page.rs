//! `pnet view`: the guards by raw requests, answers as the page gets them, and that what it copies is a run.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

/// A server, which ends with the test.
struct Served {
    child: Child,
    port: u16,
    token: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Served {
    fn of(arguments: &[&str]) -> Served {
        let mut child = Command::new(env!("CARGO_BIN_EXE_pnet"))
            .arg("view")
            .args(arguments)
            .arg("--no-open")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let (_, address) = line.trim().split_once("http://127.0.0.1:").unwrap();
        let (port, token) = address.split_once("/#token=").unwrap();
        Served { child, port: port.parse().unwrap(), token: token.to_owned() }
    }

    /// The status and the whole answer.
    fn raw(&self, text: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        let status = answer.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
        (status, answer)
    }

    fn asked(&self, name: &str, headers: &str, body: &str) -> (u16, String) {
        let length = body.len();
        self.raw(&format!(
            "POST /api/{name} HTTP/1.1\r\n{headers}Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        ))
    }

    fn own(&self) -> String {
        format!("Host: 127.0.0.1:{}\r\nX-Pnet-Token: {}\r\n", self.port, self.token)
    }

    fn ask(&self, name: &str, body: &Value) -> Value {
        let (status, answer) = self.asked(name, &self.own(), &body.to_string());
        assert_eq!(status, 200, "{answer}");
        serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
    }
}

#[test]
fn who_may_ask() {
    let served = Served::of(&["examples/philosophers.pnet", "Stubborn<3>"]);
    let (port, token) = (served.port, &served.token);
    assert_eq!(token.len(), 32);
    let host = format!("Host: 127.0.0.1:{port}\r\n");
    let given = format!("X-Pnet-Token: {token}\r\n");
    let status = |headers: &str| served.asked("model", headers, "{}").0;
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
    for path in ["/../Cargo.toml", "/etc/passwd", "/%2e%2e/Cargo.toml", "/page/main.js", "//"] {
        assert_eq!(served.raw(&format!("GET {path} HTTP/1.1\r\n{host}\r\n")).0, 404, "{path}");
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let served = Served::of(&["examples/philosophers.pnet", "Stubborn<3>"]);
    let own = served.own();
    assert_eq!(served.raw("nonsense\r\n\r\n").0, 400);
    assert_eq!(served.raw(&format!("GET / HTTP/1.1\r\n{}: x\r\n\r\n", "a".repeat(20_000))).0, 431);
    let post = |more: &str| served.raw(&format!("POST /api/model HTTP/1.1\r\n{own}{more}\r\n")).0;
    assert_eq!(post("Content-Length: 99999999\r\n"), 413);
    assert_eq!(post("Content-Length: -1\r\n"), 400);
    assert_eq!(post("Content-Length: 1\r\nContent-Length: 2\r\n"), 400);
    assert_eq!(post("Transfer-Encoding: chunked\r\n"), 400);
    assert_eq!(served.asked("model", &own, "{").0, 400);
    assert_eq!(served.asked("nothing", &own, "{}").0, 422);
    for walk in [json!({ "choices": [99] }), json!({ "choices": ["x"] }), json!({ "also": ["x"] })]
    {
        let (status, answer) = served.asked("at", &own, &json!({ "walk": walk }).to_string());
        assert_eq!(status, 422, "{answer}");
    }
    let long = json!({ "walk": { "choices": vec![1; 6_000] } });
    assert_eq!(served.asked("at", &own, &long.to_string()).0, 422);
}

#[test]
fn a_walk_is_answered_and_what_is_copied_is_a_run() {
    let served = Served::of(&["examples/philosophers.pnet", "Stubborn<3>"]);
    let model = served.ask("model", &json!({}));
    assert!(model["picture"].as_str().unwrap().contains("data-state="));
    assert!(!model["picture"].as_str().unwrap().contains("<style"));
    let walk = served.ask("random", &json!({ "count": 5, "seed": 3 }));
    assert!(!walk["choices"].as_array().unwrap().is_empty());
    let there = served.ask("at", &json!({ "walk": walk }));
    assert_eq!(there["walk"], walk);
    served.ask("not", &json!({ "walk": walk }));
    let text = served.ask("text", &json!({ "walk": walk }));
    // The text leads back to the same walk, and `pnet replay` takes it.
    let again = served.ask("load", &json!({ "text": text["text"] }));
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
        let drawn = served.ask(question, &json!({ "walk": walk }));
        assert!(drawn["picture"].as_str().unwrap().starts_with("<svg"));
    }
}
