// Reads one message at the terminal, with line editing, Tab completion, history and pasting.
//
// The editor owns the keyboard only while it reads: between messages Ctrl-C is a signal, and other code can read answers. A line
// that ends in a backslash continues on the next one. Pasted text is kept aside (paste.ts). Ctrl-C clears the line; on an empty
// line it is `interrupt`. Ctrl-D on an empty line is `end`.
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { CommandContext } from '../context.ts';
import { PasteFilter } from './paste.ts';

export type EditedLine =
  | { readonly kind: 'message'; readonly text: string }
  | { readonly kind: 'interrupt' }
  | { readonly kind: 'end' };

export interface LineEditor {
  read(): Promise<EditedLine>;
  /** Ends the current read with `end`. */
  stop(): void;
  /** Ends the current read with `interrupt`, for a Ctrl-C that arrived as a signal. False if nothing reads. */
  interrupt(): boolean;
  /** Newest first. */
  readonly history: readonly string[];
}

interface LineEditorOptions {
  readonly context: Pick<CommandContext, 'io' | 'err'>;
  readonly prompt: string;
  /** Newest first. */
  readonly history: readonly string[];
  /** The completions of a line, and the part that they replace. */
  readonly complete: (line: string) => readonly [readonly string[], string];
}

const historySize = 1000;
const more = '… ';
const pasteMarks = { on: '\u001B[?2004h', off: '\u001B[?2004l' };

export function createLineEditor({
  context: { io, err },
  prompt,
  history: kept,
  complete,
}: LineEditorOptions): LineEditor {
  let history: readonly string[] = kept;
  // Kept for the whole conversation, so that a recalled line has its pasted text.
  const filter = new PasteFilter();
  const idle = { stop: () => undefined, interrupt: () => false };
  let now: { readonly stop: () => void; readonly interrupt: () => boolean } = idle;

  async function read(): Promise<EditedLine> {
    const { stdin } = io;
    if (stdin.readableEnded || stdin.destroyed) return { kind: 'end' };
    const decoder = new StringDecoder('utf8');
    const setRawMode = stdin.setRawMode?.bind(stdin);
    const keys = Object.assign(new PassThrough(), {
      isTTY: true,
      ...(setRawMode === undefined ? {} : { setRawMode }),
    });
    const feed = (chunk: Buffer | string): void =>
      void keys.write(filter.keys(typeof chunk === 'string' ? chunk : decoder.write(chunk)));
    const ended = (): void => void keys.end();
    let early = false;
    now = { stop: () => undefined, interrupt: () => (early = true) };
    err.write(pasteMarks.on);
    await err.flush();
    const lines = createInterface({
      input: keys,
      output: io.stderr,
      terminal: true,
      prompt,
      history: [...history],
      historySize,
      removeHistoryDuplicates: true,
      completer: (line: string) => complete(line) as [string[], string],
    });
    lines.on('history', (newest: string[]) => {
      history = [...newest];
    });
    stdin.on('data', feed);
    stdin.once('end', ended);
    stdin.resume();
    const typed: string[] = [];
    try {
      return await new Promise<EditedLine>((resolve) => {
        lines.on('line', (line) => {
          typed.push(filter.expand(line.replace(/\\$/, '')));
          if (line.endsWith('\\')) {
            lines.setPrompt(more);
            lines.prompt();
          } else resolve({ kind: 'message', text: typed.join('\n') });
        });
        lines.on('SIGINT', () => {
          if (lines.line === '' && typed.length === 0) {
            err.line();
            return resolve({ kind: 'interrupt' });
          }
          err.line('^C');
          typed.length = 0;
          lines.write(null, { ctrl: true, name: 'e' });
          lines.write(null, { ctrl: true, name: 'u' });
          lines.setPrompt(prompt);
          lines.prompt();
        });
        lines.once('close', () => resolve({ kind: 'end' }));
        const interrupt = (): boolean => {
          resolve({ kind: 'interrupt' });
          return true;
        };
        now = { stop: () => lines.close(), interrupt };
        if (early) return interrupt();
        lines.prompt();
        return undefined;
      });
    } finally {
      now = idle;
      stdin.off('data', feed);
      stdin.off('end', ended);
      stdin.pause();
      lines.close();
      setRawMode?.(false);
      err.write(pasteMarks.off);
    }
  }

  return {
    read,
    stop: () => now.stop(),
    interrupt: () => now.interrupt(),
    get history() {
      return history;
    },
  };
}
