// A run -> the skills that took part in it, and the skills whose files it may pass to the conversation.
//
// Works like the trace of a call of the model itself (chat/trace/trace-skills.ts), over every call of the run and of its nested
// runs. The journal does not show what a nested model read by itself, but such a model is offered only trusted skills.
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

/** Commands, tools and acting agents. `chat` and `classify` only give text, and a nested run has its own calls. */
const unseen: ReadonlySet<string> = new Set(['command', 'tool', 'ask']);

function withParts(effect: EffectView): readonly EffectView[] {
  return [effect, ...effect.children.flatMap(withParts)];
}

function callOf({ kind, request, result }: EffectView): TracedCall {
  const from = isJsonObject(request) && typeof request['cwd'] === 'string' ? request['cwd'] : null;
  const text = textsIn(result).join('\n');
  // The prompt of a model is text: a folder named in it is not read.
  return {
    words: textsIn(request),
    from,
    text,
    given: text,
    isProgram: kind !== 'ask',
    readsUnseen: unseen.has(kind),
  };
}
