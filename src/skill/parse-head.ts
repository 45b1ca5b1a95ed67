// SKILL.md text -> SkillHead.
//
//   parseFrontmatter -> one pass over the entries -> name, description, form -> SkillHead -> SkillCard
//
// It never throws and always returns a head: without usable frontmatter it has the folder's name and the first paragraph
// of the body. Every deviation is reported once, at the place of the value. Nothing is reported with 'more' (the given
// text was too short).
import type { Report, Diagnostic } from '../base/diagnostic.ts';
import { emptyObject } from '../base/json.ts';
import { encodeUtf8 } from '../base/utf8.ts';
import type { Span } from '../base/span.ts';
import { applyField, newDraft, requiresOf } from './fields/apply-field.ts';
import type { Draft } from './fields/apply-field.ts';
import {
  bodyTokenLimit,
  countCodePoints,
  estimateTokens,
  isLongerThan,
  cutCodePoints,
} from './code-points.ts';
import type { FrontmatterField } from './fields/field-table.ts';
import { fieldOf, isExtensionKey } from './fields/field-table.ts';
import { isBinary } from './check/inspect-text.ts';
import { decideForm } from './form.ts';
import type { HeadContext, SkillHead, Form, FormBar, Invocation, Requires } from './types.ts';
import type { Frontmatter } from './frontmatter/read-frontmatter.ts';
import { parseFrontmatter } from './frontmatter/read-frontmatter.ts';
import { finishRequires, requireSkills } from './fields/requires.ts';
import { yamlText } from './fields/read-value.ts';
import { foldedFieldOf, guessLimit, suggestionFor } from './fields/spelling.ts';
import type { YamlEntry, YamlMap } from './yaml/node.ts';
import { entryOf, toJson } from './yaml/node.ts';
import { hasHiddenCharacters, printableLine } from '../base/printable.ts';

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
  checkFileName(context.entries, report);
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
  // Garbage describes nothing; `inspectText` reports it.
  if (parts === null && isBinary(text)) return finish(draft, null, 'none', context, report);
  for (const fault of faults) report(...fault);
  // Where the body begins is not known then.
  if (faults.some(([code]) => code === 'FRONTMATTER_TOO_LARGE'))
    return finish(draft, null, 'none', context, report);
  if (parts !== null) readEntries(map, draft, text, report);
  const beforeBody = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const bodyStart = parts === null ? beforeBody : parts.bodyStart;
  checkBodySize(text, bodyStart, context.fileBytes, report);
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

/** `skill.md`, which other hosts do not look for. */
function checkFileName(entries: HeadContext['entries'], report: Report): void {
  let other: string | null = null;
  for (const { name } of entries) {
    if (name === 'SKILL.md') return;
    if (name.length === 8 && name.toLowerCase() === 'skill.md') other = name;
  }
  if (other !== null)
    report(
      'FILE_NAME_CASE',
      null,
      `the file is called "${other}"; it is read, but never executed, and other hosts look for SKILL.md`,
      'rename it to SKILL.md',
    );
}

/** What is not in `text` is not read for this: it counts as many characters for a byte as `text` has. */
function checkBodySize(text: string, bodyStart: number, fileBytes: number, report: Report): void {
  if (Math.max(text.length, fileBytes) <= 4 * bodyTokenLimit) return;
  const body = text.slice(bodyStart).replace(/^[\r\n]+/, '');
  const textBytes = encodeUtf8(text).length;
  const unread = Math.max(0, fileBytes - textBytes) * (countCodePoints(text) / textBytes);
  const tokens = unread === 0 ? estimateTokens(body) : Math.floor((countCodePoints(body) + unread) / 4);
  if (tokens > bodyTokenLimit)
    report(
      'BODY_LONG',
      null,
      `the body has about ${tokens} tokens, over ${bodyTokenLimit}`,
      'move detail into references/',
    );
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
    limits: draft.limits,
    capabilities: draft.capabilities,
    nodeType: draft.nodeType,
    suggestedEdges: draft.suggestedEdges,
    note: draft.note,
    argumentHint: draft.argumentHint,
    argumentNames: draft.argumentNames,
    model: draft.modelName,
    fork: draft.fork,
    dialects: draft.dialects.length > 1 ? draft.dialects.sort() : draft.dialects,
    frontmatter: draft.frontmatter ?? emptyObject(),
  };
}

