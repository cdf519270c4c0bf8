//! The command line, from outside: what it writes, where, and with which exit status.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use pnetc::explain;
use serde_json::Value;

/// Nothing is wrong with it.
const FINE: &str = "action tick;\n\nprocess Clock {\n    init state s;\n\n    s -> s : tick;\n}\n";
/// `tick` is mistyped in it.
const WRONG: &str = "action tick;\n\nprocess Clock {\n    init state s;\n\n    s -> s : tick;\n    s -> s : tik;\n}\n";
/// The variable `n` is not used in it (W0303).
const ODD: &str = "action tick;\n\nprocess Clock {\n    var n: Int = 0;\n    init state s;\n\n    s -> s : tick;\n}\n";
/// It observes silent actions, which is only reported when asked for (W0201).
const OBSERVER: &str = "action tick;\n\nnet Only(P: any) {\n    <P: tick> -> tick;\n}\n";
const UNFORMATTED: &str = "action tick; process Clock { init state s;\n// kept\ns->s:tick; }";

/// A folder of its own for each test.
pub struct Folder(PathBuf);

/// What a command did.
pub struct Done {
    pub status: i32,
    pub out: String,
    pub err: String,
}

impl Folder {
    pub fn new(name: &str, files: &[(&str, &str)]) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli").join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        let folder = Folder(path);
        files.iter().for_each(|(name, text)| folder.write(name, text));
        folder
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.join(name)).unwrap()
    }

    /// Runs `pnet` in this folder.
    pub fn pnet(&self, args: &[&str]) -> Done {
        self.pnet_with(args, "")
    }

    /// Runs `pnet` in this folder with something on standard input.
    pub fn pnet_with(&self, args: &[&str], input: &str) -> Done {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pnet"));
        command.args(args).current_dir(&self.0);
        let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut running = pipes.spawn().unwrap();
        // The command need not read what it is given.
        let _ = running.stdin.take().unwrap().write_all(input.as_bytes());
        let done = running.wait_with_output().unwrap();
        Done {
            status: done.status.code().expect("it was killed"),
            out: String::from_utf8(done.stdout).unwrap(),
            err: String::from_utf8(done.stderr).unwrap(),
        }
    }
}

impl Done {
    /// Checks the exit status, and that each of these texts is in the answer for people.
    #[track_caller]
    pub fn says(&self, status: i32, texts: &[&str]) -> &Done {
        assert_eq!(self.status, status, "{}{}", self.out, self.err);
        for text in texts {
            assert!(self.err.contains(text), "no `{text}` in:\n{}", self.err);
        }
        self
    }

    /// Checks that nothing was said, and all is well.
    #[track_caller]
    pub fn is_silent(&self) -> &Done {
        assert_eq!((self.status, self.err.as_str()), (0, ""));
        self
    }

    /// The lines of standard output, each a JSON object.
    #[track_caller]
    pub fn json(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
    }
}

// ---- check ----

#[test]
fn check_exits_with_0_or_2() {
    let folder =
        Folder::new("exits", &[("fine.pnet", FINE), ("wrong.pnet", WRONG), ("odd.pnet", ODD)]);
    assert_eq!(folder.pnet(&["check", "fine.pnet"]).is_silent().out, "");
    folder.pnet(&["check", "wrong.pnet"]).says(2, &["error[N0203]", "wrong.pnet:7:14", "1 error;"]);
    folder.pnet(&["check", "odd.pnet"]).says(0, &["warning[W0303]", "1 warning;"]);
}

#[test]
fn several_files_at_once() {
    let files = [("fine.pnet", FINE), ("wrong.pnet", WRONG), ("odd.pnet", ODD)];
    let folder = Folder::new("several", &files);
    let done = folder.pnet(&["check", "odd.pnet", "fine.pnet", "wrong.pnet", "odd.pnet"]);
    done.says(2, &["odd.pnet:4:9", "wrong.pnet:7:14", "1 error, 2 warnings;"]);
    let places: Vec<usize> =
        ["odd.pnet:4", "wrong.pnet:7"].map(|p| done.err.find(p).unwrap()).into();
    assert!(places[0] < places[1], "in the order in which they were given");
}

