// The messages about invalid values: one wording for each fault. They never repeat a value that may be a secret.
import type { Report } from '../../base/diagnostic.ts';
import { nearest } from '../../base/nearest.ts';
import type { JsonMember, JsonNode } from '../parse-json.ts';

export function reportWrongType(path: string, expected: string, node: JsonNode, report: Report): undefined {
  const given =
    node.kind === 'list'
      ? 'a list'
      : node.kind === 'map'
        ? 'an object'
        : node.value === null
          ? 'null'
          : typeof node.value === 'string'
            ? 'text'
            : `a ${typeof node.value}`;
  report('CONFIG_TYPE', node.span, `"${path}" must be ${expected}, not ${given}`);
  return undefined;
}

export function missing(path: string, field: string, node: JsonNode, report: Report): undefined {
  report('CONFIG_VALUE', { start: node.span.start, end: node.span.start + 1 }, `"${path}" has no "${field}"`);
  return undefined;
}

/** Gives the known key that was probably meant, or `null`. */
export function reportUnknown(
  parent: string,
  member: JsonMember,
  known: readonly string[],
  report: Report,
): string | null {
  const meant = nearest(member.key, known) ?? known.find((key) => key.startsWith(member.key)) ?? null;
  const where = parent === '' ? '' : ` in "${parent}"`;
  report(
    'CONFIG_UNKNOWN_KEY',
    member.keySpan,
    `"${member.key}" is not a known key${where}`,
    meant === null ? `known keys: ${known.join(', ')}` : `did you mean "${meant}"?`,
  );
  return meant;
}
