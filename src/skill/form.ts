// The form of a skill, from its structure.
//
//   metaskill or SKILL.star -> program      kind: meta + composition.steps -> composition
//   steps -> workflow                       chain -> chain                    else instructions
//
// With the structure of several forms the first in this order wins, FORM_AMBIGUOUS. A form that cannot be executed has a
// bar with the reason; the instructions stay usable. A program path is relative, stays inside the folder and is not
// SKILL.md itself; `checkProgram` and the registry check links and sizes when something is about to run. The skills
// that a chain runs are among its requirements. It cannot run itself.
import type { Report } from '../base/diagnostic.ts';
import type { Span } from '../base/span.ts';
import type { FolderEntryLike, HeadContext, ExecutionBar, Form } from './types.ts';
import { describeValue, isNull, readTrimmed } from './fields/read-value.ts';
import { isSafeRelativePath } from './resources.ts';
import type { YamlEntry, YamlNode } from './yaml/node.ts';
import { entryOf } from './yaml/node.ts';

/** The entries of a frontmatter that decide the form. */
export interface Structure {
  metaskill: YamlEntry | null;
  language: YamlEntry | null;
  kind: YamlEntry | null;
  composition: YamlEntry | null;
  steps: YamlEntry | null;
  chain: YamlEntry | null;
}

interface FormDecision {
  readonly form: Form;
  readonly program: string | null;
  readonly bar: ExecutionBar | null;
  /** The skills that it runs, for a chain. */
  readonly runs?: readonly string[];
}

const instructions: FormDecision = { form: 'instructions', program: null, bar: null };
export const defaultProgram = 'SKILL.star';

export function decideForm(
  structure: Structure,
  { entries, folderName }: Pick<HeadContext, 'entries' | 'folderName'>,
  report: Report,
): FormDecision {
  const { metaskill, language, kind, composition, steps, chain } = structure;
  let beside = false;
  for (const entry of entries) if (entry.name === defaultProgram && entry.kind !== 'folder') beside = true;
  if (
    metaskill === null &&
    language === null &&
    kind === null &&
    composition === null &&
    steps === null &&
    chain === null &&
    !beside
  )
    return instructions;

  const candidates = [
    decideProgram(metaskill, language, beside, entries, report),
    decideComposition(kind, composition, report),
    decideList('workflow', steps, report),
    decideChain(chain, folderName, report),
  ].filter((decision) => decision !== null);
  const [winner, ...others] = candidates;
  if (winner === undefined) return instructions;
  if (others.length > 0) {
    const at = (metaskill ?? composition ?? kind ?? steps ?? chain)?.keySpan ?? null;
    report(
      'FORM_AMBIGUOUS',
      at,
      `the skill has the structure of a ${candidates.map((one) => one.form).join(' and a ')}; it is read as a ${winner.form}`,
      'keep one structure',
    );
  }
  return winner;
}

function barred(
  form: Form,
  program: string | null,
  code: ExecutionBar['code'],
  at: Span | null,
  message: string,
  hint: string,
  report: Report,
): FormDecision {
  report(code, at, `${message}; the skill cannot be executed`, hint);
  return { form, program, bar: { code, message } };
}

/** `sub/../SKILL.star` is `SKILL.star`; a path that leaves the folder, or is not relative, stays as it is written. */
function resolveDots(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '.') continue;
    if (segment !== '..') kept.push(segment);
    else if (kept.pop() === undefined) return path;
  }
  return path.startsWith('/') || kept.length === 0 ? path : kept.join('/');
}

function decideProgram(
  metaskill: YamlEntry | null,
  language: YamlEntry | null,
  beside: boolean,
  entries: readonly FolderEntryLike[],
  report: Report,
): FormDecision | null {
  const declared = metaskill === null ? null : readTrimmed('metaskill', metaskill.value, report);
  const languageDeclared = language !== null && !isNull(language.value);
  if (declared === null && !beside && !languageDeclared) return null;
  const path = resolveDots(declared ?? defaultProgram);
  const at = (metaskill ?? language)?.value.span ?? null;
  if (languageDeclared && !(language.value.kind === 'scalar' && language.value.value === 'starlark')) {
    const message = `metaskill_language is ${describeValue(language.value)}, and only starlark is supported`;
    return barred(
      'program',
      path,
      'LANGUAGE_UNSUPPORTED',
      language.value.span,
      message,
      'write metaskill_language: starlark',
      report,
    );
  }
  if (!isSafeRelativePath(path)) {
    const message = `the program path "${path}" is absolute or leaves the skill folder`;
    return barred(
      'program',
      null,
      'PROGRAM_PATH',
      at,
      message,
      `use a relative path inside the folder, such as ${defaultProgram}`,
      report,
    );
  }
  if (path.toLowerCase() === 'skill.md') {
    return barred(
      'program',
      null,
      'PROGRAM_PATH',
      at,
      'SKILL.md cannot be its own program',
      `put the program into ${defaultProgram}`,
      report,
    );
  }
  const [first = '', ...below] = path.split('/');
  const found = entries.find((entry) => entry.name === first);
  const fits =
    found !== undefined && (found.kind === 'link' || found.kind === (below.length === 0 ? 'file' : 'folder'));
  if (!fits)
    return barred(
      'program',
      path,
      'PROGRAM_MISSING',
      at,
      `the program "${path}" does not exist`,
      `create ${path} beside SKILL.md`,
      report,
    );
  return { form: 'program', program: path, bar: null };
}

