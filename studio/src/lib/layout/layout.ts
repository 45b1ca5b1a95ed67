// What the worker of the layout is asked, and its answer.
import { openWorker } from '../../lib/workers.ts';
import workerUrl from './layout.worker.ts?worker&url';

export interface LayoutRequest {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly { readonly id: string }[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
}

export interface LayoutAnswer {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly { readonly id: string; readonly x: number; readonly y: number }[];
  readonly edges: readonly {
    readonly from: string;
    readonly to: string;
    readonly points: readonly { readonly x: number; readonly y: number }[];
  }[];
}

/** Rejects where the layout fails: the tree beside the graph has everything. */
export function layOut(request: LayoutRequest): Promise<LayoutAnswer> {
  return new Promise((resolve, reject) => {
    const worker = openWorker(workerUrl);
    worker.addEventListener('message', ({ data }: MessageEvent<LayoutAnswer>) => {
      worker.terminate();
      resolve(data);
    });
    worker.addEventListener('error', () => {
      worker.terminate();
      reject(new Error('the layout failed'));
    });
    worker.postMessage(request);
  });
}
