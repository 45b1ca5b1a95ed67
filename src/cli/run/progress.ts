// What a run is doing, on standard error, while it does it.
//
// P1. At a terminal one line is redrawn: what is under way, for how long, and what of the budgets is used. Elsewhere a
//     line is written when a call begins and when it ends. With --quiet nothing is.
// P2. Everything that comes from a skill, a model or a command goes through the printer that is safe for terminals.
// P3. `hold` takes the line away while somebody is asked something.
import { cutToWidth } from '../../base/display-width.ts';
import { unreachable } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import type { RunEvent } from '../../run/events.ts';
import type { RunUsage } from '../../run/result.ts';
import type { CommandContext } from '../context.ts';
import { costText, countText, describeCall, durationText } from './describe-effect.ts';

export interface ProgressLimits {
  readonly asks: number;
  readonly commands: number;
}

export interface Progress {
  readonly onEvent: (event: RunEvent) => void;
  /** The limits are known once the run is. */
  setLimits(limits: ProgressLimits): void;
  hold(): void;
  release(): void;
  end(): void;
}

const redrawMs = 120;
const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const clearLine = '\r\u001B[K';

export function createProgress(context: CommandContext): Progress {
  const { quiet, io } = context;
  if (quiet) return { onEvent: () => {}, setLimits: () => {}, hold: () => {}, release: () => {}, end: () => {} };
  return io.stderr.isTTY === true && io.env['TERM'] !== 'dumb' ? new LiveLine(context) : new PlainLines(context);
}

/** `done in 2 ms`, `exit 3 in 2 ms`, `denied`, `cancelled`, `failed (CODE) in 2 ms`. */
function cameOf({ ok, code, note = null, ms }: Extract<RunEvent, { type: 'effect.ended' }>): string {
  if (note === 'denied' || note === 'not carried out') return note;
  if (code === 'CANCELLED') return 'cancelled';
  return `${ok ? (note ?? 'done') : `failed${code === null ? '' : ` (${code})`}`} in ${durationText(ms)}`;
}

class PlainLines implements Progress {
  readonly #context: CommandContext;
  readonly #calls = new Map<string, string>();
  readonly #startedMs = performance.now();

  constructor(context: CommandContext) {
    this.#context = context;
  }

  readonly onEvent = (event: RunEvent): void => {
    switch (event.type) {
      case 'run.started':
        return this.#line(event.parent === null ? `run ${event.run} of ${event.skill}` : `run ${event.run} of ${event.skill}, inside ${event.parent}`);
      case 'run.resumed':
        return this.#line(`run ${event.run} of ${event.skill} goes on`);
      case 'effect.started': {
        const call = describeCall(event.kind, event.request);
        this.#calls.set(`${event.run} ${event.key}`, call);
        return this.#line(`${event.key}  ${call}`);
      }
      case 'effect.ended':
        return this.#line(`${event.key}  ${this.#calls.get(`${event.run} ${event.key}`) ?? event.kind}: ${cameOf(event)}`);
      case 'question.asked':
        return this.#line(`${event.key}  waits for the ${event.audience}`);
      case 'question.answered':
      case 'answer.refused':
      case 'effect.text':
      case 'effect.undecided':
      case 'tool.failed':
      case 'skill.created':
      case 'budget.used':
      case 'trace.added':
      case 'run.paused':
      case 'run.ended':
        return;
      default:
        unreachable(event);
    }
  };

  setLimits(): void {}
  hold(): void {}
  release(): void {}
  end(): void {}

  #line(text: string): void {
    this.#context.err.line(`[${((performance.now() - this.#startedMs) / 1_000).toFixed(1)}s] ${printableLine(text)}`);
  }
}

class LiveLine implements Progress {
  readonly #context: CommandContext;
  /** In the order in which they began. */
  readonly #underWay = new Map<string, { readonly text: string; readonly sinceMs: number }>();
  readonly #startedMs = performance.now();
  readonly #timer: NodeJS.Timeout;
  #usage: RunUsage | null = null;
  #limits: ProgressLimits | null = null;
  #run: string | null = null;
  #frame = 0;
  #held = false;
  #isShown = false;

  constructor(context: CommandContext) {
    this.#context = context;
    this.#timer = setInterval(() => this.#draw(), redrawMs);
    this.#timer.unref();
  }

  readonly onEvent = (event: RunEvent): void => {
    switch (event.type) {
      case 'run.started':
      case 'run.resumed':
        this.#run ??= event.run;
        break;
      case 'effect.started':
        this.#underWay.set(`${event.run} ${event.key}`, { text: describeCall(event.kind, event.request), sinceMs: performance.now() });
        break;
      case 'effect.ended':
        this.#underWay.delete(`${event.run} ${event.key}`);
        break;
      case 'budget.used':
        if (event.run === this.#run) this.#usage = event.usage;
        break;
      case 'run.paused':
      case 'run.ended':
        for (const key of this.#underWay.keys()) if (key.startsWith(`${event.run} `)) this.#underWay.delete(key);
        break;
      case 'question.asked':
      case 'question.answered':
      case 'answer.refused':
      case 'effect.text':
      case 'effect.undecided':
      case 'tool.failed':
      case 'skill.created':
      case 'trace.added':
        return;
      default:
        unreachable(event);
    }
    this.#draw();
  };

  setLimits(limits: ProgressLimits): void {
    this.#limits = limits;
  }

  hold(): void {
    this.#held = true;
    this.#clear();
  }

  release(): void {
    this.#held = false;
  }

  end(): void {
    clearInterval(this.#timer);
    this.#held = true;
    this.#clear();
  }

  #clear(): void {
    if (this.#isShown) this.#context.err.write(clearLine);
    this.#isShown = false;
  }

  #draw(): void {
    if (this.#held) return;
    this.#frame = (this.#frame + 1) % frames.length;
    // Some terminals do not know how wide they are and say 0.
    const columns = this.#context.io.stderr.columns || 80;
    this.#context.err.write(clearLine + cutToWidth(this.#text(), Math.max(10, columns - 1)));
    this.#isShown = true;
  }

  #text(): string {
    const nowMs = performance.now();
    // What began last is what one waits for: a turn inside an ask, not the ask.
    const last = [...this.#underWay.values()].at(-1);
    const doing = last === undefined ? 'running' : `${last.text} ${durationText(nowMs - last.sinceMs)}`;
    const { asks = 0, commands = 0, inputTokens = 0, outputTokens = 0, costMicros = 0 } = this.#usage ?? {};
    const of = (limit: number | undefined): string => (limit === undefined ? '' : `/${limit}`);
    const parts = [doing, `asks ${asks}${of(this.#limits?.asks)}`, `commands ${commands}${of(this.#limits?.commands)}`];
    if (inputTokens + outputTokens > 0) parts.push(`${countText(inputTokens + outputTokens)} tokens`);
    if (costMicros > 0) parts.push(costText(costMicros));
    parts.push(durationText(nowMs - this.#startedMs));
    return `${frames[this.#frame]} ${parts.join(' · ')}`;
  }
}
