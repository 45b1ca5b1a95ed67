import { describe, expect, it } from 'vitest';
import { readFields } from '../../../test/support/skill-texts.ts';

describe('readToolList', () => {
  it.each([
    ['Read Grep', ['Read', 'Grep'], []],
    ['Read,Grep,  Write', ['Read', 'Grep', 'Write'], []],
    ['Bash(git:*, npm *) Read', ['Bash(git:*, npm *)', 'Read'], []],
    ['"Bash(git commit -m \\"a (b)\\"), Edit"', ['Bash(git commit -m "a (b)")', 'Edit'], []],
    ['"*"', ['*'], []],
    ['[Read, "Bash(git log, git diff)"]', ['Read', 'Bash(git log, git diff)'], []],
    ['["Read, Write", Edit]', ['Read', 'Write', 'Edit'], []],
    ['[mcp__a__b, 1]', ['mcp__a__b', '1'], ['FIELD_COERCED 4:28']],
    ['Bash(git Read', ['Bash(git Read'], ['FIELD_VALUE 4:16']],
    ['{Read: true}', [], ['FIELD_TYPE 4:16']],
    ['[[Read], Edit]', ['Edit'], ['FIELD_TYPE 4:17']],
    ['[]', [], []],
  ])('reads allowed-tools: %s', (value, tools, faults) => {
    const reading = readFields(`allowed-tools: ${value}`);
    expect([reading.head.allowedTools, reading.faults]).toEqual([tools, faults]);
  });

  it('reads as many names as a head can hold', () => {
    expect(readFields(`allowed-tools: ${'a '.repeat(130_000)}`).head.allowedTools?.length).toBe(130_000);
  });
});
