// The borders between panes: they are dragged, or moved with arrow keys; a double click resets them.

const SMALLEST = 0.12;

function separate(main) {
  const borders = [...main.querySelectorAll("[role=separator]")];
  const first = borders.map((border) => Number(border.dataset.at));
  const at = [...first];
  const place = () => {
    main.style.setProperty("--first", `${at[0]}fr`);
    main.style.setProperty("--second", `${at[1] - at[0]}fr`);
    main.style.setProperty("--third", `${1 - at[1]}fr`);
    // Of two rows, the upper one has the first two panes.
    main.style.setProperty("--upper", `${at[1]}fr`);
    main.style.setProperty("--first-of-two", `${at[0] / at[1]}fr`);
    main.style.setProperty("--second-of-two", `${1 - at[0] / at[1]}fr`);
    borders.forEach((border, i) => {
      border.setAttribute("aria-valuenow", String(Math.round(100 * at[i])));
    });
  };
  const move = (i, part) => {
    const low = i ? at[0] + SMALLEST : SMALLEST, high = i ? 1 - SMALLEST : at[1] - SMALLEST;
    at[i] = Math.min(high, Math.max(low, part));
    place();
  };
  const inTwoRows = () => borders[1].offsetWidth > borders[1].offsetHeight;
  const part = (event, i) => {
    const box = main.getBoundingClientRect(), across = (event.clientX - box.left) / box.width;
    if (!inTwoRows()) return across;
    return i ? (event.clientY - box.top) / box.height : across * at[1];
  };
  borders.forEach((border, i) => {
    border.addEventListener("pointerdown", (event) => {
      border.setPointerCapture(event.pointerId);
      event.preventDefault();
    });
    border.addEventListener("pointermove", (event) => {
      if (border.hasPointerCapture(event.pointerId)) move(i, part(event, i));
    });
    border.addEventListener("dblclick", () => move(i, first[i]));
    border.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
      if (!step) return;
      move(i, at[i] + 0.03 * step);
      event.preventDefault();
    });
  });
  place();
}
