// Tables: costs by line, op and kernel; what was fused, or why not; how ranks share.

// The user's lines of a set, without the name of the file where there is only one.
const linesText = (set) => (data.files.length === 1
  ? sets[set].map((place) => `:${places[place][1]}`).join(" ") : setText(set));
const COSTS = [
  // title, width, value of an item, whether it is an amount
  ["line", "minmax(44px, 1fr)", (item) => linesText(item.set) || item.place || "", false],
  ["op", "minmax(80px, 3fr)", (item) => opText(item), false],
  ["flops", "48px", (item) => item.flops, true],
  ["share", "46px", (item) => item.flops, true],
  ["transc.", "46px", (item) => item.transcendentals, true],
  ["bytes", "48px", (item) => item.read + item.written, true],
  ["flops/byte", "62px", (item) => (item.read + item.written ? item.flops / (item.read + item.written) : 0), true],
];
const fewDigits = (value) => (value < 100 ? value.toPrecision(3) : Math.round(value).toLocaleString("en"));
if (data.profile) {
  COSTS.splice(4, 1);   // there is not room for all
  COSTS.splice(2, 0, ["\u00b5s", "52px", (item) => measuredTime(item), true],
    ["Gflop/s", "56px", (item) => (measuredTime(item) ? item.flops / measuredTime(item) / 1e3 : 0), true]);
}

// A kernel is measured by its name, a line by its place; an op by itself is not.
function measuredTime(item) {
  if (item.place !== undefined) return data.profile.lines[item.place] ?? 0;
  return (data.profile.kernels[item.op] ?? 0) / (callsOf.get(item.op) ?? 1);
}

function opText({ op = "", name = "" }) {
  const short = op.replace(/^flow\./, "");
  return name ? `${short} ${name}` : short;
}

function costCell(title, value, total) {
  if (title === "share") return shareText(value, total);
  if (title === "flops/byte") return value ? value.toFixed(2) : "";
  if (title === "\u00b5s" || title === "Gflop/s") return value ? fewDigits(value) : "";
  return typeof value === "number" ? quantity(value) : value;
}

// Of the costs, links and search name kernels; without any, ops.
const searchedCosts = data.cost.kernels.length ? "kernels" : "ops";
const numberedRows = (rows) => rows.map((row, number) => ({ ...row, number }));
const fusionSide = ({ ops, what }) =>
  [what, ...new Set(ops.map((op) => linesText(graph.nodes[op][NODE.set])))].join(" ");

// The rows of each table, as search reads them.
function tableTexts() {
  return {
    costs: data.cost[searchedCosts].map((item) => `${opText(item)} ${linesText(item.set)}`),
    ...(data.fusion.length && { fusion: data.fusion.map((row) =>
      `${fusionSide(row.producer)} \u2192 ${fusionSide(row.consumer)}: ${row.why}`) }),
    ...(data.sharing && { ranks: data.sharing.ops.map((row) => `${opText(row)}: ${row.signature}`) }),
  };
}

const ABOUT_COSTS = {
  lines: "each kernel's work divided among its ops: all lines add up to the step",
  ops: "each op by itself, as if none were fused",
  kernels: "what is run",
};

function costView(host) {
  const kinds = { lines: "by line", ops: "by op", kernels: "by kernel" };
  const buttons = {};
  const tools = element("div", { class: "tools" });
  const box = element("div", { class: "view", style: "flex:1" });
  host.append(tools, box);
  for (const [kind, title] of Object.entries(kinds)) {
    if (!data.cost[kind].length) continue;
    buttons[kind] = element("button", { onclick: () => open(kind) }, title);
    tools.append(buttons[kind]);
  }
  const { flops, read, written } = data.cost.total, note = element("span", { class: "note" });
  tools.append(note);
  let shown = null;

  function open(kind) {
    note.textContent = `a step: ${quantity(flops)} flops, ${quantity(read + written)} bytes; ${ABOUT_COSTS[kind]}`;
    for (const [name, button] of Object.entries(buttons)) {
      button.setAttribute("aria-pressed", String(name === kind));
    }
    const columns = COSTS.filter(([title]) => kind !== "lines" || title !== "op");
    const total = data.cost[kind].reduce((sum, item) => sum + item.flops, 0);
    shown = table(box, {
      label: `Costs ${kinds[kind]}`, columns, items: numberedRows(data.cost[kind]), sorted: true,
      link: kind === searchedCosts ? "costs" : "",
      cell: (title, value) => costCell(title, value, total),
      sets: (item) => [item.set],
      what: (item) => item.op ?? "",
    });
  }
  open("lines");
  return { go(number) { open(searchedCosts); shown.go(number); } };
}

