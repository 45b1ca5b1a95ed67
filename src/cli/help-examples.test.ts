import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { everyCommand } from './spec/commands.ts';

const skills = join(import.meta.dirname, '../../skills');
const lines = everyCommand.flatMap(({ examples }) => examples.map(({ line }) => line));

describe('the examples of the help', () => {
  it('name skills that are shipped, so that they can be pasted', () => {
    const named = lines.flatMap((line) =>
      [
        ...line.matchAll(
          /techne (?:show|plan|doctor|run|test|check) (?:skills\/)?([a-z][\w-]+)|--skill (\S+)/g,
        ),
      ].map(([, name, option]) => name ?? option ?? ''),
    );
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((name) => name !== 'skills' && !existsSync(join(skills, name, 'SKILL.md')))).toEqual(
      [],
    );
  });

  it('filter for tests that are there', () => {
    const filtered = lines.flatMap((line) => [...line.matchAll(/techne test (\S+) --filter "([^"]+)"/g)]);
    expect(filtered).toHaveLength(1);
    for (const [, skill = '', words = ''] of filtered) {
      const folder = join(skills, skill, 'tests');
      expect(
        readdirSync(folder).some((file) => readFileSync(join(folder, file), 'utf8').includes(words)),
      ).toBe(true);
    }
  });
});
