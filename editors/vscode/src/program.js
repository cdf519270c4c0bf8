// The program pnet, as it is set.

const { execFile } = require('node:child_process');
const vscode = require('vscode');

const path = () => vscode.workspace.getConfiguration('pnet').get('path', 'pnet');

/**
 * Runs pnet. What it says is the answer, whatever its status; only a program that does not start is a failure.
 * @param {string[]} given
 * @param {import('vscode').CancellationToken} [token]
 * @returns {Promise<{ status: number, out: string, err: string }>}
 */
function run(given, token) {
  return new Promise((resolve, reject) => {
    const child = execFile(path(), given, { maxBuffer: 1 << 28 }, (failure, out, err) => {
      if (failure && typeof failure.code !== 'number' && !failure.killed) reject(failure);
      else resolve({ status: failure ? Number(failure.code ?? -1) : 0, out, err });
    });
    token?.onCancellationRequested(() => child.kill('SIGINT'));
  });
}

/** Says that pnet does not start, and where to set it. @param {unknown} failure */
async function missing(failure) {
  const open = 'Open Settings';
  const said = failure instanceof Error ? failure.message : String(failure);
  const chosen = await vscode.window.showErrorMessage(`pnet does not start: ${said}`, open);
  if (chosen === open) await vscode.commands.executeCommand('workbench.action.openSettings', 'pnet.path');
}

module.exports = { path, run, missing };
