"use strict";
// Charts: lines, steps and points as SVG, with values under the pointer or the arrow keys.

const SVG = "http://www.w3.org/2000/svg";

function svgElement(parent, name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  parent.append(made);
  return made;
}

function niceTicks(low, high, wanted) {
  const rough = (high - low) / wanted || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999);
  const ticks = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) ticks.push(Number((i * step).toPrecision(12)));
  return ticks;
}

function shortNumber(value) {
  return Number.isInteger(value) ? String(value) : Number(value.toPrecision(3)).toString();
}

function setUpChart(figure) {
  const spec = JSON.parse(figure.querySelector("script").textContent);
  const box = figure.querySelector(".drawing");
  const title = box.dataset.title;
  const hidden = new Set();
  let view = spec.start || 0;
  let focus = -1;

  const controls = document.createElement("div");
  controls.className = "controls";
  box.before(controls);
  box.tabIndex = 0;
  if (spec.square) box.style.maxWidth = "36rem";
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", `${title}: arrow keys show values`);
  const readout = document.createElement("div");
  readout.className = "readout";
  readout.setAttribute("role", "status");
  readout.hidden = true;

  const series = () => spec.views[view].series;
  const visible = () => series().filter((one) => !hidden.has(one.name));

  function drawControls() {
    controls.replaceChildren();
    if (spec.views.length > 1) {
      const label = document.createElement("label");
      label.textContent = "Show ";
      const select = document.createElement("select");
      spec.views.forEach((one, i) => select.add(new Option(one.name, i, false, i === view)));
      select.addEventListener("change", () => {
        view = Number(select.value);
        focus = -1;
        draw();
      });
      label.append(select);
      controls.append(label);
    }
    for (const one of series()) {
      const button = document.createElement("button");
      button.type = "button";
      button.setAttribute("aria-pressed", String(!hidden.has(one.name)));
      const swatch = document.createElement("i");
      swatch.style.borderTopColor = one.colour;
      swatch.style.borderTopStyle = one.dash ? "dashed" : "solid";
      button.append(swatch, one.name);
      button.addEventListener("click", () => {
        if (!hidden.delete(one.name)) hidden.add(one.name);
        draw();
        controls.querySelectorAll("button")[series().indexOf(one)].focus();
      });
      controls.append(button);
    }
    if (series().length > 3) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = visible().length ? "Hide all" : "Show all";
      button.addEventListener("click", () => {
        if (visible().length) series().forEach((one) => hidden.add(one.name));
        else hidden.clear();
        draw();
      });
      controls.append(button);
    }
  }

  function limits(key, bands) {
    const values = series().flatMap((one) => [one[key], ...bands.map((band) => one[band] || [])].flat()).filter((value) => value !== null);
    const low = spec[`${key}min`] ?? Math.min(...values);
    const high = spec[`${key}max`] ?? Math.max(...values);
    const room = (high - low) * 0.02 || 0.5;
    return [spec[`${key}min`] ?? low - room, spec[`${key}max`] === undefined ? high + room : Math.max(high, ...values)];
  }

  function points(one, x, y, key) {
    const path = [];
    one.x.forEach((value, i) => {
      if (one[key][i] === null) return;
      if (spec.type === "step" && path.length) path.push(`H${x(value).toFixed(1)}V${y(one[key][i]).toFixed(1)}`);
      else path.push(`${path.length ? "L" : "M"}${x(value).toFixed(1)} ${y(one[key][i]).toFixed(1)}`);
    });
    return path.join("");
  }

  function band(one, x, y) {
    const rows = one.x.map((value, i) => [value, one.low[i], one.high[i]]).filter((row) => row[1] !== null && row[2] !== null);
    const corner = (list, column) => list.flatMap((row, i) => {
      const here = [x(row[0]), y(row[column])];
      return spec.type === "step" && i ? [[x(row[0]), y(list[i - 1][column])], here] : [here];
    });
    const outline = [...corner(rows, 2), ...corner(rows, 1).reverse()];
    return outline.map((point, i) => `${i ? "L" : "M"}${point[0].toFixed(1)} ${point[1].toFixed(1)}`).join("") + "Z";
  }

  function draw() {
    drawControls();
    const width = Math.max(280, Math.min(box.clientWidth - 20, spec.square ? 520 : 860));
    const height = spec.square ? width * 0.9 : Math.max(240, Math.min(400, width * 0.5));
    const [left, right, top, bottom] = [52, 14, 12, 44];
    const [x0, x1] = limits("x", []);
    const [y0, y1] = limits("y", visible().length === 1 || spec.type === "step" ? ["low", "high"] : []);
    const x = (value) => left + ((value - x0) / (x1 - x0)) * (width - left - right);
    const y = (value) => height - bottom - ((value - y0) / (y1 - y0)) * (height - top - bottom);
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.style.maxWidth = `${width}px`;
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", title);
    svg.setAttribute("font-family", "sans-serif");
    svg.setAttribute("font-size", "12");
    for (const tick of niceTicks(x0, x1, width / 90)) {
      svgElement(svg, "line", { x1: x(tick), x2: x(tick), y1: top, y2: height - bottom, stroke: "#8893a0", "stroke-opacity": 0.3 });
      svgElement(svg, "text", { x: x(tick), y: height - bottom + 17, "text-anchor": "middle", fill: "currentColor" }, shortNumber(tick));
    }
    for (const tick of niceTicks(y0, y1, height / 70)) {
      svgElement(svg, "line", { x1: left, x2: width - right, y1: y(tick), y2: y(tick), stroke: "#8893a0", "stroke-opacity": 0.3 });
      svgElement(svg, "text", { x: left - 7, y: y(tick) + 4, "text-anchor": "end", fill: "currentColor" }, shortNumber(tick));
    }
    svgElement(svg, "path", { d: `M${left} ${top}V${height - bottom}H${width - right}`, fill: "none", stroke: "currentColor" });
    svgElement(svg, "text", { x: (left + width - right) / 2, y: height - 8, "text-anchor": "middle", fill: "currentColor" }, spec.x);
    svgElement(svg, "text", { transform: `translate(14 ${(top + height - bottom) / 2}) rotate(-90)`, "text-anchor": "middle", fill: "currentColor" }, spec.y);
    if (spec.diagonal) svgElement(svg, "path", { d: `M${x(0)} ${y(0)}L${x(1)} ${y(1)}`, stroke: "currentColor", "stroke-dasharray": "4 4", "stroke-opacity": 0.6 });
    const alone = visible().length === 1 || spec.type === "step";
    for (const one of visible()) {
      if (alone && one.low) svgElement(svg, "path", { d: band(one, x, y), fill: one.colour, "fill-opacity": 0.14 });
      if (spec.type !== "scatter") {
        svgElement(svg, "path", { class: "line", d: points(one, x, y, "y"), fill: "none", stroke: one.colour, "stroke-width": 2, "stroke-dasharray": one.dash || "none", "stroke-linejoin": "round" });
      }
      if (spec.type === "points" || spec.type === "scatter") {
        one.x.forEach((value, i) => svgElement(svg, "circle", { cx: x(value), cy: y(one.y[i]), r: spec.type === "scatter" ? 3 : 4, fill: one.colour, "fill-opacity": 0.85 }));
      }
    }
    const cursor = svgElement(svg, "line", { x1: 0, x2: 0, y1: top, y2: height - bottom, stroke: "currentColor", "stroke-opacity": 0.5, visibility: "hidden" });
    box.replaceChildren(svg, readout);
    box.chart = { x, y, x0, x1, cursor, width, left, right };
    if (focus >= 0) show(focus);
  }

  const stops = () => Array.from(new Set(visible().flatMap((one) => one.x))).sort((a, b) => a - b);

  function valueAt(one, at) {
    let best = -1;
    if (spec.type === "step") one.x.forEach((value, i) => { if (value <= at) best = i; });
    else if (spec.type === "scatter") best = one.x.indexOf(at);
    else one.x.forEach((value, i) => { if (best < 0 || Math.abs(value - at) < Math.abs(one.x[best] - at)) best = i; });
    return best;
  }

  function show(index) {
    const all = stops();
    if (!all.length) return;
    focus = Math.max(0, Math.min(all.length - 1, index));
    const at = all[focus];
    const { x, cursor, width } = box.chart;
    cursor.setAttribute("x1", x(at));
    cursor.setAttribute("x2", x(at));
    cursor.setAttribute("visibility", "visible");
    readout.replaceChildren(`${spec.x}: ${shortNumber(at)}`);
    for (const one of visible()) {
      const i = valueAt(one, at);
      if (i < 0 || one.y[i] === null) continue;
      const line = document.createElement("div");
      const dot = document.createElement("i");
      dot.style.background = one.colour;
      const bounds = one.low && one.low[i] !== null ? ` (${one.low[i].toFixed(2)} to ${one.high[i].toFixed(2)})` : "";
      const extra = one.extra ? `, ${one.extra[i]} ${spec.extra}` : "";
      const value = spec.type === "scatter" ? `${one.names[i]}, ${one.name}: ${shortNumber(one.y[i])}` : `${one.name}: ${one.y[i].toFixed(3)}`;
      line.append(dot, `${value}${bounds}${extra}`);
      readout.append(line);
    }
    readout.hidden = false;
    const share = x(at) / width;
    readout.style.left = share < 0.5 ? "auto" : "3.6rem";
    readout.style.right = share < 0.5 ? "1rem" : "auto";
  }

  function showNearest(left, top) {
    const { x, y } = box.chart;
    let [best, found] = [Infinity, null];
    for (const one of visible()) {
      one.x.forEach((value, i) => {
        const distance = Math.hypot(x(value) - left, y(one.y[i]) - top);
        if (distance < best) [best, found] = [distance, value];
      });
    }
    if (found !== null) show(stops().indexOf(found));
  }

  function hide() {
    focus = -1;
    readout.hidden = true;
    box.chart?.cursor.setAttribute("visibility", "hidden");
  }

  box.addEventListener("pointermove", (event) => {
    // Sections are laid out when they come near the screen: pointer and keys may be there before the chart is drawn.
    if (!box.chart) draw();
    const frame = box.querySelector("svg").getBoundingClientRect();
    const { x0, x1, width, left, right } = box.chart;
    if (spec.type === "scatter") return showNearest((event.clientX - frame.left) * (width / frame.width), (event.clientY - frame.top) * (width / frame.width));
    const at = x0 + ((((event.clientX - frame.left) / frame.width) * width - left) / (width - left - right)) * (x1 - x0);
    const all = stops();
    let best = 0;
    all.forEach((value, i) => { if (Math.abs(value - at) < Math.abs(all[best] - at)) best = i; });
    show(best);
  });
  box.addEventListener("pointerleave", hide);
  box.addEventListener("blur", hide);
  box.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step) {
      if (!box.chart) draw();
      event.preventDefault();
      show(focus + step);
    }
  });
  figure.legendEntries = () => visible().map((one) => [one.name, one.colour, one.dash]);
  let known = 0;
  new ResizeObserver(() => {
    if (Math.abs(box.clientWidth - known) > 2) {
      known = box.clientWidth;
      draw();
    }
  }).observe(box);
}

document.querySelectorAll("figure.chart").forEach(setUpChart);
