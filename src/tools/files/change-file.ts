// Changes a file so that the change can be repeated: from its recorded old content to its new content.
//
// The digest of the old content is recorded before the file is changed. Repeated after a crash, the change leaves a file
// alone that has the new content already, and does not overwrite one that another program changed meanwhile.
import type { Json } from '../../base/json.ts';
import { isJsonObject } from '../../base/json.ts';
import { nodeSha256 } from '../../node/environment.ts';
import type { ConfinedFiles } from '../../node/confined/confined-files.ts';
import type { ToolUse } from '../../ports/tool.ts';
import { ToolFault } from '../../ports/tool.ts';

/** Makes the new text from the old one; null: there is no file. Throws ToolFault. Must give the same for the same. */
export type Change = (before: string | null) => string;

/** What is recorded: digests of the old and the new text. */
export async function planChange(
  files: ConfinedFiles,
  path: string,
  change: Change,
  { mayTouch }: ToolUse,
): Promise<Json> {
  const before = await files.readTextOrNull(path, 'write', mayTouch);
  return { before: digestOf(before), after: digestOf(change(before)) };
}

export async function carryOutChange(
  files: ConfinedFiles,
  path: string,
  change: Change,
  { prepared, mayTouch }: ToolUse,
): Promise<'changed' | 'was so already'> {
  const { before, after } = isJsonObject(prepared) ? prepared : {};
  const now = await files.readTextOrNull(path, 'write', mayTouch);
  const digest = digestOf(now);
  if (digest === after) return before === after ? 'was so already' : 'changed';
  if (digest !== before)
    throw new ToolFault(`${JSON.stringify(path)} was changed by another program meanwhile; read it again`);
  await files.writeText(path, change(now), mayTouch);
  return 'changed';
}

function digestOf(text: string | null): string | null {
  return text === null ? null : nodeSha256(text);
}
