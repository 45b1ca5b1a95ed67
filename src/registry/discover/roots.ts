// Where skills are looked for.
//
//   home folder, workspace, configuration -> Root[]
//   Root[], in order of precedence -> Territory, or a diagnostic about a root that is not entered
//
// Within a source the earlier root wins: techne's own folder, then the shared `.agents`, then the folders that the
// configuration adds, then other hosts' folders, which are only read. The usual folders of a workspace, and those
// configured relative to it, must really be inside it. A folder named by an absolute path or one below `~` is the
// user's own choice and may be anywhere.
import { FileFault } from '../../ports/files.ts';
import type { Files } from '../../ports/files.ts';
import type { FoundIn, FoundSkill } from './found-skill.ts';
import type { IndexReader, IndexWriter } from '../cache/head-index.ts';
import { isInside } from '../../base/is-inside.ts';
import type { InstalledSkills, Root, Source } from '../types.ts';
import type { DiagnosticCode } from '../../base/codes.ts';
import { severityOf } from '../../base/codes.ts';
import type { Diagnostic } from '../../base/diagnostic.ts';
import type { Config } from '../../config/types.ts';

interface DefaultRootsOptions {
  readonly homeFolder: string;
  /** `null`: there is no workspace. */
  readonly workspace: string | null;
  /** The `skills` folder of this package; `null` where there is none. */
  readonly packageSkills: string | null;
  readonly config: Pick<Config, 'roots'>;
}

interface HostFolder {
  readonly host: string;
  readonly user: string | null;
  readonly workspace: string | null;
}

/** Folders of other hosts, as each of them documents. */
export const hostFolders: readonly HostFolder[] = [
  { host: 'claude', user: '.claude/skills', workspace: '.claude/skills' },
  { host: 'codex', user: '.codex/skills', workspace: '.codex/skills' },
  { host: 'cursor', user: '.cursor/skills', workspace: '.cursor/skills' },
  { host: 'gemini', user: '.gemini/skills', workspace: '.gemini/skills' },
  { host: 'copilot', user: '.copilot/skills', workspace: '.github/skills' },
  { host: 'opencode', user: '.config/opencode/skills', workspace: '.opencode/skills' },
  { host: 'goose', user: '.config/goose/skills', workspace: '.goose/skills' },
  { host: 'windsurf', user: '.codeium/windsurf/skills', workspace: '.windsurf/skills' },
  { host: 'openclaw', user: '.openclaw/skills', workspace: null },
  { host: 'hermes', user: '.hermes/skills', workspace: null },
  { host: 'metis', user: '.metis/skills', workspace: '.metis/skills' },
  { host: 'pi', user: '.pi/agent/skills', workspace: '.pi/skills' },
];

export function defaultRoots(options: DefaultRootsOptions): readonly Root[] {
  const { homeFolder, workspace, packageSkills, config } = options;
  const roots: Root[] = [];
  const add = (
    source: Source,
    host: string,
    path: string,
    within: string | null = null,
    configuredFor: string | null = null,
  ): void => {
    const kind = source === 'builtin' ? 'builtin' : source === 'plugin' ? 'plugin' : 'local';
    if (roots.some((root) => root.path === path)) return;
    roots.push({
      source,
      path,
      host,
      origin: { kind, from: kind === 'plugin' ? path : null },
      ...(within === null ? {} : { within }),
      ...(configuredFor === null ? {} : { configuredFor }),
    });
  };
  const inHome = (path: string): string =>
    path === '~'
      ? homeFolder
      : path.startsWith('~/')
        ? under(homeFolder, path.slice(2))
        : under(homeFolder, path);

  if (config.roots.builtin && packageSkills !== null) add('builtin', 'techne', packageSkills);
  for (const path of config.roots.plugin) add('plugin', 'config', inHome(path));
  add('user', 'techne', under(homeFolder, '.techne/skills'));
  add('user', 'agents', under(homeFolder, '.agents/skills'));
  for (const path of config.roots.user) add('user', 'config', inHome(path));
  if (config.roots.hosts) {
    for (const { host, user } of hostFolders) if (user !== null) add('user', host, under(homeFolder, user));
  }
  if (workspace === null) return roots;
  add('workspace', 'techne', under(workspace, '.techne/skills'), workspace);
  add('workspace', 'agents', under(workspace, '.agents/skills'), workspace);
  for (const path of config.roots.workspace) {
    if (path === '~' || path.startsWith('~/')) add('workspace', 'config', inHome(path), null, workspace);
    else add('workspace', 'config', under(workspace, path), isAbsolute(path) ? null : workspace, workspace);
  }
  if (config.roots.hosts) {
    for (const hostFolder of hostFolders)
      if (hostFolder.workspace !== null)
        add('workspace', hostFolder.host, under(workspace, hostFolder.workspace), workspace);
  }
  return roots;
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path);
}

