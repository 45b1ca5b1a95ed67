// A home folder and a workspace on the disk, skills to install into them, and what is installed, as values to compare.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
  promises,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { encodeUtf8 } from '../../src/base/utf8.ts';
import type { HubPlace } from '../../src/hub/install/place.ts';
import { hubPlace } from '../../src/hub/install/place.ts';
import type { Change, TransactionOptions } from '../../src/hub/install/transaction.ts';
import { commit, readLock } from '../../src/hub/install/transaction.ts';
import { findEntry } from '../../src/hub/lock/lock.ts';
import type { LockEntry } from '../../src/hub/lock/lock.ts';
import { renderLock } from '../../src/hub/lock/lock-text.ts';
import type { FetchedFile } from '../../src/hub/source/source.ts';
import type { HubCalls } from '../../src/hub/stage/held-folder.ts';
import { openStage } from '../../src/hub/stage/stage.ts';
import { manifestOfFiles } from '../../src/hub/stage/tree.ts';

export const limits = { files: 1000, bytes: 16 * 1024 * 1024 };

export interface HubScene {
  readonly home: string;
  readonly workspace: string;
  readonly place: HubPlace;
  readonly remove: () => void;
}

export function hubScene(): HubScene {
  // In memory where that is possible: these tests sync thousands of times.
  const root = realpathSync(mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'techne-hub-')));
  const [home, workspace] = [join(root, 'home'), join(root, 'work')];
  mkdirSync(join(home, '.techne'), { recursive: true });
  mkdirSync(join(workspace, '.techne'), { recursive: true });
  return {
    home,
    workspace,
    place: hubPlace('workspace', workspace, home),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** A text is a file; with `!` at the end of its path it is executable. */
export function treeOf(texts: { readonly [path: string]: string }): ReadonlyMap<string, FetchedFile> {
  return new Map(
    Object.entries(texts).map(([path, text]) => [
      path.replace(/!$/, ''),
      { bytes: encodeUtf8(text), executable: path.endsWith('!') },
    ]),
  );
}

export function skillTree(name: string, version: string): ReadonlyMap<string, FetchedFile> {
  return treeOf({
    'SKILL.md': `---\nname: ${name}\ndescription: The skill ${name}, ${version}.\n---\n\n# ${name} ${version}\n`,
    'scripts/run.sh!': `#!/bin/sh\necho ${version}\n`,
    'references/deep/notes.md': `Notes of ${version}.\n`,
  });
}

export function entryOf(name: string, files: ReadonlyMap<string, FetchedFile>): LockEntry {
  const manifest = manifestOfFiles(files);
  return {
    name,
    source: `./source#${name}`,
    resolved: { kind: 'folder', path: './source' },
    path: name,
    pinned: false,
    adopted: false,
    digest: manifest.digest,
    files: manifest.files,
    verdict: 'clean',
    rulesVersion: '1',
    trusted: false,
  };
}

export function optionsWith(calls: HubCalls = promises): TransactionOptions {
  return { calls, limits, waitMs: 10_000 };
}

/** What a command does once it was agreed to: `null` removes. */
export async function installTrees(
  place: HubPlace,
  trees: { readonly [name: string]: ReadonlyMap<string, FetchedFile> | null },
  calls: HubCalls = promises,
): Promise<void> {
  const stage = await openStage(place, limits, calls);
  try {
    const lock = await readLock(place, calls);
    const changes: Change[] = [];
    for (const [name, files] of Object.entries(trees)) {
      if (files !== null) await stage.add({ name, files });
      const before = findEntry(lock, name);
      changes.push({
        name,
        act: files === null ? 'take' : 'put',
        before,
        after: files === null ? null : entryOf(name, files),
        expects: before === null ? 'nothing' : 'anything',
      });
    }
    await commit(place, stage.id, changes, optionsWith(calls));
  } finally {
    await stage.close();
  }
}

/** `skill/path` -> mode and text, of all that is installed. */
export function installed(place: HubPlace): { readonly [path: string]: string } {
  const found: { [path: string]: string } = {};
  const walk = (folder: string, prefix: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) walk(path, `${prefix}${entry.name}/`);
      else
        found[prefix + entry.name] = entry.isFile()
          ? `${(lstatSync(path).mode & 0o777).toString(8)} ${readFileSync(path, 'utf8')}`
          : 'not a file';
    }
  };
  if (lstatSync(place.skills, { throwIfNoEntry: false }) !== undefined) walk(place.skills, '');
  return found;
}

/** The same of trees. */
export function asInstalled(trees: { readonly [name: string]: ReadonlyMap<string, FetchedFile> | null }): {
  readonly [path: string]: string;
} {
  const found: { [path: string]: string } = {};
  for (const [name, files] of Object.entries(trees))
    for (const [path, { bytes, executable }] of files ?? [])
      found[`${name}/${path}`] = `${executable ? '755' : '644'} ${new TextDecoder().decode(bytes)}`;
  return found;
}

export function lockText(place: HubPlace): string | null {
  return lstatSync(place.lockFile, { throwIfNoEntry: false }) === undefined
    ? null
    : readFileSync(place.lockFile, 'utf8');
}

/** Names in the folder of stages and beside the records: nothing must be left. */
export function leftovers(place: HubPlace): readonly string[] {
  const names = (folder: string): readonly string[] =>
    lstatSync(folder, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(folder);
  return [
    ...names(place.stages),
    ...names(place.state).filter((name) => name !== 'installed.json'),
    ...names(dirname(place.lockFile)).filter((name) => name.endsWith('.tmp')),
  ];
}

export function writeTo(folder: string, texts: { readonly [path: string]: string }): void {
  for (const [path, { bytes, executable }] of treeOf(texts)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
    if (executable) chmodSync(file, 0o755);
  }
}

type Trees = Parameters<typeof installTrees>[1];

const [one, two, other] = [skillTree('a', 'one'), skillTree('a', 'two'), skillTree('b', 'one')];

/** What is installed before, the change, and what is installed afterwards. */
export const hubCommands: {
  readonly [command: string]: { readonly from: Trees; readonly change: Trees; readonly to: Trees };
} = {
  add: { from: {}, change: { a: one, b: other }, to: { a: one, b: other } },
  update: { from: { a: one, b: other }, change: { a: two }, to: { a: two, b: other } },
  remove: { from: { a: one, b: other }, change: { a: null }, to: { b: other } },
  restore: { from: { a: one }, change: { a: one }, to: { a: one } },
};

export function changesOf(command: string): Trees {
  const found = hubCommands[command];
  if (found === undefined) throw new Error(`no such command: ${command}`);
  return found.change;
}

/** The text of a lock with these skills. */
export function lockOf(trees: Trees): string {
  return renderLock({
    version: 1,
    skills: Object.entries(trees).flatMap(([name, files]) => (files === null ? [] : [entryOf(name, files)])),
  });
}
