// The picture of a net beside its text, drawn by the server from the text as it stands, and drawn again when it is saved.

const vscode = require('vscode');
const client = require('./client');
const { choose, complain, model } = require('./nets');

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

/** A page without scripts: the picture is an image, so nothing in it can act. @param {string} title @param {string} body */
const page = (title, body) => `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>img { background: white; padding: 1em; } pre { white-space: pre-wrap; }</style>
</head><body>${body}</body></html>`;

/** @param {import('vscode').ExtensionContext} context */
function register(context) {
  const ask = async () => {
    const document = model();
    const net = document && (await choose(document.uri.toString()).catch(complain));
    if (document && net) await show(document.uri.toString(), net);
  };
  context.subscriptions.push(vscode.commands.registerCommand('pnet.editor.showPicture', ask));
  client.own.set('pnet.picture', show);
}

/** @param {string} uri @param {string} net */
async function show(uri, net) {
  const title = `${net} · picture`;
  const panel = vscode.window.createWebviewPanel('pnet.picture', title, vscode.ViewColumn.Beside, {
    enableScripts: false,
    localResourceRoots: [],
  });
  const draw = async () => {
    panel.webview.html = await drawing(uri, net, title);
  };
  const saved = vscode.workspace.onDidSaveTextDocument((other) => other.uri.toString() === uri && draw());
  panel.onDidDispose(() => saved.dispose());
  await draw();
}

/** @param {string} uri @param {string} net @param {string} title */
async function drawing(uri, net, title) {
  try {
    const made = await client.run('pnet.picture', [uri, net, { quiet: true }]);
    const data = Buffer.from(made.text).toString('base64');
    return page(title, `<img alt="${escaped(`The net ${net}`)}" src="data:image/svg+xml;base64,${data}">`);
  } catch (failure) {
    return page(title, `<pre>${escaped(failure instanceof Error ? failure.message : String(failure))}</pre>`);
  }
}

module.exports = { register };
