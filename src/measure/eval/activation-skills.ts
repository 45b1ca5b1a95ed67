// The skills that a model chooses among in an evaluation: the production index, block and tools, over the whole library
// or a part of it.
//
// A body comes only when the model asks for it: whether the model chose a skill cannot be seen when its body is preloaded
// or given with a match. So neither is done here, and the user is told if the configuration asks for it.
import type { Matcher } from '../../match/match.ts';
import type { PromptSettings } from '../../prompt/settings.ts';
import type { SkillSession, SkillSessionOptions } from '../../prompt/skill-session.ts';
import { createSkillSession } from '../../prompt/skill-session.ts';
import type { Snapshot } from '../../registry/snapshot.ts';

interface ActivationSkillsOptions {
  readonly snapshot: Snapshot;
  readonly matcher: Matcher;
  readonly settings: PromptSettings;
  readonly indexBudget: NonNullable<SkillSessionOptions['budget']>;
  readonly isUntrusted: SkillSessionOptions['isUntrusted'];
  /** Whether skills can be run in conversations here. */
  readonly runs: boolean;
  readonly onNotice: (text: string) => void;
}

export interface ActivationSkills {
  /** Every skill. */
  readonly all: SkillSession;
  readonly runs: boolean;
  /** A new conversation; `null` offers every skill. */
  open(offered: ReadonlySet<string> | null): Promise<SkillSession>;
}

export async function openActivationSkills({
  snapshot,
  matcher,
  settings,
  indexBudget,
  isUntrusted,
  runs,
  onNotice,
}: ActivationSkillsOptions): Promise<ActivationSkills> {
  const open = (offered: ReadonlySet<string> | null): Promise<SkillSession> =>
    createSkillSession({
      snapshot,
      budget: indexBudget,
      runs,
      isUntrusted,
      settings: { ...settings, preload: [], disclosure: 'on-demand' },
      matcher: offered === null ? matcher : restricted(matcher, offered, snapshot.skills.length),
      ...(offered === null ? {} : { offers: ({ name }) => offered.has(name) }),
    });
  const all = await open(null);
  if (settings.disclosure === 'eager')
    onNotice('prompt.disclosure is "eager": here bodies come only when the model asks for them');
  const preloaded = snapshot.skills.filter(
    ({ name, card }) =>
      settings.preload.includes(name) || (card.invocation.always && settings.preload.includes('always')),
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

/** The best of those that are offered, not those of the best that are offered. */
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
