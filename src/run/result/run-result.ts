// The state of a run when it ends or waits -> its result.
import type { JsonObject } from '../../base/json.ts';
import type { RunState } from '../../journal/run-state.ts';
import type { RunResult, RunUsage } from './result.ts';
import type { StoredValues } from '../run-facts.ts';

/** The JSON after the header. */
export function envelopeOf(text: string): JsonObject | null {
  const start = text.indexOf('\n');
  return text.startsWith('[Metaskill: ') && start > 0
    ? (JSON.parse(text.slice(start + 1)) as JsonObject)
    : null;
}

/** Of a run that has ended, from its journal. */
export async function recordedResult(state: RunState, values: StoredValues): Promise<RunResult> {
  const { meta, ended } = state;
  if (ended === null) throw new Error(`run ${meta.run} has not ended`);
  const text = (await values.load(ended.text)) as string;
  return {
    status: ended.status,
    run: meta.run,
    skill: meta.skill.name,
    text,
    envelope: ended.status === 'completed' || ended.status === 'partial' ? envelopeOf(text) : null,
    error: ended.error === null ? null : { ...ended.error, hint: null },
    questions: [],
    undecided: [],
    usage: ended.usage as unknown as RunUsage,
  };
}
