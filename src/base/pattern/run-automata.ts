// Automata and a text -> whether the pattern is found in it.
//
// All ways through the pattern are followed at once, each instruction at most once for each character. So the time is
// bounded by the size of the pattern times the length of the text, whatever they are. A look-around is one search
// through the whole text, which notes where it holds. Nothing is allocated before it is charged.
import type { Automata, Automaton, Instruction } from './compile-tree.ts';
import type { PatternPlace } from './parse-pattern.ts';

type WaitingInstruction = Instruction & { readonly op: 'one' };

/** How much work may still be done. */
export interface PatternWork {
  steps: number;
}

/** Below zero `work.steps` says that the search was given up, and the answer means nothing. */
export function runAutomata({ main, looks }: Automata, text: string, work: PatternWork): boolean {
  // What is allocated is charged before: the characters, and a note for each position and look-around.
  if (!charge(work, text.length)) return false;
  const characters = charactersOf(text);
  const tables: Uint8Array[] = [];
  for (const look of looks) {
    if (!charge(work, characters.length + look.instructions.length)) return false;
    const holds = new Uint8Array(characters.length + 1);
    new Search(look, characters, tables, work).each((position) => {
      holds[position] = 1;
      return true;
    });
    tables.push(holds);
  }
  if (!charge(work, main.instructions.length)) return false;
  let found = false;
  new Search(main, characters, tables, work).each(() => {
    found = true;
    return false;
  });
  return found;
}

/** Whether that much work was left. */
function charge(work: PatternWork, steps: number): boolean {
  work.steps -= steps;
  return work.steps >= 0;
}

/** The code points of a text. */
function charactersOf(text: string): Uint32Array {
  const characters = new Uint32Array(text.length);
  let count = 0;
  for (let at = 0; at < text.length; count += 1) {
    const character = text.codePointAt(at) as number;
    characters[count] = character;
    at += character > 0xffff ? 2 : 1;
  }
  return characters.subarray(0, count);
}

class Search {
  readonly #automaton: Automaton;
  readonly #characters: Uint32Array;
  readonly #tables: readonly Uint8Array[];
  readonly #work: PatternWork;
  /** The last visit of each instruction. */
  readonly #visits: Uint32Array;
  readonly #open: number[] = [];
  #visit = 0;
  /** The instructions that wait for a character. */
  #waiting: number[] = [];
  #matched = false;

  constructor(
    automaton: Automaton,
    characters: Uint32Array,
    tables: readonly Uint8Array[],
    work: PatternWork,
  ) {
    this.#automaton = automaton;
    this.#characters = characters;
    this.#tables = tables;
    this.#work = work;
    this.#visits = new Uint32Array(automaton.instructions.length);
  }

  /** Calls `found` with every position at which a match ends, until it returns false. */
  each(found: (position: number) => boolean): void {
    const { backwards, instructions } = this.#automaton;
    const { length } = this.#characters;
    let waited: number[] = [];
    for (let read = 0; read <= length && this.#work.steps >= 0; read += 1) {
      const position = backwards ? length - read : read;
      this.#visit += 1;
      this.#matched = false;
      if (read > 0) {
        const character = this.#characters[backwards ? position : position - 1] as number;
        for (const at of waited)
          if ((instructions[at] as WaitingInstruction).fits(character)) this.#follow(at + 1, position);
        this.#work.steps -= waited.length;
      }
      this.#follow(0, position);
      if (this.#matched && !found(position)) return;
      const done = waited;
      waited = this.#waiting;
      this.#waiting = done;
      done.length = 0;
    }
  }

  /** Visits what can be reached from an instruction without reading a character. */
  #follow(from: number, position: number): void {
    const { instructions } = this.#automaton;
    const open = this.#open;
    open.push(from);
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (this.#visits[at] === this.#visit) continue;
      this.#visits[at] = this.#visit;
      this.#work.steps -= 1;
      const instruction = instructions[at] as Instruction;
      switch (instruction.op) {
        case 'one':
          this.#waiting.push(at);
          break;
        case 'fork':
          open.push(instruction.to, instruction.or);
          break;
        case 'place':
          if (this.#isAt(instruction.place, position)) open.push(at + 1);
          break;
        case 'look':
          if ((this.#tables[instruction.look]?.[position] === 1) !== instruction.negative) open.push(at + 1);
          break;
        case 'match':
          this.#matched = true;
      }
    }
  }

  #isAt(place: PatternPlace, position: number): boolean {
    if (place === 'start') return position === 0;
    if (place === 'end') return position === this.#characters.length;
    const changes = isWord(this.#characters[position - 1]) !== isWord(this.#characters[position]);
    return changes === (place === 'boundary');
  }
}

function isWord(character: number | undefined): boolean {
  return character !== undefined && character < 128 && /\w/.test(String.fromCharCode(character));
}
