// Edits of the lock and of installed files: none is accepted when skills are installed, loaded or run.
//
// A sample here; `TECHNE_SOAK=1 npm test -- test/hub/edits.test.ts` makes 10,000. An edit is accepted when a file reads as
// something else than was installed, when an edited skill may run, or when `restore --frozen` finds nothing.
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  promises,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TechneError } from '../../src/base/error.ts';
import { findDrift, hasDrifted } from '../../src/hub/drift/find-drift.ts';
import { readLock, readReceipts } from '../../src/hub/install/transaction.ts';
import { openSkills } from '../../src/techne/open-skills.ts';
import type { SkillLibrary } from '../../src/techne/open-skills.ts';
import type { HubScene } from '../support/hub-scene.ts';
import { hubScene, installTrees, limits, treeOf } from '../support/hub-scene.ts';

const edits = process.env['TECHNE_SOAK'] === '1' ? 10_000 : 500;
const names = ['moon', 'tides', 'winds'] as const;

function treeFor(name: string): ReturnType<typeof treeOf> {
  return treeOf({
    'SKILL.md': `---\nname: ${name}\ndescription: Tells the ${name}.\nmetaskill: SKILL.star\n---\n\n# ${name}\n`,
    'SKILL.star': `def run(input):\n    return {"answer": "${name}"}\n`,
    'references/notes.md': `Notes of ${name}.\n`,
    'scripts/go.sh!': `#!/bin/sh\necho ${name}\n`,
  });
}
const trees = Object.fromEntries(names.map((name) => [name, treeFor(name)]));

let scene: HubScene;
let copy: string;
let library: SkillLibrary;
beforeAll(async () => {
  scene = hubScene();
  await installTrees(scene.place, trees);
  writeFileSync(join(scene.home, '.techne/config.json'), '{"roots": {"builtin": false}}\n');
  library = await openSkills({
    cwd: scene.workspace,
    homeFolder: scene.home,
    workspace: scene.workspace,
    cache: false,
  });
  const snapshot = await library.load();
  const store = await library.openTrust();
  for (const name of names) {
    const { digest } = await snapshot.manifest(name);
    await store.trustDigest({ digest, name, folder: join(scene.place.skills, name) });
  }
  copy = join(dirname(scene.workspace), 'copy');
  cpSync(scene.workspace, copy, { recursive: true, preserveTimestamps: true });
});
afterAll(() => scene.remove());

function putBack(): void {
  for (const name of readdirSync(scene.workspace))
    rmSync(join(scene.workspace, name), { recursive: true, force: true });
  cpSync(copy, scene.workspace, { recursive: true, preserveTimestamps: true });
}

/** A generator of numbers that gives the same ones each time (mulberry32). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Makes one edit. Gives the skill it is about; `null`: about the lock as a whole. */
type Edit = (random: (below: number) => number) => string | null;

const pick = <T>(random: (below: number) => number, items: readonly T[]): T =>
  items[random(items.length)] as T;
const pathOf = (name: string, path: string): string => join(scene.place.skills, name, path);
const filesOf = (name: string): readonly string[] => [...(trees[name] as ReturnType<typeof treeOf>).keys()];

function editLock(change: (text: string) => string): null {
  const { lockFile } = scene.place;
  const text = readFileSync(lockFile, 'utf8');
  const edited = change(text);
  writeFileSync(lockFile, edited === text ? `${text} ` : edited);
  return null;
}

