import { describe, expect, it } from 'vitest';
import type { Embedder } from '../ports/embedder.ts';
import type { MatchDocument } from './match.ts';
import { createFusedMatcher, createMatcher } from './matcher.ts';

const documents: readonly MatchDocument[] = [
  {
    name: 'release-notes',
    description: 'Writes release notes from the git history. Use when a version ships.',
    triggers: ['write release notes for {version}'],
    sections: [{ title: 'Steps', text: 'Read the git log since the last tag. Group the commits.' }],
    priority: 0,
  },
  {
    name: 'pdf-forms',
    description: 'Fills in PDF forms. Use when a form has to be completed.',
    triggers: [],
    sections: [{ title: '', text: 'Open the PDF. Fill every field and save.' }],
    priority: 0,
  },
  {
    name: 'camera-calibration',
    description: 'Calibrates cameras from recorded videos.',
    triggers: ['calibrate'],
    sections: [],
    priority: 0,
  },
];

const matcher = createMatcher();
for (const document of documents) matcher.set(document);

describe('createMatcher', () => {
  it('takes names first, then triggers, then words, each skill once', () => {
    const { matches } = matcher.match('/pdf-forms then write release notes for 2.4 from the git log');
    expect(matches.map(({ skill, mode }) => [skill, mode])).toEqual([
      ['pdf-forms', 'explicit'],
      ['release-notes', 'trigger'],
    ]);
    expect(matches[1]?.variables).toEqual({ version: '2.4 from the git log' });
  });
  it('matches by words', () => {
    const { matches, abstained } = matcher.match(
      'I have a PDF form with many fields, please fill in every field',
    );
    expect(matches.map(({ skill, mode }) => [skill, mode])).toEqual([['pdf-forms', 'lexical']]);
    expect(abstained).toBeNull();
  });
  it('finds a skill that translates for a text that is named, and a variable of any script', () => {
    const translating = createMatcher();
    for (const document of documents) translating.set(document);
    translating.set({
      ...(documents[0] as (typeof documents)[number]),
      name: 'translator',
      description: 'Translate an article, a letter or any other text into another language.',
      triggers: ['翻译{文本}'],
    });
    expect(
      translating
        .match('Can you translate this article into another language?')
        .matches.map(({ skill }) => skill),
    ).toEqual(['translator']);
    expect(translating.match('请翻译这段话').matches).toEqual([
      expect.objectContaining({ skill: 'translator', mode: 'trigger', variables: { 文本: '这段话' } }),
    ]);
  });
  it('shows one more digit where a confidence just below the line would read as the line does', () => {
    const over = (leastConfidence: number) => {
      const one = createMatcher({ leastConfidence });
      one.set(documents[1] as MatchDocument);
      return one.match('the colours of a form on the wall');
    };
    const confidence = over(1).candidates[0]?.confidence ?? 0;
    const line = confidence + 0.0005;
    expect(over(line).abstained).toContain(
      `which makes it ${Math.floor(confidence * 1000) / 10} % sure; ${Math.round(confidence * 100)} % are needed`,
    );
  });
  it('abstains, and says why', () => {
    expect(matcher.match('How do I bake a form of bread from a video?')).toMatchObject({
      matches: [],
      abstained: expect.stringMatching(
        /^the nearest skill, "[\w-]+", shares .* with its .*, which makes it \d+ % sure; 40 % are needed$/,
      ),
    });
  });
  it('says nothing when nothing ranks', () => {
    expect(matcher.match('zzz')).toEqual({ matches: [], abstained: null, candidates: [] });
  });
  it('does not suggest a skill for its words whose trigger asks for nothing', () => {
    const { matches, abstained, candidates } = matcher.match(
      'Please do not write release notes for 2.4 from the git history',
    );
    expect(matches).toEqual([]);
    expect(abstained).toContain('"release-notes" is not asked for');
    expect(candidates.find(({ skill }) => skill === 'release-notes')?.confidence ?? 0).toBe(0);
  });
  it('keeps to the limit, and to what was set and removed', () => {
    const changing = createMatcher({ leastConfidence: 0 });
    for (let at = 0; at < 9; at += 1)
      changing.set({
        name: `tides-${at}`,
        description: 'Tells the tides.',
        triggers: [],
        sections: [],
        priority: at,
      });
    expect(changing.match('tides', { limit: 2 }).matches.map(({ skill }) => skill)).toEqual([
      'tides-8',
      'tides-7',
    ]);
    expect(changing.match('tides', { limit: 2 }).candidates.length).toBe(2);
    expect(changing.remove('tides-8')).toBe(true);
    expect(changing.remove('tides-8')).toBe(false);
    expect(changing.size).toBe(8);
    expect(changing.match('/tides-8').matches[0]?.mode).not.toBe('explicit');
    expect(changing.match('tides', { limit: 1 }).matches[0]?.skill).toBe('tides-7');
  });
  it.each([19_990, 20_000, 20_001, 60_000])('reads a refusal at the very end of %d characters', (length) => {
    const end = '\n\nDo not write release notes for 2.4.';
    const message = `The log:\n${'some more words. '.repeat(6000).slice(0, length - 9 - end.length)}`;
    expect(matcher.match(`${message}${end}`).matches.filter(({ mode }) => mode === 'trigger')).toEqual([]);
    expect(
      matcher.match(`${message}${end.replace('Do not', 'Please')}`).matches.map(({ skill }) => skill),
    ).toContain('release-notes');
  });

  it('gives the same result for the same message, and is not slowed by a long one', () => {
    const long = `fill in the PDF form ${'and some more words '.repeat(50_000)}`;
    expect(matcher.match(long)).toEqual(matcher.match(long));
    expect(
      matcher.match(`${'pasted text '.repeat(100_000)}\n\nUse the pdf-forms skill for this.`).matches[0],
    ).toMatchObject({ skill: 'pdf-forms', mode: 'explicit' });
  });
});

