import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Output } from '../io.ts';
import { lastLine, WaitingLine } from './waiting-line.ts';

describe('lastLine', () => {
  it('is the newest text of a line, safe for a terminal', () => {
    expect(lastLine('one\ntwo\n\n')).toBe('two');
    expect(lastLine('10 %\r20 %\r')).toBe('20 %');
    expect(lastLine('a\u001B[2Jb')).not.toContain('\u001B');
    expect(lastLine('')).toBe('');
  });
});

describe('WaitingLine', () => {
  it('shows the last line of what comes, at a terminal', async () => {
    const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
    const line = new WaitingLine({ io: { stderr, env: {} } as never, err: new Output(stderr), quiet: false });
    line.start('command');
    line.hear(`${'x'.repeat(5000)}\ncompiling a.ts`);
    line.hear(' and b.ts\n');
    await sleep(600);
    line.stop();
    expect((stderr.read() as Buffer).toString()).toMatch(
      /command · .* · Ctrl-C stops · compiling a\.ts and b\.ts/,
    );
  });
});
