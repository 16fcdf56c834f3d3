// @ts-check
// A chain of keys: each is the SHA-256 of the one after it, what comes before the first is the commitment.
// In plain script: crypto.subtle is not there on http, and a chain of so many promises would be slow.

/** Entries that have a key, as many as the server knows. */
const LONGEST = 1 << 15;
const BYTES = 32;
const WHAT = new TextEncoder().encode("tapeline-dice/1:");

/** The first 32 bits of what follows the point. @param {number} x */
const fraction = (x) => ((x - Math.floor(x)) * 2 ** 32) | 0;

// FIPS 180-4: constants from the square roots and cube roots of the first primes.
const START = new Int32Array(8);
const ROUND = new Int32Array(64);
for (let n = 0, p = 2; n < 64; p += 1) {
  let d = 2;
  while (p % d) d += 1;
  if (d < p) continue;
  if (n < 8) START[n] = fraction(Math.sqrt(p));
  ROUND[n] = fraction(Math.cbrt(p));
  n += 1;
}

/** One block: what is hashed, a bit of one, the length in bits. */
const block = new DataView(new ArrayBuffer(64));
new Uint8Array(block.buffer).set(WHAT);
block.setUint8(WHAT.length + BYTES, 0x80);
block.setUint32(60, (WHAT.length + BYTES) * 8);
const words = new Int32Array(64);

/** @param {number} x @param {number} n */
const turned = (x, n) => (x >>> n) | (x << (32 - n));

/** The key before one. @param {Uint8Array} key @returns {Uint8Array} */
function before(key) {
  new Uint8Array(block.buffer).set(key, WHAT.length);
  for (let n = 0; n < 16; n += 1) words[n] = block.getInt32(4 * n);
  for (let n = 16; n < 64; n += 1) {
    const [old, late] = [words[n - 15], words[n - 2]];
    const low = turned(old, 7) ^ turned(old, 18) ^ (old >>> 3);
    const high = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words[n] = words[n - 16] + low + words[n - 7] + high;
  }
  let [a, b, c, d, e, f, g, i] = START;
  for (let n = 0; n < 64; n += 1) {
    const chosen = g ^ (e & (f ^ g));
    const one = i + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + chosen + ROUND[n] + words[n];
    const most = (a & b) ^ (a & c) ^ (b & c);
    const two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + most;
    [i, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  const found = new DataView(new ArrayBuffer(BYTES));
  [a, b, c, d, e, f, g, i].forEach((word, n) => found.setInt32(4 * n, word + START[n]));
  return new Uint8Array(found.buffer);
}

/** @param {Uint8Array} bytes */
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} text @returns {Uint8Array} */
const bytesOf = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** Whether a key leads to the one so many steps before it. @param {string} key @param {number} steps @param {string} first */
export function leads(key, steps, first) {
  let found = bytesOf(key);
  for (let n = 0; n < steps; n += 1) found = before(found);
  return hex(found) === first;
}

/** A secret for a chain: its last key. */
export function newSecret() {
  return hex(crypto.getRandomValues(new Uint8Array(BYTES)));
}

export class Chain {
  /** @param {string} secret its last key */
  constructor(secret) {
    this.keys = new Uint8Array(BYTES * (LONGEST + 1));
    let key = bytesOf(secret);
    for (let n = LONGEST; n > 0; n -= 1) {
      this.keys.set(key, BYTES * n);
      key = before(key);
    }
    this.keys.set(key, 0);
  }

  get commitment() {
    return this.key(0);
  }

  /** The key of an entry, from 1. @param {number} number */
  key(number) {
    return hex(this.keys.subarray(BYTES * number, BYTES * (number + 1)));
  }
}
