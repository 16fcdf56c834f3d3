// @ts-check
// Textures that are laid as tiles; written by make docs.

/** Size of the tile in pixels; marks: path and weight of its line, 0 where it is filled. */
export const TILES = /** @type {Record<string, {size: number, marks: string, weight: number}>} */ ({
  dots: { size: 14, weight: 0, marks: "M1.9 3.5a1.6 1.6 0 1 0 3.2 0a1.6 1.6 0 1 0 -3.2 0zM8.9 10.5a1.6 1.6 0 1 0 3.2 0a1.6 1.6 0 1 0 -3.2 0z" },
  reeds: { size: 20, weight: 1.2, marks: "M3 8V3.5M6 8V1.5M9 8V4M12 18V13.5M15 18V11.5M18 18V14" },
  dashes: { size: 16, weight: 1.2, marks: "M1.5 3.5h5M9.5 8.5h5M3.5 13h5" },
  hatch: { size: 10, weight: 1.1, marks: "M-2 2L2 -2M-1 11L11 -1M8 12L12 8" },
  bricks: { size: 18, weight: 1, marks: "M0 .5H18M0 9.5H18M4.5 .5V9.5M13.5 9.5V18" },
  spikes: { size: 15, weight: 1.1, marks: "M2 6.5L4.5 1.5L7 6.5M9 13.5L11.5 8.5L14 13.5" },
});
