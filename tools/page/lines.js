// A list of many rows of one height, of which only those in sight are in the document.

class Lines {
  // `row(i)` gives an element; `state(i)` the words of its class; `flag(i)` whether it is selected,
  // 2, or pointed at, 1, which is asked of all rows; `pick(i)` and `hover(i)` are told.
  constructor(host, { count, height, label, row, state, flag, pick, hover, kind }) {
    Object.assign(this, { count, height, row, state, flag, pick, hover });
    this.active = -1;
    this.drawn = [0, 0];
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
    this.drawn = [first, end];
    const rows = [];
    for (let i = first; i < end; i += 1) {
      const row = this.row(i);
      row.className = `row ${this.state(i)}${i === this.active ? " active" : ""}`;
      row.style.height = `${this.height}px`;
      row.setAttribute("role", "option");
      row.setAttribute("aria-selected", String(/hit|exact/.test(row.className)));
      if (i === this.active) {
        row.id = this.activeId ??= `row-${Lines.made += 1}`;
        this.box.setAttribute("aria-activedescendant", row.id);
      }
      rows.push(row);
    }
    this.window.style.transform = `translateY(${first * this.height}px)`;
    this.window.replaceChildren(...rows);
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
    let last = -1;
    for (let i = 0; i < this.count; i += 1) {
      const y = Math.floor((i / this.count) * marks.height);
      if (y === last) continue;
      const flag = this.flag(i);
      if (!flag) continue;
      ink.fillStyle = flag === 1 ? colours.near : colours.hit;
      ink.fillRect(0, y, 8, 2);
      last = y;
    }
  }

  refresh() { this.draw(); this.drawMarks(); }
}
Lines.made = 0;
