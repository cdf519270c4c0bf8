//! `pnet explore --workers`: several processes on the loopback find what one finds, leave whole shards when they are
//! stopped, and say who is gone.

use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::cli::{Done, Folder};

/// Three counters without an end: there is always more to look at.
const GRID: &str = r"
action tick(Int);

process Counter<me: Int> {
    var n: Int = 0;
    init state s;

    s -> s : tick(me) do n := n + 1;
}

net Grid {
    sub C[i: 0..3] = Counter<i>;

    <C[i]: tick(i)> -> tick(i) for i in 0..3;
}
";

/// Stacks of large numbers, as lists: values that are larger than a word, and known by other handles in each process.
const STACKS: &str = r"
data List { Nil, Cons(head: Int, tail: List) }

action push(Int), pop(Int), push(Int, Int), pop(Int, Int);

/// A stack with up to three numbers, large ones too.
process Stack {
    var all: List = Nil;
    var size: 0..4 = 0;
    init state s;

    s -> s : push(0)       when size < 3                        do all := Cons(99999999999999999999 + size, all), size := size + 1;
    s -> s : push(1)       when size < 3                        do all := Cons(0 - 5, all), size := size + 1;
    s -> s : pop(all.head) when size > 0 and all is Cons(_, _)  do all := all.tail, size := size - 1;
}

net Two {
    sub S[i: 0..2] = Stack;

    <S[i]: push(x)> -> push(i, x) for i in 0..2;
    <S[i]: pop(x)>  -> pop(i, x)  for i in 0..2;
}
";

fn example(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("examples").join(name);
    path.to_string_lossy().into_owned()
}

fn object(done: &Done) -> Value {
    done.json().pop().unwrap_or_else(|| panic!("no JSON: {}{}", done.out, done.err))
}

/// The figures that must be the same whoever explores.
fn figures(object: &Value) -> Vec<Value> {
    let names =
        ["states", "transitions", "deadlocks", "finals", "depth", "complete", "limited", "never"];
    names.iter().map(|name| object[name].clone()).collect()
}

/// Explores a net by several workers and by one process, and compares what they say and write.
#[track_caller]
fn agrees(folder: &Folder, file: &str, rest: &[&str], workers: &str) {
    let explore = |more: &[&str]| {
        let mut args = vec!["explore", file];
        args.extend_from_slice(rest);
        args.extend_from_slice(more);
        folder.pnet(&args)
    };
    let alone = explore(&["--format", "json"]);
    let spread =
        explore(&["--format", "json", "--workers", workers, "--emit", "shards", "-o", "shards"]);
    assert_eq!((alone.status, spread.status), (0, 0), "{}{}", spread.out, spread.err);
    let (alone, spread) = (object(&alone), object(&spread));
    assert_eq!(figures(&alone), figures(&spread), "{file} {rest:?}");
    let info = object(&folder.pnet(&["info", "shards", "--format", "json"]));
    assert_eq!((&info["states"], &info["transitions"]), (&alone["states"], &alone["transitions"]));
    assert_eq!(info["complete"], true);
    folder.pnet(&["merge", "shards", "-o", "merged.aut"]).says(0, &[]);
    assert_eq!(explore(&["--emit", "aut", "-o", "alone.aut"]).status, 0);
    let header = |name: &str| folder.read(name).lines().next().map(str::to_owned);
    assert_eq!(header("merged.aut"), header("alone.aut"));
    let compared = folder.pnet(&["compare", "merged.aut", "alone.aut", "--strong"]);
    assert_eq!(compared.status, 0, "{}{}", compared.out, compared.err);
}

