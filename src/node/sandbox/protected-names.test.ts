import { relative, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hosts } from '../../mcp/install/hosts.ts';
import { hostFolders } from '../../registry/discover/roots.ts';
import { protectedNames, protectedPart } from './protected-names.ts';

describe('protectedNames', () => {
  it('have every file that `mcp install` writes into a project', () => {
    const places = { workspace: '/work', homeFolder: '/home/a', platform: 'linux', variables: {} };
    const files = Object.values(hosts).flatMap(({ files: { project } }) => project?.(places) ?? []);
    expect(files.length).toBeGreaterThan(5);
    expect(files.filter((file) => protectedPart(relative('/work', file).split(sep)) === null)).toEqual([]);
  });

  it('have the folders of skills of every host; .github is held by its folder of skills', () => {
    const tops = hostFolders.flatMap(({ workspace }) => workspace?.split('/')[0] ?? []);
    expect(tops.filter((name) => !protectedNames.includes(name))).toEqual(['.github']);
  });

  it.each([
    'opencode.json',
    '.zed',
    'AGENTS.md',
    'CLAUDE.md',
    'GEMINI.md',
    '.npmrc',
    '.yarnrc.yml',
    '.cargo',
    '.envrc',
    'HEAD',
    '.pre-commit-config.yaml',
  ])('have %s, at the top and in any case', (name) => {
    expect([
      protectedPart([name]),
      protectedPart([name.toLowerCase(), 'x']),
      protectedPart(['docs', name]),
    ]).toEqual([name, name.toLowerCase(), null]);
  });

  it('are named once', () => {
    expect(new Set(protectedNames).size).toBe(protectedNames.length);
  });
});
