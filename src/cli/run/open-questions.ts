// The open questions of a run and of those inside it.
import { isAsk } from '../../run/effect/effect-keys.ts';
import type { RunView } from '../../run/history/inspect.ts';
import type { PendingQuestion } from '../../run/result/result.ts';
import { runNames } from '../../techne/open-archive.ts';
import type { RunArchive } from '../../techne/open-archive.ts';

export type OpenQuestionOf = Pick<PendingQuestion, 'run' | 'id' | 'nonce' | 'key' | 'audience' | 'question'>;

export async function openQuestionsOf(archive: RunArchive, run: string): Promise<readonly OpenQuestionOf[]> {
  const view = await archive.runner.inspect(run);
  const own = questionsOf(view);
  // Nested agents alone start runs inside one; those are younger.
  if (!view.effects.some(({ kind, children }) => isAsk(kind) && children.length > 0)) return own;
  const family = new Set([run]);
  const found = [...own];
  for (const name of [...(await runNames(archive.folder))].reverse()) {
    if (name <= run) continue;
    const [first] = await archive.store.read(name);
    if (first?.entry.type !== 'run.started' || !family.has(first.entry.parent?.run ?? '')) continue;
    family.add(name);
    found.push(...questionsOf(await archive.runner.inspect(name)));
  }
  return found;
}

function questionsOf({ run, questions, endedAt }: RunView): readonly OpenQuestionOf[] {
  return endedAt === null
    ? questions.filter(({ answer }) => answer === null).map((question) => ({ ...question, run }))
    : [];
}
