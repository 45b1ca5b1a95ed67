// Events of runs, for people and programs that watch them.
//
// Names are noun.verb. A listener cannot change the run. Each event has a sensitivity: `metadata` contains no text of
// prompts, answers, commands or files.
import { isJsonObject } from '../base/json.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { LoadReason, SkillPlace, Usage } from '../ports/answerer.ts';
import type { AnsweredBy, Audience, EffectStarted } from '../journal/entry.ts';
import type { RunStatus, RunUsage } from './result/result.ts';

/** Something that happened in a run. */
export type RunEvent =
  | {
      readonly type: 'run.started';
      readonly run: string;
      readonly at: number;
      readonly skill: string;
      readonly parent: string | null;
      readonly parentKey: string | null;
    }
  | { readonly type: 'run.resumed'; readonly run: string; readonly at: number; readonly skill: string }
  | {
      readonly type: 'run.paused';
      readonly run: string;
      readonly at: number;
      readonly reason: string;
      readonly questions: number;
      readonly undecided: number;
    }
  | {
      readonly type: 'run.ended';
      readonly run: string;
      readonly at: number;
      readonly status: RunStatus;
      readonly code: string | null;
      readonly usage: RunUsage;
    }
  /** The steps of a plan in the order of the document, and what the run is allowed; before the first of them begins. */
  | {
      readonly type: 'plan.opened';
      readonly run: string;
      readonly at: number;
      readonly asks: number;
      readonly commands: number;
      readonly steps: readonly PlannedStep[];
    }
  /** The status of a step; after a resume, again of those that were decided before. */
  | {
      readonly type: 'step.ended';
      readonly run: string;
      readonly at: number;
      readonly step: string;
      readonly status: 'ok' | 'failed' | 'skipped' | 'blocked';
      readonly code: string | null;
      readonly attempts: number;
      readonly reason: string | null;
    }
  | {
      readonly type: 'effect.started';
      readonly run: string;
      readonly at: number;
      readonly key: string;
      readonly kind: string;
      readonly attempt: number;
      readonly request: JsonObject;
    }
  | {
      readonly type: 'effect.ended';
      readonly run: string;
      readonly at: number;
      readonly key: string;
      readonly kind: string;
      readonly ok: boolean;
      readonly ms: number;
      readonly code: string | null;
      readonly note?: string | null;
      readonly usage: Usage;
    }
  /** Text as it streams in: of a model, or of a command. */
  | { readonly type: 'effect.text'; readonly run: string; readonly key: string; readonly text: string }
  | { readonly type: 'budget.used'; readonly run: string; readonly usage: RunUsage }
  | {
      readonly type: 'trace.added';
      readonly run: string;
      readonly at: number;
      readonly kind: string;
      readonly data: JsonObject;
      readonly printed: boolean;
    }
  | {
      readonly type: 'question.asked';
      readonly run: string;
      readonly at: number;
      readonly id: string;
      readonly key: string;
      readonly audience: Audience;
    }
  | {
      readonly type: 'question.answered';
      readonly run: string;
      readonly at: number;
      readonly id: string;
      readonly by: AnsweredBy;
    }
  | {
      readonly type: 'answer.refused';
      readonly run: string;
      readonly at: number;
      readonly id: string;
      readonly code: string;
      readonly message: string;
    }
  | {
      readonly type: 'effect.undecided';
      readonly run: string;
      readonly at: number;
      readonly key: string;
      readonly kind: string;
    }
  /** A tool of a plan or of a nested agent; `tool` is null when its name does not look like one. */
  | {
      readonly type: 'tool.failed';
      readonly run: string;
      readonly at: number;
      readonly key: string;
      readonly tool: string | null;
      readonly code: string;
    }
  /** An agent inside the run was given the body of a skill; `key` is its ask. */
  | {
      readonly type: 'skill.loaded';
      readonly run: string;
      readonly at: number;
      readonly key: string;
      readonly skill_id: string;
      readonly skill_version: string;
      readonly load_reason: LoadReason;
      readonly load_size_tokens: number;
      readonly source: SkillPlace;
      readonly triggered_by_tool_use_id: string | null;
    };

/** A step of a plan, as `plan.opened` shows it. */
export interface PlannedStep {
  readonly id: string;
  readonly kind: string;
  readonly label: string;
  /** In a few words: `agent writer`, `tool read_file`. */
  readonly does: string;
}

/** Which events may contain texts of prompts, answers, commands or files. */
export const eventSensitivity: Record<RunEvent['type'], 'metadata' | 'content'> = {
  'run.started': 'metadata',
  'run.resumed': 'metadata',
  'run.paused': 'metadata',
  'run.ended': 'metadata',
  'plan.opened': 'content',
  'step.ended': 'content',
  'effect.started': 'content',
  'effect.ended': 'metadata',
  'effect.text': 'content',
  'budget.used': 'metadata',
  'trace.added': 'content',
  'question.asked': 'metadata',
  'question.answered': 'metadata',
  'answer.refused': 'content',
  'effect.undecided': 'metadata',
  'tool.failed': 'metadata',
  'skill.loaded': 'metadata',
};

/** Null for what does not look like a name: a model may have written any text there. */
export function toolName(started: EffectStarted | null): string | null {
  const request =
    started !== null && 'value' in started.request && isJsonObject(started.request.value)
      ? started.request.value
      : {};
  const name = request['tool'] ?? request['name'];
  return typeof name === 'string' && /^[\w.:/@-]{1,100}$/.test(name) ? name : null;
}

/** Must not throw. */
export type OnRunEvent = (event: RunEvent) => void;

/** No listener: events of effects are then not even created. */
export const noListener: OnRunEvent = () => {};

/** How a command failed that still gave its program a result: `denied`, `timed out`, `exit 3`. */
export function commandNote(result: Json): string | null {
  if (!isJsonObject(result) || result['ok'] !== false) return null;
  const { denied, timed_out: timedOut, exit_code: exitCode, signal } = result;
  if (denied === true) return 'denied';
  if (timedOut === true) return 'timed out';
  if (typeof signal === 'string') return `ended by ${signal}`;
  return exitCode === -1 ? 'not carried out' : typeof exitCode === 'number' ? `exit ${exitCode}` : null;
}
