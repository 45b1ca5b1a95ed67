// An `artifact` of an output contract -> whether the file is there (ports/artifacts.ts).
import { noUsage } from '../budget/budgets.ts';
import type { Attempted, EffectDesk, Performed } from './effect-desk.ts';
import { failAtOnce } from './effect-desk.ts';

export async function performArtifact(desk: EffectDesk, effect: Attempted): Promise<Performed> {
  const { artifacts } = desk;
  if (artifacts === null)
    return failAtOnce(desk, effect, 'EFFECT_UNSUPPORTED', 'this host does not look at files');
  if (desk.known(effect.key) === null) await desk.begin(effect, 1);
  const { exists, bytes, reason } = await artifacts.look(effect.request['path'] as string);
  return { outcome: { ok: true, value: { exists, bytes, reason } }, ms: 0, usage: noUsage };
}
