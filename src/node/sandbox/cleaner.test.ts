// The cleaner by itself, without a sandbox; what it does when its process is killed is in test/sandbox/killed.test.ts.
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startCleaner } from './cleaner.ts';
import { idOf } from './placeholder.ts';

describe.skipIf(process.platform !== 'linux')('startCleaner', () => {
  let top: string;
  let open: number[];
  let marks = 0;
  let mark: string;
  beforeEach(() => {
    top = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'techne-cleaner-')));
    open = [];
    mark = `bwrap-test-${process.pid}-${(marks += 1)}`;
  });
  afterEach(() => {
    for (const descriptor of open) fs.closeSync(descriptor);
    fs.rmSync(top, { recursive: true, force: true });
  });

  const parentOf = (folder: string): number => {
    fs.mkdirSync(join(top, folder), { recursive: true });
    const descriptor = fs.openSync(join(top, folder), fs.constants.O_DIRECTORY);
    open.push(descriptor);
    return descriptor;
  };
  const makePlace = (parent: number, path: string, mode = 0o555) => {
    fs.mkdirSync(join(top, path));
    fs.chmodSync(join(top, path), mode);
    return { path: join(top, path), parent };
  };
  const idAt = (path: string): string => idOf(join(top, path)) as string;
  const isThere = (path: string): boolean => fs.existsSync(join(top, path));
  /** The words of the cleaner of this test, after its script. */
  const wordsOf = (): readonly string[] | null => {
    for (const pid of fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        const words = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        if (words[3] === 'techne-cleaner' && words[4] === mark) return words.slice(4, -1);
      } catch {
        continue; // It ended meanwhile.
      }
    }
    return null;
  };
  const isGone = async (): Promise<void> => {
    while (wordsOf() !== null) await sleep(20);
  };

  it('takes away what was made, once nobody feeds it any more, and no other folder', async () => {
    const [a, b] = [parentOf('a'), parentOf('b')];
    const places = ['a/one', 'b/two', 'b/three', 'b/four', 'b/five'].map((path, at) =>
      makePlace(at === 0 ? a : b, path),
    );
    const cleaner = startCleaner(mark, places, null);
    cleaner.tell(0, idAt('a/one'));
    cleaner.tell(2, idAt('b/three'));
    // It is another one by now, and this one can be written to.
    cleaner.tell(3, '0:0:0');
    cleaner.tell(4, idAt('b/five'));
    fs.chmodSync(join(top, 'b/five'), 0o755);
    cleaner.leave();
    await isGone();
    expect(['a/one', 'b/two', 'b/three', 'b/four', 'b/five'].map(isThere)).toEqual([
      false,
      true,
      false,
      true,
      true,
    ]);
  });

  it('reaches the places through the folders that are held, and knows them as a mount table does', async () => {
    const parent = parentOf('a b');
    const places = [makePlace(parent, 'a b/one'), makePlace(parentOf('c'), 'c/two')];
    const cleaner = startCleaner(mark, places, null);
    expect(wordsOf()).toEqual([
      mark,
      '',
      '/proc/self/fd/3/one',
      `${top}/a\\040b/one`,
      '/proc/self/fd/4/two',
      `${top}/c/two`,
    ]);
    cleaner.tell(0, idAt('a b/one'));
    fs.renameSync(join(top, 'a b'), join(top, 'moved'));
    cleaner.leave();
    await isGone();
    expect([isThere('moved/one'), isThere('c/two')]).toEqual([false, true]);
  });

  it('ends its record, and leaves what is on the record of another', async () => {
    const parent = parentOf('a');
    const places = [makePlace(parent, 'a/one'), makePlace(parent, 'a/two')];
    fs.mkdirSync(join(top, 'held'));
    fs.writeFileSync(join(top, 'held/mine.json'), '{}');
    fs.writeFileSync(join(top, 'held/other.json'), JSON.stringify({ folders: [{ id: idAt('a/two') }] }));
    const cleaner = startCleaner(mark, places, join(top, 'held/mine.json'));
    cleaner.tell(0, idAt('a/one'));
    cleaner.tell(1, idAt('a/two'));
    cleaner.leave();
    await isGone();
    expect([isThere('a/one'), isThere('a/two'), fs.readdirSync(join(top, 'held'))]).toEqual([
      false,
      true,
      ['other.json'],
    ]);
  });

  it('does nothing when it is dismissed, and has ended then', async () => {
    const places = [makePlace(parentOf('a'), 'a/one')];
    const cleaner = startCleaner(mark, places, null);
    cleaner.tell(0, idAt('a/one'));
    await cleaner.dismiss();
    expect([wordsOf(), isThere('a/one')]).toEqual([null, true]);
    // It may be dismissed again.
    await cleaner.dismiss();
  });

  it('has a session of its own, so that no signal to a group reaches it', async () => {
    const cleaner = startCleaner(mark, [], null);
    const pid = fs.readdirSync('/proc').find((name) => {
      try {
        return /^\d+$/.test(name) && fs.readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(`\0${mark}\0`);
      } catch {
        return false; // It ended meanwhile.
      }
    });
    const [, , , , group, session] = fs
      .readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/\(.*\)/, '()')
      .split(' ');
    expect([group, session]).toEqual([pid, pid]);
    await cleaner.dismiss();
  });
});
