// @ts-check
// What moves: ways with their legs, ghosts, the tape, rays of sight, handles.

import { dress, svg } from "../lib/dom.js";
import { baseParts, outlineOf, place, shadowUnder, signAt, signOf } from "./figures.js";
import { fixedAt, num } from "./plate.js";

/** @typedef {import("../lib/documents.js").Trace} Trace */
/** @typedef {import("../lib/documents.js").Stretch} Stretch */
/** @typedef {import("../lib/documents.js").Figure} Figure */
/** @typedef {import("../lib/units.js").Units} Units */
/** @typedef {import("./plate.js").Plate} Plate */
/** @typedef {"moved" | "wanted" | "refused" | "nearest" | "past" | "hint"} WayKind */
/** @typedef {{body: string, x: number, y: number, z?: number, facing: number, legal?: boolean,
 *            tail?: [number, number] | null, turns?: boolean, label?: string}} Ghost */
/** @typedef {{id: string, x: number, y: number, z?: number, label: string,
 *            kind?: "point" | "turn" | "push" | "wheel", facing?: number}} Handle */
/** @typedef {{start: [number, number], end: [number, number], words: string, heights?: [number, number]}} Tape */
/** @typedef {{line: [number, number][], kind?: "clear" | "blocked" | "plain", heights?: [number, number]}} Ray */

/** How many times as long as of one that stands the shadow of a ghost is. */
const LIFTED = 2.2;
/** Pixels of a leg among several from which on its length is written on it. */
const LABELLED = 34;

/**
 * Draw ways of one kind.
 * @param {Plate} plate
 * @param {SVGGElement} layer
 * @param {SVGGElement} above for what is written on them, which no ghost may hide
 * @param {Trace[]} traces
 * @param {WayKind} kind
 * @param {Map<string, Figure>} figures
 * @param {(stretch: Stretch, n: number, trace: Trace) => string} label
 */
export function drawWays(plate, layer, above, traces, kind, figures, label) {
  layer.replaceChildren();
  above.replaceChildren();
  above.setAttribute("class", `way way-${kind}`);
  const lengths = /** @type {{x: number, y: number, half: number}[]} */ ([]);
  plate.lengths.set(kind, lengths);
  for (const trace of traces) {
    const { way, texts } = wayOf(plate, trace, kind, figures, label, lengths);
    layer.append(way);
    above.append(...texts);
  }
}

/**
 * @param {Plate} plate
 * @param {Trace} trace
 * @param {WayKind} kind
 * @param {Map<string, Figure>} figures
 * @param {(stretch: Stretch, n: number, trace: Trace) => string} label
 * @param {{x: number, y: number, half: number}[]} lengths gets where they are written
 */
function wayOf(plate, trace, kind, figures, label, lengths) {
  const group = svg("g", { class: `way way-${kind}`, "data-way": trace.body });
  const figure = figures.get(trace.body);
  let z = trace.start[2];
  const texts = /** @type {SVGElement[]} */ ([]);
  trace.stretches.forEach((stretch, n) => {
    if (!stretch.line.length) return;
    const from = z;
    z = stretch.z;
    // Of several plates the one where it ends shows it, from height to height.
    const here = plate.sees(z) || (plate.alone && plate.sees(from));
    if (!here && !plate.alone) return;
    const places = placesOf(plate, stretch.line, from, z);
    const d = `M${places.map(([x, y]) => `${num(x)} ${num(y)}`).join("L")}`;
    const far = here ? "" : " elsewhere";
    const last = places[places.length - 1];
    if (places.length > 1) {
      group.append(svg("path", { class: `under${far}`, d }), svg("path", { class: `leg${far}`, d }));
    }
    if (n < trace.stretches.length - 1) {
      group.append(fixedAt(last[0], last[1], svg("circle", { class: `joint${far}`, r: 3.2 })));
    }
    const roomy = trace.stretches.length < 2 || stretch.length * plate.scale >= LABELLED;
    const words = here && roomy ? label(stretch, n, trace) : "";
    if (words) {
      const [x, y] = labelAt(plate, places, words);
      lengths.push({ x, y, half: 4 * words.length });
      texts.push(fixedAt(x, y, svg("text", { class: "leg-label", y: -6, text: words })));
    }
  });
  if (figure && plate.sees(trace.end[2])) {
    const turned = svg("g", { transform: `rotate(${num(plate.turned(trace.facing))})` });
    turned.append(outlineOf(figure, 0, "stop"));
    const front = figure.radius ?? (figure.depth ?? 0) / 2;
    turned.append(svg("path", { class: "stop-front", d: `M${num(0.4 * front)} 0H${num(front)}` }));
    const [x, y, z] = trace.end;
    group.append(svg("g", { transform: place(plate, { x, y, z }) }, turned));
  }
  return { way: group, texts };
}

