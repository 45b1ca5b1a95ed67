import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPlaces, mapTexts } from './places.ts';

const here = {
  skills: '/home/w.1/.cache/techne/sets/abc/files',
  workspace: '/home/w.1/.cache/techne/work/x/RUN',
};
const { toHere, toRecord } = createPlaces(here);

describe('createPlaces', () => {
  it.each([
    ['/techne/workspace', here.workspace],
    ['--out=/techne/workspace/a.txt', `--out=${here.workspace}/a.txt`],
    ['cat "/techne/skills/tides/x" /techne/workspace', `cat "${here.skills}/tides/x" ${here.workspace}`],
    ['/techne/workspaces', '/techne/workspaces'],
    ['https://example.org/techne/skills/x', 'https://example.org/techne/skills/x'],
    ['/srv/techne/workspace', '/srv/techne/workspace'],
  ])('translates %j', (recorded, local) => {
    expect(toHere(recorded)).toBe(local);
    expect(toRecord(local)).toBe(recorded);
  });

  it('takes the folder of another run for what it is, and dots as dots', () => {
    expect(toRecord(`${here.workspace}2/a`)).toBe(`${here.workspace}2/a`);
    expect(toRecord(here.workspace.replace('w.1', 'wx1'))).toBe('/home/wx1/.cache/techne/work/x/RUN');
  });

  it('gives back whatever text was translated', () => {
    const word = fc.constantFrom(
      '/techne/skills',
      '/techne/workspace',
      '/',
      ' ',
      'a',
      '.txt',
      ':',
      '"',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), (words) => {
        const text = words.join('');
        expect(toRecord(toHere(text))).toBe(text);
      }),
    );
  });

  it('reaches every text of a value, and no prototype', () => {
    const value = JSON.parse('{"__proto__": ["/techne/workspace/a"], "n": 1, "o": {"p": null}}') as never;
    expect(JSON.stringify(mapTexts(value, toHere))).toBe(
      `{"__proto__":["${here.workspace}/a"],"n":1,"o":{"p":null}}`,
    );
  });
});
