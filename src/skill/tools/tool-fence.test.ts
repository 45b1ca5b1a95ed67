import { describe, expect, it } from 'vitest';
import type { AgentToolName } from './tool-fence.ts';
import {
  agentToolNames,
  allowsCommand,
  allowsPath,
  allowsTool,
  narrowTools,
  parseFence,
  pathFits,
} from './tool-fence.ts';

function granted(tools: readonly string[] | null): readonly AgentToolName[] {
  const fence = parseFence(tools);
  return agentToolNames.filter((name) => allowsTool(fence, name));
}

describe('parseFence', () => {
  it.each([
    [null, agentToolNames],
    [[], []],
    [['*'], agentToolNames],
    [
      ['read_file', 'command'],
      ['read_file', 'command'],
    ],
    [
      ['Read', 'Write', 'Edit', 'Glob', 'Grep', 'Bash'],
      ['read_file', 'write_file', 'edit_file', 'list_files', 'search_files', 'command'],
    ],
    [
      ['MultiEdit', 'LS', 'Skill'],
      ['edit_file', 'list_files', 'skill_search', 'skill_load', 'skill_read'],
    ],
    [
      [
        'WebFetch',
        'Task',
        'mcp__github__create_issue',
        'constructor',
        '__proto__',
        '',
        'Bash(',
        'RUN_METASKILL',
      ],
      [],
    ],
    [
      ['Bash(git diff:*)', 'Read(docs/**)'],
      ['read_file', 'command'],
    ],
    // Limits that cannot be kept allow nothing.
    [
      ['Read(/etc/*)', 'Read(~/x)', 'Edit(../x)', 'Grep(src/**)', 'Glob(*.ts)', 'Bash()', 'Skill(deploy)'],
      [],
    ],
    [
      ['Grep(**)', 'Read(*)'],
      ['read_file', 'search_files'],
    ],
  ])('%j', (tools, names) => {
    expect(granted(tools)).toEqual(names);
  });
});

describe('allowsCommand', () => {
  it.each([
    [['Bash'], ['rm', '-rf'], true],
    [['Bash(*)'], ['rm'], true],
    [['Bash(:*)'], ['rm'], true],
    [['Bash(git diff:*)'], ['git', 'diff'], true],
    [['Bash(git diff:*)'], ['git', 'diff', '--stat', 'a b'], true],
    [['Bash(git diff:*)'], ['git', 'push'], false],
    [['Bash(git diff:*)'], ['git', 'diff-files'], false],
    [['Bash(git diff:*)'], ['git'], false],
    [['Bash(git *)'], ['git', 'anything'], true],
    [['Bash(git *)'], ['gitx', 'anything'], false],
    [['Bash(npm test)'], ['npm', 'test'], true],
    [['Bash(npm test)'], ['npm', 'test', '--', 'x'], false],
    [['Bash(npm run test:*)'], ['npm', 'run', 'test', 'x'], true],
    [['Bash(python scripts/*.py *)'], ['python', 'scripts/a.py', 'x'], true],
    [['Bash(python scripts/*.py *)'], ['python', 'other.py'], false],
    [['Bash(git status, npm test)'], ['npm', 'test'], true],
    [['Bash(npm test)', 'Bash'], ['rm'], true],
    [['Bash', 'Bash(npm test)'], ['rm'], true],
    [['Read'], ['ls'], false],
    [['command'], ['ls'], true],
    [null, ['ls'], true],
  ])('%j allows %j: %j', (tools, argv, allowed) => {
    expect(allowsCommand(parseFence(tools), argv)).toBe(allowed);
  });
});

describe('allowsPath', () => {
  it.each([
    [['Read(docs/**)'], 'docs/a/b.md', true],
    [['Read(docs/**)'], 'docs', true],
    [['Read(./docs/*)'], 'docs/a.md', true],
    [['Read(./docs/*)'], 'docs/a/b.md', false],
    [['Read(docs/**)'], 'src/a.ts', false],
    [['Read(**/*.md)'], 'a.md', true],
    [['Read(**/*.md)'], 'x/y/a.md', true],
    [['Read(src)', 'Read(*.md)'], 'a.md', true],
    [['Write'], 'a.md', false],
    [['Read'], 'a.md', true],
  ])('%j allows %j: %j', (tools, path, allowed) => {
    expect(allowsPath(parseFence(tools), 'read_file', path)).toBe(allowed);
  });
});

describe('matching', () => {
  it('takes time in proportion, not without end', () => {
    const started = performance.now();
    expect(pathFits('**/a/'.repeat(100) + 'b', 'a/'.repeat(500) + 'c')).toBe(false);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe('narrowTools', () => {
  it.each([
    [['Read', 'Bash'], ['Read'], ['Read']],
    [['read_file', 'command'], ['Read'], ['read_file']],
    [['Bash(git diff:*)'], ['Bash'], ['Bash(git diff:*)']],
    [['Bash'], ['Bash(git diff:*)'], []],
    [['Bash(git diff:*)'], ['Bash(git diff:*)', 'Read'], ['Bash(git diff:*)']],
    [['Bash(git push)'], ['Bash(git diff:*)'], []],
    [['WebFetch', '*'], ['WebFetch', 'Read'], ['WebFetch']],
    [['x'], ['Read'], []],
  ])('%j within %j is %j', (asked, allowed, left) => {
    expect(narrowTools(asked, allowed)).toEqual(left);
  });
});
