// Pictures: as the server draws them, with what is so now lit in them.
import { ask, ended } from "./ask.js";
import { by, el, picture, tried } from "./made.js";
import { here, on, shortened } from "./on.js";
import { showPlay } from "./play.js";

/** In charts, letters are never smaller than this part of what they are drawn at: a run is read from its end. */
const LEAST = 0.85;
/** How small and how large pictures can be made. */
const [SMALLEST, LARGEST] = [0.05, 6];

/** How large pictures are; 0 for whatever shows them as a whole. */
let zoom = 0;
/** The open automaton of the net that is shown, once somebody wants to see it. @type {Promise<any> | null} */ let automaton = null;
let asked = 0;
/** @type {(found: any) => any} */ let follow = () => {};

/** Says who is told when somebody chooses a place in a picture. @param {(found: any) => any} then */
export const whenChosen = (then) => { follow = then; };

/** Forgets pictures of another net. */
export const forget = () => { automaton = null; };

const canvas = () => by("canvas");
const drawn = () => canvas().querySelector("svg");

/** The size at which all of a picture is in its panel; never larger than it is drawn. @param {any} svg */
function whole(svg) {
  const { width, height } = svg.viewBox.baseVal;
  const room = getComputedStyle(svg.parentElement);
  const inside = (/** @type {number} */ size, /** @type {string} */ one, /** @type {string} */ other) => size - parseFloat(one) - parseFloat(other);
  const wide = inside(svg.parentElement.clientWidth, room.paddingLeft, room.paddingRight) / width;
  const high = inside(svg.parentElement.clientHeight, room.paddingTop, room.paddingBottom) / height;
  return Math.max(SMALLEST, Math.min(1, on.view === "chart" ? Math.max(LEAST, wide) : Math.min(wide, high)));
}

/** @param {any} svg */
const scaleOf = (svg) => zoom || whole(svg);

/** Gives pictures their sizes. */
export function size() {
  for (const svg of canvas().querySelectorAll("svg")) {
    const { width, height } = svg.viewBox.baseVal;
    // The room must not get bars because of the picture that is to fit into it.
    svg.setAttribute("width", "0");
    svg.setAttribute("height", "0");
    const scale = scaleOf(svg);
    svg.setAttribute("width", String(Math.floor(width * scale)));
    svg.setAttribute("height", String(Math.floor(height * scale)));
  }
  const first = drawn();
  by("full").textContent = first ? `${Math.round(scaleOf(first) * 100)} %` : "–";
  by("fit").setAttribute("aria-pressed", String(!zoom));
}

/** The whole picture, however small; or as it is drawn, to be read. */
export const fit = () => resize(() => 0);
export const full = () => resize(() => 1);
export const fitOrFull = () => (zoom ? fit() : full());

/** @param {number} by_ @param {{ x: number, y: number }} [about] what stays where it is; otherwise where we are, if that is seen */
export const zoomed = (by_, about) => resize((scale) => Math.min(LARGEST, Math.max(SMALLEST, scale * by_)), about);

/** @param {(scale: number) => number} change @param {{ x: number, y: number }} [about] */
function resize(change, about) {
  const svg = drawn();
  if (!svg) {
    // Whoever does not wait for a picture gets it as large as was asked for.
    if (canvas().getAttribute("aria-busy") === "true") zoom = change(zoom || 1);
    return;
  }
  const room = svg.parentElement;
  const { x, y } = about ?? middle(room);
  const before = svg.getBoundingClientRect();
  const part = { x: (x - before.left) / before.width, y: (y - before.top) / before.height };
  zoom = change(scaleOf(svg));
  size();
  const after = svg.getBoundingClientRect();
  room.scrollBy({ left: after.left + part.x * after.width - x, top: after.top + part.y * after.height - y });
  if (!about) see(svg, room);
}

