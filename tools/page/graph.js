// The graph: nodes in layers from top to bottom; kernels, layers and phases unfold in place.

const TITLE = 22;
const MOST_LINKS = 12;
const KINDS = {
  layer: "layer", kernel: "kernel", backward: "backward ops", optimizer: "optimizer",
};
const phaseOf = new Map(graph.kernels.map((kernel) => [kernel.name, kernel.phase]));
const FILLS = { forward: "kernel", backward: "backward", optimizer: "optimizer" };

function nodeText(number) {
  const node = graph.nodes[number], value = (name) => node[NODE[name]];
  const kernel = kernelOfNode.get(number), signature = signatureOf.get(number);
  return [
    [value("name") && value("name") !== value("label") ? `${value("name")} =` : "", value("label")]
      .filter(Boolean).join(" "),
    value("type"), setText(value("set")),
    kernel === undefined ? "" : `in kernel ${kernelText(kernel)}`,
    value("flops") ? `${quantity(value("flops"))} flops` : "",
    value("bytes") ? `${quantity(value("bytes"))} bytes by itself` : "",
    signature ? `on the ranks: ${signature.signature}` : "",
  ].filter(Boolean).join("\n");
}

const opsText = (count) => `${count} ${count === 1 ? "op" : "ops"}`;

function kernelText(k) {
  const { name, device } = graph.kernels[k];
  return device ? `${name} on ${device}` : name;
}

function groupText(g) {
  const group = groups[g], amounts = Object.values(measures).map((measure) => {
    const sum = sumOf(measure, partsOfGroup(g));
    return sum ? measure.show(sum) : "";
  }).filter(Boolean);
  const lines = placesOfGroup(g).slice(0, 6).map(placeText).join(", ");
  const title = group.kind === group.name ? KINDS[group.kind]
    : `${KINDS[group.kind]} ${group.kind === "kernel" ? kernelText(group.kernel) : group.name}`;
  return [title, opsText(opsOf[g]), amounts.join(", "), lines].filter(Boolean).join("\n");
}

// Whether a node is selected, and whether it comes from the same lines as what is.
function nodeState(number) {
  const set = graph.nodes[number][NODE.set], nodes = model.selected?.nodes;
  if (!nodes) return [model.hit[set], model.near[set]];
  return nodes.has(number) ? [1, 0] : [0, model.near[set] || model.hit[set]];
}

const groupPlaces = new Map();
function placesOfGroup(g) {
  if (!groupPlaces.has(g)) {
    const all = new Set(nodesOf[g].map((n) => graph.nodes[n][NODE.set]));
    groupPlaces.set(g, [...new Set([...all].flatMap((set) => sets[set]))]);
  }
  return groupPlaces.get(g);
}

const graphs = [];

class Graph {
  constructor(host) {
    graphs.push(this);
    this.folds = new Folds();
    this.cursor = null;   // [group, item]
    this.over = null;
    this.tools(host);
    this.board = new Board(host, {
      label: "Graph of the job: arrows follow edges, Enter folds and unfolds groups",
      draw: (...args) => this.draw(...args),
      pick: (x, y, event) => this.pick(x, y, event),
      hover: (x, y, event) => this.hover(x, y, event),
      key: (name) => this.key(name),
    });
    this.board.fit = (whole) => {
      this.fit(whole);
      if (!whole && model.selected) this.reveal();
    };
    heat.listeners.push(() => this.board.draw());
    listen(this.board.box, (from) => {
      this.mark();
      if (from !== this && model.selected) this.reveal();
      this.board.draw();
    }, () => { this.mark(); this.board.draw(); });
  }

  tools(host) {
    const button = (text, title, act) => element("button", { onclick: act, title }, text);
    const refit = (act) => () => { act(); this.cursor = null; this.board.fit(false); };
    const middle = (factor) => this.board.zoom(factor, this.board.width / 2, this.board.height / 2);
    const kernels = graph.kernels.filter((kernel) => kernel.ops.length > 1).length;
    const ops = graph.nodes.filter((node) => node[NODE.kind] === "op").length;
    host.append(
      element("div", { class: "tools" },
        button("Start", "As at first", refit(() => this.folds.start())),
        button("Fold", "Fold all groups", refit(() => this.folds.less())),
        button("Unfold", "Unfold one level more", refit(() => this.folds.more())),
        button("+", "Larger", () => middle(1.25)), button("\u2212", "Smaller", () => middle(0.8)),
        button("Fit", "Show all of it", () => this.board.fit(true)),
        element("label", { class: "note" }, "bars: ", heat.chooser())),
      element("div", { class: "tools" }, legend(), element("span", { class: "note" },
        `${ops} ops of stage ${graph.stage}, ${kernels} kernels of several`)));
  }

