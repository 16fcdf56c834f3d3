// @ts-check
// Textures of terrain as SVG patterns; colours come from the style sheet.

import { svg } from "../lib/dom.js";

const dot = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ r) =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;

/** Size of the tile in pixels; marks: path and weight of its line, 0 where it is filled. */
const TILES = /** @type {Record<string, {size: number, marks: [string, number][]}>} */ ({
  plain: { size: 16, marks: [] },
  dots: { size: 14, marks: [[dot(3.5, 3.5, 1.6) + dot(10.5, 10.5, 1.6), 0]] },
  reeds: { size: 20, marks: [["M3 8V3.5M6 8V1.5M9 8V4M12 18V13.5M15 18V11.5M18 18V14", 1.2]] },
  dashes: { size: 16, marks: [["M1.5 3.5h5M9.5 8.5h5M3.5 13h5", 1.2]] },
  hatch: { size: 10, marks: [["M-2 2L2 -2M-1 11L11 -1M8 12L12 8", 1.1]] },
  bricks: { size: 18, marks: [["M0 .5H18M0 9.5H18M4.5 .5V9.5M13.5 9.5V18", 1]] },
  spikes: { size: 15, marks: [["M2 6.5L4.5 1.5L7 6.5M9 13.5L11.5 8.5L14 13.5", 1.1]] },
});

/** Every texture that is laid as tiles, and those that are drawn piece by piece (features.js). */
const DRAWN = ["plain", "trees", "rings", "stones", "cross-hatch", "waves", "solid"];
export const TILED = Object.keys(TILES).filter((name) => name !== "plain");
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

  /** The fill for a texture; an unknown one is plain. @param {string} name */
  fill(name) {
    const known = name in TILES ? name : "plain";
    const id = this.prefix + known;
    if (!this.made.has(known)) {
      const { size, marks } = TILES[known];
      const pattern = svg(
        "pattern",
        { id, width: size, height: size, patternUnits: "userSpaceOnUse" },
        svg("rect", { width: size, height: size, class: `ground-${known}` }),
        marks.map(([d, weight]) =>
          weight
            ? svg("path", { d, class: `line-${known}`, "stroke-width": weight })
            : svg("path", { d, class: `dot-${known}` }),
        ),
      );
      this.made.set(known, pattern);
      this.defs.append(pattern);
      this.set(pattern);
    }
    return `url(#${id})`;
  }

  /** The fill of a zone in the colour of a side, null for nobody's. @param {number | null} look */
  zone(look) {
    const name = `zone-${look ?? "none"}`;
    if (!this.made.has(name)) {
      const pattern = svg(
        "pattern",
        { id: this.prefix + name, width: 14, height: 14, patternUnits: "userSpaceOnUse" },
        svg("rect", { width: 14, height: 14, class: look === null ? "zone-wash" : `zone-wash look-${look}` }),
        svg("path", { d: "M-2 2L2 -2M-1 15L15 -1M12 16L16 12", "stroke-width": 1, class: look === null ? "zone-line" : `zone-line look-${look}` }),
      );
      this.made.set(name, pattern);
      this.defs.append(pattern);
      this.set(pattern);
    }
    return `url(#${this.prefix + name})`;
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
