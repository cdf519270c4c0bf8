// The source, with the lines that matter now.
import { by, el } from "./made.js";
import { on } from "./on.js";

export function showSource() {
  const room = by("source");
  room.replaceChildren();
  const files = [...on.model.files].sort((a, b) => Number(b.name === on.model.file) - Number(a.name === on.model.file));
  for (const file of files) {
    if (files.length > 1) room.append(el("h3", {}, file.name));
    const lines = file.text.replace(/\n$/, "").split("\n");
    room.append(el("ol", { "data-file": file.name }, ...lines.map((/** @type {string} */ line, /** @type {number} */ number) => el("li", { "data-line": number + 1 }, coloured(line)))));
  }
}

/** Comments stand back. @param {string} line */
function coloured(line) {
  const start = line.indexOf("//");
  if (start < 0) return el("span", {}, line || " ");
  return el("span", {}, line.slice(0, start), el("span", { class: "v-comment" }, line.slice(start)));
}

/** Lights lines. @param {any[]} places @param {string} [how] */
export function lightLines(places, how = "v-moved") {
  const room = by("source");
  for (const one of room.querySelectorAll(`.${how}`)) one.classList.remove(how);
  let first = null;
  for (const place of places) {
    const list = [...room.querySelectorAll("ol")].find((one) => one.dataset.file === (place.file ?? on.model.file));
    const line = list?.children[place.line - 1];
    line?.classList.add(how);
    first ??= line;
  }
  if (!first) return;
  const [box, frame] = [first.getBoundingClientRect(), room.getBoundingClientRect()];
  if (box.top < frame.top || box.bottom > frame.bottom) room.scrollBy({ top: (box.top + box.bottom) / 2 - (frame.top + frame.bottom) / 2 });
}
