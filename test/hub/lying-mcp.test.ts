// An MCP server that lies about its skills: the official server, whose answers are changed on their way out. Nothing but what
// was listed is taken, every lie ends in a message or a refused entry, and neither memory nor time is without bounds.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Source } from '../../src/hub/source/source.ts';
import type { ChildProgram } from '../support/child-program.ts';
import { childProgram, modules } from '../support/child-program.ts';
import { skillText } from '../support/hub/craft.ts';
import type { Bench } from '../support/hub/options.ts';
import { failure, fetchWith, openBench, summary } from '../support/hub/options.ts';

describe('an MCP server that lies', () => {
  let program: ChildProgram;
  let bench: Bench;
  beforeAll(async () => {
    program = await childProgram('lying-skills-server', modules);
  });
  afterAll(() => program.close());
  beforeEach(() => {
    bench = openBench();
    const folder = join(bench.folder, 'served/pdf');
    mkdirSync(join(folder, 'references'), { recursive: true });
    writeFileSync(join(folder, 'SKILL.md'), skillText('pdf'));
    writeFileSync(join(folder, 'references/a.md'), 'text of a reference');
  });
  afterEach(() => bench.close());

  const source: Source = { kind: 'mcp', server: 'liar', skills: [] };
  const telling = (lie: string, limits: NonNullable<Bench['options']['limits']> = {}): Bench => {
    const args = [program.path, join(bench.folder, 'served'), lie];
    const liar = { command: process.execPath, args, env: {}, url: null };
    return {
      ...bench,
      options: {
        ...bench.options,
        mcpServers: { liar },
        limits: { ...bench.options.limits, ...limits },
      },
    };
  };

  it('gives its skills as long as it does not', async () => {
    const whole = ['pdf: SKILL.md references/a.md'];
    expect(summary(await fetchWith(telling('truth'), source))).toEqual(whole);
    expect(summary(await fetchWith(telling('noise'), source))).toEqual(whole);
  });

  it.each([
    ['larger-size', 'SOURCE_DAMAGED'],
    ['smaller-size', 'SOURCE_DAMAGED'],
    ['no-size', 'SOURCE_DAMAGED'],
    ['negative-size', 'SOURCE_EMPTY'],
    ['huge-size', 'SOURCE_LIMIT'],
    ['other-digest', 'SOURCE_DAMAGED'],
    ['no-digest', 'SOURCE_EMPTY'],
    ['other-content', 'SOURCE_DAMAGED'],
    ['other-file', 'SOURCE_DAMAGED'],
    ['no-content', 'SOURCE_DAMAGED'],
    ['other-name', 'SOURCE_EMPTY'],
    ['path-name', 'SOURCE_EMPTY'],
    ['twice', 'SOURCE_EMPTY'],
    ['dynamic', 'SOURCE_EMPTY'],
    ['endless-pages', 'SOURCE_DAMAGED'],
    ['not-a-list', 'SOURCE_DAMAGED'],
    ['dies', 'SOURCE_UNREACHABLE'],
  ])('by %s is refused with %s', async (lie, code) => {
    const error = await failure(fetchWith(telling(lie), source));
    expect([error.code, error.message.includes('liar')]).toEqual([code, true]);
    expect(error.hint).not.toBe(null);
  });

  it.each(['escape', 'encoded-escape', 'absolute'])(
    'by %s gets no file outside of the skill',
    async (lie) => {
      const told = await fetchWith(telling(lie), source).catch((error: unknown) => error);
      const paths =
        told instanceof Error
          ? []
          : (told as Awaited<ReturnType<typeof fetchWith>>).packages.flatMap(({ files }) => [
              ...files.keys(),
            ]);
      expect(paths.filter((path) => path !== 'SKILL.md')).toEqual([]);
    },
  );

  it('by silence is given up on', async () => {
    const error = await failure(fetchWith(telling('silent', { idleMs: 1500, totalMs: 3000 }), source));
    expect(error.code).toBe('SOURCE_UNREACHABLE');
  });

  it('by an answer without end is stopped before it fills the memory', async () => {
    const before = process.memoryUsage.rss();
    const error = await failure(fetchWith(telling('endless'), source));
    expect(['SOURCE_UNREACHABLE', 'SOURCE_DAMAGED', 'SOURCE_LIMIT']).toContain(error.code);
    expect(process.memoryUsage.rss() - before).toBeLessThan(400 * 1024 * 1024);
  });
});
