// Which texts of the page lie on others, and which are too small to be read. What is scrolled away or cut off does not count.
const isShown = (element) => element.checkVisibility({ contentVisibilityAuto: true, opacityProperty: true, visibilityProperty: true, contentVisibilityProperty: true }) && !element.closest(".v-hidden");

function seen(element, { left, right, top, bottom }) {
  for (let around = element; around; around = around.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(around);
    if (overflowX === "visible" && overflowY === "visible") continue;
    const frame = around.getBoundingClientRect();
    [left, right, top, bottom] = [Math.max(left, frame.left), Math.min(right, frame.right), Math.max(top, frame.top), Math.min(bottom, frame.bottom)];
  }
  return right - left > 1 && bottom - top > 1 ? { left, right, top, bottom } : null;
}

const [texts, small] = [[], []];
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const node = walker.currentNode;
  const element = node.parentElement;
  if (!node.textContent.trim() || /^(SCRIPT|STYLE|OPTION|NOSCRIPT|title)$/.test(element.tagName) || !isShown(element)) continue;
  const svg = element.closest("svg");
  const scale = svg ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 1;
  const range = document.createRange();
  range.selectNodeContents(node);
  for (const box of range.getClientRects()) {
    const part = seen(element, box);
    if (!part) continue;
    const text = node.textContent.trim().slice(0, 40);
    if (parseFloat(getComputedStyle(element).fontSize) * scale < 9) small.push(text);
    texts.push({ text, ...part });
  }
}
const lies = [];
texts.forEach((one, at) => texts.slice(0, at).forEach((other) => {
  const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  // The room of a line is a little higher than its letters.
  if (wide > 1.5 && high > 3) lies.push(`\`${one.text}\` on \`${other.text}\``);
}));
return { texts: texts.length, lies, small };
