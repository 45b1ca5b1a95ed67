// `script:FILE` -> the world that the file describes, read and parsed once.
import { isAbsolute, resolve } from 'node:path';
import type { Files } from '../ports/files.ts';
import { loadScript } from './load-script.ts';
import type { ScriptedWorld } from './world.ts';
import { createScriptedWorld } from './world.ts';

/** `null` when `wanted` is not a script. Relative names start at `cwd`. Throws ENVIRONMENT or FILE_INVALID. */
export async function openScriptedWorld(
  wanted: string,
  cwd: string,
  files: Files,
): Promise<ScriptedWorld | null> {
  const [, name] = /^script:([^]+)$/.exec(wanted) ?? [];
  if (name === undefined) return null;
  const path = isAbsolute(name) ? name : resolve(cwd, name);
  return createScriptedWorld(`script:${path}`, await loadScript(path, files));
}
