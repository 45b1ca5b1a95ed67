import { describe, expect, it } from 'vitest';
import { decodeUtf8, encodeUtf8 } from '../../base/utf8.ts';
import { createMemoryFiles } from '../../ports/memory-files.ts';
import type { Files } from '../../ports/files.ts';
import { createOverlayFiles } from './overlay-files.ts';

async function text(files: Files, path: string): Promise<string | null> {
  const read = await files.read(path, 1_000);
  return read === null ? null : decodeUtf8(read.bytes).text;
}

describe('createOverlayFiles', () => {
  it('reads a text in place of its file, until it is taken back', async () => {
    const disk = createMemoryFiles({ '/skills/tides/SKILL.md': 'saved' });
    const files = createOverlayFiles(disk);
    files.setText('/skills/tides/SKILL.md', encodeUtf8('typed'));
    expect(await text(files, '/skills/tides/SKILL.md')).toBe('typed');
    expect(decodeUtf8(files.readHead('/skills/tides/SKILL.md', 3)?.bytes ?? new Uint8Array()).text).toBe(
      'typ',
    );
    expect(files.stat('/skills/tides/SKILL.md')?.size).toBe(5n);
    await expect(files.read('/skills/tides/SKILL.md', 4)).rejects.toThrow('over the limit of 4');
    files.setText('/skills/tides/SKILL.md', null);
    expect(await text(files, '/skills/tides/SKILL.md')).toBe('saved');
  });

  it('reads it through links, too', async () => {
    const disk = createMemoryFiles({ '/real/tides/SKILL.md': 'saved' });
    disk.link('/linked', '/real');
    const files = createOverlayFiles(disk);
    files.setText('/linked/tides/SKILL.md', encodeUtf8('typed'));
    expect(await text(files, '/real/tides/SKILL.md')).toBe('typed');
    files.setText('/linked/tides/SKILL.md', null);
    expect(await text(files, '/real/tides/SKILL.md')).toBe('saved');
  });

  it('has folders for a text that was never saved', async () => {
    const disk = createMemoryFiles({ '/skills/tides/SKILL.md': 'saved' });
    const files = createOverlayFiles(disk);
    files.setText('/skills/new/tests/a.yaml', encodeUtf8('x'));
    expect(files.list('/skills')).toEqual([
      { name: 'new', kind: 'folder' },
      { name: 'tides', kind: 'folder' },
    ]);
    expect(files.list('/skills/new')).toEqual([{ name: 'tests', kind: 'folder' }]);
    expect(files.stat('/skills/new')?.isDirectory()).toBe(true);
    expect(files.realPath('/skills/new/tests/a.yaml')).toBe('/skills/new/tests/a.yaml');
    files.setText('/skills/new/tests/a.yaml', null);
    expect([files.stat('/skills/new'), files.list('/skills/new'), files.realPath('/skills/new')]).toEqual([
      null,
      null,
      null,
    ]);
  });

  it('gives each text a signature of its own, and keeps two overlays apart', () => {
    const disk = createMemoryFiles({ '/a': 'saved' });
    const below = createOverlayFiles(disk);
    const files = createOverlayFiles(below);
    const seen = new Set<string>();
    for (const typed of ['one', 'two', 'one']) {
      below.setText('/a', encodeUtf8(typed));
      seen.add(String(files.stat('/a')?.mtimeNs));
    }
    expect(seen.size).toBe(3);
    files.setText('/a', encodeUtf8('tried'));
    expect(decodeUtf8(below.readHead('/a', 10)?.bytes ?? new Uint8Array()).text).toBe('one');
  });

  it('writes nothing', async () => {
    const disk = createMemoryFiles({ '/a': 'saved' });
    const files = createOverlayFiles(disk);
    await expect(files.writeAtomic('/a', encodeUtf8('x'), 0o644)).rejects.toThrow('nothing is written');
    await expect(files.remove('/a')).rejects.toThrow('nothing is removed');
    expect(await text(disk, '/a')).toBe('saved');
  });
});