/** Texts that hold the same of these words are near. */
const axes = ['pdf', 'paperwork', 'camera', 'release'];
function toyEmbedder(calls: (readonly string[])[] = []): Embedder {
  return {
    name: 'toy',
    async embed(texts) {
      calls.push(texts);
      return texts.map((text) =>
        Float32Array.from(axes, (axis) =>
          text.toLowerCase().includes(axis) || (axis === 'pdf' && text.includes('paperwork')) ? 1 : 0.01,
        ),
      );
    },
  };
}

describe('createFusedMatcher', () => {
  const fused = (embedder: Embedder, failures: string[] = []) => {
    const made = createFusedMatcher({
      embedder,
      onFailure: ({ embedder: name, reason }) => failures.push(`${name}: ${reason}`),
    });
    for (const document of documents) made.set(document);
    return made;
  };

  it('lifts what is near in meaning and shares words', async () => {
    const message = 'save the paperwork';
    const before = matcher.match(message).candidates.find(({ skill }) => skill === 'pdf-forms');
    const { matches, candidates } = await fused(toyEmbedder()).match(message);
    const after = [...matches, ...candidates].find(({ skill }) => skill === 'pdf-forms');
    expect(after?.mode).toBe('fused');
    expect(after?.confidence).toBeGreaterThan(before?.confidence ?? 1);
    expect(after?.reason).toMatch(/; its meaning is near \(\d\.\d\d\)$/);
  });
  it('finds what shares no word and has the same meaning, at honest confidence', async () => {
    expect(matcher.match('paperwork zzz').matches).toEqual([]);
    const [first] = (await fused(toyEmbedder()).match('paperwork zzz')).matches;
    expect(first).toMatchObject({ skill: 'pdf-forms', mode: 'semantic', confidence: 0.5 });
    expect(first?.reason).toMatch(/^shares no word, but its meaning is near \(\d\.\d\d\)$/);
  });
  it.each([
    'do not do the paperwork',
    '> paperwork zzz\n',
    'what is paperwork?',
    'delete the pdf-forms skill',
  ])('nominates nothing for what %j does not ask for', async (message) => {
    expect((await fused(toyEmbedder()).match(message)).matches).toEqual([]);
  });
  it('nominates nothing by an embedder that is weak on the skills at hand', async () => {
    const made = fused({ name: 'same', embed: async (texts) => texts.map(vectorOf) });
    for (let at = 0; at < 20; at += 1)
      made.set({
        name: `filler-${at}`,
        description: `Treats the subject of number ${at} and of nothing else.`,
        triggers: [],
        sections: [{ title: '', text: `Subject${at} is what this body is about. `.repeat(12) }],
        priority: 0,
      });
    const { matches, candidates } = await made.match('zzz');
    expect([...matches, ...candidates]).toEqual([]);

    /** All alike but one skill, which is just as the message. */
    function vectorOf(text: string): Float32Array {
      return text.includes('zzz') || text.startsWith('filler 7\n')
        ? Float32Array.of(1, 0)
        : Float32Array.of(0, 1);
    }
  });
  it('embeds a skill once, and again when it changed', async () => {
    const calls: (readonly string[])[] = [];
    const made = fused(toyEmbedder(calls));
    await made.match('camera videos');
    await made.match('camera videos again');
    made.set({ ...(documents[2] as MatchDocument), description: 'Calibrates lenses.' });
    await made.match('camera lenses');
    expect(calls.map((texts) => texts.length)).toEqual([3, 1, 1, 1, 1]);
  });
  it('asks nobody when a skill is called by name', async () => {
    const calls: (readonly string[])[] = [];
    expect((await fused(toyEmbedder(calls)).match('/pdf-forms')).matches[0]?.mode).toBe('explicit');
    expect(calls).toEqual([]);
  });
  it.each<readonly [string, Embedder['embed']]>([
    [
      'fails',
      async () => {
        throw new Error('no route');
      },
    ],
    ['gives too few vectors', async () => []],
    ['gives vectors of two lengths', async (texts) => texts.map((_, at) => new Float32Array(at + 1).fill(1))],
    ['gives no numbers', async (texts) => texts.map(() => Float32Array.of(Number.NaN, 1))],
  ])('matches by words, and tells, when the embedder %s', async (_, embed) => {
    const failures: string[] = [];
    const message = 'I have a PDF form with many fields, please fill in every field';
    expect(await fused({ name: 'broken', embed }, failures).match(message)).toEqual(matcher.match(message));
    expect(failures).toEqual([expect.stringMatching(/^broken: /)]);
  });
  it('answers by words while skills are embedded for longer than a message waits, and by both afterwards', async () => {
    let through: () => void = () => undefined;
    const slow = new Promise<void>((resolve) => {
      through = resolve;
    });
    const calls: (readonly string[])[] = [];
    const toy = toyEmbedder(calls);
    const failures: string[] = [];
    const made = createFusedMatcher({
      embedder: {
        ...toy,
        embed: async (texts, signal) =>
          texts.length > 1 ? slow.then(() => toy.embed(texts, signal)) : toy.embed(texts, signal),
      },
      onFailure: ({ reason }) => failures.push(reason),
      patience: () =>
        new Promise((resolve) => {
          setTimeout(resolve, 50);
        }),
    });
    for (const document of documents) made.set(document);
    const message = 'save the paperwork';
    expect(await made.match(message)).toEqual(matcher.match(message));
    expect(await made.match(message)).toEqual(matcher.match(message));
    expect(failures).toEqual(['it has not answered yet', 'it has not answered yet']);
    through();
    await new Promise((resolve) => setTimeout(resolve, 0));
    const { matches, candidates } = await made.match(message);
    expect([...matches, ...candidates].find(({ skill }) => skill === 'pdf-forms')?.mode).toBe('fused');
    // Once, for all three messages.
    expect(calls.filter((texts) => texts.length > 1)).toHaveLength(1);
  });
  it('ends when it is aborted', async () => {
    const controller = new AbortController();
    const embedder: Embedder = {
      name: 'slow',
      embed: (_, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')));
        }),
    };
    const matching = fused(embedder).match('camera videos', { signal: controller.signal });
    controller.abort();
    await expect(matching).rejects.toThrow('aborted');
  });
});