/** The middle of what is lit, where that is in sight, or else of the room. @param {any} room */
function middle(room) {
  const frame = room.getBoundingClientRect();
  const lit = [...room.querySelectorAll(".lit")].map((one) => one.getBoundingClientRect());
  const seen = lit.find((one) => one.left >= frame.left && one.right <= frame.right && one.top >= frame.top && one.bottom <= frame.bottom) ?? frame;
  return { x: (seen.left + seen.right) / 2, y: (seen.top + seen.bottom) / 2 };
}

/** Has the wheel, with Ctrl, and two fingers on a pad change the size; a picture that is too large is moved by dragging it. One that is shown as a whole stays so. */
export function grasp() {
  const room = canvas();
  // Also when a notice or a note takes some of the room; not at once, since bars that go make room, too.
  new ResizeObserver(() => requestAnimationFrame(size)).observe(room);
  room.addEventListener("wheel", (/** @type {WheelEvent} */ event) => {
    if (!(event.ctrlKey || event.metaKey) || !drawn()) return;
    event.preventDefault();
    zoomed(Math.exp(-Math.max(-120, Math.min(120, event.deltaY)) / 400), { x: event.clientX, y: event.clientY });
  }, { passive: false });
  /** @type {{ x: number, y: number, in_: any } | null} */
  let held = null;
  let moved = false;
  room.addEventListener("pointerdown", (/** @type {any} */ event) => {
    moved = false;
    // Fingers scroll anyway.
    const in_ = event.pointerType === "mouse" && event.button === 0 && event.target.closest?.("svg")?.parentElement;
    held = in_ ? { x: event.clientX, y: event.clientY, in_ } : null;
  });
  room.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
    if (!held || !event.buttons) return;
    const [left, top] = [held.x - event.clientX, held.y - event.clientY];
    if (!moved && Math.hypot(left, top) < 4) return;
    moved = true;
    held.in_.scrollBy({ left, top });
    Object.assign(held, { x: event.clientX, y: event.clientY });
  });
  window.addEventListener("pointerup", () => { held = null; });
  // What was dragged was not chosen.
  room.addEventListener("click", (/** @type {Event} */ event) => { if (moved) { event.stopPropagation(); moved = false; } }, true);
}

/** @param {string} text */
function put(text) {
  const room = canvas();
  const before = { left: room.scrollLeft, top: room.scrollTop };
  const made = picture(text);
  room.replaceChildren(made);
  size();
  room.scrollTo(before);
  return made;
}

/** Says something about the picture. @param {string} text */
function note(text) {
  by("note").textContent = text;
  by("note").hidden = !text;
}

/** Shows what is no picture. @param {any} what */
function instead(what) {
  canvas().replaceChildren(what);
  size();
}

/** @param {string} text */
const empty = (text) => instead(el("p", { class: "v-empty" }, text));

/** Shows a picture. @param {string} name */
export function choose(name) {
  if (name !== on.view) zoom = 0;
  on.view = name;
  return showView();
}

/** @type {(name: string) => void} */ let marked = () => {};
/** @param {(name: string) => void} mark */
export const whenShown = (mark) => { marked = mark; };

/** Shows what was chosen, of where the walk is. The panel is busy until it is there, and says what it shows and of which place. */
export const showView = tried(async () => {
  const mine = ++asked;
  const room = canvas();
  marked(on.view);
  note("");
  room.setAttribute("aria-busy", "true");
  room.setAttribute("aria-labelledby", `tab-${on.view}`);
  try {
    await showIt(() => mine === asked);
  } finally {
    if (mine === asked) {
      room.setAttribute("aria-busy", "false");
      room.dataset.shown = `${on.view} ${on.at}`;
    }
  }
});