/**
 * A line on a plate, which rises evenly from one height to another.
 * @param {Plate} plate
 * @param {[number, number][]} line
 * @param {number} from
 * @param {number} to
 */
function placesOf(plate, line, from, to) {
  if (line.length < 2) return (from === to || plate.alone ? [to] : [from, to]).map((z) => plate.at(line[0][0], line[0][1], z));
  const rise = (to - from) / (line.length - 1);
  return line.map(([x, y], n) => plate.at(x, y, from + n * rise));
}

/** Shares of a leg at which its length is written, most wanted first. */
const SHARES = [0.5, 0.38, 0.62, 0.26, 0.74];

/**
 * Where on a leg its length is written, or beside it: off names and bases if there is room.
 * @param {Plate} plate
 * @param {[number, number][]} places
 * @param {string} words
 */
function labelAt(plate, places, words) {
  const { scale } = plate;
  const half = 4 * words.length;
  const on = SHARES.map((share) => middleOf(places, share));
  const beside = [1, -1].flatMap((side) => on.map(([x, y]) => [x + (side * (half + 8)) / scale, y + 10 / scale]));
  const off = [-16, 30, -30].flatMap((up) => on.map(([x, y]) => [x, y + up / scale]));
  const [endX, endY] = places[places.length - 1];
  // Where it ends, a ghost stands.
  const free = (/** @type {number[]} */ [x, y]) =>
    !plate.crowdedAt(x, y - 10 / scale, half) && (Math.abs(x - endX) * scale > half + 12 || Math.abs(y - 10 / scale - endY) * scale > 18);
  const [x, y] = [...on, ...beside, ...off].find(free) ?? on[0];
  return [x, y];
}

