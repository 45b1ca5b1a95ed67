import { describe, expect, it } from 'vitest';
import { AbortSource } from './abort.ts';

describe('AbortSource', () => {
  it('aborts once, and keeps the first reason', () => {
    const linked = new AbortSource(new AbortController().signal);
    const told: string[] = [];
    linked.signal.addEventListener('abort', () => told.push(`first ${String(linked.signal.reason)}`));
    linked.abort('a');
    linked.abort('b');
    expect(told).toEqual(['first a']);
    expect(linked.signal.aborted).toBe(true);
  });

  it('aborts with its parent, also with one that has aborted already, until it is closed', () => {
    const parent = new AbortController();
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
