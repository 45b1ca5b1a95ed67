// A message and the skills that are offered -> the first skill that is activated.
//
// A skill that the message names is given without asking the model. Otherwise the model chooses: the first body that it
// loads, or the first skill that it wants to run, ends the conversation, and nothing is run. A refused load is not an
// activation: the model can try another skill. A model that fails, refuses, says nothing or does not finish is a failure,
// never "no skill".
import type { Abort } from '../../base/abort.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ChatEvent } from '../../chat/events.ts';
import type { ActivationWay, Observed } from './score-activation.ts';
import type { ChatModel } from '../../ports/model.ts';
import type { SkillSession } from '../../prompt/skill-session.ts';
import type { Held } from './hold-conversation.ts';
import { holdConversation } from './hold-conversation.ts';

interface TryCaseOptions {
  readonly model: ChatModel;
  readonly skills: SkillSession;
  readonly workspace: string;
  /** Whether skills can be run in conversations here. */
  readonly runs: boolean;
  readonly turns: number;
  readonly nowMs: () => number;
  readonly signal: Abort;
}

type TriedCase = (({ readonly ok: true } & Observed) | { readonly ok: false; readonly message: string }) & {
  readonly entries: Held['entries'];
};

/** The body of a skill is given by these, and by reading the file that holds it. */
function loadsBody(tool: string, args: JsonObject | null | undefined): boolean {
  return (
    tool === 'skill_load' || tool === 'use_skill' || (tool === 'skill_read' && args?.['path'] === 'SKILL.md')
  );
}

/** `null`: it was stopped from outside before a skill was activated. */
export async function tryCase(
  { model, skills, workspace, runs, turns, nowMs, signal }: TryCaseOptions,
  message: string,
): Promise<TriedCase | null> {
  const seen = new AbortController();
  const stop = (): void => seen.abort();
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  let first: { readonly skill: string; readonly way: ActivationWay } | null = null;
  const activated = (skill: string, way: ActivationWay): void => {
    first ??= { skill, way };
    stop();
  };
  const wanted = new Map<string, string>();
  const onEvent = (event: ChatEvent): void => {
    if (event.type === 'skills.matched' && event.given[0] !== undefined) activated(event.given[0], 'mention');
    if (
      event.type === 'call.made' &&
      loadsBody(event.tool, event.args) &&
      typeof event.args?.['name'] === 'string'
    )
      wanted.set(event.id, event.args['name']);
    if (event.type === 'call.ended' && event.ok && wanted.has(event.id))
      activated(event.given[0] ?? wanted.get(event.id) ?? '', 'load');
  };
  try {
    const { answer, entries } = await holdConversation(
      {
        model,
        skills,
        workspace,
        onRun: runs ? (skill) => activated(skill, 'run') : null,
        turns,
        nowMs,
        onEvent,
      },
      message,
      seen.signal,
    );
    const { skill = null, way = null } = (first as { skill: string; way: ActivationWay } | null) ?? {};
    if (skill === null && signal.aborted) return null;
    if (skill === null && answer.outcome === 'failed')
      return { ok: false, message: answer.message ?? 'the model failed', entries };
    if (skill === null && answer.outcome === 'exhausted')
      return { ok: false, message: `the model still called tools after ${answer.turns} turns`, entries };
    return { ok: true, skill, way, turns: answer.turns, usage: answer.usage, entries };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
