// Answers asks with an agent program on this machine: `claude -p`, `codex exec`.
//
// What the program does cannot be observed or confined to a set of tools, so it is unfenced, and its call is one part
// of the ask that is never repeated automatically. A version with an unknown output format is refused. The prompt
// goes to standard input, its process group has ended when the answer is given, and error messages are one bounded
// line without keys (safe-message.ts).
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Json, JsonObject } from '../base/json.ts';
import { isJsonObject, parseJson } from '../base/json.ts';
import type { Answerer, AskOutcome, Usage } from '../ports/answerer.ts';
import { safeMessage, secretsAmong } from '../node/safe-message.ts';
import type { AgentReader } from './agent-streams.ts';
import { agentDialects } from './agent-streams.ts';
import type { AgentProgram } from './detect-answerers.ts';
import { runLines } from './run-lines.ts';
import { withChoices } from './with-choices.ts';

interface AgentCliOptions {
  readonly program: AgentProgram;
  /** Of the executable. */
  readonly path: string;
  readonly cwd: string;
  readonly variables: { readonly [name: string]: string | undefined };
  /** For asking the version. Default: 20000. */
  readonly probeTimeoutMs?: number;
}

const maxErrorUnits = 500;

export function createAgentCliAnswerer({
  program,
  path,
  cwd,
  variables,
  probeTimeoutMs = 20_000,
}: AgentCliOptions): Answerer {
  const dialect = agentDialects[program];
  const name = `agent-cli:${program}`;
  const safe = (text: string): string => safeMessage(text, secretsAmong(variables), maxErrorUnits);
  const detail = (text: string): string => (text.trim() === '' ? '' : `: ${safe(text)}`);
  return {
    name,
    description: `${program} (${path})`,
    fenced: false,
    readsFor: () => true,
    async answer(request, { child, signal, onText }) {
      const perform = async (): Promise<{ value: Json; usage: Usage }> => {
        await refuseUnknown();
        const reader = dialect.createReader(onText);
        const ended = await runLines({
          argv: [path, ...dialect.argv(request.maxTurns, isInRepository(cwd))],
          cwd,
          variables,
          stdin: withChoices(request),
          signal,
          timeoutMs: null,
          onLine: (line) => readLine(line, reader),
        });
        const outcome = reader.outcome();
        if (outcome === null)
          throw new Error(`${program} gave no answer (${ended.how})${detail(ended.stderr)}`);
        if (!outcome.ok) throw new Error(`${program} failed: ${safe(outcome.message)}`);
        if (outcome.answer.trim() === '')
          throw new Error(`${program} gave an empty answer (${ended.how})${detail(ended.stderr)}`);
        const { answer, exhausted, turns, usage } = outcome;
        return { value: { answer, exhausted, turns, usage: { ...usage } }, usage };
      };
      const refuseUnknown = async (): Promise<void> => {
        let text = '';
        const ended = await runLines({
          argv: [path, '--version'],
          cwd,
          variables,
          stdin: '',
          signal,
          timeoutMs: probeTimeoutMs,
          onLine: (line) => (text ||= line),
        });
        const version = /(\d+)\.(\d+)\.(\d+)/.exec(text);
        if (version === null)
          throw new Error(
            `${program} does not say which version it is (${ended.how})${detail(text || ended.stderr)}`,
          );
        if (!dialect.majors.includes(Number(version[1])))
          throw new Error(
            `${program} ${version[0]} is a version that techne does not know (it knows ${dialect.majors.map((major) => `${major}.x`).join(', ')})`,
          );
      };
      return outcomeOf(await child('tool', { agent: program, prompt: withChoices(request) }, false, perform));
    },
  };
}

function isInRepository(folder: string): boolean {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return true;
    if (at === dirname(at)) return false;
  }
}

function readLine(line: string, reader: AgentReader): void {
  let event: Json;
  try {
    event = parseJson(line);
  } catch {
    // Programs print notices between their events.
    return;
  }
  if (isJsonObject(event)) reader.read(event);
}

function outcomeOf(value: Json): AskOutcome {
  const { answer, exhausted, turns, usage } = value as JsonObject;
  return {
    answer: answer as string,
    exhausted: exhausted as boolean,
    turns: turns as number,
    usage: usage as unknown as Usage,
  };
}
