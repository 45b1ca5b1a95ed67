// A yes or no from a person at the terminal.
//
// What was typed or pasted before the question was there is no answer to it, and is dropped.
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { TechneError } from '../base/error.ts';
import type { CommandContext } from './context.ts';

/** How long the system may take to hand over what is waiting. */
const pendingMs = 50;

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

const drop = (): void => undefined;

export async function dropPending(stdin: CommandContext['io']['stdin']): Promise<void> {
  stdin.on('data', drop);
  await sleep(pendingMs);
  stdin.off('data', drop);
  stdin.pause();
}

/** Somebody reads what we write and can type an answer. */
export function isAtTerminal(io: CommandContext['io']): boolean {
  return io.stdin.isTTY === true && io.stderr.isTTY === true;
}

export function requireTerminal(io: CommandContext['io']): void {
  if (isAtTerminal(io)) return;
  throw new TechneError('TRUST_NEEDS_PERSON', 'trust is granted by a person at a terminal, and this is not one', {
    hint: 'run it in a terminal, or list the folder under "trust.folders" in ~/.techne/config.json',
  });
}
