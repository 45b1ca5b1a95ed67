// Events of a conversation -> lines on the screen.
//
// The text of the model goes to standard output; matches, calls and loaded skills go to standard error, dim. With --quiet only the
// answer and errors are shown. Text from models, skills and tools is printed with control characters escaped.
import { Writable } from 'node:stream';
import { cutToWidth } from '../../base/cut-text.ts';
import { unreachable } from '../../base/error.ts';
import type { JsonObject } from '../../base/json.ts';
import { printable, printableLine, renderJson } from '../../base/printable.ts';
import type { ChatEvent } from '../../chat/events.ts';
import type { Paint } from '../io.ts';
import { createPaint, columnsOf, Output } from '../io.ts';
import type { CommandContext } from '../context.ts';
import { argvText, countText } from '../run/describe-effect.ts';
import { WaitingLine } from './waiting-line.ts';

const shownMatches = 3;

export class ShowChat {
  readonly #context: CommandContext;
  readonly #paint: Paint;
  readonly #waiting: WaitingLine;
  #stream = new StreamText();
  /** The cursor is behind text of the model. */
  #called = '';
  #isMidLine = false;

  /** With `--json` nothing is shown: the value at the end has everything. */
  constructor(context: CommandContext) {
    this.#context = context.json
      ? {
          ...context,
          quiet: true,
          out: new Output(new Writable({ write: (_chunk, _encoding, done) => done() })),
        }
      : context;
    this.#paint = createPaint(context.colour && context.io.stderr.isTTY === true);
    this.#waiting = new WaitingLine(this.#context);
  }

  readonly onEvent = (event: ChatEvent): void => {
    switch (event.type) {
      case 'skills.matched': {
        const { matches, given, left } = event;
        const named = matches
          .slice(0, shownMatches)
          .map(({ skill, reason }) => (given.includes(skill) ? `${skill} (loaded)` : `${skill} (${reason})`));
        const others = given
          .filter((skill) => !matches.some((match) => match.skill === skill))
          .map((skill) => `${skill} (loaded)`);
        if (named.length + others.length > 0) this.#note(`skills: ${[...others, ...named].join(', ')}`);
        for (const { skill, reason } of left) this.#note(`${skill} was not loaded: ${reason}`);
        return;
      }
      case 'turn.started':
        return this.#waiting.start('thinking');
      case 'turn.text':
        this.#waiting.stop();
        this.#context.out.write(this.#stream.add(event.text));
        this.#isMidLine = true;
        return;
      case 'turn.ended':
        return this.endText();
      case 'call.made':
        this.endText();
        this.#called = event.tool;
        this.#note(describeChatCall(event.tool, event.args));
        if (event.tool !== 'run_metaskill') this.#waiting.start(event.tool);
        return;
      case 'call.ended': {
        this.#waiting.stop();
        const { ok, text, given } = event;
        if (!ok) this.#note(`  ✗ ${firstLine(text)}`);
        else if (given.length > 0) this.#note(`  loaded ${given.join(', ')}`);
        const [, id] =
          /\btechne proposals show (\w+)/.exec(ok && this.#called === 'skill_propose' ? text : '') ?? [];
        // The person decides, whatever the model says next.
        if (id !== undefined)
          this.#note(`  nothing changed yet; to review it: techne proposals accept ${id}`, false);
        return;
      }
      case 'history.compacting':
        this.endText();
        return this.#waiting.start('summarising the beginning of the conversation');
      case 'history.compacted': {
        this.#waiting.stop();
        const { beforeTokens, afterTokens, forgotten } = event;
        return this.#note(
          `the beginning was summarised: about ${countText(beforeTokens)} tokens are now ${countText(afterTokens)}${forgotten.length === 0 ? '' : `; no longer loaded: ${forgotten.join(', ')}`}`,
        );
      }
      default:
        unreachable(event);
    }
  };

  /** Called before other output, and before a question. */
  endText(): void {
    this.#waiting.stop();
    this.#context.out.write(this.#stream.rest());
    if (this.#isMidLine) this.#context.out.line();
    this.#isMidLine = false;
  }

  /** Live output of the current call. */
  readonly onOutput = (text: string): void => this.#waiting.hear(text);

  /** Shows that a silent operation is running. */
  wait(what: string): void {
    this.#waiting.start(what);
  }

  warn(message: string): void {
    this.endText();
    this.#context.err.line(`techne: ${printableLine(message)}`);
  }

  /** A message of several lines. */
  fault(message: string, hint: string | null): void {
    this.endText();
    this.#context.err.line(
      `techne: ${printable(message).trimEnd()}${hint === null ? '' : `\n  hint: ${printable(hint)}`}`,
    );
  }

  /** Never cut: it may contain a command to type. */
  note(message: string): void {
    this.endText();
    this.#note(message, false);
  }

  #note(text: string, isCut = true): void {
    const { err, io, quiet } = this.#context;
    if (quiet) return;
    const columns = columnsOf(io.stderr);
    const line = `· ${printableLine(text)}`;
    err.line(
      this.#paint.dim(columns === null || !isCut ? line : cutToWidth(line, Math.max(10, columns - 1))),
    );
  }
}

/** A call of the model in a few words. */
export function describeChatCall(tool: string, args: JsonObject | null): string {
  if (args === null) return `${tool} (arguments that are not a JSON object)`;
  const { argv, path, name, query } = args;
  if (tool === 'command' && Array.isArray(argv)) return `command ${argvText(argv)}`;
  const main = [path, name, query].find((value) => typeof value === 'string');
  if (main !== undefined) return `${tool} ${main as string}`;
  return `${tool} ${renderJson(args)}`;
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}

const graphemes = new Intl.Segmenter();

/** Makes chunks of text safe for a terminal. The last character of a chunk waits for the next chunk, which may combine with it. */
export class StreamText {
  #held = '';

  add(piece: string): string {
    const text = this.#held + piece;
    // Only combining marks could change an ASCII character, and they are rare.
    if (/[\u0020-\u007E\n]$/.test(text)) {
      this.#held = '';
      return printable(text);
    }
    const tail = text.slice(-64);
    const last = [...graphemes.segment(tail)].at(-1)?.segment ?? '';
    this.#held = last;
    return printable(text.slice(0, text.length - last.length));
  }

  rest(): string {
    const text = this.#held;
    this.#held = '';
    return printable(text);
  }
}
