// A drawing that is dragged and zoomed; what is drawn and what is under the pointer others say.

const boards = [];

class Board {
  constructor(host, { label, draw, pick, hover, key, across = false }) {
    boards.push(this);
    Object.assign(this, { paint: draw, pick, hover, across });
    this.view = { x: 0, y: 0, scale: 1 };
    this.canvas = element("canvas", { tabindex: 0, role: "application", "aria-label": label });
    this.tip = element("div", { class: "tip", hidden: true });
    this.box = element("div", { class: "board" }, this.canvas, this.tip);
    host.append(this.box);
    this.listen(key);
    new ResizeObserver(() => this.resize()).observe(this.box);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  listen(key) {
    const { canvas } = this;
    let held = null;
    canvas.addEventListener("pointerdown", (event) => {
      held = { x: event.clientX, y: event.clientY, moved: false };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!held) { this.hover(...this.world(event), event); return; }
      const dx = event.clientX - held.x, dy = event.clientY - held.y;
      if (!held.moved && Math.hypot(dx, dy) < 4) return;
      Object.assign(held, { x: event.clientX, y: event.clientY, moved: true });
      this.pan(dx, dy);
    });
    canvas.addEventListener("pointerup", (event) => {
      if (held && !held.moved) this.pick(...this.world(event), event);
      held = null;
    });
    canvas.addEventListener("pointerleave", () => this.hover(NaN, NaN, null));
    canvas.addEventListener("dblclick", (event) => this.pick(...this.world(event), event));
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      if (event.ctrlKey || event.metaKey) this.zoom(Math.exp(-event.deltaY / 300), event.offsetX, event.offsetY);
      else this.pan(-event.deltaX, -event.deltaY);
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => {
      const factor = { "+": 1.25, "=": 1.25, "-": 0.8 }[event.key];
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (factor) this.zoom(factor, this.width / 2, this.height / 2);
      else if (event.key === "0") this.fit(true);
      else if (!key(event.key)) return;
      event.preventDefault();
    });
  }

  world(event) {
    const { x, y, scale } = this.view;
    return [(event.offsetX - x) / scale, this.across ? event.offsetY : (event.offsetY - y) / scale];
  }

  pan(dx, dy) {
    this.view.x += dx;
    this.view.y += dy;
    this.draw();
  }

  zoom(factor, atX, atY) {
    const { view } = this;
    const scale = Math.min(4, Math.max(this.least ?? 0.01, view.scale * factor));
    view.x = atX - ((atX - view.x) * scale) / view.scale;
    view.y = atY - ((atY - view.y) * scale) / view.scale;
    view.scale = scale;
    this.draw();
  }

  resize() {
    const first = this.width === undefined;
    this.width = this.box.clientWidth;
    this.height = this.box.clientHeight;
    if (!this.width || !this.height) { if (first) this.width = undefined; return; }
    const dots = devicePixelRatio || 1;
    this.canvas.width = this.width * dots;
    this.canvas.height = this.height * dots;
    if (first) this.fit(false);
    // Now, since the new size has cleared it: in the next frame it would flicker.
    this.drawNow();
  }

  // Draw once, soon, however often it is asked for.
  draw() {
    if (this.due || !this.width) return;
    this.due = true;
    requestAnimationFrame(() => { this.due = false; this.drawNow(); });
  }

  drawNow() {
    const ink = this.canvas.getContext("2d"), dots = devicePixelRatio || 1;
    const style = getComputedStyle(document.documentElement);
    const { x, y, scale } = this.view;
    ink.setTransform(dots, 0, 0, dots, 0, 0);
    ink.clearRect(0, 0, this.width, this.height);
    this.paint(ink, (name) => style.getPropertyValue(`--${name}`).trim(), {
      left: -x / scale, top: -y / scale,
      right: (this.width - x) / scale, bottom: (this.height - y) / scale,
    }, dots);
  }

  tell(text, event) {
    this.tip.hidden = !text;
    if (!text) return;
    this.tip.textContent = text;
    const { offsetX, offsetY } = event;
    this.tip.style.left = `${Math.max(0, Math.min(offsetX + 14, this.width - this.tip.offsetWidth - 4))}px`;
    const below = offsetY + 16 + this.tip.offsetHeight < this.height;
    this.tip.style.top = `${below ? offsetY + 16 : Math.max(0, offsetY - this.tip.offsetHeight - 8)}px`;
  }
}
