import { describe, expect, it } from 'vitest';
import { scanFiles } from '../../test/support/guard.ts';
import { examplesOf, ruleEntries } from '../../test/support/rule-examples.ts';
import { allRules } from './all-rules.ts';
import { whyCostly } from './pattern-cost.ts';
import { compiledSets } from './patterns.ts';
import { concepts, conceptsOfReader, placeConcepts } from './prose/lexicon.ts';
import { conceptsOfSigns } from './prose/weigh/sign-patterns.ts';
import { detectorsVersion } from './rules/rules.ts';
import { rulesVersion } from './version.ts';

describe('allRules', () => {
  it('has codes of one form, each once', () => {
    const codes = allRules.map(({ code }) => code);
    expect(codes.filter((code) => !/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/.test(code))).toEqual([]);
    expect(new Set(codes).size).toBe(codes.length);
  });

  it('has one version, known without loading them', () => {
    expect(rulesVersion.split('.')[1]).toBe(detectorsVersion);
  });

  it('has examples of both kinds for each rule, and none for what is no rule', () => {
    const without = allRules.filter((rule) => {
      const { found, clean } = examplesOf(rule);
      return found.length === 0 || clean.length === 0;
    });
    expect(without.map(({ code }) => code)).toEqual([]);
    const codes = new Set(allRules.map(({ code }) => code));
    expect(ruleEntries.map(({ rule }) => rule).filter((code) => !codes.has(code))).toEqual([]);
  });

  it('names only concepts that the lexicon or the reader knows', () => {
    const known = new Set([...Object.keys(concepts), ...placeConcepts]);
    const named = [
      ...allRules.flatMap(({ sentences }) =>
        (sentences ?? []).flatMap((one) => one.match(/[A-Z][A-Z_]+/g) ?? []),
      ),
      ...conceptsOfSigns,
    ];
    expect(named.filter((concept) => !known.has(concept))).toEqual([]);
    const used = new Set([...named, ...conceptsOfReader]);
    expect(Object.keys(concepts).filter((concept) => !used.has(concept))).toEqual([]);
  });

  describe.each(allRules.map((rule) => [rule.code, rule] as const))('%s', (code, rule) => {
    const { found, clean } = examplesOf(rule);
    const isLow = rule.severity === 'low' || rule.severity === 'info';
    // What is only talked about is reported as `low`, and changes no verdict.
    const codes = (files: Parameters<typeof scanFiles>[0]): readonly string[] =>
      scanFiles(files)
        .findings.filter(({ severity }) => isLow || (severity !== 'low' && severity !== 'info'))
        .map((finding) => finding.rule);

    it.each(found.map(({ files }) => [files]))('finds example %#', (files) => {
      expect(codes(files)).toContain(code);
    });

    it.each(clean.map(({ files }) => [files]))('does not find counter-example %#', (files) => {
      expect(codes(files)).not.toContain(code);
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
