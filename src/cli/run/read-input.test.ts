import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TechneError } from '../../base/error.ts';
import type { Io } from '../io.ts';
import { readRunInput } from './read-input.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'techne-'));
  writeFileSync(join(folder, 'in.json'), '{"task": "from a file", "n": 1}');
  writeFileSync(join(folder, 'notes.txt'), 'line 1\nline 2\n');
  writeFileSync(join(folder, 'bytes'), Buffer.from([0x7b, 0xff]));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function input(words: readonly string[], stdin = ''): ReturnType<typeof readRunInput> {
  return readRunInput(words, { cwd: folder, stdin: Readable.from([stdin]) } as unknown as Io);
}

async function fault(words: readonly string[], stdin = ''): Promise<string> {
  const error: unknown = await input(words, stdin).catch((thrown: unknown) => thrown);
  return error instanceof TechneError
    ? `${error.code}: ${error.message}`
    : `no fault: ${JSON.stringify(error)}`;
}

describe('readRunInput', () => {
  it('is null when nothing is given', async () => {
    expect(await input([])).toBeNull();
  });

  it('takes JSON, files, standard input, and keys with text or JSON', async () => {
    expect(await input(['{"task": "x", "deep": {"a": [1, null, true]}}'])).toEqual({
      task: 'x',
      deep: { a: [1, null, true] },
    });
    expect(await input(['@in.json'])).toEqual({ task: 'from a file', n: 1 });
    expect([await input(['@-'], '{"a": 1}'), await input(['-'], '{"a": 2}')]).toEqual([{ a: 1 }, { a: 2 }]);
    expect(
      await input(['task=a = b', 'n:=3', 'list:=["x"]', 'empty=', 'notes=@notes.txt', 'more:=@in.json']),
    ).toEqual({
      task: 'a = b',
      n: 3,
      list: ['x'],
      empty: '',
      notes: 'line 1\nline 2\n',
      more: { task: 'from a file', n: 1 },
    });
  });

  it('lets later words count, key by key', async () => {
    expect(await input(['@in.json', 'task=mine', '{"k": 1}'])).toEqual({ task: 'mine', n: 1, k: 1 });
  });

  it('gives objects without a prototype', async () => {
    const given = await input(['{"__proto__": {"a": 1}}', 'constructor=x']);
    expect([Object.getPrototypeOf(given), Object.keys(given ?? {})]).toEqual([
      null,
      ['__proto__', 'constructor'],
    ]);
  });

  it.each([
    [['{"a": }'], 'USAGE: the input is not JSON: '],
    [['[1]'], 'USAGE: "[1]" is not an input'],
    [['word'], 'USAGE: "word" is not an input'],
    [['@missing.json'], 'FILE_MISSING: "missing.json" does not exist'],
    [['@notes.txt'], 'USAGE: "notes.txt" is not JSON: '],
    [['@bytes'], 'USAGE: "bytes" is not UTF-8 text'],
    [['task=a', 'task=b'], 'USAGE: "task" is given twice'],
    [['task=a', 'task:="b"'], 'USAGE: "task" is given twice'],
    [['n:=three'], 'USAGE: the value of "n" is not JSON: '],
    [['mention=@bob'], 'FILE_MISSING: "bob" does not exist'],
    [
      ['id:=12345678901234567890'],
      'USAGE: the value of "id" has the number 12345678901234567890, which is too large to be exact',
    ],
  ])('says what is wrong with %j', async (words, message) => {
    expect((await fault(words)).slice(0, message.length)).toBe(message);
  });

  it('says what is wrong with standard input', async () => {
    expect(await fault(['@-'], '[1]')).toBe('USAGE: standard input must be a JSON object, not an array');
    expect(await fault(['@-', 'a=@-'], '{}')).toBe('USAGE: standard input can be read only once');
  });
});