/** `path` if it is absolute, else below `folder`; `.` and `..` are resolved as text. */
function under(folder: string, path: string): string {
  const absolute = isAbsolute(path) ? path : `${folder}/${path}`;
  const kept: string[] = [];
  for (const segment of absolute.split('/')) {
    if (segment === '..' && kept.length > 1) kept.pop();
    else if (segment !== '.' && segment !== '..' && (segment !== '' || kept.length === 0)) kept.push(segment);
  }
  return kept.length === 1 ? `${kept[0]}/` : kept.join('/');
}

// The existing roots, each by its real path.
//
// No two territories have the same real path: of two roots that lead to one place, the one that is not a link stays. A
// link may lead only into a territory. A territory that contains the home folder accepts no links, and one that contains
// another root accepts none from elsewhere. A root that must stay in its workspace (`Root.within`) and does not is not
// entered. A missing root is fine.

/** A root that is there, and what was found in it. */
export interface Territory {
  readonly in: FoundIn;
  readonly real: string;
  readonly reader: IndexReader | null;
  readonly writer: IndexWriter | null;
  /** In the order they were met; `null` where a head is still to be read, or could not be. */
  readonly skills: (FoundSkill | null)[];
  /** Holds the home folder, or everything. */
  holdsHome: boolean;
  /** Holds another root. */
  holdsRoot: boolean;
}

export class Territories {
  /** By precedence, highest first. */
  readonly all: Territory[] = [];
  /** Real paths of territories inside others; `null` when there is none. Known once they are compared. */
  inner: Set<string> | null = null;
  readonly #files: Files;
  readonly #takenNs: bigint;
  readonly #reporter: DiscoveryReport;
  readonly #installed: InstalledSkills | null;

  constructor(files: Files, takenNs: bigint, reporter: DiscoveryReport, installed: InstalledSkills | null) {
    this.#installed = installed;
    this.#files = files;
    this.#takenNs = takenNs;
    this.#reporter = reporter;
  }

  /** By precedence, highest first; `root` is frozen. */
  add(root: Root, reader: IndexReader | null, writer: IndexWriter | null): void {
    const real = this.#realRoot(root);
    if (real === null) return;
    const territory: Territory = {
      in: Object.freeze({
        root,
        files: this.#files,
        takenNs: this.#takenNs,
        installed: this.#installed,
      }),
      real,
      reader,
      writer,
      skills: [],
      holdsHome: false,
      holdsRoot: false,
    };
    const same = this.all.findIndex((other) => other.real === real);
    if (same < 0) this.all.push(territory);
    else if (root.path === real) {
      // The one that is no link is the place itself.
      this.all.splice(same, 1);
      this.all.push(territory);
    }
  }

  /** After all were added: which of them hold others, or the home folder. */
  compare(homeFolder: string | null): void {
    const home = homeFolder === null ? null : this.#realHome(homeFolder);
    for (const territory of this.all) {
      territory.holdsHome =
        isInside('/', territory.real) || (home !== null && isInside(home, territory.real));
      for (const other of this.all) {
        if (other === territory || !isInside(other.real, territory.real)) continue;
        territory.holdsRoot = true;
        (this.inner ??= new Set()).add(other.real);
      }
    }
  }

