// The rules of the open standard, for the frontmatter as the lenient parser read it.
//
// Every fault is reported at its place; nothing is repaired. What loading repairs in the frontmatter is an error here:
// STRICT_FRONTMATTER. A skill of the form `instructions` must be portable: each field outside the six, nested metadata
// and inline collections make other hosts refuse it. An executable skill is for techne: known fields and `x_` extensions
// are fine, unknown fields are not, faults of its inputs are STRICT_INPUTS, and a form that cannot be executed is
// STRICT_FORM. Where the reference validator accepts more than the specification (Unicode letters in names), the
// specification counts and the message says so.
import { severityOf } from '../../base/codes.ts';
import type { Report } from '../../base/diagnostic.ts';
import type { Span } from '../../base/span.ts';
import { compatibilityLimit } from '../fields/apply-field.ts';
import { countCodePoints, isLongerThan } from '../code-points.ts';
import { descriptionLimit, withoutComments, recommendedBytes, nameLimit } from '../parse-head.ts';
import { fieldOf, isExtensionKey, standardFields } from '../fields/field-table.ts';
import type { Form, HeadContext, SkillHead } from '../types.ts';
import { readInputs } from '../fields/inputs.ts';
import type { Frontmatter } from '../frontmatter/read-frontmatter.ts';
import { hasLoneReturns } from '../frontmatter/read-frontmatter.ts';
import { describeValue, isNull } from '../fields/read-value.ts';
import { suggestionFor } from '../fields/spelling.ts';
import type { YamlEntry, YamlMap, YamlNode } from '../yaml/node.ts';
import { printableLine } from '../../base/printable.ts';

export interface StrictContext extends Pick<HeadContext, 'folderName' | 'entries' | 'fileBytes'> {
  /** Whether the bytes were valid UTF-8 (default true). */
  readonly validUtf8?: boolean;
}

/** `head` is that of `frontmatter`. */
export function validateStrict(
  head: Pick<SkillHead, 'form' | 'bar'>,
  { source, text, parts, map, faults }: Frontmatter,
  context: StrictContext,
  report: Report,
): void {
  checkFile(source, context, report);
  for (const [code, at, message, hint] of faults)
    report('STRICT_FRONTMATTER', at, `${message} (${code})`, hint);
  if (parts === null) return;

  const portable = head.form === 'instructions';
  checkRequired(map, context.folderName, { start: 0, end: Math.min(3, text.length) }, report);
  for (const entry of map.entries) checkEntry(entry, head.form, report);
  if (portable) {
    reportFlow(map, report);
    const inner = text.slice(parts.yamlStart, parts.yamlEnd).indexOf('---');
    if (inner !== -1) {
      const start = parts.yamlStart + inner;
      report(
        'STRICT_FRONTMATTER',
        { start, end: start + 3 },
        'the reference validator ends the frontmatter at any "---", also inside a value',
        'write a dash or a colon instead',
      );
    }
  }
  if (head.bar !== null)
    report('STRICT_FORM', null, `the ${head.form} cannot be executed: ${head.bar.message}`);
}

function checkFile(text: string, context: StrictContext, report: Report): void {
  const names = context.entries.map((entry) => entry.name);
  const other = names.find((name) => name.toLowerCase() === 'skill.md');
  if (other !== undefined && !names.includes('SKILL.md'))
    report('STRICT_FILE', null, `the file must be named SKILL.md, not ${other}`, `rename ${other}`);
  if (context.fileBytes > recommendedBytes)
    report(
      'STRICT_FILE',
      null,
      `SKILL.md has ${context.fileBytes} bytes, over ${recommendedBytes}`,
      'move detail into references/',
    );
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
    report('STRICT_NAME', opening, 'name is missing', `add name: ${nameLike(folderName)}`);
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
        ? `quote it: "${node.raw}"`
        : `write name: ${nameLike(folderName)}`,
    );
}

function checkEntry(entry: YamlEntry, form: Form, report: Report): void {
  const { key, keySpan, value } = entry;
  const portable = form === 'instructions';
  switch (key) {
    case 'name':
      return;
    case 'description':
      return checkDescription(value, report);
    case 'compatibility':
      return checkCompatibility(value, report);
    case 'metadata':
      return checkMetadata(value, portable, report);
    case 'license':
      return checkText(key, value, report);
    case 'allowed-tools':
      if (value.kind === 'seq' && !portable) return;
      return checkText(key, value, report);
  }
  if (portable) {
    report(
      'STRICT_FIELD',
      keySpan,
      `"${key}" is outside the standard's fields: ${standardFields.join(', ')}`,
      'other hosts refuse this field; move it under metadata: as text',
    );
    return;
  }
  if (isExtensionKey(key)) return;
  const field = fieldOf(key);
  if (field?.name === 'inputs') {
    readInputs(value, (code, at, message, hint) => {
      if (severityOf(code) !== 'info') report('STRICT_INPUTS', at, message, hint);
    });
  }
  if (field?.name === key) return;
  const suggestion = field?.name ?? suggestionFor(key);
  report(
    'STRICT_FIELD',
    keySpan,
    `"${key}" is not a known field`,
    suggestion === null
      ? `use the prefix x_ for a field of your own: x_${key}`
      : `did you mean "${suggestion}"?`,
  );
}

function checkText(key: string, node: YamlNode, report: Report): void {
  if (node.kind === 'scalar' && (typeof node.value === 'string' || node.value === null)) return;
  const hint =
    node.kind === 'scalar'
      ? `quote it: "${node.raw}"`
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
      node.kind === 'scalar' ? `quote it: "${node.raw}"` : 'write one text',
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
      node.kind === 'scalar' ? `quote it: "${node.raw}"` : 'write one text',
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
function checkMetadata(node: YamlNode, portable: boolean, report: Report): void {
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
    if (value.kind === 'scalar' || (!portable && value.kind === 'map')) continue;
    report(
      'STRICT_METADATA',
      value.span,
      `metadata.${key} must be text, not ${describeValue(value)}`,
      'write it as one text',
    );
  }
}

function reportFlow(node: YamlNode, report: Report): void {
  if (node.kind === 'scalar') return;
  if (node.flow) {
    report(
      'YAML_FLOW_STYLE',
      node.span,
      `inline ${node.kind === 'map' ? '{…}' : '[…]'} is refused by the reference validator`,
      'write one item per line',
    );
    return;
  }
  for (const child of node.kind === 'seq' ? node.items : node.entries.map((entry) => entry.value))
    reportFlow(child, report);
}

/** Reports every rule that `written` breaks as STRICT_NAME. Compared with the folder after NFKC, as the reference does. */
function checkStrictName(written: string, at: Span, folderName: string, report: Report): void {
  const name = written.trim().normalize('NFKC');
  const shown = printableLine(name);
  const fault = (message: string, hint?: string): void => report('STRICT_NAME', at, message, hint);
  if (name === '') {
    fault('the name is blank', `write name: ${nameLike(folderName)}`);
    return;
  }
  const length = countCodePoints(name);
  if (length > nameLimit)
    fault(`the name has ${length} characters, over ${nameLimit}`, 'shorten it, and the folder with it');
  if (name !== name.toLowerCase())
    fault(`the name "${shown}" must be lower-case`, `write name: ${nameLike(name)}`);
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
