// The documented output of agent programs -> an outcome.
//
//   claude -p --output-format stream-json   system, assistant, user … and a last "result"
//   codex exec --json                       thread.started, item.completed … turn.completed | turn.failed
//
// Unknown events are ignored: new ones come with every minor version.
import type { Json, JsonObject } from '../base/json.ts';
import { isJsonObject } from '../base/json.ts';
import type { AskOutcome } from '../ports/answerer.ts';
import type { AgentProgram } from './detect-answerers.ts';

type AgentOutcome = ({ readonly ok: true } & AskOutcome) | { readonly ok: false; readonly message: string };

export interface AgentReader {
  read(event: JsonObject): void;
  /** null if the end was never reported. */
  outcome(): AgentOutcome | null;
}

interface AgentDialect {
  /** Major versions whose output is known. */
  readonly majors: readonly number[];
  /** `inRepository`: whether the working folder is in a git repository. */
  readonly argv: (maxTurns: number, inRepository: boolean) => readonly string[];
  readonly createReader: (onText: (text: string) => void) => AgentReader;
}

export const agentDialects: { readonly [program in AgentProgram]: AgentDialect } = {
  claude: {
    majors: [1, 2],
    argv: (maxTurns) => [
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      '--max-turns',
      String(maxTurns),
    ],
    createReader: readClaude,
  },
  codex: {
    majors: [0, 1],
    // Elsewhere codex refuses to start without the option.
    argv: (_maxTurns, inRepository) => [
      'exec',
      '--json',
      ...(inRepository ? [] : ['--skip-git-repo-check']),
      '-',
    ],
    createReader: readCodex,
  },
};

function readClaude(onText: (text: string) => void): AgentReader {
  let outcome: AgentOutcome | null = null;
  let lastText = '';
  return {
    read(event) {
      if (event['type'] === 'assistant') {
        const message = objectAt(event, 'message');
        const parts = Array.isArray(message['content']) ? (message['content'] as readonly Json[]) : [];
        const text = parts
          .map((part) => (isJsonObject(part) && part['type'] === 'text' ? textAt(part, 'text') : ''))
          .join('');
        if (text !== '') lastText = text;
        onText(text);
      } else if (event['type'] === 'result') {
        outcome = claudeOutcome(event, lastText);
      }
    },
    outcome: () => outcome,
  };
}

function claudeOutcome(event: JsonObject, lastText: string): AgentOutcome {
  const exhausted = event['subtype'] === 'error_max_turns';
  if (!exhausted && (event['is_error'] === true || event['subtype'] !== 'success'))
    return { ok: false, message: textAt(event, 'result') || textAt(event, 'subtype') || 'no reason given' };
  const usage = objectAt(event, 'usage');
  return {
    ok: true,
    answer: exhausted ? lastText : textAt(event, 'result'),
    exhausted,
    turns: countAt(event, 'num_turns'),
    usage: {
      inputTokens:
        countAt(usage, 'input_tokens') +
        countAt(usage, 'cache_creation_input_tokens') +
        countAt(usage, 'cache_read_input_tokens'),
      outputTokens: countAt(usage, 'output_tokens'),
      costMicros:
        typeof event['total_cost_usd'] === 'number'
          ? Math.max(0, Math.round(event['total_cost_usd'] * 1_000_000))
          : 0,
    },
  };
}

function readCodex(onText: (text: string) => void): AgentReader {
  let answer = '';
  let turns = 0;
  let failure: string | null = null;
  let ended = false;
  let inputTokens = 0;
  let outputTokens = 0;
  return {
    read(event) {
      const item = objectAt(event, 'item');
      switch (textAt(event, 'type')) {
        case 'item.completed':
          if (item['type'] !== 'agent_message') break;
          answer = textAt(item, 'text');
          onText(answer);
          break;
        case 'turn.completed':
          ended = true;
          turns += 1;
          inputTokens += countAt(objectAt(event, 'usage'), 'input_tokens');
          outputTokens += countAt(objectAt(event, 'usage'), 'output_tokens');
          break;
        case 'turn.failed':
          failure = textAt(objectAt(event, 'error'), 'message') || 'no reason given';
          break;
        case 'error':
          // Also reports a connection that is retried; it counts only if no turn completes.
          failure ??= textAt(event, 'message') || null;
          break;
      }
    },
    outcome() {
      if (ended)
        return {
          ok: true,
          answer,
          exhausted: false,
          turns,
          usage: { inputTokens, outputTokens, costMicros: 0 },
        };
      return failure === null ? null : { ok: false, message: failure };
    },
  };
}

function objectAt(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isJsonObject(value) ? value : {};
}

function textAt(object: JsonObject, key: string): string {
  const value = object[key];
  return typeof value === 'string' ? value : '';
}

function countAt(object: JsonObject, key: string): number {
  const value = object[key];
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.floor(value) : 0;
}
