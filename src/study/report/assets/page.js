"use strict";
// The page: glossary on hover and focus, figures saved as SVG and PNG, folds, the current section in the contents.

(function () {
  const tip = document.getElementById("tip");
  const glossary = JSON.parse(document.getElementById("glossary").textContent);

  function showTip(link) {
    tip.textContent = glossary[link.hash.slice(1)];
    tip.hidden = false;
    const at = link.getBoundingClientRect();
    const left = Math.max(8, Math.min(at.left, window.innerWidth - tip.offsetWidth - 8));
    const below = at.bottom + 6 + tip.offsetHeight < window.innerHeight;
    tip.style.left = `${left}px`;
    tip.style.top = `${below ? at.bottom + 6 : at.top - tip.offsetHeight - 6}px`;
    link.setAttribute("aria-describedby", "tip");
  }

  function hideTip(link) {
    tip.hidden = true;
    link.removeAttribute("aria-describedby");
  }

  document.querySelectorAll("a.term").forEach((link) => {
    link.addEventListener("pointerenter", () => showTip(link));
    link.addEventListener("pointerleave", () => hideTip(link));
    link.addEventListener("focus", () => showTip(link));
    link.addEventListener("blur", () => hideTip(link));
    link.addEventListener("keydown", (event) => event.key === "Escape" && hideTip(link));
  });

  const SVG = "http://www.w3.org/2000/svg";

  function standalone(figure) {
    const svg = figure.querySelector("svg").cloneNode(true);
    const [, , width, height] = svg.getAttribute("viewBox").split(/[ ,]+/).map(Number);
    svg.setAttribute("xmlns", SVG);
    svg.setAttribute("width", width);
    svg.setAttribute("height", height);
    svg.setAttribute("style", "color:#1c2431;background:#fff");
    const ground = document.createElementNS(SVG, "rect");
    ground.setAttribute("width", "100%");
    ground.setAttribute("height", "100%");
    ground.setAttribute("fill", "#fff");
    svg.prepend(ground);
    return { text: new XMLSerializer().serializeToString(svg), width, height };
  }

  async function save(kind, figure) {
    const { text, width, height } = standalone(figure);
    if (kind === "svg") return saveBlob(new Blob([text], { type: "image/svg+xml" }), `${figure.id}.svg`);
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    const scale = 3;
    canvas.width = width * scale;
    canvas.height = height * scale;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => saveBlob(blob, `${figure.id}.png`), "image/png");
  }

  document.querySelectorAll("[data-save]").forEach((button) => {
    button.setAttribute("aria-label", `Save as ${button.dataset.save.toUpperCase()}: ${button.dataset.target}`);
    button.addEventListener("click", () => save(button.dataset.save, document.getElementById(button.dataset.target)));
  });

  const folds = Array.from(document.querySelectorAll(".folds details"));
  const unfold = document.getElementById("unfold");

  function nameUnfold() {
    const all = folds.length > 0 && folds.every((fold) => fold.open);
    unfold.textContent = all ? "Fold all" : "Unfold all";
    unfold.setAttribute("aria-pressed", String(all));
  }

  unfold.addEventListener("click", () => {
    const open = !folds.every((fold) => fold.open);
    folds.forEach((fold) => { fold.open = open; });
    nameUnfold();
  });
  folds.forEach((fold) => fold.addEventListener("toggle", nameUnfold));

  const links = new Map(Array.from(document.querySelectorAll("nav a"), (link) => [link.hash.slice(1), link]));
  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      links.forEach((link) => link.removeAttribute("aria-current"));
      const link = links.get(entry.target.id);
      link.setAttribute("aria-current", "true");
      const list = link.closest("ol");
      list.scrollLeft = link.offsetLeft - list.clientWidth / 2;
    }
  }, { rootMargin: "-20% 0px -70% 0px" });
  document.querySelectorAll("main > section").forEach((section) => watcher.observe(section));
})();
