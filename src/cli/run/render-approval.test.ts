import { describe, expect, it } from 'vitest';
import { renderQuestion } from './render-question.ts';

const render = (question: object): string =>
  renderQuestion({
    audience: 'operator',
    question: { type: 'approval', kind: 'command', reason: 'no pattern covers it', ...question } as never,
  }).join('\n');

describe('an approval', () => {
  it('shows for whom, what, and what it is given', () => {
    expect(
      render({
        skill: 'tidy',
        argv: ['sh', '-s'],
        cwd: 'src',
        stdin: 'echo one\nrm -rf ~ \u001B[2K\u001B[A\n',
      }),
    ).toBe(
      [
        'A command needs an approval:',
        '',
        '  sh -s',
        '',
        'of the skill tidy',
        'in src',
        'with 26 characters on its standard input:',
        '  | echo one',
        '  | rm -rf ~ \\u{1B}[2K\\u{1B}[A',
        'reason: no pattern covers it',
      ].join('\n'),
    );
  });

  it('bounds an input in the middle and shows its end', () => {
    const long = render({ skill: 'tidy', argv: ['sh'], stdin: `first\n${'x'.repeat(100_000)}\nlast order` });
    expect([
      long.length < 6000,
      long.includes('  | first\n'),
      long.includes('  | last order\n'),
      /characters and more left out/.test(long),
    ]).toEqual([true, true, true, true]);
    const lines = render({ skill: 'tidy', argv: ['sh'], stdin: `${'\n'.repeat(500)}last order` });
    expect([
      lines.split('\n').length < 60,
      lines.includes('  | last order\n'),
      lines.includes('lines omitted'),
    ]).toEqual([true, true, true]);
  });

  it('shows the variables and files of an entry point, and the arguments of a tool', () => {
    expect(
      render({
        skill: 'a',
        argv: ['x'],
        env: { MODE: 'fast' },
        pass_env: ['CI'],
        files: [{ path: 'in.json', content: '{}' }],
      }),
    ).toContain(
      'with the variable MODE:\n  | fast\nwith your variables CI\nafter writing the file in.json:\n  | {}\n',
    );
    expect(render({ kind: 'tool', skill: 'a', tool: 'mail__send', args: { to: 'b' } })).toContain(
      'A tool needs an approval:\n\n  mail__send {',
    );
  });
});
