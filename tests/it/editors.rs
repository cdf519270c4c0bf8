//! Editors, driven by their own commands: Neovim and Emacs with the files of `editors/`. Where an editor is missing, its
//! test is skipped aloud; in CI that is an error.

use std::path::{Path, PathBuf};
use std::process::Command;

use pnetc::syntax::token::{CONTEXTUAL, KEYWORDS};

const LIGHT: &str = "\
action go, stop;

process Light {
    init state red;
    state green;

    red   -> green : go   ;
    green -> red   : stop;
}

net Lights {
    sub L = Light;

    <L: go>   -> go;
    <L: stop> -> stop;
}

check deadlock_free(Lights);
check always(Lights, L in red);
";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder with a model, for one editor.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("editor_{name}"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("home")).unwrap();
    std::fs::write(folder.join("light.pnet"), LIGHT).unwrap();
    folder
}

/// Whether an editor is there. It may be missing elsewhere, but not where all is to be tested.
fn is_there(program: &str, what: &str) -> bool {
    if Command::new(program).arg("--version").output().is_ok_and(|run| run.status.success()) {
        return true;
    }
    assert!(
        std::env::var_os("CI").is_none(),
        "`{program}` is missing: `tools/setup.sh` installs it"
    );
    eprintln!(
        "SKIPPED: {what} is not tested, there is no `{program}` (`tools/setup.sh` installs it)"
    );
    false
}

/// Runs a script to its end; each thing that it looks at is a line.
fn drive(command: &mut Command, folder: &Path, least: usize) {
    let limited = Path::new(folder);
    command.current_dir(limited).env("PNET", env!("CARGO_BIN_EXE_pnet"));
    command.env("HOME", folder.join("home")).env_remove("XDG_CACHE_HOME").env_remove("DISPLAY");
    let run = command.output().unwrap();
    let said =
        format!("{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    let passed = said.lines().filter(|line| line.trim_start().starts_with("ok ")).count();
    assert!(
        run.status.success() && !said.contains("FAILED") && passed >= least,
        "{passed} passed\n{said}"
    );
}

#[test]
fn neovim_by_its_own_commands() {
    if !is_there("nvim", "Neovim") {
        return;
    }
    let (plugin, folder) = (root().join("editors/nvim"), folder("nvim"));
    let script = plugin.join("test/drive.lua");
    // A script that hangs is ended: Neovim waits for nobody else.
    let mut command = Command::new("timeout");
    command.args(["--kill-after=5", "300", "nvim", "--clean", "--headless", "--cmd"]);
    command.arg(format!("set runtimepath^={}", plugin.display()));
    // What goes wrong in a script does not end Neovim: this does.
    command.arg("-c").arg(format!("luafile {}", script.display())).args(["-c", "cquit 1"]);
    drive(&mut command, &folder, 20);
}

#[test]
fn emacs_by_its_own_commands() {
    if !is_there("emacs", "Emacs") {
        return;
    }
    let (mode, folder) = (root().join("editors/emacs"), folder("emacs"));
    let mut command = Command::new("timeout");
    command.args(["--kill-after=5", "300", "emacs", "--batch", "-L"]).arg(&mode);
    command.arg("-l").arg(mode.join("test/drive.el"));
    drive(&mut command, &folder, 16);
}

#[test]
fn editors_know_the_words_of_the_language() {
    for (file, quote) in
        [("editors/nvim/syntax/pnet.vim", ""), ("editors/emacs/pnet-mode.el", "\"")]
    {
        let text = std::fs::read_to_string(root().join(file)).unwrap();
        let words: Vec<&str> =
            text.split(|c: char| c.is_whitespace() || "()'".contains(c)).collect();
        for (word, _) in KEYWORDS.iter().chain(CONTEXTUAL) {
            let wanted = format!("{quote}{word}{quote}");
            assert!(words.contains(&wanted.as_str()), "{file} does not know `{word}`");
        }
    }
}
