//! `pnet completions`

use clap::CommandFactory;
use clap_complete::Shell;

/// Options of `pnet completions`.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
                  pnet completions bash > ~/.local/share/bash-completion/completions/pnet\n  \
                  pnet completions zsh > ~/.zfunc/_pnet\n  \
                  pnet completions fish > ~/.config/fish/completions/pnet.fish")]
pub(super) struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn run(args: &Args) -> u8 {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut super::Cli::command(), "pnet", &mut script);
    let text = String::from_utf8_lossy(&script);
    u8::from(super::output::write_result(&text, None).is_err()) * super::STATUS_ERROR
}
