// A pattern that a skill brings -> a search that takes time in proportion to the text.
//
// RegExp tries one way after the other and can take exponential time. This engine follows all ways at once (decision
// 0019). It finds what RegExp finds with the flag `u`, except for patterns that refer back to a group.
import { compileTree, sizeOf } from './compile-tree.ts';
import type { Automata } from './compile-tree.ts';
import { parsePattern } from './parse-pattern.ts';
import { runAutomata } from './run-automata.ts';
import type { PatternWork } from './run-automata.ts';

export type { PatternWork } from './run-automata.ts';

const maxUnits = 2_000;
const maxInstructions = 10_000;

export interface Pattern {
  /** Whether it is found in `text`; `null` if `work` does not suffice. Each test takes its steps from `work`. */
  readonly test: (text: string, work: PatternWork) => boolean | null;
}

export interface PatternFault {
  /** As in "the pattern …". */
  readonly fault: string;
  readonly hint: string;
}

export function isPatternFault(pattern: Pattern | PatternFault): pattern is PatternFault {
  return 'fault' in pattern;
}

/** `null` if `source` is no regular expression. */
export function compilePattern(source: string): Pattern | PatternFault | null {
  if (!isRegularExpression(source)) return null;
  if (source.length > maxUnits)
    return {
      fault: `has ${source.length} characters, more than ${maxUnits}`,
      hint: 'write a shorter pattern',
    };
  const tree = parsePattern(source);
  if (tree === 'reference')
    return {
      fault: 'refers back to a group, which can take exponential time',
      hint: 'write what the group matches a second time',
    };
  if (tree === 'flags') return { fault: 'sets flags inside of itself', hint: 'write both cases, as in [Aa]' };
  const size = sizeOf(tree);
  if (size > maxInstructions)
    return {
      fault: `repeats too much: written out it has ${size === Infinity ? 'endless' : size} parts, more than ${maxInstructions}`,
      hint: 'use smaller numbers in {…}; maxLength bounds the length of a text',
    };
  let automata: Automata | null = null;
  return {
    test(text, work) {
      automata ??= compileTree(tree);
      const found = runAutomata(automata, text, work);
      return work.steps < 0 ? null : found;
    },
  };
}

/** Only its syntax is looked at: a RegExp takes its time when it searches. */
export function isRegularExpression(source: string): boolean {
  try {
    return new RegExp(source, 'u').unicode;
  } catch {
    return false; // the caller says so
  }
}
