// @ts-check
// Calls to the server: JSON in, JSON out; what the server refuses comes as an ApiError.

/** @typedef {{path: string, message: string}} Fault */

/** What the server refused: status 0 means that it could not be reached. */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {string} message one sentence for people
   * @param {Fault[]} [faults] of a 422: which part of the document is wrong
   * @param {import("./documents.js").Finding[]} [findings] of a 403: the rules that keep it secret
   */
  constructor(status, message, faults = [], findings = []) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.faults = faults;
    this.findings = findings;
  }

  /** Whether the match had moved on meanwhile. */
  get stale() {
    return this.status === 409;
  }
}

const WORDS = /** @type {Record<number, string>} */ ({
  0: "The server cannot be reached.",
  401: "This link does not open that.",
  403: "The rules keep this secret.",
  404: "There is no such match, or this link does not open it.",
  409: "The match has moved on meanwhile.",
  413: "That is too large.",
  429: "Too many requests; wait a moment.",
  500: "The server failed; nothing was changed.",
  503: "The server is busy; try again.",
});

/**
 * Ask the server. path: below /api, without a leading slash.
 * @template T
 * @param {string} path
 * @param {{method?: string, body?: unknown, token?: string, query?: Record<string, unknown>,
 *          version?: number, side?: string, signal?: AbortSignal, as?: "json" | "text" | "blob"}} [how]
 *     version: of the match that is asked about; stale if that is past; side: the one at the device
 * @returns {Promise<T>}
 */
export async function call(path, how = {}) {
  const { body, token, query, version, side, signal, as = "json" } = how;
  const headers = new Headers({ Accept: as === "json" ? "application/json" : "*/*" });
  if (token) {
    headers.set("Authorization", `Bearer ${token}`);
    // A question that was overtaken, or that the rules keep secret, is no error for the console of a browser.
    headers.set("Tapeline-Refusals", "told");
  }
  if (version !== undefined) headers.set("Tapeline-Version", String(version));
  if (side) headers.set("Tapeline-Side", encodeURIComponent(side));
  if (body !== undefined) headers.set("Content-Type", "application/json");
  let answer;
  try {
    answer = await fetch(`/api/${path}${asked(query)}`, {
      method: how.method ?? (body === undefined ? "GET" : "POST"),
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
      credentials: "omit",
      referrerPolicy: "no-referrer",
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError(0, WORDS[0]);
  }
  const told = Number(answer.headers.get("tapeline-status") ?? answer.status);
  if (told >= 400) throw await refusal(answer, told);
  if (as === "text") return /** @type {any} */ (answer.text());
  if (as === "blob") return /** @type {any} */ (answer.blob());
  return answer.status === 204 ? /** @type {any} */ (null) : answer.json();
}

/** @param {Record<string, unknown>} [query] */
function asked(query) {
  if (!query) return "";
  const words = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== null && value !== undefined) words.set(key, String(value));
  }
  const text = words.toString();
  return text ? `?${text}` : "";
}

/**
 * @param {Response} answer
 * @param {number} status that was meant
 * @returns {Promise<ApiError>}
 */
async function refusal(answer, status) {
  let document;
  try {
    document = await answer.json();
  } catch {
    document = {};
  }
  const detail = document?.detail;
  const words = WORDS[status] ?? `The server says ${status}.`;
  if (Array.isArray(detail)) {
    const faults = detail.map((fault) => ({
      path: String(fault.path ?? (fault.loc ?? []).join(".")),
      message: String(fault.message ?? fault.msg ?? ""),
    }));
    const first = faults[0];
    const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : "";
    const text = first ? `${first.path ? `${first.path}: ` : ""}${first.message}${more}` : words;
    return new ApiError(status, text, faults);
  }
  const text = typeof detail === "string" && detail ? detail : words;
  return new ApiError(status, text, [], document?.findings ?? []);
}

/** Calls about one match, with the secret of a link. */
export class MatchApi {
  /**
   * @param {string} id
   * @param {string} token
   * @param {() => number | undefined} [version] the version that queries are about
   */
  constructor(id, token, version = () => undefined) {
    this.id = id;
    this.token = token;
    this.version = version;
    /** The side that alone is at the device; "" for all of the link. */
    this.side = "";
  }

  /** @returns {{token: string, side: string}} */
  get who() {
    return { token: this.token, side: this.side };
  }

  /**
   * GET below the match.
   * @param {string} path
   * @param {Record<string, unknown>} [query]
   * @param {AbortSignal} [signal]
   * @returns {Promise<any>}
   */
  get(path, query, signal) {
    return call(this.path(path), { ...this.who, version: this.version(), query, signal });
  }

  /**
   * POST below the match.
   * @param {string} path
   * @param {unknown} [body]
   * @param {AbortSignal} [signal]
   * @returns {Promise<any>}
   */
  post(path, body = {}, signal) {
    return call(this.path(path), { ...this.who, version: this.version(), body, signal });
  }

  /**
   * A file of the match: log, scene, case, picture.
   * @param {string} path
   * @param {Record<string, unknown>} [query]
   * @returns {Promise<Blob>}
   */
  file(path, query) {
    return call(this.path(path), { ...this.who, query, as: "blob" });
  }

  /** @param {string} path */
  path(path) {
    return `matches/${encodeURIComponent(this.id)}${path ? `/${path}` : ""}`;
  }
}
