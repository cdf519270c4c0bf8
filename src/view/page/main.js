// The page: a walk through a net, with all that can be seen from where it is. What is possible is said by the server.
import { ask, ended, Refused, takeToken, worked } from "./ask.js";
import { markStates, showChecks } from "./checks.js";
import { by, complain, el, many, say, tabs, tellAloud, tried } from "./made.js";
import { here, on, recall, remember, write } from "./on.js";
import { choose, fit, fitOrFull, forget, full, grasp, light, showView, size, whenChosen, whenShown, zoomed } from "./pictures.js";
import { closePlay, openPlay, turn } from "./play.js";
import { lightLines, showSource } from "./source.js";
import { actionOf, placesOf, reasons, showImpossible, showSteps, whenTaken } from "./steps.js";

let asked = 0;

// ---- the walk ----

/** Asks where the walk is, and shows it. The list of steps is busy until it is that of this place. */
async function look() {
  const mine = ++asked;
  by("steps").setAttribute("aria-busy", "true");
  try {
    const found = await position(() => mine === asked);
    if (mine !== asked) return;
    on.now = found;
    remember();
    show();
  } finally {
    if (mine === asked) by("steps").setAttribute("aria-busy", "false");
  }
}

/** What is known of where the walk is. What is no longer kept by the server is opened again. @param {() => boolean} wanted whether somebody waits for it */
async function position(wanted, again = false) {
  try {
    return await ask("at", here({ wanted: on.wanted }));
  } catch (why) {
    if (!wanted()) return null;
    if (why instanceof Refused && why.gone && !again) {
      await open();
      return position(wanted, true);
    }
    // Where it cannot begin, its picture and its checks are still shown.
    if (!(why instanceof Refused) || (!why.needs && on.at > 0)) throw why;
    return { begun: false, unplayable: { why: why.message, needs: why.needs }, components: [], constants: [] };
  }
}

/** @param {number} place */
const go = tried(async (place) => {
  const before = on.at;
  on.at = Math.max(0, Math.min(place, on.walk.choices.length));
  if (on.at !== before) on.wanted = {};
  const focused = by("steps").contains(document.activeElement) || by("holes").contains(document.activeElement);
  say("");
  try {
    await look();
  } catch (why) {
    on.at = before;
    throw why;
  }
  if (focused) (document.querySelector("#steps .v-step") ?? by("steps-title")).focus({ preventScroll: true });
});

/** @param {number} choice */
async function take(choice) {
  const { walk, at } = on;
  // What is listed belongs to another place: the answer about this one is on its way.
  if (on.now?.walk?.choices.length !== at) return;
  if (walk.choices[at] !== choice) {
    const label = on.now?.steps?.find((/** @type {any} */ one) => one.number === choice);
    walk.choices = [...walk.choices.slice(0, at), choice];
    on.labels = on.labels.slice(0, Math.max(0, at - on.first));
    if (label) on.labels.push(actionOf(label));
    else on.first = Math.max(on.first, on.now?.beginnings ? 1 : 0);
  }
  await go(at + 1);
}

/** Goes to the end of a walk. @param {any} found @param {number} [place] */
async function follow(found, place = found.choices.length) {
  const { first, labels } = await ask("labels", { id: on.model.id, walk: found });
  on.walk = { choices: found.choices, also: found.also };
  on.first = first;
  on.labels = labels;
  on.wanted = {};
  await go(place);
}

/** @param {number} count */
const random = tried(async (count) => {
  const seed = crypto.getRandomValues(new Uint32Array(1))[0];
  await follow(await ask("random", here({ count, seed })));
});

// ---- what is shown ----

function show() {
  const total = on.walk.choices.length;
  by("count").textContent = `${on.at} of ${total}`;
  by("back").disabled = by("first").disabled = on.at === 0;
  by("forward").disabled = by("last").disabled = on.at === total;
  showSteps();
  showState();
  showRun();
  showView();
  showImpossible();
  markStates();
  lightLines(placesOf(on.now.last));
  const count = on.now.count ?? 0;
  tellAloud(`${on.now.last ? `step ${on.at - on.first}: ${actionOf(on.now.last)}. ` : ""}${on.now.ended ?? `${many(count, "choice")} now`}`);
}

