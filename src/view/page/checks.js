// The checks: run, watched, stopped; and what came of them.
import { ask, ended } from "./ask.js";
import { by, el } from "./made.js";

/**
 * @typedef {{ place: number, text: string, line: number }} Claim
 * @typedef {{ load: (text: string, net: string) => void, light: (net: string, state: string, step: any) => void,
 *   line: (line: number) => void, say: (text: string, wrong?: boolean) => void }} Doing
 */

/** Shows the checks. @param {Claim[]} claims @param {Doing} doing */
export function showChecks(claims, doing) {
  const room = by("checks");
  room.replaceChildren();
  if (!claims.length) return room.append(el("p", { class: "v-empty" }, "The model has no checks."));
  const all = claims.map((claim) => check(claim, doing));
  room.append(el("div", { class: "v-row" }, el("button", { on: async () => { for (const one of all) await one.run(); } }, "run all")));
  room.append(...all.map((one) => one.shown));
}

/** @param {Claim} claim @param {Doing} doing */
function check(claim, doing) {
  const found = el("div", { "aria-live": "polite" });
  const stop = el("button", { hidden: "", on: () => job && ask("stop", { job }) }, "stop");
  let job = 0;
  const run = async () => {
    start.disabled = true;
    try {
      job = (await ask("check", { place: claim.place })).job;
      stop.hidden = false;
      const outcome = await ended(job, (progress, seconds) => found.replaceChildren(el("span", { class: "v-small" }, `${seconds.toFixed(1)} s ${progress}`)));
      found.replaceChildren(...told(outcome, doing));
    } catch (why) {
      found.replaceChildren(el("span", { class: "v-unknown" }, /** @type {Error} */ (why).message));
    }
    stop.hidden = true;
    start.disabled = false;
  };
  const start = el("button", { on: run, "aria-label": `run: ${claim.text}` }, "run");
  const line = el("button", { on: () => doing.line(claim.line) }, `line ${claim.line}`);
  const shown = el("article", { class: "v-check" }, el("h3", {}, claim.text), el("div", { class: "v-row" }, start, stop, line), found);
  return { shown, run };
}

/** @param {any} outcome @param {Doing} doing */
function told(outcome, doing) {
  const parts = [
    el("p", { class: "v-small" }, el("span", { class: `v-verdict v-${outcome.verdict}` }, outcome.verdict), ` ${outcome.answer} · ${outcome.seconds.toFixed(2)} s`),
  ];
  if (outcome.run) parts.push(el("button", { class: "v-walk", on: () => doing.load(outcome.run.text, outcome.run.net) }, "walk through it"));
  if (outcome.play) parts.push(play(outcome.play, doing));
  if (outcome.by_state) parts.push(byState(outcome.by_state));
  if (outcome.evidence && !outcome.by_state) parts.push(el("details", {}, el("summary", {}, "in words"), el("pre", { class: "v-pre" }, outcome.evidence)));
  return parts;
}

/** A play, move by move: who challenges, and what is answered. @param {any} play @param {Doing} doing */
function play(play, doing) {
  const list = el("ol", { class: "v-list" });
  play.moves.forEach((/** @type {any} */ move, /** @type {number} */ number) => {
    const reply = move.reply.steps?.map((/** @type {any} */ step) => step.action?.text ?? "tau").join(", ");
    const show = () => {
      const place = move.step.net === play.nets[0] ? 0 : 1;
      doing.light(play.nets[place], move.step.from ?? move.at[place], move.step);
      for (const one of list.querySelectorAll("button")) one.classList.toggle("v-now", one === made);
    };
    const made = el("button", { class: "v-step", on: show },
      el("span", { class: "v-what" }, `${number + 1}. ${move.step.action?.text ?? "tau"}`),
      el("span", { class: "v-small" }, `${move.step.net} moves: ${move.step.from} → ${move.step.to}`),
      el("span", { class: "v-small" }, reply ? `answer: ${reply}` : (move.reply.kind ?? "").replaceAll("_", " ")));
    list.append(el("li", {}, made));
  });
  return el("details", { open: "" }, el("summary", {}, `the play: ${play.nets[0]} and ${play.nets[1]}`), list);
}

/** What holds in each state. @param {any} found */
function byState(found) {
  const cell = (/** @type {string} */ text) => el("td", { class: "v-code" }, text);
  const table = el("table", { class: "v-table" });
  for (const pair of found.pairs ?? []) table.append(el("tr", {}, cell(pair.first), cell(pair.second), cell(pair.when ?? "always")));
  for (const one of found.states ?? []) table.append(el("tr", {}, cell(one.state), cell(one.holds ?? "always")));
  if (found.item) return el("details", {}, el("summary", {}, `the invariant of ${found.net}`), el("pre", { class: "v-pre" }, found.item));
  const title = found.pairs ? `the relation, ${found.nets[0]} and ${found.nets[1]}` : "what holds in each state";
  return el("details", {}, el("summary", {}, title), table);
}
