// What a person types at the terminal, as an answer to a question that has just been shown.
//
// Y1. What was typed or pasted before the question is no answer to it, and is dropped: also a line that was begun and has
//     no end yet.
// Y2. One question at a time; a second one waits for its turn.
// Y3. Ends at once when the signal aborts.
// Y4. A text ends with a line that is only ".", or with Ctrl-D on an empty line; empty lines are part of it. Ctrl-D before
//     anything was typed is null.
import { createInterface } from 'node:readline';
import type { Abort } from '../../base/abort.ts';
import { dropPending, pressInterrupt } from '../ask-person.ts';
import type { CommandContext } from '../context.ts';

export interface Typing {
  /** Writes everything above the line that is typed on. */
  readonly show: () => void;
  readonly prompt: string;
  /** `line`: up to the first line end. `text`: Y4. */
  readonly until: 'line' | 'text';
  /** Words that are the whole answer when the first line is one of them. */
  readonly alone?: readonly string[];
}

export interface Typed {
  readonly text: string;
  /** Several lines that came at once, or what the terminal says was pasted. */
  readonly pasted: boolean;
}

let turn: Promise<unknown> = Promise.resolve();

export function readTyped(context: CommandContext, typing: Typing, signal: Abort): Promise<Typed | null> {
  const mine = turn.then(() => read(context, typing, signal));
  turn = mine.catch(() => undefined);
  return mine;
}

/** Has the terminal put pasted text between marks; those that do not know how ignore it. */
const markPastes = '\u001B[?2004h';
const leavePastes = '\u001B[?2004l';
const looksPasted = /\u001B\[200~|[\r\n][^]/;

async function read(context: CommandContext, typing: Typing, signal: Abort): Promise<Typed | null> {
  const { stdin } = context.io;
  if (signal.aborted) throw new Error('stopped');
  try {
    // What is typed as soon as the question is there is read in the same way as what follows.
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
  // Only where keys are read one by one does Ctrl-D end an answer without ending the input for good.
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
        // The cursor stands behind the question.
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
