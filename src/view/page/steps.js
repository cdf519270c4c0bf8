// What is possible now, what is not and why, and the holes, which are played by whoever looks.
import { ask } from "./ask.js";
import { by, el, many, tried } from "./made.js";
import { here, on } from "./on.js";
import { preview } from "./pictures.js";
import { lightLines } from "./source.js";

/** @type {{ take: (choice: number) => any, follow: (walk: any) => any, again: () => any }} */
let doing = { take: () => {}, follow: () => {}, again: () => {} };

/** Says who makes steps. @param {typeof doing} what */
export const whenTaken = (what) => { doing = what; };

/** @param {any} step */
export const actionOf = (step) => step.action ?? "tau";

/** The places in the source that a step comes from. @param {any} step @returns {any[]} */
export const placesOf = (step) => [...(step?.moves ?? []), ...(step?.rules ?? [])].map((one) => one.at).filter(Boolean);

export function showSteps() {
  const { now } = on;
  const list = by("steps");
  list.replaceChildren();
  by("steps-title").textContent = now.begun || now.unplayable ? "Possible now" : "Where to begin";
  const unknown = now.unplayable ?? now.unknown;
  if (unknown) {
    list.append(el("li", { class: "v-end-of-run" }, `It is not known what is possible: ${unknown.why}`));
    if (unknown.needs) list.append(el("li", {}, el("button", { id: "trythem", on: () => by("domainform").requestSubmit() }, `try ${guess(unknown.needs)}`)));
  }
  showDomains(unknown?.needs);
  by("holes").replaceChildren();
  if (now.beginnings) return showBeginnings(list);
  if (unknown) return;
  by("steps-title").textContent = `Possible now (${now.count})`;
  if (on.model.holes.length) showHoles();
  if (now.again) list.append(el("li", { class: "v-end-of-run", id: "again" }, now.again));
  if (now.ended) list.append(el("li", { class: "v-end-of-run" + (now.end?.kind === "deadlock" ? " v-wrong" : "") }, now.ended));
  list.append(...now.steps.map((/** @type {any} */ step, /** @type {number} */ place) => el("li", {}, stepButton(step, place))));
  if (now.fitting > now.steps.length) list.append(el("li", { class: "v-small" }, `… ${now.fitting} in all`));
  if (now.limited) list.append(el("li", { class: "v-small" }, "There may be more steps, with values that are not tried."));
}

/** So many who move are named. */
const MOST = 5;

/** @param {any} step @param {number} place */
function stepButton(step, place) {
  const made = el("button", { class: "v-step", "data-step": step.number, on: () => doing.take(step.number) },
    place < 9 && el("kbd", { class: "v-key", "aria-hidden": "true" }, String(place + 1)),
    el("span", { class: "v-what" }, actionOf(step)),
    ...step.holes.map((/** @type {any} */ one) => el("span", { class: "v-small" }, el("span", { class: "v-holename" }, one.what), " does ", el("code", {}, one.value.text))),
    ...step.moves.slice(0, MOST).map(moveLine),
    step.moves.length > MOST && el("span", { class: "v-small" }, `and ${step.moves.length - MOST}${step.more ? " or more" : ""} others`),
    ...step.changes.slice(0, MOST).map((/** @type {any} */ one) => el("span", { class: "v-small v-code" }, `${one.variable}: ${one.before?.text ?? "?"} → ${one.after.text}`)));
  const show = () => { preview(step); lightLines(placesOf(step), "v-next"); };
  const hide = () => { preview(null); lightLines([], "v-next"); };
  made.addEventListener("mouseenter", show);
  made.addEventListener("mouseleave", hide);
  made.addEventListener("focus", show);
  made.addEventListener("blur", hide);
  return made;
}

/** Who moves, from where to where, with guard and effect. @param {any} one */
const moveLine = (one) => el("span", { class: "v-move" },
  el("span", { class: "v-small" }, el("b", {}, one.part || on.model.name), ` ${one.from} → ${one.to}`),
  (one.when || one.does) && el("span", { class: "v-small v-code" },
    one.when && el("span", { class: "v-when" }, `when ${one.when}`), one.when && one.does ? " " : "",
    one.does && el("span", { class: "v-does" }, `do ${one.does}`)));

