//! The command `pnet`.

/// A compiler allocates millions of small things: the system's allocator would take a third of the time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    pnetc::cli::run()
}
