// What to do about a run that was refused or failed, where the engine cannot know the command line.
import { printableLine } from '../../base/printable.ts';
import type { Config } from '../../config/types.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { RunResult } from '../../run/result/result.ts';
import type { Io } from '../io.ts';
import { displayPath } from '../../node/display-path.ts';

/** A budget that is used up is no end: a fork goes on from there. */
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
  return withHint(result, `to go on from there with more: techne runs fork ${result.run} ${option} N`);
}

/** A limit of dollars holds nothing where nobody knows what a turn costs; null where it does, or none was asked for. */
export function unpricedNote(isLimited: boolean, answerer: string, models: Config['models']): string | null {
  const [, label] = /^model:(.+)$/.exec(answerer) ?? [];
  const endpoint = label !== undefined && Object.hasOwn(models, label) ? models[label] : undefined;
  if (!isLimited || label === undefined || (endpoint !== undefined && 'price' in endpoint)) return null;
  return `techne: note: no price is configured for ${printableLine(answerer)}, so --max-cost limits nothing; give it a price under "models", or use --max-tokens`;
}

/** A run that was cancelled has ended: it cannot be taken up, and what it has done is not lost. */
export function adviseOnEnded(result: RunResult): RunResult {
  const { run, status } = result;
  if (status !== 'cancelled' || run === null || result.error === null) return result;
  return withHint(
    { ...result, error: { ...result.error, message: `run ${run} was cancelled before, and cannot go on` } },
    `a new run that goes on from there: techne runs fork ${run}`,
  );
}

/** What the words of `techne run NAME WORD…` have to do with a refusal. */
export function adviseOnStart(
  result: RunResult,
  words: readonly string[],
  snapshot: Pick<Snapshot, 'skills' | 'shadowed'>,
  io: Io,
): RunResult {
  const { skill: name, error } = result;
  switch (error?.code ?? '') {
    case 'NOT_A_METASKILL':
      return withHint(result, `techne show ${printableLine(name)} --body prints what there is to read`);
    case 'SKILL_UNKNOWN':
      return snapshot.skills.length === 0
        ? withHint(
            result,
            'there are no skills here; techne new NAME makes one, and "techne doctor" says where they are looked for',
          )
        : result;
    case 'NOT_TRUSTED':
    case 'CHANGED_SINCE_TRUSTED': {
      const shadowed = snapshot.shadowed
        .filter(({ winner }) => winner.name === name)
        .map(({ skill: { file, source } }) => `the ${source} skill "${displayPath(file, io)}"`);
      const shadows = shadowed.length === 0 ? '' : `; it stands in the place of ${shadowed.join(' and ')}`;
      return withHint(result, `--trust shows what would be trusted, asks, and runs it${shadows}`);
    }
    case 'INPUT_INVALID':
      return adviseOnInput(result, words);
    default:
      return result;
  }
}

/** A text where something else is wanted may have been meant as JSON. */
export function adviseOnInput(result: RunResult, words: readonly string[]): RunResult {
  const { error } = result;
  const [meant] = error?.code === 'INPUT_INVALID' ? words.flatMap((word) => asJson(word, error.message)) : [];
  return meant === undefined ? result : withHint(result, `KEY=TEXT is a text; write ${printableLine(meant)}`);
}

/** `n=3` where "n" must be something else than a text: `n:=3`. */
function asJson(word: string, message: string): readonly string[] {
  const [, key = '', text = ''] = /^([^\s=:{}[\]"'@]+)=([^]*)$/.exec(word) ?? [];
  if (key === '' || !message.includes(`${JSON.stringify(key)} must be`)) return [];
  try {
    return typeof JSON.parse(text) === 'string' ? [] : [`${key}:=${text}`];
  } catch {
    // It is a text, whatever is wrong with it.
    return [];
  }
}

function withHint(result: RunResult, hint: string): RunResult {
  const { error } = result;
  return error === null
    ? result
    : { ...result, error: { ...error, hint: error.hint === null ? hint : `${error.hint}\n        ${hint}` } };
}
