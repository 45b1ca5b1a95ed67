// A recorded run, with the runs nested in it -> the script of a test: what was answered, what commands, tools and forms
// gave, and the notes and files that it found.
//
// Calls that the engine refused or decided by itself are left out: a test decides them again. What a test cannot give is
// named in `problems`, each with the reason; a test that leaves such a call out would test something else.
import type { JsonObject } from '../../../base/json.ts';
import { isJsonObject } from '../../../base/json.ts';
import { isAsk } from '../../../run/effect/effect.ts';
import type { EffectView, RunView } from '../../../run/history/inspect.ts';
import { answerOf } from './answer-of.ts';
import { commandOf } from './command-of.ts';
import { notesOf } from './notes-of.ts';
import type { Part } from './part.ts';
import { asObject, codeOf } from './part.ts';
import { toolOf } from './tool-of.ts';

/** A run and those that its steps started. */
export interface RecordedRun {
  readonly view: RunView;
  readonly nested: readonly RecordedRun[];
}

export interface RunScript {
  readonly answers: readonly JsonObject[];
  readonly commands: readonly JsonObject[];
  readonly tools: readonly JsonObject[];
  readonly inputs: readonly JsonObject[];
  /** null: it looked for none. */
  readonly artifacts: readonly string[] | null;
  readonly notes: { readonly [path: string]: string };
  /** The text of the note that it wrote; null: it wrote none. */
  readonly note: string | null;
  readonly asks: number;
  readonly problems: readonly string[];
}

/** Codes of what the engine decides before anything is done. */
const decidedHere = new Set(['CAPABILITY_DENIED', 'STEP_INVALID', 'RUN_DEPTH', 'COMPOSITION_NESTED']);

export function scriptOfRun(recorded: RecordedRun): RunScript {
  const runs = allRuns(recorded);
  const problems: string[] = [];
  const answers: JsonObject[] = [];
  const commands: JsonObject[] = [];
  const tools: JsonObject[] = [];
  const artifacts: string[] = [];
  let [asks, looked] = [0, false];
  // Without steps and nested runs, asks come in one order, which a change must not change.
  const isOrdered = recorded.view.skill.form === 'program';
  const add = (list: JsonObject[], part: Part, { key, kind }: EffectView): void => {
    if (part === null) return;
    if ('problem' in part) problems.push(`the call ${key} (${kind}) ${part['problem'] as string}`);
    else list.push(part);
  };
  for (const { view } of runs)
    for (const effect of inOrder(view, isOrdered)) {
      const { kind, state, children } = effect;
      if (state === 'refused' || decidedHere.has(codeOf(effect) ?? '')) continue;
      if (state === 'under-way') {
        problems.push(`the call ${effect.key} (${kind}) was under way when the run ended`);
      } else if (isAsk(kind)) {
        asks += 1;
        add(answers, answerOf(effect, isOrdered), effect);
      } else if (kind === 'command') add(commands, commandOf(effect), effect);
      else if (kind === 'tool') add(tools, toolOf(effect), effect);
      else if (kind === 'input')
        for (const part of children) if (isAsk(part.kind)) add(answers, answerOf(part, isOrdered), part);
      if (kind === 'artifact') {
        looked = true;
        const { path } = asObject(effect.request);
        if (asObject(effect.result)['exists'] === true && typeof path === 'string') artifacts.push(path);
      }
      if (!known.has(kind) && !isAsk(kind))
        problems.push(`the call ${effect.key} is of the kind "${kind}", which a test cannot give`);
    }
  const { notes, note, problems: more } = notesOf(runs.map(({ view }) => view));
  return {
    answers,
    commands,
    tools,
    inputs: runs.flatMap(({ view }) => repliesOf(view)),
    artifacts: looked ? artifacts : null,
    notes,
    note,
    asks,
    problems: [...problems, ...more],
  };
}

/** With the runs that its steps started; those of nested agents are part of what they answered. */
export async function recordedRun(
  inspect: (run: string) => Promise<RunView>,
  run: string,
): Promise<RecordedRun> {
  const view = await inspect(run);
  const nested: RecordedRun[] = [];
  for (const { key, run: inner } of view.nested)
    if (view.effects.some((effect) => effect.key === key)) nested.push(await recordedRun(inspect, inner));
  return { view, nested };
}

const known = new Set(['command', 'tool', 'skill', 'input', 'now', 'sleep', 'write', 'trace', 'artifact']);

export function allRuns(recorded: RecordedRun): readonly RecordedRun[] {
  return [recorded, ...recorded.nested.flatMap(allRuns)];
}

/** Parallel calls of a program in the order of the program, not in that of their start. */
function inOrder({ effects }: RunView, isOrdered: boolean): readonly EffectView[] {
  if (!isOrdered) return effects;
  const place = ({ key }: EffectView): readonly number[] => key.split('.').map(Number);
  return [...effects].sort((a, b) => {
    const [[a1 = 0, a2 = 0], [b1 = 0, b2 = 0]] = [place(a), place(b)];
    return a1 - b1 || a2 - b2 || 0;
  });
}

/** Each accepted reply to a form, in the order in which they were given. */
function repliesOf({ run, questions }: RunView): readonly JsonObject[] {
  return questions.flatMap(({ run: asker, question, answer }): readonly JsonObject[] => {
    if (asker !== run || answer === null || !isJsonObject(question) || question['type'] !== 'form') return [];
    const { step } = question;
    const named = typeof step === 'string' ? { step } : {};
    return [
      isJsonObject(answer.value)
        ? { ...named, values: answer.value }
        : { ...named, text: typeof answer.value === 'string' ? answer.value : JSON.stringify(answer.value) },
    ];
  });
}
