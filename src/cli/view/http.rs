//! As much of HTTP/1.1 as a page on the same machine needs: one request for each connection, bounded in size and time, and
//! guarded. Who asks for the files of the page needs no secret, since they tell nothing; all else needs the token.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::refusal::Refusal;
use crate::view::page_file;

/// The lines of a request are at most so long in all.
const LONGEST_HEAD: usize = 16 << 10;
/// What is sent with a request is at most so long.
const LONGEST_BODY: usize = 4 << 20;
/// A request arrives within this time.
const PATIENCE: Duration = Duration::from_secs(4);
/// An answer leaves within this time.
const LEAVING: Duration = Duration::from_secs(10);

/// What the browser may do with what is served: nothing but what comes from here, and nothing inline.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Who may ask.
pub(super) struct Guard {
    port: u16,
    token: String,
}

/// Who answers questions, by their names.
pub(super) type Answers<'a> = dyn Fn(&str, &Value) -> Result<Value, Refusal> + 'a;

/// A request.
#[derive(Debug)]
struct Request {
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

/// An answer.
struct Answer {
    status: (u16, &'static str),
    kind: &'static str,
    text: String,
}

impl Answer {
    fn refusal(status: (u16, &'static str), why: &str) -> Answer {
        let text = json!({ "problem": why }).to_string();
        Answer { status, kind: "application/json", text }
    }
}

const BAD: (u16, &str) = (400, "Bad Request");
const FORBIDDEN: (u16, &str) = (403, "Forbidden");
const MISSING: (u16, &str) = (404, "Not Found");
const METHOD: (u16, &str) = (405, "Method Not Allowed");
const LARGE: (u16, &str) = (413, "Content Too Large");

impl Guard {
    /// With a token that nobody can guess.
    pub fn new(port: u16) -> std::io::Result<Guard> {
        let mut bytes = [0_u8; 16];
        std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
        let token = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Guard { port, token })
    }

    /// Where the page is, with the token where no server and no log sees it.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/#token={}", self.port, self.token)
    }

    /// Why a request is not answered; nothing where it is.
    fn refuses(&self, request: &Request) -> Option<&'static str> {
        let hosts = [format!("127.0.0.1:{}", self.port), format!("localhost:{}", self.port)];
        // A name that somebody else made lead here is not ours.
        if !request.only("host").is_some_and(|host| hosts.iter().any(|own| own == host)) {
            return Some("this is not the host that was asked for");
        }
        let mut origins = request.all("origin");
        if !origins.all(|found| hosts.iter().any(|own| *found == format!("http://{own}"))) {
            return Some("other pages may not ask");
        }
        if !request.all("sec-fetch-site").all(|from| matches!(from, "same-origin" | "none")) {
            return Some("other pages may not ask");
        }
        if !request.path.starts_with("/api/") {
            return None;
        }
        let token = request.only("x-pnet-token").unwrap_or_default();
        (!same(token, &self.token))
            .then_some("the token is missing or wrong; use the address that `pnet view` printed")
    }
}

