import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTextTrace } from '../../chat/trace/trace-texts.ts';
import type { ReadTextsLimits } from './read-skill-texts.ts';
import { readSkillTexts } from './read-skill-texts.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'techne-texts-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(files: { readonly [path: string]: string | Buffer }): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

const roomy: ReadTextsLimits = { skillEntries: 100, entries: 1000, fileBytes: 1000, bytes: 10_000 };

async function read(
  skills: readonly string[],
  limits: Partial<ReadTextsLimits> = {},
  take: (skill: string, text: string) => boolean = () => true,
) {
  const texts: string[] = [];
  const inPart = await readSkillTexts(
    skills.map((skill) => ({ skill, folder: join(folder, skill) })),
    (skill, text) => {
      texts.push(`${skill}: ${text}`);
      return { letters: text.length, isWhole: take(skill, text) };
    },
    { ...roomy, ...limits },
  );
  return { texts, inPart: [...inPart.keys()], why: [...inPart.values()] };
}

describe('readSkillTexts', () => {
  it('takes SKILL.md of every skill, then the smallest skills, and the same file once', async () => {
    write({
      'a/SKILL.md': 'A',
      'a/long.md': 'long long',
      'a/LICENSE': 'free',
      'b/SKILL.md': 'B',
      'b/ref/deep/x.md': 'x',
      'b/LICENSE': 'free',
    });
    expect(await read(['a', 'b'])).toMatchObject({
      texts: ['a: A', 'b: B', 'b: free', 'b: x', 'a: long long'],
      inPart: [],
    });
  });

  it('takes every file as a text, and as what it claims to be', async () => {
    write({ 'a/SKILL.md': '\0A', 'a/x': Buffer.from('\uFEFFwide', 'utf16le') });
    const { texts, inPart } = await read(['a']);
    expect([texts[0], texts[1]?.replaceAll(/[^a-z]/g, ''), texts[2], inPart]).toEqual([
      'a: \0A',
      'awide',
      'a: \uFEFFwide',
      [],
    ]);
  });

  it('follows links to files and folders, each folder once', async () => {
    write({ 'a/SKILL.md': 'A', 'far/one.md': 'one', 'far/in/two.md': 'two' });
    symlinkSync('../far/one.md', join(folder, 'a/link.md'));
    symlinkSync('../far/in', join(folder, 'a/in'));
    symlinkSync('..', join(folder, 'far/in/up'));
    const { texts, inPart } = await read(['a']);
    expect([texts.toSorted(), inPart]).toEqual([['a: A', 'a: one', 'a: two'], []]);
  });

  it.each<[string, Partial<ReadTextsLimits>, () => void, string]>([
    [
      'has too many files',
      { skillEntries: 3 },
      () => write({ 'a/1': '1', 'a/2': '2', 'a/3': '3' }),
      '"." is too full (over 3 files and folders in this skill)',
    ],
    [
      'has a file that is too large',
      { fileBytes: 10 },
      () => write({ 'a/ref/1': '1'.repeat(11) }),
      '"ref/1" is too large (over 10 bytes)',
    ],
    [
      'has many that are too large',
      { fileBytes: 10 },
      () => write({ 'a/1': '1'.repeat(11), 'a/ref/2': '1'.repeat(12), 'a/ref/3': '1'.repeat(13) }),
      '"1" is too large (over 10 bytes), and 2 more',
    ],
    [
      'has too much of it',
      { bytes: 25 },
      () => write({ 'a/1': '1'.repeat(24) }),
      '"1" is too large together with the others (over 25 bytes in all untrusted skills)',
    ],
    [
      'has a pipe',
      {},
      () => void execFileSync('mkfifo', [join(folder, 'a/pipe')]),
      '"pipe" is neither a file nor a folder',
    ],
    [
      'has a pipe of a name that is no name',
      {},
      () => void execFileSync('mkfifo', [join(folder, 'a', `p"\u001b${'x'.repeat(200)}`)]),
      `"p\\"\\\\u{1B}${'x'.repeat(77)}…${'x'.repeat(80)}" is neither a file nor a folder`,
    ],
    ['is gone', {}, () => rmSync(join(folder, 'a'), { recursive: true }), '"." is unreadable (ENOENT)'],
  ])(
    'says of a skill that it was not read whole, and why, when it %s, and of no other',
    async (_how, limits, make, reason) => {
      write({ 'a/SKILL.md': 'A', 'b/SKILL.md': 'B', 'b/x': 'x' });
      make();
      const { texts, inPart, why } = await read(['a', 'b'], limits);
      expect([texts.filter((text) => text.startsWith('b')), inPart, why]).toEqual([
        ['b: B', 'b: x'],
        ['a'],
        [reason],
      ]);
    },
  );

  it.each([['nowhere'], ['me@host.1:9'], ['link'], ['SKILL.md/x']])(
    'takes a link that leads nowhere for no text: %s',
    async (target) => {
      write({ 'a/SKILL.md': 'A' });
      symlinkSync(target, join(folder, 'a/link'));
      expect(await read(['a'])).toEqual({ texts: ['a: A'], inPart: [], why: [] });
    },
  );

  it('counts what a text comes to, not what it takes on disk', async () => {
    write({ 'a/SKILL.md': 'A', 'b/SKILL.md': 'B' });
    // Eighteen signs each: a minute, and two gigabytes, if all of them were taken.
    for (let at = 0; at < 4; at += 1) write({ [`b/${at}`]: `${at}${'\uFDFA'.repeat(1_390_000)}` });
    write({ 'a/x': 'x'.repeat(3_000_000) });
    const trace = createTextTrace();
    const taken: number[] = [];
    const inPart = await readSkillTexts(
      ['a', 'b'].map((skill) => ({ skill, folder: join(folder, skill) })),
      (skill, text, maxLetters) => {
        const learnt = trace.learn(skill, text, maxLetters);
        taken.push(learnt.letters);
        return learnt;
      },
    );
    expect([...inPart]).toEqual([['b', '"0" is too large (its text is over 4 MiB), and 3 more']]);
    expect(Math.max(...taken)).toBeLessThan(5 * 1024 * 1024);
    expect(taken.reduce((sum, letters) => sum + letters)).toBeLessThan(17 * 1024 * 1024);
  });

  it('says so when its text could not be taken, and when all entries together are too many', async () => {
    write({ 'a/SKILL.md': 'A', 'b/SKILL.md': 'B', 'c/SKILL.md': 'A' });
    expect((await read(['a', 'b', 'c'], {}, (_skill, text) => text !== 'A')).inPart).toEqual(['a', 'c']);
    expect((await read(['a', 'b', 'c'], { entries: 2 })).inPart).toEqual(['c']);
  });
});
