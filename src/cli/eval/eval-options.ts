// The options that the eval commands share: the cases, the model that is asked, how often, and how much it may cost.
import { resolve } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import { ModelBudget } from '../../measure/eval/model-budget.ts';
import type { AnswerPromptOptions } from '../../measure/eval/answer-prompt.ts';
import type { CaseFaultReport, CaseSource } from '../../measure/eval/load-cases.ts';
import { displayPath } from '../../techne/paths.ts';
import { nodeParseFull } from '../../node/yaml.ts';
import { evalsFile } from '../../skill/check/check-evals.ts';
import type { SkillLibrary } from '../../techne/open-skills.ts';
import { createUntrustedCheck } from '../../techne/untrusted-check.ts';
import type { CommandContext } from '../context.ts';
import type { Arguments } from '../parse-arguments.ts';
import { numberOption, answererSpec } from '../parse-arguments.ts';

interface MeasureOptions {
  readonly runs: number;
  readonly seed: number;
  readonly parallel: number;
  readonly turns: number;
  readonly budget: ModelBudget;
  /** Which model is measured; null: the first there is. */
  readonly wanted: string | null;
  /** An existing or new folder for transcripts; null: they are not kept. */
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
    throw new TechneError('USAGE', '--model and --answer both name the answerer', {
      hint: 'leave one of them out',
    });
  return model === null ? answererSpec(answer, cwd) : `model:${model.replace(/^model:/, '')}`;
}

/** Throws USAGE when there is nothing to measure. */
export function requireSource({ args }: CommandContext): {
  readonly files: readonly string[];
  readonly skills: readonly string[];
} {
  const [files, skills] = [args.positionals, args.values('skill')];
  const name = args.command?.name ?? 'eval';
  if (files.length === 0 && skills.length === 0)
    throw new TechneError('USAGE', 'there is nothing to check: give a FILE of cases, or --skill NAME', {
      hint: `see techne ${name} --help`,
    });
  return { files, skills };
}

/** 0.95 or 95%; null when it is not given. */
export function thresholdOf(text: string | null): number | null {
  if (text === null) return null;
  const value = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text);
  if (text.trim() !== '' && value >= 0 && value <= 1) return value;
  throw new TechneError(
    'USAGE',
    `--threshold must be a number from 0 to 1, or a percentage, not "${printableLine(text)}"`,
  );
}

export function caseSource(
  { io }: CommandContext,
  { files }: Pick<SkillLibrary, 'files'>,
  faults: CaseFaultReport,
): CaseSource {
  return {
    files,
    faults,
    parseFull: nodeParseFull,
    resolvePath: (file) => resolve(io.cwd, file),
    showPath: (path) => displayPath(path, io),
  };
}

/** For a skill that gives no case, with `frames` sentences of each kind from its triggers. */
export function noCasesText(name: string, frames: number): string {
  return `"${printableLine(name)}" has ${frames === 0 ? `no test prompts (${evalsFile}), and --frames 0 makes none` : `neither test prompts (${evalsFile}) nor triggers`}`;
}

/** What every conversation of an evaluation takes from the configuration. */
export function sessionOptions(
  context: CommandContext,
  library: SkillLibrary,
): Pick<AnswerPromptOptions, 'settings' | 'indexBudget' | 'isUntrusted' | 'workspace' | 'nowMs'> {
  const { config, workspace } = library.loaded;
  return {
    settings: config.prompt,
    indexBudget: { tokens: config.index.budgetTokens },
    isUntrusted: createUntrustedCheck(library),
    workspace: workspace ?? context.io.cwd,
    nowMs: () => Date.now(),
  };
}
