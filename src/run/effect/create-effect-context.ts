// A run -> the context in which its effects are performed (effect-context.ts).
import type { Abort } from '../../base/abort.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Audience } from '../../journal/entry.ts';
import type { Budgets } from '../budget/budgets.ts';
import type { EffectContext } from './effect-context.ts';
import type { EffectJournal } from './effect-journal.ts';
import { isChild } from './effect.ts';
import type { EngineOptions } from '../engine/engine.ts';
import type { Questions, BlockedEffects } from '../engine/pending-effects.ts';
import type { RunLog } from '../engine/run-log.ts';

interface EffectContextParts {
  readonly options: EngineOptions;
  readonly signal: Abort;
  readonly log: RunLog;
  readonly budgets: Budgets;
  readonly effects: EffectJournal;
  readonly questions: Questions;
  readonly waiting: BlockedEffects;
  /** Of the wall clock. */
  readonly leftMs: () => number;
}

export function createEffectContext({
  options,
  signal,
  log,
  budgets,
  effects,
  questions,
  waiting,
  leftMs,
}: EffectContextParts): EffectContext {
  const {
    facts,
    answerer,
    commands,
    tools,
    artifacts,
    sha256,
    clock,
    values,
    nested,
    ids,
    questionTtlMs,
    onEvent,
  } = options;
  const {
    meta: { run, skill },
    limits,
    settings: { folder, trusted, allowedTools, model, depth, ceilings },
  } = facts;
  return {
    run,
    caller: { skill: skill.name, digest: skill.digest, trusted, skillFolder: folder },
    allowedTools,
    model,
    limits,
    signal,
    budgets,
    answerer,
    commands,
    tools,
    artifacts,
    ceilings,
    sha256,
    nowMs: () => clock.nowMs(),
    after: (ms, task, purpose) => clock.after(ms, task, purpose),
    monotonicMs: () => clock.monotonicMs(),
    known: (key) => effects.get(key),
    load: (stored) => values.load(stored),
    begin(effect, attempt) {
      questions.use(effect.key);
      return effects.begin(effect, attempt);
    },
    end: (key, kind, performed) => effects.end(key, kind, performed),
    refuse: (effect, refusal) => effects.refuse(effect, refusal),
    questionsOf: (key) => questions.of(key),
    hasExpired: (key) => questions.hasExpired(key, () => clock.nowMs()),
    async putQuestion(
      key: string,
      audience: Audience,
      body: JsonObject,
      expiry: Parameters<EffectContext['putQuestion']>[3] = { ttlMs: questionTtlMs },
    ) {
      const question = await values.store(body);
      const at = clock.nowMs();
      const asked = {
        type: 'question.asked' as const,
        at,
        id: ids.ulid(),
        nonce: ids.nonce(),
        audience,
        key,
        question,
        expiresAt: 'at' in expiry ? expiry.at : expiry.ttlMs === null ? null : at + expiry.ttlMs,
      };
      log.add(asked);
      questions.add({ asked, body, answered: null, value: null, used: false });
      onEvent({ type: 'question.asked', run, at, id: asked.id, key, audience });
    },
    setUndecided(effect) {
      waiting.setUndecided(effect);
      onEvent({ type: 'effect.undecided', run, at: clock.nowMs(), key: effect.key, kind: effect.kind });
    },
    runNested: (call) =>
      nested.run(call, {
        run,
        depth,
        limits,
        budgets,
        ceilings,
        leftMs: leftMs(),
        leftAsks: isChild(call.key) ? Infinity : budgets.left.asks,
        answerer: answerer.name,
      }),
    setNested: (key, result) => waiting.setNested(key, result),
    onText: (key, text) => onEvent({ type: 'effect.text', run, key, text }),
  };
}
