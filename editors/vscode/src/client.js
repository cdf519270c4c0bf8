// The language server: `pnet lsp`. What every editor has is done by the client library; here are the commands that VS Code
// shows in windows of its own.

const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');
const program = require('./program');

/** @type {import('vscode-languageclient/node').LanguageClient | undefined} */
let client;
/** @type {vscode.EventEmitter<void>} */
const started = new vscode.EventEmitter();
/** Commands that are shown here, and not by the server. @type {Map<string, (...given: any[]) => unknown>} */
const own = new Map();

async function start() {
  const offered = await program.run(['lsp', '--help']).catch(program.missing);
  if (!offered) return;
  if (offered.status !== 0) {
    vscode.window.showWarningMessage('This pnet has no language server (`pnet lsp`): colours and snippets only.');
    return;
  }
  const command = { command: program.path(), args: ['lsp'] };
  client = new LanguageClient('pnet', 'pnet', command, {
    documentSelector: [{ language: 'pnet' }],
    initializationOptions: settings(),
    synchronize: { configurationSection: 'pnet', fileEvents: vscode.workspace.createFileSystemWatcher('**/*.pnet') },
    middleware: {
      executeCommand: (command, given, next) => (own.has(command) ? own.get(command)?.(...given) : next(command, given)),
    },
  });
  await client.start();
  started.fire();
}

function settings() {
  const set = vscode.workspace.getConfiguration('pnet');
  return Object.fromEntries(['lenses', 'inlayHints', 'verifyOnSave', 'timeout'].map((name) => [name, set.get(name)]));
}

async function stop() {
  const running = client;
  client = undefined;
  await running?.stop();
}

/**
 * Runs a command of the server.
 * @param {string} command @param {unknown[]} given @param {import('vscode').CancellationToken} [token]
 * @returns {Promise<any>}
 */
async function run(command, given, token) {
  if (!client) throw new Error('the language server of pnet does not run');
  const asked = { command, arguments: given };
  // A token that is not there would be sent as a second parameter.
  return token ? client.sendRequest('workspace/executeCommand', asked, token) : client.sendRequest('workspace/executeCommand', asked);
}

/** Whether the server runs. */
const runs = () => client !== undefined;

module.exports = { start, stop, run, runs, own, onStarted: started.event };
