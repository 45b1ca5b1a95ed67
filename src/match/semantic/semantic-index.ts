// Skills by their meaning: vectors of their heads, compared with that of a message.
//
// V1. A skill is embedded when it is first searched for, together with all others that are new: setting one costs no
//     request.
// V2. What a vector was made of is remembered: a skill that changed on the way is embedded again.
// V3. An answer that is not one finite vector of the same length for each text is refused whole.
import type { Abort } from '../../base/abort.ts';
import type { Embedder } from '../../host/ports/embedder.ts';
import type { MatchDocument } from '../match.ts';
import type { Near } from './fuse.ts';

/** Characters of a skill that are embedded: its head, and the beginning of its body. */
const mostCharacters = 2000;
const mostMessage = 8000;

export interface SemanticIndex {
  set(document: MatchDocument): void;
  remove(name: string): void;
  /** The nearest, nearest first. Rejects when the embedder does. */
  search(message: string, most: number, signal: Abort): Promise<readonly Near[]>;
}

interface Entry {
  readonly text: string;
  vector: Float32Array | null;
}

export function createSemanticIndex(embedder: Embedder): SemanticIndex {
  const entries = new Map<string, Entry>();

  return {
    set(document) {
      const text = textOf(document);
      if (entries.get(document.name)?.text !== text) entries.set(document.name, { text, vector: null });
    },
    remove(name) {
      entries.delete(name);
    },
    async search(message, most, signal) {
      if (entries.size === 0 || message.trim() === '') return [];
      const waiting = [...entries.values()].filter(({ vector }) => vector === null);
      const vectors = checked(await embedder.embed([message.slice(0, mostMessage), ...waiting.map(({ text }) => text)], signal), waiting.length + 1);
      // V2: an entry that was replaced meanwhile is no longer in the map; filling it in harms nobody.
      for (const [at, entry] of waiting.entries()) entry.vector = vectors[at + 1] as Float32Array;
      const [asked] = vectors as [Float32Array];
      const near: Near[] = [];
      for (const [skill, { vector }] of entries) if (vector !== null && vector.length === asked.length) near.push({ skill, similarity: dot(asked, vector) });
      return near.sort((a, b) => b.similarity - a.similarity || (a.skill < b.skill ? -1 : 1)).slice(0, most);
    },
  };
}

function textOf({ name, description, triggers, sections }: MatchDocument): string {
  let text = `${name.replaceAll('-', ' ')}\n${description}\n${triggers.join('\n')}`;
  for (const section of sections) {
    if (text.length >= mostCharacters) break;
    text += `\n${section.title}\n${section.text}`;
  }
  return text.slice(0, mostCharacters);
}

/** V3: each of length 1, so that a dot product is a cosine. */
function checked(vectors: readonly Float32Array[], count: number): readonly Float32Array[] {
  const size = vectors[0]?.length ?? 0;
  if (vectors.length !== count || size === 0) throw new Error(`${vectors.length} vectors came for ${count} texts`);
  return vectors.map((vector) => {
    let square = 0;
    for (const value of vector) square += value * value;
    if (vector.length !== size || !Number.isFinite(square)) throw new Error('a vector is of another length than the first, or not finite');
    const length = Math.sqrt(square);
    return length === 0 ? vector : vector.map((value) => value / length);
  });
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] as number) * (b[at] as number);
  return sum;
}
