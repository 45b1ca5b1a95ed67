// An embedder -> the same, which is asked for each text once.
//
// K1. Vectors are kept by the digest of the embedder's name and the text: in memory, the least used go first, and in a file
//     where one is given (vector-file.ts), so that the next process does not ask for them again.
// K2. What a batch gave is kept at once: a failure half-way costs no more than its own batch.
// K3. A file that cannot be read or written costs speed and nothing else.
import { createHash } from 'node:crypto';
import type { Abort } from '../base/abort.ts';
import type { Embedder } from './ports/embedder.ts';
import type { VectorFile } from './vector-file.ts';

export interface KeptEmbedderOptions {
  /** Default: memory only. */
  readonly file?: VectorFile | null;
  /** Texts of one call of the embedder. Default: 64. */
  readonly batchTexts?: number;
  /** Told before many texts are asked for, which may take its time. Default: nobody is. */
  readonly onMany?: (count: number) => void;
  /** Vectors in memory. Default: 20,000. */
  readonly keptTexts?: number;
}

/** From here on it takes seconds. */
const many = 50;

export function keepVectors(embedder: Embedder, { file = null, batchTexts = 64, keptTexts = 20_000, onMany = () => undefined }: KeptEmbedderOptions = {}): Embedder {
  const kept = new Map<string, Float32Array>();
  let isRead = file === null;

  const keep = (key: string, vector: Float32Array): void => {
    kept.delete(key);
    kept.set(key, vector);
    for (const [oldest] of kept) {
      if (kept.size <= keptTexts) break;
      kept.delete(oldest);
    }
  };

  const embed = async (texts: readonly string[], signal: Abort): Promise<readonly Float32Array[]> => {
    if (!isRead) {
      isRead = true;
      for (const [key, vector] of file?.read() ?? []) keep(key, vector);
    }
    const keys = texts.map((text) => createHash('sha256').update(embedder.name).update('\0').update(text).digest('base64url').slice(0, 22));
    const found = new Map<string, Float32Array>();
    const missing = new Map<string, string>();
    for (const [at, key] of keys.entries()) {
      const vector = kept.get(key);
      if (vector === undefined) missing.set(key, texts[at] as string);
      else {
        found.set(key, vector);
        keep(key, vector);
      }
    }
    const waiting = [...missing];
    if (waiting.length >= many) onMany(waiting.length);
    for (let from = 0; from < waiting.length; from += batchTexts) {
      const batch = waiting.slice(from, from + batchTexts);
      const vectors = await embedder.embed(batch.map(([, text]) => text), signal);
      const made = batch.map(([key], at): readonly [string, Float32Array] => [key, vectors[at] as Float32Array]);
      for (const [key, vector] of made) {
        found.set(key, vector);
        keep(key, vector);
      }
      file?.add(made, kept);
    }
    return keys.map((key) => found.get(key) as Float32Array);
  };

  return { name: embedder.name, embed };
}
