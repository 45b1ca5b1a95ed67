// Skills by their meaning: vectors of their heads, compared with the vector of a message.
//
// A skill is embedded at the first search after it was set, together with all other new ones, and again only when its
// text has changed. All messages share one embedding of the skills: no message aborts it, and one that would wait too
// long gets an error while it continues. An answer that is not one finite vector of the same length per text is refused
// whole.
import type { Abort } from '../../base/abort.ts';
import { neverAborted, untilAborted } from '../../base/abort.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { MatchDocument } from '../match.ts';
import type { Near } from './fuse.ts';

/** Characters of a skill that are embedded: its head, and the beginning of its body. */
const mostCharacters = 2000;
const mostMessage = 8000;
/** Where all skills are as near as each other, none stands out. */
const leastDeviation = 0.02;

export interface Meaning {
  readonly skill: string;
  readonly text: string;
  /** Null until it was searched for. */
  vector: Float32Array | null;
}

/** That of the document, which is the earlier one where the text is the same. */
export function meaningOf(document: MatchDocument, earlier: Meaning | null): Meaning {
  const text = textOf(document);
  return earlier !== null && earlier.text === text ? earlier : { skill: document.name, text, vector: null };
}

export interface Search {
  readonly message: string;
  readonly most: number;
  readonly signal: Abort;
  /** Resolves when a message has waited long enough; null: it waits. */
  readonly patience: (() => Promise<void>) | null;
}

/** The nearest, nearest first. Rejects when the embedder does, and when patience is over. */
export async function findNearest(
  embedder: Embedder,
  meanings: readonly Meaning[],
  { message, most, signal, patience }: Search,
): Promise<readonly Near[]> {
  if (meanings.length === 0 || message.trim() === '') return [];
  const embedding = (async () => {
    await embedAll(embedder, meanings);
    return embedder.embed([message.slice(0, mostMessage)], signal, { once: true });
  })();
  const [asked] = checked(
    await untilAborted(
      signal,
      patience === null ? embedding : Promise.race([embedding, patience().then(giveUp)]),
    ),
    1,
  ) as [Float32Array];
  const comparable = meanings.flatMap(({ skill, vector }) =>
    vector !== null && vector.length === asked.length ? [{ skill, similarity: dot(asked, vector) }] : [],
  );
  const mean = comparable.reduce((sum, { similarity }) => sum + similarity, 0) / comparable.length;
  const deviation = Math.sqrt(
    comparable.reduce((sum, { similarity }) => sum + (similarity - mean) ** 2, 0) / comparable.length,
  );
  return comparable
    .map(({ skill, similarity }): Near => ({
      skill,
      similarity,
      deviations: (similarity - mean) / Math.max(deviation, leastDeviation),
    }))
    .sort((x, y) => y.similarity - x.similarity || (x.skill < y.skill ? -1 : 1))
    .slice(0, most);
}

function giveUp(): never {
  throw new Error('it has not answered yet');
}

const underWay = new WeakMap<Embedder, Promise<void>>();

/** Null when there is nothing to wait for. */
function embedAll(embedder: Embedder, meanings: readonly Meaning[]): Promise<void> | null {
  if (meanings.every(({ vector }) => vector !== null)) return null;
  const work = embedAfter(underWay.get(embedder) ?? Promise.resolve(), embedder, meanings);
  underWay.set(embedder, work);
  // A message that gave up does not get this failure; the next one does.
  work.catch(() => undefined);
  return work;
}

async function embedAfter(
  before: Promise<void>,
  embedder: Embedder,
  meanings: readonly Meaning[],
): Promise<void> {
  await before.catch(() => undefined);
  const waiting = meanings.filter(({ vector }) => vector === null);
  if (waiting.length === 0) return;
  const vectors = checked(
    await embedder.embed(
      waiting.map(({ text }) => text),
      neverAborted,
    ),
    waiting.length,
  );
  for (const [at, meaning] of waiting.entries()) meaning.vector = vectors[at] as Float32Array;
}

function textOf({ name, description, triggers, sections }: MatchDocument): string {
  let text = `${name.replaceAll('-', ' ')}\n${description}\n${triggers.join('\n')}`;
  for (const section of sections) {
    if (text.length >= mostCharacters) break;
    text += `\n${section.title}\n${section.text}`;
  }
  return text.slice(0, mostCharacters);
}

/** Each of length 1, so that a dot product is a cosine. */
function checked(vectors: readonly Float32Array[], count: number): readonly Float32Array[] {
  const size = vectors[0]?.length ?? 0;
  if (vectors.length !== count || size === 0)
    throw new Error(`${vectors.length} vectors came for ${count} texts`);
  return vectors.map((vector) => {
    let square = 0;
    for (const value of vector) square += value * value;
    if (vector.length !== size || !Number.isFinite(square))
      throw new Error('a vector is of another length than the first, or not finite');
    const length = Math.sqrt(square);
    return length === 0 ? vector : vector.map((value) => value / length);
  });
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] as number) * (b[at] as number);
  return sum;
}
