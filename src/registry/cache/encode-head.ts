// A head as JSON, and back, for the few that a glance does not take.
//
// E1. decodeHead(encodeHead(head), head.name) equals head, the order of its keys included; every object in it has
//     no prototype.
import { parseJson } from '../../base/json.ts';
import type { SkillHead } from '../../skill/types.ts';

/** Without the name, which is the folder's. */
export function encodeHead(head: SkillHead): string {
  return JSON.stringify({ ...head, name: '' });
}

export function decodeHead(text: string, name: string): SkillHead {
  return Object.assign(parseJson(text) as unknown as SkillHead, { name });
}
