// techne new
//
// JSON: {name, form, folder, files}
//
// The folder is made beside its place under another name and renamed when it is whole.
import {
  mkdirSync,
  mkdtempSync,
  promises,
  renameSync,
  rmSync,
  writeFileSync,
  chmodSync,
  lstatSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import { makeFolders } from '../../node/files/durable.ts';
import type { Form } from '../../skill/types.ts';
import type { CommandContext } from '../context.ts';
import { newSkillFiles } from '../../techne/new-skill.ts';
import { displayPath } from '../../techne/paths.ts';
import { openLibrary } from '../open-library.ts';
import { renderTable } from '../../base/render-table.ts';

export async function runNew(context: CommandContext): Promise<number> {
  const { args, io, out } = context;
  const name = args.positionals[0] as string;
  const form = (args.value('form') ?? 'instructions') as Form;
  const description = args.value('description');
  const files = newSkillFiles(name, form, description);
  const chosen = args.value('dir');
  const parent =
    chosen === null
      ? join((await openLibrary(context)).loaded.workspace, '.techne', 'skills')
      : resolve(io.cwd, chosen);
  const folder = join(parent, name);
  await makeFolder(parent, folder, files);

  const shown = displayPath(folder, io);
  if (context.json) {
    out.json({ name, form, folder, files: [...files.keys()] });
    return 0;
  }
  out.line(`Created ${printableLine(shown)}:`);
  for (const path of files.keys()) out.line(`  ${path}`);
  if (!context.quiet) {
    out.line('\nNext steps, after you edit these files:');
    const steps = nextSteps(form, chosen === null ? { name } : { folder: printableLine(shown) });
    out.write(
      renderTable(
        steps.map(([command, purpose]) => [`  ${command}`, purpose]),
        null,
      ),
    );
  }
  return 0;
}

/** A skill in a folder of the user's choice is known by its folder only: techne may not look for skills there. */
function nextSteps(
  form: Form,
  skill: { readonly name: string } | { readonly folder: string },
): readonly (readonly [command: string, purpose: string])[] {
  const shown = 'name' in skill ? skill.name : skill.folder;
  const isExecutable = form !== 'instructions';
  const steps: [command: string, purpose: string][] = [[`techne check ${shown} --strict`, 'find mistakes']];
  if (isExecutable) steps.push([`techne test ${shown}`, 'run its tests, offline']);
  if ('folder' in skill) return steps;
  if (isExecutable) {
    steps.push([`techne trust ${shown}`, 'allow techne to execute it']);
    steps.push([`techne run ${shown} KEY=VALUE…`, 'run it; SKILL.md lists its inputs']);
  }
  steps.push(['techne mcp install HOST', 'use it from your agent; HOST is claude-code, cursor, …']);
  return steps;
}

async function makeFolder(parent: string, folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  let temporary: string | null = null;
  try {
    if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) throw exists(folder);
    await makeFolders(promises, parent, 0o777);
    temporary = mkdtempSync(join(parent, '.new-'));
    for (const [path, text] of files) {
      mkdirSync(dirname(join(temporary, path)), { recursive: true });
      writeFileSync(join(temporary, path), text, { flag: 'wx', mode: text.startsWith('#!') ? 0o755 : 0o644 });
    }
    chmodSync(temporary, 0o755);
    renameSync(temporary, folder);
    temporary = null;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOTEMPTY' || code === 'EEXIST') throw exists(folder);
    if (error instanceof TechneError || code === undefined) throw error;
    throw new TechneError('FILE_DENIED', `"${folder}" cannot be made: ${message}`, { cause: error });
  } finally {
    if (temporary !== null) rmSync(temporary, { recursive: true, force: true });
  }
}

function exists(folder: string): TechneError {
  return new TechneError('TARGET_EXISTS', `"${folder}" already exists`, {
    hint: 'choose another name, or --dir',
  });
}
