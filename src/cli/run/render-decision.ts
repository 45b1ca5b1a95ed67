// The text of a call that a person decides about, with everything it was given.
import { isJsonObject } from '../../base/json.ts';
import type { Json } from '../../base/json.ts';
import { printable, printableLine, renderJson } from '../../base/printable.ts';
import { cutMiddle } from '../../base/cut-text.ts';
import type { UndecidedEffect } from '../../run/result/result.ts';
import { argvText, describeCall } from './describe-effect.ts';

const maxUnits = 2_000;

/** `nap  tool exec_command`, then its arguments, one per line. */
export function renderDecision({
  key,
  kind,
  request,
}: Pick<UndecidedEffect, 'key' | 'kind' | 'request'>): readonly string[] {
  const { args, cwd, stdin } = isJsonObject(request) ? request : {};
  const given = Object.entries({
    ...(isJsonObject(args) ? args : {}),
    ...(typeof cwd === 'string' ? { cwd } : {}),
    ...(typeof stdin === 'string' ? { stdin } : {}),
  });
  return [
    `  ${printableLine(key)}  ${describeCall(kind, request, Infinity)}`,
    ...given.flatMap(([name, value]) => renderGiven(name, value)),
  ];
}

function renderGiven(name: string, value: Json): readonly string[] {
  const isArgv = Array.isArray(value) && value.every((word) => typeof word === 'string');
  const text =
    typeof value === 'string' ? value : isArgv ? argvText(value as readonly Json[]) : renderJson(value);
  const [first = '', ...more] = printable(cutMiddle(text, maxUnits).text).split('\n');
  return [`    ${printableLine(name)}: ${first}`, ...more.map((line) => `      ${line}`)];
}
