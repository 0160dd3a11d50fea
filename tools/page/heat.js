// What kernels, ops and lines cost, in the measure that is chosen: of the cost model, of the memory
// plan, or measured by a profile.

const kernelOfNode = new Map();
graph.kernels.forEach((kernel, k) => kernel.ops.forEach((op) => {
  if (!kernelOfNode.has(op)) kernelOfNode.set(op, k);
}));
const lineWork = new Map(data.cost.lines.map((line) => [sets[line.set][0], line]));
const PHASES = ["backward", "optimizer"];
const add = (a, b) => a + b;
const shareText = (part, all) => (all ? `${((100 * part) / all).toFixed(1)} %` : "");
// A function that several calls share is measured as one.
const callsOf = new Map();
for (const { name } of graph.kernels) callsOf.set(name, (callsOf.get(name) ?? 0) + 1);
const micro = (us) => (us >= 1000 ? `${(us / 1000).toPrecision(3)} ms` : `${us.toPrecision(3)} \u00b5s`);

// Of each: what a kernel has, what an op has that is in no kernel, what a line has, how those of
// several join, and how it is written.
const measures = {
  flops: {
    what: "flops", kernel: (k) => graph.kernels[k].flops, node: (node) => node[NODE.flops],
    line: (place) => lineWork.get(place)?.flops ?? 0, join: add, show: (n) => `${quantity(n)} flops`,
  },
  bytes: {
    what: "bytes moved", kernel: (k) => graph.kernels[k].bytes, node: (node) => node[NODE.bytes],
    line: (place) => (lineWork.get(place)?.read ?? 0) + (lineWork.get(place)?.written ?? 0),
    join: add, show: (n) => `${quantity(n)}B`,
  },
};

if (data.profile) {
  const { kernels, lines } = data.profile;
  const byPlace = new Map(Object.entries(lines).map(([text, us]) => {
    const [, path, line] = text.match(/^(.*):(\d+)$/) ?? [];
    return [placeAt(data.files.findIndex((file) => file.path === path), Number(line)), us];
  }));
  measures.time = {
    what: "time measured", kernel: (k) => (kernels[graph.kernels[k].name] ?? 0) / callsOf.get(graph.kernels[k].name),
    node: () => 0, line: (place) => byPlace.get(place) ?? 0, join: add, show: micro,
  };
}

if (data.memory?.steps.length && graph.kernels.length) {
  // A kernel is a step of the plan; those of one name come in order.
  const steps = new Map();
  data.memory.steps.forEach((name, step) => {
    if (!steps.has(name)) steps.set(name, []);
    steps.get(name).push(step);
  });
  const inUse = graph.kernels.map(({ name }) => {
    const own = steps.get(name) ?? [], step = own.length > 1 ? own.shift() : own[0];
    return step === undefined ? 0 : data.memory.live[step];
  });
  measures.memory = {
    what: "bytes of the arena in use meanwhile", kernel: (k) => inUse[k], node: () => 0,
    line: (place) => Math.max(0, ...(kernelsAt().get(place) ?? []).map((k) => inUse[k])),
    join: (a, b) => Math.max(a, b), show: (n) => `${quantity(n)}B in use`,
  };
}

const signatureOf = new Map((data.sharing?.ops ?? []).map((row) => [row.node, row]));
if (data.sharing) {
  const seconds = (node) => 1e6 * (signatureOf.get(node)?.seconds ?? 0);
  measures.ranks = {
    what: "time as placement estimates it",
    kernel: (k) => graph.kernels[k].ops.map(seconds).reduce(add, 0),
    node: (node, number) => seconds(number),
    line: (place) => data.sharing.ops.filter((row) => sets[row.set][0] === place)
      .map((row) => 1e6 * (row.seconds ?? 0)).reduce(add, 0),
    join: add, show: micro,
  };
}

let linesOfKernels = null;
function kernelsAt() {
  if (linesOfKernels) return linesOfKernels;
  linesOfKernels = new Map();
  graph.kernels.forEach((kernel, k) => {
    for (const place of new Set(kernel.ops.flatMap((op) => sets[graph.nodes[op][NODE.set]]))) {
      if (!linesOfKernels.has(place)) linesOfKernels.set(place, []);
      linesOfKernels.get(place).push(k);
    }
  });
  return linesOfKernels;
}

// The kernels of nodes, and the nodes that are in none.
function partsOf(nodes) {
  const kernels = new Set(), alone = [];
  for (const n of nodes) {
    const k = kernelOfNode.get(n);
    if (k === undefined) alone.push(n);
    else kernels.add(k);
  }
  return { kernels: [...kernels], alone };
}

const groupParts = new Map();
function partsOfGroup(g) {
  if (!groupParts.has(g)) groupParts.set(g, partsOf(nodesOf[g]));
  return groupParts.get(g);
}

function sumOf({ kernel, node, join }, { kernels, alone }) {
  return alone.reduce((sum, n) => join(sum, node(graph.nodes[n], n)),
    kernels.reduce((sum, k) => join(sum, kernel(k)), 0));
}

const heat = {
  name: data.profile ? "time" : "flops",
  listeners: [],
  sums: new Map(),

  get measure() { return measures[this.name]; },

  choose(name) {
    this.name = name;
    this.sums.clear();
    for (const listener of this.listeners) listener();
  },

  // What nodes have: each of their kernels once, and the ops that are in none.
  ofNodes(nodes) { return sumOf(this.measure, partsOf(nodes)); },

  ofGroup(g) {
    if (!this.sums.has(g)) this.sums.set(g, sumOf(this.measure, partsOfGroup(g)));
    return this.sums.get(g);
  },

  ofItem([g, i]) {
    const item = groups[g].items[i];
    if (item[GROUP] >= 0) return this.ofGroup(item[GROUP]);
    const number = item[OWN];
    return groups[g].kind === "kernel"
      ? this.measure.node(graph.nodes[number], number) : this.ofNodes([number]);
  },

  // The most that an item of a group has, which is no phase: a bar shows a part of that.
  most(g) {
    const key = `most ${g}`;
    if (!this.sums.has(key)) {
      const usual = groups[g].items.map((item, i) => [item, this.ofItem([g, i])])
        .filter(([item]) => !PHASES.includes(groups[item[GROUP]]?.kind));
      this.sums.set(key, Math.max(...usual.map(([, amount]) => amount)));
    }
    return this.sums.get(key);
  },

  // An amount, and its part of the step's if amounts add up.
  text(amount) {
    if (!amount) return "";
    const whole = this.ofGroup(0);
    return this.measure.show(amount) + (this.measure.join === add && whole ? `, ${((100 * amount) / whole).toFixed(1)} %` : "");
  },

  chooser() {
    const names = Object.keys(measures);
    const choice = element("select", {
      "aria-label": "Bars show", title: "What the bars of graph and source show",
      onchange: () => this.choose(names[choice.selectedIndex]),
    }, ...names.map((name) => element("option", { selected: name === this.name }, name)));
    this.listeners.push(() => { choice.selectedIndex = names.indexOf(this.name); });
    return choice;
  },
};
