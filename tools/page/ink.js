// What is drawn on a board: boxes, bars, words and edges.

const FAR = 6;   // an edge over more layers than this is drawn as two ends

function frame(ink, [x, y, w, h], { fill, stroke, focus, thick, radius, coarse }) {
  const line = ink.lineWidth;
  if (coarse) {
    // From far off a node is a spot.
    ink.fillStyle = focus || stroke;
    ink.fillRect(x, y, w, h);
    return;
  }
  ink.beginPath();
  ink.roundRect(x, y, w, h, radius);
  ink.fillStyle = fill;
  ink.fill();
  ink.lineWidth = thick ? 2 * line : line;
  ink.strokeStyle = stroke;
  ink.stroke();
  if (focus) {
    ink.beginPath();
    ink.roundRect(x - 3, y - 3, w + 6, h + 6, radius + 3);
    ink.lineWidth = line * 2;
    ink.strokeStyle = focus;
    ink.stroke();
  }
  ink.lineWidth = line;
}

// A part of the most that any has, as a bar along the lower edge.
function share(ink, colours, [x, y, w, h], part) {
  if (!(part > 0)) return;
  ink.fillStyle = colours.bar;
  ink.fillRect(x + 4, y + h - 4, Math.max(1, (w - 8) * Math.min(1, part)), 2.5);
}

const fontOf = (weight) => `${weight} 11px system-ui, "Segoe UI", Roboto, sans-serif`;

function widthOf(ink, text, weight = 400) {
  ink.font = fontOf(weight);
  return ink.measureText(text).width;
}

function write(ink, colour, text, x, y, width, weight = 400, align = "left") {
  ink.font = fontOf(weight);
  ink.fillStyle = colour;
  ink.textAlign = align;
  ink.fillText(text, x, y, width);
}

// The points of an edge: its two ends, and the bends that lead it around what is between. It is
// straight within rows, whose tops and bottoms `row` gives: what is beside it there may be high.
function route(box, a, b, bends, row = null) {
  const from = box(a), to = box(b), down = from[Y] <= to[Y];
  const points = [[from[X] + from[W] / 2, from[Y] + (down ? from[H] : 0)]];
  const add = (x, y) => {
    if (Math.abs(points[points.length - 1][1] - y) > 2) points.push([x, y]);
  };
  if (row) add(points[0][0], row(a)[down ? 1 : 0]);
  for (const n of bends) {
    const [x, y] = box(n);
    for (const end of row ? row(n)[down ? "slice" : "toReversed"]() : [y]) add(x + 4, end);
  }
  const x = to[X] + to[W] / 2, y = to[Y] + (down ? 0 : to[H]);
  if (row) add(x, row(b)[down ? 0 : 1]);
  if (points.length > 1 && Math.abs(points[points.length - 1][1] - y) <= 2) points.pop();
  points.push([x, y]);
  return points;
}

function curve(ink, points, seen, coarse) {
  if (seen) {
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const [x, y] of points) {
      left = Math.min(left, x); right = Math.max(right, x);
      top = Math.min(top, y); bottom = Math.max(bottom, y);
    }
    if (bottom < seen.top || top > seen.bottom || right < seen.left || left > seen.right) return;
  }
  ink.moveTo(...points[0]);
  for (let i = 1; i < points.length; i += 1) {
    const [x0, y0] = points[i - 1], [x1, y1] = points[i], half = (y1 - y0) / 2;
    if (coarse || x0 === x1) ink.lineTo(x1, y1);
    else ink.bezierCurveTo(x0, y0 + half, x1, y1 - half, x1, y1);
  }
}

// Three dots at each end of an edge.
function stubs(ink, points, seen) {
  const down = points[0][1] <= points[points.length - 1][1] ? 1 : -1;
  for (const [[x, y], step] of [[points[0], down], [points[points.length - 1], -down]]) {
    if (y < seen.top - 10 || y > seen.bottom + 10 || x < seen.left || x > seen.right) continue;
    for (const far of [1, 4, 7]) {
      ink.moveTo(x, y + step * far);
      ink.lineTo(x, y + step * (far + 1.5));
    }
  }
}

// The head of an arrow at the end of an edge.
function arrow(ink, points, size) {
  const [x, y] = points[points.length - 1], down = points[0][1] <= y ? 1 : -1;
  ink.moveTo(x - size, y - down * 1.6 * size);
  ink.lineTo(x, y);
  ink.lineTo(x + size, y - down * 1.6 * size);
}
