// @ts-check
// Runs before the page is drawn: sets the colours that were chosen, so that nothing flashes.

(() => {
  try {
    const kept = JSON.parse(localStorage.getItem("tapeline:theme") ?? "null");
    if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
  } catch {
    // Nothing is kept here: the colours of the system it is.
  }
})();
