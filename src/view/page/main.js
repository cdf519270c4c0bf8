// The page: a walk through a net, with all that can be seen from where it is. What is possible is said by the server.
import { ask, ended, takeToken } from "./ask.js";
import { showChecks } from "./checks.js";
import { by, el, many, picture } from "./made.js";

/** @type {any} */ let model = null;
/** @type {any} */ let now = null;
/** The walk, also what was taken back, and how much of it counts. */
let walk = { choices: /** @type {number[]} */ ([]), also: /** @type {string[]} */ ([]) };
let at = 0;
let view = "picture";
let zoom = 0;
let asked = 0;
/** What holes are to do: only such steps are shown. @type {Record<string, string>} */
let wanted = {};
/** @type {any} */ let automaton = null;

const shortened = () => ({ choices: walk.choices.slice(0, at), also: walk.also });

function say(/** @type {string} */ text, wrong = false) {
  const notice = by("notice");
  notice.textContent = text;
  notice.hidden = !text;
  notice.classList.toggle("v-wrong", wrong);
}

/** Does something, and says what went wrong. */
const tried = (/** @type {(...args: any[]) => any} */ work) => async (/** @type {any[]} */ ...args) => {
  try {
    await work(...args);
  } catch (why) {
    say(/** @type {Error} */ (why).message, true);
  }
};

// ---- the walk ----

function remember() {
  const fragment = new URLSearchParams();
  if (model?.asked) fragment.set("net", model.asked);
  if (walk.choices.length) fragment.set("run", walk.choices.join("."));
  if (at !== walk.choices.length) fragment.set("at", String(at));
  if (walk.also.length) fragment.set("also", walk.also.join(","));
  history.replaceState(null, "", "#" + fragment.toString());
}

function recall(/** @type {string} */ text) {
  const fragment = new URLSearchParams(text);
  const run = (fragment.get("run") ?? "").split(".").map(Number).filter((one) => Number.isInteger(one) && one > 0);
  walk = { choices: run, also: (fragment.get("also") ?? "").split(",").filter((one) => /^-?\d+$/.test(one)) };
  const place = Number(fragment.get("at") ?? run.length);
  at = Number.isInteger(place) && place >= 0 ? Math.min(place, run.length) : run.length;
  return fragment.get("net");
}

const move = tried(async () => {
  const mine = ++asked;
  const found = await ask("at", { walk: shortened() });
  if (mine !== asked) return;
  now = found;
  wanted = {};
  say("");
  remember();
  show();
  const more = await ask("not", { walk: shortened() }).catch(() => null);
  if (mine === asked) showImpossible(more);
});

function go(/** @type {number} */ place) {
  at = Math.max(0, Math.min(place, walk.choices.length));
  return move();
}

function take(/** @type {number} */ choice) {
  if (walk.choices[at] !== choice) walk.choices = [...walk.choices.slice(0, at), choice];
  return go(at + 1);
}

function follow(/** @type {any} */ found) {
  walk = found;
  return go(found.choices.length);
}

const random = tried(async (/** @type {number} */ count) => {
  const seed = crypto.getRandomValues(new Uint32Array(1))[0];
  await follow(await ask("random", { walk: shortened(), count, seed }));
});

// ---- what is shown ----

function show() {
  const total = walk.choices.length;
  by("count").textContent = `${at} of ${total}`;
  by("back").disabled = by("first").disabled = at === 0;
  by("forward").disabled = by("last").disabled = at === total;
  showSteps();
  showState();
  showRun();
  showView();
  lightSource();
}

const actionOf = (/** @type {any} */ step) => step.action?.text ?? "tau";

function who(/** @type {any} */ step) {
  const parts = step.by.flatMap((/** @type {any} */ one) => one.parts);
  return parts.map((/** @type {any} */ one) => `${one.part || model.name}: ${one.from} → ${one.to}`);
}

