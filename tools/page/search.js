// Search in all views: source, stages, graph, memory and tables.

const MOST_SHOWN = 6;

class Search {
  constructor(host) {
    this.field = element("input", {
      type: "search", placeholder: "Search all views ( / )", "aria-label": "Search all views",
      role: "combobox", "aria-expanded": "false", "aria-controls": "found", autocomplete: "off",
      spellcheck: "false", oninput: () => this.soon(), onkeydown: (event) => this.key(event),
      onfocus: () => this.soon(),
    });
    this.list = element("div", { id: "found", role: "listbox", hidden: true });
    host.append(this.field, this.list);
    this.at = -1;
    document.addEventListener("keydown", (event) => {
      if (event.key !== "/" || event.target.matches?.("input, select") || event.ctrlKey || event.metaKey) return;
      this.field.focus();
      this.field.select();
      event.preventDefault();
    });
    document.addEventListener("pointerdown", (event) => { if (!host.contains(event.target)) this.close(); });
  }

  soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.look(), 120);
  }

  async look() {
    const wanted = this.field.value.trim();
    if (!wanted) { this.close(); return; }
    const found = await search(wanted);
    if (wanted !== this.field.value.trim() || document.activeElement !== this.field) return;
    const rows = found.flatMap(({ view, all, hits }) => [
      element("div", { class: "group" }, view, element("span", {}, String(all))),
      ...hits.map(({ label, text, link }) => element("div", {
        role: "option", "data-link": link, onclick: () => this.choose(link),
      }, element("b", {}, label), ...marked(text, wanted))),
    ]);
    this.list.replaceChildren(...(rows.length ? rows : [element("div", { class: "group" }, "nothing found")]));
    this.at = -1;
    this.list.hidden = false;
    this.field.setAttribute("aria-expanded", "true");
  }

  key(event) {
    const options = [...this.list.querySelectorAll("[role=option]")];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") { this.close(); this.field.blur(); event.stopPropagation(); return; }
    if (event.key === "Enter") {
      const option = options[Math.max(0, this.at)];
      if (option && !this.list.hidden) this.choose(option.dataset.link);
    } else if (step && options.length) {
      this.at = (this.at + step + options.length) % options.length;
      options.forEach((option, i) => option.setAttribute("aria-selected", String(i === this.at)));
      options[this.at].scrollIntoView({ block: "nearest" });
    } else {
      return;
    }
    event.preventDefault();
  }

  choose(link) {
    this.close();
    this.field.blur();
    go(link);
  }

  close() {
    this.list.hidden = true;
    this.field.setAttribute("aria-expanded", "false");
  }
}

// What has a text, whatever its case: by view the number of all, and the first ones.
async function search(wanted) {
  const low = wanted.toLowerCase(), found = [];
  const collect = (view, entries) => {
    let all = 0;
    const hits = [];
    for (const [text, hit] of entries) {
      if (!text.toLowerCase().includes(low)) continue;
      all += 1;
      if (hits.length < MOST_SHOWN) hits.push({ text: text.trim(), ...hit() });
    }
    if (all) found.push({ view, all, hits });
  };
  const lines = function* (name, texts) {
    for (let i = 0; i < texts.length; i += 1) {
      yield [texts[i], () => ({ label: String(i + 1), link: `${name}/${i + 1}` })];
    }
  };
  for (const file of data.files) collect(file.name, lines(file.name, file.lines));
  const nodes = graph.nodes.filter((node) => node[NODE.name])
    .map((node) => [node[NODE.name] === node[NODE.label] ? node[NODE.name] : `${node[NODE.name]} = ${node[NODE.label]}`,
      () => ({ label: node[NODE.kind], link: `graph/${node[NODE.name]}` })]);
  const named = groups.map((group, g) => [g ? groupLink(g) : "", () => ({ label: group.kind, link: `graph/${groupLink(g)}` })])
    .filter(([text]) => text);
  collect("graph", [...named, ...nodes]);
  for (const name of stageNames) collect(name, lines(name, (await openStage(name)).lines));
  if (VIEWS.includes("memory")) {
    collect("memory", data.memory.buffers.map((buffer) => [`${buffer.name}: ${buffer.type}`,
      () => ({ label: "buffer", link: `memory/${buffer.name}` })]));
  }
  for (const [view, rows] of Object.entries(tableTexts())) {
    collect(view, rows.map((text, i) => [text, () => ({ label: String(i + 1), link: `${view}/${i + 1}` })]));
  }
  return found;
}

// A text in pieces, with what is wanted marked; long ones around it.
function marked(text, wanted) {
  const at = text.toLowerCase().indexOf(wanted.toLowerCase()), end = at + wanted.length;
  const from = Math.max(0, Math.min(at - 20, text.length - 90));
  return [(from ? "..." : "") + text.slice(from, at), element("mark", {}, text.slice(at, end)), text.slice(end, end + 90)];
}
