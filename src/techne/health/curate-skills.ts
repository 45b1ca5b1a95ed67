// The skills and how they are used -> what a curator suggests; and, when the person says so, proposals of it.
//
// A suggestion changes nothing. A proposal waits in the queue and is checked and reviewed like every other one. To retire is a
// deletion. To merge is an edit of the skill that stays, which takes the text of the other one as a reference, and a deletion of that.
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import type { CuratedSkill, Suggestion } from '../../measure/health/curate.ts';
import { curate } from '../../measure/health/curate.ts';
import { countUses } from '../../measure/health/count-uses.ts';
import type { ChangeRequest } from '../../proposals/change-tree.ts';
import type { Proposal } from '../../proposals/proposal.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { Proposals } from '../proposals/proposals.ts';
import type { ReadUses } from './read-uses.ts';

export interface CuratorReport {
  readonly days: number;
  /** The history does not reach back so far: nothing can be called unused. */
  readonly isTooShort: boolean;
  readonly suggestions: readonly Suggestion[];
}

export interface MadeProposals {
  readonly suggestion: Suggestion;
  readonly proposals: readonly Proposal[];
  /** Why there is none, or not each. */
  readonly refused: string | null;
}

export function curatorReport(
  { library }: Pick<Proposals, 'library'>,
  snapshot: Snapshot,
  { events, recordedSinceMs }: ReadUses,
  { days, nowMs }: { readonly days: number; readonly nowMs: number },
): CuratorReport {
  const skills = snapshot.skills.map((skill): CuratedSkill => {
    const { name, head, source, origin, file } = skill;
    return {
      name,
      description: head.description ?? '',
      triggers: head.triggers.map(({ phrase }) => phrase),
      isOwn: source !== 'builtin' && source !== 'plugin' && origin.kind === 'local',
      changedMs: Number(library.files.stat(file)?.mtimeNs ?? nowMs * 1e6) / 1e6,
    };
  });
  return {
    days,
    isTooShort: recordedSinceMs === null || recordedSinceMs > nowMs - days * dayMs,
    suggestions: curate(skills, countUses(events), { nowMs, days, recordedSinceMs }),
  };
}

/** Only what retires or merges is a change of a skill. */
export async function proposeSuggestions(
  proposals: Proposals,
  snapshot: Snapshot,
  suggestions: readonly Suggestion[],
): Promise<readonly MadeProposals[]> {
  const made: MadeProposals[] = [];
  for (const suggestion of suggestions) {
    if (suggestion.what !== 'retire' && suggestion.what !== 'merge') continue;
    const done: Proposal[] = [];
    let refused: string | null = null;
    try {
      for (const { request, why } of await changesOf(suggestion, snapshot))
        done.push((await proposals.propose(request, { why, origin })).proposal);
    } catch (error) {
      if (!(error instanceof TechneError) || error.code !== 'PROPOSAL_REFUSED') throw error;
      refused = error.message;
    }
    made.push({ suggestion, proposals: done, refused });
  }
  return made;
}

const origin = {
  by: 'curator',
  surface: 'cli',
  run: null,
  conversation: null,
  model: null,
  client: null,
} as const;
const dayMs = 24 * 60 * 60 * 1000;

async function changesOf(
  suggestion: Extract<Suggestion, { what: 'retire' | 'merge' }>,
  snapshot: Snapshot,
): Promise<readonly { readonly request: ChangeRequest; readonly why: string }[]> {
  const { skill, reason } = suggestion;
  if (suggestion.what === 'retire') return [{ request: { kind: 'delete', skill }, why: reason }];
  const { into } = suggestion;
  const [{ text }, { text: body }] = await Promise.all([snapshot.readText(into), snapshot.readBody(skill)]);
  const path = `references/from-${skill}.md`;
  const { triggers } = snapshot.get(skill).head;
  const lost =
    triggers.length === 0
      ? ''
      : `; triggers of "${skill}" that are not taken over: ${triggers.map(({ phrase }) => phrase).join(', ')}`;
  return [
    {
      request: {
        kind: 'edit',
        skill: into,
        patches: [],
        files: [
          { path, text: `${body.trim()}\n` },
          {
            path: 'SKILL.md',
            text: `${text.trimEnd()}\n\nFor what the skill ${skill} was used for, read [${path}](${path}).\n`,
          },
        ],
      },
      why: printableLine(`takes over "${skill}": ${reason}${lost}`).slice(0, 1500),
    },
    {
      request: { kind: 'delete', skill },
      why: printableLine(`merged into "${into}": accept that proposal first`),
    },
  ];
}
