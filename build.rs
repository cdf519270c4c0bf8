//! Turns the grammars, `grammar/pnet.lalrpop` and `grammar/bip.lalrpop`, into the parsers' tables; nothing else happens at
//! build time.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "a build script talks to cargo and to whoever builds"
)]

fn main() {
    println!("cargo:rerun-if-changed=grammar");
    let out = std::env::var("OUT_DIR").unwrap_or_default();
    let done = lalrpop::Configuration::new().set_in_dir("grammar").set_out_dir(out).process();
    if let Err(problem) = done {
        eprintln!("grammar: {problem}");
        std::process::exit(1);
    }
}
