// Places for the steps of a plan: dagre, away from the thread that draws.
import { Graph, layout } from '@dagrejs/dagre';
import type { LayoutAnswer, LayoutRequest } from './layout.ts';

addEventListener('message', ({ data }: MessageEvent<LayoutRequest>) => {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'TB', nodesep: 24, ranksep: 40, ranker: 'tight-tree' });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id } of data.nodes) graph.setNode(id, { width: data.width, height: data.height });
  for (const { from, to } of data.edges) graph.setEdge(from, to);
  layout(graph);
  const answer: LayoutAnswer = {
    width: graph.graph().width ?? 0,
    height: graph.graph().height ?? 0,
    nodes: data.nodes.map(({ id }) => ({ id, x: graph.node(id).x, y: graph.node(id).y })),
    edges: graph.edges().map((edge) => ({ from: edge.v, to: edge.w, points: graph.edge(edge).points ?? [] })),
  };
  postMessage(answer);
});
