// Links into the page: what follows the # of its address names a view, and a place in it, such as
// `loops/120`, `train.py/7`, `graph/layer3/fc1` or `memory/hidden`.

let shownLink = null;

// Show what a link names, and choose it. Unknown links do nothing.
async function go(link) {
  const [, view, place] = link.match(/^(.*?)(?:\/(.*))?$/s);
  const file = data.files.findIndex(({ name }) => link.startsWith(`${name}/`));
  if (file >= 0) {
    const line = Number(link.slice(data.files[file].name.length + 1));
    if (line >= 1 && line <= data.files[file].lines.length) source.go(file, line);
    return;
  }
  if (!VIEWS.includes(view)) return;
  const opened = await (stageNames.includes(view) ? panes.left : panes.right).open(view);
  if (place === undefined) return;
  if (!stageNames.includes(view)) { opened?.go?.(place); return; }
  const line = Number(place);
  if (!(line >= 1 && line <= opened.count)) return;
  opened.show(line - 1);
  opened.choose(line - 1);
}

function followLinks() {
  const follow = () => {
    let link = location.hash.slice(1);
    try { link = decodeURIComponent(link); } catch { /* it stays as it is */ }
    if (!link || link === shownLink) return;
    shownLink = link;
    go(link);
  };
  addEventListener("hashchange", follow);
  follow();
  model.listeners.push((from, moved) => {
    const link = model.selected?.link;
    if (!moved || !link || link === shownLink) return;
    shownLink = link;
    location.replace(`#${encodeURIComponent(link).replaceAll("%2F", "/")}`);
  });
}
