// Who is to answer, as it is written on a command line -> as the host takes it.
import { resolve } from 'node:path';
import { TechneError } from '../../base/error.ts';
import type { Files } from '../../host/ports/files.ts';
import { nodeDecodeUtf8 } from '../../host/node-environment.ts';
import type { RunView } from '../../run/inspect.ts';
import { createScriptedCommands } from '../../testing/scripted-commands.ts';
import type { ScriptedCommandHost } from '../../testing/scripted-commands.ts';

/** Files are named from the folder that the command was started in. */
export function answererSpec(given: string | null, cwd: string): string | null {
  const fromFile = given === null ? null : /^(script|replay):([^]*)$/.exec(given);
  if (fromFile === null) return given;
  if (fromFile[2] === '') throw new TechneError('USAGE', `--answer ${given} names no file`, { hint: `write ${fromFile[1]}:answers.yaml` });
  return `${fromFile[1]}:${resolve(cwd, fromFile[2] as string)}`;
}

const maxScriptBytes = 64 * 1024 * 1024;

/**
 * The commands of a script, in the place of those of this machine; null when it has none. What `before` has done is taken
 * already. Faults of the file are told by whoever opens it as an answerer.
 */
export async function scriptedCommandsOf(spec: string | null, files: Files, before: RunView | null): Promise<ScriptedCommandHost | null> {
  if (spec?.startsWith('script:') !== true) return null;
  const path = spec.slice('script:'.length);
  const read = files.stat(path)?.isFile() === true ? await files.read(path, maxScriptBytes) : null;
  if (read === null) return null;
  const { parseScript } = await import('../../host/answerers/script-file.ts');
  const parsed = parseScript(nodeDecodeUtf8(read.bytes).text, path);
  if (!parsed.ok || parsed.script.commands.length === 0) return null;
  const host = createScriptedCommands(parsed.script.commands);
  for (const { kind, state, request } of before?.effects ?? []) {
    if (kind === 'command' && state !== 'under-way') host.take((request as { readonly argv?: readonly string[] }).argv ?? []);
  }
  return host;
}