#[test]
fn two_workers_find_what_one_process_finds() {
    let folder = Folder::new("spread_agrees", &[("stacks.pnet", STACKS)]);
    agrees(&folder, &example("philosophers.pnet"), &["Stubborn<5>"], "2");
    agrees(&folder, &example("token_ring.pnet"), &["TokenRing<3>"], "2");
    agrees(&folder, &example("chang_roberts.pnet"), &["Falling<4>"], "2");
    agrees(&folder, &example("readers_writers.pnet"), &["FairLibrary<2, 1>"], "2");
    agrees(&folder, &example("two_phase_commit.pnet"), &["Blocking<3>"], "2");
    agrees(&folder, &example("abp.pnet"), &[], "2");
    agrees(&folder, "stacks.pnet", &["Two"], "2");
}

#[test]
fn other_numbers_of_workers_do_as_well() {
    let folder = Folder::new("spread_numbers", &[("stacks.pnet", STACKS)]);
    agrees(&folder, "stacks.pnet", &["Two"], "1");
    agrees(&folder, "stacks.pnet", &["Two"], "4");
    // It begins in several configurations, which one system cannot.
    let line = example("lossy_line.pnet");
    let args = ["explore", &line, "--domain", "Msg=2", "--format", "json"];
    let spread = ["--workers", "3", "--emit", "shards", "-o", "line"];
    let alone = object(&folder.pnet(&args));
    let spread = object(&folder.pnet(&[&args[..], &spread[..]].concat()));
    assert_eq!(figures(&alone), figures(&spread));
    folder.pnet(&["info", "line"]).says(0, &[]);
    folder.pnet(&["merge", "line"]).says(2, &["can begin in several configurations"]);
}

#[test]
fn shards_are_the_same_every_time() {
    let folder = Folder::new("spread_same", &[]);
    let explore = |to: &str| {
        let args = ["explore", &example("philosophers.pnet"), "Stubborn<4>", "--workers", "3"];
        let args: Vec<&str> = args.into_iter().chain(["--emit", "shards", "-o", to]).collect();
        assert_eq!(folder.pnet(&args).status, 0);
        ["map.json", "shard-0.txt", "shard-1.txt", "shard-2.txt"]
            .map(|name| folder.read(&format!("{to}/{name}")))
    };
    assert_eq!(explore("one"), explore("two"));
}

#[test]
fn a_run_is_found_across_workers() {
    let folder = Folder::new("spread_runs", &[("stacks.pnet", STACKS)]);
    let found = |file: &str, net: &str, what: &str, workers: &[&str]| {
        let mut args = vec!["explore", file, net, "--find", what, "--format", "json"];
        args.extend_from_slice(workers);
        let done = folder.pnet(&args);
        assert_eq!(done.status, 0, "{}{}", done.out, done.err);
        object(&done)
    };
    let philosophers = example("philosophers.pnet");
    for (file, net, what) in [
        (philosophers.as_str(), "Stubborn<4>", "deadlock"),
        (philosophers.as_str(), "Ordered<3>", "P[1] in eating"),
        ("stacks.pnet", "Two", "S[0].size == 3 and S[1].size == 3"),
    ] {
        let (alone, spread) =
            (found(file, net, what, &[]), found(file, net, what, &["--workers", "2"]));
        assert_eq!((&alone["found"], &spread["found"]), (&Value::from(true), &Value::from(true)));
        let steps = |object: &Value| object["run"]["steps"].as_array().unwrap().len();
        assert!(steps(&alone) > 1);
        assert_eq!(steps(&alone), steps(&spread), "{net} {what}");
    }
    let none = found(&philosophers, "Ordered<3>", "deadlock", &["--workers", "2"]);
    assert_eq!((&none["found"], &none["complete"]), (&Value::from(false), &Value::from(true)));
    let args = ["explore", &philosophers, "Stubborn<3>", "--find", "deadlock", "--workers", "2"];
    let shown = folder.pnet(&args);
    assert!(shown.out.contains("deadlock") && shown.out.contains("take"), "{}", shown.out);
}