/// Whether two texts are the same, in a time that does not tell where they differ.
fn same(one: &str, other: &str) -> bool {
    let differ = one.bytes().zip(other.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
    one.len() == other.len() && differ == 0
}

impl Request {
    fn all(&self, name: &'static str) -> impl Iterator<Item = &str> {
        let found = self.headers.iter().filter(move |(own, _)| own == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The value of a header that stands there once.
    fn only(&self, name: &'static str) -> Option<&str> {
        let mut all = self.all(name);
        let first = all.next()?;
        all.next().is_none().then_some(first)
    }
}

/// Hears one request and answers it.
pub(super) fn converse(
    mut stream: TcpStream,
    guard: &Guard,
    answer: &Answers<'_>,
) -> std::io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_write_timeout(Some(LEAVING))?;
    let answer = match heard(&mut stream)? {
        Ok(request) => answered(&request, guard, answer),
        Err(refusal) => refusal,
    };
    send(&mut stream, answer)
}

/// Refuses whoever comes when too many are there.
pub(super) fn refuse(mut stream: TcpStream) -> std::io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_write_timeout(Some(Duration::from_millis(200)))?;
    let busy = (503, "Service Unavailable");
    send(&mut stream, Answer::refusal(busy, "too many ask at the same time; try again"))
}

fn send(stream: &mut TcpStream, answer: Answer) -> std::io::Result<()> {
    let Answer { status: (number, words), kind, text } = answer;
    let head = format!(
        "HTTP/1.1 {number} {words}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\
         Cache-Control: no-store\r\nContent-Security-Policy: {POLICY}\r\nX-Content-Type-Options: nosniff\r\n\
         X-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n\
         Cross-Origin-Opener-Policy: same-origin\r\n\r\n",
        text.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(text.as_bytes())?;
    stream.flush()?;
    stream.shutdown(std::net::Shutdown::Write)
}

fn answered(request: &Request, guard: &Guard, answer: &Answers<'_>) -> Answer {
    if let Some(why) = guard.refuses(request) {
        return Answer::refusal(FORBIDDEN, why);
    }
    let Some(name) = request.path.strip_prefix("/api/") else {
        return match (request.method.as_str(), page_file(&request.path)) {
            ("GET", Some(file)) => Answer { status: (200, "OK"), kind: file.kind, text: file.text },
            ("GET", None) => Answer::refusal(MISSING, "there is no such file"),
            _ => Answer::refusal(METHOD, "files are asked for by GET"),
        };
    };
    let kind = request.only("content-type").unwrap_or_default();
    if request.method != "POST" || !kind.starts_with("application/json") {
        return Answer::refusal(METHOD, "questions are asked by POST, as JSON");
    }
    let Ok(body) = serde_json::from_slice::<Value>(&request.body) else {
        return Answer::refusal(BAD, "the question is no JSON");
    };
    // A question that makes no sense was heard all the same: browsers tell of other statuses as of faults of the page.
    let value = match answer(name, &body) {
        Ok(value) => value,
        Err(refusal) => json!({ "refused": refusal.told() }),
    };
    Answer { status: (200, "OK"), kind: "application/json", text: value.to_string() }
}

/// Reads a request; what is wrong with it, where something is.
fn heard(stream: &mut TcpStream) -> std::io::Result<Result<Request, Answer>> {
    let until = Instant::now() + PATIENCE;
    let mut bytes = Vec::new();
    let end = loop {
        let found = bytes.windows(4).position(|four| four == b"\r\n\r\n");
        if found.unwrap_or(bytes.len()) > LONGEST_HEAD {
            let status = (431, "Request Header Fields Too Large");
            return Ok(Err(Answer::refusal(status, "the request is too long")));
        }
        if let Some(end) = found {
            break end;
        }
        more(stream, &mut bytes, until)?;
    };
    let mut request = match parsed(&bytes[..end]) {
        Some(request) => request,
        None => return Ok(Err(Answer::refusal(BAD, "this is no request of HTTP/1.1"))),
    };
    if request.all("transfer-encoding").next().is_some() {
        return Ok(Err(Answer::refusal(BAD, "say how long the question is")));
    }
    let length = match (request.all("content-length").count(), request.only("content-length")) {
        (0, _) => Some(0),
        (_, Some(text)) if text.bytes().all(|byte| byte.is_ascii_digit()) => text.parse().ok(),
        _ => None,
    };
    let Some(length): Option<usize> = length else {
        return Ok(Err(Answer::refusal(BAD, "the length makes no sense")));
    };
    if length > LONGEST_BODY {
        return Ok(Err(Answer::refusal(LARGE, "the question is too long")));
    }
    let start = end + 4;
    while bytes.len() < start + length {
        more(stream, &mut bytes, until)?;
    }
    request.body = bytes[start..start + length].to_vec();
    Ok(Ok(request))
}

/// Reads what comes next, within the time that is left.
fn more(stream: &mut TcpStream, bytes: &mut Vec<u8>, until: Instant) -> std::io::Result<()> {
    let left = until.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(std::io::ErrorKind::TimedOut.into());
    }
    stream.set_read_timeout(Some(left))?;
    let mut piece = [0; 4096];
    match stream.read(&mut piece)? {
        0 => Err(std::io::ErrorKind::UnexpectedEof.into()),
        count => {
            bytes.extend_from_slice(&piece[..count]);
            Ok(())
        }
    }
}

/// The lines of a request.
fn parsed(head: &[u8]) -> Option<Request> {
    let text = std::str::from_utf8(head).ok()?;
    let mut lines = text.split("\r\n");
    let mut words = lines.next()?.split(' ');
    let (method, path, version) = (words.next()?, words.next()?, words.next()?);
    if words.next().is_some()
        || !matches!(version, "HTTP/1.1" | "HTTP/1.0")
        || !path.starts_with('/')
    {
        return None;
    }
    let header = |line: &str| {
        let (name, value) = line.split_once(':')?;
        let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic());
        is_name.then(|| (name.to_ascii_lowercase(), value.trim().to_owned()))
    };
    let headers = lines.map(header).collect::<Option<Vec<_>>>()?;
    let path = path.split('?').next().unwrap_or_default().to_owned();
    Some(Request { method: method.to_owned(), path, headers, body: Vec::new() })
}
