//! `pnet lsp`: the language server, over standard input and output.
//!
//! One thread hears messages, one says them, one answers from the newest checked texts, and one does what takes long
//! (`work.rs`). What the answers are is known in `src/editor/`; here they become messages.

mod answer;
mod client;
mod diagnose;
mod lenses;
mod names;
mod places;
mod show;
mod state;
mod text;
mod uri;
mod wire;
mod work;

use std::io::{BufReader, BufWriter};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use lsp_server::{ErrorCode, Message, Request, RequestId};
use serde_json::{Value, json};

use self::client::Client;
use self::state::State;
use self::wire::Heard;
use super::STATUS_ERROR;
use super::output::complain;

/// Options of `pnet lsp`.
#[derive(clap::Args)]
#[command(after_help = "An editor starts this; docs/editors.md says how to set one up.")]
pub(super) struct Args {
    /// For editors that ask for it: standard input and output are used anyway
    #[arg(long)]
    stdio: bool,
}

/// How deep texts may be nested is bounded, and this is enough for it.
const STACK: usize = 64 << 20;

/// The status of a server whose editor went without a word, as the protocol has it.
const STATUS_NO_SHUTDOWN: u8 = 1;

/// So long is waited for an editor that is gone to read what it was told last.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// So many messages wait to be answered; an editor that says more waits.
const MOST_WAITING: usize = 1024;

pub(super) fn run(args: &Args) -> u8 {
    let _ = args.stdio;
    let serve = std::thread::Builder::new().stack_size(STACK).spawn(serve);
    match serve.map(std::thread::JoinHandle::join) {
        Ok(Ok(status)) => status,
        _ => STATUS_ERROR,
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn succeeded(id: &RequestId, result: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

fn failed(id: &RequestId, code: ErrorCode, why: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code as i32, "message": why } })
}

/// Hears and says messages until the end.
fn serve() -> u8 {
    let (heard, hears) = sync_channel(MOST_WAITING);
    let listen = move || {
        let mut from = BufReader::new(std::io::stdin());
        loop {
            let one = wire::hear(&mut from);
            let is_last = matches!(one, Heard::End(_));
            if heard.send(one).is_err() || is_last {
                return;
            }
        }
    };
    let (out, says) = channel::<Value>();
    let (all_said, is_said) = channel::<()>();
    let speak = move || {
        // Dropped at the end, which is noticed.
        let _until_then = all_said;
        let mut to = BufWriter::new(std::io::stdout());
        for message in says {
            // An editor that is gone does not read; it is noticed where it no longer speaks.
            if wire::say(&mut to, &message).is_err() {
                return;
            }
        }
    };
    let listener = std::thread::Builder::new().spawn(listen);
    let (Ok(_), Ok(_)) = (listener, std::thread::Builder::new().spawn(speak)) else {
        complain("there are no threads");
        return STATUS_ERROR;
    };
    let status = converse(&hears, out);
    // What was said last is still to be written, if there is somebody who reads it.
    let _ = is_said.recv_timeout(LAST_WORDS);
    status
}

/// What the server knows once it was greeted.
struct Greeted {
    state: Arc<Mutex<State>>,
    shut_down: bool,
}

/// Answers messages; the status to end with.
fn converse(hears: &Receiver<Heard>, out: Sender<Value>) -> u8 {
    let mut greeted: Option<Greeted> = None;
    let mut why = None;
    for heard in hears {
        let message = match heard {
            Heard::Message(message) => message,
            Heard::Garbage(what) => {
                let error = json!({ "code": ErrorCode::ParseError as i32, "message": what });
                let _ = out.send(json!({ "jsonrpc": "2.0", "id": null, "error": error }));
                continue;
            }
            Heard::End(end) => {
                why = end;
                break;
            }
        };
        match message {
            Message::Notification(note) if note.method == "exit" => break,
            Message::Notification(note) => {
                if let Some(known) = greeted.as_ref().filter(|known| !known.shut_down) {
                    told(&known.state, &note.method, &note.params);
                }
            }
            Message::Request(request) => {
                if let Some(answer) = requested(&mut greeted, &out, request) {
                    let _ = out.send(answer);
                }
            }
            Message::Response(_) => {}
        }
    }
    let shut_down = greeted.as_ref().is_some_and(|known| known.shut_down);
    if let Some(known) = greeted {
        lock(&known.state).close();
    }
    if shut_down {
        return 0;
    }
    complain(&why.unwrap_or_else(|| "the editor is gone without a shutdown".to_owned()));
    STATUS_NO_SHUTDOWN
}

