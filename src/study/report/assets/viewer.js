"use strict";
// The network viewer: one method, or two side by side, on the genes they keep selecting.

(function () {
  const box = document.getElementById("viewer");
  if (!box) return;
  const part = (name) => document.getElementById(`viewer-${name}`);
  const data = JSON.parse(part("data").textContent);
  const GREY = "#9aa4b0";
  const EVENTS = { more: "#b2182b", fewer: "#2166ac" };
  const graphs = [];
  let chosen = null;
  let places = null;

  // The package holds cytoscape.js as numbered modules of a bundle; 9058 is cytoscape itself.
  function loadLibrary() {
    const modules = self.webpackChunkjupyter_cytoscape[0][1];
    const done = {};
    function load(id) {
      if (!done[id]) {
        done[id] = { exports: {} };
        modules[id].call(done[id].exports, done[id], done[id].exports, load);
      }
      return done[id].exports;
    }
    load.g = window;
    load.nmd = (module) => module;
    return load(9058);
  }

  const method = () => data.methods[Number(part("method").value)];
  const other = () => (part("other").value === "" ? null : data.methods[Number(part("other").value)]);
  const least = () => Number(part("share").value) / 100;
  const genesOf = (one) => new Map(one.genes.filter((row) => row[1] >= least() - 1e-9).map((row) => [row[0], row]));

  const edgesAmong = (genes) => data.edges.filter(([a, b]) => genes.has(a) && genes.has(b));
  const say = (text) => { part("said").textContent = text; };

  function layOut(cytoscape, genes, size) {
    const ids = Array.from(genes.keys());
    const edges = edgesAmong(genes);
    const linked = new Set(edges.flatMap(([a, b]) => [a, b]));
    const joined = ids.filter((id) => linked.has(id));
    const alone = ids.filter((id) => !linked.has(id));
    const around = (i) => ({ x: size.w / 2 + (size.w / 3) * Math.cos((2 * Math.PI * i) / joined.length), y: size.h / 2 + (size.h / 3) * Math.sin((2 * Math.PI * i) / joined.length) });
    const found = new Map();
    if (joined.length) {
      const cy = cytoscape({
        headless: true,
        styleEnabled: true,
        style: [{ selector: "node", style: { width: 44, height: 30 } }],
        elements: [
          ...joined.map((id, i) => ({ data: { id: String(id) }, position: around(i) })),
          ...edges.map(([a, b]) => ({ data: { source: String(a), target: String(b) } })),
        ],
      });
      cy.layout({ name: "cose", animate: false, randomize: false, fit: false, boundingBox: { x1: 0, y1: 0, w: size.w, h: size.h }, nodeRepulsion: () => 9000, idealEdgeLength: () => 46, numIter: 1200, componentSpacing: 70, nodeOverlap: 12 }).run();
      cy.nodes().forEach((node) => found.set(Number(node.id()), { ...node.position() }));
      cy.destroy();
    }
    // Genes without a neighbour stand in rows below the others.
    const spots = Array.from(found.values());
    const left = spots.length ? Math.min(...spots.map((spot) => spot.x)) : 0;
    const right = spots.length ? Math.max(...spots.map((spot) => spot.x)) : size.w;
    const bottom = spots.length ? Math.max(...spots.map((spot) => spot.y)) + 80 : 0;
    const perRow = Math.max(6, Math.floor((right - left) / 74), Math.ceil(Math.sqrt(alone.length * 2)));
    alone.forEach((id, i) => found.set(id, { x: left + (i % perRow) * 74, y: bottom + Math.floor(i / perRow) * 62 }));
    return found;
  }

  const style = [
    { selector: "node", style: { label: "data(symbol)", width: "data(size)", height: "data(size)", "background-color": "data(colour)", "border-width": 1, "border-color": "#55606e", "font-size": 11, color: "#1c2431", "text-valign": "bottom", "text-margin-y": 3, "text-outline-color": "#fff", "text-outline-width": 2, "min-zoomed-font-size": 5 } },
    { selector: "node[?opposite]", style: { "border-style": "dashed", "border-width": 3, "border-color": "#000" } },
    { selector: "node[?known]", style: { "border-width": 4, "border-color": "#000" } },
    { selector: "edge", style: { width: "mapData(confidence, 0.4, 1, 0.8, 3)", "line-color": "#b3bcc7", "curve-style": "haystack" } },
    { selector: ".faded", style: { opacity: 0.18 } },
    { selector: "edge.near", style: { "line-color": "#1c2431", width: 2.5 } },
    { selector: "node.chosen", style: { "border-width": 5, "border-color": "#0072b2" } },
  ];

  function build(cytoscape, slot, one, rival) {
    if (graphs[slot]) graphs[slot].destroy();
    const genes = genesOf(one);
    const nodes = Array.from(genes.values(), (row) => {
      const gene = data.genes[row[0]];
      const colour = rival ? (rival.has(row[0]) ? GREY : one.colour) : EVENTS[gene.higher];
      const opposite = (row[2] > 0 ? "more" : "fewer") !== gene.higher;
      return { data: { id: String(row[0]), symbol: gene.symbol, known: gene.known, opposite, frequency: row[1], weight: row[2], size: 12 + 26 * row[1], colour }, position: { ...places.get(row[0]) } };
    });
    const edges = edgesAmong(genes).map(([a, b, confidence]) => ({ data: { source: String(a), target: String(b), confidence } }));
    const holder = part(slot ? "b" : "a");
    const cy = cytoscape({ container: holder, elements: [...nodes, ...edges], style, layout: { name: "preset", fit: true, padding: 24 }, minZoom: 0.1, maxZoom: 5, userZoomingEnabled: false });
    // The wheel scrolls the page until the network has been clicked.
    cy.on("tapstart", () => cy.userZoomingEnabled(true));
    holder.addEventListener("mouseleave", () => cy.userZoomingEnabled(false));
    cy.on("tap", "node", (event) => choose(Number(event.target.id())));
    cy.on("tap", (event) => event.target === cy && choose(null));
    holder.dataset.nodes = nodes.length;
    holder.dataset.edges = edges.length;
    holder.setAttribute("aria-label", `Network of ${one.label}: ${nodes.length} genes, ${edges.length} interactions`);
    part(slot ? "name-b" : "name-a").textContent = `${one.label}: ${nodes.length} genes, ${edges.length} interactions`;
    graphs[slot] = cy;
  }

  function drawLegend(one, two) {
    const known = `${data.genes.some((gene) => gene.known) ? '<span><i class="ring"></i>known gene</span>' : ""}<span>dashed: weight of the opposite sign</span><span>size: frequency</span>`;
    const swatch = (colour, text) => `<span><i style="background:${colour}"></i>${text}</span>`;
    part("legend").innerHTML = (two ? swatch(one.colour, `only ${one.label}`) + swatch(GREY, "both") + swatch(two.colour, `only ${two.label}`) : Object.entries(EVENTS).map(([events, colour]) => swatch(colour, `higher: ${events} events`)).join("")) + known;
  }

  let cytoscape = null;
  function draw() {
    cytoscape ??= loadLibrary();
    const [one, two] = [method(), other()];
    const [mine, theirs] = [genesOf(one), two ? genesOf(two) : null];
    part("share-shown").textContent = `${part("share").value} % of folds`;
    box.querySelectorAll(".pane")[1].hidden = !two;
    const holder = part("a");
    const size = { w: Math.max(420, holder.clientWidth), h: Math.max(420, holder.clientHeight) };
    const shown = new Map([...mine, ...(theirs || [])]);
    places = layOut(cytoscape, shown, size);
    build(cytoscape, 0, one, theirs);
    if (graphs[1]) graphs.pop().destroy();
    if (two) {
      build(cytoscape, 1, two, mine);
      const both = Array.from(mine.keys()).filter((id) => theirs.has(id)).length;
      say(`${both} genes in both, ${mine.size - both} only in ${one.label}, ${theirs.size - both} only in ${two.label}.`);
    } else if (!mine.size) say("No gene is selected so often; move the slider to the left.");
    else say("");
    drawLegend(one, two);
    part("genes").replaceChildren(...Array.from(shown.keys(), (id) => new Option(data.genes[id].symbol)));
    choose(shown.has(chosen) ? chosen : null);
    box.dataset.ready = "true";
  }

  const escaped = (text) => String(text).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

  function describe(id) {
    const panel = part("gene");
    if (id === null) {
      panel.innerHTML = "<p>Choose a gene in the network to see its numbers and its neighbours.</p>";
      return;
    }
    const gene = data.genes[id];
    const link = gene.entrez ? `<a href="https://www.ncbi.nlm.nih.gov/gene/${gene.entrez}" target="_blank" rel="noreferrer">NCBI Gene</a>` : "";
    const rows = data.methods.map((one) => {
      const row = one.genes.find((entry) => entry[0] === id);
      const [share, weight] = row ? [row[1].toFixed(2), row[2].toPrecision(2)] : [`&lt; ${data.least}`, "–"];
      return `<tr><th scope="row" class="text">${escaped(one.label)}</th><td>${share}</td><td>${weight}</td></tr>`;
    });
    const near = Array.from(new Set(graphs.flatMap((cy) => cy.getElementById(String(id)).neighborhood("node").map((node) => Number(node.id())))));
    near.sort((a, b) => data.genes[a].symbol.localeCompare(data.genes[b].symbol));
    const buttons = near.map((next) => `<button type="button" data-gene="${next}">${escaped(data.genes[next].symbol)}</button>`);
    panel.innerHTML = `<h3>${escaped(gene.symbol)}</h3>
      <p>${gene.known ? `A ${escaped(data.known)}. ` : ""}Higher goes with ${gene.higher} events. ${gene.degree} neighbours in the whole network. ${link}</p>
      <table><thead><tr><th scope="col">Method</th><th scope="col">Frequency</th><th scope="col">Weight</th></tr></thead><tbody>${rows.join("")}</tbody></table>
      <p>${near.length ? `Neighbours shown (${near.length}):` : "No neighbour is shown at this frequency."}</p>
      <p class="neighbours">${buttons.join("")}</p>`;
  }

  function choose(id) {
    chosen = id;
    for (const cy of graphs) {
      cy.elements().removeClass("faded near chosen");
      const node = id === null ? cy.collection() : cy.getElementById(String(id));
      if (!node.length) continue;
      cy.elements().not(node.closedNeighborhood()).addClass("faded");
      node.connectedEdges().addClass("near");
      node.addClass("chosen");
    }
    box.dataset.chosen = id === null ? "" : data.genes[id].symbol;
    describe(id);
  }

  function search() {
    const wanted = part("search").value.trim().toUpperCase();
    if (!wanted) return say("");
    const id = data.genes.findIndex((gene) => gene.symbol.toUpperCase() === wanted);
    if (id < 0) return say(`${part("search").value}: no method selects it in ${data.least * 100} % of its folds or more.`);
    const shown = graphs.filter((cy) => cy.getElementById(String(id)).length);
    if (!shown.length) {
      const row = method().genes.find((entry) => entry[0] === id);
      return say(`${data.genes[id].symbol}: ${method().label} selects it in ${row ? `${Math.round(row[1] * 100)} %` : `less than ${data.least * 100} %`} of its folds; ${row ? "move the slider to the left" : "choose another method"}.`);
    }
    say(`${data.genes[id].symbol} found.`);
    choose(id);
    for (const cy of shown) cy.center(cy.getElementById(String(id)));
  }

  function graphml(cy) {
    const keys = { symbol: "string", entrez: "string", frequency: "double", mean_weight: "double", higher: "string", known: "boolean" };
    const lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'];
    for (const [key, type] of Object.entries(keys)) lines.push(`<key id="${key}" for="node" attr.name="${key}" attr.type="${type}"/>`);
    lines.push('<key id="confidence" for="edge" attr.name="confidence" attr.type="double"/>', '<graph edgedefault="undirected">');
    cy.nodes().forEach((node) => {
      const gene = data.genes[Number(node.id())];
      const values = { symbol: gene.symbol, entrez: gene.entrez ?? "", frequency: node.data("frequency"), mean_weight: node.data("weight"), higher: `${gene.higher} events`, known: gene.known };
      lines.push(`<node id="${escaped(gene.symbol)}">${Object.entries(values).map(([key, value]) => `<data key="${key}">${escaped(value)}</data>`).join("")}</node>`);
    });
    cy.edges().forEach((edge) => {
      lines.push(`<edge source="${escaped(edge.source().data("symbol"))}" target="${escaped(edge.target().data("symbol"))}"><data key="confidence">${edge.data("confidence")}</data></edge>`);
    });
    return [...lines, "</graph>", "</graphml>", ""].join("\n");
  }

  function save(kind) {
    graphs.forEach((cy, slot) => {
      const name = `network-${(slot ? other() : method()).name}.${kind}`;
      const blob = kind === "png" ? cy.png({ output: "blob", full: true, scale: 2, bg: "#fff" }) : new Blob([graphml(cy)], { type: "application/xml" });
      saveBlob(blob, name);
    });
  }

  data.methods.forEach((one, i) => {
    part("method").add(new Option(one.label, i, false, i === data.first));
    part("other").add(new Option(one.label, i));
  });
  describe(null);
  part("gene").addEventListener("click", (event) => event.target.dataset.gene && choose(Number(event.target.dataset.gene)));
  function start() {
    part("share").value = String(Math.round(method().start * 100));
    draw();
  }
  part("method").addEventListener("change", start);
  for (const name of ["other", "share"]) part(name).addEventListener("change", draw);
  part("share").addEventListener("input", () => { part("share-shown").textContent = `${part("share").value} % of folds`; });
  part("search").addEventListener("change", search);
  part("search").addEventListener("input", (event) => event.inputType === "insertReplacementText" && search());
  part("search").addEventListener("keydown", (event) => event.key === "Enter" && search());
  part("fit").addEventListener("click", () => graphs.forEach((cy) => cy.fit(undefined, 24)));
  box.querySelectorAll("[data-network]").forEach((button) => button.addEventListener("click", () => save(button.dataset.network)));
  // Laid out when it comes near the screen, so that the page opens at once.
  new IntersectionObserver((entries, watcher) => {
    if (entries.some((entry) => entry.isIntersecting)) {
      watcher.disconnect();
      start();
    }
  }, { rootMargin: "400px" }).observe(box);
})();
