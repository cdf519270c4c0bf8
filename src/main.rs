//! The command `pnet`.

fn main() -> std::process::ExitCode {
    pnetc::cli::run()
}
