// @ts-check
// Room about the board in its frame, for the numbers along its edges and the tools that lie over it.

/** @typedef {import("./view.js").View["margin"]} Margin */

/** Pixels that the numbers along an edge take, and the tools over the board. */
const RULER = 22;
const TOOLS = 56;

/**
 * The tools along the lower edge, or on a small board at the sides, where it is seen larger so.
 * The page says by `--board-above` and `--board-below` how much of the frame other things cover.
 * @param {import("./view.js").View} view
 * @param {HTMLElement} frame
 * @param {boolean} several whether there are several storeys to choose from
 * @returns {{margin: Margin, small: boolean, aside: boolean}}
 */
export function roomAbout(view, frame, several) {
  const { clientWidth: width, clientHeight: height } = frame;
  const style = getComputedStyle(frame);
  const taken = (/** @type {string} */ name) => Number.parseFloat(style.getPropertyValue(name)) || 0;
  const [above, below] = [taken("--board-above"), taken("--board-below")];
  const small = width < 560 || height < 420;
  const edge = small ? 20 : 30;
  const top = edge + above;
  // The last number stands astride the end of its edge.
  const low = { top, right: small ? 14 : 20, bottom: RULER + TOOLS, left: edge + 16 };
  const sides = { top, right: TOOLS + 4, bottom: RULER + below, left: edge + 16 + (several ? TOOLS : 0) };
  const larger = view.fittingIn(sides, width, height) > view.fittingIn(low, width, height);
  // Where something else lies along the lower edge there is no room for both.
  const aside = small && (below > 0 || larger);
  return { margin: aside ? sides : low, small, aside };
}