function lineText(/** @type {any} */ place) {
  const file = model.files.find((/** @type {any} */ one) => one.name === (place.file ?? model.file));
  return file?.text.split("\n")[place.line - 1]?.trim() ?? "";
}

function showSteps() {
  const list = by("steps");
  list.replaceChildren();
  const choices = now.position.choices;
  by("steps-title").textContent = now.begun ? "Possible now" : "Where to begin";
  by("holes").replaceChildren();
  if (choices.kind === "unknown") list.append(el("li", { class: "v-small" }, `It is not known what is possible: ${choices.why} (an option of \`pnet view\`)`));
  if (choices.kind === "beginnings") {
    choices.beginnings.forEach((/** @type {any[]} */ one, /** @type {number} */ number) => {
      const text = one.map((it) => `${it.what} = ${it.value.text}`).join(", ");
      list.append(el("li", {}, el("button", { class: "v-step", on: () => take(number + 1) }, el("span", { class: "v-what" }, text || "begin"))));
    });
    return;
  }
  const steps = choices.steps ?? [];
  if (choices.kind === "steps") showHoles(steps);
  let shown = 0;
  steps.forEach((/** @type {any} */ step, /** @type {number} */ number) => {
    const fits = Object.entries(wanted).every(([hole, action]) => step.holes.some((/** @type {any} */ one) => one.what === hole && one.value.text === action));
    if (!fits || shown >= 300) return;
    shown += 1;
    const texts = step.by.flatMap((/** @type {any} */ one) => one.parts).map((/** @type {any} */ one) => lineText(one.at));
    list.append(el("li", {}, el("button", { class: "v-step", "data-step": number + 1, on: () => take(number + 1) },
      number < 9 && el("span", { class: "v-key", "aria-hidden": "true" }, String(number + 1)),
      el("span", { class: "v-what" }, actionOf(step)),
      ...step.holes.map((/** @type {any} */ one) => el("span", { class: "v-small" }, `hole ${one.what} does ${one.value.text}`)),
      ...who(step).map((/** @type {string} */ text) => el("span", { class: "v-small" }, text)),
      ...[...new Set(texts)].filter(Boolean).slice(0, 4).map((text) => el("span", { class: "v-small v-code" }, String(text))),
      ...step.changes.map((/** @type {any} */ one) => el("span", { class: "v-small" }, `${one.variable} := ${one.after.text}`)))));
  });
  if (steps.length > 300) list.append(el("li", { class: "v-small" }, `… ${steps.length} in all`));
  if (now.ended) list.prepend(el("li", { class: "v-end-of-run" + (now.position.end?.kind === "deadlock" ? " v-wrong" : "") }, now.ended));
  if (now.position.limited) list.append(el("li", { class: "v-small" }, "There may be more steps, with values that are not tried."));
}

/** The user plays the holes: what each of them can do now, and other values to try. */
function showHoles(/** @type {any[]} */ steps) {
  if (!model.holes.length) return;
  for (const hole of model.holes) {
    const actions = new Set(steps.flatMap((step) => step.holes.filter((/** @type {any} */ one) => one.what === hole).map((/** @type {any} */ one) => one.value.text)));
    const chips = [...actions].slice(0, 24).map((action) => el("button", {
      class: "v-chip", "aria-pressed": wanted[hole] === action,
      on: () => { if (wanted[hole] === action) delete wanted[hole]; else wanted[hole] = action; showSteps(); },
    }, action));
    by("holes").append(el("div", { class: "v-hole" }, el("h3", {}, `hole ${hole} does …`), el("div", { class: "v-chips" }, ...(chips.length ? chips : [el("span", { class: "v-small" }, "nothing now")]))));
  }
  const input = el("input", { placeholder: "also try a number, as 7", inputmode: "numeric", "aria-label": "also try a number" });
  const form = el("form", { class: "v-row" }, el("label", {}, input), el("button", {}, "try"));
  form.addEventListener("submit", tried(async (event) => {
    event.preventDefault();
    if (!/^-?\d{1,40}$/.test(input.value.trim())) throw new Error("write an integer to try");
    const also = [...new Set([...walk.also, input.value.trim()])];
    const { text } = await ask("text", { walk: shortened() });
    await follow(await ask("load", { text, walk: { choices: [], also } }));
  }));
  by("holes").append(form);
}

