// What the commands that ask a model have in common: who is asked, how often, and how much it may cost.
import { TechneError } from '../../base/error.ts';
import { ModelBudget } from '../../measure/eval/model-budget.ts';
import type { CommandContext } from '../context.ts';
import type { Arguments } from '../parse-arguments.ts';
import { numberOption } from '../parse-arguments.ts';
import { answererSpec } from '../run/answerer-spec.ts';

export interface MeasureOptions {
  readonly runs: number;
  readonly seed: number;
  readonly parallel: number;
  readonly turns: number;
  readonly budget: ModelBudget;
  /** Which model is measured; null: the first there is. */
  readonly wanted: string | null;
  /** An existing or new folder for what was said; null: it is not kept. */
  readonly keep: string | null;
}

const defaults = { runs: 3, seed: 1, parallel: 1, calls: 1000, tokens: 5_000_000 };

export function measureOptions(
  { args, io }: CommandContext,
  { turns }: { readonly turns: number },
): MeasureOptions {
  return {
    runs: numberOption(args, 'runs', 1, 1000) ?? defaults.runs,
    seed: numberOption(args, 'seed', 0, 4_294_967_295) ?? defaults.seed,
    parallel: numberOption(args, 'parallel', 1, 64) ?? defaults.parallel,
    turns: numberOption(args, 'max-turns', 1, 1000) ?? turns,
    budget: new ModelBudget({
      calls: numberOption(args, 'max-calls', 1, 1_000_000) ?? defaults.calls,
      tokens: numberOption(args, 'max-tokens', 1, 1_000_000_000) ?? defaults.tokens,
    }),
    wanted: wantedModel(args, io.cwd),
    keep: args.value('keep'),
  };
}

/** `--model NAME` is short for `--answer model:NAME`. */
function wantedModel(args: Arguments, cwd: string): string | null {
  const [model, answer] = [args.value('model'), args.value('answer')];
  if (model !== null && answer !== null)
    throw new TechneError('USAGE', '--model and --answer both say who answers', {
      hint: 'leave one of them out',
    });
  return model === null ? answererSpec(answer, cwd) : `model:${model.replace(/^model:/, '')}`;
}
