// Shows the progress of a run on standard error.
//
// At a terminal one line is redrawn (live-line.ts), elsewhere lines are printed; with --quiet nothing is. For a
// plan, progress counts steps and shows their outcomes; it omits retries, items, pauses and nested runs. Text from skills, models
// and commands is printed with control characters escaped.
import type { RunEvent } from '../../run/events.ts';
import type { RunView } from '../../run/history/inspect.ts';
import type { CommandContext } from '../context.ts';
import { LiveLine } from './live-line.ts';
import { unreachable } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import { stepOfKey } from '../../run/plan/keys.ts';
import { describeCall, durationText, nameKey } from './describe-effect.ts';
import { StepWatch, longMs } from './step-watch.ts';
import type { EndedStep, RunningStep } from './step-watch.ts';

export interface ProgressLimits {
  readonly asks: number;
  readonly commands: number;
}

export interface Progress {
  readonly onEvent: (event: RunEvent) => void;
  /** Removes the line while a question is asked. */
  hold(): void;
  release(): void;
  end(): void;
}

/** `limits` of a program; a plan reports its own. `before`: the earlier part of a resumed run. */
export function createProgress(
  context: CommandContext,
  limits: ProgressLimits,
  before: RunView | null,
): Progress {
  const { quiet, io } = context;
  if (quiet) return { onEvent: () => {}, hold: () => {}, release: () => {}, end: () => {} };
  return io.stderr.isTTY === true && io.env['TERM'] !== 'dumb'
    ? new LiveLine(context, limits, before)
    : new PlainLines(context, before);
}

// Without a terminal: plain lines.
//
// A program gets a line when a call starts and one when it ends. A plan gets a line when a step ends, and one before that only if
// the step takes long.

/** `done in 2 ms`, `exit 3 in 2 ms`, `denied`, `cancelled`, `failed (CODE) in 2 ms`. */
function outcomeText({ ok, code, note = null, ms }: Extract<RunEvent, { type: 'effect.ended' }>): string {
  if (note === 'denied' || note === 'not carried out') return note;
  if (code === 'CANCELLED') return 'cancelled';
  return `${ok ? (note ?? 'done') : `failed${code === null ? '' : ` (${code})`}`} in ${durationText(ms)}`;
}

class PlainLines implements Progress {
  readonly #context: CommandContext;
  readonly #before: RunView | null;
  readonly #calls = new Map<string, string>();
  readonly #startedMs = performance.now();
  /** Timers of running steps, for the line about a long one. */
  readonly #late = new Map<string, NodeJS.Timeout>();
  #run: string | null = null;
  #steps: StepWatch | null = null;

  constructor(context: CommandContext, before: RunView | null) {
    this.#context = context;
    this.#before = before;
  }

  readonly onEvent = (event: RunEvent): void => {
    if (event.type === 'run.started' || event.type === 'run.resumed' || event.type === 'plan.opened')
      this.#run ??= event.run;
    // Nested runs of a plan step are not reported.
    if (this.#steps !== null && event.run !== this.#run && event.type !== 'question.asked') return;
    switch (event.type) {
      case 'run.started':
        return this.#line(
          event.parent === null
            ? `run ${event.run} of ${event.skill}`
            : `run ${event.run} of ${event.skill}, inside ${event.parent}`,
        );
      case 'run.resumed':
        return this.#line(`run ${event.run} of ${event.skill} resumed`);
      case 'plan.opened':
        if (event.run !== this.#run) return;
        this.#steps ??= new StepWatch(this.#before?.steps ?? null);
        return this.#steps.open(event.steps);
      case 'step.ended':
        return this.#stepEnded(this.#steps?.end(event, performance.now()) ?? null);
      case 'effect.started': {
        if (this.#steps !== null) return this.#stepBegun(this.#steps.begin(event.key, performance.now()));
        const call = describeCall(event.kind, event.request);
        this.#calls.set(`${event.run} ${event.key}`, call);
        return this.#line(`${event.key}  ${call}`);
      }
      case 'effect.ended':
        if (this.#steps === null)
          return this.#line(
            `${event.key}  ${this.#calls.get(`${event.run} ${event.key}`) ?? event.kind}: ${outcomeText(event)}`,
          );
        // Asks of a plan outside its steps.
        return stepOfKey(event.key) === null && event.kind === 'chat'
          ? this.#line(`${nameKey(event.key)}: ${outcomeText(event)}`)
          : undefined;
      case 'question.asked':
        clearTimeout(this.#late.get(nameKey(event.key)));
        return this.#line(
          `${this.#steps === null || event.run !== this.#run ? event.key : nameKey(event.key)}  waits for the ${event.audience}`,
        );
      case 'run.paused':
        this.#quieten();
        return this.#steps?.pause();
      case 'run.ended':
        return this.#quieten();
      case 'question.answered':
      case 'answer.refused':
      case 'effect.text':
      case 'effect.undecided':
      case 'tool.failed':
      case 'skill.loaded':
      case 'budget.used':
      case 'trace.added':
        return;
      default:
        unreachable(event);
    }
  };

  hold(): void {}
  release(): void {}

  end(): void {
    this.#quieten();
  }

  #stepBegun(step: RunningStep | null): void {
    if (step === null) return;
    const tell = (): void => this.#line(`${step.id}  ${step.does} …`);
    this.#late.set(step.id, setTimeout(tell, longMs).unref());
  }

  #stepEnded(step: EndedStep | null): void {
    if (step === null) return;
    clearTimeout(this.#late.get(step.id));
    // A step that did not start has no duration.
    this.#line(
      `${step.id}  ${step.ms === null ? '' : `${step.does}  `}${step.outcome} (${this.#steps?.count ?? ''})`,
    );
  }

  #quieten(): void {
    for (const timer of this.#late.values()) clearTimeout(timer);
    this.#late.clear();
  }

  #line(text: string): void {
    this.#context.err.line(
      `[${((performance.now() - this.#startedMs) / 1_000).toFixed(1)}s] ${printableLine(text)}`,
    );
  }
}