function showImpossible(/** @type {any} */ found) {
  const room = by("impossible");
  room.replaceChildren();
  for (const one of found?.impossible ?? []) {
    room.append(el("div", { class: "v-why" }, el("h3", {}, one.action), el("pre", { class: "v-pre" }, one.why.join("\n"))));
  }
  if (!found) room.append(el("p", { class: "v-small" }, "It is not known."));
  else if (!found.impossible.length) room.append(el("p", { class: "v-small" }, "Every action of the model is possible, or nobody could do it here."));
  if (found?.more) room.append(el("p", { class: "v-small" }, `… and ${many(found.more, "more action")}`));
}

function showState() {
  const room = by("state");
  room.replaceChildren();
  if (!now.begun) return room.append(el("p", { class: "v-small" }, "The run has not begun: choose where."));
  const last = now.position.last;
  const changed = new Set((last?.changes ?? []).map((/** @type {any} */ one) => one.variable));
  const moved = new Set((last?.by ?? []).flatMap((/** @type {any} */ one) => one.parts).map((/** @type {any} */ one) => one.part));
  const table = el("table", { class: "v-table" }, el("tr", {}, ...["component", "state", "values"].map((text) => el("th", { scope: "col" }, text))));
  for (const one of now.components) {
    const path = (/** @type {string} */ name) => (one.path ? `${one.path}.${name}` : name);
    const values = one.variables.flatMap((/** @type {any} */ it) => [el("span", { class: changed.has(path(it.what)) ? "v-changed" : "" }, `${it.what} = ${it.value.text}`), el("br")]);
    table.append(el("tr", {}, el("td", {}, one.path || one.process), el("td", {}, el("span", { class: "v-code" + (moved.has(one.path) ? " v-changed" : "") }, one.state)), el("td", { class: "v-code" }, ...values)));
  }
  for (const one of now.constants) table.append(el("tr", {}, el("td", {}, "constant"), el("td"), el("td", { class: "v-code" }, `${one.what} = ${one.value.text}`)));
  room.append(now.components.length || now.constants.length ? table : el("p", { class: "v-small" }, "The net has no components with a state."));
}

