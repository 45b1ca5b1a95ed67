// A recorded run -> a test of its skill: what was answered and what commands gave becomes the script, what came of it the expectation.
//
//   run + result -> the text of a tests/*.yaml file, or why there is none
//
// Only asks and commands of a program are scripted. A run with anything else is refused: a test that leaves a call out would fail.
import type { Json, JsonObject } from '../../base/json.ts';
import { isJsonObject } from '../../base/json.ts';
import type { EffectView, RunView } from '../../run/history/inspect.ts';
import type { RunResult } from '../../run/result/result.ts';

type MadeTest = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string };

export function runToTest(
  view: Pick<RunView, 'run' | 'status' | 'input' | 'effects' | 'trace' | 'usage' | 'error'>,
  { envelope }: Pick<RunResult, 'envelope'>,
  name: string,
): MadeTest {
  if (view.status !== 'completed' && view.status !== 'failed')
    return { ok: false, why: `the run is ${view.status}; only one that completed or failed can be tested` };
  const other = view.effects.find(
    ({ kind, state }) => (kind !== 'ask' && kind !== 'command') || state === 'under-way',
  );
  if (other !== undefined)
    return { ok: false, why: `the call ${other.key} (${other.kind}) cannot be scripted yet` };
  const answers = view.effects.filter(({ kind }) => kind === 'ask').map(answerOf);
  const commands = view.effects.filter(({ kind }) => kind === 'command').map(commandOf);
  const answer = isJsonObject(envelope as Json) ? (envelope as JsonObject)['answer'] : undefined;
  const trace = view.trace
    .filter(({ printed }) => !printed)
    .map(({ kind, data }) => (isJsonObject(data) ? { kind, data } : { kind }));
  const lines = [
    `# Recorded from run ${view.run}.`,
    `name: ${JSON.stringify(name)}`,
    ...(view.input === null ? [] : [`input: ${JSON.stringify(view.input)}`]),
    ...listed('answers', answers),
    ...listed('commands', commands),
    'expect:',
    `  status: ${view.status}`,
    ...(view.error === null ? [] : [`  error: ${JSON.stringify({ code: view.error.code })}`]),
    ...(typeof answer === 'string' ? [`  answer: ${JSON.stringify(answer)}`] : []),
    ...(trace.length === 0 ? [] : [`  trace: ${JSON.stringify(trace)}`]),
    `  asks: ${view.usage.asks}`,
    `  commands: ${view.usage.commands}`,
  ];
  return { ok: true, text: `${lines.join('\n')}\n` };
}

function listed(key: string, items: readonly JsonObject[]): readonly string[] {
  return items.length === 0 ? [] : [`${key}:`, ...items.map((item) => `  - ${JSON.stringify(item)}`)];
}

function answerOf({ request, result, state }: EffectView): JsonObject {
  const purpose = (request as JsonObject)['purpose'];
  const given = result as JsonObject;
  return {
    ...(typeof purpose === 'string' && purpose !== '' ? { purpose } : {}),
    ...(state === 'ok'
      ? {
          answer:
            typeof given['answer'] === 'string' ? given['answer'] : JSON.stringify(given['answer'] ?? ''),
        }
      : { error: typeof given['message'] === 'string' ? given['message'] : 'failed' }),
  };
}

function commandOf({ request, result }: EffectView): JsonObject {
  const { argv = [] } = request as JsonObject;
  const given = result as JsonObject;
  return {
    argv,
    ...(typeof given['exit_code'] === 'number' && given['exit_code'] !== 0
      ? { exit_code: given['exit_code'] }
      : {}),
    ...(typeof given['stdout'] === 'string' && given['stdout'] !== '' ? { stdout: given['stdout'] } : {}),
    ...(typeof given['stderr'] === 'string' && given['stderr'] !== '' ? { stderr: given['stderr'] } : {}),
    ...(given['timed_out'] === true ? { timed_out: true } : {}),
    ...(given['denied'] === true ? { denied: 'it was denied' } : {}),
  };
}
