// SKILL.md text -> SkillHead.
//
//   parseFrontmatter -> one pass over the entries -> form, name, description
//
// It never throws and always returns a head: without usable frontmatter it has the folder's name and the first paragraph
// of the body. Every deviation is reported once, at the place of the value. Nothing is reported with 'more' (the given
// text was too short).
import type { Report } from '../base/diagnostic.ts';
import { emptyObject } from '../base/json.ts';
import type { Span } from '../base/span.ts';
import { applyField, newDraft, requiresOf } from './fields/apply-field.ts';
import type { Draft } from './fields/apply-field.ts';
import { countCodePoints, isLongerThan } from './code-points.ts';
import { descriptionLimit, firstParagraph, withoutComments } from './description.ts';
import type { FrontmatterField } from './fields/field-table.ts';
import { fieldOf, isExtensionKey } from './fields/field-table.ts';
import { decideForm } from './form.ts';
import type { HeadContext, SkillHead } from './types.ts';
import type { Frontmatter } from './frontmatter/read-frontmatter.ts';
import { parseFrontmatter } from './frontmatter/read-frontmatter.ts';
import { checkDeclaredName, checkFolderName } from './name.ts';
import { finishRequires, requireSkills } from './fields/requires.ts';
import { foldedFieldOf, guessLimit, suggestionFor } from './fields/spelling.ts';
import type { YamlEntry, YamlMap } from './yaml/node.ts';
import { entryOf, toJson } from './yaml/node.ts';

/** SKILL.md over this size loads, with a warning. */
export const recommendedBytes = 256 * 1024;

type Fault = Parameters<Report>;
type Context = Omit<HeadContext, 'parseFull'>;

export function parseHead(source: string, context: HeadContext, report: Report): SkillHead | 'more' {
  const frontmatter = parseFrontmatter(source, context.parseFull, { complete: context.complete });
  return frontmatter === 'more' ? 'more' : headOf(frontmatter, context, report);
}

/** The head of a whole file whose frontmatter was read already. */
export function headOfFrontmatter(
  frontmatter: Frontmatter,
  context: Omit<Context, 'complete'>,
  report: Report,
): SkillHead {
  const head = headOf(frontmatter, { ...context, complete: true }, report);
  if (head === 'more') throw new Error('a whole file was taken for the head of one');
  return head;
}

function headOf(frontmatter: Frontmatter, context: Context, report: Report): SkillHead | 'more' {
  const { source, text } = frontmatter;
  const held: Fault[] = [];
  const hold: Report = (...fault) => {
    held.push(fault);
  };
  if (text !== source) {
    const at = source.indexOf('\r');
    hold(
      'LINE_ENDINGS_CR',
      { start: at, end: at + 1 },
      'lines end in CR alone, which other hosts do not take for line ends',
      'use LF line ends',
    );
  }
  const head = readHead(frontmatter, context, hold);
  if (head === 'more') return 'more';
  for (const fault of held) report(...fault);
  return head;
}

function readHead(
  { text, parts, map, faults }: Frontmatter,
  context: Context,
  report: Report,
): SkillHead | 'more' {
  checkFolderName(context.folderName, report);
  if (context.fileBytes > recommendedBytes) {
    report(
      'FILE_LARGE',
      null,
      `SKILL.md has ${context.fileBytes} bytes, over ${recommendedBytes}`,
      'move detail into references/',
    );
  }
  const draft = newDraft();
  if (context.complete && text.trim() === '') {
    report('FILE_EMPTY', null, 'SKILL.md has no content', 'start with "---", name: and description:');
    return finish(draft, null, 'none', context, report);
  }
  for (const fault of faults) report(...fault);
  if (parts !== null) readEntries(map, draft, text, report);
  const beforeBody = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const bodyStart = parts === null ? beforeBody : parts.bodyStart;
  checkDeclaredName(draft.declaredName, draft.nameSpan ?? opening(text), context.folderName, report);

  const own = draft.description === null ? '' : withoutComments(draft.description);
  if (own !== '') {
    if (isLongerThan(own, descriptionLimit)) {
      report(
        'DESCRIPTION_TOO_LONG',
        draft.descriptionSpan,
        `the description has ${countCodePoints(own)} characters, over ${descriptionLimit}`,
        'say what it does and when to use it; move the rest into the body',
      );
    }
    return finish(draft, own, 'frontmatter', context, report);
  }
  const paragraph = firstParagraph(text, bodyStart, context.complete);
  if (paragraph === 'more') return 'more';
  const at = draft.descriptionSpan ?? opening(text);
  if (paragraph.text === null) {
    report(
      'DESCRIPTION_NONE',
      at,
      'there is neither a description nor a paragraph to take one from',
      'add description: what it does and when to use it',
    );
    return finish(draft, null, 'none', context, report);
  }
  report(
    'DESCRIPTION_MISSING',
    at,
    'no usable description is given; the first paragraph of the body is used',
    'add description: what it does and when to use it',
  );
  return finish(draft, paragraph.text, 'body', context, report);
}

