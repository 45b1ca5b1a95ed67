// A yes or no from a person at the terminal.
//
// What was typed or pasted before the question was there is no answer to it, and is dropped; also the beginning of a line,
// which the system keeps to itself until the line has an end.
import { createInterface } from 'node:readline';
import { TechneError } from '../base/error.ts';
import type { CommandContext } from './context.ts';

/** Nothing more is waiting when nothing has come for so long. */
const quietMs = 50;
/** Whoever goes on typing is asked all the same. */
const longestMs = 2_000;

/** Throws TRUST_NEEDS_PERSON where there is no terminal to ask at. Anything but yes is no. */
export async function askPerson({ io, err }: CommandContext, question: string): Promise<boolean> {
  requireTerminal(io);
  await dropPending(io.stdin);
  if (io.stdin.readableEnded) return false;
  err.write(`${question} [y/N] `);
  await err.flush();
  // Without `terminal` the line is edited by the system, and Ctrl-C ends the process as everywhere else.
  const lines = createInterface({ input: io.stdin, terminal: false });
  const answer = await new Promise<string>((done) => {
    lines.once('line', done);
    lines.once('close', () => done(''));
  });
  lines.close();
  io.stdin.pause();
  return /^y(?:es)?$/i.test(answer.trim());
}

/** `stay`: keys go on being read one by one, until whoever asked for that ends it. */
export async function dropPending(stdin: CommandContext['io']['stdin'], stay = false): Promise<void> {
  if (stdin.readableEnded) return;
  let interrupted = false;
  // Key by key, so that a line without an end can be read, too. Ctrl-C is a key then.
  stdin.setRawMode?.(true);
  try {
    await new Promise<void>((resolve) => {
      const longest = setTimeout(end, longestMs);
      let quiet = setTimeout(end, quietMs);
      function drop(chunk: Buffer | string): void {
        interrupted ||= chunk.toString().includes('\u0003');
        clearTimeout(quiet);
        quiet = setTimeout(end, quietMs);
      }
      function end(): void {
        clearTimeout(longest);
        clearTimeout(quiet);
        stdin.off('data', drop);
        stdin.pause();
        resolve();
      }
      stdin.on('data', drop);
    });
  } finally {
    if (!stay) stdin.setRawMode?.(false);
  }
  if (interrupted) pressInterrupt();
}

/** Ctrl-C as the system would have it, where it came as a key. */
export function pressInterrupt(): void {
  process.kill(process.pid, 'SIGINT');
}

/** Somebody reads what we write and can type an answer. */
export function isAtTerminal(io: CommandContext['io']): boolean {
  return io.stdin.isTTY === true && io.stderr.isTTY === true;
}

/** For what an agent that called techne must not decide: whether a command may run, and what became of one. */
export function requirePerson(io: CommandContext['io'], what: string, hint: string): void {
  if (isAtTerminal(io)) return;
  throw new TechneError('PERSON_NEEDED', `${what} by a person at a terminal, and this is not one`, { hint });
}

export function requireTerminal(io: CommandContext['io']): void {
  if (isAtTerminal(io)) return;
  throw new TechneError(
    'TRUST_NEEDS_PERSON',
    'trust is granted by a person at a terminal, and this is not one',
    {
      hint: 'run it in a terminal, or list the folder under "trust.folders" in ~/.techne/config.json',
    },
  );
}
