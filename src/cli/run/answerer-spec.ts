// Who is to answer, as it is written on a command line -> as the host takes it.
import { resolve } from 'node:path';
import { decodeUtf8 } from '../../base/utf8.ts';
import { TechneError } from '../../base/error.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Files } from '../../ports/files.ts';
import type { RunView } from '../../run/history/inspect.ts';
import { createScriptedCommands } from '../../scripted/commands.ts';
import type { ScriptedCommandHost } from '../../scripted/commands.ts';
import { ScriptedInputs } from '../../scripted/inputs.ts';
import { createScriptedTools } from '../../scripted/tools.ts';
import type { ScriptedToolHost } from '../../scripted/tools.ts';

/** Files are named from the folder that the command was started in. */
export function answererSpec(given: string | null, cwd: string): string | null {
  const fromFile = given === null ? null : /^(script|replay):([^]*)$/.exec(given);
  if (fromFile === null) return given;
  if (fromFile[2] === '')
    throw new TechneError('USAGE', `--answer ${given} names no file`, {
      hint: `write ${fromFile[1]}:answers.yaml`,
    });
  return `${fromFile[1]}:${resolve(cwd, fromFile[2] as string)}`;
}

const maxScriptBytes = 64 * 1024 * 1024;

/** What a script says besides answers; null where it says nothing of the kind. */
export interface ScriptedWorld {
  /** In the place of the commands of this machine. */
  readonly commands: ScriptedCommandHost | null;
  /** In the place of the tools of this machine. */
  readonly tools: ScriptedToolHost | null;
  /** Replies to forms. */
  readonly inputs: ScriptedInputs | null;
}

const nothing: ScriptedWorld = { commands: null, tools: null, inputs: null };

/** What `before` has done is taken already. Faults of the file are told by whoever opens it as an answerer. */
export async function scriptedWorldOf(
  spec: string | null,
  files: Files,
  before: RunView | null,
): Promise<ScriptedWorld> {
  if (spec?.startsWith('script:') !== true) return nothing;
  const path = spec.slice('script:'.length);
  const read = files.stat(path)?.isFile() === true ? await files.read(path, maxScriptBytes) : null;
  if (read === null) return nothing;
  const { parseScript } = await import('../../scripted/script-file.ts');
  const parsed = parseScript(decodeUtf8(read.bytes).text, path);
  if (!parsed.ok) return nothing;
  const { script } = parsed;
  const commands = script.commands.length === 0 ? null : createScriptedCommands(script.commands);
  const tools = script.tools.length === 0 ? null : createScriptedTools(script.tools);
  const inputs = script.inputs.length === 0 ? null : new ScriptedInputs(script.inputs);
  for (const { kind, state, request } of before?.effects ?? []) {
    if (state === 'under-way') continue;
    const {
      argv = [],
      tool = '',
      args = {},
    } = request as { readonly argv?: readonly string[]; readonly tool?: string; readonly args?: JsonObject };
    if (kind === 'command') commands?.take(argv);
    if (kind === 'tool') tools?.take(tool, args);
  }
  inputs?.skip(before?.questions.filter(({ answer }) => answer !== null) ?? []);
  return { commands, tools, inputs };
}