/** @param {() => boolean} wanted whether it is this that is to be shown, still */
async function showIt(wanted) {
  if (on.view === "play") return showPlay(size);
  if (on.view === "picture") {
    const drawn = put(on.model.drawn.picture);
    light(drawn, on.model.drawn.root, on.now.components, on.now.last);
    return see(drawn);
  }
  if (on.view === "automaton") return showAutomaton(wanted);
  if (!on.now.begun) return empty("The run has not begun.");
  const found = await ask(on.view === "around" ? "around" : "chart", here()).catch((why) => { if (wanted()) throw why; });
  if (!wanted()) return;
  if (found.left_out && on.view === "chart") note(`The last steps are drawn; ${found.left_out} came before them.`);
  if (on.view === "lanes") return instead(el("pre", { class: "v-pre v-lanes" }, found.lanes));
  if (on.view === "chart" && on.at <= on.first) return empty("The chart of a run: make a step first.");
  const drawn = put(found.picture);
  if (on.view === "around") around(drawn, found);
  else see(drawn.querySelector(".step:last-of-type"));
}

/** @param {any} drawn @param {any} found */
function around(drawn, found) {
  const base = shortened().choices;
  for (const place of drawn.querySelectorAll("[data-state]")) {
    const number = parseInt(place.dataset.state, 10);
    const state = found.states[number];
    if (!state) continue;
    place.classList.add("goes");
    place.classList.toggle("lit", number === 0);
    const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
    title.textContent = number === 0 ? `here: ${state.state}` : `go to ${state.state}`;
    place.prepend(title);
    if (number === 0) continue;
    place.setAttribute("tabindex", "0");
    place.setAttribute("role", "button");
    place.setAttribute("aria-label", title.textContent);
    const go = () => follow({ choices: [...base, ...state.choices], also: on.walk.also });
    place.addEventListener("click", go);
    place.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); go(); } });
  }
  note(found.more ? "Only the nearest configurations are drawn, and steps with the values that are tried: … where there is more." : "");
  see(drawn.querySelector(".lit"));
}

/** @param {() => boolean} wanted */
async function showAutomaton(wanted) {
  automaton ??= made();
  const mine = automaton;
  let found;
  try {
    found = await mine;
  } catch (why) {
    // It can be asked for again.
    if (automaton === mine) automaton = null;
    if (wanted()) empty(/** @type {Error} */ (why).message);
    return;
  }
  if (!wanted()) return;
  const drawn = put(found.picture);
  const { state } = on.now;
  for (const place of drawn.querySelectorAll("[data-state]")) place.classList.toggle("lit", place.dataset.state === state);
  walked(drawn, on.now.went ?? []);
  for (const row of drawn.querySelectorAll(".vector")) row.classList.toggle("lit", row.querySelector(".state-name")?.textContent === state);
  see(drawn.querySelector(".lit"));
}

/** Marks the states and arrows that the walk came through, and those that it goes round. @param {any} drawn @param {any[]} went */
function walked(drawn, went) {
  const between = new Map(went.map((one) => [JSON.stringify([one.from, one.to]), one.round]));
  const through = new Map();
  for (const { from, to, round } of went) for (const one of [from, to]) through.set(one, round || through.get(one));
  const mark = (/** @type {any} */ what, /** @type {boolean | undefined} */ round) => {
    what?.classList.toggle("taken", round !== undefined);
    what?.classList.toggle("round", round === true);
  };
  for (const arrow of drawn.querySelectorAll("[data-from]")) mark(arrow, between.get(JSON.stringify([arrow.dataset.from, arrow.dataset.to])));
  for (const place of drawn.querySelectorAll("[data-state]")) mark(place.querySelector(".state:not(.final)"), through.get(place.dataset.state));
}

/** Has the open automaton made, and says how far that is; whoever looks at something else has it stopped. */
async function made() {
  const { id } = on.model;
  const { job } = await ask("automaton", { id });
  const stop = () => ask("stop", { job }).catch(() => {});
  const told = el("p", {}, "The open automaton is being made …");
  const waits = el("div", { class: "v-empty" }, told, el("button", { on: stop }, "stop"));
  return ended(job, (progress, seconds) => {
    if (on.view !== "automaton" || on.model.id !== id) {
      if (on.model.id === id) forget();
      return stop();
    }
    if (!waits.isConnected) instead(waits);
    told.textContent = `The open automaton is being made: ${seconds.toFixed(0)} s ${progress}`;
  });
}

