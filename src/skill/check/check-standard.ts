// What the open standard rejects, for the frontmatter as the lenient parser read it.
//
//   Frontmatter -> STRICT_FILE, STRICT_FRONTMATTER, STRICT_NAME, STRICT_DESCRIPTION, STRICT_COMPATIBILITY, STRICT_METADATA, STRICT_TYPE
//
// Strict loading skips a skill with one of these faults (registry/discover/refuse-skills.ts). `techne check --strict` asks
// for more: portable fields, and forms that can be executed (validate-strict.ts). The file must be called SKILL.md, be UTF-8
// without a byte order mark and begin with "---". What loading repairs in the frontmatter is a fault. A field that the
// standard does not name is none. Where the reference validator accepts more than the specification (Unicode letters in
// names), the specification counts and the message says so.
import type { Report } from '../../base/diagnostic.ts';
import { printableLine } from '../../base/printable.ts';
import type { Span } from '../../base/span.ts';
import { countCodePoints, isLongerThan } from '../code-points.ts';
import { compatibilityLimit } from '../fields/apply-field.ts';
import { describeValue, isNull, quoteHint, yamlText } from '../fields/read-value.ts';
import type { Frontmatter } from '../frontmatter/read-frontmatter.ts';
import { hasLoneReturns } from '../frontmatter/read-frontmatter.ts';
import { descriptionLimit, nameLimit, withoutComments } from '../parse-head.ts';
import type { HeadContext } from '../types.ts';
import type { YamlMap, YamlNode } from '../yaml/node.ts';

interface StandardContext extends Pick<HeadContext, 'folderName' | 'entries'> {
  /** Whether the bytes were valid UTF-8 (default true). */
  readonly validUtf8?: boolean;
  /** An executable form may keep the mapping of a host in its metadata, and list its tools. */
  readonly executable?: boolean;
}

export function checkStandard(
  { source, text, parts, map, faults }: Frontmatter,
  context: StandardContext,
  report: Report,
): void {
  checkFile(source, context, report);
  for (const [code, at, message, hint] of faults)
    report('STRICT_FRONTMATTER', at, `${message} (${code})`, hint);
  if (parts === null) return;
  checkRequired(map, context.folderName, { start: 0, end: Math.min(3, text.length) }, report);
  const executable = context.executable === true;
  for (const { key, value } of map.entries) {
    if (key === 'description') checkDescription(value, report);
    else if (key === 'compatibility') checkCompatibility(value, report);
    else if (key === 'metadata') checkMetadata(value, executable, report);
    else if (key === 'license') checkText(key, value, report);
    else if (key === 'allowed-tools' && !(executable && value.kind === 'seq')) checkText(key, value, report);
  }
}

function checkFile(text: string, context: StandardContext, report: Report): void {
  const names = context.entries.map((entry) => entry.name);
  const other = names.find((name) => name.toLowerCase() === 'skill.md');
  if (other !== undefined && !names.includes('SKILL.md'))
    report('STRICT_FILE', null, `the file must be named SKILL.md, not ${other}`, `rename ${other}`);
  if (context.validUtf8 === false)
    report('STRICT_FILE', null, 'the file is not valid UTF-8', 'save it as UTF-8');
  if (hasLoneReturns(text)) report('STRICT_FILE', null, 'lines end in CR alone', 'use LF line ends');
  if (text.charCodeAt(0) === 0xfeff)
    report(
      'STRICT_FILE',
      { start: 0, end: 1 },
      'the file must begin with "---", not with a byte order mark',
      'save it as UTF-8 without BOM',
    );
}

function checkRequired(map: YamlMap, folderName: string, opening: Span, report: Report): void {
  const given = new Set(map.entries.map((entry) => entry.key));
  if (!given.has('name'))
    report('STRICT_NAME', opening, 'name is missing', `add name: ${yamlText(nameLike(folderName))}`);
  if (!given.has('description'))
    report(
      'STRICT_DESCRIPTION',
      opening,
      'description is missing',
      'add description: what it does and when to use it',
    );
  const name = map.entries.find((entry) => entry.key === 'name');
  if (name !== undefined) checkName(name.value, folderName, report);
}

function checkName(node: YamlNode, folderName: string, report: Report): void {
  if (node.kind === 'scalar' && typeof node.value === 'string')
    checkStrictName(node.value, node.span, folderName, report);
  else
    report(
      'STRICT_NAME',
      node.span,
      `name must be text, not ${describeValue(node)}`,
      node.kind === 'scalar' && !isNull(node)
        ? quoteHint(node.raw)
        : `write name: ${yamlText(nameLike(folderName))}`,
    );
}

