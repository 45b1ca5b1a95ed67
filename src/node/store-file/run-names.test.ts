import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ownerName, parseRunNames, segmentName } from './claims.ts';

const owner = { pid: 7, startedAt: '12.5', bootId: null, pidSpace: 'pid:[4]', host: 'a.b' };

describe('parseRunNames', () => {
  it('takes segments in the order of their numbers', () => {
    const names = ['journal.10', 'journal.9', 'journal.1', segmentName(2)];
    expect(parseRunNames(names)).toEqual({ epochs: [1, 2, 9, 10], owners: [] });
  });

  it('reads owners as they are written', () => {
    const name = ownerName(3, owner, 'token');
    expect(parseRunNames([name])).toEqual({
      epochs: [],
      owners: [{ name, epoch: 3, token: 'token', owner }],
    });
    fc.assert(
      fc.property(fc.string(), fc.option(fc.string()), (host, bootId) => {
        fc.pre(host !== '-' && bootId !== '-');
        const one = { ...owner, host, bootId };
        expect(parseRunNames([ownerName(1, one, 't')]).owners[0]?.owner).toEqual(one);
      }),
    );
  });

  it('ignores every other file', () => {
    const right = ownerName(3, owner, 'token').split('.');
    const others = [
      'journal.0',
      'journal.01',
      'journal.1.tmp',
      'xjournal.1',
      `journal.${'9'.repeat(16)}`,
      'inbox',
      ['other', ...right.slice(1)].join('.'),
      [...right, 'more'].join('.'),
      right.slice(0, -1).join('.'),
      ['owner', '0', ...right.slice(2)].join('.'),
      ['owner', '1.5', ...right.slice(2)].join('.'),
      ['owner', 'x', ...right.slice(2)].join('.'),
      ['owner', '1', '0', ...right.slice(3)].join('.'),
      ['owner', '1', 'x', ...right.slice(3)].join('.'),
      [...right.slice(0, 6), '-', 'host'].join('.'),
      [...right.slice(0, 7), '-'].join('.'),
      [...right.slice(0, 7), '%'].join('.'),
    ];
    expect(parseRunNames(others)).toEqual({ epochs: [], owners: [] });
  });
});
