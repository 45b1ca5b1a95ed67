// Starts the worker that finds places for notes.
import { openWorker } from '../../lib/workers.ts';
import type { DrawnGraph, Places } from './drawn-graph.ts';
import type { ForceAnswer, ForceRequest } from './force.worker.ts';
import workerUrl from './force.worker.ts?worker&url';

/** Calls `onplaces` until they rest. Gives what stops it. `known`: where notes were before, by path. */
export function placeNotes(
  graph: DrawnGraph,
  known: ReadonlyMap<string, readonly [number, number]>,
  onplaces: (places: Places, isLast: boolean) => void,
  onfault: () => void,
): () => void {
  const worker = openWorker(workerUrl);
  const places = new Float32Array(graph.nodes.length * 2).fill(Number.NaN);
  for (const [at, { path }] of graph.nodes.entries()) {
    const place = known.get(path);
    if (place !== undefined) places.set(place, at * 2);
  }
  const edges = new Uint32Array(graph.edges.length * 2);
  for (const [at, [from, to]] of graph.edges.entries()) edges.set([from, to], at * 2);
  worker.addEventListener('message', ({ data }: MessageEvent<ForceAnswer>) =>
    onplaces(data.places, data.isLast),
  );
  worker.addEventListener('error', onfault);
  const request: ForceRequest = { count: graph.nodes.length, edges, places };
  worker.postMessage(request, [edges.buffer, places.buffer]);
  return () => worker.terminate();
}