/// Answers a request, at once or later.
fn requested(
    greeted: &mut Option<Greeted>,
    out: &Sender<Value>,
    request: Request,
) -> Option<Value> {
    let Request { id, method, params } = request;
    match (greeted.as_mut(), method.as_str()) {
        (None, "initialize") => {
            let client = Client::new(&params);
            let result = json!({
                "capabilities": answer::capabilities(client.utf8),
                "serverInfo": { "name": "pnet", "version": env!("CARGO_PKG_VERSION") },
            });
            let (jobs, todo) = channel();
            let state = Arc::new(Mutex::new(State::new(out.clone(), jobs, client)));
            lock(&state).set(params.get("initializationOptions").unwrap_or(&Value::Null));
            work::start(Arc::clone(&state), todo);
            *greeted = Some(Greeted { state, shut_down: false });
            Some(succeeded(&id, result))
        }
        (None, _) => {
            let why = "the server waits for `initialize`";
            Some(failed(&id, ErrorCode::ServerNotInitialized, why))
        }
        (Some(_), "initialize") => {
            Some(failed(&id, ErrorCode::InvalidRequest, "the server is initialized already"))
        }
        (Some(known), "shutdown") => {
            known.shut_down = true;
            lock(&known.state).stop_all();
            Some(succeeded(&id, Value::Null))
        }
        (Some(known), _) if known.shut_down => {
            Some(failed(&id, ErrorCode::InvalidRequest, "the server is shut down"))
        }
        (Some(known), _) => asked(&known.state, &id, &method, &params),
    }
}

/// Answers a request, at once or by the worker. A panic is an answer, too.
fn asked(state: &Mutex<State>, id: &RequestId, method: &str, params: &Value) -> Option<Value> {
    let answer = catch_unwind(AssertUnwindSafe(|| {
        let mut state = lock(state);
        if method == "workspace/executeCommand"
            && let Some(begun) = work::begin(&mut state, id, params)
        {
            return begun.err().map(|why| failed(id, ErrorCode::RequestFailed, &why));
        }
        Some(match answer::answer(&mut state, method, params) {
            Ok(result) => succeeded(id, result),
            Err((code, why)) => failed(id, code, &why),
        })
    }));
    answer.unwrap_or_else(|_| {
        let why = format!("`{method}` could not be answered: this is a mistake of pnet");
        complain(&why);
        Some(failed(id, ErrorCode::InternalError, &why))
    })
}

/// Takes in a notification.
fn told(state: &Mutex<State>, method: &str, params: &Value) {
    let done = catch_unwind(AssertUnwindSafe(|| {
        let mut state = lock(state);
        match method {
            "initialized" if state.client.watches => {
                let watchers = json!({ "watchers": [{ "globPattern": "**/*.pnet" }] });
                let registration = json!({
                    "id": "pnet-files",
                    "method": "workspace/didChangeWatchedFiles",
                    "registerOptions": watchers,
                });
                let params = json!({ "registrations": [registration] });
                state.request("client/registerCapability", params);
            }
            _ => state.told(method, params),
        }
    }));
    if done.is_err() {
        complain(&format!("`{method}` was not taken in: a mistake of pnet"));
    }
}
