import { describe, expect, it } from 'vitest';
import type { Embedder } from '../../ports/embedder.ts';
import { meaningOf } from './meaning.ts';
import { strengthOf } from './strength.ts';

const subjects = ['bread', 'tides', 'chess', 'bees', 'maps', 'wine', 'kites', 'coins', 'clocks', 'moss'];
const places = ['home', 'school'];
const meanings = subjects.flatMap((subject) =>
  places.map((place) =>
    meaningOf(
      {
        name: `${subject}-${place}`,
        description: `All about ${subject} at ${place}, for those who ask.`,
        triggers: [],
        sections: [{ title: '', text: `Here ${place} has its ${subject}. `.repeat(12) }],
        priority: 0,
      },
      null,
    ),
  ),
);

/** An axis for each word: knows what words know. */
const able: Embedder = {
  name: 'able',
  embed: async (texts) =>
    texts.map((text) =>
      Float32Array.from([...subjects, ...places], (word) => (text.includes(word) ? 1 : 0.01)),
    ),
};

describe('strengthOf', () => {
  it('calls strong what finds as many texts as words do', async () => {
    expect(await strengthOf(able, meanings)).toBe('strong');
  });
  it('calls weak what finds others', async () => {
    let state = 1;
    const random = (): number => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
    const embed: Embedder['embed'] = async (texts) => texts.map(() => Float32Array.from([1, 2, 3], random));
    expect(await strengthOf({ name: 'dice', embed }, meanings)).toBe('weak');
    const same: Embedder['embed'] = async (texts) => texts.map(() => Float32Array.of(1, 0));
    expect(await strengthOf({ name: 'same', embed: same }, meanings)).toBe('weak');
  });
  it('does not know among few skills, or those without a body', async () => {
    expect(await strengthOf(able, meanings.slice(0, 8))).toBe('unknown');
    expect(
      await strengthOf(
        able,
        meanings.map((one) => ({ ...one, text: one.text.slice(0, one.headEnd) })),
      ),
    ).toBe('unknown');
  });
  it('measures once, and again after a failure or a change', async () => {
    let calls = 0;
    let fails = true;
    const embedder: Embedder = {
      name: 'counted',
      embed: (texts, signal) => {
        calls += 1;
        return fails ? Promise.reject(new Error('down')) : able.embed(texts, signal);
      },
    };
    await expect(strengthOf(embedder, meanings)).rejects.toThrow('down');
    fails = false;
    expect(await strengthOf(embedder, meanings)).toBe('strong');
    expect(await strengthOf(embedder, meanings)).toBe('strong');
    expect(calls).toBe(2);
    await strengthOf(embedder, meanings.slice(1));
    expect(calls).toBe(3);
  });

  it('takes what is kept, and keeps what it measures', async () => {
    const kept = new Map<string, boolean>();
    let calls = 0;
    const opened = (): Embedder => ({
      name: 'kept',
      embed: (texts, signal) => {
        calls += 1;
        return able.embed(texts, signal);
      },
      strength: { get: (of) => kept.get(of) ?? null, set: (of, isStrong) => void kept.set(of, isStrong) },
    });
    expect(await strengthOf(opened(), meanings)).toBe('strong');
    expect(await strengthOf(opened(), meanings)).toBe('strong');
    expect(calls).toBe(1);
    for (const of of kept.keys()) kept.set(of, false);
    expect(await strengthOf(opened(), meanings)).toBe('weak');
  });
});
