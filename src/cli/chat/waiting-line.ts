// One redrawn line while an operation runs; it disappears as soon as something else is shown. At a terminal only.
//
// It shows the last line of the live output, and keeps no more of the output than that.
import { cutToWidth } from '../../base/cut-text.ts';
import { printableLine } from '../../base/printable.ts';
import type { CommandContext } from '../context.ts';
import { columnsOf } from '../io.ts';
import { durationText } from '../run/describe-effect.ts';

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const redrawMs = 120;
/** Faster operations show no line. */
const afterMs = 250;
/** The most characters kept of the output. */
const keptUnits = 1000;
const clearLine = '\r\u001B[K';

export class WaitingLine {
  readonly #context: Pick<CommandContext, 'io' | 'err'>;
  readonly #isShowing: boolean;
  #timer: NodeJS.Timeout | null = null;
  #text = '';
  #output = '';
  #sinceMs = 0;
  #frame = 0;
  #isDrawn = false;

  constructor(context: Pick<CommandContext, 'io' | 'err' | 'quiet'>) {
    this.#context = context;
    this.#isShowing = !context.quiet && context.io.stderr.isTTY === true && context.io.env['TERM'] !== 'dumb';
  }

  start(text: string): void {
    this.stop();
    if (!this.#isShowing) return;
    this.#text = text;
    this.#output = '';
    this.#sinceMs = performance.now();
    this.#timer = setInterval(() => this.#draw(), redrawMs);
    this.#timer.unref();
  }

  /** Adds live output. */
  hear(output: string): void {
    if (this.#timer !== null) this.#output = (this.#output + output).slice(-keptUnits);
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    if (this.#isDrawn) this.#context.err.write(clearLine);
    this.#isDrawn = false;
  }

  #draw(): void {
    const ms = performance.now() - this.#sinceMs;
    if (ms < afterMs) return;
    this.#frame = (this.#frame + 1) % frames.length;
    const width = Math.max(10, (columnsOf(this.#context.io.stderr) ?? 80) - 1);
    const said = lastLine(this.#output);
    this.#context.err.write(
      clearLine +
        cutToWidth(
          `${frames[this.#frame]} ${this.#text} · ${durationText(ms)} · Ctrl-C stops${said === '' ? '' : ` · ${said}`}`,
          width,
        ),
    );
    this.#isDrawn = true;
  }
}

/** The last line that is not empty; of a line that is overwritten, as by progress bars, the newest text. */
export function lastLine(output: string): string {
  return printableLine(
    output
      .split(/[\r\n]+/)
      .findLast((line) => line.trim() !== '')
      ?.trim() ?? '',
  );
}
