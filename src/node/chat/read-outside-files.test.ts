import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readOutsideFiles } from './read-outside-files.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'techne-outside-')));
  for (const path of [
    'work/README.md',
    'work/docs/a.md',
    'work/skills/evil/x.md',
    'work/skills/good/x.md',
    'home/x.md',
  ]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), path);
  }
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Later than everything there is, by the clock of the disk. */
async function afterNow(): Promise<number> {
  const probe = join(folder, 'probe');
  const last = Math.max(
    ...['work/README.md', 'work/docs', 'work/skills/good', 'work/skills'].map(
      (path) => statSync(join(folder, path)).ctimeMs,
    ),
  );
  for (;;) {
    writeFileSync(probe, '');
    const { ctimeMs } = statSync(probe);
    if (ctimeMs > last) return ctimeMs;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

const read = (beforeMs: number, ...paths: readonly string[]): Promise<readonly string[]> =>
  readAtMost(undefined, beforeMs, paths);
const readAtMost = (
  maxBytes: number | undefined,
  beforeMs: number,
  paths: readonly string[],
): Promise<readonly string[]> =>
  readOutsideFiles(
    paths.map((path) => join(folder, path)),
    {
      workspace: join(folder, 'work'),
      untrusted: [join(folder, 'work/skills/EVIL')],
      beforeMs,
      ...(maxBytes === undefined ? {} : { maxBytes }),
    },
  );

describe('readOutsideFiles', () => {
  it('reads files of the workspace, also of trusted skills, and no others', async () => {
    expect(
      await read(
        await afterNow(),
        'work/README.md',
        'work/docs/a.md',
        'work/docs',
        'work',
        'work/none',
        'work/skills/evil/x.md',
        'work/skills/good/x.md',
        'home/x.md',
      ),
    ).toEqual(['work/README.md', 'work/docs/a.md', 'work/skills/good/x.md']);
  });

  it('reads none that was written, or brought there, since', async () => {
    const begun = await afterNow();
    writeFileSync(join(folder, 'work/README.md'), 'other');
    utimesSync(join(folder, 'work/README.md'), 1, 1);
    renameSync(join(folder, 'work/skills/evil'), join(folder, 'work/moved'));
    expect(await read(begun, 'work/README.md', 'work/moved/x.md', 'work/docs/a.md')).toEqual([
      'work/docs/a.md',
    ]);
  });

  it('reads no more than a limit of all together, and leaves out what does not fit', async () => {
    const begun = await afterNow();
    const paths = ['work/docs/a.md', 'work/skills/good/x.md', 'work/README.md'];
    expect(await readAtMost('work/docs/a.md'.length + 'work/README.md'.length, begun, paths)).toEqual([
      'work/docs/a.md',
      'work/README.md',
    ]);
    for (const at of [0, 1, 2])
      writeFileSync(join(folder, `work/docs/${at}`), `${at}`.repeat(2 * 1024 * 1024));
    expect(
      (await read(Number.POSITIVE_INFINITY, 'work/docs/0', 'work/docs/1', 'work/docs/2')).map(
        ([first]) => first,
      ),
    ).toEqual(['0', '1']);
  });
});
