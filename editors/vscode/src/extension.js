// pnet in VS Code: what every editor has comes from the language server; here are the test view, pictures and the page.
//
// Commands are called `pnet.editor.…`: the server has others under `pnet.`, which its client makes known.

const vscode = require('vscode');
const client = require('./client');
const page = require('./page');
const picture = require('./picture');
const program = require('./program');
const tests = require('./tests');

/** @param {import('vscode').ExtensionContext} context */
async function activate(context) {
  tests.register(context);
  picture.register(context);
  page.register(context);
  const restart = async () => {
    await client.stop();
    await client.start();
  };
  context.subscriptions.push(
    vscode.commands.registerCommand('pnet.editor.restartServer', restart),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('pnet.path')) restart().catch(program.missing);
    }),
  );
  await client.start().catch(program.missing);
}

module.exports = { activate, deactivate: client.stop };
