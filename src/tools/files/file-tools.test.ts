import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../base/json.ts';
import { schemaFaults } from '../../base/schema/schema.ts';
import { ConfinedFiles } from '../../node/confined/confined-files.ts';
import { fileTools } from './file-tools.ts';
import type { Tool, ToolUse } from '../../ports/tool.ts';
import { prepareAndCall, ToolFault } from '../../ports/tool.ts';

let root: string;
let tools: readonly Tool[];
const use: ToolUse = { signal: new AbortController().signal, mayTouch: () => true };

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'techne-tools-')));
  tools = fileTools(new ConfinedFiles({ roots: { read: [root], write: [root] } }));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function put(files: { readonly [path: string]: string }): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

function toolOf(name: string): Tool {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) throw new Error(`there is no ${name}`);
  return tool;
}

async function call(name: string, args: JsonObject): Promise<string> {
  try {
    return (await prepareAndCall(toolOf(name), args, use)).text;
  } catch (error) {
    if (error instanceof ToolFault) return `fault: ${error.message}`;
    throw error;
  }
}

describe('fileTools', () => {
  it('have schemas that can be checked', () => {
    expect(tools.flatMap(({ parameters }) => schemaFaults(parameters))).toEqual([]);
    expect(tools.map(({ name }) => name)).toEqual([
      'read_file',
      'write_file',
      'edit_file',
      'list_files',
      'search_files',
    ]);
  });

  it('read_file gives all lines or some, and cuts what is long', async () => {
    put({ 'a.txt': 'one\ntwo\nthree\n', 'long.txt': 'x'.repeat(70_000) });
    expect(await call('read_file', { path: 'a.txt' })).toBe('one\ntwo\nthree\n');
    expect(await call('read_file', { path: 'a.txt', first_line: 2, line_count: 1 })).toBe('two');
    expect(await call('read_file', { path: 'a.txt', first_line: 3 })).toBe('three\n');
    expect(await call('read_file', { path: 'a.txt', first_line: 9 })).toBe('fault: "a.txt" has 4 lines');
    expect(await call('read_file', { path: 'long.txt' })).toBe(
      `${'x'.repeat(60_000)}\n[cut here: 10000 of 70000 characters are left out]`,
    );
  });

  it('write_file writes, and says when nothing changed', async () => {
    expect(await call('write_file', { path: 'new/a.txt', content: 'text' })).toBe(
      'wrote 4 characters to new/a.txt',
    );
    expect(await call('write_file', { path: 'new/a.txt', content: 'text' })).toBe(
      'new/a.txt had this content already',
    );
    expect(readFileSync(join(root, 'new/a.txt'), 'utf8')).toBe('text');
  });

  it('edit_file replaces one place, or all, and says why not', async () => {
    put({ 'a.txt': 'a b a' });
    expect(await call('edit_file', { path: 'a.txt', old_text: 'b', new_text: '$& c' })).toBe('edited a.txt');
    expect(await call('edit_file', { path: 'a.txt', old_text: 'a', new_text: 'x' })).toBe(
      'fault: old_text is 2 times in "a.txt"; give more of the text around it, or set replace_all',
    );
    expect(await call('edit_file', { path: 'a.txt', old_text: 'a', new_text: 'x', replace_all: true })).toBe(
      'edited a.txt',
    );
    expect(await call('edit_file', { path: 'a.txt', old_text: 'q', new_text: 'x' })).toBe(
      'fault: old_text is not in "a.txt"; read the file and copy it exactly',
    );
    expect(await call('edit_file', { path: 'b.txt', old_text: 'q', new_text: 'x' })).toBe(
      'fault: there is no file "b.txt"',
    );
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('x $& c x');
  });

  it.each([
    ['write_file', { path: 'a.txt', content: 'after' }],
    ['edit_file', { path: 'a.txt', old_text: 'before', new_text: 'before and after' }],
  ])('%s can be done again, and does not write over the work of others', async (name, args) => {
    put({ 'a.txt': 'before' });
    const tool = toolOf(name);
    const prepared: Json = (await tool.prepare?.(args, use)) ?? null;
    const again: ToolUse = { ...use, prepared };
    await tool.call(args, again);
    const done = readFileSync(join(root, 'a.txt'), 'utf8');
    // After a crash nobody knows whether it was done.
    await tool.call(args, again);
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe(done);
    put({ 'a.txt': 'of somebody else' });
    await expect(tool.call(args, again)).rejects.toThrow(
      '"a.txt" was changed by another program meanwhile; read it again',
    );
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('of somebody else');
  });

  it('list_files goes through folders, by name and pattern, and does not enter links', async () => {
    put({ 'b/c.ts': '', 'b/d/e.ts': '', 'a.md': '', '.git/config': '', 'node_modules/x/index.js': '' });
    symlinkSync('b', join(root, 'link'));
    expect(await call('list_files', {})).toBe(
      '.git/\na.md\nb/\nb/c.ts\nb/d/\nb/d/e.ts\nlink@\nnode_modules/',
    );
    expect(await call('list_files', { path: 'b' })).toBe('c.ts\nd/\nd/e.ts');
    expect(await call('list_files', { pattern: '**/*.ts' })).toBe('b/c.ts\nb/d/e.ts');
    expect(await call('list_files', { pattern: '*.rs' })).toBe('no files');
    expect(await call('list_files', { path: 'a.md' })).toBe('fault: "a.md" is not a folder');
  });

  it('list_files and search_files say that they were cut', async () => {
    for (let at = 0; at < 1005; at += 1)
      writeFileSync(join(root, `f${String(at).padStart(4, '0')}`), 'same\n');
    const listed = (await call('list_files', {})).split('\n');
    expect([listed.length, listed.at(-1)]).toEqual([
      1001,
      '[cut here: there are more; give a path or a pattern]',
    ]);
    const found = (await call('search_files', { text: 'same' })).split('\n');
    expect([found.length, found[0], found.at(-1)]).toEqual([
      201,
      'f0000:1: same',
      '[cut here: there may be more; give a path or a pattern]',
    ]);
  });

  it('search_files finds text as it is, never as a pattern', async () => {
    put({ 'a.ts': 'let a = 1;\nfoo(a.b);\n', 'sub/b.md': 'FOO(A.B)\nfoo(axb)\n', bin: 'foo(a.b)\0' });
    expect(await call('search_files', { text: 'foo(a.b)' })).toBe('a.ts:2: foo(a.b);');
    expect(await call('search_files', { text: 'foo(a.b)', ignore_case: true })).toBe(
      'a.ts:2: foo(a.b);\nsub/b.md:1: FOO(A.B)',
    );
    expect(await call('search_files', { text: 'foo', path: 'sub', pattern: '*.md' })).toBe(
      'b.md:2: foo(axb)',
    );
    expect(await call('search_files', { text: '(a+)+$' })).toBe('nothing found');
  });

  it('stop when they are aborted', async () => {
    put({ 'a.txt': 'x' });
    const stopped: ToolUse = { ...use, signal: AbortSignal.abort() };
    await expect(toolOf('search_files').call({ text: 'x' }, stopped)).rejects.toThrow('stopped');
  });
});
