// An effect -> whoever carries out its kind, within its time and under the ceiling of the run.
import type { Attempted, EffectDesk, Performed } from './effect-desk.ts';
import { failAtOnce } from './effect-desk.ts';
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

export function performEffect(desk: EffectDesk, effect: Attempted): Promise<Performed> {
  if (desk.ceilings.length > 0 && (effect.kind === 'tool' || effect.kind === 'command'))
    return performUnder(desk, effect);
  return performInTime(desk, effect);
}

async function performUnder(desk: EffectDesk, effect: Attempted): Promise<Performed> {
  const { tool } = effect.request;
  const isReadOnly =
    effect.kind === 'tool' &&
    typeof tool === 'string' &&
    (await desk.tools.find(tool).catch(() => null))?.readOnly === true;
  const fault = ceilingFault(desk.ceilings, effect.kind, effect.request, isReadOnly);
  return fault === null ? performInTime(desk, effect) : failAtOnce(desk, effect, 'CAPABILITY_DENIED', fault);
}

function performInTime(desk: EffectDesk, effect: Attempted): Promise<Performed> {
  const { timeoutMs } = effect;
  return timeoutMs === null
    ? perform(desk, effect)
    : performWithin(desk, effect, timeoutMs, (own) => perform(own, effect));
}

function perform(desk: EffectDesk, effect: Attempted): Promise<Performed> {
  if (isAsk(effect.kind)) return performAsk(desk, effect);
  switch (effect.kind) {
    case 'command':
      return performCommand(desk, effect);
    case 'tool':
      return performTool(desk, effect);
    case 'input':
      return performInput(desk, effect);
    case 'skill':
      return performSkill(desk, effect);
    case 'sleep':
      return performSleep(desk, effect);
    case 'artifact':
      return performArtifact(desk, effect);
    default:
      return failAtOnce(desk, effect, 'EFFECT_UNSUPPORTED', `this host cannot do "${effect.kind}"`);
  }
}
