// Small things that pages are made of.

/** @param {string} id @returns {any} */
export const by = (id) => document.getElementById(id);

/**
 * An element.
 * @param {string} tag @param {Record<string, any>} [with_] attributes; `on` is what a click does
 * @param {...(Node|string|null|undefined|false)} inside @returns {any}
 */
export function el(tag, with_ = {}, ...inside) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(with_)) {
    if (name === "on") made.addEventListener("click", value);
    else if (value !== undefined && value !== null && value !== false) made.setAttribute(name, String(value));
  }
  made.append(.../** @type {(Node|string)[]} */ (inside.filter((one) => one !== null && one !== undefined && one !== false)));
  return made;
}

/** A picture of text. @param {string} text @returns {any} */
export function picture(text) {
  const read = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  return document.importNode(read, true);
}

/** Many of something, in words. @param {number} count @param {string} what */
export const many = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;

/** Says something, where all see it. @param {string} text @param {boolean} [wrong] @param {...Node} more */
export function say(text, wrong = false, ...more) {
  const notice = by("notice");
  notice.replaceChildren(text, ...more);
  notice.hidden = !text;
  notice.classList.toggle("v-wrong", wrong);
}

/** Says something to those who do not see it. @param {string} text */
export const tellAloud = (text) => { by("live").textContent = text; };

/** Says what went wrong. @param {any} why */
export function complain(why) {
  const details = why.details ? [el("pre", { class: "v-pre" }, why.details)] : [];
  say(why.message, true, ...details);
}

/** Does something, and says what went wrong. @param {(...args: any[]) => any} work */
export const tried = (work) => async (/** @type {any[]} */ ...args) => {
  try {
    return await work(...args);
  } catch (why) {
    complain(why);
  }
};

/**
 * Tabs: one of them has the focus, arrows go to the others.
 * @param {string} list @param {string} key @param {(name: string) => any} choose
 * @returns {(name: string) => void} what shows which one was chosen
 */
export function tabs(list, key, choose) {
  const all = () => /** @type {any[]} */ ([...by(list).querySelectorAll("[role=tab]")].filter((one) => !one.hidden));
  by(list).addEventListener("click", (/** @type {any} */ event) => {
    const tab = event.target.closest("[role=tab]");
    if (tab) choose(tab.dataset[key]);
  });
  by(list).addEventListener("keydown", (/** @type {any} */ event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[/** @type {string} */ (event.key)];
    if (!step) return;
    const tabs = all();
    const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
    next.focus();
    choose(next.dataset[key]);
    event.preventDefault();
    event.stopPropagation();
  });
  return (name) => {
    for (const tab of by(list).querySelectorAll("[role=tab]")) {
      tab.setAttribute("aria-selected", String(tab.dataset[key] === name));
      tab.tabIndex = tab.dataset[key] === name ? 0 : -1;
      if (tab.tabIndex === 0) by(list).scrollTo({ left: tab.offsetLeft - by(list).clientWidth / 2 });
    }
  };
}
