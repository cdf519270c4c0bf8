// In the window: questions of the page become messages, which the extension puts to the language server.

/** @type {any} */
const host = /** @type {any} */ (globalThis).acquireVsCodeApi();
/** @type {Map<number, (answer: { status: number, body: unknown }) => void>} */
const waiting = new Map();
let last = 0;

window.addEventListener('message', (event) => {
  const answered = waiting.get(event.data.number);
  waiting.delete(event.data.number);
  answered?.(event.data);
});

const network = window.fetch.bind(window);
window.fetch = async (asked, more) => {
  const path = typeof asked === 'string' ? asked : '';
  if (!path.startsWith('/api/')) return network(asked, more);
  const number = ++last;
  const answer = new Promise((resolve) => waiting.set(number, resolve));
  host.postMessage({ number, name: path.slice('/api/'.length), body: JSON.parse(String(more?.body ?? '{}')) });
  const { status, body } = await answer;
  return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });
};
