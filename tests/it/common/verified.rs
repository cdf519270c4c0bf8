//! All examples verified by the command, once for every test that looks at what comes out.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::Value;

/// What `pnet verify` did with an example.
pub struct Verified {
    pub path: String,
    pub status: i32,
    pub out: String,
    pub err: String,
    /// The folder with its certificates.
    pub certificates: PathBuf,
    /// The folder with the runs that verdicts rest on.
    pub traces: PathBuf,
}

impl Verified {
    pub fn objects(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
    }
}

/// Every example with what is said about it.
pub fn examples() -> &'static [Verified] {
    static ALL: OnceLock<Vec<Verified>> = OnceLock::new();
    ALL.get_or_init(|| {
        let all = super::examples();
        let middle = all.len() / 2;
        std::thread::scope(|scope| {
            let halves = [&all[..middle], &all[middle..]];
            let halves = halves.map(|half| {
                scope.spawn(move || half.iter().map(|path| verified(path)).collect::<Vec<_>>())
            });
            halves.into_iter().flat_map(|half| half.join().unwrap()).collect()
        })
    })
}

fn verified(path: &str) -> Verified {
    let [certificates, traces] = ["verified", "verified_runs"].map(|folder| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
        let folder = folder.join(path.replace('/', "-"));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        folder
    });
    let done = Command::new(env!("CARGO_BIN_EXE_pnet"))
        .args(["verify", path, "--format", "json", "--certificate"])
        .arg(&certificates)
        .arg("--traces")
        .arg(&traces)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    Verified {
        path: path.to_owned(),
        status: done.status.code().expect("it was killed"),
        out: String::from_utf8(done.stdout).unwrap(),
        err: String::from_utf8(done.stderr).unwrap(),
        certificates,
        traces,
    }
}
