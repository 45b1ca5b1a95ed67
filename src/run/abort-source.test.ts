import { describe, expect, it } from 'vitest';
import { AbortSource } from './abort-source.ts';

describe('AbortSource', () => {
  it('aborts once, tells each listener once, and keeps the first reason', () => {
    const source = new AbortSource();
    const told: string[] = [];
    source.signal.addEventListener('abort', () => told.push(`first ${String(source.signal.reason)}`));
    source.abort('a');
    source.abort('b');
    expect(told).toEqual(['first a']);
    expect(source.signal.aborted).toBe(true);
  });

  it('aborts with its parent, also with one that has aborted already', () => {
    const parent = new AbortSource();
    const child = new AbortSource(parent.signal);
    const closed = new AbortSource(parent.signal);
    closed.close();
    parent.abort('over');
    expect([
      child.signal.reason,
      closed.signal.aborted,
      new AbortSource(parent.signal).signal.reason,
    ]).toEqual(['over', false, 'over']);
  });
});
