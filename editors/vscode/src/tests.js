// Checks in the test view and in the gutter. Which there are, and what they come to, is said by the language server.

const vscode = require('vscode');
const client = require('./client');
const { complain } = require('./nets');

/** How long nobody types before the checks are asked for again, in milliseconds. */
const PAUSE = 300;

/** @param {import('vscode').ExtensionContext} context */
function register(context) {
  const tests = vscode.tests.createTestController('pnet', 'pnet checks');
  context.subscriptions.push(tests);
  /** @type {Map<string, NodeJS.Timeout>} */
  const later = new Map();

  /** @param {import('vscode').Uri} uri */
  async function look(uri) {
    const id = uri.toString();
    if (uri.scheme !== 'file' || !client.runs()) return;
    /** @type {any[]} */
    const checks = await client.run('pnet.checks', [id]).catch(() => []);
    if (checks.length === 0) return tests.items.delete(id);
    const file = tests.items.get(id) ?? tests.createTestItem(id, vscode.workspace.asRelativePath(uri), uri);
    tests.items.add(file);
    file.children.replace(
      checks.map((check) => {
        const item = tests.createTestItem(`${id}#${check.place}`, check.text, uri);
        const { start, end } = check.range;
        item.range = new vscode.Range(start.line, start.character, end.line, end.character);
        item.sortText = String(check.place).padStart(6, '0');
        return item;
      }),
    );
  }

  async function lookEverywhere() {
    for (const uri of await vscode.workspace.findFiles('**/*.pnet', '**/{node_modules,target}/**', 2000)) await look(uri);
  }

  tests.resolveHandler = async (item) => {
    if (!item) await lookEverywhere();
  };
  tests.refreshHandler = lookEverywhere;
  context.subscriptions.push(
    client.onStarted(() => vscode.workspace.textDocuments.filter((one) => one.languageId === 'pnet').forEach((one) => look(one.uri))),
    vscode.workspace.onDidOpenTextDocument((document) => {
      if (document.languageId === 'pnet') look(document.uri);
    }),
    vscode.workspace.onDidChangeTextDocument((change) => {
      const { document } = change;
      if (document.languageId !== 'pnet' || change.contentChanges.length === 0) return;
      const id = document.uri.toString();
      clearTimeout(later.get(id));
      later.set(id, setTimeout(() => look(document.uri), PAUSE));
      // What was proved of another text is not known of this one; of files that import it, neither.
      tests.items.forEach((file) => tests.invalidateTestResults(file));
    }),
  );

  const kind = vscode.TestRunProfileKind.Run;
  context.subscriptions.push(tests.createRunProfile('Verify', kind, (request, token) => verify(tests, request, token), true));
}

/**
 * Runs the checks that were asked for, one after the other.
 * @param {import('vscode').TestController} tests
 * @param {import('vscode').TestRunRequest} request
 * @param {import('vscode').CancellationToken} token
 */
async function verify(tests, request, token) {
  const run = tests.createTestRun(request);
  /** @type {import('vscode').TestItem[]} */
  const items = [];
  /** @param {import('vscode').TestItem} item */
  const add = (item) => {
    if (request.exclude?.includes(item)) return;
    if (item.parent) items.push(item);
    else item.children.forEach(add);
  };
  if (request.include) request.include.forEach(add);
  else tests.items.forEach(add);
  try {
    items.forEach((item) => run.enqueued(item));
    for (const item of items) {
      if (token.isCancellationRequested) run.skipped(item);
      else await verifyOne(run, item, token);
    }
  } catch (failure) {
    complain(failure);
  } finally {
    run.end();
  }
}

/**
 * @param {import('vscode').TestRun} run
 * @param {import('vscode').TestItem} item
 * @param {import('vscode').CancellationToken} token
 */
async function verifyOne(run, item, token) {
  const [uri, place] = [item.id.slice(0, item.id.lastIndexOf('#')), Number(item.id.slice(item.id.lastIndexOf('#') + 1))];
  run.started(item);
  /** @type {any} */
  let check;
  let words;
  try {
    /** @type {any[]} */
    const checks = await client.run('pnet.verify', [uri, place, item.label], token);
    check = checks.find((one) => one.text === item.label);
    words = check?.reason ? `${check.verdict}: ${check.reason}` : 'pnet gave no verdict';
  } catch (failure) {
    if (token.isCancellationRequested) return run.skipped(item);
    words = failure instanceof Error ? failure.message : String(failure);
  }
  run.appendOutput(`${item.label}\r\n    ${words.replace(/\r?\n/g, '\r\n')}\r\n`, undefined, item);
  const milliseconds = (check?.seconds ?? 0) * 1000;
  if (check?.status === 'proved') return run.passed(item, milliseconds);
  const message = new vscode.TestMessage([words, ...(check?.evidence ?? [])].join('\n'));
  if (item.uri && item.range) message.location = new vscode.Location(item.uri, item.range);
  // Unknown is no failure of the claim: it is marked as an error of the run, with the reason.
  if (check?.status === 'refuted') run.failed(item, message, milliseconds);
  else run.errored(item, message);
}

module.exports = { register };