function showState() {
  const room = by("state");
  room.replaceChildren();
  const { now } = on;
  if (!now.begun) return room.append(el("p", { class: "v-small" }, "The run has not begun."));
  const changed = new Set((now.last?.changes ?? []).map((/** @type {any} */ one) => one.variable));
  const moved = new Set((now.last?.moves ?? []).map((/** @type {any} */ one) => one.part));
  const values = now.components.some((/** @type {any} */ one) => one.variables.length) || now.constants.length;
  const table = el("table", { class: "v-table" }, el("tr", {}, ...["component", "state", ...(values ? ["values"] : [])].map((text) => el("th", { scope: "col" }, text))));
  for (const one of now.components) {
    const path = (/** @type {string} */ name) => (one.path ? `${one.path}.${name}` : name);
    const own = one.variables.map((/** @type {any} */ it) => el("div", {}, el("span", { class: changed.has(path(it.what)) ? "v-changed" : "" }, `${it.what} = ${it.value.text}`)));
    table.append(el("tr", {}, el("td", {}, one.path || one.process), el("td", {}, el("span", { class: "v-code" + (moved.has(one.path) ? " v-changed" : "") }, one.state)), values ? el("td", { class: "v-code" }, ...own) : null));
  }
  for (const one of now.constants) table.append(el("tr", {}, el("td", {}, "constant"), el("td"), el("td", { class: "v-code" }, `${one.what} = ${one.value.text}`)));
  room.append(now.components.length || now.constants.length ? table : el("p", { class: "v-small" }, "The net has no components with a state."));
  if (now.more_components) room.append(el("p", { class: "v-small" }, `… and ${many(now.more_components, "more component")}`));
}

/** The run, its end and what is near: a run of thousands of steps has no button for each. */
function showRun() {
  const { first, at } = on;
  const item = (/** @type {string} */ text, /** @type {number} */ place) => el("li", {}, el("button", {
    class: place === at ? "v-now" : place > at ? "v-later" : "", "aria-current": place === at ? "step" : undefined, on: () => go(place),
  }, text));
  const from = Math.max(0, at - first - 60);
  const near = on.labels.slice(from, from + 120);
  by("run").replaceChildren(item("begin", first), from ? el("li", { class: "v-small" }, `… ${from} steps …`) : "",
    ...near.map((label, place) => item(label, first + from + place + 1)),
    from + near.length < on.labels.length ? el("li", { class: "v-small" }, `… ${on.labels.length - from - near.length} more`) : "");
  const now = by("run").querySelector(".v-now");
  if (now) by("run").scrollTo({ left: now.offsetLeft - by("run").clientWidth / 2 });
}

const markSide = tabs("sides", "side", side);

/** @param {string} name */
function side(name) {
  markSide(name);
  for (const one of ["state", "checks"]) by(one).hidden = one !== name;
}

// ---- the model ----

/** Opens a net; nothing of what is shown changes where that cannot be done. */
async function open(net = on.net, domains = on.domains) {
  const model = await worked("open", { net, domains }, (progress, seconds) => { if (seconds > 0.5) say(`the net is being made: ${seconds.toFixed(0)} s ${progress}`); });
  Object.assign(on, { model, net, domains, wanted: {} });
  forget();
  closePlay();
  if (on.view === "play") on.view = "picture";
  by("file").textContent = model.file.split("/").pop();
  by("file").title = model.file;
  document.title = `${model.name} · pnet`;
  const names = model.nets.map((/** @type {any} */ one) => one.name);
  if (!names.includes(model.name)) names.unshift(model.name);
  by("net").replaceChildren(...names.map((/** @type {string} */ name) => el("option", { value: name, selected: name === model.name ? "" : undefined }, name)));
  showSource();
  showChecks({ load, play, light: lightState, line: (place) => lightLines([place], "v-here") });
}

/** Looks at another net, from its beginning. @param {string} net */
const change = tried(async (net) => {
  try {
    await open(net);
  } finally {
    by("net").value = on.model.name;
  }
  Object.assign(on, { walk: { choices: [], also: [] }, at: 0, first: 0, labels: [] });
  write();
  await go(0);
});

