import { describe, expect, it } from 'vitest';
import { completeLine } from './complete-line.ts';

const words = { commands: ['help', 'exit'], slash: ['greet', 'help'], mentions: ['greet', 'tides'] };

describe('completeLine', () => {
  it('completes commands and skills at the start, mentions anywhere', () => {
    expect(completeLine('/', words)).toEqual([['/exit ', '/greet ', '/help '], '/']);
    expect(completeLine('/gr', words)).toEqual([['/greet '], '/gr']);
    expect(completeLine('look at $ti', words)).toEqual([['$tides '], '$ti']);
    expect(completeLine('$', words)).toEqual([['$greet ', '$tides '], '$']);
  });

  it('leaves other words alone', () => {
    for (const line of ['greet', 'see /gr', '/greet Ada', 'US$', '/usr/b'])
      expect(completeLine(line, words)).toEqual([[], line]);
  });
});
