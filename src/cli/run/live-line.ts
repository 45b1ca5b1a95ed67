// The progress of a run on one redrawn line, for a terminal.
//
// The line shows the current call, its duration and the usage. Steps of a plan that failed or took long stay on the screen above
// the line; the end shows all steps.
import { cutToWidth } from '../../base/cut-text.ts';
import { unreachable } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import type { RunEvent } from '../../run/events.ts';
import type { RunView } from '../../run/history/inspect.ts';
import { stepOfKey } from '../../run/plan/keys.ts';
import { isChosen } from '../../run/plan/limits.ts';
import type { RunUsage } from '../../run/result/result.ts';
import type { CommandContext } from '../context.ts';
import { columnsOf } from '../io.ts';
import { costText, countText, describeCall, durationText, nameKey } from './describe-effect.ts';
import type { Progress, ProgressLimits } from './progress.ts';
import { StepWatch, longMs } from './step-watch.ts';
import type { EndedStep, RunningStep } from './step-watch.ts';

const redrawMs = 120;
const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const clearLine = '\r\u001B[K';

export class LiveLine implements Progress {
  readonly #context: CommandContext;
  readonly #before: RunView | null;
  /** In the order in which they started. */
  readonly #underWay = new Map<string, { readonly text: string; readonly sinceMs: number }>();
  readonly #startedMs = performance.now();
  readonly #timer: NodeJS.Timeout;
  #usage: RunUsage | null;
  #limits: Partial<ProgressLimits>;
  #steps: StepWatch | null = null;
  #run: string | null = null;
  #frame = 0;
  #held = false;
  #isShown = false;

  constructor(context: CommandContext, limits: ProgressLimits, before: RunView | null) {
    this.#context = context;
    this.#limits = limits;
    this.#before = before;
    this.#usage = before?.usage ?? null;
    this.#timer = setInterval(() => this.#draw(), redrawMs);
    this.#timer.unref();
  }

  readonly onEvent = (event: RunEvent): void => {
    if (event.type === 'run.started' || event.type === 'run.resumed' || event.type === 'plan.opened')
      this.#run ??= event.run;
    const isOwn = event.run === this.#run;
    switch (event.type) {
      case 'run.started':
      case 'run.resumed':
        break;
      case 'plan.opened': {
        if (!isOwn) return;
        const { asks, commands } = event;
        this.#limits = { ...(isChosen(asks) ? { asks } : {}), ...(isChosen(commands) ? { commands } : {}) };
        this.#steps ??= new StepWatch(this.#before?.steps ?? null);
        this.#steps.open(event.steps);
        break;
      }
      case 'step.ended':
        if (isOwn) this.#stepEnded(this.#steps?.end(event, performance.now()) ?? null);
        break;
      case 'effect.started':
        if (isOwn && stepOfKey(event.key) !== null && this.#steps !== null)
          this.#steps.begin(event.key, performance.now());
        else
          this.#underWay.set(`${event.run} ${event.key}`, {
            text:
              this.#steps !== null && isOwn ? nameKey(event.key) : describeCall(event.kind, event.request),
            sinceMs: performance.now(),
          });
        break;
      case 'effect.ended':
        this.#underWay.delete(`${event.run} ${event.key}`);
        break;
      case 'budget.used':
        if (isOwn) this.#usage = event.usage;
        break;
      case 'run.paused':
      case 'run.ended':
        for (const key of this.#underWay.keys())
          if (key.startsWith(`${event.run} `)) this.#underWay.delete(key);
        if (isOwn) this.#steps?.pause();
        break;
      case 'question.asked':
      case 'question.answered':
      case 'answer.refused':
      case 'effect.text':
      case 'effect.undecided':
      case 'tool.failed':
      case 'skill.loaded':
      case 'trace.added':
        return;
      default:
        unreachable(event);
    }
    this.#draw();
  };

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

  get #columns(): number {
    return Math.max(10, (columnsOf(this.#context.io.stderr) ?? 80) - 1);
  }

  /** Keeps a failed or slow step above the line. */
  #stepEnded(step: EndedStep | null): void {
    if (step === null || this.#held || (step.status !== 'failed' && (step.ms ?? 0) < longMs)) return;
    this.#clear();
    this.#context.err.line(
      cutToWidth(
        printableLine(`${step.status === 'failed' ? '✗' : '✓'} ${step.id}  ${step.does}  ${step.outcome}`),
        this.#columns,
      ),
    );
  }

  #draw(): void {
    if (this.#held) return;
    this.#frame = (this.#frame + 1) % frames.length;
    this.#context.err.write(clearLine + cutToWidth(this.#text(), this.#columns));
    this.#isShown = true;
  }

  #text(): string {
    const nowMs = performance.now();
    if (this.#run === null)
      return `${frames[this.#frame]} starting · ${durationText(nowMs - this.#startedMs)}`;
    const { asks = 0, commands = 0, inputTokens = 0, outputTokens = 0, costMicros = 0 } = this.#usage ?? {};
    const of = (limit: number | undefined): string => (limit === undefined ? '' : `/${limit}`);
    const parts =
      this.#steps === null
        ? [this.#calls(nowMs)]
        : [`${this.#steps.count} steps`, ...this.#doing(this.#steps.running, nowMs)];
    parts.push(
      `asks ${asks}${of(this.#limits.asks)}`,
      `${this.#steps === null ? 'commands' : 'tool calls'} ${commands}${of(this.#limits.commands)}`,
    );
    if (inputTokens + outputTokens > 0) parts.push(`${countText(inputTokens + outputTokens)} tokens`);
    if (costMicros > 0) parts.push(costText(costMicros));
    parts.push(durationText(nowMs - this.#startedMs));
    return printableLine(`${frames[this.#frame]} ${parts.join(' · ')}`);
  }

  /** The latest call: a turn inside an ask, not the ask. */
  #calls(nowMs: number): string {
    const last = [...this.#underWay.values()].at(-1);
    return last === undefined ? 'running' : `${last.text} ${durationText(nowMs - last.sinceMs)}`;
  }

  /** The longest-running step, and the number of the others. */
  #doing(running: readonly RunningStep[], nowMs: number): readonly string[] {
    const [first] = running;
    if (first === undefined) return this.#underWay.size === 0 ? [] : [this.#calls(nowMs)];
    return [
      `${first.id} ${durationText(nowMs - first.sinceMs)}${running.length === 1 ? '' : ` and ${running.length - 1} more`}`,
    ];
  }
}
