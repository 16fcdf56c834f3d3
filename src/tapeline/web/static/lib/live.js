// @ts-check
// The live connection of a match: says hello, comes back after a loss, answers tries in order.

/** The code with which the server closes a connection that sent too much. */
const TOO_OFTEN = 4429;

/**
 * Events (CustomEvent, detail is the message): "now" the match as it stands, "present" who is
 * connected, "tried" the verdict on a try, "refused" why a message or the connection was refused,
 * "link" {state: "connecting" | "open" | "lost" | "refused", tries, wait} for a sign on the page.
 *
 *     const live = new Live(id, token, () => state.version);
 *     live.addEventListener("now", (event) => show(event.detail.match));
 *     live.start();
 *     live.try({action});            // gives its seq; only the newest waiting one is sent
 */
export class Live extends EventTarget {
  /**
   * @param {string} id of the match
   * @param {string} token of the link
   * @param {() => number} version the version the page has now
   */
  constructor(id, token, version) {
    super();
    this.id = id;
    this.token = token;
    this.version = version;
    /** The side that alone is at the device; "" for all of the link. */
    this.side = "";
    /** @type {"idle" | "connecting" | "open" | "lost" | "refused"} */
    this.state = "idle";
    this._seq = 0;
    this._tries = 0;
    /** @type {import("./documents.js").Try | null} */
    this._waiting = null;
    /** The try on its way, and whether it is sent again where the connection is lost meanwhile.
     * @type {import("./documents.js").Try | null} */
    this._flying = null;
    this._again = false;
    this._open = false;
    this._stopped = true;
    this._timer = 0;
    this._heard = 0;
    /** @type {WebSocket | null} */
    this._socket = null;
    this._sent = 0;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this._pulse = undefined;
    this._closing = "";
    this._online = () => this._hurry();
  }

  /** Connect, and stay connected. */
  start() {
    if (!this._stopped) return;
    this._stopped = false;
    this._tries = 0;
    addEventListener("online", this._online);
    document.addEventListener("visibilitychange", this._online);
    this._pulse = setInterval(() => this._beat(), 15000);
    this._connect();
  }

  /** Close the connection for good. */
  stop() {
    this._stopped = true;
    clearTimeout(this._timer);
    clearInterval(this._pulse);
    removeEventListener("online", this._online);
    document.removeEventListener("visibilitychange", this._online);
    this._socket?.close(1000);
    this._socket = null;
    this.state = "idle";
  }

  /**
   * Have an action (or a path that answers the open question) judged. While one is on its way the
   * newest of those that follow waits, the others are dropped. Gives the number that comes back in
   * "tried" as `seq`.
   * @param {{action?: Record<string, any> | null, path?: Record<string, any>[] | null,
   *          nearest?: boolean}} what nearest: with the nearest legal move if it is refused
   */
  try(what) {
    this._seq += 1;
    this._waiting = {
      type: "try",
      seq: this._seq,
      version: this.version(),
      action: what.action ?? null,
      path: what.path ?? null,
      nearest: what.nearest ?? true,
    };
    this._send();
    return this._seq;
  }

  /** Say something, if there is a connection. @param {import("./documents.js").Commit | import("./documents.js").Reveal} message */
  tell(message) {
    if (this._open) this._socket?.send(JSON.stringify(message));
  }

  /** Forget a try that has not been sent, and do not send again what is lost. */
  drop() {
    this._waiting = null;
    this._again = false;
  }

  _send() {
    if (!this._waiting || !this._open || !this._socket) return;
    if (this._flying && performance.now() - this._sent < 1500) return;
    this._flying = this._waiting;
    this._again = true;
    this._sent = performance.now();
    this._socket.send(JSON.stringify(this._waiting));
    this._waiting = null;
  }

  _connect() {
    if (this._stopped) return;
    clearTimeout(this._timer);
    this._say("connecting");
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const path = `/api/matches/${encodeURIComponent(this.id)}/live`;
    const socket = new WebSocket(`${scheme}://${location.host}${path}`);
    this._socket = socket;
    this._open = false;
    socket.addEventListener("open", () => {
      this._heard = performance.now();
      socket.send(JSON.stringify({ type: "hello", token: this.token, version: this.version(), side: this.side }));
    });
    socket.addEventListener("message", (event) => {
      if (socket === this._socket) this._hear(event.data);
    });
    socket.addEventListener("close", (event) => {
      if (socket === this._socket) this._lost(event.code);
    });
  }

  /** @param {string} data */
  _hear(data) {
    this._heard = performance.now();
    let message;
    try {
      message = JSON.parse(data);
    } catch {
      return;
    }
    if (message.type === "now" && !this._open) {
      this._open = true;
      this._tries = 0;
      this._say("open");
    }
    if (message.type === "tried") {
      if (message.seq >= (this._flying?.seq ?? 0)) this._flying = null;
      this._send();
    }
    if (message.type === "refused" && !this._open) this._closing = String(message.why ?? "");
    if (message.type !== "pong") {
      this.dispatchEvent(new CustomEvent(String(message.type), { detail: message }));
    }
    if (message.type === "now") this._send();
  }

  /** @param {number} code */
  _lost(code) {
    this._socket = null;
    this._open = false;
    if (this._again) this._waiting ??= this._flying;
    this._flying = null;
    if (this._stopped) return;
    // 1008 and 44xx, but for too often: the server would say the same again.
    if (code === 1008 || (code >= 4400 && code < 4500 && code !== TOO_OFTEN)) {
      this._stopped = true;
      clearInterval(this._pulse);
      this._say("refused");
      return;
    }
    this._tries += 1;
    const least = code === TOO_OFTEN ? 5000 : 300 * 2 ** Math.min(this._tries, 6);
    const wait = Math.min(15000, least) * (0.7 + 0.6 * Math.random());
    this._say("lost", wait);
    this._timer = setTimeout(() => this._connect(), wait);
  }

  /** Back on line or back in sight: do not wait out the pause. */
  _hurry() {
    if (this._stopped || document.visibilityState === "hidden") return;
    if (!this._socket) this._connect();
    else this._beat();
  }

  _beat() {
    const socket = this._socket;
    if (!socket || !this._open) return;
    if (performance.now() - this._heard > 40000) {
      // Nothing heard for two beats: the line is dead though nobody said so.
      this._socket = null;
      socket.close();
      this._lost(1006);
      return;
    }
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type: "ping" }));
  }

  /**
   * @param {"connecting" | "open" | "lost" | "refused"} state
   * @param {number} [wait] milliseconds until the next attempt
   */
  _say(state, wait = 0) {
    this.state = state;
    const detail = { state, tries: this._tries, wait };
    this.dispatchEvent(new CustomEvent("link", { detail }));
  }
}
