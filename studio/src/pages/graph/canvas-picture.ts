// Notes and edges on a canvas: for machines without fast WebGL, and for small graphs, which get arrows and names of edges.
//
// A frame is drawn only when something has changed. While a large graph moves its edges are left out, so that it keeps up with the hand;
// they come back when it rests.
import type { GraphPicture, PictureOptions, Places } from './drawn-graph.ts';
import { degreesOf, sizeOf } from './drawn-graph.ts';
import { nodesByType } from './note-types.ts';

const mostMovingEdges = 4_000;
const mostArrows = 600;
const mostLabels = 40;
const mostEdgeLabels = 40;
const restMs = 140;

export function openCanvasPicture({
  graph,
  container,
  colours: first,
  onchoose,
}: PictureOptions): GraphPicture {
  const { nodes, edges, edgeTypes } = graph;
  const canvas = document.createElement('canvas');
  canvas.setAttribute('aria-hidden', 'true');
  container.append(canvas);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('there is no canvas');
  const degrees = degreesOf(graph);
  const sizes = Float32Array.from(degrees, (degree) => sizeOf(degree, nodes.length));
  const groups = nodesByType(graph);
  const byDegree = [...nodes.keys()].toSorted((a, b) => (degrees[b] ?? 0) - (degrees[a] ?? 0)).slice(0, 400);
  let colours = first;
  let places: Places = new Float32Array(nodes.length * 2);
  let [scale, left, top] = [1, 0, 0];
  let [width, height, ratio] = [0, 0, 1];
  let chosen = -1;
  let path: ReadonlySet<number> = new Set();
  let isMoving = false;
  let hasFitted = false;
  let isPlaced = false;
  let frame = 0;
  let rest: ReturnType<typeof setTimeout> | undefined;

  const x = (at: number): number => (places[at * 2] ?? 0) * scale + left;
  const y = (at: number): number => (places[at * 2 + 1] ?? 0) * scale + top;
  const later = (): void => {
    if (frame === 0) frame = requestAnimationFrame(draw);
  };
  const move = (): void => {
    isMoving = true;
    clearTimeout(rest);
    rest = setTimeout(() => {
      isMoving = false;
      later();
    }, restMs);
    later();
  };

  function draw(): void {
    frame = 0;
    if (context === null) return;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    if (!isPlaced) return;
    if (!isMoving || edges.length <= mostMovingEdges) drawEdges(context);
    drawNodes(context);
    drawLabels(context);
  }
  function drawEdges(on: CanvasRenderingContext2D): void {
    const hasArrows = edges.length <= mostArrows;
    const line = (color: string, thick: number, fits: (from: number, to: number) => boolean): void => {
      on.strokeStyle = color;
      on.lineWidth = thick;
      on.beginPath();
      for (const [from, to] of edges) {
        if (!fits(from, to)) continue;
        const [ax, ay, bx, by] = [x(from), y(from), x(to), y(to)];
        if (
          Math.max(ax, bx) < 0 ||
          Math.min(ax, bx) > width ||
          Math.max(ay, by) < 0 ||
          Math.min(ay, by) > height
        )
          continue;
        on.moveTo(ax, ay);
        on.lineTo(bx, by);
        if (hasArrows) arrow(on, ax, ay, bx, by, sizes[to] ?? 5);
      }
      on.stroke();
    };
    const isMarked = (from: number, to: number): boolean =>
      from === chosen || to === chosen || (path.has(from) && path.has(to));
    line(colours.edge, edges.length > 3_000 ? 0.5 : 1, (from, to) => !isMarked(from, to));
    line(colours.accent, 1.6, isMarked);
  }
  /** Types differ by shape, too. */
  function drawNodes(on: CanvasRenderingContext2D): void {
    for (const [kind, group] of groups) {
      on.fillStyle = colours.types[kind % colours.types.length] ?? colours.accent;
      on.beginPath();
      for (const at of group) {
        const [cx, cy, size] = [x(at), y(at), sizes[at] ?? 4];
        if (cx < -size || cx > width + size || cy < -size || cy > height + size) continue;
        shape(on, kind, cx, cy, size);
      }
      on.fill();
    }
    on.strokeStyle = colours.text;
    on.lineWidth = 2;
    for (const at of new Set([...path, chosen])) {
      if (at < 0) continue;
      on.beginPath();
      on.arc(x(at), y(at), (sizes[at] ?? 5) + 4, 0, 2 * Math.PI);
      on.stroke();
    }
  }
  function drawLabels(on: CanvasRenderingContext2D): void {
    on.font = '12px system-ui, sans-serif';
    on.textAlign = 'left';
    on.lineWidth = 3;
    on.strokeStyle = colours.surface;
    on.fillStyle = colours.text;
    const near = nodes.length <= mostLabels ? [...nodes.keys()] : [chosen, ...path, ...byDegree];
    const taken: (readonly [number, number, number])[] = [];
    const seen = new Set<number>();
    for (const at of near) {
      if (at < 0 || seen.has(at) || taken.length >= mostLabels) continue;
      seen.add(at);
      const [cx, cy] = [x(at) + (sizes[at] ?? 5) + 4, y(at) + 4];
      if (cx < 0 || cx > width || cy < 0 || cy > height) continue;
      const text = cut(nodes[at]?.name ?? '');
      const wide = text.length * 6.5;
      if (taken.some(([ox, oy, ow]) => Math.abs(oy - cy) < 13 && cx < ox + ow && ox < cx + wide)) continue;
      taken.push([cx, cy, wide]);
      on.strokeText(text, cx, cy);
      on.fillText(text, cx, cy);
    }
    if (edges.length > mostEdgeLabels) return;
    on.font = '11px system-ui, sans-serif';
    on.fillStyle = colours.edge;
    for (const [from, to, type] of edges) {
      const name = edgeTypes[type] ?? 'link';
      const wide = name.length * 6;
      const [cx, cy] = [(x(from) + x(to)) / 2 - wide / 2, (y(from) + y(to)) / 2 - 3];
      if (name === 'link' || Math.hypot(x(from) - x(to), y(from) - y(to)) < wide) continue;
      if (taken.some(([ox, oy, ow]) => Math.abs(oy - cy) < 13 && cx < ox + ow && ox < cx + wide)) continue;
      taken.push([cx, cy, wide]);
      on.strokeText(name, cx, cy);
      on.fillText(name, cx, cy);
    }
  }

  const fit = (): void => {
    if (nodes.length === 0 || width === 0) return;
    let [lowX, highX, lowY, highY] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let at = 0; at < places.length; at += 2) {
      const [px = 0, py = 0] = [places[at], places[at + 1]];
      [lowX, highX] = [Math.min(lowX, px), Math.max(highX, px)];
      [lowY, highY] = [Math.min(lowY, py), Math.max(highY, py)];
    }
    const margin = Math.min(50, width / 8);
    // Names stand on the right of their notes.
    const forNames = nodes.length <= mostLabels ? Math.min(120, width / 4) : margin;
    scale = Math.min(
      (width - margin - forNames) / Math.max(1e-6, highX - lowX),
      (height - 2 * margin) / Math.max(1e-6, highY - lowY),
      60,
    );
    left = (width + margin - forNames) / 2 - ((lowX + highX) / 2) * scale;
    top = height / 2 - ((lowY + highY) / 2) * scale;
    later();
  };
  const zoomAt = (factor: number, cx: number, cy: number): void => {
    const next = Math.min(400, Math.max(0.001, scale * factor));
    left = cx - ((cx - left) * next) / scale;
    top = cy - ((cy - top) * next) / scale;
    scale = next;
    hasFitted = true;
    move();
  };
  const sizer = new ResizeObserver(() => {
    const before = width;
    ({ clientWidth: width, clientHeight: height } = container);
    ratio = Math.min(2, devicePixelRatio);
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    if (before === 0 || !hasFitted) fit();
    else later();
  });
  sizer.observe(container);

  let drag: { readonly x: number; readonly y: number; moved: boolean } | null = null;
  const pointers = new Map<number, PointerEvent>();
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, event);
    drag = { x: event.clientX, y: event.clientY, moved: false };
  });
  canvas.addEventListener('pointermove', (event) => {
    const before = pointers.get(event.pointerId);
    if (before === undefined || drag === null) return;
    if (pointers.size === 2) {
      const [other] = [...pointers.values()].filter(({ pointerId }) => pointerId !== event.pointerId);
      const apart = (one: PointerEvent): number =>
        Math.hypot(one.clientX - (other?.clientX ?? 0), one.clientY - (other?.clientY ?? 0));
      const box = canvas.getBoundingClientRect();
      zoomAt(apart(event) / Math.max(1, apart(before)), event.clientX - box.left, event.clientY - box.top);
    } else {
      left += event.clientX - before.clientX;
      top += event.clientY - before.clientY;
      hasFitted = true;
      move();
    }
    pointers.set(event.pointerId, event);
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 4) drag.moved = true;
  });
  const lift = (event: PointerEvent): void => {
    pointers.delete(event.pointerId);
    if (drag?.moved === false && event.type === 'pointerup') {
      const box = canvas.getBoundingClientRect();
      const at = nearest(event.clientX - box.left, event.clientY - box.top);
      if (at !== null) onchoose(nodes[at]?.path ?? '');
    }
    if (pointers.size === 0) drag = null;
  };
  canvas.addEventListener('pointerup', lift);
  canvas.addEventListener('pointercancel', lift);
  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const box = canvas.getBoundingClientRect();
      zoomAt(Math.exp(-event.deltaY * 0.0015), event.clientX - box.left, event.clientY - box.top);
    },
    { passive: false },
  );
  function nearest(px: number, py: number): number | null {
    let [best, least] = [-1, 14];
    for (let at = 0; at < nodes.length; at += 1) {
      const away = Math.hypot(x(at) - px, y(at) - py) - (sizes[at] ?? 4);
      if (away < least) [best, least] = [at, away];
    }
    return best < 0 ? null : best;
  }

  return {
    kind: 'canvas',
    place(next) {
      places = next;
      isPlaced = true;
      if (hasFitted) later();
      else fit();
    },
    mark(next, along) {
      [chosen, path] = [next, along];
      later();
    },
    colour(next) {
      colours = next;
      later();
    },
    fit() {
      hasFitted = false;
      fit();
    },
    zoom: (factor) => zoomAt(factor, width / 2, height / 2),
    pan(dx, dy) {
      [left, top] = [left + dx, top + dy];
      hasFitted = true;
      move();
    },
    close() {
      cancelAnimationFrame(frame);
      clearTimeout(rest);
      sizer.disconnect();
      canvas.remove();
    },
  };
}

