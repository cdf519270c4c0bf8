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
  made.append(...inside.filter((one) => one !== null && one !== undefined && one !== false));
  return made;
}

/** A picture of text. @param {string} text @returns {SVGSVGElement} */
export function picture(text) {
  const read = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  return /** @type {any} */ (document.importNode(read, true));
}

/** Many of something, in words. @param {number} count @param {string} what */
export const many = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;
