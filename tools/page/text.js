// Texts: the user's source and the stages, coloured line by line as they come into sight.

const LONGEST = 1200;
const LANGUAGES = {
  python: /("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(#.*)|(@[\w.]+)|\b(def|return|with|as|for|in|if|else|elif|import|from|class|lambda|not|and|or|None|True|False|yield|while|raise|try|except|finally|global|pass|assert|del|break|continue|async|await|is)\b/g,
  mlir: /("(?:[^"\\]|\\.)*")|(\/\/.*)|(@[\w$.-]+|@"[^"]*")|(?<![\w"])((?:[a-z_]\w*\.)+[a-z_]\w*)|(%[\w$.#-]+)/g,
  llvm: /("(?:[^"\\]|\\.)*")|(;.*)|(@[\w$.-]+)|\b(define|call|load|store|br|ret|phi|getelementptr|fadd|fmul|fsub|fdiv|add|sub|mul|icmp|fcmp|select|shufflevector|insertelement|extractelement)\b|(%[\w$.-]+)/g,
  asm: /("(?:[^"\\]|\\.)*")|(#.*)|(^\S+:)|(?<=^\t)([a-z]\w*)|(%\w+)/g,
};
const CLASSES = ["s", "c", "f", "k", "v"];

function coloured(text, language) {
  const box = element("span", { class: "words" });
  const shown = text.length > LONGEST ? text.slice(0, LONGEST) : text;
  let end = 0;
  for (const match of shown.matchAll(LANGUAGES[language])) {
    box.append(shown.slice(end, match.index));
    const kind = CLASSES[match.slice(1).findIndex((group) => group !== undefined)];
    box.append(element("span", { class: kind }, match[0]));
    end = match.index + match[0].length;
  }
  box.append(shown.slice(end));
  if (shown !== text) {
    box.append(element("span", { class: "cut" }, ` ... ${text.length - LONGEST} letters more`));
  }
  return box;
}

function follow(list, setOf, exact) {
  const update = (from) => {
    if (from !== list && model.selected) {
      const wanted = exact() ?? [...list.hits(setOf)];
      if (wanted.length && !wanted.some((i) => list.inSight(i))) list.show(wanted[0]);
    }
    list.refresh();
  };
  listen(list.box, update, () => list.draw());
}

Lines.prototype.hits = function* (setOf) {
  for (let i = 0; i < setOf.length; i += 1) if (model.hit[setOf[i]]) yield i;
};

async function stageView(host, name) {
  const about = data.stages[stageNames.indexOf(name)];
  const stage = await openStage(name);
  if (name === "asm") host.append(element("div", { class: "tools" },
    element("span", { class: "note" }, assemblyNote(stage, about))));
  const exact = (i) => Boolean(model.selected?.exact?.[name]?.has(i));
  const language = LANGUAGES[name] ? name : "mlir";
  const list = new Lines(host, {
    count: stage.lines.length, height: 18, label: `Stage ${name}`, kind: "code",
    row: (i) => element("div", {},
      element("span", { class: "number" }, String(i + 1)), coloured(stage.lines[i], language)),
    state: (i) => [
      model.hit[stage.setOf[i]] && "hit", exact(i) && "exact", model.near[stage.setOf[i]] && "near",
    ].filter(Boolean).join(" "),
    hover: (i) => model.hover(i >= 0 ? { places: sets[stage.setOf[i]] } : null),
    pick: async (i) => model.select({
      places: sets[stage.setOf[i]], exact: await exactLines(name, i), what: `${name}, line ${i + 1}`,
    }, list),
  });
  follow(list, stage.setOf, () => {
    const lines = model.selected?.exact?.[name];
    return lines?.size ? [...lines] : null;
  });
}

function assemblyNote(stage, about) {
  let code = 0, known = 0;
  stage.lines.forEach((line, i) => {
    if (!/^\s+[a-z]/.test(line)) return;
    code += 1;
    if (stage.origins[i]) known += 1;
  });
  const unsure = about.approximate.length
    ? ` Of ${about.approximate.join(", ")} only the function is known.` : "";
  return `${known} of ${code} instructions are linked to the line of stage llvm that they were made ` +
    `of; LLVM added the others, or made them of several lines.${unsure}`;
}

function sourceView(host) {
  const work = new Map(data.cost.lines.map((line) => [sets[line.set][0], line.flops]));
  const most = Math.max(1, ...work.values());
  const total = data.cost.lines.reduce((sum, line) => sum + line.flops, 0) || 1;
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
    const place = (i) => placeAt(number, i + 1);
    const share = (i) => {
      const flops = work.get(place(i)) ?? 0;
      const cell = element("span", { class: "share" });
      if (flops) {
        cell.title = `${quantity(flops)} flops, ${((100 * flops) / total).toFixed(1)} % of a step`;
        cell.append(element("i", { style: `width:${(100 * flops) / most}%` }));
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
        model.selected?.places.includes(place(i)) && "hit",
        model.hovered?.places.includes(place(i)) && "near",
      ].filter(Boolean).join(" "),
      pick: (i) => model.select(place(i) === undefined ? null : { places: [place(i)] }, list),
      hover: (i) => model.hover(place(i) === undefined ? null : { places: [place(i)] }, list),
    });
    const first = Math.min(...places.filter(([f]) => f === number).map(([, line]) => line));
    list.box.scrollTop = (first - 4) * list.height;
    list.draw();
  }

  const busiest = [...work].sort((a, b) => b[1] - a[1])[0];
  open(busiest && busiest[0] !== undefined ? places[busiest[0]][0] : 0);
  model.listeners.push((from, moved) => {
    if (moved && model.selected && from !== list) {
      const [file, line] = places[model.selected.places[0]];
      open(file);
      if (!list.inSight(line - 1)) list.show(line - 1);
    }
    list?.refresh();
  });
}
