// Wraps an embedder so that it embeds each text once.
//
// Vectors are kept by the digest of the embedder and the text: in memory, least recently used out first, and in a
// file if one is given (vector-file.ts). Messages stay in memory. A batch is kept as soon as it arrives, so a later
// failure loses only its own batch. Only valid vectors are kept; if their length changes, the model behind the name
// has changed and all kept vectors are dropped. How strong the embedder is lies among them, as a vector of ones or of minus ones. A file that cannot be read or written costs speed and nothing else.
import { createHash } from 'node:crypto';
import type { Abort } from '../../base/abort.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { VectorFile } from './vector-file.ts';

interface KeptEmbedderOptions {
  /** Default: memory only. */
  readonly file?: VectorFile | null;
  /** Texts of one call of the embedder. Default: 64. */
  readonly batchTexts?: number;
  /** Called before many texts are embedded, which may take seconds. Default: none. */
  readonly onMany?: (count: number) => void;
  /** Vectors in memory. Default: 20,000. */
  readonly keptTexts?: number;
}

/** From here on it takes seconds. */
const many = 50;

export function keepVectors(embedder: Embedder, options: KeptEmbedderOptions = {}): Embedder {
  const kept = new KeptVectors(embedder, options);
  return {
    name: embedder.name,
    ...(embedder.identity === undefined ? {} : { identity: embedder.identity }),
    embed: (texts, signal, { once = false } = {}) => kept.embed(texts, signal, once),
    strength: {
      get: (of) => kept.strength(of),
      set: (of, isStrong) => kept.keepStrength(of, isStrong),
    },
    ...(embedder.close === undefined ? {} : { close: () => embedder.close?.() ?? Promise.resolve() }),
  };
}

class KeptVectors {
  readonly #embedder: Embedder;
  readonly #options: Required<KeptEmbedderOptions>;
  readonly #kept = new Map<string, Float32Array>();
  #isRead = false;

  constructor(embedder: Embedder, options: KeptEmbedderOptions) {
    this.#embedder = embedder;
    this.#options = { file: null, batchTexts: 64, onMany: () => undefined, keptTexts: 20_000, ...options };
  }

  async embed(texts: readonly string[], signal: Abort, once: boolean): Promise<readonly Float32Array[]> {
    const { file, batchTexts, onMany } = this.#options;
    this.#read();
    const keys = texts.map((text) => this.#keyOf(text));
    const found = new Map<string, Float32Array>();
    const missing = new Map<string, string>();
    for (const [at, key] of keys.entries()) {
      const vector = this.#kept.get(key);
      if (vector === undefined) missing.set(key, texts[at] as string);
      else {
        found.set(key, vector);
        this.#keep(key, vector);
      }
    }
    const waiting = [...missing];
    if (waiting.length >= many) onMany(waiting.length);
    for (let from = 0; from < waiting.length; from += batchTexts) {
      const batch = waiting.slice(from, from + batchTexts);
      const vectors = checked(
        await this.#embedder.embed(
          batch.map(([, text]) => text),
          signal,
          { once },
        ),
        batch.length,
      );
      if (this.#isOfAnotherModel(vectors)) {
        this.#kept.clear();
        // The other vectors are of the old model. The recursion ends, because nothing is kept now.
        if (found.size > 0) return this.embed(texts, signal, once);
      }
      const made = batch.map(([key], at): readonly [string, Float32Array] => [
        key,
        vectors[at] as Float32Array,
      ]);
      for (const [key, vector] of made) {
        found.set(key, vector);
        this.#keep(key, vector);
      }
      if (!once) file?.add(made, this.#kept);
    }
    return keys.map((key) => found.get(key) as Float32Array);
  }

  /** Null where it was not measured with these texts. */
  strength(of: string): boolean | null {
    this.#read();
    const sign = this.#kept.get(this.#strengthKey(of))?.[0];
    return sign === undefined ? null : sign > 0;
  }

  keepStrength(of: string, isStrong: boolean): void {
    const [vector] = this.#kept.values();
    if (vector === undefined) return;
    const made = [this.#strengthKey(of), new Float32Array(vector.length).fill(isStrong ? 1 : -1)] as const;
    this.#keep(...made);
    this.#options.file?.add([made], this.#kept);
  }

  #read(): void {
    if (this.#isRead) return;
    this.#isRead = true;
    for (const [key, vector] of this.#options.file?.read(this.#options.keptTexts) ?? [])
      this.#keep(key, vector);
  }

  #strengthKey(of: string): string {
    return this.#keyOf(`\0strength\0${of}`);
  }

  #keyOf(text: string): string {
    const identity = this.#embedder.identity ?? this.#embedder.name;
    return createHash('sha256').update(identity).update('\0').update(text).digest('base64url').slice(0, 24);
  }

  /** Whether the length differs from that of the kept vectors: the model behind the name has changed. */
  #isOfAnotherModel([first]: readonly Float32Array[]): boolean {
    const [known] = this.#kept.values();
    return first !== undefined && known !== undefined && known.length !== first.length;
  }

  #keep(key: string, vector: Float32Array): void {
    this.#kept.delete(key);
    this.#kept.set(key, vector);
    for (const [oldest] of this.#kept) {
      if (this.#kept.size <= this.#options.keptTexts) break;
      this.#kept.delete(oldest);
    }
  }
}

/** Throws unless there are as many vectors as texts, finite and of one length. */
function checked(vectors: readonly Float32Array[], count: number): readonly Float32Array[] {
  const length = vectors[0]?.length ?? 0;
  if (vectors.length !== count || length === 0)
    throw new Error(`${vectors.length} vectors came for ${count} texts`);
  for (const vector of vectors)
    if (vector.length !== length || !vector.every(Number.isFinite))
      throw new Error('a vector is of another length than the first, or not finite');
  return vectors;
}
