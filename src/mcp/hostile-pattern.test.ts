import { afterEach, expect, it } from 'vitest';
import type { TestService } from '../../test/support/mcp-service.ts';
import { openTestService, programSkill } from '../../test/support/mcp-service.ts';

let opened: TestService;

afterEach(() => opened.close());

// With a search that tries one way after the other, neither would ever be answered.
it.each(['^((a+))+$', '^a*a*a*b$'])(
  'answers a run and other clients, whatever the pattern: %s',
  async (pattern) => {
    opened = await openTestService({
      ...programSkill('slow', '    return "ran"\n', `inputs: {x: {type: string, pattern: '${pattern}'}}\n`),
      ...programSkill('plain', '    return "ran"\n'),
    });
    const [first, second] = [await opened.connect(), await opened.connect()];
    const [refused, ran] = await Promise.all([
      first.text('run_metaskill', { name: 'slow', input: { x: `${'a'.repeat(100_000)}!` } }),
      second.text('run_metaskill', { name: 'plain', input: {} }),
    ]);
    expect(refused).toContain('must match the pattern');
    expect(ran).toContain('"answer":"ran"');
  },
);
