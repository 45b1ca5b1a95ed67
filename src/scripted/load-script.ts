// `script:FILE` -> the script, read and parsed once, and the world that it describes. A script with a fault is not used at all.
import { TechneError } from '../base/error.ts';
import { printableLine } from '../base/printable.ts';
import { placeOf } from '../base/span.ts';
import { decodeUtf8 } from '../base/utf8.ts';
import type { Files } from '../ports/files.ts';
import { FileFault } from '../ports/files.ts';
import type { Script } from './script-file.ts';
import { parseScript } from './script-file.ts';
import { isAbsolute, resolve } from 'node:path';
import type { ScriptedWorld } from './world.ts';
import { createScriptedWorld } from './world.ts';

const maxBytes = 64 * 1024 * 1024;

/** Throws ENVIRONMENT when there is no such file, FILE_INVALID when it is not a script. */
export async function loadScript(path: string, files: Files): Promise<Script> {
  const text = await readAnswerFile(path, files);
  const parsed = parseScript(text, path);
  if (parsed.ok) return parsed.script;
  const [first] = parsed.diagnostics;
  if (first === undefined) throw new Error('a script without faults was refused');
  const place = first.span === null ? null : placeOf(text, first.span.start);
  const more = parsed.diagnostics.length - 1;
  throw new TechneError(
    'FILE_INVALID',
    `${path}${place === null ? '' : `:${place.line}:${place.column}`}: ${first.code}: ${printableLine(first.message)}${more === 0 ? '' : ` (and ${more} more)`}`,
    first.hint === null ? {} : { hint: first.hint },
  );
}

/** The text of a script or a recording. Throws ENVIRONMENT or FILE_INVALID. */
export async function readAnswerFile(path: string, files: Files): Promise<string> {
  let read: Awaited<ReturnType<Files['read']>>;
  try {
    read = await files.read(path, maxBytes);
  } catch (error) {
    if (!(error instanceof FileFault)) throw error;
    throw new TechneError('ENVIRONMENT', `${path} cannot be read: ${error.message}`, { cause: error });
  }
  if (read === null)
    throw new TechneError('ENVIRONMENT', `there is no file ${path}`, {
      hint: 'give the path of a file of answers',
    });
  const { text, valid } = decodeUtf8(read.bytes);
  if (!valid)
    throw new TechneError('FILE_INVALID', `${path} is not a text in UTF-8`, { hint: 'save it as UTF-8' });
  return text;
}

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
