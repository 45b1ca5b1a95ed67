import { describe, expect, it } from 'vitest';
import { scanFiles } from '../../test/support/guard.ts';
import type { Detector } from './detector.ts';
import type { Rule } from './rule.ts';

const rule: Rule = {
  code: 'MARKER',
  severity: 'medium',
  category: 'test',
  title: 'a marker',
  message: 'It has a marker.',
  hint: 'Remove it.',
};

const marker: Detector = {
  name: 'marker',
  findInText(text, _skill, report) {
    for (const view of text.views) {
      const at = view.text.indexOf('INERT-MARKER');
      if (at === -1) continue;
      report({
        rule: 'MARKER',
        path: text.path,
        start: view.rawOffset(at),
        end: view.rawOffset(at + 12),
        decoded: 'INERT-MARKER',
        hiddenBy: view.hiddenBy,
      });
    }
  },
};

describe('scanSkill', () => {
  it('gives a clean report of harmless text, with the digest of its manifest', () => {
    const report = scanFiles('# Tides\n\nRead the table.\n', { detectors: [marker], rules: [rule] });
    expect(report).toMatchObject({ verdict: 'clean', findings: [], notScanned: [], accepted: [] });
    expect(report.scanned.map(({ file }) => file)).toEqual(['SKILL.md']);
    expect(report.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it('says where a detector found something, once for each place', () => {
    const { verdict, findings } = scanFiles('one\ntwo INERT-MARKER\n', {
      detectors: [marker],
      rules: [rule],
    });
    expect(verdict).toBe('caution');
    expect(findings).toEqual([
      {
        rule: 'MARKER',
        severity: 'medium',
        file: 'SKILL.md',
        line: 6,
        column: 5,
        excerpt: 'INERT-MARKER',
        decoded: null,
        hiddenBy: [],
        message: 'It has a marker.',
        hint: 'Remove it.',
        fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      },
    ]);
  });

  it('names a text that costs too much, and still looks at the others', () => {
    const greedy: Detector = {
      name: 'greedy',
      findInText: ({ path }, _skill, _report, work) => {
        if (path === 'a.md') work.charge(Infinity);
      },
    };
    const { verdict, notScanned, findings } = scanFiles(
      { 'a.md': 'x', 'SKILL.md': 'INERT-MARKER' },
      { detectors: [greedy, marker], rules: [{ ...rule, severity: 'low' }] },
    );
    expect(verdict).toBe('incomplete');
    expect(notScanned.map(({ file, reason }) => [file, reason])).toEqual([['a.md', 'timed-out']]);
    expect(findings).toHaveLength(1);
  });

  it('is incomplete where a detector fails, and does not throw', () => {
    const broken: Detector = {
      name: 'broken',
      findInText: () => {
        throw new RangeError('too deep');
      },
    };
    const { verdict, notScanned } = scanFiles('x', { detectors: [broken], rules: [rule] });
    expect([verdict, notScanned[0]?.message]).toEqual(['incomplete', 'the scanner failed on it: too deep']);
  });
});
