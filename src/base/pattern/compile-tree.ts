// The tree of a pattern -> the instructions of automata, one for the pattern and one for each look-around in it.
//
// Repeats are written out, so the size is known before anything is made. A look-around is compiled once, however often a
// repeat writes it out. Places and look-arounds depend on the position alone, so that an automaton runs backwards when
// its sequences are turned around.
import { characterTest } from './character-test.ts';
import type { CharacterTest } from './character-test.ts';
import type { LookNode, PatternNode, PatternPlace } from './parse-pattern.ts';

export type Instruction =
  | { readonly op: 'one'; readonly fits: CharacterTest }
  | { readonly op: 'fork'; readonly to: number; readonly or: number }
  | { readonly op: 'place'; readonly place: PatternPlace }
  | { readonly op: 'look'; readonly look: number; readonly negative: boolean }
  | { readonly op: 'match' };

export interface Automaton {
  readonly instructions: readonly Instruction[];
  /** It reads the text from its end. */
  readonly backwards: boolean;
}

export interface Automata {
  readonly main: Automaton;
  /** Each uses only looks before it. */
  readonly looks: readonly Automaton[];
}

/** How many instructions the tree makes, looks included. Can be infinite. */
export function sizeOf(node: PatternNode): number {
  const sum = (nodes: readonly PatternNode[]): number =>
    nodes.reduce((total, inner) => total + sizeOf(inner), 0);
  switch (node.kind) {
    case 'one':
    case 'place':
      return 1;
    case 'sequence':
      return sum(node.parts);
    case 'choice':
      return sum(node.branches) + 2 * (node.branches.length - 1);
    case 'look':
      return 1 + sizeOf(node.body);
    case 'repeat': {
      const size = sizeOf(node.body);
      if (size === 0 || node.max === 0) return 0;
      return node.max === Infinity ? (node.min + 1) * size + 2 : node.max * (size + 1);
    }
  }
}

export function compileTree(tree: PatternNode): Automata {
  const looks: Automaton[] = [];
  const tests = new Map<string, CharacterTest>();
  const testOf = (source: string): CharacterTest => {
    const test = tests.get(source) ?? characterTest(source);
    tests.set(source, test);
    return test;
  };
  const known = new Map<LookNode, number>();
  const indexOf = (look: LookNode): number => {
    const index = known.get(look);
    if (index !== undefined) return index;
    // What lies ahead of a position is found by a search from the end of the text.
    looks.push(compile(look.body, look.ahead, testOf, indexOf));
    known.set(look, looks.length - 1);
    return looks.length - 1;
  };
  const main = compile(tree, false, testOf, indexOf);
  return { main, looks };
}

function compile(
  tree: PatternNode,
  backwards: boolean,
  testOf: (source: string) => CharacterTest,
  indexOf: (look: LookNode) => number,
): Automaton {
  const made: Instruction[] = [];
  const fork = (): number => made.push({ op: 'fork', to: 0, or: 0 }) - 1;
  const join = (at: number, to: number, or: number): void => {
    made[at] = { op: 'fork', to, or };
  };
  const emit = (node: PatternNode): void => {
    switch (node.kind) {
      case 'one':
        made.push({ op: 'one', fits: testOf(node.source) });
        return;
      case 'place':
        made.push({ op: 'place', place: node.place });
        return;
      case 'look':
        made.push({ op: 'look', look: indexOf(node), negative: node.negative });
        return;
      case 'sequence':
        for (const part of backwards ? node.parts.toReversed() : node.parts) emit(part);
        return;
      case 'choice': {
        const ends: number[] = [];
        for (const branch of node.branches.slice(0, -1)) {
          const start = fork();
          emit(branch);
          ends.push(fork());
          join(start, start + 1, made.length);
        }
        emit(node.branches.at(-1) as PatternNode);
        for (const end of ends) join(end, made.length, made.length);
        return;
      }
      case 'repeat':
        repeat(node.body, node.min, node.max);
    }
  };
  const repeat = (body: PatternNode, min: number, max: number): void => {
    if (sizeOf(body) === 0 || max === 0) return;
    for (let done = 0; done < min; done += 1) emit(body);
    if (max === Infinity) {
      const start = fork();
      emit(body);
      const end = fork();
      join(start, start + 1, made.length);
      join(end, start, start);
      return;
    }
    const starts: number[] = [];
    for (let done = min; done < max; done += 1) {
      starts.push(fork());
      emit(body);
    }
    for (const start of starts) join(start, start + 1, made.length);
  };
  emit(tree);
  made.push({ op: 'match' });
  return { instructions: made, backwards };
}