/** Opens the model again, as it is now or with other values, and goes where the walk was if it still can. @param {string[]} [domains] */
async function reopen(domains = on.domains) {
  const place = on.at;
  const whole = { id: on.model.id, walk: on.walk };
  const text = await ask("text", whole).then((found) => found.text, () => null);
  await open(on.net, domains);
  Object.assign(on, { at: 0, first: 0, labels: [] });
  try {
    if (text === null) throw new Error("the run could not be kept: it begins again");
    await follow(await ask("load", { id: on.model.id, text, walk: { choices: [], also: on.walk.also } }), place);
    say("");
  } catch (why) {
    on.walk = { choices: [], also: on.walk.also };
    await go(0);
    if (text !== null) say(`the run begins again: ${/** @type {Error} */ (why).message}`);
  }
}

/** @param {string} text @param {string} net */
const load = tried(async (text, net) => {
  if (net && net !== on.model.name) await open(net);
  const found = await ask("load", { id: on.model.id, text, walk: { choices: [], also: on.walk.also } });
  await choose("picture");
  await follow(found, 0);
  say("this is the run: → goes through it step by step");
});

/** @param {any} shown @param {number} at */
const play = tried(async (shown, at) => {
  await openPlay(shown, at);
  await choose("play");
});

/** Lights a state of a relation or an invariant, where the net is the one that is shown. */
const lightState = tried(async (/** @type {string} */ net, /** @type {string} */ state) => {
  if (net && net !== on.model.name) return say(`this is a state of ${net}: choose it above to see it on its picture`);
  await choose("picture");
  const names = state.split(".");
  light(by("canvas"), on.model.drawn.root, on.model.drawn.paths.map((/** @type {string} */ path, /** @type {number} */ place) => ({ path, state: names[place] })), null);
  say(`the picture shows ${state}; the walk is in ${on.now.state}`);
});

/** The files of which it was told that they are others. */
let toldOf = "";

async function watchFiles() {
  if (document.hidden) return;
  const found = await ask("fresh", { id: on.model.id }).catch(() => ({ fresh: true }));
  if (found.fresh || (found.files === toldOf && !by("notice").hidden)) return;
  toldOf = found.files;
  say("the files have changed ", false, el("button", { id: "reread", on: tried(() => reopen()) }, "read them again"));
}

// ---- keys and buttons ----

/** @param {string} title @param {...(Node|string)} inside */
function dialog(title, ...inside) {
  by("dialogbody").replaceChildren(el("h2", { id: "dialogtitle" }, title), ...inside);
  by("dialog").showModal();
}

const copy = tried(async () => {
  const { text } = await ask("text", here());
  const room = el("textarea", { id: "runtext", readonly: "", "aria-label": "the run as text" });
  room.value = text;
  dialog("The run as text", el("p", {}, "Save it, and ", el("code", {}, `pnet replay run.json ${on.model.file}`), " checks it."), room);
  room.select();
  await navigator.clipboard?.writeText(text).catch(() => {});
});

function paste() {
  const room = el("textarea", { id: "runtext", "aria-label": "a run as text" });
  const use = el("button", { id: "use", on: () => { by("dialog").close(); load(room.value, ""); } }, "go on with it");
  dialog("A saved run", el("p", {}, "What `save`, `--emit trace` or this page wrote:"), room, el("div", { class: "v-row" }, use));
}

const KEYS = [["1 … 9", "make the step with this number"], ["←  →", "one step back, forward; in a play, one move"], ["Home  End", "to the beginning, to the end"], ["r  R", "a random step, ten of them"], ["g", "go to where a property holds"], ["n a e h l p", "net, open automaton, around here, chart, lanes, play"], ["s c", "state, checks"], ["w", "what is not possible, and why"], ["y", "copy the run"], ["+ − 0", "larger, smaller; the whole picture, or as it is read best; also Ctrl and the wheel"], ["f", "the picture alone, or all panels"]];

function help() {
  dialog("Keys", el("table", { class: "v-table" }, ...KEYS.map(([key, what]) => el("tr", {}, el("td", {}, el("kbd", {}, key)), el("td", {}, what)))));
}

/** The picture alone, or all panels. */
function wide() {
  const alone = document.body.classList.toggle("v-alone");
  by("wide").setAttribute("aria-pressed", String(alone));
  size();
}

/** @param {number} by_ */
const step = (by_) => (on.view === "play" && turn(by_) ? showView() : go(on.at + by_));

