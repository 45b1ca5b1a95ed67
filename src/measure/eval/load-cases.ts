// Case files, and the cases that a skill ships -> cases to measure.
//
// Faults are reported as they are found; a file with a fault gives no case.
import { decodeUtf8 } from '../../base/utf8.ts';
import { append } from '../../base/json.ts';
import type { Diagnostic } from '../../base/diagnostic.ts';
import { TechneError } from '../../base/error.ts';
import { placeOf } from '../../base/span.ts';
import type { Files } from '../../ports/files.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { evalsFile } from '../../skill/check/check-evals.ts';
import type { ParseFull } from '../../skill/yaml/node.ts';
import type { EvalCase } from './eval-case.ts';
import { generateCases } from './generate-cases.ts';
import type { ParsedCases } from './parse-cases.ts';
import { parseCases } from './parse-cases.ts';

const maxFileBytes = 50_000_000;

/** Collects what is wrong with the cases. */
export interface CaseFaultReport {
  readonly any: boolean;
  /** `text`: of the file that it is in. */
  add(diagnostic: Diagnostic, text: string): void;
  /** A fault without a place in a text; `where` is a file as it is shown, or FILE:LINE. */
  addMessage(where: string | null, message: string, hint?: string | null): void;
}

export interface CaseSource {
  readonly files: Pick<Files, 'read'>;
  readonly parseFull: ParseFull;
  /** The full path of a file that the user named. */
  readonly resolvePath: (file: string) => string;
  /** A path as people see it. */
  readonly showPath: (path: string) => string;
  readonly faults: CaseFaultReport;
}

interface LoadedCases {
  readonly cases: readonly EvalCase[];
  readonly rubric: readonly string[];
  /** A fault was reported. */
  readonly faulty: boolean;
}

export async function loadCaseFile(source: CaseSource, file: string): Promise<LoadedCases> {
  const path = source.resolvePath(file);
  const read = await source.files.read(path, maxFileBytes);
  if (read === null)
    throw new TechneError('FILE_MISSING', `there is no file ${path}`, {
      hint: 'give the path of a file of cases',
    });
  const { text, valid } = decodeUtf8(read.bytes);
  if (!valid)
    throw new TechneError('FILE_INVALID', `${path} is not a text in UTF-8`, { hint: 'save it as UTF-8' });
  return withPlaces(source, parseCases(text, path, source.parseFull), text, path);
}

/** Those of its evals/evals.json; null when it has none. Where one expects nothing, only this skill must not be found. */
export async function loadSkillCases(
  source: CaseSource,
  snapshot: Snapshot,
  name: string,
): Promise<LoadedCases | null> {
  const skill = snapshot.get(name);
  if (!(await snapshot.listFiles(name)).some(({ path }) => path === evalsFile)) return null;
  const { text } = decodeUtf8(await snapshot.readFile(name, evalsFile));
  const path = `${skill.folder}/${evalsFile}`;
  const { cases, ...rest } = withPlaces(source, parseCases(text, path, source.parseFull), text, path);
  return { ...rest, cases: cases.map((one) => (one.expected === null ? { ...one, about: name } : one)) };
}

interface WantedCases {
  readonly files: readonly string[];
  readonly skills: readonly string[];
  /** How many cases of each kind are made from a trigger of a skill. */
  readonly framesFor: (hasOwnCases: boolean) => number;
  readonly seed: number;
  /** Called for a skill that gives no case. */
  readonly onNoCases: (skill: string, frames: number) => void;
}

/** Throws SKILL_UNKNOWN. */
export async function loadCases(
  source: CaseSource,
  snapshot: Snapshot,
  { files, skills, framesFor, seed, onNoCases }: WantedCases,
): Promise<readonly EvalCase[]> {
  const cases: EvalCase[] = [];
  for (const file of files) append(cases, (await loadCaseFile(source, file)).cases);
  for (const name of skills) {
    const own = await loadSkillCases(source, snapshot, name);
    const frames = framesFor(own !== null);
    const phrases = snapshot.get(name).head.triggers.map(({ phrase }) => phrase);
    const made = frames === 0 ? [] : generateCases(name, phrases, { perKind: frames, seed });
    if (own === null && made.length === 0) onNoCases(name, frames);
    append(cases, own?.cases ?? []);
    append(cases, made);
  }
  return cases;
}

/** A case that expects a skill. */
export interface Expecting {
  readonly skill: string;
  readonly place?: string;
}

/** The cases whose expected skill does not exist. */
export function expectUnknown(snapshot: Snapshot, cases: readonly EvalCase[]): readonly Expecting[] {
  return cases.flatMap(({ expected, place }) =>
    expected === null || snapshot.has(expected)
      ? []
      : [{ skill: expected, ...(place === undefined ? {} : { place }) }],
  );
}

interface UnknownSkill {
  readonly place?: string;
  readonly message: string;
  readonly hint: string | null;
}

/** For each that names a skill which does not exist: the reason, in words. */
export function describeUnknown(snapshot: Snapshot, all: readonly Expecting[]): readonly UnknownSkill[] {
  return all
    .filter(({ skill }) => !snapshot.has(skill))
    .map(({ skill, place }) => {
      const { message, hint } = unknownSkill(snapshot, skill);
      return { ...(place === undefined ? {} : { place }), message, hint };
    });
}

function unknownSkill(
  snapshot: Snapshot,
  skill: string,
): { readonly message: string; readonly hint: string | null } {
  try {
    snapshot.get(skill);
    return { message: `there is no skill "${skill}"`, hint: null };
  } catch (error) {
    if (!(error instanceof TechneError)) throw error;
    return error;
  }
}

function withPlaces(
  { showPath, faults }: CaseSource,
  { cases, spans, rubric, diagnostics }: ParsedCases,
  text: string,
  path: string,
): LoadedCases {
  const shown = showPath(path);
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
