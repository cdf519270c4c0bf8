// What the page is about: the model, the walk, and where it is.

/** @type {{ model: any, now: any, walk: { choices: number[], also: string[] }, at: number, first: number, labels: string[],
 *   view: string, wanted: Record<string, string>, net: string|null, domains: string[] }} */
export const on = {
  /** The model as the server told of it, and where the walk is. */
  model: null, now: null,
  /** The walk, also what was taken back, and how much of it counts. */
  walk: { choices: [], also: [] }, at: 0,
  /** With how many choices a walk begins, and what its steps show. */
  first: 0, labels: [],
  /** Which picture is shown. */
  view: "picture",
  /** What holes are to do: only such steps are shown. */
  wanted: {},
  /** What was asked for: a net, and which values are tried. */
  net: null, domains: [],
};

/** The walk up to where it is. */
export const shortened = () => ({ choices: on.walk.choices.slice(0, on.at), also: on.walk.also });

/** A question about the walk. @param {object} [more] */
export const here = (more = {}) => ({ id: on.model.id, walk: shortened(), ...more });

let waiting = 0;

/** Writes the walk into the address, soon: browsers do not like to be told too often. */
export function remember() {
  clearTimeout(waiting);
  waiting = setTimeout(write, 100);
}

window.addEventListener("pagehide", write);

/** Writes the walk into the address at once: what is written while a page is left comes too late for a reload. */
export function write() {
  if (!on.model) return;
  const fragment = new URLSearchParams();
  if (on.net) fragment.set("net", on.net);
  if (on.walk.choices.length) fragment.set("run", on.walk.choices.join("."));
  if (on.at !== on.walk.choices.length) fragment.set("at", String(on.at));
  if (on.walk.also.length) fragment.set("also", on.walk.also.join(","));
  for (const domain of on.domains) fragment.append("domain", domain);
  history.replaceState(null, "", "#" + fragment.toString());
}

/** Reads the walk from the address. @param {string} text */
export function recall(text) {
  const fragment = new URLSearchParams(text);
  const run = (fragment.get("run") ?? "").split(".").map(Number).filter((one) => Number.isInteger(one) && one > 0);
  on.walk = { choices: run, also: (fragment.get("also") ?? "").split(",").filter((one) => /^-?\d+$/.test(one)) };
  const place = Number(fragment.get("at") ?? run.length);
  on.at = Number.isInteger(place) && place >= 0 ? Math.min(place, run.length) : run.length;
  on.net = fragment.get("net");
  on.domains = fragment.getAll("domain").filter(Boolean);
}
