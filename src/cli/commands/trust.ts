// techne trust
//
// JSON: {folders: [{path, grantedAt}], digests: [{digest, name, path, grantedAt}]}: all of it for --list, what was granted otherwise.
// There is no option that answers for the person.
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import type { TrustRecords } from '../../registry/trust-records.ts';
import { askPerson, requireTerminal } from '../ask-person.ts';
import type { CommandContext } from '../context.ts';
import { displayPath, homePath } from '../display-path.ts';
import type { SkillLibrary } from '../../host/open-skills.ts';
import { openLibrary } from '../open-library.ts';
import { counted, renderTable } from '../render-table.ts';
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
    return 0;
  }
  if (context.json) context.out.json(granted);
  else context.out.line(target.kind === 'folder' ? `Trusted: ${printableLine(target.path)}` : `Trusted: ${printableLine(target.skill.name)}, as it is now`);
  return 0;
}

async function trustFolder(context: CommandContext, library: SkillLibrary, path: string): Promise<TrustRecords | null> {
  const real = library.files.realPath(path);
  if (real === null || library.files.stat(real)?.isDirectory() !== true) throw new TechneError('FILE_MISSING', `"${path}" is not a folder`);
  context.err.line(`This folder will be trusted, with all skills that are and will be in it:\n\n  ${printableLine(real)}\n`);
  context.err.line('Skills in it may be executed, and its techne.json may widen your configuration.');
  if (!(await askPerson(context, 'Is everything in it your own work?'))) return null;
  return { folders: [await (await library.openTrust()).trustFolder(real)], digests: [] };
}

async function trustSkill(context: CommandContext, library: SkillLibrary, { skill, snapshot }: TrustTarget & { kind: 'skill' }): Promise<TrustRecords | null> {
  const { files, digest } = await snapshot.manifest(skill.name);
  const rows = files.slice(0, 40).map(({ path, size, executable }) => ['', printableLine(path), `${size} bytes${executable ? ', executable' : ''}`]);
  context.err.line(`The skill "${printableLine(skill.name)}" (${skill.card.form}) will be trusted as it is now:\n`);
  context.err.line(`  ${printableLine(displayPath(skill.folder, context.io))}`);
  context.err.write(renderTable(rows.map(([, path, size]) => [`    ${path}`, size as string]), null));
  if (files.length > rows.length) context.err.line(`    and ${counted(files.length - rows.length, 'more file')}`);
  context.err.line(`  ${digest}\n`);
  if (!(await askPerson(context, 'May it be executed?'))) return null;
  return { folders: [], digests: [await (await library.openTrust()).trustDigest({ digest, name: skill.name, folder: skill.folder })] };
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
