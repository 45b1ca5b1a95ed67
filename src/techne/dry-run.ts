// A skill and an input -> the calls that a run would make first, with answers that say nothing. Nothing real is performed, and nothing kept.
//
// Each ask is answered with "dry run", each command has no output and succeeds; the run stops at the first tool or form, whose result
// cannot be guessed.
import type { Json, JsonObject } from '../base/json.ts';
import { performTest } from '../measure/testing/run-test.ts';
import { skillsOf } from '../measure/testing/test-skills.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { EffectView } from '../run/history/inspect.ts';
import { anyTest } from './proposals/check-runs.ts';
import { resolveSkill } from './resolve-skill.ts';

export interface DryRun {
  /** In order, those inside of others after them; the first 200. */
  readonly calls: readonly { readonly key: string; readonly kind: string; readonly request: Json }[];
  /** Why it went no further; `null`: it went to its end. */
  readonly stopped: string | null;
}

const mostCalls = 200;

export async function dryRun(snapshot: Snapshot, skill: string, input: JsonObject | null): Promise<DryRun> {
  const found = resolveSkill(snapshot, skill);
  const test = anyTest(found);
  const { view, unexpected, waiting, observed } = await performTest(found.name, skillsOf(snapshot), {
    ...test,
    ...(input === null ? {} : { input }),
  });
  return {
    calls: flat(view?.effects ?? [])
      .slice(0, mostCalls)
      .map(({ key, kind, request }) => ({ key, kind, request })),
    stopped: unexpected[0]?.message ?? waiting[0] ?? observed.result.error?.message ?? null,
  };
}

function flat(effects: readonly EffectView[]): readonly EffectView[] {
  return effects.flatMap((one) => [one, ...flat(one.children)]);
}
