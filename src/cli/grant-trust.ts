// Shows a skill to a person and asks whether to trust it as it is now.
//
// Trust allows an executable skill to be executed. For every skill it also decides whether a conversation applies `always: true`
// and `allowed-tools`, and whether its text makes later calls need approval (chat/permit.ts).
import { limitWords } from './describe-skill.ts';
import { maximumLimits } from '../run/budget/limits.ts';
import { TechneError } from '../base/error.ts';
import { printableLine } from '../base/printable.ts';
import type { SkillLibrary } from '../techne/open-skills.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { TrustRecords } from '../registry/trust/trust-records.ts';
import type { Skill } from '../registry/types.ts';
import type { ManifestFile } from '../skill/resources.ts';
import { askPerson } from './ask-person.ts';
import type { CommandContext } from './context.ts';
import { displayPath } from '../techne/paths.ts';
import { counted, renderTable } from '../base/render-table.ts';

/** Why trusting a skill has no effect; `null` if it has. */
function pointless(skill: Skill): string | null {
  if (skill.origin.kind === 'builtin') return `"${skill.name}" is part of techne and needs no trust`;
  return null;
}

/** Shows the skill and asks; `null` if it was not trusted. */
export async function trustSkill(
  context: CommandContext,
  library: SkillLibrary,
  skill: Skill,
  snapshot: Snapshot,
): Promise<TrustRecords | null> {
  const why = pointless(skill);
  if (why !== null) {
    context.err.line(`${printableLine(why)}.`);
    return null;
  }
  const store = await library.openTrust();
  await store.list();
  const { files, digest, links, excluded } = await snapshot.manifest(skill.name);
  const linkAt = new Map(links.map((link) => [link.path, link]));
  const what = (file: ManifestFile): string => {
    const link = linkAt.get(file.path);
    if (link === undefined) return `${file.size} bytes${file.executable ? ', executable' : ''}`;
    if (link.target === null) return link.uncovered ? 'a link that leaves the skill' : 'a broken link';
    return `a link to ${printableLine(link.target)}${link.uncovered ? ', which the digest does not cover' : ''}`;
  };
  // Links come first, so that a long list cannot hide them.
  const sorted = [
    ...files.filter(({ path }) => linkAt.has(path)),
    ...files.filter(({ path }) => !linkAt.has(path)),
  ];
  const rows = sorted.slice(0, 40).map((file) => ['', printableLine(file.path), what(file)]);
  context.err.line(
    `The skill "${printableLine(skill.name)}" (${skill.card.form}) will be trusted as it is now:\n`,
  );
  context.err.line(`  ${printableLine(displayPath(skill.folder, context.io))}`);
  context.err.write(
    renderTable(
      rows.map(([, path, size]) => [`    ${path}`, size as string]),
      null,
    ),
  );
  if (files.length > rows.length)
    context.err.line(`    and ${counted(files.length - rows.length, 'more file')}`);
  if (excluded.length > 0) {
    const named = excluded
      .slice(0, 10)
      .map((path) => printableLine(path))
      .join(', ');
    context.err.line(
      `  not part of it, and never executed: ${named}${excluded.length > 10 ? ` and ${excluded.length - 10} more` : ''}`,
    );
  }
  context.err.line(`  ${digest}\n`);
  const uncovered = links.find((link) => link.uncovered);
  if (uncovered !== undefined) {
    throw new TechneError(
      'PATH_UNSAFE',
      `"${uncovered.path}" of the skill "${skill.name}" is a link to something that its digest does not cover`,
      { hint: 'replace the link with the file itself' },
    );
  }
  for (const line of effects(skill)) context.err.line(line);
  if (
    !(await askPerson(
      context,
      skill.card.form === 'instructions'
        ? 'May models follow it as if you had written it?'
        : 'May it be executed?',
    ))
  )
    return null;
  return {
    folders: [],
    digests: [await store.trustDigest({ digest, name: skill.name, folder: skill.folder })],
  };
}

/** Effects of trust that the file list does not show. */
function effects({
  card: {
    form,
    invocation: { always },
  },
  head: { allowedTools, limits },
}: Skill): readonly string[] {
  const lines = [
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
  return lines.length === 0 ? [] : [...lines, ''];
}
