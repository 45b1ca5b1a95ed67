import { describe, expect, it } from 'vitest';
import { entrypointOf, splitWords } from './entrypoint.ts';

describe('splitWords', () => {
  it.each([
    ['python {baseDir}/x.py', ['python', '{baseDir}/x.py']],
    ['a  "b c" \'d "e\' f\\ g', ['a', 'b c', 'd "e', 'f g']],
    ['run {{ with.a | default("x y") }} z', ['run', '{{ with.a | default("x y") }}', 'z']],
    ['', []],
    ['a ""', ['a', '']],
  ])('%s', (text, words) => {
    expect(splitWords(text)).toEqual(words);
  });

  it('gives null for a quote that is never closed', () => {
    expect(splitWords('a "b')).toBeNull();
  });
});

describe('entrypointOf', () => {
  it('reads every key, with defaults', () => {
    expect(entrypointOf({ command: 'python x.py' })).toEqual({ command: ['python', 'x.py'], args: [], env: {}, stdin: null, assemble: [], cwd: null, parse: 'text', timeoutMs: 60_000 });
    expect(entrypointOf({ command: 'python', args: ['--n', 3], env: { A: '1', B: null }, stdin: '{{ with.x }}', assemble: [{ into: 'a.txt', from_template: '{{ with.y }}' }], cwd: '.', parse: 'json', timeout: 1.5 })).toEqual({
      command: ['python'], args: ['--n', '3'], env: { A: '1' }, stdin: '{{ with.x }}', assemble: [{ into: 'a.txt', from: '{{ with.y }}' }], cwd: '.', parse: 'json', timeoutMs: 1500,
    });
  });

  it('is null where there is none, or none that could run', () => {
    expect([entrypointOf(undefined), entrypointOf(null), entrypointOf('python'), entrypointOf({}), entrypointOf({ command: '"x' })]).toEqual([null, null, null, null, null]);
  });
});
