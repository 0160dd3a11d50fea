// The graph: layers of nodes from top to bottom, kernels as regions that unfold in place.

const NODE = Object.fromEntries(graph.fields.map((name, i) => [name, i]));
const [X, Y, W, H, IS_KERNEL, NUMBER] = [0, 1, 2, 3, 4, 5];
const FAR = 6;
const TITLE = 20;
const mostFlops = Math.max(1, ...graph.kernels.map((k) => k.flops),
  ...graph.nodes.map((node) => node[NODE.flops]));

function nodeText(node) {
  const value = (name) => node[NODE[name]];
  return [
    [value("name") && value("name") !== value("label") ? `${value("name")} =` : "", value("label")]
      .filter(Boolean).join(" "),
    value("type"), setText(value("set")),
    value("flops") ? `${quantity(value("flops"))} flops` : "",
    value("bytes") ? `${quantity(value("bytes"))} bytes by itself` : "",
  ].filter(Boolean).join("\n");
}

function kernelText(kernel) {
  return `kernel ${kernel.name}\n${kernel.ops.length} ops, ${quantity(kernel.flops)} flops, ` +
    `${quantity(kernel.bytes)} bytes\n${setText(kernel.set)}`;
}

const graphs = [];

class Graph {
  constructor(host) {
    graphs.push(this);
    this.open = new Set();
    this.cursor = null;   // [item, op number or -1]
    this.over = null;
    this.layerOf = new Int32Array(graph.items.length + graph.bends.length);
    graph.layers.forEach((row, layer) => row.forEach((n) => { this.layerOf[n] = layer; }));
    this.edgesOf = graph.items.map(() => []);
    graph.edges.forEach((edge, i) => { this.edgesOf[edge[0]].push(i); this.edgesOf[edge[1]].push(i); });
    this.itemOf = new Map();
    graph.items.forEach((item, i) => {
      if (item[IS_KERNEL]) graph.kernels[item[NUMBER]].ops.forEach((op) => this.itemOf.set(op, i));
    });
    graph.items.forEach((item, i) => { if (!item[IS_KERNEL]) this.itemOf.set(item[NUMBER], i); });
    this.tools(host);
    this.board = new Board(host, {
      label: "Graph of the job: arrows follow edges, Enter folds and unfolds kernels",
      draw: (...args) => this.draw(...args),
      pick: (x, y, event) => this.pick(x, y, event),
      hover: (x, y, event) => this.hover(x, y, event),
      key: (name) => this.key(name),
    });
    this.board.fit = (whole) => {
      this.fit(whole);
      if (!whole && model.selected) this.reveal();
    };
    this.reflow();
    listen(this.board.box, (from) => {
      if (from !== this && model.selected) this.reveal();
      this.board.draw();
    }, () => this.board.draw());
  }

  tools(host) {
    const button = (text, act) => element("button", { onclick: act }, text);
    const kernels = graph.kernels.filter((kernel) => kernel.ops.length > 1).length;
    const ops = graph.nodes.filter((node) => node[NODE.kind] === "op").length;
    host.append(element("div", { class: "tools" },
      button("Unfold all", () => this.all(true)), button("Fold all", () => this.all(false)),
      button("+", () => this.board.zoom(1.25, this.board.width / 2, this.board.height / 2)),
      button("\u2212", () => this.board.zoom(0.8, this.board.width / 2, this.board.height / 2)),
      button("Fit", () => this.board.fit(true)),
      element("span", { class: "note" },
        `${ops} ops of stage ${graph.stage}, ${kernels} kernels of several`)));
  }

  // Positions with some kernels unfolded: what stands below moves down, what is beside, aside.
  reflow() {
    const count = graph.items.length;
    const at = (n) => (n < count ? graph.items[n] : graph.bends[n - count]);
    this.box = new Array(count + graph.bends.length);
    this.rows = [];
    let down = 0;
    for (const row of graph.layers) {
      let wide = 0, high = 0, top = Infinity, bottom = -Infinity;
      for (const n of row) {
        const size = this.size(n);
        wide += size[0] - (n < count ? at(n)[W] : 8);
        high = Math.max(high, size[1] - (n < count ? at(n)[H] : 0));
      }
      let aside = -wide / 2;
      for (const n of row) {
        const [w, h] = this.size(n);
        this.box[n] = [at(n)[X] + aside, at(n)[Y] + down, w, h];
        aside += w - (n < count ? at(n)[W] : 8);
        top = Math.min(top, this.box[n][1]);
        bottom = Math.max(bottom, this.box[n][1] + h);
      }
      this.rows.push([top, bottom]);
      down += high;
    }
  }