  fit(whole) {
    const { board } = this, flow = this.folds.flows.get(0), { rows } = flow;
    const bottom = rows.length ? rows[rows.length - 1][1] : 1;
    const across = (board.width - 24) / Math.max(1, flow.width);
    const all = Math.min(across, (board.height - 24) / Math.max(1, bottom));
    board.least = Math.min(0.1, all);
    const scale = Math.min(1.2, whole ? all : Math.max(all, Math.min(across, 1), 0.75));
    let middle = flow.width / 2, top = 0;
    const feed = graph.nodes.findIndex((node) => node[NODE.kind] === "feed");
    if (!whole && feed >= 0) {
      // The input is what one reads first.
      const box = this.folds.box(this.folds.seen(homeOfNode.get(feed)));
      if (across < scale) middle = box[X] + box[W] / 2;
      if (board.height / scale < bottom) top = Math.min(box[Y], Math.max(0, bottom - board.height / scale));
    }
    board.view = { scale, x: board.width / 2 - middle * scale, y: 12 - top * scale };
    board.draw();
  }

  // -- drawing ------------------------------------------------------------------------------------

  draw(ink, colour, seen, dots) {
    const { view } = this.board, { scale } = view;
    const colours = this.colours(colour);
    ink.setTransform(dots * scale, 0, 0, dots * scale, dots * view.x, dots * view.y);
    ink.lineWidth = 1 / Math.max(scale, 0.4);
    this.coarse = scale < 0.2;
    this.group(ink, colours, seen, 0, 0, 0, scale > 0.3);
    this.links(ink, colours);
    if (!this.painted) performance.mark("graph drawn");
    this.painted = true;
  }

  colours(colour) {
    const names = ["op", "kernel", "backward", "optimizer", "layer", "layer-open", "kernel-line",
      "feed", "variable", "fetch", "node-line", "edge", "bar", "text", "soft", "hit", "mark", "near",
      "accent", "back"];
    return Object.fromEntries(names.map((name) => [name, colour(name)]));
  }

  // The items of a group that begins at x, y; `seen` is what is in sight.
  group(ink, colours, seen, g, x, y, words) {
    const { rows, box } = this.folds.flows.get(g), group = groups[g];
    const place = (n) => [x + box[n][X], y + box[n][Y], box[n][W], box[n][H]];
    this.edges(ink, colours, seen, g, y, place);
    group.layers.forEach((row, layer) => {
      if (y + rows[layer][1] < seen.top || y + rows[layer][0] > seen.bottom) return;
      for (const n of row) {
        if (n >= group.items.length) continue;
        const at = place(n);
        if (at[X] + at[W] < seen.left || at[X] > seen.right) continue;
        this.item(ink, colours, seen, [g, n], at, words);
      }
    });
  }

  edges(ink, colours, seen, g, y, place) {
    const { edges } = groups[g], layerOf = this.folds.layerOf[g], { rows } = this.folds.flows.get(g);
    const row = (n) => rows[layerOf[n]].map((end) => end + y);
    ink.strokeStyle = colours.edge;
    ink.beginPath();
    for (const [a, b, bends] of edges) {
      const points = route(place, a, b, bends, row);
      const far = !bends.length && Math.abs(layerOf[a] - layerOf[b]) > FAR;
      if (!far) curve(ink, points, seen, this.coarse);
      // Drawn whole, it would cross all there is: its ends say that it is there.
      else if (!this.coarse) stubs(ink, points, seen);
      if (!far && !this.coarse && this.board.view.scale > 0.5) arrow(ink, points, 4);
    }
    ink.stroke();
  }

  // All that is read from the item that is pointed at or chosen, and all that it reads.
  links(ink, colours) {
    const ends = [this.cursor, this.over].filter(Boolean).map((item) => this.folds.seen(item));
    if (!ends.length) return;
    const drawn = new Set(), direct = [];
    ink.strokeStyle = colours.accent;
    ink.beginPath();
    for (const end of ends) {
      const item = groups[end[0]].items[end[1]];
      const inside = new Set(item[GROUP] >= 0 ? nodesOf[item[GROUP]] : [item[OWN]]);
      for (const [a, b] of linksOf(inside)) {
        const one = inside.has(a) ? end : this.folds.seen(homeOfNode.get(a));
        const other = inside.has(b) ? end : this.folds.seen(homeOfNode.get(b));
        const key = `${one} ${other}`;
        if (drawn.has(key)) continue;
        drawn.add(key);
        if (!this.routed(ink, one, other)) direct.push([one, other]);
      }
    }
    // More of them would hide what they cross.
    if (direct.length <= MOST_LINKS) {
      for (const [one, other] of direct) curve(ink, route((end) => this.folds.box(end), one, other, []), null, false);
    }
    ink.stroke();
  }

