// Tables: costs by line, op and kernel; what was fused, or why not.

const shareText = (part, all) => (all ? `${((100 * part) / all).toFixed(1)} %` : "");
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

function opText({ op = "", name = "" }) {
  const short = op.replace(/^flow\./, "");
  return name ? `${short} ${name}` : short;
}

function costCell(title, value, total) {
  if (title === "share") return shareText(value, total);
  if (title === "flops/byte") return value ? value.toFixed(2) : "";
  return typeof value === "number" ? quantity(value) : value;
}

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
  const { flops, read, written } = data.cost.total;
  tools.append(element("span", { class: "note" },
    `a step: ${quantity(flops)} flops, ${quantity(read + written)} bytes`));

  function open(kind) {
    for (const [name, button] of Object.entries(buttons)) {
      button.setAttribute("aria-pressed", String(name === kind));
    }
    const columns = COSTS.filter(([title]) => kind !== "lines" || title !== "op");
    const total = data.cost[kind].reduce((sum, item) => sum + item.flops, 0);
    table(box, {
      label: `Costs ${kinds[kind]}`, columns, items: [...data.cost[kind]], sorted: true,
      cell: (title, value) => costCell(title, value, total),
      sets: (item) => [item.set],
      what: (item) => item.op ?? "",
    });
  }
  open("lines");
}

function fusionView(host) {
  const side = ({ ops, what }) =>
    [what, ...new Set(ops.map((op) => linesText(graph.nodes[op][NODE.set])))].join(" ");
  const rows = data.fusion.map((remark, number) => ({ ...remark, number }));
  const tools = element("div", { class: "tools" });
  const box = element("div", { class: "view", style: "flex:1" });
  const not = element("button", { onclick: () => show(not.getAttribute("aria-pressed") !== "true") },
    "Only what was not fused");
  const apart = rows.filter((row) => !row.fused).length;
  tools.append(not, element("span", { class: "note" },
    `${rows.length} pairs where one op reads another's result; ${apart} were not fused`));
  host.append(tools, box);

  function show(only) {
    not.setAttribute("aria-pressed", String(only));
    table(box, {
      label: "Fusion", items: only ? rows.filter((row) => !row.fused) : rows, sorted: false,
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
}

function ranksView(host) {
  const tools = element("div", { class: "tools" }, element("span", { class: "note" }, data.sharing.summary));
  const box = element("div", { class: "view", style: "flex:1" });
  host.append(tools, box);
  const microseconds = (seconds) => (seconds === null ? "" : (1e6 * seconds).toFixed(1));
  table(box, {
    label: "Ranks", items: [...data.sharing.ops], sorted: false,
    columns: [
      ["line", "minmax(44px, 1fr)", (row) => linesText(row.set), false],
      ["op", "minmax(80px, 2fr)", (row) => opText(row), false],
      ["signature", "minmax(120px, 4fr)", (row) => row.signature, false],
      ["\u00b5s", "56px", (row) => row.seconds, true],
      ["bytes a rank", "76px", (row) => row.bytes, true],
      ["next best", "minmax(120px, 4fr)", (row) => row.next, false],
      ["\u00b5s more", "66px", (row) => row.more, true],
      ["boxing saved", "80px", (row) => row.saved, true],
    ],
    cell: (title, value) => (title.startsWith("\u00b5s") ? microseconds(value)
      : typeof value === "number" ? quantity(value) : value ?? ""),
    sets: (row) => [row.set],
    what: (row) => `${opText(row)}: ${row.signature}`,
  });
}

function table(host, { label, columns, items, cell, sets: setsOf, what, sorted }) {
  const style = `grid-template-columns:${columns.map(([, width]) => width).join(" ")}`;
  const box = element("div", { class: "view table", style: "flex:1" });
  const headings = columns.map(([title, , , amount], i) =>
    element("button", { class: amount ? "amount" : "", onclick: () => sort(i) }, title));
  box.append(element("div", { class: "head", style }, ...headings));
  host.replaceChildren(box);
  const placesOf = (item) => [...new Set(setsOf(item).flatMap((set) => sets[set]))];
  const titleOf = (item) => columns.filter(([, , , amount]) => !amount)
    .map(([title, , value]) => `${title}: ${value(item)}`).join("\n");
  const list = new Lines(box, {
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
    pick: (i) => model.select({ places: placesOf(items[i]), what: what(items[i]) }, list),
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
    list.refresh();
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
}
