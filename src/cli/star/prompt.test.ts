import { describe, expect, it } from 'vitest';
import { completeName } from './prompt.ts';

const names = ['print', 'range', 'repr', 'reversed', 'größe', 'repr'];

describe('completeName', () => {
  it.each([
    ['', [['    '], '']],
    ['    ', [['    '], '']],
    ['re', [['repr', 'reversed'], 're']],
    ['x = [rang', [['range'], 'rang']],
    ['f(gr', [['größe'], 'gr']],
    ['x.re', [[], '']],
    ['x = ', [[], '']],
    ['12', [[], '']],
    ['nothing', [[], 'nothing']],
  ])('gives what may stand after %j', (before, found) => {
    expect(completeName(before, names)).toEqual(found);
  });
});