/** @param {any} list */
function showBeginnings(list) {
  on.now.beginnings.forEach((/** @type {any[]} */ one, /** @type {number} */ place) => {
    const text = one.map((it) => `${it.what} = ${it.value.text}`).join(", ");
    list.append(el("li", {}, el("button", { class: "v-step", "data-step": place + 1, on: () => doing.take(place + 1) },
      place < 9 && el("kbd", { class: "v-key", "aria-hidden": "true" }, String(place + 1)), el("span", { class: "v-what" }, text || "begin"))));
  });
  if (on.now.count > on.now.beginnings.length) list.append(el("li", { class: "v-small" }, `… ${on.now.count} in all`));
}

/** The user plays the holes: what each of them can do now, or what somebody writes. */
function showHoles() {
  for (const { hole, actions, more } of on.now.holes) {
    const chips = actions.map((/** @type {string} */ action) => el("button", {
      class: "v-chip", "aria-pressed": String(on.wanted[hole] === action),
      on: () => { if (on.wanted[hole] === action) delete on.wanted[hole]; else on.wanted[hole] = action; doing.again(); },
    }, action));
    const input = el("input", { placeholder: actions[0] ?? "a(3)", "aria-label": `hole ${hole} does`, autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
    const form = el("form", { class: "v-row", "data-hole": hole }, el("label", {}, input), el("button", {}, "do"));
    form.addEventListener("submit", tried(async (event) => {
      event.preventDefault();
      const found = await ask("hole", here({ hole, action: input.value }));
      if (found.actions.length === 1) on.wanted[hole] = found.actions[0];
      await doing.follow(found.walk);
      if (found.steps.length === 1) await doing.take(found.steps[0]);
    }));
    by("holes").append(el("div", { class: "v-hole", role: "group", "aria-label": `hole ${hole}` }, el("h3", {}, `hole ${hole} does …`),
      el("div", { class: "v-chips" }, ...(chips.length ? chips : [el("span", { class: "v-small" }, "nothing now")]), more > 0 && el("span", { class: "v-small" }, `and ${more} more`)), form));
  }
}

/** Which values are tried. @param {string} [needs] the sort that has none */
function showDomains(needs) {
  by("tried").replaceChildren(el("p", { class: "v-small v-code" }, [...on.model.domains, ...(on.walk.also.length ? [`also ${on.walk.also.join(", ")}`] : [])].join(", ") || "all values of finite sorts"));
  if (!needs) return;
  by("domains").open = true;
  if (!by("domain").value) by("domain").value = guess(needs);
}

/** Some values of a sort. @param {string} sort */
const guess = (sort) => (sort === "Int" ? "Int=0..3" : `${sort}=2`);

let asked = 0;

/** What is not possible is asked for where it is looked at. */
export async function showImpossible() {
  const room = by("impossible");
  const mine = ++asked;
  if (!by("not").open || !on.now.begun || on.now.unknown) return room.replaceChildren();
  const found = await ask("not", here()).catch(() => null);
  if (mine !== asked) return;
  room.replaceChildren();
  for (const one of found?.impossible ?? []) room.append(reason(one));
  if (!found) room.append(el("p", { class: "v-small" }, "It is not known."));
  else if (!found.impossible.length && !found.more) room.append(el("p", { class: "v-small" }, "Every action of the model is possible, or nobody could do it here."));
  if (found?.more) room.append(el("p", { class: "v-small" }, `… and ${many(found.more, "more action")}`));
}

const indent = (/** @type {string} */ line) => line.length - line.trimStart().length;

/** The reason shortly, and all of it where somebody wants to know. @param {any} one */
function reason(one) {
  const lines = one.why.slice(1);
  const ways = lines.filter((/** @type {string} */ line) => indent(line) <= indent(lines[0])).length;
  const next = lines.findIndex((/** @type {string} */ line, /** @type {number} */ at) => at > 0 && indent(line) <= indent(lines[0]));
  const short = lines[(next < 0 ? lines.length : next) - 1]?.trim() ?? "";
  return el("details", { class: "v-why" }, el("summary", {}, el("b", {}, one.action), el("span", { class: "v-small" }, short, ways > 1 ? ` (${ways} ways, none possible)` : "")), reasons(lines));
}

/** Reasons, one below the other. @param {string[]} lines */
export const reasons = (lines) => el("div", { class: "v-reasons" }, ...lines.map((line) => el("p", { class: `v-in${Math.min(6, Math.floor(indent(line) / 2))}` }, line.trim())));