const kinds: { readonly [kind: string]: Edit } = {
  'a byte of a file': (random) => {
    const name = pick(random, names);
    const path = pathOf(name, pick(random, filesOf(name)));
    const bytes = readFileSync(path);
    const at = random(bytes.length);
    bytes[at] = ((bytes[at] as number) + 1 + random(255)) % 256;
    writeFileSync(path, bytes);
    return name;
  },
  'the length of a file': (random) => {
    const name = pick(random, names);
    const path = pathOf(name, pick(random, filesOf(name)));
    const bytes = readFileSync(path);
    writeFileSync(
      path,
      random(2) === 0 ? bytes.subarray(0, random(bytes.length)) : Buffer.concat([bytes, Buffer.from('x')]),
    );
    return name;
  },
  'a mode': (random) => {
    const name = pick(random, names);
    const path = pathOf(name, pick(random, filesOf(name)));
    chmodSync(path, (lstatSync(path).mode & 0o777) ^ 0o100);
    return name;
  },
  'a name': (random) => {
    const name = pick(random, names);
    const path = pick(random, filesOf(name));
    renameSync(pathOf(name, path), pathOf(name, `${path}.${random(1000)}`));
    return name;
  },
  'a file added': (random) => {
    const name = pick(random, names);
    const path = pathOf(
      name,
      pick(random, [
        'x.md',
        'scripts/x.sh',
        'references/deep/x.md',
        'SKILL.py',
        `more/${random(9)}/SKILL.md`,
      ]),
    );
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `---\nname: x\ndescription: x\n---\n${random(1000)}`);
    return name;
  },
  'a file deleted': (random) => {
    const name = pick(random, names);
    rmSync(pathOf(name, pick(random, filesOf(name))));
    return name;
  },
  'a link for a file': (random) => {
    const name = pick(random, names);
    const path = pathOf(name, pick(random, filesOf(name)));
    rmSync(path);
    symlinkSync(pick(random, ['/etc/hostname', '../winds/SKILL.md', 'SKILL.md', './nowhere']), path);
    return name;
  },
  'two skills swapped': () => {
    renameSync(join(scene.place.skills, 'moon'), join(scene.place.skills, 'swap'));
    renameSync(join(scene.place.skills, 'tides'), join(scene.place.skills, 'moon'));
    renameSync(join(scene.place.skills, 'swap'), join(scene.place.skills, 'tides'));
    return 'moon';
  },
  'two files swapped': (random) => {
    const name = pick(random, names);
    const [one, other] = [pathOf(name, 'SKILL.star'), pathOf(name, 'references/notes.md')];
    const bytes = readFileSync(one);
    writeFileSync(one, readFileSync(other));
    writeFileSync(other, bytes);
    return name;
  },
  'a letter of the lock': (random) =>
    editLock((text) => {
      const at = random(text.length);
      return text.slice(0, at) + pick(random, ['', 'x', '0', '"', '\n', ' ', '}']) + text.slice(at + 1);
    }),
  'a line of the lock': (random) =>
    editLock((text) => {
      const lines = text.split('\n');
      const at = random(lines.length - 1);
      const line = lines[at] as string;
      return lines.toSpliced(at, 1, ...pick(random, [[], [line, line], ['<<<<<<< ours', line]])).join('\n');
    }),
  'fields of the lock swapped': (random) =>
    editLock((text) => {
      const lines = text.split('\n');
      const pattern = pick(random, [
        /"digest"/,
        /"source"/,
        /"sum"/,
        /"\.\/SKILL\.md"/,
        /"\.\/scripts\/go\.sh"/,
        /^ {4}"\w+": \{/,
      ]);
      const found = lines.flatMap((line, at) => (pattern.test(line) ? [at] : []));
      const [from, to] = [found[0] as number, found[1 + random(found.length - 1)] as number];
      const moved = lines
        .with(from, lines[to] as string)
        .with(to, lines[from] as string)
        .join('\n');
      // Where both lines are the same, one of them is changed instead.
      return moved === text ? text.replace(/"source": "\./, '"source": "x') : moved;
    }),
  'a value of the lock': (random) =>
    editLock((text) => {
      const [from, to] = pick(random, [
        ['"pinned": false', '"pinned": true'],
        ['"trusted": false', '"trusted": true'],
        ['"verdict": "clean"', '"verdict": "caution"'],
        ['"adopted": false', '"adopted": true'],
        ['"./source#', '"./other#'],
        ['"version": 1', '"version": 2'],
        ['"path": "moon"', '"path": "../moon"'],
        ['"./SKILL.md": "644', '"./SKILL.md": "755'],
        ['"kind": "folder"', '"kind": "git"'],
      ] as const);
      return text.replace(from, to);
    }),
  'an entry taken out of the lock': (random) => {
    const name = pick(random, names);
    const { lockFile } = scene.place;
    const value = JSON.parse(readFileSync(lockFile, 'utf8')) as { skills: { [name: string]: unknown } };
    const { [name]: _gone, ...skills } = value.skills;
    writeFileSync(lockFile, `${JSON.stringify({ ...value, skills }, null, 2)}\n`);
    return name;
  },
  'the lock deleted': () => {
    rmSync(scene.place.lockFile);
    return null;
  },
};

/** What was accepted. */
async function accepted(edited: string | null): Promise<readonly string[]> {
  const found: string[] = [];
  const snapshot = await library.load();
  for (const name of snapshot.skills.map((skill) => skill.name)) {
    for (const path of trees[name] === undefined ? ['SKILL.md'] : filesOf(name)) {
      const bytes = await snapshot.readFile(name, path).catch(refusal);
      const wanted = trees[name]?.get(path)?.bytes;
      if (bytes !== null && (wanted === undefined || Buffer.compare(bytes, wanted) !== 0))
        found.push(`${path} of "${name}" was loaded`);
    }
    if (edited !== null && edited !== name && trees[name] !== undefined) continue;
    const runnable = await library.isRunnable(snapshot, name).catch(refusal);
    if (runnable?.ok === true) found.push(`"${name}" may run`);
  }
  if (await isFine()) found.push('restore --frozen finds nothing');
  return found;
}

function refusal(error: unknown): null {
  if (error instanceof TechneError) return null;
  throw error;
}

/** As `techne restore --frozen` and `techne hub list` see it. */
async function isFine(): Promise<boolean> {
  try {
    const lock = await readLock(scene.place, promises);
    const receipts = await readReceipts(scene.place, promises);
    for (const entry of lock.skills) {
      const drift = await findDrift(scene.place, entry, limits, promises);
      if (hasDrifted(drift) || drift.excluded.length > 0) return false;
    }
    return [...receipts.keys()].every((name) => lock.skills.some((entry) => entry.name === name));
  } catch (error) {
    if (error instanceof TechneError) return false;
    throw error;
  }
}

describe('an edit of the lock or of installed files', () => {
  it('is accepted nowhere, while what was installed is', async () => {
    expect(await accepted(null)).toEqual([
      ...names.map((name) => `"${name}" may run`),
      'restore --frozen finds nothing',
    ]);
    const all: string[] = [];
    const random = randomFrom(20_261_118);
    for (let at = 0; at < edits; at += 1) {
      const kind = Object.keys(kinds)[at % Object.keys(kinds).length] as string;
      const edited = (kinds[kind] as Edit)(random);
      all.push(...(await accepted(edited)).map((what) => `edit ${at}, ${kind}: ${what}`));
      putBack();
    }
    expect(all).toEqual([]);
  }, 1_800_000);
});
