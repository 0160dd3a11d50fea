// The groups of the graph: which are unfolded, and where their items then are.

const NODE = Object.fromEntries(graph.fields.map((name, i) => [name, i]));
const [X, Y, W, H, GROUP, OWN] = [0, 1, 2, 3, 4, 5];   // an item; a box has the first four
const { groups } = graph;
const FIRST_SIGHT = 36;   // about how many items one takes in

// The group and the item of each node, and of each group but the first.
const homeOfNode = new Map(), homeOfGroup = new Map();
groups.forEach((group, g) => group.items.forEach((item, i) => {
  if (item[GROUP] >= 0) homeOfGroup.set(item[GROUP], [g, i]);
  else homeOfNode.set(item[OWN], [g, i]);
}));
// Nodes below each group; a group comes after the one that it is in.
const nodesOf = groups.map(() => []);
for (let g = groups.length - 1; g >= 0; g -= 1) {
  for (const item of groups[g].items) {
    if (item[GROUP] < 0) nodesOf[g].push(item[OWN]);
    else for (const node of nodesOf[item[GROUP]]) nodesOf[g].push(node);
  }
}
const opsOf = nodesOf.map((nodes) => nodes.filter((n) => graph.nodes[n][NODE.kind] === "op").length);

class Folds {
  constructor() {
    this.open = new Set();
    this.layerOf = groups.map((group) => {
      const layer = new Int32Array(group.items.length + group.bends.length);
      group.layers.forEach((row, number) => row.forEach((n) => { layer[n] = number; }));
      return layer;
    });
    this.start();
  }

  // Unfold level by level, layers of layers first, as long as all of it can be taken in. Gradients
  // and the optimizer stay folded, and so do kernels.
  start() {
    this.open.clear();
    const isLayer = (item) => groups[item[GROUP]]?.kind === "layer";
    let shown = groups[0].items.length, innermost = [], level = [0];
    const unfold = (found) => {
      const more = found.reduce((sum, g) => sum + groups[g].items.length - 1, 0);
      if (shown + more > FIRST_SIGHT) return false;
      found.forEach((g) => this.open.add(g));
      shown += more;
      return true;
    };
    while (level.length) {
      const below = level.flatMap((g) => groups[g].items.filter(isLayer).map((item) => item[GROUP]));
      level = below.filter((g) => groups[g].items.some(isLayer));
      innermost = [...innermost, ...below.filter((g) => !level.includes(g))];
      if (!unfold(level)) { innermost = []; break; }
    }
    unfold(innermost);
    this.reflow();
  }

  // Unfold what is folded and in sight of no folded group.
  more() {
    const found = groups.map((_, g) => g).filter((g) => g && !this.open.has(g) && this.isSeen(g));
    found.forEach((g) => this.open.add(g));
    this.reflow();
  }

  less() {
    this.open.clear();
    this.reflow();
  }

  isSeen(g) {
    for (let at = homeOfGroup.get(g)[0]; at; [at] = homeOfGroup.get(at)) if (!this.open.has(at)) return false;
    return true;
  }

  // Unfold what an item is in.
  unfoldTo([g]) {
    for (let at = g; at; [at] = homeOfGroup.get(at)) this.open.add(at);
    this.reflow();
  }

  // The item, at most as deep as this, that is in sight.
  seen([g, i]) {
    let found = [g, i];
    for (let at = g; at; [at] = homeOfGroup.get(at)) if (!this.open.has(at)) found = homeOfGroup.get(at);
    return found;
  }

  // What stands below an unfolded group moves down, what is beside it, aside.
  reflow() {
    this.flows = new Map();
    this.flow(0);
  }

  flow(g) {
    const group = groups[g], count = group.items.length;
    const at = (n) => (n < count ? group.items[n] : [...group.bends[n - count], 8, 0]);
    const sizes = group.items.map((item) => {
      if (!this.open.has(item[GROUP])) return [item[W], item[H]];
      const inner = this.flow(item[GROUP]);
      return [Math.max(item[W], inner.width), inner.height];
    });
    const box = new Array(count + group.bends.length), rows = [];
    let down = 0, left = Infinity, right = -Infinity;
    for (const row of group.layers) {
      let wide = 0, high = 0, top = Infinity, bottom = -Infinity;
      for (const n of row) {
        if (n >= count) continue;
        wide += sizes[n][0] - at(n)[W];
        high = Math.max(high, sizes[n][1] - at(n)[H]);
      }
      let aside = -wide / 2;
      for (const n of row) {
        const [x, y, w, h] = at(n), [width, height] = sizes[n] ?? [w, h];
        box[n] = [x + aside, y + down, width, height];
        aside += width - w;
        left = Math.min(left, box[n][X]);
        right = Math.max(right, box[n][X] + width);
        top = Math.min(top, box[n][Y]);
        bottom = Math.max(bottom, box[n][Y] + height);
      }
      rows.push([top, bottom]);
      down += high;
    }
    const margin = g ? 12 : 0;
    for (const one of box) one[X] += margin - left;
    const flow = { box, rows, width: right - left + 2 * margin, height: group.height + down };
    this.flows.set(g, flow);
    return flow;
  }

  // Where a group that is in sight begins.
  origin(g) {
    let x = 0, y = 0;
    for (let at = g; at;) {
      const [home, i] = homeOfGroup.get(at), box = this.flows.get(home).box[i];
      x += box[X];
      y += box[Y];
      at = home;
    }
    return [x, y];
  }

  // The box of an item that is in sight.
  box([g, i]) {
    const [x, y] = this.origin(g), box = this.flows.get(g).box[i];
    return [x + box[X], y + box[Y], box[W], box[H]];
  }

  // The innermost item at a point.
  under(x, y, g = 0) {
    const { rows, box } = this.flows.get(g), group = groups[g];
    const layer = rows.findIndex(([top, bottom]) => y >= top && y <= bottom);
    for (const n of group.layers[layer] ?? []) {
      const [left, top, w, h] = box[n];
      if (n >= group.items.length || x < left || x > left + w || y < top || y > top + h) continue;
      const inner = group.items[n][GROUP];
      return (this.open.has(inner) && this.under(x - left, y - top, inner)) || [g, n];
    }
    return null;
  }
}
