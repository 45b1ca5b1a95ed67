// A head as JSON, and back, for the few heads that `glance` does not recognise.
//
// decodeHead(encodeHead(head), head.name) equals head, the order of its keys included. Every object in it has no
// prototype.
import { parseJson } from '../../base/json.ts';
import type { SkillHead } from '../../skill/types.ts';

/** Without the name, which is the folder's. */
export function encodeHead(head: SkillHead): string {
  return JSON.stringify({ ...head, name: '' });
}

export function decodeHead(text: string, name: string): SkillHead {
  return Object.assign(parseJson(text) as unknown as SkillHead, { name });
}
