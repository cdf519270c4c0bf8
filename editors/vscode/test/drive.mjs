// Drives the packaged extension in code-server, by Chromium: what people see is what is looked at.
//
//     node drive.mjs PNET VSIX HOST WORK
//
// HOST has node_modules with code-server and playwright-core; WORK is a folder for what is made on the way.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import path from 'node:path';

const [pnet, vsix, host, work] = process.argv.slice(2).map((given) => path.resolve(given));
const { chromium } = createRequire(path.join(host, 'package.json'))('playwright-core');
const browserPath = ['chromium', 'google-chrome', 'chromium-browser'].map((name) => `/usr/bin/${name}`).find(existsSync);
assert(browserPath, 'no Chromium: `apt install chromium`');

rmSync(work, { recursive: true, force: true });
const folder = path.join(work, 'folder');
mkdirSync(folder, { recursive: true });
writeFileSync(
  path.join(folder, 'light.pnet'),
  `action go, stop;

process Light {
    init state red;
    state green;

    red   -> green : go;
    green -> red   : stop;
}

net Lights { sub L = Light; <L: go> -> go; <L: stop> -> stop; }

check deadlock_free(Lights);
check always(Lights, L in red);
`,
);
writeFileSync(path.join(folder, 'wrong.pnet'), 'action go;\n\nprocess P {\n    init state s;\n    s -> s : og;\n}\n');

const dirs = ['--user-data-dir', path.join(work, 'data'), '--extensions-dir', path.join(work, 'extensions')];
const entry = path.join(host, 'node_modules/code-server/out/node/entry.js');
const settings = path.join(work, 'data/User');
mkdirSync(settings, { recursive: true });
writeFileSync(
  path.join(settings, 'settings.json'),
  JSON.stringify({ 'pnet.path': pnet, 'workbench.startupEditor': 'none', 'testing.automaticallyOpenTestResults': 'neverOpen' }),
);

const installed = spawnSync(process.execPath, [entry, ...dirs, '--install-extension', vsix], { encoding: 'utf8' });
assert.equal(installed.status, 0, installed.stdout + installed.stderr);

const port = await new Promise((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});
const quiet = ['--auth', 'none', '--disable-telemetry', '--disable-update-check', '--disable-workspace-trust'];
const served = spawn(process.execPath, [entry, ...dirs, ...quiet, '--bind-addr', `127.0.0.1:${port}`], { stdio: 'ignore' });

