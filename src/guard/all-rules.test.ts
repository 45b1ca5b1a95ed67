import { describe, expect, it } from 'vitest';
import { scanFiles } from '../../test/support/guard.ts';
import { allRules } from './all-rules.ts';
import { whyCostly } from './pattern-cost.ts';
import { compiledSets } from './patterns.ts';

describe('allRules', () => {
  it('has codes of one form, each once', () => {
    const codes = allRules.map(({ code }) => code);
    expect(codes.filter((code) => !/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/.test(code))).toEqual([]);
    expect(new Set(codes).size).toBe(codes.length);
  });

  it('has examples of both kinds for each rule', () => {
    expect(allRules.filter(({ found, clean }) => found.length === 0 || clean.length === 0)).toEqual([]);
  });

  describe.each(allRules.map((rule) => [rule.code, rule] as const))('%s', (code, { found, clean }) => {
    it.each(found)('finds example %#', ({ files }) => {
      expect(scanFiles(files).findings.map(({ rule }) => rule)).toContain(code);
    });

    it.each(clean)('does not find counter-example %#', ({ files }) => {
      expect(scanFiles(files).findings.map(({ rule }) => rule)).not.toContain(code);
    });
  });
});

describe('whyCostly', () => {
  it('passes every pattern of every rule', () => {
    const costly = compiledSets
      .flatMap(({ patterns }) => patterns)
      .map(({ id, regex }) => [id, regex.source, whyCostly(regex)])
      .filter(([, , why]) => why !== null);
    expect(costly).toEqual([]);
  });

  it.each([
    [/a+b/, 'it has a repeat without an upper bound'],
    [/(?:a{0,5}b{0,5}){0,50}/, 'it repeats something that can itself be matched in several ways too often'],
    [/.{0,200}x.{0,200}y.{0,200}/, 'it can try 8120601 ways from one place, more than 200000'],
    [/(a)\1/, 'it uses a reference inside the pattern'],
  ])('refuses %s', (regex, why) => {
    expect(whyCostly(regex)).toBe(why);
  });

  it.each([
    /curl[^|\n]{0,200}\|\s{0,8}(?:ba|z|da)?sh/i,
    /\b(?:ignore|disregard|forget)\b.{0,80}\binstructions/s,
  ])('passes %s', (regex) => {
    expect(whyCostly(regex)).toBe(null);
  });
});
