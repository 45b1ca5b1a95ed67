// techne trust
//
// JSON: {folders: [{path, grantedAt}], digests: [{digest, name, path, grantedAt}]}: all of it for --list, what was granted otherwise.
// There is no option that answers for the person.
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import type { ManifestFile } from '../../skill/file-manifest.ts';
import { isInside } from '../../registry/is-inside.ts';
import type { TrustRecords } from '../../registry/trust-records.ts';
import type { Skill } from '../../registry/types.ts';
import { askPerson, requireTerminal } from '../ask-person.ts';
import type { CommandContext } from '../context.ts';
import { displayPath, homePath } from '../display-path.ts';
import { exitCodes } from '../exit-code.ts';
import type { SkillLibrary } from '../../host/open-skills.ts';
import { openLibrary } from '../open-library.ts';
import { counted, renderTable } from '../render-table.ts';
import { rootsOfFolder } from '../roots-of-folder.ts';
import type { TrustTarget } from '../trust-target.ts';
import { trustTarget } from '../trust-target.ts';

export async function runTrust(context: CommandContext): Promise<number> {
  const library = await openLibrary(context);
  if (context.args.flag('list')) return listTrust(context, library);
  requireTerminal(context.io);
  const target = await trustTarget(context, library);
  const granted = target.kind === 'folder' ? await trustFolder(context, library, target.path) : await trustSkill(context, library, target);
  if (granted === null) {
    context.err.line('Nothing was trusted.');
    if (context.json) context.out.json({ folders: [], digests: [] });
    return exitCodes.files;
  }
  if (context.json) context.out.json(granted);
  else context.out.line(target.kind === 'folder' ? `Trusted: ${printableLine(target.path)}` : `Trusted: ${printableLine(target.skill.name)}, as it is now`);
  return 0;
}

async function trustFolder(context: CommandContext, library: SkillLibrary, path: string): Promise<TrustRecords | null> {
  const real = library.files.realPath(path);
  if (real === null || library.files.stat(real)?.isDirectory() !== true) throw new TechneError('FILE_MISSING', `"${path}" is not a folder`);
  const store = await library.openTrust();
  // What can never be granted is refused before anyone is asked. A folder that would not even count in `trust.folders` is too wide.
  await store.list();
  if ((await store.trustingFolder(real, [real])) === null) {
    throw new TechneError('TRUST_TOO_WIDE', `"${real}" holds everything you have, so trusting it would trust every download`, { hint: 'trust the folder of one project' });
  }
  context.err.line(`This folder will be trusted, with all skills that are and will be in it:\n\n  ${printableLine(real)}\n`);
  context.err.line(`${await describeSkillsIn(real, library, context)}\n`);
  context.err.line('Skills in it may be executed, and its techne.json may widen your configuration.');
  if (!(await askPerson(context, 'Is everything in it your own work?'))) return null;
  return { folders: [await store.trustFolder(real)], digests: [] };
}

/** What trusting a folder would cover now. */
async function describeSkillsIn(real: string, library: SkillLibrary, { io }: CommandContext): Promise<string> {
  const snapshot = await library.load(rootsOfFolder(real, library, io.homeFolder));
  const skills = [...snapshot.skills, ...snapshot.shadowed.map(({ skill }) => skill)].filter(({ realFolder }) => isInside(realFolder, real));
  const executable = skills.filter(({ card }) => card.form !== 'instructions').map(({ name }) => printableLine(name));
  if (skills.length === 0) return 'It holds no skill now.';
  const named = executable.slice(0, 20).join(', ') + (executable.length > 20 ? ` and ${executable.length - 20} more` : '');
  return `It holds ${counted(skills.length, 'skill')} now; ${executable.length === 0 ? 'none of them can be executed.' : `these can be executed: ${named}`}`;
}

/** Why trusting a skill would change nothing; `null` when it would. */
function pointless(skill: Skill): string | null {
  if (skill.origin.kind === 'builtin') return `"${skill.name}" is part of techne and needs no trust`;
  if (skill.card.form === 'instructions') return `"${skill.name}" is instructions to read; there is nothing to execute, so nothing to trust`;
  return null;
}

async function trustSkill(context: CommandContext, library: SkillLibrary, { skill, snapshot }: TrustTarget & { kind: 'skill' }): Promise<TrustRecords | null> {
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
    if (link.target === null) return link.uncovered ? 'a link that leaves the skill' : 'a link that leads nowhere';
    return `a link to ${printableLine(link.target)}${link.uncovered ? ', which the digest does not cover' : ''}`;
  };
  // What nobody expects comes first, so that a long list cannot hide it.
  const sorted = [...files.filter(({ path }) => linkAt.has(path)), ...files.filter(({ path }) => !linkAt.has(path))];
  const rows = sorted.slice(0, 40).map((file) => ['', printableLine(file.path), what(file)]);
  context.err.line(`The skill "${printableLine(skill.name)}" (${skill.card.form}) will be trusted as it is now:\n`);
  context.err.line(`  ${printableLine(displayPath(skill.folder, context.io))}`);
  context.err.write(renderTable(rows.map(([, path, size]) => [`    ${path}`, size as string]), null));
  if (files.length > rows.length) context.err.line(`    and ${counted(files.length - rows.length, 'more file')}`);
  if (excluded.length > 0) {
    const named = excluded.slice(0, 10).map((path) => printableLine(path)).join(', ');
    context.err.line(`  not part of it, and never executed: ${named}${excluded.length > 10 ? ` and ${excluded.length - 10} more` : ''}`);
  }
  context.err.line(`  ${digest}\n`);
  const uncovered = links.find((link) => link.uncovered);
  if (uncovered !== undefined) {
    throw new TechneError('PATH_UNSAFE', `"${uncovered.path}" of the skill "${skill.name}" is a link to something that its digest does not cover`, { hint: 'put the file itself into the folder, in the place of the link' });
  }
  if (!(await askPerson(context, 'May it be executed?'))) return null;
  return { folders: [], digests: [await store.trustDigest({ digest, name: skill.name, folder: skill.folder })] };
}

async function listTrust({ json, out, io, quiet }: CommandContext, library: SkillLibrary): Promise<number> {
  const records = await (await library.openTrust()).list();
  const configured = library.loaded.config.trust.folders;
  if (json) {
    out.json({ ...records, configured });
    return 0;
  }
  const rows = [
    ...records.folders.map(({ path, grantedAt }) => ['folder', printableLine(homePath(path, io)), grantedAt]),
    ...configured.map((path) => ['folder', printableLine(path), 'in ~/.techne/config.json']),
    ...records.digests.map(({ name, path, digest, grantedAt }) => ['skill', `${printableLine(name)} at ${printableLine(homePath(path, io))}`, `${grantedAt}, ${digest}`]),
  ];
  out.write(renderTable(rows, null));
  if (rows.length === 0 && !quiet) out.line('Nothing is trusted but the skills that come with techne.');
  return 0;
}
