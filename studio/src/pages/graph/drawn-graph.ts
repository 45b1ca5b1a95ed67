// What is drawn of notes, and how a picture of it is told what to do. There are two: with WebGL, and without.
export interface DrawnNode {
  readonly path: string;
  readonly name: string;
  /** Of note; '' for none. */
  readonly type: string;
}

export interface DrawnGraph {
  readonly nodes: readonly DrawnNode[];
  /** From, to, and the place of the type in `edgeTypes`. */
  readonly edges: readonly (readonly [number, number, number])[];
  readonly edgeTypes: readonly string[];
  /** Of notes of the vault: each keeps its colour and shape, whatever is drawn. */
  readonly types: readonly string[];
}

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

/** How many edges each node has. */
export function degreesOf({ nodes, edges }: DrawnGraph): Uint32Array {
  const degrees = new Uint32Array(nodes.length);
  for (const [from, to] of edges) {
    degrees[from] = (degrees[from] ?? 0) + 1;
    degrees[to] = (degrees[to] ?? 0) + 1;
  }
  return degrees;
}

export function sizeOf(degree: number, nodes: number): number {
  const least = nodes > 2_000 ? 2 : nodes > 300 ? 3 : 5;
  return least + Math.min(least * 2, Math.sqrt(degree));
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
