// The skills that a model chooses among in an evaluation.
//
// S1. The production index, block and tools, over the whole library or a part of it (`offered`).
// S2. Bodies come when they are asked for: what is preloaded, or given with a match, cannot be seen to be chosen. So neither
//     is done here, and who has configured it is told.
import type { SkillLibrary } from '../../techne/open-skills.ts';
import { createUntrustedCheck } from '../../techne/untrusted-check.ts';
import type { Matcher } from '../../prompt/session-parts.ts';
import type { SkillSession } from '../../prompt/skill-session.ts';
import { createSkillSession } from '../../prompt/skill-session.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { openMatcher } from '../open-matcher.ts';

export interface ActivationSkills {
  /** Every skill. */
  readonly all: SkillSession;
  /** Whether skills can be run in conversations here. */
  readonly runs: boolean;
  /** A new conversation; `null` offers every skill. */
  open(offered: ReadonlySet<string> | null): Promise<SkillSession>;
}

export async function openActivationSkills(
  library: SkillLibrary,
  snapshot: Snapshot,
  onNotice: (text: string) => void,
): Promise<ActivationSkills> {
  const {
    loaded: { config, broken },
    environment,
  } = library;
  const matcher = await openMatcher(snapshot, { environment, onNotice });
  const runs = config.metaskills.enabled && config.execution.policy !== 'off' && broken === null;
  const open = (offered: ReadonlySet<string> | null): Promise<SkillSession> =>
    createSkillSession({
      snapshot,
      budget: { tokens: config.index.budgetTokens },
      runs,
      isUntrusted: createUntrustedCheck(library),
      settings: { ...config.prompt, preload: [], disclosure: 'on-demand' },
      matcher: offered === null ? matcher : restricted(matcher, offered, snapshot.skills.length),
      ...(offered === null ? {} : { offers: ({ name }) => offered.has(name) }),
    });
  const all = await open(null);
  if (config.prompt.disclosure === 'eager')
    onNotice('prompt.disclosure is "eager": here bodies come only when the model asks for them');
  const preloaded = snapshot.skills.filter(
    ({ name, card }) =>
      config.prompt.preload.includes(name) ||
      (card.invocation.always && config.prompt.preload.includes('always')),
  );
  if (preloaded.length > 0)
    onNotice(
      `preloaded in conversations, but not here: ${preloaded
        .slice(0, 5)
        .map(({ name }) => name)
        .join(', ')}${preloaded.length > 5 ? ' …' : ''}`,
    );
  return { all, runs, open };
}

/** The best of those that are offered, and not what is left of the best of all. */
function restricted(matcher: Matcher, offered: ReadonlySet<string>, total: number): Matcher {
  return {
    async match(message, { limit }) {
      const { matches, abstained, candidates } = await matcher.match(message, {
        limit: Math.max(limit, total),
      });
      const isOffered = ({ skill }: { readonly skill: string }): boolean => offered.has(skill);
      return {
        matches: matches.filter(isOffered).slice(0, limit),
        abstained,
        candidates: candidates.filter(isOffered).slice(0, limit),
      };
    },
  };
}
