// Files of cases, and those that a skill brings along -> cases; what is wrong with them is told (case-faults.ts).
import { resolve } from 'node:path';
import { decodeUtf8 } from '../../base/utf8.ts';
import { append } from '../../base/append.ts';
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import type { EvalCase } from '../../measure/eval/eval-case.ts';
import { placeOf } from '../../base/span.ts';
import type { ParsedCases } from '../../measure/eval/parse-cases.ts';
import { parseCases } from '../../measure/eval/parse-cases.ts';
import { nodeParseFull } from '../../node/yaml.ts';
import type { SkillLibrary } from '../../techne/open-skills.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { evalsFile } from '../../skill/check/check-evals.ts';
import type { CommandContext } from '../context.ts';
import { displayPath } from '../../node/display-path.ts';
import type { CaseFaults } from './case-faults.ts';

const maxFileBytes = 50_000_000;

export interface LoadedCases {
  readonly cases: readonly EvalCase[];
  readonly rubric: readonly string[];
  /** Something was wrong, and was told. */
  readonly faulty: boolean;
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

export async function loadCaseFile(
  context: CommandContext,
  library: SkillLibrary,
  file: string,
  faults: CaseFaults,
): Promise<LoadedCases> {
  const path = resolve(context.io.cwd, file);
  const read = await library.files.read(path, maxFileBytes);
  if (read === null)
    throw new TechneError('FILE_MISSING', `there is no file ${path}`, {
      hint: 'give the path of a file of cases',
    });
  const { text, valid } = decodeUtf8(read.bytes);
  if (!valid)
    throw new TechneError('FILE_INVALID', `${path} is not a text in UTF-8`, { hint: 'save it as UTF-8' });
  return placed(context, parseCases(text, path, nodeParseFull), text, path, faults);
}

export async function loadCaseFiles(
  context: CommandContext,
  library: SkillLibrary,
  files: readonly string[],
  faults: CaseFaults,
): Promise<readonly EvalCase[]> {
  const cases: EvalCase[] = [];
  for (const file of files) append(cases, (await loadCaseFile(context, library, file, faults)).cases);
  return cases;
}

/** Those of its evals/evals.json; null when it has none. Where one expects nothing, only this skill may not come. */
export async function loadSkillCases(
  context: CommandContext,
  snapshot: Snapshot,
  name: string,
  faults: CaseFaults,
): Promise<LoadedCases | null> {
  const skill = snapshot.get(name);
  if (!(await snapshot.listFiles(name)).some(({ path }) => path === evalsFile)) return null;
  const { text } = decodeUtf8(await snapshot.readFile(name, evalsFile));
  const path = `${skill.folder}/${evalsFile}`;
  const { cases, ...rest } = placed(context, parseCases(text, path, nodeParseFull), text, path, faults);
  return { ...rest, cases: cases.map((one) => (one.expected === null ? { ...one, about: name } : one)) };
}

/** For a skill that gives no case, with `frames` sentences of each kind from its triggers. */
export function nothingOf(name: string, frames: number): string {
  return `"${printableLine(name)}" has ${frames === 0 ? `no test prompts (${evalsFile}), and --frames 0 makes none` : `neither test prompts (${evalsFile}) nor triggers`}`;
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

function placed(
  { io }: CommandContext,
  { cases, spans, rubric, diagnostics }: ParsedCases,
  text: string,
  path: string,
  faults: CaseFaults,
): LoadedCases {
  const shown = displayPath(path, io);
  const withPlace = (one: EvalCase, at: number): EvalCase => ({
    ...one,
    place:
      spans[at] === undefined || spans[at] === null
        ? shown
        : `${shown}:${placeOf(text, spans[at].start).line}`,
  });
  for (const diagnostic of diagnostics) faults.add(diagnostic, text);
  return { cases: cases.map(withPlace), rubric, faulty: diagnostics.length > 0 };
}