  size(n) {
    if (n >= graph.items.length) return [8, 0];
    const item = graph.items[n];
    if (!this.open.has(n)) return [item[W], item[H]];
    const kernel = graph.kernels[item[NUMBER]];
    return [Math.max(item[W], kernel.width), kernel.height];
  }

  all(open) {
    this.open = new Set(open ? [...graph.items.keys()].filter((n) => graph.items[n][IS_KERNEL]) : []);
    this.reflow();
    this.board.fit(false);
  }

  toggle(n) {
    const before = this.box[n];
    if (!this.open.delete(n)) this.open.add(n);
    this.reflow();
    const after = this.box[n], { view } = this.board;
    // Its title stays under the pointer.
    view.x -= (after[X] - before[X]) * view.scale;
    view.y -= (after[Y] - before[Y]) * view.scale;
    this.board.draw();
    this.say();
  }

  fit(whole) {
    const { board } = this;
    let left = Infinity, right = -Infinity;
    for (const box of this.box) {
      left = Math.min(left, box[X]);
      right = Math.max(right, box[X] + box[W]);
    }
    const bottom = this.rows.length ? this.rows[this.rows.length - 1][1] : 1;
    const across = (board.width - 24) / Math.max(1, right - left);
    const all = Math.min(across, (board.height - 24) / Math.max(1, bottom));
    board.least = Math.min(0.1, all);
    const scale = Math.min(1.2, whole ? all : Math.max(all, Math.min(across, 1), 0.75));
    let middle = (left + right) / 2;
    if (!whole && across < scale && this.rows.length) {
      const first = graph.layers[0].map((n) => this.box[n][X] + this.box[n][W] / 2);
      middle = first.reduce((sum, x) => sum + x, 0) / first.length;
    }
    board.view = { scale, x: board.width / 2 - middle * scale, y: 12 };
    board.draw();
  }

  // -- drawing ------------------------------------------------------------------------------------

  draw(ink, colour, seen, dots) {
    const { view } = this.board, { scale } = view;
    const colours = this.colours(colour);
    ink.setTransform(dots * scale, 0, 0, dots * scale, dots * view.x, dots * view.y);
    ink.lineWidth = 1 / Math.max(scale, 0.4);
    this.coarse = scale < 0.2;
    const shown = this.inSight(seen);
    this.edges(ink, colours, seen, graph.edges, (n) => this.box[n], true);
    for (const n of shown) this.item(ink, colours, n, scale > 0.3);
    if (!this.painted) performance.mark("graph drawn");
    this.painted = true;
  }

  colours(colour) {
    const names = ["op", "kernel", "kernel-line", "feed", "variable", "fetch", "node-line", "edge",
      "bar", "text", "soft", "hit", "mark", "near", "accent", "back"];
    return Object.fromEntries(names.map((name) => [name, colour(name)]));
  }

  inSight(seen) {
    const found = [];
    graph.layers.forEach((row, layer) => {
      const [top, bottom] = this.rows[layer];
      if (bottom < seen.top || top > seen.bottom) return;
      for (const n of row) {
        if (n >= graph.items.length) continue;
        const [x, , w] = this.box[n];
        if (x + w >= seen.left && x <= seen.right) found.push(n);
      }
    });
    return found;
  }

  // Edges from box to box; those of the kernels are outer ones, which have layers.
  edges(ink, colours, seen, edges, box, outer) {
    const touched = (n) => outer && (n === this.cursor?.[0] || n === this.over?.[0]);
    const coarse = outer && this.coarse, late = [];
    ink.strokeStyle = colours.edge;
    ink.beginPath();
    for (const edge of edges) {
      const [a, b, bends] = edge;
      if (touched(a) || touched(b)) { late.push(edge); continue; }
      const points = route(box, a, b, bends);
      const far = outer && !bends.length && Math.abs(this.layerOf[a] - this.layerOf[b]) > FAR;
      if (!far) curve(ink, points, seen, coarse);
      // Drawn whole, it would cross all there is: its ends say that it is there.
      else if (!coarse) stubs(ink, points, seen);
    }
    ink.stroke();
    ink.strokeStyle = colours.accent;
    ink.beginPath();
    for (const [a, b, bends] of late) curve(ink, route(box, a, b, bends), null, false);
    ink.stroke();
  }