function showRun() {
  const list = by("run");
  const first = walk.choices.length - (now.run ? now.run.length + (walk.choices.length - at) : walk.choices.length);
  list.replaceChildren(el("li", {}, el("button", { class: at === first ? "v-now" : "", on: () => go(first) }, "begin")));
  (now.run ?? []).forEach((/** @type {any} */ step, /** @type {number} */ number) => {
    const place = first + number + 1;
    list.append(el("li", {}, el("button", { class: place === at ? "v-now" : "", "aria-current": place === at ? "step" : undefined, on: () => go(place) }, actionOf(step))));
  });
  const ahead = walk.choices.length - at;
  if (ahead > 0) list.append(el("li", {}, el("button", { class: "v-later", on: () => go(walk.choices.length) }, `${many(ahead, "step")} ahead`)));
  list.querySelector(".v-now")?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

// ---- pictures ----

function put(/** @type {string} */ text) {
  const drawn = picture(text);
  by("canvas").replaceChildren(drawn);
  size();
  return drawn;
}

function size() {
  const drawn = by("canvas").querySelector("svg");
  if (!drawn) return;
  const box = drawn.viewBox.baseVal;
  const room = by("canvas");
  // Letters stay readable: what does not fit is scrolled.
  const least = Math.min(1, Math.max(0.72, Math.min((room.clientWidth - 22) / box.width, (room.clientHeight - 22) / box.height)));
  const scale = zoom || least;
  drawn.setAttribute("width", String(box.width * scale));
  drawn.setAttribute("height", String(box.height * scale));
}

/** The whole picture, however small; the second time as large as it is read best. */
function fit() {
  const box = by("canvas").querySelector("svg")?.viewBox.baseVal;
  const room = by("canvas");
  zoom = zoom || !box ? 0 : Math.min(1, (room.clientWidth - 22) / box.width, (room.clientHeight - 22) / box.height);
  size();
}

const showView = tried(async () => {
  for (const tab of document.querySelectorAll("[data-view]")) tab.setAttribute("aria-selected", String(/** @type {any} */ (tab).dataset.view === view));
  const mine = asked;
  const empty = (/** @type {string} */ text) => by("canvas").replaceChildren(el("p", { class: "v-empty" }, text));
  if (view === "picture") return light(put(model.picture));
  if (view === "automaton") return showAutomaton();
  if (!now.begun) return empty("The run has not begun: choose where.");
  const found = await ask(view === "around" ? "around" : "chart", { walk: shortened() });
  if (mine !== asked) return;
  if (view === "lanes") return by("canvas").replaceChildren(el("pre", { class: "v-pre v-lanes" }, found.lanes));
  if (view === "chart" && !now.run.length) return empty("The chart of a run: make a step first.");
  const drawn = put(found.picture);
  if (view === "around") around(drawn, found);
});

function around(/** @type {SVGSVGElement} */ drawn, /** @type {any} */ found) {
  const base = shortened().choices;
  for (const place of drawn.querySelectorAll("[data-state]")) {
    const number = Number(/** @type {any} */ (place).dataset.state);
    const state = found.states[number];
    if (!state) continue;
    place.classList.add("goes");
    place.classList.toggle("lit", number === 0);
    const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
    title.textContent = state.state;
    place.prepend(title);
    place.addEventListener("click", () => follow({ choices: [...base, ...state.choices], also: walk.also }));
  }
  if (found.more) by("canvas").prepend(el("span", { class: "v-hidden" }, "only the nearest configurations are drawn"));
}

const showAutomaton = tried(async () => {
  if (!automaton) {
    const told = el("p", { class: "v-empty" }, "The open automaton is being made …");
    const { job } = await ask("automaton");
    by("canvas").replaceChildren(el("div", { class: "v-empty" }, told, el("button", { on: () => ask("stop", { job }) }, "stop")));
    const found = await ended(job, (progress, seconds) => { told.textContent = `The open automaton is being made: ${seconds.toFixed(0)} s ${progress}`; });
    automaton = found;
  }
  if (view !== "automaton") return;
  const drawn = put(automaton.picture);
  for (const place of drawn.querySelectorAll("[data-state]")) place.classList.toggle("lit", /** @type {any} */ (place).dataset.state === now.state);
});

const pathIn = (/** @type {string} */ path) => (path ? `${model.root}.${path}` : model.root);

/** Lights the states of components, and what moved last. */
function light(/** @type {Element} */ drawn, states = now.components, step = now.position.last) {
  const blocks = new Map([...drawn.querySelectorAll("[data-path]")].map((one) => [/** @type {any} */ (one).dataset.path, one]));
  for (const one of states ?? []) {
    for (const place of blocks.get(pathIn(one.path))?.querySelectorAll("[data-state]") ?? []) place.classList.toggle("lit", place.dataset.state === one.state);
  }
  for (const part of (step?.by ?? []).flatMap((/** @type {any} */ one) => one.parts)) {
    for (const arrow of blocks.get(pathIn(part.part))?.querySelectorAll("[data-from]") ?? []) {
      arrow.classList.toggle("moved", arrow.dataset.from === part.from && arrow.dataset.to === part.to);
    }
  }
  for (const hole of step?.holes ?? []) blocks.get(pathIn(hole.what))?.classList.add("moved");
}

/** Lights a state of a play, where the net is the one that is shown. */
function lightState(/** @type {string} */ net, /** @type {string} */ state, /** @type {any} */ step) {
  const line = step?.by?.[0]?.parts?.[0]?.at ?? step?.by?.[0]?.vectors?.[0]?.at;
  if (net !== model.name) return say(`this move is one of ${net}; choose it above to see it on its picture`);
  const names = state.split(".");
  view = "picture";
  showView();
  const states = model.paths.map((/** @type {string} */ path, /** @type {number} */ place) => ({ path, state: names[place] }));
  light(by("canvas"), states, step);
  if (line) lightLines([line]);
}

// ---- the source ----

function showSource() {
  const room = by("source");
  room.replaceChildren();
  const files = [...model.files].sort((a, b) => Number(b.name === model.file) - Number(a.name === model.file));
  for (const file of files) {
    room.append(el("h3", {}, file.name));
    room.append(el("ol", { "data-file": file.name }, ...file.text.replace(/\n$/, "").split("\n").map((/** @type {string} */ line, /** @type {number} */ number) => el("li", { "data-line": number + 1 }, line || " "))));
  }
}

function lightLines(/** @type {any[]} */ places) {
  for (const one of by("source").querySelectorAll(".v-moved, .v-here")) one.classList.remove("v-moved", "v-here");
  let first = null;
  for (const place of places) {
    const list = [...by("source").querySelectorAll("ol")].find((one) => one.dataset.file === (place.file ?? model.file));
    const line = list?.children[place.line - 1];
    line?.classList.add("v-moved");
    first ??= line;
  }
  if (first && !by("source").hidden) first.scrollIntoView({ block: "center" });
}

function lightSource() {
  const moves = now.position.last?.by ?? [];
  lightLines(moves.flatMap((/** @type {any} */ one) => [...one.parts, ...one.vectors].map((it) => it.at)));
}

function side(/** @type {string} */ name) {
  for (const tab of document.querySelectorAll("[data-side]")) {
    const own = /** @type {any} */ (tab).dataset.side;
    tab.setAttribute("aria-selected", String(own === name));
    by(own).hidden = own !== name;
  }
  if (name === "source" && now) lightSource();
}

// ---- the model ----

async function open(/** @type {string|null} */ net, again = false) {
  if (net || again) await ask("open", net ? { net } : {});
  model = await ask("model");
  model.asked = net;
  automaton = null;
  by("file").textContent = model.file.split("/").pop();
  by("file").title = model.file;
  document.title = `${model.name} · pnet`;
  const names = model.nets.map((/** @type {any} */ one) => one.name);
  if (!names.includes(model.name)) names.unshift(model.name);
  by("net").replaceChildren(...names.map((/** @type {string} */ name) => el("option", { value: name, selected: name === model.name ? "" : undefined }, name)));
  showSource();
  showChecks(model.claims, { load, light: lightState, line: (line) => { side("source"); lightLines([{ line }]); }, say });
}

const load = tried(async (/** @type {string} */ text, /** @type {string} */ net) => {
  if (net && net !== model.name) await open(net);
  await follow(await ask("load", { text, walk: { choices: [], also: walk.also } }));
  await go(0);
  say("this is the run: → goes through it step by step");
});

async function watchFiles() {
  const { fresh } = await ask("fresh").catch(() => ({ fresh: true }));
  if (!fresh && by("notice").hidden) {
    say("the files have changed ");
    by("notice").append(el("button", { on: tried(async () => { await open(model.asked, true); await move(); }) }, "read them again"));
  }
}

// ---- keys and buttons ----

function dialog(/** @type {(Node|string)[]} */ ...inside) {
  by("dialogbody").replaceChildren(...inside);
  by("dialog").showModal();
}

const copy = tried(async () => {
  const { text } = await ask("text", { walk: shortened() });
  const room = el("textarea", { readonly: "", "aria-label": "the run as text" });
  room.value = text;
  dialog(el("p", {}, "The run as text: save it, and ", el("code", {}, `pnet replay run.json ${model.file}`), " checks it."), room);
  room.select();
  await navigator.clipboard?.writeText(text).catch(() => {});
});

function paste() {
  const room = el("textarea", { "aria-label": "a run as text" });
  const use = el("button", { on: () => { by("dialog").close(); load(room.value, ""); } }, "go on with it");
  dialog(el("p", {}, "A run that `save`, `--emit trace` or this page wrote:"), room, el("div", { class: "v-row" }, use));
}

const KEYS = [["1 … 9", "make the step with this number"], ["←  →", "one step back, forward"], ["Home  End", "to the beginning, to the end"], ["r  R", "a random step, ten of them"], ["g", "go to where a property holds"], ["n a e h l", "net, open automaton, around here, chart, lanes"], ["s k c", "state, source, checks"], ["0", "fit the picture"]];

function help() {
  dialog(el("h2", {}, "Keys"), el("table", { class: "v-table" }, ...KEYS.map(([key, what]) => el("tr", {}, el("td", {}, el("kbd", {}, key)), el("td", {}, what)))));
}

function choose(/** @type {string} */ name) {
  view = name;
  zoom = 0;
  return showView();
}

/** @type {Record<string, () => any>} */
const DOES = {
  ArrowLeft: () => go(at - 1), ArrowRight: () => go(at + 1), Home: () => go(0), End: () => go(walk.choices.length),
  r: () => random(1), R: () => random(10), g: () => by("property").focus(), "?": help,
  n: () => choose("picture"), a: () => choose("automaton"), e: () => choose("around"), h: () => choose("chart"), l: () => choose("lanes"),
  s: () => side("state"), k: () => side("source"), c: () => side("checks"), 0: fit,
};

document.addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || /INPUT|SELECT|TEXTAREA/.test(target.tagName) || by("dialog").open || !now) return;
  if (/^[1-9]$/.test(event.key)) {
    const step = document.querySelectorAll("#steps .v-step")[Number(event.key) - 1];
    /** @type {any} */ (step)?.click();
  } else if (DOES[event.key]) DOES[event.key]();
  else return;
  event.preventDefault();
});

