// Where checks and nets stand in a text. Comments and texts are skipped; the rest is for pnet to judge.

/**
 * The text with comments and quoted texts made blank, so that places stay what they are.
 * @param {string} text
 */
function blank(text) {
  const out = text.split('');
  let at = 0;
  /** @param {number} end */
  const wipe = (end) => {
    for (; at < end; at++) {
      if (out[at] !== '\n' && out[at] !== '\r') out[at] = ' ';
    }
  };
  while (at < text.length) {
    const two = text.slice(at, at + 2);
    if (two === '//') {
      const end = text.slice(at).search(/[\r\n]/);
      wipe(end < 0 ? text.length : at + end);
    } else if (two === '/*') {
      let depth = 1;
      let end = at + 2;
      while (depth > 0 && end < text.length) {
        const next = text.slice(end, end + 2);
        if (next === '/*' || next === '*/') {
          depth += next === '/*' ? 1 : -1;
          end += 2;
        } else end++;
      }
      wipe(end);
    } else if (text[at] === '"' || text[at] === '`') {
      const quoted = /^(["`])[^"`\r\n]*\1/.exec(text.slice(at, at + 1000));
      wipe(at + (quoted ? quoted[0].length : 1));
    } else at++;
  }
  return out.join('');
}

/**
 * The checks and scenarios of a text: where each starts and ends, and what it says on one line.
 * @param {string} text
 * @returns {{ start: number, end: number, label: string }[]}
 */
function checksOf(text) {
  const bare = blank(text);
  const found = [];
  for (const match of bare.matchAll(/(?<=^|[;}])(\s*)(check\b[^;]*(?=;)|scenario\s[^;{}]*?\sof\s[^;{]*(?={))/g)) {
    const start = match.index + match[1].length;
    const end = start + match[2].length;
    const label = text.slice(start, end).trim().replace(/\s+/g, ' ').replace(/^check /, '');
    found.push({ start, end, label });
  }
  return found;
}

/**
 * The nets and processes of a text that have neither parameters to be given, nor a name between back-quotes.
 * @param {string} text
 * @returns {{ start: number, name: string, plain: boolean }[]}
 */
function netsOf(text) {
  const found = [];
  for (const match of blank(text).matchAll(/(?<=^|[;}])(\s*)net\s+([\p{L}_][\p{L}\p{N}_]*)\s*(<)?/gu)) {
    found.push({ start: match.index + match[1].length, name: match[2], plain: !match[3] });
  }
  return found;
}

module.exports = { blank, checksOf, netsOf };
