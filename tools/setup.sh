#!/bin/sh
# Sees to it that what the build needs is there. Quick and silent when it is.
#
# Rust comes from the person; system packages are installed with apt where apt is there and may be used.
# Elsewhere this says what is missing and leaves the choice to the person.
#
# With `bench`, it sees to what `make bench` compares with, and to nothing else; with `editors`, to what `make test-editors`
# needs; with `test`, also to the browser that `make test` drives.
set -eu
cd "$(dirname "$0")/.."

say() { printf 'setup: %s\n' "$*" >&2; }
have() { command -v "$1" >/dev/null 2>&1; }

# ---- Rust --------------------------------------------------------------------------------------------

# Whether version $1 is at least version $2; both are like 1.90.0.
at_least() {
    awk -v have="$1" -v want="$2" 'BEGIN {
        split(have, h, "."); split(want, w, ".")
        for (i = 1; i <= 3; i++) if (h[i] + 0 != w[i] + 0) exit !(h[i] + 0 > w[i] + 0)
        exit 0
    }'
}

check_rust() {
    if ! have cargo; then
        say "Rust is missing. Get it from https://rustup.rs, open a new shell, and try again."
        exit 1
    fi
    wanted=$(sed -n 's/^rust-version *= *"\(.*\)"/\1/p' Cargo.toml)
    found=$(cargo --version | awk '{ print $2 }' | sed 's/-.*//')
    if ! at_least "$found" "${wanted:-1.0}"; then
        say "Rust $found is too old: $wanted or later is needed. With rustup: rustup update stable"
        exit 1
    fi
    for part in fmt clippy; do
        cargo "$part" --version >/dev/null 2>&1 && continue
        case $part in fmt) component=rustfmt ;; *) component=clippy ;; esac
        if have rustup; then
            say "adding $component, which make test uses"
            rustup --quiet component add "$component" || say "could not add $component"
        else
            say "cargo $part is missing: make test needs $component"
        fi
    done
}

# ---- system packages ---------------------------------------------------------------------------------

# Runs a command as root, or fails.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        sudo -n "$@"
    fi
}

may_use_apt() {
    have apt-get && have dpkg || return 1
    [ "$(id -u)" -eq 0 ] || { have sudo && sudo -n true 2>/dev/null; }
}

# The Debian packages that are not installed, one a line.
missing_packages() {
    for package in libz3-dev pkg-config; do
        dpkg -s "$package" 2>/dev/null | grep -q '^Status: .* installed$' || echo "$package"
    done
    have cc || printf 'gcc\nlibc6-dev\n'
}

apt_get() {
    as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get -qq -y -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@" >/dev/null
}

# Installs the packages it is given; fails when it cannot.
install_packages() {
    say "installing $*"
    apt_get update || say "the package lists could not be renewed; going on with the old ones"
    apt_get install --no-install-recommends "$@"
}

# Whether a C compiler finds z3.h, here or where pkg-config or Homebrew says it is.
z3_header_found() {
    [ -n "${Z3_SYS_Z3_HEADER:-}" ] && [ -f "$Z3_SYS_Z3_HEADER" ] && return 0
    flags=$(pkg-config --cflags z3 2>/dev/null || true)
    if have brew; then
        flags="$flags -I$(brew --prefix)/include"
    fi
    # shellcheck disable=SC2086 # several flags are several words
    have cc && echo '#include <z3.h>' | cc $flags -E -x c - >/dev/null 2>&1
}

# The solvers, and MONA, that the tests ask for a second opinion. Nothing else needs them.
check_solvers() {
    missing=""
    for solver in z3 cvc5 mona; do
        have "$solver" || missing="$missing $solver"
    done
    [ -n "$missing" ] || return 0
    # shellcheck disable=SC2086 # one word per package
    if may_use_apt && install_packages $missing; then
        return 0
    fi
    say "these are missing:$missing; pnet builds and runs without them, but the tests that ask them (smtlib, parametric_mona) fail"
}

# The library that the tests of the grammar for editors parse with. Nothing else needs it.
check_tree_sitter() {
    have cc || return 0
    echo '#include <tree_sitter/api.h>' | cc -E -x c - >/dev/null 2>&1 && return 0
    if may_use_apt && install_packages libtree-sitter-dev; then
        return 0
    fi
    say "the library of tree-sitter is missing; pnet builds and runs without it, but the tests that use it (tree_sitter) fail"
}

# The editors that the tests drive. Nothing else needs them.
check_editors() {
    missing=""
    have nvim || missing="$missing neovim"
    have emacs || missing="$missing emacs-nox elpa-eglot"
    [ -n "$missing" ] || return 0
    # shellcheck disable=SC2086 # one word per package
    if may_use_apt && install_packages $missing; then
        return 0
    fi
    say "these are missing:$missing; pnet builds and runs without them, but the tests that drive them (editors) are skipped"
}

# The browser that the tests of `pnet view` drive. Nothing else needs it.
check_page() {
    missing=""
    have chromium || missing="$missing chromium"
    have chromedriver || missing="$missing chromium-driver"
    [ -n "$missing" ] || return 0
    # shellcheck disable=SC2086 # one word per package
    if may_use_apt && install_packages $missing; then
        return 0
    fi
    if [ -n "${CI:-}" ]; then
        say "these are missing, and cannot be installed from here:$missing; with CI set, the tests of the page (view_browser) fail without them"
        exit 1
    fi
    say "these are missing, and cannot be installed from here:$missing; the tests of the page (view_browser) are skipped"
}

# What explorations and claims about every size are measured beside.
check_yardsticks() {
    missing=""
    have spin || missing="$missing spin"
    have mona || missing="$missing mona"
    have gcc || missing="$missing gcc libc6-dev"
    [ -n "$missing" ] || return 0
    # shellcheck disable=SC2086 # one word per package
    if may_use_apt && install_packages $missing; then
        return 0
    fi
    say "these are missing, and cannot be installed from here:$missing"
    say "what they are missing for is measured by itself, and compared with nothing (SPIN is at https://spinroot.com)"
}

# What drives the extension for VS Code.
check_browser() {
    missing=""
    have chromium || missing="$missing chromium"
    have npm || missing="$missing nodejs npm"
    [ -n "$missing" ] || return 0
    # shellcheck disable=SC2086 # one word per package
    if may_use_apt && install_packages $missing; then
        return 0
    fi
    say "these are needed, and cannot be installed from here:$missing"
    exit 1
}

say_what_to_install() {
    say "these are needed, and cannot be installed from here:"
    have cc || say "  - a C compiler and linker (gcc or clang; Xcode's command line tools on macOS)"
    z3_header_found ||
        say "  - Z3's library and headers (libz3-dev on Debian, z3-devel on Fedora, z3 with Homebrew)"
    have pkg-config || say "  - pkg-config, which finds libraries (pkg-config or pkgconf; optional if Z3 is found)"
}

check_packages() {
    if have dpkg; then
        missing=$(missing_packages)
        [ -n "$missing" ] || return 0
        # shellcheck disable=SC2086 # one word per package
        if may_use_apt && install_packages $missing; then
            return 0
        fi
    fi
    if have cc && z3_header_found; then
        return 0
    fi
    say_what_to_install
    exit 1
}

if [ "${1:-}" = bench ]; then
    check_yardsticks
    exit 0
fi
if [ "${1:-}" = editors ]; then
    check_browser
    exit 0
fi
check_rust
check_packages
check_solvers
check_tree_sitter
if [ "${1:-}" = test ]; then
    check_editors
    check_page
fi