  // Draw an edge as it was laid out; false if it was not.
  routed(ink, one, other) {
    const [g, a] = one, [h, b] = other;
    const edge = g === h && groups[g].edges.find((found) => found[0] === a && found[1] === b);
    if (!edge) return false;
    const [, y] = this.folds.origin(g), { rows } = this.folds.flows.get(g);
    const row = (n) => rows[this.folds.layerOf[g][n]].map((end) => end + y);
    curve(ink, route((n) => this.folds.box([g, n]), ...edge, row), null, false);
    return true;
  }

  item(ink, colours, seen, at, box, words) {
    const item = groups[at[0]].items[at[1]], g = item[GROUP];
    if (g < 0) { this.node(ink, colours, at, item[OWN], box, words); return; }
    const group = groups[g], open = this.folds.open.has(g);
    const back = group.kind === "kernel" ? FILLS[graph.kernels[group.kernel].phase]
      : group.kind === "layer" ? "layer" : group.kind;
    const hit = this.hits?.[g], near = this.nears?.[g];
    const fill = open && group.kind !== "kernel" ? colours["layer-open"]
      : open ? colours[back] : hit ? colours.hit : near ? colours.near : colours[back];
    frame(ink, box, {
      fill, stroke: hit ? colours.mark : group.kind === "kernel" ? colours["kernel-line"] : colours["node-line"],
      focus: this.is(at) && colours.accent, thick: hit, radius: group.kind === "kernel" ? 7 : 3,
      coarse: this.coarse && !open,
    });
    if (!this.coarse || open) this.title(ink, colours, at, g, box, open, words);
    if (open) this.group(ink, colours, seen, g, box[X], box[Y], words);
  }

  title(ink, colours, at, g, box, open, words) {
    const group = groups[g], amount = heat.ofGroup(g);
    if (!open) share(ink, colours, box, amount / heat.most(at[0]));
    if (!words) return;
    const name = group.name === group.kind ? KINDS[group.kind] : group.name;
    write(ink, colours.text, `${open ? "\u25be" : "\u25b8"} ${name}`, box[X] + 8, box[Y] + 15, box[W] - 14, 600);
    const text = [opsText(opsOf[g]), graph.kernels[group.kernel]?.device && "GPU", heat.text(amount)]
      .filter(Boolean).join(", ");
    if (!open) { write(ink, colours.soft, text, box[X] + 20, box[Y] + 29, box[W] - 26); return; }
    // Beside the name if there is room.
    const room = box[W] - 40 - widthOf(ink, name, 600);
    if (widthOf(ink, text) <= room) write(ink, colours.soft, text, box[X] + box[W] - 8, box[Y] + 15, room, 400, "right");
  }

  node(ink, colours, at, number, box, words) {
    const node = graph.nodes[number], kind = node[NODE.kind], kernel = kernelOfNode.get(number);
    const back = { feed: colours.feed, variable: colours.variable, update: colours.variable,
      fetch: colours.fetch }[kind]
      ?? (kernel !== undefined && groups[at[0]].kind !== "kernel"
        ? colours[FILLS[graph.kernels[kernel].phase]] : colours.op);
    const [hit, near] = nodeState(number);
    frame(ink, box, {
      fill: hit ? colours.hit : near ? colours.near : back,
      stroke: hit ? colours.mark : colours["node-line"],
      focus: this.is(at) && colours.accent, thick: hit, radius: kind === "op" ? 4 : 15,
      coarse: this.coarse,
    });
    if (this.coarse) return;
    share(ink, colours, box, heat.ofItem(at) / heat.most(at[0]));
    if (!words) return;
    const signature = heat.name === "ranks" ? signatureOf.get(number)?.signature : "";
    write(ink, colours.text, node[NODE.label], box[X] + box[W] / 2, box[Y] + 14, box[W] - 10, 500, "center");
    write(ink, colours.soft, signature || node[NODE.type], box[X] + box[W] / 2, box[Y] + 27, box[W] - 10, 400, "center");
  }

