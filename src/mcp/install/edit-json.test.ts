import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../base/json.ts';
import { putMember } from './edit-json.ts';

const entry = { command: 'techne', args: ['mcp'] };
const put = (text: string): string => {
  const edited = putMember(text, ['mcpServers'], 'techne', entry);
  if (edited.kind === 'fault') throw new Error(edited.message);
  return edited.text;
};

describe('putMember', () => {
  it('makes a file where there is none', () => {
    expect(put('')).toBe('{\n  "mcpServers": {\n    "techne": {\n      "command": "techne",\n      "args": [\n        "mcp"\n      ]\n    }\n  }\n}\n');
  });

  it('leaves every other byte as it is, comments and odd indentation too', () => {
    const text = '// mine\n{\n\t"a": 1.0,\n\t"mcpServers": {\n\t\t"other": {"command": "x"}, // keep\n\t},\n\t"b": [1,2,],\n}\n';
    const after = put(text);
    expect(after).toBe('// mine\n{\n\t"a": 1.0,\n\t"mcpServers": {\n\t\t"other": {"command": "x"}, // keep\n\t\t"techne": {\n\t\t\t"command": "techne",\n\t\t\t"args": [\n\t\t\t\t"mcp"\n\t\t\t]\n\t\t}\n\t},\n\t"b": [1,2,],\n}\n');
    expect(putMember(after, ['mcpServers'], 'techne', entry)).toEqual({ kind: 'same', text: after });
  });

  it('puts a comma behind the last member, before its comment', () => {
    expect(put('{\n  "mcpServers": {\n    "other": {} // the other\n  }\n}')).toContain('"other": {}, // the other\n    "techne": {');
  });

  it('replaces its own entry alone', () => {
    const edited = putMember('{"mcpServers": {"techne": {"command": "old"}, "other": 1}}', ['mcpServers'], 'techne', 'new');
    expect(edited).toEqual({ kind: 'replaced', text: '{"mcpServers": {"techne": "new", "other": 1}}' });
  });

  it.each([
    ['{"mcpServers": [1]}', '"mcpServers" is no object'],
    ['[]', 'the file is no object'],
    ['{"a": 1\n "b": 2}', 'line 2: a comma is missing'],
    ['{"a": "x\n}', 'line 1: a string is never closed'],
    ['{} {}', 'line 1: there is something behind its end'],
  ])('does not touch %s', (text, message) => {
    expect(putMember(text, ['mcpServers'], 'techne', entry)).toEqual({ kind: 'fault', message });
  });

  it('adds the member and changes no other value, in any JSON object', () => {
    const objects = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(fc.property(objects, objects, fc.constantFrom(undefined, 1, 2, '\t'), (outer, inner, space) => {
      const before = { ...outer, mcpServers: inner } as { [key: string]: Json };
      const after = JSON.parse(put(JSON.stringify(before, null, space))) as unknown;
      expect(after).toEqual(JSON.parse(JSON.stringify({ ...before, mcpServers: { ...inner, techne: entry } })));
    }), { numRuns: 300 });
  });
});
