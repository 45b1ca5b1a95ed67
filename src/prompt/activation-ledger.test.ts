import { describe, expect, it } from 'vitest';
import { ActivationLedger, defaultLedgerLimits } from './activation-ledger.ts';

describe('ActivationLedger', () => {
  it('has the limits of S2', () => {
    expect(defaultLedgerLimits).toEqual({ activations: 3, warnTokens: 10_000, capTokens: 30_000 });
  });

  it('lets exactly the cap through', () => {
    const ledger = new ActivationLedger();
    ledger.record('a', 'v', 20_000, 'explicit');
    expect(ledger.refusal('b', 10_000, 'explicit')).toBeNull();
    expect(ledger.refusal('b', 10_001, 'explicit')).toContain('30001 of 30000');
  });

  it('counts what the host gave in the tokens, not among the activations', () => {
    const ledger = new ActivationLedger({ activations: 1 });
    ledger.record('a', 'v', 100, 'suggested');
    ledger.record('b', 'v', 100, 'person');
    expect(ledger.refusal('c', 1, 'explicit')).toBeNull();
    expect(ledger.state()).toMatchObject({ explicit: 0, tokens: 200 });
    expect(ledger.refusal('c', 29_900, 'suggested')).toContain('30100 of 30000');
  });

  it('never refuses a person', () => {
    const ledger = new ActivationLedger({ activations: 0, capTokens: 0 });
    expect(ledger.refusal('a', 50_000, 'person')).toBeNull();
  });

  it('warns once', () => {
    const warnings: string[] = [];
    const ledger = new ActivationLedger({ warnTokens: 10 }, (message) => warnings.push(message));
    ledger.record('a', 'v', 9, 'explicit');
    ledger.record('b', 'v', 1, 'explicit');
    ledger.record('c', 'v', 1, 'explicit');
    expect(warnings).toEqual([
      'the skills loaded in this session have about 10 tokens; from 30000 on no further skill is loaded',
    ]);
  });

  it('counts a skill once, however often it is loaded', () => {
    const ledger = new ActivationLedger({ activations: 1, capTokens: 10 });
    ledger.record('a', 'v1', 10, 'explicit');
    ledger.forget('a');
    expect([ledger.isLoaded('a', 'v1'), ledger.isActive('a'), ledger.refusal('a', 10, 'explicit')]).toEqual([
      false,
      false,
      null,
    ]);
    ledger.record('a', 'v1', 10, 'explicit');
    expect(ledger.state()).toMatchObject({ explicit: 1, tokens: 10 });
  });

  it('takes another version for another body', () => {
    const ledger = new ActivationLedger();
    ledger.record('a', 'v1', 10, 'explicit');
    expect([ledger.isLoaded('a', 'v1'), ledger.isLoaded('a', 'v2')]).toEqual([true, false]);
  });

  it('tells of a preloaded body once', () => {
    const ledger = new ActivationLedger();
    expect([ledger.preload('a', 'v1'), ledger.preload('a', 'v1'), ledger.preload('a', 'v2')]).toEqual([
      true,
      false,
      true,
    ]);
    ledger.keepPreloaded(new Set());
    expect(ledger.isPreloaded('a')).toBe(false);
  });

  it('lists in a refusal the skills that it counts, and no others', () => {
    const ledger = new ActivationLedger({ activations: 2, capTokens: 100 });
    ledger.record('called', 'v', 10, 'person');
    ledger.record('a', 'v', 10, 'explicit');
    ledger.record('suggested', 'v', 10, 'suggested');
    ledger.record('b', 'v', 10, 'explicit');
    expect(ledger.refusal('c', 10, 'explicit')).toContain(
      '2 of 2 skills are loaded in this session (loaded: a, b)',
    );
    expect(ledger.refusal('d', 90, 'suggested')).toContain('130 of 100 (loaded: called, a, suggested, b)');
  });
});
