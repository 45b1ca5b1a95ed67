// The test prompts of the skills that are there -> findings: which prompts find the wrong skill.
//
// T1. The prompts of skills that a change concerns are judged. Those of others are judged only for whether a concerned skill now
//     comes in the place of theirs, since a new trigger can take prompts of any skill.
import { join } from 'node:path';
import type { Diagnostic } from '../../base/diagnostic.ts';
import { isInside } from '../../base/is-inside.ts';
import { TechneError } from '../../base/error.ts';
import type { EvalCase } from '../../measure/eval/eval-case.ts';
import { loadCaseFile } from '../../measure/eval/load-cases.ts';
import type { CaseFailure } from '../../measure/eval/score-cases.ts';
import { nodeParseFull } from '../../node/yaml.ts';
import type { Files } from '../../ports/files.ts';
import { FileFault } from '../../ports/files.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { Skill } from '../../registry/types.ts';
import { evalsFile } from '../../skill/check/check-evals.ts';
import { evalTriggers } from '../eval-triggers.ts';
import type { SkillLibrary } from '../open-skills.ts';
import { openSuggestions } from '../open-suggestions.ts';
import type { CiFinding } from './finding.ts';
import { findingOfCase, findingOfDiagnostic } from './finding.ts';

export interface PromptFindings {
  readonly findings: readonly CiFinding[];
  /** How many prompts of each concerned skill were judged. */
  readonly prompts: ReadonlyMap<Skill, number>;
}

interface OwnedCase {
  readonly owner: Skill;
  readonly path: string;
  readonly one: EvalCase;
}

export async function evaluatePrompts(
  library: SkillLibrary,
  snapshot: Snapshot,
  concerned: ReadonlySet<Skill>,
  pause: () => Promise<void>,
): Promise<PromptFindings> {
  const findings: CiFinding[] = [];
  const prompts = new Map<Skill, number>();
  const cases: OwnedCase[] = [];
  for (const owner of snapshot.skills) {
    const isConcerned = concerned.has(owner);
    const path = join(owner.folder, evalsFile);
    if (!isOwnFile(library.files, owner, path)) continue;
    const { own, faults } = await readCases(library.files, path);
    // What is wrong with the prompts of another skill is not the fault of the change.
    if (isConcerned)
      findings.push(
        ...faults.map(({ fault, text }) => findingOfDiagnostic(fault, text, 'triggers', owner.name)),
      );
    const judged = own.filter(
      ({ kind, expected }) => kind !== 'rubric' && (isConcerned || expected !== null),
    );
    if (isConcerned) prompts.set(owner, judged.length);
    for (const one of judged)
      cases.push({ owner, path, one: one.expected === null ? { ...one, about: owner.name } : one });
    await pause();
  }
  if (cases.length === 0) return { findings, prompts };
  const suggestions = await openSuggestions({ ...library, wordsFile: () => null }, snapshot, () => undefined);
  const changed = new Set([...concerned].map(({ name }) => name));
  let at = 0;
  const judge = (failure: CaseFailure): void => {
    const { owner, path, one } = cases[at] as OwnedCase;
    at += 1;
    if (failure.outcome === 'right') return;
    const isTaken = !concerned.has(owner);
    if (isTaken && (failure.found === null || !changed.has(failure.found))) return;
    const line = /:(\d+)$/.exec(one.place ?? '')?.[1];
    const place = { path, line: line === undefined ? null : Number(line) };
    findings.push(findingOfCase(failure, owner.name, place, isTaken));
  };
  await evalTriggers(
    cases.map(({ one }) => one),
    {
      barOf: (name) => suggestions.barOf(name),
      match: async (message, limit) => {
        await pause();
        return suggestions.match(message, limit);
      },
    },
    undefined,
    judge,
  );
  return { findings, prompts };
}

/** A file of the skill itself; a link that leads out of it is not read. */
function isOwnFile(files: Files, { realFolder }: Skill, path: string): boolean {
  try {
    if (files.lstat(path)?.isFile() !== true) return false;
    const real = files.realPath(path);
    return real !== null && isInside(real, realFolder);
  } catch (error) {
    // The check of the skill says why.
    if (error instanceof FileFault) return false;
    throw error;
  }
}

interface Fault {
  readonly fault: Diagnostic;
  readonly text: string;
}

async function readCases(
  files: Files,
  path: string,
): Promise<{ readonly own: readonly EvalCase[]; readonly faults: readonly Fault[] }> {
  const faults: Fault[] = [];
  const add = (message: string): void => {
    const about = { code: 'LINT_EVALS', severity: 'error', span: null, hint: null } as const;
    faults.push({ fault: { ...about, path, message }, text: '' });
  };
  const source = {
    files,
    parseFull: nodeParseFull,
    resolvePath: (file: string) => file,
    showPath: (file: string) => file,
    faults: {
      get any() {
        return faults.length > 0;
      },
      add: (fault: Diagnostic, text: string) => faults.push({ fault, text }),
      addMessage: (_where: string | null, message: string) => add(message),
    },
  };
  try {
    return { own: (await loadCaseFile(source, path)).cases, faults };
  } catch (error) {
    if (!(error instanceof FileFault) && !(error instanceof TechneError)) throw error;
    add(`the test prompts cannot be read: ${error.message}`);
    return { own: [], faults };
  }
}
