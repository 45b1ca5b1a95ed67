import { describe, expect, it } from 'vitest';
import { headOf, skillWith } from '../../test/support/plan-texts.ts';
import { nodeFrontmatter } from '../node/yaml.ts';
import { checkEntrypoint } from './compile-plan.ts';
import { entrypointOf, splitCommandWords } from './entrypoint.ts';
import { emptyWorld } from './world.ts';

describe('splitWords', () => {
  it.each([
    ['python {baseDir}/x.py', ['python', '{baseDir}/x.py']],
    ['a  "b c" \'d "e\' f\\ g', ['a', 'b c', 'd "e', 'f g']],
    ['run {{ with.a | default("x y") }} z', ['run', '{{ with.a | default("x y") }}', 'z']],
    ['', []],
    ['a ""', ['a', '']],
  ])('%s', (text, words) => {
    expect(splitCommandWords(text)).toEqual(words);
  });

  it('gives null for a quote that is never closed', () => {
    expect(splitCommandWords('a "b')).toBeNull();
  });
});

describe('entrypointOf', () => {
  it('reads every key, with defaults', () => {
    expect(entrypointOf({ command: 'python x.py' })).toEqual({
      command: ['python', 'x.py'],
      args: [],
      env: {},
      stdin: null,
      assemble: [],
      cwd: null,
      parse: 'text',
      timeoutMs: 60_000,
    });
    expect(
      entrypointOf({
        command: 'python',
        args: ['--n', 3],
        env: { A: '1', B: null },
        stdin: '{{ with.x }}',
        assemble: [{ into: 'a.txt', from_template: '{{ with.y }}' }],
        cwd: '.',
        parse: 'json',
        timeout: 1.5,
      }),
    ).toEqual({
      command: ['python'],
      args: ['--n', '3'],
      env: { A: '1' },
      stdin: '{{ with.x }}',
      assemble: [{ into: 'a.txt', from: '{{ with.y }}' }],
      cwd: '.',
      parse: 'json',
      timeoutMs: 1500,
    });
  });

  it('is null where there is none, or none that could run', () => {
    expect([
      entrypointOf(undefined),
      entrypointOf(null),
      entrypointOf('python'),
      entrypointOf({}),
      entrypointOf({ command: '"x' }),
    ]).toEqual([null, null, null, null, null]);
  });
});

describe('checkEntrypoint', () => {
  const told = (lines: string): readonly string[] => {
    const text = skillWith(`entrypoint:\n  command: python x.py\n${lines.replace(/^(?=.)/gm, '  ')}`);
    const found: string[] = [];
    checkEntrypoint(
      { head: headOf(text), frontmatter: nodeFrontmatter(text), world: emptyWorld },
      (code, _at, message, hint) => found.push(`${code} ${message} (${hint})`),
    );
    return found;
  };

  it('is content with what the step gives, and with facts of the run', () => {
    expect(
      told(
        'args: [--q, "{{ with.q }}", --out, "{{ inputs.workspace_dir }}/x", "{{ baseDir }}"]\nstdin: "{{ with.text }}"\n',
      ),
    ).toEqual([]);
  });

  it('says that a skill may not set what programs are loaded by, and keeps it for the host to refuse', () => {
    expect(told('env: {PYTHONPATH: "{baseDir}/lib", MODE: fast}\n')).toEqual([
      'PLAN_VALUE entrypoint: a skill may not set PYTHONPATH: it changes what Python loads or starts (give the program an argument, or a variable of another name)',
    ]);
    expect(entrypointOf({ command: 'x', env: { PATH: '/evil' } })?.env).toEqual({ PATH: '/evil' });
  });

  it('says what a value of the step is called', () => {
    expect(told('args: [--q, "{{ q }}"]\n')).toEqual([
      'PLAN_REFERENCE entrypoint: entrypoint.args[1]: nothing is named "q" (write with.q)',
    ]);
    expect(
      told(
        'env: {Q: "{{ inputs.q | slugify }}", A: "{{ outputs.a | slugify }}", B: "{{ inputs.get(\'b\', 1) | slugify }}"}\n',
      ),
    ).toEqual([
      'PLAN_REFERENCE_DOUBTFUL entrypoint: inputs.q belongs to the run that executes the skill, and may be missing (what the step gives is with.q)',
      'PLAN_REFERENCE_DOUBTFUL entrypoint: outputs.a belongs to the run that executes the skill, and may be missing (what the step gives is with.a)',
    ]);
  });

  it('keeps what the step gives out of code', () => {
    const text = skillWith('entrypoint: {command: bash -c, args: ["ls {{ with.q }}"]}\n');
    const found: string[] = [];
    checkEntrypoint({ head: headOf(text), frontmatter: nodeFrontmatter(text), world: emptyWorld }, (code) =>
      found.push(code),
    );
    expect(found).toEqual(['TAINT_COMMAND']);
  });
});
