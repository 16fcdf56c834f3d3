// @ts-check
// What keeps its size on the screen whatever the scale: names, pins, knobs (class "fixed").

let count = 0;

/**
 * One rule of style for each board, changed in place: only what has the class is drawn anew, and
 * what comes later has its size at once.
 */
export class Fixed {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.name = `board-${(count += 1)}`;
    root.classList.add(this.name);
    this.sheet = new CSSStyleSheet();
    this.sheet.insertRule(`.${this.name} .fixed { transform: scale(1); }`);
    document.adoptedStyleSheets.push(this.sheet);
  }

  /** @param {number} scale pixels in a table unit */
  set(scale) {
    const [fixed] = /** @type {CSSStyleRule[]} */ ([...this.sheet.cssRules]);
    fixed.style.setProperty("transform", `scale(${1 / scale})`);
  }
}
