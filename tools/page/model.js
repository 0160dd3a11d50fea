"use strict";
// What the page knows, and what is selected: lines of the user's, and all that comes from them.

const data = JSON.parse(document.getElementById("data").textContent);
const { places, sets, graph } = data;
const stageNames = data.stages.map((stage) => stage.name);
// Whether the job is partly on the CPU, whose code is of loops, and partly on a GPU.
const isOnBoth = stageNames.includes("loops") && stageNames.includes("gpu");

const placeNumbers = new Map(places.map(([file, line], number) => [`${file}:${line}`, number]));
const placeAt = (file, line) => placeNumbers.get(`${file}:${line}`);
const placeText = (place) => `${data.files[places[place][0]].name}:${places[place][1]}`;
const setText = (set) => sets[set].map(placeText).join(", ");

function quantity(number) {
  const units = ["", "K", "M", "G", "T", "P"];
  let unit = 0;
  while (number >= 999.5 && unit < units.length - 1) { number /= 1000; unit += 1; }
  return `${unit ? Number(number.toPrecision(3)) : number}${units[unit]}`;
}

// A selection: `places`; `exact`, the very lines of stages that are meant, by stage; what it is, in
// words; the `nodes` of the graph that it is, if it is of these; and its `link`, after the # of the page's address.
const model = {
  selected: null,
  hovered: null,
  hit: new Uint8Array(sets.length),   // per set: 1 if it has a selected place
  near: new Uint8Array(sets.length),  // per set: 1 if it has a hovered place
  hitPlaces: new Set(),               // the selected places
  nearPlaces: new Set(),
  listeners: [],

  select(selection, from = null) {
    this.selected = selection && selection.places.length ? selection : null;
    this.hovered = null;
    this.hitPlaces = mark(this.hit, this.selected);
    this.nearPlaces = mark(this.near, null);
    this.tell(from, true);
  },
  hover(selection, from = null) {
    const same = (a, b) => a === b || (a && b && a.places.join() === b.places.join());
    if (same(selection, this.hovered)) return;
    this.hovered = selection;
    this.nearPlaces = mark(this.near, selection);
    this.tell(from, false);
  },
  // Listeners are told who did it, and whether what is selected has changed.
  tell(from, moved) {
    for (const listener of this.listeners) listener(from, moved);
  },
};

// The sets that have a place.
const setsWith = places.map(() => []);
for (let number = 0; number < sets.length; number += 1) {
  for (const place of sets[number]) setsWith[place].push(number);
}

// Flag the sets with a place of a selection; returns its places.
function mark(flags, selection) {
  flags.fill(0);
  const wanted = new Set(selection?.places);
  for (const place of wanted) for (const number of setsWith[place]) flags[number] = 1;
  return wanted;
}

// Long work pauses so often that the page answers meanwhile.
const AT_ONCE = 8;  // milliseconds
class Pauses {
  constructor() { this.since = performance.now(); }

  async pause() {
    if (performance.now() - this.since < AT_ONCE) return;
    await (window.scheduler?.yield?.() ?? new Promise((done) => { setTimeout(done); }));
    this.since = performance.now();
  }
}

// The texts, piece by piece, of what was deflated and written as base64.
async function* inflated(packed, pauses) {
  const step = 1 << 18;  // letters, four for three bytes
  const parts = [];
  for (let from = 0; from < packed.length; from += step) {
    const letters = atob(packed.slice(from, from + step));
    const bytes = new Uint8Array(letters.length);
    for (let i = 0; i < letters.length; i += 1) bytes[i] = letters.charCodeAt(i);
    parts.push(bytes);
    await pauses.pause();
  }
  const reader = new Blob(parts).stream().pipeThrough(new DecompressionStream("deflate-raw"))
    .pipeThrough(new TextDecoderStream()).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    yield read.value;
    await pauses.pause();
  }
}

// A stage with its lines, unpacked when first asked for.
const opened = new Map();
function openStage(name) {
  if (!opened.has(name)) opened.set(name, unpack(data.stages[stageNames.indexOf(name)]));
  return opened.get(name);
}

async function unpack(stage) {
  const pauses = new Pauses();
  const lines = [];
  let rest = "";
  for await (const piece of inflated(stage.text, pauses)) {
    const found = (rest + piece).split("\n");
    rest = found.pop();
    for (const line of found) lines.push(line);
  }
  lines.push(rest);
  lines.length = stage.lines;
  const numbers = [];
  for await (const piece of inflated(stage.numbers, pauses)) numbers.push(piece);
  const { sets: runs, origins } = JSON.parse(numbers.join(""));
  const setOf = new Int32Array(stage.lines);
  for (let i = 0, line = 0; i < runs.length; i += 2) {
    setOf.fill(runs[i + 1], line, line + runs[i]);
    line += runs[i];
  }
  return { name: stage.name, lines, setOf, runs, origins };
}

// How many lines of a stage are selected.
function selectedLines({ runs }) {
  let found = 0;
  for (let i = 0; i < runs.length; i += 2) if (model.hit[runs[i + 1]]) found += runs[i];
  return found;
}

// After the next frame is painted: a message comes behind it.
const painted = () => new Promise((done) => {
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = done;
    port2.postMessage(0);
  });
});

// From a line, counted from 0, to the very lines of other stages: backwards one by one, forwards
// all that name it. Only code says which line it was made of; before, there are the user's lines.
async function exactLines(name, line) {
  const found = { [name]: new Set([line]) };
  let at = stageNames.indexOf(name);
  let stage = await openStage(name);
  for (let number = line; stage.origins.length && stage.origins[number];) {
    number = stage.origins[number] - 1;
    at -= 1;
    stage = await openStage(stageNames[at]);
    found[stage.name] = new Set([number]);
  }
  for (let next = stageNames.indexOf(name) + 1; next < stageNames.length; next += 1) {
    const before = found[stageNames[next - 1]];
    const later = await openStage(stageNames[next]);
    if (!later.origins.length || !before) continue;
    const made = new Set();
    later.origins.forEach((origin, i) => { if (origin && before.has(origin - 1)) made.add(i); });
    found[later.name] = made;
  }
  return found;
}

function element(kind, attributes = {}, ...children) {
  const made = document.createElement(kind);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

// A view is told of what is selected and of what is pointed at, once it is in sight.
function listen(box, select, point) {
  let late = !box.offsetParent;
  if (!late) select(null);
  model.listeners.push((from, moved) => {
    if (!box.isConnected) return;
    if (!box.offsetParent) late = true;
    else if (moved) select(from);
    else point();
  });
  box.closest(".view[role=tabpanel]").addEventListener("shown", () => {
    if (late) select(null);
    late = false;
  });
}
