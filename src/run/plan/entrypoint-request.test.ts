import { describe, expect, it } from 'vitest';
import type { Entrypoint } from '../../plan/entrypoint.ts';
import { entrypointOf } from '../../plan/entrypoint.ts';
import { commandOfEntrypoint } from './entrypoint-request.ts';
import { execOutcome } from './exec-outcome.ts';
import { printed } from '../../../test/support/fake-run-host.ts';

const skill = {
  name: 'pdf',
  digest: 'sha256:1',
  folder: '/skills/my pdf; rm',
  trusted: true,
  content: 'sha256:c',
};

/** `{{ name }}` by its value. */
function made(
  json: { [key: string]: unknown },
  values: { readonly [name: string]: string } = {},
  more: Partial<typeof skill> = {},
): unknown {
  const entrypoint = entrypointOf(json as never) as Entrypoint;
  const all: { readonly [name: string]: string } = { baseDir: skill.folder, ...values };
  const render = (template: string): string =>
    template.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (_whole, name: string) => all[name] ?? '');
  const request = commandOfEntrypoint({
    entrypoint,
    skill: { ...skill, ...more },
    declaredEnv: ['API_KEY', 'LD PRELOAD', 'MODE'],
    render,
  });
  return request.ok ? request.request : request.message;
}

describe('commandOfEntrypoint', () => {
  it('parts the command before anything is put into it, so that no value adds a word', () => {
    expect(
      made(
        { command: 'python {baseDir}/run.py --title "{{ title }}" {{ mode }}', args: ['{{ text }}', '-'] },
        { title: 'a b" --evil', mode: 'x y; z', text: '{baseDir} $(id)\n' },
      ),
    ).toMatchObject({
      argv: [
        'python3',
        '/skills/my pdf; rm/run.py',
        '--title',
        'a b" --evil',
        'x y; z',
        '{baseDir} $(id)\n',
        '-',
      ],
      parse: 'text',
      timeout_ms: 60_000,
      base: {
        skill: 'pdf',
        digest: 'sha256:1',
        folder: '/skills/my pdf; rm',
        trusted: true,
        content: 'sha256:c',
      },
    });
  });

  it('holds everything that will run: environment, input, files, folder, time', () => {
    expect(
      made(
        {
          command: 'run',
          env: { MODE: '{{ mode }}', EMPTY: '{{ none }}' },
          stdin: 'in {{ mode }}',
          cwd: 'out/{{ mode }}',
          parse: 'json',
          timeout: 900,
          assemble: [{ into: 'out/{{ mode }}.md', from_template: '# {{ mode }}' }],
        },
        { mode: 'x' },
      ),
    ).toEqual({
      argv: ['run'],
      parse: 'json',
      timeout_ms: 900_000,
      base: expect.anything() as unknown,
      env: { MODE: 'x' },
      pass_env: ['API_KEY'],
      stdin: 'in x',
      cwd: 'out/x',
      files: [{ path: 'out/x.md', content: '# x' }],
    });
    // An untrusted skill gets no variables.
    expect(made({ command: 'run' }, {}, { trusted: false })).not.toHaveProperty('pass_env');
  });

  it('refuses what cannot or must not run', () => {
    expect(made({ command: '{{ none }}' })).toBe('the entry point of pdf: the command is empty');
    expect(made({ command: 'run', args: ['{{ a }}'] }, { a: 'a\0b' })).toBe(
      'the entry point of pdf: an argument holds a NUL character',
    );
    expect(made({ command: 'run', args: ['{{ a }}'] }, { a: 'x'.repeat(200_000) })).toContain(
      'more than 100000 characters',
    );
    expect(
      made({ command: 'run', assemble: [{ into: '../{{ a }}', from_template: 'x' }] }, { a: 'b' }),
    ).toContain('leads out of the workspace');
    expect(
      made({ command: 'run', assemble: [{ into: '{{ a }}', from_template: 'x' }] }, { a: 'x/../../y' }),
    ).toContain('leads out of the workspace');
  });
});

describe('execOutcome', () => {
  const limits = { commandUnits: 1_000 };
  const of = (outcome: Parameters<typeof execOutcome>[1], parse = 'text'): unknown =>
    execOutcome('pdf', outcome, { timeoutMs: 2_000 }, parse, limits);

  it('gives what was printed, as it was promised', () => {
    expect(of(printed('one\ntwo\n'))).toEqual({
      ok: true,
      value: { text: 'one\ntwo', value: null, truncated: false },
    });
    expect(of(printed('one\n\ntwo\n'), 'lines')).toEqual({
      ok: true,
      value: { text: 'one\n\ntwo', value: ['one', '', 'two'], truncated: false },
    });
    expect(of(printed('{"a": [1]}\n'), 'json')).toMatchObject({ ok: true, value: { value: { a: [1] } } });
    expect(of(printed('{"__proto__": 1}'), 'json')).toMatchObject({ ok: true });
  });

  it('fails for anything else, and says what was printed, short and without secrets', () => {
    expect(of({ ...printed('out', 3), stderr: 'no key sk-abcdefghijklmnop given\n' })).toEqual({
      ok: false,
      code: 'EXEC_FAILED',
      message: 'pdf: it ended with exit code 3: no key [secret] given',
    });
    expect(of(printed('only this', 1))).toMatchObject({
      code: 'EXEC_FAILED',
      message: 'pdf: it ended with exit code 1: only this',
    });
    expect(
      (of({ ...printed('', 1), stderr: 'x'.repeat(5_000) }) as { message: string }).message.length,
    ).toBeLessThan(600);
    expect(of({ ...printed(''), timedOut: true, exitCode: null })).toMatchObject({
      code: 'EXEC_TIMEOUT',
      message: 'pdf: it took longer than 2 s',
    });
    expect(of({ ...printed(''), started: false, fault: 'there is no program "x"' })).toMatchObject({
      code: 'EXEC_FAILED',
      message: 'pdf: there is no program "x"',
    });
    expect(of({ ...printed(''), signal: 'SIGKILL', exitCode: null })).toMatchObject({
      code: 'EXEC_FAILED',
      message: 'pdf: it was ended by SIGKILL',
    });
    expect(of(printed('not json'), 'json')).toMatchObject({ code: 'EXEC_OUTPUT' });
    expect(of({ ...printed('[1'), truncated: true }, 'json')).toMatchObject({
      code: 'EXEC_OUTPUT',
      message: 'pdf: it printed more than can be read as json',
    });
  });
});
