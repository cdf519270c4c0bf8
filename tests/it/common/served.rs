//! A server of `pnet view` that ends with the test.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

/// A server, which ends with the test.
pub struct Served {
    pub child: Child,
    pub port: u16,
    pub token: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Served {
    pub fn of(arguments: &[&str]) -> Served {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pnet"));
        command.arg("view").args(arguments).arg("--no-open");
        Served::by(command)
    }

    /// By a command that writes the address to its standard output.
    pub fn by(mut command: Command) -> Served {
        let quiet = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = quiet.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let (_, address) = line.trim().split_once("http://127.0.0.1:").expect(&line);
        let (port, token) = address.split_once("/#token=").unwrap();
        Served { child, port: port.parse().unwrap(), token: token.to_owned() }
    }

    /// Where the page is.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/#token={}", self.port, self.token)
    }

    /// The status and the whole answer.
    pub fn raw(&self, text: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        // Who is refused early may not hear the rest.
        let _ = stream.write_all(text.as_bytes());
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        let status = answer.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
        (status, answer)
    }

    pub fn asked(&self, name: &str, headers: &str, body: &str) -> (u16, String) {
        let length = body.len();
        self.raw(&format!(
            "POST /api/{name} HTTP/1.1\r\n{headers}Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        ))
    }

    pub fn own(&self) -> String {
        format!("Host: 127.0.0.1:{}\r\nX-Pnet-Token: {}\r\n", self.port, self.token)
    }

    /// What is answered, also where it is a refusal.
    pub fn told(&self, name: &str, body: &Value) -> Value {
        let (status, answer) = self.asked(name, &self.own(), &body.to_string());
        assert_eq!(status, 200, "{answer}");
        serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
    }

    pub fn ask(&self, name: &str, body: &Value) -> Value {
        let told = self.told(name, body);
        assert!(told["refused"].is_null(), "{name} {body}: {told}");
        told
    }

    /// What comes of work, also where it is a refusal.
    pub fn worked(&self, name: &str, body: &Value) -> Value {
        let job = self.ask(name, body)["job"].clone();
        loop {
            let told = self.told("job", &json!({ "job": job }));
            if told["done"] == json!(true) {
                return told;
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }

    /// Opens a net; its number.
    pub fn open(&self, body: &Value) -> Value {
        let told = self.worked("open", body);
        assert!(told["refused"].is_null(), "{body}: {told}");
        told["result"].clone()
    }
}
