import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stem } from './stem.ts';

describe('stem', () => {
  it.each([
    ['calibrate', 'calibration', 'calibrating', 'calibrated', 'calibrates'],
    ['deploy', 'deployment', 'deploys', 'deploying', 'deployed'],
    ['optimize', 'optimise', 'optimization', 'optimisation', 'optimizer', 'optimizing'],
    ['query', 'queries', 'querying'],
    ['generate', 'generation', 'generator', 'generating', 'generates'],
    ['tune', 'tuning', 'tuned', 'tunes'],
    ['run', 'running', 'runs'],
  ])('gives %s and its forms one stem', (...forms) => {
    expect(new Set(forms.map(stem)).size).toBe(1);
  });

  it.each([
    ['general', 'generate'],
    ['generic', 'generate'],
    ['server', 'serve'],
  ])('tells %s from %s', (a, b) => {
    expect(stem(a)).not.toBe(stem(b));
  });

  it.each(['by', 'h264', 'naïve', '部署', '', '__proto__', 'a'.repeat(41)])('leaves %j as it is', (word) => {
    expect(stem(word)).toBe(word);
  });

  it('never fails, never lengthens a word by more than one letter, and is pure', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{0,45}$/), (word) => {
        const once = stem(word);
        expect(once.length).toBeLessThanOrEqual(word.length + 1);
        expect(stem(word)).toBe(once);
      }),
    );
  });
});
