// @ts-check
// Elements of HTML and SVG from a name, attributes and children; nothing cleverer than that.

/** @typedef {string | number | Node | null | undefined | false} Child */
/** @typedef {Record<string, unknown>} Props */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An HTML element. Props: `class`, `dataset` (object), `text`, functions named `onclick` and so on
 * become listeners, true and false set and leave out an attribute, null and undefined leave it out;
 * `value`, `checked`, `disabled`, `hidden` and `selected` are set as properties.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Props} [props]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(name, props = {}, ...children) {
  const made = document.createElement(name);
  dress(made, props);
  append(made, children);
  return made;
}

/**
 * An SVG element; props as for `h`.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} name
 * @param {Props} [props]
 * @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(name, props = {}, ...children) {
  const made = /** @type {SVGElementTagNameMap[K]} */ (document.createElementNS(SVG, name));
  dress(made, props);
  append(made, children);
  return made;
}

const PROPERTIES = new Set(["value", "checked", "disabled", "hidden", "selected", "open"]);

/**
 * Set attributes, properties and listeners on an element that exists.
 * @param {Element} made
 * @param {Props} props
 */
export function dress(made, props) {
  for (const [key, value] of Object.entries(props)) {
    if (value === null || value === undefined) continue;
    if (key.startsWith("on") && typeof value === "function") {
      made.addEventListener(key.slice(2), /** @type {EventListener} */ (value));
    } else if (key === "text") {
      made.textContent = String(value);
    } else if (key === "dataset") {
      for (const [name, entry] of Object.entries(/** @type {Record<string, unknown>} */ (value))) {
        if (entry !== null && entry !== undefined) {
          /** @type {HTMLElement | SVGElement} */ (made).dataset[name] = String(entry);
        }
      }
    } else if (PROPERTIES.has(key) && made instanceof HTMLElement) {
      /** @type {any} */ (made)[key] = value;
    } else if (value === true) {
      made.setAttribute(key, "");
    } else if (value !== false) {
      made.setAttribute(key, typeof value === "number" ? trim(value) : String(value));
    }
  }
}

/**
 * @param {Element} parent
 * @param {(Child | Child[])[]} children
 */
function append(parent, children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    parent.append(child instanceof Node ? child : String(child));
  }
}

/**
 * Put these children in place of whatever an element holds.
 * @param {Element} parent
 * @param {...(Child | Child[])} children
 */
export function fill(parent, ...children) {
  parent.replaceChildren();
  append(parent, children);
}

/**
 * What is asked for often and done once, when the browser next draws.
 * @param {() => void} run
 * @returns {() => void}
 */
export function oncePerFrame(run) {
  let frame = 0;
  return () => {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      run();
    });
  };
}

/**
 * Give a file to whoever looks at the page, under a name.
 * @param {Blob | string} content text is JSON
 * @param {string} name
 */
export function saveFile(content, name) {
  const blob = typeof content === "string" ? new Blob([content], { type: "application/json" }) : content;
  const url = URL.createObjectURL(blob);
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/**
 * The element of an id, which has to be there.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element #${id}`);
  return found;
}

/**
 * A number for an attribute: four places at most, no trailing noughts.
 * @param {number} value
 */
function trim(value) {
  return String(Math.round(value * 1e4) / 1e4);
}
