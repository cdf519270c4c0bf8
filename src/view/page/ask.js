// Questions to the server. The token comes in the address' fragment, is taken out of it, and goes with each question.

const KEY = "pnet-token";

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
  let answer;
  try {
    answer = await fetch("/api/" + name, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Pnet-Token": sessionStorage.getItem(KEY) ?? "" },
      body: JSON.stringify(what),
    });
  } catch {
    throw new Error("pnet does not answer: is `pnet view` still running?");
  }
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.problem ?? "something went wrong");
  return found;
}

/**
 * Waits for work to end.
 * @param {number} job @param {(progress: string, seconds: number) => void} tell @returns {Promise<any>}
 */
export async function ended(job, tell) {
  for (let pause = 40; ; pause = Math.min(pause * 1.4, 500)) {
    const found = await ask("job", { job });
    if (found.done) {
      if (found.problem) throw new Error(found.problem);
      return { ...found.result, seconds: found.seconds };
    }
    tell(found.progress, found.seconds);
    await new Promise((go) => setTimeout(go, pause));
  }
}