/** The opening fence: the place of what is missing. */
function opening(text: string): Span {
  return { start: 0, end: Math.min(3, text.length) };
}

function readEntries(map: YamlMap, draft: Draft, text: string, report: Report): void {
  for (const entry of map.entries) {
    const field = fieldOf(entry.key) ?? guessField(entry, map, draft, report);
    if (field === null) continue;
    if (field.name !== entry.key && !acceptSpelling(field, entry, map, report)) continue;
    if (field.dialect !== 'standard' && field.dialect !== 'common' && !draft.dialects.includes(field.dialect))
      draft.dialects.push(field.dialect);
    applyField(draft, field.name, entry, text, report);
  }
  draft.frontmatter = toJson(map) as SkillHead['frontmatter'];
}

/** The field an unknown key means, or `null` after saying that it means none. */
function guessField(entry: YamlEntry, map: YamlMap, draft: Draft, report: Report): FrontmatterField | null {
  const { key, keySpan } = entry;
  if (isExtensionKey(key)) {
    if (/^x[-_]techne[-_]/.test(key) && !draft.dialects.includes('techne')) draft.dialects.push('techne');
    return null;
  }
  const folded = foldedFieldOf(key);
  if (folded !== undefined) return folded;
  draft.unknownKeys += 1;
  const suggestion = draft.unknownKeys > guessLimit ? null : suggestionFor(key);
  if (suggestion !== null && entryOf(map, suggestion) === undefined) {
    report(
      'FIELD_MISSPELT',
      keySpan,
      `"${key}" is not a field techne knows; it is kept but not read`,
      `did you mean "${suggestion}"?`,
    );
  } else {
    report('FIELD_UNKNOWN', keySpan, `"${key}" is not a field techne knows; it is kept as it is`);
  }
  return null;
}

/** Says that `entry` is read as `field`; `false` when the field is also given under its own name. */
function acceptSpelling(field: FrontmatterField, entry: YamlEntry, map: YamlMap, report: Report): boolean {
  if (entryOf(map, field.name) !== undefined) {
    report(
      'FIELD_CONFLICT',
      entry.keySpan,
      `"${entry.key}" means "${field.name}", which is given too; only "${field.name}" counts`,
      `remove ${entry.key}`,
    );
    return false;
  }
  report(
    'FIELD_MISSPELT',
    entry.keySpan,
    `"${entry.key}" is read as "${field.name}"; other hosts may ignore this spelling`,
    `write ${field.name}`,
  );
  return true;
}

function finish(
  draft: Draft,
  description: string | null,
  from: SkillHead['descriptionFrom'],
  context: Context,
  report: Report,
): SkillHead {
  const { form, program, bar, runs } = decideForm(draft.structure, context, report);
  if (runs !== undefined && runs.length > 0) requireSkills(runs, requiresOf(draft));
  if (draft.always && !draft.model) {
    report(
      'FIELD_CONFLICT',
      draft.alwaysSpan,
      `always puts the skill into every prompt, but ${draft.because.join(' and ')} hides it from the model`,
      'remove one of them',
    );
  }
  return {
    name: context.folderName,
    declaredName: draft.declaredName,
    description: description ?? '',
    descriptionFrom: from,
    whenToUse: draft.whenToUse,
    form,
    program,
    bar,
    license: draft.license,
    compatibility: draft.compatibility,
    declaredVersion: draft.version ?? draft.metadata['version'] ?? null,
    metadata: draft.metadata,
    triggers: draft.triggers,
    inputs: draft.inputs,
    output: draft.output,
    allowedTools: draft.allowedTools,
    disallowedTools: draft.disallowedTools,
    tools: draft.tools,
    requires: draft.requires === null ? null : finishRequires(draft.requires),
    invocation: { user: draft.user, model: draft.model, always: draft.always, because: draft.because },
    priority: draft.priority,
    finalTextMode: draft.finalTextMode,
    risk: draft.risk,
    capabilities: draft.capabilities,
    nodeType: draft.nodeType,
    suggestedEdges: draft.suggestedEdges,
    argumentHint: draft.argumentHint,
    argumentNames: draft.argumentNames,
    model: draft.modelName,
    fork: draft.fork,
    dialects: draft.dialects.length > 1 ? draft.dialects.sort() : draft.dialects,
    frontmatter: draft.frontmatter ?? emptyObject(),
  };
}