/** @type {Record<string, () => any>} */
const DOES = {
  ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => go(0), End: () => go(on.walk.choices.length),
  r: () => random(1), R: () => random(10), g: () => by("property").focus(), "?": help, y: copy,
  n: () => choose("picture"), a: () => choose("automaton"), e: () => choose("around"), h: () => choose("chart"), l: () => choose("lanes"),
  p: () => !by("tab-play").hidden && choose("play"),
  s: () => side("state"), c: () => side("checks"), w: () => { by("not").open = !by("not").open; },
  f: wide, 0: fitOrFull, "+": () => zoomed(1.25), "-": () => zoomed(0.8),
};

document.addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || /INPUT|SELECT|TEXTAREA/.test(target.tagName) || by("dialog").open || !on.now) return;
  if (/^[1-9]$/.test(event.key)) /** @type {any} */ (document.querySelectorAll("#steps .v-step")[Number(event.key) - 1])?.click();
  else if (DOES[event.key]) DOES[event.key]();
  else return;
  event.preventDefault();
});

by("first").onclick = () => go(0);
by("back").onclick = () => go(on.at - 1);
by("forward").onclick = () => go(on.at + 1);
by("last").onclick = () => go(on.walk.choices.length);
by("random").onclick = () => random(1);
by("random10").onclick = () => random(10);
by("copy").onclick = copy;
by("paste").onclick = paste;
by("help").onclick = help;
by("larger").onclick = () => zoomed(1.25);
by("smaller").onclick = () => zoomed(0.8);
by("fit").onclick = fit;
by("full").onclick = full;
grasp();
by("wide").onclick = wide;
by("net").onchange = () => change(by("net").value);
by("not").addEventListener("toggle", tried(() => on.now && showImpossible()));
by("goal").addEventListener("submit", tried(async (/** @type {Event} */ event) => {
  event.preventDefault();
  const place = on.at;
  const { job } = await ask("goal", here({ property: by("property").value }));
  by("stopgoal").hidden = false;
  by("stopgoal").onclick = () => ask("stop", { job }).catch(() => {});
  try {
    const found = await ended(job, (progress, seconds) => { if (seconds > 0.5) say(`on the way there: ${seconds.toFixed(0)} s ${progress}`); });
    await follow(found);
    const more = found.choices.length - place;
    say(more ? `${many(more, "step")} lead${more === 1 ? "s" : ""} there` : "it holds here already");
  } finally {
    by("stopgoal").hidden = true;
  }
}));
by("whyform").addEventListener("submit", tried(async (/** @type {Event} */ event) => {
  event.preventDefault();
  const found = await ask("why", here({ action: by("whyaction").value })).catch((why) => ({ lines: [why.message] }));
  by("whyanswer").replaceChildren(reasons(found.lines));
  by("whyanswer").hidden = false;
}));
by("domainform").addEventListener("submit", tried(async (/** @type {Event} */ event) => {
  event.preventDefault();
  const given = by("domain").value.split(",").map((/** @type {string} */ one) => one.trim()).filter(Boolean);
  const sort = (/** @type {string} */ one) => one.split("=")[0].trim();
  const kept = on.domains.filter((one) => !given.some((/** @type {string} */ other) => sort(other) === sort(one)));
  await reopen([...kept, ...given]);
  by("domain").value = "";
}));
whenTaken({ take, follow, again: tried(() => look()) });
whenChosen(tried(follow));
whenShown(tabs("views", "view", choose));

async function begin() {
  side("state");
  by("not").open = matchMedia("(min-width: 861px)").matches;
  recall(takeToken());
  try {
    await open();
  } catch (why) {
    // The address names a net that is no more: the one that was asked for is shown.
    if (!on.net && !on.domains.length) throw why;
    Object.assign(on, { walk: { choices: [], also: [] }, at: 0 });
    await open(null, []);
    complain(why);
  }
  try {
    if (on.walk.choices.length) await follow(on.walk, on.at);
    else await look();
  } catch (why) {
    Object.assign(on, { walk: { choices: [], also: [] }, at: 0, first: 0, labels: [] });
    await look();
    complain(why);
  }
  document.body.dataset.ready = "true";
  setInterval(watchFiles, 3000);
}
begin().catch(complain);