/// What is in a folder must be whole, and as much as was reported.
#[track_caller]
fn is_whole(folder: &Folder, shards: &str, reported: &Value) {
    let info = folder.pnet(&["info", shards, "--format", "json"]);
    assert_eq!(info.status, 0, "{}{}", info.out, info.err);
    let info = object(&info);
    for name in
        ["states", "transitions", "deadlocks", "finals", "depth", "complete", "limited", "ended"]
    {
        assert_eq!(info[name], reported[name], "{name}");
    }
    let count = |worker: usize| {
        let text = folder.read(&format!("{shards}/shard-{worker}.txt"));
        assert!(text.is_empty() || text.ends_with('\n'));
        text.lines().count() as u64
    };
    let workers = reported["workers"].as_array().unwrap();
    for (worker, share) in workers.iter().enumerate() {
        assert_eq!(Some(count(worker)), share["lines"].as_u64(), "worker {worker}");
    }
}

fn grid(more: &[&'static str]) -> Vec<&'static str> {
    let args = ["explore", "grid.pnet", "--format", "json", "--workers", "2", "--emit", "shards"];
    args.into_iter().chain(["-o", "out"]).chain(more.iter().copied()).collect()
}

#[test]
fn limits_leave_whole_shards() {
    let folder = Folder::new("spread_limits", &[("grid.pnet", GRID)]);
    for (more, why) in [
        (&["--most-states", "500"][..], "most-states"),
        (&["--depth", "7"], "depth"),
        (&["--timeout", "0.5"], "the time was up after 0.5 s"),
        // While the model is read, and while workers meet.
        (&["--timeout", "0.001"], "the time was up after 0.001 s"),
        (&["--timeout", "0.05"], "the time was up after 0.05 s"),
        (&["--timeout", "0.1"], "the time was up after 0.1 s"),
    ] {
        let done = folder.pnet(&grid(more));
        assert_eq!(done.status, 3, "{}{}", done.out, done.err);
        let object = object(&done);
        assert!(object["ended"].as_str().unwrap().contains(why), "{object}");
        is_whole(&folder, "out", &object);
        folder.pnet(&["merge", "out"]).says(3, &["not everything was looked at"]);
    }
    let alone = folder.pnet(&["explore", "grid.pnet", "--depth", "7", "--format", "json"]);
    let spread = folder.pnet(&grid(&["--depth", "7"]));
    assert_eq!(figures(&object(&alone)), figures(&object(&spread)));
}

// ---- signals ----

/// A process that is ended when it is forgotten.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Running {
    fn start(path: &std::path::Path, args: &[&str]) -> Running {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pnet"));
        let command = command.args(args).current_dir(path).stdin(Stdio::null());
        Running(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
    }

    fn end(mut self) -> Done {
        let (mut out, mut err) = (String::new(), String::new());
        self.0.stdout.take().unwrap().read_to_string(&mut out).unwrap();
        self.0.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        Done { status: self.0.wait().unwrap().code().expect("it was killed"), out, err }
    }

    /// The workers that it started, in order.
    fn workers(&self) -> Vec<u32> {
        let mut found = Vec::new();
        for entry in std::fs::read_dir("/proc").unwrap().flatten() {
            let Ok(id) = entry.file_name().to_string_lossy().parse::<u32>() else { continue };
            let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
            let parent = stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(1));
            let line = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
            let line = String::from_utf8_lossy(&line).into_owned();
            if parent == Some(&self.0.id().to_string()) {
                let number = line.split('\0').skip_while(|arg| *arg != "--as-worker").nth(1);
                found.extend(number.and_then(|number| Some((number.parse::<u32>().ok()?, id))));
            }
        }
        found.sort_unstable();
        found.into_iter().map(|(_, id)| id).collect()
    }
}

fn signal(name: &str, id: u32) {
    let sent = Command::new("kill").args([&format!("-{name}"), &id.to_string()]).status();
    assert!(sent.unwrap().success());
}

/// Waits until something is so; not for ever.
fn until(what: impl Fn() -> bool) {
    let since = Instant::now();
    while !what() {
        assert!(since.elapsed() < Duration::from_secs(60), "it takes too long");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Starts an exploration without an end by two workers, and waits until both have written something.
fn started(folder: &Folder) -> Running {
    let _ = std::fs::remove_dir_all(folder.path().join("out"));
    let running = Running::start(folder.path(), &grid(&[]));
    let size = |worker: u32| {
        let path = folder.path().join(format!("out/shard-{worker}.txt"));
        std::fs::metadata(path).map_or(0, |known| known.len())
    };
    until(|| size(0) > 0 && size(1) > 0);
    running
}

/// Which process is told something.
#[cfg(target_os = "linux")]
type Whom = fn(&Running) -> u32;

#[cfg(target_os = "linux")]
#[test]
fn who_is_told_to_end_leaves_whole_shards() {
    let folder = Folder::new("spread_told", &[("grid.pnet", GRID)]);
    let ways: [(&str, Whom); 3] = [
        ("INT", |running| running.0.id()),
        ("TERM", |running| running.0.id()),
        ("TERM", |running| running.workers()[1]),
    ];
    for (name, whom) in ways {
        let running = started(&folder);
        signal(name, whom(&running));
        let done = running.end();
        assert_eq!(done.status, 3, "{}{}", done.out, done.err);
        let object = object(&done);
        assert_eq!(object["ended"], "stopped");
        is_whole(&folder, "out", &object);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn who_is_gone_is_named() {
    let folder = Folder::new("spread_gone", &[("grid.pnet", GRID)]);
    for worker in 0..2 {
        let running = started(&folder);
        signal("KILL", running.workers()[worker]);
        let done = running.end();
        let why = format!("worker {worker} ended before its time: it was killed by signal 9");
        done.says(3, &[&format!("error: {why}\n")]);
        assert!(!done.err.contains("panicked"), "{}", done.err);
        let object = object(&done);
        assert_eq!((&object["ended"], &object["complete"]), (&why.into(), &false.into()));
        is_whole(&folder, "out", &object);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn who_hangs_is_named_and_ended() {
    let folder = Folder::new("spread_hangs", &[("grid.pnet", GRID)]);
    let _ = std::fs::remove_dir_all(folder.path().join("out"));
    let running = Running::start(folder.path(), &grid(&["--worker-timeout", "4"]));
    until(|| folder.path().join("out/shard-1.txt").exists());
    signal("STOP", running.workers()[1]);
    let done = running.end();
    let why = "worker 1 ended before its time: it said nothing for 4 s, and was ended";
    done.says(3, &[&format!("error: {why}")]);
    let object = object(&done);
    assert!(object["ended"].as_str().is_some_and(|ended| ended.starts_with(why)), "{object}");
    is_whole(&folder, "out", &object);
}

/// Keeps processors busy until it is forgotten.
struct Load(std::sync::Arc<std::sync::atomic::AtomicBool>);

impl Load {
    fn new(threads: usize) -> Load {
        let over = std::sync::Arc::<std::sync::atomic::AtomicBool>::default();
        for _ in 0..threads {
            let over = std::sync::Arc::clone(&over);
            std::thread::spawn(move || {
                while !over.load(std::sync::atomic::Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        Load(over)
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.0.store(true, std::sync::atomic::Ordering::Relaxed);
    }
}

/// Waits for a process that has to end soon.
fn ends_soon(mut running: Running, what: &str) -> Done {
    let since = Instant::now();
    while running.0.try_wait().unwrap().is_none() {
        assert!(since.elapsed() < Duration::from_secs(120), "{what} does not end");
        std::thread::sleep(Duration::from_millis(20));
    }
    running.end()
}

/// Meeting, working and parting must not depend on who is quicker.
#[test]
fn many_runs_end_on_a_busy_machine() {
    let folder = Folder::new("spread_many", &[("stacks.pnet", STACKS)]);
    let (_load, philosophers) = (Load::new(3), example("philosophers.pnet"));
    let kinds: [(&[&str], u64); 4] = [
        (&["explore", "stacks.pnet", "Two", "--workers", "2"], 0),
        (&["explore", &philosophers, "Stubborn<3>", "--workers", "3"], 0),
        (&["explore", &philosophers, "Stubborn<3>", "--workers", "2", "--find", "deadlock"], 0),
        (&["explore", "stacks.pnet", "Two", "--workers", "2", "--depth", "2"], 3),
    ];
    for _ in 0..5 {
        let start = |(args, status): &(&[&str], u64)| {
            (args.join(" "), Running::start(folder.path(), args), *status)
        };
        let running: Vec<_> = kinds.iter().map(start).collect();
        for (what, running, status) in running {
            let done = ends_soon(running, &what);
            assert_eq!(done.status as u64, status, "{what}: {}{}", done.out, done.err);
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn workers_end_when_who_started_them_is_gone() {
    let folder = Folder::new("spread_orphans", &[("grid.pnet", GRID)]);
    let mut running = started(&folder);
    let workers = running.workers();
    running.0.kill().unwrap();
    running.0.wait().unwrap();
    let is_gone = |id: &u32| {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        stat.is_empty() || stat.contains(") Z")
    };
    until(|| workers.iter().all(is_gone));
    for worker in 0..2 {
        assert!(folder.read(&format!("out/shard-{worker}.txt")).ends_with('\n'));
    }
}

// ---- what does not fit ----

#[test]
fn shards_that_are_not_whole_are_told() {
    let folder = Folder::new("spread_broken", &[]);
    let args = ["explore", &example("philosophers.pnet"), "Stubborn<3>", "--workers", "2"];
    let args: Vec<&str> = args.into_iter().chain(["--emit", "shards", "-o", "s"]).collect();
    assert_eq!(folder.pnet(&args).status, 0);
    let (map, shard) = (folder.read("s/map.json"), folder.read("s/shard-1.txt"));
    let wrong = |texts: &[&str]| {
        for command in ["info", "merge"] {
            folder.pnet(&[command, "s"]).says(2, texts);
        }
        folder.write("s/map.json", &map);
        folder.write("s/shard-1.txt", &shard);
    };
    let lines = shard.lines().count();
    folder.write("s/shard-1.txt", &shard[..shard.len() - 3]);
    wrong(&["shard-1.txt", &format!("line {lines} is not whole")]);
    let whole: Vec<&str> = shard.lines().collect();
    folder.write("s/shard-1.txt", &(whole[1..].join("\n") + "\n"));
    wrong(&["shard-1.txt", &format!("it has {} lines, and the map says {lines}", lines - 1)]);
    folder.write("s/shard-1.txt", &shard.replacen("(0:", "(0;", 1));
    wrong(&["shard-1.txt", "is no transition"]);
    folder.write("s/shard-1.txt", &shard.replacen("(0:", "(0:1000", 1));
    wrong(&["shard-1.txt", "which there is not"]);
    folder.write("s/map.json", "{ \"format\": 1 }");
    wrong(&["map.json", "it is no map of shards"]);
    folder.write("s/map.json", &map[..map.len() / 2]);
    wrong(&["map.json", "it is no map of shards"]);
    folder.write("s/map.json", &map.replacen("\"version\": 1", "\"version\": 9", 1));
    wrong(&["version 9"]);
    std::fs::remove_file(folder.path().join("s/shard-0.txt")).unwrap();
    folder.pnet(&["info", "s"]).says(2, &["shard-0.txt", "there is no such file"]);
    std::fs::remove_file(folder.path().join("s/map.json")).unwrap();
    folder.pnet(&["info", "s"]).says(2, &["`s` has no map of shards"]);
    folder.pnet(&["merge", "nowhere"]).says(2, &["no map of shards"]);
}

/// Addresses at which nobody listens just now.
fn hosts(workers: usize) -> String {
    let free = || std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let listeners: Vec<_> = (0..workers).map(|_| free()).collect();
    let lines = listeners.iter().map(|one| format!("{}\n", one.local_addr().unwrap()));
    format!("# the workers\n{}", lines.collect::<String>())
}

fn by_hosts(folder: &Folder, files: [&str; 2], more: [&[&str]; 2]) -> [Done; 2] {
    folder.write("hosts.txt", &hosts(2));
    let start = |worker: usize| {
        let number = worker.to_string();
        let mut args = vec!["explore", files[worker], "--hosts", "hosts.txt", "--worker", &number];
        args.extend(["--format", "json"].iter().chain(more[worker]));
        Running::start(folder.path(), &args)
    };
    let running = [start(0), start(1)];
    running.map(Running::end)
}

#[test]
fn workers_meet_by_their_addresses() {
    let folder = Folder::new("spread_hosts", &[("stacks.pnet", STACKS)]);
    let (one, other) = (["--emit", "shards", "-o", "a"], ["--emit", "shards", "-o", "b"]);
    let both = by_hosts(&folder, ["stacks.pnet"; 2], [&one, &other]);
    let alone = object(&folder.pnet(&["explore", "stacks.pnet", "--format", "json"]));
    for done in &both {
        assert_eq!(done.status, 0, "{}{}", done.out, done.err);
        assert_eq!(figures(&object(done)), figures(&alone));
    }
    assert_eq!(folder.read("a/map.json"), folder.read("b/map.json"));
    folder.pnet(&["info", "a"]).says(2, &["shard-1.txt", "there is no such file"]);
    folder.write("a/shard-1.txt", &folder.read("b/shard-1.txt"));
    folder.pnet(&["info", "a"]).says(0, &[]);
}

#[test]
fn workers_with_other_models_or_options_do_not_work_together() {
    let other = STACKS.replace("size < 3", "size < 2");
    let folder = Folder::new("spread_differ", &[("stacks.pnet", STACKS), ("other.pnet", &other)]);
    for done in by_hosts(&folder, ["stacks.pnet", "other.pnet"], [&[], &[]]) {
        done.says(2, &["has another model", "give all workers the same files"]);
    }
    for done in by_hosts(&folder, ["stacks.pnet"; 2], [&[], &["--depth", "3"]]) {
        done.says(2, &["was asked for something else", "give all workers the same options"]);
    }
}

#[test]
fn options_that_make_no_sense() {
    let folder =
        Folder::new("spread_options", &[("grid.pnet", GRID), ("hosts.txt", "here:1\nthere\n")]);
    let says = |args: &[&str], texts: &[&str]| {
        let mut all = vec!["explore", "grid.pnet"];
        all.extend_from_slice(args);
        folder.pnet(&all).says(2, texts);
    };
    says(&["--workers", "0"], &["--workers"]);
    says(&["--workers", "2", "--depth-first"], &["cannot be used with"]);
    says(&["--workers", "2", "--emit", "aut"], &["pnet merge"]);
    says(&["--workers", "2", "--emit", "shards"], &["needs a folder"]);
    says(&["--emit", "shards", "-o", "x"], &["needs `--workers`"]);
    says(&["--hosts", "hosts.txt"], &["--worker"]);
    says(&["--hosts", "hosts.txt", "--worker", "0"], &["`there`", "is no address"]);
    folder.write("hosts.txt", "here:1\n");
    says(&["--hosts", "hosts.txt", "--worker", "1"], &["no worker 1"]);
    says(&["--hosts", "hosts.txt", "--worker", "0", "--workers", "3"], &["`--workers` says 3"]);
    says(&["--hosts", "gone.txt", "--worker", "0"], &["cannot read `gone.txt`"]);
    folder.pnet_with(&["explore", "-", "--workers", "2"], GRID).says(2, &["has to be a file"]);
}