let failed = 0;
const skipped = [];
let page;
/** One thing that is looked at. */
async function step(name, body) {
  const start = Date.now();
  try {
    await body();
    console.log(`ok      ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
  } catch (problem) {
    failed++;
    console.log(`FAILED  ${name}\n${String(problem).split('\n').slice(0, 8).join('\n')}`);
    await page?.screenshot({ path: path.join(work, `failed-${failed}.png`) }).catch(() => {});
  }
}
const command = async (words) => {
  await page.keyboard.press('F1');
  await page.locator('.quick-input-widget input').first().fill(`>${words}`);
  await page.locator('.quick-input-list .monaco-list-row', { hasText: words.split(': ').pop() }).first().click();
};
const open = async (name) => {
  await page.keyboard.press('Control+P');
  await page.locator('.quick-input-widget input').first().fill(name);
  await page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().click();
  await page.locator('.tab.active', { hasText: name }).first().waitFor();
};
const seen = (selector, options = {}) => page.locator(selector, options).first().waitFor({ timeout: 30_000 });

let browser;
try {
  for (let tries = 0; ; tries++) {
    if (await fetch(`http://127.0.0.1:${port}/healthz`).then((answer) => answer.ok, () => false)) break;
    assert(tries < 120, 'code-server does not start');
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
  page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(folder)}`);
  await page.locator('.monaco-workbench').waitFor({ timeout: 60_000 });

  await step('a model is opened as pnet, with colours', async () => {
    await open('light.pnet');
    await seen('.statusbar-item', { hasText: 'pnet' });
    // The words of a line have more than one colour.
    await page.waitForFunction(() => {
      const line = [...document.querySelectorAll('.view-line')].find((one) => one.textContent.includes('process'));
      return line && new Set([...line.querySelectorAll('span span')].map((word) => word.className)).size >= 2;
    });
  });
  await step('checks have a mark in the gutter', async () => {
    await page.waitForFunction(() => document.querySelectorAll('.testing-run-glyph').length >= 2, null, { timeout: 30_000 });
  });
  await step('run from the test view, one check is proved and one refuted', async () => {
    await command('Test: Run All Tests');
    await seen('.glyph-margin-widgets .codicon-testing-passed-icon, .margin-view-overlays .codicon-testing-passed-icon, .cgmr.codicon-testing-passed-icon');
    await seen('.glyph-margin-widgets .codicon-testing-failed-icon, .margin-view-overlays .codicon-testing-failed-icon, .cgmr.codicon-testing-failed-icon');
  });
  await step('the test view lists the checks', async () => {
    await command('Testing: Focus on Test Explorer View');
    await seen('.test-explorer .monaco-list-row', { hasText: 'light.pnet' });
  });
  await step('an edit makes verdicts old', async () => {
    const old = () => {
      const marks = [...document.querySelectorAll('.testing-run-glyph')].filter((one) => /retired|outdated/.test(one.className));
      return marks.length >= 2 || document.querySelectorAll('.test-explorer .retired').length > 0;
    };
    await open('light.pnet');
    assert.equal(await page.evaluate(old), false, 'verdicts are old before the edit');
    await page.locator('.view-line', { hasText: 'action go' }).first().click();
    await page.keyboard.press('End');
    await page.keyboard.type(' ');
    await page.waitForFunction(old, null, { timeout: 10_000 });
    await page.keyboard.press('Control+S');
  });
  await step('the picture of a net is shown', async () => {
    await command('pnet: Show the Picture of a Net');
    await seen('.tab', { hasText: 'Lights · picture' });
    const until = Date.now() + 30_000;
    for (;;) {
      const widths = await Promise.all(
        page.frames().map((frame) => frame.evaluate(() => document.querySelector('img[alt="The net Lights"]')?.naturalWidth ?? 0).catch(() => 0)),
      );
      if (widths.some((width) => width > 50)) break;
      assert(Date.now() < until, 'no picture in the panel');
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    await page.screenshot({ path: path.join(work, 'picture.png') });
  });

  const server = spawnSync(pnet, ['lsp', '--help']).status === 0;
  const steps = {
    'a mistake is underlined': async () => {
      await open('wrong.pnet');
      await seen('.squiggly-error');
    },
    'hovering says what is wrong': async () => {
      await page.locator('.view-line span span', { hasText: 'og' }).last().hover();
      await seen('.monaco-hover', { hasText: 'og' });
    },
    'a quick fix mends it': async () => {
      // The hover may lie over the word, and the menu closes when anything else comes up: so it is asked for again.
      for (let tries = 0; ; tries++) {
        await page.keyboard.press('Escape');
        await page.locator('.view-line span span', { hasText: 'og' }).last().click();
        await page.keyboard.press('Control+.');
        const shown = page.locator('.action-widget').first().waitFor({ timeout: 5_000 });
        if (await shown.then(() => true, () => false)) break;
        assert(tries < 5, 'no menu of quick fixes');
      }
      await page.keyboard.press('Enter');
      await page.waitForFunction(() => [...document.querySelectorAll('.view-line')].some((line) => /:\s*go;/.test(line.textContent.replace(/\u00a0/g, ' '))));
    },
    'checks and nets have lenses': async () => {
      await open('light.pnet');
      await seen('.codelens-decoration a');
      await page.waitForFunction(() => {
        const titles = [...document.querySelectorAll('.codelens-decoration a')].map((lens) => lens.textContent);
        return ['picture', 'automaton', 'explore'].every((title) => titles.some((one) => one.includes(title)));
      });
    },
    'a lens verifies, and a refuted check is a problem': async () => {
      const refuted = () => [...document.querySelectorAll('.codelens-decoration a')].some((lens) => /refuted/.test(lens.textContent));
      await command('Test: Run All Tests');
      await page.waitForFunction(refuted, null, { timeout: 60_000 });
      await seen('.squiggly-error');
    },
    'the page is shown in a window, and its questions are answered': async () => {
      await page.locator('.codelens-decoration a', { hasText: 'explore' }).first().click();
      await seen('.tab', { hasText: 'Lights · explore' });
      const until = Date.now() + 60_000;
      for (;;) {
        const steps = await Promise.all(
          page.frames().map((frame) => frame.evaluate(() => document.querySelectorAll('#steps li').length).catch(() => 0)),
        );
        if (steps.some((count) => count > 0)) break;
        assert(Date.now() < until, 'the page shows no steps');
        await new Promise((resolve) => setTimeout(resolve, 250));
      }
      await page.screenshot({ path: path.join(work, 'explore.png') });
    },
  };
  for (const [name, body] of Object.entries(steps)) {
    if (server) await step(name, body);
    else skipped.push(name);
  }
} finally {
  await browser?.close();
  served.kill();
}
for (const name of skipped) console.log(`NOT RUN ${name}: this pnet has no language server`);
console.log(failed ? `${failed} failed; pictures of them are in ${path.relative('.', work)}` : 'all that was run is well');
process.exit(failed ? 1 : 0);
