// Lists of tools that cannot be read, or not enforced, narrow; they never widen.
import { describe, expect, it } from 'vitest';
import { changesStartOf } from '../src/base/start-variables.ts';
import { scopeFault, scopesOf } from '../src/skill/tools/tool-scope.ts';
import { nodeParseFull } from '../src/node/yaml.ts';
import { readHead } from './support/skill-texts.ts';

const touch = { tool: 'command', argv: ['touch', 'x'] };

function fault(line: string, call: Parameters<typeof scopeFault>[1] = touch): string | null {
  const { head } = readHead(`---\nname: one\ndescription: Does one. Use it.\n${line}\n---\nDo it.\n`, {
    folderName: 'one',
    parseFull: nodeParseFull,
  });
  return scopeFault(scopesOf(head), call);
}

describe('a list of tools', () => {
  it.each([
    'allowed-tools: {Read: true}',
    'tools: {Read: true}',
    'disallowed-tools: {Bash: true}',
    'disallowed-tools: [[Bash]]',
    'disallowed-tools: Bash(touch',
    'allowed-tools: Read\t# never: Bash',
  ])('that is wrong allows no more: %s', (line) => {
    expect(fault(line)).not.toBeNull();
  });

  it.each([
    ['disallowed-tools: "Bash(touch *)"', { tool: 'command', argv: ['/usr/bin/touch', 'x'] }],
    ['disallowed-tools: ["exec_command(touch *)"]', { tool: 'exec_command', argv: ['touch', 'x'] }],
    ['disallowed-tools: "Write(/etc/**)"', { tool: 'write_file', path: 'out/x' }],
    ['disallowed-tools: "Grep(x)"', { tool: 'search_files', path: 'x' }],
  ] as const)('disallows what its limit cannot tell apart: %s', (line, call) => {
    expect(fault(line, call)).not.toBeNull();
  });

  it('keeps a limit that can be enforced', () => {
    expect(fault('disallowed-tools: "Write(out/**)"', { tool: 'write_file', path: 'in/x' })).toBeNull();
    expect(fault('disallowed-tools: "Bash(git push *)"')).toBeNull();
  });
});

describe('a variable', () => {
  it.each(['PATH=/tmp/evil:', 'NODE_OPTIONS=--require=/tmp/e.cjs --title', 'A B', ''])(
    'has a name and nothing else: %j',
    (name) => {
      expect(changesStartOf(name)).not.toBeNull();
    },
  );
});
