// A recorded command, or an entry point of a skill -> its scripted result.
import type { Json, JsonObject } from '../../../base/json.ts';
import type { EffectView } from '../../../run/history/inspect.ts';
import type { Part } from './part.ts';
import { asObject, codeOf } from './part.ts';

export function commandOf(effect: EffectView): Part {
  const request = asObject(effect.request);
  const code = codeOf(effect);
  if (
    code === 'COMMAND_FAULT' ||
    code === 'QUESTION_EXPIRED' ||
    code === 'STEP_TIMEOUT' ||
    code === 'CANCELLED'
  )
    return { problem: `failed with ${code}; a script gives every command its result, at once` };
  const argv = argvOf(request);
  const given = asObject(effect.result);
  return request['parse'] === undefined
    ? { argv, ...resultOf(given) }
    : { argv, ...(code === null ? printed(given) : failedExec(code, textOf(given['message']))) };
}

/** A path of the folder that the skill was in is any word: the test runs wherever the skill is. */
function argvOf({ argv, base }: JsonObject): readonly string[] {
  const { folder } = asObject(base ?? null);
  const words = (Array.isArray(argv) ? argv : []) as readonly string[];
  return typeof folder === 'string' && folder.length > 1
    ? words.map((word) => (word.includes(folder) ? '*' : word))
    : words;
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function textFields(fields: { readonly [key: string]: string }): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== ''));
}

/** The dict that a program gets -> what was printed. */
function resultOf(given: JsonObject): JsonObject {
  const { exit_code: exit, signal, timed_out: timedOut, denied } = given;
  const result = textOf(given['result']);
  const [, fault = '', rest = ''] = /^error: ([^\n]*)(?:\n([^]*))?$/.exec(result) ?? [];
  if (denied === true) return { denied: result.replace(/^error: /, '') };
  const fields = { stdout: textOf(given['stdout']), stderr: textOf(given['stderr']) };
  const isFaulty = timedOut === true || typeof signal === 'string';
  const output = isFaulty ? rest : result;
  const both = output === fields.stdout + fields.stderr || (isFaulty && output === '') ? {} : { output };
  if (timedOut === true) return { timed_out: true, ...textFields(fields), ...both };
  if (typeof signal === 'string') return { signal, ...textFields(fields), ...both };
  if (exit === -1) return { exit_code: -1, stderr: fault === '' ? result : fault };
  return { ...(exit === 0 ? {} : { exit_code: exit ?? 0 }), ...textFields(fields), ...both };
}

/** The output of an entry point that succeeded. */
function printed({ text, value, truncated }: JsonObject): JsonObject {
  if (truncated !== true || value === null) return { stdout: `${textOf(text)}\n` };
  return {
    stdout: Array.isArray(value) ? `${(value as readonly string[]).join('\n')}\n` : JSON.stringify(value),
  };
}

/** `skill: it ended with exit code 2: what it said`, and the like. */
function failedExec(code: string, message: string): JsonObject {
  const what = message.replace(/^[^:]*: /, '');
  const said = (pattern: RegExp): string => pattern.exec(what)?.[1] ?? '';
  if (code === 'EXEC_DENIED') return { denied: what };
  if (code === 'EXEC_TIMEOUT') return { timed_out: true, ...textFields({ stderr: said(/ s: ([^]*)$/) }) };
  if (code === 'EXEC_OUTPUT') return { stdout: said(/\): ([^]*)$/) || 'not what was promised' };
  const [, exit] = /^it ended with exit code (\d+)/.exec(what) ?? [];
  if (exit !== undefined)
    return {
      exit_code: Number(exit),
      ...textFields({ stderr: said(/^it ended with exit code \d+: ([^]*)$/) }),
    };
  const [, signal] = /^it was ended by (\w+)/.exec(what) ?? [];
  if (signal !== undefined)
    return { signal, ...textFields({ stderr: said(/^it was ended by \w+: ([^]*)$/) }) };
  return { exit_code: -1, stderr: what };
}
