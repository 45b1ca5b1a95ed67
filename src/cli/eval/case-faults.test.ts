import { afterEach, describe, expect, it } from 'vitest';
import type { World } from '../../../test/support/run-cli.ts';
import { createWorld, skillText } from '../../../test/support/run-cli.ts';

let world: World;
afterEach(() => world.remove());

describe('a file of cases with errors', () => {
  const diagnostic = {
    code: 'SCRIPT_VALUE',
    severity: 'error',
    path: expect.stringContaining('bad.yaml') as string,
    line: 2,
    message: expect.any(String) as string,
  };

  it.each([['triggers'], ['activation'], ['output']])(
    'is one JSON value of eval %s with --json, and text without',
    async (kind) => {
      world = createWorld({
        'work/.techne/skills/tides/SKILL.md': skillText('tides', 'Tells tides. Use for tides.'),
        'work/script.yaml': 'chat: [nothing]\n',
        'work/bad.yaml': 'cases:\n  - {message: 5, expected: tides}\n',
      });
      const argv = [
        'eval',
        kind,
        'bad.yaml',
        ...(kind === 'triggers' ? [] : ['--answer', 'script:script.yaml']),
      ];
      const { code, out, err } = await world.run([...argv, '--json']);
      expect([code, JSON.parse(out), err]).toEqual([
        1,
        { ok: false, diagnostics: [expect.objectContaining(diagnostic)] },
        '',
      ]);
      expect(await world.run(argv)).toMatchObject({
        code: 1,
        out: '',
        err: expect.stringContaining('bad.yaml:2:') as string,
      });
    },
  );

  it('tells of skills that are not there, with their lines', async () => {
    world = createWorld({
      'work/.techne/skills/tides/SKILL.md': skillText('tides', 'Tells tides. Use for tides.'),
      'work/script.yaml': 'chat: [nothing]\n',
      'work/cases.yaml': 'cases:\n  - {message: hi, expected: tide, kind: rubric, rubric: [Good.]}\n',
    });
    const { code, out } = await world.run([
      'eval',
      'output',
      'cases.yaml',
      '--answer',
      'script:script.yaml',
      '--json',
    ]);
    expect([code, JSON.parse(out)]).toEqual([
      1,
      {
        ok: false,
        diagnostics: [
          {
            code: 'SCRIPT_VALUE',
            severity: 'error',
            path: `${world.workspace}/cases.yaml`,
            line: 2,
            column: null,
            endLine: null,
            endColumn: null,
            message: 'there is no skill "tide"',
            hint: 'did you mean "tides"?',
          },
        ],
      },
    ]);
  });
});