function checkText(key: string, node: YamlNode, report: Report): void {
  if (node.kind === 'scalar' && (typeof node.value === 'string' || node.value === null)) return;
  const hint =
    node.kind === 'scalar'
      ? quoteHint(node.raw)
      : key === 'allowed-tools'
        ? 'write the names in one line, separated by spaces'
        : `write ${key}: some text`;
  report('STRICT_TYPE', node.span, `${key} must be text, not ${describeValue(node)}`, hint);
}

function checkDescription(node: YamlNode, report: Report): void {
  if (node.kind !== 'scalar' || (typeof node.value !== 'string' && node.value !== null)) {
    report(
      'STRICT_DESCRIPTION',
      node.span,
      `description must be text, not ${describeValue(node)}`,
      node.kind === 'scalar' ? quoteHint(node.raw) : 'write one text',
    );
    return;
  }
  const text = node.value ?? '';
  if (isLongerThan(text, descriptionLimit))
    report(
      'STRICT_DESCRIPTION',
      node.span,
      `the description has ${countCodePoints(text)} characters, over ${descriptionLimit}`,
      'shorten it',
    );
  if (text.trim() === '')
    report(
      'STRICT_DESCRIPTION',
      node.span,
      'the description is blank',
      'say what the skill does and when to use it',
    );
  else if (withoutComments(text) === '')
    report(
      'STRICT_DESCRIPTION',
      node.span,
      'the description is empty once its comments are removed',
      'say what the skill does and when to use it',
    );
}

function checkCompatibility(node: YamlNode, report: Report): void {
  if (node.kind !== 'scalar' || (typeof node.value !== 'string' && node.value !== null)) {
    report(
      'STRICT_COMPATIBILITY',
      node.span,
      `compatibility must be text, not ${describeValue(node)}`,
      node.kind === 'scalar' ? quoteHint(node.raw) : 'write one text',
    );
  } else if (isLongerThan(node.value ?? '', compatibilityLimit)) {
    report(
      'STRICT_COMPATIBILITY',
      node.span,
      `compatibility has ${countCodePoints(node.value ?? '')} characters, over ${compatibilityLimit}`,
      'shorten it',
    );
  }
}

/** Text by text, scalars coerced; an executable form may keep a host's mapping under its name. */
function checkMetadata(node: YamlNode, executable: boolean, report: Report): void {
  if (isNull(node)) return;
  if (node.kind !== 'map') {
    report(
      'STRICT_METADATA',
      node.span,
      `metadata must be a mapping, not ${describeValue(node)}`,
      'write indented "key: text" lines',
    );
    return;
  }
  for (const { key, value } of node.entries) {
    if (value.kind === 'scalar' || (executable && value.kind === 'map')) continue;
    report(
      'STRICT_METADATA',
      value.span,
      `metadata.${key} must be text, not ${describeValue(value)}`,
      'write it as one text',
    );
  }
}

/** Reports every rule that `written` breaks as STRICT_NAME. Compared with the folder after NFKC, as the reference does. */
function checkStrictName(written: string, at: Span, folderName: string, report: Report): void {
  const name = written.trim().normalize('NFKC');
  const shown = printableLine(name);
  const fault = (message: string, hint?: string): void => report('STRICT_NAME', at, message, hint);
  if (name === '') {
    fault('the name is blank', `write name: ${yamlText(nameLike(folderName))}`);
    return;
  }
  const length = countCodePoints(name);
  if (length > nameLimit)
    fault(`the name has ${length} characters, over ${nameLimit}`, 'shorten it, and the folder with it');
  if (name !== name.toLowerCase())
    fault(`the name "${shown}" must be lower-case`, `write name: ${yamlText(nameLike(name))}`);
  if (name.startsWith('-') || name.endsWith('-'))
    fault(`the name "${shown}" must not start or end with a hyphen`);
  if (name.includes('--')) fault(`the name "${shown}" must not hold two hyphens in a row`);
  // Upper-case ASCII has been told above; it is not a second fault.
  const odd = /[^A-Za-z0-9-]/u.exec(name)?.[0];
  if (odd !== undefined) {
    const wider = /^[\p{L}\p{N}-]+$/u.test(name)
      ? '; the reference validator accepts other letters, the specification does not'
      : '';
    fault(
      `the name "${shown}" holds "${printableLine(odd)}", which is not a-z, 0-9 or a hyphen${wider}`,
      'use lower-case ASCII letters, digits and hyphens',
    );
  }
  if (name !== folderName.normalize('NFKC'))
    fault(
      `the name "${shown}" differs from the folder name "${printableLine(folderName)}"`,
      'rename one of them',
    );
}

/** The nearest name that the standard allows. */
function nameLike(text: string): string {
  const name = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64)
    .replace(/-+$/, '');
  return name === '' ? 'my-skill' : name;
}
