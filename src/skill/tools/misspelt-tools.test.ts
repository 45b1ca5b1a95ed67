import { describe, expect, it } from 'vitest';
import { readFields } from '../../../test/support/skill-texts.ts';

const told = (fields: string) =>
  readFields(fields).diagnostics.map(({ code, message, hint }, at) => [
    readFields(fields).faults[at]?.split(' ')[1],
    code,
    message,
    hint,
  ]);

describe('reportMisspeltTools', () => {
  it('says which tool was meant, once for each name', () => {
    expect(told('allowed-tools: Raed, Bahs(git diff:*), Raed')).toEqual([
      [
        '4:16',
        'TOOL_MISSPELT',
        '"Raed" in allowed-tools is not a tool that techne knows, and has no effect',
        'did you mean "Read"?',
      ],
      [
        '4:22',
        'TOOL_MISSPELT',
        '"Bahs" in allowed-tools is not a tool that techne knows, and has no effect',
        'did you mean "Bash"?',
      ],
    ]);
    expect(told('disallowed-tools:\n  - Bash(rm Wriet)\n  - "Wriet(src/**)"\n  - raed_file')).toEqual([
      [
        '6:6',
        'TOOL_MISSPELT',
        '"Wriet" in disallowed-tools is not a tool that techne knows, and has no effect',
        'did you mean "Write"?',
      ],
      [
        '7:5',
        'TOOL_MISSPELT',
        '"raed_file" in disallowed-tools is not a tool that techne knows, and has no effect',
        'did you mean "read_file"?',
      ],
    ]);
  });

  it.each([
    'Read, bash, Bash(git:*), MultiEdit, LS, run_command, "*"',
    'web_search WebFetch todo_write Tasks readFiles editFiles runCommands ask_user',
    'mcp__files__raed files__raed MCP/raed azure-mcp/deploy sql',
    'Exit, Head, Kill, Emit, Dash, Blob',
  ])('leaves tools of other hosts alone: %s', (tools) => {
    expect(readFields(`allowed-tools: ${tools}`).faults.filter((fault) => fault.startsWith('TOOL_'))).toEqual(
      [],
    );
  });

  it('looks at lists of tools only', () => {
    expect(readFields('arguments: raed\ntools: [raed]').faults).toEqual([]);
  });
});
