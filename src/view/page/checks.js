// The checks: run, watched, stopped; and what came of them.
import { ask, ended } from "./ask.js";
import { by, el, many, tellAloud } from "./made.js";
import { on } from "./on.js";
import { actionOf, answer, isFirst, stuck } from "./play.js";

/**
 * @typedef {{ place: number, text: string, file: string, line: number }} Claim
 * @typedef {{ load: (text: string, net: string) => void, play: (play: any, at: number) => void,
 *   light: (net: string, state: string) => void, line: (place: any) => void }} Doing
 */

const KEY = "pnet-checks";
/** The texts that the checks are those of. */
let stamp = "";
let stopped = false;

/** What is known of the checks of these texts. @returns {Record<string, any>} */
function known() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
    return kept.stamp === stamp ? kept.outcomes : {};
  } catch {
    return {};
  }
}

/** @param {number} place @param {any} outcome */
function keep(place, outcome) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ stamp, outcomes: { ...known(), [place]: outcome } }));
  } catch {
    // There is no room for it: after a reload it has to be run again.
  }
}

/** Shows the checks. What is known of the same texts stays. @param {Doing} doing */
export function showChecks(doing) {
  const now = JSON.stringify(on.model.files);
  if (now === stamp) return;
  stamp = now;
  const room = by("checks");
  room.replaceChildren();
  const { claims } = on.model;
  if (!claims.length) return room.append(el("p", { class: "v-small" }, "The model has no checks."));
  const outcomes = known();
  const all = claims.map((/** @type {Claim} */ claim) => check(claim, doing, outcomes[claim.place]));
  const runAll = async () => {
    stopped = false;
    for (const one of all) {
      if (stopped) break;
      await one.run();
    }
  };
  room.append(el("div", { class: "v-row v-first" }, el("button", { id: "runall", on: runAll }, "run all"), el("span", { class: "v-small" }, many(claims.length, "check"))));
  room.append(...all.map((/** @type {any} */ one) => one.shown));
}

/** @param {Claim} claim @param {Doing} doing @param {any} outcome */
function check(claim, doing, outcome) {
  const found = el("div", { class: "v-found" });
  const whole = stamp;
  let job = 0;
  const stop = el("button", { hidden: "", "aria-label": `stop: ${claim.text}`, on: () => { stopped = true; if (job) ask("stop", { job }).catch(() => {}); } }, "stop");
  const run = async () => {
    start.disabled = true;
    try {
      job = (await ask("check", { id: on.model.id, place: claim.place })).job;
      stop.hidden = false;
      const outcome = await ended(job, (progress, seconds) => found.replaceChildren(el("span", { class: "v-small" }, `${seconds.toFixed(1)} s ${progress}`)));
      found.replaceChildren(...told(outcome, doing));
      if (whole === stamp) keep(claim.place, outcome);
      tellAloud(`${outcome.verdict}: ${claim.text}`);
    } catch (why) {
      found.replaceChildren(el("span", { class: "v-unknown" }, /** @type {Error} */ (why).message));
    }
    job = 0;
    stop.hidden = true;
    start.disabled = false;
    markStates();
  };
  const start = el("button", { on: run, "aria-label": `run: ${claim.text}` }, "run");
  const line = el("button", { class: "v-link", on: () => doing.line({ file: claim.file, line: claim.line }) }, `line ${claim.line}`);
  if (outcome) found.replaceChildren(...told(outcome, doing));
  const shown = el("article", { class: "v-check", "data-place": claim.place }, el("h3", {}, claim.text), el("div", { class: "v-row" }, start, stop, line), found);
  return { shown, run };
}

/** @param {any} outcome @param {Doing} doing */
function told(outcome, doing) {
  const parts = [
    el("p", { class: "v-small" }, el("span", { class: `v-verdict v-${outcome.verdict}` }, outcome.verdict), ` ${outcome.answer} · ${outcome.seconds.toFixed(2)} s`),
  ];
  if (outcome.run) parts.push(el("button", { class: "v-walk", on: () => doing.load(outcome.run.text, outcome.run.net) }, "walk through it"));
  if (outcome.play) parts.push(playList(outcome.play, doing));
  if (outcome.by_state) parts.push(byState(outcome.by_state, doing));
  if (outcome.evidence) parts.push(el("details", {}, el("summary", {}, "in words"), el("pre", { class: "v-pre" }, outcome.evidence)));
  return parts;
}

/** A play, move by move: who challenges, and what is answered. @param {any} play @param {Doing} doing */
function playList(play, doing) {
  const list = el("ol", { class: "v-list" });
  play.moves.forEach((/** @type {any} */ move, /** @type {number} */ at) => {
    const mover = isFirst(play, move) ? 0 : 1;
    list.append(el("li", {}, el("button", { class: "v-step", "data-move": at, on: () => doing.play(play, at) },
      el("span", { class: "v-what" }, `${at + 1}. ${actionOf(move.step)}`),
      el("span", { class: "v-small" }, `${play.nets[mover]} moves`),
      el("span", { class: "v-small" }, answer(move, play.nets[1 - mover])))));
  });
  if (!play.moves.length) list.append(el("li", {}, el("button", { class: "v-step", on: () => doing.play(play, 0) }, "show the two nets")));
  return el("details", { open: "" }, el("summary", {}, `the play: ${play.nets[0]} and ${play.nets[1]}`), list,
    stuck(play) && el("p", { class: "v-small" }, stuck(play)), play.more > 0 && el("p", { class: "v-small" }, `… and ${many(play.more, "more move")}`));
}

/** What holds in each state. @param {any} found @param {Doing} doing */
function byState(found, doing) {
  const cell = (/** @type {string} */ net, /** @type {string} */ state) => el("td", {}, el("button", { class: "v-link v-code", "data-net": net, "data-of": state, on: () => doing.light(net, state) }, state));
  const item = found.item && el("details", {}, el("summary", {}, "as an item of the model"), el("pre", { class: "v-pre" }, found.item));
  if (!found.pairs && !found.states) return item || "";
  const head = (/** @type {string[]} */ ...texts) => el("tr", {}, ...texts.map((text) => el("th", { scope: "col" }, text)));
  const table = el("table", { class: "v-table" }, found.pairs ? head(found.nets[0], found.nets[1], "when") : head("state", "what holds there"));
  for (const pair of found.pairs ?? []) table.append(el("tr", {}, cell(found.nets[0], pair.first), cell(found.nets[1], pair.second), el("td", { class: "v-code" }, pair.when ?? "always")));
  for (const one of found.states ?? []) table.append(el("tr", {}, cell("", one.state), el("td", { class: "v-code" }, one.holds ?? "nothing is known")));
  return el("details", {}, el("summary", {}, found.pairs ? `the relation: ${many(found.pairs.length + found.more, "pair")}` : "what holds in each state"), table,
    found.more > 0 && el("p", { class: "v-small" }, `… and ${found.more} more`), item);
}

/** Marks the states of relations and invariants in which the walk is. */
export function markStates() {
  for (const one of by("checks").querySelectorAll("[data-of]")) {
    const { net, of } = one.dataset;
    one.classList.toggle("v-changed", of === on.now?.state && (!net || net === on.model.name));
  }
}