  /** The innermost one that really contains this folder. */
  ownerOf(real: string): Territory | null {
    let owner: Territory | null = null;
    for (const territory of this.all) {
      if (isInside(real, territory.real) && (owner === null || territory.real.length > owner.real.length))
        owner = territory;
    }
    return owner;
  }

  /** Whether a link in `from` may lead there. */
  mayEnter(real: string, from: Territory): boolean {
    for (const territory of this.all) {
      if (territory.holdsHome || (territory.holdsRoot && territory !== from)) continue;
      if (isInside(real, territory.real)) return true;
    }
    return false;
  }

  /** `null` for a root that is missing, or that may not or cannot be looked at, which is reported. */
  #realRoot({ path, within }: Root): string | null {
    try {
      const real = this.#files.realPath(path);
      if (real === null) {
        if (this.#files.lstat(path) !== null) this.#reporter.broken(path, 'leads nowhere');
        return null;
      }
      if (within === undefined || this.#isWithin(real, within)) return real;
      this.#reporter.add(
        'LINK_LEAVES_ROOTS',
        path,
        `the root leads to "${real}", outside the workspace "${within}", and was not entered`,
        'name that folder in roots.user of ~/.techne/config.json, or with --root, if it is yours',
      );
      return null;
    } catch (error) {
      this.#reporter.fault(error, path, 'root');
      return null;
    }
  }

  #isWithin(real: string, folder: string): boolean {
    const realFolder = this.#files.realPath(folder);
    return realFolder !== null && isInside(real, realFolder);
  }

  #realHome(homeFolder: string): string {
    try {
      return this.#files.realPath(homeFolder) ?? homeFolder;
    } catch (error) {
      if (error instanceof FileFault) return homeFolder; // the path itself is the best guess
      throw error;
    }
  }
}

// The diagnostics of discovery about files and folders that give no skill: one for each, with the same words everywhere.

export class DiscoveryReport {
  readonly diagnostics: Diagnostic[] = [];

  add(code: DiagnosticCode, path: string, message: string, hint: string | null = null): void {
    this.diagnostics.push({ code, severity: severityOf(code), path, span: null, message, hint });
  }

  notAFile(file: string, isFolder: boolean): void {
    this.add(
      'FILE_NOT_A_FILE',
      file,
      `SKILL.md is a ${isFolder ? 'folder' : 'special file'}`,
      'SKILL.md must be a regular file',
    );
  }

  /** A folder that was listed. */
  gone(path: string): true {
    this.add(
      'FILE_UNREADABLE',
      path,
      'the folder is listed but cannot be found: it went away, or its name is not valid UTF-8',
      'rename the folder if it is still there',
    );
    return true;
  }

  broken(path: string, how: string): null {
    this.add('LINK_BROKEN', path, `the link ${how}`, 'remove it or point it at a skill folder');
    return null;
  }

  leaves(path: string, real: string): void {
    this.add(
      'LINK_LEAVES_ROOTS',
      path,
      `the link leads to "${real}", outside every configured root, and was not followed`,
      'add that folder to roots.user in ~/.techne/config.json if it is yours',
    );
  }

  fault(error: unknown, path: string, what: 'root' | 'folder' | 'file' | 'link'): void {
    if (!(error instanceof FileFault)) throw error;
    switch (error.kind) {
      case 'not-a-folder':
        if (what === 'root')
          this.add('ROOT_INVALID', path, 'the root is not a folder', 'give the folder that holds the skills');
        else this.add('FILE_UNREADABLE', path, `the ${what} changed while it was read`);
        return;
      case 'not-a-file':
        return this.notAFile(path, false);
      case 'denied':
        return this.add(
          'FILE_UNREADABLE',
          path,
          `the ${what} may not be read: permission denied`,
          'allow reading it, or move it out of the skills folder',
        );
      case 'loop':
      case 'too-large':
      case 'changed':
      case 'busy':
      case 'io':
        this.add('FILE_UNREADABLE', path, `the ${what} cannot be read: ${error.message}`);
    }
  }
}