/**
 * Lights the states of components in the picture of a net, and what moved.
 * @param {any} drawn @param {string} root @param {any[]} states @param {any} step @param {string} [how]
 */
export function light(drawn, root, states, step, how = "moved") {
  const within = (/** @type {string} */ path) => (path ? `${root}.${path}` : root);
  /** @type {Map<string, any>} */
  const blocks = new Map([...drawn.querySelectorAll("[data-path]")].map((one) => [one.dataset.path, one]));
  for (const one of states ?? []) {
    for (const place of blocks.get(within(one.path))?.querySelectorAll("[data-state]") ?? []) place.classList.toggle("lit", place.dataset.state === one.state);
  }
  for (const one of drawn.querySelectorAll(`.${how}`)) one.classList.remove(how);
  for (const part of movesOf(step)) {
    const block = blocks.get(within(part.part));
    if (!block) gapFor(blocks, within(part.part))?.classList.add(how);
    for (const arrow of block?.querySelectorAll("[data-from]") ?? []) {
      if (arrow.dataset.from === part.from && arrow.dataset.to === part.to) arrow.classList.add(how);
    }
  }
  for (const hole of step?.holes ?? []) blocks.get(within(hole.what))?.classList.add(how);
}

/** What stands for a member of a family that is not drawn: the gap in the nearest net around it. @param {Map<string, any>} blocks @param {string} path */
function gapFor(blocks, path) {
  for (let end = path.lastIndexOf("."); end > 0; end = path.lastIndexOf(".", end - 1)) {
    const gap = blocks.get(`${path.slice(0, end)}.…`);
    if (gap) return gap;
  }
  return null;
}

/** Who moves in a step, as the page or as a trace has it. @param {any} step @returns {any[]} */
export const movesOf = (step) => step?.moves ?? (step?.by ?? []).flatMap((/** @type {any} */ one) => one.parts);

/** Shows beforehand what a step would move. @param {any} step nothing to show no more */
export function preview(step) {
  if (on.view !== "picture") return;
  const shown = drawn();
  if (shown) light(shown, on.model.drawn.root, [], step, "next");
}

/** Scrolls to what moved, where it is not seen, or to something. @param {any} what @param {any} [room] */
export function see(what, room = by("canvas")) {
  if (!what || (room.scrollWidth <= room.clientWidth && room.scrollHeight <= room.clientHeight)) return;
  let boxes = what.matches?.("svg") ? [...what.querySelectorAll(".arrow.moved, .gap.moved")] : [what];
  if (!boxes.length) boxes = [...what.querySelectorAll(".moved")];
  if (!boxes.length) boxes = [...what.querySelectorAll(".lit")].slice(0, 1);
  if (!boxes.length) return;
  const frame = room.getBoundingClientRect();
  const all = boxes.map((one) => one.getBoundingClientRect());
  const span = Math.max(...all.map((one) => one.right)) - Math.min(...all.map((one) => one.left));
  const high = Math.max(...all.map((one) => one.bottom)) - Math.min(...all.map((one) => one.top));
  // What does not fit as a whole begins with who moves first.
  if (span > frame.width || high > frame.height) all.splice(1);
  const box = { left: Math.min(...all.map((one) => one.left)), right: Math.max(...all.map((one) => one.right)), top: Math.min(...all.map((one) => one.top)), bottom: Math.max(...all.map((one) => one.bottom)) };
  if (box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom) return;
  // What is too wide is read from its beginning.
  const left = box.right - box.left > frame.width ? box.left - frame.left - 8 : (box.left + box.right) / 2 - (frame.left + frame.right) / 2;
  room.scrollBy({ left, top: (box.top + box.bottom) / 2 - (frame.top + frame.bottom) / 2 });
}
