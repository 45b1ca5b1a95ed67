// techne untrust
//
// JSON: {folders, digests, still}: what is no longer trusted, and {message, hint} if it is still trusted.
// Revoking trust needs no person. The exit code is 1 if nothing was revoked, or if it is still trusted.
//
// A folder is still trusted if one of its skills is, as this workspace finds them, or if the folder itself is a trusted skill. For a
// folder without skills, only its path counts.
import { resolve } from 'node:path';
import { nearest } from '../../base/nearest.ts';
import { printableLine } from '../../base/printable.ts';
import type { SkillLibrary } from '../../techne/open-skills.ts';
import { workspaceAround } from '../../techne/open-skills.ts';
import { isInside } from '../../base/is-inside.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { TrustRecords } from '../../registry/trust/trust-records.ts';
import type { Skill } from '../../registry/types.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { openLibrary } from '../open-library.ts';
import { rootsOfFolder } from '../../techne/roots-of-folder.ts';

export async function runUntrust(context: CommandContext): Promise<number> {
  const { args, io, out } = context;
  const library = await openLibrary(context);
  const store = await library.openTrust();
  const [given] = args.positionals;
  // The skill may no longer exist, so its name is looked up in the records.
  const isPath = given === undefined || /[\\/]|^\.{1,2}$|^~$/.test(given);
  const byName = isPath ? null : await store.untrust(given);
  const path =
    given === undefined
      ? library.loaded.workspace
      : resolve(io.cwd, given === '~' || given.startsWith('~/') ? io.homeFolder + given.slice(1) : given);
  const removed =
    byName !== null && byName.folders.length + byName.digests.length > 0 ? byName : await store.untrust(path);
  const nothing = removed.folders.length + removed.digests.length === 0;
  const snapshot = await library.load();
  const skill = isPath ? undefined : snapshot.skills.find(({ name }) => name === given);
  const unknown = nothing && !isPath && skill === undefined && library.files.stat(path) === null;
  const still = unknown ? null : await stillTrusted(library, io.homeFolder, snapshot, skill ?? path);
  if (context.json) out.json({ ...removed, still });
  else {
    for (const folder of removed.folders) out.line(`No longer trusted: ${printableLine(folder.path)}`);
    for (const { name, path: at } of removed.digests)
      out.line(`No longer trusted: ${printableLine(name)} at ${printableLine(at)}`);
    if (unknown) {
      context.err.line(`There is no skill "${printableLine(given)}", and nothing of that name was trusted.`);
      if (!context.quiet)
        context.err.line(`  hint: ${printableLine(meantTrusted(await store.list(), snapshot, given))}`);
    } else if (nothing && still === null) out.line(`${printableLine(given ?? path)} was not trusted.`);
    if (still !== null) {
      context.err.line(
        `${printableLine(given ?? path)} ${nothing ? 'is' : 'is still'} trusted: ${printableLine(still.message)}`,
      );
      if (!context.quiet && still.hint !== null) context.err.line(`  hint: ${printableLine(still.hint)}`);
    }
  }
  return still === null && !nothing ? exitCodes.fine : exitCodes.files;
}

interface Still {
  readonly message: string;
  readonly hint: string | null;
}

/** Why it can still be executed; `null` if it cannot. */
async function stillTrusted(
  library: SkillLibrary,
  homeFolder: string,
  snapshot: Snapshot,
  target: Skill | string,
): Promise<Still | null> {
  if (typeof target !== 'string' && target.origin.kind === 'builtin')
    return {
      message: 'it is part of techne',
      hint: 'disable it with "skills.disabled", or all shipped skills with "roots.builtin": false',
    };
  const store = await library.openTrust();
  const { folders } = library.loaded.config.trust;
  const view = store.view(folders);
  const inside =
    typeof target === 'string' ? await skillsIn(target, library, homeFolder, snapshot) : [target];
  const reached: { readonly name: string; readonly folder: string }[] = [];
  for (const skill of inside) {
    const verdict = await view.decide(skill, async () => '');
    if (verdict.kind === 'folder') reached.push({ name: skill.name, folder: verdict.folder });
  }
  const isEmpty = typeof target === 'string' && inside.length === 0;
  const around = isEmpty
    ? await store.trustingFolder(target, folders, workspaceAround(library.files, target, homeFolder))
    : (reached[0]?.folder ?? null);
  if (around === null) return null;
  const configured = !(await store.list()).folders.some(({ path }) => path === around);
  return {
    message:
      reached.length === inside.length
        ? `it is in the trusted folder "${around}"`
        : `the trusted folder "${around}" covers ${named(reached.map(({ name }) => name))}`,
    hint: configured
      ? 'remove the folder from "trust.folders" in ~/.techne/config.json'
      : `to revoke the trust in that folder: techne untrust "${around}"`,
  };
}

/** Whether a skill of the folder is still trusted. */
async function skillsIn(
  folder: string,
  library: SkillLibrary,
  homeFolder: string,
  snapshot: Snapshot,
): Promise<readonly Skill[]> {
  const real = library.files.realPath(folder);
  if (real === null) return [];
  const workspace = workspaceAround(library.files, folder, homeFolder);
  const own = await library.load(
    rootsOfFolder(folder, library, homeFolder).map((root) =>
      root.within !== undefined || workspace === null ? root : { ...root, within: workspace },
    ),
  );
  const found = new Map<string, Skill>();
  // Skills as this workspace finds them come first.
  for (const { skills, shadowed } of [snapshot, own]) {
    for (const skill of [...skills, ...shadowed.map((one) => one.skill)])
      if (isInside(skill.realFolder, real) && !found.has(skill.realFolder))
        found.set(skill.realFolder, skill);
  }
  return [...found.values()];
}

function named(names: readonly string[]): string {
  return (
    names
      .slice(0, 10)
      .map((name) => `"${name}"`)
      .join(', ') + (names.length > 10 ? ` and ${names.length - 10} more` : '')
  );
}

function meantTrusted({ digests }: TrustRecords, snapshot: Snapshot, given: string): string {
  const meant = nearest(given, [
    ...digests.map(({ name }) => name),
    ...snapshot.skills.map(({ name }) => name),
  ]);
  return meant === null ? '"techne trust --list" shows what is trusted' : `did you mean "${meant}"?`;
}
