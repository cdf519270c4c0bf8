// The picture of a net beside its text, drawn by `pnet build --emit svg` and drawn again when the text is saved.

const vscode = require('vscode');
const { netsOf } = require('./checks');
const program = require('./program');

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
  context.subscriptions.push(vscode.commands.registerCommand('pnet.editor.showPicture', (net) => show(net)));
}

/** @param {unknown} asked */
async function show(asked) {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== 'pnet') {
    vscode.window.showInformationMessage('Open a .pnet file first.');
    return;
  }
  const net = typeof asked === 'string' ? asked : await choose(document);
  if (!net) return;
  const title = `${net} · picture`;
  const panel = vscode.window.createWebviewPanel('pnet.picture', title, vscode.ViewColumn.Beside, {
    enableScripts: false,
    localResourceRoots: [],
  });
  const draw = async () => {
    panel.webview.html = await drawing(document, net, title);
  };
  const saved = vscode.workspace.onDidSaveTextDocument((other) => other.uri.toString() === document.uri.toString() && draw());
  panel.onDidDispose(() => saved.dispose());
  if (document.isDirty) await document.save();
  await draw();
}

/** @param {import('vscode').TextDocument} document @param {string} net @param {string} title */
async function drawing(document, net, title) {
  try {
    const made = await program.run(['build', document.uri.fsPath, net, '--emit', 'svg']);
    if (!made.out.includes('<svg')) return page(title, `<pre>${escaped(made.err || made.out)}</pre>`);
    const data = Buffer.from(made.out).toString('base64');
    return page(title, `<img alt="${escaped(`The net ${net}`)}" src="data:image/svg+xml;base64,${data}">`);
  } catch (failure) {
    program.missing(failure);
    return page(title, '<p>pnet does not start.</p>');
  }
}

/** The net whose picture is wanted; one with parameters is asked for its values. @param {import('vscode').TextDocument} document */
async function choose(document) {
  const nets = netsOf(document.getText());
  const items = nets.map((net) => ({ label: net.plain ? net.name : `${net.name}<…>`, net }));
  if (items.length === 0) return vscode.window.showInputBox({ prompt: 'Which net? A name, or an instance such as Ring<3>' });
  const chosen = items.length === 1 ? items[0] : await vscode.window.showQuickPick(items, { placeHolder: 'Which net?' });
  if (!chosen || chosen.net.plain) return chosen?.net.name;
  const value = `${chosen.net.name}<3>`;
  return vscode.window.showInputBox({ prompt: 'The instance', value, valueSelection: [chosen.net.name.length + 1, value.length - 1] });
}

module.exports = { register };
