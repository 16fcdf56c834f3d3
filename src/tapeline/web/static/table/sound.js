// @ts-check
// Quiet sounds of wood and dice, made here of sines and noise; off until somebody wants them.

import { get, put } from "../lib/store.js";

/** @type {AudioContext | null} */
let audio = null;
/** @type {AudioBuffer | null} */
let noise = null;

/** Whether sounds are wanted. */
export function sounding() {
  return get("sound", false) === true;
}

/** @param {boolean} on */
export function setSounding(on) {
  put("sound", on);
  if (on) sound("wood");
}

/**
 * Make a sound, if sounds are wanted.
 * @param {"wood" | "thud" | "dice" | "bell"} what wood: a base set down; thud: with weight; bell: somebody calls
 * @param {number} [count] how many dice
 */
export function sound(what, count = 1) {
  if (!sounding() || document.hidden || typeof AudioContext === "undefined") return;
  audio ??= new AudioContext();
  // It may begin only once somebody has done something on the page.
  void audio.resume();
  const now = audio.currentTime + 0.01;
  if (what === "wood") knock(now, 0.5, 430);
  else if (what === "thud") {
    tone(now, 150, 58, 0.16, 0.5);
    hiss(now, 380, 0.09, 0.3);
    knock(now + 0.012, 0.5, 300);
  } else if (what === "bell") {
    tone(now, 880, 880, 0.5, 0.12);
    tone(now + 0.09, 1320, 1320, 0.5, 0.08);
  } else {
    let at = now;
    for (let n = 0; n < Math.min(9, 2 + 2 * count); n += 1) {
      knock(at, 0.3 * 0.9 ** n, 1900 + 900 * Math.random());
      at += (0.02 + 0.045 * Math.random()) * (1 + 0.16 * n);
    }
  }
}

/** Wood on wood: two partials that die away soon, and a click. @param {number} at @param {number} loud @param {number} pitch */
function knock(at, loud, pitch) {
  tone(at, pitch, 0.94 * pitch, 0.06, 0.22 * loud);
  tone(at, 2.3 * pitch, 2.2 * pitch, 0.03, 0.12 * loud);
  hiss(at, 4 * pitch, 0.014, 0.3 * loud);
}

/**
 * A sine that dies away.
 * @param {number} at seconds @param {number} pitch Hz @param {number} to Hz @param {number} long seconds @param {number} loud
 */
function tone(at, pitch, to, long, loud) {
  if (!audio) return;
  const wave = audio.createOscillator();
  wave.frequency.setValueAtTime(pitch, at);
  wave.frequency.exponentialRampToValueAtTime(to, at + long);
  begin(wave, wave, at, long, loud);
}

/** Noise about a pitch that dies away. @param {number} at @param {number} pitch @param {number} long @param {number} loud */
function hiss(at, pitch, long, loud) {
  if (!audio) return;
  if (!noise) {
    noise = audio.createBuffer(1, audio.sampleRate / 5, audio.sampleRate);
    const samples = noise.getChannelData(0);
    for (let n = 0; n < samples.length; n += 1) samples[n] = 2 * Math.random() - 1;
  }
  const source = audio.createBufferSource();
  source.buffer = noise;
  const band = audio.createBiquadFilter();
  band.type = "bandpass";
  band.frequency.value = pitch;
  source.connect(band);
  begin(source, band, at, long, loud);
}

/** @param {AudioScheduledSourceNode} source @param {AudioNode} last @param {number} at @param {number} long @param {number} loud */
function begin(source, last, at, long, loud) {
  if (!audio) return;
  const gain = audio.createGain();
  gain.gain.setValueAtTime(loud, at);
  gain.gain.exponentialRampToValueAtTime(0.0008, at + long);
  last.connect(gain).connect(audio.destination);
  source.start(at);
  source.stop(at + long);
}
