// How a picture of notes is told what to do. There are two: with WebGL, and without.
import type { DrawnGraph } from './drawn-graph.ts';

export interface PictureColours {
  readonly text: string;
  readonly edge: string;
  readonly surface: string;
  readonly accent: string;
  /** Of types, in turn. */
  readonly types: readonly string[];
}

export interface PictureOptions {
  readonly graph: DrawnGraph;
  readonly container: HTMLElement;
  readonly colours: PictureColours;
  readonly onchoose: (path: string) => void;
}

/** x and y of each node, in turn. */
export type Places = Float32Array;

export interface GraphPicture {
  readonly kind: 'webgl' | 'canvas';
  place(places: Places): void;
  /** The chosen node, and those of a path. */
  mark(chosen: number, path: ReadonlySet<number>): void;
  colour(colours: PictureColours): void;
  fit(): void;
  zoom(factor: number): void;
  pan(x: number, y: number): void;
  close(): void;
}

/** Machines without a graphics card draw WebGL in software, which is slower than a canvas. */
export function hasFastWebGl(): boolean {
  try {
    const context = document
      .createElement('canvas')
      .getContext('webgl2', { failIfMajorPerformanceCaveat: true });
    context?.getExtension('WEBGL_lose_context')?.loseContext();
    return context !== null;
  } catch {
    return false;
  }
}
