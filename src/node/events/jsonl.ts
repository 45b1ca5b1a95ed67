// Events of runs and conversations -> lines of JSON in a file or a stream.
//
//   RunEvent | SkillEvent -> (without texts, unless asked for) -> one JSON object and a line end
//
// `onEvent` never throws and never waits: lines are queued within a bound and written in order. The first fault (a
// full disk, a closed pipe) is reported once and the run continues. Dropped events are counted, and a line
// {"type":"events.dropped","count":n} reports them when writing works again. Every line is complete: a partial one is
// ended before the next is written.
import * as fs from 'node:fs';
import type { SkillEvent } from '../../prompt/skill-loaded.ts';
import type { RunEvent } from '../../run/events.ts';
import { withoutContent } from './filter-event.ts';

/** Where the lines go, and what is in them. */
export interface JsonlEventsOptions {
  /** Appended to; made, for its owner only, when it is missing. Its folder must exist. */
  readonly target: string | JsonlStream;
  /** Whether texts of prompts, answers, commands and files are written too. Default: false. */
  readonly content?: boolean;
  /** Whether the file is made before the first event: a fault is reported immediately. Default: false. */
  readonly atOnce?: boolean;
  /** Called once, with the first fault. Must not throw. Default: none. */
  readonly onFault?: (error: Error) => void;
  /** Queued at most. Default: 8 MiB. */
  readonly maxQueuedUnits?: number;
}

/** What a Node stream has; it is not ended. */
export interface JsonlStream {
  write(text: string, done: (error?: Error | null) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** Takes events of runs, and of the skills of a conversation; a fault of it never reaches a run. */
export interface EventSink {
  readonly onEvent: (event: RunEvent | SkillEvent) => void;
  /** Resolves when everything so far was written or dropped. Never rejects. */
  flush(): Promise<void>;
  /** Flushes; events after it are ignored. Never rejects. */
  close(): Promise<void>;
}

/** Events as lines of JSON, in a file or a stream. */
export function createJsonlEvents(options: JsonlEventsOptions): EventSink {
  return new JsonlEvents(options);
}

interface Target {
  write(text: string): Promise<void>;
  close(): Promise<void>;
}

class JsonlEvents implements EventSink {
  readonly #content: boolean;
  readonly #maxQueuedUnits: number;
  readonly #onFault: (error: Error) => void;
  readonly #target: Target;
  #lines: string[] = [];
  #queuedUnits = 0;
  #dropped = 0;
  #torn = false;
  #told = false;
  #closed = false;
  #writing: Promise<void> | null = null;

  constructor(options: JsonlEventsOptions) {
    this.#content = options.content ?? false;
    this.#maxQueuedUnits = options.maxQueuedUnits ?? 8 * 1024 * 1024;
    this.#onFault = options.onFault ?? (() => {});
    this.#target =
      typeof options.target === 'string'
        ? fileTarget(options.target)
        : streamTarget(options.target, (error) => this.#report(error));
    if (options.atOnce === true) this.#writing = this.#write();
  }

  readonly onEvent = (event: RunEvent | SkillEvent): void => {
    if (this.#closed) return;
    const kept = this.#content || !('run' in event) ? event : withoutContent(event);
    if (kept === null) return;
    const line = `${JSON.stringify(kept)}\n`;
    if (this.#queuedUnits + line.length > this.#maxQueuedUnits) {
      this.#dropped += 1;
      this.#report(new Error(`more than ${this.#maxQueuedUnits} characters of events wait to be written`));
      return;
    }
    this.#lines.push(line);
    this.#queuedUnits += line.length;
    this.#writing ??= this.#write();
  };

  async flush(): Promise<void> {
    while (this.#writing !== null) await this.#writing;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.flush();
    // The last events may be those that are missing.
    if (this.#dropped > 0) await this.#write();
    await this.#target.close().catch((error: unknown) => this.#report(error));
  }

  async #write(): Promise<void> {
    // Events of one turn go out together.
    await Promise.resolve();
    do {
      const lines = this.#lines;
      const dropped = this.#dropped;
      this.#lines = [];
      const said = dropped === 0 ? '' : `${JSON.stringify({ type: 'events.dropped', count: dropped })}\n`;
      try {
        await this.#target.write((this.#torn ? '\n' : '') + said + lines.join(''));
        this.#torn = false;
        this.#dropped -= dropped;
      } catch (error) {
        this.#torn ||= said !== '' || lines.length > 0;
        this.#dropped += lines.length;
        this.#report(error);
      }
      this.#queuedUnits -= lines.reduce((sum, { length }) => sum + length, 0);
    } while (this.#lines.length > 0);
    this.#writing = null;
  }

  #report(error: unknown): void {
    if (this.#told) return;
    this.#told = true;
    this.#onFault(error instanceof Error ? error : new Error(String(error)));
  }
}

/** Opened with the first event, and again after a fault. */
function fileTarget(path: string): Target {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK } = fs.constants;
  let handle: fs.promises.FileHandle | null = null;
  const close = async (): Promise<void> => {
    const open = handle;
    handle = null;
    await open?.close();
  };
  return {
    async write(text) {
      try {
        // A FIFO without a reader is a fault; it is not waited for.
        handle ??= await fs.promises.open(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, 0o600);
        await handle.appendFile(text);
      } catch (error) {
        // The fault that matters is the first one.
        await close().catch(() => undefined);
        throw error;
      }
    },
    close,
  };
}

function streamTarget(stream: JsonlStream, onError: (error: Error) => void): Target {
  // Without a listener a closed pipe would end the process; also one that closes after the last write.
  stream.on('error', onError);
  return {
    write: (text) =>
      new Promise((resolve, reject) => {
        try {
          stream.write(text, (error) => (error === null || error === undefined ? resolve() : reject(error)));
        } catch (error) {
          reject(error as Error);
        }
      }),
    close: () => Promise.resolve(),
  };
}