  item(ink, colours, n, words) {
    const item = graph.items[n], box = this.box[n];
    if (!item[IS_KERNEL]) {
      this.node(ink, colours, graph.nodes[item[NUMBER]], box, words, this.is(n, -1));
      return;
    }
    const kernel = graph.kernels[item[NUMBER]], open = this.open.has(n);
    const hit = kernel.ops.some((op) => model.hit[graph.nodes[op][NODE.set]]);
    const near = kernel.ops.some((op) => model.near[graph.nodes[op][NODE.set]]);
    frame(ink, box, {
      fill: open ? colours.kernel : hit ? colours.hit : near ? colours.near : colours.kernel,
      stroke: hit ? colours.mark : colours["kernel-line"],
      focus: this.is(n, -1) && colours.accent, thick: hit, radius: 7, coarse: this.coarse,
    });
    if (this.coarse) return;
    share(ink, colours, box, kernel.flops);
    if (words) {
      write(ink, colours.text, `${open ? "\u25be" : "\u25b8"} ${kernel.name}`, box[X] + 8, box[Y] + 15, box[W] - 14, 600);
      if (!open) write(ink, colours.soft, `${kernel.ops.length} ops, ${quantity(kernel.flops)} flops`, box[X] + 20, box[Y] + 30, box[W] - 26);
    }
    if (!open) return;
    const place = (i) => {
      if (i >= kernel.ops.length) {
        const [x, y] = kernel.bends[i - kernel.ops.length];
        return [box[X] + x, box[Y] + y, 8, 0];
      }
      const [x, y] = kernel.at[i];
      return [box[X] + x, box[Y] + y, opWidth(graph.nodes[kernel.ops[i]]), 34];
    };
    this.edges(ink, colours, null, kernel.edges, place, false);
    kernel.ops.forEach((op, i) => this.node(ink, colours, graph.nodes[op], place(i), words, this.is(n, op)));
  }

  node(ink, colours, node, box, words, focus) {
    const kind = node[NODE.kind];
    const back = { feed: colours.feed, variable: colours.variable, update: colours.variable,
      fetch: colours.fetch }[kind] ?? colours.op;
    const hit = model.hit[node[NODE.set]], near = model.near[node[NODE.set]];
    frame(ink, box, {
      fill: hit ? colours.hit : near ? colours.near : back,
      stroke: hit ? colours.mark : colours["node-line"],
      focus: focus && colours.accent, thick: hit, radius: kind === "op" ? 4 : 15,
      coarse: this.coarse,
    });
    if (this.coarse) return;
    share(ink, colours, box, node[NODE.flops]);
    if (!words) return;
    write(ink, colours.text, node[NODE.label], box[X] + box[W] / 2, box[Y] + 14, box[W] - 10, 500, "center");
    write(ink, colours.soft, node[NODE.type], box[X] + box[W] / 2, box[Y] + 27, box[W] - 10, 400, "center");
  }

  is(n, op) { return this.cursor && this.cursor[0] === n && this.cursor[1] === op; }

  // -- the pointer and the keyboard ---------------------------------------------------------------

  under(x, y) {
    const layer = this.rows.findIndex(([top, bottom]) => y >= top && y <= bottom);
    for (const n of graph.layers[layer] ?? []) {
      const box = this.box[n];
      if (n >= graph.items.length || x < box[X] || x > box[X] + box[W] || y < box[Y] || y > box[Y] + box[H]) continue;
      if (!this.open.has(n)) return [n, -1];
      const kernel = graph.kernels[graph.items[n][NUMBER]];
      const i = kernel.at.findIndex(([left, top], k) =>
        x >= box[X] + left && x <= box[X] + left + opWidth(graph.nodes[kernel.ops[k]])
        && y >= box[Y] + top && y <= box[Y] + top + 34);
      return [n, i < 0 ? -1 : kernel.ops[i]];
    }
    return null;
  }

