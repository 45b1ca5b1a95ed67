// A folder with the broken skills and the sound ones, in a workspace of its own.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Base } from '../lsp/broken-skills.ts';
import { bases, brokenSkills, filesOf, nameOf, soundFiles } from '../lsp/broken-skills.ts';

export interface LspWorld {
  readonly homeFolder: string;
  readonly workspace: string;
  readonly skills: string;
  /** A path inside of the workspace, absolute. */
  write(path: string, text: string): string;
  remove(): void;
}

export function createLspWorld(): LspWorld {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'techne-lsp-')));
  const workspace = join(folder, 'work');
  const homeFolder = join(folder, 'home');
  const write = (path: string, text: string): string => {
    const at = join(workspace, path);
    mkdirSync(dirname(at), { recursive: true });
    writeFileSync(at, text);
    return at;
  };
  mkdirSync(homeFolder, { recursive: true });
  write('.git/HEAD', '');
  return {
    homeFolder,
    workspace,
    skills: join(workspace, 'skills'),
    write,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export function writeSkill(world: LspWorld, name: string, files: ReadonlyMap<string, string>): void {
  for (const [path, text] of files) world.write(`skills/${name}/${path}`, text);
}

export function writeSound(world: LspWorld): void {
  for (const base of Object.keys(bases) as Base[])
    writeSkill(world, `sound-${base}`, soundFiles(base, `sound-${base}`));
}

export function writeBroken(world: LspWorld): void {
  writeSound(world);
  for (const [index, broken] of brokenSkills.entries())
    writeSkill(world, nameOf(index), filesOf(broken, nameOf(index)));
}
