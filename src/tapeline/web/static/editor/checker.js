// @ts-check
// Asks the server, soon after each change, whether the scene can be played and how it looks.

import { ApiError, call } from "../lib/api.js";

/** @typedef {import("../lib/documents.js").Checked} Checked */
/** @typedef {import("./scene.js").Scene} Scene */

const WAIT = 250;
const AGAIN = 3000;

/** Dispatches "busy", "checked" {checked, scene} and "trouble" {message}. */
export class Checker extends EventTarget {
  /** @param {() => Scene} scene */
  constructor(scene) {
    super();
    this.scene = scene;
    /** @type {Checked | null} */
    this.last = null;
    this.busy = false;
    this._timer = 0;
    /** @type {AbortController | null} */
    this._running = null;
  }

  /** Check when nothing has changed for a moment. */
  soon() {
    this.busy = true;
    this.dispatchEvent(new CustomEvent("busy"));
    clearTimeout(this._timer);
    this._timer = window.setTimeout(() => this.now(), WAIT);
  }

  async now() {
    clearTimeout(this._timer);
    this._running?.abort();
    const running = new AbortController();
    this._running = running;
    this.busy = true;
    const scene = JSON.parse(JSON.stringify(this.scene()));
    try {
      /** @type {Checked} */
      const checked = await call("scenes/check", { body: scene, signal: running.signal });
      if (running.signal.aborted) return;
      this.last = checked;
      this.busy = false;
      this.dispatchEvent(new CustomEvent("checked", { detail: { checked, scene } }));
    } catch (error) {
      if (running.signal.aborted) return;
      this.busy = false;
      const message = error instanceof ApiError ? error.message : String(error);
      this.dispatchEvent(new CustomEvent("trouble", { detail: { message } }));
      if (error instanceof ApiError && [0, 429, 503].includes(error.status)) {
        this._timer = window.setTimeout(() => this.now(), AGAIN);
      }
    }
  }
}