function shape(on: CanvasRenderingContext2D, kind: number, x: number, y: number, size: number): void {
  switch (kind % 4) {
    case 1:
      on.rect(x - size * 0.9, y - size * 0.9, size * 1.8, size * 1.8);
      break;
    case 2:
      on.moveTo(x, y - size * 1.2);
      on.lineTo(x + size * 1.2, y);
      on.lineTo(x, y + size * 1.2);
      on.lineTo(x - size * 1.2, y);
      on.closePath();
      break;
    case 3:
      on.moveTo(x, y - size * 1.2);
      on.lineTo(x + size * 1.1, y + size * 0.9);
      on.lineTo(x - size * 1.1, y + size * 0.9);
      on.closePath();
      break;
    default:
      on.moveTo(x + size, y);
      on.arc(x, y, size, 0, 2 * Math.PI);
  }
}

function arrow(
  on: CanvasRenderingContext2D,
  ax: number,
  ay: number,
  bx: number,
  by: number,
  size: number,
): void {
  const away = Math.hypot(bx - ax, by - ay);
  if (away < size + 10) return;
  const [ux, uy] = [(bx - ax) / away, (by - ay) / away];
  const [tx, ty] = [bx - ux * (size + 2), by - uy * (size + 2)];
  on.moveTo(tx - ux * 6 - uy * 3.5, ty - uy * 6 + ux * 3.5);
  on.lineTo(tx, ty);
  on.lineTo(tx - ux * 6 + uy * 3.5, ty - uy * 6 - ux * 3.5);
}

function cut(text: string): string {
  return text.length > 28 ? `${text.slice(0, 27)}…` : text;
}
