import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
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

async function read(skills: readonly string[], limits: Partial<ReadTextsLimits> = {}, take: (skill: string, text: string) => boolean = () => true) {
  const texts: string[] = [];
  const inPart = await readSkillTexts(skills.map((skill) => ({ skill, folder: join(folder, skill) })), (skill, text) => {
    texts.push(`${skill}: ${text}`);
    return take(skill, text);
  }, { ...roomy, ...limits });
  return { texts, inPart: [...inPart] };
}

describe('readSkillTexts', () => {
  it('takes SKILL.md of every skill, then the smallest skills, and the same file once', async () => {
    write({ 'a/SKILL.md': 'A', 'a/long.md': 'long long', 'a/LICENSE': 'free', 'b/SKILL.md': 'B', 'b/ref/deep/x.md': 'x', 'b/LICENSE': 'free' });
    expect(await read(['a', 'b'])).toEqual({ texts: ['a: A', 'b: B', 'b: free', 'b: x', 'a: long long'], inPart: [] });
  });

  it('takes every file as a text, and as what it claims to be', async () => {
    write({ 'a/SKILL.md': '\0A', 'a/x': Buffer.from('\uFEFFwide', 'utf16le') });
    const { texts, inPart } = await read(['a']);
    expect([texts[0], texts[1]?.replaceAll(/[^a-z]/g, ''), texts[2], inPart]).toEqual(['a: \0A', 'awide', 'a: \uFEFFwide', []]);
  });

  it('follows links to files and folders, each folder once', async () => {
    write({ 'a/SKILL.md': 'A', 'far/one.md': 'one', 'far/in/two.md': 'two' });
    symlinkSync('../far/one.md', join(folder, 'a/link.md'));
    symlinkSync('../far/in', join(folder, 'a/in'));
    symlinkSync('..', join(folder, 'far/in/up'));
    const { texts, inPart } = await read(['a']);
    expect([texts.toSorted(), inPart]).toEqual([['a: A', 'a: one', 'a: two'], []]);
  });

  it.each<[string, Partial<ReadTextsLimits>, () => void]>([
    ['has too many files', { skillEntries: 3 }, () => write({ 'a/1': '1', 'a/2': '2', 'a/3': '3' })],
    ['has a file that is too large', { fileBytes: 10 }, () => write({ 'a/1': '1'.repeat(11) })],
    ['has too much of it', { bytes: 25 }, () => write({ 'a/1': '1'.repeat(13), 'a/2': '2'.repeat(13) })],
    ['has a link that leads nowhere', {}, () => symlinkSync('nowhere', join(folder, 'a/link'))],
    ['has a pipe', {}, () => void execFileSync('mkfifo', [join(folder, 'a/pipe')])],
    ['is gone', {}, () => rmSync(join(folder, 'a'), { recursive: true })],
  ])('says of a skill that it was not read whole when it %s, and of no other', async (_how, limits, make) => {
    write({ 'a/SKILL.md': 'A', 'b/SKILL.md': 'B', 'b/x': 'x' });
    make();
    const { texts, inPart } = await read(['a', 'b'], limits);
    expect([texts.filter((text) => text.startsWith('b')), inPart]).toEqual([['b: B', 'b: x'], ['a']]);
  });

  it('says so when its text could not be taken, and when all entries together are too many', async () => {
    write({ 'a/SKILL.md': 'A', 'b/SKILL.md': 'B', 'c/SKILL.md': 'A' });
    expect((await read(['a', 'b', 'c'], {}, (_skill, text) => text !== 'A')).inPart).toEqual(['a', 'c']);
    expect((await read(['a', 'b', 'c'], { entries: 2 })).inPart).toEqual(['c']);
  });
});