// The description, or the paragraph that replaces it.
//
//   text -> text without HTML comments, trimmed
//   body -> its first paragraph: not a heading, comment, fence, picture, table, rule or bare markup
//
// A description over 1024 characters is kept whole; a paragraph is cut there. A body without a paragraph gives its first
// list item, else its first heading. If the text ends before the paragraph does, the result is 'more'. Linear in the
// text: no pattern here can match in two ways, and ends are trimmed by index.

export const descriptionLimit = 1024;

/** `text` without complete HTML comments, trimmed. */
export function withoutComments(text: string): string {
  if (!text.includes('<!--')) return text.trim();
  let kept = '';
  let at = 0;
  for (;;) {
    const open = text.indexOf('<!--', at);
    const close = open === -1 ? -1 : text.indexOf('-->', open + 4);
    if (close === -1) return (kept + text.slice(at)).trim();
    kept += text.slice(at, open);
    at = close + 3;
  }
}

const heading = /^ {0,3}#{1,6}(?:[ \t]|$)/;
const fence = /^ {0,3}(`{3,}|~{3,})/;
const underline = /^ {0,3}(?:=+|-+)[ \t]*$/;
const rule = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const listItem = /^\s*(?:[-*+]|\d{1,9}[.)])[ \t]+/;
const table = /^ {0,3}\|/;
const markup = /^\s*(?:<\/?[A-Za-z][^>]*>\s*)+$/;
const pictures = /^(?:\s*(?:\[?!\[[^\]]*\]\([^)]*\)(?:\]\([^)]*\))?|<img[^>]*>))+\s*$/i;

/** What the body offers; `text` is `null` when it offers nothing. */
interface Paragraph {
  readonly text: string | null;
}

/** The first paragraph of `text` from `start`; 'more' when `text` is a head that ends too early. */
export function firstParagraph(text: string, start: number, complete: boolean): Paragraph | 'more' {
  let paragraph = '';
  let item: string | null = null;
  let title: string | null = null;
  let closing: string | null = null;
  let at = start;
  while (at < text.length) {
    const lineEnd = text.indexOf('\n', at);
    const end = lineEnd === -1 ? text.length : lineEnd;
    if (lineEnd === -1 && !complete) return 'more';
    const line = text.slice(at, end).trimEnd();
    const lineStart = at;
    at = end + 1;
    if (closing !== null) {
      if (line.trim().startsWith(closing) && line.trim().replaceAll(closing[0] as string, '') === '')
        closing = null;
      continue;
    }
    if (paragraph !== '') {
      if (underline.test(line)) {
        title ??= paragraph;
        paragraph = '';
        continue;
      }
      if (line.trim() === '' || heading.test(line) || fence.test(line) || listItem.test(line))
        return { text: cutCodePoints(paragraph, descriptionLimit) };
      paragraph = `${paragraph} ${line.replace(/^[\s>]+/, '')}`;
      if (paragraph.length > 2 * descriptionLimit)
        return { text: cutCodePoints(paragraph, descriptionLimit) };
      continue;
    }
    const opened = fence.exec(line);
    if (opened !== null) {
      closing = opened[1] as string;
    } else if (line.trimStart().startsWith('<!--')) {
      const close = text.indexOf('-->', lineStart);
      if (close === -1 && !complete) return 'more';
      if (close === -1) break;
      at = close + 3;
    } else if (heading.test(line)) {
      title ??= headingText(line);
    } else if (listItem.test(line)) {
      item ??= line.replace(listItem, '').trim();
    } else if (
      line.trim() !== '' &&
      !rule.test(line) &&
      !table.test(line) &&
      !markup.test(line) &&
      !pictures.test(line)
    ) {
      paragraph = withoutComments(line.replace(/^[\s>]+/, ''));
    }
  }
  if (!complete) return 'more';
  const found = [paragraph, item, title].find((candidate) => candidate !== null && candidate !== '') ?? null;
  return { text: found === null ? null : cutCodePoints(found, descriptionLimit) };
}

function headingText(line: string): string {
  const isMark = (at: number): boolean => line[at] === '#' || /\s/.test(line[at] as string);
  let start = 0;
  let end = line.length;
  while (start < end && isMark(start)) start += 1;
  while (end > start && isMark(end - 1)) end -= 1;
  return line.slice(start, end);
}

// The name: the identity of a skill.
//
// The folder's name is always the identity, so that a name leads to one folder without reading it. The name in the
// frontmatter is kept; if it differs, one diagnostic reports it. A folder name that could deceive a reader or a path is
// NAME_UNSAFE.

export const nameLimit = 64;
const plainName = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Follows the standard's rules except for the length: a-z, 0-9 and single inner hyphens. */
export function isPlainName(name: string): boolean {
  return plainName.test(name);
}

/** Holds characters that are invisible, control a terminal, or mean something in a path. */
export function isUnsafeName(name: string): boolean {
  if (plainName.test(name)) return false;
  return (
    name === '' || name === '.' || name === '..' || /[/\\\r\n\t]/.test(name) || hasHiddenCharacters(name)
  );
}

function checkFolderName(folderName: string, report: Report): void {
  if (!isUnsafeName(folderName)) return;
  report(
    'NAME_UNSAFE',
    null,
    `the folder name "${printableLine(folderName)}" holds control, invisible or path characters`,
    'rename the folder: a-z, 0-9 and hyphens',
  );
}

/** `declared` is what `name:` says, `null` when nothing; `at` is the place of its value or of the frontmatter. */
function checkDeclaredName(declared: string | null, at: Span, folderName: string, report: Report): void {
  const hint = plainName.test(folderName)
    ? `write name: ${yamlText(folderName)}`
    : 'use lower-case letters, digits and single hyphens for folder and name';
  if (declared === null) {
    report(
      'NAME_MISSING',
      at,
      `no usable name is given; the folder name "${printableLine(folderName)}" is used`,
      hint,
    );
  } else if (isLongerThan(declared, nameLimit)) {
    report(
      'NAME_TOO_LONG',
      at,
      `the name has ${countCodePoints(declared)} characters, over ${nameLimit}; the folder name is used`,
      hint,
    );
  } else if (!plainName.test(declared)) {
    report(
      'NAME_INVALID',
      at,
      `the name "${printableLine(declared)}" is not lower-case letters, digits and single inner hyphens; the folder name is used`,
      hint,
    );
  } else if (declared !== folderName) {
    report(
      'NAME_NOT_FOLDER',
      at,
      `the name "${declared}" differs from the folder "${printableLine(folderName)}"; the folder name is used`,
      hint,
    );
  }
}

// The card: the part of a head that listing, eligibility and visibility need. The rest is parsed on demand.

/** What a listing needs to know of a skill, without its whole head. */
export interface SkillCard {
  readonly description: string;
  readonly form: Form;
  /** Why it cannot be executed: what the head says, else what its program or plan does (registry/facts/facts.ts). */
  readonly bar: FormBar | null;
  readonly invocation: Invocation;
  readonly requires: Requires | null;
  /** The head has a diagnostic of severity `error`. */
  readonly invalid: boolean;
}

const plainInvocation: Invocation = Object.freeze({
  user: true,
  model: true,
  always: false,
  because: Object.freeze([]),
});

/** Instructions that demand nothing and are open to all. */
export function plainCard(description: string): SkillCard {
  return {
    description,
    form: 'instructions',
    bar: null,
    invocation: plainInvocation,
    requires: null,
    invalid: false,
  };
}

/** `judged`: the verdict about its program or plan, where the head bars nothing. */
export function cardOf(
  head: SkillHead,
  diagnostics: readonly Diagnostic[],
  judged: FormBar | null,
): SkillCard {
  const { description, form, bar, invocation, requires } = head;
  return {
    description,
    form,
    bar: bar ?? judged,
    invocation,
    requires,
    invalid: diagnostics.some(({ severity }) => severity === 'error'),
  };
}

/** Differs from `plainCard` in nothing but the description. */
export function isPlainCard({ form, bar, invocation, requires, invalid }: SkillCard): boolean {
  const open = invocation.user && invocation.model && !invocation.always && invocation.because.length === 0;
  return form === 'instructions' && bar === null && requires === null && !invalid && open;
}
