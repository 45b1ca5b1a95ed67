// The code of a compiled function as text.
import type { FunctionCode } from '../../src/starlark/compile/program.ts';
import { instructionLength, opcodes, visitOperands } from '../../src/starlark/compile/opcodes.ts';
import { Bytes, Float, type Value } from '../../src/starlark/value/value.ts';

/** One line for each instruction: `12 ADD total, total, 1`. */
export function disassemble(code: FunctionCode): string {
  const lines: string[] = [];
  for (let pc = 0; pc < code.code.length; pc += instructionLength(code.code, pc)) {
    const operands: string[] = [];
    visitOperands(code.code, pc, (kind, at) =>
      operands.push(operandText(code, kind, code.code[at] as number)),
    );
    lines.push(`${pc} ${opcodes[code.code[pc] as number]?.name} ${operands.join(', ')}`.trimEnd());
  }
  return lines.join('\n');
}

function operandText(code: FunctionCode, kind: string, operand: number): string {
  if (kind === 'i') return `#${operand}`;
  if (kind === 'j') return `->${operand}`;
  const constant = operand - code.registers;
  if (constant >= code.constants.length) return code.names[constant - code.constants.length]?.name ?? '?';
  if (constant >= 0) return constantText(code.constants[constant] as Value);
  return code.variables[operand] ?? `t${operand - code.variables.length}`;
}

function constantText(value: Value): string {
  if (value === null) return 'None';
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof Float) return `float ${value.value}`;
  if (value instanceof Bytes) return `bytes[${value.bytes.length}]`;
  return String(value as number | bigint | boolean);
}
