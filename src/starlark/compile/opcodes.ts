// The instructions of the machine.
//
// An instruction is its number, then its operands, each a word of its own.
//
//   d  a register that is written          r  a register that is read (a variable, temporary, constant or name)
//   i  a plain number                      j  the place in the code to continue at
//   R  a count, then that many registers that are read
//   D  a count, then that many registers that are written
//
// opcodes#I1. The machine's `switch` must have literal labels (`case 7 /* ADD */:`): with labels that V8 must look up,
//   such as `case O.ADD`, it compares them one by one, and a loop took 10 times as long. A test holds the labels of
//   `vm/run-loop.ts` and this table together.
// What was measured for the encoding (2 million rounds of a loop of seven instructions): one word for each operand
// took 70 ms, the number and the first operand packed into one word 69 ms, two 16-bit operands in one word 89 ms. So
// nothing is packed, and no count of registers or constants is limited by the encoding.
// opcodes#I3. A product that is immediately reduced by `%` or `&` is one instruction with it: the step of a hash or of a
//   generator of random numbers leaves the small ints only in between, and as a bigint the product took five times as
//   long.
// A loop's test is below its body, so that one instruction a round (FOR) steps, assigns, charges and jumps.

const table = [
  // Variables
  'MOVE d r',
  'CHECK r', // fails if the local has no value yet
  'CLEAR d',
  'GET_GLOBAL d i',
  'SET_GLOBAL i r',
  'NEW_CELL d',
  'GET_CELL d r',
  'SET_CELL r r',
  'GET_FREE d i',
  'GET_NAME d r', // at a prompt: a variable of the shared scope
  'SET_NAME r r',
  // Arithmetic
  'ADD d r r',
  'SUBTRACT d r r',
  'MULTIPLY d r r',
  'DIVIDE d r r',
  'FLOOR_DIVIDE d r r',
  'MODULO d r r',
  'BIT_AND d r r',
  'BIT_OR d r r',
  'BIT_XOR d r r',
  'SHIFT_LEFT d r r',
  'SHIFT_RIGHT d r r',
  'MULTIPLY_AND d r r r', // a * b & m
  'MULTIPLY_MODULO d r r r', // a * b % m
  'MULTIPLY_ADD_AND d r r r r', // a * b + c & m
  'MULTIPLY_ADD_MODULO d r r r r', // a * b + c % m
  'ADD_IN_PLACE d r r',
  'SUBTRACT_IN_PLACE d r r',
  'BIT_AND_IN_PLACE d r r',
  'BIT_OR_IN_PLACE d r r',
  'BIT_XOR_IN_PLACE d r r',
  'NEGATE d r',
  'PLUS d r',
  'INVERT d r',
  'NOT d r',
  // Comparisons
  'EQUAL d r r',
  'NOT_EQUAL d r r',
  'LESS d r r',
  'LESS_EQUAL d r r',
  'GREATER d r r',
  'GREATER_EQUAL d r r',
  'IN d r r',
  'NOT_IN d r r',
  // Jumps
  'JUMP j',
  'JUMP_IF r j',
  'JUMP_UNLESS r j',
  'JUMP_EQUAL r r j',
  'JUMP_NOT_EQUAL r r j',
  'JUMP_LESS r r j',
  'JUMP_NOT_LESS r r j',
  'JUMP_LESS_EQUAL r r j',
  'JUMP_NOT_LESS_EQUAL r r j',
  'JUMP_GREATER r r j',
  'JUMP_NOT_GREATER r r j',
  'JUMP_GREATER_EQUAL r r j',
  'JUMP_NOT_GREATER_EQUAL r r j',
  'JUMP_IN r r j',
  'JUMP_NOT_IN r r j',
  // Making values
  'LIST d R',
  'LIST_EXTEND r R', // only of a list that the program cannot see yet
  'LIST_PUSH r r',
  'TUPLE d R',
  'TUPLE_OF d r', // a tuple with the items of a list that nothing else refers to
  'DICT d',
  'DICT_OF d R', // a short display: key, value, key, value …; a second equal key is an error
  'DICT_ENTRY r r r', // of a long display
  'DICT_PUT r r r',
  'CLOSURE d i R', // the function, the defaults
  // Parts of values
  'INDEX d r r',
  'SET_INDEX r r r',
  'SLICE d r r r r',
  'ATTRIBUTE d r i',
  'SET_ATTRIBUTE r i r',
  'UNPACK r D',
  // Loops
  'ITERATE d r',
  'FOR r d i j', // iterator, variable, steps of a round, the body
  'END_ITERATE r',
  // Calls: the result is the first operand, the callee the second
  'CALL d r R',
  'CALL_METHOD d r i R', // receiver, index into `methods`
  'CALL_NAMED d r i R', // index into `keywords`; the named arguments are the last
  'CALL_SPREAD d r i i r r R', // as CALL_NAMED; then 1 for a `*` and 2 for a `**`, and both
  'RETURN r',
  'LOAD d r',
  'LOAD_MEMBER d r r',
] as const;

type NameOf<Row extends string> = Row extends `${infer Name} ${string}` ? Name : Row;
export type OpcodeName = NameOf<(typeof table)[number]>;

interface Opcode {
  readonly name: OpcodeName;
  readonly operands: readonly string[];
}

/** Index: the number of the instruction. */
export const opcodes: readonly Opcode[] = table.map((row) => {
  const [name, ...operands] = row.split(' ');
  return { name: name as OpcodeName, operands };
});

export const opcodeNumber: Readonly<Record<OpcodeName, number>> = Object.fromEntries(
  opcodes.map(({ name }, index) => [name, index]),
) as Record<OpcodeName, number>;

/** The length of the instruction at `pc`, in words. */
export function instructionLength(code: Int32Array | readonly number[], pc: number): number {
  let at = pc + 1;
  for (const kind of (opcodes[code[pc] as number] as Opcode).operands) {
    at += kind === 'R' || kind === 'D' ? 1 + (code[at] as number) : 1;
  }
  return at - pc;
}

/** Calls `visit` with the kind and the position of each operand of the instruction at `pc`; a list is many. */
export function visitOperands(
  code: Int32Array | readonly number[],
  pc: number,
  visit: (kind: string, at: number) => void,
): void {
  let at = pc + 1;
  for (const kind of (opcodes[code[pc] as number] as Opcode).operands) {
    if (kind === 'R' || kind === 'D') {
      const count = code[at] as number;
      visit('i', at);
      for (let index = 1; index <= count; index += 1) visit(kind === 'R' ? 'r' : 'd', at + index);
      at += 1 + count;
    } else {
      visit(kind, at);
      at += 1;
    }
  }
}
