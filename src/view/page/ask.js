// Questions to the server. The token comes in the address' fragment, is taken out of it, and goes with each question.

const KEY = "pnet-token";

/** Who asks: of two questions of the same kind, only the newer one matters. */
const PAGE = [...crypto.getRandomValues(new Uint32Array(3))].map((one) => one.toString(16)).join("");

/** What the server says in place of an answer. */
export class Refused extends Error {
  /** @param {{ problem: string, details?: string, needs?: string, gone?: boolean }} told */
  constructor(told) {
    super(told.problem || "something went wrong");
    this.details = told.details ?? "";
    this.needs = told.needs ?? "";
    this.gone = Boolean(told.gone);
  }
}

/** Takes the token out of the fragment. @returns {string} what is left of the fragment */
export function takeToken() {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const token = fragment.get("token");
  if (token) {
    sessionStorage.setItem(KEY, token);
    fragment.delete("token");
    history.replaceState(null, "", "#" + fragment.toString());
  }
  return fragment.toString();
}

/**
 * Asks something.
 * @param {string} name @param {object} [what] @returns {Promise<any>}
 */
export async function ask(name, what = {}) {
  let answer, found;
  try {
    answer = await fetch("/api/" + name, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Pnet-Token": sessionStorage.getItem(KEY) ?? "" },
      body: JSON.stringify({ page: PAGE, ...what }),
    });
    found = await answer.json();
  } catch {
    throw new Error("pnet does not answer: is `pnet view` still running?");
  }
  if (!answer.ok) throw new Error(found.problem ?? "something went wrong");
  if (found.refused) throw new Refused(found.refused);
  return found;
}

/**
 * Waits for work to end.
 * @param {number} job @param {(progress: string, seconds: number) => void} tell @returns {Promise<any>}
 */
export async function ended(job, tell) {
  for (let pause = 10; ; pause = Math.min(pause * 1.5, 400)) {
    const found = await ask("job", { job });
    if (found.done) {
      if (found.refused) throw new Refused(found.refused);
      return { ...found.result, seconds: found.seconds };
    }
    tell(found.progress, found.seconds);
    await new Promise((go) => setTimeout(go, pause));
  }
}

/** Has something worked on, to its end. @param {string} name @param {object} what @param {(progress: string, seconds: number) => void} [tell] */
export const worked = async (name, what, tell = () => {}) => ended((await ask(name, what)).job, tell);
