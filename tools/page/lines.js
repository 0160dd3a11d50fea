// A list of many rows of one height, of which only those in sight are in the document.

class Lines {
  // `row(i)` gives an element; `state(i)` the words of its class; `flag(i)` whether it is selected,
  // 2, or pointed at, 1, which is asked of all rows, unless `flagged` gives the first and the end of
  // those that have a flag; `pick(i)` and `hover(i)` are told.
  constructor(host, { count, height, label, row, state, flag, flagged, pick, hover, kind }) {
    Object.assign(this, { count, height, row, state, flag, pick, hover });
    if (flagged) this.flagged = flagged;
    this.active = -1;
    this.drawn = [0, 0];
    this.rows = [];
    this.window = element("div", { class: "window" });
    this.space = element("div", { class: "space" }, this.window);
    this.box = element("div", {
      class: `lines ${kind}`, tabindex: 0, role: "listbox", "aria-label": label,
      onscroll: () => this.draw(),
      onkeydown: (event) => this.key(event),
      onclick: (event) => this.choose(this.at(event)),
      onmousemove: (event) => this.hover(this.at(event)),
      onmouseleave: () => this.hover(-1),
    }, this.space);
    this.marks = element("canvas", { class: "marks", width: 8, "aria-hidden": "true" });
    host.append(this.box, this.marks);
    this.resize(count);
    new ResizeObserver(() => { this.draw(); this.drawMarks(); }).observe(this.box);
  }

  resize(count) {
    this.count = count;
    this.space.style.height = `${count * this.height}px`;
    this.draw();
  }

  at(event) {
    const top = this.space.getBoundingClientRect().top;
    const i = Math.floor((event.clientY - top) / this.height);
    return i < this.count ? i : -1;
  }

  choose(i) {
    if (i < 0) return;
    this.active = i;
    this.pick(i);
    this.draw();
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.box.clientHeight / this.height) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page,
                    Home: -this.count, End: this.count };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in steps) {
      const wanted = Math.min(this.count - 1, Math.max(0, this.active + steps[event.key]));
      this.active = wanted;
      this.show(wanted, false);
    } else if (event.key === "Enter" || event.key === " ") {
      this.choose(this.active);
    } else if (event.key === "n" || event.key === "p") {
      this.next(event.key === "n" ? 1 : -1);
    } else {
      return;
    }
    event.preventDefault();
  }

  // The next row that is selected, from the active one on.
  next(step) {
    const wanted = (i) => this.flag(i) === 2;
    for (let i = this.active + step; i >= 0 && i < this.count; i += step) {
      if (wanted(i) && !wanted(i - step)) { this.active = i; this.show(i, true); return; }
    }
  }

  // Bring a row into sight, to the middle or as little as need be.
  show(i, middle = true) {
    const top = i * this.height, size = this.box.clientHeight;
    const seen = top >= this.box.scrollTop && top + this.height <= this.box.scrollTop + size;
    if (!seen && middle) this.box.scrollTop = top - size / 2;
    else if (top < this.box.scrollTop) this.box.scrollTop = top;
    else if (!seen) this.box.scrollTop = top + this.height - size + 2;
    this.draw();
  }

  inSight(i) { return i >= this.drawn[0] + 1 && i < this.drawn[1] - 8; }

  draw() {
    const first = Math.max(0, Math.floor(this.box.scrollTop / this.height) - 4);
    const end = Math.min(this.count, first + Math.ceil(this.box.clientHeight / this.height) + 10);
    const [from, until] = this.drawn, known = this.rows;
    const rows = [];
    for (let i = first; i < end; i += 1) {
      const row = i >= from && i < until && known[i - from] || this.make(i);
      const state = `row ${this.state(i)}${i === this.active ? " active" : ""}`;
      if (row.className !== state) {
        row.className = state;
        row.setAttribute("aria-selected", String(/hit|exact/.test(state)));
        if (i !== this.active) row.removeAttribute("id");
        else {
          row.id = this.activeId ??= `row-${Lines.made += 1}`;
          this.box.setAttribute("aria-activedescendant", row.id);
        }
      }
      rows.push(row);
    }
    this.drawn = [first, end];
    this.rows = rows;
    if (first === from && end === until && known.length) return;
    this.window.style.transform = `translateY(${first * this.height}px)`;
    this.window.replaceChildren(...rows);
  }

  make(i) {
    const row = this.row(i);
    row.style.height = `${this.height}px`;
    row.setAttribute("role", "option");
    return row;
  }

  // Draw rows that have changed by more than their state.
  redraw() {
    this.drawn = [0, 0];
    this.rows = [];
    this.refresh();
  }

  // Of rows that are selected or pointed at: the first, the end and the flag, in order.
  * flagged() {
    for (let i = 0; i < this.count; i += 1) {
      const flag = this.flag(i);
      if (flag) yield [i, i + 1, flag];
    }
  }

  // Where in the whole list the selected rows are.
  drawMarks() {
    const { box, marks } = this;
    marks.hidden = box.clientHeight >= this.count * this.height;
    marks.height = box.clientHeight;
    marks.style.top = `${box.offsetTop}px`;
    marks.style.right = `${box.offsetWidth - box.clientWidth}px`;
    const ink = marks.getContext("2d"), style = getComputedStyle(box);
    const colours = { hit: style.getPropertyValue("--mark"), near: style.getPropertyValue("--accent") };
    const at = (i) => Math.floor((i / this.count) * marks.height);
    let top = -1, bottom = -1;
    for (const [first, end, flag] of this.flagged()) {
      const from = at(first), to = at(end - 1) + 2;
      if (from >= top && to <= bottom) continue;   // it is within the last one
      [top, bottom] = [from, to];
      ink.fillStyle = flag === 1 ? colours.near : colours.hit;
      ink.fillRect(0, top, 8, bottom - top);
    }
  }

  refresh() { this.draw(); this.drawMarks(); }
}
Lines.made = 0;
