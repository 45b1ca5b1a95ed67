// Gives the bodies of active skills again after compaction.
//
// The newest come first, whole ones only, within the budget. The others are named and forgotten, so that they can be
// loaded again. They are the same bodies, so nothing is counted or reported again.
import { estimateTokens } from '../skill/code-points.ts';
import type { SessionState } from './session-state.ts';

/** The bodies that a conversation gets again after a compaction. */
export interface Reattached {
  /** '' when nothing was active. */
  readonly text: string;
  readonly kept: readonly string[];
  readonly forgotten: readonly string[];
}

const defaultReattachTokens = 25_000;

export function reattachSkills(state: SessionState, tokens: number = defaultReattachTokens): Reattached {
  const { active, ledger } = state;
  const kept: string[] = [];
  const forgotten: string[] = [];
  const sections: string[] = [];
  let room = tokens;
  for (const { name, section } of [...active.values()].reverse()) {
    if (!ledger.isActive(name)) continue;
    const size = estimateTokens(section);
    if (size > room) {
      forgotten.push(name);
      continue;
    }
    room -= size;
    kept.push(name);
    sections.push(section.trimEnd());
  }
  for (const name of forgotten) {
    ledger.forget(name);
    active.delete(name);
  }
  const before =
    kept.length === 0
      ? []
      : ['## Skills in use\nThese were loaded earlier in this conversation and still apply.'];
  const after =
    forgotten.length === 0
      ? []
      : [
          `Loaded earlier and no longer here: ${forgotten.join(', ')}. Load one again with \`skill_load(name)\` if you need it.`,
        ];
  return { text: [...before, ...sections, ...after].join('\n\n'), kept, forgotten };
}
