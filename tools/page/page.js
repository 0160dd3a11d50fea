// The page: the source, and two panes each of which shows any view.

const VIEWS = [
  ...stageNames,
  "graph",
  ...(data.memory && data.memory.steps.length ? ["memory"] : []),
  "costs",
  ...(data.fusion.length ? ["fusion"] : []),
  ...(data.sharing ? ["ranks"] : []),
];

function status(text) { document.getElementById("status").textContent = text; }

function openView(host, name) {
  if (name === "graph") return new Graph(host);
  if (name === "memory") return new Memory(host);
  if (name === "costs") return costView(host);
  if (name === "fusion") return fusionView(host);
  if (name === "ranks") return ranksView(host);
  return stageView(host, name);
}

class Pane {
  constructor(host, first) {
    this.views = new Map();
    this.host = host;
    this.tabs = element("div", { class: "tabs", role: "tablist", onkeydown: (e) => this.key(e) });
    this.buttons = new Map(VIEWS.map((name) => [name, element("button", {
      role: "tab", "data-view": name, onclick: () => this.open(name),
    }, name, ...(stageNames.includes(name) ? [element("sup", { "aria-hidden": "true" })] : []))]));
    this.tabs.append(...this.buttons.values());
    host.append(this.tabs);
    this.open(first);
  }

  // The view of that name, which is made when it is first opened.
  open(name) {
    this.name = name;
    for (const [other, button] of this.buttons) {
      button.setAttribute("aria-selected", String(other === name));
      button.tabIndex = other === name ? 0 : -1;
    }
    if (!this.views.has(name)) {
      const box = element("div", { class: "view", role: "tabpanel", "aria-label": name });
      this.host.append(box);
      this.views.set(name, { box, view: openView(box, name) });
    }
    for (const [other, { box }] of this.views) box.hidden = other !== name;
    // What came while it was hidden is shown now.
    this.views.get(name).box.dispatchEvent(new Event("shown"));
    return this.views.get(name).view;
  }

  key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const at = (VIEWS.indexOf(this.name) + step + VIEWS.length) % VIEWS.length;
    this.open(VIEWS[at]);
    this.buttons.get(VIEWS[at]).focus();
    event.preventDefault();
  }

  // Show how many lines of each stage are selected.
  tellCounts(counts) {
    counts.forEach((count, i) => {
      this.buttons.get(stageNames[i]).lastChild.textContent = count || "";
    });
  }
}

// Count the selected lines of all stages, once their selection is shown.
let counted = null;
async function count() {
  const { selected } = model;
  await painted();
  const stages = await Promise.all(stageNames.map(openStage));
  if (selected !== model.selected) return;
  const counts = stages.map(selectedLines);
  for (const pane of Object.values(panes)) pane.tellCounts(counts);
  counted = selected;
}

function head() {
  const { cost, memory } = data;
  const kernels = cost.kernels.length;
  document.getElementById("job").textContent = data.job;
  const facts = document.getElementById("facts");
  facts.textContent = [
    data.type && `${data.type} job`, data.target && `for ${data.target}`,
    `${cost.ops.length || graph.nodes.length} ops`, kernels && `${kernels} kernels`,
    `${quantity(cost.total.flops)} flops, ${quantity(cost.total.read + cost.total.written)} bytes a step`,
    memory && `arena ${quantity(memory.arena)} bytes${isOnBoth ? " on the CPU" : ""}`,
  ].filter(Boolean).join(" \u00b7 ");
  facts.title = facts.textContent;
}

function announce() {
  const { selected } = model;
  document.getElementById("clear").hidden = !selected;
  if (!selected) { status("Point at a line, an op, a buffer: what comes from the same lines shows."); return; }
  const lines = selected.places.slice(0, 6).map(placeText).join(", ");
  const more = selected.places.length > 6 ? ` and ${selected.places.length - 6} more` : "";
  const work = data.cost.lines.filter((line) => selected.places.includes(sets[line.set][0]));
  const flops = work.reduce((sum, line) => sum + line.flops, 0);
  status(`${selected.what ? `${selected.what}: ` : ""}${lines}${more}` +
    (flops ? `; ${quantity(flops)} flops` : ""));
}

head();
model.listeners.push((from, moved) => { if (moved) { announce(); count(); } });
const source = sourceView(document.getElementById("source"));
const panes = {
  left: new Pane(document.getElementById("left"), stageNames.includes("loops") ? "loops" : stageNames[stageNames.length - 1]),
  right: new Pane(document.getElementById("right"), "graph"),
};
document.getElementById("clear").addEventListener("click", () => model.select(null));
document.addEventListener("keydown", (event) => { if (event.key === "Escape") model.select(null); });
announce();
separate(document.querySelector("main"));
new Search(document.getElementById("search"));
followLinks();

// Stages are unpacked while nothing else happens, so that the first click need not wait for them.
(async () => {
  const idle = window.requestIdleCallback ?? ((act) => setTimeout(act, 200));
  for (const name of stageNames) {
    await new Promise((done) => { idle(done); });
    await openStage(name);
  }
})();
