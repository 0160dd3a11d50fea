// Texts of stages, coloured line by line as they come into sight.

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

function follow(list, exact) {
  const update = (from) => {
    if (from !== list && model.selected) {
      const wanted = exact() ?? list.hits();
      let first = -1;
      for (const i of wanted) {
        if (first < 0) first = i;
        if (list.inSight(i)) { first = -1; break; }
        if (i > list.drawn[1]) break;   // they ascend
      }
      if (first >= 0) list.show(first);
    }
    list.refresh();
  };
  listen(list.box, update, () => list.draw());
}

// Of a stage's lines that are selected or pointed at: the first, the end and the flag, in order.
function* runsMarked(runs) {
  for (let i = 0, line = 0; i < runs.length; i += 2) {
    const set = runs[i + 1];
    if (model.hit[set]) yield [line, line + runs[i], 2];
    else if (model.near[set]) yield [line, line + runs[i], 1];
    line += runs[i];
  }
}

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
    flag: (i) => (model.hit[stage.setOf[i]] || exact(i) ? 2 : model.near[stage.setOf[i]]),
    flagged: function* () {
      yield* runsMarked(stage.runs);
      for (const i of model.selected?.exact?.[name] ?? []) yield [i, i + 1, 2];
    },
    hover: (i) => model.hover(i >= 0 ? { places: sets[stage.setOf[i]] } : null),
    pick: async (i) => model.select({
      places: sets[stage.setOf[i]], exact: await exactLines(name, i), what: `${name}, line ${i + 1}`,
      link: `${name}/${i + 1}`,
    }, list),
  });
  list.hits = function* () {
    for (const [first, end, flag] of runsMarked(stage.runs)) {
      if (flag === 2) for (let i = first; i < end; i += 1) yield i;
    }
  };
  follow(list, () => {
    const lines = model.selected?.exact?.[name];
    return lines?.size ? [...lines].sort((a, b) => a - b) : null;
  });
  return list;
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