#[test]
fn files_that_cannot_be_read() {
    let folder = Folder::new("unreadable", &[("wrong.pnet", WRONG), ("inner/x.pnet", FINE)]);
    folder.pnet(&["check", "gone.pnet"]).says(2, &["cannot read `gone.pnet`", "no such file"]);
    folder.pnet(&["check", "inner"]).says(2, &["cannot read `inner`", "folder"]);
    folder.pnet(&["check", "gone.pnet", "wrong.pnet"]).says(2, &["gone.pnet", "error[N0203]"]);
    folder.pnet(&["fmt", "gone.pnet"]).says(2, &["cannot read `gone.pnet`"]);
    folder.pnet(&["build", "--emit", "ast", "gone.pnet"]).says(2, &["cannot read `gone.pnet`"]);
    let done = folder.pnet(&["check", "--format", "json", "gone.pnet", "wrong.pnet"]);
    assert_eq!(done.status, 2);
    let lines = done.json();
    assert_eq!(lines.len(), 2, "{}", done.out);
    assert_eq!(lines[0]["severity"], "error");
    assert!(lines[0]["message"].as_str().unwrap().contains("gone.pnet"));
}

#[test]
fn standard_input() {
    let folder = Folder::new("stdin", &[]);
    folder.pnet_with(&["check", "-"], FINE).is_silent();
    folder.pnet_with(&["check", "-"], WRONG).says(2, &["error[N0203]", ":7:14"]);
    folder.pnet_with(&["check", "-"], "").is_silent();
}

#[test]
fn levels_of_warnings() {
    let files = [("odd.pnet", ODD), ("wrong.pnet", WRONG), ("observer.pnet", OBSERVER)];
    let folder = Folder::new("levels", &files);
    let check = |file: &str, args: &[&str]| folder.pnet(&[&["check", file], args].concat());
    check("odd.pnet", &["--deny", "warnings"]).says(2, &["error[W0303]", "1 error;"]);
    check("odd.pnet", &["--deny", "W0303"]).says(2, &["error[W0303]"]);
    check("odd.pnet", &["--deny", "w0303"]).says(2, &["error[W0303]"]);
    check("odd.pnet", &["--deny", "W0302"]).says(0, &["warning[W0303]"]);
    check("odd.pnet", &["--allow", "W0303"]).is_silent();
    check("odd.pnet", &["--allow", "warnings"]).is_silent();
    check("odd.pnet", &["--deny", "warnings", "--allow", "W0303"]).is_silent();
    check("wrong.pnet", &["--allow", "warnings"]).says(2, &["error[N0203]"]);
    check("observer.pnet", &[]).is_silent();
    check("observer.pnet", &["--deny", "warnings"]).is_silent();
    check("observer.pnet", &["--warn", "W0201"]).says(0, &["warning[W0201]"]);
    check("observer.pnet", &["--deny", "W0201"]).says(2, &["error[W0201]"]);
}

#[test]
fn codes_that_make_no_sense() {
    let folder = Folder::new("codes", &[("fine.pnet", FINE)]);
    for option in ["--deny", "--allow", "--warn"] {
        folder
            .pnet(&["check", "fine.pnet", option, "W9999"])
            .says(2, &["there is no code `W9999`"]);
    }
    folder.pnet(&["check", "fine.pnet", "--allow", "W0339"]).says(2, &["did you mean `W03"]);
    folder.pnet(&["check", "fine.pnet", "--allow", "N0203"]).says(2, &["`N0203` is an error"]);
    folder.pnet(&["check"]).says(2, &["FILE"]);
    folder.pnet(&["chekc", "fine.pnet"]).says(2, &["check"]);
}

#[test]
fn colours_only_on_request() {
    let folder = Folder::new("colours", &[("wrong.pnet", WRONG)]);
    let has_colours = |args: &[&str]| folder.pnet(args).says(2, &["N0203"]).err.contains('\x1b');
    assert!(!has_colours(&["check", "wrong.pnet"]), "this is no terminal");
    assert!(!has_colours(&["check", "wrong.pnet", "--color", "auto"]));
    assert!(!has_colours(&["check", "wrong.pnet", "--color", "never"]));
    assert!(has_colours(&["check", "wrong.pnet", "--color", "always"]));
    assert!(has_colours(&["check", "wrong.pnet", "--colour", "always"]));
    let json = folder.pnet(&["check", "wrong.pnet", "--color", "always", "--format", "json"]);
    assert!(!json.out.contains('\x1b') && !json.out.contains("\\u001b"));
}

#[test]
fn long_lists_are_cut() {
    let mistakes: String = (0..150).map(|at| format!("const c{at}: Itn = 1;\n")).collect();
    let many = format!("{ODD}{mistakes}");
    let folder = Folder::new("limit", &[("many.pnet", &many)]);
    folder.pnet(&["check", "many.pnet"]).says(2, &["… and 51 more", "150 errors, 1 warning"]);
    folder.pnet(&["check", "many.pnet", "--limit", "3"]).says(2, &["… and 148 more"]);
    let all = folder.pnet(&["check", "many.pnet", "--limit", "0"]);
    assert_eq!(all.err.matches("error[N0201]").count(), 150);
    assert_eq!(folder.pnet(&["check", "many.pnet", "--format", "json"]).json().len(), 151);
}