  pick(x, y, event) {
    const found = this.under(x, y);
    this.cursor = found;
    if (!found) { model.select(null, this); return; }
    const [n, op] = found, box = this.box[n], item = graph.items[n];
    const title = op < 0 && item[IS_KERNEL] && y < box[Y] + TITLE && x < box[X] + TITLE;
    // A double click comes behind two clicks, which have selected.
    if (title && event.type === "pointerup") this.toggle(n);
    else if (event.type === "dblclick" && op < 0 && item[IS_KERNEL] && !title) this.toggle(n);
    else if (event.type === "pointerup") this.choose();
    this.board.draw();
  }

  choose() {
    const [n, op] = this.cursor, item = graph.items[n];
    const kernel = op < 0 && item[IS_KERNEL] ? graph.kernels[item[NUMBER]] : null;
    const nodes = kernel ? kernel.ops : [op >= 0 ? op : item[NUMBER]];
    const lines = nodes.map((number) => graph.nodes[number][NODE.line]).filter(Boolean);
    const set = kernel ? kernel.set : graph.nodes[nodes[0]][NODE.set];
    model.select({
      places: sets[set], exact: { [graph.stage]: new Set(lines.map((line) => line - 1)) },
      what: kernel ? `kernel ${kernel.name}` : graph.nodes[nodes[0]][NODE.label],
    }, this);
    this.say();
  }

  hover(x, y, event) {
    const found = event && this.under(x, y);
    const changed = found?.[0] !== this.over?.[0] || found?.[1] !== this.over?.[1];
    this.over = found;
    if (changed) {
      this.board.tell(found && event ? this.text(found) : "", event);
      const set = found && this.setOf(found);
      model.hover(set ? { places: sets[set] } : null, this);
      this.board.draw();
    }
  }

  setOf([n, op]) {
    const item = graph.items[n];
    if (op >= 0) return graph.nodes[op][NODE.set];
    return item[IS_KERNEL] ? graph.kernels[item[NUMBER]].set : graph.nodes[item[NUMBER]][NODE.set];
  }

  text([n, op]) {
    const item = graph.items[n];
    if (op >= 0) return nodeText(graph.nodes[op]);
    return item[IS_KERNEL] ? kernelText(graph.kernels[item[NUMBER]]) : nodeText(graph.nodes[item[NUMBER]]);
  }

  say() {
    if (this.cursor) status(`${this.text(this.cursor).split("\n").join("; ")}`);
  }

  key(name) {
    if (!this.cursor) this.cursor = graph.layers.length ? [graph.layers[0].find((n) => n < graph.items.length), -1] : null;
    if (!this.cursor) return false;
    const [n, op] = this.cursor;
    if (name === " ") this.choose();
    else if (name === "Enter") { if (graph.items[n][IS_KERNEL] && op < 0) this.toggle(n); else this.choose(); }
    else if (name === "ArrowLeft" || name === "ArrowRight") this.sideways(name === "ArrowRight" ? 1 : -1);
    else if (name === "ArrowDown" || name === "ArrowUp") this.along(name === "ArrowDown" ? 1 : -1);
    else return false;
    this.lookAt(this.cursor[0]);
    this.say();
    return true;
  }

  sideways(step) {
    const row = graph.layers[this.layerOf[this.cursor[0]]].filter((n) => n < graph.items.length);
    const next = row[row.indexOf(this.cursor[0]) + step];
    if (next !== undefined) this.cursor = [next, -1];
  }

  // Down to who reads this, up to what this reads; through the ops of a kernel that is unfolded.
  along(step) {
    const [n, op] = this.cursor;
    if (this.open.has(n)) {
      const { ops } = graph.kernels[graph.items[n][NUMBER]];
      const at = op < 0 ? -1 : ops.indexOf(op);
      const next = op < 0 && step < 0 ? ops.length : at + step;
      if (next >= 0 && next < ops.length) { this.cursor = [n, ops[next]]; return; }
      if (next === -1 && op >= 0) { this.cursor = [n, -1]; return; }
    }
    for (const edge of this.edgesOf[n]) {
      const [a, b] = graph.edges[edge];
      if (step > 0 && a === n) { this.cursor = [b, -1]; return; }
      if (step < 0 && b === n) { this.cursor = [a, -1]; return; }
    }
  }

