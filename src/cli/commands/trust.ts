// techne trust
//
// JSON: {folders: [{path, grantedAt}], digests: [{digest, name, path, grantedAt}]}: everything with --list, else what was granted.
// No option answers for the person.
//
// The text before the question shows exactly what would be trusted: the configuration of the folder is read as if it were trusted,
// and skills that its trust does not cover (registry/trust/trust-store.ts) are not counted.
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import { isInside } from '../../base/is-inside.ts';
import { loadConfig } from '../../node/load-config.ts';
import type { TrustRecords } from '../../registry/trust/trust-records.ts';
import type { TrustStore } from '../../registry/trust/trust-store.ts';
import type { Skill } from '../../registry/types.ts';
import { askPerson, requireTerminal } from '../ask-person.ts';
import type { CommandContext } from '../context.ts';
import { homePath } from '../../techne/paths.ts';
import { exitCodes } from '../exit-code.ts';
import { trustSkill } from '../grant-trust.ts';
import type { SkillLibrary } from '../../techne/open-skills.ts';
import { openLibrary } from '../open-library.ts';
import { counted, renderTable } from '../../base/render-table.ts';
import { rootsOfFolder } from '../../techne/roots-of-folder.ts';
import { resolve } from 'node:path';
import type { Snapshot } from '../../registry/snapshot.ts';
import { resolveSkill } from '../../techne/resolve-skill.ts';

export async function runTrust(context: CommandContext): Promise<number> {
  const library = await openLibrary(context);
  if (context.args.flag('list')) return listTrust(context, library);
  requireTerminal(context.io);
  const target = await trustTarget(context, library);
  const granted =
    target.kind === 'folder'
      ? await trustFolder(context, library, target.path)
      : await trustSkill(context, library, target.skill, target.snapshot);
  if (granted === null) {
    context.err.line('Nothing was trusted.');
    if (context.json) context.out.json({ folders: [], digests: [] });
    return exitCodes.files;
  }
  if (context.json) context.out.json(granted);
  else
    context.out.line(
      target.kind === 'folder'
        ? `Trusted: ${printableLine(target.path)}`
        : `Trusted: ${printableLine(target.skill.name)}, as it is now`,
    );
  return 0;
}

async function trustFolder(
  context: CommandContext,
  library: SkillLibrary,
  path: string,
): Promise<TrustRecords | null> {
  const real = library.files.realPath(path);
  if (real === null || library.files.stat(real)?.isDirectory() !== true)
    throw new TechneError('FILE_MISSING', `"${path}" is not a folder`);
  const store = await library.openTrust();
  // Refused before the question. A folder that `trust.folders` would ignore is too wide.
  await store.list();
  if ((await store.trustingFolder(real, [real], null)) === null) {
    throw new TechneError('TRUST_TOO_WIDE', `"${real}" is too wide: trusting it would trust every download`, {
      hint: 'trust the folder of one project',
    });
  }
  context.err.line(
    `This folder will be trusted as one workspace, with all its present and future skills:\n\n  ${printableLine(real)}\n`,
  );
  context.err.line(`${await describeSkillsIn(real, library, store, context)}\n`);
  context.err.line(
    'They may be executed, and its techne.json may widen your configuration. Workspaces and skill folders below it, such as packages/a/.claude/skills, are not included unless its roots.workspace names them.',
  );
  if (!(await askPerson(context, 'Is everything in it your own work?'))) return null;
  return { folders: [await store.trustFolder(real)], digests: [] };
}

/** The skills that trusting a folder would cover now. */
async function describeSkillsIn(
  real: string,
  library: SkillLibrary,
  store: TrustStore,
  { io }: CommandContext,
): Promise<string> {
  const isWorkspace = real === library.files.realPath(library.loaded.workspace);
  const folder = isWorkspace ? library.loaded.workspace : real;
  const loaded = await loadConfig({
    files: library.files,
    homeFolder: io.homeFolder,
    cwd: folder,
    workspace: folder,
    isTrusted: async () => true,
  });
  const snapshot = await library.load(rootsOfFolder(folder, { ...library, loaded }, io.homeFolder));
  const view = store.view([real]);
  const skills: Skill[] = [];
  for (const skill of [...snapshot.skills, ...snapshot.shadowed.map((one) => one.skill)]) {
    if (isInside(skill.realFolder, real) && (await view.decide(skill, async () => '')).kind === 'folder')
      skills.push(skill);
  }
  const executable = skills
    .filter(({ card }) => card.form !== 'instructions')
    .map(({ name }) => printableLine(name));
  if (skills.length === 0) return 'It has no skills now.';
  const named =
    executable.slice(0, 20).join(', ') +
    (executable.length > 20 ? ` and ${executable.length - 20} more` : '');
  return `It has ${counted(skills.length, 'skill')} now; ${executable.length === 0 ? 'none of them can be executed.' : `these can be executed: ${named}`}`;
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
    ...records.digests.map(({ name, path, digest, grantedAt }) => [
      'skill',
      `${printableLine(name)} at ${printableLine(homePath(path, io))}`,
      `${grantedAt}, ${digest}`,
    ]),
  ];
  out.write(renderTable(rows, null));
  if (rows.length === 0 && !quiet) out.line('Only the skills shipped with techne are trusted.');
  return 0;
}

type TrustTarget =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'skill'; readonly skill: Skill; readonly snapshot: Snapshot };

/** The folder or skill that the argument names. The default is the workspace. A word with a `/`, or `.`, is a path; any other word is a skill, or else a folder of that name. */
async function trustTarget({ args, io }: CommandContext, library: SkillLibrary): Promise<TrustTarget> {
  const [given] = args.positionals;
  if (given === undefined) return { kind: 'folder', path: library.loaded.workspace };
  const path = resolve(
    io.cwd,
    given === '~' || given.startsWith('~/') ? io.homeFolder + given.slice(1) : given,
  );
  if (/[\\/]|^\.{1,2}$|^~$/.test(given)) return { kind: 'folder', path };
  const snapshot = await library.load();
  const named = snapshot.skills.some((skill) => skill.name === given);
  if (!named && library.files.stat(path)?.isDirectory() === true) return { kind: 'folder', path };
  return { kind: 'skill', skill: resolveSkill(snapshot, given), snapshot };
}
