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

/** One block, and what is made of it: what is hashed, a key, a bit of one, the length in bits. */
const words = new Int32Array(64);
WHAT.forEach((byte, n) => (words[n >> 2] |= byte << (24 - 8 * (n & 3))));
words.set([1 << 31, 0, 0, 8 * (WHAT.length + BYTES)], 12);

/** Put the key that comes before one in front of it. @param {Int32Array} keys eight words each @param {number} at */
function before(keys, at) {
  for (let n = 0; n < 8; n += 1) words[n + 4] = keys[at + n];
  for (let n = 16; n < 64; n += 1) {
    const old = words[n - 15];
    const late = words[n - 2];
    const low = ((old >>> 7) | (old << 25)) ^ ((old >>> 18) | (old << 14)) ^ (old >>> 3);
    const high = ((late >>> 17) | (late << 15)) ^ ((late >>> 19) | (late << 13)) ^ (late >>> 10);
    words[n] = (((words[n - 16] + low) | 0) + ((words[n - 7] + high) | 0)) | 0;
  }
  let a = START[0];
  let b = START[1];
  let c = START[2];
  let d = START[3];
  let e = START[4];
  let f = START[5];
  let g = START[6];
  let i = START[7];
  for (let n = 0; n < 64; n += 1) {
    const far = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const near = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const one = (((i + far) | 0) + (((g ^ (e & (f ^ g))) + ROUND[n]) | 0) + words[n]) | 0;
    i = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    const two = near + ((a & b) ^ (a & c) ^ (b & c));
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  keys[at - 8] = a + START[0];
  keys[at - 7] = b + START[1];
  keys[at - 6] = c + START[2];
  keys[at - 5] = d + START[3];
  keys[at - 4] = e + START[4];
  keys[at - 3] = f + START[5];
  keys[at - 2] = g + START[6];
  keys[at - 1] = i + START[7];
}

/** @param {Int32Array} key */
const hex = (key) => Array.from(key, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");

/** @param {string} text */
const wordsOf = (text) => (text.match(/.{8}/g) ?? []).map((word) => parseInt(word, 16));

/** Whether a key leads to the one so many steps before it. @param {string} key @param {number} steps @param {string} first */
export function leads(key, steps, first) {
  const pair = new Int32Array(16);
  pair.set(wordsOf(key));
  for (let n = 0; n < steps; n += 1) {
    pair.copyWithin(8, 0, 8);
    before(pair, 8);
  }
  return hex(pair.subarray(0, 8)) === first;
}

/** A secret for a chain: its last key. */
export function newSecret() {
  return hex(crypto.getRandomValues(new Int32Array(8)));
}

export class Chain {
  /** @param {string} secret its last key */
  constructor(secret) {
    this.keys = new Int32Array(8 * (LONGEST + 1));
    this.keys.set(wordsOf(secret), 8 * LONGEST);
    for (let n = LONGEST; n > 0; n -= 1) before(this.keys, 8 * n);
  }

  get commitment() {
    return this.key(0);
  }

  /** The key of an entry, from 1. @param {number} number */
  key(number) {
    return hex(this.keys.subarray(8 * number, 8 * (number + 1)));
  }
}