  is(at) { return this.cursor && this.cursor[0] === at[0] && this.cursor[1] === at[1]; }

  // Which groups have something that is selected or pointed at.
  mark() {
    this.hits = new Uint8Array(groups.length);
    this.nears = new Uint8Array(groups.length);
    graph.nodes.forEach((node, number) => {
      const [hit, near] = nodeState(number);
      if (!hit && !near) return;
      for (let [g] = homeOfNode.get(number); g; [g] = homeOfGroup.get(g)) {
        this.hits[g] |= hit;
        this.nears[g] |= near;
      }
    });
  }

  // -- the pointer and the keyboard ---------------------------------------------------------------

  pick(x, y, event) {
    const found = this.folds.under(x, y);
    this.cursor = found;
    if (!found) { model.select(null, this); return; }
    const g = groups[found[0]].items[found[1]][GROUP], box = this.folds.box(found);
    const title = g >= 0 && y < box[Y] + TITLE && x < box[X] + TITLE;
    // A double click comes behind two clicks, which have selected.
    if (title && event.type === "pointerup") this.toggle(g);
    else if (event.type === "dblclick" && g >= 0 && !title) this.toggle(g);
    else if (event.type === "pointerup") this.choose();
    this.board.draw();
  }

  toggle(g) {
    const home = homeOfGroup.get(g), before = this.folds.box(home);
    if (!this.folds.open.delete(g)) this.folds.open.add(g);
    this.folds.reflow();
    const after = this.folds.box(home), { view } = this.board;
    // Its title stays under the pointer.
    view.x -= (after[X] - before[X]) * view.scale;
    view.y -= (after[Y] - before[Y]) * view.scale;
    this.board.draw();
    this.say();
  }

  choose() {
    const item = groups[this.cursor[0]].items[this.cursor[1]], g = item[GROUP];
    const nodes = g >= 0 ? nodesOf[g] : [item[OWN]];
    const lines = nodes.map((number) => graph.nodes[number][NODE.line]).filter(Boolean);
    const name = g >= 0 ? groups[g].name : graph.nodes[item[OWN]][NODE.name];
    model.select({
      places: g >= 0 ? placesOfGroup(g) : sets[graph.nodes[item[OWN]][NODE.set]],
      nodes: new Set(nodes),
      exact: { [graph.stage]: new Set(lines.map((line) => line - 1)) },
      what: g >= 0 ? `${KINDS[groups[g].kind]} ${name}` : graph.nodes[item[OWN]][NODE.label],
      link: g >= 0 ? `graph/${groupLink(g)}` : name ? `graph/${name}` : "",
    }, this);
    this.say();
  }

  hover(x, y, event) {
    const found = event && this.folds.under(x, y);
    const changed = found?.[0] !== this.over?.[0] || found?.[1] !== this.over?.[1];
    this.over = found;
    if (changed) {
      this.board.tell(found && event ? this.text(found) : "", event);
      model.hover(found ? { places: this.placesOf(found) } : null, this);
      this.board.draw();
    }
  }

  placesOf([g, i]) {
    const item = groups[g].items[i];
    return item[GROUP] >= 0 ? placesOfGroup(item[GROUP]) : sets[graph.nodes[item[OWN]][NODE.set]];
  }

  text([g, i]) {
    const item = groups[g].items[i];
    return item[GROUP] >= 0 ? groupText(item[GROUP]) : nodeText(item[OWN]);
  }

  say() {
    if (this.cursor) status(`${this.text(this.cursor).split("\n").join("; ")}`);
  }

  key(name) {
    if (!this.cursor) this.cursor = this.firstOf(0);
    if (!this.cursor) return false;
    const [g, i] = this.cursor, inner = groups[g].items[i][GROUP];
    if (name === " ") this.choose();
    else if (name === "Enter") { if (inner >= 0) this.toggle(inner); else this.choose(); }
    else if (name === "ArrowLeft" || name === "ArrowRight") this.sideways(name === "ArrowRight" ? 1 : -1);
    else if (name === "ArrowDown" || name === "ArrowUp") this.along(name === "ArrowDown" ? 1 : -1);
    else return false;
    this.lookAt(this.cursor);
    this.say();
    return true;
  }

  firstOf(g) {
    const first = groups[g].layers[0]?.find((n) => n < groups[g].items.length);
    return first === undefined ? null : [g, first];
  }