by("first").onclick = () => go(0);
by("back").onclick = () => go(at - 1);
by("forward").onclick = () => go(at + 1);
by("last").onclick = () => go(walk.choices.length);
by("random").onclick = () => random(1);
by("random10").onclick = () => random(10);
by("copy").onclick = copy;
by("paste").onclick = paste;
by("help").onclick = help;
by("larger").onclick = () => { zoom = (zoom || 1) * 1.25; size(); };
by("smaller").onclick = () => { zoom = Math.max(0.2, (zoom || 1) / 1.25); size(); };
by("fit").onclick = fit;
by("net").onchange = tried(async () => { walk = { choices: [], also: [] }; at = 0; await open(by("net").value); await move(); });
for (const tab of document.querySelectorAll("[data-view]")) tab.addEventListener("click", () => choose(/** @type {any} */ (tab).dataset.view));
for (const tab of document.querySelectorAll("[data-side]")) tab.addEventListener("click", () => side(/** @type {any} */ (tab).dataset.side));
by("goal").addEventListener("submit", tried(async (event) => {
  event.preventDefault();
  const found = await ask("goal", { walk: shortened(), property: by("property").value });
  const more = found.choices.length - at;
  await follow(found);
  say(more ? `${many(more, "step")} lead there` : "it holds here already");
}));
by("whyform").addEventListener("submit", tried(async (event) => {
  event.preventDefault();
  const answer = by("whyanswer");
  const found = await ask("why", { walk: shortened(), action: by("whyaction").value }).catch((why) => ({ lines: [why.message] }));
  answer.textContent = found.lines.join("\n");
  answer.hidden = false;
}));
window.addEventListener("resize", size);

const begin = tried(async () => {
  side("state");
  const net = recall(takeToken());
  await open(net);
  await move();
  if (!now) { walk = { choices: [], also: [] }; at = 0; await move(); }
  document.body.dataset.ready = "true";
  setInterval(watchFiles, 4000);
});
begin();
