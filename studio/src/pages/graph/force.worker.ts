// Places for notes: ForceAtlas2, away from the thread that draws. It tells where they are again and again, until they rest.
import { UndirectedGraph } from 'graphology';
import forceAtlas2 from 'graphology-layout-forceatlas2';

export interface ForceRequest {
  readonly count: number;
  /** From and to of each edge, in turn. */
  readonly edges: Uint32Array;
  /** Where they are now; NaN: nowhere yet. */
  readonly places: Float32Array;
}

export interface ForceAnswer {
  readonly places: Float32Array;
  readonly isLast: boolean;
}

/** Together they take some seconds for 10,000 notes. */
function iterationsFor(count: number): number {
  return count > 5_000 ? 60 : count > 1_000 ? 150 : 300;
}

addEventListener('message', ({ data }: MessageEvent<ForceRequest>) => {
  const { count, edges, places } = data;
  const graph = new UndirectedGraph({ allowSelfLoops: false });
  const spread = Math.sqrt(count) * 10;
  for (let at = 0; at < count; at += 1) {
    const [x = Number.NaN, y = Number.NaN] = [places[at * 2], places[at * 2 + 1]];
    // A spiral: no two at one place, and the same each time.
    const angle = at * 2.399_963;
    const radius = spread * Math.sqrt((at + 1) / count);
    graph.addNode(at, {
      x: Number.isNaN(x) ? radius * Math.cos(angle) : x,
      y: Number.isNaN(y) ? radius * Math.sin(angle) : y,
    });
  }
  for (let at = 0; at < edges.length; at += 2) {
    const [from = 0, to = 0] = [edges[at], edges[at + 1]];
    if (from !== to && !graph.hasEdge(from, to)) graph.addEdge(from, to);
  }
  const settings = {
    ...forceAtlas2.inferSettings(graph),
    barnesHutOptimize: count > 300,
    // Notes with many edges would pull all of theirs onto one heap.
    outboundAttractionDistribution: true,
    gravity: 0.6,
    scalingRatio: 12,
    slowDown: 1 + Math.log(count + 1),
  };
  const tell = (isLast: boolean): void => {
    const now = new Float32Array(count * 2);
    let at = 0;
    graph.forEachNode((_, { x, y }) => {
      now[at] = x as number;
      now[at + 1] = y as number;
      at += 2;
    });
    const answer: ForceAnswer = { places: now, isLast };
    postMessage(answer, { transfer: [now.buffer] });
  };
  let left = iterationsFor(count);
  const step = count > 5_000 ? 5 : 30;
  tell(false);
  while (left > 0) {
    if (graph.size > 0 || count > 1)
      forceAtlas2.assign(graph, { iterations: Math.min(step, left), settings });
    left -= step;
    tell(left <= 0);
  }
});
