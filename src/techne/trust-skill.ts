// What trusting a skill as it is now would mean, as data; and the grant, bound to the digest that was looked at.
//
// Trust allows an executable skill to be executed. For every skill it also decides whether a conversation applies `always: true`
// and `allowed-tools`, and whether its text makes later calls need approval (chat/permit.ts).
import { TechneError } from '../base/error.ts';
import { printableLine } from '../base/printable.ts';
import { counted } from '../base/render-table.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { TrustRecords } from '../registry/trust/trust-records.ts';
import type { Skill } from '../registry/types.ts';
import type { RunLimits } from '../run/budget/limits.ts';
import { maximumLimits } from '../run/budget/limits.ts';
import type { DeclaredLimits } from '../skill/types.ts';
import type { SkillLibrary } from './open-skills.ts';

/** What a skill declares that a run needs, and where the host allows less; '' for nothing. */
export function limitWords({ asks, commands, wallMs }: DeclaredLimits, maximum: RunLimits): string {
  const word = (amount: number, most: number, shown: (amount: number) => string): string =>
    amount > most ? `${shown(amount)} (this host allows ${shown(most)})` : shown(amount);
  return [
    ...(asks === undefined ? [] : [word(asks, maximum.asks, (count) => counted(count, 'ask'))]),
    ...(commands === undefined
      ? []
      : [word(commands, maximum.commands, (count) => counted(count, 'command'))]),
    ...(wallMs === undefined ? [] : [word(wallMs, maximum.wallMs, (ms) => `${Math.round(ms / 1_000)} s`)]),
  ].join(', ');
}

/** Effects of trust that the list of files does not show, one line each. */
export function trustEffects({
  card: {
    form,
    invocation: { always },
  },
  head: { allowedTools, limits },
}: Skill): readonly string[] {
  return [
    ...(form === 'instructions'
      ? [
          'techne executes nothing in it. In a conversation its text counts as your own: what you allow is still done without asking.',
        ]
      : []),
    ...(always ? ['It declares always: true, so its body is in every prompt.'] : []),
    ...(limits === null || form === 'instructions'
      ? []
      : [`A run of it may use ${limitWords(limits, maximumLimits)}, as it declares.`]),
    ...(allowedTools === null || allowedTools.length === 0
      ? []
      : [
          `While it is in use, a conversation does this without asking: ${printableLine(allowedTools.join(', '))}`,
        ]),
  ];
}

/** Why trusting a skill has no effect; `null` if it has. */
export function trustPointless(skill: Skill): string | null {
  if (skill.origin.kind === 'builtin') return `"${skill.name}" is part of techne and needs no trust`;
  return null;
}

/** Throws PATH_UNSAFE for a skill with a link to something that its digest does not cover. */
export function mustBeCovered(
  skill: Skill,
  { links }: Pick<Awaited<ReturnType<Snapshot['manifest']>>, 'links'>,
): void {
  const uncovered = links.find((link) => link.uncovered);
  if (uncovered !== undefined)
    throw new TechneError(
      'PATH_UNSAFE',
      `"${uncovered.path}" of the skill "${skill.name}" is a link to something that its digest does not cover`,
      { hint: 'replace the link with the file itself' },
    );
}

/** Trusts these bytes. Throws STALE when the skill has changed since it was shown. */
export async function trustShown(
  library: SkillLibrary,
  snapshot: Snapshot,
  skill: Skill,
  shown: string,
): Promise<TrustRecords> {
  const why = trustPointless(skill);
  if (why !== null) throw new TechneError('USAGE', why);
  const manifest = await snapshot.manifest(skill.name);
  if (manifest.digest !== shown)
    throw new TechneError('STALE', `"${skill.name}" has changed since it was shown`, {
      hint: 'look at it again',
    });
  mustBeCovered(skill, manifest);
  const store = await library.openTrust();
  return {
    folders: [],
    digests: [await store.trustDigest({ digest: shown, name: skill.name, folder: skill.folder })],
  };
}
