// Adds hints about the command line to a refused or failed run.
import { printableLine } from '../../base/printable.ts';
import type { Config } from '../../config/types.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { RunResult } from '../../run/result/result.ts';
import type { Io } from '../io.ts';
import { displayPath } from '../../techne/paths.ts';

/** After a limit is reached, a fork can continue from there. */
export function adviseOnBudget(result: RunResult): RunResult {
  const option = {
    ASK_BUDGET: '--max-asks',
    COMMAND_BUDGET: '--max-commands',
    TOKEN_BUDGET: '--max-tokens',
    COST_BUDGET: '--max-cost',
    RUN_BUDGET: '--max-runs',
    TIMEOUT: '--timeout',
  }[result.error?.code ?? ''];
  if (option === undefined || result.run === null) return result;
  return withHint(
    result,
    `to continue from there with a higher limit: techne runs fork ${result.run} ${option} N`,
  );
}

/** --max-cost has no effect without a price; null if there is a price, or no such limit. */
export function unpricedNote(isLimited: boolean, answerer: string, models: Config['models']): string | null {
  const [, label] = /^model:(.+)$/.exec(answerer) ?? [];
  const endpoint = label !== undefined && Object.hasOwn(models, label) ? models[label] : undefined;
  if (!isLimited || label === undefined || (endpoint !== undefined && 'price' in endpoint)) return null;
  return `techne: note: no price is configured for ${printableLine(answerer)}, so --max-cost has no effect; set a price under "models", or use --max-tokens`;
}

/** A cancelled run cannot be resumed, but a fork can reuse its calls. */
export function adviseOnEnded(result: RunResult): RunResult {
  const { run, status } = result;
  if (status !== 'cancelled' || run === null || result.error === null) return result;
  return withHint(
    { ...result, error: { ...result.error, message: `run ${run} was cancelled and cannot be resumed` } },
    `to start a new run from there: techne runs fork ${run}`,
  );
}

/** Hints about the arguments of `techne run NAME …`. */
export function adviseOnStart(
  result: RunResult,
  words: readonly string[],
  snapshot: Pick<Snapshot, 'skills' | 'shadowed'>,
  io: Io,
): RunResult {
  const { skill: name, error } = result;
  switch (error?.code ?? '') {
    case 'NOT_A_METASKILL':
      return withHint(result, `techne show ${printableLine(name)} --body prints its instructions`);
    case 'SKILL_UNKNOWN':
      return snapshot.skills.length === 0
        ? withHint(
            result,
            'there are no skills here; "techne new NAME" creates one, and "techne doctor" shows where techne looks',
          )
        : result;
    case 'NOT_TRUSTED':
    case 'CHANGED_SINCE_TRUSTED': {
      const shadowed = snapshot.shadowed
        .filter(({ winner }) => winner.name === name)
        .map(({ skill: { file, source } }) => `the ${source} skill "${displayPath(file, io)}"`);
      const shadows = shadowed.length === 0 ? '' : `; it shadows ${shadowed.join(' and ')}`;
      return withHint(result, `--trust shows the skill, asks whether you trust it, and runs it${shadows}`);
    }
    case 'INPUT_INVALID':
      return adviseOnInput(result, words);
    default:
      return result;
  }
}

/** A text in place of another type was perhaps meant as JSON. */
export function adviseOnInput(result: RunResult, words: readonly string[]): RunResult {
  const { error } = result;
  const [meant] = error?.code === 'INPUT_INVALID' ? words.flatMap((word) => asJson(word, error.message)) : [];
  return meant === undefined ? result : withHint(result, `KEY=TEXT is a text; write ${printableLine(meant)}`);
}

/** `n:=3` for `n=3`, if "n" must not be a text. */
function asJson(word: string, message: string): readonly string[] {
  const [, key = '', text = ''] = /^([^\s=:{}[\]"'@]+)=([^]*)$/.exec(word) ?? [];
  if (key === '' || !message.includes(`${JSON.stringify(key)} must be`)) return [];
  try {
    return typeof JSON.parse(text) === 'string' ? [] : [`${key}:=${text}`];
  } catch {
    // It is not JSON, so it was meant as text.
    return [];
  }
}

function withHint(result: RunResult, hint: string): RunResult {
  const { error } = result;
  return error === null
    ? result
    : { ...result, error: { ...error, hint: error.hint === null ? hint : `${error.hint}\n        ${hint}` } };
}
