// @ts-check
// Signs on buttons, drawn as lines.

import { h, svg } from "../lib/dom.js";

const SIGNS = {
  start: "M5 4V16M16 4L8 10L16 16z",
  back: "M14 4L6 10L14 16z",
  play: "M6 4L16 10L6 16z",
  stop: "M7 4V16M13 4V16",
  on: "M4 4L12 10L4 16zM15 4V16",
  sun: "M10 6.5A3.5 3.5 0 1 0 10 13.5A3.5 3.5 0 1 0 10 6.5M10 1.5V3.5M10 16.5V18.5M1.5 10H3.5M16.5 10H18.5M4 4L5.4 5.4M14.6 14.6L16 16M4 16L5.4 14.6M14.6 5.4L16 4",
  moon: "M16 12.5A7 7 0 1 1 8.5 3.5A6 6 0 0 0 16 12.5z",
  half: "M10 3A7 7 0 1 0 10 17A7 7 0 1 0 10 3M10 3V17",
  judge: "M10 3V17M6 17H14M4 6H16M4 6L2 11H6zM16 6L14 11H18z",
};

/** @typedef {keyof typeof SIGNS} Sign */

/** @param {Sign} name @param {string} [extra] class */
export function sign(name, extra = "") {
  return svg("svg", { viewBox: "0 0 20 20", "aria-hidden": "true", class: extra }, svg("path", { d: SIGNS[name] }));
}

/**
 * A button that is a sign alone, with its name for those who cannot see it.
 * @param {string} label
 * @param {Sign} name
 * @param {() => void} does
 */
export function signButton(label, name, does) {
  return h("button", { type: "button", class: "sign", "aria-label": label, title: label, onclick: does }, sign(name));
}
