// What the test view finds in a text. `node --test test/`
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';

const { blank, checksOf, netsOf } = createRequire(import.meta.url)('../src/checks.js');

test('comments and texts are blank, and places stay', () => {
  const text = 'a // check x;\r\n/* /* */ check y; */ b "check z;" `q`';
  assert.equal(blank(text).length, text.length);
  assert.equal(blank(text).replace(/\s+/g, ' '), 'a b ');
});

test('checks are found with their words, also over lines and after each other', () => {
  const text = 'net N { }\ncheck not always(N,\n    x == 1); check size(N) == (1, 2);\n// check no(N);\nscenario not "s; t" of N { a; }';
  assert.deepEqual(
    checksOf(text).map((check) => check.label),
    ['not always(N, x == 1)', 'size(N) == (1, 2)', 'scenario not "s; t" of N'],
  );
  assert.equal(text.slice(checksOf(text)[1].start).startsWith('check size'), true);
});

test('nets are found, with or without parameters', () => {
  const nets = netsOf('module m;\nnet A = B;\nprocess P { }\nnet Ring<n: Int>(H: any) { }');
  assert.deepEqual(nets.map(({ name, plain }) => [name, plain]), [['A', true], ['Ring', false]]);
});
