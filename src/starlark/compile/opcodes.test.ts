import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { instructionLength, opcodeNumber, opcodes, visitOperands } from './opcodes.ts';

describe('opcodes', () => {
  const labels = [
    ...readFileSync(new URL('../vm/run-loop.ts', import.meta.url), 'utf8').matchAll(/^ *case (.*):/gm),
  ].map(([, label]) => label as string);

  it('are the literal labels of the loop, in order (opcodes#I1)', () => {
    const known = opcodes.map(({ name }, index) => `${index} /* ${name} */`);
    expect(labels).toEqual(known.filter((label) => labels.includes(label)));
    expect(labels.length).toBeGreaterThan(20);
  });

  it('have distinct names', () => {
    expect(Object.keys(opcodeNumber)).toHaveLength(opcodes.length);
  });
});

describe('instructionLength', () => {
  it('counts the operands, and those of a list', () => {
    expect(instructionLength([opcodeNumber.ADD, 1, 2, 3], 0)).toBe(4);
    expect(instructionLength([opcodeNumber.CALL, 1, 2, 3, 4, 5, 6], 0)).toBe(7);
    expect(instructionLength([opcodeNumber.UNPACK, 1, 0], 0)).toBe(3);
  });
});

describe('visitOperands', () => {
  it('tells the kind of each operand, a list as many', () => {
    const seen: string[] = [];
    visitOperands([opcodeNumber.CALL_SPREAD, 9, 8, 0, 3, 7, 6, 2, 5, 4], 0, (kind, at) =>
      seen.push(`${kind}${at}`),
    );
    expect(seen).toEqual(['d1', 'r2', 'i3', 'i4', 'r5', 'r6', 'i7', 'r8', 'r9']);
  });
});