  // Bring what is selected into sight, unless some of it is.
  reveal() {
    const wanted = [];
    graph.nodes.forEach((node, number) => {
      if (model.hit[node[NODE.set]] && node[NODE.kind] === "op") wanted.push(this.itemOf.get(number));
    });
    const { view, width, height } = this.board;
    if (!width) return;
    const seen = (n) => {
      const y = this.box[n][Y] * view.scale + view.y, x = this.box[n][X] * view.scale + view.x;
      return y > -10 && y < height - 20 && x > -40 && x < width - 20;
    };
    if (wanted.length && !wanted.some(seen)) this.lookAt(wanted[0]);
  }

  lookAt(n) {
    const { view, width, height } = this.board, box = this.box[n];
    const x = (box[X] + box[W] / 2) * view.scale + view.x, y = box[Y] * view.scale + view.y;
    if (x < 40 || x > width - 40) view.x += width / 2 - x;
    if (y < 20 || y > height - 60) view.y += height / 3 - y;
    this.board.draw();
  }
}

function opWidth(node) {
  const letters = Math.max(node[NODE.label].length, node[NODE.type].length);
  return Math.min(300, Math.max(60, 6.7 * letters + 18));
}

function frame(ink, [x, y, w, h], { fill, stroke, focus, thick, radius, coarse }) {
  const line = ink.lineWidth;
  if (coarse) {
    // From far off a node is a spot.
    ink.fillStyle = focus || stroke;
    ink.fillRect(x, y, w, h);
    return;
  }
  ink.beginPath();
  ink.roundRect(x, y, w, h, radius);
  ink.fillStyle = fill;
  ink.fill();
  ink.lineWidth = thick ? 2 * line : line;
  ink.strokeStyle = stroke;
  ink.stroke();
  if (focus) {
    ink.beginPath();
    ink.roundRect(x - 3, y - 3, w + 6, h + 6, radius + 3);
    ink.lineWidth = line * 2;
    ink.strokeStyle = focus;
    ink.stroke();
  }
  ink.lineWidth = line;
}

// Its part of the most work that any has, as a bar along its lower edge.
function share(ink, colours, [x, y, w, h], flops) {
  if (!flops) return;
  ink.fillStyle = colours.bar;
  ink.fillRect(x + 4, y + h - 4, Math.max(1, ((w - 8) * flops) / mostFlops), 2.5);
}

function write(ink, colour, text, x, y, width, weight = 400, align = "left") {
  ink.font = `${weight} 11px system-ui, "Segoe UI", Roboto, sans-serif`;
  ink.fillStyle = colour;
  ink.textAlign = align;
  ink.fillText(text, x, y, width);
}

// The points of an edge: its two ends, and the bends that lead it around what is between.
function route(box, a, b, bends) {
  const from = box(a), to = box(b), down = from[Y] <= to[Y];
  return [
    [from[X] + from[W] / 2, from[Y] + (down ? from[H] : 0)],
    ...bends.map((n) => [box(n)[X] + 4, box(n)[Y]]),
    [to[X] + to[W] / 2, to[Y] + (down ? 0 : to[H])],
  ];
}

function curve(ink, points, seen, coarse) {
  if (seen) {
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const [x, y] of points) {
      left = Math.min(left, x); right = Math.max(right, x);
      top = Math.min(top, y); bottom = Math.max(bottom, y);
    }
    if (bottom < seen.top || top > seen.bottom || right < seen.left || left > seen.right) return;
  }
  ink.moveTo(...points[0]);
  for (let i = 1; i < points.length; i += 1) {
    const [x0, y0] = points[i - 1], [x1, y1] = points[i], half = (y1 - y0) / 2;
    if (coarse) ink.lineTo(x1, y1);
    else ink.bezierCurveTo(x0, y0 + half, x1, y1 - half, x1, y1);
  }
}

// Three dots at each end of an edge.
function stubs(ink, points, seen) {
  const down = points[0][1] <= points[points.length - 1][1] ? 1 : -1;
  for (const [[x, y], step] of [[points[0], down], [points[points.length - 1], -down]]) {
    if (y < seen.top - 10 || y > seen.bottom + 10 || x < seen.left || x > seen.right) continue;
    for (const far of [1, 4, 7]) {
      ink.moveTo(x, y + step * far);
      ink.lineTo(x, y + step * (far + 1.5));
    }
  }
}
