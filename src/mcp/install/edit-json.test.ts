import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../base/json.ts';
import { putEntry, putMember } from './edit-json.ts';

const entry = { command: 'techne', args: ['mcp'] };
const put = (text: string): string => {
  const edited = putMember(text, ['mcpServers'], 'techne', entry);
  if (edited.kind === 'fault') throw new Error(edited.message);
  return edited.text;
};

describe('putMember', () => {
  it('makes a file where there is none', () => {
    expect(put('')).toBe(
      '{\n  "mcpServers": {\n    "techne": {\n      "command": "techne",\n      "args": [\n        "mcp"\n      ]\n    }\n  }\n}\n',
    );
  });

  it('leaves every other byte as it is, comments and odd indentation too', () => {
    const text =
      '// mine\n{\n\t"a": 1.0,\n\t"mcpServers": {\n\t\t"other": {"command": "x"}, // keep\n\t},\n\t"b": [1,2,],\n}\n';
    const after = put(text);
    expect(after).toBe(
      '// mine\n{\n\t"a": 1.0,\n\t"mcpServers": {\n\t\t"other": {"command": "x"}, // keep\n\t\t"techne": {\n\t\t\t"command": "techne",\n\t\t\t"args": [\n\t\t\t\t"mcp"\n\t\t\t]\n\t\t}\n\t},\n\t"b": [1,2,],\n}\n',
    );
    expect(putMember(after, ['mcpServers'], 'techne', entry)).toEqual({ kind: 'same', text: after });
  });

  it('puts a comma behind the last member, before its comment', () => {
    expect(put('{\n  "mcpServers": {\n    "other": {} // the other\n  }\n}')).toContain(
      '"other": {}, // the other\n    "techne": {',
    );
  });

  it('replaces its own entry alone', () => {
    const edited = putMember(
      '{"mcpServers": {"techne": {"command": "old"}, "other": 1}}',
      ['mcpServers'],
      'techne',
      'new',
    );
    expect(edited).toEqual({ kind: 'replaced', text: '{"mcpServers": {"techne": "new", "other": 1}}' });
  });

  it.each([
    ['{"mcpServers": [1]}', '"mcpServers" is not an object'],
    ['[]', 'the file is not an object'],
    ['{"a": 1\n "b": 2}', 'line 2: a comma is missing'],
    ['{"a": "x\n}', 'line 1: a string is never closed'],
    ['{} {}', 'line 1: there is text after the end'],
  ])('does not touch %s', (text, message) => {
    expect(putMember(text, ['mcpServers'], 'techne', entry)).toEqual({ kind: 'fault', message });
  });

  it('adds the member and changes no other value, in any JSON object', () => {
    const objects = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(objects, objects, fc.constantFrom(undefined, 1, 2, '\t'), (outer, inner, space) => {
        const before = { ...outer, mcpServers: inner } as { [key: string]: Json };
        const after = JSON.parse(put(JSON.stringify(before, null, space))) as unknown;
        expect(after).toEqual(
          JSON.parse(JSON.stringify({ ...before, mcpServers: { ...inner, techne: entry } })),
        );
      }),
      { numRuns: 300 },
    );
  });
});

describe('putEntry', () => {
  const at = (text: string) =>
    putEntry(text, ['mcpServers'], 'techne', { type: 'stdio', command: 'techne', args: ['mcp'] });

  it('keeps what was added to the entry', () => {
    const text =
      '{"mcpServers": {"techne": {"type": "stdio", "command": "techne", "args": ["mcp", "--no-relay"], "env": {"KEY": "x"}, "disabled": true}}}';
    expect(at(text)).toEqual({ kind: 'same', text });
    const old = text
      .replace('"command": "techne"', '"command": "/old/node"')
      .replace('["mcp",', '["/old/techne.mjs", "mcp", /* ours */');
    expect(at(old)).toMatchObject({ kind: 'replaced' });
    expect(JSON.parse((at(old) as { text: string }).text)).toEqual(JSON.parse(text));
    const off =
      '{"mcp": {"techne": {"type": "local", "command": ["techne", "mcp", "--wait", "9"], "enabled": false}}}';
    expect(
      putEntry(off, ['mcp'], 'techne', { type: 'local', command: ['techne', 'mcp'], enabled: true }),
    ).toEqual({ kind: 'same', text: off });
  });

  it('replaces what is not an entry, and leaves a remote server alone', () => {
    expect(JSON.parse((at('{"mcpServers": {"techne": null}}') as { text: string }).text)).toEqual({
      mcpServers: { techne: { type: 'stdio', command: 'techne', args: ['mcp'] } },
    });
    expect(at('{"mcpServers": {"techne": {"type": "http", "url": "http://x"}}}')).toEqual({
      kind: 'fault',
      message: 'it already has "techne", as a server with a URL',
      isThere: true,
    });
  });

  it.each([
    ['{"mcpServers": {"techne": {"command": "a"}, "techne": {"command": "b"}}}', '"techne"'],
    ['{"mcpServers": {}, "mcpServers": {"x": 1}}', '"mcpServers"'],
    ['{"mcpServers": {"techne": {"args": [], "args": ["mcp"]}}}', '"args"'],
  ])('does not guess which of two keys counts: %s', (text, key) => {
    expect(at(text)).toMatchObject({
      kind: 'fault',
      message: expect.stringContaining(`the key ${key} occurs 2 times`) as string,
    });
  });

  it('refuses what is nested beyond reason, and keeps the ends of lines', () => {
    expect(at(`{"a": ${'['.repeat(20_000)}${']'.repeat(20_000)}}`)).toEqual({
      kind: 'fault',
      message: 'line 1: it is nested more than 500 deep',
    });
    const made = at('{\r\n  "mcpServers": {\r\n    "x": {"command": "y"}\r\n  }\r\n}\r\n') as {
      text: string;
    };
    expect(made.text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  });
});
