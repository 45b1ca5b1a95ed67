// Every trigger of the compositions in ../shared/compat, in sentences that use it and in sentences that only hold it.
//
// The bar: it fires in at least 98 % of the uses, and in at most 2 % of each kind of trap. What was learned is measured with
// sentences that nothing was written against or learned from (kept-back/); there at most 4 % was reached.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { FrameKind, FrameSet } from '../../src/measure/eval/frames.ts';
import { frameKinds, frames } from '../../src/measure/eval/frames.ts';
import { generateCases } from '../../src/measure/eval/generate-cases.ts';
import { judgeMessage } from '../../src/match/guard/judge-message.ts';
import { createAskedReader } from '../../src/match/read-asked.ts';
import { parseSkill } from '../../src/skill/parse-skill.ts';
import { heldOutFrames } from './held-out-frames.ts';

const compat = fileURLToPath(new URL('../../../shared/compat/compositions', import.meta.url));

const keptBackFolder = new URL('kept-back/', import.meta.url);
const keptBack = framesIn(
  readdirSync(keptBackFolder)
    .map((name) => readFileSync(new URL(name, keptBackFolder), 'utf8'))
    .join('\n'),
);

const skills = existsSync(compat) ? await skillsIn(compat) : [];

describe.skipIf(!existsSync(compat))('the triggers of real compositions', () => {
  it.each([
    ['that the guards were written against', frames],
    ['that were kept back', heldOutFrames],
  ])(
    'fire where they are meant, in sentences %s',
    (_, set) => {
      const rates = ratesOf(set);
      expect(
        Object.entries(rates).filter(([kind, rate]) => (kind === 'positive' ? rate < 0.98 : rate > 0.02)),
      ).toEqual([]);
    },
    300_000,
  );

  it('fire where they are meant, in sentences that nothing was learned from', () => {
    const rates = ratesOf(keptBack);
    expect(
      Object.entries(rates).filter(([kind, rate]) => (kind === 'positive' ? rate < 0.98 : rate > 0.04)),
    ).toEqual([]);
  }, 300_000);

  function ratesOf(set: FrameSet): Record<string, number> {
    const reader = createAskedReader();
    for (const { name, triggers } of skills) reader.set({ name, triggers, priority: 0 });
    const counts = new Map<string, { cases: number; fired: number }>();
    for (const { name, triggers } of skills) {
      for (const { message, kind } of generateCases(name, triggers, {
        frames: set,
        perKind: 6,
        seed: triggers.length,
      })) {
        const count = counts.get(kind) ?? { cases: 0, fired: 0 };
        counts.set(kind, count);
        count.cases += 1;
        if (reader.read(judgeMessage(message)).matches.some(({ skill }) => skill === name)) count.fired += 1;
      }
    }
    return Object.fromEntries([...counts].map(([kind, { cases, fired }]) => [kind, fired / cases]));
  }
});

/** Those in Chinese are for triggers in Chinese. */
function framesIn(text: string): FrameSet {
  const all = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { readonly kind: FrameKind; readonly frame: string });
  const of = (kind: FrameKind, isHan: boolean): readonly string[] =>
    all
      .filter((one) => one.kind === kind && /\p{Script=Han}/u.test(one.frame) === isHan)
      .map(({ frame }) => frame);
  return Object.fromEntries(
    frameKinds.map((kind) => [kind, { en: of(kind, false), zh: of(kind, true) }]),
  ) as unknown as FrameSet;
}

interface Triggered {
  readonly name: string;
  readonly triggers: readonly string[];
}

async function skillsIn(folder: string): Promise<readonly Triggered[]> {
  const found: Triggered[] = [];
  for (const part of ['bundled', 'exp']) {
    for (const name of readdirSync(`${folder}/${part}`)) {
      const file = `${folder}/${part}/${name}/SKILL.md`;
      if (!existsSync(file)) continue;
      const { head } = await parseSkill(readFileSync(file, 'utf8'), { folderName: name });
      if (head.triggers.length > 0) found.push({ name, triggers: head.triggers.map(({ phrase }) => phrase) });
    }
  }
  return found;
}
