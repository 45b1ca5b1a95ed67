// What a person types at the terminal, as an answer to a question that has just been shown.
//
// Y1. What was typed before the question is no answer to it, and is dropped.
// Y2. One question at a time; a second one waits for its turn.
// Y3. Ends at once when the signal aborts. The end of the input (Ctrl-D) before anything was typed is null.
import { createInterface } from 'node:readline';
import type { Abort } from '../../base/abort.ts';
import { dropPending } from '../ask-person.ts';
import type { CommandContext } from '../context.ts';

export interface Typing {
  readonly show: () => void;
  /** `line`: up to the first line end. `text`: up to an empty line. */
  readonly until: 'line' | 'text';
}

let turn: Promise<unknown> = Promise.resolve();

export function readTyped(context: CommandContext, typing: Typing, signal: Abort): Promise<string | null> {
  const mine = turn.then(() => read(context, typing, signal));
  turn = mine.catch(() => undefined);
  return mine;
}

async function read({ io, err }: CommandContext, { show, until }: Typing, signal: Abort): Promise<string | null> {
  if (signal.aborted) throw new Error('stopped');
  await dropPending(io.stdin);
  show();
  await err.flush();
  if (io.stdin.readableEnded) return null;
  // Without `terminal` the line is edited by the system, and Ctrl-C reaches the process as everywhere else.
  const lines = createInterface({ input: io.stdin, terminal: false });
  const typed: string[] = [];
  try {
    const answer = await new Promise<string | null>((resolve, reject) => {
      const stop = (): void => {
        // The cursor stands behind the question.
        err.line();
        reject(new Error('stopped'));
      };
      signal.addEventListener('abort', stop);
      lines.on('line', (line) => {
        if (until === 'line') resolve(line);
        else if (line.trim() === '' && typed.length > 0) resolve(typed.join('\n'));
        else if (line.trim() !== '' || typed.length > 0) typed.push(line);
      });
      lines.once('close', () => {
        signal.removeEventListener('abort', stop);
        resolve(typed.length > 0 ? typed.join('\n') : null);
      });
    });
    if (answer === null) err.line();
    return answer;
  } finally {
    lines.close();
    io.stdin.pause();
  }
}
