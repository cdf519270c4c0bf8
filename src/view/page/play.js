// A play that refutes a check: both nets side by side, one makes a step, the other answers, until it cannot.
import { worked } from "./ask.js";
import { by, el, picture, tellAloud } from "./made.js";
import { on } from "./on.js";
import { light, see } from "./pictures.js";

/** The play that is shown, where in it, and the pictures of its nets. @type {{ play: any, at: number, drawn: any[] } | null} */
let shown = null;

/** Begins to show a play. @param {any} play @param {number} at */
export async function openPlay(play, at) {
  if (!shown || shown.play !== play) {
    const drawn = await Promise.all([0, 1].map((place) => worked("drawn", { net: play.nets[place], domains: on.domains }).catch((why) => ({ problem: why.message }))));
    shown = { play, at, drawn };
  } else shown.at = at;
  by("tab-play").hidden = false;
}

/** Forgets the play. */
export function closePlay() {
  shown = null;
  by("tab-play").hidden = true;
}

/** Goes on in the play, or back. @param {number} by_ @returns {boolean} whether there is one */
export function turn(by_) {
  if (!shown) return false;
  shown.at = Math.max(0, Math.min(shown.play.moves.length - 1, shown.at + by_));
  return true;
}

/** Whether the first net makes the step. @param {any} play @param {any} move */
export const isFirst = (play, move) => (play.nets[0] === play.nets[1] ? move.step.from === move.at[0] : move.step.net === play.nets[0]);

/** @param {any} step */
export const actionOf = (step) => step.action?.text ?? "tau";

/** What the other net does about a move, in words. @param {any} move @param {string} other */
export function answer(move, other) {
  if (move.reply.kind === "step") return `${other} answers ${actionOf(move.reply)}`;
  return move.reply.kind === "stays" ? `${other} stays where it is` : `${other} has no answer`;
}

/** How a play ends where it is not by a step that is not answered. @param {any} play */
export const stuck = (play) => (play.stuck ? `in the end ${play.nets[0]} is stuck in ${play.stuck[0]}, and ${play.nets[1]} in ${play.stuck[1]} is not` : "");

/** Shows where the play is. @param {() => void} size */
export function showPlay(size) {
  if (!shown) return by("canvas").replaceChildren(el("p", { class: "v-empty" }, "No play is shown: run a check that is refuted."));
  const { play, at, drawn } = shown;
  const move = play.moves[at];
  const last = play.moves.length - 1;
  const mover = move ? (isFirst(play, move) ? 0 : 1) : 0;
  const told = move ? `${at + 1} of ${last + 1}: ${play.nets[mover]} does ${actionOf(move.step)}; ${answer(move, play.nets[1 - mover])}` : stuck(play);
  const go = (/** @type {number} */ by_) => () => { turn(by_); showPlay(size); by(by_ < 0 ? "playback" : "playon")?.focus(); };
  const bar = el("div", { class: "v-playbar" },
    el("button", { id: "playback", on: go(-1), disabled: at <= 0 ? "" : undefined, "aria-label": "move before" }, "◀"),
    el("button", { id: "playon", on: go(1), disabled: at >= last ? "" : undefined, "aria-label": "next move" }, "▶"),
    el("p", { id: "playtold" }, told, at >= last && play.stuck ? `; ${stuck(play)}` : ""));
  const figures = [0, 1].map((place) => {
    const state = move ? move.at[place] : play.stuck?.[place];
    const step = move && (place === mover ? move.step : move.reply.kind === "step" ? move.reply : null);
    const caption = el("figcaption", {}, el("b", {}, play.nets[place]), ` in ${state ?? "its first state"}`, place === mover && move ? " makes the step" : "");
    const whole = drawn[place];
    if (!whole.picture) return el("figure", { class: "v-figure" }, caption, el("p", { class: "v-empty" }, `There is no picture: ${whole.problem}`));
    const made = picture(whole.picture);
    const names = (state ?? "").split(".");
    light(made, whole.root, whole.paths.map((/** @type {string} */ path, /** @type {number} */ n) => ({ path, state: names[n] })), step);
    return el("figure", { class: "v-figure" + (place === mover ? " v-mover" : "") }, caption, el("div", { class: "v-scroll", tabindex: "0", role: "group", "aria-label": `picture of ${play.nets[place]}` }, made));
  });
  by("canvas").replaceChildren(el("div", { class: "v-play" }, bar, el("div", { class: "v-figures" }, ...figures)));
  for (const one of document.querySelectorAll(".v-list [data-move]")) one.classList.toggle("v-now", Number(/** @type {any} */ (one).dataset.move) === at);
  tellAloud(told);
  size();
  for (const room of document.querySelectorAll(".v-scroll")) see(room.querySelector("svg"), room);
}
