// A number for a program that tells whether a snapshot was made with it. Not a digest: it can be forged.
import type { Program } from '../compile/program.ts';

const known = new WeakMap<Program, string>();

export function hashProgram(program: Program): string {
  let text = known.get(program);
  if (text === undefined) {
    text = compute(program);
    known.set(program, text);
  }
  return text;
}

function compute(program: Program): string {
  // Two FNV-1a hashes of 32 bits with unlike beginnings.
  let a = 0x811c9dc5;
  let b = 0x9dc5811c;
  const feed = (word: number) => {
    a = Math.imul(a ^ word, 0x01000193);
    b = Math.imul(b ^ word ^ (b >>> 15), 0x01000193);
  };
  const feedText = (text: string) => {
    for (let index = 0; index < text.length; index += 1) feed(text.charCodeAt(index));
    feed(-1);
  };
  feedText(program.profile);
  feedText(program.path);
  feedText(program.source);
  for (const name of program.predeclared) feedText(name);
  for (const { code, cost, registers } of program.functions) {
    feed(cost);
    feed(registers);
    for (const word of code) feed(word);
  }
  return `${(a >>> 0).toString(16).padStart(8, '0')}${(b >>> 0).toString(16).padStart(8, '0')}`;
}