function decideComposition(
  kind: YamlEntry | null,
  composition: YamlEntry | null,
  report: Report,
): FormDecision | null {
  const word =
    kind === null || isNull(kind.value) ? null : kind.value.kind === 'scalar' ? kind.value.raw : '';
  const given = composition !== null && !isNull(composition.value);
  if (word !== null && word !== 'meta' && word !== 'meta_sop' && word !== 'skill') {
    report(
      'FIELD_VALUE',
      kind?.value.span ?? null,
      `kind is ${describeValue((kind as YamlEntry).value)}; techne knows meta and skill`,
      'write kind: meta for a composition, or leave it out',
    );
  }
  if (word === 'meta_sop') {
    return barred(
      'composition',
      null,
      'FORM_INCOMPLETE',
      kind?.value.span ?? null,
      'kind: meta_sop, steps as prose, is not supported',
      'write the steps under composition: with kind: meta',
      report,
    );
  }
  if (word !== 'meta') {
    if (!given) return null;
    return barred(
      'composition',
      null,
      'FORM_INCOMPLETE',
      composition.keySpan,
      'a composition needs kind: meta',
      'add kind: meta',
      report,
    );
  }
  const node = given ? composition.value : null;
  const steps = node?.kind === 'map' ? entryOf(node, 'steps')?.value : undefined;
  if (steps?.kind === 'seq' && steps.items.length > 0)
    return { form: 'composition', program: null, bar: null };
  const at = steps?.span ?? node?.span ?? kind?.value.span ?? null;
  return barred(
    'composition',
    null,
    'FORM_INCOMPLETE',
    at,
    'kind: meta needs composition.steps, a list with at least one step',
    'add composition: with steps:',
    report,
  );
}

/** `steps:` of a workflow and `chain:` of a chain: a list, or a mapping with the list under `steps`. */
function decideList(
  form: 'workflow' | 'chain',
  entry: YamlEntry | null,
  report: Report,
): FormDecision | null {
  if (entry === null || isNull(entry.value)) return null;
  const list: YamlNode | undefined =
    entry.value.kind === 'map' ? entryOf(entry.value, 'steps')?.value : entry.value;
  if (list?.kind !== 'seq') {
    report(
      'FIELD_TYPE',
      entry.value.span,
      `${entry.key} must be a list of steps, not ${describeValue(entry.value)}; the skill is read as instructions`,
    );
    return null;
  }
  if (list.items.length === 0)
    return barred(
      form,
      null,
      'FORM_INCOMPLETE',
      list.span,
      `${entry.key} is empty`,
      'add at least one step',
      report,
    );
  const odd = list.items.find(
    (item) => item.kind === 'seq' || (item.kind === 'scalar' && form === 'workflow'),
  );
  if (odd !== undefined) {
    return barred(
      form,
      null,
      'FORM_INCOMPLETE',
      odd.span,
      `an item of ${entry.key} is ${describeValue(odd)}, not a step`,
      form === 'workflow' ? 'write - id: … and tool: …' : 'write - skill: name',
      report,
    );
  }
  return { form, program: null, bar: null };
}

function decideChain(entry: YamlEntry | null, ownName: string, report: Report): FormDecision | null {
  const decision = decideList('chain', entry, report);
  if (entry === null || decision === null || decision.bar !== null) return decision;
  const runs: string[] = [];
  for (const item of stepsOf(entry)) {
    const skill = item.kind === 'map' ? entryOf(item, 'skill')?.value : item;
    if (skill?.kind !== 'scalar' || typeof skill.value !== 'string') continue;
    const name = skill.value.trim();
    if (name === ownName)
      return barred(
        'chain',
        null,
        'FORM_INCOMPLETE',
        skill.span,
        `the chain runs "${name}", which is itself`,
        'name another skill',
        report,
      );
    // A name that is only known when the chain runs demands nothing.
    if (name !== '' && !name.includes('{{')) runs.push(name);
  }
  return { ...decision, runs };
}

function stepsOf({ value }: YamlEntry): readonly YamlNode[] {
  const list = value.kind === 'map' ? entryOf(value, 'steps')?.value : value;
  return list?.kind === 'seq' ? list.items : [];
}

// The program file itself, checked when its bytes are read.

export const programLimitBytes = 64 * 1024;

/** Why the program cannot be executed, or `null`. `bytes` is its size on disk. */
export function checkProgram(programText: string, bytes: number): ExecutionBar | null {
  if (bytes > programLimitBytes) {
    return {
      code: 'PROGRAM_TOO_LARGE',
      message: `the program has ${bytes} bytes, over ${programLimitBytes}`,
    };
  }
  if (/^\uFEFF?---[ \t]*(?:\r?\n|$)/.test(programText)) {
    return {
      code: 'PROGRAM_FRONTMATTER',
      message: 'the program starts with frontmatter; only SKILL.md holds metadata',
    };
  }
  return null;
}
