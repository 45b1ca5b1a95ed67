// How well an embedder knows the skills at hand, beside words: whether it may find a skill that shares no word with a message.
//
//   description of a skill -> its nearest body, among those of up to 32 skills: by vectors, and by words
//
// An embedder is strong when it finds nearly as many bodies as words do, weak when it does not, unknown among few skills. Skills are drawn
// by a hash of their name, so that the draw changes little when skills do. Where vectors are kept, so is what was measured: the same texts are
// measured once, and not once in each process.
import { neverAborted } from '../../base/abort.ts';
import type { Embedder } from '../../ports/embedder.ts';
import { createLexicalIndex } from '../lexical/lexical-index.ts';
import type { Meaning } from './meaning.ts';
import { checkedVectors, dot } from './vectors.ts';

export type Strength = 'strong' | 'weak' | 'unknown';

const [fewest, most] = [12, 32];
const leastCharacters = { asked: 30, told: 200 } as const;
/** Of what words find, and of all. */
const [leastOfWords, leastOfAll] = [0.9, 0.4];

interface Probe {
  readonly skill: string;
  readonly asked: string;
  readonly told: string;
}

const measured = new WeakMap<Embedder, { readonly of: string; readonly strength: Promise<Strength> }>();

/** Measured once for the same texts. Rejects when the embedder does. */
export function strengthOf(embedder: Embedder, meanings: readonly Meaning[]): Promise<Strength> {
  const probes = draw(meanings);
  if (probes.length < fewest) return Promise.resolve('unknown');
  const of = probes.map(({ asked, told }) => `${asked}\0${told}`).join('\0');
  const known = measured.get(embedder);
  if (known?.of === of) return known.strength;
  const kept = embedder.strength?.get(of) ?? null;
  const strength =
    kept === null
      ? measureAndKeep(embedder, probes, of)
      : Promise.resolve<Strength>(kept ? 'strong' : 'weak');
  measured.set(embedder, { of, strength });
  // A failure is told to who waits for it, and tried again by the next.
  strength.catch(() => measured.delete(embedder));
  return strength;
}

function draw(meanings: readonly Meaning[]): readonly Probe[] {
  return meanings
    .map(({ skill, text, headStart, headEnd }): Probe => ({
      skill,
      asked: text.slice(headStart, headEnd).trim(),
      told: text.slice(headEnd).trim(),
    }))
    .filter(({ asked, told }) => asked.length >= leastCharacters.asked && told.length >= leastCharacters.told)
    .map((probe) => ({ probe, order: hashOf(probe.skill) }))
    .sort((a, b) => a.order - b.order || (a.probe.skill < b.probe.skill ? -1 : 1))
    .slice(0, most)
    .map(({ probe }) => probe);
}

async function measureAndKeep(embedder: Embedder, probes: readonly Probe[], of: string): Promise<Strength> {
  const strength = await measure(embedder, probes);
  embedder.strength?.set(of, strength === 'strong');
  return strength;
}

async function measure(embedder: Embedder, probes: readonly Probe[]): Promise<Strength> {
  const vectors = checkedVectors(
    await embedder.embed(
      probes.flatMap(({ asked, told }) => [asked, told]),
      neverAborted,
    ),
    probes.length * 2,
  );
  const words = createLexicalIndex();
  for (const [at, { told }] of probes.entries())
    words.set({
      name: String(at),
      description: '',
      triggers: [],
      sections: [{ title: '', text: told }],
      priority: 0,
    });
  let byWords = 0;
  let byVectors = 0;
  for (const [at, { asked }] of probes.entries()) {
    if (words.search(asked).hits[0]?.name === String(at)) byWords += 1;
    const similarity = probes.map((_, other) =>
      dot(vectors[at * 2] as Float32Array, vectors[other * 2 + 1] as Float32Array),
    );
    const own = similarity[at] as number;
    if (similarity.every((one, other) => other === at || one < own)) byVectors += 1;
  }
  return byVectors >= byWords * leastOfWords && byVectors >= probes.length * leastOfAll ? 'strong' : 'weak';
}

function hashOf(name: string): number {
  let hash = 7;
  for (let at = 0; at < name.length; at += 1) hash = (Math.imul(hash, 31) + name.charCodeAt(at)) >>> 0;
  return Math.imul(hash, 0x9e3779b1) >>> 0;
}
