// The language server: `pnet lsp`. Everything it offers is done by the client library.

const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');
const program = require('./program');

/** @type {import('vscode-languageclient/node').LanguageClient | undefined} */
let client;

async function start() {
  const offered = await program.run(['lsp', '--help']).catch(program.missing);
  if (!offered) return;
  if (offered.status !== 0) {
    vscode.window.showWarningMessage('This pnet has no language server (`pnet lsp`): colours, checks and pictures only.');
    return;
  }
  const command = { command: program.path(), args: ['lsp'] };
  client = new LanguageClient('pnet', 'pnet', command, {
    documentSelector: [{ language: 'pnet' }],
    synchronize: { configurationSection: 'pnet', fileEvents: vscode.workspace.createFileSystemWatcher('**/*.pnet') },
  });
  await client.start();
}

async function stop() {
  const running = client;
  client = undefined;
  await running?.stop();
}

module.exports = { start, stop };