#[test]
fn output_is_stable() {
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden");
    let mut files: Vec<String> = std::fs::read_dir(golden)
        .unwrap()
        .map(|file| file.unwrap().path().to_str().unwrap().to_owned())
        .filter(|path| path.ends_with(".pnet"))
        .collect();
    files.sort();
    let folder = Folder::new("stable", &[]);
    for format in ["human", "json"] {
        let mut args = vec!["check", "--format", format];
        args.extend(files.iter().map(String::as_str));
        let (first, second) = (folder.pnet(&args), folder.pnet(&args));
        assert!(first.out == second.out && first.err == second.err, "{format} differs");
    }
}

// ---- check --format json ----

/// Checks that a place has bytes, lines and columns, and that they belong together.
#[track_caller]
fn check_place(place: &Value, text: &str) {
    let byte = |end: &str| usize::try_from(place["span"][end]["byte"].as_u64().unwrap()).unwrap();
    assert!(byte("start") <= byte("end") && byte("end") <= text.len(), "{place}");
    for end in ["start", "end"] {
        let before = &text[..byte(end)];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap().chars().count() + 1;
        assert_eq!(place["span"][end]["line"], line, "{place}");
        assert_eq!(place["span"][end]["column"], column, "{place}");
    }
}

/// Checks that a line of JSON has all that is promised, and that every place in it is right.
#[track_caller]
fn check_json(one: &Value, file: &str, text: &str) {
    let code = one["code"].as_str().unwrap();
    assert!(explain::entry(code).is_some(), "{one}");
    assert!(["error", "warning"].contains(&one["severity"].as_str().unwrap()), "{one}");
    assert!(!one["message"].as_str().unwrap().is_empty() && one["label"].is_string(), "{one}");
    assert_eq!(one["file"], file);
    check_place(one, text);
    for label in one["labels"].as_array().unwrap() {
        assert!(label["message"].is_string(), "{one}");
        if label["file"] == file {
            check_place(label, text);
        }
    }
    assert!(one["notes"].as_array().unwrap().iter().all(Value::is_string), "{one}");
    for suggestion in one["suggestions"].as_array().unwrap() {
        assert!(suggestion["message"].is_string(), "{one}");
        for edit in suggestion["edits"].as_array().unwrap() {
            assert!(edit["text"].is_string(), "{one}");
            check_place(edit, text);
        }
    }
}

#[test]
fn json_in_full() {
    let folder = Folder::new("json", &[("wrong.pnet", WRONG), ("fine.pnet", FINE)]);
    let done = folder.pnet(&["check", "wrong.pnet", "fine.pnet", "--format", "json"]);
    assert_eq!((done.status, done.err.as_str()), (2, ""), "people are told nothing");
    let [one] = done.json().try_into().unwrap();
    check_json(&one, "wrong.pnet", WRONG);
    let at = WRONG.find("tik").unwrap();
    let place = |byte: usize, column: usize| serde_json::json!({ "byte": byte, "line": 7, "column": column });
    let span = serde_json::json!({ "start": place(at, 14), "end": place(at + 3, 17) });
    assert_eq!(one["code"], "N0203");
    assert_eq!(one["span"], span);
    let edit = serde_json::json!({ "file": "wrong.pnet", "span": span, "text": "tick" });
    assert_eq!(one["suggestions"][0]["edits"], serde_json::json!([edit]));
}

#[test]
fn json_counts_characters_in_columns() {
    let text = "\u{feff}// größe\r\naction größe;\r\naction größe; action größe;\r\n";
    let folder = Folder::new("columns", &[("columns.pnet", text)]);
    let lines = folder.pnet(&["check", "columns.pnet", "--format", "json"]).json();
    assert!(lines.len() >= 2);
    lines.iter().for_each(|one| check_json(one, "columns.pnet", text));
}