  sideways(step) {
    const [g, i] = this.cursor, { layers, items } = groups[g];
    const row = layers[this.folds.layerOf[g][i]].filter((n) => n < items.length);
    const next = row[row.indexOf(i) + step];
    if (next !== undefined) this.cursor = [g, next];
  }

  // Down into a group that is unfolded or to who reads this; up to what this reads, or out.
  along(step) {
    const [g, i] = this.cursor, inner = groups[g].items[i][GROUP];
    if (step > 0 && this.folds.open.has(inner)) { this.cursor = this.firstOf(inner); return; }
    for (let at = [g, i]; ; at = homeOfGroup.get(at[0])) {
      const edge = groups[at[0]].edges.find(([a, b]) => (step > 0 ? a : b) === at[1]);
      if (edge) { this.cursor = [at[0], edge[step > 0 ? 1 : 0]]; return; }
      if (!at[0]) return;
      if (step < 0) { this.cursor = homeOfGroup.get(at[0]); return; }
    }
  }

  // Unfold what an item is in, and bring it into sight.
  open(at) {
    this.folds.unfoldTo(at);
    this.cursor = at;
    this.lookAt(at);
  }

  // Show and choose a node or a group, by the name that links give it.
  go(name) {
    const g = groups.findIndex((_, number) => number && groupLink(number) === name);
    const node = graph.nodes.findIndex((found) => found[NODE.name] === name);
    const kernel = groups.findIndex((group) => group.kind === "kernel" && group.name === name);
    const at = g > 0 ? homeOfGroup.get(g) : node >= 0 ? homeOfNode.get(node)
      : kernel > 0 ? homeOfGroup.get(kernel) : null;
    if (!at) return;
    this.open(at);
    this.choose();
  }

  // Bring what is selected into sight, unless some of it is.
  reveal() {
    const { view, width, height } = this.board;
    if (!width) return;
    const done = new Set();
    let first = null;
    for (const [number, node] of graph.nodes.entries()) {
      if (node[NODE.kind] !== "op" || !nodeState(number)[0]) continue;
      const at = this.folds.seen(homeOfNode.get(number)), key = at[0] * graph.nodes.length + at[1];
      if (done.has(key)) continue;
      done.add(key);
      const box = this.folds.box(at), y = box[Y] * view.scale + view.y, x = box[X] * view.scale + view.x;
      if (y > -10 && y < height - 20 && x > -40 && x < width - 20) return;
      first ??= at;
    }
    if (first) this.lookAt(first);
  }

  lookAt(at) {
    const { view, width, height } = this.board, box = this.folds.box(at);
    const x = (box[X] + box[W] / 2) * view.scale + view.x, y = box[Y] * view.scale + view.y;
    if (x < 40 || x > width - 40) view.x += width / 2 - x;
    if (y < 20 || y > height - 60) view.y += height / 3 - y;
    this.board.draw();
  }
}

// The edges between nodes inside and nodes outside of a set.
let neighbours = null;
function linksOf(inside) {
  if (!neighbours) {
    neighbours = graph.nodes.map(() => []);
    for (const link of graph.links) { neighbours[link[0]].push(link); neighbours[link[1]].push(link); }
  }
  const found = [];
  for (const n of inside) {
    for (const link of neighbours[n]) if (inside.has(link[0]) !== inside.has(link[1])) found.push(link);
  }
  return found;
}

// The name of a group from the outermost that it is in.
function groupLink(g) {
  const names = [];
  for (let at = g; at; [at] = homeOfGroup.get(at)) names.unshift(groups[at].name);
  return names.join("/");
}

// What the colours say, of those that are there.
function legend() {
  const has = (kind) => graph.nodes.some((node) => node[NODE.kind] === kind);
  const phases = new Set(graph.kernels.map((kernel) => kernel.phase));
  const entries = [
    ["feed", "feed", has("feed")], ["variable", "variable", has("variable")],
    ["fetch", "fetch", has("fetch")], ["layer", "layer", groups.some((group) => group.kind === "layer")],
    ["kernel", "forward kernel", phases.has("forward")],
    ["backward", "backward", phases.has("backward") || groups.some((group) => group.kind === "backward")],
    ["optimizer", "optimizer", phases.has("optimizer") || groups.some((group) => group.kind === "optimizer")],
    ["op", "op", groups.some((group) => group.kind === "kernel") || !graph.kernels.length],
  ];
  return swatches(entries.filter(([, , there]) => there));
}

function swatches(entries) {
  return element("span", { class: "legend" }, ...entries.map(([colour, text]) =>
    element("span", {}, element("i", { style: `background:var(--${colour})` }), text)));
}
