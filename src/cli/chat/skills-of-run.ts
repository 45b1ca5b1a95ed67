// What a run did -> the skills that took part in it, and those whose files it may hand on to the conversation.
//
// As for a call of the model itself (chat/trace/trace-skills.ts), over every call of the run and of the runs inside it. What a nested
// model looked at by itself is not in the journal; it is offered only skills that somebody vouches for.
import { isJsonObject } from '../../base/json.ts';
import type { TracedCall } from '../../chat/trace/trace-skills.ts';
import { textsIn } from '../../chat/trace/trace-skills.ts';
import type { EffectView } from '../../run/history/inspect.ts';
import type { RunResult } from '../../run/result/result.ts';
import type { Runner } from '../../run/runner.ts';

export async function skillsOfRun(
  runner: Pick<Runner, 'inspect'>,
  { run, text }: Pick<RunResult, 'run' | 'text'>,
  trace: (call: TracedCall) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  if (run === null) return [];
  const found = new Set(
    await trace({ words: [], from: null, text, given: text, isProgram: true, readsUnseen: false }),
  );
  const visit = async (id: string): Promise<void> => {
    const { skill, effects, nested } = await runner.inspect(id);
    found.add(skill.name);
    for (const effect of effects.flatMap(withParts))
      for (const name of await trace(callOf(effect))) found.add(name);
    for (const { run: inner } of nested) await visit(inner);
  };
  await visit(run);
  return [...found];
}

/** Programs, tools, and an agent that acts. What `chat` and `classify` ask for is text, and a run inside has calls of its own. */
const unseen: ReadonlySet<string> = new Set(['command', 'tool', 'ask']);

function withParts(effect: EffectView): readonly EffectView[] {
  return [effect, ...effect.children.flatMap(withParts)];
}

function callOf({ kind, request, result }: EffectView): TracedCall {
  const from = isJsonObject(request) && typeof request['cwd'] === 'string' ? request['cwd'] : null;
  const text = textsIn(result).join('\n');
  // What is asked of a model is a text: a folder in it is not what is read.
  return {
    words: textsIn(request),
    from,
    text,
    given: text,
    isProgram: kind !== 'ask',
    readsUnseen: unseen.has(kind),
  };
}
