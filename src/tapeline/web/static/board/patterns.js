// @ts-check
// Textures of terrain as SVG patterns; colours come from the style sheet.

import { svg } from "../lib/dom.js";
import { TILES } from "./tiles.js";

/** Every texture that is laid as tiles, and those that are drawn piece by piece (features.js). */
const DRAWN = ["plain", "trees", "rings", "stones", "cross-hatch", "waves", "solid"];
export const TILED = Object.keys(TILES);
export const PATTERNS = [...DRAWN, ...TILED];

let count = 0;

/** The textures of one board. Their grain keeps a readable size at every scale. */
export class Patterns {
  constructor() {
    this.prefix = `texture-${(count += 1)}-`;
    this.defs = svg("defs");
    /** @type {Map<string, SVGPatternElement>} */
    this.made = new Map();
    this.grain = 1;
  }

  /** The fill for a texture, one of `TILED`. @param {string} name */
  fill(name) {
    const { size, marks, weight } = TILES[name];
    const how = weight ? { class: "tile-line", "stroke-width": weight } : { class: "tile-dot" };
    const tile = [svg("rect", { width: size, height: size, class: "tile-ground" }), svg("path", { d: marks, ...how })];
    return this.#laid(name, size, () => [svg("g", { class: `texture-${name}` }, ...tile)]);
  }

  /** The fill of a zone in the colour of a side, null for nobody's. @param {number | null} look */
  zone(look) {
    const side = look === null ? "" : ` look-${look}`;
    return this.#laid(`zone-${look ?? "none"}`, 14, () => [
      svg("rect", { width: 14, height: 14, class: `zone-wash${side}` }),
      svg("path", { d: hatch(14), "stroke-width": 1, class: `zone-line${side}` }),
    ]);
  }

  /** The fill of a band of threat: the likelier, the denser. @param {string} words */
  threat(words) {
    const size = words === "possible" ? 14 : 9;
    const crossed = words === "sure" ? `M-1 -1L${size + 1} ${size + 1}` : "";
    return this.#laid(`threat-${words}`, size, () => [
      svg("path", { d: hatch(size) + crossed, "stroke-width": 1, class: "threat-line" }),
    ]);
  }

  /** The fill that repeats a tile. @param {string} name @param {number} size @param {() => SVGElement[]} marks */
  #laid(name, size, marks) {
    const id = this.prefix + name;
    if (!this.made.has(name)) {
      const pattern = svg("pattern", { id, width: size, height: size, patternUnits: "userSpaceOnUse" }, marks());
      this.made.set(name, pattern);
      this.defs.append(pattern);
      this.set(pattern);
    }
    return `url(#${id})`;
  }

  /**
   * The scale is another: grain follows in halvings and doublings only, so that textures stay
   * where they are while zooming and are drawn anew seldom.
   * @param {number} scale pixels in a table unit
   */
  rescale(scale) {
    const grain = 2 ** -Math.round(Math.log2(scale));
    if (grain === this.grain) return;
    this.grain = grain;
    for (const pattern of this.made.values()) this.set(pattern);
  }

  /** @param {SVGPatternElement} pattern */
  set(pattern) {
    pattern.setAttribute("patternTransform", `scale(${this.grain})`);
  }
}

/** Slanting lines of a tile, which meet those of the next one. @param {number} size */
function hatch(size) {
  return `M-2 2L2 -2M-1 ${size + 1}L${size + 1} -1M${size - 2} ${size + 2}L${size + 2} ${size - 2}`;
}
