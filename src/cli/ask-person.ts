// Asks a person at the terminal a yes-or-no question.
//
// Anything typed or pasted before the question is dropped, including an unfinished line that the terminal still buffers.
import { createInterface } from 'node:readline';
import { TechneError } from '../base/error.ts';
import type { CommandContext } from './context.ts';
import { isAtTerminal } from './io.ts';

/** Pending input has ended after this much silence. */
const quietMs = 50;
/** The question is asked after this long, even if input keeps coming. */
const longestMs = 2_000;

/** Throws TRUST_NEEDS_PERSON without a terminal. Anything but yes is no. */
export async function askPerson({ io, err }: CommandContext, question: string): Promise<boolean> {
  requireTerminal(io);
  await dropPending(io.stdin);
  if (io.stdin.readableEnded) return false;
  err.write(`${question} [y/N] `);
  await err.flush();
  // Without `terminal`, the system edits the line, and Ctrl-C ends the process as usual.
  const lines = createInterface({ input: io.stdin, terminal: false });
  const answer = await new Promise<string>((done) => {
    lines.once('line', done);
    lines.once('close', () => done(''));
  });
  lines.close();
  io.stdin.pause();
  return /^y(?:es)?$/i.test(answer.trim());
}

/** `stay`: the terminal stays in raw mode, and the caller ends it. */
export async function dropPending(stdin: CommandContext['io']['stdin'], stay = false): Promise<void> {
  if (stdin.readableEnded) return;
  let interrupted = false;
  // Raw mode also delivers an unfinished line. Ctrl-C is a key there.
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

/** Raises SIGINT for a Ctrl-C that arrived as a key. */
export function pressInterrupt(): void {
  process.kill(process.pid, 'SIGINT');
}

/** For decisions that a calling agent must not make: approvals, and calls with an unknown outcome. */
export function requirePerson(io: CommandContext['io'], what: string, hint: string): void {
  if (isAtTerminal(io)) return;
  throw new TechneError('PERSON_NEEDED', `${what} needs a person at a terminal`, { hint });
}

/** For what lets skills through: trust, keys, findings. */
export function requireTerminal(
  io: CommandContext['io'],
  what = 'granting trust',
  hint = 'run it in a terminal, or list the folder under "trust.folders" in ~/.techne/config.json',
): void {
  if (isAtTerminal(io)) return;
  throw new TechneError('TRUST_NEEDS_PERSON', `${what} needs a person at a terminal`, { hint });
}
