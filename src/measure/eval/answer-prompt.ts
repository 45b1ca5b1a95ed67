// A prompt -> the answer of a model, with a skill in the conversation or without any.
//
// With the skill, the conversation begins as if the person had named it: its body comes with the message. The model has
// no tool that changes anything, so that one answer cannot help or harm the other. An answer that failed, was refused or
// did not finish gives its reason instead of a text.
import type { Abort } from '../../base/abort.ts';
import type { Json } from '../../base/json.ts';
import type { ChatModel } from '../../ports/model.ts';
import type { Matcher } from '../../match/match.ts';
import type { PromptSettings } from '../../prompt/settings.ts';
import type { SkillSession, SkillSessionOptions } from '../../prompt/skill-session.ts';
import { createSkillSession } from '../../prompt/skill-session.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { holdConversation } from './hold-conversation.ts';
import type { Arm } from './judge.ts';
import type { Produced } from './measure-pair.ts';
import type { OutputCase } from './output-case.ts';

export interface AnswerPromptOptions {
  readonly snapshot: Snapshot;
  readonly model: ChatModel;
  readonly settings: PromptSettings;
  readonly indexBudget: NonNullable<SkillSessionOptions['budget']>;
  readonly isUntrusted: SkillSessionOptions['isUntrusted'];
  readonly workspace: string;
  readonly turns: number;
  readonly nowMs: () => number;
  readonly signal: Abort;
}

/** Rejects when the budget is spent, or it is stopped. */
export async function answerPrompt(
  options: AnswerPromptOptions,
  one: OutputCase,
  arm: Arm,
): Promise<Produced> {
  const { model, turns, workspace, nowMs, signal } = options;
  const skills = await openSession(options, arm === 'with' ? one.skill : null);
  const reasons: string[] = [];
  let isGiven = arm === 'without';
  const { answer, entries } = await holdConversation(
    {
      model,
      skills,
      turns,
      onRun: null,
      workspace,
      nowMs,
      onEvent: (event) => {
        if (event.type !== 'skills.matched') return;
        isGiven ||= event.given.includes(one.skill);
        reasons.push(...event.left.map(({ reason }) => reason));
      },
    },
    one.prompt,
    signal,
  );
  if (signal.aborted) throw new Error('stopped');
  const made = {
    turns: answer.turns,
    tokens: answer.usage.inputTokens + answer.usage.outputTokens,
    run: null,
    transcript: entries as unknown as Json,
  };
  if (!isGiven)
    return {
      ok: false,
      message: `the skill could not be given to the model: ${reasons.length === 0 ? 'it cannot be started, or it is not ready (see techne doctor)' : reasons.join('; ')}`,
      ...made,
    };
  if (answer.outcome === 'exhausted')
    return { ok: false, message: `the model still called tools after ${answer.turns} turns`, ...made };
  if (answer.outcome !== 'done')
    return { ok: false, message: answer.message ?? 'there is no answer', ...made };
  return { ok: true, text: answer.text, ...made };
}

/** Only this skill, as if the person had named it; or none. */
function openSession(
  { snapshot, settings, indexBudget, isUntrusted }: AnswerPromptOptions,
  skill: string | null,
): Promise<SkillSession> {
  const named: Matcher = {
    match: () => ({
      matches:
        skill === null
          ? []
          : [{ skill, mode: 'explicit', confidence: 1, variables: {}, reason: 'it is evaluated' }],
      abstained: null,
      candidates: [],
    }),
  };
  return createSkillSession({
    snapshot,
    budget: indexBudget,
    runs: false,
    matcher: skill === null ? null : named,
    settings: { ...settings, preload: [], disclosure: 'on-demand' },
    isUntrusted,
    offers: ({ name }) => name === skill,
  });
}
