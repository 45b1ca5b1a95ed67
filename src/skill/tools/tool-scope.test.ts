import { describe, expect, it } from 'vitest';
import type { ToolDeclaration } from './tool-scope.ts';
import { decideInChat } from './tool-scope.ts';

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
