// Notes and edges with WebGL (sigma): tens of thousands of them on a graphics card.
import { MultiDirectedGraph } from 'graphology';
import { Sigma } from 'sigma';
import type { GraphPicture, PictureOptions } from './drawn-graph.ts';
import { degreesOf, sizeOf } from './drawn-graph.ts';
import { typeNumbers } from './note-types.ts';

const mostMovingEdges = 20_000;

/** Throws where there is no WebGL. */
export function openWebGlPicture({
  graph,
  container,
  colours: first,
  onchoose,
}: PictureOptions): GraphPicture {
  const drawn = new MultiDirectedGraph();
  const degrees = degreesOf(graph);
  const types = typeNumbers(graph);
  let colours = first;
  let chosen = -1;
  let path: ReadonlySet<number> = new Set();
  for (const [at, { name, type }] of graph.nodes.entries())
    drawn.addNode(at, {
      x: Math.cos(at),
      y: Math.sin(at),
      size: sizeOf(degrees[at] ?? 0, graph.nodes.length),
      label: name,
      kind: types.get(type) ?? 0,
    });
  for (const [from, to] of graph.edges) drawn.addEdge(from, to);
  const isMarked = (edge: string): boolean => {
    const [from, to] = [Number(drawn.source(edge)), Number(drawn.target(edge))];
    return from === chosen || to === chosen || (path.has(from) && path.has(to));
  };
  const sigma = new Sigma(drawn, container, {
    allowInvalidContainer: true,
    defaultEdgeType: graph.edges.length <= 5_000 ? 'arrow' : 'line',
    hideEdgesOnMove: graph.edges.length > mostMovingEdges,
    labelFont: 'system-ui, sans-serif',
    labelSize: 12,
    labelColor: { color: colours.text },
    labelRenderedSizeThreshold: graph.nodes.length > 60 ? 6 : 0,
    zIndex: true,
    nodeReducer: (node, { kind, size, ...data }) => {
      const at = Number(node);
      const isOne = at === chosen || path.has(at);
      return {
        ...data,
        color: colours.types[(kind as number) % colours.types.length] ?? colours.accent,
        size: isOne ? (size as number) * 1.6 : (size as number),
        highlighted: at === chosen,
        forceLabel: isOne,
        zIndex: isOne ? 1 : 0,
      };
    },
    edgeReducer: (edge, data) =>
      isMarked(edge)
        ? { ...data, color: colours.accent, size: 2, zIndex: 1 }
        : { ...data, color: colours.edge, size: 0.6 },
  });
  sigma.on('clickNode', ({ node }) => onchoose(graph.nodes[Number(node)]?.path ?? ''));
  for (const canvas of container.querySelectorAll('canvas')) canvas.setAttribute('aria-hidden', 'true');
  const camera = sigma.getCamera();
  return {
    kind: 'webgl',
    place(places) {
      drawn.updateEachNodeAttributes(
        (node, attributes) => {
          const at = Number(node) * 2;
          return { ...attributes, x: places[at] ?? 0, y: -(places[at + 1] ?? 0) };
        },
        { attributes: ['x', 'y'] },
      );
    },
    mark(next, along) {
      [chosen, path] = [next, along];
      sigma.refresh({ skipIndexation: true });
    },
    colour(next) {
      colours = next;
      sigma.setSetting('labelColor', { color: next.text });
      sigma.refresh({ skipIndexation: true });
    },
    fit: () => camera.setState({ x: 0.5, y: 0.5, ratio: 1, angle: 0 }),
    zoom: (factor) => camera.setState({ ratio: camera.getState().ratio / factor }),
    pan(x, y) {
      const { x: atX, y: atY, ratio } = camera.getState();
      camera.setState({
        x: atX - (x / container.clientWidth) * ratio,
        y: atY + (y / container.clientHeight) * ratio,
      });
    },
    close: () => sigma.kill(),
  };
}
