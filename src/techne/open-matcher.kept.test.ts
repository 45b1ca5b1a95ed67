import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { filesOf, loadSkills, textOf } from '../../test/support/session.ts';
import type { Matcher } from '../match/match.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import { createMatcherOpener, openMatcher } from './open-matcher.ts';

const count = 220;
const skills = Object.fromEntries(
  Array.from({ length: count }, (_, at) => [
    `skill-${at}`,
    {
      description: `Sails the boat number${at} over the ${at % 2 === 0 ? 'river' : 'sea'}.`,
      body: `# Boats\n\nIts harbour is port${at}.\n`,
      ...(at % 50 === 0 ? { fields: `triggers: ["sail number${at} to {port}"]\n` } : {}),
    },
  ]),
);
const asking = [
  'where is the harbour port7?',
  'sail number50 to Roscoff please',
  'the boat number33 over the sea',
  'use the skill-9 skill',
  'is there anything about trains?',
];
const answers = (matcher: Matcher): Promise<readonly unknown[]> =>
  Promise.all(asking.map(async (message) => matcher.match(message, { limit: 3 })));

/** Writes down whose bodies are read. */
function noting(snapshot: Snapshot, read: string[]): Snapshot {
  return new Proxy(snapshot, {
    get: (of, key) =>
      key === 'readWords'
        ? (name: string) => (read.push(name), of.readWords(name))
        : typeof of[key as 'has'] === 'function'
          ? of[key as 'has'].bind(of)
          : of[key as 'has'],
  });
}

describe('words that are kept on disk', () => {
  let folder: string;
  let wordsFile: string;
  let files: ReturnType<typeof filesOf>;
  let read: string[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'techne-words-'));
    wordsFile = join(folder, 'words', 'one.words');
    files = filesOf(skills);
    read = [];
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const open = async (): Promise<Matcher> => {
    read.length = 0;
    return openMatcher(noting(await loadSkills(files), read), { wordsFile });
  };
  const expected = async (): Promise<readonly unknown[]> =>
    answers(await openMatcher(await loadSkills(files)));
  /** What another process does. */
  const verified = async (): Promise<number> => {
    const matcher = await open();
    expect(await answers(matcher)).toEqual(await expected());
    return read.length;
  };

  it('spare the next process reading and indexing', async () => {
    expect(await verified()).toBe(count);
    expect(readdirSync(join(folder, 'words'))).toEqual(['one.words']);
    expect(await verified()).toBe(0);
  });

  it('are taken of skills that are as they were read, and of no others', async () => {
    await open();
    const { mtimeMs } = statSync(wordsFile);
    files.write('/user/skill-7/SKILL.md', textOf('skill-7', { description: 'Drives trains.' }));
    files.write('/user/skill-new/SKILL.md', textOf('skill-new', { description: 'Sails to port7.' }));
    await files.remove('/user/skill-33/SKILL.md');
    expect(await verified()).toBe(2);
    expect(statSync(wordsFile).mtimeMs).toBe(mtimeMs);
  });

  it('are written anew when many changed', async () => {
    await open();
    for (let at = 0; at < 30; at += 1)
      files.write(`/user/skill-${at}/SKILL.md`, textOf(`skill-${at}`, { description: `Drives train${at}.` }));
    expect(await verified()).toBe(30);
    expect(await verified()).toBe(0);
  });

  it('are not used by a process that does not say where, nor for few skills', async () => {
    await openMatcher(await loadSkills(files));
    expect(readdirSync(folder)).toEqual([]);
    files = filesOf({ tides: { description: 'Say when the water is high.' } });
    await open();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('lead to the same answers when they were cut at any place', async () => {
    await open();
    const whole = readFileSync(wordsFile);
    const right = await expected();
    for (let length = 0; length < whole.length; length += Math.ceil(whole.length / 23)) {
      writeFileSync(wordsFile, whole.subarray(0, length));
      expect(await answers(await open()), `${length}`).toEqual(right);
      expect(read.length, `${length}`).toBe(count);
    }
  });

  it('lead to the same answers when a bit is wrong anywhere, and are written anew', async () => {
    await open();
    const whole = readFileSync(wordsFile);
    const right = await expected();
    let rewritten = 0;
    for (let at = 0; at < whole.length; at += Math.ceil(whole.length / 41)) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] as number) ^ (1 << (at % 8));
      writeFileSync(wordsFile, damaged);
      expect(await answers(await open()), `${at}`).toEqual(right);
      if (!readFileSync(wordsFile).equals(damaged)) rewritten += 1;
    }
    expect(rewritten).toBeGreaterThan(5);
  });

  it('lead to the same answers when a part that a message needs is damaged in a session', async () => {
    await open();
    const whole = readFileSync(wordsFile);
    // All but the directory and the columns, which are read first.
    whole.fill(0, whole.length - Math.floor(whole.length / 2));
    writeFileSync(wordsFile, whole);
    const opener = createMatcherOpener({ wordsFile });
    const snapshot = await loadSkills(files);
    const first = await opener(snapshot);
    expect(await answers(first)).toEqual(await expected());
    files.write('/user/skill-7/SKILL.md', textOf('skill-7', { description: 'Drives trains.' }));
    const later = await opener(await loadSkills(files));
    expect(await answers(later)).toEqual(await expected());
    await opener.close();
  });

  it('stay whole when several processes write them', async () => {
    await Promise.all([open(), open(), open()]);
    expect(await verified()).toBe(0);
    expect(readdirSync(join(folder, 'words'))).toEqual(['one.words']);
  });

  it('may be a foreign file, a folder, or not writable', async () => {
    await open();
    writeFileSync(wordsFile, 'something else entirely, and long enough to be read as a header');
    expect(await verified()).toBe(count);
    expect(await verified()).toBe(0);
    wordsFile = folder;
    expect(await verified()).toBe(count);
    writeFileSync(join(folder, 'file'), '');
    wordsFile = join(folder, 'file', 'words', 'one.words');
    expect(await verified()).toBe(count);
  });

  it('of the sets of roots used least lately go', async () => {
    for (let at = 0; at < 10; at += 1) {
      wordsFile = join(folder, 'words', `${at}.words`);
      await open();
    }
    expect(readdirSync(join(folder, 'words')).length).toBe(8);
    expect(readdirSync(join(folder, 'words'))).toContain('9.words');
  });
});
