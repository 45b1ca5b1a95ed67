// Shows a skill to a person and asks whether to trust it as it is now.
import { printableLine } from '../base/printable.ts';
import type { SkillLibrary } from '../techne/open-skills.ts';
import { mustBeCovered, trustEffects, trustPointless } from '../techne/trust-skill.ts';
import type { Snapshot } from '../registry/snapshot.ts';
import type { TrustRecords } from '../registry/trust/trust-records.ts';
import type { Skill } from '../registry/types.ts';
import type { ManifestFile } from '../skill/resources.ts';
import { askPerson } from './ask-person.ts';
import type { CommandContext } from './context.ts';
import { displayPath } from '../techne/paths.ts';
import { counted, renderTable } from '../base/render-table.ts';

/** Shows the skill and asks; `null` if it was not trusted. */
export async function trustSkill(
  context: CommandContext,
  library: SkillLibrary,
  skill: Skill,
  snapshot: Snapshot,
): Promise<TrustRecords | null> {
  const why = trustPointless(skill);
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
  mustBeCovered(skill, { links });
  const effects = trustEffects(skill);
  for (const line of effects) context.err.line(line);
  if (effects.length > 0) context.err.line('');
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
