//! A browser that is driven through WebDriver: plain HTTP and JSON to chromedriver.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long to wait for something to be so: others work, too.
const PATIENCE: Duration = Duration::from_secs(120);

/// A browser with one page, which ends with the test.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
    profile: PathBuf,
}

/// By what element references are known in WebDriver.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

impl Browser {
    /// Starts one; nothing where there is none, which is said aloud, and is an error where `CI` is set.
    pub fn start(name: &str) -> Option<Browser> {
        let is_there = |program: &str| Command::new(program).arg("--version").output().is_ok();
        if !is_there("chromedriver") || !is_there("chromium") {
            let missing = "chromium and chromium-driver are missing: the page is not tested";
            assert!(std::env::var_os("CI").is_none(), "{missing}");
            eprintln!("skipped: {missing}");
            return None;
        }
        let (driver, port) = driver();
        let folder = format!("browser_{name}_{}", std::process::id());
        let profile = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(folder);
        let mut browser = Browser { driver, port, session: String::new(), profile };
        let user = format!("--user-data-dir={}", browser.profile.display());
        let options = json!({ "args": [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-dev-shm-usage",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
            "--window-size=1280,800", user,
        ]});
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "goog:chromeOptions": options, "goog:loggingPrefs": { "browser": "ALL" },
        }}});
        let made = browser.call("POST", "/session", &wanted);
        browser.session = made["sessionId"].as_str().expect("no session").to_owned();
        browser.size(1280, 800, false);
        Some(browser)
    }

    /// One request to the driver; what it answers.
    fn send(&self, method: &str, path: &str, body: &str) -> std::io::Result<Value> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let (port, length) = (self.port, body.len());
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\n\r\n{body}",
        )?;
        // The driver keeps the connection: its answer has a length.
        let mut stream = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            stream.read_line(&mut line)?;
            let (name, value) = line.split_once(':').unwrap_or_default();
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse().unwrap_or(0);
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let mut json = vec![0; length];
        stream.read_exact(&mut json)?;
        let answer: Value = serde_json::from_slice(&json)?;
        Ok(answer["value"].clone())
    }

    fn call(&self, method: &str, path: &str, body: &Value) -> Value {
        let body = if method == "POST" { body.to_string() } else { String::new() };
        let value = self.send(method, path, &body).unwrap();
        assert!(value["error"].is_null(), "{path} {body}: {} {}", value["error"], value["message"]);
        value
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        self.call("POST", &format!("/session/{}{path}", self.session), body)
    }

    /// How large the screen is, and whether it is that of a phone.
    pub fn size(&self, width: u32, height: u32, phone: bool) {
        let screen =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone });
        let command = "Emulation.setDeviceMetricsOverride";
        self.post("/goog/cdp/execute", &json!({ "cmd": command, "params": screen }));
    }

    /// By day or by night.
    pub fn dark(&self, dark: bool) {
        let scheme =
            json!({ "name": "prefers-color-scheme", "value": if dark { "dark" } else { "light" } });
        let command = "Emulation.setEmulatedMedia";
        self.post(
            "/goog/cdp/execute",
            &json!({ "cmd": command, "params": { "features": [scheme] } }),
        );
    }

    /// Goes to a page of ours, and waits until it is ready.
    pub fn go(&self, address: &str) {
        // The same page with another fragment would not be loaded.
        self.post("/url", &json!({ "url": "about:blank" }));
        self.post("/url", &json!({ "url": address }));
        self.until("document.body?.dataset.ready");
    }

    /// Goes away, so that nothing is asked any more of a server that ends.
    pub fn leave(&self) {
        self.post("/url", &json!({ "url": "about:blank" }));
    }

    pub fn reload(&self) {
        self.post("/refresh", &json!({}));
        self.until("document.body?.dataset.ready");
    }

    /// Another page beside this one; its handle, and that of this one.
    pub fn another(&self) -> (String, String) {
        let here = self.call("GET", &format!("/session/{}/window", self.session), &json!({}));
        let new = self.post("/window/new", &json!({ "type": "tab" }));
        let new = new["handle"].as_str().unwrap().to_owned();
        (new, here.as_str().unwrap().to_owned())
    }

    pub fn switch(&self, handle: &str) {
        self.post("/window", &json!({ "handle": handle }));
    }

    /// What a script gives back.
    pub fn run(&self, script: &str) -> Value {
        self.post("/execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// The value of an expression, as text.
    pub fn text(&self, expression: &str) -> String {
        let found = self.run(&format!("return String({expression})"));
        found.as_str().unwrap().to_owned()
    }

    /// Waits until an expression is true.
    pub fn until(&self, expression: &str) {
        let started = Instant::now();
        while self.run(&format!("return Boolean({expression})")) != json!(true) {
            if started.elapsed() > PATIENCE {
                let notice = self.text("document.getElementById('notice')?.textContent");
                panic!("never: {expression}; the page says `{notice}`; {:#?}", self.complaints());
            }
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    fn element(&self, selector: &str) -> String {
        let found = self.post("/element", &json!({ "using": "css selector", "value": selector }));
        found[ELEMENT].as_str().unwrap().to_owned()
    }

    /// Clicks, as somebody does who sees the page.
    pub fn click(&self, selector: &str) {
        self.post(&format!("/element/{}/click", self.element(selector)), &json!({}));
    }

    /// Writes into a field, in place of what is there.
    pub fn write(&self, selector: &str, text: &str) {
        let element = self.element(selector);
        self.post(&format!("/element/{element}/clear"), &json!({}));
        self.post(&format!("/element/{element}/value"), &json!({ "text": text }));
    }

    /// Presses keys where the focus is: `\u{e014}` is the arrow to the right, `\u{e007}` is Enter.
    pub fn press(&self, keys: &str) {
        let each = keys.chars().flat_map(|key| {
            [json!({ "type": "keyDown", "value": key }), json!({ "type": "keyUp", "value": key })]
        });
        let actions: Vec<Value> = each.collect();
        self.post(
            "/actions",
            &json!({ "actions": [{ "type": "key", "id": "keys", "actions": actions }] }),
        );
    }

    /// What the console says since it was asked last: violations of the policy, errors and warnings.
    pub fn complaints(&self) -> Vec<String> {
        let all = self.post("/se/log", &json!({ "type": "browser" }));
        let all = all.as_array().unwrap().iter();
        let said = all.filter(|one| one["level"] != "DEBUG" && one["level"] != "INFO");
        said.map(|one| one["message"].as_str().unwrap().to_owned()).collect()
    }
}

/// Starts chromedriver on a free port.
fn driver() -> (Child, u16) {
    let mut driver = Command::new("chromedriver")
        .arg("--port=0")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(driver.stdout.take().unwrap()).lines().map_while(Result::ok);
    let mut ports = lines.filter_map(|line| {
        let (_, port) = line.split_once("successfully on port ")?;
        port.trim_end_matches('.').parse().ok()
    });
    let Some(port) = ports.next() else {
        let _ = driver.kill();
        let _ = driver.wait();
        panic!("chromedriver did not start");
    };
    (driver, port)
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The browser ends with its session, and not with its driver.
        if !self.session.is_empty() {
            let _ = self.send("DELETE", &format!("/session/{}", self.session), "");
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}
