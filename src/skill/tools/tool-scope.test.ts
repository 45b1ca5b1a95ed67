import { describe, expect, it } from 'vitest';
import type { ToolDeclaration } from './tool-scope.ts';
import { decideInChat, scopeFault } from './tool-scope.ts';

const says = (
  allowedTools: readonly string[] | null,
  changes: Partial<ToolDeclaration> = {},
): ToolDeclaration => ({ allowedTools, disallowedTools: null, trusted: true, ...changes });
const diff = { tool: 'command', argv: ['git', 'diff'] };
const push = { tool: 'command', argv: ['git', 'push'] };

describe('decideInChat', () => {
  it('lets what a trusted active skill names pass without a question', () => {
    expect(decideInChat(diff, [says(['Bash(git diff:*)'])], 'ask')).toBe('allow');
    expect(decideInChat(push, [says(['Bash(git diff:*)'])], 'ask')).toBe('ask');
    expect(decideInChat({ tool: 'github__create_issue' }, [says(['mcp__github__create_issue'])], 'ask')).toBe(
      'allow',
    );
    expect(decideInChat({ tool: 'write_file', path: 'src/a.ts' }, [says(['Write(docs/**)'])], 'ask')).toBe(
      'ask',
    );
  });
  it('restricts nothing: neither what is not named, nor an empty list', () => {
    expect(decideInChat(diff, [says(['Read'])], 'allow')).toBe('allow');
    expect(decideInChat(diff, [says([])], 'allow')).toBe('allow');
    expect(decideInChat(diff, [says(null)], 'ask')).toBe('ask');
  });
  it('grants nothing for an untrusted skill, nor beyond the host', () => {
    expect(decideInChat(diff, [says(['*'], { trusted: false })], 'ask')).toBe('ask');
    expect(decideInChat(diff, [says(['*'])], 'deny')).toBe('deny');
  });
  it('takes away what any active skill disallows, trusted or not', () => {
    expect(
      decideInChat(
        push,
        [says(['*']), says(null, { disallowedTools: ['Bash(git push:*)'], trusted: false })],
        'allow',
      ),
    ).toBe('deny');
    expect(decideInChat(diff, [says(null, { disallowedTools: ['Bash(git push:*)'] })], 'allow')).toBe(
      'allow',
    );
  });
});

describe('scopeFault', () => {
  const disallows = (tool: string, call: Parameters<typeof scopeFault>[1]): boolean =>
    scopeFault([{ allowed: null, disallowed: [tool] }], call) !== null;
  const allows = (tool: string, call: Parameters<typeof scopeFault>[1]): boolean =>
    scopeFault([{ allowed: [tool], disallowed: [] }], call) === null;

  it.each([
    ['run_metaskill', 'meta_invoke'],
    ['meta_invoke', 'run_metaskill'],
    ['Bash', 'exec_command'],
    ['exec_command', 'command'],
  ])('takes names of one tool for each other: %s and %s', (listed, tool) => {
    expect([disallows(listed, { tool }), allows(listed, { tool })]).toEqual([true, true]);
  });

  it.each([
    ['Write(/etc/**)', 'write_file'],
    ['WriteFile(~/x)', 'write_file'],
    ['str_replace(../x)', 'edit_file'],
    ['NotebookRead(C:/x)', 'read_file'],
    ['Write(out/**, /etc/**)', 'write_file'],
    ['Write()', 'write_file'],
    ['Grep(x)', 'search_files'],
    ['LS(x)', 'list_files'],
    ['Skill(x)', 'skill_load'],
    ['meta_invoke(x)', 'run_metaskill'],
    ['Write(out/**) and more', 'write_file'],
  ])('disallows the whole tool by a limit that cannot be enforced: %s', (listed, tool) => {
    expect([disallows(listed, { tool, path: 'a.txt' }), disallows(listed, { tool })]).toEqual([true, true]);
  });

  it.each([
    ['str_replace(src/**)', 'edit_file'],
    ['EditFile(./src/**)', 'edit_file'],
    ['create(src/**)', 'write_file'],
  ])('disallows within a limit by every name of a tool: %s', (listed, tool) => {
    expect([
      disallows(listed, { tool, path: 'src/a' }),
      disallows(listed, { tool, path: 'a' }),
      disallows(listed, { tool }),
    ]).toEqual([true, false, false]);
  });

  it.each([
    ['META_INVOKE', { tool: 'run_metaskill' }],
    ['Write_File', { tool: 'write_file', path: 'a' }],
    ['Bash(git push:*)', { tool: 'command', argv: ['/usr/bin/git', 'push'] }],
    ['Bash(git push:*)', { tool: 'exec_command', argv: ['C:\\git.EXE', 'push', 'x'] }],
  ])('disallows however a name is spelt: %s', (listed, call) => {
    expect(disallows(listed, call)).toBe(true);
  });

  it('disallows the tools of a server by a limit as well', () => {
    expect(disallows('mcp__github__create_issue(x)', { tool: 'github__create_issue' })).toBe(true);
  });
});
