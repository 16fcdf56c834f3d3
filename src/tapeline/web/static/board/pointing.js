// @ts-check
// What a pointer or the keyboard is on, told to the page as events of the board.

/** @typedef {import("./board.js").BoardView} BoardView */
/** @typedef {import("./plate.js").Plate} Plate */
/** @typedef {{id: string | null, part: string, terrain: string | null, point: [number, number],
 *            storey: number}} Found */

/** Pixels about a base that still are it, for a mouse and for a finger. */
const [NEAR, NEAR_FINGER] = [3, 16];

/** The hands that gestures report to. */
export class Pointing {
  /** @param {BoardView} view */
  constructor(view) {
    this.view = view;
    this.frame = 0;
  }

  /** What is under a pointer. @param {MouseEvent} event @returns {Found} */
  find(event) {
    const target = event.target instanceof Element ? event.target : null;
    const named = (/** @type {string} */ name) =>
      target?.closest(`[data-${name}]`)?.getAttribute(`data-${name}`) ?? null;
    const { point, storey, plate } = this.place(event);
    const terrain = named("terrain");
    const there = (/** @type {string | null} */ body) => this.placeOf(event, body) ?? { point, storey };
    for (const part of ["handle", "pin", "ghost"]) {
      const id = named(part);
      if (id !== null) return { id, part, terrain, ...there(part === "ghost" ? id : null) };
    }
    const finger = /** @type {PointerEvent} */ (event).pointerType === "touch";
    const about = (finger ? NEAR_FINGER : NEAR) / this.view.scale;
    const id = named("id") ?? named("covered") ?? (plate ? this.view.drawing.nearest(plate, point, about) : null);
    return { id, part: id === null ? "ground" : "figure", terrain, ...there(id) };
  }

  /**
   * The place under a pointer on the plate of a body, which may lie below another one.
   * @param {MouseEvent} event
   * @param {string | null} body
   */
  placeOf(event, body) {
    const { drawing } = this.view;
    const z = drawing.set.ghosts.find((ghost) => ghost.body === body)?.z ?? this.view.figure(body ?? "")?.z;
    const plate = z === undefined ? undefined : drawing.sheets.find((sheet) => sheet.plate.sees(z))?.plate;
    if (!plate) return null;
    return { point: plate.from(...this.world(event)), storey: plate.storey?.index ?? 0 };
  }

  /** Where a pointer is in the drawing. @param {MouseEvent} event @returns {[number, number]} */
  world(event) {
    const { view, gestures } = this.view;
    return gestures ? view.worldOf(...gestures.pixel(event)) : [0, 0];
  }

  /**
   * Where a pointer is on the table; off it, as if it went on. Of several plates the highest that
   * has something to stand on there.
   * @param {MouseEvent} event
   * @returns {{point: [number, number], storey: number, plate: Plate | undefined}}
   */
  place(event) {
    const [x, y] = this.world(event);
    const { sheets } = this.view.drawing;
    const plate = (sheets.findLast((sheet) => sheet.plate.holds(x, y)) ?? sheets[0])?.plate;
    if (!plate) return { point: [0, 0], storey: 0, plate };
    return { point: plate.from(x, y), storey: plate.storey?.index ?? 0, plate };
  }

  /** @param {PointerEvent} event */
  press(event) {
    return !this.view.tell("pick", { ...this.find(event), originalEvent: event }, true);
  }

  /** @param {PointerEvent} event */
  tap(event) {
    this.view.tell("point", { ...this.find(event), originalEvent: event });
  }

  /** @param {PointerEvent | null} event */
  hover(event) {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => {
      const found = event ? this.find(event) : { id: null, terrain: null, point: null, storey: 0 };
      this.view.tell("hover", { ...found, originalEvent: event });
    });
  }

  pinch() {
    this.view.tell("letgo", {});
  }

  /** Who comes by keyboard to a figure sees it. @param {FocusEvent} event */
  focus(event) {
    const target = event.target instanceof Element ? event.target : null;
    const id = target?.matches(":focus-visible") ? target.getAttribute("data-id") : null;
    if (id !== null) this.view.reveal(id);
  }

  /** Enter and Space on a figure or handle. @param {KeyboardEvent} event */
  key(event) {
    if ((event.key !== "Enter" && event.key !== " ") || event.defaultPrevented) return;
    if (!(event.target instanceof Element)) return;
    const figure = event.target.closest("[data-id]")?.getAttribute("data-id") ?? null;
    const handle = event.target.closest("[data-handle]")?.getAttribute("data-handle") ?? null;
    const known = figure === null ? undefined : this.view.figure(figure);
    if (!known && handle === null) return;
    event.preventDefault();
    const handles = this.view.drawing.set.handles;
    const place = handles.find((entry) => entry.id === handle) ?? known;
    const detail = {
      id: handle ?? figure,
      part: handle === null ? "figure" : "handle",
      terrain: null,
      point: [place?.x ?? 0, place?.y ?? 0],
      storey: known?.storey ?? 0,
      originalEvent: event,
    };
    this.view.tell("pick", detail, true);
    this.view.tell("point", detail);
  }
}
