// The fields of an object whose names are known.
import type { Report } from '../../base/diagnostic.ts';
import type { Json } from '../../base/json.ts';
import { emptyObject } from '../../base/json.ts';
import type { JsonMember, JsonNode } from '../parse-json.ts';
import { reportUnknown } from './faults.ts';

type Fields = { readonly [field: string]: JsonMember | undefined };

/** By name; a name that is not known is reported. */
export function fieldsOf(
  path: string,
  node: JsonNode & { kind: 'map' },
  known: readonly string[],
  report: Report,
): Fields {
  const fields: { [field: string]: JsonMember } = Object.create(null) as { [field: string]: JsonMember };
  for (const member of node.members) {
    if (known.includes(member.key)) fields[member.key] = member;
    else reportUnknown(path, member, known, report);
  }
  return fields;
}

/** Without a prototype. */
export function bare(fields: { readonly [name: string]: Json }): Json {
  return Object.assign(emptyObject(), fields);
}
