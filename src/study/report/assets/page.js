"use strict";
// The page: glossary on hover and focus, figures saved as SVG and PNG, the current section in the contents.

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

  function standalone(figure) {
    const svg = figure.querySelector("svg").cloneNode(true);
    const [, , width, height] = svg.getAttribute("viewBox").split(/[ ,]+/).map(Number);
    const entries = figure.legendEntries ? figure.legendEntries() : [];
    const perRow = Math.max(1, Math.floor(width / 170));
    const whole = height + Math.ceil(entries.length / perRow) * 20;
    entries.forEach(([name, colour, dash], i) => {
      const [x, y] = [(i % perRow) * 170 + 20, height + Math.floor(i / perRow) * 20 + 6];
      svgElement(svg, "line", { x1: x, x2: x + 24, y1: y, y2: y, stroke: colour, "stroke-width": 3, "stroke-dasharray": dash || "none" });
      svgElement(svg, "text", { x: x + 30, y: y + 4, fill: "currentColor" }, name);
    });
    svg.setAttribute("xmlns", SVG);
    svg.setAttribute("viewBox", `0 0 ${width} ${whole}`);
    svg.setAttribute("width", width);
    svg.setAttribute("height", whole);
    svg.setAttribute("style", "color:#1c2431;background:#fff");
    const ground = document.createElementNS(SVG, "rect");
    ground.setAttribute("width", "100%");
    ground.setAttribute("height", "100%");
    ground.setAttribute("fill", "#fff");
    svg.prepend(ground);
    return { text: new XMLSerializer().serializeToString(svg), width, height: whole };
  }

  async function save(kind, figure) {
    const { text, width, height } = standalone(figure);
    if (kind === "svg") return saveBlob(new Blob([text], { type: "image/svg+xml" }), `${figure.id}.svg`);
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    const scale = 2;
    canvas.width = width * scale;
    canvas.height = height * scale;
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => saveBlob(blob, `${figure.id}.png`), "image/png");
  }

  document.querySelectorAll("[data-save]").forEach((button) => {
    button.setAttribute("aria-label", `Save as ${button.dataset.save.toUpperCase()}: ${button.dataset.target}`);
    button.addEventListener("click", () => save(button.dataset.save, document.getElementById(button.dataset.target)));
  });

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
