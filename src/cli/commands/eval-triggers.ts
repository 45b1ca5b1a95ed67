// techne eval triggers
//
// JSON: the report (eval/score-cases.ts) with {unknown, threshold, ok}; `unknown` are expected skills that are not there.
// The exit code is 1 if the accuracy is below the threshold, or a case file has an error.
import { resolve } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import { renderDiagnostic } from '../../base/render-diagnostic.ts';
import type { EvalCase } from '../../eval/eval-case.ts';
import { generateCases } from '../../eval/generate-cases.ts';
import { parseCases } from '../../eval/parse-cases.ts';
import { renderReport } from '../../eval/render-report.ts';
import { scoreCases } from '../../eval/score-cases.ts';
import { nodeDecodeUtf8 } from '../../host/node-environment.ts';
import { nodeParseFull } from '../../host/node-yaml.ts';
import type { SkillLibrary } from '../../host/open-skills.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { evalsFile } from '../../skill/check-evals.ts';
import type { CommandContext } from '../context.ts';
import { displayPath } from '../display-path.ts';
import { exitCodes } from '../exit-code.ts';
import { openLibrary } from '../open-library.ts';
import { openMatcher } from '../open-matcher.ts';
import { numberOption } from '../parse-arguments.ts';
import { counted } from '../render-table.ts';
import { reportConfig } from '../report-config.ts';

const maxFileBytes = 50_000_000;
/** How far down the expected skill is looked for. */
const limit = 10;

export async function runEvalTriggers(context: CommandContext): Promise<number> {
  const { args, out, err, json, quiet } = context;
  const threshold = thresholdOf(args.value('threshold'));
  const skills = args.values('skill');
  if (args.positionals.length === 0 && skills.length === 0) throw new TechneError('USAGE', 'there is nothing to check: give a FILE of cases, or --skill NAME', { hint: 'see techne eval triggers --help' });
  const library = await openLibrary(context);
  reportConfig(context, library.loaded);
  const snapshot = await library.load();
  const cases: EvalCase[] = [];
  let faulty = false;
  const take = (text: string, path: string, about?: string): void => {
    const parsed = parseCases(text, path, nodeParseFull);
    faulty ||= parsed.diagnostics.length > 0;
    for (const diagnostic of parsed.diagnostics) err.line(renderDiagnostic({ ...diagnostic, path: displayPath(path, context.io), hint: quiet ? null : diagnostic.hint }, text, { colour: context.colour }));
    cases.push(...parsed.cases.map((one) => (about === undefined || one.expected !== null ? one : { ...one, about })));
  };
  for (const file of args.positionals) {
    const path = resolve(context.io.cwd, file);
    take(await readCases(library, path), path);
  }
  for (const name of skills) await takeSkill(context, snapshot, name, cases, take);
  if (faulty) return exitCodes.files;
  // What this machine lacks says nothing about triggers.
  const matcher = await openMatcher(snapshot, { notReady: true });
  const report = await scoreCases(cases, (message) => matcher.match(message, { limit }));
  const unknown = [...new Set(cases.flatMap(({ expected }) => (expected === null || snapshot.has(expected) ? [] : [expected])))].sort();
  const ok = threshold === null || report.accuracy >= threshold;
  if (json) out.json({ ...report, unknown, threshold, ok });
  else {
    out.write(renderReport(report));
    if (unknown.length > 0) err.line(`warning: ${counted(unknown.length, 'expected skill')} not found: ${printableLine(unknown.slice(0, 10).join(', '))}${unknown.length > 10 ? ' …' : ''}`);
    if (!ok) err.line(`the accuracy ${report.accuracy.toFixed(4)} is below the threshold ${threshold}`);
  }
  return ok ? exitCodes.fine : exitCodes.files;
}

/** The test prompts of a skill, and what its triggers make. */
async function takeSkill(context: CommandContext, snapshot: Snapshot, name: string, cases: EvalCase[], take: (text: string, path: string, about?: string) => void): Promise<void> {
  const { args, err, quiet } = context;
  const skill = snapshot.get(name);
  const files = await snapshot.listFiles(name);
  const before = cases.length;
  if (files.some(({ path }) => path === evalsFile)) take(nodeDecodeUtf8(await snapshot.readFile(name, evalsFile)).text, `${skill.folder}/${evalsFile}`, name);
  const perKind = numberOption(args, 'frames', 1, 1000) ?? Infinity;
  const seed = numberOption(args, 'seed', 0, 4_294_967_295) ?? 1;
  cases.push(...generateCases(name, skill.head.triggers.map(({ phrase }) => phrase), { perKind, seed }));
  if (cases.length === before && !quiet) err.line(`"${printableLine(name)}" has neither test prompts (${evalsFile}) nor triggers`);
}

function thresholdOf(text: string | null): number | null {
  if (text === null) return null;
  const value = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text);
  if (text.trim() !== '' && value >= 0 && value <= 1) return value;
  throw new TechneError('USAGE', `--threshold must be a number from 0 to 1, or a percentage, not "${printableLine(text)}"`);
}

async function readCases(library: SkillLibrary, path: string): Promise<string> {
  const read = await library.files.read(path, maxFileBytes);
  if (read === null) throw new TechneError('FILE_MISSING', `there is no file ${path}`, { hint: 'give the path of a file of cases' });
  const { text, valid } = nodeDecodeUtf8(read.bytes);
  if (!valid) throw new TechneError('FILE_INVALID', `${path} is not a text in UTF-8`, { hint: 'save it as UTF-8' });
  return text;
}
