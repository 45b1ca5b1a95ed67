// An `artifact` of an output contract -> whether the file is there (ports/artifacts.ts).
import { noUsage } from '../budget/budgets.ts';
import type { Attempted, EffectContext, Performed } from './effect-context.ts';
import { failAtOnce } from './effect-context.ts';

export async function performArtifact(context: EffectContext, effect: Attempted): Promise<Performed> {
  const { artifacts } = context;
  if (artifacts === null)
    return failAtOnce(context, effect, 'EFFECT_UNSUPPORTED', 'this host does not look at files');
  if (context.known(effect.key) === null) await context.begin(effect, 1);
  const { exists, bytes, reason } = await artifacts.look(effect.request['path'] as string);
  return { outcome: { ok: true, value: { exists, bytes, reason } }, ms: 0, usage: noUsage };
}
