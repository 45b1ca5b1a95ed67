// Reads the answer that a person types to a question on the screen.
//
// Input from before the question is dropped, including an unfinished line. Questions are asked one at a time. Reading ends
// immediately when the signal aborts. A text ends with a line that is only ".", or with Ctrl-D on an empty line; empty lines are
// part of it. Ctrl-D before any input gives null.
import { createInterface } from 'node:readline';
import type { Abort } from '../../base/abort.ts';
import { dropPending, pressInterrupt } from '../ask-person.ts';
import type { CommandContext } from '../context.ts';

interface Typing {
  /** Writes everything above the input line. */
  readonly show: () => void;
  readonly prompt: string;
  /** `line`: up to the first line end. `text`: up to "." or Ctrl-D. */
  readonly until: 'line' | 'text';
  /** If the first line is one of these words, it is the whole answer. */
  readonly alone?: readonly string[];
}

interface Typed {
  readonly text: string;
  /** Several lines in one chunk, or text that the terminal marks as pasted. */
  readonly pasted: boolean;
}

let turn: Promise<unknown> = Promise.resolve();

export function readTyped(context: CommandContext, typing: Typing, signal: Abort): Promise<Typed | null> {
  const mine = turn.then(() => read(context, typing, signal));
  turn = mine.catch(() => undefined);
  return mine;
}

/** Asks the terminal to mark pasted text; terminals without support ignore it. */
const markPastes = '\u001B[?2004h';
const leavePastes = '\u001B[?2004l';
const looksPasted = /\u001B\[200~|[\r\n][^]/;

async function read(context: CommandContext, typing: Typing, signal: Abort): Promise<Typed | null> {
  const { stdin } = context.io;
  if (signal.aborted) throw new Error('stopped');
  try {
    // Raw mode stays on, so that the first keys after the question are read like all others.
    await dropPending(stdin, true);
    if (signal.aborted) throw new Error('stopped');
    return await readLines(context, typing, signal);
  } finally {
    stdin.setRawMode?.(false);
  }
}

async function readLines(
  { io, err }: CommandContext,
  { show, prompt, until, alone = [] }: Typing,
  signal: Abort,
): Promise<Typed | null> {
  show();
  if (io.stdin.readableEnded) {
    err.line();
    return null;
  }
  // Only in raw mode does Ctrl-D end an answer without ending standard input.
  const terminal = io.stdin.setRawMode !== undefined;
  if (terminal) err.write(markPastes);
  await err.flush();
  let pasted = false;
  const watch = (chunk: Buffer | string): void => {
    pasted ||= looksPasted.test(chunk.toString());
  };
  io.stdin.on('data', watch);
  const lines = createInterface({ input: io.stdin, output: io.stderr, terminal, historySize: 0, prompt });
  const typed: string[] = [];
  try {
    const text = await new Promise<string | null>((resolve, reject) => {
      const stop = (): void => {
        // The cursor is behind the question.
        err.line();
        reject(new Error('stopped'));
      };
      signal.addEventListener('abort', stop);
      lines.on('SIGINT', pressInterrupt);
      lines.on('line', (line) => {
        lines.setPrompt('');
        if (until === 'line' || (typed.length === 0 && alone.includes(line.trim().toLowerCase())))
          resolve(line);
        else if (line === '.') resolve(typed.join('\n'));
        else typed.push(line);
      });
      lines.once('close', () => {
        signal.removeEventListener('abort', stop);
        resolve(typed.length > 0 ? typed.join('\n') : null);
      });
      lines.prompt();
    });
    if (text === null) err.line();
    return text === null ? null : { text, pasted };
  } finally {
    lines.close();
    io.stdin.off('data', watch);
    io.stdin.pause();
    if (terminal) err.write(leavePastes);
  }
}
