// One frontmatter value -> the type that a field needs.
//
// Nothing throws and nothing is defaulted silently: a value of another type is FIELD_TYPE at its place. A number or
// boolean in place of text is its source text (`1.0` stays `1.0`), FIELD_COERCED. A key without a value (`license:`)
// counts as absent.
import type { Report } from '../../base/diagnostic.ts';
import { printableLine } from '../../base/printable.ts';
import type { YamlNode, YamlScalar } from '../yaml/node.ts';
import { resolvePlain } from '../yaml/plain/scalars.ts';

/** How a message names a value: its type, and the value itself where it is short. */
export function describeValue(node: YamlNode): string {
  if (node.kind === 'seq') return 'a list';
  if (node.kind === 'map') return 'a mapping';
  if (node.value === null) return 'empty';
  const shown = printableLine(node.raw);
  const short = shown.length > 40 ? `${shown.slice(0, 39)}…` : shown;
  return typeof node.value === 'string'
    ? `"${short}"`
    : `${typeof node.value === 'number' ? 'the number' : 'the boolean'} ${short}`;
}

/** `text` as YAML that a hint can show: as it is where that is text, else in quotes. */
export function yamlText(text: string): string {
  return /^[A-Za-z0-9](?:[\w -]*\w)?$/.test(text) && typeof resolvePlain(text) === 'string'
    ? text
    : JSON.stringify(text);
}

/** The hint to write a value as text. What it shows is valid YAML, whatever the value holds. */
export function quoteHint(raw: string): string {
  return `quote it: ${JSON.stringify(raw)}`;
}

export function isNull(node: YamlNode): boolean {
  return node.kind === 'scalar' && node.value === null;
}

function scalarText(label: string, node: YamlScalar, report: Report): string {
  if (typeof node.value === 'string') return node.value;
  report(
    'FIELD_COERCED',
    node.span,
    `${label} is ${describeValue(node)}; it is read as text`,
    quoteHint(node.raw),
  );
  return node.raw;
}

export function readText(label: string, node: YamlNode, report: Report): string | null {
  if (node.kind !== 'scalar') {
    report(
      'FIELD_TYPE',
      node.span,
      `${label} must be text, not ${describeValue(node)}`,
      `write ${label}: some text`,
    );
    return null;
  }
  return node.value === null ? null : scalarText(label, node, report);
}

/** `readText`, trimmed; blank counts as not given. */
export function readTrimmed(label: string, node: YamlNode, report: Report): string | null {
  const value = readText(label, node, report)?.trim();
  return value === undefined || value === '' ? null : value;
}

export function readBoolean(label: string, node: YamlNode, report: Report): boolean | null {
  if (node.kind === 'scalar') {
    if (typeof node.value === 'boolean') return node.value;
    if (node.value === null) return null;
    switch (node.raw.trim().toLowerCase()) {
      case 'true':
      case 'yes':
      case 'on':
      case '1':
        return true;
      case 'false':
      case 'no':
      case 'off':
      case '0':
        return false;
    }
  }
  report(
    'FIELD_TYPE',
    node.span,
    `${label} must be true or false, not ${describeValue(node)}`,
    `write ${label}: true or ${label}: false`,
  );
  return null;
}

export function readInteger(label: string, node: YamlNode, report: Report): number | null {
  if (isNull(node)) return null;
  if (node.kind === 'scalar') {
    const value =
      typeof node.value === 'string' && /^[+-]?\d{1,15}$/.test(node.value.trim())
        ? Number(node.value)
        : node.value;
    if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  }
  report('FIELD_TYPE', node.span, `${label} must be a whole number, not ${describeValue(node)}`);
  return null;
}

/**
 * A list of texts: a list, or one scalar split at commas. `null` when not given or unusable.
 * Items that are not scalars are reported one by one and left out.
 */
export function readTextList(label: string, node: YamlNode, report: Report): string[] | null {
  if (node.kind === 'map') {
    report(
      'FIELD_TYPE',
      node.span,
      `${label} must be a list, not a mapping`,
      `write ${label}: followed by lines "- item"`,
    );
    return null;
  }
  if (node.kind === 'scalar') {
    if (node.value === null) return null;
    return scalarText(label, node, report)
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  }
  const items: string[] = [];
  for (const item of node.items) {
    const value = readTrimmed(`an item of ${label}`, item, report);
    if (value !== null) items.push(value);
  }
  return items;
}
