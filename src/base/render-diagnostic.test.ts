import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collectInto, type Diagnostic } from './diagnostic.ts';
import { displayWidth } from './cut-text.ts';
import { renderDiagnostic } from './render-diagnostic.ts';

function fault(text: string, marked: string, hint?: string): Diagnostic {
  const into: Diagnostic[] = [];
  const start = text.indexOf(marked);
  collectInto(into, 'SKILL.md')('FIELD_VALUE', { start, end: start + marked.length }, 'is wrong', hint);
  return into[0] as Diagnostic;
}

describe('renderDiagnostic', () => {
  it('gives place, code, message, line, carets and hint', () => {
    const text = '---\nname: tides\nrisk: hugh\n---\n';
    expect(renderDiagnostic(fault(text, 'hugh', 'one of low, medium, high'), text)).toBe(
      'SKILL.md:3:7: warning FIELD_VALUE: is wrong\n  risk: hugh\n        ^^^^\n  hint: one of low, medium, high',
    );
  });

  it('leaves out place and excerpt when the text is not at hand', () => {
    expect(renderDiagnostic(fault('abc', 'b'), null)).toBe('SKILL.md: warning FIELD_VALUE: is wrong');
  });

  it('leaves out the place when the fault is about the whole file', () => {
    expect(renderDiagnostic({ ...fault('abc', 'b'), span: null }, 'abc')).toBe(
      'SKILL.md: warning FIELD_VALUE: is wrong',
    );
  });

  it('marks an empty span with one caret', () => {
    expect(renderDiagnostic({ ...fault('abc', 'b'), span: { start: 3, end: 3 } }, 'abc')).toBe(
      'SKILL.md:1:4: warning FIELD_VALUE: is wrong\n  abc\n     ^',
    );
  });

  it('shows no excerpt of a blank line', () => {
    expect(renderDiagnostic({ ...fault('abc', 'b'), span: { start: 0, end: 0 } }, '\nabc')).toBe(
      'SKILL.md:1:1: warning FIELD_VALUE: is wrong',
    );
  });

  it('marks a span of several lines to the end of its first line', () => {
    const text = 'a: {b,\nc}\n';
    expect(renderDiagnostic(fault(text, '{b,\nc}'), text)).toBe(
      'SKILL.md:1:4: warning FIELD_VALUE: is wrong\n  a: {b,\n     ^^^',
    );
  });

  it('puts the carets under wide characters', () => {
    const text = '名前: 潮汐 x';
    expect(renderDiagnostic(fault(text, '潮汐'), text)).toBe(
      'SKILL.md:1:5: warning FIELD_VALUE: is wrong\n  名前: 潮汐 x\n        ^^^^',
    );
  });

  it('puts the carets under what follows a tab', () => {
    const text = 'a\tb: c';
    expect(renderDiagnostic(fault(text, 'b'), text)).toBe(
      'SKILL.md:1:3: warning FIELD_VALUE: is wrong\n  a   b: c\n      ^',
    );
  });

  it('writes control and bidi characters as escapes, also in path, message and hint', () => {
    const text = 'a: \u001B[2J\u202Eevil';
    const shown = renderDiagnostic(
      { ...fault(text, '\u001B', 'h\u001B]0;x\u0007'), path: 'x\u009By/SKILL.md', message: 'm\u001B[31m\nn' },
      text,
    );
    expect(shown).toBe(
      'x\\u{9B}y/SKILL.md:1:4: warning FIELD_VALUE: m\\u{1B}[31m n\n  a: \\u{1B}[2J\\u{202E}evil\n     ^^^^^^\n  hint: h\\u{1B}]0;x\\u{7}',
    );
  });

  it('cuts a long line around the span', () => {
    const text = `${'a'.repeat(300)}BAD${'c'.repeat(300)}`;
    expect(renderDiagnostic(fault(text, 'BAD'), text, { width: 33 })).toBe(
      `SKILL.md:1:301: warning FIELD_VALUE: is wrong\n  …aaaaaaaaaBAD${'c'.repeat(19)}…\n            ^^^`,
    );
  });

  it('uses the room that a short end leaves', () => {
    const text = `${'a'.repeat(300)}BAD`;
    expect(renderDiagnostic(fault(text, 'BAD'), text, { width: 13 })).toBe(
      'SKILL.md:1:301: warning FIELD_VALUE: is wrong\n  …aaaaaaaaaBAD\n            ^^^',
    );
  });

  it('colours place, severity and carets when asked', () => {
    expect(renderDiagnostic(fault('abc', 'b'), 'abc', { colour: true })).toBe(
      '\u001B[1mSKILL.md:1:2\u001B[0m: \u001B[33mwarning\u001B[0m FIELD_VALUE: is wrong\n  abc\n  \u001B[33m ^\u001B[0m',
    );
  });

  it('never prints a raw control character and never exceeds the width', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.nat(300), fc.nat(300), (text, a, b) => {
        const shown = renderDiagnostic(
          { ...fault('abc', 'b'), span: { start: Math.min(a, b), end: Math.max(a, b) } },
          text,
          { width: 60 },
        );
        expect(shown).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/);
        for (const line of shown.split('\n').slice(1)) expect(displayWidth(line)).toBeLessThanOrEqual(62);
      }),
    );
  });

  it('takes no longer for a line of megabytes', () => {
    const text = `${'a'.repeat(5_000_000)}BAD${'c'.repeat(5_000_000)}`;
    expect(renderDiagnostic(fault(text, 'BAD'), text).split('\n')).toHaveLength(3);
  });
});

describe('displayWidth', () => {
  it('counts wide characters twice, marks not at all and joined emoji once', () => {
    expect([
      displayWidth('abc'),
      displayWidth('é'),
      displayWidth('e\u0301'),
      displayWidth('潮汐'),
      displayWidth('👩‍💻'),
      displayWidth('⚠️'),
    ]).toEqual([3, 1, 1, 4, 2, 1]);
  });
});
