// The arena over time: each buffer from its first step to its last, at its place; below, the sum.

const PLURAL = { feed: "feeds", variable: "variables", fetch: "fetches" };

// The phase of the kernel that writes a buffer; empty if no kernel of the graph does.
const bufferPhase = (buffer) => phaseOf.get(data.memory.steps[buffer.first]) ?? "";

class Memory {
  constructor(host) {
    const { memory } = data;
    const outside = Object.entries(memory.outside)
      .map(([role, sizes]) => [role, Object.values(sizes).reduce((sum, size) => sum + size, 0)])
      .filter(([, size]) => size).map(([role, size]) => `${PLURAL[role]} ${size.toLocaleString("en")}`);
    const used = new Set(memory.buffers.map(bufferPhase));
    const phases = [["forward", "kernel"], ["backward", "backward"], ["optimizer", "optimizer"]];
    host.append(element("div", { class: "tools" },
      element("span", { class: "note" }, "written by"), swatches([...phases.filter(([phase]) => used.has(phase))
        .map(([phase, colour]) => [colour, phase === "forward" ? "forward kernels" : phase]),
      ...(used.has("") ? [["op", "others"]] : [])]),
      element("span", { class: "note" },
      `Arena${isOnBoth ? " of the CPU's part" : ""} ${memory.arena.toLocaleString("en")} bytes, at most ` +
      `${memory.peak.toLocaleString("en")} in use at once.` +
      (outside.length ? ` Outside of it: ${outside.join(", ")}.` : ""))));
    this.cursor = -1;
    this.board = new Board(host, {
      label: "Memory over time: arrows move from buffer to buffer", across: true,
      draw: (...args) => this.draw(...args),
      pick: (x, y) => this.pick(this.under(x, y)),
      hover: (x, y, event) => this.hover(x, y, event),
      key: (name) => this.key(name),
    });
    this.board.fit = () => { this.board.view = { x: 64, y: 0, scale: 1 }; this.board.draw(); };
    listen(this.board.box, () => this.board.draw(), () => this.board.draw());
  }

  frame() {
    const { width, height } = this.board, { memory } = data;
    const steps = Math.max(1, memory.steps.length), curve = Math.min(130, height * 0.28);
    return { step: (width - 76) / steps, top: 10, high: height - curve - 58,
             low: height - 24, curve, bytes: Math.max(1, memory.arena) };
  }

  // Left, top, width and height of a buffer, before the drawing is moved.
  rectangle({ first, last, offset, bytes }) {
    const f = this.frame(), unit = f.high / f.bytes;
    return [first * f.step, f.top + f.high - (offset + bytes) * unit,
            (last - first + 1) * f.step - 1, Math.max(1, bytes * unit - 1)];
  }

  draw(ink, colour) {
    const { memory } = data, { view, width } = this.board, f = this.frame();
    const screen = (x) => x * view.scale + view.x;
    ink.save();
    ink.beginPath();
    ink.rect(60, 0, width - 60, this.board.height);
    ink.clip();
    memory.buffers.forEach((buffer, i) => this.buffer(ink, colour, buffer, i, screen));
    const unit = f.curve / Math.max(1, memory.peak);
    ink.beginPath();
    ink.moveTo(screen(0), f.low);
    memory.live.forEach((bytes, i) => {
      ink.lineTo(screen(i * f.step), f.low - bytes * unit);
      ink.lineTo(screen((i + 1) * f.step), f.low - bytes * unit);
    });
    ink.lineTo(screen(memory.live.length * f.step), f.low);
    ink.fillStyle = colour("near");
    ink.fill();
    ink.strokeStyle = colour("accent");
    ink.stroke();
    this.ticks(ink, colour, screen, f);
    ink.restore();
    const label = (text, y) => { write(ink, colour("soft"), text, 56, y, 52, 400, "right"); };
    label(quantity(f.bytes), f.top + 8);
    label("0", f.top + f.high);
    label(quantity(memory.peak), f.low - f.curve + 4);
    label("in use", f.low - f.curve / 2);
    label("offset", f.top + f.high / 2);
    ink.strokeStyle = colour("line");
    ink.strokeRect(60.5, f.top - 0.5, width, f.high + 1);
  }

  buffer(ink, colour, buffer, i, screen) {
    const [x, y, w, h] = this.rectangle(buffer), left = screen(x), wide = w * this.board.view.scale;
    if (left + wide < 60 || left > this.board.width) return;
    const hit = model.hit[buffer.set], near = model.near[buffer.set];
    ink.lineWidth = hit ? 2 : 1;
    ink.fillStyle = colour(hit ? "hit" : near ? "near" : FILLS[bufferPhase(buffer)] ?? "op");
    ink.strokeStyle = colour(hit ? "mark" : i === this.cursor ? "accent" : "node-line");
    ink.fillRect(left, y, Math.max(1, wide), h);
    if ((wide > 4 && h > 4) || hit) ink.strokeRect(left + 0.5, y + 0.5, Math.max(1, wide - 1), Math.max(1, h - 1));
    ink.lineWidth = 1;
    if (wide > 40 && h > 14) {
      write(ink, colour("text"), buffer.name, left + 5, y + 13, wide - 8, 500);
      if (h > 28) write(ink, colour("soft"), `${quantity(buffer.bytes)}B`, left + 5, y + 26, wide - 8);
    }
  }

  ticks(ink, colour, screen, f) {
    const wide = f.step * this.board.view.scale, every = Math.max(1, Math.ceil(34 / wide));
    for (let i = 0; i < data.memory.steps.length; i += every) {
      write(ink, colour("soft"), String(i), screen((i + 0.5) * f.step), f.low + 15, 40, 400, "center");
    }
  }

  under(x, y) {
    return data.memory.buffers.findIndex((buffer) => {
      const [left, top, w, h] = this.rectangle(buffer);
      return x >= left && x <= left + w && y >= top && y <= top + h;
    });
  }

  hover(x, y, event) {
    const i = event ? this.under(x, y) : -1, f = this.frame();
    const step = event && y > f.top + f.high ? Math.floor(x / f.step) : -1;
    const { memory } = data;
    let text = i >= 0 ? this.text(memory.buffers[i]) : "";
    if (!text && memory.steps[step] !== undefined) {
      text = `step ${step}: ${memory.steps[step]}\n${memory.live[step].toLocaleString("en")} bytes in use`;
    }
    this.board.tell(text, event);
    model.hover(i >= 0 ? { places: sets[memory.buffers[i].set] } : null, this);
  }

  text(buffer) {
    const { steps } = data.memory;
    return `${buffer.name}: ${buffer.type}\nbytes ${buffer.offset.toLocaleString("en")} to ` +
      `${(buffer.offset + buffer.bytes).toLocaleString("en")}\nstep ${buffer.first}, ` +
      `${steps[buffer.first]}, to step ${buffer.last}, ${steps[buffer.last]}\n${setText(buffer.set)}`;
  }

  pick(i) {
    this.cursor = i;
    const buffer = data.memory.buffers[i];
    model.select(buffer ? { places: sets[buffer.set], what: `buffer ${buffer.name}`,
      link: `memory/${buffer.name}` } : null, this);
    if (buffer) status(this.text(buffer).split("\n").join("; "));
  }

  go(name) {
    const i = data.memory.buffers.findIndex((buffer) => buffer.name === name);
    if (i >= 0) this.pick(i);
  }

  key(name) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[name];
    const count = data.memory.buffers.length;
    if (!step || !count) return false;
    this.pick((this.cursor + step + count) % count);
    return true;
  }
}