/// The wrong models of all entries, each in a file `CODE/example.pnet`.
fn wrong_models(name: &str) -> (Folder, Vec<(&'static str, String)>) {
    let folder = Folder::new(name, &[]);
    let mut models = Vec::new();
    // `pnet check` does not elaborate, asks no solver and reads no other files: those codes are looked at in `codes.rs`.
    let checked = explain::entries().filter(|entry| !entry.code.starts_with(['E', 'A', 'F']));
    for entry in checked.filter(|entry| !entry.wrong.is_empty()) {
        let file = format!("{}/example.pnet", entry.code);
        folder.write(&file, &entry.wrong_model());
        models.push((entry.code, file));
    }
    (folder, models)
}

/// Checks models with everything that can be asked for, and returns the lines.
fn check_all(folder: &Folder, models: &[(&str, String)]) -> Vec<Value> {
    let mut args = vec!["check", "--format", "json", "--warn", "W0201"];
    args.extend(models.iter().map(|(_, file)| file.as_str()));
    folder.pnet(&args).json()
}

#[test]
fn json_of_every_code_is_complete() {
    let (folder, models) = wrong_models("complete");
    let lines = check_all(&folder, &models);
    for (code, file) in &models {
        let own = lines.iter().find(|one| one["code"] == *code && one["file"] == *file);
        let own = own.unwrap_or_else(|| panic!("{code} is not reported"));
        check_json(own, file, &folder.read(file));
    }
}

/// The text with these edits made, the last one first.
fn edited(text: &str, edits: &[Value]) -> String {
    let byte = |edit: &Value, end: &str| edit["span"][end]["byte"].as_u64().unwrap() as usize;
    let mut edits: Vec<&Value> = edits.iter().collect();
    edits.sort_by_key(|edit| std::cmp::Reverse(byte(edit, "start")));
    edits.iter().fold(text.to_owned(), |mut text, edit| {
        text.replace_range(byte(edit, "start")..byte(edit, "end"), edit["text"].as_str().unwrap());
        text
    })
}

/// Whoever lets their editor make one of the suggested changes is rid of the diagnostic, and has no new error.
#[test]
fn suggestions_mend() {
    let (folder, models) = wrong_models("suggestions");
    let lines = check_all(&folder, &models);
    let mut mended: Vec<(&str, String)> = Vec::new();
    for (code, file) in &models {
        let own = lines.iter().find(|one| one["code"] == *code && one["file"] == *file).unwrap();
        for (at, suggestion) in own["suggestions"].as_array().unwrap().iter().enumerate() {
            let path = format!("{code}/{at}/example.pnet");
            folder
                .write(&path, &edited(&folder.read(file), suggestion["edits"].as_array().unwrap()));
            mended.push((code, path));
        }
    }
    assert!(mended.len() >= 30, "only {} suggestions", mended.len());
    let is_its_own = |one: &Value| {
        mended.iter().any(|(code, file)| one["file"] == **file && one["code"] == *code)
    };
    let still: Vec<String> = check_all(&folder, &mended)
        .iter()
        // Once the right name is imported, the wrong one is unknown where it is used.
        .filter(|one| {
            !one["file"].as_str().unwrap().starts_with("N0105/") || one["code"] == "N0105"
        })
        .filter(|one| one["severity"] == "error" || is_its_own(one))
        .map(|one| format!("{one} in\n{}", folder.read(one["file"].as_str().unwrap())))
        .collect();
    assert!(still.is_empty(), "{}", still.join("\n"));
}

// ---- fmt ----

#[test]
fn fmt_in_place() {
    let folder = Folder::new("fmt", &[("a.pnet", UNFORMATTED), ("fine.pnet", FINE)]);
    folder.pnet(&["fmt", "a.pnet", "fine.pnet"]).is_silent();
    let formatted = folder.read("a.pnet");
    assert!(formatted != UNFORMATTED && formatted.contains("// kept"), "{formatted}");
    assert_eq!(folder.read("fine.pnet"), FINE);
    folder.pnet(&["fmt", "--check", "a.pnet"]).is_silent();
    folder.pnet(&["fmt", "a.pnet"]).is_silent();
    assert_eq!(folder.read("a.pnet"), formatted, "formatting twice is formatting once");
}

#[test]
fn fmt_check_changes_nothing() {
    let folder = Folder::new("fmt_check", &[("a.pnet", UNFORMATTED), ("fine.pnet", FINE)]);
    let done = folder.pnet(&["fmt", "--check", "fine.pnet", "a.pnet"]);
    done.says(1, &["a.pnet: not formatted"]);
    assert!(!done.err.contains("fine.pnet"));
    assert_eq!(folder.read("a.pnet"), UNFORMATTED);
    folder.pnet_with(&["fmt", "--check", "-"], UNFORMATTED).says(1, &[]);
    folder.pnet_with(&["fmt", "--check", "-"], FINE).is_silent();
}

#[test]
fn fmt_from_input_to_output() {
    let folder = Folder::new("fmt_stdin", &[("a.pnet", UNFORMATTED)]);
    let done = folder.pnet_with(&["fmt", "-"], UNFORMATTED);
    folder.pnet(&["fmt", "a.pnet"]);
    assert_eq!(done.is_silent().out, folder.read("a.pnet"));
    assert_eq!(folder.pnet_with(&["fmt", "-"], FINE).is_silent().out, FINE);
}

#[test]
fn fmt_leaves_what_it_cannot_parse() {
    let broken = "action tick\nprocess {";
    let folder = Folder::new("fmt_broken", &[("broken.pnet", broken), ("a.pnet", UNFORMATTED)]);
    folder
        .pnet(&["fmt", "broken.pnet", "a.pnet"])
        .says(2, &["error[P", "broken.pnet: not formatted"]);
    assert_eq!(folder.read("broken.pnet"), broken);
    assert_ne!(folder.read("a.pnet"), UNFORMATTED, "the others are formatted all the same");
    let done = folder.pnet_with(&["fmt", "-"], broken);
    assert_eq!((done.status, done.out.as_str()), (2, ""));
    std::fs::write(folder.0.join("latin1.pnet"), b"// caf\xE9\n").unwrap();
    folder.pnet(&["fmt", "latin1.pnet"]).says(2, &["L0006"]);
    assert_eq!(std::fs::read(folder.0.join("latin1.pnet")).unwrap(), b"// caf\xE9\n");
    // Names need not be right to be formatted.
    assert_eq!(folder.pnet_with(&["fmt", "-"], WRONG).is_silent().out, WRONG);
}

// ---- explain ----

#[test]
fn explain_every_code() {
    let folder = Folder::new("explain", &[]);
    let codes: Vec<&str> = explain::entries().map(|entry| entry.code).collect();
    let all = folder.pnet(&[&["explain"], codes.as_slice()].concat());
    let list = folder.pnet(&["explain"]);
    assert_eq!(list.is_silent().out.lines().count(), codes.len());
    for entry in explain::entries() {
        let title = format!("{}: {}", entry.code, entry.title);
        assert!(all.is_silent().out.contains(&title), "{title}");
        assert!(list.out.contains(&format!("{}  {}\n", entry.code, entry.title)));
    }
    let one = folder.pnet(&["explain", "n0203"]);
    for part in ["N0203", "For example", "the compiler says:", "error[N0203]", "Corrected:"] {
        assert!(one.is_silent().out.contains(part), "{part}");
    }
    assert!(!one.out.contains(['«', '»', '\x1b']));
}

#[test]
fn explain_says_what_the_compiler_says() {
    let folder = Folder::new("explain_said", &[]);
    for entry in explain::entries().filter(|entry| !entry.wrong.is_empty()) {
        let text = folder.pnet(&["explain", entry.code]).out;
        let said = format!("{}[{}]", entry.severity.as_str(), entry.code);
        assert!(text.contains(&said), "{}:\n{text}", entry.code);
    }
}

#[test]
fn explain_an_unknown_code() {
    let folder = Folder::new("explain_unknown", &[]);
    folder.pnet(&["explain", "N9999"]).says(2, &["there is no code `N9999`"]);
    folder.pnet(&["explain", "N203"]).says(2, &["did you mean `N0203`?"]);
}

// ---- build, completions, help ----

#[test]
fn build_writes_the_tree() {
    let folder =
        Folder::new("build", &[("fine.pnet", FINE), ("wrong.pnet", WRONG), ("odd.pnet", ODD)]);
    let done = folder.pnet(&["build", "fine.pnet", "--emit", "ast"]);
    let tree: Value = serde_json::from_str(&done.is_silent().out).unwrap();
    assert_eq!(tree["items"].as_array().map(Vec::len), Some(2), "{tree}");
    let to_file = folder.pnet(&["build", "fine.pnet", "--emit", "ast", "-o", "tree.json"]);
    assert_eq!(to_file.is_silent().out, "");
    assert_eq!(folder.read("tree.json"), done.out);
    let from_input = folder.pnet_with(&["build", "-", "--emit", "ast"], FINE);
    assert_eq!(from_input.is_silent().out, done.out);
    let odd = folder.pnet(&["build", "odd.pnet", "--emit", "ast"]);
    odd.says(0, &["W0303"]);
    assert!(serde_json::from_str::<Value>(&odd.out).is_ok());
}

#[test]
fn build_writes_nothing_where_there_are_errors() {
    let folder = Folder::new("build_wrong", &[("wrong.pnet", WRONG), ("fine.pnet", FINE)]);
    let done = folder.pnet(&["build", "wrong.pnet", "--emit", "ast", "-o", "tree.json"]);
    done.says(2, &["error[N0203]"]);
    assert!(done.out.is_empty() && !folder.0.join("tree.json").exists());
    folder.pnet(&["build", "fine.pnet", "--emit", "nonsense"]).says(2, &["ast"]);
    folder
        .pnet(&["build", "fine.pnet", "--emit", "ast", "-o", "no/such/folder"])
        .says(2, &["cannot write"]);
}

// ---- automata ----

/// A worker that never does what the first vector asks for (A0102), and a hole.
const PLANT: &str = "\
action go(Int), stop, rest;

process Worker {
    var n: Int = 3;
    init state s;

    s -> s : go(n);
    s -> s : stop;
}

net Plant(H: any) {
    sub W = Worker;

    <H: rest, W: go(4)> -> rest;
    <H: ?a, W: stop>    -> a     when a is not rest;
}
";

#[test]
fn build_writes_automata() {
    let folder = Folder::new("automata", &[("plant.pnet", PLANT), ("fine.pnet", FINE)]);
    let clock = folder.pnet(&["build", "fine.pnet", "--emit", "automaton"]);
    let expected = "automaton Clock\n  states       1: s (initial)\n  transitions  1\n\nfrom s\n  \
                    1. s --tick--> s\n";
    assert_eq!(clock.is_silent().out, expected);
    let plant = folder.pnet(&["build", "plant.pnet", "--emit", "automaton"]);
    plant.says(0, &["warning[A0102]: this vector can never fire", "plant.pnet:14:18"]);
    for part in ["holes        H: any\n", "{H: a}, [a is not rest]\n", "s --a--> s\n"] {
        assert!(plant.out.contains(part), "{part}: {}", plant.out);
    }
    let json = folder.pnet(&["build", "plant.pnet", "--emit", "automaton-json"]);
    let json: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!((&json["format"], &json["name"]), (&"pnet-automaton".into(), &"Plant".into()));
    assert_eq!(json["transitions"].as_array().map(Vec::len), Some(1), "{json}");
    let dot = folder.pnet(&["build", "plant.pnet", "--emit", "automaton-dot"]);
    assert!(dot.out.starts_with("digraph"), "{}", dot.out);
    folder.pnet(&["build", "plant.pnet", "--emit", "automaton-svg", "-o", "a.svg"]).says(0, &[]);
    assert!(folder.read("a.svg").starts_with("<svg"));
}

#[test]
fn algorithms_write_the_same_automaton() {
    let folder = Folder::new("algorithms", &[("plant.pnet", PLANT)]);
    let run = |args: &[&str]| {
        let build = ["build", "plant.pnet", "--emit", "automaton", "--allow", "warnings"];
        folder.pnet(&[&build, args].concat()).is_silent().out.clone()
    };
    let expected = run(&[]);
    for algorithm in ["naive", "smart", "fast"] {
        assert_eq!(run(&["--algorithm", algorithm]), expected, "{algorithm}");
    }
    assert_eq!(run(&["--jobs", "3"]), expected);
    assert_eq!(run(&["--refine", "once"]), expected);
    let more = run(&["--refine", "none"]);
    assert!(more.contains("transitions  2") && more.contains("[n == 4]"), "{more}");
}

#[test]
fn statistics_have_their_fields() {
    let folder = Folder::new("stats", &[("plant.pnet", PLANT)]);
    let stats = |algorithm: &str| {
        let args = ["--emit", "stats", "--allow", "warnings", "--algorithm", algorithm];
        let done = folder.pnet(&[&["build", "plant.pnet"], args.as_slice()].concat());
        serde_json::from_str::<Value>(&done.is_silent().out).unwrap()
    };
    for algorithm in ["naive", "smart", "fast"] {
        let found = stats(algorithm);
        let fields: Vec<&str> = found.as_object().unwrap().keys().map(String::as_str).collect();
        let expected = [
            "algorithm",
            "cache_hits",
            "composed",
            "net",
            "queries",
            "removed",
            "seconds",
            "states",
            "stopped",
            "transitions",
            "unknown",
        ];
        assert_eq!(fields, expected);
        assert_eq!((&found["net"], &found["algorithm"]), (&"Plant".into(), &algorithm.into()));
        let number = |field: &str| found[field].as_u64().unwrap();
        assert_eq!((number("states"), number("transitions"), number("unknown")), (1, 1, 0));
        assert!(number("removed") >= 1 && number("queries") >= 1, "{found}");
        assert!(found["seconds"].as_f64().unwrap() > 0.0);
        assert_eq!(found["stopped"], false);
    }
    assert!(stats("naive")["removed"].as_u64() > stats("fast")["removed"].as_u64());
}

/// A place that is filled, a priority that waits for a hole, and what fills it.
const PARTS: &str = "\
action put(Int), get(Int), high, low;

process Place<first: Int> {
    var m: Int = first;
    init state full;
    state empty;

    full  -> empty : get(m);
    empty -> full  : put(?x) do m := x;
}

process Both {
    init state s;

    s -> s : high;
    s -> s : low;
}

process Low {
    init state s;

    s -> s : low;
}

net Row(L: any, R: any) {
    <L: put(x)>            -> put(x);
    <L: get(x), R: put(x)> -> tau;
    <R: get(x)>            -> get(x);
    <L: tau>               -> tau;
    <R: tau>               -> tau;
}

net Urgent(H: any) {
    sub S = Low;

    <H: high> -> high;
    <H: low>  -> low;
    <S: low>  -> low;

    priority low < high;
}

check size(Row(Place<1>, R: Row(L: Place<2>))) == (4, 13);
check size(Urgent(Both)) == (1, 1);
";

#[test]
fn build_takes_instances() {
    let folder = Folder::new("instances", &[("parts.pnet", PARTS)]);
    let build = |net: &str, args: &[&str]| {
        let first = ["build", "parts.pnet", net, "--allow", "warnings"];
        folder.pnet(&[first.as_slice(), args].concat())
    };
    let automaton = |net: &str, args: &[&str]| {
        build(net, &[&["--emit", "automaton"], args].concat()).is_silent().out.clone()
    };
    assert!(automaton("Place", &[]).contains("m: Int = first"));
    assert!(automaton("Place<7>", &[]).contains("m: Int = 7"));
    let filled = automaton("Row(Place<1>, R: Row(L: Place<2>))", &[]);
    assert!(filled.contains("holes        R.R: any\n  leaves       L, R.L\n"), "{filled}");
    assert!(build("Row(Place<1>)", &["--emit", "pnet"]).is_silent().out.contains("net Row"));
    let stats = build("Row(Place<1>)", &["--emit", "stats", "--compose"]).is_silent().out.clone();
    let stats: Value = serde_json::from_str(&stats).unwrap();
    assert_eq!((&stats["composed"], &stats["states"]), (&true.into(), &2.into()), "{stats}");
}

/// What is wrong with an instance is shown where it was written: not in the file.
#[test]
fn build_shows_what_is_wrong_with_an_instance() {
    let folder = Folder::new("instances_wrong", &[("parts.pnet", PARTS)]);
    let build = |net: &str| folder.pnet(&["build", "parts.pnet", net, "--emit", "automaton"]);
    build("Row(Plaice<1>)").says(2, &["error[N0205]", "command line:1:", "is read as an instance"]);
    build("Row(X: Both)").says(2, &["command line:1:", "no hole"]);
    build("Row(").says(2, &["error[P0003]", "command line:1:"]);
    build("Row, Both").says(2, &["command line:1:"]);
    build("Row); check deadlock_free(Both").says(2, &["error[P0004]", "command line:1:4"]);
    build("Plaice").says(2, &["declares no net `Plaice`; did you mean `Place`?"]);
    let compare = folder.pnet(&["compare", "parts.pnet", "Row(Both", "Both"]);
    compare.says(2, &["command line:1:"]);
    assert!(!compare.err.contains("parts.pnet:"), "{}", compare.err);
    let injected = ["compare", "parts.pnet", "Both); check bisimilar(Both", "Both"];
    folder.pnet(&injected).says(2, &["error[P0004]", "command line:1:5"]);
}

/// Composed or not, it is the same.
#[test]
fn automata_of_parts_are_composed() {
    let folder = Folder::new("composed", &[("parts.pnet", PARTS)]);
    let automaton = |net: &str, args: &[&str]| {
        let first = ["build", "parts.pnet", net, "--emit", "automaton", "--allow", "warnings"];
        folder.pnet(&[first.as_slice(), args].concat())
    };
    for net in ["Row(Place<1>, R: Row(L: Place<2>))", "Row(R: Row)", "Row", "Place<3>"] {
        let expected = automaton(net, &[]).is_silent().out.clone();
        assert_eq!(automaton(net, &["--compose"]).is_silent().out, expected, "{net}");
    }
    // Whether `low` may happen depends on what is in the hole: there is nothing to compose.
    let whole = automaton("Urgent(Both)", &["--compose"]);
    whole.says(0, &["note: `Urgent(Both)` is generated as a whole: "]);
    assert_eq!(whole.out, automaton("Urgent(Both)", &[]).out);
    let questions = ["build", "parts.pnet", "Row(Both)", "--emit", "smt2", "-o", "q", "--compose"];
    folder.pnet(&questions).says(2, &["leave out `--compose`"]);
    let verify =
        folder.pnet(&["verify", "parts.pnet", "--allow", "warnings"]).is_silent().out.clone();
    let composed = folder.pnet(&["verify", "parts.pnet", "--compose"]);
    composed.says(0, &["note: `Urgent(Both)` is generated as a whole: "]);
    assert_eq!(composed.out, verify);
    let pair = ["compare", "parts.pnet", "Row(Place<1>)", "Row(L: Place<1>)", "--compose"];
    assert!(folder.pnet(&pair).is_silent().out.starts_with("proved"));
}

#[test]
fn questions_are_written_into_a_folder() {
    let folder = Folder::new("questions", &[("plant.pnet", PLANT)]);
    let build = ["build", "plant.pnet", "--emit", "smt2", "--allow", "warnings"];
    folder.pnet(&build).says(2, &["-o"]);
    let done = folder.pnet(&[&build, ["-o", "new/questions"].as_slice()].concat());
    done.says(0, &["questions written to `new/questions`"]);
    let first = folder.read("new/questions/00001.smt2");
    assert!(first.starts_with("; question 1 about Plant\n") && first.ends_with("(check-sat)\n"));
    let count = std::fs::read_dir(folder.0.join("new/questions")).unwrap().count();
    assert!(done.err.starts_with(&format!("{count} questions")), "{count}: {}", done.err);
    folder.write("file", "");
    folder.pnet(&[&build, ["-o", "file/x"].as_slice()].concat()).says(2, &["cannot write"]);
}

#[test]
fn levels_of_what_automata_show() {
    let folder = Folder::new("automata_levels", &[("plant.pnet", PLANT)]);
    let build = |args: &[&str]| {
        folder.pnet(&[&["build", "plant.pnet", "--emit", "automaton"], args].concat())
    };
    build(&["--allow", "A0102"]).is_silent();
    let denied = build(&["--deny", "A0102", "-o", "a.txt"]);
    denied.says(2, &["error[A0102]"]);
    assert!(!folder.0.join("a.txt").exists(), "nothing is written where there are errors");
    build(&["--deny", "A0103", "--deny", "A0102"]).says(2, &["error[A0102]"]);
    // `check` asks no solver, and does not see it.
    folder.pnet(&["check", "plant.pnet", "--deny", "warnings"]).is_silent();
}

#[test]
fn json_of_what_automata_show() {
    let folder = Folder::new("automata_json", &[]);
    let shown = explain::entries().filter(|entry| entry.code.starts_with('A'));
    for entry in shown.filter(|entry| !entry.wrong.is_empty()) {
        folder.write("example.pnet", &entry.wrong_model());
        // What is said about every size is said by `verify`.
        let asked: &[&str] = match entry.code.starts_with("A02") {
            true => &["verify", "example.pnet"],
            false => &["build", "example.pnet", "--emit", "automaton", "-o", "a.txt"],
        };
        let lines = folder.pnet(&[asked, &["--format", "json"]].concat()).json();
        let own = lines.iter().find(|one| one["code"] == entry.code);
        let own = own.unwrap_or_else(|| panic!("{} is not reported", entry.code));
        check_json(own, "example.pnet", &entry.wrong_model());
    }
}

#[test]
fn options_of_automata_that_make_no_sense() {
    let folder = Folder::new("automata_options", &[("plant.pnet", PLANT)]);
    for (option, value, hint) in [
        ("--algorithm", "best", "naive, smart, fast"),
        ("--refine", "much", "full, once, none"),
        ("--emit", "automata", "automaton"),
        ("--jobs", "many", "--jobs"),
        ("--solver-timeout", "0", "for example 5 or 0.5"),
        ("--solver-timeout", "soon", "for example 5 or 0.5"),
        ("--solver-timeout", "inf", "for example 5 or 0.5"),
        ("--set", "N", "NAME=VALUE"),
        ("--set", "N=", "NAME=VALUE"),
        ("--set", "=4", "NAME=VALUE"),
    ] {
        let mut args = vec!["build", "plant.pnet"];
        if option != "--emit" {
            args.extend(["--emit", "automaton"]);
        }
        args.extend([option, value]);
        folder.pnet(&args).says(2, &["invalid value", hint]);
    }
    let unknown = ["build", "plant.pnet", "--emit", "automaton", "--set", "N=4"];
    folder.pnet(&unknown).says(2, &["error[E0109]"]);
    folder.pnet(&["build", "plant.pnet", "Plnt", "--emit", "stats"]).says(2, &["`Plant`"]);
}

#[test]
fn completions_for_all_shells() {
    let folder = Folder::new("completions", &[]);
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = folder.pnet(&["completions", shell]);
        for command in ["check", "fmt", "explain", "build", "verify", "completions"] {
            assert!(script.is_silent().out.contains(command), "{shell}: {command}");
        }
    }
    folder.pnet(&["completions", "tcsh"]).says(2, &["bash"]);
}

#[test]
fn help_has_examples() {
    let folder = Folder::new("help", &[]);
    for command in ["check", "fmt", "explain", "build", "verify", "completions"] {
        let help = folder.pnet(&[command, "--help"]);
        assert!(
            help.is_silent().out.contains(&format!("Examples:\n  pnet {command}")),
            "{}",
            help.out
        );
    }
    assert!(folder.pnet(&["--help"]).is_silent().out.contains("Exit status"));
    assert!(folder.pnet(&["--version"]).is_silent().out.starts_with("pnet "));
}