function fusionView(host) {
  const side = fusionSide, rows = numberedRows(data.fusion);
  const tools = element("div", { class: "tools" });
  const box = element("div", { class: "view", style: "flex:1" });
  const not = element("button", { onclick: () => show(not.getAttribute("aria-pressed") !== "true") },
    "Only what was not fused");
  const apart = rows.filter((row) => !row.fused).length;
  tools.append(not, element("span", { class: "note" },
    `${rows.length} pairs where one op reads another's result; ${apart} were not fused`));
  host.append(tools, box);

  let shown = null;

  function show(only) {
    not.setAttribute("aria-pressed", String(only));
    shown = table(box, {
      label: "Fusion", link: "fusion", items: only ? rows.filter((row) => !row.fused) : rows, sorted: false,
      columns: [
        ["fused", "40px", (row) => (row.fused ? "yes" : "no"), false],
        ["producer", "minmax(90px, 2fr)", (row) => side(row.producer), false],
        ["consumer", "minmax(90px, 2fr)", (row) => side(row.consumer), false],
        ["why", "minmax(120px, 5fr)", (row) => row.why, false],
      ],
      cell: (title, value) => value,
      sets: (row) => [...row.producer.ops, ...row.consumer.ops].map((op) => graph.nodes[op][NODE.set]),
      what: (row) => `${side(row.producer)} \u2192 ${side(row.consumer)}: ` +
        `${row.fused ? "fused" : "not fused"}: ${row.why}`,
    });
  }
  show(false);
  return { go(number) { show(false); shown.go(number); } };
}

function ranksView(host) {
  const tools = element("div", { class: "tools" }, element("span", { class: "note" }, data.sharing.summary));
  const box = element("div", { class: "view", style: "flex:1" });
  host.append(tools, box);
  const microseconds = (seconds) => (seconds === null ? "" : (1e6 * seconds).toFixed(1));
  return table(box, {
    label: "Ranks", items: numberedRows(data.sharing.ops), sorted: false, link: "ranks",
    columns: [
      ["line", "minmax(44px, 1fr)", (row) => linesText(row.set), false],
      ["op", "minmax(80px, 2fr)", (row) => opText(row), false],
      ["signature", "minmax(90px, 4fr)", (row) => row.signature, false],
      ["\u00b5s", "56px", (row) => row.seconds, true],
      ["bytes", "52px", (row) => row.bytes, true],
      ["next best", "minmax(90px, 4fr)", (row) => row.next, false],
      ["\u00b5s more", "58px", (row) => row.more, true],
      ["saved", "52px", (row) => row.saved, true],
    ],
    cell: (title, value) => (title.startsWith("\u00b5s") ? microseconds(value)
      : typeof value === "number" ? quantity(value) : value ?? ""),
    sets: (row) => [row.set],
    what: (row) => `${opText(row)}: ${row.signature}`,
  });
}

function table(host, { label, columns, items, cell, sets: setsOf, what, sorted, link }) {
  const style = `grid-template-columns:${columns.map(([, width]) => width).join(" ")}`;
  const box = element("div", { class: "view table", style: "flex:1" });
  const headings = columns.map(([title, , , amount], i) =>
    element("button", { class: amount ? "amount" : "", onclick: () => sort(i) }, title));
  // A pane that is narrower than the columns scrolls.
  const least = columns.reduce((sum, [, width]) => sum + Number(width.match(/\d+/)[0]) + 7, 20);
  const inner = element("div", { class: "view", style: `flex:1; min-width:${least}px` },
    element("div", { class: "head", style }, ...headings));
  box.append(inner);
  host.replaceChildren(box);
  const placesOf = (item) => [...new Set(setsOf(item).flatMap((set) => sets[set]))];
  const titleOf = (item) => columns.filter(([, , , amount]) => !amount)
    .map(([title, , value]) => `${title}: ${value(item)}`).join("\n");
  const list = new Lines(inner, {
    count: items.length, height: 24, label, kind: "rows",
    row: (i) => element("div", { style, title: titleOf(items[i]) }, ...columns.map(([title, , value, amount]) => {
      const text = String(cell(title, value(items[i])));
      const kind = title === "fused" ? text : amount ? "amount" : "";
      return element("span", { class: kind }, text);
    })),
    state: (i) => {
      const own = setsOf(items[i]);
      return [own.some((set) => model.hit[set]) && "hit", own.some((set) => model.near[set]) && "near"]
        .filter(Boolean).join(" ");
    },
    flag: (i) => {
      const own = setsOf(items[i]);
      return own.some((set) => model.hit[set]) ? 2 : Number(own.some((set) => model.near[set]));
    },
    pick: (i) => model.select({ places: placesOf(items[i]), what: what(items[i]),
      link: link && `${link}/${items[i].number + 1}` }, list),
    hover: (i) => model.hover(i >= 0 ? { places: placesOf(items[i]) } : null, list),
  });
  let order = null;

  function sort(i) {
    const [, , value, amount] = columns[i];
    const down = order === i ? -1 : 1;
    order = order === i ? null : i;
    items.sort((a, b) => {
      const [x, y] = [value(a), value(b)];
      return down * (amount ? y - x : String(x).localeCompare(String(y), "en", { numeric: true }));
    });
    headings.forEach((heading, k) => heading.setAttribute("aria-sort", k === i ? "other" : "none"));
    list.redraw();
  }
  const first = columns.findIndex(([title]) => title === "flops");
  if (sorted) sort(first);
  listen(box, (from) => {
    if (from !== list && model.selected) {
      const wanted = items.findIndex((_, i) => list.state(i).includes("hit"));
      if (wanted >= 0) list.show(wanted);
    }
    list.refresh();
  }, () => list.draw());
  return {
    go(number) {
      const i = items.findIndex((item) => item.number === Number(number) - 1);
      if (i < 0) return;
      list.show(i);
      list.choose(i);
    },
  };
}
