import { describe, expect, it } from 'vitest';
import { allowsHostTool, narrowTools } from './tool-fence.ts';

describe('allowsHostTool', () => {
  it.each<readonly [readonly string[] | null, string, boolean]>([
    [null, 'github__create_issue', true],
    [[], 'github__create_issue', false],
    [['Read', 'Bash'], 'github__create_issue', false],
    [['github__create_issue'], 'github__create_issue', true],
    [['mcp__github__create_issue'], 'github__create_issue', true],
    [['mcp__github'], 'github__create_issue', true],
    [['mcp__git'], 'github__create_issue', false],
    [['github__*'], 'github__create_issue', true],
    [['github__get_*'], 'github__create_issue', false],
    [['*'], 'github__create_issue', true],
    [['create_issue'], 'github__create_issue', false],
  ])('%j and %s: %j', (tools, name, allowed) => {
    expect(allowsHostTool(tools, name)).toBe(allowed);
  });
});

describe('narrowTools', () => {
  it('keeps tools of servers that the skill grants', () => {
    expect(narrowTools(['github__a', 'mcp__github__b', 'other__c', 'Read'], ['mcp__github', 'Read'])).toEqual(
      ['github__a', 'mcp__github__b', 'Read'],
    );
    expect(narrowTools(['mcp__github', 'github__*'], ['github__a'])).toEqual([]);
  });
});
