// Settings, workspace and PATH -> the program that is techne, or what to do where there is none.
//
// F1. In a workspace that is not trusted nothing of it is started: neither its settings nor its node_modules count.
// F2. A program is started with a list of arguments, never through a shell. What a shell would be needed for (.cmd on Windows) is
//     replaced by the script behind it.
// F3. On Windows a program without a folder is looked for in the current folder first, which is that of the workspace: node gets its
//     whole path there.
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';

export interface TechneSettings {
  /** `techne.path`; empty: not set. */
  readonly path: string;
  readonly args: readonly string[];
  readonly env: { readonly [name: string]: string };
}

export interface Surroundings {
  readonly trusted: boolean;
  /** The folders of the workspace. */
  readonly folders: readonly string[];
  readonly variables: { readonly [name: string]: string | undefined };
  readonly platform: string;
  readonly isFile: (path: string) => boolean;
}

export interface Program {
  readonly command: string;
  /** Before those of a command. */
  readonly args: readonly string[];
  readonly env: { readonly [name: string]: string };
}

export function findTechne(
  settings: TechneSettings,
  around: Surroundings,
): Program | { readonly missing: string } {
  const given = settings.path.trim();
  const programs = given === '' ? usual(around) : named(given, around);
  const found = programs.find(around.isFile);
  if (found !== undefined) {
    const program = startOf(found, settings, around);
    return program ?? { missing: 'node was not found on PATH, which starts techne.' };
  }
  return {
    missing:
      given === ''
        ? 'techne was not found in node_modules or on PATH.'
        : `"techne.path" names "${given}", which is not there.`,
  };
}

function named(given: string, { trusted, folders, variables }: Surroundings): readonly string[] {
  const home = variables['HOME'] ?? variables['USERPROFILE'];
  if (given.startsWith('~/') && home !== undefined) return [join(home, given.slice(2))];
  if (isAbsolute(given)) return [given];
  // The person's own setting, but a file of whoever wrote the workspace.
  return trusted ? folders.map((folder) => resolve(folder, given)) : [];
}

function usual({ trusted, folders, variables, platform }: Surroundings): readonly string[] {
  const names = platform === 'win32' ? ['techne.exe', 'techne.cmd'] : ['techne'];
  const onPath = foldersOnPath(variables);
  const own = trusted ? folders.map((folder) => join(folder, 'node_modules', '.bin')) : [];
  return [...own, ...onPath].flatMap((folder) => names.map((name) => join(folder, name)));
}

/** `null`: it needs node, which is not there. */
function startOf(found: string, { args, env }: TechneSettings, around: Surroundings): Program | null {
  const script = scriptOf(found, around);
  if (script === null) return { command: found, args: [...args], env };
  const command = around.platform === 'win32' ? nodeOnWindows(dirname(found), around) : 'node';
  return command === null ? null : { command, args: [script, ...args], env };
}

/** What node starts; `null`: a program of its own. */
function scriptOf(found: string, { platform, isFile }: Surroundings): string | null {
  if (/\.[cm]?js$/i.test(found)) return found;
  if (platform !== 'win32' || !/\.(?:cmd|bat)$/i.test(found)) return null;
  // Of npm: beside node_modules where it is global, and inside of it where it is not.
  const folder = dirname(found);
  const scripts = [
    join(folder, 'node_modules', 'techne', 'bin', 'techne.mjs'),
    join(folder, '..', 'techne', 'bin', 'techne.mjs'),
  ];
  return scripts.find(isFile) ?? null;
}

/** Beside the program that was found, as npm does, or on PATH. */
function nodeOnWindows(beside: string, { variables, isFile }: Surroundings): string | null {
  return [beside, ...foldersOnPath(variables)].map((folder) => join(folder, 'node.exe')).find(isFile) ?? null;
}

function foldersOnPath(variables: Surroundings['variables']): readonly string[] {
  const path = Object.entries(variables).find(([name]) => name.toUpperCase() === 'PATH')?.[1] ?? '';
  return path.split(delimiter).filter(isAbsolute);
}
