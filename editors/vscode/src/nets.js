// Which net somebody means.

const vscode = require('vscode');
const client = require('./client');

/** The model that is looked at. */
function model() {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId === 'pnet') return document;
  vscode.window.showInformationMessage('Open a .pnet file first.');
  return undefined;
}

/** A net of a model, as its user chooses it. @param {string} uri @returns {Promise<string | undefined>} */
async function choose(uri) {
  /** @type {{ name: string }[]} */
  const nets = await client.run('pnet.nets', [uri]);
  const other = 'another instance, such as Ring<3> …';
  const names = [...nets.map((net) => net.name).reverse(), other];
  const chosen = nets.length === 1 ? names[0] : await vscode.window.showQuickPick(names, { placeHolder: 'Which net?' });
  if (chosen !== other) return chosen;
  return vscode.window.showInputBox({ prompt: 'The instance, as in a check' });
}

/** Says why something cannot be shown. @param {unknown} failure */
function complain(failure) {
  vscode.window.showErrorMessage(`pnet: ${failure instanceof Error ? failure.message : String(failure)}`);
}

module.exports = { model, choose, complain };
