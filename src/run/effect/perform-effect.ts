// An effect -> whoever carries out its kind, within its time and under the ceiling of the run.
import type { Attempted, EffectContext, Performed } from './effect-context.ts';
import { failAtOnce } from './effect-context.ts';
import { isAsk } from './effect-keys.ts';
import { ceilingFault } from './capability-ceiling.ts';
import { performArtifact } from './perform-artifact.ts';
import { performAsk } from './perform-ask.ts';
import { performCommand } from './perform-command.ts';
import { performInput } from './perform-input.ts';
import { performSkill } from './perform-skill.ts';
import { performSleep } from './perform-sleep.ts';
import { performTool } from './perform-tool.ts';
import { performWithin } from './step-timeout.ts';

export function performEffect(context: EffectContext, effect: Attempted): Promise<Performed> {
  if (context.ceilings.length > 0 && (effect.kind === 'tool' || effect.kind === 'command'))
    return performUnder(context, effect);
  return performInTime(context, effect);
}

async function performUnder(context: EffectContext, effect: Attempted): Promise<Performed> {
  const { tool } = effect.request;
  const isReadOnly =
    effect.kind === 'tool' &&
    typeof tool === 'string' &&
    (await context.tools.find(tool).catch(() => null))?.readOnly === true;
  const fault = ceilingFault(context.ceilings, effect.kind, effect.request, isReadOnly);
  return fault === null
    ? performInTime(context, effect)
    : failAtOnce(context, effect, 'CAPABILITY_DENIED', fault);
}

function performInTime(context: EffectContext, effect: Attempted): Promise<Performed> {
  const { timeoutMs } = effect;
  return timeoutMs === null
    ? perform(context, effect)
    : performWithin(context, effect, timeoutMs, (own) => perform(own, effect));
}

function perform(context: EffectContext, effect: Attempted): Promise<Performed> {
  if (isAsk(effect.kind)) return performAsk(context, effect);
  switch (effect.kind) {
    case 'command':
      return performCommand(context, effect);
    case 'tool':
      return performTool(context, effect);
    case 'input':
      return performInput(context, effect);
    case 'skill':
      return performSkill(context, effect);
    case 'sleep':
      return performSleep(context, effect);
    case 'artifact':
      return performArtifact(context, effect);
    default:
      return failAtOnce(context, effect, 'EFFECT_UNSUPPORTED', `this host cannot do "${effect.kind}"`);
  }
}
