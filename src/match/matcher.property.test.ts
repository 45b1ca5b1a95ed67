// After any sequence of changes, a matcher and every view of it answer as ones built anew.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Embedder } from '../ports/embedder.ts';
import type { MatchDocument, MatchResult } from './match.ts';
import { createFusedMatcher, createMatcher } from './matcher.ts';

const word = fc.constantFrom(
  'deploy',
  'deploys',
  'PDF',
  'form',
  'fill in',
  'fine-tune',
  'camera',
  'calibrate the camera',
  '部署应用',
  'the',
  'not for',
  'do not',
  'what is',
  '"',
  'x1',
  '__proto__',
  'Use when',
  '\n\n# ',
);
const text = fc.array(word, { maxLength: 10 }).map((words) => words.join(' '));
const name = fc.constantFrom('a', 'b', 'deploy-app', 'pdf-form', 'pdf_form', '__proto__');
const document: fc.Arbitrary<MatchDocument> = fc.record({
  name,
  description: text,
  triggers: fc.array(
    fc.oneof(text, fc.constantFrom('deploy {app}', 'fill in the form', 'form', 'calibrate {thing} form')),
    { maxLength: 3 },
  ),
  sections: fc.array(fc.record({ title: text, text }), { maxLength: 2 }),
  priority: fc.integer({ min: -1, max: 1 }),
  invocation: fc.constantFrom(
    { user: true, model: true },
    { user: true, model: false },
    { user: false, model: true },
  ),
});
const message = fc.oneof(
  text,
  fc.constantFrom(
    'use the pdf form skill',
    '/deploy-app now',
    'deploy the camera form',
    "don't fill in the form",
    'calibrate the camera, then fill in the form',
  ),
);
/** A skill is set, or removed, or the skills of the moment are held. */
const step = fc.oneof(
  { weight: 4, arbitrary: document },
  { weight: 2, arbitrary: name },
  { weight: 2, arbitrary: fc.constant(null) },
);

interface Held<V> {
  readonly skills: readonly MatchDocument[];
  readonly view: V;
}

/** Takes the steps, asking views on the way so that the index has to move. */
function walk<V>(
  matcher: { set(document: MatchDocument): void; remove(name: string): boolean; view(): V },
  steps: readonly (MatchDocument | string | null)[],
  ask: (view: V) => void,
): readonly Held<V>[] {
  const skills = new Map<string, MatchDocument>();
  const held: Held<V>[] = [];
  for (const [at, one] of steps.entries()) {
    if (one === null) held.push({ skills: [...skills.values()], view: matcher.view() });
    else if (typeof one === 'string') {
      if (matcher.remove(one) !== skills.delete(one))
        throw new Error(`remove("${one}") does not say whether it was there`);
    } else {
      matcher.set(one);
      skills.set(one.name, one);
    }
    const early = held[at % Math.max(1, held.length)];
    if (early !== undefined) ask(early.view);
  }
  return [...held, { skills: [...skills.values()], view: matcher.view() }];
}

const filled = <M extends { set(document: MatchDocument): void }>(
  matcher: M,
  skills: readonly MatchDocument[],
): M => {
  for (const one of [...skills].reverse()) matcher.set(one);
  return matcher;
};

describe('createMatcher', () => {
  it('answers as one built anew, and so does every view, whatever came after it', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 20 }),
        fc.array(message, { minLength: 1, maxLength: 3 }),
        (steps, messages) => {
          const matcher = createMatcher({ leastConfidence: 0.2 });
          const held = walk(matcher, steps, (view) => void view.match(messages[0] as string));
          const answers = (one: { match(text: string): MatchResult }): readonly MatchResult[] =>
            messages.map((each) => one.match(each));
          for (const { skills, view } of held)
            expect(answers(view)).toEqual(answers(filled(createMatcher({ leastConfidence: 0.2 }), skills)));
          const last = held.at(-1) as Held<unknown>;
          expect(answers(matcher)).toEqual(
            answers(filled(createMatcher({ leastConfidence: 0.2 }), last.skills)),
          );
          expect(matcher.size).toBe(last.skills.length);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('createFusedMatcher', () => {
  const letters = (one: string): Float32Array =>
    Float32Array.from('adefp', (letter) => 0.1 + one.split(letter).length);
  /** Writes down which texts of skills it is asked for; messages have no second line. */
  const createEmbedder = (asked: string[]): Embedder => ({
    name: 'letters',
    embed: async (texts) => (asked.push(...texts.filter((one) => one.includes('\n'))), texts.map(letters)),
  });
  const create = (asked: string[]) =>
    createFusedMatcher({
      embedder: createEmbedder(asked),
      onFailure: ({ reason }) => {
        throw new Error(reason);
      },
    });

  it('answers as one built anew, also in its views', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), message, async (steps, asked) => {
        const asks: Promise<MatchResult>[] = [];
        const held = walk(create([]), steps, (view) => void asks.push(view.match(asked)));
        await Promise.all(asks);
        for (const { skills, view } of held)
          expect(await view.match(asked)).toEqual(await filled(create([]), skills).match(asked));
      }),
      { numRuns: 100 },
    );
  });

  it('embeds only what changed, once for all views', async () => {
    const asked: string[] = [];
    const matcher = create(asked);
    const skill = (of: string, description: string): MatchDocument => ({
      name: of,
      description,
      triggers: [],
      sections: [],
      priority: 0,
    });
    for (let at = 0; at < 5; at += 1) matcher.set(skill(`s${at}`, `deploys ${at}`));
    const before = matcher.view();
    await before.match('deploys');
    expect(asked.splice(0)).toHaveLength(5);
    matcher.set(skill('s1', 'fills in forms'));
    matcher.set({ ...skill('s2', 'deploys 2'), priority: 4 });
    matcher.remove('s3');
    await matcher.view().match('deploys');
    expect(asked.splice(0)).toEqual(['s1\nfills in forms\n']);
    await before.match('deploys again');
    await matcher.match('deploys again');
    expect(asked).toEqual([]);
  });
});
