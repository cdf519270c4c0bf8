//! What is shown of a net: its picture, its open automaton, and the page of `pnet view`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;

use serde_json::{Value, json};

use super::diagnose::write_made;
use super::lock;
use super::state::State;
use crate::base::Watch;
use crate::cli::wanted::{is_wrong, wanted};
use crate::emit;
use crate::loader::Question;
use crate::model::{BuildFailure, Checked, ModelOptions};

/// A page answers within this time, or does not answer.
const PATIENCE: Duration = Duration::from_secs(120);

/// So many pages are open at the same time; the oldest one ends then.
const MOST_PAGES: usize = 8;

/// A page that was opened: it ends with this.
pub(super) struct Page {
    child: Child,
    /// The file and the net.
    about: (String, String),
    address: String,
}

impl Page {
    pub fn is_at(&self, address: &str) -> bool {
        self.address == address
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What is to be shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shown {
    Picture,
    Automaton,
    Page,
}

impl Shown {
    pub fn of(command: &str) -> Option<Shown> {
        match command {
            "pnet.picture" => Some(Shown::Picture),
            "pnet.automaton" => Some(Shown::Automaton),
            "pnet.explore" => Some(Shown::Page),
            _ => None,
        }
    }
}

impl State {
    /// Has the editor show a text that was made; its URI, if it can.
    pub fn show(&mut self, name: &str, text: &str) -> Option<String> {
        if !self.client.shows {
            return None;
        }
        let uri = write_made(name, text).ok()?;
        self.request("window/showDocument", json!({ "uri": uri, "takeFocus": false }));
        Some(uri)
    }
}

/// Shows a net of a file, unless the editor does that itself (`quiet`); what it is told besides.
pub(super) fn show(
    state: &Mutex<State>,
    (shown, path, net, quiet): (Shown, &str, &str, bool),
    checked: &Checked,
    watch: &dyn Watch,
) -> Result<Value, String> {
    let instead = checked.instead(Some(net), &ModelOptions::default().elaborate);
    let net = instead.as_deref().unwrap_or(net);
    if shown == Shown::Page {
        return page(state, path, net, quiet);
    }
    let asked = asked(state, path, net)?;
    let checked = asked.as_ref().unwrap_or(checked);
    let (wanted, options) = (wanted(checked, Some(net)), ModelOptions::default());
    let (name, text) = match shown {
        Shown::Picture => {
            let made = checked.net(wanted, &options.elaborate).map_err(|why| in_words(why, net))?;
            ("picture.svg", emit::svg_with_comments(&made, &checked.sources))
        }
        _ => {
            let made = checked.automaton(wanted, &options, watch);
            let made = made.map_err(|why| in_words(why, net))?;
            if let Some(spent) = watch.budget().spent() {
                return Err(format!("the automaton was not made to its end: {spent}"));
            }
            ("automaton.txt", emit::automaton::text(&made.automaton))
        }
    };
    let uri = write_made(name, &text)?;
    let mut state = lock(state);
    if quiet {
        return Ok(json!({ "uri": uri, "text": text }));
    }
    if state.client.shows {
        // A picture is for a browser, which every system has.
        let external = shown == Shown::Picture;
        state.request("window/showDocument", json!({ "uri": uri, "external": external }));
    } else {
        let message = format!("written to {}", super::uri::path_of(&uri));
        state.notify("window/showMessage", json!({ "type": 3, "message": message }));
    }
    Ok(json!({ "uri": uri, "text": text }))
}

/// The program with an instance that was asked for, where it is one.
fn asked(state: &Mutex<State>, path: &str, net: &str) -> Result<Option<Checked>, String> {
    if net.chars().all(|letter| letter.is_alphanumeric() || letter == '_') {
        return Ok(None);
    }
    let question = Question::Instance(net.to_owned());
    let state = lock(state);
    let open = super::state::Open(&state.documents);
    let checked = state.session.ask(&open, path, Some(&question)).map_err(|why| why.to_string())?;
    let wrong = checked.diagnostics.iter().find(|one| checked.is_asked(one.span()));
    match wrong.filter(|_| is_wrong(&checked)) {
        Some(wrong) => Err(format!("`{net}`: {}", wrong.message)),
        None => Ok(Some(checked)),
    }
}

fn in_words(why: BuildFailure, net: &str) -> String {
    match why {
        BuildFailure::Problems(all) => {
            all.first().map_or_else(|| format!("`{net}` has no meaning"), |one| one.message.clone())
        }
        BuildFailure::Errors => "the model has errors: mend them first".to_owned(),
        BuildFailure::Nothing => "the model declares no net".to_owned(),
        BuildFailure::Unknown(_) => format!("the model declares no net `{net}`"),
    }
}

/// Opens the page of `pnet view`, which reads the file as it was saved.
fn page(state: &Mutex<State>, path: &str, net: &str, quiet: bool) -> Result<Value, String> {
    let about = (path.to_owned(), net.to_owned());
    let known = {
        let mut state = lock(state);
        state.pages.retain_mut(|page| matches!(page.child.try_wait(), Ok(None)));
        let page = state.pages.iter().find(|page| page.about == about);
        page.map(|page| page.address.clone())
    };
    let address = match known {
        Some(address) => address,
        None => {
            let page = started(path, net)?;
            let address = page.address.clone();
            let mut state = lock(state);
            if state.pages.len() >= MOST_PAGES {
                state.pages.remove(0);
            }
            state.pages.push(page);
            address
        }
    };
    let mut state = lock(state);
    if quiet {
        return Ok(json!({ "uri": address }));
    }
    if state.client.shows {
        state.request("window/showDocument", json!({ "uri": address, "external": true }));
    } else {
        let message = format!("`{net}` is shown at {address}");
        state.notify("window/showMessage", json!({ "type": 3, "message": message }));
    }
    Ok(json!({ "uri": address }))
}

fn started(path: &str, net: &str) -> Result<Page, String> {
    let cannot = |why: std::io::Error| format!("the page cannot be opened: {why}");
    let program = std::env::current_exe().map_err(cannot)?;
    let mut command = Command::new(program);
    command.args(["view", "--no-open", "--until-input-ends", "--", path, net]);
    // Nothing is written there: it ends when this process does, even where that has no time for a farewell.
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(cannot)?;
    let mut line = String::new();
    if let Some(out) = child.stdout.take() {
        BufReader::new(out).read_line(&mut line).map_err(cannot)?;
    }
    let address = line.split_whitespace().last().filter(|word| word.starts_with("http://"));
    let Some(address) = address.map(str::to_owned) else {
        let mut said = String::new();
        if let Some(err) = child.stderr.take() {
            let _ = err.take(4096).read_to_string(&mut said);
        }
        let _ = child.kill();
        let _ = child.wait();
        let first = said.lines().find(|line| !line.trim().is_empty()).unwrap_or("it says nothing");
        return Err(format!("`{net}` cannot be shown: {first}"));
    };
    // What it says later is for nobody, and must not fill the pipe.
    if let Some(err) = child.stderr.take() {
        let drain = move || std::io::copy(&mut BufReader::new(err), &mut std::io::sink());
        let _ = std::thread::Builder::new().spawn(drain);
    }
    Ok(Page { child, about: (path.to_owned(), net.to_owned()), address })
}

/// Puts a question of the page, which an editor shows in a window of its own, to the program that answers it.
pub(super) fn ask_page(address: &str, name: &str, body: &Value) -> Result<Value, String> {
    let cannot = |why: std::io::Error| format!("the page does not answer: {why}");
    let (host, token) = parts(address).ok_or("this is no address of a page")?;
    if !name.chars().all(|letter| letter.is_ascii_alphanumeric()) {
        return Err("this is no question".to_owned());
    }
    let mut stream = TcpStream::connect(host).map_err(cannot)?;
    stream.set_read_timeout(Some(PATIENCE)).map_err(cannot)?;
    let body = body.to_string();
    let request = format!(
        "POST /api/{name} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nX-Pnet-Token: {token}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).map_err(cannot)?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).map_err(cannot)?;
    let (head, body) = answer.split_once("\r\n\r\n").ok_or("the page gave no answer")?;
    let status: Option<u64> = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    let body: Value = serde_json::from_str(body)
        .map_err(|why| format!("the page's answer makes no sense: {why}"))?;
    Ok(json!({ "status": status, "body": body }))
}

/// The host with its port, and the secret.
fn parts(address: &str) -> Option<(&str, &str)> {
    let (host, rest) = address.strip_prefix("http://")?.split_once('/')?;
    Some((host, rest.strip_prefix("#token=")?))
}
