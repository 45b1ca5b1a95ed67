// How much a RegExp can cost at one place of a text.
//
//   pattern -> the number of ways it can try from one place, or why that has no bound
//
// A backtracking search tries a way at a time. With every repeat bounded the ways from one place are bounded too; their number is
// estimated from the tree: ways of a sequence multiply; ways of a choice add up where its branches can begin with the same character; a
// repeat of a thing with one way has one way for each count. What repeats a thing that has several ways itself is refused when
// it is not small. A look-around counts like a part of the sequence.
import type { PatternNode } from '../base/pattern/parse-pattern.ts';
import { parsePattern } from '../base/pattern/parse-pattern.ts';

const maxWays = 200_000;

/** `null`: it is cheap enough. Else why not, in a sentence for the author of the rule. */
export function whyCostly(regex: RegExp): string | null {
  // The reader knows the dialect with the flag `u`; without the flag some escapes are allowed that it would refuse.
  const tree = parsePattern(regex.source);
  if (typeof tree === 'string') return `it uses a ${tree} inside the pattern`;
  try {
    const ways = waysOf(tree);
    return ways > maxWays ? `it can try ${ways} ways from one place, more than ${maxWays}` : null;
  } catch (error) {
    if (error instanceof Unbounded) return error.message;
    throw error;
  }
}

class Unbounded extends Error {}

function waysOf(node: PatternNode): number {
  switch (node.kind) {
    case 'one':
    case 'place':
      return 1;
    case 'look':
      return waysOf(node.body);
    case 'sequence':
      return node.parts.reduce((ways, part) => ways * waysOf(part), 1);
    case 'choice':
      return waysOfChoice(node.branches);
    case 'repeat': {
      if (!Number.isFinite(node.max)) throw new Unbounded('it has a repeat without an upper bound');
      const inner = waysOf(node.body);
      if (inner === 1) return node.max - node.min + 1;
      // 1 + inner + inner² + … ways.
      let ways = 0;
      for (let count = node.min, power = inner ** node.min; count <= node.max; count += 1, power *= inner) {
        ways += power;
        if (ways > maxWays)
          throw new Unbounded('it repeats something that can itself be matched in several ways too often');
      }
      return ways;
    }
  }
}

/** Branches that begin with different characters exclude each other. */
function waysOfChoice(branches: readonly PatternNode[]): number {
  const byStart = new Map<string, number>();
  let always = 0;
  for (const branch of branches) {
    const start = firstCharacter(branch);
    if (start === null) always += waysOf(branch);
    else byStart.set(start, (byStart.get(start) ?? 0) + waysOf(branch));
  }
  return always + Math.max(0, ...byStart.values());
}

/** The one character that everything it matches begins with; `null` where there may be several. */
function firstCharacter(node: PatternNode): string | null {
  switch (node.kind) {
    case 'one':
      return /^[^.[\\\]]$/u.test(node.source) ? node.source.toLowerCase() : null;
    case 'sequence': {
      const first = node.parts.find(({ kind }) => kind !== 'place');
      return first === undefined ? null : firstCharacter(first);
    }
    case 'repeat':
      return node.min > 0 ? firstCharacter(node.body) : null;
    case 'choice':
    case 'place':
    case 'look':
      return null;
  }
}
