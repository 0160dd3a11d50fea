// The user's source, with what each line costs.

function sourceView(host) {
  // What each line that anything comes from has of the measure, and the most that one has.
  let work = new Map(), most = 1, total = 1;
  const weigh = () => {
    const { line, join } = heat.measure;
    work = new Map(places.map((_, place) => [place, line(place)]).filter(([, amount]) => amount));
    most = Math.max(...work.values());
    total = join === add ? [...work.values()].reduce(add, 0) : 0;
  };
  weigh();
  const titles = data.files.map((file) => file.name);
  const choice = element("select", { "aria-label": "File", onchange: () => open(choice.selectedIndex) },
    ...titles.map((title) => element("option", {}, title)));
  const heading = titles.length > 1 ? choice : element("span", {}, titles[0] ?? "No source");
  host.append(element("div", { class: "tabs" }, element("span", { class: "title" }, heading)));
  const view = element("div", { class: "view" });
  host.append(view);
  let shown = -1, list = null;

  function open(number) {
    if (number === shown || !data.files[number]) return;
    shown = number;
    choice.selectedIndex = number;
    const file = data.files[number];
    const placeOf = file.lines.map((_, i) => placeAt(number, i + 1));
    const place = (i) => placeOf[i];
    const share = (i) => {
      const amount = work.get(place(i)) ?? 0;
      const cell = element("span", { class: "share" });
      if (amount) {
        cell.title = heat.measure.show(amount) + (total ? `, ${shareText(amount, total)} of a step` : "");
        cell.append(element("i", { style: `width:${(100 * amount) / most}%` }));
      }
      return cell;
    };
    view.replaceChildren();
    if (!file.whole) view.append(element("div", { class: "tools" }, element("span",
      { class: "note" }, `${file.path} was not at hand: its lines are shown by number alone.`)));
    list = new Lines(view, {
      count: file.lines.length, height: 18, label: `Source ${file.name}`, kind: "code",
      row: (i) => element("div", place(i) === undefined ? { style: "cursor:default" } : {},
        element("span", { class: "number" }, String(i + 1)), share(i),
        coloured(file.lines[i], file.name.endsWith(".mlir") ? "mlir" : "python")),
      state: (i) => [
        model.hitPlaces.has(place(i)) && "hit", model.nearPlaces.has(place(i)) && "near",
      ].filter(Boolean).join(" "),
      flag: (i) => (model.hitPlaces.has(place(i)) ? 2 : Number(model.nearPlaces.has(place(i)))),
      pick: (i) => model.select(place(i) === undefined ? null
        : { places: [place(i)], link: `${file.name}/${i + 1}` }, list),
      hover: (i) => model.hover(place(i) === undefined ? null : { places: [place(i)] }, list),
    });
    const first = number === start[0] ? start[1]
      : Math.min(...places.filter(([f]) => f === number).map(([, line]) => line));
    list.box.scrollTop = (first - 4) * list.height;
    list.draw();
  }

  // It opens where the job begins, at its inputs.
  const feed = graph.nodes.find((node) => node[NODE.kind] === "feed" && sets[node[NODE.set]].length);
  const start = (feed && places[sets[feed[NODE.set]][0]]) ?? [0, 1];
  open(start[0]);
  heat.listeners.push(() => { weigh(); list?.redraw(); });
  model.listeners.push((from, moved) => {
    if (moved && model.selected && from !== list) {
      const [file, line] = places[model.selected.places[0]];
      open(file);
      if (!list.inSight(line - 1)) list.show(line - 1);
    }
    list?.refresh();
  });
  return {
    // Show and choose a line of a file, counted from 1.
    go(number, line) {
      open(number);
      list.show(line - 1);
      list.choose(line - 1);
    },
  };
}
