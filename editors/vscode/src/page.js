// The page of `pnet view` in a window of VS Code. Its files are those that pnet serves; its questions go through the
// language server, so the window needs no network.

const http = require('node:http');
const vscode = require('vscode');
const client = require('./client');
const { choose, complain, model } = require('./nets');

/** @param {import('vscode').ExtensionContext} context */
function register(context) {
  const ask = async () => {
    const document = model();
    const net = document && (await choose(document.uri.toString()).catch(complain));
    if (document && net) await show(context, document.uri.toString(), net);
  };
  context.subscriptions.push(vscode.commands.registerCommand('pnet.editor.explore', ask));
  client.own.set('pnet.explore', (uri, net) => show(context, uri, net));
}

/** A file of the page. @param {string} address @param {string} name @returns {Promise<string>} */
function got(address, name) {
  return new Promise((resolve, reject) => {
    const asked = http.get(new URL(`/${name}`, address), (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (more) => (text += more));
      answer.on('end', () => (answer.statusCode === 200 ? resolve(text) : reject(new Error(`there is no ${name} on the page`))));
    });
    asked.on('error', reject);
  });
}

/**
 * Writes the files of the page to a folder: those that the page names, and those that these import; the page itself.
 * @param {string} address @param {import('vscode').Uri} folder @returns {Promise<string>}
 */
async function fetched(address, folder) {
  const text = await got(address, '');
  const names = [...text.matchAll(/(?:href|src)="\/([a-z]+\.(?:css|js))"/g)].map((found) => found[1]);
  const known = new Set();
  for (let name = names.pop(); name; name = names.pop()) {
    if (known.has(name)) continue;
    known.add(name);
    const file = await got(address, name);
    await vscode.workspace.fs.writeFile(vscode.Uri.joinPath(folder, name), Buffer.from(file));
    if (name.endsWith('.js')) names.push(...[...file.matchAll(/from "\.\/([a-z]+\.js)"/g)].map((found) => found[1]));
  }
  return text;
}

/** @param {import('vscode').ExtensionContext} context @param {string} uri @param {string} net */
async function show(context, uri, net) {
  try {
    // The page shows the file as it was saved.
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
    if (document.isDirty) await document.save();
    const { uri: address } = await client.run('pnet.explore', [uri, net, { quiet: true }]);
    const folder = vscode.Uri.joinPath(context.globalStorageUri, 'page');
    await vscode.workspace.fs.createDirectory(folder);
    const text = await fetched(address, folder);
    const panel = vscode.window.createWebviewPanel('pnet.page', `${net} · explore`, vscode.ViewColumn.Beside, {
      enableScripts: true,
      retainContextWhenHidden: true,
      localResourceRoots: [folder, vscode.Uri.joinPath(context.extensionUri, 'out')],
    });
    panel.webview.onDidReceiveMessage(async ({ number, name, body }) => {
      const answer = await client.run('pnet.ask', [address, name, body]).catch((failure) => ({
        status: 500,
        body: { problem: failure instanceof Error ? failure.message : String(failure) },
      }));
      panel.webview.postMessage({ number, ...answer });
    });
    panel.webview.html = await html(context, panel.webview, folder, text);
  } catch (failure) {
    complain(failure);
  }
}

/**
 * The page with the addresses of the window, and the bridge before everything else.
 * @param {import('vscode').ExtensionContext} context @param {import('vscode').Webview} webview
 * @param {import('vscode').Uri} folder @param {string} text
 */
async function html(context, webview, folder, text) {
  const of = webview.cspSource;
  const policy = `default-src 'none'; script-src ${of}; style-src ${of}; img-src ${of} data:`;
  const bridge = webview.asWebviewUri(vscode.Uri.joinPath(context.extensionUri, 'out', 'bridge.js'));
  const head = `<meta http-equiv="Content-Security-Policy" content="${policy}"><script src="${bridge}"></script>`;
  return text
    .replace(/<link rel="icon"[^>]*>/, '')
    .replace(/(href|src)="\/([a-z]+\.(?:css|js))"/g, (_, kind, name) => `${kind}="${webview.asWebviewUri(vscode.Uri.joinPath(folder, name))}"`)
    .replace('<head>', `<head>${head}`);
}

module.exports = { register };
