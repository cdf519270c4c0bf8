// Checks in the test view and in the gutter. A verdict stands as long as the text it is about.

const vscode = require('vscode');
const { checksOf } = require('./checks');
const program = require('./program');

/** @param {import('vscode').ExtensionContext} context */
function register(context) {
  const tests = vscode.tests.createTestController('pnet', 'pnet checks');
  context.subscriptions.push(tests);

  /** @param {import('vscode').TextDocument} document */
  function look(document) {
    if (document.languageId !== 'pnet' || document.uri.scheme !== 'file') return;
    const checks = checksOf(document.getText());
    const id = document.uri.toString();
    if (checks.length === 0) return tests.items.delete(id);
    const name = vscode.workspace.asRelativePath(document.uri);
    const file = tests.items.get(id) ?? tests.createTestItem(id, name, document.uri);
    tests.items.add(file);
    file.children.replace(
      checks.map((check, at) => {
        const item = tests.createTestItem(`${id}#${at}`, check.label, document.uri);
        item.range = new vscode.Range(document.positionAt(check.start), document.positionAt(check.end));
        item.sortText = String(at).padStart(6, '0');
        return item;
      }),
    );
  }

  async function lookEverywhere() {
    for (const uri of await vscode.workspace.findFiles('**/*.pnet', '**/{node_modules,target}/**', 2000)) {
      if (!tests.items.get(uri.toString())) look(await vscode.workspace.openTextDocument(uri));
    }
  }

  tests.resolveHandler = async (item) => {
    if (!item) await lookEverywhere();
  };
  tests.refreshHandler = lookEverywhere;
  context.subscriptions.push(
    vscode.workspace.onDidOpenTextDocument(look),
    vscode.workspace.onDidChangeTextDocument((change) => {
      if (change.contentChanges.length === 0) return;
      look(change.document);
      // What was proved of another text is not known of this one; of files that import it, neither.
      tests.items.forEach((file) => tests.invalidateTestResults(file));
    }),
  );
  vscode.workspace.textDocuments.forEach(look);

  const profile = tests.createRunProfile(
    'Verify',
    vscode.TestRunProfileKind.Run,
    (request, token) => verify(tests, request, token),
    true,
  );
  context.subscriptions.push(profile);
}

/**
 * Runs the checks that were asked for, file by file.
 * @param {import('vscode').TestController} tests
 * @param {import('vscode').TestRunRequest} request
 * @param {import('vscode').CancellationToken} token
 */
async function verify(tests, request, token) {
  const run = tests.createTestRun(request);
  /** @type {Map<import('vscode').TestItem, import('vscode').TestItem[]>} */
  const files = new Map();
  /** @param {import('vscode').TestItem} item */
  const add = (item) => {
    if (request.exclude?.includes(item)) return;
    if (!item.parent) return item.children.forEach(add);
    files.set(item.parent, [...(files.get(item.parent) ?? []), item]);
  };
  if (request.include) request.include.forEach(add);
  else tests.items.forEach(add);
  try {
    for (const [file, items] of files) {
      if (token.isCancellationRequested) break;
      await verifyFile(run, file, items, token);
    }
  } catch (failure) {
    program.missing(failure);
  } finally {
    run.end();
  }
}

/**
 * @param {import('vscode').TestRun} run
 * @param {import('vscode').TestItem} file
 * @param {import('vscode').TestItem[]} items
 * @param {import('vscode').CancellationToken} token
 */
async function verifyFile(run, file, items, token) {
  if (!file.uri) return;
  const document = await vscode.workspace.openTextDocument(file.uri);
  if (document.isDirty) await document.save();
  const version = document.version;
  items.forEach((item) => run.started(item));
  /** @type {string[]} */
  const given = vscode.workspace.getConfiguration('pnet').get('verifyArguments', []);
  // One scenario cannot be asked for: then the whole file is run, and the others are not told about.
  const single = items.length < file.children.size && items.every((item) => !item.label.startsWith('scenario '));
  const wanted = single ? items.flatMap((item) => ['--check', item.label]) : [];
  const answer = await program.run(['verify', '--format', 'json', ...given, ...wanted, file.uri.fsPath], token);
  const outcomes = answer.out.split('\n').filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
  const verdicts = outcomes.filter((outcome) => outcome.verdict);
  run.appendOutput((answer.err || '').replace(/\r?\n/g, '\r\n'));
  items.forEach((item, at) => {
    if (document.version !== version || token.isCancellationRequested) return run.skipped(item);
    // Those that were asked for come in the order they were asked for; the others are known by their lines.
    const own = verdicts.findIndex((one) => one.line === (item.range?.start.line ?? -1) + 1);
    const outcome = single ? verdicts[at] : own < 0 ? undefined : verdicts.splice(own, 1)[0];
    tell(run, item, outcome, outcomes, answer.err);
  });
}

/**
 * @param {import('vscode').TestRun} run
 * @param {import('vscode').TestItem} item
 * @param {any} outcome
 * @param {any[]} all
 * @param {string} said
 */
function tell(run, item, outcome, all, said) {
  const problems = all.filter((one) => !one.verdict).map((one) => one.message).filter(Boolean);
  const words = outcome
    ? `${outcome.verdict}: ${outcome.reason}`
    : ['pnet gave no verdict', ...problems, said.trim()].filter(Boolean).join('\n');
  run.appendOutput(`${item.label}\r\n    ${words.replace(/\r?\n/g, '\r\n')}\r\n`, undefined, item);
  if (outcome?.verdict === 'proved') return run.passed(item, outcome.seconds * 1000);
  const message = new vscode.TestMessage(words);
  if (item.uri && item.range) message.location = new vscode.Location(item.uri, item.range);
  // Unknown is no failure of the claim: it is marked as an error of the run, with the reason.
  if (outcome?.verdict === 'refuted') run.failed(item, message, outcome.seconds * 1000);
  else run.errored(item, message);
}

module.exports = { register };
