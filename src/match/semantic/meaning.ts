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
import { type Strength, strengthOf } from './strength.ts';
import { checkedVectors, dot } from './vectors.ts';

/** Characters of a skill that are embedded: its head, and the beginning of its body. */
const mostCharacters = 2000;
const mostMessage = 8000;
/** Where all skills are as near as each other, none stands out. */
const leastDeviation = 0.02;

export interface Meaning {
  readonly skill: string;
  readonly text: string;
  /** Where in the text what the skill says of itself begins and ends. */
  readonly headStart: number;
  readonly headEnd: number;
  /** Null until it was searched for. */
  vector: Float32Array | null;
}

/** That of the document, which is the earlier one where the text is the same. */
export function meaningOf(document: MatchDocument, earlier: Meaning | null): Meaning {
  const { name, description, triggers } = document;
  const head = `${name.replaceAll('-', ' ')}\n${description}`;
  const text = withSections(`${head}\n${triggers.join('\n')}`, document);
  return earlier !== null && earlier.text === text
    ? earlier
    : {
        skill: name,
        text,
        headStart: name.length + 1,
        headEnd: Math.min(text.length, head.length + 1 + triggers.join('\n').length),
        vector: null,
      };
}

export interface Search {
  readonly message: string;
  readonly most: number;
  readonly signal: Abort;
  /** Resolves when a message has waited long enough; null: it waits. */
  readonly patience: (() => Promise<void>) | null;
}

export interface Found {
  /** Nearest first. */
  readonly near: readonly Near[];
  readonly strength: Strength;
}

/** The nearest, nearest first. Rejects when the embedder does, and when patience is over. */
export async function findNearest(
  embedder: Embedder,
  meanings: readonly Meaning[],
  { message, most, signal, patience }: Search,
): Promise<Found> {
  if (meanings.length === 0 || message.trim() === '') return { near: [], strength: 'unknown' };
  const embedding = (async () => {
    await embedAll(embedder, meanings);
    const strength = await strengthOf(embedder, meanings);
    const vectors = await embedder.embed([message.slice(0, mostMessage)], signal, { once: true });
    return { strength, asked: checkedVectors(vectors, 1)[0] as Float32Array };
  })();
  const { strength, asked } = await untilAborted(
    signal,
    patience === null ? embedding : Promise.race([embedding, patience().then(giveUp)]),
  );
  const comparable = meanings.flatMap(({ skill, vector }) =>
    vector !== null && vector.length === asked.length ? [{ skill, similarity: dot(asked, vector) }] : [],
  );
  const mean = comparable.reduce((sum, { similarity }) => sum + similarity, 0) / comparable.length;
  const deviation = Math.sqrt(
    comparable.reduce((sum, { similarity }) => sum + (similarity - mean) ** 2, 0) / comparable.length,
  );
  // Among few skills none can stand out by many deviations.
  const farthest = 0.9 * Math.sqrt(Math.max(0, comparable.length - 1));
  const sorted = comparable.sort((x, y) => y.similarity - x.similarity || (x.skill < y.skill ? -1 : 1));
  const near = sorted.slice(0, most).map(({ skill, similarity }, at): Near => ({
    skill,
    similarity,
    deviations: (similarity - mean) / Math.max(deviation, leastDeviation),
    lead: similarity - (sorted[at + 1]?.similarity ?? 0.5),
    farthest,
  }));
  return { near, strength };
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
  const vectors = checkedVectors(
    await embedder.embed(
      waiting.map(({ text }) => text),
      neverAborted,
    ),
    waiting.length,
  );
  for (const [at, meaning] of waiting.entries()) meaning.vector = vectors[at] as Float32Array;
}

function withSections(head: string, { sections }: MatchDocument): string {
  let text = head;
  for (const section of sections) {
    if (text.length >= mostCharacters) break;
    text += `\n${section.title}\n${section.text}`;
  }
  return text.slice(0, mostCharacters);
}