/** The place at a share of a line's length, its middle without one. @param {[number, number][]} places @param {number} [share] */
function middleOf(places, share = 0.5) {
  const length = (/** @type {number} */ n) =>
    Math.hypot(places[n][0] - places[n - 1][0], places[n][1] - places[n - 1][1]);
  let half = 0;
  for (let n = 1; n < places.length; n += 1) half += length(n) * share;
  for (let n = 1; n < places.length; n += 1) {
    const long = length(n);
    if (half <= long && long > 0) {
      const t = half / long;
      const [a, b] = [places[n - 1], places[n]];
      return [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
    }
    half -= long;
  }
  return places[places.length - 1];
}

/** Ghosts of one plate: kept by body, so that a drag only sets transforms. */
export class Ghosts {
  /** @param {Plate} plate */
  constructor(plate) {
    this.plate = plate;
    this.layer = plate.layers.ghosts;
    /** @type {Map<string, {group: SVGGElement, turned: SVGGElement, tail: SVGLineElement, shade: Element | null}>} */
    this.made = new Map();
  }

  /**
   * @param {Ghost[]} ghosts
   * @param {Map<string, Figure>} figures
   * @param {(side: string) => {look: number, rim: number}} side
   */
  set(ghosts, figures, side) {
    const wanted = new Set(ghosts.map((ghost) => ghost.body));
    for (const [body, { group, tail }] of this.made) {
      if (wanted.has(body)) continue;
      group.remove();
      tail.remove();
      this.made.delete(body);
    }
    for (const ghost of ghosts) {
      const figure = figures.get(ghost.body);
      if (figure) this.one(ghost, figure, side(figure.side));
    }
  }

  /**
   * @param {Ghost} ghost
   * @param {Figure} figure
   * @param {{look: number, rim: number}} side
   */
  one(ghost, figure, side) {
    let made = this.made.get(ghost.body);
    if (!made) {
      const turned = svg("g", {}, outlineOf(figure, 0, "halo"), baseParts(figure));
      const shadow = shadowUnder(this.plate, figure, LIFTED);
      const group = svg("g", { "data-ghost": ghost.body }, shadow, turned, signOf(this.plate, figure));
      const tail = svg("line", { class: "tail" });
      this.layer.append(tail, group);
      made = { group, turned, tail, shade: shadow.firstElementChild };
      this.made.set(ghost.body, made);
    }
    const { group, turned, tail, shade } = made;
    const legal = ghost.legal === false ? " illegal" : "";
    const z = ghost.z ?? figure.z;
    const sees = this.plate.sees(z);
    const here = sees ? "" : this.plate.alone ? " elsewhere" : " unseen";
    tail.classList.toggle("unseen", !sees && !this.plate.alone);
    group.setAttribute("class", `figure ghost look-${side.look} rim-${side.rim}${legal}${here}`);
    group.setAttribute("transform", place(this.plate, { ...ghost, z }));
    for (const part of [turned, shade]) part?.setAttribute("transform", `rotate(${num(this.plate.turned(ghost.facing))})`);
    group.querySelector(".sign-of")?.setAttribute("transform", signAt(this.plate, figure, ghost.facing));
    tail.classList.toggle("shown", Boolean(ghost.tail));
    if (ghost.tail) {
      const [x1, y1] = this.plate.at(ghost.x, ghost.y, z);
      const [x2, y2] = this.plate.at(ghost.tail[0], ghost.tail[1], z);
      dress(tail, { x1, y1, x2, y2 });
    }
  }
}

/**
 * The tape: a line with end bars and words at its middle; null takes it away.
 * @param {Plate} plate
 * @param {SVGGElement} layer
 * @param {Tape | null} tape
 */
export function drawTape(plate, layer, tape) {
  layer.replaceChildren();
  if (!tape) return;
  const [low, high] = tape.heights ?? [];
  const [x1, y1] = plate.at(tape.start[0], tape.start[1], low);
  const [x2, y2] = plate.at(tape.end[0], tape.end[1], high);
  const turn = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
  const bar = (/** @type {number} */ x, /** @type {number} */ y) =>
    fixedAt(x, y, svg("path", { class: "tape-end", d: "M0 -6V6" }), {}, turn);
  layer.append(
    svg("line", { class: "tape under", x1, y1, x2, y2 }),
    svg("line", { class: "tape", x1, y1, x2, y2 }),
    bar(x1, y1),
    bar(x2, y2),
    tag((x1 + x2) / 2, (y1 + y2) / 2, tape.words, asideOf((x2 - x1) * plate.scale, (y2 - y1) * plate.scale, tape.words)),
  );
}

/** Pixels by which words leave a line that they would hide, with what stands at its ends.
 * @param {number} wide @param {number} high @param {string} words @returns {[number, number]} */
function asideOf(wide, high, words) {
  const room = tagWidth(words);
  if (Math.hypot(wide, high) > room + 40) return [0, 0];
  return Math.abs(high) > Math.abs(wide) ? [room / 2 + 22, 17] : [0, -14];
}

/** @param {string} words */
export const tagWidth = (words) => 14 + 6.7 * words.length;

/** Words in a small frame. @param {number} x @param {number} y @param {string} words
 * @param {[number, number]} [aside] pixels */
export function tag(x, y, words, [right, down] = [0, 0]) {
  const wide = tagWidth(words);
  return fixedAt(x, y, [
    svg("rect", { class: "tag", x: right - wide / 2, y: down - 27, width: wide, height: 20, rx: 10 }),
    svg("text", { class: "tag-words", x: right, y: down - 13, text: words }),
  ]);
}

/**
 * Straight lines, such as rays of sight.
 * @param {Plate} plate
 * @param {SVGGElement} layer
 * @param {Ray[]} lines
 */
export function drawLines(plate, layer, lines) {
  layer.replaceChildren(
    ...lines.map(({ line, kind = "plain", heights = [plate.floor, plate.floor] }) => {
      const d = placesOf(plate, line, ...heights).map((at) => at.map(num).join(" ")).join("L");
      return svg("path", { class: `ray ray-${kind}`, d: `M${d}` });
    }),
  );
}

const SIGNS = {
  point: "",
  turn: "M-4.5 1.5A4.6 4.6 0 1 1 0 4.7M0 4.7l-2.6 -2M0 4.7l2.3 -2.4",
  push: "M-5 0H5M1.5 -3.5L5 0L1.5 3.5",
  wheel: "M-5 4Q4 4 4 -5M0.8 -2L4 -5L6.8 -1.6",
};

/**
 * Things to be grabbed, each a button.
 * @param {Plate} plate
 * @param {SVGGElement} layer
 * @param {Handle[]} handles
 */
export function drawHandles(plate, layer, handles) {
  const before = new Map([...layer.children].map((c) => [c.getAttribute("data-handle"), c]));
  const kept = handles
    .filter((handle) => plate.sees(handle.z ?? 0))
    .map((handle) => {
      const [x, y] = plate.at(handle.x, handle.y, handle.z);
      const made = before.get(handle.id) ?? handleOf(handle);
      made.setAttribute("transform", `translate(${num(x)} ${num(y)}) rotate(${num(plate.turned(handle.facing ?? 0))})`);
      made.setAttribute("aria-label", handle.label);
      return made;
    });
  const stays = new Set(kept);
  for (const child of [...layer.children]) if (!stays.has(child)) child.remove();
  for (const made of kept) if (made.parentNode !== layer) layer.append(made);
}

/** @param {Handle} handle */
function handleOf(handle) {
  const kind = handle.kind ?? "point";
  return svg(
    "g",
    { class: `handle handle-${kind}`, "data-handle": handle.id, role: "button", tabindex: "0" },
    svg(
      "g",
      { class: "fixed" },
      svg("circle", { class: "touch", r: 22 }),
      svg("circle", { class: "knob", r: kind === "point" ? 5 : 10 }),
      SIGNS[kind] ? svg("path", { class: "sign", d: SIGNS[kind] }) : null,
    ),
  );
}
